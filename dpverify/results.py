"""What `verify` returns: a verdict, epsilon between exact rationals, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from dpverify import files
from dpverify.errors import InputError
from dpverify.findings import Finding
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.numerals import exact
from dpverify.serialise import serialise
from dpverify.shown import Shown
from dpverify.version import __version__

Status = Literal["proved", "refuted", "undecided"]
Verdict = Literal["private", "not_private", "invalid", "undecided"]
"""private: for some epsilon; not_private: for none; invalid: no density generator; undecided: nothing is said."""
OPENINGS = {
    "private": "Private",
    "not_private": "Private for no epsilon",
    "invalid": "Not a density generator",
    "undecided": "Undecided",
}


SHORT_NUMBER = 12
"""A number that is exactly known is told in full up to this length."""
TINY = Fraction(1, 10**9)
"""Below this a number is told by its leading digits and a power of ten."""
COARSE = Fraction(1, 100)
"""An enclosure that is wider, or wider than this share of what it encloses, is told by its ends."""


def decimal_between(lower: Fraction, upper: Fraction) -> str:
    """The middle of an enclosure, to as many decimals as it supports, at most 50; "between a and b", rounded outwards,
    where it is coarse; an exact number itself, if it is short."""
    width, largest = upper - lower, max(abs(lower), abs(upper))
    if not width and len(exact(lower)) <= SHORT_NUMBER:
        return exact(lower)
    if 0 < abs(upper) < TINY and width < abs(upper) / 10:
        return _scientific(lower, upper)
    if width >= COARSE * min(Fraction(1), largest) > 0:
        digits = max(0, _magnitude(largest) - _magnitude(width)) + 3
        return f"between {_rounded(lower, digits, ROUND_FLOOR)} and {_rounded(upper, digits, ROUND_CEILING)}"
    digits = 1 if width else 10
    while digits < 50 and width and Fraction(1, 10 ** (digits + 1)) > width:
        digits += 1
    scaled = round((lower + upper) / 2 * 10**digits)
    while digits < 50 and width and not lower * 10**digits <= scaled <= upper * 10**digits:
        digits += 1  # a number that is told lies in its own enclosure
        scaled = round((lower + upper) / 2 * 10**digits)
    sign, scaled = ("-", -scaled) if scaled < 0 else ("", scaled)
    whole, part = divmod(scaled, 10**digits)
    return f"{sign}{whole}.{part:0{digits}d}"


def _scientific(lower: Fraction, upper: Fraction) -> str:
    """The same of a tiny number: as many digits as its enclosure supports."""
    power = _power(max(abs(lower), abs(upper)))
    digits = decimal_between(lower * Fraction(10) ** -power, upper * Fraction(10) ** -power)
    return f"{digits}e{power}".replace(" and ", f"e{power} and ")  # of both ends, where it is told by these


def _power(value: Fraction) -> int:
    """The exponent of ten of a positive number's first digit."""
    power = _magnitude(value) - 2
    while value >= Fraction(10) ** (power + 1):
        power += 1
    return power


def _magnitude(value: Fraction) -> int:
    """About the exponent of ten."""
    return (value.numerator.bit_length() - value.denominator.bit_length()) * 3 // 10


def _rounded(value: Fraction, digits: int, towards: str) -> str:
    context = Context(prec=min(digits, 50), rounding=towards, Emin=MIN_EMIN, Emax=MAX_EMAX)
    decimal = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    return f"{decimal:f}" if -6 <= decimal.adjusted() <= 20 else str(decimal)


def spoken(text: str) -> str:
    """A formula in delta = Delta/sigma for people, who read (epsilon, delta) where they see a delta."""
    inner = re.sub(r"(?<=/)delta\b|\bdelta\b(?=\s*(?:\*\*|/))", "(Delta/sigma)", text)
    return re.sub(r"\bdelta\b", "Delta/sigma", inner)


def equals(decimal: str) -> str:
    """What follows the name of a number in a sentence: "= 1.42", or "is between 0 and 8"."""
    return f"is {decimal}" if decimal.startswith("between") else f"= {decimal}"


def _how(where: str, known: bool) -> str:
    """Where the loss is largest; or, of an epsilon of which no digit is known, where it is proved to be that large."""
    if where.startswith("the limit"):
        return f"approached in {where}" if known else f"at least the former in {where}"
    if where.startswith("again"):
        return f"approached {where}" if known else f"at least the former {where}"
    return f"the loss being largest at {where}" if known else f"a loss of the former being proved at {where}"


