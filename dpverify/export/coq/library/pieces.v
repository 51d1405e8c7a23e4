(* ==== Pieces: between two rational radii Max, floor and comparisons are resolved, by the sign of a x^k + b, and what
   is left is smooth.  Where f does not rise anywhere, the pieces are joined: f falls, and its loss is bounded. *)
(* ---- a x^k + b ---- *)
Definition binomial_term : Set := (Q * nat * Q)%type.
Definition bval (p : binomial_term) (x : R) : R := let '(a, k, b) := p in Q2R a * x ^ S k + Q2R b.
Definition badd (p q : binomial_term) : option binomial_term := let '(a, k, b) := p in let '(c, j, d) := q in
  if is0 a then Some (c, j, qplus b d) else if is0 c then Some (a, k, qplus b d) else if Nat.eqb k j then Some (qplus a c, k, qplus b d) else None.
Definition bopp (p : binomial_term) : binomial_term := let '(a, k, b) := p in ((- a)%Q, k, (- b)%Q).
Definition bmul (p q : binomial_term) : option binomial_term := let '(a, k, b) := p in let '(c, j, d) := q in
  if is0 a then Some (qmult b c, j, qmult b d) else if is0 c then Some (qmult d a, k, qmult d b) else None.
Definition lift2 (op : binomial_term -> binomial_term -> option binomial_term) p q := match p, q with Some p, Some q => op p q | _, _ => None end.
Fixpoint poly (e : expr) : option binomial_term := match e with
  | Var => Some (1, 0%nat, 0)%Q
  | Int n => Some (0, 0%nat, n # 1)%Q
  | Rat n d => Some (0, 0%nat, n # d)%Q
  | Nat Var (S k) => Some (1, k, 0)%Q
  | Add a b => lift2 badd (poly a) (poly b)
  | Sub a b => lift2 badd (poly a) (option_map bopp (poly b))
  | Mul a b => lift2 bmul (poly a) (poly b)
  | Opp a => option_map bopp (poly a)
  | _ => None end.
Lemma badd_ok p q r x : badd p q = Some r -> bval r x = bval p x + bval q x.
Proof. destruct p as [[a k] b], q as [[c j] d]. unfold badd. destruct (is0 a) eqn:A; [ | destruct (is0 c) eqn:C; [ | destruct (Nat.eqb_spec k j) as [->|]; [ | discriminate ] ] ];
intros E; injection E as <-; unfold bval; rewrite !qplus_R, ?(is0_ok _ A), ?(is0_ok _ C); ring. Qed.
Lemma bopp_ok p x : bval (bopp p) x = - bval p x.
Proof. destruct p as [[a k] b]. unfold bval, bopp. rewrite !Q2R_opp. ring. Qed.
Lemma bmul_ok p q r x : bmul p q = Some r -> bval r x = bval p x * bval q x.
Proof. destruct p as [[a k] b], q as [[c j] d]. unfold bmul. destruct (is0 a) eqn:A; [ | destruct (is0 c) eqn:C; [ | discriminate ] ];
intros E; injection E as <-; unfold bval; rewrite !qmult_R, ?(is0_ok _ A), ?(is0_ok _ C); ring. Qed.
Lemma poly_ok e x : forall p, poly e = Some p -> bval p x = ev e x.
Proof. induction e; cbn [poly ev]; intros p E; try discriminate.
- injection E as <-. unfold bval. rewrite Q2R_0, Q2R_1. simpl. ring.
- injection E as <-. unfold bval. rewrite Q2R_0, Q2R_int. simpl. ring.
- injection E as <-. unfold bval. rewrite Q2R_0. unfold Q2R. cbn [Qnum Qden]. unfold Rdiv. ring.
- destruct (poly e1) as [q|], (poly e2) as [r|]; try discriminate. rewrite (badd_ok _ _ _ x E), (IHe1 q), (IHe2 r); reflexivity.
- destruct (poly e1) as [q|], (poly e2) as [r|]; try discriminate. rewrite (badd_ok _ _ _ x E), bopp_ok, (IHe1 q), (IHe2 r); reflexivity.
- destruct (poly e1) as [q|], (poly e2) as [r|]; try discriminate. rewrite (bmul_ok _ _ _ x E), (IHe1 q), (IHe2 r); reflexivity.
- destruct (poly e) as [q|]; try discriminate. injection E as <-. rewrite bopp_ok, (IHe q); reflexivity.
- destruct e; try discriminate. destruct n as [|k]; [ discriminate | ]. injection E as <-. unfold bval. rewrite Q2R_0, Q2R_1. cbn [ev]. ring.
Qed.

(* ---- its sign between two radii, the second of them perhaps infinite ---- *)
Fixpoint qpow (q : Q) (k : nat) : Q := match k with O => 1%Q | S k => qmult q (qpow q k) end.
Lemma qpow_R q k : Q2R (qpow q k) = Q2R q ^ k.
Proof. induction k as [|k IH]; simpl; [ apply Q2R_1 | now rewrite qmult_R, IH ]. Qed.
Definition bat (p : binomial_term) (q : Q) : Q := let '(a, k, b) := p in qplus (qmult a (qpow q (S k))) b.
Lemma bat_R p q : Q2R (bat p q) = bval p (Q2R q).
Proof. destruct p as [[a k] b]. unfold bat, bval. now rewrite qplus_R, qmult_R, qpow_R. Qed.
Lemma pow_less s t k : 0 <= s < t -> s ^ S k < t ^ S k.
Proof. intros H. induction k as [|k IH]; [ simpl; lra | ]. cbn [pow] in *.
assert (0 <= s * s ^ k) by (apply Rmult_le_pos; [ lra | apply pow_le; lra ]).
apply Rle_lt_trans with (s * (t * t ^ k)); [ apply Rmult_le_compat_l; lra | apply Rmult_lt_compat_r; lra ]. Qed.
Definition neg (q : Q) : bool := Z.leb (Qnum q) 0.
Definition strictly (q : Q) : bool := Z.ltb (Qnum q) 0.
Lemma neg_ok q : neg q = true -> Q2R q <= 0.
Proof. unfold neg, Q2R. intros H. apply Z.leb_le, IZR_le in H. assert (0 < / IZR (Zpos (Qden q))) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity).
apply Rmult_le_0_r; lra. Qed.
Lemma strictly_ok q : strictly q = true -> Q2R q < 0.
Proof. unfold strictly, Q2R. intros H. apply Z.ltb_lt, IZR_lt in H. assert (0 < / IZR (Zpos (Qden q))) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity).
assert (0 < - IZR (Qnum q) * / IZR (Zpos (Qden q))) by (apply Rmult_lt_0_compat; lra). lra. Qed.

Section Between.
Variables (lo : Q) (hi : option Q).
(* x is within, and at an end only where that is marked. *)
Definition within (L Rt : bool) (x : R) : Prop := 0 <= Q2R lo <= x /\ (x = Q2R lo -> L = true) /\
  match hi with Some h => x <= Q2R h /\ (x = Q2R h -> Rt = true) | None => True end.
