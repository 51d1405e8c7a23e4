"""The mean value form: bounds of a function on a box from its value at the middle and its slopes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Ball, Slope, Undecided, exact
from dpverify.enclosures.ball import meet


def mean_value(whole: Slope, a: Fraction, b: Fraction, at: Callable[[Ball], arb]) -> arb:
    """Bounds of a function on (a, b) from its value at the middle and its slopes, or the bounds on the whole of it."""
    return around_middle(whole, a, b, at)[0]


def around_middle(whole: Slope, a: Fraction, b: Fraction, at: Callable[[Ball], arb]) -> tuple[arb, arb | None]:
    """The mean value form, and the value at the middle, if it has a part in it."""
    if not whole.du.x.is_finite():
        return whole.u.x, None
    low, high = exact(a), exact(b)
    try:
        middle = at(Ball(arb((low + high) / 2)))
    except Undecided:
        return whole.u.x, None
    reach = whole.du.x.abs_upper() * ((high - low) / 2)
    return meet(whole.u.x, middle + arb(0, reach.upper())), middle
