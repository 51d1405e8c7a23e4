"""Bounds hold with the stated confidence: not by simulation, but by summing over all outcomes."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from scipy import stats

from dpverify.audit.bounds import (
    Counts,
    Procedure,
    Stakes,
    best_procedure,
    clopper_pearson_lower,
    clopper_pearson_upper,
    epsilon_lower_bound,
    likely_bound,
)

PAIRS = [(0.5, 0.2), (0.3, 0.3), (0.9, 0.5), (0.05, 0.01), (0.999, 0.4), (0.2, 0.0), (1.0, 0.6)]


@pytest.mark.parametrize(("successes", "trials"), [(1, 10), (10, 10), (0, 7), (3, 1000), (997, 1000)])
def test_clopper_pearson_is_that_of_scipy(successes: int, trials: int) -> None:
    interval = stats.binomtest(successes, trials).proportion_ci(0.98, method="exact")
    assert clopper_pearson_lower(successes, trials, 0.01) == pytest.approx(interval.low, rel=1e-10)
    assert clopper_pearson_upper(successes, trials, 0.01) == pytest.approx(interval.high, rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_paired_bounds_err_with_probability_at_most_alpha(p: float, q: float, share: float, delta: float) -> None:
    n, m, alpha = 40, 60, 0.1
    if q == 0:
        return  # the truth is infinite
    truth = log((p - delta) / q) if p > delta else -np.inf
    too_large = sum(
        stats.binom.pmf(k, n, p) * stats.binom.pmf(j, m, q)
        for k in range(n + 1)
        for j in range(m + 1)
        if epsilon_lower_bound(Counts(n, k, m, j), Procedure("paired", share), alpha, delta) > max(0.0, truth)
    )
    assert too_large <= alpha


def test_known_values() -> None:
    nothing = Counts(1000, 0, 1000, 0)
    assert epsilon_lower_bound(nothing, Procedure("paired"), 0.05) == 0
    assert epsilon_lower_bound(nothing, Procedure("unconditional"), 0.05) == 0
    only_first = Counts(1000, 300, 1000, 0)
    # q <= b with (1 - b)^1000 = alpha/2
    low = stats.binomtest(300, 1000).proportion_ci(0.95, method="exact").low
    assert epsilon_lower_bound(only_first, Procedure("paired"), 0.05) == pytest.approx(
        log(low / (1 - 0.025 ** (1 / 1000))), rel=1e-6
    )


@pytest.mark.parametrize(
    ("p", "q", "delta", "method"),
    [
        (0.5, 0.5 / exp(1), 0.0, "unconditional"),
        (1.0, 0.6, 0.0, "paired"),
        (0.6, 0.2, 0.3, "unconditional"),
        (0.05, 0.005, 1e-5, "unconditional"),
    ],
)
def test_the_better_procedure_is_taken(p: float, q: float, delta: float, method: str) -> None:
    n, alpha = 1000, 0.05
    stakes = Stakes((n, n), alpha, delta)
    _, taken = best_procedure(p, q, (n, n), stakes)
    counts = Counts(n, round(n * p), n, round(n * q))
    other = Procedure("unconditional" if taken.method == "paired" else "paired", scale=2.0)
    assert taken.method == method
    assert epsilon_lower_bound(counts, taken, alpha, delta) > epsilon_lower_bound(counts, other, alpha, delta)
    assert likely_bound(counts, taken, alpha, delta) == pytest.approx(
        epsilon_lower_bound(counts, taken, alpha, delta), abs=0.05
    )
