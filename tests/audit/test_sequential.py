"""Audits that stop early: a true claim is refuted as rarely as is said, whenever one looks."""

from __future__ import annotations

import json
from math import exp, log

import numpy as np
import pytest
from scipy import stats

from dpverify.audit import BuiltIn, Files, Mechanism, SequentialReport, audit_until
from dpverify.audit.betting import BOLD, Bets, Pairs, log_wealth
from dpverify.errors import InputError
from dpverify.sampling import EllipticalNoise
from tests.audit import mechanisms
from tests.command import run

CENTRES = np.zeros(1), np.ones(1)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (1.0, 0.0), (1.0, 0.1), (2.0, 1e-5)])
@pytest.mark.parametrize("q", [0.01, 0.1, 0.3])
def test_a_bet_on_a_true_claim_gains_nothing_in_the_mean(epsilon: float, delta: float, q: float) -> None:
    """At the edge, p = e^epsilon q + delta, the mean of each bet is 1; below it is less."""
    grid = (epsilon,)
    for p, exactly in ((exp(epsilon) * q + delta, True), (exp(epsilon) * q + delta - 0.05, False)):
        if not 0 <= p <= 1:
            continue
        cells = {
            Pairs(first=1): p * (1 - q),
            Pairs(second=1): (1 - p) * q,
            Pairs(both=1): p * q,
            Pairs(neither=1): (1 - p) * (1 - q),
        }
        mean = sum(chance * exp(float(log_wealth(pair, grid, delta)[0])) for pair, chance in cells.items())
        assert mean == pytest.approx(1, abs=1e-9) if exactly else mean < 1
    assert (BOLD < 1).all()
    assert (BOLD > 0).all()


def test_wealth_falls_with_the_epsilon_that_is_bet_against() -> None:
    wealth = log_wealth(Pairs(290, 40, 10, 660), tuple(np.linspace(0, 3, 50)), 0.0)
    assert (np.diff(wealth) < 0).all()
    assert wealth[0] > 50
    assert wealth[-1] < 0


def test_pairs_are_told_by_what_of_them_is_in() -> None:
    a, b = np.array([1, 1, 0, 0, 1], dtype=bool), np.array([1, 0, 1, 0, 0], dtype=bool)
    assert Pairs.of(a, b) == Pairs(first=2, second=1, both=1, neither=1)
    assert Pairs.of(a, b) + Pairs(1, 2, 3, 4) == Pairs(3, 3, 4, 5)


@pytest.mark.slow
def test_a_thousand_true_claims_looked_at_after_every_draw() -> None:
    """At most alpha of them are ever refuted; by chance more than this limit once in 10^5."""
    alpha, runs, draws, epsilon, q = 0.1, 1000, 400, 1.0, 0.15
    rng, p = np.random.default_rng(5), exp(epsilon) * q
    limit, refuted = stats.binom.isf(1e-5, runs, alpha), 0
    kinds = rng.choice(4, (runs, draws), p=[p * (1 - q), (1 - p) * q, p * q, (1 - p) * (1 - q)])
    stake = BOLD / exp(epsilon)
    bets = np.stack([np.log1p(stake), np.log1p(-BOLD), np.log1p(stake * (1 - exp(epsilon))), 0 * BOLD])
    for row in kinds:
        wealth = np.logaddexp.reduce(np.cumsum(bets[row], axis=0), axis=1) - log(len(BOLD))
        refuted += bool((wealth >= -log(alpha)).any())
    assert refuted <= limit
    assert refuted > alpha / 20 * runs, "a bet that never wins says nothing"


def test_wealth_is_carried_from_one_event_to_the_next() -> None:
    grid = (0.0, 1.0)
    bets = Bets(grid, 0.0, 0.01)
    bets.end_epoch([Pairs(48, 8, 12, 32)], [1.0])
    second = bets.wealth([Pairs(48, 8, 12, 32), Pairs(25, 25, 25, 25)], [0.5, 0.5])
    alone = log_wealth(Pairs(48, 8, 12, 32), grid, 0.0)
    idle = log_wealth(Pairs(25, 25, 25, 25), grid, 0.0)
    assert second == pytest.approx(alone + np.logaddexp(alone, idle) + log(0.5), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "claim", "tenth"),
    [
        (mechanisms.naive_laplace, 1, 2_000),
        (mechanisms.clipped, 1, 2_000),
        (mechanisms.float32_noise, 1, 2_000),
        (mechanisms.gaussian, 1.5, 20_000),
    ],
    ids=["naive", "clipped", "float32", "gaussian"],
)
def test_violations_are_found_early(function: object, claim: float, tenth: int) -> None:
    """A fixed audit of these asks for 20,000 samples a side in this suite; a Gaussian's tail takes longer."""
    for seed in range(3):
        report = audit_until(Mechanism(20_000, function, CENTRES), claim=claim, seed=seed)  # type: ignore[arg-type]
        assert report.verdict == "violated"
        assert report.epsilon_lower >= claim
        assert report.draws / 2 <= tenth


