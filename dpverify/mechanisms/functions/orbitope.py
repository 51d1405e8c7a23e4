"""The Caratheodory orbitope K'_m, the hull of the curve sqrt(2) (cos 2 pi x, sin 2 pi x, ..., sin 2 pi m x).

A point is in it exactly when the Hermitian Toeplitz matrix with diagonal 1 and entries (c_j + i s_j)/sqrt(2) is
positive semidefinite: the moments of a probability on the circle (Caratheodory; Hall 2012, Section 4.4.4, where the
sqrt(2) is missing, claim hall-2012:section-4.4.4-toeplitz). Coordinates are (c_1, s_1, ..., c_m, s_m).

Uniform points are drawn exactly. By the recursion of Levinson and Szego the moments are coordinates a_1, ..., a_m in
the unit disc, the k-th moment being a centre plus (1 - |a_1|^2) ... (1 - |a_(k-1)|^2) a_k: so volume has the density
prod (1 - |a_k|^2)^(2 (m - k)), the a_k are independent, and |a_k|^2 is Beta(1, 2 (m - k) + 1). Hit and run, as the
thesis has it, needs only the chord, and serves for bodies without such coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpverify.mechanisms.bodies.walks import walk
from dpverify.mechanisms.mechanism import Array
from dpverify.mechanisms.sensitivities import diameter

Complex = NDArray[np.complex128]
ROOT = np.sqrt(2)
MOST_REJECTED = 16
"""Frequencies up to which draws of the orbitope are thrown away until one lies in the symmetrised body."""


def moments(x: Array) -> Complex:
    """Coordinates (..., 2m) as the moments (c_j + i s_j)/sqrt(2) of a measure, (..., m)."""
    found: Complex = (x[..., 0::2] + 1j * x[..., 1::2]) / ROOT
    return found


def coordinates(z: Complex) -> Array:
    """The other way."""
    found = np.empty((*z.shape[:-1], 2 * z.shape[-1]))
    found[..., 0::2], found[..., 1::2] = ROOT * z.real, ROOT * z.imag
    return found


def toeplitz(z: Complex) -> Complex:
    """The Hermitian Toeplitz matrices with first column (0, z_1, ..., z_m), one for each row of z."""
    m = z.shape[-1]
    line = np.concatenate([np.conj(z[..., ::-1]), np.zeros((*z.shape[:-1], 1)), z], axis=-1)
    found: Complex = line[..., np.arange(m + 1)[:, None] - np.arange(m + 1)[None, :] + m]
    return found


@dataclass(frozen=True)
class Orbitope:
    """K'_m; not symmetric for m >= 2, so that its gauge of a - b is not that of b - a."""

    frequencies: int
    uniform = "exactly, from the Schur parameters of its Toeplitz matrix"

    @property
    def dimension(self) -> int:
        """2m."""
        return 2 * self.frequencies

    def curve(self, x: Array) -> Array:
        """The points of the curve at x in [0, 1], one a row."""
        return coordinates(np.exp(2j * np.pi * np.outer(x, np.arange(1, self.frequencies + 1))))

    def gauge(self, points: Array) -> Array:
        """x/t has the matrix I + B(x)/t, so the gauge of a row x is the negative of the least eigenvalue of B(x)."""
        return np.maximum(0.0, -np.linalg.eigvalsh(toeplitz(moments(np.atleast_2d(points))))[:, 0])

    def chord(self, point: Array, direction: Array) -> tuple[float, float]:
        """I + B(u) + t B(v) is positive: with L L' = I + B(u), 1 + t mu >= 0 for the eigenvalues mu of L^-1 B(v) L'^-1.

        Hall (2012), Section 4.4.4 (claim hall-2012:section-4.4.4-endpoints).
        """
        inside = np.eye(self.frequencies + 1) + toeplitz(moments(point))
        left = np.linalg.inv(np.linalg.cholesky(inside))
        mu = np.linalg.eigvalsh(left @ toeplitz(moments(direction)) @ left.conj().T)
        return float(-1 / mu[-1]), float(-1 / mu[0])

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Uniform points, one a row, in O(m^2) each."""
        m = self.frequencies
        z, predictor = np.empty((size, m), dtype=np.complex128), np.empty((size, 0), dtype=np.complex128)
        left = np.ones(size)
        for k in range(1, m + 1):
            radius = np.sqrt(rng.beta(1, 2 * (m - k) + 1, size))
            a = radius * np.exp(2j * np.pi * rng.random(size))
            z[:, k - 1] = left * a - np.sum(predictor * z[:, k - 2 :: -1][:, : k - 1], axis=1)
            predictor = np.column_stack([predictor - a[:, None] * np.conj(predictor[:, ::-1]), -a])
            left = left * (1 - radius**2)
        return coordinates(z)

    def sensitivity(self, records: int) -> Fraction:
        """Of the mean of n points of the curve, in the gauge, one of them replaced."""
        return diameter(self.frequencies) / records


@dataclass(frozen=True)
class Symmetrised:
    """K'_m and -K'_m intersected: the largest symmetric body within, whose gauge is a norm.

    Its norm of a - b is the larger of the gauges of a - b and b - a, so the sensitivity is that of K'_m, and the body
    is smaller: less noise for the same epsilon, where m >= 2.
    """

    frequencies: int

    @property
    def dimension(self) -> int:
        """2m."""
        return 2 * self.frequencies

    @property
    def uniform(self) -> str:
        """How uniform points are drawn."""
        exact = "exactly, by rejection from the orbitope"
        return exact if self.frequencies <= MOST_REJECTED else "hit and run"

    @property
    def whole(self) -> Orbitope:
        """K'_m."""
        return Orbitope(self.frequencies)

    def gauge(self, points: Array) -> Array:
        """The larger of those of x and -x, for each row."""
        return np.maximum(self.whole.gauge(points), self.whole.gauge(-points))

    def chord(self, point: Array, direction: Array) -> tuple[float, float]:
        """Where the first of the two is left."""
        (low, high), (below, above) = self.whole.chord(point, direction), self.whole.chord(-point, -direction)
        return max(low, below), min(high, above)

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Uniform points, one a row; of more than sixteen frequencies by hit and run."""
        if self.frequencies > MOST_REJECTED:
            return walk(self.chord, self.dimension, size, rng).points
        kept: list[Array] = []
        found, batch = 0, max(64, size)
        while found < size:
            points = self.whole.draw(batch, rng)
            kept.append(points[self.whole.gauge(-points) <= 1])
            found += len(kept[-1])
        return np.concatenate(kept)[:size]

    def sensitivity(self, records: int) -> Fraction:
        """That of K'_m."""
        return self.whole.sensitivity(records)
