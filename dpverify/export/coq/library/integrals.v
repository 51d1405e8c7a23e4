(* ==== Integrals of expressions over [n/d, m/d], by Taylor's formula: the coefficients of e about a point (its jet) by
   recurrences between those of its parts, the last one on the whole interval, which is halved as often as needed. *)
(* ---- coefficients: the k-th derivative over k! ---- *)
Ltac real_field := match goal with |- @eq _ ?a ?b => change (@eq R a b); field end.
Fixpoint rdot (n : nat) (a b : nat -> R) : R := match n with O => 0 | S n => a O * b O + rdot n (fun k => a (S k)) (fun k => b (S k)) end.
Definition conv (a b : nat -> R) (n : nat) : R := rdot (S n) a (fun k => b (n - k)%nat).
Lemma rdot_ext n : forall a b c d, (forall k, (k < n)%nat -> a k = c k /\ b k = d k) -> rdot n a b = rdot n c d.
Proof.
induction n as [|n IH]; intros a b c d H; [ reflexivity | ]. cbn [rdot]. destruct (H O ltac:(lia)) as [-> ->]. f_equal.
apply IH. intros k K. apply H. lia.
Qed.
Lemma rdot_last n : forall a b, rdot (S n) a b = rdot n a b + a n * b n.
Proof. induction n as [|n IH]; intros a b; [ cbn [rdot]; ring | ]. change (rdot (S (S n)) a b) with (a O * b O + rdot (S n) (fun k => a (S k)) (fun k => b (S k))).
rewrite IH. cbn [rdot]. ring. Qed.
Lemma rdot_plus n : forall a b c d, rdot n a b + rdot n c d = rdot n (fun _ => 1) (fun k => a k * b k + c k * d k).
Proof. induction n as [|n IH]; intros a b c d; cbn [rdot]; [ ring | ]. rewrite <- (IH (fun k => a (S k)) (fun k => b (S k))). ring. Qed.
Lemma rdot_scale n c : forall a b, c * rdot n a b = rdot n (fun _ => 1) (fun k => c * (a k * b k)).
Proof. induction n as [|n IH]; intros a b; cbn [rdot]; [ ring | ]. rewrite <- (IH (fun k => a (S k)) (fun k => b (S k))). ring. Qed.
Lemma rdot_0 n : forall a b, (forall k, (k < n)%nat -> a k = 0) -> rdot n a b = 0.
Proof. induction n as [|n IH]; intros a b H; [ reflexivity | ]. cbn [rdot]. rewrite (H O), IH by (lia || (intros; apply H; lia)). ring. Qed.
Lemma rdot_derive n : forall (a b a' b' : nat -> R -> R) x, (forall k, (k < n)%nat -> is_derive (a k) x (a' k x) /\ is_derive (b k) x (b' k x)) ->
  is_derive (fun x => rdot n (fun k => a k x) (fun k => b k x)) x
    (rdot n (fun k => a' k x) (fun k => b k x) + rdot n (fun k => a k x) (fun k => b' k x)).
Proof.
induction n as [|n IH]; intros a b a' b' x H; cbn [rdot].
- rewrite Rplus_0_l. apply @is_derive_const.
- destruct (H O ltac:(lia)) as [A B]. eapply is_derive_eq.
  + apply (is_derive_plus (fun x => a O x * b O x) (fun x => rdot n (fun k => a (S k) x) (fun k => b (S k) x))).
    * apply (is_derive_mult (K := R_AbsRing) (a O) (b O) x _ _ A B). intros; apply Rmult_comm.
    * apply (IH (fun k => a (S k)) (fun k => b (S k)) (fun k => a' (S k)) (fun k => b' (S k)) x). intros k K. apply H. lia.
  + unfold plus, mult; simpl plus; cbn -[rdot]. unfold mult; cbn -[rdot]. real_ring.
Qed.
Definition shifted (a : nat -> R) (k : nat) : R := INR (S k) * a (S k).
Lemma conv_shifted a b n : conv (shifted a) b n + conv a (shifted b) n = INR (S n) * conv a b (S n).
Proof.
unfold conv. set (m := S n) at 3.
assert (E : INR m * rdot (S (S n)) a (fun k => b (S n - k)%nat) =
  rdot (S (S n)) (fun k => INR k * a k) (fun k => b (S n - k)%nat) + rdot (S (S n)) a (fun k => INR (S n - k) * b (S n - k)%nat)).
{ rewrite rdot_plus, rdot_scale. apply rdot_ext. intros k K. split; [ reflexivity | ]. rewrite minus_INR by lia. subst m. ring. }
unfold m in *. rewrite E. f_equal.
- change (rdot (S n) (shifted a) (fun k => b (n - k)%nat) = INR 0 * a O * b (S n - 0)%nat + rdot (S n) (fun k => INR (S k) * a (S k)) (fun k => b (S n - S k)%nat)).
  change (INR 0) with 0. rewrite !Rmult_0_l, Rplus_0_l. reflexivity.
- rewrite (rdot_last (S n)). replace (S n - S n)%nat with O by lia. change (INR 0) with 0. rewrite Rmult_0_l, Rmult_0_r, Rplus_0_r.
  apply rdot_ext. intros k K. split; [ reflexivity | ]. unfold shifted. now replace (S n - k)%nat with (S (n - k)) by lia.
Qed.

