"""The grid of a whole profile: from eps = 0 until delta is as small as asked, or 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.prover.profile import Profile

LAST = Fraction(1, 10**25)
CLOSED, LINE, SPACE = 2500, 200, 60
"""How many points: of a closed form, in one dimension, in more."""
MOST = 20_000
ROUGH = Fraction(1, 1000)


@dataclass(frozen=True)
class Curve:
    """The step, or None for one that suits the noise, and the delta at which the grid ends."""

    step: Fraction | None
    until: Fraction

    def levels(self, prover: Profile) -> tuple[Fraction, ...]:
        """eps = 0, step, 2 step, ...; Undecided where the end is not found."""
        end = self._end(prover)
        wanted = CLOSED if prover.rate else LINE if prover.problem.dimension == 1 else SPACE
        step = self.step or Fraction(1, math.ceil(wanted / end))
        count = math.ceil(end / step)
        if count > MOST:
            raise InputError(f"the grid has {count} points, and at most {MOST} are possible; give a larger step")
        return tuple(step * k for k in range(max(2, count) + 1))

    def _end(self, prover: Profile) -> Fraction:
        """The pure epsilon, or an eps at which delta is below the last; roughly the least such."""
        pure = prover.pure
        low, high = Fraction(0), Fraction(1) if pure is None else pure[1]
        if pure is not None and prover.at(high * 15 / 16, ROUGH).upper > self.until:
            return high
        while pure is None and prover.at(high, ROUGH).upper > self.until:
            low, high = high, high * 2
        while high - low > high / 16:
            middle = (low + high) / 2
            low, high = (middle, high) if prover.at(middle, ROUGH).upper > self.until else (low, middle)
        return high
