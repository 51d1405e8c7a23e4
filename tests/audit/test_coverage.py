"""The confidence is kept: over many repetitions the bound exceeds the truth as rarely as is said."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from benchmarks import audit_coverage
from dpverify.audit import BuiltIn, Mechanism, audit, epsilon_lower_bound
from dpverify.audit.counting import Task
from dpverify.audit.plan import plan
from dpverify.audit.sources import Source
from dpverify.sampling import EllipticalNoise
from tests.audit import mechanisms

pytestmark = pytest.mark.campaign

FULL = "DPVERIFY_FULL_CAMPAIGN" in os.environ
BY_CHANCE = 1e-5


def excess_allowed(repetitions: int, alpha: float) -> int:
    """How often the bound may be too large before that is no longer by chance."""
    return int(stats.binom.isf(BY_CHANCE, repetitions, alpha))


@pytest.mark.parametrize(
    ("name", "d", "parameters", "truth"),
    [("laplace", 1, {}, 1.0), ("laplace", 3, {}, 1.0), ("student_t", 2, {"nu": 5}, 1.5525), ("sech", 2, {}, 1.0)],
)
def test_two_thousand_audits_of_noise_whose_epsilon_is_known(
    name: str, d: int, parameters: dict[str, object], truth: float
) -> None:
    repetitions, alpha = 2000, 0.1
    source = BuiltIn(500, EllipticalNoise(name, d, parameters=parameters), np.eye(d)[0])
    test = plan(source, 0, {"law": alpha}, 0.0).tests["law"][0]
    bounds = np.array(
        [epsilon_lower_bound(Task(source, (test,), s).count(0)[0], test.procedure, alpha) for s in range(repetitions)]
    )
    assert np.count_nonzero(bounds > truth) <= excess_allowed(repetitions, alpha)
    assert np.mean(bounds) > 0.3 * truth
    # the event's own log ratio is what the bound covers, and it is exceeded about as often as allowed
    large = replace(source, samples=60_000)
    counts = Task(large, (test,), 77).count(0)[0]
    ratio = np.log(counts.first_in / counts.first) - np.log(counts.second_in / counts.second)
    share = np.mean(bounds > ratio)
    assert 0.3 * alpha < share < 1.6 * alpha


def sources(repetitions: int, samples: int, function: object, d: int) -> list[Source]:
    shift = np.eye(d)[0]
    return [Mechanism(samples, function, (0 * shift, shift)) for _ in range(repetitions)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "d", "truth"),
    [(mechanisms.forgets_the_data, 1, 0.0), (mechanisms.laplace, 1, 1.0), (mechanisms.geometric, 1, 1.0)],
    ids=["P = Q", "laplace", "geometric"],
)
def test_whole_audits_that_choose_their_event_anew_each_time(function: object, d: int, truth: float) -> None:
    repetitions, alpha = (2000 if FULL else 150), 0.2
    bounds = [
        audit(source, confidence=1 - alpha, seed=seed).epsilon_lower
        for seed, source in enumerate(sources(repetitions, 400, function, d))
    ]
    assert sum(bound > truth for bound in bounds) <= excess_allowed(repetitions, alpha)


def test_whole_audits_of_fifteen_null_laws(tmp_path: Path) -> None:
    """A few of each; `make audit-coverage` has a thousand."""
    log = tmp_path / "log.jsonl"
    *_, (done, lots) = audit_coverage.run("fixed", 10, log)
    assert done == lots == len(audit_coverage.LAWS) == 15
    wrong = [line["wrong"] for line in audit_coverage.read(log).values()]
    assert len(wrong) == 150
    assert sum(wrong) <= audit_coverage.wrong_allowed(150)


def test_a_campaign_that_is_ended_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_coverage, "LAWS", audit_coverage.LAWS[:1])
    monkeypatch.setattr(audit_coverage, "LOT", 2)
    whole, ended = tmp_path / "whole.jsonl", tmp_path / "ended.jsonl"
    assert list(audit_coverage.run("fixed", 6, whole)) == [(1, 3), (2, 3), (3, 3)]
    next(audit_coverage.run("fixed", 6, ended))
    with open(ended, "a") as file:
        file.write('{"kind": "fixed", "la\n')  # killed while it wrote
    assert len(audit_coverage.read(ended)) == 2
    assert list(audit_coverage.run("fixed", 6, ended))[-1] == (3, 3)
    assert audit_coverage.read(ended) == audit_coverage.read(whole)
    lines = ended.read_text().splitlines()
    lines[0] = lines[0].replace('"bound": 0.', '"bound": 1.')
    ended.write_text("\n".join(lines))
    with pytest.raises(SystemExit, match="other code"):
        next(audit_coverage.run("fixed", 6, ended))
