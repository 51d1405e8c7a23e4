"""The exact lower bound on epsilon from an event's counts under two outputs, for fixed numbers of draws.

*Precondition.* k of n draws of the first output and j of m draws of the second lie in an event; draws are independent,
with probabilities p and q; n, m, delta, alpha and `scale` were settled before they were seen; p <= e^epsilon q + delta.

*Statement.* P(L(k, j) > epsilon) <= alpha, at every n and m: no coin is tossed and no limit theorem used.

Order the outcomes by T(k, j), the alpha-quantile of Beta(scale (k - n delta)_+, scale j + 1): it does not fall with k
nor rise with j. Let R(t) = {T >= t}, C(j) be the Clopper-Pearson interval of q at level gamma = PART alpha, and

    L(k, j) = inf { log((p - delta)/q) : q in C(j), P_{p,q}(R(T(k, j))) > alpha - gamma }.

*Proof.* With probability at most gamma the true q is outside C(j). If it is inside and L(k, j) > epsilon, then the true
(p, q) is not among those of the infimum, its log((p - delta)/q) being at most epsilon; so P_{p,q}(R(T(k, j))) <=
alpha - gamma. The sets R(t) shrink as t grows and T has finitely many values; let t* be the least one with
P_{p,q}(R(t*)) <= alpha - gamma. Then T(k, j) >= t*, which has probability at most alpha - gamma. QED
(Buehler 1957, limits by a designated statistic; Berger and Boos 1994, the interval of the nuisance parameter; Chan
and Zhang 1999, two binomials.)

*Computation.* Raising one draw of the first output into the event, or one of the second out of it, leads from R(t)
into R(t) alone, so that P_{p,q}(R(t)) does not fall with p nor rise with q (coupling). C(j) is cut into cells [a, b]:
let p* have P_{p*,a}(R) <= alpha - gamma. A p that counts for some q of the cell has P_{p,a}(R) > alpha - gamma, so
that p > p* and log((p - delta)/q) >= log((p* - delta)/b); where P_{1,a}(R) <= alpha - gamma no p counts. With g(j) the
least k for which (k, j) is in R, P(R) = sum_j P(J = j) P(K >= g(j)), and over a block of j that starts at s,
P(K >= g(j)) <= P(K >= g(s)). Cells and blocks only lower the bound. What `scale` does is efficiency alone: with 1, T
orders as for Poisson counts; binomial ones of large p and q vary less.
"""

from __future__ import annotations

from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
Whole = NDArray[np.intp]
PART = 0.02
"""gamma in parts of alpha."""
CELLS, BLOCKS = 128, 160
TAIL = 1e-4
"""The probability, in parts of alpha, that j lies beyond the blocks of its likely values, on either side."""
NEAR = 2e-3
"""How near to the level, in parts of it, the probability at p* is to come."""
ROUNDS, TINY = 60, 1e-12
STRIDE = 8
"""Of so many cells one is looked at first, and between them p* is guessed at."""
HARDLY = 1e-6
"""Blocks of a smaller probability, in parts of the level, are not looked at."""
ROUNDING = 1e-9
"""By how much probabilities are taken to be larger, in parts of them, than the special functions say."""
LEEWAY = 1e-5
"""By how much outcomes may lie below the observed one and still be in R, for the rounding of T where it is near 1."""
TOP = pi / 2


def order(k: Array, j: Array, excess: float, scale: float, alpha: float) -> Array:
    """T(k, j); `excess` is n delta."""
    a = scale * np.maximum(k - excess, 0.0)
    with np.errstate(all="ignore"):
        return np.where(a > 0, special.betaincinv(np.maximum(a, 1e-300), scale * j + 1, alpha), 0.0)


def expected(
    draws: tuple[float, float], inside: tuple[float, float], scale: float, alpha: float, delta: float
) -> float:
    """About the bound for these counts, which need not be whole: to choose events and `scale` by."""
    (n, m), (k, j) = draws, inside
    a, b = scale * (k - n * delta), scale * j + 1
    if a <= 0:
        return 0.0
    c, rest = float(special.betaincinv(a, b, alpha)), float(special.betainccinv(b, a, alpha))
    return log(c / rest) - log(n / m) if c > 0 else 0.0


def lower_bound(
    draws: tuple[int, int], inside: tuple[int, int], scale: float, alpha: float, delta: float = 0.0
) -> float:
    """L for so many draws of both outputs, of which so many lie in the event; -inf where nothing is shown."""
    (n, m), (k, j) = draws, inside
    if k <= n * delta:
        return -np.inf
    gamma = PART * alpha
    edges = _evenly(*_interval(j, m, gamma), CELLS)
    starts = _starts(m, float(edges[0]), float(edges[-1]), TAIL * alpha)
    least = _least(starts, k, j, n, delta, scale, alpha)
    weights = _weights(starts, m, edges[:-1])
    level = alpha - gamma
    reachable = weights[:, least <= n].sum(axis=1) * (1 + ROUNDING) > level  # else P(R) is small for p = 1 too
    if not reachable.any():
        return log((1 - delta) / float(edges[0]))
    cells = np.flatnonzero(reachable)
    some = np.unique(np.append(cells[::STRIDE], cells[-1]))
    search = _Search(weights, least, n, level)
    rough = search.largest(some, np.full(len(some), np.arcsin(np.sqrt(k / n))))
    excess = np.sin(search.largest(cells, np.interp(cells, some, rough))) ** 2 - delta
    return float(np.min(np.log(excess / edges[cells + 1]))) if (excess > 0).all() else -np.inf


