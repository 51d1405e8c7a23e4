"""Special functions at a few points and on boxes: value, slope and bend beside mpmath, at both ends."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ANY, INF, Interval, interval
from dpverify.kernel.sections import besseli, besselk, erfc, incomplete_gamma
from dpverify.kernel.sections.besseli import LogBesselI
from dpverify.kernel.sections.besselk import besselk_ratio_of_interval, log_matern_bend, log_matern_of_interval
from dpverify.kernel.sections.erfc import erfc_hazard_of_interval, log_erfc_bend, log_erfc_of_interval
from dpverify.kernel.sections.gamma import gamma
from dpverify.kernel.sections.incomplete_gamma import Kummer, Part
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.inverse import Arctangent, Complement, Lambert
from dpverify.kernel.sections.jets import Series, panel
from dpverify.kernel.sections.loggamma import LogGamma
from dpverify.kernel.sections.models import Germ
from dpverify.kernel.sections.smooth import Smooth
from dpverify.kernel.tree import Node, same
from tests.kernel import problems

Q = Fraction
Map = Callable[[Interval], Interval]


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def log_p(a: Fraction, x: Any) -> Any:
    rest = mp.gammainc(number(a), x, regularized=True)
    return mp.log1p(-rest) if rest < 0.01 else mp.log(mp.gammainc(number(a), 0, x, regularized=True))


def maps(f: Smooth) -> tuple[Map, Map, Map | None]:
    return f.value, f.slope, f.bend


def matern(p: Fraction) -> tuple[Map, Map, Map]:
    return (
        lambda x: log_matern_of_interval(x, p),
        lambda x: -besselk_ratio_of_interval(x, p),
        lambda x: log_matern_bend(x, p),
    )


NEAR, ALL = ("1/50", "2/3", "7/2", "24"), ("1/50", "2/3", "7/2", "73", "950")
FUNCTIONS: list[tuple[str, tuple[Map, Map, Map | None], Any, tuple[str, ...]]] = [
    ("atan", maps(Arctangent()), mp.atan, (*ALL, "-2/3", "-7/2")),
    ("acot", maps(Complement()), lambda x: mp.acot(x) + (mp.pi if x < 0 else 0), (*ALL, "-2/3", "-7/2")),
    ("lambertw", maps(Lambert()), lambda x: mp.lambertw(x).real, (*ALL, "-1/3")),
    ("loggamma", maps(LogGamma()), mp.loggamma, ALL),
    *((f"P {a}", maps(Part(a, False)), lambda x, a=a: log_p(a, x), NEAR) for a in (Q(1, 3), Q(5, 2))),
    *(
        (f"Q {a}", maps(Part(a, True)), lambda x, a=a: mp.log(mp.gammainc(number(a), x, regularized=True)), ALL)
        for a in (Q(1, 3), Q(5, 2))
    ),
    *(
        (
            f"G {a}",
            maps(Kummer(a)),
            lambda x, a=a: mp.loggamma(number(a) + 1) - number(a) * mp.log(x) + log_p(a, x),
            ALL,
        )
        for a in (Q(1, 3), Q(5, 2))
    ),
    *(
        (f"B {p}", maps(LogBesselI(p)), lambda x, p=p: mp.log(mp.besseli(number(p), x) / x ** number(p)), ALL)
        for p in (Q(0), Q(1, 3), Q(7, 2))
    ),
    *(
        (
            f"K {p}",
            matern(p),
            lambda x, p=p: mp.log(mp.besselk(number(p), x) * x ** number(p)),
            ("2/3", "24"),
        )
        for p in (Q(1, 3), Q(7, 2), Q(7, 3))
    ),
    (
        "erfc",
        (log_erfc_of_interval, lambda x: -erfc_hazard_of_interval(x), log_erfc_bend),
        lambda x: mp.log(mp.erfc(x)),
        ("-9", "-7/2", "1/50", "2/3", "7/2", "9", "73"),
    ),
]
NAMED = {name: (each, truth, at) for name, each, truth, at in FUNCTIONS}
LOOSE = {"G", "B", "K", "erfc", "loggamma"}
"""Whose bends are bounded alone in part, or lose digits."""


def density(a: Any, x: Any) -> Any:
    return x ** (a - 1) * mp.exp(-x) / mp.gamma(a)


def slope_of(name: str, x: Any) -> Any:
    """By mpmath's functions, as its differences take long."""
    kind, order = name.split()
    p, of = number(Q(order)), mp.besseli if kind == "B" else mp.besselk
    if kind in "BK":
        return of(p + 1, x) / of(p, x) if kind == "B" else -of(abs(p - 1), x) / of(p, x)
    above = mp.gammainc(p, x, regularized=True)
    steep = -density(p, x) / above if kind == "Q" else density(p, x) / (1 - above)
    return steep - p / x if kind == "G" else steep


