"""Work that goes on after a kill: a log of its results, which only grows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpverify.errors import InputError


class Log:
    """Results in a file, one JSON object a line; no line that was ever kept is written again.

    A kill can cut short the last line alone: that one is not read, and the next begins a line of its own. Which
    of the rows belong to the work at hand is for the reader to say. Without a path nothing is kept.
    """

    def __init__(self, path: str | Path | None) -> None:
        self.path = None if path is None else Path(path)

    def rows(self) -> list[dict[str, Any]]:
        """What was kept, in its order; raises InputError where the file cannot be read."""
        if self.path is None or not self.path.exists():
            return []
        try:
            lines = self.path.read_bytes().split(b"\n")
        except OSError as error:
            raise InputError(f"{self.path}: the log cannot be read ({error.strerror})") from None
        return [row for line in lines if isinstance(row := _object(line), dict)]

    def keep(self, row: Mapping[str, Any]) -> None:
        """Put one row on the disk; raises InputError where the file cannot be written."""
        if self.path is None:
            return
        line = json.dumps(row).encode() + b"\n"
        try:
            with self.path.open("ab") as file:
                file.write(line if self._ends_well() else b"\n" + line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"{self.path}: the log cannot be written ({error.strerror})") from None

    def remove(self) -> None:
        """The work is done."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _ends_well(self) -> bool:
        assert self.path is not None
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if size == 0:
                return True
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def _object(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):  # the line that a kill has cut short
        return None
