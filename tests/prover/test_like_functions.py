"""Differences of like functions that cancel far out, and conditions on maxima: epsilon by hand, or beside a search."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import check, verify

M = mpmath
EXACT = M.mpf(10) ** -9


def losses(f: Any, delta: Any) -> Any:
    """The largest log f(r) - log f(r + delta) over a fine grid, from 0 on."""
    with M.workdps(40):
        at = [M.mpf(k) ** 2 / 400 for k in range(100)]
        return max(M.log(f(r)) - M.log(f(r + delta)) for r in at)


def proved(text: str, **options: Any) -> tuple[Any, Any]:
    result = verify(text, **options)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None and result.certificate is not None and check(result.certificate).accepted
    lower, upper = (M.mpf(x.numerator) / x.denominator for x in (result.epsilon.lower, result.epsilon.upper))
    return lower, upper


SEARCHED: list[Any] = [
    pytest.param("atan(1+r)-atan(r)", {}, lambda r: M.atan(1 + r) - M.atan(r), marks=pytest.mark.campaign),
    ("(atan(2+r)-atan(r))**2", {"dimension": 3, "sensitivity": "5/2"}, lambda r: (M.atan(2 + r) - M.atan(r)) ** 2),
    pytest.param(
        "exp(-r)+atan(1+r)-atan(r)",
        {"sensitivity": "1/3"},
        lambda r: M.exp(-r) + M.atan(1 + r) - M.atan(r),
        marks=pytest.mark.campaign,
    ),
    (
        "exp(-r)*(1+2*atan(1/r)-2*atan(2/r)+pi)",
        {"dimension": 10},
        lambda r: M.exp(-r) * (1 + M.pi - 2 * M.atan(r / (2 + r * r))),
    ),
    pytest.param(
        "atan(1+r)+atan(2+r)-2*atan(r)",
        {},
        lambda r: M.atan(1 + r) + M.atan(2 + r) - 2 * M.atan(r),
        marks=pytest.mark.campaign,
    ),
    ("exp(-r+atan(2*r)-atan(r))", {}, lambda r: M.exp(-r + M.atan(2 * r) - M.atan(r))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "options", "f"), SEARCHED)
def test_differences_of_inverse_tangents_by_a_search(text: str, options: dict[str, Any], f: Any) -> None:
    lower, upper = proved(text, tolerance="1/100", **options)
    q = Fraction(options.get("sensitivity", "1"))
    found = losses(lambda r: f(r if r else M.mpf(10) ** -20), M.mpf(q.numerator) / q.denominator)
    assert lower <= found + M.mpf("0.001") and found <= upper + EXACT and upper - lower <= upper / 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "options", "loss"),
    [
        # The loss is that of exp(-r), and what f falls by at the jump; before it Heaviside(0) is 1/2 from then on.
        ("exp(-r)*(1+Heaviside(Max(0,1-r)))", {}, 1 + M.log(M.mpf(4) / 3)),
        ("exp(-r)*(1+Heaviside(Max(0,1-r)))", {"sensitivity": "100"}, 100 + M.log(M.mpf(4) / 3)),
        ("exp(-r)*(2+sign(Max(0,1-r)))", {"dimension": 3, "sensitivity": "1/3"}, M.mpf(1) / 3 + M.log(M.mpf(3) / 2)),
        ("exp(-r)*(1+Heaviside(Max(0,sqrt(2)-r)))", {}, 1 + M.log(M.mpf(4) / 3)),
        # 3, 2, 3 and 2 times exp(-r), from 0, 1, 2 and 3 on.
        (
            "exp(-r)*(2+sign(Max(0,1-r,Min(r-2,3-r))))",
            {"sensitivity": "5/2"},
            M.mpf(5) / 2 + M.log(M.mpf(3) / 2),
        ),
        # 2 and then 3 times it: the rise at the jump is less than what exp(-r) falls by.
        ("exp(-r)*(2-sign(Min(0,1-r,2-r)))", {}, 1),
        ("Piecewise((exp(-r),Max(0,r-2)<=0),(exp(-r)/2,True))", {}, 1 + M.log(2)),
    ],
)
def test_conditions_on_maxima_by_hand(text: str, options: dict[str, Any], loss: Any) -> None:
    lower, upper = proved(text, **options)
    assert lower - EXACT <= loss <= upper + EXACT and upper - lower <= upper * EXACT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "verdict", "why"),
    [
        ("atan(2*r)-atan(r)", "invalid", "integrable"),  # about 1/(2 r) far out
        ("(atan(2*r)-atan(r))*exp(-r)", "not_private", "positive"),  # 0 at the centre alone
        ("exp(-r)+atan(r)-atan(1+r)", "invalid", "positive"),
        ("exp(-y)*(1+atan(1+r)-atan(r))", "not_private", "tail_ratio_bounded"),
    ],
)
def test_differences_that_are_no_noise_or_not_private(text: str, verdict: str, why: str) -> None:
    result = verify(text)
    assert result.verdict == verdict
    assert getattr(result.hypotheses, why).status == "refuted"


def test_an_inverse_tangent_with_its_limit_beside_a_number() -> None:
    """The complement of atan falls and is convex, so the largest loss is at 0."""
    lower, upper = proved("exp(-r)*(1+pi/2-atan(r))", tolerance="1/100")
    assert lower <= 1 + M.log((1 + M.pi / 2) / (1 + M.pi / 4)) <= upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("exp(-r**r)", {}),
        ("exp(-2**r)", {"dimension": 3, "sensitivity": "1/3"}),
        ("exp(-cosh(r/sqrt(2)))", {"dimension": 10}),
        ("exp(-log(1+r)**log(1+r))", {"sensitivity": "1/3"}),
        ("exp(-(1+r)**(1+r))", {"dimension": 10, "sensitivity": "100"}),
        ("exp(r-r**r)", {"sensitivity": "5/2"}),
        ("exp(-exp(sqrt(2)*r)/(1+y))", {}),
    ],
)
def test_what_outgrows_exponentials_is_private_for_no_epsilon(text: str, options: dict[str, Any]) -> None:
    """log f falls faster than every multiple of r, and so does its fall over a shift grow."""
    result = verify(text, **options)
    assert result.verdict == "not_private" and result.hypotheses.tail_ratio_bounded.status == "refuted"
    assert result.certificate is not None and check(result.certificate).accepted


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(r**r)", "1/(1+2**(-r))", "exp(-1/r**r)"])
def test_what_does_not_fall_is_no_noise(text: str) -> None:
    assert verify(text).verdict == "invalid"


def test_beside_a_tower_that_vanishes() -> None:
    """r^r is at most (r + 1)^(r + 1), so that no loss is above 1, which is the limit."""
    lower, upper = proved("exp(-r-1/(2+r**r))", tolerance="1/100")
    assert lower <= 1 <= upper
