"""From an f that is 0 beyond some radius, or at some radii, to what is proved of it, cut short or patched there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpverify import prover
from dpverify.certificate.build import build
from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node
from dpverify.generators import Generator
from dpverify.profiles.needs import rises
from dpverify.profiles.unbounded import zero_beyond
from dpverify.prover.problem import Problem
from dpverify.prover.profile.cut import Cut, CutProfile, cut, cut_profile
from dpverify.prover.profile.patches import Patches, patched, touched
from dpverify.results import Result


@dataclass(frozen=True)
class Vanishing:
    """h in the place of f, what is proved of h, and by how much f is at most another."""

    verified: Result
    node: Node
    cut: Cut | Patches
    lost: Fraction

    def prover(self, shift: Fraction, tick: Callable[[str], None]) -> CutProfile:
        """The profile of f for one shift Delta/sigma."""
        rising = rises(dict(self.verified.hypotheses.items()))
        problem = Problem(self.node, self.cut.generator.dimension, shift)
        return cut_profile(problem, self.cut, self.lost, rising, tick)


def also_touches(generator: Generator, shift: Fraction) -> bool:
    """Whether an f that is 0 at its centre is seen to touch 0 elsewhere too."""
    try:
        return bool(touched(Problem(lower(generator.expression), generator.dimension, shift)))
    except Undecided:
        return False


def vanishing(
    generator: Generator,
    amounts: tuple[Fraction, Fraction],
    level: Fraction,
    tolerance: Fraction,
    progress: Callable[[str, int], None],
) -> Vanishing:
    """f cut or patched for eps up to the level; `amounts` are Delta and sigma.  Raises Undecided where f is not shown
    to vanish from some radius on and no zeros are found, or where no cut is found."""
    size, scale = amounts
    of_f = Problem(lower(generator.expression), generator.dimension, size / scale)
    found = (cut if zero_beyond(of_f) else patched)(generator, of_f, level, tolerance)
    verified = build(prover.verify(found.instead, size, scale, None, progress))
    return Vanishing(verified, lower(found.instead.expression), found, found.lost(of_f))
