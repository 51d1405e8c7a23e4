(* ==== Logarithms: `lg` takes the logarithm of a generator apart (products, powers, and sums over their first
   term, so that exponentials never meet as such), right by `lg_ok`; `lin` lets equal terms cancel. *)
(* ---- linear combinations, so that equal terms cancel ---- *)
Definition expr_eq_dec : forall a b : expr, {a = b} + {a <> b}.
Proof. decide equality; try apply Z.eq_dec; try apply Pos.eq_dec; apply PeanoNat.Nat.eq_dec. Defined.
Definition combination := list (Q * expr).
Fixpoint total (l : combination) (x : R) : R := match l with nil => 0 | (q, e) :: l => Q2R q * ev e x + total l x end.
Fixpoint insert (q : Q) (e : expr) (l : combination) : combination := match l with
  | nil => (q, e) :: nil
  | (p, a) :: l => if expr_eq_dec a e then (Qred (p + q), a) :: l else (p, a) :: insert q e l end.
Fixpoint collect (q : Q) (e : expr) (l : combination) : combination := match e with
  | Add a b => collect q b (collect q a l)
  | Sub a b => collect (Qred (- q)) b (collect q a l)
  | Opp a => collect (Qred (- q)) a l
  | Int n => insert (Qred (q * (n # 1))) (Int 1) l
  | Rat n d => insert (Qred (q * (n # d))) (Int 1) l
  | Mul (Int n) a => collect (Qred (q * (n # 1))) a l
  | Mul (Rat n d) a => collect (Qred (q * (n # d))) a l
  | _ => insert q e l end.
Definition scaled (q : Q) (e : expr) : expr := match q with
  | 1%Z # 1 => e | (-1)%Z # 1 => opp e | n # 1 => mul (Int n) e | n # d => mul (Rat n d) e end.
Fixpoint build (l : combination) : expr := match l with
  | nil => Int 0
  | (q, e) :: l => if Qeq_bool q 0 then build l else add (scaled q e) (build l) end.
Definition lin (e : expr) : expr := build (collect 1 e nil).

Lemma insert_ok q e l x : total (insert q e l) x = Q2R q * ev e x + total l x.
Proof. induction l as [|[p a] l IH]; simpl; [ ring | ]. destruct expr_eq_dec as [->|_]; simpl.
- rewrite Qred_R, Q2R_plus. ring.
- rewrite IH. ring. Qed.
Lemma Q2R_int n : Q2R (n # 1) = IZR n. Proof. unfold Q2R. simpl. field. Qed.
Lemma collect_ok e : forall q l x, total (collect q e l) x = Q2R q * ev e x + total l x.
Proof. induction e; intros q l x; cbn [collect]; try (rewrite insert_ok; reflexivity).
- rewrite insert_ok, Qred_R, Q2R_mult, Q2R_int. simpl. ring.
- rewrite insert_ok, Qred_R, Q2R_mult. simpl. change (Q2R (n # d)) with (IZR n / IZR (Zpos d)). ring.
- rewrite IHe2, IHe1. simpl. ring.
- rewrite IHe2, IHe1, Qred_R, Q2R_opp. simpl. ring.
- destruct e1; try (rewrite insert_ok; reflexivity); rewrite IHe2, Qred_R, Q2R_mult, ?Q2R_int; simpl; [ ring | ].
  change (Q2R (n # d)) with (IZR n / IZR (Zpos d)). ring.
- rewrite IHe, Qred_R, Q2R_opp. simpl. ring. Qed.
Lemma scaled_ok q e x : ev (scaled q e) x = Q2R q * ev e x.
Proof. destruct q as [n d]. unfold scaled.
assert (G : ev (mul (Rat n d) e) x = Q2R (n # d) * ev e x) by (rewrite mul_ok; reflexivity).
assert (G1 : ev (mul (Int n) e) x = Q2R (n # 1) * ev e x) by (rewrite mul_ok, Q2R_int; reflexivity).
destruct n as [|[n|n|]|[n|n|]], d; try exact G; try exact G1; rewrite Q2R_int; rewrite ?opp_ok; ring. Qed.
Lemma build_ok l x : ev (build l) x = total l x.
Proof. induction l as [|[q e] l IH]; [ reflexivity | ]. cbn [build total]. destruct (Qeq_bool q 0) eqn:E.
- apply Qeq_bool_eq, Qeq_eqR in E. rewrite IH, E, Q2R_0. ring.
- rewrite add_ok, scaled_ok, IH. reflexivity. Qed.
Lemma lin_ok e x : ev (lin e) x = ev e x.
Proof. unfold lin. rewrite build_ok, collect_ok, Q2R_1. simpl. ring. Qed.

(* ---- the logarithm of a generator; with [split], the logarithm of a sum is taken over its first term ---- *)
Fixpoint has_exp (e : expr) : bool := match e with
  | Exp _ => true | Add a b | Sub a b | Mul a b => orb (has_exp a) (has_exp b)
  | Opp a | Inv a | Nat a _ | Pow a _ _ | Sqrt a => has_exp a | _ => false end.
Fixpoint lg (split : bool) (e : expr) : expr := match e with
  | Exp a => a
  | Int 1 => Int 0
  | Mul a b => Add (lg split a) (lg split b)
  | Inv a => Opp (lg split a)
  | Nat a n => Mul (Int (Z.of_nat n)) (lg split a)
  | Pow a n d => Mul (Rat n d) (lg split a)
  | Sqrt a => Mul (Rat 1 2) (lg split a)
  | Add a b => if andb split (has_exp e) then Add (lg split a) (Ln1p (Exp (lin (Sub (lg split b) (lg split a)))))
    else match a with Int 1 => Ln1p b | _ => Ln e end
  | Sub a b => if andb split (has_exp e) then Add (lg split a) (Ln1p (Opp (Exp (lin (Sub (lg split b) (lg split a)))))) else Ln e
  | _ => Ln e end.
Fixpoint sides (split : bool) (e : expr) : list expr := match e with
  | Mul a b => sides split a ++ sides split b
  | Inv a | Nat a _ | Pow a _ _ | Sqrt a => sides split a
  | Add a b | Sub a b => if andb split (has_exp e) then lg split b :: sides split a ++ sides split b else nil
  | _ => nil end.

Lemma exp_mult_nat u n : exp (IZR (Z.of_nat n) * u) = exp u ^ n.
Proof. rewrite <- INR_IZR_INZ. induction n as [|n IH]; [ simpl; rewrite Rmult_0_l; apply exp_0 | ].
rewrite S_INR. simpl. rewrite <- IH, <- exp_plus. f_equal. ring. Qed.

Lemma lg_ok s e x : 0 < x -> def (lg s e) x -> (forall a, In a (sides s e) -> def a x) -> exp (ev (lg s e) x) = ev e x.
Proof.
intros X. induction e; cbn [lg sides def ev]; intros H S.
- now apply exp_ln.
- destruct n as [|[n|n|]|n]; try (apply exp_ln; apply H). simpl. apply exp_0.
- apply exp_ln. apply H.
- apply exp_ln. apply H.
- destruct (andb s (has_exp (Add e1 e2))); [ | destruct e1; try (apply exp_ln; apply H); destruct n as [|[n|n|]|n]; apply exp_ln; apply H ].
  cbn [def ev] in *. destruct H as [H1 [H2 H3]].
  assert (A : exp (ev (lg s e1) x) = ev e1 x) by (apply IHe1; [ exact H1 | intros a Ha; apply S; right; apply in_or_app; auto ]).
  assert (B : exp (ev (lg s e2) x) = ev e2 x) by (apply IHe2; [ apply S; left; reflexivity | intros a Ha; apply S; right; apply in_or_app; auto ]).
  assert (P : 0 < ev e1 x) by (rewrite <- A; apply exp_pos).
  rewrite exp_plus, exp_ln by exact H3. rewrite lin_ok. cbn [ev]. unfold Rminus. rewrite exp_plus, exp_Ropp, A, B. field. lra.
- destruct (andb s (has_exp (Sub e1 e2))); [ | apply exp_ln; apply H ].
  cbn [def ev] in *. destruct H as [H1 [H2 H3]].
  assert (A : exp (ev (lg s e1) x) = ev e1 x) by (apply IHe1; [ exact H1 | intros a Ha; apply S; right; apply in_or_app; auto ]).
  assert (B : exp (ev (lg s e2) x) = ev e2 x) by (apply IHe2; [ apply S; left; reflexivity | intros a Ha; apply S; right; apply in_or_app; auto ]).
  assert (P : 0 < ev e1 x) by (rewrite <- A; apply exp_pos).
  rewrite exp_plus, exp_ln by exact H3. rewrite lin_ok. cbn [ev]. unfold Rminus. rewrite exp_plus, exp_Ropp, A, B. field. lra.
- destruct H as [H1 H2]. rewrite exp_plus, IHe1, IHe2; auto; intros a Ha; apply S, in_or_app; auto.
- apply exp_ln. apply H.
- rewrite exp_Ropp, IHe; auto.
- rewrite exp_mult_nat, IHe; auto; apply H.
- assert (A : exp (ev (lg s e) x) = ev e x) by (apply IHe; [ apply H | exact S ]).
  rewrite power_pos by (rewrite <- A; apply exp_pos). rewrite <- A, ln_exp. reflexivity.
- assert (A : exp (ev (lg s e) x) = ev e x) by (apply IHe; [ apply H | exact S ]).
  rewrite <- A. rewrite <- Rpower_sqrt by apply exp_pos. unfold Rpower. rewrite ln_exp. f_equal. simpl. field.
- reflexivity.
- apply exp_ln. apply H.
- apply exp_ln. apply H.
Qed.
