"""Reproducing kernels K(x, y) on T in R^d: the space that a function is measured in, and the covariance of its noise.

The norm of H(K) is what sensitivity is counted in (Hall 2012, Section 3.2), so a rougher K admits more functions and
makes rougher noise. Points are rows of an array m x d.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from dpverify.errors import InputError
from dpverify.mechanisms.mechanism import Array, positive


class Kernel(ABC):
    """A positive definite K with K(x, x) <= 1 everywhere."""

    @abstractmethod
    def __call__(self, x: Array, y: Array) -> Array:
        """The matrix of K(x_i, y_j)."""

    def at_itself(self, x: Array) -> Array:
        """K(x_i, x_i): 1 for a stationary kernel."""
        return np.ones(len(x))

    def check(self, x: Array, name: str) -> Array:
        """The points, if they lie in T; raises InputError."""
        return x


class GaussianKernel(Kernel):
    """`exp(-||x - y||^2/(2 h^2))`: the space of a Gaussian kernel density estimate; its functions are analytic."""

    def __init__(self, bandwidth: Any) -> None:
        self.bandwidth = positive(bandwidth, "bandwidth")

    def __call__(self, x: Array, y: Array) -> Array:
        square = cdist(x, y, "sqeuclidean")
        square *= -1 / (2 * float(self.bandwidth) ** 2)
        return np.exp(square, out=square)

    def __repr__(self) -> str:
        return f"GaussianKernel({self.bandwidth})"


class ExponentialKernel(Kernel):
    """`exp(-gamma ||x - y||_1)`: the space H^1 of an interval, and its tensor products (Hall 2012, (3.7), (3.8))."""

    def __init__(self, gamma: Any) -> None:
        self.gamma = positive(gamma, "gamma")

    def __call__(self, x: Array, y: Array) -> Array:
        return np.exp(cdist(x, y, "cityblock") * -float(self.gamma))

    def __repr__(self) -> str:
        return f"ExponentialKernel({self.gamma})"


SobolevKernel = ExponentialKernel


class MaternKernel(Kernel):
    """The Matern kernel of smoothness 1/2, 3/2 or 5/2: the Sobolev space of order smoothness + d/2 on R^d."""

    def __init__(self, smoothness: Any, length: Any) -> None:
        self.smoothness, self.length = positive(smoothness, "smoothness"), positive(length, "length")
        if self.smoothness * 2 not in (1, 3, 5):
            raise InputError(f"smoothness: {self.smoothness} is not one of 1/2, 3/2, 5/2")

    def __call__(self, x: Array, y: Array) -> Array:
        s = np.sqrt(2 * float(self.smoothness)) * cdist(x, y) / float(self.length)
        factor = {1: 1.0, 3: 1 + s, 5: 1 + s + s**2 / 3}[int(2 * self.smoothness)]
        found: Array = factor * np.exp(-s)
        return found

    def __repr__(self) -> str:
        return f"MaternKernel({self.smoothness}, {self.length})"


class BrownianKernel(Kernel):
    """min(x, y) on [0, 1]: functions with f(0) = 0 and a square integrable slope, measured by that slope."""

    def __call__(self, x: Array, y: Array) -> Array:
        found: Array = np.minimum(x[:, :1], y[:, 0])
        return found

    def at_itself(self, x: Array) -> Array:
        return x[:, 0]

    def check(self, x: Array, name: str) -> Array:
        if x.shape[1] != 1 or not ((x >= 0) & (x <= 1)).all():
            raise InputError(f"{name}: Brownian motion is indexed by numbers in [0, 1]")
        return x

    def __repr__(self) -> str:
        return "BrownianKernel()"


def sobolev_norm(values: ArrayLike, gamma: Any) -> float:
    """The norm (3.7) of the function on [0, 1] that joins values at equidistant points by straight lines.

    `||f||^2 = (f(0)^2 + f(1)^2)/2 + (1/(2 gamma)) int f'^2 + gamma^2 f^2` (claim hall-2012:equation-3.7), the norm of
    the space with kernel `exp(-gamma |x - y|)`. Computed in floats.
    """
    f, g = np.asarray(values, dtype=np.float64), float(positive(gamma, "gamma"))
    if f.ndim != 1 or len(f) < 2:
        raise InputError("values: give those at two or more equidistant points")
    step, a, b = 1 / (len(f) - 1), f[:-1], f[1:]
    slope, size = np.sum((b - a) ** 2) / step, np.sum(a * a + a * b + b * b) * step / 3
    return float(np.sqrt((f[0] ** 2 + f[-1] ** 2) / 2 + (slope + g**2 * size) / (2 * g)))
