"""Increments from both sides: of exponentials whose exponents grow far out by an increment without
a proved sign, and of powers of what is 0."""

from __future__ import annotations

from fractions import Fraction

from ..rules import BROUGHT, rule
from .increments import Shift
from .models import Model


@rule("K322")
def exp_of_sides(here: Model, ahead: Model) -> Shift:
    """An exponential's increment on a model where that of its exponent has no proved sign.

    Lemma.  The increment of e^u is the e^u of r + h less that of r, each enclosed by itself.
    """
    return Shift(here, ahead.exp() - here)


@rule("K445")
def power_from_zero(x: Shift, p: Fraction) -> Shift:
    """The increment of a power of what is 0 where r is.

    Lemma.  If u = 0 and p > 0, u^p = 0, and (u + du)^p - u^p = du^p.
    """
    return Shift(x.u, x.du.power(p))


BROUGHT["a power of what is 0 here"] = power_from_zero
BROUGHT["an exponential from both sides"] = exp_of_sides
