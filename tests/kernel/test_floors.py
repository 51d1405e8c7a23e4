"""Floors of models, their slopes and their increments."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from dpverify.kernel.intervals import D0, Interval
from dpverify.kernel.sections.floors import floor, narrowed, whole
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Germ, Model, power_of_t
from dpverify.kernel.sections.phases import Phase, on_phase
from dpverify.kernel.sections.slopes import Slope

END = Germ(Fraction(16), 3)
HALF, BELOW = Fraction(1, 2), power_of_t(-1)


def span(low: str, high: str) -> Interval:
    return Interval(Decimal(low), Decimal(high))


def phases(low: str, high: str) -> Germ:
    return on_phase(END, Phase(True, Fraction(1), Fraction(low), Fraction(high)))


@pytest.mark.parametrize(
    ("germ", "terms", "low", "high"),
    [
        (END, {CONSTANT: span("0.5", "0.75"), BELOW: -1}, 0, 0),
        (END, {CONSTANT: span("0.5", "1"), BELOW: -1}, 0, 1),
        (END, {CONSTANT: 2, BELOW: -1}, 1, 1),
        (END, {CONSTANT: 2, BELOW: 1}, 2, 2),
        (phases("0", "19/10"), {LINEAR: 1, CONSTANT: HALF, BELOW: -1}, 0, 2),
        (phases("0", "3/2"), {LINEAR: 1, CONSTANT: HALF, BELOW: -1}, 0, 1),
        (phases("0", "3/2"), {LINEAR: 1, CONSTANT: -3, BELOW: -1}, -4, -2),
        (phases("0", "1"), {LINEAR: 1, CONSTANT: 3, BELOW: -1}, 2, 3),
    ],
)
def test_the_integers_that_a_floor_can_be(germ: Germ, terms: Any, low: int, high: int) -> None:
    """n + c - 1/t lies below n + c, and comes near it: every integer told is one, and no other."""
    found = whole(Model(germ, {m: c if isinstance(c, Interval) else Fraction(c) for m, c in terms.items()}))
    assert found is not None
    assert (found.lo, found.hi) == (Decimal(low), Decimal(high))


def model(constant: Fraction | int, slope: int = 0) -> Model:
    return Model(END, {LINEAR: Fraction(slope), CONSTANT: Fraction(constant)})


@pytest.mark.parametrize(
    ("u", "du", "slopes"),
    [
        (span("0", "3"), span("0.5", "0.5"), ("0", "Infinity")),
        (span("0", "3"), span("0", "0.5"), ("0", "Infinity")),
        (span("0", "3"), span("-0.5", "0"), ("-Infinity", "0")),
        (span("0", "3"), span("0", "0"), ("0", "0")),
        (span("0", "3"), span("-1", "1"), ("-Infinity", "Infinity")),
        (span("0.5", "0.75"), span("-1", "1"), ("0", "0")),
    ],
)
def test_slopes_of_floors(u: Interval, du: Interval, slopes: tuple[str, str]) -> None:
    found = floor(Slope(u, du)).du
    assert (found.lo, found.hi) == tuple(map(Decimal, slopes))


def test_increments_of_floors_far_out() -> None:
    """Exact where both sides are known; what grows differs from its floor by less than 1."""
    steps = floor(Shift(model(HALF), model(Fraction(3, 4)))).du.span()
    assert steps.lo == steps.hi == 1
    for u, du in ((model(HALF), model(HALF, 1)), (model(HALF, 1), model(HALF, -1))):
        rest = (floor(Shift(u, du)).du + -du).span()
        assert (rest.lo, rest.hi) == (-1, 1)


def test_only_steps_over_intervals_are_narrowed() -> None:
    one = model(1)
    assert narrowed(one, one) is one
    assert narrowed(Slope(one, one), Slope(one, one)).du is one
    assert narrowed(span("0", "2"), span("0.5", "0.5")).hi == 1
    assert narrowed(Slope(span("0", "2"), span("0", "9")), Slope(span("1", "1"), span("0", "0"))).du.hi == D0
