"""Exact rationals from what people type: 5/2, 0.3, 1e-9."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from dpverify.errors import InputError
from dpverify.language import limits

_FORM = re.compile(r"\s*([+-]?)(?:([0-9]+)\s*/\s*([0-9]+)|([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,5}))?)\s*")


def given_by_name(parameters: Mapping[str, object] | None) -> dict[str, object]:
    """A text's parameters as they were given; raises InputError for what is no mapping from names."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping) or not all(isinstance(name, str) for name in parameters):
        raise InputError('parameters are a mapping from names to exact numbers, such as {"nu": 3}')
    return dict(parameters)


def parse_rational(value: object, what: str, bits: int = limits.MAX_VALUE_BITS) -> Fraction:
    """The exact value of an int, Fraction, Decimal or text.

    Raises InputError, naming `what`, for a float (it is not the decimal that was typed), for text
    that is no rational, and for numbers beyond the language's limits.
    """
    if isinstance(value, bool) or not isinstance(value, (int, Fraction, Decimal, str)):
        hint = f"; write '{value}' as a text" if isinstance(value, float) else ""
        raise InputError(f"{what}: {type(value).__name__} is not an exact number{hint}")
    if isinstance(value, Decimal):
        value = str(value)
    if isinstance(value, (int, Fraction)):
        return _bounded(Fraction(value), what, bits)
    shown = value if len(value) <= 40 else value[:37] + "..."
    match = _FORM.fullmatch(value) if len(value) <= limits.MAX_DIGITS and value.isascii() else None
    if match is None:
        raise InputError(f"{what}: {shown!r} is not a rational such as 5/2 or a decimal such as 0.3")
    sign, p, q, mantissa, exponent = match.groups()
    if exponent is not None and abs(int(exponent)) > limits.MAX_DECIMAL_EXPONENT:
        raise InputError(f"{what}: the exponent of {shown!r} is beyond {limits.MAX_DECIMAL_EXPONENT}")
    if q is not None and int(q) == 0:
        raise InputError(f"{what}: {shown!r} divides by zero")
    size = Fraction(int(p), int(q)) if q is not None else Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    return _bounded(-size if sign == "-" else size, what, bits)


def _bounded(value: Fraction, what: str, bits: int) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > bits:
        raise InputError(f"{what}: the number is beyond {bits} bits")
    return value
