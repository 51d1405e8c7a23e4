"""Differences of roots that nearly cancel, as what is left of them over the roots' sum."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, add, minus, mul, num, power, walk
from .algebra import each_renewed, in_r, quotient, root_of_r
from .charts import REWRITINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

@rule("K277")
def over_the_sum(node: Node) -> Node:
    """A difference u - v of positive u and v, as (c/p)/(u + v).

    Lemma.  If u and v are positive by their form and u^2 - v^2 = c/p, p a polynomial in a root of r
    whose coefficients are not negative and c a number, or p = 1 and c without r, or p = 1 and c
    such a polynomial or minus one, then u - v = (c/p)/(u + v).
    """
    pair = difference(node)
    require(pair is not None, "a node is no difference of what is positive")
    assert pair is not None
    left = remainder(*pair)
    require(left is not None, "the squares of a difference leave more than c/p")
    assert left is not None
    return mul(left, power(add(*pair), Fraction(-1)))


def difference(node: Node) -> tuple[Node, Node] | None:
    """u and v where the node is u - v and both are positive by their form."""
    if node.kind != "add" or root_of_r(node) is not None:
        return None
    over = [term for term in node.args if term.positive]
    under = [minus(term) for term in node.args if not term.positive]
    both = over and under and all(term.positive for term in under)
    return (add(*over), add(*under)) if both else None


def remainder(u: Node, v: Node) -> Node | None:
    """c/p where u^2 - v^2 is that: c without r, and a number where p is not 1; or a polynomial."""
    square = add(power(u, Fraction(2)), minus(power(v, Fraction(2))))
    terms = square.args if square.kind == "add" else (square,)
    still = [term for term in terms
             if term.kind != "num" and all(n.kind != "r" for n in walk(term))]
    rest = add(*(term for term in terms if term not in still))
    q = root_of_r(rest)
    if q is None:
        return None
    top, below = quotient(rest, q)
    if len(top) > 1:
        lower = len(below) == 1 and not still and len(top) - 1 < growth(power(v, Fraction(2))) * q
        lower = lower and (all(c >= 0 for c in top) or all(c <= 0 for c in top))
        return in_r([c / below[0] for c in top], q) if lower else None
    if not (all(c >= 0 for c in below) or all(c <= 0 for c in below)):
        return None
    sign = 1 if below[-1] > 0 else -1
    c, p = num(sign * top[0] if top else 0), in_r([sign * c for c in below], q)
    if still and p.kind != "num":
        return None
    return add(mul(c, power(p, Fraction(-1))), *still)


def growth(node: Node) -> Fraction:
    """The degree of a rational function of a root of r; 0 of anything else."""
    q = root_of_r(node)
    if q is None:
        return Fraction(0)
    top, below = quotient(node, q)
    return Fraction(len(top) - len(below), q)


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the differences of these numbers as quotients."""
    return each_renewed(tree, given, "conjugates", over_the_sum)


REWRITINGS["conjugates"] = rewritten
