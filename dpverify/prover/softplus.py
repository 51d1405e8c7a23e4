"""log(1 + e^t) as a factor of f, where t falls: its logarithm is t and little more, which t keeps exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpverify.asymptotics import CONSTANT, Germ, Model
from dpverify.enclosures import Evaluation, Undecided
from dpverify.enclosures.nodes import MINUS, Node, add, mul
from dpverify.prover.monotone import positive

AT, ORDER = (Fraction(2**6), Fraction(2**20), Fraction(2**40)), 3
"""From where on t is seen to fall, and how well: iterated logarithms are orderly only far out."""


def with_softplus(node: Node) -> Node:
    """The tree with log(1 + e^t) as one function wherever log f is made of its own, and t falls like a power."""
    if node.kind == "mul":
        parts = [with_softplus(a) for a in node.args]
        return mul(*parts) if any(a.kind == "mul" for a in parts) else Node("mul", *parts)
    if node.kind == "pow":
        return Node("pow", with_softplus(node.args[0]), node.args[1])
    if node.kind != "log":
        return node
    if (rest := beside_one(node.args[0])) is not None and falls_away(rest):
        return Node("softplus", Node("log", rest))
    if (rest := less_than_one(node.args[0])) is not None and falls_away(rest) and falls_away(node.args[0], False):
        beyond = mul(MINUS, Node("log", node.args[0]))
        return mul(MINUS, Node("softplus", add(Node("log", rest), beyond)))
    return node


def beside_one(node: Node) -> Node | None:
    """v where the node is 1 + v and v is positive and best known by its logarithm; else None."""
    if node.kind != "add" or not any(a.kind == "num" and a.args[0] == 1 for a in node.args):
        return None
    rest = add(*(a for a in node.args if a.kind != "num"))
    return rest if rest.exponential and positive(rest) else None


def less_than_one(node: Node) -> Node | None:
    """v where the node is 1 - v and v is positive and best known by its logarithm; else None."""
    if node.kind != "add" or not any(a.kind == "num" and a.args[0] == 1 for a in node.args):
        return None
    v = mul(MINUS, add(*(a for a in node.args if a.kind != "num")))
    return v if v.exponential and positive(v) else None


def falls_away(node: Node, far_out: bool = True) -> bool:
    """Whether the logarithm tends to -oo like a power of r (`far_out`), and to a constant at the centre."""
    far = _leading(node, 1)
    near = _leading(node, -1)
    if far is None or near is None:
        return False
    power, c = far
    return (bool(power[1] > 0 and c < 0) or not far_out) and near[0] <= CONSTANT


def _leading(node: Node, p: int) -> tuple[Any, Any] | None:
    """The leading power and coefficient of the node's logarithm where r = t^p, from the first radius that does."""
    for at in AT:
        try:
            power, c = Evaluation(Model.power_of_t(Germ(at, ORDER), p)).log(node)[1].leading()
            return power, c
        except Undecided:
            continue
    return None
