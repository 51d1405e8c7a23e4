"""The steps of Theorem 3, each replayed when the claim calls for it.

Theorem 3 of Reimherr and Awan (2019): if f is positive, non-increasing, finite at 0+ and
integrable, the best epsilon is the supremum of phi_delta over r >= 0.  A statement about the tail
is one about every cell of it; there is one cell unless the section for waves makes more.
"""

from __future__ import annotations

from fractions import Fraction

from .charts import Problem
from .forms import direction
from .intervals import Interval, interval
from .models import CONSTANT
from .pairs import Slope
from .rules import Rejected, brought, require, rule, shown
from .steps import Steps, cover, named, open_box, rational, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal
    from typing import Any

    from .charts import Box
    from .reader import Need
    from .tree import Node


class Tail:
    """The end at infinity on one chart."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.cells, self.peak = [problem.infinity], problem.infinity
        self.reach = problem.r1

    def cover(self, name: str, points: Any) -> list[Any]:
        raise Rejected("the proof names phases, but no frequency", "steps")

    def falls(self, step: Any) -> None:
        require(step is None, "the proof names phases, but no frequency", "steps")
        slopes = self.problem.far(self.peak).du.span()
        require(slopes.hi <= 0, "f is not shown to fall in the tail")

    @rule("K28")
    def at_most(self, step: dict[str, Any], most: Any) -> None:
        """phi_delta in the tail.

        Lemma.  The model of phi_delta = g(r + delta) - g(r), in which g's exact terms cancel,
        encloses it at every r >= R.
        """
        if "phases" in step:
            self.cover("supremum.phases", step["phases"])
        high = self.problem.far_loss(self.peak).span().hi
        require(high <= most, "the loss is not shown below the bound in the tail")

    def limits(self, step: Any) -> list[Interval]:
        """Enclosures of which one contains the limsup of phi_delta."""
        require(step is None, "the proof names phases, but no frequency", "steps")
        return [self.problem.far_loss(self.peak).limit()]


TAILS: dict[str, Callable[[Problem, Steps], Tail]] = {}
"""Other ways to divide the tail, by the name of the step that asks for one."""


class Proof:
    """One claim's proof: its steps, and what several of them have in common."""

    def __init__(self, problem: Problem, steps: Steps) -> None:
        self.problem, self.steps = problem, steps
        kind = next((name for name in TAILS if steps.has(name)), None)
        self.tail = TAILS[kind](problem, steps) if kind else Tail(problem)

    def boxes(self) -> list[Box]:
        p = self.problem
        return p.once("boxes", lambda: cover(
            self.steps.take("cover"), "cover", p.r0, self.tail.reach))

    def covered(self) -> list[Slope]:
        """log f and its slopes on each box of the cover."""
        p = self.problem
        return p.once("covered", lambda: [p.on_box(a, b) for a, b in self.boxes()])


def defined(proof: Proof, needs: list[Need]) -> None:
    """The needs of the text (definedness.py), if there are any that its form does not meet."""
    if needs:
        brought("a way to meet the needs of the text")(proof, needs)


@rule("K19")
def positive(proof: Proof) -> None:
    """f > 0 on (0, oo).

    Lemma.  The charts cover (0, oo); on each a finite logarithm of f is enclosed, so f > 0 there.
    """
    proof.problem.near_zero()
    for germ in proof.tail.cells:
        proof.problem.far(germ)
    for (a, b), log in zip(proof.boxes(), proof.covered(), strict=True):
        finite = log.u.finite()
        require(finite, f"log f is not shown finite on [{shown(a)}, {shown(b)}]")


def decreasing(proof: Proof) -> None:
    step = proof.steps.take("decreasing")
    if isinstance(step, str) and step in FALLING_FORMS:
        FALLING_FORMS[step](proof.problem.tree)
    else:
        brought("a fall by slopes")(proof, step)


@rule("K21")
def falls_by_form(tree: Node) -> None:
    """f is non-increasing by its form.

    Lemma.  exp, log and floor rise with their argument; u^p rises with u >= 0 for p > 0 and falls
    for p < 0; sums and maxima of what falls fall, and products of what falls and is not negative.
    """
    require(direction(tree) in (-1, 0), "the form does not show that f falls")


FALLING_FORMS: dict[str, Callable[[Node], None]] = {"form": falls_by_form}
"""Ways to show that f falls by its tree alone."""
REWRITINGS: dict[str, Callable[[Node, Any], Node]] = {}
"""Steps that put another tree in the place of f's, equal to it almost everywhere."""


