(* Second derivatives of special functions, from the equations that their first derivatives solve. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus.
Open Scope R_scope.

(* W' = 1/(x + e^W). *)
Theorem K252_lambert W x : 0 < x + exp (W x) -> is_derive W x (/ (x + exp (W x))) ->
  is_derive (fun x => / (x + exp (W x))) x (- (/ (x + exp (W x))) ^ 2 * (1 + exp (W x) * / (x + exp (W x)))).
Proof.
intros P D. assert (E : ex_derive W x) by (eexists; exact D). auto_derive; [ repeat split; trivial; lra | ].
replace (Derive (fun x => W x) x) with (/ (x + exp (W x))) by (symmetry; now apply is_derive_unique). field. lra.
Qed.

(* w'' = w + (2p - 1) w'/x for w = x^p K_p; v = w'/w. *)
Theorem K254_bessel w dw p x : 0 < x -> w x <> 0 -> is_derive w x (dw x) -> is_derive dw x (w x + (2 * p - 1) * dw x / x) ->
  is_derive (fun x => dw x / w x) x (1 - dw x / w x * ((1 - 2 * p) / x + dw x / w x)).
Proof.
intros X N D DD. replace (1 - dw x / w x * ((1 - 2 * p) / x + dw x / w x)) with (((w x + (2 * p - 1) * dw x / x) * w x - dw x * dw x) / w x ^ 2) by (field; lra).
now apply is_derive_div.
Qed.
(* s = D/P or s = -D/Q, where log D has the slope (a - 1)/x - 1, P' = D and Q' = -D. *)
Theorem K255_gamma D P a x : 0 < x -> P x <> 0 -> is_derive P x (D x) -> is_derive D x (D x * ((a - 1) / x - 1)) ->
  is_derive (fun x => D x / P x) x (D x / P x * ((a - 1) / x - 1 - D x / P x)).
Proof.
intros X N DP DD. replace (D x / P x * ((a - 1) / x - 1 - D x / P x)) with ((D x * ((a - 1) / x - 1) * P x - D x * D x) / P x ^ 2) by (field; lra).
now apply is_derive_div.
Qed.
Theorem K255_complement D Q a x : 0 < x -> Q x <> 0 -> is_derive Q x (- D x) -> is_derive D x (D x * ((a - 1) / x - 1)) ->
  is_derive (fun x => - D x / Q x) x (- D x / Q x * ((a - 1) / x - 1 - - D x / Q x)).
Proof.
intros X N DQ DD. replace (- D x / Q x * ((a - 1) / x - 1 - - D x / Q x)) with ((- (D x * ((a - 1) / x - 1)) * Q x - (- D x) * (- D x)) / Q x ^ 2) by (field; lra).
apply (is_derive_div (fun x => - D x) Q); trivial. now apply (is_derive_opp D).
Qed.
(* B'' = B - (2p + 1) B'/x for B = x^-p I_p; v = B'/B. *)
Theorem K256_bessel B dB p x : 0 < x -> B x <> 0 -> is_derive B x (dB x) -> is_derive dB x (B x - (2 * p + 1) * dB x / x) ->
  is_derive (fun x => dB x / B x) x (1 - (dB x / B x) ^ 2 - (2 * p + 1) * (dB x / B x) / x).
Proof.
intros X N D DD. replace (1 - (dB x / B x) ^ 2 - (2 * p + 1) * (dB x / B x) / x) with (((B x - (2 * p + 1) * dB x / x) * B x - dB x * dB x) / B x ^ 2) by (field; lra).
now apply is_derive_div.
Qed.

(* ---- log erfc: E' = -c e^(-x^2), E is positive and tends to 0 ---- *)
Section Erfc.
Variables (E : R -> R) (c : R).
Definition bell (x : R) := c * exp (- x ^ 2).
Hypotheses (c0 : 0 < c) (E0 : forall x, 0 < E x) (E_derive : forall x, is_derive E x (- bell x)) (E_limit : is_lim E p_infty 0).
Definition hazard (x : R) := bell x / E x.

Lemma bell_pos x : 0 < bell x.
Proof. apply Rmult_lt_0_compat; [ exact c0 | apply exp_pos ]. Qed.
Lemma bell_most x : bell x <= c.
Proof.
unfold bell. rewrite <- (Rmult_1_r c) at 2. apply Rmult_le_compat_l; [ lra | ]. rewrite <- exp_0.
destruct (pow2_ge_0 x) as [P|<-]; [ left; apply exp_increasing; lra | rewrite Ropp_0; lra ].
Qed.
Lemma bell_derive x : is_derive bell x (- 2 * x * bell x).
Proof. unfold bell. auto_derive; trivial. simpl. ring. Qed.
(* A function that falls, and comes above every negative number far out, is positive. *)
Lemma falls_to_0 f df a : (forall x, a <= x -> is_derive f x (df x)) -> (forall x, a <= x -> df x < 0) ->
  (forall e, 0 < e -> exists y, a + 1 < y /\ - e < f y) -> 0 < f a.
Proof.
intros D N F. assert (G : forall x y, a <= x -> x < y -> f y < f x).
{ intros x y X L. cut (- f x < - f y); [ lra | ]. apply (rises_strictly (fun x => - f x) (fun x => - df x)); trivial.
  - intros z Z. apply (is_derive_opp f). apply D. lra.
  - intros z Z. specialize (N z ltac:(lra)). lra. }
apply Rle_lt_trans with (f (a + 1)); [ | apply G; lra ]. apply Rnot_lt_le. intros C.
destruct (F (- f (a + 1)) ltac:(lra)) as [y [Y B]]. specialize (G (a + 1) y ltac:(lra) Y). lra.
Qed.

(* h > 2x: of c e^(-x^2)/(2x) - E the slope is negative. *)
Lemma hazard_above x : 2 * x < hazard x.
Proof.
assert (B := bell_pos x). assert (P := E0 x). unfold hazard. destruct (Rle_or_lt x 0) as [N|X].
{ assert (0 < bell x / E x) by (now apply Rdiv_lt_0_compat). lra. }
assert (G : 0 < bell x / (2 * x) - E x).
{ apply (falls_to_0 (fun x => bell x / (2 * x) - E x) (fun x => - (bell x / (2 * x ^ 2)))).
  - intros y Y. replace (- (bell y / (2 * y ^ 2))) with ((- 2 * y * bell y * (2 * y) - bell y * 2) / (2 * y) ^ 2 - - bell y) by (field; lra).
    apply (is_derive_minus (fun x => bell x / (2 * x)) E); [ | apply E_derive ].
    apply (is_derive_div bell (fun x => 2 * x)); [ apply bell_derive | auto_derive; [ trivial | ring ] | lra ].
  - intros y Y. assert (0 < bell y / (2 * y ^ 2)); [ | lra ]. apply Rdiv_lt_0_compat; [ apply bell_pos | ]. assert (0 < y ^ 2) by (apply pow_lt; lra). lra.
  - intros e Z. destruct (E_limit (fun y => y < e)) as [M H].
    { exists (mkposreal e Z). intros y Y. unfold ball in Y; simpl in Y; unfold AbsRing_ball, abs, minus, plus, opp in Y; simpl in Y. unfold Rabs in Y. destruct Rcase_abs; lra. }
    exists (Rmax (x + 1) M + 1). generalize (Rmax_l (x + 1) M) (Rmax_r (x + 1) M). intros. split; [ lra | ].
    set (y := Rmax (x + 1) M + 1) in *. assert (Y : x + 1 < y /\ M < y) by (unfold y; lra). specialize (H y ltac:(lra)). assert (0 < bell y / (2 * y)) by (apply Rdiv_lt_0_compat; [ apply bell_pos | lra ]). lra. }
apply Rmult_lt_reg_r with (E x / (2 * x)); [ apply Rdiv_lt_0_compat; lra | ].
replace (2 * x * (E x / (2 * x))) with (E x) by (field; lra). replace (bell x / E x * (E x / (2 * x))) with (bell x / (2 * x)) by (field; lra). lra.
Qed.
(* h < x + sqrt(x^2 + 2): of E - c e^(-x^2)/(x + sqrt(x^2 + 2)) the slope is negative. *)
Definition root (x : R) := sqrt (x ^ 2 + 2).
Lemma root_facts x : 0 < root x /\ root x * root x = x ^ 2 + 2 /\ 0 < x + root x /\ is_derive root x (x / root x).
Proof.
assert (P : 0 < x ^ 2 + 2) by (generalize (pow2_ge_0 x); lra). assert (R0 := sqrt_lt_R0 _ P).
assert (S : root x * root x = x ^ 2 + 2) by (apply sqrt_sqrt; lra). fold (root x) in R0. split; [ exact R0 | split; [ exact S | split ] ].
- destruct (Rle_or_lt 0 x) as [N|N]; [ lra | ]. apply Rnot_le_lt. intros C.
  assert (root x * root x <= - x * - x) by (apply Rmult_le_compat; lra). lra.
- unfold root in *. auto_derive; [ exact P | ]. replace (x * (x * 1) + 2) with (x ^ 2 + 2) by ring. field. lra.
Qed.
Lemma hazard_below x : hazard x < x + root x.
Proof.
assert (P := E0 x). destruct (root_facts x) as [R0 [S [U _]]].
assert (G : 0 < E x - bell x / (x + root x)).
{ apply (falls_to_0 (fun x => E x - bell x / (x + root x)) (fun x => - bell x * (x ^ 2 + 1 - x * root x) / ((x + root x) * root x))).
  - intros y _. destruct (root_facts y) as [Y0 [YS [YU YD]]].
    replace (- bell y * (y ^ 2 + 1 - y * root y) / ((y + root y) * root y)) with
      (- bell y - (- 2 * y * bell y * (y + root y) - bell y * (1 + y / root y)) / (y + root y) ^ 2).
    + apply (is_derive_minus E (fun x => bell x / (x + root x))); [ apply E_derive | ].
      apply (is_derive_div bell (fun x => x + root x)); [ apply bell_derive | | lra ].
      apply (is_derive_plus (fun x => x) root); [ apply (@is_derive_id R_AbsRing) | exact YD ].
    + assert (YS' : y ^ 2 = root y * root y - 2) by lra. rewrite YS'. field_simplify_eq; [ | lra ].
      replace (y ^ 2) with (root y * root y - 2). ring.
  - intros y _. destruct (root_facts y) as [Y0 [YS [YU _]]]. assert (B := bell_pos y).
    assert (Q : 0 < y ^ 2 + 1 - y * root y).
    { destruct (Rle_or_lt y 0) as [N|N].
      - assert (0 <= - y * root y) by (apply Rmult_le_pos; lra). generalize (pow2_ge_0 y). lra.
      - apply Rnot_le_lt. intros C. assert (D : (y ^ 2 + 1) * (y ^ 2 + 1) <= y * root y * (y * root y)) by (generalize (pow2_ge_0 y); intros; apply Rmult_le_compat; lra).
        replace (y * root y * (y * root y)) with (y ^ 2 * (root y * root y)) in D by ring. rewrite YS in D. lra. }
    replace (- bell y * (y ^ 2 + 1 - y * root y) / ((y + root y) * root y)) with (- (bell y * (y ^ 2 + 1 - y * root y) / ((y + root y) * root y))) by (field; lra).
    assert (0 < bell y * (y ^ 2 + 1 - y * root y) / ((y + root y) * root y)); [ | lra ]. apply Rdiv_lt_0_compat; apply Rmult_lt_0_compat; lra.
  - intros e Z. exists (Rmax (x + 1) (c / e) + 1). generalize (Rmax_l (x + 1) (c / e)) (Rmax_r (x + 1) (c / e)). intros A1 A2. split; [ lra | ].
    set (y := Rmax (x + 1) (c / e) + 1) in *. assert (A3 : c / e < y) by (unfold y; lra). destruct (root_facts y) as [Y0 [YS [YU _]]]. assert (0 < c / e) by (now apply Rdiv_lt_0_compat).
    assert (bell y / (y + root y) < e); [ | generalize (E0 y); lra ]. apply Rmult_lt_reg_r with (1 := YU). unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_lt_trans with (1 := bell_most y). apply Rle_lt_trans with (e * (c / e)); [ right; field; lra | apply Rmult_lt_compat_l; lra ]. }
unfold hazard. apply Rmult_lt_reg_r with (E x / (x + root x)); [ now apply Rdiv_lt_0_compat | ].
replace (bell x / E x * (E x / (x + root x))) with (bell x / (x + root x)) by (field; lra). replace ((x + root x) * (E x / (x + root x))) with (E x) by (field; lra). lra.
Qed.
Theorem K253_erfc x : is_derive (fun x => ln (E x)) x (- hazard x) /\ is_derive hazard x (hazard x * (hazard x - 2 * x)) /\
  0 < hazard x * (hazard x - 2 * x) < 2.
Proof.
assert (P := E0 x). assert (B := bell_pos x). split; [ | split ].
- replace (- hazard x) with (- bell x * / E x) by (unfold hazard; field; lra). apply (is_derive_comp ln E); [ now apply is_derive_ln | apply E_derive ].
- unfold hazard. replace (bell x / E x * (bell x / E x - 2 * x)) with ((- 2 * x * bell x * E x - bell x * - bell x) / E x ^ 2) by (field; lra).
  apply is_derive_div; [ apply bell_derive | apply E_derive | lra ].
- assert (H : 0 < hazard x) by (now apply Rdiv_lt_0_compat). assert (A := hazard_above x). assert (L := hazard_below x). destruct (root_facts x) as [R0 [S _]].
  split; [ apply Rmult_lt_0_compat; lra | ].
  (* (h - x)^2 < x^2 + 2 *)
  assert (Q : (hazard x - x) * (hazard x - x) < root x * root x); [ | rewrite S in Q; lra ].
  destruct (Rle_or_lt 0 (hazard x - x)) as [N|N]; [ apply Rmult_le_0_lt_compat; lra | ].
  replace ((hazard x - x) * (hazard x - x)) with ((x - hazard x) * (x - hazard x)) by ring.
  apply Rmult_le_0_lt_compat; try lra.
Qed.
End Erfc.

(* ---- psi'(x), the sum of (x + n)^-2 over n >= 0 ---- *)
Definition term (x : R) (n : nat) := / (x + INR n) ^ 2.
Lemma term_below t : 0 < t -> / t - / (t + 1) <= / 2 * (/ t ^ 2 + / (t + 1) ^ 2).
Proof.
intros T. cut (0 <= / 2 * (/ t ^ 2 + / (t + 1) ^ 2) - (/ t - / (t + 1))); [ lra | ].
replace (/ 2 * (/ t ^ 2 + / (t + 1) ^ 2) - (/ t - / (t + 1))) with (/ 2 * (/ (t * (t + 1))) ^ 2) by (field; lra).
apply Rmult_le_pos; [ lra | apply pow2_ge_0 ].
Qed.
Lemma term_above t : 1 / 2 < t -> / t ^ 2 <= / (t - 1 / 2) - / (t + 1 / 2).
Proof.
intros T. replace (/ (t - 1 / 2) - / (t + 1 / 2)) with (/ (t ^ 2 - 1 / 4)).
- assert (1 / 4 < t ^ 2) by (simpl; rewrite Rmult_1_r; replace (1 / 4) with (1 / 2 * (1 / 2)) by field; apply Rmult_le_0_lt_compat; lra). apply Rinv_le_contravar; lra.
- field. assert (1 / 4 < t ^ 2) by (simpl; rewrite Rmult_1_r; replace (1 / 4) with (1 / 2 * (1 / 2)) by field; apply Rmult_le_0_lt_compat; lra). repeat split; lra.
Qed.
Lemma sums_above x n : 0 < x -> sum_f_R0 (term x) n <= / x ^ 2 + / (x + 1 / 2) - / (x + INR n + 1 / 2).
Proof.
intros X. induction n as [|n IH].
- change (sum_f_R0 (term x) 0) with (term x 0). unfold term. simpl INR. rewrite !Rplus_0_r. lra.
- rewrite tech5. assert (N := pos_INR n). change (term x (S n)) with (/ (x + INR (S n)) ^ 2). assert (T := term_above (x + INR (S n)) ltac:(rewrite S_INR; lra)).
  rewrite S_INR in *. replace (x + (INR n + 1) - 1 / 2) with (x + INR n + 1 / 2) in T by field. lra.
Qed.
Lemma sums_below x n : 0 < x -> / x + / (2 * x ^ 2) - / (x + INR n) <= sum_f_R0 (term x) n - / (2 * (x + INR n) ^ 2).
Proof.
intros X. induction n as [|n IH].
- change (sum_f_R0 (term x) 0) with (term x 0). unfold term. simpl INR. rewrite !Rplus_0_r. right. field. lra.
- rewrite tech5. assert (N := pos_INR n). change (term x (S n)) with (/ (x + INR (S n)) ^ 2). rewrite S_INR. assert (T := term_below (x + INR n) ltac:(lra)).
  replace (x + (INR n + 1)) with (x + INR n + 1) by ring. set (t := x + INR n) in *.
  assert (P : 0 < t) by (unfold t; lra).
  assert (E : forall u, 0 < u -> / (2 * u ^ 2) = / 2 * / u ^ 2) by (intros u U; field; lra).
  rewrite (E x X), (E t P) in IH. rewrite (E x X), (E (t + 1)) by lra. lra.
Qed.
Theorem K257_trigamma x s : 0 < x -> is_lim_seq (sum_f_R0 (term x)) s -> Rbar_le (/ x + / (2 * x ^ 2)) s /\ Rbar_le s (/ x ^ 2 + / (x + 1 / 2)).
Proof.
intros X L. split.
- apply (is_lim_seq_le (fun n => / x + / (2 * x ^ 2) - / (x + INR n)) (sum_f_R0 (term x))); trivial.
  + intros n. assert (H := sums_below x n X). assert (0 < / (2 * (x + INR n) ^ 2)); [ | lra ].
    apply Rinv_0_lt_compat. assert (0 < (x + INR n) ^ 2) by (apply pow_lt; generalize (pos_INR n); lra). lra.
  + replace (Finite (/ x + / (2 * x ^ 2))) with (Finite (/ x + / (2 * x ^ 2) - 0)) by (f_equal; ring).
    apply is_lim_seq_minus'; [ apply is_lim_seq_const | ].
    apply (is_lim_seq_inv (fun n => x + INR n) p_infty); [ | discriminate ].
    apply (is_lim_seq_plus (fun _ => x) INR x p_infty); [ apply is_lim_seq_const | apply is_lim_seq_INR | reflexivity ].
- apply (is_lim_seq_le (sum_f_R0 (term x)) (fun _ => / x ^ 2 + / (x + 1 / 2))); [ | exact L | apply is_lim_seq_const ].
  intros n. assert (H := sums_above x n X). assert (0 < / (x + INR n + 1 / 2)); [ | lra ]. apply Rinv_0_lt_compat. generalize (pos_INR n). lra.
Qed.
(* It falls, as each term does. *)
Theorem K257_falls x y s t : 0 < x <= y -> is_lim_seq (sum_f_R0 (term x)) s -> is_lim_seq (sum_f_R0 (term y)) t -> Rbar_le t s.
Proof.
intros X S T. apply (is_lim_seq_le (sum_f_R0 (term y)) (sum_f_R0 (term x))); trivial. intros n.
apply sum_Rle. intros k _. unfold term. generalize (pos_INR k). intros K. apply Rinv_le_contravar; [ apply pow_lt; lra | apply pow_incr; lra ].
Qed.
