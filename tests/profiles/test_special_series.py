"""Taylor series of special functions, in prover and kernel, against mpmath's derivatives; and profiles of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import mpmath as mp
import pytest
from flint import arb, arb_series, ctx, fmpq

import dpverify
from dpverify.enclosures import Undecided, precision
from dpverify.enclosures.special import special
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.besseli import LogBesselI
from dpverify.kernel.sections.incomplete_gamma import Kummer, Part
from dpverify.kernel.sections.jets import Series, panel, series
from dpverify.kernel.sections.loggamma import LOG_GAMMA, zetas
from dpverify.kernel.sections.riccati import tilted
from dpverify.kernel.sections.smooth import Smooth
from dpverify.profiles.result import Enclosed
from dpverify.prover.profile.series import by_riccati, capped, lambert, log_gamma
from tests.profiles.panel import noise, number
from tests.profiles.references import on_the_line

for section in SECTIONS:
    load_section(section)
series()
ORDERS = ("1/3", "1", "5/2")
KINDS: dict[str, tuple[Callable[[Fraction], Smooth], Callable[[mp.mpf, mp.mpf], mp.mpf]]] = {
    "besseli": (LogBesselI, lambda p, x: mp.log(x**-p * mp.besseli(p, x))),
    "uppergamma": (lambda p: Part(p, True), lambda p, x: mp.log(mp.gammainc(p, x, regularized=True))),
    "lowergamma": (lambda p: Part(p, False), lambda p, x: mp.log(mp.gammainc(p, 0, x, regularized=True))),
    "kummer": (Kummer, lambda p, x: mp.log(mp.hyp1f1(p, p + 1, -x))),
}
COUNT = 7


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mp.workdps(50):
        yield


def derivatives(kind: str, order: Fraction, x: Fraction) -> list[mp.mpf]:
    """Coefficients of the series of log F(x + 2 t + t^2) in t."""
    p, at = (mp.mpf(v.numerator) / v.denominator for v in (order, x))
    return mp.taylor(lambda t: KINDS[kind][1](p, at + 2 * t + t * t), 0, COUNT - 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("x", ["1/2", "4"])
def test_coefficients_are_those_of_the_function(kind: str, order: str, x: str) -> None:
    p, at = Fraction(order), Fraction(x)
    expected = derivatives(kind, p, at)
    with precision(160), capped(8):
        given = arb_series([arb(fmpq(at.numerator, at.denominator)), 2, 1], prec=ctx.cap)
        found = by_riccati(special(kind, fmpq(p.numerator, p.denominator)), given)
        for k, value in enumerate(expected):
            assert abs(mp.mpf(found[k].mid().str(30, radius=False)) - value) < mp.mpf(10) ** -25 * (1 + abs(value))
    kernels = KINDS[kind][0](p).of(Series([interval(at), interval(2), interval(1), *[interval(0)] * 4]))
    for k, value in enumerate(expected):
        low, high = (mp.mpf(str(end)) for end in (kernels.c[k].lo, kernels.c[k].hi))
        assert low - mp.mpf(10) ** -38 <= value <= high + mp.mpf(10) ** -38 and high - low < mp.mpf(10) ** -30


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_about_an_interval_those_about_each_of_its_points(kind: str) -> None:
    p, ends = Fraction(3, 2), (Fraction(1), Fraction(5, 4))
    whole = Interval(interval(ends[0]).lo, interval(ends[1]).hi)
    kernels = KINDS[kind][0](p).of(Series([whole, interval(2), interval(1), *[interval(0)] * 4]))
    for x in (*ends, Fraction(9, 8)):
        for k, value in enumerate(derivatives(kind, p, x)):
            assert mp.mpf(str(kernels.c[k].lo)) <= value + mp.mpf(10) ** -30
            assert value - mp.mpf(10) ** -30 <= mp.mpf(str(kernels.c[k].hi))


@pytest.mark.parametrize(("kind", "power"), [("besseli", "5/6"), ("uppergamma", "2/3"), ("kummer", "1/3")])
def test_far_out_on_a_wide_panel_the_remainder_is_about_that_of_a_power(kind: str, power: str) -> None:
    """Of order 1/3 the functions are e^(c x) x^-power there, but for parts of 1/x."""
    m, h, n = Fraction(50), Fraction(2), 12
    true = mp.mpf(int(power[0])) / int(power[2]) / n * (mp.mpf(2) / 50) ** n
    kernels = KINDS[kind][0](Fraction(1, 3)).of(panel(n, (m, h)).whole).c[n]
    with precision(200), capped(n):
        found = by_riccati(special(kind, fmpq(1, 3)), arb_series([arb(50, 2), 2], prec=ctx.cap))[n]
        provers = mp.mpf(found.abs_upper().str(20, radius=False))
    for size in (max(abs(number(kernels.lo)), abs(number(kernels.hi))), provers):
        assert true / 2 <= size <= 1000 * true


MONOTONE: dict[str, Callable[[mp.mpf, mp.mpf], mp.mpf]] = {
    "besseli": lambda p, x: mp.exp(-x) * x**-p * mp.besseli(p, x),
    "uppergamma": lambda p, x: mp.exp(x) * mp.gammainc(p, x, regularized=True),
    "lowergamma": lambda p, x: x**-p * mp.gammainc(p, 0, x, regularized=True),
    "kummer": lambda p, x: mp.hyp1f1(p, p + 1, -x),
}


@pytest.mark.parametrize("kind", MONOTONE)
def test_what_is_between_ends_are_coefficients_of_a_function_whose_derivatives_are_monotone(kind: str) -> None:
    function, at = KINDS[kind][0](Fraction(5, 2)), Fraction(3, 2)
    x = Series([interval(at), interval(1), *[interval(0)] * 4])
    log = function.of(x)
    less = tilted(function, x, log, -1)
    again = tilted(function, x, less, 1)
    assert all(abs(number(u.lo) - number(v.lo)) < mp.mpf("1e-34") for u, v in zip(again.c, log.c, strict=True))
    expected = mp.taylor(lambda r: MONOTONE[kind](mp.mpf("2.5"), r), mp.mpf("1.5"), 5)
    for found, value in zip(less.exp().c, expected, strict=True):
        assert abs(number(found.lo) - value) < mp.mpf("1e-30") > abs(number(found.hi) - value)
    with mp.workdps(20):
        for k in (1, 3):
            heights = [mp.diff(lambda r: MONOTONE[kind](mp.mpf("2.5"), r), mp.mpf(r), k) for r in ("0.1", "1", "9")]
            assert heights in (sorted(heights), sorted(heights, reverse=True))


@pytest.mark.parametrize("x", ["1/9", "1", "7/3", "19", "20", "45"])
def test_hurwitz_zeta(x: str) -> None:
    at = Fraction(x)
    for k, found in enumerate(zetas(interval(at).lo, 20), 2):
        with mp.workdps(100):
            value = mp.zeta(k, mp.mpf(at.numerator) / at.denominator)
        low, high = number(found.lo), number(found.hi)
        assert low * (1 - mp.mpf("1e-45")) <= value <= high * (1 + mp.mpf("1e-45"))
        assert high - low < value * mp.mpf("1e-20")


@pytest.mark.parametrize("given", [("1/4", "1/4"), ("5/2", "5/2"), ("1/2", "3"), ("30", "34")])
def test_log_gamma_about_a_number_and_about_each_of_an_interval(given: tuple[str, str]) -> None:
    a, b = map(Fraction, given)
    tail = [interval(2), interval(-1), *[interval(0)] * 6]
    kernels = LOG_GAMMA.of(Series([Interval(interval(a).lo, interval(b).hi), *tail]))
    with precision(200), capped(8):
        middle, half = ((x + y) / 2 for x, y in ((a, b), (b, -a)))
        ball = arb(fmpq(middle.numerator, middle.denominator), fmpq(half.numerator, half.denominator))
        provers = log_gamma(arb_series([ball, 2, -1], prec=ctx.cap))
    balls = [(provers[k].lower(), provers[k].upper()) for k in range(8)]
    ends = [[mp.mpf(end.str(40, radius=False)) for end in pair] for pair in balls]
    for x in (a, (a + b) / 2, b):
        at = mp.mpf(x.numerator) / x.denominator
        for k, value in enumerate(mp.taylor(lambda t, at=at: mp.loggamma(at + 2 * t - t * t), 0, 7)):
            room = mp.mpf("1e-25") * (1 + abs(value))
            for low, high in ((number(kernels.c[k].lo), number(kernels.c[k].hi)), ends[k]):
                assert low - room <= value <= high + room
    if a == b:
        assert all(number(c.hi) - number(c.lo) < mp.mpf("1e-25") * (1 + abs(number(c.hi))) for c in kernels.c)


@pytest.mark.parametrize("given", [("1/4", "1/2"), ("3", "4")])
def test_the_provers_lambert_about_an_interval_is_about_each_of_its_points(given: tuple[str, str]) -> None:
    a, b = map(Fraction, given)
    middle, half = (a + b) / 2, (b - a) / 2
    with precision(200), capped(9):
        ball = arb(fmpq(middle.numerator, middle.denominator), fmpq(half.numerator, half.denominator))
        found = lambert(arb_series([ball, 2, -1], prec=ctx.cap))
        balls = [(found[k].lower(), found[k].upper()) for k in range(9)]
    sizes = []
    for x in (a, middle, b):
        at = mp.mpf(x.numerator) / x.denominator
        sizes.append(mp.taylor(lambda t, at=at: mp.lambertw(at + 2 * t - t * t).real, 0, 8))
        for value, pair in zip(sizes[-1], balls, strict=True):
            low, high = (mp.mpf(end.str(40, radius=False)) for end in pair)
            assert low - mp.mpf("1e-25") <= value <= high + mp.mpf("1e-25")
    width = mp.mpf((balls[8][1] - balls[8][0]).str(20, radius=False))
    assert width <= 1000 * max(abs(row[8]) for row in sizes)


def test_log_gamma_where_a_panel_reaches_zero_has_no_series() -> None:
    with pytest.raises(Rejected):
        LOG_GAMMA.of(Series([Interval(interval(0).lo, interval(1).hi), interval(1), interval(0)]))
    with capped(3), pytest.raises(Undecided):
        log_gamma(arb_series([arb(1, 1), 1], prec=3))


def test_one_beside_what_erfc_leaves_of_it_is_as_smooth_as_erfc() -> None:
    jet = noise("1+erfc(r)", 1)
    log = jet.log(panel(12, (Fraction(8), Fraction(1, 2))))
    most = max(abs(mp.taylor(lambda x: mp.log1p(mp.erfc(x)), x, 12)[12]) for x in (mp.mpf("7.5"), 8, mp.mpf("8.5")))
    assert number(log.whole.c[12].hi) <= 2000 * most / 2**12


def test_what_is_left_out_is_bounded_by_the_slope_where_log_f_is_a_difference() -> None:
    found = noise("exp(-(r-log(besseli(0,r))/2))", 1).bound(Fraction(90), Fraction(128))
    height = mp.exp(-90) * mp.sqrt(mp.besseli(0, 90))
    assert height * 38 <= number(found.hi) <= height * mp.exp(20) * 38


@pytest.mark.parametrize("kind", KINDS)
def test_about_zero_there_is_none(kind: str) -> None:
    at_zero = Series([interval(0), interval(1), interval(0)])
    with pytest.raises((Rejected, ArithmeticError)):
        KINDS[kind][0](Fraction(3, 2)).of(at_zero)
    with capped(3), pytest.raises(Undecided):
        by_riccati(special(kind, fmpq(3, 2)), arb_series([arb(0), 1], prec=3))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "f", "edge"),
    [
        ("exp(-2*r)*besseli(0,r)", lambda r: mp.exp(-2 * r) * mp.besseli(0, r), (0.0, 0.3)),
        ("gammaincc(1/2,1+r)", lambda r: mp.gammainc(0.5, 1 + r, regularized=True), (0.0, 0.3)),
    ],
)
def test_profiles_on_the_line(text: str, f: Callable[[mp.mpf], mp.mpf], edge: tuple[float, float]) -> None:
    found = dpverify.profile(text, epsilon="1/2", certificate=True)
    delta = found.points[0].delta
    assert isinstance(delta, Enclosed) and found.certificate is not None
    exact = on_the_line(f, "1/2", "1", (-80.0, -20.0, -5.0, -2.0, -1.0, -0.5, *edge, 0.4, 0.5))
    assert abs(exact - mp.mpf(delta.lower.numerator) / delta.lower.denominator) < exact * mp.mpf("1e-4")
