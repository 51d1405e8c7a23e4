"""Figure 2.3: a small histogram with a third of its cells occupied."""

from __future__ import annotations

from collections.abc import Iterator

from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph
from dpverify.reproduce.studies import sparse_trials
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

CELLS = 64
STAND_IN = [16, 12, 9, 5, 4, 3, 2, 2, 2, 2, *[1] * 9, 2, 1, 1]
"""22 counts that sum to 70, made up."""


def run(work: Work) -> Iterator[Cell | Graph]:
    """15,000 trials."""
    pairs = sparse_trials.occupied(work.data, STAND_IN, CELLS)
    trials, batches = work.effort.pick((1500, 3), (15_000, 30))
    yield from sparse_trials.run(work, CELLS, pairs, trials, batches, ("22", "70"))


STUDY = Study(
    "hall-figure-2.3",
    "hall-2012",
    "Figure 2.3",
    "sparse histogram and Laplace noise on the Edwards data",
    run,
    data=sparse_trials.LAYOUT,
    notes=(
        "The data are not in the thesis: without --data, a made-up histogram with as many occupied cells and records.",
        "alpha is not given; it is 1 here.",
    ),
)
