"""Jumps at irrational radii, where a condition changes, met by shifts so short that no climb comes to them: by hand.

From just before the first step down to delta further the loss is log 2 and the longest fall of what is beside it.
"""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest

from tests.prover.exact import proved


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "delta", "slowly"),
    [
        ("(2+floor(cos(r)))*(1+y)**(-2)", "1/1000", lambda d: 2 * _fall(lambda r: 1 + r**2, mpmath.pi / 2, d)),
        (
            "exp(-r)*(1-r/(1+r))**3*(2+floor(cos(sqrt(2)*r)))",
            "1/1000000",
            lambda d: d + 3 * _fall(lambda r: 1 + r, mpmath.pi / mpmath.sqrt(8), d),
        ),
        (
            "exp(-r)*Piecewise((2, y < 1/3), (1, True))/(1+r)",
            "1/1000000",
            lambda d: d + _fall(lambda r: 1 + r, 1 / mpmath.sqrt(3), d),
        ),
    ],
)
def test_epsilon_of_short_shifts_across_steps(
    text: str, delta: str, slowly: Callable[[mpmath.mpf], mpmath.mpf]
) -> None:
    proved(text, delta, lambda d: mpmath.log(2) + slowly(d), "1e-9")


def _fall(f: Callable[[mpmath.mpf], mpmath.mpf], c: mpmath.mpf, d: mpmath.mpf) -> mpmath.mpf:
    """By what log f grows over the d before c, or over the d after it, where that is more."""
    return max(mpmath.log(f(b) / f(b - d)) for b in (c, c + d))
