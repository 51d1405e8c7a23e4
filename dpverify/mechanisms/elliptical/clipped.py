"""The mean of records that are drawn in to an ellipsoid, exactly: what elliptical noise is added to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log2
from typing import Any

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.mechanism import Array, positive, table

INSIDE = 1 - 2.0**-30
"""Drawn in to a little less than the bound, so that rounding does not lead beyond it."""
BITS, LARGEST = 45, 1e300


def drawn_in(rows: Array, limit: float) -> Array:
    """Rows longer than the limit, scaled down to it; squares neither overflow nor vanish on the way."""
    rows = np.clip(rows, -LARGEST, LARGEST)
    top = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1 / LARGEST)
    unit = rows / top
    length = np.sqrt((unit * unit).sum(axis=1, keepdims=True))
    found: Array = unit * np.minimum(top, limit / np.maximum(length, 1e-300))
    return found


class ClippedMean:
    """The mean of n records x with sum x_j^2/c_j <= B^2, records beyond that being scaled down to it.

    One record replaced by another moves it by at most 2B/n in the norm of C = diag(c). Records are cut towards 0 to
    2^-45 of the bound, which makes no norm larger, and their sum is exact.

    Raises:
        InputError: a variance, the bound or the number of records is not positive.
    """

    def __init__(self, variances: Sequence[object], bound: Any, records: int) -> None:
        self.variances = tuple(positive(c, "variances") for c in variances)
        self.bound, self.records = positive(bound, "bound"), records
        self._roots = np.array([float(c) ** 0.5 for c in self.variances])
        self._bits = BITS - floor(log2(float(self.bound) * float(self._roots.max())))

    @property
    def sensitivity(self) -> Fraction:
        """2B/n."""
        return 2 * self.bound / self.records

    def __call__(self, data: Any) -> list[Fraction]:
        """The mean; raises InputError for data of another shape."""
        rows = table(data, "data", len(self.variances))
        if len(rows) != self.records:
            raise InputError(f"data: {len(rows)} records; the noise was set for {self.records}")
        inside = drawn_in(rows / self._roots, float(self.bound) * INSIDE) * self._roots
        whole = np.trunc(np.ldexp(inside, self._bits))
        unit = Fraction(2) ** -self._bits / self.records
        return [sum(map(int, column)) * unit for column in whole.T.tolist()]
