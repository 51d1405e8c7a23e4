"""A path of V Z, Z a Gaussian process with covariance K, drawn at points as they are asked for.

The values at points x_1, ..., x_i are L z with L L' = (K(x_j, x_k)), z standard normal; a further point adds a row to L
and a number to z, and leaves what was answered as it is. So a batch and the same points one at a time, from one seed,
are one draw (Hall 2012, Section 3.2.5, as corrected: the *noise* is conditioned on its own values, and every variance
has the square of the scale; claims hall-2012:section-3.2.5-online and -online-variance).

A little independent noise, JITTER in variance next to K <= 1, keeps L regular where K is nearly singular. It comes on
top of what the proof needs, so that it costs no privacy.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from dpverify.mechanisms.functions.kernels import Kernel
from dpverify.mechanisms.mechanism import Array

JITTER = 2.0**-28


class Path:
    """The noise, of scale 1, with all that has been asked of it; a point that comes again gets the same answer."""

    def __init__(self, kernel: Kernel, rng: np.random.Generator, factor: float = 1.0) -> None:
        self.kernel, self.rng, self.factor = kernel, rng, factor
        self._seen: dict[bytes, int] = {}
        self._points: Array = np.empty((0, 0))
        self._rows: Array = np.empty((0, 0))  # L in its leading part, with room to grow
        self._normals: Array = np.empty(0)
        self._values: Array = np.empty(0)

    def __len__(self) -> int:
        return len(self._seen)

    def at(self, points: Array) -> Array:
        """The noise at the points, m x d."""
        keys = [row.tobytes() for row in np.ascontiguousarray(points, dtype=np.float64)]
        fresh = list({key: i for i, key in reversed(list(enumerate(keys))) if key not in self._seen}.values())[::-1]
        if fresh:
            self._grow(points[fresh])
            for i in fresh:
                self._seen[keys[i]] = len(self._seen)
        return self.factor * self._values[[self._seen[key] for key in keys]]

    def _grow(self, new: Array) -> None:
        old, size = len(self._seen), len(self._seen) + len(new)
        self._reserve(size, new.shape[1])
        self._points[old:size] = new
        block = self.kernel(new, new) + JITTER * np.eye(len(new))
        if old:
            across = solve_triangular(
                self._rows[:old, :old], self.kernel(self._points[:old], new), lower=True, check_finite=False
            ).T
            self._rows[old:size, :old] = across
            block = block - across @ across.T
        self._rows[old:size, old:size] = _root(block)
        self._normals[old:size] = self.rng.standard_normal(len(new))
        self._values[old:size] = self._rows[old:size, :size] @ self._normals[:size]

    def _reserve(self, size: int, dimension: int) -> None:
        room = len(self._normals)
        if size <= room and self._points.shape[1] == dimension:
            return
        wide = max(size, 2 * room)
        points, rows = np.zeros((wide, dimension)), np.zeros((wide, wide), order="F")
        points[:room], rows[:room, :room] = self._points.reshape(room, dimension), self._rows
        self._points, self._rows = points, rows
        self._normals, self._values = (np.pad(x, (0, wide - room)) for x in (self._normals, self._values))


def _root(block: Array) -> Array:
    """The Cholesky factor; one number needs no library, and rounding may not turn it negative."""
    if len(block) == 1:
        return np.sqrt(np.maximum(block, JITTER / 2))
    return np.asarray(np.linalg.cholesky(block), dtype=np.float64)


def factor_of(kernel: Kernel, points: Array) -> Array:
    """L at distinct points, for many paths at once."""
    return np.asarray(np.linalg.cholesky(kernel(points, points) + JITTER * np.eye(len(points))), dtype=np.float64)
