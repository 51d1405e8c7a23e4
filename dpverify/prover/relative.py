"""Sums of exponentials of both signs, such as exp(-r) - exp(-2*r), as one of them times the others beside it."""

from __future__ import annotations

from dpverify.enclosures.nodes import MINUS, Node, add, factors_of, kinds, mul, num, positive_by_form
from dpverify.prover.alike import multiples
from dpverify.prover.monotone import direction
from dpverify.prover.vertices import replaced


def with_relative(node: Node) -> Node:
    """The tree with e^u (1 - e^(v - u)) in the place of e^u - e^v, where v - u is shorter than v and u; a sum whose
    form shows that it rises, or falls, stays."""
    return replaced(node, _beside_one)


def _beside_one(node: Node) -> Node | None:
    if node.kind != "add" or positive_by_form(node) or direction(node) is not None:
        return None
    parts = [_parted(term) for term in node.args]
    first = next((v for v, w in parts if positive_by_form(w)), None)
    if first is None or not all("r" in kinds(v) for v, _ in parts):
        return None
    gaps = [_gap(v, first) for v, _ in parts]
    if not any(0 < _length(gap) < _length(v) + _length(first) for (v, _), gap in zip(parts, gaps, strict=True)):
        return None
    left = add(*(mul(with_relative(w), _exp(gap)) for (_, w), gap in zip(parts, gaps, strict=True)))
    return mul(_exp(first), left)


def _parted(term: Node) -> tuple[Node, Node]:
    """v and w, where a term is e^v w and no factor of w is an exponential."""
    factors = factors_of(term)
    exponents = [factor.args[0] for factor in factors if factor.kind == "exp"]
    return add(*exponents), mul(*(factor for factor in factors if factor.kind != "exp"))


def _gap(v: Node, u: Node) -> Node:
    """v - u, the multiples of each part gathered."""
    found = add(v, mul(MINUS, u))
    return add(*(mul(num(c), part) for part, c in multiples(found))) if found.kind == "add" else found


def _exp(exponent: Node) -> Node:
    nothing = exponent.kind == "num" and not exponent.args[0]
    return num(1) if nothing else Node("exp", with_relative(exponent))


def _length(node: Node) -> int:
    nothing = node.kind == "num" and not node.args[0]
    return 0 if nothing else len(node.args) if node.kind == "add" else 1
