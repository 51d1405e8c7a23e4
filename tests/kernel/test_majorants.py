"""What coefficients of logarithms and powers of a square and a number may be (K431), beside mpmath's Taylor series."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections.jets import Series, panel
from dpverify.kernel.sections.majorants import at_most, within

ORDER = 12
POWERS = (None, Fraction(-13, 2), Fraction(1, 2), Fraction(-1))
BENT = (Fraction(7, 2), Fraction(1, 2), Fraction(1, 16), Fraction(-1, 64))
"""A panel's own radius, bent a little: it is a polynomial of the third degree there."""


def squared(coefficients: tuple[Fraction, ...] = BENT[:2]) -> Series:
    """1 + v^2/3 about each point of a panel."""
    return panel(ORDER, coefficients).whole.power(Fraction(2)) * Fraction(1, 3) + 1


def listed(numbers: set[str], work: Callable[[], Series]) -> Series:
    """What a proof finds that lists so many rules."""
    token = LEDGER.set(Ledger(frozenset({"K151", *numbers})))
    try:
        return work()
    finally:
        LEDGER.reset(token)


def taken(u: Series, p: Fraction | None) -> Series:
    return u.log() if p is None else u.power(p)


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("coefficients", [BENT[:2], BENT])
def test_the_coefficients_about_any_point_of_a_panel(coefficients: tuple[Fraction, ...], p: Fraction | None) -> None:
    found = listed({"K431"}, lambda: taken(squared(coefficients), p))
    with mp.workdps(60):

        def function(x: mp.mpf) -> mp.mpf:
            v = mp.polyval([mp.mpf(c.numerator) / c.denominator for c in reversed(coefficients)], x)
            base = 1 + v * v / 3
            return mp.log(base) if p is None else base ** (mp.mpf(p.numerator) / p.denominator)

        for x in (-1, mp.mpf(-1) / 3, 0, mp.mpf(1) / 2, 1):
            for c, truth in zip(found.c, mp.taylor(function, x, ORDER), strict=True):
                slack = abs(truth) * mp.mpf(10) ** -20 + mp.mpf(10) ** -25  # mpmath's, of its differences
                assert mp.mpf(str(c.lo)) - slack <= truth <= mp.mpf(str(c.hi)) + slack


@pytest.mark.parametrize("p", POWERS)
def test_they_are_known_better_than_by_the_recurrence_alone(p: Fraction | None) -> None:
    """Which grows by the power of 1 + sqrt(2) more."""
    better, plain = (listed(numbers, lambda: taken(squared(), p)) for numbers in ({"K431"}, set[str]()))
    assert plain.c[0].hi == better.c[0].hi
    ratio = (plain.c[ORDER].hi - plain.c[ORDER].lo) / (better.c[ORDER].hi - better.c[ORDER].lo)
    assert ratio > 50


def test_what_is_no_square_and_a_number() -> None:
    r = panel(ORDER, BENT[:2]).whole
    square = r.power(Fraction(2))
    assert (square * -1 + 100).square is None
    assert (square + -1).square is None
    assert (square + r).square is None
    assert (r * 2 + 1).square is None
    assert (square * r).square is None
    for wrong in (r * 2 + 1, square * -1 + 100):
        with pytest.raises(Rejected) as refusal:
            within(wrong, wrong.log(), None)
        assert refusal.value.code == "K431"


def test_a_number_that_may_be_negative_is_none() -> None:
    square = panel(ORDER, BENT[:2]).whole.power(Fraction(2))
    wide = interval(Fraction(1)) + interval(Fraction(1)) * interval(Fraction(-2))
    assert (square + wide).square is None


ABOUT_ZERO = panel(ORDER, (Fraction(0), Fraction(1, 2))).whole


def test_the_bound_is_rounded_up_where_it_is_reached() -> None:
    """log(1 + x^2/9) = x^2/9 - ... about 0."""
    u = panel(ORDER, (Fraction(0), Fraction(1, 3))).middle.power(Fraction(2)) + 1
    assert within(u, u.log(), None).c[2].hi >= Fraction(1, 9)


@pytest.mark.parametrize(
    ("first", "factor"),
    [((0, 1), (1, 2)), ((-1, 1), (1, 2)), ((-2, -1), (1, 2)), ((1, 2), (0, 1)), ((1, 2), (-1, 1)), ((1, 2), (-2, -1))],
)
def test_only_of_a_positive_square_and_a_positive_sum(first: tuple[int, int], factor: tuple[int, int]) -> None:
    """A factor between -1 and 1 is no square's: the coefficients of log(1 - v^2) grow where v comes near 1."""
    u = Series([span(first), *ABOUT_ZERO.c[1:]], (ABOUT_ZERO, span(factor)))
    with pytest.raises(Rejected, match="no positive square and a number"):
        within(u, ABOUT_ZERO, None)


def span(ends: tuple[int, int]) -> Interval:
    return Interval(*map(Decimal, ends))


@pytest.mark.parametrize("ends", [(-2, 1), (-1, 2), (-2, -1), (1, 2)])
def test_the_largest_absolute_value(ends: tuple[int, int]) -> None:
    found = at_most(span(ends))
    assert found.lo == found.hi == 2
