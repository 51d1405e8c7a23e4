"""A kernel of rank 3 on three points, in rationals: eigenfunctions, eigenvalues, coordinates."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq_mat

from dpverify.enclosures.ball import exact

Vector = tuple[Fraction, ...]

PSI: tuple[Vector, ...] = tuple(tuple(Fraction(x, 3) for x in row) for row in ((1, 2, 2), (2, 1, -2), (2, -2, 1)))
ROOTS = (Fraction(3), Fraction(2), Fraction(1, 2))
LAMBDA: Vector = tuple(r * r for r in ROOTS)
FUNCTIONS: tuple[Vector, ...] = tuple(tuple(map(Fraction, f)) for f in ((1, 0, 0), (1, 2, -1), (0, 3, 5), (2, 2, 2)))
KERNEL = tuple(
    tuple(sum((w * p[i] * p[j] for w, p in zip(LAMBDA, PSI, strict=True)), Fraction(0)) for j in range(3))
    for i in range(3)
)


def dot(a: Vector, b: Vector) -> Fraction:
    """The inner product of two vectors."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def theta(f: Vector) -> Vector:
    """The coordinates of f."""
    return tuple(dot(f, psi) for psi in PSI)


def function(coordinates: Vector) -> Vector:
    """The function with these first coordinates, the others being 0."""
    return tuple(sum((c * psi[x] for c, psi in zip(coordinates, PSI, strict=False)), Fraction(0)) for x in range(3))


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def inner(f: Vector, g: Vector) -> Fraction:
    """<f, g> in H(K): f' K^-1 g, solved exactly."""
    table = fmpq_mat(3, 3, [exact(x) for row in KERNEL for x in row])
    column = table.solve(fmpq_mat(3, 1, [exact(x) for x in g]))
    return dot(f, tuple(Fraction(int(column[i, 0].p), int(column[i, 0].q)) for i in range(3)))
