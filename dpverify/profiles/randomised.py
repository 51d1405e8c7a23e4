"""Measures of privacy from the pure epsilon alone: no pair of neighbours is told apart better than the two laws of
randomised response, of which it is a post-processing (Kairouz, Oh and Viswanath 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.findings import Reason
from dpverify.profiles.envelope import BITS, ball
from dpverify.profiles.result import Enclosed


@dataclass(frozen=True)
class Randomised:
    """Bounds of what is at most that of (e, 1)/(1 + e) and (1, e)/(1 + e), e = e^pure."""

    pure: Fraction

    def renyi(self, order: Fraction) -> Enclosed:
        """log((e^L + e^(1-L))/(1 + e))/(L - 1); Kullback's pure tanh(pure/2) at 1."""
        with precision(BITS):
            e = ball(self.pure)
            if order == 1:
                return _at_most(e * (e / 2).tanh())
            x = ball(order)
            return _at_most(((e * x).exp() + (e * (1 - x)).exp()).log() / (x - 1) - (1 + e.exp()).log() / (x - 1))

    def zcdp(self) -> Enclosed:
        """pure^2/2 (Bun and Steinke 2016, Proposition 3.3)."""
        return Enclosed(Fraction(0), self.pure**2 / 2)

    def gdp(self) -> Enclosed:
        """The mu at which a Gaussian's type II error at 1/(1 + e) is as large: of piecewise linear trade-offs the
        corners count."""
        with precision(BITS):
            return _at_most((ball(self.pure) / 2).tanh().erfinv() * 2 * arb(2).sqrt())

    def tradeoff(self, x: Fraction) -> Enclosed:
        """At least the largest of 1 - e x, (1 - x)/e and 0; at most 1 - x, which a coin attains."""
        with precision(BITS):
            e = ball(self.pure).exp()
            least = (1 - e * ball(x)).max((1 - ball(x)) / e)
            return Enclosed(max(Fraction(0), fraction_below(least.lower())), 1 - x)


def _at_most(value: arb) -> Enclosed:
    if not value.is_finite():
        raise Undecided(Reason.NOT_FINITE())
    return Enclosed(Fraction(0), fraction_above(value.upper()))
