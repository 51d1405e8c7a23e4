"""A Gibbs sampler for spans: orthonormal V with density exp(tr V'AV) det(V'C^-1 V)^(-m/2), for the uniform measure."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from dpverify.mechanisms.components.bingham import bingham
from dpverify.mechanisms.mechanism import Array

RIDGE = 1e-9
"""Of the mean eigenvalue of a proposal's matrix: it stays definite in floats."""
LEAPS = 16
"""Proposals from one matrix: most are refused, and further ones cost little."""


def span_power(m: int, k: int) -> Fraction:
    """The power of det(V'C^-1 V) in the density of the span of k vectors N(0, C) of R^m; Chikuse (2003), section 2.4.

    Awan and others (2019) print another density, that of V *given* that its columns are orthonormal.
    """
    del k
    return Fraction(-m, 2)


class Gibbs:
    """Chains of orthonormal m x k matrices, many beside each other.

    One step takes a random direction of the span, and draws it anew given the other k - 1: given those, the direction
    is N z with N a basis of their complement, and z on the sphere of R^d, d = m - k + 1, has the density
    exp(z'Az) (z'Bz)^(-m/2). For C = I the second factor is constant, and z is a draw of a Bingham law, exactly. Else

    - (z'Bz)^(-m/2) is proportional to the integral of s^(m/2 - 1) exp(-s z'Bz) over s > 0: given z, s has a Gamma law,
      and given s, z has the Bingham law of A - sB;
    - and a step of Metropolis and Hastings proposes z from an angular central Gaussian law, whatever z was before, so
      that a chain can leap where the first kind of step walks.

    A sweep is k steps. Hoff (2009) updates the columns themselves; a random direction of the span mixes them.

    Args:
        matrices: A, m x m, or one for each chain.
        columns: k.
        inverse: C^-1, m x m; None is the identity.
        chains: how many.
        rng: what all of them draw from.
    """

    def __init__(
        self, matrices: Array, columns: int, inverse: Array | None, chains: int, rng: np.random.Generator
    ) -> None:
        self.m, self.k, self.rng, self.inverse = matrices.shape[-1], columns, rng, inverse
        self.a = np.broadcast_to(matrices, (chains, self.m, self.m))
        # the eigenvalues of every B = (N'CN)^-1 lie between those of C^-1
        self.top = np.linalg.eigvalsh(matrices)[..., -1]
        self.reach = None if inverse is None else np.log(np.linalg.eigvalsh(inverse)[[0, -1]])
        self.v = np.linalg.qr(rng.standard_normal((chains, self.m, columns)))[0]

    def sweeps(self, count: int) -> Iterator[Array]:
        """The chains' matrices after each sweep: chains x m x k."""
        for _ in range(count):
            for _ in range(self.k):
                self._step()
            yield self.v

    def run(self, count: int) -> Array:
        """The chains' matrices after so many sweeps."""
        for _ in self.sweeps(count):
            pass
        return self.v

    def _step(self) -> None:
        turned = self.v @ _rotations(len(self.v), self.k, self.rng)
        others = turned[:, :, 1:]
        basis = np.linalg.qr(others, mode="complete")[0][:, :, self.k - 1 :] if self.k > 1 else None
        a = self.a if basis is None else _within(self.a, basis)
        z = turned[:, :, 0] if basis is None else np.einsum("nmd,nm->nd", basis, turned[:, :, 0])
        z = bingham(a, self.rng) if self.inverse is None else self._with_base(a, basis, others, z)
        first = z if basis is None else np.einsum("nmd,nd->nm", basis, z)
        self.v = np.linalg.qr(np.concatenate([first[:, :, None], others], axis=2))[0]

    def _with_base(self, a: Array, basis: Array | None, others: Array, z: Array) -> Array:
        assert self.inverse is not None and self.reach is not None
        b = np.broadcast_to(self.inverse, a.shape) if basis is None else self._schur(basis, others)
        power = -float(span_power(self.m, self.k))
        beta = np.exp(self.rng.uniform(self.reach[0], self.reach[1], len(z)))
        z = leap(a, b, power, beta, np.broadcast_to(self.top, len(z)), z, self.rng)
        rate = self.rng.gamma(power, 1 / np.einsum("ni,nij,nj->n", z, b, z))
        return bingham(a - rate[:, None, None] * b, self.rng)

    def _schur(self, basis: Array, others: Array) -> Array:
        """B: det(V'C^-1 V) is a constant times z'Bz."""
        assert self.inverse is not None
        cross = np.swapaxes(basis, 1, 2) @ (self.inverse @ others)
        inner = np.swapaxes(others, 1, 2) @ (self.inverse @ others)
        return _within(self.inverse, basis) - cross @ np.linalg.solve(inner, np.swapaxes(cross, 1, 2))


def leap(a: Array, b: Array, power: float, beta: Array, top: Array, z: Array, rng: np.random.Generator) -> Array:
    """Steps towards exp(z'Az) (z'Bz)^-power that propose from the angular central Gaussian law of
    2 (top - A) + (2 power/beta) B, top at least A's eigenvalues: where z'Bz = beta, it has the target's curvature.
    Neither beta nor top may depend on z.
    """
    count, d = z.shape
    omega = 2 * (top[:, None, None] * np.eye(d) - a) + (2 * power / beta)[:, None, None] * b
    omega = omega + (RIDGE * np.trace(omega, axis1=1, axis2=2) / d)[:, None, None] * np.eye(d)
    root = np.linalg.cholesky(omega)
    y: Any = np.linalg.solve(np.swapaxes(root, 1, 2), rng.standard_normal((count, d, LEAPS)))
    y = np.concatenate([z[:, :, None], y / np.linalg.norm(y, axis=1)[:, None, :]], axis=2)
    forms = [(y * (matrix @ y)).sum(axis=1) for matrix in (a, b, omega)]
    heights = forms[0] - power * np.log(forms[1]) + d / 2 * np.log(forms[2])
    at, chains = np.zeros(count, dtype=np.intp), np.arange(count)
    for t, uniform in enumerate(np.log(rng.random((LEAPS, count))), start=1):
        at = np.where(uniform <= heights[:, t] - heights[chains, at], t, at)
    found: Array = y[chains, :, at]
    return found


def _within(matrix: Array, basis: Array) -> Array:
    found: Array = np.swapaxes(basis, 1, 2) @ matrix @ basis
    return found


def _rotations(count: int, k: int, rng: np.random.Generator) -> Array:
    """Orthogonal matrices, uniformly: Q of Gaussians, with the signs of R's diagonal."""
    q, r = np.linalg.qr(rng.standard_normal((count, k, k)))
    turned: Array = q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :]
    return turned
