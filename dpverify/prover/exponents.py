"""Exponentials of multiples of logarithms, such as exp(log(1 + r)/2), as powers: of these far more is exact."""

from __future__ import annotations

from flint import fmpq

from dpverify.enclosures.nodes import Node, add, mul, power
from dpverify.prover.monotone import positive
from dpverify.prover.vertices import replaced


def with_exponents(node: Node) -> Node:
    """The tree with u^c e^w in the place of e^(c log u + w), u positive, but where log f is made of its logarithm."""
    if node.kind == "mul":
        return Node("mul", *map(with_exponents, node.args))
    if node.kind == "pow":
        return Node("pow", with_exponents(node.args[0]), node.args[1])
    if node.kind == "exp":
        return Node("exp", replaced(node.args[0], _as_powers))
    return replaced(node, _as_powers)


def _as_powers(node: Node) -> Node | None:
    if node.kind != "exp":
        return None
    powers, rest = [], []
    for term in node.args[0].args if node.args[0].kind == "add" else node.args:
        scaled = term.kind == "mul" and len(term.args) == 2 and term.args[0].kind == "num"
        c, inner = (term.args[0].args[0], term.args[1]) if scaled else (fmpq(1), term)
        if inner.kind == "log" and positive(inner.args[0]):
            powers.append(power(replaced(inner.args[0], _as_powers), c))
        else:
            rest.append(replaced(term, _as_powers))
    others = [Node("exp", add(*rest))] if rest else []
    return mul(*powers, *others) if powers else None
