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
from dpverify.kernel.sections.jets import Series, series
from dpverify.kernel.sections.smooth import Smooth
from dpverify.profiles.result import Enclosed
from dpverify.prover.profile.series import by_riccati, capped
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
