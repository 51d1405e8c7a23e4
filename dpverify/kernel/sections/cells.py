"""Cells of a torus of phases, and evaluation at their points."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import ZERO, Interval, add_up, hull, interval
from ..tree import Node
from .constants import PI
from .evaluation import Evaluation
from .increments import Shift
from .models import Model
from .slopes import innermost, sides
from .waves import cos, sin
from .ways import EitherWay, Ways

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .torus import Torus

    Cut = tuple[Fraction, Fraction]
    Floors = dict[tuple[int, int], int]

NO_WAYS = Ways()


class Wave:
    """The phase of a sine or cosine: whole multiples of the base phases, and a constant."""

    def __init__(self, multiples: list[int], constant: Interval,
                 level: Fraction | None = None) -> None:
        """`level` is the constant, where it is known to be this rational."""
        self.multiples, self.constant, self.level = multiples, constant, level

    def angle(self, phases: list[Interval]) -> Interval:
        parts = [x * Fraction(n) for n, x in zip(self.multiples, phases, strict=True) if n]
        return add_up([self.constant, *parts])

    def moved(self, by: list[Interval]) -> Interval:
        pairs = zip(self.multiples, by, strict=True)
        return add_up([ZERO, *(x * Fraction(n) for n, x in pairs if n)])


class Cell:
    """A box of base phases where r is and of chirps' phases ahead, and an interval of shifts;
    `chart` names the radii."""

    turns = None  # no single phase runs here

    def __init__(self, torus: Torus, box: list[Cut], chart: object = None,
                 floors: Floors | None = None, within: Cell | None = None) -> None:
        """`floors` are what floors are taken to be, by their number and side; `within` is the cell
        whose floors are those here, where this is a point of it."""
        self.torus, self.box, self.chart = torus, box, chart
        self.floors, self.within = floors or {}, within
        spans = [hull(interval(a), interval(b)) for a, b in box]
        lines, chirps = len(torus.speeds), len(torus.chirps)
        self.shift = spans[-1]
        ahead = [x + v * self.shift for x, v in zip(spans, torus.speeds, strict=False)]
        self.phases = (spans[: lines + chirps], ahead + spans[lines + chirps : -1])
        self.known: dict[Any, Any] = {}

    def wave(self, node: Node, side: int) -> Interval:
        """A wave, where r is or ahead."""
        return self._once((node.number, side), cos if node.kind == "cos" else sin, node, side)

    def swing(self, node: Node, side: int) -> Interval:
        """A wave's derivative in its phase, where r is or ahead."""
        if node.kind == "cos":
            return -self._once((node.number, side, "swing"), sin, node, side)
        return self._once((node.number, side, "swing"), cos, node, side)

    def _once(self, key: Any, function: Any, node: Node, side: int) -> Interval:
        if key not in self.known:
            angle = self.torus.waves[node.number].angle(self.phases[side])
            self.known[key] = function(angle * PI if self.torus.turns else angle)
        return self.known[key]

    def moves(self, axis: int, side: int) -> list[Interval]:
        """How fast each base phase moves along an axis of the box, where r is or ahead."""
        speeds, chirps = self.torus.speeds, len(self.torus.chirps)
        along = [ZERO] * (len(speeds) + chirps)
        if axis == len(self.box) - 1:
            along[: len(speeds)] = speeds if side else along[: len(speeds)]
        elif axis < len(speeds) or (axis < len(along) and not side):
            along[axis] = interval(1)
        elif axis >= len(along) and side:
            along[axis - chirps] = interval(1)
        return along


class OnTorus(EitherWay):
    """An evaluation at the points of a cell: where r is (side 0) or ahead; pairs without a shift
    hold slopes along one axis of the cell."""

    def __init__(self, r: Any, cell: Cell, side: int, axis: int | None, ways: Ways) -> None:
        super().__init__(ways, r, None, Fraction(0))
        self.cell, self.side, self.axis = cell, side, axis
        place = (cell.chart, cell.box[-1], isinstance(r, Shift), side, axis is None,
                 axis == len(cell.box) - 1)
        self.shared = cell.torus.shared.setdefault(place, ({}, {}))

    def value(self, node: Node) -> Any:
        """What has no free wave in it hangs on the radius and the shift alone: it is kept."""
        if node in self.cell.torus.wavy:
            return super().value(node)
        values = self.shared[0]
        if node not in values:
            values[node] = super().value(node)
        return values[node]

    def log(self, node: Node) -> tuple[int, Any]:
        if node in self.cell.torus.wavy:
            return super().log(node)
        logs = self.shared[1]
        if node not in logs:
            logs[node] = super().log(node)
        return logs[node]


def cell_of(at: Evaluation) -> Cell | None:
    if isinstance(at, OnTorus):
        return at.cell
    element = innermost(sides(at.r)[0])
    phase = element.germ.phase if isinstance(element, Model) else None
    return phase if isinstance(phase, Cell) else None


def apart(at: Evaluation, cell: Cell) -> list[Evaluation]:
    """Evaluations where r is, and where r + h is."""
    axis = at.axis if isinstance(at, OnTorus) else None
    ways = at.ways if isinstance(at, EitherWay) else NO_WAYS
    return [OnTorus(r, cell, side, axis, ways) for side, r in enumerate(sides(at.r))]
