"""Figure 1: 100 simulated curves; and how much of their variation 40 basis functions explain."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.studies.simulated_curves import NOTES, basis, curves
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

SHOWN = 100


def share(n: int, rng: np.random.Generator) -> list[float]:
    """Of the variation of n curves, what lies in the span of the 40 functions; and of the curves without noise."""
    x = curves(n, rng)
    inside = (basis().coefficients(x) ** 2).sum(axis=1)
    return [float(inside.sum() / ((x**2).mean(axis=1)).sum())]


def picture(rng: np.random.Generator) -> list[list[float]]:
    """The first 100 curves, to four digits."""
    return [[round(float(value), 4) for value in row] for row in curves(SHOWN, rng)]


def run(work: Work) -> Iterator[Cell | Graph]:
    """The share that is printed, and the picture."""
    shares = np.array([row[0] for row in work.each(share, [(500 + k,) for k in range(work.effort.pick(4, 10))])])
    error = float(shares.std(ddof=1) / len(shares) ** 0.5)
    yield Cell(
        "variation that m = 40 functions explain",
        float(shares.mean()),
        error,
        "> 0.99",
        judged=bool(shares.mean() > 0.99),
    )
    grid = tuple(float(t) for t in basis().grid)
    (rows,) = work.each(picture, [()])
    yield Graph(
        "curves",
        "100 simulated curves",
        "A hundred noisy curves around 0, between about -3 and 3; a wave of two periods is hidden by the noise.",
        "t",
        "X(t)",
        tuple(Series("", grid, tuple(row), kind="faint") for row in rows),
    )


STUDY = Study(
    "awan-figure-1",
    "awan-2019",
    "Section 6.1, Figure 1",
    "simulated curves",
    run,
    notes=(
        *NOTES[:1],
        (
            "With independent noise of variance 1 at each of 100 points, as printed, 40 functions explain 40 % of the "
            "noise: the printed share can hold only of smoothed curves, or of less noise."
        ),
    ),
)
