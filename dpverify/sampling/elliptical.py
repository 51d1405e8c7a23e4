"""Elliptical noise as a distribution: rvs, pdf and logpdf in the manners of scipy.stats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import lgamma, log, pi, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.language import parse_rational
from dpverify.sampling.density import Array, log_density
from dpverify.sampling.families import Mixture, Radial, representation
from dpverify.sampling.radius import RadialLaw

SeedLike = int | np.random.Generator | np.random.RandomState | np.random.SeedSequence | None


class EllipticalNoise:
    """The law on R^d with density proportional to f((x - loc)' Sigma^-1 (x - loc) / scale^2).

    Args:
        generator: a Generator, the name of a catalogue family, or f as text.
        dimension: d (default: the Generator's own, or 1).
        scale: sigma > 0.
        loc: the centre, a number or d numbers.
        covariance: S, positive definite, d x d (the identity by default).
        **parameters: the generator's parameters, where it is given by name or as text.

    The draws are floating-point numbers, to simulate and to plan with. They are not for release: the low bits
    of loc + noise tell something of loc, and no certificate speaks of them. `sampling.exact.ExactNoise` is.
    Catalogue families are drawn from their own representations, any other generator by inverting its radial law.

    Raises InputError for what cannot be a density.

    >>> noise = EllipticalNoise("student_t", 2, parameters={"nu": 3})
    >>> noise.rvs(size=4, random_state=1).shape
    (4, 2)
    """

    def __init__(
        self,
        generator: str | Generator,
        dimension: int | None = None,
        *,
        parameters: Mapping[str, object] | None = None,
        scale: object = 1,
        loc: ArrayLike = 0.0,
        covariance: ArrayLike | None = None,
    ) -> None:
        if not isinstance(generator, Generator):
            generator = Generator(generator, 1 if dimension is None else dimension, parameters)
        elif parameters or dimension not in (None, generator.dimension):
            raise InputError("a Generator carries its own dimension and parameters; do not give them again")
        self.generator = generator
        self.dimension = d = generator.dimension
        self.scale = float(scale) if isinstance(scale, float) else float(parse_rational(scale, "the scale"))
        if not 0 < self.scale < np.inf:
            raise InputError(f"the scale must be a positive number, not {scale}")
        self.loc = _vector(loc, d, "loc")
        self.factor = None if covariance is None else _cholesky(covariance, d)
        self._log_f = log_density(generator.expression)
        self._exact = representation(generator)

    @cached_property
    def radial_law(self) -> RadialLaw:
        """The law of the whitened radius ||Sigma^(-1/2) (X - loc)|| / scale."""
        return RadialLaw.of(self._log_f, self.dimension)

    @cached_property
    def _representation(self) -> Mixture | Radial:
        return self._exact or Radial(self.radial_law.rvs)

    def log_f(self, y: ArrayLike) -> Array:
        """log f(y), unnormalised, at squares of whitened radii, of any shape."""
        return self._log_f(np.asarray(y, dtype=np.float64))

    def draw(self, size: int, rng: np.random.Generator) -> Array:
        """`size` independent points as an array size x d whose columns are contiguous."""
        columns = rng.standard_normal((self.dimension, size))
        match self._representation:
            case Mixture(factor=None):
                pass
            case Mixture(factor=factor) if factor is not None:
                columns *= factor(size, rng)
            case Radial(radius=radius):
                columns *= radius(size, rng) / np.maximum(np.sqrt(squares(columns.T)), np.finfo(float).tiny)
        if self.scale != 1:
            columns *= self.scale
        if self.factor is not None:
            columns = self.factor @ columns
        if self.loc.any():
            columns += self.loc[:, None]
        return columns.T

    def rvs(self, size: int | tuple[int, ...] = 1, random_state: SeedLike = None) -> Array:
        """Draw points, of shape size x d; axes of length one are left out as in scipy.stats.

        Args:
            size: how many, or a shape.
            random_state: an integer seed, a numpy Generator or RandomState, or None for a fresh one.
        """
        shape = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
        if any(n < 0 for n in shape):
            raise InputError(f"size must not be negative, but is {size}")
        points = self.draw(prod(shape), generator_of(random_state)).reshape(*shape, self.dimension)
        last = () if self.dimension == 1 else (self.dimension,)
        return points.reshape((() if shape == (1,) else shape) + last)[()]

    def logpdf(self, x: ArrayLike) -> Array:
        """The logarithm of the density at points of shape (..., d), or (...) where d = 1."""
        points = np.asarray(x, dtype=np.float64)
        if self.dimension == 1 and (points.ndim == 0 or points.shape[-1] != 1):
            points = points[..., None]
        if points.shape[-1] != self.dimension:
            raise InputError(f"points have {points.shape[-1]} coordinates, the noise has {self.dimension}")
        whitened = self._whiten(points - self.loc)
        return np.asarray(self._log_f(squares(whitened)) - self._log_constant)[()]

    def pdf(self, x: ArrayLike) -> Array:
        """The density at points of shape (..., d), or (...) where d = 1."""
        return np.exp(self.logpdf(x))

    def __repr__(self) -> str:
        return f"<EllipticalNoise {self.generator!r}, scale={self.scale:g}>"

    def _whiten(self, centred: Array) -> Array:
        if self.factor is not None:
            from scipy.linalg import solve_triangular

            flat = centred.reshape(-1, self.dimension).T
            centred = solve_triangular(self.factor, flat, lower=True).T.reshape(centred.shape)
        return centred / self.scale

    @cached_property
    def _log_constant(self) -> float:
        """log of the integral of f((x - loc)' Sigma^-1 (x - loc) / scale^2) over R^d."""
        d = self.dimension
        sphere = log(2) + d / 2 * log(pi) - lgamma(d / 2)
        volume = 0.0 if self.factor is None else float(np.log(np.diag(self.factor)).sum())
        return sphere + self.radial_law.log_normaliser + d * log(self.scale) + volume


def squares(x: Array) -> Array:
    """Squared Euclidean lengths along the last axis."""
    return np.asarray(np.einsum("...i,...i->...", x, x))


def generator_of(random_state: SeedLike) -> np.random.Generator:
    """The numpy Generator that scipy's `random_state` stands for; the same seed gives the same draws."""
    if isinstance(random_state, np.random.RandomState):
        bits: Any = random_state._bit_generator  # type: ignore[attr-defined]
        return np.random.Generator(bits)
    return np.random.default_rng(random_state)


def _vector(value: ArrayLike, d: int, what: str) -> Array:
    vector = np.asarray(value, dtype=np.float64)
    if vector.shape not in ((), (1,), (d,)) or not np.isfinite(vector).all():
        raise InputError(f"{what} must be a number or {d} numbers, all finite")
    return np.broadcast_to(vector, (d,)).copy()


def _cholesky(covariance: ArrayLike, d: int) -> Array:
    matrix = np.asarray(covariance, dtype=np.float64)
    if matrix.shape != (d, d):
        raise InputError(f"the covariance must be {d} x {d}, but has shape {matrix.shape}")
    if not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0):
        raise InputError("the covariance must be finite and symmetric")
    try:
        return np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise InputError("the covariance must be positive definite") from None
