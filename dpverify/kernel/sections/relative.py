"""Sums of exponentials of both signs, such as exp(-r) - exp(-2*r), as one of them times what is
left of all of them beside it: near r = 0 the logarithms of the terms are alike, and that of the
sum is far from them."""

from __future__ import annotations

from ..rules import require, rule
from ..tree import Node, add, minus, mul, num
from .algebra import each_renewed
from .alike import multiples
from .charts import REWRITINGS
from .common import constant
from .shapes import factors_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K562")
def beside_one(node: Node) -> Node:
    """A sum of terms that all have exponentials as one of these times what is left.

    Lemma.  e^v_1 w_1 + ... + e^v_n w_n = e^u (e^(v_1 - u) w_1 + ... + e^(v_n - u) w_n) wherever u
    and every v_i and w_i have a value.
    """
    parts = [parted(term) for term in node.args] if node.kind == "add" else []
    moving = bool(parts) and not any(constant(v) for v, _ in parts)
    require(moving, "a node is no sum of terms that all have exponentials")
    first = next((v for v, w in parts if w.positive), None)
    require(first is not None, "no term of a sum is positive by its form")
    assert first is not None
    left = add(*(mul(w, exponential(gap(v, first))) for v, w in parts))
    return mul(Node("exp", first), left)


def parted(term: Node) -> tuple[Node, Node]:
    """v and w, where a term is e^v w and no factor of w is an exponential."""
    factors = factors_of(term)
    exponents = [factor.args[0] for factor in factors if factor.kind == "exp"]
    return add(*exponents), mul(*(factor for factor in factors if factor.kind != "exp"))


def gap(v: Node, u: Node) -> Node:
    """v - u, the multiples of each part gathered (K321)."""
    found = add(v, minus(u))
    if found.kind != "add":
        return found
    return add(*(mul(num(c), part) for part, c in multiples(found) if c))


def exponential(exponent: Node) -> Node:
    nothing = exponent.kind == "num" and exponent.args[0] == 0
    return num(1) if nothing else Node("exp", exponent)


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the sums of these numbers as one exponential times what is left."""
    return each_renewed(tree, given, "relative", beside_one)


REWRITINGS["relative"] = rewritten
