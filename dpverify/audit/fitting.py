"""The scores that compete for an audit, fitted to the first lot of a pilot where they have to be."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log, log10

import numpy as np

from dpverify.audit.outcomes import EXACT, Outcomes, integer, joined
from dpverify.audit.scores import (
    Array,
    Atoms,
    Coordinate,
    Decimals,
    Distance,
    Fineness,
    Lattice,
    Learned,
    Linear,
    Offset,
    Score,
    Significant,
    Special,
    Valuation,
    features,
)

COORDINATES = 16
"""Coordinates that get scores of their own; the norms and the learned score see all of them."""
Lot = tuple[Outcomes, Outcomes]
MOST_ATOMS = 1000
FEWEST_REPEATS = 8
RIDGE = 10.0
"""The variance that the ridge of a logistic regression grants a weight."""
LATTICE = 0.2
"""The share of numbers with the same lowest bit from which on they lie on a lattice."""
FEWEST_NUMBERS = 20
"""Rows of numbers that scores are fitted to at least."""


def is_discrete(x: Outcomes) -> bool:
    """Whether few different outcomes are all there are, so that values seen before tell of the law, not of floats."""
    return len(np.unique(x.keys)) <= min(MOST_ATOMS, len(x) // FEWEST_REPEATS)


def plain_scores(dimension: int) -> Iterator[Score]:
    """Scores of the law that need no fitting: coordinates, whether they are numbers, and the norm."""
    for index in range(min(dimension, COORDINATES)):
        yield Coordinate(index)
        yield Special(index)
    yield Distance((0.0,) * dimension)


Centres = tuple[tuple[float, ...], tuple[float, ...]]


def fitted_scores(p: Outcomes, q: Outcomes, discrete: bool, centres: Centres | None = None) -> Iterator[Score]:
    """Scores of the law, fitted to samples of P and Q, which lie around the centres, if these are known.

    Projections and one that is learned, on the outputs that are numbers; values seen before, where
    outcomes are `discrete` or no numbers.
    """
    if discrete or not (p.finite.all() and q.finite.all()):
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
    radial = [learn(x, y, centres, radial=True)] if x.shape[1] > 1 else []
    yield from (learned for learned in (learn(x, y), *radial) if learned is not None)


def bit_scores(p: Outcomes, q: Outcomes, centres: Centres | None = None) -> Iterator[Score]:
    """Scores of how numbers are represented that need no fitting: low bits, decimals, significant bits, fineness.

    The last two are counted from 0 and from the centres, or from round numbers near the medians; not where outputs lie
    on a lattice, whose bits tell how far out a number is and nothing else.
    """
    whole = joined([p, q]).numbers
    for index in range(min(p.dimension, COORDINATES)):
        yield Valuation(index)
        yield Decimals(index)
        places = [c[index] for c in centres] if centres else [_round_median(x.numbers[:, index]) for x in (p, q)]
        origins = sorted({0.0, *places})
        around = (Significant(index, origin) for origin in origins)
        yield from (score for score in around if not _on_a_lattice(score.lowest(whole)))
        if not _on_a_lattice(Valuation(index)(whole)):
            yield from (Fineness(index, origin) for origin in origins)
    if p.dimension > 1:
        yield Valuation(None)


def fitted_bit_scores(p: Outcomes, q: Outcomes) -> Iterator[Score]:
    """Scores of how numbers are represented, fitted to samples of P and Q: lattices, repeated values."""
    yield atoms(p, q)
    x, y = p.numbers[p.finite], q.numbers[q.finite]
    if min(len(x), len(y)) >= FEWEST_NUMBERS:
        for index in range(min(p.dimension, COORDINATES)):
            yield from _lattices(index, x[:, index])
            yield from _lattices(index, y[:, index])


def _on_a_lattice(lowest: Array) -> bool:
    """On one half of all numbers have the same lowest bit; in floating point it moves with the number."""
    return bool(np.mean(lowest == np.nanmin(lowest)) > LATTICE)


def _round_median(x: Array) -> float:
    """The median, in decimals as coarse as the samples' spread."""
    middle = float(np.nanmedian(x))
    spread = float(np.nanmedian(np.abs(x - middle)))
    return round(middle, -floor(log10(spread))) if np.isfinite(middle) and 1e-300 < spread < 1e300 else 0.0


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


def learn(p: Array, q: Array, centres: Centres | None = None, radial: bool = False) -> Learned | None:
    """A logistic regression that tells P from Q; None where every coordinate is constant.

    Without centres the medians stand for them.
    """
    x = np.concatenate([p, q])
    scales = np.quantile(np.abs(x - np.median(x, axis=0)), 0.5, axis=0)
    if not scales.all():
        return None
    if radial:
        scales = np.full(x.shape[1], np.median(scales))
    if centres is None:
        centres = tuple(np.median(p, axis=0).tolist()), tuple(np.median(q, axis=0).tolist())
    columns = np.column_stack(features(x, centres, tuple(scales.tolist()), radial))
    spread = columns.std(axis=0)
    if not np.isfinite(spread).all():
        return None
    spread[spread == 0] = 1.0
    standardised = (columns - columns.mean(axis=0)) / spread
    # one outlier must not outweigh the rest of the pilot
    standardised = np.clip(standardised, -20, 20)
    weights = logistic(standardised, np.repeat([1.0, -1.0], [len(p), len(q)]))
    return Learned(centres, tuple(scales.tolist()), tuple((weights / spread).tolist()), radial)


def logistic(columns: Array, signs: Array) -> Array:
    """The weights, without the intercept, of a logistic regression of signs -1 and 1 with the ridge |w|^2/(2 RIDGE)."""
    from scipy.optimize import minimize
    from scipy.special import expit

    def loss(weights: Array) -> tuple[float, Array]:
        slopes, margins = weights[:-1], signs * (columns @ weights[:-1] + weights[-1])
        pull = -signs * expit(-margins)
        value = np.logaddexp(0.0, -margins).sum() + slopes @ slopes / (2 * RIDGE)
        return float(value), np.append(columns.T @ pull + slopes / RIDGE, pull.sum())

    found: Array = minimize(loss, np.zeros(columns.shape[1] + 1), jac=True, method="L-BFGS-B").x[:-1]
    return found
