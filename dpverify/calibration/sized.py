"""Noise of one given size, compared by its privacy: the other way round from `comparison`.

Each family is scaled until the median of ||sigma X|| is the size, and then delta(eps), or the eps of a delta, is
enclosed. sigma = size/m, m the median at scale 1, itself between two rationals; privacy grows with sigma
(Theorem B), so the ends of sigma's enclosure carry the ends of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpverify.calibration.law import NO_PROFILE, Law, law_of
from dpverify.calibration.noise import NoNoise, noise
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.profiles import Enclosed, Profile, profile
from dpverify.profiles.result import rounded

DIGITS = 15


@dataclass(frozen=True, slots=True)
class Sized:
    """One family at the size: its sigma, and the eps or delta that was asked for; or the refusal in their place."""

    name: str
    generator: Generator
    scale: Enclosed | None
    value: Enclosed | None
    refusal: str | None
    assumptions: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        return {
            "name": self.name,
            "scale": self.scale.to_json() if self.scale else None,
            "value": self.value.to_json() if self.value else None,
            "refusal": self.refusal,
            "assumptions": list(self.assumptions),
        }


def of_size(
    families: Sequence[tuple[str, Generator | Law]],
    *,
    median: object,
    epsilon: object = None,
    delta: object = None,
    sensitivity: object = 1,
    progress: Callable[[str, int], None] | None = None,
) -> list[Sized]:
    """delta at an epsilon, or epsilon at a delta, of each family whose noise has this median; the most private first.

    Args:
        families: a name and its generator each.
        median: of ||sigma X||, in the units of the sensitivity, exact.
        epsilon, delta: one of the two, exact; the other is enclosed.
        sensitivity: Delta, exact.

    Raises InputError for numbers that cannot be used; a family of which nothing is proved says so in `refusal`.
    """
    size, shift = parse_rational(median, "the median"), parse_rational(sensitivity, "the sensitivity")
    if size <= 0 or shift <= 0 or (epsilon is None) == (delta is None):
        raise InputError("give a positive median and sensitivity, and either an epsilon or a delta")
    found: list[Sized] = []
    for name, family in families:
        law = law_of(family)
        if law.mixing is not None:
            found.append(Sized(name, law.generator, None, None, NO_PROFILE))
            continue
        generator = law.generator
        if progress is not None:
            progress(name, 0)

        def at(scale: Fraction, generator: Generator = generator) -> Profile:
            return profile(generator, sensitivity=shift, scale=scale, epsilon=epsilon, delta=delta)

        found.append(replace(_sized(name, generator, size, at), assumptions=law.lemmas))
    return sorted(found, key=lambda row: (row.value is None, row.value.upper if row.value else Fraction(0)))


def _sized(name: str, generator: Generator, size: Fraction, at: Callable[[Fraction], Profile]) -> Sized:
    try:
        unit = noise(generator).median
    except NoNoise as error:
        return Sized(name, generator, None, None, str(error))
    assert unit.upper is not None
    scale = Enclosed(rounded(size / unit.upper, DIGITS, False), rounded(size / unit.lower, DIGITS, True))
    values: list[Enclosed] = []
    for end in (scale.upper, scale.lower):
        answer = at(end)
        if answer.verdict != "proved":
            return Sized(name, generator, scale, None, answer.reason)
        values += [x for x in (answer.points[0].epsilon, answer.points[0].delta) if isinstance(x, Enclosed)]
    return Sized(name, generator, scale, Enclosed(values[0].lower, values[1].upper), None)
