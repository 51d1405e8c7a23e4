"""The smallest scale at which noise is (eps, delta)-private: two sigmas, proved on either side of it.

delta(eps) falls as sigma grows, since only Delta/sigma counts and a longer shift is worse (Theorem B), or
more shifts count (Theorem E).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.algebraic import rational_above, rational_below
from dpverify.enclosures import Undecided
from dpverify.errors import DpverifyError, InputError
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.profiles.crossing import crossing
from dpverify.profiles.needs import lacking, rises
from dpverify.profiles.result import Enclosed

if TYPE_CHECKING:
    from dpverify.prover.profile import Profile as Prover

WIDTH = Fraction(1, 10**9)
PATIENCE = 3
"""Scales in a row at which delta may be left open for another reason than that it is too small."""


class NoScale(DpverifyError):
    """No scale is enclosed; the message says why."""


@dataclass(frozen=True)
class ProfileScale:
    """lower <= the smallest sigma <= upper: delta(eps) is at most the target at the upper end, at least at the lower.

    `meets` and `fails` are delta(eps) at these; `assumptions` are what they rest on;
    `classical` is sqrt(2 log(1.25/delta)) Delta/eps, the usual scale of
    Gaussian noise for eps < 1, None where it is not for this noise.
    """

    generator: Generator
    sensitivity: Fraction
    epsilon: Fraction
    delta: Fraction
    scale: Enclosed
    meets: Enclosed
    fails: Enclosed
    classical: float | None
    theorem: str
    assumptions: tuple[str, ...] = ()

    @property
    def lower(self) -> Fraction:
        """The scale at which the target is proved missed, or just met."""
        return self.scale.lower

    @property
    def upper(self) -> Fraction:
        """The scale at which the target is proved met."""
        return self.scale.upper

    def to_json(self) -> dict[str, Any]:
        return {
            "verdict": "proved",
            "generator": self.generator.text,
            "parameters": {name: str(value) for name, value in self.generator.parameters.items()},
            "dimension": self.generator.dimension,
            "sensitivity": str(self.sensitivity),
            "target": {"epsilon": str(self.epsilon), "delta": str(self.delta)},
            "scale": self.scale.to_json(),
            "delta_at_upper": self.meets.to_json(),
            "delta_at_lower": self.fails.to_json(),
            "classical": self.classical,
            "theorem": self.theorem,
            "assumptions": list(self.assumptions),
        }


def smallest_scale(
    generator: Generator,
    *,
    epsilon: object,
    delta: object,
    sensitivity: object = 1,
    lemmas: tuple[str, ...] = (),
    progress: Callable[[str, int], None] | None = None,
) -> ProfileScale:
    """The smallest sigma at which this noise is (eps, delta)-private, to a relative 1e-9, proved on both sides.

    `lemmas` are those by which the generator is f of a mixture; they become assumptions of what is found.
    Raises InputError for numbers that cannot be used, NoScale where nothing is proved.
    """
    e, target = rational_below(epsilon, "the target epsilon"), parse_rational(delta, "delta")
    size = rational_above(sensitivity, "the sensitivity")
    if e < 0:
        raise InputError(f"the target epsilon must not be negative, and {e} is")
    if not 0 < target < 1:
        raise InputError(f"the target delta must lie between 0 and 1, not be {target}")
    if size <= 0:
        raise InputError(f"the sensitivity must be positive, not {size}")
    made = _maker(generator, size, e)
    count = failures = 0

    def told(scale: Fraction) -> Prover:
        nonlocal count
        count += 1
        if progress is not None:
            progress("the smallest scale", count)
        found = made(size / scale)
        found.alone = True
        return found

    def excess(scale: Fraction, tolerance: Fraction) -> float:
        nonlocal failures
        try:
            low, high = told(scale).about(e, tolerance)
            failures = 0
        except Undecided as error:
            failures += 1
            if failures > PATIENCE and error.finding.why is not Reason.DELTA_NOT_ENCLOSED:
                raise
            return -math.inf  # delta is as good as 0 there; what is claimed is proved below
        return _log((low + high) / 2) - _log(target) if low else -math.inf

    try:
        theorem = made(size).theorem
        guess = crossing(size, excess)
        for _ in range(8):
            below, above = guess * (1 - WIDTH / 3), guess * (1 + WIDTH / 3)
            known = told(below), told(above)
            likely = known[0].about(e, WIDTH / 100)[0] >= target >= known[1].about(e, WIDTH / 100)[1]
            fails, meets = (x.at(e, WIDTH / 100) for x in known) if likely else (None, None)
            if fails is not None and meets is not None and fails.lower >= target >= meets.upper:
                ends = Enclosed(meets.lower, meets.upper), Enclosed(fails.lower, fails.upper)
                usual = _classical(size / e, target) if generator.text == "exp(-y/2)" and 0 < e < 1 else None
                return ProfileScale(generator, size, e, target, Enclosed(below, above), *ends, usual, theorem, lemmas)
            guess = _secant(guess, excess, Fraction(1, 10**6), WIDTH / 100)
    except Undecided as error:
        raise NoScale(f"no scale is proved: {error}") from None
    raise NoScale("the smallest scale is not enclosed as narrowly as promised")


def _classical(ratio: Fraction, delta: Fraction) -> float:
    """sqrt(2 log(1.25/delta)) Delta/eps."""
    return math.exp(math.log(2 * (_log(Fraction(5, 4)) - _log(delta))) / 2 + _log(ratio))


def _log(x: Fraction) -> float:
    """log x, for an x that no float may be near to."""
    return math.log(x.numerator) - math.log(x.denominator)


def _maker(generator: Generator, size: Fraction, epsilon: Fraction) -> Callable[[Fraction], Prover]:
    """The profile for each shift; raises NoScale where a hypothesis is not proved."""
    from dpverify import prover
    from dpverify.enclosures.lowering import lower
    from dpverify.prover.problem import Problem
    from dpverify.prover.profile import Profile as Prover
    from dpverify.prover.profile import rising

    hypotheses = dict(prover.verify(generator, size).result.hypotheses.items())
    if hypotheses["positive"].status == "refuted" and hypotheses["integrable"].status == "proved":
        try:
            return _cut_short(generator, size, epsilon)
        except Undecided as error:
            raise NoScale(f"no scale is proved: {error}") from None
    name = lacking(hypotheses)
    if name is not None:
        raise NoScale(f"no scale is proved: {name} ({hypotheses[name].explanation})")
    node, may_rise = lower(generator.expression), rises(hypotheses)

    def made(shift: Fraction) -> Prover:
        problem = Problem(node, generator.dimension, shift)
        return rising(problem, None) if may_rise else Prover(problem, None, closed=True)

    return made


def _cut_short(generator: Generator, size: Fraction, epsilon: Fraction) -> Callable[[Fraction], Prover]:
    """The same for an f that is 0 from some radius on; raises Undecided where none is found."""
    from dpverify.profiles.vanishing import vanishing

    found = vanishing(generator, (size, Fraction(1)), epsilon, WIDTH / 1000, lambda step, count: None)
    hypotheses = dict(found.verified.hypotheses.items())
    name = lacking(hypotheses)
    if name is not None:
        raise NoScale(f"no scale is proved: {name} ({hypotheses[name].explanation})")
    return lambda shift: found.prover(shift, lambda step: None)


def _secant(
    guess: Fraction, excess: Callable[[Fraction, Fraction], float], reach: Fraction, accuracy: Fraction
) -> Fraction:
    """Where the line through two near scales meets the target, in few digits."""
    other = guess * (1 + reach)
    first, second = excess(guess, accuracy), excess(other, accuracy)
    if not (math.isfinite(first) and math.isfinite(second)) or first == second:
        return guess
    step = Fraction(first / (first - second)) * (other - guess)
    bits = 70 - (guess.numerator.bit_length() - guess.denominator.bit_length())
    return Fraction(round(max(guess / 2, guess + step) * 2**bits), 2**bits) if bits > 0 else guess + step
