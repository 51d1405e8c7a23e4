"""Where the two outputs come from: dpverify's own noise, a callable, or files of samples.

P is the output around the first centre, Q the output around its neighbour. A source hands out a
*pilot*, on which an event is chosen, and *chunks* of other samples, on which that event is counted;
each chunk is a function of the seed and its number alone.
"""

from __future__ import annotations

import hashlib
import pickle
import reprlib
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.outcomes import Outcomes, joined, outcomes
from dpverify.audit.seeds import stream
from dpverify.audit.tables import Table, open_table
from dpverify.errors import InputError
from dpverify.sampling import EllipticalNoise

Array = NDArray[np.float64]
Which = Literal["P", "Q"]
CHUNK = 1 << 16
"""Samples a side in one chunk."""
IDEAL_DRAWS = 50_000
"""Draws on which an event is chosen where the law is known."""
BLOCK, FEWEST_ROWS, MOST_NUMBERS = 1 << 15, 1 << 12, 1 << 22
"""Numbers in memory at a time, about: few enough for a processor's cache, in rows enough for NumPy."""


HEAD = 10_000
"""Rows of a file that tell whether samples hang together."""
MOST_PILOT = 1 << 25
"""Numbers in a pilot."""


class Source(Protocol):
    """Pairs of outputs to audit."""

    @property
    def dimension(self) -> int:
        """How many numbers a sample has."""

    @property
    def text(self) -> str:
        """What is audited, in one line."""

    @property
    def given(self) -> int:
        """How many samples a side were asked for, or are there, the pilot among them."""

    def size(self, which: Which) -> int:
        """How many samples of an output are there to be counted."""

    def chunks(self) -> int:
        """In how many pieces the samples are counted."""

    def chunk_sizes(self, index: int) -> tuple[int, int]:
        """How many samples of P and Q a chunk has."""

    def blocks(self, which: Which, index: int, count: int, seed: int) -> Iterator[Outcomes]:
        """`count` samples of a chunk, in blocks."""

    def identity(self) -> dict[str, Any]:
        """What a checkpoint must have in common with a run to belong to it."""


