"""Symmetric polytopes, by vertices or by half-spaces: qhull finds the facets, rationals prove the gauge."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from scipy.spatial import ConvexHull, QhullError

from dpverify.errors import InputError
from dpverify.mechanisms.bodies.body import Body, Vector, dot, floats, vectors
from dpverify.mechanisms.mechanism import Array, positive

MOST_SIMPLICES, DEEPEST, FEW = 200_000, 9, 4
REFUSED = "the K-norm mechanism needs a symmetric body; Polytope.symmetrised gives (K - K)/2"


class Polytope(Body):
    """The hull of `vertices`, or `{x : a_i . x <= b_i}` for `normals` a_i and `offsets` b_i (1 by default), symmetric.

    Up to dimension 9 the border is cut into simplices, so that K falls into cones over them: one is chosen by its
    volume, and a point of it is drawn from a Dirichlet law. Beyond, half-spaces are sampled by hit and run.

    The gauge is exact. For half-spaces it is max a_i . x / b_i. For vertices x is written, in rationals, as a sum of
    the vertices of one simplex with weights >= 0, whose sum bounds `||x||_K`; and a facet whose normal was checked
    against all vertices shows that it is no less.

    Raises:
        InputError: K is flat, unbounded, not symmetric, or of too many facets.
    """

    def __init__(self, vertices: Any = None, *, normals: Any = None, offsets: Any = None) -> None:
        if (vertices is None) == (normals is None):
            raise InputError("polytope: give either vertices or normals")
        if vertices is not None:
            self.vertices = _symmetric(vectors(vertices, "vertices"), "vertices")
            self.dimension = len(self.vertices[0])
            self._given = self.vertices
        else:
            self._given = _symmetric(_scaled(normals, offsets), "normals, each divided by its offset,")
            self.dimension = len(self._given[0])
            self.vertices = ()
        self.by_vertices = vertices is not None
        if self.by_vertices and self.dimension > DEEPEST and len(self.vertices) > FEW * self.dimension:
            raise InputError(f"vertices: their hull in R^{self.dimension} is out of reach; give its half-spaces")
        if self.by_vertices or self.dimension <= DEEPEST:
            self._facets, simplices = _hull(self._given)
            if self.by_vertices:
                self._simplices = simplices
            else:  # the polar body's facets are the vertices
                self.vertices = self._facets
                self._simplices = _hull(self.vertices)[1]
            corners = floats(self.vertices)[np.array(self._simplices)]
            volumes = np.abs(np.linalg.det(corners))
            self._corners, self._shares = corners, volumes / volumes.sum()
            self.uniform = "exactly, by cones over the simplices of its border"
        self._normals = floats(self._facets if self.by_vertices else self._given)

    def __repr__(self) -> str:
        return f"<a polytope in R^{self.dimension} with {len(self._normals)} facets>"

    @classmethod
    def symmetrised(cls, vertices: Any) -> Polytope:
        """(K - K)/2 for the hull K of the vertices, symmetric or not: where all outputs lie in K, Delta is 2 in it."""
        rows = vectors(vertices, "vertices")
        halves = {tuple((a - b) / 2 for a, b in zip(v, w, strict=True)) for v, w in product(rows, rows)}
        return cls(_extreme([v for v in halves if any(v)]))

    def gauge(self, points: Array) -> Array:
        """max over the facets of a . x, for each row."""
        return np.asarray((points @ self._normals.T).max(axis=1))

    def above(self, x: Vector) -> Fraction:
        """||x||_K, exactly."""
        if not any(x):
            return Fraction(0)
        if not self.by_vertices:
            return max(dot(a, x) for a in self._given)
        norm = max(dot(a, x) for a in self._facets)
        at = np.array([float(v) for v in x])
        for simplex in np.argsort(-np.linalg.solve(self._corners.transpose(0, 2, 1), at[:, None])[..., 0].min(axis=1)):
            weights = _solved([self.vertices[i] for i in self._simplices[simplex]], x)
            if weights is not None and min(weights) >= 0:
                if sum(weights) != norm:
                    break
                return norm
        raise InputError("vertices: the hull's facets were not found exactly; give the polytope by its half-spaces")

    def border(self) -> Vector:
        """A vertex; for half-spaces without known vertices, on the first axis."""
        if self.vertices:
            return self.vertices[0]
        axis = (Fraction(1), *(Fraction(0),) * (self.dimension - 1))
        return (1 / self.above(axis), *axis[1:])

    def chord(self, point: Array, direction: Array) -> tuple[float, float]:
        """Where the half-spaces end."""
        slack, speed = 1 - self._normals @ point, self._normals @ direction
        return float((slack[speed < 0] / speed[speed < 0]).max()), float((slack[speed > 0] / speed[speed > 0]).min())

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Uniform points."""
        if not self.sampled_exactly:
            return super().draw(size, rng)
        chosen = self._corners[rng.choice(len(self._shares), size=size, p=self._shares)]
        weights = rng.dirichlet(np.ones(self.dimension + 1), size)[:, 1:]
        return np.asarray(np.einsum("si,sij->sj", weights, chosen))


