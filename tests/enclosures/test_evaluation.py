"""One evaluation, many nodes, each with its own value; and powers of balls."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from dpverify.enclosures import Ball, Evaluation
from dpverify.enclosures.ball import whole_power
from dpverify.enclosures.nodes import num
from dpverify.kernel import tree
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import evaluation as kernel


def test_nodes_that_are_gone_leave_no_value_behind() -> None:
    """A node made for one comparison may lie where an earlier one lay; a memory by address mixed them up."""
    evaluation = Evaluation(Ball(arb(1)))
    assert all(bool(evaluation.value(num(k)).x == k) for k in range(200))


def test_nor_do_they_in_the_kernel() -> None:
    evaluation = kernel.Evaluation(interval(Fraction(1)))
    values = [evaluation.value(tree.num(k)) for k in range(200)]
    assert all(v.lo <= k <= v.hi for k, v in enumerate(values))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
@pytest.mark.parametrize(("low", "high"), [(-1, 1), (-3, 1), (0, 2), (-2, 0), (1, 3)])
def test_a_whole_power_of_a_ball_is_that_of_its_points(low: int, high: int, n: int) -> None:
    """Balls about 0 among them, of which Arb's own power is no number."""
    found = whole_power(Ball.between(Fraction(low), Fraction(high)).x, n)
    values = [(low + (high - low) * k / 16) ** n for k in range(17)]
    assert found.is_finite()
    assert float(found.lower()) <= min(values) and max(values) <= float(found.upper())
    assert float(found.upper() - found.lower()) <= (max(values) - min(values)) * (1 + 1e-6)
