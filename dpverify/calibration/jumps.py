"""Jumps of f: what epsilon stays above at every scale, however large."""

from __future__ import annotations

from fractions import Fraction

from dpverify.enclosures import Undecided, fraction_below, precision
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.prover.breaks import breaks
from dpverify.prover.problem import Problem

MOST = 40
"""How many radii are looked at."""


def jump_at(generator: Generator, radius: Fraction) -> Fraction:
    """A proved lower bound of |log f(r+) - log f(r-)| at a radius; 0 where nothing more is known.

    The gap between what encloses log f on a short open interval before the radius and on one after it.
    epsilon(delta) is at least this for every delta > 0, since radii from both, as near to the radius
    as one likes, are closer than delta (Theorem A, with f continuous apart from jumps).
    """
    with precision(250):
        try:
            problem = Problem(lower(generator.expression), generator.dimension, Fraction(1))
            before, after = (problem.on_box(*sorted((radius, radius + side * radius / 2**120))).u.x for side in (-1, 1))
            return max(Fraction(0), fraction_below(before - after), fraction_below(after - before))
        except Undecided:
            return Fraction(0)


def breaks_of(generator: Generator) -> list[Fraction]:
    """Some radii between 1/16 and 16 at which f may jump."""
    try:
        return breaks(lower(generator.expression), Fraction(1, 16), Fraction(16))[:MOST]
    except Undecided:
        return []
