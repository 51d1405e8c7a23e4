"""Up to where losses are taken apart: g ahead and g here, each by itself, where increments are no good."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import Node, walk
from dpverify.prover.monotone import positive
from dpverify.prover.problem import Problem

LONG, WIDER, REACHES, FAR_OUT = 8, 8, 64, 1024
"""From what delta on losses may be taken apart, how much wider increments have to be, and how far out, in deltas."""


def apart_up_to(problem: Problem) -> Fraction | None:
    """A multiple of delta, where that is long and increments are no good on boxes below; a far radius, where f has a
    root of what may be 0, which has no increments there; else None."""
    if problem.series is not None:
        return None
    if any(_root_of_zero(part) for part in walk(problem.node)):
        return max(problem.delta, Fraction(FAR_OUT)) * REACHES
    if problem.delta < LONG:
        return None
    other = replace(problem, apart=problem.delta * REACHES)
    for a in (Fraction(1, 2**10), Fraction(1), problem.delta / 2):
        box, h = (a, a + a / 16), problem.delta
        try:
            width = other.loss(*box, h).rad()
        except Undecided:
            continue
        try:
            own = problem.loss(*box, h).rad()
        except Undecided:
            return problem.delta * REACHES
        if width.is_finite() and not own <= WIDER * (width + arb(2) ** (-40)):
            return problem.delta * REACHES
    return None


def _root_of_zero(node: Node) -> bool:
    """Whether it is a root of a maximum that may be 0."""
    return node.kind == "pow" and node.args[1].q > 1 and node.args[0].kind == "max" and not positive(node.args[0])
