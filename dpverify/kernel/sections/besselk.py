"""The modified Bessel function K, by log x^p K_p(x)."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import factorial

from ..intervals import (
    ANY, D0, D1, DOWN, INF, SIGNED_UNIT, TWO, UNIT, UP, Interval, add_up, hull, interval, times)
from ..reader import FUNCTIONS, Function
from ..rules import LEDGER, Ledger, Rejected, require, rule
from ..tree import EXPONENTIAL, POSITIVE, Node, add, minus, mul, num, power
from .constants import PI, from_digits
from .evaluation import LOGS, VALUES
from .gamma import gamma
from .increments import Shift
from .models import CONSTANT, Model
from .optional import may_use
from .rings import by_ring
from .shapes import ANALYTIC, FALLING
from .short import far_ahead, short_increment
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROUGH = Context(prec=34, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
EULER = from_digits("0.5772156649015328606065120900824024310421593359399235988057672348")
COS_ONE = from_digits("0.5403023058681397174009366074429766037323104206179222276700972553")
HALF = Fraction(1, 2)
FEW_DIGITS = Context(prec=40, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
MOST_NODES, MANY, MOST_IN_ALL = 30_000, 300, 60_000
"""Of the trapezoidal rule: 30,000 take seconds, and megabytes where they are kept; at how many a
number is a dear one, and how many all dear ones of a replay may take."""
FAR, ENOUGH = 40, Decimal("1e-32")
"""From where on, beyond the order's square, Hankel's series has a term so small."""


@lru_cache(MOST_NODES)
def besselk_node(orders: tuple[Fraction, Fraction], h: Fraction, k: int) -> list[Interval]:
    """cosh t, and cosh(p t) for both orders p, at t = k h."""
    both = [(interval(h * k * p).exp(), interval(-h * k * p).exp()) for p in (1, *orders)]
    return [(up + down) * HALF for up, down in both]


def besselk_point(p: Fraction, x: Decimal) -> tuple[Interval, Interval]:
    """K_p(x) and K_|p-1|(x)."""
    orders, at = (p, abs(p - 1)), Interval(x, x)
    if p.denominator == 2:
        return besselk_half(orders[0], at), besselk_half(orders[1], at)
    if x >= FAR + max(orders) ** 2 and may_use("K470"):
        return besselk_far_out(orders[0], x), besselk_far_out(orders[1], x)
    first, second, nodes = besselk_by_trapezes(orders, x)
    ledger = LEDGER.get(None)
    if nodes >= MANY and ledger is not None:
        spend(ledger, (orders, x), nodes)
    return first, second


def spend(ledger: Ledger, number: Any, nodes: int) -> None:
    """A dear number counts once in a replay, up to a limit for all of them together."""
    ledger.spent[number] = nodes
    often = "K_p is evaluated too often near zero or far out"
    require(sum(ledger.spent.values()) <= MOST_IN_ALL, often, "limits")


@rule("K82")
@lru_cache(20_000)
def besselk_by_trapezes(orders: tuple[Fraction, Fraction], x: Decimal
                        ) -> tuple[Interval, Interval, int]:
    """K_p(x) by the trapezoidal rule.

    Lemma.  K_p(x) is the integral of exp(-x cosh t) cosh(p t) over t > 0.  The integrand is
    analytic for |Im t| < 1, where its integrals are at most those of K_q(x cos 1) for the next
    half-integer q; so the rule of step h errs by at most 2 K_q(x cos 1) / (exp(2 pi / h) - 1).
    From a node on at which the integrand's logarithm falls at the rate D, the rest is at most
    the last term over D h.
    """
    at, near = Interval(x, x), -300 <= x.adjusted() <= 6
    require(near, "K_p is evaluated too near zero or too far out", "limits")
    h = Fraction(1, 12 * (1 + int(x) // 24 + int(max(orders)) // 4))
    totals = [(-at).exp() * HALF] * 2
    for k in range(1, MOST_NODES):
        c, *weights = besselk_node(orders, h, k)
        front = rough_exp(-(at * c))
        terms = [front * w for w in weights]
        pairs = list(zip(totals, terms, strict=True))
        totals = [total + term for total, term in pairs]
        if any(term.hi > times(DOWN, total.lo, D1.scaleb(-28)) for total, term in pairs):
            continue
        decay = at * (c * c - 1).power(HALF) - max(orders)
        if decay.lo > 0:
            rest = decay.inverse() * (1 / h) * UNIT
            error = ((PI * (2 / h)).exp() - 1).inverse() * SIGNED_UNIT * 2
            halves = [HALF + max(0, -((HALF - q) // 1)) for q in orders]
            first, second = (
                (total + term * rest) * h + half_integer(q, at * COS_ONE) * error
                for total, term, q in zip(totals, terms, halves, strict=True))
            return first, second, k
    raise Rejected("K_p is evaluated too near zero")


@rule("K470")
@lru_cache(20_000)
def besselk_far_out(p: Fraction, x: Decimal) -> Interval:
    """K_p(x) at a number far out, by Hankel's series.

    Lemma.  For x > 0 and p >= 0, K_p(x) = sqrt(pi/(2x)) e^-x times Hankel's series in 1/x (K85),
    cut off before a term of order |p| - 1/2 or more; the rest is at most that term, and of its
    sign.
    """
    at = Interval(x, x)
    v, term, total, k = at.inverse(), interval(1), interval(0), 0
    while k < p or max(term.hi, term.lo.copy_negate()) > ENOUGH:
        require(k < MOST_NODES, "K_p is not far out enough for its order")
        k, total = k + 1, total + term
        term = term * v * ((4 * p * p - (2 * k - 1) ** 2) / (8 * k))
    return (PI * v * HALF).power(HALF) * (-at).exp() * (total + term * UNIT)


def rough_exp(x: Interval) -> Interval:
    """exp of a narrow interval to some 34 digits: e^w <= 1 + 2w for its width w <= 1."""
    e, width = ROUGH.exp(x.lo), UP.subtract(x.hi, x.lo)
    require(width <= 1, "an exponent is not known closely")
    stretch = UP.add(D1, UP.multiply(width, TWO))
    return Interval(max(D0, ROUGH.next_minus(e)), UP.multiply(ROUGH.next_plus(e), stretch))


@rule("K81")
def besselk_half(q: Fraction, x: Interval) -> Interval:
    """K_(n+1/2)(x).

    Lemma.  It is sqrt(pi/(2x)) e^-x times the sum over k of (n+k)!/(k!(n-k)!) (2x)^-k.
    """
    return half_integer(q, x)


def half_integer(q: Fraction, x: Interval) -> Interval:
    n, inverse = int(q - HALF), (x * 2).inverse()
    total = add_up(
        inverse.power(Fraction(k)) * Fraction(factorial(n + k), factorial(k) * factorial(n - k))
        for k in range(n + 1))
    return (PI * inverse).power(HALF) * (-x).exp() * total


def hankel(p: Fraction, v: Any, order: int, theta: Any) -> Any:
    """sum over k < n of a_k(p) v^k + theta a_n v^n: K_p(1/v) = sqrt(pi v/2) e^(-1/v) times it."""
    n, a = max(order, int(p) + 1), [Fraction(1)]
    for k in range(1, n + 1):
        a.append(a[-1] * (4 * p * p - (2 * k - 1) ** 2) / (8 * k))
    result = theta * a[n]
    for k in range(n - 1, -1, -1):
        result = result * v + a[k]
    return result


@by_ring
def log_matern(x: Any, p: Fraction) -> Any:
    """log x^p K_p(x), p >= 0, over any ring."""
    raise TypeError


@by_ring
def besselk_ratio(x: Any, p: Fraction) -> Any:
    """K_(p-1)(x) / K_p(x), over any ring: the slope of -log x^p K_p(x)."""
    return (log_matern(x, abs(p - 1)) - log_matern(x, p) + x.log() * (p - abs(p - 1))).exp()


@log_matern.register(Interval)
@rule("K83")
def log_matern_of_interval(x: Interval, p: Fraction) -> Interval:
    """x^p K_p(x) on an interval.

    Lemma.  Its derivative is -x^p K_(p-1)(x) < 0, so it falls; to 0.  With m = max(1,
    K_(p-1)/K_p at a), log x^p K_p falls by at most m (b - a) from a to b (K84): so at an end of
    many digits it is what it is at a shorter number a little below, less that at most.
    """
    require(x.lo > 0, "K_p is evaluated at something not proved positive")
    low, high = (log_matern_at(p, e) if e < INF else ANY for e in (x.hi, x.lo))
    return Interval(low.lo, high.hi)


def log_matern_at(p: Fraction, x: Decimal) -> Interval:
    """log x^p K_p(x) at an end."""
    a, gap, ratio = beside(p, x)
    return besselk_point(p, a)[0].log() + Interval(a, a).log() * p - steepest(ratio) * gap * UNIT


def beside(p: Fraction, x: Decimal) -> tuple[Decimal, Interval, Interval]:
    """A number of few digits, not above x, the gap to x, and the ratio K_(p-1)/K_p at it."""
    a = FEW_DIGITS.plus(x)
    above, below = besselk_point(p, a)[::-1]
    return a, Interval(D0, UP.subtract(x, a)), above * below.inverse()


def ratio_at(p: Fraction, x: Decimal) -> Interval:
    """K_(p-1)/K_p at an end."""
    a, gap, ratio = beside(p, x)
    most = steepest(ratio)
    rate = most * (most + Interval(a, a).inverse() * abs(1 - 2 * p)) + 1
    return ratio + rate * gap * SIGNED_UNIT


def steepest(ratio: Interval) -> Interval:
    """m, an upper bound of the ratio beyond the number at which it is this."""
    most = max(D1, ratio.hi)
    return Interval(most, most)


@besselk_ratio.register(Interval)
@rule("K84")
def besselk_ratio_of_interval(x: Interval, p: Fraction) -> Interval:
    """K_(p-1)/K_p on an interval.

    Lemma.  It is the mean of cosh((p-1)t)/cosh(pt), itself monotone in t, under the weights
    exp(-x cosh t) cosh(pt), which move towards t = 0 as x grows: monotone in x, and with the limit
    1.  So beyond a it is at most m, and moves by at most 1 + m (|1 - 2p|/a + m) times the gap.
    """
    within = x.lo > 0 and x.finite()
    require(within, "K_p is evaluated at something not proved positive and finite")
    first, last = (ratio_at(p, e) for e in (x.lo, x.hi))
    return hull(first, last)


@rule("K85")
def large_log_matern(x: Any, p: Fraction, order: int, theta: Any) -> Any:
    """log x^p K_p(x) where x tends to oo.

    Lemma.  K_p(x) = sqrt(pi/(2x)) e^-x times Hankel's series in 1/x,
    whose remainder from order |p| - 1/2 on is below the first term left out, and of its sign.
    """
    series = hankel(p, x.inverse(), order, theta).log()
    return -x + x.log() * (p - HALF) + series + (PI * HALF).log() * HALF


@log_matern.register(Model)
def log_matern_of_model(x: Model, p: Fraction) -> Model:
    lead = x.leading()[0]
    if lead > CONSTANT:
        return large_log_matern(x, p, x.germ.order, x.const(UNIT))
    if lead == CONSTANT:
        slope = -besselk_ratio_of_interval(x.span(), p)
        return x.vanishing() * slope + log_matern_of_interval(x.limit(), p)
    return small_log_matern(x, p)


@rule("K86")
def small_log_matern(x: Model, p: Fraction) -> Model:
    """log x^p K_p(x) where x tends to 0.

    Lemma.  For 0 < x < 1: 0 <= K_0(x) - log(2/x) + gamma <= x^2 (log(1/x) + 1)/2; and for p > 0
    0 <= 1 - x^p K_p(x) / (2^(p-1) Gamma(p)) <= x^2/(4(p-1)) for p > 1, x^2 (log(1/x) + 1)/2 for
    p = 1, and 5 x^(2p) / (4 p (1-p)) for p < 1, from (x^p K_p)' = -x^p K_(p-1).
    """
    small = x.span().lo >= 0 and x.span().hi < 1
    require(small, "a model's radius is too small for K_p")
    if p == 0:
        log = self_log = x.log()
        rest = x * x * (-self_log + 1) * (UNIT * HALF)
        return (-log + interval(2).log() - EULER + rest).log()
    if p > 1:
        rest = x * x * (1 / (4 * (p - 1)))
    elif p == 1:
        rest = x * x * (-x.log() + 1) * HALF
    else:
        rest = x.power(2 * p) * (Fraction(5, 4) / (p * (1 - p)))
    return (rest * -UNIT + 1).log() + (gamma(p) * interval(2).power(p - 1)).log()


@besselk_ratio.register(Model)
def besselk_ratio_of_model(x: Model, p: Fraction) -> Model:
    if x.leading()[0] > CONSTANT:
        orders, theta = (abs(p - 1), p), x.const(UNIT)
        above, below = (hankel(k, x.inverse(), x.germ.order, theta) for k in orders)
        return above * below.inverse()
    return (log_matern(x, abs(p - 1)) - log_matern(x, p) + x.log() * (p - abs(p - 1))).exp()


@log_matern.register(Slope)
def log_matern_of_slope(x: Slope, p: Fraction) -> Slope:
    if type(x) is not Slope:
        return log_matern_along(x, p)
    return Slope(log_matern(x.u, p), -(besselk_ratio(x.u, p) * x.du))


def log_matern_along(x: Any, p: Fraction) -> Any:
    """Along a power series (K150): v = (log x^p K_p)' has v' = (1 - (1 - 2p) v/x - v^2) x'."""
    inverse, v, rates = x.inverse().c, [-besselk_ratio_of_interval(x.c[0], p)], list[Interval]()
    for k in range(1, len(x.c)):
        rate = -add_up(v[j] * (inverse[k - 1 - j] * (1 - 2 * p) + v[k - 1 - j]) for j in range(k))
        rates.append(rate + 1 if k == 1 else rate)
        v.append(add_up(x.c[j] * rates[k - j] * j for j in range(1, k + 1)) * Fraction(1, k))
    return x.along(log_matern_of_interval(x.c[0], p), type(x)(v))


