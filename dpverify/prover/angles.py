"""Differences of inverse tangents, such as atan(1 + r) - atan(r), as one: far out they cancel."""

from __future__ import annotations

from itertools import combinations

from flint import fmpq

from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import is_reciprocal
from dpverify.enclosures.nodes import MINUS, ONE, Node, add, factors_of, mul, num, power, same
from dpverify.prover.algebra import in_r, in_root, never_negative, root_of_r
from dpverify.prover.analytic import quotient
from dpverify.prover.monotone import positive
from dpverify.prover.vertices import replaced


def with_angles(node: Node) -> Node:
    """The tree with s atan((u - v)/(1 + u v)) in the place of s atan u - s atan v, where 1 + u v is positive."""
    return replaced(node, _of_one_angle)


def _of_one_angle(node: Node) -> Node | None:
    found = _difference(node)
    return None if found is None else with_angles(add(*found))


def _difference(node: Node) -> list[Node] | None:
    """The terms of a sum, those that hold atan u and -atan v as one and what is left of them."""
    if node.kind != "add":
        return None
    angles = [(i, *angle) for i, term in enumerate(node.args) for angle in _angles_of(term)]
    for (i, one, a, s), (j, other, b, t) in combinations(angles, 2):
        if i == j or one.kind != other.kind or a * b >= 0 or not same(s, t):
            continue
        first, second = (one, other) if (a > 0) is (one.kind == "atan") else (other, one)
        u, v = first.args[0], second.args[0]
        under = add(ONE, mul(u, v))
        w = _lowest(add(u, mul(MINUS, v)), under) if positive(under) or never_negative(under) else None
        if w is not None:
            rest = [term for k, term in enumerate(node.args) if k not in (i, j)]
            left = [mul(num(a + b), s, one if abs(a) > abs(b) else other)] if a + b != 0 else []
            return [*rest, *left, mul(num(min(abs(a), abs(b))), s, _angle(w))]
    return None


def _angles_of(term: Node) -> list[tuple[Node, fmpq, Node]]:
    """Each atan u or acot u that is a factor of a term, the term's number and its other factors."""
    parts = factors_of(term)
    numbers = [part.args[0] for part in parts if part.kind == "num"]
    others = [part for part in parts if part.kind != "num"]
    return [
        (part, numbers[0] if numbers else fmpq(1), mul(ONE, *(other for other in others if other is not part)))
        for part in others
        if part.kind in ("atan", "acot")
    ]


def _lowest(over: Node, under: Node) -> Node | None:
    """over/under, in lowest terms where that is rational in a root of r; None where it is too large."""
    whole = mul(over, power(under, fmpq(-1)))
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
