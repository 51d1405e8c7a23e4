"""What somebody requires of a proof: that epsilon is at most so much, for this noise and so far apart a neighbour."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.numerals import brief
from dpverify.results import Result

ROUGH = tuple(Fraction(1, 10**k) for k in (1, 3, 6))
"""Widths that are tried before the one asked for: a claim is seldom as near to epsilon as a proof can tell."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a claim must say; None stands for what is not asked.

    `private` is for some epsilon; `at_most` is the largest epsilon; `delta` that of (epsilon, delta)-privacy. The
    generator is the same expression with the same parameters; sensitivity Delta and scale sigma are covered by a
    proof for a larger Delta/sigma, as epsilon never falls with it.
    """

    private: bool = False
    at_most: Fraction | None = None
    delta: Fraction | None = None
    generator: str | None = None
    parameters: Mapping[str, object] | None = None
    dimension: int | None = None
    sensitivity: Fraction | None = None
    scale: Fraction | None = None

    def __post_init__(self) -> None:
        for name, value in (("--sensitivity", self.sensitivity), ("--scale", self.scale)):
            if value is not None and value <= 0:
                raise InputError(f"{name}: {value} is not positive")
        if self.at_most is not None and self.at_most < 0:
            raise InputError(f"--at-most: epsilon is at least 0, and {self.at_most} is less")
        if self.delta is not None and not 0 <= self.delta < 1:
            raise InputError(f"--delta: {self.delta} is not from 0 to below 1")
        if self.parameters and self.generator is None:
            raise InputError("--param needs --generator")

    def __bool__(self) -> bool:
        """Whether anything is asked."""
        asked = (self.at_most, self.delta, self.generator, self.dimension, self.sensitivity, self.scale)
        return self.private or any(value is not None for value in asked)

    def unmet(self, claim: Mapping[str, Any]) -> list[str]:
        """What the claim of a certificate that the kernel has accepted does not say; nothing where it says it all.

        Raises InputError for a generator that cannot be read.
        """
        return [*self._too_little(claim), *self._another_noise(claim)]

    def _too_little(self, claim: Mapping[str, Any]) -> list[str]:
        """What is not proved of epsilon and delta."""
        if not self.private and self.at_most is None and self.delta is None:
            return []
        if "points" in claim:
            return self._no_point(claim)
        if claim["verdict"] != "private":
            return [f"what it proves is: {claim['verdict'].replace('_', ' ')}"]
        upper = Fraction(claim["epsilon"]["upper"])
        if self.at_most is not None and upper > self.at_most:
            return [f"epsilon is proved to be at most {brief(upper)}, not {brief(self.at_most)}"]
        return []

    def _no_point(self, claim: Mapping[str, Any]) -> list[str]:
        """The same of a certificate of a profile or a composition: one of its points must be as good as is asked."""
        if self.delta is None:
            return ["it is of (epsilon, delta)-privacy; say with --delta which delta is allowed"]
        points = [(Fraction(p["epsilon"]), Fraction(p["delta"]["upper"])) for p in claim["points"]]
        points += [(Fraction(q["epsilon"]["upper"]), Fraction(q["delta"])) for q in claim["quantiles"]]
        within = [epsilon for epsilon, delta in points if delta <= self.delta]
        if not within:
            return [f"none of its points has a delta of at most {self.delta}"]
        if self.at_most is not None and min(within) > self.at_most:
            least, asked = brief(min(within)), brief(self.at_most)
            return [f"for delta = {brief(self.delta)} epsilon is proved to be at most {least}, not {asked}"]
        return []

    def _another_noise(self, claim: Mapping[str, Any]) -> list[str]:
        """What is said of another noise, or of nearer neighbours."""
        found = []
        if "parts" in claim:
            about = (self.generator, self.dimension, self.sensitivity, self.scale)
            return ["it is of a composition, which has no one noise"] if any(x is not None for x in about) else []
        if self.dimension is not None and claim["dimension"] != self.dimension:
            found.append(f"its dimension is {claim['dimension']}, not {self.dimension}")
        if self.generator is not None and "mixing" in claim:
            found.append(f"it is of the mixture by {claim['mixing']}, not of the generator {self.generator}")
        elif self.generator is not None and not self._same_noise(self.generator, claim):
            proved, asked = self._proved(claim), self._asked(self.generator, claim)
            found.append(f"its generator is {proved.text}{_bound(proved)}, not {self.generator}{_bound(asked)}")
        sensitivity, scale = Fraction(claim["sensitivity"]), Fraction(claim["scale"])
        shift = (self.sensitivity or sensitivity) / (self.scale or scale)
        if shift > sensitivity / scale:
            found.append(f"it is for Delta/sigma = {brief(sensitivity / scale)}, not {brief(shift)}")
        return found

    def _same_noise(self, generator: str, claim: Mapping[str, Any]) -> bool:
        asked, proved = self._asked(generator, claim), self._proved(claim)
        return asked.expression == proved.expression and asked.needs == proved.needs

    def _asked(self, generator: str, claim: Mapping[str, Any]) -> Generator:
        return Generator(generator, claim["dimension"], self.parameters)

    @staticmethod
    def _proved(claim: Mapping[str, Any]) -> Generator:
        return Generator(claim["generator"], claim["dimension"], claim["parameters"])


def _bound(generator: Generator) -> str:
    """Its parameters, and which of them nobody gave."""
    told = (
        f"{name} = {value}{' (default)' * (name in generator.defaults)}" for name, value in generator.parameters.items()
    )
    return "".join(f", {each}" for each in told)


def first_that_decides(
    bound: Fraction, prove: Callable[[Fraction | None], Result], tolerance: Fraction | None
) -> Result:
    """The first result, from rough to narrow, whose enclosure lies on one side of the bound; the last one else."""
    for width in ROUGH:
        if tolerance is not None and width <= tolerance:
            break
        result = replace(prove(width), claimed=bound)
        if result.epsilon is None or result.within != "undecided":
            return result
    return replace(prove(tolerance), claimed=bound)


def claimed(value: object) -> Fraction:
    """A claimed epsilon, exact; raises InputError for what is none."""
    bound = parse_rational(value, "the claimed epsilon")
    if bound < 0:
        raise InputError(f"the claimed epsilon is at least 0, and {bound} is less")
    return bound
