(* ==== Models: a function on [T, oo) as a finite sum of c m(t), largest first, with monomials m = t^a (ln t)^b
   (ln ln t)^c (ln ln ln t)^d and each c a rational or in an interval, at every t >= T.  `mev` computes the model of
   an expression, right by `mev_ok`.  With r = 1/t the same serves at 0. *)
(* ---- intervals over real values ---- *)
Lemma add_in i j x y : inside i x -> inside j y -> inside (I.add prec i j) (x + y).
Proof. intros. now apply (I.add_correct prec i j (Xreal x) (Xreal y)). Qed.
Lemma mul_in i j x y : inside i x -> inside j y -> inside (I.mul prec i j) (x * y).
Proof. intros. now apply (I.mul_correct prec i j (Xreal x) (Xreal y)). Qed.
Lemma sub_in i j x y : inside i x -> inside j y -> inside (I.sub prec i j) (x - y).
Proof. intros. now apply (I.sub_correct prec i j (Xreal x) (Xreal y)). Qed.
Lemma neg_in i x : inside i x -> inside (I.neg i) (- x).
Proof. intros. now apply (I.neg_correct i (Xreal x)). Qed.
Lemma inv_in i x : x <> 0 -> inside i x -> inside (I.inv prec i) (/ x).
Proof. intros N H. generalize (I.inv_correct prec i (Xreal x) H). simpl. unfold Xinv'. case is_zero_spec; easy. Qed.
Lemma exp_in i x : inside i x -> inside (I.exp prec i) (exp x).
Proof. intros. now apply (I.exp_correct prec i (Xreal x)). Qed.
Lemma ln_in i x : 0 < x -> inside i x -> inside (I.ln prec i) (ln x).
Proof. intros N H. generalize (I.ln_correct prec i (Xreal x) H). simpl. unfold Xln'. case is_positive_spec; [ easy | lra ]. Qed.
Lemma sqrt_in i x : inside i x -> inside (I.sqrt prec i) (sqrt x).
Proof. intros. now apply (I.sqrt_correct prec i (Xreal x)). Qed.
Lemma zero_in : inside I.zero 0.
Proof. rewrite I.zero_correct. simpl. lra. Qed.
Lemma join_in i j x y z : inside i x -> inside j y -> x <= z <= y -> inside (I.join i j) z.
Proof. intros Hx Hy Hz. apply (contains_connected (I.convert (I.join i j)) x y); try apply I.join_correct; auto. Qed.

Definition one := I.fromZ prec 1.
Lemma one_in : inside one 1. Proof. apply I.fromZ_correct. Qed.
Definition zero_one := I.join I.zero one.
Lemma zero_one_in x : 0 <= x <= 1 -> inside zero_one x.
Proof. intros H. apply (join_in I.zero one 0 1); [ apply zero_in | apply one_in | exact H ]. Qed.
Definition ofQ (q : Q) := point (Qnum q) (Qden q).
Lemma ofQ_in q : inside (ofQ q) (Q2R q). Proof. apply point_ok. Qed.

