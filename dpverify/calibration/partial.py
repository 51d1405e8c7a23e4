"""Work that survives a kill: a curve's rows, kept in a log as they are proved."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from dpverify.calibration.law import Law
from dpverify.log import Log
from dpverify.version import __version__


class Partial:
    """Rows (delta, lower, upper, verdict) by their delta, and the log that grows with them.

    Rows of another question in the log are not used. It is removed when the work ends well. Without a path,
    rows are only remembered.
    """

    def __init__(self, path: Path | None, law: Law, level: Fraction | None = None) -> None:
        generator = law.generator
        bound = {name: str(value) for name, value in generator.parameters.items()}
        self.question: list[object] = [__version__, generator.text, generator.dimension, bound]
        if level is not None:
            self.question.append(str(level))
        if law.density is not None:
            self.question.append({"mixing": law.density})
        self.log = Log(path)
        self.rows: dict[Fraction, list[str]] = {}
        self.assumed: dict[Fraction, Sequence[str]] = {}

    def __enter__(self) -> Partial:
        for line in self.log.rows():
            if line.get("question") == self.question and line.get("row") and "assumptions" in line:
                self._remember(line["row"], line["assumptions"])
        return self

    def keep(self, row: list[str], assumptions: Sequence[str]) -> None:
        """Remember a row and what its proof assumes, and append both to the file."""
        self._remember(row, assumptions)
        self.log.keep({"question": self.question, "row": row, "assumptions": list(assumptions)})

    def _remember(self, row: list[str], assumptions: Sequence[str]) -> None:
        self.rows[Fraction(row[0])], self.assumed[Fraction(row[0])] = row, assumptions

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self.log.remove()
