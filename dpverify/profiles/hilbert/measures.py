"""Other measures of privacy in infinite dimension, where whoever sees the release knows V.

With t = Delta/(sigma V), the shift that the Gaussian then sees:
  Renyi      e^((L - 1) D_L) = E[e^(L (L - 1) t^2/2)], D_1 = E[t^2/2]
  zCDP, mu   the largest t decides: rho is its square half, by D_L/L as L grows, and mu is that t, as h rises with t
  trade-off  for every level eps the point (E[Phi(-t/2 - eps/t)], E[Phi(eps/t - t/2)]) lies on the curve, which falls
(Mironov 2017; Bun and Steinke 2016; Dong, Roth and Su 2022).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided, exact, fraction_above, fraction_below, precision
from dpverify.enclosures.lowering import lower
from dpverify.findings import Reason
from dpverify.mixtures import Mixing
from dpverify.mixtures.ends import find
from dpverify.mixtures.law import Atoms, Density
from dpverify.profiles.hilbert.mean import Law, Of, number_of
from dpverify.profiles.hilbert.profile import BITS, FLOORS, MixtureProfile
from dpverify.profiles.measures import ERROR, MU, RENYI, RHO, Wanted
from dpverify.profiles.result import Enclosed, Measure, outward

WIDE = 40
NEAR_ZERO = "V comes as near to 0 as one likes, and the Gaussian's shift is then as long as one likes"
TOO_OFTEN_SMALL = "V is too often too small for the mean of its Gaussians' moments to be finite"
STEPS = 200


def measures(mixing: Mixing, profile: MixtureProfile, wanted: Wanted, tolerance: Fraction) -> tuple[Measure, ...]:
    """What is wanted, in the order of `Wanted`; what is not decided says why."""
    source = _Measures(mixing, profile, tolerance)
    asked: list[tuple[str, Fraction | None, Callable[[], Enclosed | str]]] = []
    asked += [(RENYI, x, lambda x=x: source.renyi(x)) for x in wanted.renyi]  # type: ignore[misc]
    asked += [(ERROR, x, lambda x=x: source.tradeoff(x)) for x in wanted.tradeoff]  # type: ignore[misc]
    asked += [(RHO, None, source.rho)] if wanted.zcdp else []
    asked += [(MU, None, source.mu)] if wanted.gdp else []
    return tuple(_measured(name, at, value, tolerance) for name, at, value in asked)


def _measured(name: str, at: Fraction | None, value: Callable[[], Enclosed | str], tolerance: Fraction) -> Measure:
    try:
        found = value()
    except Undecided as error:
        return Measure(name, at, None, str(error), decided=False)
    return Measure(name, at, None, found) if isinstance(found, str) else Measure(name, at, outward(found, tolerance))


class _Measures:
    """Each measure as an enclosure, or why it is infinite; raises Undecided."""

    def __init__(self, mixing: Mixing, profile: MixtureProfile, tolerance: Fraction) -> None:
        self.mixing, self.profile, self.s = mixing, profile, profile.s
        self.tolerance = tolerance / WIDE

    def renyi(self, order: Fraction) -> Enclosed | str:
        rate = order * (order - 1) * self.s**2 / 2
        if order < 1:
            return self._divergence(self.profile.mean(_moment(order), Fraction(0), self.tolerance), order)
        factor = f"exp(({rate})/v**2)" if rate else f"({self.s**2 / 2})/v**2"
        law = self.mixing.law
        if isinstance(law, Atoms):
            return self._divergence(self._of_atoms(law, rate), order)
        weighted = Mixing(f"({self.mixing.text})*{factor}", self.mixing.parameters)
        with precision(BITS):
            assert isinstance(weighted.law, Density)
            if not find(lower(weighted.law.expression), True).converges(0):
                return TOO_OFTEN_SMALL
        return self._divergence(self._quotient(Law(weighted)), order)

    def rho(self) -> Enclosed | str:
        longest = self._longest()
        return NEAR_ZERO if longest is None else _enclosed(*(x**2 / 2 for x in longest))

    def mu(self) -> Enclosed | str:
        longest = self._longest()
        return NEAR_ZERO if longest is None else _enclosed(*longest)

    def tradeoff(self, x: Fraction) -> Enclosed:
        """Between the type II errors at two levels, whose type I errors are on either side of x."""
        low, high = Fraction(-1), Fraction(1)
        while self._first(low)[0] < x:
            low *= 2
        while self._first(high)[1] > x:
            high *= 2
        for _ in range(STEPS):
            if self._narrow(low, high):
                break
            middle = (low + high) / 2
            first = self._first(middle)
            if first[0] <= x <= first[1]:
                raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
            low, high = (middle, high) if first[0] > x else (low, middle)
        return Enclosed(self._second(low)[0], self._second(high)[1])

    def _narrow(self, low: Fraction, high: Fraction) -> bool:
        if high - low > Fraction(1, 100):
            return False
        least, most = self._second(low)[0], self._second(high)[1]
        return most - least <= self.tolerance * WIDE * least

    def _first(self, level: Fraction) -> tuple[Fraction, Fraction]:
        return self.profile.mean(type_one, level, self.tolerance)

    def _second(self, level: Fraction) -> tuple[Fraction, Fraction]:
        return self.profile.mean(type_two, level, self.tolerance)

    def _divergence(self, moment: tuple[Fraction, Fraction], order: Fraction) -> Enclosed:
        if order == 1:
            return Enclosed(*moment)
        with precision(BITS):
            low, high = (arb(exact(x)).log() / arb(exact(order - 1)) for x in moment)
            return _enclosed(low.min(high), low.max(high))

    def _of_atoms(self, law: Atoms, rate: Fraction) -> tuple[Fraction, Fraction]:
        with precision(BITS):
            pairs = [(number_of(w), number_of(v)) for w, v in law.pairs]
            c = arb(exact(rate or self.s**2 / 2))
            over = sum((w * ((c / v**2).exp() if rate else c / v**2) for w, v in pairs), arb(0))
            found = over / sum((w for w, _ in pairs), arb(0))
            return fraction_below(found), fraction_above(found)

    def _quotient(self, weighted: Law) -> tuple[Fraction, Fraction]:
        for digits in FLOORS[:3]:
            self.profile.tick("a Renyi divergence")
            with precision(BITS + 4 * digits):
                over, under = (
                    law.mass(self.tolerance / 8, self.tolerance / 10**digits) for law in (weighted, self.profile.law)
                )
                found = over / under
                low, high = fraction_below(found), fraction_above(found)
            if high - low <= self.tolerance * low:
                return low, high
        raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())

    def _longest(self) -> tuple[arb, arb] | None:
        """Delta/sigma over the least V, from below and from above; None where V comes as near to 0 as one likes."""
        with precision(BITS):
            if isinstance(self.mixing.law, Atoms):
                values = [number_of(v) for _, v in self.mixing.law.pairs]
                longest = arb(exact(self.s)) / functools.reduce(arb.min, values)
                return longest, longest
            sooner, later = self.profile.law.least()
            return (arb(exact(self.s / later)), arb(exact(self.s / sooner))) if sooner else None


def _moment(order: Fraction) -> Callable[[arb], Of]:
    """e^(L (L - 1) t^2/2), between 0 and 1 for L < 1; it has no level."""
    rate = arb(exact(order * (order - 1) / 2))
    return lambda _: lambda t: (t * t * rate).exp()


def type_one(level: arb) -> Of:
    """Phi(-t/2 - eps/t): how often the test of the level eps rejects where it should not, shifts being t long."""
    return lambda t: ((level / t + t / 2) / arb(2).sqrt()).erfc() / 2


def type_two(level: arb) -> Of:
    """Phi(eps/t - t/2): how often it does not reject where it should."""
    return lambda t: ((t / 2 - level / t) / arb(2).sqrt()).erfc() / 2


def _enclosed(low: arb, high: arb) -> Enclosed:
    return Enclosed(max(Fraction(0), fraction_below(low)), fraction_above(high))
