(* ==== Expressions: real functions as data, what they mean (ev), where every step of them is defined and
   smooth (def), an enclosure over an interval (iev, right by iev_ok), and their derivative (D, right by D_ok). *)
Module F := SpecificFloat BigIntRadix2.
Module I := FloatIntervalFull F.

Definition prec := F.PtoP 90.
Notation inside i x := (contains (I.convert i) (Xreal x)).

Inductive expr :=
  | Var | Int (n : Z) | Rat (n : Z) (d : positive) | Pi
  | Add (a b : expr) | Sub (a b : expr) | Mul (a b : expr) | Opp (a : expr) | Inv (a : expr)
  | Nat (a : expr) (n : nat) | Pow (a : expr) (n : Z) (d : positive) | Sqrt (a : expr)
  | Exp (a : expr) | Ln (a : expr) | Ln1p (a : expr)
  | Soft (a : expr)  (* ln (1 + e^a) *) | Logi (a : expr)  (* 1 / (1 + e^-a), its derivative in a *)
  | Sin (a : expr) | Cos (a : expr)
  (* What is not smooth: to be resolved on each of the pieces between two radii. *)
  | Max (a b : expr) | Floor (a : expr) | Less (strict : bool) (u v a b : expr)  (* a where u < v, or u <= v, and else b *).

Fixpoint ev (e : expr) (x : R) : R :=
  match e with
  | Var => x
  | Int n => IZR n
  | Rat n d => IZR n / IZR (Zpos d)
  | Pi => PI
  | Add a b => ev a x + ev b x
  | Sub a b => ev a x - ev b x
  | Mul a b => ev a x * ev b x
  | Opp a => - ev a x
  | Inv a => / ev a x
  | Nat a n => ev a x ^ n
  | Pow a n d => power (ev a x) (IZR n / IZR (Zpos d))
  | Sqrt a => sqrt (ev a x)
  | Exp a => exp (ev a x)
  | Ln a => ln (ev a x)
  | Ln1p a => ln (1 + ev a x)
  | Soft a => ln (1 + exp (ev a x))
  | Logi a => / (1 + exp (- ev a x))
  | Sin a => sin (ev a x)
  | Cos a => cos (ev a x)
  | Max a b => Rmax (ev a x) (ev b x)
  | Floor a => IZR (Int_part (ev a x))
  | Less strict u v a b => if strict then if Rlt_dec (ev u x) (ev v x) then ev a x else ev b x
    else if Rle_dec (ev u x) (ev v x) then ev a x else ev b x
  end.

(* Where every step of e is defined and smooth. *)
Fixpoint def (e : expr) (x : R) : Prop :=
  match e with
  | Var | Int _ | Rat _ _ | Pi => True
  | Add a b | Sub a b | Mul a b => def a x /\ def b x
  | Opp a | Nat a _ | Exp a | Soft a | Logi a | Sin a | Cos a => def a x
  | Max _ _ | Floor _ | Less _ _ _ _ _ => False
  | Inv a => def a x /\ ev a x <> 0
  | Pow a _ _ | Sqrt a | Ln a => def a x /\ 0 < ev a x
  | Ln1p a => def a x /\ 0 < 1 + ev a x
  end.

Definition gt0 i := match I.sign_strict i with Xgt => true | _ => false end.
Definition lt0 i := match I.sign_strict i with Xlt => true | _ => false end.
Definition ge0 i := match I.sign_large i with Xgt | Xeq => true | _ => false end.
Definition le0 i := match I.sign_large i with Xlt | Xeq => true | _ => false end.

