(* ==== Profiles in space, d = 3: on the sphere of radius r the cosine z of the angle to the shift is uniform on [-1, 1], and
   |x - u|^2 = r^2 + s^2 - 2 r s z.  With t = |x - u| in the place of z the integrals over spheres are those of t f(t^2), and
   by parts all becomes integrals over r of elementary functions of r, along curves t = m r that are near the boundary. *)
Ltac in_R := match goal with |- ?u = ?v => change (@eq R u v) end.
Section Spheres.
Variables (f : R -> R) (s k : R).
Hypotheses (density_continuous : forall x, continuous (density f) x) (density_positive : forall x, 0 < density f x)
  (density_falls : forall x y, Rabs x <= Rabs y -> density f y <= density f x) (s_pos : 0 < s) (k_pos : 0 <= k).
Notation p := (density f).
Definition on_sphere r z := Rmax (f (r ^ 2) - k * f (r ^ 2 + s ^ 2 - 2 * r * s * z)) 0.
Definition shell r := r ^ 2 * f (r ^ 2).
Definition shell_surplus r := r ^ 2 * (RInt (on_sphere r) (-1) 1 / 2).

(* ---- the mean over a sphere is continuous in its radius ---- *)
Let both z r := Rmax (p r - k * p (sqrt (r ^ 2 + s ^ 2 - 2 * r * s * z))) 0.
Lemma square_pos r z : -1 <= z <= 1 -> 0 <= r ^ 2 + s ^ 2 - 2 * r * s * z.
Proof.
intros Z. replace (r ^ 2 + s ^ 2 - 2 * r * s * z) with ((r - s * z) ^ 2 + s ^ 2 * ((1 - z) * (1 + z))) by ring.
apply Rplus_le_le_0_compat; [ apply pow2_ge_0 | apply Rmult_le_pos; [ apply pow2_ge_0 | apply Rmult_le_pos; lra ] ].
Qed.
Lemma at_distance r z : -1 <= z <= 1 -> f (r ^ 2 + s ^ 2 - 2 * r * s * z) = p (sqrt (r ^ 2 + s ^ 2 - 2 * r * s * z)).
Proof. intros Z. unfold density. now rewrite pow2_sqrt by now apply square_pos. Qed.
Lemma on_sphere_both r z : -1 <= z <= 1 -> on_sphere r z = both z r.
Proof. intros Z. unfold on_sphere, both. now rewrite at_distance. Qed.
Lemma positive_part_continuous {U : UniformSpace} (h : U -> R) x : continuous h x -> continuous (fun t => Rmax (h t) 0) x.
Proof.
intros C. apply continuous_ext with (fun t => (h t + Rabs (h t)) * / 2).
- intros t. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
- apply (continuous_scal_l (fun t => h t + Rabs (h t)) (/ 2)). apply (continuous_plus h (fun t => Rabs (h t))); [ exact C | ].
  apply (continuous_comp h Rabs); [ exact C | apply continuous_Rabs ].
Qed.
Lemma both_continuous z r : continuous (fun w : R * R => both (fst w) (snd w)) (z, r).
Proof.
apply positive_part_continuous. assert (S := continuous_snd z r). assert (Z := continuous_fst z r).
apply (continuous_minus (fun w : R * R => p (snd w)) (fun w : R * R => k * p (sqrt (snd w ^ 2 + s ^ 2 - 2 * snd w * s * fst w)))).
- apply (continuous_comp snd p); [ exact S | apply density_continuous ].
- apply (continuous_scal_r k (fun w : R * R => p (sqrt (snd w ^ 2 + s ^ 2 - 2 * snd w * s * fst w)))).
  apply (continuous_comp (fun w : R * R => sqrt (snd w ^ 2 + s ^ 2 - 2 * snd w * s * fst w)) p); [ | apply density_continuous ].
  apply (continuous_comp (fun w : R * R => snd w ^ 2 + s ^ 2 - 2 * snd w * s * fst w) sqrt); [ | apply continuous_sqrt ].
  apply continuous_ext with (fun w : R * R => snd w * (snd w + - (2 * s) * fst w) + s ^ 2); [ intros; simpl; ring | ].
  apply (continuous_plus (fun w : R * R => snd w * (snd w + - (2 * s) * fst w)) (fun _ => s ^ 2)); [ | apply continuous_const ].
  apply (continuous_mult (fun w : R * R => snd w) (fun w : R * R => snd w + - (2 * s) * fst w)); [ exact S | ].
  apply (continuous_plus (fun w : R * R => snd w) (fun w : R * R => - (2 * s) * fst w)); [ exact S | ].
  apply (continuous_scal_r (- (2 * s)) (fun w : R * R => fst w)). exact Z.
Qed.
Lemma both_at z r : continuous (fun z => both z r) z.
Proof.
apply (continuous_comp_2 (fun z : R => z) (fun _ : R => r) both); [ apply continuous_id | apply continuous_const | apply both_continuous ].
Qed.
Lemma on_sphere_integral r : ex_RInt (on_sphere r) (-1) 1.
Proof.
apply ex_RInt_ext with (fun z => both z r).
- intros z Z. rewrite Rmin_left, Rmax_right in Z by lra. symmetry. apply on_sphere_both. lra.
- apply exists_integral. intros; apply both_at.
Qed.
Lemma sphere_both r : RInt (on_sphere r) (-1) 1 = RInt (fun z => both z r) (-1) 1.
Proof. apply RInt_ext. intros z Z. rewrite Rmin_left, Rmax_right in Z by lra. apply on_sphere_both. lra. Qed.
Lemma sphere_continuous r : continuous (fun r => RInt (on_sphere r) (-1) 1) r.
Proof.
apply continuous_ext with (fun r => RInt (fun z => both z r) (-1) 1); [ intros; symmetry; apply sphere_both | ].
intros P [e He].
destruct (uniform_continuity_2d_1d both (-1) 1 r) with (eps := mkposreal (e / 4) ltac:(generalize (cond_pos e); lra)) as [d D].
{ intros z _. apply continuity_2d_pt_filterlim. apply both_continuous. }
exists d. intros y Y. apply He. change (Rabs (RInt (fun z => both z y) (-1) 1 - RInt (fun z => both z r) (-1) 1) < e).
change (Rabs (y - r) < d) in Y. apply Rabs_lt_between in Y.
assert (E : forall r, ex_RInt (fun z => both z r) (-1) 1) by (intros; apply exists_integral; intros; apply both_at).
change (Rabs (minus (RInt (fun z => both z y) (-1) 1) (RInt (fun z => both z r) (-1) 1)) < e).
rewrite <- (RInt_minus (fun z => both z y) (fun z => both z r) (-1) 1) by apply E.
apply Rle_lt_trans with ((1 - -1) * (e / 4)); [ | generalize (cond_pos e); lra ].
apply abs_RInt_le_const; [ lra | apply (ex_RInt_minus (fun z => both z y) (fun z => both z r)); apply E | ].
intros z Z. left. assert (d0 := cond_pos d). apply (D z r z y); simpl; try lra. rewrite Rminus_eq_0, Rabs_R0. exact d0.
Qed.
Lemma shell_continuous r : continuous shell r.
Proof. apply (continuous_mult (fun r => r ^ 2) p); [ apply ex_continuous; auto_derive; easy | apply density_continuous ]. Qed.
Lemma shell_pos r : 0 <= shell r.
Proof. apply Rmult_le_pos; [ apply pow2_ge_0 | left; apply density_positive ]. Qed.
Lemma shell_surplus_continuous r : continuous shell_surplus r.
Proof.
apply (continuous_mult (fun r => r ^ 2) (fun r => RInt (on_sphere r) (-1) 1 / 2)); [ apply ex_continuous; auto_derive; easy | ].
apply (continuous_scal_l (fun r => RInt (on_sphere r) (-1) 1) (/ 2)). apply sphere_continuous.
Qed.
Lemma sphere_bounds r : 0 <= RInt (on_sphere r) (-1) 1 / 2 <= p r.
Proof.
assert (0 <= RInt (on_sphere r) (-1) 1 <= 2 * p r); [ | lra ]. split.
- apply RInt_ge_0; [ lra | apply on_sphere_integral | intros; apply Rmax_r ].
- apply Rle_trans with (RInt (fun _ => p r) (-1) 1); [ | rewrite RInt_const; change (scal (1 - -1) (p r)) with ((1 - -1) * p r); lra ].
  apply RInt_le; [ lra | apply on_sphere_integral | apply ex_RInt_const | ]. intros z Z. apply Rmax_lub; [ | left; apply density_positive ].
  rewrite at_distance by lra. assert (0 <= k * p (sqrt (r ^ 2 + s ^ 2 - 2 * r * s * z))) by (apply Rmult_le_pos; [ exact k_pos | left; apply density_positive ]).
  change (f (r ^ 2)) with (p r). lra.
