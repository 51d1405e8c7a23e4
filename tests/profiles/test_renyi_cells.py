"""Small cells of a Renyi divergence's integral (K553-K559) and means of powers (K561), to their last digits."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import comb
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ANY, D0, D1, DOWN, ONE, UP, Interval, hull, interval
from dpverify.kernel.sections import directions, renyi, units
from dpverify.kernel.sections.jets import Jet, Series
from dpverify.kernel.sections.panels import Noise
from tests.profiles.test_renyi_integrals import density, laplace, number, proof_of

Q = Fraction
GAUSS, STEPS = "exp(-y)", "exp(-floor(r))"


def cells_of(text: str, d: int, order: Fraction, half: int, shift: str = "1") -> renyi.Cells:
    return renyi.Cells(Noise(proof_of(text, d, shift).problem, 2 * half, Q(0)), order)


def ends_of(x: Interval) -> tuple[Any, Any]:
    return mp.mpf(str(x.lo)), mp.mpf(str(x.hi))


def gauss_legendre(at: Any, a: Fraction, b: Fraction) -> Any:
    return mp.quad(at, [number(a), number(b)], method="gauss-legendre", maxdegree=4)


def of_gauss(order: Fraction, s: Fraction, radii: Any, cosines: Any) -> Any:
    """A cell's integral for e^(-r^2) where d = 3, whose directions are an integral in closed form."""
    power, shift = number(order), number(s)

    def ring(r: Any) -> Any:
        rate = -2 * (power - 1) * r * shift
        low, high = (mp.exp(rate * number(c)) for c in cosines)
        inner = (high - low) / rate / 2
        return r * r * mp.exp(-power * r * r + (power - 1) * (r * r + shift * shift)) * inner

    return gauss_legendre(ring, *radii)


@pytest.mark.parametrize(
    ("radii", "cosines"),
    [
        ((Q(5, 4), Q(627, 500)), (Q(1, 4), Q(251, 1000))),
        ((Q(1, 4), Q(63, 250)), (Q(5, 8), Q(157, 250))),
    ],
)
def test_a_small_cell_is_known_but_for_what_is_rounded(radii: Any, cosines: Any) -> None:
    cells = cells_of(GAUSS, 3, Q(3), 10, "3/4")
    with mp.workdps(80):
        low, high = ends_of(cells.in_space(cells.weight(radii), radii, cosines))
        value = of_gauss(Q(3), Q(3, 4), radii, cosines)
        assert low < value < high < low * (1 + mp.mpf("1e-29"))


@pytest.mark.parametrize("cosines", [(Q(1, 4), Q(1, 2)), (Q(-1), Q(-3, 4)), (Q(0), Q(1, 16))])
def test_what_two_terms_leave_of_a_cell(cosines: Any) -> None:
    """A cell that is all directions, so that nothing else is wide."""
    cells, radii = cells_of(GAUSS, 3, Q(3, 2), 1), (Q(1), 1 + Q(1, 10**9))
    low, high = ends_of(cells.in_space(cells.weight(radii), radii, cosines))
    with mp.workdps(50):
        value = of_gauss(Q(3, 2), Q(1), radii, cosines)
        assert low < value < high < low * mp.mpf("1.1")


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("shift", [1, 2])
def test_a_panel_of_steps_on_the_line(k: int, side: int, shift: int) -> None:
    """f is one number on each panel, as it is where b is, if b is known to lie between whole numbers."""
    cells, box = cells_of(STEPS, 1, Q(3), 1, str(shift)), (Q(k), Q(k + 1))
    across = k + shift if side < 0 else max(k - shift, shift - k - 1)
    with mp.workdps(80):
        low, high = ends_of(cells.on_line(cells.weight(box), box, side))
        value = mp.exp(-3 * k + 2 * across) / 2
        assert low <= value <= high <= low * (1 + mp.mpf("1e-30"))


@pytest.mark.parametrize(("a", "b"), [(Q(1, 8), Q(5, 8)), (Q(5, 4), Q(3, 2)), (Q(3, 4), Q(5, 4))])
def test_a_smooth_panel_on_the_line(a: Fraction, b: Fraction) -> None:
    cells = cells_of("exp(-r)", 1, Q(3), 8)
    for side in (-1, 1) if b <= 1 or a >= 1 else (-1,):
        with mp.workdps(50):
            low, high = ends_of(cells.on_line(cells.weight((a, b)), (a, b), side))
            value = gauss_legendre(lambda r, at=side: mp.exp(-3 * r + 2 * abs(r - at)), a, b) / 2
            assert low <= value <= high <= low * (1 + mp.mpf("1e-12"))


