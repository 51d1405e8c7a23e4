"""The checker: replays a dpverify certificate with its own arithmetic and searches for nothing.

One file, standard library only, importing nothing of dpverify, so that whoever receives a
certificate can check it with this file alone::

    python kernel.py CERTIFICATE.json ...

The claim is about noise with density proportional to f(y), y = x'S^-1 x, on R^d, released with
scale sigma and sensitivity Delta.  Write r = sqrt(y), delta = Delta/sigma, g(r) = -log f(r^2) and
phi_h(r) = g(r + h) - g(r).  Theorem A: the best epsilon is the supremum of |phi_h(r)| over r >= 0
and 0 <= h <= delta; where f is non-increasing this is the supremum of phi_delta (Theorem 3 of
Reimherr and Awan 2019).  The checker re-derives g from the generator's text and bounds it on three
charts that cover [0, oo): a model at zero on (0, r0], boxes between, a model at infinity on [R, oo).

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
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import factorial
from typing import Any, Callable, Iterable, Union

FORMAT, VERSION = "dpverify-certificate", 1
MAX_BYTES, MAX_TEXT, MAX_DEPTH, MAX_DIGITS = 20_000_000, 4_000, 100, 2_000
MAX_BOXES, MAX_ORDER, MAX_EXPONENT, MAX_INTEGER_BITS = 200_000, 24, 10_000, 20_000
STATUSES = ("proved", "refuted", "undecided")
HYPOTHESES = ("positive", "decreasing", "finite_at_zero", "integrable", "tail_ratio_bounded")


class Rejected(Exception):
    """The certificate does not prove what it claims; the message is one line."""


class Unreadable(Rejected):
    """The file cannot be read as a certificate at all."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Rejected(message)


# ---------------------------------------------------------------------------------------------
# Intervals: closed, endpoints decimal, every operation rounded outward.  libmpdec rounds + - * /
# in the asked direction; exp, ln and sqrt to nearest, so their results go one unit further out.

DOWN, UP, NEAR = (
    Context(prec=60, rounding=mode, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
    for mode in (ROUND_FLOOR, ROUND_CEILING, ROUND_HALF_EVEN)
)
D0, D1, INF = Decimal(0), Decimal(1), Decimal("Infinity")
NEG_INF = INF.copy_negate()
PI_DIGITS = (
    "3.14159265358979323846264338327950288419716939937510"
    "58209749445923078164062862089986280348253421170679"
)


class Interval:
    """The set of reals x with lo <= x <= hi; an infinite end means unbounded."""

    __slots__ = ("lo", "hi")

    def __init__(self, lo: Decimal, hi: Decimal) -> None:
        if lo.is_nan() or hi.is_nan() or lo > hi:
            raise Rejected("an interval has no valid endpoints")
        self.lo, self.hi = lo, hi

    def const(self, value: Coefficient) -> Interval:
        return interval(value)

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
        if self.lo >= 0 and o.lo >= 0:
            return Interval(_times(DOWN, self.lo, o.lo), _times(UP, self.hi, o.hi))
        pairs = [(a, b) for a in (self.lo, self.hi) for b in (o.lo, o.hi)]
        return Interval(
            min(_times(DOWN, a, b) for a, b in pairs), max(_times(UP, a, b) for a, b in pairs)
        )

    __rmul__ = __mul__

    def inverse(self) -> Interval:
        require(self.lo > 0 or self.hi < 0 or (self.lo == 0) != (self.hi == 0), "divides by zero")
        if self.lo >= 0:
            top = UP.divide(D1, self.lo) if self.lo > 0 else INF
            return Interval(DOWN.divide(D1, self.hi), top)
        return -((-self).inverse())

    def exp(self) -> Interval:
        return Interval(_exp(self.lo, DOWN), _exp(self.hi, UP))

    def log(self) -> Interval:
        require(self.lo >= 0, "takes the logarithm of something not proved positive")
        return Interval(_ln(self.lo, DOWN), _ln(self.hi, UP))

    def power(self, p: Fraction) -> Interval:
        if p == 0:
            return ONE
        if p.denominator == 1 and abs(p) <= 64:
            if p < 0:
                return self.power(-p).inverse()
            if p % 2 == 0 and self.lo < 0:
                top = max(self.lo.copy_abs(), self.hi)
                return Interval(D0 if self.hi > 0 else self.hi.copy_abs(), top).power(p)
            result = self
            for _ in range(int(p) - 1):
                result = result * self
            return result
        require(self.lo >= 0, "takes a fractional power of something not proved positive")
        if p == Fraction(1, 2):
            return Interval(_sqrt(self.lo, DOWN), _sqrt(self.hi, UP))
        return (self.log() * interval(p)).exp()

    def softplus(self, sign: int) -> Interval:
        """log(1 + sign * e^t); for sign = -1 only where t < 0."""
        def at(t: Decimal) -> Interval:
            point = Interval(t, t)
            if sign > 0 and t > 0:
                return point + (ONE + (-point).exp()).log()
            return (ONE + point.exp() * sign).log()
        require(sign > 0 or self.hi < 0, "subtracts something not proved smaller")
        return hull(at(self.lo), at(self.hi))

    def logistic(self, sign: int) -> Interval:
        """sign * e^t / (1 + sign * e^t), the derivative of softplus; monotone in t."""
        def at(t: Decimal) -> Interval:
            point = Interval(t, t)
            return (ONE + (-point).exp() * sign).inverse()
        require(sign > 0 or self.hi < 0, "subtracts something not proved smaller")
        return hull(at(self.lo), at(self.hi))

    def cos(self) -> Interval:
        if not (self.lo.is_finite() and self.hi.is_finite()) or UP.subtract(self.hi, self.lo) > 6:
            return Interval(-D1, D1)
        turns = int(NEAR.divide(NEAR.add(self.lo, self.hi), 4 * Decimal(PI_DIGITS[:20])).to_integral_value())
        x = self - PI * 2 * turns
        lo, hi = _cos_point(Interval(x.lo, x.lo)), _cos_point(Interval(x.hi, x.hi))
        result = hull(lo, hi)
        for k in range(-3, 4):
            extreme = PI * k
            if x.lo <= extreme.hi and extreme.lo <= x.hi:
                result = hull(result, ONE if k % 2 == 0 else -ONE)
        return Interval(max(result.lo, -D1), min(result.hi, D1))

    def sin(self) -> Interval:
        return (self - PI * Fraction(1, 2)).cos()

    def floor(self) -> Interval:
        return Interval(*(x.to_integral_value(ROUND_FLOOR) if x.is_finite() else x for x in (self.lo, self.hi)))

    def span(self) -> Interval:
        return self

    def sign(self) -> int | None:
        if self.lo > 0:
            return 1
        if self.hi < 0:
            return -1
        return 0 if self.lo == self.hi else None


Coefficient = Union[int, Fraction, Interval]


def _times(context: Context, a: Decimal, b: Decimal) -> Decimal:
    return context.multiply(a, b) if a and b else D0


def _outward(value: Decimal, context: Context) -> Decimal:
    return context.next_minus(value) if context is DOWN else context.next_plus(value)


def _exp(x: Decimal, context: Context) -> Decimal:
    if x.is_infinite():
        return INF if x > 0 else D0
    return D1 if not x else max(D0, _outward(NEAR.exp(x), context))


def _ln(x: Decimal, context: Context) -> Decimal:
    if not x or x.is_infinite():
        return INF if x else NEG_INF
    return D0 if x == 1 else _outward(NEAR.ln(x), context)


def _sqrt(x: Decimal, context: Context) -> Decimal:
    root = NEAR.sqrt(x)
    if x.is_infinite() or (DOWN.multiply(root, root) == x == UP.multiply(root, root)):
        return root
    return max(D0, _outward(root, context))


def _cos_point(x: Interval) -> Interval:
    """cos of a point with |x| <= 10, by its alternating Taylor series and Lagrange remainder."""
    square, term, total = x * x, ONE, ONE
    for n in range(1, 46):
        term = term * square * Fraction(-1, 2 * n * (2 * n - 1))
        total = total + term
    bound = max(term.lo.copy_abs(), term.hi.copy_abs())
    return total + Interval(bound.copy_negate(), bound)


def interval(value: Coefficient) -> Interval:
    """The narrowest enclosure of an exact number."""
    if isinstance(value, Interval):
        return value
    if isinstance(value, int):
        value = Fraction(value)
    n, d = Decimal(value.numerator), Decimal(value.denominator)
    return Interval(DOWN.divide(n, d), UP.divide(n, d))


def hull(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.lo, b.lo), max(a.hi, b.hi))


