"""Teeth of periods that are no fractions, alone and together: the largest loss by hand, from one-sided limits."""

from __future__ import annotations

from fractions import Fraction as Q
from math import log, pi, sqrt

import pytest

import dpverify

CASES = [
    # just before a tooth falls theta is 2 - sqrt(2), a shift of 1 later it is 0
    pytest.param("exp(-r)*(2+frac(sqrt(2)*r))", 1, "1", 1 + log(2 - sqrt(2) / 2), marks=pytest.mark.campaign),
    ("exp(-r)*(2+frac(sqrt(2)*r))", 10, "1/3", 1 / 3 + log((3 - sqrt(2) / 3) / 2)),
    ("exp(-r)*(2+frac(sqrt(2)*r))", 3, "5/2", 5 / 2 + log((6 - sqrt(2) * 5 / 2) / 2)),
    # the whole period fits: down from 1 to 0
    pytest.param("(1+frac(sqrt(2)*r)/2)**5*exp(-r)", 1, "1", sqrt(1 / 2) + 5 * log(3 / 2), marks=pytest.mark.campaign),
    # a tooth that falls: theta rises to 1 as f does
    pytest.param(
        "exp(-r/2)*(3-frac(r/sqrt(3)))", 1, "1", 1 / 2 + log((2 + 1 / sqrt(3)) / 2), marks=pytest.mark.campaign
    ),
    ("exp(-r/2)*(3-frac(r/sqrt(3)))", 3, "5/2", 5 / 4 + log((2 + 5 / 2 / sqrt(3) - 1) / 2)),
    # three periods of 1/pi, and down from 1 to 0
    pytest.param("exp(-r)*(2+frac(pi*r))", 1, "1", 3 / pi + log(3 / 2), marks=pytest.mark.campaign),
    # after a shift of 1 the phase of the first tooth is the same, about 0
    pytest.param("exp(-r)*(2+frac(r)+frac(sqrt(2)*r))", 1, "1", 1 + log(2 - sqrt(2) / 2), marks=pytest.mark.campaign),
]


@pytest.mark.parametrize(("text", "d", "sensitivity", "truth"), CASES)
def test_epsilon_of_teeth(text: str, d: int, sensitivity: str, truth: float) -> None:
    result = dpverify.verify(text, dimension=d, sensitivity=sensitivity, tolerance="1/10000")
    assert result.verdict == "private" and result.epsilon is not None
    low, high = result.epsilon.lower, result.epsilon.upper
    assert float(low) - 1e-12 <= truth <= float(high) + 1e-12
    assert high - low <= Q(3, 10_000) * high


def test_steps_that_rise_are_bounded_as_before() -> None:
    """1 + floor(sqrt(2) r) doubles at its first step, and log 2 < 1: the loss of exp(-r) is the largest."""
    epsilon = dpverify.verify("exp(-r)*(1+floor(sqrt(2)*r))").epsilon
    assert epsilon is not None and epsilon.lower <= 1 <= epsilon.upper < 1 + Q(1, 10**6)
