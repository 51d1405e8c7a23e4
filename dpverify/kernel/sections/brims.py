"""Where a set that is everything has more than S: near the far side of the spheres, a part of little share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..intervals import D0, Interval, hull, interval
from ..rules import BROUGHT, require, rule
from .jets import share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .panels import Noise


@rule("K430")
def brim(noise: Noise, a: Fraction, b: Fraction, given: Any) -> Interval:
    """What share of the spheres of a panel S may leave out.

    Lemma.  Let f not rise, 0 < a, and g(B0) >= g(rho) + eps just beyond B0 and just below b.  Then
    S has all of |x - u| > B0 on the spheres with a < |x| < b, and leaves out at most the caps
    |x - u| <= B0, whose shares are F_d((B0^2 - s^2 - rho^2)/(2 s rho)).
    """
    require(len(given) == 1 and a > 0, "S is said to have all beyond no radius", "steps")
    (far,), s = given, noise.s
    beyond = noise.height(far, True).hi <= (noise.height(b, False) - noise.epsilon).lo
    require(far > 0 and beyond, "S is not shown to have all beyond the radius named")
    r = hull(interval(a), interval(b))
    cosine = (interval(far * far - s * s) - r * r) * (r * (2 * s)).inverse()
    return Interval(D0, share(cosine, noise.d).hi)


BROUGHT["the share that S may leave out"] = brim
