"""Sums of chirps, lines and decaying waves, beside a plain search over radii and shifts."""

from __future__ import annotations

import numpy as np
import pytest

from dpverify import verify


@pytest.mark.campaign
def test_a_chirp_beside_a_wave_that_decays() -> None:
    """A sum whose logarithm is taken by its value, and whose increment is taken from its two sides."""
    result = verify("exp(-r)*(3+cos(y)+sin(r)/(1+r))", dimension=3)
    assert result.verdict == "private"
    assert result.epsilon is not None
    r = np.linspace(0, 12, 60_001)[1:]

    def potential(r: np.ndarray) -> np.ndarray:
        return r - np.log(3 + np.cos(r * r) + np.sin(r) / (1 + r))

    found = max(float(np.max(np.abs(potential(r + h) - potential(r)))) for h in np.linspace(0.01, 1, 100))
    assert found <= result.epsilon.upper
    assert result.epsilon.lower < found + 0.002


@pytest.mark.slow
def test_what_is_multiplied_by_nothing_is_nothing() -> None:
    """A product with 0 is 0 once its factors are shown to have values."""
    result = verify("exp(-r)*(2+0*log(1+floor(r)))")
    assert result.verdict == "private"
    assert result.epsilon is not None
    assert result.epsilon.lower <= 1 <= result.epsilon.upper
    assert verify("exp(-r)*(2+0*log(floor(r)))").verdict != "private"
