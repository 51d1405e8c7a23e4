"""Private (functional) principal components by the exponential mechanism: Awan and others (2019), Sections 4 to 6."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.components.bingham import bingham
from dpverify.mechanisms.components.stiefel import Gibbs
from dpverify.mechanisms.components.subspaces import canonical, leading, projection
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
from dpverify.mechanisms.near import delta_of_a_chain, mixing

AT_ONCE, SPREAD = 256, 1e-10
CELLS = 2**20
"""What is released is rounded to multiples of 1/CELLS: the low bits of floats say more than their law."""


def data_factor(epsilon: Any) -> Any:
    """The factor of sum ||P X_i||^2 in the exponent: Delta = 1 for records of norm at most 1 (Theorem 4.2)."""
    return epsilon / 2


def rescale(largest: Any, bound: Any) -> Any:
    """What records are multiplied by: a bound that is known beforehand counts, and not the data's largest norm.

    The paper re-scales "the X_i so that ||X_i||^2 < 1", which by the data's own norms has a sensitivity of the order
    of n instead of 1; awan-2019:section-6.1-rescaling.
    """
    del largest
    return 1 / bound


class PrincipalSubspace(Mechanism):
    """A k-dimensional subspace of R^m that explains much of the data, drawn with density proportional to
    exp((eps/2) sum ||P X_i||^2) for the base measure of the span of k independent N(0, C) vectors.

    Theorems 4.1 and 4.2: it is epsilon-DP, records being replaced, for ||X_i|| <= 1. What differs from the paper:

    - Records longer than `bound`, which is public, are shortened to it, and all are divided by it.
    - The span's density for the uniform measure on orthonormal V has the factor det(V'C^-1 V)^(-m/2). The paper's
      exp(-(eps/2) tr V'C^-1 V) is the law of V *given* orthonormal columns: another base measure, as private, but not
      that of the theorems.
    - For C = I (`base=None`) and k = 1 the draw is exact. Otherwise it is the state of a Gibbs sampler after `sweeps`
      sweeps. Where that is within `total_variation` of its limit, for every data set, the release is (eps, delta)-DP
      with delta = (1 + e^eps) times as much; no one proves here that it is, and `privacy` says so.

    Args:
        dimension: m: columns of the data, coefficients in an orthonormal basis that is chosen without the data.
        components: k.
        bound: of the norm of a record.
        base: the eigenvalues of C (m numbers) or C itself (m x m); None is the uniform base measure.
        sweeps: of the sampler.
        total_variation: what the user states of the sampler, a number.
    """

    def __init__(
        self,
        dimension: int,
        components: int,
        *,
        epsilon: Any,
        bound: Any = 1,
        base: Any = None,
        sweeps: int = 500,
        total_variation: Any = 0,
    ) -> None:
        super().__init__(epsilon=epsilon)
        if not 0 < components < dimension:
            raise InputError(f"components: {components} is not between 1 and {dimension - 1}")
        self.m, self.k, self.bound, self.sweeps = dimension, components, positive(bound, "bound"), sweeps
        if sweeps < 1:
            raise InputError(f"sweeps: {sweeps} is not positive")
        self.distance = rational(total_variation, "total_variation")
        self.delta = delta_of_a_chain(self.epsilon, self.distance)
        self.inverse = None if base is None else _inverse(base, dimension)

    @property
    def exact(self) -> bool:
        """Whether no chain runs."""
        return self.k == 1 and self.inverse is None

    @property
    def privacy(self) -> Privacy:
        """Pure epsilon of the law; (epsilon, delta) of what a chain at the stated distance draws."""
        chain = f"the sampler is within total variation {self.distance} of its limit after {self.sweeps} sweeps"
        return Privacy(
            self.epsilon,
            "one record replaced by another, their number fixed",
            f"sum ||P X_i||^2 changes by 1 at most, records being clipped to norm {self.bound} and divided by it",
            delta=self.delta,
            claim="awan-2019:theorem-4.2",
            assumes=(IN_FLOATS,) if self.exact else (chain, IN_FLOATS),
        )

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """One subspace: an orthonormal basis of it, m x k, that depends on the subspace alone."""
        rng = generator(random_state)
        value = np.round(canonical(self.draws(data, 1, rng)[0]) * CELLS) / CELLS
        notes = {"clipped to norm": str(self.bound), "sweeps": 0 if self.exact else self.sweeps}
        return Release(value, self.privacy, "in floats", notes)

    def draws(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """Orthonormal bases of so many subspaces, each from a chain of its own: size x m x k."""
        a = self.matrix(data)
        found = []
        for start in range(0, size, AT_ONCE):
            chains = min(AT_ONCE, size - start)
            if self.exact:
                found.append(bingham(np.broadcast_to(a, (chains, *a.shape)), rng)[:, :, None])
            else:
                found.append(Gibbs(a, self.k, self.inverse, chains, rng).run(self.sweeps))
        return np.concatenate(found)

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """The projections' entries on and above the diagonal, a row each."""
        rows, columns = np.triu_indices(self.m)
        return np.round(projection(self.draws(data, size, rng))[:, rows, columns] * CELLS) / CELLS

    def matrix(self, data: Any) -> Array:
        """A of the density exp(tr V'AV): eps/2 times X'X of the clipped and divided records."""
        rows = self.bounded(data)
        return float(data_factor(self.epsilon)) * (rows.T @ rows)

    def bounded(self, data: Any) -> Array:
        """The records, clipped to `bound` and divided by it: none is longer than 1."""
        rows = table(data, columns=self.m) * float(rescale(None, self.bound))
        return rows / np.maximum(1.0, np.linalg.norm(rows, axis=1))[:, None]

    def fit(self, data: Any) -> Array:
        """The subspace that is released without privacy, m x k."""
        return leading(self.bounded(data), self.k)

    def diagnostics(self, data: Any, *, chains: int = 4, random_state: State = None) -> dict[str, dict[str, float]]:
        """R-hat and effective sample size over the second half of `sweeps`, for data that are public or made up.

        Of private data they are not private. The functionals: tr V'AV and log det V'C^-1 V, on which the density
        depends, and how much of the best subspace is found.
        """
        if self.exact:
            return {}
        sampler = Gibbs(self.matrix(data), self.k, self.inverse, chains, generator(random_state))
        kept = np.array([v for j, v in enumerate(sampler.sweeps(self.sweeps)) if 2 * j >= self.sweeps])
        a, best = self.matrix(data), self.fit(data)
        found = {
            "tr V'AV": np.einsum("tcmk,mn,tcnk->ct", kept, a, kept),
            "agreement": ((np.swapaxes(kept, 2, 3) @ best) ** 2).sum(axis=(2, 3)).T,
        }
        if self.inverse is not None:
            found["log det V'C^-1 V"] = np.linalg.slogdet(np.swapaxes(kept, 2, 3) @ self.inverse @ kept)[1].T
        return mixing(found)

    def worst_pair(self) -> tuple[Array, Array]:
        """One record along the first axis, or along the last."""
        ends = self._ends
        return ends[:1], ends[1:]

    @cached_property
    def _ends(self) -> Array:
        return np.eye(self.m)[[0, -1]] * float(self.bound)


def _inverse(base: Any, m: int) -> Array:
    given = np.asarray(base, dtype=np.float64)
    if given.shape == (m,):
        given = np.diag(given)
    if given.shape != (m, m) or not np.allclose(given, given.T):
        raise InputError(f"base: neither {m} eigenvalues nor a symmetric {m} x {m} matrix")
    values, vectors = np.linalg.eigh(given)
    if not (np.isfinite(values).all() and values[0] > 0):
        raise InputError("base: not positive definite")
    if values[0] < SPREAD * values[-1]:
        raise InputError(
            f"base: eigenvalues from {values[0]:.3g} to {values[-1]:.3g}; keep fewer functions of the basis"
        )
    found: Array = (vectors / values) @ vectors.T
    return found
