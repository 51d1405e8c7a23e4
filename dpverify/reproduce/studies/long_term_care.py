"""Figure 2.4: a large histogram of which 5 per cent are occupied."""

from __future__ import annotations

from collections.abc import Iterator

from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph
from dpverify.reproduce.studies import sparse_trials
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

CELLS, OCCUPIED, RECORDS = 2**16, 3152, 21_574
SMALL = [1] * 2200 + [2] * 600 + [3] * 200 + [5] * 100 + [20] * 40 + [60] * 11
STAND_IN = [RECORDS - sum(SMALL), *SMALL]
"""3,152 counts that sum to 21,574, the majority in one cell, made up."""


def run(work: Work) -> Iterator[Cell | Graph]:
    """1,000 trials."""
    pairs = sparse_trials.occupied(work.data, STAND_IN, CELLS)
    trials, batches = work.effort.pick((60, 2), (1000, 20))
    yield from sparse_trials.run(work, CELLS, pairs, trials, batches, ("3152", "21574"))


STUDY = Study(
    "hall-figure-2.4",
    "hall-2012",
    "Figure 2.4",
    "sparse histogram and Laplace noise on the National Long Term Care Survey",
    run,
    data=sparse_trials.LAYOUT,
    notes=(
        "The data are not in the thesis: without --data, a made-up histogram with as many occupied cells and records.",
        "alpha is not given; it is 1 here.",
    ),
)
