"""Draws on spheres and of subspaces, against quadrature and direct simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ive
from scipy.stats import ks_2samp

from dpverify.mechanisms.components.bingham import bingham
from dpverify.mechanisms.components.stiefel import Gibbs
from dpverify.mechanisms.components.subspaces import canonical, projection

FAR = 5
"""Standard errors: chance exceeds them once in two million."""


def close(values: np.ndarray, expected: float, effective: float | None = None) -> None:
    n = len(values) if effective is None else effective
    assert abs(values.mean() - expected) <= FAR * values.std() / n**0.5, (values.mean(), expected)


@pytest.mark.parametrize("a", [0.0, 1.0, 40.0, 3000.0])
def test_on_the_circle_moments_are_ratios_of_bessel_functions(a: float) -> None:
    """exp(a z_1^2) on the circle: E z_1^2 = (1 + I_1(a/2)/I_0(a/2))/2; in a turned basis."""
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    z = bingham(np.broadcast_to(turn.T @ np.diag([a, 0.0]) @ turn, (4000, 2, 2)), np.random.default_rng(1))
    assert np.allclose((z**2).sum(axis=1), 1)
    close((z @ turn.T)[:, 0] ** 2, (1 + ive(1, a / 2) / ive(0, a / 2)) / 2)


def sphere() -> tuple[np.ndarray, np.ndarray]:
    """Points of the sphere of R^3 and weights."""
    heights, weights = np.polynomial.legendre.leggauss(60)
    angles = np.arange(120) * 2 * np.pi / 120
    flat = np.sqrt(1 - heights**2)
    points = np.stack(
        [np.outer(flat, np.cos(angles)), np.outer(flat, np.sin(angles)), np.outer(heights, np.ones(120))], axis=2
    )
    return points.reshape(-1, 3), np.repeat(weights, 120)


A = np.array([[3.0, 1.0, 0.0], [1.0, 1.0, 0.5], [0.0, 0.5, 0.0]])
C = np.diag([1.0, 1 / 9, 1 / 25])


def test_on_the_sphere_moments_are_those_of_quadrature() -> None:
    points, weights = sphere()
    mass = weights * np.exp(np.einsum("ni,ij,nj->n", points, A, points))
    z = bingham(np.broadcast_to(A, (4000, 3, 3)), np.random.default_rng(2))
    for i in range(3):
        close(z[:, i] ** 2, float((mass * points[:, i] ** 2).sum() / mass.sum()))


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2])
def test_the_sampler_has_the_law_of_the_theorem_and_not_the_printed_one(k: int) -> None:
    """k = 1, and k = 2 by the normal w of the plane: det(V'C^-1 V) = det(C)^-1 w'Cw there, tr V'AV = tr A - w'Aw."""
    points, weights = sphere()
    inverse = np.linalg.inv(C)
    a, c, c_inverse = (np.einsum("ni,ij,nj->n", points, matrix, points) for matrix in (A, C, inverse))
    masses = {
        "theorem": weights * (np.exp(a) * c_inverse**-1.5 if k == 1 else np.exp(-a) * c**-1.5),
        "printed": weights * np.exp((a - c_inverse / 2) * (1 if k == 1 else -1)),
    }
    v = Gibbs(A, k, inverse, 4000, np.random.default_rng(3)).run(20)
    entries = projection(v)[:, [0, 1, 2], [0, 1, 2]]
    far = {}
    for law, mass in masses.items():
        squares = np.array([(mass * points[:, i] ** 2).sum() / mass.sum() for i in range(3)])
        expected = squares if k == 1 else 1 - squares
        far[law] = max(abs(entries.mean(axis=0) - expected) / (entries.std(axis=0) / 4000**0.5))
    assert far["theorem"] < FAR < far["printed"], far


@pytest.mark.slow
def test_without_data_the_sampler_gives_the_spans_of_gaussian_vectors() -> None:
    rng = np.random.default_rng(4)
    scales = np.array([1.0, 1 / 8, 1 / 27, 1 / 64, 1 / 125])
    v = Gibbs(np.zeros((5, 5)), 3, np.diag(1 / scales), 1500, rng).run(25)
    direct = np.linalg.qr(rng.standard_normal((1500, 5, 3)) * np.sqrt(scales)[:, None])[0]
    for i in range(5):
        assert ks_2samp(projection(v)[:, i, i], projection(direct)[:, i, i]).pvalue > 1e-4


def test_a_canonical_basis_depends_on_the_span_alone() -> None:
    rng = np.random.default_rng(5)
    v = np.linalg.qr(rng.standard_normal((7, 5, 3)))[0]
    turned = v @ np.linalg.qr(rng.standard_normal((7, 3, 3)))[0]
    assert np.allclose(canonical(v), canonical(turned)) and np.allclose(projection(canonical(v)), projection(v))
