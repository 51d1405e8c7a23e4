(* ==== The theorem: three charts cover (0, oo), a model at zero, boxes, a model at infinity.  On them the
   potential g(r) = - ln f(r^2) is shown smooth, rising, and with g(r + delta) - g(r) bounded, or unbounded.  Each
   test is a boolean that Coq computes; the lemma `..._ok` beside it says what `true` means. *)
(* ---- boxes: a property of all x in [n/d, m/d] from a test on boxes, halved as often as needed ---- *)
Definition box (n m : Z) (d : positive) : I.type := I.join (point n d) (point m d).
Lemma box_ok n m d x : IZR n / IZR (Zpos d) <= x <= IZR m / IZR (Zpos d) -> inside (box n m d) x.
Proof. apply join_in; apply point_ok. Qed.

Lemma middle_ok n m d y : IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) ->
  IZR n / IZR (Zpos d) <= IZR (n + m) / IZR (Zpos (2 * d)) <= IZR m / IZR (Zpos d).
Proof. intros Y. assert (0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity). rewrite Pos2Z.inj_mul, mult_IZR, plus_IZR.
replace ((IZR n + IZR m) / (2 * IZR (Zpos d))) with ((IZR n / IZR (Zpos d) + IZR m / IZR (Zpos d)) / 2) by (field; lra). lra. Qed.

Fixpoint tile (test : Z -> Z -> positive -> bool) (fuel : nat) (n m : Z) (d : positive) : bool :=
  if test n m d then true else match fuel with
  | O => false
  | S k => if tile test k (2 * n) (n + m) (2 * d) then tile test k (n + m) (2 * m) (2 * d) else false end.
Fixpoint tiles test fuel (cuts : list Z) (d : positive) : bool := match cuts with
  | n :: ((m :: _) as rest) => if tile test fuel n m d then tiles test fuel rest d else false
  | _ => true end.

Section Tiles.
Variables (P : R -> Prop) (test : Z -> Z -> positive -> bool).
Hypothesis (test_ok : forall n m d, test n m d = true -> forall x, IZR n / IZR (Zpos d) <= x <= IZR m / IZR (Zpos d) -> P x).
Lemma tile_ok fuel : forall n m d, tile test fuel n m d = true -> forall x, IZR n / IZR (Zpos d) <= x <= IZR m / IZR (Zpos d) -> P x.
Proof.
induction fuel as [|k IH]; intros n m d; cbn [tile]; destruct (test n m d) eqn:E; try discriminate; try (intros _; now apply test_ok).
destruct (tile test k (2 * n) (n + m) (2 * d)) eqn:L; [ | discriminate ]. intros H x Hx.
assert (N : 0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity).
assert (D2 : IZR (Zpos (2 * d)) = 2 * IZR (Zpos d)) by (rewrite Pos2Z.inj_mul, mult_IZR; reflexivity).
destruct (Rle_or_lt x (IZR (n + m) / IZR (Zpos (2 * d)))) as [K|K].
- apply (IH _ _ _ L). split; [ | exact K ]. rewrite mult_IZR, D2. replace (2 * IZR n / (2 * IZR (Zpos d))) with (IZR n / IZR (Zpos d)) by (field; lra). apply Hx.
- apply (IH _ _ _ H). split; [ lra | ]. rewrite mult_IZR, D2. replace (2 * IZR m / (2 * IZR (Zpos d))) with (IZR m / IZR (Zpos d)) by (field; lra). apply Hx.
Qed.
Lemma tiles_ok fuel cuts d : forall n, tiles test fuel (n :: cuts) d = true -> forall x, IZR n / IZR (Zpos d) <= x <= IZR (last cuts n) / IZR (Zpos d) -> cuts <> nil -> P x.
Proof.
induction cuts as [|m cuts IH]; intros n; [ easy | ]. cbn [tiles]. destruct (tile test fuel n m d) eqn:E; [ | discriminate ].
intros H x Hx _. destruct (Rle_or_lt x (IZR m / IZR (Zpos d))) as [K|K]; [ apply (tile_ok _ _ _ _ E); lra | ].
destruct cuts as [|k cuts].
- simpl in Hx. lra.
- apply (IH m H x); [ | easy ]. split; [ lra | ]. replace (last (k :: cuts) m) with (last (m :: k :: cuts) n); [ apply Hx | ].
  change (last (m :: k :: cuts) n) with (last (k :: cuts) n). clear. revert k. induction cuts as [|j cuts IH]; intros k; [ reflexivity | ]. apply (IH j).
Qed.
End Tiles.

(* ---- the three charts: (0, 1/d] by a model at zero, boxes from 1/d to N, a model at infinity ---- *)
Record charts := { zero_d : positive; cuts : list Z; far_n : Z; fuel : nat; split_zero : bool; zero_order : nat; far_order : nat }.

Definition log_of (n : Z) := I.ln prec (I.fromZ prec n).
Definition log_log n := I.ln prec (log_of n).
Definition log_log_log n := I.ln prec (log_log n).
Definition log_log_log_log n := I.ln prec (log_log_log n).
Definition large_enough (n : Z) : bool := andb (Z.ltb 1 n) (andb (gt0 (log_of n)) (andb (gt0 (log_log n)) (gt0 (log_log_log n)))).
Lemma large_ok n : large_enough n = true -> 1 < IZR n /\ inside (log_of n) (ln (IZR n)) /\ inside (log_log n) (ln (ln (IZR n))) /\
  inside (log_log_log n) (ln (ln (ln (IZR n)))) /\ inside (log_log_log_log n) (ln (ln (ln (ln (IZR n))))) /\ 0 < ln (ln (ln (IZR n))).
Proof.
unfold large_enough. intros H. apply andb_prop in H. destruct H as [H0 H]. apply andb_prop in H. destruct H as [H1 H].
apply andb_prop in H. destruct H as [H2 H3]. apply Z.ltb_lt, IZR_lt in H0.
assert (A : inside (log_of n) (ln (IZR n))) by (apply ln_in; [ lra | apply I.fromZ_correct ]).
assert (B : inside (log_log n) (ln (ln (IZR n)))) by (apply ln_in; [ now apply (gt0_ok (log_of n)) | exact A ]).
assert (C : inside (log_log_log n) (ln (ln (ln (IZR n))))) by (apply ln_in; [ now apply (gt0_ok (log_log n)) | exact B ]).
assert (P : 0 < ln (ln (ln (IZR n)))) by now apply (gt0_ok (log_log_log n)).
assert (E : inside (log_log_log_log n) (ln (ln (ln (ln (IZR n)))))) by (apply ln_in; [ exact P | exact C ]). repeat (split; [ assumption | ]). assumption.
Qed.

Section Model.
Variables (n : Z) (order : nat) (large : large_enough n = true).
Definition at_end (e : expr) (V : model) := mev (log_of n) (log_log n) (log_log_log n) (log_log_log_log n) order V e.
Definition at_infinity e := at_end e (Some [((1, 0, 0, 0)%Q, Exact 1)]).
Definition at_zero e := at_end e (Some [((-1, 0, 0, 0)%Q, Exact 1)]).
Definition small_at := small (log_of n) (log_log n) (log_log_log n) (log_log_log_log n).
Definition bracket_at := bracket (log_of n) (log_log n) (log_log_log n) (log_log_log_log n).
Definition span_at := bounded_by (log_of n) (log_log n) (log_log_log n) (log_log_log_log n).
Definition sum_at := madd (log_of n) (log_log n) (log_log_log n) (log_log_log_log n) order.
Definition product_at := mmul (log_of n) (log_log n) (log_log_log n) (log_log_log_log n) order.
Notation model_of := (is_model (IZR n)).

Lemma infinity_ok e : model_of (ev e) (at_infinity e) /\ (at_infinity e <> None -> forall t, IZR n <= t -> def e t).
Proof. destruct (large_ok n large) as [A [B [C [D [E L]]]]]. apply (mev_ok _ _ _ _ _ _ B C D E L _ (fun t => t)).
intros t Ht. apply rep_eq with (1 * val (1, 0, 0, 0)%Q t); [ apply single; simpl; now rewrite Q2R_1 | ].
simpl. rewrite Q2R_0, Q2R_1. replace (_ + _ + _ + _) with (ln t) by ring. rewrite exp_ln; lra. Qed.
Lemma zero_ok e : model_of (fun t => ev e (/ t)) (at_zero e) /\ (at_zero e <> None -> forall t, IZR n <= t -> def e (/ t)).
Proof. destruct (large_ok n large) as [A [B [C [D [E L]]]]]. apply (mev_ok _ _ _ _ _ _ B C D E L _ (fun t => / t)).
intros t Ht. apply rep_eq with (1 * val (-1, 0, 0, 0)%Q t); [ apply single; simpl; now rewrite Q2R_1 | ].
simpl. rewrite Q2R_0, Q2R_m1. replace (_ + _ + _ + _) with (- ln t) by ring. rewrite exp_Ropp, exp_ln by lra. ring. Qed.
Lemma small_at_ok m s : small_at m = Some s -> (forall t, IZR n <= t -> inside s (val m t)) /\ is_lim (val m) p_infty 0.
Proof. destruct (large_ok n large) as [A [B [C [D [E L]]]]]. now apply small_ok. Qed.
Lemma bracket_at_ok l m i t v : IZR n <= t -> bracket_at l = Some (m, i) -> rep t l v -> exists x, inside i x /\ v = x * val m t.
Proof. destruct (large_ok n large) as [A [B [C [D [E L]]]]]. intros Ht. now apply (bracket_ok _ _ _ _ _ B C D E L). Qed.
Lemma span_at_ok l i t v : IZR n <= t -> span_at l = Some i -> rep t l v -> inside i v.
Proof. destruct (large_ok n large) as [A [B [C [D [E L]]]]]. now apply (bounded_by_ok _ _ _ _ _ B C D E L). Qed.
Lemma sum_at_ok f g M N : model_of f M -> model_of g N -> model_of (fun t => f t + g t) (sum_at M N).
Proof. destruct (large_ok n large) as [A [B [C [D [E L]]]]]. now apply madd_ok. Qed.
Lemma product_at_ok f g M N : model_of f M -> model_of g N -> model_of (fun t => f t * g t) (product_at M N).
Proof. destruct (large_ok n large) as [A [B [C [D [E L]]]]]. now apply mmul_ok. Qed.

Definition nonnegative (M : model) : bool := match M with
  | None => false | Some nil => true
  | Some l => match bracket_at l with Some (_, i) => ge0 i | None => false end end.
Lemma nonnegative_ok f M : nonnegative M = true -> model_of f M -> forall t, IZR n <= t -> 0 <= f t.
Proof. destruct M as [l|]; [ | easy ]. intros G H t Ht. specialize (H t Ht). destruct l as [|x l]; [ rewrite H; lra | ]. unfold nonnegative in G.
destruct (bracket_at (x :: l)) as [[m i]|] eqn:B; [ | discriminate ]. destruct (bracket_at_ok _ m i t _ Ht B H) as [y [Y ->]].
apply Rmult_le_pos; [ now apply (ge0_ok i) | left; apply val_pos ]. Qed.

