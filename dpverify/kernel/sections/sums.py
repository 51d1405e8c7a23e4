"""Sums of Gaussians, h(y) = sum of w_j (2 a_j)^(d/2) e^(-a_j y), on panels and boxes of radii.

In y each term falls, and so do the absolute values of all its derivatives: what they are about an
interval of y follows from its two ends.  The integral of r^(d-1) h over r > 0 is the sum of w_j
times `unit`, that of r^(d-1) e^(-r^2/2).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import factorial
from operator import add

from ..intervals import (
    D0, DOWN, INF, NEG_INF, ROUGH, UP, ZERO, Interval, exp_end, hull, interval, meet)
from ..rules import require, rule
from .charts import Problem
from .constants import PI
from .dots import FEW
from .jets import Series
from .panels import Noise
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .charts import Box

HALF, BEYOND = Fraction(1, 2), 100
"""By how much more than that of the first the a_j y of terms that are bounded together are, besides
n + d."""
NOT_NEGATIVE = Interval(D0, INF)


def unit(d: int) -> Interval:
    """2^(d/2 - 1) Gamma(d/2)."""
    odd = d % 2
    found = (PI * HALF).power(HALF) if odd else interval(1)
    for k in range(2 - odd, d, 2):
        found = found * k
    return found


class Terms:
    """The terms, the flattest first."""

    def __init__(self, rates: Sequence[Fraction], weights: Sequence[Fraction], d: int) -> None:
        pairs = sorted(zip(rates, weights, strict=True))
        self.d, self.rates = d, [interval(a) for a, _ in pairs]
        self.weights = [interval(w) for _, w in pairs]
        self.left = list(accumulate(self.weights[::-1], add))[::-1]
        self.heights = [w * (a * 2).power(Fraction(d, 2))
                        for a, w in zip(self.rates, self.weights, strict=True)]

    def last(self, y: Decimal, order: int) -> Decimal:
        """From how large an a_j y on terms are bounded together, next to nothing as they are."""
        first = UP.multiply(self.rates[0].hi, y)
        return UP.add(first, Decimal(BEYOND + order + self.d))

    @rule("K584")
    def least(self, y: Decimal, order: int) -> list[Decimal]:
        """At least the sums of (a_j^k/k!) w_j (2 a_j)^(d/2) e^(-a_j y), k = 0 to n.

        Lemma.  They are the absolute values of h's Taylor coefficients at y, whose signs are those
        of (-1)^k.  No term is negative, so that any may be left out.
        """
        totals, plus, times = [D0] * (order + 1), FEW.down.add, FEW.down.multiply
        last = self.last(y, order)
        for a, height in zip(self.rates, self.heights, strict=True):
            exponent = UP.multiply(a.hi, y)
            if exponent > last:
                break
            e = times(height.lo, exp_end(exponent.copy_negate(), DOWN, ROUGH))
            for k in range(order + 1):
                totals[k], e = plus(totals[k], e), times(e, a.lo)
        return [FEW.down.divide(x, Decimal(factorial(k))) for k, x in enumerate(totals)]

    @rule("K585")
    def most(self, y: Decimal, order: int) -> list[Decimal]:
        """At most the same.

        Lemma.  a^(k + d/2) e^(-a y) falls with a where a y is at least k + d/2.  So the terms from
        one on of which that is true are together at most that one with all their w_j.
        """
        totals, plus, times = [D0] * (order + 1), FEW.up.add, FEW.up.multiply
        last = self.last(y, order)
        for j, a in enumerate(self.rates):
            exponent = DOWN.multiply(a.lo, y)
            ends = exponent > last
            height = self.left[j] * (a * 2).power(Fraction(self.d, 2)) if ends else self.heights[j]
            e = times(height.hi, exp_end(exponent.copy_negate(), UP, ROUGH))
            for k in range(order + 1):
                totals[k], e = plus(totals[k], e), times(e, a.hi)
            if ends:
                break
        return [FEW.up.divide(x, Decimal(factorial(k))) for k, x in enumerate(totals)]

    @rule("K586")
    def mass(self, radius: Fraction, outward: bool) -> Interval:
        """At most the integral of r^(d-1) h(r^2) over r > R, or over r < R.

        Lemma.  Over r > 0 that of a term is w_j 2^(d/2 - 1) Gamma(d/2).  Over r < R it is at most
        w_j (2 a_j)^(d/2) R^d/d, since e^(-a r^2) is at most 1; beyond R the logarithm of r^d e^(-a
        r^2) has a slope of at most d - 2 a R^2 in log r, so that it is at most w_j (2 a_j)^(d/2)
        R^d e^(-a R^2)/(2 a R^2 - d) where that is positive.
        """
        total, volume, whole = ZERO, interval(radius).power(Fraction(self.d)), unit(self.d)
        square = interval(radius) * interval(radius)
        for a, w, height in zip(self.rates, self.weights, self.heights, strict=True):
            part, most = a * square, whole * w
            rate = part * 2 - self.d if outward else interval(self.d)
            if rate.lo > 0:
                bound = height * volume * rate.inverse()
                bound = bound * (-part).exp() if outward else bound
                most = Interval(D0, min(most.hi, bound.hi))
            total = total + most
        return Interval(D0, total.hi)


def no_tree(*given: Any) -> Any:
    """What asks for h by its text is refused."""
    require(False, "a sum of Gaussians has no tree", "steps")


class Sum(Problem):
    """h as panels ask for log f: no tree, and no charts."""

    def __init__(self, terms: Terms, delta: Fraction) -> None:
        self.terms, self.dimension, self.delta = terms, terms.d, delta
        self.at_box, self.at_centre = no_tree, None
        self.known: dict[Any, Any] = {}
        self.latest: dict[Any, Any] = {}

    def about(self, y: Interval, order: int) -> list[Interval]:
        """h's Taylor coefficients about each point of an interval."""
        low = self.lately((y.hi, order, -1), lambda: self.terms.least(y.hi, order))
        high = self.lately((y.lo, order, 1), lambda: self.terms.most(y.lo, order))
        found = [Interval(a, b) for a, b in zip(low, high, strict=True)]
        return [-x if k % 2 else x for k, x in enumerate(found)]

    @rule("K587")
    def on_panel(self, r: Slope, ends: Box | None, centre: bool) -> Any:
        """log h along a series.

        Lemma.  y = r^2 is a series, the first coefficient of which is not negative; h is the one
        whose coefficients about that (K584, K585) go with the powers of the rest of y; and its
        logarithm follows (K150).
        """
        require(isinstance(r, Series), "h has no series here")
        y = r * r
        n = len(y.c) - 1
        known, step = self.about(meet(y.c[0], NOT_NEGATIVE), n), Series([ZERO, *y.c[1:]])
        total = step.const(known[n])
        for c in reversed(known[:n]):
            total = total * step + c
        return total.log()

    @rule("K588")
    def falls(self, r: Fraction) -> tuple[Interval, Interval]:
        """log h at a radius, and the mean of a_j there, weighed by the terms.

        Lemma.  log h falls, and has the slope -2 r m, m being that mean, which falls too: its
        derivative in y is minus a variance.  So for a < r < b both lie between what they are at a
        and at b, and phi_s is at most log h(a) - log h(b + s), and at most s 2 (b + s) m(a).
        """
        value, slope = self.about(interval(r) * interval(r), 1)
        return value.log(), -slope * value.inverse()

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log h and its slope where a < r < b."""
        (top, most), (bottom, least) = self.falls(a), self.falls(b)
        return Slope(Interval(bottom.lo, top.hi), hull(most * (-2 * b), least * (-2 * a)))

    def loss(self, a: Fraction, b: Fraction, h: Fraction, above: bool = False) -> Interval:
        """At most phi_h where a < r < b."""
        (top, most), (bottom, _) = self.falls(a), self.falls(b + h)
        return Interval(NEG_INF, min((top - bottom).hi, (most * (2 * h * (b + h))).hi))

    def at_radius(self, r: Interval) -> Interval:
        """log h at one radius."""
        return self.about(r * r, 0)[0].log()


class Weighed(Noise):
    """w, h and the loss of a sum, with what lies beyond a radius term by term: there S' is empty,
    and all of it may be lost."""

    def __init__(self, p: Sum, order: int, epsilon: Fraction) -> None:
        super().__init__(p, order, epsilon, ("power", Fraction(0)))
        self.terms = p.terms

    def beyond(self, radius: Fraction, outward: bool) -> Interval:
        return self.terms.mass(radius, outward)

    def largest(self, a: Fraction, b: Fraction) -> Interval:
        return self.p.loss(a, b, self.s)
