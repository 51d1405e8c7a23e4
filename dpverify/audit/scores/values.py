"""Scores of outputs as the values that they are: NaN or not, whole numbers of any size, values seen before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.outcomes import Outcomes, integer, text_key
from dpverify.audit.scores.score import Array, Floats, shown


@dataclass(frozen=True)
class Special:
    """1 where x[index] is NaN, 0 elsewhere."""

    kind: ClassVar[str] = "special"
    index: int

    @property
    def text(self) -> str:
        return f"x[{self.index}] is NaN (1) or not (0)"

    def __call__(self, x: Array) -> Array:
        return np.isnan(x[:, self.index]).astype(np.float64)


@dataclass(frozen=True)
class Offset:
    """x[index] - origin for whole numbers, which need not be floats; NaN for what is no whole number."""

    kind: ClassVar[str] = "offset"
    index: int
    origin: str

    @property
    def text(self) -> str:
        return f"x[{self.index}] - {self.origin}, exactly"

    def exactly(self, x: Outcomes) -> Array:
        origin = int(self.origin)
        column = x.numbers[:, self.index].tolist() if x.values is None else x.values[:, self.index].tolist()
        return np.array([_away(value, origin) for value in column])

    def __call__(self, x: Array) -> Array:
        return self.exactly(Outcomes(x))


def _away(value: Any, origin: int) -> float:
    whole = integer(value)
    if whole is None:
        return np.nan
    away = whole - origin
    return float(away) if abs(away) < 1 << 1000 else np.inf if away > 0 else -np.inf


@dataclass(frozen=True)
class Atoms:
    """A weight for each output that was seen before, value for value, and 0 for any other.

    A value is its numbers, or one text for an output that is not finite floats throughout. With
    `index` it is that coordinate which is looked up, without it the whole output.
    """

    kind: ClassVar[str] = "atoms"
    values: tuple[tuple[float | str, ...], ...]
    weights: Floats
    index: int | None = None

    @property
    def text(self) -> str:
        first = ", ".join(v[0] if isinstance(v[0], str) else shown(v) for v in self.values[:2])  # type: ignore[arg-type]
        more = f" and {len(self.values) - 2} others" if len(self.values) > 2 else ""
        what = "x" if self.index is None else f"x[{self.index}]"
        return f"the weight of {what} among the outputs seen before ({first}{more})"

    @cached_property
    def _table(self) -> tuple[NDArray[np.uint64], Array, NDArray[Any], Array]:
        width = max(len(value) for value in self.values)
        texts = np.array([v[0] if isinstance(v[0], str) else "" for v in self.values], dtype=object)
        numbers = np.array([[np.nan] * width if isinstance(v[0], str) else v for v in self.values], dtype=np.float64)
        keys = Outcomes(np.nan_to_num(numbers)).keys
        for at in np.flatnonzero(texts != ""):
            keys[at] = text_key(texts[at])
        order = np.argsort(keys)
        return keys[order], numbers[order], texts[order], np.asarray(self.weights)[order]

    def exactly(self, x: Outcomes) -> Array:
        seen = x if self.index is None else x.column(self.index)
        keys, numbers, texts, weights = self._table
        at = np.minimum(np.searchsorted(keys, seen.keys), len(keys) - 1)
        same = (texts[at] == seen.texts) & ((seen.texts != "") | (numbers[at] == seen.numbers).all(axis=1))
        return np.where(same.astype(bool), weights[at], 0.0)

    def __call__(self, x: Array) -> Array:
        return self.exactly(Outcomes(x))
