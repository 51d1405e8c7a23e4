"""Histograms, sparse ones too, and the one-way margins of a table of binary attributes.

Neighbours differ in one record, which moves from one cell to another, so that the l_1 sensitivity is 2 (claim
section-2.4-laplace) and each cell gets noise at epsilon/2. The cells are public: a record in none of them is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import exp
from typing import Any

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.bodies import Ball
from dpverify.mechanisms.counting.counts import GeometricCount, MinimaxCount
from dpverify.mechanisms.counting.fair import Fair, ratio_below
from dpverify.mechanisms.hall import radius_law, threshold
from dpverify.mechanisms.k_norm import fine
from dpverify.mechanisms.mechanism import IN_FLOATS, Array, Mechanism, Privacy, Release, State, generator, table

MOVED = "as many records, one of them moved to another cell"


class Histogram(Mechanism):
    """Counts of cells with Laplace or geometric noise at epsilon/2, those at most `threshold` set to 0.

    Args:
        cells: their labels, public; a table's records are tuples of its columns' values.
        noise: "geometric", whole numbers, exactly drawn; or "laplace", in floats, rounded to a lattice.
        threshold: None for none; "sparse" for (2/epsilon) log p; or a number >= 0. What is done after the noise costs
            nothing; a threshold that is chosen after a look at the data does.

    Raises:
        InputError: cells that are not all different, another noise, a threshold below 0.
    """

    def __init__(
        self, cells: Iterable[Hashable], *, epsilon: Any, noise: str = "geometric", threshold: Any = None
    ) -> None:
        super().__init__(epsilon=epsilon)
        self.cells = [_label(cell) for cell in cells]
        self._at = {cell: i for i, cell in enumerate(self.cells)}
        if not self.cells or len(self._at) < len(self.cells):
            raise InputError("cells: there are none, or one of them comes twice")
        if noise not in ("geometric", "laplace"):
            raise InputError(f"noise: {noise!r} is neither 'geometric' nor 'laplace'")
        self.noise_kind, self.ratio = noise, ratio_below(self.epsilon / 2)
        self.threshold = _threshold_of(threshold, len(self.cells), float(self.epsilon))

    @property
    def privacy(self) -> Privacy:
        """epsilon-DP; the threshold is post-processing."""
        claim = "hall-2012:proposition-2.4.3" if self.threshold is not None else "hall-2012:section-2.4-laplace"
        assumes = () if self.noise_kind == "geometric" else (IN_FLOATS,)
        return Privacy(self.epsilon, MOVED, "2 in the l_1 norm", claim=claim, assumes=assumes)

    def fit(self, data: Any) -> Array:
        """How many records each cell has."""
        rows = np.asarray(data, dtype=object)
        if rows.ndim > 2:
            raise InputError("data: not a table with a row for each record")
        labels = rows.tolist() if rows.ndim == 1 else [row[0] if len(row) == 1 else tuple(row) for row in rows.tolist()]
        found = np.zeros(len(self.cells))
        for label, count in Counter(map(_label, labels)).items():
            if label in self._at:
                found[self._at[label]] = count
        return found

    def noisy(self, counts: Array, random_state: State = None) -> Array:
        """The counts with noise and threshold, one release."""
        if self.noise_kind == "geometric":
            fair = Fair(random_state)
            value = counts + np.array([fair.geometric(self.ratio) for _ in counts])
        else:
            value = self._laplace(counts, generator(random_state))
        return self._cut(value)

    def _laplace(self, counts: Array, rng: np.random.Generator) -> Array:
        step = float(fine(2 / self.epsilon))
        return np.asarray(
            np.rint((counts + rng.laplace(scale=2 / float(self.epsilon), size=counts.shape)) / step) * step
        )

    def _cut(self, value: Array) -> Array:
        return value if self.threshold is None else np.where(value <= self.threshold, 0.0, value)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """Counts in the order of the cells: whole numbers, or points of a lattice."""
        drawn = "exactly" if self.noise_kind == "geometric" else "in floats"
        return Release(self.noisy(self.fit(data), random_state), self.privacy, drawn)  # type: ignore[arg-type]

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent releases."""
        counts = self.fit(data)
        if self.noise_kind == "laplace":
            return self._cut(self._laplace(np.tile(counts, (size, 1)), rng))
        return np.array([self.noisy(counts, rng) for _ in range(size)])

    def worst_pair(self) -> tuple[Any, Any]:
        """One record, in the first cell or in the last; as many that a threshold does not hide them."""
        below = 0 if self.threshold is None else round(self.threshold)
        rows = [self.cells[0]] * below + [self.cells[-1]] * below
        return _joined(rows, self.cells[0]), _joined(rows, self.cells[-1])

    def risk(self, counts: Any) -> float:
        """`E||released - counts||_1` at these counts, in closed form; of geometric noise without a threshold."""
        if self.noise_kind == "geometric":
            if self.threshold is not None:
                raise InputError("risk: in closed form for Laplace noise, or without a threshold")
            return float(len(self.cells) * 2 * self.ratio / (self.ratio**2 - 1))
        scale, tau = 2 / float(self.epsilon), self.threshold
        if tau is None:
            return len(self.cells) * scale
        return sum(times * cell_risk(c, tau, scale) for c, times in Counter(np.ravel(counts).tolist()).items())


