"""Floors of lines whose phases run free: what each leaves on a cell of the torus of phases."""

from __future__ import annotations

from decimal import ROUND_FLOOR
from fractions import Fraction

from ..intervals import ANY, UNIT, ZERO, Interval, add_up, interval, meet
from ..rules import BROUGHT, rule
from ..tree import Node
from .branches import value_of_floor as value_of_bound_floor
from .cells import Cell, OnTorus, apart, cell_of
from .evaluation import VALUES, Evaluation
from .increments import Shift
from .saws import saw_of
from .slopes import Slope
from .torus import FREE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .cells import Cut

HALF, MOST_WAYS = Fraction(1, 2), 16
RISE = interval(HALF)


@rule("K450")
def tooth(cell: Cell, node: Node, side: int) -> tuple[Interval, Interval]:
    """u - floor(u) on a cell, and how fast it rises with the phase of u.

    Lemma.  In (half) turns the phase of u is 2u, so that on an open cell on which it stays between
    2k and 2k + 2, k whole, u - floor(u) is half the phase less k, up to whole turns of the base
    phases, and rises by 1/2 with it; at a point of such a cell, or at its edge, it is taken with
    the k of the cell, and on the cell itself may lie beyond [0, 1) where k is but supposed (K452).
    It is in [0, 1) on any cell.
    """
    key = node.number, side
    if key not in cell.known:
        first = floor_on(cell.within or cell, node, side)
        known = (UNIT, ANY) if first is None else (half_phase(cell, node, side) - first, RISE)
        cell.known[key] = known
    return cell.known[key]


def half_phase(cell: Cell, node: Node, side: int) -> Interval:
    return cell.torus.waves[node.number].angle(cell.phases[side]) * HALF


def floor_on(cell: Cell, node: Node, side: int) -> int | None:
    """k, where half the phase stays between k and k + 1."""
    known = cell.floors.get((node.number, side))
    if known is not None:
        return known
    first, last = floors_on(cell, node, side)
    return first if first == last else None


def floors_on(cell: Cell, node: Node, side: int) -> tuple[int, int]:
    """The least and the greatest that k may be on an open cell, where an end that is whole counts
    for the inside: it is known to be where the constant is rational, and ahead the speeds."""
    half = half_phase(cell, node, side)
    first, last = (int(x.to_integral_value(ROUND_FLOOR)) for x in (half.lo, half.hi))
    ends = exact_ends(cell, node, side) if first < last else None
    if ends is None:
        return first, last
    first = int(ends[0] // 2)
    return first, max(first, -int(-ends[1] // 2) - 1)


def exact_ends(cell: Cell, node: Node, side: int) -> tuple[Fraction, Fraction] | None:
    """Where the phase begins and ends on a cell, where these are known to be rationals."""
    wave, speeds = cell.torus.waves[node.number], cell.torus.rational
    known = not (side and any(n and v is None for n, v in zip(wave.multiples, speeds)))
    if wave.level is None or not known:
        return None
    ways: list[tuple[Any, Cut]] = [(n, x) for n, x in zip(wave.multiples, cell.box) if n]
    if side:
        speed = sum(n * v for n, v in zip(wave.multiples, speeds) if n and v is not None)
        ways.append((speed, cell.box[-1]))
    low = sum((n * (a if n > 0 else b) for n, (a, b) in ways), wave.level)
    return low, sum((n * (b if n > 0 else a) for n, (a, b) in ways), wave.level)


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
    return Slope(constant(value), constant(ANY))  # from one radius to another there may be a jump


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
    cell = cell_of(at)
    if cell is None or not any(floor.number in cell.torus.waves for _, floor in saw_of(node).teeth):
        return WITHOUT(at, node)
    return saw_on_torus(at, node, cell)


WITHOUT = VALUES["add"]
VALUES.update({"floor": value_of_floor, "add": value_of_sum})
FREE.add("floor")
BROUGHT["floors on a cell"] = suppositions
