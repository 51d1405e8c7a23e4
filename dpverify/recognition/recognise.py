"""`recognise`: the families of the catalogue that a text is a member of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING

from flint import arb

from dpverify.enclosures import Ball, Evaluation, Undecided
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.needs import Demand, demands
from dpverify.errors import InputError
from dpverify.generators import Family, Generator, families
from dpverify.language import Expression, parse, substitute
from dpverify.language.expression import (
    And,
    Call,
    Comparison,
    Condition,
    Not,
    Number,
    Or,
    Piecewise,
    Power,
    Product,
    Radius,
    Sum,
)
from dpverify.language.simplify import make_call, make_power, make_product, make_sum
from dpverify.recognition.normal import Form, up_to_factor

if TYPE_CHECKING:
    from dpverify.recognition.fitting import Log

SOMEWHERE = arb("0.37")
"""A radius at which every family is positive."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """f(y) is a positive constant times the family's generator at y/scale_squared, with these parameters.

    `closed_form` is epsilon as text in delta = Delta/sigma, the parameters and d, for scale 1: at another
    scale s, delta is Delta/(s sigma).  Empty where none is known.
    """

    family: Family
    dimension: int
    parameters: dict[str, Fraction]
    scale_squared: Fraction

    @property
    def closed_form(self) -> str:
        """epsilon at scale 1 as text; empty where none is known."""
        form = self.family.closed_form(self.dimension, self.parameters)
        return form.epsilon if form else ""

    @property
    def scale(self) -> str:
        """The scale as text: rational, or a square root."""
        top, below = (_root(n) for n in (self.scale_squared.numerator, self.scale_squared.denominator))
        return str(Fraction(top, below)) if top and below else f"sqrt({self.scale_squared})"

    def __str__(self) -> str:
        bound = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        scale = f" at scale {self.scale}" if self.scale_squared != 1 else ""
        return f"{self.family.name}{f' with {bound}' if bound else ''}{scale}"


def recognise(text: str, dimension: int = 1, parameters: Mapping[str, object] | None = None) -> tuple[Recognised, ...]:
    """The families that the generator belongs to, those with the fewest parameters first; () where none is found.

    Floats look for the parameters and the scale; what is returned is proved: the two texts, one of them
    rescaled, rewrite to the same normal form up to a positive constant factor.  An empty answer says that
    nothing was found, not that there is nothing.

    Raises InputError for a text or parameters that cannot be read.
    """
    from dpverify.recognition.fitting import logarithms, support

    generator = Generator(text, dimension, parameters)
    form = _form(generator.expression)
    if form is None:
        return ()
    typed = logarithms(generator.expression)
    ends = support(typed)
    found = [match for family in families().values() for match in _matches(family, generator, form, (typed, ends))]
    return tuple(sorted(found, key=lambda match: (len(match.parameters), match.scale_squared != 1)))


def _matches(family: Family, generator: Generator, form: Form, typed: tuple[Log, float]) -> Iterator[Recognised]:
    from dpverify.recognition.fitting import candidates, scales

    for bound, scale in candidates(family, generator.dimension, *typed):
        for square in scales(scale):
            try:
                tree = substitute(parse(family.text), {**bound, "d": Fraction(generator.dimension)})
            except InputError:
                continue
            if _form(rescaled(tree, square)) == form and permitted(family, bound, generator.dimension):
                yield Recognised(family, generator.dimension, bound, square)
                return


def permitted(family: Family, bound: dict[str, Fraction], dimension: int) -> bool:
    """Whether the parameters meet their conditions, as far as these are comparisons, and f has a value."""
    names = {**bound, "d": Fraction(dimension)}
    for parameter in family.parameters:
        condition = re.split(r"[,;]| and ", parameter.condition)[0]
        try:
            question = lower(substitute(parse(f"Piecewise((1, {condition}), (0, True))"), names))
            if Evaluation(Ball(arb(1))).value(question).sign() != 1:
                return False
        except (InputError, Undecided):
            continue
    try:
        of_family = Generator(family.name, dimension, bound)
        at = Evaluation(Ball(SOMEWHERE))
        return at.log(lower(of_family.expression))[0] == 1 and not any(_fails(d, at) for d in demands(of_family.needs))
    except (InputError, Undecided):
        return False


def _fails(demand: Demand, at: Evaluation) -> bool:
    """Whether a part of the text has no value, whatever the radius is: a division by 0, say."""
    try:
        sign = None if demand.guard else at.value(demand.node).sign()
    except Undecided:
        return False
    refused = {"nonzero": (0,), "nonnegative": (-1,), "positive": (0, -1)}
    return sign in refused.get(demand.kind, ())


@lru_cache(256)
def _form(expression: Expression) -> Form | None:
    try:
        return up_to_factor(lower(expression))
    except (Undecided, ZeroDivisionError, OverflowError):
        return None


def rescaled(tree: Expression, square: Fraction) -> Expression:
    """The tree with r/sqrt(square) in the place of r."""
    if square == 1:
        return tree
    return _at(tree, make_product(make_power(Number(square), Number(Fraction(-1, 2))), Radius()))


def _at(tree: Expression, r: Expression) -> Expression:
    match tree:
        case Radius():
            return r
        case Sum(terms=terms):
            return make_sum(*(_at(t, r) for t in terms))
        case Product(factors=factors):
            return make_product(*(_at(f, r) for f in factors))
        case Power(base=base, exponent=exponent):
            return make_power(_at(base, r), _at(exponent, r))
        case Call(function=function, arguments=arguments):
            return make_call(function, *(_at(a, r) for a in arguments))
        case Piecewise(branches=branches):
            return Piecewise(tuple((_at(v, r), _condition_at(c, r)) for v, c in branches))
    return tree


def _condition_at(condition: Condition, r: Expression) -> Condition:
    match condition:
        case Comparison(operator=operator, left=left, right=right):
            return Comparison(operator, _at(left, r), _at(right, r))
        case And(parts=parts):
            return And(tuple(_condition_at(p, r) for p in parts))
        case Or(parts=parts):
            return Or(tuple(_condition_at(p, r) for p in parts))
        case Not(part=part):
            return Not(_condition_at(part, r))
    return condition


def _root(n: int) -> int | None:
    return isqrt(n) if isqrt(n) ** 2 == n else None
