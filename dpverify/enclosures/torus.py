"""Waves whose phases do not hang together, evaluated on cells of the torus of their base phases.

A wave's phase is a sum of whole multiples of base phases: lines k r, and chirps, which run faster and
faster; a chirp's phase ahead of a shift is a base phase of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, Undecided, exact, meet
from dpverify.enclosures.evaluation import Evaluation
from dpverify.enclosures.nodes import Node
from dpverify.enclosures.pairs import EVERYTHING, Shift, Slope, sides
from dpverify.enclosures.saws import saw
from dpverify.findings import Part, Reason

Cut = tuple[Fraction, Fraction]
Kept = dict[tuple[Any, ...], tuple[dict[Node, Any], dict[Node, Any]]]
Floors = dict[tuple[Node, int], int]
MOST_WAYS = 16
TWO_PI = Fraction("6.2831853072")
"""A little more than 2 pi."""
UNIT = arb(0.5, 0.5)
RUNNING = -1
"""In the place of an axis: slopes in the radius, with the phases of lines running as it does."""


@dataclass(frozen=True)
class Torus:
    """Base phases: the speeds of the lines, the number of chirps; and for each wave its multiples and constant.

    `wavy` are the nodes with such a wave in them.  With floors among them all phases are in (half) `turns`, modulo 2;
    `exact` are the constant and the speed of a floor's phase where these are rationals, of themselves.
    """

    speeds: tuple[arb, ...]
    chirps: int
    waves: dict[Node, tuple[tuple[int, ...], arb]]
    wavy: frozenset[Node]
    turns: bool = False
    exact: dict[Node, tuple[Fraction | None, Fraction | None]] = field(default_factory=dict)

    def axes(self) -> list[Cut]:
        """One period of each phase: where r is, and of chirps ahead."""
        return [(Fraction(0), Fraction(2) if self.turns else TWO_PI)] * (len(self.speeds) + 2 * self.chirps)


class Cell:
    """A box of base phases where r is and of chirps' phases ahead, and an interval of shifts, which comes last.

    `kept` holds, for one chart of radii, what hangs on the shift alone.
    """

    def __init__(
        self,
        torus: Torus,
        box: list[Cut],
        kept: Kept | None = None,
        floors: Floors | None = None,
        within: Cell | None = None,
    ) -> None:
        """`floors` are what floors are supposed to be, where r is or ahead; `within` is the cell whose floors are those
        here, where this is a point of it."""
        self.torus, self.box, self.kept = torus, box, {} if kept is None else kept
        self.floors, self.within = floors or {}, within
        self.integers: dict[tuple[Node, int], tuple[int, int] | None] = {}
        spans = [Ball.between(a, b).x if a < b else arb(exact(a)) for a, b in box]
        lines = len(torus.speeds)
        self.shift = spans[-1]
        here = spans[: lines + torus.chirps]
        ahead = [x + v * self.shift for x, v in zip(spans, torus.speeds, strict=False)]
        self.phases = (here, ahead + spans[lines + torus.chirps : -1])
        self._known: dict[tuple[Node, int], tuple[arb, arb]] = {}

    def wave(self, node: Node, side: int) -> tuple[arb, arb]:
        """A wave and its derivative, where r is or ahead."""
        key = node, side
        if key not in self._known:
            angle = self.angle(node, side)
            sine, cosine = (angle * arb.pi() if self.torus.turns else angle).sin_cos()
            self._known[key] = (cosine, -sine) if node.kind == "cos" else (sine, cosine)
        return self._known[key]

    def tooth(self, node: Node, side: int) -> tuple[arb, arb]:
        """u - floor(u) of a floor's u, and how fast it rises with the phase of u, which is 2u."""
        key = node, side
        if key not in self._known:
            first = (self.within or self).floor(node, side)
            half = self.angle(node, side) / 2
            self._known[key] = (UNIT, EVERYTHING) if first is None else (half - first, arb(0.5))
        return self._known[key]

    def floor(self, node: Node, side: int) -> int | None:
        """k where half the phase stays between k and k + 1 on the open cell, or is supposed to."""
        if (node, side) in self.floors:
            return self.floors[node, side]
        found = self.floors_of(node, side)
        return found[0] if found is not None and found[0] == found[1] else None

    def floors_of(self, node: Node, side: int) -> tuple[int, int] | None:
        """The least and the greatest that k may be."""
        key = node, side
        if key not in self.integers:
            self.integers[key] = self._floors_of(node, side)
        return self.integers[key]

    def _floors_of(self, node: Node, side: int) -> tuple[int, int] | None:
        half = self.angle(node, side) / 2
        if not half.is_finite():
            return None
        first, last = half.lower().floor().unique_fmpz(), half.upper().ceil().unique_fmpz()
        if first is not None and last == first + 1:
            return int(first), int(first)
        level, speed = self.torus.exact.get(node, (None, None))
        if level is not None and not (side and speed is None):
            ways = [*zip(self.torus.waves[node][0], self.box, strict=False), (speed if side else 0, self.box[-1])]
            low = sum((n * (a if n > 0 else b) for n, (a, b) in ways if n), level)
            high = sum((n * (b if n > 0 else a) for n, (a, b) in ways if n), level)
            least = int(low // 2)
            return least, max(least, -int(-high // 2) - 1)
        return None if first is None or last is None else (int(first), max(int(first), int(last) - 1))

    def supposed(self) -> list[Cell]:
        """The cell once for each way in which floors may be one of two numbers."""
        ways: list[Floors] = [{}]
        for node in self.torus.waves if self.torus.turns else ():
            for side in (0, 1) if node.kind == "floor" else ():
                found = self.floors_of(node, side)
                if found is not None and found[1] == found[0] + 1 and len(ways) < MOST_WAYS:
                    ways = [{**way, (node, side): k} for way in ways for k in found]
        if not ways[0]:
            return [self]
        cells = [Cell(self.torus, self.box, self.kept, way) for way in ways]
        for cell in cells:
            cell.integers = self.integers
        return cells

    def angle(self, node: Node, side: int) -> arb:
        """The phase of a wave, where r is or ahead."""
        multiples, constant = self.torus.waves[node]
        total = constant
        for n, x in zip(multiples, self.phases[side], strict=True):
            if n:
                total = total + x * n
        return total

    def moved(self, node: Node, axis: int, side: int) -> arb:
        """How fast the phase of a wave moves along an axis of the box."""
        multiples, lines, chirps = self.torus.waves[node][0], len(self.torus.speeds), self.torus.chirps
        if axis == len(self.box) - 1:
            moving = sum((v * n for n, v in zip(multiples, self.torus.speeds, strict=False)), arb(0))
            return moving if side else arb(0)
        if axis < lines or (axis < lines + chirps and not side):
            return arb(multiples[axis])
        return arb(multiples[axis - chirps]) if axis >= lines + chirps and side else arb(0)


class OnTorus(Evaluation):
    """An evaluation at the points of a cell: where r is (side 0) or ahead; slopes are along one axis of the cell, or in
    the radius, at phases that rest or run."""

    def __init__(self, r: Any, cell: Cell, side: int = 0, axis: int | None = None) -> None:
        super().__init__(r)
        self.cell, self.side, self.axis = cell, side, axis
        place = cell.box[-1], isinstance(r, Shift), side, axis in (None, RUNNING), axis == len(cell.box) - 1
        self._shared = cell.kept.setdefault(place, ({}, {}))

    def value(self, node: Node) -> Any:
        """The node's value; what has no free wave in it hangs on the radius and the shift alone, and is kept."""
        if node in self.cell.torus.wavy:
            return super().value(node)
        values = self._shared[0]
        if node not in values:
            values[node] = super().value(node)
        return values[node]

    def log(self, node: Node) -> tuple[int, Any]:
        """(sign, log |value|), kept likewise."""
        if node in self.cell.torus.wavy:
            return super().log(node)
        logs = self._shared[1]
        if node not in logs:
            logs[node] = super().log(node)
        return logs[node]

    def _ends_apart(self) -> tuple[OnTorus, OnTorus]:
        here, ahead = sides(self.r)
        return OnTorus(here, self.cell, 0, self.axis), OnTorus(ahead, self.cell, 1, self.axis)

    def _value(self, node: Node) -> Any:
        if node.kind == "mul" and node.args[0].kind == "num":  # 0 times what has no bound would be no number
            factors = [self.value(a) for a in node.args[1:]]
            for factor in factors[1:]:
                factors[0] = factors[0] * factor
            return factors[0] * node.args[0].args[0]
        if node.kind == "add" and (found := self._saw(node)) is not None:
            return found
        if node not in self.cell.torus.waves:
            return super()._value(node)
        if node.kind == "floor":
            return self.value(node.args[0]) - self._theta(node)
        if isinstance(self.r, Shift):
            here, ahead = (side.value(node) for side in self._ends_apart())
            return Shift(here, ahead - here)
        value, slope = self.cell.wave(node, self.side)
        if not isinstance(self.r, Slope):
            return self.r.const(value)
        constant = self.r.u.const
        if self.axis is None:
            return Slope(constant(value), constant(arb(0)))
        if self.axis == RUNNING:
            return Slope(constant(value), self.value(node.args[0]).du * slope * (arb.pi() if node.args[1] else 1))
        return Slope(constant(value), constant(slope * self._moved(node, self.side)))

    def _moved(self, node: Node, side: int) -> arb:
        """How fast a wave's argument moves along the axis."""
        assert self.axis is not None
        moved = self.cell.moved(node, self.axis, side)
        return moved * arb.pi() if self.cell.torus.turns and node.kind != "floor" else moved

    def _saw(self, node: Node) -> Any:
        """A sum with floors whose phases are free; None for any other."""
        teeth = saw(node)
        if teeth is None or not any(floor in self.cell.torus.waves for _, floor in teeth.teeth):
            return None
        total = self.r.const(teeth.level) + self.r * teeth.slope if teeth.slope else self.r.const(teeth.level)
        for q, other in teeth.others:
            total = total + self.value(other) * q
        for c, floor in teeth.teeth:
            total = total - self._theta(floor) * c
        return total

    def _theta(self, node: Node) -> Any:
        """u - floor(u)."""
        if isinstance(self.r, Shift):
            here, ahead = (side._theta(node) for side in self._ends_apart())
            return Shift(here, ahead - here)
        free = node in self.cell.torus.waves
        value, slope = self.cell.tooth(node, self.side) if free else (UNIT, EVERYTHING)
        if not isinstance(self.r, Slope):
            return self.r.const(value if self.cell.within else meet(value, UNIT))
        constant = self.r.u.const
        if self.axis is None or self.axis == RUNNING or not free:
            rests = free and slope.is_finite() and self.axis is None
            return Slope(constant(value), constant(arb(0) if rests else EVERYTHING))
        moved = self._moved(node, self.side)
        return Slope(constant(value), constant(arb(0) if moved.is_zero() else slope * moved))

    def _log(self, node: Node) -> tuple[int, Any]:
        if node.kind != "add" or not isinstance(self.r, Shift):
            return super()._log(node)
        if node not in self.cell.torus.wavy:
            try:
                return super()._log(node)
            except Undecided:
                pass  # over many radii and shifts a ball's increment may reach below -u, where u ahead is positive
        (sign, here), (other, ahead) = (side.log(node) for side in self._ends_apart())
        if sign != other:
            raise Undecided(Reason.SIGN_AHEAD(what=Part.FACTOR))
        return sign, Shift(here, ahead - here)


def loss_on(node: Node, cell: Cell, r: Any, axis: int | None = None) -> Any:
    """phi_h at the points of a cell, or with its slopes along an axis; raises Undecided."""
    if axis is None:
        pair = Shift(r, r.const(cell.shift))
    else:
        moved = fmpq(1 if axis == len(cell.box) - 1 else 0)
        pair = Shift(Slope(r, r.const(0)), Slope(r.const(cell.shift), r.const(moved)))
    sign, log = OnTorus(pair, cell, 0, axis).log(node)
    if sign != 1:
        raise Undecided(Reason.F_NEGATIVE())
    return -log.du


def log_on(node: Node, cell: Cell, r: Any, axis: int | None = None) -> Any:
    """log f at the points of a cell; raises Undecided."""
    sign, log = OnTorus(r, cell, 0, axis).log(node)
    if sign != 1:
        raise Undecided(Reason.F_NEGATIVE())
    return log
