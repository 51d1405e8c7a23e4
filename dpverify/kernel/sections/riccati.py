"""Power series of functions whose slope solves an equation of Riccati's."""

from __future__ import annotations

from ..intervals import ONE, UP, ZERO, Interval, hull, interval, meet
from ..rules import BROUGHT, require, rule
from .jets import WIDE, dot, one_part
from .smooth import composed, points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .smooth import Smooth


@rule("K373")
def along_series(f: Smooth, x: Any) -> Any:
    """F(u) along a power series (K150) where F's slope s solves s' = a + b/x + (c + e/x) s - s^2.

    Lemma.  For x > 0 that is so of log P and log Q, with a, b, c, e = 0, 0, -1, p - 1 for their
    order p; of log G with 0, -p, -1, -(p + 1); and of log B of order p, x^p B(x) = I_p(x), with
    1, 0, 0, -(2 p + 1).  The coefficients of s(u) follow one by one from s'(u) u'.  Each derivative
    of x^-p P, e^x Q, G and e^-x B is monotone, so that their coefficients about an interval lie
    between those about its ends.
    """
    first = x.c[0]
    require(first.lo > 0, "a special function's series is about something not proved positive")
    found = by_equation(f, x)
    if not UP.multiply(first.lo, WIDE) < first.hi:
        return found
    closer = composed(x, [f.value(first), *about_each(f, x)])
    return type(x)([found.c[0], *map(meet, found.c[1:], closer.c[1:])])


def by_equation(f: Smooth, x: Any) -> Any:
    """By the equation alone."""
    a, b, c, e = map(interval, f.riccati)
    first, change = x.c[0], [u * k for k, u in enumerate(x.c)]
    inverse, s, pulls, rates = x.inverse().c, [f.slope(first)], list[Interval](), list[Interval]()
    for k in range(1, len(x.c)):
        pulls.append(e * inverse[k - 1] - s[k - 1])
        rate = b * inverse[k - 1] + c * s[k - 1] + dot(s, pulls[::-1])
        rates.append(rate + a if k == 1 else rate)
        s.append(dot(change[1 : k + 1], rates[::-1]) * one_part(k))
    return x.along(f.value(first), type(x)(s))


def tilted(f: Smooth, x: Any, log: Any, sign: int) -> Any:
    """log m from F, with the sign -1, and F from log m, where F = log m + p log x + c x."""
    p, c = f.tilt
    return log + (x.log() * p + x * c) * sign if p else log + x * (c * sign)


def about_each(f: Smooth, x: Any) -> Sequence[Interval]:
    """F's own coefficients but the first about each point of the interval about which x is."""
    def radius(at: Interval) -> Any:
        return type(x)([at, ONE, *[ZERO] * (len(x.c) - 2)])

    ends = [tilted(f, at, by_equation(f, at), -1).exp() for at in map(radius, points(x.c[0]))]
    about = type(x)([hull(*pair) for pair in zip(*(end.c for end in ends), strict=True)])
    whole: Sequence[Interval] = tilted(f, radius(x.c[0]), about.log(), 1).c[1:]
    return whole


BROUGHT["a series by the slope's equation"] = along_series
