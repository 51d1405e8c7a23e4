"""Tails below a power, for an f that does not fall there."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, Interval, interval
from ..rules import BROUGHT, require, rule
from .models import Germ, Model, power_of_t
from .panels import Noise


@rule("K291")
def below_a_power(noise: Noise, radius: Fraction, p: Fraction) -> Interval:
    """The integral of w over [R, oo), where r^p f is bounded.

    Lemma.  If log f + p log r <= M beyond R and p > d, then w(r) <= e^M r^(d-1-p) there, and the
    integral is at most e^M R^(d-p)/(p - d).
    """
    require(radius > 0, "the tail begins at no positive radius", "steps")
    require(p > noise.d, "the power that bounds the tail is not integrable")
    germ = Germ(radius, noise.p.infinity.order)
    r = Model(germ, {power_of_t(1): 1})
    most = (noise.p.far(germ).u + r.log() * p).span().hi
    require(most.is_finite(), "f is not shown to lie below the power named in the tail")
    exponent = Interval(most, most) + interval(radius).log() * (noise.d - p)
    return Interval(D0, (exponent.exp() * (1 / (p - noise.d))).hi)


BROUGHT["a tail below a power"] = below_a_power
