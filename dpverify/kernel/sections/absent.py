"""What cancels or does not matter: beside the factor 0, with the exponent 0, or over itself."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ..rules import require, rule
from ..tree import Node, add, minus, mul, num, power, same, walk
from .algebra import MOST_RENEWED
from .charts import REREADINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


@rule("K480")
def cancelled(node: Node) -> Node:
    """A power with the exponent 0 as 1, a product with the factor 0 as 0, and one that has several
    powers of one base with one power of it.

    Lemma.  Where u has a value, 0 u = 0; where u^0 has one, it is 1; where u^a and u^b have values,
    u^a u^b = u^(a+b), or 1 for a + b = 0; and e^(-u) = (e^u)^-1.  That every part of what was typed
    has a value at almost every radius is asked of the text, and not of the tree that is left (K4).
    So it is read in f, in conditions, and in what is asked of other parts: earlier needs, that the
    parts of this one have values, remain.
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


def rewritten(trees: Any, given: Any) -> Any:
    """A tree, or all of a text, with what is left of the nodes of these numbers, one by one."""
    listed = isinstance(given, list) and 0 < len(given) <= MOST_RENEWED
    listed = listed and all(type(number) is int for number in given)
    require(listed, "absent is not a list of nodes", "format")
    for number in given:
        node = next((part for part in walk(trees) if part.number == number), None)
        require(node is not None, "a rewriting names no node", "steps")
        assert node is not None
        trees = remade(trees, number, LEFT.get(node.kind, cancelled)(node), {})
    return trees


def remade(part: Any, number: int, left: Node, made: dict[Node, Any]) -> Any:
    """The same with what is left in the place of a node, in conditions too; `made` has what became
    of each node, so that what is one node stays one."""
    if isinstance(part, tuple):
        parts = tuple(remade(a, number, left, made) for a in part)
        kept = all(a is b for a, b in zip(parts, part, strict=True))
        return part if kept else type(part)(parts)
    if not isinstance(part, Node):
        return part
    if part.number == number:
        return left
    if part not in made:
        parts = remade(part.args, number, left, made)
        made[part] = part if parts is part.args else folded(part, parts)
    return made[part]


def folded(node: Node, parts: tuple[Any, ...]) -> Node:
    """A node of other parts, which may be numbers and meet others."""
    found = FOLDED.get(node.kind, partial(Node, node.kind))(*parts)
    found.number = found.number or node.number
    return found


LEFT: dict[str, Callable[[Node], Node]] = {}
"""What is left of other kinds of node, which sections bring."""
FOLDED: dict[str, Callable[..., Node]] = {"add": add, "mul": mul, "pow": power}
REREADINGS["absent"] = rewritten
