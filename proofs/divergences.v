(* Rules about a pair of laws with densities p and q on any space: what bounds their divergences h(k), the integral of
   (p - k q)+, their tests, and the moments of the loss l = log(p/q). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import privacy.
Open Scope R_scope.

(* An integral of privacy.v that is additive too: measures.v shows that Lebesgue's is. *)
Record linear (X : Type) := {
  of_functions : integral X;
  additive : forall p q, integrable X of_functions p -> integrable X of_functions q ->
    integrable X of_functions (fun x => p x + q x) /\ value X of_functions (fun x => p x + q x) = value X of_functions p + value X of_functions q }.

Section Laws.
Context {Points : Type} (I : linear Points).
Notation ok := (integrable Points (of_functions Points I)).
Notation mean := (value Points (of_functions Points I)).

Lemma mean_le f g : ok f -> ok g -> (forall x, f x <= g x) -> mean f <= mean g.
Proof. apply monotone. Qed.
Lemma mean_scal k f : ok f -> ok (fun x => k * f x) /\ mean (fun x => k * f x) = k * mean f.
Proof. apply homogeneous. Qed.
Lemma mean_plus f g : ok f -> ok g -> ok (fun x => f x + g x) /\ mean (fun x => f x + g x) = mean f + mean g.
Proof. apply additive. Qed.
(* At most a sum of two multiples. *)
Lemma mean_below f g h a b : ok f -> ok g -> ok h -> (forall x, f x <= a * g x + b * h x) -> mean f <= a * mean g + b * mean h.
Proof.
intros F G H L. destruct (mean_scal a g G) as [G' <-]. destruct (mean_scal b h H) as [H' <-].
destruct (mean_plus _ _ G' H') as [S <-]. now apply mean_le.
Qed.

Definition excess (k : R) (p q : Points -> R) (x : Points) : R := Rmax (p x - k * q x) 0.

(* ---- delta(eps) of f from that of h ---- *)
(* One law's density in the place of another's. *)
Theorem K229_divergence k p q p' q' : 0 <= k -> ok (excess k p q) -> ok (excess k p' q') ->
  ok (fun x => Rabs (p x - p' x)) -> ok (fun x => Rabs (q x - q' x)) ->
  mean (excess k p q) <= mean (excess k p' q') + (mean (fun x => Rabs (p x - p' x)) + k * mean (fun x => Rabs (q x - q' x))).
Proof.
intros K E E' P Q. destruct (mean_scal k _ Q) as [Q' <-]. destruct (mean_plus _ _ P Q') as [S <-]. destruct (mean_plus _ _ E' S) as [T <-].
apply mean_le; trivial. intros x. unfold excess.
assert (A := Rle_abs (p x - p' x)). assert (B : k * (q' x - q x) <= k * Rabs (q x - q' x)).
{ apply Rmult_le_compat_l; [ exact K | ]. rewrite Rabs_minus_sym. apply Rle_abs. }
assert (0 <= Rabs (p x - p' x)) by apply Rabs_pos. assert (0 <= k * Rabs (q x - q' x)) by (apply Rmult_le_pos; [ exact K | apply Rabs_pos ]).
assert (C := Rmax_l (p' x - k * q' x) 0). assert (D := Rmax_r (p' x - k * q' x) 0). apply Rmax_lub; lra.
Qed.
(* f over its integral Y and h over its integral Z, D the integral of |f - h|; of f it is asked that it is not negative. *)
Theorem K229_densities f h D : (forall x, 0 <= f x) -> ok f -> ok h -> ok (fun x => Rabs (f x - h x)) ->
  0 < mean f -> 0 < mean h -> mean (fun x => Rabs (f x - h x)) <= D ->
  ok (fun x => Rabs (f x / mean f - h x / mean h)) -> mean (fun x => Rabs (f x / mean f - h x / mean h)) <= 2 * D / mean h.
Proof.
intros P F H A Y Z B N. set (y := mean f) in *. set (z := mean h) in *.
assert (G : Rabs (z - y) <= D).
{ assert (forall u v, ok u -> ok v -> ok (fun x => Rabs (f x - h x)) -> (forall x, u x - v x <= Rabs (f x - h x)) -> mean u - mean v <= mean (fun x => Rabs (f x - h x))).
  { intros u v U V W L. assert (C := mean_below u v _ 1 1 U V W). cut (mean u <= 1 * mean v + 1 * mean (fun x => Rabs (f x - h x))); [ lra | ].
    apply C. intros x. specialize (L x). lra. }
  apply Rabs_le. split; [ cut (y - z <= D); [ lra | ] | ].
  - apply Rle_trans with (2 := B). apply H0; trivial. intros x. apply Rle_abs.
  - apply Rle_trans with (2 := B). apply H0; trivial. intros x. rewrite Rabs_minus_sym. apply Rle_abs. }
apply Rle_trans with (Rabs (/ y - / z) * y + / z * mean (fun x => Rabs (f x - h x))).
- apply mean_below; trivial. intros x. replace (f x / y - h x / z) with (f x * (/ y - / z) + (f x - h x) * / z) by (field; lra).
  apply Rle_trans with (1 := Rabs_triang _ _). rewrite !Rabs_mult, (Rabs_pos_eq (f x)), (Rabs_pos_eq (/ z)) by (trivial; left; now apply Rinv_0_lt_compat). lra.
- replace (/ y - / z) with ((z - y) * / (y * z)) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ (y * z))) by (left; apply Rinv_0_lt_compat; now apply Rmult_lt_0_compat).
  replace (Rabs (z - y) * / (y * z) * y) with (Rabs (z - y) / z) by (field; lra).
  assert (J := Rinv_0_lt_compat z Z). replace (2 * D / z) with (D / z + / z * D) by (field; lra).
  apply Rplus_le_compat; [ apply Rmult_le_compat_r | apply Rmult_le_compat_l ]; lra.
Qed.

(* ---- what a point on the wrong side of an approximate boundary costs ---- *)
Lemma loss_ratio p q e x : 0 < p -> 0 < q -> ln (p / q) - e <= x -> p * exp (- x) <= exp e * q.
Proof.
intros P Q H. replace p with (exp (ln (p / q)) * q) by (rewrite exp_ln by (now apply Rdiv_lt_0_compat); field; lra).
replace (exp (ln (p / q)) * q * exp (- x)) with (exp (ln (p / q)) * exp (- x) * q) by ring.
apply Rmult_le_compat_r; [ lra | ]. rewrite <- exp_plus. destruct (Req_dec (ln (p / q) + - x) e) as [->|]; [ lra | left; apply exp_increasing; lra ].
Qed.
Lemma loss_ratio_back p q e x : 0 < p -> 0 < q -> - x <= ln (p / q) - e -> exp e * q <= p * exp x.
Proof.
intros P Q H. replace p with (exp (ln (p / q)) * q) by (rewrite exp_ln by (now apply Rdiv_lt_0_compat); field; lra).
replace (exp (ln (p / q)) * q * exp x) with (exp (ln (p / q)) * exp x * q) by ring.
apply Rmult_le_compat_r; [ lra | ]. rewrite <- exp_plus. destruct (Req_dec (ln (p / q) + x) e) as [->|]; [ lra | left; apply exp_increasing; lra ].
Qed.
Theorem K233_outside p q e x : 0 < p -> 0 < q -> 0 <= x -> ln (p / q) - e <= x ->
  0 <= Rmax (p - exp e * q) 0 <= p * (1 - exp (- x)).
Proof.
intros P Q X H. assert (A := loss_ratio p q e x P Q H). split; [ apply Rmax_r | ]. apply Rmax_lub; [ lra | ].
apply Rmult_le_pos; [ lra | ]. cut (exp (- x) <= 1); [ lra | ]. rewrite <- exp_0. destruct X as [X|<-]; [ left; apply exp_increasing; lra | rewrite Ropp_0; lra ].
Qed.
Theorem K233_inside p q e x : 0 < p -> 0 < q -> 0 <= x -> - x <= ln (p / q) - e ->
  p - exp e * q <= Rmax (p - exp e * q) 0 <= p - exp e * q + p * (exp x - 1).
Proof.
intros P Q X H. assert (A := loss_ratio_back p q e x P Q H). split; [ apply Rmax_l | ].
assert (0 <= p * (exp x - 1)) by (apply Rmult_le_pos; [ lra | ]; generalize (exp_ineq1_le x); lra). apply Rmax_lub; lra.
Qed.
Theorem K233_unknown p q e : 0 <= p -> 0 <= q -> 0 <= Rmax (p - exp e * q) 0 <= p.
Proof. intros P Q. split; [ apply Rmax_r | ]. assert (0 <= exp e * q) by (apply Rmult_le_pos; [ left; apply exp_pos | exact Q ]). apply Rmax_lub; lra. Qed.

(* ---- how large the loss is on a shell: rho is |x|, r is |x - u|, and L is log f ---- *)
Theorem K278_shell (L : R -> R) rho r s b top bottom : r <= rho + s -> rho < b -> L rho <= top ->
  (forall t, t < b + s -> bottom <= L t) -> L rho - L r <= top - bottom.
Proof. intros A B T H. assert (bottom <= L r) by (apply H; lra). lra. Qed.

(* ---- from one shift to another: q and q' in the place of each other ---- *)
(* The divergence changes by k times the integral of q - q' over the set of either of them, or between the two. *)
Theorem K235_between_shifts p q q' k event event' : 0 <= k -> (forall x, event x = true <-> k * q x < p x) -> (forall x, event' x = true <-> k * q' x < p x) ->
  ok (excess k p q) -> ok (excess k p q') -> ok (on event (fun x => q x - q' x)) -> ok (on event' (fun x => q x - q' x)) ->
  k * mean (on event (fun x => q x - q' x)) <= mean (excess k p q') - mean (excess k p q) <= k * mean (on event' (fun x => q x - q' x)).
Proof.
intros K E E' A A' B B'.
assert (P : forall x, excess k p q x <= 1 * excess k p q' x + - k * on event (fun x => q x - q' x) x).
{ intros x. unfold excess, on. generalize (Rmax_l (p x - k * q' x) 0) (Rmax_r (p x - k * q' x) 0). destruct (event x) eqn:V.
  - apply E in V. rewrite (Rmax_left (p x - k * q x)) by lra. lra.
  - rewrite (Rmax_right (p x - k * q x)); [ lra | ]. apply Rnot_lt_le. intros C. assert (event x = true) by (apply E; lra). congruence. }
