"""The grid of a whole profile: from eps = 0 until delta is as small as asked, or 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dpverify.enclosures import Undecided
from dpverify.errors import InputError
from dpverify.findings import Reason

if TYPE_CHECKING:
    from dpverify.prover.profile import Profile
    from dpverify.prover.profile.inverse import Bounds, Divergences

LAST = Fraction(1, 10**25)
CLOSED, LINE, SPACE, MIXTURE = 2500, 200, 60, 60
"""How many points: of a closed form, in one dimension, in more; of a mixture in infinite dimension."""
FIRST, FEW = Fraction(1, 64), 4
"""Where a grid ends at the least, and how many points it has there: those losses are 0, or infinite."""
MOST = 20_000
ROUGH = Fraction(1, 1000)
FINE, CLOSE = Fraction(1, 10**9), Fraction(1, 10**8)
"""How well a delta that does not tend to 0 is known, and how near to its limit it is to come."""


@dataclass(frozen=True)
class CurveGrid:
    """The step, or None for one that suits the noise, and the delta at which the grid ends."""

    step: Fraction | None
    until: Fraction

    def levels(self, prover: Divergences[Bounds], usual: int) -> tuple[Fraction, ...]:
        """eps = 0, step, 2 step, ...: about as many as usual, or as the step says; Undecided where the end is not
        found."""
        end = self._end(prover)
        wanted = FEW if end <= FIRST else usual
        step = self.step or Fraction(1, math.ceil(wanted / end))
        count = math.ceil(end / step)
        if count > MOST:
            raise InputError(f"the grid has {count} points, and at most {MOST} are possible; give a larger step")
        return tuple(step * k for k in range(max(2, count) + 1))

    def _end(self, prover: Divergences[Bounds]) -> Fraction:
        """The pure epsilon, or an eps at which delta is below the last, above what it never falls below; roughly the
        least such.  Undecided where the bounds of delta get wider as eps grows, before they are below the last."""
        pure, atom = prover.pure, prover.atom(FINE)
        until = self.until + (atom.upper * (1 + CLOSE) if atom else 0)

        def at(epsilon: Fraction) -> Bounds:
            return prover.at(epsilon, FINE if atom else ROUGH)

        def far(epsilon: Fraction) -> bool:
            return at(epsilon).upper <= until

        low, high = Fraction(0), Fraction(1) if pure is None else pure[1]
        if pure is not None and not far(high * 15 / 16):
            return high
        top = Fraction(2)
        while pure is None and (found := at(high)).upper > until:
            if found.upper >= top and not found.lower:
                raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
            top, low, high = found.upper, high, high * 2
        while high - low > high / 16 and high > FIRST:
            middle = (low + high) / 2
            low, high = (low, middle) if far(middle) else (middle, high)
        return high


def usual(prover: Profile) -> int:
    """How many points suit a generator."""
    return CLOSED if prover.rate else LINE if prover.problem.dimension == 1 else SPACE
