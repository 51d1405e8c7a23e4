"""f falls by its slopes on every chart, and across every radius where charts meet."""

from __future__ import annotations

from ..rules import BROUGHT, brought, require, rule
from ..steps import record
from ..tree import Node
from .charts import Problem
from .fields import points
from .hypotheses import Proof
from .messages import shown
from .shapes import ANALYTIC, JUMPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Any


@rule("K20")
def falls_by_slopes(proof: Proof, step: Any) -> None:
    """f is non-increasing by its slopes.

    Lemma.  Where no difference quotient of log f is positive on a chart, f does not rise on it.
    f is continuous where charts meet unless it has branches, floors, or powers or logarithms that
    may have a pole; then it is shown not to rise across each such radius x: by its slopes on a box
    around x, or since it is lower on a box just beyond x than on one just before, or continuous at
    x by exact arithmetic (K342).
    """
    p, step = proof.problem, record(step, "decreasing", {"drops", "phase_drops"})
    drops = set(points(step["drops"], "decreasing.drops"))
    require(p.near_zero().du.span().hi <= 0, "f is not shown to fall near zero")
    proof.tail.falls(step["phase_drops"])
    boxes = proof.boxes()
    for (a, b), log in zip(boxes, proof.covered(), strict=True):
        require(log.du.hi <= 0, f"f is not shown to fall on [{shown(a)}, {shown(b)}]")
    meeting = {boxes[0][0], *(b for _, b in boxes)} if may_jump(p.tree) else set()
    require(drops <= meeting, "a drop is named where no charts meet", "steps")
    for x in meeting:
        if x in drops:
            drops_at(p, x)
        else:
            near = x / 10**30
            slopes = p.on_box(x - near, x + near).du
            require(slopes.hi <= 0, f"f is not shown to fall across {shown(x)}")


def drops_at(p: Problem, x: Fraction) -> None:
    """f does not jump up at x: it is lower on a box just beyond than on one just before, or it is
    continuous."""
    near = x / 10**30
    if not p.on_box(x - near, x).u.lo >= p.on_box(x, x + near).u.hi:
        brought("continuity where charts meet")(p, x)


def may_jump(node: Node) -> bool:
    """Whether f may be discontinuous: by its branches, a floor, or a pole (of a power, or of a
    logarithm), beside which exp(1/u) is 0 and infinite."""
    power = node.kind == "pow" and node.args[1] < 0 and not node.args[0].positive
    pole = power or (node.kind in ANALYTIC and not node.args[-1].positive)
    return pole or node.kind in JUMPS or any(may_jump(a) for a in node.args if isinstance(a, Node))


BROUGHT["a fall by slopes"] = falls_by_slopes