def _interval(j: int, m: int, gamma: float) -> tuple[float, float]:
    low = float(special.betaincinv(j, m - j + 1, gamma / 2)) if j > 0 else 0.0
    high = float(special.betainccinv(j + 1, m - j, gamma / 2)) if j < m else 1.0
    return low, high


def _evenly(low: float, high: float, pieces: int) -> Array:
    """From low to high in steps that are about as many standard deviations of a binomial share."""
    edges = np.sin(np.linspace(np.arcsin(np.sqrt(low)), np.arcsin(np.sqrt(high)), pieces + 1)) ** 2
    edges[0], edges[-1] = low, high
    return np.asarray(edges)


def _starts(m: int, low: float, high: float, tail: float) -> Array:
    """Where the blocks of j start: one of all that are unlikely small, many, one of all that are unlikely large."""
    first = max(0.0, float(np.floor(special.bdtrik(tail, m, low)))) if low > 0 else 0.0
    last = min(float(m), float(np.ceil(special.bdtrik(1 - tail, m, high)))) if high < 1 else float(m)
    inner = np.round(m * _evenly(first / m, max(first, last) / m, BLOCKS))
    return np.unique(np.concatenate([[0.0], inner]))


def _least(starts: Array, k: int, j: int, n: int, delta: float, scale: float, alpha: float) -> Array:
    """g at each start: the least count of the first output that is in R, n + 1 for none."""
    # T(k', j') >= T(k, j) = t just where the distribution function of (k', j') at t is at most alpha
    t = order(np.array(float(k)), np.array(float(j)), n * delta, scale, alpha)
    low, high = np.full(len(starts), np.floor(n * delta)), np.full(len(starts), n + 1.0)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        a = scale * np.maximum(middle - n * delta, 1e-300)
        within = special.betainc(a, scale * starts + 1, t) <= alpha * (1 + LEEWAY)
        high, low = np.where(within, middle, high), np.where(within, low, middle)
    return high


def _weights(starts: Array, m: int, shares: Array) -> Array:
    """The probability of each block of j, of shape (shares, blocks)."""
    below = special.bdtr(starts[None, 1:] - 1, m, shares[:, None])
    return np.diff(below, axis=1, prepend=0.0, append=1.0)


class _Search:
    """p* of each cell, as the arc sine of its root: there P(R) was found to be no larger than the level."""

    def __init__(self, weights: Array, least: Array, n: int, level: float) -> None:
        self.weights, self.least, self.n, self.level = weights, least, n, level
        self.aim = float(special.ndtri(level * (1 - NEAR / 2)))

    def probability(self, cells: Whole, at: Array) -> Array:
        """P(R) at most; blocks that are hardly ever met are taken to lie in R."""
        weights, share = self.weights[cells], np.sin(at) ** 2
        row, block = np.nonzero(weights > HARDLY * self.level)
        met = weights[row, block] * special.bdtrc(self.least[block] - 1, self.n, share[row])
        rare = np.where(weights > HARDLY * self.level, 0.0, weights).sum(axis=1)
        return np.asarray((rare + np.bincount(row, met, len(cells))) * (1 + ROUNDING))

    def largest(self, cells: Whole, at: Array) -> Array:
        """From a guess for each of these cells, by secants within brackets."""
        low, high = np.zeros(len(cells)), np.full(len(cells), TOP)
        rise, last, seen = np.full(len(cells), 2 * np.sqrt(self.n)), at, np.full(len(cells), np.nan)
        left = np.arange(len(cells))
        for turn in range(ROUNDS):
            reached = self.probability(cells[left], at[left])
            within = reached <= self.level
            low[left[within]], high[left[~within]] = at[left[within]], at[left[~within]]
            near = within & (reached >= self.level * (1 - NEAR))
            height = special.ndtri(np.clip(reached, 1e-300, 1 - 1e-16))
            with np.errstate(all="ignore"):
                slope = (height - seen[left]) / (at[left] - last[left])
            rise[left] = np.where(slope > 0, slope, rise[left])  # not where there is none
            last[left], seen[left] = at[left], height
            guess = at[left] + (self.aim - height) / rise[left]
            inside = (guess > low[left]) & (guess < high[left]) & (turn % 4 < 3)
            at[left] = np.where(inside, guess, (low[left] + high[left]) / 2)
            left = left[~near & (high[left] - low[left] > TINY)]
            if not len(left):
                break
        return low
