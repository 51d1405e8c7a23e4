"""Points on the wrong side of an edge, for an f that may rise: strips of |x - u| on the spheres of a panel."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.prover.profile.caps import density, share
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.series import UNIT

DEEPEST, COARSER = 24, 4
"""How far strips are halved; how many times as wide the next may be."""
FLATTER, ROOM = 0.98, 1 / 4
"""So that a checker sees it too: as which part of eps log f is to change over the shift, and of what log f is unknown
by how far from eps a loss is to be."""


@dataclass(frozen=True)
class Edge:
    """An edge of S' in the panel's variable, and on which side S' lies: above it (1) or below (-1)."""

    curve: tuple[Fraction, ...]
    sign: int

    def at(self, side: int) -> Fraction:
        """Where it is at an end of the panel."""
        return sum((c * side**k for k, c in enumerate(self.curve)), Fraction(0))


@dataclass(frozen=True)
class Band:
    """Radii about an edge, and at most the size of its residual g(B) - g(rho) - eps on the panel."""

    low: Fraction
    high: Fraction
    off: arb


Strips = tuple[tuple[Fraction, Fraction, Edge | bool], ...]
"""Radii |x - u| from one to another, and the edge there, or whether all of them are in S'."""


def coarsest(shift: Fraction) -> Fraction:
    """The widest that strips are: the power of two that the shift is at least, and is not twice."""
    return Fraction(2) ** (math.frexp(float(shift))[1] - 1)


def following(at: Fraction, unit: Fraction) -> Fraction:
    """The next multiple of a unit."""
    return (at // unit + 1) * unit


class Strip:
    """The spheres of one panel, for bounds of p - e^eps q between two radii |x - u|."""

    def __init__(self, radial: RadialWeight, level: arb, a: Fraction, b: Fraction, weight: arb, height: arb) -> None:
        self.radial, self.a, self.b, self.weight, self.height = radial, a, b, weight, height
        self.breaks, self.brackets = radial.breaks, set(radial.brackets)
        self.s, self.d, self.level, self.growth = radial.shift, radial.dimension, level, level.exp()
        self.unit = coarsest(self.s)
        self.rho = (ball(a) + ball(b)) / 2 + ball((b - a) / 2) * UNIT
        self.found = list[tuple[Fraction, Fraction, Edge | bool]]()

    def about(self, band: Band, edge: Edge) -> arb:
        """At most what points about an edge cost; Undecided unless log f is shown to fall upward into S', or to rise
        out of it: else points on the wrong side could be further from eps than the edge is."""
        slope = edge.sign * self.radial.problem.on_box(band.low, band.high).du.x
        if not slope < 0:
            raise Undecided(Reason.NO_SLOPE())
        self.found.append((band.low, band.high, edge))
        return (self.weight * self.share(band.low, band.high) * band.off.expm1()).upper()

    def between(self, low: Fraction, high: Fraction, inside: bool) -> arb:
        """At most what points between two radii cost that are taken for inside or outside: strip by strip upward, each
        as wide as tells as much as narrower ones would, and ending where strips of other panels do, so that log f is
        bounded once for all of them."""
        if high - low > self.unit / 2 and (self._wrong(low, high, inside)[0] <= 0 or self._flat(low, high, inside)):
            return self._taken(low, high, inside, arb(0))
        total, at, unit = arb(0), low, self.unit
        least = unit / 2**DEEPEST
        while at < high:
            end = min(following(at, unit), high)
            wrong, split = self._wrong(at, end, inside)
            if split and unit > least and not wrong <= 0 and (at, end) not in self.brackets:
                k = bisect_right(self.breaks, at)
                if k < len(self.breaks) and self.breaks[k] < end:
                    end = self.breaks[k]
                    wrong, split = self._wrong(at, end, inside)
                if split and not wrong <= 0 and (at, end) not in self.brackets:
                    unit /= 2
                    continue
            total = total + self._taken(at, end, inside, wrong)
            at, unit = end, min(COARSER * unit, self.unit)
        return total

    def _taken(self, low: Fraction, high: Fraction, inside: bool, wrong: arb) -> arb:
        """At most what one of these costs."""
        self.found.append((low, high, inside))
        if wrong <= 0:
            return arb(0)
        part = wrong.expm1() if inside else -((-wrong).expm1())
        cost = (self.weight * self.share(low, high) * part).upper() if part.is_finite() else arb.pos_inf()
        if inside and not low:
            cost = cost.min(self.growth * self.radial.lost_inside(high))
        return cost

    def _wrong(self, low: Fraction, high: Fraction, inside: bool) -> tuple[arb, bool]:
        """At most by how much the loss is on the wrong side of eps, with some room where it is not known closely, as a
        checker may know it less well; and whether narrower strips may tell more."""
        try:
            problem = self.radial.problem
            there = problem.log_bounds(low, high) if low else problem.log_within(high)
        except Undecided:
            return arb.pos_inf(), True
        excess = there - self.height if inside else self.height - there
        if not excess.is_finite():
            return arb.pos_inf(), self.height.is_finite()
        middle = there.mid() - self.height if inside else self.height - there.mid()
        open_still = not excess > 0 and (middle <= 0 or not there.rad() < self.height.rad())
        return (excess.upper() + there.rad() * ROOM).upper(), open_still

    def _flat(self, low: Fraction, high: Fraction, inside: bool) -> bool:
        """Whether log f changes by no more than eps over the shift, on all of a wider strip and on the panel."""
        if inside or high - low <= self.s:
            return False
        try:
            slope = self.radial.problem.on_box(min(self.a, low), max(self.b, high)).du.x
        except Undecided:
            return False
        return bool(slope.abs_upper() * ball(self.s) <= self.level * FLATTER)

    def share(self, low: Fraction, high: Fraction) -> arb:
        """At most the share of a sphere of the panel that lies between two radii |x - u|."""
        if not self.a:
            return arb(1)
        most = arb(1)
        s, rho = ball(self.s), self.rho
        length = ball((high * high - low * low) / (2 * self.a * self.s))
        if self.d > 2:
            most = most.min((density(self.d) * length).upper())
        elif length < 2:
            most = most.min(share((length - 1).upper(), 2).upper())
        ends = [(rho * rho + s * s - ball(r) ** 2) / (2 * rho * s) for r in (low, high)]
        return most.min(share(ends[0].upper(), self.d).upper()).min(1 - share(ends[1].lower(), self.d).lower())
