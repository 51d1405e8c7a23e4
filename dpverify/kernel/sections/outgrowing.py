"""The loss that outgrows every bound, whatever the free phases of waves are."""

from __future__ import annotations

from ..rules import require, rule
from .hypotheses import REFUTED, Proof
from .models import CONSTANT
from .refutations import tail_ratio_unbounded
from .torus import Torus


@rule("K284")
def grows_for_all_phases(proof: Proof) -> None:
    """The tail ratio grows without bound at every point of the torus of free phases.

    Lemma.  On each cell of a cover of the torus the leading term of the model of phi_delta grows
    with a positive coefficient.
    """
    for germ in proof.tail.cells:
        lead, c = proof.problem.far_loss(germ).leading()
        grows = lead > CONSTANT and c.lo > 0
        require(grows, "the tail ratio is not shown unbounded for all phases")


def by_tail(proof: Proof) -> None:
    free = isinstance(proof.tail, Torus)
    (grows_for_all_phases if free else tail_ratio_unbounded)(proof)


REFUTED["tail_ratio_bounded"] = by_tail
