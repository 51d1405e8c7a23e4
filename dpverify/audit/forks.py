"""Chunks counted by forks of this process: they start at once, have the task already, and are sent numbers alone.

A fork has none of the threads of its parent, which a library in it may wait for in vain: only where Python runs
no other thread, and the samples are drawn or read by code of ours, are processes forked.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from dpverify.audit.built_in import BuiltIn
from dpverify.audit.counting import Task
from dpverify.audit.sample_files import Files

T = TypeVar("T")
LOTS, LONGEST, AHEAD = 64, 32, 4
"""Lots for each process, chunks in one, and lots that are handed out for each process at a time."""
PR_SET_PDEATHSIG = 1

_work: Callable[[int], Any]


def serve(task: Task) -> bool:
    """Whether forks can do the task."""
    ours = isinstance(task.source, BuiltIn | Files)
    return ours and sys.platform == "linux" and threading.active_count() == 1


def each(work: Callable[[int], T], chunks: Sequence[int], jobs: int) -> Iterator[T]:
    """What `work` makes of each chunk, in order, by so many forks; raises BrokenProcessPool where one was killed."""
    size = max(1, min(LONGEST, len(chunks) // (LOTS * jobs)))
    lots = (chunks[start : start + size] for start in range(0, len(chunks), size))
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _begin, (work,))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads in BLAS, which itself minds forks
            handed: deque[Future[list[T]]] = deque(pool.submit(_count, lot) for lot in islice(lots, AHEAD * jobs))
        while handed:
            counted = handed.popleft().result()
            handed.extend(pool.submit(_count, lot) for lot in islice(lots, 1))
            yield from counted
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(work: Callable[[int], Any]) -> None:
    """A fork's first act: it ends with its parent, and leaves an interrupt to it."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _count(lot: Sequence[int]) -> list[Any]:
    return [_work(chunk) for chunk in lot]
