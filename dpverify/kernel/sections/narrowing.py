"""Radii nearer and nearer to those of one phase: what f does on ever less of every period."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import SIGNED_UNIT, Interval, interval
from ..reader import Reader
from ..rules import require, rule
from ..steps import rational, record
from ..tree import walk
from .charts import Problem
from .constants import PI
from .ends import integral
from .evaluation import Evaluation
from .hypotheses import Proof
from .models import CONSTANT, LINEAR, LOG_T, Germ, Model
from .phases import Phase, on_phase
from .refutations import DIVERGING, UNBOUNDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..intervals import Coefficient

FIELDS = {"turns", "logs", "frequency", "halves", "offset", "width", "by"}


class OnePhase(Phase):
    """x = frequency * t, or frequency * log t, is halves * pi + offset, up to whole periods; where
    phases are counted in turns, halves + offset."""

    def __init__(self, turns: bool, logs: bool, frequency: Fraction, halves: Fraction,
                 offset: Fraction) -> None:
        super().__init__(turns, frequency, offset, offset)
        self.halves, self.scale = halves, LOG_T if logs else LINEAR

    def x(self) -> Interval:
        return (interval(self.halves) if self.turns else PI * self.halves) + self.low

    def angle(self, n: Fraction, c: Coefficient, turns: bool) -> tuple[Interval, bool]:
        rest = c + self.low * n
        if turns or rest == 0:  # as no interval is, which may be of a number that is not
            return interval(self.halves * n + rest), True
        return PI * (self.halves * n) + rest, False


class Nearby:
    """The radii t + theta w(t), |theta| <= 1, where t runs through the radii of one phase."""

    def __init__(self, problem: Problem, germ: Germ, width: Model, by: str) -> None:
        self.problem, self.width, self.by = problem, width, by
        self.r = germ.radius() + width * SIGNED_UNIT

    def log_f(self, h: Fraction = Fraction(0)) -> Model:
        """log f at these radii, or h beyond: through its parts, or that of its value."""
        at, tree = self.problem.at_infinity(self.r + h), self.problem.tree
        if self.by == "logs":
            return self.problem.log_f(at)  # type: ignore[no-any-return]
        value: Model = at.value(tree)
        require(value.sign() == 1, "the generator is not positive where the proof needs it")
        return value.log()


@rule("K510")
def nearby(proof: Proof, step: Any, more: set[str]) -> Nearby:
    """Radii beside those of one phase, as near as a function w that is given by its text.

    Lemma.  The radii t of the phase are an arithmetic progression; of log t, a geometric one.  A
    model at t + theta w(t) says what is so for every theta in [-1, 1] at each of them beyond R.  At
    t itself a sine or cosine of n x + c is that of its phase, and exact where that is a multiple of
    pi/2.  w > 0 vanishes, of log t beside t, so that beyond some radius the intervals do not meet.
    What steps is left out: beside a break a floor is on both its sides.
    """
    record(step, "narrowing", FIELDS | more)
    turns, logs = step["turns"], step["logs"]
    require(isinstance(turns, bool) and isinstance(logs, bool), "narrowing is not valid", "format")
    fields = ("frequency", "halves", "offset")
    numbers = [rational(step[name], f"narrowing.{name}") for name in fields]
    require(numbers[0] > 0, "narrowing.frequency is not positive", "format")
    text = Reader(step["width"], {}).tree()
    steady = all(node.kind != "floor" for tree in (proof.problem.tree, text) for node in walk(tree))
    require(steady, "a floor has no value beside a phase at which it may break")
    germ = on_phase(proof.problem.infinity, OnePhase(turns, logs, *numbers))
    width = Evaluation(germ.radius()).value(text)
    near = width.sign() == 1 and width.leading()[0] < (LINEAR if logs else CONSTANT)
    require(near, "narrowing.width is not shown positive, and vanishing")
    require(step["by"] in ("logs", "values"), "narrowing.by names no rule", "steps")
    return Nearby(proof.problem, germ, width, step["by"])


@rule("K511")
def diverges_nearby(proof: Proof, step: Any) -> None:
    """The integral of r^(d-1) |f(r^2)| is infinite over intervals that narrow.

    Lemma.  With s = 2 w(t) t^(d-1) times the least f on the interval about t, the integral over the
    intervals is at least a multiple of the sum of s over the radii t of the phase.  The model of
    log f + log w on all of the intervals says of s what K23 asks for: it is at least a multiple of
    1/t, or of 1/(t log t), or of 1/(t log t log log t), or of such a one times what grows; so the
    sum over an arithmetic progression is infinite as the integral is.  Of log t, with 1/log t and
    so on in their place, since the progression is one of log t.
    """
    near = nearby(proof, step, set())
    log = near.log_f() + near.width.log()
    infinite = integral(log, proof.problem.dimension - int(step["logs"])) == -1
    require(infinite, "f(x'x) is not shown to have an infinite integral beside a phase")


@rule("K512")
def unbounded_nearby(proof: Proof, step: Any) -> None:
    """f is as much larger, or smaller, beside the radii t of one phase than beside t + h as one
    likes.

    Lemma.  log f(r) - log f(s), with r within w(t) of t and s within w(t) of t + h, has a model
    whose leading term grows, or falls, without bound.  Such r and s have positive measure and are
    at most |h| + 2 w(t) apart; so steps of length at most delta, no more than some number of them
    for all t, lead from one to the other, and were f private that number times epsilon would bound
    the difference.
    """
    near = nearby(proof, step, {"shift"})
    require(not step["logs"], "the radii of a phase of log t are not shown near each other")
    h = rational(step["shift"], "narrowing.shift")
    lead, c = (near.log_f() - near.log_f(h)).leading()
    unbounded = lead > CONSTANT and c.sign() in (1, -1)
    require(unbounded, "the loss is not shown unbounded beside a phase")


DIVERGING["narrowing"] = diverges_nearby
UNBOUNDED["narrowing"] = unbounded_nearby
