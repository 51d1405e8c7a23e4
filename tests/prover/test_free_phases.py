"""Waves whose phases do not hang together, beside a search of all phases."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import minimize

from dpverify import verify
from tests.prover.certified import certified

Height = Callable[[np.ndarray, float], np.ndarray]


def highest(log_wave: Height, slope: float, speeds: list[float], delta: float = 1.0) -> float:
    """sup over phases x and shifts h of slope * h + log_wave(x) - log_wave(x + speeds h), by many climbs."""
    rng = np.random.default_rng(7)

    def loss(point: np.ndarray) -> float:
        x, h = point[:-1], min(max(point[-1], 0.0), delta)
        return -float(slope * h + log_wave(x, 0.0) - log_wave(x + np.array(speeds) * h, 0.0))

    starts = np.column_stack([rng.uniform(0, 2 * np.pi, (3000, len(speeds))), rng.uniform(0, delta, 3000)])
    starts[::2, -1] = delta
    best = sorted(starts, key=loss)[:20]
    options = {"xatol": 1e-10, "fatol": 1e-15, "maxiter": 4000, "maxfev": 4000}
    return max(-minimize(loss, start, method="Nelder-Mead", options=options).fun for start in best)


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    ("text", "log_wave", "slope", "speeds"),
    [
        ("exp(-3*r/4)*(2+cos(20*r))", lambda x, _: np.log(2 + np.cos(x[0])), 0.75, [20.0]),
        ("exp(-r)*(2+cos(100*r))", lambda x, _: np.log(2 + np.cos(x[0])), 1.0, [100.0]),
        (
            "exp(-r)*(3+sin(r)+sin(sqrt(2)*r))",
            lambda x, _: np.log(3 + np.sin(x[0]) + np.sin(x[1])),
            1.0,
            [1.0, math.sqrt(2)],
        ),
        (
            "exp(-2*r)*(3+sin(r)*cos(pi*r))",
            lambda x, _: np.log(3 + np.sin(x[0]) * np.cos(x[1])),
            2.0,
            [1.0, math.pi],
        ),
        pytest.param(
            *("(1.0000001+cos(r))*exp(-r)", lambda x, _: np.log(1.0000001 + np.cos(x[0])), 1.0, [1.0]),
            marks=pytest.mark.campaign,
        ),
    ],
)
def test_waves_are_bounded_as_a_search_of_all_phases_finds(
    text: str, log_wave: Height, slope: float, speeds: list[float]
) -> None:
    low, high = certified(text)
    truth = highest(log_wave, slope, speeds)
    assert truth <= high + 1e-9
    assert low <= truth + 1e-7, "the search should have found as much"


@pytest.mark.parametrize(
    "text",
    ["exp(-y)*(3+cos(y))", "erfc(r/2)*(3+cos(y)+sin(r/2))", "exp(-r**(3/2))*(2+sin(y))", "exp(-y)*(2+sin(exp(r)))"],
)
def test_a_potential_that_outgrows_lines_is_private_for_no_epsilon_whatever_its_waves_do(text: str) -> None:
    """g(r + 1) - g(r) grows without bound, and the waves add no more than the logarithm of their extremes' ratio."""
    result = verify(text, dimension=2)
    assert result.verdict == "not_private"
    assert result.hypotheses.tail_ratio_bounded.status == "refuted"


@pytest.mark.slow
def test_a_wave_on_a_line_is_not_said_to_outgrow_every_bound() -> None:
    assert verify("exp(-r)*(3+cos(y))", tolerance="1/100").verdict == "private"
