"""Functions in an RKHS: the law of what is released, its sensitivity over neighbours, batch and online as one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dpverify.audit import Mechanism, audit
from dpverify.errors import InputError
from dpverify.mechanisms import (
    BrownianKernel,
    ExponentialKernel,
    GaussianKernel,
    KernelDensity,
    MaternKernel,
    MeanFunction,
    PrivateFunction,
    RegularisedRisk,
    SobolevDensity,
    SupportVectorMachine,
)
from dpverify.mechanisms.functions.kernels import Kernel, sobolev_norm
from dpverify.mechanisms.functions.minimisers import LOSSES
from dpverify.mechanisms.functions.paths import JITTER, Path
from dpverify.mechanisms.functions.scales import gaussian_delta, mixing_sampler, process_scale
from dpverify.mixtures import Mixing

GRID = np.linspace(0, 1, 21)
SQUARE = np.stack(np.meshgrid(np.linspace(0, 1, 4), np.linspace(0, 1, 4)), -1).reshape(-1, 2)
LEVEL: dict[str, Any] = {"epsilon": 1, "delta": "1/100"}
MECHANISMS: dict[str, Callable[[], Any]] = {
    "density": lambda: KernelDensity("1/10", 30, GRID, **LEVEL),
    "density in the plane": lambda: KernelDensity("1/5", 30, SQUARE, **LEVEL),
    "sobolev": lambda: SobolevDensity("1/10", 8, 30, GRID, **LEVEL),
    "mean": lambda: MeanFunction(MaternKernel("3/2", "1/4"), GRID, 2, 30, **LEVEL),
    "brownian mean": lambda: MeanFunction(BrownianKernel(), GRID[1:], 2, 30, **LEVEL),
    "machine": lambda: SupportVectorMachine(GaussianKernel("1/4"), "1/10", 30, SQUARE, **LEVEL),
    "logistic": lambda: RegularisedRisk("logistic", GaussianKernel("1/4"), "1/10", 30, SQUARE, **LEVEL),
    "absolute": lambda: RegularisedRisk("absolute", MaternKernel("5/2", "1/4"), "1/10", 30, SQUARE, **LEVEL),
}


def some_data(name: str, mechanism: Any, rng: np.random.Generator) -> np.ndarray:
    if name in ("machine", "logistic", "absolute"):
        return np.column_stack([rng.random((30, 2)), rng.choice((-1.0, 1.0), 30)])
    width = len(mechanism.grid) if "mean" in name else mechanism.dimension
    return rng.normal(0.5, 1.0, (30, width)) * rng.choice((0.01, 1, 100))


@pytest.mark.slow
@pytest.mark.parametrize("name", MECHANISMS)
def test_no_pair_of_neighbours_is_farther_apart_than_the_sensitivity_says(name: str) -> None:
    mechanism, rng = MECHANISMS[name](), np.random.default_rng(5)
    most = float(mechanism.sensitivity / mechanism.scale)
    before = mechanism.scale, mechanism.points.tobytes()
    for _ in range(4):
        data = some_data(name, mechanism, rng)
        other = data.copy()
        other[-1] = some_data(name, mechanism, rng)[0]
        assert mechanism.distance(data, other) <= most
        mechanism.release(data, random_state=1)
        assert (mechanism.scale, mechanism.points.tobytes()) == before  # nothing is read off the data
    worst = mechanism.distance(*mechanism.worst_pair())
    assert worst <= most
    attained = {"sobolev": 0.7, "logistic": 0.2}.get(name, 0.95)  # the supremum, but for two that are bounds
    assert worst > attained * most


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_scale_is_the_smallest_that_is_private(name: str) -> None:
    mechanism = MECHANISMS[name]()
    shift = float(mechanism.sensitivity / mechanism.scale)
    assert gaussian_delta(1.0, shift) <= 0.01 < gaussian_delta(1.0, shift * 1.001)


@pytest.mark.slow
def test_the_proof_is_a_certificate_that_the_kernel_accepts() -> None:
    from dpverify import check

    privacy = MECHANISMS["density"]().privacy
    report = check(privacy.certificate)
    assert report.accepted and report.kind == "profile"
    assert privacy.delta == Fraction(1, 100) and privacy.claim == "hall-2012:proposition-3.2.2"


def test_gaussian_delta_is_the_textbook_curve() -> None:
    for epsilon, shift in ((0.0, 1.0), (1.0, 1.0), (3.0, 0.5)):
        exact = norm.cdf(shift / 2 - epsilon / shift) - np.exp(epsilon) * norm.cdf(-shift / 2 - epsilon / shift)
        assert gaussian_delta(epsilon, shift) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    "kernel", [GaussianKernel("1/5"), ExponentialKernel(3), MaternKernel("5/2", 1), BrownianKernel()]
)
def test_online_is_the_batch_in_whatever_pieces(kernel: Kernel) -> None:
    points = np.random.default_rng(1).random((60, 1))
    whole = Path(kernel, np.random.default_rng(7)).at(points)
    for sizes in ((1,) * 60, (5, 55), (20, 1, 39)):
        path = Path(kernel, np.random.default_rng(7))
        parts = [path.at(part) for part in np.split(points, np.cumsum(sizes)[:-1])]
        assert np.abs(np.concatenate(parts) - whole).max() < 1e-5
        assert np.array_equal(path.at(points[:3]), np.concatenate(parts)[:3]) and len(path) == 60


@pytest.mark.slow
def test_a_release_online_and_in_one_batch_are_one_draw() -> None:
    mechanism, data = MECHANISMS["density"](), np.linspace(0.2, 0.9, 30)
    batch = mechanism.release(data, random_state=3)
    online = mechanism.online(data, random_state=3)
    assert np.abs(np.array([online([x])[0] for x in GRID]) - batch.value).max() < 1e-6 and len(online) == 21
    assert batch.drawn == "in floats"


@pytest.mark.slow
def test_the_path_has_the_law_of_the_process() -> None:
    kernel, points = MaternKernel("3/2", "1/3"), np.array([[0.1], [0.4], [0.5]])
    rng = np.random.default_rng(2)
    draws = np.array([Path(kernel, rng).at(points) for _ in range(4000)])
    expected = kernel(points, points) + JITTER * np.eye(3)
    assert np.abs(np.cov(draws.T) - expected).max() < 5 * np.sqrt(2 / 4000)


def test_samples_have_the_mean_and_the_covariance_of_the_claim() -> None:
    """hall-2012:proposition-3.2.2 as corrected: covariance c^2 K, and not c K."""
    mechanism = KernelDensity("1/10", 30, GRID[::5], **LEVEL)
    data = np.linspace(0, 1, 30)
    draws = mechanism.samples(data, 20_000, np.random.default_rng(1))
    c2 = float(mechanism.scale) ** 2
    assert np.abs(draws.mean(axis=0) - mechanism.fit(data)(mechanism.points)).max() < 5 * np.sqrt(c2 / 20_000)
    error = np.abs(np.cov(draws.T) - c2 * mechanism.kernel(mechanism.points, mechanism.points)).max()
    assert error < 5 * c2 * np.sqrt(2 / 20_000)
    assert mechanism.noise_error() == pytest.approx(c2)


@pytest.mark.slow
def test_kernels_have_the_norms_that_they_are_called_by() -> None:
    """(3.7) of the interpolant against the quadratic form of the Gram matrix, on a fine grid."""
    x = np.linspace(0, 1, 400)
    for gamma in (1.0, 5.0):
        values = np.sin(3 * x) + x
        form = values @ np.linalg.solve(ExponentialKernel(gamma)(x[:, None], x[:, None]), values)
        assert sobolev_norm(values, gamma) == pytest.approx(np.sqrt(form), rel=1e-4)


@pytest.mark.slow
def test_the_bound_of_the_sobolev_density_holds_by_quadrature() -> None:
    h, gamma, mechanism = 0.1, 8.0, MECHANISMS["sobolev"]()

    def norm_of(a: float, b: float) -> float:
        def f(x: float) -> float:
            return float(norm.pdf(x, a, h) - norm.pdf(x, b, h))

        def slope(x: float) -> float:
            return float(-(x - a) / h**2 * norm.pdf(x, a, h) + (x - b) / h**2 * norm.pdf(x, b, h))

        inner = quad(lambda x: slope(x) ** 2 + gamma**2 * f(x) ** 2, 0, 1, limit=200)[0]
        return float(np.sqrt((f(0) ** 2 + f(1) ** 2) / 2 + inner / (2 * gamma)))

    for a, b in ((0.0, 1.0), (0.4, 0.645), (0.0, 0.2), (-1.0, 0.5), (0.5, 0.6)):
        assert norm_of(a, b) / 30 <= float(mechanism.sensitivity)


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_are_convex_and_one_lipschitz(loss: str) -> None:
    function, labelled = LOSSES[loss]
    values = np.linspace(-4, 4, 2001)
    for label in (-1.0, 1.0) if labelled else (-1.0, 0.3):
        height, slope, bend = function(values, np.full_like(values, label))
        assert np.abs(slope).max() <= 1 and (np.diff(slope) >= -1e-12).all() and (bend >= 0).all()
        assert np.abs(np.gradient(height, values) - slope)[1:-1].max() < 0.25
        assert np.abs(np.trapezoid(slope, values) - (height[-1] - height[0])) < 1e-3


def test_the_minimiser_is_one() -> None:
    mechanism, rng = MECHANISMS["machine"](), np.random.default_rng(3)
    data = np.column_stack([rng.random((30, 2)), rng.choice((-1.0, 1.0), 30)])
    features = mechanism._features(data[:, :2])
    weights = mechanism._minimise(features, data[:, 2])

    def objective(w: np.ndarray) -> float:
        return float(LOSSES["hinge"][0](features @ w, data[:, 2])[0].mean() + 0.1 * w @ w)

    best = objective(weights)
    for _ in range(50):
        step = rng.standard_normal(len(weights)) * 0.01
        assert objective(weights + step) >= best + 0.1 * step @ step - 1e-6  # strong convexity about the minimum


def test_curves_are_clipped_to_the_bound_that_is_named() -> None:
    mechanism, rng = MECHANISMS["brownian mean"](), np.random.default_rng(1)
    clipped = mechanism.clipped(100 * rng.standard_normal((30, 20)))
    assert np.linalg.norm(clipped, axis=1).max() <= 2
    assert np.linalg.norm(mechanism.clipped(np.full((30, 20), 1e308)), axis=1) == pytest.approx(np.full(30, 2))
    small = 1e-3 * np.ones((30, 20))
    assert mechanism.fit(small)(mechanism.grid) == pytest.approx(small[0], rel=1e-5)


@pytest.mark.slow
def test_a_mixing_law_has_its_own_scale() -> None:
    law = Mixing("1/2: 1, 1/2: 3")
    scale = process_scale(Fraction(1), Fraction(1, 10), law)
    s = 1 / float(scale.value)
    assert (gaussian_delta(1, s) + gaussian_delta(1, s / 3)) / 2 == pytest.approx(0.1, rel=1e-4)
    assert scale.delta.upper <= Fraction(1, 10)
    draw, rng = mixing_sampler(Mixing("v**(-6)*exp(-5/(2*v**2))")), np.random.default_rng(1)
    values = np.array([draw(rng) for _ in range(4000)])
    assert (1 / values**2).mean() == pytest.approx(1, abs=5 * np.sqrt(2 / 5 / 4000))  # 5/V^2 is chi-squared of 5


@pytest.mark.slow
def test_a_function_of_ones_own_says_what_is_assumed() -> None:
    mechanism = PrivateFunction(
        GaussianKernel(1), lambda data: lambda x: x[:, 0] * 0, GRID, sensitivity="sqrt(2)/10", **LEVEL
    )
    assert "user" in mechanism.privacy.sensitivity and mechanism.privacy.assumes
    assert Fraction(2, 100) <= mechanism.sensitivity**2 <= Fraction(2, 100) * Fraction(1001, 1000)
    assert mechanism.release(None, random_state=1).value.shape == (21,)
    one, two = mechanism.worst_pair()
    assert mechanism.distance(one, two) == pytest.approx(float(mechanism.sensitivity / mechanism.scale), rel=1e-6)


REFUSED: list[Callable[[], Any]] = [
    lambda: KernelDensity("1/10", 30, GRID, epsilon=1, delta=0),
    lambda: KernelDensity(0, 30, GRID, **LEVEL),
    lambda: KernelDensity("1/10", 0, GRID, **LEVEL),
    lambda: KernelDensity("1/10", 30, GRID, **LEVEL).release(np.zeros(29)),
    lambda: KernelDensity("1/10", 30, GRID, **LEVEL).release(np.full(30, np.nan)),
    lambda: KernelDensity("1/10", 30, GRID, **LEVEL).online(np.zeros(30))(np.zeros((2, 2))),
    lambda: SobolevDensity("1/10", 8, 30, [-1, 2], **LEVEL),
    lambda: MeanFunction(BrownianKernel(), [2.0], 1, 3, **LEVEL),
    lambda: MaternKernel(2, 1),
    lambda: RegularisedRisk("square", GaussianKernel(1), 1, 3, GRID, **LEVEL),
    lambda: SupportVectorMachine(GaussianKernel(1), 1, 2, SQUARE, **LEVEL).fit([[0, 0, 1], [0, 0, 2]]),
]


@pytest.mark.parametrize("wrong", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(wrong: Callable[[], Any]) -> None:
    with pytest.raises(InputError) as caught:
        wrong()
    assert "\n" not in str(caught.value)


class Frame:
    """What NumPy asks of a data frame."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.column_stack([np.asarray(x, dtype) for x in self.columns.values()])


