"""Renyi divergences, rho, trade-off functions and mu against closed forms."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.profiles import Enclosed
from dpverify.profiles.envelope import Envelope
from dpverify.profiles.tails import tail
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile as Prover


def measure(generator: str, **options: Any) -> list[Enclosed]:
    found = dpverify.profile(generator, **options)
    assert found.verdict == "proved", found.reason
    return [m.value for m in found.measures if m.value is not None]


def holds(value: Enclosed, exact: mp.mpf, width: float = 1e-3) -> bool:
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (value.lower, value.upper))
    return bool(low <= exact * (1 + mp.mpf("1e-13")) and exact * (1 - mp.mpf("1e-13")) <= high <= low * (1 + width))


ORDERS, LEVELS = ("1/2", "1", "3/2", "2", "10"), ("1/100", "1/4", "3/4")


@cache
def of_laplace() -> list[Enclosed]:
    """One question, since each measure is read off the same points of the profile."""
    return measure("laplace", renyi=ORDERS, tradeoff=LEVELS, gdp=True)


@pytest.mark.slow
def test_laplace_divergences_of_every_order() -> None:
    """Mironov (2017), Proposition 6; Kullback's at 1, and Bhattacharyya's coefficient at 1/2."""
    for value, text in zip(of_laplace()[: len(ORDERS)], ORDERS, strict=True):
        a = mp.mpf(Fraction(text).numerator) / Fraction(text).denominator
        if a == 1:
            exact = mp.exp(-1)
        elif a == mp.mpf(1) / 2:
            exact = -2 * mp.log(mp.exp(-a) * (1 + a))
        else:
            exact = mp.log(a / (2 * a - 1) * mp.exp(a - 1) + (a - 1) / (2 * a - 1) * mp.exp(-a)) / (a - 1)
        assert holds(value, exact, 1e-9)


@pytest.mark.slow
def test_the_trade_off_of_laplace_noise() -> None:
    """Dong, Roth and Su (2022): 1 - e x, then 1/(4 e x), then (1 - x)/e."""
    cases = (lambda x: 1 - mp.e * x, lambda x: 1 / (4 * mp.e * x), lambda x: (1 - x) / mp.e)
    for value, text, exact in zip(of_laplace()[len(ORDERS) : -1], LEVELS, cases, strict=True):
        assert holds(value, exact(mp.mpf(Fraction(text).numerator) / Fraction(text).denominator), 2e-8)


@pytest.mark.slow
def test_mu_of_laplace_noise() -> None:
    """It is told by total variation, at eps = 0: 2 Phi(mu/2) - 1 = 1 - e^(-1/2)."""
    value = of_laplace()[-1]
    exact = mp.findroot(lambda m: mp.erf(m / 2 / mp.sqrt(2)) - 1 + mp.exp(mp.mpf(-1) / 2), 1)
    assert holds(value, exact, 3e-9)


@pytest.mark.campaign
def test_rho_of_the_student_t_against_quadrature() -> None:
    """The supremum over orders, each divergence by mpmath's quadrature of the densities."""
    (value,) = measure("student_t", parameters={"nu": 3}, zcdp=True)

    def p(x: mp.mpf) -> mp.mpf:
        return (1 + x * x / 3) ** -2

    whole = mp.quad(p, [-mp.inf, -1, 0, 1, mp.inf])

    def part(a: mp.mpf) -> mp.mpf:
        moment = mp.quad(lambda x: p(x) ** a * p(x - 1) ** (1 - a), [-mp.inf, -4, 0, 1, 4, mp.inf]) / whole
        return mp.log(moment) / (a - 1) / a

    best = max(part(mp.mpf(k) / 20) for k in range(21, 120))
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (value.lower, value.upper))
    assert best <= high <= best * mp.mpf("1.005") and low <= best * mp.mpf("1.005")


