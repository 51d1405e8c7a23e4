"""The unconditional bound: its exact size, by summing over all outcomes, and what coins tossed once would do."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from dpverify.audit.bounds import clopper_pearson_upper
from dpverify.audit.unconditional import _Search, expected, lower_bound, order

Table = NDArray[np.float64]


def table(n: int, m: int, scale: float, alpha: float, delta: float) -> Table:
    """The bound at each outcome."""
    return np.array([[lower_bound((n, m), (k, j), scale, alpha, delta) for j in range(m + 1)] for k in range(n + 1)])


def errs(bounds: Table, p: float, q: float, epsilon: float) -> float:
    """The probability that the bound is above epsilon."""
    n, m = (size - 1 for size in bounds.shape)
    law = np.outer(stats.binom.pmf(np.arange(n + 1), n, p), stats.binom.pmf(np.arange(m + 1), m, q))
    return float(law[bounds > epsilon].sum())


def largest_error(bounds: Table, delta: float) -> float:
    """Over a grid of q and epsilon at the edge, p = e^epsilon q + delta."""
    found = []
    for q in np.concatenate([np.geomspace(1e-3, 0.5, 40), np.linspace(0.5, 1, 11)]):
        for epsilon in (-1.0, -0.3, 0.0, 0.3, 1.0, 2.0, 3.0):
            p = exp(epsilon) * q + delta
            if p <= 1:
                found.append(errs(bounds, p, float(q), epsilon))
    return max(found)


@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    ("n", "m", "scale", "alpha", "delta"),
    [
        (9, 6, 1.4, 0.1, 0.1),
        (8, 8, 1.0, 0.1, 0.0),
        (5, 14, 1.0, 0.2, 0.0),
        (14, 6, 4.0, 0.05, 0.0),
        (12, 12, 0.3, 0.1, 0.05),
        (20, 20, 1.4, 0.05, 0.0),
    ],
)
def test_it_errs_with_probability_at_most_alpha(n: int, m: int, scale: float, alpha: float, delta: float) -> None:
    bounds = table(n, m, scale, alpha, delta)
    finite = np.where(np.isfinite(bounds), bounds, -99)
    assert (np.diff(finite, axis=0) >= -0.02).all(), "more of the first output never shows less, but for the search"
    assert alpha / 4 < largest_error(bounds, delta) <= alpha, "and a bound that never errs says nothing"


@pytest.mark.slow
def test_a_bound_that_is_larger_by_a_little_errs_too_often() -> None:
    bounds = table(8, 8, 1.0, 0.1, 0.0)
    assert largest_error(bounds + 0.2, 0.0) > 0.1
    assert largest_error(bounds, 0.0) <= 0.1


@pytest.mark.slow
def test_a_bound_that_leaves_nothing_to_delta_errs_too_often() -> None:
    assert largest_error(table(9, 9, 1.0, 0.1, 0.0), 0.2) > 0.1


def test_the_probability_that_is_bounded_is_at_most_said() -> None:
    """The cells' p* against the sum over all outcomes: never above the level, at the cell's lower end."""
    n, m, k, j, scale, alpha, delta = 60, 40, 30, 5, 1.3, 0.05, 0.02
    bound = lower_bound((n, m), (k, j), scale, alpha, delta)
    counts_k, counts_j = np.meshgrid(np.arange(n + 1.0), np.arange(m + 1.0), indexing="ij")
    reached = order(counts_k, counts_j, n * delta, scale, alpha)
    inside = reached >= order(np.array(float(k)), np.array(float(j)), n * delta, scale, alpha)
    assert (np.diff(inside.astype(int), axis=0) >= 0).all()
    assert (np.diff(inside.astype(int), axis=1) <= 0).all()
    largest = []
    for q in np.linspace(1e-3, 0.4, 200):
        p = exp(bound) * q + delta
        if p < 1 and stats.binom.cdf(j, m, q) > 0.0005 and stats.binom.sf(j - 1, m, q) > 0.0005:
            law = np.outer(stats.binom.pmf(np.arange(n + 1), n, p), stats.binom.pmf(np.arange(m + 1), m, q))
            largest.append(float(law[inside].sum()))
    assert 0.8 * alpha < max(largest) <= alpha


def test_known_values() -> None:
    # where the first output is always in, the bound is that of q alone, but for the part of alpha that q's interval has
    alone = -log(clopper_pearson_upper(3, 200, 0.05))
    assert lower_bound((200, 200), (200, 3), 1.0, 0.05) == pytest.approx(alone, abs=0.05)
    assert lower_bound((50, 50), (0, 10), 1.0, 0.05) == -inf
    assert lower_bound((50, 50), (5, 0), 1.0, 0.05, delta=0.1) == -inf
    # of many draws it comes near to the bound of the normal law
    n, p, q = 10**6, 0.5, 0.5 / exp(1)
    spread = np.sqrt((1 - p) / (n * p) + (1 - q) / (n * q))
    found = lower_bound((n, n), (round(n * p), round(n * q)), 1.37, 0.05)
    assert 1 - 1.8 * spread < found < 1 - 1.64 * spread
    assert expected((n, n), (n * p, n * q), 1.37, 0.05, 0.0) == pytest.approx(found, abs=2 * spread)


def test_a_search_that_is_cut_short_still_bounds() -> None:
    """Blocks that are not looked at count as refused: the probability is never told too small."""
    weights = np.array([[0.9, 0.1 - 1e-9, 1e-9]])
    search = _Search(weights, np.array([6.0, 8.0, 11.0]), 10, 0.05)
    at = np.array([0.7])
    p = float(np.sin(0.7) ** 2)
    exact = 0.9 * stats.binom.sf(5, 10, p) + (0.1 - 1e-9) * stats.binom.sf(7, 10, p)
    assert exact + 1e-9 <= search.probability(np.array([0]), at)[0] <= exact + 2e-9
    low = search.largest(np.array([0]), at.copy())
    assert search.probability(np.array([0]), low)[0] <= 0.05


def refuted_after_coins(first: int, second: int, p: float, q: float, alpha: float) -> float:
    """How often log(p/q) is refuted, of so many draws of each output, by the binomial law that fair coins give."""
    share = p / (p + q)
    k, total = np.arange(1, first + 1), 0.0
    for j in range(second + 1):
        if (chance := stats.binom.pmf(j, second, q)) > 1e-9:
            least = np.searchsorted(-special.betainc(k, j + 1, share), -alpha)
            total += chance * stats.binom.sf(least, first, p)  # of k[least] draws and more
    return total


@pytest.mark.slow
def test_coins_that_a_seed_fixes_err_too_often() -> None:
    """Geometric noise, {x <= 0}, 3,200 draws: valid over the coins, and not once they have fallen to 1,669."""
    p, q, alpha = 1 / (1 + exp(-1)), 1 / (1 + exp(1)), 0.02
    assert refuted_after_coins(1669, 1531, p, q, alpha) > 0.2
    over_coins = sum(
        stats.binom.pmf(first, 200, 0.5) * refuted_after_coins(first, 200 - first, p, q, alpha)
        for first in range(70, 131)
    )
    assert over_coins <= alpha
    assert refuted_after_coins(115, 85, p, q, alpha) > 3 * alpha
    # this bound knows how many draws there are of each: at the counts that are likeliest then it does not refute
    assert lower_bound((1669, 1531), (round(1669 * p), round(1531 * q)), 1.6, alpha) < 1
    assert lower_bound((115, 85), (round(115 * p), round(85 * q)), 1.6, alpha) < 1
