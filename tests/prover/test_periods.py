"""f that is its own multiple a period further out: epsilon, or that there is none, against closed forms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from flint import fmpq

from dpverify import verify
from dpverify.enclosures.lowering import lower
from dpverify.language import parse
from dpverify.prover.periods import Period
from tests.prover.exact import proved

TURN, RADIAN = Period(True, Fraction(1)), Period(False, Fraction(1))


def beside_a_root(p: int) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """exp(-r)(2 + frac(r)^(1/p)) from a < 1 to just beyond the jump at 1, where the root is 0."""

    def largest(delta: mpmath.mpf) -> mpmath.mpf:
        loss = lambda a: 1 - a + mpmath.log(1 + a ** (mpmath.mpf(1) / p) / 2)  # noqa: E731
        top = mpmath.findroot(lambda a: mpmath.diff(loss, a), mpmath.mpf("0.05"))
        assert delta == 1
        return loss(top)

    return largest


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("text", "delta", "truth"),
    [
        ("exp(-r)*(1+frac(r))", "1", lambda d: d),  # f falls, its slope being 0 beside the jumps
        ("exp(-r)*(2+sign(cos(pi*r)))", "1", lambda d: d + mpmath.log(3)),
        ("exp(-r)*(2+sign(sin(r)))", "1", lambda d: d + mpmath.log(3)),
        ("exp(-r)*(1+frac(2*r))", "1/1000", lambda d: mpmath.log(2)),
        ("exp(-r)*(2+sqrt(1-frac(r)))", "1", lambda d: d + mpmath.log(mpmath.mpf(3) / 2)),
        ("exp(-r)*(2+sqrt(frac(r)))", "1", beside_a_root(2)),
        ("exp(-r)*(2+frac(r)**(1/3))", "1", beside_a_root(3)),
        ("exp(-r)*(3+frac(r)*(1-frac(r)))", "1", lambda d: d),
        ("exp(-r)/(2-frac(r))", "1", lambda d: d),
        ("exp(-r)*(1+floor(cos(r))**2)", "1", lambda d: d + mpmath.log(2)),
    ],
)
def test_epsilon_by_one_period(text: str, delta: str, truth: Callable[[mpmath.mpf], mpmath.mpf]) -> None:
    proved(text, delta, truth)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "dimension", "verdict"),
    [
        ("exp(-r)/(1-frac(r))", 1, "invalid"),
        ("exp(-r)/(1-frac(r))", 3, "invalid"),
        ("exp(-r)/sqrt(1-frac(r))", 1, "not_private"),
        ("exp(-r)/frac(r)**(3/4)", 2, "not_private"),
        ("(1+frac(r))*(2-frac(r))", 1, "invalid"),
    ],
)
def test_poles_at_jumps(text: str, dimension: int, verdict: str) -> None:
    assert verify(text, dimension=dimension).verdict == verdict


@pytest.mark.parametrize(
    ("text", "period", "step", "rate"),
    [
        ("r", TURN, 1, None),
        ("floor(r)", TURN, 1, None),
        ("floor(r/2)", TURN, None, None),
        ("floor(r)", RADIAN, None, None),
        ("cos(2*pi*r)", TURN, 0, 0),
        ("cos(pi*r)", TURN, None, None),
        ("cos(pi*r)", RADIAN, None, None),
        ("cos(r)", TURN, None, None),
        ("cos(r/2)", RADIAN, None, None),
        ("exp(-r)*(2+frac(r))", TURN, None, -1),
        ("exp(-r)+exp(-floor(r))", TURN, None, -1),
        ("exp(-r)+1", TURN, None, None),
        ("sqrt(exp(-3*r)*(2-frac(r)))", TURN, None, fmpq(-3, 2)),
        ("Max(exp(-r),exp(-r)*(1/2+frac(r)))", TURN, None, -1),
        ("Piecewise((exp(-r), frac(r) < 1/2), (exp(-r)/2, True))", TURN, None, -1),
        ("Piecewise((exp(-r), r < 3), (exp(-r)/2, True))", TURN, None, None),
    ],
)
def test_what_a_node_is_a_period_further_out(text: str, period: Period, step: object, rate: object) -> None:
    node = lower(parse(text))
    assert period.step(node) == step
    assert period.rate(node) == rate


@pytest.mark.slow
def test_a_floor_of_what_is_not_negative_is_not_negative() -> None:
    """1 + floor(3 frac(r)) is 1, 2 or 3: from just beyond 2/3 the loss grows to log 3 + 1/3 just before 4/3."""
    result = verify("exp(-r/2)*(1+floor(3*frac(r)))", tolerance="8")
    assert result.verdict == "private" and result.epsilon is not None
    assert result.epsilon.lower <= Fraction(14320, 10000)
    assert Fraction(14319, 10000) <= result.epsilon.upper
