"""Figure 2.1: the risks that private methods for a count of one record can have."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import pi

import numpy as np
from scipy.optimize import linprog

from dpverify.mechanisms.counting.fair import ratio_below
from dpverify.mechanisms.counting.minimax import minimax
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

ALPHAS = ("1/20", "1/2", "1", "5")
DIRECTIONS = 64


def corners(alpha: str, rng: np.random.Generator) -> list[list[float]]:
    """Corners (R_0, R_1) of the body, in order: R_0 = P(1 | 0) and R_1 = P(0 | 1), by the programme (1.10), (1.11)."""
    r = float(ratio_below(Fraction(alpha)))
    # the four ratios of q = P(1 | 0), 1 - q, p = P(0 | 1), 1 - p
    rows, limits = [[-r, -1], [1, r], [-1, -r], [r, 1]], [-1, r, -1, r]
    found: dict[tuple[float, float], None] = {}
    for angle in 2 * pi * np.arange(DIRECTIONS) / DIRECTIONS + 1e-9:  # the diagonal, of which the body is a strip, too
        best = linprog([-np.cos(angle), -np.sin(angle)], A_ub=rows, b_ub=limits, bounds=(0, 1), method="highs-ds")
        found[round(float(best.x[0]), 9), round(float(best.x[1]), 9)] = None
    return [list(corner) for corner in found]


def _area(points: list[list[float]]) -> float:
    x, y = np.array(points).T
    return float(abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2)


def run(work: Work) -> Iterator[Cell | Graph]:
    """The four bodies, their areas and their lower left corners, which are the minimax methods."""
    bodies = work.each(corners, [(alpha,) for alpha in ALPHAS])
    areas = [_area(body) for body in bodies]
    for alpha, body in zip(ALPHAS, bodies, strict=True):
        least = min(max(corner) for corner in body)
        best = float(minimax(1, ratio_below(Fraction(alpha))).upper)
        yield Cell(
            f"least worst risk, alpha = {float(Fraction(alpha)):g}",
            least,
            printed=f"{best:.6f}",
        )
    for before, after, one, two in zip(ALPHAS, ALPHAS[1:], areas, areas[1:], strict=False):
        name = f"area, alpha = {float(Fraction(after)):g}, not {float(Fraction(before)):g}"
        yield Cell(name, two, printed="larger", judged=two > one)
    outlines = [body + body[:1] for body in bodies]
    yield Graph(
        "bodies",
        "Risks of private methods, n = 1",
        "Four polygons with corners at (1, 0) and (0, 1): for alpha 0.05 a strip along the diagonal between them, "
        "for larger alpha wider, for 5 nearly the whole square.",
        "risk at count 0",
        "risk at count 1",
        tuple(
            Series(
                f"alpha = {float(Fraction(a)):g}",
                tuple(x for x, _ in outline),
                tuple(y for _, y in outline),
                kind="area",
            )
            for a, outline in reversed(list(zip(ALPHAS, outlines, strict=True)))
        ),
    )


STUDY = Study(
    "hall-figure-2.1",
    "hall-2012",
    "Figure 2.1",
    "the risk body of a count for n = 1",
    run,
    notes=("The figure has no numbers: `printed` is the proved minimax risk, and what the caption says of the sizes.",),
)