def exact_of(name: str, k: int, x: Any) -> Any:
    truth = NAMED[name][1]
    if k == 0:
        return truth(x)
    return mp.diff(truth, x, k) if " " not in name else mp.diff(lambda z: slope_of(name, z), x, k - 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NAMED))
def test_value_slope_and_bend_at_points_and_on_boxes(name: str) -> None:
    each, _, at = NAMED[name]
    for x in map(Q, at):
        wide = (x, x + abs(x) / 8)
        with mp.workdps(60):
            exact = [[exact_of(name, k, number(z)) for z in wide] for k in range(3)]
            slack = mp.mpf(10) ** (-16 if name == "erfc" else -22)
            for k, f in enumerate(each):
                if f is None:
                    continue
                here, box = f(interval(x)), f(Interval(interval(wide[0]).lo, interval(wide[1]).hi))
                unit = slack * (1 + abs(exact[k][0]))
                assert number(here.lo) - unit <= exact[k][0] <= number(here.hi) + unit
                low, high = sorted(exact[k])
                assert number(box.lo) - unit <= low and high <= number(box.hi) + unit
                if k < 2:
                    assert number(here.hi) - number(here.lo) <= 100 * unit
                    falls_and_rises = name == "loggamma" and k == 0
                    assert falls_and_rises or number(box.hi) - number(box.lo) <= high - low + 100 * unit
                elif name.split()[0] not in LOOSE:
                    assert number(here.hi) - number(here.lo) <= mp.mpf(10) ** -12 * (1 + abs(exact[k][0]))


@pytest.mark.parametrize(("p", "x"), [("1/5", "1/3"), ("1/3", "12"), ("7/2", "40")])
def test_bends_of_bessel_functions_by_their_equation(p: str, x: str) -> None:
    with mp.workdps(40):
        for (*_, bend), truth in ((maps(LogBesselI(Q(p))), f"B {p}"), (matern(Q(p)), f"K {p}")):
            assert bend is not None
            found, exact = bend(interval(Q(x))), mp.diff(lambda z, name=truth: slope_of(name, z), number(Q(x)))
            assert number(found.lo) - 1e-15 <= exact <= number(found.hi) + 1e-15
            assert found.hi - found.lo < Q(1, 10**9)


@pytest.mark.parametrize("p", ["0", "1/3", "1/2", "4"])
@pytest.mark.parametrize("x", ["100", "190", "201", "260"])
def test_where_a_bessel_function_is_taken_far_out(p: str, x: str) -> None:
    with mp.workdps(70):
        at, order = Q(x), Q(p)
        exact = mp.log(mp.besseli(number(order), number(at)) / number(at) ** number(order))
        found, far = besseli.log_point(order, interval(at).lo), LogBesselI(order).large(interval(at))
        for value in (found, far):
            assert number(value.lo) - mp.mpf(10) ** -50 <= exact <= number(value.hi) + mp.mpf(10) ** -50
            assert number(value.hi) - number(value.lo) <= mp.mpf(10) ** -20
        ratio = mp.besseli(number(order) + 1, number(at)) / mp.besseli(number(order), number(at))
        slope = LogBesselI(order).large_slope(interval(at))
        assert number(slope.lo) - mp.mpf(10) ** -50 <= ratio <= number(slope.hi) + mp.mpf(10) ** -50
        assert number(slope.hi) - number(slope.lo) <= mp.mpf(10) ** -20


def test_the_bessel_function_about_0() -> None:
    """B is even: on a box about 0 it lies between its value there and those at the ends."""
    f = LogBesselI(Q(1, 3))
    box, one = f.value(Interval(Decimal(-1), Decimal(2))), f.value(interval(0))
    with mp.workdps(40):
        truth = lambda x: mp.log(mp.besseli(mp.mpf(1) / 3, x) / mp.cbrt(x))  # noqa: E731
        assert abs(number(box.hi) - truth(2)) < 1e-30
        assert box.lo == one.lo and number(one.lo) < truth(mp.mpf(10) ** -9)
        assert f.value(Interval(Decimal(-2), Decimal(-1))).lo == f.value(Interval(Decimal(1), Decimal(2))).lo
        steep = f.slope(Interval(Decimal(-1), Decimal(2)))
        assert abs(number(steep.lo) + mp.diff(truth, 1)) < 1e-15 and abs(number(steep.hi) - mp.diff(truth, 2)) < 1e-15
    for low in ("-1", "0"):
        assert (f.bend(Interval(Decimal(low), Decimal(2))).lo, f.bend(Interval(Decimal(low), Decimal(2))).hi) == (0, 1)


