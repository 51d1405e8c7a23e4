"""The pairs over balls, on the balls themselves: what is evaluated box after box, and radius after radius.

`OnBox` is a `Slope`, `AtRadius` a `Shift`, and `Swept` a `Shift` of slopes. Their rules are those of the pairs, put
into one another without the objects between; whatever has no rule of its own goes back to the pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, positive, signed
from dpverify.enclosures.pairs import Shift, Slope

ZERO, ONE = arb(0), arb(1)


class OnBox(Slope):
    """u, and its slopes v, over one box."""

    __slots__ = ("v", "x")

    def __init__(self, x: arb, v: arb) -> None:
        self.x, self.v = x, v

    @classmethod
    def radius(cls, x: arb) -> OnBox:
        """The radii of a box."""
        return cls(x, ONE)

    @property
    def u(self) -> Ball:  # type: ignore[override]
        """The function's values."""
        return Ball(self.x)

    @property
    def du(self) -> Ball:  # type: ignore[override]
        """Its slopes."""
        return Ball(self.v)

    def const(self, value: Any) -> OnBox:
        """A constant, on the same box."""
        return OnBox(arb(value), ZERO)

    def __neg__(self) -> OnBox:
        return OnBox(-self.x, -self.v)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, OnBox):
            return OnBox(self.x + other.x, self.v + other.v)
        return Slope(self.u, self.du) + other if isinstance(other, Slope) else OnBox(self.x + _number(other), self.v)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, OnBox):
            return OnBox(self.x * other.x, self.v * other.x + self.x * other.v)
        if isinstance(other, Slope):
            return super().__mul__(other)
        k = _number(other)
        return OnBox(self.x * k, self.v * k)

    def inverse(self) -> OnBox:
        """1 over the function; raises Undecided where it may be 0."""
        i = 1 / signed(self.x)
        return OnBox(i, -(self.v * i * i))

    def exp(self) -> OnBox:
        """The exponential."""
        e = self.x.exp()
        return OnBox(e, e * self.v)

    def log(self) -> OnBox:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        x = positive(self.x)
        return OnBox(x.log() if self.v.is_finite() else Ball(x).log_from_ends().x, self.v * (1 / x))

    def softplus(self, sign: int) -> OnBox:
        """log(1 + sign * exp(u))."""
        u = Ball(self.x)
        return OnBox(u.softplus(sign).x, u.logistic(sign).x * self.v)

    def power(self, p: fmpq) -> OnBox:
        """The p-th power, p rational."""
        if p == 1 or (self.x.is_zero() and self.v.is_zero() and p > 0):
            return self
        u = Ball(self.x)
        return OnBox(u.power(p).x, u.power(p - 1).x * self.v * p)


class AtRadius(Shift):
    """u at one radius, and its increment c.  u may be given as a function without arguments, as in a `Shift`."""

    __slots__ = ("_x", "c")

    def __init__(self, x: arb | Callable[[], arb], c: arb) -> None:
        self._x, self.c = x, c

    @property
    def x(self) -> arb:
        """The value, computed when it is first asked for."""
        if callable(self._x):
            self._x = self._x()
        return self._x

    @property
    def u(self) -> Ball:  # type: ignore[override]
        """The value."""
        return Ball(self.x)

    @property
    def du(self) -> Ball:  # type: ignore[override]
        """What the shift adds."""
        return Ball(self.c)

    def const(self, value: Any) -> AtRadius:
        """A constant."""
        return AtRadius(arb(value), ZERO)

    def __neg__(self) -> AtRadius:
        return AtRadius(lambda: -self.x, -self.c)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, AtRadius):
            return AtRadius(lambda: self.x + other.x, self.c + other.c)
        return super().__add__(other) if isinstance(other, Shift) else AtRadius(lambda: self.x + _number(other), self.c)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, AtRadius):
            x, y = self.x, other.x
            return AtRadius(lambda: x * y, self.c * (y + other.c) + x * other.c)
        if isinstance(other, Shift):
            return super().__mul__(other)
        k = _number(other)
        return AtRadius(lambda: self.x * k, self.c * k)

    def inverse(self) -> AtRadius:
        """1 over the function; raises Undecided where it may be 0."""
        i, ahead = 1 / signed(self.x), 1 / signed(self.x + self.c)
        return AtRadius(i, -(self.c * i * ahead))

    def _ratio(self) -> arb:
        """u(r + h) / u(r)."""
        return self.c * (1 / signed(self.x)) + 1

    def exp(self) -> AtRadius:
        """The exponential."""
        e = self.x.exp()
        return AtRadius(e, e * (self.c.exp() - 1))

    def log(self) -> AtRadius:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        return AtRadius(lambda: positive(self.x).log(), positive(self._ratio()).log())

    def power(self, p: fmpq) -> Any:
        """The p-th power, p rational."""
        if n := _small(p):
            return _repeated(self, n)
        if self.x.is_zero() and p > 0:
            return super().power(p)
        u = Ball(self.x).power(p).x
        return AtRadius(u, u * (Ball(self._ratio()).power(p).x - 1))


