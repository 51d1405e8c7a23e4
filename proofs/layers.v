(* Rules about an f that may rise: what jumps add as the shift grows, and in space layers on spheres and means of cosines. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus tails.
Open Scope R_scope.

Definition positive_part (x : R) := Rmax x 0.
Lemma positive_part_le x y : x <= y -> positive_part x <= positive_part y.
Proof. intros L. apply Rmax_lub; [ apply Rle_trans with (1 := L), Rmax_l | apply Rmax_r ]. Qed.
Lemma positive_part_continuous (f : R -> R) (x : R) : continuous f x -> continuous (fun y => positive_part (f y)) x.
Proof.
intros C. apply continuous_ext with (fun y => (f y + Rabs (f y)) * / 2).
- intros y. unfold positive_part, Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
- apply (continuous_scal_l (fun y => f y + Rabs (f y)) (/ 2)). apply (continuous_plus f (fun y => Rabs (f y))); [ exact C | ].
  apply (continuous_comp f Rabs); [ exact C | apply continuous_Rabs ].
Qed.

(* ---- a jump of F at j, on the line ---- *)
(* psi; u and v are e^eps F(j-) and e^eps F(j+). *)
Definition psi (u v A : R) := positive_part (A - u) - positive_part (A - v).
(* Where the integrand goes from (A - u)+ to (A - v)+ at x = t + j, the integral has the slope psi(A(t + j)) in t; *)
Theorem K236_ahead A u v lo hi t j : (forall x, continuous A x) ->
  is_derive (fun t => RInt (fun x => positive_part (A x - u)) lo (t + j) + RInt (fun x => positive_part (A x - v)) (t + j) hi) t (psi u v (A (t + j))).
Proof.
intros C. assert (P : forall w x, continuous (fun x => positive_part (A x - w)) x).
{ intros w x. apply positive_part_continuous. apply (continuous_minus (V := R_NormedModule) A (fun _ => w)); [ apply C | apply continuous_const ]. }
assert (E : forall w a b, ex_RInt (fun x => positive_part (A x - w)) a b) by (intros; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply P).
assert (S : is_derive (fun t => t + j) t 1) by (auto_derive; trivial).
apply (is_derive_plus (fun t => RInt (fun x => positive_part (A x - u)) lo (t + j)) (fun t => RInt (fun x => positive_part (A x - v)) (t + j) hi)).
- replace (positive_part (A (t + j) - u)) with (scal 1 (positive_part (A (t + j) - u))) by apply (scal_one (V := R_NormedModule)).
  apply (is_derive_comp (fun y => RInt (fun x => positive_part (A x - u)) lo y) (fun t => t + j)); [ | exact S ].
  apply (is_derive_RInt (fun x => positive_part (A x - u)) _ lo); [ | apply P ]. apply filter_forall. intros y. apply (RInt_correct (V := R_CompleteNormedModule)), E.
- replace (- positive_part (A (t + j) - v)) with (scal 1 (- positive_part (A (t + j) - v))) by apply (scal_one (V := R_NormedModule)).
  apply (is_derive_comp (fun y => RInt (fun x => positive_part (A x - v)) y hi) (fun t => t + j)); [ | exact S ].
  apply (is_derive_RInt' (fun x => positive_part (A x - v)) _ _ hi); [ | apply P ]. apply filter_forall. intros y. apply (RInt_correct (V := R_CompleteNormedModule)), E.
Qed.
(* at x = t - j it goes from (A - v)+ to (A - u)+, and the slope is - psi. *)
Theorem K236_back A u v lo hi t j : (forall x, continuous A x) ->
  is_derive (fun t => RInt (fun x => positive_part (A x - v)) lo (t - j) + RInt (fun x => positive_part (A x - u)) (t - j) hi) t (- psi u v (A (t - j))).
Proof.
intros C. replace (- psi u v (A (t - j))) with (psi v u (A (t - j))) by (unfold psi; ring). exact (K236_ahead A v u lo hi t (- j) C).
Qed.
(* psi is monotone, one way or the other, so that it lies between what it is at both ends of a span of A; and constant beyond u and v. *)
Theorem K236_ends u v A lo hi : lo <= A <= hi -> Rmin (psi u v lo) (psi u v hi) <= psi u v A <= Rmax (psi u v lo) (psi u v hi).
Proof.
intros L. unfold psi, positive_part, Rmin, Rmax. repeat destruct Rle_dec; lra.
Qed.
Theorem K236_beyond u v most A : u <= most -> v <= most -> most <= A -> psi u v A = psi u v most.
Proof. intros U V M. unfold psi, positive_part, Rmax. repeat destruct Rle_dec; lra. Qed.

(* ---- what a point on the wrong side of a curve costs: p = e^(L rho), q = e^(L r) ---- *)
Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [L| ->]; [ left; now apply exp_increasing | apply Rle_refl ]. Qed.
(* In a strip L r <= L B where S' has the points, *)
Theorem K261_inside Lrho Lr LB eps : Lr <= LB ->
  exp eps * exp Lr - exp Lrho <= (exp (Rabs (Lrho - LB - eps)) - 1) * exp Lrho.
Proof.
intros H. assert (A := Rle_abs (- (Lrho - LB - eps))). rewrite Rabs_Ropp in A.
assert (E : exp (eps + Lr) <= exp (Rabs (Lrho - LB - eps) + Lrho)) by (apply exp_le; lra). rewrite !exp_plus in E. lra.
Qed.
(* and L B <= L r where it has none. *)
Theorem K261_outside Lrho Lr LB eps : LB <= Lr ->
  exp Lrho - exp eps * exp Lr <= (exp (Rabs (Lrho - LB - eps)) - 1) * exp Lrho.
Proof.
intros H. set (y := Rabs (Lrho - LB - eps)). assert (A : Lrho - LB - eps <= y) by apply Rle_abs. assert (y0 : 0 <= y) by apply Rabs_pos.
assert (E : exp (- y + Lrho) <= exp (eps + Lr)) by (apply exp_le; lra). rewrite !exp_plus in E.
(* 1 - e^-y <= e^y - 1 *)
assert (K : 1 - exp (- y) <= exp y - 1) by (generalize (exp_ineq1_le y) (exp_ineq1_le (- y)); lra).
assert (P := exp_pos Lrho). assert ((1 - exp (- y)) * exp Lrho <= (exp y - 1) * exp Lrho) by (apply Rmult_le_compat_r; lra). lra.
Qed.
(* About r = 0 S' has all points: there it costs at most e^eps q. *)
Theorem K261_about_0 p q eps : 0 <= p -> 0 <= q -> Rmax (exp eps * q - p) 0 <= exp eps * q.
Proof. intros P Q. assert (0 <= exp eps * q) by (apply Rmult_le_pos; [ left; apply exp_pos | exact Q ]). apply Rmax_lub; lra. Qed.

(* ---- means of the cosine c over directions, of density c_d (1 - c^2)^((d - 3)/2) ---- *)
Definition moment (k d c : R) := k * Rpower (1 - c ^ 2) ((d - 1) / 2) / (d - 1).
(* Where it is open which of the directions count, *)
Theorem K264_part c share : 0 <= share <= 1 -> Rmin c 0 <= c * share <= Rmax c 0.
Proof.
intros S. unfold Rmin, Rmax. destruct Rle_dec as [A|A].
- assert (0 <= - c * share) by (apply Rmult_le_pos; lra). assert (0 <= - c * (1 - share)) by (apply Rmult_le_pos; lra). lra.
- assert (0 <= c * share) by (apply Rmult_le_pos; lra). assert (0 <= c * (1 - share)) by (apply Rmult_le_pos; lra). lra.
Qed.
(* and M falls with |c|. *)
Theorem K264_falls k d c e : 0 <= k -> 1 < d -> Rabs c <= Rabs e -> Rabs e < 1 -> moment k d e <= moment k d c.
Proof.
intros K D L E. assert (S : c ^ 2 <= e ^ 2) by (rewrite <- (pow2_abs c), <- (pow2_abs e); apply pow_incr; split; [ apply Rabs_pos | exact L ]).
assert (e ^ 2 < 1) by (rewrite <- (pow2_abs e); assert (H := Rabs_pos e); assert (Rabs e * Rabs e < 1 * 1) by (apply Rmult_le_0_lt_compat; lra); simpl; lra).
unfold moment. apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | ]. apply Rmult_le_compat_l; [ exact K | ].
apply exp_le. apply Rmult_le_compat_l; [ lra | ]. apply ln_le; lra.
Qed.

(* ---- letters of rows, from the spans of L ---- *)
Theorem K265_letter Lrho Lb low high low' high' eps : low <= Lrho <= high -> low' <= Lb <= high' ->
  (high' < low - eps -> eps < Lrho - Lb) /\ (high - eps <= low' -> Lrho - Lb <= eps).
Proof. lra. Qed.

(* ---- the integral of F' times K over a row: the mean value theorem of integrals ---- *)
Theorem K266_one_sign F dF K a b m M : a <= b -> (forall x, a <= x <= b -> is_derive F x (dF x)) -> (forall x, a <= x <= b -> continuous dF x) ->
  (forall x, a <= x <= b -> 0 <= dF x) -> ex_RInt (fun x => dF x * K x) a b -> (forall x, a < x < b -> m <= K x <= M) ->
  m * (F b - F a) <= RInt (fun x => dF x * K x) a b <= M * (F b - F a).
Proof.
intros L D C P E B. assert (I : is_RInt dF a b (F b - F a)) by (apply (is_RInt_derive F dF); rewrite Rmin_left, Rmax_right by exact L; auto).
assert (S : forall k, is_RInt (fun x => k * dF x) a b (k * (F b - F a))) by (intros k; exact (is_RInt_scal dF a b k _ I)).
rewrite <- (is_RInt_unique _ _ _ _ (S m)), <- (is_RInt_unique _ _ _ _ (S M)).
split; apply RInt_le; trivial; try (eexists; apply S); intros x X; rewrite (Rmult_comm _ (dF x)); (apply Rmult_le_compat_l; [ apply P; lra | now apply B ]).
Qed.
Theorem K266_any dF K a b most k : a <= b -> ex_RInt (fun x => dF x * K x) a b -> (forall x, a <= x <= b -> Rabs (dF x) <= most) ->
  (forall x, a <= x <= b -> Rabs (K x) <= k) -> Rabs (RInt (fun x => dF x * K x) a b) <= (b - a) * (most * k).
Proof.
intros L E D K'. apply abs_RInt_le_const; trivial. intros x X. rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
Qed.

(* ---- the cosine at which |x - u| = b, and its slopes ---- *)
Definition cosine (b rho t : R) := (rho ^ 2 + t ^ 2 - b ^ 2) / (2 * rho * t).
Theorem K267_in_rho b rho t : rho <> 0 -> t <> 0 -> is_derive (fun rho => cosine b rho t) rho ((rho ^ 2 - t ^ 2 + b ^ 2) / (2 * rho ^ 2 * t)).
Proof. intros A B. unfold cosine. auto_derive; [ repeat apply Rmult_integral_contrapositive_currified; trivial; lra | ]. field. auto. Qed.
Theorem K267_in_t b rho t : rho <> 0 -> t <> 0 -> is_derive (fun t => cosine b rho t) t ((t ^ 2 - rho ^ 2 + b ^ 2) / (2 * t ^ 2 * rho)).
Proof. intros A B. unfold cosine. auto_derive; [ repeat apply Rmult_integral_contrapositive_currified; trivial; lra | ]. field. auto. Qed.
Theorem K267_square b rho t z : rho <> 0 -> t <> 0 -> z = cosine b rho t <-> b ^ 2 = rho ^ 2 - 2 * rho * t * z + t ^ 2.
Proof.
intros A B. unfold cosine. split; [ intros ->; field; auto | ]. intros ->. field. auto.
Qed.

(* ---- the variation of F = e^L, weighted by r^n, n = d - 1, at the centre ---- *)
Theorem K268_variation L dL m M n start a : 0 < a <= start -> 0 < m + INR n -> (forall x, 0 < x <= start -> is_derive L x (dL x)) ->
  (forall x, 0 < x <= start -> m <= x * dL x <= M) -> (forall x, a <= x <= start -> continuous dL x) ->
  RInt (fun x => x ^ n * Rabs (exp (L x) * dL x)) a start <= exp (L start) * start ^ n * Rmax (Rabs m) (Rabs M) / (m + INR n).
Proof.
intros A P D B C. set (most := Rmax (Rabs m) (Rabs M)). set (k := exp (L start) * most * Rpower start (- m)). set (s := m + INR n) in *.
assert (most0 : 0 <= most) by (apply Rle_trans with (1 := Rabs_pos m), Rmax_l).
assert (k0 : 0 <= k) by (repeat apply Rmult_le_pos; try exact most0; left; apply exp_pos).
set (prim := fun x => k / s * Rpower x s).
assert (I : is_RInt (fun x => k * Rpower x (s - 1)) a start (prim start - prim a)).
{ apply (is_RInt_derive prim (fun x => k * Rpower x (s - 1))); rewrite Rmin_left, Rmax_right by lra; intros x X.
  - unfold prim, Rpower. auto_derive; [ lra | ]. replace (s * ln x) with ((s - 1) * ln x + ln x) by ring. rewrite exp_plus, exp_ln by lra. field. lra.
  - apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold Rpower. auto_derive. lra. }
assert (E : ex_RInt (fun x => x ^ n * Rabs (exp (L x) * dL x)) a start).
{ apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros x. rewrite Rmin_left, Rmax_right by lra. intros X.
  apply (continuous_mult (fun x => x ^ n) (fun x => Rabs (exp (L x) * dL x))).
  - apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. trivial.
  - apply (continuous_comp (fun x => exp (L x) * dL x) Rabs); [ | apply continuous_Rabs ].
    apply (continuous_mult (fun x => exp (L x)) dL); [ | now apply C ]. apply (continuous_comp L exp); [ | apply continuous_exp ].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule). exists (dL x). apply D. lra. }
apply Rle_trans with (prim start - prim a).
- rewrite <- (is_RInt_unique _ _ _ _ I). apply RInt_le; [ lra | exact E | eexists; exact I | ]. intros x X.
  assert (H := K237_power L dL m start x ltac:(lra) D (fun y Y => proj1 (B y Y))).
  assert (Q : Rabs (x * dL x) <= most).
  { unfold most. destruct (B x ltac:(lra)) as [B1 B2]. apply Rabs_le. generalize (Rmax_l (Rabs m) (Rabs M)) (Rmax_r (Rabs m) (Rabs M)).
    assert (F1 := Rle_abs (- m)). rewrite Rabs_Ropp in F1. assert (F2 := Rle_abs M). lra. }
  rewrite Rabs_mult, (Rabs_pos_eq (exp (L x))) by (left; apply exp_pos).
  replace (Rabs (dL x)) with (Rabs (x * dL x) / x) by (rewrite Rabs_mult, (Rabs_pos_eq x) by lra; field; lra).
  apply Rle_trans with (x ^ n * (exp (L start) * Rpower (x / start) m * (most / x))).
  + apply Rmult_le_compat_l; [ apply pow_le; lra | ]. apply Rmult_le_compat; [ left; apply exp_pos | | exact H | ].
    * apply Rmult_le_pos; [ apply Rabs_pos | left; apply Rinv_0_lt_compat; lra ].
    * apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | exact Q ].
  + right. unfold k. replace (Rpower (x / start) m) with (Rpower x m * Rpower start (- m)).
    * rewrite <- (Rpower_pow n x) by lra. replace (Rpower x (s - 1)) with (Rpower x (INR n) * (Rpower x m * / x)); [ field; lra | ].
      rewrite <- (Rpower_1 x) at 3 by lra. rewrite <- Rpower_Ropp, <- !Rpower_plus. f_equal. unfold s. ring.
    * unfold Rpower. rewrite <- exp_plus. f_equal. unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring.
- assert (0 <= prim a) by (apply Rmult_le_pos; [ apply Rmult_le_pos; [ exact k0 | left; now apply Rinv_0_lt_compat ] | left; apply exp_pos ]).
  apply Rle_trans with (prim start); [ lra | right ]. unfold prim, k.
  replace (start ^ n) with (Rpower start (- m) * Rpower start s); [ field; lra | ].
  rewrite <- (Rpower_pow n start), <- Rpower_plus by lra. f_equal. unfold s. ring.
Qed.
(* Where F rises, however steeply, it is at most F(start) start^n. *)
Theorem K268_rising L dL n start a : 0 < a <= start -> (forall x, 0 < x <= start -> is_derive L x (dL x)) ->
  (forall x, 0 < x <= start -> 0 <= dL x) -> (forall x, a <= x <= start -> continuous dL x) ->
  RInt (fun x => x ^ n * Rabs (exp (L x) * dL x)) a start <= exp (L start) * start ^ n.
Proof.
intros A D P C. destruct (K237_variation L dL start a A D P C) as [N V]. set (g := fun x => exp (L x) * dL x) in *.
assert (G : forall x, a <= x <= start -> continuous g x).
{ intros x X. unfold g. apply (continuous_mult (fun x => exp (L x)) dL); [ | now apply C ].
  apply (continuous_comp L exp); [ | apply continuous_exp ]. apply (@ex_derive_continuous R_AbsRing R_NormedModule). exists (dL x). apply D. lra. }
assert (E : ex_RInt g a start).
{ apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros x. rewrite Rmin_left, Rmax_right by lra. apply G. }
apply Rle_trans with (RInt (fun x => start ^ n * g x) a start).
- apply RInt_le; [ lra | | now apply (ex_RInt_scal (V := R_CompleteNormedModule) g) | ].
  + apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros x. rewrite Rmin_left, Rmax_right by lra. intros X.
    apply (continuous_mult (fun x => x ^ n) (fun x => Rabs (g x))).
    * apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. trivial.
    * apply (continuous_comp g Rabs); [ now apply G | apply continuous_Rabs ].
  + intros x X. change (exp (L x) * dL x) with (g x). rewrite Rabs_pos_eq by (apply N; lra).
    apply Rmult_le_compat_r; [ apply N; lra | apply pow_incr; lra ].
- rewrite (RInt_scal (V := R_CompleteNormedModule) g) by exact E. unfold scal; simpl; unfold mult; simpl.
  rewrite (Rmult_comm (exp (L start))). apply Rmult_le_compat_l; [ apply pow_le; lra | exact V ].
Qed.
(* ---- and in the tail: where F falls, by parts, *)
Theorem K269_falling F dF n from to : 0 < from <= to -> (forall x, from <= x <= to -> is_derive F x (dF x)) ->
  (forall x, from <= x <= to -> continuous dF x) -> (forall x, from <= x <= to -> 0 <= F x) -> (forall x, from <= x <= to -> dF x <= 0) ->
  RInt (fun x => x ^ n * Rabs (dF x)) from to <= from ^ n * F from + INR n / from * RInt (fun x => x ^ n * F x) from to.
Proof.
intros A D C P N.
assert (Cf : forall x, from <= x <= to -> continuous F x) by (intros x X; apply (@ex_derive_continuous R_AbsRing R_NormedModule); exists (dF x); now apply D).
assert (Cp : forall k x, continuous (fun x => x ^ k) x) by (intros; apply (@ex_derive_continuous R_AbsRing R_NormedModule); auto_derive; trivial).
assert (E : forall g : R -> R, (forall x, from <= x <= to -> continuous g x) -> ex_RInt g from to).
{ intros g G. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z. rewrite Rmin_left, Rmax_right by lra. apply G. }
assert (Cl : forall x, from <= x <= to -> continuous (fun x => INR n * x ^ pred n * F x) x).
{ intros x X. apply (continuous_mult (fun x => INR n * x ^ pred n) F); [ | now apply Cf ]. apply (continuous_scal_r (INR n) (fun x => x ^ pred n)), Cp. }
assert (Cd : forall x, from <= x <= to -> continuous (fun x => x ^ n * dF x) x) by (intros x X; apply (continuous_mult (fun x => x ^ n) dF); auto).
assert (I : is_RInt (fun x => INR n * x ^ pred n * F x + x ^ n * dF x) from to (to ^ n * F to - from ^ n * F from)).
{ apply (is_RInt_derive (fun x => x ^ n * F x)); rewrite Rmin_left, Rmax_right by lra; intros x X.
  - apply (is_derive_mult (fun x => x ^ n) F); [ | now apply D | intros; apply Rmult_comm ]. auto_derive; [ trivial | ring ].
  - apply (continuous_plus (fun x => INR n * x ^ pred n * F x) (fun x => x ^ n * dF x)); auto. }
assert (J := is_RInt_unique _ _ _ _ I). rewrite (RInt_plus (V := R_CompleteNormedModule) (fun x => INR n * x ^ pred n * F x) (fun x => x ^ n * dF x)) in J by (apply E; auto).
unfold plus in J; simpl in J.
assert (K : RInt (fun x => x ^ n * Rabs (dF x)) from to = - RInt (fun x => x ^ n * dF x) from to).
{ rewrite <- (RInt_opp (V := R_CompleteNormedModule) (fun x => x ^ n * dF x)) by (apply E; auto). apply RInt_ext. rewrite Rmin_left, Rmax_right by lra.
  intros x X. rewrite Rabs_left1 by (apply N; lra). unfold opp; simpl. ring. }
assert (M : RInt (fun x => INR n * x ^ pred n * F x) from to <= INR n / from * RInt (fun x => x ^ n * F x) from to).
{ assert (Cw : forall x, from <= x <= to -> continuous (fun x => x ^ n * F x) x) by (intros x X; apply (continuous_mult (fun x => x ^ n) F); auto).
  assert (W : INR n / from * RInt (fun x => x ^ n * F x) from to = RInt (fun x => INR n / from * (x ^ n * F x)) from to).
  { symmetry. apply (RInt_scal (V := R_CompleteNormedModule) (fun x => x ^ n * F x)). now apply E. }
  rewrite W. apply RInt_le; [ lra | apply E; auto | | ].
  - apply E. intros x X. apply (continuous_scal_r (INR n / from) (fun x => x ^ n * F x)). auto.
  - intros x X. destruct n as [|n']; [ simpl; unfold Rdiv; rewrite !Rmult_0_l; lra | ].
    change (pred (S n')) with n'. change (x ^ S n') with (x * x ^ n').
    assert (Q : 0 <= INR (S n') * x ^ n' * F x) by (apply Rmult_le_pos; [ apply Rmult_le_pos; [ apply pos_INR | apply pow_le; lra ] | apply P; lra ]).
    replace (INR (S n') / from * (x * x ^ n' * F x)) with (x / from * (INR (S n') * x ^ n' * F x)) by (field; lra).
    assert (1 <= x / from) by (apply Rmult_le_reg_r with from; [ lra | unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra ]).
    apply Rle_trans with (1 * (INR (S n') * x ^ n' * F x)); [ lra | now apply Rmult_le_compat_r ]. }
assert (0 <= to ^ n * F to) by (apply Rmult_le_pos; [ apply pow_le; lra | apply P; lra ]). lra.
Qed.
(* elsewhere by the largest slope of L. *)
Theorem K269_rate L dL n most a b : 0 <= a <= b -> (forall x, a <= x <= b -> is_derive L x (dL x)) -> (forall x, a <= x <= b -> continuous dL x) ->
  (forall x, a <= x <= b -> Rabs (dL x) <= most) -> RInt (fun x => x ^ n * Rabs (exp (L x) * dL x)) a b <= most * RInt (fun x => x ^ n * exp (L x)) a b.
Proof.
intros H D C B.
assert (Cp : forall x, continuous (fun x => x ^ n) x) by (intros; apply (@ex_derive_continuous R_AbsRing R_NormedModule); auto_derive; trivial).
assert (Cl : forall x, a <= x <= b -> continuous (fun x => exp (L x)) x).
{ intros x X. apply (continuous_comp L exp); [ | apply continuous_exp ]. apply (@ex_derive_continuous R_AbsRing R_NormedModule). exists (dL x). now apply D. }
assert (E : forall g : R -> R, (forall x, a <= x <= b -> continuous g x) -> ex_RInt g a b).
{ intros g G. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z. rewrite Rmin_left, Rmax_right by lra. apply G. }
assert (Cw : forall x, a <= x <= b -> continuous (fun x => x ^ n * exp (L x)) x) by (intros x X; apply (continuous_mult (fun x => x ^ n) (fun x => exp (L x))); auto).
rewrite <- (RInt_scal (V := R_CompleteNormedModule) (fun x => x ^ n * exp (L x))) by (now apply E).
apply RInt_le; [ lra | | | ].
- apply E. intros x X. apply (continuous_mult (fun x => x ^ n) (fun x => Rabs (exp (L x) * dL x))); [ apply Cp | ].
  apply (continuous_comp (fun x => exp (L x) * dL x) Rabs); [ | apply continuous_Rabs ]. apply (continuous_mult (fun x => exp (L x)) dL); auto.
- apply (ex_RInt_scal (V := R_CompleteNormedModule) (fun x => x ^ n * exp (L x))). now apply E.
- intros x X. rewrite Rabs_mult, (Rabs_pos_eq (exp (L x))) by (left; apply exp_pos). unfold scal; simpl; unfold mult; simpl.
  assert (0 <= x ^ n * exp (L x)) by (apply Rmult_le_pos; [ apply pow_le; lra | left; apply exp_pos ]). specialize (B x ltac:(lra)).
  replace (x ^ n * (exp (L x) * Rabs (dL x))) with (Rabs (dL x) * (x ^ n * exp (L x))) by ring. now apply Rmult_le_compat_r.
Qed.
