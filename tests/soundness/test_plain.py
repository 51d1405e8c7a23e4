"""The plain search looks at both sides of every jump, and from one jump to another."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from soundness.plain import DIGITS, beside_jumps, exact, function, jumps, largest_loss

LOG = mpmath.log


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("exp(-r)*(2+frac(2*r))", ["0.5", "1", "1.5"]),
        ("exp(-ceil(r)/2)", ["1", "2", "3"]),
        ("exp(-r)*(2+round(r))", ["0.5", "1.5", "2.5"]),
        ("exp(-r)*(3+sign(r-2)+Heaviside(y-9))", ["2", "3"]),
        ("Piecewise((exp(-r), r<3/4), (exp(-2*r), (r<2)&(r>1)), (1/(1+y), True))", ["0.75", "1", "2"]),
        ("exp(-r)*(2+cos(r))", []),
    ],
)
def test_jumps_are_found(text: str, first: list[str]) -> None:
    with mpmath.workdps(DIGITS):
        found = jumps(text, {})[: len(first)] if first else jumps(text, {})
        assert [mpmath.nstr(x, 12) for x in found] == [mpmath.nstr(mpmath.mpf(x), 12) for x in first]


@pytest.mark.parametrize(
    ("text", "delta", "truth"),
    [
        ("exp(-r)*(1+frac(r))", "5/2", lambda: mpmath.mpf(5) / 2 + LOG(3) - LOG(2)),  # from 1/2 to just behind a jump
        (
            "exp(-r)*(2+frac(r))",
            "1/3",
            lambda: mpmath.mpf(1) / 3 + LOG(4) - LOG(3),
        ),
        ("exp(-r)*(3-frac(r))", "1/3", lambda: mpmath.mpf(1) / 3 + LOG(7) - LOG(6)),
        ("exp(-r)*(2+frac(sqrt(2)*r))", "1", lambda: 1 + LOG(2 - mpmath.sqrt(2) / 2)),
        ("exp(-r)*(5-4*Heaviside(r-3))", "1/10", lambda: mpmath.mpf("0.1") + LOG(5)),
    ],
)
def test_the_largest_loss_beside_jumps_is_found(text: str, delta: str, truth: object) -> None:
    """Closed forms by hand: one-sided limits at the jumps, which no grid of radii meets."""
    with mpmath.workdps(DIGITS):
        shift = Fraction(delta)
        best = largest_loss(function(text, {}), shift, pairs=beside_jumps(text, {}, shift))
        assert truth() - mpmath.mpf("1e-10") < best <= truth() + mpmath.mpf("1e-10")  # type: ignore[operator]
        assert largest_loss(function(text, {}), shift) <= best and exact(shift) > 0
