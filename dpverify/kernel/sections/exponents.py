"""Exponentials of multiples of logarithms, such as exp(log(1 + r)/2), as powers."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, add, mul, power
from .algebra import each_renewed
from .charts import REWRITINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K320")
def as_powers(node: Node) -> Node:
    """An exponential of multiples of logarithms, and of others, as powers and an exponential.

    Lemma.  If u_1, ..., u_n are positive by their form, then e^(c_1 log u_1 + ... + c_n log u_n +
    w) = u_1^c_1 ... u_n^c_n e^w for all rationals c_k.
    """
    parts = logarithms_of(node)
    require(parts is not None, "a node is no exponential of a logarithm of what is positive")
    assert parts is not None
    powers, rest = parts
    others = [Node("exp", add(*rest))] if rest else []
    return mul(*(power(u, c) for u, c in powers), *others)


def logarithms_of(node: Node) -> tuple[list[tuple[Node, Fraction]], list[Node]] | None:
    """u and c of each term c log u of an exponent, u positive by its form, and the other terms;
    None where there is no such term."""
    if node.kind != "exp":
        return None
    powers, rest = [], []
    for term in node.args[0].args if node.args[0].kind == "add" else node.args:
        scaled = term.kind == "mul" and len(term.args) == 2 and term.args[0].kind == "num"
        c, inner = (term.args[0].args[0], term.args[1]) if scaled else (Fraction(1), term)
        if inner.kind == "log" and inner.args[0].positive:
            powers.append((inner.args[0], c))
        else:
            rest.append(term)
    return (powers, rest) if powers else None


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the exponentials of these numbers as powers."""
    return each_renewed(tree, given, "exponents", as_powers)


REWRITINGS["exponents"] = rewritten
