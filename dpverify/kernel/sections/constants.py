"""Constants from their decimals."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, D1, Interval, interval


def from_digits(text: str) -> Interval:
    """A constant from its decimals, cut off: it lies less than one unit of the 60th above."""
    return interval(Fraction(text)) + Interval(D0, D1.scaleb(-60))


PI = from_digits("3.1415926535897932384626433832795028841971693993751058209749445923")
