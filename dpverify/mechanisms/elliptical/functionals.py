"""Finitely many functionals g_i of an infinite-dimensional summary, with elliptical noise (Reimherr and Awan 2019).

Corollary 1: where the summary T_D moves by at most Delta in the Cameron-Martin norm of C, the g_i(T_D + sigma X) are
elliptical with matrix C(g_i, g_j), and move by at most Delta in its norm, whatever the functionals are. Two
corrections: the shift is Delta/sigma, and for a density the g_i must be linearly independent, not only distinct (claim
reimherr-awan-2019:corollary-1).

With delta = 0 epsilon is that of d functionals, fixed beforehand: it grows with d, and there is none for infinitely
many (Theorem 4). With delta > 0 any number of functionals, asked one after another, costs (epsilon, delta) once: the
path of the noise is one draw V Z, and delta(epsilon) is exact in infinite dimension. Theorem 5 is printed with the
moment generating function of V in place of V^2, and adds too little noise (claim reimherr-awan-2019:theorem-5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from dpverify.errors import InputError
from dpverify.mechanisms.elliptical.clipped import ClippedMean
from dpverify.mechanisms.elliptical.elliptical import bits_of, certified_scale
from dpverify.mechanisms.elliptical.squares import mean_square_of
from dpverify.mechanisms.functions.functions import NEIGHBOURS, whole
from dpverify.mechanisms.functions.kernels import Kernel
from dpverify.mechanisms.functions.paths import Path, factor_of
from dpverify.mechanisms.functions.scales import mixing_sampler, process_certificate, process_scale
from dpverify.mechanisms.lattices import fine, rounded
from dpverify.mechanisms.mechanism import (
    IN_FLOATS,
    Array,
    Mechanism,
    Privacy,
    Release,
    State,
    generator,
    rational,
    table,
)
from dpverify.mixtures import Mixing
from dpverify.mixtures.recognise import recognise
from dpverify.profiles import Enclosed
from dpverify.sampling.exact import ExactNoise


class _Form(Kernel):
    """C(g, h) = sum c_j g_j h_j over the largest c_j."""

    def __init__(self, variances: Array) -> None:
        self.variances = variances

    def __call__(self, x: Array, y: Array) -> Array:
        found: Array = (x * self.variances) @ y.T
        return found

    def at_itself(self, x: Array) -> Array:
        found: Array = (x * x) @ self.variances
        return found


class Functionals(Mechanism):
    """Linear functionals of the mean of records, each given by its coordinates in the eigenvectors of C.

    Args:
        functionals: d rows of D exact numbers: g_i of the j-th eigenvector.
        eigenvalues: c_1, ..., c_D of C, exact.
        bound: B, to which records are drawn in, in the Cameron-Martin norm (sum of x_j^2/c_j)^(1/2).
        records: n, public; Delta = 2B/n.
        mixing: the law of V in X = V Z; None for a Gaussian process, which needs delta > 0.
        epsilon, delta: what is promised.

    Data have a row of D coordinates for each record.

    Raises:
        InputError: functionals that depend on each other where delta = 0; no formula for the law in d dimensions.
        Refusal: where d functionals of this law are private for no epsilon.
    """

    def __init__(
        self,
        functionals: Any,
        eigenvalues: Sequence[object],
        bound: Any,
        records: int,
        *,
        mixing: str | Mixing | None = None,
        epsilon: Any,
        delta: Any = 0,
    ) -> None:
        super().__init__(epsilon=epsilon, delta=delta)
        self.mean = ClippedMean(eigenvalues, bound, whole(records, "records"))
        self.functionals = _exact_rows(functionals, len(self.mean.variances))
        self.mixing = mixing if mixing is None or isinstance(mixing, Mixing) else Mixing(mixing)
        self._lemmas: tuple[str, ...] = ()
        self._enclosed: Enclosed | None = None
        self._largest = max(self.mean.variances)
        self._kernel = _Form(np.array([float(c / self._largest) for c in self.mean.variances]))
        if self.delta:
            unit = process_scale(self.epsilon, self.delta, self.mixing)
            self.scale = self.sensitivity * unit.value
            self._enclosed = unit.delta
            self.certificate = process_certificate(self.sensitivity, self.scale, self.epsilon, self.mixing)
        else:
            self.scale, self.certificate = self._certified()

    def _certified(self) -> tuple[Fraction, Any]:
        if self.mixing is None:
            raise InputError("mixing: Gaussian noise is private for no epsilon; give a delta, or the law of V")
        if _rank(self.functionals) < len(self.functionals):
            raise InputError("functionals: they depend on each other; leave out those that the others give")
        formula = recognise(self.mixing, len(self.functionals))
        if formula is None:
            raise InputError(f"mixing: no formula is known for {len(self.functionals)} functionals; give a delta")
        self._lemmas = formula.lemmas
        return certified_scale(formula.generator, self.sensitivity, self.epsilon, self.delta)

    @property
    def sensitivity(self) -> Fraction:
        """2B/n in the Cameron-Martin norm: a bound for every set of functionals."""
        return self.mean.sensitivity

    @property
    def privacy(self) -> Privacy:
        bound = f"{self.sensitivity} in the Cameron-Martin norm, records being drawn in to B = {self.mean.bound}"
        claim = "reimherr-awan-2019:theorem-5" if self.delta else "reimherr-awan-2019:corollary-1"
        assumes = self._lemmas if self.drawn_exactly else (*self._lemmas, IN_FLOATS)
        return Privacy(self.epsilon, NEIGHBOURS, bound, self.delta, self.certificate, claim, assumes, self._enclosed)

    @cached_property
    def drawn_exactly(self) -> bool:
        """Whether the exact sampler draws a batch: where delta = 0, and Gaussian noise of independent functionals."""
        return not self.delta or (self.mixing is None and _rank(self.functionals) == len(self.functionals))

    def noise_error(self) -> float:
        """E sum of (released - g_i)^2 = sigma^2 E V^2 sum C(g_i, g_i), in floats; the paper measures no utility."""
        c = self.mean.variances
        sizes = sum((a * a * v for row in self.functionals for a, v in zip(row, c, strict=True)), Fraction(0))
        return float(self.scale) ** 2 * float(sizes) * mean_square_of(self.mixing)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """g_1, ..., g_d of the mean, with noise: exactly (`drawn_exactly`), or from a path in floats."""
        if not self.drawn_exactly:
            value = self.online(data, random_state=random_state)(self._rows)
            return Release(value, self.privacy, "in floats", {"scale": self.scale})
        exact = self._noise.release(self.fit(data), random_bits=bits_of(random_state))
        return Release(np.array([float(x) for x in exact]), self.privacy, "exactly", {"exact": exact})

    def online(self, data: Any, *, random_state: State = None) -> OnlineFunctionals:
        """One release, for as many functionals as are ever asked; raises InputError where delta = 0."""
        if not self.delta:
            raise InputError("delta: functionals asked one by one need delta > 0; infinitely many have no epsilon")
        rng = generator(random_state)
        factor = mixing_sampler(self.mixing)(rng)
        mean = np.array([float(x) for x in self.mean(data)])
        return OnlineFunctionals(self, mean, Path(self._kernel, rng, factor * self._unit))

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """Independent releases, one a row."""
        if self.drawn_exactly:
            centre, bits = self.fit(data), bits_of(rng)
            rows = [[float(x) for x in self._noise.release(centre, random_bits=bits)] for _ in range(size)]
            return np.array(rows)
        draw = mixing_sampler(self.mixing)
        factors = np.array([draw(rng) for _ in range(size)]) * self._unit
        normals = rng.standard_normal((size, len(self._rows)))
        centre_floats = np.array([float(x) for x in self.fit(data)])
        noise = factors[:, None] * (normals @ factor_of(self._kernel, self._rows).T)
        return rounded(centre_floats + noise, self.step)

    def worst_pair(self) -> tuple[Array, Array]:
        """Records at 0, and one at either end of the Cameron-Martin ball along the first functional."""
        g = np.array([float(x) for x in self.functionals[0]])
        c = np.array([float(x) for x in self.mean.variances])
        along = c * g / np.sqrt((c * g * g).sum()) * float(self.mean.bound)
        data = np.zeros((self.mean.records, len(c)))
        other = data.copy()
        data[-1], other[-1] = along, -along
        return data, other

    @property
    def step(self) -> Fraction:
        """What the lattice of releases in floats is counted from: the scale times the least functional's deviation."""
        c = self.mean.variances
        least = min(sum((a * a * v for a, v in zip(row, c, strict=True)), Fraction(0)) for row in self.functionals)
        return self.scale * Fraction(float(least) ** 0.5)

    @property
    def _unit(self) -> float:
        """sigma times the root of the largest eigenvalue, which the kernel was divided by."""
        return float(self.scale) * float(self._largest) ** 0.5

    @cached_property
    def _rows(self) -> Array:
        return np.array([[float(x) for x in row] for row in self.functionals])

    def fit(self, data: Any) -> list[Fraction]:
        """g_1, ..., g_d of the mean of the records, drawn in, exactly."""
        mean = self.mean(data)
        return [sum((a * x for a, x in zip(row, mean, strict=True)), Fraction(0)) for row in self.functionals]

    @cached_property
    def _noise(self) -> ExactNoise:
        c, rows = self.mean.variances, self.functionals
        form = [[sum((a * b * v for a, b, v in zip(g, h, c, strict=True)), Fraction(0)) for h in rows] for g in rows]
        smallest = Fraction(float(np.linalg.eigvalsh(np.array([[float(x) for x in row] for row in form]))[0]) ** 0.5)
        lattice = fine(self.scale * smallest)
        if self.delta:  # the certificate is of one Gaussian number, along the change
            return ExactNoise("gaussian", len(rows), scale=self.scale, covariance=form, lattice=lattice)
        return ExactNoise(self.certificate, covariance=form, lattice=lattice)  # type: ignore[arg-type]


