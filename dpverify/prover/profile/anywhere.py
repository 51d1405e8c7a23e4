"""H(t) in one dimension for an f that may rise: both points of a sphere may lie in S at any radius."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.prover.profile.line import LEFT, OUT, RIGHT, Line, Stretch
from dpverify.prover.profile.pieces import ball, refined


class Anywhere(Line):
    """The stretches of one eps and one shift; nothing is asked of f."""

    def stretches(self, tolerance: Fraction, nothing: arb | None = None) -> list[Stretch]:
        """Stretches whose sum is known to a relative tolerance, or to be at most `nothing`."""
        start = min(self.mass.start(tolerance), self.s / 4)
        marks = self.mass.marks(tolerance, start)
        while marks[-1] < 2 * self.s:
            marks.append(marks[-1] * 2)
        found = [self.far(marks[-1])]
        for side in (LEFT, RIGHT):
            cuts = {x for x in (*marks, *self._meeting(side)) if start < x < marks[-1]}
            found += [self.stretch(side, a, b) for a, b in pairwise([start, *sorted(cuts), marks[-1]])]
        if start:
            found.append(self.centre(start))
        return refined(found, self.split, lambda low: low * ball(tolerance), self.tick, nothing)

    def _meeting(self, side: int) -> set[Fraction]:
        """Radii at which f may jump where the other point is, and where that is at the centre."""
        if side == LEFT:
            return {b - self.s for b in self.radial.breaks}
        return {self.s, *(abs(self.s - b) for b in self.radial.breaks), *(b + self.s for b in self.radial.breaks)}

    def _across(
        self, side: int, a: Fraction, b: Fraction
    ) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        if side == LEFT or b <= self.s:
            return super()._across(side, a, b)
        m, h = (a + b) / 2, (b - a) / 2
        return (m - self.s, h), (a - self.s, b - self.s)

    def _largest(self, a: Fraction, b: Fraction) -> arb:
        """Nothing, as f may rise."""
        return arb.pos_inf()

    def far(self, a: Fraction) -> Stretch:
        """Beyond a on both sides: nothing of them; that on the left less where the loss is bounded."""
        cost = self.radial.lost_beyond(a, self.level) + self.radial.lost_beyond(a, arb.neg_inf())
        return Stretch(LEFT, a, None, OUT, arb(0), cost.upper())

    def split(self, x: Stretch) -> list[Stretch]:
        if x.b is None:
            return [*(self.stretch(side, x.a, x.a * 2) for side in (LEFT, RIGHT)), self.far(x.a * 2)]
        return super().split(x)
