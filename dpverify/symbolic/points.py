"""Rational points at which a formula is tried: seeded random ones, extreme ones, and those on a boundary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

EXTREMES = (Fraction(1, 1000), Fraction(1000))
DIMENSIONS = (1, 1, 2, 3, 5)


@dataclass(frozen=True)
class Point:
    """Values of the free parameters, the dimension, and delta."""

    parameters: tuple[tuple[str, Fraction], ...]
    dimension: int
    delta: Fraction

    @property
    def names(self) -> dict[str, Fraction]:
        """Every name that a formula may use."""
        return {**dict(self.parameters), "d": Fraction(self.dimension), "delta": self.delta}


class Points:
    """Points for these parameters; those in `negative` are below 0, the others above."""

    def __init__(self, names: Sequence[str], negative: frozenset[str], dimension: int | None, seed: int = 0) -> None:
        self.names, self.negative, self.dimension = sorted(names), negative, dimension
        self.random = Random(seed)

    def drawn(self) -> Iterator[Point]:
        """Without end; parameters and delta from 1/10 to 10, short, and as often small as large."""
        while True:
            yield self._point({n: self._short() for n in self.names}, self._short())

    def extreme(self) -> list[Point]:
        """Every parameter, and delta, at 1/1000 or at 1000."""
        corners = list(product(EXTREMES, repeat=len(self.names) + 1))
        self.random.shuffle(corners)
        return [self._point(dict(zip(self.names, c, strict=False)), c[-1]) for c in corners[:4]]

    def boundary(self, name: str, value: Fraction) -> Point:
        """A drawn point with one parameter put where a condition on it becomes an equality."""
        found = next(self.drawn())
        return Point(tuple((n, value if n == name else v) for n, v in found.parameters), found.dimension, found.delta)

    def _short(self) -> Fraction:
        return max(Fraction(10 ** self.random.uniform(-1, 1)).limit_denominator(12), Fraction(1, 12))

    def _point(self, values: dict[str, Fraction], delta: Fraction) -> Point:
        signed = tuple((n, -v if n in self.negative else v) for n, v in values.items())
        dimension = self.random.choice(DIMENSIONS) if self.dimension is None else self.dimension
        return Point(signed, dimension, delta)
