"""Needs that their own guards meet: a square root of u under the condition that u is positive."""

from __future__ import annotations

from ..reader import Need
from ..rules import rule
from ..tree import Node, minus, same
from .conditions import compared, exhaustive
from .needs import MEETING
from .polynomials import polynomial


@rule("K99")
def met_by_guard(need: Need) -> bool:
    """A need that its own guard meets.

    Lemma.  Where a condition 0 < w or 0 <= w of the guard holds, or fails, w or -w is positive, or
    not negative.  A need for that sign of the same node is met at every radius at which it counts;
    where the sign leaves 0 open, the node is a rational function other than 0, with few zeros.  A
    branch holds almost everywhere where two of the conditions are 0 < w and 0 < -w for such a w, or
    0 <= w and 0 <= -w for any.
    """
    if need.kind == "branch":
        return exhaustive(need.node)
    found = polynomial(need.node) if isinstance(need.node, Node) else None
    isolated = found is not None and bool(found[0])
    for condition, truth in need.guard:
        for w, strict in compared(condition, truth):
            if same(w, need.node) and (strict or isolated or need.kind == "nonnegative"):
                return True
            if need.kind == "nonzero" and strict and same(w, minus(need.node)):
                return True
    return False


MEETING["guard"] = met_by_guard
