(* Rules about measures of privacy that follow from a profile: h(a) = delta(log a) is convex, falls, and is known at points. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus.
Open Scope R_scope.

(* ---- lines above and below a convex h ---- *)
Definition convex (h : R -> R) (a b : R) := forall x y z, a <= x -> x < y -> y < z -> z <= b -> (z - x) * h y <= (z - y) * h x + (y - x) * h z.
Definition line (x u y v a : R) := u + (v - u) * ((a - x) / (y - x)).

Theorem K230_above h lo hi x u y v a : convex h lo hi -> lo <= x -> x < y -> y <= hi -> h x <= u -> h y <= v -> x <= a <= y -> h a <= line x u y v a.
Proof.
intros C L X H U V A. unfold line. replace (u + (v - u) * ((a - x) / (y - x))) with (((y - a) * u + (a - x) * v) / (y - x)) by (field; lra).
apply Rmult_le_reg_r with (y - x); [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
assert ((y - a) * h x <= (y - a) * u) by (apply Rmult_le_compat_l; lra). assert ((a - x) * h y <= (a - x) * v) by (apply Rmult_le_compat_l; lra).
destruct (Req_dec a x) as [->|N]; [ lra | ]. destruct (Req_dec a y) as [->|N']; [ lra | ]. specialize (C x a y L ltac:(lra) ltac:(lra) H). lra.
Qed.
(* The line through two points lies below h beyond the second, y: there u counts from above and v from below; *)
Theorem K230_below h lo hi x u y v a : convex h lo hi -> lo <= x -> x < y -> y <= a -> a <= hi -> h x <= u -> v <= h y -> line x u y v a <= h a.
Proof.
intros C L X A H U V. unfold line. apply Rmult_le_reg_r with (y - x); [ lra | ].
replace ((u + (v - u) * ((a - x) / (y - x))) * (y - x)) with ((a - x) * v - (a - y) * u) by (field; lra).
assert ((a - x) * v <= (a - x) * h y) by (apply Rmult_le_compat_l; lra). assert ((a - y) * h x <= (a - y) * u) by (apply Rmult_le_compat_l; lra).
destruct (Req_dec a y) as [->|N]; [ lra | ]. specialize (C x y a L X ltac:(lra) H). lra.
Qed.
(* and so before the first. *)
Theorem K230_below_before h lo hi x v y u a : convex h lo hi -> lo <= a -> a <= x -> x < y -> y <= hi -> v <= h x -> h y <= u -> line x v y u a <= h a.
Proof.
intros C L A X H V U. unfold line. apply Rmult_le_reg_r with (y - x); [ lra | ].
replace ((v + (u - v) * ((a - x) / (y - x))) * (y - x)) with ((y - a) * v - (x - a) * u) by (field; lra).
assert ((y - a) * v <= (y - a) * h x) by (apply Rmult_le_compat_l; lra). assert ((x - a) * h y <= (x - a) * u) by (apply Rmult_le_compat_l; lra).
destruct (Req_dec a x) as [->|N]; [ lra | ]. specialize (C a x y L ltac:(lra) X H). lra.
Qed.

(* ---- integrals of powers ---- *)
Lemma power_derive s a : 0 < a -> is_derive (fun a => Rpower a s) a (s * Rpower a (s - 1)).
Proof.
intros A. unfold Rpower. auto_derive; [ exact A | ]. replace ((s - 1) * ln a) with (s * ln a + - ln a) by ring.
rewrite exp_plus, exp_Ropp, exp_ln by exact A. field. lra.
Qed.
Lemma power_continuous s a : 0 < a -> continuous (fun a => Rpower a s) a.
Proof. intros A. apply (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. now apply power_derive. Qed.
Lemma of_derivative F f x y : 0 < x -> 0 < y -> (forall a, 0 < a -> is_derive F a (f a)) -> (forall a, 0 < a -> continuous f a) -> is_RInt f x y (F y - F x).
Proof.
intros X Y D C. apply (is_RInt_derive F f); intros a A; [ apply D | apply C ]; unfold Rmin in A; destruct Rle_dec; lra.
Qed.
Theorem K230_powers s x y : 0 < x -> 0 < y ->
  is_RInt (fun a => Rpower a (s - 1)) x y (if Req_EM_T s 0 then ln y - ln x else (Rpower y s - Rpower x s) / s).
Proof.
intros X Y. destruct Req_EM_T as [->|N].
- apply (of_derivative ln); trivial; [ | intros; now apply power_continuous ]. intros a A.
  replace (Rpower a (0 - 1)) with (/ a); [ now apply is_derive_ln | ]. unfold Rpower. replace ((0 - 1) * ln a) with (- ln a) by ring. now rewrite exp_Ropp, exp_ln.
- replace ((Rpower y s - Rpower x s) / s) with (Rpower y s / s - Rpower x s / s) by (field; exact N).
  apply (of_derivative (fun a => Rpower a s / s)); trivial; [ | intros; now apply power_continuous ]. intros a A.
  apply is_derive_ext with (fun a => / s * Rpower a s); [ intros z; change (/ s * Rpower z s = Rpower z s / s); unfold Rdiv; ring | ].
  replace (Rpower a (s - 1)) with (/ s * (s * Rpower a (s - 1))) by (field; exact N). apply (is_derive_scal (fun a => Rpower a s)). now apply power_derive.
Qed.
(* Beyond A: the integral of a^(s - 1) for s < 0, up to any B; K230's rest is that of s = L - 1 and -L, K247's of s = L - 1 - k and -(L + k). *)
Theorem K247_beyond s A B : s < 0 -> 0 < A <= B -> RInt (fun a => Rpower a (s - 1)) A B <= Rpower A s / - s.
Proof.
intros S L. rewrite (is_RInt_unique _ _ _ _ (K230_powers s A B ltac:(lra) ltac:(lra))). destruct Req_EM_T as [E|N]; [ lra | ].
replace ((Rpower B s - Rpower A s) / s) with (Rpower A s / - s - Rpower B s / - s) by (field; exact N).
assert (0 < Rpower B s / - s) by (apply Rdiv_lt_0_compat; [ apply exp_pos | lra ]). lra.
Qed.
(* A tail below a power: s = d - p, w(r) = r^(d-1) f(r^2). *)
Theorem K291_height f r d p M : 0 < r -> 0 < f -> ln f + p * ln r <= M -> Rpower r (d - 1) * f <= exp M * Rpower r (d - p - 1).
Proof.
intros P F H. unfold Rpower. rewrite <- (exp_ln f F) at 1. rewrite <- !exp_plus.
destruct (Rle_lt_or_eq_dec _ _ H) as [L|E]; [ left; apply exp_increasing | right; f_equal ]; lra.
Qed.
Theorem K291_tail w M s A B : s < 0 -> 0 < A <= B -> ex_RInt w A B -> (forall r, A <= r <= B -> w r <= exp M * Rpower r (s - 1)) ->
  RInt w A B <= exp M * (Rpower A s / - s).
Proof.
intros N L E H. assert (I := K230_powers s A B ltac:(lra) ltac:(lra)). apply Rle_trans with (RInt (fun r => exp M * Rpower r (s - 1)) A B).
- apply RInt_le; [ lra | exact E | eexists; apply (is_RInt_scal (fun r => Rpower r (s - 1)) A B (exp M)); exact I | intros; apply H; lra ].
- replace (RInt (fun r => exp M * Rpower r (s - 1)) A B) with (exp M * RInt (fun r => Rpower r (s - 1)) A B).
  + apply Rmult_le_compat_l; [ left; apply exp_pos | now apply K247_beyond ].
  + symmetry. apply (RInt_scal (fun r => Rpower r (s - 1))). eexists; exact I.
Qed.

(* ---- the Renyi divergence from h: t^L as an integral of (t - a)+, t = p/q ---- *)
Theorem K230_identity L t : L <> 0 -> L <> 1 -> 0 < t ->
  Rpower t L = 1 + L * (t - 1) + L * (L - 1) * RInt (fun a => (t - a) * Rpower a (L - 2)) 1 t.
Proof.
intros L0 L1 T. set (F := fun a => t * Rpower a (L - 1) / (L - 1) - Rpower a L / L).
assert (I : is_RInt (fun a => (t - a) * Rpower a (L - 2)) 1 t (F t - F 1)).
{ apply of_derivative; [ lra | exact T | | ].
  - intros a A. unfold F. apply is_derive_ext with (fun a => t / (L - 1) * Rpower a (L - 1) - / L * Rpower a L).
    { intros x. change (t / (L - 1) * Rpower x (L - 1) - / L * Rpower x L = t * Rpower x (L - 1) / (L - 1) - Rpower x L / L). field. lra. }
    replace ((t - a) * Rpower a (L - 2)) with (t / (L - 1) * ((L - 1) * Rpower a (L - 1 - 1)) - / L * (L * Rpower a (L - 1))).
    + apply (is_derive_minus (fun a => t / (L - 1) * Rpower a (L - 1)) (fun a => / L * Rpower a L)).
      * apply (is_derive_scal (fun a => Rpower a (L - 1))). now apply power_derive.
      * apply (is_derive_scal (fun a => Rpower a L)). now apply power_derive.
    + replace (Rpower a (L - 1)) with (a * Rpower a (L - 2)) by (rewrite <- (Rpower_1 a A) at 1; rewrite <- Rpower_plus; f_equal; ring).
      replace (L - 1 - 1) with (L - 2) by ring. field. lra.
  - intros a A. apply (continuous_mult (fun a => t - a) (fun a => Rpower a (L - 2))); [ | now apply power_continuous ].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. trivial. }
rewrite (is_RInt_unique _ _ _ _ I). unfold F. assert (O : forall s, Rpower 1 s = 1) by (intros s; unfold Rpower; rewrite ln_1, Rmult_0_r; apply exp_0).
rewrite !O. replace (t * Rpower t (L - 1)) with (Rpower t L) by (rewrite <- (Rpower_1 t T) at 2; rewrite <- Rpower_plus; f_equal; ring). field. lra.
Qed.
(* For L = 1, the Kullback-Leibler divergence. *)
Theorem K230_identity_1 t : 0 < t -> t * ln t = (t - 1) + RInt (fun a => (t - a) * / a) 1 t.
Proof.
intros T. set (F := fun a => t * ln a - a).
assert (I : is_RInt (fun a => (t - a) * / a) 1 t (F t - F 1)).
{ apply of_derivative; [ lra | exact T | | ].
  - intros a A. unfold F. auto_derive; [ exact A | ]. field. lra.
  - intros a A. apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. lra. }
rewrite (is_RInt_unique _ _ _ _ I). unfold F. rewrite ln_1. ring.
Qed.
(* The part below 1, at 1/a: q (1/a - p/q)+ a^-L = a^(-L - 1) (q - a p)+. *)
Theorem K230_inverse p q a L : 0 < p -> 0 < q -> 0 < a -> q * Rmax (/ a - p / q) 0 * Rpower a (- L) = Rpower a (- L - 1) * Rmax (q - a * p) 0.
Proof.
intros P Q A. replace (Rpower a (- L - 1)) with (Rpower a (- L) * / a) by (rewrite <- (Rpower_1 a A) at 2; rewrite <- Rpower_Ropp, <- Rpower_plus; reflexivity).
replace (q * Rmax (/ a - p / q) 0) with (/ a * Rmax (q - a * p) 0); [ ring | ].
assert (Ia := Rinv_0_lt_compat a A). rewrite <- !RmaxRmult by lra. f_equal; field; lra.
Qed.
(* D_L rises with the integral. *)
Theorem K230_rises L I J : 0 < L -> L <> 1 -> I <= J -> 0 < 1 + L * (L - 1) * I -> 0 < 1 + L * (L - 1) * J ->
  ln (1 + L * (L - 1) * I) / (L - 1) <= ln (1 + L * (L - 1) * J) / (L - 1).
Proof.
intros P N H A B. destruct (Rlt_or_le 1 L) as [G|G].
- apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | ]. apply ln_le; [ exact A | ].
  apply Rplus_le_compat_l, Rmult_le_compat_l; [ apply Rmult_le_pos; lra | exact H ].
- replace (ln (1 + L * (L - 1) * I) / (L - 1)) with (- ln (1 + L * (L - 1) * I) / (1 - L)) by (field; lra).
  replace (ln (1 + L * (L - 1) * J) / (L - 1)) with (- ln (1 + L * (L - 1) * J) / (1 - L)) by (field; lra).
  apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | ]. apply Ropp_le_contravar, ln_le; [ exact B | ].
  assert (0 <= L * (1 - L) * (J - I)) by (apply Rmult_le_pos; [ apply Rmult_le_pos | ]; lra). lra.
Qed.

(* ---- the trade-off curve: on a line below h the bounds are monotone in a, so the largest is at an end ---- *)
Lemma affine_max p q u v a : u <= a <= v -> p + q * a <= Rmax (p + q * u) (p + q * v).
Proof.
intros A. generalize (Rmax_l (p + q * u) (p + q * v)) (Rmax_r (p + q * u) (p + q * v)). destruct (Rle_or_lt 0 q).
- assert (q * a <= q * v) by (apply Rmult_le_compat_l; lra). lra.
- assert (- q * u <= - q * a) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Theorem K231_on_a_line h c m x u v a : 0 < u -> u <= a <= v -> c + m * a <= h a ->
  1 - h a - a * x <= Rmax (1 - (c + m * u) - u * x) (1 - (c + m * v) - v * x) /\
  (1 - x - h a) / a <= Rmax ((1 - x - (c + m * u)) / u) ((1 - x - (c + m * v)) / v).
Proof.
intros U A H. split.
- assert (G := affine_max (1 - c) (- (m + x)) u v a A). replace (1 - c + - (m + x) * u) with (1 - (c + m * u) - u * x) in G by ring.
  replace (1 - c + - (m + x) * v) with (1 - (c + m * v) - v * x) in G by ring. lra.
- assert (V : / v <= / a <= / u) by (split; apply Rinv_le_contravar; lra). assert (G := affine_max (- m) (1 - x - c) (/ v) (/ u) (/ a) V).
  replace (- m + (1 - x - c) * / v) with ((1 - x - (c + m * v)) / v) in G by (field; lra).
  replace (- m + (1 - x - c) * / u) with ((1 - x - (c + m * u)) / u) in G by (field; lra). rewrite Rmax_comm in G.
  apply Rle_trans with (2 := G). unfold Rdiv. replace (- m + (1 - x - c) * / a) with ((1 - x - (c + m * a)) * / a) by (field; lra).
  apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | lra ].
Qed.
(* Beyond the last point, b, where h is at least the atom c. *)
Theorem K231_beyond h c x b a : 0 < b <= a -> 0 <= x -> c <= h a -> 1 - h a - a * x <= 1 - c - b * x /\ (1 - x - h a) / a <= Rmax 0 (/ b * (1 - c - x)).
Proof.
intros B X H. assert (b * x <= a * x) by (apply Rmult_le_compat_r; lra). split; [ lra | ].
assert (I : 0 < / a) by (apply Rinv_0_lt_compat; lra). assert (J : / a <= / b) by (apply Rinv_le_contravar; lra).
apply Rle_trans with ((1 - c - x) * / a); [ apply Rmult_le_compat_r; lra | ]. destruct (Rle_or_lt (1 - c - x) 0) as [N|P].
- apply Rle_trans with 0; [ | apply Rmax_l ]. assert (0 <= - (1 - c - x) * / a) by (apply Rmult_le_pos; lra). lra.
- apply Rle_trans with (2 := Rmax_r _ _). rewrite Rmult_comm. apply Rmult_le_compat_r; lra.
Qed.
(* The formula at 1/a, from h(1/a) = (a - 1 + h(a))/a. *)
Theorem K231_at_inverse (h : R -> R) x a : 0 < a -> h (/ a) = (a - 1 + h a) / a -> 1 - h (/ a) - / a * x = (1 - x - h a) / a.
Proof. intros A ->. field. lra. Qed.

(* ---- mu: h_mu(a) = Phi(mu/2 - log a/mu) - a Phi(-mu/2 - log a/mu), for any Phi with the slope c e^(-x^2/2) ---- *)
Section Gaussian.
Variables (Phi : R -> R) (c : R).
Definition bell (x : R) := c * exp (- (x ^ 2 / 2)).
Hypotheses (c0 : 0 < c) (Phi_derive : forall x, is_derive Phi x (bell x)).
Definition h_mu (mu a : R) := Phi (mu / 2 - ln a / mu) - a * Phi (- mu / 2 - ln a / mu).

Lemma Phi_rises x y : x <= y -> Phi x <= Phi y.
Proof. intros L. apply (rises Phi bell); trivial. intros z _. apply Rmult_le_pos; [ lra | left; apply exp_pos ]. Qed.
Lemma bells mu a : 0 < mu -> 0 < a -> bell (mu / 2 - ln a / mu) = a * bell (- mu / 2 - ln a / mu).
Proof.
intros M A. unfold bell. replace (a * (c * exp (- ((- mu / 2 - ln a / mu) ^ 2 / 2)))) with (c * (exp (ln a) * exp (- ((- mu / 2 - ln a / mu) ^ 2 / 2)))) by (rewrite exp_ln by exact A; ring).
rewrite <- exp_plus. do 2 f_equal. field. lra.
Qed.
Theorem K232_slope mu a : 0 < mu -> 0 < a -> is_derive (h_mu mu) a (- Phi (- mu / 2 - ln a / mu)).
Proof.
intros M A. unfold h_mu.
assert (D : forall s, is_derive (fun a => Phi (s - ln a / mu)) a (- / (a * mu) * bell (s - ln a / mu))).
{ intros s. apply (is_derive_comp Phi (fun a => s - ln a / mu)); [ apply Phi_derive | ]. auto_derive; [ exact A | ]. field. lra. }
replace (- Phi (- mu / 2 - ln a / mu)) with (- / (a * mu) * bell (mu / 2 - ln a / mu) - (1 * Phi (- mu / 2 - ln a / mu) + a * (- / (a * mu) * bell (- mu / 2 - ln a / mu))))
  by (rewrite (bells mu a M A); ring).
apply (is_derive_minus (fun a => Phi (mu / 2 - ln a / mu)) (fun a => a * Phi (- mu / 2 - ln a / mu))); [ apply D | ].
apply (is_derive_mult (fun a => a) (fun a => Phi (- mu / 2 - ln a / mu))); [ apply (@is_derive_id R_AbsRing) | apply D | intros; apply Rmult_comm ].
Qed.
(* So it lies above its tangents, *)
Theorem K232_tangent mu b a : 0 < mu -> 0 < b -> 0 < a -> h_mu mu b - Phi (- mu / 2 - ln b / mu) * (a - b) <= h_mu mu a.
Proof.
intros M B A. set (s := Phi (- mu / 2 - ln b / mu)).
assert (Fall : forall x y, 0 < x <= y -> Phi (- mu / 2 - ln y / mu) <= Phi (- mu / 2 - ln x / mu)).
{ intros x y X. apply Phi_rises. assert (ln x <= ln y) by (apply ln_le; lra).
  assert (ln x / mu <= ln y / mu) by (apply Rmult_le_compat_r; [ left; now apply Rinv_0_lt_compat | assumption ]). lra. }
assert (D : forall x, 0 < x -> is_derive (fun x => h_mu mu x + s * x) x (- Phi (- mu / 2 - ln x / mu) + s)).
{ intros x X. apply (is_derive_plus (h_mu mu) (fun x => s * x)); [ now apply K232_slope | auto_derive; [ trivial | ring ] ]. }
cut (h_mu mu b + s * b <= h_mu mu a + s * a); [ lra | ]. destruct (Rle_or_lt b a) as [L|L].
- apply (rises (fun x => h_mu mu x + s * x) (fun x => - Phi (- mu / 2 - ln x / mu) + s)); [ exact L | intros; apply D; lra | ].
  intros x X. generalize (Fall b x ltac:(lra)). unfold s. lra.
- cut (- (h_mu mu a + s * a) <= - (h_mu mu b + s * b)); [ lra | ].
  apply (rises (fun x => - (h_mu mu x + s * x)) (fun x => - (- Phi (- mu / 2 - ln x / mu) + s))); [ lra | | ].
  + intros x X. apply (is_derive_opp (fun x => h_mu mu x + s * x)). apply D. lra.
  + intros x X. generalize (Fall x b ltac:(lra)). unfold s. lra.
Qed.
(* so that a line which is at both ends below a tangent is below h_mu between them; *)
Theorem K232_large_enough h mu b u v lo hi a : 0 < mu -> 0 < b -> 0 < u -> u <= a <= v -> h a <= lo + hi * a ->
  (forall e, e = u \/ e = v -> lo + hi * e <= h_mu mu b - Phi (- mu / 2 - ln b / mu) * (e - b)) -> h a <= h_mu mu a.
Proof.
intros M B U A H E. apply Rle_trans with (1 := H). assert (T := K232_tangent mu b a M B ltac:(lra)). apply Rle_trans with (2 := T).
set (s := Phi (- mu / 2 - ln b / mu)) in *. assert (G := affine_max (lo - h_mu mu b - s * b) (hi + s) u v a A).
assert (P := E u (or_introl eq_refl)). assert (Q := E v (or_intror eq_refl)).
cut (Rmax (lo - h_mu mu b - s * b + (hi + s) * u) (lo - h_mu mu b - s * b + (hi + s) * v) <= 0); [ lra | apply Rmax_lub; lra ].
Qed.
(* it rises strictly with mu, so that one which is below h at some a excludes all smaller ones; *)
Theorem K232_rises mu nu a : 0 < mu < nu -> 0 < a -> h_mu mu a < h_mu nu a.
Proof.
intros M A. apply (rises_strictly (fun mu => h_mu mu a) (fun mu => bell (mu / 2 - ln a / mu))); [ lra | | ].
- intros m L. assert (P : 0 < m) by lra. unfold h_mu.
  replace (bell (m / 2 - ln a / m)) with ((1 / 2 + ln a / m ^ 2) * bell (m / 2 - ln a / m) - a * ((- 1 / 2 + ln a / m ^ 2) * bell (- m / 2 - ln a / m)))
    by (rewrite (bells m a P A); field; lra).
  apply (is_derive_minus (fun mu => Phi (mu / 2 - ln a / mu)) (fun mu => a * Phi (- mu / 2 - ln a / mu))).
  + apply (is_derive_comp Phi (fun mu => mu / 2 - ln a / mu)); [ apply Phi_derive | ]. auto_derive; [ lra | ]. field. lra.
  + apply (is_derive_scal (fun mu => Phi (- mu / 2 - ln a / mu))). apply (is_derive_comp Phi (fun mu => - mu / 2 - ln a / mu)); [ apply Phi_derive | ].
    auto_derive; [ lra | ]. field. lra.
- intros m L. apply Rmult_lt_0_compat; [ exact c0 | apply exp_pos ].
Qed.
(* and a comparison at all a >= 1 is one at all a > 0, for two profiles with the same equation at 1/a. *)
Theorem K232_inverse (h g : R -> R) a : 0 < a -> h (/ a) = (a - 1 + h a) / a -> g (/ a) = (a - 1 + g a) / a -> h a <= g a -> h (/ a) <= g (/ a).
Proof. intros A -> -> L. apply Rmult_le_compat_r; [ left; now apply Rinv_0_lt_compat | lra ]. Qed.

(* ---- the measures of a Gaussian: densities bell(x) and bell(x - m) ---- *)
(* p^L q^(1 - L) is e^(L (L - 1) m^2/2) times a density of the same kind, so D_L = L m^2/2. *)
Theorem K245_renyi m L x : Rpower (bell x) L * Rpower (bell (x - m)) (1 - L) = exp (L * (L - 1) * m ^ 2 / 2) * bell (x - (1 - L) * m).
Proof.
unfold bell, Rpower. rewrite !ln_mult, !ln_exp by (trivial; apply exp_pos). rewrite <- (exp_ln c c0) at 3.
rewrite <- exp_plus. rewrite (Rmult_comm (exp (L * (L - 1) * m ^ 2 / 2))), Rmult_assoc, <- !exp_plus. f_equal. field.
Qed.
(* Likelihood ratios rise along the shift, so that the best tests are half-lines. *)
Theorem K245_half_lines m x y : 0 < m -> x <= y -> bell (x - m) / bell x <= bell (y - m) / bell y.
Proof.
intros M L. assert (E : forall x, bell (x - m) / bell x = exp (m * x - m ^ 2 / 2)).
{ intros z. unfold bell. replace (c * exp (- ((z - m) ^ 2 / 2)) / (c * exp (- (z ^ 2 / 2)))) with (exp (- ((z - m) ^ 2 / 2)) * / exp (- (z ^ 2 / 2)))
    by (field; split; [ apply Rgt_not_eq, exp_pos | lra ]).
  rewrite <- exp_Ropp, <- exp_plus. f_equal. field. }
rewrite !E. assert (m * x <= m * y) by (apply Rmult_le_compat_l; lra).
destruct (Rle_lt_or_eq_dec (m * x - m ^ 2 / 2) (m * y - m ^ 2 / 2) ltac:(lra)) as [Q|Q]; [ left; now apply exp_increasing | rewrite Q; lra ].
Qed.
Theorem K245_error (T : R -> R) m x z : (forall x y, x <= y -> T y <= T x) -> (forall z, T (Phi (- z)) = Phi (z - m)) ->
  (x <= Phi (- z) -> Phi (z - m) <= T x) /\ (Phi (- z) <= x -> T x <= Phi (z - m)).
Proof. intros F E. rewrite <- E. split; apply F. Qed.
End Gaussian.

(* ---- rho: the supremum of D_L/L over L > 1, from psi(k) = k D_(k+1), which is convex with psi(0) = 0 ---- *)
Theorem K246_rises psi hi k n : convex psi 0 hi -> psi 0 = 0 -> 0 < k <= n -> n <= hi -> psi k / k <= psi n / n.
Proof.
intros C Z L H. destruct (Req_dec k n) as [->|N]; [ lra | ]. specialize (C 0 k n (Rle_refl _) ltac:(lra) ltac:(lra) H). rewrite Z in C.
apply Rmult_le_reg_r with (k * n); [ apply Rmult_lt_0_compat; lra | ]. replace (psi k / k * (k * n)) with (n * psi k) by (field; lra).
replace (psi n / n * (k * n)) with (k * psi n) by (field; lra). lra.
Qed.
Theorem K246_between D a b L Db : 0 < a -> a <= L <= b -> D L <= D b -> D b <= Db -> 0 <= Db -> D L / L <= Db / a.
Proof.
intros A B M U P. apply Rle_trans with (Db * / L); [ apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | lra ] | ].
apply Rmult_le_compat_l; [ exact P | apply Rinv_le_contravar; lra ].
Qed.
(* With upper bounds u and v of psi at two orders, D_L/L = psi(k)/(k (k + 1)) is at most (p + q k)/(k (k + 1)) between them; *)
Theorem K246_chord psi hi x u y v k : convex psi 0 hi -> 0 <= x -> x < y -> y <= hi -> psi x <= u -> psi y <= v -> 0 < k -> x <= k <= y ->
  let q := (v - u) / (y - x) in let p := u - q * x in psi k / (k * (k + 1)) <= (p + q * k) / (k * (k + 1)).
