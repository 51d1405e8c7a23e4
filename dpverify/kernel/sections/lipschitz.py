"""epsilon from the slopes of g alone: at most their largest size times delta, and no less where
they have that size on a box that is longer than delta."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval
from ..rules import BROUGHT, brought, require, rule
from ..steps import rational, record
from ..tree import Node, add, mul, num, power
from .charts import Problem, cover
from .falling import may_jump
from .fields import points
from .hypotheses import Proof
from .messages import shown
from .tail import Tail
from .witness import WITNESSES, shift_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BY_CELLS: dict[str, Callable[[Proof, Problem, Any, Fraction], None]] = {}
"""How slopes in the tail are bounded on cells, by the name under which the step lists them."""


@rule("K340")
def at_most_by_slopes(proof: Proof, step: Any, bound: Fraction) -> None:
    """epsilon <= bound, since g is Lipschitz.

    Lemma.  Let every difference quotient of q log f, on (0, r0], on each box of a cover of [r0, R]
    and on [R, oo) (or, by cells, as K350 and K351 have it), lie between -c and c, and log f be
    continuous where charts meet.  Then |phi_h| <= c h / q for every r > 0 and h, so epsilon <=
    c delta / q (Theorem A).
    """
    by_cells = set(step) & set(BY_CELLS)
    record(step, "supremum", {"slopes", "power"} | by_cells)
    alone = type(proof.tail) is Tail
    require(len(by_cells) == (0 if alone else 1), "slopes in the tail are not bounded", "steps")
    p, q = proof.problem, positive_power(step["power"])
    boxes = cover(step["slopes"], "supremum.slopes", p.r0, proof.tail.reach)
    require(boxes[0][0] > 0, "supremum.slopes does not begin beyond the centre", "steps")
    raised, most = to_bound(p, q), bound * q / p.delta
    text = f"the slopes of log f are not shown below {shown(most / q)}"
    require(within(raised.near_zero().du.span(), most), f"{text} near zero")
    for name in by_cells:
        BY_CELLS[name](proof, raised, step[name], most)
    if alone:
        require(within(raised.far(raised.infinity).du.span(), most), f"{text} in the tail")
    for a, b in boxes:
        steep = raised.on_box(a, b).du
        require(within(steep, most), f"{text} on [{shown(a)}, {shown(b)}]")
    for x in (boxes[0][0], *(b for _, b in boxes)) if may_jump(raised.tree) else ():
        brought("continuity where charts meet")(raised, x)


def positive_power(given: Any) -> Fraction:
    q = rational(given, "power")
    require(q > 0, "a power of f is not positive", "steps")
    return q


def to_bound(p: Problem, q: Fraction) -> Problem:
    """The problem whose slopes are bounded: that of f itself, or of another power."""
    return p if q == 1 else raised_to(p, q)


def within(slopes: Interval, most: Fraction) -> bool:
    """Whether they lie between -most and most, compared exactly."""
    return -most <= slopes.lo and slopes.hi <= most


@rule("K341")
def raised_to(p: Problem, q: Fraction) -> Problem:
    """The problem of f^q, whose log f, slopes and losses are q times those of f.

    Lemma.  For f > 0 and q > 0: (e^u)^q = e^(q u); (u v)^q = u^q v^q and (u^a)^q = u^(a q) for
    positive u and v; a power of a branch is the branch of powers; and q (u + v) = q u + q v, q
    max(u, v) = max(q u, q v).
    """
    zero, far = ((r, germ.order) for r, germ in ((p.r0, p.zero), (p.r1, p.infinity)))
    return Problem(to_power(p.tree, q), p.dimension, p.delta, zero, far)


def to_power(node: Node, q: Fraction) -> Node:
    if node.kind == "exp":
        return Node("exp", multiple(node.args[0], q))
    if node.kind == "piece":
        return Node("piece", *((to_power(value, q), c) for value, c in node.args))
    if node.kind == "mul" and all(factor.positive for factor in node.args):
        return mul(*(to_power(factor, q) for factor in node.args))
    if node.kind == "pow" and node.args[0].positive and node.args[1] > 0:
        return to_power(node.args[0], node.args[1] * q)
    return power(node, q)


def multiple(node: Node, q: Fraction) -> Node:
    if node.kind == "add":
        return add(*(multiple(term, q) for term in node.args))
    if node.kind == "max":
        return Node("max", *(multiple(u, q) for u in node.args))
    if node.kind == "piece":
        return Node("piece", *((multiple(value, q), c) for value, c in node.args))
    return mul(num(q), node)


@rule("K343")
def kept_up(proof: Proof, step: dict[str, Any]) -> Fraction:
    """How large the loss is at least on a box on which the slopes of g have one sign.

    Lemma.  If every difference quotient of q log f on (a, b) is at least m > 0, or at most -m, then
    |phi_t(r)| >= m t / q for a < r < b - t, 0 < t <= delta, radii of positive probability where t <
    b - a.  So epsilon is at least m t / q for every t < h, and m h / q, if h <= b - a.
    """
    p, q, h = proof.problem, positive_power(step["power"]), shift_of(proof, step)
    ends = points(step["box"], "witness.box")
    longer = len(ends) == 2 and 0 <= ends[0] <= ends[1] - h
    require(longer, "the witness' box is shorter than its shift, or not of radii", "steps")
    a, b = ends
    slopes = to_bound(p, q).on_box(a, b).du
    least = max(slopes.lo, slopes.hi.copy_negate())
    require(slopes.finite() and -99 < least.adjusted() < 99, "the slopes have no size there")
    return Fraction(least) * h / q


BROUGHT["a bound by slopes"] = at_most_by_slopes
WITNESSES["slopes"] = kept_up
