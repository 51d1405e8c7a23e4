"""What the prover of profiles finds in floats, and what it knows of series of a square and a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import pytest
from flint import arb

from dpverify.enclosures import precision
from dpverify.enclosures.lowering import lower
from dpverify.language import parse
from dpverify.prover.profile.generator import crossing
from dpverify.prover.profile.pieces import graded, parts
from dpverify.prover.profile.series import Jet, capped, logarithm

ORDER = 12


@pytest.mark.parametrize(
    ("value", "low", "high", "root"),
    [
        (lambda x: x * x - 2, 0.0, 2.0, math.sqrt(2)),
        (lambda x: math.log(x) - 1e-3, 0.5, 3.0, math.exp(1e-3)),
        (lambda x: 1.0 if x > 1 else -1.0, 0.0, 3.0, 1.0),
        (lambda x: math.inf if x > 1 else x - 2, 0.0, 3.0, 1.0),
        (lambda x: math.atan(1e6 * (x - 1.2345)), 0.0, 3.0, 1.2345),
        (lambda x: (x - 1) ** 9, 0.0, 3.0, 1.0),
    ],
)
def test_where_a_value_changes_its_sign(value: Callable[[float], float], low: float, high: float, root: float) -> None:
    found = crossing(low, high, value)
    flat = 1e-2 if value(root + 1e-3) < 1e-20 else 1e-15 * root
    assert abs(found - root) <= flat and value(found) >= 0


@pytest.mark.parametrize("text", ["log(1 + y/3)", "(1 + y/3)**(-13/2)", "(5 + 2*y)**(1/2)", "1/(1 + y)"])
def test_series_of_a_square_and_a_number_about_any_point_of_a_panel(text: str) -> None:
    node = lower(parse(f"exp({text})"))
    with precision(200), capped(ORDER):
        jet = Jet.linear(Fraction(7, 2), Fraction(1, 2)).of(lambda u: logarithm(node, u))
        said = jet.narrow()
        with mp.workdps(60):
            inner = eval(f"lambda y: {text}", {"log": mp.log})  # a text of ours
            for x in (-1, 0, 1):
                truths = mp.taylor(lambda t: inner((mp.mpf(7) / 2 + t / 2) ** 2), x, ORDER)
                for k, truth in enumerate(truths):
                    exact = arb(mp.nstr(truth, 30)) * arb(1, 1e-20) + arb(0, 1e-25)
                    assert jet.whole[k].overlaps(exact) and said.whole[k].overlaps(exact)
        assert jet.whole[ORDER].rad() < 1e-7


def test_cuts_by_the_distance_from_a_pole() -> None:
    marks = graded(Fraction(1), Fraction(16), 4)
    assert marks == [1, 2, 4, 8, 16]
    beside = graded(Fraction(3), Fraction(4), 3, Fraction(4) + Fraction(1, 7))
    steps = [b - a for a, b in pairwise(beside)]
    assert beside[0] == 3 and beside[-1] == 4 and steps == sorted(steps, reverse=True)
    assert parts(math.inf, 12) == 2 and parts(2.0**25, 12) == 3 and parts(1.5, 12) == 2
