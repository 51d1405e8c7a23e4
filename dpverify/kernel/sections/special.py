"""Special functions: gamma of a rational, erf and erfc, and the modified Bessel function K.

Each is defined by its integral, and all that is used of it is derived from that (docs, K80 to K92).
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache, singledispatch
from math import comb, factorial

from ..evaluation import LOGS, VALUES, Evaluation
from ..forms import ANALYTIC, ENTIRE, FALLING, MET
from ..intervals import (
    D0,
    D1,
    DOWN,
    ONE,
    PI,
    SIGNED_UNIT,
    TWO,
    UNIT,
    UP,
    Interval,
    add_up,
    from_digits,
    hull,
    interval,
    meet,
    product_of,
    times,
)
from ..pairs import Slope
from ..reader import FUNCTIONS, Function
from ..rules import Rejected, require, rule
from ..tree import EXPONENTIAL, POSITIVE, Node, add, minus, mul, num, power
from .short import short_increment
from .exponentials import softplus
from .increments import Shift
from .models import CONSTANT, Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROUGH = Context(prec=34, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
EULER = from_digits("0.5772156649015328606065120900824024310421593359399235988057672348")
COS_ONE = from_digits("0.5403023058681397174009366074429766037323104206179222276700972553")
HALF = Fraction(1, 2)


@cache
def bernoulli(n: int) -> Fraction:
    return -add_up(comb(n + 1, k) * bernoulli(k) for k in range(n)) / (n + 1) if n else Fraction(1)


@rule("K80")
def gamma(x: Fraction) -> Interval:
    """Gamma of a rational that is no pole.

    Lemma.  Gamma(x) = Gamma(x + n) / (x (x + 1) ... (x + n - 1)), and at z = x + n > 39 log Gamma
    is Stirling's series, its error below the first term left out.
    """
    require(x > 0 or x.denominator > 1, "gamma has a pole there")
    require(-1000 <= x <= 10**6, "the argument of gamma is too large", "limits")
    top, steps = 26, max(0, 40 - int(x))
    lift = product_of([interval(x + k) for k in range(steps)] or [ONE])
    z = interval(x + steps)

    def term(k: int) -> Interval:
        return z.power(Fraction(1 - 2 * k)) * (bernoulli(2 * k) / (2 * k * (2 * k - 1)))

    last = term(top)
    size = max(last.hi, last.lo.copy_negate())
    tail = add_up(term(k) for k in range(1, top)) + Interval(size.copy_negate(), size)
    log = (z - HALF) * z.log() - z + (PI * 2).log() * HALF + tail
    return log.exp() * lift.inverse()


@cache
def besselk_node(orders: tuple[Fraction, Fraction], h: Fraction, k: int) -> list[Interval]:
    """cosh t, and cosh(p t) for both orders p, at t = k h."""
    both = [(interval(h * k * p).exp(), interval(-h * k * p).exp()) for p in (1, *orders)]
    return [(up + down) * HALF for up, down in both]


def besselk_point(p: Fraction, x: Decimal) -> tuple[Interval, Interval]:
    """K_p(x) and K_|p-1|(x)."""
    orders, at = (p, abs(p - 1)), Interval(x, x)
    if p.denominator == 2:
        return besselk_half(orders[0], at), besselk_half(orders[1], at)
    return besselk_by_trapezes(orders, x)


@rule("K82")
@lru_cache(20_000)
def besselk_by_trapezes(orders: tuple[Fraction, Fraction], x: Decimal
                        ) -> tuple[Interval, Interval]:
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
    for k in range(1, 100_000):
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
            return first, second
    raise Rejected("K_p is evaluated too near zero")


def rough_exp(x: Interval) -> Interval:
    """exp of a narrow interval to some 34 digits: e^w <= 1 + 2w for its width w <= 1."""
    e, width = ROUGH.exp(x.lo), UP.subtract(x.hi, x.lo)
    require(width <= 1, "an exponent is not known closely")
    stretch = UP.add(D1, UP.multiply(width, Decimal(2)))
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


@singledispatch
def log_matern(x: Any, p: Fraction) -> Any:
    """log x^p K_p(x), p >= 0, over any ring."""
    raise TypeError


@singledispatch
def besselk_ratio(x: Any, p: Fraction) -> Any:
    """K_(p-1)(x) / K_p(x), over any ring: the slope of -log x^p K_p(x)."""
    return (log_matern(x, abs(p - 1)) - log_matern(x, p) + x.log() * (p - abs(p - 1))).exp()


@log_matern.register(Interval)
@rule("K83")
def log_matern_of_interval(x: Interval, p: Fraction) -> Interval:
    """x^p K_p(x) on an interval.

    Lemma.  Its derivative is -x^p K_(p-1)(x) < 0, so it falls.
    """
    within = x.lo > 0 and x.finite()
    require(within, "K_p is evaluated at something not proved positive and finite")
    low, high = (
        besselk_point(p, e)[0].log() + Interval(e, e).log() * p for e in (x.hi, x.lo))
    return Interval(low.lo, high.hi)


@besselk_ratio.register(Interval)
@rule("K84")
def besselk_ratio_of_interval(x: Interval, p: Fraction) -> Interval:
    """K_(p-1)/K_p on an interval.

    Lemma.  It is the mean of cosh((p-1)t)/cosh(pt), itself monotone in t, under the weights
    exp(-x cosh t) cosh(pt), which move towards t = 0 as x grows: monotone in x.
    """
    within = x.lo > 0 and x.finite()
    require(within, "K_p is evaluated at something not proved positive and finite")
    ends = (besselk_point(p, e) for e in (x.lo, x.hi))
    first, last = (above * below.inverse() for below, above in ends)
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
        x.u, x.ahead(), x.du, lambda u: -besselk_ratio_of_interval(u, p), lambda u: log_matern_bend(u, p))
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


def far_ahead(x: Shift) -> bool:
    """Whether x is a model that tends to oo and grows with the shift."""
    return isinstance(x.u, Model) and x.u.leading()[0] > CONSTANT and x.du.sign() == 1


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
    at = Interval(x.copy_abs(), x.copy_abs())
    square, term, n = at * at * 2, at, 0
    total = term
    while term.hi > D1.scaleb(-70) or square.hi > n + 1:
        n += 1
        term = term * square * Fraction(1, 2 * n + 1)
        total = total + term
    erf = (total + term * UNIT) * (-(at * at)).exp() * 2 * PI.power(-HALF)
    return (erf * (1 if x < 0 else -1) + 1).log()


def erfc_series(x: Any, order: int, theta: Any) -> Any:
    """x exp(x^2) sqrt(pi) erfc(x): sum over k < n of a_k x^(-2k) + theta a_n x^(-2n),
    a_k = (-1)^k (1/2)_k."""
    v, a = (x * x).inverse(), [Fraction(1)]
    for k in range(order):
        a.append(-a[-1] * Fraction(2 * k + 1, 2))
    series = theta * a[order]
    for k in range(order - 1, -1, -1):
        series = series * v + a[k]
    return series


@rule("K88")
def large_log_erfc(x: Any, order: int, theta: Any) -> Any:
    """log erfc(x) far out.

    Lemma.  erfc(x) is e^(-x^2)/(x sqrt(pi)) times its asymptotic series,
    with remainder below the first term left out and of its sign, for x > 0.
    """
    return -(x * x) - x.log() + erfc_series(x, order, theta).log() - PI.log() * HALF


@singledispatch
def log_erfc(x: Any) -> Any:
    """log erfc(x), over any ring."""
    raise TypeError


@singledispatch
def erfc_hazard(x: Any) -> Any:
    """2 exp(-x^2)/(sqrt(pi) erfc(x)) = -(log erfc)'(x), over any ring."""
    return (-(x * x) - log_erfc(x)).exp() * (PI.power(-HALF) * 2)


