(* Rules that bound what lies beyond the boxes: integrals of tails, variations of f, and the divergence between shifts. *)
From Coq Require Import Reals Lra Lia Factorial.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus.
Open Scope R_scope.

(* ---- a tail that falls by steps ---- *)
(* w(r) = r^(d-1) f(r^2), log f (r + h) <= log f r - c. *)
Theorem K227_step f far h c n r : 0 < far -> 0 <= h -> far <= r -> (forall x, 0 < f x) -> c <= ln (f r) - ln (f (r + h)) ->
  (r + h) ^ n * f (r + h) <= (1 + h / far) ^ n * exp (- c) * (r ^ n * f r).
Proof.
intros P H L F C. assert (A : f (r + h) <= exp (- c) * f r).
{ rewrite <- (exp_ln (f (r + h)) (F _)), <- (exp_ln (f r) (F r)), <- exp_plus. destruct (Rle_lt_or_eq_dec (ln (f (r + h))) (- c + ln (f r)) ltac:(lra)) as [Q|E];
  [ left; now apply exp_increasing | rewrite E; lra ]. }
assert (B : (r + h) ^ n <= ((1 + h / far) * r) ^ n).
{ apply pow_incr. split; [ lra | ]. assert (h / far * far <= h / far * r) by (apply Rmult_le_compat_l; [ apply Rmult_le_pos; [ lra | left; now apply Rinv_0_lt_compat ] | exact L ]).
  assert (h / far * far = h) by (field; lra). lra. }
rewrite Rpow_mult_distr in B. replace ((1 + h / far) ^ n * exp (- c) * (r ^ n * f r)) with ((1 + h / far) ^ n * r ^ n * (exp (- c) * f r)) by ring.
apply Rmult_le_compat; [ apply pow_le; lra | left; apply F | exact B | exact A ].
Qed.
(* Each stretch is at most k times the one before, so all of them are a geometric series. *)
Theorem K227_series (w : R -> R) far h k n : 0 < h -> 0 <= k < 1 -> (forall a b, far <= a -> a <= b -> ex_RInt w a b) -> (forall r, far <= r -> 0 <= w r) ->
  (forall r, far <= r -> w (r + h) <= k * w r) -> RInt w far (far + INR n * h) <= RInt w far (far + h) / (1 - k).
Proof.
intros H K E P Fall. set (a := fun j => far + INR j * h). set (A := RInt w far (far + h)).
assert (G : forall j, far <= a j) by (intros j; unfold a; assert (0 <= INR j * h) by (apply Rmult_le_pos; [ apply pos_INR | lra ]); lra).
assert (N : forall j, a (S j) = a j + h) by (intros j; unfold a; rewrite S_INR; ring).
assert (A0 : 0 <= A) by (apply RInt_ge_0; [ lra | apply E; lra | intros; apply P; lra ]).
assert (T : forall j, RInt w (a j) (a (S j)) <= k ^ j * A).
{ induction j as [|j IH].
  - unfold A. rewrite N. unfold a. simpl. rewrite !Rmult_0_l, !Rplus_0_r, Rmult_1_l. lra.
  - apply Rle_trans with (k * RInt w (a j) (a (S j))).
    + rewrite (N (S j)), (N j) at 1. assert (J := G j).
      assert (X : ex_RInt w (a j) (a j + h)) by (apply E; lra).
      assert (Y : ex_RInt w (a j + h) (a j + h + h)) by (apply E; lra).
      rewrite <- (RInt_scal w) by (rewrite N; exact X). rewrite N.
      assert (Z : is_RInt (fun r => w (r + h)) (a j) (a j + h) (RInt w (a j + h) (a j + h + h))).
      { apply is_RInt_ext with (fun y => scal 1 (w (1 * y + h))); [ intros; unfold scal; simpl; unfold mult; simpl; now rewrite !Rmult_1_l | ].
        apply (is_RInt_comp_lin w 1 h (a j) (a j + h)). rewrite !Rmult_1_l. now apply (RInt_correct (V := R_CompleteNormedModule)). }
      rewrite <- (is_RInt_unique _ _ _ _ Z). apply RInt_le; [ lra | now exists (RInt w (a j + h) (a j + h + h)) | | ].
      * now apply (ex_RInt_scal w).
      * intros r B. apply Fall. lra.
    + simpl. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
assert (U : RInt w far (a n) <= A * (1 - k ^ n) / (1 - k)).
{ induction n as [|n IH].
  - unfold a. simpl. rewrite Rmult_0_l, Rplus_0_r, RInt_point. unfold zero; simpl. right. field. lra.
  - rewrite <- (RInt_Chasles w far (a n) (a (S n))); [ | apply E; [ lra | apply G ] | apply E; [ apply G | rewrite N; lra ] ].
    unfold plus; simpl. apply Rle_trans with (A * (1 - k ^ n) / (1 - k) + k ^ n * A); [ apply Rplus_le_compat; [ exact IH | apply T ] | right; field; lra ]. }
apply Rle_trans with (1 := U). apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | ].
assert (0 <= A * k ^ n) by (apply Rmult_le_pos; [ exact A0 | apply pow_le; lra ]). lra.
Qed.

