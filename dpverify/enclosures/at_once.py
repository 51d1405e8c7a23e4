"""Increments over all shifts of an interval at once: a step of f is then one number among many, and no cut.

`AtOnce` has a function here, the same ahead, and its increment; each says something about the other two, and of the
increment the narrower bound is kept: of a wave that of its heights, of what is steep that of its own rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ends import Ends
from dpverify.enclosures.evaluation import Evaluation
from dpverify.enclosures.nodes import Node
from dpverify.enclosures.pairs import Shift
from dpverify.enclosures.saws import line_of, saw


class Between(Shift):
    """(u, du), where u ahead is known by itself."""

    __slots__ = ("there",)

    def __init__(self, u: Ends, there: Ends, du: Ends) -> None:
        super().__init__(u, du)
        self.there = there

    def ahead(self) -> Ends:
        """u where r + h is."""
        return self.there


class AtOnce(Between):
    """u on a box, u on the box ahead, and its increment, over every radius of the box and every shift."""

    __slots__ = ()

    def __init__(self, u: Any, there: Any, du: Any) -> None:
        u, there = Ends.of(u), Ends.of(there)
        across = there - u
        super().__init__(u, there, across if du is None else across.meet(Ends.of(du)))

    def const(self, value: Any) -> AtOnce:
        """A constant, on the same box."""
        return AtOnce(value, value, 0)

    def __neg__(self) -> AtOnce:
        return AtOnce(-self.u, -self.there, -self.du)

    def __add__(self, other: Any) -> AtOnce:
        if not isinstance(other, Shift):
            return AtOnce(self.u + other, self.there + other, self.du)
        return AtOnce(self.u + other.u, self.there + other.ahead(), self.du + other.du)

    def __sub__(self, other: Any) -> AtOnce:
        return self + -other

    def __mul__(self, other: Any) -> AtOnce:
        if not isinstance(other, Shift):
            return AtOnce(self.u * other, self.there * other, self.du * other)
        there = other.ahead()
        return AtOnce(self.u * other.u, self.there * there, self.du * there + self.u * other.du)

    def _by(self, function: Callable[[Any], Any]) -> AtOnce:
        """A function that has a rule for increments."""
        return AtOnce(function(self.u), function(self.there), function(Between(self.u, self.there, self.du)).du)

    def inverse(self) -> AtOnce:
        """1 over the function; raises Undecided where it may be 0."""
        here, there = self.u.inverse(), self.there.inverse()
        return AtOnce(here, there, -(self.du * here * there))

    def exp(self) -> AtOnce:
        """The exponential."""
        return self._by(lambda u: u.exp())

    def _ratio(self) -> Ends:
        """u(r + h)/u(r)."""
        i: Ends = self.u.inverse()
        return (self.there * i).meet(self.du * i + 1)

    def log(self) -> AtOnce:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        return AtOnce(self.u.log(), self.there.log(), self._ratio().log())

    def power(self, p: fmpq) -> AtOnce:
        """The p-th power, p rational."""
        u, there = self.u.power(p), self.there.power(p)
        if self.u.sign() != 1 or self.there.sign() != 1:
            return AtOnce(u, there, None)
        ratio, steps = self._ratio(), self.du * (self.u.hull(self.there).power(p - 1) * p)
        return AtOnce(u, there, steps.meet(u * (ratio.power(p) - 1)) if ratio.sign() == 1 else steps)

    def softplus(self, sign: int) -> AtOnce:
        """log(1 + sign * exp(u))."""
        return self._by(lambda u: u.softplus(sign))

    def cos(self, turns: bool = False) -> AtOnce:
        """The cosine of u, or of pi u for `turns`."""
        return self._by(lambda u: u.cos(turns))

    def sin(self, turns: bool = False) -> AtOnce:
        """The sine of u, or of pi u for `turns`."""
        return self._by(lambda u: u.sin(turns))

    def log_matern(self, p: fmpq) -> AtOnce:
        """log(u^p K_p(u))."""
        return self._by(lambda u: u.log_matern(p))

    def log_erfc(self) -> AtOnce:
        """log erfc(u)."""
        return self._by(lambda u: u.log_erfc())

    def apply(self, f: Any) -> AtOnce:
        """A special function."""
        return self._by(lambda u: u.apply(f))

    def of_sides(self, here: Any, there: Any) -> AtOnce:
        """What is one thing here and another ahead."""
        return AtOnce(here, there, None)

    def largest(self, here: Any, there: Any, steps: Sequence[Any]) -> AtOnce:
        """The largest of several that have these increments, here and ahead."""
        within = Ends.of(steps[0])
        for step in steps[1:]:
            within = within.hull(step)
        return AtOnce(here, there, within)

    def floor(self) -> AtOnce:
        """The greatest integer not above the function: floor(u + v) - floor(u) is floor(v) or one more."""
        return AtOnce(self.u.floor(), self.there.floor(), self.du.floor().hull(-(-self.du).floor()))


class AtOnceEvaluation(Evaluation):
    """Evaluation at all shifts of an interval: at an `AtOnce`, or at a model and its increment, given the interval's
    ends.

    Of a sum with floor(u), u a line in r, the increment is that of a sum with u and u - floor(u) in [0, 1): lines are
    put together before the shifts are.
    """

    def __init__(self, r: Any, shifts: tuple[fmpq, fmpq] | None = None) -> None:
        super().__init__(r)
        self.shifts = shifts

    def _floor(self, node: Node) -> Any:
        """Of a line in r: it steps as often as the line, at most, and of a ball no end would be whole."""
        found = super()._floor(node)
        line = line_of(node)
        if self.shifts is None or line is None:
            return found
        ends = [line[0] * h for h in self.shifts]
        low, high = arb(min(ends)).floor(), arb(max(ends)).ceil()
        return Shift(found.u, found.u.const(low if low == high else low.union(high)))

    def _value(self, node: Node) -> Any:
        value = super()._value(node)
        if not isinstance(value, Shift) or (lines := saw(node)) is None:
            return value
        const, over_box = self.r.u.const, isinstance(self.r, AtOnce)
        heights, steps = lines.heights(), lines.steps()
        thetas = AtOnce(heights, heights, steps) if over_box else Shift(const(heights), const(steps))
        found = self.r * lines.slope + lines.level + thetas
        for q, other in lines.others:
            found = found + self.value(other) * q
        if not isinstance(value, AtOnce):
            return Shift(value.u, found.du)
        return AtOnce(value.u.meet(found.u), value.there.meet(found.there), value.du.meet(found.du))

    def _log(self, node: Node) -> tuple[int, Any]:
        """Of a saw far out the logarithm, as the saw itself, stays between two numbers."""
        lines, shift = saw(node), self.r
        if isinstance(shift, AtOnce) or not isinstance(shift, Shift) or lines is None or lines.slope or lines.others:
            return super()._log(node)
        heights = Ends.of(lines.heights() + lines.level)
        if not heights.lo > 0:
            return super()._log(node)
        most = heights.hi.log() - heights.lo.log()
        return 1, Shift(lambda: self.value(node).u.log(), shift.u.const((-most).union(most)))
