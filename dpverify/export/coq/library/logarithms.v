(* ==== Logarithms: `lg` takes the logarithm of a generator apart (products, powers, and sums over their first
   term, so that exponentials never meet as such), and `norm` does so with the logarithms inside it, right by
   `split_ok`; `lin` lets equal terms cancel. *)
(* ---- linear combinations, so that equal terms cancel ---- *)
Definition expr_eq_dec : forall a b : expr, {a = b} + {a <> b}.
Proof. decide equality; try apply Z.eq_dec; try apply Pos.eq_dec; try apply Bool.bool_dec; apply PeanoNat.Nat.eq_dec. Defined.
Definition combination := list (Q * expr).
Fixpoint total (l : combination) (x : R) : R := match l with nil => 0 | (q, e) :: l => Q2R q * ev e x + total l x end.
Fixpoint gather (q : Q) (e : expr) (l : combination) : combination := match l with
  | nil => (q, e) :: nil
  | (p, a) :: l => if expr_eq_dec a e then (Qred (p + q), a) :: l else (p, a) :: gather q e l end.
Fixpoint collect (q : Q) (e : expr) (l : combination) : combination := match e with
  | Add a b => collect q b (collect q a l)
  | Sub a b => collect (Qred (- q)) b (collect q a l)
  | Opp a => collect (Qred (- q)) a l
  | Int n => gather (Qred (q * (n # 1))) (Int 1) l
  | Rat n d => gather (Qred (q * (n # d))) (Int 1) l
  | Mul (Int n) a => collect (Qred (q * (n # 1))) a l
  | Mul (Rat n d) a => collect (Qred (q * (n # d))) a l
  | _ => gather q e l end.
Definition scaled (q : Q) (e : expr) : expr := match q with
  | 1%Z # 1 => e | (-1)%Z # 1 => opp e | n # 1 => mul (Int n) e | n # d => mul (Rat n d) e end.
Fixpoint build (l : combination) : expr := match l with
  | nil => Int 0
  | (q, e) :: l => if Qeq_bool q 0 then build l else add (scaled q e) (build l) end.
Definition lin (e : expr) : expr := build (collect 1 e nil).

Lemma gather_ok q e l x : total (gather q e l) x = Q2R q * ev e x + total l x.
Proof. induction l as [|[p a] l IH]; simpl; [ ring | ]. destruct expr_eq_dec as [->|_]; simpl.
- rewrite Qred_R, Q2R_plus. ring.
- rewrite IH. ring. Qed.
Lemma collect_ok e : forall q l x, total (collect q e l) x = Q2R q * ev e x + total l x.
Proof. induction e; intros q l x; cbn [collect]; try (rewrite gather_ok; reflexivity).
- rewrite gather_ok, Qred_R, Q2R_mult, Q2R_int. simpl. ring.
- rewrite gather_ok, Qred_R, Q2R_mult. simpl. change (Q2R (n # d)) with (IZR n / IZR (Zpos d)). ring.
- rewrite IHe2, IHe1. simpl. ring.
- rewrite IHe2, IHe1, Qred_R, Q2R_opp. simpl. ring.
- destruct e1; try (rewrite gather_ok; reflexivity); rewrite IHe2, Qred_R, Q2R_mult, ?Q2R_int; simpl; [ ring | ].
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

(* ---- e and log e, rewritten; with [split] a sum with exponentials is e^u + e^v = e^u (1 + e^(v - u)) ---- *)
Fixpoint has_exp (e : expr) : bool := match e with
  | Exp _ => true | Add a b | Sub a b | Mul a b => orb (has_exp a) (has_exp b)
  | Opp a | Inv a | Nat a _ | Pow a _ _ | Sqrt a => has_exp a | _ => false end.
(* ... that may grow: no minus stands before the exponent. *)
Fixpoint has_growth (e : expr) : bool := match e with
  | Exp (Opp _) => false
  | Exp (Mul (Int n) _) | Exp (Mul (Rat n _) _) => Z.leb 0 n
  | Exp _ => true | Add a b | Sub a b | Mul a b => orb (has_growth a) (has_growth b)
  | Opp a | Inv a | Nat a _ | Pow a _ _ | Sqrt a => has_growth a | _ => false end.
Definition logistic_of (e : expr) : option expr := match e with
  | Add (Int 1) (Exp v) | Add (Exp v) (Int 1) => Some (opp v) | _ => None end.
Fixpoint both (s : bool) (e : expr) : expr * expr := match e with
  | Int n => (e, if Z.eqb n 1 then Int 0 else Ln e)
  | Var | Rat _ _ | Pi | Max _ _ | Floor _ | Less _ _ _ _ _ => (e, Ln e)
  | Add a b => let (na, la) := both s a in let (nb, lb) := both s b in
    (Add na nb, if andb s (has_exp e) then Add la (Soft (lin (Sub lb la))) else Ln (Add na nb))
  | Sub a b => let (na, la) := both s a in let (nb, lb) := both s b in
    (Sub na nb, if andb s (has_exp e) then Add la (Ln1p (Opp (Exp (lin (Sub lb la))))) else Ln (Sub na nb))
  | Mul a b => let (na, la) := both s a in let (nb, lb) := both s b in (Mul na nb, Add la lb)
  | Opp a => let (na, la) := both s a in (Opp na, Ln (Opp na))
  | Inv a => let (na, la) := both s a in
    (match logistic_of na with Some v => Logi v | None => if andb s (has_growth a) then Exp (Opp la) else Inv na end, Opp la)
  | Nat a n => let (na, la) := both s a in (Nat na n, Mul (Int (Z.of_nat n)) la)
  | Pow a n d => let (na, la) := both s a in (Pow na n d, Mul (Rat n d) la)
  | Sqrt a => let (na, la) := both s a in (Sqrt na, Mul (Rat 1 2) la)
  | Exp a => let (na, _) := both s a in (Exp na, na)
  | Ln a => let (na, la) := both s a in let l := if andb s (has_growth a) then la else Ln na in (l, Ln l)
  | Ln1p a => let (na, la) := both s a in let l := if andb s (has_growth a) then Soft la else Ln1p na in (l, Ln l)
  | Soft a => let (na, _) := both s a in (Soft na, Ln (Soft na))
  | Logi a => let (na, _) := both s a in (Logi na, Opp (Soft (Opp na)))
  | Sin a => let (na, _) := both s a in (Sin na, Ln (Sin na))
  | Cos a => let (na, _) := both s a in (Cos na, Ln (Cos na)) end.
Definition norm s e := fst (both s e).
Definition lg s e := snd (both s e).
(* What must be defined for that: for `norm`, and for `lg`. *)
Fixpoint needs (s : bool) (e : expr) : list expr * list expr := match e with
  | Var | Int _ | Rat _ _ | Pi | Max _ _ | Floor _ | Less _ _ _ _ _ => (nil, nil)
  | Add a b | Sub a b => let (ca, da) := needs s a in let (cb, db) := needs s b in
    (ca ++ cb, if andb s (has_exp e) then lg s b :: da ++ db else ca ++ cb)
  | Mul a b => let (ca, da) := needs s a in let (cb, db) := needs s b in (ca ++ cb, da ++ db)
  | Opp a | Exp a | Soft a | Logi a | Sin a | Cos a => let (ca, _) := needs s a in (ca, ca)
  | Inv a => let (ca, da) := needs s a in (if andb s (has_growth a) then lg s a :: da ++ ca else ca, da)
  | Nat a _ | Pow a _ _ | Sqrt a => needs s a
  | Ln a | Ln1p a => let (ca, da) := needs s a in let c := if andb s (has_growth a) then lg s a :: da else ca in (c, c) end.
Definition sides s e := snd (needs s e).

Lemma exp_mult_nat u n : exp (IZR (Z.of_nat n) * u) = exp u ^ n.
Proof. rewrite <- INR_IZR_INZ. induction n as [|n IH]; [ simpl; rewrite Rmult_0_l; apply exp_0 | ].
rewrite S_INR. simpl. rewrite <- IH, <- exp_plus. f_equal. ring. Qed.
Lemma logistic_of_ok e v x : logistic_of e = Some v -> / ev e x = / (1 + exp (- ev v x)).
Proof. unfold logistic_of. destruct e as [| | | |a b| | | | | | | | | | | | | | | | |]; try discriminate. destruct a as [|n| | | | | | | | | | |u| | | | | | | | |]; try discriminate.
- destruct n as [|[n|n|]|n]; try discriminate. destruct b as [| | | | | | | | | | | |u| | | | | | | | |]; try discriminate. intros E; injection E as <-. rewrite opp_ok. cbn [ev]. now rewrite Ropp_involutive.
- destruct b as [|n| | | | | | | | | | | | | | | | | | | |]; try discriminate. destruct n as [|[n|n|]|n]; try discriminate. intros E; injection E as <-. rewrite opp_ok. cbn [ev]. now rewrite Ropp_involutive, Rplus_comm. Qed.

Definition all_def (l : list expr) (x : R) : Prop := forall a, In a l -> def a x.
Lemma all_app l r x : all_def (l ++ r) x -> all_def l x /\ all_def r x.
Proof. intros H. split; intros a A; apply H, in_or_app; auto. Qed.
Lemma all_cons e r x : all_def (e :: r) x -> def e x /\ all_def r x.
Proof. intros H. split; [ apply H; now left | intros a A; apply H; now right ]. Qed.
Lemma split_ok s e x : 0 < x ->
  (all_def (fst (needs s e)) x -> ev (norm s e) x = ev e x) /\
  (def (lg s e) x -> all_def (snd (needs s e)) x -> exp (ev (lg s e) x) = ev e x).
Proof.
intros X. assert (Leaf : forall n e, ev n x = ev e x -> def (Ln n) x -> exp (ev (Ln n) x) = ev e x).
{ intros n a <- [_ P]. now apply exp_ln. }
unfold norm, lg. induction e; cbn [needs both].
- split; [ easy | ]. intros H _. now apply (Leaf Var Var).
- split; [ easy | ]. destruct (Z.eqb_spec n 1) as [->|_]; [ intros _ _; apply exp_0 | ]. intros H _. now apply (Leaf (Int n) (Int n)).
- split; [ easy | ]. intros H _. now apply (Leaf (Rat n d) (Rat n d)).
- split; [ easy | ]. intros H _. now apply (Leaf Pi Pi).
- unfold lg. destruct (needs s e1) as [c1 d1], (needs s e2) as [c2 d2], (both s e1) as [n1 l1], (both s e2) as [n2 l2]. cbn [fst snd ev] in *.
  destruct IHe1 as [N1 L1], IHe2 as [N2 L2].
  assert (N : all_def (c1 ++ c2) x -> ev n1 x + ev n2 x = ev e1 x + ev e2 x) by (intros H; apply all_app in H; destruct H; now rewrite N1, N2).
  split; [ exact N | ]. destruct (andb s _); cbn [snd]; intros H S; [ | now apply (Leaf (Add n1 n2) (Add e1 e2)); [ apply N | ] ].
  apply all_cons in S. destruct S as [S2 S]. apply all_app in S. destruct S as [S1 S3]. destruct H as [H1 H2].
  assert (A := L1 H1 S1). assert (B := L2 S2 S3). assert (P : 0 < ev e1 x) by (rewrite <- A; apply exp_pos). assert (Q : 0 < ev e2 x) by (rewrite <- B; apply exp_pos).
  cbn [ev]. rewrite lin_ok, exp_plus. cbn [ev]. unfold Rminus. rewrite exp_ln by (assert (K := exp_pos (ev l2 x + - ev l1 x)); lra). rewrite exp_plus, exp_Ropp, A, B. field. lra.
- unfold lg. destruct (needs s e1) as [c1 d1], (needs s e2) as [c2 d2], (both s e1) as [n1 l1], (both s e2) as [n2 l2]. cbn [fst snd ev] in *.
  destruct IHe1 as [N1 L1], IHe2 as [N2 L2].
  assert (N : all_def (c1 ++ c2) x -> ev n1 x - ev n2 x = ev e1 x - ev e2 x) by (intros H; apply all_app in H; destruct H; now rewrite N1, N2).
  split; [ exact N | ]. destruct (andb s _); cbn [snd]; intros H S; [ | now apply (Leaf (Sub n1 n2) (Sub e1 e2)); [ apply N | ] ].
  apply all_cons in S. destruct S as [S2 S]. apply all_app in S. destruct S as [S1 S3]. destruct H as [H1 [H2 H3]].
  assert (A := L1 H1 S1). assert (B := L2 S2 S3). assert (P : 0 < ev e1 x) by (rewrite <- A; apply exp_pos).
  cbn [ev] in *. rewrite exp_plus, exp_ln by exact H3. rewrite lin_ok. cbn [ev]. unfold Rminus. rewrite exp_plus, exp_Ropp, A, B. field. lra.
- destruct (needs s e1) as [c1 d1], (needs s e2) as [c2 d2], (both s e1) as [n1 l1], (both s e2) as [n2 l2]. cbn [fst snd ev] in *.
  destruct IHe1 as [N1 L1], IHe2 as [N2 L2]. split.
  + intros H; apply all_app in H; destruct H. now rewrite N1, N2.
  + intros [H1 H2] S. apply all_app in S. destruct S. now rewrite exp_plus, L1, L2.
- destruct (needs s e) as [c d], (both s e) as [n l]. cbn [fst snd ev] in *. destruct IHe as [N L]. split; [ intros H; now rewrite N | ].
  intros H S. apply (Leaf (Opp n) (Opp e)); [ cbn [ev]; now rewrite N | exact H ].
- unfold lg. destruct (needs s e) as [c d], (both s e) as [n l]. cbn [fst snd ev] in *. destruct IHe as [N L]. split.
  + intros H. assert (C : all_def c x) by (destruct (andb s _); [ apply all_cons in H; destruct H as [_ H]; now apply all_app in H | exact H ]).
    destruct (logistic_of n) as [v|] eqn:V; [ cbn [ev]; rewrite <- (logistic_of_ok n v x V); now rewrite N | ].
    destruct (andb s _); [ | cbn [ev]; now rewrite N ]. apply all_cons in H. destruct H as [H1 H]. apply all_app in H. destruct H as [H2 _].
    cbn [ev]. now rewrite exp_Ropp, L.
  + intros H S. now rewrite exp_Ropp, L.
- destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; [ intros H; now rewrite N | ].
  intros H S. rewrite exp_mult_nat, L; auto; apply H.
- destruct (needs s e) as [c d'], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; [ intros H; now rewrite N | ].
  intros H S. assert (A : exp (ev l x) = ev e x) by (apply L; [ apply H | exact S ]).
  rewrite power_pos by (rewrite <- A; apply exp_pos). rewrite <- A, ln_exp. reflexivity.
- destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; [ intros H; now rewrite N | ].
  intros H S. assert (A : exp (ev l x) = ev e x) by (apply L; [ apply H | exact S ]).
  rewrite <- A. rewrite <- Rpower_sqrt by apply exp_pos. unfold Rpower. rewrite ln_exp. f_equal. simpl. field.
- destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; intros; now rewrite N.
- unfold lg. destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L].
  assert (K : all_def (if andb s (has_growth e) then l :: d else c) x -> ev (if andb s (has_growth e) then l else Ln m) x = ln (ev e x)).
  { destruct (andb s _); intros H; [ | cbn [ev]; now rewrite N ]. apply all_cons in H. destruct H. now rewrite <- L, ln_exp. }
  split; [ exact K | ]. intros H S. apply (Leaf _ (Ln e)); [ now apply K | exact H ].
- unfold lg. destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L].
  assert (K : all_def (if andb s (has_growth e) then l :: d else c) x -> ev (if andb s (has_growth e) then Soft l else Ln1p m) x = ln (1 + ev e x)).
  { destruct (andb s _); intros H; [ | cbn [ev]; now rewrite N ]. apply all_cons in H. destruct H. cbn [ev]. now rewrite <- L. }
  split; [ exact K | ]. intros H S. apply (Leaf _ (Ln1p e)); [ now apply K | exact H ].
- destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; [ intros; now rewrite N | ].
  intros H S. apply (Leaf (Soft m) (Soft e)); [ cbn [ev]; now rewrite N | exact H ].
- destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; [ intros; now rewrite N | ].
  intros H S. rewrite exp_Ropp, exp_ln, N; [ reflexivity | exact S | ]. assert (P := exp_pos (- ev m x)). lra.
- destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; [ intros; now rewrite N | ].
  intros H S. apply (Leaf (Sin m) (Sin e)); [ cbn [ev]; now rewrite N | exact H ].
- destruct (needs s e) as [c d], (both s e) as [m l]. cbn [fst snd ev def] in *. destruct IHe as [N L]. split; [ intros; now rewrite N | ].
  intros H S. apply (Leaf (Cos m) (Cos e)); [ cbn [ev]; now rewrite N | exact H ].
- split; [ easy | ]. intros [[] _].
- split; [ easy | ]. intros [[] _].
- split; [ easy | ]. intros [[] _].
Qed.
Lemma lg_ok s e x : 0 < x -> def (lg s e) x -> (forall a, In a (sides s e) -> def a x) -> exp (ev (lg s e) x) = ev e x.
Proof. intros X. now apply split_ok. Qed.
