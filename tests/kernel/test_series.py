"""Power series, panels and shares of spheres, against mpmath's series and integrals and against exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.sections.dots import MANY
from dpverify.kernel.sections.exponentials import softplus
from dpverify.kernel.sections.jets import (
    Jet,
    Series,
    arctangent,
    dot,
    panel,
    power_factors,
    share,
    share_at,
    share_of,
)
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.waves import waves_along

DIGITS = 45
ORDER = 8


def number(x: Any) -> Any:
    return mp.mpf(str(x)) if not isinstance(x, Fraction) else mp.mpf(x.numerator) / x.denominator


def holds(found: Interval, value: Any, width: float | None = None) -> bool:
    """Whether an interval contains a number, and is as narrow as is asked."""
    low, high = number(found.lo), number(found.hi)
    inside = low - mp.mpf(10) ** -DIGITS <= value <= high + mp.mpf(10) ** -DIGITS
    return bool(inside and (width is None or high - low <= width))


def between(low: Fraction | int, high: Fraction | int) -> Interval:
    return hull(interval(low), interval(high))


WHOLE = [between(a, b) for a, b in product((-3, -1, 0, 2, 5), repeat=2) if a <= b]


@pytest.mark.parametrize("x", WHOLE, ids=lambda x: f"{x.lo} to {x.hi}")
def test_a_sum_of_products_is_as_narrow_as_the_intervals_allow(x: Interval) -> None:
    """Of whole numbers nothing is rounded: its ends are sums of the least and of the largest products."""

    def ends(y: Interval) -> tuple[int, int]:
        corners = [int(a) * int(b) for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
        return min(corners), max(corners)

    for y, z in product(WHOLE, repeat=2):
        found = dot([x, x], [y, z])
        assert (found.lo, found.hi) == (ends(y)[0] + ends(z)[0], ends(y)[1] + ends(z)[1])
        found = dot([y, x], [x, z])
        assert (found.lo, found.hi) == (ends(y)[0] + ends(z)[0], ends(y)[1] + ends(z)[1])


def test_a_sum_of_products_is_rounded_outward() -> None:
    third = interval(Fraction(1, 3))
    for sign in (1, -1):
        found = dot([third * sign, third], [third, third * sign])
        assert Fraction(found.lo) <= Fraction(2 * sign, 9) <= Fraction(found.hi)
        assert found.lo < found.hi


Function = tuple[str, Callable[[Series], Series], Callable[[Any], Any]]
FUNCTIONS: list[Function] = [
    ("exp", Series.exp, mp.exp),
    ("log", Series.log, mp.log),
    ("inverse", Series.inverse, lambda u: 1 / u),
    ("square root", lambda u: u.power(Fraction(1, 2)), mp.sqrt),
    ("power 3/2", lambda u: u.power(Fraction(3, 2)), lambda u: u ** mp.mpf("1.5")),
    ("power -2", lambda u: u.power(Fraction(-2)), lambda u: u**-2),
    ("power 5", lambda u: u.power(Fraction(5)), lambda u: u**5),
    ("power 6", lambda u: u.power(Fraction(6)), lambda u: u**6),
    ("power 0", lambda u: u.power(Fraction(0)), lambda u: mp.mpf(1)),
    ("product", lambda u: u.exp() * u, lambda u: u * mp.exp(u)),
    ("difference", lambda u: u * u - u * 3 + 2, lambda u: u * u - 3 * u + 2),
    ("softplus", lambda u: softplus(u, 1), lambda u: mp.log(1 + mp.exp(u))),
    ("softplus of a decrease", lambda u: softplus(-u, -1), lambda u: mp.log(1 - mp.exp(-u))),
]


def inner(x: Any) -> Any:
    """1/2 + x/3 + x^2/5."""
    return mp.mpf(1) / 2 + x / 3 + x * x / 5


INNER = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)]


@pytest.mark.parametrize(("name", "ours", "truth"), FUNCTIONS, ids=[name for name, _, _ in FUNCTIONS])
def test_the_series_of_a_function_are_taylors(name: str, ours: Any, truth: Any) -> None:
    """About the middle of a panel each coefficient is the derivative's, and the whole's hold those about every
    point."""
    with mp.workdps(60):
        found = panel(ORDER, [x / 8 if k else x for k, x in enumerate(INNER)]).of(ours)

        def scaled(x: Any) -> Any:
            return truth(mp.mpf(1) / 2 + x / 24 + x * x / 40)

        for k, c in enumerate(mp.taylor(scaled, 0, ORDER)):
            assert holds(found.middle.c[k], c, 1e-34), k
        for at in (-1, -0.5, 0, 0.25, 1):
            for k, c in enumerate(mp.taylor(scaled, at, ORDER)):
                assert holds(found.whole.c[k], c), (at, k)
                assert holds(found.narrow().whole.c[k], c), (at, k)


@pytest.mark.parametrize(("name", "ours", "truth"), FUNCTIONS, ids=[name for name, _, _ in FUNCTIONS])
def test_what_a_function_is_on_a_panel_and_its_integral(name: str, ours: Any, truth: Any) -> None:
    """To some ten digits, from a polynomial of degree 8 on a panel of length 1/12."""
    with mp.workdps(60):
        middle, half = Fraction(1, 2), Fraction(1, 24)
        found = panel(ORDER, [middle, half]).of(ours)
        integral = mp.quad(truth, [number(middle - half), number(middle + half)]) / number(half)
        assert holds(found.integral(), integral, 1e-8 * (1 + abs(integral)))
        values = [truth(number(middle) + number(half) * x / 10) for x in range(-10, 11)]
        assert all(holds(found.span(), value) for value in values)
        size = max(values) - min(values)
        assert number(found.span().hi) - number(found.span().lo) <= 2.5 * size + mp.mpf(10) ** -8


def test_a_constant_has_no_slope_and_the_first_two_coefficients_are_value_and_slope() -> None:
    u = panel(3, [Fraction(5), Fraction(7), Fraction(2)]).middle
    assert (u.u.lo, u.du.lo) == (5, 7)
    assert [x.lo for x in u.const(4).c] == [4, 0, 0, 0]
    assert [x.hi for x in u.const(4).c] == [4, 0, 0, 0]
    assert [x.lo for x in (u * Fraction(3)).c] == [15, 21, 6, 0]
    assert [x.lo for x in (-u).c] == [-5, -7, -2, 0]


def test_what_has_no_series_is_refused() -> None:
    u = panel(2, [Fraction(1), Fraction(1)]).middle
    with pytest.raises(Rejected, match="no series"):
        u + Slope(interval(1), interval(1))
    with pytest.raises(Rejected):
        panel(4, [Fraction(0), Fraction(1)]).of(Series.log)
    with pytest.raises(Rejected):
        panel(4, [Fraction(0), Fraction(1)]).of(Series.inverse)
    with pytest.raises(Rejected):
        panel(4, [Fraction(0), Fraction(1)]).of(lambda u: u.power(Fraction(1, 2)))


def test_jets_add_and_subtract_and_multiply_on_both_levels() -> None:
    a, b = panel(3, [Fraction(1), Fraction(2)]), panel(3, [Fraction(5), Fraction(-1), Fraction(3)])
    for found, exact in ((a + b, [6, 1, 3, 0]), (a - b, [-4, 3, -3, 0]), (a * b, [5, 9, 1, 6]), (a + 2, [3, 2, 0, 0])):
        assert [x.lo for x in found.middle.c] == [x.hi for x in found.middle.c] == exact
        for at in range(-1, 2):
            moved = about([Fraction(x) for x in exact], Fraction(at))
            assert all(x.lo <= y <= x.hi for x, y in zip(found.whole.c, moved, strict=True))
    assert [x.lo for x in (a * 3).middle.c] == [3, 6, 0, 0]
    assert [x.lo for x in (-a).middle.c] == [-1, -2, 0, 0]


def about(c: Sequence[Fraction], x: Fraction) -> list[Fraction]:
    """The coefficients of a polynomial about x."""
    return [sum(comb(j, k) * c[j] * x ** (j - k) for j in range(k, len(c))) for k in range(len(c))]


@pytest.mark.parametrize("c", [[1, 2, 3, 4, 5], [0, -1, 4, 0, 2], [3, 0, 0, 0, -1]], ids=str)
def test_a_polynomial_about_each_point(c: list[int]) -> None:
    found = MANY.about_each_point([interval(x) for x in c])
    for k in range(len(c)):
        reached = sum(comb(j, k) * abs(c[j]) for j in range(k + 1, len(c)))
        even = sum(comb(j, k) * min(0, c[j]) for j in range(k + 1, len(c)) if (j - k) % 2 == 0)
        odd = sum(comb(j, k) * abs(c[j]) for j in range(k + 1, len(c)) if (j - k) % 2)
        assert found[k].lo == c[k] + even - odd
        assert found[k].hi <= c[k] + reached
    for x in (Fraction(n, 7) for n in range(-7, 8)):
        assert all(y.lo <= z <= y.hi for y, z in zip(found, about([Fraction(z) for z in c], x), strict=True))


def test_the_remainder_of_a_jet_is_that_of_the_whole() -> None:
    """x + [-1, 2] x^2 has values from -2 to 3 on the panel, and an integral between -2/3 and 4/3."""
    middle = Series([interval(0), interval(1), interval(7)])
    whole = Series([between(-9, 9), between(-9, 9), between(-1, 2)])
    jet = Jet(middle, whole)
    assert (jet.span().lo, jet.span().hi) == (-2, 3)
    low, high = (Fraction(x) for x in (jet.integral().lo, jet.integral().hi))
    assert low <= Fraction(-2, 3) < low + Fraction(1, 10**40) and high - Fraction(1, 10**40) < Fraction(4, 3) <= high
    assert [(x.lo, x.hi) for x in jet.narrow().whole.c] == [(-2, 3), (-3, 5), (-1, 2)]


def test_what_counts_a_coefficient_in_a_power() -> None:
    minus, zero, plus = power_factors(Fraction(1, 2), 3)
    assert minus == (Decimal("-1.5"), Decimal("-1.5"), -1) and zero is None
    assert plus == (Decimal("1.5"), Decimal("1.5"), 1)


@pytest.mark.parametrize("x", ["0", "1e-9", "0.1", "0.5", "0.99", "1"])
def test_the_arctangent(x: str) -> None:
    with mp.workdps(60):
        assert holds(arctangent(interval(Fraction(x))), mp.atan(mp.mpf(x)), 1e-44)


def truth_of_share(t: Any, d: int) -> Any:
    return mp.betainc(mp.mpf(d - 1) / 2, mp.mpf(d - 1) / 2, 0, (1 + t) / 2, regularized=True)


@pytest.mark.parametrize("d", [2, 3, 4, 5, 8, 13])
@pytest.mark.parametrize("t", ["-1", "-0.999", "-0.5", "0", "0.001", "0.7", "1"])
def test_the_share_of_a_sphere(t: str, d: int) -> None:
    with mp.workdps(60):
        assert holds(share(interval(Fraction(t)), d), truth_of_share(mp.mpf(t), d), 1e-40)


@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_share_of_a_sphere_rises_and_stays_between_nought_and_one(d: int) -> None:
    with mp.workdps(60):
        wide = share(between(Fraction(-1, 3), Fraction(1, 2)), d)
        ends = [truth_of_share(mp.mpf(x), d) for x in (-mp.mpf(1) / 3, mp.mpf(1) / 2)]
        assert all(holds(wide, x) for x in ends)
        assert number(wide.hi) - number(wide.lo) <= ends[1] - ends[0] + mp.mpf(10) ** -30
    for beyond, value in ((between(-3, -2), 0), (between(2, 3), 1), (between(-2, -1), 0), (between(1, 2), 1)):
        assert (share(beyond, d).lo, share(beyond, d).hi) == (value, value)
    assert (share(between(-2, 2), d).lo, share(between(-2, 2), d).hi) == (0, 1)
    assert (share_at(between(-2, -1), d).hi, share_at(between(1, 2), d).lo) == (0, 1)


@pytest.mark.parametrize("d", [2, 3, 4, 5, 7, 10])
def test_the_share_of_a_sphere_on_a_panel(d: int) -> None:
    with mp.workdps(60):

        def shares(x: Any) -> Any:
            return truth_of_share((mp.mpf(2) + x) / 8, d)

        found = share_of(panel(6, [Fraction(1, 4), Fraction(1, 8)]), d)
        for k, c in enumerate(mp.taylor(shares, 0, 6)):
            assert holds(found.middle.c[k], c, 1e-34), k
        for at in (-1, 0, 1):
            for k, c in enumerate(mp.taylor(shares, at, 6)):
                assert holds(found.whole.c[k], c), (at, k)


def test_what_may_be_negative_is_no_square_and_a_number() -> None:
    """A square times a positive number, and a number that is not negative: of such is known where they vanish."""
    square = panel(4, (Fraction(2), Fraction(1))).whole.power(Fraction(2))
    for kept in (square, square * 3, square + 1, square * 2 + 5, square + hull(interval(1), interval(2))):
        assert kept.square is not None
    for other in (square + hull(interval(-1), interval(1)), square + -1, square * -1, -square, square + square):
        assert other.square is None


@pytest.mark.parametrize("turns", [False, True])
def test_cosine_and_sine_along_a_series_are_taylors(turns: bool) -> None:
    """Of 1/3 + 2 t - t^2/2 + 3 t^3, also in half turns, to the sixth power of t."""
    c = [Fraction(1, 3), Fraction(2), Fraction(-1, 2), Fraction(3), Fraction(0), Fraction(0), Fraction(0)]
    found = waves_along(Series([interval(x) for x in c]), turns)
    with mp.workdps(DIGITS + 10):
        angle = [(mp.pi if turns else 1) * number(x) for x in c]
        term = [mp.mpc(1), *[mp.mpc(0)] * 6]
        power = list(
            term
        )  # e^(i u) less its first factor: the sum of (i u)^k/k!, u the angle less its first coefficient
        for k in range(1, 7):
            term = [sum(1j * angle[j] * term[n - j] for j in range(1, n + 1)) / k for n in range(7)]
            power = [x + y for x, y in zip(power, term, strict=True)]
        circle = [mp.expj(angle[0]) * x for x in power]
        for ours, exact in zip(found, ([z.real for z in circle], [z.imag for z in circle]), strict=True):
            assert all(holds(x, y, 1e-20) for x, y in zip(ours.c, exact, strict=True))


@pytest.mark.parametrize("d", [2, 3, 10])
def test_the_share_below_what_is_nearly_an_end(d: int) -> None:
    """Of a height that is known to 10^-40 about -1 or 1 no root of what may be negative is taken."""
    near = between(-Fraction(1, 10**40), Fraction(1, 10**40))
    for end, value in ((-1, 0), (1, 1), (0, Fraction(1, 2))):
        found = share(near + end, d)
        assert Fraction(found.lo) <= value <= Fraction(found.hi)
        assert found.hi - found.lo < Decimal("1e-18")


@pytest.mark.parametrize("d", [2, 4])
@pytest.mark.parametrize(("low", "high"), [(-1, 3), (-3, 1), (-2, 0), (0, 2), (5, 7), (-7, -5)])
def test_the_share_below_a_height_that_is_nearly_known(d: int, low: int, high: int) -> None:
    """F_2 = 1/2 + asin(t)/pi, and F_4 is t sqrt(1 - t^2)/pi more: next to 0 from its least to its largest."""
    found = share(between(Fraction(low, 10**34), Fraction(high, 10**34)), d)
    with mp.workdps(60):
        for t in (mp.mpf(low) / mp.mpf(10) ** 34, mp.mpf(high) / mp.mpf(10) ** 34):
            value = mp.mpf(1) / 2 + (mp.asin(t) + (t * mp.sqrt(1 - t * t) if d == 4 else 0)) / mp.pi
            assert number(found.lo) <= value + mp.mpf(10) ** -50 and value - mp.mpf(10) ** -50 <= number(found.hi)


def test_a_series_less_a_number() -> None:
    u = Series([interval(5), interval(1), interval(2)])
    assert [x.lo for x in (u - 2).c] == [3, 1, 2] and [x.lo for x in (u - u * 3).c] == [-10, -2, -4]
