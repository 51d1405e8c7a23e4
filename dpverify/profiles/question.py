"""What is asked of a profile: of which noise, and how narrowly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.numerals import brief
from dpverify.profiles.curve import CurveGrid

if TYPE_CHECKING:
    from dpverify.profiles.measures import Wanted


THEOREM = "Theorem B"
DEFAULT_TOLERANCE = Fraction(1, 10**9)
FINEST = Fraction(1, 10**40)
FOR_PROOF = Fraction(1, 10**9)
"""The width that suffices for a certificate, which is to be about as narrow."""
WHOLE = Fraction(120)
"""Up to which eps a whole profile is asked for at most, where f is 0 from some radius on."""
Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Question:
    """What was asked: about which noise, and how narrowly."""

    generator: Generator
    sensitivity: Fraction
    scale: Fraction
    tolerance: Fraction
    lemmas: tuple[str, ...]
    progress: Progress
    curve: CurveGrid | None = None
    wanted: Wanted | None = None
    roughly: bool = False

    @property
    def shift(self) -> Fraction:
        return self.sensitivity / self.scale

    def about(self) -> dict[str, str]:
        noise = self.generator
        told = setting(f"d = {noise.dimension}", noise.parameters, self.sensitivity, self.scale)
        return {"f(y)": noise.text, "with": told}


def setting(space: str, parameters: Mapping[str, Fraction], sensitivity: Fraction, scale: Fraction) -> str:
    """The dimension, the parameters, Delta and sigma in one line."""
    bound = "".join(f", {name} = {value}" for name, value in parameters.items())
    return f"{space}{bound}, Delta = {brief(sensitivity)}, sigma = {brief(scale)}"


INFINITE = ("infinity", "oo")


def orders(given: object) -> tuple[tuple[Fraction, ...], bool]:
    """The finite orders among those given, and whether infinity is one."""
    many = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    known = list(many)
    finite = [x for x in known if x not in INFINITE and x is not None]
    return levels(finite, "an order"), len(finite) < len([x for x in known if x is not None])


def levels(given: object, what: str) -> tuple[Fraction, ...]:
    """The numbers given, none, one or several, exactly."""
    if given is None:
        return ()
    many = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    return tuple(parse_rational(x, what) for x in many)
