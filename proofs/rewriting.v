(* Rules that write a part of f in another way, or read off its sign: logarithms (K285, K320, K443, K444), sums (K321, K380, K562),
   saws (K352, K442), powers of what may be 0 (K381, K382, K445), signs of maxima (K446), increments (K322), what cancels (K480),
   signs by form (K481). *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(* ---- differences of logarithms ---- *)
Theorem K285_quotient u v c : 0 < u -> 0 < v -> 0 < c -> u = v + c -> ln u - ln v = ln (1 + c / v) /\ ln v - ln u = - ln (1 + c / v).
Proof.
intros U V C ->. assert (E : ln (v + c) - ln v = ln (1 + c / v)); [ | lra ].
rewrite <- ln_div by assumption. f_equal. field. lra.
Qed.
Theorem K444_beside_a_number u c w : 0 < c -> 0 < w -> u = c + w -> ln u - ln c = ln (1 + w / c) /\ ln c - ln u = - ln (1 + w / c).
Proof. intros C W ->. now apply (K285_quotient (c + w) c w); [ lra | | | ]. Qed.
Theorem K443_less_than_one v : 0 < v < 1 -> let t := ln v - ln (1 - v) in exp t = v / (1 - v) /\ 0 < exp t /\ ln (1 - v) = - ln (1 + exp t).
Proof.
intros V t. assert (E : exp t = v / (1 - v)).
{ unfold t. rewrite <- ln_div by lra. apply exp_ln. apply Rdiv_lt_0_compat; lra. }
split; [ exact E | split; [ apply exp_pos | ] ]. rewrite E. replace (1 + v / (1 - v)) with (/ (1 - v)) by (field; lra). rewrite ln_Rinv by lra. ring.
Qed.

(* ---- exponentials of sums with logarithms in them: terms (c_k, u_k) ---- *)
Fixpoint logarithms (terms : list (R * R)) : R := match terms with [] => 0 | (c, u) :: more => c * ln u + logarithms more end.
Fixpoint powers (terms : list (R * R)) : R := match terms with [] => 1 | (c, u) :: more => Rpower u c * powers more end.
Theorem K320_powers terms w : exp (logarithms terms + w) = powers terms * exp w.
Proof.
induction terms as [|[c u] more IH]; simpl; [ rewrite Rplus_0_l; ring | ]. rewrite Rplus_assoc, exp_plus, IH. unfold Rpower. ring.
Qed.
(* What a power of a positive number is, for whole exponents too. *)
Theorem K320_whole u n : 0 < u -> Rpower u (INR n) = u ^ n. Proof. intros U. now apply Rpower_pow. Qed.

(* ---- sums ---- *)
Fixpoint total (terms : list R) : R := match terms with [] => 0 | x :: more => x + total more end.
Theorem K321_gathered u coefficients : total (map (fun c => c * u) coefficients) = total coefficients * u.
Proof. induction coefficients as [|c more IH]; simpl; [ ring | rewrite IH; ring ]. Qed.
Theorem K380_common u terms : total (map (fun v => u * v) terms) = u * total terms.
Proof. induction terms as [|v more IH]; simpl; [ ring | rewrite IH; ring ]. Qed.
Theorem K380_exponential v c : exp (v + c) = exp v * exp c. Proof. apply exp_plus. Qed.
Theorem K562_beside_one u (terms : list (R * R)) :
  total (map (fun t => exp (fst t) * snd t) terms) = exp u * total (map (fun t => exp (fst t - u) * snd t) terms).
Proof.
induction terms as [|[v w] more IH]; simpl; [ ring | ]. rewrite IH. replace (exp v) with (exp u * exp (v - u)); [ ring | ].
rewrite <- exp_plus. f_equal. ring.
Qed.
Theorem K322_increment u du : exp (u + du) = exp u + (exp (u + du) - exp u). Proof. ring. Qed.

(* ---- what cancels: u^a for u > 0, for whole a, and for u = 0 and whole a, b > 0; a fractional power of 0 is below ---- *)
Theorem K480_factor u : 0 * u = 0. Proof. ring. Qed.
Theorem K480_exponent u : 0 < u -> Rpower u 0 = 1 /\ powerRZ u 0 = 1. Proof. intros U. split; [ now apply Rpower_O | reflexivity ]. Qed.
Theorem K480_real u a b : Rpower u a * Rpower u b = Rpower u (a + b). Proof. symmetry. apply Rpower_plus. Qed.
Theorem K480_whole u a b : u <> 0 -> powerRZ u a * powerRZ u b = powerRZ u (a + b). Proof. intros U. symmetry. now apply powerRZ_add. Qed.
Theorem K480_exponential u : exp (- u) = / exp u. Proof. apply exp_Ropp. Qed.

(* ---- signs by form ---- *)
Theorem K481_sum u v : 0 < u -> 0 <= v -> 0 < u + v. Proof. lra. Qed.
Theorem K481_number a v : 0 < a -> 0 <= v + (1 - 1 / 1000000) * a -> 0 < a + v. Proof. lra. Qed.
Theorem K481_product u v : 0 < u -> 0 < v -> 0 < u * v. Proof. apply Rmult_lt_0_compat. Qed.
Theorem K481_power u p : 0 < Rpower u p. Proof. apply exp_pos. Qed.
Theorem K481_maximum u v : 0 < u -> 0 < Rmax u v /\ 0 < Rmax v u.
Proof. intros U. split; (eapply Rlt_le_trans; [ exact U | ]); [ apply Rmax_l | apply Rmax_r ]. Qed.

(* 0^p is 0 for p > 0. *)
Definition power (u p : R) : R := if Req_EM_T u 0 then 0 else Rpower u p.
Lemma power_0 p : power 0 p = 0. Proof. unfold power. destruct Req_EM_T as [_|N]; [ reflexivity | now elim N ]. Qed.
Lemma power_positive u p : 0 < u -> power u p = Rpower u p. Proof. intros U. unfold power. destruct Req_EM_T; [ lra | reflexivity ]. Qed.

Theorem K480_zero a b : power 0 a * power 0 b = power 0 (a + b). Proof. rewrite !power_0. ring. Qed.

(* ---- saws: multiples c floor(u) of floors, n the floor of u ---- *)
Fixpoint floors (terms : list (R * R * Z)) : R := match terms with [] => 0 | (c, _, n) :: more => c * IZR n + floors more end.
Fixpoint lines (terms : list (R * R * Z)) : R := match terms with [] => 0 | (c, u, _) :: more => c * u + lines more end.
Fixpoint rising (terms : list (R * R * Z)) : R := match terms with [] => 0 | (c, _, _) :: more => Rmax c 0 + rising more end.
Fixpoint falling (terms : list (R * R * Z)) : R := match terms with [] => 0 | (c, _, _) :: more => Rmin c 0 + falling more end.
Definition of_floors (terms : list (R * R * Z)) := forall c u n, In (c, u, n) terms -> IZR n <= u < IZR n + 1.
Theorem K352_heights terms : of_floors terms -> lines terms - rising terms <= floors terms <= lines terms - falling terms.
Proof.
induction terms as [|[[c u] n] more IH]; intros H; simpl; [ lra | ].
assert (I := IH ltac:(intros c' u' n' I; apply (H c' u' n'); now right)). assert (N := H c u n ltac:(now left)).
assert (c * (u - IZR n) <= Rmax c 0 /\ Rmin c 0 <= c * (u - IZR n)); [ | lra ].
unfold Rmax, Rmin. destruct (Rle_dec c 0).
- assert (c * 1 <= c * (u - IZR n) <= c * 0) by (split; apply Rmult_le_compat_neg_l; lra). lra.
- assert (c * 0 <= c * (u - IZR n) <= c * 1) by (split; apply Rmult_le_compat_l; lra). lra.
Qed.
(* The lines cancel with those beside the floors up to the number b; what else is added is not negative. *)
Theorem K442_saw terms rest b other : of_floors terms -> rest + lines terms = b -> 0 <= other -> rising terms <= b -> 0 <= rest + floors terms + other.
Proof. intros H E O B. assert (K := K352_heights terms H). lra. Qed.
Theorem K442_fractional u n : IZR n <= u < IZR n + 1 -> 0 <= u - IZR n. Proof. lra. Qed.
Theorem K442_ramp c u m b : 0 < c -> 0 <= b -> u <= m -> 0 <= c * m - c * u + b.
Proof. intros C B M. assert (c * u <= c * m) by (apply Rmult_le_compat_l; lra). lra. Qed.
Theorem K442_products u v p n : 0 <= u -> 0 <= v -> 0 <= u * v /\ 0 <= power u p /\ 0 <= u ^ n.
Proof.
intros U V. split; [ now apply Rmult_le_pos | split; [ | now apply pow_le ] ]. unfold power. destruct Req_EM_T; [ lra | left; apply exp_pos ].
Qed.
(* The logarithm of a saw between m > 0 and M, and its increment for any shift whatever. *)
Theorem K352_increment (u v m M : R) : 0 < m -> m <= u <= M -> m <= v <= M -> ln m <= ln u <= ln M /\ ln m - ln M <= ln v - ln u <= ln M - ln m.
Proof.
intros P U V. assert (I : forall x y, 0 < x -> x <= y -> ln x <= ln y) by (intros x y X [L| ->]; [ left; now apply ln_increasing | lra ]).
assert (A := I m u P (proj1 U)). assert (B := I u M ltac:(lra) (proj2 U)). assert (C := I m v P (proj1 V)). assert (D := I v M ltac:(lra) (proj2 V)). lra.
Qed.

