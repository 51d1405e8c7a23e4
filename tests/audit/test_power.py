"""Bounds are as large as they were measured to be: means over seeds, and leaks found in few samples."""

from __future__ import annotations

import numpy as np
import pytest

from dpverify.audit import Mechanism, audit
from tests.audit import mechanisms

Array = mechanisms.Array


def subsampled_gaussian(centre: Array, size: int, rng: np.random.Generator) -> Array:
    """Of the rows a quarter is looked at."""
    kept = rng.random(size) < 0.25
    return mechanisms.snapped(centre * kept[:, None] + rng.normal(0, 0.7, (size, 1)))


def mean_bound(function: object, samples: int, d: int, runs: int, delta: object = 0) -> float:
    shift = np.eye(d)[0]
    source = Mechanism(samples, function, (0 * shift, shift))  # type: ignore[arg-type]
    return float(np.mean([audit(source, confidence=0.95, seed=s, delta=delta).epsilon_lower for s in range(runs)]))  # type: ignore[arg-type]


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("function", "samples", "peer"),
    [
        (mechanisms.gaussian, 1_000, 1.344),
        (mechanisms.gaussian, 10_000, 1.991),
        (subsampled_gaussian, 1_000, 0.716),
        (subsampled_gaussian, 10_000, 1.638),
    ],
)
def test_at_delta_1e_5_the_mean_bound_is_far_above_one_that_corrects_for_all_thresholds(
    function: object, samples: int, peer: float
) -> None:
    """`peer` is the mean bound of jax-privacy 2.0, which is given the score, on 20 to 60 lots of the same law."""
    assert mean_bound(function, samples, 1, 40, "1e-5") > 1.05 * peer


@pytest.mark.campaign
def test_the_centres_of_a_mechanism_help_in_many_dimensions() -> None:
    assert mean_bound(mechanisms.l2_laplace, 100_000, 10, 6) > 0.57
    assert mean_bound(mechanisms.t5, 100_000, 20, 6) > 2.6


def wrong_radius(centre: Array, size: int, rng: np.random.Generator) -> Array:
    """On a plane, with too short a tail."""
    angle, radius = rng.uniform(0, 2 * np.pi, size), rng.standard_gamma(2, size)
    radius = np.where(radius > 6, 6 + 0.45 * (radius - 6), radius)
    return mechanisms.snapped(centre + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


@pytest.mark.campaign
def test_more_samples_do_not_lower_the_bound_of_a_wrong_law_on_the_plane() -> None:
    bounds = [mean_bound(wrong_radius, n, 2, runs) for n, runs in ((10_000, 6), (100_000, 4), (1_000_000, 2))]
    assert bounds == sorted(bounds)
    assert bounds[-1] > 1.3


LEAKING = (
    mechanisms.naive_laplace,
    mechanisms.numpy_laplace,
    mechanisms.box_muller,
    mechanisms.two_exponentials,
    mechanisms.inverse_normal,
    mechanisms.numpy_logistic,
    mechanisms.float32_noise,
    mechanisms.float16_noise,
    mechanisms.noise_on_a_lattice_of_its_own,
)


@pytest.mark.campaign
@pytest.mark.parametrize("function", LEAKING, ids=lambda f: f.__name__)
def test_leaks_show_in_500_samples_with_99_of_100_seeds(function: object) -> None:
    assert leaks_shown(function, (0.1, 1.1), 100) >= 99
    assert leaks_shown(function, (0.0, 1.0), 100) >= 99


@pytest.mark.slow
@pytest.mark.parametrize("function", [mechanisms.naive_laplace, mechanisms.float32_noise, mechanisms.float16_noise])
def test_leaks_show_in_500_samples(function: object) -> None:
    assert leaks_shown(function, (0.0, 1.0), 5) == 5


@pytest.mark.slow
def test_logistic_noise_shows_twice_its_epsilon_in_500_samples() -> None:
    assert leaks_shown(mechanisms.numpy_logistic, (0.1, 1.1), 5, above=2) == 5


@pytest.mark.campaign
@pytest.mark.parametrize("function", [mechanisms.float32_noise, mechanisms.float16_noise])
@pytest.mark.parametrize("centres", [(5.0, 6.0), (0.1, 1.1), (-1 / 3, 2 / 3)])
def test_short_floats_show_wherever_the_centres_are(function: object, centres: tuple[float, float]) -> None:
    assert leaks_shown(function, centres, 20) == 20


def leaks_shown(function: object, centres: tuple[float, float], seeds: int, above: float = 1) -> int:
    """In how many audits of 500 samples the bits alone refute an epsilon, here that of the noise, 1 or less."""
    source = Mechanism(500, function, tuple(np.array([c]) for c in centres))  # type: ignore[arg-type]
    findings = (audit(source, claim=1, seed=seed).bits for seed in range(seeds))
    return sum(bits is not None and bits.epsilon_lower > above for bits in findings)
