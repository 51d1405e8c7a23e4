(* Rules about increments: of the loss over all shifts of an interval, and of special functions over short shifts. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(* f takes on only such slopes between any two points of (a, b): what the kernel calls its slopes on a box. *)
Definition slopes (f : R -> R) (a b : R) (D : R -> Prop) :=
  forall x y, a < x < b -> a < y < b -> exists s, D s /\ f y - f x = s * (y - x).

(* ---- the loss phi_h(r) = L r - L (r + h), L = log f, on a box of radii and for an interval of shifts ---- *)
Definition phi (L : R -> R) (h r : R) := L r - L (r + h).

(* Boxes between increasing marks: a point within them that is no mark is in one. *)
Fixpoint boxes (marks : list R) : list (R * R) := match marks with
  | u :: ((v :: _) as more) => (u, v) :: boxes more | _ => [] end.
Lemma in_a_box marks first last t : hd_error marks = Some first -> List.last marks last = last ->
  first < t < last -> ~ In t marks -> exists u v, In (u, v) (boxes marks) /\ u < t < v.
Proof.
revert first. induction marks as [|u [|v more] IH]; intros first F Z T N; simpl in F; [ discriminate | | ]; injection F as ->.
- simpl in Z. lra.
- destruct (Rlt_or_le t v) as [A|A].
  + exists first, v. split; [ left; reflexivity | lra ].
  + assert (v <> t) by (intros ->; apply N; right; left; reflexivity).
    destruct (IH v eq_refl Z ltac:(lra)) as [u' [v' [I B]]]; [ intros M; apply N; right; exact M | ].
    exists u', v'. split; [ right; exact I | exact B ].
Qed.

(* Heights of L on boxes that cover all radii ahead, however each was found. *)
Theorem K241_heights L marks first last a b low high here0 here1 ahead0 ahead1 :
  hd_error marks = Some first -> List.last marks last = last -> first <= a + low -> b + high <= last ->
  (forall r, a < r < b -> here0 <= L r <= here1) ->
  (forall u v t, In (u, v) (boxes marks) -> u < t < v -> a + low < t < b + high -> ahead0 <= L t <= ahead1) ->
  forall r h, a < r < b -> low <= h <= high -> ~ In (r + h) marks -> here0 - ahead1 <= phi L h r <= here1 - ahead0.
Proof.
intros F Z A B Here Ahead r h R H N. unfold phi.
destruct (in_a_box marks first last (r + h) F Z ltac:(lra) N) as [u [v [I U]]].
specialize (Here r R). specialize (Ahead u v (r + h) I U ltac:(lra)). lra.
Qed.

(* Heights by the mean value form, about any place c of the box. *)
Theorem K222_mean_value L a b c D low high : slopes L a b D -> a < c < b ->
  (forall s x, D s -> a < x < b -> low <= L c + s * (x - c) <= high) -> forall x, a < x < b -> low <= L x <= high.
Proof.
intros S C H x X. destruct (S c x C X) as [s [Ds E]]. specialize (H s x Ds X). lra.
Qed.

(* phi and its slopes from L here and ahead, each enclosed by itself. *)
Theorem K223_taken_apart L a b h D E : slopes L a b D -> slopes L (a + h) (b + h) E ->
  slopes (phi L h) a b (fun s => exists d e, D d /\ E e /\ s = d - e).
Proof.
intros H A x y X Y. destruct (H x y X Y) as [d [Dd P]]. destruct (A (x + h) (y + h) ltac:(lra) ltac:(lra)) as [e [Ee Q]].
exists (d - e). split; [ exists d, e; auto | ]. unfold phi.
replace (L y - L (y + h) - (L x - L (x + h))) with ((L y - L x) - (L (y + h) - L (x + h))) by ring. rewrite P, Q. ring.
Qed.

(* From one shift k to another, h: what phi_k and the slopes of L between r and r + (h - k) say. *)
Theorem K221_from_one_shift L a b h k r D low high : slopes L a b D -> a < r < b -> a < r + h - k < b ->
  low <= phi L k (r + h - k) <= high -> exists s, D s /\ low - s * (h - k) <= phi L h r <= high - s * (h - k).
Proof.
intros S A B H. destruct (S r (r + h - k) A B) as [s [Ds E]]. exists s. split; [ exact Ds | ].
unfold phi in *. replace (r + h - k + k) with (r + h) in H by ring. replace (r + h - k - r) with (h - k) in E by ring. lra.
Qed.

