"""Phases: what oscillates in the tail is, on a narrow cell of phases, about a number."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, hull, interval
from .models import CONSTANT, LINEAR, Germ, Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..intervals import Coefficient


class Phase:
    """x = frequency * r, modulo the period of what oscillates, lies in [low, high].

    What oscillates are sines and cosines of multiples of x (`turns`: of pi x), and floors.
    """

    scale = LINEAR

    def __init__(self, turns: bool, frequency: Fraction, low: Fraction, high: Fraction) -> None:
        self.turns, self.frequency, self.low, self.high = turns, frequency, low, high

    def moved(self, low: Fraction, high: Fraction) -> Phase:
        return Phase(self.turns, self.frequency, low, high)

    def x(self) -> Interval:
        return hull(interval(self.low), interval(self.high))

    def angle(self, n: Fraction, c: Coefficient, turns: bool) -> tuple[Interval, bool]:
        """n x + c, and whether that is said in turns."""
        return self.x() * n + c, turns


def on_phase(end: Germ, phase: Any) -> Germ:
    """The same end, only its radii of one cell of phases: of a `Phase`, or of a torus of them."""
    germ = Germ.__new__(Germ)
    germ.phase, germ.start, germ.order = phase, end.start, end.order
    germ.logs, germ.spans = end.logs, end.spans
    return germ


def linear(model: Model, turns: bool, floors: bool) -> tuple[Fraction, Coefficient] | None:
    """(n, c) where the model is n x + c, x the phase, up to what vanishes and what does not matter:
    whole periods of the cosine, or integers, which x = 2 in turns brings where n or 2n is whole,
    but 2 pi does not."""
    growing = {m: c for m, c in model.terms.items() if m > CONSTANT}
    phase = model.germ.phase
    if phase is None or phase.turns is not turns or len(growing) != 1:
        return None
    steep = growing.get(phase.scale)
    if not isinstance(steep, Fraction):
        return None
    n = steep / phase.frequency
    whole = n.denominator <= (2 if floors else 1)
    return (n, model.terms.get(CONSTANT, Fraction(0))) if whole else None
