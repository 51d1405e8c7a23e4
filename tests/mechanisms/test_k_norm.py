"""The K-norm mechanism: its noise, its sensitivity, its certificate; the printed sensitivity caught."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import dpverify
from dpverify.audit import Mechanism as Audited
from dpverify.audit import audit
from dpverify.errors import InputError
from dpverify.mechanisms import Ball, Ellipsoid, KNorm, KNormCounts, KNormMean, Polytope, Zonotope
from dpverify.mechanisms.k_norm import exact_sum

SQUARE = Polytope([(1, 0), (-1, 0), (0, 1), (0, -1)])


def test_the_gauge_of_the_noise_has_the_gamma_law_of_shape_d() -> None:
    mechanism = KNorm(Zonotope([(1, 0), (0, 1), (1, 1)]), epsilon=2, sensitivity=3)
    norms = mechanism.body.gauge(mechanism.noise(4000, np.random.default_rng(1)))
    assert stats.kstest(norms, stats.gamma(2, scale=1.5).cdf).pvalue > 1e-4
    assert mechanism.expected_gauge == 3


def test_l_1_noise_is_independent_laplace_noise() -> None:
    noise = KNorm(Ball(2, 1), epsilon=1, sensitivity=2).noise(4000, np.random.default_rng(2))
    assert stats.kstest(noise[:, 1], stats.laplace(scale=2).cdf).pvalue > 1e-4
    assert abs(np.corrcoef(np.abs(noise).T)[0, 1]) < 0.08


def test_sensitivities_are_exact() -> None:
    assert KNorm(SQUARE, epsilon=1, differences=[(1, 1), (0, 1)]).sensitivity == 2
    assert KNormMean(Ball(3, "inf"), 10, epsilon=1).sensitivity == Fraction(1, 5)
    one = KNormCounts([(0, 1, 0, 1), (0, 0, 1, 1)], epsilon=1)  # margins of a 2 x 2 table: K is the square
    assert one.sensitivity == 1 and one.body.above((Fraction(1), Fraction(-1))) == 1
    assert KNormCounts([(0, 1, 0, 1), (0, 0, 1, 1)], epsilon=1, body=Ball(2, 1)).sensitivity == 2


@pytest.mark.slow
def test_an_ellipsoid_carries_a_certificate() -> None:
    for body in (Ball(3), Ball(2, 2, [1, 3]), Ellipsoid([[2, 1], [1, 3]])):
        mechanism = KNorm(body, epsilon="1/2", sensitivity="1/3")
        certificate = mechanism.privacy.certificate
        assert certificate is not None and dpverify.check(certificate).accepted
        assert Fraction(certificate["claim"]["epsilon"]["upper"]) <= mechanism.epsilon
    assert KNorm(SQUARE, epsilon=1, sensitivity=1).privacy.certificate is None


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["1/3", "1/7", "2.7", "0.1"])
def test_the_certificate_proves_no_more_than_the_epsilon_asked_for(epsilon: str) -> None:
    """Its upper bound has thirteen digits and is rounded up, so that Delta/epsilon alone would not do for 1/3."""
    mechanism = KNorm(Ball(2), epsilon=epsilon, differences=[(1, 1)])
    certificate = mechanism.privacy.certificate
    assert certificate is not None and Fraction(certificate["claim"]["epsilon"]["upper"]) <= Fraction(epsilon)
    assert 1 <= mechanism.scale / (mechanism.sensitivity / mechanism.epsilon) <= 1 + Fraction(1, 10**12)


@pytest.mark.slow
def test_a_polytope_of_many_dimensions_walks_and_says_what_that_costs() -> None:
    normals = np.vstack([np.eye(10), -np.eye(10)]).astype(int).tolist()
    mechanism = KNorm(Polytope(normals=normals), epsilon=1, sensitivity=2)
    assert any("(1 + e^epsilon) eta" in text for text in mechanism.privacy.assumes)
    value = mechanism.release([0] * 10, random_state=1).value
    assert value.shape == (10,) and 0 < np.abs(value).max() < 200
    walked = mechanism.mixing(80, random_state=1)
    assert walked.points.shape == (80, 10) and np.abs(walked.points).max() <= 1 and walked.r_hat > 0


def test_records_are_clipped_to_the_body_and_no_farther() -> None:
    body = Ball(2)
    mechanism = KNormMean(body, 3, epsilon=1)
    inside = np.array([[0.25, 0.5], [0.0, 0.0], [-0.5, 0.25]])
    assert mechanism.fit(inside) == (Fraction(-1, 12), Fraction(1, 4))
    far = np.array([[3e8, 4e8], [0, 0], [0, 0]])
    mean = mechanism.fit(far)
    assert body.above(mean) <= Fraction(1, 3) and float(mean[0]) == pytest.approx(0.2)
    assert (far[0] == [3e8, 4e8]).all(), "the data are not changed"
    far[0] = [1e300, 1e300]
    assert body.above(mechanism.fit(far)) <= Fraction(1, 3)


def test_sums_of_floats_are_exact() -> None:
    values = np.array([1e16, 1.0, -1e16, 2.0**-60, 0.1])
    assert exact_sum(values) == sum(map(Fraction, values.tolist()))


@pytest.mark.parametrize(
    "mechanism",
    [
        KNormMean(Ball(2, "inf"), 4, epsilon=1),
        KNormMean(Ball(2, 1), 4, epsilon=1),
        KNormMean(SQUARE, 4, epsilon=1),
        KNormCounts([(0, 1, 0, 1), (0, 0, 1, 1)], epsilon=1),
        pytest.param(KNormMean(Ellipsoid([[2, 1], [1, 3]]), 4, epsilon=1), marks=pytest.mark.slow),
    ],
)
def test_neighbours_get_the_same_noise_on_the_same_lattice(mechanism: KNorm) -> None:
    """With the same random numbers the outputs differ as theta does, to a step of the lattice."""
    one, two = mechanism.worst_pair()
    before = {k: v for k, v in vars(mechanism).items() if not k.startswith("_exact")}
    difference = mechanism.release(one, random_state=5).value - mechanism.release(two, random_state=5).value
    expected = np.array([float(a - b) for a, b in zip(mechanism.fit(one), mechanism.fit(two), strict=True)])
    assert np.abs(difference - expected).max() <= float(mechanism.lattice) * (1 + 1e-9)
    after = {k: v for k, v in vars(mechanism).items() if not k.startswith("_exact") and k in before}
    assert before == after


@pytest.mark.slow
@pytest.mark.parametrize(
    "mechanism",
    [
        KNorm(SQUARE, epsilon=1, differences=[(1, 1), (0, 1)]),
        KNormMean(Ball(3, "inf"), 10, epsilon=1),
        KNorm(Zonotope([(1, 0), (0, 1), (1, 1)]), epsilon=1, sensitivity=1),
        KNormCounts([(0, 1, 0, 1), (0, 0, 1, 1)], epsilon=1),
        KNorm(Ball(2), epsilon=1, sensitivity="1/2"),
    ],
)
def test_the_worst_pair_passes_the_audit(mechanism: KNorm) -> None:
    report = audit(Audited(3000, mechanism.samples, neighbours=mechanism.worst_pair()), claim=mechanism.epsilon, seed=1)
    assert report.verdict == "consistent" and report.epsilon_lower > 0.3


@pytest.mark.slow
def test_the_printed_sensitivity_of_a_body_that_is_not_symmetric_is_caught() -> None:
    """K = [-1/10, 1] holds all outputs; the thesis says Delta = 2, and the loss is 11/2 epsilon."""
    a = 0.1

    def printed(theta: float, size: int, rng: np.random.Generator) -> np.ndarray:
        gauge = rng.gamma(2, 2.0, size)  # shape d + 1, scale Delta/epsilon
        return theta + gauge * rng.uniform(-a, 1, size)

    found = audit(Audited(4000, printed, neighbours=(-a, 1.0)), claim=1, seed=1, leaks=False)
    assert found.verdict == "violated"


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: KNorm(SQUARE, epsilon=1), "sensitivity"),
        (lambda: KNorm(SQUARE, epsilon=1, differences=[(1, 2, 3)]), "R\\^2"),
        (lambda: KNorm(SQUARE, epsilon=0, sensitivity=1), "epsilon"),
        (lambda: KNorm(SQUARE, epsilon=1, sensitivity=1).release([1]), "R\\^2"),
        (lambda: KNormMean(SQUARE, 3, epsilon=1).release([[0, 0]]), "records"),
        (lambda: KNormMean(SQUARE, 0, epsilon=1), "records"),
        (lambda: KNormCounts([(1, 1)], epsilon=1), "same"),
        (lambda: KNormCounts([(0, 1), (0, 1)], epsilon=1), "flat"),
        (lambda: KNormCounts([(0, 1)], epsilon=1).release([1]), "counts"),
    ],
)
def test_what_cannot_be_released_is_refused_in_one_line(build: object, said: str) -> None:
    with pytest.raises(InputError, match=said) as refusal:
        build()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)
