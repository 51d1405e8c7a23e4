"""Floors of lines whose phases run free: on a cell of their torus each leaves a number of [0, 1)."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import ANY, UNIT, ZERO, Interval, add_up, hull, interval, meet
from ..rules import BROUGHT, rule
from ..tree import Node
from .branches import value_of_floor as value_of_bound_floor
from .cells import Cell, OnTorus, apart, cell_of
from .evaluation import VALUES, Evaluation
from .increments import Shift
from .saws import saw_of, stepped
from .slopes import Slope
from .torus import FREE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF, MOST_WAYS = Fraction(1, 2), 16


@rule("K450")
def tooth(cell: Cell, node: Node, side: int) -> tuple[Interval, Interval]:
    """u - floor(u) on a cell, and how fast it rises with the phase of u.

    Lemma.  In (half) turns the phase of u is 2u, so that on an open cell on which it stays between
    2k and 2k + 2, k whole, u - floor(u) is half the phase less k, up to whole turns of the base
    phases, and rises by 1/2 with it; at a point of such a cell, or at its edge, it is taken with
    the k of the cell, and on the cell itself may lie beyond [0, 1) where k is but supposed (K452).  It
    is in [0, 1) on any cell.
    """
    key = node.number, side
    if key not in cell.known:
        cell.known[key] = UNIT, ANY
        first = floor_on(cell.within or cell, node, side)
        if first is not None:
            low, high = ends_of(cell, node, side)
            cell.known[key] = hull(interval(low), interval(high)) * HALF - first, interval(HALF)
    return cell.known[key]


def floor_on(cell: Cell, node: Node, side: int) -> int | None:
    """k, where half the phase stays between k and k + 1."""
    known = cell.floors.get((node.number, side))
    if known is not None:
        return known
    first, last = floors_on(cell, node, side)
    return first if first == last else None


def floors_on(cell: Cell, node: Node, side: int) -> tuple[int, int]:
    """The least and the greatest that k may be on an open cell."""
    low, high = ends_of(cell, node, side)
    if isinstance(low, Interval):
        low, high = Fraction(low.lo), Fraction(high.hi)
    first = int(low // 2)
    return first, max(first, -int(-high // 2) - 1)


@rule("K452")
def suppositions(cell: Cell) -> list[dict[tuple[int, int], int]]:
    """What floors may be on a cell: of each that may be two numbers one is supposed.

    Lemma.  At every point of a cell each floor is one of the integers that it may be there; so what
    holds of the loss wherever the floors are as supposed, for each way to suppose, holds on all
    of the cell.  With its k a tooth is a line in the phases, and so the loss a function on all of
    the cell, of which K184 speaks; where the floors are as supposed the tooth is in [0, 1].
    """
    found: list[dict[tuple[int, int], int]] = [{}]
    nodes = {n.number: n for n in cell.torus.wavy if n.kind == "floor"}
    for number in sorted(cell.torus.waves):
        for side in (0, 1) if number in nodes else ():
            first, last = floors_on(cell, nodes[number], side)
            if last == first + 1 and len(found) < MOST_WAYS:
                found = [{**way, (number, side): k} for way in found for k in (first, last)]
    return found


def ends_of(cell: Cell, node: Node, side: int) -> tuple[Any, Any]:
    """Where the phase begins and ends on a cell: two rationals where these are known, else twice
    an interval that it stays in."""
    wave, speeds = cell.torus.waves[node.number], cell.torus.rational
    if wave.level is None or any(n and v is None for n, v in zip(wave.multiples, speeds)):
        x = wave.angle(cell.phases[side])
        return x, x
    moving = sum(n * v for n, v in zip(wave.multiples, speeds) if n and v is not None)
    ways = list(zip(wave.multiples, cell.box)) + ([(moving, cell.box[-1])] if side else [])
    low = sum((n * (a if n > 0 else b) for n, (a, b) in ways), wave.level)
    return low, sum((n * (b if n > 0 else a) for n, (a, b) in ways), wave.level)


def theta(at: Evaluation, node: Node, cell: Cell) -> Any:
    """u - floor(u) over the ring of r."""
    if isinstance(at.r, Shift):
        here, ahead = (theta(side, node, cell) for side in apart(at, cell))
        return Shift(here, ahead - here)
    side, free = at.side if isinstance(at, OnTorus) else 0, node.number in cell.torus.waves
    value, slope = tooth(cell, node, side) if free else (UNIT, ANY)
    if not isinstance(at.r, Slope):
        return at.r.const(value if cell.within else meet(value, UNIT))
    constant = at.r.u.const
    if free and isinstance(at, OnTorus) and at.axis is not None:
        moved = cell.torus.waves[node.number].moved(cell.moves(at.axis, side))
        still = moved.lo == moved.hi == 0
        return Slope(constant(value), constant(ZERO if still else slope * moved))
    along = at.value(node.args[0]).du if slope.finite() else constant(ANY)
    return Slope(constant(value), along)


@rule("K451")
def saw_on_torus(at: Evaluation, node: Node, cell: Cell) -> Any:
    """A sum with floors whose phases are free.

    Lemma.  As K287, each floor(u) being u - theta with the theta of the cell (K450).
    """
    saw = saw_of(node)
    parts = [at.value(other) * q for q, other in saw.others]
    for c, floor in saw.teeth:
        parts.append(theta(at, floor, cell) * -c)
    if saw.slope:
        parts.append(at.r * saw.slope)
    return add_up([at.r.const(saw.level), *parts])


def value_of_floor(at: Evaluation, node: Node) -> Any:
    cell = cell_of(at)
    if cell is None or node.number not in cell.torus.waves:
        return value_of_bound_floor(at, node)
    return at.value(node.args[0]) - theta(at, node, cell)


def value_of_sum(at: Evaluation, node: Node) -> Any:
    cell = cell_of(at) if any(map(stepped, node.args)) else None
    if cell is None or not any(floor.number in cell.torus.waves for _, floor in saw_of(node).teeth):
        return WITHOUT(at, node)
    return saw_on_torus(at, node, cell)


WITHOUT = VALUES["add"]
VALUES.update({"floor": value_of_floor, "add": value_of_sum})
FREE.add("floor")
BROUGHT["floors on a cell"] = suppositions
