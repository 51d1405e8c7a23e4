"""Exact numbers that are not rational, such as sqrt(2): a sensitivity may be one, and is then rounded up.

epsilon never falls as Delta/sigma grows, so what is proved for a larger Delta, or a smaller sigma, holds for the one
that was meant.
"""

from __future__ import annotations

import re
from fractions import Fraction

from dpverify.errors import InputError
from dpverify.language import parameters, parse_rational, read
from dpverify.language.expression import Number
from dpverify.numerals import rounded

DIGITS, BITS, POWER = 20, 160, 1000


def rational_above(value: object, what: str) -> Fraction:
    """The value, or the decimal of twenty digits next above it; raises InputError for what is no exact number."""
    return _rational(value, what, "up")


def rational_below(value: object, what: str) -> Fraction:
    """The same from below."""
    return _rational(value, what, "down")


def _rational(value: object, what: str, towards: str) -> Fraction:
    try:
        return parse_rational(value, what)
    except InputError:
        text = str(value) if type(value).__module__.startswith("sympy.") else value
        if not isinstance(text, str) or not any(character.isalpha() or character in "^*√(" for character in text):
            raise
    try:
        expression = read(text).expression
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    if isinstance(expression, Number):
        return parse_rational(expression.value, what)
    if parameters(expression) or _depends(text):
        raise InputError(f"{what}: {text[:40]!r} is no number, such as 5/2, 0.3 or sqrt(2)")
    from flint import arb

    from dpverify.enclosures import Ball, Evaluation, Undecided, fraction_above, fraction_below, precision
    from dpverify.enclosures.lowering import lower

    try:
        with precision(BITS):
            ball = Evaluation(Ball(arb(0))).value(lower(expression)).x
            if not arb(10) ** -POWER < abs(ball) < arb(10) ** POWER:
                raise OverflowError(f"it does not lie between 10^-{POWER} and 10^{POWER}")
            bound = fraction_above(ball) if towards == "up" else fraction_below(ball)
    except (Undecided, ValueError, OverflowError) as error:
        raise InputError(f"{what}: {text[:40]!r} has no value that is known ({error})") from None
    return parse_rational(rounded(bound, DIGITS, towards), what)


def _depends(text: str) -> bool:
    return re.search(r"(?<![A-Za-z_])[yr](?![A-Za-z_0-9])", read(text).text) is not None