@dataclass(frozen=True, slots=True)
class Epsilon:
    """lower <= epsilon <= upper, exactly; a closed form that lies between; and where the loss is largest."""

    lower: Fraction
    upper: Fraction
    closed_form: str | None
    attained_at: str | None

    @property
    def decimal(self) -> str:
        """The middle, to as many decimals as are sure."""
        return decimal_between(self.lower, self.upper)

    @property
    def said(self) -> str:
        """What follows "epsilon" in a sentence: "= 1.42", or with a formula, if that is short."""
        size = equals(self.decimal)
        if self.closed_form is None or len(self.closed_form) > 24:
            return size
        formula = spoken(self.closed_form)
        return f"= {formula} {size}" if size.startswith("=") else f"= {formula}, {self.decimal}"

    def __float__(self) -> float:
        """The upper end as a float: what may be relied on, but for the float's own rounding."""
        return float(self.upper)

    def __eq__(self, other: object) -> bool:
        """Whether epsilon is that number, which an enclosure with inner points may leave open: then InputError."""
        if isinstance(other, Epsilon):
            return astuple(self) == astuple(other)
        if isinstance(other, bool) or not isinstance(other, int | Fraction):
            return NotImplemented
        return self <= other and self >= other

    def __hash__(self) -> int:
        return hash(self.lower if self.lower == self.upper else astuple(self))

    def __le__(self, bound: object) -> bool:
        """Whether epsilon <= bound; raises InputError where the enclosure does not decide it."""
        value = parse_rational(bound, "the bound")
        if self.upper <= value:
            return True
        return self._not(self.lower > value, value)

    def __lt__(self, bound: object) -> bool:
        value = parse_rational(bound, "the bound")
        return True if self.upper < value else self._not(self.lower >= value, value)

    def __ge__(self, bound: object) -> bool:
        return not self < bound

    def __gt__(self, bound: object) -> bool:
        return not self <= bound

    def _not(self, refuted: bool, value: Fraction) -> bool:
        if not refuted:
            raise InputError(
                f"undecided: epsilon lies between {self.lower} and {self.upper}, and {value} in between; "
                "ask for a smaller tolerance"
            )
        return False

    def to_json(self) -> dict[str, str | None]:
        """Plain data; every number exact."""
        return {
            "lower": str(self.lower),
            "upper": str(self.upper),
            "decimal": self.decimal,
            "closed_form": self.closed_form,
            "attained_at": self.attained_at,
        }


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The verdict on one hypothesis, and what it was found by."""

    status: Status
    because: Finding

    @property
    def explanation(self) -> str:
        """One clause that says why."""
        return str(self.because)


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The hypotheses of Theorem 3 (Reimherr and Awan 2019) and of a density, each on its own.

    `defined` comes first, since the others are about what it lets be rewritten: every part of the
    text as typed has a real value at almost every radius.
    """

    defined: Hypothesis
    positive: Hypothesis
    decreasing: Hypothesis
    finite_at_zero: Hypothesis
    integrable: Hypothesis
    tail_ratio_bounded: Hypothesis

    def items(self) -> list[tuple[str, Hypothesis]]:
        """The hypotheses by their names, in order."""
        return [(f.name, getattr(self, f.name)) for f in fields(self)]


@dataclass(frozen=True, slots=True)
class TailRatio:
    """lower <= limsup of the log tail ratio log f((c - delta)^2)/f(c^2) <= upper."""

    lower: Fraction
    upper: Fraction

    def to_json(self) -> dict[str, str]:
        """Plain data; every number exact."""
        return {
            "log_lower": str(self.lower),
            "log_upper": str(self.upper),
            "decimal": decimal_between(self.lower, self.upper),
        }


