"""Stretches of the line (K160), against integrals by mpmath, and what does not cover the line."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel.intervals import ONE, ZERO, Interval, interval
from dpverify.kernel.sections.panels import line, outside, stretch
from tests.profiles.panel import HALF, LAPLACE, holds, integral, noise, number, refused

# The line.  x = side rho, and |x - u| = rho + 1 on the left, |1 - rho| on the right.


@pytest.mark.parametrize(("side", "a", "b"), [(-1, "1/2", "3/4"), (1, "1/8", "1/4")])
def test_a_stretch_of_the_line(side: int, a: str, b: str) -> None:
    low, high = Fraction(a), Fraction(b)
    value, cost = stretch(noise("(1+r)**(-4)", 1, HALF), side, low, high, "f")
    with mp.workdps(30):
        f = lambda r: (1 + abs(r)) ** -4  # noqa: E731
        gain = lambda r: f(r) - mp.exp(mp.mpf(1) / 2) * f(side * r - 1)  # noqa: E731
        holds(value, integral(gain, low, high), 1e-8)
        assert integral(lambda r: max(0, -gain(r)), low, high) <= number(cost.hi) + mp.mpf(10) ** -12
    if side < 0:
        assert cost.hi < Fraction(1, 10**6)


@pytest.mark.parametrize(("side", "a", "b"), [(-1, "3/2", "2"), (1, "1/4", "1/2"), (1, "0", "1/8")])
def test_a_stretch_that_is_left_out(side: int, a: str, b: str) -> None:
    low, high, root = Fraction(a), Fraction(b), mp.mpf("0.5")
    value, cost = stretch(noise("(1+r)**(-4)", 1, HALF), side, low, high, "e")
    assert (value.lo, value.hi) == (0, 0)
    with mp.workdps(30):
        f = lambda r: (1 + abs(r)) ** -4  # noqa: E731
        lost = integral(lambda r: max(0, f(r) - mp.exp(root) * f(side * r - 1)), low, high)
        assert lost <= number(cost.hi)
        most = max(mp.log(f(x) / f(side * x - 1)) for x in map(number, (low, high))) - root
        bound = min(1, max(0, most)) * f(number(low)) * number(high - low)
        assert bound * (1 - mp.mpf(10) ** -12) <= number(cost.hi) <= bound * mp.mpf("1.001") + mp.mpf(10) ** -9


def stretches(**changed: Any) -> dict[str, Any]:
    left, right = ["0", "1/4", "1", "4", "10", "20"], ["0", "1/8", "1/4", "3/8", "1/2"]
    return {"left": left, "left_sets": "fffff", "right": right, "right_sets": "ffee"} | changed


def test_the_line_of_a_laplace_law() -> None:
    """S is x < 1/4, and Z counts one side: 2 Z H = 2 (1 - e^(1/2 - 1)/2 ...) by the closed form 1 - e^(-1/4)."""
    value, cost = line(noise(LAPLACE, 1), stretches())
    with mp.workdps(30):
        truth = 1 - mp.exp(-mp.mpf(1) / 4)
        assert number(value.lo) <= truth <= number((value + Interval(cost.lo, cost.hi)).hi)
        assert number(value.hi) - number(value.lo) < 1e-2


def test_a_line_costs_half_of_what_its_sides_do() -> None:
    n, none = noise(LAPLACE, 1), {"left_sets": "eeeee", "right_sets": "eeee"}
    given = stretches(**none)
    value, cost = line(n, given)
    assert value.lo == value.hi == 0
    sides = [(-1, given["left"]), (1, given["right"])]
    parts = [stretch(n, side, Fraction(a), Fraction(b), "e")[1] for side, at in sides for a, b in pairwise(at)]
    with mp.workdps(40):
        whole = sum(number(x.hi) for x in (*parts, outside(n, Fraction(20))[1]))
        assert abs(number(cost.hi) - whole / 2) < mp.mpf(10) ** -30


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"left": ["1/8", "1/4", "1", "4", "10", "20"]}, "cover the line"),
        ({"right": ["0", "1/8", "1/4", "3/8", "5/8"]}, "cover the line"),
        ({"right": ["0", "1/8", "1/4", "3/8", "7/16"]}, "cover the line"),
        ({"right": ["1/16", "1/8", "1/4", "3/8", "1/2"]}, "cover the line"),
        ({"left_sets": "ffff"}, "match the stretches"),
        ({"right_sets": "ffe"}, "match the stretches"),
        ({"right_sets": "ffec"}, "match the stretches"),
        ({"right_sets": ["f", "f", "e", "e"]}, "match the stretches"),
    ],
)
def test_what_does_not_cover_the_line(changed: dict[str, Any], why: str) -> None:
    refused(lambda: line(noise(LAPLACE, 1), stretches(**changed)), why)


def test_a_stretch_that_falls_short_of_eps_costs_by_how_much() -> None:
    """f is at most 1 on a stretch of the length 1/4, where the loss is -1 at least and eps 1/2."""
    loss = Interval(interval(-1).lo, interval(2).hi)
    n: Any = SimpleNamespace(s=Fraction(1), epsilon=interval(HALF), growth=interval(2))
    n.both = lambda *given: (ONE, ZERO, loss, ONE)
    value, cost = stretch(n, 1, Fraction(1, 4), Fraction(1, 2), "f")
    with mp.workdps(30):
        exact = mp.expm1(mp.mpf("1.5")) / 4
        assert value.lo == value.hi == interval(Fraction(1, 8)).lo
        assert cost.lo == 0 and exact <= number(cost.hi) <= exact * (1 + mp.mpf(10) ** -20)
