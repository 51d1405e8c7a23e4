"""An f that touches 0, patched: h is a number on a short patch about each zero, and f elsewhere, with as good as the
same profile, by the bound that is in cut.py.  Where f goes on to touch 0 however far out, it is cut as well."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided, fraction_above
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.prover.breaks import breaks
from dpverify.prover.cover import Box
from dpverify.prover.problem import Problem
from dpverify.prover.profile.faint import Faint, between, faint, waves_to_zero
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball
from dpverify.prover.support import Parts, on
from dpverify.prover.zeros import all_touched

LEAST, MOST, POINTS, MOST_PATCHES = Fraction(1, 2**40), Fraction(2**40), 400, 40
SHORTEST, SHORT, WIDEST = 2.0**-32, 2.0**-16, 1 / 8
"""As parts of its radius, how far a patch reaches from its zero; not so little where f is steeper there than at a
kink, as beside shorter ones shifts would take too long."""
AS_A_KINK = 0.9
"""With which power of the distance f vanishes at least where it is no steeper than at a kink."""
ROOM = 6
"""By how many powers of e the patches are to change f less than a delta's width at the largest eps."""


@dataclass(frozen=True)
class Patch:
    """An open interval of radii, and what h is there."""

    low: Fraction
    high: Fraction
    height: Fraction


@dataclass(frozen=True)
class Patches:
    """h, for f and its dimension."""

    generator: Generator
    patches: tuple[Patch, ...]
    beyond: Faint | None = None

    @property
    def instead(self) -> Generator:
        """h."""
        f = self.generator
        branches = "".join(f"({p.height}, (r > {p.low}) & (r < {p.high})), " for p in self.patches)
        text = self.beyond.instead(f.text) if self.beyond else f.text
        return Generator(f"Piecewise({branches}(({text}), True))", f.dimension, f.parameters)

    def lost(self, problem: Problem) -> Fraction:
        """At most the integral of r^(d-1) |f - h|, the problem being that of f."""
        found = self.beyond.lost(problem) if self.beyond else arb(0)
        for patch in self.patches:
            box = patch.low, patch.high
            low, most = Parts(on(box), box).of(problem.node)
            if not (low >= 0 and most.is_finite()):
                raise Undecided(Reason.NO_PATCHES())
            shell = ball(patch.high) ** (self.generator.dimension - 1) * ball(patch.high - patch.low)
            found += most.max(ball(patch.height)) * shell
        return fraction_above(found)

    def steps(self) -> dict[str, object]:
        """The steps of a certificate that name them."""
        listed = [{"box": [str(p.low), str(p.high)], "height": str(p.height)} for p in self.patches]
        return {"patches": listed} | ({"faint": self.beyond.step()} if self.beyond else {})


def patched(generator: Generator, problem: Problem, level: Fraction, tolerance: Fraction) -> Patches:
    """Patches about the zeros that f touches, so short that they change deltas of eps up to the level by less than the
    tolerance; and where f is cut, if it may touch 0 beyond the last of them.  Raises Undecided where no zeros are
    found."""
    radial = RadialWeight(problem, breaks(problem.node, LEAST, MOST))
    zeros = [(a + b) / 2 for a, b in touched(problem, radial)]
    if not zeros:
        raise Undecided(Reason.NO_PATCHES())
    small = math.log(tolerance) - 2 * float(level) - ROOM
    beyond = None
    if waves_to_zero(problem, max(zeros[-1], Fraction(1)) * 2):
        found = faint(problem, radial.first_end(), small + float(radial.size))
        zeros = [(a + b) / 2 for a, b in all_touched(problem.node, _grid(found.radius * 2))]
        beyond = between(found, zeros)
        zeros = [zero for zero in zeros if zero < beyond.radius]
    if len(zeros) > MOST_PATCHES:
        raise Undecided(Reason.TOO_MANY_ZEROS())
    patches = tuple(_patch(radial, zero, small - math.log(len(zeros))) for zero in zeros)
    ends = [*patches, *([Patch(beyond.radius, beyond.radius, beyond.height)] if beyond else [])]
    if any(p.high > q.low for p, q in pairwise(ends)):
        raise Undecided(Reason.NO_PATCHES())
    return Patches(generator, patches, beyond)


def touched(problem: Problem, radial: RadialWeight | None = None) -> list[Box]:
    """Small boxes about the zeros that f is seen to touch, the centre apart."""
    radial = radial or RadialWeight(problem, breaks(problem.node, LEAST, MOST))
    return all_touched(problem.node, _grid(radial.first_end() * 4))


def _grid(end: Fraction) -> list[Fraction]:
    return sorted({end * k / POINTS for k in range(1, POINTS + 1)} | {end / Fraction(5, 4) ** k for k in range(POINTS)})


def _patch(radial: RadialWeight, zero: Fraction, small: float) -> Patch:
    """The longest patch about a zero, by halves, on which there is so little of w."""
    part = WIDEST
    falls = radial.rough(float(zero) * (1 + SHORT)) - radial.rough(float(zero) * (1 + SHORT / 16))
    shortest = SHORTEST if falls > AS_A_KINK * math.log(16) else SHORT
    while part > shortest:
        reach = part * float(zero)
        ends = float(zero) - reach, float(zero) + reach
        if max(map(radial.rough_weight, ends)) + math.log(reach) < small:
            break
        part /= 2
    unit = Fraction(2) ** (math.floor(math.log2(part * float(zero))) - 4)
    low, high = (zero - Fraction(reach)) // unit * unit, -(-(zero + Fraction(reach)) // unit) * unit
    height = min(map(radial.rough, map(float, (low, high))))
    return Patch(low, high, Fraction(2) ** math.floor(height / math.log(2)))
