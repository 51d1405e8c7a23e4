"""Rates, exponents and factors that are irrational and known exactly: verdicts and epsilons by hand."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from dpverify import check, verify
from tests.kernel.plain import number

SLOWER = pytest.mark.campaign


# A mixture e^(-k |r - 3|) + e^(-k (r + 3)) is a multiple of e^(-k r) from 3 on and steeper nowhere, so that
# epsilon is k delta; r^p, p < 1, is concave with the loss delta^p at 0; (1 + r)^-p has the loss p log(1 + delta) there.
@pytest.mark.parametrize(
    ("text", "d", "delta", "epsilon"),
    [
        pytest.param("exp(-sqrt(2)*Abs(r-3))+exp(-sqrt(2)*(r+3))", 1, "1", lambda h: mpmath.sqrt(2) * h, marks=SLOWER),
        pytest.param("2**(-Abs(r-3))+2**(-r-3)", 3, "5", lambda h: mpmath.log(2) * h, marks=SLOWER),
        pytest.param("exp(-pi*Abs(r-3))+exp(-pi*(r+3))", 1, "1/10", lambda h: mpmath.pi * h, marks=SLOWER),
        pytest.param(
            "exp(-2*sqrt(2)*Abs(r-3))+exp(-sqrt(8)*(r+3))", 2, "1", lambda h: mpmath.sqrt(8) * h, marks=SLOWER
        ),
        ("exp(-r**(1/sqrt(2)))", 10, "1/100", lambda h: h ** (1 / mpmath.sqrt(2))),
        ("exp(-r**log(2))", 1, "3", lambda h: h ** mpmath.log(2)),
        ("(1+r)**(-e)", 2, "1", lambda h: mpmath.e * mpmath.log(1 + h)),
    ],
)
def test_epsilon_is_as_by_hand(text: str, d: int, delta: str, epsilon: object) -> None:
    result = verify(text, dimension=d, sensitivity=delta)
    assert result.verdict == "private" and result.epsilon is not None and result.certificate is not None
    truth = epsilon(number(Fraction(delta)))  # type: ignore[operator]
    low, high = number(result.epsilon.lower), number(result.epsilon.upper)
    slack = mpmath.mpf(10) ** -13 * truth
    assert low - slack <= truth <= high + slack and high - low < truth / 10**9
    assert check(result.certificate).accepted


@pytest.mark.parametrize(
    ("text", "d", "verdict"),
    [
        ("exp(-r**sqrt(2))", 1, "not_private"),  # steeper than every exponential
        ("(1+r)**(-sqrt(2))", 1, "private"),
        ("(1+r)**(-sqrt(2))", 2, "invalid"),  # r^(1 - sqrt(2)) is not integrable
        ("r**(-sqrt(2)/2)*exp(-r)", 1, "not_private"),  # a pole that is integrable
        ("r**(-sqrt(2))*exp(-r)", 1, "invalid"),  # and one that is not
        ("exp(-sqrt(2)*r)*2**(r/2)", 1, "private"),
        ("exp(-log(2)*r)*2**r", 1, "invalid"),  # 1
    ],
)
def test_verdicts(text: str, d: int, verdict: str) -> None:
    assert verify(text, dimension=d, tolerance="1/4").verdict == verdict
