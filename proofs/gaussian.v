(* Rules about Gaussians: Mills' ratio (K279), and mixtures of Gaussians in infinite dimension (K400, K401, K403, K405 to K407). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require privacy divergences.
From Dpverify Require Import calculus.
Open Scope R_scope.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [L| ->]; [ left; now apply exp_increasing | apply Rle_refl ]. Qed.
(* A function that falls to 0 is positive. *)
Lemma falls_to_0 f df a : (forall x, a <= x -> is_derive f x (df x)) -> (forall x, a <= x -> df x < 0) -> is_lim f p_infty 0 -> 0 < f a.
Proof.
intros D N L. assert (G : forall x y, a <= x -> x < y -> f y < f x).
{ intros x y X Y. assert (K := rises_strictly (fun t => - f t) (fun t => - df t) x y Y). simpl in K. cut (- f x < - f y); [ lra | ].
  apply K; [ intros t T; apply (is_derive_opp f), D; lra | intros t T; specialize (N t ltac:(lra)); lra ]. }
assert (B : 0 <= f (a + 1)).
{ apply Rnot_lt_le. intros K. apply is_lim_spec in L. destruct (L (mkposreal (- f (a + 1)) ltac:(lra))) as [M HM]. simpl in HM.
  set (y := Rmax (a + 2) (M + 1)). assert (Y : a + 2 <= y /\ M + 1 <= y) by (unfold y; split; [ apply Rmax_l | apply Rmax_r ]).
  specialize (HM y ltac:(lra)). apply Rabs_def2 in HM. assert (W := G (a + 1) y ltac:(lra) ltac:(lra)). lra. }
assert (W := G a (a + 1) ltac:(lra) ltac:(lra)). lra.
Qed.

Lemma both_vanish F {FF : Filter F} (f g : R -> R) k : filterlim f F (locally 0) -> filterlim g F (locally 0) -> filterlim (fun t => f t - k * g t) F (locally 0).
Proof.
intros A B P [e E]. assert (K : 0 <= Rabs k) by apply Rabs_pos. assert (D : 0 < e / (2 * (Rabs k + 1))) by (apply Rdiv_lt_0_compat; [ apply cond_pos | lra ]).
assert (Small : forall d, 0 < d -> locally 0 (fun y => Rabs (y - 0) < d)) by (intros d D'; exists (mkposreal d D'); intros y Y; exact Y).
assert (A' := A _ (Small (e / 2) ltac:(generalize (cond_pos e); lra))). assert (B' := B _ (Small _ D)).
unfold filtermap in *. generalize (filter_and _ _ A' B'). apply filter_imp. intros t [X Y]. apply E. change (Rabs (f t - k * g t - 0) < e).
rewrite Rminus_0_r in *. apply Rle_lt_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp, Rabs_mult.
assert (Rabs k * Rabs (g t) <= Rabs k * (e / (2 * (Rabs k + 1)))) by (apply Rmult_le_compat_l; lra).
assert (Rabs k * (e / (2 * (Rabs k + 1))) <= e / 2).
{ apply Rmult_le_reg_r with (2 * (Rabs k + 1)); [ lra | ]. replace (Rabs k * (e / (2 * (Rabs k + 1))) * (2 * (Rabs k + 1))) with (Rabs k * e) by (field; lra).
  generalize (cond_pos e). lra. }
lra.
Qed.

Lemma times_integral (f : R -> R) a b k (l : R) : is_RInt f a b l -> RInt (fun x => k * f x) a b = k * l.
Proof. intros I. apply is_RInt_unique. exact (is_RInt_scal (V := R_NormedModule) f a b k l I). Qed.

Section Gaussian.
Variables (Phi : R -> R) (c : R).
(* The density and the distribution function of N(0, 1). *)
Definition phi (x : R) := c * exp (- (x ^ 2 / 2)).
Hypotheses (c0 : 0 < c) (Phi_derive : forall x, is_derive Phi x (phi x)) (Phi_low : is_lim Phi m_infty 0) (Phi_high : is_lim Phi p_infty 1).

Lemma phi_pos x : 0 < phi x. Proof. apply Rmult_lt_0_compat; [ exact c0 | apply exp_pos ]. Qed.
Lemma phi_derive x : is_derive phi x (- x * phi x).
Proof. unfold phi. auto_derive; [ trivial | ]. replace (x * (x * 1) * / 2) with (x ^ 2 / 2) by field. field. Qed.
Lemma phi_even x : phi (- x) = phi x. Proof. unfold phi. do 4 f_equal. ring. Qed.

