"""What an audit draws on: outputs of the two inputs, parted into a pilot and chunks.

P is the output around the first centre, Q the output around its neighbour. A source hands out a
*pilot*, on which an event is chosen, and *chunks* of other samples, on which that event is counted;
each chunk is a function of the seed and its number alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.outcomes import Outcomes

Array = NDArray[np.float64]
Which = Literal["P", "Q"]
CHUNK = 1 << 16
"""Samples a side in one chunk."""
BLOCK, FEWEST_ROWS, MOST_NUMBERS = 1 << 15, 1 << 12, 1 << 22
"""Numbers in memory at a time, about: few enough for a processor's cache, in rows enough for NumPy."""
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
class Drawn(Source):
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
