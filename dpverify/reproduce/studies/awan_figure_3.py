"""Figure 3: the first component, private, not private, and true, with 100 updates of the sampler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpverify.mechanisms.components.stiefel import Gibbs
from dpverify.mechanisms.mechanism import Array
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.studies.simulated_curves import NOTES, basis, curves, mechanism, weights
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

SIZES, EPSILON, UPDATES = (500, 5000), 1, 100


def instance(n: int, sweeps: int, rng: np.random.Generator) -> dict[str, Any]:
    """The last 100 updates, the estimate that is not private, and the true component: coefficients, m each."""
    made = mechanism(EPSILON)
    rows = basis().coefficients(curves(n, rng))
    best = made.fit(rows)[:, 0]
    sampler = Gibbs(made.matrix(rows), 1, made.inverse, 1, rng)
    updates = [v[0, :, 0] for v in sampler.sweeps(sweeps)][-UPDATES:]
    turned = [v * (1.0 if v @ best >= 0 else -1.0) for v in updates]
    agreement = [float((v @ best) ** 2) for v in turned]
    return {"updates": [_short(v) for v in turned], "best": _short(best), "agreement": agreement}


def _short(values: Array) -> list[float]:
    return [round(float(x), 5) for x in values]


def run(work: Work) -> Iterator[Cell | Graph]:
    """The pictures, and what the text says of them."""
    sweeps = work.effort.pick(200, 1000)
    found = dict(zip(SIZES, work.each(instance, [(n, sweeps) for n in SIZES]), strict=True))
    grid = tuple(float(t) for t in basis().grid)
    true = np.eye(basis().values.shape[0])[int(np.argmax(weights()))]

    def curve(coefficients: Any) -> tuple[float, ...]:
        return tuple(round(float(x), 4) for x in basis().curves(np.asarray(coefficients)[None])[0])

    spread = {n: 1 - float(np.mean(row["agreement"])) for n, row in found.items()}
    for n, letter in zip(SIZES, "ab", strict=True):
        name = f"1 - <private, not private>^2, mean of the last {UPDATES} updates, n = {n}"
        yield Cell(name, spread[n], why="the paper draws curves and prints no number")
        best = np.array(found[n]["best"])
        sign = 1.0 if best @ true >= 0 else -1.0
        yield Graph(
            f"3{letter}",
            f"First component, n = {n}, epsilon = {EPSILON}",
            "The true wave, the estimate that is not private, the private one, and in grey the last hundred states of "
            f"the sampler; for n = {n} they lie {'widely' if n == SIZES[0] else 'closely'} around the estimate.",
            "t",
            "component",
            (
                *(Series("", grid, curve(sign * np.array(v)), kind="faint") for v in found[n]["updates"]),
                Series("true", grid, curve(true)),
                Series("not private", grid, curve(sign * best)),
                Series("private", grid, curve(sign * np.array(found[n]["updates"][-1]))),
            ),
        )
    captured = float(np.mean(found[SIZES[0]]["agreement"]))
    shape = "overall shape captured at n = 500: mean <private, not private>^2 above 1/2"
    yield Cell(shape, captured, printed="> 0.5", judged=captured > 0.5)
    ratio = spread[SIZES[1]] / spread[SIZES[0]]
    yield Cell("variance reduced at n = 5000: ratio of the two", ratio, printed="< 1", judged=ratio < 1)


STUDY = Study(
    "awan-figure-3",
    "awan-2019",
    "Section 6.1, Figures 3a and 3b",
    "private, non-private and true first component",
    run,
    notes=(
        *NOTES,
        "The hundred states are shown as the paper shows them; to publish more than one of them costs epsilon each.",
    ),
)
