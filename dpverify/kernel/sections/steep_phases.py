"""Slopes of g in a tail that oscillates, by cells of phases."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from .charts import Problem
from .falling import may_jump
from .hypotheses import Proof
from .lipschitz import BY_CELLS, within
from .waves import TINY, Phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STEEPER = "the slopes of log f are not shown so small on a cell of phases"


@rule("K350")
def steep_on_phases(proof: Proof, p: Problem, given: Any, most: Fraction) -> None:
    """|g(s) - g(t)| <= c |s - t| for s, t >= R, by cells of phases.

    Lemma.  Let every difference quotient of log f lie between -c and c at the radii beyond R of
    each cell of a cover of one period of phases and, where f may jump, at those of a small cell
    around each phase where two cells meet.  Then log f has on [R, oo) no steeper difference
    quotient.
    """
    tail = proof.tail
    require(isinstance(tail, Phases), "cells of phases are named, but no frequency", "steps")
    assert isinstance(tail, Phases)
    for germ in tail.cover("supremum.phases", given):
        require(within(p.far(germ).du.span(), most), STEEPER)
        if may_jump(p.tree):
            x = germ.phase.low
            require(within(p.far(tail.germ(x - TINY, x + TINY)).du.span(), most), STEEPER)


BY_CELLS["phases"] = steep_on_phases