def cell_risk(count: float, tau: float, scale: float) -> float:
    """E|count - released| of a cell with Laplace noise, set to 0 at tau or below."""
    t = tau - count
    tail = exp(-abs(t) / scale) / 2
    if count == 0:
        return (tau + scale) * tail
    if t >= 0:
        return (t + scale) * tail + count * (1 - tail)
    return scale - (abs(t) + scale) * tail + count * tail


class Margins(Mechanism):
    """How many of n records have each of k binary attributes (Hall 2012, Section 2.4.2).

    Args:
        attributes: k.
        records: n, for "minimax" alone.
        noise: "geometric" or "minimax", one count at a time at epsilon/k; or "cube": the K-norm mechanism of the cube
            [-1, 1]^k, which holds every change of one record, with half the risk of Laplace noise.

    Neighbours differ in one record. Proposition 2.4.5: no private method has a worst l_1 risk below
    k^2/(4000 epsilon) where n >= k/(4 epsilon) and epsilon <= k/4; printed without these conditions, which is false.
    """

    def __init__(self, attributes: int, records: int | None = None, *, epsilon: Any, noise: str = "geometric") -> None:
        super().__init__(epsilon=epsilon)
        if attributes < 1:
            raise InputError(f"attributes: {attributes} is below 1")
        if noise not in ("geometric", "minimax", "cube"):
            raise InputError(f"noise: {noise!r} is none of 'geometric', 'minimax', 'cube'")
        if (noise == "minimax") != (records is not None):
            raise InputError("records: their number is public and needed for the minimax method alone")
        self.attributes, self.records, self.noise_kind = attributes, records, noise
        share = self.epsilon / attributes
        self._one: GeometricCount | MinimaxCount | None = None
        if noise == "geometric":
            self._one = GeometricCount(epsilon=share)
        elif records is not None:
            self._one = MinimaxCount(records, epsilon=share)
        self._cube = Ball(attributes, "inf")

    @property
    def privacy(self) -> Privacy:
        """epsilon-DP, by composition or by Proposition 1.3.4."""
        if self._one is None:
            claim, sensitivity = "hall-2012:proposition-1.3.4", "1 in the gauge of the cube"
        else:
            claim, sensitivity = "hall-2012:proposition-1.2.4", f"1, of each of {self.attributes} counts"
        assumes = (IN_FLOATS,) if self._one is None else ()
        return Privacy(self.epsilon, "as many records, one of them replaced", sensitivity, claim=claim, assumes=assumes)

    def fit(self, data: Any) -> Array:
        """How many records have each attribute."""
        rows = table(data, columns=self.attributes)
        if not np.isin(rows, (0, 1)).all():
            raise InputError("data: an attribute is neither 0 nor 1")
        if self.records not in (None, len(rows)):
            raise InputError(f"data: {len(rows)} records, not {self.records}")
        return np.asarray(rows.sum(axis=0))

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """k numbers: whole ones, exactly drawn, or points of a lattice."""
        counts = self.fit(data)
        if self._one is None:
            return Release(self._cubic(counts, 1, generator(random_state))[0], self.privacy, "in floats")
        fair = Fair(random_state)
        return Release(np.array([self._one.noisy(int(c), fair) for c in counts]), self.privacy, "exactly")

    def _cubic(self, counts: Array, size: int, rng: np.random.Generator) -> Array:
        shape, rate = radius_law(self.attributes, float(self.epsilon))
        radius = rng.gamma(shape, 1 / rate, size)
        step = float(fine(1 / self.epsilon))
        return np.asarray(np.rint((counts + radius[:, None] * self._cube.draw(size, rng)) / step) * step)

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent releases."""
        return super().samples(data, size, rng) if self._one else self._cubic(self.fit(data), size, rng)

    def worst_pair(self) -> tuple[Any, Any]:
        """One record with no attribute, or with all."""
        rows = np.zeros((self.records or 1, self.attributes))
        return rows, np.vstack([rows[:-1], np.ones(self.attributes)])

    @property
    def risk(self) -> Fraction:
        """The worst expected l_1 error."""
        k = self.attributes
        return k * self._one.risk if self._one else Fraction(k * (k + 1), 2) / self.epsilon


def _label(cell: Any) -> Any:
    if isinstance(cell, np.generic):
        return cell.item()
    return tuple(map(_label, cell)) if isinstance(cell, tuple | list) else cell


def _joined(rows: list[Any], label: Any) -> Any:
    found = np.empty(len(rows) + 1, dtype=object)
    found[:] = [*rows, label]
    return found


def _threshold_of(given: Any, cells: int, epsilon: float) -> float | None:
    if given is None:
        return None
    if given == "sparse":
        return float(threshold(cells, epsilon))
    try:
        tau = float(given)
    except (TypeError, ValueError):
        raise InputError(f"threshold: {given!r} is neither a number nor 'sparse'") from None
    if not 0 <= tau < float("inf"):
        raise InputError(f"threshold: {given!r} is not a number from 0")
    return tau
