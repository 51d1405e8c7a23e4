"""Waves whose phases do not hang together, beside a search of all phases."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

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


@pytest.mark.parametrize(
    ("text", "log_wave", "tolerance"),
    [
        ("exp(-r)*(2+cos(7/2*r))", lambda x: np.log(2 + np.cos(x)), "1/100000000000"),
        ("exp(-r)*(1+Abs(cos(7/2*r)))", lambda x: np.log(1 + np.abs(np.cos(x))), "1/100000"),
    ],
)
def test_of_a_long_shift_the_last_wave_decides(
    text: str, log_wave: Callable[[np.ndarray], np.ndarray], tolerance: str
) -> None:
    """h + w(x) - w(x + 7/2 h) on a grid of phases and of the last shifts before Delta = 1000, finer about its top."""
    x, h, reach = 0.0, 998.0, (3.2, 2.0)
    seen = -math.inf
    for _ in range(8):
        xs = x + np.linspace(-reach[0], reach[0], 401)[:, None]
        hs = np.minimum(1000, h + np.linspace(-reach[1], reach[1], 401)[None, :])
        losses = hs + log_wave(xs) - log_wave(xs + 3.5 * hs)
        i, j = np.unravel_index(losses.argmax(), losses.shape)
        seen, x, h, reach = float(losses[i, j]), float(xs[i, 0]), float(hs[0, j]), (reach[0] / 20, reach[1] / 20)
    result = verify(text, sensitivity=1000, tolerance=tolerance)
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    lower, upper = float(result.epsilon.lower), float(result.epsilon.upper)
    assert seen <= upper + 1e-9 and lower <= seen + 1e-6
    assert "more than was asked" not in result.reason


@pytest.mark.slow
@pytest.mark.parametrize(("power", "relative"), [(3, 1e-8), pytest.param(100, 2e-3, marks=pytest.mark.campaign)])
def test_of_a_shift_longer_than_every_tail_the_last_wave_decides_too(power: int, relative: float) -> None:
    """(2 + sin(r/2)) (1 + y/4)^-k and Delta = 10^6: the top of r < 5 and the last wave's trough before Delta."""

    def log_f(r: np.ndarray) -> np.ndarray:
        return np.log(2 + np.sin(r / 2)) - power * np.log1p(r * r / 4)

    radii, ahead = np.linspace(1e-6, 5, 4001)[:, None], 10.0**6 + np.linspace(-16, 5, 4001)[None, :]
    losses = np.where(ahead - radii <= 10**6, log_f(radii) - log_f(ahead), -np.inf)
    seen = float(np.max(losses))
    found = verify(f"(2+sin(r/2))*(1+y/4)**(-{power})", sensitivity=10**6).epsilon
    assert found is not None and found.lower is not None and found.upper is not None
    low, high = float(found.lower), float(found.upper)
    assert seen * (1 - 1e-12) <= high and low <= seen * (1 + 1e-6)
    assert high - low <= relative * high


def test_charts_are_halved_in_their_radii_where_the_checker_needs_it() -> None:
    """A rational factor on a wide chart: the prover's enclosure is narrower there than the checker's."""
    low, high = certified("exp(-(3*r+sin(y)/5))*(1+(r-2/7)**2/(1+y)**2)", 4, Fraction(1, 2))
    r = np.linspace(0, 40, 200_001)
    log = lambda s: -(3 * s + np.sin(s**2) / 5) + np.log1p((s - 2 / 7) ** 2 / (1 + s**2) ** 2)  # noqa: E731
    seen = max(float(np.abs(log(r) - log(r + h)).max()) for h in np.linspace(0, 0.5, 41)[1:])
    assert seen <= high and 1.9 <= low <= 1.9 + 0.011  # 3 Delta + 2/5 without the last factor, which adds little


@pytest.mark.campaign
def test_a_slow_wave_beside_one_of_free_phase_over_a_long_shift() -> None:
    """The largest loss lies before the charts of free phases, whose first ones are cut until the checker follows."""

    def potential(r: np.ndarray) -> np.ndarray:
        return np.asarray(3.5 * (r + np.cos(np.sqrt(2) * r) / 4) - 2 * np.log(2 + np.sin(np.log1p(r))))

    result = verify("exp(-(7/2)*(r+cos(sqrt(2)*r)/4))*(2+sin(log(1+r)))**2", dimension=5, sensitivity=100)
    assert result.verdict == "private" and result.epsilon is not None
    radii = np.linspace(0, 60, 600_001)
    assert abs(float(np.max(potential(radii + 100) - potential(radii))) - float(result.epsilon.upper)) < 1e-6