@pytest.mark.parametrize("d", [2, 4, 7, 100])
@pytest.mark.parametrize("low", [Q(0), Q(1, 2), Q(7, 8)])
def test_moments_up_to_the_pole_are_those_of_the_whole_series(d: int, low: Fraction) -> None:
    with mp.workdps(60):
        g, k, angle = number(1 + low) / 2, number(1 - low) / 2, mp.acos(number(low))

        def at(a: Any, j: int) -> Any:
            return density(d) * ((mp.cos(a) - g) / k) ** j * mp.sin(a) ** (d - 2)

        for j, x in enumerate(directions.moments(d, low, Q(1), 3)):
            value = mp.quad(lambda a, j=j: at(a, j), [0, angle], method="gauss-legendre", maxdegree=6)
            least, most = ends_of(x)
            assert least - mp.mpf("1e-48") <= value <= most + mp.mpf("1e-48")


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_integrals_of_a_remainder_times_powers(n: int) -> None:
    """A polynomial whose last coefficient is known, and one whose last coefficient has the sign of x."""
    known = [Q(k + 1) for k in range(n)]
    series = Series([interval(x) for x in [*known, Q(1)]])
    for k, found in enumerate(directions.powers(Jet(series, series), 6)):
        whole = sum(x * Q(2, i + k + 1) for i, x in enumerate(known) if (i + k) % 2 == 0)
        last = Q(2, n + k + 1)
        low, high = (Fraction(x) - whole for x in (found.lo, found.hi))
        expected = (-last, last) if (n + k) % 2 else (last, last)
        assert max(abs(low - expected[0]), abs(high - expected[1])) < Q(1, 10**50)
        assert low <= expected[0]
        assert expected[1] <= high


def binomial_mean(g: Sequence[Fraction], p: Any, q: Any, t: Sequence[Fraction], x: Fraction) -> Fraction:
    first, second = x * (p[0] + p[1] * x), q[0] + q[1] * x
    pairs = ((n, j) for n in range(len(g)) for j in range(n + 1))
    return sum((g[n] * comb(n, j) * first ** (n - j) * (-second) ** j * t[j] for n, j in pairs), Q(0))


@pytest.mark.parametrize("high", [False, True])
@pytest.mark.parametrize("g", [[Q(9)] * 6, [Q(1), Q(99, 100)], [Q(-9)] * 3, [Q(9, 10**40), Q(0), Q(8, 10**40)]])
@pytest.mark.parametrize("wide", ["moments", "coefficients"])
def test_the_error_covers_wherever_the_numbers_lie(g: list[Fraction], wide: str, high: bool) -> None:
    """Moments, or coefficients, known to a tenth: each at the same end, where P and -Q t add up."""
    p, q, t = (Q(1, 3), Q(1, 6)), (Q(-1, 3), Q(-1, 6)), [Q(1, 2)] * len(g)

    def around(x: Fraction) -> Interval:
        return hull(interval(x * Q(19, 20)), interval(x * Q(21, 20)))

    factor = Q(21, 20) if high else Q(19, 20)
    given = [around(x) if wide == "coefficients" else interval(x) for x in g]
    means = [around(x) if wide == "moments" and j else interval(x) for j, x in enumerate(t)]
    sums, error, unit = units.mean_of_powers(given, p, q, means)
    scale = Fraction(unit.lo)
    true = [x * factor for x in g] if wide == "coefficients" else g
    moments = [x * factor if wide == "moments" and j else x for j, x in enumerate(t)]
    for x in (Q(-1), Q(1)):
        found = sum((c * x**k for k, c in enumerate(sums)), Q(0)) * scale
        assert abs(found - binomial_mean(true, p, q, moments, x)) <= error * scale <= 10 * sum(map(abs, g))


def test_one_moment_that_is_wide_is_enough() -> None:
    one, zero = [interval(1)] * 3, (Q(0), Q(0))
    _, error, unit = units.mean_of_powers(one, zero, (Q(1), Q(0)), [ONE, Interval(-D1, D1), ONE])
    assert error * Fraction(unit.lo) >= 1