@pytest.mark.slow
def test_right_mechanisms_are_drawn_to_the_end() -> None:
    """At 99.99 % a seed errs once in 10^4."""
    report = audit_until(Mechanism(5_000, mechanisms.laplace, CENTRES), claim=1, seed=1, confidence=0.9999)
    assert report.verdict == "consistent"
    assert report.draws == 10_000
    assert 0.4 < report.epsilon_lower < 1
    again = audit_until(Mechanism(5_000, mechanisms.laplace, CENTRES), claim=1, seed=1, confidence=0.9999)
    assert again.to_json() == report.to_json()
    same = audit_until(Mechanism(2_000, mechanisms.forgets_the_data, CENTRES), claim=0, seed=1, confidence=0.9999)
    assert same.verdict == "inconclusive"


@pytest.mark.campaign
@pytest.mark.parametrize(("function", "claim"), [(mechanisms.laplace, 1), (mechanisms.forgets_the_data, 0)])
def test_whole_audits_of_true_claims_with_optional_stopping(function: object, claim: float) -> None:
    """More than the limit are refuted once in 10^5 by chance."""
    alpha, runs = 0.1, 250
    refuted = sum(
        audit_until(Mechanism(800, function, CENTRES), claim=claim, seed=s, confidence=1 - alpha).verdict == "violated"  # type: ignore[arg-type]
        for s in range(runs)
    )
    assert refuted <= stats.binom.isf(1e-5, runs, alpha)


def test_dpverifys_own_noise_of_too_small_a_scale() -> None:
    noise = EllipticalNoise("laplace", scale="1/2")
    report = audit_until(BuiltIn(20_000, noise, CENTRES[1]), claim=1, seed=1)
    assert (report.verdict, report.part) == ("violated", "law")
    assert report.draws < 10_000


def test_what_cannot_be_audited_so_is_refused(tmp_path: object) -> None:
    for name in "pq":
        np.save(f"{tmp_path}/{name}.npy", np.random.default_rng(ord(name)).laplace(size=300))
    with pytest.raises(InputError, match="draws as it goes"):
        audit_until(Files.open(f"{tmp_path}/p.npy", f"{tmp_path}/q.npy"), claim=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="negative"):
        audit_until(Mechanism(1000, mechanisms.laplace, CENTRES), claim=-1)
    with pytest.raises(InputError, match="share their noise"):
        audit_until(Mechanism(1000, mechanisms.fixed_seed, CENTRES), claim=1)


def test_from_the_command_line() -> None:
    done = run("audit", "laplace", "--scale", "1/2", "--claim", "1", "--until-violated", "--seed", "1")
    assert done.returncode == 1
    assert done.stdout.startswith("VIOLATED")
    assert "draws" in done.stdout
    true = run("audit", "laplace", "--claim", "1", "--until-violated", "--samples", "500", "--seed", "2", "--json")
    told = json.loads(true.stdout)
    assert told["verdict"] in ("consistent", "inconclusive")
    assert run("audit", "laplace", "--until-violated").returncode == 2
    assert SequentialReport.__doc__


def test_a_look_refutes_the_epsilons_in_order_up_to_the_first_that_stands() -> None:
    grid, counts = tuple(np.arange(0, 3, 0.02)), [Pairs(360, 60, 40, 540)]
    bets = Bets(grid, 0.0, 0.01)
    bets.look(counts, [1.0])
    refuted = log_wealth(counts[0], grid, 0.0) >= log(100)
    assert 16 < bets.rejected == np.flatnonzero(~refuted)[0]
    assert bets.bound == grid[bets.rejected - 1]
    bets.look([Pairs(90, 90, 10, 810)], [1.0])
    assert bets.bound == grid[bets.rejected - 1] > 0, "what was refuted once stays so"
