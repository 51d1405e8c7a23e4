"""Formulas joined and cut off by indicators in a sum: the largest loss, found by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import check, verify

M = mpmath

HUBER = "Heaviside(1-r)*exp(-y/2)+Heaviside(r-1)*exp(1/2-r)"
CUT = "Heaviside(5-r)*exp(-r)+exp(-2*r)"
CASES: list[tuple[str, int, Fraction, Any]] = [
    ("Heaviside(1-r)*(2-r)+Heaviside(r-1)*exp(1-r)", 1, Fraction(1), lambda: M.mpf(1)),
    ("Min(1,2-r)*Heaviside(1-r)+Heaviside(r-1)*exp(1-r)", 1, Fraction(1), lambda: M.mpf(1)),
    (HUBER, 1, Fraction(1), lambda: M.mpf(1)),
    (HUBER, 3, Fraction(10), lambda: M.mpf(10)),
    (HUBER, 2, Fraction(1, 100), lambda: M.mpf("0.01")),
    (CUT, 1, Fraction(1), lambda: 7 + M.log(1 + M.exp(-5))),
    (CUT, 3, Fraction(1, 100), lambda: M.mpf("5.02") + M.log(1 + M.exp(-5))),
    ("Heaviside(3-r)/(1+y)+Heaviside(r-3)*exp(-r)", 1, Fraction(1), lambda: 4 - M.log(10)),
    ("(1+sign(2-r))*exp(-r)/2+exp(-3*r)", 1, Fraction(1), lambda: 7 + M.log(1 + M.exp(-4))),
    (
        "exp(-r)*(2+sign(1-r))+exp(-2*r)*(3+sign(r-1))",
        1,
        Fraction(1),
        lambda: M.log((3 * M.exp(-1) + 2 * M.exp(-2)) / (M.exp(-2) + 4 * M.exp(-4))),
    ),
    ("Heaviside(1-r)+Heaviside(r-1)*Heaviside(2-r)/2+Heaviside(r-2)*exp(2-r)/4", 1, Fraction(1), lambda: 1 + M.log(2)),
    ("exp(-r)+Piecewise((exp(-y),r<2),(0,True))", 1, Fraction(1), lambda: 1 + M.log(2)),
]
"""The first five have slopes of g up to 1, kept up; of the others the largest loss begins just before the cut, but
for the last: from r on, 1 < r < 2, f = e^-r (1 + e^(r - r^2)) falls to e^-(r + 1)."""


@pytest.mark.slow
@pytest.mark.parametrize(("text", "dimension", "delta", "truth"), CASES)
def test_the_exact_epsilon(text: str, dimension: int, delta: Fraction, truth: Any) -> None:
    result = verify(text, dimension=dimension, sensitivity=delta)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None and result.certificate is not None and check(result.certificate).accepted
    with M.workdps(30):
        loss = truth()
        lower, upper = (M.mpf(x.numerator) / x.denominator for x in (result.epsilon.lower, result.epsilon.upper))
        assert lower - M.mpf(10) ** -12 <= loss <= upper + M.mpf(10) ** -12
        assert upper - lower <= loss * M.mpf(10) ** -9


@pytest.mark.slow
def test_what_is_cut_off_altogether_is_private_for_no_epsilon() -> None:
    assert verify("Heaviside(5-r)*exp(-r)+Heaviside(r-5)*0").verdict == "not_private"
    assert verify("Heaviside(2-r)*exp(-r)+Heaviside(r-3)*exp(-r)").verdict == "not_private"
    assert verify("Heaviside(2-r)*exp(-r)-Heaviside(r-3)*exp(-r)").verdict == "invalid"
