"""Floors of bounded waves as pieces, and sums with a piece as a piece of sums.

Far out a sum with a piece is known no better than its branches' hull, and the loss that divides two of its values
no better than by the least and the largest of them; a piece of sums is taken apart branch by branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from flint import fmpq

from dpverify.enclosures.conditions import compared, comparison
from dpverify.enclosures.nodes import MINUS, Node, add, factors_of, mul, num, same
from dpverify.prover.analytic import analytic, isolated_zeros

MOST_STEPS, MOST_BRANCHES = 40, 256
TRUE = ("true",)


def heights(node: Node) -> tuple[fmpq, fmpq] | None:
    """c - A and c + A, where the node is c and waves whose amplitudes add up to A; else None."""
    middle = reach = fmpq(0)
    for term in node.args if node.kind == "add" else (node,):
        parts = factors_of(term)
        size = parts[0].args[0] if parts[0].kind == "num" else fmpq(1)
        rest = parts[1:] if parts[0].kind == "num" else parts
        if not rest:
            middle += size
        elif len(rest) == 1 and rest[0].kind in ("sin", "cos"):
            reach += abs(size)
        else:
            return None
    return middle - reach, middle + reach


def steps_of_waves(node: Node) -> Node | None:
    """floor(v) as a piece, where v is a number and waves, and so is at its highest almost nowhere; else None."""
    bounds = heights(node.args[0]) if node.kind == "floor" else None
    if bounds is None:
        return None
    v, (low, high) = node.args[0], bounds
    first, last = int(low.floor()), int(high.ceil()) - 1
    if last - first > MOST_STEPS or not (analytic(v) and isolated_zeros(add(num(high), mul(MINUS, v)))):
        return None
    steps = [(num(n), ("less", add(v, num(-n)), True)) for n in range(last, first, -1)]
    return Node("piece", *steps, (num(first), TRUE)) if steps else num(first)


def spread(node: Node, known: tuple[tuple[Node, bool], ...] = ()) -> Node | None:
    """A sum, a term of which is a product with a piece, as a piece of sums, where the `known` nodes are not negative,
    or positive; None for any other node."""
    terms = node.args if node.kind == "add" else (node,)
    for i, term in enumerate(terms if node.kind == "add" or known else ()):
        parts = factors_of(term)
        part = next((p for p in parts if _branches(p) > 1), None)
        scaled = len(parts) == 1 or (len(parts) == 2 and parts[0].kind == "num")
        if part is None or not (scaled or _branches(node) <= MOST_BRANCHES):
            continue
        piece = part if part.kind == "piece" else spread(part, known)
        if piece is None:
            continue
        sums: list[tuple[Node, Any]] = []
        for value, condition in piece.args if piece.kind == "piece" else ((piece, TRUE),):
            truth = _decided(condition, known)
            if truth is False:
                continue
            zero = value.kind == "num" and value.args[0] == 0
            product = value if zero else mul(*(value if p is part else p for p in parts))
            total, inner = add(*terms[:i], product, *terms[i + 1 :]), compared(condition, True)
            total = spread(total, (*known, *inner)) or total
            sums.append((total, TRUE if truth else condition))
            if truth:
                break
            known = (*known, *compared(condition, False))
        if sums:
            return sums[0][0] if sums[0][1] == TRUE else Node("piece", *sums)
    return None


def _branches(node: Node) -> int:
    """How many branches a piece of sums may have, of a node without a piece 1."""
    if node.kind == "piece":
        return len(node.args)
    return prod(map(_branches, node.args)) if node.kind in ("add", "mul") else 1


def _decided(condition: Any, known: Sequence[tuple[Node, bool]]) -> bool | None:
    """Whether a condition holds where these nodes are not negative, or positive; None where that does not tell."""
    for w, strict in comparison(condition):
        for v, positive in known:
            if same(v, w) and (positive or not strict):
                return True
            if same(v, mul(MINUS, w)) and (positive or strict):
                return False
    return None


def in_pieces(node: Node) -> Node:
    """The tree with pieces in the place of floors of waves, and of the sums with a piece that are its factors."""
    return _spread_factors(_with_steps(node))


def _with_steps(node: Node) -> Node:
    found = steps_of_waves(node)
    if found is not None:
        return found
    parts = [_with_steps(a) if isinstance(a, Node) else (_with_steps(a[0]), a[1]) if isinstance(a, tuple) else a
             for a in node.args]  # fmt: skip
    same = all(a is b or (isinstance(a, tuple) and a[0] is b[0]) for a, b in zip(parts, node.args, strict=True))
    return node if same else _joined(node.kind, parts)


def _joined(kind: str, parts: list[Any]) -> Node:
    return add(*parts) if kind == "add" else mul(*parts) if kind == "mul" else Node(kind, *parts)


def _spread_factors(node: Node) -> Node:
    """The factors of f, and what powers among them are taken of."""
    if node.kind == "mul":
        parts = [_spread_factors(a) for a in node.args]
        return node if all(a is b for a, b in zip(parts, node.args, strict=True)) else Node("mul", *parts)
    if node.kind == "pow":
        base = _spread_factors(node.args[0])
        return node if base is node.args[0] else Node("pow", base, node.args[1])
    return spread(node) or node
