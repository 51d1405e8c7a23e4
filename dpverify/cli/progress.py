"""Progress on standard error, once work has taken two seconds, and only on a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE = 2.0


class Progress:
    """Called with (step, count); shows them when the wait grows long."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.status: Any = None

    def __enter__(self) -> Progress:
        return self

    def __call__(self, step: str, count: int) -> None:
        if not sys.stderr.isatty() or time.monotonic() - self.started < PATIENCE:
            return
        if self.status is None:
            from rich.console import Console

            self.status = Console(stderr=True).status("")
            self.status.start()
        seconds = time.monotonic() - self.started
        self.status.update(f"{step}: {count} boxes examined, {seconds:.0f} s")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.status is not None:
            self.status.stop()
