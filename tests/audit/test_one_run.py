"""One run with canaries: the theorem's bound against direct sums, kept confidence, refusals; the search for inputs."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

from dpverify.audit import audit, audit_one_run
from dpverify.audit.curves import Certified
from dpverify.audit.guessing import approximate, by_points, gaussian, so_many_are_rare
from dpverify.audit.neighbours import climb, directions, moved, patterns, search
from dpverify.audit.one_run import one_run_bound, one_run_chance, one_run_mu
from dpverify.errors import InputError
from tests.audit import mechanisms
from tests.command import run


@pytest.mark.parametrize(("m", "r", "v"), [(20, 20, 15), (50, 10, 9), (12, 6, 6)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (0.7, 0.0), (0.7, 1e-3), (0.2, 0.05)])
def test_the_chance_is_that_of_the_theorem(m: int, r: int, v: int, epsilon: float, delta: float) -> None:
    """All i from 1 to m are gone through, with the binomial's own terms."""
    law = [stats.binom.pmf(k, r, exp(epsilon) / (1 + exp(epsilon))) for k in range(r + 1)]
    beta = sum(law[v:])
    most = max(sum(law[max(0, v - i) : v]) / i for i in range(1, m + 1))
    assert one_run_chance(m, r, v, epsilon, delta) == pytest.approx(min(1, beta + 2 * m * delta * most), rel=1e-9)


def test_known_bounds() -> None:
    assert one_run_bound(100, 100, 50, 0.05) == 0
    # all of 100 right: the success s with s^100 = alpha
    s = 0.05 ** (1 / 100)
    assert one_run_bound(100, 100, 100, 0.05) == pytest.approx(log(s / (1 - s)), abs=0.0101)
    bounds = [one_run_bound(1000, 100, 95, 0.05, delta) for delta in (0, 1e-6, 1e-4, 1e-3)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] > bounds[-1] > 0


