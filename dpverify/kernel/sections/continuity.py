"""Continuity of log f at one radius, where its text has cases."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import prod

from ..intervals import Interval, interval
from ..rules import BROUGHT, require, rule
from ..tree import Node, add, length, mul, num, power
from .branches import branches_at
from .charts import Problem, radii
from .evaluation import Evaluation
from .messages import shown
from .shapes import JUMPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NEAR, LONGEST = Fraction(1, 10**30), 2_000
MADE: dict[str, Callable[..., Node]] = {"add": add, "mul": mul, "pow": power}
"""How nodes are made in which numbers may meet."""
CASES = "f is not shown to be one formula beside a radius where charts meet"


@rule("K342")
def continuous_at(p: Problem, x: Fraction) -> None:
    """log f is continuous at x.

    Lemma.  Either its slopes on a box around x are bounded; or on a box just before x and on one
    just beyond f is one formula, without cases, that has a value at x, so that it is continuous
    there: the values of both formulas at x are the limits of log f from both sides, and each is
    enclosed by the same single number, or f's values are one number a e^t, a and t rational, by
    exact arithmetic.
    """
    near = x * NEAR
    if p.on_box(x - near, x + near).du.finite():
        return
    boxes = (x - near, x), (x, x + near)
    left, right = (settled(p.at_box(radii(*box), box), p.tree) for box in boxes)
    before, after = log_at(left, x), log_at(right, x)
    one = before.lo == before.hi == after.lo == after.hi and before.finite()
    one = one or ((number := exactly(left, x)) is not None and number == exactly(right, x))
    require(one, f"f is not shown continuous at {shown(x)}")


def exactly(node: Node, x: Fraction) -> tuple[Fraction, Fraction] | None:
    """a and t where the node's value at x is a e^t, both rational; t is 0 where a is."""
    if node.kind in ("num", "r"):
        return (x if node.kind == "r" else node.args[0]), Fraction(0)
    values = [exactly(a, x) for a in node.args if isinstance(a, Node)]
    known = [v for v in values if v is not None and max(map(length, v)) <= LONGEST]
    if len(known) < len(values):
        return None
    a, t = known[0] if known else (Fraction(0), Fraction(0))
    if node.kind == "exp":
        return (Fraction(1), a) if t == 0 else None
    if node.kind == "pow":
        p = node.args[1]
        if a == 1:
            return a, t * p
        return (a ** int(p), t * p) if a and p.denominator == 1 and abs(p) <= 64 else None
    if node.kind == "mul":
        product = prod((a for a, _ in known), start=Fraction(1))
        return product, sum((t for _, t in known), Fraction(0)) if product else Fraction(0)
    shared = {t for a, t in known if a}
    if node.kind not in ("add", "max") or len(shared) > 1:
        return None
    sizes = [a for a, _ in known]
    whole = sum(sizes, Fraction(0)) if node.kind == "add" else max(sizes)
    return whole, (shared.pop() if shared and whole else Fraction(0))


def log_at(formula: Node, x: Fraction) -> Interval:
    """The logarithm of a formula's value at x."""
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
