"""Waves with long shifts, and steps beside what grows slowly: beside closed forms and plain searches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import k0, lambertw

from dpverify import check, verify


def proved(text: str, low: float, high: float, width: float, **arguments: object) -> None:
    """epsilon lies in [low, high]; so the enclosure meets that, and is not wider than asked."""
    result = verify(text, **arguments)  # type: ignore[arg-type]
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    lower, upper = float(result.epsilon.lower), float(result.epsilon.upper)
    assert lower <= high * (1 + 1e-12) and low <= upper * (1 + 1e-12)
    assert upper - lower <= width * lower
    assert result.certificate is not None and check(result.certificate).accepted


def searched(g: Callable[[np.ndarray], np.ndarray], delta: float, radii: np.ndarray, shifts: int) -> float:
    """The largest |g(r + h) - g(r)| on a grid."""
    here = g(radii)
    return max(float(np.max(np.abs(g(radii + h) - here))) for h in np.linspace(0, delta, shifts + 1)[1:])


@pytest.mark.slow
def test_steps_beside_the_logarithm_of_a_logarithm() -> None:
    """A step of 1, from which what rises takes away, less and less as the shift across it gets short; within a step f
    rises by less than from 0 to 1, by log(1 + log(7/4)) < 1."""
    proved("exp(-floor(r))*(1+log1p(3*y/4))", 1, 1, 0.0011, tolerance="1/1000")


@pytest.mark.slow
def test_a_wave_that_falls_with_a_long_shift() -> None:
    """f falls, so that the shift is 100 at its worst: 100 and what the cosine adds."""
    radii = np.linspace(0, 400, 400_001)

    def wave(r: np.ndarray) -> np.ndarray:
        return np.log(2 + np.cos(np.sqrt(np.sqrt(2) + r * r)))

    known = 100 + float(np.max(wave(radii) - wave(radii + 100)))
    proved("exp(-r)*(2+cos(sqrt(sqrt(2)+y)))", known, known + 1e-6, 1e-10, sensitivity=100)


@pytest.mark.slow
def test_a_saw_beside_the_product_logarithm() -> None:
    """g = r W(1+r)/(1+W(r/10)) - log(1+frac r): slopes stay below 1.3 (of a grid), and the saw adds log 2 at most."""
    radii = np.concatenate([np.linspace(0, 60, 120_001), np.geomspace(61, 1e9, 20_000)])

    def smooth(r: np.ndarray) -> np.ndarray:
        return r * lambertw(1 + r).real / (1 + lambertw(r / 10).real)

    def g(r: np.ndarray) -> np.ndarray:
        return smooth(r) - np.log1p(r - np.floor(r))

    known = searched(g, 1.0, radii[radii < 60], 64)
    high = float(np.max(np.diff(smooth(radii)) / np.diff(radii))) + np.log(2)
    text = "exp(-(r*lambertw(1+r)/(1+lambertw((1/10)*r))))*(1+frac(r))"
    proved(text, known, high, 2, dimension=3, tolerance="2")


@pytest.mark.slow
def test_a_chirp_beside_a_bessel_function() -> None:
    """g = sqrt(2) r + sin(y)/5 - log(1 + K_0(1 + r)): at most sqrt(2) + 2/5 and what K_0 adds from the centre to 1."""

    def g(r: np.ndarray) -> np.ndarray:
        return np.sqrt(2) * r + np.sin(r * r) / 5 - np.log1p(k0(1 + r))

    known = searched(g, 1.0, np.linspace(0, 40, 400_001), 64)
    high = np.sqrt(2) + 0.4 + float(np.log1p(k0(1.0)) - np.log1p(k0(2.0)))
    text = "exp(-((sqrt(2))*r+sin(y)/5))*(1+besselk(0,1+r))"
    proved(text, known, high, 0.06, dimension=2, tolerance="1/20")
