"""epsilon from below: radii at which some loss reaches or exceeds a bound."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval
from ..rules import BROUGHT, require, rule
from ..steps import named, rational, record
from .charts import open_box
from .hypotheses import Proof
from .increments import limit_at_zero
from .messages import shown
from .models import CONSTANT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def at_least(proof: Proof, bound: Fraction) -> None:
    """epsilon >= bound: some loss, for a shift of at most delta, reaches or exceeds it."""
    step = proof.steps.take("witness")
    by_slopes = isinstance(step, dict) and step.get("near") == "slopes"
    record(step, "witness", {"near", "box", "shift"} | ({"power"} if by_slopes else set()))
    witness = named(WITNESSES, step["near"], "the witness is neither a box nor a limit")
    fits = step["near"] not in ("zero", "infinity") or step["box"] is step["shift"] is None
    require(fits, "a witness in a limit has a box or a shift", "steps")
    value = witness(proof, step)
    least = max(value.lo, value.hi.copy_negate()) if isinstance(value, Interval) else value
    reached = least >= bound or bound == 0
    require(reached, f"the witness does not reach the lower bound {shown(bound)}", "K29")


def shift_of(proof: Proof, step: dict[str, Any]) -> Fraction:
    h = rational(step["shift"], "witness.shift")
    require(0 < h <= proof.problem.delta, "the witness' shift is not within the sensitivity")
    return h


@rule("K29")
def on_open_box(proof: Proof, step: dict[str, Any]) -> Interval:
    """The loss at the radii of an open box, for one shift of at most delta.

    Lemma.  An open box of radii has positive probability, so the best epsilon is at least every
    lower bound of |phi_h| on it, 0 < h <= delta (Theorem A).
    """
    return proof.problem.loss(*open_box(step["box"], "witness.box"), shift_of(proof, step))


@rule("K30")
def at_centre(proof: Proof, step: dict[str, Any]) -> Interval:
    """The limit of phi_delta at the centre.

    Lemma.  The radii near 0 have positive probability, and phi_delta tends to g(delta+) - g(0+).
    """
    return limit_at_zero(proof.problem)


@rule("K31")
def far_out(proof: Proof, step: dict[str, Any]) -> Interval | Fraction:
    """The limit of phi_delta in the tail, on an open cell of phases where it oscillates.

    Lemma.  The radii beyond any R (of an open cell) have positive probability.
    """
    loss = proof.problem.far_loss(proof.tail.peak)
    limit, exact = loss.limit(), loss.terms.get(CONSTANT)
    return limit if exact is None or isinstance(exact, Interval) else abs(Fraction(exact))


WITNESSES: dict[str, Callable[[Proof, dict[str, Any]], Interval | Fraction]] = {
    "box": on_open_box, "zero": at_centre, "infinity": far_out}
BROUGHT["a witness of the lower bound"] = at_least
