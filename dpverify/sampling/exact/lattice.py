"""The lattice, fixed before the data are seen, and the one step of a release that looks at the query."""

from __future__ import annotations

import re
from fractions import Fraction
from operator import index
from typing import Any

from dpverify.errors import InputError, Refused
from dpverify.language import parse_rational
from dpverify.language.limits import MAX_EXPONENT, MAX_VALUE_BITS
from dpverify.sampling.exact.bits import Ambiguous

_POWER = re.compile(r"\s*([0-9]{1,9})\s*\*\*\s*\(?\s*(-?[0-9]{1,4})\s*\)?\s*")
_NAME = re.compile(r"[A-DF-Za-df-z_]|[Ee](?![+-]?[0-9])")


def lattice_of(given: object) -> Fraction:
    """The distance of neighbouring lattice points: an exact positive number, or a text such as "2**-20" or "1/1000".

    Raises Refused for what is no constant (a lattice that is made from data is no post-processing), and
    InputError for what is no positive number.
    """
    if callable(given) or (isinstance(given, str) and _NAME.search(given)):
        raise Refused(
            "the lattice is a number that is fixed before the data are seen, such as 2**-20, and nothing else"
        )
    power = _POWER.fullmatch(given) if isinstance(given, str) else None
    if power is not None:
        base, exponent = int(power[1]), int(power[2])
        if not base or abs(exponent) * base.bit_length() > min(MAX_EXPONENT, MAX_VALUE_BITS):
            raise InputError(f"the lattice: {given!r} is beyond {MAX_VALUE_BITS} bits, or divides by zero")
        return Fraction(base) ** exponent
    step = parse_rational(given, "the lattice")
    if step <= 0:
        raise InputError(f"the lattice: {step} is not a positive number")
    return step


def point(query: tuple[int, int], step: tuple[int, int], noise: int, guard: int) -> int:
    """The n for which n times the step is nearest to query + x, whatever x is in (noise - 1, noise + 2) 2^-guard steps.

    Query and step are fractions p/q as pairs. All in whole numbers. Raises Ambiguous where there are two such n.
    """
    (a, b), (p, q) = query, step
    below = b * p
    whole = below << (guard + 1)
    n, rest = divmod(((a * q) << (guard + 1)) + below * (2 * (noise - 1) + (1 << guard)), whole)
    if rest + 6 * below >= whole:
        raise Ambiguous
    return n


def exact_pair(value: Any, what: str = "the query") -> tuple[int, int]:
    """An int, Fraction, Decimal, float or NumPy number as p/q: a float is the number it is.

    A text is read as a rational or a decimal. Raises InputError for what is not finite, or no number.
    """
    if type(value) is int:
        return value, 1
    if isinstance(value, str):
        number = parse_rational(value, what)
        return number.numerator, number.denominator
    try:
        p, q = value.as_integer_ratio()
        return int(p), int(q)
    except (OverflowError, ValueError):
        raise InputError(f"{what}: {value} is not finite") from None
    except AttributeError:
        pass
    try:
        return index(value), 1
    except TypeError:
        raise InputError(f"{what}: {type(value).__name__} is not an exact number") from None
