"""Where the panels of spheres are cut: closely about radii at which caps begin or end, and finer the nearer these are.

In even dimensions a cap's share is no polynomial, and not analytic where the cap begins or ends; a Taylor polynomial
is good on panels that are short beside their distance from there.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpverify.prover.profile.boundary import Boundary, State
from dpverify.prover.profile.generator import bisected
from dpverify.prover.profile.pieces import graded, middle, parts, simple

SMALL, LONGEST, LITTLE = 10.0, 0.75, 0.005
"""By how much the last power of a panel's remainder may exceed what all panels may be unknown by, the largest half over
the distance from a pole, and the part of what all panels may be unknown by that a beginning of a cap may be."""


class Cuts:
    """For one boundary, in a dimension, by Taylor polynomials of an order, to a relative tolerance.

    `poles` are radii, the centre first, at which the integrand is not analytic from beyond, `before` those at which it
    is not from below; `allowed` is what all panels together may be unknown by.
    """

    def __init__(self, boundary: Boundary, dimension: int, order: int, tolerance: float) -> None:
        self.boundary, self.dimension, self.order = boundary, dimension, order
        self.poles, self.before = {Fraction(0)}, set[Fraction]()
        self.allowed = tolerance
        self.reach = boundary.shift

    def finer(self, a: Fraction, b: Fraction, excess: float) -> list[Fraction]:
        """Of a panel of caps, 0 < a, whose uncertainty is so many times what it may be."""
        below, above = max(p for p in self.poles if p <= a), min((p for p in self.before if p >= b), default=None)
        far = b - a
        near = [a - below, far if above is None else above - b]
        if not min(near) or 2 * min(near) > far:
            return graded(a, b, parts(excess, self.order))
        if 2 * max(near) < far:
            m = middle(a, b)
            return [*self.finer(a, m, excess), *self.finer(m, b, excess)[1:]]
        pole = below if near[0] < near[1] or above is None else above
        return self._outward(a, b, pole)

    def _outward(self, a: Fraction, b: Fraction, pole: Fraction) -> list[Fraction]:
        """Radii from a to b, the farther from a pole the longer; and the longer the less there is of w and of a cap."""
        first, last = sorted((float(abs(a - pole)), float(abs(b - pole))))
        side, end = (1 if a >= pole else -1), math.log(last / first)
        places = [0.0]
        while places[-1] < end:
            x = first * math.exp(places[-1])
            places.append(places[-1] + self._stride(float(pole) + side * x, x))
        if len(places) < 3:
            return [a, middle(a, b), b]
        inner = (first * math.exp(p * end / places[-1]) for p in places[1:-1])
        radii = {pole + side * simple(x, 6) for x in inner}
        return [a, *sorted(x for x in radii if a < x < b), b]

    def closeness(self, radius: float, length: float) -> Fraction:
        """How far from where a cap begins or ends it may be left out, a power of two: its share is of the power
        (d - 1)/2 of the distance from there, its loss above eps of the first."""
        size = math.exp(max(-600.0, self.boundary.radial.rough_weight(radius)))
        reach = (LITTLE * self.allowed / max(size, 1e-300)) ** (2 / (self.dimension + 3))
        reach = min(max(reach, length * 2.0**-20), length / 8)
        return Fraction(2) ** (math.frexp(reach)[1] - 1)

    def _stride(self, radius: float, x: float) -> float:
        """How long a panel may be that begins at a radius as far as x from a pole, by the logarithm of the distance:
        a Taylor polynomial's remainder is of the power `order` of its half over x."""
        size = math.exp(max(-600.0, self.boundary.radial.rough_weight(radius))) * x
        size *= min(1.0, x / self.reach) ** ((self.dimension - 1) / 2)
        ratio = (SMALL * self.allowed / max(size, 1e-300)) ** (1 / self.order)
        return math.log1p(2 * min(LONGEST, ratio))

    def turn(self, a: Fraction, b: Fraction, ends: tuple[State, State]) -> tuple[Fraction, ...]:
        """Two radii close together between which the kind of the set changes, as it does from end to end; none where
        that is at an end.  The smaller the share of a cap is just there, the farther apart they may be."""
        first, last = ends
        if (first.kind, first.segment) == (last.kind, last.segment) or a == 0:
            return ()
        low, high = float(a), float(b)

        def changed(x: float) -> bool:
            if first.kind != last.kind:
                return self.boundary.kind(x) != first.kind
            state = self.boundary.state(x)
            return (state.kind, state.segment) != (first.kind, first.segment)

        root = bisected(low, high, changed)
        reach = self.closeness(root, high - low)
        if root - low < 2 * float(reach) or high - root < 2 * float(reach):
            return ()
        centre = Fraction(round(Fraction(root) / reach * 16)) * reach / 16
        if not self.dimension % 2:
            self.poles.add(centre)
            self.before.add(centre)
        return tuple(x for x in (centre - reach, centre + reach) if a < x < b)
