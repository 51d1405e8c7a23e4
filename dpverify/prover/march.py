"""Boxes laid one after the other, each as wide as what was learned on the last one lets it be.

A bound by the mean value form is the value at the middle plus a reach that grows with the box; what
the value leaves below the goal is the room for it.  Around the largest loss the room is the square of
a distance, so that boxes fit whose width is a fixed share of their distance from there; that share
is what is learned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import frexp, inf, ldexp, sqrt

from dpverify.prover.cover import Box, boxes_of

AIM, FULL = 0.8, 0.96  # the checker's bounds may be a little wider than the prover's
FIRST_TRIES, FIRST_SHARE, FASTEST = 4, 4.0, 4.0
NEAREST, WIDEST = Fraction(1, 2**20), 15.0
LEAST, MOST, LARGEST = 2.0**-900, 2.0**900, Fraction(2**900)


class March:
    """Boxes led away from where the loss is largest.

    `peak` is that radius, if it is one; `fit` tells how much of the room on a box its bound takes up
    (infinitely much where it has no bound, or no room), and may find a higher peak; `accept` tells
    whether a box has to do as it is, so that no narrower one is tried; `around` is a box around a peak,
    inside another, that is bounded otherwise, if there is one.
    """

    def __init__(
        self,
        peak: Callable[[], Fraction | None],
        fit: Callable[[Box], float],
        accept: Callable[[Box], bool],
        around: Callable[[Box, Fraction], Box | None],
    ) -> None:
        self.peak, self.fit, self.accept, self.around = peak, fit, accept, around
        self.boxes: list[Box] = []

    def lay(self, points: Sequence[Fraction]) -> list[Box]:
        """Boxes from the first point to the last, none across another."""
        stretches = boxes_of(points)[::-1]
        while stretches:
            a, b = stretches.pop()
            peak = self.peak()
            if a == b:
                continue
            if peak is None or peak <= a:
                stretches.append((self._lead(a, b, Fraction(0)), b))
            elif peak >= b:
                stretches.append((a, self._lead(b, a, Fraction(0))))
            else:
                stretches += self._from(peak, a, b)
        return sorted(self.boxes)

    def _from(self, peak: Fraction, a: Fraction, b: Fraction) -> list[Box]:
        """A box around the peak, and boxes to both sides of it; the stretches where none lie yet."""
        box = self.around((a, b), peak) or self._around(peak, a, b)
        if box is None:
            return [(a, b)]
        self.boxes.append(box)
        return [(self._lead(box[1], b, peak), b), (a, self._lead(box[0], a, peak))]

    def _around(self, peak: Fraction, a: Fraction, b: Fraction) -> Box | None:
        """A box around the peak, about as wide as it can be; None where a higher peak was found."""
        width, tries = _about(peak * NEAREST), 0
        while True:
            box = max(a, _rounded(peak, -width)), min(b, _rounded(peak, width))
            used, tries = self.fit(box), tries + 1
            if self._moved(peak, a, b):
                return None
            if (used <= FULL and (used > AIM / 4 or box == (a, b) or tries > FIRST_TRIES)) or self.accept(box):
                return box
            width *= min(64.0, max(1 / 64, sqrt(AIM / used))) if used > 0 else 64

    def _lead(self, start: Fraction, end: Fraction, source: Fraction) -> Fraction:
        """Lay boxes from start to end, on either side of it; how far that came when a peak was found ahead."""
        peak, at, share, growth = self.peak(), start, FIRST_SHARE if not source else 1.0, FASTEST
        way = 1 if end > start else -1
        most = WIDEST if way > 0 or source else WIDEST / (WIDEST + 1)
        while at != end:
            apart = min(at, abs(at - source)) if source else at
            scale, width = _about(apart), min(share, most)
            usual = LEAST < scale < MOST
            to = _rounded(at, way * width * scale) if usual else _dyadic(at, way * Fraction(width) * apart)
            to = end if (to >= end if way > 0 else to <= end) else to
            box = (at, to) if way > 0 else (to, at)
            used, share = self.fit(box), _about(abs(to - at) / apart)
            if self._moved(peak, at, end):
                return at
            if used <= FULL:
                share *= min(growth, (AIM / used) ** 0.6) if used > 0 else growth
                growth = min(FASTEST, growth * 1.5)
            elif self.accept(box):
                share *= FASTEST
            else:
                share *= max(1 / FASTEST, (AIM / used) ** 0.6)
                growth = 1.1
                continue
            self.boxes.append(box)
            at = to
        return end

    def _moved(self, peak: Fraction | None, a: Fraction, b: Fraction) -> bool:
        now = self.peak()
        return now is not None and now is not peak and now != peak and min(a, b) < now < max(a, b)


def _about(width: Fraction) -> float:
    """The nearest float, away from the ends of their range."""
    try:
        near = width.numerator / width.denominator
    except OverflowError:
        return MOST
    return min(max(near, LEAST), MOST)


def _rounded(r: Fraction, width: float) -> Fraction:
    """A dyadic near r + width, to a sixteenth of the width."""
    grain = frexp(width)[1] - 5
    near = ldexp(float(r) + width, -grain) if abs(grain) < 900 and r < LARGEST else inf
    if abs(near) < 2**50:
        return Fraction(ldexp(round(near), grain))
    unit = Fraction(2) ** grain
    return round((r + Fraction(width)) / unit) * unit


def _dyadic(r: Fraction, width: Fraction) -> Fraction:
    """The same where floats do not reach."""
    unit = Fraction(2) ** (abs(width.numerator).bit_length() - width.denominator.bit_length() - 5)
    return round((r + width) / unit) * unit
