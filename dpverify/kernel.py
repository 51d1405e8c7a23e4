"""The checker: replays a dpverify certificate with its own arithmetic and searches for nothing.

One file, standard library only, importing nothing of dpverify, so that whoever receives a
certificate can check it with this file alone::

    python kernel.py CERTIFICATE.json ...

The claim is about noise with density proportional to f(y), y = x'S^-1 x, on R^d, released with
scale sigma and sensitivity Delta.  Write r = sqrt(y), delta = Delta/sigma, g(r) = -log f(r^2) and
phi_h(r) = g(r + h) - g(r).  Theorem A: the best epsilon is the supremum of |phi_h(r)| over r >= 0
and 0 <= h <= delta; where f is non-increasing this is the supremum of phi_delta (Theorem 3 of
Reimherr and Awan 2019).  The checker re-derives g from the generator's text and bounds it on three
charts that cover (0, oo): a model at zero on (0, r0], boxes between, a model at infinity on [R, oo).
Single radii carry no probability, so suprema are over open boxes, and limits over open cells of phases.

Everything rests on outward-rounded decimal intervals.  On top of them stand, each a ring with the
same operations: ``Model`` (a function on [R, oo) as a finite sum of coefficient * monomial, each
coefficient an interval that contains the coefficient at every t >= R), ``Slope`` (a function and
its slopes) and ``Shift`` (a function and its exact increment u(r + h) - u(r)).
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache, total_ordering
from math import comb, factorial
from typing import Any, Union

FORMAT, VERSION = "dpverify-certificate", 1
MAX_BYTES, MAX_TEXT, MAX_DEPTH, MAX_DIGITS = 20_000_000, 4_000, 100, 2_000
MAX_BOXES, MAX_ORDER, MAX_EXPONENT, MAX_BITS = 200_000, 24, 10_000, 20_000
MAX_NODES, MAX_EXACT, MAX_WORK = 20_000, 100_000, 1_000_000
RESERVED = {"d", "e", "pi", "r", "y"}
STATUSES = ("proved", "refuted", "undecided")
HYPOTHESES = ("positive", "decreasing", "finite_at_zero", "integrable", "tail_ratio_bounded")
BESSEL_LEMMA = (
    "besselk: for x > 0 and real p, K_p(x) is the integral of exp(-x cosh t) cosh(p t) over t > 0 (DLMF 10.32.9), "
    "with the error of its trapezoidal rule (Trefethen and Weideman 2014, Theorem 5.1), its asymptotic series with "
    "remainder below the first term left out from order |p| - 1/2 on (DLMF 10.40.2, 10.40(ii)), its derivative "
    "(DLMF 10.29.2, 10.29.4) and its limiting form at zero (DLMF 10.30.2, 10.31.2)"
)

ERFC_LEMMA = (
    "erfc: for x > 0, erfc(x) is exp(-x^2)/(x sqrt(pi)) times its asymptotic series, with remainder below the first "
    "term left out and of its sign (DLMF 7.12.1, 7.12(i)); erf(x) is its series of positive terms (DLMF 7.6.2); "
    "exp(-x^2)/erfc(x) increases on the whole line (DLMF 7.8)"
)
TINY = Fraction(1, 10**40)
LEMMAS = {"matern": BESSEL_LEMMA, "erfc": ERFC_LEMMA}


class Rejected(Exception):
    """The certificate does not prove what it claims; the message is one line."""


class Unreadable(Rejected):
    """The file cannot be read as a certificate at all."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Rejected(message)


# ---------------------------------------------------------------------------------------------
# Intervals: closed, endpoints decimal, every operation rounded outward.  libmpdec rounds + - * /
# in the asked direction, but exp, ln and sqrt to nearest, so their results go one unit further out.

