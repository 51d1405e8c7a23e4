"""Breaks of f that are not rational, between two rationals close to each other: panels that end there are smooth."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Ball, Evaluation, Undecided, exact, precision
from dpverify.enclosures.conditions import break_polynomials
from dpverify.enclosures.nodes import Node
from dpverify.enclosures.sketch import rough
from dpverify.prover.profile.generator import RadialWeight, bisected

SAMPLES, MOST, DEEPEST = 3000, 1000, 12
LITTLE, SAME = -50.0, 1e-9
BITS, NEAR, CLOSE = 160, Fraction(1, 2**38), Fraction(1, 2**46)
"""How finely brackets are found; they are wide enough for balls, whose ends are known to some thirty bits of their
width, to end at them."""
Bracket = tuple[Fraction, Fraction]


def brackets(radial: RadialWeight) -> list[Bracket]:
    """Brackets of those breaks that are not known exactly, where there is something of f; floats look for them, so that
    some may be missing."""
    low, high = reach(radial)
    found, seen = list[Bracket](), 0
    known = [float(b) for b in radial.breaks]
    for part in break_polynomials(radial.problem.node):
        steps = part.kind == "floor"
        node = part.args[0] if steps else part
        for place, level in _crossings(rough(node), low, high, steps):
            seen += 1
            if seen > MOST:
                return []
            if not _near(known, place):
                found += _narrowed(node, level, place)
    return _apart(sorted(set(found)), known)


def reach(radial: RadialWeight) -> tuple[float, float]:
    """Radii between which floats see something of w."""
    low = high = radial.peak
    while low > 2.0**-40 and radial.rough_weight(low) + math.log(low) >= LITTLE:
        low /= 2
    while high < 2.0**40 and radial.rough_weight(high) + math.log(high) >= LITTLE:
        high *= 2
    return low, high


def _near(breaks: Sequence[float], place: float) -> bool:
    """Whether a break is at a place, as far as floats tell."""
    k = bisect_left(breaks, place * (1 - SAME))
    return k < len(breaks) and breaks[k] <= place * (1 + SAME)


def _crossings(v: Callable[[float], float], low: float, high: float, steps: bool) -> Iterator[tuple[float, int]]:
    """Where v changes its sign, or its floor, and from which number on."""
    even = {low + (high - low) * k / SAMPLES for k in range(SAMPLES + 1)}
    grid = sorted({*even, *(low * (high / low) ** (k / SAMPLES) for k in range(0, SAMPLES, 8))})
    for a, b in pairwise(grid):
        yield from _between(v, a, b, steps, DEEPEST)


def _between(v: Callable[[float], float], a: float, b: float, steps: bool, depth: int) -> Iterator[tuple[float, int]]:
    p, q = v(a), v(b)
    if not (math.isfinite(p) and math.isfinite(q)):
        return
    if steps:
        m, n = math.floor(p), math.floor(q)
        if abs(m - n) > 1 and depth:
            middle = (a + b) / 2
            yield from _between(v, a, middle, steps, depth - 1)
            yield from _between(v, middle, b, steps, depth - 1)
        elif m != n:
            yield bisected(a, b, lambda r: math.floor(v(r)) == n), max(m, n)
    elif (p < 0) != (q < 0):
        yield bisected(a, b, lambda r: (v(r) < 0) == (q < 0)), 0


def _narrowed(node: Node, level: int, place: float) -> list[Bracket]:
    """A bracket about a place where the node has a level, or none where that is not shown."""
    middle = Fraction(place)
    a, b = middle * (1 - NEAR), middle * (1 + NEAR)
    with precision(BITS):
        first, last = (_sign(node, level, x) for x in (a, b))
        if not first * last < 0:
            return []
        while b - a > CLOSE * a:
            m = (a + b) / 2
            sign = _sign(node, level, m)
            if not sign:
                return [(a, b)]
            a, b = (m, b) if sign == first else (a, m)
    return [(_short(a, False), _short(b, True))]


def _sign(node: Node, level: int, r: Fraction) -> int:
    try:
        value = Evaluation(Ball(arb(exact(r)))).value(node).x - level
    except Undecided:
        return 0
    return 1 if value > 0 else -1 if value < 0 else 0


def _short(x: Fraction, upward: bool) -> Fraction:
    """The next number with few digits."""
    unit = Fraction(2) ** (math.frexp(float(x))[1] - 68)
    return (-(-x // unit) if upward else x // unit) * unit


def _apart(found: list[Bracket], breaks: Sequence[float]) -> list[Bracket]:
    """Those that overlap no other, and no break."""
    return [
        (a, b)
        for k, (a, b) in enumerate(found)
        if not _near(breaks, float(a))
        and (not k or found[k - 1][1] < a)
        and (k + 1 == len(found) or b < found[k + 1][0])
    ]
