"""Increments and their slopes over one box, on four balls at once.

`Shift(Slope(u, v), Slope(c, d))` over balls is what the supremum is bounded with, box after box.  The
rules here are those of the two pairs put into one another, without the objects between; whatever has
no rule of its own goes back to the pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, positive, signed
from dpverify.enclosures.pairs import Shift, Slope

Head = tuple[arb, arb]
ZERO = arb(0)


class Swept(Shift):
    """u and its slopes v (the head), the increment c of u and its slopes d, over one box.

    The head may be given as a function without arguments, as in a `Shift`.
    """

    __slots__ = ("_head", "c", "d")

    def __init__(self, head: Head | Callable[[], Head], c: arb, d: arb) -> None:
        self._head, self.c, self.d = head, c, d

    @property
    def head(self) -> Head:
        """The value and its slope at the head, computed when they are first asked for."""
        if callable(self._head):
            self._head = self._head()
        return self._head

    @property
    def u(self) -> Slope:  # type: ignore[override]
        """The head, as a function with its slope."""
        u, v = self.head
        return Slope(Ball(u), Ball(v))

    @property
    def du(self) -> Slope:  # type: ignore[override]
        """What the shift adds, with its slope."""
        return Slope(Ball(self.c), Ball(self.d))

    def const(self, value: Any) -> Swept:
        """A constant, on the same chart or box."""
        return Swept((arb(value), ZERO), ZERO, ZERO)

    def __neg__(self) -> Swept:
        return Swept(lambda: _negative(self.head), -self.c, -self.d)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Swept):
            return Swept(lambda: _sum(self.head, other.head), self.c + other.c, self.d + other.d)
        if isinstance(other, Slope):
            return super().__add__(other)
        return Swept(lambda: (self.head[0] + _number(other), self.head[1]), self.c, self.d)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Swept):
            (u, v), (p, q) = self.head, other.head
            ahead, slopes_ahead = p + other.c, q + other.d
            c = self.c * ahead + u * other.c
            d = self.d * ahead + self.c * slopes_ahead + v * other.c + u * other.d
            return Swept(lambda: (u * p, v * p + u * q), c, d)
        if isinstance(other, Slope):
            return super().__mul__(other)
        x = _number(other)
        return Swept(lambda: _times(self.head, x), self.c * x, self.d * x)

    def inverse(self) -> Any:
        """1 over the function; raises Undecided where it may be 0."""
        (u, v), (i, j) = self.head, self._reciprocal()
        ahead = 1 / signed(u + self.c)
        slopes_ahead = -((v + self.d) * ahead * ahead)
        c, d = self.c * i, self.d * i + self.c * j
        return Swept((i, j), -(c * ahead), -(d * ahead + c * slopes_ahead))

    def _reciprocal(self) -> Head:
        u, v = self.head
        i = 1 / signed(u)
        return i, -(v * i * i)

    def _ratio(self) -> Head:
        """u(r + h) / u(r) and its slopes."""
        i, j = self._reciprocal()
        return self.c * i + 1, self.d * i + self.c * j

    def exp(self) -> Any:
        """The exponential."""
        (u, v), rise = self.head, self.c.exp()
        e = u.exp()
        slopes = e * v
        return Swept((e, slopes), e * (rise - 1), slopes * (rise - 1) + e * (rise * self.d))

    def log(self) -> Any:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        ratio, slopes = self._ratio()
        return Swept(self._log_head, positive(ratio).log(), slopes / ratio)

    def _log_head(self) -> Head:
        u, v = self.head
        return positive(u).log(), v / u

    def power(self, p: fmpq) -> Any:
        """The p-th power, p rational."""
        if p.q == 1 and 0 < p <= 8:
            result: Any = self
            for _ in range(int(p) - 1):
                result = result * self
            return result
        if p > 0 and self.head[0].is_zero() and self.head[1].is_zero():
            return Swept(self.head, *(self.du.power(p) if self.c.is_zero() else _power((self.c, self.d), p)))
        u, v = _power(self.head, p)
        ratio, slopes = _power(self._ratio(), p)
        return Swept((u, v), u * (ratio - 1), v * (ratio - 1) + u * slopes)


def _negative(a: Head) -> Head:
    return -a[0], -a[1]


def _sum(a: Head, b: Head) -> Head:
    return a[0] + b[0], a[1] + b[1]


def _times(a: Head, x: Any) -> Head:
    return a[0] * x, a[1] * x


def _power(a: Head, p: fmpq) -> Head:
    u = Ball(a[0])
    return u.power(p).x, u.power(p - 1).x * a[1] * p


def _number(value: Any) -> Any:
    return value.x if isinstance(value, Ball) else value
