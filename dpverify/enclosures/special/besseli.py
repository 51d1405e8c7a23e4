"""The modified Bessel function of the first kind, I_p(x) = x^p B(x), p >= 0, where B, "besseli", is even and entire."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, hull
from dpverify.enclosures.special.base import SIGNED_UNIT, UNIT, Special, accurately, at_ends, at_points, order_of


class LogBesselI(Special):
    """log x^-p I_p(x), whose slope is I_(p+1)/I_p, which rises from -1 to 1.

    B(x) is a multiple of the integral of (1 - t^2)^(p-1/2) e^(x t) over -1 < t < 1, so the slope is a mean of t.
    """

    rises_from = 0

    def __init__(self, p: fmpq) -> None:
        self.p = p
        self.riccati, self.tilt = (fmpq(1), fmpq(0), fmpq(0), -(2 * p + 1)), (fmpq(0), fmpq(1))

    def value(self, x: Ball) -> Ball:
        if x.x.rad().is_zero():
            return Ball(_log(self.p, x.x))
        low = x.x.abs_lower()
        return Ball(_log(self.p, low).union(_log(self.p, x.x.abs_upper())))

    def slope(self, x: Ball) -> Ball:
        return at_ends(x.x, self._slope_at)

    def _slope_at(self, x: arb) -> arb:
        return x * (_log(self.p + 1, x) - _log(self.p, x)).exp()

    def bend(self, x: Ball) -> Ball:
        """v' = 1 - v^2 - (2p + 1) v/x, v the slope; a variance of something between -1 and 1."""
        if not x.x > 0:
            return Ball(UNIT)
        v = self.slope(x)
        inner = (-(v * v) - v * x.inverse() * (2 * self.p + 1) + 1).x
        return Ball(hull(inner.lower().max(arb(0)), inner.upper().min(arb(1))))

    def large(self, x: Any) -> Any:
        return x - x.log() * (self.p + fmpq(1, 2)) + scaled(self.p, x).log() - (arb.pi() * 2).log() / 2

    def large_slope(self, x: Any) -> Any:
        return scaled(self.p + 1, x) * scaled(self.p, x).inverse()


@at_points
def _log(p: fmpq, x: arb) -> arb:
    front = arb.gamma_fmpq(p + 1).log() + arb(2).log() * p
    return accurately(lambda: (x * x / 4).hypgeom_0f1(arb(p + 1))).log() - front


def scaled(p: fmpq, x: Any) -> Any:
    """I_p(x) sqrt(2 pi x) e^-x where x tends to infinity, over models and their increments.

    For m = p - 1/2 >= 0 it is the mean of (1 - s/(2x))^m, taken as 0 beyond s = 2x, under the gamma
    distribution of order p + 1/2.  With n terms of the binomial series the rest is at most
    2^n (1 + the sum of |binom(m, k)| over k <= n) (s/(2x))^n: below s = x by Taylor, where
    (1 - xi)^(m-n) <= 2^n, beyond since 2^n (s/(2x))^n >= (s/(2x))^k for each k <= n.
    For p < 1/2, I_p = I_(p+2) + 2(p+1)/x I_(p+1).
    """
    if p < fmpq(1, 2):
        return scaled(p + 2, x) + scaled(p + 1, x) * x.inverse() * (2 * (p + 1))
    n, m = order_of(x), p - fmpq(1, 2)
    binomials, moments = [fmpq(1)], [fmpq(1)]
    for k in range(n):
        binomials.append(binomials[-1] * (m - k) / (k + 1))
        moments.append(moments[-1] * (p + fmpq(1, 2) + k))
    terms = [b * g * fmpq((-1) ** k, 2**k) for k, (b, g) in enumerate(zip(binomials, moments, strict=True))]
    sizes = sum((abs(b) for b in binomials), fmpq(1))
    v = x.inverse()
    total = _either(x, sizes * moments[n])
    for a in reversed(terms[:n]):
        total = total * v + a
    return total


def _either(x: Any, size: fmpq) -> Any:
    """Something of modulus at most `size`, over a model or its increments."""
    from dpverify.enclosures.pairs import Shift

    if isinstance(x, Shift):
        return Shift(x.u.const(SIGNED_UNIT * size), x.u.const(SIGNED_UNIT * size * 2))
    return x.const(SIGNED_UNIT * size)
