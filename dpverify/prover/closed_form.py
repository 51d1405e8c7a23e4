"""Closed forms: claims about epsilon that count only where they lie in the proved enclosure."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpverify.enclosures import Ball, Evaluation, Undecided, exact
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node
from dpverify.errors import InputError
from dpverify.findings import Reason
from dpverify.generators import ClosedForm, Family, Generator, families
from dpverify.language import Expression, parse, substitute

NARROW = Fraction(1, 10**8)
"""How close together bounds have to be for a formula between them to say something."""


@lru_cache(maxsize=64)
def _parsed(text: str) -> Expression:
    return parse(text)


def claimed(generator: Generator) -> ClosedForm | None:
    """The catalogue's closed form, if the generator is one of its families, named or typed out."""
    family = generator.family or _recognised(generator)
    if family is None:
        return None
    return family.closed_form(generator.dimension, dict(generator.parameters))


def _recognised(generator: Generator) -> Family | None:
    """The family whose text, with the same parameters bound, is the same tree."""
    for family in families().values():
        if {p.name for p in family.parameters} == set(generator.parameters):
            bound = {**generator.parameters, "d": Fraction(generator.dimension)}
            if substitute(_parsed(family.text), bound) == generator.expression:
                return family
    return None


def _tree(form: ClosedForm, generator: Generator, delta: Fraction) -> Node:
    names = {**generator.parameters, "d": Fraction(generator.dimension), "delta": delta}
    try:
        return lower(substitute(_parsed(form.epsilon), names))
    except InputError as error:
        raise Undecided(Reason.NO_FORMULA(failure=str(error))) from None


def evaluate(form: ClosedForm, generator: Generator, delta: Fraction) -> arb:
    """A ball around the closed form's value; raises Undecided."""
    return _value(_tree(form, generator, delta))


def _value(tree: Node) -> arb:
    return Evaluation(Ball(arb(0))).value(tree).x  # type: ignore[no-any-return]


def lies_between(form: ClosedForm, generator: Generator, delta: Fraction, low: Fraction, high: Fraction) -> bool:
    """Whether the formula's value, exact where it is rational, is proved to lie between the two."""
    try:
        tree = _tree(form, generator, delta)
        if tree.kind == "num":
            return bool(exact(low) <= tree.args[0] <= exact(high))
        value = _value(tree)
    except Undecided:
        return False
    return bool(value >= exact(low) and value <= exact(high))


def confirmed(generator: Generator, delta: Fraction, low: Fraction, high: Fraction) -> ClosedForm | None:
    """The catalogue's closed form, if its value is proved to lie between the two, which are close together.

    Close in relation to epsilon: of a tiny one any formula of its size would do else.
    """
    if high - low > NARROW * high:
        return None
    form = claimed(generator)
    return form if form is not None and lies_between(form, generator, delta, low, high) else None
