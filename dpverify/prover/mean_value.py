"""The mean value form: bounds of a function on a box from its value at the middle and its slopes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf

from flint import arb, fmpq

from dpverify.enclosures import Ball, Slope, Undecided, exact
from dpverify.enclosures.ball import meet, upper_end

MeanValueForm = Callable[[Slope, Fraction, Fraction, Callable[[Ball], arb]], tuple[arb, arb | None]]


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


def from_above(whole: Slope, a: Fraction, b: Fraction, at: Callable[[Ball], arb]) -> tuple[arb, arb | None]:
    """The upper end of the mean value form where it is the closest, and the value there, if it has a part in it.

    That is the radius from which the slopes promise as much to the left as to the right (Baumann 1988), in 64ths of the
    box, none of them an end, at which a branch may change.
    """
    top = upper_end(whole.u.x)
    if not whole.du.x.is_finite():
        return top, None
    low, high = exact(a), exact(b)
    least, most = whole.du.x.lower(), whole.du.x.upper()
    up, down = max(0.0, float(most)), max(0.0, -float(least))
    share = min(63, max(1, round(64 * up / (up + down)))) if 0 < up + down < inf else 32
    left, right = (low - high) * fmpq(share, 64), (high - low) * fmpq(64 - share, 64)
    try:
        value = at(Ball(arb(low - left)))
    except Undecided:
        return top, None
    return top.min((value + (most * right).max(least * left)).upper()), value
