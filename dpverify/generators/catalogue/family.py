"""What the catalogue says of a family, and how its closed form is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """A family's parameter: its default (None: it must be given), its range, and what it means."""

    name: str
    default: Fraction | None
    condition: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """epsilon as text in the language, in delta = Delta/sigma, d and the parameters; and where it is attained.

    A closed form is a claim: it is reported only where it lies in the proved enclosure.
    """

    epsilon: str
    attained_at: str


def no_closed_form(dimension: int, parameters: object) -> None:
    """For families that are private for no epsilon."""


@dataclass(frozen=True, slots=True)
class Family:
    """A named family of generators.

    `text` is its generator in the language; `closed_form(dimension, parameters)` gives epsilon
    where the family is private and the formula is known, else None.  `mass` is the integral of f over R^d,
    as text in d and the parameters, empty where no formula is known: f/mass is the density.  `keywords` are
    other names, by which it is found.
    """

    name: str
    title: str
    text: str
    parameters: tuple[ParameterSpec, ...]
    closed_form: Callable[[int, dict[str, Fraction]], ClosedForm | None]
    private_when: str
    source: str
    notes: str
    mass: str = ""
    keywords: tuple[str, ...] = ()
