"""The loss near zero where f jumps a shift ahead, so that slopes say nothing."""

from __future__ import annotations

from decimal import Decimal

from ..rules import rule
from .charts import Problem
from .theorem_3 import NEAR_ZERO


@rule("K25")
def loss_near_zero(p: Problem) -> Decimal:
    """An upper bound of phi_delta on (0, r0] from the two functions whose difference it is.

    Lemma.  phi_delta(r) = g(r + delta) - g(r): what bounds g on the box (delta, delta + r0)
    from above and log f on (0, r0] from above bounds it.
    """
    ahead = p.on_box(p.delta, p.delta + p.r0)
    return (p.near_zero().u.span() - ahead.u).hi


NEAR_ZERO["models"] = loss_near_zero