@log_matern.register(Shift)
def log_matern_of_shift(x: Shift, p: Fraction) -> Shift:
    if far_ahead(x):
        theta = Shift(x.u.const(UNIT), x.u.const(SIGNED_UNIT))
        return large_log_matern(x, p, x.u.germ.order, theta)
    near = short_increment(
        x.u, x.ahead(), x.du, lambda u: -besselk_ratio_of_interval(u, p),
        lambda u: log_matern_bend(u, p))
    if near is not None:
        return Shift(lambda: log_matern(x.u, p), near)
    log = log_matern(x.u, p)
    return Shift(log, log_matern(x.ahead(), p) - log)


@rule("K254")
def log_matern_bend(x: Interval, p: Fraction) -> Interval:
    """The second derivative of log x^p K_p(x).

    Lemma.  For x > 0 its derivative v has v' = 1 - v ((1 - 2p)/x + v).
    """
    v = -besselk_ratio_of_interval(x, p)
    return -(v * (x.inverse() * (1 - 2 * p) + v)) + 1


@rule("K90")
def read_besselk(u: Node, x: Node) -> Node:
    """besselk as it is read.

    Definition.  K_p(x), x > 0, is the integral of exp(-x cosh t) cosh(p t) over t > 0.  So
    K_p = K_-p; for p = n + 1/2 it is a finite sum (K81), written out for p <= 5; otherwise it is
    x^-p times x^p K_p(x).
    """
    known = u.kind == "num" and abs(u.args[0]) <= 100
    require(known, "the order of besselk is not a rational from -100 to 100")
    order = abs(u.args[0])
    if order.denominator != 2 or order > 5:
        return mul(power(x, -order), Node("matern", order, x))
    n, two_x = int(order), mul(num(2), x)
    weights = [factorial(n + k) // (factorial(k) * factorial(n - k)) for k in range(1, n + 1)]
    series = [mul(num(w), power(two_x, Fraction(-k))) for k, w in enumerate(weights, 1)]
    front = power(mul(Node("pi"), power(two_x, Fraction(-1))), HALF)
    return mul(front, Node("exp", minus(x)), add(num(1), *series))


FUNCTIONS.update({"besselk": Function(read_besselk, 2, 2, needs="positive")})
VALUES["matern"] = lambda at, node: log_matern(at.value(node.args[1]), node.args[0]).exp()
LOGS["matern"] = lambda at, node: (1, log_matern(at.value(node.args[1]), node.args[0]))
for kinds in (POSITIVE, EXPONENTIAL, FALLING, ANALYTIC):
    kinds.add("matern")
