"""Files of samples as tables on disk: only the rows that are asked for are read into memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

    Rows are read, not mapped: a mapped file that grows shorter ends the process.
    """

    name: str
    file: Path
    rows: int
    columns: int
    type: str
    offset: int
    by_column: bool
    stamp: Stamp

    def read(self, rows: NDArray[np.intp]) -> Array:
        """The rows with these numbers, in rising order.

        Raises InputError where one is not finite, and where the file is not the one that was opened.
        """
        if not len(rows):
            return np.empty((0, self.columns))
        try:
            with open(self.file, "rb", buffering=0) as file:
                if Stamp.of(file.fileno()) != self.stamp:
                    raise InputError(f"{self.name}: was changed while it was audited; audit it again")
                found = np.concatenate([self._stretch(file, part) for part in self._stretches(rows)])
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error})") from None
        finite = np.isfinite(found).all(axis=1)
        if not finite.all():
            raise InputError(f"{self.name}: row {int(rows[np.argmin(finite)]) + 1} holds NaN or an infinite value")
        return found

    def _stretches(self, rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """The rows in lots so near each other that memory holds all numbers between them."""
        near = max(1, NUMBERS // self.columns)
        return np.split(rows, np.flatnonzero(np.diff(rows // near)) + 1)

    def _stretch(self, file: FileIO, rows: NDArray[np.intp]) -> Array:
        first, last = int(rows[0]), int(rows[-1]) + 1
        if not self.by_column:
            numbers = self._numbers(file, first * self.columns, (last - first) * self.columns)
            return numbers.reshape(-1, self.columns)[rows - first].astype(np.float64)
        columns = [self._numbers(file, self.rows * k + first, last - first) for k in range(self.columns)]
        return np.column_stack([column[rows - first].astype(np.float64) for column in columns])

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
    if dtype.kind not in "fiu" or columns == 0:
        raise InputError(f"holds {dtype} of shape {shape}; wanted numbers, n x d")
    return rows, columns


def _npz(path: Path) -> Iterable[NDArray[Any]]:
    with np.load(path, allow_pickle=False) as archive:
        if len(archive.files) != 1:
            raise InputError(f"holds {len(archive.files)} arrays; keep one in each file")
        yield archive[archive.files[0]]


def _csv(path: Path) -> Iterable[NDArray[Any]]:
    import pyarrow
    from pyarrow import csv

    with open(path, encoding="utf-8", errors="replace") as file:
        cells = file.readline().split(",")
    headed = not all(map(_is_number, cells))
    names = [f"{i + 1}" for i in range(len(cells))]
    return map(
        _stacked,
        csv.open_csv(
            path,
            read_options=csv.ReadOptions(column_names=names, skip_rows=int(headed)),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.float64())),
        ),
    )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _parquet(path: Path) -> Iterable[NDArray[Any]]:
    from pyarrow import parquet

    return map(_stacked, parquet.ParquetFile(path).iter_batches(batch_size=ROWS))


def _stacked(batch: Any) -> NDArray[Any]:
    columns = [column.to_numpy(zero_copy_only=False) for column in batch.columns]
    for name, column in zip(batch.schema.names, columns, strict=True):
        if column.dtype.kind not in "fiu":
            raise InputError(f"the column {name} does not hold numbers")
    return np.column_stack(columns)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="dpverify-")


def _copied(path: Path, blocks: Iterable[NDArray[Any]]) -> Table:
    rows, columns = 0, 1
    with tempfile.NamedTemporaryFile(dir=_folder().name, delete=False) as file:
        for block in blocks:
            more, columns = _shape(block.shape, block.dtype)
            rows += more
            file.write(np.ascontiguousarray(block, dtype=np.float64).tobytes())
        file.flush()
        stamp = Stamp.of(file.fileno())
    return Table(str(path), Path(file.name), rows, columns, np.dtype(np.float64).str, 0, False, stamp)