def block_rows(dimension: int) -> int:
    """How many rows are read or drawn at once."""
    return max(1, BLOCK // dimension, min(FEWEST_ROWS, MOST_NUMBERS // dimension))


def pilot_size(samples: int, dimension: int) -> int:
    """A fifth of the samples, a tenth of many, and never more than memory can hold."""
    wanted = max(ceil(min(0.2 * samples, 20_000)), min(samples // 10, 200_000))
    return min(wanted, max(MOST_PILOT // dimension, min(wanted, 500)))


@dataclass(frozen=True)
class _Drawn(Source):
    """What sources that draw have in common: equal chunks of the samples beside the pilot."""

    samples: int

    @property
    def given(self) -> int:
        return self.samples

    def size(self, which: Which) -> int:
        return self.samples

    def chunks(self) -> int:
        return ceil(self.size("P") / CHUNK)

    def chunk_sizes(self, index: int) -> tuple[int, int]:
        size = min(CHUNK, self.size("P") - index * CHUNK)
        return size, size


@dataclass(frozen=True)
class BuiltIn(_Drawn):
    """dpverify's own sampler of elliptical noise around 0 and around `shift`.

    Its law is known, so that the event is chosen on separate draws and every sample is audited.
    """

    noise: EllipticalNoise
    shift: Array

    @property
    def dimension(self) -> int:
        return self.noise.dimension

    @property
    def text(self) -> str:
        return f"noise {self.noise.generator.text} in dimension {self.dimension}"

    def _draw(self, which: Which, size: int, rng: np.random.Generator) -> Array:
        x = self.noise.draw(size, rng)
        if which == "Q":
            for axis in np.flatnonzero(self.shift):
                x[:, axis] += self.shift[axis]
        return x

    def ideal(self) -> Iterator[Array]:
        """Draws of P that are no part of any audit, the same for every seed, in blocks."""
        rows = block_rows(self.dimension)
        draws = min(IDEAL_DRAWS, max(IDEAL_DRAWS // 10, MOST_NUMBERS // self.dimension))
        return (self._draw("P", rows, stream(0, "ideal", lot)) for lot in range(ceil(draws / rows)))

    def blocks(self, which: Which, index: int, count: int, seed: int) -> Iterator[Outcomes]:
        rng = stream(seed, "audit", index, "PQ".index(which))
        rows = block_rows(self.dimension)
        for start in range(0, count, rows):
            stop = min(start + rows, count)
            yield Outcomes(self._draw(which, stop - start, rng))

    def identity(self) -> dict[str, Any]:
        noise = self.noise
        return {
            "generator": noise.generator.text,
            "dimension": noise.dimension,
            "parameters": {name: str(value) for name, value in noise.generator.parameters.items()},
            "scale": repr(noise.scale),
            "shift": [repr(v) for v in self.shift.tolist()],
            "factor": None if noise.factor is None else noise.factor.tolist(),
            "samples": self.samples,
        }


Sampler = Callable[[Any, int, np.random.Generator], Any]


@dataclass(frozen=True)
class Mechanism(_Drawn):
    """Any sampler, called as function(input, size, rng) for `size` outputs.

    `function` is a Python callable or a text "package.module:function", which workers import by
    themselves. The two inputs are either `centres`, arrays of numbers, or `neighbours`, any Python
    objects; each call gets a copy. Outputs are an array or a list, one item for each; an item is a
    number, a text or any other value that can be told apart, or an array of a shape that stays the same.
    """

    function: str | Sampler
    centres: tuple[Any, Any] | None = None
    neighbours: tuple[Any, Any] | None = None

    def __post_init__(self) -> None:
        if (self.centres is None) == (self.neighbours is None):
            raise InputError("a mechanism needs two inputs: centres=(c, c') or neighbours=(D, D')")
        given = self.neighbours if self.centres is None else self.centres
        if not isinstance(given, (tuple, list, np.ndarray)) or len(given) != 2:
            raise InputError("centres and neighbours are a pair: the input of P and that of Q")
        if self.centres is not None:
            object.__setattr__(self, "centres", _centres(*self.centres))

    @property
    def inputs(self) -> tuple[Any, Any]:
        """The inputs of P and Q."""
        found = self.neighbours if self.centres is None else self.centres
        assert found is not None
        return found[0], found[1]

    @cached_property
    def dimension(self) -> int:
        """Coordinates of an output, from two that are drawn for this alone."""
        return self._called("P", 2, stream(0, "shape"), None).dimension

    @property
    def text(self) -> str:
        return self.function if isinstance(self.function, str) else getattr(self.function, "__qualname__", "a callable")

    @cached_property
    def _sampler(self) -> Sampler:
        return load_callable(self.function) if isinstance(self.function, str) else self.function

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_sampler"}

    def size(self, which: Which) -> int:
        return self.samples - pilot_size(self.samples, self.dimension)

    def _draw(self, which: Which, size: int, rng: np.random.Generator) -> Outcomes:
        drawn = self._called(which, size, rng, self.dimension)
        if drawn.dimension != self.dimension:
            now, before = drawn.dimension, self.dimension
            raise InputError(f"{self.text} returned outputs of {now} coordinate(s), and of {before} before")
        return drawn

    def _called(self, which: Which, size: int, rng: np.random.Generator, dimension: int | None) -> Outcomes:
        sampler = self._sampler
        try:
            raw = sampler(deepcopy(self.inputs["PQ".index(which)]), size, rng)
        except Exception as error:
            how = "; it is called as function(centre, size, rng)" if isinstance(error, TypeError) else ""
            raise InputError(f"{self.text} raised {type(error).__name__}: {_first_line(error)}{how}") from None
        try:
            drawn = outcomes(raw, dimension)
        except InputError as error:
            raise InputError(f"{self.text}: {error}") from None
        if len(drawn) != size:
            raise InputError(f"{self.text} returned {len(drawn)} output(s), not {size}")
        return drawn

    def _blocks(self, which: Which, count: int, rng: np.random.Generator) -> Iterator[Outcomes]:
        rows = block_rows(self.dimension)
        for start in range(0, count, rows):
            stop = min(start + rows, count)
            yield self._draw(which, stop - start, rng)

    def pilot(self, which: Which, seed: int) -> tuple[Outcomes, Outcomes]:
        """Two lots of samples, drawn by separate calls, to fit scores to and to choose an event on."""
        whole = pilot_size(self.samples, self.dimension)
        first, second = (
            joined(self._blocks(which, size, stream(seed, "pilot", "PQ".index(which), lot)))
            for lot, size in enumerate((whole // 2, whole - whole // 2))
        )
        return first, second

    def blocks(self, which: Which, index: int, count: int, seed: int) -> Iterator[Outcomes]:
        return self._blocks(which, count, stream(seed, "audit", index, "PQ".index(which)))

    def identity(self) -> dict[str, Any]:
        if self.centres is None:
            return {"mechanism": self.text, "neighbours": list(map(_told, self.inputs)), "samples": self.samples}
        return {
            "mechanism": self.text,
            "centres": [[repr(v) for v in centre.tolist()] for centre in self.centres],
            "samples": self.samples,
        }


def _centres(*centres: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    found = []
    for centre in centres:
        array = np.atleast_1d(np.asarray(centre)) if not isinstance(centre, str) else np.empty(0)
        if array.dtype.kind not in "fiu" or array.ndim != 1 or not len(array) or not np.isfinite(array).all():
            raise InputError(f"a centre is an array of finite numbers, not {reprlib.repr(centre)}; see `neighbours`")
        found.append(array)
    if len(found[0]) != len(found[1]):
        raise InputError(f"the centres have {len(found[0])} and {len(found[1])} coordinates; they must have as many")
    return found[0], found[1]


def _told(thing: Any) -> str:
    """What tells an input from another."""
    try:
        return hashlib.sha256(pickle.dumps(thing)).hexdigest()
    except Exception:
        return f"{type(thing).__qualname__} {reprlib.repr(thing)}"


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or "no message"


def load_callable(text: str) -> Sampler:
    """The function named "package.module:function", searched for from the current folder too."""
    module_name, colon, name = text.partition(":")
    if not colon or not module_name or not name:
        raise InputError(f"the mechanism: {text[:60]!r} is not of the form package.module:function")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module_name)
        for part in name.split("."):
            found = getattr(found, part)
    except AttributeError:
        raise InputError(f"the module {module_name} has no function {name}") from None
    except Exception as error:
        raise InputError(f"{module_name} cannot be imported ({type(error).__name__}: {_first_line(error)})") from None
    if not callable(found):
        raise InputError(f"{text} cannot be called; it is of type {type(found).__name__}")
    sampler: Sampler = found
    return sampler


def refuse_shared_noise(p: Outcomes, q: Outcomes) -> None:
    """Rows of P and Q that differ by one vector were drawn with one seed: no bound holds for such samples."""
    rows = min(len(p), len(q), 10_000)
    both = np.flatnonzero(p.finite[:rows] & q.finite[:rows])
    if len(both) < 20:
        return
    x, y = p.numbers[both], q.numbers[both]
    if _share_of_commonest(x - y) > 0.9 and _share_of_commonest(x - np.roll(y, 1, axis=0)) < 0.5:
        raise InputError("P and Q share their noise: row by row they differ by one vector, so a seed was used twice")


def _share_of_commonest(differences: Array) -> float:
    middle = np.median(differences, axis=0)
    near = np.abs(differences - middle) <= 1e-9 * (np.abs(differences).max() + np.abs(middle))
    return float(near.all(axis=1).mean())


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
