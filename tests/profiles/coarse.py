"""Intervals of few digits, where an end rounded the wrong way, or the wrong end taken, shows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpverify.kernel.intervals import DOWN, NEAR, UP


def forget() -> None:
    """Empty all that the kernel keeps: what has few digits is for nobody else."""
    for name, module in list(sys.modules.items()):
        if name.startswith("dpverify.kernel"):
            for kept in list(vars(module).values()):
                inner: Any = kept
                while inner is not None and not isinstance(inner, type):
                    if hasattr(inner, "cache_clear"):
                        inner.cache_clear()
                    inner = getattr(inner, "__wrapped__", None)


@contextmanager
def digits(count: int) -> Iterator[None]:
    """The kernel's intervals have so many digits, as long as this lasts."""
    usual = DOWN.prec
    try:
        for context in (DOWN, UP, NEAR):
            context.prec = count
        forget()
        yield
    finally:
        for context in (DOWN, UP, NEAR):
            context.prec = usual
        forget()