def test_wide_moments_do_not_multiply_what_is_rounded() -> None:
    """All mass at t = 1, the end of bounds that go far beyond -1; the sum of coefficients is next to a whole number."""
    size = 2**units.BITS
    for seed in range(40):
        wholes = [size // 2 + pow(3, 200 + 11 * seed + k, size // 2) for k in range(7)]
        g = [-Q(x, size) for x in (*wholes, (size - 1 - sum(wholes)) % size)]
        means = [Interval(Decimal(-(10**30)), D1)] * len(g)
        sums, error, unit = units.mean_of_powers([interval(x) for x in g], (Q(1, 2), Q(0)), (Q(-1, 2), Q(0)), means)
        scale = Fraction(unit.lo)
        assert abs(sum(sums) * scale - sum(g)) <= error * scale


def test_numbers_without_bounds_have_no_mean() -> None:
    for g in ([ONE, ANY], [Interval(D0, ANY.hi), ONE], [ANY, ANY]):
        with pytest.raises(Rejected, match="not one of means"):
            units.mean_of_powers(g, (Q(1, 2), Q(0)), (Q(1, 2), Q(0)), [ONE, ONE])


def test_whole_numbers_lie_about_what_they_are_for() -> None:
    low, off = units.wholes([Interval(-D1, D1 / 2), interval(Q(1, 3)), ONE])
    assert low == [-(2**units.BITS), 2**units.BITS // 3, 2**units.BITS]
    assert off == [3 * 2 ** (units.BITS - 1), 1, 0]


def test_whole_numbers_are_below_what_is_just_below_them() -> None:
    for k in range(2**127 + 1, 2**127 + 40):
        x = Interval(DOWN.divide(Decimal(k), Decimal(2**units.BITS)), UP.divide(Decimal(k), Decimal(2**units.BITS)))
        (low,), (off,) = units.wholes([x])
        least, most = (Fraction(end) * 2**units.BITS for end in (x.lo, x.hi))
        assert low <= least <= most <= low + off


def test_a_root_of_a_series() -> None:
    """Of (2 + x)^2, about 0 and where the square may be 0."""
    r = renyi.Root(Series([interval(x) for x in (4, 4, 1)]))
    assert [Fraction(c.lo) for c in r.c] == [Fraction(c.hi) for c in r.c] == [2, 1, 0]
    assert Fraction(r.u.lo) == Fraction(r.u.hi) == 2
    assert r.power(Q(1)) is r
    assert [c.lo for c in r.power(Q(2)).c] == [4, 4, 1]
    assert [c.lo for c in r.power(Q(4)).c] == [16, 32, 24]
    assert [c.hi for c in r.power(Q(3)).c] == [8, 12, 6]
    quarter = renyi.Root(Series([interval(x) for x in (Q(1, 4), 1)]))
    assert Fraction(quarter.u.lo) == Fraction(quarter.u.hi) == Q(1, 2)
    for least in (D0, -D1):
        assert renyi.Root(Series([Interval(least, D1), ONE])).u is ANY


@pytest.mark.parametrize("x", [Q(2), Q(1, 3), Q(4), Q(9, 16), Q(1, 10**30)])
def test_roots_lie_on_their_sides(x: Fraction) -> None:
    below, above = renyi.root(x, False), renyi.root(x, True)
    assert below**2 <= x < above**2
    assert above - below == Q(1, 2**64)


def test_a_cell_by_bounds_about_the_shift() -> None:
    cells, radii, cosines = cells_of(GAUSS, 3, Q(3), 8), (Q(7, 8), Q(9, 8)), (Q(7, 8), Q(1))
    found = cells.bounded(cells.weight(radii), radii, cosines, cells.moments(cosines)[0])
    low, high = ends_of(found)
    value = of_gauss(Q(3), Q(1), radii, cosines)
    assert low <= value <= high <= 2 * low


def test_cells_of_a_panel_by_bounds() -> None:
    cells, radii = cells_of(GAUSS, 3, Q(3), 8), (Q(3, 2), Q(25, 16))
    found = renyi.panel_of(cells, radii, [Q(-1), Q(1, 4), Q(1)], "bb")
    assert len(found) == 2
    for cosines, x in zip([(Q(-1), Q(1, 4)), (Q(1, 4), Q(1))], found, strict=True):
        low, high = ends_of(x)
        assert low <= of_gauss(Q(3), Q(1), radii, cosines) <= high


def test_a_cell_where_f_has_a_kink() -> None:
    cells = cells_of("exp(-max(1,r))", 3, Q(2), 1)
    with pytest.raises(Rejected, match="not shown smooth on a cell"):
        cells.from_square(Q(1), Q(1, 2))


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("order", [Q(3, 2), Q(4)])
def test_a_tail_like_a_power_is_known_closely(d: int, order: Fraction) -> None:
    """(1 + y/3)^(-(3+d)/2) far out, whose tail is that of r^-4 for every L and a small shift."""
    noise, last = Noise(proof_of("(1+y/3)**(-(3+d)/2)", d, "1/4").problem, 12, Q(0)), Q(2000)
    _, high = ends_of(renyi.beyond(noise, order, last))
    value = mp.mpf(3) ** (mp.mpf(3 + d) / 2) * number(last) ** -3 / 3
    assert value * mp.mpf("0.999") <= high <= value * mp.mpf("1.01")


def test_a_tail_counts_the_slope_of_what_is_across() -> None:
    """e^(-r^2) for L = 2 and s = 2, whose tail falls as slowly as that of e^-(r - 2)^2."""
    noise = Noise(proof_of(GAUSS, 1, "2").problem, 12, Q(0))
    _, high = ends_of(renyi.beyond(noise, Q(2), Q(3)))
    value = mp.quad(lambda r: mp.exp(-((r - 2) ** 2) + 8), [3, 4, 8]) / 2
    assert value <= high <= 4 * value


def test_a_tail_of_an_order_between_1_and_2() -> None:
    """e^(-r^2), nearer than the bound for orders below 1 has it."""
    noise = Noise(proof_of(GAUSS, 1).problem, 12, Q(0))
    _, high = ends_of(renyi.beyond(noise, Q(19, 10), Q(3, 2)))
    value = mp.quad(lambda r: mp.exp(-1.9 * r * r + 0.9 * (r + 1) ** 2), [1.5, 3, 8]) / 2
    assert value <= high


def test_a_tail_is_rounded_up() -> None:
    """R e^(-L R + (L - 1)(R + 1))/(R - 1) for e^-r on a line."""
    for last in (8, 9, 10, 12, 20):
        noise = Noise(proof_of("exp(-r)", 1).problem, 12, Q(0))
        found = renyi.beyond(noise, Q(2), Q(last))
        with mp.workdps(90):
            value = last * mp.exp(1 - last) / (last - 1)
            high = ends_of(found)[1]
            assert value <= high <= value * (1 + mp.mpf("1e-50"))


def test_a_tail_whose_slope_is_not_known() -> None:
    noise = Noise(proof_of("exp(-r**3)", 1, "2").problem, 12, Q(0))
    with pytest.raises(Rejected, match="not shown to have an integral"):
        renyi.beyond(noise, Q(3), Q(5, 2))


@pytest.mark.parametrize("text", ["1/r", "y**(-1/4)"])
def test_a_tail_that_has_no_integral(text: str) -> None:
    """The slope is just as large as it must not be, or larger."""
    noise = Noise(proof_of(text, 1).problem, 12, Q(0))
    with pytest.raises(Rejected, match="not shown to have an integral"):
        renyi.beyond(noise, Q(2), Q(9))


def test_a_divergence_that_may_be_that_of_nothing() -> None:
    with pytest.raises(Rejected, match="of an order is not shown positive"):
        renyi.from_integral(Q(2), Interval(D0, D1), ONE)
    found = renyi.from_integral(Q(2), ONE * 4, ONE * 2)
    assert ends_of(found)[0] <= mp.log(2) * (1 + mp.mpf("1e-14"))


def test_a_mass_that_may_be_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renyi, "mass", lambda *_: Interval(D0, D1))
    with pytest.raises(Rejected, match="w is not shown positive"):
        renyi.divergence(proof_of("exp(-r)", 1), on_line())


def on_line(**other: Any) -> dict[str, Any]:
    """What the proof says of e^-r on a line, for L = 2."""
    marks = ["0", "1/2", "1", "3/2", "2", "3", "4", "5", "6", "7", "8"]
    rows = len(marks) - 1
    return {
        "at": "2",
        "order": 4,
        "mass": marks,
        "marks": marks,
        "directions": [[]] * rows,
        "sets": ["ss"] * rows,
    } | other


def in_space(**other: Any) -> dict[str, Any]:
    """The same of e^(-r^2) in space, with directions cut at 0."""
    marks = ["0", "1/2", "1", "3/2", "2", "5/2", "3", "7/2"]
    rows = len(marks) - 1
    return {
        "at": "2",
        "order": 6,
        "mass": marks,
        "marks": marks,
        "directions": [["0"]] * (rows - 1) + [["-1/2", "0", "3/4"]],
        "sets": ["ss"] * (rows - 1) + ["ssbs"],
    } | other


def check_laplace(step: dict[str, Any], wide: float) -> None:
    at, found = renyi.divergence(proof_of("exp(-r)", 1), step)
    low, high = ends_of(found)
    value = laplace(Q(at))
    assert at == step["at"]
    assert low <= value <= high <= low + wide


@pytest.mark.parametrize(
    ("other", "wide"),
    [
        ({}, 1.2e-3),
        ({"order": 1}, 0.4),
        ({"order": 2}, 0.03),
        ({"at": "1/3"}, 3e-3),
        ({"sets": ["sb", "bs", *["ss"] * 7, "bb"]}, 0.5),
        ({"marks": ["1/64", *on_line()["marks"][1:]]}, 3e-3),
    ],
)
def test_a_divergence_on_the_line(other: dict[str, Any], wide: float) -> None:
    check_laplace(on_line(**other), wide)


def test_a_divergence_in_space() -> None:
    """e^(-r^2), for which it is L s^2."""
    at, found = renyi.divergence(proof_of(GAUSS, 3, "1/2"), in_space())
    low, high = ends_of(found)
    assert at == "2"
    assert low <= mp.mpf("0.5") <= high <= low + 0.01


ROWS = len(on_line()["sets"])


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"at": "0"}, "an order is not positive"),
        ({"at": "-1"}, "an order is not positive"),
        ({"at": "1"}, "or 1"),
        ({"at": "1001"}, "too large"),
        ({"at": "1000", "marks": ["0"]}, "marks is not"),
        ({"order": 25}, "order"),
        ({"order": 24, "marks": ["0"]}, "marks is not"),
        ({"order": 1, "marks": ["0"]}, "marks is not"),
        ({"sets": ["ss"] * (ROWS - 1)}, "do not match the panels"),
        ({"directions": [[]] * (ROWS + 1)}, "do not match the panels"),
        ({"sets": "s" * ROWS}, "do not match the panels"),
        ({"directions": {str(k): [] for k in range(ROWS)}}, "do not match the panels"),
        ({"order": 1, "sets": ["s" * (1_500_002 - ROWS), *["s"] * (ROWS - 1)]}, "too many"),
        ({"order": 1, "sets": ["s" * (1_500_001 - ROWS), *["s"] * (ROWS - 1)]}, "do not rise"),
        ({"sets": [["s", "s"], *["ss"] * (ROWS - 1)]}, "do not rise"),
        ({"sets": ["s", *["ss"] * (ROWS - 1)]}, "do not rise"),
        ({"sets": ["sss", *["ss"] * (ROWS - 1)]}, "do not rise"),
        ({"sets": ["sc", *["ss"] * (ROWS - 1)]}, "do not rise"),
        ({"directions": [["0"], *[[]] * (ROWS - 1)]}, "do not rise"),
    ],
)
def test_what_is_forged_on_the_line(other: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        renyi.divergence(proof_of("exp(-r)", 1), on_line(**other))


@pytest.mark.parametrize("cuts", [["1/2", "1/2"], ["1/2", "0"], ["0", "1"], ["-1", "0"], ["0", "3/2"]])
def test_directions_that_do_not_rise(cuts: list[str]) -> None:
    step = in_space()
    step["directions"], step["sets"] = [cuts, *step["directions"][1:]], ["sss", *step["sets"][1:]]
    with pytest.raises(Rejected, match="do not rise"):
        renyi.divergence(proof_of(GAUSS, 3, "1/2"), step)
