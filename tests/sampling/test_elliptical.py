"""The distribution's face: shapes, seeds, densities against scipy.stats, covariance, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from dpverify.errors import InputError
from dpverify.generators import families
from dpverify.sampling import EllipticalNoise

SIGMA = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.2], [0.0, -0.2, 0.7]])
POINTS = np.array([[0.0, 0.0, 0.0], [1.0, -2.0, 0.5], [30.0, 1.0, 2.0]])
NEEDED = {"pearson_vii": {"m": 9}, "smooth_sensitivity": {"g": 5}}


@pytest.mark.slow
def test_log_densities_agree_with_scipy() -> None:
    t = EllipticalNoise("student_t", 3, parameters={"nu": 4}, scale="3/2", loc=[1, 2, 3], covariance=SIGMA)
    peer = stats.multivariate_t([1, 2, 3], 2.25 * SIGMA, df=4)
    np.testing.assert_allclose(t.logpdf(POINTS), peer.logpdf(POINTS), rtol=1e-9)
    gaussian = EllipticalNoise("gaussian", 3, covariance=SIGMA)
    np.testing.assert_allclose(gaussian.pdf(POINTS), stats.multivariate_normal(cov=SIGMA).pdf(POINTS), rtol=1e-8)
    x = np.linspace(-5, 5, 11)
    np.testing.assert_allclose(
        EllipticalNoise("laplace", scale=2).logpdf(x), stats.laplace(scale=2).logpdf(x), rtol=1e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-sqrt(y))*(2+cos(r))", "besselk(0, r)", "(1+y)**(-3/2)*log(3+y)"])
def test_the_density_in_the_plane_integrates_to_one(text: str) -> None:
    noise = EllipticalNoise(text, 2)
    total, _ = integrate.quad(lambda s: 2 * np.pi * np.exp(2 * s) * noise.pdf([np.exp(s), 0.0]), -30, 30, limit=400)
    assert total == pytest.approx(1, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(families()))
def test_seeds_reproduce_and_differ(name: str) -> None:
    noise = EllipticalNoise(name, 3, parameters=NEEDED.get(name, {}))
    first, again, other = noise.rvs(50, 7), noise.rvs(50, 7), noise.rvs(50, 8)
    assert np.array_equal(first, again)
    assert not np.any(first == other)
    assert np.isfinite(first).all()
    rng = np.random.default_rng(7)
    assert np.array_equal(noise.rvs(50, rng), first)
    assert not np.array_equal(noise.rvs(50, rng), first)
    assert np.array_equal(noise.rvs(5, np.random.RandomState(3)), noise.rvs(5, np.random.RandomState(3)))


def test_shapes_are_those_of_scipy() -> None:
    plane, line = EllipticalNoise("laplace", 2), EllipticalNoise("laplace")
    for ours, theirs in ((plane, stats.multivariate_t(shape=np.eye(2))), (line, stats.multivariate_t(shape=1))):
        for size in (1, 4, (3, 2)):
            assert np.shape(ours.rvs(size, 0)) == np.shape(theirs.rvs(size, 0))
    assert np.shape(plane.logpdf([0.0, 1.0])) == ()
    assert plane.logpdf(np.zeros((5, 4, 2))).shape == (5, 4)
    assert line.pdf(np.zeros(6)).shape == (6,)


@pytest.mark.slow
def test_covariance_location_and_direction() -> None:
    noise = EllipticalNoise("gaussian", 3, scale=2, loc=[1, 2, 3], covariance=SIGMA)
    x = noise.rvs(200_000, 5)
    np.testing.assert_allclose(x.mean(axis=0), [1, 2, 3], atol=0.03)
    np.testing.assert_allclose(np.cov(x.T), 4 * SIGMA, atol=0.08)
    points = EllipticalNoise("exp(-r)*(1+r)**3", 2).rvs(50_000, 6)
    angles = np.arctan2(points[:, 1], points[:, 0]) / (2 * np.pi) + 0.5
    assert stats.kstest(angles, "uniform").pvalue > 1e-4
    assert stats.spearmanr(angles, np.linalg.norm(points, axis=1)).pvalue > 1e-4


@pytest.mark.parametrize(
    "make",
    [
        lambda: EllipticalNoise("laplace", scale=0),
        lambda: EllipticalNoise("laplace", scale=float("nan")),
        lambda: EllipticalNoise("laplace", 2, loc=[1, 2, 3]),
        lambda: EllipticalNoise("laplace", 2, covariance=np.eye(3)),
        lambda: EllipticalNoise("laplace", 2, covariance=[[1, 2], [2, 1]]),
        lambda: EllipticalNoise("laplace", 2, covariance=[[1, 0.5], [0.4, 1]]),
        lambda: EllipticalNoise("student_t", parameters={"nu": -1}),
        lambda: EllipticalNoise("pearson_vii", 4, parameters={"m": 2}),
        lambda: EllipticalNoise("power_exponential", parameters={"beta": 0}),
        lambda: EllipticalNoise("laplace", 2).logpdf([1, 2, 3]),
        lambda: EllipticalNoise("laplace", 2).rvs(-1),
    ],
)
def test_what_cannot_be_used_is_refused(make: object) -> None:
    with pytest.raises(InputError):
        make()  # type: ignore[operator]
