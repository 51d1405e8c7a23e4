"""g with corners, joints and vertical tangents, and arguments with roots in them, beside losses in closed form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import verify

SQRT = mpmath.sqrt
# The text, d, delta, the largest loss, and how narrow its enclosure has to be, relative to it.
PRIVATE: dict[str, tuple[str, int, str, Any, Any]] = {
    # g(2) - g(1) = g(0) - g(1) = 1: a root is subadditive, so no other pair differs by more.
    "a root of a modulus": ("exp(-sqrt(Abs(r-1)))", 1, "1", 1, "1e-8"),
    "a short shift of it": ("exp(-sqrt(Abs(r-1)))", 2, "1/100", mpmath.mpf(1) / 10, "1e-8"),
    "a cube root beside a line": ("exp(-Abs(r-1)**(1/3)-r)", 1, "1", 2, "1e-8"),
    # The slope of (r - 1)^(3/2) rises: at most 1 + (d/dr) of it, yet 1 + r divides it; from 1 to 0.
    "a power above 1": ("exp(-Abs(r-1)**(3/2)/(1+r))", 1, "1", 1, "1e-8"),
    "a root that begins at a radius": ("exp(-sqrt(Max(r-2,0)))", 3, "1", 1, "1e-8"),
    "the same of y": ("exp(-sqrt(Max(y-1,0)))", 1, "1", SQRT(3), "1e-8"),
    "the same beside a line": ("exp(-sqrt(Max(r-2,0))-r)", 1, "1", 2, "1e-8"),
    # f is 1 - r/2, then e^(1-r)/2: the slopes of g are 1/(2-r) up to 1, and 1.
    "a joint at which log f is no decimal": ("Piecewise((1-r/2, r < 1), (exp(1-r)/2, True))", 1, "1", 1, 0),
    "a joint at which f is none": ("Piecewise((1/3, r < 3), (exp(3-r)/3, True))", 2, "5/2", Fraction(5, 2), 0),
    "a joint at an irrational height": ("Piecewise((sqrt(2)/3, r < 1), (sqrt(2)/3*exp(1-r), True))", 1, "1", 1, "1e-8"),
    # g = sqrt(2) r - log erfcx(r/sqrt(2) + 1), concave: the loss at r = 0.
    "a Mills ratio": (
        "exp(y/2)*erfc(r/sqrt(2)+1)",
        1,
        "1",
        mpmath.log(mpmath.erfc(1)) - mpmath.mpf(1) / 2 - mpmath.log(mpmath.erfc(1 / SQRT(2) + 1)),
        "1e-8",
    ),
    "a Mills ratio over a power": (
        "exp(y/2)*erfc(r/sqrt(2))/(1+r)",
        1,
        "1",
        mpmath.log(2) - mpmath.mpf(1) / 2 - mpmath.log(mpmath.erfc(1 / SQRT(2))),
        "1e-8",
    ),
    "the same of another root": (
        "exp(3*y)*erfc(sqrt(3)*r)*exp(-r)",
        3,
        "2",
        2 - 12 - mpmath.log(mpmath.erfc(2 * SQRT(3))),
        "1e-8",
    ),
}


@pytest.mark.slow
@pytest.mark.swept(stay=5)
@pytest.mark.parametrize("name", PRIVATE)
def test_the_largest_loss(name: str) -> None:
    text, d, delta, truth, width = PRIVATE[name]
    result = verify(text, dimension=d, sensitivity=delta)
    assert result.verdict == "private", result.reason
    epsilon = result.epsilon
    assert epsilon is not None
    if not width:
        assert epsilon.lower == epsilon.upper == truth
        return
    with mpmath.workdps(40):
        low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (epsilon.lower, epsilon.upper))
        assert low <= truth + mpmath.mpf(10) ** -12
        assert truth - mpmath.mpf(10) ** -12 <= high
        assert high - low <= mpmath.mpf(width) * truth


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("exp(y/2)*erfc(r/sqrt(2))", "invalid"),  # about 1/r
        ("exp(y/2-1/r)*erfc(r/sqrt(2))/(1+y)", "not_private"),
        ("exp(y/3)*erfc(r/sqrt(2))", "not_private"),  # about e^(-r^2/6)
        ("exp(-r)*sqrt(Abs(r-1))", "not_private"),
        ("exp(-r)*Abs(r-1)**(-1/2)", "not_private"),
    ],
)
def test_beside_them_nothing_is_private(text: str, verdict: str) -> None:
    assert verify(text).verdict == verdict
