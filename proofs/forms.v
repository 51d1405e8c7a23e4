(* Rules that write a function in another way: pi/2 - atan as one function, floors as pieces, quadratics about their vertex,
   quotients of polynomials as products; and monomials on a box. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(* ---- acot x = pi/2 - atan x ---- *)
Definition acot (x : R) := PI / 2 - atan x.

Theorem K217_complement x : 0 < x -> acot x = atan (/ x).
Proof. intros X. unfold acot. now rewrite atan_inv. Qed.
Theorem K219_complement_below x : x < 0 -> acot x = PI + atan (/ x).
Proof.
intros X. unfold acot. replace (/ x) with (- / - x) by (field; lra). rewrite atan_opp, atan_inv, atan_opp by lra. lra.
Qed.
Theorem K220_one_function a q u :
  a * q * atan u - a / 2 * (q * PI) = - a * q * acot u /\ a * q * atan u + a / 2 * (q * PI) = a * q * acot (- u).
Proof. unfold acot. rewrite atan_opp. split; field. Qed.
Theorem K220_acot u : 0 < acot u /\ is_derive acot u (- / (1 + u ^ 2)) /\ - / (1 + u ^ 2) < 0.
Proof.
generalize (atan_bound u). intros B. assert (P : 0 < 1 + u ^ 2) by (generalize (pow2_ge_0 u); lra). split; [ unfold acot; lra | split ].
- unfold acot. auto_derive; trivial. field. lra.
- generalize (Rinv_0_lt_compat _ P). lra.
Qed.
(* atan v - atan u = atan ((v - u)/(1 + u v)) where 1 + u v > 0: of this y -> atan u + atan (...) - atan y has the slope 0. *)
Lemma atan_difference u v : 0 < 1 + u * v -> atan v - atan u = atan ((v - u) / (1 + u * v)).
Proof.
intros P. set (J := fun y => 0 < 1 + u * y).
set (G := fun y => atan ((y - u) / (1 + u * y)) - atan y).
assert (D : forall y, J y -> is_derive G y 0).
{ intros y Y. unfold J in Y. unfold G. auto_derive; [ lra | ].
  assert (0 < 1 + y ^ 2) by (generalize (pow2_ge_0 y); lra).
  assert (0 < 1 + u ^ 2) by (generalize (pow2_ge_0 u); lra).
  assert (Q : (1 + u * y) ^ 2 + (y - u) ^ 2 = (1 + u ^ 2) * (1 + y ^ 2)) by ring.
  assert (0 < (1 + u * y) ^ 2 + (y - u) ^ 2) by (rewrite Q; apply Rmult_lt_0_compat; lra).
  field. repeat split; lra. }
assert (U : J u) by (unfold J; generalize (Rle_0_sqr u); unfold Rsqr; lra).
assert (C : forall z, Rmin u v <= z <= Rmax u v -> J z).
{ intros z Z. unfold J. destruct (Rle_dec 0 u) as [S|S].
  - assert (u * Rmin u v <= u * z) by (apply Rmult_le_compat_l; lra). generalize U P. unfold J, Rmin in *. destruct Rle_dec; lra.
  - assert (- u * z <= - u * Rmax u v) by (apply Rmult_le_compat_l; lra). generalize U P. unfold J, Rmax in *. destruct Rle_dec; lra. }
destruct (MVT_gen G u v (fun _ => 0)) as [z [_ E]].
- intros z Z. apply D, C. lra.
- intros z Z. apply derivable_continuous_pt. exists 0. apply is_derive_Reals. now apply D, C.
- assert (G u = - atan u) by (unfold G; replace ((u - u) / (1 + u * u)) with 0 by (field; unfold J in U; lra); rewrite atan_0; ring).
  unfold G at 1 in E. lra.
Qed.
Theorem K218_increment u v : 0 < 1 + u * v -> acot v - acot u = - atan ((v - u) / (1 + u * v)).
Proof. intros P. rewrite <- atan_difference by exact P. unfold acot. ring. Qed.

(* ---- floors ---- *)
(* n is the floor of x. *)
Definition floor (x : R) (n : Z) := IZR n <= x < IZR n + 1.
Lemma floor_unique x n m : floor x n -> floor x m -> n = m.
Proof.
intros [A B] [C D]. assert (n < m + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
assert (m < n + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra). lia.
Qed.

(* The largest n with n^q <= a^q r^k, where a r^(k/q) stands for any number c >= 0 with c^q = a^q r^k. *)
Lemma power_order q x y : (0 < q)%nat -> 0 <= x -> 0 <= y -> (x <= y <-> x ^ q <= y ^ q).
Proof.
intros Q X Y. split; [ intros; apply pow_incr; lra | ]. intros H. apply Rnot_lt_le. intros L.
assert (y ^ q < x ^ q); [ | lra ]. clear H. destruct q as [|q]; [ lia | ]. clear Q.
induction q as [|q IH]; [ simpl; lra | ]. change (y * y ^ S q < x * x ^ S q).
apply Rle_lt_trans with (y * x ^ S q); [ apply Rmult_le_compat_l; lra | ].
apply Rmult_lt_compat_r; [ apply pow_lt; lra | exact L ].
Qed.
Theorem K225_root n q c x : (0 < q)%nat -> 0 <= c -> c ^ q = x -> (IZR (Z.of_nat n) <= c <-> IZR (Z.of_nat n) ^ q <= x).
Proof. intros Q C <-. apply power_order; [ exact Q | apply IZR_le; lia | exact C ]. Qed.
(* On an open box on which c(r) rises strictly, from its floor at the low end to that at the high end, less 1 where c reaches it. *)
Theorem K225_between c low high first last : (forall r s, low <= r -> r < s -> s <= high -> c r < c s) ->
  floor (c low) first -> floor (c high) last -> forall r n, low < r < high -> floor (c r) n ->
  (first <= n)%Z /\ (n <= last)%Z /\ (c high = IZR last -> (n <= last - 1)%Z).
Proof.
intros S F L r n R N. assert (A := S low r ltac:(lra) ltac:(lra) ltac:(lra)). assert (B := S r high ltac:(lra) ltac:(lra) ltac:(lra)).
unfold floor in *. repeat split.
- cut (first < n + 1)%Z; [ lia | ]. apply lt_IZR. rewrite plus_IZR. lra.
- cut (n < last + 1)%Z; [ lia | ]. apply lt_IZR. rewrite plus_IZR. lra.
- intros E. cut (n < last)%Z; [ lia | ]. apply lt_IZR. lra.
Qed.
(* Where every value of u has the same floor, floor(u) is constant and its derivatives are 0. *)
Theorem K226_constant u fl n a b x : (forall y, a < y < b -> floor (u y) n) -> (forall y, a < y < b -> floor (u y) (fl y)) ->
  a < x < b -> forall k, Derive_n (fun y => IZR (fl y)) k x = match k with O => IZR n | _ => 0 end.
Proof.
intros N F X k. rewrite (Derive_n_ext_loc _ (fun _ => IZR n)).
- destruct k; [ reflexivity | apply Derive_n_const ].
- assert (P : 0 < Rmin (x - a) (b - x)) by (apply Rmin_glb_lt; lra). exists (mkposreal _ P). intros y Y.
  unfold ball in Y; simpl in Y; unfold AbsRing_ball, abs, minus, plus, opp in Y; simpl in Y.
  assert (Z : a < y < b) by (generalize (Rmin_l (x - a) (b - x)) (Rmin_r (x - a) (b - x)); unfold Rabs in Y; destruct Rcase_abs; lra).
  f_equal. apply (floor_unique (u y)); auto.
Qed.

(* ---- floors of waves as pieces ---- *)
(* Branches with conditions, and what holds otherwise: the first that holds. *)
Fixpoint piece {A} (branches : list (bool * A)) (otherwise : A) : A := match branches with
  | [] => otherwise | (c, a) :: more => if c then a else piece more otherwise end.
Definition at_least (v : R) (n : Z) : bool := if Rle_dec (IZR n) v then true else false.
(* The branches n <= v for n = first + m down to first + 1. *)
Fixpoint steps (v : R) (first : Z) (m : nat) : list (bool * Z) := match m with
  | O => [] | S m' => (at_least v (first + Z.of_nat m), (first + Z.of_nat m)%Z) :: steps v first m' end.

Theorem K242_steps v c A first m : c - A <= v -> v < c + A -> floor (c - A) first -> c + A <= IZR (first + Z.of_nat m) + 1 ->
  floor v (piece (steps v first m) first).
Proof.
intros L H F T. assert (G : v < IZR (first + Z.of_nat m) + 1) by lra. clear T H. induction m as [|m IH].
- change (floor v first). unfold floor in *. simpl Z.of_nat in G. rewrite Z.add_0_r in G. lra.
- cbn [steps piece]. unfold at_least. destruct Rle_dec as [B|B]; [ split; assumption | ]. apply IH.
  replace (IZR (first + Z.of_nat m) + 1) with (IZR (first + Z.of_nat (S m))); [ lra | ].
  replace (first + Z.of_nat (S m))%Z with (first + Z.of_nat m + 1)%Z by lia. apply plus_IZR.
Qed.
(* A sum of waves lies within the sum of its amplitudes about c. *)
Fixpoint waves (terms : list (R * R)) : R := match terms with [] => 0 | (a, x) :: more => a * x + waves more end.
Fixpoint amplitudes (terms : list (R * R)) : R := match terms with [] => 0 | (a, _) :: more => Rabs a + amplitudes more end.
Theorem K242_heights c terms : (forall a x, In (a, x) terms -> -1 <= x <= 1) ->
  c - amplitudes terms <= c + waves terms <= c + amplitudes terms.
Proof.
induction terms as [|[a x] more IH]; intros H; simpl; [ lra | ].
assert (I := IH ltac:(intros b y Y; apply (H b y); now right)). assert (X := H a x ltac:(now left)).
assert (B : - Rabs a <= a * x <= Rabs a).
{ apply Rabs_le_between. rewrite Rabs_mult. rewrite <- (Rmult_1_r (Rabs a)) at 2. apply Rmult_le_compat_l; [ apply Rabs_pos | apply Rabs_le; lra ]. }
lra.
Qed.

Theorem K243_sum_of_a_piece (branches : list (bool * R)) (otherwise factor rest : R) :
  rest + factor * piece branches otherwise = piece (map (fun b => (fst b, rest + factor * snd b)) branches) (rest + factor * otherwise).
Proof. induction branches as [|[[|] a] more IH]; simpl; [ reflexivity | reflexivity | exact IH ]. Qed.

(* ---- quadratics ---- *)
Theorem K276_vertex p q s r : p <> 0 -> p * r ^ 2 + q * r + s = p * (r - - q / (2 * p)) ^ 2 + (s - p * (- q / (2 * p)) ^ 2).
Proof. intros P. field. exact P. Qed.

(* ---- polynomials in s and in roots t of numbers, t^n = p ---- *)
(* Powers of t from n on are replaced by those of p, which changes no value; *)
Theorem K240_reduced t n p e : n <> O -> t ^ n = p -> t ^ e = p ^ (e / n) * t ^ (e mod n).
Proof. intros N <-. rewrite <- pow_mult, <- pow_add. f_equal. now apply Nat.div_mod. Qed.
(* so from N F = c D G, F the product of the f_j^-m_j with m_j < 0 and G that of the f_j^m_j with m_j > 0, N/D is c G/F wherever neither D nor F is 0. *)
Theorem K240_quotient N D F G c : N * F = c * D * G -> D <> 0 -> F <> 0 -> N / D = c * G / F.
Proof. intros E HD HF. apply Rmult_eq_reg_r with (D * F); [ | now apply Rmult_integral_contrapositive ]. field_simplify; trivial. lra. Qed.

(* ---- a monomial on a box ---- *)
(* Powers of what is positive and rises lie between their values at the ends of the box. *)
Theorem K270_power u a low high r : (forall x y, low <= x <= y -> y <= high -> u x <= u y) -> 0 < u low -> low <= r <= high ->
  Rmin (Rpower (u low) a) (Rpower (u high) a) <= Rpower (u r) a <= Rmax (Rpower (u low) a) (Rpower (u high) a).
Proof.
intros M P R. assert (A := M low r ltac:(lra) ltac:(lra)). assert (B := M r high ltac:(lra) ltac:(lra)).
assert (E : forall x y, x <= y -> exp x <= exp y) by (intros x y [L| ->]; [ left; now apply exp_increasing | lra ]).
assert (LA : ln (u low) <= ln (u r)) by (apply ln_le; lra). assert (LB : ln (u r) <= ln (u high)) by (apply ln_le; lra). unfold Rpower.
destruct (Rle_or_lt 0 a) as [N|N].
- split; [ apply Rle_trans with (1 := Rmin_l _ _) | apply Rle_trans with (2 := Rmax_r _ _) ]; apply E, Rmult_le_compat_l; lra.
- split; [ apply Rle_trans with (1 := Rmin_r _ _) | apply Rle_trans with (2 := Rmax_l _ _) ]; apply E; apply Ropp_le_cancel; rewrite <- !Ropp_mult_distr_l_reverse;
  apply Rmult_le_compat_l; lra.
Qed.
