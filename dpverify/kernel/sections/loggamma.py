"""The gamma function of a variable, by log Gamma."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb

from ..intervals import ONE, UNIT, ZERO, Interval, add_up, hull, interval, product_of
from ..reader import FUNCTIONS, Function
from ..rules import rule
from ..tree import Node
from .constants import PI
from .evaluation import VALUES
from .gamma import bernoulli, read_gamma
from .models import Model
from .shapes import ANALYTIC
from .smooth import (
    Smooth, composed, order_of, points, polynomial, positive, remainder, vanishes)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF = Fraction(1, 2)
STIRLING = 26
"""Terms of Stirling's series at a number above 39."""
FAR = 20
"""Beyond which Hurwitz's zeta is a series of so many terms: they fall up to the last one."""


def stirling_terms(n: int) -> list[Fraction]:
    """B_2k/(2k (2k - 1)) for k = 1 ... n."""
    return [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, n + 1)]


def stirling(x: Any) -> Any:
    i, n = x.inverse(), order_of(x, 2 * STIRLING - 2) // 2 + 1
    series = i * polynomial(i * i, stirling_terms(n), remainder(x))
    log = x.log()
    return x * log - log * HALF - x + series + (PI * 2).log() * HALF


def stirling_slope(x: Any) -> Any:
    i, n = x.inverse(), order_of(x, 2 * STIRLING - 2) // 2 + 1
    square, terms = i * i, [-t * (2 * k - 1) for k, t in enumerate(stirling_terms(n), 1)]
    return x.log() - i * HALF + square * polynomial(square, terms, remainder(x))


@rule("K130")
def large_log_gamma(x: Any) -> Any:
    """log Gamma(x) far out.

    Lemma.  For x > 0, log Gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 plus the sum over 0 < k < n
    of B_2k/(2k (2k-1)) x^(1-2k), plus theta times the n-th such term, 0 <= theta <= 1.
    """
    return stirling(x)


@rule("K131")
def large_digamma(x: Any) -> Any:
    """The slope of log Gamma far out.

    Lemma.  For x > 0, psi(x) = log x - 1/(2x) minus the sum over 0 < k < n of B_2k/(2k) x^(-2k),
    minus theta times the n-th such term, 0 <= theta <= 1.
    """
    return stirling_slope(x)


def lifted(x: Interval, least: int = 40) -> tuple[Interval, list[Interval]]:
    """x + n > 39, or another number less 1, and x, x + 1, ..., x + n - 1."""
    steps = max(0, least - int(min(x.lo, Decimal(least))))
    return x + steps, [x + k for k in range(steps)]


@lru_cache(20_000)
def log_gamma_between(low: Decimal, high: Decimal) -> Interval:
    z, factors = lifted(Interval(low, high))
    return stirling(z) - product_of([ONE, *factors]).log()


@lru_cache(20_000)
def digamma_between(low: Decimal, high: Decimal) -> Interval:
    z, factors = lifted(Interval(low, high))
    return stirling_slope(z) - add_up([ZERO, *(f.inverse() for f in factors)])


@rule("K132")
def log_gamma(x: Interval) -> Interval:
    """log Gamma of a number.

    Lemma.  log Gamma(x) = log Gamma(x + n) - log(x (x + 1) ... (x + n - 1)), for x > 0; and at
    x + n > 39 it is Stirling's series with 26 terms, the last of them times theta (as in K130).
    """
    return log_gamma_between(x.lo, x.hi)


@rule("K133")
def digamma(x: Interval) -> Interval:
    """The slope of log Gamma at a number.

    Lemma.  psi(x) = psi(x + n) - 1/x - 1/(x + 1) - ... - 1/(x + n - 1), for x > 0; and at
    x + n > 39 it is the slope of Stirling's series with 26 terms, the last of them times theta
    (as in K131).
    """
    return digamma_between(x.lo, x.hi)


@lru_cache(100)
def zeta_terms(k: int) -> list[Interval]:
    """B_2j binom(2j + k - 2, k - 1)/(2j) for j = 1 ... 26."""
    parts = range(2, 2 * STIRLING + 1, 2)
    return [interval(bernoulli(j) * comb(j + k - 2, k - 1) / j) for j in parts]


