"""The scale at which a process V Z is (epsilon, delta)-private, proved: delta(eps) of infinite dimension.

For a change of norm Delta in H(K) the release T + sigma V Z has delta(eps) = E[h(Delta/(sigma V))], h that of one
Gaussian number (docs/explanation, profiles), for every set of points and functionals. It replaces the printed scales:
sqrt(2 log(2/beta)) Delta/alpha of Hall (2012, (3.5)), which is larger and fails beyond alpha = 4 log 2, and M_V of
Theorem 5 of Reimherr and Awan (2019), which is too small (claims hall-2012:proposition-1.3.3 and -3.2.2,
reimherr-awan-2019:theorem-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfc

from dpverify.errors import DpverifyError, InputError
from dpverify.mechanisms.mechanism import Array
from dpverify.mixtures import Mixing
from dpverify.mixtures.constants import value
from dpverify.mixtures.law import Atoms, Density
from dpverify.numerals import rounded
from dpverify.profiles import Enclosed, profile
from dpverify.sampling.density import log_density

DIGITS = 12
MARGIN = Fraction(1, 10**9)


@dataclass(frozen=True)
class Scale:
    """sigma/Delta, and delta(epsilon) proved there."""

    value: Fraction
    delta: Enclosed


def gaussian_delta(epsilon: float, shift: float) -> float:
    """delta(eps) of one Gaussian number moved by `shift` deviations, in floats (Balle and Wang 2018)."""
    if shift <= 0:
        return 0.0
    first, second = (epsilon / shift + sign * shift / 2 for sign in (-1, 1))
    tail = erfc(second / 2**0.5)
    return float(erfc(first / 2**0.5) - (np.exp(epsilon + np.log(tail)) if tail > 0 else 0.0)) / 2


@lru_cache(maxsize=64)
def process_scale(epsilon: Fraction, delta: Fraction, mixing: Mixing | None = None) -> Scale:
    """The smallest sigma for Delta = 1, to about 1e-9, at which delta(epsilon) <= delta is proved.

    Raises InputError where delta is 0, for which no scale suffices (Theorem 4), DpverifyError where nothing is proved.
    """
    if delta == 0:
        raise InputError("delta: give one above 0; in infinite dimension no scale is private for delta = 0")
    asked = _proved if mixing is not None else lambda sigma, mixing, epsilon: _plain(sigma, epsilon)

    def excess(logarithm: float) -> float:
        found = asked(Fraction(np.exp(logarithm)).limit_denominator(10**9), mixing, epsilon)
        return log(max(found, 1e-300) / float(delta))

    low = high = 0.0
    while excess(high) > 0:
        low, high = high, high + 2
        if high > 60:
            raise DpverifyError("no scale is found at which delta is as small as asked")
    while excess(low) < 0:
        low, high = low - 2, low
        if low < -60:
            raise DpverifyError("delta stays below what is asked however small the noise; ask for a smaller delta")
    root = brentq(excess, low, high, xtol=1e-11 if mixing is None else 1e-6)
    sigma = Fraction(float(np.exp(root)))
    for widen in (MARGIN, MARGIN * 1000, MARGIN * 10**5):
        upper = Fraction(rounded(sigma * (1 + widen), DIGITS, "up"))
        found = _delta(upper, mixing, epsilon)
        if found.upper <= delta:
            return Scale(upper, found)
    raise DpverifyError("no scale is proved")


def _plain(sigma: Fraction, epsilon: Fraction) -> float:
    return gaussian_delta(float(epsilon), 1 / float(sigma))


def _proved(sigma: Fraction, mixing: Mixing | None, epsilon: Fraction) -> float:
    return float(_delta(sigma, mixing, epsilon).upper)


def _delta(sigma: Fraction, mixing: Mixing | None, epsilon: Fraction) -> Enclosed:
    law = Mixing("1: 1") if mixing is None else mixing
    found = profile(mixing=law, dimension="infinity", scale=sigma, epsilon=epsilon)
    if found.verdict != "proved":
        raise DpverifyError(found.reason)
    enclosed = found.points[0].delta
    assert isinstance(enclosed, Enclosed)
    return enclosed


@lru_cache(maxsize=64)
def process_certificate(
    sensitivity: Fraction, scale: Fraction, epsilon: Fraction, mixing: Mixing | None = None
) -> Mapping[str, Any] | None:
    """The proof of delta(epsilon) of the process, in infinite dimension; of Gaussian noise in one, since along the line
    between two neighbours the process is one Gaussian number."""
    asked: dict[str, Any] = {"sensitivity": sensitivity, "scale": scale, "epsilon": epsilon, "certificate": True}
    if mixing is None:
        return profile("gaussian", **asked).certificate
    return profile(mixing=mixing, dimension="infinity", **asked).certificate


def mixing_sampler(mixing: Mixing | None) -> Callable[[np.random.Generator], float]:
    """Draws of V, in floats."""
    if mixing is None:
        return lambda rng: 1.0
    law = mixing.law
    if isinstance(law, Atoms):
        weights, values = (np.array([float(value(pair[i])) for pair in law.pairs]) for i in (0, 1))
        return lambda rng: float(rng.choice(values, p=weights / weights.sum()))
    grid, cumulative = _inverse(law)
    return lambda rng: float(np.interp(rng.random(), cumulative, grid))


def _inverse(law: Density) -> tuple[Array, Array]:
    v = np.exp(np.linspace(-25, 25, 200_001))
    mass = np.exp(log_density(law.expression)(v * v)) * v
    mass = np.where(np.isfinite(mass), mass, 0.0)
    cumulative = np.concatenate([[0.0], np.cumsum((mass[1:] + mass[:-1]) / 2)])
    return v, cumulative / cumulative[-1]
