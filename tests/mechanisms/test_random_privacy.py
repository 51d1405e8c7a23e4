"""Random differential privacy: how often it fails, against enumeration; what holds where it does not fail."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pytest
from scipy import integrate, stats

from dpverify.audit import Mechanism as Audited
from dpverify.audit import audit
from dpverify.errors import InputError
from dpverify.mechanisms import EmpiricalMean, RandomHistogram, RandomProportion
from dpverify.mechanisms.hall import smooth_delta

SHARE = RandomProportion(200, epsilon=1, gamma="1/20")
EMPTY = RandomHistogram(range(4), 400, epsilon=1, gamma="1/10")
SMALL = RandomHistogram(range(4), 400, epsilon=1, gamma="1/10", rule="small")
MEAN = EmpiricalMean(8000, epsilon=1, gamma="1/10", beta="1/20")


def test_the_failure_of_a_share_against_enumeration() -> None:
    mechanism, p = RandomProportion(8, epsilon=1, gamma="1/2"), 0.2
    chance = 0.0
    for record in product((0, 1), repeat=9):
        one, two = record[:8], (*record[:7], record[8])
        if mechanism.fails(one, two):
            chance += p ** sum(record) * (1 - p) ** (9 - sum(record))
    assert mechanism.failure(p).probability == pytest.approx(chance, rel=1e-12)


def test_no_law_fails_more_often_than_gamma() -> None:
    assert max(SHARE.failure(p).at_most for p in np.linspace(0, 1, 401)) <= 1 / 20
    for law in ([0.97, 0.01, 0.01, 0.01], [0.999, 0.001, 0, 0], [0.25] * 4):
        for mechanism in (EMPTY, SMALL):
            assert mechanism.failure(law, 2000).at_most <= 1 / 10


def test_the_failure_of_a_histogram_against_the_binomial_law() -> None:
    """Two cells, the empty one released: the pair fails where one of two records is alone in its cell."""
    mechanism, p = RandomHistogram("ab", 50, epsilon=1, gamma="1/10"), 0.01
    exact = 2 * p * (1 - p) * ((1 - p) ** 49 + p**49)
    found = mechanism.failure([1 - p, p], 20_000)
    assert abs(found.probability - exact) < 5 * (exact / 20_000) ** 0.5
    assert found.failed is not None and found.probability < found.at_most


def test_which_cells_are_released_as_they_are() -> None:
    assert EMPTY.safe([397, 2, 1, 0]).tolist() == [False, False, False, True]
    assert SMALL.safe([388, 7, 5, 0]).tolist() == [False, False, True, True]  # 6/400 <= 1/60 < 8/400
    few = RandomHistogram(range(4), 79, epsilon=1, gamma="1/10")  # 2d = 8 > 7.9
    assert not few.safe([79, 0, 0, 0]).any()
    assert EMPTY.risk([397, 2, 1, 0]) == pytest.approx(3 * 2 / 400)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [SHARE, EMPTY, SMALL, MEAN])
def test_what_holds_passes_the_audit_and_what_fails_is_caught(mechanism: RandomProportion) -> None:
    settings = {"claim": mechanism.epsilon, "delta": mechanism.delta, "seed": 1}
    good = audit(Audited(2000, mechanism.samples, neighbours=mechanism.worst_pair()), **settings)
    assert good.verdict == "consistent"
    bad = audit(Audited(2000, mechanism.samples, neighbours=mechanism.failing_pair()), **settings)
    assert bad.verdict == "violated"
    assert np.any(mechanism.fails(*mechanism.failing_pair())) and not np.any(mechanism.fails(*mechanism.worst_pair()))


@pytest.mark.slow
def test_the_exact_delta_of_smooth_scales_and_the_printed_one_that_is_too_small() -> None:
    def exact(alpha: float, beta: float) -> float:
        """The positive part of p - e^alpha q, scales e^beta and 1, centres alpha/2 apart, integrated."""
        p, q = stats.laplace(scale=exp(beta)), stats.laplace(loc=alpha / 2)
        x = np.linspace(-80 * exp(beta), 80 * exp(beta), 400_001)
        return float(integrate.trapezoid(np.maximum(p.pdf(x) - exp(alpha) * q.pdf(x), 0), x))

    for alpha, beta in ((5, 2.0), (1, 0.5), (3, 1.0), (8, 4.0)):
        assert smooth_delta(alpha, beta) == pytest.approx(exact(alpha, beta), rel=1e-3)
    assert exp(-5 / (2 * 2)) < 0.93 * exact(5, 2.0), "the printed delta"


def test_the_scale_is_the_quantile_over_n() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal(8000)
    h = np.sort(np.abs(x[:4000] - x[4000:]))
    assert MEAN.bound(x) == h[MEAN.rank - 1] / 8000
    found = MEAN.failure(lambda rng, size: rng.standard_normal(size), trials=100)
    assert found.too_small.at_most < 1 / 10 and found.either.failed >= found.not_smooth.failed  # type: ignore[operator]


def test_what_is_promised_is_said() -> None:
    for mechanism in (SHARE, EMPTY, SMALL, MEAN):
        assert any("nothing is promised" in text for text in mechanism.privacy.assumes)
    assert "read off the data" in MEAN.privacy.sensitivity and 0 < MEAN.privacy.delta < Fraction(1, 10**6)


def test_releases_are_exact_or_noisy_by_the_rule() -> None:
    assert SHARE.release(np.eye(200)[0]).value == 1 / 200
    half, _ = SHARE.worst_pair()
    assert SHARE.release(half, random_state=1).value != 0.5
    rows = [0] * 397 + [1] * 3
    value = EMPTY.release(rows, random_state=1).value
    assert value[2] == value[3] == 0 and value[0] != 397 / 400


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: RandomProportion(1, epsilon=1, gamma="1/2"), "records"),
        (lambda: RandomProportion(9, epsilon=1, gamma=1), "gamma"),
        (lambda: SHARE.release([1, 0]), "records"),
        (lambda: SHARE.release(np.full(200, 2)), "neither"),
        (lambda: EMPTY.release([9] * 400), "records"),
        (lambda: EMPTY.failure([1, 1, 1, 1]), "law"),
        (lambda: RandomHistogram("a", 9, epsilon=1, gamma="1/2", rule="small"), "cells"),
        (lambda: RandomHistogram("ab", 9, epsilon=1, gamma="1/2", rule="rare"), "rule"),
        (lambda: EmpiricalMean(100, epsilon=1, gamma="1/10", beta="1/20"), "at least"),
        (lambda: EmpiricalMean(9001, epsilon=1, gamma="1/10", beta="1/20"), "even"),
        (lambda: EmpiricalMean(9000, epsilon=1, gamma="1/10", beta=1), "beta"),
        (lambda: MEAN.release([1.0]), "records"),
    ],
)
def test_what_cannot_be_released_is_refused_in_one_line(build: object, said: str) -> None:
    with pytest.raises(InputError, match=said) as refusal:
        build()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)
