"""Pairs: a function together with its slopes (`Slope`) or with its exact increment (`Shift`).

Both are rings over a ring, so they nest and they work on boxes and on asymptotic models alike.
Slopes enclose every difference quotient (u(s) - u(t)) / (s - t), which bounds change whether or
not u is smooth; an increment u(r + h) - u(r) is propagated without subtracting two values, so
whatever should cancel does, and a tiny h costs no accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, Undecided, lower_end, meet, upper_end
from dpverify.findings import Reason

EVERYTHING = arb(0, arb.pos_inf())
HARDLY = 4
"""A square of a shift that is so much shorter than the box is short beside it: slopes hardly vary over the shift."""


class Slope:
    """(u, du): u, and an enclosure du of its slopes, over one box or one end of the half-line."""

    __slots__ = ("du", "u")

    def __init__(self, u: Any, du: Any) -> None:
        self.u, self.du = u, du

    def const(self, value: Any) -> Self:
        """A constant, on the same chart or box."""
        return type(self)(self.u.const(value), self.u.const(0))

    def _lift(self, other: Any) -> Any:
        return other if isinstance(other, Slope) else self.const(other)

    def __neg__(self) -> Self:
        return type(self)(-self.u, -self.du)

    def __add__(self, other: Any) -> Self:
        other = self._lift(other)
        return type(self)(self.u + other.u, self.du + other.du)

    def __sub__(self, other: Any) -> Self:
        return self + -self._lift(other)

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Slope):
            return type(self)(self.u * other, self.du * other)
        return Slope(self.u * other.u, self.du * other.u + self.u * other.du)

    def not_negative(self) -> Slope:
        """The same of a function that is not negative; an increment stays as it is."""
        return self if isinstance(self, Shift) else Slope(self.u.not_negative(), self.du)

    def inverse(self) -> Any:
        """1 over the function; raises Undecided where it may be 0."""
        inverse = self.u.inverse()
        return Slope(inverse, -(self.du * inverse * inverse))

    def exp(self) -> Any:
        """The exponential."""
        exp = self.u.exp()
        return Slope(exp, exp * self.du)

    def log(self) -> Any:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        log = self.u.log_from_ends() if self._jumps() else self.u.log()
        return Slope(log, self.du * self.u.inverse())

    def _jumps(self) -> bool:
        """Whether u may jump in the box, so that no halving makes it narrow."""
        return isinstance(self.u, Ball) and isinstance(self.du, Ball) and not self.du.x.is_finite()

    def power(self, p: fmpq) -> Any:
        """The p-th power, p rational."""
        if p == 1 or (p > 0 and self.u.sign() == 0 and self.du.sign() == 0):
            return self  # 0^p = 0, whose slope is 0 too
        return Slope(self.u.power(p), self.u.power(p - 1) * self.du * p)

    def softplus(self, sign: int) -> Any:
        """log(1 + sign * exp(u))."""
        return Slope(self.u.softplus(sign), self.u.logistic(sign) * self.du)

    def logistic(self, sign: int) -> Any:
        """The derivative of softplus."""
        value = self.u.logistic(sign)
        return Slope(value, value * (-value + 1) * self.du)

    def cos(self, turns: bool = False) -> Any:
        """The cosine of u, or of pi u for `turns`."""
        du = self.du * arb.pi() if turns else self.du
        return Slope(self.u.cos(turns), -(self.u.sin(turns) * du))

    def sin(self, turns: bool = False) -> Any:
        """The sine of u, or of pi u for `turns`."""
        du = self.du * arb.pi() if turns else self.du
        return Slope(self.u.sin(turns), self.u.cos(turns) * du)

    def strictly_monotone(self) -> bool:
        """Whether the slope has one sign, other than 0."""
        return isinstance(self.du, Ball) and self.du.sign() in (1, -1)

    def log_matern(self, p: fmpq) -> Any:
        """log u^p K_p(u), whose derivative in u is -K_(p-1)/K_p (DLMF 10.29.4)."""
        return Slope(self.u.log_matern(p), -(self.u.besselk_ratio(p) * self.du))

    def log_erfc_beside_square(self) -> Any:
        """log erfc(u) + u^2 where u is a model that grows, else None."""
        value = None if isinstance(self.u, (Ball, Slope)) else self.u.log_erfc_beside_square()
        return None if value is None else Slope(value, self.u.slope_beside_square() * self.du)

    def log_erfc(self) -> Any:
        """log erfc(u)."""
        return Slope(self.u.log_erfc(), -(self.u.erfc_hazard() * self.du))

    def apply(self, f: Any) -> Any:
        """A special function's value, whose slope is its own times the argument's."""
        return Slope(self.u.apply(f), self.u.slope_of(f) * self.du)

    def besselk_ratio(self, p: fmpq) -> Any:
        """K_(p-1)/K_p over balls, minus the slope of log u^p K_p(u)."""
        return Slope(self.u.besselk_ratio(p), -(self.u.log_matern_bend(p) * self.du))

    def erfc_hazard(self) -> Any:
        """-(log erfc)' over balls."""
        return Slope(self.u.erfc_hazard(), -(self.u.log_erfc_bend() * self.du))

    def sign(self) -> int | None:
        """1, -1 or 0 where the function has that sign everywhere, else None."""
        return self.u.sign()  # type: ignore[no-any-return]

    def floor(self) -> Any:
        """The greatest integer not above the function."""
        if not isinstance(self.u, Ball):
            whole = self.u.whole()
            steady = whole is not None and whole[0] == whole[1]
            return Slope(self.u.floor(), self.u.const(0 if steady else EVERYTHING))
        span = self.u.span()
        low, high = lower_end(span.x).floor(), upper_end(span.x).floor()
        if low == high:
            return self.const(low)
        return Slope(self.u.floor(), self.u.const(EVERYTHING))

    def whole(self) -> Any:
        """The least and the greatest integer that floor(u) can be, where a model says so."""
        return None if isinstance(self.u, Ball) else self.u.whole()

    def hull(self, other: Slope, jumps: bool) -> Slope:
        """Either of two functions; where a jump lies between them, nothing is known of the slopes."""
        du = self.u.const(EVERYTHING) if jumps else self.du.hull(other.du)
        return Slope(self.u.hull(other.u), du)


