"""Spreading chunks over processes, by joblib: loky by default, or the backend of a surrounding parallel_config."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache

from dpverify.audit.bounds import Counts
from dpverify.audit.counting import Task
from dpverify.errors import DpverifyError, InputError

TOGETHER = 4
"""Chunks in one call to a worker."""
ROUNDS_AHEAD = 4
"""Calls for each worker before results are added up."""
ATTEMPTS = 5


KEPT = 1 << 28
"""Bytes that a process keeps for its next block."""


@cache
def keep_memory() -> None:
    """Ask the allocator to keep what is freed: a block is as large as the last, and fresh pages cost more than it does.

    Where the C library has no such wish (glibc has), nothing happens.
    """
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt is not None:
        trim_threshold, mmap_threshold = -1, -3
        mallopt(mmap_threshold, KEPT)
        mallopt(trim_threshold, KEPT)


def counted(task: Task, chunks: Sequence[int], jobs: int | None) -> Iterator[tuple[Counts, ...]]:
    """The counts of the chunks, in order.

    A round whose worker was killed is done again: chunks are functions of their number, so nothing is
    lost and nothing counted twice.
    """
    if jobs == 1:
        keep_memory()
        yield from map(task.count, chunks)
        return
    import joblib

    calls = [chunks[i : i + TOGETHER] for i in range(0, len(chunks), TOGETHER)]
    width = ROUNDS_AHEAD * max(1, joblib.effective_n_jobs(jobs))
    for start in range(0, len(calls), width):
        for counts in _round(task, calls[start : start + width], jobs):
            yield from counts


def count_together(task: Task, chunks: Sequence[int]) -> list[tuple[Counts, ...]]:
    """The counts of some chunks, one process's share."""
    keep_memory()
    return [task.count(index) for index in chunks]


def _round(task: Task, calls: Sequence[Sequence[int]], jobs: int | None) -> list[list[tuple[Counts, ...]]]:
    import joblib

    for _ in range(ATTEMPTS):
        try:
            done: list[list[tuple[Counts, ...]]] = joblib.Parallel(n_jobs=jobs)(
                joblib.delayed(count_together)(task, call) for call in calls
            )
            return done
        except DpverifyError:
            raise
        except Exception as error:
            if not lost_a_worker(error):
                raise
    raise InputError(f"workers were killed {ATTEMPTS} times in a row; try fewer jobs, or look at the memory")


def lost_a_worker(error: Exception) -> bool:
    """Whether it was not the work that failed, but the process which did it that was killed."""
    return type(error).__name__ in (
        "TerminatedWorkerError",
        "BrokenProcessPool",
        "KilledWorker",
        "ShutdownExecutorError",
    )
