"""Exact draws from Bingham laws on the sphere, many at once."""

from __future__ import annotations

import numpy as np

from dpverify.mechanisms.mechanism import Array

NEWTON, TOGETHER = 40, 8


def bingham(matrices: Array, rng: np.random.Generator) -> Array:
    """One unit vector z for each symmetric matrix A, with density proportional to exp(z' A z).

    Kent, Ganeiber and Mardia (2018): with x = z'(lambda_max - A)z >= 0 and any b > 0, exp(-x) is at most a constant
    times (1 + 2 x/b)^(-d/2), the density of an angular central Gaussian law, from which z is proposed; so no chain has
    to mix.

    Args:
        matrices: N x d x d.

    Returns:
        N x d.
    """
    values = np.linalg.eigvalsh(matrices)
    top = values[:, -1]
    decay = top[:, None] - values
    count, d = decay.shape
    b = _tuned(decay)
    form = top[:, None, None] * np.eye(d) - matrices
    root = np.swapaxes(np.linalg.cholesky(np.eye(d) + 2 / b[:, None, None] * form), 1, 2)
    largest = (b - d) / 2 + d / 2 * np.log(d / b)
    found = np.empty((count, d))
    left = np.arange(count)
    while left.size:
        z = np.linalg.solve(root[left], rng.standard_normal((left.size, d, TOGETHER)))
        z /= np.linalg.norm(z, axis=1)[:, None, :]
        x = (z * (form[left] @ z)).sum(axis=1)
        height = d / 2 * np.log1p(2 * x / b[left][:, None]) - x - largest[left][:, None]
        accepted = np.log(rng.random(height.shape)) <= height
        hit = accepted.any(axis=1)
        found[left[hit]] = z[hit, :, accepted[hit].argmax(axis=1)]
        left = left[~hit]
    return found


def _tuned(decay: Array) -> Array:
    """The b in [1, d] with the most proposals accepted: sum 1/(b + 2 decay_i) = 1; Newton's steps from 1 rise."""
    b = np.ones(len(decay))
    for _ in range(NEWTON):
        terms = 1 / (b[:, None] + 2 * decay)
        step = (terms.sum(axis=1) - 1) / (terms**2).sum(axis=1)
        b += step
        if np.all(step <= 1e-9 * b):
            break
    return b
