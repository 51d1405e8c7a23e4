"""Running many claims: on several processes, in the order of the papers, with a report after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec

from dpverify.errors import InputError
from dpverify.theorems.claim import Claim, Effort, Status
from dpverify.theorems.outcome import Outcome, run

NEEDED = ("numpy", "scipy", "sympy")
Report = Callable[[str], None]
Decided = tuple[Status, str, str | None]


def run_all(claims: Sequence[Claim], effort: Effort, jobs: int = 1, done: Report = lambda name: None) -> list[Outcome]:
    """Run the claims on `jobs` processes; `done` is called with the id of each as it ends.

    Raises InputError where a library that the checks use is not installed.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(f"the checks need {', '.join(missing)}: pip install 'dpverify[theorems]'")
    if jobs == 1 or len(claims) == 1:
        outcomes = []
        for claim in claims:
            outcomes.append(run(claim, effort))
            done(claim.id)
        return outcomes
    return _in_parallel(claims, effort, jobs, done)


def _in_parallel(claims: Sequence[Claim], effort: Effort, jobs: int, done: Report) -> list[Outcome]:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    decided: dict[str, Decided] = {}
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        running = [pool.submit(_decide, claim.id, effort) for claim in claims]
        try:
            for future in as_completed(running):
                name, result = future.result()
                decided[name] = result
                done(name)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [Outcome(claim, *decided[claim.id]) for claim in claims]


def _decide(name: str, effort: Effort) -> tuple[str, Decided]:
    """In another process: a claim holds functions, so its id travels instead."""
    from dpverify.theorems.registry import CLAIMS

    outcome = run(CLAIMS[name], effort)
    return name, (outcome.status, outcome.evidence, outcome.counterexample)
