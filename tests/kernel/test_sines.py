"""K381: a number and as much of a sine, as a square."""

from __future__ import annotations

from fractions import Fraction
from math import pi, sin

import pytest

from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.sines import quarter_turn, root_of_sum
from dpverify.kernel.tree import Node, add, minus, mul, num

R = Node("r")


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("r", [Fraction(1, 7), Fraction(3, 2), Fraction(40)])
def test_its_square_is_one_and_the_sine(sign: int, turns: bool, r: Fraction) -> None:
    g = Evaluation(interval(r)).value(quarter_turn(mul(num(3), R), turns, sign))
    angle = 3 * float(r) * (pi if turns else 1)
    assert float((g * g).lo) - 1e-9 <= 1 + sign * sin(angle) <= float((g * g).hi) + 1e-9
    assert float((g * g).hi - (g * g).lo) < 1e-9


def test_what_is_no_such_sum_has_no_root() -> None:
    sine = Node("sin", R, False)
    assert root_of_sum(add(num(2), sine)) is None
    assert root_of_sum(add(num(1), mul(num(2), sine))) is None
    assert root_of_sum(add(num(-1), sine)) is None
    assert root_of_sum(add(R, sine)) is None
    assert root_of_sum(add(num(1), sine, minus(R))) is None
    assert root_of_sum(add(num(3), mul(num(-3), sine))) is not None
