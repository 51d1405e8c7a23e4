"""Subspaces: projections, a basis for each, how near one is to the best. Awan and others (2019), Section 6.1."""

from __future__ import annotations

import numpy as np

from dpverify.mechanisms.mechanism import Array


def projection(v: Array) -> Array:
    """V V' for orthonormal columns; leading axes are carried along."""
    found: Array = v @ np.swapaxes(v, -1, -2)
    return found


def canonical(v: Array) -> Array:
    """The orthonormal basis that depends on the span alone: Gram and Schmidt on the projections of e_1, ..., e_k."""
    k = v.shape[-1]
    q, r = np.linalg.qr(projection(v)[..., :, :k])
    found: Array = q * np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)[..., None, :]
    return found


def leading(rows: Array, k: int) -> Array:
    """The span of the first k principal components of the rows (about 0), which is not private: m x k."""
    values, vectors = np.linalg.eigh(rows.T @ rows)
    found: Array = vectors[:, np.argsort(values)[::-1][:k]]
    return found


def variance_ratio(rows: Array, v: Array) -> Array:
    """||X' P~ X||_F^2 / ||X' P^ X||_F^2, the records being the columns of X: 1 for the best P~. Rows are records."""
    second = rows.T @ rows
    best = _energy(second, leading(rows, v.shape[-1]))
    return _energy(second, v) / best


def explained(rows: Array, v: Array) -> Array:
    """sum ||P~ X_i||^2 / sum ||P^ X_i||^2, the ratio of variances that the words of the paper suggest."""
    second = rows.T @ rows
    best = leading(rows, v.shape[-1])
    found: Array = np.einsum("...mk,mn,...nk->...", v, second, v) / np.trace(best.T @ second @ best)
    return found


def subspace_norm(rows: Array, v: Array) -> Array:
    """||P~ - P^||_F^2 / 2 = k - ||V~' V^||_F^2: how many dimensions the two disagree in, from 0 to k."""
    shared = np.swapaxes(v, -1, -2) @ leading(rows, v.shape[-1])
    found: Array = v.shape[-1] - (shared**2).sum(axis=(-1, -2))
    return found


def _energy(second: Array, v: Array) -> Array:
    inner = np.swapaxes(v, -1, -2) @ second @ v
    found: Array = (inner**2).sum(axis=(-1, -2))
    return found
