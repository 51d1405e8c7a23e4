"""delta(eps) of a Gaussian scale mixture in d dimensions, from that of a sum of Gaussians near it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from flint import arb

from dpverify.enclosures import Undecided, precision
from dpverify.findings import Reason
from dpverify.mixtures import Mixing
from dpverify.profiles.blends.atoms import Discrete, discrete
from dpverify.profiles.blends.sums import Sum, Terms, Weight
from dpverify.profiles.hilbert.mean import Law
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Divergence, Profile
from dpverify.prover.profile.divergence import Accuracy, at_least, at_most
from dpverify.prover.profile.pieces import ball

if TYPE_CHECKING:
    from dpverify.results import Result

BITS = 250
FIRST = Fraction(1, 10**14)
SHARE = Fraction(1, 20)
"""How near the sum is to the mixture at first, as a part of the mass; and as which part of what is asked at least."""
ROUNDS, GRID = 4, 200


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

    def __init__(self, mixing: Mixing, dimension: int, s: Fraction, tick: Callable[[str], None]) -> None:
        self.d, self.s, self.tick = dimension, s, tick
        with precision(BITS):
            self.law = Law(mixing)
        self._near: dict[Fraction, Near] = {}
        self.apart = FIRST
        self.mixing = mixing

    @cached_property
    def verified(self) -> Result | None:
        """What is known of a pure epsilon, with its certificate; None where there is none."""
        from dpverify.api import verify

        self.tick("the pure epsilon")
        found = verify(mixing=self.mixing, dimension=self.d, sensitivity=self.s)
        return found if found.verdict == "private" else None

    @property
    def pure(self) -> tuple[Fraction, Fraction] | None:
        """Bounds of the pure epsilon, where it is known."""
        known = self.verified.epsilon if self.verified is not None else None
        return None if known is None else (known.lower, known.upper)

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
        """delta(eps) within `tolerance` of it; raises Undecided."""
        for _ in range(ROUNDS):
            near = self.near()
            if not self._seen(near, epsilon) and self._pure(epsilon):
                return Divergence(epsilon, Fraction(0), Fraction(0))
            found = near.profile.at(epsilon, tolerance * 8 / 10)
            with precision(BITS):
                widened = _widened(found, near, epsilon)
            if widened.upper - widened.lower <= tolerance * widened.lower:
                return widened
            if not widened.lower and self._pure(epsilon):
                return Divergence(epsilon, Fraction(0), Fraction(0))
            self.apart *= min(Fraction(1, 100), tolerance * SHARE * widened.upper)
        raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))

    def _pure(self, epsilon: Fraction) -> bool:
        """Whether no loss exceeds eps."""
        return self.pure is not None and epsilon >= self.pure[1]

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


def _widened(found: Divergence, near: Near, epsilon: Fraction) -> Divergence:
    """The bounds for the mixture: the integrals of positive parts are apart by (1 + e^eps) times what the mixtures are,
    and the masses by that."""
    mass, apart = near.profile.sum.terms.mass, near.law.distance
    off = apart * (1 + ball(epsilon).exp())
    lower, upper = (mass * ball(found.lower) - off) / (mass + apart), (mass * ball(found.upper) + off) / (mass - apart)
    return Divergence(epsilon, at_least(lower), min(at_most(upper), Fraction(1)), found.panels, found.steps,
                      found.stretches, found.accuracy)  # fmt: skip
