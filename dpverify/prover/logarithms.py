"""Differences of logarithms, such as log(2 + r) - log(1 + r), as the logarithm of one and a quotient."""

from __future__ import annotations

from flint import fmpq

from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import MINUS, Node, add, mul, num, power
from dpverify.prover.algebra import in_root, root_of_r
from dpverify.prover.analytic import quotient
from dpverify.prover.monotone import positive
from dpverify.prover.vertices import replaced


def with_logarithms(node: Node) -> Node:
    """The tree with log(1 + c/v) in the place of log u - log v, where u and v are positive and u = v + c, c > 0."""
    return replaced(node, _of_a_quotient)


def _of_a_quotient(node: Node) -> Node | None:
    if node.kind != "add" or len(node.args) != 2:
        return None
    for first, rest in (node.args, node.args[::-1]):
        second = mul(MINUS, rest)
        if first.kind == second.kind == "log":
            u, v = first.args[0], second.args[0]
            if not (positive(u) and positive(v)):
                continue
            for more, number, sign in ((u, v, num(1)), (v, u, MINUS)):
                w = _beyond(more, number)
                if w is not None:
                    return mul(sign, Node("log", add(num(1), mul(power(number, fmpq(-1)), w))))
            c = _apart(u, v)
            if c:
                whole = Node("log", add(num(1), mul(num(abs(c)), power(v if c > 0 else u, fmpq(-1)))))
                return whole if c > 0 else mul(MINUS, whole)
    return None


def _beyond(u: Node, c: Node) -> Node | None:
    """u - c, where c is a number and what is left is positive by its form and best known by its logarithm."""
    if c.kind != "num" or u.kind != "add":
        return None
    w = add(u, mul(MINUS, c))
    return w if w.exponential and positive(w) else None


def _apart(u: Node, v: Node) -> fmpq | None:
    """u - v, where it is a number."""
    left = add(u, mul(MINUS, v))
    q = root_of_r(left)
    if q is None:
        return None
    try:
        top, below = quotient(in_root(left, q))
    except Undecided:
        return None
    return top[0] / below[0] if top.degree() == below.degree() == 0 else None