@pytest.mark.parametrize("x", [Decimal("Infinity"), Decimal("1e1000"), Decimal("-1e1000")])
def test_what_is_too_far_out_is_refused(x: Decimal) -> None:
    for work in (lambda: besseli.log_point(Q(1), x), lambda: erfc.log_erfc_point(x)):
        with pytest.raises(Rejected) as refusal:
            work()
        assert refusal.value.code == "limits"


def test_what_is_not_positive_is_refused() -> None:
    about = Interval(Decimal("-1"), Decimal(1))
    for work in (
        lambda: Part(Q(1, 3), False).value(Interval(Decimal(0), Decimal(1))),
        lambda: Part(Q(1, 3), True).value(about),
        lambda: Part(Q(1, 3), True).slope(Interval(Decimal(0), Decimal(1))),
        lambda: Kummer(Q(1, 3)).value(about),
        lambda: LogGamma().value(Interval(Decimal(0), Decimal(1))),
        lambda: log_matern_of_interval(Interval(Decimal(0), Decimal(1)), Q(1, 3)),
        lambda: besselk_ratio_of_interval(Interval(Decimal(0), Decimal(1)), Q(1, 3)),
    ):
        with pytest.raises(Rejected, match="positive"):
            work()
    with pytest.raises(Rejected, match="positive and finite"):
        besselk_ratio_of_interval(Interval(Decimal(1), INF), Q(1, 3))
    assert log_matern_of_interval(Interval(Decimal(1), INF), Q(1, 3)).lo == ANY.lo
    assert log_erfc_of_interval(Interval(Decimal(1), INF)).lo == ANY.lo


def test_at_0_what_is_exact_is_exact() -> None:
    """Q(0) = 1 and G(0) = 1."""
    to_one = Interval(Decimal(0), Decimal(1))
    assert Part(Q(1, 3), True).value(to_one).hi == 0 == Kummer(Q(1, 3)).value(to_one).hi
    with mp.workdps(40):
        assert abs(number(Kummer(Q(1, 3)).slope(to_one).lo) + mp.mpf(1) / 4) < 1e-30