assert (P' : forall x, excess k p q' x <= 1 * excess k p q x + k * on event' (fun x => q x - q' x) x).
{ intros x. unfold excess, on. generalize (Rmax_l (p x - k * q x) 0) (Rmax_r (p x - k * q x) 0). destruct (event' x) eqn:V.
  - apply E' in V. rewrite (Rmax_left (p x - k * q' x)) by lra. lra.
  - rewrite (Rmax_right (p x - k * q' x)); [ lra | ]. apply Rnot_lt_le. intros C. assert (event' x = true) by (apply E'; lra). congruence. }
assert (Q := mean_below _ _ _ _ _ A A' B P). assert (Q' := mean_below _ _ _ _ _ A' A B' P'). lra.
Qed.

(* ---- the atom at infinity: P of an event on which q is 0 ---- *)
Theorem K244_atom p q k event : (forall x, 0 <= p x) -> (forall x, event x = true -> q x = 0) ->
  ok (on event p) -> ok (excess k p q) -> mean (on event p) <= mean (excess k p q).
Proof.
intros P Q A B. apply mean_le; trivial. intros x. unfold on, excess. destruct (event x) eqn:E; [ rewrite (Q x E), Rmult_0_r, Rminus_0_r; apply Rmax_l | apply Rmax_r ].
Qed.

(* ---- tests, with 0 <= test <= 1: rejected with this probability ---- *)
Section Tests.
Variables (p q test : Points -> R) (a : R).
Hypotheses (p0 : forall x, 0 <= p x) (q0 : forall x, 0 <= q x) (a0 : 0 <= a) (t0 : forall x, 0 <= test x <= 1).
Hypotheses (ok_p : ok (fun x => test x * p x)) (ok_q : ok (fun x => test x * q x)) (ok_h : ok (excess a p q)).
(* With h = h(a): the errors x and 1 - P of a test obey 1 - P >= 1 - h - a x, *)
Theorem K231_lower_bound x : mean (fun x => test x * q x) <= x ->
  1 - mean (excess a p q) - a * x <= 1 - mean (fun x => test x * p x).
Proof.
intros B. cut (mean (fun x => test x * p x) <= 1 * mean (excess a p q) + a * mean (fun x => test x * q x)).
{ assert (a * mean (fun x => test x * q x) <= a * x) by (now apply Rmult_le_compat_l). lra. }
apply mean_below; trivial. intros y. unfold excess. specialize (t0 y). specialize (p0 y).
destruct (Rle_or_lt (p y - a * q y) 0) as [N|P].
- rewrite Rmax_right by exact N. assert (test y * (p y - a * q y) <= 0); [ | lra ].
  assert (0 <= test y * - (p y - a * q y)) by (apply Rmult_le_pos; lra). lra.
- rewrite Rmax_left by lra. assert (0 <= (1 - test y) * (p y - a * q y)) by (apply Rmult_le_pos; lra). lra.
Qed.
(* and a test of likelihood ratios reaches it. *)
Theorem K231_attained : (forall x, a * q x < p x -> test x = 1) -> (forall x, p x < a * q x -> test x = 0) ->
  1 - mean (fun x => test x * p x) = 1 - mean (excess a p q) - a * mean (fun x => test x * q x).
Proof.
intros T F. cut (1 * mean (excess a p q) + a * mean (fun x => test x * q x) <= mean (fun x => test x * p x)).
{ assert (H := K231_lower_bound (mean (fun x => test x * q x)) (Rle_refl _)). lra. }
destruct (mean_scal 1 _ ok_h) as [A <-]. destruct (mean_scal a _ ok_q) as [B <-]. destruct (mean_plus _ _ A B) as [S <-].
apply mean_le; trivial. intros x. unfold excess. destruct (Rtotal_order (p x) (a * q x)) as [L|[E|G]].
- rewrite (F x L), Rmax_right by lra. lra.
- rewrite E, Rmax_left by lra. lra.
- rewrite (T x G), Rmax_left by lra. lra.
Qed.
End Tests.
(* At 1/a, for two orders of the pair that are alike. *)
Theorem K231_mirrored p q a : 0 < a -> ok (excess (/ a) p q) -> ok (excess a q p) -> ok p -> ok q -> mean p = 1 -> mean q = 1 ->
  mean (excess a q p) = mean (excess a p q) -> mean (excess (/ a) p q) = (a - 1 + mean (excess a p q)) / a.
Proof.
intros A E F P Q MP MQ <-. assert (J := Rinv_0_lt_compat a A).
(* (p - q/a)+ = p - q/a + (q - a p)+ / a *)
assert (H : forall x, excess (/ a) p q x = p x + (- / a) * q x + / a * excess a q p x).
{ intros x. unfold excess, Rmax. destruct Rle_dec as [N|N]; destruct Rle_dec as [M|M].
  - assert (a * (p x - / a * q x) <= a * 0) by (apply Rmult_le_compat_l; lra).
    assert (a * (p x - / a * q x) = a * p x - q x) by (field; lra). assert (q x = a * p x) by lra. rewrite H1. field. lra.
  - field. lra.
  - lra.
  - exfalso. apply N. assert (/ a * (q x - a * p x) = / a * q x - p x) by (field; lra).
    assert (0 < / a * (q x - a * p x)) by (apply Rmult_lt_0_compat; lra). lra. }
destruct (mean_scal (- / a) _ Q) as [Q' EQ]. destruct (mean_scal (/ a) _ F) as [F' EF].
destruct (mean_plus _ _ P Q') as [S ES]. destruct (mean_plus _ _ S F') as [T ET].
replace (mean (excess (/ a) p q)) with (mean (fun x => p x + - / a * q x + / a * excess a q p x)).
- rewrite ET, ES, EQ, EF, MP, MQ. field. lra.
- apply Rle_antisym; apply mean_le; trivial; intros x; rewrite H; lra.
Qed.

(* ---- moments of the loss ---- *)
(* p^L q^(1 - L) = p e^((L - 1) l). *)
Theorem K248_power p q L : 0 < p -> 0 < q -> Rpower p L * Rpower q (1 - L) = p * exp ((L - 1) * ln (p / q)).
Proof.
intros P Q. unfold Rpower. rewrite <- (exp_ln p P) at 2. rewrite <- !exp_plus. f_equal.
unfold Rdiv. rewrite ln_mult, ln_Rinv by (trivial; now apply Rinv_0_lt_compat). ring.
Qed.
(* k phi <= k a + (k c)^2/(4 t) + t G where phi <= a + c sqrt G. *)
Theorem K247_square phi a c G k t : 0 <= G -> 0 < t -> 0 <= k -> phi <= a + c * sqrt G -> k * phi <= k * a + (k * c) ^ 2 / (4 * t) + t * G.
Proof.
intros Z T K H. assert (A : k * phi <= k * (a + c * sqrt G)) by (now apply Rmult_le_compat_l).
assert (B : 0 <= (t * sqrt G - k * c / 2) ^ 2 / t) by (apply Rmult_le_pos; [ apply pow2_ge_0 | left; now apply Rinv_0_lt_compat ]).
replace ((t * sqrt G - k * c / 2) ^ 2 / t) with (t * (sqrt G * sqrt G) - k * c * sqrt G + (k * c) ^ 2 / (4 * t)) in B by (field; lra).
rewrite sqrt_sqrt in B by exact Z. lra.
Qed.
Theorem K247_moment p loss phi G a c k t : (forall x, 0 <= p x) -> 0 <= k -> 0 < t -> (forall x, 0 <= G x) ->
  (forall x, loss x <= phi x) -> (forall x, phi x <= a + c * sqrt (G x)) ->
  ok (fun x => p x * exp (k * loss x)) -> ok (fun x => p x * exp (t * G x)) -> 0 < mean (fun x => p x * exp (k * loss x)) ->
  ln (mean (fun x => p x * exp (k * loss x))) <= k * a + (k * c) ^ 2 / (4 * t) + ln (mean (fun x => p x * exp (t * G x))).
Proof.
intros P K T Z L H A B M. set (e := k * a + (k * c) ^ 2 / (4 * t)).
assert (D : mean (fun x => p x * exp (k * loss x)) <= exp e * mean (fun x => p x * exp (t * G x))).
{ destruct (mean_scal (exp e) _ B) as [B' <-]. apply mean_le; trivial. intros x.
  replace (exp e * (p x * exp (t * G x))) with (p x * (exp e * exp (t * G x))) by ring.
  apply Rmult_le_compat_l; [ apply P | ]. rewrite <- exp_plus.
  assert (S : k * loss x <= e + t * G x).
  { apply Rle_trans with (k * phi x); [ now apply Rmult_le_compat_l | ]. unfold e. now apply K247_square. }
  destruct S as [S| ->]; [ left; now apply exp_increasing | lra ]. }
assert (N : 0 < mean (fun x => p x * exp (t * G x))) by (apply Rmult_lt_reg_l with (exp e); [ apply exp_pos | lra ]).
rewrite <- (ln_exp e) at 1. rewrite <- ln_mult by (trivial; apply exp_pos). now apply ln_le.
Qed.
(* With G = T - log f: e^(t G) f = e^(t T) f^(1 - t). *)
Theorem K247_heights f T t : 0 < f -> f * exp (t * (T - ln f)) = exp (t * T) * Rpower f (1 - t).
Proof. intros F. unfold Rpower. rewrite <- (exp_ln f F) at 1. rewrite <- !exp_plus. f_equal. ring. Qed.
(* h(e^x) is the mean of (1 - e^(x - l))+ under p. *)
Theorem K247_chernoff p loss k x : (forall y, 0 <= p y) -> 0 <= k -> ok (fun y => p y * Rmax (1 - exp (x - loss y)) 0) -> ok (fun y => p y * exp (k * loss y)) ->
  mean (fun y => p y * Rmax (1 - exp (x - loss y)) 0) <= exp (- k * x) * mean (fun y => p y * exp (k * loss y)).
Proof.
intros P K A B. destruct (mean_scal (exp (- k * x)) _ B) as [B' <-]. apply mean_le; trivial. intros y.
replace (exp (- k * x) * (p y * exp (k * loss y))) with (p y * (exp (- k * x) * exp (k * loss y))) by ring.
apply Rmult_le_compat_l; [ apply P | ]. rewrite <- exp_plus. replace (- k * x + k * loss y) with (k * (loss y - x)) by ring.
apply Rmax_lub; [ | left; apply exp_pos ]. destruct (Rle_or_lt (loss y) x) as [N|M].
- assert (1 <= exp (x - loss y)) by (rewrite <- exp_0; destruct N as [N| ->]; [ left; apply exp_increasing; lra | rewrite Rminus_diag_eq by reflexivity; lra ]).
  generalize (exp_pos (k * (loss y - x))). lra.
- assert (0 <= k * (loss y - x)) by (apply Rmult_le_pos; lra). generalize (exp_ineq1_le (k * (loss y - x))) (exp_pos (x - loss y)). lra.
Qed.
Theorem K247_excess p q e : 0 < p -> 0 < q -> Rmax (p - exp e * q) 0 = p * Rmax (1 - exp (e - ln (p / q))) 0.
Proof.
intros P Q. replace (exp e * q) with (p * exp (e - ln (p / q))).
- replace (p - p * exp (e - ln (p / q))) with (p * (1 - exp (e - ln (p / q)))) by ring. rewrite <- (Rmult_0_r p) at 1. now rewrite RmaxRmult by lra.
- unfold Rminus. rewrite exp_plus, exp_Ropp, exp_ln by (now apply Rdiv_lt_0_compat). field. lra.
Qed.

(* Hoelder: k D_(k+1) = log E e^(k l) is convex in k. *)
Lemma exp_convex u v s : 0 <= s <= 1 -> exp ((1 - s) * u + s * v) <= (1 - s) * exp u + s * exp v.
Proof.
intros S. set (m := (1 - s) * u + s * v). assert (A := exp_ineq1_le (u - m)). assert (B := exp_ineq1_le (v - m)).
replace (exp u) with (exp m * exp (u - m)) by (rewrite <- exp_plus; f_equal; ring). replace (exp v) with (exp m * exp (v - m)) by (rewrite <- exp_plus; f_equal; ring).
assert ((1 - s) * (1 + (u - m)) <= (1 - s) * exp (u - m)) by (apply Rmult_le_compat_l; lra).
assert (s * (1 + (v - m)) <= s * exp (v - m)) by (apply Rmult_le_compat_l; lra).
replace ((1 - s) * (exp m * exp (u - m)) + s * (exp m * exp (v - m))) with (exp m * ((1 - s) * exp (u - m) + s * exp (v - m))) by ring.
rewrite <- (Rmult_1_r (exp m)) at 1. apply Rmult_le_compat_l; [ left; apply exp_pos | ].
assert ((1 - s) * (1 + (u - m)) + s * (1 + (v - m)) = 1) by (unfold m; ring). lra.
Qed.
Theorem K246_convex p loss a b s : (forall x, 0 <= p x) -> 0 <= s <= 1 ->
  (forall k, a <= k <= b \/ b <= k <= a -> ok (fun x => p x * exp (k * loss x)) /\ 0 < mean (fun x => p x * exp (k * loss x))) ->
  let psi k := ln (mean (fun x => p x * exp (k * loss x))) in psi ((1 - s) * a + s * b) <= (1 - s) * psi a + s * psi b.
Proof.
intros P S H psi. set (c := (1 - s) * a + s * b).
assert (C : a <= c <= b \/ b <= c <= a).
{ unfold c. destruct (Rle_dec a b); [ left | right ]; split.
  - assert (0 <= s * (b - a)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (1 - s) * (b - a)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (1 - s) * (a - b)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= s * (a - b)) by (apply Rmult_le_pos; lra). lra. }
destruct (H a ltac:(lra)) as [A A0]. destruct (H b ltac:(lra)) as [B B0]. destruct (H c C) as [D D0].
assert (One : (1 - s) * exp (- psi a) * mean (fun x => p x * exp (a * loss x)) + s * exp (- psi b) * mean (fun x => p x * exp (b * loss x)) = 1)
  by (unfold psi; rewrite !exp_Ropp, !exp_ln by assumption; field; lra).
assert (L : mean (fun x => p x * exp (c * loss x)) <= exp ((1 - s) * psi a + s * psi b) *
  ((1 - s) * exp (- psi a) * mean (fun x => p x * exp (a * loss x)) + s * exp (- psi b) * mean (fun x => p x * exp (b * loss x)))).
{ rewrite Rmult_plus_distr_l, <- !Rmult_assoc. apply mean_below; trivial. intros x.
  assert (E := exp_convex (a * loss x - psi a) (b * loss x - psi b) s S).
  replace ((1 - s) * (a * loss x - psi a) + s * (b * loss x - psi b)) with (c * loss x + - ((1 - s) * psi a + s * psi b)) in E by (unfold c; ring).
  change (a * loss x - psi a) with (a * loss x + - psi a) in E. change (b * loss x - psi b) with (b * loss x + - psi b) in E.
  rewrite !exp_plus, (exp_Ropp ((1 - s) * psi a + s * psi b)) in E.
  set (m := exp ((1 - s) * psi a + s * psi b)) in *. assert (M : 0 < m) by apply exp_pos.
  apply Rle_trans with (p x * m * ((1 - s) * (exp (a * loss x) * exp (- psi a)) + s * (exp (b * loss x) * exp (- psi b)))); [ | right; ring ].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [ apply P | ]. apply Rmult_le_reg_r with (/ m); [ now apply Rinv_0_lt_compat | ].
  apply Rle_trans with (1 := E). right. field. lra. }
rewrite One, Rmult_1_r in L. unfold psi at 1. fold c. rewrite <- (ln_exp ((1 - s) * psi a + s * psi b)). now apply ln_le.
Qed.

(* ---- variances of what lies in an interval: second derivatives of special functions ---- *)
Definition variance (weight t : Points -> R) (m : R) (x : Points) : R := weight x * (t x - m) ^ 2.
Theorem K258_variance weight t m : (forall x, 0 <= weight x) -> (forall x, 0 <= t x <= 1) -> ok weight -> mean weight = 1 ->
  ok (fun x => weight x * t x) -> mean (fun x => weight x * t x) = m -> ok (variance weight t m) -> 0 <= mean (variance weight t m) <= 1 / 4.
Proof.
intros W T A M B E V. split.
- destruct (mean_scal 0 _ A) as [Z Y]. replace 0 with (mean (fun x => 0 * weight x)) by (rewrite Y; ring).
  apply mean_le; trivial. intros x. unfold variance. rewrite Rmult_0_l. apply Rmult_le_pos; [ apply W | apply pow2_ge_0 ].
- apply Rle_trans with ((1 - 2 * m) * mean (fun x => weight x * t x) + m ^ 2 * mean weight).
  + apply mean_below; trivial. intros x. unfold variance. specialize (T x). specialize (W x).
    assert (0 <= weight x * (t x * (1 - t x))) by (apply Rmult_le_pos; [ exact W | apply Rmult_le_pos; lra ]). lra.
  + rewrite M, E. generalize (pow2_ge_0 (m - 1 / 2)). lra.
Qed.
Theorem K256_variance weight t m : (forall x, 0 <= weight x) -> (forall x, -1 <= t x <= 1) -> ok weight -> mean weight = 1 ->
  ok (fun x => weight x * t x) -> mean (fun x => weight x * t x) = m -> ok (variance weight t m) -> 0 <= mean (variance weight t m) <= 1.
Proof.
intros W T A M B E V. split.
- destruct (mean_scal 0 _ A) as [Z Y]. replace 0 with (mean (fun x => 0 * weight x)) by (rewrite Y; ring).
  apply mean_le; trivial. intros x. unfold variance. rewrite Rmult_0_l. apply Rmult_le_pos; [ apply W | apply pow2_ge_0 ].
- apply Rle_trans with ((- 2 * m) * mean (fun x => weight x * t x) + (1 + m ^ 2) * mean weight).
  + apply mean_below; trivial. intros x. unfold variance. specialize (T x). specialize (W x).
    assert (0 <= weight x * ((1 + t x) * (1 - t x))) by (apply Rmult_le_pos; [ exact W | apply Rmult_le_pos; lra ]). lra.
  + rewrite M, E. generalize (pow2_ge_0 m). lra.
Qed.
End Laws.

(* ---- the cap beyond a sphere about u ---- *)
Lemma shifted_square d x u : norm d (minus x u) ^ 2 = norm d x ^ 2 + norm d u ^ 2 - 2 * dot d x u.
Proof.
simpl. rewrite !Rmult_1_r, !norm_sqr. unfold dot. rewrite <- sum_plus, <- sum_scal.
replace (sum d (fun i => x i * x i + u i * u i) - sum d (fun i => 2 * (x i * u i))) with
  (sum d (fun i => x i * x i + u i * u i) + -1 * sum d (fun i => 2 * (x i * u i))) by ring.
rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros i. unfold minus. ring.
Qed.
(* |x - u| > B where the cosine of the angle of x and u is below (rho^2 + s^2 - B^2)/(2 rho s), rho = |x|, s = |u|; *)
Theorem K244_cap d x u B : 0 <= B -> 0 < norm d x -> 0 < norm d u ->
  (B < norm d (minus x u) <-> dot d x u / (norm d x * norm d u) < (norm d x ^ 2 + norm d u ^ 2 - B ^ 2) / (2 * norm d x * norm d u)).
Proof.
intros Z X U. assert (P : 0 < norm d x * norm d u) by (now apply Rmult_lt_0_compat). assert (S := shifted_square d x u).
assert (Q : forall c, c / (2 * norm d x * norm d u) = c / 2 / (norm d x * norm d u)) by (intros c; field; lra).
rewrite Q. assert (N := norm_pos d (minus x u)).
assert (E : B < norm d (minus x u) <-> B ^ 2 < norm d (minus x u) ^ 2).
{ split; [ intros; assert (B * B < norm d (minus x u) * norm d (minus x u)) by (apply Rmult_le_0_lt_compat; lra); lra | ].
  intros H. apply Rnot_le_lt. intros L. assert (norm d (minus x u) ^ 2 <= B ^ 2) by (apply pow_incr; lra). lra. }
rewrite E. split; intros H.
- apply Rmult_lt_compat_r; [ now apply Rinv_0_lt_compat | lra ].
- apply Rmult_lt_reg_r in H; [ lra | now apply Rinv_0_lt_compat ].
Qed.
(* and everywhere where |x| < s - B. *)
Theorem K244_whole d x u B : norm d x < norm d u - B -> B < norm d (minus x u).
Proof. intros H. generalize (norm_triangle d u x). rewrite (norm_sym d u x). lra. Qed.
