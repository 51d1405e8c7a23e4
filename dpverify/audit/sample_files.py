"""Files of samples as a source of outputs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.outcomes import Outcomes
from dpverify.audit.seeds import stream
from dpverify.audit.shared_noise import refuse_shared_noise
from dpverify.audit.sources import CHUNK, Source, Which, block_rows, pilot_size
from dpverify.audit.tables import Table, open_table
from dpverify.errors import InputError

HEAD = 10_000
"""Rows of a file that tell whether samples hang together."""


@dataclass(frozen=True)
class Files(Source):
    """Samples of P and Q in two tables, rows independent and in any order.

    A random part of the rows is the pilot, the others are audited.
    """

    p: Table
    q: Table
    rows: tuple[int, int]

    @classmethod
    def open(cls, p: str | Path, q: str | Path, samples: int | None = None) -> Files:
        """The tables in two files (.npy, .npz, .csv, .parquet); `samples` caps the rows used of each."""
        tables = open_table(Path(p)), open_table(Path(q))
        if tables[0].columns != tables[1].columns:
            raise InputError(
                f"P has {tables[0].columns} dimension(s) and Q has {tables[1].columns}; they must have the same"
            )
        rows = [table.rows if samples is None else min(samples, table.rows) for table in tables]
        files = cls(*tables, (rows[0], rows[1]))
        refuse_shared_noise(*files.heads())
        return files

    @property
    def dimension(self) -> int:
        return self.p.columns

    def heads(self) -> tuple[Outcomes, Outcomes]:
        """The first rows of P and Q, as they are stored."""
        p, q = (table.read(np.arange(min(rows, HEAD))) for table, rows in zip((self.p, self.q), self.rows, strict=True))
        return p, q

    @property
    def text(self) -> str:
        return f"{self.p.name} and {self.q.name}"

    @property
    def given(self) -> int:
        return max(self.rows)

    def chunks(self) -> int:
        return ceil(max(self.rows) / CHUNK)

    def _range(self, which: Which, index: int) -> tuple[int, int, int]:
        """Where a chunk's rows start, how many of them are pilot, and how many there are."""
        rows, count = self.rows["PQ".index(which)], self.chunks()
        start, stop = rows * index // count, rows * (index + 1) // count
        pilot = pilot_size(rows, self.dimension) * (stop - start) // rows
        return start, pilot, stop - start

    def size(self, which: Which) -> int:
        return sum(self.chunk_sizes(index)["PQ".index(which)] for index in range(self.chunks()))

    def chunk_sizes(self, index: int) -> tuple[int, int]:
        (_, p_pilot, p_rows), (_, q_pilot, q_rows) = (self._range(which, index) for which in ("P", "Q"))
        return p_rows - p_pilot, q_rows - q_pilot

    def _shuffled(self, which: Which, index: int, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        start, pilot, rows = self._range(which, index)
        order = start + stream(seed, "rows", index, "PQ".index(which)).permutation(rows)
        return order[:pilot], order[pilot:]

    def _table(self, which: Which) -> Table:
        return self.p if which == "P" else self.q

    def pilot(self, which: Which, seed: int) -> tuple[Outcomes, Outcomes]:
        """Two lots of rows, to fit scores to and to choose an event on."""
        table = self._table(which)
        lots = [self._shuffled(which, index, seed)[0] for index in range(self.chunks())]
        halves = [np.sort(np.concatenate([lot[half::2] for lot in lots])) for half in (0, 1)]
        return table.read(halves[0]), table.read(halves[1])

    def blocks(self, which: Which, index: int, count: int, seed: int) -> Iterator[Outcomes]:
        chosen = np.sort(self._shuffled(which, index, seed)[1][:count])
        rows = block_rows(self.dimension)
        for start in range(0, count, rows):
            yield self._table(which).read(chosen[start : start + rows])

    def identity(self) -> dict[str, Any]:
        return {"rows": list(self.rows), "dimension": self.dimension, "first": [self._mark("P"), self._mark("Q")]}

    def _mark(self, which: Which) -> str:
        """The digest of the first rows, to tell files apart."""
        few = np.arange(min(1000, self.rows["PQ".index(which)]))
        return hashlib.sha256(self._table(which).read(few).keys.tobytes()).hexdigest()
