"""delta(eps) from the pure epsilon, whatever the laws are, and from a set that need not be the
right one.

e0 is a bound of the pure epsilon, by Theorem 3 or by Theorem A.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import D0, Interval, interval
from ..rules import BROUGHT, require, rule
from ..steps import rational, record
from .hypotheses import Proof
from .layers import at_shift as in_space
from .panels import Noise, line, spheres
from .shifts import at_shift as on_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K371")
def randomised(noise: Noise, bound: Fraction) -> Interval:
    """At most delta(eps) where no loss is above e0.

    Lemma (Kairouz, Oh and Viswanath 2015).  For 0 <= eps <= e0 it is at most
    (e^e0 - e^eps)/(1 + e^e0), which randomised response attains.
    """
    require(bound >= noise.level, "no loss is larger than eps", "steps")
    most = interval(bound).exp()
    return Interval(D0, ((most - noise.growth) * (most + 1).inverse()).hi)


@rule("K372")
def some_set(noise: Noise, z: Interval, theorem: str, given: Any) -> tuple[Decimal, Decimal]:
    """At least delta(eps) by a set S', and what that set shows at most.

    Lemma.  P(S') - e^eps Q(S') is at most delta(eps) for any S' and any one pair of neighbours.
    For a non-increasing f (Theorem B) that of the longest shift is the worst, and what S' costs is
    all that its value lacks; for any other f nothing is shown from above.
    """
    if theorem == "Theorem B":
        value, cost = (line if noise.d == 1 else spheres)(noise, given)
        high = value.hi if value.hi > 0 else D0
        above = (Interval(high, high) + Interval(D0, max(D0, cost.hi))) * z.inverse()
        return (Interval(max(D0, value.lo), high) * z.inverse()).lo, above.hi
    require(isinstance(given, dict) and "shift" in given, "a set has no shift", "format")
    longest = noise.s
    noise.s = rational(given["shift"], "shift")
    require(0 < noise.s <= longest, "the shift of a set is no distance of neighbours", "steps")
    found = (on_line if noise.d == 1 else in_space)(noise, given)
    noise.s = longest
    share = z.inverse() * Fraction(1, 2 if noise.d == 1 else 1)
    return (Interval(found.lo, found.lo) * share).lo, Decimal(1)


def bounds(proof: Proof, noise: Noise, z: Any, step: Any, theorem: str, at_most: Any
           ) -> tuple[Decimal, Decimal]:
    """delta(eps) between two bounds, by what a step names: a bound of the pure epsilon ("pure"), a
    set ("set"), or both."""
    named = record(step["rough"], "rough", {"pure", "set"} & set(step["rough"]))
    require(bool(named), "a rough bound rests on nothing", "steps")
    low, high = D0, Decimal(1)
    if "pure" in named:
        bound = rational(named["pure"], "pure")
        at_most(proof, bound)
        high = min(high, randomised(noise, bound).hi)
    if "set" in named:
        least, most = some_set(noise, z, theorem, named["set"])
        low, high = max(low, least), min(high, most)
    return low, high


BROUGHT["rough bounds"] = bounds
