"""The two ends: whether f(0+) is finite, f(x'x) integrable and the tail ratio bounded."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import interval
from ..rules import BROUGHT, require, rule
from ..steps import named, record
from .hypotheses import PROVED, Proof, positive
from .models import CONSTANT, SCALES, Model


@rule("K22")
def finite_at_zero(proof: Proof) -> None:
    """f(0+) is finite.

    Lemma.  The leading term of the model of log f at zero is a constant, or tends to minus
    infinity, or vanishes.
    """
    lead, c = proof.problem.near_zero().u.leading()
    require(lead <= CONSTANT or c.hi < 0, "f(0+) is not shown finite")


@rule("K23")
def integral(log: Model, dimension: int) -> int:
    """1 or -1 as the integral of e^log t^dimension dt/t towards infinity converges or diverges.

    Lemma.  With x = log t this is the integral of e^M dx, M = log + dimension log t.  If M
    tends to minus infinity at least as fast as a negative multiple of x it converges, if it
    grows or tends to a constant it diverges; where M carries no multiple of x, one logarithm
    deeper decides, since dx = x d(log x).
    """
    for k, scale in enumerate(SCALES):
        log = log + Model(log.germ, {scale: dimension if k == 0 else 1})
        lead, c = log.leading()
        if lead >= scale or (lead > CONSTANT and c.lo > 0):
            require(c.sign() in (1, -1), "an exponent of integration has no proved sign")
            return -(c.sign() or 0)
    require(lead <= CONSTANT, "an integral is too near the borderline for three logarithms")
    return -1


def integrable(proof: Proof) -> None:
    """The integral of r^(d-1) f(r^2): at the centre by the model (K23) unless the step says
    otherwise, in the tail and between as it says."""
    step = proof.steps.take("integrable")
    centre = {"centre"} & set(step) if isinstance(step, dict) else set()
    record(step, "integrable", {"tail", "boxes"} | centre)
    words = step.get("centre", "logs"), step["tail"], step["boxes"]
    for table, word in zip((CENTRES, INTEGRABLE_TAILS, BOUNDED), words, strict=True):
        named(table, word, "the step 'integrable' names no rule")(proof)


def centre_by_logs(proof: Proof) -> None:
    p = proof.problem
    centre = integral(p.near_zero().u, -p.dimension) == 1
    require(centre, "f(x'x) is not shown integrable at the centre", "K23")


def tail_by_logs(proof: Proof) -> None:
    p = proof.problem
    tail = all(integral(p.far(germ).u, p.dimension) == 1 for germ in proof.tail.cells)
    require(tail, "f(x'x) is not shown integrable in the tail", "K23")


INTEGRABLE_TAILS = {"logs": tail_by_logs}
BOUNDED = {"logs": positive}
CENTRES = {"logs": centre_by_logs}
"""Ways to show f integrable in the tail, between the ends, and at the centre."""


@rule("K24")
def tail_ratio_bounded(proof: Proof) -> None:
    """The limsup of f((c - delta)^2)/f(c^2) is finite.

    Lemma.  Its logarithm is phi_delta, whose model's leading term is a constant, or vanishes, or
    tends to minus infinity, on every cell.
    """
    for germ in proof.tail.cells:
        lead, c = proof.problem.far_loss(germ).leading()
        require(lead <= CONSTANT or c.hi < 0, "the tail ratio is not shown bounded")


@rule("K32")
def limsup(proof: Proof, low: Fraction, high: Fraction) -> None:
    """low <= limsup of phi_delta <= high.

    Lemma.  The limit of a model is the enclosed constant term; the limsup is at least the limit on
    one cell, and at most the largest of the limits on cells that make up all radii.
    """
    p, step = proof.problem, proof.steps.take("limsup") if proof.steps.has("limsup") else None
    reached = interval(low).hi <= p.far_loss(proof.tail.peak).limit().lo
    tops = [limit.hi for limit in proof.tail.limits(step)]
    require(reached and max(tops) <= interval(high).lo, "tail_log_ratio does not hold the limit")


PROVED.update({
    "finite_at_zero": finite_at_zero, "integrable": integrable,
    "tail_ratio_bounded": tail_ratio_bounded})
BROUGHT["the limsup of the loss"] = limsup
