"""From an f that is 0 beyond some radius to what is proved of it, cut short of that radius."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpverify import prover
from dpverify.certificate.build import build
from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.profiles.needs import rises
from dpverify.profiles.unbounded import zero_beyond
from dpverify.prover.problem import Problem
from dpverify.prover.profile.cut import Cut, CutProfile, cut, cut_profile
from dpverify.results import Result


@dataclass(frozen=True)
class Vanishing:
    """h in the place of f, what is proved of h, and how much of f the cut leaves out at most."""

    verified: Result
    node: Node
    cut: Cut
    lost: Fraction

    def prover(self, shift: Fraction, tick: Callable[[str], None]) -> CutProfile:
        """The profile of f for one shift Delta/sigma."""
        rising = rises(dict(self.verified.hypotheses.items()))
        problem = Problem(self.node, self.cut.generator.dimension, shift)
        return cut_profile(problem, self.cut, self.lost, rising, tick)


def vanishing(
    generator: Generator,
    amounts: tuple[Fraction, Fraction],
    level: Fraction,
    tolerance: Fraction,
    progress: Callable[[str, int], None],
) -> Vanishing:
    """f cut for eps up to the level; `amounts` are Delta and sigma.  Raises Undecided where f is not shown to vanish
    from some radius on, or where no cut is found."""
    size, scale = amounts
    of_f = Problem(lower(generator.expression), generator.dimension, size / scale)
    if not zero_beyond(of_f):
        raise Undecided(Reason.NO_CUT())
    found = cut(generator, of_f, level, tolerance)
    verified = build(prover.verify(found.instead, size, scale, None, progress))
    return Vanishing(verified, lower(found.instead.expression), found, found.lost(of_f))