Proof.
intros C X L H U V K B q p. apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra | ].
assert (A := K230_above psi 0 hi x u y v k C X L H U V B). unfold line in A. unfold p, q.
replace (u - (v - u) / (y - x) * x + (v - u) / (y - x) * k) with (u + (v - u) * ((k - x) / (y - x))) by (field; lra). exact A.
Qed.
(* which for p < 0 < q rises up to the positive root of q k^2 + 2 p k + p, and falls beyond. *)
Definition share (p q k : R) := (p + q * k) / (k * (k + 1)).
Definition turn (p q : R) := (sqrt (p * p - p * q) - p) / q.
Lemma turn_root p q : p < 0 < q -> 0 < turn p q /\ q * turn p q ^ 2 + 2 * p * turn p q + p = 0.
Proof.
intros P. assert (D : 0 < p * p - p * q) by (assert (0 < - p * q) by (apply Rmult_lt_0_compat; lra); generalize (Rle_0_sqr p); unfold Rsqr; lra).
assert (S := sqrt_lt_R0 _ D). assert (Q : sqrt (p * p - p * q) * sqrt (p * p - p * q) = p * p - p * q) by (apply sqrt_sqrt; lra).
unfold turn. set (s := sqrt (p * p - p * q)) in *. split; [ apply Rdiv_lt_0_compat; lra | ].
replace (q * ((s - p) / q) ^ 2 + 2 * p * ((s - p) / q) + p) with ((s * s - p * p + p * q) / q) by (field; lra). rewrite Q. field. lra.
Qed.
(* (k - t) is a factor of q k^2 + 2 p k + p, with a positive other one. *)
Lemma share_slope p q k : 0 < k -> is_derive (share p q) k (- (q * k ^ 2 + 2 * p * k + p) / (k * (k + 1)) ^ 2).
Proof. intros K. unfold share. assert (0 < k * (k + 1)) by (apply Rmult_lt_0_compat; lra). auto_derive; [ lra | ]. field. lra. Qed.
Lemma share_sign p q k : p < 0 < q -> 0 < k -> exists c, 0 < c /\ q * k ^ 2 + 2 * p * k + p = c * (k - turn p q).
Proof.
intros P K. destruct (turn_root p q P) as [T E]. set (t := turn p q) in *.
exists (q * (k + t) + 2 * p). split.
- assert (F : t * (q * t + 2 * p) = - p) by lra. assert (G : 0 < q * t + 2 * p).
  { apply Rmult_lt_reg_l with (1 := T). rewrite F. lra. }
  assert (0 < q * k) by (apply Rmult_lt_0_compat; lra). lra.
