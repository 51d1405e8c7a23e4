"""Increments over all shifts of an interval at once: a step of f is then a number, and no cut."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..intervals import INF, ZERO, Interval, hull, interval, meet
from ..rules import rule
from .charts import Problem
from .increments import Shift
from .theorem_a import IN_TAIL, ON_BOXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Between(Shift):
    """(u, du), where u ahead is known by itself."""

    __slots__ = ("there",)

    def __init__(self, u: Interval, there: Interval, du: Interval) -> None:
        super().__init__(u, du)
        self.there = there

    def ahead(self) -> Interval:
        return self.there


class AtOnce(Between):
    """(u, there, du): u on a box, u on the box ahead, and u(r + h) - u(r) for every radius of the
    box and every shift of an interval; of the increment the narrower bound is kept."""

    __slots__ = ()

    def __init__(self, u: Interval, there: Interval, du: Interval) -> None:
        super().__init__(u, there, meet(du, there - u))

    def const(self, value: Any) -> AtOnce:
        return AtOnce(interval(value), interval(value), ZERO)

    def __neg__(self) -> AtOnce:
        return AtOnce(-self.u, -self.there, -self.du)

    def __add__(self, other: Any) -> AtOnce:
        if not isinstance(other, Shift):
            return AtOnce(self.u + other, self.there + other, self.du)
        return AtOnce(self.u + other.u, self.there + other.ahead(), self.du + other.du)

    def __mul__(self, other: Any) -> AtOnce:
        if not isinstance(other, Shift):
            return AtOnce(self.u * other, self.there * other, self.du * other)
        ahead = other.ahead()
        return AtOnce(self.u * other.u, self.there * ahead, self.du * ahead + self.u * other.du)

    def inverse(self) -> AtOnce:
        i, there = self.u.inverse(), self.there.inverse()
        return AtOnce(i, there, -(self.du * i * there))

    def exp(self) -> AtOnce:
        e = self.u.exp()
        return AtOnce(e, self.there.exp(), e * (self.du.exp() - 1))

    def ratio(self) -> Interval:
        """u(r + h)/u(r)."""
        i = self.u.inverse()
        return meet(self.du * i + 1, self.there * i)

    def log(self) -> AtOnce:
        return AtOnce(self.u.log(), self.there.log(), self.ratio().log())

    def power(self, p: Fraction) -> AtOnce:
        u, there = self.u.power(p), self.there.power(p)
        if self.u.sign() != 1 or self.there.sign() != 1:
            return AtOnce(u, there, there - u)
        slopes = hull(self.u, self.there).power(p - 1) * p
        return AtOnce(u, there, meet(u * (self.ratio().power(p) - 1), self.du * slopes))

    def through(self, function: Callable[..., Any], *others: Any) -> AtOnce:
        """Of a function that has a rule for increments."""
        step = function(Between(self.u, self.there, self.du), *others).du
        return AtOnce(function(self.u, *others), function(self.there, *others), step)

    def of_sides(self, here: Interval, there: Interval) -> AtOnce:
        return AtOnce(here, there, there - here)

    def largest(self, here: Interval, there: Interval, steps: Sequence[Interval]) -> AtOnce:
        within = Interval(min(x.lo for x in steps), max(x.hi for x in steps))
        return AtOnce(here, there, within)


@rule("K286")
def all_at_once(p: Problem, a: Fraction, b: Fraction, low: Fraction, high: Fraction,
                cuts: Sequence[Fraction]) -> Interval:
    """phi_h on a box for every low <= h <= high, by increments with intervals for r and for h.

    Lemma.  For r in (a, b) and h in [low, high] each part of f lies in its enclosure on (a, b), and
    r + h later in that on (a + low, b + high); its increment in what the rules for increments (K17,
    K62) give with these intervals, in the difference of the two, and for u^p, u > 0, in du p
    s^(p-1), s between the two; that of a maximum between the least and the largest of the
    increments of what may be the largest.
    """
    here, there = (hull(interval(x), interval(y)) for x, y in ((a, b), (a + low, b + high)))
    return over(p, here, there, hull(interval(low), interval(high)))


def over(p: Problem, here: Interval, there: Interval, shifts: Interval) -> Interval:
    found: Interval = -p.log_f(p.at_box(AtOnce(here, there, shifts))).du
    return found


@rule("K288")
def all_the_way(p: Problem, low: Fraction, high: Fraction) -> Interval:
    """phi_h on all of [R, oo) for every low <= h <= high.

    Lemma.  As K286, with boxes that have no upper end.
    """
    here, there = (Interval(interval(x).lo, INF) for x in (p.r1, p.r1 + low))
    return over(p, here, there, hull(interval(low), interval(high)))


ON_BOXES["i"], IN_TAIL["i"] = all_at_once, all_the_way
