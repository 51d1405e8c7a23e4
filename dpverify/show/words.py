"""The words in which verdicts are told, and names from outside made fit to print."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau"
GREEK = dict(zip(NAMES.split(), "αβγδεζηθικλμνξοπρστ", strict=True))

TITLES = {
    "private": "PRIVATE",
    "not_private": "NOT PRIVATE for any epsilon",
    "invalid": "NOT A DENSITY GENERATOR",
    "undecided": "UNDECIDED",
    "profile": "PROFILE",
    "composition": "COMPOSITION",
    "releases": "COMPOSITION",
}
HEADLINES = {
    "private": "Private",
    "not_private": "Private for no ε",
    "invalid": "Not a density generator",
    "undecided": "Undecided",
}
TONES = {
    "private": "good",
    "not_private": "bad",
    "invalid": "bad",
    "undecided": "open",
    "consistent": "good",
    "violated": "bad",
    "inconclusive": "open",
    "no_claim": "open",
    "proved": "good",
    "refuted": "bad",
}
THEOREMS = {
    "Theorem 3": "Theorem 3, corrected, of Reimherr and Awan (2019): f is non-increasing "
    "(what is corrected: dpverify theorems reimherr-awan-2019:theorem-3)",
    "Theorem A": "Theorem A: the modulus of continuity of g = -log f",
    "Theorem B": "Theorem B: f is non-increasing, so the longest shift is the worst",
    "Theorem C": "Theorem C: who sees the release knows V, so that delta is the mean over V of the Gaussian's",
    "Theorem E": "Theorem E: the supremum over all shifts up to the longest, since f is not shown to fall",
    "composition of profiles": "composition of profiles: measures of the privacy loss on a grid, multiplied exactly",
}

RADIUS = re.compile(r"\bc(?= (?:=|->|>=|of every|- Delta/sigma)|\^2)|(?<=every large )c\b")
"""The letter c where it is the radius; as a parameter's name it stands in a formula."""


def radius_letter(parameters: Collection[str]) -> str:
    """The letter of the radius at which the loss is looked at: c, or another where a parameter has that name."""
    return next((letter for letter in "cuvwz" if letter not in parameters), "c")


def relettered(text: str, parameters: Collection[str]) -> str:
    """A sentence about the radius c, with another letter for it where a parameter is called c."""
    return RADIUS.sub(radius_letter(parameters), text)


def printable(text: str) -> str:
    """The text with everything that is not printable (control characters, broken bytes) escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)


def shortened(text: str, most: int) -> str:
    """Text from outside on one line: what is not printable is escaped, and what is too long cut with a word of it."""
    clean = printable(" ".join(text.split()))
    return clean if len(clean) <= most else f"{clean[:most]}… ({len(clean)} characters; the rest is in the file)"


def lettered(text: str) -> str:
    """The text with Greek names before an equals sign as letters: "nu=3" is "ν=3"."""
    return re.sub(r"\b([a-z]+)(?= ?=)", lambda found: GREEK.get(found[1], found[1]), text)


def bound(parameters: Mapping[str, object], defaults: Collection[str] = ()) -> str:
    """The parameters' values, as they follow the dimension: ", nu = 3"; those that nobody gave are called so."""
    told = (f", {name} = {value}{' (default)' if name in defaults else ''}" for name, value in parameters.items())
    return "".join(told)
