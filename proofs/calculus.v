(* What the rules' proofs share: a function that a derivative bounds, and difference quotients.

   A theorem whose name begins with a rule's number states a lemma of that rule, as the page "The rules" has it. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Lemma rises f df a b : a <= b -> (forall x, a <= x <= b -> is_derive f x (df x)) -> (forall x, a <= x <= b -> 0 <= df x) -> f a <= f b.
Proof.
intros L D P. destruct (MVT_gen f a b df) as [c [C E]].
- intros x. rewrite Rmin_left, Rmax_right by exact L. intros X. apply D. lra.
- intros x. rewrite Rmin_left, Rmax_right by exact L. intros X. apply derivable_continuous_pt. exists (df x). apply is_derive_Reals. now apply D.
- rewrite Rmin_left, Rmax_right in C by exact L. assert (0 <= df c * (b - a)) by (apply Rmult_le_pos; [ now apply P | lra ]). lra.
Qed.
Lemma rises_strictly f df a b : a < b -> (forall x, a <= x <= b -> is_derive f x (df x)) -> (forall x, a < x < b -> 0 < df x) -> f a < f b.
Proof.
intros L D P. destruct (MVT_cor2 f df a b L) as [c [E C]]; [ intros x X; apply is_derive_Reals; now apply D | ].
assert (0 < df c * (b - a)) by (apply Rmult_lt_0_compat; [ now apply P | lra ]). lra.
Qed.

(* f takes on only such slopes between any two points of (a, b): what the kernel calls its slopes on a box. *)
Definition slopes (f : R -> R) (a b : R) (D : R -> Prop) :=
  forall x y, a < x < b -> a < y < b -> exists s, D s /\ f y - f x = s * (y - x).

(* The mean value theorem: where f' is enclosed. *)
Lemma slopes_derive f df a b D : (exists s, D s) -> (forall x, a < x < b -> is_derive f x (df x) /\ D (df x)) -> slopes f a b D.
Proof.
intros [s0 S0] H x y X Y. destruct (Req_dec x y) as [<-|N].
{ exists s0. split; [ exact S0 | ring ]. }
destruct (MVT_gen f x y df) as [c [C E]].
- intros z Z. apply H. unfold Rmin, Rmax in Z. destruct Rle_dec; lra.
- intros z Z. assert (Z' : a < z < b) by (unfold Rmin, Rmax in Z; destruct Rle_dec; lra).
  apply derivable_continuous_pt. exists (df z). apply is_derive_Reals. now apply H.
- exists (df c). split; [ apply H; unfold Rmin, Rmax in C; destruct Rle_dec; lra | exact E ].
Qed.
