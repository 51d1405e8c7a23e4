"""An audit from its source to its report: choose events on the pilot, count them in chunks, bound epsilon."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import nextafter
from operator import add
from pathlib import Path
from typing import Any

import numpy as np

from dpverify.audit.bounds import Counts, epsilon_lower_bound, likely_bound
from dpverify.audit.built_in import BuiltIn
from dpverify.audit.checkpoint import Checkpoint
from dpverify.audit.choice import Test
from dpverify.audit.counting import Task
from dpverify.audit.engine import counted
from dpverify.audit.exactly import exact_number
from dpverify.audit.mechanism import Mechanism
from dpverify.audit.plan import plan, shares
from dpverify.audit.report import AuditReport, Finding, Proved
from dpverify.audit.sample_files import Files
from dpverify.audit.scores import Score, score_to_json
from dpverify.audit.seeds import fresh_seed
from dpverify.audit.sources import Source
from dpverify.errors import InputError

Number = int | float | Fraction | Decimal | str | np.number[Any]
FEWEST = 100
SAVE_EVERY = 2.0  # seconds
Progress = Callable[[int, int], None]


def audit(
    source: BuiltIn | Mechanism | Files,
    *,
    claim: Number | None = None,
    proved: Proved | None = None,
    delta: Number = 0,
    confidence: Number = 0.99,
    seed: int | None = None,
    model: BuiltIn | None = None,
    scores: Sequence[Score] = (),
    leaks: bool = True,
    jobs: int | None = 1,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """A lower bound on epsilon that holds with the stated confidence, and the event that shows it.

    Args:
        source: BuiltIn, Mechanism or Files.
        claim: the epsilon that is claimed, read exactly, a float as the decimal that Python prints for it; the
            verdict compares it with the bound.
        proved: what a certificate says (`report.proved_by`), compared in the same way.
        delta: of (epsilon, delta)-privacy, read as the claim is.
        confidence: the least probability that the bound is not above the true epsilon.
        seed: an integer from 0; None for a fresh one, which the report tells.
        model: what P and Q are thought to be; its exact privacy loss competes with the other scores, and whether
            the samples have its law is told beside the bound.
        scores: of one's own (`scores.Composed` for subsampled and composed mechanisms), which compete likewise.
        leaks: whether events on bits, decimals and lattices are examined too, which tell of floating point and not
            of the noise that it stands for; dpverify's own noise is audited without.
        jobs: processes to count with; None for those of a surrounding `joblib.parallel_config`, whose
            backend (loky, dask, ...) is used; 1 for none but this.
        checkpoint: a file to resume from if it exists, written every few seconds, removed at the end.
        progress: called with chunks done and chunks in all.

    The samples must be independent: within P, within Q, and of each other. The error probability is shared out
    among the law, the bits and the fit to the model, so that all that is told holds together. Counts do
    not depend on `jobs`, on the backend, or on where a run was interrupted.

    Raises InputError for samples, callables and settings that cannot be used.
    """
    claimed = None if claim is None else exact_number(claim, "the claim")
    at_delta, sure = exact_number(delta, "delta"), float(exact_number(confidence, "the confidence"))
    checked(source, at_delta, sure, seed)
    delta_up = nextafter(float(at_delta), 1.0) if at_delta else 0.0
    bits = leaks and not isinstance(source, BuiltIn)
    alpha = 1 - sure
    levels = {
        part: share * alpha
        for part, share in shares(bits, fit=model is not None and not isinstance(source, BuiltIn)).items()
    }
    run = {
        "source": source.identity(),
        "confidence": repr(sure),
        "delta": str(at_delta),
        "leaks": leaks,
        "model": model and model.identity(),
        **({"scores": json.loads(json.dumps([score_to_json(score) for score in scores]))} if scores else {}),
    }
    path = Path(checkpoint) if checkpoint is not None else None
    state = _resumed(path, run, seed) if path is not None else None
    if state is None:
        chosen_seed = fresh_seed() if seed is None else seed
        planned = plan(source, chosen_seed, levels, delta_up, model, scores)
        state = Checkpoint(run, chosen_seed, planned, 0, (Counts(),) * sum(map(len, planned.tests.values())))
        if path is not None:
            state.save(path)
    tests = [(part, test) for part, each in state.plan.tests.items() for test in each]
    task = Task(source, tuple(test for _, test in tests), state.seed)
    counted_tests = list(zip(tests, _count(task, state, path, jobs, progress), strict=True))
    findings = {
        part: _most_telling(((t, c) for (of, t), c in counted_tests if of == part), levels[part], delta_up)
        for part in state.plan.tests
    }
    if path is not None:
        path.unlink(missing_ok=True)
    return AuditReport(
        law=findings["law"],
        bits=findings.get("bits"),
        bits_examined=bits,
        fit=state.plan.fit,
        warnings=state.plan.warnings,
        delta=at_delta,
        confidence=sure,
        claim=claimed,
        samples=source.given,
        source=source.text,
        seed=state.seed,
        proved=proved,
    )


def _most_telling(counted_tests: Iterable[tuple[Test, Counts]], alpha: float, delta: float) -> Finding:
    """The finding with the largest bound: all bounds hold together, and those that promise less are not worked out."""

    def likely(each: tuple[Test, Counts]) -> float:
        test, counts = each
        return likely_bound(counts, test.procedure, test.share * alpha, delta)

    best: Finding | None = None
    for test, counts in sorted(counted_tests, key=likely, reverse=True):
        if best is not None and likely((test, counts)) <= best.epsilon_lower:
            break
        bound = epsilon_lower_bound(counts, test.procedure, test.share * alpha, delta)
        if best is None or bound > best.epsilon_lower:
            best = Finding(test, counts, bound, alpha)
    assert best is not None, "every part has a test"
    return best


def checked(source: Source, delta: Fraction, confidence: float, seed: int | None) -> None:
    """Raise InputError for settings, and for fewer samples than can be audited."""
    if not 0.5 <= confidence < 1:
        raise InputError(f"the confidence must be at least 0.5 and below 1, not {confidence:g}")
    if not 0 <= delta < 1:
        raise InputError(f"delta must be at least 0 and below 1, not {float(delta):g}")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer))):
        raise InputError(f"the seed is an integer from 0, not of type {type(seed).__name__}")
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


def _count(
    task: Task, state: Checkpoint, path: Path | None, jobs: int | None, progress: Progress | None
) -> tuple[Counts, ...]:
    done, counts, total = state.chunks, state.counts, task.source.chunks()
    saved = time.monotonic()
    for more in counted(task, range(done, total), jobs):
        counts, done = tuple(map(add, counts, more)), done + 1
        if progress is not None:
            progress(done, total)
        if path is not None and time.monotonic() - saved > SAVE_EVERY:
            Checkpoint(state.run, state.seed, state.plan, done, counts).save(path)
            saved = time.monotonic()
    return counts
