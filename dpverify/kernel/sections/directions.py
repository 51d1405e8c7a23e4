"""Moments of one coordinate of a direction, on intervals of it."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from ..intervals import ONE, ZERO, Interval, add_up, hull, interval
from ..rules import require, rule
from .jets import SIGNED, Jet, Series, density, panel

ORDER = 48
"""To which the density is expanded."""


@rule("K556")
def moments(d: int, low: Fraction, high: Fraction, count: int) -> list[Interval]:
    """Moments of a coordinate of a direction.

    Lemma.  They are E[t^j; low < c < high], c = g + k t being a coordinate of a direction, g and k
    the middle and half the width of the interval. For d > 1 the density of c is a (1 - c^2)^p, p =
    (d - 3)/2. On all of [-1, 1] the odd moments are 0, and E[c^j] = E[c^(j - 2)] (j - 1)/(d + j -
    2). Where the interval ends at 1, let v = (1 - c)/e, e its width: the density of v is a e^(p +
    1) v^p (2 - e v)^p, the last factor is a Taylor polynomial with a remainder (K151), and t = 1 -
    2 v; at -1 it is the same, of -t. Elsewhere the density is such a polynomial itself.
    """
    require(-1 <= low < high <= 1, "directions are not a part of [-1, 1]", "steps")
    if high - low == 2:
        found = [ONE, ZERO]
        for j in range(2, count):
            found.append(found[j - 2] * Fraction(j - 1, d + j - 2))
        return found[:count]
    if low == -1:
        return [-x if j % 2 else x for j, x in enumerate(moments(d, -high, -low, count))]
    p = Fraction(d - 3, 2)
    if high == 1:
        return at_an_end(p, high - low, density(d), count)
    c = panel(ORDER, ((low + high) / 2, (high - low) / 2))
    inside = (-c.square() + 1).narrow().of(lambda u: u.power(p))
    return powers(inside * (density(d) * ((high - low) / 2)), count)


def at_an_end(p: Fraction, e: Fraction, a: Interval, count: int) -> list[Interval]:
    """The moments where the interval is [1 - e, 1]."""
    rest = [interval(-e), *[ZERO] * (ORDER - 1)]
    about = (interval(2), hull(interval(2 - e), interval(2)))
    middle, whole = (Series([first, *rest]).power(p) for first in about)
    terms = [*middle.c[:-1], whole.c[-1]]
    factor = a * interval(e).power(p + 1)
    known = [factor * add_up(x * (1 / (p + i + n + 1)) for n, x in enumerate(terms))
             for i in range(count)]
    return [add_up(known[i] * (comb(j, i) * (-2) ** i) for i in range(j + 1))
            for j in range(count)]


def powers(w: Jet, count: int) -> list[Interval]:
    """The integrals of w x^l over x in [-1, 1], for l < count."""
    *known, last = w.terms()
    n, found = len(known), []
    for k in range(count):
        rest = last * Fraction(2, n + k + 1)
        parts = [x * Fraction(2, i + k + 1) for i, x in enumerate(known) if (i + k) % 2 == 0]
        found.append(add_up([*parts, rest * SIGNED if (n + k) % 2 else rest]))
    return found