(* ---- the gain L |r + side t| - L r over a piece of radii and a cell of shifts ---- *)
Theorem K234_gain L c side p q m r tm t a b a' b' D E : slopes L a b D -> slopes L a' b' E ->
  a < r < b -> a < m < b -> a' < c * (r + side * t) < b' -> a' < c * (m + side * tm) < b' ->
  p = L (c * (m + side * tm)) - L m -> q = L (c * (r + side * t)) - L r ->
  exists s s', D s /\ E s' /\ q = p + (c * s' - s) * (r - m) + s' * (c * side * (t - tm)).
Proof.
intros H T R M R' M' -> ->. destruct (H m r M R) as [s [Ds P]]. destruct (T _ _ M' R') as [s' [Es Q]].
exists s, s'. split; [ exact Ds | split; [ exact Es | ] ].
replace (c * (r + side * t) - c * (m + side * tm)) with (c * (r - m) + c * side * (t - tm)) in Q by ring. lra.
Qed.
Theorem K234_between L side r t a b D : slopes L a b D -> a < r < b -> a < r + side * t < b ->
  exists s, D s /\ L (r + side * t) - L r = s * side * t.
Proof. intros H R T. destruct (H _ _ R T) as [s [Ds E]]. exists s. split; [ exact Ds | ]. rewrite E. ring. Qed.
(* Which side of the centre: the two cases in which |r + side t| is c (r + side t) on all of piece and cell, and the rest. *)
Theorem K234_radius a b low high r t : a < r < b -> low < t < high -> 0 <= low -> 0 <= a ->
  Rabs (r + t) = r + t /\ (b <= low -> Rabs (r - t) = t - r) /\ (high <= a -> Rabs (r - t) = r - t) /\
  Rabs (r - t) < Rmax (b - low) (high - a).
Proof.
intros R T Z A. repeat split.
- apply Rabs_pos_eq. lra.
- intros. rewrite Rabs_left1; lra.
- intros. apply Rabs_pos_eq. lra.
- generalize (Rmax_l (b - low) (high - a)) (Rmax_r (b - low) (high - a)). unfold Rabs. destruct Rcase_abs; lra.
Qed.

(* ---- increments over short shifts ---- *)
(* An interval, as the set of what lies in it. *)
Definition convex (J : R -> Prop) := forall x y z, J x -> J y -> x <= z <= y -> J z.
Lemma convex_min_max J x y z : convex J -> J x -> J y -> Rmin x y <= z <= Rmax x y -> J z.
Proof. intros C X Y. unfold Rmin, Rmax. destruct Rle_dec; intros Z; [ now apply (C x y) | now apply (C y x) ]. Qed.
Lemma mean_value J f df x y : convex J -> (forall z, J z -> is_derive f z (df z)) -> J x -> J y ->
  exists c, J c /\ f y - f x = df c * (y - x).
Proof.
intros C D X Y. destruct (MVT_gen f x y df) as [c [B E]].
- intros z Z. apply D. apply (convex_min_max J x y); auto. lra.
- intros z Z. apply derivable_continuous_pt. exists (df z). apply is_derive_Reals, D. now apply (convex_min_max J x y).
- exists c. split; [ now apply (convex_min_max J x y) | exact E ].
Qed.

Theorem K250_by_slope J F dF u du : convex J -> (forall z, J z -> is_derive F z (dF z)) -> J u -> J (u + du) ->
  exists s, J s /\ F (u + du) - F u = du * dF s.
Proof.
intros C D U V. destruct (mean_value J F dF u (u + du) C D U V) as [s [Js E]]. exists s. split; [ exact Js | rewrite E; ring ].
Qed.

(* With u, d, v = u + d at two radii: U holds the values of u, J those of u and of v, S those of d. *)
Theorem K251_slope_by_bend J U S F dF bend u1 d1 u2 d2 : convex J -> convex U -> convex S ->
  (forall z, U z -> J z) -> (forall z, J z -> is_derive F z (dF z)) -> (forall z, J z -> is_derive dF z (bend z)) ->
  U u1 -> U u2 -> S d1 -> S d2 -> J (u1 + d1) -> J (u2 + d2) ->
  exists x y d, J x /\ U y /\ S d /\
    (F (u2 + d2) - F u2) - (F (u1 + d1) - F u1) = ((u2 + d2) - (u1 + d1)) * bend x * d + dF y * (d2 - d1).
Proof.
intros CJ CU CS UJ D DD U1 U2 S1 S2 V1 V2.
set (along := fun p q z : R => p + z * (q - p)).
assert (In : forall P p q z, convex P -> P p -> P q -> 0 <= z <= 1 -> P (along p q z)).
{ intros P p q z C Pp Pq Z. apply (convex_min_max P p q); trivial. unfold along, Rmin, Rmax.
  destruct (Rle_dec p q).
  - assert (0 <= z * (q - p)) by (apply Rmult_le_pos; lra). assert (0 <= (1 - z) * (q - p)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= z * (p - q)) by (apply Rmult_le_pos; lra). assert (0 <= (1 - z) * (p - q)) by (apply Rmult_le_pos; lra). lra. }
set (v1 := u1 + d1) in *. set (v2 := u2 + d2) in *.
set (G := fun z => F (along v1 v2 z) - F (along u1 u2 z)).
set (dG := fun z => (v2 - v1) * dF (along v1 v2 z) - (u2 - u1) * dF (along u1 u2 z)).
assert (DG : forall z, 0 <= z <= 1 -> is_derive G z (dG z)).
{ intros z Z. unfold G, dG. apply (is_derive_minus (fun z => F (along v1 v2 z)) (fun z => F (along u1 u2 z))).
  - apply (is_derive_comp F (along v1 v2)); [ apply D, In; auto | ]. unfold along. auto_derive; trivial. ring.
  - apply (is_derive_comp F (along u1 u2)); [ apply D, In; auto | ]. unfold along. auto_derive; trivial. ring. }
destruct (mean_value (fun z => 0 <= z <= 1) G dG 0 1) as [z [Z E]]; try lra.
{ intros x y w X Y W. lra. }
{ exact DG. }
assert (Jv : J (along v1 v2 z)) by (apply In; auto).
assert (Uu : U (along u1 u2 z)) by (apply In; auto).
destruct (mean_value J dF bend (along u1 u2 z) (along v1 v2 z) CJ DD (UJ _ Uu) Jv) as [x [Jx X]].
exists x, (along u1 u2 z), (along d1 d2 z). split; [ exact Jx | split; [ exact Uu | split; [ now apply In | ] ] ].
assert (G1 : G 1 - G 0 = F v2 - F u2 - (F v1 - F u1)).
{ unfold G, along. replace (v1 + 1 * (v2 - v1)) with v2 by ring. replace (u1 + 1 * (u2 - u1)) with u2 by ring.
  replace (v1 + 0 * (v2 - v1)) with v1 by ring. replace (u1 + 0 * (u2 - u1)) with u1 by ring. ring. }
rewrite <- G1, E. unfold dG.
replace (along v1 v2 z - along u1 u2 z) with (along d1 d2 z) in X by (unfold along, v1, v2; ring).
replace (dF (along v1 v2 z)) with (dF (along u1 u2 z) + bend x * along d1 d2 z) by lra.
unfold v1, v2. ring.
Qed.

(* ---- floors: n is the floor of x ---- *)
Definition floor_is (x : R) (n : Z) := IZR n <= x < IZR n + 1.

(* What a floor leaves, and how that differs in two places. *)
Theorem K287_left_over x y n m : floor_is x n -> floor_is y m ->
  0 <= x - IZR n < 1 /\ -1 < (y - IZR m) - (x - IZR n) < 1.
Proof. unfold floor_is. lra. Qed.

(* The increment of a floor is the floor of what is added, or one more; that number itself where it is whole. *)
Theorem K62_increment x v n m k : floor_is x n -> floor_is (x + v) m -> floor_is v k ->
  (m - n = k \/ m - n = k + 1)%Z /\ (v = IZR k -> (m - n = k)%Z).
Proof.
unfold floor_is. intros X Y V.
assert (A : (k - 1 < m - n)%Z) by (apply lt_IZR; rewrite !minus_IZR; lra).
assert (B : (m - n < k + 2)%Z) by (apply lt_IZR; rewrite plus_IZR, minus_IZR; lra).
split; [ lia | intros W ]. assert ((m - n < k + 1)%Z) by (apply lt_IZR; rewrite plus_IZR, minus_IZR; lra). lia.
Qed.

(* The largest of several here and ahead: its increment is between the least and the largest of theirs. *)
Theorem K286_maximum (here ahead : list R) i j u v du dv low high :
  nth_error here i = Some u -> nth_error ahead i = Some du -> (forall x, In x here -> x <= u) ->
  nth_error here j = Some v -> nth_error ahead j = Some dv -> (forall x, In x ahead -> x <= dv) ->
  low <= du - u -> dv - v <= high -> low <= dv - u <= high.
Proof.
intros A B U C D V L H. specialize (U v (nth_error_In _ _ C)). specialize (V du (nth_error_In _ _ B)). lra.
Qed.

(* Powers of positive numbers: the increment is du p s^(p-1), s between the two. *)
Theorem K286_power u v p : 0 < u -> 0 < v -> exists s,
  Rmin u v <= s <= Rmax u v /\ Rpower v p - Rpower u p = (v - u) * (p * Rpower s (p - 1)).
Proof.
intros U V. destruct (MVT_gen (fun x => Rpower x p) u v (fun x => p * Rpower x (p - 1))) as [s [S E]].
- intros x X. apply is_derive_Reals, derivable_pt_lim_power.
  unfold Rmin, Rmax in X. destruct (Rle_dec u v); lra.
- intros x X. apply derivable_continuous_pt. exists (p * Rpower x (p - 1)).
  apply derivable_pt_lim_power. unfold Rmin, Rmax in X. destruct (Rle_dec u v); lra.
- exists s. split; [ exact S | rewrite E; ring ].
Qed.
