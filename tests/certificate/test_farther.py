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


@pytest.mark.swept(stay=1)
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


NARROW = [
    ("exp(-r)*(2+sign(r-1))", "log(3)", "f rises threefold at r = 1, over shifts as short as one likes"),
    ("exp(-r)*(2+sign(r-1))**2", "log(9)", "ninefold"),
    ("exp(-frac(r)-r)", "1", "g = 2 r - floor(r) climbs by 2 delta, and falls by 1 at every integer"),
    ("exp(-r/10+floor(r)/20)", "1/20", "g = r/10 - floor(r)/20 climbs by delta/10, and falls by 1/20"),
    ("Piecewise((exp(-r),r<1),(exp(-2*r)/3,r<2),(exp(-r),True))", "2+log(3)", "g = 2 r + log 3 falls to r at r = 2"),
]


@pytest.mark.parametrize(("text", "epsilon", "why"), NARROW, ids=[case[0] for case in NARROW])
def test_jumps_and_centres_are_enclosed_to_the_asked_width(text: str, epsilon: str, why: str) -> None:
    result = verify(text, dimension=3, sensitivity="1/2")
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    with mpmath.workdps(30):
        truth = Fraction(mpmath.nstr(eval(epsilon, {"log": mpmath.log}) * mpmath.mpf(1), 25))
    slack = Fraction(1, 10**20)
    assert result.epsilon.lower <= truth + slack, why
    assert truth - slack <= result.epsilon.upper, why
    assert result.epsilon.upper - result.epsilon.lower <= Fraction(2, 10**11) * max(1, truth)
