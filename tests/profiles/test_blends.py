"""Profiles of Gaussian scale mixtures in d dimensions, beside quadrature and beside formulas."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from flint import arb

import dpverify
from dpverify.enclosures import Undecided, precision
from dpverify.errors import InputError
from dpverify.mixtures import Mixing
from dpverify.profiles.blends.atoms import Discrete, about, discrete, gauss, written
from dpverify.profiles.blends.profile import BITS, BlendProfile
from dpverify.profiles.blends.sums import Sum, Terms, Weight
from dpverify.profiles.curve import CurveGrid
from dpverify.profiles.hilbert.mean import Law
from dpverify.prover.profile import Divergence

UNIFORM = "Piecewise((1, (v > 1) & (v < 2)), (0, True))"
TOLERANCE = Fraction(1, 10**5)


def on_the_line(law: Any, ends: list[Any], epsilon: Any, s: Any) -> Any:
    """delta(eps) in one dimension for a law whose loss falls along the line: S is all to the left of one point."""
    density = lambda x: mp.quad(lambda v: law(v) * mp.npdf(x / v) / v, ends)  # noqa: E731
    below = lambda x: mp.quad(lambda v: law(v) * mp.ncdf(x / v), ends)  # noqa: E731
    edge = mp.findroot(lambda x: mp.log(density(x)) - mp.log(density(x - s)) - epsilon, -0.1)
    return (below(edge) - mp.exp(epsilon) * below(edge - s)) / mp.quad(law, ends)


def test_a_uniform_scale_on_the_line() -> None:
    found = dpverify.profile(mixing=UNIFORM, dimension=1, epsilon="1/4", sensitivity=2, scale=2)
    with mp.workdps(25):
        value = on_the_line(lambda v: mp.mpf(1), [1, 1.5, 2], mp.mpf(1) / 4, 1)
    (point,) = found.points
    assert found.verdict == "proved" and found.theorem == "Theorem B"
    assert mp.mpf(point.delta.lower.numerator) / point.delta.lower.denominator < value
    assert value < mp.mpf(point.delta.upper.numerator) / point.delta.upper.denominator
    assert point.delta.upper - point.delta.lower < point.delta.lower / 10**9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "d"),
    [
        ("v*exp(-v**2/2)", 1),
        ("exp(-1/(2*v**2))/v**4", 3),
        ("exp(-1/(2*v**2))/v**5", 2),
        ("v**2*exp(-v**2-1/v**2)", 2),
    ],
)
def test_what_has_a_formula_is_the_same_by_atoms(law: str, d: int) -> None:
    known = dpverify.profile(mixing=law, dimension=d, epsilon="1/2", tolerance=TOLERANCE)
    found = BlendProfile(Mixing(law), d, Fraction(1), lambda step: None).at(Fraction(1, 2), TOLERANCE)
    delta = known.points[0].delta
    assert known.assumptions and 0 < found.upper - found.lower <= TOLERANCE * found.lower
    assert found.lower <= delta.upper and delta.lower <= found.upper


@pytest.mark.slow
def test_no_loss_is_beyond_a_pure_epsilon() -> None:
    found = dpverify.profile(mixing="v**2*exp(-v)", dimension=1, epsilon="1/2", certificate=True)
    assert found.points[0].delta.upper == 0 and found.certificate is not None
    checked = dpverify.check(found.certificate)
    assert checked and checked.claim["points"][0]["delta"] == {"lower": "0", "upper": "0"}


def test_measures_need_a_formula() -> None:
    with pytest.raises(InputError, match="no formula is known"):
        dpverify.profile(mixing="v*exp(-v)", dimension=2, renyi=2)


def test_what_is_no_law_has_no_profile() -> None:
    assert dpverify.profile(mixing="exp(v)", dimension=2, epsilon=1).verdict == "invalid"


def test_a_curve_ends_where_its_end_is_not_enclosed() -> None:
    """Beside e^eps times a distance delta may be anything; one that hardly falls from 1 is followed on."""
    grid = CurveGrid(None, Fraction(1, 10**25))

    def prover(at: Callable[[Fraction], tuple[Fraction, Fraction]]) -> Any:
        bounds = lambda epsilon, tolerance: Divergence(epsilon, *at(epsilon))  # noqa: E731
        return SimpleNamespace(pure=None, atom=lambda tolerance: None, at=bounds)

    with pytest.raises(Undecided, match="enclosed"):
        grid.levels(prover(lambda e: (Fraction(0), e / 10**20)), 4)
    falling = prover(lambda e: (Fraction(e < 16), Fraction(e < 16)))
    assert grid.levels(falling, 4) == tuple(map(Fraction, range(17)))


# Atoms


def of(law: str, d: int = 1, allowed: Fraction = Fraction(1, 10**6)) -> Discrete:
    with precision(BITS):
        return discrete(Law(Mixing(law)), d, allowed)


@pytest.mark.parametrize("d", [1, 3, 20])
def test_atoms_have_the_moments_of_their_law_and_a_distance(d: int) -> None:
    found = of("v*exp(-v)", d)
    v = np.array([float(1 / (2 * a)) ** 0.5 for a, _ in found.atoms])
    w = np.array([float(w) for _, w in found.atoms])
    assert 0 < float(found.distance) < 1e-5
    for k, value in ((0, 1), (1, 2), (2, 6)):
        assert abs((w * v**k).sum() - value) < 1e-4


def test_a_distance_is_about_as_small_as_is_asked() -> None:
    rough, fine = of(UNIFORM, 3, Fraction(1, 10**3)), of(UNIFORM, 3, Fraction(1, 10**12))
    assert float(rough.distance) < 2e-3 and float(fine.distance) < 2e-12
    assert len(rough.atoms) < len(fine.atoms) < 20


def test_atoms_have_as_many_digits_as_their_distance_asks_for() -> None:
    found = of(f"10**6*({UNIFORM})", 3, Fraction(1, 10**35))
    assert float(found.distance) < 2e-29 and len(found.atoms) < 40
    assert max(len(str(w.numerator)) for _, w in found.atoms) < 60
    assert all(len(str(w.numerator)) <= 30 for _, w in of(UNIFORM).atoms)


def test_the_distance_is_no_less_than_the_integral_of_the_difference() -> None:
    found = of(UNIFORM, 1, Fraction(1, 100))
    a, w = (np.array([float(x[k]) for x in found.atoms]) for k in (0, 1))
    x, v = np.linspace(-20, 20, 4_001), np.linspace(1, 2, 2_001)
    f = np.trapezoid(np.exp(-((x[:, None] / v) ** 2) / 2) / (v * np.sqrt(2 * np.pi)), v, axis=1)
    h = (w * np.sqrt(a / np.pi) * np.exp(-a * x[:, None] ** 2)).sum(axis=1)
    assert np.trapezoid(np.abs(f - h), x) < float(found.distance)


def test_gauss_s_rule_of_a_discrete_measure() -> None:
    """That of all of its points is the measure itself, and two nodes match three moments."""
    points = [(arb(x), arb(w)) for x, w in ((-1, 1), (0, 2), (1, 3))]
    with precision(200):
        whole, part = (sorted((float(x), float(w)) for x, w in gauss(points, count)) for count in (3, 2))
    assert np.allclose(whole, [(-1, 1), (0, 2), (1, 3)])
    for k, value in enumerate((6, 2, 4, 2)):
        assert abs(sum(w * x**k for x, w in part) - value) < 1e-12


def test_numbers_that_are_written_down() -> None:
    with precision(200):
        for x in (arb(1) / 3, arb(10) ** -30 / 7, arb(10) ** 40 / 3, arb(1)):
            assert abs(float((arb(written(x).numerator) / written(x).denominator - x) / x)) < 1e-21
    for x in (-700.0, -3.0, 0.0, 0.5, 600.0):
        assert abs(mp.log(mp.mpf(about(x).numerator) / about(x).denominator) - x) < 1e-4


# Sums


@pytest.mark.parametrize("d", [1, 3])
def test_a_sum_along_a_series_and_at_a_radius(d: int) -> None:
    atoms = [(Fraction(1, 8), Fraction(1, 2)), (Fraction(1), Fraction(1)), (Fraction(10**6), Fraction(1, 3))]

    def h(r: Any) -> Any:
        parts = ((mp.mpf(a.numerator) / a.denominator, mp.mpf(w.numerator) / w.denominator) for a, w in atoms)
        return mp.log(sum(w * (2 * a) ** (mp.mpf(d) / 2) * mp.exp(-a * r * r) for a, w in parts))

    with precision(200), mp.workdps(40):
        problem = Sum.of(Terms(atoms, d), Fraction(1))
        for r in (Fraction(1, 1000), Fraction(1, 2), Fraction(3), Fraction(30)):
            at = mp.mpf(r.numerator) / r.denominator
            value, most = problem.falls(r)
            assert abs(mp.mpf(value.mid().str(40, radius=False)) - h(at)) < 1e-25
            assert abs(-mp.diff(h, at) / (2 * at) - mp.mpf(most.mid().str(40, radius=False))) < 1e-6 * abs(h(at))
            assert abs(problem.terms.log(float(r)) - float(h(at))) < 1e-12 * abs(float(h(at))) + 1e-12
            box = problem.on_box(r, r * 2)
            assert box.u.x.contains(value) and box.du.x <= 0
        weight = Weight(problem)
        near, far = (weight.outer(Fraction(r)).upper() for r in (1, 20))
        assert 0 < far < near and weight.tail(Fraction(1)) is not None