(* ---- a Gaussian's profile, as a function of the ratio t of shift and scale ---- *)
Section Profile.
Variable eps : R.
Hypothesis eps0 : 0 <= eps.
Definition h (t : R) := Phi (t / 2 - eps / t) - exp eps * Phi (- t / 2 - eps / t).
Lemma two_densities t : 0 < t -> exp eps * phi (- t / 2 - eps / t) = phi (t / 2 - eps / t).
Proof.
intros T. unfold phi. rewrite <- Rmult_assoc, (Rmult_comm (exp eps)), Rmult_assoc, <- exp_plus. do 2 f_equal. field. lra.
Qed.
Theorem K400_slope t : 0 < t -> is_derive h t (phi (eps / t - t / 2)).
Proof.
intros T. replace (phi (eps / t - t / 2)) with (phi (t / 2 - eps / t)) by (rewrite <- (phi_even (t / 2 - eps / t)); f_equal; ring).
replace (phi (t / 2 - eps / t)) with ((1 / 2 + eps / t ^ 2) * phi (t / 2 - eps / t) - exp eps * ((- 1 / 2 + eps / t ^ 2) * phi (- t / 2 - eps / t))).
- apply (is_derive_minus (fun t => Phi (t / 2 - eps / t)) (fun t => exp eps * Phi (- t / 2 - eps / t))).
  + apply (is_derive_comp Phi (fun t => t / 2 - eps / t)); [ apply Phi_derive | ]. auto_derive; [ lra | field; lra ].
  + apply (is_derive_scal (fun t => Phi (- t / 2 - eps / t))). apply (is_derive_comp Phi (fun t => - t / 2 - eps / t)); [ apply Phi_derive | ]. auto_derive; [ lra | field; lra ].
- rewrite <- Rmult_assoc, (Rmult_comm (exp eps)), Rmult_assoc, (two_densities t T). field. lra.
Qed.
Theorem K400_rises t u : 0 < t < u -> h t < h u.
Proof.
intros T. apply (rises_strictly h (fun t => phi (eps / t - t / 2))); [ lra | | ]; intros x X; [ apply K400_slope; lra | apply phi_pos ].
Qed.
Theorem K400_at_infinity : is_lim h p_infty 1.
Proof.
assert (U : is_lim (fun t => t / 2 - eps / t) p_infty p_infty).
{ intros P [M HM]. exists (Rmax 1 (2 * (Rabs M + eps))). intros t T. apply HM. assert (A := Rmax_l 1 (2 * (Rabs M + eps))). assert (B := Rmax_r 1 (2 * (Rabs M + eps))).
  assert (C : eps / t <= eps) by (apply Rmult_le_reg_r with t; [ lra | ]; replace (eps / t * t) with eps by (field; lra); assert (eps * 1 <= eps * t) by (apply Rmult_le_compat_l; lra); lra).
  generalize (Rle_abs M). lra. }
assert (V : is_lim (fun t => - t / 2 - eps / t) p_infty m_infty).
{ intros P [M HM]. exists (Rmax 1 (2 * (Rabs M + eps))). intros t T. apply HM. assert (A := Rmax_l 1 (2 * (Rabs M + eps))). assert (B := Rmax_r 1 (2 * (Rabs M + eps))).
  assert (0 <= eps / t) by (apply Rmult_le_pos; [ exact eps0 | left; apply Rinv_0_lt_compat; lra ]). generalize (Rle_abs (- M)). rewrite Rabs_Ropp. lra. }
replace (Finite 1) with (Rbar_minus 1 (Rbar_mult (exp eps) 0)) by (simpl; f_equal; ring).
apply is_lim_minus with 1 (Rbar_mult (exp eps) 0).
- apply (is_lim_comp Phi (fun t => t / 2 - eps / t) p_infty 1 p_infty Phi_high U). exists 0. easy.
- apply is_lim_scal_l. apply (is_lim_comp Phi (fun t => - t / 2 - eps / t) p_infty 0 m_infty Phi_low V). exists 0. easy.
- simpl. unfold is_Rbar_minus, is_Rbar_plus. simpl. reflexivity.
Qed.
Theorem K400_at_0 : filterlim h (at_right 0) (locally 0).
Proof.
destruct eps0 as [E|E].
- assert (V : forall s, filterlim (fun t => s * t / 2 - eps / t) (at_right 0) (Rbar_locally m_infty)).
  { intros s P [M HM]. set (b := 1 + Rabs M + Rabs s). assert (b1 : 1 <= b) by (unfold b; generalize (Rabs_pos M) (Rabs_pos s); lra).
    assert (D : 0 < Rmin 1 (eps / b)) by (apply Rmin_pos; [ lra | apply Rdiv_lt_0_compat; lra ]). exists (mkposreal _ D). intros t B T. apply HM.
    change (Rabs (t - 0) < Rmin 1 (eps / b)) in B. rewrite Rminus_0_r, Rabs_pos_eq in B by lra. assert (B1 := Rmin_l 1 (eps / b)). assert (B2 := Rmin_r 1 (eps / b)).
    assert (G : b < eps / t).
    { apply Rmult_lt_reg_r with t; [ exact T | ]. replace (eps / t * t) with eps by (field; lra). assert (t < eps / b) by lra.
      apply (Rmult_lt_compat_l b) in H; [ | lra ]. replace (b * (eps / b)) with eps in H by (field; lra). exact H. }
    assert (s * t <= Rabs s * 1). { apply Rle_trans with (Rabs s * t); [ apply Rmult_le_compat_r; [ lra | apply Rle_abs ] | apply Rmult_le_compat_l; [ apply Rabs_pos | lra ] ]. }
    unfold b in G. generalize (Rle_abs (- M)) (Rabs_pos s). rewrite Rabs_Ropp. lra. }
  assert (W : forall s, filterlim (fun t => Phi (s * t / 2 - eps / t)) (at_right 0) (locally 0)).
  { intros s P HP. assert (L := Phi_low P HP). specialize (V s _ L). unfold filtermap in *. revert V. apply filter_imp. intros x X. exact X. }
  apply (both_vanish (at_right 0) (fun t => Phi (t / 2 - eps / t)) (fun t => Phi (- t / 2 - eps / t)) (exp eps)).
  + apply filterlim_ext with (fun t => Phi (1 * t / 2 - eps / t)); [ intros; do 2 f_equal; field | apply W ].
  + apply filterlim_ext with (fun t => Phi (- (1) * t / 2 - eps / t)); [ intros; do 2 f_equal; field | apply W ].
- assert (C : continuous (fun t => Phi (t / 2) - Phi (- t / 2)) 0).
  { assert (K : forall s, continuous (fun t => Phi (s * t / 2)) 0).
    { intros s. apply (continuous_comp (fun t => s * t / 2) Phi).
      - apply (ex_derive_continuous (fun t => s * t / 2)). auto_derive. trivial.
      - apply (ex_derive_continuous Phi). exists (phi (s * 0 / 2)). apply Phi_derive. }
    apply (continuous_minus (V := R_NormedModule) (fun t => Phi (t / 2)) (fun t => Phi (- t / 2))).
    - apply continuous_ext with (fun t => Phi (1 * t / 2)); [ intros; f_equal; field | apply K ].
    - apply continuous_ext with (fun t => Phi (- (1) * t / 2)); [ intros; f_equal; field | apply K ]. }
  intros P HP. assert (K := C P). unfold continuous, filterlim, filter_le, filtermap, at_right, within in *.
  replace (Phi (0 / 2) - Phi (- 0 / 2)) with 0 in K by (replace (- 0 / 2) with (0 / 2) by field; ring).
  specialize (K HP). revert K. apply filter_imp. intros t X T. replace (h t) with (Phi (t / 2) - Phi (- t / 2)); [ exact X | ].
  unfold h. rewrite <- E, exp_0, Rmult_1_l. replace (0 / t) with 0 by (unfold Rdiv; ring). now rewrite !Rminus_0_r.
Qed.
(* h(s/w) falls in w: *)
Theorem K401_slope s w : 0 < s -> 0 < w -> is_derive (fun w => h (s / w)) w (- (s / w ^ 2 * phi (eps * w / s - s / (2 * w)))).
Proof.
intros S W. replace (- (s / w ^ 2 * phi (eps * w / s - s / (2 * w)))) with (scal (- (s / w ^ 2)) (phi (eps / (s / w) - (s / w) / 2))).
- apply (is_derive_comp h (fun w => s / w)); [ apply K400_slope; now apply Rdiv_lt_0_compat | auto_derive; [ lra | field; lra ] ].
- unfold scal. simpl. unfold mult. simpl. replace (eps / (s / w) - s / w / 2) with (eps * w / s - s / (2 * w)) by (field; lra). ring.
Qed.
Theorem K401_exponent s w : 0 < s -> 0 < w -> - ((eps * w / s - s / (2 * w)) ^ 2 / 2) = - (eps ^ 2 * w ^ 2 / (2 * s ^ 2)) + eps / 2 - s ^ 2 / (8 * w ^ 2).
Proof. intros. field. lra. Qed.
Definition falling (s w : R) := s / w ^ 2 * phi (eps * w / s - s / (2 * w)).
Lemma falling_continuous s w : 0 < s -> 0 < w -> continuous (falling s) w.
Proof. intros S W. apply (ex_derive_continuous (falling s)). unfold falling, phi. auto_derive. repeat split; try lra. apply Rgt_not_eq, Rmult_lt_0_compat; lra. Qed.
Lemma falling_pos s w : 0 < s -> 0 < w -> 0 < falling s w.
Proof. intros S W. apply Rmult_lt_0_compat; [ apply Rdiv_lt_0_compat; [ exact S | now apply pow_lt ] | apply phi_pos ]. Qed.
Theorem K401_between s v x : 0 < s -> 0 < v <= x -> is_RInt (falling s) v x (h (s / v) - h (s / x)).
Proof.
intros S V. replace (h (s / v) - h (s / x)) with (minus (- h (s / x)) (- h (s / v))) by (unfold minus, plus, opp; simpl; ring).
apply (is_RInt_derive (fun w => - h (s / w))); intros w; rewrite Rmin_left, Rmax_right by lra; intros W.
- replace (falling s w) with (- - falling s w) by ring. apply (is_derive_opp (fun w => h (s / w))). apply K401_slope; lra.
- apply falling_continuous; lra.
Qed.
(* over all w > v it adds up to h(s/v), *)
Theorem K401_total s v : 0 < s -> 0 < v -> is_lim (fun x => RInt (falling s) v x) p_infty (h (s / v)).
Proof.
intros S V. apply (is_lim_ext_loc (fun x => h (s / v) - h (s / x))).
- exists v. intros x X. symmetry. apply is_RInt_unique, K401_between; lra.
- replace (Finite (h (s / v))) with (Rbar_minus (h (s / v)) 0) by (simpl; f_equal; ring). apply is_lim_minus with (h (s / v)) 0; [ apply is_lim_const | | reflexivity ].
  intros P HP. assert (K := K400_at_0 P HP). unfold filtermap, at_right, within in *. destruct K as [d K].
  exists (Rmax 1 (s / d)). intros x X. assert (A := Rmax_l 1 (s / d)). assert (B := Rmax_r 1 (s / d)). assert (Q : 0 < s / x) by (apply Rdiv_lt_0_compat; lra).
  apply K; [ | exact Q ]. change (Rabs (s / x - 0) < d). rewrite Rminus_0_r, Rabs_pos_eq by lra. apply Rmult_lt_reg_r with (x / d); [ apply Rdiv_lt_0_compat; [ lra | apply cond_pos ] | ].
  generalize (cond_pos d). intros D. replace (s / x * (x / d)) with (s / d) by (field; lra). replace (d * (x / d)) with x by (field; lra). lra.
Qed.
(* and what a panel, the part before the first and the one beyond the last add, F the mass below: *)
Theorem K407_before s F Fa u a : 0 < s -> 0 < u <= a -> (forall w, u < w < a -> 0 <= F w <= Fa) -> 0 <= Fa -> ex_RInt (fun w => falling s w * F w) u a ->
  0 <= RInt (fun w => falling s w * F w) u a <= Fa * (1 - h (s / a)).
Proof.
intros S U B P E. assert (K : forall w, u < w < a -> 0 <= falling s w * F w <= Fa * falling s w).
{ intros w W. specialize (B w W). assert (Q := falling_pos s w S ltac:(lra)). split; [ apply Rmult_le_pos; lra | rewrite Rmult_comm; apply Rmult_le_compat_r; lra ]. }
assert (I := K401_between s u a S U). split.
- apply RInt_ge_0; [ lra | exact E | intros w W; now apply K ].
- apply Rle_trans with (Fa * (h (s / u) - h (s / a))).
  + replace (Fa * (h (s / u) - h (s / a))) with (RInt (fun w => Fa * falling s w) u a).
    * apply RInt_le; [ lra | exact E | apply (ex_RInt_scal (V := R_NormedModule)); eexists; exact I | intros w W; now apply K ].
    * exact (times_integral (falling s) u a Fa _ I).
  + apply Rmult_le_compat_l; [ exact P | ]. assert (T : h (s / u) <= 1); [ | lra ].
    assert (L := K400_at_infinity). apply is_lim_spec in L. apply Rnot_lt_le. intros N. destruct (L (mkposreal (h (s / u) - 1) ltac:(lra))) as [M HM]. simpl in HM.
    set (y := Rmax (s / u + 1) (M + 1)). assert (Y : s / u + 1 <= y /\ M + 1 <= y) by (unfold y; split; [ apply Rmax_l | apply Rmax_r ]).
    specialize (HM y ltac:(lra)). apply Rabs_def2 in HM. assert (G := K400_rises (s / u) y). assert (0 < s / u) by (apply Rdiv_lt_0_compat; lra). specialize (G ltac:(lra)). lra.
Qed.
Theorem K407_beyond s F Fb all b x : 0 < s -> 0 < b <= x -> (forall w, b < w < x -> Fb <= F w <= all) -> 0 <= Fb -> ex_RInt (fun w => falling s w * F w) b x ->
  Fb * (h (s / b) - h (s / x)) <= RInt (fun w => falling s w * F w) b x <= all * (h (s / b) - h (s / x)).
Proof.
intros S U B P E. assert (I := K401_between s b x S U).
assert (T : forall k, k * (h (s / b) - h (s / x)) = RInt (fun w => k * falling s w) b x).
{ intros k. symmetry. exact (times_integral (falling s) b x k _ I). }
rewrite !T. assert (K : forall w, b < w < x -> Fb * falling s w <= falling s w * F w <= all * falling s w).
{ intros w W. specialize (B w W). assert (Q := falling_pos s w S ltac:(lra)). rewrite (Rmult_comm (falling s w)). split; apply Rmult_le_compat_r; lra. }
split; (apply RInt_le; [ lra | | | intros w W; now apply K ]); trivial; apply (ex_RInt_scal (V := R_NormedModule)); eexists; exact I.
Qed.
End Profile.

(* ---- Mills' ratio ---- *)
Definition mills (y : R) := (1 - Phi y) / phi y.
Lemma phi_0 : is_lim phi p_infty 0.
Proof.
apply is_lim_spec. intros e. exists (Rmax 2 (c / e)). intros y Y. rewrite Rminus_0_r, Rabs_pos_eq by (left; apply phi_pos).
assert (A := Rmax_l 2 (c / e)). assert (B := Rmax_r 2 (c / e)). unfold phi. apply Rle_lt_trans with (c * / y).
- apply Rmult_le_compat_l; [ lra | ]. rewrite exp_Ropp. apply Rinv_le_contravar; [ lra | ]. apply Rle_trans with (2 := Rlt_le _ _ (exp_ineq1 (y ^ 2 / 2) ltac:(apply Rgt_not_eq; assert (0 < y ^ 2) by (apply pow_lt; lra); lra))).
  assert (2 * y <= y * y) by (apply Rmult_le_compat_r; lra). lra.
- apply Rmult_lt_reg_r with (y / e); [ apply Rdiv_lt_0_compat; [ lra | apply cond_pos ] | ]. generalize (cond_pos e). intros E.
  replace (c * / y * (y / e)) with (c / e) by (field; lra). replace (e * (y / e)) with y by (field; lra). lra.
Qed.
Lemma tail_0 : is_lim (fun y => 1 - Phi y) p_infty 0.
Proof.
replace (Finite 0) with (Rbar_minus 1 1) by (simpl; f_equal; ring). apply is_lim_minus with 1 1; [ apply is_lim_const | exact Phi_high | reflexivity ].
Qed.
Lemma times_bounded q a : 0 < a -> (forall y, a <= y -> 0 <= q y <= 1) -> is_lim (fun y => q y * phi y) p_infty 0.
Proof.
intros A B. apply is_lim_spec. intros e. assert (L := phi_0). apply is_lim_spec in L. destruct (L e) as [M HM]. exists (Rmax a M). intros y Y.
assert (K1 := Rmax_l a M). assert (K2 := Rmax_r a M). specialize (HM y ltac:(lra)). specialize (B y ltac:(lra)). rewrite Rminus_0_r in *.
assert (P := phi_pos y). rewrite (Rabs_pos_eq (phi y)) in HM by lra. rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra). apply Rle_lt_trans with (2 := HM).
apply Rle_trans with (1 * phi y); [ apply Rmult_le_compat_r; lra | lra ].
Qed.
(* Two convergents of Laplace's continued fraction. *)
Lemma over x y : 0 < y -> 0 <= x <= y -> 0 <= x / y <= 1.
Proof.
intros Y X. assert (0 < / y) by now apply Rinv_0_lt_compat. unfold Rdiv. split; [ apply Rmult_le_pos; lra | ].
rewrite <- (Rinv_r y) by lra. apply Rmult_le_compat_r; lra.
Qed.
Theorem K279_convergents z : 0 < z -> z / (1 + z ^ 2) < mills z < (z ^ 2 + 2) / (z * (z ^ 2 + 3)).
Proof.
intros Z. assert (P := phi_pos z). assert (Sq : forall y, 0 <= y ^ 2) by (intros y; apply pow2_ge_0). split.
- assert (K : 0 < (1 - Phi z) - z / (1 + z ^ 2) * phi z).
  { apply (falls_to_0 (fun y => (1 - Phi y) - y / (1 + y ^ 2) * phi y) (fun y => - (2 / (1 + y ^ 2) ^ 2 * phi y)) z).
    - intros y Y. specialize (Sq y). replace (- (2 / (1 + y ^ 2) ^ 2 * phi y)) with ((0 - phi y) - ((1 - y ^ 2) / (1 + y ^ 2) ^ 2 * phi y + y / (1 + y ^ 2) * (- y * phi y))) by (field; lra).
      apply (is_derive_minus (fun y => 1 - Phi y) (fun y => y / (1 + y ^ 2) * phi y)).
      + apply (is_derive_minus (fun _ => 1) Phi); [ apply (@is_derive_const R_AbsRing R_NormedModule) | apply Phi_derive ].
      + apply (is_derive_mult (fun y => y / (1 + y ^ 2)) phi); [ auto_derive; [ simpl in Sq; lra | field; simpl in Sq; lra ] | apply phi_derive | intros; apply Rmult_comm ].
    - intros y Y. specialize (Sq y). assert (0 < 2 / (1 + y ^ 2) ^ 2 * phi y); [ | lra ]. apply Rmult_lt_0_compat; [ apply Rdiv_lt_0_compat; [ lra | apply pow_lt; lra ] | apply phi_pos ].
    - replace (Finite 0) with (Rbar_minus 0 0) by (simpl; f_equal; ring). apply is_lim_minus with 0 0; [ exact tail_0 | | reflexivity ].
      apply (times_bounded (fun y => y / (1 + y ^ 2)) 1); [ lra | ]. intros y Y. apply over; [ specialize (Sq y); lra | ]. split; [ lra | ].
      assert (1 * y <= y * y) by (apply Rmult_le_compat_r; lra). simpl. lra. }
  unfold mills. apply Rmult_lt_reg_r with (phi z); [ exact P | ]. replace ((1 - Phi z) / phi z * phi z) with (1 - Phi z) by (field; lra). lra.
- assert (K : 0 < (z ^ 2 + 2) / (z * (z ^ 2 + 3)) * phi z - (1 - Phi z)).
  { apply (falls_to_0 (fun y => (y ^ 2 + 2) / (y * (y ^ 2 + 3)) * phi y - (1 - Phi y)) (fun y => - (6 / (y * (y ^ 2 + 3)) ^ 2 * phi y)) z).
    - intros y Y. specialize (Sq y). assert (Dn : 0 < y * (y ^ 2 + 3)) by (apply Rmult_lt_0_compat; lra).
      replace (- (6 / (y * (y ^ 2 + 3)) ^ 2 * phi y)) with (((- y ^ 4 - 3 * y ^ 2 - 6) / (y * (y ^ 2 + 3)) ^ 2 * phi y + (y ^ 2 + 2) / (y * (y ^ 2 + 3)) * (- y * phi y)) - (0 - phi y)) by (field; split; lra).
      apply (is_derive_minus (fun y => (y ^ 2 + 2) / (y * (y ^ 2 + 3)) * phi y) (fun y => 1 - Phi y)).
      + apply (is_derive_mult (fun y => (y ^ 2 + 2) / (y * (y ^ 2 + 3))) phi); [ auto_derive; [ simpl in Dn, Sq; lra | field; simpl in Sq; lra ] | apply phi_derive | intros; apply Rmult_comm ].
      + apply (is_derive_minus (fun _ => 1) Phi); [ apply (@is_derive_const R_AbsRing R_NormedModule) | apply Phi_derive ].
    - intros y Y. specialize (Sq y). assert (0 < 6 / (y * (y ^ 2 + 3)) ^ 2 * phi y); [ | lra ]. apply Rmult_lt_0_compat; [ | apply phi_pos ].
      apply Rdiv_lt_0_compat; [ lra | apply pow_lt, Rmult_lt_0_compat; lra ].
    - replace (Finite 0) with (Rbar_minus 0 0) by (simpl; f_equal; ring). apply is_lim_minus with 0 0; [ | exact tail_0 | reflexivity ].
      apply (times_bounded (fun y => (y ^ 2 + 2) / (y * (y ^ 2 + 3))) 1); [ lra | ]. intros y Y. specialize (Sq y). apply over; [ apply Rmult_lt_0_compat; lra | ]. split; [ lra | ].
      assert (1 * (y ^ 2 + 3) <= y * (y ^ 2 + 3)) by (apply Rmult_le_compat_r; lra). lra. }
  unfold mills. apply Rmult_lt_reg_r with (phi z); [ exact P | ]. replace ((1 - Phi z) / phi z * phi z) with (1 - Phi z) by (field; lra). lra.
Qed.
Lemma mills_derive y : is_derive mills y (y * mills y - 1).
Proof.
unfold mills. assert (P := phi_pos y). replace (y * ((1 - Phi y) / phi y) - 1) with (((0 - phi y) * phi y - (1 - Phi y) * (- y * phi y)) / phi y ^ 2) by (field; lra).
apply (is_derive_div (fun y => 1 - Phi y) phi); [ | apply phi_derive | lra ].
apply (is_derive_minus (fun _ => 1) Phi); [ apply (@is_derive_const R_AbsRing R_NormedModule) | apply Phi_derive ].
Qed.
Lemma rate_falls y z : 0 < y <= z -> 1 - z * mills z <= 1 - y * mills y.
Proof.
intros Y. cut (y * mills y <= z * mills z); [ lra | ]. apply (rises (fun y => y * mills y) (fun y => 1 * mills y + y * (y * mills y - 1))); [ lra | | ]; intros x X.
- apply (is_derive_mult (fun y => y) mills); [ apply (@is_derive_id R_AbsRing) | apply mills_derive | intros; apply Rmult_comm ].
- destruct (K279_convergents x ltac:(lra)) as [L _]. assert (S := pow2_ge_0 x). apply (Rmult_lt_compat_r (1 + x ^ 2)) in L; [ | lra ].
  replace (x / (1 + x ^ 2) * (1 + x ^ 2)) with x in L by (field; lra). lra.
Qed.
Lemma Phi_mirrored x : Phi (- x) = 1 - Phi x.
Proof.
set (F := fun x => Phi x + Phi (- x)). assert (D : forall x, is_derive F x (phi x + - phi (- x))).
{ intros y. apply (is_derive_plus Phi (fun y => Phi (- y))); [ apply Phi_derive | ]. replace (- phi (- y)) with (-1 * phi (- y)) by ring.
  apply (is_derive_comp Phi (fun y => - y)); [ apply Phi_derive | auto_derive; [ trivial | ring ] ]. }
assert (C : forall a b, a <= b -> F a = F b).
{ intros a b L. apply Rle_antisym; [ apply (rises F (fun x => phi x + - phi (- x))) | cut (- F a <= - F b); [ lra | apply (rises (fun x => - F x) (fun x => - (phi x + - phi (- x)))) ] ]; trivial; intros y _.
  - rewrite phi_even. lra.
  - apply (is_derive_opp F), D.
  - rewrite phi_even. lra. }
assert (L : is_lim F p_infty 1).
{ replace (Finite 1) with (Rbar_plus 1 0) by (simpl; f_equal; ring). apply is_lim_plus with 1 0; [ exact Phi_high | | reflexivity ].
  apply (is_lim_comp Phi (fun y => - y) p_infty 0 m_infty Phi_low); [ | exists 0; easy ]. intros P [M HM]. exists (- M). intros y Y. apply HM. lra. }
assert (E : F x = 1); [ | unfold F in E; lra ]. assert (K : is_lim F p_infty (F x)).
{ apply (is_lim_ext_loc (fun _ => F x)); [ exists x; intros y Y; apply C; lra | apply is_lim_const ]. }
apply is_lim_unique in L. apply is_lim_unique in K. rewrite L in K. now injection K.
Qed.
(* Of a Gaussian with Delta/sigma = mu, at eps: x and z = x + mu as in the lemma. *)
Theorem K279_at_least mu eps : 0 < mu -> 0 <= eps -> let x := eps / mu - mu / 2 in let z := x + mu in 0 < x -> phi x * (mu / (z ^ 2 + 3)) <= h eps mu.
Proof.
intros M E x z X. assert (Z : x < z) by (unfold z; lra). assert (P := phi_pos x). assert (Pz := phi_pos z).
assert (A : h eps mu = phi x * (mills x - mills z)).
{ unfold h. replace (mu / 2 - eps / mu) with (- x) by (unfold x; ring). replace (- mu / 2 - eps / mu) with (- z) by (unfold z, x; field; lra).
  assert (T := two_densities eps mu M). replace (mu / 2 - eps / mu) with (- x) in T by (unfold x; ring). replace (- mu / 2 - eps / mu) with (- z) in T by (unfold z, x; field; lra).
  rewrite !phi_even in T. rewrite !Phi_mirrored. unfold mills. replace (phi x * ((1 - Phi x) / phi x - (1 - Phi z) / phi z)) with ((1 - Phi x) - phi x / phi z * (1 - Phi z)) by (field; lra).
  rewrite <- T. replace (exp eps * phi z / phi z) with (exp eps) by (field; lra). reflexivity. }
rewrite A. apply Rmult_le_compat_l; [ lra | ]. apply Rle_trans with (mu * (1 - z * mills z)).
- unfold Rdiv. apply Rmult_le_compat_l; [ lra | ]. destruct (K279_convergents z ltac:(lra)) as [_ U]. apply Rlt_le in U. apply (Rmult_le_compat_l z) in U; [ | lra ].
  assert (S := pow2_ge_0 z). replace (z * ((z ^ 2 + 2) / (z * (z ^ 2 + 3)))) with (1 - / (z ^ 2 + 3)) in U by (field; lra). lra.
- assert (R : - mills x - x * (1 - z * mills z) <= - mills z - z * (1 - z * mills z)).
  { apply (rises (fun y => - mills y - y * (1 - z * mills z)) (fun y => - (y * mills y - 1) - 1 * (1 - z * mills z))); [ lra | | ]; intros y Y.
    - apply (is_derive_minus (fun y => - mills y) (fun y => y * (1 - z * mills z))); [ apply (is_derive_opp mills), mills_derive | ]. auto_derive; [ trivial | ring ].
    - assert (W := rate_falls y z ltac:(lra)). lra. }
  replace mu with (z - x) at 1 by (unfold z; ring). lra.
Qed.
End Gaussian.

Theorem K279_moment H m a c t eps : 0 < c -> 0 < t -> a < eps -> (forall k, 0 < k -> H <= exp (k * a + (k * c) ^ 2 / (4 * t) + m - k * eps)) ->
  H <= exp (m - 2 * t / c ^ 2 * (eps - a) ^ 2 / 2).
Proof.
intros C T E B. assert (C2 : 0 < c ^ 2) by now apply pow_lt. specialize (B (2 * t / c ^ 2 * (eps - a))). replace (m - 2 * t / c ^ 2 * (eps - a) ^ 2 / 2) with
  (2 * t / c ^ 2 * (eps - a) * a + (2 * t / c ^ 2 * (eps - a) * c) ^ 2 / (4 * t) + m - 2 * t / c ^ 2 * (eps - a) * eps) by (field; lra).
apply B. apply Rmult_lt_0_compat; [ apply Rdiv_lt_0_compat; lra | lra ].
Qed.
(* The gap of the logarithms of the two bounds: N(x) mu/(z^2 + 3), N(x) = C e^(-x^2/2), and e^(m - b (eps - a)^2/2). *)
Definition gap (C mu m a b eps : R) : R := let x := eps / mu - mu / 2 in let z := x + mu in
  (ln C - x ^ 2 / 2 + ln mu - ln (z ^ 2 + 3)) - (m - b * (eps - a) ^ 2 / 2).
Theorem K279_slope C mu m a b eps : 0 < mu -> let x := eps / mu - mu / 2 in let z := x + mu in
  is_derive (gap C mu m a b) eps (b * (eps - a) - x / mu - 2 * z / (mu * (z ^ 2 + 3))).
Proof.
intros M x z. assert (S := pow2_ge_0 z). unfold gap. auto_derive.
- assert (Q : forall w, 0 < w * (w * 1) + 3) by (intros w; generalize (pow2_ge_0 w); simpl; lra). apply Q.
- unfold z, x in *. field. split; [ lra | ]. assert (K : 0 < mu ^ 2) by now apply pow_lt.
  generalize (pow2_ge_0 (eps * 2 - mu * mu + mu * (mu * 2))). lra.
Qed.
Theorem K279_from_there_on C mu m a b e1 : 0 < mu -> / mu ^ 2 <= b -> let x1 := e1 / mu - mu / 2 in 0 < x1 -> 2 / (mu * (x1 + mu)) <= b * (e1 - a) - x1 / mu ->
  0 <= gap C mu m a b e1 -> forall eps, e1 <= eps -> 0 <= gap C mu m a b eps.
Proof.
intros M B x1 X1 S G eps E. apply Rle_trans with (1 := G).
apply (rises (gap C mu m a b) (fun e => b * (e - a) - (e / mu - mu / 2) / mu - 2 * (e / mu - mu / 2 + mu) / (mu * ((e / mu - mu / 2 + mu) ^ 2 + 3)))); [ exact E | | ]; intros e He.
- apply K279_slope, M.
- set (z1 := x1 + mu) in *. set (z := e / mu - mu / 2 + mu). assert (I : 0 < / mu) by now apply Rinv_0_lt_compat.
  assert (Zz : z1 <= z) by (unfold z1, z, x1; assert (e1 / mu <= e / mu) by (apply Rmult_le_compat_r; lra); lra). assert (Z1 : 0 < z1) by (unfold z1; lra).
  assert (Last : 2 * z / (mu * (z ^ 2 + 3)) <= 2 / (mu * z1)).
  { assert (Q := pow2_ge_0 z). apply Rmult_le_reg_r with (mu * (z ^ 2 + 3) * z1); [ apply Rmult_lt_0_compat; [ apply Rmult_lt_0_compat; lra | exact Z1 ] | ].
    replace (2 * z / (mu * (z ^ 2 + 3)) * (mu * (z ^ 2 + 3) * z1)) with (2 * (z * z1)) by (field; lra). replace (2 / (mu * z1) * (mu * (z ^ 2 + 3) * z1)) with (2 * (z ^ 2 + 3)) by (field; lra).
    assert (z * z1 <= z * z) by (apply Rmult_le_compat_l; lra). simpl. lra. }
  assert (Rest : b * (e1 - a) - x1 / mu <= b * (e - a) - (e / mu - mu / 2) / mu).
  { assert (/ mu ^ 2 * (e - e1) <= b * (e - e1)) by (apply Rmult_le_compat_r; lra). unfold x1.
    replace ((e / mu - mu / 2) / mu) with ((e1 / mu - mu / 2) / mu + / mu ^ 2 * (e - e1)) by (field; lra). lra. }
  lra.
Qed.

(* ---- the law of V ---- *)
(* Where k(v) = v (log p)' lies in [m, M], L = log p: p lies between powers of v/a. *)
Lemma power_between L k m M u v : 0 < u <= v -> (forall x, u <= x <= v -> is_derive L x (k x / x)) -> (forall x, u <= x <= v -> m <= k x <= M) ->
  m * (ln v - ln u) <= L v - L u <= M * (ln v - ln u).
Proof.
intros U D B. split.
- cut (L u - m * ln u <= L v - m * ln v); [ lra | ]. apply (rises (fun x => L x - m * ln x) (fun x => k x / x - m * / x)); [ lra | | ]; intros x X.
  + apply (is_derive_minus L (fun x => m * ln x)); [ now apply D | apply (is_derive_scal ln), is_derive_ln; lra ].
  + replace (k x / x - m * / x) with ((k x - m) * / x) by (field; lra). apply Rmult_le_pos; [ specialize (B x X); lra | left; apply Rinv_0_lt_compat; lra ].
- cut (M * ln u - L u <= M * ln v - L v); [ lra | ]. apply (rises (fun x => M * ln x - L x) (fun x => M * / x - k x / x)); [ lra | | ]; intros x X.
  + apply (is_derive_minus (fun x => M * ln x) L); [ apply (is_derive_scal ln), is_derive_ln; lra | now apply D ].
  + replace (M * / x - k x / x) with ((M - k x) * / x) by (field; lra). apply Rmult_le_pos; [ specialize (B x X); lra | left; apply Rinv_0_lt_compat; lra ].
Qed.
Lemma power_of pa v a m : 0 < v -> 0 < a -> pa * Rpower (v / a) m = pa * exp (m * (ln v - ln a)).
Proof. intros V A. unfold Rpower. now rewrite ln_div. Qed.
Theorem K403_centre p L k m M a v : 0 < v <= a -> (forall x, v <= x <= a -> p x = exp (L x)) -> (forall x, v <= x <= a -> is_derive L x (k x / x)) ->
  (forall x, v <= x <= a -> m <= k x <= M) -> p a * Rpower (v / a) M <= p v <= p a * Rpower (v / a) m.
Proof.
intros V E D B. assert (K := power_between L k m M v a V D B). rewrite !power_of, !E, <- !exp_plus by lra. split; apply exp_le; lra.
Qed.
Theorem K403_tail p L k m M a v : 0 < a <= v -> (forall x, a <= x <= v -> p x = exp (L x)) -> (forall x, a <= x <= v -> is_derive L x (k x / x)) ->
  (forall x, a <= x <= v -> m <= k x <= M) -> p a * Rpower (v / a) m <= p v <= p a * Rpower (v / a) M.
Proof.
intros V E D B. assert (K := power_between L k m M a v V D B). rewrite !power_of, !E, <- !exp_plus by lra. split; apply exp_le; lra.
Qed.
(* The integral of (v/a)^m: up to a, or from a on, it is a/|1 + m| less what lies beyond the other end. *)
Theorem K403_integral a m u v : 0 < a -> 0 < u <= v -> 1 + m <> 0 -> is_RInt (fun x => Rpower (x / a) m) u v (a / (1 + m) * (Rpower (v / a) (1 + m) - Rpower (u / a) (1 + m))).
Proof.
intros A U N. replace (a / (1 + m) * (Rpower (v / a) (1 + m) - Rpower (u / a) (1 + m))) with
  (minus (a / (1 + m) * Rpower (v / a) (1 + m)) (a / (1 + m) * Rpower (u / a) (1 + m))) by (unfold minus, plus, opp; simpl; ring).
apply (is_RInt_derive (fun x => a / (1 + m) * Rpower (x / a) (1 + m))); intros x; rewrite Rmin_left, Rmax_right by lra; intros X; assert (Q : 0 < x / a) by (apply Rdiv_lt_0_compat; lra).
- unfold Rpower. auto_derive; [ exact Q | ]. change (x * / a) with (x / a). replace ((1 + m) * ln (x / a)) with (m * ln (x / a) + ln (x / a)) by ring.
  rewrite exp_plus, (exp_ln (x / a) Q). set (e := exp (m * ln (x / a))). field. repeat split; lra.
- apply (ex_derive_continuous (fun x => Rpower (x / a) m)). unfold Rpower. auto_derive. exact Q.
Qed.
Theorem K403_share a m x : 0 < a -> 0 < x -> Rpower (a / a) (1 + m) = 1 /\ 0 < Rpower (x / a) (1 + m).
Proof. intros A X. replace (a / a) with 1 by (field; lra). unfold Rpower. rewrite ln_1, Rmult_0_r, exp_0. split; [ reflexivity | apply exp_pos ]. Qed.

(* ---- V is a function of what is released: averages of (V z_i + c_i)^2 ---- *)
Definition average (n : nat) (x : nat -> R) : R := privacy.sum n x / INR n.
Theorem K405_expanded n V (z c : nat -> R) : (0 < n)%nat ->
  average n (fun i => (V * z i + c i) ^ 2) = V ^ 2 * average n (fun i => z i ^ 2) + 2 * V * average n (fun i => c i * z i) + average n (fun i => c i ^ 2).
Proof.
intros N. unfold average. assert (P : INR n <> 0) by (apply not_0_INR; lia).
replace (privacy.sum n (fun i => (V * z i + c i) ^ 2)) with (V ^ 2 * privacy.sum n (fun i => z i ^ 2) + 2 * V * privacy.sum n (fun i => c i * z i) + privacy.sum n (fun i => c i ^ 2)).
- field. exact P.
- rewrite <- !privacy.sum_scal, <- !privacy.sum_plus. apply privacy.sum_ext. intros i. ring.
Qed.
(* The squares of z have the average 1 in the limit, those of c add up to at most S: the averages tend to V^2. *)
Theorem K405_limit V (z c : nat -> R) most : is_lim_seq (fun n => average n (fun i => z i ^ 2)) 1 -> (forall n, privacy.sum n (fun i => c i ^ 2) <= most) ->
  is_lim_seq (fun n => average n (fun i => (V * z i + c i) ^ 2)) (V ^ 2).
Proof.
intros Z C. assert (C0 : forall n, 0 <= privacy.sum n (fun i => c i ^ 2)) by (induction n as [|n IH]; simpl in *; [ lra | generalize (pow2_ge_0 (c n)); simpl; lra ]).
assert (Inv : is_lim_seq (fun n => / INR n) 0).
{ apply is_lim_seq_ext with (fun n => / INR n); [ reflexivity | ]. replace (Finite 0) with (Rbar_inv p_infty) by reflexivity. apply is_lim_seq_inv; [ apply is_lim_seq_INR | easy ]. }
assert (Last : is_lim_seq (fun n => average n (fun i => c i ^ 2)) 0).
{ apply (is_lim_seq_le_le_loc (fun _ => 0) _ (fun n => most * / INR n)).
  - exists 1%nat. intros n N. assert (I : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia). unfold average, Rdiv. split; [ apply Rmult_le_pos; [ apply C0 | lra ] | apply Rmult_le_compat_r; [ lra | apply C ] ].
  - apply is_lim_seq_const.
  - replace (Finite 0) with (Rbar_mult most 0) by (simpl; f_equal; ring). now apply is_lim_seq_scal_l. }
assert (Cross : is_lim_seq (fun n => average n (fun i => c i * z i)) 0).
{ (* Cauchy and Schwarz *)
  assert (B : forall n, Rabs (average n (fun i => c i * z i)) <= sqrt (average n (fun i => c i ^ 2)) * sqrt (average n (fun i => z i ^ 2))).
  { intros n. destruct n as [|n]; [ unfold average; simpl; unfold Rdiv; rewrite !Rmult_0_l, Rabs_R0, sqrt_0; lra | ]. set (N := S n) in *. assert (I : 0 < / INR N) by (apply Rinv_0_lt_compat, lt_0_INR; unfold N; lia).
    assert (Sq : forall x, privacy.dot N x x = privacy.sum N (fun i => x i ^ 2)) by (intros x; apply privacy.sum_ext; intros i; ring).
    assert (CS : forall x y, privacy.dot N x y <= sqrt (privacy.sum N (fun i => x i ^ 2)) * sqrt (privacy.sum N (fun i => y i ^ 2))) by (intros x y; rewrite <- !Sq; apply privacy.dot_norm).
    unfold average, Rdiv. rewrite !sqrt_mult_alt by (apply (Rle_trans _ (privacy.dot N c c)); [ apply privacy.dot_self | rewrite Sq; lra ] || (rewrite <- Sq; apply privacy.dot_self)).
    rewrite Rabs_mult, (Rabs_pos_eq (/ INR N)) by lra. replace (sqrt (privacy.sum N (fun i => c i ^ 2)) * sqrt (/ INR N) * (sqrt (privacy.sum N (fun i => z i ^ 2)) * sqrt (/ INR N)))
      with (sqrt (privacy.sum N (fun i => c i ^ 2)) * sqrt (privacy.sum N (fun i => z i ^ 2)) * (sqrt (/ INR N) * sqrt (/ INR N))) by ring.
    rewrite sqrt_sqrt by lra. apply Rmult_le_compat_r; [ lra | ]. apply Rabs_le. split; [ | apply (CS c z) ].
    assert (K := CS (fun i => - c i) z). unfold privacy.dot in K. rewrite (privacy.sum_ext N (fun i => - c i * z i) (fun i => -1 * (c i * z i))) in K by (intros; ring). rewrite privacy.sum_scal in K.
    rewrite (privacy.sum_ext N (fun i => (- c i) ^ 2) (fun i => c i ^ 2)) in K by (intros; ring). lra. }
  apply is_lim_seq_abs_0. apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => sqrt (average n (fun i => c i ^ 2)) * sqrt (average n (fun i => z i ^ 2)))).
  - intros n. split; [ apply Rabs_pos | apply B ].
  - apply is_lim_seq_const.
  - replace (Finite 0) with (Rbar_mult (sqrt 0) (sqrt 1)) by (rewrite sqrt_0, sqrt_1; simpl; f_equal; ring).
    apply is_lim_seq_mult'; apply (is_lim_seq_continuous sqrt); trivial; apply continuity_pt_sqrt; lra. }
apply is_lim_seq_ext_loc with (fun n => V ^ 2 * average n (fun i => z i ^ 2) + 2 * V * average n (fun i => c i * z i) + average n (fun i => c i ^ 2)).
- exists 1%nat. intros n N. symmetry. apply K405_expanded. lia.
- replace (Finite (V ^ 2)) with (Finite (V ^ 2 * 1 + 2 * V * 0 + 0)) by (f_equal; ring).
  apply is_lim_seq_plus'; [ apply is_lim_seq_plus' | exact Last ].
  + apply (is_lim_seq_scal_l _ (V ^ 2) 1 Z).
  + apply (is_lim_seq_scal_l _ (2 * V) 0 Cross).
Qed.
(* The mean over V of what rises with the shift rises with it. *)
Theorem K405_longest (Values : Type) (I : divergences.linear Values) (v : Values -> R) (h : R -> R) s t (J := divergences.of_functions Values I) :
  (forall x, 0 < v x) -> (forall x y, 0 < x <= y -> h x <= h y) -> 0 < s <= t -> privacy.integrable Values J (fun x => h (s / v x)) -> privacy.integrable Values J (fun x => h (t / v x)) ->
  privacy.value Values J (fun x => h (s / v x)) <= privacy.value Values J (fun x => h (t / v x)).
Proof.
intros V H S A B. apply (divergences.mean_le I); trivial. intros x. specialize (V x). assert (K : 0 < / v x) by now apply Rinv_0_lt_compat.
apply H. split; [ apply Rmult_lt_0_compat; lra | apply Rmult_le_compat_r; lra ].
Qed.

(* ---- an antiderivative on a panel ---- *)
Theorem K406_rises F p a b u x v : (forall y, a <= y <= b -> is_derive F y (p y)) -> (forall y, a <= y <= b -> 0 <= p y) -> a <= u -> u <= x <= v -> v <= b -> F u <= F x <= F v.
Proof. intros D P A X B. split; apply (rises F p); try lra; intros y Y; (apply D || apply P); lra. Qed.
Theorem K406_moment k : is_RInt (fun x => x ^ k) (-1) 0 ((-1) ^ k / (INR k + 1)).
Proof.
assert (N : INR k + 1 <> 0) by (generalize (pos_INR k); lra).
replace ((-1) ^ k / (INR k + 1)) with (minus (/ (INR k + 1) * 0 ^ S k) (/ (INR k + 1) * (-1) ^ S k)) by (unfold minus, plus, opp; simpl; field; exact N).
apply (is_RInt_derive (fun x => / (INR k + 1) * x ^ S k)).
- intros x _. replace (x ^ k) with (/ (INR k + 1) * (INR (S k) * 1 * x ^ pred (S k))) by (rewrite S_INR; simpl pred; field; exact N).
  apply (is_derive_scal (fun x => x ^ S k)). apply (is_derive_pow (fun x => x)). apply (@is_derive_id R_AbsRing).
- intros x _. apply (ex_derive_continuous (fun x => x ^ k)). auto_derive. trivial.
Qed.
