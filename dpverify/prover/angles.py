"""Differences of inverse tangents, such as atan(1 + r) - atan(r), as one: far out they cancel."""

from __future__ import annotations

from itertools import combinations

from flint import fmpq

from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import is_reciprocal
from dpverify.enclosures.nodes import MINUS, ONE, Node, add, factors_of, mul, num, power, same
from dpverify.prover.algebra import in_r, in_root, root_of_r
from dpverify.prover.analytic import quotient
from dpverify.prover.monotone import positive
from dpverify.prover.vertices import replaced

SIGN = {"atan": 1, "acot": -1}


def with_angles(node: Node) -> Node:
    """The tree with s atan((u - v)/(1 + u v)) in the place of s atan u - s atan v, where u and v are positive."""
    return replaced(node, _of_one_angle)


def _of_one_angle(node: Node) -> Node | None:
    found = _difference(node)
    if found is None:
        return None
    rest, whole = found
    return with_angles(add(*rest, whole))


def _difference(node: Node) -> tuple[list[Node], Node] | None:
    """The other terms, and what two terms of a sum are together."""
    if node.kind != "add":
        return None
    angles = [(i, *angle) for i, term in enumerate(node.args) for angle in _angles_of(term)]
    for (i, kind, u, s), (j, other, v, t) in combinations(angles, 2):
        if i == j or kind != other or not same(s, mul(MINUS, t)):
            continue
        w = _lowest(add(u, mul(MINUS, v)), add(ONE, mul(u, v)), SIGN[kind])
        if w is not None:
            return [term for k, term in enumerate(node.args) if k not in (i, j)], mul(s, _angle(w))
    return None


def _angles_of(term: Node) -> list[tuple[str, Node, Node]]:
    """The kind, u and s of each atan u or acot u, u positive, that is a factor of s times it."""
    parts = factors_of(term)
    return [
        (part.kind, part.args[0], mul(ONE, *parts[:i], *parts[i + 1 :]))
        for i, part in enumerate(parts)
        if part.kind in SIGN and positive(part.args[0])
    ]


def _lowest(over: Node, under: Node, sign: int) -> Node | None:
    """sign * over/under, in lowest terms where that is rational in a root of r; None where it is too large."""
    whole = mul(num(sign), over, power(under, fmpq(-1)))
    q = root_of_r(whole)
    if q is None:
        return whole
    try:
        top, below = quotient(in_root(whole, q))
    except Undecided:
        return None
    if top.degree() < 0:
        return num(0)
    shared = top.gcd(below)
    top, below = top // shared, below // shared
    c = below.coeffs()[-1]
    return mul(in_r(top / c, q), power(in_r(below / c, q), fmpq(-1)))


def _angle(w: Node) -> Node:
    """atan w."""
    if w.kind == "num" and not w.args[0]:
        return w
    for sign in (ONE, MINUS):
        if is_reciprocal(mul(sign, w)):
            return mul(sign, Node("acot", power(mul(sign, w), fmpq(-1))))
    return Node("atan", w)
