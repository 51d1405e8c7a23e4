"""Needs that the form meets, since it shows a node positive where K5 does not."""

from __future__ import annotations

from fractions import Fraction

from ..reader import Need
from ..rules import rule
from ..tree import Node, add, never_negative, num
from .extents import extent, not_negative
from .needs import MEETING

LITTLE = Fraction(1, 10**6)


def positive(node: Node) -> bool:
    """As the lemma of K481 says."""
    low = extent(node)[0]
    if low is not None and low > 0:
        return True
    if node.positive or node.kind == "pow":
        return node.positive or positive(node.args[0])
    if node.kind in ("mul", "max"):
        return (all if node.kind == "mul" else any)(map(positive, node.args))
    if node.kind == "piece":
        return all(positive(value) for value, _ in node.args)
    parts = node.args if node.kind == "add" else ()
    return any(more_than_nothing(parts, i) for i in range(len(parts)))


def more_than_nothing(parts: tuple[Node, ...], i: int) -> bool:
    """Whether one part is positive, and the others, with most of a number, are never negative."""
    part, others = parts[i], parts[:i] + parts[i + 1 :]
    if part.kind == "num":
        others = (*others, num(part.args[0] * (1 - LITTLE)))
    return positive(part) and never_negative(add(*others))


@rule("K481")
def met_by_parts(need: Need) -> bool:
    """A need for a sign that the form shows positive in more ways than K5.

    Lemma.  Where it has a value, a sum is positive if one of its parts is and the others together
    are never negative (K5), or if it is a number a > 0 and what is never negative is the sum less
    a/10^6; products and powers of positive things are positive, a maximum of which one part is, and
    a Piecewise of which every branch is; and so is what its form shows to be at least a number
    above 0 (extents.py), which is not negative where that is 0.
    """
    if need.kind not in ("nonzero", "nonnegative", "positive"):
        return False
    return positive(need.node) or (need.kind == "nonnegative" and not_negative(need.node))


MEETING["form"] = met_by_parts
