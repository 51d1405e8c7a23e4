"""What an export takes from a certificate: all that reads its JSON is here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Box = tuple[Fraction, Fraction]
Point = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Hints:
    """Where the checker found what is proved anew: proposals, of which none is believed.

    `witness` is the box in which the loss comes up to the lower bound, with the shift where it is not
    the longest; `sign` is how f fails to be positive, and the box where it does.
    """

    witness: Box | None
    shift: Fraction | None
    sign: str | None
    sign_box: Box | None


@dataclass(frozen=True, slots=True)
class About:
    """The noise that a claim is about."""

    generator: str
    parameters: dict[str, Fraction]
    dimension: int
    sensitivity: Fraction
    scale: Fraction

    @property
    def delta(self) -> Fraction:
        return self.sensitivity / self.scale

    @property
    def values(self) -> dict[str, Fraction]:
        """What the names in the generator stand for."""
        return {**self.parameters, "d": Fraction(self.dimension)}

    def words(self) -> str:
        """The noise in one line."""
        names = "".join(f", {k} = {v}" for k, v in sorted(self.parameters.items()))
        return (
            f"dpverify: f(y) = {self.generator}{names}, d = {self.dimension}, sensitivity {self.sensitivity}, "
            f"scale {self.scale}, so that delta = {self.delta}."
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """A certificate's claim, and the hints of its proof."""

    about: About
    verdict: str
    theorem: str | None
    lower: Fraction | None
    upper: Fraction | None
    hypotheses: dict[str, str]
    assumptions: tuple[str, ...]
    hints: Hints

    @property
    def delta(self) -> Fraction:
        return self.about.delta


@dataclass(frozen=True, slots=True)
class ProfileClaim:
    """A profile's claim: each point is epsilon, and delta's two bounds."""

    about: About
    theorem: str
    points: list[Point]
    assumptions: tuple[str, ...]


def is_profile(certificate: Mapping[str, Any]) -> bool:
    """Whether the claim is one of a profile."""
    return certificate["claim"].get("kind") == "profile"


def read_profile(certificate: Mapping[str, Any]) -> ProfileClaim:
    """The claim of a profile's certificate that the checker has accepted."""
    points = [
        (Fraction(p["epsilon"]), Fraction(p["delta"]["lower"]), Fraction(p["delta"]["upper"]))
        for p in certificate["claim"]["points"]
    ]
    claim = certificate["claim"]
    return ProfileClaim(_about(claim), claim["theorem"], points, tuple(certificate["assumptions"]))


def _about(claim: Mapping[str, Any]) -> About:
    return About(
        generator=claim["generator"],
        parameters={name: Fraction(value) for name, value in claim["parameters"].items()},
        dimension=int(claim["dimension"]),
        sensitivity=Fraction(claim["sensitivity"]),
        scale=Fraction(claim["scale"]),
    )


def read(certificate: Mapping[str, Any]) -> Claim:
    """The claim of a certificate that the checker has accepted."""
    claim = certificate["claim"]
    epsilon = claim.get("epsilon") or {}
    return Claim(
        about=_about(claim),
        verdict=claim["verdict"],
        theorem=claim.get("theorem"),
        lower=_optional(epsilon.get("lower")),
        upper=_optional(epsilon.get("upper")),
        hypotheses=dict(claim["hypotheses"]),
        assumptions=tuple(certificate["assumptions"]),
        hints=_hints(certificate["proof"]),
    )


def _hints(proof: Mapping[str, Any]) -> Hints:
    witness, sign = proof.get("witness") or {}, proof.get("sign") or {}
    return Hints(
        witness=_box(witness.get("box")) if witness.get("near") == "box" else None,
        shift=_optional(witness.get("shift")),
        sign=sign.get("kind"),
        sign_box=_box(sign.get("box")),
    )


def _optional(value: str | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _box(value: list[str] | None) -> Box | None:
    return None if value is None else (Fraction(value[0]), Fraction(value[1]))
