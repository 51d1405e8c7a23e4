(* ==== Theorem A, for an f that rises somewhere: |g(x + h) - g(x)| is at most u for every shift h within delta.
   Between the ends x and h both run over boxes; where g is monotone up to the longest shift, that one decides. *)
Section Modulus.
Variables (F : expr) (ch : charts).
Hypothesis Reg : regular F ch.
Variables (dn : Z) (dd : positive) (un : Z) (ud : positive).
Let delta := IZR dn / IZR (Zpos dd).
Let u := IZR un / IZR (Zpos ud).
Let zn : Z := Zpos (zero_d ch).
Let r0 := / IZR zn.
Let sz := split_zero ch.
Notation g := (g F).
Notation Gt := (G F true).
Notation dGt := (dG F true).

Definition below i := le0 (I.sub prec i (point un ud)).
Definition above i := ge0 (I.add prec i (point un ud)).
Lemma below_ok i X w : contains (I.convert i) X -> (forall v, X = Xreal v -> v = w) -> below i = true -> w <= u.
Proof. intros C E H. destruct (le0_X _ (Xsub X (Xreal u)) H) as [v [Ev V]]; [ apply I.sub_correct; [ exact C | apply point_ok ] | ].
destruct X as [|x]; [ discriminate | ]. simpl in Ev. injection Ev as <-. rewrite (E x eq_refl) in V. lra. Qed.
Lemma above_ok i X w : contains (I.convert i) X -> (forall v, X = Xreal v -> v = w) -> above i = true -> - u <= w.
Proof. intros C E H. destruct (ge0_X _ (Xadd X (Xreal u)) H) as [v [Ev V]]; [ apply I.add_correct; [ exact C | apply point_ok ] | ].
destruct X as [|x]; [ discriminate | ]. simpl in Ev. injection Ev as <-. rewrite (E x eq_refl) in V. lra. Qed.

