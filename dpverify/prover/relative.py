"""Sums of exponentials of both signs, such as exp(-r) - exp(-2*r), as one of them times the others beside it."""

from __future__ import annotations

from flint import fmpq

from dpverify.enclosures.nodes import MINUS, Node, add, factors_of, kinds, mul, num, positive_by_form, same
from dpverify.prover.monotone import direction
from dpverify.prover.vertices import replaced


def with_relative(node: Node) -> Node:
    """The tree with e^u (1 - e^(v - u)) in the place of e^u - e^v, where v - u is shorter than v and u; a sum whose
    form shows that it rises, or falls, stays."""
    return replaced(node, _beside_one)


def _beside_one(node: Node) -> Node | None:
    if node.kind != "add" or positive_by_form(node) or direction(node) is not None:
        return None
    parts = [_parted(with_relative(term)) for term in node.args]
    signed = [positive_by_form(w) for _, w in parts]
    if not all("r" in kinds(v) for v, _ in parts) or True not in signed:
        return None
    first = parts[signed.index(True)][0]
    gaps = [_gap(v, first) for v, _ in parts]
    if not any(0 < _length(gap) < _length(v) + _length(first) for (v, _), gap in zip(parts, gaps, strict=True)):
        return None
    left = add(*(mul(w, _exp(gap)) for (_, w), gap in zip(parts, gaps, strict=True)))
    return mul(_exp(first), left)


def _parted(term: Node) -> tuple[Node, Node]:
    """v and w, where a term is e^v w and no factor of w is an exponential."""
    factors = factors_of(term)
    exponents = [factor.args[0] for factor in factors if factor.kind == "exp"]
    return add(*exponents), mul(*(factor for factor in factors if factor.kind != "exp"))


def _gap(v: Node, u: Node) -> Node:
    """v - u, the multiples of each part gathered."""
    found: list[tuple[Node, fmpq]] = []
    for term in _terms(add(v, mul(MINUS, u))):
        scaled = term.kind == "mul" and term.args[0].kind == "num"
        c, part = (term.args[0].args[0], mul(*term.args[1:])) if scaled else (fmpq(1), term)
        place = next((i for i, (known, _) in enumerate(found) if same(part, known)), None)
        if place is None:
            found.append((part, c))
        else:
            found[place] = part, found[place][1] + c
    return add(*(mul(num(c), part) for part, c in found))


def _exp(exponent: Node) -> Node:
    return num(1) if exponent.kind == "num" and not exponent.args[0] else Node("exp", exponent)


def _terms(node: Node) -> tuple[Node, ...]:
    return node.args if node.kind == "add" else (node,)


def _length(node: Node) -> int:
    return 0 if node.kind == "num" and not node.args[0] else len(_terms(node))
