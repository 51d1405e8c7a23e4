"""Infinite dimension: the mean over V of the Gaussian's profile."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify import Generator
from dpverify.errors import InputError
from dpverify.generators.catalogue import Family, families
from dpverify.profiles.result import Enclosed, Measure
from soundness.plain import function
from tests.profiles import references
from tests.profiles.test_closed_forms import holds, narrow


def point(epsilon: str = "1", **arguments: Any) -> Enclosed:
    found = dpverify.profile(dimension="infinity", epsilon=epsilon, **arguments).points[0].delta
    assert isinstance(found, Enclosed)
    return found


def measure(**arguments: Any) -> Measure:
    return dpverify.profile(dimension="infinity", **arguments).measures[0]


def test_one_atom_is_the_gaussian_and_two_are_its_mean() -> None:
    found = dpverify.profile(mixing="1: 1", dimension="infinity", epsilon="2")
    with mp.workdps(60):
        assert holds(found.delta("1"), references.gaussian("1"))
        assert holds(point(generator="gaussian"), references.gaussian("1"))
        two = references.gaussian("1") / 4 + references.gaussian("1", "0.5") * 3 / 4
        assert holds(point(mixing="1/4: 1, 3/4: 2"), two)


@pytest.mark.slow
@pytest.mark.parametrize("shift", ["1", "3"])
def test_a_density_of_v_by_quadrature(shift: str) -> None:
    """V = Rayleigh, so that X is the Laplace motion: V^2/2 is exponential."""
    found = dpverify.profile(
        mixing="v*exp(-v**2/2)", dimension="infinity", sensitivity=shift, epsilon="1", tolerance="1e-12"
    )
    delta = found.points[0].delta
    with mp.workdps(30):
        mean = lambda v: v * mp.exp(-v * v / 2) * references.gaussian("1", mp.mpf(shift) / v)  # noqa: E731
        exact = mp.quad(mean, [0, 0.1, 0.5, 1, 2, 4, 8, 16])
    assert found.verdict == "proved" and narrow(delta, Fraction(1, 10**12)) and holds(delta, exact, "1e-20")


@pytest.mark.slow
def test_finite_dimensions_lie_below_and_rise() -> None:
    """Student's t with 3 degrees of freedom: V^2 = 3 / chi^2_3, so V has density v^-4 exp(-3/(2 v^2))."""
    limit = dpverify.profile(mixing="v**(-4)*exp(-3/(2*v**2))", dimension="infinity", epsilon="1/2").points[0].delta
    t = {"parameters": {"nu": 3}, "epsilon": "1/2"}
    finite = [dpverify.profile("student_t", dimension=d, **t).points[0].delta for d in (1, 5, 50)]
    assert all(a.upper < b.lower for a, b in zip([*finite], [*finite[1:], limit], strict=True))
    assert (limit.lower - finite[-1].upper) / limit.lower < Fraction(1, 10)


MIXTURES = [family for family in families().values() if family.mixing]


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize("family", MIXTURES, ids=lambda family: family.name)
def test_each_family_with_a_law_of_v_is_its_mixture(family: Family) -> None:
    """f(y)/f(1) beside the quotient of E[V^-d exp(-y/(2 V^2))] at the two, by mpmath, for d = 1 and d = 4."""
    for d in (1, 4):
        generator = Generator(family.name, d, {p.name: "5/4" for p in family.parameters if p.name not in ("p", "s")})
        names = dict(generator.parameters)
        f = function(generator.text, names | {"d": Fraction(d)})
        with mp.workdps(20):
            g = mixture(str(family.mixing), names, d)
            assert mp.almosteq(f(mp.mpf(3)) / f(mp.mpf(1)), g(mp.mpf(3)) / g(mp.mpf(1)), 1e-9)


