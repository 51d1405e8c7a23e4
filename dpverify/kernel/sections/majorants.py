"""Coefficients of powers and logarithms of a square and a number, by what they may be at most."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, ONE, ZERO, Interval, meet
from ..rules import BROUGHT, require, rule
from .jets import HALF, Series


@rule("K431")
def within(u: Series, found: Series, p: Fraction | None) -> Series:
    """log u, or u^p, for u = c + a v^2 > 0, c >= 0 and a > 0.

    Lemma.  u = a (i z - v)(-i z - v), z^2 = c/a, and |i z - v|^2 = z^2 + v^2 = u/a.  Let rho be at
    most its root, and V = sum of V_k x^k, V_k at least |v_k|, k > 0.  Then the coefficients of x^k,
    k > 0, in log u are at most those of -2 log(1 - V/rho), and those in u^p at most u_0^p times
    those of (1 - V/rho)^(-2 |p|).
    """
    v, factor = u.square or (u, ZERO)
    first = u.c[0]
    require(first.lo > 0 and factor.lo > 0, "this is no positive square and a number")
    least = (Interval(first.lo, first.lo) * Interval(factor.hi, factor.hi).inverse()).power(HALF)
    under = Interval(least.lo, least.lo).inverse()
    parts = (at_most(x) * under for x in v.c[1:])
    rest = Series([ONE, *(-Interval(x.hi, x.hi) for x in parts)])
    most = rest.log() * -2 if p is None else rest.power(-2 * abs(p)) * at_most(found.c[0])
    ends = (max(D0, x.hi) for x in most.c[1:])
    bounds = (Interval(end.copy_negate(), end) for end in ends)
    kept = (meet(x, y) for x, y in zip(found.c[1:], bounds, strict=True))
    return Series([found.c[0], *kept])


def at_most(x: Interval) -> Interval:
    """The largest absolute value."""
    end = max(x.lo.copy_negate(), x.hi)
    return Interval(end, end)


BROUGHT["what a square and a number may be"] = within
