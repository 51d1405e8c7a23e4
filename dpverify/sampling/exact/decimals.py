"""Decimal intervals of any number of digits, for replays: the standard library's arithmetic, rounded outward.

libmpdec rounds +, -, *, / in the asked direction; exp, ln and sqrt to nearest, so that their results go
one unit further out. sin and cos are series of exact rational angles, pi is Machin's (1706).
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cached_property

from dpverify.sampling.exact.bits import Ambiguous


class Digits:
    """Arithmetic to a number of significant digits."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.down, self.up, self.near = (
            Context(prec=digits, rounding=mode, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
            for mode in (ROUND_FLOOR, ROUND_CEILING, ROUND_HALF_EVEN)
        )

    def number(self, value: Fraction | int) -> Interval:
        """The narrowest interval around a rational."""
        p, q = Decimal(value.numerator), Decimal(value.denominator)
        return Interval(self.down.divide(p, q), self.up.divide(p, q), self)

    def between(self, low: Fraction, high: Fraction) -> Interval:
        return Interval(self.number(low).low, self.number(high).high, self)

    @cached_property
    def pi(self) -> Interval:
        """16 arctan(1/5) - 4 arctan(1/239), in whole numbers of 10^-(digits + 5)."""
        unit = 10 ** (self.digits + 5)
        total, terms = 0, 0
        for factor, x in ((16, 5), (-4, 239)):
            power, n = unit // x, 1
            while power:
                total += factor * (power // n if n % 4 == 1 else -(power // n))
                power, n, terms = power // (x * x), n + 2, terms + 1
        error = 64 * (terms + 2)  # two roundings a term, of less than 2 units each, times at most 16
        return self.between(Fraction(total - error, unit), Fraction(total + error, unit))


class Interval:
    """low <= x <= high, with what a recipe asks of a number; Ambiguous where an operation is not defined throughout."""

    __slots__ = ("at", "high", "low")

    def __init__(self, low: Decimal, high: Decimal, at: Digits) -> None:
        if low.is_nan() or high.is_nan():
            raise Ambiguous
        self.low, self.high, self.at = low, high, at

    def _other(self, value: Interval | int) -> Interval:
        return value if isinstance(value, Interval) else self.at.number(value)

    def __neg__(self) -> Interval:
        return Interval(self.high.copy_negate(), self.low.copy_negate(), self.at)

    def __add__(self, value: Interval | int) -> Interval:
        other = self._other(value)
        return Interval(self.at.down.add(self.low, other.low), self.at.up.add(self.high, other.high), self.at)

    __radd__ = __add__

    def __sub__(self, value: Interval | int) -> Interval:
        return self + -self._other(value)

    def __mul__(self, value: Interval | int) -> Interval:
        other = self._other(value)
        ends = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        low = min(self.at.down.multiply(a, b) for a, b in ends)
        return Interval(low, max(self.at.up.multiply(a, b) for a, b in ends), self.at)

    __rmul__ = __mul__

    def __truediv__(self, value: Interval | int) -> Interval:
        other = self._other(value)
        if not (other.low > 0 or other.high < 0):
            raise Ambiguous
        one = Decimal(1)
        return self * Interval(self.at.down.divide(one, other.high), self.at.up.divide(one, other.low), self.at)

    def log(self) -> Interval:
        if not self.low > 0:
            raise Ambiguous
        near = self.at.near
        return Interval(near.next_minus(near.ln(self.low)), near.next_plus(near.ln(self.high)), self.at)

    def exp(self) -> Interval:
        near = self.at.near
        low = max(Decimal(0), near.next_minus(near.exp(self.low)))
        return Interval(low, near.next_plus(near.exp(self.high)), self.at)

    def sqrt(self) -> Interval:
        if not self.low >= 0:
            raise Ambiguous
        near = self.at.near
        low = max(Decimal(0), near.next_minus(near.sqrt(self.low)))
        return Interval(low, near.next_plus(near.sqrt(self.high)), self.at)

    def power(self, p: Fraction) -> Interval:
        """x^p for x > 0."""
        return self.sqrt() if p == Fraction(1, 2) else (self.log() * self.at.number(p)).exp()

    def sin_cos_pi(self) -> tuple[Interval, Interval]:
        """sin(pi x) and cos(pi x): at a rational in the middle, and as far to either side as |pi (x - m)| leads."""
        low, high = Fraction(self.low), Fraction(self.high)
        middle = (low + high) / 2
        reach = self.at.pi * self.at.number((high - low) / 2)
        sine, cosine = _at_rational(self.at, middle)
        spread = Interval(reach.high.copy_negate(), reach.high, self.at)
        return sine + spread, cosine + spread


def _at_rational(at: Digits, x: Fraction) -> tuple[Interval, Interval]:
    """sin(pi x) and cos(pi x): the quarter turns are taken off exactly, and the rest is at most pi/4."""
    turns = round(x * 2)
    angle = at.pi * at.number(x - Fraction(turns, 2))
    sine, cosine = _series(at, angle, 1), _series(at, angle, 0)
    for _ in range(turns % 4):
        sine, cosine = cosine, -sine
    return sine, cosine


def _series(at: Digits, x: Interval, n: int) -> Interval:
    """x - x^3/3! + ... or 1 - x^2/2! + ...; the terms alternate and fall, so the rest is below the first left out."""
    term = x if n else at.number(1)
    total, square = term, -(x * x)
    while True:
        n += 2
        term = term * square / (n * (n - 1))
        size = max(abs(term.low), abs(term.high))
        if size.is_zero() or size.adjusted() < -at.digits - 5:
            return total + Interval(size.copy_negate(), size, at)
        total = total + term
