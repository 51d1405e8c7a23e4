(* From a density ratio to the probabilities of events, for Lebesgue's integral over any measure space
   (mathcomp-analysis), with k for exp(eps):
   - event_bound: p <= k q almost everywhere gives P(S) <= k Q(S) for every measurable S; event_bound_iff: and only
     then, where Q is finite;
   - approximate_bound, approximate_attained, approximate_iff: P(S) <= k Q(S) + delta for every measurable S exactly
     where delta is at least the hockey-stick divergence, the integral of (p - k q)+, which {p > k q} attains;
   - boundary_cost: with any other event in its place what is missing is at most |p - k q| over the difference;
   - private_A, private_3: the mechanism of privacy.v under Theorem A's condition, and Theorem 3's, as an export
     states it, for any measure on any space whose points have coordinates;
   - worst_shift: Theorem B, that the divergence does not fall as two neighbours move apart on a line;
   - lebesgue, lebesgue_linear: Lebesgue's integral is one as privacy.v asks for, and as divergences.v does.
   Taken as given, not proved here: that the two densities are measurable, and that a shift does not change a
   density's integral over R^d, so that both have the same normalising constant. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint interval.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra cardinality fsbigop.
From mathcomp.analysis Require Import signed reals ereal topology normedtype sequences esum measure numfun lebesgue_measure lebesgue_integral Rstruct.
From Coq Require Reals.
From Dpverify Require privacy divergences.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.

Section AlmostEverywhere.
Context d (T : measurableType d) (R : realType) (mu : {measure set T -> \bar R}).

(* The integral is monotone for inequalities almost everywhere. *)
Lemma ae_le_integral (S : set T) (f g : T -> \bar R) : measurable S ->
  measurable_fun S f -> measurable_fun S g ->
  (forall x, S x -> 0 <= f x) -> (forall x, S x -> 0 <= g x) ->
  {ae mu, forall x, S x -> f x <= g x} ->
  \int[mu]_(x in S) f x <= \int[mu]_(x in S) g x.
Proof.
move=> mS mf mg f0 g0 [N [mN N0 subN]].
rewrite (negligible_integral mN)// [leRHS](negligible_integral mN)//.
have mSN : measurable (S `\` N) by exact: measurableD.
apply: ge0_le_integral => //.
- by move=> x [Sx _]; exact: f0.
- by apply: measurable_funS mf => // x [].
- by move=> x [Sx _]; exact: g0.
- by apply: measurable_funS mg => // x [].
- move=> x [Sx Nx]; apply: contrapT => fg; apply: Nx; apply: subN => /= H; exact/fg/H.
Qed.
End AlmostEverywhere.

Section Densities.
Context d (T : measurableType d) (R : realType) (mu : {measure set T -> \bar R}).
Variables (p q : T -> \bar R) (k : R).
Hypotheses (mp : measurable_fun setT p) (mq : measurable_fun setT q).
Hypotheses (p0 : forall x, 0 <= p x) (q0 : forall x, 0 <= q x) (k0 : (0 <= k)%R).

Let mS (f : T -> \bar R) S : measurable_fun setT f -> measurable S -> measurable_fun S f.
Proof. by move=> mf _; exact: measurable_funTS. Qed.
Let mkq : measurable_fun setT (fun x => k%:E * q x).
Proof. exact: measurable_funeM. Qed.
Let kq0 x : 0 <= k%:E * q x.
Proof. by rewrite mule_ge0. Qed.

(* A density ratio within k almost everywhere bounds every event's probability. *)
Theorem event_bound : {ae mu, forall x, p x <= k%:E * q x} ->
  forall S, measurable S -> \int[mu]_(x in S) p x <= k%:E * \int[mu]_(x in S) q x.
Proof.
move=> pq S mS'. rewrite -ge0_integralM_EFin//; last exact: mS.
apply: ae_le_integral => //; [exact: mS|exact: mS|].
case: pq => N [mN N0 sub]; exists N; split => // x /= H; apply: sub => /= H'; apply: H => _; exact: H'.
Qed.
End Densities.

Section Approximate.
Context d (T : measurableType d) (R : realType) (mu : {measure set T -> \bar R}).
Variables (p q : T -> R) (k : R).
Hypotheses (mp : measurable_fun setT p) (mq : measurable_fun setT q).
Hypotheses (p0 : forall x, (0 <= p x)%R) (q0 : forall x, (0 <= q x)%R) (k0 : (0 <= k)%R).

(* How far p exceeds k q. *)
Definition excess (x : T) : \bar R := maxe (p x - k * q x)%:E 0.
Definition hockey_stick : \bar R := \int[mu]_x excess x.

Let kq x := k%:E * (q x)%:E.
Let mEp : measurable_fun setT (fun x => (p x)%:E). Proof. exact/EFin_measurable_fun. Qed.
Let mEq : measurable_fun setT (fun x => (q x)%:E). Proof. exact/EFin_measurable_fun. Qed.
Let mkq : measurable_fun setT kq. Proof. exact: measurable_funeM. Qed.
Let excess0 x : 0 <= excess x. Proof. by rewrite /excess le_maxr lexx orbT. Qed.
Let kq0 x : 0 <= kq x. Proof. by rewrite /kq mule_ge0// lee_fin. Qed.
Lemma measurable_excess : measurable_fun setT excess.
Proof.
apply: emeasurable_fun_max => //; last exact: measurable_fun_cst.
rewrite (_ : (fun x => _) = (fun x => (p x)%:E - kq x)); last by apply/funext => x; rewrite /kq -EFinM -EFinB.
exact: emeasurable_funB.
Qed.
Let mexcess := measurable_excess.
Let on_part (f : T -> \bar R) S : measurable_fun setT f -> measurable S -> measurable_fun S f.
Proof. by move=> mf _; exact: measurable_funTS. Qed.
Let split x : (p x)%:E <= excess x + kq x.
Proof.
rewrite /excess /kq -EFinM. apply: (@le_trans _ _ ((p x - k * q x)%:E + (k * q x)%:E)); first by rewrite -EFinD subrK.
by rewrite lee_add2r// le_maxr lexx.
Qed.

(* (eps, delta), for delta the hockey-stick divergence. *)
Theorem approximate_bound S : measurable S ->
  \int[mu]_(x in S) (p x)%:E <= k%:E * \int[mu]_(x in S) (q x)%:E + hockey_stick.
Proof.
move=> mS. rewrite -ge0_integralM_EFin//; [|by move=> x _; rewrite lee_fin|exact: on_part].
apply: (@le_trans _ _ (\int[mu]_(x in S) (excess x + kq x))).
- apply: ge0_le_integral => //; [by move=> x _; rewrite lee_fin|exact: on_part|by move=> x _; rewrite adde_ge0|].
  by apply: emeasurable_funD; exact: on_part.
- rewrite ge0_integralD//; [|exact: on_part|exact: on_part]. rewrite addeC lee_add2l//.
  by apply: subset_integral.
Qed.

Hypothesis finite : \int[mu]_x (q x)%:E < +oo.
Let S0 : set T := [set x | (k * q x < p x)%R].
Let mS0 : measurable S0.
Proof.
rewrite (_ : S0 = setT `&` [set x | 0 < excess x]); first exact: emeasurable_fun_o_infty.
by apply/seteqP; split => x /=; rewrite /S0/= /excess lt_maxr ltxx orbF lte_fin subr_gt0; [split|case].
Qed.
Let on_S0 x : S0 x -> (p x)%:E = excess x + kq x.
Proof.
rewrite /S0/= => /ltW H. rewrite /excess /kq -EFinM.
by rewrite (elimT max_idPl) ?lee_fin ?subr_ge0// -EFinD subrK.
Qed.

(* The event {p > k q} attains it. *)
Theorem approximate_attained : \int[mu]_(x in S0) (p x)%:E = k%:E * \int[mu]_(x in S0) (q x)%:E + hockey_stick.
Proof.
rewrite (@eq_integral _ _ _ mu S0 (fun x => excess x + kq x)); last by move=> x; rewrite inE => /on_S0.
rewrite ge0_integralD//; [|exact: on_part|exact: on_part].
rewrite ge0_integralM_EFin//; [|by move=> x _; rewrite lee_fin|exact: on_part].
rewrite addeC; congr (_ + _). rewrite integral_mkcond; apply: eq_integral => x _. rewrite /patch.
case: ifPn => // /negP H. rewrite /excess. apply/esym/max_idPr. rewrite lee_fin subr_le0 leNgt. by apply/negP => K; apply: H; rewrite inE.
Qed.

(* What an approximate boundary costs: the divergence exceeds P(S) - k Q(S) by no more than |p - k q| integrated over the
   difference of S and {p > k q}. *)
Let on_rest (f : T -> \bar R) S : measurable_fun setT f -> measurable S -> measurable_fun setT (f \_ S).
Proof.
move=> mf mS. have [H _] := @measurable_restrict _ _ _ _ S setT f mS measurableT (@subsetT _ S).
by apply: H; exact: on_part.
Qed.
Let rest0 (f : T -> \bar R) S x : (forall y, 0 <= f y) -> 0 <= (f \_ S) x.
Proof. by move=> f0; rewrite /patch; case: ifP. Qed.
Let off x : \bar R := `|(p x - k * q x)%:E|.
Let moff : measurable_fun setT off.
Proof.
apply: (@measurable_fun_comp _ _ _ _ _ _ abse setT (fun x => (p x - k * q x)%:E)); first exact: measurable_fun_abse.
rewrite (_ : (fun x => _) = (fun x => (p x)%:E - kq x)); last by apply/funext => x; rewrite /kq -EFinM -EFinB.
exact: emeasurable_funB.
Qed.
Theorem boundary_cost S : measurable S ->
  hockey_stick + k%:E * \int[mu]_(x in S) (q x)%:E <=
  \int[mu]_(x in S) (p x)%:E + \int[mu]_(x in (S0 `\` S) `|` (S `\` S0)) `|(p x - k * q x)%:E|.
Proof.
move=> mS. set D := _ `|` _.
have mD : measurable D by apply: measurableU; exact: measurableD.
rewrite -ge0_integralM_EFin//; [|by move=> x _; rewrite lee_fin|exact: on_part].
rewrite /hockey_stick (integral_mkcond S kq) (integral_mkcond S (fun x => (p x)%:E)) (integral_mkcond D off).
have p0E x : 0 <= (p x)%:E by rewrite lee_fin.
have off0 x : 0 <= off x by exact: abse_ge0.
rewrite -!ge0_integralD//; try (by move=> x _; exact: rest0); try exact: on_rest.
apply: ge0_le_integral => //.
- by move=> x _; rewrite adde_ge0// rest0.
- by apply: emeasurable_funD => //; exact: on_rest.
- by move=> x _; rewrite adde_ge0// rest0.
- by apply: emeasurable_funD; exact: on_rest.
move=> x _. rewrite /patch.
case: (boolP (x \in S)) => xS; case: (boolP (k * q x < p x)%R) => H.
- rewrite -on_S0//. by rewrite lee_addl//; case: ifP.
- have -> : x \in D by rewrite inE; right; split; [rewrite inE in xS|move/negP : H].
  have -> : excess x = 0 by rewrite /excess; apply/max_idPr; rewrite lee_fin subr_le0 leNgt.
  rewrite add0e /kq /off -EFinM -EFinD lee_fin -ler_sub_addl. by rewrite -normrN opprB ler_norm.
- have -> : x \in D by rewrite inE; left; split => //; move/negP : xS => N xS; apply: N; rewrite inE.
  have -> : excess x = (p x - k * q x)%:E by rewrite /excess; apply/max_idPl; rewrite lee_fin subr_ge0 ltW.
  rewrite adde0 add0e /off lee_fin. exact: ler_norm.
- have -> : excess x = 0 by rewrite /excess; apply/max_idPr; rewrite lee_fin subr_le0 leNgt.
  rewrite adde0 add0e. by case: ifP.
Qed.
Let finite_S S : measurable S -> k%:E * \int[mu]_(x in S) (q x)%:E \is a fin_num.
Proof.
move=> mS. rewrite fin_numM// ge0_fin_numE; last by apply: integral_ge0 => x _; rewrite lee_fin.
apply: le_lt_trans finite. by apply: subset_integral => // x _; rewrite lee_fin.
Qed.

Theorem approximate_iff (delta : \bar R) :
  (forall S, measurable S -> \int[mu]_(x in S) (p x)%:E <= k%:E * \int[mu]_(x in S) (q x)%:E + delta) <-> hockey_stick <= delta.
Proof.
split => [H|H S mS].
- move: (H S0 mS0). by rewrite approximate_attained lee_add2lE// finite_S.
- apply: (le_trans (approximate_bound mS)). by rewrite lee_add2l.
Qed.

(* Events within k say the same of the densities, almost everywhere. *)
Theorem event_bound_iff :
  (forall S, measurable S -> \int[mu]_(x in S) (p x)%:E <= k%:E * \int[mu]_(x in S) (q x)%:E) <-> {ae mu, forall x, (p x <= k * q x)%R}.
Proof.
split => [H|H S mS].
- have Z : hockey_stick <= 0 by apply/approximate_iff => S mS; rewrite adde0; exact: H.
  have A : \int[mu]_x `|excess x| = 0.
  { apply/eqP. rewrite eq_le (eq_integral excess) ?Z/=; last by move=> x _; rewrite gee0_abs. by apply: integral_ge0. }
  move/(ae_eq_integral_abs mu measurableT mexcess) : A => [N [mN N0 sub]]. exists N; split => // x /= K. apply: sub => /= E. apply: K.
  move: (E I). rewrite /excess => M. rewrite -subr_le0 -lee_fin -M. by rewrite le_maxr lexx.
- apply: (@event_bound _ _ _ mu (EFin \o p) (EFin \o q) k mEp mEq _ _ k0 _ S mS); [by move=> x; rewrite /= lee_fin|by move=> x; rewrite /= lee_fin|].
  case: H => N [mN N0 sub]; exists N; split => // x /= K; apply: sub => /= E; apply: K; by rewrite -EFinM lee_fin.
Qed.
End Approximate.

(* ---- the mechanism of privacy.v, for any measure: Lebesgue's on R^d, say, and the coordinates of its points ---- *)
Section Mechanism.
Local Notation real := Rdefinitions.R.
Context d (T : measurableType d) (mu : {measure set T -> \bar real_realType}) (coordinates : T -> privacy.vector).
Variables (scale : real) (f : real -> real) (n : nat) (L : privacy.matrix) (sigma delta eps : real).
Hypotheses (scale_pos : Rdefinitions.Rlt Rdefinitions.R0 scale) (sigma_pos : Rdefinitions.Rlt Rdefinitions.R0 sigma) (f_pos : privacy.positive f).

(* The density of the noise around a: scale * f (|L (x - a)|^2 / sigma^2). *)
Definition noise (a : privacy.vector) (x : T) : real_realType := privacy.density scale f (privacy.mahalanobis n L sigma) a (coordinates x).

Let noise0 a x : (0 <= noise a x)%R.
Proof.
apply/RleP. apply: RIneq.Rlt_le. apply: RIneq.Rmult_lt_0_compat => //. apply: f_pos. apply: Rfunctions.pow_le. exact: privacy.mahalanobis_pos.
Qed.

Theorem private_A : privacy.theorem_A f delta eps ->
  forall a b, Rdefinitions.Rle (privacy.mahalanobis n L sigma (privacy.minus a b)) delta ->
  measurable_fun setT (noise a) -> measurable_fun setT (noise b) ->
  forall S, measurable S ->
  \int[mu]_(x in S) (noise a x)%:E <= (Rtrigo_def.exp eps)%:E * \int[mu]_(x in S) (noise b x)%:E.
Proof.
move=> A a b D ma mb S mS.
have k0 : (0 <= Rtrigo_def.exp eps :> real_realType)%R by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
apply: (@event_bound _ _ _ mu (EFin \o noise a) (EFin \o noise b) (Rtrigo_def.exp eps)) => //; try exact/EFin_measurable_fun; try by move=> x; rewrite /= lee_fin.
apply: aeW => x /=; rewrite -EFinM lee_fin; apply/RleP. exact: (privacy.density_bound _ _ _ _ _ _ _ scale_pos sigma_pos A _ _ D).
Qed.

Theorem private_3 : Rdefinitions.Rle Rdefinitions.R0 delta -> privacy.non_increasing f -> privacy.theorem_3 f delta eps ->
  forall a b, Rdefinitions.Rle (privacy.mahalanobis n L sigma (privacy.minus a b)) delta ->
  measurable_fun setT (noise a) -> measurable_fun setT (noise b) ->
  forall S, measurable S ->
  \int[mu]_(x in S) (noise a x)%:E <= (Rtrigo_def.exp eps)%:E * \int[mu]_(x in S) (noise b x)%:E.
Proof. by move=> D M H; apply: private_A; apply/privacy.theorem_3_A. Qed.

(* Theorem B: the divergence does not fall as b moves away from a, so a profile's worst shift is the longest one. *)
Theorem worst_shift (c : real) : Rdefinitions.Rle Rdefinitions.R1 c -> privacy.non_increasing f ->
  forall a b s, Rdefinitions.Rle Rdefinitions.R0 s /\ Rdefinitions.Rle s Rdefinitions.R1 ->
  measurable_fun setT (noise a) -> measurable_fun setT (noise b) -> measurable_fun setT (noise (privacy.between a b s)) ->
  hockey_stick mu (noise a) (noise (privacy.between a b s)) c <= hockey_stick mu (noise a) (noise b) c.
Proof.
move=> c1 M a b s s01 ma mb ms.
have c0 : (0 <= c :> real_realType)%R by apply/RleP; apply: RIneq.Rle_trans c1; exact: RIneq.Rle_0_1.
apply: ge0_le_integral => //.
- by move=> x _; rewrite /excess le_maxr lexx orbT.
- exact: measurable_excess.
- by move=> x _; rewrite /excess le_maxr lexx orbT.
- exact: measurable_excess.
move=> x _. rewrite /excess le_maxl; apply/andP; split; last by rewrite le_maxr lexx orbT.
case: (ltP (c * noise (privacy.between a b s) x : real_realType)%R (noise a x)) => H; rewrite le_maxr; apply/orP.
- left. rewrite lee_fin ler_sub// ler_wpmul2l//. apply/RleP. move/RltP : H.
  apply: privacy.theorem_B => //; first exact: RIneq.Rlt_le.
  by move=> y y0; apply: RIneq.Rlt_le; exact: f_pos.
- by right; rewrite lee_fin subr_le0.
Qed.
End Mechanism.

(* The integral that privacy.v asks for. *)
Section Integral.
Context d (T : measurableType d) (mu : {measure set T -> \bar real_realType}) (Y : Type) (phi : T -> Y).
Definition lebesgue : privacy.integral Y.
Proof.
refine (@privacy.Build_integral Y (fun p => mu.-integrable setT (fun x => (p (phi x) : real_realType)%:E))
  (fun p => fine (\int[mu]_x (p (phi x) : real_realType)%:E)) _ _).
- move=> p q ip iq pq. apply/RleP. apply: fine_le; try exact: integral_fune_fin_num.
  (* p <= q, through q - p >= 0 *)
  rewrite -sube_ge0; last by apply/orP; left; exact: integral_fune_fin_num.
  rewrite -integralB_EFin//. apply: integral_ge0 => x _. rewrite -EFinB lee_fin subr_ge0. exact/RleP.
- move=> k p ip. split.
  + rewrite (_ : (fun x => _) = (fun x => (k : real_realType)%:E * (p (phi x) : real_realType)%:E)); last by apply/funext => x; rewrite -EFinM.
    exact: integrablerM.
  + rewrite (_ : (fun x => _) = (fun x => (k : real_realType)%:E * (p (phi x) : real_realType)%:E)); last by apply/funext => x; rewrite -EFinM.
    rewrite integralM// fineM//. exact: integral_fune_fin_num.
Defined.
End Integral.

(* And it is additive, as divergences.v asks for. *)
Section Linear.
Context d (T : measurableType d) (mu : {measure set T -> \bar real_realType}) (Y : Type) (phi : T -> Y).
Definition lebesgue_linear : divergences.linear Y.
Proof.
refine (@divergences.Build_linear Y (lebesgue mu phi) _).
move=> p q ip iq. split.
- rewrite /= (_ : (fun x => _) = (fun x => (p (phi x) : real_realType)%:E + (q (phi x) : real_realType)%:E)); last by apply/funext => x; rewrite -EFinD.
  exact: integrableD.
- rewrite /= (_ : (fun x => _) = (fun x => (p (phi x) : real_realType)%:E + (q (phi x) : real_realType)%:E)); last by apply/funext => x; rewrite -EFinD.
  rewrite integralD// fineD//; exact: integral_fune_fin_num.
Defined.
End Linear.