ZERO, ONE, ANY = Interval(D0, D0), Interval(D1, D1), Interval(NEG_INF, INF)
PI = Interval(DOWN.plus(Decimal(PI_DIGITS)), UP.plus(Decimal(PI_DIGITS)))


# ---------------------------------------------------------------------------------------------
# Models: a function on [R, oo) as a sum of coefficient * t^a (log t)^b (log log t)^c (log log log t)^e.

Exponents = tuple[Fraction, Fraction, Fraction, Fraction]
CONSTANT: Exponents = (Fraction(0),) * 4
LOG_T, LOG_LOG_T, LOG_LOG_LOG_T = (
    tuple(Fraction(int(i == k)) for i in range(4)) for k in (1, 2, 3)
)
BOUNDS = tuple(Fraction(n) for n in (24, 16, 12, 8, 6, 4, 3, 2, 1)) + (Fraction(1, 2), Fraction(1, 8))


class Germ:
    """The end [R, oo) of the half-line, and how large a monomial is there."""

    def __init__(self, radius: Fraction, order: int) -> None:
        require(radius > 1, "the model's radius is too small")
        self.order = order
        logs = [interval(radius).log()]
        while len(logs) < 4 and logs[-1].lo > 0:
            logs.append(logs[-1].log())
        self.logs = logs
        self.spans: dict[Exponents, Interval] = {CONSTANT: ONE}

    def span(self, exponents: Exponents) -> Interval:
        """Contains the monomial's value at every t >= R: (0, m(R)] or [m(R), oo) by its sign."""
        if exponents not in self.spans:
            lead = next(i for i, x in enumerate(exponents) if x)
            sign = 1 if exponents[lead] > 0 else -1
            last = max(i for i, x in enumerate(exponents) if x)
            require(last < len(self.logs) and (last == 0 or self.logs[last - 1].lo > 0),
                    "the model's radius is too small for its logarithms")
            slope, product = interval(exponents[lead] * sign), ONE
            for k in range(lead + 1, last + 1):
                product = product * self.logs[k - 1]
                slope = slope + product.inverse() * min(exponents[k] * sign, Fraction(0))
            require(slope.lo >= 0, "a monomial of the model is not monotone from its radius on")
            size = sum((log * x for log, x in zip(self.logs, exponents) if x), ZERO).exp()
            self.spans[exponents] = Interval(size.lo, INF) if sign > 0 else Interval(D0, size.hi)
        return self.spans[exponents]


class Model:
    """A function of t on [R, oo): at every t >= R it is the sum of c * m(t) with each c in its coefficient."""

    __slots__ = ("germ", "terms")

    def __init__(self, germ: Germ, terms: dict[Exponents, Coefficient]) -> None:
        self.germ = germ
        kept = sorted((m for m, c in terms.items() if not _is_zero(c)), reverse=True)
        self.terms = {m: _tidy(terms[m]) for m in kept[: germ.order]}
        if len(kept) > germ.order:
            bucket, rest = kept[germ.order], ZERO
            for m in kept[germ.order:]:
                rest = rest + germ.span(_shift(m, bucket)) * terms[m]
            self.terms[bucket] = rest

    def const(self, value: Coefficient) -> Model:
        return Model(self.germ, {CONSTANT: value})

    def __neg__(self) -> Model:
        return Model(self.germ, {m: -c for m, c in self.terms.items()})

    def __add__(self, other: Model | Coefficient) -> Model:
        terms = dict(self.terms)
        for m, c in _model(other, self).terms.items():
            terms[m] = terms[m] + c if m in terms else c
        return Model(self.germ, terms)

    def __sub__(self, other: Model | Coefficient) -> Model:
        return self + -_model(other, self)

    def __mul__(self, other: Model | Coefficient) -> Model:
        terms: dict[Exponents, Coefficient] = {}
        for m, c in self.terms.items():
            for n, k in _model(other, self).terms.items():
                key = tuple(a + b for a, b in zip(m, n))
                terms[key] = terms[key] + c * k if key in terms else c * k
        return Model(self.germ, terms)

    def bracket(self) -> tuple[Exponents, Interval]:
        """The leading monomial m and an enclosure of function / m on all of [R, oo)."""
        if not self.terms:
            return CONSTANT, ZERO
        items = list(self.terms.items())
        following, total = items[-1][0], interval(items[-1][1])
        for m, c in reversed(items[:-1]):
            total = total * self.germ.span(_shift(following, m)) + c
            following = m
        return following, total

    def leading(self) -> tuple[Exponents, Interval]:
        """The leading monomial and its coefficient, which alone decide every limit."""
        return next(((m, interval(c)) for m, c in self.terms.items()), (CONSTANT, ZERO))

    def span(self) -> Interval:
        """Contains the function's value at every t >= R."""
        monomial, factor = self.bracket()
        return factor * self.germ.span(monomial)

    def sign(self) -> int | None:
        return self.bracket()[1].sign()

    def relative(self) -> tuple[Exponents, Coefficient, Model, Interval]:
        """Split into c * m * (1 + w), with w a model that vanishes at infinity and its span."""
        require(bool(self.terms), "divides by zero, or takes its logarithm")
        lead, c = next(iter(self.terms.items()))
        require(_is_zero(c) is False and interval(c).sign() in (1, -1), "a leading coefficient has no proved sign")
        scale = 1 / c if isinstance(c, Fraction) else interval(c).inverse()
        w = Model(self.germ, {_shift(m, lead): k * scale for m, k in self.terms.items() if m != lead})
        span = w.span()
        require(span.lo > -1, "the model's radius is too small for its series")
        return lead, c, w, span

    def taylor(self, coefficients: list[Coefficient], remainder: Coefficient) -> Model:
        """sum of a_k w^k + remainder * w^(n+1), by Horner's rule."""
        result = self.const(remainder)
        for a in reversed(coefficients):
            result = result * self + a
        return result

    def power(self, p: Fraction) -> Model:
        if p == 0:
            return self.const(Fraction(1))
        if p.denominator == 1 and 0 < p <= 8:
            result = self
            for _ in range(int(p) - 1):
                result = result * self
            return result
        lead, c, w, span = self.relative()
        n = self.germ.order
        coefficients: list[Coefficient] = [Fraction(1)]
        for k in range(n + 1):
            coefficients.append(coefficients[-1] * (p - k) / (k + 1))  # type: ignore[operator]
        last = coefficients.pop() * (ONE + span).power(p - n - 1)
        exact = isinstance(c, Fraction) and p.denominator == 1 and abs(p) < 64
        front = c ** int(p) if exact else Fraction(1) if c == 1 else interval(c).power(p)  # type: ignore
        return Model(self.germ, {tuple(x * p for x in lead): front}) * w.taylor(coefficients, last)

    def inverse(self) -> Model:
        return self.power(Fraction(-1))

    def log(self) -> Model:
        lead, c, w, span = self.relative()
        require(interval(c).lo > 0, "takes the logarithm of something not proved positive")
        require(not lead[3], "a fourth iterated logarithm is beyond the models")
        n = self.germ.order
        series: list[Coefficient] = [Fraction(0)] + [Fraction((-1) ** (k + 1), k) for k in range(1, n + 1)]
        last = (ONE + span).power(Fraction(-n - 1)) * Fraction((-1) ** n, n + 1)
        front: dict[Exponents, Coefficient] = {LOG_T: lead[0], LOG_LOG_T: lead[1], LOG_LOG_LOG_T: lead[2]}
        if c != 1:
            front[CONSTANT] = interval(c).log()
        return Model(self.germ, front) + w.taylor(series, last)

    def exp(self) -> Model:
        growing = {m: c for m, c in self.terms.items() if m > CONSTANT}
        if any(m not in (LOG_T, LOG_LOG_T, LOG_LOG_LOG_T) or not isinstance(c, Fraction) for m, c in growing.items()):
            return self._vanishing_exp()
        k = [growing.get(m, Fraction(0)) for m in (LOG_T, LOG_LOG_T, LOG_LOG_LOG_T)]
        constant = self.terms.get(CONSTANT)
        front = Fraction(1) if constant is None else interval(constant).exp()
        w = Model(self.germ, {m: c for m, c in self.terms.items() if m < CONSTANT})
        n = self.germ.order
        series: list[Coefficient] = [Fraction(1, factorial(j)) for j in range(n + 1)]
        last = hull(w.span(), ZERO).exp() * Fraction(1, factorial(n + 1))
        return Model(self.germ, {(k[0], k[1], k[2], Fraction(0)): front}) * w.taylor(series, last)

    def _vanishing_exp(self) -> Model:
        """e^self <= B t^-n for the first n of a fixed list for which this is immediate."""
        lead, factor = self.bracket()
        require(lead > CONSTANT and factor.hi < 0, "an exponential grows without bound or has no proved sign")
        exact = [Fraction(int(-factor.hi * 1024), 1024)] if lead == LOG_T else []
        for n in exact + [b for b in BOUNDS]:
            try:
                m, b = (self + Model(self.germ, {LOG_T: n})).bracket()
                if m >= CONSTANT and (b.hi <= 0 or m == CONSTANT):
                    bound = (b * self.germ.span(m)).hi
                    size = Interval(bound, bound).exp().hi
                    return Model(self.germ, {(-n, *CONSTANT[1:]): Interval(D0, size)})
            except Rejected:
                continue
        raise Rejected("an exponential vanishes too slowly for the models")

    def softplus(self, sign: int) -> Model:
        return (self.exp() * sign + Fraction(1)).log()

    def logistic(self, sign: int) -> Model:
        w = self.exp() * sign
        return w * (w + Fraction(1)).inverse()

    def _circular(self, turn: Fraction) -> Model:
        """cos(self - turn * pi)."""
        if any(m > CONSTANT for m in self.terms):
            return self.const(Interval(-D1, D1))
        centre = interval(self.terms.get(CONSTANT, Fraction(0))) - PI * turn
        w = Model(self.germ, {m: c for m, c in self.terms.items() if m < CONSTANT})
        n = self.germ.order
        exact = CONSTANT not in self.terms
        series: list[Coefficient] = []
        for k in range(n + 1):
            at = turn - Fraction(k, 2)  # the k-th derivative of cos is cos(x + k pi/2)
            value: Coefficient = (centre + PI * Fraction(k, 2)).cos()
            if exact and (at * 2).denominator == 1:
                value = Fraction((1, 0, -1, 0)[int(at * 2) % 4])
            series.append(value * Fraction(1, factorial(k)))
        return w.taylor(series, Interval(-D1, D1) * Fraction(1, factorial(n + 1)))

    def cos(self) -> Model:
        return self._circular(Fraction(0))

    def sin(self) -> Model:
        return self._circular(Fraction(1, 2))

    def floor(self) -> Model:
        whole = self.span().floor()
        return self.const(whole) if whole.lo == whole.hi else self + Interval(-D1, D0)


