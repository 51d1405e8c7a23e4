"""Spreading chunks over processes: forks of this one, or joblib's, loky or what a parallel_config names."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence
from functools import cache

from dpverify.audit import forks
from dpverify.audit.bounds import Counts
from dpverify.audit.counting import Task
from dpverify.errors import DpverifyError, InputError

ATTEMPTS = 5
"""How often in a row workers may be killed before anything new was counted."""
STARTING = 0.5
"""Seconds in which workers start."""

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

    What a killed worker had in hand is done again: chunks are functions of their number, so nothing is
    lost and nothing counted twice.
    """
    if jobs == 1:
        keep_memory()
        yield from map(task.count, chunks)
        return
    done = tried = 0
    while done < len(chunks):
        try:
            for counts in _spread(task, chunks[done:], jobs):
                yield counts
                done, tried = done + 1, 0
        except DpverifyError:
            raise
        except Exception as error:
            tried += 1
            if not lost_a_worker(error):
                raise
            if tried == ATTEMPTS:
                raise InputError(
                    f"workers were killed {ATTEMPTS} times in a row; try fewer jobs, or look at the memory"
                ) from None


def count_one(task: Task, chunk: int) -> tuple[Counts, ...]:
    """The counts of a chunk, wherever."""
    keep_memory()
    return task.count(chunk)


def _spread(task: Task, chunks: Sequence[int], jobs: int | None) -> Iterator[tuple[Counts, ...]]:
    """The counts of the chunks, in order, by other processes."""
    if jobs is not None and forks.serve(task):
        return forks.each(lambda chunk: count_one(task, chunk), chunks, jobs)
    return _by_joblib(task, chunks, jobs)


def _by_joblib(task: Task, chunks: Sequence[int], jobs: int | None) -> Iterator[tuple[Counts, ...]]:
    """Workers take chunk after chunk and none waits for another; while they start this process takes some too.

    Joblib puts chunks that are counted fast together, and gives back in the order in which it took them.
    """
    import joblib

    left = iter(chunks)
    calls = (joblib.delayed(count_one)(task, chunk) for chunk in left)
    try:
        counted_there = joblib.Parallel(n_jobs=jobs, return_as="generator")(calls)
    except ValueError as error:
        raise InputError(
            f"joblib cannot spread the audit ({error}); its backends loky, threading and dask can"
        ) from None
    try:
        counted_here, started = {}, time.monotonic()
        while time.monotonic() - started < STARTING and (chunk := next(left, None)) is not None:
            counted_here[chunk] = count_one(task, chunk)
        for chunk in chunks:
            yield counted_here.pop(chunk) if chunk in counted_here else next(counted_there)
        next(counted_there, None)  # there is none, and it ends
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an audit that is broken off leaves work undone
            counted_there.close()


def lost_a_worker(error: Exception) -> bool:
    """Whether it was not the work that failed, but the process which did it that was killed."""
    return type(error).__name__ in (
        "TerminatedWorkerError",
        "BrokenProcessPool",
        "KilledWorker",
        "ShutdownExecutorError",
    )
