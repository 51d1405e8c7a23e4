"""Increments: a function together with its exact increment over a shift, and losses by these."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, ROUGH, ZERO, Interval, hull, interval, meet, product_of
from ..rules import BROUGHT, Rejected, brought, rule
from .charts import Problem, radii
from .models import CONSTANT, Model
from .rings import Ring
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .models import Germ


class Shift(Slope):
    """(u, du): u at r and its increment du = u(r + h) - u(r); nothing is linearised.  u may be
    given as a function without arguments, computed only if it is ever asked for."""

    __slots__ = ("_u",)

    def __init__(self, u: Interval | Ring | Callable[[], Interval | Ring],
                 du: Interval | Ring) -> None:
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
        if isinstance(self.du, Model) and grows_unsteadily(self.du):
            return brought("an exponential from both sides")(e, self.ahead())  # type: ignore
        return Shift(e, e * (self.du.exp() - 1))

    def log(self) -> Shift:
        return Shift(lambda: self.u.log(), (self.du * self.u.inverse() + 1).log())

    def power(self, p: Fraction) -> Shift:
        if p.denominator == 1 and 0 < p <= 8:
            return product_of([self] * int(p))
        if p > 0 and self.u.sign() == 0:
            return brought("a power of what is 0 here")(self, p)  # type: ignore[no-any-return]
        u = self.u.power(p)
        return Shift(u, u * ((self.du * self.u.inverse() + 1).power(p) - 1))

    def sign(self) -> int | None:
        raise Rejected("the sign of a function and of its shift are two questions")

    def sides(self) -> tuple[Any, Any]:
        return self.u, self.ahead()

    def of_sides(self, here: Any, there: Any) -> Shift:
        """What is one thing here and another ahead."""
        return Shift(here, there - here)

    def largest(self, here: Any, there: Any, steps: list[Any]) -> Shift:
        """The largest of several that have these increments, here and ahead."""
        return Shift(here, there - here)


@rule("K17")
def with_shift(r: Any, h: Any) -> Shift:
    """A function together with its increment.

    Lemma.  The increments du = u(r + h) - u(r) obey d(u + v) = du + dv, d(u v) = du v(r + h) +
    u dv, d(1/u) = -du / (u u(r + h)), d(e^u) = e^u (e^du - 1), d(log u) = log(1 + du/u), exactly;
    so what is common to g(r + h) and g(r) cancels before anything is rounded.
    """
    return Shift(r, h)


def grows_unsteadily(du: Model) -> bool:
    """Whether du grows, up to a factor that is not known exactly and may be 0 or positive."""
    inexact = [m for m, c in du.terms.items() if m > CONSTANT and not isinstance(c, Fraction)]
    return bool(inexact) and du.bracket()[1].hi >= 0


def far_shift(p: Problem, germ: Germ, h: Fraction | Interval) -> Model:
    """phi_h on the germ."""
    r = germ.radius()
    return -p.log_f(p.at_infinity(with_shift(r, r.const(h)))).du


def loss(p: Problem, a: Fraction, b: Fraction, h: Fraction, above: bool) -> Interval:
    """phi_h on the open box (a, b), where `above` says that its upper bound alone counts."""
    shift = interval(h)
    r = with_shift(radii(a, b), Slope(shift, ZERO))
    whole = -p.log_f(p.at_box(r, (a, b), h)).du
    at = lambda c: -p.log_f(p.at_box(Shift(c, shift))).du  # noqa: E731
    return mean_value(whole, a, b, at, highest(whole.du) if above else Fraction(1, 2))


@rule("K18")
def mean_value(whole: Slope, a: Fraction, b: Fraction, at: Callable[[Interval], Interval],
               share: Fraction = Fraction(1, 2)) -> Interval:
    """Bounds on (a, b) from the value at one radius and the slopes, and from the whole box.

    Lemma.  If every difference quotient of u on [a, b] lies in D, and c is in (a, b), then
    u(r) - u(c) lies in D [a - c, b - c]; and what lies in two intervals lies in their intersection.
    """
    if not whole.du.finite():
        return whole.u
    left, right = (a - b) * share, (b - a) * (1 - share)
    reach = whole.du * hull(interval(left), interval(right))
    return meet(whole.u, at(interval(a - left)) + reach)


def highest(slopes: Interval) -> Fraction:
    """From which share of a box the mean value form bounds from above the closest (Baumann 1988):
    where it promises as much to the left as to the right; in 64ths, none of them an end."""
    if not slopes.finite() or slopes.lo == slopes.hi == 0:
        return Fraction(1, 2)
    up, down = max(D0, slopes.hi), max(D0, slopes.lo.copy_negate())
    part = int(64 * ROUGH.divide(up, ROUGH.add(up, down)))
    return Fraction(min(63, max(1, part + (part < 32))), 64)


def limit_at_zero(p: Problem) -> Interval:
    """phi_delta(0+) = g(delta) - g(0+), the first from the right."""
    ahead = p.on_box(p.delta, p.delta + p.delta / 10**40).u
    return p.near_zero().u.limit() - ahead


BROUGHT.update({"increments far out": far_shift, "increments on a box": loss})
