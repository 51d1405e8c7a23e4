"""Slopes of g in a tail where phases run free, by cells of their torus."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from .charts import Problem
from .falling import may_jump
from .hypotheses import Proof
from .lipschitz import BY_CELLS, within
from .torus import Torus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K351")
def steep_on_torus(proof: Proof, p: Problem, given: Any, most: Fraction) -> None:
    """|g(s) - g(t)| <= c |s - t| for s, t >= R, by cells of a torus of phases.

    Lemma.  Let f be without cases, floors and poles by its form, and its free waves on lines alone.
    If on each cell of the torus every difference quotient of log f, phases running as r does, lies
    between -c and c at the radii beyond R, then log f has on [R, oo) no steeper one.
    """
    tail = proof.tail
    require(isinstance(tail, Torus), "cells of a torus are named, but no phases", "steps")
    assert isinstance(tail, Torus)
    require(p is proof.problem, "on a torus the slopes of f itself are bounded", "steps")
    require(not tail.chirps, "slopes are bounded on a torus without chirps alone", "steps")
    require(not may_jump(p.tree), "f may jump where phases run free")
    ends = [*tail.axes(), (p.delta, p.delta)]
    for letter, box in tail.leaves("supremum.tree", given, ends):
        require(letter == ".", "a cell of slopes has a letter of its own", "steps")
        slopes = p.far(tail.germ(box)).du.span()
        require(within(slopes, most), "the slopes of log f are not shown so small on a torus")


BY_CELLS["tree"] = steep_on_torus
