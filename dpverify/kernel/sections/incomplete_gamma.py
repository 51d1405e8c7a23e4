"""The incomplete gamma functions P and Q, divided by Gamma(a)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ..intervals import D0, D1, DOWN, ONE, UNIT, UP, ZERO, Interval, hull, interval, times
from ..reader import FUNCTIONS, Function
from ..rules import require, rule
from ..tree import EXPONENTIAL, NEVER_NEGATIVE, POSITIVE, UNFOLDED, Node, mul, num, power
from .evaluation import LOGS, VALUES, Evaluation
from .exponentials import small_log1p
from .loggamma import log_gamma
from .models import Model
from .shapes import ANALYTIC, ENTIRE, FALLING, RISING
from .smooth import TINY, Smooth, order_of, points, polynomial, positive, remainder, vanishes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FINE = D1.scaleb(-62)


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
    x^k/((a + 1) (a + 2) ... (a + k)), whose terms are positive for x > 0; from 2x < a + k + 1 on
    each is below half of the one before.
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

    Lemma.  Gamma(a, x) x^(1-a) e^x is the sum over k < n of (a-1)(a-2)...(a-k) x^-k plus theta
    times the n-th such term, 0 <= theta <= 1, for every x > 0 and n >= a - 1.
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

    Lemma.  P = x^a G(x)/(a Gamma(a)), G from its sum (as in K135), up to 70 + 2a, and P + Q = 1;
    beyond, Q by 60 terms of its series (as in K136).
    """
    return parts_at(a, x.lo, log_gamma(interval(a)))


def log_of_rest(part: Interval) -> Interval:
    """log(1 - part)."""
    return small_log1p(-part) if part.hi < TINY else (-part + 1).log()


class Part(Smooth):
    """log P (`upper` False) or log Q of one order."""

    def __init__(self, a: Fraction, upper: bool) -> None:
        self.a, self.upper = a, upper
        self.riccati, self.tilt = (0, 0, -1, a - 1), (0, -1) if upper else (a, 0)

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
        logs = [t.log() * (a - 1) - t - log_gamma(interval(a)) - log_parts(a, t)[self.upper]
                for t in ends]
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
        self.riccati = (0, -a, -1, -(a + 1))

    def value(self, x: Interval) -> Interval:
        """G falls."""
        return hull(*(kummer_log(self.a, end) for end in points(positive(x, closed=True))))

    @rule("K140")
    def slope(self, x: Interval) -> Interval:
        """The slope of log G on an interval.

        Lemma.  It is -a/(a + 1) G_(a+1)/G_a, minus the mean of t under weights that move towards 0
        as x grows; so it rises.
        """
        a = self.a
        return hull(*(
            -(kummer_log(a + 1, end) - kummer_log(a, end)).exp() * (a / (a + 1))
            for end in points(positive(x, closed=True))))

    @rule("K258")
    def bend(self, x: Interval) -> Interval:
        """The second derivative of log G.

        Lemma.  It is the variance of t in (0, 1) under the weights of K140: at least 0 and at most
        1/4.
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


@rule("K142")
def read_incomplete(kind: str, a: Node, x: Node) -> Node:
    """gammainc and gammaincc as they are read.

    Definition.  P(x) = gammainc(a, x) is the integral of t^(a-1) e^-t over 0 < t < x, and
    Q(x) = gammaincc(a, x) that over t > x, divided by Gamma(a), for a > 0 and x >= 0.  Beside a
    negative power of r, P = x^a G(x)/Gamma(a + 1).
    """
    known = a.kind == "num" and 0 < a.args[0] <= 50
    require(known, f"the order of {kind} is not a positive rational up to 50")
    return Node("lowergamma" if kind == "gammainc" else "uppergamma", a.args[0], x)


def without_pole(node: Node) -> Node:
    a, x = node.args
    return mul(power(x, a), Node("kummer", a, x), power(Node("gamma", num(a + 1)), Fraction(-1)))


def function_of(node: Node) -> Smooth:
    if node.kind == "kummer":
        return Kummer(node.args[0])
    return Part(node.args[0], node.kind == "uppergamma")


def log_of_part(at: Evaluation, node: Node) -> tuple[int, Any]:
    return 1, function_of(node).of(at.value(node.args[1]))


PARTS = ("lowergamma", "uppergamma", "kummer")
FUNCTIONS.update({
    "gammainc": Function(lambda a, x: read_incomplete("gammainc", a, x), 2, 2, "nonnegative"),
    "gammaincc": Function(lambda a, x: read_incomplete("gammaincc", a, x), 2, 2, "nonnegative"),
})
for kind in PARTS:
    LOGS[kind] = log_of_part
    VALUES[kind] = lambda at, node: log_of_part(at, node)[1].exp()
UNFOLDED["lowergamma"] = without_pole
POSITIVE.update({"uppergamma", "kummer"})
NEVER_NEGATIVE["lowergamma"] = lambda node: True
EXPONENTIAL.update(PARTS)
RISING.add("lowergamma")
FALLING.update({"uppergamma", "kummer"})
ANALYTIC.update({"lowergamma", "uppergamma"})
ENTIRE.add("kummer")