class Shift(Slope):
    """(u, du): u at r, and its exact increment du = u(r + h) - u(r); nothing is linearised.

    Where only the increment is wanted, as of log f at the end, u is never computed: it may be
    given as a function without arguments.
    """

    __slots__ = ("_u",)

    def __init__(self, u: Any, du: Any) -> None:
        self._u, self.du = u, du

    @property
    def u(self) -> Any:  # type: ignore[override]
        """The value at r, computed when it is first asked for."""
        if callable(self._u):
            self._u = self._u()
        return self._u

    def ahead(self) -> Any:
        """The value at r + h."""
        return self.u + self.du

    def of_sides(self, here: Any, there: Any) -> Shift:
        """What is one thing here and another ahead."""
        return Shift(here, there - here)

    def largest(self, here: Any, there: Any, steps: Sequence[Any]) -> Shift:
        """The largest of several that have these increments, here and ahead."""
        return Shift(here, there - here)

    def const(self, value: Any) -> Shift:
        """A constant, on the same chart or box."""
        u = self.u.const(value)
        return Shift(u, u.const(0))

    def __neg__(self) -> Shift:
        return Shift(lambda: -self.u, -self.du)

    def __add__(self, other: Any) -> Shift:
        if not isinstance(other, Shift):
            return Shift(lambda: self.u + other, self.du)
        return Shift(lambda: self.u + other.u, self.du + other.du)

    def __sub__(self, other: Any) -> Shift:
        if not isinstance(other, Shift):
            return Shift(lambda: self.u - other, self.du)
        return Shift(lambda: self.u - other.u, self.du - other.du)

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Shift):
            return Shift(lambda: self.u * other, self.du * other)
        return Shift(lambda: self.u * other.u, self.du * other.ahead() + self.u * other.du)

    def inverse(self) -> Shift:
        """1 over the function; raises Undecided where it may be 0."""
        inverse = self.u.inverse()
        return Shift(inverse, -(self.du * inverse * self.ahead().inverse()))

    def exp(self) -> Shift:
        """The exponential; from both sides where the increment grows at what may be no rate at all."""
        exp = self.u.exp()
        try:
            return Shift(exp, exp * (self.du.exp() - 1))
        except Undecided:
            if isinstance(self.du, (Ball, Slope)):
                raise
        return Shift(exp, self.ahead().exp() - exp)

    def log(self) -> Shift:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        return Shift(lambda: self.u.log(), (self.du * self.u.inverse() + 1).log())

    def power(self, p: fmpq) -> Shift:
        """The p-th power, p rational."""
        if p.q == 1 and 0 < p <= 8:
            result = self
            for _ in range(int(p) - 1):
                result = result * self
            return result
        if p > 0 and self.u.sign() == 0:
            return Shift(self.u, self.du.power(p))
        u = self.u.power(p)
        return Shift(u, u * ((self.du * self.u.inverse() + 1).power(p) - 1))

    def softplus(self, sign: int) -> Shift:
        """log(1 + sign * exp(u))."""
        weight = self.u.logistic(sign)
        ratio = weight * (self.du.exp() - 1) + 1
        value = ratio.u if isinstance(ratio, Slope) else ratio
        if sign > 0 and isinstance(value, Ball) and not value.x > 0.5:
            ratio = (-self.u).logistic(1) + weight * self.du.exp()
        return Shift(lambda: self.u.softplus(sign), ratio.log())

    def logistic(self, sign: int) -> Shift:
        """The derivative of softplus."""
        raise Undecided(Reason.INCREMENT_NOT_NEEDED())

    def cos(self, turns: bool = False) -> Shift:
        """The cosine of u, or of pi u for `turns`."""
        half = self.du * fmpq(1, 2)
        return Shift(lambda: self.u.cos(turns), (self.u + half).sin(turns) * half.sin(turns) * -2)

    def sin(self, turns: bool = False) -> Shift:
        """The sine of u, or of pi u for `turns`."""
        half = self.du * fmpq(1, 2)
        return Shift(lambda: self.u.sin(turns), (self.u + half).cos(turns) * half.sin(turns) * 2)

    def log_matern(self, p: fmpq) -> Shift:
        """log(u^p K_p(u))."""
        if not isinstance(self.u, (Ball, Slope)) and self.u.grows() and self.du.sign() == 1:
            return self.u.large_log_matern(p, self)  # type: ignore[no-any-return]
        near = _short_increment(self, lambda x: -x.besselk_ratio(p), lambda x: x.log_matern_bend(p))
        if near is not None:
            return Shift(lambda: self.u.log_matern(p), near)
        log = self.u.log_matern(p)
        return Shift(log, self.ahead().log_matern(p) - log)

    def log_erfc_beside_square(self) -> Any:
        """log erfc(u) + u^2 where u is a model that grows, else None."""
        far = not isinstance(self.u, (Ball, Slope)) and self.u.grows() and self.du.sign() == 1
        return self.u.shift_beside_square(self) if far else None

    def log_erfc(self) -> Shift:
        """log erfc(u)."""
        if not isinstance(self.u, (Ball, Slope)) and self.u.grows() and self.du.sign() == 1:
            return self.u.large_log_erfc(self)  # type: ignore[no-any-return]
        near = _short_increment(self, lambda x: -x.erfc_hazard(), Ball.log_erfc_bend)
        if near is not None:
            return Shift(lambda: self.u.log_erfc(), near)
        log = self.u.log_erfc()
        return Shift(log, self.ahead().log_erfc() - log)

    def apply(self, f: Any) -> Shift:
        """A special function's increment: its own rule, or by its slopes, or the difference of its values."""
        u, ahead = self.u, self.ahead()
        exact = f.increment(u, self.du)
        if exact is not None:
            return Shift(lambda: u.apply(f), exact)
        if isinstance(u, Slope) and not isinstance(u.u, Ball):
            steps = Shift(u.u, self.du.u).apply(f).du
            return Shift(u.apply(f), Slope(steps, ahead.u.slope_of(f) * ahead.du - u.u.slope_of(f) * u.du))
        if isinstance(u, (Ball, Slope)):
            near = _short_increment(self, f.slope, f.bend)
            if near is not None:
                return Shift(lambda: u.apply(f), near)
            value = u.apply(f)
            return Shift(value, ahead.apply(f) - value)
        if u.grows() and self.du.sign() == 1:
            far = f.large(self)
            if far is not None:
                return far  # type: ignore[no-any-return]
        return Shift(lambda: u.apply(f), self.du * u.slope_of(f).hull(ahead.slope_of(f)))

    def sign(self) -> int | None:
        """1, -1 or 0 where the function has that sign everywhere, else None."""
        raise Undecided(Reason.SIGN_OF_PAIR())

    def floor(self) -> Shift:
        """The greatest integer not above the function: floor(u + v) - floor(u) is floor(v) or one more."""
        base, ahead = self.u.floor(), self.ahead()
        if isinstance(base, Ball):
            return Shift(base, Ball(meet((ahead.floor() - base).x, _steps(self.du.x))))
        here, there = self.u.whole(), ahead.whole()
        if isinstance(base, Slope):
            if here is not None and there is not None and here[0] == here[1] and there[0] == there[1]:
                return Shift(base, base.const(there[0] - here[0]))
            step = ahead.floor() - base
            if isinstance(step.u, Ball):
                height = Ball(meet(step.u.x, _steps(self.du.u.x)))
                step = Slope(height, height.const(0) if height.x.is_exact() else step.du)
            return Shift(base, step)
        if here is not None and there is not None:
            low, high = arb(there[0] - here[1]), arb(there[1] - here[0])
            return Shift(base, base.const(_between(low, high)))
        span = self.du.span().x
        return Shift(base, base.const(_steps(span)) if span.is_finite() else self.du + arb(0, 1))


