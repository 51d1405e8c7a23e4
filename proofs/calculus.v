(* What the rules' proofs share: a function that a derivative bounds.

   A theorem whose name begins with a rule's number states that rule's lemma, or a part of it: the page "The rules" says which. *)
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