(* a x^k + b <= 0 everywhere, and < 0 but at the marked ends. *)
Definition not_positive (p : binomial_term) : bool := andb (neg (bat p lo)) (match hi with Some h => neg (bat p h) | None => neg (fst (fst p)) end).
Definition below_within (p : binomial_term) : bool := andb (not_positive p) (orb (negb (is0 (fst (fst p)))) (strictly (bat p lo))).
Lemma not_positive_ok p x : within true true x -> not_positive p = true -> bval p x <= 0.
Proof. destruct p as [[a k] b]. unfold not_positive. intros [X [_ W]] H. apply andb_prop in H. destruct H as [L H]. apply neg_ok in L. rewrite bat_R in L. cbn [bval] in *.
assert (P : Q2R lo ^ S k <= x ^ S k) by (apply pow_incr; lra). destruct (Rle_or_lt 0 (Q2R a)) as [A|A].
- destruct hi as [h|].
  + apply neg_ok in H. rewrite bat_R in H. cbn [bval] in H. assert (x ^ S k <= Q2R h ^ S k) by (apply pow_incr; lra).
    assert (Q2R a * x ^ S k <= Q2R a * Q2R h ^ S k) by (apply Rmult_le_compat_l; lra). lra.
  + apply neg_ok in H. cbn [fst] in H. assert (Q2R a = 0) by lra. rewrite H0 in *. lra.
- assert (0 <= - Q2R a * (x ^ S k - Q2R lo ^ S k)) by (apply Rmult_le_pos; lra). lra. Qed.
Lemma below_within_ok p x : within false false x -> below_within p = true -> bval p x < 0.
Proof. destruct p as [[a k] b]. unfold below_within. intros [X [W1 W2]] H. apply andb_prop in H. destruct H as [H S].
assert (Lx : Q2R lo < x) by (destruct (Rle_lt_or_eq_dec _ _ (proj2 X)) as [K|K]; [ exact K | symmetry in K; now apply W1 in K ]).
assert (P : Q2R lo ^ Datatypes.S k < x ^ Datatypes.S k) by (apply pow_less; lra).
assert (N : bval (a, k, b) (Q2R lo) <= 0). { unfold not_positive in H. apply andb_prop in H. destruct H as [L _]. apply neg_ok in L. now rewrite bat_R in L. }
cbn [bval] in *. destruct (Rtotal_order (Q2R a) 0) as [A|[A|A]].
- assert (0 < - Q2R a * (x ^ Datatypes.S k - Q2R lo ^ Datatypes.S k)) by (apply Rmult_lt_0_compat; lra). lra.
- apply Bool.orb_prop in S. destruct S as [S|S].
  + exfalso. cbn [fst] in S. unfold is0, Q2R in *. destruct (Z.eqb_spec (Qnum a) 0) as [E|E]; [ discriminate | ]. apply E, eq_IZR.
    apply Rmult_integral in A. destruct A as [A|A]; [ exact A | ]. exfalso. revert A. apply Rinv_neq_0_compat, IZR_neq. easy.
  + apply strictly_ok in S. rewrite bat_R in S. cbn [bval] in S. rewrite A in *. lra.
- unfold not_positive in H. apply andb_prop in H. destruct H as [_ H]. destruct hi as [h|].
  + apply neg_ok in H. rewrite bat_R in H. cbn [bval] in H. destruct W2 as [W2 W3].
    assert (Hx : x < Q2R h) by (destruct (Rle_lt_or_eq_dec _ _ W2) as [K|K]; [ exact K | now apply W3 in K ]).
    assert (Ph : x ^ Datatypes.S k < Q2R h ^ Datatypes.S k) by (apply pow_less; lra).
    assert (Q2R a * x ^ Datatypes.S k < Q2R a * Q2R h ^ Datatypes.S k) by (apply Rmult_lt_compat_l; lra). lra.
  + apply neg_ok in H. cbn [fst] in H. lra. Qed.
(* The same at an end, exactly. *)
Definition at_lo (test : Q -> bool) (p : binomial_term) : bool := test (bat p lo).
Definition at_hi (test : Q -> bool) (p : binomial_term) : bool := match hi with Some h => test (bat p h) | None => true end.
Lemma everywhere_within (P : R -> Prop) (L Rt : bool) x : (within false false x -> P x) -> (L = true -> P (Q2R lo)) ->
  (match hi with Some h => Rt = true -> P (Q2R h) | None => True end) -> within L Rt x -> P x.
Proof. intros A B C [X [W1 W2]]. destruct (Req_dec x (Q2R lo)) as [->|N]; [ apply B, W1; reflexivity | ].
destruct hi as [h|] eqn:Eh; [ destruct (Req_dec x (Q2R h)) as [->|M]; [ apply C, W2; reflexivity | ] | ].
- apply A. split; [ exact X | ]. rewrite Eh. split; [ contradiction | ]. split; [ apply W2 | contradiction ].
- apply A. split; [ exact X | ]. rewrite Eh. split; [ contradiction | exact I ]. Qed.

(* e without Max, floor and comparisons, and whether it is the same at the two ends too. *)
Definition resolved : Set := (expr * bool * bool)%type.
Definition unary (f : expr -> expr) (a : option resolved) : option resolved := match a with Some (a, l, r) => Some (f a, l, r) | None => None end.
Definition binary (f : expr -> expr -> expr) (a b : option resolved) : option resolved := match a, b with
  | Some (a, l, r), Some (b, l', r') => Some (f a b, andb l l', andb r r') | _, _ => None end.
Definition also (l r : bool) (a : option resolved) : option resolved := match a with Some (a, l', r') => Some (a, andb l l', andb r r') | None => None end.
Definition shifted_b (p : binomial_term) (z : Z) : binomial_term := let '(a, k, b) := p in (a, k, qplus b (z # 1)).
Fixpoint resolve (e : expr) : option resolved := match e with
  | Var | Int _ | Rat _ _ | Pi => Some (e, true, true)
  | Add a b => binary Add (resolve a) (resolve b)
  | Sub a b => binary Sub (resolve a) (resolve b)
  | Mul a b => binary Mul (resolve a) (resolve b)
  | Opp a => unary Opp (resolve a)
  | Inv a => unary Inv (resolve a)
  | Nat a n => unary (fun a => Nat a n) (resolve a)
  | Pow a n d => unary (fun a => Pow a n d) (resolve a)
  | Sqrt a => unary Sqrt (resolve a)
  | Exp a => unary Exp (resolve a)
  | Ln a => unary Ln (resolve a)
  | Ln1p a => unary Ln1p (resolve a)
  | Soft a => unary Soft (resolve a)
  | Logi a => unary Logi (resolve a)
  | Sin a => unary Sin (resolve a)
  | Cos a => unary Cos (resolve a)
  | Max a b => match poly (Sub a b) with
    | Some p => if not_positive p then resolve b else if not_positive (bopp p) then resolve a else None
    | None => None end
  | Floor a => match poly a with
    | Some p => let z := Z.min (Qfloor (bat p lo)) (match hi with Some h => Qfloor (bat p h) | None => Qfloor (bat p lo) end) in
      let over := shifted_b p (- (z + 1)) in
      if andb (not_positive (bopp (shifted_b p (- z)))) (below_within over) then Some (Int z, at_lo strictly over, at_hi strictly over) else None
    | None => None end
  | Less s u v a b => match poly (Sub u v) with
    | Some p => if below_within p then also (at_lo (if s then strictly else neg) p) (at_hi (if s then strictly else neg) p) (resolve a)
      else if below_within (bopp p) then also (at_lo (if s then neg else strictly) (bopp p)) (at_hi (if s then neg else strictly) (bopp p)) (resolve b) else None
    | None => None end
  end.
