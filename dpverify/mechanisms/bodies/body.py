"""What the K-norm mechanism needs of a symmetric convex body K: its gauge, uniform points, chords."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.bodies.walks import walk
from dpverify.mechanisms.mechanism import Array, rational

Vector = tuple[Fraction, ...]


class Body(ABC):
    """A convex body K = -K in R^d with the origin inside; its gauge `||x||_K = min {t >= 0 : x in t K}` is a norm.

    `uniform` says how uniform points are drawn. Bodies of one's own need `gauge`, `above`, `border` and, where they
    do not override `draw`, `chord` for hit and run.
    """

    dimension: int
    uniform = "hit and run"

    @abstractmethod
    def gauge(self, points: Array) -> Array:
        """`||x||_K` of each row, in floats."""

    @abstractmethod
    def above(self, x: Vector) -> Fraction:
        """`||x||_K` exactly, or a rational just above it where it is irrational."""

    @abstractmethod
    def border(self) -> Vector:
        """A point of the border, `||x||_K = 1`, or just inside."""

    def chord(self, point: Array, direction: Array) -> tuple[float, float]:
        """The t <= 0 and t >= 0 at which point + t direction leaves K, for a point inside."""
        raise InputError(f"{type(self).__name__}: hit and run needs a method `chord`")

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Uniform points of K, one a row."""
        return walk(self.chord, self.dimension, size, rng).points

    @property
    def sampled_exactly(self) -> bool:
        """Whether `draw` is uniform but for the rounding of floats."""
        return self.uniform != "hit and run"


def vectors(given: Any, name: str) -> tuple[Vector, ...]:
    """Rows of exact numbers of one length; a float is the decimal that it prints as.

    Raises:
        InputError: they are none.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{name}: rows of numbers are expected")
    rows = []
    for i, row in enumerate(given, start=1):
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise InputError(f"{name}: row {i} is not a list of numbers")
        rows.append(tuple(rational(plain(x), f"{name}, row {i}") for x in row))
        if not rows[-1] or len(rows[-1]) != len(rows[0]):
            raise InputError(f"{name}: row {i} has {len(rows[-1])} numbers, not {len(rows[0])}")
    if not rows:
        raise InputError(f"{name}: there are none")
    return tuple(rows)


def plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def floats(rows: Sequence[Vector]) -> Array:
    """Exact rows in floats."""
    return np.array([[float(x) for x in row] for row in rows])


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """The inner product, exactly."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
