"""Work that survives a kill: a curve's rows, kept in a file as they are proved."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TextIO

from dpverify.generators import Generator
from dpverify.version import __version__


class Partial:
    """Rows (delta, lower, upper, verdict) by their delta, and the file that grows with them.

    The file's first line is the question; rows of another question, and a row that was cut short, are
    not used. It is removed when the work ends well. Without a path, rows are only remembered.
    """

    def __init__(self, path: Path | None, generator: Generator) -> None:
        bound = {name: str(value) for name, value in generator.parameters.items()}
        self.question = json.dumps([__version__, generator.text, generator.dimension, bound])
        self.path = path
        self.file: TextIO | None = None
        self.rows: dict[Fraction, list[str]] = {}

    def __enter__(self) -> Partial:
        if self.path is not None:
            lines = self.path.read_text().splitlines() if self.path.exists() else []
            for line in lines[1:] if lines[:1] == [self.question] else []:
                row = line.split(",")
                if len(row) == 4 and row[3] in ("private", "undecided"):
                    self.rows[Fraction(row[0])] = row
            self.file = self.path.open("w")
            self.file.writelines([self.question + "\n", *(",".join(row) + "\n" for row in self.rows.values())])
            self.file.flush()
        return self

    def keep(self, row: list[str]) -> None:
        """Remember a row, and append it to the file."""
        self.rows[Fraction(row[0])] = row
        if self.file is not None:
            self.file.write(",".join(row) + "\n")
            self.file.flush()

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self.file is not None and self.path is not None:
            self.file.close()
            if kind is None:
                self.path.unlink()
