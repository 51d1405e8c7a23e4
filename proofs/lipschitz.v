(* Rules that bound the loss by slopes alone (K340 to K344, K350, K351): where pieces with bounded slopes meet. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import increments.
Import ListNotations.
Open Scope R_scope.

(* No difference quotient of L between radii of (a, b) beyond R0 is larger than c. *)
Definition lipschitz (R0 c : R) (L : R -> R) (a b : R) := forall s t, R0 < s -> a < s -> s <= t -> t < b -> Rabs (L t - L s) <= c * (t - s).
Theorem K340_by_slopes c (L : R -> R) R0 a b : slopes L a b (fun s => - c <= s <= c) -> lipschitz R0 c L a b.
Proof.
intros S s t _ A B C. destruct (S s t) as [k [K E]]; [ lra | lra | ]. rewrite E, Rabs_mult, (Rabs_pos_eq (t - s)) by lra.
apply Rmult_le_compat_r; [ lra | now apply Rabs_le ].
Qed.
Lemma near (L : R -> R) x e : continuous L x -> 0 < e -> exists d, 0 < d /\ forall y, Rabs (y - x) < d -> Rabs (L y - L x) < e.
Proof.
intros C E. destruct (C (fun y => Rabs (y - L x) < e)) as [d D]; [ exists (mkposreal e E); intros y Y; exact Y | ].
exists d. split; [ apply cond_pos | exact D ].
Qed.
(* The ends of a piece, where L is continuous. *)
Lemma up_to R0 c L a b s : 0 <= c -> lipschitz R0 c L a b -> continuous L b -> R0 < s -> a < s -> s <= b -> Rabs (L b - L s) <= c * (b - s).
Proof.
intros C H K R A B. destruct B as [B| ->]; [ | rewrite !Rminus_eq_0, Rabs_R0, Rmult_0_r; lra ]. apply le_epsilon. intros e E.
destruct (near L b e K E) as [d [D N]]. set (z := Rmax s (b - d / 2)). assert (Z : s <= z < b /\ b - z < d) by (unfold z, Rmax; destruct Rle_dec; lra).
specialize (N z). rewrite Rabs_minus_sym, (Rabs_pos_eq (b - z)) in N by lra. specialize (N ltac:(lra)). rewrite Rabs_minus_sym in N.
assert (M := H s z R A ltac:(lra) ltac:(lra)). replace (L b - L s) with ((L b - L z) + (L z - L s)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). assert (c * (z - s) <= c * (b - s)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma from R0 c L a b t : 0 <= c -> lipschitz R0 c L a b -> continuous L a -> R0 < a -> a <= t -> t < b -> Rabs (L t - L a) <= c * (t - a).
Proof.
intros C H K R A B. destruct A as [A| <-]; [ | rewrite !Rminus_eq_0, Rabs_R0, Rmult_0_r; lra ]. apply le_epsilon. intros e E.
destruct (near L a e K E) as [d [D N]]. set (z := Rmin t (a + d / 2)). assert (Z : a < z <= t /\ z - a < d) by (unfold z, Rmin; destruct Rle_dec; lra).
specialize (N z). rewrite (Rabs_pos_eq (z - a)) in N by lra. specialize (N ltac:(lra)).
assert (M := H z t ltac:(lra) ltac:(lra) ltac:(lra) B). replace (L t - L a) with ((L t - L z) + (L z - L a)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). assert (c * (t - z) <= c * (t - a)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
(* Two pieces that meet at b. *)
Lemma join R0 c L a b d : 0 <= c -> lipschitz R0 c L a b -> lipschitz R0 c L b d -> (R0 < b -> continuous L b) -> lipschitz R0 c L a d.
Proof.
intros C H K Q s t R A B D. destruct (Rlt_or_le t b) as [T|T]; [ now apply H | ].
destruct (Rlt_or_le b s) as [S|S]; [ now apply K | ]. assert (Q' := Q ltac:(lra)).
replace (L t - L s) with ((L t - L b) + (L b - L s)) by ring. apply Rle_trans with (1 := Rabs_triang _ _).
assert (U := up_to R0 c L a b s C H Q' R A S). assert (V := from R0 c L b d t C K Q' ltac:(lra) T D). lra.
Qed.

(* ---- the charts (0, r0], a cover and [R, oo), between marks ---- *)
Fixpoint charted (c : R) (L : R -> R) (low : R) (marks : list R) : Prop := match marks with
  | [] => forall b, lipschitz 0 c L low b | m :: more => lipschitz 0 c L low m /\ continuous L m /\ charted c L m more end.
Theorem K340_charts c L marks : 0 <= c -> charted c L 0 marks -> forall s t, 0 < s -> 0 < t -> Rabs (L t - L s) <= c * Rabs (t - s).
Proof.
intros C. assert (All : forall low, charted c L low marks -> forall b, lipschitz 0 c L low b).
{ induction marks as [|m more IH]; intros low H b; [ apply H | ]. destruct H as [H [K M]].
  apply (join 0 c L low m b C H (IH m M b)). intros _. exact K. }
intros H. assert (G := All 0 H). assert (O : forall s t, 0 < s -> s <= t -> Rabs (L t - L s) <= c * (t - s)).
{ intros s t S T. apply (G (t + 1)); lra. }
intros s t S T. destruct (Rle_dec s t) as [E|E].
- rewrite (Rabs_pos_eq (t - s)) by lra. apply O; lra.
- rewrite Rabs_minus_sym, (Rabs_minus_sym t), (Rabs_pos_eq (s - t)) by lra. apply O; lra.
Qed.
(* Slopes of q log f: |phi_h| <= c h/q, and f(s) <= e^(c delta/q) f(t) for all radii within delta, as Theorem A asks. *)
Theorem K340_epsilon c q (f L : R -> R) marks delta : 0 <= c -> 0 < q -> (forall r, 0 < r -> 0 < f r) -> (forall r, L r = q * ln (f r)) ->
  charted c L 0 marks -> forall s t, 0 < s -> 0 < t -> Rabs (s - t) <= delta ->
  Rabs (ln (f t) - ln (f s)) <= c * Rabs (t - s) / q /\ f s <= exp (c * delta / q) * f t.
Proof.
intros C Q P E H s t S T D. assert (B := K340_charts c L marks C H s t S T). rewrite !E in B.
replace (q * ln (f t) - q * ln (f s)) with (q * (ln (f t) - ln (f s))) in B by ring. rewrite Rabs_mult, (Rabs_pos_eq q) in B by lra.
assert (G : Rabs (ln (f t) - ln (f s)) <= c * Rabs (t - s) / q).
{ apply Rmult_le_reg_l with q; [ exact Q | ]. replace (q * (c * Rabs (t - s) / q)) with (c * Rabs (t - s)) by (field; lra). exact B. }
split; [ exact G | ]. rewrite <- (exp_ln (f s)), <- (exp_ln (f t)) by auto. rewrite <- exp_plus.
assert (M : c * Rabs (t - s) / q <= c * delta / q).
{ apply Rmult_le_compat_r; [ left; now apply Rinv_0_lt_compat | ]. apply Rmult_le_compat_l; [ exact C | now rewrite Rabs_minus_sym ]. }
assert (N : ln (f s) <= c * delta / q + ln (f t)) by (apply Rabs_le_between in G; lra).
destruct N as [N| ->]; [ left; now apply exp_increasing | lra ].
Qed.

(* ---- q log f as log f^q ---- *)
Theorem K341_identities q u v a : 0 < q -> Rpower (exp u) q = exp (q * u) /\ q * (u + v) = q * u + q * v /\ q * Rmax u v = Rmax (q * u) (q * v) /\
  (0 < u -> 0 < v -> Rpower (u * v) q = Rpower u q * Rpower v q) /\ (0 < u -> Rpower (Rpower u a) q = Rpower u (a * q)) /\
  (0 < u -> ln (Rpower u q) = q * ln u).
Proof.
intros Q. split; [ | split; [ ring | split; [ | split; [ | split ] ] ] ].
- unfold Rpower. now rewrite ln_exp.
- symmetry. apply RmaxRmult. lra.
- intros U V. symmetry. apply Rpower_mult_distr; assumption.
- intros _. apply Rpower_mult.
- intros _. unfold Rpower. apply ln_exp.
Qed.

(* ---- continuity at x ---- *)
Theorem K342_by_slopes c (L : R -> R) x d : 0 <= c -> 0 < d -> lipschitz (x - d) c L (x - d) (x + d) -> continuous L x.
Proof.
intros C D H P [e E]. assert (Z : 0 < Rmin (d / 2) (e / (c + 1))) by (apply Rmin_pos; [ lra | apply Rdiv_lt_0_compat; [ apply cond_pos | lra ] ]).
exists (mkposreal _ Z). intros y Y. apply E. change (Rabs (y - x) < Rmin (d / 2) (e / (c + 1))) in Y. change (Rabs (L y - L x) < e).
assert (M := Rmin_l (d / 2) (e / (c + 1))). assert (M' := Rmin_r (d / 2) (e / (c + 1))).
assert (B : Rabs (L y - L x) <= c * Rabs (y - x)).
{ destruct (Rle_dec x y).
  - rewrite (Rabs_pos_eq (y - x)) in * by lra. apply H; lra.
  - rewrite Rabs_minus_sym, (Rabs_minus_sym y), (Rabs_pos_eq (x - y)) in * by lra. apply H; lra. }
apply Rle_lt_trans with (1 := B). apply Rle_lt_trans with (c * (e / (c + 1))).
- apply Rmult_le_compat_l; lra.
- apply Rmult_lt_reg_r with (c + 1); [ lra | ]. replace (c * (e / (c + 1)) * (c + 1)) with (c * e) by (field; lra). generalize (cond_pos e). lra.
Qed.
(* One formula before x and one beyond, continuous there and with one value, which L is given at x. *)
Theorem K342_formulas (L before beyond : R -> R) x d : 0 < d -> (forall r, x - d < r < x -> L r = before r) -> (forall r, x < r < x + d -> L r = beyond r) ->
  continuous before x -> continuous beyond x -> before x = beyond x -> continuous (fun r => if Req_EM_T r x then before x else L r) x.
Proof.
intros D A B CA CB E P [e He]. destruct (near before x e CA (cond_pos e)) as [da [Da Na]]. destruct (near beyond x e CB (cond_pos e)) as [db [Db Nb]].
assert (Z : 0 < Rmin d (Rmin da db)) by (apply Rmin_pos; [ exact D | now apply Rmin_pos ]). exists (mkposreal _ Z). intros y Y.
change (Rabs (y - x) < Rmin d (Rmin da db)) in Y. assert (M := Rmin_l d (Rmin da db)). assert (M' := Rmin_r d (Rmin da db)).
assert (M1 := Rmin_l da db). assert (M2 := Rmin_r da db). apply He.
change (Rabs ((if Req_EM_T y x then before x else L y) - (if Req_EM_T x x then before x else L x)) < e).
destruct (Req_EM_T x x) as [_|N]; [ | now elim N ]. destruct (Req_EM_T y x) as [->|N]; [ rewrite Rminus_eq_0, Rabs_R0; apply cond_pos | ].
assert (W := Rabs_def2 _ _ Y). destruct (Rle_dec y x).
- rewrite (A y) by lra. apply Na. lra.
- rewrite (B y), E by lra. apply Nb. lra.
Qed.

(* ---- how large the loss is at least ---- *)
Theorem K343_kept_up (L : R -> R) a b m r t : slopes L a b (fun s => m <= s) \/ slopes L a b (fun s => s <= - m) -> 0 < m -> a < r -> 0 < t -> r + t < b ->
  m * t <= Rabs (L (r + t) - L r).
Proof.
intros S M A T B. destruct S as [S|S]; destruct (S r (r + t)) as [k [K E]]; try lra; rewrite E; replace (r + t - r) with t by ring.
- assert (m * t <= k * t) by (apply Rmult_le_compat_r; lra). generalize (Rle_abs (k * t)). lra.
- assert (m * t <= - k * t) by (apply Rmult_le_compat_r; lra). generalize (Rle_abs (- (k * t))). rewrite Rabs_Ropp. lra.
Qed.
Theorem K343_supremum m q h eps : 0 < h -> 0 < q -> 0 < m -> (forall t, 0 < t < h -> m * t / q <= eps) -> m * h / q <= eps.
Proof.
intros H Q M B. apply le_epsilon. intros e E. assert (K : 0 < m / q) by now apply Rdiv_lt_0_compat. set (t := Rmax (h / 2) (h - e * q / m)).
assert (Z : 0 < e * q / m) by (apply Rdiv_lt_0_compat; [ now apply Rmult_lt_0_compat | exact M ]).
assert (T : h / 2 <= t < h /\ h - e * q / m <= t) by (unfold t, Rmax; destruct Rle_dec; lra). specialize (B t ltac:(lra)).
assert (G : m / q * (h - e * q / m) <= m / q * t) by (apply Rmult_le_compat_l; lra).
replace (m / q * (h - e * q / m)) with (m * h / q - e) in G by (field; lra). replace (m / q * t) with (m * t / q) in G by (field; lra). lra.
Qed.
Theorem K344_one_shift (H : R -> R) delta low t top : 0 < t <= delta -> low <= H t -> (forall s, 0 < s <= delta -> 0 <= H s <= top) -> Rmax low 0 <= top.
Proof. intros T L B. specialize (B t T). apply Rmax_lub; lra. Qed.

(* ---- cells of one period P of phases, between the phases p 0 = 0, ..., p n = P from `start` on ---- *)
Theorem K350_cells c L R0 start P (p : nat -> R) n : 0 <= c -> 0 < P -> p O = 0 -> p n = P -> start <= R0 ->
  (forall k i, (i < n)%nat -> lipschitz R0 c L (start + INR k * P + p i) (start + INR k * P + p (S i))) ->
  (forall k i, (i <= n)%nat -> R0 < start + INR k * P + p i -> continuous L (start + INR k * P + p i)) ->
  forall s t, R0 < s <= t -> Rabs (L t - L s) <= c * (t - s).
Proof.
intros C P0 First Last Z Cells Meet s t [S T].
assert (Period : forall k i, (i <= n)%nat -> lipschitz R0 c L (start + INR k * P) (start + INR k * P + p i)).
{ intros k. induction i as [|i IH]; intros I.
  - rewrite First, Rplus_0_r. intros x y _ A B D. lra.
  - apply (join R0 c L _ (start + INR k * P + p i) _ C); [ apply IH; lia | apply Cells; lia | apply Meet; lia ]. }
assert (All : forall k, lipschitz R0 c L start (start + INR k * P)).
{ induction k as [|k IH].
  - rewrite Rmult_0_l, Rplus_0_r. intros x y _ A B D. lra.
  - rewrite S_INR. replace (start + (INR k + 1) * P) with (start + INR k * P + p n) by (rewrite Last; ring).
    apply (join R0 c L start (start + INR k * P) _ C IH (Period k n (le_n n))). intros W. replace (start + INR k * P) with (start + INR k * P + p O) by (rewrite First; ring).
    apply Meet; [ lia | rewrite First; lra ]. }
set (k := Z.to_nat (up ((t - start) / P))). assert (K : (t - start) / P < INR k).
{ unfold k. rewrite INR_IZR_INZ. apply Rlt_le_trans with (IZR (up ((t - start) / P))); [ apply archimed | apply IZR_le; lia ]. }
apply (All k); try lra. apply (Rmult_lt_compat_r P) in K; [ | exact P0 ]. replace ((t - start) / P * P) with (t - start) in K by (field; lra). lra.
Qed.
(* A small cell around a phase at which cells meet: L is continuous there. *)
Theorem K350_small_cell c L x d : 0 <= c -> 0 < d -> slopes L (x - d) (x + d) (fun s => - c <= s <= c) -> continuous L x.
Proof. intros C D H. apply (K342_by_slopes c L x d C D). now apply K340_by_slopes. Qed.

(* ---- cells of a torus of phases: sets of radii at which each of some lines in r lies between two numbers ---- *)
Definition box := list ((R * R) * (R * R)).
Definition within (b : box) (r : R) := forall sp lh, In (sp, lh) b -> fst lh <= fst sp * r + snd sp <= snd lh.
Theorem K351_without_gaps b x y z : within b x -> within b z -> x <= y <= z -> within b y.
Proof.
intros X Z Y [s p] [l h] I. specialize (X _ _ I). specialize (Z _ _ I). simpl in *. destruct (Rle_dec 0 s).
- assert (s * x <= s * y <= s * z) by (split; apply Rmult_le_compat_l; lra). lra.
- assert (s * z <= s * y <= s * x) by (split; apply Rmult_le_compat_neg_l; lra). lra.
Qed.
Lemma clear_of b x : within b x \/ exists d, 0 < d /\ forall y, Rabs (y - x) < d -> ~ within b y.
Proof.
induction b as [|[[s p] [l h]] more IH]; [ left; intros ? ? [] | ]. destruct IH as [IH|[d [D N]]].
- assert (One : forall e, 0 < e -> exists d, 0 < d /\ forall y, Rabs (y - x) < d -> Rabs (s * y - s * x) < e).
  { intros e E. exists (e / (Rabs s + 1)). assert (0 <= Rabs s) by apply Rabs_pos. split; [ apply Rdiv_lt_0_compat; lra | ]. intros y Y.
    replace (s * y - s * x) with (s * (y - x)) by ring. rewrite Rabs_mult. apply Rle_lt_trans with (Rabs s * (e / (Rabs s + 1))).
    - apply Rmult_le_compat_l; lra.
    - apply Rmult_lt_reg_r with (Rabs s + 1); [ lra | ]. replace (Rabs s * (e / (Rabs s + 1)) * (Rabs s + 1)) with (Rabs s * e) by (field; lra). lra. }
  destruct (Rlt_dec (s * x + p) l) as [A|A]; [ | destruct (Rlt_dec h (s * x + p)) as [B|B] ].
  + right. destruct (One (l - (s * x + p))) as [d [D N]]; [ lra | ]. exists d. split; [ exact D | ]. intros y Y W.
    specialize (W (s, p) (l, h) (or_introl eq_refl)). simpl in W. specialize (N y Y). apply Rabs_def2 in N. lra.
  + right. destruct (One (s * x + p - h)) as [d [D N]]; [ lra | ]. exists d. split; [ exact D | ]. intros y Y W.
    specialize (W (s, p) (l, h) (or_introl eq_refl)). simpl in W. specialize (N y Y). apply Rabs_def2 in N. lra.
  + left. intros sp lh [E|I]; [ injection E as <- <-; simpl; lra | now apply IH ].
- right. exists d. split; [ exact D | ]. intros y Y W. apply (N y Y). intros sp lh I. apply W. now right.
Qed.
(* Steps from each point to those near it are steps from s to t. *)
Lemma step_by_step c (L : R -> R) s t : s <= t -> (forall x, s <= x <= t -> exists d, 0 < d /\ forall y, s <= y <= t -> Rabs (y - x) < d -> Rabs (L y - L x) <= c * Rabs (y - x)) ->
  Rabs (L t - L s) <= c * (t - s).
Proof.
intros T Near. set (E := fun x => s <= x <= t /\ Rabs (L x - L s) <= c * (x - s)).
destruct (completeness E) as [m [Up Least]]; [ exists t; intros x [X _]; lra | exists s; split; [ lra | rewrite !Rminus_eq_0, Rabs_R0; lra ] | ].
assert (M : s <= m <= t) by (split; [ apply Up; split; [ lra | rewrite !Rminus_eq_0, Rabs_R0; lra ] | apply Least; intros x [X _]; lra ]).
destruct (Near m M) as [d [D N]]. assert (Low : exists x, E x /\ m - d < x <= m).
{ apply Classical_Prop.NNPP. intros K. assert (m <= m - d); [ | lra ]. apply Least. intros x X. apply Rnot_lt_le. intros F. apply K.
  exists x. split; [ exact X | split; [ exact F | now apply Up ] ]. }
assert (Em : Rabs (L m - L s) <= c * (m - s)).
{ destruct Low as [x [[X B] [X1 X2]]]. specialize (N x X). rewrite Rabs_minus_sym, (Rabs_pos_eq (m - x)) in N by lra.
  specialize (N ltac:(lra)). rewrite Rabs_minus_sym in N.
  replace (L m - L s) with ((L m - L x) + (L x - L s)) by ring. apply Rle_trans with (1 := Rabs_triang _ _). lra. }
destruct (proj2 M) as [Lt| ->]; [ | exact Em ]. exfalso. set (y := Rmin t (m + d / 2)).
assert (Y : m < y <= t /\ y - m < d) by (unfold y, Rmin; destruct Rle_dec; lra).
assert (y <= m); [ | lra ]. apply Up. split; [ lra | ]. specialize (N y ltac:(lra)). rewrite (Rabs_pos_eq (y - m)) in N by lra. specialize (N ltac:(lra)).
replace (L y - L s) with ((L y - L m) + (L m - L s)) by ring. apply Rle_trans with (1 := Rabs_triang _ _). lra.
Qed.
Theorem K351_cells c L (cells : list box) s t : s <= t -> (forall r, s <= r <= t -> exists b, In b cells /\ within b r) ->
  (forall b x y, In b cells -> within b x -> within b y -> s <= x <= t -> s <= y <= t -> Rabs (L y - L x) <= c * Rabs (y - x)) ->
  Rabs (L t - L s) <= c * (t - s).
Proof.
intros T Cover B. apply step_by_step; [ exact T | ]. intros x X.
assert (Near : exists d, 0 < d /\ forall b y, In b cells -> Rabs (y - x) < d -> within b y -> within b x).
{ clear Cover B. induction cells as [|b more [d [D N]]]; [ exists 1; split; [ lra | intros ? ? [] ] | ].
  destruct (clear_of b x) as [W|[e [E W]]].
  - exists d. split; [ exact D | ]. intros b' y [<-|I] Y Wy; [ exact W | now apply (N b' y) ].
  - exists (Rmin d e). split; [ now apply Rmin_pos | ]. assert (M := Rmin_l d e). assert (M' := Rmin_r d e).
    intros b' y [<-|I] Y Wy; [ destruct (W y ltac:(lra) Wy) | apply (N b' y I ltac:(lra) Wy) ]. }
destruct Near as [d [D N]]. exists d. split; [ exact D | ]. intros y Y K. destruct (Cover y Y) as [b [I W]]. apply (B b); trivial. now apply (N b y).
Qed.
