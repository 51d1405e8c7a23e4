(* log(1 + e^t) as a factor of f: k(t) = log(log(1 + e^t)/e^t), its slope, and the slope of that. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus.
Open Scope R_scope.

Theorem K271_as_softplus v : 0 < v -> ln (1 + v) = ln (1 + exp (ln v)) /\ 0 < ln (1 + v).
Proof. intros V. rewrite exp_ln by exact V. split; [ reflexivity | ]. rewrite <- ln_1. apply ln_increasing; lra. Qed.

(* ---- log(1 + w) for w > 0 ---- *)
Lemma log_derive w : 0 <= w -> is_derive (fun w => ln (1 + w)) w (/ (1 + w)).
Proof. intros W. auto_derive; [ lra | ]. field. lra. Qed.
Lemma log_0 : ln (1 + 0) = 0. Proof. rewrite Rplus_0_r. apply ln_1. Qed.
(* A bound of log(1 + w) from that of the slopes. *)
Lemma log_above g dg w : 0 <= w -> g 0 = 0 -> (forall x, 0 <= x <= w -> is_derive g x (dg x)) ->
  (forall x, 0 <= x <= w -> / (1 + x) <= dg x) -> ln (1 + w) <= g w.
Proof.
intros W Z D P. assert (H := rises (fun x => g x - ln (1 + x)) (fun x => dg x - / (1 + x)) 0 w W).
cbv beta in H. rewrite log_0, Z in H. cut (0 - 0 <= g w - ln (1 + w)); [ lra | ]. apply H.
- intros x X. apply (is_derive_minus g (fun x => ln (1 + x))); [ now apply D | apply log_derive; lra ].
- intros x X. specialize (P x X). lra.
Qed.
Lemma log_below g dg w : 0 <= w -> g 0 = 0 -> (forall x, 0 <= x <= w -> is_derive g x (dg x)) ->
  (forall x, 0 <= x <= w -> dg x <= / (1 + x)) -> g w <= ln (1 + w).
Proof.
intros W Z D P. assert (H := rises (fun x => ln (1 + x) - g x) (fun x => / (1 + x) - dg x) 0 w W).
cbv beta in H. rewrite log_0, Z in H. cut (0 - 0 <= ln (1 + w) - g w); [ lra | ]. apply H.
- intros x X. apply (is_derive_minus (fun x => ln (1 + x)) g); [ apply log_derive; lra | now apply D ].
- intros x X. specialize (P x X). lra.
Qed.
Lemma over_1 x y : 0 <= x -> y * (1 + x) <= 1 -> y <= / (1 + x).
Proof. intros X H. apply Rmult_le_reg_r with (1 + x); [ lra | ]. rewrite Rinv_l by lra. exact H. Qed.
Lemma under_1 x y : 0 <= x -> 1 <= y * (1 + x) -> / (1 + x) <= y.
Proof. intros X H. apply Rmult_le_reg_r with (1 + x); [ lra | ]. rewrite Rinv_l by lra. exact H. Qed.

Lemma log_at_most w : 0 <= w -> ln (1 + w) <= w.
Proof. intros W. apply (log_above (fun x => x) (fun _ => 1)); trivial; [ intros; auto_derive; lra | intros; apply under_1; lra ]. Qed.
Lemma log_positive w : 0 < w -> 0 < ln (1 + w).
Proof. intros W. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma log_square w : 0 <= w -> w - w ^ 2 / 2 <= ln (1 + w).
Proof.
intros W. apply (log_below (fun x => x - x ^ 2 / 2) (fun x => 1 - x)); trivial; [ field | intros; auto_derive; trivial; field | ].
intros x X. apply over_1; [ lra | ]. generalize (pow2_ge_0 x). nra.
Qed.
Lemma log_cube w : 0 <= w -> ln (1 + w) <= w - w ^ 2 / 2 + w ^ 3 / 3.
Proof.
intros W. apply (log_above (fun x => x - x ^ 2 / 2 + x ^ 3 / 3) (fun x => 1 - x + x ^ 2)); trivial; [ field | intros; auto_derive; trivial; field | ].
intros x X. apply under_1; [ lra | ]. replace ((1 - x + x ^ 2) * (1 + x)) with (1 + x ^ 3) by ring. generalize (pow_le x 3). lra.
Qed.
(* w/(1 + w) < log(1 + w): the derivative of the difference is w/(1 + w)^2. *)
Lemma log_over w : 0 < w -> w / (1 + w) < ln (1 + w).
Proof.
intros W. assert (H := rises_strictly (fun x => ln (1 + x) - x / (1 + x)) (fun x => x / (1 + x) ^ 2) 0 w W). cbv beta in H.
rewrite log_0 in H. cut (0 - 0 / (1 + 0) < ln (1 + w) - w / (1 + w)); [ lra | ]. apply H.
- intros x X. auto_derive; [ lra | ]. field. lra.
- intros x X. apply Rdiv_lt_0_compat; [ lra | apply pow_lt; lra ].
Qed.
(* (1 + w) log(1 + w) between its expansions; its derivative is 1 + log(1 + w). *)
Lemma xlog_above w : 0 <= w -> (1 + w) * ln (1 + w) <= w + w ^ 2 / 2.
Proof.
intros W. cut (0 + 0 ^ 2 / 2 - (1 + 0) * ln (1 + 0) <= w + w ^ 2 / 2 - (1 + w) * ln (1 + w)); [ rewrite log_0; lra | ].
apply (rises (fun w => w + w ^ 2 / 2 - (1 + w) * ln (1 + w)) (fun w => w - ln (1 + w))); trivial.
- intros x X. auto_derive; [ lra | ]. field. lra.
- intros x X. generalize (log_at_most x). lra.
Qed.
Lemma xlog_below w : 0 <= w -> w + w ^ 2 / 2 - w ^ 3 / 6 <= (1 + w) * ln (1 + w).
Proof.
intros W. cut ((1 + 0) * ln (1 + 0) - (0 + 0 ^ 2 / 2 - 0 ^ 3 / 6) <= (1 + w) * ln (1 + w) - (w + w ^ 2 / 2 - w ^ 3 / 6)); [ rewrite log_0; lra | ].
apply (rises (fun w => (1 + w) * ln (1 + w) - (w + w ^ 2 / 2 - w ^ 3 / 6)) (fun w => ln (1 + w) - (w - w ^ 2 / 2))); trivial.
- intros x X. auto_derive; [ lra | ]. field. lra.
- intros x X. generalize (log_square x). lra.
Qed.

(* ---- k and its slopes ---- *)
Definition w (t : R) := exp t.
Definition k (t : R) := ln (ln (1 + w t) / w t).
Definition dk (t : R) := w t / ((1 + w t) * ln (1 + w t)) - 1.
(* l = 1 + k', and s = w/(1 + w). *)
Definition s (t : R) := w t / (1 + w t).
Definition l (t : R) := s t / ln (1 + w t).

Lemma w_pos t : 0 < w t. Proof. apply exp_pos. Qed.
Lemma l_dk t : l t = 1 + dk t.
Proof. unfold l, s, dk. assert (W := w_pos t). assert (H := log_positive _ W). field. lra. Qed.

Lemma k_derive t : is_derive k t (dk t).
Proof.
unfold k, dk. assert (W := w_pos t). assert (H := log_positive _ W). unfold w in *.
auto_derive; [ repeat split; try lra; apply Rdiv_lt_0_compat; lra | ]. field. lra.
Qed.
Theorem K275_bend t : is_derive dk t (l t * (1 - s t - l t)) /\ -1 <= l t * (1 - s t - l t) <= 0 /\ 1 - s t <= l t <= 1.
Proof.
assert (W := w_pos t). assert (H := log_positive _ W). split.
{ apply is_derive_ext with (fun t => l t - 1); [ intros x; change (l x - 1 = dk x); rewrite l_dk; ring | ].
  unfold l, s. unfold w in *. auto_derive; [ repeat split; lra | ]. field. lra. }
assert (L1 : l t <= 1).
{ unfold l. apply Rmult_le_reg_r with (ln (1 + w t)); [ exact H | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
  left. now apply log_over. }
assert (L0 : 1 - s t <= l t).
{ replace (1 - s t) with (/ (1 + w t)) by (unfold s; field; lra). unfold l, s.
  replace (w t / (1 + w t) / ln (1 + w t)) with (/ (1 + w t) * (w t / ln (1 + w t))) by (field; lra).
  rewrite <- (Rmult_1_r (/ (1 + w t))) at 1. apply Rmult_le_compat_l; [ left; apply Rinv_0_lt_compat; lra | ].
  apply Rmult_le_reg_r with (1 := H). unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
  apply log_at_most; lra. }
assert (S1 : s t < 1).
{ unfold s. apply Rmult_lt_reg_r with (1 + w t); [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
assert (0 < l t) by lra. split; [ | split; assumption ]. split.
- assert (0 <= l t * (l t - (1 - s t))) by (apply Rmult_le_pos; lra). assert (0 < s t) by (unfold s; apply Rdiv_lt_0_compat; lra).
  assert (l t * l t <= 1 * 1) by (apply Rmult_le_compat; lra). assert (0 <= l t * (1 - s t)) by (apply Rmult_le_pos; lra). lra.
- assert (0 <= l t * (l t - (1 - s t))) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma dk_negative t : dk t < 0.
Proof.
assert (W := w_pos t). assert (H := log_positive _ W). assert (O := log_over _ W). unfold dk.
replace (w t / ((1 + w t) * ln (1 + w t))) with (w t / (1 + w t) / ln (1 + w t)) by (field; lra).
cut (w t / (1 + w t) / ln (1 + w t) < 1); [ lra | ]. apply Rmult_lt_reg_r with (1 := H).
unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma falls_by f df t u : (forall x, is_derive f x (df x)) -> (forall x, df x <= 0) -> t <= u -> f u <= f t.
Proof.
intros D N L. cut (- f t <= - f u); [ lra | ]. apply (rises (fun x => - f x) (fun x => - df x)); trivial.
- intros x _. apply (is_derive_opp f). apply D.
- intros x _. specialize (N x). lra.
Qed.

Lemma small_log u : 0 <= u <= 1 / 2 -> - u - u ^ 2 <= ln (1 - u).
Proof.
intros U. cut (ln (1 - 0) + 0 + 0 ^ 2 <= ln (1 - u) + u + u ^ 2); [ rewrite Rminus_0_r, ln_1; lra | ].
apply (rises (fun u => ln (1 - u) + u + u ^ 2) (fun u => - / (1 - u) + 1 + 2 * u)); [ lra | | ].
- intros x X. auto_derive; [ lra | ]. field. lra.
- intros x X. replace (- / (1 - x) + 1 + 2 * x) with (x * (1 - 2 * x) / (1 - x)) by (field; lra).
  apply Rmult_le_pos; [ apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat; lra ].
Qed.
Lemma ln_at_most x : 0 < x -> ln x <= x - 1.
Proof. intros X. generalize (exp_ineq1_le (ln x)). rewrite exp_ln by exact X. lra. Qed.

Theorem K272_shortfall : (forall t u, t <= u -> k u <= k t) /\
  forall t, w t < 1 / 2 -> - w t / 2 - w t ^ 2 / 4 <= k t <= - w t / 2 + w t ^ 2 / 3.
Proof.
split; [ intros t u; apply (falls_by k dk); [ exact k_derive | intros x; left; apply dk_negative ] | ].
intros t S. assert (W := w_pos t). assert (H := log_positive _ W). unfold k.
assert (B : 1 - w t / 2 <= ln (1 + w t) / w t).
{ apply Rmult_le_reg_r with (1 := W). unfold Rdiv. rewrite (Rmult_assoc _ (/ w t)), Rinv_l, Rmult_1_r by lra. generalize (log_square (w t)). lra. }
assert (C : ln (1 + w t) / w t <= 1 - w t / 2 + w t ^ 2 / 3).
{ apply Rmult_le_reg_r with (1 := W). unfold Rdiv. rewrite (Rmult_assoc _ (/ w t)), Rinv_l, Rmult_1_r by lra. generalize (log_cube (w t)). lra. }
split.
- apply Rle_trans with (ln (1 - w t / 2)).
  + generalize (small_log (w t / 2)). lra.
  + apply ln_le; lra.
- apply Rle_trans with (1 := ln_at_most _ (Rdiv_lt_0_compat _ _ H W)). lra.
Qed.

Theorem K273_slope_of_shortfall : (forall t u, t <= u -> dk u <= dk t) /\
  forall t, w t < 1 / 2 -> - w t / 2 <= dk t <= - w t / 2 + w t ^ 2 / 2.
Proof.
split; [ intros t u; apply (falls_by dk (fun x => l x * (1 - s x - l x))); intros x; destruct (K275_bend x) as [D [B _]]; [ exact D | lra ] | ].
intros t S. assert (W := w_pos t). assert (H := log_positive _ W). set (x := w t) in *.
assert (P : 0 < (1 + x) * ln (1 + x)) by (apply Rmult_lt_0_compat; lra).
assert (A := xlog_above x ltac:(lra)). assert (B := xlog_below x ltac:(lra)). unfold dk. fold x.
split.
- cut (1 - x / 2 <= x / ((1 + x) * ln (1 + x))); [ lra | ]. apply Rmult_le_reg_r with (1 := P).
  replace (x / ((1 + x) * ln (1 + x)) * ((1 + x) * ln (1 + x))) with x by (field; lra).
  apply Rle_trans with ((1 - x / 2) * (x + x ^ 2 / 2)); [ apply Rmult_le_compat_l; lra | ].
  replace ((1 - x / 2) * (x + x ^ 2 / 2)) with (x - x ^ 3 / 4) by field. generalize (pow_lt x 3 W). lra.
- cut (x / ((1 + x) * ln (1 + x)) <= 1 - x / 2 + x ^ 2 / 2); [ lra | ]. apply Rmult_le_reg_r with (1 := P).
  replace (x / ((1 + x) * ln (1 + x)) * ((1 + x) * ln (1 + x))) with x by (field; lra).
  assert (0 <= x ^ 2) by apply pow2_ge_0.
  apply Rle_trans with ((1 - x / 2 + x ^ 2 / 2) * (x + x ^ 2 / 2 - x ^ 3 / 6)); [ | apply Rmult_le_compat_l; lra ].
  replace ((1 - x / 2 + x ^ 2 / 2) * (x + x ^ 2 / 2 - x ^ 3 / 6)) with (x + x ^ 3 * (1 / 12 + x / 3 - x ^ 2 / 12)) by field.
  assert (0 <= x ^ 3) by (apply pow_le; lra). assert (x ^ 2 <= 1 / 4) by nra.
  assert (0 <= x ^ 3 * (1 / 12 + x / 3 - x ^ 2 / 12)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* w e^(-w/2) <= log(1 + w): both vanish at 0; of the slopes e^(-w/2) (1 - w/2) <= 1/(1 + w). *)
Lemma log_exp x : 0 <= x -> x * exp (- x / 2) <= ln (1 + x).
Proof.
intros X. apply (log_below (fun x => x * exp (- x / 2)) (fun x => exp (- x / 2) * (1 - x / 2))); trivial; [ ring | intros; auto_derive; trivial; unfold Rdiv; ring | ].
intros y Y. apply over_1; [ lra | ].
assert (E := exp_ineq1_le (y / 2)). assert (P := exp_pos (- y / 2)).
assert (I : exp (- y / 2) * exp (y / 2) = 1) by (rewrite <- exp_plus; replace (- y / 2 + y / 2) with 0 by field; apply exp_0).
replace (exp (- y / 2) * (1 - y / 2) * (1 + y)) with (exp (- y / 2) * (1 + y / 2 - y ^ 2 / 2)) by field.
rewrite <- I. apply Rmult_le_compat_l; [ lra | ]. generalize (pow2_ge_0 y). lra.
Qed.
Theorem K274_far_out t : - w t / 2 <= k t <= 0 /\ - w t / 2 <= dk t <= 0.
Proof.
assert (W := w_pos t). assert (H := log_positive _ W). assert (Q : 0 < ln (1 + w t) / w t) by (now apply Rdiv_lt_0_compat). split; split.
- unfold k. rewrite <- (ln_exp (- w t / 2)) at 1. apply ln_le; [ apply exp_pos | ]. apply Rmult_le_reg_r with (1 := W).
  unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. generalize (log_exp (w t)). lra.
- unfold k. rewrite <- ln_1. apply ln_le; [ exact Q | ]. apply Rmult_le_reg_r with (1 := W).
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. generalize (log_at_most (w t)). lra.
- assert (A := xlog_above (w t) ltac:(lra)). set (x := w t) in *. unfold dk. fold x.
  assert (P : 0 < (1 + x) * ln (1 + x)) by (apply Rmult_lt_0_compat; lra).
  cut (1 - x / 2 <= x / ((1 + x) * ln (1 + x))); [ lra | ]. apply Rmult_le_reg_r with (1 := P).
  replace (x / ((1 + x) * ln (1 + x)) * ((1 + x) * ln (1 + x))) with x by (field; lra).
  destruct (Rle_or_lt (1 - x / 2) 0) as [N|N].
  + apply Rle_trans with 0; [ | lra ]. assert (0 <= - (1 - x / 2) * ((1 + x) * ln (1 + x))) by (apply Rmult_le_pos; lra). lra.
  + apply Rle_trans with ((1 - x / 2) * (x + x ^ 2 / 2)); [ apply Rmult_le_compat_l; lra | ].
    replace ((1 - x / 2) * (x + x ^ 2 / 2)) with (x - x ^ 3 / 4) by field. generalize (pow_lt x 3 W). lra.
- left. apply dk_negative.
Qed.

(* Along a power series: the slope of k by k itself, and that of e^-k. *)
Theorem K290_along t : dk t = / ((1 + w t) * exp (k t)) - 1 /\
  is_derive (fun t => exp (- k t)) t (- dk t * exp (- k t)).
Proof.
assert (W := w_pos t). assert (L := log_positive (w t) W).
split.
- unfold dk, k. rewrite exp_ln by (apply Rdiv_lt_0_compat; lra). field. lra.
- auto_derive; [ exists (dk t); apply k_derive | ].
  assert (E : Derive k t = dk t) by (apply is_derive_unique, k_derive).
  change (Derive (fun x => k x) t) with (Derive k t). rewrite E. ring.
Qed.