def _is_zero(c: Coefficient) -> bool:
    return c.lo == 0 == c.hi if isinstance(c, Interval) else c == 0


def _tidy(c: Coefficient) -> Coefficient:
    """Keep a rational exact while it is short."""
    c = Fraction(c) if isinstance(c, int) else c
    long = isinstance(c, Fraction) and c.numerator.bit_length() + c.denominator.bit_length() > 600
    return interval(c) if long else c


def _shift(m: Exponents, by: Exponents) -> Exponents:
    return tuple(a - b for a, b in zip(m, by))  # type: ignore[return-value]


def _model(value: Model | Coefficient, like: Model) -> Model:
    return value if isinstance(value, Model) else like.const(value)


# ---------------------------------------------------------------------------------------------
# Pairs: a function together with its slopes, or with its exact increment.  Slopes enclose every
# difference quotient (u(s) - u(t)) / (s - t), so they bound change whether or not u is smooth.

class Slope:
    """(u, du): u on a box or an end, and du enclosing its slopes there."""

    __slots__ = ("u", "du")

    def __init__(self, u: Any, du: Any) -> None:
        self.u, self.du = u, du

    def const(self, value: Coefficient) -> Slope:
        return Slope(self.u.const(value), self.u.const(0))

    def _lift(self, other: Slope | Coefficient) -> Slope:
        return other if isinstance(other, Slope) else self.const(other)

    def __neg__(self) -> Slope:
        return type(self)(-self.u, -self.du)

    def __add__(self, other: Any) -> Slope:
        o = self._lift(other)
        return type(self)(self.u + o.u, self.du + o.du)

    def __sub__(self, other: Any) -> Slope:
        return self + -self._lift(other)

    def __mul__(self, other: Any) -> Slope:
        if not isinstance(other, Slope):
            return type(self)(self.u * other, self.du * other)
        return Slope(self.u * other.u, self.du * other.u + self.u * other.du)

    def inverse(self) -> Slope:
        i = self.u.inverse()
        return Slope(i, -(self.du * i * i))

    def exp(self) -> Slope:
        e = self.u.exp()
        return Slope(e, e * self.du)

    def log(self) -> Slope:
        return Slope(self.u.log(), self.du * self.u.inverse())

    def power(self, p: Fraction) -> Slope:
        if p == 1:
            return self
        return Slope(self.u.power(p), self.u.power(p - 1) * self.du * p)

    def softplus(self, sign: int) -> Slope:
        return Slope(self.u.softplus(sign), self.u.logistic(sign) * self.du)

    def logistic(self, sign: int) -> Slope:
        s = self.u.logistic(sign)
        return Slope(s, s * (-s + 1) * self.du)

    def cos(self) -> Slope:
        return Slope(self.u.cos(), -(self.u.sin() * self.du))

    def sin(self) -> Slope:
        return Slope(self.u.sin(), self.u.cos() * self.du)

    def _monotone(self) -> int:
        """1 or -1 where the slopes have one strict sign, else 0."""
        return (self.du.sign() or 0) if isinstance(self.du, Interval) else 0

    def sign(self) -> int | None:
        if isinstance(self.u, Interval) and self._monotone():  # strictly inside an open box
            if self.u.lo >= 0:
                return 1
            if self.u.hi <= 0:
                return -1
        return self.u.sign()

    def floor(self) -> Slope:
        u, span, slopes = self.u.floor(), self.u.span(), self.du.span()
        if self._monotone() and span.hi == span.hi.to_integral_value() and span.hi > span.lo:
            span = Interval(span.lo, UP.subtract(span.hi, D1))  # not reached in an open box
        whole = span.floor()
        if whole.lo == whole.hi:
            return self.const(whole)
        steps = Interval(D0 if slopes.lo >= 0 else NEG_INF, D0 if slopes.hi <= 0 else INF)
        return Slope(u, self.u.const(steps))


