"""The gamma function of a variable, and the incomplete gamma functions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ..evaluation import LOGS, VALUES, Evaluation
from ..forms import ANALYTIC, ENTIRE, FALLING, NEVER_NEGATIVE, RISING
from ..intervals import (
    D0,
    D1,
    DOWN,
    ONE,
    PI,
    UNIT,
    UP,
    ZERO,
    Interval,
    add_up,
    hull,
    interval,
    product_of,
    times,
)
from ..reader import FUNCTIONS, Function
from ..rules import require, rule
from ..tree import EXPONENTIAL, POSITIVE, UNFOLDED, Node, mul, num, power
from .exponentials import small_log1p
from .models import Model
from .smooth import (
    TINY,
    Smooth,
    order_of,
    points,
    polynomial,
    positive,
    remainder,
    vanishes,
)
from .special import bernoulli, read_gamma

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF = Fraction(1, 2)
FINE = D1.scaleb(-62)
STIRLING = 26
"""Terms of Stirling's series at a number above 39."""


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

    Lemma.  For x > 0, log Gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 plus the sum over 0 < k < n of
    B_2k/(2k (2k-1)) x^(1-2k), plus theta times the n-th such term, 0 <= theta <= 1.
    """
    return stirling(x)


@rule("K131")
def large_digamma(x: Any) -> Any:
    """The slope of log Gamma far out.

    Lemma.  For x > 0, psi(x) = log x - 1/(2x) minus the sum over 0 < k < n of B_2k/(2k) x^(-2k), minus
    theta times the n-th such term, 0 <= theta <= 1.
    """
    return stirling_slope(x)


def lifted(x: Interval) -> tuple[Interval, list[Interval]]:
    """x + n > 39, and x, x + 1, ..., x + n - 1."""
    steps = max(0, 40 - int(min(x.lo, Decimal(40))))
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

    Lemma.  psi(x) = psi(x + n) - 1/x - 1/(x + 1) - ... - 1/(x + n - 1), for x > 0; and at x + n > 39 it
    is the slope of Stirling's series with 26 terms, the last of them times theta (as in K131).
    """
    return digamma_between(x.lo, x.hi)


class LogGamma(Smooth):
    """log Gamma(x) for x > 0: convex, its slope psi rises."""

    zeros = (1, 2)

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
        return Interval(least.lo if slope.lo >= 0 else min(first.lo, least.lo), max(first.hi, last.hi))

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
        return Interval((high + high * high * HALF).lo, (low * low + (low.inverse() + HALF).inverse()).hi)

    def model(self, x: Model) -> Model:
        """Near zero by log Gamma(x) = log Gamma(1 + x) - log x."""
        return super().model(x + 1) - x.log() if vanishes(x) else super().model(x)

    def slope_model(self, x: Model) -> Model:
        return super().slope_model(x + 1) - x.inverse() if vanishes(x) else super().slope_model(x)


@lru_cache(20_000)
def kummer_sum(a: Fraction, x: Decimal) -> Interval:
    at, term, k = Interval(x, x), ONE, 0
    total = term
    while term.hi > times(DOWN, total.lo, FINE) or UP.add(at.hi, at.hi) >= int(a) + k + 1:
        k += 1
        term = term * at * (1 / (a + k))
        total = total + term
    return (total + term * UNIT).log() - at


@rule("K135")
def log_kummer(a: Fraction, x: Interval) -> Interval:
    """log G at a point up to 70 + 2a, G(x) = x^-a Gamma(a + 1) P(x).

    Lemma.  G(x), the integral of a t^(a-1) e^(-x t) over 0 < t < 1, is e^-x times the sum of
    x^k/((a + 1) (a + 2) ... (a + k)), whose terms are positive for x > 0; from 2x < a + k + 1 on each
    is below half of the one before.
    """
    return kummer_sum(a, x.lo)


def upper_series(a: Fraction, x: Any) -> Any:
    """x^(1-a) e^x Gamma(a, x)."""
    terms = [Fraction(1)]
    for k in range(1, max(order_of(x), int(a)) + 1):
        terms.append(terms[-1] * (a - k))
    return polynomial(x.inverse(), terms, remainder(x))


def log_upper(a: Fraction, x: Any, log_gamma_a: Interval) -> Any:
    return x.log() * (a - 1) - x + upper_series(a, x).log() - log_gamma_a


