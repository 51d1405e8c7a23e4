(* Rules that bound the loss on a box: of a mixture of Gaussians (K205 to K208, K213, K216), and where it is concave (K34); and
   what tends to 0 faster than a power (K15), or has a pole of order below 1 (K95). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Dpverify Require Import calculus.
Open Scope R_scope.

(* ---- Taylor's theorem, from above ---- *)
Lemma second_order phi d1 d2 M a b c r : (forall x, a <= x <= b -> is_derive phi x (d1 x)) -> (forall x, a <= x <= b -> is_derive d1 x (d2 x)) ->
  (forall x, a <= x <= b -> d2 x <= M) -> a <= c <= b -> a <= r <= b -> phi r <= phi c + d1 c * (r - c) + M * (r - c) ^ 2 / 2.
Proof.
intros D1 D2 B C X. set (E := fun x => d1 c + M * (x - c) - d1 x). set (T := fun x => phi c + d1 c * (x - c) + M * (x - c) ^ 2 / 2 - phi x).
assert (DE : forall x, a <= x <= b -> is_derive E x (M - d2 x)).
{ intros x Hx. apply (is_derive_minus (fun x => d1 c + M * (x - c)) d1); [ auto_derive; [ trivial | ring ] | now apply D2 ]. }
assert (DT : forall x, a <= x <= b -> is_derive T x (E x)).
{ intros x Hx. apply (is_derive_minus (fun x => phi c + d1 c * (x - c) + M * (x - c) ^ 2 / 2) phi); [ auto_derive; [ trivial | field ] | now apply D1 ]. }
assert (Rise : forall x y, a <= x -> x <= y -> y <= b -> E x <= E y) by (intros x y Hx Hxy Hy; apply (rises E (fun x => M - d2 x)); trivial; intros z Z; [ apply DE; lra | specialize (B z ltac:(lra)); lra ]).
assert (E0 : E c = 0) by (unfold E; ring). assert (T0 : T c = 0) by (unfold T; field).
cut (0 <= T r); [ unfold T; lra | ]. destruct (Rle_dec c r) as [L|L].
- rewrite <- T0. apply (rises T E); trivial; intros z Z; [ apply DT; lra | rewrite <- E0; apply Rise; lra ].
- cut (- T r <= - T c); [ lra | ]. apply (rises (fun x => - T x) (fun x => - E x)); [ lra | | ]; intros z Z.
  + apply (is_derive_opp T), DT. lra.
  + assert (E z <= E c) by (apply Rise; lra). lra.
Qed.
Theorem K34_concave phi d1 d2 m a b c r : 0 < m -> (forall x, a <= x <= b -> is_derive phi x (d1 x)) -> (forall x, a <= x <= b -> is_derive d1 x (d2 x)) ->
  (forall x, a <= x <= b -> d2 x <= - m) -> a <= c <= b -> a <= r <= b ->
  phi r <= phi c + d1 c * (r - c) - m * (r - c) ^ 2 / 2 /\ phi c + d1 c * (r - c) - m * (r - c) ^ 2 / 2 <= phi c + d1 c ^ 2 / (2 * m).
Proof.
intros M D1 D2 B C X. split; [ generalize (second_order phi d1 d2 (- m) a b c r D1 D2 B C X); lra | ].
replace (d1 c ^ 2 / (2 * m)) with (d1 c * (r - c) - m * (r - c) ^ 2 / 2 + (d1 c - m * (r - c)) ^ 2 / (2 * m)) by (field; lra).
assert (0 <= (d1 c - m * (r - c)) ^ 2 / (2 * m)) by (apply Rmult_le_pos; [ apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra ]). lra.
Qed.
Theorem K216_middle phi d1 d2 M h c r : (forall x, c - h <= x <= c + h -> is_derive phi x (d1 x)) -> (forall x, c - h <= x <= c + h -> is_derive d1 x (d2 x)) ->
  (forall x, c - h <= x <= c + h -> d2 x <= M) -> c - h <= r <= c + h -> phi r <= phi c + Rabs (d1 c) * h + Rmax 0 M * h ^ 2 / 2.
Proof.
intros D1 D2 B X. assert (T := second_order phi d1 d2 M (c - h) (c + h) c r D1 D2 B ltac:(lra) X). assert (A : Rabs (r - c) <= h) by (apply Rabs_le; lra).
assert (d1 c * (r - c) <= Rabs (d1 c) * h). { apply Rle_trans with (1 := Rle_abs _). rewrite Rabs_mult. apply Rmult_le_compat_l; [ apply Rabs_pos | exact A ]. }
assert (Q : (r - c) ^ 2 <= h ^ 2) by (rewrite <- (pow2_abs (r - c)); apply pow_incr; split; [ apply Rabs_pos | exact A ]).
assert (M * (r - c) ^ 2 <= Rmax 0 M * h ^ 2).
{ apply Rle_trans with (Rmax 0 M * (r - c) ^ 2); [ apply Rmult_le_compat_r; [ apply pow2_ge_0 | apply Rmax_r ] | apply Rmult_le_compat_l; [ apply Rmax_l | exact Q ] ]. }
lra.
Qed.

(* ---- a mixture of Gaussians: g' = s m(s), m falls and is positive; F = E[V^-4] falls and is at least m^2 ---- *)
Theorem K205_rises g m a b r delta : 0 <= delta -> 0 <= a -> (forall s, a <= s <= b + delta -> is_derive g s (s * m s)) -> (forall s, a <= s -> 0 <= m s) -> a <= r <= b ->
  g (r + delta) - g r <= g (b + delta) - g a.
Proof.
intros D A G M X. assert (R : forall x y, a <= x -> x <= y -> y <= b + delta -> g x <= g y).
{ intros x y Hx Hxy Hy. apply (rises g (fun s => s * m s)); trivial; intros z Z; [ apply G; lra | apply Rmult_le_pos; [ lra | apply M; lra ] ]. }
assert (g (r + delta) <= g (b + delta)) by (apply R; lra). assert (g a <= g r) by (apply R; lra). lra.
Qed.
Theorem K206_slope m a b r delta : 0 <= a -> 0 <= delta -> (forall s t, a <= s <= t -> m t <= m s) -> (forall s, a <= s -> 0 <= m s) -> a <= r <= b ->
  (a + delta) * m (b + delta) - b * m a <= (r + delta) * m (r + delta) - r * m r <= (b + delta) * m (a + delta) - a * m b.
Proof.
intros A D M P X. assert (K : forall s t u v, 0 <= s <= t -> 0 <= u <= v -> s * u <= t * v) by (intros; apply Rmult_le_compat; lra).
assert (a * m b <= r * m r) by (apply K; [ lra | split; [ apply P; lra | apply M; lra ] ]). assert (r * m r <= b * m a) by (apply K; [ lra | split; [ apply P; lra | apply M; lra ] ]).
assert ((a + delta) * m (b + delta) <= (r + delta) * m (r + delta)) by (apply K; [ lra | split; [ apply P; lra | apply M; lra ] ]).
assert ((r + delta) * m (r + delta) <= (b + delta) * m (a + delta)) by (apply K; [ lra | split; [ apply P; lra | apply M; lra ] ]). lra.
Qed.
Theorem K207_value g1 m F r delta : 0 < delta -> (forall s, r <= s <= r + delta -> is_derive g1 s (m s - s ^ 2 * (F s - m s ^ 2))) ->
  exists s, r <= s <= r + delta /\ g1 (r + delta) - g1 r = delta * (m s - s ^ 2 * (F s - m s ^ 2)).
Proof.
intros D G. destruct (MVT_cor2 g1 (fun s => m s - s ^ 2 * (F s - m s ^ 2)) r (r + delta)) as [s [E S]]; [ lra | intros s S; apply is_derive_Reals; now apply G | ].
exists s. split; [ lra | rewrite E; ring ].
Qed.
Theorem K207_bounds m F a e s : 0 <= a -> (forall x y, a <= x <= y -> m y <= m x) -> (forall x y, a <= x <= y -> F y <= F x) -> (forall x, a <= x -> 0 <= m x) -> (forall x, a <= x -> m x ^ 2 <= F x) ->
  a <= s <= e -> Rmax 0 (F e - m a ^ 2) <= F s - m s ^ 2 <= F a - m e ^ 2 /\ m e <= m s <= m a /\ a ^ 2 <= s ^ 2 <= e ^ 2.
Proof.
intros A M FF P V S. assert (M1 := M a s ltac:(lra)). assert (M2 := M s e ltac:(lra)). assert (F1 := FF a s ltac:(lra)). assert (F2 := FF s e ltac:(lra)).
assert (P1 := P s ltac:(lra)). assert (P2 := P e ltac:(lra)). assert (V1 := V s ltac:(lra)).
assert (m s ^ 2 <= m a ^ 2) by (apply pow_incr; lra). assert (m e ^ 2 <= m s ^ 2) by (apply pow_incr; lra).
split; [ split; [ apply Rmax_lub; lra | lra ] | split; [ lra | split; apply pow_incr; lra ] ].
Qed.
Theorem K208_lines phi a b r M L : (forall x y, a <= x <= y -> y <= b -> L * (y - x) <= phi y - phi x <= M * (y - x)) -> a <= r <= b ->
  phi r <= phi a + M * (r - a) /\ phi r <= phi b - L * (b - r) /\
  (L < 0 < M -> phi r <= (phi b * M - phi a * L - M * L * (b - a)) / (M - L)) /\ (M <= 0 -> phi r <= phi a) /\ (0 <= L -> phi r <= phi b).
Proof.
intros S X. assert (A := S a r ltac:(lra) ltac:(lra)). assert (B := S r b ltac:(lra) ltac:(lra)).
split; [ lra | split; [ lra | split; [ | split ] ] ].
- intros H. apply Rmult_le_reg_r with (M - L); [ lra | ]. replace ((phi b * M - phi a * L - M * L * (b - a)) / (M - L) * (M - L)) with (phi b * M - phi a * L - M * L * (b - a)) by (field; lra).
  assert (P : - L * phi r <= - L * (phi a + M * (r - a))) by (apply Rmult_le_compat_l; lra). assert (Q : M * phi r <= M * (phi b - L * (b - r))) by (apply Rmult_le_compat_l; lra). lra.
- intros H. assert (M * (r - a) <= 0 * (r - a)) by (apply Rmult_le_compat_r; lra). lra.
- intros H. assert (0 * (b - r) <= L * (b - r)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
(* What a tail as a Gaussian's leaves: the exponent in s and v, and how far g rises in n steps. *)
Theorem K213_exponent s v k : 0 < s -> 0 < v -> 0 <= k -> s * sqrt (2 * k) <= s ^ 2 / (2 * v ^ 2) + k * v ^ 2.
Proof.
intros S V K. set (q := sqrt (2 * k)). assert (Q : q * q = 2 * k) by (apply sqrt_sqrt; lra). assert (H := pow2_ge_0 (s / v - q * v)).
replace (k * v ^ 2) with (q * q * v ^ 2 / 2) by (rewrite Q; field). replace (s ^ 2 / (2 * v ^ 2) + q * q * v ^ 2 / 2) with (s * q + (s / v - q * v) ^ 2 / 2) by (field; lra). lra.
Qed.
Theorem K213_supremum g delta K most : 0 < delta -> 0 < K -> (forall k, k < sqrt (2 * K) -> exists s0, forall s, s0 < s -> k * s <= g s) ->
  (forall r, 0 <= r -> g (r + delta) - g r <= most) -> delta * sqrt (2 * K) <= most.
Proof.
intros D HK Low Step. apply Rnot_lt_le. intros N. set (k := (most / delta + sqrt (2 * K)) / 2).
assert (K1 : most / delta < sqrt (2 * K)).
{ apply Rmult_lt_reg_r with delta; [ exact D | ]. replace (most / delta * delta) with most by (field; lra). lra. }
destruct (Low k) as [s0 H]; [ unfold k; lra | ]. assert (G : forall n, g (INR n * delta) <= g 0 + INR n * most).
{ induction n as [|n IH]; [ simpl; rewrite !Rmult_0_l; lra | ]. rewrite S_INR. replace ((INR n + 1) * delta) with (INR n * delta + delta) by ring.
  assert (Z := Step (INR n * delta) ltac:(apply Rmult_le_pos; [ apply pos_INR | lra ])). lra. }
assert (E : 0 < k * delta - most).
{ unfold k. replace most with (most / delta * delta) at 2 by (field; lra). replace ((most / delta + sqrt (2 * K)) / 2 * delta - most / delta * delta) with ((sqrt (2 * K) - most / delta) * (delta / 2)) by (field; lra).
  apply Rmult_lt_0_compat; lra. }
assert (B : forall x, exists n, x < INR n).
{ intros x. exists (Z.to_nat (up x)). rewrite INR_IZR_INZ. apply Rlt_le_trans with (IZR (up x)); [ apply archimed | apply IZR_le; lia ]. }
destruct (B (Rmax (s0 / delta) (g 0 / (k * delta - most)))) as [n Hn]. assert (A1 := Rmax_l (s0 / delta) (g 0 / (k * delta - most))). assert (A2 := Rmax_r (s0 / delta) (g 0 / (k * delta - most))).
assert (S0 : s0 < INR n * delta). { apply Rmult_lt_reg_r with (/ delta); [ now apply Rinv_0_lt_compat | ]. replace (INR n * delta * / delta) with (INR n) by (field; lra). unfold Rdiv in A1. lra. }
specialize (H _ S0). specialize (G n). assert (W : g 0 < INR n * (k * delta - most)).
{ apply Rmult_lt_reg_r with (/ (k * delta - most)); [ now apply Rinv_0_lt_compat | ]. replace (INR n * (k * delta - most) * / (k * delta - most)) with (INR n) by (field; lra). unfold Rdiv in A2. lra. }
lra.
Qed.

(* ---- what vanishes exponentially ---- *)
Theorem K15_power u m l c n (R0 t : R) : 0 <= n -> 0 < m R0 -> m R0 <= m t -> l t <= m t * (l R0 / m R0) -> n * (l R0 / m R0) <= c -> u <= - c * m t ->
  u + n * l t <= n * l R0 - c * m R0 /\ exp u <= exp (n * l R0 - c * m R0) * exp (- (n * l t)).
Proof.
intros N P M L C U. set (q := l R0 / m R0) in *. assert (A : n * l t <= n * (m t * q)) by (apply Rmult_le_compat_l; lra).
assert (B : m t * (n * q - c) <= m R0 * (n * q - c)).
{ cut (m R0 * (c - n * q) <= m t * (c - n * q)); [ lra | ]. apply Rmult_le_compat_r; lra. }
assert (E : m R0 * q = l R0) by (unfold q; field; lra). assert (G : u + n * l t <= n * l R0 - c * m R0) by (rewrite <- E; lra). split; [ exact G | ].
rewrite <- exp_plus. destruct (Rle_lt_or_eq_dec _ _ G) as [H|H]; [ left; apply exp_increasing; lra | right; f_equal; lra ].
Qed.
(* ---- a pole of order below 1, where g > 0 on (u, b) has the slope dg >= m ---- *)
Lemma scaled (f : R -> R) a b k (l : R) : is_RInt f a b l -> is_RInt (fun x => k * f x) a b (k * l).
Proof. exact (is_RInt_scal (V := R_NormedModule) f a b k l). Qed.
Theorem K95_integral g dg p m h most u b : -1 < p < 0 -> 0 < m -> u <= b -> (forall x, u <= x <= b -> is_derive g x (dg x)) -> (forall x, u <= x <= b -> continuous dg x) ->
  (forall x, u <= x <= b -> 0 < g x /\ m <= dg x /\ 0 <= h x <= most) -> ex_RInt (fun x => Rpower (g x) p * h x) u b ->
  RInt (fun x => Rpower (g x) p * h x) u b <= most / m * (Rpower (g b) (p + 1) / (p + 1)).
Proof.
intros P M L D C B E. assert (I : is_RInt (fun x => Rpower (g x) p * dg x) u b (Rpower (g b) (p + 1) / (p + 1) - Rpower (g u) (p + 1) / (p + 1))).
{ change (Rpower (g b) (p + 1) / (p + 1) - Rpower (g u) (p + 1) / (p + 1)) with (minus (Rpower (g b) (p + 1) / (p + 1)) (Rpower (g u) (p + 1) / (p + 1))).
  apply (is_RInt_derive (fun x => Rpower (g x) (p + 1) / (p + 1))); intros x; rewrite Rmin_left, Rmax_right by exact L; intros X; destruct (B x X) as [G _].
  - replace (Rpower (g x) p * dg x) with (scal (dg x) (Rpower (g x) p)) by (unfold scal; simpl; unfold mult; simpl; ring).
    apply (is_derive_comp (fun y => Rpower y (p + 1) / (p + 1)) g); [ | now apply D ].
    unfold Rpower. auto_derive; [ exact G | ]. replace ((p + 1) * ln (g x)) with (p * ln (g x) + ln (g x)) by ring. rewrite exp_plus, exp_ln by exact G. field. split; lra.
  - apply (continuous_mult (fun x => Rpower (g x) p) dg); [ | now apply C ]. apply (continuous_comp g (fun y => Rpower y p)).
    + apply (ex_derive_continuous g). exists (dg x). now apply D.
    + apply (ex_derive_continuous (fun y => Rpower y p)). unfold Rpower. auto_derive. exact G. }
destruct (Rle_dec 0 most) as [M0|M0]; [ | destruct (B u ltac:(lra)) as [_ [_ Q]]; lra ].
assert (K : 0 <= most / m) by (apply Rmult_le_pos; [ exact M0 | left; now apply Rinv_0_lt_compat ]).
assert (J := scaled _ u b (most / m) _ I).
apply Rle_trans with (most / m * (Rpower (g b) (p + 1) / (p + 1) - Rpower (g u) (p + 1) / (p + 1))).
- rewrite <- (is_RInt_unique _ _ _ _ J). apply RInt_le; [ exact L | exact E | eexists; exact J | ]. intros x X. destruct (B x ltac:(lra)) as [G [S Q]].
  assert (W : 0 < Rpower (g x) p) by apply exp_pos.
  replace (most / m * (Rpower (g x) p * dg x)) with (Rpower (g x) p * (most / m * dg x)) by ring. apply Rmult_le_compat_l; [ lra | ].
  apply Rle_trans with (most / m * m); [ replace (most / m * m) with most by (field; lra); lra | now apply Rmult_le_compat_l ].
- apply Rmult_le_compat_l; [ exact K | ]. assert (0 < Rpower (g u) (p + 1) / (p + 1)) by (apply Rdiv_lt_0_compat; [ apply exp_pos | lra ]). lra.
Qed.
