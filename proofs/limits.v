(* Rules that refute: f tends to 0, at a radius or beside one (K362, K440, K441), is 0 throughout (K360, K361), has an
   infinite integral on cells of phases (K363), or a loss that outgrows every bound (K284). *)
From Coq Require Import Reals Lra Lia List Classical.
From Coquelicot Require Import Coquelicot.
From Dpverify Require privacy divergences.
From Dpverify Require Import forms.
Import ListNotations.
Open Scope R_scope.

(* ---- limit points along a filter F, that of the radii that tend to c along open sets, say ---- *)
Definition finer (G F : (R -> Prop) -> Prop) := forall A, F A -> G A.
(* Every limit point of u, oo and -oo among them, is in I. *)
Definition limits (F : (R -> Prop) -> Prop) (u : R -> R) (I : Rbar -> Prop) :=
  forall G l, ProperFilter G -> finer G F -> filterlim u G (Rbar_locally l) -> I l.

Lemma finer_lim G F (u : R -> R) (l : Rbar) : finer G F -> filterlim u F (Rbar_locally l) -> filterlim u G (Rbar_locally l).
Proof. intros S L P N. apply S, (L P N). Qed.
Lemma one_limit G (u : R -> R) (l m : Rbar) : ProperFilter G -> filterlim u G (Rbar_locally l) -> filterlim u G (Rbar_locally m) -> l = m.
Proof.
intros PG L M. assert (T : G (fun x => u x <= u x)) by (apply filter_imp with (fun _ => True); [ intros; apply Rle_refl | apply filter_true ]).
apply Rbar_le_antisym; apply (filterlim_le (F := G) u u); assumption.
Qed.
(* What lies between two limits lies between them in the limit. *)
Lemma cluster G (u : R -> R) : ProperFilter G -> exists H l, ProperFilter H /\ finer H G /\ filterlim u H (Rbar_locally l).
Proof.
intros PG. set (E := fun a : R => forall A, G A -> exists x, A x /\ a < u x). set (l := Lub_Rbar E).
destruct (Lub_Rbar_correct E) as [Up Least]. fold l in Up, Least.
assert (Off : forall a : R, ~ E a -> exists A, G A /\ forall x, A x -> u x <= a).
{ intros a N. apply not_all_ex_not in N. destruct N as [A N]. apply imply_to_and in N. destruct N as [GA N].
  exists A. split; [ exact GA | ]. intros x X. apply Rnot_lt_le. intros L. apply N. now exists x. }
