"""The end at infinity, as one cell or, with waves, more: what is said of it holds on every cell."""

from __future__ import annotations

from ..intervals import Interval
from ..rules import Rejected, require, rule
from ..steps import Steps
from .charts import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


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
