"""Differences of roots, such as sqrt(1 + y) - r, as what is left of them over the roots' sum: far out they cancel."""

from __future__ import annotations

from flint import fmpq

from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import MINUS, Node, add, kinds, mul, num, power
from dpverify.prover.algebra import in_root, root_of_r
from dpverify.prover.analytic import quotient
from dpverify.prover.monotone import positive
from dpverify.prover.vertices import replaced


def with_conjugates(node: Node) -> Node:
    """The tree with c/(p (u + v)) in the place of u - v, where u and v are positive and u^2 - v^2 = c/p."""
    return replaced(node, _over_the_sum)


def _over_the_sum(node: Node) -> Node | None:
    if node.kind != "add" or root_of_r(node) is not None:
        return None
    over = [term for term in node.args if positive(term)]
    under = [mul(MINUS, term) for term in node.args if not positive(term)]
    if not (over and under and all(map(positive, under))):
        return None
    u, v = add(*over), add(*under)
    left = _left(u, v)
    return None if left is None else mul(left, power(add(u, v), fmpq(-1)))


def _left(u: Node, v: Node) -> Node | None:
    """u^2 - v^2 as c/p, p without a negative coefficient: c without r, and a number where p is not 1; or as a
    polynomial that grows more slowly than v^2."""
    square = add(power(u, fmpq(2)), mul(MINUS, power(v, fmpq(2))))
    terms = square.args if square.kind == "add" else (square,)
    still = [term for term in terms if term.kind != "num" and "r" not in kinds(term)]
    rest = add(*(term for term in terms if term not in still))
    q = root_of_r(rest)
    if q is None:
        return None
    try:
        top, below = quotient(in_root(rest, q))
    except Undecided:
        return None
    coefficients = list(below.coeffs())
    if top.degree() > 0:
        lower = below.degree() == 0 and not still and top.degree() < _growth(power(v, fmpq(2))) * q
        lower = lower and _of_one_sign(list(top.coeffs()))
        return _in_r([c / below[0] for c in top.coeffs()], q) if lower else None
    if not _of_one_sign(coefficients):
        return None
    if still:
        return add(num(top[0] / below[0]), *still) if below.degree() == 0 else None
    if top.degree() < 0:
        return num(0)
    return power(_in_r([c / top[0] for c in coefficients], q), fmpq(-1))


def _in_r(coefficients: list[fmpq], q: int) -> Node:
    return add(*(mul(num(c), power(Node("r"), fmpq(k, q))) for k, c in enumerate(coefficients) if c))


def _of_one_sign(coefficients: list[fmpq]) -> bool:
    return all(c >= 0 for c in coefficients) or all(c <= 0 for c in coefficients)


def _growth(node: Node) -> fmpq:
    """The degree of a rational function of a root of r; 0 of anything else."""
    q = root_of_r(node)
    if q is None:
        return fmpq(0)
    try:
        top, below = quotient(in_root(node, q))
    except Undecided:
        return fmpq(0)
    return fmpq(top.degree() - below.degree(), q)
