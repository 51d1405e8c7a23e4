"""A kernel density estimate by its Fourier coefficients, with Laplace noise or noise shaped like the orbitope.

The estimate, its Gaussian kernel made periodic and cut off at frequency m, is a sum of products
lambda_(a_1) ... lambda_(a_d) psi_(a_1)(x_1) ... psi_(a_d)(x_d) times the mean of the same products of psi over the
records (Hall 2012, (4.10)): psi_1 = 1, psi_(2j) = sqrt(2) cos(2 pi j x), psi_(2j+1) = sqrt(2) sin(2 pi j x), and
lambda_(2j) = lambda_(2j+1) = exp(-2 pi^2 j^2 h^2) (in (4.5) the pi^2 is missing; claim hall-2012:equation-4.5). The
means are what is released; they lie on a torus, so that records may lie anywhere and are wrapped to [0, 1).
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpverify.algebraic import rational_above
from dpverify.errors import InputError
from dpverify.mechanisms.bodies.walks import Walked, walk
from dpverify.mechanisms.counting.fair import Fair
from dpverify.mechanisms.functions.functions import NEIGHBOURS, whole
from dpverify.mechanisms.functions.moment_bodies import MomentBody
from dpverify.mechanisms.functions.orbitope import Orbitope, Symmetrised
from dpverify.mechanisms.lattices import fine, rounded
from dpverify.mechanisms.mechanism import (
    IN_FLOATS,
    Array,
    Mechanism,
    Privacy,
    Release,
    State,
    generator,
    positive,
    table,
)
from dpverify.mechanisms.sensitivities import inertia, squared_change
from dpverify.sampling.exact import ExactNoise

MOST_COEFFICIENTS = 10**6
BLOCK = 1 << 22
BITS, MOST_EXACT = 36, 20_000
COSINES = "cosines in floats are right to 2^-37"
FIRST = "the first coefficient is 1 for all data"
SIMULATED, WALKED = 4000, 200
MOST_WALKED = 150


def basis(x: Array, frequencies: int) -> Array:
    """psi_1, ..., psi_(2m+1) at numbers x, a row for each."""
    angles = 2 * np.pi * np.outer(x % 1.0, np.arange(1, frequencies + 1))
    found = np.ones((len(x), 2 * frequencies + 1))
    found[:, 1::2], found[:, 2::2] = sqrt(2) * np.cos(angles), sqrt(2) * np.sin(angles)
    return found


class FourierDensity(Mechanism):
    """What both noises have in common: the coefficients, the density that they stand for, and the smoothing.

    Args:
        bandwidth: h, exact, not from the data.
        frequencies: m.
        records: n, public.
        dimension: d.
        epsilon: what is promised; delta is 0.
    """

    def __init__(self, bandwidth: Any, frequencies: int, records: int, dimension: int = 1, *, epsilon: Any) -> None:
        super().__init__(epsilon=epsilon)
        self.bandwidth = positive(bandwidth, "bandwidth")
        self.frequencies, self.records = whole(frequencies, "frequencies"), whole(records, "records")
        self.dimension = whole(dimension, "dimension")
        self.shape = (2 * self.frequencies + 1,) * self.dimension
        if (2 * self.frequencies + 1) ** self.dimension > MOST_COEFFICIENTS:
            raise InputError(
                f"frequencies: more than {MOST_COEFFICIENTS} coefficients; take fewer, or fewer dimensions"
            )

    @abstractmethod
    def noise(self, size: int, rng: np.random.Generator) -> Array:
        """So many draws for all coefficients but the first, which is 1, one a row."""

    @property
    @abstractmethod
    def step(self) -> Fraction:
        """What the lattice is counted from: about the size of the noise."""

    @cached_property
    def smoothing(self) -> Array:
        """The products of the lambdas, in the coefficients' shape."""
        j = np.arange(2 * self.frequencies + 1)
        line = np.exp(-2 * np.pi**2 * ((j + 1) // 2) ** 2 * float(self.bandwidth) ** 2)
        found = line
        for _ in range(self.dimension - 1):
            found = np.multiply.outer(found, line)
        return found

    def fit(self, data: Any) -> Array:
        """The means of the products of psi over the records, not private."""
        rows, step = self._rows(data), max(1, BLOCK // int(np.prod(self.shape)))
        total = np.zeros(self.shape)
        for start in range(0, len(rows), step):
            total += self._products(rows[start : start + step]).sum(axis=0).reshape(self.shape)
        return total / len(rows)

    def _rows(self, data: Any) -> Array:
        rows = table(data, "data", self.dimension)
        if len(rows) != self.records:
            raise InputError(f"data: {len(rows)} records; the noise was set for {self.records}")
        return rows

    def _products(self, rows: Array) -> Array:
        """psi x ... x psi of each row, flat."""
        product = basis(rows[:, 0], self.frequencies)
        for k in range(1, self.dimension):
            product = (product[:, :, None] * basis(rows[:, k], self.frequencies)[:, None, :]).reshape(len(rows), -1)
        return product

    def density(self, coefficients: Array, points: ArrayLike) -> Array:
        """The estimate that coefficients stand for, at points: numbers, or rows of d."""
        x = table(points, "points", self.dimension)
        found = np.broadcast_to(coefficients * self.smoothing, (len(x), *self.shape))
        for k in range(self.dimension):
            line = basis(x[:, k], self.frequencies)
            found = np.einsum("ij...,ij->i...", found, line)
        return np.asarray(found)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """The coefficients with noise; `density` makes a function of them."""
        value = self.fit(data)
        flat = value.reshape(-1)
        flat[1:] = rounded(flat[1:] + self.noise(1, generator(random_state))[0], self.step)
        return Release(value, self.privacy, "in floats", {"first": FIRST})

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """Releases without the first coefficient, one a row."""
        return rounded(self.fit(data).reshape(-1)[1:] + self.noise(size, rng), self.step)

    def _pair(self, other: float) -> tuple[Array, Array]:
        data = np.zeros((self.records, self.dimension))
        moved = data.copy()
        moved[-1] = other
        return data, moved


class LaplaceFourier(FourierDensity):
    """Independent Laplace noise on each coefficient (Hall 2012, Section 4.4.1).

    The scale is Delta/epsilon, Delta = 4m/n for d = 1 and 2^(d/2 + 1) (2m + 1)^d/n otherwise, a bound of the l1
    sensitivity. Printed it is n epsilon/(2m + 1)^d, which falls as epsilon falls
    (claim hall-2012:section-4.4.1-scale).

    Each record's coefficients are rounded to multiples of 2^-36 and summed as whole numbers, for which Delta has
    another 2^-35/n per coefficient. Up to 20,000 coefficients are released exactly: as the lattice points nearest to
    the real outputs.

    >>> noisy = LaplaceFourier("1/10", 3, 100, epsilon=1)
    >>> round(float(noisy.scale), 9)
    0.12
    """

    @cached_property
    def sensitivity(self) -> Fraction:
        """Delta, or just above."""
        each = rational_above(f"sqrt({squared_change(self.frequencies, self.dimension)})", "the sensitivity")
        return (each + int(np.prod(self.shape)) * Fraction(2) ** (1 - BITS)) / self.records

    @property
    def scale(self) -> Fraction:
        """Of the noise."""
        return self.sensitivity / self.epsilon

    @property
    def step(self) -> Fraction:
        return Fraction(self.scale)

    @property
    def drawn_exactly(self) -> bool:
        """Whether `release` uses the exact sampler."""
        return int(np.prod(self.shape)) <= MOST_EXACT

    def sums(self, data: Any) -> list[int]:
        """2^36 times the sums over the records, whole numbers."""
        rows, step = self._rows(data), max(1, BLOCK // int(np.prod(self.shape)))
        total = np.zeros(int(np.prod(self.shape)), dtype=np.int64)
        for start in range(0, len(rows), step):
            products = self._products(rows[start : start + step])
            total += np.rint(np.ldexp(products, BITS)).astype(np.int64).sum(axis=0)
        return [int(v) for v in total]

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """The coefficients with noise; `density` makes a function of them."""
        if not self.drawn_exactly:
            return super().release(data, random_state=random_state)
        noise = ExactNoise("laplace", 1, scale=Fraction(self.scale), lattice=fine(self.step))
        unit, fair = Fraction(2) ** -BITS / self.records, Fair(random_state)
        drawn = [noise.release([total * unit], random_bits=fair.bits)[0] for total in self.sums(data)[1:]]
        value = np.array([1.0, *map(float, drawn)]).reshape(self.shape)
        return Release(value, self.privacy, "exactly", {"first": FIRST, "exact": drawn})

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """Releases without the first coefficient, one a row: of the same law, in floats, which is faster."""
        return super().samples(data, size, rng)

    @property
    def privacy(self) -> Privacy:
        bound = "4m/n" if self.dimension == 1 else "2^(d/2 + 1) (2m + 1)^d/n"
        text = f"at most {bound} in the l1 norm of the coefficients, and 2^-35/n for each, which are rounded"
        assumes = (COSINES,) if self.drawn_exactly else (COSINES, IN_FLOATS)
        return Privacy(self.epsilon, NEIGHBOURS, text, claim="hall-2012:section-4.4.1-scale", assumes=assumes)

    def noise(self, size: int, rng: np.random.Generator) -> Array:
        return rng.laplace(0, float(self.scale), (size, int(np.prod(self.shape)) - 1))

    def noise_error(self) -> float:
        """E int (f~ - f)^2 = 2 scale^2 sum lambda^2 (claim hall-2012:section-4.4.1-error, as corrected)."""
        return 2 * float(self.scale) ** 2 * float((self.smoothing.reshape(-1)[1:] ** 2).sum())

    def worst_pair(self) -> tuple[Array, Array]:
        """All records at 0, and the last where its coefficients are farthest from those in the l1 norm, on a grid."""
        steps = np.arange(1, 16 * self.frequencies) / (16 * self.frequencies)
        change = np.abs(basis(steps, self.frequencies) - basis(np.zeros(1), self.frequencies)).sum(axis=1)
        return self._pair(float(steps[np.argmax(change)]))


class OrbitopeFourier(FourierDensity):
    """Noise of density exp(-(epsilon/Delta) ||x||_K), K made of the orbitope of the coefficients (Hall 2012, 4.4.2).

    It is r u, u uniform on K and r of the law Gamma((2m + 1)^d, Delta/epsilon). With Delta = 2/n, as printed, the loss
    reaches (m + 1)^d epsilon/2, since the orbitope is not symmetric: Delta is (m + 1)^d/n
    (claims hall-2012:section-4.4.2-sensitivity and -sensitivity-d).

    For d > 1 the hull has no test that a chord could be computed by, and the thesis leaves it there. K is then the
    larger body of the points whose block Toeplitz matrix is positive (`MomentBody`), for which Delta is the same.

    Args:
        body: "symmetrised", the intersection of K and -K, whose sensitivity is the same and whose noise is smaller; or
            "orbitope", K itself.
        bandwidth, frequencies, records, dimension, epsilon: as for `FourierDensity`.
    """

    def __init__(
        self,
        bandwidth: Any,
        frequencies: int,
        records: int,
        dimension: int = 1,
        *,
        epsilon: Any,
        body: str = "symmetrised",
    ) -> None:
        super().__init__(bandwidth, frequencies, records, dimension, epsilon=epsilon)
        if body not in ("symmetrised", "orbitope"):
            raise InputError(f"body: {body!r} is neither symmetrised nor orbitope")
        self.body: Symmetrised | Orbitope | MomentBody
        if self.dimension == 1:
            self.body = (Symmetrised if body == "symmetrised" else Orbitope)(self.frequencies)
            return
        self.body = MomentBody(self.frequencies, self.dimension, body == "symmetrised")
        if self.body.dimension > MOST_WALKED:
            raise InputError(
                f"frequencies: hit and run in R^{self.body.dimension} is out of reach (at most {MOST_WALKED}); take "
                "fewer, or Laplace noise"
            )

    @property
    def sensitivity(self) -> Fraction:
        """(m + 1)^d/n."""
        return self.body.sensitivity(self.records)

    @property
    def scale(self) -> Fraction:
        """Delta/epsilon."""
        return self.sensitivity / self.epsilon

    @property
    def step(self) -> Fraction:
        return self.scale

    @property
    def walked(self) -> bool:
        """Whether uniform points are the states of a chain."""
        return self.body.uniform == "hit and run"

    @property
    def privacy(self) -> Privacy:
        mixed = ("hit and run has mixed; within t of it in total variation, delta is (1 + e^epsilon) t",)
        line = self.dimension == 1
        return Privacy(
            self.epsilon,
            NEIGHBOURS,
            f"{'(m + 1)/n' if line else '(m + 1)^d/n'} in the gauge of the body, exactly",
            claim="hall-2012:section-4.4.2-sensitivity" if line else "hall-2012:section-4.4.2-sensitivity-d",
            assumes=(*mixed, IN_FLOATS) if self.walked else (IN_FLOATS,),
        )

    def noise(self, size: int, rng: np.random.Generator) -> Array:
        radius = rng.gamma(self.body.dimension + 1, float(self.scale), size)
        return np.asarray(radius[:, None] * self.body.draw(size, rng))

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """Releases without the first coefficient, one a row; hit and run takes a chain for each."""
        if not self.walked:
            return super().samples(data, size, rng)
        noise = np.concatenate([self.noise(1, rng) for _ in range(size)])
        return rounded(self.fit(data).reshape(-1)[1:] + noise, self.step)

    def mixing(self, size: int = 400, random_state: State = None) -> Walked:
        """Points by hit and run with their R-hat and effective sample size: whether it mixes, without data."""
        return walk(self.body.chord, self.body.dimension, size, generator(random_state))

    def noise_error(self, rng: np.random.Generator | None = None) -> float:
        """E int (f~ - f)^2 = E r^2 sum lambda_k^2 E u_k^2, from the inertia, or from draws where it is not known."""
        k, m = self.body.dimension + 1, self.frequencies
        radius = k * (k + 1) * float(self.scale) ** 2
        if isinstance(self.body, Orbitope):
            moments = np.repeat([float(inertia(m, j)) for j in range(1, m + 1)], 2)
        else:
            draws = WALKED if self.walked else SIMULATED
            moments = (self.body.draw(draws, np.random.default_rng(0) if rng is None else rng) ** 2).mean(axis=0)
        return radius * float((self.smoothing.reshape(-1)[1:] ** 2 * moments).sum())

    def worst_pair(self) -> tuple[Array, Array]:
        """All records at 0, and the last at 1/(m + 1) in each coordinate, where Fejer's kernel vanishes."""
        return self._pair(1 / (self.frequencies + 1))
