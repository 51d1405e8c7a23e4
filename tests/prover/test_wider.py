"""Where an enclosure as narrow as was asked for does not come off, a wider one does, and says so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpverify import check, verify
from dpverify.certificate import complete
from dpverify.results import Result


@pytest.mark.parametrize(
    ("text", "dimension", "delta", "low", "high"),
    [
        # sin(y) runs from -1 to 1 within a shift far out, and r adds 7/2 of it; the last factor adds less than delta.
        ("exp(-((7/2)*r+sin(y)/5))*(log(2+r)-log(1+r))", 2, "1/1000000", 0.4000035, 0.4000045),
        # Of the phases of 3 r and y both are free: (4 + s)/(2 + s) is largest at s = -1, and (1 + y)^-3 adds < 6 delta.
        pytest.param("(3+cos(y)+sin(3*r))*(1+y)**(-3)", 2, "1/1000", 1.09861228866, 1.1047, marks=pytest.mark.campaign),
    ],
)
def test_a_wider_enclosure_holds_the_truth(text: str, dimension: int, delta: str, low: float, high: float) -> None:
    result = verify(text, dimension=dimension, sensitivity=delta)
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    assert float(result.epsilon.lower) <= high and float(result.epsilon.upper) >= low
    assert float(result.epsilon.upper) <= high * (1 + 0.06)
    assert "more than was asked" in result.reason
    assert result.certificate is not None and check(result.certificate).accepted


def _refusing(narrower: Fraction) -> Callable[..., Result]:
    def certified(result: Result, tick: Callable[[], None] = lambda: None) -> Result:
        assert result.epsilon is not None
        if result.epsilon.upper - result.epsilon.lower < narrower * result.epsilon.upper:
            raise complete.Incomplete("refused for the sake of the test")
        return replayed(result, tick)

    replayed = complete.certified
    return certified


def test_a_wider_proof_is_written_where_the_kernel_does_not_follow_the_narrow_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(complete, "certified", _refusing(Fraction(1, 10**9)))
    result = verify("(1+y/3)**(-2)")
    assert result.verdict == "private" and result.epsilon is not None
    width = (result.epsilon.upper - result.epsilon.lower) / result.epsilon.upper
    assert Fraction(1, 10**9) <= width <= Fraction(1, 10**5)
    assert "more than was asked" in result.reason
    assert result.certificate is not None and check(result.certificate).accepted


def test_what_the_kernel_follows_at_no_width_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complete, "certified", _refusing(Fraction(2)))
    result = verify("(1+y/3)**(-2)")
    assert result.verdict == "undecided" and result.certificate is None
    assert "refused for the sake of the test" in result.reason
