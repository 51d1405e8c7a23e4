"""The verifier's own answer at a rational point, and whether a formula agrees with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.enclosures import Ball, Evaluation, Undecided, exact, precision
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.generators import ClosedForm, Generator
from dpverify.language import parse, substitute
from dpverify.prover.closed_form import evaluate
from dpverify.results import Epsilon, Result, Verdict
from dpverify.symbolic.points import Point

RELATIVE, WIDE = Fraction(1, 10**11), Fraction(1, 10**7)
SECONDS = 5.0
BITS = 300


Prove = Callable[[Generator, Fraction, Fraction, Fraction, Callable[[str, int], None]], Result]
"""From a generator, Delta, sigma, the width asked of the enclosure and a callback to a proved result."""
Replay = Callable[[Result], Result]
"""The result as far as the kernel replays its proof: else undecided."""


class TooLong(Exception):
    """A proof was not done in time."""


@dataclass(frozen=True)
class Instance:
    """What is proved at one point: the verdict, and epsilon's enclosure where private."""

    point: Point
    verdict: Verdict
    epsilon: Epsilon | None

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        bounds = {"lower": str(self.epsilon.lower), "upper": str(self.epsilon.upper)} if self.epsilon else None
        return {
            "parameters": {n: str(v) for n, v in self.point.parameters},
            "dimension": self.point.dimension,
            "delta": str(self.point.delta),
            "verdict": self.verdict,
            "epsilon": bounds,
        }


def instance(text: str, point: Point, prove: Prove, replay: Replay) -> Instance:
    """Prove the instance, narrowly relative to epsilon, and have the kernel replay the proof; or "undecided"."""
    try:
        generator = Generator(text, point.dimension, dict(point.parameters))
        result = replay(narrow(generator, point.delta, Fraction(1), prove))
    except (TooLong, InputError):
        return Instance(point, "undecided", None)
    return Instance(point, result.verdict, result.epsilon)


def narrow(generator: Generator, sensitivity: Fraction, scale: Fraction, prove: Prove) -> Result:
    """The verifier's result with an enclosure of relative width about 1e-11, where it can be had.

    Raises TooLong after some seconds of the processor's, so that what is found does not depend on how busy it is.
    """
    end = time.process_time() + SECONDS

    def progress(step: str, count: int) -> None:
        if time.process_time() > end:
            raise TooLong

    result = prove(generator, sensitivity, scale, RELATIVE, progress)
    if result.epsilon is not None and 0 < result.epsilon.upper < Fraction(1, 10):
        scaled = Fraction(1, 10 ** (12 + len(str(int(1 / result.epsilon.upper)))))
        result = prove(generator, sensitivity, scale, scaled, progress)
    return result


def is_narrow(epsilon: Epsilon, derived: bool = False) -> bool:
    """Narrow enough for a nearby wrong formula to be told from the right one.

    A formula whose place follows by exact algebra is not picked among many by its value, so that a
    wider enclosure, such as an oscillating tail leaves, confirms it.
    """
    width = WIDE if derived else 10 * RELATIVE
    return epsilon.upper - epsilon.lower <= width * epsilon.upper


def agrees(formula: str, text: str, proved: Instance) -> bool:
    """Whether the formula's value is proved to lie in the instance's enclosure.

    Up to 2^-200 of it: that a value meets an end of the enclosure exactly, as 1 does where a loss is
    constant, no ball can show.
    """
    assert proved.epsilon is not None
    point = proved.point
    try:
        generator = Generator(text, point.dimension, dict(point.parameters))
        with precision(BITS):
            value = evaluate(ClosedForm(formula, ""), generator, point.delta)
            low, high = exact(proved.epsilon.lower), exact(proved.epsilon.upper)
            slack = arb(2) ** -200 * high
            return bool(value >= low - slack and value <= high + slack)
    except (InputError, Undecided):
        return False


def holds(conditions: Iterable[tuple[str, str, str]], point: Point) -> bool:
    """Whether every condition (left, operator, right) is proved to hold at the point."""
    return all(_holds(*c, point) for c in conditions)


def _holds(left: str, operator: str, right: str, point: Point) -> bool:
    try:
        with precision(BITS):
            gap = _value(f"({left}) - ({right})", point) * (-1 if operator[0] == "<" else 1)
            if operator == "==":
                return bool(gap == 0)
            return bool(gap >= 0) if operator.endswith("=") else bool(gap > 0)
    except (Undecided, InputError):
        return False


def _value(text: str, point: Point) -> arb:
    return Evaluation(Ball(arb(0))).value(lower(substitute(parse(text), point.names))).x
