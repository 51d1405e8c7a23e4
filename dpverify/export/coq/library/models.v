(* ==== Models: a function on [T, oo) as c(t) t^a (ln t)^b (ln ln t)^c, with c(t) in one interval and with a limit
   in another; `mev` computes the model of an expression, right by `mev_ok`.  With r = 1/t the same serves at 0. *)
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
Lemma ln_1p u : -1 < u -> u / (1 + u) <= ln (1 + u) <= u.
Proof.
intros H. split.
- assert (K := ln_tangent 1 (1 + u) ltac:(lra) ltac:(lra)). rewrite ln_1 in K.
  replace ((1 - (1 + u)) / (1 + u)) with (- (u / (1 + u))) in K by (field; lra). lra.
- assert (K := ln_tangent (1 + u) 1 ltac:(lra) ltac:(lra)). rewrite ln_1 in K. lra.
Qed.

(* ---- monomials t^a (ln t)^b (ln ln t)^c ---- *)
Definition mono : Set := (Q * Q * Q)%type.
Definition val (m : mono) (t : R) : R :=
  let '(a, b, c) := m in exp (Q2R a * ln t + Q2R b * ln (ln t) + Q2R c * ln (ln (ln t))).
Definition plus_m (m n : mono) : mono :=
  let '(a, b, c) := m in let '(x, y, z) := n in (Qred (a + x), Qred (b + y), Qred (c + z)).
Definition scale_m (p : Q) (m : mono) : mono := let '(a, b, c) := m in (Qred (p * a), Qred (p * b), Qred (p * c)).
Arguments Qred : simpl never.
Arguments Q2R : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Qminus : simpl never.
Definition one_m : mono := (0, 0, 0)%Q.
Definition eq_m (m n : mono) : bool :=
  let '(a, b, c) := m in let '(x, y, z) := n in Qeq_bool a x && Qeq_bool b y && Qeq_bool c z.

Lemma Qred_R q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma val_pos m t : 0 < val m t. Proof. destruct m as [[a b] c]. apply exp_pos. Qed.
Lemma val_plus m n t : val (plus_m m n) t = val m t * val n t.
Proof. destruct m as [[a b] c], n as [[x y] z]. simpl. rewrite !Qred_R, !Q2R_plus, <- exp_plus. f_equal. ring. Qed.
Lemma val_scale p m t : val (scale_m p m) t = exp (Q2R p * ln (val m t)).
Proof. destruct m as [[a b] c]. simpl. rewrite !Qred_R, !Q2R_mult, ln_exp. f_equal. ring. Qed.
Lemma Q2R_0 : Q2R 0 = 0. Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1. Proof. unfold Q2R. simpl. lra. Qed.
Lemma val_one t : val one_m t = 1.
Proof. simpl. rewrite !Q2R_0. replace (_ + _ + _) with 0 by ring. apply exp_0. Qed.
Lemma eq_m_ok m n t : eq_m m n = true -> val m t = val n t.
Proof. destruct m as [[a b] c], n as [[x y] z]. simpl. intros H.
apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B].
apply Qeq_bool_eq in A, B, C. now rewrite (Qeq_eqR _ _ A), (Qeq_eqR _ _ B), (Qeq_eqR _ _ C). Qed.

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

Inductive model := Unknown | Zero | Term (m : mono) (c l : I.type).

Section Far.
Variables (T : R) (i0 i1 i2 : I.type).
Hypothesis (H0 : inside i0 (ln T)) (H1 : inside i1 (ln (ln T))) (H2 : inside i2 (ln (ln (ln T)))).
Hypothesis (large : 0 < ln (ln (ln T))).
Let X0 := ln T. Let X1 := ln X0. Let X2 := ln X1.

Lemma far : 1 < X1 /\ 1 < X0 /\ 1 < T.
Proof. assert (1 < X1) by now apply gt1. assert (1 < X0) by (apply gt1; fold X1; lra).
assert (1 < T) by (apply gt1; fold X0; lra). auto. Qed.

Lemma logs t : T <= t -> X0 <= ln t /\ X1 <= ln (ln t) /\ X2 <= ln (ln (ln t)).
Proof. intros H. destruct far as [A [B C]].
assert (X0 <= ln t) by (apply ln_le_mono; lra).
assert (X1 <= ln (ln t)) by (apply ln_le_mono; lra).
assert (X2 <= ln (ln (ln t))) by (apply ln_le_mono; lra). auto. Qed.

Definition positive_part (q : Q) : Q := if Qle_bool 0 q then q else 0%Q.
Lemma positive_part_ok q x X d : X <= x <= X + d -> 0 <= d -> Q2R q * x <= Q2R q * X + Q2R (positive_part q) * d.
Proof. intros H P. unfold positive_part. destruct (Qle_bool 0 q) eqn:E.
- apply Qle_bool_iff, Qle_Rle in E. rewrite Q2R_0 in E. replace (Q2R q * X + Q2R q * d) with (Q2R q * (X + d)) by ring.
  apply Rmult_le_compat_l; lra.
- rewrite Q2R_0. assert (Q2R q <= 0).
  { rewrite <- Q2R_0. apply Qle_Rle. apply Qnot_lt_le. intros K. apply Qlt_le_weak, Qle_bool_iff in K. congruence. }
  assert (0 <= - Q2R q * (x - X)) by (apply Rmult_le_pos; lra). lra. Qed.

(* The values of a monomial that decreases to 0, or nothing where this is not shown. *)
Definition small (m : mono) : option I.type :=
  let '(a, b, c) := m in
  let slope := if Qeq_bool a 0 then if Qeq_bool b 0 then ofQ c else I.add prec (ofQ b) (I.div prec (ofQ (positive_part c)) i1)
    else I.add prec (I.add prec (ofQ a) (I.div prec (ofQ (positive_part b)) i0)) (I.div prec (ofQ (positive_part c)) (I.mul prec i0 i1)) in
  if lt0 slope then Some (I.join I.zero (I.exp prec (I.add prec (I.add prec (I.mul prec (ofQ a) i0) (I.mul prec (ofQ b) i1)) (I.mul prec (ofQ c) i2))))
  else None.

