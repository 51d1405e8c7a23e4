"""Jumps upwards that decide epsilon: the loss in the other direction, |phi_h| with h -> 0 or h = delta."""

from __future__ import annotations

import math

import pytest

from dpverify import verify

UPWARDS = [
    # across the jump the loss is -(log 10 - h), largest as h -> 0
    ("Piecewise((exp(-r)/10, r < 1), (exp(-r), True))", math.log(10)),
    # the jump back down comes on top of the longest shift
    ("Piecewise((exp(-r), r < 1), (3*exp(-r), r < 2), (exp(-r), True))", 1 + math.log(3)),
    # flat beside the jump, so that a whole line of pairs attains it
    ("Piecewise((1, r < 1), (3, r < 2), (exp(2-r), True))", math.log(3) + 1),
    # g = r^2 rises to 1 before the jump takes log 2 away
    ("Piecewise((exp(-y), r < 1), (2*exp(-r), True))", 1),
    # two steps within a shift; the jump takes log 3 and its own step away
    ("Piecewise((exp(-floor(2*r))/3, r < 4), (exp(-floor(2*r)), True))", 2),
    # slopes of both signs, but g never falls: the longest shift from r = pi k upwards
    ("exp(-r-Abs(sin(r)))", 1 + math.sin(1)),
]


@pytest.mark.parametrize(("text", "truth"), UPWARDS, ids=[text for text, _ in UPWARDS])
def test_epsilon_where_f_jumps_upwards(text: str, truth: float) -> None:
    result = verify(text, replay=True)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    assert float(result.epsilon.lower) - 1e-12 <= truth <= float(result.epsilon.upper) + 1e-12
    assert result.epsilon.upper - result.epsilon.lower < 1e-11 * 5
