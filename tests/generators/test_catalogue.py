"""Each family of the catalogue beside an independent computation: its constant, its verdict, its epsilon."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import Generator, families, verify
from dpverify.enclosures import Ball, Evaluation
from dpverify.enclosures.lowering import lower
from dpverify.generators.catalogue.search import absent, found
from dpverify.language import parse, substitute
from dpverify.prover.closed_form import confirmed
from tests.strategies import search

mp = mpmath.mpf


def slash(d: int, p: dict[str, Any]) -> Any:
    a = (p["q"] + d) / 2
    return lambda r: a * mpmath.log(r * r / 2) - mpmath.log(mpmath.gammainc(a, 0, r * r / 2))


def gh(order: Any, alpha: Any) -> Any:
    return lambda r: (
        -order / 2 * mpmath.log(1 + r * r) - mpmath.log(mpmath.besselk(order, alpha * mpmath.sqrt(1 + r * r)))
    )


def bessel(order: Any, alpha: Any) -> Any:
    return lambda r: -order * mpmath.log(r) - mpmath.log(mpmath.besselk(order, alpha * r))


POTENTIALS = {  # g(r) = -log f(r^2), written down independently of the catalogue's texts
    "kotz": lambda d, p: lambda r: p["a"] * r ** (2 * p["s"]) - 2 * (p["n"] - 1) * mpmath.log(r),
    "slash": slash,
    "nig": lambda d, p: gh(-mp(d + 1) / 2, p["alpha"]),
    "variance_gamma": lambda d, p: bessel(p["lam"] - mp(d) / 2, p["alpha"]),
    "matern_nu": lambda d, p: bessel(p["nu"], 1),
    "q_gaussian": lambda d, p: lambda r: mpmath.log(1 + (p["q"] - 1) * r * r) / (p["q"] - 1),
    "smooth_sensitivity": lambda d, p: lambda r: mpmath.log(1 + r ** p["g"]),
    "huber": lambda d, p: lambda r: r * r / 2 if r < p["k"] else p["k"] * r - p["k"] ** 2 / 2,
    "charbonnier": lambda d, p: lambda r: p["k"] * mpmath.sqrt(p["k"] ** 2 + r * r),
    "barron": lambda d, p: lambda r: (2 - p["a"]) / p["a"] * (1 + r * r / (2 - p["a"])) ** (p["a"] / 2),
    "champernowne": lambda d, p: lambda r: mpmath.log(mpmath.exp(r) / 2 + mpmath.exp(-r) / 2 + p["lam"]),
    "radial_logistic": lambda d, p: lambda r: 2 * mpmath.log(mpmath.cosh(r / 2)),
}
CASES = [
    ("kotz", 2, {"s": "1/3", "a": "2"}),
    ("slash", 1, {"q": "1"}),
    ("slash", 3, {"q": "2"}),
    ("nig", 2, {"alpha": "2"}),
    ("variance_gamma", 1, {"lam": "3/4", "alpha": "2"}),
    ("matern_nu", 4, {"nu": "1/3"}),
    ("q_gaussian", 1, {"q": "7/4"}),
    ("smooth_sensitivity", 1, {"g": "3"}),
    ("smooth_sensitivity", 1, {}),
    ("barron", 1, {"a": "1/2"}),
    ("champernowne", 1, {"lam": "-1/2"}),
]


@pytest.mark.slow
@pytest.mark.swept(stay=6)
@pytest.mark.parametrize(("name", "dimension", "bound"), CASES)
def test_epsilon_is_what_a_plain_search_finds(name: str, dimension: int, bound: dict[str, str]) -> None:
    result = verify(name, dimension=dimension, tolerance="1/1000000", parameters=bound)
    assert result.verdict == "private" and result.certificate is not None
    with mpmath.workdps(30):
        numbers = {k: mp(v.numerator) / v.denominator for k, v in result.generator.parameters.items()}
        g = POTENTIALS[name](dimension, numbers)
        best = max(search(g, mp(1)), g(mp(1)) - g(mp(10) ** -12))
    assert result.epsilon is not None
    assert mp(result.epsilon.lower.numerator) / result.epsilon.lower.denominator <= best + mp(10) ** -5
    assert best <= mp(result.epsilon.upper.numerator) / result.epsilon.upper.denominator + mp(10) ** -8


LIMITS = [  # the loss at r and its limit, by plain evaluation: convex potentials, slopes that rise to it
    ("charbonnier", 2, {"k": "3/2"}, "3/2"),
    ("champernowne", 1, {"lam": "2"}, "1"),
    ("radial_logistic", 3, {}, "1"),
    ("barron", 1, {"a": "1"}, "1"),
    ("variance_gamma", 1, {"lam": "2", "alpha": "3"}, "3"),
    ("matern_nu", 2, {"nu": "5/2"}, "1"),
    ("huber", 2, {"k": "2/3"}, "2/3"),
    ("staircase", 1, {"b": "2"}, "2"),
    ("kotz", 1, {"s": "1/2", "a": "2"}, "2"),
]


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(("name", "dimension", "bound", "epsilon"), LIMITS)
def test_closed_forms_that_are_limits(name: str, dimension: int, bound: dict[str, str], epsilon: str) -> None:
    generator, best = Generator(name, dimension, bound), Fraction(epsilon)
    margin = Fraction(1, 10**12)
    assert confirmed(generator, Fraction(1), best - margin, best + margin) is not None
    assert confirmed(generator, Fraction(1), best + margin, best + 2 * margin) is None
    if name in POTENTIALS:
        with mpmath.workdps(40):
            numbers = {k: mp(v.numerator) / v.denominator for k, v in generator.parameters.items()}
            g = POTENTIALS[name](dimension, numbers)
            far = g(mp(501)) - g(mp(500))
            assert search(g, mp(1)) <= mp(best.numerator) / best.denominator + mp(10) ** -20
            assert abs(far - mp(best.numerator) / best.denominator) < 0.01


@pytest.mark.slow
@pytest.mark.swept(stay=5)
@pytest.mark.parametrize(
    ("name", "bound", "verdict"),
    [
        ("elliptical_logistic", {}, "not_private"),
        ("contaminated_normal", {}, "not_private"),
        ("kotz", {"n": "2"}, "not_private"),
        ("kotz", {"n": "3/4"}, "not_private"),
        ("kotz", {"s": "1"}, "not_private"),
        ("barron", {"a": "3/2"}, "not_private"),
        ("barron", {"a": "-2"}, "invalid"),
        ("variance_gamma", {"lam": "1/2"}, "not_private"),
        ("smooth_sensitivity", {"g": "1"}, "invalid"),
        ("q_gaussian", {"q": "3"}, "invalid"),
    ],
)
def test_the_limits_of_private_when(name: str, bound: dict[str, str], verdict: str) -> None:
    assert verify(name, parameters=bound).verdict == verdict


WITH_MASS = [name for name, family in families().items() if family.mass]
OTHER = {"smooth_sensitivity": {"g": "9/2"}, "q_gaussian": {"q": "5/4"}, "variance_gamma": {"lam": "9/4", "alpha": "2"}}


@pytest.mark.slow
@pytest.mark.swept(stay=14)
@pytest.mark.parametrize("name", WITH_MASS)
@pytest.mark.parametrize("dimension", [1, 3])
def test_the_mass_is_the_integral_of_f(name: str, dimension: int) -> None:
    """By mpmath's quadrature of r^(d-1) f(r^2), f evaluated at points."""
    bound = OTHER.get(name) or {p.name: "3" for p in families()[name].parameters if p.default is None}
    generator = Generator(name, dimension, bound)
    names = {**generator.parameters, "d": Fraction(dimension)}
    formula = Evaluation(Ball.between(Fraction(1), Fraction(1))).value(
        lower(substitute(parse(families()[name].mass), names))
    )
    node = lower(generator.expression)

    def integrand(t: Any) -> Any:
        """r^d f(r^2) at r = e^t, so that poles at the centre and heavy tails are smooth."""
        r = Fraction(float(mpmath.exp(t))).limit_denominator(10**12)
        if not r:
            return mp(0)
        value = Evaluation(Ball.between(r, r)).value(node).x.mid()
        return mp(str(value.str(20, radius=False))) * (mp(r.numerator) / r.denominator) ** dimension

    with mpmath.workdps(15):
        marks = [-25, -6, -3, -1, -0.25, 0, 0.25, 1, 2, 4, 8, 16] if name != "pearson_ii" else [-25, -6, -3, -1, 0]
        sphere = 2 * mpmath.pi ** (mp(dimension) / 2) / mpmath.gamma(mp(dimension) / 2)
        integral = sphere * mpmath.quad(integrand, marks)
        assert abs(integral / mp(formula.x.mid().str(20, radius=False)) - 1) < 3e-6


def test_families_are_found_by_their_other_names() -> None:
    assert found("pseudo-huber")[0].name == "charbonnier"
    assert {f.name for f in found("generalised gaussian")} >= {"kotz", "power_exponential"}
    assert found("Tsallis")[0].name == "q_gaussian"
    assert found("student t")[0].name == "student_t"
    assert found("compact support")[0].name == "pearson_ii"
    assert found("frobnicate") == []
    assert set(absent("stable")) == {"symmetric stable"} and set(absent("linnik")) == {"Linnik"}
