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
)
from dpverify.audit.counting import origins_total

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


@pytest.mark.slow
@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.parametrize("weight", [0.5, 0.2])
def test_conditional_bounds_err_with_probability_at_most_alpha(p: float, q: float, weight: float) -> None:
    draws, alpha = 80, 0.1
    if q == 0:
        return
    cells = [weight * p, (1 - weight) * q, 1 - weight * p - (1 - weight) * q]
    too_large = sum(
        stats.multinomial.pmf([k, j, draws - k - j], draws, cells)
        for k in range(draws + 1)
        for j in range(draws + 1 - k)
        if epsilon_lower_bound(Counts(0, k, 0, j), Procedure("conditional", weight=weight), alpha)
        > max(0.0, log(p / q))
    )
    assert too_large <= alpha
    assert p / q < 1.5 or p < 0.2 or too_large > alpha / 20, "a bound that never errs says nothing"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "q", "delta"), [(0.5, 0.2, 0.01), (0.3, 0.3, 0.02), (0.12, 0.02, 0.002), (0.9, 0.5, 0.1)]
)
@pytest.mark.parametrize("weight", [0.5, 0.2])
@pytest.mark.parametrize("spared", [0, 1, 3])
def test_draws_left_to_delta_keep_the_level(p: float, q: float, delta: float, weight: float, spared: int) -> None:
    """The worst case: all that P has beyond e^epsilon Q lies in the event."""
    draws, alpha = 60, 0.15
    cells = [weight * p, (1 - weight) * q, 1 - weight * p - (1 - weight) * q]
    procedure, truth = Procedure("conditional", weight=weight, spared=spared), max(0.0, log((p - delta) / q))
    too_large = sum(
        stats.multinomial.pmf([k, j, draws - k - j], draws, cells)
        for k in range(draws + 1)
        for j in range(draws + 1 - k)
        if epsilon_lower_bound(Counts(draws // 2, k, draws // 2, j), procedure, alpha, delta) > truth
    )
    assert too_large <= alpha


@pytest.mark.slow
def test_a_bound_that_leaves_nothing_to_delta_would_err_too_often() -> None:
    draws, alpha, p, q, delta = 300, 0.1, 0.3, 0.1, 0.1
    truth, limit = log((p - delta) / q), stats.binom.isf(1e-9, draws, 0.3)
    cells = [p / 2, q / 2, 1 - (p + q) / 2]
    too_large = sum(
        stats.multinomial.pmf([k, j, draws - k - j], draws, cells)
        for k in range(int(limit))
        for j in range(int(limit))
        if epsilon_lower_bound(Counts(draws // 2, k, draws // 2, j), Procedure("conditional"), alpha) > truth
    )
    assert too_large > alpha


def test_the_same_data_with_a_wrong_weight_would_err_too_often() -> None:
    draws, alpha, weight, p = 80, 0.1, 0.7, 0.5
    cells = [weight * p, (1 - weight) * p, 1 - p]
    too_large = sum(
        stats.multinomial.pmf([k, j, draws - k - j], draws, cells)
        for k in range(draws + 1)
        for j in range(draws + 1 - k)
        if epsilon_lower_bound(Counts(0, k, 0, j), Procedure("conditional", weight=0.5), alpha) > 0
    )
    assert too_large > alpha


def test_known_values() -> None:
    nothing = Counts(1000, 0, 1000, 0)
    assert epsilon_lower_bound(nothing, Procedure("paired"), 0.05) == 0
    assert epsilon_lower_bound(nothing, Procedure("conditional"), 0.05) == 0
    only_first = Counts(1000, 300, 1000, 0)
    # of 300 draws none came from the second output: c^300 = alpha
    c = 0.05 ** (1 / 300)
    assert epsilon_lower_bound(only_first, Procedure("conditional"), 0.05) == pytest.approx(log(c / (1 - c)), rel=1e-6)
    # q <= b with (1 - b)^1000 = alpha/2
    low = stats.binomtest(300, 1000).proportion_ci(0.95, method="exact").low
    assert epsilon_lower_bound(only_first, Procedure("paired"), 0.05) == pytest.approx(
        log(low / (1 - 0.025 ** (1 / 1000))), rel=1e-6
    )


@pytest.mark.parametrize(
    ("p", "q", "delta", "method"),
    [
        (0.5, 0.5 / exp(1), 0.0, "conditional"),
        (1.0, 0.6, 0.0, "paired"),
        (0.5, 0.2, 0.3, "paired"),
        (0.05, 0.005, 1e-5, "conditional"),
    ],
)
def test_the_better_procedure_is_taken(p: float, q: float, delta: float, method: str) -> None:
    assert best_procedure(p, q, (1000.0, 1000.0), Stakes((1000.0, 1000.0), 1.0, 0.05, delta))[1].method == method


@pytest.mark.parametrize(("first", "second", "weight"), [(1000, 1000, 0.5), (400, 5000, 400 / 5400), (80, 80, 0.5)])
def test_random_origins_ask_for_more_rows_than_there_are_as_rarely_as_said(
    first: int, second: int, weight: float
) -> None:
    total = origins_total(first, second, weight, 1e-4)
    law, mirrored = stats.binom(total, weight), stats.binom(total, 1 - weight)
    assert law.sf(first) + mirrored.sf(second) <= 1e-4
    assert 0.7 * (first + second) < total < first + second
