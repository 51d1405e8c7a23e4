"""Whether waves bring f as near to zero as one likes far out: independent ones do, others need not."""

from __future__ import annotations

import pytest

from dpverify.api import verify


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)*(2+sin(r)+sin(sqrt(2)*r))",
        "exp(-2*r)*(3+2*cos(r)-cos(pi*r))",
        "exp(-y)*(7/2-cos(sqrt(3)*r)*2-3*sin(r/5)/2)",
    ],
)
def test_waves_that_come_near_zero_far_out_are_private_for_no_epsilon(text: str) -> None:
    """Kronecker: speeds that are independent bring all waves near their least values at once."""
    result = verify(text)
    assert result.verdict == "not_private", result.reason
    assert result.certificate is not None


@pytest.mark.slow
def test_waves_with_a_common_period_that_never_all_stand_low_are_private() -> None:
    """2 + sin r + sin 2r is at least 0.23: the waves hang together, and never both stand at -1."""
    result = verify("exp(-r)*(2+sin(r)+sin(2*r))", timeout=60)
    assert result.verdict != "not_private"
