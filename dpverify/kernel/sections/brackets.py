"""A step of f at a radius that is not rational: between two that are."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, Interval, interval
from ..rules import BROUGHT, brought, require, rule
from .panels import Noise
from .theorem_a import bounds_of_log


@rule("K540")
def between(noise: Noise, a: Fraction, b: Fraction, low: Fraction, high: Fraction,
            weight: Interval) -> Interval:
    """What a step costs beside what K158 says, k being known to lie between two radii.

    Lemma.  Let 0 < k1, S' be {|x - u| > k2}, g(k1-) <= g(rho) + eps + x and g(k2+) >= g(rho) + eps
    - x.  Up to k1 the loss is at most eps + x, beyond k2 at least eps - x, as g rises.  A point
    between, which is not in S', costs at most all of p there: K304's share of p on the panel, and
    the largest f on it times the integral of r^(d-1) from k1 to k2, as for spheres about u.
    """
    require(a > 0, "a step between two radii is on spheres about 0", "steps")
    require(low > 0, "a step lies beyond what is no radius", "steps")
    thin = weight * brought("the share of a thin strip")(noise.d, a, noise.s, low, high)
    shell = interval((high ** noise.d - low ** noise.d) / noise.d)
    shell = shell * bounds_of_log(noise.p, a, b).exp()
    return Interval(D0, min(thin.hi, shell.hi))


BROUGHT["a step between two radii"] = between
