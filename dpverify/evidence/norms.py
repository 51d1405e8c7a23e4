"""The squared norm q(v) = v' Sigma^-1 v in exact integers, and the least eigenvalue of Sigma."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm

from .refusal import require

LARGEST = 64
PLACES = 15

Vector = tuple[Fraction, ...]
Rows = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class Norm:
    """q(v) = v' Sigma^-1 v; `weights` are the inverse times `common`; for the identity there is neither."""

    size: int
    covariance: Rows | None
    weights: tuple[tuple[int, ...], ...]
    common: int

    @property
    def diagonal(self) -> tuple[Fraction, ...] | None:
        """The diagonal of Sigma^-1 where nothing else is in it."""
        if self.covariance is None:
            return (Fraction(1),) * self.size
        if any(w for i, row in enumerate(self.weights) for j, w in enumerate(row) if i != j):
            return None
        return tuple(Fraction(self.weights[i][i], self.common) for i in range(self.size))

    def squared(self, v: Vector) -> Fraction:
        """q(v)."""
        (whole,), unit = integers([v])
        return Fraction(inner(whole, self.image(whole)), self.common * unit**2)

    def image(self, v: Sequence[int]) -> tuple[int, ...]:
        """Sigma^-1 v, times `common`."""
        if self.covariance is None:
            return tuple(v)
        return tuple(inner(row, v) for row in self.weights)


def norm(covariance: Rows | None, size: int) -> Norm:
    """The norm that belongs to Sigma, of vectors of this size.

    Raises Refusal where Sigma does not fit, is not symmetric or not positive definite: by the pivots of its
    factors L D L', all of which are positive exactly then.
    """
    require(size <= LARGEST or covariance is None, f"a covariance beyond {LARGEST} x {LARGEST} is not taken here")
    if covariance is None:
        return Norm(size, None, (), 1)
    require(len(covariance) == size == len(covariance[0]), f"the covariance is not {size} x {size}")
    symmetric = all(covariance[i][j] == covariance[j][i] for i in range(size) for j in range(i))
    require(symmetric, "the covariance is not symmetric")
    require(all(p > 0 for p in pivots(covariance)), "the covariance is not positive definite")
    inverse = inverted(covariance)
    whole, common = integers(inverse)
    return Norm(size, covariance, tuple(whole), common)


def integers(rows: Iterable[Sequence[Fraction]]) -> tuple[list[tuple[int, ...]], int]:
    """The rows times their common denominator, and that."""
    rows = list(rows)
    common = lcm(*(x.denominator for row in rows for x in row))
    return [tuple(x.numerator * (common // x.denominator) for x in row) for row in rows], common


def inner(a: Sequence[int], b: Sequence[int]) -> int:
    """The inner product."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def pivots(rows: Rows) -> list[Fraction]:
    """The pivots D of the factors L D L' of a symmetric matrix, up to the first that is not positive.

    All are positive exactly where it is positive definite; a pivot 0 whose column is 0 too leaves it
    semidefinite, if those after it are, and another 0 makes it indefinite, which is told as -1.
    """
    rest, found = [list(row) for row in rows], []
    for k in range(len(rest)):
        pivot = rest[k][k]
        if pivot == 0 and any(rest[i][k] for i in range(k + 1, len(rest))):
            pivot = Fraction(-1)
        found.append(pivot)
        if pivot < 0:
            return found
        for i in range(k + 1, len(rest)) if pivot else ():
            factor = rest[i][k] / pivot
            for j in range(k, len(rest)) if factor else ():
                rest[i][j] -= factor * rest[k][j]
    return found


def inverted(rows: Rows) -> list[Vector]:
    """The inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(rows)
    both = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(rows)]
    for k in range(size):
        both[k] = [x / both[k][k] for x in both[k]]
        for i in range(size):
            factor = both[i][k]
            if i != k and factor:
                both[i] = [x - factor * y for x, y in zip(both[i], both[k], strict=True)]
    return [tuple(row[size:]) for row in both]


def below_eigenvalues(covariance: Rows, value: Fraction) -> bool:
    """Whether `value` is at most the least eigenvalue of Sigma: Sigma - value I is positive semidefinite."""
    lowered = [[x - (value if i == j else 0) for j, x in enumerate(row)] for i, row in enumerate(covariance)]
    return all(p >= 0 for p in pivots(lowered))


def least_eigenvalue(of: Norm) -> tuple[Fraction, Vector]:
    """A rational at most the least eigenvalue of Sigma, and a direction in which q is nearly largest: a search.

    The direction is found by power iteration with Sigma^-1, in which that eigenvalue is the largest; the value is
    the Rayleigh quotient's, lowered until Sigma less that multiple of the identity is positive semidefinite.
    """
    assert of.covariance is not None
    best = max(range(of.size), key=lambda i: of.weights[i][i])
    v = [int(i == best) * 10**PLACES + 1 for i in range(of.size)]
    for _ in range(400):
        image = of.image(v)
        largest = max(map(abs, image))
        fresh = [x * 10 ** (2 * PLACES) // largest for x in image]
        if max(abs(x - y) for x, y in zip(fresh, v, strict=True)) <= 10:
            break
        v = fresh
    direction = tuple(Fraction(x, 10 ** (2 * PLACES)) for x in v)
    simple = tuple(x.limit_denominator(1000) for x in direction)
    for tried in (simple, direction):
        length = sum((x * x for x in tried), Fraction(0))
        if not length:
            continue
        value = length / of.squared(tried)
        if below_eigenvalues(of.covariance, value):
            return value, tried
    for k in range(PLACES, 0, -1):
        lowered = round(value * (1 - Fraction(1, 10**k)) * 10 ** (PLACES + 3)) / Fraction(10 ** (PLACES + 3))
        if lowered > 0 and below_eigenvalues(of.covariance, lowered):
            return lowered, direction
    raise ArithmeticError("no bound on the least eigenvalue was found")


def square_root(value: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals around the square root, equal where it is one, else within a relative 1e-12."""
    p, q = isqrt(value.numerator), isqrt(value.denominator)
    if p * p == value.numerator and q * q == value.denominator:
        return Fraction(p, q), Fraction(p, q)
    size = (value.denominator.bit_length() - value.numerator.bit_length()) // 2 * 3 // 10 + 1  # decimal places
    unit = Fraction(10) ** (size + PLACES - 2)
    scaled = value * unit**2
    root = isqrt(scaled.numerator // scaled.denominator)
    return root / unit, (root + 1) / unit
