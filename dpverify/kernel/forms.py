"""What the form of a node alone shows, wherever it has a value: tables to which sections add."""

from __future__ import annotations

from .rules import rule
from .tree import Node, minus, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Predicate = Callable[[Node], bool]

NEVER_NEGATIVE: dict[str, Predicate] = {
    "num": lambda node: node.args[0] >= 0,
    "add": lambda node: all(map(never_negative, node.args)),
    "mul": lambda node: all(map(never_negative, node.args)),
    "pow": lambda node: never_negative(node.args[0])
    or (node.args[1].denominator == 1 and node.args[1] % 2 == 0),
}


def never_negative(node: Node) -> bool:
    """Squares, |u|, exponentials, a + b cos u with a >= |b|, and what is made of them."""
    return node.positive or (node.kind in NEVER_NEGATIVE and NEVER_NEGATIVE[node.kind](node))


def never_zero(node: Node) -> bool:
    """Positive things, numbers other than 0, and products and powers of such."""
    if node.kind == "mul":
        return all(map(never_zero, node.args))
    if node.kind == "pow":
        return never_zero(node.args[0])
    return node.positive or (node.kind == "num" and node.args[0] != 0)


def absolute_of(node: Node) -> Node | None:
    """u where the node is |u| = max(u, -u)."""
    pair = node.kind == "max" and len(node.args) == 2
    return node.args[0] if pair and same(node.args[1], minus(node.args[0])) else None


RISING, FALLING = {"exp", "log"}, set[str]()
"""Kinds that rise, or fall, with their last argument."""
ENTIRE, ANALYTIC, ON_THE_LINE = {"exp"}, {"log"}, set[str]()
"""Kinds that are entire functions, kinds analytic where their last argument is positive, and kinds
analytic where it is real: such a one may jump where that has a pole."""
ROOTS: dict[str, Callable[[Node], Node | None]] = {}
"""By kind: g where the node is |g|^p with p > 0, up to a constant."""
JUMPS: set[str] = set()
"""Kinds that may be discontinuous."""


@rule("K5")
def met_by_form(kind: str, node: Node) -> bool:
    """A need that the form meets.

    Lemma.  Wherever it has a value, r is positive, and so are pi, exponentials, positive numbers,
    and sums, products and powers of positive things; such things are not 0 and not negative;
    products and powers of what is not 0 are not 0; even powers, sums of what is not negative and
    a + b w with |w| <= 1 and a >= |b| are not negative.
    """
    return MET[kind](node)


MET: dict[str, Predicate] = {
    "nonzero": never_zero, "nonnegative": never_negative, "positive": lambda node: node.positive}
