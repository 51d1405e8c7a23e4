"""Radii against the rigorous distribution function, which Arb integrates; many seeds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from flint import acb, arb
from scipy import special

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.sampling import EllipticalNoise, RadialLaw, log_density
from dpverify.sampling.density import Array

Integrand = Callable[[acb, bool], acb]  # f(r^2), and whether it must be nan where it is not analytic
SIZE, SEEDS = 20_000, 12
BY_CHANCE = 1e-6


def t_density(nu: int, d: int) -> Integrand:
    return lambda r, only: ((1 + r * r / nu).log(analytic=only) * (-(nu + d)) / 2).exp()


def bessel_over(r: acb, only: bool) -> acb:
    root = (1 + r * r).sqrt(analytic=only)
    return root.bessel_k(acb(1)) / root


LAWS: list[tuple[str, int, dict[str, object], Integrand]] = [
    ("laplace", 1, {}, lambda r, only: (-r).exp()),
    ("laplace", 20, {}, lambda r, only: (-r).exp()),
    ("gaussian", 3, {}, lambda r, only: (-r * r / 2).exp()),
    ("student_t", 2, {"nu": 5}, t_density(5, 2)),
    ("student_t", 20, {"nu": 3}, t_density(3, 20)),
    ("cauchy", 2, {}, t_density(1, 2)),
    ("pearson_vii", 3, {"m": 4}, lambda r, only: (1 + r * r) ** -4),
    ("power_exponential", 2, {"beta": "1/4"}, lambda r, only: (-r.sqrt(analytic=only)).exp()),
    ("power_exponential", 5, {"beta": 2}, lambda r, only: (-(r**4)).exp()),
    ("hyperbolic", 4, {"alpha": 2}, lambda r, only: (-2 * (1 + r * r).sqrt(analytic=only)).exp()),
    ("generalized_hyperbolic", 2, {"p": -1}, bessel_over),
    ("multivariate_laplace", 3, {}, lambda r, only: (-acb(2).sqrt() * r).exp() / r),
    ("matern", 6, {}, lambda r, only: (1 + r) * (-r).exp()),
    ("sech", 3, {}, lambda r, only: 2 * (-r).exp() / (1 + (-2 * r).exp())),
    ("exp(-sqrt(y))", 3, {}, lambda r, only: (-r).exp()),
    ("(1+y/5)**(-9/2)", 4, {}, t_density(5, 4)),
    ("exp(-r)*(1-r)**2", 2, {}, lambda r, only: (-r).exp() * (1 - r) ** 2),
    ("exp(-r)*(3+2*sin(4*r))", 3, {}, lambda r, only: (-r).exp() * (3 + 2 * (4 * r).sin())),
    ("1/(sqrt(r)*(1+y)**2)", 1, {}, lambda r, only: 1 / (r.sqrt(analytic=only) * (1 + r * r) ** 2)),
    ("exp(-y/2)+exp(-50*r)*1000", 2, {}, lambda r, only: (-r * r / 2).exp() + 1000 * (-50 * r).exp()),
]


def integral(f: Integrand, d: int, low: float, high: float) -> arb:
    """The integral of r^(d-1) f(r^2), taken in s = log r."""
    return acb.integral(lambda s, only: (s * d).exp() * f(s.exp(), only), acb(low), acb(high)).real


def distribution(f: Integrand, d: int, radii: Array) -> Array:
    """P(R <= radii), for radii in increasing order; what lies below exp(-80) and above exp(40) is left out."""
    ends = [-80.0, *np.log(radii).tolist(), *(float(np.log(radii[-1])) + k for k in (1, 2, 4, 8, 16, 40))]
    pieces = [integral(f, d, a, b) for a, b in pairwise(ends)]
    total = sum(pieces, arb(0))
    assert sum((arb(piece.rad()) for piece in pieces), arb(0)) < total * arb("1e-9")
    below = np.cumsum([float(piece.mid()) for piece in pieces])
    return np.asarray(below[: len(radii)] / below[-1])


def distance(radii: Array, knots: Array, exact: Array) -> float:
    """sup |F_n - F| over the knots, which is at most the Kolmogorov-Smirnov statistic."""
    shares = np.searchsorted(np.sort(radii), knots, side="right") / len(radii)
    return float(np.abs(shares - exact).max() * np.sqrt(len(radii)))


def knots_of(radii: Array) -> Array:
    return np.unique(np.quantile(radii, np.concatenate([[0.001, 0.01], np.linspace(0.03, 0.97, 24), [0.99, 0.999]])))


@pytest.mark.slow
@pytest.mark.swept(stay=8)
@pytest.mark.parametrize(("text", "d", "bound", "f"), LAWS, ids=[f"{text} d={d}" for text, d, _, _ in LAWS])
def test_radii_follow_the_rigorous_law(text: str, d: int, bound: dict[str, object], f: Integrand) -> None:
    noise = EllipticalNoise(text, d, parameters=bound)
    samples = [np.linalg.norm(noise.rvs((SIZE, 1), seed).reshape(SIZE, d), axis=1) for seed in range(SEEDS)]
    knots = knots_of(samples[0])
    exact = distribution(f, d, knots)
    limit = special.kolmogi(BY_CHANCE)
    distances = [distance(radii, knots, exact) for radii in samples]
    assert max(distances) < limit
    assert distance(np.concatenate(samples), knots, exact) < limit
    table = noise.radial_law.quantile(exact)
    np.testing.assert_allclose(table, knots, rtol=1e-7)


@pytest.mark.slow
def test_a_law_that_is_a_little_wrong_is_told_from_the_right_one() -> None:
    noise = EllipticalNoise("student_t", 2, parameters={"nu": 6})
    radii = np.concatenate([np.linalg.norm(noise.rvs(SIZE, seed), axis=1) for seed in range(SEEDS)])
    knots = knots_of(radii)
    assert distance(radii, knots, distribution(t_density(5, 2), 2, knots)) > special.kolmogi(BY_CHANCE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "d", "exact"),
    [
        ("exp(-floor(r))", 1, 1 / (1 - np.exp(-1))),
        ("Piecewise((1, r < 1), (0, True))", 3, 1 / 3),
        ("Piecewise((1, r < 1), (1/4, r < 3), (0, True))", 2, 1 / 2 + (9 - 1) / 8),
        ("exp(-r)", 30, special.gamma(30)),
        ("exp(-r)", 100_000, None),
    ],
)
def test_the_normaliser_where_there_are_jumps_gaps_and_high_dimensions(text: str, d: int, exact: float | None) -> None:
    law = RadialLaw.of(log_density(Generator(text, d).expression), d)
    expected = special.gammaln(d) if exact is None else np.log(exact)
    assert law.log_normaliser == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_both_tails_keep_their_relative_accuracy() -> None:
    law = EllipticalNoise("exp(-r)", 2).radial_law
    np.testing.assert_allclose(law.quantile(np.array([1e-12, 1e-6])), special.gammaincinv(2, [1e-12, 1e-6]), rtol=1e-7)
    heavy = EllipticalNoise("(1+y)**(-1)", 1).radial_law  # P(R <= r) = 2/pi arctan r
    above = np.array([2.0**-20, 2.0**-40])
    np.testing.assert_allclose(heavy.quantile(1 - above), 1 / np.tan(np.pi / 2 * above), rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "d"),
    [("1/(1+r)", 1), ("(1+y)**(-3)", 6), ("1/r", 1), ("cos(r)*exp(-r)", 2), ("-exp(-r)", 1), ("0*r", 1), ("exp(r)", 2)],
)
def test_what_is_no_density_is_refused(text: str, d: int) -> None:
    with pytest.raises(InputError):
        EllipticalNoise(text, d).rvs(3, 0)
