"""What had been open, with its exact loss by hand: the loss named is the largest over all radii, or its limit."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest

from dpverify import check, verify

M = mpmath


def lost(f: Any, delta: Any, r: Any = 0) -> Any:
    """log f(r) - log f(r + delta)."""
    with M.workdps(30):
        return M.log(f(M.mpf(r))) - M.log(f(M.mpf(r) + delta))


LESS = {"sensitivity": "1000"}
RISEN = lost(lambda r: M.exp(-abs(r - 20)) * (M.sqrt(M.sqrt(2) + r * r) - r) ** 2, 1000, 20)
LOSSES: list[tuple[str, dict[str, Any], Any]] = [
    ("-log(1-exp(-1-r))", LESS, lost(lambda r: -M.log1p(-M.exp(-1 - r)), 1000)),
    ("-log(1-exp(-r)/2)", {"dimension": 4}, lost(lambda r: -M.log1p(-M.exp(-r) / 2), 1)),
    ("log(2+exp(-r))-log(2)", LESS, 1000),
    ("Min(Max(exp(-r),exp(-2)),3*exp(-r))", {}, 1),
    ("Max(exp(-2*r),Min(exp(-r),1/9))", {}, 2),
    ("exp(-sqrt(floor(r)))", {}, 1),
    ("exp(-sqrt(floor(r)))", {"sensitivity": "10", "dimension": 2}, M.sqrt(10)),
    ("exp(-sqrt(floor(2*r)))", {"sensitivity": "3/4"}, M.sqrt(2)),
    ("exp(-floor(r)**(1/3)-r)", {"dimension": 3}, 2),
    ("exp(-Abs(r-20))*(sqrt(sqrt(2)+y)-r)**2", {"dimension": 20, "sensitivity": "1000"}, RISEN),
    ("exp(-Piecewise((y/18, r/3<=0.1),(0.1*r/3-0.005, True)))", {"sensitivity": "1/3"}, M.mpf(1) / 90),
    ("exp(-r+cos(10*r)/10)", {"sensitivity": "10"}, 10 + abs(M.sin(50)) / 5),
    ("exp(-(r-sin(r)))", {"dimension": 3, "sensitivity": "7"}, 7 - 2 * M.sin(3.5)),
    ("lambertw(exp(-r))", {"dimension": 5, "sensitivity": "10000"}, 10000),
    ("log1p(exp(-r*lambertw(1+r)/(1+lambertw(7*r/2))))", {"dimension": 3, "sensitivity": "1/2"}, M.mpf(1) / 2),
]
"""The first two are log convex; the third nears exp(-r)/2 from below; roots of steps rise most from 0."""


@pytest.mark.slow
@pytest.mark.parametrize(("text", "with_", "loss"), LOSSES)
def test_the_largest_loss_by_hand(text: str, with_: dict[str, Any], loss: Any) -> None:
    result = verify(text, **with_)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None and result.certificate is not None and check(result.certificate).accepted
    lower, upper = (M.mpf(x.numerator) / x.denominator for x in (result.epsilon.lower, result.epsilon.upper))
    assert lower - M.mpf(10) ** -12 <= loss <= upper + M.mpf(10) ** -12
    assert upper - lower <= loss * M.mpf(10) ** -9


SHARED: list[tuple[str, Any]] = [
    ("log(3+1/(1+y))-log(3)", lambda r: M.log1p(1 / (1 + r * r) / 3)),
    ("exp(-r)*(log(2+1/(1+r))-log(2))", lambda r: M.exp(-r) * M.log1p(1 / (1 + r) / 2)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "f"), SHARED)
def test_the_largest_loss_by_a_search(text: str, f: Any) -> None:
    result = verify(text)
    assert result.epsilon is not None
    found = max(lost(f, 1, M.mpf(k) / 200) for k in range(600))
    assert found - M.mpf(10) ** -12 <= float(result.epsilon.upper) <= found + M.mpf(10) ** -4


@pytest.mark.slow
@pytest.mark.parametrize("text", ["-log(1-exp(-r))", "-log(1-exp(-1-y))", "log(2)-log(2+exp(-r))", "-log(1-2*exp(-r))"])
def test_poles_and_gaussian_tails_and_signs_are_not_passed_over(text: str) -> None:
    assert verify(text).verdict != "private"
