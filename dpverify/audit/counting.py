"""Counting an event in a chunk: what workers do, a function of the seed and the chunk's number alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from dpverify.audit.bounds import Counts
from dpverify.audit.choice import Test
from dpverify.audit.scores import Array, values_of
from dpverify.audit.seeds import stream
from dpverify.audit.sources import Source, Which

WHICH: tuple[Which, Which] = ("P", "Q")
OVERFLOW = 1e-3
"""The part of alpha set aside for random origins that ask a file for more rows than it has."""


@dataclass(frozen=True)
class Task:
    """The work of one audit: `overflow` is the probability that one chunk of a file may ask for too many rows.

    All tests count the same samples: their errors add up, whatever the dependence between them.
    """

    source: Source
    tests: tuple[Test, ...]
    seed: int
    overflow: float

    def count(self, index: int) -> tuple[Counts, ...]:
        """For each test the chunk's samples and how many lie in its event, in the order of its direction."""
        sizes = dict(zip("PQ", self.source.chunk_sizes(index), strict=True))
        wanted = [self._origins(test, index, sizes) for test in self.tests]
        hits = {which: self._hits(which, index, [sizes[which] for sizes in wanted]) for which in WHICH}
        return tuple(
            Counts(sizes[first], hits[first][at], sizes[second], hits[second][at])
            for at, (sizes, (first, second)) in enumerate(zip(wanted, map(_order, self.tests), strict=True))
        )

    def _origins(self, test: Test, index: int, sizes: dict[str, int]) -> dict[str, int]:
        """How many samples come from each output."""
        names = _order(test)
        return dict(zip(names, self._split(test, index, *(sizes[name] for name in names)), strict=True))

    def _split(self, test: Test, index: int, first: int, second: int) -> tuple[int, int]:
        if test.procedure.method == "paired":
            return first, second
        rng, weight = stream(self.seed, "audit", index, 2), test.procedure.weight
        if self.source.renewable:
            drawn = int(rng.binomial(first + second, weight))
            return drawn, first + second - drawn
        total = origins_total(first, second, weight, self.overflow)
        drawn = int(rng.binomial(total, weight))
        return min(drawn, first), min(total - drawn, second)

    def _hits(self, which: Which, index: int, counts: list[int]) -> list[int]:
        """How many of the first `counts` samples lie in each event."""
        hits = [0] * len(counts)
        for places, x in self.source.blocks(which, index, max(counts), self.seed):
            seen: dict[int, Array] = {}
            for at, (test, count) in enumerate(zip(self.tests, counts, strict=True)):
                score = test.event.score
                if id(score) not in seen:  # thresholds of one score share it
                    seen[id(score)] = values_of(score, x)
                hits[at] += int(np.count_nonzero(test.event.holds(seen[id(score)]) & (places < count)))
        return hits


def _order(test: Test) -> tuple[Which, Which]:
    return ("P", "Q") if test.event.direction == "P/Q" else ("Q", "P")


def origins_total(first: int, second: int, weight: float, overflow: float) -> int:
    """The most draws of random origin for which P(more than `first` or `second` from one side) <= overflow."""
    low, high = 0, first + second
    while low < high:
        total = (low + high + 1) // 2
        too_many = special.bdtrc(first, total, weight) if total > first else 0.0
        too_many += special.bdtrc(second, total, 1 - weight) if total > second else 0.0
        low, high = (total, high) if too_many <= overflow else (low, total - 1)
    return low
