"""A time limit on a piece of work: where it runs out, the work ends with `OutOfTime`, wherever it is."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

ALARMS = hasattr(signal, "setitimer") and sys.platform != "emscripten"
"""In the browser an alarm can be set, and never rings."""


class OutOfTime(BaseException):
    """The time limit ran out; no Exception, so that no step of a proof mistakes it for its own failure."""


class OutOfShare(OutOfTime):
    """A step's share of the time ran out: there is time left for another way."""


@dataclass(frozen=True)
class _Limit:
    end: float
    of_work: bool
    raised: type[OutOfTime]

    def left(self) -> float:
        return self.end - (time.process_time() if self.of_work else time.monotonic())

    def wait(self) -> float:
        """Seconds until the alarm, which at 0 would never ring."""
        return max(self.left(), 1e-6)

    def check(self) -> None:
        if self.left() <= 0:
            raise self.raised


class _Limits(threading.local):
    """The limits that a thread works under, the innermost last."""

    def __init__(self) -> None:
        self.all: list[_Limit] = []


_limits = _Limits()


@contextmanager
def deadline(
    seconds: Fraction | float | None, of_work: bool = False, raised: type[OutOfTime] = OutOfTime
) -> Iterator[Callable[[], None]]:
    """Run the block for at most `seconds` (None: without limit); yields a check to call now and then.

    With `of_work` the seconds are the processor's, so that what is found does not depend on how busy the machine is.

    In the main thread an alarm ends the block at any instant; in other threads, and on systems
    without alarms, the check does.  A limit within another ends the block where either runs out. Raises OutOfTime.
    """
    if seconds is None:
        with _let_through():
            yield lambda: None
        return
    limit = _Limit((time.process_time() if of_work else time.monotonic()) + float(seconds), of_work, raised)
    limits = _limits.all
    limits.append(limit)
    try:
        if threading.current_thread() is threading.main_thread() and ALARMS:
            with _alarm([other for other in limits if other.of_work == of_work]):
                yield limit.check
        else:
            yield limit.check
    finally:
        limits.pop()


@contextmanager
def _let_through() -> Iterator[None]:
    """What C makes of an alarm that rings while it does not look is turned back into what rang, of an outer limit
    too."""
    try:
        yield
    except SystemError as error:
        if isinstance(error.__cause__, OutOfTime):
            raise error.__cause__ from None
        raise


@contextmanager
def _alarm(limits: Sequence[_Limit]) -> Iterator[None]:
    """An alarm for the limit among these, of one clock, that runs out first; after it, for the outer ones."""
    number, timer = (signal.SIGPROF, signal.ITIMER_PROF) if limits[-1].of_work else (signal.SIGALRM, signal.ITIMER_REAL)
    first = min(limits, key=_Limit.left)

    def ring(*_: object) -> None:
        raise first.raised

    former = signal.signal(number, ring)
    try:
        signal.setitimer(timer, first.wait())
        with _let_through():
            yield
    finally:
        try:
            signal.setitimer(timer, 0)
        finally:
            signal.signal(number, former)
            if limits[:-1]:
                signal.setitimer(timer, min(outer.wait() for outer in limits[:-1]))


@contextmanager
def share(part: Fraction) -> Iterator[Callable[[], None]]:
    """Run the block for at most this part of the time that is left; all of it is no limit of its own.

    Yields a check to call now and then.  Raises OutOfShare.
    """
    limits = _limits.all
    if not limits or part == 1:
        yield lambda: None
        return
    tightest = min(limits, key=_Limit.left)
    with deadline(float(part) * max(tightest.left(), 0.0), tightest.of_work, OutOfShare) as check:
        yield check
