"""The error function and its complement, by log erfc."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from ..intervals import (
    D0, DOWN, INF, NEG_INF, SIGNED_UNIT, TWO, UNIT, UP, Interval, hull, interval, meet)
from ..reader import FUNCTIONS, Function
from ..rules import require, rule
from ..tree import EXPONENTIAL, POSITIVE, Node, add, minus, num
from .constants import PI
from .evaluation import LOGS, VALUES
from .exponentials import softplus
from .increments import Shift
from .models import CONSTANT, Model
from .optional import may_use
from .rings import by_ring
from .shapes import ENTIRE, FALLING
from .short import far_ahead, short_increment
from .slopes import Slope
from .smooth import composed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF, SMALL, NARROW = Fraction(1, 2), Decimal("1e-70"), Decimal("1e-6")


def log_erfc_point(x: Decimal) -> Interval:
    """log erfc(x): by its asymptotic series from 8 on, else from the series of erf."""
    known = x.is_finite() and x.adjusted() < 1000
    require(known, "erfc is evaluated at something unbounded", "limits")
    at = Interval(x.copy_abs(), x.copy_abs())
    if x >= 8:
        return large_log_erfc(at, 64, UNIT)
    if x <= -8:
        return (interval(2) - large_log_erfc(at, 64, UNIT).exp()).log()
    return erfc_by_series(x)


@rule("K87")
@lru_cache(20_000)
def erfc_by_series(x: Decimal) -> Interval:
    """log erfc(x) for |x| < 8.

    Lemma.  erf(x) = 2/sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1)/(1 3 ...
    (2n+1)), whose terms are positive; from 2 x^2 < n + 1 on each is below half of the one before.
    """
    size = x.copy_abs()
    total, last = erf_terms(size, UP)
    erf = Interval(erf_terms(size, DOWN)[0], UP.add(total, last))
    erf = erf * (-(Interval(size, size) * Interval(size, size))).exp() * 2 * PI.power(-HALF)
    return (erf * (1 if x < 0 else -1) + 1).log()


def erf_terms(x: Decimal, way: Context) -> tuple[Decimal, Decimal]:
    """The sum of the terms, all rounded one way, and the last of them, for x >= 0."""
    square, total, term, n = way.multiply(way.multiply(x, x), TWO), x, x, 1
    while term > SMALL or square > n:
        term = way.divide(way.multiply(term, square), Decimal(2 * n + 1))
        total, n = way.add(total, term), n + 1
    return total, term


def erfc_series(x: Any, order: int, theta: Any) -> Any:
    """x exp(x^2) sqrt(pi) erfc(x): sum over k < n of a_k x^(-2k) + theta a_n x^(-2n),
    a_k = (-1)^k (1/2)_k."""
    v, a = (x * x).inverse(), rising_factors(order)
    series = theta * a[order]
    for k in range(order - 1, -1, -1):
        series = series * v + a[k]
    return series


@lru_cache(maxsize=100)
def rising_factors(order: int) -> tuple[Fraction, ...]:
    """a_k up to the order."""
    a = [Fraction(1)]
    for k in range(order):
        a.append(-a[-1] * Fraction(2 * k + 1, 2))
    return tuple(a)


@rule("K88")
def large_log_erfc(x: Any, order: int, theta: Any) -> Any:
    """log erfc(x) far out.

    Lemma.  erfc(x) is e^(-x^2)/(x sqrt(pi)) times its asymptotic series,
    with remainder below the first term left out and of its sign, for x > 0.
    """
    return -(x * x) - x.log() + erfc_series(x, order, theta).log() - PI.log() * HALF


@by_ring
def log_erfc(x: Any) -> Any:
    """log erfc(x), over any ring."""
    raise TypeError


@by_ring
def erfc_hazard(x: Any) -> Any:
    """2 exp(-x^2)/(sqrt(pi) erfc(x)) = -(log erfc)'(x), over any ring."""
    return (-(x * x) - log_erfc(x)).exp() * (PI.power(-HALF) * 2)


@log_erfc.register(Interval)
def log_erfc_of_interval(x: Interval) -> Interval:
    """erfc falls, to 0."""
    low = NEG_INF if x.hi == INF else log_erfc_point(x.hi).lo
    return Interval(low, log_erfc_point(x.lo).hi)


@erfc_hazard.register(Interval)
@rule("K89")
def erfc_hazard_of_interval(x: Interval) -> Interval:
    """The slope of -log erfc on an interval.

    Lemma.  exp(-x^2)/erfc(x) increases on the whole line; erfc falls.
    """
    low, high = (
        -(Interval(e, e) * Interval(e, e)) - log_erfc_point(e) for e in (x.lo, x.hi))
    return hull(low, high).exp() * 2 * PI.power(-HALF)


