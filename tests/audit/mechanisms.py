"""Mechanisms for the audits, right and wrong; called as function(centre, size, rng).

Outputs are rounded to a lattice that the centres share, but for those whose fault is floating point.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rng = np.random.Generator


def snapped(x: Array) -> Array:
    return np.round(x * 2**20) / 2**20


def laplace(centre: Array, size: int, rng: Rng) -> Array:
    return snapped(centre + rng.laplace(size=(size, len(centre))))


def l2_laplace(centre: Array, size: int, rng: Rng) -> Array:
    z = rng.standard_normal((size, len(centre)))
    z *= (rng.standard_gamma(len(centre), size) / np.linalg.norm(z, axis=1))[:, None]
    return snapped(centre + z)


def t(nu: float, centre: Array, size: int, rng: Rng) -> Array:
    z = rng.standard_normal((size, len(centre)))
    return snapped(centre + z * np.sqrt(nu / rng.chisquare(nu, size))[:, None])


def t5(centre: Array, size: int, rng: Rng) -> Array:
    return t(5, centre, size, rng)


def t_wrong_nu(centre: Array, size: int, rng: Rng) -> Array:
    return t(20, centre, size, rng)


def laplace_small_scale(centre: Array, size: int, rng: Rng) -> Array:
    return snapped(centre + 0.8 * rng.laplace(size=(size, len(centre))))


def t5_wrong_covariance(centre: Array, size: int, rng: Rng) -> Array:
    x = t(5, 0 * centre, size, rng)
    x[:, 0] *= 0.6
    return snapped(centre + x)


def gaussian(centre: Array, size: int, rng: Rng) -> Array:
    return snapped(centre + rng.standard_normal((size, len(centre))))


def clipped(centre: Array, size: int, rng: Rng) -> Array:
    return snapped(centre + np.clip(rng.laplace(size=(size, len(centre))), -3, 3))


def fixed_seed(centre: Array, size: int, rng: Rng) -> Array:
    return laplace(centre, size, np.random.default_rng(2))


def naive_laplace(centre: Array, size: int, rng: Rng) -> Array:
    u = rng.random((size, len(centre))) - 0.5
    return centre - np.sign(u) * np.log1p(-2 * np.abs(u))


def noise_on_a_lattice_of_its_own(centre: Array, size: int, rng: Rng) -> Array:
    return centre + np.round(rng.laplace(size=(size, len(centre))) * 1000) / 1000


def geometric(centre: Array, size: int, rng: Rng) -> Array:
    shape, p = (size, len(centre)), 1 - np.exp(-1)
    return centre + rng.geometric(p, shape) - rng.geometric(p, shape)


def forgets_the_data(centre: Array, size: int, rng: Rng) -> Array:
    return snapped(rng.standard_normal((size, len(centre))))


def kills_its_worker_once(centre: Array, size: int, rng: Rng) -> Array:
    marker = os.environ["DPVERIFY_TEST_MARKER"]
    parent = int(os.environ["DPVERIFY_TEST_PARENT"])
    if os.getpid() != parent and not os.path.exists(marker):
        with open(marker, "w"):
            pass
        os._exit(9)
    return laplace(centre, size, rng)


def raises(centre: Array, size: int, rng: Rng) -> Array:
    raise RuntimeError("the data\nbase is away")


def raises_late(centre: Array, size: int, rng: Rng) -> Array:
    if os.path.exists(os.environ["DPVERIFY_TEST_MARKER"]):
        raise RuntimeError("late")
    return laplace(centre, size, rng)


def wrong_shape(centre: Array, size: int, rng: Rng) -> Array:
    return np.zeros((size + 1, len(centre)))


def not_finite(centre: Array, size: int, rng: Rng) -> Array:
    x = laplace(centre, size, rng)
    x[-1] = np.nan
    return x


def no_numbers(centre: Array, size: int, rng: Rng) -> object:
    return ["three"] * size
