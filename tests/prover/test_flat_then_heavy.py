"""What is flat at the centre as 1 - e^(-1/r^k) is, with a heavy tail: epsilon beside mpmath's own search."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import check, verify
from tests.prover.test_double_exponentials import largest

M = mpmath

CASES: list[tuple[str, Any, int, Fraction]] = [
    ("1-exp(-1/y)", lambda r: -M.expm1(-1 / r**2), 1, Fraction(1)),
    ("1-exp(-1/r**2)", lambda r: -M.expm1(-1 / r**2), 1, Fraction(1, 100)),
    ("1-exp(-1/r**4)", lambda r: -M.expm1(-1 / r**4), 3, Fraction(1)),
    ("tanh(1/y)", lambda r: M.tanh(1 / r**2), 1, Fraction(1)),
    ("1-exp(-1/y)+exp(-r)", lambda r: M.exp(-r) - M.expm1(-1 / r**2), 1, Fraction(1)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "f", "dimension", "delta"), CASES)
def test_the_exact_epsilon(text: str, f: Any, dimension: int, delta: Fraction) -> None:
    result = verify(text, dimension=dimension, sensitivity=delta)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None and result.certificate is not None and check(result.certificate).accepted
    with M.workdps(40):
        truth = largest(lambda r: f(r + M.mpf(10) ** -20), M.mpf(delta.numerator) / delta.denominator, M.mpf(4))
        lower, upper = (M.mpf(x.numerator) / x.denominator for x in (result.epsilon.lower, result.epsilon.upper))
        assert lower - M.mpf(10) ** -12 <= truth <= upper + M.mpf(10) ** -12
        assert upper - lower <= truth * M.mpf(10) ** -9
