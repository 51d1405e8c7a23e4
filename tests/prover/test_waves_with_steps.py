"""Floors and signs of waves: between steps f is exp(-r) times a whole number; epsilon is delta and their ratio."""

from __future__ import annotations

import mpmath
import pytest

from dpverify import check, verify
from tests.prover.exact import proved

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("exp(-r)*(2+floor(cos(r)))", 2),
        pytest.param("exp(-r)*(2+sign(cos(r)))", 3, marks=pytest.mark.campaign),
        pytest.param("exp(-r)*(3+floor(2*cos(r)))", 3, marks=pytest.mark.campaign),
        pytest.param("exp(-r)*(2+floor(cos(pi*r)))", 2, marks=pytest.mark.campaign),
    ],
)
def test_epsilon_of_steps(text: str, ratio: int) -> None:
    """From just beside a step down the loss grows by delta up to delta beyond it, without another step between."""
    proved(text, "1", lambda d: d + mpmath.log(ratio), "1e-7")


@pytest.mark.campaign
def test_epsilon_where_the_longest_shift_leads_past_a_step_up() -> None:
    """2 + ceil(sin r) is 3 for r in (0, pi) and 2 in (pi, 2 pi)."""
    proved("exp(-r)*(2+ceil(sin(r)))", "1", lambda d: d + mpmath.log(mpmath.mpf(3) / 2), "1e-7")


def test_steps_down_to_zero() -> None:
    result = verify("exp(-r)*(2+floor(sin(r)+cos(r)))")  # -2 where sin + cos < -1
    assert result.verdict == "not_private" and "zero" in result.reason
    assert check(result.certificate or {}).accepted
