"""Means and functionals with elliptical noise: clips that no data move, certificates, and exact releases."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpverify import check
from dpverify.audit import Mechanism, audit
from dpverify.calibration import Refusal
from dpverify.errors import InputError
from dpverify.mechanisms import EllipticalMean, Functionals
from dpverify.mechanisms.elliptical.clipped import ClippedMean
from dpverify.mechanisms.functions.scales import gaussian_delta
from dpverify.theorems.reimherr_awan_2019.section_4_1_corollary_1 import independent

STUDENT = "v**(-6)*exp(-5/(2*v**2))"
EIGENVALUES = [f"1/{k**2}" for k in range(1, 6)]
ROWS = [[1, 1, 1, 1, 1], [1, -1, 1, -1, 1]]
FUNCTIONALS: dict[str, Callable[[], Functionals]] = {
    "exact": lambda: Functionals(ROWS, EIGENVALUES, 1, 20, mixing=STUDENT, epsilon=1),
    "path": lambda: Functionals(ROWS, EIGENVALUES, 1, 20, epsilon=1, delta="1/100"),
    "mixed path": lambda: Functionals(ROWS, EIGENVALUES, 1, 20, mixing="1/2: 1, 1/2: 3", epsilon=1, delta="1/100"),
}


def exactly(rows: np.ndarray, variances: list[Fraction]) -> Fraction:
    """The largest squared norm of rows of floats, in rationals."""
    return max(sum(Fraction(x) ** 2 / c for x, c in zip(row, variances, strict=True)) for row in rows.tolist())


@pytest.mark.parametrize("size", [1e-300, 1e-3, 1.0, 1e3, 1e200, 1e307])
def test_records_are_drawn_in_to_the_bound_and_no_data_move_it(size: float) -> None:
    variances, rng = [Fraction(1), Fraction(1, 7), Fraction(4)], np.random.default_rng(1)
    mean = ClippedMean(variances, "3/2", 1)
    for _ in range(50):
        (row,) = rng.standard_normal((1, 3)) * size
        point = mean([row])
        norm2 = sum((x * x / c for x, c in zip(point, variances, strict=True)), Fraction(0))
        assert norm2 <= Fraction(9, 4)
        if size >= 1e3:
            assert norm2 > Fraction(9, 4) * Fraction(999_999, 1_000_000)


def test_the_mean_is_exact_and_neighbours_are_two_bounds_over_n_apart() -> None:
    mean, rng = ClippedMean([1, 4], 1, 50), np.random.default_rng(2)
    for _ in range(20):
        data = rng.standard_normal((50, 2)) * rng.choice((0.1, 10))
        other = data.copy()
        other[-1] = rng.standard_normal(2) * 1e6
        change = [a - b for a, b in zip(mean(data), mean(other), strict=True)]
        assert sum((x * x / c for x, c in zip(change, (1, 4), strict=True)), Fraction(0)) <= mean.sensitivity**2
    small = np.array([[0.25, 0.5], [0.125, -0.5]] * 25)
    assert [float(x) for x in mean(small)] == [0.1875, 0.0]


def test_the_certificate_is_of_the_scale_that_is_used() -> None:
    for mechanism in (
        EllipticalMean("laplace", [1, 4], 1, 20, epsilon="1/2"),
        EllipticalMean("gaussian", [1, 4], 1, 20, epsilon=1, delta="1e-5"),
    ):
        report = check(mechanism.privacy.certificate)
        assert report.accepted and report.claim is not None
        assert Fraction(report.claim["scale"]) == mechanism.scale
        assert Fraction(report.claim["sensitivity"]) == mechanism.sensitivity == Fraction(1, 10)
    assert mechanism.delta == Fraction(1, 10**5)
    assert gaussian_delta(1, float(mechanism.sensitivity / mechanism.scale)) <= 1e-5


@pytest.mark.slow
def test_the_release_is_a_lattice_point_of_the_law() -> None:
    mechanism = EllipticalMean("laplace", [1, 4], 1, 20, epsilon=1)
    release = mechanism.release(np.zeros((20, 2)), random_state=3)
    assert release.drawn == "exactly"
    assert all((x / mechanism.noise.lattice).denominator == 1 for x in release.notes["exact"])
    drawn = mechanism.samples(np.zeros((20, 2)), 2000, np.random.default_rng(1))
    white = np.linalg.norm(drawn / [1, 2], axis=1) / float(mechanism.scale)  # Gamma(2, 1)
    assert abs(white.mean() - 2) < 5 * np.sqrt(2 / 2000)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONALS)
def test_functionals_have_the_law_that_is_claimed(name: str) -> None:
    mechanism = FUNCTIONALS[name]()
    data = np.zeros((20, 5))
    drawn = mechanism.samples(data, 3000, np.random.default_rng(1)) / float(mechanism.scale)
    c, g = np.array([1 / k**2 for k in range(1, 6)]), np.array(ROWS)
    form = (g * c) @ g.T
    white = np.linalg.solve(np.linalg.cholesky(form), drawn.T)
    angle = np.arctan2(white[0], white[1])
    assert abs(np.exp(2j * angle).mean()) < 5 / np.sqrt(3000)  # uniform directions
    radius2 = (white**2).sum(axis=0) / 2
    expected = {"exact": np.nan, "path": 1.0, "mixed path": 5.0}[name]
    if name != "exact":
        assert abs(radius2.mean() - expected) < 5 * radius2.std() / np.sqrt(3000)
    assert np.median(radius2) < 10


@pytest.mark.slow
def test_more_functionals_are_answered_from_the_same_path() -> None:
    mechanism, data = FUNCTIONALS["mixed path"](), np.random.default_rng(1).standard_normal((20, 5))
    assert FUNCTIONALS["path"]().release(data, random_state=4).drawn == "exactly"
    online = mechanism.online(data, random_state=4)
    first = online(ROWS)
    assert np.array_equal(first, mechanism.release(data, random_state=4).value)
    third = online([np.add(*ROWS)])
    assert third[0] == pytest.approx(first.sum(), abs=2e-3 * float(mechanism.scale))  # linear, but for the jitter
    assert np.array_equal(online(ROWS), first) and len(online) == 3


@pytest.mark.slow
def test_delta_makes_one_scale_for_all_functionals_and_without_it_epsilon_pays_for_each() -> None:
    """Corollary 1's uniformity against Theorem 4: Student's scale for a fixed epsilon grows with d."""
    rows = np.eye(5, dtype=int).tolist()
    path = [Functionals(rows[:d], EIGENVALUES, 1, 20, mixing=STUDENT, epsilon=1, delta="1/10").scale for d in (1, 3, 5)]
    pure = [Functionals(rows[:d], EIGENVALUES, 1, 20, mixing=STUDENT, epsilon=1).scale for d in (1, 3, 5)]
    assert path[0] == path[1] == path[2]
    assert pure[0] < pure[1] < pure[2]
    assert float(pure[2] / pure[0]) == pytest.approx(10 / 6, rel=0.3)  # about (nu + d)/(nu + 1)


@pytest.mark.slow
def test_dependence_is_decided_as_the_corrected_corollary_has_it() -> None:
    for g in ([1, 2], [2, 4], [-1, -2], [1, 1]):
        try:
            Functionals([[1, 2], g], [1, 1], 1, 3, mixing=STUDENT, epsilon=1)
            refused = False
        except InputError:
            refused = True
        assert refused is not independent((1, 2), (g[0], g[1]))


REFUSED: list[tuple[type[Exception], Callable[[], Any]]] = [
    (Refusal, lambda: EllipticalMean("gaussian", [1], 1, 3, epsilon=1)),
    (InputError, lambda: EllipticalMean("laplace", [0], 1, 3, epsilon=1)),
    (InputError, lambda: EllipticalMean("laplace", [1], 0, 3, epsilon=1)),
    (InputError, lambda: EllipticalMean("laplace", [1], 1, 3, epsilon=1).release(np.zeros((4, 1)))),
    (InputError, lambda: EllipticalMean("laplace", [1], 1, 1, epsilon=1).release([np.inf])),
    (InputError, lambda: Functionals(ROWS, EIGENVALUES, 1, 20, epsilon=1)),
    (InputError, lambda: Functionals([[0] * 5], EIGENVALUES, 1, 20, epsilon=1, delta="1/10")),
    (InputError, lambda: Functionals([[1] * 4], EIGENVALUES, 1, 20, epsilon=1, delta="1/10")),
    (InputError, lambda: Functionals(3, EIGENVALUES, 1, 20, epsilon=1, delta="1/10")),
    (InputError, lambda: FUNCTIONALS["exact"]().online(np.zeros((20, 5)))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "wrong"), REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(kind: type[Exception], wrong: Callable[[], Any]) -> None:
    with pytest.raises(kind) as caught:
        wrong()
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    "make",
    [
        lambda: EllipticalMean("laplace", [1, 4], 1, 20, epsilon=1),
        lambda: EllipticalMean("gaussian", [1, 4], 1, 20, epsilon=1, delta="1/100"),
        *FUNCTIONALS.values(),
    ],
)
def test_the_worst_pair_passes_the_audit(make: Callable[[], Any]) -> None:
    mechanism = make()
    source = Mechanism(samples=5000, function=mechanism.samples, neighbours=mechanism.worst_pair())
    assert 0 < audit(source, claim=1, delta=mechanism.delta, seed=1).epsilon_lower <= 1


@pytest.mark.slow
def test_theorem_5_as_printed_is_caught() -> None:
    """delta = 2 M_V(log(delta'/2)), sigma^2 = 2 log(2/delta') Delta^2/eps^2: V small gives little noise."""
    weights, values, epsilon, delta = np.array([0.5, 0.5]), np.array([1 / 16, 1.0]), 1.0, 0.01
    exponent = 1.0
    while 2 * (weights * np.exp(-exponent * values)).sum() > delta:  # -log(delta'/2)
        exponent *= 1.01
    sigma = np.sqrt(2 * exponent) / epsilon
    exact = (weights * [gaussian_delta(epsilon, 1 / (sigma * v)) for v in values]).sum()
    assert exact > 5 * delta

    def samples(data: Any, size: int, rng: np.random.Generator) -> np.ndarray:
        drawn: np.ndarray = data + sigma * rng.choice(values, size, p=weights) * rng.standard_normal(size)
        return np.round(drawn, 6)

    def known(data: Any, size: int, rng: np.random.Generator) -> np.ndarray:
        """What one sees in infinite dimension: V, and the path."""
        v = rng.choice(values, size, p=weights)
        x = data + sigma * v * rng.standard_normal(size)
        return np.round((1 - 2 * x) / (2 * (sigma * v) ** 2), 6)  # the privacy loss

    for sampler in (samples, known):
        source = Mechanism(samples=20_000, function=sampler, neighbours=(0.0, 1.0))
        found = audit(source, claim=1, delta="1/100", seed=1).epsilon_lower
    assert found > 1


@pytest.mark.slow
def test_the_error_of_the_noise_is_what_is_said() -> None:
    laplace = EllipticalMean("laplace", [1, 4], 1, 20, epsilon=1)
    # E R^2 = d (d + 1) for the density exp(-r) in R^d
    assert laplace.noise_error() == pytest.approx(float(laplace.scale) ** 2 * 5 * 6 / 2, rel=1e-9)
    student = EllipticalMean("student_t", [1, 1, 1], 1, 20, epsilon=1, parameters={"nu": 5})
    assert student.noise_error() == pytest.approx(float(student.scale) ** 2 * 3 * 5 / 3, rel=1e-6)  # nu/(nu - 2)
    heavy = EllipticalMean("student_t", [1], 1, 20, epsilon=1, parameters={"nu": 2})
    assert heavy.noise_error() == np.inf
    mixed = Functionals([[1, 0], [1, 1]], [1, "1/4"], 1, 20, mixing="1/2: 1, 1/2: 2", epsilon=1, delta="1/10")
    assert mixed.noise_error() == pytest.approx(float(mixed.scale) ** 2 * (1 + 5 / 4) * 5 / 2, rel=1e-12)
    path = Functionals([[1, 0], [1, 1]], [1, "1/4"], 1, 20, epsilon=1, delta="1/10")
    drawn = path.samples(np.zeros((20, 2)), 4000, np.random.default_rng(1))
    errors = (drawn**2).sum(axis=1)
    assert abs(errors.mean() - path.noise_error()) < 5 * errors.std() / np.sqrt(4000)
