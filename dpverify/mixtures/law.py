"""The law of V: a density in v, or finitely many atoms, with its parameters bound.

A density is text of the language of generators with v in place of y; its tree is that of the
language, where the radius then stands for v.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import (
    Expression,
    Need,
    Reading,
    bind,
    check_names,
    given_by_name,
    limits,
    parse_rational,
    read,
    substitute,
)
from dpverify.language import parameters as names_in
from dpverify.language.expression import Call, Radius
from dpverify.mixtures.constants import has_value, sign

VARIABLE = re.compile(r"\bv\b")
FOREIGN = re.compile(r"\b(?:y|r|d)\b")
RADIUS = re.compile(r"\br\b")
MOST_ATOMS = 50
FORMULA = "E[(2*pi*V^2)^(-d/2) * exp(-y/(2*V^2))]"


@dataclass(frozen=True, slots=True)
class Density:
    """p(v) on (0, oo), up to a positive factor; `expression` has the radius for v.

    `needs` are what the parts of the text as typed need in order to have values.
    """

    expression: Expression
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class Atoms:
    """P(V = value) proportional to weight, both constant expressions; (weight, value) pairs."""

    pairs: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, init=False)
class Mixing:
    """The law of the scale V > 0 in X = V Z, Z standard Gaussian.

    `text` is a density of V in v, such as "v*exp(-v**2)", not necessarily normalised (a factor of
    f changes no loss); or atoms "weight: value, ...", such as "1/3: 1, 2/3: 5/2". Parameters are
    exact, as a Generator's are. The law is one for all dimensions, so it may not depend on d.

    Raises InputError for text outside the language and for unbound or unknown parameters.
    """

    text: str
    parameters: Mapping[str, Fraction]
    law: Density | Atoms

    def __init__(self, text: str, parameters: Mapping[str, object] | None = None) -> None:
        bound = given_by_name(parameters)
        if not isinstance(text, str):
            raise InputError(f"a mixing law is a text, not {type(text).__name__}")
        if len(text) > limits.MAX_TEXT:
            raise InputError(f"the mixing law's text is longer than {limits.MAX_TEXT} characters")
        taken = sorted({"v", "y", "r", "d"} & set(bound))
        if taken:
            raise InputError(f"the name {taken[0]} is taken; call the parameter of the mixing law something else")
        values = {name: parse_rational(value, f"parameter {name}") for name, value in bound.items()}
        check_names(values)
        read_parts = [_read(part, start) for part, start in _parts(text)]
        _check_names(frozenset().union(*(names_in(part.expression) for part in read_parts)), values)
        parts = [Density(substitute(part.expression, values), bind(part.needs, values)) for part in read_parts]
        object.__setattr__(self, "text", text.strip())
        object.__setattr__(self, "parameters", MappingProxyType(dict(sorted(values.items()))))
        object.__setattr__(self, "law", _atoms(parts) if ":" in text else parts[0])

    def generator(self, dimension: int) -> Generator:
        """f_d in words: its tree is a node that the language cannot read, for no formula may be known."""
        generator = Generator("1", dimension)
        for name, value in (("text", FORMULA), ("parameters", self.parameters)):
            object.__setattr__(generator, name, value)
        arguments = (self.law.expression,) if isinstance(self.law, Density) else self.law.pairs[0]
        object.__setattr__(generator, "expression", Call("expectation", arguments))
        return generator

    def rescaled(self, unit: Fraction) -> Expression:
        """The density of V / unit, up to a factor."""
        return substitute(_read(self.text, 0, f"({unit}*r)").expression, self.parameters)

    def __repr__(self) -> str:
        bound = "".join(f", {name}={value}" for name, value in self.parameters.items())
        return f"<Mixing {self.text}{bound}>"

    def __hash__(self) -> int:
        return hash((self.text, tuple(self.parameters.items())))


def _parts(text: str) -> list[tuple[str, int]]:
    """The expressions in the text, each with its column: one density, or weights and values in turn."""
    if ":" not in text:
        return [(text, 0)]
    found, start, level = [], 0, 0
    wanted = ":"
    for column, character in enumerate(text):
        level += (character == "(") - (character == ")")
        if level == 0 and character in ":,":
            if character != wanted:
                raise InputError(f"column {column + 1}: atoms are written weight: value, weight: value, ...")
            found.append((text[start:column], start))
            start, wanted = column + 1, "," if wanted == ":" else ":"
    if wanted == ":":
        raise InputError("atoms are written weight: value, weight: value, ...; the last has no value")
    found.append((text[start:], start))
    if len(found) > 2 * MOST_ATOMS:
        raise InputError(f"a discrete mixing law has at most {MOST_ATOMS} atoms")
    return found


def _read(text: str, start: int, variable: str = "r") -> Reading:
    foreign = FOREIGN.search(text)
    if foreign:
        raise InputError(
            f"column {start + foreign.start() + 1}: a mixing law is written in v, and is one for all dimensions; "
            f"it may not use {foreign.group()}"
        )
    # One letter for another, so that columns in messages are those of the text.
    reading = read(" " * start + VARIABLE.sub(variable, text) if text.strip() else text)
    return replace(reading, needs=tuple(_in_v(need) for need in reading.needs))


def _in_v(need: Need) -> Need:
    """The need with its text as typed."""
    return replace(need, text=RADIUS.sub("v", need.text), subject=RADIUS.sub("v", need.subject))


def _check_names(names: frozenset[str], values: Mapping[str, Fraction]) -> None:
    unknown, missing = sorted(set(values) - names), sorted(names - set(values))
    if unknown:
        used = ", ".join(sorted(names)) or "none"
        raise InputError(f"the mixing law has no parameter {unknown[0][:40]!r} (it has: {used})")
    if missing:
        raise InputError(
            f"the name {missing[0]!r} in the mixing law is not bound; give it a value with "
            f"--param {missing[0]}=... (or correct the spelling)"
        )


def _atoms(parts: list[Density]) -> Atoms:
    for number, part in enumerate(parts):
        name = ("weight", "value")[number % 2]
        if depends_on_v(part.expression) or sign(part.expression) != 1 or not has_value(part.needs):
            raise InputError(f"atom {number // 2 + 1}: its {name} is not shown to be a positive number")
    trees = [part.expression for part in parts]
    return Atoms(tuple(zip(trees[::2], trees[1::2], strict=True)))


def depends_on_v(part: object) -> bool:
    """Whether v occurs in a tree or in the conditions in it."""
    if isinstance(part, Radius):
        return True
    if isinstance(part, tuple):
        return any(map(depends_on_v, part))
    slots = getattr(type(part), "__slots__", ())
    return any(depends_on_v(getattr(part, name)) for name in slots if name not in ("value", "name", "function"))