def test_the_gaussian_has_closed_forms() -> None:
    renyi, error, rho, mu = measure("gaussian", scale=2, dimension=3, renyi="3", tradeoff="1/20", zcdp=True, gdp=True)
    assert renyi.lower == renyi.upper == Fraction(3, 8) and rho.lower == rho.upper == Fraction(1, 8)
    assert mu.lower <= Fraction(1, 2) <= mu.upper
    with mp.workdps(30):
        quantile = mp.sqrt(2) * mp.erfinv(1 - mp.mpf(1) / 10)
        assert holds(error, mp.ncdf(quantile - mp.mpf(1) / 2), 1e-12)


@pytest.mark.campaign
def test_a_loss_without_a_bound_that_grows_more_slowly_than_the_radius() -> None:
    """exp(-r^(3/2)): by mpmath's quadrature, D_L/L falls in L, so that rho is Kullback's divergence."""

    def exact(order: int) -> mp.mpf:
        places = [-80, -40, -20, -8, -3, -1, 0, 1, 3, 8, 20, 60]
        g = lambda x: abs(x) ** mp.mpf("1.5")  # noqa: E731
        whole = mp.quad(lambda x: mp.exp(-g(x)), places)
        if order == 1:
            return mp.quad(lambda x: mp.exp(-g(x)) * (g(x - 1) - g(x)), places) / whole
        inside = lambda x: mp.exp((order - 1) * g(x - 1) - order * g(x))  # noqa: E731
        return mp.log(mp.quad(inside, places) / whole) / (order - 1)

    first, second, rho = measure("exp(-r**(3/2))", renyi=("1", "2"), zcdp=True)
    assert holds(first, exact(1)) and holds(second, exact(2), 1e-2) and holds(rho, exact(1), 2e-3)


@pytest.mark.slow
def test_what_stays_open_does_not_hide_what_is_refuted() -> None:
    found = dpverify.profile("exp(-(r-2)**4)", epsilon="1", tolerance="1e-3", renyi="2", zcdp=True, gdp=True)
    assert [m.verdict for m in found.measures] == ["undecided", "refuted", "refuted"]
    assert found.verdict == "undecided" and found.points and "zCDP rho is infinite" in found.reason
    with_a_reason = found.to_json()["measures"][0]
    assert with_a_reason["verdict"] == "undecided" and with_a_reason["value"] is None and with_a_reason["reason"]


@pytest.mark.slow
def test_bounds_beyond_the_end_hold_for_a_gaussian() -> None:
    """exp(-y/2), whose moments are known: log E e^(k l) = k (k + 1)/2 for the loss l under p."""
    problem = Problem(lower(Generator("exp(-y/2)", 1).expression), 1, Fraction(1))
    beyond = tail(Prover(problem, None))
    for order in (Fraction(2), Fraction(5), Fraction(40)):
        assert beyond.renyi(order) >= float(order) / 2
        assert beyond.share(order) >= 0.5
    for epsilon in (Fraction(3), Fraction(10)):
        e = mp.mpf(float(epsilon))
        h = lambda t: mp.ncdf(mp.mpf(1) / 2 - t) - mp.exp(t) * mp.ncdf(-mp.mpf(1) / 2 - t)  # noqa: E731
        exact = mp.quad(lambda t: h(t) * (mp.exp(t) + mp.exp(-2 * t)), [e, e + 2, e + 8, e + 20])
        assert float(beyond.moment(Fraction(2), epsilon).lower()) >= exact
    assert not any(beyond.below_gaussian(Fraction(1), Fraction(e)) for e in (1, 5, 20))
    assert beyond.below_gaussian(Fraction(3), Fraction(20))


