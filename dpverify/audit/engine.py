"""Spreading chunks over processes, by joblib: loky by default, or the backend of a surrounding parallel_config."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpverify.audit.bounds import Counts
from dpverify.audit.counting import Task
from dpverify.errors import DpverifyError, InputError

TOGETHER = 4
"""Chunks in one call to a worker."""
ROUNDS_AHEAD = 4
"""Calls for each worker before results are added up."""
ATTEMPTS = 5


def counted(task: Task, chunks: Sequence[int], jobs: int | None) -> Iterator[Counts]:
    """The counts of the chunks, in order.

    A round whose worker was killed is done again: chunks are functions of their number, so nothing is
    lost and nothing counted twice.
    """
    if jobs == 1:
        yield from map(task.count, chunks)
        return
    import joblib

    calls = [chunks[i : i + TOGETHER] for i in range(0, len(chunks), TOGETHER)]
    width = ROUNDS_AHEAD * max(1, joblib.effective_n_jobs(jobs))
    for start in range(0, len(calls), width):
        for counts in _round(task, calls[start : start + width], jobs):
            yield from counts


def count_together(task: Task, chunks: Sequence[int]) -> list[Counts]:
    return [task.count(index) for index in chunks]


def _round(task: Task, calls: Sequence[Sequence[int]], jobs: int | None) -> list[list[Counts]]:
    import joblib

    for _ in range(ATTEMPTS):
        try:
            done: list[list[Counts]] = joblib.Parallel(n_jobs=jobs)(
                joblib.delayed(count_together)(task, call) for call in calls
            )
            return done
        except DpverifyError:
            raise
        except Exception as error:
            if not _lost_a_worker(error):
                raise
    raise InputError(f"workers were killed {ATTEMPTS} times in a row; try fewer jobs, or look at the memory")


def _lost_a_worker(error: Exception) -> bool:
    return type(error).__name__ in (
        "TerminatedWorkerError",
        "BrokenProcessPool",
        "KilledWorker",
        "ShutdownExecutorError",
    )
