"""The words in which verdicts are told, and numbers and names from outside made fit to print."""

from __future__ import annotations

from fractions import Fraction

TITLES = {
    "private": "PRIVATE",
    "not_private": "NOT PRIVATE for any epsilon",
    "invalid": "NOT A DENSITY GENERATOR",
    "undecided": "UNDECIDED",
    "profile": "PROFILE",
    "composition": "COMPOSITION",
}
THEOREMS = {
    "Theorem 3": "Theorem 3 of Reimherr and Awan (2019): f is non-increasing",
    "Theorem A": "Theorem A: the modulus of continuity of g = -log f",
    "Theorem B": "Theorem B: f is non-increasing, so the longest shift is the worst",
}
LONGEST_DECIMAL = 60


def exact(number: Fraction) -> str:
    """A rational as the decimal that equals it, or p/q where there is none of at most 60 places."""
    places = next((k for k in range(LONGEST_DECIMAL + 1) if 10**k % number.denominator == 0), None)
    if places is None:
        return str(number)
    sign, digits = (
        "-" if number < 0 else "",
        f"{abs(number.numerator) * 10**places // number.denominator:0{places + 1}d}",
    )
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def printable(text: str) -> str:
    """The text with everything that is not printable (control characters, broken bytes) escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)
