"""The body for coefficients of multivariate data: those whose block Toeplitz matrix is small.

In d dimensions the thesis takes the hull of the products Psi_m(x_1) x ... x Psi_m(x_d), and leaves open how to draw
from it (Hall 2012, Sections 4.4.2 and 4.5): for d > 1 no test is known that tells its points by one matrix.
Every point of it has a block Toeplitz matrix I + B(x), with the moments c_(p - q) at p, q in {0, ..., m}^d, that is
positive semidefinite. The points of which that holds are a larger body, M, that has a chord, and with the same
sensitivity: B(a) - B(b) = v v* - w w* with |v|^2 = |w|^2 = N = (m + 1)^d has no eigenvalue below -N, and has -N where v
is orthogonal to w, as at b_j = a_j + 1/(m + 1). So

- the gauge of M is the negative of the least eigenvalue of B(x), and that of M and -M intersected its largest absolute
  eigenvalue, a norm;
- one record changes the mean of n points by N/n in either, exactly. The thesis has 2/n, which for N > 2 is too little
  (claim hall-2012:section-4.4.2-sensitivity-d).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpverify.mechanisms.bodies.walks import walk
from dpverify.mechanisms.mechanism import Array
from dpverify.mechanisms.sensitivities import diameter

Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class MomentBody:
    """M, or with `symmetric` its intersection with -M: in R^((2m + 1)^d - 1), without the constant coordinate."""

    frequencies: int
    variables: int
    symmetric: bool = True
    uniform = "hit and run"

    @property
    def dimension(self) -> int:
        """(2m + 1)^d - 1."""
        return (2 * self.frequencies + 1) ** self.variables - 1

    @cached_property
    def _line(self) -> Complex:
        """Row k + m: the moment of frequency k as a combination of (1, sqrt(2) cos, sqrt(2) sin, ...)."""
        m = self.frequencies
        rows = np.zeros((2 * m + 1, 2 * m + 1), dtype=np.complex128)
        rows[m, 0] = 1
        for k in range(1, m + 1):
            rows[m + k, 2 * k - 1 : 2 * k + 1] = np.array([1, 1j]) / np.sqrt(2)
            rows[m - k] = rows[m + k].conj()
        return rows

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """Where the moment of each entry of the matrix stands, in the moments' flat order."""
        m, d = self.frequencies, self.variables
        at = np.array(list(product(range(m + 1), repeat=d)))
        apart = at[:, None, :] - at[None, :, :] + m
        return np.asarray(np.ravel_multi_index(tuple(np.moveaxis(apart, 2, 0)), (2 * m + 1,) * d))

    def matrices(self, points: Array) -> Complex:
        """B(x) of each row: Hermitian, with the diagonal 0."""
        rows = np.atleast_2d(points)
        whole = np.concatenate([np.zeros((len(rows), 1)), rows], axis=1)
        found = whole.reshape(len(rows), *(2 * self.frequencies + 1,) * self.variables).astype(np.complex128)
        for _ in range(self.variables):  # the first axis goes, as moments, to the end: after d times all are in order
            found = np.tensordot(found, self._line, axes=(1, 1))
        return np.asarray(found.reshape(len(rows), -1)[:, self._places])

    def gauge(self, points: Array) -> Array:
        """The negative of the least eigenvalue, or the largest absolute one, for each row."""
        values = np.linalg.eigvalsh(self.matrices(points))
        below = np.maximum(0.0, -values[:, 0])
        return np.maximum(below, values[:, -1]) if self.symmetric else below

    def chord(self, point: Array, direction: Array) -> tuple[float, float]:
        """I + B(u) + t B(v) is positive; and where the body is symmetric I - B(u) - t B(v)."""
        at, along = self.matrices(np.array([point, direction]))
        low, high = _ends(at, along)
        if not self.symmetric:
            return low, high
        below, above = _ends(-at, -along)
        return max(low, below), min(high, above)

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Points of a chain, one a row; several of them depend on each other."""
        return walk(self.chord, self.dimension, size, rng).points

    def sensitivity(self, records: int) -> Fraction:
        """Of the mean of n points, in the gauge, one of them replaced: (m + 1)^d/n."""
        return diameter(self.frequencies, self.variables) / records


def _ends(at: Complex, along: Complex) -> tuple[float, float]:
    left = np.linalg.inv(np.linalg.cholesky(np.eye(len(at)) + at))
    mu = np.linalg.eigvalsh(left @ along @ left.conj().T)
    return float(-1 / mu[-1]), float(-1 / mu[0])
