"""Files of samples as tables on disk: only the rows that are asked for are read into memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpverify.errors import InputError

Array = NDArray[np.float64]
ROWS = 1 << 16


@dataclass(frozen=True)
class Table:
    """n x d numbers in a file that any process can map: a .npy, or bare float64 row after row."""

    name: str
    file: Path
    rows: int
    columns: int
    bare: bool

    def read(self, rows: NDArray[np.intp]) -> Array:
        """The rows with these numbers; raises InputError where one is not finite."""
        found = np.asarray(_mapped(self)[rows], dtype=np.float64)
        found = found[:, None] if found.ndim == 1 else found
        finite = np.isfinite(found).all(axis=1)
        if not finite.all():
            raise InputError(f"{self.name}: row {int(rows[np.argmin(finite)]) + 1} holds NaN or an infinite value")
        return found


@cache
def _mapped(table: Table) -> NDArray[Any]:
    if table.bare:
        return np.memmap(table.file, dtype=np.float64, mode="r", shape=(table.rows, table.columns))
    return np.load(table.file, mmap_mode="r", allow_pickle=False)  # type: ignore[no-any-return]


def open_table(path: Path) -> Table:
    """The table in a .npy, .npz, .csv or .parquet file.

    All but .npy are copied, a stretch at a time, to a temporary file that goes when the program ends.
    Raises InputError for what is no table of numbers.
    """
    try:
        if path.suffix.lower() == ".npy":
            array = np.load(path, mmap_mode="r", allow_pickle=False)
            return Table(str(path), path.absolute(), *_shape(array), bare=False)
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


def _shape(array: Any) -> tuple[int, int]:
    rows, columns = array.shape if array.ndim == 2 else (*array.shape, 1) if array.ndim == 1 else (0, 0)
    if array.dtype.kind not in "fiu" or columns == 0:
        raise InputError(f"holds {array.dtype} of shape {array.shape}; wanted numbers, n x d")
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
            more, columns = _shape(block)
            rows += more
            file.write(np.ascontiguousarray(block, dtype=np.float64).tobytes())
    return Table(str(path), Path(file.name), rows, columns, bare=True)
