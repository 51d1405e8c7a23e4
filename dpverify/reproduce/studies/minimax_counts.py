"""Figure 2.2: the minimax risk of a count of 70 records, proved, beside 1/alpha."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dpverify.mechanisms.counting.fair import ratio_below
from dpverify.mechanisms.counting.minimax import minimax
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

N = 70
FEW = ("1/10", "1/5", "1/2", "1", "2")
ALL = ("1/20", "1/10", "3/20", "1/5", "3/10", "2/5", "1/2", "7/10", "1", "3/2", "2", "3")


def proved(n: int, alpha: str, rng: np.random.Generator) -> list[float]:
    """The risk of the best method, what it is at least by the proof, and log r."""
    found = minimax(n, ratio_below(Fraction(alpha)))
    return [float(found.upper), float(found.lower), float(np.log(float(found.ratio)))]


def run(work: Work) -> Iterator[Cell | Graph]:
    """The curve, whether it lies under 1/alpha, comes nearer to it, and has stopped growing with n."""
    alphas = work.effort.pick(FEW, ALL)
    rows = work.each(proved, [(N, a) for a in alphas])
    twice = work.each(proved, [(2 * N, a) for a in alphas])
    at = [float(Fraction(a)) for a in alphas]
    for a, (upper, lower, _) in zip(at, rows, strict=True):
        name = f"risk, alpha = {a:g}, {f'proved to {upper - lower:.0e}' if upper > lower else 'exact'}"
        yield Cell(name, upper, printed="below", judged=upper < 1 / a)
    for a, (upper, _, _), (more, _, _) in zip(at, rows, twice, strict=True):
        grows = more / upper - 1
        name = f"growth from n = {N} to {2 * N}, per cent, alpha = {a:g}"
        yield Cell(name, 100 * grows, why="the text does not say which alpha are displayed")
    gaps = [1 / a - upper for a, (upper, _, _) in zip(at, rows, strict=True)]
    told = "nearer"
    yield Cell(f"1/alpha less risk, alpha = {at[0]:g}, not {at[1]:g}", gaps[0], printed=told, judged=gaps[0] < gaps[1])
    yield Cell(
        f"1/alpha less risk, alpha = {at[-2]:g}, not {at[-1]:g}", gaps[-2], printed=told, judged=gaps[-2] < gaps[-1]
    )
    yield Graph(
        "risk",
        "The minimax risk of a count, n = 70",
        "The risk lies under 1/alpha. The two are close between alpha = 0.2 and 0.5; below, the risk for n = 70 bends "
        "away, while 1/alpha grows without end.",
        "alpha",
        "risk",
        (
            Series("minimax risk, n = 70", tuple(at), tuple(row[0] for row in rows)),
            Series("n = 140", tuple(at), tuple(row[0] for row in twice)),
            Series("1/alpha", tuple(at), tuple(1 / a for a in at)),
            Series("1/sinh(alpha), n large", tuple(at), tuple(1 / float(np.sinh(a)) for a in at)),
        ),
        "xy",
    )


STUDY = Study(
    "hall-figure-2.2",
    "hall-2012",
    "Figure 2.2",
    "the minimax risk of a count and 1/alpha",
    run,
    notes=(
        "Every risk is proved from both sides in rationals, at a rational e^alpha within 1e-6 of the printed alpha.",
        "For n = 70 the curves draw apart again as alpha falls: claim section-2.3.3-n-70.",
    ),
)
