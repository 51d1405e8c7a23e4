"""A finding: the clause that it is, and its values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from string import Formatter
from typing import Any


class Clause(Enum):
    """A closed vocabulary: each member's value is the clause that is read of it."""

    def __call__(self, **values: Value) -> Finding:
        """The finding with its values, named as in its clause."""
        return Finding(self, tuple(values.items()))


class Noun(Enum):
    """Words that a clause speaks of, as data: each member's value is how it is read."""

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding and its values: numbers as rationals, parts and places by name, other findings, and text as found."""

    why: Clause
    values: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return _WORDS.format(self.why.value, **dict(self.values))


Value = Fraction | int | str | Noun | Finding | tuple[Finding, ...]


class _Words(Formatter):
    """Numbers are shown to six digits, unless the clause says otherwise; findings one after another."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Fraction):
            return format(float(value), format_spec or ".6g")
        return "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)


_WORDS = _Words()