def test_data_frames_are_taken() -> None:
    mechanism, data = MECHANISMS["density"](), np.linspace(0, 1, 30)
    frame = Frame({"x": data})
    assert np.array_equal(mechanism.release(frame, random_state=1).value, mechanism.release(data, random_state=1).value)


FEW: dict[str, Callable[[], Any]] = {  # at few points, which hold the whole difference of the worst pair
    "density": lambda: KernelDensity("1/10", 30, [0, 1], **LEVEL),
    "mean": lambda: MeanFunction(ExponentialKernel(3), [0, 0.5, 1], 20, 2, **LEVEL),
    "machine": lambda: SupportVectorMachine(GaussianKernel("1/4"), "1/10", 30, SQUARE, SQUARE[:1], **LEVEL),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_the_worst_pair_passes_the_audit(name: str) -> None:
    mechanism = FEW[name]()
    source = Mechanism(samples=20_000, function=mechanism.samples, neighbours=mechanism.worst_pair())
    report = audit(source, claim=1, delta="1/100", seed=1)
    assert 0.2 < report.epsilon_lower <= 1


def printed(mechanism: Any) -> Callable[[Any, int, np.random.Generator], np.ndarray]:
    """Samples with the covariance c K of the thesis (hall-2012:section-3.2.5-batch)."""

    def samples(data: Any, size: int, rng: np.random.Generator) -> np.ndarray:
        centre = mechanism.fit(data)(mechanism.points)
        noise: np.ndarray = mechanism.samples(data, size, rng) - centre
        return centre + noise / np.sqrt(float(mechanism.scale))

    return samples


@pytest.mark.slow
def test_the_printed_covariance_is_caught_by_the_audit_and_by_the_exact_curve() -> None:
    mechanism = FEW["mean"]()
    assert mechanism.scale > 1  # where c is below 1 the printed noise is too large
    source = Mechanism(samples=5000, function=printed(mechanism), neighbours=mechanism.worst_pair())
    assert audit(source, claim=1, delta="1/100", seed=1).epsilon_lower > 1
    assert gaussian_delta(1, float(mechanism.sensitivity) / float(mechanism.scale) ** 0.5) > 0.5
