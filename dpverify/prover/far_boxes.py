"""Boxes far out: log f by models that hold from the octave on in which the box begins, where more cancels.

A long shift makes for a tail that begins far out, and on boxes before it terms that nearly cancel, such as
log(2+r) - log(1+r), or a slope r/sqrt(1+r^2), are told apart only by boxes too many to lay.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from dpverify.asymptotics import Germ
from dpverify.asymptotics.within import Radii
from dpverify.enclosures import Ball, Slope, Undecided, exact

if TYPE_CHECKING:
    from dpverify.prover.problem import Problem

ORDER = 6
FAR = Fraction(2**8)
"""Where a tail has to begin beyond for boxes before it to be far out."""
STARTS = tuple(Fraction(2**k) for k in range(3, 21, 2))
NARROWER = 8
"""How many times as narrow slopes have to be at the start."""
LONG = 1024
"""The least shift, as a part of a box's far end, whose loss is taken apart there."""


class FarBoxes:
    """log f and its slopes on boxes from the radius `start` on, by a model for each octave."""

    def __init__(self, start: Fraction, log: Callable[[Germ], Slope]) -> None:
        self.start, self.order, self._log = start, ORDER, log
        self._logs: dict[Fraction, Slope] = {}

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on the box (a, b), a >= start."""
        log, radii = self.log_from(self.octave(a)), Radii(arb(exact(a)), arb(exact(b)))
        return Slope(Ball(radii.values(log.u)), Ball(radii.values(log.du)))

    def octave(self, a: Fraction) -> Fraction:
        """The largest start * 2^k up to a."""
        return self.start * 2 ** (int(a / self.start).bit_length() - 1)

    def log_from(self, radius: Fraction) -> Slope:
        """log f and its slopes on [radius, oo), as models."""
        if radius not in self._logs:
            self._logs[radius] = self._log(Germ(radius, self.order))
        return self._logs[radius]

    def takes_apart(self, a: Fraction, b: Fraction, h: Fraction) -> bool:
        """Whether the loss over a shift h on (a, b) is the difference of g ahead and g here."""
        return a >= self.start and h * LONG >= b


def far_boxes_of(problem: Problem, reach: Fraction) -> FarBoxes | None:
    """Models for boxes before a tail that begins at `reach`, if that is far out and they are of more use than boxes."""
    if reach < FAR or problem.series is not None:
        return None
    for start in (s for s in STARTS if s * 4 <= reach):
        found = FarBoxes(start, problem.far)
        try:
            octaves = [start * 2**k for k in range(int(reach / start).bit_length() + 1)]
            if _narrower(problem, found, start) and all(_finite(found, a) for a in octaves):
                return found
        except Undecided:
            continue
    return None


def _finite(found: FarBoxes, a: Fraction) -> bool:
    return bool(found.on_box(a, a * 2).u.x.is_finite())


def _narrower(problem: Problem, found: FarBoxes, start: Fraction) -> bool:
    a, b = start, start * Fraction(17, 16)
    narrow = found.on_box(a, b).du.x
    if not narrow.is_finite():
        return False
    try:
        plain = problem.on_box(a, b)
    except Undecided:
        return True
    return not plain.du.x.is_finite() or bool(plain.du.x.rad() > NARROWER * narrow.rad())
