"""rho between two orders and beyond the last (K246): the largest value of the bound, found by a plain search."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.sections import suprema
from dpverify.kernel.sections.suprema import between
from tests.profiles.coarse import digits
from tests.profiles.panel import number

Q = Fraction


def largest(a: Fraction, first: Fraction, b: Fraction, last: Fraction) -> tuple[bool, Any]:
    """Whether p < 0 < q on the line p + q k through k D_L at both orders; the largest (p + q k)/(k (k + 1)), k = L - 1,
    which is at an end or where q k^2 + 2 p k + p = 0."""
    k, n = number(a - 1), number(b - 1)
    low, high = k * number(first), n * number(last)
    q = (high - low) / (n - k)
    p = low - q * k
    if not k or not p < 0 < q:
        return False, mp.inf
    turn = (mp.sqrt(p * p - p * q) - p) / q
    return True, max((p + q * x) / (x * (x + 1)) for x in (k, n, *([turn] if k < turn < n else [])))


CASES = [
    (Q(a), Q(first), Q(b), Q(last))
    for a, b in (("3/2", "2"), ("4/3", "5/3"), ("2", "3"), ("2", "40"), ("11/10", "12/10"), ("7", "8"), ("5/3", "31/3"))
    for first, last in (
        ("1", "2"),
        ("1/3", "1/2"),
        ("1", "101/100"),
        ("1/7", "9/7"),
        ("2", "1"),
        ("1", "1"),
        ("3", "7"),
    )
]


def test_the_largest_value_between_two_orders() -> None:
    turning, seen = 0, set()
    with mp.workdps(80):
        for case in CASES:
            a, first, b, last = case
            inside, exact = largest(*case)
            found = between(a, interval(first), b, interval(last))
            seen.add(inside)
            assert (found == INF) is not inside
            if inside:
                assert exact * (1 - mp.mpf(10) ** -58) <= number(found) <= exact * (1 + mp.mpf(10) ** -50)
                turning += exact > max(number(first / a), number(last / b)) * (1 + mp.mpf(10) ** -6)
    assert seen == {True, False} and turning >= 3


@pytest.mark.parametrize("count", [3, 4, 6])
def test_the_largest_value_is_rounded_upward_throughout(count: int) -> None:
    """Of few digits it is no less, where both bounds are as they are given: decimals of two."""
    with mp.workdps(40), digits(count):
        for a, first, b, last in CASES:
            low, high = (Q(round(x * 50), 50) for x in (first, last))
            exact = largest(a, low, b, high)[1]
            found = between(a, interval(low), b, interval(high))
            assert found == INF or number(found) >= exact


@pytest.mark.parametrize(
    ("count", "a", "last", "b", "end"), [(3, "3/2", "9/5", "4", "5"), (2, "2", "1/10", "3", "13/100")]
)
def test_where_the_largest_value_lies_is_rounded_to_both_sides(count: int, a: str, last: str, b: str, end: str) -> None:
    with mp.workdps(40), digits(count):
        found = between(Q(a), interval(Q(last)), Q(b), interval(Q(end)))
        assert number(found) >= largest(Q(a), Q(last), Q(b), Q(end))[1]


def test_an_order_that_is_known_between_two_numbers_counts_with_the_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the turn the bound falls, so its largest value is at the lower one; before it at the upper."""
    little, exactly = Q(1, 1000), interval
    monkeypatch.setattr(suprema, "interval", lambda x: Interval(interval(x - little).lo, interval(x + little).hi))
    one, two = Q(1), Q(2)
    with mp.workdps(40):
        for k, n, first, last, at in ((2, 4, one, Q(6, 5), 2 - little), (1, 2, Q(1, 10), two, 2 + little)):
            q = (n * number(last) - k * number(first)) / (n - k)
            p = (number(first) - q) * k
            exact = (p + q * number(at)) / (number(at) * (number(at) + 1))
            assert abs(number(between(Q(k + 1), exactly(first), Q(n + 1), exactly(last))) - exact) < 1e-30


def test_bounds_of_both_orders_count_from_above() -> None:
    case = (Q(2), interval(Q(1)), Q(3), interval(Q(2)))
    wide = [Interval(Decimal(0), x.hi) for x in (case[1], case[3])]
    assert between(case[0], wide[0], case[2], wide[1]) == between(*case) < INF


