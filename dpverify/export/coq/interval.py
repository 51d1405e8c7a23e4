"""Intervals with decimal ends, by which a plan is tried out before Coq computes it.

Nothing here is part of the proof. The standard library's decimals round sums, products and quotients
in the asked direction, but exp, ln and sqrt to nearest, so those go one unit further out.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import reduce
from operator import mul

DOWN, UP, NEAR = (
    Context(prec=60, rounding=mode, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
    for mode in (ROUND_FLOOR, ROUND_CEILING, ROUND_HALF_EVEN)
)
D0, D1, INF = Decimal(0), Decimal(1), Decimal("Infinity")
FAR = Decimal(2**20)
"""Beyond it nothing is said of a sine or a cosine but that it lies between -1 and 1."""


class Undefined(ArithmeticError):
    """An operation has no enclosure on the interval given."""


class Interval:
    """The reals from lo to hi; an infinite end means unbounded."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: Decimal, hi: Decimal) -> None:
        if lo.is_nan() or hi.is_nan() or lo > hi:
            raise Undefined("an interval has no valid ends")
        self.lo, self.hi = lo, hi

    def __neg__(self) -> Interval:
        return Interval(self.hi.copy_negate(), self.lo.copy_negate())

    def __add__(self, other: Coefficient) -> Interval:
        o = interval(other)
        return Interval(DOWN.add(self.lo, o.lo), UP.add(self.hi, o.hi))

    def __sub__(self, other: Coefficient) -> Interval:
        return self + -interval(other)

    def __mul__(self, other: Coefficient) -> Interval:
        o = interval(other)
        if self.lo >= 0 and o.lo >= 0:
            return Interval(_times(DOWN, self.lo, o.lo), _times(UP, self.hi, o.hi))
        pairs = [(a, b) for a in (self.lo, self.hi) for b in (o.lo, o.hi)]
        return Interval(min(_times(DOWN, *p) for p in pairs), max(_times(UP, *p) for p in pairs))

    def inverse(self) -> Interval:
        if not (self.lo > 0 or self.hi < 0):
            raise Undefined("a divisor may be zero")
        return Interval(DOWN.divide(D1, self.hi), UP.divide(D1, self.lo))

    def exp(self) -> Interval:
        return Interval(_exp(self.lo, DOWN), _exp(self.hi, UP))

    def log(self) -> Interval:
        if self.lo < 0:
            raise Undefined("a logarithm is taken of something that may be negative")
        return Interval(_log(self.lo, DOWN), _log(self.hi, UP))

    def sqrt(self) -> Interval:
        if self.lo < 0:
            raise Undefined("a root is taken of something that may be negative")
        return Interval(_sqrt(self.lo, DOWN), _sqrt(self.hi, UP))

    def power(self, n: int) -> Interval:
        """The n-th power, n >= 0; of even powers no value is negative."""
        if not n:
            return ONE
        if n % 2 == 0 and self.lo < 0:
            low, high = self.lo.copy_abs(), self.hi.copy_abs()
            return Interval(D0 if self.hi > 0 else high, max(low, high)).power(n)
        return reduce(mul, [self] * n)

    def cos(self) -> Interval:
        if not (self.lo >= -FAR and self.hi <= FAR) or self.hi - self.lo > 6:
            return Interval(-D1, D1)
        rounds = int((NEAR.add(self.lo, self.hi) / (4 * PI.lo)).to_integral_value())
        x = self - PI * (2 * rounds)
        result = hull(_cos(x.lo), _cos(x.hi))
        for k in range(-3, 4):
            if x.lo <= (PI * k).hi and (PI * k).lo <= x.hi:
                result = hull(result, interval((-1) ** (k % 2)))
        return Interval(max(result.lo, -D1), min(result.hi, D1))

    def sin(self) -> Interval:
        return (self - PI * Fraction(1, 2)).cos()


Coefficient = int | Fraction | Interval
"""An exact number, or an interval that holds one."""


def _times(context: Context, a: Decimal, b: Decimal) -> Decimal:
    return context.multiply(a, b) if a and b else D0


def _outward(value: Decimal, context: Context) -> Decimal:
    return context.next_minus(value) if context is DOWN else context.next_plus(value)


def _exp(x: Decimal, context: Context) -> Decimal:
    if x.is_infinite():
        return INF if x > 0 else D0
    return max(D0, _outward(NEAR.exp(x), context)) if x else D1


def _log(x: Decimal, context: Context) -> Decimal:
    if not x or x.is_infinite():
        return INF if x else -INF
    return D0 if x == 1 else _outward(NEAR.ln(x), context)


def _sqrt(x: Decimal, context: Context) -> Decimal:
    root = NEAR.sqrt(x)
    exact = x.is_infinite() or DOWN.multiply(root, root) == x == UP.multiply(root, root)
    return root if exact else max(D0, _outward(root, context))


def _cos(x: Decimal) -> Interval:
    """cos of a number within [-10, 10], by its Taylor series in integers, in units of 2^-240.

    No term exceeds e^10 < 2^15, and each of the 60 steps errs by 2^16 units at most, which later steps
    enlarge by less than 2^15 each time: an error below 2^-180 in all, the terms left out included, and
    an argument below 1e-74 taken for 0.
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
    """The least interval around both."""
    return Interval(min(a.lo, b.lo), max(a.hi, b.hi))


ZERO, ONE = Interval(D0, D0), Interval(D1, D1)
PI = Interval(*(Decimal(f"3.1415926535897932384626433832795028841971693993751058209749{end}") for end in (445, 446)))
