(* Rules that refute or show f integrable where f may vanish or have a pole: f that is 0, or tends to oo, within reach of where it
   does not (K41, K98), that rises (K44), that comes near 0 far out (K190); integrals at the ends and at a pole (K48, K96, K97). *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus limits.
Import ListNotations.
Open Scope R_scope.

(* ---- radii within reach of one another by steps of at most delta; nothing is said of f at those that are missing ---- *)
Definition fills_nothing (missing : R -> Prop) := forall u v, u < v -> exists t, u < t < v /\ ~ missing t.
Definition private (f : R -> R) (missing : R -> Prop) delta eps := forall s t, 0 < s -> 0 < t -> Rabs (s - t) <= delta -> ~ missing s -> ~ missing t -> f s <= exp eps * f t.
Lemma steps_to (f : R -> R) missing delta eps x y far : 0 < delta -> 0 <= eps -> fills_nothing missing -> private f missing delta eps ->
  Rabs (y - x) <= far -> exists k : nat, forall x' y', 0 < x' -> 0 < y' -> ~ missing x' -> ~ missing y' -> Rabs (y' - x') <= far -> 0 < f x' -> f x' <= exp (INR (S k) * eps) * f y'.
Proof.
intros D E M P F. destruct (beyond (2 * far / delta)) as [k K]. exists k. intros x' y' X Y NX NY N Px.
apply (chain f missing delta eps x' D E X NX Px M P k y' Y NY). rewrite S_INR. apply Rle_trans with (1 := N).
apply Rmult_le_reg_r with (2 / delta); [ apply Rdiv_lt_0_compat; lra | ].
replace ((INR k + 1) * (delta / 2) * (2 / delta)) with (INR k + 1) by (field; lra). replace (far * (2 / delta)) with (2 * far / delta) by (field; lra). lra.
Qed.
(* f is 0 on an open box and positive on another. *)
Theorem K41_no_epsilon (f : R -> R) missing delta eps a b a' b' : 0 < delta -> 0 <= eps -> fills_nothing missing -> 0 < a < b -> 0 < a' < b' ->
  (forall r, a < r < b -> ~ missing r -> f r = 0) -> (forall r, a' < r < b' -> ~ missing r -> 0 < f r) -> ~ private f missing delta eps.
Proof.
intros D E M A A' Z P H. destruct (M a b ltac:(lra)) as [y [Y NY]]. destruct (M a' b' ltac:(lra)) as [x [X NX]].
destruct (steps_to f missing delta eps x y (Rabs (y - x)) D E M H (Rle_refl _)) as [k K]. specialize (P x X NX).
specialize (K x y ltac:(lra) ltac:(lra) NX NY (Rle_refl _) P). rewrite (Z y Y NY), Rmult_0_r in K. lra.
Qed.
(* f exceeds every number on open sets of radii as near to c as one likes, and is bounded on a box. *)
Theorem K98_no_epsilon (f : R -> R) missing delta eps c a b most : 0 < delta -> 0 <= eps -> fills_nothing missing -> 0 < c -> 0 < a < b ->
  (forall r, a < r < b -> ~ missing r -> f r <= most) ->
  (forall K, exists u v, c / 2 < u < v /\ v < c + 1 /\ forall r, u < r < v -> ~ missing r -> K < f r) -> ~ private f missing delta eps.
Proof.
intros D E M C A B Pole H. destruct (M a b ltac:(lra)) as [y [Y NY]]. set (far := Rabs (y - c) + (c + 1)).
destruct (steps_to f missing delta eps c y far D E M H) as [k K]; [ unfold far; generalize (Rabs_pos (y - c)); lra | ].
destruct (Pole (Rmax 0 (exp (INR (S k) * eps) * most))) as [u [v [U [V G]]]]. destruct (M u v ltac:(lra)) as [x [X NX]]. specialize (G x X NX).
assert (G0 := Rmax_l 0 (exp (INR (S k) * eps) * most)). assert (G1 := Rmax_r 0 (exp (INR (S k) * eps) * most)).
assert (N : Rabs (y - x) <= far).
{ unfold far. replace (y - x) with ((y - c) + (c - x)) by ring. apply Rle_trans with (1 := Rabs_triang _ _). assert (Rabs (c - x) <= c + 1) by (apply Rabs_le; lra). lra. }
specialize (K x y ltac:(lra) ltac:(lra) NX NY N ltac:(lra)). assert (exp (INR (S k) * eps) * f y <= exp (INR (S k) * eps) * most).
{ apply Rmult_le_compat_l; [ left; apply exp_pos | now apply B ]. }
lra.
Qed.
(* Just after a radius f is below A, and above that just before a larger one: no function that equals f but at missing radii falls. *)
Theorem K44_rises (f F : R -> R) missing a b e A : fills_nothing missing -> 0 < e -> a + e < b - e -> (forall r, ~ missing r -> F r = f r) ->
  (forall r, a < r < a + e -> ~ missing r -> f r < A) -> (forall r, b - e < r < b -> ~ missing r -> A < f r) -> ~ (forall x y, x <= y -> F y <= F x).
Proof.
intros M E L S Low High H. destruct (M a (a + e) ltac:(lra)) as [x [X NX]]. destruct (M (b - e) b ltac:(lra)) as [y [Y NY]].
specialize (Low x X NX). specialize (High y Y NY). rewrite <- S in Low, High by assumption. specialize (H x y ltac:(lra)). lra.
Qed.

(* ---- integrals at the ends: f at most C r^-n ---- *)
Lemma scaled (f : R -> R) a b k (l : R) : is_RInt f a b l -> is_RInt (fun x => k * f x) a b (k * l).
Proof. exact (is_RInt_scal (V := R_NormedModule) f a b k l). Qed.
Lemma power_integral q u v : 0 < u <= v -> q <> 0 -> is_RInt (fun r => Rpower r (q - 1)) u v (Rpower v q / q - Rpower u q / q).
Proof.
intros U Q. change (Rpower v q / q - Rpower u q / q) with (minus (Rpower v q / q) (Rpower u q / q)).
apply (is_RInt_derive (fun r => Rpower r q / q)); intros r; rewrite Rmin_left, Rmax_right by lra; intros X.
- unfold Rpower. auto_derive; [ lra | ]. replace (q * ln r) with ((q - 1) * ln r + ln r) by ring. rewrite exp_plus, exp_ln by lra. field. split; lra.
- apply (ex_derive_continuous (fun r => Rpower r (q - 1))). unfold Rpower. auto_derive. lra.
Qed.
Lemma at_most_power (w : R -> R) q C u v : 0 < u <= v -> q <> 0 -> ex_RInt w u v -> (forall r, u < r < v -> w r <= C * Rpower r (q - 1)) ->
  RInt w u v <= C * (Rpower v q / q - Rpower u q / q).
Proof.
intros U Q E B. assert (I := power_integral q u v U Q). rewrite <- (is_RInt_unique _ _ _ _ (scaled _ u v C _ I)).
apply RInt_le; [ lra | exact E | eexists; exact (scaled _ u v C _ I) | exact B ].
Qed.
(* In the tail, n > d, *)
Theorem K48_tail (f : R -> R) d n C R0 x : 0 < R0 <= x -> d < n -> 0 <= C -> ex_RInt (fun r => Rpower r (d - 1) * f r) R0 x ->
  (forall r, R0 < r < x -> 0 <= f r <= C * Rpower r (- n)) -> 0 <= RInt (fun r => Rpower r (d - 1) * f r) R0 x <= C * (Rpower R0 (d - n) / (n - d)).
Proof.
intros U N C0 E B. split; [ apply RInt_ge_0; [ lra | exact E | intros r X; apply Rmult_le_pos; [ left; apply exp_pos | now apply B ] ] | ].
apply Rle_trans with (C * (Rpower x (d - n) / (d - n) - Rpower R0 (d - n) / (d - n))).
- apply at_most_power; [ exact U | lra | exact E | ]. intros r X. replace (d - n - 1) with ((d - 1) + - n) by ring. rewrite Rpower_plus.
  replace (C * (Rpower r (d - 1) * Rpower r (- n))) with (Rpower r (d - 1) * (C * Rpower r (- n))) by ring. apply Rmult_le_compat_l; [ left; apply exp_pos | now apply B ].
- apply Rmult_le_compat_l; [ exact C0 | ]. assert (P : 0 < Rpower x (d - n)) by apply exp_pos. assert (I : 0 < / (n - d)) by (apply Rinv_0_lt_compat; lra).
  replace (Rpower x (d - n) / (d - n)) with (- (Rpower x (d - n) * / (n - d))) by (field; lra). replace (Rpower R0 (d - n) / (d - n)) with (- (Rpower R0 (d - n) / (n - d))) by (field; lra).
  assert (0 < Rpower x (d - n) * / (n - d)) by now apply Rmult_lt_0_compat. lra.
Qed.
(* and at the centre, n < d. *)
Theorem K96_centre (f : R -> R) d n C r0 u : 0 < u <= r0 -> n < d -> 0 <= C -> ex_RInt (fun r => Rpower r (d - 1) * f r) u r0 ->
  (forall r, u < r < r0 -> 0 <= f r <= C * Rpower r (- n)) -> 0 <= RInt (fun r => Rpower r (d - 1) * f r) u r0 <= C * (Rpower r0 (d - n) / (d - n)).
Proof.
intros U N C0 E B. split; [ apply RInt_ge_0; [ lra | exact E | intros r X; apply Rmult_le_pos; [ left; apply exp_pos | now apply B ] ] | ].
apply Rle_trans with (C * (Rpower r0 (d - n) / (d - n) - Rpower u (d - n) / (d - n))).
- apply at_most_power; [ exact U | lra | exact E | ]. intros r X. replace (d - n - 1) with ((d - 1) + - n) by ring. rewrite Rpower_plus.
  replace (C * (Rpower r (d - 1) * Rpower r (- n))) with (Rpower r (d - 1) * (C * Rpower r (- n))) by ring. apply Rmult_le_compat_l; [ left; apply exp_pos | now apply B ].
- apply Rmult_le_compat_l; [ exact C0 | ]. assert (0 < Rpower u (d - n) / (d - n)) by (apply Rdiv_lt_0_compat; [ apply exp_pos | lra ]). lra.
Qed.

(* ---- a pole |g|^p h at a zero c of g ---- *)
(* f is at least a multiple of |r - c|^p; *)
Theorem K97_height g h p low M : p < 0 -> 0 < low <= h -> 0 < M -> forall dist, 0 < dist -> 0 < g <= M * dist -> low * Rpower M p * Rpower dist p <= Rpower g p * h.
Proof.
intros P L M0 dist D G. assert (K : Rpower (M * dist) p <= Rpower g p).
{ unfold Rpower. assert (N : ln g <= ln (M * dist)) by (destruct (proj2 G) as [Q| ->]; [ left; apply ln_increasing; lra | lra ]).
  assert (W : p * ln (M * dist) <= p * ln g) by (apply Rmult_le_compat_neg_l; lra). destruct W as [W| ->]; [ left; now apply exp_increasing | lra ]. }
rewrite <- Rpower_mult_distr in K by assumption. replace (low * Rpower M p * Rpower dist p) with (Rpower M p * Rpower dist p * low) by ring.
apply Rmult_le_compat; [ apply Rmult_le_pos; left; apply exp_pos | lra | exact K | lra ].
Qed.
(* for p <= -1 its integral is infinite on either side of c: w is r^(d-1) f, at the distance t from c. *)
Theorem K97_infinite (w : R -> R) p C b : p <= -1 -> 0 < C -> 0 < b -> (forall t, 0 < t < b -> C * Rpower t p <= w t) -> (forall u, 0 < u <= b -> ex_RInt w u b) ->
  forall K, exists u, 0 < u <= b /\ K < RInt w u b.
Proof.
intros P C0 B H E K. set (b' := Rmin b 1). assert (B' : 0 < b' <= b /\ b' <= 1) by (unfold b', Rmin; destruct Rle_dec; lra).
assert (Low : forall u, 0 < u <= b' -> C * (ln b' - ln u) <= RInt w u b').
{ intros u U. assert (I : is_RInt (fun t => / t) u b' (ln b' - ln u)).
  { change (ln b' - ln u) with (minus (ln b') (ln u)). apply (is_RInt_derive ln); intros t; rewrite Rmin_left, Rmax_right by lra; intros T.
    - apply is_derive_ln. lra.
    - apply (ex_derive_continuous Rinv). auto_derive. lra. }
  rewrite <- (is_RInt_unique _ _ _ _ (scaled _ u b' C _ I)).
  apply RInt_le; [ lra | eexists; exact (scaled _ u b' C _ I) | | ].
  - apply (ex_RInt_Chasles_1 w u b' b); [ lra | apply E; lra ].
  - intros t T. apply Rle_trans with (2 := H t ltac:(lra)). apply Rmult_le_compat_l; [ lra | ].
    rewrite <- (exp_ln (/ t)) by (apply Rinv_0_lt_compat; lra). rewrite ln_Rinv by lra. unfold Rpower.
    assert (L : ln t <= 0) by (rewrite <- ln_1; left; apply ln_increasing; lra). assert (W : -1 * ln t <= p * ln t) by (rewrite (Rmult_comm (-1)), (Rmult_comm p); apply Rmult_le_compat_neg_l; lra).
    replace (- ln t) with (-1 * ln t) by ring. destruct W as [W| ->]; [ left; now apply exp_increasing | lra ]. }
set (rest := RInt w b' b). assert (R0 : 0 <= rest).
{ apply RInt_ge_0; [ lra | apply E; lra | ]. intros t T. apply Rle_trans with (2 := H t ltac:(lra)). apply Rmult_le_pos; [ lra | left; apply exp_pos ]. }
set (u := b' * exp (- ((Rabs K + 1) / C))). assert (U : 0 < u <= b').
{ unfold u. split; [ apply Rmult_lt_0_compat; [ lra | apply exp_pos ] | ]. rewrite <- (Rmult_1_r b') at 2. apply Rmult_le_compat_l; [ lra | ].
  apply Rle_trans with (exp 0); [ left; apply exp_increasing | rewrite exp_0; lra ].
  assert (0 < (Rabs K + 1) / C) by (apply Rdiv_lt_0_compat; [ generalize (Rabs_pos K); lra | exact C0 ]). lra. }
exists u. split; [ lra | ]. rewrite <- (RInt_Chasles w u b' b); [ | apply (ex_RInt_Chasles_1 w u b' b); [ lra | apply E; lra ] | apply E; lra ].
change (K < RInt w u b' + rest). specialize (Low u U). unfold u in Low at 1. rewrite ln_mult, ln_exp in Low by (lra || apply exp_pos).
replace (C * (ln b' - (ln b' + - ((Rabs K + 1) / C)))) with (Rabs K + 1) in Low by (field; lra). generalize (Rle_abs K). lra.
Qed.

(* ---- sums of waves |a| + a w that come near 0: terms (a, v) with the speed v, cosines at the phases theta ---- *)
Fixpoint swell (terms : list (R * R)) (phases : list R) : R := match terms, phases with (a, _) :: more, x :: phases => Rabs a + a * cos x + swell more phases | _, _ => 0 end.
Fixpoint lowest (terms : list (R * R)) (phases : list R) : Prop := match terms, phases with (a, _) :: more, x :: phases => a * cos x = - Rabs a /\ sin x = 0 /\ lowest more phases | [], [] => True | _, _ => False end.
Fixpoint moved (terms : list (R * R)) (s : R) (phases : list R) : list R := match terms, phases with (_, v) :: more, x :: phases => (x - v * s) :: moved more s phases | _, _ => [] end.
Fixpoint heights (terms : list (R * R)) (s : R) : R := match terms with [] => 0 | (a, v) :: more => Rabs a * (1 - cos (v * s)) + heights more s end.
Theorem K190_heights terms phases s : lowest terms phases -> swell terms phases = 0 /\ swell terms (moved terms s phases) = heights terms s.
Proof.
revert phases. induction terms as [|[a v] more IH]; intros [|x phases] L; simpl in *; try easy. destruct L as [A [S L]]. destruct (IH phases L) as [I J]. split; [ lra | ].
rewrite J, cos_minus, S. replace (a * (cos x * cos (v * s) + 0 * sin (v * s))) with (a * cos x * cos (v * s)) by ring. rewrite A. ring.
Qed.
Theorem K190_not_negative a x : 0 <= Rabs a + a * cos x.
Proof.
assert (B := COS_bound x). unfold Rabs. destruct Rcase_abs as [N|N].
- assert (a * 1 <= a * cos x) by (apply Rmult_le_compat_neg_l; lra). lra.
- assert (a * -1 <= a * cos x) by (apply Rmult_le_compat_l; lra). lra.
Qed.
(* u here is above L, and ahead as small as one likes; log h rises by at most C. *)
Theorem K190_loss p L C K : 0 < p -> 0 < L -> exists e, 0 < e /\ forall here ahead rise, L <= here -> 0 < ahead < e -> rise <= C -> K < p * (ln here - ln ahead) - rise.
Proof.
intros P L0. exists (L * exp (- ((Rabs (K + C) + 1) / p))). split; [ apply Rmult_lt_0_compat; [ exact L0 | apply exp_pos ] | ]. intros here ahead rise H A R.
assert (X : ln ahead < ln (L * exp (- ((Rabs (K + C) + 1) / p)))) by (apply ln_increasing; lra). rewrite ln_mult, ln_exp in X by (lra || apply exp_pos).
assert (Y : ln L <= ln here) by (destruct H as [H| ->]; [ left; now apply ln_increasing | lra ]).
assert (Z : (Rabs (K + C) + 1) / p < ln here - ln ahead) by lra. apply (Rmult_lt_compat_l p) in Z; [ | exact P ].
replace (p * ((Rabs (K + C) + 1) / p)) with (Rabs (K + C) + 1) in Z by (field; lra). generalize (Rle_abs (K + C)). lra.
Qed.
