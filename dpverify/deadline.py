"""A time limit on a piece of work: where it runs out, the work ends with `OutOfTime`, wherever it is."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction

ALARMS = hasattr(signal, "setitimer") and sys.platform != "emscripten"
"""In the browser an alarm can be set, and never rings."""


class OutOfTime(BaseException):
    """The time limit ran out; no Exception, so that no step of a proof mistakes it for its own failure."""


@contextmanager
def deadline(seconds: Fraction | float | None, of_work: bool = False) -> Iterator[Callable[[], None]]:
    """Run the block for at most `seconds` (None: without limit); yields a check to call now and then.

    With `of_work` the seconds are the processor's, so that what is found does not depend on how busy the machine is.

    In the main thread an alarm ends the block at any instant; in other threads, and on systems
    without alarms, the check does.  Raises OutOfTime.
    """
    if seconds is None:
        yield lambda: None
        return
    clock = time.process_time if of_work else time.monotonic
    end = clock() + float(seconds)

    def check() -> None:
        if clock() >= end:
            raise OutOfTime

    def ring(*_: object) -> None:
        raise OutOfTime

    if threading.current_thread() is not threading.main_thread() or not ALARMS:
        yield check
        return
    number, timer = (signal.SIGPROF, signal.ITIMER_PROF) if of_work else (signal.SIGALRM, signal.ITIMER_REAL)
    former = signal.signal(number, ring)
    signal.setitimer(timer, max(float(seconds), 1e-6))
    try:
        yield check
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, former)
