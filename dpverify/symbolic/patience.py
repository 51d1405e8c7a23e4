"""A limit around one call of SymPy, inside the child process that SymPy runs in.

In seconds of the processor, so that what is found does not depend on how busy the machine is.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OutOfTime(BaseException):
    """SymPy was not done in time; no Exception, which SymPy may swallow."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise OutOfTime after so many seconds of work, where the system has alarms; limits do not nest."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
