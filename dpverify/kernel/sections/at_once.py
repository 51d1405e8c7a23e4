"""Increments over all shifts of an interval at once: a step of f is then a number, and no cut."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..intervals import INF, SIGNED_UNIT, UNIT, ZERO, Interval, add_up, hull, interval, meet
from ..rules import rule
from ..tree import Node
from .charts import Problem
from .evaluation import VALUES, Evaluation
from .increments import Shift
from .models import Model
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
        apart = self.u.sign() not in (1, -1) or self.u.sign() != self.there.sign()
        return AtOnce(u, there, there - u if apart else u * (self.ratio().power(p) - 1))

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
    K62) give with these intervals, and in the difference of the two; that of a maximum between the
    least and the largest of the increments of what may be the largest.
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


@rule("K287")
def beside_floors(at: Evaluation, node: Node) -> Shift:
    """A sum with floors of lines in r, and its increment.

    Lemma.  floor(u) is u - theta, 0 <= theta < 1, so that its increment is that of u and a number
    between -1 and 1.  Lines a r + b, whose increments are a h, add up to one line.
    """
    slope = level = Fraction(0)
    heights, steps, others = [ZERO], [ZERO], []
    for term in node.args:
        size, inner = (term.args[0].args[0], term.args[1]) if scaled(term) else (Fraction(1), term)
        jumps = inner.kind == "floor"
        line = line_of(inner.args[0] if jumps else inner)
        if line is None:
            others.append(at.value(term))
            continue
        slope, level = slope + size * line[0], level + size * line[1]
        if jumps:
            heights.append(UNIT * -size)
            steps.append(SIGNED_UNIT * size)
    height, step, const = add_up(heights), add_up(steps), at.r.u.const
    over_box = isinstance(at.r, AtOnce)
    thetas = AtOnce(height, height, step) if over_box else Shift(const(height), const(step))
    return add_up([at.r * slope + level + thetas, *others])  # type: ignore[no-any-return]


def scaled(node: Node) -> bool:
    return node.kind == "mul" and len(node.args) == 2 and node.args[0].kind == "num"


def line_of(node: Node) -> tuple[Fraction, Fraction] | None:
    """(a, b) where the node is a r + b."""
    if node.kind in ("num", "r"):
        return (Fraction(0), node.args[0]) if node.kind == "num" else (Fraction(1), Fraction(0))
    if scaled(node):
        inner, size = line_of(node.args[1]), node.args[0].args[0]
        return None if inner is None else (size * inner[0], size * inner[1])
    lines = [line_of(a) for a in node.args] if node.kind == "add" else [None]
    slope = level = Fraction(0)
    for line in lines:
        if line is None:
            return None
        slope, level = slope + line[0], level + line[1]
    return slope, level


def stepped(node: Node) -> bool:
    """Whether a term of a sum is a multiple of the floor of a line."""
    inner = node.args[1] if scaled(node) else node
    return inner.kind == "floor" and line_of(inner.args[0]) is not None


def value_of_sum(at: Evaluation, node: Node) -> Any:
    value = WITHOUT(at, node)
    if not (several(at.r) and any(map(stepped, node.args))):
        return value
    found = beside_floors(at, node)
    if not isinstance(value, AtOnce):
        return Shift(value.u, found.du)
    here, there = map(meet, value.sides(), found.sides())
    return AtOnce(here, there, meet(value.du, found.du))


def several(r: Any) -> bool:
    """Whether it is all radii of a box, or of all of the tail, with an interval of shifts."""
    if type(r) is Shift and isinstance(r.u, Model) and r.u.germ.phase is None:
        shifts = r.du.span()
        return bool(shifts.lo < shifts.hi)
    return isinstance(r, AtOnce)


WITHOUT = VALUES["add"]
VALUES["add"] = value_of_sum
ON_BOXES["i"], IN_TAIL["i"] = all_at_once, all_the_way
