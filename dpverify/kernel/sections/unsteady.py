"""Exponentials whose exponents grow far out by an increment without a proved sign."""

from __future__ import annotations

from ..rules import BROUGHT, rule
from .increments import Shift
from .models import Model


@rule("K322")
def exp_of_sides(here: Model, ahead: Model) -> Shift:
    """An exponential's increment on a model where that of its exponent has no proved sign.

    Lemma.  The increment of e^u is the e^u of r + h less that of r, each enclosed by itself.
    """
    return Shift(here, ahead.exp() - here)


BROUGHT["an exponential from both sides"] = exp_of_sides
