"""Zonotopes: sums of segments, which fall into parallelepipeds without overlap."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from dpverify.errors import InputError
from dpverify.mechanisms.bodies.body import Body, Vector, dot, floats, vectors
from dpverify.mechanisms.mechanism import Array

MOST = 100_000
"""Parallelepipeds, or facets."""


class Zonotope(Body):
    """`{sum c_j g_j : |c_j| <= 1}` for generators g_j that span R^d.

    Uniform points: K falls into one parallelepiped for each basis B of generators, of volume `2^d |det B|` (Shephard
    1974). Heights h_j in general position say where it lies: with u solving B' u = h_B, the coefficient of another
    generator is 1 where h_j < u . g_j, else -1. The gauge is `max |n . x| / sum_j |n . g_j|` over the normals n of
    d - 1 generators, in rationals.

    Raises:
        InputError: the generators lie in a plane, or K falls into more than 100,000 pieces.
    """

    uniform = "exactly, by parallelepipeds"

    def __init__(self, generators: Any) -> None:
        self.generators = vectors(generators, "generators")
        self.dimension = d = len(self.generators[0])
        k = len(self.generators)
        if max(comb(k, d), comb(k, d - 1)) > MOST:
            raise InputError(f"generators: {k} in R^{d} make more than {MOST} pieces; give fewer")
        self._normals = self._facets()
        if fmpq_mat(k, d, [_fmpq(x) for g in self.generators for x in g]).rank() < d:
            raise InputError("generators: they lie in a plane, and the body has no volume; leave out a coordinate")
        g = floats(self.generators)
        heights = np.random.default_rng(0).standard_normal(k)  # any in general position; no data here
        bases = np.array(list(combinations(range(k), d)))
        volumes = np.abs(np.linalg.det(g[bases]))
        bases = bases[volumes > 1e-12 * volumes.max()]
        self._bases, shares = g[bases], np.abs(np.linalg.det(g[bases]))
        u = np.linalg.solve(self._bases, heights[bases][..., None])[..., 0]
        signs = np.where(heights < u @ g.T, 1.0, -1.0)
        np.put_along_axis(signs, bases, 0.0, axis=1)
        self._centres, self._shares = signs @ g, shares / shares.sum()

    def __repr__(self) -> str:
        return f"<a zonotope of {len(self.generators)} generators in R^{self.dimension}>"

    def _facets(self) -> tuple[Vector, ...]:
        """Normals n with max n . x = 1 on K, one of each two mirror images."""
        found = dict[Vector, None]()
        for chosen in combinations(self.generators, self.dimension - 1):
            normal = _normal(chosen, self.dimension)
            if normal is None:
                continue
            width = sum((abs(dot(normal, g)) for g in self.generators), Fraction(0))
            if width:
                scaled = tuple(x / width for x in normal)
                found[max(scaled, tuple(-x for x in scaled))] = None
        return tuple(found)

    def gauge(self, points: Array) -> Array:
        """max |n . x| over the facets, for each row."""
        return np.asarray(np.abs(points @ floats(self._normals).T).max(axis=1))

    def above(self, x: Vector) -> Fraction:
        """||x||_K, exactly."""
        return max(abs(dot(n, x)) for n in self._normals)

    def border(self) -> Vector:
        """A vertex: the farthest sum in the direction of a generator's own."""
        first = self.generators[0]
        corner = (Fraction(0),) * self.dimension
        for g in self.generators:
            sign = 1 if dot(g, first) >= 0 else -1
            corner = tuple(c + sign * x for c, x in zip(corner, g, strict=True))
        norm = self.above(corner)
        return tuple(c / norm for c in corner)

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Uniform points."""
        piece = rng.choice(len(self._shares), size=size, p=self._shares)
        within = np.einsum("si,sij->sj", rng.uniform(-1, 1, (size, self.dimension)), self._bases[piece])
        return np.asarray(self._centres[piece] + within)


def _normal(rows: tuple[Vector, ...], d: int) -> Vector | None:
    """A vector orthogonal to d - 1 rows, by minors; None where they are dependent."""
    if d == 1:
        return (Fraction(1),)
    table = [[_fmpq(x) for x in row] for row in rows]
    minors = []
    for j in range(d):
        part = fmpq_mat(d - 1, d - 1, [x for row in table for i, x in enumerate(row) if i != j])
        minor = part.det() * (-1) ** j
        minors.append(Fraction(int(minor.p), int(minor.q)))
    return tuple(minors) if any(minors) else None


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
