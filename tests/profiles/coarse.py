"""Intervals of few digits, where an end rounded the wrong way, or the wrong end taken, shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dpverify.kernel.intervals import DOWN, NEAR, UP, nearest, quotient


@contextmanager
def digits(count: int) -> Iterator[None]:
    """The kernel's intervals have so many digits, as long as this lasts."""
    usual = DOWN.prec
    try:
        for context in (DOWN, UP, NEAR):
            context.prec = count
        for kept in (quotient, nearest):
            kept.cache_clear()
        yield
    finally:
        for context in (DOWN, UP, NEAR):
            context.prec = usual
        for kept in (quotient, nearest):
            kept.cache_clear()