def randomised_response(m: int, epsilon: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Each canary's coin, told truly with probability e^epsilon/(1 + e^epsilon): exactly epsilon-private."""
    coins = rng.random(m) < 0.5
    told = rng.random(m) < 1 / (1 + exp(-epsilon))
    return np.where(told, coins, ~coins).astype(float), coins


@pytest.mark.sweep
def test_the_confidence_is_kept_where_the_bound_is_tight() -> None:
    """600 audits at 90 %; this test fails by chance once in 10^5."""
    alpha, runs, epsilon, rng = 0.1, 600, 1.0, np.random.default_rng(3)
    large = 0
    for seed in range(runs):
        scores, coins = randomised_response(200, epsilon, rng)
        large += audit_one_run(scores, coins, confidence=1 - alpha, guesses=200, seed=seed).epsilon_lower > epsilon
    assert alpha / 10 * runs < large <= stats.binom.isf(1e-5, runs, alpha)


@pytest.mark.slow
def test_a_smaller_claim_is_violated_and_the_true_one_is_not() -> None:
    scores, coins = randomised_response(5000, 2.0, np.random.default_rng(1))
    report = audit_one_run(scores, coins, claim=1, seed=1)
    assert report.verdict == "violated"
    assert 1.7 < report.epsilon_lower < 2
    assert audit_one_run(scores, coins, claim=2, seed=1).verdict == "consistent"
    assert audit_one_run(scores, coins, delta="1e-5", seed=1).epsilon_lower < report.epsilon_lower


def test_equal_scores_say_nothing_however_the_rows_are_ordered() -> None:
    coins = np.repeat([0, 1], 500)
    assert audit_one_run(np.zeros(1000), coins, seed=1, confidence=0.9999).epsilon_lower == 0
    assert audit_one_run(np.arange(1000.0), coins, seed=1).epsilon_lower > 2


@pytest.mark.parametrize(
    ("scores", "coins", "settings", "text"),
    [
        (np.zeros(100), np.ones(100), {}, "fair coins"),
        (np.zeros(100), np.zeros(99), {}, "as many"),
        (np.full(100, np.nan), np.arange(100) % 2, {}, "NaN"),
        (np.zeros(100), np.arange(100) % 3, {}, "true"),
        (np.zeros(100), np.arange(100) % 2, {"guesses": 101}, "guesses"),
        (np.zeros(100), np.arange(100) % 2, {"confidence": 2}, "confidence"),
    ],
)
def test_what_is_no_such_run_is_refused(scores: object, coins: object, settings: dict[str, object], text: str) -> None:
    with pytest.raises(InputError, match=text):
        audit_one_run(scores, coins, **settings)  # type: ignore[arg-type]


@pytest.mark.slow
def test_from_the_command_line(tmp_path: Path) -> None:
    scores, coins = randomised_response(2000, 2.0, np.random.default_rng(1))
    np.save(tmp_path / "run.npy", np.column_stack([scores, coins]))
    done = run("audit", "--canaries", "run.npy", "--claim", "1", "--json", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] == "violated"
    told = json.loads(run("audit", "--canaries", "run.npy", "--mu", "--json", "--seed", "1", cwd=tmp_path).stdout)
    assert told["mu_lower"] > 0.4 and told["verdict"] == "no_claim"
    assert run("audit", "laplace", "--mu", cwd=tmp_path).returncode == 2
    assert run("audit", "--canaries", "run.npy", "--curve", cwd=tmp_path).returncode == 2
    assert "VIOLATED" in run("audit", "--canaries", "run.npy", "--claim", "1", cwd=tmp_path).stdout


@pytest.mark.parametrize(("m", "r", "v"), [(20, 20, 15), (50, 10, 9), (12, 6, 6)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (0.7, 1e-3), (1.5, 0.05)])
def test_the_trade_off_s_bound_is_the_optimum_of_its_inequalities(
    m: int, r: int, v: int, epsilon: float, delta: float
) -> None:
    """A linear programme over all laws of the number of right guesses, the curve F being two lines."""
    lines = (exp(epsilon), delta), (exp(-epsilon), 1 - exp(-epsilon) * (1 - delta))
    rows = [
        [w * (w >= j) - slope * (r - w) * (w >= j - 1) for w in range(r + 1)]
        for j in range(1, r + 1)
        for slope, _ in lines
    ]
    most = [m * height for _ in range(r) for _, height in lines]
    best = -optimize.linprog([-float(w >= v) for w in range(r + 1)], rows, most, [[1] * (r + 1)], [1]).fun
    least = approximate(epsilon, delta)
    assert not so_many_are_rare(least, m, r, v, best * (1 - 1e-6))
    assert best > 1 - 1e-9 or so_many_are_rare(least, m, r, v, best * (1 + 1e-6))


def test_the_whole_curve_sees_more_than_a_delta_for_each_canary() -> None:
    """With guesses about a tenth of the canaries Theorem 5.2 adds 2 m delta, and epsilon falls below 0.6."""
    assert one_run_bound(1000, 100, 95, 0.05, 1e-3) > 2
    assert one_run_bound(1000, 100, 95, 0.05, 1e-3) <= one_run_bound(1000, 100, 95, 0.05)


@pytest.mark.slow
def test_mu_is_kept_and_smaller_curves_are_contradicted() -> None:
    """Each canary shifts a Gaussian of its own by mu; its curve is that of mu, and not that of half of it."""
    runs, mu, alpha, rng = 120, 1.0, 0.1, np.random.default_rng(5)
    large, bounds = 0, []
    for seed in range(runs):
        coins = rng.random(400) < 0.5
        scores = mu * coins + rng.normal(size=400)
        report = audit_one_run(scores, coins, confidence=1 - alpha, guesses=100, mu=True, seed=seed)
        assert report.mu_lower is not None
        large, bounds = large + (report.mu_lower > mu), [*bounds, report.mu_lower]
    assert large <= stats.binom.isf(1e-5, runs, alpha) and np.mean(bounds) > 0.3
    coins = rng.random(20_000) < 0.5
    scores = coins + rng.normal(size=20_000)

    def curve(mu: float) -> list[Certified]:
        levels = [k / 4 for k in range(24)]
        exact = [stats.norm.cdf(mu / 2 - e / mu) - exp(e) * stats.norm.cdf(-mu / 2 - e / mu) for e in levels]
        return [Certified(Fraction(e), Fraction(d) + Fraction(1, 10**9)) for e, d in zip(levels, exact, strict=True)]

    assert audit_one_run(scores, coins, certified=curve(1.0), seed=1).contradicted is False
    assert audit_one_run(scores, coins, certified=curve(0.5), seed=1).verdict == "violated"


def test_curves_by_points_are_those_of_their_family() -> None:
    """mu's curve is the envelope of the lines of its points, up to the grid; half of the guesses right is no news."""
    mu = 0.8
    levels = np.arange(0, 6, 0.002)
    heights = stats.norm.cdf(mu / 2 - levels / mu) - np.exp(levels) * stats.norm.cdf(-mu / 2 - levels / mu)
    lines, exact = by_points(list(zip(levels, heights, strict=True))), gaussian(mu)
    for y in (0.01, 0.2, 0.5, 0.9, 0.999):
        assert lines(y) == pytest.approx(exact(y), rel=1e-4)
    assert one_run_mu(100, 100, 50, 0.05) == 0


@pytest.mark.slow
def test_patterns_are_neighbours_and_the_search_finds_the_worst_of_them() -> None:
    for length in (1, 2, 5):
        for first, second in patterns(length):
            assert len(first) == len(second) == length
            assert 0 < max(abs(a - b) for a, b in zip(first, second, strict=True)) <= 1

    def each_answer(answers: list[float], size: int, rng: np.random.Generator) -> object:
        return mechanisms.snapped(np.array(answers) + rng.laplace(size=(size, len(answers))))

    worst = search(each_answer, patterns(3), samples=20_000, each=1_000, seed=1)
    first, second = worst.inputs
    assert all(abs(a - b) == 1 for a, b in zip(first, second, strict=True))  # epsilon = 3, and 1 for one answer
    assert worst.samples == 20_000
    report = audit(worst, seed=1, confidence=0.9999)
    assert 1.5 < report.epsilon_lower <= 3
    with pytest.raises(InputError, match="no pair"):
        search(each_answer, [], samples=1000)


def independent_laplace(centre: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """epsilon is the l1 distance of the inputs; less noise near the place 3, 3, 3."""
    scale = 1 if np.linalg.norm(centre - 3) > 1.5 else 0.5
    return mechanisms.snapped(centre + scale * rng.laplace(size=(size, len(centre))))


@pytest.mark.slow
def test_among_directions_at_one_distance_the_diagonal_is_found() -> None:
    for d in (1, 2, 20):
        for first, second in directions(d, 2.0):
            assert 2 - 1e-9 < np.linalg.norm(second - first) <= 2
    first, second = search(independent_laplace, directions(3, 2.0, 0), samples=1000, each=2_000, seed=1).inputs
    assert np.abs(second - first).sum() == pytest.approx(2 * 3**0.5)
    with pytest.raises(InputError, match="at least one"):
        directions(0)


@pytest.mark.parametrize("norm", [1, 2, np.inf])
def test_what_is_moved_stays_at_its_distance(norm: float) -> None:
    rng, pair, change = np.random.default_rng(1), (np.zeros(4), np.eye(4)[0]), moved(1.0, norm)
    places = []
    for _ in range(50):
        pair = change(pair, rng)
        assert 1 - 1e-9 < np.linalg.norm(pair[1] - pair[0], norm) <= 1
        places.append(pair[0])
    assert np.ptp(places, axis=0).min() > 0.5


@pytest.mark.slow
def test_a_climb_goes_to_where_and_how_inputs_tell_most() -> None:
    """From one axis at the place 2, 2, 2, where epsilon is 1: nearer to 3, 3, 3 and along the diagonal it is 3.46."""
    start = np.full(3, 2.0), np.full(3, 2.0) + np.eye(3)[0]
    worst = climb(independent_laplace, start, moved(step=0.7), samples=20_000, rounds=5, width=6, each=500, seed=2)
    again = climb(independent_laplace, start, moved(step=0.7), samples=20_000, rounds=5, width=6, each=500, seed=2)
    assert np.array_equal(worst.inputs, again.inputs)
    assert min(np.linalg.norm(vector - 3) for vector in worst.inputs) <= 1.5
    report = audit(worst, seed=1, confidence=0.9999)
    assert report.epsilon_lower > 1.6
