"""The modified Bessel function of the first kind: I_p(x) = x^p B(x), B even and entire."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ..intervals import (
    D0, D1, DOWN, ONE, SIGNED_UNIT, UNIT, UP, Interval, hull, interval, meet, times)
from ..reader import FUNCTIONS, Function
from ..rules import require, rule
from ..tree import EXPONENTIAL, POSITIVE, Node, mul, power
from .constants import PI
from .evaluation import LOGS, VALUES, Evaluation
from .increments import Shift
from .loggamma import log_gamma_between
from .shapes import ENTIRE
from .smooth import Smooth, order_of, points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF, FINE = Fraction(1, 2), D1.scaleb(-62)


@rule("K146")
def far(p: Fraction, x: Any) -> Any:
    """I_p(x) sqrt(2 pi x) e^-x far out.

    Lemma.  For m = p - 1/2 >= 0 and x > 0 it is the sum over k < n of binom(m, k) (p + 1/2)_k
    (-2x)^-k plus at most (1 + the sum over k <= n of |binom(m, k)|) (p + 1/2)_n x^-n in modulus;
    for p < 1/2, I_p = I_(p+2) + 2 (p + 1)/x I_(p+1).
    """
    return scaled(p, x)


def scaled(p: Fraction, x: Any) -> Any:
    v = x.inverse()
    if p < HALF:
        return scaled(p + 2, x) + scaled(p + 1, x) * v * (2 * (p + 1))
    n, m = order_of(x), p - HALF
    binomial = moment = Fraction(1)
    sizes, terms = Fraction(2), []
    for k in range(n):
        terms.append(binomial * moment * Fraction((-1) ** k, 2**k))
        binomial, moment = binomial * (m - k) / (k + 1), moment * (p + HALF + k)
        sizes += abs(binomial)
    total = within(x, sizes * moment)
    for a in reversed(terms):
        total = total * v + a
    return total


def within(x: Any, size: Fraction) -> Any:
    """Anything of at most that modulus, over the ring of x."""
    if isinstance(x, Shift):
        return Shift(x.u.const(SIGNED_UNIT * size), x.u.const(SIGNED_UNIT * (2 * size)))
    return x.const(SIGNED_UNIT * size)


@rule("K145")
@lru_cache(20_000)
def log_point(p: Fraction, x: Decimal) -> Interval:
    """log B(x) at a point.

    Lemma.  B(x) = 2^-p/Gamma(p + 1) times the sum of (x^2/4)^k/(k! (p + 1) (p + 2) ... (p + k)),
    whose terms are not negative; from x^2 < 2 k^2 on each is below half of the one before.  Beyond
    200 + 10 p as far out (K146), with 60 terms; log Gamma(p + 1) by Stirling's series (K132).
    """
    moderate = x.is_finite() and x.adjusted() < 1000
    require(moderate, "besseli is taken too far out", "limits")
    at = Interval(x.copy_abs(), x.copy_abs())
    if at.lo > 200 + 10 * int(p):
        front = at - at.log() * (p + HALF) - (PI * 2).log() * HALF
        return front + scaled(p, at).log()
    square, term, k = at * at * Fraction(1, 4), ONE, 0
    total = term
    while term.hi > times(DOWN, total.lo, FINE) or UP.add(square.hi, square.hi) >= k * k:
        k += 1
        term = term * square * (1 / (k * (p + k)))
        total = total + term
    return (total + term * UNIT).log() - interval(2).log() * p - log_gamma_of(p + 1)


def log_gamma_of(x: Fraction) -> Interval:
    at = interval(x)
    return log_gamma_between(at.lo, at.hi)


class LogBesselI(Smooth):
    """log B of one order."""

    rises_from = 0

    def __init__(self, p: Fraction) -> None:
        self.p = p
        self.riccati, self.tilt = (1, 0, 0, -(2 * p + 1)), (0, 1)

    def value(self, x: Interval) -> Interval:
        """B is even, and rises with |x|."""
        low, high = points(x)
        ends = hull(log_point(self.p, low.lo), log_point(self.p, high.lo))
        return hull(ends, log_point(self.p, Decimal(0))) if x.lo < 0 < x.hi else ends

    @rule("K147")
    def slope(self, x: Interval) -> Interval:
        """The slope of log B on an interval.

        Lemma.  It is I_(p+1)(x)/I_p(x) = x B_(p+1)(x)/B_p(x), the mean of t under weights on
        (-1, 1) proportional to (1 - t^2)^(p-1/2) e^(x t), which move towards 1 as x grows; so it
        rises.
        """
        return hull(*(
            t * (log_point(self.p + 1, t.lo) - log_point(self.p, t.lo)).exp() for t in points(x)))

    @rule("K256")
    def bend(self, x: Interval) -> Interval:
        """The second derivative of log B.

        Lemma.  Of the slope v it is v' = 1 - v^2 - (2p + 1) v/x where x > 0, and the variance of t
        in (-1, 1) under the weights of K147: at least 0 and at most 1.
        """
        variance = Interval(D0, D1)
        if x.lo <= 0:
            return variance
        v = self.slope(x)
        return meet(-(v * v) - v * x.inverse() * (2 * self.p + 1) + 1, variance)

    def large(self, x: Any) -> Any:
        front = x - x.log() * (self.p + HALF) - (PI * 2).log() * HALF
        return front + far(self.p, x).log()

    def large_slope(self, x: Any) -> Any:
        return far(self.p + 1, x) * far(self.p, x).inverse()


@rule("K148")
def read_besseli(p: Node, x: Node) -> Node:
    """besseli as it is read.

    Definition.  I_p(x) = x^p B(x), with B(x) = 2^-p times the sum of
    (x^2/4)^k/(k! Gamma(p + k + 1)), for p >= 0; I_-n = I_n for whole n.  It has a value everywhere
    for whole p, else for x >= 0 (the need of the power x^p).
    """
    known = p.kind == "num" and (p.args[0] >= 0 or p.args[0].denominator == 1)
    require(known and abs(p.args[0]) <= 50, "the order of besseli is not a rational from 0 to 50")
    order = abs(p.args[0])
    node = Node("besseli", order, x)
    return mul(power(x, order), node) if order else node


def need_of_besseli(p: Node, x: Node) -> str:
    return "" if p.kind == "num" and p.args[0].denominator == 1 else "nonnegative"


def log_of_besseli(at: Evaluation, node: Node) -> tuple[int, Any]:
    return 1, LogBesselI(node.args[0]).of(at.value(node.args[1]))


FUNCTIONS["besseli"] = Function(read_besseli, 2, 2, needs=need_of_besseli)
VALUES["besseli"] = lambda at, node: log_of_besseli(at, node)[1].exp()
LOGS["besseli"] = log_of_besseli
POSITIVE.add("besseli")
EXPONENTIAL.add("besseli")
ENTIRE.add("besseli")
