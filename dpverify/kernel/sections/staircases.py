"""Staircases: floors along the series of a panel, and tails that fall by steps."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, ONE, Interval, interval
from ..rules import BROUGHT, require, rule
from .floors import floor, floor_of_interval
from .jets import Series
from .models import Germ
from .panels import Noise


@floor.register(Series)
@rule("K226")
def floor_of_series(u: Series) -> Series:
    """floor(u) on a panel.

    Lemma.  Where every value of u has the same floor, floor(u) is that number, and its series has
    no other term.
    """
    n = floor_of_interval(u.c[0])
    require(n.lo == n.hi, "a floor is not shown to be one number on a panel")
    return u.const(n)


@rule("K227")
def falling_by_steps(noise: Noise, radius: Fraction, h: Fraction) -> Interval:
    """The integral of w over [R, oo), where f falls on every step of length h.

    Lemma.  If phi_h >= c beyond R, then w(r + h) <= w(r) (1 + h/R)^(d-1) e^-c =: w(r) k there, so
    the integral over each stretch of length h is at most k times that before it, and for k < 1 all
    of them together at most that over (R, R + h) divided by 1 - k.
    """
    require(radius > 0 and h > 0, "the tail has no steps", "steps")
    drop = noise.p.far_shift(Germ(radius, noise.p.infinity.order), h).span().lo
    growth = interval(1 + h / radius).power(Fraction(noise.d - 1))
    require(drop.is_finite(), "f is not shown to fall by steps in the tail")
    left = ONE - growth * (-Interval(drop, drop)).exp()
    require(left.lo > 0, "f is not shown to fall fast enough by steps in the tail")
    return Interval(D0, (noise.bound(radius, radius + h) * Interval(left.lo, left.lo).inverse()).hi)


BROUGHT["a tail that falls by steps"] = falling_by_steps
