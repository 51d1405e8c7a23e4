"""Curves of a generator, in standardised units: f, g, the ratio and the privacy loss at chosen radii.

Every value is the middle of a ball, computed with 120 bits, so that nothing overflows and what is drawn is
right to the pixel; a radius where a value is not finite, or not settled, is a gap. A picture proves nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpverify.asymptotics import CONSTANT, Germ, Phase
from dpverify.enclosures import Undecided, exact, precision
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.prover.problem import Problem
from dpverify.prover.tail import TINY
from dpverify.show.words import radius_letter

BITS, BUDGET, GAP = 120, 8.0, math.nan


@dataclass(frozen=True, slots=True)
class Line:
    """Points (x, y); y is nan in a gap. `complete` is False where the time for drawing, of the processor's, ran out."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    complete: bool = True

    def finite(self) -> list[float]:
        """The heights that are no gap."""
        return [y for y in self.y if math.isfinite(y)]


class Drawn:
    """The curves of one generator at delta = Delta / sigma."""

    def __init__(self, generator: Generator, delta: Fraction, budget: float = BUDGET) -> None:
        self.delta, self.dimension = delta, generator.dimension
        self.letter = radius_letter(generator.parameters)
        self.end = time.process_time() + budget
        with precision(BITS):
            self.problem = Problem(lower(generator.expression), generator.dimension, delta)

    def loss(self, radii: list[Fraction], shift: Fraction | None = None) -> Line:
        """phi_h(r) = g(r + h) - g(r) against c = r + h; h is delta if not given."""
        h = self.delta if shift is None else shift
        return self._line(radii, lambda r: _middle(self.problem.loss_at(r, h)), lambda r: r + h)

    def level(self, far: Mapping[str, Any], phase: Mapping[str, Any] | None) -> bool:
        """Whether phi_delta is one number at all large radii, of a phase where it is largest: by its model there."""
        with precision(BITS):
            try:
                germ = Germ(Fraction(far["radius"]), far["order"])
                if phase is not None:
                    peak = Fraction(phase["peak"])
                    germ = germ.at(Phase(phase["turns"], Fraction(phase["frequency"]), peak, peak + TINY))
                return set(self.problem.far_loss(germ, exact(self.delta)).terms) == {CONSTANT}
            except (Undecided, ArithmeticError, ValueError):
                return False

    def ratio(self, radii: list[Fraction]) -> Line:
        """f((c - delta)^2)/f(c^2) against c = r + delta."""
        losses = self.loss(radii)
        return Line(losses.x, tuple(math.exp(y) if y < 700 else GAP for y in losses.y), losses.complete)

    def potential(self, radii: list[Fraction]) -> Line:
        """g(r) = -log f(r^2) against r."""
        from flint import arb

        from dpverify.enclosures import Ball

        return self._line(radii, lambda r: -_middle(self.problem.positive_log(Ball(arb(exact(r)))).x), lambda r: r)

    def density(self, radii: list[Fraction]) -> Line:
        """f(r^2) against r, whatever its sign."""
        return self._line(radii, self._value, lambda r: r)

    def mass(self, radii: list[Fraction]) -> Line:
        """r^d f(r^2) against r: with log r across, its area is the integral of r^(d-1) f(r^2) dr."""

        def at(r: Fraction) -> float:
            value = self._value(r)
            size = self.dimension * math.log(r) + math.log(abs(value)) if value else -math.inf
            return math.copysign(math.exp(size), value) if size < 600 else GAP

        return self._line(radii, at, lambda r: r)

    def _value(self, r: Fraction) -> float:
        return _middle(self.problem.value_on_box(r, r * (1 + Fraction(1, 10**12))))

    def _line(self, radii: list[Fraction], at: Callable[[Fraction], float], x: Callable[[Fraction], Fraction]) -> Line:
        heights = []
        with precision(BITS):
            for r in radii:
                if time.process_time() > self.end:
                    break
                try:
                    heights.append(at(r))
                except (Undecided, ArithmeticError, ValueError):
                    heights.append(GAP)
        done = radii[: len(heights)]
        return Line(tuple(float(x(r)) for r in done), tuple(heights), len(done) == len(radii))


def geometric(low: Fraction, high: Fraction, points: int) -> list[Fraction]:
    """Radii evenly spaced in the logarithm, both ends among them."""
    a, b = math.log(low), math.log(high)
    inner = [Fraction(math.exp(a + (b - a) * k / (points - 1))) for k in range(1, points - 1)]
    return [low, *(r for r in inner if low < r < high), high]


def even(low: Fraction, high: Fraction, points: int) -> list[Fraction]:
    """Radii evenly spaced, both ends among them."""
    return [low + (high - low) * k / (points - 1) for k in range(points)]


def _middle(ball: object) -> float:
    """The middle of a ball that is narrow enough to draw, else a gap."""
    from flint import arb

    assert isinstance(ball, arb)
    if not ball.is_finite():
        return GAP
    middle, radius = float(ball.mid()), float(ball.rad())
    return middle if radius <= 1e-3 * max(1.0, abs(middle)) else GAP