Lemma gt1 x : 0 < ln x -> 1 < x.
Proof.
intros H. destruct (Rlt_or_le 0 x) as [P|N].
- apply Rnot_le_lt. intros K. destruct (Rle_lt_or_eq_dec _ _ K) as [K'|E].
  + generalize (ln_increasing x 1 P K'). rewrite ln_1. lra.
  + rewrite E, ln_1 in H. lra.
- exfalso. revert H. unfold ln. destruct Rlt_dec; intros; lra.
Qed.
Lemma ln_le_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros P [H|<-]; [ left; now apply ln_increasing | right; reflexivity ]. Qed.
(* ln lies below its tangents. *)
Lemma ln_tangent x X : 0 < X -> 0 < x -> ln x <= ln X + (x - X) / X.
Proof.
intros P p. assert (H := exp_ineq1_le (ln x - ln X)).
unfold Rminus in H. rewrite exp_plus, exp_Ropp, !exp_ln in H by assumption.
replace ((x - X) / X) with (x * / X - 1) by (field; lra). lra.
Qed.
Lemma is_derive_eq (f : R -> R) x a b : is_derive f x a -> a = b -> is_derive f x b.
Proof. now intros H <-. Qed.
Ltac real_ring := match goal with |- @eq _ ?a ?b => change (@eq R a b); ring end.
Lemma ex_continuous (f : R -> R) x : ex_derive f x -> continuous f x.
Proof. apply @ex_derive_continuous. Qed.
Lemma Q2R_0 : Q2R 0 = 0. Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1. Proof. unfold Q2R. simpl. lra. Qed.
Lemma Qred_R q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_num q : Qnum q = 0%Z -> Q2R q = 0.
Proof. unfold Q2R. intros ->. apply Rmult_0_l. Qed.
Arguments Qred : simpl never.
Arguments Q2R : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Qminus : simpl never.
Arguments Qopp : simpl never.
Definition is0 (q : Q) : bool := Z.eqb (Qnum q) 0.
Lemma is0_ok q : is0 q = true -> Q2R q = 0.
Proof. intros H. apply Z.eqb_eq in H. now apply Q2R_num. Qed.
Definition qplus (p q : Q) : Q := if is0 p then q else if is0 q then p else Qred (p + q).
Lemma qplus_R p q : Q2R (qplus p q) = Q2R p + Q2R q.
Proof. unfold qplus. destruct (is0 p) eqn:E; [ rewrite (is0_ok p E); ring | ]. destruct (is0 q) eqn:G; [ rewrite (is0_ok q G); ring | ].
now rewrite Qred_R, Q2R_plus. Qed.
Definition qmult (p q : Q) : Q := Qred (p * q).
Lemma qmult_R p q : Q2R (qmult p q) = Q2R p * Q2R q.
Proof. unfold qmult. now rewrite Qred_R, Q2R_mult. Qed.

(* ---- Taylor's formula, by Horner's rule: psi k is the k-th derivative over k! ---- *)
Fixpoint psum (a : nat -> R) (n : nat) (w : R) : R := match n with O => a O | S m => psum a m w + a (S m) * w ^ S m end.
Definition hsum (l : list R) (r w : R) : R := fold_right (fun a acc => a + w * acc) r l.
Lemma horner a n w : forall r, hsum (map a (seq 0 (S n))) r w = psum a n w + r * w ^ S n.
Proof.
induction n as [|n IH]; intros r; [ simpl; ring | ].
rewrite (seq_S (S n) 0), map_app. unfold hsum. rewrite fold_right_app. fold (hsum (map a (seq 0 (S n)))). simpl fold_right.
change (hsum (map a (seq 0 (S n))) (a (S n) + w * r) w = psum a (S n) w + r * w ^ S (S n)). rewrite IH. simpl. ring.
Qed.
Lemma taylor (psi : nat -> R -> R) n w :
  (forall k s, 0 <= s <= 1 -> is_derive (psi k) (s * w) (INR (S k) * psi (S k) (s * w))) ->
  exists z, 0 <= z <= 1 /\ psi O w = hsum (map (fun k => psi k 0) (seq 0 (S n))) (psi (S n) (z * w)) w.
Proof.
intros H.
assert (P : forall k s, 0 <= s <= 1 -> is_derive (fun s => psi k (s * w)) s (w * (INR (S k) * psi (S k) (s * w)))).
{ intros k s Hs. apply (is_derive_comp (psi k) (fun s => s * w)); [ now apply H | ]. auto_derive; [ easy | ring ]. }
set (sum m s := psum (fun k => psi k (s * w)) m (w * (1 - s))).
assert (Df : forall m s, 0 <= s <= 1 -> is_derive (sum m) s (INR (S m) * psi (S m) (s * w) * w ^ S m * (1 - s) ^ m)).
{ induction m as [|m IH]; intros s Hs.
  - apply (is_derive_eq (fun s => psi O (s * w)) s _ _ (P O s Hs)). simpl. unfold mult; simpl. ring.
  - assert (B : is_derive (fun s => (w * (1 - s)) ^ S m) s (INR (S m) * (w * (1 - s)) ^ m * - w)).
    { eapply is_derive_eq; [ apply (is_derive_pow (fun s => w * (1 - s)) (S m) s (- w)); auto_derive; [ easy | real_ring ] | ]. change (pred (S m)) with m. real_ring. }
    eapply is_derive_eq.
    + apply (is_derive_plus (sum m) (fun s => psi (S m) (s * w) * (w * (1 - s)) ^ S m)); [ now apply IH | ].
      apply (is_derive_mult (K := R_AbsRing) (fun s => psi (S m) (s * w)) (fun s => (w * (1 - s)) ^ S m) s _ _ (P (S m) s Hs) B). intros; apply Rmult_comm.
    + unfold plus, mult; cbn -[INR pow]. unfold mult; cbn -[INR pow]. rewrite !Rpow_mult_distr, <- !tech_pow_Rmult. real_ring. }
set (gap := sum n 1 - sum n 0).
set (h s := sum n s + gap * (1 - s) ^ S n).
assert (Dh : forall s, 0 <= s <= 1 -> is_derive h s (INR (S n) * (1 - s) ^ n * (psi (S n) (s * w) * w ^ S n - gap))).
{ intros s Hs. eapply is_derive_eq.
  - apply (is_derive_plus (sum n) (fun s => gap * (1 - s) ^ S n)); [ now apply Df | ].
    apply (is_derive_scal (fun s => (1 - s) ^ S n) s gap). apply (is_derive_pow (fun s => 1 - s) (S n) s (-1)). auto_derive; [ easy | real_ring ].
  - change (pred (S n)) with n. unfold plus, scal; simpl plus; cbn -[INR pow]. unfold mult; cbn -[INR pow]. rewrite <- !tech_pow_Rmult. real_ring. }
destruct (MVT_cor2 h (fun s => INR (S n) * (1 - s) ^ n * (psi (S n) (s * w) * w ^ S n - gap)) 0 1 Rlt_0_1) as [z [E Z]].
{ intros s Hs. apply is_derive_Reals. now apply Dh. }
exists z. split; [ lra | ].
assert (E0 : h 1 - h 0 = 0).
{ unfold h, gap. rewrite Rminus_0_r, pow1. replace (1 - 1) with 0 by ring. rewrite pow_i by lia. ring. }
rewrite E0 in E. rewrite horner.
assert (N : INR (S n) * (1 - z) ^ n <> 0).
{ apply Rmult_integral_contrapositive. split; [ apply not_0_INR; lia | apply pow_nonzero; lra ]. }
assert (G : psi (S n) (z * w) * w ^ S n = gap).
{ assert (K : (INR (S n) * (1 - z) ^ n) * (psi (S n) (z * w) * w ^ S n - gap) = 0) by lra.
  apply Rmult_integral in K. destruct K; [ contradiction | lra ]. }
rewrite G. unfold gap, sum.
assert (S1 : forall m, psum (fun k => psi k (1 * w)) m (w * (1 - 1)) = psi O w).
{ induction m as [|m IH]; simpl; [ now rewrite Rmult_1_l | ]. simpl in IH. rewrite IH. ring. }
assert (S0 : forall m, psum (fun k => psi k (0 * w)) m (w * (1 - 0)) = psum (fun k => psi k 0) m w).
{ induction m as [|m IH]; simpl; [ now rewrite Rmult_0_l | ]. simpl in IH. rewrite IH, Rmult_0_l, Rminus_0_r, Rmult_1_r. reflexivity. }
rewrite S1, S0. ring.
Qed.

(* (1 + x)^p, ln (1 + x) and e^x. *)
Fixpoint binomial (p : Q) (k : nat) : Q := match k with O => 1%Q | S j => Qred (binomial p j * (p - (Z.of_nat j # 1)) * (1 # Pos.of_nat (S j))) end.
Definition harmonic (k : nat) : Q := match k with O => 0%Q | S j => ((if Nat.even j then 1%Z else (-1)%Z) # Pos.of_nat (S j))%Q end.
Fixpoint inverse_factorial (k : nat) : Q := match k with O => 1%Q | S j => Qred (inverse_factorial j * (1 # Pos.of_nat (S j))) end.
Lemma Q2R_nat j : Q2R (1 # Pos.of_nat (S j)) = / INR (S j).
Proof. unfold Q2R. cbn [Qnum Qden]. rewrite Rmult_1_l. f_equal. rewrite INR_IZR_INZ. f_equal. rewrite <- Nat2Pos.id with (n := S j) at 2 by lia. symmetry. apply positive_nat_Z. Qed.
Lemma Q2R_int n : Q2R (n # 1) = IZR n. Proof. unfold Q2R. simpl. field. Qed.
Lemma binomial_S p j : Q2R (binomial p (S j)) = Q2R (binomial p j) * (Q2R p - INR j) / INR (S j).
Proof. cbn [binomial]. rewrite Qred_R, !Q2R_mult, Q2R_minus, Q2R_nat, Q2R_int, <- INR_IZR_INZ. reflexivity. Qed.
Lemma INR_pos j : 0 < INR (S j). Proof. apply lt_0_INR. lia. Qed.

Lemma between_1 x s : -1 < x -> 0 <= s <= 1 -> 0 < 1 + s * x.
Proof. intros X [A B]. destruct (Rle_or_lt 0 x) as [K|K].
- assert (0 <= s * x) by (now apply Rmult_le_pos). lra.
- assert (s * - x <= 1 * - x) by (apply Rmult_le_compat_r; lra). lra. Qed.
Lemma power_derive c q x : 0 < 1 + x -> is_derive (fun x => c * exp (q * ln (1 + x))) x (c * q * exp ((q - 1) * ln (1 + x))).
Proof. intros P. auto_derive; [ exact P | ]. replace ((q - 1) * ln (1 + x)) with (q * ln (1 + x) + - ln (1 + x)) by ring.
rewrite exp_plus, exp_Ropp, exp_ln by exact P. field. lra. Qed.
Lemma power_series p n x : -1 < x -> exists z, 0 <= z <= 1 /\
  exp (Q2R p * ln (1 + x)) = hsum (map (fun k => Q2R (binomial p k)) (seq 0 (S n))) (Q2R (binomial p (S n)) * exp ((Q2R p - INR (S n)) * ln (1 + z * x))) x.
Proof.
intros X. destruct (taylor (fun k x => Q2R (binomial p k) * exp ((Q2R p - INR k) * ln (1 + x))) n x) as [z [Z E]].
- intros k s S. assert (P := between_1 x s X S). auto_derive; [ exact P | ].
  rewrite binomial_S. assert (N := INR_pos k). rewrite (S_INR k) in *.
  replace ((Q2R p - (INR k + 1)) * ln (1 + s * x)) with ((Q2R p - INR k) * ln (1 + s * x) + - ln (1 + s * x)) by ring.
  rewrite exp_plus, exp_Ropp, exp_ln by exact P. unfold Rminus. field. lra.
- exists z. split; [ exact Z | ]. cbn [INR] in E. rewrite Rminus_0_r in E. change (Q2R (binomial p 0)) with (Q2R 1) in E. rewrite Q2R_1, Rmult_1_l in E.
  rewrite E. f_equal. apply map_ext. intros k. rewrite Rplus_0_r, ln_1, Rmult_0_r, exp_0. ring.
Qed.
Lemma harmonic_S j : Q2R (harmonic (S j)) = (-1) ^ j / INR (S j).
Proof. unfold harmonic. assert (E : (-1) ^ j = if Nat.even j then 1 else -1).
{ induction j as [|j IH]; [ reflexivity | ]. rewrite Nat.even_succ, <- Nat.negb_even. simpl. rewrite IH. destruct (Nat.even j); simpl; ring. }
unfold Rdiv. rewrite E, <- Q2R_nat. unfold Q2R. destruct (Nat.even j); cbn [Qnum Qden]; lra. Qed.
Lemma ln_series n x : -1 < x -> exists z, 0 <= z <= 1 /\
  ln (1 + x) = hsum (map (fun k => Q2R (harmonic k)) (seq 0 (S n))) (Q2R (harmonic (S n)) * exp (- INR (S n) * ln (1 + z * x))) x.
Proof.
intros X. destruct (taylor (fun k x => match k with O => ln (1 + x) | _ => Q2R (harmonic k) * exp (- INR k * ln (1 + x)) end) n x) as [z [Z E]].
- intros k s S. assert (P := between_1 x s X S). destruct k as [|j].
  + auto_derive; [ exact P | ]. rewrite harmonic_S. change (INR 1) with 1. replace (- (1) * ln (1 + s * x)) with (- ln (1 + s * x)) by ring. rewrite exp_Ropp, exp_ln by exact P. simpl pow. field. lra.
  + apply (is_derive_eq _ _ _ _ (power_derive (Q2R (harmonic (Datatypes.S j))) (- INR (Datatypes.S j)) (s * x) P)). rewrite !harmonic_S.
    assert (N := INR_pos j). rewrite (S_INR (Datatypes.S j)). replace (- INR (Datatypes.S j) - 1) with (- (INR (Datatypes.S j) + 1)) by ring. cbn [pow].
    match goal with |- @eq _ ?a ?b => change (@eq R a b) end. field. lra.
- exists z. split; [ exact Z | ]. rewrite E. f_equal. apply map_ext. intros [|k]; rewrite Rplus_0_r, ln_1.
  + unfold harmonic. now rewrite Q2R_0.
  + rewrite Rmult_0_r, exp_0. ring.
Qed.
Lemma exp_series n x : exists z, 0 <= z <= 1 /\
  exp x = hsum (map (fun k => Q2R (inverse_factorial k)) (seq 0 (S n))) (Q2R (inverse_factorial (S n)) * exp (z * x)) x.
Proof.
assert (F : forall j, Q2R (inverse_factorial (S j)) = Q2R (inverse_factorial j) / INR (S j)).
{ intros j. cbn [inverse_factorial]. now rewrite Qred_R, Q2R_mult, Q2R_nat. }
destruct (taylor (fun k x => Q2R (inverse_factorial k) * exp x) n x) as [z [Z E]].
- intros k s S. auto_derive; [ easy | ]. rewrite F. assert (N := INR_pos k). field. lra.
- exists z. split; [ exact Z | ]. change (Q2R (inverse_factorial 0)) with (Q2R 1) in E. rewrite Q2R_1, Rmult_1_l in E.
  rewrite E. f_equal. apply map_ext. intros k. rewrite exp_0. ring.
Qed.

(* ---- monomials t^a (ln t)^b (ln ln t)^c (ln ln ln t)^d ---- *)
Definition mono : Set := (Q * Q * Q * Q)%type.
Definition val (m : mono) (t : R) : R :=
  let '(a, b, c, d) := m in exp (Q2R a * ln t + Q2R b * ln (ln t) + Q2R c * ln (ln (ln t)) + Q2R d * ln (ln (ln (ln t)))).
Definition plus_m (m n : mono) : mono :=
  let '(a, b, c, d) := m in let '(x, y, z, w) := n in (qplus a x, qplus b y, qplus c z, qplus d w).
Definition scale_m (p : Q) (m : mono) : mono := let '(a, b, c, d) := m in (qmult p a, qmult p b, qmult p c, qmult p d).
Definition over (m n : mono) : mono :=
  let '(a, b, c, d) := m in let '(x, y, z, w) := n in (qplus a (- x), qplus b (- y), qplus c (- z), qplus d (- w))%Q.
Definition one_m : mono := (0, 0, 0, 0)%Q.
Definition compare_m (m n : mono) : comparison :=
  let '(a, b, c, d) := m in let '(x, y, z, w) := n in
  match Qcompare a x with Eq => match Qcompare b y with Eq => match Qcompare c z with Eq => Qcompare d w | r => r end | r => r end | r => r end.

Lemma val_pos m t : 0 < val m t. Proof. destruct m as [[[a b] c] d]. apply exp_pos. Qed.
Lemma val_plus m n t : val (plus_m m n) t = val m t * val n t.
Proof. destruct m as [[[a b] c] d], n as [[[x y] z] w]. simpl. rewrite !qplus_R, <- exp_plus. f_equal. ring. Qed.
Lemma val_scale p m t : val (scale_m p m) t = exp (Q2R p * ln (val m t)).
Proof. destruct m as [[[a b] c] d]. simpl. rewrite !qmult_R, ln_exp. f_equal. ring. Qed.
Lemma val_over m n t : val m t = val n t * val (over m n) t.
Proof. destruct m as [[[a b] c] d], n as [[[x y] z] w]. simpl. rewrite !qplus_R, !Q2R_opp, <- exp_plus. f_equal. ring. Qed.
Lemma val_one t : val one_m t = 1.
Proof. simpl. rewrite !Q2R_0. replace (_ + _ + _ + _) with 0 by ring. apply exp_0. Qed.
Lemma compare_m_ok m n t : compare_m m n = Eq -> val m t = val n t.
Proof. destruct m as [[[a b] c] d], n as [[[x y] z] w]. simpl.
destruct (Qcompare a x) eqn:A; try discriminate. destruct (Qcompare b y) eqn:B; try discriminate. destruct (Qcompare c z) eqn:C; try discriminate.
intros D. apply Qeq_alt, Qeq_eqR in A, B, C, D. now rewrite A, B, C, D. Qed.
Definition is_one (m : mono) : bool := match compare_m m one_m with Eq => true | _ => false end.
Lemma is_one_ok m t : is_one m = true -> val m t = 1.
Proof. unfold is_one. destruct compare_m eqn:E; try discriminate. intros _. rewrite (compare_m_ok _ _ t E). apply val_one. Qed.

Lemma limit_zero (f h : R -> R) T K s X : s < 0 ->
  (forall t, T <= t -> 0 <= f t <= exp (K + s * (h t - X))) ->
  (forall M, exists N, forall t, N < t -> M < h t) -> is_lim f p_infty 0.
Proof.
intros S B H. apply is_lim_spec. intros eps. simpl.
destruct (H (X + (ln eps - K) / s)) as [N HN].
exists (Rmax N T). intros t Ht.
assert (N < t) by (eapply Rle_lt_trans; [ apply Rmax_l | exact Ht ]).
assert (T < t) by (eapply Rle_lt_trans; [ apply Rmax_r | exact Ht ]).
destruct (B t ltac:(lra)) as [B0 B1]. rewrite Rminus_0_r, Rabs_pos_eq by exact B0.
apply Rle_lt_trans with (1 := B1). rewrite <- (exp_ln eps) by apply cond_pos. apply exp_increasing.
specialize (HN t H0). assert (s * (h t - X) < ln eps - K); [ | lra ].
replace (ln eps - K) with (s * ((ln eps - K) / s)) by (field; lra).
apply Ropp_lt_cancel. rewrite !Ropp_mult_distr_l. apply Rmult_lt_compat_l; lra.
Qed.

Lemma ln_unbounded M : exists N, forall t, N < t -> M < ln t.
Proof. exists (exp M). intros t H. rewrite <- (ln_exp M). apply ln_increasing; [ apply exp_pos | exact H ]. Qed.
Lemma unbounded_ln (h : R -> R) : (forall M, exists N, forall t, N < t -> M < h t) -> forall M, exists N, forall t, N < t -> M < ln (h t).
Proof. intros H M. destruct (ln_unbounded M) as [N HN]. destruct (H N) as [P HP]. exists P. auto. Qed.

(* Intervals are closed: positive numbers in one stay away from 0, and so do negative ones. *)
Lemma above_0 i : gt0 i = true -> (exists x, inside i x) -> exists l, 0 < l /\ forall y, inside i y -> l <= y.
Proof.
intros G [x X]. generalize (fun y => gt0_ok i y G). destruct (I.convert i) as [|l u]; intros P.
- exfalso. assert (0 < -1) by (now apply P). lra.
- destruct l as [|l].
  + exfalso. assert (0 < Rmin x (-1)); [ | generalize (Rmin_r x (-1)); lra ]. apply P. split; [ easy | ].
    destruct X as [_ X]. destruct u as [|u]; [ easy | ]. generalize (Rmin_l x (-1)). lra.
  + exists l. split; [ | intros y [Y _]; exact Y ]. apply P. destruct X as [X1 X2]. split; [ lra | ]. destruct u; [ easy | lra ].
Qed.
Lemma below_0 i : lt0 i = true -> (exists x, inside i x) -> exists l, l < 0 /\ forall y, inside i y -> y <= l.
Proof.
intros G [x X]. generalize (fun y => lt0_ok i y G). destruct (I.convert i) as [|l u]; intros P.
- exfalso. assert (1 < 0) by (now apply P). lra.
- destruct u as [|u].
  + exfalso. assert (Rmax x 1 < 0); [ | generalize (Rmax_r x 1); lra ]. apply P. split; [ | easy ].
    destruct X as [X _]. destruct l as [|l]; [ easy | ]. generalize (Rmax_l x 1). lra.
  + exists u. split; [ | intros y [_ Y]; exact Y ]. apply P. destruct X as [X1 X2]. split; [ | lra ]. destruct l; [ easy | lra ].
Qed.
Definition coarse := F.PtoP 30.
Lemma exp_coarse i x : inside i x -> inside (I.exp coarse i) (exp x).
Proof. intros. now apply (I.exp_correct coarse i (Xreal x)). Qed.
Lemma ln_coarse i x : 0 < x -> inside i x -> inside (I.ln coarse i) (ln x).
Proof. intros N H. generalize (I.ln_correct coarse i (Xreal x) H). simpl. unfold Xln'. case is_positive_spec; [ easy | lra ]. Qed.
Lemma div_in i j x y : y <> 0 -> inside i x -> inside j y -> inside (I.div prec i j) (x / y).
Proof. intros N Hx Hy. generalize (I.div_correct prec i j (Xreal x) (Xreal y) Hx Hy). simpl. unfold Xdiv'. case is_zero_spec; easy. Qed.
Lemma join_l i j x : inside i x -> inside (I.join i j) x.
Proof. intros. apply I.join_correct. now left. Qed.
Lemma join_r i j x : inside j x -> inside (I.join i j) x.
Proof. intros. apply I.join_correct. now right. Qed.

(* ---- coefficients, and sums of terms ---- *)
Inductive coef := Exact (q : Q) | Ball (i : I.type).
Definition ball (c : coef) : I.type := match c with Exact q => ofQ q | Ball i => i end.
Definition holds (c : coef) (x : R) : Prop := match c with Exact q => x = Q2R q | Ball i => inside i x end.
Lemma ball_in c x : holds c x -> inside (ball c) x.
Proof. destruct c; simpl; [ intros ->; apply ofQ_in | easy ]. Qed.
(* A rational stays exact while it is short. *)
Definition short (q : Q) : coef := if Z.ltb (Z.log2 (Z.abs (Qnum q)) + Z.log2 (Zpos (Qden q))) 400 then Exact q else Ball (ofQ q).
Lemma short_ok q : holds (short q) (Q2R q).
Proof. unfold short. destruct Z.ltb; [ reflexivity | apply ofQ_in ]. Qed.
Definition cplus a b := match a, b with Exact p, Exact q => short (qplus p q) | _, _ => Ball (I.add prec (ball a) (ball b)) end.
Definition cmult a b := match a, b with
  | Exact p, Exact q => short (qmult p q)
  | _, _ => Ball (I.mul prec (ball a) (ball b)) end.
Definition copp a := match a with Exact p => Exact (- p) | Ball i => Ball (I.neg i) end.
Definition cinv a := match a with Exact p => Exact (Qinv p) | Ball i => Ball (I.inv prec i) end.
Definition cpos a := match a with Exact p => Z.ltb 0 (Qnum p) | Ball i => gt0 i end.
Definition cnull a := match a with Exact p => is0 p | Ball i => match I.sign_large i with Xeq => true | _ => false end end.
Lemma cplus_ok a b x y : holds a x -> holds b y -> holds (cplus a b) (x + y).
Proof. intros A B. destruct a, b; try (apply add_in; now apply ball_in). simpl in *. subst. rewrite <- qplus_R. apply short_ok. Qed.
Lemma cmult_ok a b x y : holds a x -> holds b y -> holds (cmult a b) (x * y).
Proof. intros A B. destruct a, b; try (apply mul_in; now apply ball_in). simpl in *. subst. rewrite <- qmult_R. apply short_ok. Qed.
Lemma copp_ok a x : holds a x -> holds (copp a) (- x).
Proof. destruct a; simpl; [ intros ->; now rewrite Q2R_opp | now apply neg_in ]. Qed.
Lemma cinv_ok a x : x <> 0 -> holds a x -> holds (cinv a) (/ x).
Proof. destruct a; simpl; [ | now apply inv_in ]. intros N ->. symmetry. apply Q2R_inv. intros E. apply N. rewrite E. apply Q2R_0. Qed.
Lemma cpos_ok a x : cpos a = true -> holds a x -> 0 < x.
Proof. destruct a as [q|i]; simpl; [ | now apply gt0_ok ]. intros H ->. apply Z.ltb_lt, IZR_lt in H. unfold Q2R. apply Rmult_lt_0_compat; [ exact H | ].
apply Rinv_0_lt_compat, IZR_lt. reflexivity. Qed.
Lemma cnull_ok a x : cnull a = true -> holds a x -> x = 0.
Proof. destruct a as [q|i]; simpl; [ intros H ->; now apply is0_ok | ]. generalize (I.sign_large_correct i). destruct I.sign_large; try discriminate.
intros H _ K. specialize (H _ K). now injection H. Qed.

Definition terms := list (mono * coef).
Fixpoint rep (t : R) (l : terms) (v : R) : Prop := match l with
  | nil => v = 0
  | (m, c) :: l => exists k, holds c k /\ rep t l (v - k * val m t) end.
Definition put (m : mono) (c : coef) (l : terms) : terms := if cnull c then l else (m, c) :: l.
Fixpoint insert (m : mono) (c : coef) (l : terms) : terms := match l with
  | nil => put m c nil
  | (n, d) :: r => match compare_m m n with Gt => put m c l | Eq => put n (cplus c d) r | Lt => (n, d) :: insert m c r end end.
Definition ladd (l r : terms) : terms := fold_right (fun x acc => insert (fst x) (snd x) acc) r l.
Definition lscale (m : mono) (c : coef) (l : terms) : terms := map (fun x => (plus_m m (fst x), cmult c (snd x))) l.
Definition lmul (l r : terms) : terms := fold_right (fun x acc => ladd (lscale (fst x) (snd x) r) acc) nil l.
Definition lopp (l : terms) : terms := map (fun x => (fst x, copp (snd x))) l.

Lemma rep_eq t l v w : rep t l v -> v = w -> rep t l w.
Proof. now intros H <-. Qed.
Lemma put_ok t m c l k v : holds c k -> rep t l v -> rep t (put m c l) (k * val m t + v).
Proof. intros C H. unfold put. destruct (cnull c) eqn:E.
- rewrite (cnull_ok c k E C). apply rep_eq with (1 := H). ring.
- exists k. split; [ exact C | ]. apply rep_eq with (1 := H). ring. Qed.
Lemma insert_ok t m c l : forall k v, holds c k -> rep t l v -> rep t (insert m c l) (k * val m t + v).
Proof. induction l as [|[n d] l IH]; intros k v C H; cbn [insert]; [ now apply put_ok | ].
destruct (compare_m m n) eqn:E; [ | | now apply put_ok ]; destruct H as [j [J H]].
- rewrite (compare_m_ok _ _ t E). apply rep_eq with ((k + j) * val n t + (v - j * val n t)); [ | ring ]. apply put_ok; [ now apply cplus_ok | exact H ].
- exists j. split; [ exact J | ]. apply rep_eq with (k * val m t + (v - j * val n t)); [ | ring ]. now apply IH. Qed.
Lemma ladd_ok t l r : forall v w, rep t l v -> rep t r w -> rep t (ladd l r) (v + w).
Proof. induction l as [|[m c] l IH]; simpl; intros v w H K; [ subst; now rewrite Rplus_0_l | ].
destruct H as [k [C H]]. apply rep_eq with (k * val m t + ((v - k * val m t) + w)); [ | ring ]. apply insert_ok; [ exact C | now apply IH ]. Qed.
Lemma lscale_ok t m c l : forall k v, holds c k -> rep t l v -> rep t (lscale m c l) (k * val m t * v).
Proof. induction l as [|[n d] l IH]; simpl; intros k v C H; [ subst; ring | ].
destruct H as [j [J H]]. exists (k * j). split; [ now apply cmult_ok | ]. rewrite val_plus. apply rep_eq with (k * val m t * (v - j * val n t)); [ now apply IH | ring ]. Qed.
Lemma lmul_ok t l r : forall v w, rep t l v -> rep t r w -> rep t (lmul l r) (v * w).
Proof. induction l as [|[m c] l IH]; simpl; intros v w H K; [ subst; ring | ].
destruct H as [k [C H]]. apply rep_eq with (k * val m t * w + (v - k * val m t) * w); [ | ring ]. apply ladd_ok; [ now apply lscale_ok | now apply IH ]. Qed.
Lemma lopp_ok t l : forall v, rep t l v -> rep t (lopp l) (- v).
Proof. induction l as [|[m c] l IH]; simpl; intros v H; [ subst; ring | ].
destruct H as [k [C H]]. exists (- k). split; [ now apply copp_ok | ]. apply rep_eq with (- (v - k * val m t)); [ now apply IH | ring ]. Qed.
Lemma single t m c k : holds c k -> rep t [(m, c)] (k * val m t).
Proof. intros C. exists k. split; [ exact C | simpl; ring ]. Qed.

Section Far.
Variables (T : R) (i0 i1 i2 i3 : I.type) (order : nat).
Hypothesis (H0 : inside i0 (ln T)) (H1 : inside i1 (ln (ln T))) (H2 : inside i2 (ln (ln (ln T)))) (H3 : inside i3 (ln (ln (ln (ln T))))).
Hypothesis (large : 0 < ln (ln (ln T))).
Let X0 := ln T. Let X1 := ln X0. Let X2 := ln X1. Let X3 := ln X2.

Lemma far : 0 < X2 /\ 1 < X1 /\ 1 < X0 /\ 1 < T.
Proof. assert (1 < X1) by now apply gt1. assert (1 < X0) by (apply gt1; fold X1; lra).
assert (1 < T) by (apply gt1; fold X0; lra). auto. Qed.
Lemma rise x X : 0 < X -> X <= x -> 0 <= ln x - ln X <= (x - X) / X.
Proof. intros P H. split; [ generalize (ln_le_mono X x P H); lra | generalize (ln_tangent x X P ltac:(lra)); lra ]. Qed.
Lemma logs t : T <= t -> X0 <= ln t /\ X1 <= ln (ln t) /\ X2 <= ln (ln (ln t)) /\ X3 <= ln (ln (ln (ln t))).
Proof. intros H. destruct far as [D [A [B C]]].
assert (X0 <= ln t) by (apply ln_le_mono; lra). assert (X1 <= ln (ln t)) by (apply ln_le_mono; lra).
assert (X2 <= ln (ln (ln t))) by (apply ln_le_mono; lra). assert (X3 <= ln (ln (ln (ln t)))) by (apply ln_le_mono; lra). auto. Qed.

(* d ln m / d ln t, and in ln ln t where a = 0, and so on: what is added to the lead is largest at T. *)
Definition positive_part (i : I.type) : I.type := if ge0 i then i else if le0 i then I.zero else I.join I.zero i.
Lemma positive_part_ok i r : inside i r -> exists p, inside (positive_part i) p /\ 0 <= p /\ r <= p.
Proof. intros H. unfold positive_part. destruct (ge0 i) eqn:G; [ exists r; generalize (ge0_ok i r G H); intros; split; [ exact H | lra ] | ].
destruct (le0 i) eqn:L; [ exists 0; generalize (le0_ok i r L H); intros; split; [ apply zero_in | lra ] | ].
destruct (Rle_or_lt 0 r); [ exists r; split; [ now apply join_r | lra ] | exists 0; split; [ apply join_l, zero_in | lra ] ]. Qed.
Definition tilt (q : Q) (s : option I.type) (x : I.type) : option I.type := match s with
  | None => if is0 q then None else Some (ofQ q)
  | Some s => Some (I.add prec (ofQ q) (I.div prec (positive_part s) x)) end.
Definition tilted (s : option I.type) (r : R) : Prop := match s with None => r = 0 | Some i => inside i r end.
Lemma tilt_ok q s x r X u w rest : tilted s r -> inside x X -> 0 < X -> 0 <= w <= u / X -> rest <= r * w ->
  exists r', tilted (tilt q s x) r' /\ Q2R q * u + rest <= r' * u.
Proof. intros S Hx P W B. assert (U : 0 <= u).
{ replace u with (u / X * X) by (field; lra). apply Rmult_le_pos; lra. }
destruct s as [s|]; simpl.
- destruct (positive_part_ok s r S) as [p [A [P0 P1]]]. exists (Q2R q + p / X). split; [ apply add_in; [ apply ofQ_in | apply div_in; auto; lra ] | ].
  assert (r * w <= p * w) by (apply Rmult_le_compat_r; lra). assert (p * w <= p * (u / X)) by (apply Rmult_le_compat_l; lra).
  replace ((Q2R q + p / X) * u) with (Q2R q * u + p * (u / X)) by (field; lra). lra.
- simpl in S. subst r. exists (Q2R q). split; [ destruct (is0 q) eqn:E; [ now apply is0_ok | apply ofQ_in ] | ]. lra. Qed.

(* The values of a monomial that decreases to 0, or nothing where this is not shown. *)
Definition weigh (q : Q) (i : I.type) (acc : I.type) : I.type := if is0 q then acc else I.add prec (I.mul prec (ofQ q) i) acc.
Definition small (m : mono) : option I.type :=
  let '(a, b, c, d) := m in
  let s3 := tilt d None i3 in let s2 := tilt c s3 i2 in let s1 := tilt b s2 i1 in let s0 := tilt a s1 i0 in
  match (if is0 a then if is0 b then if is0 c then s3 else s2 else s1 else s0) with
  | Some s => if lt0 s then Some (I.join I.zero (I.exp coarse (weigh a i0 (weigh b i1 (weigh c i2 (weigh d i3 I.zero)))))) else None
  | None => None end.
Lemma weigh_ok q i acc x y : inside i x -> inside acc y -> inside (weigh q i acc) (Q2R q * x + y).
Proof. unfold weigh. intros A B. destruct (is0 q) eqn:E; [ rewrite (is0_ok q E); replace (0 * x + y) with y by ring; exact B | ].
apply add_in; [ apply mul_in; [ apply ofQ_in | exact A ] | exact B ]. Qed.

Lemma small_ok m s : small m = Some s -> (forall t, T <= t -> inside s (val m t)) /\ is_lim (val m) p_infty 0.
Proof.
destruct m as [[[a b] c] d]. unfold small.
set (s3 := tilt d None i3). set (s2 := tilt c s3 i2). set (s1 := tilt b s2 i1). set (s0 := tilt a s1 i0).
destruct (if is0 a then _ else _) as [i|] eqn:Lead; [ | discriminate ]. destruct (lt0 i) eqn:L; [ | discriminate ]. intros E; injection E as <-.
destruct far as [F2 [F1 [F0 F]]].
set (K := Q2R a * X0 + Q2R b * X1 + Q2R c * X2 + Q2R d * X3).
assert (HK : inside (I.exp coarse (weigh a i0 (weigh b i1 (weigh c i2 (weigh d i3 I.zero))))) (exp K)).
{ apply exp_coarse. replace K with (Q2R a * X0 + (Q2R b * X1 + (Q2R c * X2 + (Q2R d * X3 + 0)))) by (unfold K; ring).
  repeat apply weigh_ok; auto using zero_in. }
(* each logarithm's slope, as good for every t *)
assert (Main : exists h X, (forall t, T <= t -> X <= h t /\ exists s, s < 0 /\ inside i s /\
   Q2R a * ln t + Q2R b * ln (ln t) + Q2R c * ln (ln (ln t)) + Q2R d * ln (ln (ln (ln t))) <= K + s * (h t - X))
  /\ forall M, exists N, forall t, N < t -> M < h t).
{ assert (All : forall t, T <= t -> exists r1 r2 r3 r0, tilted s3 r3 /\ tilted s2 r2 /\ tilted s1 r1 /\ tilted s0 r0 /\
    Q2R d * (ln (ln (ln (ln t))) - X3) <= r3 * (ln (ln (ln (ln t))) - X3) /\
    Q2R c * (ln (ln (ln t)) - X2) + Q2R d * (ln (ln (ln (ln t))) - X3) <= r2 * (ln (ln (ln t)) - X2) /\
    Q2R b * (ln (ln t) - X1) + (Q2R c * (ln (ln (ln t)) - X2) + Q2R d * (ln (ln (ln (ln t))) - X3)) <= r1 * (ln (ln t) - X1) /\
    Q2R a * (ln t - X0) + (Q2R b * (ln (ln t) - X1) + (Q2R c * (ln (ln (ln t)) - X2) + Q2R d * (ln (ln (ln (ln t))) - X3))) <= r0 * (ln t - X0)).
  { intros t Ht. destruct (logs t Ht) as [A [B [C D]]].
    assert (E1 := rise (ln t) X0 ltac:(lra) A). assert (E2 := rise (ln (ln t)) X1 ltac:(lra) B). assert (E3 := rise (ln (ln (ln t))) X2 ltac:(lra) C).
    fold X1 in E1. fold X2 in E2. fold X3 in E3.
    assert (G3 : tilted s3 (Q2R d)). { unfold s3, tilt. destruct (is0 d) eqn:Ed; [ now apply is0_ok | apply ofQ_in ]. }
    destruct (tilt_ok c s3 i2 (Q2R d) X2 (ln (ln (ln t)) - X2) (ln (ln (ln (ln t))) - X3) (Q2R d * (ln (ln (ln (ln t))) - X3)) G3 H2 F2 E3 (Rle_refl _)) as [r2 [G2 L2]].
    destruct (tilt_ok b s2 i1 r2 X1 (ln (ln t) - X1) (ln (ln (ln t)) - X2) _ G2 H1 ltac:(lra) E2 L2) as [r1 [G1 L1]].
    destruct (tilt_ok a s1 i0 r1 X0 (ln t - X0) (ln (ln t) - X1) _ G1 H0 ltac:(lra) E1 L1) as [r0 [G0 L0]].
    exists r1, r2, (Q2R d), r0. repeat split; trivial. apply Rle_refl. }
  destruct (is0 a) eqn:Ea; [ destruct (is0 b) eqn:Eb; [ destruct (is0 c) eqn:Ec | ] | ]; rewrite ?(is0_ok a Ea), ?(is0_ok b Eb), ?(is0_ok c Ec) in *.
  - exists (fun t => ln (ln (ln (ln t)))), X3. split; [ | apply unbounded_ln, unbounded_ln, unbounded_ln, ln_unbounded ].
    intros t Ht. destruct (logs t Ht) as [A [B [C D]]]. split; [ exact D | ]. destruct (All t Ht) as [r1 [r2 [r3 [r0 [R3 [R2 [R1 [R0 [L3 [L2 [L1 L0]]]]]]]]]]].
    rewrite Lead in R3. exists r3. split; [ now apply (lt0_ok i) | split; [ exact R3 | ] ]. unfold K. rewrite ?(is0_ok a Ea), ?(is0_ok b Eb), ?(is0_ok c Ec). lra.
  - exists (fun t => ln (ln (ln t))), X2. split; [ | apply unbounded_ln, unbounded_ln, ln_unbounded ].
    intros t Ht. destruct (logs t Ht) as [A [B [C D]]]. split; [ exact C | ]. destruct (All t Ht) as [r1 [r2 [r3 [r0 [R3 [R2 [R1 [R0 [L3 [L2 [L1 L0]]]]]]]]]]].
    rewrite Lead in R2. exists r2. split; [ now apply (lt0_ok i) | split; [ exact R2 | ] ]. unfold K. rewrite ?(is0_ok a Ea), ?(is0_ok b Eb). lra.
  - exists (fun t => ln (ln t)), X1. split; [ | apply unbounded_ln, ln_unbounded ].
    intros t Ht. destruct (logs t Ht) as [A [B [C D]]]. split; [ exact B | ]. destruct (All t Ht) as [r1 [r2 [r3 [r0 [R3 [R2 [R1 [R0 [L3 [L2 [L1 L0]]]]]]]]]]].
    rewrite Lead in R1. exists r1. split; [ now apply (lt0_ok i) | split; [ exact R1 | ] ]. unfold K. rewrite ?(is0_ok a Ea). lra.
  - exists ln, X0. split; [ | apply ln_unbounded ].
    intros t Ht. destruct (logs t Ht) as [A [B [C D]]]. split; [ exact A | ]. destruct (All t Ht) as [r1 [r2 [r3 [r0 [R3 [R2 [R1 [R0 [L3 [L2 [L1 L0]]]]]]]]]]].
    rewrite Lead in R0. exists r0. split; [ now apply (lt0_ok i) | split; [ exact R0 | ] ]. unfold K. lra. }
destruct Main as [h [X [B U]]]. split.
- intros t Ht. destruct (B t Ht) as [B0 [s [S [_ B1]]]]. simpl.
  apply join_in with 0 (exp K); [ apply zero_in | exact HK | ]. split; [ left; apply exp_pos | ].
  assert (s * (h t - X) <= 0) by (apply Rmult_le_0_r; lra).
  destruct (Rle_lt_or_eq_dec _ _ (Rle_trans _ _ (K + 0) B1 ltac:(lra))) as [J|J]; [ left; apply exp_increasing; lra | right; f_equal; lra ].
- destruct (below_0 i L) as [s' [S' Below]]. { destruct (B T (Rle_refl T)) as [_ [s [_ [I _]]]]. now exists s. }
  apply (limit_zero _ h T K s' X); [ exact S' | | exact U ]. intros t Ht. destruct (B t Ht) as [B0 [s [S [I B1]]]]. simpl. split; [ left; apply exp_pos | ].
  assert (s * (h t - X) <= s' * (h t - X)) by (apply Rmult_le_compat_r; [ lra | now apply Below ]).
  destruct (Rle_lt_or_eq_dec _ _ (Rle_trans _ _ (K + s' * (h t - X)) B1 ltac:(lra))) as [J|J]; [ left; now apply exp_increasing | right; now rewrite J ].
Qed.

(* What lies beyond the order goes into the coefficient of its largest monomial. *)
Fixpoint bucket (m : mono) (l : terms) : option I.type := match l with
  | nil => Some I.zero
  | (n, c) :: l => match small (over n m), bucket m l with
    | Some s, Some i => Some (I.add prec (I.mul prec (ball c) s) i) | _, _ => None end end.
Fixpoint trunc (k : nat) (l : terms) : option terms := match l with
  | nil => Some nil
  | (m, c) :: r => match k with
    | S k => match trunc k r with Some r => Some ((m, c) :: r) | None => None end
    | O => match r with
      | nil => Some l
      | _ => match bucket m r with Some i => Some [(m, Ball (I.add prec (ball c) i))] | None => None end end end end.
Lemma bucket_ok t m l : T <= t -> forall i v, bucket m l = Some i -> rep t l v -> exists x, inside i x /\ v = x * val m t.
Proof. intros Ht. induction l as [|[n c] l IH]; intros i v; cbn [bucket].
- intros E H. injection E as <-. exists 0. split; [ apply zero_in | rewrite H; ring ].
- destruct (small (over n m)) as [s|] eqn:S; [ | discriminate ]. destruct (bucket m l) as [j|]; [ | discriminate ]. intros E [k [C H]]. injection E as <-.
  destruct (IH j _ eq_refl H) as [x [X E]]. exists (k * val (over n m) t + x). split.
  + apply add_in; [ apply mul_in; [ now apply ball_in | now apply (small_ok _ _ S) ] | exact X ].
  + rewrite (val_over n m t) in E. lra. Qed.
Lemma trunc_ok t k : T <= t -> forall l l' v, trunc k l = Some l' -> rep t l v -> rep t l' v.
Proof. intros Ht. induction k as [|k IH]; intros [|[m c] r] l' v; cbn [trunc]; try (intros E; injection E as <-; easy).
- destruct r as [|x r]; [ intros E; injection E as <-; easy | ].
  destruct (bucket m (x :: r)) as [i|] eqn:B; [ | discriminate ]. intros E [j [C H]]. injection E as <-.
  destruct (bucket_ok t m _ Ht i _ B H) as [y [Y E]]. exists (j + y). split; [ apply add_in; [ now apply ball_in | exact Y ] | simpl; lra ].
- destruct (trunc k r) as [r'|] eqn:R; [ | discriminate ]. intros E [j [C H]]. injection E as <-. exists j. split; [ exact C | ]. now apply (IH r). Qed.

(* The largest monomial, and what the function is as its multiple. *)
Fixpoint bracket (l : terms) : option (mono * I.type) := match l with
  | nil => None
  | (m, c) :: r => match r with
    | nil => Some (m, ball c)
    | _ => match bracket r with
      | Some (n, i) => match small (over n m) with Some s => Some (m, I.add prec (ball c) (I.mul prec i s)) | None => None end
      | None => None end end end.
Lemma bracket_ok t l : T <= t -> forall m i v, bracket l = Some (m, i) -> rep t l v -> exists x, inside i x /\ v = x * val m t.
Proof. intros Ht. induction l as [|[m c] l IH]; intros n i v; cbn [bracket]; [ discriminate | ].
destruct l as [|x l].
- intros E [k [C H]]. injection E as <- <-. exists k. split; [ now apply ball_in | simpl in H; lra ].
- destruct (bracket (x :: l)) as [[p j]|]; [ | discriminate ]. destruct (small (over p m)) as [s|] eqn:S; [ | discriminate ].
  intros E [k [C H]]. injection E as <- <-. destruct (IH p j _ eq_refl H) as [y [Y E]]. exists (k + y * val (over p m) t). split.
  + apply add_in; [ now apply ball_in | apply mul_in; [ exact Y | now apply (small_ok _ _ S) ] ].
  + rewrite (val_over p m t) in E. lra. Qed.

(* An interval for every value, where the function is bounded. *)
Definition bounded_by (l : terms) : option I.type := match l with
  | nil => Some I.zero
  | _ => match bracket l with
    | Some (m, i) => if is_one m then Some i else match small m with Some s => Some (I.mul prec i s) | None => None end
    | None => None end end.
Lemma bounded_by_ok t l i v : T <= t -> bounded_by l = Some i -> rep t l v -> inside i v.
Proof. intros Ht. destruct l as [|x l]; [ intros E H; injection E as <-; rewrite H; apply zero_in | ]. unfold bounded_by.
destruct (bracket (x :: l)) as [[m j]|] eqn:B; [ | discriminate ]. intros E H. destruct (bracket_ok t _ Ht m j v B H) as [y [Y ->]].
destruct (is_one m) eqn:O; [ injection E as <-; now rewrite (is_one_ok m t O), Rmult_1_r | ].
destruct (small m) as [s|] eqn:S; [ | discriminate ]. injection E as <-. apply mul_in; [ exact Y | now apply (small_ok _ _ S) ]. Qed.

(* c m (1 + w), with w small; and a series in w. *)
Definition relative (l : terms) : option (mono * coef * terms * I.type) := match l with
  | nil => None
  | (m, c) :: r => if orb (cpos c) (cpos (copp c)) then
      let w := map (fun x => (over (fst x) m, cmult (cinv c) (snd x))) r in
      match bounded_by w with Some s => if gt0 (I.add prec one s) then Some (m, c, w, s) else None | None => None end
    else None end.
Lemma relative_ok t l m c w s v : T <= t -> relative l = Some (m, c, w, s) -> rep t l v ->
  exists k x, holds c k /\ k <> 0 /\ rep t w x /\ inside s x /\ -1 < x /\ v = k * val m t * (1 + x).
Proof. intros Ht. destruct l as [|[n d] r]; cbn [relative]; [ discriminate | ]. destruct (orb _ _) eqn:P; [ | discriminate ].
destruct bounded_by as [i|] eqn:B; [ | discriminate ]. destruct (gt0 _) eqn:G; [ | discriminate ]. intros E [k [C H]]. injection E as <- <- <- <-.
assert (K : k <> 0). { apply Bool.orb_prop in P. destruct P as [P|P]; [ generalize (cpos_ok _ _ P C) | generalize (cpos_ok _ _ P (copp_ok _ _ C)) ]; lra. }
assert (N := val_pos n t).
assert (W : forall r v, rep t r v -> rep t (map (fun x => (over (fst x) n, cmult (cinv d) (snd x))) r) (v / (k * val n t))).
{ clear -K N C. induction r as [|[m c] r IH]; simpl; intros v H; [ rewrite H; unfold Rdiv; ring | ]. destruct H as [j [J H]].
  exists (/ k * j). split; [ apply cmult_ok; [ now apply cinv_ok | exact J ] | ]. apply rep_eq with (1 := IH _ H).
  rewrite (val_over m n t). field. split; (exact K || lra). }
specialize (W r _ H). assert (I := bounded_by_ok t _ i _ Ht B W).
exists k, ((v - k * val n t) / (k * val n t)). repeat split; trivial.
- assert (0 < 1 + (v - k * val n t) / (k * val n t)); [ | lra ]. apply (gt0_ok _ _ G). apply add_in; [ apply one_in | exact I ].
- field. split; (exact K || lra). Qed.

Fixpoint horner_rule (w : terms) (a : list coef) (r : coef) : option terms := match a with
  | nil => Some [(one_m, r)]
  | c :: a => match horner_rule w a r with
    | Some l => match trunc order (lmul w l) with Some l => Some (insert one_m c l) | None => None end
    | None => None end end.
Definition series (w : terms) (a : list coef) (r : coef) : option terms := match w with
  | nil => match a with nil => None | c :: _ => Some (put one_m c nil) end
  | _ => horner_rule w a r end.
Lemma one_rep t c k : holds c k -> rep t (put one_m c nil) k.
Proof. intros C. apply rep_eq with (k * val one_m t + 0); [ now apply put_ok | rewrite val_one; ring ]. Qed.
Lemma series_ok t w a r l x b y : T <= t -> series w a r = Some l -> rep t w x -> Forall2 holds a b -> holds r y -> rep t l (hsum b y x).
Proof. intros Ht. destruct w as [|z w].
- intros E X B _. simpl in X. subst x. destruct B as [|c k a b C B]; [ discriminate | ]. change (Some (put one_m c nil) = Some l) in E. injection E as <-. apply rep_eq with k; [ now apply one_rep | simpl; ring ].
- intros E X B Y. unfold series in E. revert l E. induction B as [|c k a b C B IH]; cbn [horner_rule]; intros l E.
  + injection E as <-. apply rep_eq with (y * val one_m t); [ now apply single | rewrite val_one; simpl; ring ].
  + destruct (horner_rule (z :: w) a r) as [u|]; [ | discriminate ]. destruct (trunc order (lmul (z :: w) u)) as [u'|] eqn:Tr; [ | discriminate ]. injection E as <-.
    apply rep_eq with (k * val one_m t + x * hsum b y x); [ | rewrite val_one; simpl; ring ].
    apply insert_ok; [ exact C | ]. apply (trunc_ok t order Ht _ _ _ Tr). apply lmul_ok; [ exact X | now apply IH ]. Qed.
Definition exacts (a : nat -> Q) : list coef := map (fun k => Exact (a k)) (seq 0 (S order)).
Lemma exacts_ok a : Forall2 holds (exacts a) (map (fun k => Q2R (a k)) (seq 0 (S order))).
Proof. unfold exacts. induction (seq 0 (S order)) as [|k l IH]; simpl; constructor; [ reflexivity | exact IH ]. Qed.

(* z between 0 and 1 times something in s. *)
Lemma shrink s x z : inside s x -> 0 <= z <= 1 -> inside (I.join I.zero s) (z * x).
Proof. intros S Z. apply (contains_connected (I.convert (I.join I.zero s)) (Rmin 0 x) (Rmax 0 x)).
- unfold Rmin. destruct Rle_dec; [ apply join_l, zero_in | now apply join_r ].
- unfold Rmax. destruct Rle_dec; [ now apply join_r | apply join_l, zero_in ].
- unfold Rmin, Rmax. destruct Rle_dec as [L|L].
  + assert (z * x <= 1 * x) by (apply Rmult_le_compat_r; lra). assert (0 <= z * x) by (apply Rmult_le_pos; lra). lra.
  + assert (z * - x <= 1 * - x) by (apply Rmult_le_compat_r; lra). assert (0 <= z * - x) by (apply Rmult_le_pos; lra). lra. Qed.
Definition near_one (p : Q) (s : I.type) : I.type := I.exp coarse (I.mul prec (ofQ p) (I.ln coarse (I.add prec one (I.join I.zero s)))).
Lemma near_one_ok p s x z : inside s x -> -1 < x -> 0 <= z <= 1 -> inside (near_one p s) (exp (Q2R p * ln (1 + z * x))).
Proof. intros S X Z. apply exp_coarse, mul_in; [ apply ofQ_in | ]. apply ln_coarse; [ now apply between_1 | ].
apply add_in; [ apply one_in | now apply shrink ]. Qed.

Definition nat_Q (n : nat) : Q := Z.of_nat n # 1.
Lemma nat_Q_R n : Q2R (nat_Q n) = INR n.
Proof. unfold nat_Q. now rewrite Q2R_int, <- INR_IZR_INZ. Qed.
Definition power_1p (p : Q) (w : terms) (s : I.type) : option terms :=
  series w (exacts (binomial p)) (Ball (I.mul prec (ofQ (binomial p (S order))) (near_one (p - nat_Q (S order)) s))).
Lemma power_1p_ok t p w s l x : T <= t -> power_1p p w s = Some l -> rep t w x -> inside s x -> -1 < x -> rep t l (exp (Q2R p * ln (1 + x))).
Proof. intros Ht E W S X. destruct (power_series p order x X) as [z [Z ->]]. apply (series_ok t w _ _ l x _ _ Ht E W (exacts_ok _)).
apply mul_in; [ apply ofQ_in | ]. rewrite <- nat_Q_R, <- Q2R_minus. now apply near_one_ok. Qed.
Definition ln_1p (w : terms) (s : I.type) : option terms :=
  series w (exacts harmonic) (Ball (I.mul prec (ofQ (harmonic (S order))) (near_one (- nat_Q (S order)) s))).
Lemma ln_1p_ok t w s l x : T <= t -> ln_1p w s = Some l -> rep t w x -> inside s x -> -1 < x -> rep t l (ln (1 + x)).
Proof. intros Ht E W S X. destruct (ln_series order x X) as [z [Z ->]]. apply (series_ok t w _ _ l x _ _ Ht E W (exacts_ok _)).
apply mul_in; [ apply ofQ_in | ]. rewrite <- nat_Q_R, <- Q2R_opp. now apply near_one_ok. Qed.
Definition exp_small (w : terms) (s : I.type) : option terms :=
  series w (exacts inverse_factorial) (Ball (I.mul prec (ofQ (inverse_factorial (S order))) (I.exp coarse (I.join I.zero s)))).
Lemma exp_small_ok t w s l x : T <= t -> exp_small w s = Some l -> rep t w x -> inside s x -> rep t l (exp x).
Proof. intros Ht E W S. destruct (exp_series order x) as [z [Z ->]]. apply (series_ok t w _ _ l x _ _ Ht E W (exacts_ok _)).
apply mul_in; [ apply ofQ_in | apply exp_coarse; now apply shrink ]. Qed.

(* ---- models ---- *)
Definition model := option terms.
Definition is_model (f : R -> R) (M : model) : Prop := match M with None => True | Some l => forall t, T <= t -> rep t l (f t) end.
Lemma model_ext f g M : (forall t, T <= t -> f t = g t) -> is_model f M -> is_model g M.
Proof. intros E. destruct M as [l|]; simpl; [ | easy ]. intros H t Ht. rewrite <- E; auto. Qed.
Lemma use_model f M l t : is_model f M -> M = Some l -> T <= t -> rep t l (f t).
Proof. intros H -> Ht. now apply H. Qed.

Definition constant (c : coef) : model := Some (put one_m c nil).
Lemma constant_ok c x : holds c x -> is_model (fun _ => x) (constant c).
Proof. intros H t _. now apply one_rep. Qed.
Definition two (op : terms -> terms -> terms) (M N : model) : model := match M, N with Some l, Some r => trunc order (op l r) | _, _ => None end.
Definition madd := two ladd.
Definition mmul := two lmul.
Definition mopp (M : model) : model := match M with Some l => Some (lopp l) | None => None end.
Lemma trunc_model f l : (forall t, T <= t -> rep t l (f t)) -> is_model f (trunc order l).
Proof. intros H. unfold is_model. destruct (trunc order l) as [l'|] eqn:E; [ | easy ]. intros t Ht. apply (trunc_ok t order Ht _ _ _ E). auto. Qed.
Lemma madd_ok f g M N : is_model f M -> is_model g N -> is_model (fun t => f t + g t) (madd M N).
Proof. destruct M as [l|], N as [r|]; try easy. intros A B. apply (trunc_model (fun t => f t + g t)). intros t Ht. apply ladd_ok; [ now apply A | now apply B ]. Qed.
Lemma mmul_ok f g M N : is_model f M -> is_model g N -> is_model (fun t => f t * g t) (mmul M N).
Proof. destruct M as [l|], N as [r|]; try easy. intros A B. apply (trunc_model (fun t => f t * g t)). intros t Ht. apply lmul_ok; [ now apply A | now apply B ]. Qed.
Lemma mopp_ok f M : is_model f M -> is_model (fun t => - f t) (mopp M).
Proof. destruct M as [l|]; [ | easy ]. intros A t Ht. apply lopp_ok. now apply A. Qed.

(* (c m (1 + w))^p, from c^p. *)
Definition raise (p : Q) (front : coef -> option coef) (M : model) : model := match M with
  | None => None
  | Some l => match relative l with
    | None => None
    | Some (m, c, w, s) => match front c, power_1p p w s with
      | Some k, Some u => Some (lscale (scale_m p m) k u) | _, _ => None end end end.
Lemma raise_ok p front M f g : is_model f M ->
  (forall t c d k x, T <= t -> front c = Some d -> holds c k -> k <> 0 -> forall m, 0 < m -> -1 < x -> f t = k * m * (1 + x) ->
     exists k', holds d k' /\ g t = k' * exp (Q2R p * ln m) * exp (Q2R p * ln (1 + x))) ->
  is_model g (raise p front M).
Proof. intros H G. destruct M as [l|]; [ | easy ]. unfold raise. destruct (relative l) as [[[[m c] w] s]|] eqn:E; [ | easy ].
destruct (front c) as [d|] eqn:Fc; [ | easy ]. destruct (power_1p p w s) as [u|] eqn:P; [ | easy ]. intros t Ht.
destruct (relative_ok t l m c w s _ Ht E (H t Ht)) as [k [x [C [K [W [S [X V]]]]]]].
destruct (G t c d k x Ht Fc C K (val m t) (val_pos m t) X V) as [k' [D ->]]. rewrite <- val_scale. apply lscale_ok; [ exact D | ].
now apply (power_1p_ok t p w s u x Ht P). Qed.
Definition apart (M : model) : bool := match M with Some l => match relative l with Some _ => true | None => false end | None => false end.
Lemma apart_ok f M : is_model f M -> apart M = true -> forall t, T <= t -> f t <> 0.
Proof. intros H A t Ht. destruct M as [l|]; [ | discriminate ]. simpl in A. destruct (relative l) as [[[[m c] w] s]|] eqn:E; [ | discriminate ].
destruct (relative_ok t l m c w s _ Ht E (H t Ht)) as [k [x [C [K [W [S [X V]]]]]]]. rewrite V.
repeat apply Rmult_integral_contrapositive_currified; [ exact K | apply Rgt_not_eq, val_pos | lra ]. Qed.
Definition is_pos (M : model) : bool := match M with Some l => match relative l with Some (_, c, _, _) => cpos c | None => false end | None => false end.
Lemma is_pos_ok f M : is_model f M -> is_pos M = true -> forall t, T <= t -> 0 < f t.
Proof. intros H A t Ht. destruct M as [l|]; [ | discriminate ]. simpl in A. destruct (relative l) as [[[[m c] w] s]|] eqn:E; [ | discriminate ].
destruct (relative_ok t l m c w s _ Ht E (H t Ht)) as [k [x [C [K [W [S [X V]]]]]]]. rewrite V.
repeat apply Rmult_lt_0_compat; [ now apply (cpos_ok c) | apply val_pos | lra ]. Qed.

Definition minv : model -> model := raise (-1) (fun c => Some (cinv c)).
Lemma Q2R_m1 : Q2R (-1) = -1. Proof. unfold Q2R. simpl. lra. Qed.
Lemma exp_m1 x : 0 < x -> exp (-1 * ln x) = / x.
Proof. intros. replace (-1 * ln x) with (- ln x) by ring. now rewrite exp_Ropp, exp_ln. Qed.
Lemma minv_ok f M : is_model f M -> is_model (fun t => / f t) (minv M).
Proof. intros H. apply (raise_ok _ _ M f _ H). intros t c d k x Ht E C K m Pm X V. injection E as <-. exists (/ k). split; [ now apply cinv_ok | ].
rewrite Q2R_m1, !exp_m1, V by lra. field. lra. Qed.

(* Whole powers by repeated multiplication, where they are short. *)
Fixpoint times (n : nat) (M : model) : model := match n with O => constant (Exact 1) | 1%nat => M | S n => mmul M (times n M) end.
Fixpoint cpow (c : coef) (n : nat) : coef := match n with O => Exact 1 | S n => cmult c (cpow c n) end.
Definition mnat (M : model) (n : nat) : model := if Nat.leb n 8 then match M with None => None | _ => times n M end else raise (nat_Q n) (fun c => Some (cpow c n)) M.
Lemma times_ok f M n : is_model f M -> is_model (fun t => f t ^ n) (times n M).
Proof. intros H. induction n as [|[|n] IH].
- apply model_ext with (fun _ => 1); [ reflexivity | ]. apply (constant_ok (Exact 1)). simpl. now rewrite Q2R_1.
- apply model_ext with f; [ intros; simpl; ring | exact H ].
- exact (mmul_ok f (fun t => f t ^ S n) _ _ H IH). Qed.
Lemma cpow_ok c k n : holds c k -> holds (cpow c n) (k ^ n).
Proof. intros C. induction n as [|n IH]; simpl; [ now rewrite Q2R_1 | now apply cmult_ok ]. Qed.
Lemma exp_INR n x : 0 < x -> exp (INR n * ln x) = x ^ n.
Proof. intros P. induction n as [|n IH]; [ simpl; rewrite Rmult_0_l; apply exp_0 | ].
rewrite S_INR. simpl. rewrite <- IH. replace ((INR n + 1) * ln x) with (ln x + INR n * ln x) by ring. now rewrite exp_plus, exp_ln. Qed.
Lemma mnat_ok f M n : is_model f M -> is_model (fun t => f t ^ n) (mnat M n).
Proof. intros H. unfold mnat. destruct Nat.leb; [ destruct M; [ now apply times_ok | easy ] | ].
apply (raise_ok _ _ M f _ H). intros t c d k x Ht E C K m Pm X V. injection E as <-. exists (k ^ n). split; [ now apply cpow_ok | ].
rewrite nat_Q_R, !exp_INR, V, !Rpow_mult_distr by lra. reflexivity. Qed.

(* Powers of what is positive. *)
Definition is_1 (c : coef) : bool := match c with Exact q => Qeq_bool q 1 | Ball _ => false end.
Lemma is_1_ok c k : is_1 c = true -> holds c k -> k = 1.
Proof. destruct c as [q|]; [ | discriminate ]. simpl. intros E ->. apply Qeq_bool_eq, Qeq_eqR in E. rewrite E. apply Q2R_1. Qed.
Definition front_power (n : Z) (d : positive) (c : coef) : option coef :=
  if is_1 c then Some (Exact 1) else if cpos c then Some (Ball (I.exp prec (I.mul prec (point n d) (I.ln prec (ball c))))) else None.
Definition mpow (M : model) (n : Z) (d : positive) : model := raise (n # d) (front_power n d) M.
Definition msqrt (M : model) : model := mpow M 1 2.
Lemma front_power_ok n d c e k : front_power n d c = Some e -> holds c k -> 0 < k /\ holds e (exp (IZR n / IZR (Zpos d) * ln k)).
Proof. unfold front_power. intros E C. destruct (is_1 c) eqn:O.
- injection E as <-. rewrite (is_1_ok c k O C). split; [ lra | ]. rewrite ln_1, Rmult_0_r, exp_0. simpl. now rewrite Q2R_1.
- destruct (cpos c) eqn:P; [ | discriminate ]. injection E as <-. assert (K := cpos_ok c k P C). split; [ exact K | ].
  apply exp_in, mul_in; [ apply point_ok | ]. apply ln_in; [ exact K | now apply ball_in ]. Qed.
Lemma mpow_ok f M n d : is_model f M -> is_model (fun t => power (f t) (IZR n / IZR (Zpos d))) (mpow M n d).
Proof. intros H. apply (raise_ok _ _ M f _ H). intros t c e k x Ht E C K m Pm X V. destruct (front_power_ok n d c e k E C) as [Pk D].
exists (exp (IZR n / IZR (Zpos d) * ln k)). split; [ exact D | ]. change (Q2R (n # d)) with (IZR n / IZR (Zpos d)).
assert (0 < k * m) by now apply Rmult_lt_0_compat. rewrite V, power_pos by (apply Rmult_lt_0_compat; lra).
rewrite !ln_mult, <- !exp_plus by lra. f_equal. ring. Qed.
Lemma mpow_pos f M n d : is_model f M -> mpow M n d <> None -> forall t, T <= t -> 0 < f t.
Proof. intros H N. apply (is_pos_ok f M H). unfold mpow, raise in N. destruct M as [l|]; [ | easy ]. simpl.
destruct (relative l) as [[[[m c] w] s]|]; [ | easy ]. unfold front_power in N. destruct (is_1 c) eqn:O; [ | destruct (cpos c); easy ].
destruct c as [q|]; [ | discriminate ]. simpl in *. apply Qeq_bool_eq in O. unfold Qeq in O. simpl in O. apply Z.ltb_lt. lia. Qed.
Lemma msqrt_ok f M : is_model f M -> is_model (fun t => sqrt (f t)) (msqrt M).
Proof. intros H. destruct (msqrt M) as [l|] eqn:E; [ | easy ]. assert (P : forall t, T <= t -> 0 < f t) by (apply (mpow_pos f M 1 2 H); unfold msqrt in E; congruence).
rewrite <- E. apply model_ext with (fun t => power (f t) (1 / 2)); [ | now apply mpow_ok ].
intros t Ht. specialize (P t Ht). rewrite power_pos by exact P. rewrite <- Rpower_sqrt by exact P. unfold Rpower. do 2 f_equal. lra. Qed.

(* ln: the exponents become coefficients. *)
Definition log_m (k : nat) : mono := match k with O => (0, 1, 0, 0) | 1%nat => (0, 0, 1, 0) | _ => (0, 0, 0, 1) end%Q.
Lemma log_m_ok t : T <= t -> val (log_m 0) t = ln t /\ val (log_m 1) t = ln (ln t) /\ val (log_m 2) t = ln (ln (ln t)).
Proof. intros Ht. destruct (logs t Ht) as [A [B [C _]]]. destruct far as [F2 [F1 [F0 F]]]. simpl. rewrite !Q2R_0, !Q2R_1. repeat split.
- replace (_ + _ + _ + _) with (ln (ln t)) by ring. apply exp_ln. lra.
- replace (_ + _ + _ + _) with (ln (ln (ln t))) by ring. apply exp_ln. lra.
- replace (_ + _ + _ + _) with (ln (ln (ln (ln t)))) by ring. apply exp_ln. lra. Qed.
Definition ln_front (m : mono) (c : coef) (l : terms) : terms := let '(a, b, e, _) := m in
  insert (log_m 0) (Exact a) (insert (log_m 1) (Exact b) (insert (log_m 2) (Exact e) (if is_1 c then l else insert one_m (Ball (I.ln prec (ball c))) l))).
Definition mln (M : model) : model := match M with
  | None => None
  | Some l => match relative l with
    | Some (m, c, w, s) => if andb (cpos c) (is0 (snd m)) then match ln_1p w s with Some u => trunc order (ln_front m c u) | None => None end else None
    | None => None end end.
Lemma mln_ok f M : is_model f M -> is_model (fun t => ln (f t)) (mln M).
Proof. intros H. destruct M as [l|]; [ | easy ]. unfold mln. destruct (relative l) as [[[[m c] w] s]|] eqn:E; [ | easy ].
destruct (andb _ _) eqn:P; [ | easy ]. apply andb_prop in P. destruct P as [P Z]. destruct (ln_1p w s) as [u|] eqn:U; [ | easy ].
apply (trunc_model (fun t => ln (f t))). intros t Ht. destruct (relative_ok t l m c w s _ Ht E (H t Ht)) as [k [x [C [K [W [S [X V]]]]]]].
assert (Pk := cpos_ok c k P C). assert (0 < k * val m t) by (apply Rmult_lt_0_compat; [ exact Pk | apply val_pos ]).
assert (L := ln_1p_ok t w s u x Ht U W S X). rewrite V, !ln_mult by (try lra; apply val_pos).
destruct m as [[[a b] e] d]. cbn [snd] in Z. destruct (log_m_ok t Ht) as [E0 [E1 E2]]. unfold ln_front.
apply rep_eq with (Q2R a * val (log_m 0) t + (Q2R b * val (log_m 1) t + (Q2R e * val (log_m 2) t + (ln k + ln (1 + x))))).
- repeat (apply insert_ok; [ reflexivity | ]). destruct (is_1 c) eqn:O.
  + rewrite (is_1_ok c k O C), ln_1, Rplus_0_l. exact L.
  + apply rep_eq with (ln k * val one_m t + ln (1 + x)); [ | rewrite val_one; ring ]. apply insert_ok; [ | exact L ]. apply ln_in; [ exact Pk | now apply ball_in ].
- rewrite E0, E1, E2. unfold val. rewrite ln_exp, (is0_ok d Z). ring. Qed.
Lemma mln_pos f M : is_model f M -> mln M <> None -> forall t, T <= t -> 0 < f t.
Proof. intros H N. apply (is_pos_ok f M H). destruct M as [l|]; [ | easy ]. unfold mln in N. simpl.
destruct (relative l) as [[[[m c] w] s]|]; [ | easy ]. destruct (cpos c); easy. Qed.

(* exp: a ln t + b ln ln t + c ln ln ln t become exponents, a constant a coefficient, and what vanishes a series; *)
Definition unlog (m : mono) (q : Q) : option mono := match compare_m m (log_m 0), compare_m m (log_m 1), compare_m m (log_m 2) with
  | Eq, _, _ => Some (q, 0, 0, 0)%Q | _, Eq, _ => Some (0, q, 0, 0)%Q | _, _, Eq => Some (0, 0, q, 0)%Q | _, _, _ => None end.
Lemma unlog_ok t m q n : T <= t -> unlog m q = Some n -> exp (Q2R q * val m t) = val n t.
Proof. intros Ht. destruct (log_m_ok t Ht) as [E0 [E1 E2]]. unfold unlog.
destruct (compare_m m (log_m 0)) eqn:A; [ rewrite (compare_m_ok _ _ t A), E0; intros E; injection E as <-; simpl; rewrite Q2R_0; f_equal; ring | | ];
(destruct (compare_m m (log_m 1)) eqn:B; [ rewrite (compare_m_ok _ _ t B), E1; intros E; injection E as <-; simpl; rewrite Q2R_0; f_equal; ring | | ];
(destruct (compare_m m (log_m 2)) eqn:C; [ rewrite (compare_m_ok _ _ t C), E2; intros E; injection E as <-; simpl; rewrite Q2R_0; f_equal; ring | discriminate | discriminate ])). Qed.
Fixpoint split_exp (l : terms) : option (mono * coef * terms) := match l with
  | nil => Some (one_m, Exact 0, nil)
  | (m, c) :: r => match split_exp r with
    | None => None
    | Some (f, k, w) => match compare_m m one_m with
      | Eq => Some (f, cplus c k, w)
      | Lt => Some (f, k, (m, c) :: w)
      | Gt => match c with Exact q => match unlog m q with Some n => Some (plus_m n f, k, w) | None => None end | Ball _ => None end end end end.
Lemma split_exp_ok t l : T <= t -> forall f k w v, split_exp l = Some (f, k, w) -> rep t l v ->
  exists y x, holds k y /\ rep t w x /\ exp v = val f t * exp y * exp x.
Proof. intros Ht. induction l as [|[m c] l IH]; intros f k w v; cbn [split_exp].
- intros E H. injection E as <- <- <-. exists 0, 0. repeat split; [ simpl; now rewrite Q2R_0 | ]. rewrite H, val_one, exp_0. ring.
- destruct (split_exp l) as [[[f' k'] w']|]; [ | discriminate ]. intros E [j [C H]]. destruct (IH f' k' w' _ eq_refl H) as [y [x [Y [X V]]]].
  assert (G : exp v = exp (j * val m t) * (val f' t * exp y * exp x)) by (rewrite <- V, <- exp_plus; f_equal; ring).
  destruct (compare_m m one_m) eqn:O.
  + injection E as <- <- <-. exists (j + y), x. split; [ now apply cplus_ok | split; [ exact X | ] ].
    rewrite G, (compare_m_ok _ _ t O), val_one, Rmult_1_r, exp_plus. ring.
  + injection E as <- <- <-. exists y, (j * val m t + x). split; [ exact Y | split ].
    * exists j. split; [ exact C | ]. apply rep_eq with (1 := X). ring.
    * rewrite G, (exp_plus (j * val m t)). ring.
  + destruct c as [q|]; [ | discriminate ]. destruct (unlog m q) as [n|] eqn:U; [ | discriminate ]. injection E as <- <- <-. exists y, x. split; [ exact Y | split; [ exact X | ] ].
    simpl in C. subst j. rewrite G, (unlog_ok t m q n Ht U), val_plus. ring. Qed.
(* and what falls faster than a power of t lies below that power. *)
Definition decay (l : terms) (n : Q) : option I.type :=
  let r := insert (log_m 0) (Exact n) l in
  match bounded_by r with
  | Some i => Some (I.join I.zero (I.exp coarse i))
  | None => match bracket r with Some (m, i) => if le0 i then Some zero_one else None | None => None end end.
Fixpoint vanishing_exp (l : terms) (ns : list Q) : model := match ns with
  | nil => None
  | n :: ns => match decay l n with Some i => Some [((- n, 0, 0, 0)%Q, Ball i)] | None => vanishing_exp l ns end end.
Definition powers_of_t : list Q := [24; 16; 12; 10; 8; 6; 5; 4; 7 # 2; 3; 5 # 2; 2; 3 # 2; 1; 1 # 2; 1 # 8]%Q.
Definition is_negative (l : terms) : bool := match bracket l with Some (m, i) => andb (le0 i) (match compare_m m one_m with Gt => true | _ => false end) | None => false end.
Definition mexp (M : model) : model := match M with
  | None => None
  | Some l => match split_exp l with
    | Some (f, k, w) => match bounded_by w with
      | Some s => match exp_small w s with Some u => Some (lscale f (if cnull k then Exact 1 else Ball (I.exp prec (ball k))) u) | None => None end
      | None => None end
    | None => if is_negative l then vanishing_exp l powers_of_t else None end end.
Lemma decay_ok t l n i v : T <= t -> decay l n = Some i -> rep t l v -> exists x, inside i x /\ exp v = x * val (- n, 0, 0, 0)%Q t.
Proof. intros Ht E H. destruct (log_m_ok t Ht) as [E0 _].
assert (G : rep t (insert (log_m 0) (Exact n) l) (Q2R n * ln t + v)) by (rewrite <- E0; now apply insert_ok).
exists (exp (Q2R n * ln t + v)). split.
- unfold decay in E. destruct (bounded_by _) as [j|] eqn:B; [ injection E as <-; apply join_r, exp_coarse; now apply (bounded_by_ok t _ j _ Ht B) | ].
  destruct (bracket _) as [[m j]|] eqn:K; [ | discriminate ]. destruct (le0 j) eqn:L; [ | discriminate ]. injection E as <-.
  destruct (bracket_ok t _ Ht m j _ K G) as [x [X ->]]. apply zero_one_in. assert (Lx := le0_ok j x L X). assert (P := val_pos m t).
  split; [ left; apply exp_pos | ]. assert (0 <= - x * val m t) by (apply Rmult_le_pos; lra). rewrite <- exp_0.
  destruct (Rle_lt_or_eq_dec (x * val m t) 0 ltac:(lra)) as [J|J]; [ left; now apply exp_increasing | right; now rewrite J ].
- simpl. rewrite Q2R_opp, Q2R_0, <- exp_plus. f_equal. ring. Qed.
Lemma vanishing_exp_ok f l ns : (forall t, T <= t -> rep t l (f t)) -> is_model (fun t => exp (f t)) (vanishing_exp l ns).
Proof. intros H. induction ns as [|n ns IH]; [ easy | ]. cbn [vanishing_exp]. destruct (decay l n) as [i|] eqn:E; [ | exact IH ].
intros t Ht. destruct (decay_ok t l n i _ Ht E (H t Ht)) as [x [X ->]]. now apply (single t _ (Ball i)). Qed.
Lemma mexp_ok f M : is_model f M -> is_model (fun t => exp (f t)) (mexp M).
Proof. intros H. destruct M as [l|]; [ | easy ]. unfold mexp. destruct (split_exp l) as [[[g k] w]|] eqn:E.
- destruct (bounded_by w) as [s|] eqn:B; [ | easy ]. destruct (exp_small w s) as [u|] eqn:U; [ | easy ]. intros t Ht.
  destruct (split_exp_ok t l Ht g k w _ E (H t Ht)) as [y [x [Y [X ->]]]]. replace (val g t * exp y * exp x) with (exp y * val g t * exp x) by ring.
  apply lscale_ok; [ | apply (exp_small_ok t w s u x Ht U X); now apply (bounded_by_ok t w s x Ht B) ].
  destruct (cnull k) eqn:N; [ rewrite (cnull_ok k y N Y), exp_0; simpl; now rewrite Q2R_1 | apply exp_in; now apply ball_in ].
- destruct is_negative; [ now apply vanishing_exp_ok | easy ]. Qed.

(* ln (1 + e^f) and 1 / (1 + e^-f), where f grows by way of - f. *)
Definition grows_up (M : model) : bool := match M with
  | Some l => match bracket l with Some (m, i) => andb (gt0 i) (match compare_m m one_m with Gt => true | _ => false end) | None => false end | None => false end.
Definition msoft (M : model) : model := if grows_up M then madd M (mln (madd (constant (Exact 1)) (mexp (mopp M)))) else mln (madd (constant (Exact 1)) (mexp M)).
Definition mlogi (M : model) : model := if grows_up M then minv (madd (constant (Exact 1)) (mexp (mopp M)))
  else let E := mexp M in mmul E (minv (madd (constant (Exact 1)) E)).
Lemma one_ok : is_model (fun _ => 1) (constant (Exact 1)).
Proof. apply constant_ok. simpl. now rewrite Q2R_1. Qed.
Lemma msoft_ok f M : is_model f M -> is_model (fun t => ln (1 + exp (f t))) (msoft M).
Proof. intros H. unfold msoft. destruct grows_up.
- apply model_ext with (fun t => f t + ln (1 + exp (- f t))).
  + intros t _. rewrite <- (ln_exp (f t)) at 1. assert (A := exp_pos (f t)). assert (B := exp_pos (- f t)). rewrite <- ln_mult by lra. f_equal.
    rewrite exp_Ropp. field. lra.
  + apply madd_ok; [ exact H | ]. apply (mln_ok (fun t => 1 + exp (- f t))). apply (madd_ok (fun _ => 1) (fun t => exp (- f t))); [ apply one_ok | apply (mexp_ok (fun t => - f t)); now apply mopp_ok ].
- apply (mln_ok (fun t => 1 + exp (f t))). apply (madd_ok (fun _ => 1) (fun t => exp (f t))); [ apply one_ok | now apply mexp_ok ]. Qed.
Lemma mlogi_ok f M : is_model f M -> is_model (fun t => / (1 + exp (- f t))) (mlogi M).
Proof. intros H. unfold mlogi. destruct grows_up.
- apply (minv_ok (fun t => 1 + exp (- f t))). apply (madd_ok (fun _ => 1) (fun t => exp (- f t))); [ apply one_ok | apply (mexp_ok (fun t => - f t)); now apply mopp_ok ].
- apply model_ext with (fun t => exp (f t) * / (1 + exp (f t))).
  + intros t _. assert (A := exp_pos (f t)). rewrite exp_Ropp. field. lra.
  + apply (mmul_ok (fun t => exp (f t)) (fun t => / (1 + exp (f t)))); [ now apply mexp_ok | ].
    apply (minv_ok (fun t => 1 + exp (f t))). apply (madd_ok (fun _ => 1) (fun t => exp (f t))); [ apply one_ok | now apply mexp_ok ]. Qed.

(* sin and cos: Taylor's polynomial where the argument is a constant and what vanishes, else the interval [-1, 1].
   wave j is the j-th derivative of sin. *)
Fixpoint wave (j : nat) (x : R) : R := match j with O => sin x | 1%nat => cos x | S (S j) => - wave j x end.
Fixpoint wave_on (j : nat) (i : I.type) : I.type := match j with O => I.sin prec i | 1%nat => I.cos prec i | S (S j) => I.neg (wave_on j i) end.
Fixpoint wave_0 (j : nat) : Q := match j with O => 0%Q | 1%nat => 1%Q | S (S j) => (- wave_0 j)%Q end.
Lemma by_twos (P : nat -> Prop) : P O -> P 1%nat -> (forall j, P j -> P (S (S j))) -> forall j, P j.
Proof. intros A B C. assert (H : forall j, P j /\ P (S j)) by (induction j as [|j [K L]]; auto). intros j. apply H. Qed.
Lemma wave_derive j : forall x, is_derive (wave j) x (wave (S j) x).
Proof. revert j. apply (by_twos (fun j => forall x, is_derive (wave j) x (wave (S j) x))).
- apply is_derive_sin.
- intros x. change (is_derive cos x (- sin x)). apply is_derive_cos.
- intros j H x. change (is_derive (fun x => - wave j x) x (- wave (S j) x)). apply (is_derive_opp (wave j)), H. Qed.
Lemma wave_bound j : forall x, -1 <= wave j x <= 1.
Proof. revert j. apply (by_twos (fun j => forall x, -1 <= wave j x <= 1)); [ apply SIN_bound | apply COS_bound | ].
intros j H x. specialize (H x). cbn [wave]. lra. Qed.
Lemma wave_in j i x : inside i x -> inside (wave_on j i) (wave j x).
Proof. intros H. revert j. apply by_twos; [ apply (I.sin_correct prec i (Xreal x) H) | apply (I.cos_correct prec i (Xreal x) H) | ].
intros j K. now apply neg_in. Qed.
Lemma wave_at_0 j : wave j 0 = Q2R (wave_0 j).
Proof. revert j. apply by_twos; [ cbn; now rewrite sin_0, Q2R_0 | cbn; now rewrite cos_0, Q2R_1 | ]. intros j H. cbn [wave wave_0]. now rewrite Q2R_opp, H. Qed.
Lemma wave_series j n c x : exists z, 0 <= z <= 1 /\ wave j (c + x) =
  hsum (map (fun k => Q2R (inverse_factorial k) * wave (j + k) c) (seq 0 (S n))) (Q2R (inverse_factorial (S n)) * wave (j + S n) (c + z * x)) x.
Proof.
assert (F : forall j, Q2R (inverse_factorial (S j)) = Q2R (inverse_factorial j) / INR (S j)).
{ intros i. cbn [inverse_factorial]. now rewrite Qred_R, Q2R_mult, Q2R_nat. }
destruct (taylor (fun k x => Q2R (inverse_factorial k) * wave (j + k) (c + x)) n x) as [z [Z E]].
- intros k s S. apply is_derive_eq with (Q2R (inverse_factorial k) * wave (Datatypes.S (j + k)) (c + s * x)).
  + apply (is_derive_scal (fun y => wave (j + k) (c + y))). apply is_derive_eq with (scal 1 (wave (Datatypes.S (j + k)) (c + s * x))); [ | unfold scal; simpl; unfold mult; simpl; apply Rmult_1_l ].
    apply (is_derive_comp (wave (j + k)) (fun y => c + y)); [ apply wave_derive | ]. auto_derive; [ easy | reflexivity ].
  + change (@eq R (Q2R (inverse_factorial k) * wave (Datatypes.S (j + k)) (c + s * x)) (INR (Datatypes.S k) * (Q2R (inverse_factorial (Datatypes.S k)) * wave (j + Datatypes.S k) (c + s * x)))).
    rewrite F. replace (j + Datatypes.S k)%nat with (Datatypes.S (j + k)) by lia. assert (N := INR_pos k). field. lra.
- exists z. split; [ exact Z | ]. change (Q2R (inverse_factorial 0)) with (Q2R 1) in E. rewrite Q2R_1, Rmult_1_l, Nat.add_0_r in E. rewrite E.
  f_equal. apply map_ext. intros k. now rewrite Rplus_0_r.
Qed.
Definition wave_coef (j : nat) (c : coef) (k : nat) : coef :=
  cmult (Exact (inverse_factorial k)) (if cnull c then Exact (wave_0 (j + k)) else Ball (wave_on (j + k) (ball c))).
Definition unit_ball := I.join (I.fromZ prec (-1)) one.
Lemma unit_ball_ok x : -1 <= x <= 1 -> inside unit_ball x.
Proof. intros X. apply (join_in _ _ (-1) 1); [ apply I.fromZ_correct | apply one_in | exact X ]. Qed.
Definition wave_small (j : nat) (l : terms) : option terms := match split_exp l with
  | Some (f, c, w) => if is_one f then series w (map (wave_coef j c) (seq 0 (S order))) (Ball (I.mul prec (ofQ (inverse_factorial (S order))) unit_ball)) else None
  | None => None end.
Definition mwave (j : nat) (M : model) : model := match M with
  | None => None | Some l => match wave_small j l with Some u => Some u | None => constant (Ball unit_ball) end end.
Lemma wave_small_ok j l u t v : T <= t -> wave_small j l = Some u -> rep t l v -> rep t u (wave j v).
Proof. unfold wave_small. intros Ht E H. destruct (split_exp l) as [[[f c] w]|] eqn:Sp; [ | discriminate ]. destruct (is_one f) eqn:O; [ | discriminate ].
destruct (split_exp_ok t l Ht f c w v Sp H) as [y [x [Y [X V]]]]. rewrite (is_one_ok f t O), Rmult_1_l, <- exp_plus in V. apply exp_inv in V. subst v.
destruct (wave_series j order y x) as [z [_ ->]]. apply (series_ok t w _ _ u x _ _ Ht E X).
- clear E. induction (seq 0 (S order)) as [|k r IH]; [ constructor | ]. constructor; [ | exact IH ]. apply cmult_ok; [ reflexivity | ].
  destruct (cnull c) eqn:N; [ rewrite (cnull_ok c y N Y); apply wave_at_0 | apply wave_in; now apply ball_in ].
- apply mul_in; [ apply ofQ_in | apply unit_ball_ok, wave_bound ]. Qed.
Lemma mwave_ok j f M : is_model f M -> is_model (fun t => wave j (f t)) (mwave j M).
Proof. intros H. destruct M as [l|]; [ | easy ]. unfold mwave. destruct (wave_small j l) as [u|] eqn:E; intros t Ht.
- now apply (wave_small_ok j l u t _ Ht E), H.
- apply one_rep, unit_ball_ok, wave_bound. Qed.
Lemma mwave_known j M : mwave j M <> None -> M <> None.
Proof. intros H E. now subst. Qed.

Fixpoint mev (V : model) (e : expr) : model :=
  match e with
  | Var => V
  | Int n => constant (Exact (n # 1))
  | Rat n d => constant (Exact (Qred (n # d)))
  | Pi => constant (Ball (I.pi prec))
  | Add a b => madd (mev V a) (mev V b)
  | Sub a b => madd (mev V a) (mopp (mev V b))
  | Mul a b => mmul (mev V a) (mev V b)
  | Opp a => mopp (mev V a)
  | Inv a => minv (mev V a)
  | Nat a n => mnat (mev V a) n
  | Pow a n d => mpow (mev V a) n d
  | Sqrt a => msqrt (mev V a)
  | Exp a => mexp (mev V a)
  | Ln a => mln (mev V a)
  | Ln1p a => mln (madd (constant (Exact 1)) (mev V a))
  | Soft a => msoft (mev V a)
  | Logi a => mlogi (mev V a)
  | Sin a => mwave 0 (mev V a)
  | Cos a => mwave 1 (mev V a)
  | Max _ _ | Floor _ | Less _ _ _ _ _ => None
  end.

Lemma two_known op M N : two op M N <> None -> M <> None /\ N <> None.
Proof. destruct M, N; simpl; easy. Qed.
Lemma raise_known p front M : raise p front M <> None -> M <> None /\ apart M = true.
Proof. destruct M as [l|]; simpl; [ | easy ]. destruct (relative l); easy. Qed.
Lemma soft_known M : msoft M <> None -> M <> None.
Proof. intros H E. now subst. Qed.
Lemma logi_known M : mlogi M <> None -> M <> None.
Proof. intros H E. now subst. Qed.
Lemma mnat_known M n : mnat M n <> None -> M <> None.
Proof. intros H E. subst. unfold mnat in H. now destruct Nat.leb. Qed.

Lemma mev_ok V v e : is_model v V ->
  is_model (fun t => ev e (v t)) (mev V e) /\ (mev V e <> None -> forall t, T <= t -> def e (v t)).
Proof.
intros H. induction e; cbn [mev ev def].
- auto.
- split; [ | easy ]. apply constant_ok. simpl. now rewrite Q2R_int.
- split; [ | easy ]. apply constant_ok. simpl. now rewrite Qred_R.
- split; [ | easy ]. apply constant_ok, I.pi_correct.
- destruct IHe1 as [A1 B1], IHe2 as [A2 B2]. split; [ now apply (madd_ok (fun t => ev e1 (v t)) (fun t => ev e2 (v t))) | ].
  intros N t Ht. apply two_known in N. split; [ now apply B1 | now apply B2 ].
- destruct IHe1 as [A1 B1], IHe2 as [A2 B2]. split; [ now apply (madd_ok (fun t => ev e1 (v t)) (fun t => - ev e2 (v t))); [ | apply mopp_ok ] | ].
  intros N t Ht. apply two_known in N. split; [ now apply B1 | apply B2; [ now destruct (mev V e2) | exact Ht ] ].
- destruct IHe1 as [A1 B1], IHe2 as [A2 B2]. split; [ now apply (mmul_ok (fun t => ev e1 (v t)) (fun t => ev e2 (v t))) | ].
  intros N t Ht. apply two_known in N. split; [ now apply B1 | now apply B2 ].
- destruct IHe as [A B]. split; [ now apply (mopp_ok (fun t => ev e (v t))) | ]. intros N. apply B. now destruct (mev V e).
- destruct IHe as [A B]. split; [ now apply (minv_ok (fun t => ev e (v t))) | ]. intros N t Ht. apply raise_known in N. destruct N as [N P].
  split; [ now apply B | now apply (apart_ok (fun t => ev e (v t)) _ A P) ].
- destruct IHe as [A B]. split; [ now apply (mnat_ok (fun t => ev e (v t))) | ]. intros N. apply B. now apply mnat_known in N.
- destruct IHe as [A B]. split; [ now apply (mpow_ok (fun t => ev e (v t))) | ]. intros N t Ht.
  split; [ | now apply (mpow_pos (fun t => ev e (v t)) (mev V e) n d) ]. apply raise_known in N. now apply B.
- destruct IHe as [A B]. split; [ now apply (msqrt_ok (fun t => ev e (v t))) | ]. intros N t Ht.
  split; [ | now apply (mpow_pos (fun t => ev e (v t)) (mev V e) 1 2) ]. apply raise_known in N. now apply B.
- destruct IHe as [A B]. split; [ now apply (mexp_ok (fun t => ev e (v t))) | ]. intros N. apply B. intros E. now rewrite E in N.
- destruct IHe as [A B]. split; [ now apply (mln_ok (fun t => ev e (v t))) | ]. intros N t Ht.
  split; [ | now apply (mln_pos (fun t => ev e (v t)) (mev V e)) ]. apply B; [ | exact Ht ]. intros E. now rewrite E in N.
- destruct IHe as [A B]. assert (A1 : is_model (fun t => 1 + ev e (v t)) (madd (constant (Exact 1)) (mev V e))) by (apply (madd_ok (fun _ => 1) (fun t => ev e (v t))); [ apply one_ok | exact A ]).
  split; [ now apply (mln_ok (fun t => 1 + ev e (v t))) | ]. intros N t Ht.
  split; [ | now apply (mln_pos (fun t => 1 + ev e (v t)) _ A1) ]. apply B; [ | exact Ht ]. intros E. now rewrite E in N.
- destruct IHe as [A B]. split; [ now apply (msoft_ok (fun t => ev e (v t))) | ]. intros N. apply B. now apply soft_known.
- destruct IHe as [A B]. split; [ now apply (mlogi_ok (fun t => ev e (v t))) | ]. intros N. apply B. now apply logi_known.
- destruct IHe as [A B]. split; [ exact (mwave_ok 0 _ _ A) | ]. intros N. apply B. now apply mwave_known in N.
- destruct IHe as [A B]. split; [ exact (mwave_ok 1 _ _ A) | ]. intros N. apply B. now apply mwave_known in N.
- easy.
- easy.
- easy.
Qed.
End Far.
