"""Counting an event in a chunk: what workers do, a function of the seed and the chunk's number alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpverify.audit.bounds import Counts
from dpverify.audit.choice import Test
from dpverify.audit.scores import Array, values_of
from dpverify.audit.sources import Source, Which


@dataclass(frozen=True)
class Task:
    """The work of one audit.

    All tests count the same samples: their errors add up, whatever the dependence between them.
    """

    source: Source
    tests: tuple[Test, ...]
    seed: int

    def count(self, index: int) -> tuple[Counts, ...]:
        """For each test the chunk's samples and how many lie in its event, in the order of its direction."""
        p, q = self.source.chunk_sizes(index)
        found = zip(self.tests, self._hits("P", index, p), self._hits("Q", index, q), strict=True)
        return tuple(
            Counts(p, in_p, q, in_q) if test.event.direction == "P/Q" else Counts(q, in_q, p, in_p)
            for test, in_p, in_q in found
        )

    def _hits(self, which: Which, index: int, size: int) -> list[int]:
        """How many samples of the chunk lie in each event."""
        hits = [0] * len(self.tests)
        for x in self.source.blocks(which, index, size, self.seed):
            seen: dict[int, Array] = {}
            for at, test in enumerate(self.tests):
                score = test.event.score
                if id(score) not in seen:  # thresholds of one score share it
                    seen[id(score)] = values_of(score, x)
                hits[at] += int(np.count_nonzero(test.event.holds(seen[id(score)])))
        return hits
