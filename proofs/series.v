(* Rules about special functions and series: Riccati's equations (K373), coefficients about a square and a number (K431),
   erfc by its square (K364), functions that rise without end (K289). *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus.
Import ListNotations.
Open Scope R_scope.

(* ---- slopes s that solve s' = a + b/x + (c + e/x) s - s^2 ---- *)
Definition riccati (a b c e s x : R) := a + b / x + (c + e / x) * s - s ^ 2.
Lemma of_quotient (D dD P dP : R -> R) x : P x <> 0 -> is_derive D x (dD x) -> is_derive P x (dP x) -> is_derive (fun x => D x / P x) x (dD x / P x - D x / P x * (dP x / P x)).
Proof.
intros N HD HP. replace (dD x / P x - D x / P x * (dP x / P x)) with ((dD x * P x - D x * dP x) / P x ^ 2) by (field; exact N). now apply is_derive_div.
Qed.
(* P and Q, of which D = x^(p-1) e^-x/Gamma(p) is the slope, up to the sign. *)
Theorem K373_gamma D P p x : 0 < x -> P x <> 0 -> is_derive P x (D x) -> is_derive D x (D x * ((p - 1) / x - 1)) ->
  is_derive (fun x => D x / P x) x (riccati 0 0 (-1) (p - 1) (D x / P x) x).
Proof.
intros X N HP HD. replace (riccati 0 0 (-1) (p - 1) (D x / P x) x) with (D x * ((p - 1) / x - 1) / P x - D x / P x * (D x / P x)) by (unfold riccati; field; lra).
exact (of_quotient D (fun x => D x * ((p - 1) / x - 1)) P D x N HD HP).
Qed.
Theorem K373_complement D Q p x : 0 < x -> Q x <> 0 -> is_derive Q x (- D x) -> is_derive D x (D x * ((p - 1) / x - 1)) ->
  is_derive (fun x => - D x / Q x) x (riccati 0 0 (-1) (p - 1) (- D x / Q x) x).
Proof.
intros X N HQ HD. apply (K373_gamma (fun x => - D x) Q p x X N HQ). replace (- D x * ((p - 1) / x - 1)) with (- (D x * ((p - 1) / x - 1))) by ring.
now apply (is_derive_opp D).
Qed.
(* G = x^-p P times a number: its slope is s - p/x. *)
Theorem K373_scaled s p x : 0 < x -> is_derive s x (riccati 0 0 (-1) (p - 1) (s x) x) ->
  is_derive (fun x => s x - p / x) x (riccati 0 (- p) (-1) (- (p + 1)) (s x - p / x) x).
Proof.
intros X H. replace (riccati 0 (- p) (-1) (- (p + 1)) (s x - p / x) x) with (riccati 0 0 (-1) (p - 1) (s x) x - - (p / x ^ 2)) by (unfold riccati; field; lra).
apply (is_derive_minus s (fun x => p / x)); [ exact H | ]. auto_derive; [ lra | field; lra ].
Qed.
Lemma reordered (u v p : R) : u - p * v = - p * v + u. Proof. ring. Qed.
Theorem K373_log_scaled P dP p x : 0 < x -> 0 < P x -> is_derive P x dP -> is_derive (fun x => ln (Rpower x (- p) * P x)) x (dP / P x - p / x).
Proof.
intros X N H. apply (is_derive_ext_loc (fun x => ln (P x) - p * ln x)).
- assert (L : locally x (fun y => 0 < y)) by (exists (mkposreal x X); intros y Y; apply Rabs_def2 in Y; unfold minus, plus, opp in Y; simpl in Y; lra).
  assert (C : continuous P x) by (apply (ex_derive_continuous P); now exists dP).
  assert (M : locally x (fun y => 0 < P y)).
  { apply (C (fun z => 0 < z)). exists (mkposreal (P x) N). intros y Y. change (Rabs (y - P x) < P x) in Y. apply Rabs_def2 in Y. lra. }
  generalize (filter_and _ _ L M). apply filter_imp. intros y [Y Z]. rewrite ln_mult; [ | apply exp_pos | exact Z ]. unfold Rpower. rewrite ln_exp. apply reordered.
- replace (dP / P x - p / x) with (/ P x * dP - p * / x) by (field; lra). apply (is_derive_minus (fun x => ln (P x)) (fun x => p * ln x)).
  + replace (/ P x * dP) with (scal dP (/ P x)) by (unfold scal; simpl; unfold mult; simpl; ring). apply (is_derive_comp ln P); [ now apply is_derive_ln | exact H ].
  + apply (is_derive_scal ln), is_derive_ln, X.
Qed.
(* B, x^p B = I_p. *)
Theorem K373_bessel B dB p x : 0 < x -> B x <> 0 -> is_derive B x (dB x) -> is_derive dB x (B x - (2 * p + 1) / x * dB x) ->
  is_derive (fun x => dB x / B x) x (riccati 1 0 0 (- (2 * p + 1)) (dB x / B x) x).
Proof.
intros X N HB HD. replace (riccati 1 0 0 (- (2 * p + 1)) (dB x / B x) x) with ((B x - (2 * p + 1) / x * dB x) / B x - dB x / B x * (dB x / B x)) by (unfold riccati; field; lra).
exact (of_quotient dB (fun x => B x - (2 * p + 1) / x * dB x) B dB x N HD HB).
Qed.
(* Along u. *)
Theorem K373_along (F s : R -> R) a b c e (u : R -> R) du t : is_derive F (u t) (s (u t)) -> is_derive s (u t) (riccati a b c e (s (u t)) (u t)) -> is_derive u t du ->
  is_derive (fun t => F (u t)) t (s (u t) * du) /\ is_derive (fun t => s (u t)) t (riccati a b c e (s (u t)) (u t) * du).
Proof.
intros HF Hs Hu. split.
- replace (s (u t) * du) with (scal du (s (u t))) by (unfold scal; simpl; unfold mult; simpl; ring). now apply (is_derive_comp F u).
- replace (riccati a b c e (s (u t)) (u t) * du) with (scal du (riccati a b c e (s (u t)) (u t))) by (unfold scal; simpl; unfold mult; simpl; ring). now apply (is_derive_comp s u).
Qed.

(* ---- coefficients: series as functions of the exponent, complex ones and what bounds them ---- *)
Fixpoint total {A} (zero : A) (add : A -> A -> A) (n : nat) (f : nat -> A) : A := match n with O => zero | S n => add (total zero add n f) (f n) end.
Definition times {A} zero add (mul : A -> A -> A) (a b : nat -> A) (n : nat) : A := total zero add (S n) (fun i => mul (a i) (b (n - i)%nat)).
Definition ctimes := times (RtoC 0) Cplus Cmult.
Definition rtimes := times 0 Rplus Rmult.
Definition within (a : nat -> C) (A : nat -> R) := forall n, Cmod (a n) <= A n.
Lemma within_sum (f : nat -> C) F n : (forall i, (i < n)%nat -> Cmod (f i) <= F i) -> Cmod (total (RtoC 0) Cplus n f) <= total 0 Rplus n F.
Proof.
induction n as [|n IH]; intros H; simpl; [ rewrite Cmod_0; lra | ]. apply Rle_trans with (1 := Cmod_triangle _ _).
apply Rplus_le_compat; [ apply IH; intros; apply H; lia | apply H; lia ].
Qed.
Theorem K431_product a b A B : within a A -> within b B -> within (ctimes a b) (rtimes A B).
Proof.
intros HA HB n. apply within_sum. intros i _. rewrite Cmod_mult. apply Rmult_le_compat; [ apply Cmod_ge_0 | apply Cmod_ge_0 | apply HA | apply HB ].
Qed.
Theorem K431_sum a b A B : within a A -> within b B -> within (fun n => Cplus (a n) (b n)) (fun n => A n + B n).
Proof. intros HA HB n. apply Rle_trans with (1 := Cmod_triangle _ _). apply Rplus_le_compat; [ apply HA | apply HB ]. Qed.
Fixpoint cpower (a : nat -> C) (k : nat) : nat -> C := match k with O => fun n => match n with O => RtoC 1 | _ => RtoC 0 end | S k => ctimes a (cpower a k) end.
Fixpoint rpower (a : nat -> R) (k : nat) : nat -> R := match k with O => fun n => match n with O => 1 | _ => 0 end | S k => rtimes a (rpower a k) end.
Lemma within_power a A k : within a A -> within (cpower a k) (rpower A k).
Proof.
intros H. induction k as [|k IH]; [ | now apply K431_product ]. intros [|n]; simpl; [ rewrite Cmod_1; lra | rewrite Cmod_0; lra ].
Qed.
(* A function of w/y with weights, |y| >= rho: at most that of V/rho with weights at least as large, none of them negative. *)
Theorem K431_weights (w : nat -> C) V y rho weight Weight N : within w V -> 0 < rho <= Cmod y -> (forall k, Rabs (weight k) <= Weight k) ->
  within (fun n => total (RtoC 0) Cplus N (fun k => Cmult (RtoC (weight k)) (cpower (fun i => Cmult (w i) (Cinv y)) k n)))
    (fun n => total 0 Rplus N (fun k => Weight k * rpower (fun i => V i * / rho) k n)).
Proof.
intros H R W n. assert (Y : y <> RtoC 0) by (intros ->; rewrite Cmod_0 in R; lra).
assert (U : within (fun i => Cmult (w i) (Cinv y)) (fun i => V i * / rho)).
{ intros i. rewrite Cmod_mult, Cmod_inv by exact Y. apply Rmult_le_compat; [ apply Cmod_ge_0 | left; apply Rinv_0_lt_compat; lra | apply H | apply Rinv_le_contravar; lra ]. }
apply within_sum. intros k _. rewrite Cmod_mult, Cmod_R. apply Rmult_le_compat; [ apply Rabs_pos | apply Cmod_ge_0 | apply W | now apply within_power ].
Qed.
(* Those of log(1 - x), and of (1 - x)^p, which are at most those of -log(1 - x) and of (1 - x)^-|p|. *)
Definition log_weight (k : nat) := match k with O => 0 | S _ => - / INR k end.
Fixpoint power_weight (p : R) (k : nat) : R := match k with O => 1 | S k => - power_weight p k * (p - INR k) / INR (S k) end.
Theorem K431_log_weights k : Rabs (log_weight k) <= - log_weight k.
Proof.
destruct k as [|k]; [ simpl; rewrite Rabs_R0; lra | ]. unfold log_weight. assert (0 < / INR (S k)) by (apply Rinv_0_lt_compat, lt_0_INR; lia). rewrite Rabs_Ropp, Rabs_pos_eq; lra.
Qed.
Theorem K431_power_weights p k : Rabs (power_weight p k) <= power_weight (- Rabs p) k.
Proof.
induction k as [|k IH]; [ cbn [power_weight]; rewrite Rabs_R1; lra | ]. cbn [power_weight]. assert (I : 0 < / INR (S k)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
unfold Rdiv. rewrite !Rabs_mult, Rabs_Ropp, (Rabs_pos_eq (/ INR (S k))) by lra.
replace (- power_weight (- Rabs p) k * (- Rabs p - INR k) * / INR (S k)) with (power_weight (- Rabs p) k * (Rabs p + INR k) * / INR (S k)) by ring.
apply Rmult_le_compat_r; [ lra | ]. apply Rmult_le_compat; [ apply Rabs_pos | apply Rabs_pos | exact IH | ].
apply Rle_trans with (1 := Rabs_triang p (- INR k)). rewrite Rabs_Ropp, (Rabs_pos_eq (INR k)) by apply pos_INR. lra.
Qed.
(* The two factors: y = i z - v and its conjugate. *)
Theorem K431_factors a c v z : 0 < a -> 0 <= c -> z ^ 2 = c / a ->
  Cmult (RtoC a) (Cmult (- v, z) (- v, - z)) = RtoC (c + a * v ^ 2) /\ Cmod (- v, z) ^ 2 = (c + a * v ^ 2) / a /\ Cmod (- v, - z) = Cmod (- v, z).
Proof.
intros A C Z. assert (E : a * z ^ 2 = c) by (rewrite Z; field; lra). split; [ | split ].
- unfold Cmult, RtoC. simpl. f_equal; rewrite <- ?E; ring.
- unfold Cmod. simpl fst. simpl snd. rewrite pow2_sqrt by (generalize (pow2_ge_0 (- v)) (pow2_ge_0 z); lra). rewrite Z. field. lra.
- unfold Cmod. simpl fst. simpl snd. f_equal. ring.
Qed.
Theorem K431_moved v0 z (w : C) : (- v0, z) <> RtoC 0 -> Cminus (- v0, z) w = Cmult (- v0, z) (Cminus (RtoC 1) (Cmult w (Cinv (- v0, z)))).
Proof. intros N. field. exact N. Qed.

(* ---- erfc far out, by the square of its argument ---- *)
Fixpoint sum (terms : list R) : R := match terms with [] => 0 | x :: more => x + sum more end.
Fixpoint squares (terms : list R) : R := match terms with [] => 0 | x :: more => x ^ 2 + squares more end.
Fixpoint pairs (terms : list R) : R := match terms with [] => 0 | x :: more => sum (map (fun y => 2 * x * y) more) + pairs more end.
Theorem K364_square terms : sum terms ^ 2 = squares terms + pairs terms.
Proof.
assert (L : forall x more, sum (map (fun y => 2 * x * y) more) = 2 * x * sum more) by (intros x; induction more as [|y more IH]; simpl; [ ring | rewrite IH; ring ]).
induction terms as [|x more IH]; [ simpl; ring | ]. cbn [sum squares pairs]. rewrite L, Rplus_assoc, (Rplus_comm (squares more)), Rplus_assoc, (Rplus_comm (pairs more)), <- IH. ring.
Qed.
Theorem K364_powers u v a p : 0 < a -> (u * v) ^ 2 = u ^ 2 * v ^ 2 /\ Rpower a p ^ 2 = Rpower a (2 * p).
Proof. intros A. split; [ ring | ]. simpl. rewrite Rmult_1_r, <- Rpower_plus. f_equal. ring. Qed.
Section Erfc.
Variable E : R -> R.
Hypotheses (E_derive : forall x, is_derive E x (- (2 / sqrt PI * exp (- x ^ 2)))) (E_pos : forall x, 0 < E x).
Definition S (x : R) := sqrt PI * x * exp (x ^ 2) * E x.
Theorem K364_logarithm x : 0 < x -> ln (E x) + x ^ 2 = - ln x - ln PI / 2 + ln (S x).
Proof.
intros X. assert (Q := PI_RGT_0). assert (R : 0 < sqrt PI) by now apply sqrt_lt_R0. assert (P := E_pos x). unfold S.
rewrite !ln_mult, ln_exp by (repeat apply Rmult_lt_0_compat; trivial; apply exp_pos).
assert (H : ln PI = ln (sqrt PI) + ln (sqrt PI)) by (rewrite <- ln_mult, sqrt_sqrt by lra; reflexivity). lra.
Qed.
Theorem K364_slope u du t : 0 < u t -> is_derive u t du -> is_derive (fun t => ln (E (u t)) + u t ^ 2) t (2 * u t * du * (1 - / S (u t))).
Proof.
intros X H. set (x := u t) in *. assert (Q := PI_RGT_0). assert (R : 0 < sqrt PI) by now apply sqrt_lt_R0. assert (P := E_pos x). assert (Ex := exp_pos (x ^ 2)).
assert (D : is_derive (fun x => ln (E x) + x ^ 2) x (2 * x * (1 - / S x))).
{ replace (2 * x * (1 - / S x)) with (- (2 / sqrt PI * exp (- x ^ 2)) * / E x + 2 * x) by (unfold S; rewrite exp_Ropp; field; repeat split; lra).
  apply (is_derive_plus (fun x => ln (E x)) (fun x => x ^ 2)); [ apply (is_derive_comp ln E); [ now apply is_derive_ln | apply E_derive ] | auto_derive; [ trivial | ring ] ]. }
replace (2 * x * du * (1 - / S x)) with (scal du (2 * x * (1 - / S x))) by (unfold scal; simpl; unfold mult; simpl; ring).
now apply (is_derive_comp (fun x => ln (E x) + x ^ 2) u).
Qed.
End Erfc.

(* ---- functions that rise without end, on [lo, oo) at least F(lo) ---- *)
Theorem K289_convex F a b : a < b -> (forall x y s, a <= x -> x <= y -> 0 <= s <= 1 -> F ((1 - s) * x + s * y) <= (1 - s) * F x + s * F y) ->
  F a = F b -> forall x y, b <= x <= y -> F x <= F y.
Proof.
intros L C E. assert (Above : forall x, b <= x -> F b <= F x).
{ intros x X. set (s := (b - a) / (x - a)). assert (H : 0 < s <= 1).
  { unfold s. split; [ apply Rdiv_lt_0_compat; lra | ]. apply Rmult_le_reg_r with (x - a); [ lra | ]. replace ((b - a) / (x - a) * (x - a)) with (b - a) by (field; lra). lra. }
  specialize (C a x s ltac:(lra) ltac:(lra) ltac:(lra)). replace ((1 - s) * a + s * x) with b in C by (unfold s; field; lra). rewrite E in C.
  apply Rmult_le_reg_l with s; lra. }
intros x y [X Y]. destruct (Req_dec b y) as [<-|N]; [ replace x with b by lra; lra | ]. set (s := (x - b) / (y - b)).
assert (H : 0 <= s <= 1).
{ unfold s. split; [ apply Rmult_le_pos; [ lra | left; apply Rinv_0_lt_compat; lra ] | ]. apply Rmult_le_reg_r with (y - b); [ lra | ]. replace ((x - b) / (y - b) * (y - b)) with (x - b) by (field; lra). lra. }
specialize (C b y s ltac:(lra) ltac:(lra) H). replace ((1 - s) * b + s * y) with x in C by (unfold s; field; lra).
specialize (Above y ltac:(lra)). apply Rle_trans with (1 := C). apply Rle_trans with ((1 - s) * F y + s * F y); [ | lra ].
apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
Qed.
Theorem K289_lambert (W : R -> R) : (forall x, 0 <= x -> 0 <= W x /\ W x * exp (W x) = x) -> forall x y, 0 <= x <= y -> W x <= W y.
Proof.
intros H x y [X Y]. destruct (H x X) as [A B]. destruct (H y ltac:(lra)) as [C D]. apply Rnot_lt_le. intros N.
assert (W y * exp (W y) < W x * exp (W x)); [ | lra ]. apply Rle_lt_trans with (W y * exp (W x)).
- apply Rmult_le_compat_l; [ exact C | left; now apply exp_increasing ].
- apply Rmult_lt_compat_r; [ apply exp_pos | exact N ].
Qed.
Theorem K289_series (a : nat -> R) x y s t : (forall k, 0 <= a k) -> 0 <= x <= y -> is_lim_seq (sum_f_R0 (fun k => a k * x ^ (2 * k))) s -> is_lim_seq (sum_f_R0 (fun k => a k * y ^ (2 * k))) t -> Rbar_le s t.
Proof.
intros A X HS HT. apply (is_lim_seq_le _ _ s t) with (2 := HS) (3 := HT). intros n. apply sum_Rle. intros k _.
apply Rmult_le_compat_l; [ apply A | ]. apply pow_incr. exact X.
Qed.
