"""An audit from its source to its report: choose an event on the pilot, count it in chunks, bound epsilon."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dpverify.audit.bounds import Counts, Stakes, epsilon_lower_bound
from dpverify.audit.checkpoint import Checkpoint
from dpverify.audit.choice import Candidate, Test, best_thresholds, choose, choose_ideal, given
from dpverify.audit.counting import OVERFLOW, Task, origins_total
from dpverify.audit.engine import counted
from dpverify.audit.fitting import fitted_scores, plain_scores
from dpverify.audit.outcomes import joined
from dpverify.audit.report import AuditReport, Proved
from dpverify.audit.scores import PrivacyLoss
from dpverify.audit.seeds import fresh_seed
from dpverify.audit.sources import BuiltIn, Files, Mechanism, Source, refuse_shared_noise
from dpverify.errors import InputError
from dpverify.language import parse_rational

FEWEST = 100
SAVE_EVERY = 2.0  # seconds
Progress = Callable[[int, int], None]


def audit(
    source: BuiltIn | Mechanism | Files,
    *,
    claim: object = None,
    proved: Proved | None = None,
    delta: float = 0.0,
    confidence: float = 0.99,
    seed: int | None = None,
    model: BuiltIn | None = None,
    leaks: bool = True,
    jobs: int | None = 1,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """A lower bound on epsilon that holds with the stated confidence, and the event that shows it.

    Args:
        source: BuiltIn, Mechanism or Files.
        claim: the epsilon that is claimed, exact; the verdict compares it with the bound.
        proved: what a certificate says (`report.proved_by`), compared in the same way.
        delta: of (epsilon, delta)-privacy.
        confidence: the least probability that the bound is not above the true epsilon.
        seed: an integer from 0; None for a fresh one, which the report tells.
        model: what P and Q are thought to be; its exact privacy loss competes with the other scores.
        leaks: whether events on bits, decimals and lattices compete, which tell of floating point and not of the
            noise that it stands for; dpverify's own noise is audited without.
        jobs: processes to count with; None for those of a surrounding `joblib.parallel_config`, whose
            backend (loky, dask, ...) is used; 1 for none but this.
        checkpoint: a file to resume from if it exists, written every few seconds, removed at the end.
        progress: called with chunks done and chunks in all.

    The samples must be independent: within P, within Q, and of each other. Counts do not depend on
    `jobs`, on the backend, or on where a run was interrupted.

    Raises InputError for samples, callables and settings that cannot be used.
    """
    _check(source, delta, confidence, seed)
    claimed = None if claim is None else parse_rational(claim, "the claim")
    alpha = 1 - confidence
    run = {
        "source": source.identity(),
        "confidence": repr(confidence),
        "delta": repr(delta),
        "leaks": leaks,
        "model": model and model.identity(),
    }
    path = Path(checkpoint) if checkpoint is not None else None
    state = _resumed(path, run, seed) if path is not None else None
    if state is None:
        chosen_seed = fresh_seed() if seed is None else seed
        test = choose_test(source, chosen_seed, alpha, delta, model, leaks)
        state = Checkpoint(run, chosen_seed, test, 0, Counts())
        if path is not None:
            state.save(path)
    task = Task(source, state.test, state.seed, OVERFLOW * alpha / source.chunks())
    counts = _count(task, state, path, jobs, progress)
    random_origins = state.test.procedure.method == "conditional" and not source.renewable
    level = alpha * (1 - OVERFLOW) if random_origins else alpha
    bound = epsilon_lower_bound(counts, state.test.procedure, level, delta)
    if path is not None:
        path.unlink(missing_ok=True)
    return AuditReport(
        epsilon_lower=bound,
        delta=delta,
        confidence=confidence,
        claim=claimed,
        test=state.test,
        counts=counts,
        samples=source.given,
        source=source.text,
        seed=state.seed,
        proved=proved,
    )


def _check(source: Source, delta: float, confidence: float, seed: int | None) -> None:
    if not 0.5 <= confidence < 1:
        raise InputError(f"the confidence must be at least 0.5 and below 1, not {confidence:g}")
    if not 0 <= delta < 1:
        raise InputError(f"delta must be at least 0 and below 1, not {delta:g}")
    if seed is not None and seed < 0:
        raise InputError(f"the seed must not be negative, but is {seed}")
    fewest = min(source.size("P"), source.size("Q"))
    if fewest < FEWEST * 4 // 5:
        raise InputError(f"too few samples: an audit needs at least {FEWEST} a side")


def _resumed(path: Path, run: dict[str, Any], seed: int | None) -> Checkpoint | None:
    state = Checkpoint.load(path)
    if state is not None and (state.run != run or seed not in (None, state.seed)):
        raise InputError(f"{path}: the checkpoint belongs to another audit; remove it or name another file")
    return state


def choose_test(
    source: BuiltIn | Mechanism | Files,
    seed: int,
    alpha: float,
    delta: float,
    model: BuiltIn | None = None,
    leaks: bool = True,
) -> Test:
    """The event to count, from the pilot; for dpverify's own noise, from draws that depend on no seed."""
    stakes = _stakes(source, alpha, delta)
    if isinstance(source, BuiltIn):
        return _ideal(source, stakes)
    p, q = source.pilot("P", seed), source.pilot("Q", seed)
    if isinstance(source, Mechanism):
        for lot_p, lot_q in zip(p, q, strict=True):
            refuse_shared_noise(lot_p, lot_q)
    whole = joined(p), joined(q)
    if model is not None and model.dimension != source.dimension:
        raise InputError(f"the outputs have {source.dimension} coordinate(s), and the model {model.dimension}")

    def candidates() -> Iterator[Candidate]:
        if model is not None:
            event = _ideal(model, stakes).event
            yield given(event, *whole, stakes)
            yield given(replace(event, side="<", threshold=-event.threshold, direction="Q/P"), *whole, stakes)
            yield from best_thresholds(event.score, *whole, stakes)
        for score in plain_scores(source.dimension, leaks):
            yield from best_thresholds(score, *whole, stakes)
        for score in fitted_scores(p[0], q[0], leaks):
            yield from best_thresholds(score, p[1], q[1], stakes)

    return choose(candidates(), stakes)


def _ideal(source: BuiltIn, stakes: Stakes) -> Test:
    loss = PrivacyLoss.of(source.noise, source.shift)
    return choose_ideal(loss, np.concatenate([loss(x) for x in source.ideal()]), stakes)


def _stakes(source: Source, alpha: float, delta: float) -> Stakes:
    draws = source.size("P"), source.size("Q")
    usable = 1.0
    if not source.renewable:
        first, second = source.chunk_sizes(0)
        total = origins_total(first, second, draws[0] / sum(draws), OVERFLOW * alpha / source.chunks())
        usable = total / (first + second)
    return Stakes((float(draws[0]), float(draws[1])), usable, alpha, delta)


def _count(task: Task, state: Checkpoint, path: Path | None, jobs: int | None, progress: Progress | None) -> Counts:
    done, counts, total = state.chunks, state.counts, task.source.chunks()
    saved = time.monotonic()
    for part in counted(task, range(done, total), jobs):
        counts, done = counts + part, done + 1
        if progress is not None:
            progress(done, total)
        if path is not None and time.monotonic() - saved > SAVE_EVERY:
            Checkpoint(state.run, state.seed, state.test, done, counts).save(path)
            saved = time.monotonic()
    return counts
