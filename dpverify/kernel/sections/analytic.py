"""Divisors whose zeros are isolated, since they are analytic and not 0 at one place."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import hull, interval
from ..reader import Need
from ..rules import require, rule
from ..tree import Node, add, never_negative, num
from .charts import Problem
from .evaluation import Evaluation
from .needs import PROVING
from .positivity import positive
from .shapes import ANALYTIC, ENTIRE, ON_THE_LINE, absolute_of


def beside(p: Problem, radius: Fraction) -> Evaluation:
    """An evaluation on a short box that begins at a radius."""
    return p.at_box(hull(interval(radius), interval(radius + radius / 10**30)))


def analytic(node: Node, poles: bool = True) -> bool:
    """Whether the node is analytic on (0, oo), less a closed countable set if `poles`."""
    kind, args = node.kind, node.args
    if kind in ("num", "pi", "gamma", "r"):
        return True
    if kind in ("add", "mul") or kind in ENTIRE:
        return all(analytic(a, poles) for a in args if isinstance(a, Node))
    if kind == "pow" and args[1].denominator == 1 and (args[1] >= 0 or poles):
        return analytic(args[0], poles)
    if kind in ON_THE_LINE:
        return analytic(args[-1], False)
    if kind == "pow" or kind in ANALYTIC:
        inner = args[0] if kind == "pow" else args[-1]
        return inner.positive and analytic(inner, False)
    return False


@rule("K8")
def zeros_isolated(p: Problem, radius: Fraction, need: Need) -> None:
    """A need for a node that is not 0, or for one that is never negative to be positive, met by
    analyticity.

    Lemma.  The node is built from r, numbers and entire functions by sums, products, whole powers,
    and by functions analytic on the line (atan), or on (0, oo) (powers, logarithms and others), of
    what is analytic, and positive for the latter, on all of (0, oo).  So it is analytic on a
    neighbourhood of (0, oo) less a closed countable set, which is connected.  By the identity
    theorem it is 0 at countably many radii only, or everywhere; on a short box it is not 0.  Where
    its form shows it never negative (K5), it is positive at the other radii.  (A single radius
    would not do: what is enclosed there need not have a value there, and 0 times the inverse of
    something about 0 is enclosed by 0.)  A node that is not analytic is not 0 where none of its
    parts is: its factors, what powers are of, u of |u|, and u - 1 of log u; each is such a node, or
    positive by its form (K481).
    """
    unsigned = need.kind == "nonzero" or (need.kind == "positive" and never_negative(need.node))
    require(unsigned, "zeros are isolated, but the need is for a sign")
    at = beside(p, radius)
    for node in [need.node] if analytic(need.node) else parts(need.node):
        require(analytic(node), "a divisor is not shown analytic")
        require(at.value(node).sign() in (1, -1), "a divisor is not shown other than 0 there")


def parts(node: Node) -> list[Node]:
    """Nodes that are not positive by their form, one of which is 0 where the node is."""
    inner = absolute_of(node)
    if positive(node):
        return []
    if node.kind == "mul":
        return [part for factor in node.args for part in parts(factor)]
    if node.kind == "log":
        return parts(add(node.args[0], num(-1)))
    if inner is not None:
        return parts(inner)
    return parts(node.args[0]) if node.kind == "pow" else [node]


PROVING["radius"] = zeros_isolated