assert (Low : forall a : R, Rbar_lt a l -> exists b, E b /\ a < b).
{ intros a L. apply NNPP. intros N. apply (Rbar_lt_not_le _ _ L), Least. intros b B. apply Rnot_lt_le. intros K. apply N. now exists b. }
assert (Key : forall A P, G A -> Rbar_locally l P -> exists x, A x /\ P (u x)).
{ intros A P GA N. destruct l as [l| |].
  - destruct N as [e N]. destruct (Low (l - e)) as [b [B L]]; [ simpl; generalize (cond_pos e); lra | ].
    destruct (Off (l + e / 2)) as [A' [GA' C]]; [ intros K; generalize (Up _ K) (cond_pos e); simpl; lra | ].
    destruct (B (fun x => A x /\ A' x)) as [x [[X X'] V]]; [ now apply filter_and | ]. exists x. split; [ exact X | ]. apply N.
    specialize (C x X'). apply Rabs_def1; unfold minus, plus, opp; simpl; generalize (cond_pos e); lra.
  - destruct N as [M N]. destruct (Low M I) as [b [B L]]. destruct (B A GA) as [x [X V]]. exists x. split; [ exact X | apply N; lra ].
  - destruct N as [M N]. destruct (Off (M - 1)) as [A' [GA' C]]; [ intros K; exact (Up _ K) | ].
    destruct (filter_ex (F := G) (fun x => A x /\ A' x)) as [x [X X']]; [ now apply filter_and | ].
    exists x. split; [ exact X | apply N; specialize (C x X'); lra ]. }
exists (fun B : R -> Prop => exists A P : R -> Prop, G A /\ Rbar_locally l P /\ forall x, A x -> P (u x) -> B x), l. split; [ split | split ].
- intros B [A [P [GA [N S]]]]. destruct (Key A P GA N) as [x [X V]]. exists x. now apply S.
- split.
  + exists (fun _ => True), (fun _ => True). split; [ apply filter_true | split; [ apply filter_true | trivial ] ].
  + intros B C [A [P [GA [N S]]]] [A' [P' [GA' [N' S']]]]. exists (fun x => A x /\ A' x), (fun y => P y /\ P' y).
    split; [ now apply filter_and | split; [ now apply filter_and | ] ]. intros x [X X'] [V V']. split; [ now apply S | now apply S' ].
  + intros B C I [A [P [GA [N S]]]]. exists A, P. split; [ exact GA | split; [ exact N | ] ]. intros x X V. apply I. now apply S.
- intros A GA. exists A, (fun _ => True). split; [ exact GA | split; [ apply filter_true | trivial ] ].
- intros P N. exists (fun _ => True), P. split; [ apply filter_true | split; [ exact N | trivial ] ].
Qed.
Lemma clusters G (u v : R -> R) : ProperFilter G -> exists H l m, ProperFilter H /\ finer H G /\
  filterlim u H (Rbar_locally l) /\ filterlim v H (Rbar_locally m).
Proof.
intros PG. destruct (cluster G u PG) as [H [l [PH [S L]]]]. destruct (cluster H v PH) as [K [m [PK [T M]]]].
exists K, l, m. split; [ exact PK | split; [ intros A X; apply T, S, X | split; [ exact (finer_lim K H u l T L) | exact M ] ] ].
Qed.

Lemma between_two (l m : Rbar) : Rbar_lt l m -> exists z : R, Rbar_lt l z /\ Rbar_lt z m.
Proof.
destruct l as [l| |], m as [m| |]; simpl; intros L; try easy.
- exists ((l + m) / 2). lra.
- exists (l + 1). split; [ lra | exact I ].
- exists (m - 1). split; [ exact I | lra ].
- exists 0. easy.
Qed.
Lemma within_lim (f : R -> R) (D : R -> Prop) (l m : Rbar) :
  filterlim f (Rbar_locally l) (Rbar_locally m) -> filterlim f (within D (Rbar_locally l)) (Rbar_locally m).
Proof. intros L P N. specialize (L P N). unfold filtermap, within in *. revert L. apply filter_imp. auto. Qed.
Lemma times_m_infty p : 0 < p -> Rbar_mult p m_infty = m_infty.
Proof. intros P. apply is_Rbar_mult_unique, is_Rbar_mult_sym, is_Rbar_mult_m_infty_pos. exact P. Qed.
Lemma times_m_infty_down p : p < 0 -> Rbar_mult p m_infty = p_infty.
Proof. intros P. apply is_Rbar_mult_unique, is_Rbar_mult_sym, is_Rbar_mult_m_infty_neg. exact P. Qed.
Lemma power_vanishes p : 0 < p -> filterlim (fun y => Rpower y p) (within (fun y => 0 < y) (Rbar_locally 0)) (Rbar_locally 0).
Proof.
intros P. unfold Rpower. change (filterlim (fun y => exp (p * ln y)) (at_right 0) (Rbar_locally 0)).
apply (filterlim_comp _ _ _ (fun y => p * ln y) exp (at_right 0) (Rbar_locally m_infty) (Rbar_locally 0)); [ | exact is_lim_exp_m ].
rewrite <- (times_m_infty p P).
apply (filterlim_comp _ _ _ ln (fun y => p * y) (at_right 0) (Rbar_locally m_infty)); [ exact is_lim_ln_0 | apply filterlim_Rbar_mult_l ].
Qed.
Lemma power_explodes p : p < 0 -> filterlim (fun y => Rpower y p) (within (fun y => 0 < y) (Rbar_locally 0)) (Rbar_locally p_infty).
Proof.
intros P. unfold Rpower. change (filterlim (fun y => exp (p * ln y)) (at_right 0) (Rbar_locally p_infty)).
apply (filterlim_comp _ _ _ (fun y => p * ln y) exp (at_right 0) (Rbar_locally p_infty) (Rbar_locally p_infty)); [ | exact is_lim_exp_p ].
rewrite <- (times_m_infty_down p P) at 1.
apply (filterlim_comp _ _ _ ln (fun y => p * y) (at_right 0) (Rbar_locally m_infty)); [ exact is_lim_ln_0 | apply filterlim_Rbar_mult_l ].
Qed.
Definition exp_at (l : Rbar) : Rbar := match l with Finite x => Finite (exp x) | p_infty => p_infty | m_infty => Finite 0 end.
Lemma exp_tends l : filterlim exp (Rbar_locally l) (Rbar_locally (exp_at l)).
Proof.
destruct l as [l| |]; [ | exact is_lim_exp_p | exact is_lim_exp_m ]. apply (ex_derive_continuous exp l). exists (exp l). apply is_derive_exp.
Qed.
(* The logarithm, of what is positive. *)
Definition log_at (l : Rbar) : Rbar := match l with Finite x => if Rlt_dec 0 x then Finite (ln x) else m_infty | l => l end.
Lemma log_tends l : Rbar_le 0 l -> filterlim ln (within (fun y => 0 < y) (Rbar_locally l)) (Rbar_locally (log_at l)).
Proof.
destruct l as [l| |]; simpl; intros L; [ | | easy ].
- destruct Rlt_dec as [P|P].
  + apply within_lim. apply (ex_derive_continuous ln l). exists (/ l). now apply is_derive_ln.
  + replace l with 0 by lra. exact is_lim_ln_0.
- apply within_lim. exact is_lim_ln_p.
Qed.

Section Limits.
Context (F : (R -> Prop) -> Prop) {FF : Filter F}.

(* What is enclosed, and so what has no limit of its own here. *)
Theorem K362_enclosed (u : R -> R) (lo hi : Rbar) : F (fun x => Rbar_le lo (u x) /\ Rbar_le (u x) hi) ->
  limits F u (fun l => Rbar_le lo l /\ Rbar_le l hi).
Proof.
intros E G l PG S L. apply S in E. split.
- destruct lo as [lo| |]; [ | | exact I ].
  + apply (filterlim_le (F := G) (fun _ => lo) u lo l); [ | apply filterlim_const | exact L ].
    revert E. apply filter_imp. intros x [X _]. exact X.
  + destruct (filter_ex _ E) as [x [X _]]. destruct X.
- destruct hi as [hi| |]; [ | | ].
  + apply (filterlim_le (F := G) u (fun _ => hi) l hi); [ | exact L | apply filterlim_const ].
    revert E. apply filter_imp. intros x [_ X]. exact X.
  + now destruct l.
  + destruct (filter_ex _ E) as [x [_ X]]. destruct X.
Qed.

(* Of a sum: none where one part may tend to oo and another to -oo. *)
Theorem K362_sum (u v : R -> R) I J : limits F u I -> limits F v J -> (forall a b, I a -> J b -> ex_Rbar_plus a b) ->
  limits F (fun x => u x + v x) (fun c => exists a b, I a /\ J b /\ is_Rbar_plus a b c).
Proof.
intros U V D G c PG S L. destruct (clusters G u v PG) as [H [a [b [PH [T [A B]]]]]].
assert (SH : finer H F) by (intros X Y; apply T, S, Y). specialize (U H a PH SH A). specialize (V H b PH SH B).
exists a, b. split; [ exact U | split; [ exact V | ] ]. specialize (D a b U V).
assert (W : is_Rbar_plus a b (Rbar_plus a b)) by now apply Rbar_plus_correct.
rewrite (one_limit H (fun x => u x + v x) c (Rbar_plus a b)); [ exact W | exact PH | exact (finer_lim _ _ _ _ T L) | ].
apply (filterlim_comp_2 (F := H) (G := Rbar_locally a) (H := Rbar_locally b) u v Rplus); [ exact A | exact B | now apply filterlim_Rbar_plus ].
Qed.
(* Of a product: none where one part may tend to 0 and another to oo or -oo. *)
Theorem K362_product (u v : R -> R) I J : limits F u I -> limits F v J -> (forall a b, I a -> J b -> ex_Rbar_mult a b) ->
  limits F (fun x => u x * v x) (fun c => exists a b, I a /\ J b /\ is_Rbar_mult a b c).
Proof.
intros U V D G c PG S L. destruct (clusters G u v PG) as [H [a [b [PH [T [A B]]]]]].
assert (SH : finer H F) by (intros X Y; apply T, S, Y). specialize (U H a PH SH A). specialize (V H b PH SH B).
exists a, b. split; [ exact U | split; [ exact V | ] ]. specialize (D a b U V).
assert (W : is_Rbar_mult a b (Rbar_mult a b)) by now apply Rbar_mult_correct.
rewrite (one_limit H (fun x => u x * v x) c (Rbar_mult a b)); [ exact W | exact PH | exact (finer_lim _ _ _ _ T L) | ].
apply (filterlim_comp_2 (F := H) (G := Rbar_locally a) (H := Rbar_locally b) u v Rmult); [ exact A | exact B | now apply filterlim_Rbar_mult ].
Qed.
(* Of a maximum: the larger of two limits. *)
Theorem K362_maximum (u v : R -> R) I J : limits F u I -> limits F v J ->
  limits F (fun x => Rmax (u x) (v x)) (fun c => exists a b, I a /\ J b /\ (Rbar_le a b /\ c = b \/ Rbar_le b a /\ c = a)).
Proof.
intros U V G c PG S L. destruct (clusters G u v PG) as [H [a [b [PH [T [A B]]]]]].
assert (SH : finer H F) by (intros X Y; apply T, S, Y). specialize (U H a PH SH A). specialize (V H b PH SH B).
exists a, b. split; [ exact U | split; [ exact V | ] ]. apply (finer_lim _ _ _ _ T) in L.
assert (W : forall p q l m, filterlim p H (Rbar_locally l) -> filterlim q H (Rbar_locally m) -> Rbar_le l m ->
  filterlim (fun x => Rmax (p x) (q x)) H (Rbar_locally m)).
{ intros p q l m P Q M N NM. destruct (Rbar_total_order l m) as [[E|E]|E].
  - destruct (between_two l m E) as [z [Z1 Z2]]. assert (P' := P _ (open_Rbar_lt' l z Z1)). assert (Q' := Q _ (open_Rbar_gt' m z Z2)). assert (Q2 := Q _ NM).
    unfold filtermap in *. generalize (filter_and _ _ P' (filter_and _ _ Q' Q2)). apply filter_imp. intros x [X [Y Z]]. simpl in X, Y.
    rewrite Rmax_right by lra. exact Z.
  - subst m. assert (P' := P _ NM). assert (Q' := Q _ NM). unfold filtermap in *. generalize (filter_and _ _ P' Q'). apply filter_imp.
    intros x [X Y]. unfold Rmax. now destruct Rle_dec.
  - now destruct (Rbar_lt_not_le _ _ E). }
destruct (Rbar_le_lt_dec a b) as [E|E].
- left. split; [ exact E | ]. now apply (one_limit H (fun x => Rmax (u x) (v x))); [ | | apply W with a ].
- apply Rbar_lt_le in E. right. split; [ exact E | ]. apply (one_limit H (fun x => Rmax (u x) (v x))); [ exact PH | exact L | ].
  assert (K := W v u b a B A E). revert K. apply filterlim_ext. intros x. apply Rmax_comm.
Qed.
(* Of a function that tends to h l as its argument tends to l within D. *)
Theorem K362_function (f : R -> R) (h : Rbar -> Rbar) (D : R -> Prop) (u : R -> R) I : limits F u I -> F (fun x => D (u x)) ->
  (forall l, I l -> filterlim f (within D (Rbar_locally l)) (Rbar_locally (h l))) ->
  limits F (fun x => f (u x)) (fun c => exists l, I l /\ c = h l).
Proof.
intros U V C G c PG S L. destruct (cluster G u PG) as [H [a [PH [T A]]]].
assert (SH : finer H F) by (intros X Y; apply T, S, Y). specialize (U H a PH SH A). exists a. split; [ exact U | ].
apply (one_limit H (fun x => f (u x))); [ exact PH | exact (finer_lim _ _ _ _ T L) | ].
intros N NM. specialize (C a U N NM). unfold filtermap, within in C. specialize (A _ C). apply SH in V.
unfold filtermap in A |- *. generalize (filter_and _ _ A V). apply filter_imp. intros x [X Y]. now apply X.
Qed.

(* What tends to 0, as a modulus |g| does where g does and is not 0: its powers tend to 0, or to oo. *)
Theorem K362_small (u : R -> R) p : limits F u (fun l => l = Finite 0) -> F (fun x => 0 < u x) ->
  (0 < p -> limits F (fun x => Rpower (u x) p) (fun l => l = Finite 0)) /\
  (p < 0 -> limits F (fun x => Rpower (u x) p) (fun l => l = p_infty)).
Proof.
intros U P. split; intros S G l PG T L.
- destruct (K362_function (fun y => Rpower y p) (fun _ => Finite 0) (fun y => 0 < y) u _ U P) with (G := G) (l := l) as [a [_ E]]; trivial.
  intros m ->. apply power_vanishes, S.
- destruct (K362_function (fun y => Rpower y p) (fun _ => p_infty) (fun y => 0 < y) u _ U P) with (G := G) (l := l) as [a [_ E]]; trivial.
  intros m ->. apply power_explodes, S.
Qed.
(* The limit of f is 0: so f is as small as one likes. *)
Theorem K362_as_small (f : R -> R) : limits F f (fun l => l = Finite 0) -> forall eps, 0 < eps -> F (fun x => Rabs (f x) < eps).
Proof.
intros L eps E. apply NNPP. intros N.
assert (PG : ProperFilter (fun B : R -> Prop => exists C : R -> Prop, F C /\ forall x, C x -> ~ Rabs (f x) < eps -> B x)).
{ split.
  - intros B [C [FC S]]. apply NNPP. intros M. apply N. revert FC. apply filter_imp. intros x X. apply NNPP. intros Y. apply M. exists x. now apply S.
  - split.
    + exists (fun _ => True). split; [ apply filter_true | trivial ].
    + intros B B' [C [FC S]] [C' [FC' S']]. exists (fun x => C x /\ C' x). split; [ now apply filter_and | ]. intros x [X X'] Y. split; auto.
    + intros B B' M [C [FC S]]. exists C. auto. }
destruct (cluster _ f PG) as [H [l [PH [T A]]]].
assert (SH : finer H F) by (intros X Y; apply T; exists X; split; [ exact Y | trivial ]).
rewrite (L H l PH SH A) in A. assert (V : H (fun x => Rabs (f x) < eps)).
{ assert (W : Rbar_locally (Finite 0) (fun y => Rabs y < eps)).
  { exists (mkposreal eps E). intros y Y. assert (Z : Rabs (y - 0) < eps) by exact Y. rewrite Rminus_0_r in Z. exact Z. }
  exact (A _ W). }
assert (V' : H (fun x => ~ Rabs (f x) < eps)) by (apply T; exists (fun _ => True); split; [ apply filter_true | auto ]).
destruct (filter_ex _ (filter_and _ _ V V')) as [x [X Y]]. now apply Y.
Qed.
End Limits.

Theorem K362_exp F {FF : Filter F} (u : R -> R) I : limits F u I -> limits F (fun x => exp (u x)) (fun c => exists l, I l /\ c = exp_at l).
Proof.
intros U. apply (K362_function F exp exp_at (fun _ => True)); [ exact U | apply filter_true | ].
intros l _. apply within_lim, exp_tends.
Qed.
Theorem K362_log F {FF : Filter F} (u : R -> R) I : limits F u I -> F (fun x => 0 < u x) ->
  limits F (fun x => ln (u x)) (fun c => exists l, I l /\ c = log_at l).
Proof.
intros U P. assert (V : limits F u (fun l => I l /\ Rbar_le 0 l)).
{ intros G l PG S L. split; [ exact (U G l PG S L) | ]. 
  assert (Q : F (fun x => Rbar_le 0 (u x) /\ Rbar_le (u x) p_infty)) by (revert P; apply filter_imp; simpl; intros; lra).
  now destruct (K362_enclosed F u 0 p_infty Q G l PG S L). }
intros G c PG S L. destruct (K362_function F ln log_at (fun y => 0 < y) u _ V P) with (G := G) (l := c) as [l [[Il _] E]]; trivial.
- intros l [_ N]. now apply log_tends.
- exists l. now split.
Qed.
(* atan and W, which are 0 at 0 and continuous there. *)
Theorem K362_vanishing F {FF : Filter F} (u W : R -> R) : limits F u (fun l => l = Finite 0) -> continuous W 0 -> W 0 = 0 ->
  limits F (fun x => W (u x)) (fun l => l = Finite 0).
Proof.
intros U C Z G c PG S L. destruct (K362_function F W (fun _ => Finite 0) (fun _ => True) u _ U) with (G := G) (l := c) as [l [_ E]]; trivial.
- apply filter_true.
- intros l ->. apply within_lim. rewrite <- Z at 2. exact C.
Qed.
Theorem K362_atan : continuous atan 0 /\ atan 0 = 0.
Proof. split; [ | exact atan_0 ]. apply (ex_derive_continuous atan 0). exists (/ (1 + 0²)). apply is_derive_atan. Qed.
(* Of 1/u, where no limit of u is 0; whole powers are products. *)
Theorem K362_inverse F {FF : Filter F} (u : R -> R) I : limits F u I -> (forall l, I l -> l <> Finite 0) ->
  limits F (fun x => / u x) (fun c => exists l, I l /\ c = Rbar_inv l).
Proof.
intros U N. apply (K362_function F Rinv Rbar_inv (fun _ => True)); [ exact U | apply filter_true | ].
intros l L. apply within_lim, filterlim_Rbar_inv, N, L.
Qed.
Lemma limits_of_lim F (u : R -> R) (l : Rbar) : filterlim u F (Rbar_locally l) -> limits F u (fun m => m = l).
Proof. intros L G m PG S M. apply (one_limit G u m l PG M), (finer_lim G F u l S L). Qed.

(* ---- the radius at which a continuous g changes its sign, along radii at which it is negative ---- *)
Definition beside (g : R -> R) (c : R) (A : R -> Prop) := exists d, 0 < d /\ forall x, c - d < x < c -> g x < 0 -> A x.
Theorem K362_radius (g : R -> R) a b : a < b -> (forall x, a <= x <= b -> continuous g x) -> g a < 0 < g b ->
  exists c, a < c < b /\ g c = 0 /\ ProperFilter (beside g c) /\ limits (beside g c) g (fun l => l = Finite 0) /\
    forall A d, beside g c A -> 0 < d -> exists u v, c - d < u < v /\ v < c /\ forall x, u < x < v -> A x.
Proof.
intros L C S.
assert (Near : forall x e, a <= x <= b -> 0 < e -> exists d, 0 < d /\ forall y, Rabs (y - x) < d -> Rabs (g y - g x) < e).
{ intros x e X E. destruct (C x X (fun y => Rabs (y - g x) < e)) as [d D]; [ exists (mkposreal e E); intros y Y; exact Y | ].
  exists d. split; [ apply cond_pos | exact D ]. }
destruct (completeness (fun x => a <= x <= b /\ g x < 0)) as [c [Up Least]].
{ exists b. intros x [X _]. lra. } { exists a. split; lra. }
assert (A0 : a <= c) by (apply Up; split; lra). assert (B0 : c <= b) by (apply Least; intros x [X _]; lra).
assert (Close : forall d, 0 < d -> exists x, c - d < x <= c /\ a <= x /\ g x < 0).
{ intros d D. apply NNPP. intros N. assert (c <= c - d); [ | lra ]. apply Least. intros x X. apply Rnot_lt_le. intros M.
  apply N. exists x. split; [ split; [ exact M | now apply Up ] | split; [ apply X | apply X ] ]. }
assert (Z : g c = 0).
{ destruct (Rtotal_order (g c) 0) as [N|[E|P]]; [ | exact E | ].
  - destruct (Near c (- g c)) as [d [D K]]; [ lra | lra | ]. assert (M : c < b) by (destruct B0; [ trivial | subst c; lra ]).
    set (y := Rmin b (c + d / 2)). assert (Y : c < y <= b /\ y - c < d) by (unfold y, Rmin; destruct Rle_dec; lra).
    assert (G : y <= c); [ | lra ]. apply Up. split; [ lra | ]. specialize (K y). rewrite (Rabs_pos_eq (y - c)) in K by lra.
    specialize (K ltac:(lra)). apply Rabs_def2 in K. lra.
  - destruct (Near c (g c)) as [d [D K]]; [ lra | lra | ]. destruct (Close d D) as [x [X [_ N]]]. specialize (K x).
    rewrite Rabs_minus_sym, (Rabs_pos_eq (c - x)) in K by lra. specialize (K ltac:(lra)). apply Rabs_def2 in K. lra. }
assert (A1 : a < c) by (destruct A0; [ trivial | subst c; lra ]). assert (B1 : c < b) by (destruct B0; [ trivial | subst c; lra ]).
assert (Close' : forall d, 0 < d -> exists x, c - d < x < c /\ a < x /\ g x < 0).
{ intros d D. destruct (Close (Rmin d (c - a))) as [x [X [_ N]]]; [ apply Rmin_pos; lra | ].
  assert (M := Rmin_l d (c - a)). assert (M' := Rmin_r d (c - a)). exists x. split; [ | split; [ lra | exact N ] ].
  split; [ lra | ]. destruct X as [_ [X|X]]; [ exact X | subst x; lra ]. }
assert (FB : Filter (beside g c)).
{ split.
  - exists 1. split; [ lra | trivial ].
  - intros P Q [d [D HP]] [e [E HQ]]. exists (Rmin d e). assert (M := Rmin_l d e). assert (M' := Rmin_r d e).
    split; [ now apply Rmin_pos | ]. intros x X N. split; [ apply HP | apply HQ ]; trivial; lra.
  - intros P Q I [d [D HP]]. exists d. split; [ exact D | ]. intros x X N. apply I. now apply HP. }
exists c. split; [ lra | split; [ exact Z | split; [ split; [ | exact FB ] | split ] ] ].
- intros P [d [D HP]]. destruct (Close' d D) as [x [X [_ N]]]. exists x. now apply HP.
- apply limits_of_lim. intros P [e E]. destruct (Near c e) as [d [D K]]; [ lra | apply cond_pos | ]. exists d. split; [ exact D | ].
  intros x X _. apply E. rewrite Z in K. apply K. rewrite Rabs_minus_sym, Rabs_pos_eq; lra.
- intros A d [e [E HA]] D. destruct (Close' (Rmin d e)) as [x [X [XA N]]]; [ now apply Rmin_pos | ].
  assert (M := Rmin_l d e). assert (M' := Rmin_r d e). destruct (Near x (- g x)) as [k [K G]]; [ lra | lra | ].
  set (k' := Rmin (k / 2) (c - x)). assert (K' : 0 < k' /\ k' <= k / 2 /\ k' <= c - x).
  { unfold k'. split; [ apply Rmin_pos; lra | split; [ apply Rmin_l | apply Rmin_r ] ]. }
  exists x, (x + k' / 2). split; [ lra | split; [ lra | ] ]. intros y Y. apply HA; [ lra | ].
  specialize (G y). rewrite (Rabs_pos_eq (y - x)) in G by lra. specialize (G ltac:(lra)). apply Rabs_def2 in G. lra.
Qed.
(* Where the sign changes the other way round it is that of -g. *)
Theorem K362_modulus (g : R -> R) c p : ProperFilter (beside g c) -> limits (beside g c) g (fun l => l = Finite 0) ->
  (0 < p -> limits (beside g c) (fun x => Rpower (Rabs (g x)) p) (fun l => l = Finite 0)) /\
  (p < 0 -> limits (beside g c) (fun x => Rpower (Rabs (g x)) p) (fun l => l = p_infty)).
Proof.
intros PF L. apply (K362_small (beside g c) (fun x => Rabs (g x))).
- intros G m PG S M. destruct (cluster G g PG) as [H [a [PH [T A]]]].
  assert (E : a = Finite 0) by (apply (L H a); [ exact PH | intros X Y; apply T, S, Y | exact A ]). subst a.
  apply (one_limit H (fun x => Rabs (g x))); [ exact PH | exact (finer_lim H G _ _ T M) | ].
  rewrite <- Rabs_R0. apply (filterlim_comp _ _ _ g Rabs H (Rbar_locally 0)); [ exact A | apply continuous_Rabs ].
- exists 1. split; [ lra | ]. intros x _ N. apply Rabs_pos_lt. lra.
Qed.

(* ---- what follows (as for K42 and K43): f is positive at some radius, and as small as one likes at radii as near to c
   as one likes; nothing is said of f at the radii that are missing, which fill no interval. *)
Lemma beyond x : exists n, x < INR n.
Proof.
exists (Z.to_nat (up x)). rewrite INR_IZR_INZ. apply Rlt_le_trans with (IZR (up x)); [ apply archimed | apply IZR_le; lia ].
Qed.
Lemma chain (f : R -> R) (missing : R -> Prop) delta eps t0 : 0 < delta -> 0 <= eps -> 0 < t0 -> ~ missing t0 -> 0 < f t0 ->
  (forall u v, u < v -> exists t, u < t < v /\ ~ missing t) ->
  (forall s t, 0 < s -> 0 < t -> Rabs (s - t) <= delta -> ~ missing s -> ~ missing t -> f s <= exp eps * f t) ->
  forall k x, 0 < x -> ~ missing x -> Rabs (x - t0) <= INR (S k) * (delta / 2) -> f t0 <= exp (INR (S k) * eps) * f x.
Proof.
intros D E T M P Dense B. induction k as [|k IH]; intros x X N Near.
- simpl INR in *. rewrite !Rmult_1_l in *. apply B; trivial. rewrite Rabs_minus_sym. lra.
- rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus.
  assert (Step : forall y, 0 < y -> ~ missing y -> Rabs (y - t0) <= INR (S k) * (delta / 2) -> Rabs (y - x) <= delta ->
    f t0 <= exp (INR (S k) * eps) * exp eps * f x).
  { intros y Y NY C F. apply Rle_trans with (1 := IH y Y NY C). rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [ left; apply exp_pos | now apply B ]. }
  rewrite S_INR in Near. set (w := INR (S k) * (delta / 2)) in *.
  assert (W : delta / 2 <= w).
  { unfold w. rewrite <- (Rmult_1_l (delta / 2)) at 1. apply Rmult_le_compat_r; [ lra | ]. rewrite S_INR. generalize (pos_INR k). lra. }
  replace ((INR (S k) + 1) * (delta / 2)) with (w + delta / 2) in Near by (unfold w; ring). apply Rabs_le_between in Near.
  destruct (Rle_dec (Rabs (x - t0)) w) as [I|O].
  + apply (Step x X N I). rewrite Rminus_eq_0, Rabs_R0. lra.
  + destruct (Rle_dec t0 x) as [G|G].
    * rewrite Rabs_pos_eq in O by lra. destruct (Dense (Rmax (x - delta) t0) (t0 + w)) as [y [Y NY]]; [ apply Rmax_lub_lt; lra | ].
      assert (Y1 := Rmax_l (x - delta) t0). assert (Y2 := Rmax_r (x - delta) t0).
      apply (Step y); [ lra | exact NY | apply Rabs_le; lra | apply Rabs_le; lra ].
    * rewrite Rabs_left in O by lra. destruct (Dense (t0 - w) (Rmin (x + delta) t0)) as [y [Y NY]]; [ apply Rmin_glb_lt; lra | ].
      assert (Y1 := Rmin_l (x + delta) t0). assert (Y2 := Rmin_r (x + delta) t0).
      apply (Step y); [ lra | exact NY | apply Rabs_le; lra | apply Rabs_le; lra ].
Qed.
Theorem K362_no_epsilon (f : R -> R) (missing : R -> Prop) c t0 delta eps : 0 < delta -> 0 <= eps -> 0 < t0 -> ~ missing t0 -> 0 < f t0 ->
  (forall u v, u < v -> exists t, u < t < v /\ ~ missing t) ->
  (forall e d, 0 < e -> 0 < d -> exists t, 0 < t /\ Rabs (t - c) < d /\ ~ missing t /\ Rabs (f t) < e) ->
  ~ (forall s t, 0 < s -> 0 < t -> Rabs (s - t) <= delta -> ~ missing s -> ~ missing t -> f s <= exp eps * f t).
Proof.
intros D E T M P Dense Small B.
destruct (beyond (2 * (Rabs (c - t0) + 1) / delta)) as [k K]. set (b := exp (INR (S k) * eps)).
assert (b0 : 0 < b) by apply exp_pos.
destruct (Small (f t0 / b) 1) as [t [T1 [T2 [T3 T4]]]]; [ now apply Rdiv_lt_0_compat | lra | ].
assert (C := chain f missing delta eps t0 D E T M P Dense B k t T1 T3). fold b in C.
assert (W : Rabs (t - t0) <= INR (S k) * (delta / 2)).
{ apply Rle_trans with (Rabs (c - t0) + 1).
  - replace (t - t0) with ((t - c) + (c - t0)) by ring. apply Rle_trans with (1 := Rabs_triang _ _). lra.
  - rewrite S_INR. apply Rmult_le_reg_r with (2 / delta); [ apply Rdiv_lt_0_compat; lra | ].
    replace ((INR k + 1) * (delta / 2) * (2 / delta)) with (INR k + 1) by (field; lra).
    replace ((Rabs (c - t0) + 1) * (2 / delta)) with (2 * (Rabs (c - t0) + 1) / delta) by (field; lra). lra. }
specialize (C W). apply Rabs_def2 in T4. destruct T4 as [T4 _]. apply (Rmult_lt_compat_l b) in T4; [ | exact b0 ].
replace (b * (f t0 / b)) with (f t0) in T4 by (field; lra). lra.
Qed.

(* ---- beside a jump: what has an exact value at the end c of a box ---- *)
Inductive tree := Number (q : R) | Radius | Sum (u v : tree) | Product (u v : tree) | Power (u : tree) (p : Z) | Largest (u v : tree).
Fixpoint at_radius (t : tree) (r : R) : R := match t with
  | Number q => q | Radius => r | Sum u v => at_radius u r + at_radius v r | Product u v => at_radius u r * at_radius v r
  | Power u p => powerRZ (at_radius u r) p | Largest u v => Rmax (at_radius u r) (at_radius v r) end.
(* No part has a pole at c. *)
Fixpoint exact (t : tree) (c : R) : Prop := match t with
  | Number _ | Radius => True | Sum u v | Product u v | Largest u v => exact u c /\ exact v c
  | Power u p => exact u c /\ ((0 < p)%Z \/ at_radius u c <> 0) end.
Theorem K440_exact t c : exact t c -> continuous (at_radius t) c.
Proof.
induction t as [q| |u IHu v IHv|u IHu v IHv|u IH p|u IHu v IHv]; simpl; intros E.
- apply continuous_const.
- apply continuous_id.
- apply (continuous_plus (V := R_NormedModule)); tauto.
- apply (continuous_mult (at_radius u) (at_radius v)); tauto.
- destruct E as [E P]. specialize (IH E).
  assert (W : forall n, continuous (fun r => at_radius u r ^ n) c).
  { intros n. apply (continuous_comp (at_radius u) (fun x => x ^ n)); [ exact IH | ].
    apply (ex_derive_continuous (fun x => x ^ n)). auto_derive. trivial. }
  destruct p as [|p|p]; simpl.
  + apply continuous_const.
  + apply W.
  + apply (continuous_comp (fun r => at_radius u r ^ Pos.to_nat p) Rinv); [ apply W | ].
    apply continuous_Rinv. apply pow_nonzero. destruct P as [P|P]; [ lia | exact P ].
- destruct E as [E E']. specialize (IHu E). specialize (IHv E').
  apply (continuous_ext (fun r => (at_radius u r + at_radius v r + Rabs (at_radius u r - at_radius v r)) * / 2)).
  { intros r. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra. }
  apply (continuous_scal_l (fun r => at_radius u r + at_radius v r + Rabs (at_radius u r - at_radius v r)) (/ 2)).
  apply (continuous_plus (V := R_NormedModule) (fun r => at_radius u r + at_radius v r)); [ now apply (continuous_plus (V := R_NormedModule)) | ].
  apply (continuous_comp (fun r => at_radius u r - at_radius v r) Rabs); [ now apply (continuous_minus (V := R_NormedModule)) | apply continuous_Rabs ].
Qed.
(* From within a box, to the left or to the right of c. *)
Theorem K440_limits t c : exact t c -> limits (at_left c) (at_radius t) (fun l => l = Finite (at_radius t c)) /\
  limits (at_right c) (at_radius t) (fun l => l = Finite (at_radius t c)).
Proof. intros E. apply K440_exact in E. split; apply limits_of_lim; apply (within_lim (at_radius t) _ c (at_radius t c)); exact E. Qed.
(* What is positive on the box and tends to 0. *)
Theorem K440_endless F {FF : Filter F} (u : R -> R) p : limits F u (fun l => l = Finite 0) -> F (fun x => 0 < u x) -> p < 0 ->
  limits F (fun x => Rpower (u x) p) (fun l => l = p_infty).
Proof. intros U P N. now apply (K362_small F u p U P). Qed.

(* On the box a floor is a number, a Piecewise its first branch that holds. *)
Theorem K441_floor x n : IZR n <= x < IZR n + 1 -> forall m, floor x m -> m = n.
Proof. intros H m M. apply (floor_unique x m n M H). Qed.
Theorem K441_branch (before : list (bool * R)) value more otherwise : (forall c v, In (c, v) before -> c = false) ->
  piece (before ++ (true, value) :: more) otherwise = value.
Proof.
induction before as [|[c v] before IH]; intros H; [ reflexivity | ]. simpl. rewrite (H c v) by now left. apply IH.
intros c' v' I. apply (H c' v'). now right.
Qed.

(* ---- f that is 0 ---- *)
Theorem K360_no_density (Points : Type) (I : divergences.linear Points) (f : Points -> R) k :
  privacy.integrable Points (divergences.of_functions Points I) f -> (forall x, f x = 0) ->
  privacy.value Points (divergences.of_functions Points I) (fun x => k * f x) <> 1.
Proof.
intros O Z. set (J := divergences.of_functions Points I) in *. destruct (privacy.homogeneous Points J k f O) as [_ ->].
destruct (privacy.homogeneous Points J 0 f O) as [O' E]. rewrite Rmult_0_l in E.
assert (A : privacy.value Points J f <= 0) by (rewrite <- E; apply privacy.monotone; trivial; intros x; rewrite (Z x); lra).
assert (B : 0 <= privacy.value Points J f) by (rewrite <- E; apply privacy.monotone; trivial; intros x; rewrite (Z x); lra).
replace (privacy.value Points J f) with 0 by lra. lra.
Qed.
Theorem K361_nought (u N D : R) : D <> 0 -> u = N / D -> N = 0 -> u = 0.
Proof. intros H -> ->. unfold Rdiv. ring. Qed.

(* ---- an integral that is infinite over the radii of one cell of phases, an interval of length w in each period P ---- *)
Fixpoint recurring (f : R -> R) (start P w : R) (n : nat) : R := match n with
  | O => 0 | S n => recurring f start P w n + RInt f (start + INR n * P) (start + INR n * P + w) end.
Lemma times_back (w P i : R) : 0 < w -> 0 < P -> w / P * i * (P / w) = i.
Proof. intros. field. split; lra. Qed.
Theorem K363_recurs f L R0 start P w : 0 < w <= P -> 0 <= R0 <= start -> (forall x y, R0 <= x <= y -> L y <= L x) ->
  (forall a b, R0 <= a <= b -> ex_RInt L a b) -> (forall K, exists X, R0 <= X /\ forall x, X <= x -> K < RInt L R0 x) ->
  (forall n x, start + INR n * P < x < start + INR n * P + w -> L x <= f x) ->
  (forall n, ex_RInt f (start + INR n * P) (start + INR n * P + w)) -> forall K, exists n, K < recurring f start P w n.
Proof.
intros W S Fall Int Inf Above Okf K.
assert (T : forall n, start <= start + INR n * P) by (intros n; assert (0 <= INR n * P) by (apply Rmult_le_pos; [ apply pos_INR | lra ]); lra).
assert (Bound : forall n, w / P * RInt L (start + P) (start + P + INR n * P) <= recurring f start P w n).
{ induction n as [|n IH]; simpl recurring.
  - simpl INR. rewrite Rmult_0_l, Rplus_0_r, RInt_point. unfold zero. simpl. lra.
  - rewrite S_INR. set (t := start + INR n * P) in *. assert (Tn := T n). fold t in Tn.
    replace (start + P + (INR n + 1) * P) with (t + P + P) by (unfold t; ring).
    replace (start + P + INR n * P) with (t + P) in IH by (unfold t; ring).
    assert (0 <= INR n * P) by (apply Rmult_le_pos; [ apply pos_INR | lra ]). assert (start + P <= t + P) by lra.
    rewrite <- (RInt_Chasles L (start + P) (t + P) (t + P + P)); [ | apply Int; lra | apply Int; lra ].
    unfold plus. simpl. rewrite Rmult_plus_distr_l. apply Rplus_le_compat; [ exact IH | ].
    apply Rle_trans with (w * L (t + P)).
    + assert (RInt L (t + P) (t + P + P) <= P * L (t + P)).
      { replace (P * L (t + P)) with (RInt (fun _ => L (t + P)) (t + P) (t + P + P)) by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
        apply RInt_le; [ lra | apply Int; lra | apply ex_RInt_const | ]. intros x X. apply Fall. lra. }
      apply Rle_trans with (w / P * (P * L (t + P))); [ apply Rmult_le_compat_l; [ apply Rlt_le, Rdiv_lt_0_compat; lra | trivial ] | ].
      right. field. lra.
    + replace (w * L (t + P)) with (RInt (fun _ => L (t + P)) t (t + w)) by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
      apply RInt_le; [ lra | apply ex_RInt_const | apply Okf | ]. intros x X. apply Rle_trans with (L x); [ apply Fall; lra | apply (Above n); fold t; lra ]. }
set (c := RInt L R0 (start + P)). assert (R0P : R0 <= start + P) by lra.
destruct (Inf (c + K * (P / w))) as [X [_ HX]]. destruct (beyond (X / P)) as [n N]. exists n.
apply Rlt_le_trans with (2 := Bound n). assert (Y : X <= start + P + INR n * P).
{ apply (Rmult_lt_compat_r P) in N; [ | lra ]. replace (X / P * P) with X in N by (field; lra). lra. }
assert (Q : 0 <= INR n * P) by (apply Rmult_le_pos; [ apply pos_INR | lra ]).
specialize (HX _ Y). rewrite <- (RInt_Chasles L R0 (start + P)) in HX; [ | apply Int; lra | apply Int; lra ].
unfold plus in HX. simpl in HX. fold c in HX. set (i := RInt L (start + P) (start + P + INR n * P)) in *.
apply Rmult_lt_reg_r with (P / w); [ apply Rdiv_lt_0_compat; lra | ]. rewrite (times_back w P i) by lra. lra.
Qed.
(* L is C/r, C/(r log r) or C/(r log r log log r): that of which a multiple of an iterated logarithm is the integral. *)
Theorem K363_logarithms r : (0 < r -> is_derive ln r (/ r)) /\
  (0 < r -> 0 < ln r -> is_derive (fun r => ln (ln r)) r (/ (r * ln r))) /\
  (0 < r -> 0 < ln r -> 0 < ln (ln r) -> is_derive (fun r => ln (ln (ln r))) r (/ (r * ln r * ln (ln r)))).
Proof.
split; [ apply is_derive_ln | split; intros ].
- auto_derive; [ tauto | field; split; apply Rgt_not_eq; assumption ].
- auto_derive; [ tauto | field; repeat split; apply Rgt_not_eq; assumption ].
Qed.
Theorem K363_unbounded : filterlim ln (Rbar_locally p_infty) (Rbar_locally p_infty) /\
  filterlim (fun r => ln (ln r)) (Rbar_locally p_infty) (Rbar_locally p_infty) /\
  filterlim (fun r => ln (ln (ln r))) (Rbar_locally p_infty) (Rbar_locally p_infty).
Proof.
assert (L := is_lim_ln_p). unfold is_lim in L. simpl in L. assert (M : filterlim ln (Rbar_locally p_infty) (Rbar_locally p_infty)).
{ intros P N. destruct (L P N) as [K H]. exists K. exact H. }
assert (M2 : filterlim (fun r => ln (ln r)) (Rbar_locally p_infty) (Rbar_locally p_infty)) by exact (filterlim_comp _ _ _ ln ln _ _ _ M M).
split; [ exact M | split; [ exact M2 | exact (filterlim_comp _ _ _ (fun r => ln (ln r)) ln _ _ _ M2 M) ] ].
Qed.

(* ---- a loss that outgrows every bound on each of finitely many cells of a torus of phases ---- *)
Theorem K284_cells (phi : R -> R) (lower : list (R -> R)) R0 : (forall b, In b lower -> filterlim b (Rbar_locally p_infty) (Rbar_locally p_infty)) ->
  (forall r, R0 <= r -> exists b, In b lower /\ b r <= phi r) -> filterlim phi (Rbar_locally p_infty) (Rbar_locally p_infty).
Proof.
intros Up Some. assert (All : forall K, exists R1, forall r, R1 < r -> forall b, In b lower -> K < b r).
{ intros K. clear Some. induction lower as [|b more IH]; [ exists 0; intros ? ? ? [] | ].
  destruct IH as [R1 H]; [ intros c C; apply Up; now right | ].
  destruct (Up b (or_introl eq_refl) (fun y => K < y)) as [R2 G]; [ now exists K | ]. exists (Rmax R1 R2). intros r L c [<-|C].
  - apply G. generalize (Rmax_r R1 R2). lra.
  - apply H; [ generalize (Rmax_l R1 R2); lra | exact C ]. }
intros N [K HN]. destruct (All K) as [R1 H]. exists (Rmax R0 R1). intros r L. apply HN.
destruct (Some r) as [b [B G]]; [ generalize (Rmax_l R0 R1); lra | ]. apply Rlt_le_trans with (2 := G). apply H; [ | exact B ].
generalize (Rmax_r R0 R1). lra.
Qed.
(* On a cell phi is at least c m(r) (1 - o(1)), where m grows and c > 0. *)
Theorem K284_leading (m small : R -> R) c : 0 < c -> filterlim m (Rbar_locally p_infty) (Rbar_locally p_infty) ->
  filterlim small (Rbar_locally p_infty) (locally 0) -> filterlim (fun r => c * m r * (1 - small r)) (Rbar_locally p_infty) (Rbar_locally p_infty).
Proof.
intros C M S. apply (filterlim_comp_2 (F := Rbar_locally p_infty) (G := Rbar_locally p_infty) (H := Rbar_locally 1) (fun r => c * m r) (fun r => 1 - small r) Rmult).
- replace p_infty with (Rbar_mult c p_infty) at 2.
  + apply (filterlim_comp _ _ _ m (fun y => c * y) (Rbar_locally p_infty) (Rbar_locally p_infty)); [ exact M | apply filterlim_Rbar_mult_l ].
  + apply is_Rbar_mult_unique, is_Rbar_mult_sym, is_Rbar_mult_p_infty_pos. exact C.
- change (filterlim (fun r => 1 - small r) (Rbar_locally p_infty) (locally 1)).
  apply (filterlim_comp _ _ _ small (fun y => 1 - y) (Rbar_locally p_infty) (locally 0)); [ exact S | ].
  replace (locally 1) with (locally (1 - 0)) by (f_equal; ring).
  apply (ex_derive_continuous (fun y => 1 - y) 0). auto_derive. trivial.
- apply filterlim_Rbar_mult, is_Rbar_mult_p_infty_pos. simpl. lra.
Qed.