- replace ((q * (k + t) + 2 * p) * (k - t)) with (q * k ^ 2 + 2 * p * k - (q * t ^ 2 + 2 * p * t)) by ring. lra.
Qed.
Theorem K246_turn p q k n : p < 0 < q -> 0 < k <= n ->
  (n <= turn p q -> share p q k <= share p q n) /\ (turn p q <= k -> share p q n <= share p q k).
Proof.
intros P K. split; intros T.
- apply (rises (share p q) (fun k => - (q * k ^ 2 + 2 * p * k + p) / (k * (k + 1)) ^ 2)); [ lra | intros; apply share_slope; lra | ].
  intros x X. destruct (share_sign p q x P ltac:(lra)) as [c [C E]]. rewrite E.
  apply Rmult_le_pos; [ | left; apply Rinv_0_lt_compat, pow_lt, Rmult_lt_0_compat; lra ]. assert (0 <= c * (turn p q - x)) by (apply Rmult_le_pos; lra). lra.
- cut (- share p q k <= - share p q n); [ lra | ].
  apply (rises (fun k => - share p q k) (fun k => - (- (q * k ^ 2 + 2 * p * k + p) / (k * (k + 1)) ^ 2))); [ lra | | ].
  + intros x X. apply (is_derive_opp (share p q)). apply share_slope. lra.
  + intros x X. destruct (share_sign p q x P ltac:(lra)) as [c [C E]]. rewrite E.
    replace (- (- (c * (x - turn p q)) / (x * (x + 1)) ^ 2)) with (c * (x - turn p q) * / (x * (x + 1)) ^ 2) by (field; split; lra).
    apply Rmult_le_pos; [ apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat, pow_lt, Rmult_lt_0_compat; lra ].
