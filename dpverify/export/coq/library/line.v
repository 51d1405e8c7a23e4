(* ==== Profiles on the line: the integral of (p - e^eps q)+, p x = f (x^2) and q x = p (x - s), for an f that falls.
   Over a bounded part it is the sum of finite integrals on pieces where the sign of p - e^eps q is known; what lies
   beyond is at most the integral of p there, and f falls at least as fast as a power. *)
(* ---- integrals over half-lines, and over the line ---- *)
Section Half.
Variables (h : R -> R) (most : R).
Hypotheses (h_continuous : forall x, continuous h x) (h_pos : forall x, 0 <= h x).
Lemma exists_integral a b : ex_RInt h a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply h_continuous. Qed.
Lemma integral_pos a b : a <= b -> 0 <= RInt h a b.
Proof. intros L. apply RInt_ge_0; [ exact L | apply exists_integral | intros; apply h_pos ]. Qed.
Lemma integral_split a b c : RInt h a c = RInt h a b + RInt h b c.
Proof. symmetry. apply (RInt_Chasles h a b c); apply exists_integral. Qed.
Lemma integral_longer a b c : b <= c -> RInt h a b <= RInt h a c.
Proof. intros L. rewrite (integral_split a b c). generalize (integral_pos b c L). lra. Qed.
Hypothesis (bound : forall b, 0 <= b -> RInt h 0 b <= most).
Lemma half_line : exists I, is_RInt_gen h (at_point 0) (Rbar_locally p_infty) I /\ (forall b, 0 <= b -> RInt h 0 b <= I) /\ I <= most.
Proof.
destruct (completeness (fun v => exists b, 0 <= b /\ v = RInt h 0 b)) as [I [U L]].
- exists most. intros v [b [B ->]]. now apply bound.
- exists (RInt h 0 0), 0. split; [ lra | reflexivity ].
- exists I. split; [ | split; [ intros b B; apply U; eauto | apply L; intros v [b [B ->]]; now apply bound ] ].
  intros P [e He].
  assert (X : exists b, 0 <= b /\ I - e < RInt h 0 b).
  { apply Classical_Pred_Type.not_all_not_ex. intros N. assert (K : I <= I - e); [ | generalize (cond_pos e); lra ].
    apply L. intros v [b [B ->]]. apply Rnot_lt_le. intros G. now apply (N b). }
  destruct X as [b [B G]]. apply Filter_prod with (Q := fun a => a = 0) (R := fun x => b < x); [ reflexivity | now exists b | ].
  intros x y -> Y. exists (RInt h 0 y). split; [ apply (RInt_correct h), exists_integral | ]. apply He.
  change (Rabs (RInt h 0 y - I) < e). apply Rabs_def1; assert (A := U (RInt h 0 y) ltac:(exists y; split; [ lra | reflexivity ]));
    generalize (integral_longer 0 b y ltac:(lra)), (cond_pos e); lra.
Qed.
End Half.

Section Whole.
Variables (h : R -> R) (left right : R).
Hypotheses (h_continuous : forall x, continuous h x) (h_pos : forall x, 0 <= h x).
Let back x := h (- x).
Lemma back_continuous x : continuous back x.
Proof. apply (continuous_comp Ropp h); [ apply ex_continuous; auto_derive; easy | apply h_continuous ]. Qed.
Lemma back_pos x : 0 <= back x. Proof. apply h_pos. Qed.
Hypotheses (on_left : forall b, 0 <= b -> RInt back 0 b <= left) (on_right : forall b, 0 <= b -> RInt h 0 b <= right).
Theorem whole_line : exists I, is_RInt_gen h (Rbar_locally m_infty) (Rbar_locally p_infty) I /\
  (forall a b, 0 <= a -> 0 <= b -> RInt back 0 a + RInt h 0 b <= I) /\ I <= left + right.