@dataclass(frozen=True, slots=True)
class MixingReport:
    """What is known of a Gaussian scale mixture: its mixing law, f_d, and the dimensions.

    `law` and `generator` are None where no closed form is known. `moment_finite` says whether
    E[V^-d], and with it f_d(0), is finite (None: undecided, or no mixing law); `stops_at_dimension`
    is the least d for which it is not, None where there is none; `private_for` says in words in
    which dimensions the family is private.
    """

    density: str
    law: str | None
    generator: str | None
    moment_finite: bool | None
    stops_at_dimension: int | None
    private_for: str

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, slots=True)
class Result(Shown):
    """The answer for one generator, sensitivity Delta and scale sigma.

    `verdict` is "private", "not_private", "invalid" (no density generator) or "undecided";
    `epsilon` is None unless private; `certificate` is the proof as data, which the checker has
    replayed, None where nothing is proved, nothing that it can replay, or nothing was to be
    replayed; `mixing` is there for Gaussian scale mixtures; `draft` is what a certificate is made of;
    `claimed` is the epsilon that was to be proved or refuted, `asked` the width that epsilon's enclosure was to have;
    `because` is what the verdict was found by, None for the proof of an epsilon, which speaks for itself.
    """

    generator: Generator
    sensitivity: Fraction
    scale: Fraction
    verdict: Verdict
    epsilon: Epsilon | None
    hypotheses: Hypotheses
    because: Finding | str | None
    theorem: str
    assumptions: tuple[str, ...]
    tail_log_ratio: TailRatio | None
    certificate: Mapping[str, Any] | None
    mixing: MixingReport | None = None
    draft: Mapping[str, Any] | None = None
    claimed: Fraction | None = None
    asked: Fraction | None = None

    @property
    def reason(self) -> str:
        """One line that says why: of a private result how large epsilon is, and where the loss is."""
        if isinstance(self.because, str):
            return self.because
        return f"{OPENINGS[self.verdict]}: {self.because or self._largest_loss()}."

    def _largest_loss(self) -> str:
        assert self.epsilon is not None
        where = spoken(self.epsilon.attained_at or "not known")
        told = [f"epsilon {self.epsilon.said}, {_how(where, not self.epsilon.decimal.startswith('between'))}"]
        width = self.epsilon.upper - self.epsilon.lower
        if self.asked is not None and width > self.asked:
            wider = "more than was asked: no step made it narrower, or not in time"
            told.append(f"The enclosure is {float(width):.2g} wide, {wider}")
        if self.theorem == "Theorem A":
            told.append("Theorem 3 (corrected) is not used, since f is not shown to fall everywhere; Theorem A is")
        return ". ".join(told)

    @property
    def delta(self) -> Fraction:
        """Delta / sigma, the only way in which sensitivity and scale enter."""
        return self.sensitivity / self.scale

    @property
    def within(self) -> Status | None:
        """Whether epsilon is at most what was claimed: proved, refuted or undecided; None where nothing was claimed."""
        if self.claimed is None:
            return None
        if self.epsilon is None:
            return "refuted" if self.verdict == "not_private" else "undecided"
        if self.epsilon.upper <= self.claimed:
            return "proved"
        return "refuted" if self.epsilon.lower > self.claimed else "undecided"

    def question(self) -> dict[str, Any]:
        """What was asked: the generator, its parameters, d, Delta and sigma; every number exact."""
        return {
            "generator": self.generator.text,
            "parameters": {name: str(value) for name, value in self.generator.parameters.items()},
            "dimension": self.generator.dimension,
            "sensitivity": str(self.sensitivity),
            "scale": str(self.scale),
        }

    def to_json(self) -> dict[str, Any]:
        """The question and the result as plain data; every number exact; `digest` is the certificate's."""
        data: dict[str, Any] = {
            "program": {"name": "dpverify", "version": __version__},
            "question": self.question(),
            "digest": self.certificate["digest"] if self.certificate is not None else None,
            "verdict": self.verdict,
            "epsilon": self.epsilon.to_json() if self.epsilon else None,
            "hypotheses": {name: h.status for name, h in self.hypotheses.items()},
            "reason": self.reason,
            "theorem": self.theorem,
            "assumptions": list(self.assumptions),
            "tail_ratio": self.tail_log_ratio.to_json() if self.tail_log_ratio else None,
        }
        if self.mixing is not None:
            data["mixing"] = self.mixing.to_json()
        if self.claimed is not None:
            data["claimed"] = {"at_most": str(self.claimed), "status": self.within}
        return data

    def save(self, path: str | Path) -> Path:
        """Write the certificate; raises InputError where nothing was proved, or it cannot be written."""
        if self.certificate is None:
            raise InputError(f"there is no certificate: {self.reason}")
        path = Path(path)
        files.write(path, serialise(self.certificate))
        return path

    @property
    def replayed(self) -> bool:
        """Whether the checker has accepted the proof."""
        return self.certificate is not None

    def _short(self) -> str:
        size = f", epsilon {equals(self.epsilon.decimal)}" if self.epsilon else ""
        return f"{self.verdict}{size}" + (", not replayed" if self.draft is not None and not self.replayed else "")

    def __str__(self) -> str:
        return f"{self._short()}: {self.reason}"

    def __repr__(self) -> str:
        return f"<Result {self._short()}>"
