"""Smooth functions of one argument over every ring, from what they are on intervals and far out.

A section brings a subclass of Smooth for each of its functions F; the ways to a model, a slope or
an increment of F(u) are the same for all.
"""

from __future__ import annotations

from decimal import Decimal

from ..intervals import D0, INF, SIGNED_UNIT, UNIT, Interval, hull, interval
from ..rules import Rejected, brought, require, rule
from .increments import Shift
from .models import CONSTANT, Model
from .short import short_increment
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction
    from typing import Any


UNKNOWN = "of this function nothing is known where its argument tends to infinity"


class Smooth:
    """F with its derivative F', which is monotone wherever `increment` is not overridden."""

    zeros: tuple[int, ...] = ()
    """Whole numbers at which F is 0."""
    bend: Callable[[Interval], Interval] | None = None
    """F'' on an interval, where it is known."""
    rises_from: int | None = None
    """Where F begins to rise without bound, if it does."""

    riccati: tuple[Fraction | int, ...] = ()
    """a, b, c, e where the slope s of F solves s' = a + b/x + (c + e/x) s - s^2 for x > 0."""
    tilt: tuple[Fraction | int, int] = (0, 0)
    """p, c where each derivative of x^-p e^(F - c x) is then monotone for x > 0 (K373)."""

    def value(self, x: Interval) -> Interval:
        """F on an interval."""
        raise NotImplementedError

    def slope(self, x: Interval) -> Interval:
        """F' on an interval."""
        raise NotImplementedError

    def large(self, x: Any) -> Any:
        """F where x tends to oo, over models and their increments; None if it is told by F'."""
        return None

    def large_slope(self, x: Model) -> Model:
        """F' where x tends to oo."""
        raise Rejected(UNKNOWN)

    def model(self, x: Model) -> Model:
        if not grows(x):
            return tending(self, x)
        far: Model | None = self.large(grown(x))
        if far is None:
            raise Rejected(UNKNOWN)
        return far

    def slope_model(self, x: Model) -> Model:
        return self.large_slope(grown(x)) if grows(x) else x.const(self.slope(x.span()))

    def increment(self, u: Any, ahead: Any, du: Any) -> Any:
        """F(ahead) - F(u) where du = ahead - u, over intervals, models and pairs; or None."""
        return None

    def slopes(self, u: Any) -> Any:
        if isinstance(u, Model):
            return self.slope_model(u)
        require(isinstance(u, Interval), "of this function no slopes of slopes are known")
        return self.slope(u)

    def of(self, x: Any) -> Any:
        """F(x) over any ring."""
        if isinstance(x, Interval):
            beyond = self.rises_from is not None and x.hi == INF
            return self.without_end(x) if beyond else self.value(x)
        if isinstance(x, Model):
            return self.model(x)
        if isinstance(x, Shift):
            return x.through(self.of) if hasattr(x, "through") else self.of_shift(x)
        if type(x) is not Slope:
            return self.along(x)
        return Slope(self.of(x.u), self.slopes(x.u) * x.du)

    @rule("K289")
    def without_end(self, x: Interval) -> Interval:
        """F on an interval that has no upper end.

        Lemma.  log Gamma rises from 2 on, W and log x^-p I_p(x) from 0 on, each without bound.
        """
        rises = self.rises_from is not None and self.rises_from <= x.lo < INF
        require(rises, "a special function is taken of something unbounded")
        return Interval(self.value(Interval(x.lo, x.lo)).lo, INF)

    def along(self, x: Any) -> Any:
        """F along a power series (K150)."""
        require(bool(self.riccati), "of this function no power series is known")
        return brought("a series by the slope's equation")(self, x)

    def of_shift(self, x: Shift) -> Shift:
        u, ahead, du = x.u, x.ahead(), x.du
        own = self.increment(u, ahead, du)
        if own is not None:
            return Shift(lambda: self.of(u), own)
        if isinstance(u, Slope) and isinstance(u.u, Model):
            steps = self.of_shift(Shift(u.u, du.u)).du
            slopes = self.slopes(ahead.u) * ahead.du - self.slopes(u.u) * u.du
            return Shift(lambda: self.of(u), Slope(steps, slopes))
        if not isinstance(u, Model):
            near = short_increment(u, ahead, du, self.slope, self.bend)
            if near is not None:
                return Shift(lambda: self.of(u), near)
            value = self.of(u)
            return Shift(value, self.of(ahead) - value)
        far = self.large(x) if grows(u) and du.sign() == 1 else None
        return Shift(lambda: self.of(u), between(self, u, ahead, du)) if far is None else far


