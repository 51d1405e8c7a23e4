"""Functions of intervals to the last digit: of single numbers, of next to nothing, of wide and of unbounded ones."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ANY, INF, NEG_INF, ZERO, Interval, interval
from dpverify.kernel.sections.constants import PI
from tests.kernel.test_arithmetic import to_arb

LONG = Context(prec=200)
POINTS = [LONG.divide(Decimal(k), Decimal(7)).quantize(Decimal("1e-58"), context=LONG) for k in range(1, 40)]
WIDTHS = ["0", "4e-60", "1e-59", "3e-32", "9.7e-32", "2e-31", "1e-20", "1e-9", "3e-8", "2"]


def ends(width: str) -> list[tuple[Decimal, Decimal]]:
    ones = [Decimal(1), Decimal("1e-3"), Decimal("123456")]
    return [(x, LONG.add(x, Decimal(width))) for x in (*POINTS, *ones)]


@pytest.fixture(autouse=True)
def precise() -> None:
    ctx.prec = 800


def holds(found: Interval, low: arb, high: arb, loose: str) -> None:
    """Both ends of what a rising function of an interval is, with no more than a share besides."""
    assert to_arb(found.lo) <= low and to_arb(found.hi) >= high
    assert low - to_arb(found.lo) <= abs(low) * arb(loose) + arb("1e-57")
    assert to_arb(found.hi) - high <= abs(high) * arb(loose) + arb("1e-57")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("sign", [1, -1])
def test_exponentials_are_enclosed_to_the_last_digit(width: str, sign: int) -> None:
    for a, b in ends(width):
        if a < 100:
            low, high = (a, b) if sign > 0 else (-b, -a)
            rough = (
                "1e-18"
                if Decimal(width) > Decimal("1e-8")
                else "3e-31"
                if Decimal(width) < Decimal("1e-30")
                else "1e-57"
            )
            holds(Interval(low, high).exp(), to_arb(low).exp(), to_arb(high).exp(), rough)


@pytest.mark.parametrize("width", WIDTHS)
def test_logarithms_are_enclosed_to_the_last_digit(width: str) -> None:
    for a, b in ends(width):
        rough = "1e-18" if (b - a) / a > Decimal("1e-9") else "3e-31" if (b - a) / a < Decimal("1e-30") else "1e-57"
        holds(Interval(a, b).log(), to_arb(a).log(), to_arb(b).log(), rough)


@pytest.mark.parametrize("width", ["0", "1e-40", "1"])
def test_square_roots_are_enclosed_to_the_last_digit(width: str) -> None:
    for a, b in ends(width):
        found = Interval(a, b).power(Fraction(1, 2))
        assert Fraction(found.lo) ** 2 <= Fraction(a) and Fraction(found.hi) ** 2 >= Fraction(b)
        assert Fraction(found.lo) * (1 + Fraction(1, 10**58)) >= Fraction(found.hi) or width == "1" or b > a
    for n in (0, 1, 4, 9, Decimal("0.25"), Decimal("1e40")):
        root = Interval(Decimal(n), Decimal(n)).power(Fraction(1, 2))
        assert root.lo == root.hi and root.lo * root.lo == n
    assert Interval(Decimal(1), INF).power(Fraction(1, 2)).hi == INF


@pytest.mark.parametrize(
    ("found", "lo", "hi"),
    [
        (lambda: Interval(Decimal(0), INF) * ZERO, 0, 0),
        (lambda: ZERO * ANY, 0, 0),
        (lambda: Interval(Decimal(0), Decimal(1)) * ANY, NEG_INF, INF),
        (lambda: ANY * Interval(Decimal(0), Decimal(1)), NEG_INF, INF),
        (lambda: ANY * Interval(Decimal(-1), Decimal(0)), NEG_INF, INF),
        (lambda: Interval(Decimal(-1), Decimal(0)) * Interval(Decimal(2), INF), NEG_INF, 0),
        (lambda: Interval(NEG_INF, Decimal(0)) * Interval(Decimal(-1), Decimal(0)), 0, INF),
        (lambda: Interval(Decimal(-2), Decimal(0)).inverse(), NEG_INF, Decimal("-0.5")),
        (lambda: Interval(Decimal(0), Decimal(4)).inverse(), Decimal("0.25"), INF),
        (lambda: Interval(Decimal(4), INF).inverse(), 0, Decimal("0.25")),
        (lambda: Interval(NEG_INF, Decimal(-4)).inverse(), Decimal("-0.25"), 0),
        (lambda: ANY.exp(), 0, INF),
        (lambda: Interval(NEG_INF, Decimal(0)).exp(), 0, 1),
        (lambda: Interval(Decimal(0), Decimal(0)).exp(), 1, 1),
        (lambda: Interval(Decimal(0), INF).log(), NEG_INF, INF),
        (lambda: Interval(Decimal(1), Decimal(1)).log(), 0, 0),
        (lambda: Interval(Decimal(0), Decimal(1)).log(), NEG_INF, 0),
        (lambda: Interval(Decimal(1), INF).log(), 0, INF),
        (lambda: Interval(Decimal(-3), Decimal(2)).power(Fraction(2)), 0, 9),
        (lambda: Interval(Decimal(-3), Decimal(-2)).power(Fraction(2)), 4, 9),
        (lambda: Interval(Decimal(-3), Decimal(2)).power(Fraction(0)), 1, 1),
        (lambda: Interval(Decimal(-3), Decimal(2)).power(Fraction(3)), -27, 18),
        (lambda: Interval(Decimal(2), Decimal(4)).power(Fraction(-2)), Decimal("0.0625"), Decimal("0.25")),
    ],
)
def test_ends_that_are_exact_or_infinite(found: Callable[[], Interval], lo: Any, hi: Any) -> None:
    assert (found().lo, found().hi) == (lo, hi)


@pytest.mark.parametrize(
    ("low", "high", "finite"), [("-1", "1", True), ("-Infinity", "1", False), ("1", "Infinity", False)]
)
def test_both_ends_of_what_is_finite_are(low: str, high: str, finite: bool) -> None:
    assert Interval(Decimal(low), Decimal(high)).finite() is finite


@pytest.mark.parametrize(
    ("low", "high", "sign"),
    [(1, 2, 1), (-2, -1, -1), (0, 0, 0), (0, 1, None), (-1, 0, None), (-1, 1, None)],
)
def test_signs_of_intervals(low: int, high: int, sign: int | None) -> None:
    assert Interval(Decimal(low), Decimal(high)).sign() == sign


@pytest.mark.parametrize(("low", "high"), [(0, 0), (-1, 1), (-1, 2)])
def test_no_inverse_reaches_over_zero(low: int, high: int) -> None:
    with pytest.raises(Rejected, match="divides by zero"):
        Interval(Decimal(low), Decimal(high)).inverse()


def test_pi_and_quotients_are_within_a_unit_of_the_sixtieth_digit() -> None:
    assert to_arb(PI.lo) < arb.pi() < to_arb(PI.hi) and PI.hi - PI.lo < Decimal("3e-59")
    for n in range(1, 30):
        q = Fraction(n, 7)
        found = interval(q)
        assert Fraction(found.lo) <= q <= Fraction(found.hi) and found.hi - found.lo <= Decimal("1e-58")