class Swept(Shift):
    """u and its slopes (the head), the increment c of u and its slopes d, over one box.

    The head may be given as a function without arguments, as in a `Shift`.
    """

    __slots__ = ("_head", "c", "d")

    def __init__(self, head: OnBox | Callable[[], OnBox], c: arb, d: arb) -> None:
        self._head, self.c, self.d = head, c, d

    @property
    def u(self) -> OnBox:  # type: ignore[override]
        """The function with its slopes, computed when it is first asked for."""
        if callable(self._head):
            self._head = self._head()
        return self._head

    @property
    def du(self) -> OnBox:  # type: ignore[override]
        """What the shift adds, with its slopes."""
        return OnBox(self.c, self.d)

    def const(self, value: Any) -> Swept:
        """A constant, on the same box."""
        return Swept(OnBox(arb(value), ZERO), ZERO, ZERO)

    def __neg__(self) -> Swept:
        return Swept(lambda: -self.u, -self.c, -self.d)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Swept):
            return Swept(lambda: self.u + other.u, self.c + other.c, self.d + other.d)
        return super().__add__(other) if isinstance(other, Slope) else Swept(lambda: self.u + other, self.c, self.d)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Swept):
            here, there = self.u, other.u
            ahead, slopes_ahead = there.x + other.c, there.v + other.d
            c = self.c * ahead + here.x * other.c
            d = self.d * ahead + self.c * slopes_ahead + here.v * other.c + here.x * other.d
            return Swept(lambda: here * there, c, d)
        if isinstance(other, Slope):
            return super().__mul__(other)
        k = _number(other)
        return Swept(lambda: self.u * k, self.c * k, self.d * k)

    def inverse(self) -> Any:
        """1 over the function; raises Undecided where it may be 0."""
        here = self.u
        i = here.inverse()
        ahead = 1 / signed(here.x + self.c)
        slopes_ahead = -((here.v + self.d) * ahead * ahead)
        c, d = self.c * i.x, self.d * i.x + self.c * i.v
        return Swept(i, -(c * ahead), -(d * ahead + c * slopes_ahead))

    def _ratio(self) -> OnBox:
        """u(r + h) / u(r) and its slopes."""
        i = self.u.inverse()
        return OnBox(self.c * i.x + 1, self.d * i.x + self.c * i.v)

    def exp(self) -> Any:
        """The exponential."""
        e, rise = self.u.exp(), self.c.exp()
        return Swept(e, e.x * (rise - 1), e.v * (rise - 1) + e.x * (rise * self.d))

    def log(self) -> Any:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        ratio = self._ratio()
        return Swept(self._log_here, positive(ratio.x).log(), ratio.v / ratio.x)

    def _log_here(self) -> OnBox:
        here = self.u
        return OnBox(positive(here.x).log(), here.v / here.x)

    def power(self, p: fmpq) -> Any:
        """The p-th power, p rational."""
        if n := _small(p):
            return _repeated(self, n)
        if self.u.x.is_zero() and self.u.v.is_zero() and p > 0:
            rise = self.du.power(p)
            return Swept(self.u, rise.x, rise.v)
        here, ratio = self.u.power(p), self._ratio().power(p)
        return Swept(here, here.x * (ratio.x - 1), here.v * (ratio.x - 1) + here.x * ratio.v)


def _small(p: fmpq) -> int:
    """p where it is a small whole number, of which the power is a product; else 0."""
    return n if p.q == 1 and 0 < (n := int(p)) <= 8 else 0


def _repeated(factor: Any, n: int) -> Any:
    result = factor
    for _ in range(n - 1):
        result = result * factor
    return result


def _number(value: Any) -> arb:
    return value.x if isinstance(value, Ball) else arb(value)
