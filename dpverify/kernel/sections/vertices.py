"""Quadratic functions of r about their vertex, near which a sum hides that they are not 0."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, add, mul, num, power
from .algebra import each_renewed, quotient, root_of_r
from .charts import REWRITINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

@rule("K276")
def about_its_vertex(node: Node) -> Node:
    """A sum that is a quadratic function of r, as a square and a number.

    Lemma.  p r^2 + q r + s = p (r - v)^2 + (s - p v^2), v = -q/(2 p).
    """
    found = quadratic(node)
    require(found is not None, "a node is no sum that is quadratic in r")
    assert found is not None
    s, q, p = found
    v = -q / (2 * p)
    return add(mul(num(p), power(add(Node("r"), num(-v)), Fraction(2))), num(s - p * v * v))


def quadratic(node: Node) -> list[Fraction] | None:
    """The coefficients of a sum that is quadratic in r, the lowest first."""
    if node.kind != "add" or root_of_r(node) != 1:
        return None
    top, below = quotient(node, 1)
    return [c / below[0] for c in top] if len(top) == 3 and len(below) == 1 else None


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the sums of these numbers about their vertices."""
    return each_renewed(tree, given, "vertices", about_its_vertex)


REWRITINGS["vertices"] = rewritten
