"""A joint as long as can be: all of a ball about 0, as it is seen from u."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, hull, interval
from ..rules import BROUGHT, require, rule
from .panels import Noise


@rule("K570")
def joint(noise: Noise, rho: Fraction, a: Fraction, b: Fraction) -> Interval:
    """A joint at rho from s - rho to s + rho, rho < s.

    Lemma.  The integral of w(r) F_d(t2) over these radii is that of f(|x - u|) over |x| < rho,
    divided by the area of the unit sphere; by the mean value theorem of Pizzetti it is rho^d/d
    times f(s) + c rho^2/(2 (d + 2)), c among the values of f'' + (d - 1) f'/r at the radii from
    s - rho to s + rho.
    """
    d, s = noise.d, noise.s
    require(0 < rho < s and (a, b) == (s - rho, s + rho), "a joint is not all of a ball", "steps")
    f = noise.log(noise.radius(a, b), (a, b)).exp()
    _, slope, bend, *_ = f.whole.c
    across = hull(interval(rho / a), interval(rho / b))
    mean = f.middle.c[0] + (bend * 2 + slope * across * (d - 1)) * Fraction(1, 2 * (d + 2))
    return mean * (interval(rho).power(Fraction(d)) * Fraction(1, d))


BROUGHT["a joint that is a ball"] = joint
