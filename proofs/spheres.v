(* Rules of profiles: shells and their edges (K260, K262, K430), means over runs of directions (K264, K303, K304), an f patched
   or cut where it may rise (K300 to K302, K370, K410), and rough bounds (K371, K372). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require privacy divergences.
From Dpverify Require Import calculus layers.
Open Scope R_scope.

(* ---- the edges of what is on the sphere |x| = rho, r the distance from u, |u| = s ---- *)
(* The cosines at the centre and at u: F_d, 0 at -1 and 1 at 1, of them are what the edges add, as the lemma lists it. *)
Definition at_centre (rho s r : R) := (rho ^ 2 + s ^ 2 - r ^ 2) / (2 * rho * s).
Definition at_u (rho s r : R) := (rho ^ 2 - s ^ 2 - r ^ 2) / (2 * r * s).
Theorem K260_least rho s : 0 < rho -> 0 < s -> at_centre rho s (Rabs (rho - s)) = 1 /\
  (rho < s -> at_u rho s (s - rho) = -1) /\ (s < rho -> at_u rho s (rho - s) = 1).
Proof.
intros P S. unfold at_centre, at_u. split; [ | split; intros ].
- rewrite pow2_abs. field. lra.
- field. lra.
- field. lra.
Qed.
Theorem K260_largest rho s : 0 < rho -> 0 < s -> at_centre rho s (rho + s) = -1 /\ at_u rho s (rho + s) = -1.
Proof. intros P S. unfold at_centre, at_u. split; field; lra. Qed.
(* Farther from u than B is where the cosine at the centre is below that of B; the density of p in (rho, r) is -d/dr of w F_d(t1). *)
Theorem K260_beyond rho s r B : 0 < rho -> 0 < s -> 0 <= r -> 0 <= B -> B < r <-> at_centre rho s r < at_centre rho s B.
Proof.
intros P S Hr HB. unfold at_centre. assert (K : 0 < 2 * rho * s) by (apply Rmult_lt_0_compat; lra).
assert (Q : B < r <-> B ^ 2 < r ^ 2).
{ split; intros H.
  - simpl. rewrite !Rmult_1_r. apply Rmult_le_0_lt_compat; lra.
  - apply Rnot_le_lt. intros L. assert (r ^ 2 <= B ^ 2) by (apply pow_incr; lra). lra. }
rewrite Q. unfold Rdiv. assert (I := Rinv_0_lt_compat _ K). split; intros H.
- apply Rmult_lt_compat_r; [ exact I | lra ].
- apply Rmult_lt_reg_r in H; [ lra | exact I ].
Qed.
Theorem K260_density w (F dF : R -> R) rho s r : rho <> 0 -> s <> 0 -> is_derive F (at_centre rho s r) (dF (at_centre rho s r)) ->
  is_derive (fun r => - (w * F (at_centre rho s r))) r (w * (dF (at_centre rho s r) * (r / (rho * s)))).
Proof.
intros P S D. assert (T : is_derive (fun r => at_centre rho s r) r (- (r / (rho * s)))) by (unfold at_centre; auto_derive; [ trivial | field; split; assumption ]).
assert (C := is_derive_comp F (fun r => at_centre rho s r) r _ _ D T).
assert (E := is_derive_scal (fun r => F (at_centre rho s r)) r (- w) _ C).
apply (is_derive_ext (fun r => - w * F (at_centre rho s r))); [ intros t; apply Ropp_mult_distr_l_reverse | ].
replace (w * (dF (at_centre rho s r) * (r / (rho * s)))) with (- w * (scal (- (r / (rho * s))) (dF (at_centre rho s r)))); [ exact E | ].
unfold scal. simpl. unfold mult. simpl. ring.
Qed.
(* Where both regions go on, what the boundary's vertical steps add cancels. *)
Theorem K262_alone (V : R) (left right : bool) : (if left then V else 0) - (if right then V else 0) =
  (if andb left (negb right) then V else 0) - (if andb right (negb left) then V else 0).
Proof. destruct left, right; simpl; ring. Qed.
Theorem K262_integral (Points : Type) (I : divergences.linear Points) (V : Points -> R) left right
  (J := divergences.of_functions Points I) (ok := privacy.integrable Points J) (mean := privacy.value Points J) :
  ok (privacy.on left V) -> ok (privacy.on right V) -> ok (privacy.on (fun r => andb (left r) (negb (right r))) V) ->
  ok (privacy.on (fun r => andb (right r) (negb (left r))) V) ->
  mean (privacy.on left V) - mean (privacy.on right V) =
    mean (privacy.on (fun r => andb (left r) (negb (right r))) V) - mean (privacy.on (fun r => andb (right r) (negb (left r))) V).
Proof.
intros A B C D. destruct (divergences.mean_plus I _ _ A D) as [S E]. destruct (divergences.mean_plus I _ _ B C) as [S' E'].
fold J in E, E'. fold mean in E, E'. cut (mean (privacy.on left V) + mean (privacy.on (fun r => andb (right r) (negb (left r))) V) =
  mean (privacy.on right V) + mean (privacy.on (fun r => andb (left r) (negb (right r))) V)); [ lra | ].
rewrite <- E, <- E'. apply Rle_antisym; apply (divergences.mean_le I); trivial; intros x; unfold privacy.on; destruct (left x), (right x); simpl; lra.
Qed.

(* ---- what share of a shell S may leave out ---- *)
Theorem K430_loss (g : R -> R) a b B0 lo hi eps d : 0 < d -> (forall x y, 0 < x <= y -> g x <= g y) -> 0 <= B0 -> 0 < a -> a < b ->
  (forall r, B0 < r < B0 + d -> lo <= g r) -> (forall rho, b - d < rho < b -> g rho <= hi) -> hi + eps <= lo ->
  forall r rho, B0 < r -> a < rho < b -> eps <= g r - g rho.
Proof.
intros D G B0' A AB L H E r rho Hr Hrho. set (x := Rmin r (B0 + d / 2)). assert (X : B0 < x <= r /\ x < B0 + d) by (unfold x, Rmin; destruct Rle_dec; lra).
set (y := Rmax rho (b - d / 2)). assert (Y : rho <= y < b /\ b - d < y) by (unfold y, Rmax; destruct Rle_dec; lra).
assert (P := G x r ltac:(lra)). assert (Q := G rho y ltac:(lra)). assert (P' := L x ltac:(lra)). assert (Q' := H y ltac:(lra)). lra.
Qed.
Theorem K430_cap rho s c B0 : 0 < rho -> 0 < s -> 0 <= B0 -> (rho ^ 2 + s ^ 2 - 2 * rho * s * c <= B0 ^ 2 <-> - c <= (B0 ^ 2 - s ^ 2 - rho ^ 2) / (2 * s * rho)).
Proof.
intros P S B. assert (K : 0 < 2 * s * rho) by (apply Rmult_lt_0_compat; lra). split; intros H.
- apply Rmult_le_reg_r with (2 * s * rho); [ exact K | ]. replace ((B0 ^ 2 - s ^ 2 - rho ^ 2) / (2 * s * rho) * (2 * s * rho)) with (B0 ^ 2 - s ^ 2 - rho ^ 2) by (field; lra). lra.
- apply (Rmult_le_compat_r (2 * s * rho)) in H; [ | lra ]. replace ((B0 ^ 2 - s ^ 2 - rho ^ 2) / (2 * s * rho) * (2 * s * rho)) with (B0 ^ 2 - s ^ 2 - rho ^ 2) in H by (field; lra). lra.
Qed.

(* ---- means of the cosine c over directions ---- *)
(* Over a run: moment is the M of the lemma, k its c_d. *)
Theorem K264_slope k d c : 1 < d -> -1 < c < 1 -> is_derive (moment k d) c (- (c * (k * Rpower (1 - c ^ 2) ((d - 3) / 2)))).
Proof.
intros D C. assert (P : 0 < 1 - c ^ 2) by (assert (0 < (1 - c) * (1 + c)) by (apply Rmult_lt_0_compat; lra); lra).
unfold moment, Rpower. auto_derive; [ lra | ]. replace (1 + - (c * (c * 1))) with (1 - c ^ 2) by ring.
replace ((d - 1) / 2 * ln (1 - c ^ 2)) with ((d - 3) / 2 * ln (1 - c ^ 2) + ln (1 - c ^ 2)) by field. rewrite exp_plus, exp_ln by exact P. set (e := exp ((d - 3) / 2 * ln (1 - c ^ 2))). field. simpl in P. split; lra.
Qed.
Theorem K264_run k d x y : 1 < d -> -1 < x -> x <= y -> y < 1 ->
  is_RInt (fun c => c * (k * Rpower (1 - c ^ 2) ((d - 3) / 2))) x y (moment k d x - moment k d y).
Proof.
intros D X L Y. replace (moment k d x - moment k d y) with (minus (- moment k d y) (- moment k d x)) by (unfold minus, plus, opp; simpl; ring).
apply (is_RInt_derive (fun c => - moment k d c)).
- intros c. rewrite Rmin_left, Rmax_right by exact L. intros C.
  replace (c * (k * Rpower (1 - c ^ 2) ((d - 3) / 2))) with (- - (c * (k * Rpower (1 - c ^ 2) ((d - 3) / 2)))) by ring.
  apply (is_derive_opp (moment k d)). apply K264_slope; lra.
- intros c. rewrite Rmin_left, Rmax_right by exact L. intros C.
  assert (P : 0 < 1 - c ^ 2) by (assert (0 < (1 - c) * (1 + c)) by (apply Rmult_lt_0_compat; lra); lra).
  apply (ex_derive_continuous (fun c => c * (k * Rpower (1 - c ^ 2) ((d - 3) / 2)))). unfold Rpower. auto_derive. lra.
Qed.
(* With a share theta of them that lies between x and y on the run. *)
Theorem K303_share c theta x y : x <= theta <= y -> c * theta = x * c + c * (theta - x) /\ (y - x) * Rmin c 0 <= c * (theta - x) <= (y - x) * Rmax c 0.
Proof.
intros T. split; [ ring | ]. unfold Rmin, Rmax. destruct (Rle_dec c 0).
- assert (c * (y - x) <= c * (theta - x) <= c * 0) by (split; apply Rmult_le_compat_neg_l; lra). lra.
- assert (c * 0 <= c * (theta - x) <= c * (y - x)) by (split; apply Rmult_le_compat_l; lra). lra.
Qed.
Theorem K303_all c theta : 0 <= theta <= 1 -> Rmin c 0 <= c * theta <= Rmax c 0.
Proof. exact (K264_part c theta). Qed.
(* Between two radii low <= high from u: how long an interval of cosines that is, at rho >= a; *)
Theorem K304_length rho s a low high : 0 < a <= rho -> 0 < s -> 0 <= low <= high ->
  0 <= at_centre rho s low - at_centre rho s high <= (high ^ 2 - low ^ 2) / (2 * a * s).
Proof.
intros A S L. assert (Q : 0 <= high ^ 2 - low ^ 2) by (assert (low ^ 2 <= high ^ 2) by (apply pow_incr; lra); lra). unfold at_centre.
replace ((rho ^ 2 + s ^ 2 - low ^ 2) / (2 * rho * s) - (rho ^ 2 + s ^ 2 - high ^ 2) / (2 * rho * s)) with ((high ^ 2 - low ^ 2) * / (2 * rho * s)) by (field; lra).
assert (K : 0 < 2 * a * s) by (apply Rmult_lt_0_compat; lra). assert (M : 2 * a * s <= 2 * rho * s) by (apply Rmult_le_compat_r; lra). split.
- apply Rmult_le_pos; [ exact Q | left; apply Rinv_0_lt_compat; lra ].
- apply Rmult_le_compat_l; [ exact Q | apply Rinv_le_contravar; lra ].
Qed.
(* the density of the cosine for d >= 3; *)
Theorem K304_density k d c : 0 <= k -> 3 <= d -> -1 < c < 1 -> 0 <= k * Rpower (1 - c ^ 2) ((d - 3) / 2) <= k.
Proof.
intros K D C. assert (P : 0 < 1 - c ^ 2 <= 1) by (assert (0 < (1 - c) * (1 + c)) by (apply Rmult_lt_0_compat; lra); assert (0 <= c ^ 2) by apply pow2_ge_0; lra).
assert (E : Rpower (1 - c ^ 2) ((d - 3) / 2) <= 1).
{ unfold Rpower. assert (L : ln (1 - c ^ 2) <= 0) by (rewrite <- ln_1; destruct (proj2 P) as [Q| ->]; [ left; apply ln_increasing; lra | lra ]).
  assert ((d - 3) / 2 * ln (1 - c ^ 2) <= (d - 3) / 2 * 0) by (apply Rmult_le_compat_l; [ lra | exact L ]). apply Rle_trans with (exp 0); [ apply exp_le; lra | rewrite exp_0; lra ]. }
split; [ apply Rmult_le_pos; [ exact K | left; apply exp_pos ] | ]. rewrite <- (Rmult_1_r k) at 2. now apply Rmult_le_compat_l.
Qed.
(* for d = 2 the share of directions with a cosine between x and x + l is that of the angles, 1/pi of their length: at most that at an end. *)
Theorem K304_circle x l : -1 <= x -> 0 <= l -> x + l <= 1 -> asin (x + l) - asin x <= asin 1 - asin (1 - l) /\ asin 1 - asin (1 - l) = asin (l - 1) - asin (-1).
Proof.
intros X L T. split; [ | replace (l - 1) with (- (1 - l)) by ring; rewrite asin_opp; replace (asin (-1)) with (- asin 1) by (rewrite <- asin_opp; f_equal; ring); ring ].
set (a := asin x). set (b := asin (x + l)). assert (A : - (PI / 2) <= a <= PI / 2) by apply asin_bound. assert (B : - (PI / 2) <= b <= PI / 2) by apply asin_bound.
assert (Ea : sin a = x) by (apply sin_asin; lra). assert (Eb : sin b = x + l) by (apply sin_asin; lra).
assert (Pi := PI_RGT_0). rewrite asin_1.
assert (AB : a <= b) by (apply Rnot_lt_le; intros N; assert (sin b < sin a) by (apply sin_increasing_1; lra); lra).
(* with h = (b - a)/2 <= pi/2 : sin b - sin a = 2 cos m sin h, and that is at least 1 - cos 2h = 2 sin^2 h, since |m| + h <= pi/2 *)
set (h := (b - a) / 2). set (m := (a + b) / 2). assert (Hh : 0 <= h <= PI / 2) by (unfold h; lra).
assert (D : l = 2 * cos m * sin h).
{ replace l with (sin b - sin a) by lra. replace a with (m - h) by (unfold m, h; field). replace b with (m + h) by (unfold m, h; field). rewrite sin_plus, sin_minus. ring. }
assert (C : sin h <= cos m).
{ rewrite <- (cos_shift h). assert (G : forall m', 0 <= m' <= PI / 2 - h -> cos (PI / 2 - h) <= cos m').
  { intros m' M. destruct (proj2 M) as [Q| ->]; [ left; apply cos_decreasing_1; lra | lra ]. }
  assert (m + h = b) by (unfold m, h; field). assert (m - h = a) by (unfold m, h; field).
  destruct (Rle_dec 0 m); [ apply G; lra | rewrite <- (cos_neg m); apply G; lra ]. }
assert (S0 : 0 <= sin h) by (apply sin_ge_0; lra).
assert (Q : 1 - l <= cos (2 * h)).
{ rewrite cos_2a_sin, D. assert (sin h * sin h <= cos m * sin h) by (apply Rmult_le_compat_r; assumption). lra. }
assert (W : asin (1 - l) <= PI / 2 - 2 * h).
{ set (e := asin (1 - l)). assert (Eb' : - (PI / 2) <= e <= PI / 2) by apply asin_bound. assert (Ee : sin e = 1 - l) by (apply sin_asin; lra).
  apply Rnot_lt_le. intros N. assert (sin (PI / 2 - 2 * h) < sin e) by (apply sin_increasing_1; lra). rewrite sin_shift in H. lra. }
unfold h in W. lra.
Qed.

(* ---- jumps of F1: u, v the heights F1(j-) and F1(j+), T = e^eps F1(b) ---- *)
Definition chi (u v T : R) := positive_part (v - T) - positive_part (u - T).
Theorem K300_jump u v T : exists theta, 0 <= theta <= 1 /\ chi u v T = (v - u) * theta /\
  (u <> v -> T <= Rmin u v -> theta = 1) /\ (u <> v -> Rmax u v <= T -> theta = 0) /\
  (Rmin u v < T < Rmax u v -> theta * (Rmax u v - Rmin u v) = Rmax u v - T).
Proof.
unfold chi, positive_part. destruct (Req_dec u v) as [->|N].
- exists 0. split; [ lra | split; [ ring | split; [ | split ] ] ]; try (intros K; now elim K). unfold Rmin, Rmax. destruct Rle_dec; lra.
- assert (D : v - u <> 0) by lra. exists ((Rmax (v - T) 0 - Rmax (u - T) 0) / (v - u)).
  set (n := Rmax (v - T) 0 - Rmax (u - T) 0). assert (E : (v - u) * (n / (v - u)) = n) by (field; exact D).
  assert (B : (u < v -> 0 <= n <= v - u) /\ (v < u -> v - u <= n <= 0)) by (unfold n, Rmax; split; intros; destruct (Rle_dec (v - T) 0), (Rle_dec (u - T) 0); lra).
  split; [ | split; [ now rewrite E | split; [ | split ] ] ].
  + destruct (Rtotal_order u v) as [L|[L|L]]; [ | contradiction | ].
    * destruct B as [B _]. specialize (B L). unfold Rdiv. assert (I : 0 < / (v - u)) by (apply Rinv_0_lt_compat; lra).
      split; [ apply Rmult_le_pos; lra | ]. rewrite <- (Rinv_r (v - u)) by exact D. apply Rmult_le_compat_r; lra.
    * destruct B as [_ B]. specialize (B L). replace (n / (v - u)) with (- n / (u - v)) by (field; lra). unfold Rdiv.
      assert (I : 0 < / (u - v)) by (apply Rinv_0_lt_compat; lra).
      split; [ apply Rmult_le_pos; lra | ]. rewrite <- (Rinv_r (u - v)) by lra. apply Rmult_le_compat_r; lra.
  + intros _ Hm. assert (n = v - u) by (unfold n, Rmax; revert Hm; unfold Rmin; destruct (Rle_dec u v), (Rle_dec (v - T) 0), (Rle_dec (u - T) 0); lra). rewrite H. field. exact D.
  + intros _ Hm. assert (n = 0) by (unfold n, Rmax; revert Hm; unfold Rmax; destruct (Rle_dec u v), (Rle_dec (v - T) 0), (Rle_dec (u - T) 0); lra). rewrite H. field. exact D.
  + intros Hm. revert Hm. unfold Rmin, Rmax. destruct (Rle_dec u v) as [L|L]; intros Hm.
    * replace n with (v - T) by (unfold n, Rmax; destruct (Rle_dec (v - T) 0), (Rle_dec (u - T) 0); lra). field. exact D.
    * replace n with (T - u) by (unfold n, Rmax; destruct (Rle_dec (v - T) 0), (Rle_dec (u - T) 0); lra). field. exact D.
Qed.

(* ---- another density in the place of one ---- *)
Theorem K301_pointwise x y x' y' k : 0 <= k -> Rabs (positive_part (x - k * y) - positive_part (x' - k * y')) <= Rabs (x - x') + k * Rabs (y - y').
Proof.
intros K. unfold positive_part. assert (A := Rle_abs (x - x')). assert (A' := Rle_abs (- (x - x'))). rewrite Rabs_Ropp in A'.
assert (B : - (k * Rabs (y - y')) <= k * y - k * y' <= k * Rabs (y - y')).
{ replace (k * y - k * y') with (k * (y - y')) by ring. assert (C := Rle_abs (y - y')). assert (C' := Rle_abs (- (y - y'))). rewrite Rabs_Ropp in C'.
  split; [ replace (- (k * Rabs (y - y'))) with (k * - Rabs (y - y')) by ring | ]; apply Rmult_le_compat_l; lra. }
apply Rabs_le. unfold Rmax. destruct (Rle_dec (x - k * y) 0), (Rle_dec (x' - k * y') 0); lra.
Qed.
Section Laws.
Context {Points : Type} (I : divergences.linear Points).
Notation ok := (privacy.integrable Points (divergences.of_functions Points I)).
Notation mean := (privacy.value Points (divergences.of_functions Points I)).
Notation excess := (divergences.excess).
Theorem K301_shift k p q p1 q1 m : 0 <= k -> ok (excess k p q) -> ok (excess k p1 q1) -> ok (fun x => Rabs (p x - p1 x)) -> ok (fun x => Rabs (q x - q1 x)) ->
  mean (fun x => Rabs (p x - p1 x)) <= m -> mean (fun x => Rabs (q x - q1 x)) <= m -> Rabs (mean (excess k p q) - mean (excess k p1 q1)) <= (1 + k) * m.
Proof.
intros K A B P Q MP MQ. assert (M : k * mean (fun x => Rabs (q x - q1 x)) <= k * m) by now apply Rmult_le_compat_l.
destruct (divergences.mean_scal I k _ Q) as [Q' EQ]. destruct (divergences.mean_plus I _ _ P Q') as [S ES]. rewrite EQ in ES.
assert (U : forall (p q p1 q1 : Points -> R) (x : Points), divergences.excess k p q x - divergences.excess k p1 q1 x <= Rabs (p x - p1 x) + k * Rabs (q x - q1 x)).
{ intros p' q' p1' q1' x. assert (T := K301_pointwise (p' x) (q' x) (p1' x) (q1' x) k K). apply Rabs_le_between in T.
  unfold divergences.excess. unfold positive_part in T. lra. }
apply Rabs_le. split.
- cut (mean (excess k p1 q1) <= 1 * mean (excess k p q) + 1 * mean (fun x => Rabs (p x - p1 x) + k * Rabs (q x - q1 x))); [ lra | ].
  apply (divergences.mean_below I); trivial. intros x. specialize (U p1 q1 p q x). rewrite Rabs_minus_sym, (Rabs_minus_sym (q1 x)) in U. lra.
- cut (mean (excess k p q) <= 1 * mean (excess k p1 q1) + 1 * mean (fun x => Rabs (p x - p1 x) + k * Rabs (q x - q1 x))); [ lra | ].
  apply (divergences.mean_below I); trivial. intros x. specialize (U p q p1 q1 x). lra.
Qed.
(* A tail f2 >= 0 that is cut off: its integral is m at x and at x - t e. *)
Theorem K302_cut k p1 q1 p2 q2 m : 0 <= k -> (forall x, 0 <= p2 x) -> (forall x, 0 <= q2 x) -> ok p2 -> ok q2 -> mean p2 = m -> mean q2 = m ->
  ok (excess k p1 q1) -> ok (excess k (fun x => p1 x + p2 x) (fun x => q1 x + q2 x)) ->
  mean (excess k p1 q1) - k * m <= mean (excess k (fun x => p1 x + p2 x) (fun x => q1 x + q2 x)) <= mean (excess k p1 q1) + m.
Proof.
intros K P Q OP OQ MP MQ A B. split.
- cut (mean (excess k p1 q1) <= 1 * mean (excess k (fun x => p1 x + p2 x) (fun x => q1 x + q2 x)) + k * mean q2); [ rewrite MQ; lra | ].
  apply (divergences.mean_below I); trivial. intros x. unfold divergences.excess. specialize (P x). specialize (Q x).
  assert (0 <= k * q2 x) by now apply Rmult_le_pos. unfold Rmax. destruct Rle_dec, Rle_dec; lra.
- cut (mean (excess k (fun x => p1 x + p2 x) (fun x => q1 x + q2 x)) <= 1 * mean (excess k p1 q1) + 1 * mean p2); [ rewrite MP; lra | ].
  apply (divergences.mean_below I); trivial. intros x. unfold divergences.excess. specialize (P x). specialize (Q x).
  assert (0 <= k * q2 x) by now apply Rmult_le_pos. unfold Rmax. destruct Rle_dec, Rle_dec; lra.
Qed.
(* Any set at any one pair, at most the divergence. *)
Theorem K372_set k p q event : ok (excess k p q) -> ok (privacy.on event p) -> ok (privacy.on event q) -> 0 <= k ->
  mean (privacy.on event p) - k * mean (privacy.on event q) <= mean (excess k p q).
Proof.
intros E P Q K. cut (mean (privacy.on event p) <= 1 * mean (excess k p q) + k * mean (privacy.on event q)); [ lra | ].
apply (divergences.mean_below I); trivial. intros x. unfold divergences.excess, privacy.on. destruct (event x).
- generalize (Rmax_l (p x - k * q x) 0). lra.
- generalize (Rmax_r (p x - k * q x) 0). lra.
Qed.
End Laws.
(* Changes from one shift to another. *)
Theorem K301_changes h h' h1 h1' D : Rabs (h - h1) <= D -> Rabs (h' - h1') <= D -> Rabs ((h' - h) - (h1' - h1)) <= 2 * D.
Proof. intros A B. apply Rabs_le_between in A. apply Rabs_le_between in B. apply Rabs_le. lra. Qed.
Theorem K302_changes h h' h1 h1' k m : h1 - k * m <= h <= h1 + m -> h1' - k * m <= h' <= h1' + m -> Rabs ((h' - h) - (h1' - h1)) <= (1 + k) * m.
Proof. intros A B. apply Rabs_le. lra. Qed.
(* A patch (a, j], on which F1 is the number F(a-). *)
Theorem K301_patch (F : R -> R) Fa M a j n : 0 <= a <= j -> 0 <= Fa <= M -> (forall r, a < r < j -> 0 <= F r <= M) -> ex_RInt (fun r => r ^ n * Rabs (F r - Fa)) a j ->
  RInt (fun r => r ^ n * Rabs (F r - Fa)) a j <= j ^ n * (j - a) * M.
Proof.
intros A B H E. replace (j ^ n * (j - a) * M) with (RInt (fun _ => j ^ n * M) a j) by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
apply RInt_le; [ lra | exact E | apply ex_RInt_const | ]. intros r Hr. specialize (H r Hr). apply Rmult_le_compat.
- apply pow_le. lra.
- apply Rabs_pos.
- apply pow_incr. lra.
- apply Rabs_le. lra.
Qed.
(* On the line each patch is met on both sides of 0: m is that of one side, of 2 Z the densities. *)
Theorem K370_line h h' h1 h1' k m Z : 0 < Z -> Rabs (h - h1) <= (1 + k) * (2 * m / (2 * Z)) -> Rabs (h' - h1') <= (1 + k) * (2 * m / (2 * Z)) ->
  Rabs ((2 * Z * h' - 2 * Z * h) - (2 * Z * h1' - 2 * Z * h1)) <= 2 * (2 * (1 + k) * m).
Proof.
intros P A B. replace (2 * Z * h' - 2 * Z * h - (2 * Z * h1' - 2 * Z * h1)) with (2 * Z * ((h' - h) - (h1' - h1))) by ring.
rewrite Rabs_mult, (Rabs_pos_eq (2 * Z)) by lra. assert (C := K301_changes _ _ _ _ _ A B). apply Rle_trans with (2 * Z * (2 * ((1 + k) * (2 * m / (2 * Z))))).
- apply Rmult_le_compat_l; lra.
- right. field. lra.
Qed.
(* Suprema over the same shifts. *)
Theorem K410_suprema (H H1 : R -> R) delta d d1 c : (forall t, 0 < t <= delta -> Rabs (H t - H1 t) <= c) ->
  is_lub (fun x => exists t, 0 < t <= delta /\ x = H t) d -> is_lub (fun x => exists t, 0 < t <= delta /\ x = H1 t) d1 -> Rabs (d - d1) <= c.
Proof.
intros C [Up Least] [Up1 Least1]. apply Rabs_le. split.
- cut (d1 <= d + c); [ lra | ]. apply Least1. intros x [t [T ->]]. specialize (C t T). apply Rabs_le_between in C.
  assert (H t <= d) by (apply Up; now exists t). lra.
- cut (d <= d1 + c); [ lra | ]. apply Least. intros x [t [T ->]]. specialize (C t T). apply Rabs_le_between in C.
  assert (H1 t <= d1) by (apply Up1; now exists t). lra.
Qed.

(* ---- where no loss is above e0: P and Q of a set, k = e^eps and K = e^e0 ---- *)
Theorem K371_at_most P Q k K : 1 <= k <= K -> P <= K * Q -> 1 - Q <= K * (1 - P) -> P - k * Q <= (K - k) / (1 + K).
Proof.
intros B U V. apply Rmult_le_reg_r with (1 + K); [ lra | ]. replace ((K - k) / (1 + K) * (1 + K)) with (K - k) by (field; lra).
destruct (Req_dec K 1) as [E|E]; [ assert (k = 1) by lra; subst; lra | ]. apply Rmult_le_reg_r with (K - 1); [ lra | ].
assert (0 <= (K * k - 1) * (K * Q - P)) by (apply Rmult_le_pos; [ assert (1 * 1 <= K * k) by (apply Rmult_le_compat; lra); lra | lra ]).
assert (0 <= (K - k) * (K * (1 - P) - (1 - Q))) by (apply Rmult_le_pos; lra). lra.
Qed.
(* Randomised response: its two answers have the probabilities K/(1 + K) and 1/(1 + K), and the other way round. *)
Theorem K371_attained k K : 1 <= k <= K -> let p := K / (1 + K) in let q := 1 / (1 + K) in
  p = K * q /\ p + q = 1 /\ positive_part (p - k * q) + positive_part (q - k * p) = (K - k) / (1 + K).
Proof.
intros B p q. assert (D : 0 < / (1 + K)) by (apply Rinv_0_lt_compat; lra). assert (E : p = K * q) by (unfold p, q; field; lra).
assert (Q : 0 < q) by (unfold q; lra). split; [ exact E | split; [ unfold p, q; field; lra | ] ].
assert (A : k * q <= K * q) by (apply Rmult_le_compat_r; lra). assert (C : 1 * q <= k * (K * q)).
{ rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [ lra | ]. assert (1 * 1 <= k * K) by (apply Rmult_le_compat; lra). lra. }
unfold positive_part. rewrite Rmax_left, Rmax_right by (rewrite E; lra). unfold p, q. field. lra.
Qed.
