"""Exact rationals as floats that are not smaller: a privacy bound is rounded up."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter


def float_above(value: Fraction) -> float:
    """The least float that is at least the value; infinity where there is none."""
    try:
        near = float(value)
    except OverflowError:
        return inf if value > 0 else nextafter(-inf, 0)
    return near if near == inf or Fraction(near) >= value else nextafter(near, inf)
