"""delta(eps) of a Gaussian scale mixture in d dimensions, from that of a sum of Gaussians near it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from flint import arb

from dpverify.enclosures import Undecided, fraction_below, precision
from dpverify.mixtures import Mixing
from dpverify.profiles.blends.atoms import Discrete, discrete
from dpverify.profiles.blends.sums import Sum, Terms, Weight
from dpverify.profiles.hilbert.mean import Law
from dpverify.prover.problem import Problem
from dpverify.prover.profile import NOTHING, Divergence, Profile
from dpverify.prover.profile.divergence import Accuracy, at_least, at_most
from dpverify.prover.profile.inverse import quantile
from dpverify.prover.profile.pieces import ball

if TYPE_CHECKING:
    from dpverify.results import Result

BITS = 250
FIRST, NEAREST = Fraction(1, 10**14), Fraction(1, 10**40)
SHARE = Fraction(1, 20)
"""How near the sum is to the mixture at first and at last, as a part of the mass; and as which part of what is due."""
CLOSER, LITTLE = 0.01, Fraction(1, 1000)
"""By which factor the sum comes nearer at least; and as which part of a target a delta need not be known any closer."""
ROUNDS, GRID = 4, 200
WIDER = (Fraction(1, 10**6), Fraction(1, 10**3), Fraction(1, 20))


class OfSum(Profile):
    """The profile of the sum, no closer than to what its losses may exceed those of the mixture by."""

    def __init__(self, problem: Sum, nothing: Fraction, tick: Callable[[str], None]) -> None:
        super().__init__(problem, None, tick)
        self.sum, self.nothing = problem, nothing

    def radial(self, problem: Problem | None = None) -> Weight:
        return Weight(self.sum, self.reach)

    def mass(self, accuracy: Accuracy) -> tuple[arb, arb]:
        """Known in closed form; in the units of the radial weight."""
        terms = self.sum.terms
        whole = terms.mass * terms.unit * (-ball(self.radial().size)).exp()
        return whole.lower(), whole.upper()


@dataclass(frozen=True)
class Near:
    """A sum near the mixture, and its profile."""

    law: Discrete
    profile: OfSum


class BlendProfile:
    """delta(eps) of one law, dimension and shift s = Delta/sigma, at every eps that is asked for."""

    pure = None
    """For a search, which meets the pure epsilon where delta is 0."""

    def __init__(self, mixing: Mixing, dimension: int, s: Fraction, tick: Callable[[str], None]) -> None:
        self.d, self.s, self.tick = dimension, s, tick
        with precision(BITS):
            self.law = Law(mixing)
        self._near: dict[Fraction, Near] = {}
        self.apart, self.too_near, self.nothing = FIRST, NEAREST, NOTHING
        self.mixing = mixing

    @cached_property
    def verified(self) -> Result | None:
        """What is known of a pure epsilon, with its certificate; None where there is none."""
        from dpverify.api import verify

        self.tick("the pure epsilon")
        found = verify(mixing=self.mixing, dimension=self.d, sensitivity=self.s)
        return found if found.verdict == "private" else None

    def atom(self, tolerance: Fraction) -> None:
        """No loss is infinite."""

    def near(self) -> Near:
        """The sum in use."""
        if self.apart not in self._near:
            self.tick("atoms for the law of V")
            with precision(BITS):
                law = discrete(self.law, self.d, self.apart)
                terms = Terms(law.atoms, self.d)
            self._near[self.apart] = Near(law, OfSum(Sum.of(terms, self.s), self.apart, self.tick))
        return self._near[self.apart]

    def at(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        """delta(eps) within `tolerance` of it, or to be at most `nothing`; wider where that does not come off."""
        widths, best = [tolerance, *(width for width in WIDER if width > tolerance)], None
        for width in widths:
            try:
                found = self._at(epsilon, width)
            except Undecided as error:
                failure = error
                continue
            best = found if best is None or found.upper - found.lower < best.upper - best.lower else best
            if _within(best, width):
                return best
        if best is None:
            raise failure
        return best

    def _at(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        """The same, as narrow as comes of a few sums that are ever nearer to the mixture."""
        best: Divergence | None = None
        before = self.apart
        for _ in range(ROUNDS):
            try:
                near = self.near()
                if not self._seen(near, epsilon) and self._pure(epsilon):
                    return Divergence(epsilon, Fraction(0), Fraction(0))
                found = near.profile.at(epsilon, tolerance * 8 / 10)
            except Undecided:
                if best is None:
                    raise
                self.too_near, self.apart = self.apart, before
                break
            with precision(BITS):
                best = _widened(found, near, epsilon)
            if _within(best, tolerance) or best.upper <= self.nothing:
                break
            if not best.lower and self._pure(epsilon):
                return Divergence(epsilon, Fraction(0), Fraction(0))
            before, nearer = self.apart, self._nearer(near, epsilon, tolerance * SHARE * best.upper)
            if nearer <= self.too_near:
                break
            self.apart = nearer
        assert best is not None
        return best

    def quantile(self, target: Fraction, tolerance: Fraction) -> tuple[Divergence, Divergence]:
        """delta at two eps that are next to each other, between which it meets the target."""
        before, self.nothing = self.nothing, target * LITTLE
        try:
            return quantile(self, target, tolerance)
        finally:
            self.nothing = before

    def _nearer(self, near: Near, epsilon: Fraction, share: Fraction) -> Fraction:
        """How near the sum is to be for what the mixtures are apart by to be a share of the mass, times what eps makes
        of it."""
        with precision(BITS):
            wanted = near.profile.sum.terms.mass * ball(share) / (1 + ball(epsilon).exp())
            part = fraction_below((wanted / near.law.distance).min(arb(CLOSER)))
        return short(self.apart * part)

    def _pure(self, epsilon: Fraction) -> bool:
        """Whether no loss exceeds eps."""
        known = self.verified.epsilon if self.verified is not None else None
        return known is not None and epsilon >= known.upper

    def _seen(self, near: Near, epsilon: Fraction) -> bool:
        """Whether floats see a loss beyond eps where there is more of the mass than the mixtures are apart by."""
        terms, s = near.profile.sum.terms, float(self.s)
        least = float((terms.mass * terms.unit * ball(self.apart)).log())
        for k in range(-GRID, GRID):
            r = s * 2 ** (k / 4)
            here = terms.log(r)
            if here + self.d * math.log(r) > least and here - terms.log(r + s) > epsilon:
                return True
        return False


def _within(found: Divergence, tolerance: Fraction) -> bool:
    return found.upper - found.lower <= tolerance * found.lower


def short(x: Fraction) -> Fraction:
    """A power of two that is no larger."""
    return Fraction(2) ** (x.numerator.bit_length() - x.denominator.bit_length() - 1)


def _widened(found: Divergence, near: Near, epsilon: Fraction) -> Divergence:
    """The bounds for the mixture: the integrals of positive parts are apart by (1 + e^eps) times what the mixtures are,
    and the masses by that."""
    mass, apart = near.profile.sum.terms.mass, near.law.distance
    off = apart * (1 + ball(epsilon).exp())
    lower, upper = (mass * ball(found.lower) - off) / (mass + apart), (mass * ball(found.upper) + off) / (mass - apart)
    return Divergence(epsilon, at_least(lower), min(at_most(upper), Fraction(1)), found.panels, found.steps,
                      found.stretches, found.accuracy)  # fmt: skip
