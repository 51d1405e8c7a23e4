"""Generators whose slopes cancel at the centre: x/(1+x)^m with x = e^-u falls in u wherever 1 + x > m x, so everywhere
for m <= 2, and rises at first for m > 2."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb

from dpverify import Generator, verify
from dpverify.enclosures import exact
from dpverify.enclosures.lowering import lower
from dpverify.prover.centre import series_of

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


CANCELLING: dict[str, Callable[[Any], Any]] = {
    "(r*coth(r)-1)/y*exp(-r)": lambda r: (r * mpmath.coth(r) - 1) / r**2 * mpmath.exp(-r),
    "(r-tanh(r))/r**3": lambda r: (r - mpmath.tanh(r)) / r**3,
    "((1+r)*log(1+r)-r)/y*exp(-r)": lambda r: ((1 + r) * mpmath.log(1 + r) - r) / r**2 * mpmath.exp(-r),
}


@pytest.mark.parametrize("text", CANCELLING)
def test_a_series_reaches_to_where_boxes_need_not_be_tiny(text: str) -> None:
    """Beyond 1/4 what cancels to r^2/3 loses less than a digit or two of the slopes."""
    series = series_of(lower(Generator(text).expression))
    assert series is not None and series.reach >= Fraction(1, 4)
    with mpmath.workdps(30):
        for r in (Fraction(1, 1000), Fraction(1, 16), series.reach):
            at, truth = series.at(arb(exact(r))), mpmath.log(CANCELLING[text](mpmath.mpf(r.numerator) / r.denominator))
            assert float(at.rad()) < 1e-8
            assert abs(mpmath.mpf(at.mid().str(30, radius=False)) - truth) <= float(at.rad()) + 1e-25