@log_erfc.register(Interval)
def log_erfc_of_interval(x: Interval) -> Interval:
    return Interval(log_erfc_point(x.hi).lo, log_erfc_point(x.lo).hi)


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
    """Along a power series (K150): the hazard h has h' = h (h - 2x) x'."""
    h, rates = [erfc_hazard_of_interval(x.c[0])], list[Interval]()
    for k in range(1, len(x.c)):
        rates.append(add_up(h[j] * (h[k - 1 - j] - x.c[k - 1 - j] * 2) for j in range(k)))
        h.append(add_up(x.c[j] * rates[k - j] * j for j in range(1, k + 1)) * Fraction(1, k))
    return x.along(log_erfc_of_interval(x.c[0]), -type(x)(h))


@log_erfc.register(Shift)
def log_erfc_of_shift(x: Shift) -> Shift:
    if far_ahead(x):
        theta = Shift(x.u.const(UNIT), x.u.const(SIGNED_UNIT))
        return large_log_erfc(x, x.u.germ.order, theta)
    near = short_increment(x.u, x.ahead(), x.du, lambda u: -erfc_hazard_of_interval(u), log_erfc_bend)
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


@rule("K90")
def read_besselk(u: Node, x: Node) -> Node:
    """besselk as it is read.

    Definition.  K_p(x), x > 0, is the integral of exp(-x cosh t) cosh(p t) over t > 0.  So K_p = K_-p;
    for p = n + 1/2 it is a finite sum (K81), written out for p <= 5; otherwise it is x^-p times
    x^p K_p(x).
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


@rule("K91")
def read_error_function(kind: str, u: Node) -> Node:
    """erf and erfc as they are read.

    Definition.  erfc(x) is 2/sqrt(pi) times the integral of exp(-t^2) over t > x; erf = 1 - erfc.
    """
    node = Node("erfc", u)
    return node if kind == "erfc" else add(num(1), minus(node))


@rule("K92")
def read_gamma(u: Node) -> Node:
    """gamma as it is read.

    Definition.  Of a rational number, gamma has no value (K9) at 0, -1, -2, ... alone; of a variable
    it is read by the section gammas.
    """
    require(u.kind == "num", "the argument of gamma is not a rational number")
    return Node("gamma", u)


def value_of_gamma(at: Evaluation, node: Node) -> Any:
    return at.r.const(gamma(node.args[0].args[0]))


def no_pole(node: Node) -> bool:
    """Whether a number is no pole of gamma; of what is no number, whether it is positive."""
    return node.positive or (node.kind == "num" and node.args[0].denominator > 1)


FUNCTIONS.update({
    "gamma": Function(read_gamma, needs="no pole"),
    "erfc": Function(lambda u: read_error_function("erfc", u)),
    "erf": Function(lambda u: read_error_function("erf", u)),
    "besselk": Function(read_besselk, 2, 2, needs="positive"),
})
MET["no pole"] = no_pole
VALUES.update({
    "gamma": value_of_gamma,
    "erfc": lambda at, node: log_erfc(at.value(node.args[0])).exp(),
    "matern": lambda at, node: log_matern(at.value(node.args[1]), node.args[0]).exp(),
})
LOGS.update({
    "erfc": lambda at, node: (1, log_erfc(at.value(node.args[0]))),
    "matern": lambda at, node: (1, log_matern(at.value(node.args[1]), node.args[0])),
})
POSITIVE.update({"erfc", "matern"})
EXPONENTIAL.update({"erfc", "matern"})
FALLING.update({"erfc", "matern"})
ENTIRE.add("erfc")
ANALYTIC.add("matern")
