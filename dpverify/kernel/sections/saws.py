"""Sums with floors of lines, such as r - floor(r): a line, and of each floor what it leaves."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import ANY, SIGNED_UNIT, UNIT, ZERO, Interval, add_up, meet
from ..rules import rule
from ..tree import Node
from .at_once import AtOnce
from .evaluation import VALUES, Evaluation
from .increments import Shift
from .models import Model
from .optional import may_use
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K287")
def beside_floors(at: Evaluation, node: Node) -> Any:
    """A sum with floors of lines in r, and its increment.

    Lemma.  floor(u) is u - theta, 0 <= theta < 1, so that its increment is that of u and a number
    between -1 and 1.  Lines a r + b, whose increments are a h, add up to one line.
    """
    slope, level, heights, steps, others = lines_and_floors(node)
    thetas = left_over(at.r, heights, steps)
    return add_up([at.r * slope + level + thetas, *map(at.value, others)])


def lines_and_floors(node: Node) -> tuple[Fraction, Fraction, Interval, Interval, list[Node]]:
    """A sum's line, slope and level, the values and the increments of what its floors leave, and
    its other terms."""
    slope = level = Fraction(0)
    heights, steps, others = [ZERO], [ZERO], []
    for term in node.args:
        size, inner = (term.args[0].args[0], term.args[1]) if scaled(term) else (Fraction(1), term)
        jumps = inner.kind == "floor"
        line = line_of(inner.args[0] if jumps else inner)
        if line is None:
            others.append(term)
            continue
        slope, level = slope + size * line[0], level + size * line[1]
        if jumps:
            heights.append(UNIT * -size)
            steps.append(SIGNED_UNIT * size)
    return slope, level, add_up(heights), add_up(steps), others


def left_over(r: Any, height: Interval, step: Interval) -> Any:
    """What has these values, and these increments, over the ring of r."""
    if isinstance(r, AtOnce):
        return AtOnce(height, height, step)
    if isinstance(r, Shift):
        return Shift(r.u.const(height), r.u.const(step))
    return Slope(height, ANY)


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
    of_use = may_use("K287") and any(map(stepped, node.args)) and may_leave(at.r, value)
    if not of_use:
        return value
    found = beside_floors(at, node)
    if isinstance(value, AtOnce):
        here, there = map(meet, value.sides(), found.sides())
        return AtOnce(here, there, meet(value.du, found.du))
    if isinstance(value, Shift):
        return Shift(value.u, found.du)
    return Slope(meet(value.u, found.u), value.du)


def may_leave(r: Any, value: Any) -> bool:
    """Whether r is all radii of a box across which a floor may step, or all of the tail with an
    interval of shifts; on boxes without a step the floor is a number."""
    if isinstance(r, AtOnce):
        return True
    if isinstance(r, Shift):
        shifts = r.du.span() if isinstance(r.u, Model) and r.u.germ.phase is None else ZERO
        return bool(shifts.lo < shifts.hi)
    return type(value) is Slope and isinstance(value.u, Interval) and not value.du.finite()


WITHOUT = VALUES["add"]
VALUES["add"] = value_of_sum
