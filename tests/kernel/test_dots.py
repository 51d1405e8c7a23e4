"""What the coefficients of series take: on whole numbers exactly, and rounded outward."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from dpverify.kernel.intervals import D0, INF, Interval, interval
from dpverify.kernel.sections.dots import COUNTS, FEW, MANY, WHOLE, Rounded, by_parity, chosen, ends, least
from dpverify.kernel.sections.jets import Series

POINTS = (-5, -3, 0, 2, 7)
BOXES = [Interval(Decimal(a), Decimal(b)) for a, b in product(POINTS, repeat=2) if a <= b]
SIGNED = [x for x in BOXES if x.lo > 0 or x.hi < 0]
BOTH = pytest.mark.parametrize("by", [FEW, MANY], ids=["few", "many"])
THIRD, NINTH = interval(Fraction(1, 3)), Fraction(1, 9)


def same(x: Interval, low: object, high: object) -> bool:
    return (x.lo, x.hi) == (low, high)


def corners(x: Interval, y: Interval) -> tuple[Decimal, Decimal]:
    found = [a * b for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
    return min(found), max(found)


def outward(x: Interval, value: Fraction, digits: int) -> bool:
    """Whether a value that no decimal is lies inside, within one unit of the last digit."""
    inside = Fraction(x.lo) < value < Fraction(x.hi)
    return inside and Fraction(x.hi) - Fraction(x.lo) <= abs(value) * Fraction(10) ** (2 - digits)


def digits_of(by: Rounded) -> int:
    return 38 if by is FEW else 60


def test_ends_are_sorted_by_their_distance_from_0() -> None:
    two, five = Decimal(2), Decimal(5)
    assert ends(Interval(two, five)) == (two, five, 1)
    assert ends(Interval(-five, -two)) == (-two, -five, -1)
    assert ends(Interval(-two, five)) == (-two, five, 0)
    assert ends(Interval(D0, two)) == (D0, two, 1) and ends(Interval(-two, D0)) == (D0, -two, -1)
    assert ends(Interval(D0, D0)) is None
    assert [x and x[:2] for x in COUNTS[:3]] == [(1, 1), (2, 2), (3, 3)] and WHOLE[49] == 49


@BOTH
def test_products_are_as_narrow_as_corners_allow(by: Rounded) -> None:
    for x, y in product(BOXES, repeat=2):
        low, high = corners(x, y)
        assert same(by.dot([ends(x)], [ends(y)]), low, high)
        assert same(by.dot(map(ends, (x, y, x)), map(ends, (y, x, y))), 3 * low, 3 * high)
        assert [(z.lo, z.hi) for z in by.times([x, x], y)] == [(low, high)] * 2
    for x, y in product(BOXES, SIGNED):
        low, high = corners(x, y)
        assert same(by.product(x, y), low, high)
        assert by.scaled([ends(x)], [ends(y)]) == [ends(Interval(low, high))]
    assert by.scaled([ends(THIRD), None], [None, ends(THIRD)]) == [None, None]


@BOTH
def test_products_are_rounded_outward(by: Rounded) -> None:
    digits = digits_of(by)
    for s, t in product((1, -1), repeat=2):
        x, y, value = THIRD * s, THIRD * t, NINTH * s * t
        assert outward(by.dot([ends(x)], [ends(y)]), value, digits)
        assert outward(by.product(x, y), value, digits)
        assert outward(by.times([x], y)[0], value, digits)
        ((near, far, sign),) = filter(None, by.scaled([ends(x)], [ends(y)]))
        assert sign == s * t and outward(Interval(min(near, far), max(near, far)), value, digits)
    across = Interval(THIRD.hi.copy_negate(), THIRD.hi)
    for t in (1, -1):
        for first, second in ((across, THIRD * t), (THIRD * t, across), (across, across)):
            found = by.dot([ends(first)], [ends(second)])
            assert Fraction(found.lo) < -NINTH and Fraction(found.hi) > NINTH
        ((low, high, sign),) = filter(None, by.scaled([ends(across)], [ends(THIRD * t)]))
        assert sign == 0 and Fraction(low) < -NINTH and Fraction(high) > NINTH
        found = by.product(across, THIRD * t)
        assert Fraction(found.lo) < -NINTH and Fraction(found.hi) > NINTH


@BOTH
def test_an_unbounded_factor(by: Rounded) -> None:
    """0 times an end that is infinite is 0 (K1)."""
    for factor in (Interval(Decimal(2), INF), Interval(INF.copy_negate(), Decimal(-2))):
        x, zero = by.times([Interval(D0, Decimal(1)), Interval(D0, D0)], factor)
        assert same(x, *sorted((D0, INF if factor.lo > 0 else factor.lo))) and same(zero, 0, 0)


@BOTH
def test_parts_sums_and_differences(by: Rounded) -> None:
    digits = digits_of(by)
    assert same(by.part(Interval(Decimal(-6), Decimal(9)), 3), -2, 3)
    for sign in (1, -1):
        assert outward(by.part(interval(sign), 7), Fraction(sign, 7), digits)
    x, y = Interval(Decimal(-2), Decimal(5)), Interval(Decimal(1), Decimal(7))
    assert [(z.lo, z.hi) for z in by.sums([x, y], [y, x])] == [(-1, 12)] * 2
    assert [(z.lo, z.hi) for z in by.differences([x, y], [y, x])] == [(-9, 4), (-4, 9)]
    tiny = interval(Fraction(1, 10**70))
    for sign in (1, -1):
        value = Fraction(1) + Fraction(sign, 10**70)
        assert outward(by.sums([interval(1)], [tiny * sign])[0], value, digits)
        assert outward(by.differences([interval(1)], [tiny * -sign])[0], value, digits)


@BOTH
def test_rates_count_coefficients_and_end_where_these_are_0(by: Rounded) -> None:
    c = [interval(x) for x in (4, 3, 0, -2, 0, 0)]
    assert by.rates(c) == [ends(interval(3)), None, ends(interval(-6))]
    assert by.rates(c[:1]) == [] and by.rates([c[0], c[2], c[4]]) == []


@BOTH
@pytest.mark.parametrize("c", [[1, 2, 3, 4, 5], [0, -1, 4], [3, 0, 0, -2], [0, 0, 0, 0]], ids=str)
def test_the_square_of_a_polynomial(by: Rounded, c: list[int]) -> None:
    for n in range(len(c), 8):
        found = by.square([ends(interval(x)) for x in c], n)
        padded = [*c, *[0] * n]
        exact = [sum(padded[j] * padded[k - j] for j in range(k + 1)) for k in range(n)]
        assert [(x.lo, x.hi) for x in found] == [(x, x) for x in exact]


def test_a_series_times_itself_is_its_square() -> None:
    u = Series([interval(Fraction(1, k + 3)) for k in range(13)])
    for x, y in zip((u * u).c, (u * Series(u.c)).c, strict=True):
        assert abs(x.lo - y.lo) < Decimal("1e-36") and x.lo <= y.hi and y.lo <= x.hi


@BOTH
def test_a_polynomial_about_the_points_of_a_panel(by: Rounded) -> None:
    """Each of x^(j - k) alone, with a coefficient that is negative, positive, or holds 0."""
    zero = interval(0)
    for n, j in product((5, 6), range(5)):
        for x in BOXES:
            c = [zero] * n
            c[j] = x
            found = by.about_each_point(c)
            for k, y in enumerate(found):
                size = max(abs(x.lo), abs(x.hi))
                low, high = (
                    (x.lo, x.hi)
                    if j == k
                    else (D0, D0)
                    if j < k
                    else ((-size, size) if (j - k) % 2 else (min(x.lo, D0), max(x.hi, D0)))
                )
                assert same(y, comb(j, k) * low, comb(j, k) * high)
            (first,) = by.about_each_point(c, 1)
            assert same(first, found[0].lo, found[0].hi)
    (first,) = by.about_each_point([interval(1), THIRD, THIRD], 1)
    assert Fraction(first.lo) < Fraction(2, 3) and Fraction(5, 3) < Fraction(first.hi)
    assert chosen(1, 5) == [2, 3, 4] and chosen(4, 5) == []
    assert by_parity([Decimal(1)] * 3, [Decimal(2)] * 3) == ([1, 2, 1], [2, 1, 2])
    assert least([interval(3), interval(-4)]) == ([0, -4], [-3, -4])


def test_series_of_few_coefficients_have_fewer_digits() -> None:
    assert Series([THIRD] * 13).by is FEW and Series([THIRD] * 14).by is MANY
