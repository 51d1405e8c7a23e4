"""A radial density generator: a text, its bound parameters, and the dimension it lives in."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from dpverify.errors import InputError
from dpverify.generators.catalogue import Family, family_of
from dpverify.generators.foreign import translated
from dpverify.language import (
    Expression,
    Need,
    bind,
    check_names,
    given_by_name,
    limits,
    parse_rational,
    read,
    substitute,
)
from dpverify.language import parameters as names_in


@dataclass(frozen=True, init=False)
class Generator:
    """f in a density proportional to f(x' Sigma^-1 x) on R^d.

    `text` may also be the name of a catalogue family, an expression of SymPy's in y or r, or SciPy's frozen
    `multivariate_t` or `multivariate_normal`. `parameters` are values by name, exact: ints,
    Fractions, Decimals, or texts such as "5/2" and "0.3"; `d` is bound to the dimension.

    `defaults` are the names of the parameters that were not given: their values are the family's.

    `needs` are what the parts of the text as typed need in order to have values.

    Raises InputError for text outside the language, unbound or unknown parameters or such with a
    reserved name, floats, and dimensions that are not integers from 1 to 1,000,000.
    """

    text: str
    dimension: int
    parameters: Mapping[str, Fraction]
    expression: Expression = field(repr=False)
    needs: tuple[Need, ...] = field(repr=False, compare=False)
    family: Family | None = field(repr=False)
    defaults: frozenset[str] = field(repr=False, compare=False)

    def __init__(self, text: str, dimension: int = 1, parameters: Mapping[str, object] | None = None) -> None:
        text, dimension, bound = translated(text, dimension, given_by_name(parameters))  # type: ignore[assignment]
        dimension = _whole(dimension)
        if type(dimension) is not int or not 1 <= dimension <= limits.MAX_DIMENSION:
            shown = f", not {dimension}" if type(dimension) in (int, float, bool) and abs(dimension) < 10**9 else ""
            raise InputError(f"the dimension is an integer from 1 to {limits.MAX_DIMENSION}{shown}")
        family = family_of(text) if isinstance(text, str) else None
        given = frozenset(bound)
        if family is not None:
            text = family.text
            bound = {**{p.name: p.default for p in family.parameters if p.default is not None}, **bound}
        reading = read(text)
        names = names_in(reading.expression)
        if names and not re.search(r"(?<!\w)[yr](?!\w)", reading.text):
            raise InputError("the generator has neither y nor r in it: the variable is y (= |x|^2) or r (= |x|)")
        check_names(names | set(bound))
        unknown = sorted(set(bound) - names - {"d"})
        if unknown:
            used = ", ".join(sorted(names - {"d"})) or "none"
            raise InputError(f"the generator has no parameter {unknown[0][:40]!r} (it has: {used})")
        values = {name: parse_rational(value, f"parameter {name}") for name, value in bound.items()}
        if "d" in values and values["d"] != dimension:
            raise InputError("d is the dimension; set it with the dimension, not as a parameter")
        values.pop("d", None)
        missing = sorted(names - set(values) - {"d"})
        if missing:
            raise InputError(
                f"the name {missing[0]!r} is not bound; give it a value with --param {missing[0]}=... "
                "(or correct the spelling)"
            )
        for spec in () if family is None else family.parameters:
            if spec.name in values and not spec.permits(values[spec.name]):
                raise InputError(f"the family needs {spec.condition}, and {spec.name} is {values[spec.name]}")
        meanings = {**values, "d": Fraction(dimension)}
        object.__setattr__(self, "text", reading.text)
        object.__setattr__(self, "dimension", dimension)
        object.__setattr__(self, "parameters", MappingProxyType(dict(sorted(values.items()))))
        object.__setattr__(self, "expression", substitute(reading.expression, meanings))
        object.__setattr__(self, "needs", bind(reading.needs, meanings))
        object.__setattr__(self, "family", family)
        object.__setattr__(self, "defaults", frozenset(values) - given)

    def __repr__(self) -> str:
        bound = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"<Generator {self.text}, d={self.dimension}{', ' if bound else ''}{bound}>"

    def __hash__(self) -> int:
        return hash((self.text, self.dimension, tuple(self.parameters.items())))


def _whole(dimension: object) -> int:
    """An integer of NumPy's or SymPy's as Python's own; anything else as it is."""
    if isinstance(dimension, bool) or not hasattr(dimension, "__index__"):
        return dimension  # type: ignore[return-value]
    return operator.index(dimension)
