"""The tree of a generator: a small, frozen expression over exact rationals.

The variable is the radius r = sqrt(y); y itself is its square.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


class Expression:
    """A real function of r, or a constant."""

    __slots__ = ()


class Condition:
    """A truth value that may depend on r."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """An exact rational."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """pi or e."""

    name: Literal["pi", "e"]


@dataclass(frozen=True, slots=True)
class Radius(Expression):
    """r = sqrt(y) >= 0."""


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    """A name still to be bound to a rational."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """u + v + ..., flat."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """u v ..., flat."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Power(Expression):
    """u^v."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A named function of its arguments: exp, log, cosh, besselk, ..."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Piecewise(Expression):
    """The value of the first branch whose condition holds."""

    branches: tuple[tuple[Expression, Condition], ...]


@dataclass(frozen=True, slots=True)
class Truth(Condition):
    """A condition that always, or never, holds."""

    value: bool


@dataclass(frozen=True, slots=True)
class Comparison(Condition):
    """u < v, or another order of the two."""

    operator: Literal["<", "<=", ">", ">="]
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class And(Condition):
    """All the conditions hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or(Condition):
    """One of the conditions holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The condition does not hold."""

    part: Condition
