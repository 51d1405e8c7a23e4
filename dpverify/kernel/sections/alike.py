"""Sums in which one part occurs more than once, such as r - (r - floor(r))."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, add, mul, num, same
from .algebra import each_renewed
from .charts import REWRITINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K321")
def gathered(node: Node) -> Node:
    """A sum with its multiples of one part gathered.

    Lemma.  c_1 u + ... + c_n u = (c_1 + ... + c_n) u wherever u has a value.
    """
    parts = multiples(node) if node.kind == "add" else []
    more = 0 < len(parts) < len(node.args)
    require(more, "a node is no sum in which a part occurs more than once")
    return add(*(mul(num(c), u) if c else num(0) for u, c in parts))


def multiples(node: Node) -> list[tuple[Node, Fraction]]:
    """The different parts of a sum, each with how often it occurs in it."""
    found: list[tuple[Node, Fraction]] = []
    for term in node.args:
        scaled = term.kind == "mul" and term.args[0].kind == "num"
        c, u = (term.args[0].args[0], mul(*term.args[1:])) if scaled else (Fraction(1), term)
        known = next((i for i, (v, _) in enumerate(found) if same(u, v)), None)
        if known is None:
            found.append((u, c))
        else:
            found[known] = u, found[known][1] + c
    return found


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the sums of these numbers gathered."""
    return each_renewed(tree, given, "alike", gathered)


REWRITINGS["alike"] = rewritten
