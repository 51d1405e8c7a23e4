"""What falls as an exponential of an exponential, beside what falls more slowly: epsilon beside mpmath's own search."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import check, verify

M = mpmath

CASES: list[tuple[str, Any, int, Fraction, str]] = [
    ("exp(-r)+exp(-2**r)", lambda r: M.exp(-r) + M.exp(-(M.mpf(2) ** r)), 1, Fraction(1), "4"),
    ("exp(-r)+exp(-2**r)", lambda r: M.exp(-r) + M.exp(-(M.mpf(2) ** r)), 1, Fraction(1, 100), "4"),
    ("exp(-r)+exp(-exp(r))", lambda r: M.exp(-r) + M.exp(-M.exp(r)), 3, Fraction(10), "4"),
    ("1/(1+y)**2+exp(-exp(y))", lambda r: (1 + r * r) ** -2 + M.exp(-M.exp(r * r)), 2, Fraction(1), "3"),
    (
        "exp(-sqrt(r))+exp(-exp(sqrt(r)))",
        lambda r: M.exp(-M.sqrt(r)) + M.exp(-M.exp(M.sqrt(r))),
        3,
        Fraction(1),
        "3",
    ),
]


def largest(f: Any, delta: Any, end: Any) -> Any:
    """The largest log f(r) - log f(r + delta) of r in [0, end], by ever finer grids."""

    def loss(r: Any) -> Any:
        return M.log(f(r)) - M.log(f(r + delta))

    low, high = M.mpf(0), end
    for _ in range(20):
        points = [low + (high - low) * k / 60 for k in range(61)]
        best = max(range(61), key=lambda k: loss(points[k]))
        low, high = points[max(0, best - 1)], points[min(60, best + 1)]
    return loss((low + high) / 2)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "f", "dimension", "delta", "end"), CASES)
def test_the_exact_epsilon(text: str, f: Any, dimension: int, delta: Fraction, end: str) -> None:
    result = verify(text, dimension=dimension, sensitivity=delta)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None and result.certificate is not None and check(result.certificate).accepted
    with M.workdps(40):
        truth = largest(f, M.mpf(delta.numerator) / delta.denominator, M.mpf(end))
        lower, upper = (M.mpf(x.numerator) / x.denominator for x in (result.epsilon.lower, result.epsilon.upper))
        assert lower - M.mpf(10) ** -12 <= truth <= upper + M.mpf(10) ** -12
        assert upper - lower <= truth * M.mpf(10) ** -9


@pytest.mark.slow
def test_what_falls_so_fast_alone_is_private_for_no_epsilon() -> None:
    """log f = -2^r: the loss is 2^r."""
    assert verify("exp(-2**r)").verdict == "not_private"
