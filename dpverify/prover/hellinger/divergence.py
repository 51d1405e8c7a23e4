"""Renyi divergences from Hellinger integrals, as narrow as is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.findings import Reason
from dpverify.prover.hellinger.integrand import Tilt
from dpverify.prover.hellinger.line import Line
from dpverify.prover.hellinger.space import Space
from dpverify.prover.profile import Profile
from dpverify.prover.profile.divergence import Accuracy
from dpverify.prover.profile.pieces import ball

ROUNDS = 6
FIRST = Fraction(1, 64)
SMALLEST = Fraction(1, 10**60)
LEAST_HEIGHT = -1e6


class Orders:
    """The divergences D_L of one f that does not rise, by integrals of p^L q^(1-L)."""

    def __init__(self, prover: Profile) -> None:
        self.prover, self.problem = prover, prover.problem
        self.radial = prover.radial()
        tick = lambda: prover.tick("the divergences")  # noqa: E731
        self.integrals: Line | Space = (Line if self.problem.dimension == 1 else Space)(self.radial, tick)

    def renyi(self, order: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
        """D_L for L > 0, between two numbers; wider where that does not come off."""
        if order == 1:
            return self._ends(Tilt(order, 1), lambda x: x, tolerance)
        return self._ends(Tilt(order), lambda x: x.log() / ball(order - 1), tolerance)

    def moment(self, tilt: Tilt, tolerance: Fraction) -> tuple[Fraction, Fraction]:
        """The mean of e^(k l) (l - c)^j under p, k = L - 1, between two numbers."""
        return self._ends(tilt, lambda x: x, tolerance)

    def _ends(self, tilt: Tilt, of: Callable[[arb], arb], tolerance: Fraction) -> tuple[Fraction, Fraction]:
        error = tolerance * FIRST * min(Fraction(1), abs(tilt.order - 1) or Fraction(1))
        best: arb | None = None
        for _ in range(ROUNDS):
            digits = len(str(1 // error))
            with precision(100 + 4 * digits):
                try:
                    value = of(self._mean(tilt, error))
                except Undecided:
                    if best is None:
                        raise
                    break
                if value.is_finite() and (best is None or value.rad() < best.rad()):
                    best = value
                wanted = abs(value).lower() * ball(tolerance) / 2
                if value.is_finite() and value.rad() <= wanted:
                    break
                short = float((wanted / value.rad()).lower()) if value.is_finite() and wanted > 0 else 0.0
                error *= Fraction(max(1e-12, min(0.1, short / 4)))
                if error < SMALLEST:
                    break
        if best is None or not best.is_finite():
            raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
        with precision(400):
            return fraction_below(best.lower()), fraction_above(best.upper())

    def _mean(self, tilt: Tilt, error: Fraction) -> arb:
        """Of the integral, over that of p, known to about an error relative to how large it may be."""
        accuracy = Accuracy.of(error, alone=True)
        low, high = self.prover.mass(accuracy)
        mass = low.union(high)
        scale = mass.max(ball(Fraction(self._height(tilt))).exp())
        return self.integrals.integral(tilt, scale * ball(error)) / mass

    def _height(self, tilt: Tilt) -> float:
        """About the logarithm of the integrand's largest value, times r^d."""
        rough, s, d = self.radial.rough, float(self.radial.shift), self.radial.dimension
        order, size, best = float(tilt.order), float(self.radial.size), (-math.inf, 0.0)
        middle, reach = 10.0, 20.0
        for _ in range(6):
            for k in range(-200, 201):
                x = middle + reach * k / 200
                r = math.exp(x)
                height = order * rough(r) + (1 - order) * rough(r + s) + d * x - size
                if math.isfinite(height) and height > best[0]:
                    best = height, x
            middle, reach = best[1], reach / 20
        return max(best[0], LEAST_HEIGHT)
