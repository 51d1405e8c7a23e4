"""What proofs about f on its charts have in common, and the tables of how a hypothesis is shown."""

from __future__ import annotations

from ..rules import brought, require, rule
from ..steps import Steps, named
from .charts import Problem, cover
from .messages import shown
from .slopes import Slope
from .tail import tail_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..reader import Need
    from .charts import Box
    from ..tree import Node


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
    """The needs of the text (needs.py), if there are any that its form does not meet."""
    if needs:
        brought("a way to meet the needs of the text")(proof, needs)


@rule("K19")
def positive(proof: Proof) -> None:
    """f > 0 on (0, oo).

    Lemma.  The charts cover (0, oo); on each a finite logarithm of f is enclosed, so f > 0 there.
    """
    for germ in proof.tail.cells:
        proof.problem.far(germ)
    before_tail(proof)


def before_tail(proof: Proof) -> None:
    """A finite logarithm of f on the chart at zero and on each box."""
    proof.problem.near_zero()
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
PROVED: dict[str, Callable[[Proof], None]] = {"positive": positive, "decreasing": decreasing}
REFUTED: dict[str, Callable[[Proof], object]] = {}
"""How each hypothesis is proved, and refuted; sections bring what is not here."""
