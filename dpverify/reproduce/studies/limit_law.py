"""Theorem 3.2: the noise of the exponential mechanism is asymptotically normal, with covariance (2 Delta/eps) S / n."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpverify.mechanisms.strongly_convex import StronglyConvexRisk, logistic, mean, penalised_mean
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

SIZES, EPSILON, P = (50, 200, 800, 3200, 12800), 1, 2
RIDGE, WIDE = 0.5, 30


def draws(kind: str, n: int, count: int, rng: np.random.Generator) -> dict[str, Any]:
    """n times the mean square of b~ - b^ over what the theorem says of it, and the error of b^ and of Laplace noise."""
    x = rng.normal(0, 0.2, (n, P)) + (0.3, 0.0)
    if kind == "penalised":  # Example 3.5, Omega = i^-2 in 30 dimensions
        omega = np.arange(1, WIDE + 1) ** -2.0
        x = rng.normal(0, 0.2, (n, WIDE)) * omega
        mechanism = StronglyConvexRisk(penalised_mean(omega, RIDGE), epsilon=EPSILON)
        data, hessian = x, np.diag(2 + 2 * RIDGE / omega)
    elif kind == "mean":
        mechanism = StronglyConvexRisk(mean(P), epsilon=EPSILON)
        data, hessian = x, 2 * np.eye(P)
    else:
        mechanism = StronglyConvexRisk(logistic(P, RIDGE), epsilon=EPSILON)
        data = np.column_stack([x, np.where(rng.random(n) < 1 / (1 + np.exp(-3 * x[:, 0])), 1.0, -1.0)])
        best, side = mechanism.fit(data), mechanism.bounded(data)[:, :P]
        weight = 1 / (2 + 2 * np.cosh(side @ best))
        hessian = (side * weight[:, None]).T @ side / n + RIDGE * np.eye(P)
    gaps = mechanism.samples(data, count, rng) - mechanism.fit(data)
    claimed = 2 * float(mechanism.sensitivity) / EPSILON * np.trace(np.linalg.inv(hessian))
    squares = n * (gaps**2).sum(axis=1)
    found = {"ratio": float(squares.mean() / claimed), "error": float(squares.std(ddof=1) / count**0.5 / claimed)}
    dimension = gaps.shape[1]
    noise = rng.laplace(
        0, 2 * dimension**0.5 / (n * EPSILON), (count, dimension)
    )  # l1 sensitivity of a mean of the unit ball
    found["size"] = float(((gaps**2).sum(axis=1)).mean() ** 0.5)
    found["laplace"] = float(((noise**2).sum(axis=1)).mean() ** 0.5)
    found["statistical"] = float((2 * 0.2**2 / n) ** 0.5)
    return found


def run(work: Work) -> Iterator[Cell | Graph]:
    """The covariance at growing n, and how the noise falls beside that of a mechanism which adds it."""
    count, sizes = work.effort.pick(400, 4000), SIZES[: work.effort.pick(4, 5)]
    tasks = [(kind, n, count) for kind in ("mean", "logistic", "penalised") for n in sizes]
    rows = dict(zip([task[:2] for task in tasks], work.each(draws, tasks), strict=True))
    for (kind, n), found in rows.items():
        small = "" if n >= 800 else "a statement about large n"
        name = f"variance / limit, {kind}, n = {n}"
        yield Cell(name, found["ratio"], found["error"], "1.00", why=small)
    logs = np.log(sizes)
    for kind, printed in (("size", "-0.5"), ("laplace", "-1.0")):
        line = np.polyfit(logs[-2:], np.log([rows["mean", n][kind] for n in sizes[-2:]]), 1)
        name = {"size": "order of the noise", "laplace": "order of Laplace noise"}[kind]
        spread = rows["mean", sizes[-1]]["error"] / 2 * 2**0.5 / float(logs[-1] - logs[-2])  # of a root of two means
        yield Cell(f"{name}, mean", float(line[0]), spread, printed)
    labels = {"size": "exponential mechanism", "statistical": "statistical error", "laplace": "Laplace noise"}
    yield Graph(
        "noise",
        "Root mean square of the noise of a private mean, p = 2, epsilon = 1",
        "The noise of the exponential mechanism falls like n to the power -1/2, in parallel with the statistical error "
        "and above it; Laplace noise falls like 1/n and becomes negligible.",
        "n",
        "root mean square",
        tuple(
            Series(label, tuple(map(float, sizes)), tuple(rows["mean", n][key] for n in sizes))
            for key, label in labels.items()
        ),
        "xy",
    )


STUDY = Study(
    "awan-theorem-3.2",
    "awan-2019",
    "Theorems 3.2, 3.3 and Example 3.5",
    "the exponential mechanism's noise is normal in the limit, and as large as the statistical error",
    run,
    notes=(
        "The paper has no table of this: `printed` is the theorem's limit, and the orders that the text names.",
        "Records are clipped to the unit ball and the release is kept to a ball, on which the sensitivity holds.",
    ),
)
