"""Intervals by their two ends: wider and slower steps than a ball's, and no radius of thirty bits between them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, Undecided, exact
from dpverify.findings import Reason


class Ends(Ball):
    """A real number known to lie between two, each a number of the working precision.

    Where a function has no rule here, its own over the ball that holds both is taken.
    """

    __slots__ = ("hi", "lo")

    def __init__(self, lo: arb, hi: arb) -> None:
        self.lo, self.hi = lo.lower(), hi.upper()

    @classmethod
    def between(cls, a: Fraction, b: Fraction) -> Ends:
        """The narrowest that contains [a, b]."""
        return cls(arb(exact(a)), arb(exact(b)))

    @classmethod
    def of(cls, value: Any) -> Ends:
        """A ball, or a number."""
        if isinstance(value, Ends):
            return value
        x = value.x if isinstance(value, Ball) else arb(value)
        return cls(x, x) if x.is_finite() else cls(arb.neg_inf(), arb.pos_inf())

    @property
    def x(self) -> arb:  # type: ignore[override]
        """The ball that holds both ends."""
        return self.lo.union(self.hi) if self.lo.is_finite() and self.hi.is_finite() else arb(0, arb.pos_inf())

    def const(self, value: Any) -> Ends:
        """A constant, on the same box."""
        return Ends.of(value)

    def not_negative(self) -> Ends:
        """The same, of what is not negative."""
        return Ends(self.lo.max(arb(0)), self.hi)

    def meet(self, other: Ends) -> Ends:
        """What lies in both."""
        return Ends(self.lo.max(other.lo), self.hi.min(other.hi))

    def hull(self, other: Any) -> Ends:
        """Either of the two."""
        other = Ends.of(other)
        return Ends(self.lo.min(other.lo), self.hi.max(other.hi))

    def sign(self) -> int | None:
        """1, -1, 0 where every point has that sign, else None."""
        if self.lo > 0 or self.hi < 0:
            return 1 if self.lo > 0 else -1
        return 0 if self.lo == 0 == self.hi else None

    def __neg__(self) -> Ends:
        return Ends(-self.hi, -self.lo)

    def __add__(self, other: Any) -> Ends:
        other = Ends.of(other)
        return Ends(self.lo + other.lo, self.hi + other.hi)

    def __sub__(self, other: Any) -> Ends:
        return self + -Ends.of(other)

    def __mul__(self, other: Any) -> Ends:
        other = Ends.of(other)
        products = [_product(a, b) for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        low = high = products[0]
        for product in products[1:]:
            low, high = low.min(product), high.max(product)
        return Ends(low, high)

    def inverse(self) -> Ends:
        """1 over the number; raises Undecided where it may be 0."""
        if self.sign() not in (1, -1):
            raise Undecided(Reason.MAY_BE_ZERO())
        return Ends(1 / self.hi, 1 / self.lo)

    def exp(self) -> Ends:
        """The exponential."""
        return Ends(self.lo.exp(), self.hi.exp())

    def log(self) -> Ends:
        """The natural logarithm; raises Undecided where the number is not proved positive."""
        return self._rising(Ball.log)

    def power(self, p: fmpq) -> Ends:
        """The p-th power, p rational."""
        if not self.lo > 0:
            return Ends.of(Ball(self.x).power(p))
        rising = self._rising if p > 0 else self._falling
        return rising(lambda end: end.power(p))

    def softplus(self, sign: int) -> Ends:
        """log(1 + sign e^x)."""
        return (self._rising if sign > 0 else self._falling)(lambda end: end.softplus(sign))

    def logistic(self, sign: int) -> Ends:
        """The derivative of softplus."""
        return Ends.of(Ball(self.x).logistic(sign))

    def cos(self, turns: bool = False) -> Ends:
        """The cosine of x, or of pi x for `turns`."""
        return Ends.of(Ball(self.x).cos(turns)) if self.x.is_finite() else Ends(arb(-1), arb(1))

    def sin(self, turns: bool = False) -> Ends:
        """The sine of x, or of pi x for `turns`."""
        return Ends.of(Ball(self.x).sin(turns)) if self.x.is_finite() else Ends(arb(-1), arb(1))

    def floor(self) -> Ends:
        """The greatest integer not above the number."""
        return Ends(*(end.floor() if end.is_finite() else end for end in (self.lo, self.hi)))

    def log_matern(self, p: fmpq) -> Ends:
        """log x^p K_p(x), which falls."""
        return self._falling(lambda end: end.log_matern(p), arb.neg_inf())

    def log_erfc(self) -> Ends:
        """log erfc x, which falls."""
        return self._falling(Ball.log_erfc, arb.neg_inf())

    def apply(self, f: Any) -> Ends:
        """A special function's value."""
        if not self.hi.is_finite() and f.rises_from is not None and self.lo >= f.rises_from:
            return Ends(f.value(Ball(self.lo)).x, arb.pos_inf())
        return Ends.of(Ball(self.x).apply(f))

    def _rising(self, function: Callable[[Ball], Ball]) -> Ends:
        return Ends(function(Ball(self.lo)).x, function(Ball(self.hi)).x)

    def _falling(self, function: Callable[[Ball], Ball], least: arb | None = None) -> Ends:
        low = function(Ball(self.hi)).x if least is None or self.hi.is_finite() else least
        return Ends(low, function(Ball(self.lo)).x)


def _product(a: arb, b: arb) -> arb:
    """The product of two ends; 0 times an infinite one is 0, which is no point of the interval."""
    return arb(0) if a.is_zero() or b.is_zero() else a * b
