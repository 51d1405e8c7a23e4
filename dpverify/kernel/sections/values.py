"""Panels of a profile by f itself, where its series are narrower than those of log f: waves.

Notation as in panels.py.
"""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, ZERO, Interval
from ..rules import BROUGHT, require, rule
from .jets import Jet, Series, panel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .charts import Box
    from .panels import Noise


@rule("K507")
def values(noise: Noise, r: Jet, ends: Box | None = None) -> Jet:
    """f on a panel.

    Lemma.  As log f (K150, K151): the value of f along the series of r about the middle, and about
    each point of the panel, every coefficient of which is finite; the ends are those of r where it
    takes each radius between them once.
    """
    p = noise.p
    chart = (p.at_centre if r.whole.c[0].lo <= 0 else None) or p.at_box
    whole, middle = (chart(u, e).value(p.tree) for u, e in ((r.whole, ends), (r.middle, None)))
    known = isinstance(whole, Series) and isinstance(middle, Series)
    smooth = known and all(x.finite() for x in whole.c)
    require(smooth, "f is not shown smooth on a panel")
    return Jet(middle, whole)


@rule("K508")
def stretch(noise: Noise, side: int, a: Fraction, b: Fraction, word: str
            ) -> tuple[Interval, Interval]:
    """The points x = side rho, a < rho < b, of the line: in S' ("v") or not ("w").

    Lemma.  |x - u| is rho + s on the left and |rho - s| on the right.  A point on the wrong side
    costs |p - e^eps q|: one in S' what p - e^eps q falls short of 0 by, at most the most on the
    stretch, one outside S' what it exceeds 0 by.
    """
    s, middle, half = noise.s, (a + b) / 2, (b - a) / 2
    require(side != 1 or b <= s or a >= s, "a stretch reaches across the shift", "steps")
    mirrored = side > 0 and b <= s
    around = (s - b, s - a) if mirrored else (a - side * s, b - side * s)
    across = (s - middle, -half) if mirrored else (middle - side * s, half)

    def found() -> tuple[Jet, Jet]:
        return (values(noise, noise.radius(a, b), (a, b)),
                values(noise, panel(noise.order, across), around))

    here, there = noise.p.lately(("values", noise.order, (a, b), across), found)
    gain = here - there * noise.growth
    span = gain.extent()
    if word == "w":
        return ZERO, Interval(D0, max(D0, span.hi)) * (2 * half)
    lacking = max(D0, span.lo.copy_negate())
    return gain.integral() * half, Interval(D0, lacking) * (2 * half)


@rule("K509")
def integral(noise: Noise, a: Fraction, b: Fraction) -> Interval:
    """The integral of w over (a, b).

    Lemma.  It is that of the Taylor polynomial of f r^(d-1) and of its remainder.
    """
    r = noise.radius(a, b)
    shell = r.of(lambda u: u.power(Fraction(noise.d - 1)))
    return (values(noise, r, (a, b)) * shell).integral() * ((b - a) / 2)


BROUGHT["a stretch by values of f"] = stretch
BROUGHT["the integral of w by values of f"] = integral
