"""The logarithm of the gamma function of a positive variable."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, positive
from dpverify.enclosures.special.base import Special, at_ends, order_of, polynomial, remainder, vanishes


class LogGamma(Special):
    """log Gamma(x) for x > 0: convex, with the digamma function as its slope.

    Stirling's series and its derivative have remainders between 0 and the first term left out (Binet).
    """

    zeros = (1, 2)
    rises_from = 2

    def value(self, x: Ball) -> Ball:
        ball = positive(x.x)
        if ball.rad() < arb(2) ** (-20):
            return Ball(ball.lgamma())
        low, high = Ball(ball.lower()), Ball(ball.upper())
        ends = low.x.lgamma().union(high.x.lgamma())
        first = self.slope(low).x
        if not first < 0:
            return Ball(ends)
        least = low.x.lgamma() + first * (high.x - low.x)  # a tangent lies below
        return Ball(ends.union(least))

    def slope(self, x: Ball) -> Ball:
        return at_ends(positive(x.x), lambda t: t.digamma())

    def bend(self, x: Ball) -> Ball:
        return at_ends(positive(x.x), lambda t: arb(2).zeta(t))  # trigamma, which falls

    def value_of_model(self, x: Any) -> Any:
        if x.grows() or not vanishes(x):
            return super().value_of_model(x)
        return super().value_of_model(x + 1) - x.log()

    def slope_of_model(self, x: Any) -> Any:
        if x.grows() or not vanishes(x):
            return super().slope_of_model(x)
        return super().slope_of_model(x + 1) - x.inverse()

    def large(self, x: Any) -> Any:
        log = x.log()
        n = order_of(x) // 2 + 1
        terms = [fmpq.bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, n + 1)]
        i = x.inverse()
        series = i * polynomial(i * i, terms, remainder(x))
        return x * log - x - log * fmpq(1, 2) + series + (arb.pi() * 2).log() / 2

    def large_slope(self, x: Any) -> Any:
        n = order_of(x) // 2 + 1
        terms = [-fmpq.bernoulli(2 * k) / (2 * k) for k in range(1, n + 1)]
        i = x.inverse()
        square = i * i
        return x.log() - i * fmpq(1, 2) + square * polynomial(square, terms, remainder(x))
