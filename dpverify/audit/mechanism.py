"""Any sampler as a source of outputs, called for two inputs."""

from __future__ import annotations

import hashlib
import pickle
import reprlib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.callables import Sampler, first_line, load_callable
from dpverify.audit.outcomes import Outcomes, joined, outcomes
from dpverify.audit.seeds import stream
from dpverify.audit.sources import Drawn, Which, block_rows, pilot_size
from dpverify.errors import InputError


@dataclass(frozen=True)
class Mechanism(Drawn):
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
            raise InputError(f"{self.text} raised {type(error).__name__}: {first_line(error)}{how}") from None
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
