"""The profile in infinite dimension: V is a function of the path, so delta(eps) is the mean over V of the Gaussian's.

For X = V Z in a Hilbert space the law of large numbers gives V from X, and from X + u as well, so whoever sees the
release knows V: delta(eps) = E_V[h(Delta / (sigma V))], h(t) = Phi(t/2 - eps/t) - e^eps Phi(-t/2 - eps/t) (Balle and
Wang 2018), which rises with t.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from dpverify.enclosures import Undecided, exact, fraction_above, fraction_below, precision
from dpverify.findings import Reason
from dpverify.mixtures import Mixing
from dpverify.profiles.hilbert.mean import Law, Of

BITS = 200
FLOORS = (12, 40, 80, 160, 320)
"""Down to which negative powers of ten, times what is asked, parts of a mean are known, in turn."""


@dataclass(frozen=True)
class Bounds:
    """lower <= delta(eps) <= upper."""

    epsilon: Fraction
    lower: Fraction
    upper: Fraction


class MixtureProfile:
    """delta(eps) of one law and shift s = Delta/sigma, at every eps that is asked for."""

    pure = None
    """No epsilon is pure: every Gaussian has losses beyond it."""

    def __init__(self, mixing: Mixing, s: Fraction, tick: Callable[[str], None]) -> None:
        self.s, self.tick = s, tick
        with precision(BITS):
            self.law = Law(mixing)

    def atom(self, tolerance: Fraction) -> None:
        """No loss is infinite."""

    def at(self, epsilon: Fraction, tolerance: Fraction) -> Bounds:
        """delta(eps) within `tolerance` of it; raises Undecided."""
        value = self.mean(lambda level: lambda t: gaussian(t, level), epsilon, tolerance)
        return Bounds(epsilon, *value)

    def mean(self, of: Callable[[arb], Of], level: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
        """E[F(s/V)], F lying between 0 and 1 and given at a level, to within `tolerance` of it; raises Undecided."""
        failure = Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=level))
        for digits in FLOORS:
            self.tick("the mean over V")
            with precision(BITS + 4 * digits + 4 * len(str(1 // tolerance))):
                try:
                    value = self.law.mean(self.s, of(arb(exact(level))), tolerance / 8, tolerance / 10**digits)
                except Undecided as error:
                    failure = error
                    continue
                low, high = fraction_below(value.lower().max(arb(0))), fraction_above(value.upper())
            if high - low <= tolerance * low * 9 / 10:
                return low, min(high, Fraction(1))
        raise failure


def gaussian(t: acb, epsilon: arb) -> acb:
    """h(t), analytic for Re t > 0."""
    root = arb(2).sqrt()
    first, second = (epsilon / t - t / 2) / root, (epsilon / t + t / 2) / root
    return (first.erfc() - epsilon.exp() * second.erfc()) / 2
