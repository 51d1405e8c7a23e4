"""Sums in which one part occurs more than once, such as r - (r - floor(r)), with its multiples gathered."""

from __future__ import annotations

from flint import fmpq

from dpverify.enclosures.nodes import Node, add, mul, num, same
from dpverify.prover.vertices import replaced


def with_alike(node: Node) -> Node:
    """The tree with (c + k) u in the place of c u + k u."""
    return replaced(node, _gathered)


def _gathered(node: Node) -> Node | None:
    if node.kind != "add":
        return None
    found = multiples(node)
    if len(found) == len(node.args):
        return None
    return add(*(mul(num(c), with_alike(u)) if c else num(0) for u, c in found))


def multiples(node: Node) -> list[tuple[Node, fmpq]]:
    """The different parts of a sum, each with how often it occurs in it."""
    found: list[tuple[Node, fmpq]] = []
    for term in node.args:
        scaled = term.kind == "mul" and term.args[0].kind == "num"
        c, u = (term.args[0].args[0], mul(*term.args[1:])) if scaled else (fmpq(1), term)
        known = next((i for i, (v, _) in enumerate(found) if same(u, v)), None)
        if known is None:
            found.append((u, c))
        else:
            found[known] = u, found[known][1] + c
    return found
