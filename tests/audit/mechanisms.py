"""Mechanisms for the audits, right and wrong; called as function(centre, size, rng).

Outputs are rounded to a lattice that the centres share, but for those whose fault is floating point.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray
from scipy import special

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


def numpy_laplace(centre: Array, size: int, rng: Rng) -> Array:
    return centre + rng.laplace(size=(size, len(centre)))


def box_muller(centre: Array, size: int, rng: Rng) -> Array:
    u, v = (rng.random((size, len(centre))) for _ in range(2))
    return centre + np.sqrt(-2 * np.log1p(-u)) * np.cos(2 * np.pi * v)


def two_exponentials(centre: Array, size: int, rng: Rng) -> Array:
    u, v = (rng.random((size, len(centre))) for _ in range(2))
    return centre + (np.log1p(-u) - np.log1p(-v))


def inverse_normal(centre: Array, size: int, rng: Rng) -> Array:
    return np.asarray(centre + special.ndtri(rng.random((size, len(centre)))))


def numpy_logistic(centre: Array, size: int, rng: Rng) -> Array:
    return centre + rng.logistic(size=(size, len(centre)))


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


def no_outputs(centre: Array, size: int, rng: Rng) -> None:
    return None


def nameless(centre: Array, size: int, rng: Rng) -> list[object]:
    return [object() for _ in range(size)]


def changes_shape(centre: Array, size: int, rng: Rng) -> Array:
    return np.zeros((size, 2 if size == 2 else 1))


def nan_leak(centre: Array, size: int, rng: Rng) -> Array:
    x = laplace(centre, size, rng)
    x[rng.random(size) < 0.02 * (centre[0] > 0)] = np.nan
    return x


def infinity_leak(centre: Array, size: int, rng: Rng) -> Array:
    x = laplace(centre, size, rng)
    x[rng.random(size) < 0.02] = np.inf if centre[0] > 0 else -np.inf
    return x


def large_integers(centre: Array, size: int, rng: Rng) -> list[int]:
    """Noise of scale 1 around 2^60 and 2^60 + 3: no float tells these apart."""
    p = 1 - np.exp(-1)
    noise = rng.geometric(p, size) - rng.geometric(p, size)
    return [2**60 + 3 * int(centre[0]) + int(k) for k in noise]


def huge_wide_integers(centre: Array, size: int, rng: Rng) -> list[int]:
    """Noise of scale 1000 around 10^40 and 10^40 + 3000."""
    return [10**40 + 3000 * int(centre[0]) + int(k) for k in rng.laplace(0, 1000, size)]


def randomised_response(answer: bool, size: int, rng: Rng) -> list[str]:
    """Tells the truth with probability 3/4: epsilon = log 3."""
    told = rng.random(size) < 0.75
    return ["yes" if truth == answer else "no" for truth in told]


def pairs_and_none(answer: bool, size: int, rng: Rng) -> list[object]:
    """None, a tuple or a number, with probabilities (1, 2, 3)/6, or (3, 2, 1)/6: epsilon = log 3."""
    shares = np.array([1, 2, 3]) / 6
    kinds = rng.choice(3, size, p=shares if answer else shares[::-1])
    return [(None, ("a", True), 1.5)[k] for k in kinds]


def short_floats(kind: type, centre: Array, size: int, rng: Rng) -> Array:
    """Right noise, rounded to short floats before it is added."""
    return np.asarray(centre + rng.laplace(size=(size, len(centre))).astype(kind).astype(float))


def float32_noise(centre: Array, size: int, rng: Rng) -> Array:
    return short_floats(np.float32, centre, size, rng)


def float16_noise(centre: Array, size: int, rng: Rng) -> Array:
    return short_floats(np.float16, centre, size, rng)


def naive_small_scale(centre: Array, size: int, rng: Rng) -> Array:
    return centre + 0.8 * (naive_laplace(centre, size, rng) - centre)


def independent_t5(centre: Array, size: int, rng: Rng) -> Array:
    return snapped(centre + rng.standard_t(5, (size, len(centre))))


def radius_hangs_on_direction(centre: Array, size: int, rng: Rng) -> Array:
    """Radius of the t law and uniform directions, each right by itself; far out where the direction is near an axis."""
    z = rng.standard_normal((size, 2))
    radius = np.sort(np.linalg.norm(t(5, np.zeros(2), size, rng), axis=1))
    angle = np.arctan2(z[:, 1], z[:, 0])
    order = np.argsort(np.argsort(np.abs(np.cos(2 * angle)) + rng.normal(0, 0.3, size)))
    return snapped(centre + radius[order][:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


def constant(centre: Array, size: int, rng: Rng) -> Array:
    return np.tile(centre, (size, 1))


def walk(centre: Array, size: int, rng: Rng) -> Array:
    """Each sample depends on the one before."""
    x = rng.standard_normal((size, len(centre)))
    for i in range(1, size):
        x[i] = 0.9 * x[i - 1] + 0.43589 * x[i]
    return snapped(centre + x)


def noisy_mean(rows: list[float], size: int, rng: Rng) -> Array:
    """A scalar from a data set of numbers from 0 to 1: epsilon = 1."""
    return snapped(np.mean(rows) + rng.laplace(0, 1 / len(rows), size))


def noisy_histogram(words: list[str], size: int, rng: Rng) -> Array:
    """A 2 x 3 table from a list of words; one word more or less moves one cell by 1: epsilon = 1."""
    table = np.array([[words.count(a + b) for b in "xyz"] for a in "uv"])
    return snapped(table + rng.laplace(size=(size, 2, 3)))
