"""Signs on boxes, from exact values at a box's ends where a node is monotone."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval
from ..rules import rule
from ..tree import Node, length
from .evaluation import Evaluation
from .slopes import Slope, sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

CHOOSING: dict[str, Callable[[list[Fraction]], Fraction]] = {}
"""Continuous kinds whose value is that of one of their parts, and which."""
MAX_EXACT = 100_000
SIGNS = ("nonzero", "positive", "nonnegative")
"""The kinds of need that ask for a sign."""


def exact_value(node: Node, r: Fraction) -> Fraction | None:
    """The exact value at a rational radius; None at a pole, where it is long, and where the form of
    the node does not show one."""
    if node.kind in ("num", "r"):
        return node.args[0] if node.kind == "num" else r
    whole = node.kind in ("add", "mul") or (node.kind == "pow" and node.args[1].denominator == 1)
    if not (whole or node.kind in CHOOSING):
        return None
    values = [exact_value(a, r) for a in node.args if isinstance(a, Node)]
    total = values[0]
    if node.kind == "pow":
        p = int(node.args[1])
        pole = total is None or (total == 0 and p <= 0)
        return None if pole or length(total) * abs(p) > MAX_EXACT else total**p  # type: ignore
    if node.kind in CHOOSING:
        return None if None in values else CHOOSING[node.kind](values)  # type: ignore
    for value in values[1:]:
        if total is None or value is None or length(total) + length(value) > MAX_EXACT:
            return None
        total = total + value if node.kind == "add" else total * value
    return total


def at_ends(at: Evaluation, node: Node, element: Any, side: int
            ) -> tuple[Fraction, Fraction] | None:
    """The exact values at the ends of the box (moved by the shift, for side 1) of a node that has
    such, where the element is strictly monotone."""
    smooth = isinstance(element, Slope) and isinstance(element.du, Interval)
    if at.ends is None or not (smooth and element.monotone()):
        return None
    low, high = (exact_value(node, end + at.shift * side) for end in at.ends)
    return None if low is None or high is None else (low, high)


@rule("K7")
def sign(at: Evaluation, node: Node, side: int = 0) -> int | None:
    """The sign of a node at almost every radius.

    Lemma.  A node that is strictly monotone has a zero at one radius at most; between two
    values at the ends of a box, exact and of one sign, it has none inside.  Otherwise the
    sign is that of its enclosure.
    """
    element = sides(at.value(node))[side]
    known: int | None = element.sign()
    if known in (1, -1):
        return known
    ends = at_ends(at, node, element, side)
    if ends is not None and (min(ends) >= 0 or max(ends) <= 0):
        return 1 if min(ends) >= 0 else -1
    return known
