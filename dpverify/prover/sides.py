"""Both sides of every jump of f, and the pairs of radii beside jumps whose loss is largest.

A climb comes near a jump but never close beside it. Only a lower bound hangs on what is found here.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Ball, Evaluation, Undecided, exact
from dpverify.enclosures.conditions import break_polynomials, in_conditions
from dpverify.enclosures.nodes import Node, power_of_radius
from dpverify.enclosures.sketch import sketch
from dpverify.prover.problem import Problem, nearest

BESIDE = 60
"""How near to a jump the loss is looked at, in halvings."""
MOST_JUMPS, CLOSER, FINER = 60, BESIDE + 20, 32
"""How many jumps at irrational radii are looked for, how closely, in halvings, and between how many parts of an octave
a change of sign is looked for."""

MOST_SIDES, VERY_CLOSE, PLACES = 12, 128, 24
"""How many jumps are looked at more closely, beside which slopes may be infinite; how closely, in halvings; and between
how many parts of delta the other radius is looked for."""
SECTIONS, GOLDEN = 60, 0.381966

Pair = tuple[float, Fraction, Fraction]
"""About |phi_h(r)|, r and h."""


def irrational_jumps(problem: Problem, points: Sequence[Fraction]) -> list[Fraction]:
    """About where a floor jumps that is neither rational nor a power of r, or where a condition changes: the first few
    of each."""
    found: list[Fraction] = []
    for part in break_polynomials(problem.node):
        if part.kind == "floor" and not part.args[0].rational and power_of_radius(part.args[0]) is None:
            found.extend(_crossings(part.args[0], points, problem.delta))
    for part in dict.fromkeys(in_conditions(problem.node)):
        found.extend(_sign_changes(part, points, problem.delta))
    return sorted(found)


def _crossings(node: Node, points: Sequence[Fraction], delta: Fraction) -> Iterator[Fraction]:
    count = 0
    for a, b in pairwise(points):
        first, last = sorted((_value(node, a), _value(node, b)))
        levels = range(math.floor(first) + 1, math.floor(last) + 1) if math.isfinite(last - first) else ()
        for level in levels:
            if count == MOST_JUMPS:
                return
            count += 1
            yield _root(node, level, a, b, delta)


def _sign_changes(node: Node, points: Sequence[Fraction], delta: Fraction) -> Iterator[Fraction]:
    """About where a node's sign changes, as floats see it on a grid finer than these points."""
    log, count = sketch(node), 0
    grid = [a + (b - a) * k / FINER for a, b in pairwise(points) for k in range(FINER)]
    signs = [log(nearest(r)) > -math.inf for r in grid]
    for (a, before), (b, after) in pairwise(zip(grid, signs, strict=True)):
        if before is not after:
            yield _root(node, 0, a, b, delta)
            count += 1
        if count == MOST_JUMPS:
            return


def _root(node: Node, level: int, a: Fraction, b: Fraction, delta: Fraction) -> Fraction:
    below = _value(node, a) < level
    while b - a > min(b, delta) / 2**CLOSER:
        middle = (a + b) / 2
        a, b = (middle, b) if (_at(node, middle) < level) is below else (a, middle)
    return (a + b) / 2


def _at(node: Node, r: Fraction) -> arb:
    try:
        return Evaluation(Ball(arb(exact(r)))).value(node).x.mid()
    except Undecided:
        return arb.nan()


def _value(node: Node, r: Fraction) -> float:
    return float(_at(node, r))


def pairs_beside(problem: Problem, jumps: Sequence[Fraction], best: int) -> list[Pair]:
    """The best pairs of radii that are beside a jump, at the centre, or delta away from such a one."""
    delta = problem.delta
    near = min(jumps[0], delta) / 2**BESIDE
    beside = [near, *(r for b in jumps for r in (b - near, b + near))]
    radii = sorted({s for r in beside for s in (r - delta, r, r + delta) if s > 0})
    heights = [(r, height) for r in radii if math.isfinite(height := _height(problem, r))]
    turned = [(r, -height) for r, height in heights]
    return heapq.nlargest(best, (pair for side in (heights, turned) for pair in _falls(side, delta)))


def peaks_beside(problem: Problem, jumps: Sequence[Fraction], best: int) -> list[Pair]:
    """The best pairs of radii of which one is close beside a jump, the other being anywhere up to delta away."""
    delta, log_f, found = problem.delta, problem.rough_log(), []
    for b in jumps[:MOST_SIDES]:
        near = min(b, delta) / 2**VERY_CLOSE
        for s in (b - near, b + near):
            height = _height(problem, s)
            grid = [s + delta * Fraction(2 * k + 1 - 2 * PLACES, 2 * PLACES) for k in range(2 * PLACES)]
            seen = [(abs(log_f(nearest(r)) - height), r) for r in grid if r > 0]
            gain, r = max(((gain, r) for gain, r in seen if math.isfinite(gain)), default=(0.0, s))
            if gain > 0:
                step = delta / PLACES
                r = _summit(lambda x, height=height: abs(log_f(x) - height), r - step, r + step)  # type: ignore[misc]
                r = min(max(r, s - delta), s + delta)
                found.append((gain, min(r, s), abs(r - s)))
    return heapq.nlargest(best, (pair for pair in found if pair[1] > 0 and pair[2] > 0))


def _summit(height: Callable[[float], float], low: Fraction, high: Fraction) -> Fraction:
    """About where a function of one hump is largest between the two."""
    a, b = nearest(max(low, high / 2**VERY_CLOSE)), nearest(high)
    for _ in range(SECTIONS):
        c, d = a + (b - a) * GOLDEN, b - (b - a) * GOLDEN
        if height(c) >= height(d):
            b = d
        else:
            a = c
    return Fraction((a + b) / 2)


def _height(problem: Problem, r: Fraction) -> float:
    try:
        return float(problem.log_at(Ball(arb(exact(r)))))
    except Undecided:
        return math.nan


def _falls(heights: Sequence[tuple[Fraction, float]], delta: Fraction) -> Iterator[Pair]:
    """From each radius the largest fall to one that is up to delta further out."""
    ahead: deque[tuple[Fraction, float]] = deque()  # the nearest first, each further one lower
    for r, height in reversed(heights):
        while ahead and ahead[0][1] >= height:
            ahead.popleft()
        ahead.appendleft((r, height))
        while ahead[-1][0] - r > delta:
            ahead.pop()
        far, lowest = ahead[-1]
        if far > r:
            yield height - lowest, r, far - r