@log_erfc.register(Model)
def log_erfc_of_model(x: Model) -> Model:
    lead, c = x.leading()
    if lead > CONSTANT and c.lo > 0:
        return large_log_erfc(x, x.germ.order, x.const(UNIT))
    if lead > CONSTANT:  # erfc(x) = 2 - erfc(-x)
        require(c.hi < 0, "the argument of erfc has no proved sign")
        log_2 = interval(2).log()
        return softplus(log_erfc_of_model(-x) - log_2, -1) + log_2
    slope = -erfc_hazard_of_interval(x.span())
    return x.vanishing() * slope + log_erfc_of_interval(x.limit())


@erfc_hazard.register(Model)
def erfc_hazard_of_model(x: Model) -> Model:
    lead, c = x.leading()
    if lead > CONSTANT and c.lo > 0:
        return x * erfc_series(x, x.germ.order, x.const(UNIT)).inverse() * 2
    if lead > CONSTANT:
        return (-(x * x) - log_erfc_of_model(x)).exp() * (PI.power(-HALF) * 2)
    return x.const(erfc_hazard_of_interval(x.span()))


@log_erfc.register(Slope)
def log_erfc_of_slope(x: Slope) -> Slope:
    if type(x) is not Slope:
        return log_erfc_along(x)
    return Slope(log_erfc(x.u), -(erfc_hazard(x.u) * x.du))


def log_erfc_along(x: Any) -> Any:
    """Along a power series (K150): the hazard h has h' = h (h - 2x) x', and erfc itself
    -2/sqrt(pi) e^(-x^2) x'."""
    first = log_erfc_of_interval(x.c[0])
    log = x.along(first, -x.bernoulli(erfc_hazard_of_interval(x.c[0]), x * -2))
    if UP.subtract(x.c[0].hi, x.c[0].lo) > NARROW and may_use("K531"):
        log = type(x)(list(map(meet, log.c, about_each(x, first).c)))
    rate = PI.power(-HALF) * -2
    return type(x)(log.c, None, lambda: x.along(first.exp(), (-(x * x)).exp() * rate))


@rule("K531")
def about_each(x: Any, first: Interval) -> Any:
    """log erfc(u) along a power series about each point of an interval.

    Lemma.  E(x) = e^(x^2) erfc(x) is the integral of 2/sqrt(pi) e^(-t^2 - 2 x t) over t > 0, so
    that each of its derivatives is monotone: its coefficients about a point of an interval lie
    between those about the ends.  E' = 2 x E - 2/sqrt(pi), and log erfc(u) = log E(u) - u^2.
    """
    n, about = len(x.c), x.c[0]
    pairs = zip(*(scaled_erfc(end, n) for end in (about.lo, about.hi)), strict=True)
    _, *log = type(x)([hull(*pair) for pair in pairs]).log().c
    log[:2] = [a - b for a, b in zip(log, (about * 2, interval(1)))]
    return composed(x, [first, *log])


def scaled_erfc(x: Decimal, n: int) -> list[Interval]:
    """The first n coefficients of E about x."""
    at = Interval(x, x)
    found = [(at * at + log_erfc_point(x)).exp()]
    found.append(at * found[0] * 2 - PI.power(-HALF) * 2)
    for k in range(2, n):
        found.append((at * found[-1] + found[-2]) * Fraction(2, k))
    return found[:n]


@log_erfc.register(Shift)
def log_erfc_of_shift(x: Shift) -> Shift:
    if far_ahead(x):
        theta = Shift(x.u.const(UNIT), x.u.const(SIGNED_UNIT))
        return large_log_erfc(x, x.u.germ.order, theta)
    near = short_increment(
        x.u, x.ahead(), x.du, lambda u: -erfc_hazard_of_interval(u), log_erfc_bend)
    if near is not None:
        return Shift(lambda: log_erfc(x.u), near)
    log = log_erfc(x.u)
    return Shift(log, log_erfc(x.ahead()) - log)


@rule("K253")
def log_erfc_bend(x: Interval) -> Interval:
    """The second derivative of log erfc.

    Lemma.  With h = -(log erfc)' it is -h', h' = h (h - 2x), and 0 < h' < 2.
    """
    h = erfc_hazard_of_interval(x)
    return -meet(h * (h - x * 2), Interval(D0, TWO))


@rule("K91")
def read_error_function(kind: str, u: Node) -> Node:
    """erf and erfc as they are read.

    Definition.  erfc(x) is 2/sqrt(pi) times the integral of exp(-t^2) over t > x; erf = 1 - erfc.
    """
    node = Node("erfc", u)
    return node if kind == "erfc" else add(num(1), minus(node))


FUNCTIONS.update({
    "erfc": Function(lambda u: read_error_function("erfc", u)),
    "erf": Function(lambda u: read_error_function("erf", u)),
})
VALUES["erfc"] = lambda at, node: log_erfc(at.value(node.args[0])).exp()
LOGS["erfc"] = lambda at, node: (1, log_erfc(at.value(node.args[0])))
for kinds in (POSITIVE, EXPONENTIAL, FALLING, ENTIRE):
    kinds.add("erfc")