@lru_cache(20_000)
def zetas(x: Decimal, last: int) -> list[Interval]:
    """zeta(k, x) for 2 <= k <= last, at a point x > 0 (K530)."""
    z, factors = lifted(Interval(x, x), FAR)
    inverses, i = [f.inverse() for f in factors], z.inverse()
    square, found = i * i, list[Interval]()
    powers, front, sizes = inverses, ONE, [square]
    for _ in range(STIRLING - 1):
        sizes.append(sizes[-1] * square)
    for k in range(2, last + 1):
        powers, front = [p * q for p, q in zip(powers, inverses)], front * i
        *terms, rest = (c * size for c, size in zip(zeta_terms(k), sizes))
        series = add_up([*terms, rest * UNIT, i * HALF, interval(Fraction(1, k - 1))])
        found.append(add_up([front * series, *powers]))
    return found


@rule("K530")
def log_gamma_along(x: Any, first: Interval, slope: Interval) -> Any:
    """log Gamma along a power series (K150).

    Lemma.  For x > 0 and k > 1 the k-th derivative of log Gamma over k! is (-1)^k/k times
    zeta(k, x), the sum over j >= 0 of (x + j)^-k, which falls; and the sum over j >= n is, with
    z = x + n, z^(1-k) times 1/(k - 1) + 1/(2z) plus the sum over 0 < j < m of
    B_2j/(2j) binom(2j + k - 2, k - 1) z^-2j, plus theta times the m-th such term, 0 <= theta <= 1.
    If a_k are those of F at u_0, F(u) is the sum of a_k (u - u_0)^k.
    """
    last = len(x.c) - 1
    ends = [zetas(end.lo, last) for end in points(positive(x.c[0]))]
    derivatives = [hull(*pair) * Fraction((-1) ** k, k)
                   for k, pair in enumerate(zip(*ends, strict=True), 2)]
    return composed(x, [first, slope, *derivatives])


class LogGamma(Smooth):
    """log Gamma(x) for x > 0: convex, its slope psi rises."""

    zeros = (1, 2)
    rises_from = 2

    large, large_slope = staticmethod(large_log_gamma), staticmethod(large_digamma)  # type: ignore

    @rule("K134")
    def value(self, x: Interval) -> Interval:
        """log Gamma on an interval.

        Lemma.  It is convex: at most the larger of its values at the ends, and nowhere below its
        tangent at the left end, so not below its value there where that tangent does not fall.
        """
        low, high = points(positive(x))
        first, last, slope = log_gamma(low), log_gamma(high), digamma(low)
        least = first if slope.lo >= 0 else first + slope * (high - low)
        return Interval(least.lo, max(first.hi, last.hi))

    def slope(self, x: Interval) -> Interval:
        """psi rises."""
        low, high = points(positive(x))
        return hull(digamma(low), digamma(high))

    @rule("K257")
    def bend(self, x: Interval) -> Interval:
        """The second derivative of log Gamma.

        Lemma.  psi'(x) lies between 1/x + 1/(2x^2) and 1/x^2 + 1/(x + 1/2), for x > 0, and falls.
        """
        low, high = (end.inverse() for end in points(positive(x)))
        top = (low * low + (low.inverse() + HALF).inverse()).hi
        return Interval((high + high * high * HALF).lo, top)

    def along(self, x: Any) -> Any:
        return log_gamma_along(x, self.value(x.c[0]), self.slope(x.c[0]))

    def model(self, x: Model) -> Model:
        """Near zero by log Gamma(x) = log Gamma(1 + x) - log x."""
        return super().model(x + 1) - x.log() if vanishes(x) else super().model(x)

    def slope_model(self, x: Model) -> Model:
        return super().slope_model(x + 1) - x.inverse() if vanishes(x) else super().slope_model(x)


@rule("K141")
def read_gamma_function(u: Node) -> Node:
    """gamma and loggamma of a variable as they are read.

    Definition.  loggamma(u) = log Gamma(u), for u > 0; gamma(u) = exp(loggamma(u)) where u > 0, and
    of a number it is K92.  What gamma needs of a variable is more than it must: that it is
    positive.
    """
    return Node("loggamma", u)


def gamma_of(u: Node) -> Node:
    return read_gamma(u) if u.kind == "num" else Node("exp", read_gamma_function(u))


LOG_GAMMA = LogGamma()
FUNCTIONS.update({
    "gamma": Function(gamma_of, needs="no pole"),
    "loggamma": Function(read_gamma_function, needs="positive"),
})
VALUES["loggamma"] = lambda at, node: LOG_GAMMA.of(at.value(node.args[0]))
ANALYTIC.add("loggamma")
