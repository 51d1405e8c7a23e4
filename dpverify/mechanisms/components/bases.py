"""Curves on a grid as coefficients in a basis that is chosen without looking at them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.mechanism import Array, table


@dataclass(frozen=True, eq=False)
class Basis:
    """Orthonormal functions b_1, ..., b_m on a grid: `values` is m x T, `weights` the quadrature's, T.

    eigenvalues  of the covariance C of the base measure, in this basis; m of them
    """

    grid: Array
    values: Array
    weights: Array
    eigenvalues: Array

    @cached_property
    def _analysis(self) -> Array:
        return np.asarray((self.values * self.weights).T)

    def coefficients(self, curves: Array) -> Array:
        """<X_i, b_j> for curves on the grid: n x T gives n x m."""
        return table(curves, "curves", len(self.grid)) @ self._analysis

    def curves(self, coefficients: Array) -> Array:
        """The functions with these coefficients, on the grid: n x m gives n x T."""
        return np.asarray(coefficients) @ self.values


def fourier(grid: Array, m: int, power: float = 3.0) -> Basis:
    """1, sqrt(2) sin(2 pi t), sqrt(2) cos(2 pi t), ... on an even grid of [0, 1], with C_ii = i^-power (Section 6.1).

    Raises InputError where the grid is too coarse for m functions.
    """
    grid = np.asarray(grid, dtype=np.float64)
    if not 1 <= m <= len(grid):
        raise InputError(f"basis: {m} functions on {len(grid)} points; at most as many as points")
    rows = [np.ones_like(grid)]
    for j in range(1, m):
        wave = np.sin if j % 2 else np.cos
        rows.append(2**0.5 * wave(2 * np.pi * ((j + 1) // 2) * grid))
    return _orthonormal(grid, np.array(rows), np.arange(1, m + 1, dtype=np.float64) ** -power)


def gaussian_kernel(grid: Array, m: int, share: float = 0.99) -> Basis:
    """The first m eigenfunctions of the Gaussian kernel that needs m of its eigenvalues for that share of its trace.

    As Section 6.2 chooses C; the width of exp(-(s - t)^2/(2 w^2)), with t rescaled to [0, 1], is the largest that does
    with m, found by bisection. It depends on the grid alone.
    """
    grid = np.asarray(grid, dtype=np.float64)
    if not 1 <= m < len(grid):
        raise InputError(f"basis: {m} eigenfunctions on {len(grid)} points; fewer than points")
    weights = _trapezoid(grid)
    unit = (grid - grid[0]) / (grid[-1] - grid[0])

    def spectrum(width: float) -> tuple[Array, Array]:
        kernel = np.exp(-((unit[:, None] - unit[None, :]) ** 2) / (2 * width**2))
        root = np.sqrt(weights)
        values, vectors = np.linalg.eigh(root[:, None] * kernel * root)
        return values[::-1], vectors[:, ::-1] / root[:, None]

    low, high = 1e-3, 10.0
    for _ in range(40):  # a wider kernel needs fewer
        middle = (low * high) ** 0.5
        values, _ = spectrum(middle)
        enough = values[:m].sum() > share * values.sum()
        low, high = (low, middle) if enough else (middle, high)
    values, vectors = spectrum(high)
    kept = vectors[:, :m].T
    return Basis(grid, kept * np.sign(kept.sum(axis=1))[:, None], weights, values[:m])


def _orthonormal(grid: Array, rows: Array, eigenvalues: Array) -> Basis:
    weights = np.full(len(grid), 1 / len(grid))
    q, r = np.linalg.qr((rows * np.sqrt(weights)).T)
    values = (q * np.sign(np.diagonal(r))).T / np.sqrt(weights)
    return Basis(grid, values, weights, eigenvalues)


def _trapezoid(grid: Array) -> Array:
    """Weights of the trapezoidal rule, on the grid rescaled to [0, 1]."""
    gaps = np.diff(grid) / (grid[-1] - grid[0])
    if not (gaps > 0).all():
        raise InputError("grid: not in rising order")
    return np.concatenate([[gaps[0]], gaps[:-1] + gaps[1:], [gaps[-1]]]) / 2
