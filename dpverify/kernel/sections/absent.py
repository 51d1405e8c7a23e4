"""What cancels or does not matter: beside the factor 0, with the exponent 0, or over itself."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, minus, mul, num, power, same
from .algebra import each_renewed
from .charts import REWRITINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K480")
def cancelled(node: Node) -> Node:
    """A power with the exponent 0 as 1, a product with the factor 0 as 0, and one that has several
    powers of one base with one power of it.

    Lemma.  Where u has a value, 0 u = 0; where u^0 has one, it is 1; where u^a and u^b have values,
    u^a u^b = u^(a+b), or 1 for a + b = 0; and e^(-u) = (e^u)^-1.  That every part of what was typed
    has a value at almost every radius is asked of the text, and not of the tree that is left (K4).
    """
    if node.kind == "pow":
        require(not node.args[1], "a power has another exponent than 0")
        return num(1)
    require(node.kind == "mul", "a node is no product, and no power")
    if any(a.kind == "num" and not a.args[0] for a in node.args):
        return num(0)
    powers = gathered(node.args)
    require(len(powers) < len(node.args), "no two factors are powers of one base")
    return mul(*(power(base, p) for base, p in powers if p))


def gathered(factors: tuple[Node, ...]) -> list[tuple[Node, Fraction]]:
    """Each base once, with the sum of its exponents."""
    found: list[tuple[Node, Fraction]] = []
    for factor in factors:
        base, p = factor.args if factor.kind == "pow" else (factor, Fraction(1))
        for i, (known, q) in enumerate(found):
            sign = times(known, base)
            if sign:
                found[i] = known, q + sign * p
                break
        else:
            found.append((base, p))
    return found


def times(known: Node, base: Node) -> int:
    """1 where the two are one base, -1 where they are e^u and e^(-u), else 0."""
    if same(known, base):
        return 1
    exponentials = known.kind == base.kind == "exp"
    return -1 if exponentials and same(known.args[0], minus(base.args[0])) else 0


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with what is left of the nodes of these numbers, one after another."""
    return each_renewed(tree, given, "absent", cancelled)


REWRITINGS["absent"] = rewritten
