"""Scores of how floating point represents an output: low bits, significant bits, decimals, lattices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpverify.audit.scores.score import Array


@dataclass(frozen=True)
class Valuation:
    """The largest k such that x[index] - origin is a multiple of 2^k; the least over all coordinates without index."""

    kind: ClassVar[str] = "valuation"
    index: int | None
    origin: float = 0.0

    @property
    def text(self) -> str:
        what = "every x" if self.index is None else f"x[{self.index}]"
        moved = f" - {self.origin!r}" if self.origin else ""
        return f"the largest k such that {what}{moved} is a multiple of 2^k"

    def __call__(self, x: Array) -> Array:
        if self.index is None:
            return np.asarray(_valuation(x - self.origin).min(axis=1))
        return _valuation(x[:, self.index] - self.origin)


@dataclass(frozen=True)
class Significant:
    """The significant bits of x[index] - origin, as few as the rounding of a sum in double precision leaves open.

    Noise in single precision has at most 24 of them around its centre, noise in half precision 11; around another
    centre most sums have more.
    """

    kind: ClassVar[str] = "significant"
    index: int
    origin: float

    @property
    def text(self) -> str:
        moved = f" - {self.origin!r}" if self.origin else ""
        return f"the number of significant bits of x[{self.index}]{moved}"

    def lowest(self, x: Array) -> Array:
        """The exponent of the lowest bit of x[index] - origin that rounding does not explain; NaN if not finite."""
        sums = x[:, self.index]
        away = np.where(np.isfinite(sums), sums - self.origin, 0.0)
        largest = np.frexp(np.maximum(np.maximum(np.abs(away), np.abs(sums)), abs(self.origin)))[1]
        unit = largest - 53
        whole = np.rint(np.ldexp(away, -unit))
        found = np.max([_valuation(whole + error) for error in (-1, 0, 1)], axis=0) + unit
        return np.where(np.isfinite(sums), found, np.nan)

    def __call__(self, x: Array) -> Array:
        lowest = self.lowest(x)
        highest = np.frexp(x[:, self.index] - self.origin)[1]
        return np.where(np.isnan(lowest), np.nan, np.maximum(highest - lowest, 0.0))


@dataclass(frozen=True)
class Fineness:
    """By how many bits x[index] is finer than any sum of the origin and a double as large as x[index] - origin.

    Such a sum is a multiple of the lowest bits of both, and rounding does not make it finer. Around another centre
    the noise of this output is nearer to zero, where its bits are finer.
    """

    kind: ClassVar[str] = "fineness"
    index: int
    origin: float

    @property
    def text(self) -> str:
        return f"the number of bits by which x[{self.index}] is finer than {self.origin!r} plus a double"

    def __call__(self, x: Array) -> Array:
        column = x[:, self.index]
        finest = np.minimum(np.frexp(column - self.origin)[1] - 53, _valuation(np.array(self.origin)))
        return np.maximum(finest - _valuation(column), 0.0)


def _valuation(x: Array) -> Array:
    """The exponent of the lowest bit that is set; 2000 for zero, NaN for what is not finite."""
    finite = np.isfinite(x)
    mantissa, exponent = np.frexp(np.where(finite, x, 0.0))
    bits = np.abs(mantissa * 2.0**53).astype(np.int64)
    lowest = np.log2((bits & -bits).astype(np.float64), where=bits != 0, out=np.full(x.shape, 2053.0))
    return np.where(finite, np.where(bits != 0, exponent - 53 + lowest, 2000.0), np.nan)


@dataclass(frozen=True)
class Decimals:
    """How many decimals x[index] is written with, 16 for more than 15, NaN for what is not finite."""

    kind: ClassVar[str] = "decimals"
    index: int

    @property
    def text(self) -> str:
        return f"the number of decimals of x[{self.index}]"

    def __call__(self, x: Array) -> Array:
        column = x[:, self.index]
        found = np.full(column.shape, 16.0)
        open_rows = np.arange(len(column))
        for places in range(16):
            rest = column[open_rows]
            written = np.round(rest, places) == rest
            found[open_rows[written]] = places
            open_rows = open_rows[~written]
        return np.where(np.isfinite(column), found, np.nan)


@dataclass(frozen=True)
class Lattice:
    """How far x[index] lies from the lattice origin + step * Z, in steps."""

    kind: ClassVar[str] = "lattice"
    index: int
    origin: float
    step: float

    @property
    def text(self) -> str:
        return f"the distance of x[{self.index}] from {self.origin!r} + {self.step!r} Z, in steps"

    def __call__(self, x: Array) -> Array:
        position = (x[:, self.index] - self.origin) / self.step
        return np.abs(position - np.rint(position))