def _steps(v: arb) -> arb:
    """floor(v) and one more, unless v is whole."""
    return _between(lower_end(v).floor(), upper_end(v).ceil()) if v.is_finite() else EVERYTHING


def _between(low: arb, high: arb) -> arb:
    return low if low == high else arb((low + high) / 2, (high - low) / 2)


def _short_increment(x: Shift, slope: Callable[[Ball], Ball], bend: Callable[[Ball], Ball | None]) -> Any:
    """F(u + du) - F(u) by F' and F'', over balls and their slopes, where du, or its square, is short; or None.

    F(v) - F(u) = du F'(s); its slopes lie in v' F''(s) du + F'(u) du'.
    """
    u, du = x.u, x.du
    here, step = (u.u, du.u) if isinstance(u, Slope) else (u, du)
    if not (isinstance(here, Ball) and isinstance(step, Ball)):
        return None
    most, width = step.x.abs_upper(), here.x.rad()
    if not (step.x.is_finite() and (most <= width or HARDLY * most * most <= width)):
        return None
    both = here.hull(here + step)
    try:
        steps = step * slope(both)
        if not isinstance(u, Slope):
            return steps
        curved = bend(both)
        if curved is None:
            return None
        return Slope(steps, (u.du + du.du) * curved * step + slope(here) * du.du)
    except Undecided:
        return None


def sides(element: Any) -> tuple[Any, Any]:
    """An element where r is, and where r + h is: the same, unless there is a shift."""
    if isinstance(element, Shift):
        return element.u, element.ahead()
    return element, element