class Shift(Slope):
    """(u, du): u at r and its increment du = u(r + h) - u(r), over any ring; nothing is linearised."""

    __slots__ = ()

    def const(self, value: Coefficient) -> Shift:
        return Shift(self.u.const(value), self.u.const(0))

    def __mul__(self, other: Any) -> Shift:
        if not isinstance(other, Shift):
            return Shift(self.u * other, self.du * other)
        return Shift(self.u * other.u, self.du * (other.u + other.du) + self.u * other.du)

    def inverse(self) -> Shift:
        i = self.u.inverse()
        return Shift(i, -(self.du * i * (self.u + self.du).inverse()))

    def exp(self) -> Shift:
        e = self.u.exp()
        return Shift(e, e * (self.du.exp() - 1))

    def log(self) -> Shift:
        return Shift(self.u.log(), (self.du * self.u.inverse() + 1).log())

    def power(self, p: Fraction) -> Shift:
        if p.denominator == 1 and 0 < p <= 8:
            result: Shift = self
            for _ in range(int(p) - 1):
                result = result * self
            return result
        u = self.u.power(p)
        return Shift(u, u * ((self.du * self.u.inverse() + 1).power(p) - 1))

    def softplus(self, sign: int) -> Shift:
        u, s = self.u.softplus(sign), self.u.logistic(sign)
        near = s * (self.du.exp() - 1) + 1
        value = near.u if isinstance(near, Slope) else near
        if sign > 0 and isinstance(value, Interval) and value.lo < Decimal("0.5"):
            near = (-self.u).logistic(1) + s * self.du.exp()
        return Shift(u, near.log())

    def cos(self) -> Shift:
        half = self.du * Fraction(1, 2)
        return Shift(self.u.cos(), (self.u + half).sin() * half.sin() * -2)

    def sin(self) -> Shift:
        half = self.du * Fraction(1, 2)
        return Shift(self.u.sin(), (self.u + half).cos() * half.sin() * 2)

    def sign(self) -> int | None:
        raise Rejected("the sign of a function and of its shift are two questions")

    def floor(self) -> Shift:
        base, ahead = self.u.floor(), (self.u + self.du).floor()
        if isinstance(base, Model):
            span = self.du.span()
            whole = Interval(span.lo.to_integral_value(ROUND_FLOOR), span.hi.to_integral_value(ROUND_CEILING))
            return Shift(base, base.const(whole))
        return Shift(base, ahead - base)


# ---------------------------------------------------------------------------------------------
# The generator's text, read by an allowlist on the standard library's ast; nothing is evaluated.

class Node:
    """One node of the generator's tree; `kind` names it and `args` are its parts."""

    __slots__ = ("kind", "args")

    def __init__(self, kind: str, *args: Any) -> None:
        self.kind, self.args = kind, args


def num(value: Fraction | int) -> Node:
    size = Fraction(value)
    require(size.numerator.bit_length() + size.denominator.bit_length() <= MAX_INTEGER_BITS, "a number is too long")
    return Node("num", size)


def add(*terms: Node) -> Node:
    flat: list[Node] = []
    total = Fraction(0)
    for t in terms:
        for part in t.args if t.kind == "add" else (t,):
            if part.kind == "num":
                total += part.args[0]
            else:
                flat.append(part)
    if total or not flat:
        flat.append(num(total))
    return flat[0] if len(flat) == 1 else Node("add", *flat)


def mul(*factors: Node) -> Node:
    flat: list[Node] = []
    total, radial = Fraction(1), Fraction(0)
    for f in factors:
        for part in f.args if f.kind == "mul" else (f,):
            if part.kind == "num":
                total *= part.args[0]
            elif part.kind == "r" or part.kind == "pow" and part.args[0].kind == "r":
                radial += part.args[1] if part.kind == "pow" else 1
            else:
                flat.append(part)
    if radial:
        flat.insert(0, power(Node("r"), radial))
    if len(flat) == 1 and flat[0].kind == "add" and total == -1:
        return add(*(mul(num(-1), t) for t in flat[0].args))
    if total != 1 or not flat:
        flat.insert(0, num(total))
    return flat[0] if len(flat) == 1 else Node("mul", *flat)


def power(base: Node, p: Fraction) -> Node:
    require(abs(p.numerator) <= 10**9 and p.denominator <= 10**9, "an exponent is too large")
    if p == 1:
        return base
    if base.kind == "num" and p.denominator == 1:
        require(base.args[0] != 0 or p > 0, "divides by zero")
        bits = base.args[0].numerator.bit_length() + base.args[0].denominator.bit_length()
        require(abs(p) <= MAX_EXPONENT and abs(p) * bits <= MAX_INTEGER_BITS, "a power is too large")
        return num(base.args[0] ** int(p))
    if base.kind == "pow" and (base.args[0].kind == "r" or base.args[1].denominator == p.denominator == 1):
        return power(base.args[0], base.args[1] * p)
    if base.kind == "mul" and all(_positive(f) for f in base.args):
        return mul(*(power(f, p) for f in base.args))
    return Node("pow", base, p)


def _positive(node: Node) -> bool:
    """A constant or a power of r, obviously not negative, so that (u v)^p = u^p v^p."""
    if node.kind == "pow":
        return _positive(node.args[0])
    return node.kind in ("r", "pi", "exp") or node.kind == "num" and node.args[0] > 0


def half_integer_besselk(order: Fraction, x: Node) -> Node:
    """K_(n+1/2)(x) = sqrt(pi/(2x)) e^-x sum of (n+k)!/(k! (n-k)!) (2x)^-k, DLMF 10.49.12."""
    n, two_x = int(abs(order) - Fraction(1, 2)), mul(num(2), x)
    series = (mul(num(Fraction(factorial(n + k), factorial(k) * factorial(n - k))),
                  power(two_x, Fraction(-k))) if k else num(1) for k in range(n + 1))
    front = power(mul(Node("pi"), power(two_x, Fraction(-1))), Fraction(1, 2))
    return mul(front, Node("exp", mul(num(-1), x)), add(*series))


def call(name: str, args: list[Node]) -> Node:
    counts = {"besselk": (2, 2), "Max": (2, 20), "Min": (2, 20), "max": (2, 20), "min": (2, 20)}
    low, high = counts.get(name, (1, 1))
    require(low <= len(args) <= high, f"{name} takes another number of arguments")
    u, minus = args[0], num(-1)
    if name in ("exp", "log", "sin", "cos", "floor", "erf", "erfc", "gamma"):
        return Node(name, u)
    if name == "sqrt":
        return power(u, Fraction(1, 2))
    if name in ("sinh", "cosh"):
        other = Node("exp", mul(minus, u))
        return mul(num(Fraction(1, 2)), add(Node("exp", u), other if name == "cosh" else mul(minus, other)))
    if name == "tanh":
        return add(num(1), mul(num(-2), power(add(num(1), Node("exp", mul(num(2), u))), Fraction(-1))))
    if name == "asinh":
        return Node("log", add(u, power(add(power(u, Fraction(2)), num(1)), Fraction(1, 2))))
    if name in ("Abs", "abs"):
        return u if _positive(u) else Node("max", u, mul(minus, u))
    if name in ("Max", "max"):
        return Node("max", *args)
    if name in ("Min", "min"):
        return mul(minus, Node("max", *(mul(minus, a) for a in args)))
    if name == "besselk":
        require(u.kind == "num", "the order of besselk is not a rational number")
        require(abs(u.args[0]) <= MAX_DIGITS, "the order of besselk is too large")
        half = u.args[0].denominator == 2
        return half_integer_besselk(u.args[0], args[1]) if half else Node("besselk", abs(u.args[0]), args[1])
    raise Rejected(f"the generator calls {name[:40]!r}, which is not in the language")


