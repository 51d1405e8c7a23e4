"""Radii at which f tends to 0: the limit of each part of it, where parts tend to 0 or to oo."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import INF, ZERO, Interval, interval
from ..rules import require, rule
from ..steps import record, whole
from ..tree import Node, same, walk
from .charts import open_box, radii
from .evaluation import Evaluation
from .messages import shown
from .refutations import SIGNS
from .shapes import absolute_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .hypotheses import Proof

ENDLESS = Interval(INF, INF)
VANISHING = {"atan", "lambertw"}
"""Continuous kinds that are 0 where their argument is."""


@rule("K362")
def tends_to_zero(proof: Proof, step: dict[str, Any]) -> str:
    """f tends to 0 at a radius in an open box, by the limits of its parts; it is positive on
    another.

    Lemma.  A continuous g changes its sign in the box (as in K43), so it is 0 at some c beside
    which it is not 0 on open sets as near to c as one likes.  There |g| tends to 0, and |g|^p to
    oo for p < 0; limits of sums, products, powers, exponentials, logarithms and maxima are those
    of limits, where no oo is added to -oo or multiplied by 0; where u tends to 0, so do atan u and
    W(u); limits of other parts lie in their enclosures.  If that of f is 0, what K43 says follows.
    """
    record(step, "sign", {"kind", "box", "positive", "node"})
    a, b = open_box(step["box"], "sign.box")
    nodes = walk(proof.problem.tree)
    size = size_of(nodes[whole(step["node"], "sign.node", 0, len(nodes) - 1)])
    require(size is not None, "sign names no node that is the power of a modulus")
    assert size is not None
    g = size[0]
    signs = {Evaluation(interval(r)).value(g).sign() for r in (a, b)}
    slopes = Evaluation(radii(a, b)).value(g).du
    changes = signs == {1, -1} and slopes.finite()
    require(changes, f"no change of sign is shown on [{shown(a)}, {shown(b)}]")
    limit = Limits(Evaluation(radii(a, b), (a, b)), g).of(proof.problem.tree)
    require(limit.sign() == 0, f"f is not shown to tend to 0 on [{shown(a)}, {shown(b)}]")
    proof.problem.on_box(*open_box(step["positive"], "sign.positive"))
    return "zero"


def size_of(node: Node) -> tuple[Node, Fraction] | None:
    """g and p where the node is |g|^p and p is not 0."""
    if node.kind == "pow":
        g, p = node.args
        if p == 0:
            return None
        inner = size_of(g)
        if inner is not None:
            return inner[0], inner[1] * p
        return (g, p) if p % 2 == 0 else None
    inside = absolute_of(node)
    return None if inside is None else (inside, Fraction(1))


class Limits:
    """The limits of nodes as r tends to c along the radii where g is not 0."""

    def __init__(self, at: Evaluation, g: Node) -> None:
        self.at, self.g = at, g

    def of(self, node: Node) -> Interval:
        """An interval of limits; ends that are infinite may be limits too."""
        size = size_of(node)
        if size is not None and same(size[0], self.g):
            return ZERO if size[1] > 0 else ENDLESS
        if node.kind in VANISHING and self.of(node.args[0]).sign() == 0:
            return ZERO
        if node.kind not in LIMITS or not any(self.moves(part) for part in walk(node)):
            found: Interval = self.at.value(node).u
            return found
        inner = [self.of(a) for a in node.args if isinstance(a, Node)]
        return LIMITS[node.kind](inner, node)

    def moves(self, node: Node) -> bool:
        """Whether a node is a power of |g|, whose value on the box says less than its limit."""
        size = size_of(node)
        return size is not None and same(size[0], self.g)


def limit_of_sum(parts: list[Interval], node: Node) -> Interval:
    ends = {end for part in parts for end in (part.lo, part.hi) if not end.is_finite()}
    require(len(ends) <= 1, "a limit is oo - oo")
    total = ZERO
    for part in parts:
        total = total + part
    return total


def limit_of_product(parts: list[Interval], node: Node) -> Interval:
    total = parts[0]
    for part in parts[1:]:
        for one, other in ((total, part), (part, total)):
            open_ = one.lo <= 0 <= one.hi and not other.finite()
            require(not open_, "a limit is 0 times oo")
        total = total * part
    return total


def limit_of_power(parts: list[Interval], node: Node) -> Interval:
    base, p = parts[0], node.args[1]
    require(p > 0 or not base.lo <= 0 <= base.hi, "a limit divides by zero")
    return base.power(p)


def limit_of_maximum(parts: list[Interval], node: Node) -> Interval:
    return Interval(max(part.lo for part in parts), max(part.hi for part in parts))


LIMITS: dict[str, Callable[[list[Interval], Node], Interval]] = {
    "add": limit_of_sum, "mul": limit_of_product, "pow": limit_of_power, "max": limit_of_maximum,
    "exp": lambda parts, node: parts[0].exp(), "log": lambda parts, node: parts[0].log()}
SIGNS["limits"] = tends_to_zero