@rule("K136")
def large_log_upper(a: Fraction, x: Any) -> Any:
    """log Q(x) far out.

    Lemma.  Gamma(a, x) x^(1-a) e^x is the sum over k < n of (a-1)(a-2)...(a-k) x^-k plus theta times
    the n-th such term, 0 <= theta <= 1, for every x > 0 and n >= a - 1.
    """
    return log_upper(a, x, log_gamma(interval(a)))


@lru_cache(20_000)
def parts_at(a: Fraction, x: Decimal, log_gamma_a: Interval) -> tuple[Interval, Interval]:
    at = Interval(x, x)
    if x > 70 + 2 * int(a):
        log = log_upper(a, at, log_gamma_a)
        return log_of_rest(log.exp()), log
    log = at.log() * a + kummer_sum(a, x) - log_gamma_a - interval(a).log()
    return log, log_of_rest(log.exp())


@rule("K137")
def log_parts(a: Fraction, x: Interval) -> tuple[Interval, Interval]:
    """log P and log Q at a point.

    Lemma.  P = x^a G(x)/(a Gamma(a)), G from its sum (as in K135), up to 70 + 2a, and P + Q = 1; beyond,
    Q by 60 terms of its series (as in K136).
    """
    return parts_at(a, x.lo, log_gamma(interval(a)))


def log_of_rest(part: Interval) -> Interval:
    """log(1 - part)."""
    return small_log1p(-part) if part.hi < TINY else (-part + 1).log()


class Part(Smooth):
    """log P (`upper` False) or log Q of one order."""

    def __init__(self, a: Fraction, upper: bool) -> None:
        self.a, self.upper = a, upper

    def value(self, x: Interval) -> Interval:
        """P rises and Q falls."""
        ends = points(positive(x, closed=self.upper))
        return hull(*(log_parts(self.a, end)[self.upper] if end.lo else ZERO for end in ends))

    @rule("K138")
    def slope(self, x: Interval) -> Interval:
        """The slopes of log P and log Q on an interval.

        Lemma.  With D = x^(a-1) e^-x/Gamma(a) they are D/P and -D/Q, both monotone.
        """
        a, front = self.a, -1 if self.upper else 1
        ends = points(positive(x))
        logs = [t.log() * (a - 1) - t - log_gamma(interval(a)) - log_parts(a, t)[self.upper] for t in ends]
        return hull(*(log.exp() * front for log in logs))

    @rule("K255")
    def bend(self, x: Interval) -> Interval:
        """The second derivatives of log P and log Q.

        Lemma.  Of the slope s it is s' = s ((a - 1)/x - 1 - s), for x > 0.
        """
        s = self.slope(x)
        return s * (positive(x).inverse() * (self.a - 1) - 1 - s)

    def model(self, x: Model) -> Model:
        return self.small(x) if vanishes(x) else super().model(x)

    @rule("K139")
    def small(self, x: Model) -> Model:
        """log P and log Q where x tends to 0.

        Lemma.  P = x^a G(x)/Gamma(a + 1), and Q = 1 - P.
        """
        log = x.log() * self.a + Kummer(self.a).model(x) - log_gamma(interval(self.a + 1))
        return (-log.exp() + 1).log() if self.upper else log

    def slope_model(self, x: Model) -> Model:
        """As K138; near zero from K139, since (log P)' = a/x + (log G)'."""
        if not vanishes(x):
            return super().slope_model(x)
        if not self.upper:
            return x.inverse() * self.a + Kummer(self.a).slope_model(x)
        density = x.power(self.a - 1) * (-x).exp() * (-log_gamma(interval(self.a))).exp()
        return -(density * self.small(x).exp().inverse())

    def large(self, x: Any) -> Any:
        log = large_log_upper(self.a, x)
        return log if self.upper else (-log.exp() + 1).log()

    def large_slope(self, x: Model) -> Model:
        if self.upper:
            return -upper_series(self.a, x).inverse()
        density = (x.log() * (self.a - 1) - x - log_gamma(interval(self.a))).exp()
        return density * (-large_log_upper(self.a, x).exp() + 1).inverse()


