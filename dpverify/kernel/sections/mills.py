"""Losses without a bound beside those of a Gaussian, beyond the last point of a profile."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, Interval, interval
from ..rules import BROUGHT, require, rule
from .constants import PI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .moments import Bound, Tail


@rule("K279")
def below_gaussian(tail: Tail, mu: Fraction) -> None:
    """h <= h_mu from the last point of the profile on.

    Lemma.  With x = eps/mu - mu/2 > 0, z = x + mu, and N the standard normal density, h_mu is at
    least N(x) mu/(z^2 + 3); and with b = 2t/c^2 h is at most e^(m - b (eps - a)^2/2) for eps > a
    (K247).  The gap of the logarithms has the slope b (eps - a) - x/mu - 2 z/(mu (z^2 + 3)).  So if
    b >= 1/mu^2 and b (eps - a) - x/mu >= 2/(mu z) at one eps, the gap rises from there on; and if
    it is not negative there, h <= h_mu from there on.
    """
    shown = any(stays_below(bound, mu, tail.last) for bound in tail.bounds)
    require(shown, "mu is not shown large enough beyond the last point")


def stays_below(bound: Bound, mu: Fraction, epsilon: Fraction) -> bool:
    """The lemma's conditions for one bound of the losses."""
    x = epsilon / mu - mu / 2
    steep, ahead = 2 * bound.t / bound.c**2, epsilon - bound.a
    if not (x > 0 and ahead > 0 and steep >= 1 / mu**2):
        return False
    z = x + mu
    slope = steep * ahead - x / mu - 2 / (mu * z)
    level = (PI * 2).log() * Fraction(1, 2) + x * x / 2 + interval((z * z + 3) / mu).log()
    gap: Interval = -bound.m - level + steep * ahead**2 / 2
    return slope >= 0 and gap.lo >= D0


BROUGHT["a tail below a Gaussian's"] = below_gaussian