class Reader:
    """Turns text into a tree; names are bound to the claim's parameters and dimension."""

    def __init__(self, text: str, names: dict[str, Fraction], radial: bool = True) -> None:
        require(isinstance(text, str) and len(text) <= MAX_TEXT, "the generator's text is too long")
        require(text.isascii() and text.isprintable(), "the generator's text has characters outside the language")
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
            return self.binary(node, depth)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id == "Piecewise":
                return self.piecewise(node.args, depth)
            return call(node.func.id, [self.expression(a, depth + 1) for a in node.args])
        raise Rejected(f"the generator uses {type(node).__name__}, which is not in the language")

    def number(self, node: ast.Constant) -> Node:
        if type(node.value) is int:
            return num(node.value)
        written = ast.get_source_segment(self.text, node) or ""
        require(type(node.value) is float and len(written) <= MAX_DIGITS
                and re.fullmatch(r"[0-9]*\.?[0-9]*([eE][+-]?[0-9]{1,4})?", written) is not None,
                "the generator has a constant that is not a plain number")
        return num(Fraction(written))

    def name(self, name: str) -> Node:
        if self.radial and name in ("y", "r"):
            return power(Node("r"), Fraction(2 if name == "y" else 1))
        if name == "pi":
            return Node("pi")
        if name == "e":
            return Node("exp", num(1))
        require(name in self.names, f"the generator uses the unbound name {name[:40]!r}")
        return num(self.names[name])

    def binary(self, node: ast.BinOp, depth: int) -> Node:
        left, right = self.expression(node.left, depth + 1), self.expression(node.right, depth + 1)
        if isinstance(node.op, ast.Add):
            return add(left, right)
        if isinstance(node.op, ast.Sub):
            return add(left, mul(num(-1), right))
        if isinstance(node.op, ast.Mult):
            return mul(left, right)
        if isinstance(node.op, ast.Div):
            return mul(left, power(right, Fraction(-1)))
        require(isinstance(node.op, ast.Pow), "the generator uses an operator outside the language")
        if right.kind == "num":
            return power(left, right.args[0])
        if left.kind == "exp":
            return Node("exp", mul(left.args[0], right))
        return Node("exp", mul(right, Node("log", left)))

    def piecewise(self, branches: list[ast.expr], depth: int) -> Node:
        parts: list[tuple[Node, Any]] = []
        for branch in branches:
            require(isinstance(branch, ast.Tuple) and len(branch.elts) == 2, "a Piecewise branch is not a pair")
            value, condition = branch.elts  # type: ignore[attr-defined]
            parts.append((self.expression(value, depth + 1), self.condition(condition, depth + 1)))
        require(0 < len(parts) <= 50, "a Piecewise has no branch or too many")
        return Node("piece", *parts)

    def condition(self, node: ast.AST, depth: int) -> tuple[Any, ...]:
        require(depth < MAX_DEPTH, "the generator's text is nested too deeply")
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return ("true",) if node.value else ("not", ("true",))
        if isinstance(node, ast.Compare):
            sides = [self.expression(s, depth + 1) for s in (node.left, *node.comparators)]
            tests: list[Any] = []
            for op, a, b in zip(node.ops, sides, sides[1:]):
                require(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)), "a condition compares with an operator outside the language")
                low, high = (a, b) if isinstance(op, (ast.Lt, ast.LtE)) else (b, a)
                tests.append(("less", add(high, mul(num(-1), low)), isinstance(op, (ast.LtE, ast.GtE))))
            return ("and", *tests)
        if isinstance(node, ast.BoolOp):
            return ("and" if isinstance(node.op, ast.And) else "or", *(self.condition(v, depth + 1) for v in node.values))
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            return ("and" if isinstance(node.op, ast.BitAnd) else "or",
                    self.condition(node.left, depth + 1), self.condition(node.right, depth + 1))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
            return ("not", self.condition(node.operand, depth + 1))
        raise Rejected("a condition is outside the language")


# ---------------------------------------------------------------------------------------------
# Evaluation of the tree over any of the rings, keeping logarithms of large and small things.

def exponential(node: Node) -> bool:
    """Whether the value is better known by its logarithm than as a number."""
    if node.kind in ("exp", "besselk", "erfc"):
        return True
    if node.kind == "pow":
        return node.args[1] < 0 or exponential(node.args[0])
    if node.kind == "piece":
        return any(exponential(value) for value, _ in node.args)
    return node.kind in ("add", "mul", "max") and any(exponential(a) for a in node.args)


class Evaluation:
    """The value, or the sign and logarithm of the absolute value, of each node at the element r."""

    def __init__(self, r: Any) -> None:
        self.r = r
        self.values: dict[int, Any] = {}
        self.logs: dict[int, tuple[int, Any]] = {}

    def value(self, node: Node) -> Any:
        if id(node) not in self.values:
            self.values[id(node)] = self._value(node)
        return self.values[id(node)]

    def log(self, node: Node) -> tuple[int, Any]:
        if id(node) not in self.logs:
            self.logs[id(node)] = self._log(node)
        return self.logs[id(node)]

    def _value(self, node: Node) -> Any:
        kind, args = node.kind, node.args
        if kind == "num":
            return self.r.const(args[0])
        if kind == "pi":
            return self.r.const(PI)
        if kind == "r":
            return self.r
        if kind == "add":
            return _sum(self.value(a) for a in args)
        if kind == "mul":
            return self._product(node)
        if kind == "pow":
            return self.value(args[0]).power(args[1])
        if kind == "log":
            sign, log = self.log(args[0])
            require(sign == 1, "takes the logarithm of something not proved positive")
            return log
        if kind in ("exp", "sin", "cos", "floor"):
            return getattr(self.value(args[0]), kind)()
        if kind == "max":
            return self._choose([self.value(a) for a in args], *self._largest(args), jumps=False)
        if kind == "piece":
            return self._choose([self._branch(v, self.value) for v, _ in args], *self._branches(args), jumps=True)
        raise Rejected(f"cannot evaluate {kind}")

    def _product(self, node: Node) -> Any:
        if exponential(node):
            try:
                sign, log = self.log(node)
                return log.exp() * sign
            except Rejected:
                pass
        result = self.value(node.args[0])
        for a in node.args[1:]:
            result = result * self.value(a)
        return result

    def _log(self, node: Node) -> tuple[int, Any]:
        kind, args = node.kind, node.args
        if kind == "exp":
            return 1, self.value(args[0])
        if kind == "mul":
            logs = [self.log(a) for a in args]
            sign = 1
            for s, _ in logs:
                sign *= s
            return sign, _sum(log for _, log in logs)
        if kind == "pow" and (args[1].denominator == 1 or self.log(args[0])[0] == 1):
            sign, log = self.log(args[0])
            return sign if args[1] % 2 == 1 else 1, log * args[1]
        if kind == "add" and exponential(node):
            try:
                return self._log_of_sum([self.log(a) for a in args])
            except Rejected:
                pass
        if kind == "piece":
            logs = [self._branch(v, self.log) for v, _ in args]
            base, ahead = self._branches(args)
            used = [logs[i] for i in {*base, *ahead}]
            require(all(log is not None for log in used) and len({s for s, _ in used}) == 1, "a branch has no proved sign")
            return used[0][0], self._choose([log and log[1] for log in logs], base, ahead, jumps=True)
        value = self.value(node)
        here = value.u if isinstance(value, Shift) else value
        sign = here.sign()
        require(sign in (1, -1), "a factor has no proved sign")
        return sign, (value if sign == 1 else -value).log()

    def _log_of_sum(self, logs: list[tuple[int, Any]]) -> tuple[int, Any]:
        """log|sum of s_i e^(L_i)|: what is added first, what is subtracted after."""
        sign = logs[0][0] if len({s for s, _ in logs}) == 1 else 1
        total: Any = None
        for s, log in sorted(logs, key=lambda item: -item[0] * sign):
            if total is None:
                total = log
                continue
            gap = log - total
            if s == sign and _leans_positive(gap):
                total, gap = log, -gap
            total = total + gap.softplus(s * sign)
        return sign, total

    def _branch(self, node: Node, evaluate: Callable[[Node], Any]) -> Any:
        try:
            return evaluate(node)
        except Rejected:
            return None  # refused later, if this branch is the one that counts

    def _sides(self, element: Any) -> tuple[Any, Any]:
        """An element where r is, and where r + h is (the same, unless there is a shift)."""
        return (element.u, element.u + element.du) if isinstance(element, Shift) else (element, element)

    def _largest(self, args: Iterable[Node]) -> tuple[set[int], set[int]]:
        sides = [self._sides(self.value(a)) for a in args]
        result = []
        for k in range(2):
            live = set(range(len(sides)))
            for i in range(len(sides)):
                if any(j in live and i in live and i != j and (sides[j][k] - sides[i][k]).sign() in (1, 0) for j in live - {i}):
                    live.discard(i)
            result.append(live)
        return result[0], result[1]

    def _branches(self, args: Iterable[tuple[Node, Any]]) -> tuple[set[int], set[int]]:
        result = []
        for k in range(2):
            live: set[int] = set()
            for i, (_, condition) in enumerate(args):
                holds = self._truth(condition, k)
                if holds is not False:
                    live.add(i)
                if holds:
                    break
            else:
                raise Rejected("no branch of a Piecewise holds")
            result.append(live)
        return result[0], result[1]

    def _truth(self, condition: Any, side: int) -> bool | None:
        if condition[0] == "true":
            return True
        if condition[0] == "not":
            inner = self._truth(condition[1], side)
            return None if inner is None else not inner
        if condition[0] in ("and", "or"):
            parts = [self._truth(c, side) for c in condition[1:]]
            decisive = condition[0] == "or"
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        sign = self._sides(self.value(condition[1]))[side].sign()
        return None if sign is None else sign > 0 or sign == 0 and condition[2]

    def _choose(self, elements: list[Any], base: set[int], ahead: set[int], jumps: bool) -> Any:
        require(all(elements[i] is not None for i in base | ahead), "a branch that may hold cannot be evaluated")
        if len(base) == 1 and base == ahead:
            return elements[min(base)]
        here = _hull_all([self._sides(elements[i])[0] for i in base], jumps)
        if not isinstance(elements[min(base)], Shift):
            return here
        return Shift(here, _hull_all([self._sides(elements[i])[1] for i in ahead], jumps) - here)