class Kummer(Smooth):
    """log G, which is 0 at 0."""

    zeros = (0,)

    def __init__(self, a: Fraction) -> None:
        self.a = a

    def value(self, x: Interval) -> Interval:
        """G falls."""
        return hull(*(kummer_log(self.a, end) for end in points(positive(x, closed=True))))

    @rule("K140")
    def slope(self, x: Interval) -> Interval:
        """The slope of log G on an interval.

        Lemma.  It is -a/(a + 1) G_(a+1)/G_a, minus the mean of t under weights that move towards 0 as x
        grows; so it rises.
        """
        a = self.a
        return hull(*(
            -(kummer_log(a + 1, end) - kummer_log(a, end)).exp() * (a / (a + 1))
            for end in points(positive(x, closed=True))))

    @rule("K258")
    def bend(self, x: Interval) -> Interval:
        """The second derivative of log G.

        Lemma.  It is the variance of t in (0, 1) under the weights of K140: at least 0 and at most 1/4.
        """
        return Interval(D0, (interval(Fraction(1, 4)) * ONE).hi)

    def large(self, x: Any) -> Any:
        """From K136, since G = Gamma(a + 1) x^-a P."""
        return Part(self.a, False).large(x) - x.log() * self.a + log_gamma(interval(self.a + 1))

    def large_slope(self, x: Model) -> Model:
        return Part(self.a, False).large_slope(x) - x.inverse() * self.a


def kummer_log(a: Fraction, x: Interval) -> Interval:
    if not x.lo:
        return ZERO
    if x.lo <= 70 + 2 * int(a):
        return log_kummer(a, x)
    return log_parts(a, x)[0] - x.log() * a + log_gamma(interval(a + 1))


@rule("K141")
def read_gamma_function(u: Node) -> Node:
    """gamma and loggamma of a variable as they are read.

    Definition.  loggamma(u) = log Gamma(u), for u > 0; gamma(u) = exp(loggamma(u)) where u > 0, and of
    a number it is K92.  What gamma needs of a variable is more than it must: that it is positive.
    """
    return Node("loggamma", u)


@rule("K142")
def read_incomplete(kind: str, a: Node, x: Node) -> Node:
    """gammainc and gammaincc as they are read.

    Definition.  P(x) = gammainc(a, x) is the integral of t^(a-1) e^-t over 0 < t < x, and
    Q(x) = gammaincc(a, x) that over t > x, divided by Gamma(a), for a > 0 and x >= 0.  Beside a negative
    power of r, P = x^a G(x)/Gamma(a + 1).
    """
    known = a.kind == "num" and 0 < a.args[0] <= 50
    require(known, f"the order of {kind} is not a positive rational up to 50")
    return Node("lowergamma" if kind == "gammainc" else "uppergamma", a.args[0], x)


def without_pole(node: Node) -> Node:
    a, x = node.args
    return mul(power(x, a), Node("kummer", a, x), power(Node("gamma", num(a + 1)), Fraction(-1)))


LOG_GAMMA = LogGamma()


def function_of(node: Node) -> Smooth:
    if node.kind == "kummer":
        return Kummer(node.args[0])
    return Part(node.args[0], node.kind == "uppergamma")


def log_of_part(at: Evaluation, node: Node) -> tuple[int, Any]:
    return 1, function_of(node).of(at.value(node.args[1]))


def gamma_of(u: Node) -> Node:
    return read_gamma(u) if u.kind == "num" else Node("exp", read_gamma_function(u))


PARTS = ("lowergamma", "uppergamma", "kummer")
FUNCTIONS.update({
    "gamma": Function(gamma_of, needs="no pole"),
    "loggamma": Function(read_gamma_function, needs="positive"),
    "gammainc": Function(lambda a, x: read_incomplete("gammainc", a, x), 2, 2, "nonnegative"),
    "gammaincc": Function(lambda a, x: read_incomplete("gammaincc", a, x), 2, 2, "nonnegative"),
})
VALUES["loggamma"] = lambda at, node: LOG_GAMMA.of(at.value(node.args[0]))
for kind in PARTS:
    LOGS[kind] = log_of_part
    VALUES[kind] = lambda at, node: log_of_part(at, node)[1].exp()
UNFOLDED["lowergamma"] = without_pole
POSITIVE.update({"uppergamma", "kummer"})
NEVER_NEGATIVE["lowergamma"] = lambda node: True
EXPONENTIAL.update(PARTS)
RISING.add("lowergamma")
FALLING.update({"uppergamma", "kummer"})
ANALYTIC.update({"loggamma", "lowergamma", "uppergamma"})
ENTIRE.add("kummer")
