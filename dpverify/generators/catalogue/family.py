"""What the catalogue says of a family, and how its closed form is written."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

ORDER = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """A family's parameter: its default (None: it must be given), its range, and what it means."""

    name: str
    default: Fraction | None
    condition: str
    meaning: str

    def permits(self, value: Fraction) -> bool:
        """Whether the value meets the condition, where that is a bound such as "nu > 0"."""
        bound = re.fullmatch(rf"{self.name} (>=?|<=?) (-?\d+(?:/\d+)?)", self.condition)
        return bound is None or ORDER[bound[1]](value, Fraction(bound[2]))


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
    as text in d and the parameters, empty where no formula is known: f/mass is the density.  `mixing` is
    the law of V for families X = V Z, Z Gaussian, whose law is one for all dimensions.  `keywords` are other names, by
    which it is found.
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
    mixing: str | None = None
    keywords: tuple[str, ...] = ()
