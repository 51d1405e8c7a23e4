"""Parts of a maximum that never exceed another one, and branches that are never chosen, left out of a tree."""

from __future__ import annotations

from typing import Any

from dpverify.enclosures.nodes import MINUS, Node, add, factors_of, mul, same
from dpverify.prover.alike import with_alike
from dpverify.prover.extents import above_zero, not_negative
from dpverify.prover.vertices import replaced


def without_unreached(node: Node) -> Node:
    """The tree without them; conditions stay as they are."""
    return replaced(node, _without)


def _without(node: Node) -> Node | None:
    found = _reached(node) if node.kind == "max" else _chosen(node) if node.kind == "piece" else None
    return None if found is None else without_unreached(found)


def _reached(node: Node) -> Node | None:
    kept = list(node.args)
    for v in node.args:
        others = [u for u in kept if u is not v]
        if any(_not_less(u, v) for u in others):
            kept = others
    if len(kept) == len(node.args):
        return None
    return kept[0] if len(kept) == 1 else Node("max", *kept)


def _not_less(u: Node, v: Node) -> bool:
    """Whether the form shows that u >= v."""
    mine, other, shared = list(factors_of(u)), list(factors_of(v)), []
    for factor in factors_of(u):
        met = next((f for f in other if same(f, factor)), None)
        if met is not None and factor.kind != "num":
            shared.append(factor)
            mine.remove(factor)  # once: the same node may stand in a product twice
            other.remove(met)
    if not_negative(mul(*shared)) and not_negative(_difference(mul(*mine), mul(*other))):
        return True
    return not_negative(_difference(u, v))


def _difference(u: Node, v: Node) -> Node:
    return with_alike(add(u, mul(MINUS, v)))


def _chosen(node: Node) -> Node | None:
    kept = []
    for value, condition in node.args:
        truth = _always(condition)
        if truth is not False:
            kept.append((value, condition))
        if truth:
            break
    if not 0 < len(kept) < len(node.args):
        return None
    return kept[0][0] if _always(kept[0][1]) else Node("piece", *kept)


def _always(condition: tuple[Any, ...]) -> bool | None:
    """Whether the form shows that a condition holds at every radius, or at none."""
    if condition[0] == "less":
        w = with_alike(condition[1])
        if not_negative(w) if condition[2] else above_zero(w):
            return True
        return False if (above_zero if condition[2] else not_negative)(mul(MINUS, w)) else None
    parts = [_always(part) for part in condition[1:]]
    if condition[0] == "not":
        return None if parts[0] is None else not parts[0]
    if condition[0] not in ("and", "or"):
        return True if condition[0] == "true" else None
    decisive = condition[0] == "or"
    return decisive if decisive in parts else None if None in parts else not decisive
