"""An integral that diverges on radii that come again with every period of a wave."""

from __future__ import annotations

from ..rules import require, rule
from .ends import integral
from .fields import points
from .hypotheses import Proof
from .refutations import DIVERGING
from .waves import Phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K363")
def diverges_on_phases(proof: Proof, step: Any) -> None:
    """The integral of r^(d-1) |f(r^2)| is infinite over the radii of one open cell of phases.

    Lemma.  On the cell f > 0, and the model of log f there says of an integral over all of [R, oo)
    that it diverges (K23).
    """
    pair = points(step, "integrable.phase")
    require(len(pair) == 2 and pair[0] < pair[1], "integrable names no cell of phases", "format")
    require(isinstance(proof.tail, Phases), "the proof has no phases", "steps")
    assert isinstance(proof.tail, Phases)
    log = proof.problem.far(proof.tail.germ(*pair)).u
    infinite = integral(log, proof.problem.dimension) == -1
    require(infinite, "f(x'x) is not shown to have an infinite integral on a cell of phases")


DIVERGING["phase"] = diverges_on_phases
