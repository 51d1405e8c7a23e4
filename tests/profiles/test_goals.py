"""When slopes of the divergence on a cell of shifts are known closely enough for the bound that is carried along."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from dpverify.prover.profile.slope import Cell, Goal


def met(goal: Goal, least: float, most: float) -> bool:
    return goal.met(Cell(Fraction(0), Fraction(1), (), "", "", arb(least), arb(most)))


@pytest.mark.parametrize("side", [-1, 1])
def test_to_either_side_a_fall_or_little_of_a_rise_is_enough(side: int) -> None:
    """Toward smaller shifts H falls where its slope is positive, toward larger ones where it is negative."""
    goal = Goal(width=0.25, side=side, fall=1.0, rise=0.125)

    def slopes(fall: float, width: float) -> bool:
        """Slopes on a cell of which the one that falls least to the side falls so steeply."""
        ends = (fall, fall + width) if side < 0 else (-fall - width, -fall)
        return met(goal, *ends)

    assert slopes(1, 5) and slopes(7, 5)
    assert not slopes(0.5, 5) and not slopes(0, 5)
    assert slopes(-0.125, 5) and slopes(-0.0625, 5)
    assert not slopes(-0.25, 5)
    assert slopes(-9, 0.25) and slopes(0.5, 0.25)
    assert not slopes(-9, 0.5)


def test_what_is_not_known_at_all_is_not_enough() -> None:
    goal = Goal(width=1e9, side=-1, fall=-1e9, rise=1e9)
    assert not goal.met(Cell(Fraction(0), Fraction(1), (), "", "", arb.nan(), arb.nan()))
    assert not met(Goal(1.0, -1, 1.0, 1.0), float("-inf"), float("inf"))
