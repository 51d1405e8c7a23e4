"""Figure 5.1: the error of a very sparse histogram under differential and random differential privacy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpverify.mechanisms.at_random.random_privacy import RandomHistogram
from dpverify.mechanisms.counting.histograms import Histogram
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

CELLS, RECORDS, GAMMA, EPSILON = 100, 4000, "1/20", 1
SHARES = (0.5, 0.3, 0.15, 0.05)
NOT_GIVEN = "The figure gives neither n nor d, alpha, gamma or the data"


def errors(trials: int, rng: np.random.Generator) -> dict[str, Any]:
    """l1 errors of the shares under both, and one release of each beside the truth."""
    law = np.zeros(CELLS)
    law[np.linspace(10, 90, len(SHARES)).astype(int)] = SHARES
    counts = rng.multinomial(RECORDS, law)
    rows = np.repeat(np.arange(CELLS), counts)
    random = RandomHistogram(range(CELLS), RECORDS, epsilon=EPSILON, gamma=GAMMA)
    plain = Histogram(range(CELLS), epsilon=EPSILON, noise="laplace")
    one, two = plain.samples(rows, trials, rng) / RECORDS, random.samples(rows, trials, rng)
    truth = counts / RECORDS
    failed = random.failure(law.tolist(), trials, rng)
    return {
        "dp": np.abs(one - truth).sum(axis=1).tolist(),
        "rdp": np.abs(two - truth).sum(axis=1).tolist(),
        "truth": truth.tolist(),
        "released": [one[0].tolist(), two[0].tolist()],
        "at_most": failed.at_most,
    }


def run(work: Work) -> Iterator[Cell | Graph]:
    """Both errors, their ratio, and how often random privacy failed."""
    (found,) = work.each(errors, [(work.effort.pick(500, 5000),)])
    dp, rdp = np.array(found["dp"]), np.array(found["rdp"])
    for label, values in (("DP", dp), ("RDP", rdp)):
        yield Cell(f"mean l1 error, {label}", float(values.mean()), _error(values), why=NOT_GIVEN)
    ratio = float(dp.mean() / rdp.mean())
    spread = ratio * ((_error(dp) / dp.mean()) ** 2 + (_error(rdp) / rdp.mean()) ** 2) ** 0.5
    yield Cell("ratio, d/r by Proposition 5.2.4", ratio, float(spread), str(CELLS // len(SHARES)))
    yield Cell("improvement by RDP", ratio, float(spread), printed="above 1", judged=ratio > 1)
    name = f"failures, gamma = {GAMMA}"
    yield Cell(name, found["at_most"], printed="fewer", judged=found["at_most"] <= 0.05)
    cells = tuple(map(float, range(CELLS)))
    yield Graph(
        "releases",
        f"{CELLS} cells, {len(SHARES)} occupied, n = {RECORDS}, alpha = {EPSILON}, gamma = {GAMMA}",
        "Under differential privacy every cell is noisy; under random privacy the empty cells are exactly 0 and the "
        "occupied ones stand out.",
        "cell",
        "released share less the true one",
        tuple(
            Series(label, cells, tuple(np.array(values) - found["truth"]), kind="steps")
            for label, values in zip(("DP", "RDP"), found["released"], strict=True)
        ),
    )
    edges = np.linspace(0, float(dp.max()), 60)
    yield Graph(
        "errors",
        "l1 errors of the shares",
        "The errors under random privacy lie near 0, those under differential privacy about 25 times farther out.",
        "l1 error",
        "share of trials",
        tuple(
            Series(label, tuple((edges[1:] + edges[:-1]) / 2), tuple(np.histogram(v, edges)[0] / len(v)), kind="steps")
            for label, v in (("DP", dp), ("RDP", rdp))
        ),
    )


def _error(values: Any) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)


STUDY = Study(
    "hall-figure-5.1",
    "hall-2012",
    "Figure 5.1",
    "a very sparse histogram under DP and RDP",
    run,
    notes=(
        f"{NOT_GIVEN}: {CELLS} cells, {len(SHARES)} of them occupied, n = {RECORDS} are ours.",
        "Failures are an upper bound, with 99 % confidence.",
        "Random privacy promises nothing to the rare records with probability gamma.",
    ),
)
