"""Jumps upwards that decide epsilon: the loss in the other direction, |phi_h| with h -> 0 or h = delta."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import pytest
from flint import arb

from dpverify.enclosures import Ball
from dpverify.enclosures.lowering import lower
from dpverify.language import parse
from dpverify.prover.problem import Problem
from tests.prover.exact import proved

pytestmark = pytest.mark.slow

UPWARDS = [
    # across the jump the loss is -(log 10 - h), largest as h -> 0
    ("Piecewise((exp(-r)/10, r < 1), (exp(-r), True))", lambda d: mpmath.log(10)),
    # the jump back down comes on top of the longest shift
    ("Piecewise((exp(-r), r < 1), (3*exp(-r), r < 2), (exp(-r), True))", lambda d: d + mpmath.log(3)),
    # flat beside the jump, so that a whole line of pairs attains it
    ("Piecewise((1, r < 1), (3, r < 2), (exp(2-r), True))", lambda d: d + mpmath.log(3)),
    # g = r^2 rises to 1 before the jump takes log 2 away
    ("Piecewise((exp(-y), r < 1), (2*exp(-r), True))", lambda d: mpmath.mpf(1)),
    # two steps within a shift; the jump takes log 3 and its own step away
    ("Piecewise((exp(-floor(2*r))/3, r < 4), (exp(-floor(2*r)), True))", lambda d: mpmath.mpf(2)),
    # slopes of both signs, but g never falls: the longest shift from r = pi k upwards
    ("exp(-r-Abs(sin(r)))", lambda d: d + mpmath.sin(d)),
]


LONG = "exp(-r-Abs(sin(r)))"


@pytest.mark.parametrize(
    ("text", "truth"),
    [pytest.param(*case, marks=[pytest.mark.campaign] * (case[0] == LONG)) for case in UPWARDS],
    ids=[text for text, _ in UPWARDS],
)
def test_epsilon_where_f_jumps_upwards(text: str, truth: Callable[[mpmath.mpf], mpmath.mpf]) -> None:
    proved(text, "1", truth, "5e-11")


BOTH_WAYS = [
    # a saw that rises by 1/20 at every whole radius: the longest way between two jumps, or across two of them
    ("exp(-r/10+floor(r)/20)", "1", "1/10"),
    ("exp(-r/10+floor(r)/20)", "5/2", "3/20"),
    # g falls from g(0+) as steeply as a root: the worst pair has one radius at the centre
    ("exp(-Abs(sqrt(r)-1))", "1", "1"),
    ("exp(-Abs(sqrt(r)-1))", "2", "1"),
]


@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(("text", "delta", "truth"), BOTH_WAYS, ids=[f"{case[0]}, {case[1]}" for case in BOTH_WAYS])
def test_epsilon_where_the_worst_pair_is_a_limit(text: str, delta: str, truth: str) -> None:
    exact = Fraction(truth)
    proved(text, delta, lambda d: mpmath.mpf(exact.numerator) / exact.denominator, "2e-8")


@pytest.mark.parametrize("heights", [("nan", "1", "2"), ("1", "nan", "2"), ("1", "2", "nan")])
def test_a_box_without_a_value_bounds_no_loss(monkeypatch: pytest.MonkeyPatch, heights: tuple[str, ...]) -> None:
    """Whichever of the pieces between two jumps it is; the slopes are unbounded, so that values decide."""
    problem = Problem(lower(parse("exp(-r)")), 1, Fraction(1))
    values = iter(heights)

    def on_box(self: Problem, a: Fraction, b: Fraction) -> SimpleNamespace:
        whole = b - a in (1, 2)
        return SimpleNamespace(u=Ball(arb(0) if whole else arb(next(values))), du=Ball(arb("nan")))

    monkeypatch.setattr(Problem, "on_box", on_box)
    bound, _ = problem.losses(Fraction(5), Fraction(6), Fraction(0), Fraction(1), [Fraction(23, 4), Fraction(13, 2)])
    assert not bound <= 10**6