Lemma gt0_X i x : gt0 i = true -> contains (I.convert i) x -> exists v, x = Xreal v /\ 0 < v.
Proof. unfold gt0. generalize (I.sign_strict_correct i). destruct I.sign_strict; try discriminate.
intros H _ K. destruct (H x K). eauto. Qed.
Lemma lt0_X i x : lt0 i = true -> contains (I.convert i) x -> exists v, x = Xreal v /\ v < 0.
Proof. unfold lt0. generalize (I.sign_strict_correct i). destruct I.sign_strict; try discriminate.
intros H _ K. destruct (H x K). eauto. Qed.
Lemma ge0_X i x : ge0 i = true -> contains (I.convert i) x -> exists v, x = Xreal v /\ 0 <= v.
Proof. unfold ge0. generalize (I.sign_large_correct i). destruct I.sign_large; try discriminate.
- intros H _ K. specialize (H x K). exists 0. split; [ assumption | lra ].
- intros H _ K. destruct (H x K). eauto. Qed.
Lemma le0_X i x : le0 i = true -> contains (I.convert i) x -> exists v, x = Xreal v /\ v <= 0.
Proof. unfold le0. generalize (I.sign_large_correct i). destruct I.sign_large; try discriminate.
- intros H _ K. specialize (H x K). exists 0. split; [ assumption | lra ].
- intros H _ K. destruct (H x K). eauto. Qed.
Lemma gt0_ok i x : gt0 i = true -> inside i x -> 0 < x.
Proof. intros H K. destruct (gt0_X _ _ H K) as [v [E P]]. injection E; intros; subst; easy. Qed.
Lemma lt0_ok i x : lt0 i = true -> inside i x -> x < 0.
Proof. intros H K. destruct (lt0_X _ _ H K) as [v [E P]]. injection E; intros; subst; easy. Qed.
Lemma ge0_ok i x : ge0 i = true -> inside i x -> 0 <= x.
Proof. intros H K. destruct (ge0_X _ _ H K) as [v [E P]]. injection E; intros; subst; easy. Qed.
Lemma le0_ok i x : le0 i = true -> inside i x -> x <= 0.
Proof. intros H K. destruct (le0_X _ _ H K) as [v [E P]]. injection E; intros; subst; easy. Qed.

Definition point (n : Z) (d : positive) : I.type :=
  match d with 1%positive => I.fromZ prec n | _ => I.div prec (I.fromZ prec n) (I.fromZ prec (Zpos d)) end.