def _leans_positive(element: Any) -> bool:
    while isinstance(element, Slope):
        element = element.u
    if isinstance(element, Model):
        return (element.sign() or 0) > 0
    return NEAR.add(element.lo, element.hi) > 0


def _sum(items: Iterable[Any]) -> Any:
    total = None
    for item in items:
        total = item if total is None else total + item
    return total


def _hull_all(elements: list[Any], jumps: bool) -> Any:
    result = elements[0]
    for e in elements[1:]:
        require(not isinstance(getattr(e, "u", e), Model), "a model cannot tell which branch holds")
        if isinstance(e, Slope):
            result = Slope(hull(result.u, e.u), ANY if jumps else hull(result.du, e.du))
        else:
            result = hull(result, e)
    return result


# ---------------------------------------------------------------------------------------------
# The steps of the proof.

class Problem:
    """One generator with its sensitivity, on the three charts that the proof names."""

    def __init__(self, tree: Node, dimension: int, delta: Fraction, zero: Germ, infinity: Germ,
                 radii: tuple[Fraction, Fraction]) -> None:
        self.tree, self.dimension, self.delta = tree, dimension, delta
        self.zero, self.infinity, self.radii = zero, infinity, radii

    def log(self, r: Any) -> tuple[int, Any]:
        return Evaluation(r).log(self.tree)

    def positive_log(self, r: Any) -> Any:
        sign, log = self.log(r)
        require(sign == 1, "the generator is not positive where the proof needs it")
        return log

    def near_zero(self) -> Slope:
        """log f and its slopes on (0, r0], as models in t = 1/r."""
        r = Model(self.zero, {(Fraction(-1), *CONSTANT[1:]): Fraction(1)})
        return self.positive_log(Slope(r, r.const(1)))

    def far_radius(self) -> Model:
        return Model(self.infinity, {(Fraction(1), *CONSTANT[1:]): Fraction(1)})

    def far(self) -> Slope:
        """log f and its slopes on [R, oo)."""
        return self.positive_log(Slope(self.far_radius(), self.far_radius().const(1)))

    def far_loss(self, h: Interval | Fraction) -> Model:
        """phi_h on [R, oo)."""
        r = self.far_radius()
        return -self.positive_log(Shift(r, r.const(h))).du

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        return self.positive_log(Slope(box(a, b), ONE))

    def bounds(self, a: Fraction, b: Fraction) -> Interval:
        """log f on the open box (a, b)."""
        whole = self.on_box(a, b)
        return _mean_value(whole, a, b, lambda m: self.positive_log(m))

    def loss(self, a: Fraction, b: Fraction, h: Interval) -> Interval:
        """phi_h on the open box (a, b), by its mean value form and directly."""
        whole = -self.positive_log(Shift(Slope(box(a, b), ONE), Slope(h, ZERO))).du
        return _mean_value(whole, a, b, lambda m: -self.positive_log(Shift(m, h)).du)

    def loss_at_zero(self) -> Interval:
        """phi_delta on (0, r0]: from its limit at zero, and its slopes."""
        near, ahead = self.near_zero(), self.on_box(self.delta, self.delta + self.radii[0])
        direct = near.u.span() - ahead.u
        slopes = near.du.span() - ahead.du
        return _meet(direct, self.limit_at_zero() + slopes * Interval(D0, interval(self.radii[0]).hi))

    def limit_at_zero(self) -> Interval:
        """phi_delta(0+) = g(delta) - g(0+), the first from the right."""
        tiny = self.delta * Fraction(1, 10**40)
        return _limit(self.near_zero().u) - self.on_box(self.delta, self.delta + tiny).u

    def integral(self, log: Model, dimension: int) -> int:
        """1 or -1 as the integral of e^log t^dimension dt/t towards infinity converges or diverges.

        With x = log t this is the integral of e^M dx, M = log + dimension log t; where M carries no
        multiple of x, one logarithm deeper decides, since dx = x d(log x).
        """
        m, scales = log, (LOG_T, LOG_LOG_T, LOG_LOG_LOG_T)
        for k, scale in enumerate(scales):
            m = m + Model(m.germ, {scale: Fraction(dimension if k == 0 else 1)})
            lead, factor = m.leading()
            if lead >= scale or lead > CONSTANT and factor.sign() == 1:
                require(factor.sign() in (1, -1), "the tail's exponent of integration has no proved sign")
                return -(factor.sign() or 0)
        return -1


def _limit(model: Model) -> Interval:
    require(all(m <= CONSTANT for m in model.terms), "the limit is not proved finite")
    return interval(model.terms.get(CONSTANT, Fraction(0)))


def _meet(a: Interval, b: Interval) -> Interval:
    return Interval(max(a.lo, b.lo), min(a.hi, b.hi))


