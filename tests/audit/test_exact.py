"""The exact mechanism under audit, with the events on that look for floating point; and the float sampler's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dpverify.audit import Mechanism, audit
from dpverify.audit.adapters import exact_sampler
from dpverify.sampling import EllipticalNoise
from dpverify.sampling.exact import ExactNoise

Array = NDArray[np.float64]
CENTRES = (np.array([0.0]), np.array([1.0]))
SAMPLES = 100_000


def in_floats(centre: Array, size: int, rng: np.random.Generator) -> Array:
    return centre + EllipticalNoise("laplace", 1).rvs(size=size, random_state=rng).reshape(size, 1)


@pytest.mark.sweep
def test_a_hundred_thousand_exact_draws_a_side_are_consistent() -> None:
    noise = ExactNoise("laplace", 1)
    report = audit(Mechanism(SAMPLES, exact_sampler(noise), CENTRES), claim=1, seed=3, leaks=True)
    assert report.verdict == "consistent"
    assert report.epsilon_lower > 0.9, "the audit has the power to see what is there"


@pytest.mark.slow
def test_as_many_float_draws_are_caught() -> None:
    report = audit(Mechanism(SAMPLES, in_floats, CENTRES), claim=1, seed=3, leaks=True)
    assert report.verdict == "violated"
    assert report.epsilon_lower > 1.2
