"""The exact log ratio of subsampled and composed mechanisms, as a score of an audit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from dpverify.audit import Mechanism, audit
from dpverify.audit.scores import Composed, score_from_json, score_to_json
from dpverify.errors import InputError
from dpverify.sampling import EllipticalNoise

Array = np.ndarray
RATES = (0.25, 0.5, 1.0)


def releases(centre: Array, size: int, rng: np.random.Generator) -> Array:
    """Three releases; the record is in a sample with a probability of its own, and counts centre[0]."""
    kept = rng.random((size, 3)) < RATES
    return centre[0] * kept + rng.normal(size=(size, 3))  # type: ignore[no-any-return]


def score() -> Composed:
    return Composed.of(EllipticalNoise("gaussian", 1), np.ones(1) * 2, RATES)


def test_it_is_the_log_of_the_ratio_of_the_mixtures() -> None:
    x = np.random.default_rng(0).normal(size=(50, 3)) * 3
    mixed = [(1 - rate) * stats.norm.pdf(x[:, i]) + rate * stats.norm.pdf(x[:, i] - 2) for i, rate in enumerate(RATES)]
    exact = sum(stats.norm.logpdf(x[:, i]) - np.log(mixed[i]) for i in range(3))
    assert score()(x) == pytest.approx(exact, rel=1e-9)


def test_vectors_lie_side_by_side() -> None:
    noise, shift = EllipticalNoise("laplace", 2), np.array([0.6, -0.8])
    x = np.random.default_rng(1).normal(size=(20, 4))
    first, second = x[:, :2], x[:, 2:]
    losses = [np.linalg.norm(part - shift, axis=1) - np.linalg.norm(part, axis=1) for part in (first, second)]
    exact = losses[0] - np.log(0.9 + 0.1 * np.exp(-losses[1]))
    assert Composed.of(noise, shift, (1.0, 0.1))(x) == pytest.approx(exact, rel=1e-9)


def test_it_is_data() -> None:
    again = score_from_json(json.loads(json.dumps(score_to_json(score()))))
    assert again == score()
    x = np.ones((2, 3))
    assert again(x).tolist() == score()(x).tolist()


def test_what_cannot_be_scored_is_refused() -> None:
    for rates in ((), (0.0,), (1.5,)):
        with pytest.raises(InputError, match="rate"):
            Composed.of(EllipticalNoise("gaussian", 1), np.ones(1), rates)
    with pytest.raises(InputError, match="columns"):
        score()(np.ones((2, 4)))


@pytest.mark.slow
def test_it_sees_more_than_scores_that_know_nothing_of_samples() -> None:
    """And never more than the mechanism gives: epsilon at delta = 1/10 by the ratio's own law, from 100,000 draws."""
    source = Mechanism(5_000, releases, (np.zeros(1), np.ones(1) * 2))
    settings = {"delta": "1/10", "confidence": 0.99, "leaks": False}
    known = [audit(source, seed=s, scores=[score()], **settings).epsilon_lower for s in range(2)]  # type: ignore[arg-type]
    blind = [audit(source, seed=s, **settings).epsilon_lower for s in range(2)]  # type: ignore[arg-type]
    assert np.mean(known) > np.mean(blind)
    rng = np.random.default_rng(9)
    losses = [sign * score()(releases(at, 10**5, rng)) for sign, at in ((1, np.zeros(1)), (-1, np.ones(1) * 2))]

    def delta(epsilon: float) -> float:
        return max(float(np.mean(np.maximum(0, -np.expm1(epsilon - loss)))) for loss in losses)

    truth = next(e for e in np.arange(0, 9, 0.01) if delta(e) < 0.1)
    assert truth / 2 < np.mean(known) < truth