Lemma point_ok n d : inside (point n d) (IZR n / IZR (Zpos d)).
Proof.
assert (G : inside (I.div prec (I.fromZ prec n) (I.fromZ prec (Zpos d))) (IZR n / IZR (Zpos d))).
{ replace (Xreal (IZR n / IZR (Zpos d))) with (Xdiv (Xreal (IZR n)) (Xreal (IZR (Zpos d)))).
  - apply I.div_correct; apply I.fromZ_correct.
  - simpl. unfold Xdiv'. case is_zero_spec; intros H; [ | reflexivity ]. exfalso. apply (IZR_neq (Zpos d) 0); [ easy | exact H ]. }
unfold point. destruct d; try exact G.
replace (IZR n / 1) with (IZR n) by field. apply I.fromZ_correct.
Qed.

Fixpoint xev (e : expr) (x : ExtendedR) : ExtendedR :=
  match e with
  | Var => x
  | Int n => Xmask (Xreal (IZR n)) x
  | Rat n d => Xmask (Xreal (IZR n / IZR (Zpos d))) x
  | Pi => Xmask (Xreal PI) x
  | Add a b => Xadd (xev a x) (xev b x)
  | Sub a b => Xsub (xev a x) (xev b x)
  | Mul a b => Xmul (xev a x) (xev b x)
  | Opp a => Xneg (xev a x)
  | Inv a => Xinv (xev a x)
  | Nat a n => Xpower_int (xev a x) (Z.of_nat n)
  | Pow a n d => Xexp (Xmul (Xreal (IZR n / IZR (Zpos d))) (Xln (xev a x)))
  | Sqrt a => Xmask (Xsqrt (xev a x)) (Xln (xev a x))
  | Exp a => Xexp (xev a x)
  | Ln a => Xln (xev a x)
  | Ln1p a => Xln (Xadd (Xreal 1) (xev a x))
  | Soft a => Xln (Xadd (Xreal 1) (Xexp (xev a x)))
  | Logi a => Xinv (Xadd (Xreal 1) (Xexp (Xneg (xev a x))))
  | Sin a => Xsin (xev a x)
  | Cos a => Xcos (xev a x)
  | Max _ _ | Floor _ | Less _ _ _ _ _ => Xnan
  end.

Fixpoint iev (e : expr) (x : I.type) : I.type :=
  match e with
  | Var => x
  | Int n => I.mask (I.fromZ prec n) x
  | Rat n d => I.mask (point n d) x
  | Pi => I.mask (I.pi prec) x
  | Add a b => I.add prec (iev a x) (iev b x)
  | Sub a b => I.sub prec (iev a x) (iev b x)
  | Mul a b => I.mul prec (iev a x) (iev b x)
  | Opp a => I.neg (iev a x)
  | Inv a => I.inv prec (iev a x)
  | Nat a n => I.power_int prec (iev a x) (Z.of_nat n)
  | Pow a n d => I.exp prec (I.mul prec (point n d) (I.ln prec (iev a x)))
  | Sqrt a => let i := iev a x in if gt0 i then I.sqrt prec i else I.nai
  | Exp a => I.exp prec (iev a x)
  | Ln a => I.ln prec (iev a x)
  | Ln1p a => I.ln prec (I.add prec (I.fromZ prec 1) (iev a x))
  | Soft a => I.ln prec (I.add prec (I.fromZ prec 1) (I.exp prec (iev a x)))
  | Logi a => I.inv prec (I.add prec (I.fromZ prec 1) (I.exp prec (I.neg (iev a x))))
  | Sin a => I.sin prec (iev a x)
  | Cos a => I.cos prec (iev a x)
  | Max _ _ | Floor _ | Less _ _ _ _ _ => I.nai
  end.

Lemma iev_xev e i x : contains (I.convert i) x -> contains (I.convert (iev e i)) (xev e x).
Proof.
intros H. induction e; cbn [iev xev].
- exact H.
- apply I.mask_correct; [ apply I.fromZ_correct | exact H ].
- apply I.mask_correct; [ apply point_ok | exact H ].
- apply I.mask_correct; [ apply I.pi_correct | exact H ].
- now apply I.add_correct.
- now apply I.sub_correct.
- now apply I.mul_correct.
- now apply I.neg_correct.
- now apply I.inv_correct.
- apply (I.power_int_correct prec (Z.of_nat n)). exact IHe.
- apply I.exp_correct, I.mul_correct; [ apply point_ok | now apply I.ln_correct ].
- destruct (gt0 (iev e i)) eqn:G; [ | now rewrite I.nai_correct ].
  assert (S := I.sqrt_correct prec _ _ IHe).
  destruct (gt0_X _ _ G IHe) as [v [E P]]. rewrite E in *. simpl in *. unfold Xln'.
  case is_positive_spec; intros; [ exact S | lra ].
- now apply I.exp_correct.
- now apply I.ln_correct.
- apply I.ln_correct, I.add_correct; [ apply I.fromZ_correct | exact IHe ].
- apply I.ln_correct, I.add_correct; [ apply I.fromZ_correct | now apply I.exp_correct ].
- apply I.inv_correct, I.add_correct; [ apply I.fromZ_correct | now apply I.exp_correct, I.neg_correct ].
- now apply I.sin_correct.
- now apply I.cos_correct.
- now rewrite I.nai_correct.
- now rewrite I.nai_correct.
- now rewrite I.nai_correct.
Qed.

Lemma xev_ok e x v : xev e (Xreal x) = Xreal v -> def e x /\ ev e x = v.
Proof.
revert v. induction e; intros v; cbn [xev def ev].
- intros E; injection E; auto.
- intros E; injection E; auto.
- intros E; injection E; auto.
- intros E; injection E; auto.
- destruct (xev e1) as [|u]; [ discriminate | ]. destruct (xev e2) as [|w]; [ discriminate | ]. simpl.
  intros E; injection E as <-. destruct (IHe1 _ eq_refl) as [? <-], (IHe2 _ eq_refl) as [? <-]. auto.
- destruct (xev e1) as [|u]; [ discriminate | ]. destruct (xev e2) as [|w]; [ discriminate | ]. simpl.
  intros E; injection E as <-. destruct (IHe1 _ eq_refl) as [? <-], (IHe2 _ eq_refl) as [? <-]. auto.
- destruct (xev e1) as [|u]; [ discriminate | ]. destruct (xev e2) as [|w]; [ discriminate | ]. simpl.
  intros E; injection E as <-. destruct (IHe1 _ eq_refl) as [? <-], (IHe2 _ eq_refl) as [? <-]. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. simpl.
  intros E; injection E as <-. destruct (IHe _ eq_refl) as [? <-]. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl. unfold Xinv'.
  case is_zero_spec; [ discriminate | ]. intros N E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl.
  destruct n; simpl; intros E; injection E as <-; [ auto | ]. now rewrite SuccNat2Pos.id_succ.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl. unfold Xln'.
  case is_positive_spec; [ | discriminate ]. intros P E; injection E as <-. split; [ auto | ].
  unfold power. destruct Rlt_dec; [ reflexivity | contradiction ].
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl. unfold Xln'.
  case is_positive_spec; [ | discriminate ]. intros P E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl.
  intros E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl. unfold Xln'.
  case is_positive_spec; [ | discriminate ]. intros P E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl. unfold Xln'.
  case is_positive_spec; [ | discriminate ]. intros P E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl. unfold Xln'.
  case is_positive_spec; [ | discriminate ]. intros P E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl. unfold Xinv'.
  case is_zero_spec; [ discriminate | ]. intros P E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl.
  intros E; injection E as <-. auto.
- destruct (xev e) as [|u]; [ discriminate | ]. destruct (IHe _ eq_refl) as [? <-]. simpl.
  intros E; injection E as <-. auto.
- discriminate.
- discriminate.
- discriminate.
Qed.

(* An interval that is not "unknown" says that the value exists. *)
Lemma iev_ok e i x : inside i x -> I.real (iev e i) = true -> def e x /\ inside (iev e i) (ev e x).
Proof.
intros H K. assert (C := iev_xev e i _ H). rewrite I.real_correct in K.
destruct (xev e (Xreal x)) as [|v] eqn:E.
- exfalso. destruct (I.convert (iev e i)); [ discriminate | exact C ].
- destruct (xev_ok _ _ _ E) as [D <-]. auto.
Qed.

Lemma iev_sign e i x : inside i x -> forall v, xev e (Xreal x) = Xreal v -> inside (iev e i) v.
Proof. intros H v <-. now apply iev_xev. Qed.

(* Derivatives. *)
Definition is_int (e : expr) (k : Z) := match e with Int n => Z.eqb n k | _ => false end.
Definition add a b := if is_int a 0 then b else if is_int b 0 then a else Add a b.
Definition mul a b :=
  if is_int a 0 then Int 0 else if is_int b 0 then Int 0 else if is_int a 1 then b else if is_int b 1 then a else Mul a b.
Definition opp a := if is_int a 0 then a else match a with Opp b => b | _ => Opp a end.

Lemma is_int_ok e k x : is_int e k = true -> ev e x = IZR k.
Proof. destruct e; try discriminate. simpl. intros H. apply Z.eqb_eq in H. now subst. Qed.
Lemma add_ok a b x : ev (add a b) x = ev a x + ev b x.
Proof. unfold add. destruct (is_int a 0) eqn:E; [ rewrite (is_int_ok _ _ x E); lra | ].
destruct (is_int b 0) eqn:G; [ rewrite (is_int_ok _ _ x G); lra | reflexivity ]. Qed.
Lemma mul_ok a b x : ev (mul a b) x = ev a x * ev b x.
Proof. unfold mul. destruct (is_int a 0) eqn:E; [ rewrite (is_int_ok _ _ x E); simpl; lra | ].
destruct (is_int b 0) eqn:G; [ rewrite (is_int_ok _ _ x G); simpl; lra | ].
destruct (is_int a 1) eqn:E1; [ rewrite (is_int_ok _ _ x E1); lra | ].
destruct (is_int b 1) eqn:G1; [ rewrite (is_int_ok _ _ x G1); lra | reflexivity ]. Qed.
Lemma opp_ok a x : ev (opp a) x = - ev a x.
Proof. unfold opp. destruct (is_int a 0) eqn:E; [ rewrite (is_int_ok _ _ x E); lra | ].
destruct a; try reflexivity. simpl. lra. Qed.

Fixpoint D (e : expr) : expr :=
  match e with
  | Var => Int 1
  | Int _ | Rat _ _ | Pi => Int 0
  | Add a b => add (D a) (D b)
  | Sub a b => add (D a) (opp (D b))
  | Mul a b => add (mul (D a) b) (mul a (D b))
  | Opp a => opp (D a)
  | Inv a => opp (mul (D a) (Nat (Inv a) 2))
  | Nat a n => mul (mul (Int (Z.of_nat n)) (D a)) (match pred n with 0%nat => Int 1 | 1%nat => a | m => Nat a m end)
  | Pow a n d => mul (mul (Rat n d) (D a)) (Pow a (n - Zpos d) d)
  | Sqrt a => mul (D a) (Inv (Mul (Int 2) (Sqrt a)))
  | Exp a => mul (D a) (Exp a)
  | Ln a => mul (D a) (Inv a)
  | Ln1p a => mul (D a) (Inv (Add (Int 1) a))
  | Soft a => mul (D a) (Logi a)
  | Logi a => mul (D a) (Mul (Logi a) (Logi (Opp a)))
  | Sin a => mul (D a) (Cos a)
  | Cos a => opp (mul (D a) (Sin a))
  | Max _ _ | Floor _ | Less _ _ _ _ _ => Int 0
  end.

Lemma power_pos x p : 0 < x -> power x p = exp (p * ln x).
Proof. intros. unfold power. destruct Rlt_dec; [ reflexivity | contradiction ]. Qed.

Lemma D_ok e x : def e x -> is_derive (ev e) x (ev (D e) x).
Proof.
induction e; cbn [def ev D].
- intros _. apply @is_derive_id.
- intros _. apply @is_derive_const.
- intros _. apply @is_derive_const.
- intros _. apply @is_derive_const.
- intros [A B]. rewrite add_ok. apply (is_derive_plus (ev e1) (ev e2)); auto.
- intros [A B]. rewrite add_ok, opp_ok. apply (is_derive_minus (ev e1) (ev e2)); auto.
- intros [A B]. rewrite add_ok, !mul_ok. apply (is_derive_mult (K := R_AbsRing) (ev e1) (ev e2) x); auto. intros; apply Rmult_comm.
- intros A. rewrite opp_ok. apply (is_derive_opp (ev e)); auto.
- intros [A B]. rewrite opp_ok, mul_ok. cbn [ev].
  replace (- (ev (D e) x * (/ ev e x) ^ 2)) with (- ev (D e) x / ev e x ^ 2) by (field; exact B).
  apply is_derive_inv; auto.
- intros A. rewrite !mul_ok. cbn [ev].
  replace (ev match pred n with 0%nat => Int 1 | 1%nat => e | S (S _) as m => Nat e m end x) with (ev e x ^ pred n).
  + rewrite <- INR_IZR_INZ. apply is_derive_pow; auto.
  + destruct (pred n) as [|[|m]]; simpl; ring.
- intros [A B]. rewrite !mul_ok. cbn [ev].
  set (p := IZR n / IZR (Zpos d)).
  assert (N : IZR (Zpos d) <> 0) by (apply IZR_neq; easy).
  assert (L : is_derive (fun t => exp (p * ln (ev e t))) x (scal (scal (ev (D e) x) (p * / ev e x)) (exp (p * ln (ev e x))))).
  { apply (is_derive_comp exp (fun t => p * ln (ev e t))); [ apply is_derive_exp | ].
    apply (is_derive_comp (fun u => p * ln u) (ev e)); [ | auto ].
    apply (is_derive_ext (fun u => scal p (ln u))); [ reflexivity | ]. apply @is_derive_scal. now apply is_derive_ln. }
  apply is_derive_ext_loc with (fun t => exp (p * ln (ev e t))).
  + assert (C : continuous (ev e) x) by (apply @ex_derive_continuous; eexists; apply (IHe A)).
    assert (Q : locally x (fun t => 0 < ev e t)) by exact (C _ (open_gt 0 _ B)).
    revert Q. apply filter_imp. intros t Ht. now rewrite power_pos.
  + replace (p * ev (D e) x * power (ev e x) (IZR (n - Zpos d) / IZR (Zpos d))) with
      (scal (scal (ev (D e) x) (p * / ev e x)) (exp (p * ln (ev e x)))); [ exact L | ].
    unfold scal; simpl; unfold mult; simpl. rewrite power_pos by exact B.
    replace (IZR (n - Zpos d) / IZR (Zpos d)) with (p - 1) by (rewrite minus_IZR; unfold p; field; exact N).
    replace ((p - 1) * ln (ev e x)) with (p * ln (ev e x) + - ln (ev e x)) by ring.
    rewrite exp_plus, exp_Ropp, exp_ln by exact B. ring.
- intros [A B]. rewrite mul_ok. cbn [ev]. apply is_derive_sqrt; auto.
- intros A. rewrite mul_ok. apply (is_derive_comp exp (ev e)); [ apply is_derive_exp | auto ].
- intros [A B]. rewrite mul_ok. apply (is_derive_comp ln (ev e)); [ now apply is_derive_ln | auto ].
- intros [A B]. rewrite mul_ok. apply (is_derive_comp ln (fun t => 1 + ev e t)); [ now apply is_derive_ln | ].
  replace (ev (D e) x) with (0 + ev (D e) x) by ring.
  apply (is_derive_plus (fun _ => 1) (ev e)); [ apply @is_derive_const | auto ].
- intros A. rewrite mul_ok. apply (is_derive_comp (fun u => ln (1 + exp u)) (ev e)); [ | auto ]. cbn [ev].
  assert (0 < exp (ev e x)) by apply exp_pos. auto_derive; [ lra | ]. rewrite exp_Ropp. field. repeat split; lra.
- intros A. rewrite mul_ok. apply (is_derive_comp (fun u => / (1 + exp (- u))) (ev e)); [ | auto ]. cbn [ev].
  assert (0 < exp (ev e x)) by apply exp_pos. assert (0 < / exp (ev e x)) by now apply Rinv_0_lt_compat.
  rewrite Ropp_involutive. auto_derive; rewrite ?exp_Ropp; [ lra | ]. field. repeat split; lra.
- intros A. rewrite mul_ok. apply (is_derive_comp sin (ev e)); [ apply is_derive_sin | auto ].
- intros A. rewrite opp_ok, mul_ok. cbn [ev]. replace (- (ev (D e) x * sin (ev e x))) with (scal (ev (D e) x) (- sin (ev e x))) by (unfold scal; simpl; unfold mult; simpl; ring).
  apply (is_derive_comp cos (ev e)); [ apply is_derive_cos | auto ].
- easy.
- easy.
- easy.
Qed.

(* Where e is defined and smooth, so is its derivative. *)
Lemma def_add a b x : def a x -> def b x -> def (add a b) x.
Proof. unfold add. intros. destruct (is_int a 0); [ assumption | ]. destruct (is_int b 0); [ assumption | now split ]. Qed.
Lemma def_mul a b x : def a x -> def b x -> def (mul a b) x.
Proof. unfold mul. intros. repeat match goal with |- context [ if ?c then _ else _ ] => destruct c end; try assumption; try exact I; now split. Qed.
Lemma def_opp a x : def a x -> def (opp a) x.
Proof. unfold opp. intros. destruct (is_int a 0); [ assumption | ]. destruct a; assumption || exact H. Qed.
Lemma def_D e x : def e x -> def (D e) x.
Proof.
induction e; cbn [def D]; intros H; try exact I; try (destruct H as [H K]); repeat (apply def_add || apply def_mul || apply def_opp); cbn [def ev]; auto.
- destruct (pred n) as [|[|k]]; exact I || exact H.
- split; [ split; [ exact I | now split ] | ]. assert (P := sqrt_lt_R0 _ K). lra.
- split; [ exact H | lra ].
- split; [ now split | lra ].
Qed.

(* Substitution. *)
Fixpoint subst (e v : expr) : expr :=
  match e with
  | Var => v
  | Int n => Int n | Rat n d => Rat n d | Pi => Pi
  | Add a b => Add (subst a v) (subst b v) | Sub a b => Sub (subst a v) (subst b v) | Mul a b => Mul (subst a v) (subst b v)
  | Opp a => Opp (subst a v) | Inv a => Inv (subst a v) | Nat a n => Nat (subst a v) n
  | Pow a n d => Pow (subst a v) n d | Sqrt a => Sqrt (subst a v) | Exp a => Exp (subst a v) | Ln a => Ln (subst a v) | Ln1p a => Ln1p (subst a v)
  | Soft a => Soft (subst a v) | Logi a => Logi (subst a v) | Sin a => Sin (subst a v) | Cos a => Cos (subst a v)
  | Max a b => Max (subst a v) (subst b v) | Floor a => Floor (subst a v) | Less s p q a b => Less s (subst p v) (subst q v) (subst a v) (subst b v)
  end.
Lemma subst_ok e v x : ev (subst e v) x = ev e (ev v x).
Proof. induction e; simpl; try congruence. rewrite IHe1, IHe2, IHe3, IHe4. reflexivity. Qed.
Lemma subst_def e v x : def v x -> def e (ev v x) -> def (subst e v) x.
Proof. intros V. induction e; simpl; rewrite ?subst_ok; intuition. Qed.
Lemma subst_def' e v x : def (subst e v) x -> def e (ev v x).
Proof. induction e; simpl; rewrite ?subst_ok; intuition. Qed.

(* Where e is defined, it is so near by. *)
Lemma ev_continuous e x : def e x -> continuous (ev e) x.
Proof. intros H. apply @ex_derive_continuous. eexists. now apply D_ok. Qed.
Lemma near_pos e x : def e x -> 0 < ev e x -> locally x (fun t => 0 < ev e t).
Proof. intros H P. exact (ev_continuous e x H _ (open_gt 0 _ P)). Qed.
Lemma def_open e x : def e x -> locally x (def e).
Proof.
induction e; cbn [def]; intros H; try (apply filter_forall; easy); try (now apply IHe); try (destruct H; apply filter_and; now auto).
- destruct H as [H N]. apply filter_and; [ now apply IHe | ]. exact (ev_continuous e x H _ (open_neq 0 _ N)).
- destruct H as [H N]. apply filter_and; [ now apply IHe | now apply near_pos ].
- destruct H as [H N]. apply filter_and; [ now apply IHe | now apply near_pos ].
- destruct H as [H N]. apply filter_and; [ now apply IHe | now apply near_pos ].
- destruct H as [H N]. apply filter_and; [ now apply IHe | ]. now apply (near_pos (Add (Int 1) e)).
Qed.