@pytest.mark.parametrize(
    ("a", "first", "b", "last"),
    [
        ("1", "1", "2", "2"),
        ("2", "1", "3", "1"),
        ("2", "-2", "3", "-1"),
        ("2", "2", "3", "1"),
        ("4/3", "-2", "5/3", "-1"),
    ]
    + [("4/3", "1/3", "5/3", "1/3")],
)
def test_a_line_that_tells_nothing(a: str, first: str, b: str, last: str) -> None:
    """k = 0, p or q is 0, also where that is known to sixty digits only, or of the other sign."""
    assert between(Q(a), interval(Q(first)), Q(b), interval(Q(last))) == INF


class Known:
    """A profile of which these divergences are known: D_L, and an end or a tail."""

    def __init__(self, end: Fraction | None = None, tail: bool = False, ended: bool = True) -> None:
        self.levels, self.ended, self.tail = [Q(0), end or Q(1)], ended, self if tail else None

    def share(self, order: Fraction) -> Interval:
        return Interval(Decimal(0), interval(1 / (order + 2)).hi)

    def needs_end(self) -> None:
        if not self.ended:
            raise Rejected("does not end")


def rho(monkeypatch: pytest.MonkeyPatch, h: Any, bounds: dict[Fraction, tuple[Fraction, Fraction]]) -> Interval:
    known = {order: Interval(interval(low).lo, interval(high).hi) for order, (low, high) in bounds.items()}
    monkeypatch.setattr(suprema, "renyi", lambda h, order: known[order])
    return suprema.rho(h, [str(order) for order in bounds])


def test_rho_is_the_largest_of_what_each_part_of_the_orders_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least each D_L/L; at most D_b/a or the line between two orders, an end or a tail from the last one on."""
    little = Q(1, 1000)
    one = {Q(1): (little, little), Q(2): (little, little), Q(3): (Q(1, 3), Q(1, 2))}
    found = rho(monkeypatch, Known(little), one)
    assert found.lo == (interval(Q(1, 3)) * Q(1, 3)).lo
    with mp.workdps(70):
        assert abs(number(found.hi) - min(mp.mpf(1) / 4, largest(Q(2), little, Q(3), Q(1, 2))[1])) < mp.mpf(10) ** -50
    first = {Q(1): (little, little), Q(3): (Q(1, 3), Q(1, 2))}
    assert rho(monkeypatch, Known(little), first).hi == Decimal("0.5")
    falling = {Q(2): Q(1, 2), Q(3): Q(1, 4)}
    at_last = {Q(1): (Q(1, 2), Q(1, 2)), **{order: (x, x) for order, x in falling.items()}}
    assert rho(monkeypatch, Known(little), at_last).hi == Decimal("0.5")
    assert rho(monkeypatch, Known(little), {Q(x): (little, little) for x in (1, 2, 3)}).hi == interval(little).hi
    small = {Q(1): (little, little), Q(2): (little, little), Q(3): (little, little)}
    assert rho(monkeypatch, Known(Q(1)), small).hi == interval(Q(1, 3)).hi
    assert rho(monkeypatch, Known(tail=True), small).hi == interval(Q(1, 5)).hi
    one_third = {Q(1): (Q(1, 3), Q(1, 3)), Q(2): (Q(1, 3), Q(1, 3))}
    assert rho(monkeypatch, Known(little), one_third).lo == interval(Q(1, 3)).lo


@pytest.mark.parametrize("orders", [[1], [2, 3], [1, 1], [1, 3, 2], []])
def test_orders_that_do_not_rise_from_1(monkeypatch: pytest.MonkeyPatch, orders: Sequence[int]) -> None:
    monkeypatch.setattr(suprema, "renyi", lambda h, order: interval(1))
    with pytest.raises(Rejected):
        suprema.rho(Known(), [str(order) for order in orders])  # type: ignore[arg-type]


def test_without_an_end_or_a_tail_there_is_no_rho(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Rejected, match="does not end"):
        rho(monkeypatch, Known(ended=False), {Q(1): (Q(1), Q(1)), Q(2): (Q(1), Q(1))})