def _symmetric(points: tuple[Vector, ...], what: str) -> tuple[Vector, ...]:
    found = set(points)
    for v in points:
        if tuple(-x for x in v) not in found:
            raise InputError(f"{what} hold ({', '.join(map(str, v))}) without its mirror image: {REFUSED}")
    return tuple(sorted(found))


def _scaled(normals: Any, offsets: Any) -> tuple[Vector, ...]:
    rows = vectors(normals, "normals")
    given = (1,) * len(rows) if offsets is None else tuple(offsets)
    if len(given) != len(rows):
        raise InputError(f"offsets: {len(given)} numbers for {len(rows)} normals")
    return tuple(tuple(x / positive(b, "offsets") for x in a) for a, b in zip(rows, given, strict=True))


def _hull(points: tuple[Vector, ...]) -> tuple[tuple[Vector, ...], list[tuple[int, ...]]]:
    """Of the points' hull: the exact normals with a . x <= 1 on it, and simplices that make up its border."""
    if len(points[0]) == 1:
        top = max(range(len(points)), key=lambda i: points[i][0])
        least = min(range(len(points)), key=lambda i: points[i][0])
        if points[top][0] <= 0:
            raise InputError("polytope: it is a point")
        return ((1 / points[top][0],), (1 / points[least][0],)), [(top,), (least,)]
    try:
        hull = ConvexHull(floats(points), qhull_options="Qt")
    except (QhullError, ValueError):
        raise InputError("polytope: it is flat or unbounded, and has no volume; leave out a coordinate") from None
    if len(hull.simplices) > MOST_SIMPLICES:
        raise InputError(f"polytope: {len(hull.simplices)} simplices on its border, more than {MOST_SIMPLICES}")
    normals, simplices = dict[Vector, None](), list[tuple[int, ...]]()
    for simplex in hull.simplices.tolist():
        columns = [points[i] for i in simplex]
        normal = _solved([tuple(v[j] for v in columns) for j in range(len(columns))], (Fraction(1),) * len(columns))
        if normal is None:
            continue  # without volume
        simplices.append(tuple(simplex))
        normals[normal] = None
    if any(dot(a, v) > 1 for a in normals for v in points):
        raise InputError("polytope: its corners are too near each other to tell its facets; give rounder numbers")
    return tuple(normals), simplices


def _solved(columns: list[Vector], right: Vector) -> Vector | None:
    """The weights w with sum w_i columns_i = right; None where there is no one solution."""
    d = len(columns)
    matrix = fmpq_mat(
        d, d, [fmpq(columns[j][i].numerator, columns[j][i].denominator) for i in range(d) for j in range(d)]
    )
    try:
        solved = matrix.solve(fmpq_mat(d, 1, [fmpq(x.numerator, x.denominator) for x in right]))
    except ZeroDivisionError:
        return None
    return tuple(Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(d))


def _extreme(points: list[Vector]) -> list[Vector]:
    """The corners of the hull, and their mirror images: those of a symmetric set."""
    simplices = _hull(tuple(points))[1]
    corners = {points[i] for simplex in simplices for i in simplex}
    return sorted(corners | {tuple(-x for x in v) for v in corners})
