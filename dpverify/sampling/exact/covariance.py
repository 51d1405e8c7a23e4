"""A square root of Sigma from its exact factors Sigma = L D L': A = L D^(1/2), so that A A' = Sigma.

The noise is spherical before it is multiplied, so that any A with A A' = Sigma gives it the same law.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpverify.errors import InputError
from dpverify.sampling.exact.lattice import exact_pair

MOST = 1000


@dataclass(frozen=True, slots=True)
class Factors:
    """L, unit lower triangular, by rows up to the diagonal, which is left out; and the pivots D > 0."""

    lower: tuple[tuple[Fraction, ...], ...]
    pivots: tuple[Fraction, ...]

    def sizes(self) -> tuple[Fraction, Fraction]:
        """About the square of the smallest and of the largest standard deviation of a coordinate at scale 1."""
        rows = [
            sum((x * x * d for x, d in zip(row, self.pivots, strict=False)), self.pivots[i])
            for i, row in enumerate(self.lower)
        ]
        return min(self.pivots), max(rows)


def rational_rows(covariance: Iterable[Iterable[object]], dimension: int) -> list[list[Fraction]]:
    """Sigma as exact numbers; raises InputError where it is not symmetric or not d x d."""
    rows = [[Fraction(*exact_pair(x, "the covariance")) for x in _row(row)] for row in covariance]
    if len(rows) != dimension or any(len(row) != dimension for row in rows):
        raise InputError(f"the covariance must be {dimension} x {dimension}")
    if dimension > MOST:
        raise InputError(f"the covariance: more than {MOST} rows; give a smaller one, or none")
    if any(rows[i][j] != rows[j][i] for i in range(dimension) for j in range(i)):
        raise InputError("the covariance is not symmetric")
    return rows


def _row(row: Iterable[object]) -> Iterable[object]:
    if isinstance(row, str) or not isinstance(row, Iterable):
        raise InputError("the covariance: rows of exact numbers are expected")
    return row


def factors(rows: Sequence[Sequence[Fraction]]) -> Factors:
    """The exact LDL' factors of a symmetric Sigma; raises InputError where it is not positive definite."""
    lower: list[tuple[Fraction, ...]] = []
    pivots: list[Fraction] = []
    for i, row in enumerate(rows):
        found: list[Fraction] = []
        for j in range(i):
            inner = sum((found[k] * lower[j][k] * pivots[k] for k in range(j)), Fraction(0))
            found.append((row[j] - inner) / pivots[j])
        pivot = row[i] - sum((x * x * d for x, d in zip(found, pivots, strict=True)), Fraction(0))
        if pivot <= 0:
            raise InputError(f"the covariance is not positive definite: pivot {i + 1} of its LDL' factors is {pivot}")
        lower.append(tuple(found))
        pivots.append(pivot)
    return Factors(tuple(lower), tuple(pivots))
