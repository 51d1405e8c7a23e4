"""Progress on standard error, once work has taken two seconds, and only on a terminal."""

from __future__ import annotations

import sys
import time
from threading import Timer
from types import TracebackType
from typing import Any

PATIENCE = 2.0


class Progress:
    """Called with (step, count) as the work goes on; shows the latest once the wait grows long."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.text = "working"
        self.status: Any = None
        self.timer = Timer(PATIENCE, self._show)
        self.timer.daemon = True

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            self.timer.start()
        return self

    def _show(self) -> None:
        from rich.console import Console

        self.status = Console(stderr=True).status(self.text)
        self.status.start()

    def __call__(self, step: str, count: int) -> None:
        self.text = f"{step}: {count} boxes examined" if count else step
        if self.status is not None:
            self.status.update(f"{self.text}, {time.monotonic() - self.started:.0f} s")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.timer.cancel()
        if self.timer.is_alive():
            self.timer.join()
        if self.status is not None:
            self.status.stop()