Qed.
Lemma shell_surplus_bounds r : 0 <= shell_surplus r <= shell r.
Proof. assert (S := sphere_bounds r). assert (P := pow2_ge_0 r). split; [ now apply Rmult_le_pos | now apply Rmult_le_compat_l ]. Qed.

(* ---- t in the place of z ---- *)
Definition gain r t := p r - k * p t.
Let inner r t := t * Rmax (gain r t) 0.
Lemma inner_continuous r t : continuous (inner r) t.
Proof.
apply (continuous_mult (fun t => t) (fun t => Rmax (gain r t) 0)); [ apply continuous_id | ]. apply positive_part_continuous.
apply (continuous_minus (fun _ => p r) (fun t => k * p t)); [ apply continuous_const | ].
apply (continuous_scal_r k p). apply density_continuous.
Qed.
Lemma by_distance r : 0 < r -> 2 * s * shell_surplus r = r * RInt (inner r) (Rabs (r - s)) (r + s).
Proof.
intros P. set (c := r * s). assert (C : 0 < c) by (now apply Rmult_lt_0_compat).
set (z t := (r ^ 2 + s ^ 2 - t ^ 2) / (2 * c)).
assert (Q : forall t, r ^ 2 + s ^ 2 - 2 * r * s * z t = t ^ 2) by (intros t; unfold z, c in *; field; split; lra).
assert (A : 0 <= Rabs (r - s) <= r + s) by (split; [ apply Rabs_pos | unfold Rabs; destruct Rcase_abs; lra ]).
assert (Zb : z (r + s) = -1) by (unfold z, c in *; field; split; lra).
assert (Za : z (Rabs (r - s)) = 1) by (unfold z; rewrite pow2_abs; unfold c in *; field; split; lra).
assert (E : RInt (fun t => - t / c * both (z t) r) (Rabs (r - s)) (r + s) = RInt (fun x => both x r) 1 (-1)).
{ rewrite <- Za, <- Zb. apply (RInt_comp (fun x => both x r) z (fun t => - t / c)); [ intros; apply both_at | ].
  intros t _. split; [ unfold z; auto_derive; [ trivial | field; lra ] | apply ex_continuous; auto_derive; trivial ]. }
assert (X : RInt (fun t => - t / c * both (z t) r) (Rabs (r - s)) (r + s) = - / c * RInt (inner r) (Rabs (r - s)) (r + s)).
{ rewrite <- (RInt_scal (inner r)) by (apply exists_integral, inner_continuous). apply RInt_ext. rewrite Rmin_left, Rmax_right by lra.
  intros t T. unfold both, inner, gain. rewrite Q, sqrt_pow2 by lra. change (- t / c * Rmax (p r - k * p t) 0 = - / c * (t * Rmax (p r - k * p t) 0)). field. lra. }
rewrite X in E. rewrite <- (opp_RInt_swap (fun x => both x r) (-1) 1) in E by (apply exists_integral; intros; apply both_at).
unfold shell_surplus. rewrite sphere_both.
assert (Y : RInt (fun x => both x r) (-1) 1 = / c * RInt (inner r) (Rabs (r - s)) (r + s)).
{ change (Hierarchy.opp (RInt (fun x => both x r) (-1) 1)) with (- RInt (fun x => both x r) (-1) 1) in E.
  lra. }
rewrite Y. unfold c. field. split; lra.
Qed.

