"""A time limit around one call of SymPy, inside the child process that SymPy runs in."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OutOfTime(BaseException):
    """SymPy was not done in time; no Exception, which SymPy may swallow."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise OutOfTime after so many seconds, where the system has alarms; limits do not nest."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
