"""Increments of powers of what is 0 (K445), over intervals and their slopes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ZERO, hull, interval
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.unsteady import power_from_zero

NOTHING = Slope(ZERO, ZERO)


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 3), Fraction(7, 2), Fraction(9)])
def test_the_increment_is_the_power_of_the_step(p: Fraction) -> None:
    q = float(p)
    for low, high in ((1, 1), (2, 5)):
        found = Shift(NOTHING, Slope(hull(interval(low), interval(high)), interval(1))).power(p).du
        for x in (low, high):
            assert float(found.u.lo) - 1e-9 <= x**q <= float(found.u.hi) + 1e-9
            assert float(found.du.lo) - 1e-9 <= q * x ** (q - 1) <= float(found.du.hi) + 1e-9
    still = Shift(NOTHING, NOTHING).power(p).du
    assert still.u.lo == still.u.hi == 0


def test_from_zero_down_there_is_no_root_and_no_negative_power() -> None:
    below = Shift(NOTHING, Slope(interval(-1), ZERO))
    with pytest.raises(Rejected):
        below.power(Fraction(1, 2))
    with pytest.raises(Rejected):
        Shift(NOTHING, Slope(interval(1), ZERO)).power(Fraction(-1, 2))


def test_near_zero_is_not_zero() -> None:
    """Where u may be 0 or not, the other rule stands, which divides by it."""
    wide = Slope(hull(interval(-1), interval(1)), ZERO)
    with pytest.raises(Rejected):
        Shift(wide, Slope(interval(2), ZERO)).power(Fraction(1, 2))
    assert power_from_zero(Shift(NOTHING, Slope(interval(4), ZERO)), Fraction(1, 2)).du.u.lo <= 2


def test_the_power_0_of_what_is_0_has_no_increment_here() -> None:
    """K445 is for p > 0: with p = 0 it would say that 1 is 0 where r is."""
    with pytest.raises(Rejected):
        Shift(ZERO, interval(Fraction(1, 2))).power(Fraction(0))
