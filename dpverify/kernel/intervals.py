"""Intervals: closed, with decimal ends, every operation rounded outward."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add, mul

from .rules import Rejected, require, rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Coefficient: TypeAlias = "int | Fraction | Interval"

DOWN, UP, NEAR = (
    Context(prec=60, rounding=mode, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
    for mode in (ROUND_FLOOR, ROUND_CEILING, ROUND_HALF_EVEN)
)
ROUGH = Context(prec=20, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
D0, D1, TWO, INF = Decimal(0), Decimal(1), Decimal(2), Decimal("Infinity")
NEG_INF = INF.copy_negate()
NARROW, WIDE, MODERATE = Decimal("1e-31"), Decimal("1e-8"), 100_000
MOST_KEPT = 4_096  # neighbouring boxes share an end, and the powers of one thing its logarithm


@rule("K1")
def outward_arithmetic() -> None:
    """Interval arithmetic.

    Lemma.  For x in [a, b] and y in [c, d], x + y, x - y, x y and 1/x lie between the least and the
    largest of the same operation on the ends, rounded down and up by libmpdec's directed modes.
    An infinite end means unbounded, 0 times it is 0, and 1/x next to 0 is unbounded.
    """


@rule("K2")
def outward_functions() -> None:
    """Elementary functions of intervals.

    Lemma.  exp, log and square roots increase; libmpdec's values at the ends are correctly rounded
    to nearest, so that one unit further out encloses them; for ends that are far apart fewer digits
    will do, and for ends a <= b close together log b <= log a + (b - a)/a, and e^b <= e^a (1 + 2
    (b - a)) where b - a <= 1.  x^p is a product, for half an odd p with a root, or e^(p log x).
    """


class Interval:
    """The set of reals x with lo <= x <= hi; an infinite end means unbounded."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: Decimal, hi: Decimal) -> None:
        try:
            ordered = lo <= hi
        except InvalidOperation:  # NaN
            ordered = False
        if not ordered:
            raise Rejected("an interval has no valid endpoints")
        self.lo, self.hi = lo, hi

    def const(self, value: Coefficient) -> Interval:
        return interval(value)

    def span(self) -> Interval:
        return self

    def finite(self) -> bool:
        return self.lo.is_finite() and self.hi.is_finite()

    def sign(self) -> int | None:
        """The sign of every point, or None where they differ or are not told apart from 0."""
        if self.lo > 0 or self.hi < 0:
            return 1 if self.lo > 0 else -1
        return 0 if self.lo == self.hi else None

    def __neg__(self) -> Interval:
        return Interval(self.hi.copy_negate(), self.lo.copy_negate())

    def __add__(self, other: Coefficient) -> Interval:
        o = other if isinstance(other, Interval) else interval(other)
        return Interval(DOWN.add(self.lo, o.lo), UP.add(self.hi, o.hi))

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Interval:
        return self + -other

    def __mul__(self, other: Coefficient) -> Interval:
        o = other if isinstance(other, Interval) else interval(other)
        a, b, c, d = self.lo, self.hi, o.lo, o.hi
        if a > D0 < c:
            return Interval(DOWN.multiply(a, c), UP.multiply(b, d))
        if a >= D0:
            return Interval(times(DOWN, b if c < D0 else a, c), times(UP, b if d > D0 else a, d))
        if b <= D0:
            return Interval(times(DOWN, a if d > D0 else b, d), times(UP, a if c < D0 else b, c))
        return Interval(min(times(DOWN, a, d), times(DOWN, b, c)),
                        max(times(UP, a, c), times(UP, b, d)))

    __rmul__ = __mul__

    def inverse(self) -> Interval:
        """1/x wherever x is not 0: an end that is 0 leads to infinity."""
        one_sided = self.lo > 0 or self.hi < 0 or (self.lo == 0) != (self.hi == 0)
        require(one_sided, "divides by zero")
        if self.lo >= 0:
            top = UP.divide(D1, self.lo) if self.lo > 0 else INF
            return Interval(DOWN.divide(D1, self.hi), top)
        return -((-self).inverse())

    def exp(self) -> Interval:
        width = UP.subtract(self.hi, self.lo) if self.finite() else INF
        if width < NARROW and self.hi:
            stretch = UP.add(D1, UP.multiply(width, TWO))
            return Interval(exp_end(self.lo, DOWN), UP.multiply(exp_end(self.lo, UP), stretch))
        near = ROUGH if WIDE < width < INF else NEAR
        return Interval(exp_end(self.lo, DOWN, near), exp_end(self.hi, UP, near))

    def log(self) -> Interval:
        require(self.lo >= 0, "takes the logarithm of something not proved positive")
        moderate = self.lo and self.hi.is_finite() and abs(self.hi.adjusted()) <= MODERATE
        width = UP.divide(UP.subtract(self.hi, self.lo), self.lo) if moderate else INF
        if width < NARROW:
            return Interval(log_end(self.lo, DOWN), UP.add(log_end(self.lo, UP), width))
        near = ROUGH if WIDE < width < INF and self.lo.adjusted() > -MODERATE else NEAR
        return Interval(log_end(self.lo, DOWN, near), log_end(self.hi, UP, near))

    def power(self, p: Fraction) -> Interval:
        if p.denominator == 1 and -64 <= p.numerator <= 64:
            n = p.numerator
            if n < 0:
                return self.power(-p).inverse()
            if n and n % 2 == 0 and self.lo < 0:
                low, high = self.lo.copy_abs(), self.hi.copy_abs()
                return Interval(D0 if self.hi > 0 else high, max(low, high)).power(p)
            return product_of([self] * n) if n else ONE
        require(self.lo >= 0, "takes a fractional power of something not proved positive")
        if p.denominator == 2 and p <= 64 and self.hi:
            if p < 0:
                return self.power(-p).inverse()
            root = Interval(sqrt_end(self.lo, DOWN), sqrt_end(self.hi, UP))
            return root * self.power(p - Fraction(1, 2)) if p > 1 else root
        return (self.log() * interval(p)).exp()