DOWN, UP, NEAR = (
    Context(prec=60, rounding=mode, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
    for mode in (ROUND_FLOOR, ROUND_CEILING, ROUND_HALF_EVEN)
)
ROUGH = Context(prec=34, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
D0, D1, INF = Decimal(0), Decimal(1), Decimal("Infinity")
NEG_INF = INF.copy_negate()
SMALL = Decimal("1e-11")


class Interval:
    """The set of reals x with lo <= x <= hi; an infinite end means unbounded."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: Decimal, hi: Decimal) -> None:
        if lo.is_nan() or hi.is_nan() or lo > hi:
            raise Rejected("an interval has no valid endpoints")
        self.lo, self.hi = lo, hi

    def const(self, value: Coefficient) -> Interval:
        return interval(value)

    def span(self) -> Interval:
        return self

    def sign(self) -> int | None:
        """The sign of every point, or None where they differ or are not told apart from 0."""
        if self.lo > 0 or self.hi < 0:
            return 1 if self.lo > 0 else -1
        return 0 if self.lo == self.hi else None

    def __neg__(self) -> Interval:
        return Interval(self.hi.copy_negate(), self.lo.copy_negate())

    def __add__(self, other: Coefficient) -> Interval:
        o = interval(other)
        return Interval(DOWN.add(self.lo, o.lo), UP.add(self.hi, o.hi))

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Interval:
        return self + -interval(other)

    def __mul__(self, other: Coefficient) -> Interval:
        o = interval(other)
        if self.hi <= 0 and self.lo < 0:
            return -(-self * o)
        if self.lo >= 0:
            low, high = self.hi if o.lo < 0 else self.lo, self.hi if o.hi > 0 else self.lo
            return Interval(times(DOWN, low, o.lo), times(UP, high, o.hi))
        return Interval(
            min(times(DOWN, self.lo, o.hi), times(DOWN, self.hi, o.lo)),
            max(times(UP, self.lo, o.lo), times(UP, self.hi, o.hi)),
        )

    __rmul__ = __mul__

    def inverse(self) -> Interval:
        require(self.lo > 0 or self.hi < 0 or (self.lo == 0) != (self.hi == 0), "divides by zero")
        if self.lo >= 0:
            return Interval(DOWN.divide(D1, self.hi), UP.divide(D1, self.lo) if self.lo > 0 else INF)
        return -((-self).inverse())

    def exp(self) -> Interval:
        return Interval(exp_end(self.lo, DOWN), exp_end(self.hi, UP))

    def log(self) -> Interval:
        require(self.lo >= 0, "takes the logarithm of something not proved positive")
        return Interval(log_end(self.lo, DOWN), log_end(self.hi, UP))

    def power(self, p: Fraction) -> Interval:
        if p.denominator == 1 and abs(p) <= 64:
            if p < 0:
                return self.power(-p).inverse()
            if p and p % 2 == 0 and self.lo < 0:
                low, high = self.lo.copy_abs(), self.hi.copy_abs()
                return Interval(D0 if self.hi > 0 else high, max(low, high)).power(p)
            return product_of([self] * int(p)) if p else ONE
        require(self.lo >= 0, "takes a fractional power of something not proved positive")
        if p == Fraction(1, 2):
            return Interval(sqrt_end(self.lo, DOWN), sqrt_end(self.hi, UP))
        return (self.log() * interval(p)).exp()

    def softplus(self, sign: int) -> Interval:
        """log(1 + sign * e^t), monotone in t; for sign = -1 only where t < 0."""
        require(sign > 0 or self.hi < 0, "subtracts something not proved smaller")
        return hull(softplus_point(self.lo, sign), softplus_point(self.hi, sign))

    def logistic(self, sign: int) -> Interval:
        """sign * e^t / (1 + sign * e^t), the derivative of softplus, monotone in t."""
        require(sign > 0 or self.hi < 0, "subtracts something not proved smaller")
        low, high = ((ONE + (-Interval(t, t)).exp() * sign).inverse() for t in (self.lo, self.hi))
        return hull(low, high)

    def cos(self, turns: bool = False) -> Interval:
        """cos of the interval, or of pi times it where it is given in (half) turns."""
        if turns:
            quarters = Fraction(self.lo) * 2 if self.lo == self.hi and -40 < self.lo.adjusted() < 40 else Fraction(1, 2)
            return interval((1, 0, -1, 0)[int(quarters) % 4]) if quarters.denominator == 1 else (self * PI).cos()
        if not (self.lo.is_finite() and self.hi.is_finite()) or UP.subtract(self.hi, self.lo) > 6 or self.hi.adjusted() > 50:
            return Interval(-D1, D1)  # a width of 6, or the digits of pi, would not tell where
        rounds = NEAR.divide(NEAR.add(self.lo, self.hi), NEAR.multiply(Decimal(4), PI.lo))
        x = self - PI * (2 * int(rounds.to_integral_value()))
        result = hull(cos_point(x.lo), cos_point(x.hi))
        for k in range(-3, 4):
            if x.lo <= (PI * k).hi and (PI * k).lo <= x.hi:
                result = hull(result, interval((-1) ** (k % 2)))
        return Interval(max(result.lo, -D1), min(result.hi, D1))

    def sin(self, turns: bool = False) -> Interval:
        return (self - (Fraction(1, 2) if turns else PI * Fraction(1, 2))).cos(turns)

    def floor(self) -> Interval:
        return Interval(*(x.to_integral_value(ROUND_FLOOR) if x.is_finite() else x for x in (self.lo, self.hi)))

    def log_matern(self, p: Fraction) -> Interval:
        """log x^p K_p(x), p >= 0, a decreasing function (BESSEL_LEMMA)."""
        require(self.lo > 0 and self.hi.is_finite(), "K_p is evaluated at something not proved positive and finite")
        low, high = (besselk_point(p, x)[0].log() + Interval(x, x).log() * p for x in (self.hi, self.lo))
        return Interval(low.lo, high.hi)

    def besselk_ratio(self, p: Fraction) -> Interval:
        """K_(p-1)/K_p, monotone in x: it is the mean of cosh((p-1)t)/cosh(pt), itself monotone in t, under the
        weights exp(-x cosh t) cosh(pt), which move towards t = 0 as x grows (BESSEL_LEMMA)."""
        require(self.lo > 0 and self.hi.is_finite(), "K_p is evaluated at something not proved positive and finite")
        first, last = (above * below.inverse() for below, above in (besselk_point(p, x) for x in (self.lo, self.hi)))
        return hull(first, last)

    def log_erfc(self) -> Interval:
        """log erfc, a decreasing function (ERFC_LEMMA)."""
        return Interval(log_erfc_point(self.hi).lo, log_erfc_point(self.lo).hi)

    def erfc_hazard(self) -> Interval:
        """2 exp(-x^2)/(sqrt(pi) erfc(x)) = -(log erfc)', an increasing function (ERFC_LEMMA)."""
        low, high = (-(Interval(x, x) * Interval(x, x)) - log_erfc_point(x) for x in (self.lo, self.hi))
        return hull(low, high).exp() * 2 * PI.power(Fraction(-1, 2))


Coefficient = Union[int, Fraction, Interval]


def times(context: Context, a: Decimal, b: Decimal) -> Decimal:
    return context.multiply(a, b) if a and b else D0


def outward(value: Decimal, context: Context) -> Decimal:
    return context.next_minus(value) if context is DOWN else context.next_plus(value)


def exp_end(x: Decimal, context: Context) -> Decimal:
    if x.is_infinite():
        return INF if x > 0 else D0
    return max(D0, outward(NEAR.exp(x), context)) if x else D1


def log_end(x: Decimal, context: Context) -> Decimal:
    if not x or x.is_infinite():
        return INF if x else NEG_INF
    return D0 if x == 1 else outward(NEAR.ln(x), context)


def sqrt_end(x: Decimal, context: Context) -> Decimal:
    root = NEAR.sqrt(x)
    exact = x.is_infinite() or DOWN.multiply(root, root) == x == UP.multiply(root, root)
    return root if exact else max(D0, outward(root, context))


def softplus_point(t: Decimal, sign: int) -> Interval:
    """log(1 + sign * e^t), to full relative precision where it is small and where e^t is near 1."""
    x = Interval(t, t)
    if sign > 0 and t > 0:
        return x + softplus_point(t.copy_negate(), sign)
    if t < -24:
        return small_log1p(x.exp() * sign)
    if sign < 0 and t > -SMALL:  # 1 - e^t = -t (1 + t/2 + ...)
        return (-x).log() + small_log1p(x * series([Fraction(1, factorial(k)) for k in range(2, 7)], x))
    return (ONE + x.exp() * sign).log()


def small_log1p(u: Interval) -> Interval:
    """log(1 + u) for |u| < 1e-10."""
    return u * series([Fraction((-1) ** k, k + 1) for k in range(5)], u)


def series(coefficients: list[Fraction], u: Interval) -> Interval:
    """sum of a_k u^k, and a rest of at most |u|^n, as where the coefficients that follow do not exceed 1/2."""
    result = Interval(-D1, D1)
    for a in reversed(coefficients):
        result = result * u + a
    return result


def cos_point(x: Decimal) -> Interval:
    """cos of a number within [-10, 10], by its Taylor series in integers, in units of 2^-240.

    No term exceeds e^10 < 2^15, and each of the 60 steps errs by 2^16 units at most, which later steps
    enlarge by less than 2^15 each time: an error below 2^-180 in all, the terms left out (10^120/120!)
    included, and an argument below 1e-74 taken for 0.
    """
    start = Fraction(x) if x.adjusted() > -75 else Fraction(0)
    m = (start.numerator << 240) // start.denominator
    square = (m * m) >> 240
    term = total = 1 << 240
    for n in range(1, 60):
        term = -((term * square) >> 240) // (2 * n * (2 * n - 1))
        total += term
    return interval(Fraction(total, 1 << 240)) + Interval(-D1, D1) * Fraction(1, 1 << 180)


def interval(value: Coefficient) -> Interval:
    """The narrowest enclosure of an exact number."""
    if isinstance(value, Interval):
        return value
    n, d = Decimal(value.numerator), Decimal(value.denominator)
    return Interval(DOWN.divide(n, d), UP.divide(n, d))


def hull(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.lo, b.lo), max(a.hi, b.hi))


def meet(a: Interval, b: Interval) -> Interval:
    return Interval(max(a.lo, b.lo), min(a.hi, b.hi))


def add_up(items: Iterable[Any]) -> Any:
    total = None
    for item in items:
        total = item if total is None else total + item
    return total


def product_of(items: Iterable[Any]) -> Any:
    total = None
    for item in items:
        total = item if total is None else total * item
    return total


ZERO, ONE, UNIT, ANY = Interval(D0, D0), Interval(D1, D1), Interval(D0, D1), Interval(NEG_INF, INF)
PI = interval(Fraction("3.1415926535897932384626433832795028841971693993751058209749445923")) + Interval(D0, D1.scaleb(-60))
EULER = interval(Fraction("0.5772156649015328606065120900824024310421593359399235988057672348")) + Interval(D0, D1.scaleb(-60))


@cache
def bernoulli(n: int) -> Fraction:
    return -add_up(comb(n + 1, k) * bernoulli(k) for k in range(n)) / (n + 1) if n else Fraction(1)


def gamma(x: Fraction) -> Interval:
    """Gamma of a rational, by Stirling's series at x + n >= 40: its error is below the first term left out."""
    require(x > 0 or x.denominator > 1, "gamma has a pole there")
    require(-1000 <= x <= 10**6, "the argument of gamma is too large")
    front, top = Fraction(1), 26
    steps = max(0, 40 - int(x))
    lift = product_of([interval(x + k) for k in range(steps)] or [interval(front)])
    z = interval(x + steps)
    tail = add_up(interval(bernoulli(2 * k) / (2 * k * (2 * k - 1))) * z.power(Fraction(1 - 2 * k)) for k in range(1, top))
    last = interval(abs(bernoulli(2 * top)) / (2 * top * (2 * top - 1))) * z.power(Fraction(1 - 2 * top))
    log = (z - Fraction(1, 2)) * z.log() - z + (PI * 2).log() * Fraction(1, 2) + tail + last * Interval(-D1, D1)
    return log.exp() * lift.inverse()


@cache
def besselk_node(orders: tuple[Fraction, Fraction], h: Fraction, k: int) -> list[Interval]:
    """cosh t, and cosh(p t) for both orders p, at t = k h."""
    sides = [(interval(h * k * p).exp(), interval(-h * k * p).exp()) for p in (1, *orders)]
    return [(up + down) * Fraction(1, 2) for up, down in sides]


@lru_cache(20_000)
def besselk_point(p: Fraction, x: Decimal) -> tuple[Interval, Interval]:
    """K_p(x) and K_|p-1|(x) by the trapezoidal rule (BESSEL_LEMMA).

    The integrand is analytic for |Im t| < 1, and K_p <= K_q there for the next half-integer q, so
    the rule's error for the half line is at most 2 K_q(x cos 1) / (exp(2 pi / h) - 1).
    """
    orders, at = (p, abs(p - 1)), Interval(x, x)
    if p.denominator == 2:
        return besselk_half(orders[0], at), besselk_half(orders[1], at)
    require(-300 <= x.adjusted() <= 6, "K_p is evaluated too near zero or too far out")
    h = Fraction(1, 12 * (1 + int(x) // 24 + int(max(orders)) // 4))
    totals = [(-at).exp() * Fraction(1, 2)] * 2
    for k in range(1, 100_000):
        c, *weights = besselk_node(orders, h, k)
        front = rough_exp(-(at * c))
        terms = [front * w for w in weights]
        totals = [total + term for total, term in zip(totals, terms)]
        if any(term.hi > times(DOWN, total.lo, D1.scaleb(-28)) for term, total in zip(terms, totals)):
            continue
        decay = at * (c * c - 1).power(Fraction(1, 2)) - max(orders)
        if decay.lo > 0:  # from t on the integrands decay like exp(-decay t)
            rest = decay.inverse() * (1 / h) * UNIT
            error = ((PI * (2 / h)).exp() - 1).inverse() * Interval(-D1, D1) * 2
            halves = [Fraction(1, 2) + max(0, -((Fraction(1, 2) - q) // 1)) for q in orders]
            return tuple(  # type: ignore[return-value]
                (total + term * rest) * h + besselk_half(q, at * COS_ONE) * error
                for total, term, q in zip(totals, terms, halves))
    raise Rejected("K_p is evaluated too near zero")


def rough_exp(x: Interval) -> Interval:
    """exp of a narrow interval to some 34 digits: e^w <= 1 + 2w for its width w <= 1."""
    e, width = ROUGH.exp(x.lo), UP.subtract(x.hi, x.lo)
    require(width <= 1, "an exponent is not known closely")
    return Interval(max(D0, ROUGH.next_minus(e)), UP.multiply(ROUGH.next_plus(e), UP.add(D1, UP.multiply(width, Decimal(2)))))


def besselk_half(q: Fraction, x: Interval) -> Interval:
    """K_(n+1/2)(x), a finite sum (DLMF 10.49.12)."""
    n, inverse = int(q - Fraction(1, 2)), (x * 2).inverse()
    total = add_up(inverse.power(Fraction(k)) * Fraction(factorial(n + k), factorial(k) * factorial(n - k)) for k in range(n + 1))
    return (PI * inverse).power(Fraction(1, 2)) * (-x).exp() * total


COS_ONE = cos_point(D1)


@lru_cache(20_000)
def log_erfc_point(x: Decimal) -> Interval:
    """log erfc(x): by its asymptotic series from 8 on, else from the series of erf (ERFC_LEMMA)."""
    require(x.is_finite() and x.adjusted() < 1000, "erfc is evaluated at something unbounded")
    at = Interval(x.copy_abs(), x.copy_abs())
    if x >= 8:
        return large_log_erfc(at, 64, UNIT)
    if x <= -8:
        return (interval(2) - large_log_erfc(at, 64, UNIT).exp()).log()
    square, term, n = at * at * 2, at, 0
    total = term
    while term.hi > D1.scaleb(-70) or square.hi > n + 1:  # from here on each term is below half of the one before
        n += 1
        term = term * square * Fraction(1, 2 * n + 1)
        total = total + term
    erf = (total + term * UNIT) * (-(at * at)).exp() * 2 * PI.power(Fraction(-1, 2))
    return (erf * (1 if x < 0 else -1) + 1).log()


def erfc_series(x: Any, order: int, theta: Any) -> Any:
    """x exp(x^2) sqrt(pi) erfc(x): sum over k < n of a_k x^(-2k) + theta a_n x^(-2n), a_k = (-1)^k (1/2)_k."""
    v, a = (x * x).inverse(), [Fraction(1)]
    for k in range(order):
        a.append(-a[-1] * Fraction(2 * k + 1, 2))
    series = theta * a[order]
    for k in range(order - 1, -1, -1):
        series = series * v + a[k]
    return series


def large_log_erfc(x: Any, order: int, theta: Any) -> Any:
    return -(x * x) - x.log() + erfc_series(x, order, theta).log() - PI.log() * Fraction(1, 2)


def hankel(p: Fraction, v: Any, order: int, theta: Any) -> Any:
    """sum over k < n of a_k(p) v^k + theta a_n v^n, with K_p(1/v) = sqrt(pi v/2) e^(-1/v) times it (BESSEL_LEMMA)."""
    n, a = max(order, int(p) + 1), [Fraction(1)]
    for k in range(1, n + 1):
        a.append(a[-1] * (4 * p * p - (2 * k - 1) ** 2) / (8 * k))
    result = theta * a[n]
    for k in range(n - 1, -1, -1):
        result = result * v + a[k]
    return result


def besselk_ratio(p: Fraction, x: Any) -> Any:
    """K_(p-1)(x) / K_p(x)."""
    q = abs(p - 1)
    if isinstance(x, Model) and x.leading()[0] > CONSTANT:
        above, below = (hankel(k, x.inverse(), x.germ.order, x.const(UNIT)) for k in (q, p))
        return above * below.inverse()
    if isinstance(x, Interval):
        return x.besselk_ratio(p)
    return (x.log_matern(q) - x.log_matern(p) + x.log() * (p - q)).exp()


def large_log_matern(p: Fraction, x: Any, order: int, theta: Any) -> Any:
    """log x^p K_p(x)."""
    series = hankel(p, x.inverse(), order, theta).log()
    return -x + x.log() * (p - Fraction(1, 2)) + series + (PI * Fraction(1, 2)).log() * Fraction(1, 2)


# ---------------------------------------------------------------------------------------------
# Models: a function on [R, oo) as a sum of coefficient * e^q t^a (log t)^b (log log t)^c (log log log t)^e.

Exponent = Union[int, Fraction]


@total_ordering
class Rate:
    """q = the sum of k t^p, p > 0, as pairs (p, k) from the largest p down, in the order in which the e^q grow.

    The q that is zero everywhere is the int 0.
    """

    __slots__ = ("terms",)

    def __init__(self, terms: tuple[tuple[Exponent, Exponent], ...]) -> None:
        self.terms = terms

    @staticmethod
    def of(terms: dict[Exponent, Exponent]) -> Union[Rate, int]:
        kept = tuple(sorted(((p, k) for p, k in terms.items() if k), reverse=True))
        return Rate(kept) if kept else 0

    @lru_cache(20_000)  # noqa: B019  a rate is small, and so many at most are kept
    def __add__(self, other: Union[Rate, int]) -> Union[Rate, int]:
        terms = dict(self.terms)
        for p, k in other.terms if isinstance(other, Rate) else ():
            terms[p] = terms.get(p, 0) + k
        return Rate.of(terms)

    __radd__ = __add__

    def __neg__(self) -> Rate:
        return Rate(tuple((p, -k) for p, k in self.terms))

    def __sub__(self, other: Union[Rate, int]) -> Union[Rate, int]:
        return self + -other

    def __rsub__(self, other: int) -> Union[Rate, int]:
        return -self + other

    def __mul__(self, k: Fraction) -> Union[Rate, int]:
        return Rate.of({p: short(rate * k) for p, rate in self.terms})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rate) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.terms)

    @lru_cache(20_000)  # noqa: B019  a rate is small, and so many at most are kept
    def __lt__(self, other: Union[Rate, int]) -> bool:
        gap = self - other
        return isinstance(gap, Rate) and gap.terms[0][1] < 0


Exponents = tuple[Union[Rate, int], Exponent, Exponent, Exponent, Exponent]


def power_of_t(a: Exponent) -> Exponents:
    return (0, a, 0, 0, 0)


CONSTANT, LINEAR = power_of_t(0), power_of_t(1)
LOG_T: Exponents = (0, 0, 1, 0, 0)
LOG_LOG_T: Exponents = (0, 0, 0, 1, 0)
SCALES: tuple[Exponents, ...] = (LOG_T, LOG_LOG_T, (0, 0, 0, 0, 1))
BOUNDS = [Fraction(n) for n in (24, 16, 12, 8, 6, 4, 3, 2, 1)] + [Fraction(1, 2), Fraction(1, 8)]


def short(p: Exponent) -> Exponent:
    """A rational exponent as an int where it is one: ints are quick to compare and to hash."""
    return p.numerator if p.denominator == 1 else p


def quotient(m: Exponents, by: Exponents) -> Exponents:
    return (m[0] - by[0], m[1] - by[1], m[2] - by[2], m[3] - by[3], m[4] - by[4])


def raised(m: Exponents, p: Fraction) -> Exponents:
    a, b, c, e = (short(x * p) for x in m[1:])
    return (m[0] * p if isinstance(m[0], Rate) else 0, a, b, c, e)


class Phase:
    """x = frequency * r, modulo the period of what oscillates, lies in [low, high].

    What oscillates are sines and cosines of multiples of x (`turns`: of pi x), and floors.
    """

    def __init__(self, turns: bool, frequency: Fraction, low: Fraction, high: Fraction) -> None:
        self.turns, self.frequency, self.low, self.high = turns, frequency, low, high

    def moved(self, low: Fraction, high: Fraction) -> Phase:
        return Phase(self.turns, self.frequency, low, high)

    def x(self) -> Interval:
        return hull(interval(self.low), interval(self.high))


class Germ:
    """The end [R, oo) of the half-line, or only its radii of one phase, and how large a monomial is there."""

    def __init__(self, radius: Fraction, order: int) -> None:
        require(radius > 1, "a model's radius is too small")
        self.phase: Phase | None = None
        self.order, self.logs = order, [interval(radius).log()]
        while len(self.logs) < 4 and self.logs[-1].lo > 0:
            self.logs.append(self.logs[-1].log())
        self.spans: dict[Exponents, Interval] = {CONSTANT: ONE}

    def at(self, phase: Phase) -> Germ:
        """The same end, only its radii of one phase."""
        germ = copy(self)
        germ.phase = phase
        return germ

    def span(self, m: Exponents) -> Interval:
        """Contains the monomial's value at every t >= R: (0, m(R)] or [m(R), oo) by its sign."""
        if m not in self.spans:
            parts = self.logarithm(m)
            fastest, sign = parts[0][2], 1 if parts[0][0] > 0 else -1
            # log m grows with its leading part; what works against that is largest at R
            against = [(x, speed) for x, _, speed in parts[1:] if x * sign < 0]
            slope: Interval = add_up([fastest * (parts[0][0] * sign), *(speed * (x * sign) for x, speed in against)])
            require(slope.lo >= 0, "a monomial of a model is not monotone from its radius on")
            size = add_up(u * x for x, u, _ in parts).exp()
            self.spans[m] = Interval(size.lo, INF) if sign > 0 else Interval(D0, size.hi)
        return self.spans[m]

    def logarithm(self, m: Exponents) -> list[tuple[Exponent, Interval, Interval]]:
        """log m as a sum of x u: each x, and u and du / d log t at R, the fastest u first."""
        parts: list[tuple[Exponent, Interval, Interval]] = []
        for p, k in m[0].terms if isinstance(m[0], Rate) else ():
            u = (self.logs[0] * p).exp()
            parts.append((k, u, u * p))
        speed = ONE
        for i, x in enumerate(m[1:]):
            require(x == 0 or i < len(self.logs), "a model's radius is too small for its logarithms")
            if x:
                parts.append((x, self.logs[i], speed))
            if i < len(self.logs) and self.logs[i].lo > 0:
                speed = speed * self.logs[i].inverse()
        return parts


class Model:
    """A function of t on [R, oo): at every t >= R the sum of c * m(t), with each c in its coefficient."""

    __slots__ = ("germ", "terms")

    def __init__(self, germ: Germ, terms: dict[Exponents, Coefficient]) -> None:
        self.germ = germ
        kept = sorted((m for m, c in terms.items() if not is_zero(c)), reverse=True)
        self.terms = {m: tidy(terms[m]) for m in kept[: germ.order]}
        if len(kept) > germ.order:  # the rest goes into the coefficient of its largest monomial
            bucket = kept[germ.order]
            self.terms[bucket] = add_up(germ.span(quotient(m, bucket)) * terms[m] for m in kept[germ.order:])

    def const(self, value: Coefficient) -> Model:
        return Model(self.germ, {CONSTANT: value})

    def lift(self, other: Any) -> Model:
        return other if isinstance(other, Model) else self.const(other)

    def __neg__(self) -> Model:
        return Model(self.germ, {m: -c for m, c in self.terms.items()})

    def __add__(self, other: Any) -> Model:
        terms = dict(self.terms)
        for m, c in self.lift(other).terms.items():
            terms[m] = terms[m] + c if m in terms else c
        return Model(self.germ, terms)

    def __sub__(self, other: Any) -> Model:
        return self + -self.lift(other)

    def __mul__(self, other: Any) -> Model:
        terms: dict[Exponents, Coefficient] = {}
        for n, k in self.lift(other).terms.items():
            for m, c in self.terms.items():
                key = (m[0] + n[0], m[1] + n[1], m[2] + n[2], m[3] + n[3], m[4] + n[4])
                terms[key] = terms[key] + c * k if key in terms else c * k
        return Model(self.germ, terms)

    def leading(self) -> tuple[Exponents, Interval]:
        """The leading monomial and its coefficient, which alone decide every limit."""
        return next(((m, interval(c)) for m, c in self.terms.items()), (CONSTANT, ZERO))

    def bracket(self) -> tuple[Exponents, Interval]:
        """The leading monomial m and an enclosure of function / m on all of [R, oo)."""
        following, total = CONSTANT, None
        for m, c in reversed(self.terms.items()):
            total = interval(c) if total is None else total * self.germ.span(quotient(following, m)) + c
            following = m
        return following, total or ZERO

    def span(self) -> Interval:
        """Contains the function's value at every t >= R."""
        monomial, factor = self.bracket()
        return factor * self.germ.span(monomial)

    def sign(self) -> int | None:
        return self.bracket()[1].sign()

    def limit(self) -> Interval:
        require(all(m <= CONSTANT for m in self.terms), "a limit is not proved finite")
        return interval(self.terms.get(CONSTANT, 0))

    def vanishing(self) -> Model:
        return Model(self.germ, {m: c for m, c in self.terms.items() if m < CONSTANT})

    def relative(self) -> tuple[Exponents, Coefficient, Model, Interval]:
        """Split into c * m * (1 + w), with w a model that vanishes at infinity, and its span."""
        require(bool(self.terms), "divides by zero, or takes its logarithm")
        lead, c = next(iter(self.terms.items()))
        require(interval(c).sign() in (1, -1), "a leading coefficient has no proved sign")
        scale = 1 / c if isinstance(c, Fraction) else interval(c).inverse()
        w = Model(self.germ, {quotient(m, lead): k * scale for m, k in self.terms.items() if m != lead})
        span = w.span()
        require(span.lo > -1, "a model's radius is too small for its series")
        return lead, c, w, span

    def taylor(self, coefficients: list[Any], remainder: Coefficient) -> Model:
        """sum of a_k w^k + remainder * w^(n+1), by Horner's rule."""
        if not self.terms:
            return self.const(coefficients[0])
        result = self.const(remainder)
        for a in reversed(coefficients):
            result = result * self + a
        return result

    def power(self, p: Fraction) -> Model:
        if p.denominator == 1 and 0 <= p <= 8:
            return product_of([self] * int(p)) if p else self.const(1)
        (lead, c, w, span), n = self.relative(), self.germ.order
        series = [Fraction(1)]
        for k in range(n + 1):
            series.append(series[-1] * (p - k) / (k + 1))
        remainder = (ONE + span).power(p - n - 1) * series.pop()
        exact = isinstance(c, Fraction) and (c == 1 or (p.denominator == 1 and abs(p) < 64))
        front = (c ** int(p) if c != 1 else c) if exact else interval(c).power(p)  # type: ignore[operator]
        return Model(self.germ, {raised(lead, p): front}) * w.taylor(series, remainder)

    def inverse(self) -> Model:
        return self.power(Fraction(-1))

    def log(self) -> Model:
        (lead, c, w, span), n = self.relative(), self.germ.order
        require(interval(c).lo > 0, "takes the logarithm of something not proved positive")
        require(not lead[4], "a fourth iterated logarithm is beyond the models")
        logs = self.germ.logs  # monomials are positive: log log t only where R > e, and so on
        require(all(k < len(logs) and logs[k].lo > 0 for k in range(3) if lead[k + 1]), "a model's radius is too small for its logarithms")
        front: dict[Exponents, Coefficient] = {s: Fraction(x) for s, x in zip(SCALES, lead[1:])}
        front.update({power_of_t(p): Fraction(k) for p, k in (lead[0].terms if isinstance(lead[0], Rate) else ())})
        if c != 1:
            front[CONSTANT] = interval(c).log()
        remainder = (ONE + span).power(Fraction(-n - 1)) * Fraction((-1) ** n, n + 1)
        return Model(self.germ, front) + w.taylor([Fraction(-((-1) ** k), k or 1) * (k > 0) for k in range(n + 1)], remainder)

    def exp(self) -> Model:
        growing = {m: c for m, c in self.terms.items() if m > CONSTANT}
        steep = {m[1]: short(c) for m, c in growing.items() if m == power_of_t(m[1]) and isinstance(c, Fraction)}
        scales = {m: short(c) for m, c in growing.items() if m in SCALES and isinstance(c, Fraction)}
        if len(steep) + len(scales) < len(growing):
            return self.vanishing_exp()
        a, b, d = (scales.get(s, 0) for s in SCALES)
        front = interval(self.terms[CONSTANT]).exp() if CONSTANT in self.terms else Fraction(1)
        w, n = self.vanishing(), self.germ.order
        remainder = hull(w.span(), ZERO).exp() * Fraction(1, factorial(n + 1))
        front_model = Model(self.germ, {(Rate.of(steep), a, b, d, 0): front})
        return front_model * w.taylor([Fraction(1, factorial(k)) for k in range(n + 1)], remainder)

    def vanishing_exp(self) -> Model:
        """e^self <= B t^-n, or B (log t)^-n, for the first n of a fixed list for which this is immediate."""
        lead, factor = self.bracket()
        require(lead > CONSTANT and factor.hi < 0, "an exponential grows, or has no proved sign")
        for scale, log in ((LINEAR, LOG_T), (LOG_T, LOG_LOG_T)):
            near = [Fraction(int(factor.hi * -1024), 1024)] if lead == log and factor.hi.adjusted() < 9 else []
            for n in near + BOUNDS:
                try:
                    m, b = (self + Model(self.germ, {log: n})).bracket()
                    if m == CONSTANT or (m > CONSTANT and b.hi <= 0):
                        bound = (b * self.germ.span(m)).hi
                        return Model(self.germ, {raised(scale, -n): Interval(bound, bound).exp() * UNIT})
                except Rejected:
                    continue
        raise Rejected("an exponential vanishes too slowly for the models")

    def softplus(self, sign: int) -> Model:
        return (self.exp() * sign + 1).log()

    def logistic(self, sign: int) -> Model:
        w = self.exp() * sign
        return w * (w + 1).inverse()

    def linear(self, turns: bool, floors: bool) -> tuple[Fraction, Coefficient] | None:
        """(n, c) where the model is n x + c, x the phase, up to what vanishes and what does not matter: whole
        periods of the cosine, or integers, which x = 2 in turns brings where n or 2n is whole, but 2 pi does not."""
        growing = {m: c for m, c in self.terms.items() if m > CONSTANT}
        steep = growing.get(LINEAR)
        phase = self.germ.phase
        if phase is None or phase.turns is not turns or len(growing) != 1 or not isinstance(steep, Fraction):
            return None
        n = steep / phase.frequency
        return (n, self.terms.get(CONSTANT, Fraction(0))) if n.denominator <= (2 if floors else 1) else None

    def circular(self, turn: int, turns: bool) -> Model:
        """cos(self - turn * pi/2), or of pi * self where it is given in (half) turns."""
        n, exact = self.germ.order, CONSTANT not in self.terms
        series: list[Any] = []
        if any(m > CONSTANT for m in self.terms):
            phase, linear = self.germ.phase, self.linear(turns, floors=False)
            if phase is None or linear is None:
                return self.const(Interval(-D1, D1))
            centre, exact = phase.x() * linear[0] + linear[1], False
        else:
            centre = self.limit()
        wave: list[Any] = [centre.cos(turns), -centre.sin(turns)] if not exact else [1, 0]
        for k in range(n + 1):  # the k-th derivative of cos(x) is cos(x + k pi/2)
            value = wave[(k - turn) % 2] * (1 if (k - turn) % 4 < 2 else -1)
            series.append(value * Fraction(1, factorial(k)))
        w = self.vanishing() * PI if turns else self.vanishing()
        return w.taylor(series, Interval(-D1, D1) * Fraction(1, factorial(n + 1)))

    def cos(self, turns: bool = False) -> Model:
        return self.circular(0, turns)

    def sin(self, turns: bool = False) -> Model:
        return self.circular(1, turns)

    def whole(self) -> Interval | None:
        """The integers that floor(self) can be, up to whole periods; None where nothing is known.

        A cell of phases is open, so an exact integer at its end counts for the inside.
        """
        linear, rest, phase = self.linear(turns=True, floors=True), self.vanishing(), self.germ.phase
        if linear is None or phase is None:
            if any(m > CONSTANT for m in self.terms):
                return None
            linear, low, high = (Fraction(0), self.terms.get(CONSTANT, Fraction(0))), Fraction(0), Fraction(0)
        else:
            low, high = sorted((linear[0] * phase.low, linear[0] * phase.high))
        c = linear[1]
        if isinstance(c, Fraction) and not rest.terms:
            first = (low + c) // 1
            return hull(interval(first), interval(max(first, -((-high - c) // 1) - 1)))
        return (hull(interval(low), interval(high)) + c + rest.span()).floor()

    def floor(self) -> Model:
        span, whole = self.span().floor(), self.whole()
        if whole is None:
            return self.const(span) if span.lo == span.hi else self + Interval(-D1, D0)
        linear = self.linear(turns=True, floors=True)
        if linear is None or self.germ.phase is None:
            return self.const(whole)
        return Model(self.germ, {LINEAR: self.terms[LINEAR]}) + (whole - self.germ.phase.x() * linear[0])

    def log_matern(self, p: Fraction) -> Model:
        """log x^p K_p(x) at x = self, where it tends to oo, to a positive constant, or to 0."""
        lead, x = self.leading()[0], self
        if lead > CONSTANT:
            return large_log_matern(p, x, self.germ.order, self.const(UNIT))
        if lead == CONSTANT:
            return self.vanishing() * -besselk_ratio(p, x.span()) + self.limit().log_matern(p)
        require(x.span().lo >= 0 and x.span().hi < 1, "a model's radius is too small for K_p")
        if p == 0:  # 0 <= K_0(x) - log(2/x) + EULER <= x^2 (log(1/x) + 1) / 2
            log = self.log()
            return (-log + interval(2).log() - EULER + x * x * (-log + 1) * (UNIT * Fraction(1, 2))).log()
        if p > 1:  # 0 <= 1 - x^p K_p(x) / (2^(p-1) Gamma(p)) <= rest, from (x^p K_p)' = -x^p K_(p-1)
            rest = x * x * (1 / (4 * (p - 1)))
        else:
            rest = x * x * (-x.log() + 1) * Fraction(1, 2) if p == 1 else x.power(2 * p) * (Fraction(5, 4) / (p * (1 - p)))
        return (rest * -UNIT + 1).log() + (gamma(p) * interval(2).power(p - 1)).log()

    def log_erfc(self) -> Model:
        """log erfc(self), where self tends to either infinity or to a constant."""
        lead, c = self.leading()
        if lead > CONSTANT and c.lo > 0:
            return large_log_erfc(self, self.germ.order, self.const(UNIT))
        if lead > CONSTANT:  # erfc(x) = 2 - erfc(-x)
            log_2 = interval(2).log()
            return ((-self).log_erfc() - log_2).softplus(-1) + log_2
        return self.vanishing() * -self.span().erfc_hazard() + self.limit().log_erfc()

    def erfc_hazard(self) -> Model:
        lead, c = self.leading()
        if lead > CONSTANT and c.lo > 0:
            return self * erfc_series(self, self.germ.order, self.const(UNIT)).inverse() * 2
        if lead > CONSTANT:
            return (-(self * self) - self.log_erfc()).exp() * (PI.power(Fraction(-1, 2)) * 2)
        return self.const(self.span().erfc_hazard())


def is_zero(c: Coefficient) -> bool:
    return c.lo == 0 == c.hi if isinstance(c, Interval) else c == 0


def tidy(c: Coefficient) -> Coefficient:
    """Keep a rational exact while it is short."""
    c = Fraction(c) if isinstance(c, int) else c
    return interval(c) if isinstance(c, Fraction) and c.numerator.bit_length() + c.denominator.bit_length() > 600 else c


# ---------------------------------------------------------------------------------------------
# Pairs: a function together with its slopes, or with its exact increment.  Slopes enclose every
# difference quotient (u(s) - u(t)) / (s - t), so they bound change whether or not u is smooth.

class Slope:
    """(u, du): u on a box or an end, and du enclosing its slopes there."""

    __slots__ = ("du", "u")

    def __init__(self, u: Any, du: Any) -> None:
        self.u, self.du = u, du

    def const(self, value: Coefficient) -> Any:
        return type(self)(self.u.const(value), self.u.const(0))

    def lift(self, other: Any) -> Any:
        return other if isinstance(other, Slope) else self.const(other)

    def __neg__(self) -> Any:
        return type(self)(-self.u, -self.du)

    def __add__(self, other: Any) -> Any:
        o = self.lift(other)
        return type(self)(self.u + o.u, self.du + o.du)

    def __sub__(self, other: Any) -> Any:
        return self + -self.lift(other)

    def __mul__(self, other: Any) -> Any:
        o = self.lift(other)
        return Slope(self.u * o.u, self.du * o.u + self.u * o.du)

    def inverse(self) -> Any:
        i = self.u.inverse()
        return Slope(i, -(self.du * i * i))

    def exp(self) -> Any:
        e = self.u.exp()
        return Slope(e, e * self.du)

    def log(self) -> Any:
        return Slope(self.u.log(), self.du * self.u.inverse())

    def power(self, p: Fraction) -> Any:
        return self if p == 1 else Slope(self.u.power(p), self.u.power(p - 1) * self.du * p)

    def softplus(self, sign: int) -> Any:
        return Slope(self.u.softplus(sign), self.u.logistic(sign) * self.du)

    def logistic(self, sign: int) -> Any:
        s = self.u.logistic(sign)
        return Slope(s, s * (-s + 1) * self.du)

    def cos(self, turns: bool = False) -> Any:
        return Slope(self.u.cos(turns), -(self.u.sin(turns) * self.du) * (PI if turns else 1))

    def sin(self, turns: bool = False) -> Any:
        return Slope(self.u.sin(turns), self.u.cos(turns) * self.du * (PI if turns else 1))

    def log_matern(self, p: Fraction) -> Any:
        return Slope(self.u.log_matern(p), -(besselk_ratio(p, self.u) * self.du))

    def log_erfc(self) -> Any:
        return Slope(self.u.log_erfc(), -(self.u.erfc_hazard() * self.du))

    def sign(self) -> int | None:
        return self.u.sign()

    def whole(self) -> Interval | None:
        return self.u.whole() if isinstance(self.u, Model) else None

    def floor(self) -> Any:
        slopes = self.du.span()
        steps = Interval(D0 if slopes.lo >= 0 else NEG_INF, D0 if slopes.hi <= 0 else INF)
        whole = self.whole() if isinstance(self.u, Model) else self.u.span().floor()
        return Slope(self.u.floor(), self.u.const(0 if whole is not None and whole.lo == whole.hi else steps))


class Shift(Slope):
    """(u, du): u at r and its increment du = u(r + h) - u(r), over any ring; nothing is linearised.

    u may be given as a function without arguments, computed only if it is ever asked for.
    """

    __slots__ = ("_u",)

    def __init__(self, u: Any, du: Any) -> None:
        self._u, self.du = u, du

    @property
    def u(self) -> Any:  # type: ignore[override]
        self._u = self._u() if callable(self._u) else self._u
        return self._u

    def ahead(self) -> Any:
        return self.u + self.du

    def __neg__(self) -> Shift:
        return Shift(lambda: -self.u, -self.du)

    def __add__(self, other: Any) -> Shift:
        if not isinstance(other, Shift):
            return Shift(lambda: self.u + other, self.du)
        return Shift(lambda: self.u + other.u, self.du + other.du)

    def __mul__(self, other: Any) -> Shift:
        if not isinstance(other, Shift):
            return Shift(lambda: self.u * other, self.du * other)
        return Shift(lambda: self.u * other.u, self.du * other.ahead() + self.u * other.du)

    def inverse(self) -> Shift:
        i = self.u.inverse()
        return Shift(i, -(self.du * i * self.ahead().inverse()))

    def exp(self) -> Shift:
        e = self.u.exp()
        return Shift(e, e * (self.du.exp() - 1))

    def log(self) -> Shift:
        return Shift(lambda: self.u.log(), (self.du * self.u.inverse() + 1).log())

    def power(self, p: Fraction) -> Shift:
        if p.denominator == 1 and 0 < p <= 8:
            return product_of([self] * int(p))
        u = self.u.power(p)
        return Shift(u, u * ((self.du * self.u.inverse() + 1).power(p) - 1))

    def softplus(self, sign: int) -> Shift:
        s = self.u.logistic(sign)
        ratio = s * (self.du.exp() - 1) + 1
        value = ratio.u if isinstance(ratio, Slope) else ratio
        if sign > 0 and isinstance(value, Interval) and value.lo < Decimal("0.5"):  # the same, as a sum of positives
            ratio = (-self.u).logistic(1) + s * self.du.exp()
        return Shift(lambda: self.u.softplus(sign), ratio.log())

    def cos(self, turns: bool = False) -> Shift:
        half = self.du * Fraction(1, 2)
        return Shift(lambda: self.u.cos(turns), (self.u + half).sin(turns) * half.sin(turns) * -2)

    def sin(self, turns: bool = False) -> Shift:
        half = self.du * Fraction(1, 2)
        return Shift(lambda: self.u.sin(turns), (self.u + half).cos(turns) * half.sin(turns) * 2)

    def log_matern(self, p: Fraction) -> Shift:
        if isinstance(self.u, Model) and self.u.leading()[0] > CONSTANT and self.du.sign() == 1:
            theta = Shift(self.u.const(UNIT), self.u.const(Interval(-D1, D1)))
            return large_log_matern(p, self, self.u.germ.order, theta)
        log = self.u.log_matern(p)
        return Shift(log, self.ahead().log_matern(p) - log)

    def log_erfc(self) -> Shift:
        if isinstance(self.u, Model) and self.u.leading()[0] > CONSTANT and self.du.sign() == 1:
            theta = Shift(self.u.const(UNIT), self.u.const(Interval(-D1, D1)))
            return large_log_erfc(self, self.u.germ.order, theta)
        log = self.u.log_erfc()
        return Shift(log, self.ahead().log_erfc() - log)

    def sign(self) -> int | None:
        raise Rejected("the sign of a function and of its shift are two questions")

    def floor(self) -> Shift:
        base, ahead = self.u.floor(), self.ahead()
        here, there = (None, None) if isinstance(base, Interval) else (self.u.whole(), ahead.whole())
        known = None if here is None or there is None else there - here
        if not isinstance(self.u, Model):
            steady = known is not None and known.lo == known.hi
            return Shift(base, base.const(known) if steady else ahead.floor() - base)
        if known is not None:
            return Shift(base, base.const(known))
        span = self.du.span()
        if not (span.lo.is_finite() and span.hi.is_finite()):
            return Shift(base, self.du + Interval(-D1, D1))
        return Shift(base, base.const(hull(span.floor(), -(-span).floor())))


def sides(element: Any) -> tuple[Any, Any]:
    """An element where r is, and where r + h is: the same, unless there is a shift."""
    return (element.u, element.ahead()) if isinstance(element, Shift) else (element, element)


# ---------------------------------------------------------------------------------------------
# The generator's text, read by an allowlist on the standard library's ast; nothing is evaluated.

class Node:
    """One node of the tree: num, pi, r, add, mul, pow, exp, log, sin, cos, floor, max, piece, gamma, erfc, matern (x^p K_p(x))"""

    __slots__ = ("args", "exponential", "kind", "rational", "size")

    def __init__(self, kind: str, *args: Any) -> None:
        self.kind, self.args = kind, args
        parts = [a for a in args if isinstance(a, Node)] + [a[0] for a in args if isinstance(a, tuple)]
        self.size = 1 + sum(p.size for p in parts)  # as a tree: what is shared counts as often as it is met
        require(self.size <= MAX_NODES, "the generator's text unfolds to too large a tree")
        self.rational = kind in ("num", "r") or ((kind in ("add", "mul") or (kind == "pow" and args[1].denominator == 1)) \
            and all(p.rational for p in parts))
        # whether the value is better known by its logarithm than as a number
        self.exponential = kind in ("exp", "matern", "erfc") or (kind == "pow" and args[1] < 0) or (
            kind in ("add", "mul", "max", "piece", "pow") and any(p.exponential for p in parts))


def num(value: Fraction | int) -> Node:
    size = Fraction(value)
    require(size.numerator.bit_length() + size.denominator.bit_length() <= MAX_BITS, "a number is too long")
    return Node("num", size)


def add(*terms: Node) -> Node:
    parts = [part for t in terms for part in (t.args if t.kind == "add" else (t,))]
    total = sum((part.args[0] for part in parts if part.kind == "num"), Fraction(0))
    parts = [part for part in parts if part.kind != "num"]
    if total or not parts:
        parts.append(num(total))
    return parts[0] if len(parts) == 1 else Node("add", *parts)


def mul(*factors: Node) -> Node:
    total, radial, flat = Fraction(1), Fraction(0), []
    for part in (part for f in factors for part in (f.args if f.kind == "mul" else (f,))):
        if part.kind == "num":
            total *= part.args[0]
        elif part.kind == "r" or (part.kind == "pow" and part.args[0].kind == "r"):
            radial += part.args[1] if part.kind == "pow" else 1
        else:
            flat.append(part)
    flat = gathered(flat)
    if radial:
        flat.insert(0, power(Node("r"), radial))
    if len(flat) == 1 and flat[0].kind == "add" and total == -1:
        return add(*(mul(num(-1), t) for t in flat[0].args))
    if total != 1 or not flat:
        flat.insert(0, num(total))
    return flat[0] if len(flat) == 1 else Node("mul", *flat)


def gathered(factors: list[Node]) -> list[Node]:
    """The factors, powers of pi or of one positive sum made one power."""
    sums: list[list[Any]] = []
    others: list[Node] = []
    for factor in factors:
        base, p = factor.args if factor.kind == "pow" else (factor, Fraction(1))
        if base.kind not in ("add", "pi") or not obviously_positive(base):
            others.append(factor)
            continue
        for known in sums:
            if same(known[0], base):
                known[1] += p
                break
        else:
            sums.append([base, p])
    return others + [power(base, p) for base, p in sums if p]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, Node) and isinstance(b, Node):
        return a.kind == b.kind and same(a.args, b.args)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def power(base: Node, p: Fraction) -> Node:
    require(max(abs(p.numerator), p.denominator) <= 10**9, "an exponent is too large")
    if p == 1:
        return base
    if base.kind == "num" and p.denominator == 1:
        require(base.args[0] != 0 or p > 0, "divides by zero")
        bits = base.args[0].numerator.bit_length() + base.args[0].denominator.bit_length()
        require(abs(p) <= MAX_EXPONENT and abs(p) * bits <= MAX_BITS, "a power is too large")
        return num(base.args[0] ** int(p))
    if base.kind == "pow" and (obviously_positive(base.args[0]) or base.args[1].denominator == p.denominator == 1):
        return power(base.args[0], base.args[1] * p)
    if base.kind in ("sin", "cos") and p == 2:  # (1 -+ cos 2u)/2, which shows that it is not negative
        half, wave = num(Fraction(1, 2)), Node("cos", mul(num(2), base.args[0]), base.args[1])
        return mul(half, add(num(1), wave if base.kind == "cos" else mul(num(-1), wave)))
    if base.kind == "mul" and all(obviously_positive(f) for f in base.args):
        return mul(*(power(f, p) for f in base.args))
    return Node("pow", base, p)


def obviously_positive(node: Node) -> bool:
    if node.kind in ("pow", "add", "mul"):
        return all(obviously_positive(a) for a in node.args if isinstance(a, Node))
    return node.kind in ("r", "pi", "exp") or (node.kind == "num" and node.args[0] > 0)


def call(name: str, args: list[Node]) -> Node:
    low, high = {"besselk": (2, 2), "Max": (2, 20), "Min": (2, 20)}.get(name, (1, 1))
    require(low <= len(args) <= high, f"{name[:40]} takes another number of arguments")
    u, minus, half = args[0], num(-1), num(Fraction(1, 2))
    if name in ("exp", "log", "floor", "gamma", "erfc"):
        return Node(name, u)
    if name in ("sin", "cos"):  # in multiples of pi, where that keeps the coefficient of pi * r exact
        terms = u.args if u.kind == "add" else (u,)
        turns = any({a.kind for a in (t.args if t.kind == "mul" else (t,))} >= {"pi", "r"} for t in terms)
        per_pi = power(Node("pi"), Fraction(-1))
        return Node(name, add(*(mul(per_pi, t) for t in terms)) if turns else u, turns)
    if name == "sqrt":
        return power(u, Fraction(1, 2))
    if name in ("sinh", "cosh"):
        other = Node("exp", mul(minus, u))
        return mul(half, add(Node("exp", u), other if name == "cosh" else mul(minus, other)))
    if name == "tanh":
        return add(num(1), mul(num(-2), power(add(num(1), Node("exp", mul(num(2), u))), Fraction(-1))))
    if name == "erf":
        return add(num(1), mul(minus, Node("erfc", u)))
    if name == "asinh":
        return Node("log", add(u, power(add(power(u, Fraction(2)), num(1)), Fraction(1, 2))))
    if name == "Abs":
        return u if obviously_positive(u) else Node("max", u, mul(minus, u))
    if name == "Max":
        return Node("max", *args)
    if name == "Min":
        return mul(minus, Node("max", *(mul(minus, a) for a in args)))
    require(name == "besselk", f"the generator calls {name[:40]!r}, which the checker does not know")
    require(u.kind == "num" and abs(u.args[0]) <= 100, "the order of besselk is not a rational from -100 to 100")
    order = abs(u.args[0])
    if order.denominator != 2 or order > 5:
        return mul(power(args[1], -order), Node("matern", order, args[1]))
    n, two_x = int(order), mul(num(2), args[1])  # a finite sum (DLMF 10.49.12)
    series = [mul(num(Fraction(factorial(n + k), factorial(k) * factorial(n - k))), power(two_x, Fraction(-k)))
              for k in range(1, n + 1)]
    front = power(mul(Node("pi"), power(two_x, Fraction(-1))), Fraction(1, 2))
    return mul(front, Node("exp", mul(minus, args[1])), add(num(1), *series))


ALIASES = {"abs": "Abs", "max": "Max", "min": "Min"}


class Reader:
    """Turns text into a tree; names are bound to the claim's parameters and dimension."""

    def __init__(self, text: Any, names: dict[str, Fraction], radial: bool = True) -> None:
        require(isinstance(text, str) and len(text) <= MAX_TEXT, "the generator is not a text of permitted length")
        require(text.isascii() and text.isprintable() and "#" not in text, "the generator's text has characters outside the language")
        self.text, self.names, self.radial = text.strip(), names, radial

    def tree(self) -> Node:
        try:
            parsed = ast.parse(self.text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Rejected("the generator's text is not an expression") from None
        return self.expression(parsed, 0)

    def expression(self, node: ast.AST, depth: int) -> Node:
        require(depth < MAX_DEPTH, "the generator's text is nested too deeply")
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            inner = self.expression(node.operand, depth + 1)
            return mul(num(-1), inner) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            return self.binary(node.op, self.expression(node.left, depth + 1), self.expression(node.right, depth + 1))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id == "Piecewise":
                return self.piecewise(node.args, depth)
            return call(ALIASES.get(node.func.id, node.func.id), [self.expression(a, depth + 1) for a in node.args])
        raise Rejected(f"the generator uses {type(node).__name__}, which is not in the language")

    def number(self, node: ast.Constant) -> Node:
        if type(node.value) is int:
            return num(node.value)
        written = ast.get_source_segment(self.text, node) or ""
        plain = re.fullmatch(r"[0-9]*\.?[0-9]*([eE][+-]?[0-9]{1,4})?", written) and len(written) <= MAX_DIGITS
        require(type(node.value) is float and bool(plain), "the generator has a constant that is not a plain number")
        return num(Fraction(written))

    def name(self, name: str) -> Node:
        if self.radial and name in ("y", "r"):
            return power(Node("r"), Fraction(2 if name == "y" else 1))
        if name in ("pi", "e"):
            return Node("pi") if name == "pi" else Node("exp", num(1))
        require(name in self.names, f"the generator uses the unbound name {name[:40]!r}")
        return num(self.names[name])

    def binary(self, op: ast.operator, left: Node, right: Node) -> Node:
        if isinstance(op, (ast.Add, ast.Sub)):
            return add(left, right if isinstance(op, ast.Add) else mul(num(-1), right))
        if isinstance(op, (ast.Mult, ast.Div)):
            return mul(left, right if isinstance(op, ast.Mult) else power(right, Fraction(-1)))
        require(isinstance(op, ast.Pow), "the generator uses an operator outside the language")
        if right.kind == "num" and left.kind != "exp":
            return power(left, right.args[0])
        return Node("exp", mul(right, left.args[0] if left.kind == "exp" else Node("log", left)))

    def piecewise(self, branches: list[ast.expr], depth: int) -> Node:
        parts: list[tuple[Node, Any]] = []
        for branch in branches:
            require(isinstance(branch, ast.Tuple) and len(branch.elts) == 2, "a Piecewise branch is not a pair")
            value, condition = branch.elts  # type: ignore[attr-defined]
            parts.append((self.expression(value, depth + 1), self.condition(condition, depth + 1)))
        require(0 < len(parts) <= 50, "a Piecewise has no branch or too many")
        return Node("piece", *parts)

    def condition(self, node: ast.AST, depth: int) -> tuple[Any, ...]:
        """("less", w, weak) for 0 < w or 0 <= w, and the connectives over such."""
        require(depth < MAX_DEPTH, "the generator's text is nested too deeply")
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return ("and",) if node.value else ("or",)
        if isinstance(node, ast.Compare):
            sides = [self.expression(s, depth + 1) for s in (node.left, *node.comparators)]
            tests: list[Any] = []
            for op, a, b in zip(node.ops, sides, sides[1:]):
                require(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)), "a condition is outside the language")
                low, high = (a, b) if isinstance(op, (ast.Lt, ast.LtE)) else (b, a)
                tests.append(("less", add(high, mul(num(-1), low)), isinstance(op, (ast.LtE, ast.GtE))))
            return ("and", *tests)
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return (word, *(self.condition(v, depth + 1) for v in node.values))
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            word = "and" if isinstance(node.op, ast.BitAnd) else "or"
            return (word, self.condition(node.left, depth + 1), self.condition(node.right, depth + 1))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
            return ("not", self.condition(node.operand, depth + 1))
        raise Rejected("a condition is outside the language")


def exact_value(node: Node, r: Fraction) -> Fraction | None:
    """The exact value at a rational radius; None at a pole, where it is long, and where the node is not rational in r."""
    if not node.rational:
        return None
    if node.kind in ("num", "r"):
        return node.args[0] if node.kind == "num" else r
    values = [exact_value(a, r) for a in node.args if isinstance(a, Node)]
    total = values[0]
    if node.kind == "pow":
        p = int(node.args[1])
        return None if total is None or (total == 0 and p < 0) or length(total) * abs(p) > MAX_EXACT else total**p
    for value in values[1:]:
        if total is None or value is None or length(total) + length(value) > MAX_EXACT:
            return None
        total = total + value if node.kind == "add" else total * value
    return total


def length(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def kinds(node: Node) -> set[str]:
    """The kinds of node in a tree, those in conditions included."""
    found = {node.kind}
    stack: list[Any] = list(node.args)
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(part)
        elif isinstance(part, Node):
            found.add(part.kind)
            stack.extend(part.args)
    return found


# ---------------------------------------------------------------------------------------------
# Evaluation of the tree over any of the rings, keeping logarithms of large and small things.

class Evaluation:
    """The value, or the sign and logarithm of the absolute value, of each node at the element r.

    On an open box, `ends` are its exact ends and `shift` leads from r to r + h: a condition or a
    floor whose argument is rational and strictly monotone is decided by exact values at the ends.
    """

    def __init__(self, r: Any, ends: tuple[Fraction, Fraction] | None = None, shift: Fraction = Fraction(0)) -> None:
        self.r, self.ends, self.shift = r, ends, shift
        self.exact = isinstance(sides(r)[0], Model) or isinstance(getattr(r, "u", None), Model)
        self.values: dict[Node, Any] = {}  # by the node itself, which thus outlives its entry
        self.logs: dict[Node, tuple[int, Any]] = {}

    def value(self, node: Node) -> Any:
        if node not in self.values:
            self.values[node] = self._value(node.kind, node.args, node)
        return self.values[node]

    def log(self, node: Node) -> tuple[int, Any]:
        if node not in self.logs:
            self.logs[node] = self._log(node.kind, node.args, node)
        return self.logs[node]

    def _value(self, kind: str, args: tuple[Any, ...], node: Node) -> Any:
        if kind in ("num", "pi"):
            return self.r.const(args[0] if kind == "num" else PI)
        if kind == "r":
            return self.r
        if kind == "add":
            return add_up(self.value(a) for a in args)
        if kind == "mul":
            known = attempt(lambda _: product_of(self.value(a) for a in args), node) if self.exact else None
            sign, log = (attempt(self.log, node) if node.exponential and known is None else None) or (0, None)
            return known or (log.exp() * sign if log is not None else product_of(self.value(a) for a in args))
        if kind == "pow":
            base, whole = self.value(args[0]), args[1].denominator == 1
            require(whole or args[1] > 0 or all(x.sign() != 0 for x in sides(base)), "divides by zero")
            return base.power(args[1])
        if kind == "log":
            return self._logarithm(args[0])
        if kind == "exp":
            return self.value(args[0]).exp()
        if kind in ("sin", "cos"):
            return getattr(self.value(args[0]), kind)(args[1])
        if kind == "floor":
            return self._floor(args[0])
        if kind == "gamma":
            require(args[0].kind == "num", "the argument of gamma is not a rational number")
            return self.r.const(gamma(args[0].args[0]))
        if kind == "matern":
            return self.value(args[1]).log_matern(args[0]).exp()
        if kind == "erfc":
            return self.value(args[0]).log_erfc().exp()
        if kind == "max":
            values = [self.value(a) for a in args]
            return self._choose(values, *self._largest(args, values), jumps=False)
        require(kind == "piece", f"cannot evaluate {kind}")
        return self._piece(args, Evaluation.value)

    def _logarithm(self, node: Node) -> Any:
        """log of a node; from the value of a model that tends to a known rational, since that may cancel exactly."""
        if self.exact and node.exponential and node.kind in ("add", "mul"):
            combine = add_up if node.kind == "add" else product_of
            known = attempt(lambda _: combine(self.value(a) for a in node.args), node)
            if tends_to_a_rational(known):
                return known.log()
        sign, log = self.log(node)
        require(sign == 1, "takes the logarithm of something not proved positive")
        return log

    def _log(self, kind: str, args: tuple[Any, ...], node: Node) -> tuple[int, Any]:
        if kind == "exp":
            return 1, self.value(args[0])
        if kind == "matern":
            return 1, self.value(args[1]).log_matern(args[0])
        if kind == "erfc":
            return 1, self.value(args[0]).log_erfc()
        if kind == "mul":
            logs = [self.log(a) for a in args]
            return product_of(s for s, _ in logs), add_up(log for _, log in logs)
        if kind == "pow":
            sign, log = self.log(args[0])
            if sign == 1 or args[1].denominator == 1:
                return sign if args[1] % 2 == 1 else 1, log * args[1]
        if kind == "add" and node.exponential:
            try:
                return log_of_sum([self.log(a) for a in args])
            except Rejected:
                pass
        if kind == "max" and node.exponential:
            logs = [attempt(self.log, a) for a in args]
            if None not in logs and len({s for s, _ in logs}) == 1:  # max(-e^L, -e^M) = -e^min(L, M)
                heights = [log * logs[0][0] for _, log in logs]
                return logs[0][0], self._choose(heights, *self._largest((), heights), jumps=False) * logs[0][0]
        if kind == "piece":
            signs: set[int] = set()

            def log(evaluation: Evaluation, branch: Node) -> Any:
                sign, value = evaluation.log(branch)
                signs.add(sign)
                return value
            whole = self._piece(args, log)
            require(len(signs) == 1, "a branch has no proved sign")
            return signs.pop(), whole
        value = self.value(node)
        sign = sides(value)[0].sign()
        require(sign in (1, -1), "a factor has no proved sign")
        return sign, (value if sign == 1 else -value).log()

    def _at_ends(self, node: Node, element: Any, ahead: int, ordered: bool = True) -> list[Any]:
        """The exact values at the box's ends of a rational node, where the element is strictly monotone; or nothing."""
        monotone = isinstance(element, Slope) and isinstance(element.du, Interval) and element.du.sign() in (1, -1)
        if self.ends is None or not monotone:
            return []
        values = [exact_value(node, end + self.shift * ahead) for end in self.ends]
        return [] if None in values else sorted(values) if ordered else values  # type: ignore[type-var]

    def _sign(self, node: Node, side: int) -> int | None:
        element = sides(self.value(node))[side]
        values = self._at_ends(node, element, side)
        if values and (values[0] >= 0 or values[1] <= 0):
            return 1 if values[0] >= 0 else -1
        return element.sign()

    def _floor(self, node: Node) -> Any:
        element, whole = self.value(node), []
        for side, part in enumerate(sides(element)):
            values = self._at_ends(node, part, side)
            whole += [values[0] // 1] if values and values[1] <= values[0] // 1 + 1 else []
        if len(whole) < 2:
            return element.floor()
        if not isinstance(element, Shift):
            return element.const(whole[0])
        return Shift(element.u.const(whole[0]), element.u.const(whole[1] - whole[0]))

    def _largest(self, nodes: tuple[Node, ...], elements: list[Any]) -> tuple[set[int], set[int]]:
        """Which elements may be the largest, where r is and where r + h is."""
        result = []
        for side in range(2):
            parts, live = [sides(e)[side] for e in elements], set(range(len(elements)))
            for i in range(len(parts)):
                if any(self._leads(nodes, j, i, parts[j] - parts[i], side) for j in sorted(live - {i})):
                    live.discard(i)
            result.append(live)
        return result[0], result[1]

    def _leads(self, nodes: tuple[Node, ...], j: int, i: int, gap: Any, side: int) -> bool:
        """Whether the j-th is at least the i-th: by their gap, or by its exact values at the box's ends."""
        if gap.sign() in (1, 0):
            return True
        above, below = (self._at_ends(nodes[k], gap, side, False) for k in (j, i)) if nodes else ([], [])
        return bool(above and below) and all(a >= b for a, b in zip(above, below))

    def _branches(self, args: Iterable[tuple[Node, Any]]) -> tuple[set[int], set[int]]:
        result = []
        for k in range(2):
            live: set[int] = set()
            for i, (_, condition) in enumerate(args):
                holds = self._truth(condition, k)
                live |= set() if holds is False else {i}
                if holds:
                    break
            else:
                raise Rejected("no branch of a Piecewise is proved to hold")
            result.append(live)
        return result[0], result[1]

    def _truth(self, condition: Any, side: int) -> bool | None:
        if condition[0] == "less":
            sign = self._sign(condition[1], side)
            return None if sign is None else sign > 0 or (sign == 0 and condition[2])
        parts = [self._truth(c, side) for c in condition[1:]]
        if condition[0] == "not":
            return None if parts[0] is None else not parts[0]
        decisive = condition[0] == "or"
        return decisive if decisive in parts else None if None in parts else not decisive

    def _piece(self, args: tuple[Any, ...], of: Callable[[Evaluation, Node], Any]) -> Any:
        """Whichever branch holds; where r and r + h lie in different ones, each branch is asked where it holds."""
        base, ahead = self._branches(args)
        if not isinstance(self.r, Shift) or len(base | ahead) == 1:
            return hull_of([of(self, args[i][0]) for i in base], jumps=True)
        here = there = None
        if self.ends is not None:
            here, there = self.ends, (self.ends[0] + self.shift, self.ends[1] + self.shift)
        below, above = (Evaluation(r, at) for r, at in zip(sides(self.r), (here, there)))
        first = hull_of([of(below, args[i][0]) for i in base], jumps=True)
        return Shift(first, hull_of([of(above, args[i][0]) for i in ahead], jumps=True) - first)

    def _choose(self, elements: list[Any], base: set[int], ahead: set[int], jumps: bool) -> Any:
        if len(base) == 1 and base == ahead:
            return elements[min(base)]
        here = hull_of([sides(elements[i])[0] for i in base], jumps)
        if not isinstance(elements[min(base)], Shift):
            return here
        return Shift(here, hull_of([sides(elements[i])[1] for i in ahead], jumps) - here)


def attempt(evaluate: Callable[[Node], Any], node: Node) -> Any:
    try:
        return evaluate(node)
    except Rejected:
        return None  # refused later, if this branch is one that counts


def tends_to_a_rational(element: Any) -> bool:
    while isinstance(element, Slope):
        element = element.u
    lead, c = next(iter(element.terms.items()), (LINEAR, None)) if isinstance(element, Model) else (LINEAR, None)
    return lead == CONSTANT and isinstance(c, Fraction) and c > 0


def log_of_sum(logs: list[tuple[int, Any]]) -> tuple[int, Any]:
    """log |sum of s_i e^(L_i)|: what is added first, what is subtracted after."""
    sign = logs[0][0] if len({s for s, _ in logs}) == 1 else 1
    (_, total), *rest = sorted(logs, key=lambda item: -item[0] * sign)
    for s, log in rest:
        gap = log - total
        if s == sign and leans_positive(gap):
            total, gap = log, -gap
        total = total + gap.softplus(s * sign)
    return sign, total


def leans_positive(element: Any) -> bool:
    while isinstance(element, Slope):
        element = element.u
    return element.sign() == 1 if isinstance(element, Model) else NEAR.add(element.lo, element.hi) > 0


def hull_of(elements: list[Any], jumps: bool) -> Any:
    """Whichever element holds: one of the branches (which may jump), or the largest of a Max."""
    def either(a: Any, b: Any) -> Any:
        if isinstance(a, Model):
            return Model(a.germ, {m: hull(interval(a.terms.get(m, 0)), interval(b.terms.get(m, 0))) for m in {*a.terms, *b.terms}})
        return hull(a, b) if jumps else Interval(max(a.lo, b.lo), max(a.hi, b.hi))

    def either_slope(a: Any, b: Any) -> Any:
        return a.const(ANY) if jumps else either(a, b) if isinstance(a, Model) else hull(a, b)
    result = elements[0]
    for e in elements[1:]:
        pair = isinstance(e, Slope)
        result = Slope(either(result.u, e.u), either_slope(result.du, e.du)) if pair else either(result, e)
    return result


# ---------------------------------------------------------------------------------------------
# The steps of the proof.

class Problem:
    """One generator with its sensitivity, on the three charts that the proof names."""

    def __init__(self, tree: Node, dimension: int, delta: Fraction, zero: Any, infinity: Any) -> None:
        self.tree, self.dimension, self.delta = tree, dimension, delta
        (self.r0, order), (self.r1, far_order) = zero, infinity
        self.zero, self.infinity = Germ(1 / self.r0, order), Germ(self.r1, far_order)
        self.wave: Phase | None = None
        self.known: dict[Any, Any] = {}

    def log(self, r: Any, ends: tuple[Fraction, Fraction] | None = None, shift: Fraction = Fraction(0)) -> Any:
        sign, log = Evaluation(r, ends, shift).log(self.tree)
        require(sign == 1, "the generator is not positive where the proof needs it")
        return log

    def once(self, key: Any, compute: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]

    def near_zero(self) -> Slope:
        """log f and its slopes on (0, r0], as models in t = 1/r."""
        r = Model(self.zero, {power_of_t(-1): 1})
        return self.once("near zero", lambda: self.log(Slope(r, r.const(1))))

    def oscillates(self, wave: Phase) -> None:
        """Examine the tail by cells of phases; boxes then reach out by a period more, since the mean value form
        in the radius goes back by at most half a cell."""
        self.wave, self.r1 = wave, self.r1 + (2 if wave.turns else 7) / wave.frequency

    def tail(self, low: Fraction, high: Fraction) -> Germ:
        require(self.wave is not None, "the proof names phases, but no frequency")
        return self.infinity.at(self.wave.moved(low, high))  # type: ignore[union-attr]

    def far(self, germ: Germ) -> Slope:
        """log f and its slopes on the germ."""
        r = Model(germ, {LINEAR: 1})
        return self.once(("far", germ), lambda: self.log(Slope(r, r.const(1))))

    def far_loss(self, germ: Germ) -> Model:
        """phi_delta on the germ."""
        r = Model(germ, {LINEAR: 1})
        return self.once(("far loss", germ), lambda: -self.log(Shift(r, r.const(self.delta))).du)

    def phased_loss(self, germ: Germ, h: Fraction) -> Interval:
        """phi_h on a cell of phases, by the mean value form in the radius."""
        r, phase = Model(germ, {LINEAR: 1}), germ.phase
        require(phase is not None, "an interval of shifts without a phase")
        whole = -self.log(Shift(Slope(r, r.const(1)), Slope(r.const(h), r.const(0)))).du
        reach = whole.du.span() * ((phase.high - phase.low) / 2 / phase.frequency)  # type: ignore[union-attr]
        if not (reach.lo.is_finite() and reach.hi.is_finite()):
            return whole.u.span()
        middle = (phase.low + phase.high) / 2  # type: ignore[union-attr]
        r = Model(germ.at(phase.moved(middle, middle)), {LINEAR: 1})  # type: ignore[union-attr]
        return meet(whole.u.span(), -self.log(Shift(r, r.const(h))).du.span() + hull(reach, -reach))

    def phased_losses(self, germ: Germ, low: Fraction, high: Fraction) -> Iterator[Interval]:
        """Enclosures of phi_h on a cell of phases for every low <= h <= high."""
        phase = germ.phase
        require(phase is not None, "an interval of shifts without a phase")
        speed = phase.frequency  # type: ignore[union-attr]
        swept = germ.at(phase.moved(phase.low + speed * low, phase.high + speed * high))  # type: ignore[union-attr]
        yield from enclosures(-self.far(swept).du.span(), lambda h: self.phased_loss(germ, h), low, high)
        r = Model(germ, {LINEAR: 1})
        yield -self.log(Shift(r, r.const(hull(interval(low), interval(high))))).du.span()

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on the open box (a, b)."""
        return self.log(radii(a, b), (a, b))

    def value_on_box(self, a: Fraction, b: Fraction) -> Interval:
        """f on the open box (a, b), where its sign need not be known."""
        return Evaluation(radii(a, b), (a, b)).value(self.tree).u

    def negative(self, a: Fraction, b: Fraction) -> bool:
        """Whether f < 0 on the open box (a, b): by its sign, for where it is too small to have a value."""
        sign = attempt(lambda _: Evaluation(radii(a, b), (a, b)).log(self.tree)[0], self.tree)
        return sign == -1 or self.value_on_box(a, b).hi < 0

    def far_value_integrable(self) -> bool:
        """Whether 0 <= f <= C t^-n on [R, oo) for some n > d, or f = 0 there."""
        value = Evaluation(Model(self.infinity, {LINEAR: 1})).value(self.tree)
        monomial, factor = value.bracket()
        bounded = (factor.lo >= 0 or never_negative(self.tree)) and factor.hi.is_finite()
        return factor.sign() == 0 or (bounded and monomial[:2] < (0, -self.dimension))

    def bounds(self, a: Fraction, b: Fraction) -> Interval:
        """log f on the open box (a, b)."""
        return mean_value(self.on_box(a, b), a, b, self.log)

    def loss(self, a: Fraction, b: Fraction, h: Fraction) -> Interval:
        """phi_h on the open box (a, b)."""
        shift = interval(h)
        r = Shift(radii(a, b), Slope(shift, ZERO))
        return mean_value(-self.log(r, (a, b), h).du, a, b, lambda m: -self.log(Shift(m, shift)).du)

    def losses(self, a: Fraction, b: Fraction, low: Fraction, high: Fraction, cuts: Sequence[Fraction] = ()) -> Iterator[Interval]:
        """Enclosures of phi_h on the open box (a, b) for every low <= h <= high; the last, which serves where a jump
        lies within, is of g at any radius of the box and at any r + h, these cut at the given radii in order."""
        yield from enclosures(-self.on_box(a + low, b + high).du, lambda h: self.loss(a, b, h), low, high)
        points = [a + low, *cuts[bisect_right(cuts, a + low):bisect_left(cuts, b + high)], b + high]
        heights = [self.on_box(*ends).u for ends in zip(points, points[1:])]
        yield self.on_box(a, b).u - Interval(min(x.lo for x in heights), max(x.hi for x in heights))

    def limit_at_zero(self) -> Interval:
        """phi_delta(0+) = g(delta) - g(0+), the first from the right."""
        return self.near_zero().u.limit() - self.on_box(self.delta, self.delta + self.delta / 10**40).u

    def loss_near_zero(self) -> Decimal:
        """An upper bound of phi_delta on (0, r0]: directly, or from its limit at zero and its slopes."""
        near, ahead = self.near_zero(), self.on_box(self.delta, self.delta + self.r0)
        steepest = UP.subtract(near.du.span().hi, ahead.du.lo)
        climb = self.limit_at_zero() + Interval(D0, max(D0, steepest)) * self.r0
        return min((near.u.span() - ahead.u).hi, climb.hi)

    def integral(self, log: Model, dimension: int) -> int:
        """1 or -1 as the integral of e^log t^dimension dt/t towards infinity converges or diverges.

        With x = log t this is the integral of e^M dx, M = log + dimension log t; where M carries no
        multiple of x, one logarithm deeper decides, since dx = x d(log x).
        """
        for k, scale in enumerate(SCALES):
            log = log + Model(log.germ, {scale: dimension if k == 0 else 1})
            lead, c = log.leading()
            if lead >= scale or (lead > CONSTANT and c.lo > 0):
                require(c.sign() in (1, -1), "an exponent of integration has no proved sign")
                return -(c.sign() or 0)
        require(lead <= CONSTANT, "an integral is too near the borderline for three logarithms")
        return -1


def radii(a: Fraction, b: Fraction) -> Slope:
    """The radii of the box [a, b]."""
    return Slope(hull(interval(a), interval(b)), ONE)


def enclosures(slopes: Interval, loss: Callable[[Fraction], Interval], low: Fraction, high: Fraction) -> Iterator[Interval]:
    """Of a loss for every low <= h <= high, from its slopes in h: where it is monotone, and by its mean value form."""
    if slopes.lo >= 0 or slopes.hi <= 0:
        yield hull(loss(low) if low else ZERO, loss(high))
    reach = slopes * ((high - low) / 2)
    if reach.lo.is_finite() and reach.hi.is_finite():
        yield loss((low + high) / 2) + hull(reach, -reach)


def mean_value(whole: Slope, a: Fraction, b: Fraction, at: Callable[[Interval], Interval]) -> Interval:
    """Bounds on (a, b) from the value at the middle and the slopes, and from `whole` itself."""
    reach = whole.du * ((b - a) / 2)
    if not (reach.lo.is_finite() and reach.hi.is_finite()):
        return whole.u
    return meet(whole.u, at(interval((a + b) / 2)) + hull(reach, -reach))


def never_negative(node: Node) -> bool:
    """Whether the form alone shows it: squares, |u|, exponentials, a - b cos u with a >= |b|, and what is made of them."""
    kind, args = node.kind, node.args
    if kind == "add":
        waves, rest = Fraction(0), []
        for a in args:
            size, part = (a.args[0].args[0], a.args[1]) if a.kind == "mul" and a.args[0].kind == "num" and len(a.args) == 2 else (1, a)
            if part.kind in ("sin", "cos"):
                waves += abs(size)
            else:
                rest.append(a)
        numbers = sum(a.args[0] for a in rest if a.kind == "num")
        return numbers >= waves and all(never_negative(a) for a in rest if a.kind != "num")
    if kind == "pow":
        return never_negative(args[0]) or (args[1].denominator == 1 and args[1] % 2 == 0)
    if kind == "max":
        return absolute_of(node) is not None or any(never_negative(a) for a in args)
    if kind == "piece":
        return all(never_negative(value) for value, _ in args)
    if kind in ("mul", "floor"):
        return all(never_negative(a) for a in args)
    return kind in ("r", "pi", "exp", "matern", "erfc") or (kind == "num" and args[0] >= 0)


def direction(node: Node) -> int | None:
    """1 where the form alone shows that the node never falls as r grows, -1 never rises, 0 constant; None where it does not."""
    kind, parts, sign = node.kind, list(node.args), 1
    if kind in ("num", "pi", "gamma", "r"):
        return int(kind == "r")
    if kind in ("exp", "log", "floor"):
        return direction(parts[0])
    if kind in ("pow", "erfc", "matern"):
        inner = direction(parts[kind == "matern"]) if kind != "pow" or never_negative(parts[0]) else None
        return inner if inner is None or (kind == "pow" and parts[1] > 0) else -inner
    if kind == "mul" and parts[0].kind == "num":
        sign = 1 if parts.pop(0).args[0] > 0 else -1
    if kind not in ("add", "max", "mul") or (kind == "mul" and len(parts) > 1 and not all(map(never_negative, parts))):
        return None
    found = {direction(part) for part in parts} - {0}
    return None if None in found or len(found) > 1 else sign * sum(found)  # type: ignore[arg-type]


def may_jump(node: Node) -> bool:
    """Whether f may be discontinuous: by its branches, a floor, or a pole, beside which exp(1/u) is 0 and infinite."""
    pole = node.kind == "pow" and node.args[1] < 0 and not obviously_positive(node.args[0])
    return pole or node.kind in ("piece", "floor") or any(may_jump(a) for a in node.args if isinstance(a, Node))


def absolute_of(node: Node) -> Node | None:
    """u where the node is |u| = max(u, -u)."""
    if node.kind == "max" and len(node.args) == 2 and same(node.args[1], mul(num(-1), node.args[0])):
        return node.args[0]
    return None


def root_of(factor: Node) -> Node | None:
    """g where the factor is |g|^p with p > 0, or a + a cos w = 2 a cos^2(w/2), or a - a cos w = 2 a sin^2(w/2)."""
    if factor.kind == "pow" and factor.args[1] > 0:
        return root_of(factor.args[0]) or factor.args[0]
    if factor.kind == "add" and len(factor.args) == 2:
        wave, number = factor.args
        size = Fraction(1)
        if wave.kind == "mul" and len(wave.args) == 2 and wave.args[0].kind == "num":
            size, wave = wave.args[0].args[0], wave.args[1]
        if wave.kind == "cos" and number.kind == "num" and number.args[0] == abs(size):
            return Node("cos" if size > 0 else "sin", mul(num(Fraction(1, 2)), wave.args[0]), wave.args[1])
        return None
    return absolute_of(factor)


def touches_zero(tree: Node, a: Fraction, b: Fraction) -> bool:
    """Whether f tends to 0 at a point of (a, b): a continuous g changes its sign there, |g|^p is a factor of f with
    p > 0, and the other factors are bounded.  Then f is private for no epsilon: k steps of length at most delta from
    that point to a box where f >= m > 0 would bound m by e^(k epsilon) times the values of f near the point.
    Finite slopes show that g is continuous; a finite value does not, nor does a text without jumps, since poles may
    be cut off: Max(-1, Min(1, (r-1)*((r-1)**2)**(-1/2)))."""
    factors = list(tree.args) if tree.kind == "mul" else [tree]
    for i, factor in enumerate(factors):
        g = root_of(factor)
        if g is None:
            continue
        signs = {Evaluation(interval(r)).value(g).sign() for r in (a, b)}
        slopes = Evaluation(radii(a, b)).value(g).du
        others = Evaluation(radii(a, b)).value(mul(num(1), *factors[:i], *factors[i + 1:])).u
        if signs == {1, -1} and all(x.is_finite() for v in (slopes, others) for x in (v.lo, v.hi)):
            return True
    return False


class Proof:
    """The certificate's steps, each replayed when a claim calls for it."""

    def __init__(self, problem: Problem, steps: dict[str, Any]) -> None:
        self.problem, self.steps = problem, steps
        self.cells, self.peak = [problem.infinity], problem.infinity
        if steps["phase"] is not None:
            step = record(steps["phase"], "phase", {"turns", "frequency", "cover", "peak"})
            frequency = rational(step["frequency"], "phase.frequency")
            require(isinstance(step["turns"], bool) and frequency > 0, "phase.turns or phase.frequency is not valid")
            problem.oscillates(Phase(step["turns"], frequency, Fraction(0), Fraction(0)))
            self.cells = self.phases("phase.cover", step["cover"])
            peak = rational("0" if step["peak"] is None else step["peak"], "phase.peak")
            self.peak = problem.tail(peak, peak + TINY)

    def phases(self, name: str, points: Any) -> list[Germ]:
        """The germs of a list of phases that reaches over one period; the one germ of a tail without a wave."""
        p = self.problem
        if p.wave is None:
            require(points is None, f"{name} is given for a tail that does not oscillate")
            return [p.infinity]
        period = Fraction(2) if p.wave.turns else Fraction("6.2831853072")
        return [p.tail(a, b) for a, b in self.cover(name, points, Fraction(0), period)]

    def cover(self, name: str, points: Any, start: Fraction, end: Fraction) -> list[tuple[Fraction, Fraction]]:
        """The boxes between a list of points that reaches from start to end."""
        require(isinstance(points, list) and 2 <= len(points) <= MAX_BOXES, f"{name} is not a list of points")
        marks = [rational(p, name) for p in points]
        require(marks[0] <= start and marks[-1] >= end, f"{name} does not reach from {start} to {end}")
        require(all(a < b for a, b in zip(marks, marks[1:])), f"{name} is not increasing")
        return list(zip(marks, marks[1:]))

    def open_box(self, name: str, points: Any) -> tuple[Fraction, Fraction]:
        require(isinstance(points, list) and len(points) == 2, f"{name} is not a pair of points")
        a, b = (rational(q, name) for q in points)
        require(0 < a < b, f"{name} is not an open box of positive radii")
        return a, b

    def boxes(self) -> list[tuple[Fraction, Fraction]]:
        return self.cover("cover", self.steps["cover"], self.problem.r0, self.problem.r1)

    def all_positive(self) -> None:
        for a, b in self.boxes():
            log = self.problem.on_box(a, b).u
            require(log.lo.is_finite() and log.hi.is_finite(), f"log f is not shown finite on [{a}, {b}]")

    def bounded(self) -> None:
        for a, b in self.boxes():
            value = self.problem.value_on_box(a, b)
            require((value.lo >= 0 or never_negative(self.problem.tree)) and value.hi.is_finite(),
                f"f is not shown bounded and non-negative on [{a}, {b}]")

    def positive(self, status: str) -> None:
        if status == "refuted":
            self.zero_or_negative()
            return
        self.problem.near_zero(), [self.problem.far(germ) for germ in self.cells]
        self.problem.once("positive", self.all_positive)

    def zero_or_negative(self) -> str:
        """'negative' where f < 0 on an open box, 'zero' where f vanishes though it is positive elsewhere."""
        p, step = self.problem, record(self.steps["sign"], "sign", {"kind", "box", "positive"})
        if step["kind"] == "centre":
            lead, c = p.near_zero().u.leading()
            require(lead > CONSTANT and c.hi < 0, "f is not shown to vanish at the centre")
            return "zero"
        a, b = self.open_box("sign.box", step["box"])
        if step["kind"] == "negative":
            require(p.negative(a, b), f"f is not shown negative on [{a}, {b}]")
            return "negative"
        value = p.value_on_box(a, b)
        if step["kind"] == "touches":
            require(touches_zero(p.tree, a, b), f"f is not shown to touch zero on [{a}, {b}]")
        else:
            require(step["kind"] == "vanishes" and value.sign() == 0, f"f is not shown to vanish on [{a}, {b}]")
        p.on_box(*self.open_box("sign.positive", step["positive"]))
        return "zero"

    def decreasing(self, status: str) -> None:
        p = self.problem
        if status == "refuted":
            a, b = self.open_box("rise", self.steps["rise"])
            tiny = (b - a) / 10**30
            require(p.on_box(a, a + tiny).u.hi < p.on_box(b - tiny, b).u.lo, "f is not shown to rise")
            return
        if direction(p.tree) in (-1, 0):
            return
        require(p.near_zero().du.span().hi <= 0 and self.falls_in_tail(), "f is not shown to fall at an end")
        boxes = self.boxes()
        for a, b in boxes:
            require(p.on_box(a, b).du.hi <= 0, f"f is not shown to fall on [{a}, {b}]")
        for x in [boxes[0][0], *(b for _, b in boxes)] if may_jump(p.tree) else []:
            require(self.falls_across(x), f"f is not shown to fall at {x}")

    def falls_across(self, x: Fraction) -> bool:
        """Whether f falls at a radius where two charts meet: its slopes show it, or it jumps downwards."""
        near = x / 10**30
        across = attempt(lambda _: self.problem.on_box(x - near, x + near), self.problem.tree)
        if across is not None and across.du.hi <= 0:
            return True
        return bool(self.problem.on_box(x - near, x).u.lo >= self.problem.on_box(x, x + near).u.hi)

    def falls_in_tail(self) -> bool:
        """Whether f falls on every cell of phases, and across every phase where two of them meet."""
        far = self.problem.far
        return all(far(germ).du.span().hi <= 0 for germ in self.cells) and all(
            far(self.problem.tail(germ.phase.low - TINY, germ.phase.low + TINY)).du.span().hi <= 0 or self.drops(germ.phase.low)
            for germ in self.cells if germ.phase is not None)

    def drops(self, x: Fraction) -> bool:
        """Whether f jumps down, or not at all, at the phase x: g(r + h) - g(r) from just before x to just after
        is no less than what g can rise on the way."""
        p = self.problem
        before, after = p.tail(x - TINY, x), p.tail(x, x + TINY)
        h = TINY / before.phase.frequency  # type: ignore[union-attr]
        least = min(p.far(before).du.span().lo, p.far(after).du.span().lo)
        return (p.phased_loss(before, h) + Interval(least, least) * h).lo >= 0

    def finite_at_zero(self, status: str) -> None:
        lead, c = self.problem.near_zero().u.leading()
        if status == "proved":
            require(lead <= CONSTANT or c.hi < 0, "f(0+) is not shown finite")
        else:
            require(lead > CONSTANT and c.lo > 0, "f(0+) is not shown infinite")

    def integrable(self, status: str) -> None:
        p = self.problem
        if status == "refuted":
            centre = attempt(lambda _: p.integral(p.near_zero().u, -p.dimension), p.tree)
            if centre != -1:
                tails = {p.integral(p.far(germ).u, p.dimension) for germ in self.cells}
                require(tails == {-1}, "f(x'x) is not shown to have an infinite integral")
            return
        require(p.integral(p.near_zero().u, -p.dimension) == 1, "f(x'x) is not shown integrable at the centre")
        try:  # where f may vanish its values decide
            converges = all(p.integral(p.far(germ).u, p.dimension) == 1 for germ in self.cells)
        except Rejected:
            converges = p.far_value_integrable()
        require(converges, "f(x'x) is not shown integrable in the tail")
        try:
            p.once("positive", self.all_positive)
        except Rejected:
            self.bounded()

    def tail_ratio_bounded(self, status: str) -> None:
        if status == "proved":
            self.tail_bounded()
            return
        lead, c = self.problem.far_loss(self.peak).leading()
        require(lead > CONSTANT and c.lo > 0, "the tail ratio is not shown unbounded")

    def tail_bounded(self) -> None:
        for germ in self.cells:
            lead, c = self.problem.far_loss(germ).leading()
            require(lead <= CONSTANT or c.hi < 0, "the tail ratio is not shown bounded")

    def limsup(self, low: Fraction, high: Fraction) -> None:
        """low <= limsup of phi_delta <= high: the limit itself, or the limits on cells and at the peak."""
        step, cells = self.steps["supremum"], self.cells
        if isinstance(step, dict) and step.get("phases") is not None:
            cells = self.phases("supremum.phases", step["phases"])
        tops = [self.problem.far_loss(germ).limit().hi for germ in cells]
        reached = interval(low).hi <= self.problem.far_loss(self.peak).limit().lo
        require(reached and max(tops) <= interval(high).lo, "tail_log_ratio does not hold the limit")

    def upper(self, bound: Fraction, theorem: str) -> None:
        """phi_delta <= bound (Theorem 3), or |phi_h| <= bound for every h in [0, delta] (Theorem A)."""
        p, most = self.problem, interval(bound).lo
        step = record(self.steps["supremum"], "supremum", {"cover", "shifts", "phases", "phase_shifts", "ahead"})
        boxes = self.cover("supremum.cover", step["cover"], p.r0, p.r1)
        cuts = [a for a, _ in boxes]
        boxes = [box for box in boxes if box[0] < p.r1]  # those in the tail only cut
        cells = self.phases("supremum.phases", step["phases"])
        if step["phase_shifts"] is None:
            losses = [p.far_loss(g).span() if g.phase is None else p.phased_loss(g, p.delta) for g in cells]
            require(all(loss.hi <= most for loss in losses), f"the loss is not shown below {bound} in the tail")
        if theorem == "Theorem 3":
            require(step["phase_shifts"] is None, "Theorem 3 needs the longest shift alone")
            require(p.loss_near_zero() <= most, f"the loss is not shown below {bound} near zero")
            for a, b in boxes:
                require(p.loss(a, b, p.delta).hi <= most, f"the loss is not shown below {bound} on [{a}, {b}]")
            return
        near = p.near_zero().u.span()
        ahead = self.cover("supremum.ahead", step["ahead"], p.r0, p.r0 + p.delta)
        bounds: list[Iterable[Interval]] = [[near - near], *([near - p.bounds(a, b)] for a, b in ahead)]
        for (a, b), shifts in self.shifted("supremum.shifts", step["shifts"], boxes):
            bounds += [p.losses(a, b, *hs, cuts) for hs in shifts]
        if step["phase_shifts"] is None:
            require(self.falls_in_tail(), "g is not shown to rise in the tail, where the longest shift is the worst")
        else:
            for germ, shifts in self.shifted("supremum.phase_shifts", step["phase_shifts"], cells):
                bounds += [p.phased_losses(germ, *hs) for hs in shifts]
        within = all(any(-most <= x.lo and x.hi <= most for x in enclosing) for enclosing in bounds)
        require(within, f"the loss is not shown below {bound} for every shift")

    def shifted(self, name: str, lists: Any, items: list[Any]) -> Iterable[tuple[Any, list[tuple[Fraction, Fraction]]]]:
        """Each item with its intervals of shifts, which reach from 0 to delta."""
        require(isinstance(lists, list) and len(lists) == len(items), f"{name} does not match its cover")
        return [(item, self.cover(name, hs, Fraction(0), self.problem.delta)) for item, hs in zip(items, lists)]

    def lower(self, bound: Fraction) -> None:
        """Some loss, for a shift of at most delta, comes arbitrarily near the bound or exceeds it."""
        p, step = self.problem, record(self.steps["witness"], "witness", {"near", "box", "shift"})
        if step["near"] == "box":
            h = rational(step["shift"], "witness.shift")
            require(0 < h <= p.delta, "the witness' shift is not within the sensitivity")
            value = p.loss(*self.open_box("witness.box", step["box"]), h)
        else:
            require(step["near"] in ("zero", "infinity"), "the witness is neither a box nor a limit")
            value = p.limit_at_zero() if step["near"] == "zero" else p.far_loss(self.peak).limit()
        value = value if value.lo > 0 else -value
        require(value.lo >= interval(bound).hi or bound == 0, f"the witness does not reach the lower bound {bound}")


# ---------------------------------------------------------------------------------------------
# Reading the file and checking the claim.

def record(value: Any, name: str, fields: set[str]) -> dict[str, Any]:
    require(isinstance(value, dict), f"{name} is not an object")
    missing, extra = sorted(fields - set(value)), sorted(set(value) - fields)
    require(not missing, f"{name} has no field {', '.join(missing)}")
    require(not extra, f"{name} has the unknown field {', '.join(extra)[:60]!r}")
    return value


def rational(value: Any, name: str) -> Fraction:
    written = isinstance(value, str) and len(value) <= MAX_DIGITS
    match = re.fullmatch(r"-?[0-9]+(/[1-9][0-9]*)?", value, re.ASCII) if written else None
    require(match is not None and str(Fraction(value)) == value, f"{name} is not a rational p/q in lowest terms")
    return Fraction(value)


def germ(value: Any, name: str) -> tuple[Fraction, int]:
    step = record(value, name, {"radius", "order"})
    radius, order = rational(step["radius"], f"{name}.radius"), step["order"]
    require(radius > 0, f"{name}.radius is not positive")
    require(type(order) is int and 1 <= order <= MAX_ORDER, f"{name}.order is not an integer from 1 to {MAX_ORDER}")
    return radius, order


def check_certificate(certificate: Any) -> dict[str, Any]:
    """Return the claim, proved, or raise Rejected."""
    record(certificate, "the certificate", {"format", "version", "program", "claim", "proof", "assumptions", "digest"})
    known = certificate["format"] == FORMAT and certificate["version"] == VERSION and type(certificate["version"]) is int
    require(known, "the certificate's format or version is unknown")
    program = record(certificate["program"], "program", {"name", "version"})
    require(all(isinstance(v, str) for v in program.values()), "program is not described by texts")
    require(certificate["digest"] == digest(certificate), "the digest does not match the content: the file was altered")
    claim = record(certificate["claim"], "claim", {
        "generator", "parameters", "dimension", "sensitivity", "scale", "verdict", "epsilon", "tail_log_ratio",
        "hypotheses", "theorem", "closed_form"})
    dimension = claim["dimension"]
    require(type(dimension) is int and 1 <= dimension <= 10**6, "dimension is not an integer from 1 to 1000000")
    sensitivity, scale = rational(claim["sensitivity"], "sensitivity"), rational(claim["scale"], "scale")
    require(sensitivity > 0 and scale > 0, "sensitivity and scale are not positive")
    require(isinstance(claim["parameters"], dict), "parameters is not an object")
    permitted = all(k.isascii() and k.isidentifier() and k not in RESERVED for k in claim["parameters"])
    require(permitted, "a parameter's name is not permitted")
    names = {k: rational(v, f"parameter {k[:40]}") for k, v in claim["parameters"].items()}
    names["d"] = Fraction(dimension)
    proof = record(certificate["proof"], "proof", {"zero", "infinity", "phase", "cover", "supremum", "witness", "sign", "rise"})
    zero, infinity, delta = germ(proof["zero"], "zero"), germ(proof["infinity"], "infinity"), sensitivity / scale
    require(zero[0] < infinity[0], "the charts at zero and at infinity overlap")
    tree = Reader(claim["generator"], names).tree()
    work = tree.size * max(zero[1], infinity[1]) ** 3
    require(work <= MAX_WORK, "the models' order is too large for a generator of this size")
    replay = Proof(Problem(tree, dimension, delta, zero, infinity), proof)
    form = None
    if claim["closed_form"] is not None:
        require("delta" not in names, "delta is a parameter and has another meaning in the closed form")
        form = Reader(claim["closed_form"], {**names, "delta": delta}, radial=False).tree()
    used = kinds(tree) | (kinds(form) if form else set())
    lemmas = [lemma for kind, lemma in LEMMAS.items() if kind in used]
    require(certificate["assumptions"] == lemmas, "the list of assumptions is not the one that the proof needs")
    statuses = record(claim["hypotheses"], "hypotheses", set(HYPOTHESES))
    for name in HYPOTHESES:
        require(statuses[name] in STATUSES, f"the status of {name} is unknown")
        if statuses[name] != "undecided":
            getattr(replay, name)(statuses[name])
    check_verdict(claim, statuses, replay, form)
    if claim["tail_log_ratio"] is not None:
        low, high = ends(claim["tail_log_ratio"], "tail_log_ratio")
        replay.limsup(low, high)
    return claim


def check_verdict(claim: dict[str, Any], statuses: dict[str, str], replay: Proof, form: Node | None) -> None:
    verdict, epsilon, theorem = claim["verdict"], claim["epsilon"], claim["theorem"]
    require(verdict in ("private", "not_private", "invalid"), "the verdict is unknown")
    private = verdict == "private"
    require(private == (epsilon is not None) == (theorem is not None), "epsilon and theorem do not fit the verdict")
    require(private or form is None, "a closed form without an epsilon")
    if private:
        needed = ["positive", "finite_at_zero", "integrable", "tail_ratio_bounded"]
        require(theorem in ("Theorem 3", "Theorem A"), "the theorem is unknown")
        needed += ["decreasing"] if theorem == "Theorem 3" else []
        require(all(statuses[n] == "proved" for n in needed), f"{theorem} needs hypotheses that are not proved")
        low, high = ends(epsilon, "epsilon")
        replay.upper(high, theorem)
        replay.lower(low)
        if form is not None:
            exact, value = exact_value(form, Fraction(1)), Evaluation(ONE).value(form)
            inside = interval(low).hi <= value.lo and value.hi <= interval(high).lo if exact is None else low <= exact <= high
            require(inside, "the closed form is not in the enclosure of epsilon")
    elif verdict == "not_private":
        require(statuses["integrable"] == "proved", "a claim about privacy needs an integrable density")
        if statuses["positive"] == "refuted":
            require(replay.zero_or_negative() == "zero", "f is negative, so it is no density")
            return
        require(statuses["positive"] == "proved", "a claim about privacy needs positivity")
        unbounded = "refuted" in (statuses["finite_at_zero"], statuses["tail_ratio_bounded"])
        require(unbounded, "nothing shows the loss unbounded")
    else:
        negative = statuses["positive"] == "refuted" and replay.zero_or_negative() == "negative"
        require(negative or statuses["integrable"] == "refuted", "no hypothesis of a density is refuted")


def ends(value: Any, name: str) -> tuple[Fraction, Fraction]:
    step = record(value, name, {"lower", "upper"})
    low, high = rational(step["lower"], f"{name}.lower"), rational(step["upper"], f"{name}.upper")
    require(low <= high, f"{name} has its ends the wrong way round")
    return low, high


def digest(certificate: dict[str, Any]) -> str:
    """SHA-256 of the certificate without its digest, as compact JSON with sorted keys."""
    content = {k: v for k, v in certificate.items() if k != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({k for k, _ in pairs}) != len(pairs):
        raise Unreadable("an object has the same key twice")
    return dict(pairs)


def plain(text: str) -> int:
    if len(text) > 20 or not re.fullmatch(r"-?[0-9]+", text):
        raise Unreadable("a number is not a short integer")
    return int(text)


def read(data: bytes) -> Any:
    """The JSON of a file's bytes, refused where it is too large or ambiguous."""
    if len(data) > MAX_BYTES:
        raise Unreadable(f"the file is larger than {MAX_BYTES} bytes")
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_int=plain, parse_float=plain,
                          parse_constant=plain)
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise Unreadable("the file is not JSON in UTF-8") from None


def check_bytes(data: bytes) -> dict[str, Any]:
    """Check a certificate's bytes: the proved claim, or Rejected (Unreadable where it is no certificate)."""
    certificate = read(data)
    try:
        return check_certificate(certificate)
    except (ArithmeticError, RecursionError, MemoryError) as error:
        raise Rejected(f"the arithmetic of a step fails ({type(error).__name__})") from None


def describe(claim: dict[str, Any]) -> str:
    """The claim in one line."""
    delta, bounds = Fraction(claim["sensitivity"]) / Fraction(claim["scale"]), claim["epsilon"]
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    size = f", {bounds['lower']} <= epsilon <= {bounds['upper']}" if bounds else ""
    return f"{claim['verdict']}: f(y) = {claim['generator']}{names}, d = {claim['dimension']}, Delta/sigma = {delta}{size}"


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: kernel.py CERTIFICATE.json ...", file=sys.stderr)
        return 2
    worst = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
            print(f"{path}: proved {describe(check_bytes(data))}")
            for assumption in read(data)["assumptions"]:
                print(f"{path}: assuming {assumption}")
        except (OSError, Unreadable) as error:
            worst = 2
            print(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        except Rejected as error:
            worst = max(worst, 1)
            print(f"{path}: rejected: {error}", file=sys.stderr)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
