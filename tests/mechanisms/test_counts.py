"""Counts: fair draws, geometric noise, the minimax method and the proof that it is."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, sinh

import numpy as np
import pytest
from scipy import stats

from dpverify.audit import Mechanism as Audited
from dpverify.audit import audit
from dpverify.errors import DpverifyError, InputError
from dpverify.mechanisms import GeometricCount, LaplaceCount, MinimaxCount
from dpverify.mechanisms.counting.fair import Fair, ratio_below
from dpverify.mechanisms.counting.minimax import lower_bound, minimax, worst_risk
from dpverify.mechanisms.counting.programme import LOSSES, Programme
from dpverify.mechanisms.counting.vertices import Vertices, guesses
from dpverify.theorems.hall_2012.discrete.counting_programmes import minimax as by_dense_programme

TWO = Fraction(2)


@pytest.mark.parametrize("epsilon", ["1/1000", "1/10", "1", "5", "20"])
def test_the_rational_ratio_is_just_below(epsilon: str) -> None:
    exact = Fraction(epsilon)
    r = ratio_below(exact)
    assert r > 1 and float(exact) * (1 - 1.1e-6) <= log(r) <= float(exact) * (1 + 1e-15)


@pytest.mark.slow
def test_fair_draws_have_their_probabilities() -> None:
    fair = Fair(1)
    below = np.bincount([fair.below(6) for _ in range(6000)])
    assert stats.chisquare(below).pvalue > 1e-4
    chosen = np.bincount([fair.choice([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]) for _ in range(6000)])
    assert stats.chisquare(chosen, [3000, 2000, 1000]).pvalue > 1e-4
    drawn = np.array([fair.geometric(TWO) for _ in range(6000)])
    counts = [int((drawn == k).sum()) for k in range(-3, 4)]
    expected = [2000 * 2.0 ** -abs(k) for k in range(-3, 4)]
    rest = 6000 - sum(expected)
    assert stats.chisquare([*counts, 6000 - sum(counts)], [*expected, rest]).pvalue > 1e-4


def test_bits_are_used_once_each() -> None:
    whole, parts = Fair(3).bits(4000), Fair(3)
    assert int("".join(f"{parts.bits(5):05b}" for _ in range(800)), 2) == whole
    assert Fair().bits(64) != Fair().bits(64)


@pytest.mark.parametrize("ratio", [TWO, Fraction(3, 2), Fraction(6)])
def test_minimax_risks_are_those_of_the_whole_programme(ratio: Fraction) -> None:
    """Over all (n + 1)^2 probabilities at once; and for n = 1, 1/(1 + r), that of randomised response."""
    assert minimax(1, ratio).upper == 1 / (1 + ratio)
    for n in (2, 3):
        found = minimax(n, ratio)
        assert found.exact and found.upper == by_dense_programme(n, ratio).value


@pytest.mark.parametrize("loss", ["absolute", "squared", "wrong"])
def test_the_method_is_private_and_its_risk_is_what_is_said(loss: str) -> None:
    found = minimax(6, Fraction(3, 2), loss)
    q = found.matrix()
    assert np.allclose(q.sum(axis=0), 1) and (q >= 0).all()
    assert (q[:, 1:] <= 1.5 * q[:, :-1] + 1e-12).all() and (q[:, :-1] <= 1.5 * q[:, 1:] + 1e-12).all()
    at = np.arange(7)
    distance = np.abs(at[:, None] - at)
    cost = {"absolute": distance, "squared": distance**2, "wrong": distance > 0}[loss]
    assert (q * cost).sum(axis=0).max() == pytest.approx(float(found.upper), rel=1e-12)
    assert found.exact


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["1/1000", "1/100", "1/50", "1/20", "1/5", "1/3", "1/2", "1", "2", "5", "10"])
def test_seventy_records(epsilon: str) -> None:
    found = minimax(70, ratio_below(Fraction(epsilon)))
    assert found.exact
    assert float(found.upper) < min(1 / sinh(log(found.ratio)) * (1 + 1e-8), 35)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["absolute", "squared", "wrong"])
def test_any_number_of_records(loss: str) -> None:
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 4, 5, 8, 19, 40):
        ratio = ratio_below(Fraction(round(float(10 ** rng.uniform(-2, 0.7)), 3)).limit_denominator(1000))
        assert minimax(n, ratio, loss).exact, (n, ratio)


@pytest.mark.campaign
@pytest.mark.parametrize("epsilon", ["1/10", "1/2", "2"])
def test_five_hundred_records(epsilon: str) -> None:
    assert minimax(500, ratio_below(Fraction(epsilon))).exact


@pytest.mark.parametrize(("loss", "degree"), [("wrong", 0), ("absolute", 1), ("squared", 2)])
def test_the_sparse_system_has_the_solution_of_the_dense_one(loss: str, degree: int) -> None:
    """Its shares make the risks that are not slack alike, and its prior makes the outputs of a noisy count ties."""
    n, ratio, half = 7, Fraction(3, 2), 4
    programme = Programme(n, ratio, loss)
    weights, prior = programme.solve()
    vertices = Vertices(n, ratio, [LOSSES[loss](d) for d in range(n + 1)], degree)
    support, slack = next(guesses(weights, prior, programme.gaps(weights)))
    found = vertices.vertex(support, slack)
    assert found is not None
    rows, exact = found
    risks = sum(float(p) * programme.cost(i, k) for k, row in enumerate(rows) for i, p in row)
    tight = [j for j in range(half) if j not in slack]
    assert risks[tight] == pytest.approx(np.full(len(tight), risks.max()), rel=1e-12)
    assert sum(exact) == 1 and not any(exact[j] for j in slack)
    dual = np.array([float(p) for p in exact])
    for k, outputs in enumerate(support):
        costs = [float(dual @ programme.cost(i, k)) for i in outputs]
        assert costs == pytest.approx([costs[0]] * len(costs), rel=1e-12)


def test_no_multipliers_prove_too_much() -> None:
    """Whatever prior and values are given, the bound lies below the risk of a method that is there."""
    rng, best = np.random.default_rng(1), minimax(4, TWO)
    for _ in range(50):
        prior = rng.integers(0, 9, 5) + 1
        weights = tuple(Fraction(int(p), int(prior.sum())) for p in prior)
        values = tuple(Fraction(int(v), 20) for v in rng.integers(-10, 20, 5))
        assert lower_bound(4, TWO, "absolute", weights, values) <= best.upper
    assert lower_bound(4, TWO, "absolute", best.prior, best.values) == best.upper
    more = tuple(v * Fraction(101, 100) for v in best.values)
    assert lower_bound(4, TWO, "absolute", best.prior, more) < best.upper
    with pytest.raises(DpverifyError, match="prior"):
        lower_bound(4, TWO, "absolute", best.prior[:-1] + (Fraction(2),), best.values)
    with pytest.raises(DpverifyError, match="sum to 1"):
        worst_risk(1, TWO, "absolute", (((0, Fraction(1)),), ((1, Fraction(2)),)))


def test_risks() -> None:
    geometric = GeometricCount(epsilon=1)
    assert float(geometric.risk) == pytest.approx(1 / sinh(1), rel=1e-5)
    errors = [abs(geometric.noisy(0, fair)) for fair in [Fair(2)] for _ in range(6000)]
    assert abs(np.mean(errors) - float(geometric.risk)) < 5 * np.std(errors) / 6000**0.5
    best = MinimaxCount(6, epsilon=1)
    assert len(set(best.risks())) == 1 and best.risk < geometric.risk < LaplaceCount(epsilon=1).risk == 1


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [GeometricCount(epsilon=1), LaplaceCount(epsilon=1)])
def test_neighbours_get_the_same_noise(mechanism: GeometricCount | LaplaceCount) -> None:
    one, two = [0, 1, 1, 0], [0, 1, 1, 1]
    before = {k: v for k, v in vars(mechanism).items() if k not in ("_noise", "privacy")}
    for seed in range(20):
        moved = mechanism.release(two, random_state=seed).value - mechanism.release(one, random_state=seed).value
        assert moved == 1
    assert before == {k: v for k, v in vars(mechanism).items() if k not in ("_noise", "privacy")}


def test_neighbours_get_the_same_method() -> None:
    best = MinimaxCount(4, epsilon=1)
    method = best.method
    for data in ([0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]):
        best.release(data, random_state=1)
        assert best.method is method


@pytest.mark.slow
def test_releases_follow_the_matrix() -> None:
    best = MinimaxCount(3, epsilon=1)
    drawn = best.samples([1, 0, 0], 1500, np.random.default_rng(4)).ravel()
    observed = np.bincount(drawn.astype(int), minlength=4)
    assert stats.chisquare(observed, 1500 * best.method.matrix()[:, 1]).pvalue > 1e-4
    assert best.privacy.epsilon == 1 and exp(1) > best.ratio


@pytest.mark.slow
@pytest.mark.parametrize(
    "mechanism",
    [
        GeometricCount(epsilon=1),
        GeometricCount(epsilon=1, records=4),
        MinimaxCount(5, epsilon=1),
        LaplaceCount(epsilon=1),
    ],
)
def test_the_worst_pair_passes_the_audit(mechanism: GeometricCount | MinimaxCount | LaplaceCount) -> None:
    report = audit(Audited(2000, mechanism.samples, neighbours=mechanism.worst_pair()), claim=1, seed=1)
    assert report.verdict == "consistent" and report.epsilon_lower > 0.3


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: MinimaxCount(0, epsilon=1), "n: 0"),
        (lambda: MinimaxCount(5000, epsilon=1), "1000"),
        (lambda: MinimaxCount(3, epsilon=1, loss="cubic"), "loss"),
        (lambda: MinimaxCount(3, epsilon=1).release([1]), "records"),
        (lambda: GeometricCount(epsilon=1).release([2]), "neither"),
        (lambda: GeometricCount(epsilon=1).release([[0, 1]]), "columns"),
        (lambda: GeometricCount(epsilon=1, records=0), "records"),
        (lambda: LaplaceCount(epsilon=1, lattice=0), "lattice"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_one_line(build: object, said: str) -> None:
    with pytest.raises(InputError, match=said) as refusal:
        build()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)
