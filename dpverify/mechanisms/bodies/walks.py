"""Hit and run: a random walk whose law tends to the uniform one, and what tells whether it is there yet.

From a point a direction is drawn, and the next point is uniform on the chord (Hall 2012, Section 4.4.4, after Vempala
2005). Several chains start at the origin. Their agreement is told by R-hat, which compares the variance between
half-chains with that within, and by the effective sample size (Gelman and others, Bayesian Data Analysis, 11.4 and
11.5). Both can only warn: that a chain has mixed is never proved by it. A sampler within eta of the uniform law in
total variation is (epsilon, (1 + e^epsilon) eta)-private where the uniform law is epsilon-private.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np

from dpverify.mechanisms.mechanism import Array

Chord = Callable[[Array, Array], tuple[float, float]]
CHAINS = 4
EASE, AGREE = 10, 1.05


@dataclass(frozen=True)
class Walked:
    """Points of the chains one after the other, with their diagnostics: the worst coordinate's."""

    points: Array
    r_hat: float
    effective: float

    @property
    def agrees(self) -> bool:
        """Whether the chains look alike: R-hat at most 1.05."""
        return self.r_hat <= AGREE


def walk(chord: Chord, dimension: int, size: int, rng: np.random.Generator, thin: int | None = None) -> Walked:
    """So many points, in four chains of equal length, every `thin`-th kept (10 d by default), as many left out first.

    Several points of one chain depend on each other: a release takes one.
    """
    step = EASE * dimension if thin is None else thin
    length = ceil(size / CHAINS) if size > 1 else 1
    chains = []
    for _ in range(CHAINS if size > 1 else 1):
        at, kept = np.zeros(dimension), np.empty((length, dimension))
        for i in range(-EASE, length * step):
            if i < 0:
                for _ in range(step):
                    at = _next(chord, at, rng)
            else:
                at = _next(chord, at, rng)
                if (i + 1) % step == 0:
                    kept[i // step] = at
        chains.append(kept)
    all_ = np.array(chains)
    r_hat, effective = diagnostics(all_)
    return Walked(np.asarray(all_.reshape(-1, dimension)[:size]), r_hat, effective)


def _next(chord: Chord, at: Array, rng: np.random.Generator) -> Array:
    direction = rng.standard_normal(len(at))
    direction /= np.sqrt(direction @ direction)
    low, high = chord(at, direction)
    return np.asarray(at + rng.uniform(low, high) * direction)


def diagnostics(chains: Array) -> tuple[float, float]:
    """The largest R-hat and the smallest effective sample size of the coordinates; shape chains x length x d.

    Both are nan for fewer than four points a chain.
    """
    _, length, dimension = chains.shape
    half = length // 2
    if half < 2:
        return float("nan"), float("nan")
    split = np.concatenate([chains[:, :half], chains[:, half : 2 * half]])
    within = split.var(axis=1, ddof=1).mean(axis=0)
    between = half * split.mean(axis=1).var(axis=0, ddof=1)
    variance = (half - 1) / half * within + between / half
    r_hat = np.sqrt(variance / within)
    effective = [_effective(split[:, :, i], variance[i]) for i in range(dimension)]
    return float(r_hat.max()), float(min(effective))


def _effective(chains: Array, variance: float) -> float:
    """m n / (1 + 2 sum of autocorrelations), summed while pairs of neighbours stay positive (Geyer)."""
    m, n = chains.shape
    correlations = [1 - float(((chains[:, t:] - chains[:, : n - t]) ** 2).mean()) / (2 * variance) for t in range(1, n)]
    total = 0.0
    for one, two in zip(correlations[::2], correlations[1::2], strict=False):
        if one + two <= 0:
            break
        total += one + two
    return min(m * n / (1 + 2 * total), float(m * n))