def mixture(text: str, names: dict[str, Fraction], d: int) -> Callable[[Any], Any]:
    """r to E[V^-d exp(-r^2/(2 V^2))], up to a factor."""
    if ":" in text:
        pairs = [part.split(":") for part in text.split(",")]
        atoms = [(eval_at_1(weight, names), eval_at_1(value, names)) for weight, value in pairs]
        return lambda r: sum(w * v**-d * mp.exp(-r * r / (2 * v * v)) for w, v in atoms)
    p = function(re.sub(r"\bv\b", "r", text), names)
    ends = [0, 0.1, 0.3, 0.6, 1, 1.5, 2, 3, 5, 10, 30, 100, 1000, mp.inf]
    return lambda r: mp.quad(lambda v: p(v) * v**-d * mp.exp(-r * r / (2 * v * v)), ends)


def eval_at_1(text: str, names: dict[str, Fraction]) -> Any:
    return function(text.strip(), names)(mp.mpf(1))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["0", "1/2", "3"])
def test_certified_points_of_a_students_path(epsilon: str) -> None:
    """1/V^2 = chi^2_nu/nu: the kernel's bounds hold the quadrature over chi^2, and are narrow."""
    nu = 3
    found = dpverify.profile(
        "student_t", dimension="infinity", epsilon=epsilon, parameters={"nu": nu}, sensitivity=2, certificate=True
    )
    report = dpverify.check(found.certificate or {})
    assert report.accepted and report.claim is not None and not report.assumptions
    claimed = report.claim["points"][0]["delta"]
    low, high = Fraction(claimed["lower"]), Fraction(claimed["upper"])
    with mp.workdps(30):
        half = mp.mpf(nu) / 2
        density = lambda x: x ** (half - 1) * mp.exp(-x / 2) / (2**half * mp.gamma(half))  # noqa: E731
        e = str(mp.mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator)
        mean = lambda x: density(x) * references.gaussian(e, 2 * mp.sqrt(x / nu)) if x else mp.mpf(0)  # noqa: E731
        exact = mp.quad(mean, [0, 0.01, 0.1, 0.5, 1, 2, 4, 8, 16, 32, 64, 200])
        assert holds(Enclosed(low, high), exact, "1e-16")
    assert (high - low) / high < Fraction(1, 10**9)


@pytest.mark.slow
def test_a_quantile_is_where_delta_is_the_target() -> None:
    found = dpverify.profile("slash", dimension="infinity", delta="1/1000", certificate=True)
    at = found.points[0].epsilon
    assert isinstance(at, Enclosed) and narrow(at, Fraction(1, 10**9)) and dpverify.check(found.certificate or {})
    with mp.workdps(30):
        delta = lambda e: mp.quad(lambda v: references.gaussian(e, 1 / v) / v**2, [1, 2, 4, 8, 16, 64, mp.inf])  # noqa: E731
        low, high = (mp.mpf(x.numerator) / x.denominator for x in (at.lower, at.upper))
        assert delta(low) > mp.mpf(1) / 1000 - mp.mpf(10) ** -14 > delta(high) - mp.mpf(10) ** -13


@pytest.mark.slow
def test_a_whole_profile_composes_to_the_longer_gaussian() -> None:
    """Four Gaussians in infinite dimension with one law of V that is a constant are one with half the scale."""
    grid = {"curve": True, "step": "1/10", "until": "1e-9"}
    whole = dpverify.profile("gaussian", dimension="infinity", scale=2, **grid, certificate=True)
    four = dpverify.compose([(whole.certificate, 4)], epsilon="1", certificate=True)
    delta = four.points[0].delta
    assert isinstance(delta, Enclosed) and dpverify.check(four.certificate or {})
    assert holds(delta, references.gaussian("1")) and delta.lower > 0 and delta.upper < delta.lower * Fraction(11, 10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nu", "order", "finite"),
    [("5", "2", True), ("5", "1/2", True), ("5", "3", False), ("6", "3", False), ("7", "3", True)],
)
def test_renyi_divergences_of_a_students_path(nu: str, order: str, finite: bool) -> None:
    """E[e^(c chi^2/nu)] = (1 - 2c/nu)^(-nu/2) for 2c < nu, and else infinite; c = L (L - 1)/2."""
    found = measure(generator="student_t", parameters={"nu": nu}, renyi=order)
    assert found.verdict == ("proved" if finite else "refuted")
    if finite and found.value is not None:
        with mp.workdps(30):
            n, a = mp.mpf(nu), mp.mpf(Fraction(order).numerator) / Fraction(order).denominator
            assert holds(found.value, -n / 2 * mp.log(1 - a * (a - 1) / n) / (a - 1))
        assert narrow(found.value, Fraction(1, 10**8))