@pytest.mark.slow
def test_errors_of_tests_hold_at_the_end_of_a_coarse_profile() -> None:
    """Where a line below h crosses 0 inside a cell, a test's error is still bounded by both of its parts."""
    levels = [Fraction(k, 3) for k in range(4)]
    with mp.workdps(30):
        exact = [max(mp.mpf(0), 1 - mp.exp((mp.mpf(k) / 3 - 1) / 2)) for k in range(4)]
    points = [
        (
            e,
            Enclosed(
                Fraction(str(mp.nstr(d * (1 - mp.mpf("1e-12")), 15))),
                Fraction(str(mp.nstr(d * (1 + mp.mpf("1e-12")), 15))),
            ),
        )
        for e, d in zip(levels, exact, strict=True)
    ]
    found = Envelope(points, Fraction(1))
    for k in range(1, 100):
        x = mp.mpf(k) / 100
        low = mp.exp(-1) / 2
        t = 1 - mp.e * x if x < low else 1 / (4 * mp.e * x) if x < mp.mpf(1) / 2 else (1 - x) / mp.e
        value = found.tradeoff(Fraction(k, 100))
        assert float(value.lower) <= t * (1 + mp.mpf("1e-12")) and t <= float(value.upper) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("generator", "options"),
    [
        ("exp(-y-y**2)", {"zcdp": True, "gdp": True}),
        ("exp(-y*log(2+y))", {"zcdp": True, "dimension": 3}),
        ("multivariate_laplace", {"zcdp": True, "dimension": 3, "renyi": "7/2"}),
        ("pearson_ii", {"zcdp": True, "renyi": "1", "parameters": {"m": 1}}),
    ],
)
def test_noise_without_a_rho(generator: str, options: Any) -> None:
    found = dpverify.profile(generator, **options)
    assert found.verdict == "refuted" and found.measures and all(m.value is None for m in found.measures)
    assert {m["verdict"] for m in found.to_json()["measures"]} == {"refuted"}


@pytest.mark.slow
def test_divergences_grow_without_end_where_there_is_no_rho() -> None:
    """D_L/L by quadrature: of exp(-r^4) it rises with L for ever, of exp(-r^(3/2)), which is not refuted, it falls."""

    def share(order: int, power: mp.mpf) -> mp.mpf:
        places = [-60, -20, -8, -2, 0, 1, 2, 8, 20, 60]
        whole = mp.quad(lambda x: mp.exp(-(abs(x) ** power)), places)
        inside = lambda x: mp.exp((order - 1) * abs(x - 1) ** power - order * abs(x) ** power)  # noqa: E731
        return mp.log(mp.quad(inside, places) / whole) / (order - 1) / order

    light, heavy = ([share(order, mp.mpf(p)) for order in (2, 8, 16)] for p in (4, 1.5))
    assert light[0] * 3 < light[1] and light[1] * 2 < light[2]
    assert heavy == sorted(heavy, reverse=True)


@pytest.mark.campaign
def test_orders_below_the_pole_are_not_called_infinite() -> None:
    """f = e^(-k r)/r in R^3, k^2 = 2: near 0 it is the integral of r^(2 - L), which converges for L < 3; means over
    spheres are those of b e^(-k b (1-L)) b^(L-1) db/(2 r)."""
    (value,) = measure("multivariate_laplace", dimension=3, renyi="5/2")
    k, a = mp.sqrt(2), mp.mpf(5) / 2

    def at(r: mp.mpf) -> mp.mpf:
        return (
            r ** (1 - a) * mp.exp(-k * a * r) * mp.quad(lambda b: b**a * mp.exp(k * (a - 1) * b), [abs(r - 1), r + 1])
        )

    inner = mp.quad(lambda t: at(t * t) * 2 * t, [0, mp.mpf(1) / 2, 1])
    moment = (inner + mp.quad(at, [1, 2, 4, 8, 16, 32])) / 2 * k * k
    assert holds(value, mp.log(moment) / (a - 1), 1e-9)


def test_what_is_infinite_beside_what_is_not() -> None:
    found = dpverify.profile("exp(-y-y**2)", epsilon="1", zcdp=True)
    assert found.verdict == "proved" and found.points and found.measures[0].value is None


def test_orders_and_levels_that_mean_nothing() -> None:
    for wrong in ({"renyi": "0"}, {"renyi": "-1"}, {"tradeoff": "1"}, {"tradeoff": "0"}):
        with pytest.raises(InputError):
            dpverify.profile("laplace", **wrong)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_group_is_a_longer_shift() -> None:
    assert dpverify.profile("laplace", group=3).delta("1") == dpverify.profile("laplace", sensitivity=3).delta("1")
    with pytest.raises(InputError):
        dpverify.profile("laplace", group=0)
