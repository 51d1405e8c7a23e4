"""Fourier coefficients: the basis, the body and its uniform law, sensitivities, and what printed noise gives away."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpverify.audit import Mechanism, audit
from dpverify.errors import InputError
from dpverify.mechanisms import KernelDensity, LaplaceFourier, Orbitope, OrbitopeFourier, Symmetrised
from dpverify.mechanisms.bodies.walks import walk
from dpverify.mechanisms.functions.fourier import FourierDensity, basis
from dpverify.mechanisms.functions.moment_bodies import MomentBody
from dpverify.mechanisms.functions.orbitope import coordinates, moments, toeplitz
from dpverify.mechanisms.mechanism import IN_FLOATS
from dpverify.mechanisms.sensitivities import diameter, inertia

MECHANISMS: dict[str, Callable[[], Any]] = {
    "laplace": lambda: LaplaceFourier("1/10", 3, 20, epsilon=1),
    "laplace in the plane": lambda: LaplaceFourier("1/10", 2, 20, 2, epsilon=1),
    "symmetrised": lambda: OrbitopeFourier("1/10", 3, 20, epsilon=1),
    "orbitope": lambda: OrbitopeFourier("1/10", 3, 20, epsilon=1, body="orbitope"),
}
WALKED: dict[str, Callable[[], Any]] = {
    "symmetrised in the plane": lambda: OrbitopeFourier("1/10", 1, 20, 2, epsilon=1),
    "orbitope in the plane": lambda: OrbitopeFourier("1/10", 2, 20, 2, epsilon=1, body="orbitope"),
    "symmetrised in space": lambda: OrbitopeFourier("1/10", 1, 20, 3, epsilon=1),
}


def size_of(mechanism: Any, change: np.ndarray) -> float:
    """A change of the coefficients in the norm of the noise, over the scale: the loss."""
    if isinstance(mechanism, LaplaceFourier):
        return float(np.abs(change).sum() / float(mechanism.scale))
    return float(mechanism.body.gauge(change.reshape(1, -1)[:, 1:])[0] / float(mechanism.scale))


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.parametrize("name", MECHANISMS | WALKED)
def test_one_record_changes_the_coefficients_by_no_more_than_the_noise_covers(name: str) -> None:
    mechanism, rng = (MECHANISMS | WALKED)[name](), np.random.default_rng(1)
    d, before = mechanism.dimension, mechanism.scale
    for _ in range(40):
        data = rng.normal(0, 3, (20, d))
        other = data.copy()
        other[-1] = rng.random(d) * rng.choice((1, 1000))
        assert size_of(mechanism, mechanism.fit(data) - mechanism.fit(other)) <= 1 + 1e-9
        assert mechanism.scale == before
    mechanism.release(data, random_state=1)
    assert mechanism.scale == before
    one, two = mechanism.worst_pair()
    assert (one != two).any(axis=1).sum() == 1
    worst = size_of(mechanism, mechanism.fit(one) - mechanism.fit(two))
    assert worst <= 1 + 1e-9
    least = {"laplace": 0.75, "laplace in the plane": 0.3}.get(name, 1 - 1e-9)
    assert worst >= least  # attained in the gauges; the l1 bounds are bounds


@pytest.mark.parametrize("m", [1, 2, 5])
def test_uniform_points_have_the_inertia_of_the_corrected_proposition(m: int) -> None:
    points, size = Orbitope(m).draw(20_000, np.random.default_rng(m)), 20_000
    for k in range(1, m + 1):
        for column in (2 * k - 2, 2 * k - 1):
            square = points[:, column] ** 2
            assert abs(square.mean() - float(inertia(m, k))) < 5 * square.std() / np.sqrt(size)
    gauges = Orbitope(m).gauge(points[:2000])
    assert gauges.max() <= 1 + 1e-9
    assert abs((gauges ** (2 * m)).mean() - 0.5) < 5 * np.sqrt(1 / 12 / 2000)  # gauge^dimension is uniform


def test_the_disc_is_the_body_of_one_frequency() -> None:
    rng = np.random.default_rng(1)
    points = rng.standard_normal((50, 2))
    assert Orbitope(1).gauge(points) == pytest.approx(np.linalg.norm(points, axis=1) / np.sqrt(2))
    assert Symmetrised(1).gauge(points) == pytest.approx(Orbitope(1).gauge(points))


@pytest.mark.parametrize("body", [Orbitope(3), Symmetrised(3)])
def test_chords_end_on_the_border(body: Orbitope | Symmetrised) -> None:
    rng = np.random.default_rng(3)
    for point in body.draw(20, rng):
        direction = rng.standard_normal(6)
        low, high = body.chord(point, direction)
        assert low < 0 < high
        assert body.gauge(np.array([point + low * direction, point + high * direction])) == pytest.approx([1, 1])


def test_the_curve_lies_on_the_border_and_the_gauge_is_a_support() -> None:
    body, x = Orbitope(4), np.linspace(0, 1, 30, endpoint=False)
    assert body.gauge(body.curve(x)) == pytest.approx(np.ones(30))
    assert np.linalg.norm(body.curve(x), axis=1) == pytest.approx(np.full(30, np.sqrt(8)))
    assert body.curve(x) == pytest.approx(basis(x, 4)[:, 1:])
    z = moments(body.curve(x[:1]))[0]
    assert coordinates(z) == pytest.approx(body.curve(x[:1])[0])
    assert toeplitz(z) == pytest.approx(toeplitz(z).conj().T)


@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_the_largest_difference_is_m_plus_1_and_not_2(m: int) -> None:
    body, x = Orbitope(m), np.linspace(0, 1, 12 * (m + 1), endpoint=False)
    curve = body.curve(x)
    assert body.gauge(curve[0] - curve).max() == pytest.approx(float(diameter(m)))
    assert float(diameter(m)) == m + 1


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("body", [Orbitope(2), Symmetrised(2)])
def test_hit_and_run_agrees_with_exact_draws(body: Orbitope | Symmetrised) -> None:
    rng = np.random.default_rng(5)
    walked, exact = walk(body.chord, 4, 1200, rng, thin=8), body.draw(20_000, rng)
    assert walked.agrees and walked.effective > 200
    spread = (exact**2).std(axis=0) / np.sqrt(walked.effective)
    assert (np.abs((walked.points**2).mean(axis=0) - (exact**2).mean(axis=0)) < 5 * spread).all()


@pytest.mark.slow
def test_the_symmetrised_body_needs_less_noise() -> None:
    for m in (2, 3, 5):
        whole = OrbitopeFourier("1/20", m, 100, epsilon=1, body="orbitope")
        assert OrbitopeFourier("1/20", m, 100, epsilon=1).noise_error() < 0.8 * whole.noise_error()
        assert whole.noise_error() < LaplaceFourier("1/20", m, 100, epsilon=1).noise_error()


@pytest.mark.sampled(stay=1)
@pytest.mark.parametrize("name", MECHANISMS)
def test_the_error_of_the_noise_is_what_is_said(name: str) -> None:
    mechanism = MECHANISMS[name]()
    drawn = mechanism.noise(20_000, np.random.default_rng(2))
    errors = ((drawn * mechanism.smoothing.reshape(-1)[1:]) ** 2).sum(axis=1)
    assert abs(errors.mean() - mechanism.noise_error()) < 6 * errors.std() / np.sqrt(4000)


def test_without_noise_it_is_the_kernel_estimate() -> None:
    """The periodic kernel is the Gaussian one summed over integers (hall-2012:equation-4.5, as corrected)."""
    data, points = np.random.default_rng(1).random(50), np.array([0.05, 0.4, 0.77])
    fourier = LaplaceFourier("1/10", 12, 50, epsilon=1)
    exact = KernelDensity("1/10", 50, points, epsilon=1, delta="1/10").fit(data)
    wrapped = sum(exact(points[:, None] + k) for k in (-2, -1, 0, 1, 2))
    assert fourier.density(fourier.fit(data), points) == pytest.approx(wrapped, rel=1e-10)
    plane = np.random.default_rng(2).random((30, 2))
    two = LaplaceFourier("1/5", 4, 30, 2, epsilon=1)
    grid = np.linspace(0, 1, 9, endpoint=False)
    values = two.density(two.fit(plane), np.array([(x, y) for x in grid for y in grid]))
    assert values.mean() == pytest.approx(1, rel=1e-12)  # the first coefficient is the integral


def test_records_are_wrapped_onto_the_interval() -> None:
    mechanism, data = MECHANISMS["symmetrised"](), np.linspace(0, 0.95, 20)
    assert mechanism.fit(data + 3) == pytest.approx(mechanism.fit(data))


REFUSED: list[Callable[[], Any]] = [
    lambda: LaplaceFourier("1/10", 0, 20, epsilon=1),
    lambda: LaplaceFourier("1/10", 1000, 20, 3, epsilon=1),
    lambda: LaplaceFourier("1/10", 2, 20, epsilon=1).release(np.zeros(19)),
    lambda: LaplaceFourier("1/10", 2, 20, epsilon=1).release(np.zeros((20, 2))),
    lambda: OrbitopeFourier("1/10", 2, 20, epsilon=1, body="hull"),
    lambda: OrbitopeFourier("-1", 2, 20, epsilon=1),
]


@pytest.mark.parametrize("wrong", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(wrong: Callable[[], Any]) -> None:
    with pytest.raises(InputError) as caught:
        wrong()
    assert "\n" not in str(caught.value)


def test_many_frequencies_are_drawn_by_hit_and_run_and_that_is_said() -> None:
    mechanism = OrbitopeFourier("1/10", 17, 20, epsilon=1)
    assert mechanism.body.uniform == "hit and run" and mechanism.privacy.assumes
    assert OrbitopeFourier("1/10", 16, 20, epsilon=1).privacy.assumes == (IN_FLOATS,)


@pytest.mark.parametrize("m", [1, 3])
def test_in_one_dimension_the_moment_body_is_the_orbitope(m: int) -> None:
    rng = np.random.default_rng(1)
    points, (at, direction) = rng.standard_normal((20, 2 * m)), rng.standard_normal((2, 2 * m))
    for symmetric, line in ((True, Symmetrised(m)), (False, Orbitope(m))):
        body = MomentBody(m, 1, symmetric)
        assert body.gauge(points) == pytest.approx(line.gauge(points))
        inside = at / (2 * line.gauge(at[None])[0] + 2 * line.gauge(-at[None])[0])
        assert body.chord(inside, direction) == pytest.approx(line.chord(inside, direction))


@pytest.mark.parametrize(("m", "d"), [(1, 2), (2, 2), (1, 3)])
def test_the_moment_body_holds_every_product_of_the_curve_and_its_matrix_is_of_moments(m: int, d: int) -> None:
    rng, whole = np.random.default_rng(2), MomentBody(m, d, False)
    fourier = LaplaceFourier("1/10", m, 1, d, epsilon=1)
    x = rng.random((20, d))
    points = np.array([fourier.fit(row[None]).reshape(-1)[1:] for row in x])
    assert whole.gauge(points) == pytest.approx(np.ones(20))
    frequencies = np.array(list(np.ndindex(*(m + 1,) * d)))
    waves = np.exp(2j * np.pi * x @ frequencies.T)
    direct = waves[:, :, None] * waves[:, None, :].conj() - np.eye(len(frequencies))
    assert whole.matrices(points) == pytest.approx(direct)
    means = rng.dirichlet(np.ones(20), 5) @ points
    assert (whole.gauge(means) <= 1 + 1e-9).all()
    direction = rng.standard_normal(whole.dimension)
    for body in (whole, MomentBody(m, d)):
        low, high = body.chord(0 * direction, direction)
        assert body.gauge(np.array([low, high])[:, None] * direction) == pytest.approx([1, 1])


@pytest.mark.sweep
def test_in_more_dimensions_it_adds_less_noise_than_laplace_and_is_refused_where_out_of_reach() -> None:
    shaped = OrbitopeFourier("1/10", 1, 20, 2, epsilon=1)
    assert shaped.noise_error() < LaplaceFourier("1/10", 1, 20, 2, epsilon=1).noise_error() / 4
    assert shaped.mixing(60, random_state=1).r_hat < 1.5
    with pytest.raises(InputError, match="out of reach"):
        OrbitopeFourier("1/10", 6, 20, 2, epsilon=1)


def test_the_printed_sensitivity_in_the_plane_gives_twice_the_loss_at_one_frequency() -> None:
    """Gamma((2m + 1)^d, 2/(n epsilon)), hall-2012:section-4.4.2-sensitivity-d."""
    mechanism = OrbitopeFourier("1/10", 1, 20, 2, epsilon=1)
    one, two = (mechanism.fit(data).reshape(-1)[1:] for data in mechanism.worst_pair())
    assert mechanism.body.gauge((one - two)[None])[0] / (2 / 20) == pytest.approx(2)


def test_laplace_noise_is_drawn_exactly_around_whole_sums() -> None:
    mechanism, data = LaplaceFourier("1/10", 2, 30, epsilon=1), np.random.default_rng(1).random((30, 1))
    sums = np.array(mechanism.sums(data)) / 2.0**36 / 30
    assert sums == pytest.approx(mechanism.fit(data), abs=1e-10) and sums[0] == 1
    noise = [mechanism.release(data, random_state=seed).value[1:] - sums[1:] for seed in range(100)]
    released = mechanism.release(data, random_state=1)
    assert released.drawn == "exactly" and all(isinstance(x, Fraction) for x in released.notes["exact"])
    assert stats.kstest(np.ravel(noise) / float(mechanism.scale), "laplace").pvalue > 1e-4
    assert Fraction(8, 30) < mechanism.scale < Fraction(8, 30) * (1 + Fraction(1, 10**9))


class Printed(OrbitopeFourier):
    """Delta = 2/n, as printed (hall-2012:section-4.4.2-sensitivity)."""

    @property
    def sensitivity(self) -> Any:
        return diameter(1) / self.records


class UpsideDown(LaplaceFourier):
    """The scale n epsilon/(2m + 1), as printed (hall-2012:section-4.4.1-scale)."""

    @property
    def scale(self) -> float:
        return float(self.records * self.epsilon) / (2 * self.frequencies + 1)


def event(mechanism: FourierDensity) -> Callable[[Any, int, np.random.Generator], np.ndarray]:
    """Releases as two numbers that tell the worst pair apart: gauges, or distances, from its two centres."""
    centres = [mechanism.fit(data).reshape(-1)[1:] for data in mechanism.worst_pair()]

    def samples(data: Any, size: int, rng: np.random.Generator) -> np.ndarray:
        drawn = mechanism.samples(data, size, rng)
        if isinstance(mechanism, OrbitopeFourier):
            return np.column_stack([mechanism.body.gauge(drawn - c) for c in centres]) @ [[1.0], [-1.0]]
        return np.column_stack([np.abs(drawn - c).sum(axis=1) for c in centres]) @ [[1.0], [-1.0]]

    return samples


@pytest.mark.slow
@pytest.mark.parametrize("name", MECHANISMS)
def test_the_worst_pair_passes_the_audit(name: str) -> None:
    mechanism = MECHANISMS[name]()
    source = Mechanism(samples=20_000, function=event(mechanism), neighbours=mechanism.worst_pair())
    power = 0.0 if "plane" in name else 0.15  # a bound of the l1 sensitivity that no pair comes near
    assert power < audit(source, claim=1, seed=1).epsilon_lower <= 1


@pytest.mark.slow
def test_what_is_printed_is_caught_by_the_audit() -> None:
    for weak in (
        Printed("1/10", 4, 20, epsilon=1, body="orbitope"),
        UpsideDown("1/10", 3, 2, epsilon="1/2"),
    ):
        source = Mechanism(samples=20_000, function=event(weak), neighbours=weak.worst_pair())
        assert audit(source, claim=weak.epsilon, seed=1).epsilon_lower > weak.epsilon
