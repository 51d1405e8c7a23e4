"""The scores that compete for an audit, fitted to the first lot of a pilot where they have to be."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np

from dpverify.audit.outcomes import EXACT, Outcomes, integer, joined
from dpverify.audit.scores import (
    Array,
    Atoms,
    Coordinate,
    Decimals,
    Distance,
    Lattice,
    Learned,
    Linear,
    Offset,
    Score,
    Special,
    Valuation,
    features,
)

COORDINATES = 16
"""Coordinates that get scores of their own; the norms and the learned score see all of them."""
MOST_ATOMS = 1000
FEW_FEATURES = 300
FEWEST_NUMBERS = 20
"""Rows of numbers that scores are fitted to at least."""


def plain_scores(dimension: int, leaks: bool) -> Iterator[Score]:
    """Scores that need no fitting: coordinates, the norm, and (`leaks`) the bits and decimals of coordinates."""
    for index in range(min(dimension, COORDINATES)):
        yield Coordinate(index)
        yield Special(index)
        if leaks:
            yield Valuation(index)
            yield Decimals(index)
    yield Distance((0.0,) * dimension)
    if leaks and dimension > 1:
        yield Valuation(None)


def fitted_scores(p: Outcomes, q: Outcomes, leaks: bool) -> Iterator[Score]:
    """Scores fitted to samples of P and Q.

    Projections and one that is learned, on the outputs that are numbers; values seen before; and
    (`leaks`) lattices through them.
    """
    yield atoms(p, q)
    if p.dimension > 1:
        for index in range(min(p.dimension, COORDINATES)):
            if not (np.isfinite(p.numbers[:, index]).all() and np.isfinite(q.numbers[:, index]).all()):
                yield atoms(p, q, index)
    for index in range(min(p.dimension, COORDINATES)):
        yield from _offsets(index, p)
    x, y = p.numbers[p.finite], q.numbers[q.finite]
    if min(len(x), len(y)) < FEWEST_NUMBERS:
        return
    yield from _projections(x, y)
    learned = learn(x, y)
    if learned is not None:
        yield learned
    if leaks:
        for index in range(min(p.dimension, COORDINATES)):
            yield from _lattices(index, x[:, index])
            yield from _lattices(index, y[:, index])


def _offsets(index: int, p: Outcomes) -> Iterator[Score]:
    """Whole numbers beyond what floats hold, told from their median."""
    if p.values is None:
        return
    whole = sorted(k for k in map(integer, p.values[:, index]) if k is not None)
    if whole and max(abs(whole[0]), abs(whole[-1])) > EXACT:
        yield Offset(index, str(whole[len(whole) // 2]))


def _lattices(index: int, x: Array) -> Iterator[Score]:
    """Lattices through a value that was seen: of powers of two, and of the smallest gap between values."""
    if x[0] != 0:
        yield Valuation(index, float(x[0]))
    values = np.unique(x)
    gaps = np.diff(values)
    gaps = gaps[gaps > 1e-12 * np.abs(values).max()]
    if len(gaps):
        yield Lattice(index, float(x[0]), float(gaps.min()))


def atoms(p: Array | Outcomes, q: Array | Outcomes, index: int | None = None) -> Atoms:
    """Each output in the pilot, by how much more often P gave it than Q; the most frequent ones of many."""
    whole = joined([x if isinstance(x, Outcomes) else Outcomes(x) for x in (p, q)])
    seen = whole if index is None else whole.column(index)
    _, first, inverse = np.unique(seen.keys, return_index=True, return_inverse=True)
    of_p = np.bincount(inverse[: len(p)], minlength=len(first))
    of_q = np.bincount(inverse[len(p) :], minlength=len(first))
    frequent = np.sort(np.argsort(-(of_p + of_q), kind="stable")[:MOST_ATOMS])
    weights = np.log((of_p[frequent] + 0.5) / (of_q[frequent] + 0.5)) - log(len(p) / len(q))
    shown = seen[first[frequent]]
    rows = [(t,) if t else tuple(row) for t, row in zip(shown.texts, (shown.numbers + 0.0).tolist(), strict=True)]
    return Atoms(tuple(rows), tuple(weights.tolist()), index)


def _projections(p: Array, q: Array) -> Iterator[Score]:
    """The linear discriminant and Mahalanobis distances, by a covariance robust to heavy tails."""
    d = p.shape[1]
    if len(p) <= 2 * d or len(q) <= 2 * d:
        return
    centres = np.median(p, axis=0), np.median(q, axis=0)
    pooled = np.concatenate([p - centres[0], q - centres[1]])
    lengths = np.sqrt(np.einsum("ij,ij->i", pooled, pooled))
    usual = pooled[lengths <= 3 * np.median(lengths)]
    covariance = np.atleast_2d(np.cov(usual, rowvar=False))
    try:
        whitening = np.linalg.inv(np.linalg.cholesky(covariance))
    except np.linalg.LinAlgError:
        return
    if not np.isfinite(whitening).all():
        return
    if d > 1:
        weights = whitening.T @ whitening @ (centres[1] - centres[0])
        if np.any(weights):
            yield Linear(tuple(weights.tolist()))
    for centre in centres:
        yield Distance(tuple(centre.tolist()), tuple(map(tuple, whitening.tolist())))


def learn(p: Array, q: Array) -> Learned | None:
    """A logistic regression that tells P from Q; None where every coordinate is constant."""
    import warnings

    from sklearn.linear_model import LogisticRegression

    x = np.concatenate([p, q])
    scales = np.quantile(np.abs(x - np.median(x, axis=0)), 0.5, axis=0)
    if not scales.all():
        return None
    centres = tuple(np.median(p, axis=0).tolist()), tuple(np.median(q, axis=0).tolist())
    columns = np.column_stack(features(x, centres, tuple(scales.tolist())))
    spread = columns.std(axis=0)
    if not np.isfinite(spread).all():
        return None
    spread[spread == 0] = 1.0
    standardised = (columns - columns.mean(axis=0)) / spread
    # one outlier must not outweigh the rest of the pilot
    standardised = np.clip(standardised, -20, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solver = "newton-cholesky" if columns.shape[1] <= FEW_FEATURES else "lbfgs"
        model = LogisticRegression(C=10.0, solver=solver, max_iter=100).fit(
            standardised, np.repeat([1, 0], [len(p), len(q)])
        )
    return Learned((centres[0], centres[1]), tuple(scales.tolist()), tuple((model.coef_[0] / spread).tolist()))