class OnlineFunctionals:
    """Functionals of one noisy summary; what was answered stays as it was."""

    def __init__(self, mechanism: Functionals, mean: Array, path: Path) -> None:
        told = mechanism.privacy
        assumes = told.assumes if IN_FLOATS in told.assumes else (*told.assumes, IN_FLOATS)
        self.privacy, self._step = replace(told, assumes=assumes), mechanism.step
        self._mean, self._path = mean, path

    def __call__(self, functionals: Any) -> Array:
        """g(T_D + sigma X) for each row g of D numbers."""
        rows = table(functionals, "functionals", len(self._mean))
        return rounded(rows @ self._mean + self._path.at(rows), self._step)

    def __len__(self) -> int:
        """How many functionals were asked."""
        return len(self._path)


def _exact_rows(given: Any, columns: int) -> tuple[tuple[Fraction, ...], ...]:
    rows = given.tolist() if isinstance(given, np.ndarray) else given
    try:
        found = tuple(tuple(rational(x, "functionals") for x in row) for row in rows)
    except TypeError:
        raise InputError("functionals: give a row of numbers for each") from None
    if not found or any(len(row) != columns for row in found):
        raise InputError(f"functionals: each is a row of {columns} numbers, one for each eigenvalue")
    if any(not any(row) for row in found):
        raise InputError("functionals: one of them is 0")
    return found


def _rank(rows: tuple[tuple[Fraction, ...], ...]) -> int:
    entries = [fmpq(x.numerator, x.denominator) for row in rows for x in row]
    return int(fmpq_mat(len(rows), len(rows[0]), entries).rank())