(* ---- powers of what may be 0 ---- *)
Theorem K445_from_zero u du p : u = 0 -> power u p = 0 /\ power (u + du) p - power u p = power du p.
Proof. intros ->. rewrite Rplus_0_l, power_0. split; [ reflexivity | ring ]. Qed.
Theorem K382_power c m p top : 0 < p -> 0 < m -> 0 <= c <= top -> power (c * m) p = power c p * Rpower m p /\ 0 <= power c p <= power top p.
Proof.
intros P M [C T]. destruct C as [C|<-].
- assert (0 < c * m) by now apply Rmult_lt_0_compat. rewrite !power_positive by lra. split; [ symmetry; now apply Rpower_mult_distr | ].
  split; [ left; apply exp_pos | apply Rle_Rpower_l; lra ].
- rewrite Rmult_0_l, power_0. split; [ ring | ]. split; [ lra | ]. unfold power. destruct Req_EM_T; [ lra | left; apply exp_pos ].
Qed.
Theorem K382_logarithms r0 r : 1 < r0 -> r0 <= r -> 0 < ln r /\ (0 < ln (ln r0) -> 0 < ln (ln r)) /\ (0 < ln (ln r0) -> 0 < ln (ln (ln r0)) -> 0 < ln (ln (ln r))).
Proof.
assert (I : forall x y, 0 < x -> x <= y -> ln x <= ln y) by (intros x y X [L| ->]; [ left; now apply ln_increasing | lra ]).
intros R0 R1. assert (L0 : 0 < ln r0) by (rewrite <- ln_1; apply ln_increasing; lra). assert (L1 := I r0 r ltac:(lra) R1). assert (L2 := I _ _ L0 L1).
split; [ lra | split; intros; [ lra | ] ]. assert (L3 := I (ln (ln r0)) (ln (ln r)) ltac:(lra) L2). lra.
Qed.
Theorem K381_square w : 1 + sin w = (cos (w / 2) + sin (w / 2)) ^ 2 /\ 1 - sin w = (cos (w / 2) - sin (w / 2)) ^ 2.
Proof.
assert (E : sin w = 2 * sin (w / 2) * cos (w / 2)) by (rewrite <- sin_2a; f_equal; field). rewrite E.
generalize (sin2_cos2 (w / 2)). unfold Rsqr. intros S. split; rewrite <- S at 1; ring.
Qed.

(* ---- signs of maxima ---- *)
Fixpoint largest (first : R) (others : list R) : R := match others with [] => first | x :: more => Rmax first (largest x more) end.
Theorem K446_positive first others x : In x (first :: others) -> 0 < x -> 0 < largest first others.
Proof.
revert first. induction others as [|y more IH]; intros first I X; simpl in *; [ destruct I as [->|[]]; exact X | ].
destruct I as [->|I]; [ apply Rlt_le_trans with (1 := X), Rmax_l | ]. apply Rlt_le_trans with (2 := Rmax_r _ _). now apply IH.
Qed.
Theorem K446_negative first others : (forall x, In x (first :: others) -> x < 0) -> largest first others < 0.
Proof.
revert first. induction others as [|y more IH]; intros first N; simpl; [ apply N; now left | ].
apply Rmax_lub_lt; [ apply N; now left | apply IH; intros x I; apply N; now right ].
Qed.
