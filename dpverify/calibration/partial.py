"""Work that survives a kill: a curve's rows, kept in a log as they are proved."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from dpverify.generators import Generator
from dpverify.log import Log
from dpverify.version import __version__


class Partial:
    """Rows (delta, lower, upper, verdict) by their delta, and the log that grows with them.

    Rows of another question in the log are not used. It is removed when the work ends well. Without a path,
    rows are only remembered.
    """

    def __init__(self, path: Path | None, generator: Generator, level: Fraction | None = None) -> None:
        bound = {name: str(value) for name, value in generator.parameters.items()}
        self.question: list[object] = [__version__, generator.text, generator.dimension, bound]
        if level is not None:
            self.question.append(str(level))
        self.log = Log(path)
        self.rows: dict[Fraction, list[str]] = {}

    def __enter__(self) -> Partial:
        kept = [line.get("row") for line in self.log.rows() if line.get("question") == self.question]
        self.rows = {Fraction(row[0]): row for row in kept if row}
        return self

    def keep(self, row: list[str]) -> None:
        """Remember a row, and append it to the file."""
        self.rows[Fraction(row[0])] = row
        self.log.keep({"question": self.question, "row": row})

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self.log.remove()
