"""epsilon from above where f is non-increasing."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import D0, UP, Interval, interval
from ..rules import brought, require, rule
from ..steps import named, rational, record
from .charts import Problem, cover
from .epsilon import THEOREMS
from .hypotheses import Proof
from .increments import limit_at_zero
from .messages import shown


@rule("K26")
def climb_from_zero(p: Problem) -> Decimal:
    """An upper bound of phi_delta on (0, r0] from its limit at zero and its slopes.

    Lemma.  The slopes of phi_delta are those of g ahead less those of g here; from its limit
    at zero phi_delta rises by at most r0 times the largest of these.
    """
    near, ahead = p.near_zero(), p.on_box(p.delta, p.delta + p.r0)
    steepest = UP.subtract(near.du.span().hi, ahead.du.lo)
    rise = Interval(D0, max(D0, steepest)) * p.r0
    return (limit_at_zero(p) + rise).hi


def loss_from_centre(p: Problem) -> Decimal:
    """The same by increments, where f has a value at 0: exact where the loss is level."""
    return p.loss(Fraction(0), p.r0, p.delta, above=True).hi


NEAR_ZERO = {"slopes": climb_from_zero, "increments": loss_from_centre}
"""Ways to bound phi_delta on (0, r0] from above."""


@rule("K27")
def at_most(proof: Proof, bound: Fraction) -> None:
    """epsilon <= bound, where f is non-increasing.

    Lemma (Reimherr and Awan 2019, Theorem 3).  epsilon is the supremum of phi_delta over r >= 0,
    which is bounded on (0, r0] (by K25, K26 or, by increments, as on a box), on each box of a
    cover of [r0, R] (by K18, or by K34 where the step names a radius in the box), and in the tail;
    or it is bounded by the slopes of g (K340).
    """
    p, most = proof.problem, interval(bound).lo
    step = proof.steps.take("supremum")
    if isinstance(step, dict) and "slopes" in step:
        brought("a bound by slopes")(proof, step, bound)
        return
    more = {"phases", "concave"} & set(step) if isinstance(step, dict) else set()
    record(step, "supremum", {"cover", "near_zero"} | more)
    text = f"the loss is not shown below {shown(bound)}"
    near_zero = named(NEAR_ZERO, step["near_zero"], "supremum.near_zero names no rule")
    require(near_zero(p) <= most, f"{text} near zero")
    boxes = cover(step["cover"], "supremum.cover", p.r0, proof.tail.reach)
    radii = step.get("concave", [None] * len(boxes))
    matches = isinstance(radii, list) and len(radii) == len(boxes) and radii != [None] * len(boxes)
    require(matches or "concave" not in step, "supremum.concave does not match its cover", "steps")
    for (a, b), c in zip(boxes, radii, strict=True):
        if c is None:
            high = p.loss(a, b, p.delta, above=True).hi
        else:
            high = brought("a bound by curvature")(p, a, b, rational(c, "supremum.concave"))
        require(high <= most, f"{text} on [{shown(a)}, {shown(b)}]")
    proof.tail.at_most(step, most)


THEOREMS["Theorem 3"] = (at_most, {"decreasing"})
