"""Sums with floors, such as r - floor(r): what cancels, and of each floor what it leaves."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ..intervals import ANY, SIGNED_UNIT, UNIT, ZERO, Interval, add_up, meet
from ..reader import Need
from ..rules import rule
from ..tree import Node, never_negative, same
from .at_once import AtOnce
from .evaluation import VALUES, Evaluation
from .increments import Shift
from .models import Model
from .needs import MEETING
from .optional import may_use
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

ONE = Fraction(1)


class Saw:
    """A sum as slope r + level + others - sum of c theta_c, every theta_c in [0, 1).

    Teeth are the c, each with its floor; of the others each is a number and a term of the sum.
    """

    def __init__(self, node: Node) -> None:
        self.slope = self.level = Fraction(0)
        self.teeth: list[tuple[Fraction, Node]] = []
        self.others: list[tuple[Fraction, Node]] = []
        terms, floors = [], []
        for size, inner in leaves(ONE, node):
            if inner.kind != "floor":
                terms.append((size, inner))
            elif (line := line_of(inner.args[0])) is not None:
                self.teeth.append((size, inner))
                self.slope, self.level = self.slope + size * line[0], self.level + size * line[1]
            else:
                floors.append((size, inner))
        while True:
            parts = Parts([*terms, *((size, inner.args[0]) for size, inner in floors)])
            left = [x for x in floors if parts.left_of(x[1].args[0])]
            if not left:
                break
            floors = [x for x in floors if x not in left]
            terms += left
        self.teeth += floors
        self.slope, self.level = self.slope + parts.slope, self.level + parts.level
        self.others = parts.others()

    def heights(self) -> Interval:
        """The values of what the floors leave."""
        return add_up([ZERO, *(UNIT * -c for c, _ in self.teeth)])

    def steps(self) -> Interval:
        """Its increments."""
        return add_up([ZERO, *(SIGNED_UNIT * c for c, _ in self.teeth)])


def leaves(q: Fraction, node: Node) -> list[tuple[Fraction, Node]]:
    """Numbers and nodes whose products add up to a multiple of a node; a term stays as it is where
    nothing in it is to be added or left out."""
    if scaled(node) and node.args[1].kind in ("add", "floor", "r"):
        return leaves(q * node.args[0].args[0], node.args[1])
    return [x for a in node.args for x in leaves(q, a)] if node.kind == "add" else [(q, node)]


class Parts:
    """Multiples of nodes, put together where they are multiples of one and the same function."""

    def __init__(self, terms: Iterable[tuple[Fraction, Node]]) -> None:
        self.slope = self.level = Fraction(0)
        self.kept: list[tuple[tuple[Node, ...], list[Any]]] = []
        for size, term in terms:
            for q, node in leaves(size, term):
                self.put(q, node)

    def left_of(self, node: Node) -> bool:
        """Whether anything but lines is left of what the node is made of."""
        mine = [key for key, _ in Parts([(ONE, node)]).kept]
        return any(found[0] and any(same(key, k) for k in mine) for key, found in self.kept)

    def put(self, q: Fraction, node: Node) -> None:
        if node.kind == "num":
            self.level += q * node.args[0]
        elif node.kind == "r":
            self.slope += q
        else:
            factors = node.args if node.kind == "mul" else (node,)
            c = factors[0].args[0] if factors[0].kind == "num" else ONE
            factors = factors[1:] if factors[0].kind == "num" else factors
            known = next((found for key, found in self.kept if same(key, factors)), None)
            if known is None:
                self.kept.append((factors, [q, node, c]))
            else:
                known[0] += q * c / known[2]

    def others(self) -> list[tuple[Fraction, Node]]:
        return [(q, node) for _, (q, node, _) in self.kept if q]


@lru_cache(2**12)
def saw_of(node: Node) -> Saw:
    return Saw(node)


@rule("K287")
def beside_floors(at: Evaluation, node: Node) -> Any:
    """A sum with floors in it, and its increment.

    Lemma.  floor(u) is u - theta, 0 <= theta < 1, so that its increment is that of u and a number
    between -1 and 1.  Multiples of one function add up to one; so do lines a r + b, whose
    increments are a h.  A floor of what is no line is taken so where nothing but lines is left of
    what it is of.
    """
    saw = saw_of(node)
    thetas = left_over(at.r, saw.heights(), saw.steps())
    others = [at.value(other) * q for q, other in saw.others]
    return add_up([at.r * saw.slope + saw.level + thetas, *others])


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


def value_of_sum(at: Evaluation, node: Node) -> Any:
    value = WITHOUT(at, node)
    if not (may_use("K287") and may_leave(at, value) and saw_of(node).teeth):
        return value
    found = beside_floors(at, node)
    if isinstance(value, AtOnce):
        here, there = map(meet, value.sides(), found.sides())
        return AtOnce(here, there, meet(value.du, found.du))
    if isinstance(value, Shift):
        return Shift(value.u, found.du)
    return Slope(meet(value.u, found.u), value.du)


def may_leave(at: Evaluation, value: Any) -> bool:
    """Whether r is all radii of a box across which a floor may step, or all of the tail with an
    interval of shifts; on boxes without a step the floor is a number, and on cells of a torus known
    by its phase."""
    r = at.r
    if hasattr(at, "cell"):
        return False
    if isinstance(r, AtOnce):
        return True
    if isinstance(r, Shift):
        shifts = r.du.span() if isinstance(r.u, Model) and r.u.germ.phase is None else ZERO
        return bool(shifts.lo < shifts.hi)
    return type(value) is Slope and isinstance(value.u, Interval) and not value.du.finite()


@rule("K453")
def met_by_saw(need: Need) -> bool:
    """A need that a saw meets: not to be negative, or not to be 0, or to be positive.

    Lemma.  A sum b - sum c_i theta_i, 0 <= theta_i < 1, and of what is never negative by its form
    (K287, K5) is at least b less the positive c_i.  Where that is 0 the sum is not negative, and
    positive if one of the c_i is; where it is positive, so is the sum.  u - floor(u) alone, u a
    line in r that is no number, is 0 at isolated radii.
    """
    node = need.node
    if not isinstance(node, Node) or node.kind != "add":
        return False
    saw = saw_of(node)
    others = all(q > 0 and never_negative(other) for q, other in saw.others)
    if not saw.teeth or saw.slope or not others:
        return False
    least = saw.level - sum(c for c, _ in saw.teeth if c > 0)
    strict = least > 0 or (least == 0 and any(c > 0 for c, _ in saw.teeth))
    line = line_of(saw.teeth[0][1].args[0]) if len(saw.teeth) == 1 else None
    alone = line is not None and line[0] != 0 and saw.level == 0 and not saw.others
    return strict if need.kind in ("positive", "nonzero") and not alone else (
        need.kind in ("nonnegative", "positive", "nonzero") and least >= 0)


MEETING["saw"] = met_by_saw
WITHOUT = VALUES["add"]
VALUES["add"] = value_of_sum
