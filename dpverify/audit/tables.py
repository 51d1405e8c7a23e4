"""Files of samples as tables on disk: only the rows that are asked for are read into memory."""

from __future__ import annotations

import csv
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from io import FileIO
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.outcomes import Outcomes, is_float, outcomes
from dpverify.errors import InputError

Array = NDArray[np.float64]
ROWS, NUMBERS = 1 << 16, 1 << 20


@dataclass(frozen=True)
class Stamp:
    """What tells a file from another that was put in its place."""

    device: int
    inode: int
    size: int
    modified: int

    @classmethod
    def of(cls, descriptor: int) -> Stamp:
        found = os.fstat(descriptor)
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


@dataclass(frozen=True)
class Table:
    """n x d numbers in a file that any process can read: `type` in the file's order, from `offset` on.

    Rows are read, not mapped: a mapped file that grows shorter ends the process. What is no float has
    a number in `codes`, its place among `words`, where floats have -1.
    """

    name: str
    file: Path
    rows: int
    columns: int
    type: str
    offset: int
    by_column: bool
    stamp: Stamp
    codes: Table | None = None
    words: tuple[Any, ...] = ()

    def read(self, rows: NDArray[np.intp]) -> Outcomes:
        """The rows with these numbers, in rising order.

        Raises InputError where the file is not the one that was opened.
        """
        if not len(rows):
            return Outcomes(np.empty((0, self.columns)))
        found = self._read(rows)
        if self.codes is None:
            return outcomes(found)
        codes = self.codes._read(rows)
        values, coded = found.astype(object), codes >= 0
        if not coded.any():
            return Outcomes(found)
        words = np.empty(len(self.words), dtype=object)
        words[:] = self.words
        values[coded] = words[codes[coded]]
        return Outcomes(found, values)

    def _read(self, rows: NDArray[np.intp]) -> NDArray[Any]:
        try:
            with open(self.file, "rb", buffering=0) as file:
                if Stamp.of(file.fileno()) != self.stamp:
                    raise InputError(f"{self.name}: was changed while it was audited; audit it again")
                return np.concatenate([self._stretch(file, part) for part in self._stretches(rows)])
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error})") from None

    def _stretches(self, rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """The rows in lots so near each other that memory holds all numbers between them."""
        near = max(1, NUMBERS // self.columns)
        return np.split(rows, np.flatnonzero(np.diff(rows // near)) + 1)

    def _stretch(self, file: FileIO, rows: NDArray[np.intp]) -> NDArray[Any]:
        first, last = int(rows[0]), int(rows[-1]) + 1
        if not self.by_column:
            numbers = self._numbers(file, first * self.columns, (last - first) * self.columns)
            return numbers.reshape(-1, self.columns)[rows - first]
        columns = [self._numbers(file, self.rows * k + first, last - first) for k in range(self.columns)]
        return np.column_stack([column[rows - first] for column in columns])

    def _numbers(self, file: FileIO, start: int, count: int) -> NDArray[Any]:
        found = np.empty(count, dtype=self.type)
        file.seek(self.offset + start * found.itemsize)
        if file.readinto(found.view(np.uint8).data) != found.nbytes:
            raise InputError(f"{self.name}: is shorter than its header says")
        return found


def open_table(path: Path) -> Table:
    """The table in a .npy, .npz, .csv or .parquet file.

    All but .npy are copied, a stretch at a time, to a temporary file that goes when the program ends.
    Raises InputError for what is no table of numbers.
    """
    try:
        if path.stat().st_size == 0:
            raise InputError("is empty")
        if path.suffix.lower() == ".npy":
            return _numpy(path)
        reader = {".npz": _npz, ".csv": _csv, ".parquet": _parquet}.get(path.suffix.lower())
        if reader is None:
            raise InputError("not a .npy, .npz, .csv or .parquet file")
        return _copied(path, reader(path))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except Exception as error:
        raise InputError(
            f"{path}: cannot be read as {path.suffix[1:]} ({' '.join(str(error).split())[:160]})"
        ) from None


def _numpy(path: Path) -> Table:
    with open(path, "rb") as file:
        stamp = Stamp.of(file.fileno())
        version = np.lib.format.read_magic(file)
        header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
        if header is None:
            raise InputError(f"is of version {version[0]}.{version[1]} of its format; save it again with numpy.save")
        shape, by_column, dtype = header(file)
        rows, columns = _shape(shape, dtype)
        if stamp.size < file.tell() + rows * columns * dtype.itemsize:
            raise InputError("is shorter than its header says")
        return Table(str(path), path.absolute(), rows, columns, dtype.str, file.tell(), by_column, stamp)


def _shape(shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, int]:
    rows, columns = shape if len(shape) == 2 else (*shape, 1) if len(shape) == 1 else (0, 0)
    if dtype.kind not in "fiubUS" or dtype.itemsize == 0 or columns == 0:
        raise InputError(f"holds {dtype} of shape {shape}; wanted numbers, booleans or words, n x d")
    return rows, columns


def _npz(path: Path) -> Iterable[NDArray[Any]]:
    with np.load(path, allow_pickle=False) as archive:
        if len(archive.files) != 1:
            raise InputError(f"holds {len(archive.files)} arrays; keep one in each file")
        yield archive[archive.files[0]]


def _csv(path: Path) -> Iterable[Outcomes]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows: Iterator[list[str]] = (row for row in csv.reader(file) if row)
        first = next(rows, [])
        if all(map(_is_number, first)):
            rows = chain([first], rows)
        while block := list(islice(rows, ROWS)):
            if any(len(row) != len(first) for row in block):
                raise ValueError(f"a row has not {len(first)} cells, as the first one has")
            yield _beside([_column([cell.strip() for cell in column]) for column in zip(*block, strict=True)])


def _column(cells: list[str]) -> NDArray[Any]:
    """Cells as they are written: numbers where they can be read as such, whole ones exactly."""
    if not any(map(LONG.fullmatch, cells)):
        try:
            return np.array(cells, dtype=np.float64)
        except ValueError:
            pass
    return _objects(map(_cell, cells))


LONG = re.compile("[+-]?[0-9]{16,}")
"""Whole numbers that a float may not hold."""


def _beside(columns: Iterable[NDArray[Any]]) -> Outcomes:
    """Columns of different types as one block."""
    read = [outcomes(column) for column in columns]
    numbers = np.column_stack([column.numbers for column in read])
    if all(column.values is None for column in read):
        return Outcomes(numbers)
    values = [column.numbers.astype(object) if column.values is None else column.values for column in read]
    return Outcomes(numbers, np.column_stack(values))


def _cell(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _objects(values: Iterable[Any]) -> NDArray[Any]:
    kept = list(values)
    found = np.empty(len(kept), dtype=object)
    found[:] = kept
    return found


def _is_number(cell: str) -> bool:
    return not isinstance(_cell(cell), str)


def _parquet(path: Path) -> Iterable[Outcomes]:
    try:
        from pyarrow import parquet
    except ImportError:
        raise InputError("is a Parquet file, which needs pyarrow: pip install 'dpverify[parquet]'") from None

    return map(_of_batch, parquet.ParquetFile(path).iter_batches(batch_size=ROWS))


def _of_batch(batch: Any) -> Outcomes:
    """Columns of numbers as they are; of all else, and of what is missing among whole numbers, the values."""
    columns = []
    for column in batch.columns:
        found = column.to_numpy(zero_copy_only=False)
        plain = found.dtype.kind in "fiu" and not (column.null_count and str(column.type).find("int") >= 0)
        columns.append(found if plain else _objects(column.to_pylist()))
    return _beside(columns)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="dpverify-")


MOST_WORDS = 1 << 20
"""Different values in a file that are no floats."""


def _copied(path: Path, blocks: Iterable[Any]) -> Table:
    rows, columns = 0, 1
    words: dict[Any, int] = {}
    with _temporary() as numbers, _temporary() as codes:
        for block in map(_flat, blocks):
            columns = block.dimension
            rows += len(block)
            numbers.write(np.ascontiguousarray(block.numbers).tobytes())
            codes.write(_coded(block, words).tobytes())
        tables = [_whole(path, file, rows, columns, kind) for file, kind in ((numbers, np.float64), (codes, np.int32))]
    if rows == 0:
        raise InputError("holds no rows")
    return replace(tables[0], codes=tables[1], words=tuple(words)) if words else tables[0]


def _temporary() -> Any:
    return tempfile.NamedTemporaryFile(dir=_folder().name, delete=False)


def _whole(path: Path, file: Any, rows: int, columns: int, kind: type) -> Table:
    file.flush()
    return Table(str(path), Path(file.name), rows, columns, np.dtype(kind).str, 0, False, Stamp.of(file.fileno()))


def _flat(block: Any) -> Outcomes:
    if isinstance(block, Outcomes):
        return block
    _shape(block.shape, block.dtype)
    return outcomes(block)


def _coded(block: Outcomes, words: dict[Any, int]) -> NDArray[np.int32]:
    """For each value that is no float its place among the words, -1 for floats."""
    codes = np.full(block.numbers.shape, -1, dtype=np.int32)
    if block.values is None:
        return codes
    for at, value in np.ndenumerate(block.values):
        if not is_float(value):
            codes[at] = words.setdefault(value, len(words))
    if len(words) > MOST_WORDS:
        raise InputError(f"holds more than {MOST_WORDS} different values that are no floats; keep them in a .npy file")
    return codes
