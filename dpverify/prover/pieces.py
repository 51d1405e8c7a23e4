"""Floors of bounded waves as pieces, and sums with a piece as a piece of sums.

Far out a sum with a piece is known no better than its branches' hull, and the loss that divides two of its values
no better than by the least and the largest of them; a piece of sums is taken apart branch by branch.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from dpverify.enclosures.nodes import MINUS, Node, add, factors_of, mul, num
from dpverify.prover.analytic import analytic, isolated_zeros

MOST_STEPS = 40
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


def spread(node: Node) -> Node | None:
    """A sum, a term of which is a multiple of a piece, as a piece of sums; None for any other node."""
    for i, term in enumerate(node.args if node.kind == "add" else ()):
        parts = factors_of(term)
        piece = next((part for part in parts if part.kind == "piece"), None)
        if piece is None or len(parts) > 2 or (len(parts) == 2 and parts[0].kind != "num"):
            continue
        rest = node.args[:i] + node.args[i + 1 :]
        sums = [
            (add(*rest, mul(*(value if part is piece else part for part in parts))), condition)
            for value, condition in piece.args
        ]
        return Node("piece", *((spread(s) or s, condition) for s, condition in sums))
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