(* ---- a stretch of radii along a curve t = m r ---- *)
Let moment t := t * p t.
Lemma moment_continuous t : continuous moment t.
Proof. apply (continuous_mult (fun t => t) p); [ apply continuous_id | apply density_continuous ]. Qed.
Definition outer r t := k * (r ^ 2 / 2) * RInt moment t (r + s).
(* The integral from a to b, but for what the curve's ends add, which cancels where another curve begins. *)
Definition stretch a t b u l h := l <= 2 * s * RInt shell_surplus a b + outer b u - outer a t <= h.
Lemma surplus_split a b c : RInt shell_surplus a c = RInt shell_surplus a b + RInt shell_surplus b c.
Proof. apply integral_split, shell_surplus_continuous. Qed.
Lemma surplus_scaled a b : 2 * s * RInt shell_surplus a b = RInt (fun r => 2 * s * shell_surplus r) a b.
Proof. symmetry. apply (RInt_scal shell_surplus a b (2 * s)). apply exists_integral, shell_surplus_continuous. Qed.
Lemma join_stretches a t b u c v l h l' h' : stretch a t b u l h -> stretch b u c v l' h' -> stretch a t c v (l + l') (h + h').
Proof. unfold stretch. rewrite (surplus_split a b c). lra. Qed.
Lemma nothing_inside r : outer r (r + s) = 0.
Proof. unfold outer. rewrite RInt_point. change (zero : R) with 0. ring. Qed.
Lemma nothing_at_0 t : outer 0 t = 0.
Proof. unfold outer. rewrite pow_i by lia. lra. Qed.
(* From one curve to another at one radius. *)
Lemma step a t u l h : l <= - (k * (a ^ 2 / 2)) * RInt moment t u <= h -> stretch a t a u l h.
Proof.
unfold stretch, outer. rewrite RInt_point. change (zero : R) with 0.
assert (E := integral_split moment moment_continuous t u (a + s)). rewrite E. lra.
Qed.

Let primitive t := RInt moment 0 t.
Lemma primitive_derive t : is_derive primitive t (moment t).
Proof.
apply (is_derive_RInt moment primitive 0); [ | apply moment_continuous ].
apply filter_forall. intros b. apply (RInt_correct moment). apply exists_integral, moment_continuous.
Qed.
Lemma by_primitive a b : RInt moment a b = primitive b - primitive a.
Proof. unfold primitive. rewrite (integral_split moment moment_continuous 0 a b). lra. Qed.

Section Curve.
Variables (m m' : R -> R) (a b w x : R).
Hypotheses (ends : 0 <= a <= b) (w_pos : 0 <= w) (x_pos : 0 <= x)
  (m_derive : forall r, a <= r <= b -> is_derive m r (m' r)) (m'_continuous : forall r, a <= r <= b -> continuous m' r)
  (m_between : forall r, a < r < b -> Rabs (r - s) <= m r <= r + s)
  (above : forall r, a < r < b -> k * p (m r) <= p r)
  (below : forall r, a < r < b -> m r - w <= Rabs (r - s) \/ 0 <= m r - w /\ p r <= k * p (m r - w))
  (close : forall r, a < r < b -> w = 0 \/ gain r (m r) <= x * p r).
Definition along r := r * p r * ((r + s) ^ 2 - m r ^ 2) / 2 + k * (r ^ 2 / 2) * ((r + s) * p (r + s) - m r * m' r * p (m r)).
Let inside r := p r * ((r + s) ^ 2 - m r ^ 2) / 2 - k * RInt moment (m r) (r + s).

Lemma m_continuous r : a <= r <= b -> continuous m r.
Proof. intros H. apply ex_continuous. eexists. now apply m_derive. Qed.
Lemma along_continuous r : a <= r <= b -> continuous along r.
Proof.
intros H. assert (M := m_continuous r H). assert (I : continuous (fun r : R => r) r) by apply continuous_id.
assert (A : continuous (fun r => r + s) r) by (apply ex_continuous; auto_derive; trivial).
apply continuous_ext with (fun r => r * p r * ((r + s) * (r + s) - m r * m r) * / 2 + k * / 2 * (r * r) * ((r + s) * p (r + s) - m r * m' r * p (m r))).
{ intros y. unfold along. in_R. field. }
assert (P1 : continuous (fun r => p (r + s)) r) by (apply (continuous_comp (fun r => r + s) p); auto).
assert (P2 : continuous (fun r => p (m r)) r) by (apply (continuous_comp m p); auto).
repeat match goal with
| |- continuous (fun r => ?u * / 2) _ => apply (continuous_scal_l (fun r => _) (/ 2))
| |- continuous (fun r => _ + _) _ => exact A || apply (continuous_plus (V := R_NormedModule) (fun r => _) (fun r => _))
| |- continuous (fun r => _ - _) _ => apply (continuous_minus (V := R_NormedModule) (fun r => _) (fun r => _))
| |- continuous (fun r => _ * _) _ => apply (continuous_mult (K := R_AbsRing) (fun r => _) (fun r => _))
end; auto using continuous_const.
Qed.
Lemma along_integral : is_RInt (fun r => r * inside r) a b (RInt along a b - (outer b (m b) - outer a (m a))).
Proof.
assert (D : forall r, a <= r <= b -> is_derive (fun r => outer r (m r)) r (along r - r * inside r)).
{ intros r H. apply is_derive_ext with (fun r => (k / 2 * r ^ 2) * (primitive (r + s) - primitive (m r))).
  { intros y. unfold outer. rewrite by_primitive. in_R. field. }
  assert (P1 : is_derive (fun r => primitive (r + s)) r (1 * moment (r + s))).
  { apply (is_derive_comp primitive (fun r => r + s)); [ apply primitive_derive | auto_derive; trivial ]. }
  assert (P2 : is_derive (fun r => primitive (m r)) r (m' r * moment (m r))).
  { apply (is_derive_comp primitive m); [ apply primitive_derive | now apply m_derive ]. }
  assert (P3 := is_derive_minus _ _ _ _ _ P1 P2).
  assert (P4 : is_derive (fun r => k / 2 * r ^ 2) r (k * r)) by (auto_derive; [ trivial | simpl; field ]).
  assert (P5 := is_derive_mult _ _ _ _ _ P4 P3 Rmult_comm).
  replace (along r - r * inside r) with (plus (mult (k * r) (minus (primitive (r + s)) (primitive (m r)))) (mult (k / 2 * r ^ 2) (minus (1 * moment (r + s)) (m' r * moment (m r))))); [ exact P5 | ].
  unfold minus, plus, mult, Hierarchy.opp; simpl. unfold along, inside. rewrite by_primitive. unfold moment. field. }
assert (IC : forall r, a <= r <= b -> continuous (fun r => r * inside r) r).
{ intros r H. apply (continuous_mult (fun r => r) inside); [ apply continuous_id | ]. assert (M := m_continuous r H).
  apply continuous_ext with (fun r => p r * ((r + s) * (r + s) - m r * m r) * / 2 - k * (primitive (r + s) - primitive (m r))).
  { intros y. unfold inside. rewrite by_primitive. in_R. field. }
  assert (A : continuous (fun r => r + s) r) by (apply ex_continuous; auto_derive; trivial).
  assert (PC : forall t, continuous primitive t) by (intros; apply ex_continuous; eexists; apply primitive_derive).
  assert (P1 : continuous (fun r => primitive (r + s)) r) by (apply (continuous_comp (fun r => r + s) primitive); auto).
  assert (P2 : continuous (fun r => primitive (m r)) r) by (apply (continuous_comp m primitive); auto).
  repeat match goal with
  | |- continuous (fun r => ?u * / 2) _ => apply (continuous_scal_l (fun r => _) (/ 2))
  | |- continuous (fun r => _ + _) _ => exact A || apply (continuous_plus (V := R_NormedModule) (fun r => _) (fun r => _))
  | |- continuous (fun r => _ - _) _ => apply (continuous_minus (V := R_NormedModule) (fun r => _) (fun r => _))
  | |- continuous (fun r => _ * _) _ => apply (continuous_mult (K := R_AbsRing) (fun r => _) (fun r => _))
  end; auto using continuous_const. }
assert (I : is_RInt (fun r => along r - r * inside r) a b (outer b (m b) - outer a (m a))).
{ apply (is_RInt_derive (fun r => outer r (m r))); rewrite Rmin_left, Rmax_right by lra; [ exact D | ].
  intros r H. apply (continuous_minus (V := R_NormedModule) along (fun r => r * inside r)); [ now apply along_continuous | now apply IC ]. }
assert (J : is_RInt along a b (RInt along a b)).
{ apply (RInt_correct along). apply (ex_RInt_continuous (V := R_CompleteNormedModule)). rewrite Rmin_left, Rmax_right by lra. exact along_continuous. }
apply is_RInt_ext with (fun r => minus (along r) (along r - r * inside r)).
{ intros r _. unfold minus, plus, Hierarchy.opp; simpl. in_R. ring. }
exact (is_RInt_minus _ _ _ _ _ _ J I).
Qed.
Lemma beyond_the_curve r : a < r < b -> RInt (inner r) (m r) (r + s) = inside r.
Proof.
intros H. assert (B := m_between r H). assert (A := Rabs_pos (r - s)).
assert (E : RInt (inner r) (m r) (r + s) = RInt (fun t => p r * t - k * moment t) (m r) (r + s)).
{ apply RInt_ext. rewrite Rmin_left, Rmax_right by lra. intros t T. unfold inner. rewrite Rmax_left; [ unfold gain, moment; in_R; ring | ].
  assert (p t <= p (m r)) by (apply density_falls; rewrite !Rabs_pos_eq; lra).
  assert (k * p t <= k * p (m r)) by (now apply Rmult_le_compat_l). assert (X := above r H). unfold gain. lra. }
rewrite E. apply is_RInt_unique. unfold inside.
replace (p r * ((r + s) ^ 2 - m r ^ 2) / 2 - k * RInt moment (m r) (r + s))
  with (minus (p r * ((r + s) ^ 2 / 2 - m r ^ 2 / 2)) (k * RInt moment (m r) (r + s))) by (unfold minus, plus, Hierarchy.opp; simpl; in_R; field).
apply (is_RInt_minus (fun t => p r * t) (fun t => k * moment t)).
- apply (is_RInt_scal (fun t => t) _ _ (p r)). apply (is_RInt_derive (fun t => t ^ 2 / 2) (fun t => t)); intros t _; [ auto_derive; [ trivial | field ] | apply continuous_id ].
- apply (is_RInt_scal moment _ _ k). apply (RInt_correct moment). apply exists_integral, moment_continuous.
Qed.
Lemma before_the_curve r : a < r < b -> 0 <= RInt (inner r) (Rabs (r - s)) (m r) <= w * ((b + s) * (x * p a)).
Proof.
intros H. assert (B := m_between r H). assert (A := Rabs_pos (r - s)).
assert (N : forall t, 0 <= t -> 0 <= inner r t) by (intros; apply Rmult_le_pos; [ trivial | apply Rmax_r ]).
assert (C := inner_continuous r).
split; [ apply RInt_ge_0; [ lra | now apply exists_integral | intros; apply N; lra ] | ].
assert (Pa := density_positive a).
assert (Q : forall e, Rabs (r - s) <= e <= m r -> m r - e <= w -> RInt (inner r) e (m r) <= w * ((b + s) * (x * p a))).
{ intros e E L. assert (W0 : 0 <= (b + s) * (x * p a)) by (apply Rmult_le_pos; [ lra | apply Rmult_le_pos; lra ]).
  destruct (close r H) as [W|G].
  { replace e with (m r) by lra. rewrite RInt_point. change (zero : R) with 0. apply Rmult_le_pos; [ exact w_pos | exact W0 ]. }
  apply Rle_trans with (RInt (fun _ => (b + s) * (x * p a)) e (m r)).
  - apply RInt_le; [ lra | now apply exists_integral | apply ex_RInt_const | ]. intros t T. unfold inner.
    apply Rmult_le_compat; [ lra | apply Rmax_r | lra | ]. apply Rmax_lub; [ | apply Rmult_le_pos; lra ].
    assert (p (m r) <= p t) by (apply density_falls; rewrite !Rabs_pos_eq; lra). assert (k * p (m r) <= k * p t) by (now apply Rmult_le_compat_l).
    assert (p r <= p a) by (apply density_falls; rewrite !Rabs_pos_eq; lra). assert (x * p r <= x * p a) by (now apply Rmult_le_compat_l).
    unfold gain in *. lra.
  - rewrite RInt_const. change (scal (m r - e) ((b + s) * (x * p a))) with ((m r - e) * ((b + s) * (x * p a))). apply Rmult_le_compat_r; lra. }
destruct (Rle_or_lt (m r - w) (Rabs (r - s))) as [L|L]; [ apply Q; lra | ].
destruct (below r H) as [K|[W K]]; [ lra | ]. rewrite (integral_split (inner r) C _ (m r - w)).
rewrite (RInt_ext (inner r) (fun _ => 0) (Rabs (r - s))).
- rewrite RInt_const. change (scal ?u 0) with (u * 0). generalize (Q (m r - w) ltac:(lra) ltac:(lra)). lra.
- rewrite Rmin_left, Rmax_right by lra. intros t T. unfold inner. rewrite Rmax_right; [ in_R; ring | ].
  assert (p (m r - w) <= p t) by (apply density_falls; rewrite !Rabs_pos_eq; lra). assert (k * p (m r - w) <= k * p t) by (now apply Rmult_le_compat_l).
  unfold gain. lra.
Qed.
Lemma along_the_curve l h : l <= RInt along a b <= h -> stretch a (m a) b (m b) l (h + (b - a) * (b * (w * ((b + s) * (x * p a))))).
Proof.
intros H. unfold stretch. assert (I := along_integral).
set (c := b * (w * ((b + s) * (x * p a)))). assert (Pa := density_positive a).
assert (c0 : 0 <= c) by (unfold c; repeat apply Rmult_le_pos; lra).
assert (K : forall r, a < r < b -> r * inside r <= 2 * s * shell_surplus r <= r * inside r + c).
{ intros r R. rewrite by_distance by lra. rewrite (integral_split (inner r) (inner_continuous r) _ (m r)), (beyond_the_curve r R).
  destruct (before_the_curve r R) as [L U]. set (i := RInt (inner r) (Rabs (r - s)) (m r)) in *.
  assert (0 <= r * i) by (apply Rmult_le_pos; lra). assert (r * i <= c) by (unfold c; apply Rmult_le_compat; lra). lra. }
assert (Ex : ex_RInt (fun r => 2 * s * shell_surplus r) a b) by (apply exists_integral; intros r; apply (continuous_scal_r (2 * s) shell_surplus), shell_surplus_continuous).
assert (V := is_RInt_unique _ _ _ _ I). rewrite surplus_scaled.
assert (L1 : RInt (fun r => r * inside r) a b <= RInt (fun r => 2 * s * shell_surplus r) a b).
{ apply RInt_le; [ lra | now exists (RInt along a b - (outer b (m b) - outer a (m a))) | exact Ex | intros r R; now apply K ]. }
assert (J : is_RInt (fun r => r * inside r + c) a b (RInt along a b - (outer b (m b) - outer a (m a)) + (b - a) * c)).
{ apply (is_RInt_plus (fun r => r * inside r) (fun _ => c)); [ exact I | apply (is_RInt_const a b c) ]. }
assert (L2 : RInt (fun r => 2 * s * shell_surplus r) a b <= RInt (fun r => r * inside r + c) a b).
{ apply RInt_le; [ lra | exact Ex | eexists; exact J | intros r R; now apply K ]. }
rewrite (is_RInt_unique _ _ _ _ J) in L2. rewrite V in L1. fold c. lra.
Qed.
End Curve.

(* Where the loss does not exceed eps anywhere, or hardly. *)
Lemma over_the_top a b x : 0 <= a <= b -> 0 <= x -> (forall r, a < r < b -> gain r (r + s) <= x * p r) ->
  stretch a (a + s) b (b + s) 0 ((b - a) * (b ^ 2 * (2 * s * (x * p a)))).
Proof.
intros H X T. unfold stretch. rewrite !nothing_inside.
assert (S0 : 0 <= RInt shell_surplus a b) by (apply RInt_ge_0; [ lra | apply exists_integral, shell_surplus_continuous | intros; apply shell_surplus_bounds ]).
assert (U : RInt shell_surplus a b <= (b - a) * (b ^ 2 * (x * p a))).
{ apply Rle_trans with (RInt (fun _ => b ^ 2 * (x * p a)) a b); [ | rewrite RInt_const; apply Rle_refl ].
  apply RInt_le; [ lra | apply exists_integral, shell_surplus_continuous | apply ex_RInt_const | ]. intros r R. unfold shell_surplus.
  assert (N : 0 <= x * p a) by (apply Rmult_le_pos; [ exact X | left; apply density_positive ]).
  apply Rmult_le_compat; [ apply pow2_ge_0 | apply sphere_bounds | apply pow_incr; lra | ].
  assert (RInt (on_sphere r) (-1) 1 <= 2 * (x * p a)); [ | lra ].
  apply Rle_trans with (RInt (fun _ => x * p a) (-1) 1); [ | rewrite RInt_const; change (scal (1 - -1) (x * p a)) with ((1 - -1) * (x * p a)); lra ].
  apply RInt_le; [ lra | apply on_sphere_integral | apply ex_RInt_const | ]. intros z Z. apply Rmax_lub; [ | exact N ].
  rewrite at_distance by lra. assert (P : p (r + s) <= p (sqrt (r ^ 2 + s ^ 2 - 2 * r * s * z))).
  { apply density_falls. rewrite (Rabs_pos_eq (sqrt _)) by apply sqrt_pos. rewrite Rabs_pos_eq by lra.
    rewrite <- (sqrt_pow2 (r + s)) by lra. apply sqrt_le_1_alt.
    assert (0 <= r * s * (1 + z)) by (apply Rmult_le_pos; [ apply Rmult_le_pos; lra | lra ]). lra. }
  assert (k * p (r + s) <= k * p (sqrt (r ^ 2 + s ^ 2 - 2 * r * s * z))) by (now apply Rmult_le_compat_l).
  assert (Tr := T r R). assert (p r <= p a) by (apply density_falls; rewrite !Rabs_pos_eq; lra). assert (x * p r <= x * p a) by (now apply Rmult_le_compat_l).
  unfold gain in Tr. change (f (r ^ 2)) with (p r). lra. }
split; [ assert (0 <= 2 * s * RInt shell_surplus a b) by (apply Rmult_le_pos; lra); lra | ].
assert (2 * s * RInt shell_surplus a b <= 2 * s * ((b - a) * (b ^ 2 * (x * p a)))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* ---- the divergence ---- *)
Theorem divergence_in_space radius most zl zu t el eu lower upper : 0 <= radius ->
  (forall b, radius <= b -> RInt shell radius b <= most) -> zl <= RInt shell 0 radius <= zu ->
  stretch 0 t radius (radius + s) el eu -> 0 <= lower -> 0 <= upper ->
  lower * (2 * s * (zu + most)) <= el -> eu + 2 * s * most <= upper * (2 * s * zl) ->
  exists Z E, is_RInt_gen shell (at_point 0) (Rbar_locally p_infty) Z /\ (forall r, ex_RInt (on_sphere r) (-1) 1) /\
    is_RInt_gen shell_surplus (at_point 0) (Rbar_locally p_infty) E /\ lower * Z <= E <= upper * Z.
Proof.
intros R0 T Zb S L0 U0 L U. unfold stretch in S. rewrite nothing_inside, nothing_at_0 in S.
assert (SC := shell_surplus_continuous). assert (S0 : forall r, 0 <= shell_surplus r) by (intros; apply shell_surplus_bounds).
set (e := RInt shell_surplus 0 radius) in *.
assert (far : forall b, 0 <= b -> RInt shell 0 b <= zu + most).
{ intros b B. apply Rle_trans with (RInt shell 0 (Rmax b radius)); [ apply integral_longer; auto using shell_continuous, shell_pos, Rmax_l | ].
  rewrite (integral_split shell shell_continuous 0 radius). generalize (T (Rmax b radius) (Rmax_r _ _)). lra. }
assert (far' : forall b, 0 <= b -> RInt shell_surplus 0 b <= e + most).
{ intros b B. apply Rle_trans with (RInt shell_surplus 0 (Rmax b radius)); [ apply integral_longer; auto using Rmax_l | ].
  rewrite (integral_split shell_surplus SC 0 radius). fold e. apply Rplus_le_compat_l.
  apply Rle_trans with (2 := T (Rmax b radius) (Rmax_r _ _)).
  apply RInt_le; [ apply Rmax_r | now apply exists_integral | apply exists_integral, shell_continuous | intros; apply shell_surplus_bounds ]. }
destruct (half_line shell (zu + most) shell_continuous shell_pos far) as [Z [IZ [Z1 Z2]]].
destruct (half_line shell_surplus (e + most) SC S0 far') as [E [IE [E1 E2]]].
exists Z, E. split; [ exact IZ | split; [ exact on_sphere_integral | split; [ exact IE | ] ] ].
assert (A := Z1 radius R0). assert (B := E1 radius R0). fold e in B. split.
- apply Rle_trans with (lower * (zu + most)); [ apply Rmult_le_compat_l; lra | ]. apply Rle_trans with (2 := B).
  apply Rmult_le_reg_l with (2 * s); lra.
- apply Rle_trans with (upper * zl); [ | apply Rmult_le_compat_l; lra ]. apply Rle_trans with (1 := E2).
  apply Rmult_le_reg_l with (2 * s); lra.
Qed.
End Spheres.

(* ---- for an expression F, along an expression M: where M lies is tested on boxes, and of the losses there the export proves bounds ---- *)
Section Space.
Variables (F : expr) (ch : charts) (f : R -> R) (s eps : R).
Hypotheses (f_F : forall r, 0 <= r -> f (r ^ 2) = ev F r) (s_pos : 0 < s) (ok : falls_smoothly F ch = true).
Variables (sn : Z) (sd : positive) (en : Z) (ed : positive).
Hypotheses (s_is : s = IZR sn / IZR (Zpos sd)) (eps_is : eps = IZR en / IZR (Zpos ed)) (r0_s : / IZR (Zpos (zero_d ch)) <= s / 2).
Notation stretches := (stretch f s (exp eps)).
Let p_continuous := density_continuous F ch f f_F ok.
Let p_positive := density_pos F ch f f_F ok.
Let p_falls := density_falls F ch f f_F ok.
Let k_pos : 0 <= exp eps.
Proof. left. apply exp_pos. Qed.
Let p_F r : 0 <= r -> density f r = ev F r.
Proof. apply f_F. Qed.
Lemma little_in_space n order kn kd un ud : andb (falls_like F n order kn kd) (tail_at_most F 2 n kn kd un ud) = true ->
  Z.ltb (3 * Zpos kd) kn = true -> forall b, IZR n <= b -> RInt (shell f) (IZR n) b <= IZR un / IZR (Zpos ud).
Proof. intros H K b. exact (little_beyond F ch f f_F ok 2 n order kn kd un ud b H K). Qed.
Definition shell_of : expr := Mul (Nat Var 2) F.
Lemma shell_piece n m d l u : andb (Z.leb 0 n) (Z.leb n m) = true ->
  l <= RInt (ev shell_of) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= u -> l <= RInt (shell f) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= u.
Proof.
intros H. assert (E := ordered n m d H). apply piece; [ lra | ]. intros r R. unfold shell. change (f (r ^ 2)) with (density f r). now rewrite p_F by lra.
Qed.
Lemma join_shells a b c l m n o : l <= RInt (shell f) a b <= m -> n <= RInt (shell f) b c <= o -> l + n <= RInt (shell f) a c <= m + o.
Proof. apply join. intros; apply shell_continuous, p_continuous. Qed.
(* From a distance T to another U, at the radius a = n/d, by an integral over [0, 1]. *)
Definition step_of (T U : expr) (n : Z) (d : positive) : expr := let a := Rat n d in let t := subst T a in let w := Sub (subst U a) t in
  Mul (Opp (Mul (Exp (Rat en ed)) (Mul (Rat 1 2) (Nat a 2)))) (Mul w (subst (Mul Var F) (Add t (Mul w Var)))).
Definition step_ends (T U : expr) (n : Z) (d : positive) : bool := andb (ge0 (iev T (point n d))) (ge0 (iev U (point n d))).
Let moment_continuous x : continuous (fun t => t * density f t) x.
Proof. apply (continuous_mult (fun t => t) (density f)); [ apply continuous_id | apply p_continuous ]. Qed.
Let exists_step t u : ex_RInt (fun y => scal (u - t) ((fun t => t * density f t) ((u - t) * y + t))) 0 1.
Proof.
apply exists_integral. intros x. apply (continuous_scal_r (u - t) (fun y => (fun t => t * density f t) ((u - t) * y + t))).
apply (continuous_comp (fun y => (u - t) * y + t) (fun t => t * density f t)); [ apply ex_continuous; auto_derive; easy | apply moment_continuous ].
Qed.
Lemma steps_there T U n d l v : step_ends T U n d = true -> l <= RInt (ev (step_of T U n d)) (IZR 0 / IZR 1) (IZR 1 / IZR 1) <= v ->
  stretches (IZR n / IZR (Zpos d)) (ev T (IZR n / IZR (Zpos d))) (IZR n / IZR (Zpos d)) (ev U (IZR n / IZR (Zpos d))) l v.
Proof.
set (a := IZR n / IZR (Zpos d)). intros H B. apply andb_prop in H. destruct H as [HT HU].
apply (ge0_ev _ _ a (point_ok n d)) in HT. apply (ge0_ev _ _ a (point_ok n d)) in HU. set (t := ev T a) in *. set (u := ev U a) in *.
apply step; [ exact p_continuous | ].
replace (- (exp eps * (a ^ 2 / 2)) * RInt (fun t => t * density f t) t u) with (RInt (ev (step_of T U n d)) (IZR 0 / IZR 1) (IZR 1 / IZR 1)); [ exact B | ].
replace (IZR 0 / IZR 1) with 0 by field. replace (IZR 1 / IZR 1) with 1 by field.
assert (E : RInt (fun y => scal (u - t) ((fun t => t * density f t) ((u - t) * y + t))) 0 1 = RInt (fun t => t * density f t) t u).
{ assert (L := RInt_comp_lin (V := R_CompleteNormedModule) (fun t => t * density f t) (u - t) t 0 1). apply (eq_trans (L ltac:(now apply exists_integral))).
  f_equal; ring. }
rewrite <- E. symmetry. apply (eq_trans (eq_sym (RInt_scal (V := R_CompleteNormedModule) _ 0 1 _ (exists_step t u)))).
apply RInt_ext. rewrite Rmin_left, Rmax_right by lra. intros y Y. unfold step_of. cbn [ev subst]. rewrite !subst_ok. cbn [ev]. rewrite !subst_ok. cbn [ev]. fold a. fold t. fold u.
  assert (P : 0 <= t + (u - t) * y) by (replace (t + (u - t) * y) with ((1 - y) * t + y * u) by ring; apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
  rewrite <- eps_is. rewrite <- (p_F _ P).
  assert (Z : forall k a z w h : R, - (k * (1 / 2 * a ^ 2)) * (w * ((t + z) * h)) = - (k * (a ^ 2 / 2)) * (w * ((z + t) * h))) by (intros; field).
  rewrite (Rplus_comm t) at 2. first [ exact (Z _ _ _ _ _) | symmetry; exact (Z _ _ _ _ _) ].
Qed.

(* What is integrated along a curve M with the slope M'. *)
Definition along_of (M M' : expr) : expr := let there := Add Var (Rat sn sd) in
  Add (Mul (Mul Var F) (Mul (Rat 1 2) (Sub (Nat there 2) (Nat M 2))))
    (Mul (Mul (Exp (Rat en ed)) (Mul (Rat 1 2) (Nat Var 2))) (Sub (Mul there (subst F there)) (Mul (Mul M M') (subst F M)))).
Section Stretch.
Variables (n m : Z) (d : positive) (fuel : nat).
Notation a := (IZR n / IZR (Zpos d)).
Notation b := (IZR m / IZR (Zpos d)).
Hypotheses (rising : andb (Z.leb 0 n) (Z.leb n m) = true).
Let ends : 0 <= a <= b.
Proof.
apply andb_prop in rising. destruct rising as [A B]. apply Z.leb_le, IZR_le in A. apply Z.leb_le, IZR_le in B.
assert (P : 0 < / IZR (Zpos d)) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity). unfold Rdiv. split; [ now apply Rmult_le_pos; [ | left ] | apply Rmult_le_compat_r; lra ].
Qed.
Let integrand M M' : (forall r, a < r < b -> 0 <= ev M r <= r + s) -> forall l u,
  l <= RInt (ev (along_of M M')) a b <= u -> l <= RInt (along f s (exp eps) (ev M) (ev M')) a b <= u.
Proof.
intros C l u H. rewrite (RInt_ext _ (ev (along_of M M'))); [ exact H | ].
rewrite Rmin_left, Rmax_right by lra. intros r R. assert (Cr := C r R). unfold along, along_of. cbn [ev]. rewrite !subst_ok. cbn [ev].
rewrite <- s_is, <- eps_is. rewrite !p_F by lra. in_R. field.
Qed.
(* All of each sphere: the curve is the near side. *)
Lemma whole_spheres l u : b <= s / 2 -> tile (leads F en ed (across sn sd true) true) fuel n m d = true ->
  l <= RInt (ev (along_of (across sn sd true) (Int (-1)))) a b <= u ->
  stretches a (ev (across sn sd true) a) b (ev (across sn sd true) b) l u.
Proof.
intros W T H. cbn [across ev]. rewrite <- s_is. fold (across sn sd true) in H. replace u with (u + (b - a) * (b * (0 * ((b + s) * (0 * density f a))))) by ring.
apply (along_the_curve f s (exp eps) p_continuous p_positive p_falls s_pos k_pos (fun r => s - r) (fun _ => -1)); try lra.
- intros r _. auto_derive; [ trivial | ring ].
- intros r _. apply continuous_const.
- intros r R. rewrite Rabs_left by lra. lra.
- intros r R. assert (L := leads_ok F ch eps ok en ed eps_is (across sn sd true) true fuel n m d r T ltac:(lra) ltac:(lra)).
  cbn [across ev] in L. rewrite <- s_is in L. rewrite !p_F by lra. apply L. lra.
- intros r R. left. rewrite Rabs_left; lra.
- intros r R. now left.
- apply (integrand (across sn sd true) (Int (-1))) in H; [ | intros r R; cbn [across ev]; rewrite <- s_is; lra ].
  rewrite (RInt_ext _ (along f s (exp eps) (ev (across sn sd true)) (ev (Int (-1))))); [ exact H | ].
  intros r _. cbn [across ev]. now rewrite <- s_is.
Qed.
Let surplus_from (x : R) e : eps <= e -> x = e - eps -> forall r y, 0 <= y -> 0 <= r -> ev F r <= exp e * ev F y -> gain f (exp eps) r y <= x * density f r.
Proof.
intros E -> r y Y P H. unfold gain. rewrite !p_F by assumption. assert (Q : 0 < density f r) by apply p_positive. rewrite p_F in Q by exact P.
assert (K : exp (eps - e) * ev F r <= exp eps * ev F y).
{ apply Rle_trans with (exp (eps - e) * (exp e * ev F y)); [ apply Rmult_le_compat_l; [ left; apply exp_pos | exact H ] | ].
  rewrite <- Rmult_assoc, <- exp_plus. replace (eps - e + e) with eps by ring. apply Rle_refl. }
assert (J : (1 + (eps - e)) * ev F r <= exp (eps - e) * ev F r) by (apply Rmult_le_compat_r; [ lra | apply exp_ineq1_le ]). lra.
Qed.
Variables (xn : Z) (xd : positive).
Notation e := (IZR xn / IZR (Zpos xd)).
Hypothesis (e_eps : eps <= e).
Lemma cost_ok K un ud : ge0 (iev (Sub (Rat un ud) (Mul K F)) (point n d)) = true -> ev K a * density f a <= IZR un / IZR (Zpos ud).
Proof. intros H. apply (ge0_ev _ _ a (point_ok n d)) in H. cbn [ev] in H. rewrite p_F by lra. lra. Qed.
Let length_is : IZR (m - n) / IZR (Zpos d) = b - a.
Proof. rewrite minus_IZR. unfold Rdiv. ring. Qed.
Definition over_cost : expr := Mul (Mul (Rat (m - n) d) (Nat (Rat m d) 2)) (Mul (Mul (Int 2) (Rat sn sd)) (Sub (Rat xn xd) (Rat en ed))).
(* Nothing of each sphere, or hardly: from eps to e. *)
Lemma over_the_spheres un ud : andb (tile (leads F xn xd (across sn sd false) false) fuel n m d) (ge0 (iev (Sub (Rat un ud) (Mul over_cost F)) (point n d))) = true ->
  stretches a (ev (across sn sd false) a) b (ev (across sn sd false) b) 0 (IZR un / IZR (Zpos ud)).
Proof.
intros T. apply andb_prop in T. destruct T as [T U]. apply cost_ok in U. unfold over_cost in U. cbn [ev] in U. rewrite length_is, <- s_is, <- eps_is in U.
cbn [across ev]. rewrite <- s_is.
destruct (over_the_top f s (exp eps) p_continuous p_positive p_falls s_pos k_pos a b (e - eps) ends ltac:(lra)) as [L M].
- intros r R. apply (surplus_from (e - eps) e); try lra. assert (L := leads_ok F ch e ok xn xd eq_refl (across sn sd false) false fuel n m d r T ltac:(lra) ltac:(lra)).
  cbn [across ev] in L. rewrite <- s_is in L. apply L. lra.
- split; [ exact L | ]. apply Rle_trans with (1 := M). apply Rle_trans with (2 := U). right. ring.
Qed.
Lemma no_spheres : e = eps -> tile (leads F xn xd (across sn sd false) false) fuel n m d = true ->
  stretches a (ev (across sn sd false) a) b (ev (across sn sd false) b) 0 0.
Proof.
intros E T. cbn [across ev]. rewrite <- s_is.
destruct (over_the_top f s (exp eps) p_continuous p_positive p_falls s_pos k_pos a b (e - eps) ends ltac:(lra)) as [L M].
- intros r R. apply (surplus_from (e - eps) e); try lra. assert (L := leads_ok F ch e ok xn xd eq_refl (across sn sd false) false fuel n m d r T ltac:(lra) ltac:(lra)).
  cbn [across ev] in L. rewrite <- s_is in L. apply L. lra.
- split; [ exact L | ]. apply Rle_trans with (1 := M). rewrite E. right. ring.
Qed.

(* Along M: the loss is at least eps there and at most e, and w nearer it is at most eps, or there is no point so near. *)
Variables (g : R -> R) (top : R) (M M' : expr) (wn : Z) (wd : positive) (near : bool).
Hypotheses (G_g : forall r, 0 < r <= top -> ev (G F true) r = g r) (end_top : b + s <= top) (M'_is : D M = M').
Notation w := (IZR wn / IZR (Zpos wd)).
Definition lies_between : list expr :=
  [ Sub M (Sub (Rat sn sd) Var); Sub M (Sub Var (Rat sn sd)); Sub (Add Var (Rat sn sd)) M;
    Sub (Sub M (Rat wn wd)) (Rat 1 (zero_d ch)); if near then Sub (Add (Rat wn wd) (Sub (Rat sn sd) Var)) M else Int 0 ].
Definition curve_ok : bool := andb (andb (Z.ltb 0 n) (Z.leb 0 wn)) (andb (tile (steps_on (steps F true)) fuel n m d)
  (forallb (fun c => tile (nonnegative_on [M] c (D c)) fuel n m d) lies_between)).
Lemma curve_is_ok : curve_ok = true -> 0 < a /\ 0 <= w /\ forall r, a <= r <= b ->
  (forall c, In c (steps F true) -> def c r) /\ def M r /\ (Rabs (r - s) <= ev M r <= r + s /\ / IZR (Zpos (zero_d ch)) <= ev M r - w) /\
  (near = true -> ev M r - w <= Rabs (r - s)).
Proof.
intros H. apply andb_prop in H. destruct H as [A H]. apply andb_prop in A. destruct A as [A W]. apply andb_prop in H. destruct H as [S T].
apply Z.ltb_lt, IZR_lt in A. apply Z.leb_le, IZR_le in W. rewrite forallb_forall in T.
assert (P : forall d, 0 < / IZR (Zpos d)) by (intros; apply Rinv_0_lt_compat, IZR_lt; reflexivity).
split; [ now apply Rmult_lt_0_compat | split; [ apply Rmult_le_pos; [ exact W | left; apply P ] | ] ]. intros r R.
assert (Q : forall c, In c lies_between -> def M r /\ 0 <= ev c r).
{ intros c J. apply (tile_ok (fun r => def M r /\ 0 <= ev c r) (nonnegative_on [M] c (D c))) with (2 := T c J); [ | exact R ].
  intros n' m' d' C x X. destruct (nonnegative_on_ok [M] c n' m' d' x C X) as [DM V]. split; [ apply DM; now left | exact V ]. }
assert (K : forall i, (i < 5)%nat -> 0 <= ev (nth i lies_between M) r) by (intros i I; apply Q, nth_In; exact I).
assert (C0 := K 0%nat ltac:(lia)). assert (C1 := K 1%nat ltac:(lia)). assert (C2 := K 2%nat ltac:(lia)). assert (C3 := K 3%nat ltac:(lia)).
assert (C4 := K 4%nat ltac:(lia)). cbn [nth lies_between ev] in C0, C1, C2, C3, C4. rewrite <- s_is in C0, C1, C2.
unfold Rdiv at 2 in C3. rewrite Rmult_1_l in C3. split; [ | split; [ now apply (Q (nth 0%nat lies_between M)), nth_In, Nat.lt_0_succ | split ] ].
- intros c J. apply (tile_ok (fun r => def c r) (steps_on (steps F true))) with (2 := S); [ | exact R ].
  intros n' m' d' C x X. unfold steps_on in C. rewrite forallb_forall in C. apply (iev_ok c (box n' m' d') x (box_ok n' m' d' x X)). now apply C.
- split; [ split; [ unfold Rabs; destruct Rcase_abs; lra | lra ] | lra ].
- intros ->. cbn [ev] in C4. rewrite <- s_is in C4. unfold Rabs; destruct Rcase_abs; lra.
Qed.
Definition curve_cost : expr := Mul (Mul (Rat (m - n) d) (Rat m d)) (Mul (Rat wn wd) (Mul (Add (Rat m d) (Rat sn sd)) (Sub (Rat xn xd) (Rat en ed)))).
Lemma on_the_curve l u un ud : andb curve_ok (ge0 (iev (Sub (Rat un ud) (Mul curve_cost F)) (point n d))) = true ->
  (forall r, a <= r <= b -> eps <= g (ev M r) - g r <= e) ->
  (near = false -> forall r, a <= r <= b -> g (ev M r - w) - g r <= eps) ->
  l <= RInt (ev (along_of M M')) a b <= u -> stretches a (ev M a) b (ev M b) l (u + IZR un / IZR (Zpos ud)).
Proof.
intros K Lm Ln H. apply andb_prop in K. destruct K as [K C]. apply cost_ok in C. unfold curve_cost in C. cbn [ev] in C. rewrite length_is, <- s_is, <- eps_is in C.
destruct (curve_is_ok K) as [A [W Q]].
assert (R0 := r0_pos ch).
assert (X : stretches a (ev M a) b (ev M b) l (u + (b - a) * (b * (w * ((b + s) * ((e - eps) * density f a)))))).
{ apply (along_the_curve f s (exp eps) p_continuous p_positive p_falls s_pos k_pos (ev M) (ev M') a b w (e - eps)); try lra.
  - intros r R. rewrite <- M'_is. apply D_ok. now apply Q.
  - intros r R. rewrite <- M'_is. apply ev_continuous, def_D. now apply Q.
  - intros r R. apply Q. lra.
  - intros r R. destruct (Q r ltac:(lra)) as [St [_ [V _]]]. assert (Ab := Rabs_pos (r - s)). rewrite !p_F by lra.
    apply (lead_ok F ch eps ok en ed eps_is M true r St); try lra. unfold lead. cbn [ev]. rewrite subst_ok, !G_g by lra. specialize (Lm r ltac:(lra)). lra.
  - intros r R. destruct (Q r ltac:(lra)) as [St [_ [V Nr]]]. destruct near; [ left; now apply Nr | ].
    right. split; [ lra | ]. rewrite !p_F by lra. specialize (Ln eq_refl r ltac:(lra)).
    apply (lead_ok F ch eps ok en ed eps_is (Sub M (Rat wn wd)) false r St); cbn [ev]; try lra.
    unfold lead. cbn [ev]. rewrite subst_ok. cbn [ev]. rewrite !G_g by lra. lra.
  - intros r R. right. destruct (Q r ltac:(lra)) as [St [_ [V _]]]. assert (Ab := Rabs_pos (r - s)).
    apply (surplus_from (e - eps) e); try lra.
    apply (lead_ok F ch e ok xn xd eq_refl M false r St); try lra. unfold lead. cbn [ev]. rewrite subst_ok, !G_g by lra. specialize (Lm r ltac:(lra)). lra.
  - apply (integrand M M'); [ | exact H ]. intros r R. destruct (Q r ltac:(lra)) as [_ [_ [V _]]]. assert (Ab := Rabs_pos (r - s)). lra. }
unfold stretch in *. lra.
Qed.
End Stretch.
End Space.
