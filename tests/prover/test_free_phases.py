"""Waves whose phases do not hang together, beside closed forms and searches of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize

from dpverify.api import verify


def certified(text: str, dimension: int = 1, sensitivity: Fraction = Fraction(1)) -> tuple[float, float]:
    """The ends of epsilon, replayed by the checker and as narrow as is asked for."""
    result = verify(text, dimension=dimension, sensitivity=sensitivity)
    assert result.verdict == "private", result.reason
    assert result.certificate is not None and result.epsilon is not None
    epsilon = result.epsilon
    assert epsilon.upper - epsilon.lower <= Fraction(1, 10**11) * max(1, epsilon.upper) * 11 / 10
    return float(epsilon.lower), float(epsilon.upper)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "dimension", "sensitivity", "truth"),
    [
        ("exp(-r)*(2+sin(y))", 1, Fraction(1), 1 + math.log(3)),
        ("exp(-3*r/2)*(5+2*cos(y/3+r+1))**2", 3, Fraction(2, 3), 1 + 2 * math.log(7 / 3)),
        ("exp(-r)*(2+sin(exp(r)))", 2, Fraction(1), 1 + math.log(3)),
        ("exp(-2*r)*(3+cos(exp(r/2)))", 1, Fraction(1, 3), 2 / 3 + math.log(2)),
        ("exp(-r)*(2+sin(r**(3/2)))", 1, Fraction(1), 1 + math.log(3)),
        ("exp(-r+sin(pi*r**3)/2)", 1, Fraction(1), 2),
        ("exp(-sqrt(1+y))*(2+sin(y))", 1, Fraction(1), 1 + math.log(3)),
        pytest.param("exp(-r)*(3+sin(y)+cos(r**3))", 1, Fraction(1), 1 + math.log(5), marks=pytest.mark.campaign),
    ],
)
def test_a_chirp_loses_all_that_it_can(text: str, dimension: int, sensitivity: Fraction, truth: float) -> None:
    """Its phases here and ahead are free: the shift's loss, and the logarithm of the largest over the least wave."""
    low, high = certified(text, dimension, sensitivity)
    assert low <= truth + 1e-13
    assert truth - 1e-13 <= high


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)*(2+sin(r)+sin(sqrt(2)*r))",
        "exp(-2*r)*(3+2*cos(r)-cos(pi*r))",
        "exp(-y)*(7/2-cos(sqrt(3)*r)*2-3*sin(r/5)/2)",
    ],
)
def test_waves_that_come_near_zero_far_out_are_private_for_no_epsilon(text: str) -> None:
    """Kronecker: speeds that are independent bring all waves near their least values at once."""
    result = verify(text)
    assert result.verdict == "not_private", result.reason
    assert result.certificate is not None


@pytest.mark.slow
def test_waves_with_a_common_period_that_never_all_stand_low_are_private() -> None:
    """2 + sin r + sin 2r is at least 0.23: the waves hang together, and never both stand at -1."""
    result = verify("exp(-r)*(2+sin(r)+sin(2*r))", timeout=60)
    assert result.verdict != "not_private"


@pytest.mark.slow
def test_a_chirp_may_lose_most_where_it_has_not_outrun_the_shift_yet() -> None:
    """(3 + cos r^3)/(1 + r)^4: the largest loss lies near the centre, and a grid finds no larger one."""
    low, high = certified("(3+cos(r**3))/(1+r)**4")
    r = np.linspace(0, 6, 40_001)[:, None]
    h = np.linspace(0, 1, 301)[None, :]

    def potential(s: np.ndarray) -> np.ndarray:
        return 4 * np.log1p(s) - np.log(3 + np.cos(s**3))  # type: ignore[no-any-return]

    seen = float(np.max(np.abs(potential(r + h) - potential(r))))
    assert seen <= high + 1e-9
    assert low <= seen + 1e-3


@pytest.mark.slow
def test_a_wave_that_comes_to_rest_has_no_phase_of_its_own() -> None:
    """sin(1/r) is a wave by its form, and no chirp: the loss is found on a grid of radii and shifts."""
    low, high = certified("exp(-r)*(2+sin(r)*sin(1/r))")
    r = np.concatenate([np.geomspace(1e-2, 1, 2000), np.linspace(1, 60, 6000)])
    log = lambda r: -r + np.log(2 + np.sin(r) * np.sin(1 / r))  # noqa: E731
    seen = max(float(np.abs(log(r) - log(r + h)).max()) for h in np.linspace(0, 1, 101)[1:])
    assert seen <= high and low - seen < 1e-4