Proof.
destruct (half_line back left back_continuous back_pos on_left) as [I [A [A1 A2]]].
destruct (half_line h right h_continuous h_pos on_right) as [J [B [B1 B2]]].
exists (I + J). split; [ | split; [ intros a b a0 b0; generalize (A1 a a0), (B1 b b0); lra | lra ] ].
apply (is_RInt_gen_Chasles h 0 I J); [ | exact B ].
intros P HP. destruct (A P HP) as [Q R' q r H]. apply Filter_prod with (Q := fun x => R' (- x)) (R := fun x => x = 0); [ | reflexivity | ].
- destruct r as [M r]. exists (- M). intros x X. apply r. lra.
- intros x y X ->. destruct (H 0 (- x) ltac:(apply q) X) as [v [V W]]. exists v. split; [ | exact W ]. simpl in *.
  apply is_RInt_swap in V. change (Hierarchy.opp v) with (- v) in V. replace v with (- - v) by ring.
  apply (is_RInt_ext (fun t => - - h t)); [ intros; apply Ropp_involutive | ].
  apply (is_RInt_opp (fun t => - h t)).
  apply (is_RInt_ext (fun t => - back (- t))); [ intros t _; unfold back; now rewrite Ropp_involutive | ].
  apply (is_RInt_comp_opp back). now rewrite Ropp_0.
Qed.
End Whole.

(* ---- pieces ---- *)
Lemma join (h : R -> R) a b c l m n o : (forall x, continuous h x) -> l <= RInt h a b <= m -> n <= RInt h b c <= o -> l + n <= RInt h a c <= m + o.
Proof. intros C. rewrite (integral_split h C a b c). lra. Qed.
Lemma piece (e h : R -> R) a b l m : a <= b -> (forall r, a < r < b -> e r = h r) -> l <= RInt h a b <= m -> l <= RInt e a b <= m.
Proof. intros L E. rewrite (RInt_ext e h a b); [ auto | ]. rewrite Rmin_left, Rmax_right by lra. exact E. Qed.

Lemma ordered n m d : andb (Z.leb 0 n) (Z.leb n m) = true -> 0 <= IZR n / IZR (Zpos d) <= IZR m / IZR (Zpos d).
Proof.
intros H. apply andb_prop in H. destruct H as [A B]. apply Z.leb_le, IZR_le in A. apply Z.leb_le, IZR_le in B.
assert (P : 0 < / IZR (Zpos d)) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity). unfold Rdiv. split; [ now apply Rmult_le_pos; [ | left ] | apply Rmult_le_compat_r; lra ].
Qed.

Section Line.
Variables (F : expr) (ch : charts) (f : R -> R) (s eps : R).
Hypotheses (f_F : forall r, 0 <= r -> f (r ^ 2) = ev F r) (s_pos : 0 < s) (eps_pos : 0 <= eps).
Definition falls_smoothly : bool := andb (defined F ch) (andb (falls F ch) (continuous_at_0 F)).
Hypothesis ok : falls_smoothly = true.

Let regular_F : regular F ch.
Proof. apply defined_ok. unfold falls_smoothly in ok. now apply andb_prop in ok. Qed.
Let falls_F : falls F ch = true.
Proof. unfold falls_smoothly in ok. apply andb_prop in ok. destruct ok as [_ H]. now apply andb_prop in H. Qed.
Let smooth_F : continuous (ev F) 0.
Proof. apply continuous_at_0_ok. unfold falls_smoothly in ok. apply andb_prop in ok. destruct ok as [_ H]. now apply andb_prop in H. Qed.
Let f_beyond r : 0 < r -> f (r ^ 2) = ev F r.
Proof. intros; apply f_F; lra. Qed.
Let f_0 : f 0 = ev F 0.
Proof. rewrite <- f_F by lra. f_equal. ring. Qed.
Theorem f_positive_from_0 : forall y, 0 <= y -> 0 < f y.
Proof. exact (positive_from_0 F ch regular_F f f_beyond f_0 smooth_F falls_F). Qed.
Theorem f_falls_from_0 : forall x y, 0 <= x <= y -> f y <= f x.
Proof. exact (falls_from_0 F ch regular_F f f_beyond f_0 smooth_F falls_F). Qed.

Definition density x := f (x ^ 2).
Definition surplus x := Rmax (density x - exp eps * density (x - s)) 0.
Lemma density_pos x : 0 < density x. Proof. apply f_positive_from_0, pow2_ge_0. Qed.
Lemma density_abs x : density (Rabs x) = density x. Proof. unfold density. now rewrite pow2_abs. Qed.
Lemma density_falls x y : Rabs x <= Rabs y -> density y <= density x.
Proof. intros L. rewrite <- (density_abs x), <- (density_abs y). apply f_falls_from_0. split; [ apply pow2_ge_0 | apply pow_incr; split; [ apply Rabs_pos | exact L ] ]. Qed.
Lemma density_F x : density x = ev F (Rabs x).
Proof. rewrite <- density_abs. apply f_F, Rabs_pos. Qed.
Lemma F_continuous x : 0 <= x -> continuous (ev F) x.
Proof.
intros [X|<-]; [ | exact smooth_F ]. apply continuous_ext_loc with (fun t => exp (- g F t)).
- generalize (open_gt 0 x X). apply filter_imp. intros t T. symmetry. now apply (F_exp F ch regular_F).
- apply (continuous_comp (fun t => - g F t) exp); [ apply (continuous_opp (g F)) | apply continuous_exp ].
  apply @ex_derive_continuous. eexists. now apply (slope_ok F ch regular_F).
