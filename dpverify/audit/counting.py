"""Counting an event in a chunk: what workers do, a function of the seed and the chunk's number alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from dpverify.audit.bounds import Counts
from dpverify.audit.choice import Test
from dpverify.audit.seeds import stream
from dpverify.audit.sources import Source, Which

OVERFLOW = 1e-3
"""The part of alpha set aside for random origins that ask a file for more rows than it has."""


@dataclass(frozen=True)
class Task:
    """The work of one audit: `overflow` is the probability that one chunk of a file may ask for too many rows."""

    source: Source
    test: Test
    seed: int
    overflow: float

    def count(self, index: int) -> Counts:
        """The chunk's samples and how many lie in the event, in the order of the event's direction."""
        names: tuple[Which, Which] = ("P", "Q") if self.test.event.direction == "P/Q" else ("Q", "P")
        sizes = dict(zip("PQ", self.source.chunk_sizes(index), strict=True))
        first, second = self._origins(index, sizes[names[0]], sizes[names[1]])
        return Counts(first, self._hits(names[0], index, first), second, self._hits(names[1], index, second))

    def _origins(self, index: int, first: int, second: int) -> tuple[int, int]:
        """How many samples come from each output."""
        if self.test.procedure.method == "paired":
            return first, second
        rng, weight = stream(self.seed, "audit", index, 2), self.test.procedure.weight
        if self.source.renewable:
            drawn = int(rng.binomial(first + second, weight))
            return drawn, first + second - drawn
        total = origins_total(first, second, weight, self.overflow)
        drawn = int(rng.binomial(total, weight))
        return min(drawn, first), min(total - drawn, second)

    def _hits(self, which: Which, index: int, count: int) -> int:
        return sum(
            int(np.count_nonzero(self.test.event.contains(x)))
            for x in self.source.blocks(which, index, count, self.seed)
        )


def origins_total(first: int, second: int, weight: float, overflow: float) -> int:
    """The most draws of random origin for which P(more than `first` or `second` from one side) <= overflow."""
    low, high = 0, first + second
    while low < high:
        total = (low + high + 1) // 2
        too_many = special.bdtrc(first, total, weight) if total > first else 0.0
        too_many += special.bdtrc(second, total, 1 - weight) if total > second else 0.0
        low, high = (total, high) if too_many <= overflow else (low, total - 1)
    return low