def test_kullbacks_divergence_is_the_mean_of_half_the_squared_shift() -> None:
    """Slash with q = 1: E[V^-2] = 1/3; contaminated normal: 9/10 + 1/90."""
    slash, two = (measure(generator=name, renyi=1).value for name in ("slash", "contaminated_normal"))
    assert slash is not None and slash.lower <= Fraction(1, 6) <= slash.upper
    assert two is not None and two.lower <= Fraction(82, 180) <= two.upper and narrow(two, Fraction(1, 10**8))


@pytest.mark.parametrize(("name", "least"), [("slash", 1), ("contaminated_normal", 1), ("student_t", 0), ("nig", 0)])
def test_rho_and_mu_are_those_of_the_least_v(name: str, least: int) -> None:
    found = dpverify.profile(name, dimension="infinity", sensitivity=3, zcdp=True, gdp=True)
    rho, mu = found.measures
    assert found.verdict == ("proved" if least else "refuted")
    if least:
        assert rho.value == Enclosed(Fraction(9, 2), Fraction(9, 2)) and mu.value == Enclosed(Fraction(3), Fraction(3))
    else:
        assert rho.value is None and mu.value is None and "V comes as near to 0" in rho.reason


def test_the_trade_off_of_two_gaussians_is_the_mean_at_one_level() -> None:
    """The optimal test rejects where the loss given V exceeds one level: its errors are means over V."""
    found = measure(mixing="1/4: 1, 3/4: 2", tradeoff="1/20").value
    with mp.workdps(30):
        first = lambda e: sum(w * mp.ncdf(-t / 2 - e / t) for w, t in PAIRS)  # noqa: E731
        second = lambda e: sum(w * mp.ncdf(e / t - t / 2) for w, t in PAIRS)  # noqa: E731
        level = mp.findroot(lambda e: first(e) - mp.mpf(1) / 20, 1)
        assert found is not None and holds(found, second(level)) and narrow(found, Fraction(1, 10**8))


PAIRS = [(mp.mpf(1) / 4, mp.mpf(1)), (mp.mpf(3) / 4, mp.mpf(1) / 2)]


@pytest.mark.parametrize("generator", ["laplace", "exp(-r)", "hyperbolic"])
def test_noise_without_one_law_of_v_is_refused(generator: str) -> None:
    with pytest.raises(InputError, match="student_t"):
        dpverify.profile(generator, dimension="infinity", epsilon="1")


def test_what_is_no_law_has_no_profile() -> None:
    found = dpverify.profile(mixing="1/v", dimension="infinity", epsilon="1", certificate=True)
    assert found.verdict == "invalid" and not found.points and found.certificate is None
    with pytest.raises(InputError):
        dpverify.profile("gaussian", mixing="1: 1", dimension="infinity", epsilon="1")


@pytest.mark.parametrize(
    ("mixing", "least"),
    [
        ("Piecewise((0, v < 1/10**15), (v**-2, True))", "1e-15"),
        ("Piecewise((0, v < 1), (v-1, v < 2), (3-v, v < 3), (0, True))", "1"),
        ("Piecewise((0, v < 1), (Max(0, v-3/2)*exp(-v), True))", "3/2"),
    ],
)
def test_the_least_v_is_where_the_density_begins_wherever_panels_do(mixing: str, least: str) -> None:
    """rho is (Delta/v)^2/2 for the least v, which may lie below all panels, or beyond where a formula starts."""
    found = dpverify.profile(mixing=mixing, dimension="infinity", zcdp=True, gdp=True)
    v = Fraction(least)
    for measure_, exact in zip(found.measures, (1 / v**2 / 2, 1 / v), strict=True):
        if measure_.decided:
            assert measure_.value is not None
            assert measure_.value.lower <= exact <= measure_.value.upper
            assert narrow(measure_.value, Fraction(1, 10**9))
        else:
            assert least == "1e-15", "what begins at a break is decided"
