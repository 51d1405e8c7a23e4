"""K382: roots of models that may be 0 again and again."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.models import CONSTANT, LOG_LOG_T, LOG_T, SCALES, Germ, Model, germ, power_of_t
from dpverify.kernel.sections.roots import power_of, root_of_bounded

GERM = germ(Fraction(16), 3)
ZERO_TO_TWO = Interval(interval(0).lo, interval(2).hi)


def test_the_root_of_what_lies_between_0_and_2_lies_between_0_and_its_root() -> None:
    found = root_of_bounded(Model(GERM, {power_of_t(2): ZERO_TO_TWO}), Fraction(1, 3))
    ((m, c),) = found.terms.items()
    assert m == power_of_t(Fraction(2, 3))
    assert c.lo == 0
    assert 2 ** (1 / 3) <= float(c.hi) < 1.26


@pytest.mark.parametrize("p", [Fraction(-1, 2), Fraction(-1)])
def test_no_inverse_of_what_may_be_0(p: Fraction) -> None:
    with pytest.raises(Rejected):
        power_of(Model(GERM, {CONSTANT: ZERO_TO_TWO}), p)


def test_no_root_of_what_may_be_negative_nor_beside_another_term() -> None:
    below = Interval(interval(-1).lo, interval(2).hi)
    with pytest.raises(Rejected):
        power_of(Model(GERM, {CONSTANT: below}), Fraction(1, 2))
    with pytest.raises(Rejected):
        power_of(Model(GERM, {CONSTANT: ZERO_TO_TWO, power_of_t(-1): interval(-1)}), Fraction(1, 2))


NEAR_E = "2.7182818284590452353602874713526624977572470936999595749669676277240766"
"""From below, so that the logarithm of its logarithm is negative, by less than is seen with 60 digits."""


@pytest.mark.parametrize(
    ("radius", "monomial", "positive"),
    [
        ("2", power_of_t(2), True),
        ("2", LOG_T, True),
        ("2", LOG_LOG_T, False),
        ("2", SCALES[2], False),
        (NEAR_E, LOG_LOG_T, False),
        ("3", LOG_LOG_T, True),
        ("3", SCALES[2], False),
        ("16", SCALES[2], True),
    ],
)
def test_iterated_logarithms_are_positive_or_have_no_root(radius: str, monomial: Any, positive: bool) -> None:
    u = Model(Germ(Fraction(radius), 3), {monomial: ZERO_TO_TWO})
    if positive:
        assert next(iter(power_of(u, Fraction(1, 2)).terms)) == tuple(Fraction(x) / 2 for x in monomial)
    else:
        with pytest.raises(Rejected, match="radius is too small"):
            power_of(u, Fraction(1, 2))


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(2, 3), Fraction(1, 5)])
def test_a_root_is_rounded_up(p: Fraction) -> None:
    found = root_of_bounded(Model(GERM, {CONSTANT: ZERO_TO_TWO}), p).terms[CONSTANT]
    assert isinstance(found, Interval)
    assert Fraction(found.hi) ** p.denominator > 2**p.numerator
