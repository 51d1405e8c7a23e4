"""What the proof of a claim about f has in common, and the tables of how each claim is proved.

Theorem 3 of Reimherr and Awan (2019): if f is positive, non-increasing, finite at 0+ and
integrable, the best epsilon is the supremum of phi_delta over r >= 0.  A statement about the tail
is one about every cell of it; there is one cell unless the section for waves makes more.
"""

from __future__ import annotations

from fractions import Fraction

from .charts import Problem
from .intervals import Interval
from .pairs import Slope
from .rules import Rejected, brought, require, rule, shown
from .steps import Steps, cover, named

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


def tail_of(problem: Problem, steps: Steps) -> Tail:
    kind = next((name for name in TAILS if steps.has(name)), None)
    return TAILS[kind](problem, steps) if kind else Tail(problem)


class Proof:
    """One claim's proof: its steps, and what several of them have in common."""

    def __init__(self, problem: Problem, steps: Steps) -> None:
        self.problem, self.steps = problem, steps
        self.tail = tail_of(problem, steps)

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
    if isinstance(step, str):
        shows = named(FALLING_FORMS, step, "the step 'decreasing' names no rule of those listed")
        shows(proof.problem.tree)
    else:
        brought("a fall by slopes")(proof, step)


FALLING_FORMS: dict[str, Callable[[Node], None]] = {}
"""Ways to show that f falls by its tree alone."""
REWRITINGS: dict[str, Callable[[Node, Any], Node]] = {}
"""Steps that put another tree in the place of f's, equal to it almost everywhere."""
NEAR_ZERO: dict[str, Callable[[Problem], Decimal]] = {}
"""Ways to bound phi_delta on (0, r0] from above."""
PROVED: dict[str, Callable[[Proof], None]] = {"positive": positive, "decreasing": decreasing}
REFUTED: dict[str, Callable[[Proof], object]] = {}
"""How each hypothesis is proved, and refuted; sections bring what is not here."""
THEOREMS: dict[str, tuple[Callable[[Proof, Fraction], None], set[str]]] = {}
"""Each theorem's upper bound, and the hypotheses that it needs beyond those of every theorem."""
VERDICTS: dict[str, Callable[[dict[str, str], Proof], None]] = {}
"""What other verdicts than "private" need."""
