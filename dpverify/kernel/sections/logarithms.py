"""Differences of logarithms that nearly cancel, as the logarithm of one and a quotient."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, add, minus, mul, num, power
from .algebra import each_renewed, quotient, root_of_r
from .charts import REWRITINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K285")
def of_a_quotient(node: Node) -> Node:
    """A difference of logarithms whose arguments differ by a number, as one logarithm.

    Lemma.  If u and v are positive by their form and u = v + c with a rational c > 0, then
    log u - log v = log(1 + c/v), and log v - log u = -log(1 + c/v).
    """
    pair = difference(node)
    require(pair is not None, "a node is no difference of logarithms of what is positive")
    assert pair is not None
    c = apart(*pair)
    if c is None and (small_part := above_a_number(pair)) is not None:
        small = beside_a_number(*small_part)
        (small.args[-1] if small.kind == "mul" else small).number = node.number  # to be named
        return small
    require(bool(c), "the arguments of two logarithms differ by more than a number")
    assert c is not None
    lower = pair[1] if c > 0 else pair[0]
    whole = Node("log", add(num(1), mul(num(abs(c)), power(lower, Fraction(-1)))))
    return whole if c > 0 else minus(whole)


def difference(node: Node) -> tuple[Node, Node] | None:
    """u and v where the node is log u - log v and both are positive by their form."""
    if node.kind != "add" or len(node.args) != 2:
        return None
    for first, rest in (node.args, node.args[::-1]):
        second = minus(rest)
        if first.kind == second.kind == "log":
            u, v = first.args[0], second.args[0]
            return (u, v) if u.positive and v.positive else None
    return None


@rule("K444")
def beside_a_number(c: Node, w: Node, turned: bool) -> Node:
    """A difference of the logarithms of a number and of that with an exponential, as one logarithm.

    Lemma.  If u = c + w and c > 0 and w are positive by their form, log u - log c = log(1 + w/c),
    and log c - log u = -log(1 + w/c).
    """
    whole = Node("log", add(num(1), mul(power(c, Fraction(-1)), w)))
    return minus(whole) if turned else whole


def above_a_number(pair: tuple[Node, Node]) -> tuple[Node, Node, bool] | None:
    """c and w where one of the two is the number c and the other c + w, and whether c stands
    first."""
    for u, c, turned in ((*pair, False), (*pair[::-1], True)):
        if c.kind == "num" and u.kind == "add":
            w = add(u, minus(c))
            if w.positive and w.exponential:
                return c, w, turned
    return None


def apart(u: Node, v: Node) -> Fraction | None:
    """u - v where it is a number; None for what is none, or no rational function of a root of r."""
    left = add(u, minus(v))
    q = root_of_r(left)
    if q is None:
        return None
    top, below = quotient(left, q)
    return top[0] / below[0] if len(top) == len(below) == 1 else None


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the differences of these numbers as logarithms."""
    return each_renewed(tree, given, "logarithms", of_a_quotient)


REWRITINGS["logarithms"] = rewritten
