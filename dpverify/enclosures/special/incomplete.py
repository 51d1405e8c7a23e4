"""The incomplete gamma functions of order a > 0 at x > 0, regularised: P = gammainc, Q = gammaincc = 1 - P.

P(x) = x^a G(x) / Gamma(a + 1), where G(x) is the integral of a t^(a-1) e^(-x t) over 0 < t < 1, entire,
1 at zero and falling.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, positive
from dpverify.enclosures.special.base import (
    Special,
    accurately,
    at_ends,
    at_points,
    order_of,
    polynomial,
    remainder,
    vanishes,
)


class LogLowerGamma(Special):
    """log P, "lowergamma"; its slope x^(a-1) e^-x / gamma(a, x) falls.

    The slope's inverse is the integral of x t^(a-1) e^(x (1-t)) over 0 < t < 1, which rises.
    """

    def __init__(self, a: fmpq) -> None:
        self.a = a
        self.riccati, self.tilt = (fmpq(0), fmpq(0), fmpq(-1), a - 1), (a, fmpq(0))

    def value(self, x: Ball) -> Ball:
        return at_ends(positive(x.x), self._at)

    def _at(self, x: arb) -> arb:
        return _log_lower(self.a, x)

    def slope(self, x: Ball) -> Ball:
        return at_ends(positive(x.x), lambda t: _log_density(self.a, t, self._at(t)).exp())

    def bend(self, x: Ball) -> Ball:
        return _bend(self.a, x, self.slope(x))

    def value_of_model(self, x: Any) -> Any:
        if not vanishes(x):
            return super().value_of_model(x)
        return x.log() * self.a + LogKummer(self.a).value_of_model(x) - arb.gamma_fmpq(self.a + 1).log()

    def slope_of_model(self, x: Any) -> Any:
        if not vanishes(x):
            return super().slope_of_model(x)
        return x.inverse() * self.a + LogKummer(self.a).slope_of_model(x)

    def large(self, x: Any) -> Any:
        return (-LogUpperGamma(self.a).large(x).exp() + 1).log()

    def large_slope(self, x: Any) -> Any:
        density = (x.log() * (self.a - 1) - x).exp() * (1 / arb.gamma_fmpq(self.a))
        return density * (-LogUpperGamma(self.a).large(x).exp() + 1).inverse()


class LogUpperGamma(Special):
    """log Q, "uppergamma"; its slope -x^(a-1) e^-x / Gamma(a, x) is monotone.

    The inverse of -slope is the integral of (1 + t/x)^(a-1) e^-t over t > 0, whose binomial series has, from
    order a - 1 on, a remainder between 0 and the first term left out.
    """

    def __init__(self, a: fmpq) -> None:
        self.a = a
        self.riccati, self.tilt = (fmpq(0), fmpq(0), fmpq(-1), a - 1), (fmpq(0), fmpq(-1))

    def value(self, x: Ball) -> Ball:
        return at_ends(x.x, self._at)

    def _at(self, x: arb) -> arb:
        return _log_upper(self.a, x)

    def slope(self, x: Ball) -> Ball:
        return at_ends(positive(x.x), lambda t: -_log_density(self.a, t, self._at(t)).exp())

    def bend(self, x: Ball) -> Ball:
        return _bend(self.a, x, self.slope(x))

    def value_of_model(self, x: Any) -> Any:
        return (-self._below(x) + 1).log() if vanishes(x) else super().value_of_model(x)

    def slope_of_model(self, x: Any) -> Any:
        if not vanishes(x):
            return super().slope_of_model(x)
        density = x.power(self.a - 1) * (-x).exp() * (1 / arb.gamma_fmpq(self.a))
        return -(density * (-self._below(x) + 1).inverse())

    def _below(self, x: Any) -> Any:
        """P(x) where x tends to zero."""
        return x.power(self.a) * LogKummer(self.a).value_of_model(x).exp() * (1 / arb.gamma_fmpq(self.a + 1))

    def large(self, x: Any) -> Any:
        return x.log() * (self.a - 1) - x + self.series(x).log() - arb.gamma_fmpq(self.a).log()

    def large_slope(self, x: Any) -> Any:
        return -self.series(x).inverse()

    def series(self, x: Any) -> Any:
        """Gamma(a, x) x^(1-a) e^x."""
        terms = [fmpq(1)]
        for k in range(1, max(order_of(x), int(self.a)) + 1):
            terms.append(terms[-1] * (self.a - k))
        return polynomial(x.inverse(), terms, remainder(x))


class LogKummer(Special):
    """log G, "kummer" (G is Kummer's M(a, a + 1, -x)); its slope -a/(a + 1) G_(a+1)/G, minus a mean of t, rises."""

    zeros = (0,)

    def __init__(self, a: fmpq) -> None:
        self.a = a
        self.riccati, self.tilt = (fmpq(0), -a, fmpq(-1), -(a + 1)), (fmpq(0), fmpq(0))

    def value(self, x: Ball) -> Ball:
        return at_ends(x.x, lambda t: _log_g(self.a, t))

    def slope(self, x: Ball) -> Ball:
        front = self.a / (self.a + 1)
        return at_ends(x.x, lambda t: -(_log_g(self.a + 1, t) - _log_g(self.a, t)).exp() * front)

    def bend(self, x: Ball) -> Ball:
        """A variance of something between 0 and 1."""
        return Ball(arb(0.125, 0.125))

    def large(self, x: Any) -> Any:
        return LogLowerGamma(self.a).large(x) - x.log() * self.a + arb.gamma_fmpq(self.a + 1).log()

    def large_slope(self, x: Any) -> Any:
        return LogLowerGamma(self.a).large_slope(x) - x.inverse() * self.a


@at_points
def _log_lower(a: fmpq, x: arb) -> arb:
    if x > a + 1:
        return (-accurately(lambda: x.gamma_upper(arb(a), 1))).log1p()
    return accurately(lambda: x.gamma_lower(arb(a), 1)).log()


@at_points
def _log_upper(a: fmpq, x: arb) -> arb:
    if x.is_zero():
        return arb(0)
    if x < a:
        return (-accurately(lambda: x.gamma_lower(arb(a), 1))).log1p()
    return accurately(lambda: x.gamma_upper(arb(a), 1)).log()


@at_points
def _log_g(a: fmpq, x: arb) -> arb:
    return arb(0) if x.is_zero() else (accurately(lambda: x.gamma_lower(arb(a), 2)) * arb.gamma_fmpq(a + 1)).log()


def _bend(a: fmpq, x: Ball, slope: Ball) -> Ball:
    """s' = s ((a - 1)/x - 1 - s), s the slope of log P or of log Q."""
    return slope * (x.inverse() * (a - 1) - 1 - slope)


def _log_density(a: fmpq, x: arb, log: arb) -> arb:
    """log of x^(a-1) e^-x / Gamma(a), less `log`."""
    return x.log() * (a - 1) - x - arb.gamma_fmpq(a).log() - log
