"""Outputs as outcomes, each exactly what it is: numbers for the scores, and a text where floats do not tell all.

An event may look at one output alone: whatever rows stand beside it in a block, a row has the same
numbers and the same text. Values that are equal as numbers are one outcome, whatever their types.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpverify.errors import InputError

Array = NDArray[np.float64]
EXACT = 1 << 53
"""Integers up to here are floats."""
LONGEST = 200
"""Characters of a text; what is longer is told by its beginning and its digest."""


@dataclass(frozen=True)
class Outcomes:
    """n outputs of d coordinates.

    `numbers` (n x d) are the nearest floats, NaN for what is no number; `values` (n x d) are the
    coordinates themselves, given only where some are not that float.
    """

    numbers: Array
    values: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def dimension(self) -> int:
        return int(self.numbers.shape[1])

    def __getitem__(self, rows: Any) -> Outcomes:
        return Outcomes(self.numbers[rows], None if self.values is None else self.values[rows])

    def column(self, index: int) -> Outcomes:
        """One coordinate."""
        at = slice(index, index + 1)
        return Outcomes(self.numbers[:, at], None if self.values is None else self.values[:, at])

    @cached_property
    def finite(self) -> NDArray[np.bool_]:
        """The rows that are numbers throughout, infinity not among them."""
        return np.asarray(np.isfinite(self.numbers).all(axis=1))

    @cached_property
    def texts(self) -> NDArray[Any]:
        """For each row what it is exactly; empty where its numbers are finite and exact."""
        found = np.full(len(self), "", dtype=object)
        plain = self.finite
        if self.values is not None:
            plain = plain & np.fromiter((all(map(is_float, row)) for row in self.values), bool, len(self))
        rows = self.numbers if self.values is None else self.values
        for at in np.flatnonzero(~plain):
            found[at] = _row_text(rows[at].tolist())
        return found

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """One integer a row, the same for the same outcome."""
        keys = _mixed(self.numbers)
        for at in np.flatnonzero(self.texts != ""):
            keys[at] = _digest(self.texts[at])
        return keys


def joined(lots: Iterable[Outcomes]) -> Outcomes:
    """The rows of all lots, one after the other."""
    parts = list(lots)
    numbers = np.concatenate([part.numbers for part in parts])
    if all(part.values is None for part in parts):
        return Outcomes(numbers)
    exact = [part.numbers.astype(object) if part.values is None else part.values for part in parts]
    return Outcomes(numbers, np.concatenate(exact))


def outcomes(raw: Any, dimension: int | None = None) -> Outcomes:
    """A block of outputs, an array or a sequence with one item for each; an item is a scalar or d of them.

    Where `dimension` is given, an item that has not as many coordinates is one outcome without numbers.
    Without it the first item tells it. Raises InputError for what is no sequence, and for items that
    cannot be told apart.
    """
    if isinstance(raw, Outcomes):
        return raw
    if hasattr(raw, "to_numpy"):
        raw = raw.to_numpy()
    if isinstance(raw, np.ndarray) and raw.ndim:
        return _of_array(raw.reshape(len(raw), -1) if raw.size else raw.reshape(len(raw), dimension or 1))
    if isinstance(raw, (str, bytes, np.ndarray)) or not isinstance(raw, Sequence):
        raise InputError(f"{type(raw).__name__} is no array and no list of outputs")
    arrays = [item.to_numpy() if hasattr(item, "to_numpy") else item for item in raw]
    items = [item.ravel().tolist() if isinstance(item, np.ndarray) else item for item in arrays]
    width = (_width(items[0]) if items else 1) if dimension is None else dimension
    rows = np.empty((len(items), width), dtype=object)
    for at, item in enumerate(items):
        if width == 1 and not (isinstance(item, list) and len(item) == 1):
            rows[at, 0] = item
        elif isinstance(item, (list, tuple)) and len(item) == width:
            rows[at] = np.fromiter(item, dtype=object, count=width)
        else:
            rows[at] = [_Whole(item)] * width
    return _of_objects(rows)


def _width(item: Any) -> int:
    """The coordinates of an item: those of a list or tuple of plain numbers and words, else 1."""
    if isinstance(item, (list, tuple)) and len(item) > 0:
        nested = any(isinstance(part, (list, tuple, dict, set, np.ndarray)) for part in item)
        return 1 if nested else len(item)
    return 1


def _of_array(array: NDArray[Any]) -> Outcomes:
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind in "fb" and size <= 8:
        return Outcomes(array.astype(np.float64))
    if kind in "iu" and (size < 8 or not array.size or (array.max() <= EXACT and array.min() >= -EXACT)):
        return Outcomes(array.astype(np.float64))
    return _of_objects(array.astype(object))


def _of_objects(rows: NDArray[Any]) -> Outcomes:
    flat = rows.ravel().tolist()
    numbers = np.array([_number(value) for value in flat], dtype=np.float64).reshape(rows.shape)
    exact = set(map(type, flat)) <= {float} or all(map(is_float, flat))
    return Outcomes(numbers, None if exact else rows)


@dataclass(frozen=True, slots=True)
class _Whole:
    """An output that has not the coordinates of the others."""

    item: Any


def _ratio(value: Any) -> Fraction | None:
    """The exact value of a finite number of any type, None for anything else."""
    if isinstance(value, (bool, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, (int, np.integer)):
        return Fraction(int(value))
    if isinstance(value, (float, np.floating, Fraction, Decimal)):
        try:
            return Fraction(*value.as_integer_ratio())
        except (ValueError, OverflowError):
            return None
    return None


def integer(value: Any) -> int | None:
    """The whole number that a value is, None for any other value."""
    exact = _ratio(value)
    return None if exact is None or exact.denominator != 1 else exact.numerator


def _number(value: Any) -> float:
    if isinstance(value, float):
        return value
    exact = _ratio(value)
    if exact is None:
        return float(value) if isinstance(value, (np.floating, Decimal)) else np.nan
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else -float("inf")


def is_float(value: Any) -> bool:
    """Whether the nearest float is the value itself, NaN and infinities among them."""
    if isinstance(value, (float, bool, np.bool_)):
        return True
    if isinstance(value, int) and abs(value) <= EXACT:
        return True
    exact, number = _ratio(value), _number(value)
    if exact is None:
        return isinstance(value, (np.floating, Decimal))
    return bool(np.isfinite(number)) and Fraction(number) == exact


def _row_text(row: list[Any]) -> str:
    if isinstance(row[0], _Whole):
        text = _text(row[0].item)
    else:
        text = _text(row[0]) if len(row) == 1 else _text(tuple(row))
    if len(text) <= LONGEST:
        return text
    return f"{text[:60]}... ({len(text)} characters, SHA-256 {hashlib.sha256(text.encode(*UNICODE)).hexdigest()})"


def _text(value: Any) -> str:
    """What a value is, so that equal values have equal texts, whatever order a set or a dict keeps."""
    if isinstance(value, np.ndarray):
        return f"array {value.shape} {_text(value.ravel().tolist())}"
    if isinstance(value, (int, float, np.number, np.bool_, Fraction, Decimal)) and not isinstance(value, complex):
        exact = _ratio(value)
        if exact is None:
            return repr(float(value))
        number = _number(value)
        return repr(number + 0.0) if np.isfinite(number) and Fraction(number) == exact else str(exact)
    if isinstance(value, (tuple, list)):
        inner = ", ".join(map(_text, value))
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(sorted(f'{_text(k)}: {_text(v)}' for k, v in value.items()))}}}"
    if isinstance(value, (str, bytes)):
        return repr(str(value) if isinstance(value, str) else bytes(value))
    if getattr(type(value), "__repr__", None) is object.__repr__:
        raise InputError(f"outputs of type {type(value).__name__} cannot be told apart; give it a __repr__")
    return repr(value)


UNICODE = ("utf-8", "surrogatepass")


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(*UNICODE), digest_size=8).digest(), "big")


def _mixed(numbers: Array) -> NDArray[np.uint64]:
    bits = np.ascontiguousarray(numbers + 0.0).view(np.uint64)  # + 0.0 makes -0.0 the same as 0.0
    key = np.zeros(len(numbers), dtype=np.uint64)
    for column in bits.T:
        key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key


def text_key(text: str) -> int:
    """The key of a row with this text."""
    return _digest(text)