def times(context: Context, a: Decimal, b: Decimal) -> Decimal:
    """0 times an infinite end is 0: the end is not a point of the interval."""
    return context.multiply(a, b) if a and b else D0


def outward(value: Decimal, context: Context, near: Context) -> Decimal:
    """One unit in the last digit of `near` down or up."""
    return near.next_minus(value) if context is DOWN else near.next_plus(value)


@lru_cache(2 * MOST_KEPT)
def nearest(function: str, x: Decimal, rough: bool) -> Decimal:
    found: Decimal = getattr(ROUGH if rough else NEAR, function)(x)
    return found


def exp_end(x: Decimal, context: Context, near: Context = NEAR) -> Decimal:
    if x.is_infinite():
        return INF if x > 0 else D0
    return max(D0, outward(nearest("exp", x, near is ROUGH), context, near)) if x else D1


def log_end(x: Decimal, context: Context, near: Context = NEAR) -> Decimal:
    if not x or x.is_infinite():
        return INF if x else NEG_INF
    return D0 if x == 1 else outward(nearest("ln", x, near is ROUGH), context, near)


def sqrt_end(x: Decimal, context: Context) -> Decimal:
    root = NEAR.sqrt(x)
    exact = x.is_infinite() or DOWN.multiply(root, root) == x == UP.multiply(root, root)
    return root if exact else max(D0, outward(root, context, NEAR))


def interval(value: Coefficient) -> Interval:
    """The narrowest enclosure of an exact number."""
    return value if isinstance(value, Interval) else quotient(value.numerator, value.denominator)


@lru_cache(MOST_KEPT)
def quotient(numerator: int, denominator: int) -> Interval:
    n, d = Decimal(numerator), Decimal(denominator)
    return Interval(DOWN.divide(n, d), UP.divide(n, d)) if denominator > 1 else Interval(n, n)


def hull(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.lo, b.lo), max(a.hi, b.hi))


def meet(a: Interval, b: Interval) -> Interval:
    return Interval(max(a.lo, b.lo), min(a.hi, b.hi))


def add_up(items: Iterable[Any]) -> Any:
    return reduce(add, items)


def product_of(items: Iterable[Any]) -> Any:
    return reduce(mul, items)


ZERO, ONE, UNIT = Interval(D0, D0), Interval(D1, D1), Interval(D0, D1)
ANY, SIGNED_UNIT = Interval(NEG_INF, INF), Interval(-D1, D1)
