"""The loss on cells of the torus over one chart of radii, against a goal.

The loss is a function of the radius, of the base phases where r is (and, of chirps, ahead), and of the
shift.  The torus times the shifts is halved, axis by axis, until the loss is below the goal, directly or
by its mean value form around the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.ball import Ball
from dpverify.enclosures.torus import Cell, Cut, Kept, Torus, loss_on
from dpverify.findings import Part, Place, Reason
from dpverify.prover.problem import Problem
from dpverify.prover.torus.tree import AXES, NARROWEST, halves

ZERO = arb(0)


class Higher(Exception):
    """A point of the torus at which the loss is higher than the best that was known."""

    def __init__(self, point: list[Fraction]) -> None:
        self.point = point


class Search:
    """The loss on cells of the torus over one chart, against a goal."""

    def __init__(self, problem: Problem, torus: Torus, r: Any, goal: arb, tick: Callable[[], None]) -> None:
        self.problem, self.torus, self.r, self.goal, self.tick = problem, torus, r, goal, tick
        self.kept: Kept = {}

    def tree(self, most: int) -> str:
        """A tree of halves; on each leaf the loss is below the goal: "." directly, "*" or "-" from a point."""
        text: list[str] = []
        stack = [[*self.torus.axes(), (Fraction(0), self.problem.delta)]]
        count = 0
        while stack:
            box = stack.pop()
            self.tick()
            count += 1
            letter, axis = self.settled(box)
            if letter:
                text.append(letter)
                continue
            if count > most or box[axis][1] - box[axis][0] < NARROWEST:
                raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.ALL_PHASES))
            text.append(AXES[axis])
            stack += halves(box, axis)
        return "".join(text)

    def settled(self, box: list[Cut]) -> tuple[str, int]:
        """The letter of a leaf, or none and the axis to halve."""
        widths, cells = [b - a for a, b in box], Cell(self.torus, box, self.kept).supposed()
        try:
            spans = [self.span(cell) for cell in cells]
            if all(span.most() <= self.goal for span in spans):
                return ".", 0
        except Undecided:
            return "", self._widest(widths)
        highest = max(spans, key=lambda span: float(span.most().mid()))
        letter = "*" if highest.leans_up() else "-"
        for cell, span in zip(cells, spans, strict=True):
            if len(cells) > 1 and span.most() <= self.goal:
                continue
            axis = self._from_point(cell, letter)
            if axis is not None:
                return "", axis
        return letter, 0

    def _from_point(self, cell: Cell, letter: str) -> int | None:
        """None where the loss is below the goal by its slopes from a point; else the axis to halve."""
        box, widths = cell.box, [b - a for a, b in cell.box]
        slopes = [self.slopes(cell, axis) if width else ZERO for axis, width in enumerate(widths)]
        if not all(slope.is_finite() for slope in slopes):
            return self._widest(widths)
        point, ways = [], []
        for (a, b), slope in zip(box, slopes, strict=True):
            uphill = slope if letter == "*" else -slope
            point.append(b if uphill >= 0 else a if uphill <= 0 else (a + b) / 2)
            ways.append(slope * exact(b - a))
        value = self.at(point, cell)
        low, high = value.low, value.high
        if not value.most() <= self.goal:
            if cell.floors:  # a point at which the floors may be others
                return self._widest(widths)
            if value.low > self.goal or -value.high > self.goal:
                raise Higher(point)
            raise Undecided(Reason.ABOVE_GOAL_AT_POINT())
        for (a, b), slope, at in zip(box, slopes, point, strict=True):
            left, right = slope * exact(a - at), slope * exact(b - at)
            low = low + left.lower().min(right.lower())
            high = high + left.upper().max(right.upper())
        if _Ends(low.lower(), high.upper()).most() <= self.goal:
            return None
        return max(range(len(box)), key=lambda k: float(ways[k].abs_upper().mid()))

    def slopes(self, cell: Cell, axis: int) -> arb:
        """The slopes of the loss along an axis."""
        span: arb = loss_on(self.problem.node, cell, self.r, axis).du.span().x
        return span

    def at(self, point: Sequence[Fraction], within: Cell | None = None) -> _Ends:
        """The loss at a point of the torus, or as in the cell at an edge of it, for a shift."""
        return self.span(Cell(self.torus, [(x, x) for x in point], self.kept, within=within))

    def span(self, cell: Cell) -> _Ends:
        """The loss on a cell."""
        span = loss_on(self.problem.node, cell, self.r).span()
        return _Ends(span.x.lower(), span.x.upper()) if isinstance(span, Ball) else _Ends(span.low, span.high)

    def _widest(self, widths: Sequence[Fraction]) -> int:
        speeds = [arb(1)] * (len(widths) - 1)
        fastest = arb(1)
        for speed in self.torus.speeds:
            fastest = fastest.max(abs(speed))
        speeds.append(fastest)
        return max(range(len(widths)), key=lambda k: float((speeds[k] * exact(widths[k])).mid()))


@dataclass(frozen=True)
class _Ends:
    low: arb
    high: arb

    def most(self) -> arb:
        return self.high.max(-self.low)

    def leans_up(self) -> bool:
        return bool(self.high >= -self.low)
