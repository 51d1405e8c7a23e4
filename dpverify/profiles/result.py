"""What `profile` returns: points of the privacy profile, each between exact rationals, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from dpverify import files
from dpverify.errors import InputError
from dpverify.numerals import stated
from dpverify.serialise import serialise
from dpverify.shown import Drawn

Verdict = Literal["proved", "refuted", "invalid", "undecided"]
MOST_DIGITS, FEW_DIGITS = 60, 3


@dataclass(frozen=True, slots=True)
class Enclosed:
    """lower <= value <= upper, exactly."""

    lower: Fraction
    upper: Fraction

    @property
    def decimal(self) -> str:
        """The middle, to as many digits as the width supports; "between a and b" where it supports none."""
        if self.lower == self.upper:
            return _text(self.lower, 17, ROUND_FLOOR) if self.lower else "0"
        middle, width = (self.lower + self.upper) / 2, self.upper - self.lower
        if width * 10 < middle:
            digits = min(MOST_DIGITS, len(str(middle // width)) - 1)
            if digits < FEW_DIGITS:
                digits += self._fits(digits + 1)
            return _written(_decimal(middle, digits, ROUND_HALF_EVEN))
        return f"between {_text(self.lower, 4, ROUND_FLOOR)} and {_text(self.upper, 4, ROUND_CEILING)}"

    def _fits(self, digits: int) -> bool:
        """Whether all that is enclosed lies within a unit of the last of so many digits of the middle."""
        shown = _decimal((self.lower + self.upper) / 2, digits, ROUND_HALF_EVEN)
        value, unit = Fraction(shown), Fraction(10) ** (shown.adjusted() - digits + 1)
        return value - unit <= self.lower and self.upper <= value + unit

    def to_json(self) -> dict[str, str]:
        return {"lower": str(self.lower), "upper": str(self.upper), "decimal": self.decimal}


@dataclass(frozen=True, slots=True)
class Point:
    """delta(eps): one of the two is what was asked about, exactly, the other is enclosed."""

    epsilon: Fraction | Enclosed
    delta: Fraction | Enclosed

    def to_json(self) -> dict[str, Any]:
        sides = {"epsilon": self.epsilon, "delta": self.delta}
        return {name: str(x) if isinstance(x, Fraction) else x.to_json() for name, x in sides.items()}


@dataclass(frozen=True, slots=True)
class Measure:
    """Another measure of privacy: its name, the order or the type I error that it is at, and its value.

    `value` is None where it is proved that there is none, no finite one, and where it is not `decided`; `reason` says
    why.  `certified` says whether the profile's certificate claims it too.
    """

    name: str
    at: Fraction | None
    value: Enclosed | None
    reason: str = ""
    decided: bool = True
    certified: bool = False

    @property
    def verdict(self) -> Literal["proved", "refuted", "undecided"]:
        """Whether the value is enclosed, is proved to be infinite, or neither."""
        if not self.decided:
            return "undecided"
        return "refuted" if self.value is None else "proved"

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "at": None if self.at is None else str(self.at),
            "verdict": self.verdict,
            "value": None if self.value is None else self.value.to_json(),
            "certified": self.certified,
            **({"reason": self.reason} if self.reason else {}),
        }

    def __str__(self) -> str:
        place = "" if self.at is None else f" at {self.at}"
        if not self.decided:
            return f"{self.name}{place} is undecided: {self.reason}"
        if self.value is None:
            return f"{self.name}{place} is infinite: {self.reason}"
        return f"{self.name}{place} {equals(self.value)}"


@dataclass(frozen=True)
class Profile(Drawn):
    """The privacy profile of one release: delta(eps) is the least delta for which it is (eps, delta)-private.

    `verdict` is "proved", "refuted" (all measures asked for are proved to be infinite, and nothing else was asked),
    "invalid" (no density generator) or "undecided"; `points` are those asked for;
    `theorem` is what carries them; `measures` are the others that were asked for, proved, and certified where they say
    so; `infinite` is the probability of an infinite loss, below which no delta falls, where f is 0 from some radius on;
    `certificate` is the proof as data, which the kernel has replayed, where one was asked for and found.
    """

    verdict: Verdict
    points: tuple[Point, ...]
    reason: str
    theorem: str
    assumptions: tuple[str, ...]
    about: Mapping[str, str]
    certificate: Mapping[str, Any] | None = None
    more: Callable[..., Profile] | None = field(default=None, repr=False, compare=False)
    measures: tuple[Measure, ...] = ()
    infinite: Enclosed | None = None

    def delta(self, epsilon: object) -> Enclosed:
        """delta(eps), enclosed.  Raises DpverifyError where it is not decided."""
        value = self._asked(epsilon=epsilon).delta
        assert isinstance(value, Enclosed)
        return value

    def epsilon(self, delta: object) -> Enclosed:
        """eps(delta), the least eps with delta(eps) at most delta, enclosed.  Raises DpverifyError likewise."""
        value = self._asked(delta=delta).epsilon
        assert isinstance(value, Enclosed)
        return value

    def _asked(self, **question: object) -> Point:
        from dpverify.errors import DpverifyError

        if self.more is None:
            raise DpverifyError(f"nothing more is known of this profile: {self.reason}")
        answer = self.more(**question)
        if answer.verdict != "proved":
            raise DpverifyError(answer.reason)
        return answer.points[0]

    def to_json(self) -> dict[str, Any]:
        """The result as plain data; every number exact."""
        return {
            "verdict": self.verdict,
            "points": [p.to_json() for p in self.points],
            "reason": self.reason,
            "theorem": self.theorem,
            "assumptions": list(self.assumptions),
            **({"measures": [m.to_json() for m in self.measures]} if self.measures else {}),
            **({"infinite": self.infinite.to_json()} if self.infinite else {}),
        }

    def save(self, path: str | Path) -> Path:
        """Write the certificate; raises InputError where there is none."""
        if self.certificate is None:
            raise InputError(f"there is no certificate: {self.reason}")
        path = Path(path)
        files.write(path, serialise(self.certificate))
        return path

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}"


MANY = 12


def said_of(points: Sequence[Point], tolerance: Fraction) -> str:
    """The points in one line, and how well they are known where that is less than was asked."""
    said = _all_said(points) if len(points) > MANY else "; ".join(map(_said, points))
    width = width_of(points)
    return f"{said}, known to {float(width):.1g} of it" if width > tolerance * 2 else said


def width_of(points: Sequence[Point]) -> Fraction:
    """The width of the widest, relative to it."""
    return max(((x.upper - x.lower) / (x.lower or 1) for x in map(_enclosed, points)), default=Fraction(0))


def _all_said(points: Sequence[Point]) -> str:
    first, last = points[0], points[-1]
    return f"The profile is enclosed at {len(points)} points: {_said(first)}, ..., {_said(last)}"


def _enclosed(point: Point) -> Enclosed:
    found = point.delta if isinstance(point.epsilon, Fraction) else point.epsilon
    assert isinstance(found, Enclosed)
    return found


def _said(point: Point) -> str:
    if isinstance(point.epsilon, Fraction):
        assert isinstance(point.delta, Enclosed)
        exactly = " exactly, as no loss is larger" if not point.delta.upper else ""
        return f"delta({stated(point.epsilon)}) {equals(point.delta)}{exactly}"
    assert isinstance(point.delta, Fraction)
    return f"eps({stated(point.delta)}) {equals(point.epsilon)}"


def equals(value: Enclosed) -> str:
    """The value in a sentence, as what something is or lies between."""
    return f"is {value.decimal}" if value.decimal.startswith("between") else f"= {value.decimal}"


def rounded(value: Fraction, digits: int, upward: bool) -> Fraction:
    """The decimal of that many significant digits next to the value."""
    return Fraction(_decimal(value, digits, ROUND_CEILING if upward else ROUND_FLOOR))


def outward(found: Enclosed, tolerance: Fraction) -> Enclosed:
    """The enclosure in as few digits as the tolerance, relative to it, needs, rounded outward."""
    digits = len(str(int(1 / tolerance))) + 2
    return Enclosed(rounded(found.lower, digits, False), rounded(found.upper, digits, True))


def _decimal(value: Fraction, digits: int, rounding: str) -> Decimal:
    context = Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _text(value: Fraction, digits: int, rounding: str) -> str:
    return _written(_decimal(value, digits, rounding))


def _written(value: Decimal) -> str:
    return f"{value:f}" if -7 <= value.adjusted() <= 20 or not value else f"{value:E}".replace("E", "e")
