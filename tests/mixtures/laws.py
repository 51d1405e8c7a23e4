"""Mixing densities for the tests, and their integrals by rigorous quadrature."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpverify.enclosures import Ball, Evaluation, exact, precision
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.mixtures import Mixing
from dpverify.mixtures.ends import find
from dpverify.mixtures.law import Density
from dpverify.mixtures.potential import MixedPotential
from dpverify.mixtures.quadrature import PRECISION, Quadrature


def quadrature(text: str, dimension: int, **bound: object) -> Quadrature:
    law = Mixing(text, bound).law
    assert isinstance(law, Density)
    with precision(PRECISION):
        node = lower(law.expression)
        return Quadrature(node, find(node, True), find(node, False), dimension)


def potential(text: str, dimension: int, delta: Fraction = Fraction(1), **bound: object) -> MixedPotential:
    with precision(PRECISION):
        return MixedPotential(quadrature(text, dimension, **bound), delta)


def formula(generator: Generator, r: Fraction) -> arb:
    """f(r^2) of a generator that is a formula."""
    with precision(PRECISION):
        return Evaluation(Ball(arb(exact(r)))).value(lower(generator.expression)).x