(* The loss for the longest shift, by its mean value form. *)
Definition longest_on (p p' : expr) (n m : Z) (d : positive) : I.type :=
  let x := box n m d in let c := point (n + m) (2 * d) in
  I.add prec (iev p c) (I.mul prec (iev p' x) (I.sub prec x c)).
Definition longest := longest_on (phi F dn dd true) (dphi F dn dd).
Lemma longest_ok n m d y : delta_ok ch dn dd = true -> r0 <= IZR n / IZR (Zpos d) -> IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) ->
  exists X, contains (I.convert (longest n m d)) X /\ forall v, X = Xreal v -> v = g (y + delta) - g y.
Proof.
intros Dok L Y. assert (Y' := box_ok n m d y Y). set (c := IZR (n + m) / IZR (Zpos (2 * d))).
assert (Cy := middle_ok n m d y Y). fold c in Cy.
destruct (mean_value_either (ev (phi F dn dd true)) (ev (dphi F dn dd)) c y) as [z [Hz E]].
{ intros z Hz. apply D_ok. apply (phi_far F ch Reg dn dd); [ exact Dok | ]. fold zn r0. revert Hz. unfold Rmin. destruct Rle_dec; lra. }
assert (Z' : inside (box n m d) z) by (apply box_ok; revert Hz; unfold Rmin, Rmax; destruct Rle_dec; lra).
exists (Xadd (xev (phi F dn dd true) (Xreal c)) (Xmul (xev (dphi F dn dd) (Xreal z)) (Xreal (y - c)))). split.
- apply I.add_correct; [ apply iev_xev, point_ok | apply I.mul_correct; [ now apply iev_xev | ] ].
  apply (I.sub_correct prec _ _ (Xreal y) (Xreal c)); [ exact Y' | apply point_ok ].
- intros v Ev. destruct (phi_far F ch Reg dn dd y Dok) as [P _]; [ fold zn r0; lra | ]. fold delta in P. rewrite P.
  destruct (xev (phi F dn dd true) (Xreal c)) as [|pc] eqn:Pc; [ discriminate | ]. destruct (xev_ok _ _ _ Pc) as [_ Ec].
  destruct (xev (dphi F dn dd) (Xreal z)) as [|pz] eqn:Pz; [ discriminate | ]. destruct (xev_ok _ _ _ Pz) as [_ Ez].
  simpl in Ev. injection Ev as <-. rewrite <- Ec, <- Ez. lra.
Qed.

Definition shift_on (a b p p' : expr) (n m : Z) (d : positive) (h k : Z) (e : positive) : bool :=
  let x := box n m d in
  let i := I.sub prec (iev a (I.add prec x (box h k e))) (iev a x) in
  let rest := iev b (I.join (I.add prec x (point h e)) (I.add prec x (point dn dd))) in
  if below i then if above i then true else andb (le0 rest) (above (longest_on p p' n m d))
  else andb (above i) (andb (ge0 rest) (below (longest_on p p' n m d))).
Definition shift_test := shift_on Gt dGt (phi F dn dd true) (dphi F dn dd).
Lemma g_far x : r0 <= x -> g x = ev Gt x.
Proof. intros X. now apply (far_potential F ch Reg x). Qed.
Lemma shift_test_ok n m d y : delta_ok ch dn dd = true -> r0 <= IZR n / IZR (Zpos d) -> IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) ->
  forall h k e, shift_test n m d h k e = true -> forall s, IZR h / IZR (Zpos e) <= s <= IZR k / IZR (Zpos e) ->
  0 <= s <= delta -> - u <= g (y + s) - g y <= u.
Proof.
intros Dok L Y h k e T s S Sd. assert (Y' := box_ok n m d y Y). assert (S' := box_ok h k e s S).
assert (R0 : 0 < r0) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity).
set (i := I.sub prec (iev Gt (I.add prec (box n m d) (box h k e))) (iev Gt (box n m d))).
assert (Ci : contains (I.convert i) (Xsub (xev Gt (Xreal (y + s))) (xev Gt (Xreal y)))).
{ apply I.sub_correct; apply iev_xev; [ now apply add_in | exact Y' ]. }
assert (Ei : forall v, Xsub (xev Gt (Xreal (y + s))) (xev Gt (Xreal y)) = Xreal v -> v = g (y + s) - g y).
{ intros v Ev. destruct (xev Gt (Xreal (y + s))) as [|a] eqn:A; [ discriminate | ]. destruct (xev Gt (Xreal y)) as [|b] eqn:B; [ discriminate | ].
  destruct (xev_ok _ _ _ A) as [_ <-], (xev_ok _ _ _ B) as [_ <-]. simpl in Ev. injection Ev as <-. rewrite !g_far by lra. reflexivity. }
assert (Mono : exists c, g (y + delta) - g (y + s) = ev dGt c * (delta - s) /\
  inside (I.join (I.add prec (box n m d) (point h e)) (I.add prec (box n m d) (point dn dd))) c).
{ destruct (mean_value g (slope F ch) (y + s) (y + delta)) as [c [C E]]; [ lra | intros; apply (slope_ok F ch Reg); lra | ].
  exists c. split.
  - rewrite E, (slope_far F ch Reg) by (fold zn r0; lra). ring.
  - apply (contains_connected _ (y + IZR h / IZR (Zpos e)) (y + delta)).
    + apply I.join_correct; left. apply add_in; [ exact Y' | apply point_ok ].
    + apply I.join_correct; right. apply add_in; [ exact Y' | apply point_ok ].
    + lra. }
destruct Mono as [c [M Cc]]. destruct (longest_ok n m d y Dok L Y) as [X [CX EX]].
unfold shift_test, shift_on in T. fold i longest in T. destruct (below i) eqn:B.
- assert (U := below_ok _ _ _ Ci Ei B). destruct (above i) eqn:A; [ generalize (above_ok _ _ _ Ci Ei A); lra | ].
  apply andb_prop in T. destruct T as [T1 T2]. assert (W := above_ok _ _ _ CX EX T2). assert (Q := le0_ev _ _ _ Cc T1).
  assert (0 <= - ev dGt c * (delta - s)) by (apply Rmult_le_pos; lra). lra.
- apply andb_prop in T. destruct T as [A T]. apply andb_prop in T. destruct T as [T1 T2].
  assert (W := below_ok _ _ _ CX EX T2). assert (Q := ge0_ev _ _ _ Cc T1). assert (V := above_ok _ _ _ Ci Ei A).
  assert (0 <= ev dGt c * (delta - s)) by (apply Rmult_le_pos; lra). lra.
Qed.

Definition middle_on (a b p p' : expr) (n m : Z) (d : positive) : bool :=
  if Z.ltb (n * zn) (Zpos d) then false else
  let x := box n m d in
  let steepest := I.mul prec (point dn dd) (iev b (I.join x (I.add prec x (point dn dd)))) in
  if andb (below steepest) (above steepest) then true else tile (shift_on a b p p' n m d) 4 0 dn dd.
Definition middle_test := middle_on Gt dGt (phi F dn dd true) (dphi F dn dd).
Lemma steep k c : 0 <= k <= delta -> - u <= delta * c <= u -> - u <= k * c <= u.
Proof.
intros K [A B]. destruct (Rle_or_lt 0 c) as [C|C].
- assert (0 <= k * c) by (apply Rmult_le_pos; lra). assert (k * c <= delta * c) by (apply Rmult_le_compat_r; lra). lra.
- assert (0 <= k * - c) by (apply Rmult_le_pos; lra). assert (k * - c <= delta * - c) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma middle_test_ok n m d : delta_ok ch dn dd = true -> middle_test n m d = true -> forall y, IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) ->
  forall s, 0 <= s <= delta -> - u <= g (y + s) - g y <= u.
Proof.
intros Dok T y Y s S. unfold middle_test, middle_on in T. destruct (Z.ltb (n * zn) (Zpos d)) eqn:Left in T; [ discriminate | ]. apply (not_near ch) in Left.
assert (R0 : 0 < r0) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity).
assert (L : r0 <= IZR n / IZR (Zpos d)) by exact Left.
destruct (andb _ _) eqn:E in T.
- apply andb_prop in E. destruct E as [A B]. assert (Y' := box_ok n m d y Y).
  destruct (mean_value g (slope F ch) y (y + s)) as [c [C Ec]]; [ lra | intros; apply (slope_ok F ch Reg); lra | ].
  rewrite Ec. replace (y + s - y) with s by ring. rewrite (slope_far F ch Reg) by (fold zn r0; lra). rewrite Rmult_comm. apply steep; [ exact S | ].
  assert (Cc : inside (I.join (box n m d) (I.add prec (box n m d) (point dn dd))) c).
  { apply (contains_connected _ y (y + delta)); [ apply I.join_correct; now left | apply I.join_correct; right; apply add_in; [ exact Y' | apply point_ok ] | lra ]. }
  assert (K : contains (I.convert (I.mul prec (point dn dd) (iev dGt (I.join (box n m d) (I.add prec (box n m d) (point dn dd)))))) (Xmul (Xreal delta) (xev dGt (Xreal c)))).
  { apply I.mul_correct; [ apply point_ok | now apply iev_xev ]. }
  assert (Ev : forall v, Xmul (Xreal delta) (xev dGt (Xreal c)) = Xreal v -> v = delta * ev dGt c).
  { intros v V. destruct (xev dGt (Xreal c)) as [|w] eqn:W; [ discriminate | ]. destruct (xev_ok _ _ _ W) as [_ <-]. simpl in V. now injection V as <-. }
  split; [ apply (above_ok _ _ _ K Ev B) | apply (below_ok _ _ _ K Ev A) ].
- apply (tile_ok (fun s => 0 <= s <= delta -> - u <= g (y + s) - g y <= u) (shift_test n m d)) with (fuel := 4%nat) (n := 0%Z) (m := dn) (d := dd); trivial.
  + intros h k e Te t Ht Hd. now apply (shift_test_ok n m d y Dok L Y h k e Te).
  + fold delta. replace (0 / IZR (Zpos dd)) with 0 by (field; apply IZR_neq; easy). exact S.
Qed.

(* Near the centre g stays in one interval, from which it goes no further than u within delta. *)
Definition centre_span : option I.type := match at_zero zn (zero_order ch) (G F sz) with Some l => span_at zn l | None => None end.
Lemma centre_span_ok i : centre_span = Some i -> forall x, 0 < x <= r0 -> inside i (g x).
Proof.
unfold centre_span. intros H x X. generalize (shape_zero ch (shape F ch Reg)). intros S.
destruct (near_potential F ch Reg x X) as [_ [-> _]]. fold sz. assert (Z := proj1 (zero_ok zn (zero_order ch) S (G F sz))).
assert (N := near_inv ch x X). fold zn in N. destruct (at_zero zn _ (G F sz)) as [l|]; [ | discriminate ].
generalize (span_at_ok zn S l i (/ x) _ N H (Z (/ x) N)). now rewrite Rinv_inv.
Qed.
Definition ahead_on (a : expr) (i : I.type) n m d := if Z.ltb (n * zn) (Zpos d) then false else let j := I.sub prec (iev a (box n m d)) i in andb (below j) (above j).
Definition centre_ok (ahead : list Z) : bool := match centre_span with None => false | Some i =>
  andb (andb (below (I.sub prec i i)) (above (I.sub prec i i)))
  (andb (match ahead with nil => false | _ => Z.leb (Zpos dd + dn * zn) (last ahead 1%Z * Zpos dd) end) (tiles (ahead_on Gt i) 60 (1%Z :: ahead) (zero_d ch))) end.
Definition modulus (ahead : list Z) : bool := andb (delta_ok ch dn dd) (andb (centre_ok ahead) (andb (cover ch middle_test)
  (andb (at_most (far_n ch) (far_order ch) dn dd un ud (at_infinity (far_n ch) (far_order ch) dGt))
        (at_most (far_n ch) (far_order ch) dn dd un ud (mopp (at_infinity (far_n ch) (far_order ch) dGt)))))).

Lemma modulus_ok ahead : modulus ahead = true -> forall x s, 0 < x -> 0 <= s <= delta -> - u <= g (x + s) - g x <= u.
Proof.
unfold modulus. intros H x s X S. apply andb_prop in H. destruct H as [Dok H]. apply andb_prop in H. destruct H as [Ce H].
apply andb_prop in H. destruct H as [Mi H]. apply andb_prop in H. destruct H as [I1 I2].
generalize (shape F ch Reg). intros Sh. assert (N : 0 < IZR zn) by (apply IZR_lt; reflexivity).
assert (R0 : 0 < r0) by now apply Rinv_0_lt_compat.
destruct (Rle_or_lt x r0) as [K|K].
- unfold centre_ok in Ce. destruct centre_span as [i|] eqn:Sp; [ | discriminate ].
  apply andb_prop in Ce. destruct Ce as [Self Ce]. apply andb_prop in Self. destruct Self as [Sb Sa]. apply andb_prop in Ce. destruct Ce as [La Ti].
  assert (Gx := centre_span_ok i Sp x (conj X K)).
  destruct (Rle_or_lt (x + s) r0) as [Q|Q].
  + assert (Gs := centre_span_ok i Sp (x + s) ltac:(lra)).
    assert (C := sub_in _ _ _ _ Gs Gx). split.
    * apply (above_ok _ _ _ C); [ intros v V; now injection V as <- | exact Sa ].
    * apply (below_ok _ _ _ C); [ intros v V; now injection V as <- | exact Sb ].
  + apply (tiles_ok (fun y => r0 <= y -> - u <= g y - g x <= u) _) with (2 := Ti); [ | | destruct ahead; congruence | lra ].
    * intros n m d T y Y Yr. unfold ahead_on in T. destruct (Z.ltb (n * zn) (Zpos d)); [ discriminate | ]. apply andb_prop in T. destruct T as [T1 T2].
      assert (C : contains (I.convert (I.sub prec (iev Gt (box n m d)) i)) (Xsub (xev Gt (Xreal y)) (Xreal (g x)))).
      { apply I.sub_correct; [ now apply iev_xev, box_ok | exact Gx ]. }
      assert (E : forall v, Xsub (xev Gt (Xreal y)) (Xreal (g x)) = Xreal v -> v = g y - g x).
      { intros v V. rewrite (g_far y Yr). destruct (xev Gt (Xreal y)) as [|w] eqn:W; [ discriminate | ]. destruct (xev_ok _ _ _ W) as [_ <-]. simpl in V. now injection V as <-. }
      split; [ apply (above_ok _ _ _ C E T2) | apply (below_ok _ _ _ C E T1) ].
    * fold zn. split; [ replace (1 / IZR zn) with r0 by (unfold r0; field; lra); lra | ].
      destruct ahead as [|a l]; [ discriminate | ]. apply Z.leb_le, IZR_le in La. rewrite plus_IZR, !mult_IZR in La.
      assert (P : 0 < IZR (Zpos dd)) by (apply IZR_lt; reflexivity).
      apply Rle_trans with (r0 + delta); [ lra | ]. unfold r0, delta.
      apply Rmult_le_reg_r with (IZR zn * IZR (Zpos dd)); [ now apply Rmult_lt_0_compat | ].
      replace ((/ IZR zn + IZR dn / IZR (Zpos dd)) * (IZR zn * IZR (Zpos dd))) with (IZR (Zpos dd) + IZR dn * IZR zn) by (field; lra).
      replace (IZR (last (a :: l) 1%Z) / IZR zn * (IZR zn * IZR (Zpos dd))) with (IZR (last (a :: l) 1%Z) * IZR (Zpos dd)) by (field; lra). exact La.
- apply (everywhere ch (fun x => r0 < x -> - u <= g (x + s) - g x <= u) middle_test); trivial.
  + intros t Ht J. exfalso. apply (Rlt_not_le _ _ J). apply Rinv_le_contravar; [ exact N | exact Ht ].
  + intros n m d T y Y _. now apply (middle_test_ok n m d Dok T y Y s).
  + intros t Ht J. destruct (mean_value g (slope F ch) t (t + s)) as [c [C E]]; [ lra | intros; apply (slope_ok F ch Reg); lra | ].
    rewrite E. replace (t + s - t) with s by ring. rewrite (slope_far F ch Reg) by (fold zn r0; lra). rewrite Rmult_comm. apply steep; [ exact S | ].
    generalize (shape_far ch Sh). intros Sf. assert (A := proj1 (infinity_ok _ (far_order ch) Sf dGt)). split.
    * assert (M := at_most_ok _ _ Sf _ _ _ _ _ _ I2 (mopp_ok _ _ _ A) c ltac:(lra)). cbv beta in M. fold delta u in M. lra.
    * exact (at_most_ok _ _ Sf _ _ _ _ _ _ I1 A c ltac:(lra)).
Qed.

Variable f : R -> R.
Hypothesis f_F : forall r, 0 < r -> f (r ^ 2) = ev F r.
Lemma modulus_f ahead : modulus ahead = true -> forall s t, 0 < s -> 0 < t -> Rabs (s - t) <= delta -> ev F s <= exp u * ev F t.
Proof.
intros H s t S T B. apply Rabs_le_between in B. rewrite !(F_exp F ch Reg), <- exp_plus by assumption.
assert (K : g t - g s <= u).
{ destruct (Rle_or_lt s t) as [L|L].
  - generalize (modulus_ok ahead H s (t - s) S ltac:(lra)). replace (s + (t - s)) with t by ring. lra.
  - generalize (modulus_ok ahead H t (s - t) T ltac:(lra)). replace (t + (s - t)) with s by ring. lra. }
destruct (Rle_lt_or_eq_dec (- g s) (u + - g t) ltac:(lra)) as [J|J]; [ left; now apply exp_increasing | right; now f_equal ].
Qed.
End Modulus.

Section ExportA.
Variables (F : expr) (ch : charts) (f : R -> R) (delta upper : R).
Hypothesis f_F : forall r, 0 <= r -> f (r ^ 2) = ev F r.
Variables (dn : Z) (dd : positive) (un : Z) (ud : positive) (ahead : list Z).
Hypothesis (delta_is : delta = IZR dn / IZR (Zpos dd)) (upper_is : upper = IZR un / IZR (Zpos ud)).
Definition private_A : bool := andb (defined F ch) (modulus F ch dn dd un ud ahead).
Theorem private_A_beyond_0 : private_A = true -> (forall y, 0 < y -> 0 < f y) /\
  (forall s t, 0 < s -> 0 < t -> Rabs (s - t) <= delta -> f (s ^ 2) <= exp upper * f (t ^ 2)).
Proof.
unfold private_A. intros H. apply andb_prop in H. destruct H as [A M]. apply defined_ok in A. rewrite delta_is, upper_is. split.
- apply (f_positive F ch A f). intros; apply f_F; lra.
- intros s t S T B. rewrite !f_F by lra. exact (modulus_f F ch A dn dd un ud ahead M s t S T B).
Qed.
Theorem private_A_from_0 : private_A = true -> continuous_at_0 F = true -> (forall y, 0 <= y -> 0 < f y) /\
  (forall s t, 0 <= s -> 0 <= t -> Rabs (s - t) <= delta -> f (s ^ 2) <= exp upper * f (t ^ 2)).
Proof.
unfold private_A. intros H C. apply continuous_at_0_ok in C. apply andb_prop in H. destruct H as [A M]. apply defined_ok in A. rewrite delta_is, upper_is.
assert (Dok : delta_ok ch dn dd = true) by (unfold modulus in M; now apply andb_prop in M).
destruct (delta_bounds ch dn dd Dok) as [D0 _].
assert (W := modulus_f F ch A dn dd un ud ahead M).
set (d := IZR dn / IZR (Zpos dd)) in *. set (u := IZR un / IZR (Zpos ud)) in *.
assert (U : 0 <= u).
{ generalize (modulus_ok F ch A dn dd un ud ahead M 1 0 Rlt_0_1 ltac:(fold d; lra)). rewrite Rplus_0_r. fold u. lra. }
assert (P0 : forall t, 0 < t -> t <= d -> exp (- u) * ev F t <= ev F 0).
{ intros t T B. apply (limit_ge F C _ t T). intros x X.
  assert (ev F t <= exp u * ev F x) by (apply W; try lra; apply Rabs_le_between; lra).
  rewrite exp_Ropp. apply Rmult_le_reg_l with (exp u); [ apply exp_pos | ]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by (apply Rgt_not_eq, exp_pos). exact H. }
assert (Q0 : 0 < ev F 0).
{ apply Rlt_le_trans with (2 := P0 d D0 (Rle_refl d)). apply Rmult_lt_0_compat; [ apply exp_pos | now apply (F_pos F ch A) ]. }
split.
- intros y [Y|<-].
  + apply (f_positive F ch A f); [ | exact Y ]. intros; apply f_F; lra.
  + replace (f 0) with (f (0 ^ 2)) by (f_equal; ring). rewrite f_F by lra. exact Q0.
- intros s t S T B. rewrite !f_F by assumption. apply Rabs_le_between in B. destruct S as [S|<-], T as [T|<-].
  + apply W; trivial. apply Rabs_le_between. lra.
  + assert (K := P0 s S ltac:(lra)). rewrite exp_Ropp in K. apply Rmult_le_compat_l with (r := exp u) in K; [ | left; apply exp_pos ].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in K by (apply Rgt_not_eq, exp_pos). exact K.
  + apply (limit_le F C _ t T). intros x X. apply W; try lra. apply Rabs_le_between. lra.
  + rewrite <- (Rmult_1_l (ev F 0)) at 1. apply Rmult_le_compat_r; [ lra | ]. rewrite <- exp_0.
    destruct U as [U|U]; [ left; now apply exp_increasing | right; now rewrite U ].
Qed.
End ExportA.
