"""H(t) in one dimension for an f that may rise: both points of a sphere may lie in S at any radius."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.prover.profile.even import LOOSER, Evening
from dpverify.prover.profile.line import IN, IN_BY_VALUES, LEFT, OPEN, OUT, RIGHT, Line, Stretch
from dpverify.prover.profile.pieces import ball, refined, total

SERIES = "s"
"""Nothing of a stretch, as its series show."""
ROUGH = Fraction(1, 10**12)
"""From which tolerance on stretches end just where floats see the loss cross eps."""


class Anywhere(Line):
    """The stretches of one eps and one shift; nothing is asked of f."""

    def stretches(self, tolerance: Fraction, nothing: arb | None = None, fewer: bool = False) -> list[Stretch]:
        """Stretches whose sum is known to a relative tolerance, or to be at most `nothing`; or fewer of them, to some
        times the tolerance."""
        self.at_roots = tolerance > ROUGH
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
        found = refined(found, self.split, lambda low: low * ball(tolerance), self.tick, nothing)
        return self._evened(found, total(found)[0] * ball(tolerance) * LOOSER) if fewer else found

    def _evened(self, stretches: Sequence[Stretch], allowed: arb) -> list[Stretch]:
        """Fewer of them, between the radii at which f may jump here or where the other point is."""
        ordered = sorted(stretches, key=lambda x: (x.b is None, x.centre, x.side, x.a))
        fixed = {side: sorted({*self.radial.breaks, *self._meeting(side)}) for side in (LEFT, RIGHT)}
        found = list[Stretch]()
        for side in (LEFT, RIGHT, None):
            own = [x for x in ordered if (x.side if _inner(x) else None) == side]

            def alike(x: Stretch, side: int | None = side) -> Hashable:
                if not (side and x.a) or x.kind == OPEN:
                    return None
                return bisect_right(fixed[side], x.a), x.kind in (IN, IN_BY_VALUES)

            remade = lambda a, b, side=side: self.stretch(side, a, b)  # noqa: E731
            found += Evening(remade, alike, self.order).evened(own, allowed) if side else own
        return found

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

    def out(self, side: int, a: Fraction, b: Fraction) -> Stretch:
        """Nothing of a stretch: on the left by the series of both points, where these say more."""
        found = super().out(side, a, b)
        if side == RIGHT or found.cost == 0:
            return found
        try:
            excess = self._excess(side, a, b).max(arb(0))
            cost = (self.radial.bound(a, b) * ball(b - a) * -((-excess).expm1())).upper()
        except Undecided:
            return found
        return Stretch(side, a, b, SERIES, arb(0), cost) if cost < found.cost else found

    def far(self, a: Fraction) -> Stretch:
        """Beyond a on both sides: nothing of them; that on the left less where the loss is bounded."""
        cost = self.radial.lost_beyond(a, self.level) + self.radial.lost_beyond(a, arb.neg_inf())
        return Stretch(LEFT, a, None, OUT, arb(0), cost.upper())

    def split(self, x: Stretch) -> list[Stretch]:
        if x.b is None:
            return [*(self.stretch(side, x.a, x.a * 2) for side in (LEFT, RIGHT)), self.far(x.a * 2)]
        return super().split(x)


def _inner(x: Stretch) -> bool:
    return x.b is not None and not x.centre
