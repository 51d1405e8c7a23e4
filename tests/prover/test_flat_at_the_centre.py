"""Generators whose slopes cancel at the centre: x/(1+x)^m with x = e^-u falls in u wherever 1 + x > m x, so everywhere
for m <= 2, and rises at first for m > 2."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpverify import verify

U = "(sqrt(1+y)-1)"


def logistic(u: str, m: str) -> str:
    return f"exp(-{u})*(1+exp(-{u}))**(-({m}))"


@pytest.mark.slow
@pytest.mark.parametrize("shift", ["1", "1/3"])
def test_a_logistic_of_the_square_of_the_radius_falls(shift: str) -> None:
    """g = u + 2 log(1 + e^-u) has the slope tanh(u/2) r/sqrt(1 + y), which tends to 1 from below."""
    result = verify(logistic(U, "2"), dimension=3, sensitivity=shift, replay=True)
    assert result.verdict == "private" and result.theorem.startswith("Theorem 3")
    assert result.hypotheses.decreasing.status == "proved"
    assert result.epsilon is not None
    assert result.epsilon.lower <= Fraction(shift) <= result.epsilon.upper < Fraction(shift) + Fraction(1, 10**8)


@pytest.mark.slow
@pytest.mark.parametrize("m", ["3", "2000001/1000000"])
def test_one_that_rises_at_the_centre_does_not_fall(m: str) -> None:
    result = verify(logistic("y", m), dimension=3)
    assert result.hypotheses.decreasing.status != "proved"