@rule("K22")
def finite_at_zero(proof: Proof) -> None:
    """f(0+) is finite.

    Lemma.  The leading term of the model of log f at zero is a constant, or tends to minus
    infinity, or vanishes.
    """
    lead, c = proof.problem.near_zero().u.leading()
    require(lead <= CONSTANT or c.hi < 0, "f(0+) is not shown finite")


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
    centre = p.integral(p.near_zero().u, -p.dimension) == 1
    require(centre, "f(x'x) is not shown integrable at the centre", "K23")


def tail_by_logs(proof: Proof) -> None:
    p = proof.problem
    tail = all(p.integral(p.far(germ).u, p.dimension) == 1 for germ in proof.tail.cells)
    require(tail, "f(x'x) is not shown integrable in the tail", "K23")


INTEGRABLE_TAILS: dict[str, Callable[[Proof], None]] = {"logs": tail_by_logs}
BOUNDED: dict[str, Callable[[Proof], None]] = {"logs": positive}
CENTRES: dict[str, Callable[[Proof], None]] = {"logs": centre_by_logs}
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


NEAR_ZERO: dict[str, Callable[[Problem], Decimal]] = {
    "slopes": Problem.climb_from_zero, "increments": Problem.loss_from_centre}
"""Ways to bound phi_delta on (0, r0] from above."""


@rule("K27")
def at_most(proof: Proof, bound: Fraction) -> None:
    """epsilon <= bound, where f is non-increasing.

    Lemma (Reimherr and Awan 2019, Theorem 3).  epsilon is the supremum of phi_delta over r >= 0,
    which is bounded on (0, r0] (by K25, K26 or, by increments, as on a box), on each box of a cover of
    [r0, R] (by K18, or by K34 where the step names a radius in the box), and in the tail.
    """
    p, most = proof.problem, interval(bound).lo
    step = proof.steps.take("supremum")
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


def at_least(proof: Proof, bound: Fraction) -> None:
    """epsilon >= bound: some loss, for a shift of at most delta, reaches or exceeds it."""
    step = record(proof.steps.take("witness"), "witness", {"near", "box", "shift"})
    witness = named(WITNESSES, step["near"], "the witness is neither a box nor a limit")
    fits = step["near"] == "box" or step["box"] is step["shift"] is None
    require(fits, "a witness in a limit has a box or a shift", "steps")
    value = witness(proof, step)
    value = value if value.lo > 0 else -value
    reached = value.lo >= interval(bound).hi or bound == 0
    require(reached, f"the witness does not reach the lower bound {shown(bound)}", "K29")


@rule("K29")
def on_open_box(proof: Proof, step: dict[str, Any]) -> Interval:
    """The loss at the radii of an open box, for one shift of at most delta.

    Lemma.  An open box of radii has positive probability, so the best epsilon is at least every
    lower bound of |phi_h| on it, 0 < h <= delta (Theorem A).
    """
    h = rational(step["shift"], "witness.shift")
    require(0 < h <= proof.problem.delta, "the witness' shift is not within the sensitivity")
    return proof.problem.loss(*open_box(step["box"], "witness.box"), h)


@rule("K30")
def at_centre(proof: Proof, step: dict[str, Any]) -> Interval:
    """The limit of phi_delta at the centre.

    Lemma.  The radii near 0 have positive probability, and phi_delta tends to g(delta+) - g(0+).
    """
    return proof.problem.limit_at_zero()


@rule("K31")
def far_out(proof: Proof, step: dict[str, Any]) -> Interval:
    """The limit of phi_delta in the tail, on an open cell of phases where it oscillates.

    Lemma.  The radii beyond any R (of an open cell) have positive probability.
    """
    return proof.problem.far_loss(proof.tail.peak).limit()


WITNESSES = {"box": on_open_box, "zero": at_centre, "infinity": far_out}
PROVED: dict[str, Callable[[Proof], None]] = {
    "positive": positive,
    "decreasing": decreasing,
    "finite_at_zero": finite_at_zero,
    "integrable": integrable,
    "tail_ratio_bounded": tail_ratio_bounded,
}
REFUTED: dict[str, Callable[[Proof], object]] = {}
"""How each hypothesis is refuted, once the section for refutations is loaded."""
THEOREMS: dict[str, tuple[Callable[[Proof, Fraction], None], set[str]]] = {
    "Theorem 3": (at_most, {"decreasing"}),
}
"""Each theorem's upper bound, and the hypotheses that it needs beyond those of every theorem."""
VERDICTS: dict[str, Callable[[dict[str, str], Proof], None]] = {}
"""What other verdicts than "private" need, once the section for refutations is loaded."""
