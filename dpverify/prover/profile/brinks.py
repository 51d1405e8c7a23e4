"""Panels that end at a radius r0 at which a cap begins or ends: in even dimensions its share is like a root there.

With r = r0 +- L z, 0 <= z <= 1, and t = (r^2 + s^2 - k^2)/(2 s r) for one opposite radius k, t is -1 or 1 at r0, and
1 - t^2 = z E with E analytic.  The share that is 0 there, F_d(t) or F_d(-t), is z^((d-1)/2) H; H has the coefficients
of G = c_d E^((d-3)/2) dt/dz, the j-th times 2/(d - 1 + 2 j).  Products of H and a polynomial w are integrated exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_poly, arb_series, fmpq

from dpverify.prover.profile.caps import density
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.series import SQUARE, Taylor, capped

LOWER, UPPER = "l", "u"
"""Whether a panel's lower or its upper end is the radius at which a cap begins or ends."""
NEAREST, USUAL = 6, 3
"""Which part of a panel beside such a radius is kept to it at least, and where nothing is known, as powers of 1/2."""


def beside(a: Fraction, b: Fraction, k: Fraction, s: Fraction) -> str:
    """At which end of a panel the caps beyond a radius k begin or end, if at any."""
    if k != s and 0 < a == abs(k - s):
        return LOWER
    return UPPER if a > 0 and b == k + s else ""


def nearer(a: Fraction, b: Fraction, word: str, excess: float, order: int) -> Fraction:
    """Where a panel is cut that is so many times as unknown as it may be: by the power `order` of its length."""
    power = math.ceil(math.log2(excess) / order) if 1 < excess < math.inf else USUAL
    part = (b - a) / 2 ** min(max(power, 1), NEAREST)
    return a + part if word == LOWER else b - part


@dataclass(frozen=True)
class Brink:
    """A panel beside such a radius, for series of an order."""

    a: Fraction
    b: Fraction
    k: Fraction
    s: Fraction
    d: int
    word: str
    order: int

    @property
    def begins(self) -> bool:
        """Whether it is F_d(t) that is 0 there."""
        return self.word == LOWER and self.k > self.s

    def small(self, w: Taylor) -> arb:
        """The integral over the radii of w times the share that is 0 at r0."""
        start, length, side = (self.a if self.word == LOWER else self.b), self.b - self.a, self._side
        ends = ball(start), ball(start) + ball(side * length) * SQUARE
        with capped(self.order):
            at, each = (self._slope(arb_series([r, ball(side * length)])) for r in ends)
        parts = [arb(fmpq(2, self.d - 1 + 2 * j)) for j in range(self.order + 1)]
        known = [at[j] * parts[j] for j in range(self.order)]
        last, values = each[self.order] * parts[-1], each[0] * parts[0]
        *terms, rest = w.coefficients
        weight = arb_poly([c * side**k for k, c in enumerate(terms)])(arb_poly([-1, 2]))
        found = self._moment(self.order) * Taylor(terms).span() * last + self._moment(0) * rest * SQUARE * values
        for j, c in enumerate((weight * arb_poly(known)).coeffs()):
            found = found + c * self._moment(j)
        return found * ball(length)

    @property
    def _side(self) -> int:
        return 1 if self.word == LOWER else -1

    def _moment(self, power: int) -> arb:
        """The integral of z^((d-1)/2 + power) over [0, 1]."""
        return arb(fmpq(2, self.d + 1 + 2 * power))

    def _slope(self, r: arb_series) -> arb_series:
        """G along a series of radii."""
        s, k, d, length, side = self.s, self.k, self.d, ball(self.b - self.a), self._side
        factors = [r + ball(s + k)]
        if side < 0 or k < s:
            factors.append(r + ball(s - k))
        if side < 0 or k > s:
            factors.append(r + ball(k - s))
        if side > 0:
            factors.append(ball(k + s) - r)
        power = arb(fmpq(d - 3, 2))
        first, second, third = (x**power for x in factors)
        along = (r * r + ball(k * k - s * s)) * r ** arb(1 - d)
        scale = (length / ball(4 * s * s)) ** power * length / ball(2 * s) * (side if self.begins else -side)
        return first * second * (third * along) * (scale * density(d))
