"""Continuity of log f at one radius, where its text has cases."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ..intervals import Interval, interval
from ..rules import BROUGHT, require, rule
from ..tree import Node, add, mul, num, power
from .branches import branches_at
from .charts import Problem, radii
from .evaluation import Evaluation
from .messages import shown
from .shapes import JUMPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .charts import Box

NEAR = Fraction(1, 10**30)
MADE: dict[str, Callable[..., Node]] = {"add": add, "mul": mul, "pow": power}
"""How nodes are made in which numbers may meet."""
CASES = "f is not shown to be one formula beside a radius where charts meet"


@rule("K342")
def continuous_at(p: Problem, x: Fraction) -> None:
    """log f is continuous at x.

    Lemma.  Either its slopes on a box around x are bounded; or on a box just before x and on one
    just beyond f is one formula, without cases, that has a value at x, so that it is continuous
    there: the values of both formulas at x are the limits of log f from both sides, and each is
    enclosed by the same single number.
    """
    near = x * NEAR
    if p.on_box(x - near, x + near).du.finite():
        return
    left, right = (value_at(p, x, box) for box in ((x - near, x), (x, x + near)))
    one = left.lo == left.hi == right.lo == right.hi and left.finite()
    require(one, f"f is not shown continuous at {shown(x)}")


def value_at(p: Problem, x: Fraction, box: Box) -> Interval:
    """The value at x of the formula that log f is on the box."""
    formula = settled(p.at_box(radii(*box), box), p.tree)
    sign, log = Evaluation(interval(x)).log(formula)
    require(sign == 1, "the generator is not positive where the proof needs it")
    found: Interval = log
    return found


def settled(at: Evaluation, node: Node) -> Node:
    """The node without cases: those branches and steps that hold all over the box."""
    if node.kind == "piece":
        base, _ = branches_at(at, node.args)
        require(len(base) == 1, CASES)
        return settled(at, node.args[min(base)][0])
    if node.kind == "floor":
        whole = at.value(node).u
        require(whole.lo == whole.hi and whole.lo.adjusted() < 99, CASES)
        return num(Fraction(whole.lo))
    require(node.kind not in JUMPS, CASES)
    parts = (settled(at, a) if isinstance(a, Node) else a for a in node.args)
    return MADE.get(node.kind, partial(Node, node.kind))(*parts)


BROUGHT["continuity where charts meet"] = continuous_at