@pytest.mark.parametrize("a", ["1/3", "5/2", "12"])
@pytest.mark.parametrize("far", ["-2", "1", "30"])
def test_where_the_incomplete_gamma_functions_change_their_series(a: str, far: str) -> None:
    order, at = Q(a), Q(70 + 2 * int(Q(a)) + int(far))
    with mp.workdps(70):
        above = mp.log(mp.gammainc(number(order), number(at), regularized=True))
        logs = incomplete_gamma.log_parts(order, interval(at))
        assert abs(number(logs[1].lo) - above) < 1e-20 and number(logs[1].lo) - mp.mpf(10) ** -60 <= above
        assert above <= number(logs[1].hi) + mp.mpf(10) ** -60
        assert (
            number(logs[0].lo) - mp.mpf(10) ** -60 <= mp.log1p(-mp.exp(above)) <= number(logs[0].hi) + mp.mpf(10) ** -60
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P 5/2", "Q 1/3", "G 5/2", "B 1/3", "K 1/3", "erfc", "lambertw", "atan"])
def test_along_a_power_series(name: str) -> None:
    """F(u) of u = 2 + x/4 + x^2/16, whose coefficients are those of Taylor."""
    x = panel(4, (Q(2), Q(1, 4), Q(1, 16))).middle
    along: dict[str, Callable[[Series], Any]] = {
        "K 1/3": lambda u: besselk.log_matern(u, Q(1, 3)),
        "erfc": erfc.log_erfc,
        "P 5/2": Part(Q(5, 2), False).of,
        "Q 1/3": Part(Q(1, 3), True).of,
        "G 5/2": Kummer(Q(5, 2)).of,
        "B 1/3": LogBesselI(Q(1, 3)).of,
        "lambertw": Lambert().of,
        "atan": Arctangent().of,
    }
    found, truth = along[name](x), NAMED[name][1]
    with mp.workdps(40):
        exact = mp.taylor(lambda s: truth(2 + s / 4 + s * s / 16), 0, 3)
        for c, value in zip(found.c, exact, strict=False):
            assert number(c.lo) - 1e-12 <= value <= number(c.hi) + 1e-12 and number(c.hi) - number(c.lo) < 1e-15


@pytest.mark.parametrize("x", ["1/3", "5", "39", "41/2", "100", "-1/2", "-5/2", "-1999/2"])
def test_gamma_of_a_number(x: str) -> None:
    with mp.workdps(70):
        found, exact = gamma(Q(x)), mp.gamma(number(Q(x)))
        unit = abs(exact) * mp.mpf(10) ** -60
        assert number(found.lo) - unit <= exact <= number(found.hi) + unit
        assert number(found.hi) - number(found.lo) <= abs(exact) * mp.mpf(10) ** -30


@pytest.mark.parametrize(
    ("x", "why"), [("0", "pole"), ("-3", "pole"), ("-2001/2", "too large"), ("1000001", "too large")]
)
def test_gamma_at_its_poles_and_far_out(x: str, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        gamma(Q(x))


# The rest of a series, and how a text is read.


def test_the_rest_of_a_series_is_added_whatever_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of few terms: what is left out is part of what is found."""
    for module in (besseli, incomplete_gamma):
        monkeypatch.setattr(module, "FINE", Decimal("0.1"))
    monkeypatch.setattr(erfc, "SMALL", Decimal("0.1"))
    with mp.workdps(40):
        besseli.log_point.__wrapped__.cache_clear()  # type: ignore[attr-defined]
        incomplete_gamma.kummer_sum.cache_clear()
        erfc.erfc_by_series.__wrapped__.cache_clear()  # type: ignore[attr-defined]
        for found, exact in (
            (besseli.log_point(Q(0), Decimal(1)), mp.log(mp.besseli(0, 1))),
            (incomplete_gamma.kummer_sum(Q(1, 2), Decimal(1)), mp.log(mp.gammainc(0.5, 0, 1) / 2)),
            (erfc.erfc_by_series(Decimal(1)), mp.log(mp.erfc(1))),
        ):
            assert number(found.lo) <= exact <= number(found.hi) and found.hi - found.lo > Q(1, 10**6)
        besseli.log_point.__wrapped__.cache_clear()  # type: ignore[attr-defined]
        incomplete_gamma.kummer_sum.cache_clear()
        erfc.erfc_by_series.__wrapped__.cache_clear()  # type: ignore[attr-defined]


def test_the_rest_of_hankels_series() -> None:
    """Of one term and p = 7/2: at most (2 + 3) 4/x; its increment at most twice as much."""
    x = Germ(Q(100), 1).radius()
    far = besseli.far(Q(7, 2), x).span()
    assert abs(float(far.lo) - 0.8) < 1e-9 and abs(float(far.hi) - 1.2) < 1e-9
    both = besseli.within(Shift(x, x.const(1)), Q(3))
    for part, size in ((both.u, 3), (both.du, 6)):
        assert (part.span().lo, part.span().hi) == (-size, size)


def test_an_order_that_is_no_decimal_is_taken_between_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(besseli, "log_gamma_between", lambda low, high: Interval(low, high))
    found, third = besseli.log_gamma_of(Q(4, 3)), interval(Q(4, 3))
    assert (found.lo, found.hi) == (third.lo, third.hi) and found.lo < found.hi


def test_about_0_the_bessel_function_is_at_least_its_value_there() -> None:
    f = LogBesselI(Q(2))
    assert f.value(Interval(Decimal("-0.5"), Decimal("0.5"))).lo == f.value(interval(0)).lo


def test_how_besseli_is_read() -> None:
    assert same(problems.tree("besseli(-2, r)"), problems.tree("besseli(2, r)"))
    for order in ("0", "1/3", "50"):
        problems.tree(f"besseli({order}, r)")
    for order in ("-1/2", "51", "-51", "101/2", "r"):
        with pytest.raises(Rejected, match="rational from 0 to 50"):
            problems.tree(f"besseli({order}, r)")
    needs = [besseli.need_of_besseli(Node("num", Q(order)), Node("r")) for order in ("2", "1/3")]
    assert needs == ["", "nonnegative"]
    with mp.workdps(30):
        found = problems.on_charts("besseli(0, r) + 1").at_radius(interval(1))
        assert abs(number(found.lo) - mp.log(1 + mp.besseli(0, 1))) < 1e-20