(* k f - b, and k f <= b on the whole chart. *)
Definition rational (p : Z) (q : positive) : model := constant (Exact (Qred (p # q))).
Lemma rational_ok p q : model_of (fun _ => IZR p / IZR (Zpos q)) (rational p q).
Proof. apply constant_ok. simpl. now rewrite Qred_R. Qed.
Definition excess (p : Z) (q : positive) (b : Z) (d : positive) (M : model) : model := sum_at (product_at (rational p q) M) (mopp (rational b d)).
Lemma excess_ok f p q b d M : model_of f M -> model_of (fun t => IZR p / IZR (Zpos q) * f t - IZR b / IZR (Zpos d)) (excess p q b d M).
Proof. intros H. unfold excess. apply (sum_at_ok (fun t => IZR p / IZR (Zpos q) * f t) (fun t => - (IZR b / IZR (Zpos d)))).
- apply (product_at_ok (fun _ => IZR p / IZR (Zpos q)) f); [ apply rational_ok | exact H ].
- apply (mopp_ok _ (fun _ => IZR b / IZR (Zpos d))). apply rational_ok. Qed.
Definition at_most p q b d (M : model) : bool := nonnegative (mopp (excess p q b d M)).
Lemma at_most_ok f p q b d M : at_most p q b d M = true -> model_of f M -> forall t, IZR n <= t -> IZR p / IZR (Zpos q) * f t <= IZR b / IZR (Zpos d).
Proof. intros G H t Ht. assert (K := nonnegative_ok _ _ G (mopp_ok _ _ _ (excess_ok f p q b d M H)) t Ht). simpl in K. lra. Qed.

(* f tends to +oo. *)
Definition grows (M : model) : bool := match M with
  | Some l => match bracket_at l with Some (m, i) => andb (gt0 i) (match small_at (scale_m (-1) m) with Some _ => true | None => false end) | None => false end
  | None => false end.
Lemma eventually (c : R -> R) l b : is_lim c p_infty (Finite l) -> l < b -> exists N, forall t, N < t -> c t < b.
Proof. intros H B. apply is_lim_spec in H. assert (P : 0 < b - l) by lra. destruct (H (mkposreal _ P)) as [N HN]. exists N.
intros t Ht. specialize (HN t Ht). simpl in HN. apply Rabs_def2 in HN. lra. Qed.
Lemma grows_ok f M : grows M = true -> model_of f M -> forall K, exists N, forall t, N < t -> K < f t.
Proof. destruct M as [l|]; [ | easy ]. unfold grows. destruct (bracket_at l) as [[m i]|] eqn:B; [ | discriminate ]. intros G H K. apply andb_prop in G. destruct G as [G S].
destruct (small_at (scale_m (-1) m)) as [s|] eqn:Sm; [ | discriminate ]. destruct (small_at_ok _ _ Sm) as [_ Lim].
destruct (above_0 i G) as [v [V Above]].
{ destruct (bracket_at_ok l m i (IZR n) _ (Rle_refl _) B (H _ (Rle_refl _))) as [x [X _]]. now exists x. }
destruct (eventually _ 0 (v / (Rabs K + 1)) Lim) as [N2 H2].
{ apply Rdiv_lt_0_compat; [ lra | ]. generalize (Rabs_pos K). lra. }
exists (Rmax (IZR n) N2). intros t Ht. assert (J := Rmax_l (IZR n) N2). assert (J' := Rmax_r (IZR n) N2).
destruct (bracket_at_ok l m i t _ ltac:(lra) B (H t ltac:(lra))) as [x [X ->]]. specialize (Above x X). specialize (H2 t ltac:(lra)).
rewrite val_scale, Q2R_m1 in H2. rewrite exp_m1 in H2 by apply val_pos. assert (Q := val_pos m t). assert (J1 : 0 < Rabs K + 1) by (generalize (Rabs_pos K); lra).
assert (Rabs K + 1 < v * val m t).
{ apply Rmult_lt_reg_r with (/ val m t); [ now apply Rinv_0_lt_compat | ]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra.
  apply Rmult_lt_reg_l with (/ (Rabs K + 1)); [ now apply Rinv_0_lt_compat | ]. rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra.
  rewrite Rmult_comm. exact H2. }
assert (v * val m t <= x * val m t) by (apply Rmult_le_compat_r; lra).
generalize (Rle_abs K). lra. Qed.

(* f stays above some number; and f is nonnegative in the limit. *)
Definition huge := (2 ^ 200)%Z.
Definition not_huge (i : I.type) : bool := gt0 (I.add prec i (I.fromZ prec huge)).
Lemma not_huge_ok i x : not_huge i = true -> inside i x -> - IZR huge < x.
Proof. intros G X. assert (0 < x + IZR huge); [ | lra ]. apply (gt0_ok _ _ G). apply add_in; [ exact X | apply I.fromZ_correct ]. Qed.
Definition bounded_below (M : model) : bool := orb (nonnegative M) (match M with Some l => match span_at l with Some i => not_huge i | None => false end | None => false end).
Lemma bounded_below_ok f M : bounded_below M = true -> model_of f M -> forall t, IZR n <= t -> - IZR huge <= f t.
Proof. unfold bounded_below. intros H A t Ht. apply Bool.orb_prop in H. destruct H as [H|H].
- assert (0 < IZR huge) by (apply IZR_lt; reflexivity). generalize (nonnegative_ok f M H A t Ht). lra.
- destruct M as [l|]; [ | discriminate ]. destruct (span_at l) as [i|] eqn:S; [ | discriminate ].
  generalize (not_huge_ok i (f t) H (span_at_ok l i t _ Ht S (A t Ht))). lra. Qed.
Definition fades (l : terms) : bool := match l with nil => true | _ => match bracket_at l with
  | Some (m, i) => andb (not_huge i) (match small_at m with Some _ => true | None => false end) | None => false end end.
Definition not_negative (c : coef) : bool := orb (cnull c) (orb (cpos c) (ge0 (ball c))).
Definition limit_not_negative (M : model) : bool := orb (nonnegative M) (match M with
  | Some ((m, c) :: r) => if is_one m then andb (not_negative c) (fades r) else fades ((m, c) :: r)
  | _ => false end).
Lemma fades_ok l : fades l = true -> forall e, 0 < e -> exists N, forall t v, N < t -> IZR n <= t -> rep t l v -> - e < v.
Proof. intros F e E. destruct l as [|x l]; [ exists 0; intros t v _ _ H; rewrite H; lra | ]. unfold fades in F.
destruct (bracket_at (x :: l)) as [[m i]|] eqn:B; [ | discriminate ]. apply andb_prop in F. destruct F as [Nh S].
destruct (small_at m) as [s|] eqn:Sm; [ | discriminate ]. destruct (small_at_ok _ _ Sm) as [_ Lim].
assert (P : 0 < IZR huge) by (apply IZR_lt; reflexivity).
destruct (eventually _ 0 (e / IZR huge) Lim) as [N HN]; [ now apply Rdiv_lt_0_compat | ]. exists N. intros t v Ht Tt H.
destruct (bracket_at_ok _ m i t v Tt B H) as [y [Y ->]]. assert (K := not_huge_ok i y Nh Y). specialize (HN t Ht). assert (V := val_pos m t).
assert (IZR huge * val m t < e).
{ apply Rmult_lt_reg_l with (/ IZR huge); [ now apply Rinv_0_lt_compat | ]. rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra. rewrite Rmult_comm. exact HN. }
assert (- IZR huge * val m t <= y * val m t) by (apply Rmult_le_compat_r; lra). lra. Qed.
Lemma limit_not_negative_ok f M : limit_not_negative M = true -> model_of f M -> forall e, 0 < e -> exists N, forall t, N < t -> IZR n <= t -> - e < f t.
Proof. unfold limit_not_negative. intros H A e E. apply Bool.orb_prop in H. destruct H as [H|H].
- exists 0. intros t _ Ht. generalize (nonnegative_ok f M H A t Ht). lra.
- destruct M as [[|[m c] r]|]; try discriminate. destruct (is_one m) eqn:O.
  + apply andb_prop in H. destruct H as [C F]. destruct (fades_ok r F e E) as [N HN]. exists N. intros t Ht Tt. destruct (A t Tt) as [k [K G]].
    assert (0 <= k).
    { apply Bool.orb_prop in C. destruct C as [C|C]; [ rewrite (cnull_ok c k C K); lra | ].
      apply Bool.orb_prop in C. destruct C as [C|C]; [ generalize (cpos_ok c k C K); lra | apply (ge0_ok _ _ C); now apply ball_in ]. }
    generalize (HN t _ Ht Tt G). rewrite (is_one_ok m t O). lra.
  + destruct (fades_ok _ H e E) as [N HN]. exists N. intros t Ht Tt. exact (HN t _ Ht Tt (A t Tt)). Qed.
End Model.


Definition is_known (M : model) := match M with None => false | Some _ => true end.
Lemma known M : is_known M = true -> M <> None. Proof. now destruct M. Qed.

(* A smooth function with derivative at least m (at most m) grows at least (at most) like m. *)
Lemma mean_value (g dg : R -> R) a b : a <= b -> (forall x, a <= x <= b -> is_derive g x (dg x)) ->
  exists c, a <= c <= b /\ g b - g a = dg c * (b - a).
Proof.
intros H K. destruct (MVT_gen g a b dg) as [c [C E]]; rewrite ?Rmin_left, ?Rmax_right in * by exact H.
- intros x Hx. apply K. lra.
- intros x Hx. apply continuity_pt_filterlim. apply @ex_derive_continuous. eexists. now apply K.
- exists c. auto.
Qed.

Lemma mean_value_either (f df : R -> R) c y : (forall z, Rmin c y <= z <= Rmax c y -> is_derive f z (df z)) ->
  exists z, Rmin c y <= z <= Rmax c y /\ f y - f c = df z * (y - c).
Proof. intros H. apply (MVT_gen f c y df); intros z Hz.
- apply H. lra.
- apply continuity_pt_filterlim. apply @ex_derive_continuous. eexists. now apply H. Qed.

Lemma all_near l x : (forall e, In e l -> def e x) -> locally x (fun y => forall e, In e l -> def e y).
Proof. induction l as [|e l IH]; intros H; [ now apply filter_forall | ].
assert (A : locally x (def e)) by (apply def_open, H; now left).
assert (B : locally x (fun y => forall a, In a l -> def a y)) by (apply IH; intros; apply H; now right).
generalize (filter_and _ _ A B). apply filter_imp. intros y [Y1 Y2] a [<-|Ha]; auto. Qed.
Lemma lg_near s F x : 0 < x -> (forall e, In e (lg s F :: sides s F) -> def e x) -> locally x (fun y => exp (ev (lg s F) y) = ev F y).
Proof. intros X H. assert (P : locally x (fun y => 0 < y)) by now apply (open_gt 0). generalize (filter_and _ _ P (all_near _ x H)). apply filter_imp.
intros y [Y D]. apply lg_ok; [ exact Y | apply D; now left | intros; apply D; now right ]. Qed.

(* ---- the potential g(r) = - ln f(r^2) of a generator ---- *)
Section Potential.
Variables (F : expr) (ch : charts).
Definition G (split : bool) : expr := lin (Opp (lg split F)).
Definition dG (split : bool) : expr := D (G split).
Definition steps (split : bool) : list expr := G split :: lg split F :: sides split F.
Definition g (r : R) : R := - ln (ev F r).

Lemma potential s x : 0 < x -> (forall e, In e (steps s) -> def e x) ->
  0 < ev F x /\ g x = ev (G s) x /\ is_derive g x (ev (dG s) x).
Proof.
intros X H.
assert (E : forall y, 0 < y -> (forall e, In e (steps s) -> def e y) -> exp (ev (lg s F) y) = ev F y).
{ intros y Y K. apply lg_ok; [ exact Y | | ]; intros; apply K; simpl; auto. }
assert (E' : forall y, 0 < y -> (forall e, In e (steps s) -> def e y) -> ev (G s) y = g y).
{ intros y Y K. unfold G, g. rewrite lin_ok. cbn [ev]. rewrite <- (E y Y K), ln_exp. reflexivity. }
split; [ rewrite <- (E x X H); apply exp_pos | ]. split; [ symmetry; now apply E' | ].
apply is_derive_ext_loc with (ev (G s)).
- assert (locally x (fun y => 0 < y)) by now apply (open_gt 0).
  assert (K := all_near _ x H).
  generalize (filter_and _ _ H0 K). apply filter_imp. intros y [Y1 Y2]. now apply E'.
- apply D_ok. apply H. now left.
Qed.

Let zn : Z := Zpos (zero_d ch).
Notation near_model := (at_zero zn (zero_order ch)).
Notation far_model := (at_infinity (far_n ch) (far_order ch)).
Let r0 := / IZR zn.
Definition cover (test : Z -> Z -> positive -> bool) : bool := tiles test (fuel ch) (1%Z :: cuts ch) (zero_d ch).

Definition shape_ok : bool := andb (andb (large_enough zn) (large_enough (far_n ch)))
  (match cuts ch with nil => false | _ => Z.eqb (last (cuts ch) 1%Z) (far_n ch * zn) end).

Lemma everywhere (P : R -> Prop) (test : Z -> Z -> positive -> bool) : shape_ok = true ->
  (forall t, IZR zn <= t -> P (/ t)) -> (forall n m d, test n m d = true -> forall x, IZR n / IZR (Zpos d) <= x <= IZR m / IZR (Zpos d) -> P x) ->
  cover test = true -> (forall t, IZR (far_n ch) <= t -> P t) -> forall x, 0 < x -> P x.
Proof.
unfold shape_ok. intros S Z B C I x X. apply andb_prop in S. destruct S as [_ S].
assert (N : 0 < IZR zn) by (apply IZR_lt; reflexivity).
destruct (Rle_or_lt x r0) as [H|H].
- rewrite <- (Rinv_inv x). apply Z. rewrite <- (Rinv_inv (IZR zn)). apply Rinv_le_contravar; [ exact X | exact H ].
- destruct (Rle_or_lt (IZR (far_n ch)) x) as [K|K]; [ now apply I | ].
  apply (tiles_ok P test B (fuel ch) (cuts ch) (zero_d ch) 1%Z C x); [ | destruct (cuts ch); congruence ].
  fold zn. replace (1 / IZR zn) with r0 by (unfold r0; field; lra). split; [ lra | ].
  destruct (cuts ch) as [|k l]; [ discriminate | ]. apply Z.eqb_eq in S. rewrite S, mult_IZR.
  replace (IZR (far_n ch) * IZR zn / IZR zn) with (IZR (far_n ch)) by (field; lra). lra.
Qed.
Lemma shape_zero : shape_ok = true -> large_enough zn = true.
Proof. unfold shape_ok. intros H. apply andb_prop in H. destruct H as [H _]. now apply andb_prop in H. Qed.
Lemma shape_far : shape_ok = true -> large_enough (far_n ch) = true.
Proof. unfold shape_ok. intros H. apply andb_prop in H. destruct H as [H _]. now apply andb_prop in H. Qed.

(* Every step of g is defined, everywhere. *)
Let sz := split_zero ch.
(* (A test is a function of its expressions, so that they are computed once and not for every box.) *)
Definition steps_on (l : list expr) n m d := let i := box n m d in forallb (fun e => I.real (iev e i)) l.
Definition steps_test := steps_on (steps true).
Definition defined : bool := andb shape_ok (andb (forallb (fun e => is_known (near_model e)) (steps sz))
  (andb (cover steps_test) (forallb (fun e => is_known (far_model e)) (steps true)))).

Record regular : Prop := {
  shape : shape_ok = true;
  near : forall x, 0 < x <= r0 -> forall e, In e (steps sz) -> def e x;
  beyond : forall x, r0 <= x -> forall e, In e (steps true) -> def e x }.

Lemma not_near n d : Z.ltb (n * zn) (Zpos d) = false -> r0 <= IZR n / IZR (Zpos d).
Proof. intros L. apply Z.ltb_ge, IZR_le in L. rewrite mult_IZR in L. assert (0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity). assert (0 < IZR zn) by (apply IZR_lt; reflexivity).
unfold r0. apply Rmult_le_reg_r with (IZR zn * IZR (Zpos d)); [ now apply Rmult_lt_0_compat | ].
replace (/ IZR zn * (IZR zn * IZR (Zpos d))) with (IZR (Zpos d)) by (field; lra).
replace (IZR n / IZR (Zpos d) * (IZR zn * IZR (Zpos d))) with (IZR n * IZR zn) by (field; lra). exact L. Qed.
Lemma r0_pos : 0 < r0. Proof. apply Rinv_0_lt_compat, IZR_lt. reflexivity. Qed.
Lemma near_inv x : 0 < x <= r0 -> IZR zn <= / x.
Proof. intros H. assert (0 < IZR zn) by (apply IZR_lt; reflexivity). rewrite <- (Rinv_inv (IZR zn)). now apply Rinv_le_contravar. Qed.

Lemma defined_ok : defined = true -> regular.
Proof.
unfold defined. intros H. apply andb_prop in H. destruct H as [S H]. apply andb_prop in H. destruct H as [Z H]. apply andb_prop in H. destruct H as [B I].
rewrite forallb_forall in Z, I. split; [ exact S | | ].
- intros x X e E. rewrite <- (Rinv_inv x). apply (zero_ok zn (zero_order ch) (shape_zero S)); [ apply known, Z, E | now apply near_inv ].
- intros x X. apply (everywhere (fun x => r0 <= x -> forall e, In e (steps true) -> def e x) steps_test); trivial.
  + intros t Ht K e E. assert (A : / t <= r0) by (apply Rinv_le_contravar; [ apply IZR_lt; reflexivity | exact Ht ]).
    assert (x0 : / t = r0) by lra. rewrite x0.
    (* at r0 itself the boxes speak *)
    apply (tiles_ok (fun x => forall e, In e (steps true) -> def e x) steps_test) with (fuel := fuel ch) (cuts := cuts ch) (d := zero_d ch) (n := 1%Z); auto.
    * intros n m d T y Y a A'. unfold steps_test, steps_on in T. rewrite forallb_forall in T. apply (iev_ok a (box n m d) y); [ now apply box_ok | now apply T ].
    * fold zn. assert (0 < IZR zn) by (apply IZR_lt; reflexivity). replace (1 / IZR zn) with r0 by (unfold r0; field; lra). split; [ lra | ].
      unfold shape_ok in S. apply andb_prop in S. destruct S as [S1 S2]. destruct (cuts ch) as [|k l]; [ discriminate | ]. apply Z.eqb_eq in S2. rewrite S2, mult_IZR.
      replace (IZR (far_n ch) * IZR zn / IZR zn) with (IZR (far_n ch)) by (field; lra).
      apply andb_prop in S1. destruct S1 as [L1 L2]. destruct (large_ok _ L1) as [L1' _]. destruct (large_ok _ L2) as [L2' _].
      apply Rle_trans with 1; [ | lra ]. unfold r0. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
    * unfold shape_ok in S. apply andb_prop in S. destruct S as [_ S]. destruct (cuts ch); congruence.
  + intros n m d T y Y _ a A'. unfold steps_test, steps_on in T. rewrite forallb_forall in T. apply (iev_ok a (box n m d) y); [ now apply box_ok | now apply T ].
  + intros t Ht _ e E. apply (infinity_ok (far_n ch) (far_order ch) (shape_far S)); [ apply known, I, E | exact Ht ].
  + generalize r0_pos. lra.
Qed.

Section Regular.
Hypothesis Reg : regular.
Lemma near_potential x : 0 < x <= r0 -> 0 < ev F x /\ g x = ev (G sz) x /\ is_derive g x (ev (dG sz) x).
Proof. intros X. apply potential; [ lra | now apply near ]. Qed.
Lemma far_potential x : r0 <= x -> 0 < ev F x /\ g x = ev (G true) x /\ is_derive g x (ev (dG true) x).
Proof. intros X. apply potential; [ generalize r0_pos; lra | now apply beyond ]. Qed.
Lemma F_pos x : 0 < x -> 0 < ev F x.
Proof. intros X. destruct (Rle_or_lt x r0); [ apply near_potential | apply far_potential ]; lra. Qed.
Lemma F_exp x : 0 < x -> ev F x = exp (- g x).
Proof. intros X. unfold g. rewrite Ropp_involutive, exp_ln; [ reflexivity | now apply F_pos ]. Qed.
Definition slope x := if Rle_dec x r0 then ev (dG sz) x else ev (dG true) x.
Lemma slope_ok x : 0 < x -> is_derive g x (slope x).
Proof. intros X. unfold slope. destruct Rle_dec; [ apply near_potential | apply far_potential ]; lra. Qed.
Lemma slope_far x : r0 <= x -> slope x = ev (dG true) x.
Proof. intros X. assert (0 < x) by (generalize r0_pos; lra).
rewrite <- (is_derive_unique _ _ _ (slope_ok x H)). apply is_derive_unique, far_potential, X. Qed.
Lemma slope_near x : 0 < x <= r0 -> slope x = ev (dG sz) x.
Proof. intros X. unfold slope. destruct Rle_dec; [ reflexivity | lra ]. Qed.

(* g does not fall: f is non-increasing. *)
Definition falls_on (e e' : expr) (n m : Z) (d : positive) : bool :=
  let x := box n m d in if ge0 (iev e x) then true else if Z.ltb (n * zn) (Zpos d) then false else
  let c := point (n + m) (2 * d) in ge0 (I.add prec (iev e c) (I.mul prec (iev e' x) (I.sub prec x c))).
Definition falls_test := falls_on (dG true) (D (dG true)).
Definition falls : bool := andb (nonnegative zn (near_model (dG sz)))
  (andb (cover falls_test) (nonnegative (far_n ch) (far_model (dG true)))).
Lemma ge0_ev e i x : inside i x -> ge0 (iev e i) = true -> 0 <= ev e x.
Proof. intros H K. destruct (ge0_X _ _ K (iev_xev e i _ H)) as [v [E V]]. destruct (xev_ok _ _ _ E) as [_ <-]. exact V. Qed.
Lemma le0_ev e i x : inside i x -> le0 (iev e i) = true -> ev e x <= 0.
Proof. intros H K. destruct (le0_X _ _ K (iev_xev e i _ H)) as [v [E V]]. destruct (xev_ok _ _ _ E) as [_ <-]. exact V. Qed.

Lemma falls_test_ok n m d y : falls_test n m d = true -> IZR n / IZR (Zpos d) <= y <= IZR m / IZR (Zpos d) -> 0 <= ev (dG true) y.
Proof. intros T Y. assert (Y' := box_ok n m d y Y). unfold falls_test, falls_on in T. destruct ge0 eqn:E in T; [ now apply (ge0_ev _ (box n m d)) | ].
destruct (Z.ltb (n * zn) (Zpos d)) eqn:L in T; [ discriminate | ]. apply not_near in L.
set (c := IZR (n + m) / IZR (Zpos (2 * d))) in *. assert (Cy := middle_ok n m d y Y). fold c in Cy.
destruct (mean_value_either (ev (dG true)) (ev (D (dG true))) c y) as [z [Hz Ez]].
{ intros z Hz. apply D_ok, def_D. apply (beyond Reg z); [ | now left ]. revert Hz. unfold Rmin. destruct Rle_dec; lra. }
assert (Z' : inside (box n m d) z) by (apply box_ok; revert Hz; unfold Rmin, Rmax; destruct Rle_dec; lra).
destruct (ge0_X _ (Xadd (xev (dG true) (Xreal c)) (Xmul (xev (D (dG true)) (Xreal z)) (Xreal (y - c)))) T) as [v [Ev V]].
{ apply I.add_correct; [ apply iev_xev, point_ok | apply I.mul_correct; [ now apply iev_xev | ] ].
  apply (I.sub_correct prec _ _ (Xreal y) (Xreal c)); [ exact Y' | apply point_ok ]. }
destruct (xev (dG true) (Xreal c)) as [|pc] eqn:Pc; [ discriminate | ]. destruct (xev_ok _ _ _ Pc) as [_ Ec].
destruct (xev (D (dG true)) (Xreal z)) as [|pz] eqn:Pz; [ discriminate | ]. destruct (xev_ok _ _ _ Pz) as [_ Ez'].
simpl in Ev. injection Ev as <-. rewrite <- Ec, <- Ez' in V. lra. Qed.
Lemma falls_ok : falls = true -> forall x, 0 < x -> 0 <= slope x.
Proof.
unfold falls. intros H. apply andb_prop in H. destruct H as [Z H]. apply andb_prop in H. destruct H as [B I].
assert (N : 0 < IZR zn) by (apply IZR_lt; reflexivity). generalize r0_pos (shape Reg). intros P S x X.
destruct (Rle_or_lt x r0) as [K|K].
- rewrite slope_near by lra. rewrite <- (Rinv_inv x).
  apply (nonnegative_ok zn (shape_zero S) _ _ Z (proj1 (zero_ok zn (zero_order ch) (shape_zero S) (dG sz)))). apply near_inv. lra.
- rewrite slope_far by lra.
  apply (everywhere (fun x => r0 < x -> 0 <= ev (dG true) x) falls_test); trivial.
  + intros t Ht J. exfalso. apply (Rlt_not_le _ _ J). apply Rinv_le_contravar; [ exact N | exact Ht ].
  + intros n m d T y Y _. now apply (falls_test_ok n m d).
  + intros t Ht _. exact (nonnegative_ok _ (shape_far S) _ _ I (proj1 (infinity_ok _ (far_order ch) (shape_far S) (dG true))) t Ht).
Qed.
Lemma g_mono : falls = true -> forall x y, 0 < x <= y -> g x <= g y.
Proof. intros H x y X. destruct (mean_value g slope x y) as [c [C E]]; [ lra | intros; apply slope_ok; lra | ].
generalize (falls_ok H c ltac:(lra)). intros. assert (0 <= slope c * (y - x)) by (apply Rmult_le_pos; lra). lra. Qed.

(* phi(r) = g(r + delta) - g(r) is at most u. *)
Section Loss.
Variables (dn : Z) (dd : positive) (un : Z) (ud : positive).
Let delta := IZR dn / IZR (Zpos dd).
Let u := IZR un / IZR (Zpos ud).
Definition del := Rat dn dd.
Definition phi (s : bool) : expr := Sub (subst (G true) (Add Var del)) (G s).
Definition dphi : expr := D (phi true).
Definition phi_on (slope p p' : expr) (n m : Z) (d : positive) : bool :=
  let x := box n m d in let ui := point un ud in
  if Z.ltb (n * zn) (Zpos d) then false else
  let slopes := I.mul prec (point dn dd) (iev slope (I.join x (I.add prec x (point dn dd)))) in
  if le0 (I.sub prec slopes ui) then true else
  let c := point (n + m) (2 * d) in
  le0 (I.sub prec (I.add prec (iev p c) (I.mul prec (iev p' x) (I.sub prec x c))) ui).
Definition phi_test := phi_on (dG true) (phi true) dphi.
Definition delta_ok : bool := andb (Z.ltb 0 dn) (Z.leb (Zpos dd) (dn * zn)).
Definition bounded : bool := andb delta_ok (andb (at_most zn (zero_order ch) 1 1 un ud (near_model (phi sz)))
  (andb (cover phi_test) (at_most (far_n ch) (far_order ch) dn dd un ud (far_model (dG true))))).

Lemma delta_bounds : delta_ok = true -> 0 < delta /\ r0 <= delta.
Proof. unfold delta_ok. intros H. apply andb_prop in H. destruct H as [A B]. apply Z.ltb_lt, IZR_lt in A. apply Z.leb_le, IZR_le in B.
rewrite mult_IZR in B. assert (0 < IZR zn) by (apply IZR_lt; reflexivity). assert (0 < IZR (Zpos dd)) by (apply IZR_lt; reflexivity).
split; [ now apply Rdiv_lt_0_compat | ]. unfold r0, delta. apply Rmult_le_reg_r with (IZR zn * IZR (Zpos dd)); [ now apply Rmult_lt_0_compat | ].
replace (/ IZR zn * (IZR zn * IZR (Zpos dd))) with (IZR (Zpos dd)) by (field; lra).
replace (IZR dn / IZR (Zpos dd) * (IZR zn * IZR (Zpos dd))) with (IZR dn * IZR zn) by (field; lra). exact B. Qed.

Lemma phi_far x : delta_ok = true -> r0 <= x -> g (x + delta) - g x = ev (phi true) x /\ def (phi true) x.
Proof. intros H X. destruct (delta_bounds H) as [D0 D1]. split.
- cbn [phi ev]. rewrite subst_ok. cbn [ev del]. fold delta.
  destruct (far_potential x X) as [_ [-> _]]. destruct (far_potential (x + delta)) as [_ [-> _]]; [ lra | reflexivity ].
- simpl. split; [ | apply (beyond Reg x X); now left ]. apply subst_def; [ simpl; auto | ]. cbn [ev del]. fold delta. apply (beyond Reg); [ lra | now left ]. Qed.
Lemma phi_near x : delta_ok = true -> 0 < x <= r0 -> g (x + delta) - g x = ev (phi sz) x.
Proof. intros H X. destruct (delta_bounds H) as [D0 D1].
cbn [phi ev]. rewrite subst_ok. cbn [ev del]. fold delta.
destruct (near_potential x X) as [_ [-> _]]. destruct (far_potential (x + delta)) as [_ [-> _]]; [ lra | reflexivity ]. Qed.

Lemma bounded_ok : bounded = true -> forall x, 0 < x -> g (x + delta) - g x <= u.
Proof.
unfold bounded. intros H. apply andb_prop in H. destruct H as [Dok H]. apply andb_prop in H. destruct H as [Z H]. apply andb_prop in H. destruct H as [B I].
assert (N : 0 < IZR zn) by (apply IZR_lt; reflexivity). destruct (delta_bounds Dok) as [D0 D1]. generalize r0_pos (shape Reg). intros P S x X.
destruct (Rle_or_lt x r0) as [K|K].
- rewrite phi_near by (trivial; lra). rewrite <- (Rinv_inv x).
  assert (J := at_most_ok zn _ (shape_zero S) _ _ _ _ _ _ Z (proj1 (zero_ok zn (zero_order ch) (shape_zero S) (phi sz))) (/ x)).
  cbv beta in J. fold u in J. replace (1 / 1) with 1 in J by field. rewrite Rmult_1_l in J. apply J. apply near_inv. lra.
- apply (everywhere (fun x => r0 < x -> g (x + delta) - g x <= u) phi_test); trivial.
  + intros t Ht J. exfalso. apply (Rlt_not_le _ _ J). apply Rinv_le_contravar; [ exact N | exact Ht ].
  + intros n m d T y Y J. unfold phi_test, phi_on in T. assert (Y' := box_ok n m d y Y).
    destruct (Z.ltb (n * zn) (Zpos d)) eqn:Left in T; [ discriminate | ]. apply not_near in Left.
    destruct le0 eqn:T1 in T.
    * destruct (mean_value g slope y (y + delta)) as [c [C E]]; [ lra | intros; apply slope_ok; lra | ].
      rewrite E. replace (y + delta - y) with delta by ring. rewrite slope_far by lra.
      set (xi := I.join (box n m d) (I.add prec (box n m d) (point dn dd))) in *.
      assert (Cx : inside xi c).
      { apply (contains_connected (I.convert xi) y (y + delta)); [ apply I.join_correct; now left | apply I.join_correct; right; apply add_in; [ exact Y' | apply point_ok ] | exact C ]. }
      destruct (le0_X _ (Xsub (Xmul (Xreal delta) (xev (dG true) (Xreal c))) (Xreal u)) T1) as [v [Ev V]].
      { apply I.sub_correct; [ apply I.mul_correct; [ apply point_ok | now apply iev_xev ] | apply point_ok ]. }
      destruct (xev (dG true) (Xreal c)) as [|w] eqn:W; [ discriminate | ]. destruct (xev_ok _ _ _ W) as [_ <-].
      simpl in Ev. injection Ev as <-. lra.
    * clear T1. destruct (phi_far y Dok ltac:(lra)) as [-> _].
      set (c := IZR (n + m) / IZR (Zpos (2 * d))) in *.
      assert (Cy := middle_ok n m d y Y). fold c in Cy.
      destruct (mean_value_either (ev (phi true)) (ev dphi) c y) as [z [Hz E]].
      { intros z Hz. apply D_ok. apply phi_far; [ exact Dok | ]. revert Hz. unfold Rmin. destruct Rle_dec; lra. }
      assert (Z' : inside (box n m d) z) by (apply box_ok; revert Hz; unfold Rmin, Rmax; destruct Rle_dec; lra).
      destruct (le0_X _ (Xsub (Xadd (xev (phi true) (Xreal c)) (Xmul (xev dphi (Xreal z)) (Xreal (y - c)))) (Xreal u)) T) as [v [Ev V]].
      { apply I.sub_correct; [ apply I.add_correct; [ apply iev_xev, point_ok | apply I.mul_correct; [ now apply iev_xev | ] ] | apply point_ok ].
        apply (I.sub_correct prec _ _ (Xreal y) (Xreal c)); [ exact Y' | apply point_ok ]. }
      destruct (xev (phi true) (Xreal c)) as [|pc] eqn:Pc; [ discriminate | ]. destruct (xev_ok _ _ _ Pc) as [_ Ec].
      destruct (xev dphi (Xreal z)) as [|pz] eqn:Pz; [ discriminate | ]. destruct (xev_ok _ _ _ Pz) as [_ Ez].
      simpl in Ev. injection Ev as <-. rewrite <- Ec, <- Ez in V. lra.
  + intros t Ht J. destruct (mean_value g slope t (t + delta)) as [c [C E]]; [ lra | intros; apply slope_ok; lra | ].
    rewrite E. replace (t + delta - t) with delta by ring. rewrite slope_far by lra. rewrite Rmult_comm.
    apply (at_most_ok _ _ (shape_far S) _ _ _ _ _ _ I (proj1 (infinity_ok _ (far_order ch) (shape_far S) (dG true))) c). lra.
Qed.

(* phi reaches l at a point, or comes near it at an end. *)
Variables (wn : Z) (wd : positive).
Let l := IZR wn / IZR (Zpos wd).
Definition reached (n : Z) (d : positive) : bool := andb delta_ok (andb (Z.leb (Zpos d) (n * zn))
  (ge0 (I.sub prec (iev (phi true) (point n d)) (point wn wd)))).
Lemma reached_ok n d : reached n d = true -> exists x, 0 < x /\ l <= g (x + delta) - g x.
Proof.
unfold reached. intros H. apply andb_prop in H. destruct H as [Dok H]. apply andb_prop in H. destruct H as [L H].
set (x := IZR n / IZR (Zpos d)).
assert (X : r0 <= x) by (apply not_near, Z.ltb_ge; now apply Z.leb_le).
exists x. split; [ generalize r0_pos; lra | ]. destruct (phi_far x Dok X) as [-> _].
destruct (ge0_X _ (Xsub (xev (phi true) (Xreal x)) (Xreal l)) H) as [v [Ev V]].
{ apply I.sub_correct; [ apply iev_xev | ]; apply point_ok. }
destruct (xev (phi true) (Xreal x)) as [|w] eqn:W; [ discriminate | ]. destruct (xev_ok _ _ _ W) as [_ ->].
simpl in Ev. injection Ev as <-. lra.
Qed.

Definition limit_at_least n order p q (M : model) : bool := limit_not_negative n (excess n order p q wn wd M).
Lemma limit_at_least_ok n order f p q M : large_enough n = true -> limit_at_least n order p q M = true -> is_model (IZR n) f M ->
  forall b, b < l -> exists N, forall t, N < t -> IZR n <= t -> b < IZR p / IZR (Zpos q) * f t.
Proof. intros L H A b B. destruct (limit_not_negative_ok n L _ _ H (excess_ok n order L f p q wn wd M A) (l - b) ltac:(lra)) as [N HN].
exists N. intros t Ht Tt. generalize (HN t Ht Tt). unfold l. lra. Qed.

Definition near_infinity : bool := andb delta_ok (limit_at_least (far_n ch) (far_order ch) dn dd (far_model (dG true))).
Lemma phi_slope x : delta_ok = true -> r0 <= x -> exists c, x <= c /\ g (x + delta) - g x = delta * ev (dG true) c.
Proof. intros Dok X. destruct (delta_bounds Dok) as [D0 D1]. generalize r0_pos. intros P.
destruct (mean_value g slope x (x + delta)) as [c [C E]]; [ lra | intros; apply slope_ok; lra | ].
exists c. split; [ lra | ]. rewrite E, slope_far by lra. ring. Qed.
Lemma far_past_r0 t : IZR (far_n ch) <= t -> r0 <= t.
Proof. intros H. generalize (shape Reg). intros S. destruct (large_ok _ (shape_zero S)) as [Z _]. destruct (large_ok _ (shape_far S)) as [N _].
apply Rle_trans with 1; [ | lra ]. unfold r0. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. Qed.
Lemma near_infinity_ok : near_infinity = true -> forall b, b < l -> exists x, 0 < x /\ b < g (x + delta) - g x.
Proof.
unfold near_infinity. intros H b B. apply andb_prop in H. destruct H as [Dok H]. generalize (shape Reg). intros S.
destruct (limit_at_least_ok _ _ _ _ _ _ (shape_far S) H (proj1 (infinity_ok _ (far_order ch) (shape_far S) (dG true))) b B) as [N HN].
set (x := Rmax (N + 1) (IZR (far_n ch))).
assert (X1 := Rmax_l (N + 1) (IZR (far_n ch))). assert (X2 := Rmax_r (N + 1) (IZR (far_n ch))). fold x in X1, X2.
assert (X := far_past_r0 x X2). exists x. split; [ generalize r0_pos; lra | ].
destruct (phi_slope x Dok X) as [c [C ->]]. apply HN; lra.
Qed.
Definition near_zero : bool := andb delta_ok (limit_at_least zn (zero_order ch) 1 1 (near_model (phi sz))).
Lemma near_zero_ok : near_zero = true -> forall b, b < l -> exists x, 0 < x /\ b < g (x + delta) - g x.
Proof.
unfold near_zero. intros H b B. apply andb_prop in H. destruct H as [Dok H]. generalize (shape Reg). intros S.
destruct (limit_at_least_ok _ _ _ _ _ _ (shape_zero S) H (proj1 (zero_ok _ (zero_order ch) (shape_zero S) (phi sz))) b B) as [N HN].
set (t := Rmax (N + 1) (IZR zn)). assert (X1 := Rmax_l (N + 1) (IZR zn)). assert (X2 := Rmax_r (N + 1) (IZR zn)). fold t in X1, X2.
assert (Z : 0 < IZR zn) by (apply IZR_lt; reflexivity).
exists (/ t). assert (0 < / t) by (apply Rinv_0_lt_compat; lra). split; [ assumption | ].
rewrite phi_near; [ | exact Dok | split; [ assumption | apply Rinv_le_contravar; lra ] ].
specialize (HN t ltac:(lra) X2). replace (1 / 1) with 1 in HN by field. rewrite Rmult_1_l in HN. exact HN.
Qed.

(* phi is unbounded: in the tail, or at a pole of f, or where f vanishes at its centre. *)
Definition diverges : bool := andb delta_ok (grows (far_n ch) (far_model (dG true))).
Lemma diverges_ok : diverges = true -> forall K, exists x, 0 < x /\ K < g (x + delta) - g x.
Proof.
unfold diverges. intros H K. apply andb_prop in H. destruct H as [Dok H]. generalize (shape Reg). intros S.
destruct (delta_bounds Dok) as [D0 _].
destruct (grows_ok _ (shape_far S) _ _ H (proj1 (infinity_ok _ (far_order ch) (shape_far S) (dG true))) (K / delta)) as [N HN].
set (x := Rmax (N + 1) (IZR (far_n ch))).
assert (X1 := Rmax_l (N + 1) (IZR (far_n ch))). assert (X2 := Rmax_r (N + 1) (IZR (far_n ch))). fold x in X1, X2.
assert (X := far_past_r0 x X2). exists x. split; [ generalize r0_pos; lra | ].
destruct (phi_slope x Dok X) as [c [C ->]]. specialize (HN c ltac:(lra)).
apply Rmult_lt_compat_l with (1 := D0) in HN. replace (delta * (K / delta)) with K in HN by (field; lra). exact HN.
Qed.
Lemma centre sign (M : model) : delta_ok = true -> grows zn M = true -> is_model (IZR zn) (fun t => sign * g (/ t)) M -> Rabs sign = 1 ->
  forall K, exists x, 0 < x /\ K < sign * (g x - g (x + delta)).
Proof.
intros Dok H A Sg K. generalize (shape Reg). intros S. destruct (delta_bounds Dok) as [D0 D1].
assert (C : continuous g delta).
{ apply @ex_derive_continuous. eexists. apply far_potential. exact D1. }
destruct (C _ (locally_ball (g delta) (mkposreal 1 Rlt_0_1))) as [e He].
destruct (grows_ok _ (shape_zero S) _ _ H A (K + Rabs (g delta) + 1)) as [N HN].
set (t := Rmax (Rmax (N + 1) (IZR zn)) (2 / e)).
assert (X0 := Rmax_l (Rmax (N + 1) (IZR zn)) (2 / e)). assert (X1 := Rmax_l (N + 1) (IZR zn)). assert (X2 := Rmax_r (N + 1) (IZR zn)).
assert (X3 := Rmax_r (Rmax (N + 1) (IZR zn)) (2 / e)). fold t in X0, X3.
assert (Z : 0 < IZR zn) by (apply IZR_lt; reflexivity). assert (E := cond_pos e).
exists (/ t). assert (T : 0 < / t) by (apply Rinv_0_lt_compat; lra). split; [ exact T | ].
assert (Te : / t < e).
{ apply Rle_lt_trans with (e / 2); [ | lra ]. replace (e / 2) with (/ (2 / e)) by (field; lra). apply Rinv_le_contravar; [ apply Rdiv_lt_0_compat; lra | lra ]. }
assert (B : Rabs (g (/ t + delta) - g delta) < 1).
{ apply (He (/ t + delta)). change (Rabs ((/ t + delta) - delta) < e). replace (/ t + delta - delta) with (/ t) by ring. rewrite Rabs_pos_eq; lra. }
specialize (HN t ltac:(lra)).
assert (Rabs (sign * g (/ t + delta)) < Rabs (g delta) + 1).
{ rewrite Rabs_mult, Sg, Rmult_1_l. generalize (Rabs_triang_inv (g (/ t + delta)) (g delta)). lra. }
apply Rabs_def2 in H0. lra.
Qed.
Lemma zero_model : is_model (IZR zn) (fun t => g (/ t)) (near_model (G sz)).
Proof. generalize (shape Reg). intros S. apply model_ext with (fun t => ev (G sz) (/ t)); [ | apply zero_ok, shape_zero, S ].
intros t Ht. symmetry. apply near_potential. assert (0 < IZR zn) by (apply IZR_lt; reflexivity). split; [ apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra ]. Qed.
Definition pole : bool := andb delta_ok (grows zn (mopp (near_model (G sz)))).
Lemma pole_ok : pole = true -> forall K, exists x, 0 < x /\ K < g (x + delta) - g x.
Proof. unfold pole. intros H K. apply andb_prop in H. destruct H as [Dok H].
destruct (centre (-1) _ Dok H) with (K := K) as [x [X Y]].
- apply model_ext with (fun t => - g (/ t)); [ intros; ring | apply mopp_ok, zero_model ].
- unfold Rabs. destruct Rcase_abs; lra.
- exists x. split; [ exact X | lra ]. Qed.
Definition vanishes : bool := andb delta_ok (grows zn (near_model (G sz))).
Lemma vanishes_ok : vanishes = true -> forall K, exists x, 0 < x /\ K < g x - g (x + delta).
Proof. unfold vanishes. intros H K. apply andb_prop in H. destruct H as [Dok H].
destruct (centre 1 _ Dok H) with (K := K) as [x [X Y]].
- apply model_ext with (fun t => g (/ t)); [ intros; ring | apply zero_model ].
- apply Rabs_R1.
- exists x. split; [ exact X | lra ]. Qed.

(* ---- the same in the paper's letters, for f(y) = F(sqrt y) ---- *)
Variable f : R -> R.
Hypothesis f_F : forall r, 0 < r -> f (r ^ 2) = ev F r.

Lemma f_positive y : 0 < y -> 0 < f y.
Proof. intros Y. rewrite <- (pow2_sqrt y) by lra. rewrite f_F by now apply sqrt_lt_R0. apply F_pos. now apply sqrt_lt_R0. Qed.
Lemma f_falls : falls = true -> forall s t, 0 < s <= t -> f t <= f s.
Proof. intros H s t [S T]. rewrite <- (pow2_sqrt s), <- (pow2_sqrt t) by lra.
assert (0 < sqrt s) by now apply sqrt_lt_R0. assert (sqrt s <= sqrt t) by now apply sqrt_le_1_alt.
rewrite !f_F, !F_exp by lra. assert (K := g_mono H (sqrt s) (sqrt t) ltac:(lra)).
destruct K as [K|K]; [ left; apply exp_increasing; lra | right; f_equal; lra ]. Qed.
Lemma f_ratio x b : delta_ok = true -> 0 < x -> (f (x ^ 2) <= exp b * f ((x + delta) ^ 2) <-> g (x + delta) - g x <= b) /\
  (exp b * f ((x + delta) ^ 2) <= f (x ^ 2) <-> b <= g (x + delta) - g x) /\ (exp b * f ((x + delta) ^ 2) < f (x ^ 2) <-> b < g (x + delta) - g x).
Proof. intros Dok X. destruct (delta_bounds Dok) as [D0 _]. rewrite !f_F, !F_exp, <- exp_plus by lra.
assert (Le : forall a c, exp a <= exp c <-> a <= c).
{ intros a c. split; intros [H|H]; [ left; now apply exp_lt_inv | right; now apply exp_inv | left; now apply exp_increasing | right; now rewrite H ]. }
assert (Lt : forall a c, exp a < exp c <-> a < c) by (intros a c; split; [ apply exp_lt_inv | apply exp_increasing ]).
rewrite !Le, Lt. repeat split; intros; lra. Qed.

Theorem upper_bound : bounded = true -> forall c, delta < c -> f ((c - delta) ^ 2) <= exp u * f (c ^ 2).
Proof. intros H c C. assert (Dok : delta_ok = true) by (unfold bounded in H; now apply andb_prop in H).
replace (c ^ 2) with (((c - delta) + delta) ^ 2) by (f_equal; ring). apply f_ratio; [ exact Dok | lra | apply (bounded_ok H); lra ]. Qed.
Theorem witness n d : reached n d = true -> exists c, delta < c /\ exp l * f (c ^ 2) <= f ((c - delta) ^ 2).
Proof. intros H. assert (Dok : delta_ok = true) by (unfold reached in H; now apply andb_prop in H).
destruct (reached_ok n d H) as [x [X Y]]. exists (x + delta). split; [ lra | ].
replace (x + delta - delta) with x by ring. now apply f_ratio. Qed.
Lemma approached : (forall b, b < l -> exists x, 0 < x /\ b < g (x + delta) - g x) -> delta_ok = true ->
  forall b, b < l -> exists c, delta < c /\ exp b * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H Dok b B. destruct (H b B) as [x [X Y]]. exists (x + delta). split; [ lra | ].
replace (x + delta - delta) with x by ring. now apply f_ratio. Qed.
Theorem limit_infinity : near_infinity = true -> forall b, b < l -> exists c, delta < c /\ exp b * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H. apply approached; [ now apply near_infinity_ok | unfold near_infinity in H; now apply andb_prop in H ]. Qed.
Theorem limit_centre : near_zero = true -> forall b, b < l -> exists c, delta < c /\ exp b * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H. apply approached; [ now apply near_zero_ok | unfold near_zero in H; now apply andb_prop in H ]. Qed.

Lemma unbounded : (forall K, exists x, 0 < x /\ K < g (x + delta) - g x) -> delta_ok = true ->
  forall K, exists c, delta < c /\ K * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H Dok K. destruct (H (ln (Rabs K + 1))) as [x [X Y]]. exists (x + delta). split; [ lra | ].
replace (x + delta - delta) with x by ring. apply f_ratio in Y; [ | exact Dok | exact X ].
assert (0 <= Rabs K) by apply Rabs_pos. rewrite exp_ln in Y by lra.
apply Rle_lt_trans with (2 := Y). apply Rmult_le_compat_r; [ | generalize (Rle_abs K); lra ].
destruct (delta_bounds Dok). left. apply f_positive. apply pow_lt. lra. Qed.
Theorem unbounded_tail : diverges = true -> forall K, exists c, delta < c /\ K * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H. apply unbounded; [ now apply diverges_ok | unfold diverges in H; now apply andb_prop in H ]. Qed.
Theorem unbounded_pole : pole = true -> forall K, exists c, delta < c /\ K * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H. apply unbounded; [ now apply pole_ok | unfold pole in H; now apply andb_prop in H ]. Qed.
Theorem unbounded_zero : vanishes = true -> forall K, exists c, delta < c /\ K * f ((c - delta) ^ 2) < f (c ^ 2).
Proof. intros H K. assert (Dok : delta_ok = true) by (unfold vanishes in H; now apply andb_prop in H).
destruct (vanishes_ok H (ln (Rabs K + 1))) as [x [X Y]]. destruct (delta_bounds Dok) as [D0 _]. exists (x + delta). split; [ lra | ].
replace (x + delta - delta) with x by ring. rewrite !f_F, !F_exp by lra.
assert (0 <= Rabs K) by apply Rabs_pos.
apply Rle_lt_trans with (exp (ln (Rabs K + 1)) * exp (- g x)).
- apply Rmult_le_compat_r; [ left; apply exp_pos | rewrite exp_ln by lra; generalize (Rle_abs K); lra ].
- rewrite <- exp_plus. apply exp_increasing. lra. Qed.

(* Where F is continuous at 0 the same holds from 0 on. *)
Section Centre.
Hypothesis (f_0 : f 0 = ev F 0) (smooth : continuous (ev F) 0).
Lemma limit_ge K r : 0 < r -> (forall x, 0 < x <= r -> K <= ev F x) -> K <= ev F 0.
Proof. intros P H. apply Rnot_lt_le. intros L. destruct (smooth _ (open_lt K _ L)) as [e He].
assert (E := cond_pos e). set (x := Rmin r (e / 2)). assert (X : 0 < x <= r) by (unfold x, Rmin; destruct Rle_dec; lra).
assert (X' : x < e) by (unfold x, Rmin; destruct Rle_dec; lra).
assert (Q : ev F x < K). { apply (He x). change (Rabs (x - 0) < e). rewrite Rminus_0_r, Rabs_pos_eq; lra. }
specialize (H x X). lra. Qed.
Lemma limit_le K r : 0 < r -> (forall x, 0 < x <= r -> ev F x <= K) -> ev F 0 <= K.
Proof. intros P H. apply Rnot_lt_le. intros L. destruct (smooth _ (open_gt K _ L)) as [e He].
assert (E := cond_pos e). set (x := Rmin r (e / 2)). assert (X : 0 < x <= r) by (unfold x, Rmin; destruct Rle_dec; lra).
assert (X' : x < e) by (unfold x, Rmin; destruct Rle_dec; lra).
assert (Q : ev F x > K). { apply (He x). change (Rabs (x - 0) < e). rewrite Rminus_0_r, Rabs_pos_eq; lra. }
specialize (H x X). lra. Qed.
Theorem falls_from_0 : falls = true -> forall s t, 0 <= s <= t -> f t <= f s.
Proof. intros H s t [[S|<-] T]; [ now apply f_falls | ]. destruct T as [T|<-]; [ | lra ].
rewrite f_0. apply (limit_ge _ (sqrt t)); [ now apply sqrt_lt_R0 | ]. intros x X. rewrite <- f_F by lra. apply (f_falls H).
split; [ apply pow_lt; lra | ]. rewrite <- (pow2_sqrt t) by lra. apply pow_incr. lra. Qed.
Theorem upper_from_0 : falls = true -> bounded = true -> forall c, delta <= c -> f ((c - delta) ^ 2) <= exp u * f (c ^ 2).
Proof. intros Hf H c [C|<-]; [ now apply upper_bound | ]. assert (Dok : delta_ok = true) by (unfold bounded in H; now apply andb_prop in H).
destruct (delta_bounds Dok) as [D0 _].
replace ((delta - delta) ^ 2) with 0 by (simpl; ring). rewrite f_0. apply (limit_le _ 1 Rlt_0_1). intros x X.
rewrite <- f_F by lra. apply Rle_trans with (exp u * f ((x + delta) ^ 2)).
- apply f_ratio; [ exact Dok | lra | apply (bounded_ok H); lra ].
- apply Rmult_le_compat_l; [ left; apply exp_pos | ]. apply (f_falls Hf). split; [ apply pow_lt; lra | apply pow_incr; lra ]. Qed.
Theorem positive_from_0 : falls = true -> forall y, 0 <= y -> 0 < f y.
Proof. intros H y [Y|<-]; [ now apply f_positive | ]. apply Rlt_le_trans with (f 1); [ apply f_positive; lra | apply (falls_from_0 H); lra ]. Qed.
End Centre.
End Loss.
End Regular.
End Potential.

(* ---- continuity of F at 0 ---- *)
Lemma power_continuous p x : 0 < p -> continuous (fun t => power t p) x.
Proof.
intros P. destruct (Rtotal_order x 0) as [N|[->|N]].
- apply continuous_ext_loc with (fun _ => 0); [ | apply continuous_const ]. generalize (open_lt 0 x N). apply filter_imp. intros t Ht.
  unfold power. destruct Rlt_dec; [ lra | reflexivity ].
- assert (Z : power 0 p = 0) by (unfold power; destruct Rlt_dec; [ lra | reflexivity ]).
  apply continuity_pt_filterlim. intros e E. exists (exp (ln e / p)). split; [ apply exp_pos | ].
  intros t [_ H]. simpl in *. unfold R_dist in *. rewrite Z, Rminus_0_r in *. unfold power. destruct Rlt_dec as [T|T]; [ | rewrite Rabs_R0; exact E ].
  rewrite Rabs_pos_eq in * by (try lra; left; apply exp_pos). unfold Rpower. 
  rewrite <- (exp_ln e) by exact E. apply exp_increasing. apply ln_increasing in H; [ | exact T ]. rewrite ln_exp in H.
  apply Rmult_lt_compat_l with (1 := P) in H. replace (p * (ln e / p)) with (ln e) in H by (field; lra). exact H.
- apply continuous_ext_loc with (fun t => exp (p * ln t)).
  + generalize (open_gt 0 x N). apply filter_imp. intros t Ht. symmetry. now apply power_pos.
  + apply ex_continuous. auto_derive. exact N.
Qed.

Definition nonzero i := orb (gt0 i) (lt0 i).
Lemma nonzero_ok i x : nonzero i = true -> inside i x -> x <> 0.
Proof. intros H K. apply Bool.orb_prop in H. destruct H as [H|H]; [ generalize (gt0_ok _ _ H K) | generalize (lt0_ok _ _ H K) ]; lra. Qed.
Fixpoint at_0 (e : expr) : I.type := match e with
  | Var => I.zero | Int n => I.fromZ prec n | Rat n d => point n d | Pi => I.pi prec
  | Add a b => I.add prec (at_0 a) (at_0 b) | Sub a b => I.sub prec (at_0 a) (at_0 b) | Mul a b => I.mul prec (at_0 a) (at_0 b) | Opp a => I.neg (at_0 a)
  | Inv a => if nonzero (at_0 a) then I.inv prec (at_0 a) else I.nai
  | Nat a n => I.power_int prec (at_0 a) (Z.of_nat n)
  | Pow a n d => if gt0 (at_0 a) then I.exp prec (I.mul prec (point n d) (I.ln prec (at_0 a))) else if le0 (at_0 a) then I.zero else I.nai
  | Sqrt a => I.sqrt prec (at_0 a) | Exp a => I.exp prec (at_0 a)
  | Ln a => if gt0 (at_0 a) then I.ln prec (at_0 a) else I.nai
  | Ln1p a => if gt0 (I.add prec one (at_0 a)) then I.ln prec (I.add prec one (at_0 a)) else I.nai
  | Sin a => I.sin prec (at_0 a) | Cos a => I.cos prec (at_0 a)
  | _ => I.nai (* not in what a user writes, or not smooth *) end.
Lemma at_0_ok e : inside (at_0 e) (ev e 0).
Proof.
induction e; cbn [at_0 ev]; try (now rewrite I.nai_correct).
- apply zero_in.
- apply I.fromZ_correct.
- apply point_ok.
- apply I.pi_correct.
- now apply add_in.
- now apply sub_in.
- now apply mul_in.
- now apply neg_in.
- destruct nonzero eqn:E; [ | now rewrite I.nai_correct ]. apply inv_in; [ now apply (nonzero_ok (at_0 e)) | exact IHe ].
- generalize (I.power_int_correct prec (Z.of_nat n) _ _ IHe). simpl. destruct n; simpl; [ auto | now rewrite SuccNat2Pos.id_succ ].
- destruct gt0 eqn:E.
  + assert (P := gt0_ok _ _ E IHe). rewrite power_pos by exact P. apply exp_in, mul_in; [ apply point_ok | now apply ln_in ].
  + destruct le0 eqn:L; [ | now rewrite I.nai_correct ]. assert (P := le0_ok _ _ L IHe). unfold power. destruct Rlt_dec; [ lra | apply zero_in ].
- now apply sqrt_in.
- now apply exp_in.
- destruct gt0 eqn:E; [ | now rewrite I.nai_correct ]. apply ln_in; [ now apply (gt0_ok (at_0 e)) | exact IHe ].
- destruct gt0 eqn:E; [ | now rewrite I.nai_correct ]. assert (K : inside (I.add prec one (at_0 e)) (1 + ev e 0)) by (apply add_in; [ apply one_in | exact IHe ]).
  apply ln_in; [ now apply (gt0_ok _ _ E) | exact K ].
- now apply (I.sin_correct prec _ (Xreal (ev e 0))).
- now apply (I.cos_correct prec _ (Xreal (ev e 0))).
Qed.
Fixpoint continuous_at_0 (e : expr) : bool := match e with
  | Var | Int _ | Rat _ _ | Pi => true
  | Add a b | Sub a b | Mul a b => andb (continuous_at_0 a) (continuous_at_0 b)
  | Opp a | Nat a _ | Sqrt a | Exp a | Sin a | Cos a => continuous_at_0 a
  | Inv a => andb (continuous_at_0 a) (nonzero (at_0 a))
  | Pow a n _ => andb (continuous_at_0 a) (orb (Z.ltb 0 n) (gt0 (at_0 a)))
  | Ln a => andb (continuous_at_0 a) (gt0 (at_0 a))
  | Ln1p a => andb (continuous_at_0 a) (gt0 (I.add prec one (at_0 a)))
  | _ => false end.
Lemma continuous_at_0_ok e : continuous_at_0 e = true -> continuous (ev e) 0.
Proof.
induction e; cbn [continuous_at_0 ev]; intros H; try discriminate; try (apply andb_prop in H; destruct H as [H K]).
- apply continuous_id.
- apply continuous_const.
- apply continuous_const.
- apply continuous_const.
- apply (continuous_plus (ev e1) (ev e2)); auto.
- apply (continuous_minus (ev e1) (ev e2)); auto.
- apply (continuous_mult (ev e1) (ev e2)); auto.
- apply (continuous_opp (ev e)); auto.
- apply (continuous_comp (ev e) Rinv); [ auto | ]. apply continuous_Rinv. apply (nonzero_ok _ _ K), at_0_ok.
- apply (continuous_comp (ev e) (fun t => t ^ n)); [ auto | ]. apply ex_continuous. auto_derive. easy.
- apply (continuous_comp (ev e) (fun t => power t (IZR n / IZR (Zpos d)))); [ auto | ]. apply Bool.orb_prop in K. destruct K as [K|K].
  + apply power_continuous. apply Z.ltb_lt, IZR_lt in K. apply Rdiv_lt_0_compat; [ exact K | apply IZR_lt; reflexivity ].
  + assert (P := gt0_ok _ _ K (at_0_ok e)). set (p := IZR n / IZR (Zpos d)).
    apply continuous_ext_loc with (fun t => exp (p * ln t)).
    * generalize (open_gt 0 _ P). apply filter_imp. intros t Ht. symmetry. now apply power_pos.
    * apply ex_continuous. auto_derive. exact P.
- apply (continuous_comp (ev e) sqrt); [ auto | apply continuous_sqrt ].
- apply (continuous_comp (ev e) exp); [ auto | apply continuous_exp ].
- apply (continuous_comp (ev e) ln); [ auto | ]. apply ex_continuous. auto_derive. apply (gt0_ok _ _ K), at_0_ok.
- apply (continuous_comp (fun t => 1 + ev e t) ln); [ apply (continuous_plus (fun _ => 1) (ev e)); [ apply continuous_const | auto ] | ].
  apply ex_continuous. auto_derive. apply (gt0_ok _ _ K). apply add_in; [ apply one_in | apply at_0_ok ].
- apply (continuous_comp (ev e) sin); [ auto | apply continuous_sin ].
- apply (continuous_comp (ev e) cos); [ auto | apply continuous_cos ].
Qed.

(* ---- f is no density: negative somewhere, or not integrable ---- *)
Definition negative_at (F : expr) (n d : positive) : bool := lt0 (iev F (point (Zpos n) d)).
Lemma negative_at_ok F n d : negative_at F n d = true -> exists r, 0 < r /\ ev F r < 0.
Proof. intros H. exists (IZR (Zpos n) / IZR (Zpos d)). split; [ apply Rdiv_lt_0_compat; apply IZR_lt; reflexivity | ].
destruct (lt0_X _ _ H (iev_xev F _ _ (point_ok (Zpos n) d))) as [v [E V]]. destruct (xev_ok _ _ _ E) as [_ <-]. exact V. Qed.

(* Where p <= h / k has the primitive P, the integral of h is at least k times what P gains. *)
Lemma long_integral (h P p : R -> R) k a b : a < b -> 0 < k -> (forall x, a <= x <= b -> is_derive P x (p x)) -> (forall x, a <= x <= b -> continuous p x) ->
  (forall x, a <= x <= b -> k * p x <= h x) -> (forall x, a <= x <= b -> continuous h x) -> ex_RInt h a b /\ k * (P b - P a) <= RInt h a b.
Proof.
intros L K Pd Pc B C.
assert (I : is_RInt p a b (P b - P a)).
{ apply (is_RInt_derive P p); rewrite Rmin_left, Rmax_right by lra; intros; [ apply Pd | apply Pc ]; lra. }
assert (E : ex_RInt h a b).
{ apply (ex_RInt_continuous h). rewrite Rmin_left, Rmax_right by lra. intros; apply C; lra. }
split; [ exact E | ]. apply Rle_trans with (RInt (fun x => k * p x) a b).
- assert (S := RInt_scal p a b k (ex_intro _ _ I)). change (RInt (fun x => k * p x) a b = k * RInt p a b) in S.
  rewrite S, (is_RInt_unique _ _ _ _ I). apply Rle_refl.
- apply RInt_le; [ lra | | exact E | intros; apply B; lra ]. apply (ex_RInt_scal p a b k). eexists; exact I.
Qed.

(* The density r^j F(r) of the radius, times r and k logarithms, stays above a positive number in the tail, or at the centre. *)
Section Heavy.
Variables (F : expr) (n : Z) (order j : nat).
Let h r := r ^ j * ev F r.
Definition mass (s : bool) (l : expr) (k : nat) : expr := (fix more (k : nat) (l m : expr) : expr := match k with O => m | S k => more k (Ln l) (Add m (Ln l)) end)
  k l (Add (lg s F) (Mul (Int (Z.of_nat (S j))) (Ln Var))).
Definition heavy (k : nat) : bool := andb (large_enough n) (andb (forallb (fun e => is_known (at_infinity n order e)) (lg true F :: sides true F))
  (bounded_below n (at_infinity n order (mass true (Ln Var) k)))).
Definition heavy_centre (s : bool) (k : nat) : bool := andb (large_enough n) (andb (forallb (fun e => is_known (at_zero n order e)) (lg s F :: sides s F))
  (bounded_below n (at_zero n order (mass s (Opp (Ln Var)) k)))).
Let small_number := exp (- IZR huge).
Lemma mass_0 s x : 0 < x -> (forall e, In e (lg s F :: sides s F) -> def e x) -> exp (ev (Add (lg s F) (Mul (Int (Z.of_nat (S j))) (Ln Var))) x) = h x * x.
Proof. intros X H. cbn [ev]. rewrite exp_plus, (lg_ok s F x X), exp_mult_nat, exp_ln by (trivial; intros; apply H; simpl; auto). unfold h. simpl. ring. Qed.
Lemma h_continuous s x : 0 < x -> (forall e, In e (lg s F :: sides s F) -> def e x) -> continuous h x.
Proof. intros X H. apply (continuous_mult (fun r => r ^ j) (ev F)); [ apply ex_continuous; auto_derive; easy | ].
apply continuous_ext_loc with (fun y => exp (ev (lg s F) y)); [ now apply lg_near | ].
apply (continuous_comp (ev (lg s F)) exp); [ apply ev_continuous, H; now left | apply continuous_exp ]. Qed.

Definition primitive (k : nat) (x : R) : R := match k with O => ln x | 1%nat => ln (ln x) | _ => ln (ln (ln x)) end.
Definition rate (k : nat) (x : R) : R := match k with O => / x | 1%nat => / (x * ln x) | _ => / (x * ln x * ln (ln x)) end.
Lemma heavy_ok k : (k <= 2)%nat -> heavy k = true -> forall K, exists a b, 0 < a < b /\ ex_RInt h a b /\ K < RInt h a b.
Proof.
unfold heavy. intros K2 H K. apply andb_prop in H. destruct H as [L H]. apply andb_prop in H. destruct H as [Kn H]. rewrite forallb_forall in Kn.
destruct (large_ok n L) as [n1 [_ [_ [_ [_ l3]]]]]. assert (l2 := gt1 _ l3). assert (l1 : 1 < ln (IZR n)) by (apply gt1; lra).
assert (D : forall x, IZR n <= x -> forall e, In e (lg true F :: sides true F) -> def e x).
{ intros x X e E. apply (infinity_ok n order L); [ now apply known, Kn | exact X ]. }
assert (Lx : forall x, IZR n <= x -> 1 < ln x /\ 1 < ln (ln x)).
{ intros x X. assert (ln (IZR n) <= ln x) by (apply ln_le_mono; lra). assert (ln (ln (IZR n)) <= ln (ln x)) by (apply ln_le_mono; lra). lra. }
assert (B : forall x, IZR n <= x -> small_number * rate k x <= h x).
{ intros x X. destruct (Lx x X) as [x1 x2]. assert (Q := bounded_below_ok n L _ _ H (proj1 (infinity_ok n order L _)) x X).
  assert (M := mass_0 true x ltac:(lra) (D x X)).
  assert (E : exp (- IZR huge) <= exp (ev (mass true (Ln Var) k) x)) by (destruct Q as [Q|Q]; [ left; now apply exp_increasing | right; now rewrite Q ]).
  fold small_number in E. unfold mass in E. destruct k as [|[|[|k]]]; [ | | | lia ]; cbn [rate].
  - rewrite M in E. apply Rmult_le_reg_r with x; [ lra | ]. replace (small_number * / x * x) with small_number by (field; lra). exact E.
  - change (ev _ x) with (ev (Add (lg true F) (Mul (Int (Z.of_nat (S j))) (Ln Var))) x + ln (ln x)) in E. rewrite exp_plus, M, exp_ln in E by lra.
    assert (0 < x * ln x) by (apply Rmult_lt_0_compat; lra). apply Rmult_le_reg_r with (x * ln x); [ assumption | ].
    replace (small_number * / (x * ln x) * (x * ln x)) with small_number by (field; lra). lra.
  - change (ev _ x) with (ev (Add (lg true F) (Mul (Int (Z.of_nat (S j))) (Ln Var))) x + ln (ln x) + ln (ln (ln x))) in E. rewrite !exp_plus, M, !exp_ln in E by lra.
    assert (0 < x * ln x) by (apply Rmult_lt_0_compat; lra). assert (0 < x * ln x * ln (ln x)) by (apply Rmult_lt_0_compat; lra).
    apply Rmult_le_reg_r with (x * ln x * ln (ln x)); [ assumption | ].
    replace (small_number * / (x * ln x * ln (ln x)) * (x * ln x * ln (ln x))) with small_number by (field; lra). lra. }
assert (S : 0 < small_number) by apply exp_pos.
assert (U : forall M, exists N, forall x, N < x -> M < primitive k x).
{ destruct k as [|[|k]]; cbn [primitive]; [ | apply unbounded_ln | apply (unbounded_ln (fun x => ln (ln x))), unbounded_ln ]; apply ln_unbounded. }
destruct (U (primitive k (IZR n) + Rabs K / small_number)) as [N HN]. set (b := Rmax (N + 1) (IZR n + 1)).
assert (B1 := Rmax_l (N + 1) (IZR n + 1)). assert (B2 := Rmax_r (N + 1) (IZR n + 1)). fold b in B1, B2.
destruct (long_integral h (primitive k) (rate k) small_number (IZR n) b ltac:(lra) S) as [E I].
- intros x X. destruct (Lx x ltac:(lra)) as [x1 x2]. assert (D2 : is_derive (fun x => ln (ln x)) x (/ (x * ln x))).
  { eapply is_derive_eq; [ apply (is_derive_comp ln ln x); apply is_derive_ln; lra | ]. unfold scal; simpl; unfold mult; simpl. field. split; lra. }
  destruct k as [|[|k]]; [ apply is_derive_ln; lra | exact D2 | ].
  eapply is_derive_eq; [ apply (is_derive_comp ln (fun x => ln (ln x)) x); [ apply is_derive_ln; lra | exact D2 ] | ].
  unfold scal; simpl; unfold mult; simpl. field. repeat split; lra.
- intros x X. destruct (Lx x ltac:(lra)) as [x1 x2]. assert (0 < x * ln x) by (apply Rmult_lt_0_compat; lra). assert (0 < x * ln x * ln (ln x)) by (apply Rmult_lt_0_compat; lra).
  assert (C1 : continuous (fun x => x * ln x) x) by (apply (continuous_mult (fun x => x) ln); [ apply continuous_id | apply ex_continuous; auto_derive; lra ]).
  assert (C2 : continuous (fun x => x * ln x * ln (ln x)) x).
  { apply (continuous_mult (fun x => x * ln x) (fun x => ln (ln x))); [ exact C1 | ]. apply (continuous_comp ln ln); apply ex_continuous; auto_derive; lra. }
  destruct k as [|[|k]]; [ apply continuous_Rinv; lra | apply (continuous_comp (fun x => x * ln x) Rinv) | apply (continuous_comp (fun x => x * ln x * ln (ln x)) Rinv) ];
  trivial; apply continuous_Rinv; lra.
- intros x X. apply B. lra.
- intros x X. apply (h_continuous true); [ lra | apply D; lra ].
- exists (IZR n), b. split; [ lra | ]. split; [ exact E | ]. specialize (HN b ltac:(lra)).
  apply Rlt_le_trans with (2 := I). assert (small_number * (Rabs K / small_number) < small_number * (primitive k b - primitive k (IZR n))) by (apply Rmult_lt_compat_l; lra).
  replace (small_number * (Rabs K / small_number)) with (Rabs K) in H0 by (field; lra). generalize (Rle_abs K). lra.
Qed.
Lemma heavy_centre_ok s k : (k <= 1)%nat -> heavy_centre s k = true -> forall K, exists a b, 0 < a < b /\ ex_RInt h a b /\ K < RInt h a b.
Proof.
unfold heavy_centre. intros K1 H K. apply andb_prop in H. destruct H as [L H]. apply andb_prop in H. destruct H as [Kn H]. rewrite forallb_forall in Kn.
destruct (large_ok n L) as [n1 [_ [_ [_ [_ l3]]]]]. assert (l2 := gt1 _ l3). assert (l1 : 1 < ln (IZR n)) by (apply gt1; lra).
set (b := / IZR n). assert (b0 : 0 < b) by (apply Rinv_0_lt_compat; lra).
assert (Inv : forall x, 0 < x <= b -> IZR n <= / x) by (intros x X; rewrite <- (Rinv_inv (IZR n)); fold b; apply Rinv_le_contravar; lra).
assert (D : forall x, 0 < x <= b -> forall e, In e (lg s F :: sides s F) -> def e x).
{ intros x X e E. rewrite <- (Rinv_inv x). apply (zero_ok n order L); [ now apply known, Kn | now apply Inv ]. }
assert (Lx : forall x, 0 < x <= b -> 1 < - ln x).
{ intros x X. rewrite <- ln_Rinv by lra. apply Rlt_le_trans with (1 := l1). apply ln_le_mono; [ lra | now apply Inv ]. }
assert (B : forall x, 0 < x <= b -> small_number * match k with O => / x | _ => / (x * - ln x) end <= h x).
{ intros x X. assert (x1 := Lx x X). assert (Q := bounded_below_ok n L _ _ H (proj1 (zero_ok n order L _)) (/ x) (Inv x X)). cbv beta in Q. rewrite Rinv_inv in Q.
  assert (M := mass_0 s x ltac:(lra) (D x X)).
  assert (E : exp (- IZR huge) <= exp (ev (mass s (Opp (Ln Var)) k) x)) by (destruct Q as [Q|Q]; [ left; now apply exp_increasing | right; now rewrite Q ]).
  fold small_number in E. unfold mass in E. destruct k as [|[|k]]; [ | | lia ].
  - rewrite M in E. apply Rmult_le_reg_r with x; [ lra | ]. replace (small_number * / x * x) with small_number by (field; lra). exact E.
  - change (ev _ x) with (ev (Add (lg s F) (Mul (Int (Z.of_nat (S j))) (Ln Var))) x + ln (- ln x)) in E. rewrite exp_plus, M, exp_ln in E by lra.
    assert (0 < x * - ln x) by (apply Rmult_lt_0_compat; lra). apply Rmult_le_reg_r with (x * - ln x); [ assumption | ].
    replace (small_number * / (x * - ln x) * (x * - ln x)) with small_number by (field; lra). lra. }
assert (S : 0 < small_number) by apply exp_pos.
set (P := fun x => match k with O => ln x | _ => - ln (- ln x) end). set (C := P b - Rabs K / small_number - 1).
assert (Pa : exists a, 0 < a < b /\ P a <= C).
{ destruct k as [|[|k]]; [ | | lia ]; unfold P in *.
  - exists (exp (Rmin C (ln b - 1))). assert (exp (Rmin C (ln b - 1)) < b).
    { apply Rle_lt_trans with (exp (ln b - 1)); [ | rewrite <- (exp_ln b) at 2 by exact b0; apply exp_increasing; lra ].
      destruct (Rmin_r C (ln b - 1)) as [J|J]; [ left; now apply exp_increasing | right; now rewrite J ]. }
    split; [ split; [ apply exp_pos | assumption ] | ]. rewrite ln_exp. apply Rmin_l.
  - set (z := Rmax (exp (- C)) (- ln b + 1)). assert (Z1 := Rmax_l (exp (- C)) (- ln b + 1)). assert (Z2 := Rmax_r (exp (- C)) (- ln b + 1)). fold z in Z1, Z2.
    exists (exp (- z)). split; [ split; [ apply exp_pos | rewrite <- (exp_ln b) by exact b0; apply exp_increasing; lra ] | ]. rewrite ln_exp, Ropp_involutive.
    assert (ln (exp (- C)) <= ln z) by (apply ln_le_mono; [ apply exp_pos | exact Z1 ]). rewrite ln_exp in H0. lra. }
destruct Pa as [a [A Pa]].
destruct (long_integral h P (fun x => match k with O => / x | _ => / (x * - ln x) end) small_number a b ltac:(lra) S) as [E I].
- intros x X. assert (x1 := Lx x ltac:(lra)). unfold P. destruct k as [|k]; [ apply is_derive_ln; lra | ].
  change (is_derive (fun x => - ln (- ln x)) x (/ (x * - ln x))). auto_derive; [ split; [ lra | split; [ lra | easy ] ] | field; split; lra ].
- intros x X. assert (x1 := Lx x ltac:(lra)). assert (0 < x * - ln x) by (apply Rmult_lt_0_compat; lra).
  assert (C1 : continuous (fun x => x * - ln x) x).
  { apply (continuous_mult (fun x => x) (fun x => - ln x)); [ apply continuous_id | apply ex_continuous; auto_derive; lra ]. }
  destruct k as [|k]; [ apply continuous_Rinv; lra | apply (continuous_comp (fun x => x * - ln x) Rinv); [ exact C1 | apply continuous_Rinv; lra ] ].
- intros x X. apply B. lra.
- intros x X. apply (h_continuous s); [ lra | apply D; lra ].
- exists a, b. split; [ lra | ]. split; [ exact E | ]. apply Rlt_le_trans with (2 := I). unfold C in Pa.
  assert (small_number * (Rabs K / small_number) < small_number * (P b - P a)) by (apply Rmult_lt_compat_l; lra).
  replace (small_number * (Rabs K / small_number)) with (Rabs K) in H0 by (field; lra). generalize (Rle_abs K). lra.
Qed.
End Heavy.

(* ---- f vanishes with one of its factors, which changes its sign between two radii ---- *)
Fixpoint vanishes_with (g e : expr) : bool := if expr_eq_dec e g then true else match e with
  | Mul a b => orb (vanishes_with g a) (vanishes_with g b)
  | Opp a | Sqrt a | Pow a _ _ => vanishes_with g a
  | Nat a (S _) => vanishes_with g a
  | _ => false end.
Lemma vanishes_with_ok g e x : vanishes_with g e = true -> ev g x = 0 -> ev e x = 0.
Proof. intros H Z. induction e; cbn [vanishes_with] in H; destruct expr_eq_dec as [<-|_] in H; try exact Z; try discriminate.
- cbn [ev]. apply Bool.orb_prop in H. destruct H as [H|H]; [ rewrite (IHe1 H) | rewrite (IHe2 H) ]; ring.
- cbn [ev]. rewrite (IHe H). ring.
- destruct n as [|n]; [ discriminate | ]. cbn [ev]. rewrite (IHe H). simpl. ring.
- cbn [ev]. rewrite (IHe H). unfold power. destruct Rlt_dec; [ lra | reflexivity ].
- cbn [ev]. rewrite (IHe H). apply sqrt_0. Qed.
Lemma crossing g n m d : Z.ltb 0 n = true -> I.real (iev g (box n m d)) = true -> lt0 (I.mul prec (iev g (point n d)) (iev g (point m d))) = true -> Z.ltb n m = true ->
  exists z, 0 < z /\ IZR n / IZR (Zpos d) <= z <= IZR m / IZR (Zpos d) /\ ev g z = 0.
Proof.
intros N R S L. apply Z.ltb_lt, IZR_lt in N, L. assert (P : 0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity).
set (a := IZR n / IZR (Zpos d)). set (b := IZR m / IZR (Zpos d)).
assert (A : 0 < a) by now apply Rdiv_lt_0_compat. assert (B : a < b) by (apply Rmult_lt_compat_r; [ now apply Rinv_0_lt_compat | exact L ]).
assert (C : forall x, a <= x <= b -> continuity_pt (ev g) x).
{ intros x X. apply continuity_pt_filterlim, ev_continuous. apply (iev_ok g (box n m d) x); [ now apply box_ok | exact R ]. }
destruct (lt0_X _ _ S (I.mul_correct prec _ _ _ _ (iev_xev g _ _ (point_ok n d)) (iev_xev g _ _ (point_ok m d)))) as [v [Ev V]]. fold a b in Ev.
destruct (xev g (Xreal a)) as [|p] eqn:Ep; [ discriminate | ]. destruct (xev g (Xreal b)) as [|q] eqn:Eq; [ discriminate | ].
destruct (xev_ok _ _ _ Ep) as [_ Ga]. destruct (xev_ok _ _ _ Eq) as [_ Gb]. simpl in Ev. injection Ev as <-.
destruct (Rtotal_order p 0) as [Q|[->|Q]]; [ | lra | ].
- assert (0 < q). { apply Rnot_le_lt. intros K. assert (0 <= - p * - q) by (apply Rmult_le_pos; lra). lra. }
  destruct (IVT_interv (ev g) a b C B) as [z [Z1 Z2]]; [ lra | lra | ]. exists z. split; [ lra | split; [ exact Z1 | exact Z2 ] ].
- assert (q < 0). { apply Rnot_le_lt. intros K. assert (0 <= p * q) by (apply Rmult_le_pos; lra). lra. }
  destruct (IVT_interv (fun x => - ev g x) a b) as [z [Z1 Z2]]; [ intros x X; apply continuity_pt_opp; now apply C | exact B | lra | lra | ].
  exists z. split; [ lra | split; [ exact Z1 | lra ] ].
Qed.

(* ---- what an export states ---- *)
Section Export.
Variables (F : expr) (ch : charts) (f : R -> R) (delta upper lower : R).
Hypothesis f_F : forall r, 0 <= r -> f (r ^ 2) = ev F r.
Variables (dn : Z) (dd : positive) (un : Z) (ud : positive) (wn : Z) (wd : positive).
Hypothesis (delta_is : delta = IZR dn / IZR (Zpos dd)) (upper_is : upper = IZR un / IZR (Zpos ud)) (lower_is : lower = IZR wn / IZR (Zpos wd)).

Let f_beyond r : 0 < r -> f (r ^ 2) = ev F r.
Proof. intros; apply f_F; lra. Qed.
Let f_0 : f 0 = ev F 0.
Proof. rewrite <- f_F by lra. f_equal. ring. Qed.

Definition private : bool := andb (defined F ch) (andb (falls F ch) (bounded F ch dn dd un ud)).
Lemma private_parts : private = true -> regular F ch /\ falls F ch = true /\ bounded F ch dn dd un ud = true.
Proof. unfold private. intros H. apply andb_prop in H. destruct H as [A H]. apply andb_prop in H. destruct H. auto using defined_ok. Qed.

Theorem private_from_0 : private = true -> continuous_at_0 F = true ->
  (forall y, 0 <= y -> 0 < f y) /\ (forall s t, 0 <= s <= t -> f t <= f s) /\
  (forall c, delta <= c -> f ((c - delta) ^ 2) <= exp upper * f (c ^ 2)).
Proof.
intros H C. apply private_parts in H. destruct H as [A [B U]]. apply continuous_at_0_ok in C. rewrite delta_is, upper_is. repeat split.
- exact (positive_from_0 F ch A f f_beyond f_0 C B).
- exact (falls_from_0 F ch A f f_beyond f_0 C B).
- exact (upper_from_0 F ch A dn dd un ud f f_beyond f_0 C B U).
Qed.
Theorem private_beyond_0 : private = true ->
  (forall y, 0 < y -> 0 < f y) /\ (forall s t, 0 < s <= t -> f t <= f s) /\
  (forall c, delta < c -> f ((c - delta) ^ 2) <= exp upper * f (c ^ 2)).
Proof.
intros H. apply private_parts in H. destruct H as [A [B U]]. rewrite delta_is, upper_is. repeat split.
- exact (f_positive F ch A f f_beyond).
- exact (f_falls F ch A f f_beyond B).
- exact (upper_bound F ch A dn dd un ud f f_beyond U).
Qed.

Theorem attained n d : andb (defined F ch) (reached F ch dn dd wn wd n d) = true ->
  exists c, delta < c /\ exp lower * f (c ^ 2) <= f ((c - delta) ^ 2).
Proof. intros H. apply andb_prop in H. destruct H as [A B]. rewrite delta_is, lower_is.
exact (witness F ch (defined_ok _ _ A) dn dd wn wd f f_beyond n d B). Qed.
(* Theorem A's witness: two radii within delta, either of them the longer one. *)
Definition between_two n d m e : bool := let x := point (Zpos n) d in let y := point (Zpos m) e in
  andb (Z.leb (Z.abs (Zpos n * Zpos e - Zpos m * Zpos d) * Zpos dd) (dn * (Zpos d * Zpos e)))
  (andb (forallb (fun a => andb (I.real (iev a x)) (I.real (iev a y))) (steps F true))
        (ge0 (I.sub prec (I.sub prec (iev (G F true) y) (iev (G F true) x)) (point wn wd)))).
Theorem attained_between n d m e : between_two n d m e = true ->
  exists s t, 0 < s /\ 0 < t /\ Rabs (s - t) <= delta /\ exp lower * f (t ^ 2) <= f (s ^ 2).
Proof. unfold between_two. intros H. apply andb_prop in H. destruct H as [W H]. apply andb_prop in H. destruct H as [St H]. rewrite forallb_forall in St.
set (x := IZR (Zpos n) / IZR (Zpos d)). set (y := IZR (Zpos m) / IZR (Zpos e)).
assert (P : forall p, 0 < IZR (Zpos p)) by (intros; apply IZR_lt; reflexivity).
assert (X : 0 < x) by now apply Rdiv_lt_0_compat. assert (Y : 0 < y) by now apply Rdiv_lt_0_compat.
assert (Dx : forall a, In a (steps F true) -> def a x) by (intros a A; specialize (St a A); apply andb_prop in St; apply (iev_ok a _ x (point_ok (Zpos n) d)), St).
assert (Dy : forall a, In a (steps F true) -> def a y) by (intros a A; specialize (St a A); apply andb_prop in St; apply (iev_ok a _ y (point_ok (Zpos m) e)), St).
destruct (potential F true x X Dx) as [Fx [Gx _]]. destruct (potential F true y Y Dy) as [Fy [Gy _]].
exists x, y. split; [ exact X | split; [ exact Y | split ] ].
- rewrite delta_is. apply Z.leb_le, IZR_le in W. rewrite !mult_IZR, abs_IZR, minus_IZR, !mult_IZR in W.
  replace (x - y) with ((IZR (Zpos n) * IZR (Zpos e) - IZR (Zpos m) * IZR (Zpos d)) / (IZR (Zpos d) * IZR (Zpos e))).
  2: { unfold x, y. assert (A := P d). assert (B := P e). field. lra. }
  assert (De : 0 < IZR (Zpos d) * IZR (Zpos e)) by now apply Rmult_lt_0_compat.
  unfold Rdiv. rewrite Rabs_mult, Rabs_inv, (Rabs_pos_eq (IZR (Zpos d) * IZR (Zpos e))) by lra.
  apply Rmult_le_reg_r with (IZR (Zpos d) * IZR (Zpos e)); [ exact De | ]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rmult_le_reg_r with (IZR (Zpos dd)); [ apply P | ].
  replace (IZR dn * / IZR (Zpos dd) * (IZR (Zpos d) * IZR (Zpos e)) * IZR (Zpos dd)) with (IZR dn * (IZR (Zpos d) * IZR (Zpos e))) by (field; apply Rgt_not_eq, P). exact W.
- rewrite lower_is, !f_beyond by assumption.
  assert (C := iev_xev (G F true) _ _ (point_ok (Zpos n) d)). assert (C' := iev_xev (G F true) _ _ (point_ok (Zpos m) e)). fold x in C. fold y in C'.
  destruct (ge0_X _ _ H (I.sub_correct prec _ _ _ _ (I.sub_correct prec _ _ _ _ C' C) (point_ok wn wd))) as [v [Ev V]].
  destruct (xev (G F true) (Xreal y)) as [|p] eqn:Ep; [ discriminate | ]. destruct (xev (G F true) (Xreal x)) as [|q] eqn:Eq; [ discriminate | ].
  destruct (xev_ok _ _ _ Ep) as [_ Ey]. destruct (xev_ok _ _ _ Eq) as [_ Ex]. simpl in Ev. injection Ev as <-.
  assert (L : IZR wn / IZR (Zpos wd) <= g F y - g F x) by lra. unfold g in L.
  rewrite <- (exp_ln (ev F x)), <- (exp_ln (ev F y)), <- exp_plus by assumption.
  destruct (Rle_lt_or_eq_dec (IZR wn / IZR (Zpos wd) + ln (ev F y)) (ln (ev F x)) ltac:(lra)) as [J|J]; [ left; now apply exp_increasing | right; now rewrite J ].
Qed.
Theorem approached_at_infinity : andb (defined F ch) (near_infinity F ch dn dd wn wd) = true ->
  forall b, b < lower -> exists c, delta < c /\ exp b * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H. apply andb_prop in H. destruct H as [A B]. rewrite delta_is, lower_is.
exact (limit_infinity F ch (defined_ok _ _ A) dn dd wn wd f f_beyond B). Qed.
Theorem approached_at_zero : andb (defined F ch) (near_zero F ch dn dd wn wd) = true ->
  forall b, b < lower -> exists c, delta < c /\ exp b * f (c ^ 2) < f ((c - delta) ^ 2).
Proof. intros H. apply andb_prop in H. destruct H as [A B]. rewrite delta_is, lower_is.
exact (limit_centre F ch (defined_ok _ _ A) dn dd wn wd f f_beyond B). Qed.

Theorem unbounded_in_the_tail : andb (defined F ch) (diverges F ch dn dd) = true ->
  (forall y, 0 < y -> 0 < f y) /\ (forall K, exists c, delta < c /\ f ((c - delta) ^ 2) > K * f (c ^ 2)).
Proof. intros H. apply andb_prop in H. destruct H as [A B]. apply defined_ok in A. rewrite delta_is.
split; [ exact (f_positive F ch A f f_beyond) | exact (unbounded_tail F ch A dn dd f f_beyond B) ]. Qed.
Theorem unbounded_at_the_pole : andb (defined F ch) (pole F ch dn dd) = true ->
  (forall y, 0 < y -> 0 < f y) /\ (forall K, exists c, delta < c /\ f ((c - delta) ^ 2) > K * f (c ^ 2)).
Proof. intros H. apply andb_prop in H. destruct H as [A B]. apply defined_ok in A. rewrite delta_is.
split; [ exact (f_positive F ch A f f_beyond) | exact (unbounded_pole F ch A dn dd f f_beyond B) ]. Qed.
Theorem unbounded_at_the_zero : andb (defined F ch) (vanishes F ch dn dd) = true ->
  (forall y, 0 < y -> 0 < f y) /\ (forall K, exists c, delta < c /\ f (c ^ 2) > K * f ((c - delta) ^ 2)).
Proof. intros H. apply andb_prop in H. destruct H as [A B]. apply defined_ok in A. rewrite delta_is.
split; [ exact (f_positive F ch A f f_beyond) | exact (unbounded_zero F ch A dn dd f f_beyond B) ]. Qed.
(* f > 0 at the radius s, and f = 0 at one within delta of it, between n/d and m/d. *)
Definition touches (a : expr) n m d s : bool := andb (andb (vanishes_with a F) (andb (Z.ltb 0 n) (andb (Z.ltb n m) (Z.ltb 0 s))))
  (andb (andb (I.real (iev a (box n m d))) (lt0 (I.mul prec (iev a (point n d)) (iev a (point m d)))))
  (andb (gt0 (iev F (point s d))) (andb (Z.leb ((m - s) * Zpos dd) (dn * Zpos d)) (Z.leb ((s - n) * Zpos dd) (dn * Zpos d))))).
Theorem zero_within_delta a n m d s : touches a n m d s = true ->
  exists s t, 0 < s /\ 0 < t /\ Rabs (s - t) <= delta /\ 0 < f (s ^ 2) /\ f (t ^ 2) = 0.
Proof. unfold touches. intros H. repeat match type of H with _ /\ _ => destruct H | _ => idtac end.
repeat match goal with K : andb _ _ = true |- _ => apply andb_prop in K; destruct K end.
destruct (crossing a n m d) as [z [Z0 [Z1 Z2]]]; trivial.
assert (P : 0 < IZR (Zpos d)) by (apply IZR_lt; reflexivity). assert (Pd : 0 < IZR (Zpos dd)) by (apply IZR_lt; reflexivity).
assert (S0 : 0 < IZR s / IZR (Zpos d)) by (apply Rdiv_lt_0_compat; [ apply IZR_lt; now apply Z.ltb_lt | exact P ]).
exists (IZR s / IZR (Zpos d)), z. split; [ exact S0 | split; [ exact Z0 | split; [ | split ] ] ].
- rewrite delta_is. assert (W : forall p q, Z.leb ((p - q) * Zpos dd) (dn * Zpos d) = true -> IZR p / IZR (Zpos d) - IZR q / IZR (Zpos d) <= IZR dn / IZR (Zpos dd)).
  { intros p q W. apply Z.leb_le, IZR_le in W. rewrite !mult_IZR, minus_IZR in W. apply Rmult_le_reg_r with (IZR (Zpos dd) * IZR (Zpos d)); [ now apply Rmult_lt_0_compat | ].
    replace (IZR dn / IZR (Zpos dd) * (IZR (Zpos dd) * IZR (Zpos d))) with (IZR dn * IZR (Zpos d)) by (field; lra).
    replace ((IZR p / IZR (Zpos d) - IZR q / IZR (Zpos d)) * (IZR (Zpos dd) * IZR (Zpos d))) with ((IZR p - IZR q) * IZR (Zpos dd)) by (field; lra). exact W. }
  apply Rabs_le_between. generalize (W m s ltac:(assumption)) (W s n ltac:(assumption)). lra.
- rewrite f_beyond by exact S0. assert (G : gt0 (iev F (point s d)) = true) by assumption.
  destruct (gt0_X _ _ G (iev_xev F _ _ (point_ok s d))) as [v [E V]]. destruct (xev_ok _ _ _ E) as [_ <-]. exact V.
- rewrite f_beyond by exact Z0. now apply (vanishes_with_ok a). Qed.
Theorem negative_somewhere n d : negative_at F n d = true -> exists y, 0 <= y /\ f y < 0.
Proof. intros H. destruct (negative_at_ok F n d H) as [r [P N]]. exists (r ^ 2). split; [ apply pow_le; lra | now rewrite f_beyond ]. Qed.
Lemma integral_of_f j : (forall K, exists a b, 0 < a < b /\ ex_RInt (fun r => r ^ j * ev F r) a b /\ K < RInt (fun r => r ^ j * ev F r) a b) ->
  forall K, exists a b, 0 < a < b /\ ex_RInt (fun r => r ^ j * f (r ^ 2)) a b /\ RInt (fun r => r ^ j * f (r ^ 2)) a b > K.
Proof. intros H K. destruct (H K) as [a [b [A [E B]]]]. exists a, b. split; [ exact A | ].
assert (Eq : forall x, Rmin a b < x < Rmax a b -> x ^ j * ev F x = x ^ j * f (x ^ 2)).
{ intros x. rewrite Rmin_left, Rmax_right by lra. intros X. rewrite f_beyond by lra. reflexivity. }
split; [ now apply (ex_RInt_ext (fun r => r ^ j * ev F r)) | ]. rewrite <- (RInt_ext _ _ a b Eq). exact B. Qed.
Theorem infinite_integral n order j k : andb (Nat.leb k 2) (heavy F n order j k) = true ->
  forall K, exists a b, 0 < a < b /\ ex_RInt (fun r => r ^ j * f (r ^ 2)) a b /\ RInt (fun r => r ^ j * f (r ^ 2)) a b > K.
Proof. intros H. apply andb_prop in H. destruct H as [K H]. apply Nat.leb_le in K. apply integral_of_f. exact (heavy_ok F n order j k K H). Qed.
Theorem infinite_integral_at_0 n order j s k : andb (Nat.leb k 1) (heavy_centre F n order j s k) = true ->
  forall K, exists a b, 0 < a < b /\ ex_RInt (fun r => r ^ j * f (r ^ 2)) a b /\ RInt (fun r => r ^ j * f (r ^ 2)) a b > K.
Proof. intros H. apply andb_prop in H. destruct H as [K H]. apply Nat.leb_le in K. apply integral_of_f. exact (heavy_centre_ok F n order j s k K H). Qed.
End Export.

(* 2, 4, ..., 2^n: where to cut between 1/zero_d and far_n. *)
Definition powers_of_two (n : nat) : list Z := map (fun k => Z.pow 2 (Z.of_nat k)) (seq 1 n).
Lemma sqrt_pow2 r : 0 <= r -> sqrt (r ^ 2) = r.
Proof. intros. rewrite <- Rsqr_pow2. now apply sqrt_Rsqr. Qed.