Qed.

(* ---- losses without a bound: D_L/L from (k a + (k c)^2/(4 t) + m)/k, for this and all larger orders ---- *)
Theorem K249_share a c t m k n D : 0 <= a -> 0 < t -> 0 <= m -> 0 < k <= n -> D <= (n * a + (n * c) ^ 2 / (4 * t) + m) / n ->
  D / (n + 1) <= a / (k + 1) + c ^ 2 / (4 * t) + m / (k * (k + 1)).
Proof.
intros A T M K H. assert (I : / (n + 1) <= / (k + 1)) by (apply Rinv_le_contravar; lra).
assert (J : / (n * (n + 1)) <= / (k * (k + 1))) by (apply Rinv_le_contravar; [ apply Rmult_lt_0_compat; lra | apply Rmult_le_compat; lra ]).
apply Rle_trans with ((n * a + (n * c) ^ 2 / (4 * t) + m) / n * / (n + 1)); [ apply Rmult_le_compat_r; [ left; apply Rinv_0_lt_compat; lra | exact H ] | ].
replace ((n * a + (n * c) ^ 2 / (4 * t) + m) / n * / (n + 1)) with (a * / (n + 1) + c ^ 2 / (4 * t) * (n * / (n + 1)) + m * / (n * (n + 1))) by (field; lra).
assert (a * / (n + 1) <= a * / (k + 1)) by (apply Rmult_le_compat_l; lra). assert (m * / (n * (n + 1)) <= m * / (k * (k + 1))) by (apply Rmult_le_compat_l; lra).
assert (N : n * / (n + 1) <= 1) by (apply Rmult_le_reg_r with (n + 1); [ lra | rewrite Rmult_assoc, Rinv_l; lra ]).
assert (S : 0 <= c ^ 2 / (4 * t)) by (apply Rmult_le_pos; [ apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra ]).
assert (c ^ 2 / (4 * t) * (n * / (n + 1)) <= c ^ 2 / (4 * t) * 1) by (apply Rmult_le_compat_l; lra). unfold Rdiv in *. lra.
Qed.