def _mean_value(whole: Slope, a: Fraction, b: Fraction, at: Callable[[Interval], Interval]) -> Interval:
    reach = whole.du * interval((b - a) / 2)
    if not (reach.lo.is_finite() and reach.hi.is_finite()):
        return whole.u
    return _meet(whole.u, at(interval((a + b) / 2)) + hull(reach, -reach))


def box(a: Fraction, b: Fraction) -> Interval:
    return Interval(interval(a).lo, interval(b).hi)


class Proof:
    """The certificate's steps, each replayed when a claim calls for it."""

    def __init__(self, problem: Problem, proof: dict[str, Any]) -> None:
        self.problem, self.steps = problem, proof

    def cover(self, name: str, points: Any, start: Fraction, end: Fraction) -> list[tuple[Fraction, Fraction]]:
        require(isinstance(points, list) and 2 <= len(points) <= MAX_BOXES, f"{name} is missing, or not a list of points")
        radii = [rational(p, name) for p in points]
        require(radii[0] <= start and radii[-1] >= end, f"{name} does not reach from {start} to {end}")
        require(all(a < b for a, b in zip(radii, radii[1:])), f"{name} is not increasing")
        return list(zip(radii, radii[1:]))

    def positive(self, status: str) -> None:
        p = self.problem
        if status == "proved":
            p.near_zero(), p.far()
            for a, b in self.cover("cover", self.steps["cover"], *p.radii):
                log = p.on_box(a, b).u
                require(log.lo.is_finite() and log.hi.is_finite(), f"positivity is not proved on [{a}, {b}]")
        else:
            self.zero_or_negative()

    def zero_or_negative(self) -> str:
        """'negative' where f < 0 is shown on an open box, 'zero' where f vanishes and is elsewhere positive."""
        p, step = self.problem, record(self.steps["sign"], "sign", {"kind", "box", "positive"})
        if step["kind"] == "centre":
            lead, factor = p.near_zero().u.leading()
            require(lead > CONSTANT and factor.hi < 0, "f is not shown to vanish at the centre")
            return "zero"
        a, b = self.open_box("sign.box", step["box"])
        value = Evaluation(Slope(box(a, b), ONE)).value(p.tree).u
        if step["kind"] == "negative":
            require(value.hi < 0, f"f is not shown negative on [{a}, {b}]")
            return "negative"
        require(step["kind"] == "vanishes" and value.lo == 0 == value.hi, f"f is not shown to vanish on [{a}, {b}]")
        p.on_box(*self.open_box("sign.positive", step["positive"]))
        return "zero"

    def open_box(self, name: str, points: Any) -> tuple[Fraction, Fraction]:
        require(isinstance(points, list) and len(points) == 2, f"{name} is not a pair of points")
        a, b = (rational(q, name) for q in points)
        require(0 < a < b, f"{name} is not an open box of positive radii")
        return a, b

    def decreasing(self, status: str) -> None:
        p = self.problem
        if status == "refuted":
            a, b = self.open_box("rise", self.steps["rise"])
            tiny = (b - a) / 10**30
            require(p.on_box(a, a + tiny).u.hi < p.on_box(b - tiny, b).u.lo, "f is not shown to rise")
            return
        for log in (p.near_zero(), p.far()):
            require(log.du.span().hi <= 0, "f is not shown non-increasing at an end")
        boxes = self.cover("cover", self.steps["cover"], *p.radii)
        for a, b in boxes:
            require(p.on_box(a, b).du.hi <= 0, f"f is not shown non-increasing on [{a}, {b}]")
        for b, _ in boxes if "piece" in kinds(p.tree) else ():
            near = b / 10**30
            if p.on_box(b - near, b + near).du.hi > 0:
                require(p.on_box(b - near, b).u.lo >= p.on_box(b, b + near).u.hi, f"f is not shown non-increasing at {b}")

    def finite_at_zero(self, status: str) -> None:
        lead, factor = self.problem.near_zero().u.leading()
        if status == "proved":
            require(lead <= CONSTANT or factor.hi < 0, "f(0+) is not shown finite")
        else:
            require(lead > CONSTANT and factor.lo > 0, "f(0+) is not shown infinite")

    def integrable(self, status: str) -> None:
        p = self.problem
        ends = [p.integral(p.near_zero().u, -p.dimension), p.integral(p.far().u, p.dimension)]
        if status == "proved":
            require(min(ends) == 1, "f(x'x) is not shown integrable")
            self.positive("proved")
        else:
            require(min(ends) == -1, "f(x'x) is not shown to have an infinite integral")

    def tail_ratio_bounded(self, status: str) -> None:
        lead, factor = self.problem.far_loss(self.problem.delta).leading()
        if status == "proved":
            require(lead <= CONSTANT or factor.hi < 0, "the tail ratio is not shown bounded")
        else:
            require(lead > CONSTANT and factor.lo > 0, "the tail ratio is not shown unbounded")

    def upper(self, bound: Fraction, theorem: str) -> None:
        """phi <= bound everywhere (Theorem 3), or |phi_h| <= bound for every h in [0, delta] (Theorem A)."""
        p, step, most = self.problem, record(self.steps["supremum"], "supremum", {"cover", "shifts", "ahead"}), interval(bound).lo
        boxes = self.cover("supremum.cover", step["cover"], *p.radii)
        if theorem == "Theorem 3":
            require(p.loss_at_zero().hi <= most, f"the loss is not shown below {bound} near zero")
            require(p.far_loss(p.delta).span().hi <= most, f"the loss is not shown below {bound} in the tail")
            for a, b in boxes:
                require(p.loss(a, b, interval(p.delta)).hi <= most, f"the loss is not shown below {bound} on [{a}, {b}]")
            return
        require(isinstance(step["shifts"], list) and len(step["shifts"]) == len(boxes) + 1, "supremum.shifts does not match its cover")
        shifts = [self.cover("supremum.shifts", s, Fraction(0), p.delta) for s in step["shifts"]]
        near = p.near_zero().u.span()
        logs = [near] + [p.bounds(a, b) for a, b in self.cover("supremum.ahead", step["ahead"], p.radii[0], p.radii[0] + p.delta)]
        spans = [near - log for log in logs] + [p.far_loss(box(*h)).span() for h in shifts[-1]]
        spans += [p.loss(a, b, box(*h)) for (a, b), steps in zip(boxes, shifts) for h in steps]
        for span in spans:
            require(-most <= span.lo and span.hi <= most, f"the loss is not shown below {bound} for every shift")

    def lower(self, bound: Fraction) -> None:
        """Some loss, for a shift of at most delta, comes arbitrarily near or above the bound."""
        p, step = self.problem, record(self.steps["witness"], "witness", {"near", "box", "shift"})
        if step["near"] == "infinity":
            value = _limit(p.far_loss(p.delta))
        elif step["near"] == "zero":
            value = p.limit_at_zero()
        else:
            h = rational(step["shift"], "witness.shift")
            require(0 < h <= p.delta, "the witness' shift is not within the sensitivity")
            value = p.loss(*self.open_box("witness.box", step["box"]), interval(h))
        value = value if value.lo > 0 else -value
        require(value.lo >= interval(bound).hi, f"the witness does not reach the lower bound {bound}")

    def refuted(self, statuses: dict[str, str]) -> None:
        """Private for no epsilon: a valid density whose loss is unbounded."""
        require(statuses["integrable"] == "proved", "a claim about privacy needs an integrable density")
        if statuses["positive"] == "refuted":
            require(self.zero_or_negative() == "zero", "f is negative, so it is no density")
            return
        require(statuses["positive"] == "proved", "a claim about privacy needs positivity")
        require("refuted" in (statuses["finite_at_zero"], statuses["tail_ratio_bounded"]), "nothing shows the loss unbounded")


