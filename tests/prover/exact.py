"""Results held against closed forms computed by mpmath."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath

from dpverify import verify
from dpverify.results import Result


def proved(text: str, delta: str, truth: Callable[[mpmath.mpf], mpmath.mpf], width: str = "1e-10") -> Result:
    """The private verdict about `text`, which the kernel replays, with epsilon = truth(delta) closely within."""
    result = verify(text, sensitivity=delta, replay=True)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    with mpmath.workdps(40):
        low, high, shift = (
            mpmath.mpf(q.numerator) / q.denominator
            for q in (result.epsilon.lower, result.epsilon.upper, Fraction(delta))
        )
        assert low <= truth(shift) <= high
        assert high - low < mpmath.mpf(width)
    return result
