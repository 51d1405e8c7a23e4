"""Table 1.1: which guarantee each basic method has, from its largest loss in the metric that the table names."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from dpverify.api import verify
from dpverify.mechanisms.bodies import Ball, Body, Polytope
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

PURE, APPROXIMATE = "alpha-DP", "(alpha, beta)-DP"
HEXAGON = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)]


def elliptical(family: str, rng: np.random.Generator) -> str:
    """The guarantee of elliptical noise in R^3, by a certificate."""
    result = verify(family, dimension=3)
    return {"private": PURE, "not_private": APPROXIMATE}.get(result.verdict, "undecided")


def gauged(kind: str, rng: np.random.Generator) -> str:
    """The guarantee of noise exp(-(alpha/Delta) ||x||_K): losses at lattice points, in units of alpha, exactly."""
    body: Body = Ball(2, 1) if kind == "l1" else Polytope(HEXAGON)
    points = [tuple(map(Fraction, x)) for x in product(range(-3, 4), repeat=2)]
    norms = {x: body.above(x) for x in points}
    largest = Fraction(0)
    for theta in [x for x in points if any(x) and max(map(abs, x)) <= 1]:
        for x in points:
            away = body.above((x[0] - theta[0], x[1] - theta[1]))
            largest = max(largest, (norms[x] - away) / norms[theta])
    return PURE if largest == 1 else f"a loss of {largest} alpha"


def exponential(values: int, rng: np.random.Generator) -> str:
    """The guarantee of the exponential mechanism on 0..values with g = |.|, at e^(alpha/2) = 2: ratios, exactly."""
    laws = []
    for theta in range(values + 1):
        weights = [Fraction(1, 2 ** abs(w - theta)) for w in range(values + 1)]
        laws.append([w / sum(weights) for w in weights])
    ratios = [p / q for one, two in pairwise(laws) for p, q in zip(one, two, strict=True)]
    worst = max(max(ratios), 1 / min(ratios))
    return PURE if worst <= 4 else f"a ratio of {worst}"


def run(work: Work) -> Iterator[Cell | Graph]:
    """A row of the table each."""
    smooth = work.each(elliptical, [("laplace",), ("gaussian",)])
    sharp = work.each(gauged, [("l1",), ("hexagon",)])
    (discrete,) = work.each(exponential, [(8,)])
    yield Cell("Laplace mechanism, l1 distance", sharp[0], printed=PURE)
    yield Cell("Gamma mechanism, l2 distance", smooth[0], printed=PURE)
    yield Cell("Gaussian mechanism, l2 distance", smooth[1], printed=APPROXIMATE)
    yield Cell("K-norm mechanism, Minkowski norm", sharp[1], printed=PURE)
    yield Cell("exponential mechanism, any metric", discrete, printed=PURE)


STUDY = Study(
    "hall-table-1.1",
    "hall-2012",
    "Table 1.1",
    "the basic methods, their metrics and guarantees",
    run,
    notes=(
        "The Gamma and Gaussian rows are proved by certificates, in R^3.",
        "The others are exact losses at lattice points: l1, a hexagon, and the exponential mechanism on 0 to 8.",
    ),
)
