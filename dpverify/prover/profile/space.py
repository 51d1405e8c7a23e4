"""delta(eps) for an f that rises somewhere, in two dimensions and more: the supremum over shifts as in `shifts`."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from dpverify.enclosures import Undecided, precision
from dpverify.findings import Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile.divergence import Accuracy, Tick
from dpverify.prover.profile.extremes import extremes
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.joints import sums
from dpverify.prover.profile.layers import Layers
from dpverify.prover.profile.leaps import loud
from dpverify.prover.profile.mass import Mass
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.shifts import Anchor, Rising, Search
from dpverify.prover.profile.slope import Level
from dpverify.prover.profile.turning import Turns, spread

COUNT = 400
BESIDE, LEVELS, LEAST_JUMP = (-1e-12, 1e-12), 12, 1e-9
"""How near to a break f is looked at; into how many parts a jump is cut, and from which one on of log f."""
LARGEST = 600.0
"""The largest logarithm of a weight: beyond it all are as much smaller."""
FAR = tuple(Fraction(1, 10**k) for k in (12, 24, 48, 96, 192))
"""How little of f is left out of the search, until edges are seen."""


class RisingInSpace(Rising):
    """The profile of a generator in two dimensions or more whose hypotheses are proved but that it does not rise.

    Where an enclosure as narrow as asked is not found, a wider one is given."""

    looser = 10

    @cached_property
    def turns(self) -> list[float]:
        """Where log f turns, by floats."""
        return extremes(self.radial())

    def _search(self, epsilon: Fraction) -> Search:
        return SearchInSpace(self.radial(), epsilon)

    def slopes(self, epsilon: Fraction, marks: list[Fraction], little: Fraction) -> Turns:
        return Turns(self.radial(), epsilon, marks, little)

    def _anchor(self, epsilon: Fraction, shift: Fraction, accuracy: Accuracy) -> Anchor:
        with precision(accuracy.bits):
            radial = self.radial(replace(self.problem, delta=shift, _models={}))
            tick = lambda: self.tick("delta(eps)")  # noqa: E731
            layers = Layers(radial, epsilon, accuracy.order, accuracy.boundary, tick, self.turns)
            panels, steps = layers.enclosed(accuracy.tolerance / 5, accuracy.fewer)
            low, high = sums(panels, steps)
            if not low > 0:
                raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
            return Anchor(shift, (), low.lower(), high.upper(), tuple(panels), tuple(steps))


def rising(problem: Problem, pure: tuple[Fraction, Fraction] | None, tick: Tick = lambda step: None) -> Rising:
    """The profile of a generator that may rise, in the dimension of the problem."""
    return (Rising if problem.dimension == 1 else RisingInSpace)(problem, pure, tick)


class SearchInSpace(Search):
    """The same over floats: where the edges of S are does not depend on the shift."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction) -> None:
        self.s, self.shift, self.d = float(radial.shift), radial.shift, radial.dimension
        self.edges = list[tuple[float, float, float, int]]()
        for far in FAR:
            marks = Mass(radial, 12, lambda: None).marks(far, radial.shift / 2**12)
            loud(radial, ball(epsilon), marks)
            radii = spread(radial, epsilon, marks, Level(COUNT, short=True))
            self._look(radial, float(epsilon), [float(x) for x in radii])
            if self.edges:
                break

    def _look(self, radial: RadialWeight, level: float, radii: list[float]) -> None:
        radii = sorted({*radii, *(b * (1 + k) for b in radial.breaks if radii[0] < b < radii[-1] for k in BESIDE)})
        rows = [*radii, *(radii[-1] + self.s * k / 20 for k in range(1, 21))]
        logs = [radial.rough(r) for r in rows]
        heights = [math.exp(x - float(radial.size)) for x in logs]
        powers = [(self.d - 1) * math.log((a + b) / 2) for a, b in pairwise(radii)]
        largest = max(power + max(ends) for power, ends in zip(powers, pairwise(logs), strict=False))
        scale = max(float(radial.size), largest - LARGEST)
        for k, (a, b) in enumerate(pairwise(radii)):
            rho = (a + b) / 2
            jump = b - a < 4 * BESIDE[1] * b and abs(logs[k + 1] - logs[k]) > LEAST_JUMP
            for part in range(LEVELS if jump else 1):
                share = (part + 0.5) / LEVELS
                height = (1 - share) * heights[k] + share * heights[k + 1]
                log = math.log(height) + float(radial.size) if jump and height > 0 else radial.rough(rho)
                ends = [math.exp(powers[k] + x - scale) for x in (logs[k], logs[k + 1])]
                weight = (ends[1] - ends[0]) / (LEVELS if jump else 1)
                for edge, sign in _edges(rows, logs, rho, self.s, log - level):
                    self.edges.append((weight, rho, edge, sign))

    def slope(self, t: float) -> float:
        """About 2 Z H'(t), but for a constant factor."""
        found = 0.0
        for weight, rho, edge, sign in self.edges:
            c = (rho * rho + t * t - edge * edge) / (2 * rho * t)
            if -1 < c < 1:
                found -= weight * sign * (1 - c * c) ** ((self.d - 1) / 2)
        return found


def _edges(rows: list[float], logs: list[float], rho: float, s: float, height: float) -> list[tuple[float, int]]:
    """Where log f falls (1) or rises (-1) through a height, within s of rho."""
    found = []
    for k in range(bisect_left(rows, rho - s), bisect_right(rows, rho + s) - 1):
        p, q = logs[k] - height, logs[k + 1] - height
        if (p < 0) != (q < 0):
            found.append((rows[k] + (rows[k + 1] - rows[k]) * p / (p - q), 1 if q < 0 else -1))
    return found
