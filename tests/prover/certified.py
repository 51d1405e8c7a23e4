"""epsilon as it is certified, for tests that find it by a way of their own."""

from __future__ import annotations

from fractions import Fraction

from dpverify.api import verify


def certified(text: str, dimension: int = 1, sensitivity: Fraction = Fraction(1)) -> tuple[float, float]:
    """The ends of epsilon, replayed by the checker and as narrow as is asked for."""
    result = verify(text, dimension=dimension, sensitivity=sensitivity)
    assert result.verdict == "private", result.reason
    assert result.certificate is not None and result.epsilon is not None
    epsilon = result.epsilon
    assert epsilon.upper - epsilon.lower <= Fraction(1, 10**11) * max(1, epsilon.upper) * 11 / 10
    return float(epsilon.lower), float(epsilon.upper)