(* ---- f cut short of its support: h = c e^-r beyond R ---- *)
(* The integral of r^n e^-r over [0, T] is less than n!. *)
Lemma gamma_antiderivative n : exists P : R -> R, (forall r, 0 <= r -> 0 <= P r) /\ P 0 = INR (fact n) /\
  forall r, is_derive (fun r => - P r * exp (- r)) r (r ^ n * exp (- r)).
Proof.
induction n as [|n [P [Pos [Z D]]]].
- exists (fun _ => 1). split; [ intros; lra | split; [ reflexivity | ] ]. intros r. auto_derive; trivial. simpl. ring.
- exists (fun r => r ^ S n + INR (S n) * P r). split; [ | split ].
  + intros r X. assert (0 <= INR (S n) * P r) by (apply Rmult_le_pos; [ apply pos_INR | now apply Pos ]). assert (0 <= r ^ S n) by now apply pow_le. lra.
  + rewrite Z, fact_simpl, mult_INR, pow_i by lia. ring.
  + intros r. apply is_derive_ext with (fun r => - r ^ S n * exp (- r) + INR (S n) * (- P r * exp (- r))); [ intros t; simpl; ring | ].
    replace (r ^ S n * exp (- r)) with ((r ^ S n * exp (- r) - INR (S n) * (r ^ n * exp (- r))) + INR (S n) * (r ^ n * exp (- r))) by ring.
    apply (is_derive_plus (fun r => - r ^ S n * exp (- r)) (fun r => INR (S n) * (- P r * exp (- r)))).
    * auto_derive; trivial. change (pred (S n)) with n. change (match n with O => 1 | S _ => INR n + 1 end) with (INR (S n)). simpl (r ^ S n). ring.
    * apply (is_derive_scal (fun r => - P r * exp (- r))). apply D.
Qed.
Lemma gamma_below n a b : 0 <= a <= b -> RInt (fun r => r ^ n * exp (- r)) a b <= INR (fact n).
Proof.
intros L. destruct (gamma_antiderivative n) as [P [Pos [Z D]]].
assert (C : forall r, continuous (fun r => r ^ n * exp (- r)) r).
{ intros r. apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. trivial. }
rewrite (is_RInt_unique _ _ _ _ (is_RInt_derive (fun r => - P r * exp (- r)) _ a b (fun r _ => D r) (fun r _ => C r))).
unfold minus, plus, opp; simpl.
assert (0 <= P b * exp (- b)) by (apply Rmult_le_pos; [ apply Pos; lra | left; apply exp_pos ]).
assert (M : - P 0 * exp (- 0) <= - P a * exp (- a)).
{ apply (rises (fun r => - P r * exp (- r)) (fun r => r ^ n * exp (- r))); [ lra | intros; apply D | ].
  intros r R. apply Rmult_le_pos; [ apply pow_le; lra | left; apply exp_pos ]. }
rewrite Z, Ropp_0, exp_0 in M. lra.
Qed.
(* n = d - 1; up to any radius T. *)
Theorem K228_cut f c n (edge B M T : R) : 0 <= edge <= B -> B <= T -> 0 <= c -> (forall r, edge < r < B -> 0 <= f r <= M) -> (forall r, B < r -> f r = 0) ->
  ex_RInt (fun r => r ^ n * Rabs (f r - c * exp (- r))) edge T ->
  RInt (fun r => r ^ n * Rabs (f r - c * exp (- r))) edge T <= M * B ^ n * (B - edge) + c * INR (fact n).
