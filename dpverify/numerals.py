"""Rationals as short text: exactly, or rounded in a stated direction, so that a bound stays one."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

EXACT_UP_TO, LINE, LONGEST_DECIMAL = 24, 60, 60
ROUNDING = {"down": ROUND_FLOOR, "near": ROUND_HALF_EVEN, "up": ROUND_CEILING}


def exact(number: Fraction) -> str:
    """A rational as the decimal that equals it, or p/q where there is none of at most 60 places or digits."""
    places = next((k for k in range(LONGEST_DECIMAL + 1) if 10**k % number.denominator == 0), None)
    if places is None:
        decimal = _decimal(number, LONGEST_DECIMAL, "near")
        return f"{decimal.normalize():g}" if Fraction(decimal) == number else str(number)
    sign = "-" if number < 0 else ""
    digits = f"{abs(number.numerator) * 10**places // number.denominator:0{places + 1}d}"
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def brief(number: Fraction) -> str:
    """p/q, or where that is long the decimal that equals it, if there is one."""
    text = str(number)
    return text if len(text) <= EXACT_UP_TO else exact(number)


def stated(number: Fraction) -> str:
    """A number as people write it: p/q where that is short, 1e-300 or 0.0125 where it is a decimal of few digits."""
    text = str(number)
    decimal = _decimal(number, 12, "near")
    if len(text) <= 12 or Fraction(decimal) != number:
        return text if len(text) <= 12 else brief(number)
    return f"{decimal.normalize():g}"


def short(value: Fraction, digits: int = 12, towards: str = "near") -> str:
    """The rational itself where it takes few characters, else that many digits, rounded `towards` down, near or up."""
    text = str(value)
    if len(text) <= (EXACT_UP_TO if value.denominator == 1 else 12):
        return text
    return f"{_decimal(value, digits, towards).normalize():g}"


def in_full(value: Fraction, towards: str) -> str:
    """The rational exactly where that takes a line at most, else 17 digits, and where to find the rest."""
    text = exact(value)
    return text if len(text) <= LINE else f"{short(value, 17, towards)} (the exact number with --json)"


def rounded(value: Fraction, digits: int, towards: str) -> Fraction:
    """The decimal of that many significant digits next to the value."""
    return Fraction(_decimal(value, digits, towards))


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational of least denominator (and then least numerator) in [low, high], 0 < low <= high.

    By the continued fraction of the ends (Stern-Brocot).
    """
    whole = low.numerator // low.denominator
    if low == whole:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def six_down(value: float) -> str:
    """Six decimals, rounded down: a lower bound stays one."""
    return f"{Fraction(value) * 10**6 // 1 / 10**6:.6f}"


def _decimal(value: Fraction, digits: int, towards: str) -> Decimal:
    with localcontext() as context:
        context.prec, context.rounding = digits, ROUNDING[towards]
        return Decimal(value.numerator) / Decimal(value.denominator)
