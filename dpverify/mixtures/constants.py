"""Constants of the language: their signs and their values, in ball arithmetic."""

from __future__ import annotations

from flint import arb

from dpverify.enclosures import Ball, Evaluation, Undecided, precision
from dpverify.enclosures.lowering import lower
from dpverify.language import Expression, Need
from dpverify.language.expression import Number
from dpverify.prover.defined import Definedness

BITS = 200


def value(tree: Expression) -> arb:
    """A ball around a constant expression; raises Undecided."""
    with precision(BITS):
        return Evaluation(Ball(arb(0))).value(lower(tree)).x  # type: ignore[no-any-return]


def sign(tree: Expression) -> int | None:
    """1, 0 or -1; None where it is not settled, or the constant has no value."""
    if isinstance(tree, Number):
        return (tree.value > 0) - (tree.value < 0)
    try:
        ball = value(tree)
    except Undecided:
        return None
    return 1 if ball > 0 else -1 if ball < 0 else None


def has_value(needs: tuple[Need, ...]) -> bool:
    """Whether every part of a constant, as typed, is shown to have a value."""
    with precision(BITS):
        return not Definedness(needs).waiting