def kinds(node: Node) -> set[str]:
    inner = [part for a in node.args for part in (a if isinstance(a, tuple) else (a,)) if isinstance(part, Node)]
    return {node.kind}.union(*(kinds(a) for a in inner))


# ---------------------------------------------------------------------------------------------
# Reading the file and checking the claim.

def record(value: Any, name: str, fields: set[str]) -> dict[str, Any]:
    require(isinstance(value, dict), f"{name} is not an object")
    missing, extra = sorted(fields - set(value)), sorted(set(value) - fields)
    require(not missing, f"{name} has no field {', '.join(missing)}")
    require(not extra, f"{name} has the unknown field {', '.join(extra)[:60]}")
    return value


def rational(value: Any, name: str) -> Fraction:
    written = isinstance(value, str) and len(value) <= MAX_DIGITS
    match = re.fullmatch(r"(-?[0-9]+)(?:/([1-9][0-9]*))?", value) if written else None
    require(match is not None, f"{name} is not a rational written p/q")
    result = Fraction(value)
    require(str(result) == value, f"{name} is not a rational in lowest terms")
    return result


def germ(value: Any, name: str, invert: bool) -> tuple[Germ, Fraction]:
    step = record(value, name, {"radius", "order"})
    radius = rational(step["radius"], f"{name}.radius")
    require(radius > 0, f"{name}.radius is not positive")
    require(type(step["order"]) is int and 1 <= step["order"] <= MAX_ORDER, f"{name}.order is not an integer from 1 to {MAX_ORDER}")
    return Germ(1 / radius if invert else radius, step["order"]), radius


def check_certificate(certificate: Any) -> dict[str, Any]:
    """Return the claim, proved, or raise Rejected."""
    record(certificate, "the certificate", {"format", "version", "program", "claim", "proof", "assumptions", "digest"})
    require(certificate["format"] == FORMAT and certificate["version"] == VERSION and type(certificate["version"]) is int,
            "the certificate's format or version is unknown")
    program = record(certificate["program"], "program", {"name", "version"})
    require(all(isinstance(v, str) for v in program.values()), "program is not described by texts")
    require(certificate["digest"] == digest(certificate), "the digest does not match the content: the file was altered")
    claim = record(certificate["claim"], "claim", {"generator", "parameters", "dimension", "sensitivity", "scale", "verdict",
                                                   "epsilon", "tail_log_ratio", "hypotheses", "theorem", "closed_form"})
    dimension = claim["dimension"]
    require(type(dimension) is int and 1 <= dimension <= 10**6, "dimension is not an integer from 1 to 1000000")
    sensitivity, scale = rational(claim["sensitivity"], "sensitivity"), rational(claim["scale"], "scale")
    require(sensitivity > 0 and scale > 0, "sensitivity and scale are not positive")
    require(isinstance(claim["parameters"], dict), "parameters is not an object")
    names = {k: rational(v, f"parameter {k}") for k, v in claim["parameters"].items()}
    names["d"] = Fraction(dimension)
    tree = Reader(claim["generator"], names).tree()
    proof = record(certificate["proof"], "proof", {"zero", "infinity", "cover", "supremum", "witness", "sign", "rise"})
    (zero, r0), (infinity, r1) = germ(proof["zero"], "zero", True), germ(proof["infinity"], "infinity", False)
    require(r0 < r1, "the charts at zero and at infinity overlap")
    delta = sensitivity / scale
    replay = Proof(Problem(tree, dimension, delta, zero, infinity, (r0, r1)), proof)
    statuses = record(claim["hypotheses"], "hypotheses", set(HYPOTHESES))
    for name in HYPOTHESES:
        require(statuses[name] in STATUSES, f"the status of {name} is unknown")
        if statuses[name] != "undecided":
            getattr(replay, name)(statuses[name])
    check_verdict(claim, statuses, replay, names | {"delta": delta})
    if claim["tail_log_ratio"] is not None:
        low, high = ends(claim["tail_log_ratio"], "tail_log_ratio")
        limit = _limit(replay.problem.far_loss(delta))
        require(interval(low).hi <= limit.lo and limit.hi <= interval(high).lo, "tail_log_ratio does not contain the limit")
    require(certificate["assumptions"] == [], "the list of assumptions is not the one that the proof needs")
    return claim


def check_verdict(claim: dict[str, Any], statuses: dict[str, str], replay: Proof, names: dict[str, Fraction]) -> None:
    verdict, epsilon, theorem = claim["verdict"], claim["epsilon"], claim["theorem"]
    require(verdict in ("private", "not_private", "invalid", "undecided"), "the verdict is unknown")
    require((verdict == "private") == (epsilon is not None) == (theorem is not None), "epsilon and theorem do not fit the verdict")
    require(epsilon is not None or claim["closed_form"] is None, "a closed form without an epsilon")
    if verdict == "private":
        needed = ["positive", "finite_at_zero", "integrable", "tail_ratio_bounded"]
        needed += ["decreasing"] if theorem == "Theorem 3" else []
        require(theorem in ("Theorem 3", "Theorem A"), "the theorem is unknown")
        require(all(statuses[n] == "proved" for n in needed), f"{theorem} needs hypotheses that are not proved")
        low, high = ends(epsilon, "epsilon")
        replay.upper(high, theorem)
        replay.lower(low)
        if claim["closed_form"] is not None:
            value = Evaluation(ONE).value(Reader(claim["closed_form"], names, radial=False).tree())
            require(interval(low).lo <= value.lo and value.hi <= interval(high).hi, "the closed form is not in the enclosure of epsilon")
    elif verdict == "not_private":
        replay.refuted(statuses)
    elif verdict == "invalid":
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


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({k for k, _ in pairs}) != len(pairs):
        raise Unreadable("an object has the same key twice")
    return dict(pairs)


def _number(text: str) -> int:
    if len(text) > 20 or not re.fullmatch(r"-?[0-9]+", text):
        raise Unreadable("a number is not a short integer")
    return int(text)


def check_bytes(data: bytes) -> dict[str, Any]:
    """Check a certificate's bytes: the proved claim, or Rejected (Unreadable where it is no certificate)."""
    if len(data) > MAX_BYTES:
        raise Unreadable(f"the file is larger than {MAX_BYTES} bytes")
    try:
        certificate = json.loads(data.decode("utf-8"), object_pairs_hook=_object, parse_int=_number,
                                 parse_float=_number, parse_constant=_number)
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise Unreadable("the file is not JSON in UTF-8 with plain integers") from None
    try:
        return check_certificate(certificate)
    except (ArithmeticError, RecursionError, MemoryError) as error:
        raise Rejected(f"the arithmetic of a step fails ({type(error).__name__})") from None


def assumptions(data: bytes) -> list[str]:
    """The assumptions that a checked certificate prints."""
    return list(json.loads(data)["assumptions"])


def describe(claim: dict[str, Any]) -> str:
    """The claim in one line."""
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    text = f"{claim['verdict']}: f(y) = {claim['generator']}, d = {claim['dimension']}, Delta/sigma = {delta}"
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    bounds = claim["epsilon"]
    return text + names + (f", {bounds['lower']} <= epsilon <= {bounds['upper']}" if bounds else "")


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: kernel.py CERTIFICATE.json ...", file=sys.stderr)
        return 2
    worst = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                claim = check_bytes(file.read(MAX_BYTES + 1))
            print(f"{path}: proved {describe(claim)}")
        except OSError as error:
            print(f"{path}: cannot be read: {error.strerror}", file=sys.stderr)
            worst = 2
        except Unreadable as error:
            print(f"{path}: cannot be read: {error}", file=sys.stderr)
            worst = 2
        except Rejected as error:
            print(f"{path}: rejected: {error}", file=sys.stderr)
            worst = max(worst, 1)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
