"""Where an excess crosses 0: of functions whose crossing is known, and in how many probes."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from dpverify.enclosures import Undecided
from dpverify.profiles.crossing import crossing

SHAPES: dict[str, tuple[Callable[[float], float], float]] = {
    "a power": (lambda s: -3 * math.log(s / 5), 5),
    "a power, far": (lambda s: -0.3 * math.log(s * 1000), 1 / 1000),
    "a tail": (lambda s: 7 - s * s, math.sqrt(7)),
    "nothing from 2 on": (lambda s: 4 * math.log(2 / s - 1) + 20 if s < 2 else -math.inf, 2 / (1 + math.exp(-5))),
    "almost flat": (lambda s: -math.tanh(math.log(s)) if s < 1e4 else -5, 1),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_crossing_is_found_by_few_probes(shape: str) -> None:
    excess, exact = SHAPES[shape]
    asked = []

    def probed(scale: Fraction, tolerance: Fraction) -> float:
        asked.append(tolerance)
        return excess(float(scale))

    found = crossing(Fraction(1), probed)
    assert abs(float(found) / exact - 1) < 1e-10
    assert len(asked) <= 26 and sum(tolerance < Fraction(1, 10**8) for tolerance in asked) <= 4


def test_a_crossing_that_is_not_there() -> None:
    with pytest.raises(Undecided):
        crossing(Fraction(1), lambda scale, tolerance: 1.0)
    with pytest.raises(Undecided):
        crossing(Fraction(1), lambda scale, tolerance: -math.inf)
