"""The loss of a long shift: g here and ahead, each enclosed by itself, since nothing of them
cancels."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, interval
from ..rules import require, rule
from ..steps import Steps, rational
from .charts import EXTENSIONS, Problem
from .increments import highest, mean_value
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Apart(Problem):
    """A problem whose losses on boxes up to the radius `upto` are differences of two enclosures."""

    def __init__(self, problem: Problem, steps: Steps) -> None:
        self.alone(problem)
        self.upto, self.used = rational(steps.take("apart"), "apart"), False
        steps.at_end.append(self.ended)

    def alone(self, problem: Problem) -> None:
        """Take a problem's place."""
        plain = type(problem) is Problem
        require(plain, "a series and losses taken apart do not go together", "steps")
        vars(self).update(vars(problem))

    def ended(self) -> None:
        require(self.used, "no loss is taken apart", "steps")

    def loss(self, a: Fraction, b: Fraction, h: Fraction, above: bool = False) -> Interval:
        return self.taken_apart(a, b, h, above) if b <= self.upto else super().loss(a, b, h, above)

    @rule("K223")
    def taken_apart(self, a: Fraction, b: Fraction, h: Fraction, above: bool) -> Interval:
        """phi_h on a box, from g here and g ahead.

        Lemma.  phi_h(r) = log f(r^2) - log f((r + h)^2): both and their slopes are enclosed on the
        box and on the box moved by h; their differences enclose phi_h and its slopes, and K18
        holds.
        """
        self.used = True
        here, ahead = self.on_box(a, b), self.on_box(a + h, b + h)
        whole = Slope(here.u - ahead.u, here.du - ahead.du)
        difference = lambda m: self.at_radius(m) - self.at_radius(m + interval(h))  # noqa: E731
        return mean_value(whole, a, b, difference, place(whole.du) if above else Fraction(1, 2))


def place(slopes: Interval) -> Fraction:
    """From which share of a box the mean value form bounds from above closely: beside the higher
    end where the loss is monotone."""
    if slopes.lo >= 0 or slopes.hi <= 0:
        return 1 - BESIDE if slopes.lo >= 0 else BESIDE
    return highest(slopes)


BESIDE = Fraction(1, 2**40)


def apart(problem: Problem, steps: Steps, _: Any) -> Problem:
    # Boxes far out take both.
    return problem if isinstance(problem, Apart) else Apart(problem, steps)


EXTENSIONS["apart"] = apart
