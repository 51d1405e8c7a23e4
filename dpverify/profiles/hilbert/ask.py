"""From what was asked of a Gaussian scale mixture in a Hilbert space to an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpverify.deadline import OutOfTime, deadline
from dpverify.enclosures import Undecided, precision
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.generators.catalogue import families
from dpverify.mixtures import Mixing
from dpverify.mixtures.examine import examine
from dpverify.mixtures.law import Density
from dpverify.profiles.answer import not_enough
from dpverify.profiles.curve import MIXTURE, CurveGrid
from dpverify.profiles.hilbert.measures import measures
from dpverify.profiles.hilbert.profile import BITS, MixtureProfile
from dpverify.profiles.measures import Wanted
from dpverify.profiles.question import levels, setting
from dpverify.profiles.result import Enclosed, Measure, Point, Profile, outward, said_of
from dpverify.prover.profile.inverse import quantile

THEOREM = "Theorem C"
Levels = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


@dataclass(frozen=True)
class Asked:
    """What is asked of which law: Delta and sigma, eps and delta, how narrowly, and the measures."""

    mixing: Mixing
    sensitivity: Fraction
    scale: Fraction
    levels: Levels
    tolerance: Fraction
    curve: CurveGrid | None
    wanted: Wanted
    progress: Callable[[str, int], None]
    dimension: int | None = None
    """None for infinite dimension."""

    @property
    def shift(self) -> Fraction:
        return self.sensitivity / self.scale

    def about(self) -> dict[str, str]:
        space = "infinite dimension" if self.dimension is None else f"d = {self.dimension}"
        told = setting(space, self.mixing.parameters, self.sensitivity, self.scale)
        return {"V": self.mixing.text, "with": told}


def law_of(generator: object, mixing: str | Mixing | None, parameters: Mapping[str, object]) -> Mixing:
    """The law of V: the one given, or that of a family of the catalogue which has one for all dimensions.

    Raises InputError where there is none.
    """
    if (generator is None) == (mixing is None):
        raise InputError("give either a family or a mixing law, and not both")
    if isinstance(mixing, Mixing):
        return mixing
    if mixing is not None:
        return Mixing(str(mixing), parameters)
    known = Generator(generator, 1, parameters) if isinstance(generator, str) else None
    if known is None or known.family is None or known.family.mixing is None:
        names = ", ".join(family.name for family in families().values() if family.mixing)
        raise InputError(
            "in infinite dimension a noise is a Gaussian scale mixture, with one law of V for all dimensions: "
            f"give --mixing LAW, or one of the families {names}"
        )
    text = known.family.mixing
    return Mixing(text, {name: value for name, value in known.parameters.items() if re.search(rf"\b{name}\b", text)})


def in_hilbert_space(asked: Asked, certificate: bool, limit: Fraction | None = None) -> Profile:
    """The points and measures asked for of X = V Z in a Hilbert space; undecided after `limit` seconds."""
    answer = Answer(asked)
    try:
        with deadline(limit):
            return answer.profile(asked.levels, certificate)
    except OutOfTime:
        return answer.concluded("undecided", (), not_enough(limit))


class Answer:
    """The answers about one law; its integrals are kept."""

    theorem = THEOREM

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.count = 0
        self.prover: Any = None

    def profile(self, asked: Levels, certificate: bool = False) -> Profile:
        a = self.asked
        try:
            refusal = self._prepared()
            if refusal is not None:
                return refusal
            assert self.prover is not None
            if a.curve is not None and not any(asked):
                asked = (a.curve.levels(self.prover, MIXTURE), ())
            points = [Point(epsilon, self._delta(epsilon)) for epsilon in asked[0]]
            for delta in asked[1]:
                below, above = self.quantile(delta)
                points.append(Point(Enclosed(below.epsilon, above.epsilon), delta))
            others = self.measures()
        except Undecided as error:
            return self.concluded("undecided", (), f"Undecided: {error}.")
        reason = "; ".join(filter(None, [said_of(points, a.tolerance), *map(str, others)]))
        verdicts = {m.verdict for m in others}
        refuted = not points and verdicts == {"refuted"}
        verdict = "undecided" if "undecided" in verdicts else "refuted" if refuted else "proved"
        found = replace(self.concluded(verdict, tuple(points), f"{reason}."), measures=others)
        if not certificate or not points:
            return found
        return self.certified(found, asked)

    def measures(self) -> tuple[Measure, ...]:
        """Those that are wanted."""
        return measures(self.asked.mixing, self.prover, self.asked.wanted, self.asked.tolerance)

    def certified(self, found: Profile, asked: Levels) -> Profile:
        """The profile with a certificate, or why there is none."""
        from dpverify.profiles.hilbert.certify import certified

        return certified(found, self.asked, self.prover, asked)

    def proving(self) -> Any:
        """What encloses delta(eps)."""
        return MixtureProfile(self.asked.mixing, self.asked.shift, self.tick)

    def _prepared(self) -> Profile | None:
        """What there is to say where the law is not proved to be one; else the integrals are ready."""
        if self.prover is not None:
            return None
        mixing = self.asked.mixing
        if isinstance(mixing.law, Density):
            with precision(BITS):
                found = examine(mixing, lambda: None)
            if found.defect is not None:
                return self.concluded("invalid", (), f"Not a mixing law: {found.defect}.")
            if not found.valid:
                return self.concluded("undecided", (), f"Undecided: {found.failure}.")
        self.prover = self.proving()
        return None

    def quantile(self, delta: Fraction) -> tuple[Any, Any]:
        """delta at two eps next to each other, between which it is met."""
        return quantile(self.prover, delta, self.asked.tolerance)

    def tick(self, step: str) -> None:
        self.count += 1
        self.asked.progress(step, self.count)

    def _delta(self, epsilon: Fraction) -> Enclosed:
        assert self.prover is not None
        found = self.prover.at(epsilon, self.asked.tolerance)
        return outward(Enclosed(found.lower, found.upper), self.asked.tolerance)

    def concluded(self, verdict: str, points: tuple[Point, ...], reason: str) -> Profile:
        proved = verdict in ("proved", "refuted")
        return Profile(
            verdict,  # type: ignore[arg-type]
            points,
            reason,
            self.theorem if verdict == "proved" else "",
            (),
            self.asked.about(),
            more=self._more if proved else None,
        )

    def _more(self, epsilon: object = None, delta: object = None, renyi: object = None) -> Profile:
        before = self.asked
        if renyi is not None:
            self.asked = replace(before, curve=None, wanted=Wanted(levels(renyi, "an order")))
        try:
            return self.profile((levels(epsilon, "epsilon"), levels(delta, "delta")))
        finally:
            self.asked = before
