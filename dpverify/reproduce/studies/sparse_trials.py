"""What Figures 2.3 and 2.4 have in common: trials of Laplace noise and of the sparse histogram, negatives set to 0."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.hall import sparse_risk, threshold
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

ALPHA = 1.0
LAYOUT = "a CSV with a column `count`, one row for each occupied cell"
NOTES = (
    "The data are not in the thesis: without --data, a made-up histogram with as many occupied cells and records.",
    "alpha is not given; it is 1 here.",
)
NO_ALPHA = "the thesis gives neither alpha nor numbers"
Pairs = list[list[int]]
"""[count, number of occupied cells with it]."""


def occupied(file: Path | None, stand_in: list[int], cells: int) -> Pairs:
    """The occupied cells of the user's file, or of the stand-in.

    Raises:
        InputError: the file has another layout.
    """
    counts = stand_in
    if file is not None:
        with file.open(newline="") as text:
            rows = list(csv.DictReader(text))
        try:
            counts = [int(row["count"]) for row in rows]
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{file}: not {LAYOUT}") from None
        if not counts or min(counts) < 1 or len(counts) > cells:
            raise InputError(f"{file}: the counts are not positive, or not of 1 to {cells} cells")
    return [[count, times] for count, times in sorted(Counter(counts).items())]


def errors(cells: int, pairs: Pairs, trials: int, batch: int, rng: np.random.Generator) -> list[list[float]]:
    """The l1 errors of so many trials: of Laplace noise, and of the sparse histogram, with the same noise."""
    counts = np.zeros(cells)
    counts[: sum(times for _, times in pairs)] = np.repeat(*np.array(pairs).T)
    found: list[list[float]] = [[], []]
    for _ in range(trials):
        noisy = counts + rng.laplace(scale=2 / ALPHA, size=cells)
        found[0].append(float(np.abs(np.maximum(noisy, 0) - counts).sum()))
        cut = np.where(noisy <= threshold(cells, ALPHA), 0, noisy)
        found[1].append(float(np.abs(cut - counts).sum()))
    return found


def study(
    figure: str,
    survey: str,
    cells: int,
    stand_in: list[int],
    printed: tuple[str, str],
    effort: tuple[tuple[int, int], tuple[int, int]],
) -> Study:
    """The study of one figure: `effort` has trials and batches, of a quick run and of all; `printed` q and n."""

    def compared(work: Work) -> Iterator[Cell | Graph]:
        trials, batches = work.effort.pick(*effort)
        yield from run(work, cells, occupied(work.data, stand_in, cells), trials, batches, printed)

    return Study(
        f"hall-figure-{figure}",
        "hall-2012",
        f"Figure {figure}",
        f"sparse histogram and Laplace noise on the {survey}",
        compared,
        data=LAYOUT,
        notes=NOTES,
    )


def run(
    work: Work, cells: int, pairs: Pairs, trials: int, batches: int, printed: tuple[str, str]
) -> Iterator[Cell | Graph]:
    """Mean errors, which of the two is smaller, the bound of Proposition 2.4.3, and the distributions."""
    parts = work.each(errors, [(cells, pairs, trials // batches, i) for i in range(batches)])
    both = [np.concatenate([part[kind] for part in parts]) for kind in (0, 1)]
    q, n = sum(t for _, t in pairs), sum(c * t for c, t in pairs)
    if work.data is not None:
        yield Cell("occupied cells q", float(q), printed=printed[0])
        yield Cell("records n", float(n), printed=printed[1])
    for label, found in zip(("Laplace", "sparse"), both, strict=True):
        yield Cell(f"mean error, {label}", float(found.mean()), _error(found), why=NO_ALPHA)
    gap = both[0] - both[1]
    yield Cell(
        "Laplace less sparse",
        float(gap.mean()),
        _error(gap),
        printed="above 0",
        judged=bool(gap.mean() > 4 * _error(gap)),
        why="" if work.data is not None else "said of the survey's own histogram, not of a stand-in",
    )
    bound = sparse_risk(cells, q, ALPHA)
    yield Cell("bound of Proposition 2.4.3", bound, printed="above", judged=bool(both[1].mean() < bound))
    edges = np.histogram_bin_edges(np.concatenate(both), 60)
    middle = tuple((edges[1:] + edges[:-1]) / 2)
    yield Graph(
        "errors",
        f"l1 errors, p = {cells}, q = {q}, n = {n}, alpha = {ALPHA:g}",
        "Two histograms of errors: that of the sparse method lies to the left of that of Laplace noise.",
        "l1 error",
        "share of trials",
        tuple(
            Series(label, middle, tuple(np.histogram(found, edges)[0] / len(found)), kind="steps")
            for label, found in zip(("Laplace noise", "sparse histogram"), both, strict=True)
        ),
    )


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)
