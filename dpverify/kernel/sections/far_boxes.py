"""Boxes far out: log f by models that hold from the box's octave on, in which more cancels than on
a box."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D1, ONE, ZERO, Interval, add_up, hull, interval
from ..rules import brought, require, rule
from ..steps import Steps
from .apart import Apart
from .charts import EXTENSIONS, MAX_WORK, Problem, chart
from .models import Known
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .models import Exponents, Model

LONG = 1024


class FarBoxes(Apart):
    """A problem whose boxes from the radius `start` on are evaluated by a model for each octave,
    and whose losses there, and up to a step `apart`, are differences of two enclosures."""

    def __init__(self, problem: Problem, steps: Steps, size: int) -> None:
        self.start, self.order = chart(steps.take("far_boxes"), "far_boxes")
        small = size * self.order**3 <= MAX_WORK
        excess = "the order of models on boxes is too large for so large a generator"
        require(small, excess, "limits")
        if steps.has("apart"):
            super().__init__(problem, steps)
        else:
            self.alone(problem)
            self.upto = Fraction(0)
        self.by_models = False
        steps.at_end.append(self.needed)

    def needed(self) -> None:
        require(self.by_models, "no box is far out", "steps")

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        return self.on_far_box(a, b) if a >= self.start else super().on_box(a, b)

    def loss(self, a: Fraction, b: Fraction, h: Fraction, above: bool = False) -> Interval:
        if a >= self.start and h * LONG >= b:
            return self.taken_apart(a, b, h, above)
        return super().loss(a, b, h, above)

    @rule("K270")
    def on_far_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on a box that begins at R >= start or beyond.

        Lemma.  The models of log f and of its slopes on [R, oo) are sums of c m, each c in its
        coefficient at every r >= R; so on a box within [R, oo) they lie in the sums of the
        coefficients times the values of m on the box.  t, log t, log log t, ... increase there, and
        their powers, where they are positive, are monotone.  R is start times a power of 2.
        """
        self.by_models = True
        log, box = self.from_octave(a), scales(a, b)
        return Slope(values(log.u, box), values(log.du, box))

    def from_octave(self, a: Fraction) -> Slope:
        """log f and its slopes on [R, oo), R the largest start * 2^k up to a."""
        radius = self.start * 2 ** (int(a / self.start).bit_length() - 1)
        germ = self.once(("octave", radius), lambda: brought("models")(radius, self.order))
        return self.far(germ)


def scales(a: Fraction, b: Fraction) -> list[Interval]:
    """t, log t, log log t, ... on a box, as long as they are above 1."""
    found = [hull(interval(a), interval(b))]
    while len(found) < 5 and found[-1].lo > D1:
        found.append(found[-1].log())
    return found


def values(model: Model, box: list[Interval]) -> Interval:
    """The values of a model on a box that lies in its end of the half-line."""
    return add_up([ZERO, *(size(m, box) * c for m, c in model.terms.items())])


def size(m: Exponents, box: list[Interval]) -> Interval:
    """The values of a monomial."""
    found = ONE
    if m[0]:
        plain = all(isinstance(p, (int, Fraction, Known)) for p, _ in m[0].terms)
        require(plain, "an exponent that is a model has no size on a box")
        found = add_up(power_of(box[0], p) * k for p, k in m[0].terms).exp()
    for i, x in enumerate(m[1:]):
        if x:
            require(i < len(box), "a box is not far enough out for logarithms of logarithms")
            found = found * power_of(box[i], x)
    return found


def power_of(t: Interval, p: Any) -> Interval:
    """t^p for positive t, from its ends."""
    require(t.lo > 0, "a box is not far enough out for logarithms of logarithms")
    ends = (Interval(end, end) for end in (t.lo, t.hi))
    known = isinstance(p, Known)
    return hull(*((x.log() * p).exp() if known else x.power(Fraction(p)) for x in ends))


EXTENSIONS["far_boxes"] = lambda problem, steps, subject: FarBoxes(
    problem, steps, max(subject.tree.size, len(subject.nodes())))
