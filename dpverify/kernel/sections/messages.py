"""Numbers in messages."""

from __future__ import annotations

from fractions import Fraction


def shown(value: Fraction) -> str:
    """A rational for a message: short, since Python refuses to write out long integers."""
    if value.numerator.bit_length() + value.denominator.bit_length() < 200:
        return str(value)
    size = value.numerator.bit_length() - value.denominator.bit_length()
    return f"about {'-' * (value < 0)}2^{size}"
