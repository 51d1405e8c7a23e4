"""What the truth of a condition says of the signs of nodes."""

from __future__ import annotations

from ..tree import Node, minus, same
from .polynomials import polynomial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def bared(condition: Any) -> Any:
    """The condition without parts that hold at every radius, as 0 < r does, and without an "and" or
    "or" of one part."""
    if condition[0] == "and":
        kept = [c for c in map(bared, condition[1:])
                if c != ("and",) and not (c[0] == "less" and c[1].positive)]
        return kept[0] if len(kept) == 1 else ("and", *kept)
    return bared(condition[1]) if condition[0] == "or" and len(condition) == 2 else condition


def compared(condition: Any, truth: bool) -> list[tuple[Node, bool]]:
    """Nodes that are not negative where the condition has that truth value, and whether they are
    positive there."""
    condition = bared(condition)
    if condition[0] == "not":
        return compared(condition[1], not truth)
    if condition[0] == "less":
        w, weak = condition[1:]
        return [(w if truth else minus(w), weak is not truth)]
    if (condition[0] == "and") is truth or len(condition) == 2:  # all hold, or all fail
        return [pair for part in condition[1:] for pair in compared(part, truth)]
    return []


def comparison(condition: Any, truth: bool = True) -> list[tuple[Node, bool]]:
    """w, and whether 0 < w rather than 0 <= w, where the condition is equivalent to that; else
    []."""
    condition = bared(condition)
    while len(condition) == 2:
        condition, truth = bared(condition[1]), truth is not (condition[0] == "not")
    return compared(condition, truth) if condition[0] == "less" else []


def exhaustive(conditions: Iterable[Any]) -> bool:
    """Whether one of two of the conditions holds at almost every radius: 0 < w and 0 < -w, where w
    is a rational function other than 0, or either allows 0."""
    found = [pair for c in conditions for pair in comparison(c)]
    for i, (w, strict) in enumerate(found):
        top = polynomial(w)
        for v, other in found[:i]:
            few = not strict or not other or (top is not None and bool(top[0]))
            if few and same(v, minus(w)):
                return True
    return False
