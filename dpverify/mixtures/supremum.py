"""epsilon = sup phi over r >= 0 for a mixture, phi(r) = g(r + delta) - g(r), from values at single radii.

1. beyond R, phi <= delta sup g', by the tail bound
2. on [0, R], bisect where the bound is largest: over [a, b] phi lies below g(b + delta) - g(a), as g
   rises, and below the two lines through its values at a and b with the bounds of phi' as slopes
Precondition: E[V^-d] is finite, p has a tail that the tail bound accepts, and V is usually about 1 or delta.
Postcondition: lower <= epsilon <= upper.
Source: Reimherr and Awan (2019), Theorem 3; every mixture falls (see `potential`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided, exact, fraction_above, fraction_below
from dpverify.findings import Part, Reason
from dpverify.mixtures.potential import MixedPotential
from dpverify.mixtures.tail import slope_bound, slope_limit

MOST_BOXES = 600
REACHES = 14
CLOSE = 2**8  # how far to go, in units, for a tail bound that stays above the peak


@dataclass(frozen=True, slots=True)
class LargestLoss:
    """lower <= epsilon <= upper, and where the loss is largest: a radius, None for the limit r -> oo."""

    lower: Fraction
    upper: Fraction
    radius: Fraction | None


class _Peak:
    """The largest loss proved so far, and its radius, None for the limit r -> oo."""

    def __init__(self, potential: MixedPotential, limit: arb) -> None:
        self.potential = potential
        self.value, self.radius = limit.lower(), None if limit > 0 else Fraction(0)

    def offer(self, r: Fraction) -> arb:
        loss = self.potential.loss(r)
        if loss.lower() > self.value:
            self.value, self.radius = loss.lower(), r
        return loss


@dataclass(order=True, frozen=True, slots=True)
class _Box:
    """[a, b] with an upper bound of phi on it; ordered by the bound, largest first."""

    rank: float
    a: Fraction
    b: Fraction
    bound: arb = field(compare=False)


def supremum(potential: MixedPotential, tolerance: Fraction, tick: Callable[[], None]) -> LargestLoss:
    """Enclose epsilon, as narrowly as the boxes allow; raises Undecided where it is not bounded."""
    peak = _Peak(potential, slope_limit(potential.quadrature.infinity) * exact(potential.delta))
    goal = arb(exact(tolerance)) * exact(Fraction(9, 10))
    reach, outside = _outermost(potential, peak, goal, tick)
    points = [Fraction(0)]
    points += [reach / 2**j for j in range(40, -1, -1) if reach / 2**j >= potential.delta / 2**12]
    heap: list[_Box] = []
    failure: Undecided | None = None
    count = 0
    for a, b in pairwise(points):
        tick()
        heapq.heappush(heap, _box(potential, peak, a, b))
    top = outside
    while heap:
        tick()
        box = heapq.heappop(heap)
        count += 1
        target = (peak.value + goal * (peak.value if peak.value > 0 else arb(1))).max(outside)
        if not box.bound <= target and count <= MOST_BOXES:
            middle = (box.a + box.b) / 2
            try:
                halves = [_box(potential, peak, a, b) for a, b in ((box.a, middle), (middle, box.b))]
            except Undecided as error:
                failure = failure or error  # what is proved of the whole box stands
            else:
                for half in halves:
                    heapq.heappush(heap, half)
                continue
        if not box.bound.is_finite():
            raise failure or Undecided(Reason.NOT_BOUNDED_AROUND(what=Part.LOSS, at=box.a))
        top = top.max(box.bound)
    relative = tolerance * min(Fraction(1), fraction_below(peak.value)) if peak.value > 0 else tolerance
    lower, upper = published(peak.value, top.max(peak.value), relative)
    return LargestLoss(lower, upper, peak.radius)


def _outermost(potential: MixedPotential, peak: _Peak, goal: arb, tick: Callable[[], None]) -> tuple[Fraction, arb]:
    """R, and a bound of phi beyond it: below the peak, or the lowest that a ladder of radii gives."""
    unit = max(potential.delta, Fraction(1))
    reach = 8 * unit
    peak.offer(Fraction(0))
    best: tuple[Fraction, arb] | None = None
    failure: Undecided | None = None
    for _ in range(REACHES):
        tick()
        try:
            peak.offer(reach)
            bound = (slope_bound(potential, reach) * exact(potential.delta)).upper()
        except Undecided as error:
            failure = failure or error
        else:
            if bound <= peak.value + goal * (peak.value if peak.value > 0 else arb(1)):
                return reach, bound
            if best is None or (bound < best[1] and reach <= CLOSE * unit):
                best = reach, bound
        reach *= 2
    if best is None:
        raise failure or Undecided(Reason.SLOPE_NOT_BOUNDED())
    return best


def _box(potential: MixedPotential, peak: _Peak, a: Fraction, b: Fraction) -> _Box:
    bound = _bound(potential, peak, a, b)
    return _Box(-float(bound) if bound.is_finite() else -math.inf, a, b, bound)


def _bound(potential: MixedPotential, peak: _Peak, a: Fraction, b: Fraction) -> arb:
    """An upper bound of phi over [a, b]."""
    at_a, at_b = peak.offer(a), peak.offer(b)
    whole = potential.rise(a, b + potential.delta).upper()
    least, most = potential.loss_slopes(a, b)
    if most <= 0:
        return whole.min(at_a.upper())
    if least >= 0:
        return whole.min(at_b.upper())
    width = exact(b - a)
    lines = at_a.upper() + most * width
    if least.is_finite() and most.is_finite():
        # where at_a + most t = at_b - least (width - t)
        lines = (at_b * most - at_a * least - most * least * width) / (most - least)
    return whole.min(lines.upper()) if lines.is_finite() else whole


def published(value: arb, top: arb, tolerance: Fraction) -> tuple[Fraction, Fraction]:
    """Short decimals below and above."""
    scale = 10
    while Fraction(1, scale) * 50 > tolerance:
        scale *= 10
    low, high = fraction_below(value) * scale, fraction_above(top) * scale
    return Fraction(low.numerator // low.denominator, scale), Fraction(-(-high.numerator // high.denominator), scale)
