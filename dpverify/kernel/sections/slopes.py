"""A function with enclosures of its difference quotients, which bound change, smooth or not."""

from __future__ import annotations

from fractions import Fraction

from ..rules import rule
from .rings import Ring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..intervals import Coefficient, Interval


class Slope(Ring):
    """(u, du): u on a box or an end, and du enclosing its slopes there."""

    __slots__ = ("du", "u")

    u: Any
    du: Any

    def __init__(self, u: Interval | Ring, du: Interval | Ring) -> None:
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
        nothing = getattr(self.u, "terms", None) == getattr(self.du, "terms", None) == {}
        if p == 1 or (p > 0 and nothing):  # a model that is 0: 0^p = 0, whose slope is 0 too
            return self
        return Slope(self.u.power(p), self.u.power(p - 1) * self.du * p)

    def sign(self) -> int | None:
        return self.u.sign()

    def sides(self) -> tuple[Any, Any]:
        return self, self

    def monotone(self) -> bool:
        """Whether u is strictly monotone."""
        return self.du.sign() in (1, -1)


def sides(element: Any) -> tuple[Any, Any]:
    """An element where r is, and where r + h is: the same, unless there is a shift."""
    return element.sides() if isinstance(element, Slope) else (element, element)


def innermost(element: Any) -> Any:
    """The interval or model that a pair, or a pair of pairs, is about."""
    while isinstance(element, Slope):
        element = element.u
    return element


@rule("K16")
def with_slope(r: Any) -> Slope:
    """A function together with its slopes.

    Lemma.  The difference quotients of u + v, u v, 1/u, e^u, log u, u^p ... lie in what the rules
    of the derivative give when u, v and their slopes run through their enclosures: for smooth
    outer functions by the mean value theorem, for products by u(s)v(s) - u(t)v(t) =
    (u(s) - u(t)) v(s) + u(t) (v(s) - v(t)).
    """
    return Slope(r, r.const(1))
