"""The exponential mechanism of a strongly convex risk: its law, its limit, and an audit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from dpverify.audit import Mechanism as Audited
from dpverify.audit import audit
from dpverify.errors import InputError
from dpverify.mechanisms import StronglyConvexRisk
from dpverify.mechanisms.strongly_convex import Risk, logistic, mean, penalised_mean


@pytest.mark.parametrize("variance", [np.inf, 0.3])
def test_the_law_of_the_mean_is_a_normal_law_cut_to_the_ball(variance: float) -> None:
    """For the uniform base measure, and for N(0, 0.3)."""
    data = np.array([[0.9], [0.5], [0.7]])
    draws = StronglyConvexRisk(mean(1), epsilon=2, base=[variance]).samples(data, 20_000, np.random.default_rng(0))[
        :, 0
    ]
    assert np.abs(draws).max() <= 1

    def density(b: float) -> float:
        return float(np.exp(-(2 / 8) * ((data[:, 0] - b) ** 2).sum() - b * b / (2 * variance)))

    mass = quad(density, -1, 1)[0]
    for power in (1, 2, 3):
        expected = quad(lambda b: b**power * density(b), -1, 1)[0] / mass
        assert abs((draws**power).mean() - expected) < 5 * (draws**power).std() / 20_000**0.5


def test_the_law_of_a_logistic_risk_is_its_density() -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (40, 1))
    data = np.column_stack([x, np.sign(x + rng.normal(size=(40, 1)))])
    mechanism = StronglyConvexRisk(logistic(1), epsilon=3)
    draws = mechanism.samples(data, 20_000, rng)[:, 0]

    def density(b: float) -> float:
        total = np.logaddexp(0, -data[:, 0] * data[:, 1] * b).sum() + 40 * 0.05 * b * b
        return float(np.exp(-3 / (2 * 2) * total))

    mass = quad(density, -2, 2)[0]
    for power in (1, 2):
        expected = quad(lambda b: b**power * density(b), -2, 2)[0] / mass
        assert abs((draws**power).mean() - expected) < 5 * (draws**power).std() / 20_000**0.5


@pytest.mark.slow
def test_the_penalised_mean_has_the_limit_of_the_example() -> None:
    """Quadratic, so the law is normal with covariance (8/eps) (lambda I + Omega)^-1 Omega/(2n), the ball being far."""
    omega, weight = np.arange(1.0, 9) ** -2, 0.1
    mechanism = StronglyConvexRisk(penalised_mean(omega, weight), epsilon=2)
    data = np.random.default_rng(6).normal(0, 0.1, (4000, 8))
    draws = mechanism.samples(data, 4000, np.random.default_rng(7))
    expected = 8 / 2 * omega / (weight + omega) / 2 / 4000
    assert np.abs(draws.var(axis=0) / expected - 1).max() < 5 * (2 / 4000) ** 0.5
    best = omega / (weight + omega) * mechanism.bounded(data).mean(axis=0)
    assert np.abs(draws.mean(axis=0) - best).max() < 5 * (expected.max() / 4000) ** 0.5


@pytest.mark.parametrize("risk", [mean(2), logistic(2), penalised_mean(np.array([1.0, 0.5]), 0.1)])
def test_what_a_risk_states_holds(risk: Risk) -> None:
    """The sensitivity on the ball, the gradient, and the curvature along random chords."""
    rng = np.random.default_rng(2)
    mechanism = StronglyConvexRisk(risk, epsilon=1)
    rows = mechanism.bounded(rng.normal(size=(2000, risk.dimensions[1])))
    b = rng.normal(size=(50, 2))
    b *= (risk.radius * rng.random((50, 1)) ** 0.2) / np.linalg.norm(b, axis=1)[:, None]
    losses = risk.losses(rows, b)
    spread = np.ptp(losses, axis=1).max()  # the penalty is the same for every row
    assert 0.8 * float(risk.sensitivity) < spread <= float(risk.sensitivity)
    means = losses.mean(axis=1)
    for one, two in zip(range(25), range(25, 50), strict=True):
        step = b[two] - b[one]
        rise = means[two] - means[one] - risk.slope(rows, b[one]) @ step
        assert rise >= (risk.curvature * step**2).sum() / 2 * (1 - 1e-9)


def test_the_minimiser_has_no_slope() -> None:
    rng = np.random.default_rng(3)
    data = np.column_stack([rng.normal(0, 0.3, (100, 2)), np.sign(rng.normal(size=100))])
    mechanism = StronglyConvexRisk(logistic(2, 0.5), epsilon=1)
    slope = mechanism.risk.slope(mechanism.bounded(data), mechanism.fit(data))
    assert np.linalg.norm(slope) < 1e-6


def test_neighbours_change_no_scale_and_a_record_far_away_is_clipped() -> None:
    data = np.random.default_rng(4).normal(0, 0.3, (30, 2))
    other = data.copy()
    other[0] = 1e9
    mechanism = StronglyConvexRisk(mean(2), epsilon=1)
    assert (mechanism.bounded(data)[1:] == mechanism.bounded(other)[1:]).all()
    grid = np.random.default_rng(5).uniform(-0.7, 0.7, (200, 2))
    sums = [mechanism.risk.losses(mechanism.bounded(rows), grid).sum(axis=1) for rows in (data, other)]
    assert np.abs(sums[0] - sums[1]).max() <= 4


def test_a_risk_without_curvature_is_refused_and_a_base_of_another_size() -> None:
    with pytest.raises(InputError, match="base"):
        StronglyConvexRisk(mean(2), epsilon=1, base=[1.0])
    with pytest.raises(InputError, match="curvature"):
        StronglyConvexRisk(mean(2)._replace(curvature=0.0), epsilon=1)


@pytest.mark.slow
def test_the_worst_pair_passes_an_audit_and_the_printed_example_does_not() -> None:
    """Example 3.5 with b anywhere and Delta = 4, as on the ball: Gaussian around the record, of variance 4/eps."""
    mechanism = StronglyConvexRisk(mean(1), epsilon=2)
    pair = mechanism.worst_pair()
    report = audit(Audited(4000, mechanism.samples, neighbours=pair), claim=2, seed=1)
    assert report.verdict == "consistent" and report.epsilon_lower > 0.4

    def anywhere(data: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
        return rng.normal(data[0, 0], (4 / 2) ** 0.5, (size, 1))

    report = audit(Audited(20_000, anywhere, neighbours=pair), claim=2, seed=1)
    assert report.verdict == "violated"


@pytest.mark.slow
def test_the_error_nears_that_of_the_limit_law() -> None:
    """S = I/2 for the mean: (2 Delta/eps) tr S/n = 4 p/(n eps), far from the ball's border."""
    mechanism, data = StronglyConvexRisk(mean(2), epsilon=1), np.zeros((4000, 2))
    assert mechanism.noise_error(data) == pytest.approx(4 * 2 / 4000, rel=1e-6)
    drawn = mechanism.samples(data, 4000, np.random.default_rng(1))
    errors = (drawn**2).sum(axis=1)
    assert abs(errors.mean() - mechanism.noise_error(data)) < 5 * errors.std() / np.sqrt(4000)
