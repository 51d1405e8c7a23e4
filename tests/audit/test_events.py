"""Scores: each against an independent computation, and the same function after a trip through JSON."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpverify.audit.events import Event
from dpverify.audit.fitting import atoms, bit_scores, fitted_bit_scores, fitted_scores, learn, plain_scores
from dpverify.audit.outcomes import Outcomes
from dpverify.audit.scores import (
    Atoms,
    Decimals,
    Distance,
    Fineness,
    Lattice,
    PrivacyLoss,
    Score,
    Significant,
    Valuation,
)
from dpverify.sampling import EllipticalNoise
from tests.audit import mechanisms

RNG = np.random.default_rng(3)
P, Q = (mechanisms.t5(np.array(centre), 800, RNG) for centre in ([0.0, 0.0], [1.0, 0.0]))
SEEN = Outcomes(P), Outcomes(Q)
SIGMA = np.array([[2.0, 0.4], [0.4, 1.0]])


def all_scores() -> list[Score]:
    noise = EllipticalNoise("student_t", 2, parameters={"nu": 5}, scale="3/2", covariance=SIGMA)
    return [
        PrivacyLoss.of(noise, np.array([1.0, 2.0])),
        *plain_scores(2),
        *fitted_scores(*SEEN, True),
        *bit_scores(*SEEN),
        *fitted_bit_scores(*SEEN),
    ]


@pytest.mark.parametrize("score", all_scores(), ids=lambda s: s.kind)
def test_an_event_read_back_from_json_is_the_same(score: Score) -> None:
    value = score(P)
    assert value.shape == (len(P),)
    event = Event(score, ">=", float(np.median(value)), "Q/P")
    again = Event.from_json(json.loads(json.dumps(event.to_json())))
    assert again.text == event.text
    assert "\n" not in event.text
    for x in (P, Q, P[:1], np.asfortranarray(Q)):
        assert np.array_equal(again.contains(x), event.contains(x))
        complement = Event(score, "<", event.threshold, "P/Q")
        assert np.array_equal(complement.contains(x), ~event.contains(x))


def test_the_privacy_loss_is_the_difference_of_scipys_densities() -> None:
    shift = np.array([1.0, 2.0])
    noise = EllipticalNoise("student_t", 2, parameters={"nu": 5}, scale="3/2", covariance=SIGMA)
    peers = [stats.multivariate_t(centre, 2.25 * SIGMA, df=5) for centre in (np.zeros(2), shift)]
    np.testing.assert_allclose(
        PrivacyLoss.of(noise, shift)(P), peers[0].logpdf(P) - peers[1].logpdf(P), rtol=1e-9, atol=1e-9
    )
    plain = PrivacyLoss.of(EllipticalNoise("laplace", scale=2), np.array([1.0]))
    x = P[:, :1]
    np.testing.assert_allclose(
        plain(x), stats.laplace(0, 2).logpdf(x[:, 0]) - stats.laplace(1, 2).logpdf(x[:, 0]), atol=1e-12
    )


def test_valuations_are_those_of_exact_rationals() -> None:
    values = [1.0, -3.0, 0.1, 5e-324, 2.0**60, 1 / 3, -0.75, 1e300]
    found = Valuation(0)(np.array(values)[:, None])
    for value, k in zip(values, found, strict=True):
        odd = Fraction(value) / Fraction(2) ** int(k)
        assert odd.denominator == 1
        assert odd.numerator % 2 == 1
    assert Valuation(0)(np.zeros((1, 1)))[0] == 2000
    assert Valuation(None)(np.array([[0.5, 4.0]]))[0] == -1


def test_significant_bits_are_those_of_exact_rationals() -> None:
    values = [1.0, -3.0, 5e-324, 2.0**60, -0.75, 1e300, 0.1, 1 / 3, 1 + 2**-40]
    found = Significant(0, 0.0)(np.array(values)[:, None])
    for value, bits in zip(values, found, strict=True):
        odd = abs(Fraction(value).numerator)
        exact = (odd // (odd & -odd)).bit_length()
        assert bits == exact if exact < 50 else 50 <= bits <= exact
    assert Significant(0, 2.5)(np.array([[2.5]]))[0] == 0
    assert np.isnan(Significant(0, 1.0)(np.array([[np.inf], [np.nan]]))).all()


@pytest.mark.parametrize(("kind", "bits"), [(np.float32, 24), (np.float16, 11)])
@pytest.mark.parametrize("centre", [0.0, 1.0, 0.1, -2 / 3, 1000.3])
def test_noise_in_short_floats_has_few_significant_bits_around_its_centre_alone(
    kind: type, bits: int, centre: float
) -> None:
    sums = mechanisms.short_floats(kind, np.array([centre]), 20_000, np.random.default_rng(8))
    assert Significant(0, centre)(sums).max() == bits
    assert np.mean(Significant(0, centre + 1)(sums) > bits) > 0.3
    assert np.mean(Significant(0, centre)(centre + RNG.laplace(size=(1000, 1))) > bits) > 0.99


def lowest_bit(x: float) -> Fraction:
    """The largest power of two that x is a multiple of."""
    numerator, denominator = Fraction(x).as_integer_ratio()
    return Fraction(numerator & -numerator, denominator)


@pytest.mark.parametrize("centre", [0.1, 1.0, -2 / 3, 1000.3])
def test_no_sum_is_finer_than_its_terms(centre: float) -> None:
    """Fineness against exact rationals: what a sum of the centre and a double can be a multiple of."""
    noise = RNG.laplace(size=400)
    sums = centre + noise
    assert Fineness(0, centre)(sums[:, None]).max() == 0
    around_zero = Fineness(0, centre)(noise[:, None])
    for x, bits in zip(noise, around_zero, strict=True):
        finest = min(Fraction(np.spacing(abs(x - centre))), lowest_bit(centre))
        assert 2 ** int(bits) == max(finest / lowest_bit(float(x)), 1)
    assert (around_zero > 0).any()
    assert np.isnan(Fineness(0, centre)(np.array([[np.inf], [np.nan]]))).all()
    assert Fineness(0, centre)(np.array([[0.0], [centre]])).tolist() == [0, 0]


def test_decimals_and_lattices() -> None:
    x = np.array([[3.0], [0.1], [-2.25], [1 / 3], [1e-7]])
    assert Decimals(0)(x).tolist() == [0, 1, 2, 16, 7]
    assert Lattice(0, 0.5, 0.25)(np.array([[1.0], [1.125], [0.75]])).tolist() == [0, 0.5, 0]


def test_atoms_weigh_what_was_seen_and_nothing_else() -> None:
    p, q = np.array([[1.0, 2.0]] * 3 + [[0.0, 5.0]]), np.array([[0.0, 5.0]] * 4)
    weights = atoms(p, q)(np.array([[1.0, 2.0], [0.0, 5.0], [2.0, 1.0], [-0.0, 5.0]]))
    assert weights[0] > 0 > weights[1] == weights[3]
    assert weights[2] == 0
    assert Atoms(((1.0,),), (1.0,))(np.array([[1.0], [np.nextafter(1.0, 2)]])).tolist() == [1, 0]


def test_mahalanobis_distances_are_whitened() -> None:
    whitening = np.linalg.inv(np.linalg.cholesky(SIGMA))
    score = Distance((1.0, 0.0), tuple(map(tuple, whitening.tolist())))
    expected = np.sqrt([(x - [1, 0]) @ np.linalg.inv(SIGMA) @ (x - [1, 0]) for x in P])
    np.testing.assert_allclose(score(P), expected, rtol=1e-12)


@pytest.mark.slow
def test_what_is_learned_follows_the_exact_loss() -> None:
    p, q = (mechanisms.l2_laplace(np.array(c), 20_000, RNG) for c in ([0.0, 0, 0], [1.0, 0, 0]))
    learned = learn(p[:10_000], q[:10_000])
    assert learned is not None
    exact = PrivacyLoss.of(EllipticalNoise("laplace", 3), np.array([1.0, 0, 0]))
    assert stats.spearmanr(learned(p[10_000:]), exact(p[10_000:])).statistic > 0.97
    assert learn(np.ones((50, 2)), np.ones((50, 2))) is None
