"""Jumps between which, or across which, the loss is largest, though no climb comes beside them: closed forms."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest
from flint import arb

from dpverify.enclosures import Ball
from tests.prover.exact import proved


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "delta", "truth", "width"),
    [
        # From the centre to just before the jump at delta.
        (
            "(1+r/2+frac(r)/3)**(-5)*(1+y)**(-5)",
            "5",
            lambda d: 5 * mpmath.log(1 + d / 2 + mpmath.mpf(1) / 3) + 5 * mpmath.log(1 + d**2),
            "1e-9",
        ),
        # From just after the third of irrational jumps to just before the fourth.
        (
            "exp(-(r/10+tanh(r-3)))*(1+floor((pi/3)*r))",
            "1",
            lambda d: (
                3 / (10 * mpmath.pi) + mpmath.tanh(12 / mpmath.pi - 3 * d) - mpmath.tanh(9 / mpmath.pi - 3 * d)
            ),
            "1e-7",
        ),
        # From the first step, at the centre, to the second or beyond, but not to the third.
        ("exp(-r/9)/(1+ceil(sqrt(2)*r))", "1", lambda d: d / 9 + mpmath.log(2), "1e-7"),
    ],
)
def test_largest_beside_jumps(text: str, delta: str, truth: Callable[[mpmath.mpf], mpmath.mpf], width: str) -> None:
    proved(text, delta, truth, width)


def test_a_wide_logarithm_is_no_wider_than_it_has_to_be() -> None:
    """Of [3, 4] within what the thirty bits of a ball's radius add."""
    log = Ball(arb(3).union(arb(4))).log_from_ends().x
    low, high = arb(3).log(), arb(4).log()
    assert log.lower() <= low
    assert log.upper() >= high
    assert (high - low) * (1 + arb(2) ** (-25)) > log.upper() - log.lower()
