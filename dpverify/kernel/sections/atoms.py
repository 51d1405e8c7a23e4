"""The atom at infinity of the loss, where f is 0 beyond some radius: what of p lies where q is
0."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, Interval, add_up, interval
from ..rules import BROUGHT, require, rule
from ..steps import rational, record
from .charts import open_box
from .jets import panel, share_of
from .panels import MOST_PANELS, Noise, Spheres
from .supports import Cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K244")
def atom(noise: Noise, cut: Cut, z: Interval, claimed: Any, given: Any) -> None:
    """At least so much of p has an infinite loss, at the longest shift.

    Lemma.  f is 0 on [B, oo), so q is 0 where |x - u| > B, and P of that is at most delta(eps) for
    every eps.  Of the spheres |x| = rho < R, on which f is h, the whole lies there where
    rho < s - B, and the cap {|x - u| > B} where |s - B| <= rho < s + B; so P of it is at least the
    sum over panels of these, over an upper bound Z + D of the integral of r^(d-1) f(r^2), D being
    that of K228.
    """
    step = record(given, "atom", {"panels"})
    fits = isinstance(step["panels"], list) and 0 < len(step["panels"]) <= MOST_PANELS
    require(fits, "the panels of the atom are not a list", "format")
    end, total = Fraction(0), [Interval(D0, D0)]
    for box in step["panels"]:
        a, b = open_box(box, "atom.panels")
        within = end <= a and b <= cut.radius
        require(within, "the panels of the atom overlap, or leave the cut", "K244")
        total.append(beyond(noise, cut, a, b))
        end = b
    least = add_up(total) * (z + cut.lost).inverse()
    bound = rational(claimed, "infinite")
    require(bound >= 0 and interval(bound).hi <= least.lo, "so large an atom is not shown", "K244")


def beyond(noise: Noise, cut: Cut, a: Fraction, b: Fraction) -> Interval:
    """At least the integral of w over the part of one panel's spheres that lies beyond B of u."""
    if b <= noise.s - cut.end:
        found = noise.integral(a, b)
    else:
        cross = a >= abs(noise.s - cut.end)
        require(cross, "a panel of the atom reaches spheres that do not cross", "K244")
        r = noise.radius(a, b)
        w = noise.weight(noise.log(r, (a, b)), r)
        if noise.d > 1:
            w = w * share_of(Spheres(noise).cosine(r, panel(noise.order, (cut.end,))), noise.d)
        found = w.integral() * ((b - a) / 2) * (Fraction(1, 2) if noise.d == 1 else 1)
    return Interval(max(D0, found.lo), max(D0, found.hi))


BROUGHT["an atom at infinity"] = atom
