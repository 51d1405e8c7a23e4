"""Figure 3.4: a kernel support vector machine and its private version, on two synthetic classes in the square."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpverify.mechanisms.functions.kernels import GaussianKernel
from dpverify.mechanisms.functions.minimisers import SupportVectorMachine
from dpverify.mechanisms.mechanism import Array
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

RECORDS, SIDE, EPSILON, DELTA, PENALTY, BANDWIDTH = 1000, 41, 1, "1/10", "1/200", "1/8"


def sample(size: int, rng: np.random.Generator) -> Array:
    """Two classes that meet along a curve, most points near their middles."""
    label = rng.choice((-1.0, 1.0), size)
    centre = np.where(label[:, None] > 0, (0.65, 0.65), (0.35, 0.35))
    x = np.clip(rng.normal(centre, 0.13), 0, 1)
    return np.column_stack([x, label])


def machine(records: int) -> tuple[SupportVectorMachine, Array]:
    """The mechanism, and the points of the picture's background."""
    side = np.linspace(0, 1, SIDE)
    grid = np.array([(x, y) for y in side for x in side])
    coarse = np.linspace(0, 1, 9)
    marks = np.array([(x, y) for y in coarse for x in coarse])
    kernel = GaussianKernel(BANDWIDTH)
    return SupportVectorMachine(kernel, PENALTY, records, marks, grid, epsilon=EPSILON, delta=DELTA), grid


def compared(count: int, rng: np.random.Generator) -> dict[str, Any]:
    """So many releases on one data set: how often the classes agree, where there are many points and where few."""
    svm, grid = machine(RECORDS)
    data, fresh = sample(RECORDS, rng), sample(2000, rng)
    near = np.array([(np.hypot(*(data[:, :2] - point).T) < 0.08).sum() for point in grid])
    dense, sparse = near >= np.quantile(near, 0.8), near <= np.quantile(near, 0.4)
    f = svm.fit(data)(grid)
    drawn = svm.samples(data, count, rng)
    agree = np.sign(drawn) == np.sign(f)
    at = [int(np.argmin(((grid - row[:2]) ** 2).sum(axis=1))) for row in fresh]
    right = [(np.sign(values)[..., at] == fresh[:, 2]).mean() for values in (f, drawn)]
    by_draw = [agree[:, where].mean(axis=1) for where in (dense, sparse)]
    return {
        "dense": float(by_draw[0].mean()),
        "dense_error": float(by_draw[0].std() / count**0.5),
        "sparse": float(by_draw[1].mean()),
        "sparse_error": float(by_draw[1].std() / count**0.5),
        "accuracy": [float(x) for x in right],
        "points": data[:200].tolist(),
        "border": [border(values.reshape(SIDE, SIDE)) for values in (f, drawn[0])],
    }


def border(values: Array) -> list[list[float]]:
    """Where the sign changes between neighbours of the background's points."""
    side = np.linspace(0, 1, SIDE)
    found = []
    for i, j in zip(*np.nonzero(values[:, 1:] * values[:, :-1] < 0), strict=True):
        a, b = values[i, j], values[i, j + 1]
        found.append([float(side[j] + (side[1] - side[0]) * a / (a - b)), float(side[i])])
    for i, j in zip(*np.nonzero(values[1:] * values[:-1] < 0), strict=True):
        a, b = values[i, j], values[i + 1, j]
        found.append([float(side[j]), float(side[i] + (side[1] - side[0]) * a / (a - b))])
    return found


def run(work: Work) -> Iterator[Cell | Graph]:
    """The text's two statements: where points are many the classes stay, where they are few they may not."""
    found = work.each(compared, [(work.effort.pick(40, 400),)])[0]
    plain, private = found["accuracy"]
    yield Cell("accuracy on fresh points, not private", plain)
    yield Cell("accuracy on fresh points, private", private, printed="not catastrophic", judged=private > plain - 0.1)
    name = "background with the same class, the fifth with most points"
    yield Cell(name, found["dense"], found["dense_error"], "most", judged=found["dense"] > 0.9)
    name = "background with the same class, the two fifths with fewest"
    yield Cell(name, found["sparse"], found["sparse_error"], "fewer", judged=found["sparse"] < found["dense"])
    points = np.array(found["points"])
    series = []
    for label, sign in (("class 1", 1), ("class -1", -1)):
        x, y, _ = points[points[:, 2] == sign].T
        series.append(Series(label, tuple(x), tuple(y), kind="points"))
    for label, places in zip(("learned border", "private border"), found["border"], strict=True):
        x, y = np.array(places).T if places else (np.empty(0), np.empty(0))
        series.append(Series(label, tuple(x), tuple(y), kind="points"))
    alt = (
        "Two clouds of points, the learned border between them, and the private one: near it where the clouds are, "
        "with pieces of its own in the empty corners."
    )
    yield Graph("machine", "A kernel machine and its private version", alt, "x", "y", tuple(series))


STUDY = Study(
    "hall-figure-3.4",
    "hall-2012",
    "Figure 3.4",
    "a private kernel support vector machine",
    run,
    notes=(
        "The thesis describes its data as synthetic and two-dimensional, without sizes: 1000 points of two classes.",
        "The machine runs through the span of public landmarks, and its hinge is rounded on a width of 0.01.",
    ),
)
