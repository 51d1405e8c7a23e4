"""Up to where losses are taken apart: g ahead and g here, each by itself, where increments are no good."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import Node, kinds, walk
from dpverify.prover.breaks import breaks
from dpverify.prover.cover import Box
from dpverify.prover.monotone import positive
from dpverify.prover.problem import Problem

LONG, WIDER, REACHES, FAR_OUT = 8, 8, 64, 1024
"""From what delta on losses may be taken apart, how much wider increments have to be, and how far out, in deltas."""
SOUGHT = (Fraction(1, 2**10), Fraction(2**20))
PARTS, MOST = (2, 64), 16
"""Between which radii ends of parts are looked for, at which parts of a shift before them, and how many."""
HOPELESS, NEAR = 2**10, (0, 1, 2, 3)
"""The same of a delta that is not long, and up to which parts of it, in halvings."""


def apart_up_to(problem: Problem) -> Fraction | None:
    """A multiple of delta, where that is long, or a part of it, where increments are no good on boxes below; a far
    radius, where f has a root of what may be 0, which has no increments there; else None."""
    if problem.series is not None:
        return None
    if any(_root_of_zero(part) for part in walk(problem.node)):
        return max(problem.delta, Fraction(FAR_OUT)) * REACHES
    gone = _gone_beyond(problem)
    if gone is not None and problem.delta * REACHES >= gone:
        return gone
    if problem.delta < LONG:
        near = next((upto for k in NEAR if _hopeless(problem, upto := problem.delta / 2**k)), None)
        return near and _further(problem, near)
    reach = problem.delta * REACHES
    places = (Fraction(1, 2**10), Fraction(1), problem.delta / 2)
    return reach if any(_no_good(problem, a + a / 16, reach, WIDER) for a in places) else None


def _gone_beyond(problem: Problem) -> Fraction | None:
    """The last radius at which a part of f ends, from a little before which on increments are no good: ahead of a shift
    nothing of that part is left, and it does not cancel."""
    ends = list[Fraction]()
    if "floor" in kinds(problem.node) or kinds(problem.node).isdisjoint({"max", "piece"}):
        return None
    for b in breaks(problem.node, *SOUGHT)[:MOST]:
        places = [min(problem.delta, b) / part for part in PARTS]
        if any(_no_good_on(problem, (b - h, b - h * 15 / 16), b, WIDER) for h in places):
            ends.append(b)
    return max(ends, default=None)


def _further(problem: Problem, upto: Fraction) -> Fraction:
    """The same radius, or one farther out up to which increments are still much wider."""
    while upto < problem.delta * FAR_OUT * REACHES and _no_good(problem, upto * 2, upto * 2, WIDER):
        upto *= 2
    return upto


def _hopeless(problem: Problem, upto: Fraction) -> bool:
    """Whether increments are no good on boxes from near the centre on: not in a valley alone."""
    return all(_no_good(problem, b, upto, HOPELESS) for b in (upto, upto / LONG))


def _no_good(problem: Problem, b: Fraction, upto: Fraction, wider: int) -> bool:
    """Whether the increment on a box that ends at b is so many times wider than the loss taken apart."""
    return _no_good_on(problem, (b * 16 / 17, b), upto, wider)


def _no_good_on(problem: Problem, box: Box, upto: Fraction, wider: int) -> bool:
    h = problem.delta
    try:
        width = replace(problem, apart=upto).loss(*box, h).rad()
    except Undecided:
        return False
    try:
        own = problem.loss(*box, h).rad()
    except Undecided:
        return True
    return width.is_finite() and not own <= wider * (width + arb(2) ** (-40))


def _root_of_zero(node: Node) -> bool:
    """Whether it is a root of a maximum that may be 0."""
    return node.kind == "pow" and node.args[1].q > 1 and node.args[0].kind == "max" and not positive(node.args[0])
