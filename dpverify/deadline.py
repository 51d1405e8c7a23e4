"""A time limit on a piece of work: where it runs out, the work ends with `OutOfTime`, wherever it is."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction


class OutOfTime(BaseException):
    """The time limit ran out; no Exception, so that no step of a proof mistakes it for its own failure."""


@contextmanager
def deadline(seconds: Fraction | float | None) -> Iterator[Callable[[], None]]:
    """Run the block for at most `seconds` (None: without limit); yields a check to call now and then.

    In the main thread an alarm ends the block at any instant; in other threads, and on systems
    without alarms, the check does.  Raises OutOfTime.
    """
    if seconds is None:
        yield lambda: None
        return
    end = time.monotonic() + float(seconds)

    def check() -> None:
        if time.monotonic() >= end:
            raise OutOfTime

    def ring(*_: object) -> None:
        raise OutOfTime

    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield check
        return
    former = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(float(seconds), 1e-6))
    try:
        yield check
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
