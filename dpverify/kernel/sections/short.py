"""Increments of special functions over shifts that are short beside the box.

There the difference of two values is as wide as the values, an increment by the slope as narrow as
the shift.  A certificate that does not list K250 is replayed without.
"""

from __future__ import annotations

from decimal import Decimal

from ..intervals import TWO, UP, Interval, hull
from ..rules import rule
from .increments import Shift
from .models import CONSTANT, Model
from .optional import may_use
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Map = Callable[[Interval], Interval]

HARDLY = Decimal(12)
"""The square of a shift is short beside a box of which twice the width is so much wider."""


def short_increment(u: Any, ahead: Any, du: Any, slope: Map, bend: Map | None) -> Any:
    """F(ahead) - F(u) over intervals and their slopes, where du = ahead - u is short; or None."""
    if isinstance(u, Interval):
        return by_slope(u, ahead, du, slope) if short(u, du) else None
    pair = type(u) is Slope and isinstance(u.u, Interval)
    if not pair or bend is None or not short(u.u, du.u):
        return None
    return Slope(by_slope(u.u, ahead.u, du.u, slope), slope_by_bend(u, ahead, du, slope, bend))


def short(u: Interval, du: Interval) -> bool:
    """Whether du is at most two thirds of u's width, so that one of half of it, rounded up, is; or
    so short that its square is: F' and F'' over u and v hardly vary."""
    if not (u.finite() and du.finite() and may_use("K250")):
        return False
    most = max(du.lo.copy_abs(), du.hi.copy_abs())
    width = UP.multiply(UP.subtract(u.hi, u.lo), TWO)
    if UP.multiply(most, Decimal(3)) <= width:
        return True
    return UP.multiply(UP.multiply(most, most), HARDLY) <= width and may_use("K251")


@rule("K250")
def by_slope(u: Interval, ahead: Interval, du: Interval, slope: Map) -> Interval:
    """The increment of F by its slope.

    Lemma.  If F' is enclosed on an interval that holds u and v = u + du, then F(v) - F(u) = du
    F'(s) for some s between u and v.
    """
    return du * slope(hull(u, ahead))


@rule("K251")
def slope_by_bend(u: Slope, ahead: Slope, du: Slope, slope: Map, bend: Map) -> Interval:
    """The difference quotients of the increment F(v) - F(u), v = u + d, by F''.

    Lemma.  Let F'' be enclosed on an interval that holds u and v.  Between two radii F(v) changes
    by its change times a mean of F' from one v to the other, F(u) by its own times a mean of F'
    from one u to the other; the two means, at like places, differ by F'' times values between those
    of d.  So the quotients lie in v' F'' d + F' d', ' being quotients of v and of d, F' over u, F''
    over both.
    """
    return ahead.du * bend(hull(u.u, ahead.u)) * du.u + slope(u.u) * du.du


def far_ahead(x: Shift) -> bool:
    """Whether x is a model that tends to oo and grows with the shift."""
    return isinstance(x.u, Model) and x.u.leading()[0] > CONSTANT and x.du.sign() == 1