Qed.
Lemma density_continuous x : continuous density x.
Proof. apply continuous_ext with (fun t => ev F (Rabs t)); [ intros; symmetry; apply density_F | ].
apply (continuous_comp Rabs (ev F)); [ apply continuous_Rabs | apply F_continuous, Rabs_pos ]. Qed.
Lemma surplus_continuous x : continuous surplus x.
Proof.
assert (U : continuous (fun t => density t - exp eps * density (t - s)) x).
{ apply (continuous_minus density (fun t => exp eps * density (t - s))); [ apply density_continuous | ].
  apply (continuous_scal_r (exp eps) (fun t => density (t - s))). apply (continuous_comp (fun t => t - s) density); [ apply ex_continuous; auto_derive; easy | apply density_continuous ]. }
apply continuous_ext with (fun t => (density t - exp eps * density (t - s) + Rabs (density t - exp eps * density (t - s))) * / 2).
- intros t. unfold surplus, Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
- apply (continuous_scal_l (fun t => density t - exp eps * density (t - s) + Rabs (density t - exp eps * density (t - s))) (/ 2)).
  apply (continuous_plus (fun t => density t - exp eps * density (t - s)) (fun t => Rabs (density t - exp eps * density (t - s)))); [ exact U | ].
  apply (continuous_comp (fun t => density t - exp eps * density (t - s)) Rabs); [ exact U | apply continuous_Rabs ].
Qed.
Lemma surplus_pos x : 0 <= surplus x. Proof. apply Rmax_r. Qed.
Lemma surplus_p x : surplus x <= density x.
Proof. apply Rmax_lub; [ | left; apply density_pos ]. generalize (Rmult_lt_0_compat _ _ (exp_pos eps) (density_pos (x - s))). lra. Qed.
Lemma surplus_beyond x : s / 2 <= x -> surplus x = 0.
Proof.
intros X. apply Rmax_right. assert (L : density x <= density (x - s)) by (apply density_falls; unfold Rabs; repeat destruct Rcase_abs; lra).
assert (G := density_pos (x - s)). assert (K : 1 <= exp eps) by (rewrite <- exp_0; destruct eps_pos as [H|<-]; [ left; now apply exp_increasing | right; reflexivity ]).
generalize (Rmult_le_compat_r _ 1 (exp eps) (Rlt_le _ _ G) K). lra.
Qed.

(* The two sides of the centre, by radii. *)
Lemma on_the_left r : 0 <= r -> surplus (- r) = Rmax (ev F r - exp eps * ev F (r + s)) 0.
Proof. intros H. unfold surplus. rewrite !density_F. rewrite Rabs_Ropp, (Rabs_pos_eq r H), (Rabs_left (- r - s)) by lra. now replace (- (- r - s)) with (r + s) by ring. Qed.
Lemma on_the_right r : 0 <= r <= s / 2 -> surplus r = Rmax (ev F r - exp eps * ev F (s - r)) 0.
Proof. intros H. unfold surplus. rewrite !density_F. rewrite (Rabs_pos_eq r), (Rabs_left (r - s)) by lra. now replace (- (r - s)) with (s - r) by ring. Qed.
Lemma thin side a b : Rabs side = 1 -> 0 <= a <= b -> 0 <= RInt (fun r => surplus (side * r)) a b <= (b - a) * ev F a.
Proof.
intros S L. assert (C : forall x, continuous (fun r => surplus (side * r)) x).
{ intros x. apply (continuous_comp (fun t => side * t) surplus); [ apply ex_continuous; auto_derive; easy | apply surplus_continuous ]. }
split; [ apply RInt_ge_0; [ lra | now apply exists_integral | intros; apply surplus_pos ] | ].
apply Rle_trans with (RInt (fun _ => ev F a) a b); [ | rewrite RInt_const; apply Rle_refl ].
apply RInt_le; [ lra | now apply exists_integral | apply ex_RInt_const | ].
intros x X. apply Rle_trans with (1 := surplus_p _). replace (ev F a) with (density a) by (rewrite density_F, Rabs_pos_eq; [ reflexivity | lra ]).
apply density_falls. rewrite Rabs_mult, S, !Rabs_pos_eq; lra.
Qed.

