"""Several frequencies in one tail beside a plain search, and steps whose epsilon is known."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpverify import check, verify


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    "text",
    ["exp(-2*r)*(3+cos(r)+cos(3*r))", "exp(-2*r)*(3+cos(r)+sin(2*r))"],
)
def test_commensurable_frequencies(text: str) -> None:
    """f falls; log f(r^2) - log f((r + 1)^2) has the period 2 pi, but for its constant."""
    result = verify(text, tolerance="1/10000")
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    r = np.linspace(0, 2 * np.pi, 2_000_001)
    names = {"exp": np.exp, "cos": np.cos, "sin": np.sin}
    ahead = r + 1
    here, there = (eval(text, {"__builtins__": {}}, {**names, "r": at}) for at in (r, ahead))
    top = float(np.max(np.log(here / there)))
    assert float(result.epsilon.lower) - 1e-9 <= top <= float(result.epsilon.upper)
    assert result.epsilon.upper - result.epsilon.lower < Fraction(1, 1000)
    assert check(result.certificate or {}).accepted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "epsilon"),
    [
        ("exp(-floor(sqrt(r)))", Fraction(1)),  # a shift of 1 leads over one square at most
        ("exp(-r/10+floor(r)/20)", Fraction(1, 10)),  # within a step, and across one only 1/20 less
    ],
)
def test_steps_are_enclosed_as_narrowly_as_asked(text: str, epsilon: Fraction) -> None:
    result = verify(text)
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    assert result.epsilon.lower <= epsilon <= result.epsilon.upper
    assert result.epsilon.upper - result.epsilon.lower <= Fraction(11, 10**12)
    assert "more than was asked" not in result.reason
    certificate = check(result.certificate or {})
    assert certificate.accepted and certificate.claim is not None
    assert certificate.claim["epsilon"]["upper"] == str(result.epsilon.upper)
