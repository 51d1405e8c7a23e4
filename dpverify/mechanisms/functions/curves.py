"""The mean of curves: each record is a function, given by its values on a public grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from dpverify.errors import InputError
from dpverify.mechanisms.elliptical.clipped import INSIDE, drawn_in
from dpverify.mechanisms.functions.functions import Function, FunctionRelease, whole
from dpverify.mechanisms.functions.kernels import Kernel
from dpverify.mechanisms.functions.paths import factor_of
from dpverify.mechanisms.mechanism import Array, positive, table

HIGHEST = 1e150
"""Values beyond are cut, so that nothing overflows: their curves are far beyond any bound."""


class MeanFunction(FunctionRelease):
    """The mean of n curves in H(K), each clipped to norm `bound` (Hall 2012, Section 3.2; Reimherr and Awan 2019).

    A record is the smoothest function with the given values at `grid`, that is sum_j a_j K(., t_j) with K a = y; its
    squared norm is y' K^-1 y. Scaled down to norm B where it is larger, curves differ by at most 2B, the mean by
    Delta = 2B/n. The clip is to a bound that the user names, never to one read off the data.

    Args:
        kernel: K; one whose Gram matrix is well conditioned on the grid (exponential, Matern, Brownian).
        grid: the points at which records are given, columns of the data in this order.
        bound: B, exact.
        records: n, public.
        points: where the batch is evaluated; the grid itself if None.
        epsilon, delta: what is promised.
    """

    def __init__(
        self, kernel: Kernel, grid: Any, bound: Any, records: int, points: Any = None, *, epsilon: Any, delta: Any
    ) -> None:
        self.grid = kernel.check(table(grid, "grid"), "grid")
        self.bound, self.records = positive(bound, "bound"), whole(records, "records")
        about = 2 * self.bound / self.records, f"2 B/n in H(K), curves being clipped to norm B = {self.bound}"
        super().__init__(kernel, self.grid if points is None else points, *about, epsilon=epsilon, delta=delta)
        self._root = factor_of(kernel, self.grid)

    def clipped(self, data: Any) -> Array:
        """The curves as they are averaged: whitened coordinates L^-1 y, of norm at most B."""
        curves = table(data, "data", len(self.grid))
        if len(curves) != self.records:
            raise InputError(f"data: {len(curves)} records; the noise was set for {self.records}")
        curves = np.clip(curves, -HIGHEST, HIGHEST)
        white = solve_triangular(self._root, curves.T, lower=True, check_finite=False).T
        return drawn_in(white, float(self.bound) * INSIDE)

    def fit(self, data: Any) -> Function:
        weights = solve_triangular(self._root, self.clipped(data).mean(axis=0), lower=True, trans="T")

        def mean(x: Array) -> Array:
            found: Array = self.kernel(x, self.grid) @ weights
            return found

        return mean

    def worst_pair(self) -> tuple[Array, Array]:
        """A curve of norm B along the kernel's section at the first point, and its opposite, among zeros."""
        section = self.kernel(self.points[:1], self.grid)[0]
        peak = section / np.linalg.norm(solve_triangular(self._root, section, lower=True))
        data = np.zeros((self.records, len(self.grid)))
        other = data.copy()
        data[-1], other[-1] = float(self.bound) * peak, -float(self.bound) * peak
        return data, other
