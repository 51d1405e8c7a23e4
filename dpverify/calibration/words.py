"""Rationals made short for a line of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from dpverify.report.words import exact, printable

EXACT_UP_TO, LINE = 24, 60
ROUNDING = {"down": ROUND_FLOOR, "near": ROUND_HALF_EVEN, "up": ROUND_CEILING}


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


def _decimal(value: Fraction, digits: int, towards: str) -> Decimal:
    with localcontext() as context:
        context.prec, context.rounding = digits, ROUNDING[towards]
        return Decimal(value.numerator) / Decimal(value.denominator)


def rows(pairs: Iterable[tuple[str, str]], label: int = 13, width: int = 80) -> str:
    """Labelled lines at 80 columns."""
    return "\n".join(
        line
        for name, text in pairs
        for line in textwrap.wrap(
            printable(text),
            width,
            initial_indent=f"  {name:<{label}}",
            subsequent_indent=" " * (label + 2),
            break_on_hyphens=False,
        )
    )
