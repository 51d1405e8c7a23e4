"""Sums of numbers and exponentials that tend to a rational number: by their values these cancel
exactly, as the slope of exp(-r) (2 - exp(-r)) does at the centre."""

from __future__ import annotations

from ..rules import rule
from ..tree import Node
from .evaluation import SUMS, Evaluation, log_of_value
from .increments import Shift
from .models import CONSTANT, Model
from .optional import may_use
from .shapes import factors_of
from .slopes import innermost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def log_of_sum(at: Evaluation, node: Node) -> tuple[int, Any] | None:
    """The logarithm of a sum by its value, where that tends to a number other than 0; else None."""
    looked_at = at.on_model and not isinstance(at.r, Shift) and not node.positive
    if not looked_at or not all(map(plain, node.args)) or not may_use("K563"):
        return None
    exponents = [factor.args[0] for term in node.args for factor in factors_of(term)
                 if factor.kind == "exp"]
    if not all(vanishes(innermost(at.value(v))) for v in exponents):
        return None
    sum_of = innermost(at.value(node))
    settled = sum_of.leading()[0] == CONSTANT and sum_of.sign() in (1, -1)
    return by_value(at, node) if settled else None


def plain(term: Node) -> bool:
    """Whether a term is a number, or a multiple of an exponential."""
    return all(factor.kind in ("num", "exp") for factor in factors_of(term))


def vanishes(v: Model) -> bool:
    return all(m < CONSTANT for m in v.terms)


@rule("K563")
def by_value(at: Evaluation, node: Node) -> tuple[int, Any]:
    """The logarithm of a sum of numbers and exponentials that tends to a number other than 0.

    Lemma.  The logarithm of the absolute value of a sum, and the slopes of that, are those of the
    sum's value.  In a model of that, whose exponents vanish, the coefficients are rational where
    those of the exponents are, and what cancels does so exactly.
    """
    return log_of_value(at, node)


SUMS.append(log_of_sum)