Lemma div_in i j x y : y <> 0 -> inside i x -> inside j y -> inside (I.div prec i j) (x / y).
Proof. intros N Hx Hy. generalize (I.div_correct prec i j (Xreal x) (Xreal y) Hx Hy). simpl. unfold Xdiv'. case is_zero_spec; easy. Qed.

Lemma small_ok m s : small m = Some s -> (forall t, T <= t -> inside s (val m t)) /\ is_lim (val m) p_infty 0.
Proof.
destruct m as [[a b] c]. unfold small. destruct lt0 eqn:L; [ | discriminate ]. intros E; injection E as <-.
destruct far as [F1 [F0 F]].
set (K := Q2R a * X0 + Q2R b * X1 + Q2R c * X2).
assert (HK : inside (I.exp prec (I.add prec (I.add prec (I.mul prec (ofQ a) i0) (I.mul prec (ofQ b) i1)) (I.mul prec (ofQ c) i2))) (exp K)).
{ apply exp_in. repeat apply add_in; apply mul_in; auto using ofQ_in. }
assert (Main : exists s h X, s < 0 /\ (forall t, T <= t -> X <= h t /\ Q2R a * ln t + Q2R b * ln (ln t) + Q2R c * ln (ln (ln t)) <= K + s * (h t - X))
  /\ forall M, exists N, forall t, N < t -> M < h t).
{ destruct (Qeq_bool a 0) eqn:Ea; [ destruct (Qeq_bool b 0) eqn:Eb | ].
  - apply Qeq_bool_eq, Qeq_eqR in Ea, Eb. rewrite Q2R_0 in *.
    exists (Q2R c), (fun t => ln (ln (ln t))), X2. split; [ | split ].
    + apply (lt0_ok _ _ L). apply ofQ_in.
    + intros t Ht. destruct (logs t Ht) as [A [B C]]. unfold K. rewrite Ea, Eb. split; [ exact C | ring_simplify; lra ].
    + apply unbounded_ln, unbounded_ln, ln_unbounded.
  - apply Qeq_bool_eq, Qeq_eqR in Ea. rewrite Q2R_0 in *.
    exists (Q2R b + Q2R (positive_part c) / X1), (fun t => ln (ln t)), X1. split; [ | split ].
    + apply (lt0_ok _ _ L). apply add_in; [ apply ofQ_in | ]. apply div_in; [ lra | apply ofQ_in | exact H1 ].
    + intros t Ht. destruct (logs t Ht) as [A [B C]]. split; [ exact B | ].
      assert (G := ln_tangent (ln (ln t)) X1 ltac:(lra) ltac:(lra)).
      assert (P : 0 <= (ln (ln t) - X1) / X1) by (apply Rmult_le_pos; [ lra | left; apply Rinv_0_lt_compat; lra ]).
      generalize (positive_part_ok c (ln (ln (ln t))) X2 ((ln (ln t) - X1) / X1) (conj C G) P). unfold K. rewrite Ea.
      intros Q. apply Rle_trans with (0 * ln t + Q2R b * ln (ln t) + (Q2R c * X2 + Q2R (positive_part c) * ((ln (ln t) - X1) / X1))); [ lra | ].
      right. field. lra.
    + apply unbounded_ln, ln_unbounded.
  - exists (Q2R a + Q2R (positive_part b) / X0 + Q2R (positive_part c) / (X0 * X1)), ln, X0. split; [ | split ].
    + apply (lt0_ok _ _ L). repeat apply add_in; try apply ofQ_in; apply div_in; try apply ofQ_in; try lra; auto.
      * apply Rmult_integral_contrapositive; lra.
      * apply mul_in; auto.
    + intros t Ht. destruct (logs t Ht) as [A [B C]]. split; [ exact A | ].
      assert (G0 := ln_tangent (ln t) X0 ltac:(lra) ltac:(lra)). fold X1 in G0.
      assert (G1 := ln_tangent (ln (ln t)) X1 ltac:(lra) ltac:(lra)). fold X2 in G1.
      assert (P0 : 0 <= (ln t - X0) / X0) by (apply Rmult_le_pos; [ lra | left; apply Rinv_0_lt_compat; lra ]).
      assert (P1 : 0 <= (ln t - X0) / X0 / X1) by (apply Rmult_le_pos; [ exact P0 | left; apply Rinv_0_lt_compat; lra ]).
      assert (G2 : ln (ln (ln t)) <= X2 + (ln t - X0) / X0 / X1).
      { apply Rle_trans with (1 := G1). apply Rplus_le_compat_l. apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | lra ]. }
      generalize (positive_part_ok b _ _ _ (conj B G0) P0). generalize (positive_part_ok c _ _ _ (conj C G2) P1). intros Q1 Q2.
      apply Rle_trans with (Q2R a * ln t + (Q2R b * X1 + Q2R (positive_part b) * ((ln t - X0) / X0)) + (Q2R c * X2 + Q2R (positive_part c) * ((ln t - X0) / X0 / X1))); [ lra | ].
      right. unfold K. field. lra.
    + apply ln_unbounded. }
destruct Main as [s [h [X [S [B U]]]]]. split.
- intros t Ht. destruct (B t Ht) as [B0 B1]. simpl.
  apply join_in with 0 (exp K); [ apply zero_in | exact HK | ]. split; [ left; apply exp_pos | ].
  assert (s * (h t - X) <= 0) by (apply Rmult_le_0_r; lra).
  destruct (Rle_lt_or_eq_dec _ _ (Rle_trans _ _ (K + 0) B1 ltac:(lra))) as [J|J]; [ left; apply exp_increasing; lra | right; f_equal; lra ].
- apply (limit_zero _ h T K s X); [ exact S | | exact U ]. intros t Ht. destruct (B t Ht) as [_ B1]. simpl. split; [ left; apply exp_pos | ].
  destruct B1 as [J|J]; [ left; now apply exp_increasing | right; now rewrite J ].
Qed.

