"""The confidence is kept: over many repetitions the bound exceeds the truth as rarely as is said."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import dpverify
from dpverify.audit import BuiltIn, Mechanism, audit, epsilon_lower_bound
from dpverify.audit.counting import Task
from dpverify.audit.plan import plan
from dpverify.audit.sources import Source
from dpverify.sampling import EllipticalNoise
from tests.audit import mechanisms

pytestmark = pytest.mark.campaign

FULL = "DPVERIFY_FULL_CAMPAIGN" in os.environ
BY_CHANCE = 1e-5


def excess_allowed(repetitions: int, alpha: float) -> int:
    """How often the bound may be too large before that is no longer by chance."""
    return int(stats.binom.isf(BY_CHANCE, repetitions, alpha))


@pytest.mark.parametrize(
    ("name", "d", "parameters", "truth"),
    [("laplace", 1, {}, 1.0), ("laplace", 3, {}, 1.0), ("student_t", 2, {"nu": 5}, 1.5525), ("sech", 2, {}, 1.0)],
)
def test_two_thousand_audits_of_noise_whose_epsilon_is_known(
    name: str, d: int, parameters: dict[str, object], truth: float
) -> None:
    repetitions, alpha = 2000, 0.1
    source = BuiltIn(500, EllipticalNoise(name, d, parameters=parameters), np.eye(d)[0])
    test = plan(source, 0, {"law": alpha}, 0.0).tests["law"][0]
    bounds = np.array(
        [
            epsilon_lower_bound(Task(source, (test,), s, 0).count(0)[0], test.procedure, alpha)
            for s in range(repetitions)
        ]
    )
    assert np.count_nonzero(bounds > truth) <= excess_allowed(repetitions, alpha)
    assert np.mean(bounds) > 0.3 * truth
    # the event's own log ratio is what the bound covers, and it is exceeded about as often as allowed
    large = replace(source, samples=60_000)
    counts = Task(large, (test,), 77, 0).count(0)[0]
    ratio = np.log(counts.first_in / counts.first) - np.log(counts.second_in / counts.second)
    share = np.mean(bounds > ratio)
    assert 0.3 * alpha < share < 1.6 * alpha


def sources(repetitions: int, samples: int, function: object, d: int) -> list[Source]:
    shift = np.eye(d)[0]
    return [Mechanism(samples, function, (0 * shift, shift)) for _ in range(repetitions)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "d", "truth"),
    [(mechanisms.forgets_the_data, 1, 0.0), (mechanisms.laplace, 1, 1.0), (mechanisms.geometric, 1, 1.0)],
    ids=["P = Q", "laplace", "geometric"],
)
def test_whole_audits_that_choose_their_event_anew_each_time(function: object, d: int, truth: float) -> None:
    repetitions, alpha = (2000 if FULL else 150), 0.2
    bounds = [
        audit(source, confidence=1 - alpha, seed=seed).epsilon_lower
        for seed, source in enumerate(sources(repetitions, 400, function, d))
    ]
    assert sum(bound > truth for bound in bounds) <= excess_allowed(repetitions, alpha)


FIFTEEN: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("laplace", 1, {}),
    ("laplace", 3, {}),
    ("laplace", 10, {}),
    ("student_t", 1, {"nu": 3}),
    ("student_t", 2, {"nu": 5}),
    ("student_t", 5, {"nu": 10}),
    ("cauchy", 1, {}),
    ("cauchy", 3, {}),
    ("sech", 1, {}),
    ("sech", 2, {}),
    ("hyperbolic", 2, {"alpha": 1}),
    ("radial_logistic", 1, {}),
    ("radial_logistic", 3, {}),
    ("matern", 1, {}),
    ("pearson_vii", 2, {"m": 3}),
)


@pytest.mark.skipif(not FULL, reason="an hour: `make audit-coverage`")
@pytest.mark.parametrize(("name", "d", "parameters"), FIFTEEN, ids=lambda x: str(x))
def test_a_thousand_whole_audits_of_each_of_fifteen_null_laws(name: str, d: int, parameters: dict[str, object]) -> None:
    """Samples as from a stranger's mechanism, the event chosen anew each time, epsilon as it is proved; at 95 %."""
    repetitions, alpha = int(os.environ.get("DPVERIFY_COVERAGE", "1000")), 0.05
    noise = EllipticalNoise(name, d, parameters=parameters)
    epsilon = dpverify.verify(name, dimension=d, parameters=parameters).epsilon
    assert epsilon is not None

    def draw(centre: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
        return mechanisms.snapped(centre + noise.draw(size, rng))

    bounds = [
        audit(source, confidence=1 - alpha, seed=seed).epsilon_lower
        for seed, source in enumerate(sources(repetitions, 500, draw, d))
    ]
    large = sum(bound > epsilon.upper for bound in bounds)
    print(f"{name}, d = {d}: {large} of {repetitions} above epsilon = {float(epsilon.upper):.4f}")
    assert large <= excess_allowed(repetitions, alpha)
