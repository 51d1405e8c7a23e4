"""Balls of the l_p norms, weighted, and ellipsoids."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from dpverify.errors import InputError
from dpverify.mahalanobis import sensitivity
from dpverify.mechanisms.bodies.body import Body, Vector, floats, plain, vectors
from dpverify.mechanisms.mechanism import Array, positive, rational

BITS, WORST = 128, 1e4


class Ball(Body):
    """`{x : ||w x||_p <= 1}` in R^d, for p from 1 to infinity and weights w > 0 (1 by default).

    Uniform points: for p = infinity each coordinate is uniform; else they are
    `(G_1, ..., G_d) / (sum |G_i|^p + E)^(1/p)`, G_i of density `exp(-|t|^p)` and E exponential (Barthe, Guédon,
    Mendelson and Naor 2005, Theorem 1).

    Raises:
        InputError: p is below 1, a weight is not positive.
    """

    def __init__(self, dimension: int, p: object = 2, weights: Any = None) -> None:
        self.dimension = dimension
        self.p: Fraction | None = None if p in (inf, "inf") else rational(plain(p), "p")
        if dimension < 1:
            raise InputError(f"dimension: {dimension} is below 1")
        if self.p is not None and self.p < 1:
            raise InputError(f"p: {self.p} is below 1, and the ball is not convex")
        given = (1,) * dimension if weights is None else tuple(weights)
        if len(given) != dimension:
            raise InputError(f"weights: {len(given)} numbers, not {dimension}")
        self.weights: Vector = tuple(positive(plain(w), "weights") for w in given)

    uniform = "exactly, from the law of its coordinates"

    def __repr__(self) -> str:
        return f"<the unit ball of l_{'inf' if self.p is None else self.p} in R^{self.dimension}>"

    @cached_property
    def covariance(self) -> list[list[Fraction]] | None:
        """S where the ball is {x' S^-1 x <= 1}, p = 2; else None."""
        if self.p != 2:
            return None
        size = range(self.dimension)
        return [[1 / self.weights[i] ** 2 if i == j else Fraction(0) for j in size] for i in size]

    def gauge(self, points: Array) -> Array:
        """||w x||_p of each row."""
        scaled = np.abs(points * np.array([float(w) for w in self.weights]))
        if self.p is None:
            return np.asarray(scaled.max(axis=1))
        return np.asarray((scaled ** float(self.p)).sum(axis=1) ** (1 / float(self.p)))

    def above(self, x: Vector) -> Fraction:
        """Exactly for p = 1 and infinity; else a rational above, within a relative 1e-12."""
        scaled = [abs(w * v) for w, v in zip(self.weights, x, strict=True)]
        if self.p is None:
            return max(scaled)
        if self.p == 1:
            return sum(scaled, Fraction(0))
        if self.p == 2:
            return sensitivity(None, [scaled]).upper
        former, ctx.prec = ctx.prec, BITS
        try:
            power = _ball(self.p)
            total = sum((_ball(v) ** power for v in scaled if v), arb(0))
            top = (total ** (1 / power)).upper().fmpq() if any(scaled) else fmpq(0)
        finally:
            ctx.prec = former
        return Fraction(int(top.p), int(top.q))

    def border(self) -> Vector:
        """On the first axis."""
        return (1 / self.weights[0], *(Fraction(0),) * (self.dimension - 1))

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Uniform points."""
        shape = (size, self.dimension)
        if self.p is None:
            points = rng.uniform(-1, 1, shape)
        else:
            p = float(self.p)
            sizes = rng.gamma(1 / p, size=shape)  # |G|^p
            total = sizes.sum(axis=1) + rng.exponential(size=size)
            points = rng.choice((-1.0, 1.0), shape) * (sizes / total[:, None]) ** (1 / p)
        return np.asarray(points / np.array([float(w) for w in self.weights]))


class Ellipsoid(Body):
    """`{x : x' S^-1 x <= 1}`, S symmetric and positive definite, in exact numbers.

    Raises:
        InputError: S is not.
    """

    uniform = "exactly, as a linear image of the ball"

    def __init__(self, covariance: Any) -> None:
        self.covariance = [list(row) for row in vectors(covariance, "covariance")]
        self.dimension = len(self.covariance)
        sensitivity(self.covariance, [(1,) * self.dimension])  # refuses what is not positive definite
        self.root = np.linalg.cholesky(floats([tuple(row) for row in self.covariance]))
        if np.linalg.cond(self.root) > WORST:
            raise InputError("covariance: too near to singular for floats; scale the coordinates to be alike")

    def __repr__(self) -> str:
        return f"<an ellipsoid in R^{self.dimension}>"

    def gauge(self, points: Array) -> Array:
        """(x' S^-1 x)^(1/2) of each row."""
        return np.asarray(np.sqrt((np.linalg.solve(self.root, points.T) ** 2).sum(axis=0)))

    def above(self, x: Vector) -> Fraction:
        """A rational above, within a relative 1e-12; exactly where the root is rational."""
        return sensitivity(self.covariance, [x]).upper

    def border(self) -> Vector:
        """On the first axis, just inside where its length is irrational."""
        axis = (Fraction(1), *(Fraction(0),) * (self.dimension - 1))
        return (1 / self.above(axis), *axis[1:])

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """Uniform points."""
        return np.asarray(Ball(self.dimension).draw(size, rng) @ self.root.T)


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
