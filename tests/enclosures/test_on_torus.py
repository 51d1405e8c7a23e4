"""The loss on cells of a torus of phases contains the losses at their points, and has a bound on wide ones too."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from flint import arb

from dpverify.enclosures.ball import Ball
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import walk
from dpverify.enclosures.torus import TWO_PI, Cell, Torus, loss_on
from dpverify.language import parse


@pytest.mark.parametrize("longest", [Fraction(1, 8), Fraction(3), Fraction(100)])
def test_the_loss_for_all_phases_over_many_radii_and_shifts(longest: Fraction) -> None:
    """(2+cos(y))/(1+y)^7 loses 7 log((1+(r+h)^2)/(1+r^2)) and up to log 3: 1+y has no increment as a ball there,
    whose ends would reach below -1-y, but it has logarithms here and ahead."""
    node = lower(parse("(2+cos(y))*(1+y)**(-7)"))
    wave = next(part for part in walk(node) if part.kind == "cos")
    wavy = frozenset(part for part in walk(node) if wave in walk(part))
    torus = Torus((), 1, {wave: ((1,), arb(0))}, wavy)
    cell = Cell(torus, [(Fraction(0), TWO_PI), (Fraction(0), TWO_PI), (Fraction(0), longest)])
    span = loss_on(node, cell, Ball.between(Fraction(1, 2), Fraction(3, 2))).x

    def loss(r: float, h: float, here: float, ahead: float) -> float:
        falls = 7 * math.log((1 + (r + h) ** 2) / (1 + r * r))
        return falls + math.log(2 + math.cos(here)) - math.log(2 + math.cos(ahead))

    radii, shifts, phases = (0.5, 1.0, 1.5), (0.0, float(longest) / 2, float(longest)), (0.0, 1.6, math.pi)
    found = [loss(*point) for point in product(radii, shifts, phases, phases)]
    assert float(span.lower()) <= min(found) and max(found) <= float(span.upper())
    assert float(span.upper()) < max(found) + 7 * math.log((1 + 1.5**2) / (1 + 0.5**2)) + 1
