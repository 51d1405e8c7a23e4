"""Scores of where an output lies: coordinates, projections, distances, and what is learned from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpverify.audit.scores.score import Array, Floats, shown
from dpverify.sampling.elliptical import squares


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of the output."""

    kind: ClassVar[str] = "coordinate"
    index: int

    @property
    def text(self) -> str:
        return f"x[{self.index}]"

    def __call__(self, x: Array) -> Array:
        return x[:, self.index]


@dataclass(frozen=True)
class Linear:
    """weights . x, the linear discriminant of the two outputs."""

    kind: ClassVar[str] = "linear"
    weights: Floats

    @property
    def text(self) -> str:
        return f"{shown(self.weights)} . x"

    def __call__(self, x: Array) -> Array:
        return np.asarray(x @ np.asarray(self.weights))


@dataclass(frozen=True)
class Distance:
    """|A (x - centre)|: the norm where A is the identity, a Mahalanobis distance where A'A inverts a covariance."""

    kind: ClassVar[str] = "distance"
    centre: Floats
    whitening: tuple[Floats, ...] | None = None

    @property
    def text(self) -> str:
        where = "x" if not any(self.centre) else f"x - {shown(self.centre)}"
        return f"|{where}|" if self.whitening is None else f"|A ({where})|, A the whitening of the pilot"

    def __call__(self, x: Array) -> Array:
        centred = x - np.asarray(self.centre)
        return np.sqrt(squares(centred if self.whitening is None else centred @ np.asarray(self.whitening).T))


@dataclass(frozen=True)
class Learned:
    """A logistic regression on coordinates, distances and their logarithms, fitted to a pilot.

    For elliptical noise of any kind the log likelihood ratio is a function of the distances from the
    two centres, and for noise in independent coordinates of the distances in each; both, and their
    logarithms, are among the features. Where it is `radial`, the distances from the two centres are all.
    """

    kind: ClassVar[str] = "learned"
    centres: tuple[Floats, Floats]
    scales: Floats
    coefficients: Floats
    radial: bool = False

    @property
    def text(self) -> str:
        return f"logistic regression on {len(self.coefficients)} features of x (dpverify.audit.scores.features)"

    def __call__(self, x: Array) -> Array:
        found = features(x, self.centres, self.scales, self.radial)
        return np.asarray(sum(c * column for c, column in zip(self.coefficients, found, strict=True)))


PER_COORDINATE = 12


def features(x: Array, centres: tuple[Floats, Floats], scales: Floats, radial: bool = False) -> list[Array]:
    """The columns that `Learned` weighs: x, and for each centre |x - c| and its logarithms, whole and by coordinate."""
    unit = np.asarray(scales)
    columns = [] if radial else list((x / unit).T)
    for centre in centres:
        away = (x - np.asarray(centre)) / unit
        square = np.einsum("ij,ij->i", away, away)
        length = np.sqrt(square)
        columns += [length, square, np.sqrt(1 + square), *(np.log(c + square) for c in (0.1, 1.0, 10.0))]
        if not radial and 1 < x.shape[1] <= PER_COORDINATE:
            columns += [part for c in away.T for part in (np.abs(c), np.log1p(c * c))]
    return columns
