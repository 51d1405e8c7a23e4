"""Quadratic functions of r that nearly touch zero, about their vertex: on a box near it a sum hides that they do not.

What is a square and a number already has no such sum in it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

from flint import fmpq

from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import Node, add, mul, num, power, walk
from dpverify.prover.algebra import root_of_r
from dpverify.prover.analytic import quotient

FOLDED: dict[str, Callable[..., Node]] = {"add": add, "mul": mul}
"""How nodes are made in which a number takes the place of a part, and meets others."""


def about_vertices(node: Node) -> Node:
    """The tree with p (r - v)^2 + w in the place of p r^2 + q r + s, where v, w and p are positive."""
    return replaced(node, _about_its_vertex)


def _about_its_vertex(node: Node) -> Node | None:
    found = vertex(node)
    if found is None:
        return None
    p, v, w = found
    return add(mul(num(p), power(add(Node("r"), num(-v)), fmpq(2))), num(w))


def replaced(node: Node, form: Callable[[Node], Node | None]) -> Node:
    """The tree with another form in the place of each part that has one; conditions stay as they are."""
    found = form(node)
    if found is not None:
        return found
    if node.kind in ("num", "r"):
        return node
    parts = [_part(a, form) for a in node.args]
    if all(map(is_, parts, node.args)):
        return node
    met = any(isinstance(a, Node) and a.kind == "num" and a is not b for a, b in zip(parts, node.args, strict=True))
    return FOLDED[node.kind](*parts) if met and node.kind in FOLDED else Node(node.kind, *parts)


def _part(part: Any, form: Callable[[Node], Node | None]) -> Any:
    """An argument of a node with the other forms in it, itself where it has none."""
    if isinstance(part, Node):
        return replaced(part, form)
    if not _branch(part):
        return part
    value = replaced(part[0], form)
    return part if value is part[0] else (value, *part[1:])


def vertex(node: Node) -> tuple[fmpq, fmpq, fmpq] | None:
    """p, v and w of such a sum; None for any other node."""
    if node.kind != "add" or root_of_r(node) != 1 or any(n.kind == "add" for a in node.args for n in walk(a)):
        return None
    try:
        top, below = quotient(node)
    except Undecided:
        return None
    if top.degree() != 2 or below.degree() != 0:
        return None
    s, q, p = (c / below[0] for c in top.coeffs())
    v = -q / (2 * p)
    w = s - p * v * v
    return (p, v, w) if p > 0 and v > 0 and w > 0 else None


def _branch(part: object) -> bool:
    return isinstance(part, tuple) and bool(part) and isinstance(part[0], Node)
