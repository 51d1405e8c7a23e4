"""What had been open, or wide, for a detour of the search: against closed forms and plain searches."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import verify
from tests.kernel.plain import number

MILLIONTH = "1/1000000"
CASES: list[tuple[str, int, str, Callable[[Any], Any]]] = [
    (
        "exp(-(2*r+Abs(r-20)/2))*(1-tanh(3*r))",
        10,
        "1/1000",
        lambda r: 2 * r + abs(r - 20) / 2 + mpmath.log1p(mpmath.exp(6 * r)),
    ),
    ("exp(-r)*(1-r/(1+r))**5", 5, MILLIONTH, lambda r: r + 5 * mpmath.log1p(r)),
    (
        "exp(-expm1(log1p(2*r/7)/2))*(2-exp(-r))",
        2,
        "1",
        lambda r: mpmath.sqrt(1 + 2 * r / 7) - mpmath.log(2 - mpmath.exp(-r)),
    ),
    ("exp(-floor(r))*(3+sign(r-20))", 1, "1/2", lambda r: mpmath.floor(r) - mpmath.log(4 if r >= 20 else 2)),
    ("exp(-r)*(1+tanh(5*(r-3))/2)", 5, "1", lambda r: r - mpmath.log(1 + mpmath.tanh(5 * (r - 3)) / 2)),
    (
        "exp(-(r*erf(r/2)))+(7/2)*exp(-(ceil(7*r/2)))",
        20,
        "1",
        lambda r: -mpmath.log(mpmath.exp(-r * mpmath.erf(r / 2)) + 3.5 * mpmath.exp(-mpmath.ceil(3.5 * r))),
    ),
    ("exp(-r)*(2+cos(3*r))", 2, MILLIONTH, lambda r: r - mpmath.log(2 + mpmath.cos(3 * r))),
]
BESIDE = [Fraction(k, 7) * 2 + s for k in range(-1, 40) for s in (Fraction(-1, 10**9), Fraction(1, 10**9))]
NEAR = [Fraction(k) + s for k in range(1, 60) for s in (Fraction(-1, 10**9), Fraction(1, 10**9))]
RADII = [Fraction(1, 10**9), *(Fraction(k, 100) for k in range(1, 2500)), *NEAR, *BESIDE, Fraction(10**4)]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "d", "shift", "potential"), CASES, ids=[case[0] for case in CASES])
def test_epsilon_is_the_largest_loss_that_a_search_finds(
    text: str, d: int, shift: str, potential: Callable[[Any], Any]
) -> None:
    result = verify(text, dimension=d, sensitivity=shift)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None and result.certificate is not None
    with mpmath.workdps(30):
        delta, heights = number(Fraction(shift)), {}
        for r in (r for r in RADII if r > 0):
            heights[r] = potential(number(r))
        ahead = [
            (r, potential(number(r) + h)) for r in heights for h in (delta, delta / 2, mpmath.mpf("2e-9")) if h <= delta
        ]
        found = max(abs(there - heights[r]) for r, there in ahead)
        assert found <= number(result.epsilon.upper) * (1 + mpmath.mpf("1e-20"))
        assert number(result.epsilon.lower) <= found * (1 + mpmath.mpf("1e-3"))
        assert result.epsilon.upper <= result.epsilon.lower * (1 + Fraction(1, 10**6))


def test_the_centre_where_a_power_of_a_logarithm_vanishes_is_a_zero() -> None:
    assert verify("exp(-r)*expm1(log1p(2*r/7)/2)*(2-frac(r))", dimension=2).verdict == "not_private"