Proof.
intros L L' C F Z E. set (g := fun r => r ^ n * Rabs (f r - c * exp (- r))). set (e := fun r => r ^ n * exp (- r)).
assert (Ee : forall a b, ex_RInt (fun r => c * e r) a b).
{ intros a b. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros r _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold e. auto_derive. trivial. }
assert (Eg : ex_RInt g edge B) by (apply (ex_RInt_Chasles_1 (V := R_CompleteNormedModule)) with T; [ lra | exact E ]).
assert (Eh : ex_RInt g B T) by (apply (ex_RInt_Chasles_2 (V := R_CompleteNormedModule)) with edge; [ lra | exact E ]).
rewrite <- (RInt_Chasles g edge B T Eg Eh). unfold plus; simpl.
assert (A : RInt g edge B <= RInt (fun r => M * B ^ n + c * e r) edge B).
{ apply RInt_le; [ lra | exact Eg | apply (ex_RInt_plus (V := R_CompleteNormedModule)); [ apply ex_RInt_const | apply Ee ] | ].
  intros r X. unfold g, e. destruct (F r X) as [F0 F1].
  assert (Q : Rabs (f r - c * exp (- r)) <= f r + c * exp (- r)).
  { assert (0 <= c * exp (- r)) by (apply Rmult_le_pos; [ exact C | left; apply exp_pos ]). apply Rabs_le. lra. }
  assert (P : 0 <= r ^ n) by (apply pow_le; lra). assert (P' : r ^ n <= B ^ n) by (apply pow_incr; lra).
  apply Rle_trans with (r ^ n * (f r + c * exp (- r))); [ now apply Rmult_le_compat_l | ].
  assert (r ^ n * f r <= B ^ n * M) by (apply Rmult_le_compat; lra). lra. }
assert (A' : RInt g B T <= RInt (fun r => c * e r) B T).
{ apply RInt_le; [ lra | exact Eh | apply Ee | ]. intros r X. unfold g, e. rewrite (Z r) by lra. right.
  replace (0 - c * exp (- r)) with (- (c * exp (- r))) by ring. rewrite Rabs_Ropp, Rabs_pos_eq; [ ring | ]. apply Rmult_le_pos; [ exact C | left; apply exp_pos ]. }
rewrite (RInt_plus (V := R_CompleteNormedModule) (fun _ => M * B ^ n) (fun r => c * e r)) in A; [ | apply ex_RInt_const | apply Ee ].
rewrite RInt_const in A. unfold plus, scal in A; simpl in A; unfold mult in A; simpl in A.
assert (S := RInt_Chasles (fun r => c * e r) edge B T (Ee edge B) (Ee B T)). unfold plus in S; simpl in S.
assert (G : RInt (fun r => c * e r) edge T <= c * INR (fact n)).
{ rewrite (RInt_scal (V := R_CompleteNormedModule) e); [ apply Rmult_le_compat_l; [ exact C | apply gamma_below; lra ] | ].
  apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros r _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold e. auto_derive. trivial. }
lra.
Qed.

(* ---- variations of F = e^L at the centre and in the tail ---- *)
(* If r L' >= m on (0, start], F falls to the centre like a power; if L' >= 0 it rises, by at most F(start). *)
Theorem K237_power L dL m start r : 0 < r <= start -> (forall x, 0 < x <= start -> is_derive L x (dL x)) ->
  (forall x, 0 < x <= start -> m <= x * dL x) -> exp (L r) <= exp (L start) * Rpower (r / start) m.
Proof.
intros R D B. assert (H : L r - m * ln r <= L start - m * ln start).
{ apply (rises (fun x => L x - m * ln x) (fun x => dL x - m * / x)); [ lra | | ].
  - intros x X. apply (is_derive_minus L (fun x => m * ln x)); [ apply D; lra | ]. apply (is_derive_scal ln). apply is_derive_ln. lra.
  - intros x X. specialize (B x ltac:(lra)). replace (dL x - m * / x) with ((x * dL x - m) * / x) by (field; lra).
    apply Rmult_le_pos; [ lra | left; apply Rinv_0_lt_compat; lra ]. }
unfold Rpower, Rdiv. rewrite <- exp_plus, ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
assert (Q : L r <= L start + m * (ln r + - ln start)) by lra. destruct Q as [Q| ->]; [ left; now apply exp_increasing | lra ].
Qed.
Theorem K237_variation L dL start a : 0 < a <= start -> (forall x, 0 < x <= start -> is_derive L x (dL x)) ->
  (forall x, 0 < x <= start -> 0 <= dL x) -> (forall x, a <= x <= start -> continuous dL x) ->
  (forall x, 0 < x <= start -> 0 <= exp (L x) * dL x) /\ RInt (fun x => exp (L x) * dL x) a start <= exp (L start).
Proof.
intros A D B C.
assert (N : forall x, 0 < x <= start -> 0 <= exp (L x) * dL x).
{ intros x X. apply Rmult_le_pos; [ left; apply exp_pos | now apply B ]. }
split; [ exact N | ].
assert (I : is_RInt (fun x => exp (L x) * dL x) a start (exp (L start) - exp (L a))).
{ apply (is_RInt_derive (fun x => exp (L x)) (fun x => exp (L x) * dL x)).
  - intros x. rewrite Rmin_left, Rmax_right by lra. intros X. rewrite Rmult_comm. apply (is_derive_comp exp L); [ apply is_derive_exp | apply D; lra ].
  - intros x. rewrite Rmin_left, Rmax_right by lra. intros X. apply (continuous_mult (fun x => exp (L x)) dL); [ | now apply C ].
    apply (continuous_comp L exp); [ | apply continuous_exp ]. apply (@ex_derive_continuous R_AbsRing R_NormedModule). exists (dL x). apply D. lra. }
rewrite (is_RInt_unique _ _ _ _ I). assert (E := exp_pos (L a)). lra.
Qed.
(* A function that falls and is not negative varies by at most its first value: the sum of its changes over any marks. *)
Fixpoint changes (F : R -> R) (x : R) (marks : list R) : R := match marks with nil => 0 | cons y more => Rabs (F y - F x) + changes F y more end.
Fixpoint rising (x : R) (marks : list R) : Prop := match marks with nil => True | cons y more => x <= y /\ rising y more end.
Theorem K238_falling F R marks : (forall x, R <= x -> 0 <= F x) -> (forall x y, R <= x <= y -> F y <= F x) -> rising R marks -> changes F R marks <= F R.
Proof.
intros P M. assert (G : forall x, R <= x -> rising x marks -> changes F x marks <= F x); [ | intros; apply G; trivial; lra ].
induction marks as [|y more IH]; intros x X S; simpl in *; [ now apply P | ]. destruct S as [S T].
specialize (IH y ltac:(lra) T). assert (F y <= F x) by (apply M; lra). rewrite Rabs_left1 by lra. lra.
Qed.
(* Elsewhere it is at most the largest |L'| times the integral of F. *)
Theorem K238_rate L dL most a b : a <= b -> (forall x, a <= x <= b -> is_derive L x (dL x)) -> (forall x, a <= x <= b -> continuous dL x) ->
  (forall x, a <= x <= b -> Rabs (dL x) <= most) -> RInt (fun x => Rabs (exp (L x) * dL x)) a b <= most * RInt (fun x => exp (L x)) a b.
Proof.
intros H D C B.
assert (Cl : forall x, a <= x <= b -> continuous (fun x => exp (L x)) x).
{ intros x X. apply (continuous_comp L exp); [ | apply continuous_exp ]. apply (@ex_derive_continuous R_AbsRing R_NormedModule). exists (dL x). now apply D. }
assert (E : forall g : R -> R, (forall x, a <= x <= b -> continuous g x) -> ex_RInt g a b).
{ intros g G. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z. rewrite Rmin_left, Rmax_right by exact H. apply G. }
rewrite <- (RInt_scal (V := R_CompleteNormedModule) (fun x => exp (L x))) by (now apply E).
apply RInt_le; [ exact H | | | ].
- apply E. intros x X. apply (continuous_comp (fun x => exp (L x) * dL x) Rabs); [ | apply continuous_Rabs ].
  apply (continuous_mult (fun x => exp (L x)) dL); auto.
- apply (ex_RInt_scal (V := R_CompleteNormedModule) (fun x => exp (L x))). now apply E.
- intros x X. rewrite Rabs_mult, (Rabs_pos_eq (exp (L x))), Rmult_comm by (left; apply exp_pos). unfold scal; simpl; unfold mult; simpl.
  apply Rmult_le_compat_r; [ left; apply exp_pos | apply B; lra ].
Qed.
(* F = f1 + f2, f2 being what lies beyond R; g1 and g2 are the same at the other point, k = e^eps. *)
Theorem K292_above f1 f2 g1 g2 k : 0 <= k -> 0 <= f2 -> 0 <= g2 ->
  Rmax 0 ((f1 + f2) - k * (g1 + g2)) <= Rmax 0 (f1 - k * g1) + f2.
Proof.
intros K F G. assert (0 <= k * g2) by (apply Rmult_le_pos; lra). assert (H1 := Rmax_l 0 (f1 - k * g1)). assert (H2 := Rmax_r 0 (f1 - k * g1)).
apply Rmax_lub; [ lra | rewrite Rmult_plus_distr_l; lra ].
Qed.
Theorem K292_below f1 f2 g1 g2 k : 0 <= k -> 0 <= f2 -> 0 <= g2 ->
  Rmax 0 (f1 - k * g1) <= Rmax 0 ((f1 + f2) - k * (g1 + g2)) + k * g2.
Proof.
intros K F G. assert (0 <= k * g2) by (apply Rmult_le_pos; lra). set (z := (f1 + f2) - k * (g1 + g2)). assert (H1 := Rmax_l 0 z). assert (H2 := Rmax_r 0 z).
apply Rmax_lub; [ lra | unfold z in *; rewrite Rmult_plus_distr_l in *; lra ].
Qed.
(* The jump of f1 from F to 0 at R: what it adds to the slopes of H1, for values f ahead and b back of f1. *)
Theorem K292_jump F k b : 0 <= F -> 0 <= k -> 0 <= b -> - (k * F) <= (Rmax 0 (b - k * F) - Rmax 0 b) <= 0.
Proof.
intros P K B. assert (0 <= k * F) by (apply Rmult_le_pos; lra). rewrite (Rmax_right 0 b) by exact B.
assert (H1 := Rmax_r 0 (b - k * F)). split; [ lra | ]. assert (Rmax 0 (b - k * F) <= b) by (apply Rmax_lub; lra). lra.
Qed.

(* ---- the divergence H(t) between the shifts at which it is known ---- *)
(* On a cell of shifts of width w whose slopes are at most M the bound B at one end carries to the largest of B and B + M w. *)
Theorem K239_carried H dH B M a b : a <= b -> (forall t, a <= t <= b -> is_derive H t (dH t)) -> (forall t, a <= t <= b -> dH t <= M) ->
  H a <= B -> H b <= B + M * (b - a) /\ forall t, a <= t <= b -> H t <= Rmax B (B + M * (b - a)).
Proof.
intros L D S E. assert (C : forall t, a <= t <= b -> H t <= B + M * (t - a)).
{ intros t T. cut (M * a - H a <= M * t - H t); [ lra | ]. apply (rises (fun t => M * t - H t) (fun t => M - dH t)); [ lra | | ].
  - intros x X. apply (is_derive_minus (fun t => M * t) H); [ auto_derive; [ trivial | ring ] | apply D; lra ].
  - intros x X. specialize (S x ltac:(lra)). lra. }
split; [ apply C; lra | ]. intros t T. specialize (C t T). generalize (Rmax_l B (B + M * (b - a))) (Rmax_r B (B + M * (b - a))).
destruct (Rle_or_lt M 0) as [N|P].
- assert (0 <= - M * (t - a)) by (apply Rmult_le_pos; lra). lra.
- assert (M * (t - a) <= M * (b - a)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
(* Where no loss exceeds eps by more than x, x >= 0, no divergence exceeds 1 - e^-x: p integrates to 1. *)
Theorem K239_near p q e x : 0 < p -> 0 <= x -> p <= exp (e + x) * q -> Rmax (p - exp e * q) 0 <= (1 - exp (- x)) * p.
Proof.
intros P X L. assert (E : exp (- x) * p <= exp e * q).
{ replace (exp e * q) with (exp (- x) * (exp (e + x) * q)) by (rewrite <- Rmult_assoc, <- exp_plus; do 2 f_equal; ring). apply Rmult_le_compat_l; [ left; apply exp_pos | exact L ]. }
assert (0 <= (1 - exp (- x)) * p). { apply Rmult_le_pos; [ | lra ]. cut (exp (- x) <= 1); [ lra | ]. rewrite <- exp_0. destruct X as [X|<-]; [ left; apply exp_increasing; lra | rewrite Ropp_0; lra ]. }
apply Rmax_lub; lra.
Qed.
