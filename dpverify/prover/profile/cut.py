"""An f that is 0 beyond some radius, cut short of it: h = f up to R, and c e^-r beyond, with as good as the same
profile.

With D the integral of r^(d-1) |f - h| and Z that of r^(d-1) h, the densities differ by at most 2 D/Z in all, so at
every shift the divergences differ by at most 2 (1 + e^eps) D/Z.  Theorem B is needed of h alone, which is positive.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided, fraction_above, precision
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.prover.breaks import breaks
from dpverify.prover.problem import Problem
from dpverify.prover.profile.atom import Atom, atom
from dpverify.prover.profile.divergence import LEAST, MOST, Accuracy, Divergence, Profile, Tick
from dpverify.prover.profile.generator import RadialWeight, bisected
from dpverify.prover.profile.patches import Patches
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.shifts import Rising
from dpverify.prover.profile.space import RisingInSpace
from dpverify.prover.support import Parts, on

NEAR, SHORT = 1e-9, Fraction(1, 2**48)
FINEST, CLOSEST, LEVEL = 45, 95, 40
"""How many halvings short of its end an f is cut at most where it fades, and where it jumps; and up to which eps a tail
is always small enough."""


@dataclass(frozen=True)
class Cut:
    """h, for f and its dimension: R, the radius from which on f is 0, and c."""

    generator: Generator
    radius: Fraction
    end: Fraction
    height: Fraction

    @property
    def instead(self) -> Generator:
        """h."""
        f = self.generator
        tail = f"{self.height}*exp(-r)"
        return Generator(f"Piecewise((({f.text}), r < {self.radius}), ({tail}, True))", f.dimension, f.parameters)

    def lost(self, problem: Problem) -> Fraction:
        """At most D, the problem being that of f."""
        d = self.generator.dimension
        shell = arb(0)
        if self.radius < self.end:
            box = (self.radius, self.end)
            low, most = Parts(on(box), box).of(problem.node)
            if not (low >= 0 and most.is_finite()):
                raise Undecided(Reason.NO_CUT())
            shell = most * ball(self.end) ** (d - 1) * ball(self.end - self.radius)
        return fraction_above(shell + ball(self.height * math.factorial(d - 1)))

    def steps(self) -> dict[str, object]:
        """The step of a certificate that names it."""
        return {"cut": {"radius": str(self.radius), "end": str(self.end), "height": str(self.height)}}


def cut(generator: Generator, problem: Problem, level: Fraction, tolerance: Fraction) -> Cut:
    """Where to cut an f that is known to be 0 from some radius on, for eps up to the level."""
    whole = breaks(problem.node, min(LEAST, problem.delta / 2**10), max(MOST, problem.delta * 2**10))
    radial, rough = RadialWeight(problem, whole), problem.rough_log()

    def outside(r: float) -> bool:
        return not math.isfinite(rough(r))

    far = radial.peak
    while not outside(far):
        far *= 2
    found = bisected(radial.peak, far, outside)
    small = math.log(tolerance) - max(LEVEL, float(level)) - 30
    log_height = float(radial.size) - math.lgamma(problem.dimension) + small
    height = Fraction(10) ** math.floor(log_height / math.log(10))
    exact = [b for b in whole if abs(float(b) - found) <= NEAR * found]
    end = exact[0] if exact else Fraction(found) * (1 + SHORT)
    first = end * (1 - 2 * SHORT)
    radii = [] if exact else [first]
    radii += [first * (1 - Fraction(1, 2**k)) for k in range(FINEST, 2, -1)]
    if exact and _jumps(problem, end, log_height):
        return Cut(generator, end * (1 - Fraction(1, 2**CLOSEST)), end, height)
    for radius in radii:
        if rough(float(radius)) > log_height + 1:
            return Cut(generator, radius, end, height)
    raise Undecided(Reason.NO_CUT())


def _jumps(problem: Problem, end: Fraction, log_height: float) -> bool:
    """Whether f jumps to 0 from a height above the tail."""
    try:
        return bool(problem.beside(end, left=True) > log_height + 1)
    except Undecided:
        return False


class CutProfile(Profile):
    """The profile of f, from that of h, whose problem this is, by the theorem that holds of h."""

    def __init__(self, problem: Problem, cut: Cut | Patches, lost: Fraction, tick: Tick = lambda step: None) -> None:
        super().__init__(problem, None, tick)
        self.cut, self.lost = cut, lost
        self._atoms: dict[Fraction, Atom] = {}

    def atom(self, tolerance: Fraction) -> Atom | None:
        """How much of the loss is infinite, with a width of about `tolerance` of it; None where f is 0 at some radii
        alone."""
        if isinstance(self.cut, Patches):
            return None
        if tolerance not in self._atoms:
            assert self.cut is not None
            accuracy = Accuracy.of(tolerance)
            with precision(accuracy.bits):
                mass = self.mass(accuracy)
            ends = self.cut.radius, self.cut.end
            tick = lambda: self.tick("the atom at infinity")  # noqa: E731
            self._atoms[tolerance] = atom(self.radial(), ends, mass, self.lost, accuracy, tick)
        return self._atoms[tolerance]

    def at(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        found = super().at(epsilon, tolerance * 9 / 10)
        assert found.accuracy is not None
        with precision(found.accuracy.bits):
            mass = self.mass(found.accuracy)[0] * ball(self.radial().size).exp()
            off = fraction_above(2 * (1 + ball(epsilon).exp()) * ball(self.lost) / mass)
        lower, upper = max(Fraction(0), found.lower - off), min(Fraction(1), found.upper + off)
        if not upper - lower <= tolerance * lower:
            raise Undecided(Reason.CUT_TOO_COARSE())
        return replace(found, lower=lower, upper=upper)


class CutRising(CutProfile, Rising):
    """The same of an f that may rise, on the line."""


class CutRisingInSpace(CutProfile, RisingInSpace):
    """The same of an f that may rise, in two dimensions and more."""


def cut_profile(problem: Problem, cut: Cut | Patches, lost: Fraction, rises: bool, tick: Tick) -> CutProfile:
    """The profile of f for one shift; `rises` is whether h may."""
    kind = CutProfile if not rises else CutRising if problem.dimension == 1 else CutRisingInSpace
    return kind(problem, cut, lost, tick)
