"""Differences of inverse tangents that nearly cancel, such as atan(1 + r) - atan(r), as one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from ..rules import require, rule
from ..tree import Node, add, factors_of, minus, mul, num, power, same
from .algebra import common_divisor, divided, each_renewed, in_r, quotient, root_of_r
from .charts import REWRITINGS
from .inverse import is_reciprocal, read_inverse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIGN = {"atan": 1, "acot": -1}


@rule("K460")
def of_one_angle(node: Node) -> Node:
    """A sum with each difference of inverse tangents in it as one inverse tangent.

    Lemma.  If u and v are positive by their form, s atan u - s atan v = s atan w and s acot v -
    s acot u = s atan w for w = (u - v)/(1 + u v) and any s; acot is pi/2 - atan (K220).  A w
    that is rational in a root of r stands in lowest terms; atan w is read as in K128, and where -w
    is the inverse of what is positive, as -atan(-w).
    """
    found = difference(node)
    require(found is not None, "a node has no difference of inverse tangents of what is positive")
    while found is not None:
        rest, s, w = found
        node, number = add(*rest, mul(s, angle(w))), node.number
        node.number = node.number or number
        found = difference(node)
    return node


def difference(node: Node) -> tuple[list[Node], Node, Node] | None:
    """The other terms, s and w, where two terms of a sum are s atan u and -s atan v, or so with
    acot."""
    angles = [(i, *angle) for i, term in enumerate(node.args) for angle in angles_of(term)] \
        if node.kind == "add" else []
    for (i, kind, u, s), (j, other, v, t) in combinations(angles, 2):
        if i != j and kind == other and same(s, minus(t)):
            rest = [term for k, term in enumerate(node.args) if k not in (i, j)]
            return rest, s, lowest(add(u, minus(v)), add(num(1), mul(u, v)), SIGN[kind])
    return None


def angles_of(term: Node) -> list[tuple[str, Node, Node]]:
    """The kind, u and s of each term s atan u or s acot u, u positive by its form."""
    parts = factors_of(term)
    return [(part.kind, part.args[0], mul(num(1), *parts[:i], *parts[i + 1:]))
            for i, part in enumerate(parts) if part.kind in SIGN and part.args[0].positive]


def lowest(over: Node, under: Node, sign: int) -> Node:
    """sign * over/under, in lowest terms where that is rational in a root of r."""
    whole = mul(num(sign), over, power(under, Fraction(-1)))
    q = root_of_r(whole)
    if q is None:
        return whole
    top, below = quotient(whole, q)
    if not top:
        return num(0)
    shared = common_divisor(top, below)
    top, below = divided(top, shared)[0], divided(below, shared)[0]
    c = below[-1]
    top, below = [x / c for x in top], [x / c for x in below]
    return mul(in_r(top, q), power(in_r(below, q), Fraction(-1)))


def angle(w: Node) -> Node:
    """atan w."""
    if w.kind == "num" and not w.args[0]:
        return w
    falls = is_reciprocal(minus(w))
    return minus(read_inverse("atan", minus(w))) if falls else read_inverse("atan", w)


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the differences in the sums of these numbers as one."""
    return each_renewed(tree, given, "angles", of_one_angle)


REWRITINGS["angles"] = rewritten
