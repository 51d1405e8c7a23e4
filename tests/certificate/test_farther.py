"""A tail that the prover begins too near for the kernel's model begins farther out in the certificate."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from dpverify import verify

pytestmark = pytest.mark.slow


def largest_loss(text: str, delta: int) -> mpmath.mpf:
    """The loss at its stationary point, found by plain search and Newton's steps."""
    f = eval(f"lambda r: {text}", {"exp": mpmath.exp, "cos": mpmath.cos})

    def loss(r: mpmath.mpf) -> mpmath.mpf:
        return mpmath.log(f(r) / f(r + delta))

    start = max((mpmath.mpf(k) / 200 for k in range(1, 4000)), key=loss)
    return loss(mpmath.findroot(lambda r: mpmath.diff(loss, r), start))


@pytest.mark.parametrize(("wave", "dimension"), [("cos(r)*exp(-r/10)", 5), ("cos(r)*exp(-r/12)", 1)])
def test_a_damped_wave_that_is_loud_where_the_tail_begins(wave: str, dimension: int) -> None:
    text = f"exp(-r)*(2+{wave})"
    result = verify(text, dimension=dimension, sensitivity=2)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    with mpmath.workdps(30):
        truth = Fraction(mpmath.nstr(largest_loss(text, 2), 25))
    assert result.epsilon.lower <= truth + Fraction(1, 10**18)
    assert truth - Fraction(1, 10**18) <= result.epsilon.upper <= truth + Fraction(1, 10**10)