(* Functions of which each is the derivative of the one before, but for the factor of k!. *)
Definition jet_on (U : R -> Prop) (c : nat -> R -> R) := forall n x, U x -> is_derive (c n) x (INR (S n) * c (S n) x).
Definition open_set (U : R -> Prop) := forall x, U x -> locally x U.
Lemma jet_unique U c c' : open_set U -> jet_on U c -> jet_on U c' -> (forall x, U x -> c O x = c' O x) -> forall n x, U x -> c n x = c' n x.
Proof.
intros O J J' E. induction n as [|n IH]; [ exact E | ]. intros x X.
assert (D : is_derive (c' n) x (INR (S n) * c (S n) x)).
{ apply is_derive_ext_loc with (c n); [ | now apply J ]. generalize (O x X). apply filter_imp. exact IH. }
assert (N : 0 < INR (S n)) by (apply lt_0_INR; lia).
apply Rmult_eq_reg_l with (INR (S n)); [ | lra ]. rewrite <- (is_derive_unique _ _ _ D). apply is_derive_unique. now apply J'.
Qed.
Lemma jet_conv U a b : jet_on U a -> jet_on U b -> jet_on U (fun n x => conv (fun k => a k x) (fun k => b k x) n).
Proof.
intros A B n x X. eapply is_derive_eq.
- apply (rdot_derive (S n) a (fun k => b (n - k)%nat) (fun k x => INR (S k) * a (S k) x) (fun k x => INR (S (n - k)) * b (S (n - k)) x) x).
  intros k K. split; [ now apply A | now apply B ].
- exact (conv_shifted (fun k => a k x) (fun k => b k x) n).
Qed.
Lemma jet_shifted U a : jet_on U a -> jet_on U (fun n x => shifted (fun k => a k x) n).
Proof. intros A n x X. unfold shifted. apply (is_derive_scal (a (S n)) x (INR (S n))). now apply A. Qed.
Lemma jet_scale U a q : jet_on U a -> jet_on U (fun n x => q * a n x).
Proof. intros A n x X. eapply is_derive_eq; [ apply (is_derive_scal (a n) x q); now apply A | ]. real_ring. Qed.
Lemma jet_plus U a b : jet_on U a -> jet_on U b -> jet_on U (fun n x => a n x + b n x).
Proof. intros A B n x X. eapply is_derive_eq; [ apply (is_derive_plus (a n) (b n)); [ now apply A | now apply B ] | ]. unfold plus; simpl plus. cbn -[INR]. real_ring. Qed.

Definition coefficient (e : expr) (n : nat) (x : R) : R := ev (Nat.iter n D e) x / INR (fact n).
Lemma iter_D n e : Nat.iter n D (D e) = D (Nat.iter n D e).
Proof. induction n as [|n IH]; [ reflexivity | ]. simpl. now rewrite IH. Qed.
Lemma def_iter n e x : def e x -> def (Nat.iter n D e) x.
Proof. intros H. induction n as [|n IH]; [ exact H | now apply def_D ]. Qed.
Lemma coefficient_jet e : jet_on (def e) (coefficient e).
Proof.
intros n x X. unfold coefficient. apply (is_derive_ext (fun x => / INR (fact n) * ev (Nat.iter n D e) x)); [ intros; apply Rmult_comm | ].
eapply is_derive_eq; [ apply (is_derive_scal (ev (Nat.iter n D e)) x); apply D_ok, def_iter, X | ].
rewrite fact_simpl, mult_INR. simpl Nat.iter. assert (INR (fact n) <> 0) by apply INR_fact_neq_0. assert (INR (S n) <> 0) by (apply not_0_INR; lia). real_field. split; assumption.
Qed.
Lemma coefficient_0 e x : coefficient e O x = ev e x.
Proof. unfold coefficient. simpl. field. Qed.
Lemma coefficient_shifted e n x : shifted (fun k => coefficient e k x) n = coefficient (D e) n x.
Proof.
unfold shifted, coefficient. rewrite iter_D, fact_simpl, mult_INR. simpl Nat.iter. assert (INR (fact n) <> 0) by apply INR_fact_neq_0. assert (INR (S n) <> 0) by (apply not_0_INR; lia). field. split; assumption.
Qed.
(* A jet whose value is that of e, or of its derivative. *)
Lemma by_value e (U : R -> Prop) c : open_set U -> (forall x, U x -> def e x) -> jet_on U c -> (forall x, U x -> ev e x = c O x) -> forall n x, U x -> coefficient e n x = c n x.
Proof.
intros O I J E. apply jet_unique; [ exact O | | exact J | intros x X; rewrite coefficient_0; now apply E ].
intros n x X. now apply coefficient_jet, I.
Qed.
Lemma by_slope e (U : R -> Prop) c : open_set U -> (forall x, U x -> def e x) -> jet_on U c -> (forall x, U x -> ev (D e) x = c O x) ->
  forall n x, U x -> INR (S n) * coefficient e (S n) x = c n x.
Proof. intros O I J E n x X. fold (shifted (fun k => coefficient e k x) n). rewrite coefficient_shifted. apply (by_value (D e) U); trivial. intros y Y. now apply def_D, I. Qed.

(* ---- the coefficients of an operation's result, by those of its parts ---- *)
Notation coefs e x := (fun k => coefficient e k x).
Lemma jet_within (U V : R -> Prop) c : (forall x, U x -> V x) -> jet_on V c -> jet_on U c.
Proof. intros S J n x X. now apply J, S. Qed.
Lemma slope_0 e x : shifted (coefs e x) O = ev (D e) x.
Proof. now rewrite coefficient_shifted, coefficient_0. Qed.
Lemma conv_0 a b : conv a b O = a O * b O.
Proof. unfold conv. cbn [rdot]. simpl. ring. Qed.
Lemma same_coefficients e e' n x : def e x -> (forall x, def e x -> def e' x /\ ev e x = ev e' x) -> coefficient e n x = coefficient e' n x.
Proof.
intros X H. apply (by_value e (def e) (coefficient e')); trivial; [ exact (def_open e) | | ].
- apply (jet_within _ (def e')); [ apply H | apply coefficient_jet ].
- intros y Y. rewrite coefficient_0. now apply H.
Qed.
Lemma coef_number e n x : D e = Int 0 -> coefficient e (S n) x = 0.
Proof.
intros E. assert (Z : forall k, Nat.iter k D (Int 0) = Int 0) by (induction k as [|k IH]; [ reflexivity | simpl; now rewrite IH ]).
unfold coefficient. simpl Nat.iter. rewrite <- iter_D, E, Z. cbn [ev]. unfold Rdiv. ring.
Qed.
Lemma coef_var n x : coefficient Var n x = match n with O => x | 1%nat => 1 | _ => 0 end.
Proof.
destruct n as [|n]; [ now rewrite coefficient_0 | ]. assert (N : INR (S n) <> 0) by (apply not_0_INR; lia).
apply Rmult_eq_reg_l with (INR (S n)); [ | exact N ]. change (shifted (coefs Var x) n = INR (S n) * match n with O => 1 | _ => 0 end).
rewrite coefficient_shifted. change (D Var) with (Int 1). destruct n as [|n]; [ rewrite coefficient_0; simpl; ring | ].
rewrite coef_number by reflexivity. ring.
Qed.
Lemma coef_add a b n x : def (Add a b) x -> coefficient (Add a b) n x = coefficient a n x + coefficient b n x.
Proof.
intros X. apply (by_value (Add a b) (def (Add a b)) (fun n x => coefficient a n x + coefficient b n x)); trivial; [ exact (def_open (Add a b)) | | ].
- apply jet_plus; [ apply (jet_within _ (def a)) | apply (jet_within _ (def b)) ]; try apply coefficient_jet; now intros y [].
- intros y _. now rewrite !coefficient_0.
Qed.
Lemma coef_scaled e a q n x : (forall x, def e x -> def a x /\ ev e x = q * ev a x) -> def e x -> coefficient e n x = q * coefficient a n x.
Proof.
intros H X. apply (by_value e (def e) (fun n x => q * coefficient a n x)); trivial; [ exact (def_open e) | | ].
- apply jet_scale. apply (jet_within _ (def a)); [ apply H | apply coefficient_jet ].
- intros y Y. rewrite coefficient_0. now apply H.
Qed.
Lemma coef_mul a b n x : def (Mul a b) x -> coefficient (Mul a b) n x = conv (coefs a x) (coefs b x) n.
Proof.
intros X. apply (by_value (Mul a b) (def (Mul a b)) (fun n x => conv (coefs a x) (coefs b x) n)); trivial; [ exact (def_open (Mul a b)) | | ].
- apply jet_conv; [ apply (jet_within _ (def a)) | apply (jet_within _ (def b)) ]; try apply coefficient_jet; now intros y [].
- intros y _. now rewrite conv_0, !coefficient_0.
Qed.
(* y' = w y, or y' = w. *)
Lemma coef_ode e w : jet_on (def e) w -> (forall x, def e x -> ev (D e) x = w O x * ev e x) ->
  forall n x, def e x -> INR (S n) * coefficient e (S n) x = conv (fun k => w k x) (coefs e x) n.
Proof.
intros J E n x X. apply (by_slope e (def e) (fun n x => conv (fun k => w k x) (coefs e x) n)); trivial; [ exact (def_open e) | | ].
- apply jet_conv; [ exact J | apply coefficient_jet ].
- intros y Y. rewrite conv_0, coefficient_0. now apply E.
Qed.
Lemma slope_jet (U : R -> Prop) a : (forall x, U x -> def a x) -> jet_on U (fun n x => shifted (coefs a x) n).
Proof. intros H. apply jet_shifted. apply (jet_within _ (def a)); [ exact H | apply coefficient_jet ]. Qed.
Definition log_slope a x := conv (shifted (coefs a x)) (coefs (Inv a) x).
Lemma log_slope_jet (U : R -> Prop) a : (forall x, U x -> def (Inv a) x) -> jet_on U (fun n x => log_slope a x n).
Proof.
intros H. apply jet_conv; [ apply slope_jet; intros x X; apply (H x X) | apply (jet_within _ (def (Inv a))); [ exact H | apply coefficient_jet ] ].
Qed.
Lemma log_slope_0 a x : log_slope a x O = ev (D a) x * / ev a x.
Proof. unfold log_slope. now rewrite conv_0, slope_0, coefficient_0. Qed.
Lemma coef_exp a n x : def (Exp a) x -> INR (S n) * coefficient (Exp a) (S n) x = conv (shifted (coefs a x)) (coefs (Exp a) x) n.
Proof. apply (coef_ode (Exp a) (fun n x => shifted (coefs a x) n)); [ now apply slope_jet | ]. intros y Y. cbn [D]. now rewrite mul_ok, slope_0. Qed.
Lemma coef_inv a n x : def (Inv a) x -> INR (S n) * coefficient (Inv a) (S n) x = conv (fun k => -1 * log_slope a x k) (coefs (Inv a) x) n.
Proof.
apply (coef_ode (Inv a) (fun n x => -1 * log_slope a x n)); [ now apply jet_scale, log_slope_jet | ].
intros y Y. cbn [D]. rewrite opp_ok, mul_ok, log_slope_0. cbn [ev]. ring.
Qed.
Lemma coef_pow a p d n x : def (Pow a p d) x ->
  INR (S n) * coefficient (Pow a p d) (S n) x = conv (fun k => IZR p / IZR (Zpos d) * log_slope a x k) (coefs (Pow a p d) x) n.
Proof.
set (q := IZR p / IZR (Zpos d)). apply (coef_ode (Pow a p d) (fun n x => q * log_slope a x n)).
- apply jet_scale, log_slope_jet. intros y [Y P]. split; [ exact Y | lra ].
- intros y [Y P]. cbn [D]. rewrite !mul_ok, log_slope_0. cbn [ev]. fold q. assert (N : IZR (Zpos d) <> 0) by (apply IZR_neq; easy).
  replace (IZR (p - Zpos d) / IZR (Zpos d)) with (q - 1) by (rewrite minus_IZR; unfold q; field; exact N).
  rewrite !power_pos by exact P. replace ((q - 1) * ln (ev a y)) with (q * ln (ev a y) + - ln (ev a y)) by ring.
  rewrite exp_plus, exp_Ropp, exp_ln by exact P. ring.
Qed.
Lemma coef_sqrt a n x : def (Sqrt a) x ->
  INR (S n) * coefficient (Sqrt a) (S n) x = conv (fun k => 1 / 2 * log_slope a x k) (coefs (Sqrt a) x) n.
Proof.
apply (coef_ode (Sqrt a) (fun n x => 1 / 2 * log_slope a x n)).
- apply jet_scale, log_slope_jet. intros y [Y P]. split; [ exact Y | lra ].
- intros y [Y P]. cbn [D]. rewrite !mul_ok, log_slope_0. cbn [ev]. assert (S := sqrt_lt_R0 _ P). rewrite <- (sqrt_sqrt (ev a y)) at 2 by lra. field. lra.
Qed.
Lemma coef_ln a n x : def (Ln a) x -> INR (S n) * coefficient (Ln a) (S n) x = log_slope a x n.
Proof.
intros X. apply (by_slope (Ln a) (def (Ln a)) (fun n x => log_slope a x n)); trivial; [ exact (def_open (Ln a)) | | ].
- apply log_slope_jet. intros y [Y P]. split; [ exact Y | lra ].
- intros y Y. cbn [D]. now rewrite mul_ok, log_slope_0.
Qed.
Lemma coef_sin a n x : def a x -> INR (S n) * coefficient (Sin a) (S n) x = conv (shifted (coefs a x)) (coefs (Cos a) x) n.
Proof.
intros X. apply (by_slope (Sin a) (def a) (fun n x => conv (shifted (coefs a x)) (coefs (Cos a) x) n)); trivial; [ exact (def_open a) | | ].
- apply jet_conv; [ now apply slope_jet | exact (coefficient_jet (Cos a)) ].
- intros y Y. cbn [D]. now rewrite mul_ok, conv_0, slope_0, coefficient_0.
Qed.
Lemma coef_cos a n x : def a x -> INR (S n) * coefficient (Cos a) (S n) x = - conv (shifted (coefs a x)) (coefs (Sin a) x) n.
Proof.
intros X. replace (- conv (shifted (coefs a x)) (coefs (Sin a) x) n) with (-1 * conv (shifted (coefs a x)) (coefs (Sin a) x) n) by ring.
apply (by_slope (Cos a) (def a) (fun n x => -1 * conv (shifted (coefs a x)) (coefs (Sin a) x) n)); trivial; [ exact (def_open a) | | ].
- apply jet_scale, jet_conv; [ now apply slope_jet | exact (coefficient_jet (Sin a)) ].
- intros y Y. cbn [D]. rewrite opp_ok, mul_ok, conv_0, slope_0, coefficient_0. cbn [ev]. ring.
Qed.

(* ---- enclosures of coefficients: lists, beyond whose end there are zeros; those up to the N-th are meant ---- *)
Section Jets.
Variable p : F.precision.
Lemma only_zero v : inside I.zero v -> v = 0.
Proof. rewrite I.zero_correct. simpl. lra. Qed.
Lemma zero_at_0 : inside I.zero 0.
Proof. rewrite I.zero_correct. simpl. lra. Qed.
Lemma in_add i j x y : inside i x -> inside j y -> inside (I.add p i j) (x + y).
Proof. exact (I.add_correct p i j (Xreal x) (Xreal y)). Qed.
Lemma in_sub i j x y : inside i x -> inside j y -> inside (I.sub p i j) (x - y).
Proof. exact (I.sub_correct p i j (Xreal x) (Xreal y)). Qed.
Lemma in_mul i j x y : inside i x -> inside j y -> inside (I.mul p i j) (x * y).
Proof. exact (I.mul_correct p i j (Xreal x) (Xreal y)). Qed.
Lemma in_neg i x : inside i x -> inside (I.neg i) (- x).
Proof. exact (I.neg_correct i (Xreal x)). Qed.
Lemma in_div i j x y : y <> 0 -> inside i x -> inside j y -> inside (I.div p i j) (x / y).
Proof.
intros N A B. assert (C := I.div_correct p i j (Xreal x) (Xreal y) A B). simpl in C. unfold Xdiv' in C.
destruct (is_zero_spec y); [ contradiction | exact C ].
Qed.
Lemma in_inv i x : x <> 0 -> inside i x -> inside (I.inv p i) (/ x).
Proof.
intros N A. assert (C := I.inv_correct p i (Xreal x) A). simpl in C. unfold Xinv' in C. destruct (is_zero_spec x); [ contradiction | exact C ].
Qed.
Lemma in_ln i x : 0 < x -> inside i x -> inside (I.ln p i) (ln x).
Proof.
intros P A. assert (C := I.ln_correct p i (Xreal x) A). simpl in C. unfold Xln' in C. destruct (is_positive_spec x); [ exact C | lra ].
Qed.
Definition whole (k : Z) : I.type := I.fromZ p k.
Lemma whole_in k : inside (whole k) (IZR k).
Proof. apply I.fromZ_correct. Qed.
Definition quotient (n : Z) (d : positive) : I.type := I.div p (whole n) (whole (Zpos d)).
Lemma quotient_in n d : inside (quotient n d) (IZR n / IZR (Zpos d)).
Proof. apply in_div; [ apply IZR_neq; easy | apply whole_in | apply whole_in ]. Qed.

Notation at_ l k := (nth k l I.zero).
Definition encloses (n : nat) (l : list I.type) (c : nat -> R) := forall k, (k < n)%nat -> inside (at_ l k) (c k).
Lemma encloses_le m n l c : (m <= n)%nat -> encloses n l c -> encloses m l c.
Proof. intros L H k K. apply H. lia. Qed.
Lemma encloses_ext n l c d : (forall k, (k < n)%nat -> c k = d k) -> encloses n l c -> encloses n l d.
Proof. intros E H k K. rewrite <- E by exact K. now apply H. Qed.
Lemma encloses_tl n x l c : encloses (S n) (x :: l) c -> encloses n l (fun k => c (S k)).
Proof. intros H k K. apply (H (S k)). lia. Qed.
Lemma at_nil k : at_ (@nil I.type) k = I.zero.
Proof. now destruct k. Qed.

Fixpoint dot (a b : list I.type) : I.type := match a, b with x :: a, y :: b => I.add p (I.mul p x y) (dot a b) | _, _ => I.zero end.
Lemma dot_ok n : forall a b c d, encloses n a c -> encloses n b d -> (length b <= n)%nat -> (forall k, (length b <= k < n)%nat -> d k = 0) ->
  inside (dot a b) (rdot n c d).
Proof.
assert (Z : forall n c d, (forall k, (k < n)%nat -> c k = 0 \/ d k = 0) -> rdot n c d = 0).
{ clear. induction n as [|n IH]; intros c d H; [ reflexivity | ]. cbn [rdot]. rewrite IH by (intros; apply H; lia). destruct (H O ltac:(lia)) as [->| ->]; ring. }
induction n as [|n IH]; intros a b c d A B L E.
- destruct b; [ | simpl in L; lia ]. replace (dot a []) with I.zero by (now destruct a). apply zero_at_0.
- destruct a as [|x a]; [ rewrite Z; [ apply zero_at_0 | intros k K; left; specialize (A k K); rewrite at_nil in A; now apply only_zero ] | ].
  destruct b as [|y b]; [ rewrite Z; [ apply zero_at_0 | intros k K; right; apply E; simpl; lia ] | ].
  cbn [dot rdot]. apply in_add.
  + apply in_mul; [ apply (A O) | apply (B O) ]; lia.
  + apply IH; [ now apply (encloses_tl n x) | now apply (encloses_tl n y) | simpl in L; lia | intros k K; apply E; simpl; lia ].
Qed.
(* r holds y_i, ..., y_0. *)
Definition backward (i : nat) (r : list I.type) (y : nat -> R) := length r = S i /\ encloses (S i) r (fun k => y (i - k)%nat).
Lemma backward_cons i r y h : backward i r y -> inside h (y (S i)) -> backward (S i) (h :: r) y.
Proof. intros [L E] H. split; [ simpl; now rewrite L | ]. intros [|k] K; [ exact H | ]. apply (E k). lia. Qed.
Lemma backward_0 y h : inside h (y O) -> backward O [h] y.
Proof. intros H. split; [ reflexivity | ]. intros k K. now replace k with O by lia. Qed.
Lemma dot_backward i a r c y : encloses (S i) a c -> backward i r y -> inside (dot a r) (conv c y i).
Proof. intros A [L E]. apply dot_ok; [ exact A | exact E | lia | intros k K; lia ]. Qed.

Fixpoint zip (op : I.type -> I.type -> I.type) (a b : list I.type) : list I.type := match a, b with
  | x :: a, y :: b => op x y :: zip op a b
  | nil, _ => map (op I.zero) b
  | _, nil => a end.
Lemma at_map (f : I.type -> I.type) (g : R -> R) n l c : (forall x v, inside x v -> inside (f x) (g v)) -> g 0 = 0 ->
  encloses n l c -> encloses n (map f l) (fun k => g (c k)).
Proof.
intros F0 G E k K. destruct (Nat.lt_ge_cases k (length l)) as [L|L].
- rewrite (nth_indep _ I.zero (f I.zero)) by (now rewrite map_length). rewrite map_nth. apply F0, E, K.
- rewrite nth_overflow by (now rewrite map_length). specialize (E k K). rewrite nth_overflow in E by exact L. rewrite (only_zero _ E), G. apply zero_at_0.
Qed.
Lemma zip_ok op (g : R -> R -> R) : (forall x y u v, inside x u -> inside y v -> inside (op x y) (g u v)) -> (forall u, g u 0 = u) ->
  forall n a b c d, encloses n a c -> encloses n b d -> encloses n (zip op a b) (fun k => g (c k) (d k)).
Proof.
intros Op G. induction n as [|n IH]; intros a b c d A B; [ intros k K; lia | ].
destruct a as [|x a].
- cbn [zip]. intros k K. specialize (A k K). rewrite at_nil in A. rewrite (only_zero _ A).
  apply (at_map (op I.zero) (g 0) (S n) b d); [ intros; apply Op; trivial; apply zero_at_0 | apply G | exact B | exact K ].
- destruct b as [|y b].
  + intros k K. specialize (B k K). rewrite at_nil in B. rewrite (only_zero _ B), G. now apply A.
  + intros [|k] K; [ apply Op; [ apply (A O K) | apply (B O K) ] | ]. cbn [zip nth].
    apply (IH a b (fun k => c (S k)) (fun k => d (S k))); [ now apply (encloses_tl n x) | now apply (encloses_tl n y) | lia ].
Qed.

Fixpoint convs (n : nat) (a b r : list I.type) : list I.type := match n with O => nil | S n =>
  let r := hd I.zero b :: r in dot a r :: convs n a (tl b) r end.
Definition products (n : nat) (a b : list I.type) : list I.type := convs n a b nil.
Lemma hd_at l : hd I.zero l = at_ l O.
Proof. now destruct l. Qed.
Lemma tl_at l k : at_ (tl l) k = at_ l (S k).
Proof. destruct l; [ now rewrite !at_nil | reflexivity ]. Qed.
Lemma convs_ok m a c d : encloses m a c -> forall n i b r, (S i + n <= m)%nat -> encloses n b (fun k => d (S i + k)%nat) -> backward i r d ->
  encloses n (convs n a b r) (fun k => conv c d (S i + k)).
Proof.
intros A. induction n as [|n IH]; intros i b r L B H; [ intros k K; lia | ].
assert (H' : backward (S i) (hd I.zero b :: r) d).
{ apply backward_cons; [ exact H | ]. rewrite hd_at. specialize (B O ltac:(lia)). cbv beta in B. now rewrite Nat.add_0_r in B. }
intros [|k] K; cbn [convs nth].
- rewrite Nat.add_0_r. apply dot_backward; [ apply (encloses_le _ m); [ lia | exact A ] | exact H' ].
- replace (S i + S k)%nat with (S (S i) + k)%nat by lia. apply (IH (S i)); [ lia | | exact H' | lia ].
  intros j J. rewrite tl_at. replace (S (S i) + j)%nat with (S i + S j)%nat by lia. apply B. lia.
Qed.
Lemma products_ok n a b c d : encloses n a c -> encloses n b d -> encloses n (products n a b) (fun k => conv c d k).
Proof.
intros A B. destruct n as [|n]; [ intros k K; lia | ]. unfold products. cbn [convs].
assert (H : backward O [hd I.zero b] d) by (apply backward_0; rewrite hd_at; apply B; lia).
intros [|k] K; cbn [nth].
- apply dot_backward; [ apply (encloses_le _ (S n)); [ lia | exact A ] | exact H ].
- apply (convs_ok (S n) a c d A n O); [ lia | | exact H | lia ]. intros j J. rewrite tl_at. apply B. lia.
Qed.

Fixpoint weighted (k : Z) (l : list I.type) : list I.type := match l with nil => nil | x :: l => I.mul p (whole k) x :: weighted (k + 1) l end.
Definition slopes (l : list I.type) : list I.type := weighted 1 (tl l).
Lemma weighted_ok l : forall n i c, encloses n l (fun k => c (i + k)%nat) -> encloses n (weighted (Z.of_nat i) l) (fun k => INR (i + k) * c (i + k)%nat).
Proof.
induction l as [|x l IH]; intros n i c H k K.
- specialize (H k K). rewrite at_nil in H. cbn [weighted]. rewrite at_nil, (only_zero _ H), Rmult_0_r. apply zero_at_0.
- destruct k as [|k]; cbn [weighted nth].
  + apply in_mul; [ rewrite Nat.add_0_r, INR_IZR_INZ; apply whole_in | apply (H O K) ].
  + replace (i + S k)%nat with (S i + k)%nat by lia. replace (Z.of_nat i + 1)%Z with (Z.of_nat (S i)) by lia.
    apply (IH (pred n) (S i)); [ | lia ]. intros j J. replace (S i + j)%nat with (i + S j)%nat by lia. apply (H (S j)). lia.
Qed.
Lemma slopes_ok n l c : encloses (S n) l c -> encloses n (slopes l) (shifted c).
Proof. intros H. apply (weighted_ok (tl l) n 1 c). intros k K. rewrite tl_at. apply (H (S k)). lia. Qed.

(* From y_0 and (k + 1) y_(k + 1) = (w y)_k. *)
Fixpoint ode (n : nat) (k : Z) (w r : list I.type) : list I.type := match n with O => nil | S n =>
  let y := I.div p (dot w r) (whole k) in y :: ode n (k + 1) w (y :: r) end.
Definition grown (n : nat) (w : list I.type) (y : I.type) : list I.type := match w with nil => [y] | _ => y :: ode n 1 w [y] end.
Lemma by_index j v : v = INR (S j) * (v / INR (S j)).
Proof. field. apply not_0_INR. lia. Qed.
Lemma over_index j i u v : inside i u -> INR (S j) * v = u -> inside (I.div p i (whole (Z.of_nat (S j)))) v.
Proof.
intros H E. assert (N : INR (S j) <> 0) by (apply not_0_INR; lia). replace v with (u / INR (S j)) by (rewrite <- E; field; exact N).
apply in_div; [ exact N | exact H | ]. rewrite INR_IZR_INZ. apply whole_in.
Qed.
Lemma ode_ok m w c y : encloses m w c -> (forall n, INR (S n) * y (S n) = conv c y n) -> forall n i r, (S i + n <= S m)%nat -> backward i r y ->
  encloses n (ode n (Z.of_nat (S i)) w r) (fun k => y (S i + k)%nat).
Proof.
intros W E. induction n as [|n IH]; intros i r L H; [ intros k K; lia | ]. cbn [ode]. set (h := I.div _ _ _).
assert (Y : inside h (y (S i))).
{ apply (over_index i _ (conv c y i)); [ | apply E ]. apply dot_backward; [ apply (encloses_le _ m); [ lia | exact W ] | exact H ]. }
intros [|k] K; cbn [nth]; [ rewrite Nat.add_0_r; exact Y | ].
replace (Z.of_nat (S i) + 1)%Z with (Z.of_nat (S (S i))) by lia. replace (S i + S k)%nat with (S (S i) + k)%nat by lia.
apply IH; [ lia | now apply backward_cons | lia ].
Qed.
Lemma grown_ok n w h c y : encloses n w c -> inside h (y O) -> (forall n, INR (S n) * y (S n) = conv c y n) -> encloses (S n) (grown n w h) y.
Proof.
intros W H E. unfold grown. destruct w as [|x w].
- intros [|k] K; [ exact H | ]. change (inside (at_ (@nil I.type) k) (y (S k))). rewrite at_nil. replace (y (S k)) with 0; [ apply zero_at_0 | ].
  assert (N : INR (S k) <> 0) by (apply not_0_INR; lia). apply Rmult_eq_reg_l with (INR (S k)); [ | exact N ]. rewrite E, Rmult_0_r. symmetry. apply rdot_0.
  intros j J. specialize (W j ltac:(lia)). rewrite at_nil in W. now apply only_zero.
- intros [|k] K; [ exact H | ]. cbn [nth]. apply (ode_ok n (x :: w) c y W E n O); [ lia | now apply backward_0 | lia ].
Qed.
(* y = 1/u: w = - u' y, which grows with y. *)
Fixpoint reciprocals (n : nat) (k : Z) (du w r : list I.type) : list I.type := match n with O => nil | S n =>
  let w := w ++ [I.neg (dot du r)] in let y := I.div p (dot w r) (whole k) in y :: reciprocals n (k + 1) du w (y :: r) end.
Definition reciprocal (n : nat) (u : list I.type) : list I.type :=
  let y := I.inv p (hd I.zero u) in match slopes u with nil => [y] | du => y :: reciprocals n 1 du nil [y] end.
Lemma reciprocals_ok m du c y : encloses m du c -> (forall n, INR (S n) * y (S n) = conv (fun k => -1 * conv c y k) y n) ->
  forall n i w r, (S i + n <= S m)%nat -> length w = i -> encloses i w (fun k => -1 * conv c y k) -> backward i r y ->
  encloses n (reciprocals n (Z.of_nat (S i)) du w r) (fun k => y (S i + k)%nat).
Proof.
intros U E. induction n as [|n IH]; intros i w r L Lw W H; [ intros k K; lia | ]. cbn [reciprocals].
set (v := w ++ [I.neg (dot du r)]).
assert (V : encloses (S i) v (fun k => -1 * conv c y k)).
{ intros k K. unfold v. destruct (Nat.lt_ge_cases k i) as [G|G]; [ rewrite app_nth1 by lia; now apply W | ].
  rewrite app_nth2 by lia. replace (k - length w)%nat with O by lia. replace k with i by lia. cbn [nth].
  replace (-1 * conv c y i) with (- conv c y i) by ring. apply in_neg, dot_backward; [ apply (encloses_le _ m); [ lia | exact U ] | exact H ]. }
set (h := I.div _ _ _).
assert (Y : inside h (y (S i))) by (apply (over_index i _ (conv (fun k => -1 * conv c y k) y i)); [ now apply dot_backward | apply E ]).
intros [|k] K; cbn [nth]; [ rewrite Nat.add_0_r; exact Y | ].
replace (Z.of_nat (S i) + 1)%Z with (Z.of_nat (S (S i))) by lia. replace (S i + S k)%nat with (S (S i) + k)%nat by lia.
apply IH; [ lia | unfold v; rewrite app_length; simpl; lia | exact V | now apply backward_cons | lia ].
Qed.
Lemma reciprocal_ok n u c y : encloses (S n) u c -> c O <> 0 -> y O = / c O ->
  (forall n, INR (S n) * y (S n) = conv (fun k => -1 * conv (shifted c) y k) y n) -> encloses (S n) (reciprocal n u) y.
Proof.
intros U N Y0 E. unfold reciprocal. assert (Y : inside (I.inv p (hd I.zero u)) (y O)).
{ rewrite Y0. apply in_inv; [ exact N | ]. rewrite hd_at. apply U. lia. }
assert (S1 := slopes_ok n u c U). destruct (slopes u) as [|x du].
- intros [|k] K; [ exact Y | ]. change (inside (at_ (@nil I.type) k) (y (S k))). rewrite at_nil. replace (y (S k)) with 0; [ apply zero_at_0 | ].
  assert (M : INR (S k) <> 0) by (apply not_0_INR; lia). apply Rmult_eq_reg_l with (INR (S k)); [ | exact M ]. rewrite E, Rmult_0_r. symmetry. apply rdot_0.
  intros j J. unfold conv. rewrite rdot_0; [ ring | ]. intros l Hl. specialize (S1 l ltac:(lia)). rewrite at_nil in S1. now apply only_zero.
- intros [|k] K; [ exact Y | ]. cbn [nth]. apply (reciprocals_ok n (x :: du) (shifted c) y S1 E n O); [ lia | reflexivity | intros j J; lia | now apply backward_0 | lia ].
Qed.
Fixpoint over_indices (k : Z) (l : list I.type) : list I.type := match l with nil => nil | x :: l => I.div p x (whole k) :: over_indices (k + 1) l end.
Lemma over_indices_ok l : forall n i c y, encloses n l c -> (forall k, INR (S (i + k)) * y (S (i + k)) = c k) ->
  encloses n (over_indices (Z.of_nat (S i)) l) (fun k => y (S (i + k))).
Proof.
induction l as [|x l IH]; intros n i c y H E k K.
- specialize (H k K). rewrite at_nil in H. apply only_zero in H. cbn [over_indices]. rewrite at_nil. replace (y (S (i + k))) with 0; [ apply zero_at_0 | ].
  assert (M : INR (S (i + k)) <> 0) by (apply not_0_INR; lia). apply Rmult_eq_reg_l with (INR (S (i + k))); [ | exact M ]. now rewrite E, Rmult_0_r.
- destruct k as [|k]; cbn [over_indices nth].
  + specialize (E O). rewrite Nat.add_0_r in E |- *. apply (over_index _ _ (c O)); [ apply (H O K) | exact E ].
  + replace (Z.of_nat (S i) + 1)%Z with (Z.of_nat (S (S i))) by lia. replace (i + S k)%nat with (S i + k)%nat by lia.
    apply (IH (pred n) (S i) (fun k => c (S k)) y); [ apply (encloses_tl _ x); now replace (S (pred n)) with n by lia | | lia ].
    intros j. replace (S i + j)%nat with (i + S j)%nat by lia. apply E.
Qed.
(* s' = u' c, c' = - u' s. *)
Fixpoint waves (n : nat) (k : Z) (du rs rc : list I.type) : list (I.type * I.type) := match n with O => nil | S n =>
  let s := I.div p (dot du rc) (whole k) in let c := I.div p (I.neg (dot du rs)) (whole k) in (s, c) :: waves n (k + 1) du (s :: rs) (c :: rc) end.
Definition wave_lists (n : nat) (u : list I.type) : list I.type * list I.type :=
  let s := I.sin p (hd I.zero u) in let c := I.cos p (hd I.zero u) in let l := waves n 1 (slopes u) [s] [c] in (s :: map fst l, c :: map snd l).
Lemma waves_ok m du u s c : encloses m du u -> (forall n, INR (S n) * s (S n) = conv u c n) -> (forall n, INR (S n) * c (S n) = - conv u s n) ->
  forall n i rs rc, (S i + n <= S m)%nat -> backward i rs s -> backward i rc c ->
  encloses n (map fst (waves n (Z.of_nat (S i)) du rs rc)) (fun k => s (S i + k)%nat) /\ encloses n (map snd (waves n (Z.of_nat (S i)) du rs rc)) (fun k => c (S i + k)%nat).
Proof.
intros U Es Ec. induction n as [|n IH]; intros i rs rc L Hs Hc; [ split; intros k K; lia | ]. cbn [waves map fst snd]. set (a := I.div _ _ _). set (b := I.div _ (I.neg _) _).
assert (U' : encloses (S i) du u) by (apply (encloses_le _ m); [ lia | exact U ]).
assert (A : inside a (s (S i))) by (apply (over_index i _ (conv u c i)); [ now apply dot_backward | apply Es ]).
assert (B : inside b (c (S i))) by (apply (over_index i _ (- conv u s i)); [ now apply in_neg, dot_backward | apply Ec ]).
replace (Z.of_nat (S i) + 1)%Z with (Z.of_nat (S (S i))) by lia.
destruct (IH (S i) (a :: rs) (b :: rc) ltac:(lia) (backward_cons _ _ _ _ Hs A) (backward_cons _ _ _ _ Hc B)) as [X Y].
split; intros [|k] K; cbn [nth]; rewrite ?Nat.add_0_r; trivial; replace (S i + S k)%nat with (S (S i) + k)%nat by lia; [ apply X | apply Y ]; lia.
Qed.
Lemma wave_lists_ok n u c s k : encloses (S n) u c -> s O = sin (c O) -> k O = cos (c O) ->
  (forall n, INR (S n) * s (S n) = conv (shifted c) k n) -> (forall n, INR (S n) * k (S n) = - conv (shifted c) s n) ->
  encloses (S n) (fst (wave_lists n u)) s /\ encloses (S n) (snd (wave_lists n u)) k.
Proof.
intros U S0 K0 Es Ec. assert (H : inside (hd I.zero u) (c O)) by (rewrite hd_at; apply U; lia).
assert (A : inside (I.sin p (hd I.zero u)) (s O)) by (rewrite S0; exact (I.sin_correct p _ (Xreal (c O)) H)).
assert (B : inside (I.cos p (hd I.zero u)) (k O)) by (rewrite K0; exact (I.cos_correct p _ (Xreal (c O)) H)).
destruct (waves_ok n (slopes u) (shifted c) s k (slopes_ok n u c U) Es Ec n O [I.sin p (hd I.zero u)] [I.cos p (hd I.zero u)] ltac:(lia) (backward_0 _ _ A) (backward_0 _ _ B)) as [X Y].
split; intros [|j] J; trivial; [ apply X | apply Y ]; lia.
Qed.

Definition log_slopes (n : nat) (u : list I.type) : list I.type := products n (slopes u) (reciprocal n u).
Definition logarithms (n : nat) (u : list I.type) : list I.type := I.ln p (hd I.zero u) :: over_indices 1 (log_slopes n u).
Definition exponentials (n : nat) (u : list I.type) : list I.type := grown n (slopes u) (I.exp p (hd I.zero u)).
Fixpoint powers (n : nat) (u : list I.type) (k : positive) : list I.type := match k with
  | xH => u | xO k => let h := powers n u k in products (S n) h h | xI k => let h := powers n u k in products (S n) u (products (S n) h h) end.
Fixpoint jet (n : nat) (x : I.type) (e : expr) : list I.type := match e with
  | Var => [x; whole 1]
  | Int k => [whole k]
  | Rat k d => [quotient k d]
  | Pi => [I.pi p]
  | Add a b => zip (I.add p) (jet n x a) (jet n x b)
  | Sub a b => zip (I.sub p) (jet n x a) (jet n x b)
  | Mul a b => products (S n) (jet n x a) (jet n x b)
  | Opp a => map I.neg (jet n x a)
  | Inv a => reciprocal n (jet n x a)
  | Nat a k => match k with O => [whole 1] | _ => powers n (jet n x a) (Pos.of_nat k) end
  | Pow a k d => let u := jet n x a in let q := quotient k d in
    grown n (map (I.mul p q) (log_slopes n u)) (I.exp p (I.mul p q (I.ln p (hd I.zero u))))
  | Sqrt a => let u := jet n x a in grown n (map (I.mul p (quotient 1 2)) (log_slopes n u)) (I.sqrt p (hd I.zero u))
  | Exp a => exponentials n (jet n x a)
  | Ln a => logarithms n (jet n x a)
  | Ln1p a => logarithms n (zip (I.add p) [whole 1] (jet n x a))
  | Soft a => logarithms n (zip (I.add p) [whole 1] (exponentials n (jet n x a)))
  | Logi a => reciprocal n (zip (I.add p) [whole 1] (exponentials n (map I.neg (jet n x a))))
  | Sin a => fst (wave_lists n (jet n x a))
  | Cos a => snd (wave_lists n (jet n x a))
  | Max _ _ | Floor _ | Less _ _ _ _ _ => nil
  end.

Section At.
Variables (n : nat) (x : R).
Notation lists l e := (encloses (S n) l (coefs e x)).
Lemma list_number i e : D e = Int 0 -> inside i (ev e x) -> lists [i] e.
Proof.
intros E H [|k] K; cbn [nth]; [ now rewrite coefficient_0 | ]. change (inside (at_ (@nil I.type) k) (coefficient e (S k) x)).
rewrite at_nil, coef_number by exact E. apply zero_at_0.
Qed.
Lemma hd_in l e : lists l e -> inside (hd I.zero l) (ev e x).
Proof. intros H. rewrite hd_at, <- coefficient_0. apply H. lia. Qed.
Lemma list_same l e e' : def e x -> (forall x, def e x -> def e' x /\ ev e x = ev e' x) -> lists l e' -> lists l e.
Proof. intros X H. apply encloses_ext. intros k _. symmetry. now apply same_coefficients. Qed.
Lemma list_add a b u v : def (Add a b) x -> lists u a -> lists v b -> lists (zip (I.add p) u v) (Add a b).
Proof.
intros X A B. apply (encloses_ext _ _ (fun k => coefficient a k x + coefficient b k x)); [ intros; symmetry; now apply coef_add | ].
apply (zip_ok (I.add p) Rplus); trivial; [ intros; now apply in_add | intros; ring ].
Qed.
Lemma list_opp a u : def a x -> lists u a -> lists (map I.neg u) (Opp a).
Proof.
intros X A. apply (encloses_ext _ _ (fun k => - coefficient a k x)).
- intros k _. replace (- coefficient a k x) with (-1 * coefficient a k x) by ring. symmetry. apply (coef_scaled (Opp a) a (-1) k x); trivial. intros y Y. split; [ exact Y | cbn [ev]; ring ].
- apply (at_map I.neg Ropp); trivial; [ intros; now apply in_neg | ring ].
Qed.
Lemma list_sub a b u v : def (Sub a b) x -> lists u a -> lists v b -> lists (zip (I.sub p) u v) (Sub a b).
Proof.
intros X A B. apply (encloses_ext _ _ (fun k => coefficient a k x - coefficient b k x)).
- intros k _. rewrite (same_coefficients (Sub a b) (Add a (Opp b)) k x X), coef_add by (trivial || (intros y Y; split; [ exact Y | cbn [ev]; ring ])).
  rewrite (coef_scaled (Opp b) b (-1) k x); [ ring | intros y Y; split; [ exact Y | cbn [ev]; ring ] | apply X ].
- apply (zip_ok (I.sub p) Rminus); trivial; [ intros; now apply in_sub | intros; ring ].
Qed.
Lemma list_mul a b u v : def (Mul a b) x -> lists u a -> lists v b -> lists (products (S n) u v) (Mul a b).
Proof. intros X A B. apply (encloses_ext _ _ (conv (coefs a x) (coefs b x))); [ intros; symmetry; now apply coef_mul | now apply products_ok ]. Qed.
Lemma list_inv a u : def (Inv a) x -> lists u a -> lists (reciprocal n u) (Inv a).
Proof.
intros X A. apply (reciprocal_ok n u (coefs a x)); [ exact A | rewrite coefficient_0; apply X | now rewrite !coefficient_0 | ].
intros k. exact (coef_inv a k x X).
Qed.
Lemma list_log_slope a u : def (Inv a) x -> lists u a -> encloses n (log_slopes n u) (log_slope a x).
Proof. intros X A. apply products_ok; [ now apply slopes_ok | apply (encloses_le _ (S n)); [ lia | now apply list_inv ] ]. Qed.
Lemma list_ln a u : def (Ln a) x -> lists u a -> lists (logarithms n u) (Ln a).
Proof.
intros X A [|k] K; unfold logarithms; cbn [nth].
- rewrite coefficient_0. apply in_ln; [ apply X | now apply hd_in ].
- apply (over_indices_ok (log_slopes n u) n O (log_slope a x) (coefs (Ln a) x)); [ | | lia ].
  + apply list_log_slope; [ | exact A ]. split; [ apply X | destruct X; lra ].
  + intros j. now apply coef_ln.
Qed.
Lemma in_exp i v : inside i v -> inside (I.exp p i) (exp v).
Proof. exact (I.exp_correct p i (Xreal v)). Qed.
Lemma list_exp a u : def a x -> lists u a -> lists (exponentials n u) (Exp a).
Proof.
intros X A. apply (grown_ok n _ _ (shifted (coefs a x))); [ now apply slopes_ok | rewrite coefficient_0; cbn [ev]; now apply in_exp, hd_in | ].
intros k. now apply coef_exp.
Qed.
Lemma list_powers a u : def a x -> lists u a -> forall k, lists (powers n u k) (Nat a (Pos.to_nat k)).
Proof.
intros X A. induction k as [k IH|k IH|]; cbn [powers].
- apply (list_same _ _ (Mul a (Mul (Nat a (Pos.to_nat k)) (Nat a (Pos.to_nat k))))); [ exact X | | ].
  + intros y Y. split; [ now repeat split | ]. rewrite Pos2Nat.inj_xI. cbn [ev pow]. rewrite <- pow_add. f_equal. f_equal. lia.
  + apply list_mul; [ now repeat split | exact A | apply list_mul; trivial; now split ].
- apply (list_same _ _ (Mul (Nat a (Pos.to_nat k)) (Nat a (Pos.to_nat k)))); [ exact X | | ].
  + intros y Y. split; [ now split | ]. rewrite Pos2Nat.inj_xO. cbn [ev]. rewrite <- pow_add. f_equal. lia.
  + apply list_mul; trivial. now split.
- apply (list_same _ _ a); [ exact X | | exact A ]. intros y Y. split; [ exact Y | ]. simpl. ring.
Qed.
Lemma list_grown a e u q w : def (Inv a) x -> lists u a -> inside w q -> forall i, inside i (ev e x) ->
  (forall k, INR (S k) * coefficient e (S k) x = conv (fun j => q * log_slope a x j) (coefs e x) k) ->
  lists (grown n (map (I.mul p w) (log_slopes n u)) i) e.
Proof.
intros X A Q i H E. apply (grown_ok n _ _ (fun j => q * log_slope a x j)); [ | now rewrite coefficient_0 | exact E ].
apply (at_map (I.mul p w) (Rmult q)); [ intros; now apply in_mul | ring | now apply list_log_slope ].
Qed.
Lemma list_waves a u : def a x -> lists u a -> lists (fst (wave_lists n u)) (Sin a) /\ lists (snd (wave_lists n u)) (Cos a).
Proof.
intros X A. apply (wave_lists_ok n u (coefs a x)); trivial; try (now rewrite !coefficient_0); intros k; [ now apply coef_sin | now apply coef_cos ].
Qed.
Lemma jet_ok X e : inside X x -> def e x -> lists (jet n X e) e.
Proof.
intros Hx. induction e; intros H; cbn [jet]; cbn [def] in H; try contradiction.
- intros [|[|k]] K; rewrite coef_var; cbn [nth]; [ exact Hx | apply whole_in | ]. destruct k; apply zero_at_0.
- apply list_number; [ reflexivity | apply whole_in ].
- apply list_number; [ reflexivity | apply quotient_in ].
- apply list_number; [ reflexivity | apply I.pi_correct ].
- apply list_add; [ exact H | apply IHe1, H | apply IHe2, H ].
- apply list_sub; [ exact H | apply IHe1, H | apply IHe2, H ].
- apply list_mul; [ exact H | apply IHe1, H | apply IHe2, H ].
- apply list_opp; auto.
- apply list_inv; [ exact H | ]. now apply IHe.
- destruct n0 as [|k]; [ apply list_number; [ | apply whole_in ] | ].
  + cbn [D]. change (Z.of_nat 0) with 0%Z. unfold mul at 2. cbn [is_int Z.eqb]. reflexivity.
  + assert (E := list_powers e _ H (IHe H) (Pos.of_nat (S k))). rewrite Nat2Pos.id in E by lia. exact E.
- apply (list_grown e _ _ (IZR n0 / IZR (Zpos d))); [ split; [ apply H | destruct H; lra ] | now apply IHe | apply quotient_in | | intros k; now apply coef_pow ].
  cbn [ev]. rewrite power_pos by apply H. apply in_exp, in_mul; [ apply quotient_in | apply in_ln; [ apply H | now apply hd_in, IHe ] ].
- apply (list_grown e _ _ (1 / 2)); [ split; [ apply H | destruct H; lra ] | now apply IHe | apply (quotient_in 1 2) | | intros k; now apply coef_sqrt ].
  assert (Q := I.sqrt_correct p _ (Xreal (ev e x)) (hd_in _ _ (IHe (proj1 H)))). exact Q.
- apply list_exp; auto.
- apply list_ln; [ exact H | now apply IHe ].
- apply (list_same _ _ (Ln (Add (Int 1) e))); [ exact H | intros y Y; split; [ repeat split; apply Y | reflexivity ] | ].
  apply list_ln; [ repeat split; apply H | ]. apply list_add; [ split; [ exact I | apply H ] | apply list_number; [ reflexivity | apply whole_in ] | now apply IHe ].
- assert (P : forall y, 0 < 1 + exp (ev e y)) by (intros y; generalize (exp_pos (ev e y)); lra).
  apply (list_same _ _ (Ln (Add (Int 1) (Exp e)))); [ exact H | intros y Y; split; [ repeat split; trivial; apply P | reflexivity ] | ].
  apply list_ln; [ repeat split; trivial; apply P | ]. apply list_add; [ now split | apply list_number; [ reflexivity | apply whole_in ] | apply list_exp; auto ].
- assert (P : forall y, 1 + exp (- ev e y) <> 0) by (intros y; generalize (exp_pos (- ev e y)); lra).
  apply (list_same _ _ (Inv (Add (Int 1) (Exp (Opp e))))); [ exact H | intros y Y; split; [ repeat split; trivial; apply P | reflexivity ] | ].
  apply list_inv; [ repeat split; trivial; apply P | ]. apply list_add; [ now split | apply list_number; [ reflexivity | apply whole_in ] | apply list_exp; [ exact H | apply list_opp; auto ] ].
- apply list_waves; auto.
- apply list_waves; auto.
Qed.
End At.

(* ---- the integral ---- *)
Fixpoint antiderivative (n : nat) (k : Z) (l : list I.type) (r w : I.type) : I.type := match n with
  | O => I.div p r (whole k)
  | S n => I.add p (I.div p (hd I.zero l) (whole k)) (I.mul p w (antiderivative n (k + 1) (tl l) r w)) end.
Lemma antiderivative_ok n : forall k l r w c z v, encloses n l c -> inside r z -> inside w v ->
  inside (antiderivative n (Z.of_nat (S k)) l r w) (hsum (map (fun j => c j / INR (S (k + j))) (seq 0 n)) (z / INR (S (k + n))) v).
Proof.
induction n as [|n IH]; intros k l r w c z v L Z W; cbn [antiderivative].
- rewrite Nat.add_0_r. cbn [seq map hsum fold_right]. rewrite INR_IZR_INZ. apply in_div; [ apply IZR_neq; lia | exact Z | apply whole_in ].
- cbn [seq map hsum fold_right]. apply in_add.
  + rewrite Nat.add_0_r, INR_IZR_INZ. apply in_div; [ apply IZR_neq; lia | rewrite hd_at; apply L; lia | apply whole_in ].
  + apply in_mul; [ exact W | ]. rewrite <- seq_shift, map_map. replace (Z.of_nat (S k) + 1)%Z with (Z.of_nat (S (S k))) by lia.
    assert (H := IH (S k) (tl l) r w (fun j => c (S j)) z v). unfold hsum in H.
    replace (S (S k + n)) with (S (k + S n)) in H by lia.
    rewrite (map_ext _ (fun j => c (S j) / INR (S (S k + j)))) by (intros j; now replace (k + S j)%nat with (S k + j)%nat by lia).
    apply H; trivial. intros j J. rewrite tl_at. apply L. lia.
Qed.
Lemma integral_jet e m t : (forall z, Rmin m (m + t) <= z <= Rmax m (m + t) -> def e z) ->
  is_derive (fun t => RInt (ev e) m (m + t)) t (ev e (m + t)).
Proof.
intros H. assert (C : continuous (ev e) (m + t)) by (apply ev_continuous, H; generalize (Rmin_r m (m + t)), (Rmax_r m (m + t)); lra).
eapply is_derive_eq; [ apply (is_derive_comp (fun y => RInt (ev e) m y) (fun t => m + t) t (ev e (m + t)) 1) | apply Rmult_1_l ].
- apply (is_derive_RInt (ev e) (fun y => RInt (ev e) m y) m (m + t)); [ | exact C ].
  assert (Dt : def e (m + t)) by (apply H; generalize (Rmin_r m (m + t)), (Rmax_r m (m + t)); lra).
  destruct (def_open e (m + t) Dt) as [eps He]. exists eps. intros y Y. apply (RInt_correct (V := R_CompleteNormedModule)), (ex_RInt_continuous (V := R_CompleteNormedModule)).
  intros z Z. apply ev_continuous. destruct (Rle_or_lt (Rabs (z - (m + t))) (Rabs (y - (m + t)))) as [G|G].
  + apply He. change (Rabs (z - (m + t)) < eps). apply Rle_lt_trans with (1 := G). exact Y.
  + apply H. clear - Z G. unfold Rmin, Rmax, Rabs in *. repeat destruct Rle_dec; repeat destruct Rcase_abs; lra.
- auto_derive; [ easy | ring ].
Qed.
Lemma half_ok n e m t l r w : (forall z, Rmin m (m + t) <= z <= Rmax m (m + t) -> def e z) -> encloses (S n) l (coefs e m) ->
  (forall z, Rmin m (m + t) <= z <= Rmax m (m + t) -> inside r (coefficient e (S n) z)) -> inside w t ->
  inside (I.mul p w (antiderivative (S n) 1 l r w)) (RInt (ev e) m (m + t)).
Proof.
intros H L Q W. set (psi k t := match k with O => RInt (ev e) m (m + t) | S k => coefficient e k (m + t) / INR (S k) end).
assert (B : forall s, 0 <= s <= 1 -> Rmin m (m + t) <= m + s * t <= Rmax m (m + t)).
{ intros s Hs. destruct (Rle_or_lt 0 t) as [T|T].
  - rewrite Rmin_left, Rmax_right by lra. assert (0 <= s * t) by (apply Rmult_le_pos; lra). assert (0 <= (1 - s) * t) by (apply Rmult_le_pos; lra). lra.
  - rewrite Rmin_right, Rmax_left by lra. assert (0 <= s * - t) by (apply Rmult_le_pos; lra). assert (0 <= (1 - s) * - t) by (apply Rmult_le_pos; lra). lra. }
destruct (taylor psi (S n) t) as [z [Z E]].
{ intros k s Hs. assert (Bs := B s Hs). destruct k as [|k]; cbn [psi].
  - rewrite coefficient_0. replace (INR 1 * (ev e (m + s * t) / INR 1)) with (ev e (m + s * t)) by (simpl; field).
    apply integral_jet. intros y Y. apply H. revert Y Bs. clear. unfold Rmin, Rmax. repeat destruct Rle_dec; lra.
  - replace (INR (S (S k)) * (coefficient e (S k) (m + s * t) / INR (S (S k)))) with (coefficient e (S k) (m + s * t)) by (field; apply not_0_INR; lia).
    assert (J := coefficient_jet e k (m + s * t) (H _ Bs)). assert (N : INR (S k) <> 0) by (apply not_0_INR; lia).
    eapply is_derive_eq; [ apply (is_derive_ext (fun t => / INR (S k) * coefficient e k (m + t))); [ intros; apply Rmult_comm | ] | ].
    + apply (is_derive_scal (fun t => coefficient e k (m + t))). apply (is_derive_comp (coefficient e k) (fun t => m + t) (s * t) _ 1 J). auto_derive; [ easy | ring ].
    + unfold scal; simpl scal; cbn -[INR]. unfold mult; cbn -[INR]. real_field. exact N. }
change (psi O t) with (RInt (ev e) m (m + t)) in E. rewrite E. change (seq 0 (S (S n))) with (O :: seq 1 (S n)). cbn [map hsum fold_right].
change (psi O 0) with (RInt (ev e) m (m + 0)). rewrite Rplus_0_r, RInt_point. change (@Hierarchy.zero R_CompleteNormedModule) with 0. rewrite Rplus_0_l.
apply in_mul; [ exact W | ]. rewrite <- (seq_shift (S n) 0), map_map.
assert (P := antiderivative_ok (S n) 0 l r w (coefs e m) (coefficient e (S n) (m + z * t)) t L (Q _ (B z Z)) W). unfold hsum in P.
rewrite (map_ext _ (fun j => coefficient e j m / INR (S (0 + j)))) by (intros j; unfold psi; now rewrite Rplus_0_r). exact P.
Qed.

Definition wide (n m : Z) (d : positive) : I.type := I.join (quotient n d) (quotient m d).
Lemma wide_in n m d x : IZR n / IZR (Zpos d) <= x <= IZR m / IZR (Zpos d) -> inside (wide n m d) x.
Proof. apply join_in; apply quotient_in. Qed.
(* Whether the last coefficient leaves no more than the tolerance, for each unit of length. *)
Definition narrow (k : nat) (r w tolerance : I.type) : bool :=
  let v := I.mul p r (I.power_int p w (Z.of_nat k)) in le0 (I.sub p (I.sub p v v) tolerance).
Fixpoint integral_of (k : nat) (e : expr) (tolerance : I.type) (fuel : nat) (n m : Z) (d : positive) : I.type :=
  let b := wide n m d in let r := nth (S k) (jet (S k) b e) I.zero in let w := quotient (m - n) (2 * d) in
  let here := if I.real (iev e b) then let l := jet k (quotient (n + m) (2 * d)) e in let w' := I.neg w in
    I.sub p (I.mul p w (antiderivative (S k) 1 l r w)) (I.mul p w' (antiderivative (S k) 1 l r w')) else I.nai in
  match fuel with
  | O => here
  | S fuel => if narrow (S k) r w tolerance then here
    else I.add p (integral_of k e tolerance fuel (2 * n) (n + m) (2 * d)) (integral_of k e tolerance fuel (n + m) (2 * m) (2 * d))
  end.

Lemma unknown_in i : I.real i = false -> contains (I.convert i) Xnan.
Proof. rewrite I.real_correct. now destruct (I.convert i). Qed.
Lemma known_value i x : I.real i = true -> contains (I.convert i) x -> exists v, x = Xreal v.
Proof. rewrite I.real_correct. destruct (I.convert i); [ discriminate | ]. destruct x; [ contradiction | eauto ]. Qed.
Lemma sum_known i j (P Q : Prop) u v : (I.real i = true -> P /\ inside i u) -> (I.real j = true -> Q /\ inside j v) ->
  I.real (I.add p i j) = true -> (P /\ Q) /\ inside (I.add p i j) (u + v).
Proof.
intros A B R. assert (E : exists y, contains (I.convert j) y) by (destruct (I.real j) eqn:J; [ exists (Xreal v); now apply B | exists Xnan; now apply unknown_in ]).
destruct (I.real i) eqn:Ri; [ destruct (I.real j) eqn:Rj | ].
- destruct (A eq_refl), (B eq_refl). split; [ now split | now apply in_add ].
- destruct (known_value _ _ R (I.add_correct p i j (Xreal u) Xnan (proj2 (A eq_refl)) (unknown_in j Rj))) as [w W]. discriminate.
- destruct E as [y Y]. destruct (known_value _ _ R (I.add_correct p i j Xnan y (unknown_in i Ri) Y)) as [w W]. discriminate.
Qed.
Definition integral_known (i : I.type) (e : expr) (a b : R) := I.real i = true -> ex_RInt (ev e) a b /\ inside i (RInt (ev e) a b).
Lemma integral_here k e n m d : (n <= m)%Z -> let b := wide n m d in let r := nth (S k) (jet (S k) b e) I.zero in let w := quotient (m - n) (2 * d) in
  let l := jet k (quotient (n + m) (2 * d)) e in I.real (iev e b) = true ->
  ex_RInt (ev e) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) /\
  inside (I.sub p (I.mul p w (antiderivative (S k) 1 l r w)) (I.mul p (I.neg w) (antiderivative (S k) 1 l r (I.neg w))))
    (RInt (ev e) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d))).
Proof.
intros L x r w l R. set (a := IZR n / IZR (Zpos d)). set (b := IZR m / IZR (Zpos d)).
assert (P : 0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity). assert (P2 : IZR (Zpos (2 * d)) = 2 * IZR (Zpos d)) by (rewrite Pos2Z.inj_mul, mult_IZR; reflexivity).
assert (AB : a <= b) by (apply Rmult_le_compat_r; [ left; now apply Rinv_0_lt_compat | now apply IZR_le ]).
assert (X : forall z, a <= z <= b -> inside x z /\ def e z).
{ intros z Z. assert (Xz := wide_in n m d z Z). split; [ exact Xz | now apply (iev_ok e x z Xz) ]. }
set (c := IZR (n + m) / IZR (Zpos (2 * d))). set (t := IZR (m - n) / IZR (Zpos (2 * d))).
assert (Ec : c + t = b) by (unfold c, t, b; rewrite P2, plus_IZR, minus_IZR; field; lra). assert (Ea : c + - t = a) by (unfold c, t, a; rewrite P2, plus_IZR, minus_IZR; field; lra).
assert (Lc : encloses (S k) l (coefs e c)) by (apply jet_ok; [ apply quotient_in | apply X; lra ]).
assert (Q : forall z, a <= z <= b -> inside r (coefficient e (S k) z)) by (intros z Z; apply (jet_ok (S k) z x e); [ now apply X | now apply X | lia ]).
assert (W : inside w t) by apply quotient_in.
assert (I1 : forall y z, a <= y <= b -> a <= z <= b -> ex_RInt (ev e) y z).
{ intros y z Y Z. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros v V. apply ev_continuous, X. revert V. unfold Rmin, Rmax. destruct Rle_dec; lra. }
split; [ apply I1; lra | ].
replace (RInt (ev e) a b) with (RInt (ev e) c (c + t) - RInt (ev e) c (c + - t)).
- apply in_sub; apply (half_ok k e c); trivial; try (now apply in_neg); intros z Z; [ apply X | apply Q | apply X | apply Q ]; revert Z; unfold Rmin, Rmax; repeat destruct Rle_dec; lra.
- rewrite Ec, Ea. rewrite <- (RInt_Chasles (ev e) a c b) by (apply I1; lra). rewrite <- (opp_RInt_swap (ev e) c a) by (apply I1; lra).
  change (RInt (ev e) c b - RInt (ev e) c a = - RInt (ev e) c a + RInt (ev e) c b). ring.
Qed.
Lemma integral_of_ok k e tolerance : forall fuel n m d, (n <= m)%Z ->
  integral_known (integral_of k e tolerance fuel n m d) e (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)).
Proof.
assert (Here : forall n m d, (n <= m)%Z -> let b := wide n m d in let r := nth (S k) (jet (S k) b e) I.zero in let w := quotient (m - n) (2 * d) in
  integral_known (if I.real (iev e b) then let l := jet k (quotient (n + m) (2 * d)) e in let w' := I.neg w in
    I.sub p (I.mul p w (antiderivative (S k) 1 l r w)) (I.mul p w' (antiderivative (S k) 1 l r w')) else I.nai) e (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d))).
{ intros n m d L b r w K. destruct (I.real (iev e b)) eqn:E; [ now apply integral_here | ].
  rewrite I.real_correct, I.nai_correct in K. discriminate. }
intros fuel. induction fuel as [|fuel IH]; intros n m d L; cbn [integral_of]; [ now apply Here | ].
destruct (narrow (S k) _ _ tolerance); [ now apply Here | ]. clear Here. intros K.
assert (P : 0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity). assert (P2 : IZR (Zpos (2 * d)) = 2 * IZR (Zpos d)) by (rewrite Pos2Z.inj_mul, mult_IZR; reflexivity).
assert (A := IH (2 * n)%Z (n + m)%Z (2 * d)%positive ltac:(lia)). assert (B := IH (n + m)%Z (2 * m)%Z (2 * d)%positive ltac:(lia)).
replace (IZR (2 * n) / IZR (Zpos (2 * d))) with (IZR n / IZR (Zpos d)) in A by (rewrite P2, mult_IZR; field; lra).
replace (IZR (2 * m) / IZR (Zpos (2 * d))) with (IZR m / IZR (Zpos d)) in B by (rewrite P2, mult_IZR; field; lra).
destruct (sum_known _ _ _ _ _ _ A B K) as [[E1 E2] I1]. split; [ exact (ex_RInt_Chasles (ev e) _ _ _ E1 E2) | ].
rewrite <- (RInt_Chasles (ev e) _ _ _ E1 E2). exact I1.
Qed.
End Jets.

(* Integers of 60 bits are single words of Coq's machine. *)
Definition words := F.PtoP 60.
Definition integral_test (k : nat) (e : expr) (tn : Z) (td : positive) (fuel : nat) (n m : Z) (d : positive) (ln : Z) (ld : positive) (un : Z) (ud : positive) : bool :=
  let i := integral_of words k e (quotient words tn td) fuel n m d in
  andb (Z.leb n m) (andb (ge0 (I.sub words i (quotient words ln ld))) (ge0 (I.sub words (quotient words un ud) i))).
Theorem integral_within k e tn td fuel n m d ln ld un ud : integral_test k e tn td fuel n m d ln ld un ud = true ->
  IZR ln / IZR (Zpos ld) <= RInt (ev e) (IZR n / IZR (Zpos d)) (IZR m / IZR (Zpos d)) <= IZR un / IZR (Zpos ud).
Proof.
unfold integral_test. set (i := integral_of _ _ _ _ _ _ _ _). intros H. apply andb_prop in H. destruct H as [L H]. apply andb_prop in H. destruct H as [A B].
apply Z.leb_le in L. assert (K := integral_of_ok words k e (quotient words tn td) fuel n m d L). fold i in K. unfold integral_known in K.
destruct (I.real i) eqn:E.
- destruct (K eq_refl) as [_ J]. assert (A' := ge0_ok _ _ A (in_sub words _ _ _ _ J (quotient_in words ln ld))). assert (B' := ge0_ok _ _ B (in_sub words _ _ _ _ (quotient_in words un ud) J)). lra.
- destruct (ge0_X _ Xnan A) as [v [W _]]; [ | discriminate ].
  exact (I.sub_correct words i _ Xnan (Xreal (IZR ln / IZR (Zpos ld))) (unknown_in i E) (quotient_in words ln ld)).
Qed.
