(* From the one-dimensional inequality of a certificate to differential privacy in R^d.

   What is proved here, for every d >= 1:
   - the triangle inequality of the Euclidean norm, and of the Mahalanobis norm |L x| / sigma of any matrix L;
   - Theorem A: the density ratio is at most exp(eps) for every shift within the sensitivity exactly when
     f(s^2) <= exp(eps) f(t^2) for all radii s, t >= 0 with |s - t| <= delta;
   - Theorem 3 of Reimherr and Awan (2019), the corollary for non-increasing f: it is enough to look at
     f((c - delta)^2) <= exp(eps) f(c^2), c >= delta, which is what an export states; and no smaller eps will do;
   - Theorem B, at every point: the excess of one density over a multiple of the other does not fall as the shift grows
     along a line, for non-increasing f (its integral, the divergence, is in measures.v);
   - from the density ratio to events: P_a(E) <= exp(eps) P_b(E), for any integral that is monotone and linear
     in a constant factor. Riemann's integral (Coquelicot) is shown to be one.
   measures.v shows Lebesgue's integral to be another. What is cited and not proved here: that densities of two
   shifts of the same noise have the same normalising constant (the Lebesgue measure's translation invariance). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* ---- vectors of R^d: functions from indices, of which the first d count ---- *)
Definition vector := nat -> R.
Definition minus (x u : vector) : vector := fun i => x i - u i.
Fixpoint sum (d : nat) (a : nat -> R) : R := match d with O => 0 | S n => sum n a + a n end.
Definition dot (d : nat) (x u : vector) : R := sum d (fun i => x i * u i).
Definition norm (d : nat) (x : vector) : R := sqrt (dot d x x).

Lemma dot_self d x : 0 <= dot d x x.
Proof. unfold dot. induction d as [|n IH]; simpl; [ lra | ]. generalize (Rle_0_sqr (x n)). unfold Rsqr. lra. Qed.
Lemma norm_pos d x : 0 <= norm d x. Proof. apply sqrt_pos. Qed.
Lemma norm_sqr d x : norm d x * norm d x = dot d x x. Proof. apply sqrt_sqrt, dot_self. Qed.
Lemma sum_ext d a b : (forall i, a i = b i) -> sum d a = sum d b.
Proof. intros H. induction d as [|n IH]; simpl; [ reflexivity | now rewrite IH, H ]. Qed.
Lemma sum_plus d a b : sum d (fun i => a i + b i) = sum d a + sum d b.
Proof. induction d as [|n IH]; simpl; [ ring | rewrite IH; ring ]. Qed.
Lemma sum_scal d k a : sum d (fun i => k * a i) = k * sum d a.
Proof. induction d as [|n IH]; simpl; [ ring | rewrite IH; ring ]. Qed.

(* Cauchy and Schwarz. *)
Lemma dot_norm d x u : dot d x u <= norm d x * norm d u.
Proof.
assert (H : 0 <= norm d u * norm d u * (norm d x * norm d x) - dot d x u * dot d x u).
{ rewrite !norm_sqr. unfold dot. induction d as [|n IH]; simpl; [ lra | ].
  set (X := sum n (fun i => x i * x i)) in *. set (U := sum n (fun i => u i * u i)) in *. set (P := sum n (fun i => x i * u i)) in *.
  assert (X0 : 0 <= X) by apply (dot_self n x). assert (U0 : 0 <= U) by apply (dot_self n u).
  (* 2 P x u <= X u^2 + U x^2, since P^2 <= X U *)
  assert (K : 2 * (P * (x n * u n)) <= X * (u n * u n) + U * (x n * x n)).
  { apply Rnot_lt_le. intros C. assert (A : 0 <= X * (u n * u n) + U * (x n * x n)).
    { apply Rplus_le_le_0_compat; apply Rmult_le_pos; trivial; apply Rle_0_sqr. }
    assert (B : Rsqr (X * (u n * u n) + U * (x n * x n)) < Rsqr (2 * (P * (x n * u n)))) by (apply Rsqr_incrst_1; lra).
    unfold Rsqr in B.
    assert (E : 0 <= (U * X - P * P) * (4 * ((x n * u n) * (x n * u n)))) by (apply Rmult_le_pos; [ exact IH | generalize (Rle_0_sqr (x n * u n)); unfold Rsqr; lra ]).
    assert (G := Rle_0_sqr (X * (u n * u n) - U * (x n * x n))). unfold Rsqr in G. lra. }
  lra. }
destruct (Rle_or_lt (dot d x u) 0) as [N|P].
- apply Rle_trans with (1 := N). apply Rmult_le_pos; apply norm_pos.
- apply Rsqr_incr_0_var; [ unfold Rsqr; lra | apply Rmult_le_pos; apply norm_pos ].
Qed.

Lemma norm_triangle d x u : norm d x <= norm d (minus x u) + norm d u.
Proof.
apply Rsqr_incr_0_var; [ | apply Rplus_le_le_0_compat; apply norm_pos ]. unfold Rsqr.
replace ((norm d (minus x u) + norm d u) * (norm d (minus x u) + norm d u)) with
  (norm d (minus x u) * norm d (minus x u) + norm d u * norm d u + 2 * (norm d (minus x u) * norm d u)) by ring.
rewrite !norm_sqr. generalize (dot_norm d (minus x u) u). intros H.
assert (E : dot d x x = dot d (minus x u) (minus x u) + dot d u u + 2 * dot d (minus x u) u).
{ unfold dot, minus. rewrite <- sum_scal, <- !sum_plus. apply sum_ext. intros i. ring. }
lra.
Qed.

(* The Mahalanobis norm |L x| / sigma; S^-1 = L' L gives (x' S^-1 x)^(1/2) / sigma. *)
Definition matrix := nat -> nat -> R.
Definition apply_matrix (d : nat) (L : matrix) (x : vector) : vector := fun i => sum d (fun j => L i j * x j).
Definition mahalanobis (d : nat) (L : matrix) (sigma : R) (x : vector) : R := norm d (apply_matrix d L x) / sigma.

Lemma norm_ext d x y : (forall i, x i = y i) -> norm d x = norm d y.
Proof. intros H. unfold norm, dot. f_equal. apply sum_ext. intros i. now rewrite H. Qed.
Lemma apply_minus d L x u i : apply_matrix d L (minus x u) i = minus (apply_matrix d L x) (apply_matrix d L u) i.
Proof.
unfold apply_matrix, minus. replace (sum d (fun j => L i j * x j) - sum d (fun j => L i j * u j)) with
  (sum d (fun j => L i j * x j) + -1 * sum d (fun j => L i j * u j)) by ring.
rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros j. ring.
Qed.
Lemma mahalanobis_triangle d L sigma x u : 0 < sigma ->
  mahalanobis d L sigma x <= mahalanobis d L sigma (minus x u) + mahalanobis d L sigma u.
Proof.
intros S. unfold mahalanobis, Rdiv. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [ left; now apply Rinv_0_lt_compat | ].
rewrite (norm_ext d _ _ (apply_minus d L x u)). apply norm_triangle.
Qed.

(* ---- the density ratio ---- *)
Section Ratio.
Variables (f : R -> R) (delta eps : R).

(* Theorem 3's condition, as an export states it, and Theorem A's. *)
Definition theorem_3 := forall c, delta <= c -> f ((c - delta) ^ 2) <= exp eps * f (c ^ 2).
Definition theorem_A := forall s t, 0 <= s -> 0 <= t -> Rabs (s - t) <= delta -> f (s ^ 2) <= exp eps * f (t ^ 2).
Definition non_increasing := forall s t, 0 <= s <= t -> f t <= f s.
Definition positive := forall y, 0 <= y -> 0 < f y.

Lemma theorem_3_A : 0 <= delta -> non_increasing -> (theorem_3 <-> theorem_A).
Proof.
intros D M. split.
- intros H s t Hs Ht B. apply Rabs_le_between in B.
  apply Rle_trans with (exp eps * f ((s + delta) ^ 2)).
  + replace (s ^ 2) with (((s + delta) - delta) ^ 2) by (f_equal; ring). apply H. lra.
  + apply Rmult_le_compat_l; [ left; apply exp_pos | ]. apply M. split; [ apply pow_le; lra | apply pow_incr; lra ].
- intros H c C. apply H; try lra. replace (c - delta - c) with (- delta) by ring. rewrite Rabs_Ropp, Rabs_pos_eq; lra.
Qed.

Section Norm.
(* Any N with the triangle inequality: the two norms above. *)
Variables (N : vector -> R).
Hypotheses (N_pos : forall x, 0 <= N x) (N_sym : forall x u, N (minus x u) = N (minus u x)) (N_triangle : forall x u, N x <= N (minus x u) + N u)
  (N_back : forall x u, N (minus x u) <= N x + N u).

Theorem density_ratio_A : theorem_A -> forall x u, N u <= delta -> f (N (minus x u) ^ 2) <= exp eps * f (N x ^ 2).
Proof. intros H x u U. apply H; [ apply N_pos | apply N_pos | ]. apply Rabs_le_between. generalize (N_triangle x u) (N_back x u). lra. Qed.
Theorem density_ratio : 0 <= delta -> non_increasing -> theorem_3 ->
  forall x u, N u <= delta -> f (N (minus x u) ^ 2) <= exp eps * f (N x ^ 2).
Proof. intros D M H. apply density_ratio_A. now apply theorem_3_A. Qed.
End Norm.

(* Conversely, on a line through the centre every pair of radii occurs: the bound is the best. *)
Definition along (s : R) : vector := fun i => match i with O => s | _ => 0 end.
Lemma norm_along n s : norm (S n) (along s) = Rabs s.
Proof.
assert (E : dot (S n) (along s) (along s) = s * s).
{ unfold dot. induction n as [|n IH]; simpl in *; [ ring | rewrite IH; ring ]. }
unfold norm. rewrite E. apply sqrt_Rsqr_abs.
Qed.
Theorem best n : (forall x u, norm (S n) u <= delta -> f (norm (S n) (minus x u) ^ 2) <= exp eps * f (norm (S n) x ^ 2)) -> theorem_A.
Proof.
intros H s t S T B.
assert (E : norm (Datatypes.S n) (minus (along t) (along (t - s))) = s).
{ rewrite (norm_ext _ _ (along s)); [ rewrite norm_along; now apply Rabs_pos_eq | ]. intros [|i]; unfold minus, along; ring. }
specialize (H (along t) (along (t - s))). rewrite E, !norm_along, (Rabs_pos_eq t T) in H. apply H.
now rewrite Rabs_minus_sym.
Qed.
End Ratio.

(* The Euclidean norm has what is asked of N. *)
Lemma norm_opp d x : norm d (fun i => - x i) = norm d x.
Proof. unfold norm, dot. f_equal. apply sum_ext. intros i. ring. Qed.
Lemma norm_sym d x u : norm d (minus x u) = norm d (minus u x).
Proof. rewrite <- norm_opp. apply norm_ext. intros i. unfold minus. ring. Qed.
Lemma norm_back d x u : norm d (minus x u) <= norm d x + norm d u.
Proof.
replace (norm d x) with (norm d (minus (minus x u) (fun i => - u i))) by (apply norm_ext; intros i; unfold minus; ring).
rewrite <- (norm_opp d u). apply norm_triangle.
Qed.
Lemma mahalanobis_pos d L sigma x : 0 < sigma -> 0 <= mahalanobis d L sigma x.
Proof. intros S. apply Rmult_le_pos; [ apply norm_pos | left; now apply Rinv_0_lt_compat ]. Qed.
Lemma mahalanobis_back d L sigma x u : 0 < sigma ->
  mahalanobis d L sigma (minus x u) <= mahalanobis d L sigma x + mahalanobis d L sigma u.
Proof.
intros S. unfold mahalanobis, Rdiv. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [ left; now apply Rinv_0_lt_compat | ].
rewrite (norm_ext d _ _ (apply_minus d L x u)). apply norm_back.
Qed.

(* A witness or an unbounded ratio, as exports state them, in R^d. *)
Theorem no_smaller_epsilon (f : R -> R) (delta lower eps c : R) n : 0 <= delta <= c -> positive f ->
  exp lower * f (c ^ 2) <= f ((c - delta) ^ 2) ->
  (forall x u, norm (S n) u <= delta -> f (norm (S n) (minus x u) ^ 2) <= exp eps * f (norm (S n) x ^ 2)) -> lower <= eps.
Proof.
intros C P W H. assert (A := best f delta eps n H (c - delta) c ltac:(lra) ltac:(lra)).
replace (c - delta - c) with (- delta) in A by ring. rewrite Rabs_Ropp, Rabs_pos_eq in A by lra. specialize (A ltac:(lra)).
assert (F : 0 < f (c ^ 2)) by (apply P, pow_le; lra).
assert (E : exp lower <= exp eps) by (apply Rmult_le_reg_r with (1 := F); lra).
destruct E as [E|E]; [ left; now apply exp_lt_inv | right; now apply exp_inv ].
Qed.
Theorem no_epsilon (f : R -> R) (delta : R) n : 0 <= delta ->
  (forall K, exists c, delta < c /\ f ((c - delta) ^ 2) > K * f (c ^ 2)) ->
  forall eps, ~ forall x u, norm (S n) u <= delta -> f (norm (S n) (minus x u) ^ 2) <= exp eps * f (norm (S n) x ^ 2).
Proof.
intros D W eps H. destruct (W (exp eps)) as [c [C G]].
assert (A := best f delta eps n H (c - delta) c ltac:(lra) ltac:(lra)).
replace (c - delta - c) with (- delta) in A by ring. rewrite Rabs_Ropp, Rabs_pos_eq in A by lra. specialize (A ltac:(lra)). lra.
Qed.

(* ---- from densities to events ---- *)
(* An integral: monotone, and linear in a constant factor. *)
Record integral (X : Type) := {
  integrable : (X -> R) -> Prop;
  value : (X -> R) -> R;
  monotone : forall p q, integrable p -> integrable q -> (forall x, p x <= q x) -> value p <= value q;
  homogeneous : forall k p, integrable p -> integrable (fun x => k * p x) /\ value (fun x => k * p x) = k * value p }.

(* The probability of an event under a density. *)
Definition on {X} (event : X -> bool) (p : X -> R) (x : X) : R := if event x then p x else 0.
Definition probability {X} (I : integral X) (p : X -> R) (event : X -> bool) : R := value X I (on event p).

Theorem events {X} (I : integral X) (p q : X -> R) eps : (forall x, p x <= exp eps * q x) ->
  forall event, integrable X I (on event p) -> integrable X I (on event q) ->
  probability I p event <= exp eps * probability I q event.
Proof.
intros H event P Q. unfold probability. destruct (homogeneous X I (exp eps) _ Q) as [Q' <-].
apply monotone; auto. intros x. unfold on. destruct (event x); [ apply H | lra ].
Qed.

(* The mechanism: noise around the answers a and b of two neighbours, at most the sensitivity apart. *)
Definition density (k : R) (f : R -> R) (N : vector -> R) (a x : vector) : R := k * f (N (minus x a) ^ 2).

Theorem differentially_private (I : integral vector) (k : R) (f : R -> R) (delta eps : R) d :
  0 < k -> 0 <= delta -> non_increasing f -> theorem_3 f delta eps ->
  forall a b, norm d (minus a b) <= delta ->
  forall event, integrable vector I (on event (density k f (norm d) a)) -> integrable vector I (on event (density k f (norm d) b)) ->
  probability I (density k f (norm d) a) event <= exp eps * probability I (density k f (norm d) b) event.
Proof.
intros K D M H a b B. apply events. intros x. unfold density.
replace (exp eps * (k * f (norm d (minus x b) ^ 2))) with (k * (exp eps * f (norm d (minus x b) ^ 2))) by ring.
apply Rmult_le_compat_l; [ lra | ].
replace (norm d (minus x a)) with (norm d (minus (minus x b) (minus a b))) by (apply norm_ext; intros i; unfold minus; ring).
apply (density_ratio f delta eps (norm d)); auto using norm_pos, norm_triangle, norm_back.
Qed.

(* The same with the Mahalanobis distance and a scale: the densities around a and b, *)
Theorem density_bound (k : R) (f : R -> R) (L : matrix) (sigma delta eps : R) d :
  0 < k -> 0 < sigma -> theorem_A f delta eps -> forall a b, mahalanobis d L sigma (minus a b) <= delta ->
  forall x, density k f (mahalanobis d L sigma) a x <= exp eps * density k f (mahalanobis d L sigma) b x.
Proof.
intros K S H a b B x. unfold density.
replace (exp eps * (k * f (mahalanobis d L sigma (minus x b) ^ 2))) with (k * (exp eps * f (mahalanobis d L sigma (minus x b) ^ 2))) by ring.
apply Rmult_le_compat_l; [ lra | ].
replace (mahalanobis d L sigma (minus x a)) with (mahalanobis d L sigma (minus (minus x b) (minus a b))).
- apply (density_ratio_A f delta eps (mahalanobis d L sigma)); auto using mahalanobis_pos, mahalanobis_triangle, mahalanobis_back.
- unfold mahalanobis. f_equal. apply norm_ext. intros i. apply sum_ext. intros j. unfold minus. ring.
Qed.

(* and the probabilities of events. *)
Theorem differentially_private_elliptical (I : integral vector) (k : R) (f : R -> R) (L : matrix) (sigma delta eps : R) d :
  0 < k -> 0 < sigma -> 0 <= delta -> non_increasing f -> theorem_3 f delta eps ->
  forall a b, mahalanobis d L sigma (minus a b) <= delta ->
  forall event, integrable vector I (on event (density k f (mahalanobis d L sigma) a)) ->
    integrable vector I (on event (density k f (mahalanobis d L sigma) b)) ->
  probability I (density k f (mahalanobis d L sigma) a) event <= exp eps * probability I (density k f (mahalanobis d L sigma) b) event.
Proof. intros K S D M H a b B. apply events. apply (density_bound k f L sigma delta eps d K S); [ now apply theorem_3_A | exact B ]. Qed.

(* ---- Theorem B: the longest shift is the worst ---- *)
Definition times (s : R) (u : vector) : vector := fun i => s * u i.
(* From a to b: a at s = 0, b at s = 1. *)
Definition between (a b : vector) (s : R) : vector := minus a (times s (minus a b)).

Lemma dot_minus d x u s :
  dot d (minus x (times s u)) (minus x (times s u)) = dot d x x - 2 * s * dot d x u + s * s * dot d u u.
Proof. unfold dot, minus, times. induction d as [|n IH]; simpl; [ ring | rewrite IH; ring ]. Qed.

(* Beyond half of a shift every longer one leads farther away. *)
Lemma farther d x u s : 0 <= s <= 1 -> norm d x < norm d (minus x (times s u)) ->
  norm d (minus x (times s u)) <= norm d (minus x u).
Proof.
intros S H. unfold norm in H. apply sqrt_lt_0_alt in H. apply sqrt_le_1_alt.
replace (dot d (minus x u) (minus x u)) with (dot d (minus x (times 1 u)) (minus x (times 1 u)))
  by (unfold dot; apply sum_ext; intros i; unfold minus, times; ring).
rewrite !dot_minus in *. assert (U := dot_self d u).
set (X := dot d x x) in *. set (P := dot d x u) in *. set (V := dot d u u) in *.
assert (S' : 0 < s) by (destruct (Req_dec s 0) as [E|E]; [ subst s; lra | lra ]).
assert (K : 0 < s * V - 2 * P) by (apply Rmult_lt_reg_l with (1 := S'); lra).
assert (G : 0 <= (1 - s) * (s * V - 2 * P + V)) by (apply Rmult_le_pos; lra).
lra.
Qed.

Lemma mahalanobis_farther d L sigma x u s : 0 < sigma -> 0 <= s <= 1 ->
  mahalanobis d L sigma x < mahalanobis d L sigma (minus x (times s u)) ->
  mahalanobis d L sigma (minus x (times s u)) <= mahalanobis d L sigma (minus x u).
Proof.
intros Z S. unfold mahalanobis, Rdiv. assert (I := Rinv_0_lt_compat sigma Z).
assert (A : forall v i, apply_matrix d L (minus x (times v u)) i = minus (apply_matrix d L x) (times v (apply_matrix d L u)) i).
{ intros v i. rewrite apply_minus. unfold minus. f_equal. unfold apply_matrix, times. rewrite <- sum_scal. apply sum_ext. intros j. ring. }
rewrite !(norm_ext d _ _ (A s)), (norm_ext d _ _ (apply_minus d L x u)).
intros H. apply Rmult_le_compat_r; [ lra | ]. apply farther; [ exact S | ]. now apply Rmult_lt_reg_r with (1 := I).
Qed.

(* Where the density around a exceeds c times the one around a point between a and b, the one around b is no larger than
   that: so (p - c q)+ does not fall, at any x, as b moves away from a. *)
Theorem theorem_B (k : R) (f : R -> R) (L : matrix) (sigma c : R) d : 0 <= k -> 0 < sigma -> 1 <= c ->
  (forall y, 0 <= y -> 0 <= f y) -> non_increasing f -> forall a b s x, 0 <= s <= 1 ->
  c * density k f (mahalanobis d L sigma) (between a b s) x < density k f (mahalanobis d L sigma) a x ->
  density k f (mahalanobis d L sigma) b x <= density k f (mahalanobis d L sigma) (between a b s) x.
Proof.
intros K Z C F M a b s x S. unfold density. set (N := mahalanobis d L sigma).
assert (E : forall v, N (minus x (between a b v)) = N (minus (minus x a) (times v (minus b a)))).
{ intros v. unfold N, mahalanobis. f_equal. apply norm_ext. intros i. apply sum_ext. intros j.
  unfold between, minus, times. ring. }
assert (B : N (minus x b) = N (minus (minus x a) (minus b a))).
{ unfold N, mahalanobis. f_equal. apply norm_ext. intros i. apply sum_ext. intros j. unfold minus. ring. }
rewrite E, B. set (y := minus x a). set (u := minus b a). intros H.
assert (P : forall v, 0 <= N v) by (intros v; now apply mahalanobis_pos).
apply Rmult_le_compat_l; [ exact K | ]. apply M. split; [ apply pow_le, P | ].
apply pow_incr. split; [ apply P | ]. apply mahalanobis_farther; [ exact Z | exact S | ].
apply Rnot_le_lt. intros Q.
assert (G : f (N y ^ 2) <= f (N (minus y (times s u)) ^ 2)) by (apply M; split; [ apply pow_le, P | apply pow_incr; split; [ apply P | exact Q ] ]).
assert (G0 : 0 <= f (N (minus y (times s u)) ^ 2)) by (apply F, pow_le, P).
assert (G1 : k * f (N y ^ 2) <= k * f (N (minus y (times s u)) ^ 2)) by (apply Rmult_le_compat_l; [ exact K | exact G ]).
assert (G2 : 0 <= k * f (N (minus y (times s u)) ^ 2)) by (apply Rmult_le_pos; assumption).
assert (G3 : 0 <= (c - 1) * (k * f (N (minus y (times s u)) ^ 2))) by (apply Rmult_le_pos; lra).
lra.
Qed.

(* Riemann's integral over [a, b] is an integral, so events on the line are covered with nothing cited. *)
Definition riemann (a b : R) (H : a <= b) : integral R.
Proof.
refine {| integrable := fun p => ex_RInt p a b; value := fun p => RInt p a b |}.
- intros p q P Q L. apply RInt_le; auto.
- intros k p P. split; [ apply (ex_RInt_scal p a b k P) | ]. apply (RInt_scal p a b k P).
Defined.
