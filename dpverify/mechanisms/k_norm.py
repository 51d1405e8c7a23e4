"""The K-norm mechanism: noise of density proportional to exp(-(epsilon/Delta) ||x||_K), K any symmetric convex body.

Hall 2012, Section 1.3.3, after Hardt and Talwar (2010). Proposition 1.3.4: it is epsilon-DP where
||theta_D - theta_D'||_K <= Delta for all neighbours. The noise is r V, V uniform on K and r of the law
Gamma(d + 1, Delta/epsilon). The thesis says Delta <= 2 for every convex K that holds all outputs; that is so for
K = -K alone (claim section-1.3.3-sensitivity), so that other bodies are refused here, or made symmetric.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import floor, log2
from typing import Any, NamedTuple

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.bodies import Ball, Body, Polytope
from dpverify.mechanisms.bodies.body import Vector, plain, vectors
from dpverify.mechanisms.bodies.walks import Walked, walk
from dpverify.mechanisms.certified import laplace
from dpverify.mechanisms.counting.fair import Fair
from dpverify.mechanisms.hall import DIAMETER, radius_law
from dpverify.mechanisms.mechanism import (
    IN_FLOATS,
    Array,
    Mechanism,
    Privacy,
    Release,
    State,
    generator,
    positive,
    rational,
    table,
)
from dpverify.sampling.exact import ExactNoise

INSIDE = 1 - 1e-9
"""The gauge that records are clipped to: so much below 1 that rounding does not carry them out."""
CLAIM = "hall-2012:proposition-1.3.4"


def fine(scale: Fraction) -> Fraction:
    """The power of two from scale/2^21 to scale/2^20: fixed by the scale alone, never by data."""
    return Fraction(2) ** (floor(log2(scale)) - 20)


class Error(NamedTuple):
    """An expected error, and the standard error of this number where it was simulated."""

    expected: float
    standard_error: float


class KNorm(Mechanism):
    """Release of d numbers theta_D, whose differences between neighbours are measured by the gauge of K.

    Args:
        body: K, one of `dpverify.mechanisms.bodies`.
        epsilon: of the release.
        sensitivity: Delta, a bound that the user states, in the gauge of K; or
        differences: theta_D - theta_D' for all neighbours, or the vertices of a polytope that holds them all (a norm is
            convex, so that its maximum is at a vertex): Delta is computed, exactly.
        lattice: its nearest point is released; by default a power of two about a millionth of the scale. For ellipsoids
            and the l_1 ball it is the point nearest to the exact real output, whose epsilon is proved; for others the
            noise is drawn in floats, and rounding hides their low bits, which would tell theta_D.
        neighbours: which data sets are neighbours, in words.

    `release` takes theta_D itself, d numbers.

    Raises:
        InputError: for a body without a symmetric gauge, numbers that are none, a difference of another length.
    """

    def __init__(
        self,
        body: Body,
        *,
        epsilon: Any,
        sensitivity: Any = None,
        differences: Any = None,
        lattice: Any = None,
        neighbours: str = "as the sensitivity is stated",
    ) -> None:
        super().__init__(epsilon=epsilon)
        if (sensitivity is None) == (differences is None):
            raise InputError("sensitivity: give it, or the differences that neighbours can have")
        self.body, self.neighbours = body, neighbours
        if differences is None:
            self.sensitivity, self._known = positive(sensitivity, "sensitivity"), "a bound that the user states"
            self.difference: Vector = tuple(self.sensitivity * x for x in body.border())
        else:
            rows = vectors(differences, "differences")
            if len(rows[0]) != body.dimension:
                raise InputError(f"differences: {len(rows[0])} numbers each, but the body is in R^{body.dimension}")
            norms = [body.above(row) for row in rows]
            worst = max(range(len(rows)), key=lambda i: norms[i])
            self.sensitivity, self.difference = positive(norms[worst], "the largest difference"), rows[worst]
            self._known = f"computed from {len(rows)} differences, and so from their hull"
        self.lattice = fine(self.sensitivity / self.epsilon) if lattice is None else positive(lattice, "lattice")

    @property
    def scale(self) -> Fraction:
        """Delta/epsilon, or for ellipsoids a relative 1e-12 more, so that the certificate's upper bound is epsilon."""
        return self.sensitivity / self.epsilon if self._elliptical is None else self._certified[0]

    @cached_property
    def _certified(self) -> tuple[Fraction, Mapping[str, Any]]:
        return laplace(self.body.dimension, self.sensitivity, self.epsilon)

    @property
    def _elliptical(self) -> list[list[Fraction]] | None:
        return getattr(self.body, "covariance", None)

    @property
    def _independent(self) -> bool:
        return isinstance(self.body, Ball) and self.body.p == 1

    @cached_property
    def privacy(self) -> Privacy:
        """epsilon-DP by Proposition 1.3.4; where K is an ellipsoid, by a certificate of elliptical noise."""
        certificate: Mapping[str, Any] | None = None
        if self._elliptical is not None:
            certificate = self._certified[1]
        assumes: tuple[str, ...] = ("the sensitivity",) if "user" in self._known else ()
        if not self.body.sampled_exactly:
            assumes += ("hit and run is uniform; within eta of it in total variation, delta is (1 + e^epsilon) eta",)
        if not self.drawn_exactly:
            assumes += (IN_FLOATS,)
        return Privacy(
            self.epsilon,
            self.neighbours,
            f"{self.sensitivity} in the gauge of {self.body!r}, {self._known}",
            certificate=certificate,
            claim=CLAIM,
            assumes=assumes,
        )

    def fit(self, data: Any) -> Vector:
        """theta_D, exactly."""
        rows = vectors([np.ravel(data).tolist()], "data")
        if len(rows[0]) != self.body.dimension:
            raise InputError(f"data: {len(rows[0])} numbers, but the body is in R^{self.body.dimension}")
        return rows[0]

    @property
    def drawn_exactly(self) -> bool:
        """Whether the exact sampler draws this noise: of ellipsoids and of the l_1 ball."""
        return self._elliptical is not None or self._independent

    def noise(self, size: int, rng: np.random.Generator) -> Array:
        """So many draws of r V, one a row, in floats."""
        shape, rate = radius_law(self.body.dimension, 1 / self.scale)
        return np.asarray(rng.gamma(shape, 1 / float(rate), size)[:, None] * self.body.draw(size, rng))

    def mixing(self, size: int = 400, random_state: State = None) -> Walked:
        """Points by hit and run with their R-hat and effective sample size: whether it mixes, without data."""
        return walk(self.body.chord, self.body.dimension, size, generator(random_state))

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """theta_D with noise, a point of the lattice as an array of d floats."""
        theta = self.fit(data)
        if self.drawn_exactly:
            exact = self._exactly(theta, Fair(random_state))
            return Release(np.array([float(x) for x in exact]), self.privacy, "exactly", {"exact": exact})
        return Release(self._rounded(theta, self.noise(1, generator(random_state)))[0], self.privacy, "in floats")

    def _rounded(self, theta: Vector, noise: Array) -> Array:
        step = float(self.lattice)
        return np.asarray(np.rint((np.array([float(x) for x in theta]) + noise) / step) * step)

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent releases; hit and run takes a chain for each."""
        if self.drawn_exactly or not self.body.sampled_exactly:
            return super().samples(data, size, rng)
        return self._rounded(self.fit(data), self.noise(size, rng))

    def _exactly(self, theta: Vector, fair: Fair) -> list[Fraction]:
        if self._elliptical is not None:
            found = self._exact_noise.release(list(theta), random_bits=fair.bits)
            return found if isinstance(found, list) else [found]
        return [
            noise.release([x], random_bits=fair.bits)[0] for noise, x in zip(self._exact_laplace, theta, strict=True)
        ]

    @cached_property
    def _exact_noise(self) -> ExactNoise:
        return ExactNoise(self.privacy.certificate, covariance=self._elliptical, lattice=self.lattice)  # type: ignore[arg-type]

    @cached_property
    def _exact_laplace(self) -> list[ExactNoise]:
        assert isinstance(self.body, Ball)
        return [ExactNoise("laplace", 1, scale=self.scale / w, lattice=self.lattice) for w in self.body.weights]

    def worst_pair(self) -> tuple[Any, Any]:
        """Two values of theta that lie Delta apart."""
        return [Fraction(0)] * self.body.dimension, list(self.difference)

    @property
    def expected_gauge(self) -> Fraction:
        """`E ||noise||_K = d Delta/epsilon`, whatever the body."""
        return self.body.dimension * self.scale

    def risk(self, p: float = 1, size: int = 20_000, random_state: State = 0) -> Error:
        """The risk `E ||released - theta||_p` of Definition 2.1.1, simulated."""
        errors = np.linalg.norm(self.noise(size, generator(random_state)), ord=p, axis=1)
        return Error(float(errors.mean()), float(errors.std() / size**0.5))


def exact_sum(values: Array) -> Fraction:
    """The sum of floats, exactly."""
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    total = Fraction(0)
    for e in np.unique(exponents).tolist():
        total += sum(whole[exponents == e].tolist()) * Fraction(2) ** (e - 53)
    return total


class KNormMean(KNorm):
    """The mean of records in a symmetric body K: neighbours differ in one record, Delta = 2/n.

    A record outside K is drawn in to its border along the ray, `x / ||x||_K`: K is public, and this is its bound.

    Args:
        body: K.
        records: n, how many there are; public.

    Raises:
        InputError: as KNorm; data of another number of rows or columns.
    """

    def __init__(self, body: Body, records: int, *, epsilon: Any, lattice: Any = None) -> None:
        if records < 1:
            raise InputError(f"records: {records} is below 1")
        self.records = records
        super().__init__(
            body,
            epsilon=epsilon,
            sensitivity=Fraction(DIAMETER, records),
            lattice=lattice,
            neighbours=f"{records} records, one of them replaced",
        )
        self._known = f"{DIAMETER}/{records}: records are clipped to the body"

    def fit(self, data: Any) -> Vector:
        """The mean of the clipped records, exactly."""
        rows = table(data, columns=self.body.dimension).copy()
        if len(rows) != self.records:
            raise InputError(f"data: {len(rows)} records, not {self.records}")
        with np.errstate(over="ignore"):  # what is too far out for a float goes to the origin
            norms = self.body.gauge(rows)
        outside = norms > INSIDE
        rows[outside] *= (INSIDE / norms[outside])[:, None]
        return tuple(exact_sum(column) / self.records for column in rows.T)

    def worst_pair(self) -> tuple[Any, Any]:
        """Records at the origin, and one at either end of K."""
        rows = np.zeros((self.records, self.body.dimension))
        end = np.array([float(x) for x in self.body.border()])
        return np.vstack([rows[:-1], end]), np.vstack([rows[:-1], -end])


class KNormCounts(KNorm):
    """A linear function M theta of a histogram theta, by the body of Hardt and Talwar.

    A record in cell j adds the column M_j, and replacing it by one in cell i adds M_i - M_j: all differences lie in the
    hull of those, which is K by default, so that Delta = 1. (Hardt and Talwar add and remove records: their K is the
    image of the l_1 ball, the hull of the columns and their negatives.)

    Args:
        matrix: M, a row for each number that is released, a column for each cell.
        body: another K; Delta is then the largest gauge of a difference, exactly.

    `release` takes the histogram, a count for each cell.

    Raises:
        InputError: as KNorm; where the differences lie in a plane, so that K has no volume.
    """

    def __init__(self, matrix: Any, *, epsilon: Any, body: Body | None = None, lattice: Any = None) -> None:
        columns = tuple(zip(*vectors(matrix, "matrix"), strict=True))
        differences = sorted({tuple(a - b for a, b in zip(v, w, strict=True)) for v in columns for w in columns})
        moved = [v for v in differences if any(v)]
        if not moved:
            raise InputError("matrix: its columns are all the same, and nothing private is released")
        super().__init__(
            Polytope(moved) if body is None else body,
            epsilon=epsilon,
            differences=moved,
            lattice=lattice,
            neighbours="histograms of as many records, one of them moved to another cell",
        )
        self.columns = columns

    def fit(self, data: Any) -> Vector:
        """M theta, exactly."""
        counts = [rational(plain(x), "data") for x in np.ravel(data)]
        if len(counts) != len(self.columns):
            raise InputError(f"data: {len(counts)} counts, not {len(self.columns)}")
        rows = zip(*self.columns, strict=True)
        return tuple(sum((m * c for m, c in zip(row, counts, strict=True)), Fraction(0)) for row in rows)

    def worst_pair(self) -> tuple[Any, Any]:
        """One record, in either of the two cells whose columns are farthest apart."""
        size = range(len(self.columns))
        i, j = next(
            (i, j)
            for i in size
            for j in size
            if tuple(a - b for a, b in zip(self.columns[i], self.columns[j], strict=True)) == self.difference
        )
        return [int(k == i) for k in size], [int(k == j) for k in size]
