"""Differences of inverse tangents that nearly cancel, such as atan(1 + r) - atan(r), as one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from ..reader import Need
from ..rules import require, rule
from ..tree import Node, add, minus, mul, num, power, same
from .algebra import common_divisor, divided, each_renewed, in_r, met_by_algebra, quotient
from .algebra import root_of_r
from .charts import REWRITINGS
from .inverse import is_reciprocal, read_inverse
from .shapes import factors_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

@rule("K460")
def of_one_angle(node: Node) -> Node:
    """A sum with each difference of inverse tangents in it as one inverse tangent.

    Lemma.  If 1 + u v is positive by its form, or by algebra (K103), atan u - atan v = atan w and
    acot v - acot u = atan w for w = (u - v)/(1 + u v); acot is pi/2 - atan (K220).  So
    a s atan u - b s atan v is m s atan w and what is left, m being the smaller of a, b > 0.  A w
    that is rational in a root of r stands in lowest terms; atan w is read as in K128, and where -w
    is the inverse of what is positive, as -atan(-w).
    """
    found = difference(node)
    require(found is not None, "a node has no difference of inverse tangents")
    while found is not None:
        node, number = add(*found), node.number
        node.number = node.number or number
        found = difference(node)
    return node


def difference(node: Node) -> list[Node] | None:
    """The terms of a sum, those that hold atan u and -atan v as one and what is left of them."""
    angles = [(i, *angle) for i, term in enumerate(node.args) for angle in angles_of(term)] \
        if node.kind == "add" else []
    for (i, one, a, s), (j, other, b, t) in combinations(angles, 2):
        if i == j or one.kind != other.kind or a * b >= 0 or not same(s, t):
            continue
        first, second = (one, other) if (a > 0) is (one.kind == "atan") else (other, one)
        u, v = first.args[0], second.args[0]
        under = add(num(1), mul(u, v))
        if under.positive or met_by_algebra(Need("positive", under, ())):
            w, m = lowest(add(u, minus(v)), under), min(abs(a), abs(b))
            rest = [term for k, term in enumerate(node.args) if k not in (i, j)]
            left = [mul(num(a + b), s, one if abs(a) > abs(b) else other)] if a + b else []
            return [*rest, *left, mul(num(m), s, angle(w))]
    return None


def angles_of(term: Node) -> list[tuple[Node, Fraction, Node]]:
    """Each atan u or acot u that is a factor of a term, the term's number and its other factors."""
    parts = factors_of(term)
    numbers = [part.args[0] for part in parts if part.kind == "num"]
    others = [part for part in parts if part.kind != "num"]
    return [(part, Fraction(numbers[0] if numbers else 1),
             mul(num(1), *(other for other in others if other is not part)))
            for part in others if part.kind in ("atan", "acot")]


def lowest(over: Node, under: Node) -> Node:
    """over/under, in lowest terms where that is rational in a root of r."""
    whole = mul(over, power(under, Fraction(-1)))
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
