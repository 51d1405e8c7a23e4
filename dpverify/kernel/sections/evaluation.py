"""Evaluation of the tree over any ring, keeping logarithms of large and small things.

What a node is, is one function a kind, in VALUES and LOGS, to which sections add theirs.
"""

from __future__ import annotations

from fractions import Fraction

from ..intervals import add_up, product_of
from ..rules import brought, require
from ..tree import Node
from .constants import PI
from .models import constant
from .slopes import innermost, sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Evaluation:
    """The value, or the sign and logarithm of the absolute value, of each node at the element r.
    On an open box, `ends` are its exact ends and `shift` leads from r to r + h."""

    def __init__(self, r: Any, ends: tuple[Fraction, Fraction] | None = None,
                 shift: Fraction = Fraction(0)) -> None:
        self.r, self.ends, self.shift = r, ends, shift
        self.on_model = hasattr(innermost(r), "germ")  # as models have, and no box has
        self.values: dict[Node, Any] = {}  # by the node itself, which thus outlives its entry
        self.logs: dict[Node, tuple[int, Any]] = {}
        self.steady: frozenset[Node] = frozenset()  # those that are what they are to `whole`
        self.whole: Any = None

    def value(self, node: Node) -> Any:
        if node not in self.values:
            steady = node in self.steady
            self.values[node] = (self.whole.value(node) if steady
                                 else VALUES[node.kind](self, node))
        return self.values[node]

    def log(self, node: Node) -> tuple[int, Any]:
        if node not in self.logs:
            steady = node in self.steady
            self.logs[node] = (self.whole.log(node) if steady
                               else LOGS.get(node.kind, log_of_value)(self, node))
        return self.logs[node]

    def elsewhere(self, r: Any, ends: tuple[Fraction, Fraction] | None = None) -> Evaluation:
        """An evaluation at another element of the same chart."""
        return Evaluation(r, ends)


def operand(at: Evaluation, node: Node) -> Any:
    """A number as it is, in a sum or product: to be no pair whose slopes are 0 saves time."""
    return node.args[0] if node.kind == "num" else at.value(node)


def value_of_product(at: Evaluation, node: Node) -> Any:
    """Over models by values, which keeps rational coefficients exact; on boxes the positive
    exponential factors by their logarithms, which are narrower, and the others by their values."""
    if not node.exponential or at.on_model:
        return product_of(operand(at, a) for a in reversed(node.args))  # a number stands in front
    steep = [a for a in node.args if a.positive and a.exponential]
    others = [a for a in node.args if not (a.positive and a.exponential)]
    front = add_up(at.log(a)[1] for a in steep).exp() if steep else at.value(others.pop(0))
    for other in others:
        front = front * operand(at, other)
    return front


def value_of_power(at: Evaluation, node: Node) -> Any:
    base, p = at.value(node.args[0]), node.args[1]
    somewhere = p > 0 or p.denominator == 1 or all(side.sign() != 0 for side in sides(base))
    require(somewhere, "divides by zero")
    return base.power(p)


def value_of_log(at: Evaluation, node: Node) -> Any:
    sign, log = at.log(node.args[0])
    require(sign == 1, "takes the logarithm of something not proved positive")
    return log


def log_of_value(at: Evaluation, node: Node) -> tuple[int, Any]:
    for known in CLOSER:
        if (found := known(at, node)) is not None:
            return found
    value = at.value(node)
    sign = sides(value)[0].sign()
    require(sign in (1, -1), "a factor has no proved sign")
    return sign, (value if sign == 1 else -value).log()


def log_of_product(at: Evaluation, node: Node) -> tuple[int, Any]:
    logs = [at.log(a) for a in node.args]
    return product_of(s for s, _ in logs), add_up(log for _, log in logs)


def log_of_power(at: Evaluation, node: Node) -> tuple[int, Any]:
    base, p = node.args
    sign, log = at.log(base)
    require(sign == 1 or p.denominator == 1, "takes a power of something not proved positive")
    return sign if p % 2 == 1 else 1, log * p


def log_of_sum(at: Evaluation, node: Node) -> tuple[int, Any]:
    """From the logarithms of its terms, and where none is exponential from its value; or as a
    section knows."""
    if not node.exponential:
        return log_of_value(at, node)
    for known in SUMS:
        if (found := known(at, node)) is not None:
            return found
    return brought("a sum of exponentials")([at.log(a) for a in node.args])


CLOSER: list[Callable[[Evaluation, Node], tuple[int, Any] | None]] = []
"""What sections know of a logarithm more closely than by its value, or nothing."""
SUMS: list[Callable[[Evaluation, Node], tuple[int, Any] | None]] = []
"""What sections know of the logarithm of a sum of exponentials, or nothing."""
VALUES: dict[str, Callable[[Evaluation, Node], Any]] = {
    "num": lambda at, node: at.r.const(node.args[0]),
    "pi": lambda at, node: at.r.const(
        constant(innermost(at.r).germ, "pi", PI) if at.on_model else PI),
    "r": lambda at, node: at.r,
    "add": lambda at, node: add_up(operand(at, a) for a in node.args),
    "mul": value_of_product,
    "pow": value_of_power,
    "log": value_of_log,
    "exp": lambda at, node: at.value(node.args[0]).exp(),
}
LOGS: dict[str, Callable[[Evaluation, Node], tuple[int, Any]]] = {
    "exp": lambda at, node: (1, at.value(node.args[0])),
    "mul": log_of_product,
    "pow": log_of_power,
    "add": log_of_sum,
}
