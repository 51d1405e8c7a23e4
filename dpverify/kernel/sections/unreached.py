"""Parts of a maximum that never exceed another one, and branches that are never chosen."""

from __future__ import annotations

from ..rules import require, rule
from ..tree import Node, add, minus, mul, num, same
from .absent import LEFT
from .alike import multiples
from .extents import not_negative
from .positivity import positive
from .shapes import factors_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K500")
def reached(node: Node) -> Node:
    """A maximum without the parts that another one is never less than.

    Lemma.  u - v, with multiples of each part put together (K321), is by its form (extents.py, and
    K481) nowhere negative; or so is u' - v' where u = w u' and v = w v', w by its form nowhere
    negative.  So u >= v wherever both have values, and a maximum of u, v and others is that of u
    and the others.
    """
    kept = list(node.args)
    for v in node.args:
        others = [u for u in kept if u is not v]
        if any(not_less(u, v) for u in others):
            kept = others
    require(len(kept) < len(node.args), "no part of a maximum is always below another one")
    return kept[0] if len(kept) == 1 else Node("max", *kept)


def not_less(u: Node, v: Node) -> bool:
    """Whether the form shows that u >= v."""
    mine, other, shared = list(factors_of(u)), list(factors_of(v)), []
    for factor in factors_of(u):
        met = next((f for f in other if same(f, factor)), None)
        if met is not None and factor.kind != "num":
            shared.append(factor)
            mine.remove(factor)  # once: the same node may stand in a product twice
            other.remove(met)
    if not_negative(mul(*shared)) and not_negative(difference(mul(*mine), mul(*other))):
        return True
    return not_negative(difference(u, v))


def difference(u: Node, v: Node) -> Node:
    found = add(u, minus(v))
    parts = multiples(found) if found.kind == "add" else []
    return add(*(mul(num(c), part) for part, c in parts)) if parts else found


@rule("K501")
def chosen(node: Node) -> Node:
    """A Piecewise without the branches that are never chosen.

    Lemma.  A condition 0 < w, or 0 <= w, holds at every radius where the form of w shows it
    positive, or nowhere negative, and at none where it shows -w nowhere negative, or positive; so
    for "and", "or" and "not" (where its parts have values, as is asked apart).  A branch whose
    condition holds nowhere is never chosen, and none is behind one whose condition holds always.
    """
    kept = []
    for value, condition in node.args:
        truth = always(condition)
        if truth is not False:
            kept.append((value, condition))
        if truth:
            break
    require(0 < len(kept) < len(node.args), "every branch may be chosen")
    found: Node = kept[0][0] if always(kept[0][1]) else Node("piece", *kept)
    return found


def always(condition: Any) -> bool | None:
    """Whether the form shows that a condition holds at every radius, or at none."""
    if condition[0] == "less":
        w = difference(condition[1], num(0))
        if not_negative(w) if condition[2] else positive(w):
            return True
        return False if (positive if condition[2] else not_negative)(minus(w)) else None
    parts = [always(part) for part in condition[1:]]
    if condition[0] == "not":
        return None if parts[0] is None else not parts[0]
    decisive = condition[0] == "or"
    return decisive if decisive in parts else None if None in parts else not decisive


LEFT["max"] = reached
LEFT["piece"] = chosen
