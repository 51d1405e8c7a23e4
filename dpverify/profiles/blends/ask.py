"""From what was asked of a Gaussian scale mixture in d dimensions to an answer."""

from __future__ import annotations

from fractions import Fraction

from dpverify.deadline import OutOfTime, deadline
from dpverify.errors import InputError
from dpverify.profiles.answer import not_enough
from dpverify.profiles.blends.profile import BlendProfile
from dpverify.profiles.hilbert.ask import Answer, Asked, Levels
from dpverify.profiles.result import Measure, Profile
from dpverify.prover.profile import Divergence


def in_space(asked: Asked, certificate: bool, limit: Fraction | None = None) -> Profile:
    """The points asked for of X = V Z in d dimensions; undecided after `limit` seconds."""
    answer = InSpace(asked)
    try:
        with deadline(limit):
            return answer.profile(asked.levels, certificate)
    except OutOfTime:
        return answer.concluded("undecided", (), not_enough(limit))


NO_FORMULA = "no formula is known for this law and dimension, as these measures ask for; ask for points"


class InSpace(Answer):
    """The answers about one law and dimension."""

    theorem = "Theorem B"

    def proving(self) -> BlendProfile:
        assert self.asked.dimension is not None
        return BlendProfile(self.asked.mixing, self.asked.dimension, self.asked.shift, self.tick)

    def quantile(self, delta: Fraction) -> tuple[Divergence, Divergence]:
        found: tuple[Divergence, Divergence] = self.prover.quantile(delta, self.asked.tolerance)
        return found

    def measures(self) -> tuple[Measure, ...]:
        if self.asked.wanted:
            raise InputError(NO_FORMULA)
        return ()

    def certified(self, found: Profile, asked: Levels) -> Profile:
        from dpverify.profiles.blends.certify import certified

        return certified(found, self.asked, self.prover, asked)