(* ---- the sign of density - e^eps q on a piece: that of its loss less eps ---- *)
Variables (sn : Z) (sd : positive) (en : Z) (ed : positive).
Hypotheses (s_is : s = IZR sn / IZR (Zpos sd)) (eps_is : eps = IZR en / IZR (Zpos ed)) (r0_s : / IZR (Zpos (zero_d ch)) <= s / 2).
Definition across (side : bool) : expr := if side then Sub (Rat sn sd) Var else Add Var (Rat sn sd).
Definition lead (M : expr) (above : bool) : expr := let loss := Sub (subst (G F true) M) (G F true) in
  if above then Sub loss (Rat en ed) else Sub (Rat en ed) loss.
Definition nonnegative_on (l : list expr) (e e' : expr) n m d : bool := let x := box n m d in
  andb (forallb (fun a => I.real (iev a x)) (e :: l)) (if ge0 (iev e x) then true else
  let c := point (n + m) (2 * d) in ge0 (I.add prec (iev e c) (I.mul prec (iev e' x) (I.sub prec x c)))).
Definition gain_along (M : expr) : expr := Sub F (Mul (Exp (Rat en ed)) (subst F M)).
Definition leads (M : expr) (above : bool) := nonnegative_on (steps F true) (lead M above) (D (lead M above)).
Lemma nonnegative_on_ok l e n m d y : nonnegative_on l e (D e) n m d = true -> IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) ->
  (forall a, In a l -> def a y) /\ 0 <= ev e y.
Proof.
intros T Y. apply andb_prop in T. destruct T as [R T]. rewrite forallb_forall in R.
assert (K : forall a z, In a (e :: l) -> IZR n / IZR (Zpos d) <= z <= IZR m / IZR (Zpos d) -> def a z).
{ intros a z A Z. apply (iev_ok a (box n m d) z (box_ok n m d z Z)). now apply R. }
split; [ intros a A; apply K; [ now right | exact Y ] | ].
assert (Y' := box_ok n m d y Y). destruct ge0 eqn:E in T; [ now apply (ge0_ev _ (box n m d)) | ]. clear E.
set (c := IZR (n + m) / IZR (Zpos (2 * d))) in *. assert (Cy := middle_ok n m d y Y). fold c in Cy.
assert (inner : forall z, Rmin c y <= z <= Rmax c y -> IZR n / IZR (Zpos d) <= z <= IZR m / IZR (Zpos d)).
{ intros z. unfold Rmin, Rmax. destruct Rle_dec; lra. }
destruct (mean_value_either (ev e) (ev (D e)) c y) as [z [Hz Ez]].
{ intros z Hz. apply D_ok, K; [ now left | now apply inner ]. }
destruct (ge0_X _ (Xadd (xev e (Xreal c)) (Xmul (xev (D e) (Xreal z)) (Xreal (y - c)))) T) as [v [Ev V]].
{ apply I.add_correct; [ apply iev_xev, point_ok | apply I.mul_correct; [ apply iev_xev, box_ok; now apply inner | ] ].
  apply (I.sub_correct prec _ _ (Xreal y) (Xreal c)); [ exact Y' | apply point_ok ]. }
destruct (xev e (Xreal c)) as [|pc] eqn:Pc; [ discriminate | ]. destruct (xev_ok _ _ _ Pc) as [_ Ec].
destruct (xev (D e) (Xreal z)) as [|pz] eqn:Pz; [ discriminate | ]. destruct (xev_ok _ _ _ Pz) as [_ Ez'].
simpl in Ev. injection Ev as <-. rewrite <- Ec, <- Ez' in V. lra.
Qed.
(* From what a test shows at y: the loss from y to M y. *)
Lemma lead_ok M above y : (forall a, In a (steps F true) -> def a y) -> 0 <= ev (lead M above) y -> 0 < y -> / IZR (Zpos (zero_d ch)) <= ev M y ->
  if above then exp eps * ev F (ev M y) <= ev F y else ev F y <= exp eps * ev F (ev M y).
Proof.
intros St H P Q. assert (R := r0_pos ch).
destruct (potential F true y P St) as [_ [Gy _]].
destruct (far_potential F ch regular_F _ Q) as [_ [Gt _]].
rewrite (F_exp F ch regular_F y P), (F_exp F ch regular_F _ (Rlt_le_trans _ _ _ R Q)), Gy, Gt, <- exp_plus.
assert (L : forall u v, u <= v -> exp u <= exp v) by (intros u v [J | ->]; [ left; now apply exp_increasing | apply Rle_refl ]).
destruct above; unfold lead in H; cbn [ev] in H; rewrite subst_ok in H; apply L; rewrite eps_is; lra.
Qed.
Lemma leads_ok M above fuel n m d y : tile (leads M above) fuel n m d = true -> IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) ->
  0 < y -> / IZR (Zpos (zero_d ch)) <= ev M y ->
  if above then exp eps * ev F (ev M y) <= ev F y else ev F y <= exp eps * ev F (ev M y).
Proof.
intros T Y P Q. assert (H : (forall a, In a (steps F true) -> def a y) /\ 0 <= ev (lead M above) y).
{ apply (tile_ok (fun y => (forall a, In a (steps F true) -> def a y) /\ 0 <= ev (lead M above) y) (leads M above)) with (2 := T); [ | exact Y ].
  intros. now apply (nonnegative_on_ok _ _ n0 m0 d0). }
now apply lead_ok.
Qed.

Definition side_of (side : bool) : R := if side then 1 else -1.
Lemma surplus_at side r : 0 <= r -> (side = true -> r <= s / 2) -> surplus (side_of side * r) = Rmax (ev F r - exp eps * ev F (ev (across side) r)) 0.
Proof.
intros H K. destruct side; unfold side_of; cbn [across ev]; rewrite <- s_is.
- rewrite Rmult_1_l. apply on_the_right. auto.
- replace (-1 * r) with (- r) by ring. now apply on_the_left.
Qed.
Lemma side_is_one side : Rabs (side_of side) = 1.
Proof. clear. destruct side; unfold side_of; [ apply Rabs_pos_eq | rewrite Rabs_left ]; lra. Qed.
Section Piece.
Variables (side : bool) (n m : Z) (d : positive) (fuel : nat).
Hypotheses (rising : andb (Z.leb 0 n) (Z.leb n m) = true) (within : side = true -> IZR m / IZR (Zpos d) <= s / 2).
Let ends : 0 <= IZR n / IZR (Zpos d) <= IZR m / IZR (Zpos d).
Proof. now apply ordered. Qed.
Let far r : IZR n / IZR (Zpos d) < r < IZR m / IZR (Zpos d) -> 0 < r /\ / IZR (Zpos (zero_d ch)) <= ev (across side) r /\ (side = true -> r <= s / 2).
Proof.
intros H. split; [ lra | ]. destruct side; cbn [across ev]; rewrite <- s_is; split; try lra; try discriminate; specialize (within eq_refl); lra.
Qed.
Lemma nothing_there : tile (leads (across side) false) fuel n m d = true ->
  0 <= RInt (fun r => surplus (side_of side * r)) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= 0.
Proof.
intros T. apply (piece _ (fun _ => 0)); [ apply ends | | rewrite RInt_const; change (scal ?a 0) with (a * 0); lra ].
intros r H. destruct (far r H) as [P [Q W]]. rewrite surplus_at by (trivial; lra). apply Rmax_right.
assert (L := leads_ok (across side) false fuel n m d r T ltac:(lra) P Q). simpl in L. lra.
Qed.
Lemma all_there l u : tile (leads (across side) true) fuel n m d = true ->
  l <= RInt (ev (gain_along (across side))) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= u ->
  l <= RInt (fun r => surplus (side_of side * r)) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= u.
Proof.
intros T. apply piece; [ apply ends | ]. intros r H. destruct (far r H) as [P [Q W]]. rewrite surplus_at by (trivial; lra).
unfold gain_along. cbn [ev]. rewrite subst_ok, <- eps_is. apply Rmax_left.
assert (L := leads_ok (across side) true fuel n m d r T ltac:(lra) P Q). simpl in L. lra.
Qed.
Lemma thin_there un ud : ge0 (iev (Sub (Rat un ud) (Mul (Rat (m - n) d) F)) (point n d)) = true ->
  0 <= RInt (fun r => surplus (side_of side * r)) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= IZR un / IZR (Zpos ud).
Proof using f_F ok rising.
intros H. assert (B := thin (side_of side) _ _ (side_is_one side) ends). apply (ge0_ev _ _ (IZR n / IZR (Zpos d)) (point_ok n d)) in H.
cbn [ev] in H. rewrite minus_IZR in H.
replace ((IZR m - IZR n) / IZR (Zpos d)) with (IZR m / IZR (Zpos d) - IZR n / IZR (Zpos d)) in H by (unfold Rdiv; ring). clear - B H. lra.
Qed.
End Piece.
Lemma join_sides side a b c l m n o : l <= RInt (fun r => surplus (side * r)) a b <= m -> n <= RInt (fun r => surplus (side * r)) b c <= o ->
  l + n <= RInt (fun r => surplus (side * r)) a c <= m + o.
Proof.
apply join. intros x. apply (continuous_comp (fun t => side * t) surplus); [ apply ex_continuous; auto_derive; easy | apply surplus_continuous ].
Qed.
Lemma join_p a b c l m n o : l <= RInt density a b <= m -> n <= RInt density b c <= o -> l + n <= RInt density a c <= m + o.
Proof. apply join, density_continuous. Qed.
Lemma piece_p n m d l u : andb (Z.leb 0 n) (Z.leb n m) = true -> l <= RInt (ev F) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= u ->
  l <= RInt density (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= u.
Proof.
intros H. assert (E := ordered n m d H). apply piece; [ lra | ]. intros r R. now rewrite density_F, Rabs_pos_eq by lra.
Qed.

(* ---- the tail ---- *)
Definition falls_like (n : Z) (order : nat) (kn : Z) (kd : positive) : bool :=
  andb (large_enough n) (nonnegative n (at_infinity n order (Sub (Mul Var (dG F true)) (Rat kn kd)))).
Lemma falls_like_ok n order kn kd : falls_like n order kn kd = true -> 1 < IZR n /\ forall t, IZR n <= t -> IZR kn / IZR (Zpos kd) <= t * ev (dG F true) t.
Proof.
intros H. apply andb_prop in H. destruct H as [L H]. split; [ now apply large_ok in L | ]. intros t T.
assert (A := nonnegative_ok n L _ _ H (proj1 (infinity_ok n order L _)) t T). simpl in A. lra.
Qed.
(* With r^j as a weight: 0 on the line, 2 in space. *)
Lemma weighted_tail j n order kn kd b : falls_like n order kn kd = true -> INR j + 1 < IZR kn / IZR (Zpos kd) -> IZR n <= b ->
  RInt (fun t => t ^ j * density t) (IZR n) b <= IZR n ^ S j * ev F (IZR n) / (IZR kn / IZR (Zpos kd) - (INR j + 1)).
Proof.
set (k := IZR kn / IZR (Zpos kd)). set (a := IZR n). intros H K B. apply falls_like_ok in H. fold k a in H. destruct H as [A H].
set (w := INR j + 1) in *. set (c := ev F a * exp (k * ln a)).
assert (r0_1 : / IZR (Zpos (zero_d ch)) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; [ lra | apply IZR_le; lia ]).
assert (power : forall t, 0 < t -> t ^ j = exp ((w - 1) * ln t)).
{ intros t T. rewrite <- (Rpower_pow j t T). unfold Rpower, w. f_equal. ring. }
assert (P : forall t, a <= t -> t ^ j * density t <= c * exp ((w - 1 - k) * ln t)).
{ intros t T. unfold c. rewrite power, density_F, Rabs_pos_eq by lra. rewrite !(F_exp F ch regular_F) by lra. rewrite <- !exp_plus.
  assert (M : g F a - k * ln a <= g F t - k * ln t).
  { destruct (mean_value (fun x => g F x - k * ln x) (fun x => ev (dG F true) x - k / x) a t T) as [x [X E]].
    - intros x X. apply (is_derive_minus (g F) (fun x => k * ln x)); [ apply (far_potential F ch regular_F); lra | ].
      auto_derive; [ lra | unfold Rdiv; ring ].
    - assert (G := H x ltac:(lra)). assert (Q : 0 <= ev (dG F true) x - k / x).
      { apply Rmult_le_reg_l with x; [ lra | ]. replace (x * (ev (dG F true) x - k / x)) with (x * ev (dG F true) x - k) by (field; lra). lra. }
      assert (0 <= (ev (dG F true) x - k / x) * (t - a)) by (apply Rmult_le_pos; lra). lra. }
  destruct (Rle_lt_or_eq_dec ((w - 1) * ln t + - g F t) (- g F a + k * ln a + (w - 1 - k) * ln t) ltac:(lra)) as [J|J]; [ left; now apply exp_increasing | right; now rewrite J ]. }
set (primitive t := - (c / (k - w)) * exp ((w - k) * ln t)).
assert (I : is_RInt (fun t => c * exp ((w - 1 - k) * ln t)) a b (Hierarchy.minus (primitive b) (primitive a))).
{ apply (is_RInt_derive primitive (fun t => c * exp ((w - 1 - k) * ln t))); rewrite Rmin_left, Rmax_right by lra; intros t T.
  - unfold primitive. auto_derive; [ lra | ]. replace ((w - 1 - k) * ln t) with ((w - k) * ln t + - ln t) by ring. rewrite exp_plus, exp_Ropp, exp_ln by lra. field. lra.
  - apply ex_continuous. auto_derive. lra. }
assert (C : 0 < c) by (apply Rmult_lt_0_compat; [ apply (F_pos F ch regular_F); lra | apply exp_pos ]).
apply Rle_trans with (RInt (fun t => c * exp ((w - 1 - k) * ln t)) a b).
- apply RInt_le; [ exact B | | eexists; exact I | intros t T; apply P; lra ]. apply exists_integral. intros x.
  apply (continuous_mult (fun t => t ^ j) density); [ apply ex_continuous; auto_derive; easy | apply density_continuous ].
- rewrite (is_RInt_unique _ _ _ _ I). change (primitive b - primitive a <= a ^ S j * ev F a / (k - w)).
  assert (G : 0 < c / (k - w) * exp ((w - k) * ln b)) by (apply Rmult_lt_0_compat; [ apply Rdiv_lt_0_compat; lra | apply exp_pos ]).
  replace (a ^ S j * ev F a / (k - w)) with (- primitive a); [ unfold primitive at 1; lra | ].
  unfold primitive, c. change (a ^ S j) with (a * a ^ j). rewrite power by lra.
  replace ((w - k) * ln a) with ((w - 1) * ln a + ln a + - (k * ln a)) by ring. rewrite !exp_plus, exp_Ropp, exp_ln by lra.
  assert (exp (k * ln a) <> 0) by apply Rgt_not_eq, exp_pos. field. lra.
Qed.
(* What the bound of the tail is at most, by an enclosure at its start. *)
Definition tail_at_most (j : nat) (n kn : Z) (kd : positive) (un : Z) (ud : positive) : bool :=
  ge0 (iev (Sub (Rat un ud) (Mul (Mul (Nat (Int n) (S j)) F) (Inv (Sub (Rat kn kd) (Int (Z.of_nat (S j))))))) (point n 1)).
Lemma little_beyond j n order kn kd un ud b : andb (falls_like n order kn kd) (tail_at_most j n kn kd un ud) = true ->
  Z.ltb (Z.of_nat (S j) * Zpos kd) kn = true -> IZR n <= b -> RInt (fun t => t ^ j * density t) (IZR n) b <= IZR un / IZR (Zpos ud).
Proof.
intros H K B. apply andb_prop in H. destruct H as [H T]. assert (P : 0 < IZR (Zpos kd)) by (apply IZR_lt; reflexivity).
assert (J : IZR (Z.of_nat (S j)) = INR j + 1) by (now rewrite <- INR_IZR_INZ, S_INR).
apply Z.ltb_lt, IZR_lt in K. rewrite mult_IZR, J in K.
assert (L : INR j + 1 < IZR kn / IZR (Zpos kd)) by (apply Rmult_lt_reg_r with (IZR (Zpos kd)); [ exact P | unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra ]).
apply Rle_trans with (1 := weighted_tail j n order kn kd b H L B). apply (ge0_ev _ _ (IZR n / IZR 1) (point_ok n 1)) in T.
cbn [ev] in T. rewrite J in T. replace (IZR n / IZR 1) with (IZR n) in T by field. unfold Rdiv at 1. lra.
Qed.
Lemma beyond_is_little n order kn kd un ud : andb (falls_like n order kn kd) (tail_at_most 0 n kn kd un ud) = true ->
  Z.ltb (Zpos kd) kn = true -> forall b, IZR n <= b -> RInt density (IZR n) b <= IZR un / IZR (Zpos ud).
Proof.
intros H K b B. rewrite (RInt_ext density (fun t => t ^ 0 * density t)) by (intros; simpl; ring). now apply (little_beyond 0 n order kn kd).
Qed.

(* ---- the divergence ---- *)
Theorem divergence radius most zl zu ll lu rl ru lower upper : s / 2 <= radius ->
  (forall b, radius <= b -> RInt density radius b <= most) -> zl <= RInt density 0 radius <= zu ->
  ll <= RInt (fun r => surplus (-1 * r)) 0 radius <= lu -> rl <= RInt (fun r => surplus (1 * r)) 0 (s / 2) <= ru ->
  0 <= lower -> 0 <= upper -> lower * (2 * (zu + most)) <= ll + rl -> lu + most + ru <= upper * (2 * zl) ->
  exists Z E, is_RInt_gen density (Rbar_locally m_infty) (Rbar_locally p_infty) Z /\
    is_RInt_gen surplus (Rbar_locally m_infty) (Rbar_locally p_infty) E /\ lower * Z <= E <= upper * Z.
Proof.
intros H T Zp El Er L0 U0 L U.
assert (ppos : forall x, 0 <= density x) by (intros; left; apply density_pos).
assert (even : forall b, RInt (fun x => density (- x)) 0 b = RInt density 0 b) by (intros; apply RInt_ext; intros; rewrite <- density_abs, Rabs_Ropp; apply density_abs).
assert (mirror : forall b, RInt (fun r => surplus (- r)) 0 b = RInt (fun r => surplus (-1 * r)) 0 b) by (intros; apply RInt_ext; intros; f_equal; ring).
assert (same : RInt (fun r => surplus (1 * r)) 0 (s / 2) = RInt surplus 0 (s / 2)) by (apply RInt_ext; intros; f_equal; ring).
rewrite same in Er. rewrite <- mirror in El.
assert (far : forall b, 0 <= b -> RInt density 0 b <= zu + most).
{ intros b B. apply Rle_trans with (RInt density 0 (Rmax b radius)); [ apply integral_longer; auto using density_continuous, Rmax_l | ].
  rewrite (integral_split density density_continuous 0 radius). generalize (T (Rmax b radius) (Rmax_r _ _)). lra. }
destruct (whole_line density (zu + most) (zu + most) density_continuous ppos) as [Z [IZ [Z1 Z2]]]; [ intros b B; rewrite even; auto | exact far | ].
assert (back : forall b, 0 <= b -> RInt (fun r => surplus (- r)) 0 b <= lu + most).
{ assert (C := back_continuous surplus surplus_continuous). simpl in C.
  assert (N : forall x, 0 <= surplus (- x)) by (intros; apply surplus_pos).
  intros b B. apply Rle_trans with (RInt (fun r => surplus (- r)) 0 (Rmax b radius)); [ apply integral_longer; auto using Rmax_l | ].
  rewrite (integral_split _ C 0 radius). apply Rplus_le_compat; [ apply El | ].
  apply Rle_trans with (RInt density radius (Rmax b radius)); [ | apply T, Rmax_r ].
  apply RInt_le; [ apply Rmax_r | now apply exists_integral | apply exists_integral, density_continuous | ].
  intros x _. apply Rle_trans with (1 := surplus_p _). rewrite <- density_abs, Rabs_Ropp, density_abs. apply Rle_refl. }
assert (ahead : forall b, 0 <= b -> RInt surplus 0 b <= ru).
{ intros b B. apply Rle_trans with (RInt surplus 0 (Rmax b (s / 2))); [ apply integral_longer; auto using surplus_continuous, surplus_pos, Rmax_l | ].
  rewrite (integral_split _ surplus_continuous 0 (s / 2)). assert (G := Rmax_r b (s / 2)).
  rewrite (RInt_ext surplus (fun _ => 0) (s / 2)); [ rewrite RInt_const; change (scal (Rmax b (s / 2) - s / 2) 0) with ((Rmax b (s / 2) - s / 2) * 0); lra | ].
  rewrite Rmin_left, Rmax_right by lra. intros x X. apply surplus_beyond. lra. }
destruct (whole_line surplus (lu + most) ru surplus_continuous surplus_pos back ahead) as [E [IE [E1 E2]]].
exists Z, E. split; [ exact IZ | split; [ exact IE | ] ].
assert (A := Z1 radius radius ltac:(lra) ltac:(lra)). rewrite even in A. assert (B := E1 radius (s / 2) ltac:(lra) ltac:(lra)).
split.
- apply Rle_trans with (lower * (2 * (zu + most))); [ apply Rmult_le_compat_l; lra | lra ].
- apply Rle_trans with (upper * (2 * zl)); [ lra | apply Rmult_le_compat_l; lra ].
Qed.
End Line.