def grows(x: Model) -> bool:
    return x.leading()[0] > CONSTANT


def grown(x: Model) -> Model:
    require(x.leading()[1].lo > 0, "a special function is taken of what tends to minus infinity")
    return x


def vanishes(x: Model) -> bool:
    """Whether the model tends to zero by its form."""
    return not grows(x) and CONSTANT not in x.terms


@rule("K120")
def tending(f: Smooth, x: Model) -> Model:
    """F of a model that tends to a constant.

    Lemma.  F(x) = F(c) + F'(s) (x - c) for some s between c and x, both of which lie in the closed
    span of x; F is differentiable there, since F' is enclosed on all of it.  F(c) is 0 exactly
    where c is a whole number that is a known zero of F.
    """
    rest, c = x.vanishing() * f.slope(x.span()), x.terms.get(CONSTANT, 0)
    known = not isinstance(c, Interval) and c in f.zeros
    return rest if known else rest + f.value(interval(c))


@rule("K121")
def between(f: Smooth, u: Model, ahead: Model, du: Model) -> Model:
    """The increment of F between two models.

    Lemma.  F(u + h) - F(u) = h F'(s) for some s between u and u + h, and F' is monotone, so that
    F'(s) lies between F'(u) and F'(u + h): each coefficient in the hull of the two.
    """
    return du * either(f.slope_model(u), f.slope_model(ahead))


def either(a: Model, b: Model) -> Model:
    """What lies between two models: each coefficient in the hull of both."""
    both = {m: (a.terms.get(m, 0), b.terms.get(m, 0)) for m in {*a.terms, *b.terms}}
    terms = {m: p if p == q else hull(interval(p), interval(q)) for m, (p, q) in both.items()}
    return Model(a.germ, terms)


def remainder(x: Any) -> Any:
    """A theta in [0, 1] over the ring of x; from x to x + h it changes by at most 1."""
    if isinstance(x, Shift):
        return Shift(x.u.const(UNIT), x.u.const(SIGNED_UNIT))
    return x.const(UNIT)


def order_of(x: Any, points: int = 60) -> int:
    """How many terms of a series are taken."""
    model = x.u if isinstance(x, Shift) else x
    return model.germ.order if isinstance(model, Model) else points


def polynomial(v: Any, coefficients: list[Any], theta: Any) -> Any:
    """sum of a_k v^k over all k but the last, and theta times the last term."""
    total = theta * coefficients[-1]
    for a in reversed(coefficients[:-1]):
        total = total * v + a
    return total


def composed(x: Any, a: Sequence[Any]) -> Any:
    """The sum of a_k (x - c_0)^k along a power series x = c_0 + c_1 t + ..., as far as it goes."""
    *lower, highest = a
    steps, total = x.c[1:], [highest]
    for first in reversed(lower):
        total = [first, *(type(x)(total) * type(x)(steps[: len(total)])).c]
    return type(x)(total)


def points(x: Interval) -> tuple[Interval, Interval]:
    """The ends of an interval, for what is monotone on it."""
    require(x.finite(), "a special function is taken of something unbounded")
    return Interval(x.lo, x.lo), Interval(x.hi, x.hi)


def positive(x: Interval, closed: bool = False) -> Interval:
    fits = x.lo > 0 or (closed and x.lo == D0)
    require(fits, "a special function is taken of something not proved positive")
    moderate = x.hi.is_finite() and x.hi.adjusted() < 1000 and (not x.lo or x.lo.adjusted() > -1000)
    require(moderate, "a special function is taken too far out, or too near zero", "limits")
    return x


TINY = Decimal("1e-10")