Lemma floor_is x z : IZR z <= x < IZR (z + 1) -> IZR (Int_part x) = IZR z.
Proof. intros [A B]. f_equal. destruct (base_Int_part x) as [C D].
assert (E : (Int_part x < z + 1)%Z) by (apply lt_IZR; lra). assert (G : (z - 1 < Int_part x)%Z) by (apply lt_IZR; rewrite minus_IZR; lra). lia. Qed.
Lemma within_and l l' r r' x : within (andb l l') (andb r r') x -> within l r x /\ within l' r' x.
Proof. intros [X [A B]]. assert (A1 : x = Q2R lo -> l = true /\ l' = true) by (intros E; now apply andb_prop, A).
unfold within. destruct hi as [h|]; [ destruct B as [B C]; assert (C1 : x = Q2R h -> r = true /\ r' = true) by (intros E; now apply andb_prop, C) | ];
intuition. Qed.
Lemma within_all l r x : within l r x -> within true true x.
Proof. unfold within. destruct hi; intuition. Qed.
Lemma within_open l r x : within false false x -> within l r x.
Proof. unfold within. destruct hi; intuition; exfalso; intuition. Qed.
Lemma shifted_b_ok p z x : bval (shifted_b p z) x = bval p x + IZR z.
Proof. destruct p as [[a k] b]. unfold bval, shifted_b. rewrite qplus_R, Q2R_int. ring. Qed.
Lemma resolve_ok e : forall e' l r, resolve e = Some (e', l, r) -> forall x, within l r x -> ev e x = ev e' x.
Proof.
induction e; cbn [resolve]; intros e' l' r' E x W;
try (injection E as <- <- <-; reflexivity);
try (destruct (resolve e) as [[[a l] r]|]; [ | discriminate ]; injection E as <- <- <-; cbn [ev]; now rewrite (IHe a l r eq_refl x W));
try (destruct (resolve e1) as [[[a l] r]|]; [ | discriminate ]; destruct (resolve e2) as [[[b l2] r2]|]; [ | discriminate ]; injection E as <- <- <-;
  apply within_and in W; destruct W as [W1 W2]; cbn [ev]; now rewrite (IHe1 a l r eq_refl x W1), (IHe2 b l2 r2 eq_refl x W2)).
- cbn [ev]. destruct (poly (Sub e1 e2)) as [p|] eqn:P; [ | discriminate ]. assert (V := poly_ok _ x p P). cbn [ev] in V.
  destruct (not_positive p) eqn:N; [ | destruct (not_positive (bopp p)) eqn:N2; [ | discriminate ] ].
  + assert (K := not_positive_ok p x (within_all _ _ _ W) N). rewrite Rmax_right by lra. now apply (IHe2 e' l' r').
  + assert (K := not_positive_ok _ x (within_all _ _ _ W) N2). rewrite bopp_ok in K. rewrite Rmax_left by lra. now apply (IHe1 e' l' r').
- cbn [ev]. destruct (poly e) as [p|] eqn:P; [ | discriminate ]. set (z := Z.min _ _) in E. set (over := shifted_b p (- (z + 1))) in E.
  destruct (andb _ _) eqn:B; [ | discriminate ]. apply andb_prop in B. destruct B as [B1 B2]. injection E as <- <- <-. cbn [ev].
  rewrite <- (poly_ok _ x p P). apply floor_is. split.
  + assert (K := not_positive_ok _ x (within_all _ _ _ W) B1). rewrite bopp_ok, shifted_b_ok, opp_IZR in K. lra.
  + assert (K : bval over x < 0); [ | unfold over in K; rewrite shifted_b_ok, opp_IZR in K; lra ].
    apply (everywhere_within (fun x => bval over x < 0) (at_lo strictly over) (at_hi strictly over)); trivial.
    * intros O. now apply below_within_ok.
    * unfold at_lo. intros S. apply strictly_ok in S. now rewrite bat_R in S.
    * unfold at_hi. destruct hi as [h|]; [ | exact I ]. intros S. apply strictly_ok in S. now rewrite bat_R in S.
- destruct (poly (Sub e1 e2)) as [p|] eqn:P; [ | discriminate ]. assert (V := fun x => poly_ok _ x p P). cbn [ev] in V.
  destruct (below_within p) eqn:B; [ | destruct (below_within (bopp p)) eqn:B2; [ | discriminate ] ].
  + unfold also in E. destruct (resolve e3) as [[[a l] r]|]; [ | discriminate ]. injection E as <- <- <-. apply within_and in W. destruct W as [W1 W2].
    rewrite <- (IHe3 a l r eq_refl x W2). cbn [ev].
    assert (K : if strict then ev e1 x < ev e2 x else ev e1 x <= ev e2 x).
    { apply (everywhere_within (fun x => if strict then ev e1 x < ev e2 x else ev e1 x <= ev e2 x) (at_lo (if strict then strictly else neg) p) (at_hi (if strict then strictly else neg) p)); trivial.
      - intros O. assert (K := below_within_ok p x O B). rewrite V in K. destruct strict; lra.
      - unfold at_lo. destruct strict; intros S; [ apply strictly_ok in S | apply neg_ok in S ]; rewrite bat_R, V in S; lra.
      - unfold at_hi. destruct hi as [h|]; [ | exact I ]. destruct strict; intros S; [ apply strictly_ok in S | apply neg_ok in S ]; rewrite bat_R, V in S; lra. }
    destruct strict; [ destruct Rlt_dec | destruct Rle_dec ]; trivial; contradiction.
  + unfold also in E. destruct (resolve e4) as [[[a l] r]|]; [ | discriminate ]. injection E as <- <- <-. apply within_and in W. destruct W as [W1 W2].
    rewrite <- (IHe4 a l r eq_refl x W2). cbn [ev].
    assert (K : if strict then ev e2 x <= ev e1 x else ev e2 x < ev e1 x).
    { apply (everywhere_within (fun x => if strict then ev e2 x <= ev e1 x else ev e2 x < ev e1 x) (at_lo (if strict then neg else strictly) (bopp p)) (at_hi (if strict then neg else strictly) (bopp p))); trivial.
      - intros O. assert (K := below_within_ok _ x O B2). rewrite bopp_ok, V in K. destruct strict; lra.
      - unfold at_lo. destruct strict; intros S; [ apply neg_ok in S | apply strictly_ok in S ]; rewrite bat_R, bopp_ok, V in S; lra.
      - unfold at_hi. destruct hi as [h|]; [ | exact I ]. destruct strict; intros S; [ apply neg_ok in S | apply strictly_ok in S ]; rewrite bat_R, bopp_ok, V in S; lra. }
    destruct strict; [ destruct Rlt_dec | destruct Rle_dec ]; trivial; exfalso; lra.
Qed.
End Between.

(* ---- tests on boxes between rational ends ---- *)
Definition over_q (test : Z -> Z -> positive -> bool) (fuel : nat) (lo hi : Q) : bool :=
  tile test fuel (Qnum lo * Zpos (Qden hi)) (Qnum hi * Zpos (Qden lo)) (Qden lo * Qden hi).
Lemma over_q_ok (P : R -> Prop) test fuel lo hi : (forall n m d, test n m d = true -> forall x, IZR n / IZR (Zpos d) <= x <= IZR m / IZR (Zpos d) -> P x) ->
  over_q test fuel lo hi = true -> forall x, Q2R lo <= x <= Q2R hi -> P x.
Proof. intros T H x X. apply (tile_ok P test T fuel _ _ _ H). rewrite Pos2Z.inj_mul, !mult_IZR. unfold Q2R in X.
assert (A : 0 < IZR (Zpos (Qden lo))) by (apply IZR_lt; reflexivity). assert (B : 0 < IZR (Zpos (Qden hi))) by (apply IZR_lt; reflexivity).
replace (IZR (Qnum lo) * IZR (Zpos (Qden hi)) / (IZR (Zpos (Qden lo)) * IZR (Zpos (Qden hi)))) with (IZR (Qnum lo) * / IZR (Zpos (Qden lo))) by (field; lra).
replace (IZR (Qnum hi) * IZR (Zpos (Qden lo)) / (IZR (Zpos (Qden lo)) * IZR (Zpos (Qden hi)))) with (IZR (Qnum hi) * / IZR (Zpos (Qden hi))) by (field; lra). exact X. Qed.
(* e >= 0 on a box, by its mean value form at need; e' is its derivative. *)
Definition at_least_0 (e e' : expr) n m d : bool := let x := box n m d in let i := iev e x in
  if ge0 i then true else if I.real i then let c := point (n + m) (2 * d) in ge0 (I.add prec (iev e c) (I.mul prec (iev e' x) (I.sub prec x c))) else false.
Lemma ge0_iev e i x : inside i x -> ge0 (iev e i) = true -> 0 <= ev e x.
Proof. intros H K. destruct (ge0_X _ _ K (iev_xev e i _ H)) as [v [E V]]. destruct (xev_ok _ _ _ E) as [_ <-]. exact V. Qed.
Lemma at_least_0_ok e n m d : at_least_0 e (D e) n m d = true -> forall y, IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) -> 0 <= ev e y.
Proof. unfold at_least_0. intros T y Y. assert (Y' := box_ok n m d y Y). destruct ge0 eqn:E in T; [ now apply (ge0_iev _ (box n m d)) | ].
destruct I.real eqn:Re in T; [ | discriminate ]. set (c := IZR (n + m) / IZR (Zpos (2 * d))) in *. assert (Cy := middle_ok n m d y Y). fold c in Cy.
assert (In : forall z, Rmin c y <= z <= Rmax c y -> inside (box n m d) z) by (intros z Hz; apply box_ok; revert Hz; unfold Rmin, Rmax; destruct Rle_dec; lra).
destruct (mean_value_either (ev e) (ev (D e)) c y) as [z [Hz Ez]]; [ intros z Hz; apply D_ok; apply (iev_ok e (box n m d) z (In z Hz) Re) | ].
destruct (ge0_X _ (Xadd (xev e (Xreal c)) (Xmul (xev (D e) (Xreal z)) (Xreal (y - c)))) T) as [v [Ev V]].
{ apply I.add_correct; [ apply iev_xev, point_ok | apply I.mul_correct; [ now apply iev_xev, In | ] ].
  apply (I.sub_correct prec _ _ (Xreal y) (Xreal c)); [ exact Y' | apply point_ok ]. }
destruct (xev e (Xreal c)) as [|pc] eqn:Pc; [ discriminate | ]. destruct (xev_ok _ _ _ Pc) as [_ Ec].
destruct (xev (D e) (Xreal z)) as [|pz] eqn:Pz; [ discriminate | ]. destruct (xev_ok _ _ _ Pz) as [_ Ez'].
simpl in Ev. injection Ev as <-. rewrite <- Ec, <- Ez' in V. lra. Qed.
Lemma steps_on_ok l n m d : steps_on l n m d = true -> forall x, IZR n / IZR (Zpos d) <= x <= IZR m / IZR (Zpos d) -> forall e, In e l -> def e x.
Proof. unfold steps_on. intros T x X e E. rewrite forallb_forall in T. apply (iev_ok e (box n m d) x); [ now apply box_ok | now apply T ]. Qed.

(* ---- the pieces joined ---- *)
Record parts := { near_d : positive; near_ord : nat; near_split : bool; junctions : list Q; tail_n : Z; tail_ord : nat; depth : nat }.
Section Joined.
Variables (F : expr) (w : parts) (dn : Z) (dd : positive) (un : Z) (ud : positive).
Let delta := IZR dn / IZR (Zpos dd).
Let u := IZR un / IZR (Zpos ud).
Definition dq : Q := (dn # dd)%Q.
Definition ahead_q (q : Q) : Q := qplus q dq.
Lemma ahead_R q : Q2R (ahead_q q) = Q2R q + delta.
Proof. unfold ahead_q. rewrite qplus_R. reflexivity. Qed.
Definition h (e : expr) (x : R) : R := ev (G e true) x.
Definition loss (s : bool) (e e2 : expr) : expr := Sub (subst (G e2 true) (Add Var (Rat dn dd))) (G e s).
Definition room (e e2 : expr) : expr := Sub (Rat un ud) (loss true e e2).
Definition span (lo : Q) (hi : option Q) : option (expr * bool * bool * expr) := match resolve lo hi F, resolve (ahead_q lo) (option_map ahead_q hi) F with
  | Some (e, l, r), Some (e2, _, _) => Some (e, l, r, e2) | _, _ => None end.
Definition span_tests (e e2 : expr) (lo hi : Q) : bool :=
  andb (over_q (steps_on (steps e true)) (depth w) lo hi) (andb (over_q (steps_on (steps e2 true)) (depth w) (ahead_q lo) (ahead_q hi))
  (andb (over_q (at_least_0 (dG e true) (D (dG e true))) (depth w) lo hi) (over_q (at_least_0 (room e e2) (D (room e e2))) (depth w) lo hi))).
Definition q_point (q : Q) : I.type := point (Qnum q) (Qden q).
Definition less_q (p q : Q) : bool := Z.ltb (Qnum p * Zpos (Qden q)) (Qnum q * Zpos (Qden p)).
Lemma less_q_ok p q : less_q p q = true -> Q2R p < Q2R q.
Proof. intros H. apply Z.ltb_lt in H. apply Qlt_Rlt. exact H. Qed.
Definition junction (e e' : expr) (r l' : bool) (c : Q) : bool := if andb r l' then true else andb (orb r l') (ge0 (iev (Sub (G e' true) (G e true)) (q_point c))).
Definition tail (lo : Q) : bool := match span lo None with
  | Some (e, _, _, e2) => if expr_eq_dec e e2 then
      andb (andb (less_q lo (tail_n w # 1)) (large_enough (tail_n w))) (andb (span_tests e e lo (tail_n w # 1))
      (andb (forallb (fun a => is_known (at_infinity (tail_n w) (tail_ord w) a)) (steps e true))
      (andb (nonnegative (tail_n w) (at_infinity (tail_n w) (tail_ord w) (dG e true))) (at_most (tail_n w) (tail_ord w) dn dd un ud (at_infinity (tail_n w) (tail_ord w) (dG e true)))))) else false
  | None => false end.
Fixpoint joined (lo : Q) (cuts : list Q) : bool := match cuts with
  | nil => tail lo
  | c :: rest => match span lo (Some c), span c (hd_error rest) with
    | Some (e, _, r, e2), Some (e', l', _, e2') => andb (less_q lo c) (andb (span_tests e e2 lo c) (andb (junction e e' r l' c)
        (andb (ge0 (iev (room e e2') (q_point c))) (joined c rest))))
    | _, _ => false end end.

Hypothesis delta_pos : 0 < delta.
Definition sound (lo : Q) (e e2 : expr) : Prop :=
  (forall x, Q2R lo < x -> 0 < ev F x) /\ (forall x y, Q2R lo < x <= y -> g F x <= g F y) /\ (forall x, Q2R lo < x -> h e (Q2R lo) <= g F x) /\
  (forall x, Q2R lo < x -> g F (x + delta) - g F x <= u) /\ (forall a, In a (steps e true) -> def a (Q2R lo)) /\ g F (Q2R lo + delta) <= h e2 (Q2R lo + delta).

Lemma room_loss e e2 x : ev (room e e2) x = u - (h e2 (x + delta) - h e x).
Proof. unfold room, loss, h. cbn [ev]. rewrite subst_ok. cbn [ev]. reflexivity. Qed.
(* What the tests say of a span. *)
Lemma span_facts e e2 lo hi : 0 <= Q2R lo -> span_tests e e2 lo hi = true ->
  (forall x, Q2R lo <= x <= Q2R hi -> forall a, In a (steps e true) -> def a x) /\
  (forall x, Q2R lo <= x <= Q2R hi -> forall a, In a (steps e2 true) -> def a (x + delta)) /\
  (forall x y, Q2R lo <= x <= y -> y <= Q2R hi -> h e x <= h e y) /\
  (forall x, Q2R lo <= x <= Q2R hi -> h e2 (x + delta) - h e x <= u).
Proof. intros Lo H. unfold span_tests in H. apply andb_prop in H. destruct H as [A H]. apply andb_prop in H. destruct H as [B H]. apply andb_prop in H. destruct H as [C E].
assert (St : forall x, Q2R lo <= x <= Q2R hi -> forall a, In a (steps e true) -> def a x) by (intros x X; apply (over_q_ok (fun x => forall a, In a (steps e true) -> def a x) _ _ _ _ (steps_on_ok _) A x X)).
split; [ exact St | ]. split; [ | split ].
- intros x X. apply (over_q_ok (fun x => forall a, In a (steps e2 true) -> def a x) _ _ _ _ (steps_on_ok _) B). rewrite !ahead_R. lra.
- intros x y X Y. destruct (mean_value (h e) (ev (dG e true)) x y) as [c [Cc Ec]]; [ lra | intros z Hz; apply D_ok; apply (St z); [ lra | now left ] | ].
  assert (0 <= ev (dG e true) c) by (apply (over_q_ok (fun x => 0 <= ev (dG e true) x) _ _ _ _ (at_least_0_ok _) C); lra).
  assert (0 <= ev (dG e true) c * (y - x)) by (apply Rmult_le_pos; lra). lra.
- intros x X. assert (K : 0 <= ev (room e e2) x) by (apply (over_q_ok (fun x => 0 <= ev (room e e2) x) _ _ _ _ (at_least_0_ok _) E x X)). rewrite room_loss in K. lra. Qed.
Lemma smooth_value e x : 0 < x -> (forall a, In a (steps e true) -> def a x) -> ev F x = ev e x -> 0 < ev F x /\ g F x = h e x.
Proof. intros X S E. destruct (potential e true x X S) as [P [Q _]]. unfold g in *. rewrite E. auto. Qed.
Lemma open_within lo hi x : 0 <= Q2R lo -> Q2R lo < x -> match hi with Some b => x < Q2R b | None => True end -> within lo hi false false x.
Proof. intros A B C. unfold within. split; [ lra | ]. split; [ intros; lra | ]. destruct hi; [ | exact I ]. split; [ lra | intros; lra ]. Qed.
(* From the right of lo + delta, by continuity. *)
Lemma right_limit lo hi e2 l r : 0 <= Q2R lo -> match hi with Some c => Q2R lo < Q2R c | None => True end -> (forall x y, Q2R lo < x <= y -> g F x <= g F y) ->
  resolve (ahead_q lo) (option_map ahead_q hi) F = Some (e2, l, r) -> (forall x, Q2R lo <= x -> match hi with Some c => x <= Q2R c | None => True end -> forall a, In a (steps e2 true) -> def a (x + delta)) ->
  g F (Q2R lo + delta) <= h e2 (Q2R lo + delta).
Proof. intros Lo Hi M Re St. apply Rnot_lt_le. intros K. set (a := Q2R lo + delta) in *.
assert (Da : def (G e2 true) a) by (apply (St (Q2R lo)); [ lra | destruct hi; [ lra | exact I ] | now left ]).
destruct (ev_continuous _ a Da _ (open_lt _ _ K)) as [eta He]. assert (E := cond_pos eta).
set (t := match hi with Some c => Rmin (eta / 2) ((Q2R c - Q2R lo) / 2) | None => eta / 2 end).
assert (T : 0 < t <= eta / 2 /\ match hi with Some c => Q2R lo + t < Q2R c | None => True end).
{ unfold t. destruct hi as [c|]; [ | split; [ lra | exact I ] ]. unfold Rmin. destruct Rle_dec; lra. }
assert (Near : ev (G e2 true) (a + t) < g F a).
{ apply (He (a + t)). change (Rabs (a + t - a) < eta). replace (a + t - a) with t by ring. rewrite Rabs_pos_eq; lra. }
assert (V : ev F (a + t) = ev e2 (a + t)).
{ apply (resolve_ok (ahead_q lo) (option_map ahead_q hi) F e2 l r Re). apply within_open, open_within; rewrite ?ahead_R; fold a; [ unfold a; lra | lra | ].
  destruct hi as [c|]; simpl; [ rewrite ahead_R; unfold a; lra | exact I ]. }
destruct (smooth_value e2 (a + t)) as [_ G2]; [ unfold a; lra | | exact V | ].
- replace (a + t) with (Q2R lo + t + delta) by (unfold a; ring). apply St; [ lra | destruct hi; [ lra | exact I ] ].
- unfold h in G2. generalize (M a (a + t) ltac:(unfold a; lra)). lra. Qed.

Lemma tail_ok lo e l r e2 : 0 <= Q2R lo -> span lo None = Some (e, l, r, e2) -> tail lo = true -> sound lo e e2.
Proof. intros Lo Sp H. unfold tail in H. rewrite Sp in H. destruct expr_eq_dec as [<-|] in H; [ | discriminate ].
apply andb_prop in H. destruct H as [H0 H]. apply andb_prop in H0. destruct H0 as [Ln Large]. apply andb_prop in H. destruct H as [T H]. apply andb_prop in H. destruct H as [Kn H].
apply andb_prop in H. destruct H as [Nn Am]. apply less_q_ok in Ln. rewrite Q2R_int in Ln. destruct (span_facts _ _ _ _ Lo T) as [S1 [_ [M1 L1]]]. rewrite Q2R_int in *.
unfold span in Sp. destruct (resolve lo None F) as [[[a b] c]|] eqn:Re; [ | discriminate ]. simpl in Sp.
destruct (resolve (ahead_q lo) None F) as [[[a2 b2] c2]|] eqn:Re2; [ | discriminate ]. injection Sp as -> -> -> ->.
set (N := IZR (tail_n w)) in *. rewrite forallb_forall in Kn.
assert (St : forall x, Q2R lo <= x -> forall a, In a (steps e true) -> def a x).
{ intros x X a A. destruct (Rle_or_lt x N); [ apply (S1 x); auto with real | ]. apply (infinity_ok (tail_n w) (tail_ord w) Large); [ apply known, Kn, A | fold N; lra ]. }
assert (Far := proj1 (infinity_ok (tail_n w) (tail_ord w) Large (dG e true))).
assert (Slope : forall x, N <= x -> 0 <= ev (dG e true) x) by (intros x X; apply (nonnegative_ok _ Large _ _ Nn Far x X)).
assert (Md : forall x y, N <= x <= y -> h e x <= h e y).
{ intros x y X. destruct (mean_value (h e) (ev (dG e true)) x y) as [z [Z E]]; [ lra | intros z Z; apply D_ok; apply (St z); [ lra | now left ] | ].
  assert (0 <= ev (dG e true) z * (y - x)) by (apply Rmult_le_pos; [ apply Slope; lra | lra ]). lra. }
assert (Mono : forall x y, Q2R lo <= x <= y -> h e x <= h e y).
{ intros x y X. destruct (Rle_or_lt y N); [ apply M1; lra | ]. destruct (Rle_or_lt N x); [ apply Md; lra | ].
  apply Rle_trans with (h e N); [ apply M1; lra | apply Md; lra ]. }
assert (V : forall x, Q2R lo < x -> 0 < ev F x /\ g F x = h e x).
{ intros x X. apply smooth_value; [ lra | apply St; lra | ]. apply (resolve_ok lo None F e l r Re). apply within_open, open_within; [ exact Lo | exact X | exact I ]. }
assert (MonoG : forall x y, Q2R lo < x <= y -> g F x <= g F y).
{ intros x y X. destruct (V x) as [_ ->]; [ lra | ]. destruct (V y) as [_ ->]; [ lra | ]. apply Mono. lra. }
unfold sound. split; [ intros; now apply V | ]. split; [ exact MonoG | ]. split; [ intros x X; destruct (V x X) as [_ ->]; apply Mono; lra | ]. split; [ | split ].
- intros x X. destruct (V x X) as [_ ->]. destruct (V (x + delta)) as [_ ->]; [ lra | ]. destruct (Rle_or_lt x N); [ apply L1; lra | ].
  destruct (mean_value (h e) (ev (dG e true)) x (x + delta)) as [z [Z E]]; [ lra | intros z Z; apply D_ok; apply (St z); [ lra | now left ] | ].
  rewrite E. replace (x + delta - x) with delta by ring. rewrite Rmult_comm. apply (at_most_ok _ _ Large _ _ _ _ _ _ Am Far z). fold N. lra.
- apply St. lra.
- apply (right_limit lo None e b2 c2 Lo I MonoG Re2). intros x X _. apply St. lra. Qed.

Lemma joined_less c c' rest : joined c (c' :: rest) = true -> Q2R c < Q2R c'.
Proof. cbn [joined]. destruct (span c (Some c')) as [[[[a b] d] a2]|]; [ | discriminate ]. destruct (span c' _) as [[[[a' b'] d'] a2']|]; [ | discriminate ].
intros H. apply andb_prop in H. now apply less_q_ok. Qed.
Lemma q_point_ok q : inside (q_point q) (Q2R q). Proof. apply point_ok. Qed.
Lemma joined_ok cuts : forall lo e l r e2, 0 <= Q2R lo -> span lo (hd_error cuts) = Some (e, l, r, e2) -> joined lo cuts = true -> sound lo e e2.
Proof. induction cuts as [|c rest IH]; intros lo e l r e2 Lo Sp H; [ now apply (tail_ok lo e l r e2) | ]. cbn [joined hd_error] in *. rewrite Sp in H.
destruct (span c (hd_error rest)) as [[[[e' l'] r'] e2']|] eqn:Sp'; [ | discriminate ].
apply andb_prop in H. destruct H as [Lc H]. apply andb_prop in H. destruct H as [T H]. apply andb_prop in H. destruct H as [Ju H]. apply andb_prop in H. destruct H as [Pt H].
apply less_q_ok in Lc. assert (Next : match rest with c' :: _ => Q2R c < Q2R c' | nil => True end) by (destruct rest; [ exact I | now apply joined_less in H ]).
destruct (IH c e' l' r' e2' ltac:(lra) Sp' H) as [P' [M' [C' [L' [D' R']]]]]. clear IH H.
destruct (span_facts _ _ _ _ Lo T) as [S1 [S2 [M1 L1]]].
unfold span in Sp, Sp'. destruct (resolve lo (Some c) F) as [[[a b] d]|] eqn:Re; [ | discriminate ]. destruct (resolve (ahead_q lo) _ F) as [[[a2 b2] d2]|] eqn:Re2 in Sp; [ | discriminate ].
injection Sp as -> -> -> ->. destruct (resolve c (hd_error rest) F) as [[[a' b'] d']|] eqn:Re'; [ | discriminate ]. destruct (resolve (ahead_q c) _ F) in Sp'; [ | discriminate ].
destruct r0 as [[? ?] ?]. injection Sp' as -> -> -> ->.
assert (Cpos : 0 < Q2R c) by lra.
assert (V : forall x, Q2R lo < x < Q2R c -> 0 < ev F x /\ g F x = h e x).
{ intros x X. apply smooth_value; [ lra | apply S1; lra | ]. apply (resolve_ok lo (Some c) F e l r Re). apply within_open, open_within; [ exact Lo | lra | lra ]. }
(* at the junction *)
assert (Vr : r = true -> 0 < ev F (Q2R c) /\ g F (Q2R c) = h e (Q2R c)).
{ intros Er. apply smooth_value; [ lra | apply S1; lra | ]. apply (resolve_ok lo (Some c) F e l r Re). split; [ lra | ]. split; [ intros; lra | ]. split; [ lra | auto ]. }
assert (Vl : l' = true -> 0 < ev F (Q2R c) /\ g F (Q2R c) = h e' (Q2R c)).
{ intros El. apply smooth_value; [ lra | exact D' | ]. apply (resolve_ok c (hd_error rest) F e' l' r' Re'). split; [ lra | ]. split; [ auto | ].
  destruct rest as [|c' rest']; simpl in *; [ exact I | ]. split; [ lra | intros; lra ]. }
assert (At : 0 < ev F (Q2R c) /\ h e (Q2R c) <= g F (Q2R c) <= h e' (Q2R c)).
{ unfold junction in Ju. destruct (andb r l') eqn:B.
  - apply andb_prop in B. destruct B as [-> ->]. destruct (Vr eq_refl) as [P E]. destruct (Vl eq_refl) as [_ E']. rewrite <- E, <- E'. lra.
  - apply andb_prop in Ju. destruct Ju as [O Ge]. apply (ge0_iev _ _ _ (q_point_ok c)) in Ge. cbn [ev] in Ge. fold (h e' (Q2R c)) (h e (Q2R c)) in Ge.
    apply Bool.orb_prop in O. destruct O as [O|O]; [ destruct (Vr O) as [P E] | destruct (Vl O) as [P E] ]; rewrite E; split; trivial; lra. }
destruct At as [Pc [Gl Gr]].
assert (MonoG : forall x y, Q2R lo < x <= y -> g F x <= g F y).
{ intros x y X. destruct (Rtotal_order x (Q2R c)) as [Xc|[->|Xc]].
  - destruct (V x) as [_ ->]; [ lra | ]. assert (Hc : h e x <= h e (Q2R c)) by (apply M1; lra). destruct (Rtotal_order y (Q2R c)) as [Yc|[->|Yc]].
    + destruct (V y) as [_ ->]; [ lra | ]. apply M1; lra.
    + lra.
    + generalize (C' y Yc). lra.
  - destruct (Req_dec y (Q2R c)) as [->|Ny]; [ lra | ]. generalize (C' y ltac:(lra)). lra.
  - apply M'. lra. }
assert (From : forall x, Q2R lo < x -> h e (Q2R lo) <= g F x).
{ intros x X. destruct (Rtotal_order x (Q2R c)) as [Xc|[->|Xc]].
  - destruct (V x) as [_ ->]; [ lra | ]. apply M1; lra.
  - apply Rle_trans with (2 := Gl). apply M1; lra.
  - assert (h e (Q2R lo) <= h e (Q2R c)) by (apply M1; lra). generalize (C' x Xc). lra. }
unfold sound. split; [ | split; [ exact MonoG | split; [ exact From | split; [ | split ] ] ] ].
- intros x X. destruct (Rtotal_order x (Q2R c)) as [Xc|[->|Xc]]; [ apply V; lra | exact Pc | now apply P' ].
- intros x X. destruct (Rtotal_order x (Q2R c)) as [Xc|[->|Xc]].
  + destruct (V x) as [_ ->]; [ lra | ]. destruct (smooth_value e2 (x + delta)) as [_ ->].
    * lra.
    * apply S2. lra.
    * apply (resolve_ok (ahead_q lo) (Some (ahead_q c)) F e2 b2 d2 Re2). apply within_open, open_within; rewrite ?ahead_R; lra.
    * apply L1. lra.
  + apply (ge0_iev _ _ _ (q_point_ok c)) in Pt. rewrite room_loss in Pt. lra.
  + now apply L'.
- apply S1. lra.
- apply (right_limit lo (Some c) e2 b2 d2 Lo Lc MonoG Re2). intros x X1 X2. apply S2. lra. Qed.

(* ---- with the chart at the centre, on which no piece ends ---- *)
Definition r0q : Q := (1 # near_d w)%Q.
Definition near_room (e e2 : expr) : model := at_zero (Zpos (near_d w)) (near_ord w) (loss (near_split w) e e2).
Definition pieces_ok : bool := andb (andb (Z.ltb 0 dn) (large_enough (Zpos (near_d w)))) (match junctions w with
  | nil => false
  | c :: rest => match resolve 0 (Some c) F, resolve dq (Some (ahead_q c)) F, span r0q (Some c) with
    | Some (e0, _, _), Some (e1, _, _), Some (e, _, _, e2) => if expr_eq_dec e0 e then if expr_eq_dec e1 e2 then
        andb (andb (less_q r0q c) (joined r0q (c :: rest)))
        (andb (forallb (fun a => is_known (at_zero (Zpos (near_d w)) (near_ord w) a)) (steps e (near_split w)))
        (andb (over_q (steps_on (steps e2 true)) (depth w) dq (ahead_q r0q))
        (andb (nonnegative (Zpos (near_d w)) (at_zero (Zpos (near_d w)) (near_ord w) (dG e (near_split w))))
              (at_most (Zpos (near_d w)) (near_ord w) 1 1 un ud (near_room e e2))))) else false else false
    | _, _, _ => false end end).
Theorem pieces_sound : pieces_ok = true -> (forall x, 0 < x -> 0 < ev F x) /\ (forall x y, 0 < x <= y -> g F x <= g F y) /\ (forall x, 0 < x -> g F (x + delta) - g F x <= u).
Proof.
unfold pieces_ok. intros H. apply andb_prop in H. destruct H as [H0 H]. apply andb_prop in H0. destruct H0 as [_ Large]. destruct (junctions w) as [|c rest]; [ discriminate | ].
destruct (resolve 0 (Some c) F) as [[[e0 l0] x0]|] eqn:R0; [ | discriminate ]. destruct (resolve dq (Some (ahead_q c)) F) as [[[e1 l1] x1]|] eqn:R1; [ | discriminate ].
destruct (span r0q (Some c)) as [[[[e l] rr] e2]|] eqn:Sp; [ | discriminate ]. destruct expr_eq_dec as [->|] in H; [ | discriminate ]. destruct expr_eq_dec as [->|] in H; [ | discriminate ].
apply andb_prop in H. destruct H as [H1 H]. apply andb_prop in H1. destruct H1 as [Lc J]. apply andb_prop in H. destruct H as [Kn H]. apply andb_prop in H. destruct H as [S2 H].
apply andb_prop in H. destruct H as [Nn Am]. apply less_q_ok in Lc. rewrite forallb_forall in Kn. set (sz := near_split w) in *.
set (N := IZR (Zpos (near_d w))). assert (Np : 0 < N) by (apply IZR_lt; reflexivity).
assert (R0q : Q2R r0q = / N) by (unfold r0q, Q2R; simpl; fold N; ring). assert (Rp : 0 < / N) by now apply Rinv_0_lt_compat. rewrite R0q in Lc.
destruct (joined_ok (c :: rest) r0q e l rr e2 ltac:(lra) Sp J) as [P [M [C [Lo [D0 _]]]]]. rewrite R0q in *.
assert (Inv : forall x, 0 < x <= / N -> N <= / x) by (intros x X; rewrite <- (Rinv_inv N); now apply Rinv_le_contravar).
assert (St : forall x, 0 < x <= / N -> forall a, In a (steps e sz) -> def a x).
{ intros x X a A. rewrite <- (Rinv_inv x). apply (zero_ok (Zpos (near_d w)) (near_ord w) Large); [ apply known, Kn, A | now apply Inv ]. }
assert (V0 : forall x, 0 < x < Q2R c -> ev F x = ev e x).
{ intros x X. apply (resolve_ok 0 (Some c) F e l0 x0 R0). apply within_open, open_within; rewrite ?Q2R_0; lra. }
assert (Z : forall x, 0 < x <= / N -> 0 < ev F x /\ g F x = ev (G e sz) x).
{ intros x X. destruct (potential e sz x ltac:(lra) (St x X)) as [A [B _]]. unfold g in *. rewrite (V0 x) by lra. auto. }
assert (V2 : forall x, 0 < x <= / N -> g F (x + delta) = h e2 (x + delta)).
{ intros x X. apply smooth_value; [ lra | | ].
  - apply (over_q_ok (fun x => forall a, In a (steps e2 true) -> def a x) _ _ _ _ (steps_on_ok _) S2). rewrite ahead_R, R0q. change (Q2R dq) with delta. lra.
  - apply (resolve_ok dq (Some (ahead_q c)) F e2 l1 x1 R1). apply within_open, open_within; rewrite ?ahead_R; change (Q2R dq) with delta; lra. }
assert (Mz : forall x y, 0 < x <= y -> y <= / N -> g F x <= g F y).
{ intros x y X Y. destruct (Z x ltac:(lra)) as [_ ->]. destruct (Z y ltac:(lra)) as [_ ->].
  destruct (mean_value (ev (G e sz)) (ev (dG e sz)) x y) as [z [Zz E]]; [ lra | intros z Hz; apply D_ok; apply (St z); [ lra | now left ] | ].
  assert (0 <= ev (dG e sz) z).
  { rewrite <- (Rinv_inv z). apply (nonnegative_ok _ Large _ _ Nn (proj1 (zero_ok _ (near_ord w) Large (dG e sz)))). apply Inv. lra. }
  assert (0 <= ev (dG e sz) z * (y - x)) by (apply Rmult_le_pos; lra). lra. }
assert (At : g F (/ N) = h e (/ N)) by (apply smooth_value; [ exact Rp | exact D0 | apply V0; lra ]).
split; [ | split ].
- intros x X. destruct (Rle_or_lt x (/ N)); [ now apply Z | now apply P ].
- intros x y X. destruct (Rle_or_lt y (/ N)) as [Y|Y]; [ now apply Mz | ]. destruct (Rle_or_lt x (/ N)) as [K|K]; [ | apply M; lra ].
  apply Rle_trans with (g F (/ N)); [ apply Mz; lra | rewrite At; now apply C ].
- intros x X. destruct (Rle_or_lt x (/ N)) as [K|K]; [ | now apply Lo ]. destruct (Z x ltac:(lra)) as [_ ->]. rewrite V2 by lra.
  assert (A := at_most_ok (Zpos (near_d w)) _ Large _ _ _ _ _ _ Am (proj1 (zero_ok _ (near_ord w) Large (loss sz e e2))) (/ x) (Inv x (conj X K))).
  cbv beta in A. rewrite Rinv_inv in A. fold u in A. replace (1 / 1) with 1 in A by field. rewrite Rmult_1_l in A. unfold loss in A. cbn [ev] in A. rewrite subst_ok in A. exact A.
Qed.

(* The loss reaches l at a radius inside a piece. *)
Variables (wn : Z) (wd : positive).
Definition reached_within (lo hi x : Q) : bool := match resolve lo (Some hi) F, resolve (ahead_q lo) (Some (ahead_q hi)) F with
  | Some (e, _, _), Some (e2, _, _) => andb (andb (strictly (- lo)) (andb (less_q lo x) (less_q x hi)))
      (andb (forallb (fun a => I.real (iev a (q_point x))) (steps e true)) (andb (forallb (fun a => I.real (iev a (q_point (ahead_q x)))) (steps e2 true))
      (ge0 (iev (Sub (loss true e e2) (Rat wn wd)) (q_point x)))))
  | _, _ => false end.
Lemma reached_within_ok lo hi x : reached_within lo hi x = true -> 0 < Q2R x /\ 0 < ev F (Q2R x) /\ 0 < ev F (Q2R x + delta) /\ IZR wn / IZR (Zpos wd) <= g F (Q2R x + delta) - g F (Q2R x).
Proof. unfold reached_within. destruct (resolve lo (Some hi) F) as [[[e l] r]|] eqn:R1; [ | discriminate ]. destruct (resolve (ahead_q lo) (Some (ahead_q hi)) F) as [[[e2 l2] r2]|] eqn:R2; [ | discriminate ].
intros H. apply andb_prop in H. destruct H as [H0 H]. apply andb_prop in H0. destruct H0 as [P H0]. apply andb_prop in H0. destruct H0 as [A B]. apply andb_prop in H. destruct H as [S1 H]. apply andb_prop in H. destruct H as [S2 H].
rewrite forallb_forall in S1, S2. apply strictly_ok in P. rewrite Q2R_opp in P. apply less_q_ok in A, B.
assert (D1 : forall a, In a (steps e true) -> def a (Q2R x)) by (intros a Ha; apply (iev_ok a (q_point x) _ (q_point_ok x)), S1, Ha).
assert (D2 : forall a, In a (steps e2 true) -> def a (Q2R x + delta)) by (intros a Ha; rewrite <- ahead_R; apply (iev_ok a (q_point (ahead_q x)) _ (q_point_ok _)), S2, Ha).
destruct (smooth_value e (Q2R x)) as [P1 G1]; [ lra | exact D1 | apply (resolve_ok lo (Some hi) F e l r R1); apply within_open, open_within; lra | ].
destruct (smooth_value e2 (Q2R x + delta)) as [P2 G2]; [ lra | exact D2 | apply (resolve_ok _ _ F e2 l2 r2 R2); apply within_open, open_within; rewrite ?ahead_R; lra | ].
split; [ lra | split; [ exact P1 | split; [ exact P2 | ] ] ]. rewrite G1, G2. apply (ge0_iev _ _ _ (q_point_ok x)) in H. unfold loss, h in *. cbn [ev] in H. rewrite subst_ok in H. cbn [ev] in H. fold delta in H. lra. Qed.
End Joined.

Section ExportPieces.
Variables (F : expr) (w : parts) (f : R -> R) (delta upper lower : R).
Hypothesis f_F : forall r, 0 <= r -> f (r ^ 2) = ev F r.
Variables (dn : Z) (dd : positive) (un : Z) (ud : positive) (wn : Z) (wd : positive).
Hypothesis (delta_is : delta = IZR dn / IZR (Zpos dd)) (upper_is : upper = IZR un / IZR (Zpos ud)) (lower_is : lower = IZR wn / IZR (Zpos wd)).
Hypothesis (delta_positive : Z.ltb 0 dn = true).
Let delta_0 : 0 < IZR dn / IZR (Zpos dd).
Proof. apply Z.ltb_lt, IZR_lt in delta_positive. apply Rdiv_lt_0_compat; [ exact delta_positive | apply IZR_lt; reflexivity ]. Qed.
Lemma exp_g x : 0 < ev F x -> ev F x = exp (- g F x).
Proof. intros P. unfold g. now rewrite Ropp_involutive, exp_ln. Qed.
Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H|<-]; [ left; now apply exp_increasing | right; reflexivity ]. Qed.
Theorem private_by_pieces : pieces_ok F w dn dd un ud = true -> (forall y, 0 < y -> 0 < f y) /\ (forall s t, 0 < s <= t -> f t <= f s) /\
  (forall c, delta < c -> f ((c - delta) ^ 2) <= exp upper * f (c ^ 2)).
Proof.
intros H. destruct (pieces_sound F w dn dd un ud delta_0 H) as [P [M L]]. rewrite delta_is, upper_is. set (d := IZR dn / IZR (Zpos dd)) in *.
assert (V : forall y, 0 < y -> f y = ev F (sqrt y)) by (intros y Y; rewrite <- f_F, pow2_sqrt by (try apply sqrt_pos; lra); reflexivity).
split; [ | split ].
- intros y Y. rewrite V by exact Y. apply P. now apply sqrt_lt_R0.
- intros s t [S T]. rewrite !V by lra. assert (0 < sqrt s) by now apply sqrt_lt_R0. assert (sqrt s <= sqrt t) by now apply sqrt_le_1_alt.
  rewrite !exp_g by (apply P; lra). apply exp_le. generalize (M (sqrt s) (sqrt t) ltac:(lra)). lra.
- intros c C. rewrite !f_F by lra. rewrite !exp_g, <- exp_plus by (apply P; lra). apply exp_le. generalize (L (c - d) ltac:(lra)). replace (c - d + d) with c by ring. lra. Qed.
Theorem attained_by_pieces lo hi x : reached_within F dn dd wn wd lo hi x = true -> exists c, delta < c /\ exp lower * f (c ^ 2) <= f ((c - delta) ^ 2).
Proof. intros H. destruct (reached_within_ok F dn dd delta_0 wn wd lo hi x H) as [X [P1 [P2 L]]]. rewrite delta_is, lower_is. set (d := IZR dn / IZR (Zpos dd)) in *.
exists (Q2R x + d). split; [ lra | ]. replace (Q2R x + d - d) with (Q2R x) by ring. rewrite !f_F, !exp_g, <- exp_plus by (trivial; lra). apply exp_le. lra. Qed.
End ExportPieces.