(* f is Zero, or c(t) m(t) with c(t) in an interval from T on, and with a limit in another. *)
Definition is_model (f : R -> R) (M : model) : Prop :=
  match M with
  | Unknown => True
  | Zero => forall t, T <= t -> f t = 0
  | Term m C L => exists c l, (forall t, T <= t -> f t = c t * val m t /\ inside C (c t)) /\ inside L l /\ is_lim c p_infty l
  end.

Lemma model_ext f g M : (forall t, T <= t -> f t = g t) -> is_model f M -> is_model g M.
Proof. intros E. destruct M; simpl; auto.
- intros H t Ht. rewrite <- E; auto.
- intros [u [l' [H K]]]. exists u, l'. split; auto. intros t Ht. rewrite <- E; auto. Qed.

Definition constant i := Term one_m i i.
Lemma constant_ok i x : inside i x -> is_model (fun _ => x) (constant i).
Proof. intros H. exists (fun _ => x), x. split; [ | split; [ exact H | apply is_lim_const ] ].
intros t _. rewrite val_one. split; [ ring | exact H ]. Qed.

Definition normal (M : model) : model :=
  match M with Term m c l => match I.sign_large c with Xeq => Zero | _ => M end | _ => M end.
Lemma normal_ok f M : is_model f M -> is_model f (normal M).
Proof. destruct M as [| |m C L]; simpl; auto. generalize (I.sign_large_correct C). destruct I.sign_large; auto.
intros H [c [l [E _]]] t Ht. destruct (E t Ht) as [-> K]. specialize (H _ K). injection H as ->. ring. Qed.

Definition madd (M N : model) : model :=
  match M, N with
  | Unknown, _ | _, Unknown => Unknown
  | Zero, _ => N
  | _, Zero => M
  | Term m c l, Term n d k =>
    if eq_m m n then normal (Term m (I.add prec c d) (I.add prec l k))
    else match small (plus_m n (scale_m (-1) m)) with
    | Some s => Term m (I.add prec c (I.mul prec d s)) l
    | None => match small (plus_m m (scale_m (-1) n)) with
      | Some s => Term n (I.add prec (I.mul prec c s) d) k
      | None => Unknown end end
  end.

Lemma is_lim_mul f g l k : is_lim f p_infty (Finite l) -> is_lim g p_infty (Finite k) -> is_lim (fun t => f t * g t) p_infty (Finite (l * k)).
Proof. intros A B. apply (is_lim_mult f g p_infty l k A B). easy. Qed.

Lemma ratio_m m n t : val n t = val m t * val (plus_m n (scale_m (-1) m)) t.
Proof. rewrite val_plus, val_scale. replace (Q2R (-1)) with (-1) by (unfold Q2R; simpl; lra).
replace (-1 * ln (val m t)) with (- ln (val m t)) by ring. rewrite exp_Ropp, exp_ln by apply val_pos. field.
apply Rgt_not_eq, val_pos. Qed.

Lemma madd_ok f g M N : is_model f M -> is_model g N -> is_model (fun t => f t + g t) (madd M N).
Proof.
destruct M as [| |m C L]; [ easy | | ]; destruct N as [| |n E K]; try easy; cbn [madd].
- simpl. intros A B t Ht. rewrite A, B by auto. ring.
- intros A B. apply model_ext with g; [ | exact B ]. intros t Ht. rewrite (A t Ht). ring.
- intros A B. apply model_ext with f; [ | exact A ]. intros t Ht. rewrite (B t Ht). ring.
- intros [c [l [A [Al Ac]]]] [d [k [B [Bl Bc]]]]. destruct (eq_m m n) eqn:Emn; [ | destruct small as [s|] eqn:S1 ].
  + apply normal_ok. exists (fun t => c t + d t), (l + k). split; [ | split; [ now apply add_in | now apply is_lim_plus' ] ].
    intros t Ht. destruct (A t Ht) as [-> Ct], (B t Ht) as [-> Dt]. rewrite <- (eq_m_ok _ _ t Emn).
    split; [ ring | now apply add_in ].
  + destruct (small_ok _ _ S1) as [In Lim].
    exists (fun t => c t + d t * val (plus_m n (scale_m (-1) m)) t), l. split; [ | split; [ exact Al | ] ].
    * intros t Ht. destruct (A t Ht) as [-> Ct], (B t Ht) as [-> Dt]. rewrite (ratio_m m n t). split; [ ring | ].
      apply add_in; [ | apply mul_in ]; auto.
    * replace l with (l + k * 0) by ring. apply is_lim_plus'; [ exact Ac | now apply is_lim_mul ].
  + clear S1. destruct small as [s|] eqn:S1; [ | easy ]. destruct (small_ok _ _ S1) as [In Lim].
    exists (fun t => c t * val (plus_m m (scale_m (-1) n)) t + d t), k. split; [ | split; [ exact Bl | ] ].
    * intros t Ht. destruct (A t Ht) as [-> Ct], (B t Ht) as [-> Dt]. rewrite (ratio_m n m t). split; [ ring | ].
      apply add_in; [ apply mul_in | ]; auto.
    * replace k with (l * 0 + k) by ring. apply is_lim_plus'; [ now apply is_lim_mul | exact Bc ].
Qed.

Definition mmul (M N : model) : model :=
  match M, N with
  | Unknown, _ | _, Unknown => Unknown
  | Zero, _ | _, Zero => Zero
  | Term m c l, Term n d k => Term (plus_m m n) (I.mul prec c d) (I.mul prec l k)
  end.
Lemma mmul_ok f g M N : is_model f M -> is_model g N -> is_model (fun t => f t * g t) (mmul M N).
Proof.
destruct M as [| |m C L]; [ easy | | ]; destruct N as [| |n E K]; try easy; cbn [mmul].
- simpl. intros A B t Ht. rewrite A by auto. ring.
- simpl. intros A B t Ht. rewrite A by auto. ring.
- simpl. intros A B t Ht. rewrite B by auto. ring.
- intros [c [l [A [Al Ac]]]] [d [k [B [Bl Bc]]]]. exists (fun t => c t * d t), (l * k).
  split; [ | split; [ now apply mul_in | now apply is_lim_mul ] ].
  intros t Ht. destruct (A t Ht) as [-> Ct], (B t Ht) as [-> Dt]. rewrite val_plus. split; [ ring | now apply mul_in ].
Qed.

Definition mopp (M : model) := match M with Term m c l => Term m (I.neg c) (I.neg l) | _ => M end.
Lemma mopp_ok f M : is_model f M -> is_model (fun t => - f t) (mopp M).
Proof. destruct M as [| |m C L]; [ easy | | ]; cbn [mopp].
- simpl. intros A t Ht. rewrite A by auto. ring.
- intros [c [l [A [Al Ac]]]]. exists (fun t => - c t), (- l). split; [ | split; [ now apply neg_in | now apply (is_lim_opp c p_infty l) ] ].
  intros t Ht. destruct (A t Ht) as [-> Ct]. split; [ ring | now apply neg_in ]. Qed.

Definition nonzero i := orb (gt0 i) (lt0 i).
Lemma nonzero_ok i x : nonzero i = true -> inside i x -> x <> 0.
Proof. intros H K. apply Bool.orb_prop in H. destruct H as [H|H]; [ generalize (gt0_ok _ _ H K) | generalize (lt0_ok _ _ H K) ]; lra. Qed.
Definition minv (M : model) := match M with
  | Term m c l => if andb (nonzero c) (nonzero l) then Term (scale_m (-1) m) (I.inv prec c) (I.inv prec l) else Unknown
  | _ => Unknown end.
Lemma val_opp m t : val (scale_m (-1) m) t = / val m t.
Proof. rewrite val_scale. replace (Q2R (-1)) with (-1) by (unfold Q2R; simpl; lra).
replace (-1 * ln (val m t)) with (- ln (val m t)) by ring. now rewrite exp_Ropp, exp_ln by apply val_pos. Qed.
Lemma minv_ok f M : is_model f M -> is_model (fun t => / f t) (minv M) /\ (minv M <> Unknown -> forall t, T <= t -> f t <> 0).
Proof. destruct M as [| |m C L]; [ easy | easy | ]; cbn [minv]. destruct (andb _ _) eqn:E; [ | easy ].
apply andb_prop in E. destruct E as [EC EL].
intros [c [l [A [Al Ac]]]]. split.
- exists (fun t => / c t), (/ l).
  assert (l <> 0) by now apply (nonzero_ok L). split; [ | split; [ now apply inv_in | apply (is_lim_inv c p_infty l Ac); congruence ] ].
  intros t Ht. destruct (A t Ht) as [-> Ct]. assert (c t <> 0) by now apply (nonzero_ok C).
  split; [ | now apply inv_in ]. rewrite val_opp. field. split; [ apply Rgt_not_eq, val_pos | assumption ].
- intros _ t Ht. destruct (A t Ht) as [-> Ct]. assert (c t <> 0) by now apply (nonzero_ok C).
  apply Rmult_integral_contrapositive. split; [ assumption | apply Rgt_not_eq, val_pos ]. Qed.

Fixpoint mnat (M : model) (n : nat) : model := match n with 0%nat => mmul (constant one) (match M with Unknown => Unknown | _ => constant one end) | 1%nat => M | S n => mmul M (mnat M n) end.
Lemma mnat_ok f M n : is_model f M -> is_model (fun t => f t ^ n) (mnat M n).
Proof. intros H. induction n as [|[|n] IH].
- cbn [mnat]. destruct M; [ easy | | ]; (apply model_ext with (fun _ => 1 * 1); [ intros; simpl; ring | ]; apply (mmul_ok (fun _ => 1) (fun _ => 1)); apply constant_ok, one_in).
- cbn [mnat]. apply model_ext with f; [ intros; simpl; ring | exact H ].
- change (is_model (fun t => f t ^ S (S n)) (mmul M (mnat M (S n)))). now apply (mmul_ok f (fun t => f t ^ S n)). Qed.
Lemma mnat_known M n : mnat M n <> Unknown -> M <> Unknown.
Proof. intros H E. apply H. subst. destruct n as [|[|n]]; reflexivity. Qed.

Definition is_pos (M : model) := match M with Term _ c l => andb (gt0 c) (gt0 l) | _ => false end.
Definition mpow (M : model) (n : Z) (d : positive) := match M with
  | Term m c l => if is_pos M then Term (scale_m (n # d) m) (I.exp prec (I.mul prec (point n d) (I.ln prec c))) (I.exp prec (I.mul prec (point n d) (I.ln prec l))) else Unknown
  | _ => Unknown end.
Definition msqrt (M : model) := match M with
  | Term m c l => if is_pos M then Term (scale_m (1 # 2) m) (I.sqrt prec c) (I.sqrt prec l) else Unknown
  | _ => Unknown end.
Lemma is_pos_ok f M : is_pos M = true -> is_model f M -> forall t, T <= t -> 0 < f t.
Proof. destruct M as [| |m C L]; try discriminate. simpl. intros E [c [l [A _]]] t Ht. apply andb_prop in E. destruct E as [EC _].
destruct (A t Ht) as [-> Ct]. apply Rmult_lt_0_compat; [ now apply (gt0_ok C) | apply val_pos ]. Qed.
Lemma is_lim_smooth f c l : is_lim c p_infty (Finite l) -> continuous f l -> is_lim (fun t => f (c t)) p_infty (Finite (f l)).
Proof. intros H K. now apply is_lim_comp_continuous. Qed.
Lemma ex_continuous (f : R -> R) x : ex_derive f x -> continuous f x.
Proof. apply @ex_derive_continuous. Qed.
Lemma mpow_ok f M n d : is_model f M -> is_model (fun t => power (f t) (IZR n / IZR (Zpos d))) (mpow M n d).
Proof. destruct M as [| |m C L]; [ easy | easy | ]; unfold mpow. destruct is_pos eqn:P; [ | easy ]. intros H.
assert (Pf := is_pos_ok f _ P H). destruct H as [c [l [A [Al Ac]]]]. simpl in P. apply andb_prop in P. destruct P as [PC PL].
set (p := IZR n / IZR (Zpos d)). assert (0 < l) by now apply (gt0_ok L).
exists (fun t => exp (p * ln (c t))), (exp (p * ln l)). split; [ | split ].
- intros t Ht. specialize (Pf t Ht). destruct (A t Ht) as [E Ct]. assert (0 < c t) by now apply (gt0_ok C). split.
  + rewrite power_pos by exact Pf. rewrite val_scale. replace (Q2R (n # d)) with p by reflexivity.
    rewrite <- exp_plus, E, ln_mult by (trivial; apply val_pos). f_equal. ring.
  + apply exp_in, mul_in; [ apply point_ok | now apply ln_in ].
- apply exp_in, mul_in; [ apply point_ok | now apply ln_in ].
- apply (is_lim_smooth (fun x => exp (p * ln x))); [ exact Ac | ]. apply ex_continuous. auto_derive. exact H.
Qed.
Lemma msqrt_ok f M : is_model f M -> is_model (fun t => sqrt (f t)) (msqrt M).
Proof. destruct M as [| |m C L]; [ easy | easy | ]; unfold msqrt. destruct is_pos eqn:P; [ | easy ]. intros H.
assert (Pf := is_pos_ok f _ P H). destruct H as [c [l [A [Al Ac]]]]. simpl in P. apply andb_prop in P. destruct P as [PC PL].
assert (0 < l) by now apply (gt0_ok L).
exists (fun t => sqrt (c t)), (sqrt l). split; [ | split ].
- intros t Ht. specialize (Pf t Ht). destruct (A t Ht) as [E Ct]. assert (0 < c t) by now apply (gt0_ok C). split; [ | now apply sqrt_in ].
  rewrite E, sqrt_mult by (left; trivial; apply val_pos). f_equal. rewrite val_scale.
  rewrite <- Rpower_sqrt by apply val_pos. unfold Rpower. do 2 f_equal. unfold Q2R. simpl. lra.
- now apply sqrt_in.
- apply (is_lim_smooth sqrt); [ exact Ac | ]. apply ex_continuous. auto_derive. exact H.
Qed.

Definition ln_t := Term (0, 1, 0)%Q one one.
Definition ln_ln_t := Term (0, 0, 1)%Q one one.
Lemma ln_t_ok : is_model ln ln_t.
Proof. exists (fun _ => 1), 1. split; [ | split; [ apply one_in | apply is_lim_const ] ]. intros t Ht. split; [ | apply one_in ].
destruct (logs t Ht) as [A _]. destruct far as [_ [B _]]. simpl. rewrite Q2R_0, Q2R_1. replace (_ + _ + _) with (ln (ln t)) by ring. rewrite exp_ln; lra. Qed.
Lemma ln_ln_t_ok : is_model (fun t => ln (ln t)) ln_ln_t.
Proof. exists (fun _ => 1), 1. split; [ | split; [ apply one_in | apply is_lim_const ] ]. intros t Ht. split; [ | apply one_in ].
destruct (logs t Ht) as [_ [A _]]. destruct far as [B _]. simpl. rewrite Q2R_0, Q2R_1. replace (_ + _ + _) with (ln (ln (ln t))) by ring. rewrite exp_ln; lra. Qed.
Definition mscale (q : Q) (M : model) := if Qeq_bool q 0 then Zero else mmul (constant (ofQ q)) M.
Lemma mscale_ok q f M : is_model f M -> is_model (fun t => Q2R q * f t) (mscale q M).
Proof. unfold mscale. destruct (Qeq_bool q 0) eqn:E.
- apply Qeq_bool_eq, Qeq_eqR in E. intros _ t _. rewrite E, Q2R_0. ring.
- intros H. apply (mmul_ok (fun _ => Q2R q) f); [ apply constant_ok, ofQ_in | exact H ]. Qed.

Definition mln (M : model) := match M with
  | Term (a, b, e) c l => if andb (is_pos M) (Qeq_bool e 0) then
      madd (madd (mscale a ln_t) (mscale b ln_ln_t)) (normal (Term one_m (I.ln prec c) (I.ln prec l))) else Unknown
  | _ => Unknown end.
Lemma mln_ok f M : is_model f M -> is_model (fun t => ln (f t)) (mln M).
Proof. destruct M as [| |[[a b] e] C L]; [ easy | easy | ]; unfold mln. destruct (andb _ _) eqn:P; [ | easy ].
apply andb_prop in P. destruct P as [P Z]. intros H.
destruct H as [c [l [A [Al Ac]]]]. simpl in P. apply andb_prop in P. destruct P as [PC PL].
assert (0 < l) by now apply (gt0_ok L).
apply model_ext with (fun t => Q2R a * ln t + Q2R b * ln (ln t) + ln (c t)).
- intros t Ht. destruct (A t Ht) as [E Ct]. assert (0 < c t) by now apply (gt0_ok C).
  rewrite E, ln_mult by (trivial; apply val_pos). simpl. rewrite ln_exp. apply Qeq_bool_eq, Qeq_eqR in Z. rewrite Z, Q2R_0. ring.
- apply (madd_ok (fun t => Q2R a * ln t + Q2R b * ln (ln t)) (fun t => ln (c t))).
  + apply (madd_ok (fun t => Q2R a * ln t) (fun t => Q2R b * ln (ln t))); apply mscale_ok; [ apply ln_t_ok | apply ln_ln_t_ok ].
  + apply normal_ok. exists (fun t => ln (c t)), (ln l). split; [ | split; [ now apply ln_in | ] ].
    * intros t Ht. rewrite val_one. destruct (A t Ht) as [E Ct]. split; [ ring | apply ln_in; [ now apply (gt0_ok C) | exact Ct ] ].
    * apply (is_lim_smooth ln); [ exact Ac | ]. apply ex_continuous. auto_derive. exact H.
Qed.

(* ln (1 + u) for a vanishing u is u times something near 1. *)
Definition kappa (u : R) : R := if Req_EM_T u 0 then 1 else ln (1 + u) / u.
Lemma kappa_ok u : -1 < u -> ln (1 + u) = u * kappa u /\ (Rmin 1 (/ (1 + u)) <= kappa u <= Rmax 1 (/ (1 + u))).
Proof.
intros H. unfold kappa. destruct Req_EM_T as [->|N].
- rewrite Rplus_0_r, ln_1. split; [ ring | ]. rewrite Rinv_1. unfold Rmin, Rmax. destruct Rle_dec; lra.
- split; [ field; exact N | ]. destruct (ln_1p u H) as [A B].
  destruct (Rlt_or_le 0 u) as [P|P].
  + split.
    * apply Rle_trans with (1 := Rmin_r _ _). apply Rmult_le_reg_r with u; [ exact P | ].
      replace (ln (1 + u) / u * u) with (ln (1 + u)) by (field; lra). replace (/ (1 + u) * u) with (u / (1 + u)) by (field; lra). exact A.
    * apply Rle_trans with (2 := Rmax_l _ _). apply Rmult_le_reg_r with u; [ exact P | ].
      replace (ln (1 + u) / u * u) with (ln (1 + u)) by (field; lra). lra.
  + assert (Q : 0 < - u) by lra. split.
    * apply Rle_trans with (1 := Rmin_l _ _). apply Rmult_le_reg_r with (- u); [ exact Q | ].
      replace (ln (1 + u) / u * - u) with (- ln (1 + u)) by (field; lra). lra.
    * apply Rle_trans with (2 := Rmax_r _ _). apply Rmult_le_reg_r with (- u); [ exact Q | ].
      replace (ln (1 + u) / u * - u) with (- ln (1 + u)) by (field; lra). replace (/ (1 + u) * - u) with (- (u / (1 + u))) by (field; lra). lra.
Qed.
Lemma lim_eq (f : R -> R) (l k : R) : is_lim f p_infty l -> l = k -> is_lim f p_infty k.
Proof. now intros H <-. Qed.
Lemma kappa_limit (u : R -> R) : is_lim u p_infty 0 -> is_lim (fun t => kappa (u t)) p_infty 1.
Proof.
intros H. apply is_lim_le_le_loc with (fun t => Rmin 1 (/ (1 + u t))) (fun t => Rmax 1 (/ (1 + u t))).
- apply is_lim_spec in H. destruct (H (mkposreal 1 Rlt_0_1)) as [M HM]. exists M. intros t Ht. specialize (HM t Ht). simpl in HM.
  rewrite Rminus_0_r in HM. apply Rabs_def2 in HM. apply kappa_ok. lra.
- apply is_lim_ext with (fun t => (1 + / (1 + u t) - Rabs (1 - / (1 + u t))) / 2).
  { intros t. unfold Rmin, Rabs. destruct Rle_dec, Rcase_abs; lra. }
  apply lim_eq with ((1 + / (1 + 0) - Rabs (1 - / (1 + 0))) / 2).
  2: { replace (/ (1 + 0)) with 1 by field. replace (1 - 1) with 0 by ring. rewrite Rabs_R0. field. }
  apply (is_lim_smooth (fun x => (1 + / (1 + x) - Rabs (1 - / (1 + x))) / 2)); [ exact H | ].
  apply continuity_pt_filterlim. reg; unfold plus_fct, fct_cte, id; lra.
- apply is_lim_ext with (fun t => (1 + / (1 + u t) + Rabs (1 - / (1 + u t))) / 2).
  { intros t. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra. }
  apply lim_eq with ((1 + / (1 + 0) + Rabs (1 - / (1 + 0))) / 2).
  2: { replace (/ (1 + 0)) with 1 by field. replace (1 - 1) with 0 by ring. rewrite Rabs_R0. field. }
  apply (is_lim_smooth (fun x => (1 + / (1 + x) + Rabs (1 - / (1 + x))) / 2)); [ exact H | ].
  apply continuity_pt_filterlim. reg; unfold plus_fct, fct_cte, id; lra.
Qed.

Definition mln1p (M : model) := match M with
  | Unknown => Unknown
  | Zero => Zero
  | Term m c l => match small m with
    | Some s => let w := I.add prec one (I.mul prec c s) in
      if gt0 w then Term m (I.mul prec c (I.join one (I.inv prec w))) l else Unknown
    | None => mln (madd (constant one) M) end end.
Lemma mln1p_ok f M : is_model f M -> is_model (fun t => ln (1 + f t)) (mln1p M).
Proof. destruct M as [| |m C L]; [ easy | | ]; unfold mln1p.
- intros H t Ht. rewrite (H t Ht), Rplus_0_r. apply ln_1.
- intros H. destruct (small m) as [i|] eqn:S.
  + destruct gt0 eqn:G; [ | easy ]. destruct H as [c [l [A [Al Ac]]]]. destruct (small_ok _ _ S) as [In Lim].
    assert (P : forall t, T <= t -> inside (I.add prec one (I.mul prec C i)) (1 + c t * val m t)).
    { intros t Ht. apply add_in; [ apply one_in | apply mul_in; [ now apply A | auto ] ]. }
    exists (fun t => c t * kappa (c t * val m t)), l. split; [ | split; [ exact Al | ] ].
    * intros t Ht. destruct (A t Ht) as [-> Ct]. assert (0 < 1 + c t * val m t) by (apply (gt0_ok _ _ G); auto).
      destruct (kappa_ok (c t * val m t)) as [E K]; [ lra | ]. split; [ rewrite E; ring | ].
      apply mul_in; [ exact Ct | ].
      assert (J : inside (I.inv prec (I.add prec one (I.mul prec C i))) (/ (1 + c t * val m t))) by (apply inv_in; [ lra | auto ]).
      assert (J1 : inside (I.join one (I.inv prec (I.add prec one (I.mul prec C i)))) 1) by (apply I.join_correct; left; apply one_in).
      assert (J2 : inside (I.join one (I.inv prec (I.add prec one (I.mul prec C i)))) (/ (1 + c t * val m t))) by (apply I.join_correct; right; exact J).
      revert K. unfold Rmin, Rmax. destruct Rle_dec; intros K;
      [ apply (contains_connected (I.convert (I.join one (I.inv prec (I.add prec one (I.mul prec C i))))) 1 (/ (1 + c t * val m t)))
      | apply (contains_connected (I.convert (I.join one (I.inv prec (I.add prec one (I.mul prec C i))))) (/ (1 + c t * val m t)) 1) ]; auto.
    * replace l with (l * 1) by ring. apply is_lim_mul; [ exact Ac | ]. apply kappa_limit. replace 0 with (l * 0) by ring. now apply is_lim_mul.
  + apply (mln_ok (fun t => 1 + f t)). apply (madd_ok (fun _ => 1) f); [ apply constant_ok, one_in | exact H ].
Qed.

(* e^u: a constant's, a vanishing u's, or below a power of t where u falls faster than a logarithm. *)
Definition decay (M : model) (n : positive) : bool :=
  match madd M (mscale (Zpos n # 1) ln_t) with Term _ c _ => le0 c | _ => false end.
Fixpoint mdecay (M : model) (ns : list positive) : model := match ns with
  | nil => Unknown
  | n :: ns => if decay M n then Term (1 - (Zpos n # 1), 0, 0)%Q zero_one I.zero else mdecay M ns end.
Definition mexp (M : model) := match M with
  | Unknown => Unknown
  | Zero => constant one
  | Term m c l => if eq_m m one_m then Term one_m (I.exp prec c) (I.exp prec l)
    else match small m with
    | Some s => Term one_m (I.exp prec (I.mul prec c s)) one
    | None => mdecay M [16; 8; 4; 3; 2]%positive end end.
Lemma mdecay_ok f M ns : is_model f M -> is_model (fun t => exp (f t)) (mdecay M ns).
Proof. intros H. induction ns as [|n ns IH]; [ easy | ]. cbn [mdecay]. destruct (decay M n) eqn:E; [ | exact IH ].
assert (B : forall t, T <= t -> f t <= - (IZR (Zpos n) * ln t)).
{ unfold decay in E. generalize (madd_ok f _ _ _ H (mscale_ok (Zpos n # 1) _ _ ln_t_ok)).
  destruct madd as [| |m C L]; try discriminate. intros [c [l [A _]]] t Ht. destruct (A t Ht) as [K Ct].
  assert (c t <= 0) by now apply (le0_ok C). assert (0 <= - c t * val m t) by (apply Rmult_le_pos; [ lra | left; apply val_pos ]).
  replace (Q2R (Zpos n # 1)) with (IZR (Zpos n)) in K by (unfold Q2R; simpl; field). lra. }
destruct far as [_ [P _]].
assert (V : forall t, val (1 - (Zpos n # 1), 0, 0)%Q t = exp ((1 - IZR (Zpos n)) * ln t)).
{ intros t. unfold val. rewrite Q2R_minus, Q2R_1, Q2R_0. replace (Q2R (Zpos n # 1)) with (IZR (Zpos n)) by (unfold Q2R; simpl; field). f_equal. ring. }
assert (C : forall t, T <= t -> 0 <= exp (f t + (IZR (Zpos n) - 1) * ln t) <= exp (0 + -1 * (ln t - 0))).
{ intros t Ht. split; [ left; apply exp_pos | ]. specialize (B t Ht).
  assert (f t + (IZR (Z.pos n) - 1) * ln t <= 0 + -1 * (ln t - 0)) by lra.
  destruct H3 as [J|J]; [ left; now apply exp_increasing | right; now rewrite J ]. }
exists (fun t => exp (f t + (IZR (Zpos n) - 1) * ln t)), 0. split; [ | split; [ apply zero_in | ] ].
- intros t Ht. rewrite V. split.
  + rewrite <- exp_plus. f_equal. ring.
  + apply zero_one_in. destruct (C t Ht) as [C0 C1]. split; [ exact C0 | ]. apply Rle_trans with (1 := C1). rewrite <- exp_0.
    left. apply exp_increasing. destruct (logs t Ht) as [J _]. lra.
- apply (limit_zero _ ln T 0 (-1) 0); [ lra | exact C | apply ln_unbounded ].
Qed.
Lemma mexp_ok f M : is_model f M -> is_model (fun t => exp (f t)) (mexp M).
Proof. intros H. destruct M as [| |m C L]; [ easy | | ]; cbn [mexp].
- apply model_ext with (fun _ => 1); [ intros t Ht; now rewrite (H t Ht), exp_0 | apply constant_ok, one_in ].
- destruct (eq_m m one_m) eqn:E; [ | destruct (small m) as [s|] eqn:S; [ | now apply mdecay_ok ] ].
  + destruct H as [c [l [A [Al Ac]]]]. exists (fun t => exp (c t)), (exp l). split; [ | split; [ now apply exp_in | ] ].
    * intros t Ht. destruct (A t Ht) as [-> Ct]. rewrite (eq_m_ok _ _ t E), val_one. split; [ rewrite Rmult_1_r; ring | now apply exp_in ].
    * apply (is_lim_smooth exp); [ exact Ac | ]. apply ex_continuous. auto_derive. easy.
  + destruct H as [c [l [A [Al Ac]]]]. destruct (small_ok _ _ S) as [In Lim].
    exists (fun t => exp (c t * val m t)), 1. split; [ | split; [ apply one_in | ] ].
    * intros t Ht. destruct (A t Ht) as [-> Ct]. rewrite val_one. split; [ ring | ]. apply exp_in, mul_in; auto.
    * rewrite <- exp_0. apply (is_lim_smooth exp); [ | apply ex_continuous; auto_derive; easy ].
      replace 0 with (l * 0) by ring. now apply is_lim_mul.
Qed.

Fixpoint mev (V : model) (e : expr) : model :=
  match e with
  | Var => V
  | Int n => if Z.eqb n 0 then Zero else constant (I.fromZ prec n)
  | Rat n d => constant (point n d)
  | Pi => constant (I.pi prec)
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
  | Ln1p a => mln1p (mev V a)
  end.

Lemma madd_known M N : madd M N <> Unknown -> M <> Unknown /\ N <> Unknown.
Proof. destruct M, N; simpl; intuition discriminate. Qed.
Lemma mmul_known M N : mmul M N <> Unknown -> M <> Unknown /\ N <> Unknown.
Proof. destruct M, N; simpl; intuition discriminate. Qed.
Lemma mopp_known M : mopp M <> Unknown -> M <> Unknown.
Proof. destruct M; simpl; intuition discriminate. Qed.
Lemma minv_known M : minv M <> Unknown -> M <> Unknown.
Proof. destruct M; simpl; intuition discriminate. Qed.
Lemma mexp_known M : mexp M <> Unknown -> M <> Unknown.
Proof. destruct M; simpl; intuition discriminate. Qed.
Lemma mpow_known f M n d : is_model f M -> mpow M n d <> Unknown -> M <> Unknown /\ forall t, T <= t -> 0 < f t.
Proof. unfold mpow. destruct M as [| |m c l]; try easy. destruct is_pos eqn:P; [ | easy ].
intros H _. split; [ easy | now apply (is_pos_ok f (Term m c l)) ]. Qed.
Lemma msqrt_known f M : is_model f M -> msqrt M <> Unknown -> M <> Unknown /\ forall t, T <= t -> 0 < f t.
Proof. unfold msqrt. destruct M as [| |m c l]; try easy. destruct is_pos eqn:P; [ | easy ].
intros H _. split; [ easy | now apply (is_pos_ok f (Term m c l)) ]. Qed.
Lemma mln_known f M : is_model f M -> mln M <> Unknown -> M <> Unknown /\ forall t, T <= t -> 0 < f t.
Proof. unfold mln. destruct M as [| |[[a b] e] c l]; try easy. destruct (andb _ _) eqn:P; [ | easy ].
apply andb_prop in P. destruct P as [P _]. intros H _. split; [ easy | now apply (is_pos_ok f (Term (a, b, e) c l)) ]. Qed.
Lemma mln1p_known f M : is_model f M -> mln1p M <> Unknown -> M <> Unknown /\ forall t, T <= t -> 0 < 1 + f t.
Proof. unfold mln1p. destruct M as [| |m c l]; [ easy | | ].
- intros H _. split; [ easy | ]. intros t Ht. rewrite (H t Ht). lra.
- intros H. destruct (small m) as [s|] eqn:S.
  + destruct gt0 eqn:G; [ | easy ]. intros _. split; [ easy | ]. intros t Ht.
    destruct H as [u [v [A _]]]. destruct (A t Ht) as [-> Ct]. apply (gt0_ok _ _ G). apply add_in; [ apply one_in | ].
    apply mul_in; [ exact Ct | ]. now apply (small_ok m s S).
  + intros K. split; [ easy | ]. apply (mln_known (fun t => 1 + f t) (madd (constant one) (Term m c l))); [ | exact K ].
    apply (madd_ok (fun _ => 1) f); [ apply constant_ok, one_in | exact H ].
Qed.

Lemma mev_ok V v e : V <> Unknown -> is_model v V ->
  is_model (fun t => ev e (v t)) (mev V e) /\ (mev V e <> Unknown -> forall t, T <= t -> def e (v t)).
Proof.
intros K H. induction e; cbn [mev ev def].
- auto.
- split; [ | easy ]. destruct (Z.eqb_spec n 0) as [->|_]; [ easy | apply constant_ok, I.fromZ_correct ].
- split; [ | easy ]. apply constant_ok, point_ok.
- split; [ | easy ]. apply constant_ok, I.pi_correct.
- destruct IHe1 as [A1 B1], IHe2 as [A2 B2]. split; [ now apply (madd_ok (fun t => ev e1 (v t)) (fun t => ev e2 (v t))) | ].
  intros N t Ht. apply madd_known in N. split; [ now apply B1 | now apply B2 ].
- destruct IHe1 as [A1 B1], IHe2 as [A2 B2]. split; [ now apply (madd_ok (fun t => ev e1 (v t)) (fun t => - ev e2 (v t))); [ | apply mopp_ok ] | ].
  intros N t Ht. apply madd_known in N. destruct N as [N1 N2]. apply mopp_known in N2. split; [ now apply B1 | now apply B2 ].
- destruct IHe1 as [A1 B1], IHe2 as [A2 B2]. split; [ now apply (mmul_ok (fun t => ev e1 (v t)) (fun t => ev e2 (v t))) | ].
  intros N t Ht. apply mmul_known in N. split; [ now apply B1 | now apply B2 ].
- destruct IHe as [A B]. split; [ now apply (mopp_ok (fun t => ev e (v t))) | ]. intros N. apply B. now apply mopp_known.
- destruct IHe as [A B]. destruct (minv_ok (fun t => ev e (v t)) _ A) as [A' B']. split; [ exact A' | ].
  intros N t Ht. split; [ apply B; [ now apply minv_known | exact Ht ] | now apply B' ].
- destruct IHe as [A B]. split; [ now apply (mnat_ok (fun t => ev e (v t))) | ]. intros N. apply B. now apply mnat_known in N.
- destruct IHe as [A B]. split; [ now apply (mpow_ok (fun t => ev e (v t))) | ]. intros N t Ht.
  apply (mpow_known _ _ _ _ A) in N. destruct N as [N P]. split; [ now apply B | now apply P ].
- destruct IHe as [A B]. split; [ now apply (msqrt_ok (fun t => ev e (v t))) | ]. intros N t Ht.
  apply (msqrt_known _ _ A) in N. destruct N as [N P]. split; [ now apply B | now apply P ].
- destruct IHe as [A B]. split; [ now apply (mexp_ok (fun t => ev e (v t))) | ]. intros N. apply B. now apply mexp_known in N.
- destruct IHe as [A B].
  split; [ now apply (mln_ok (fun t => ev e (v t))) | ]. intros N t Ht.
  apply (mln_known _ _ A) in N. destruct N as [N P]. split; [ now apply B | now apply P ].
- destruct IHe as [A B]. split; [ now apply (mln1p_ok (fun t => ev e (v t))) | ]. intros N t Ht.
  apply (mln1p_known _ _ A) in N. destruct N as [N P]. split; [ now apply B | now apply P ].
Qed.
End Far.
