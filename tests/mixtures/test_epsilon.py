"""epsilon of mixtures, against a computation of its own: sums over log v, which converge geometrically."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

import dpverify

Array = np.ndarray
X = np.arange(-60, 60, 1 / 128)
V = np.exp(X)
LAWS: dict[str, Callable[[Array], Array]] = {  # log p, for E[V^-d] finite up to d = 5
    "exp(-log(v)**2)/v": lambda v: -(np.log(v) ** 2) - np.log(v),
    "v**5/(1+v)**(15/2)": lambda v: 5 * np.log(v) - 7.5 * np.log1p(v),
    "exp(-sqrt(v)-1/v)/v": lambda v: -np.sqrt(v) - 1 / v - np.log(v),
    "v**-3*exp(-1/v)": lambda v: -3 * np.log(v) - 1 / v,
    "v**6*exp(-v)": lambda v: 6 * np.log(v) - v,
}


def potential(log_density: Array, dimension: int, s: Array) -> Array:
    """g at the radii s, up to a constant."""
    logs = (1 - dimension) * X - np.multiply.outer(s**2 / 2, np.exp(-2 * X)) + log_density
    top = logs.max(axis=1)
    return -(top + np.log(np.exp(logs - top[:, None]).sum(axis=1)))


def largest_loss(log_density: Array, dimension: int, delta: float) -> float:
    radii = np.concatenate([[0.0], np.geomspace(1e-3, 1e4, 120)])
    for _ in range(4):
        losses = potential(log_density, dimension, radii + delta) - potential(log_density, dimension, radii)
        k = int(losses.argmax())
        radii = np.linspace(radii[max(k - 1, 0)], radii[min(k + 1, len(radii) - 1)], 12)
    return float(losses.max())


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("text", "dimension", "delta"),
    [
        ("exp(-log(v)**2)/v", 3, "1"),
        pytest.param("v**5/(1+v)**(15/2)", 5, "10", marks=pytest.mark.campaign),
        pytest.param("exp(-sqrt(v)-1/v)/v", 4, "1/2", marks=pytest.mark.campaign),
        pytest.param("v**-3*exp(-1/v)", 1, "3", marks=pytest.mark.campaign),
        pytest.param("v**6*exp(-v)", 1, "10", marks=pytest.mark.campaign),
    ],
)
def test_epsilon_holds_what_plain_sums_give(text: str, dimension: int, delta: str) -> None:
    result = dpverify.verify(mixing=text, dimension=dimension, sensitivity=delta)
    assert result.verdict == "private" and result.epsilon is not None
    assert result.certificate is not None and result.assumptions == ()
    with np.errstate(all="ignore"):
        logs = LAWS[text](V)
    plain = largest_loss(np.where(np.isfinite(logs), logs, -1e300), dimension, float(Fraction(delta)))
    assert float(result.epsilon.lower) - 1e-8 < plain < float(result.epsilon.upper) + 1e-8
    assert result.epsilon.upper - result.epsilon.lower < Fraction(1, 10**9) * max(1, result.epsilon.upper)


@pytest.mark.campaign
def test_the_scale_of_the_mixing_law_is_the_scale_of_the_noise() -> None:
    """V of density p(v/10)/10 is 10 V, so Delta = 20 does for it what Delta = 2 does for V."""
    one = dpverify.verify(mixing="v**3*exp(-v)", dimension=2, sensitivity=2).epsilon
    ten = dpverify.verify(mixing="v**3*exp(-v/10)", dimension=2, sensitivity=20).epsilon
    assert one is not None and ten is not None
    assert one.lower <= ten.upper and ten.lower <= one.upper


@pytest.mark.sweep
def test_with_a_gaussian_tail_epsilon_is_at_least_its_slope() -> None:
    """log p ~ -v^2/2, so g'(oo) = 1; here the loss rises to it and epsilon is delta."""
    epsilon = dpverify.verify(mixing="v**7*exp(-v**2/2+v)", dimension=1, sensitivity=3).epsilon
    assert epsilon is not None
    assert epsilon.lower <= 3 <= epsilon.upper < 3 + Fraction(1, 10**6)
    assert epsilon.attained_at == "the limit c -> oo"
