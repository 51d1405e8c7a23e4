"""Pairs: a function together with its slopes, or with its exact increment, over any ring.

Slopes enclose every difference quotient (u(s) - u(t)) / (s - t), so they bound change whether or
not u is smooth.
"""

from __future__ import annotations

from fractions import Fraction

from .intervals import Ring, product_of
from .rules import Rejected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .intervals import Coefficient


class Slope(Ring):
    """K16.  (u, du): u on a box or an end, and du enclosing its slopes there."""

    __slots__ = ("du", "u")

    u: Any
    du: Any

    def __init__(self, u: Ring, du: Ring) -> None:
        self.u, self.du = u, du

    def const(self, value: Coefficient) -> Any:
        return type(self)(self.u.const(value), self.u.const(0))

    def __neg__(self) -> Any:
        return type(self)(-self.u, -self.du)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Slope):
            return Slope(self.u + other, self.du)
        return Slope(self.u + other.u, self.du + other.du)

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Slope):
            return Slope(self.u * other, self.du * other)
        return Slope(self.u * other.u, self.du * other.u + self.u * other.du)

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

    def sign(self) -> int | None:
        return self.u.sign()

    def monotone(self) -> bool:
        """Whether u is strictly monotone."""
        return self.du.sign() in (1, -1)


class Shift(Slope):
    """K17.  (u, du): u at r and its increment du = u(r + h) - u(r); nothing is linearised.

    u may be given as a function without arguments, computed only if it is ever asked for.
    """

    __slots__ = ("_u",)

    def __init__(self, u: Ring | Callable[[], Ring], du: Ring) -> None:
        self._u, self.du = u, du

    @property
    def u(self) -> Any:  # type: ignore[override]
        if callable(self._u):
            self._u = self._u()
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

    def sign(self) -> int | None:
        raise Rejected("the sign of a function and of its shift are two questions")


def sides(element: Any) -> tuple[Any, Any]:
    """An element where r is, and where r + h is: the same, unless there is a shift."""
    if isinstance(element, Shift):
        return element.u, element.ahead()
    return element, element


def innermost(element: Any) -> Any:
    """The interval or model that a pair, or a pair of pairs, is about."""
    while isinstance(element, Slope):
        element = element.u
    return element
