"""Figures 3.2 and 3.3: a kernel density estimate and its release, in the kernel's own space and in a Sobolev space."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from typing import Any

import numpy as np

from dpverify.mechanisms.functions.densities import KernelDensity, SobolevDensity
from dpverify.mechanisms.functions.scales import gaussian_delta
from dpverify.mechanisms.mechanism import Array
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.work import Work

RECORDS, BANDWIDTH, ALPHA, BETA, POINTS, GAMMA, SPREAD = 100, "1/10", 1, "1/10", 1000, 10, 0.1
NOTE = "The thesis does not name the standard deviations of the two normals: 0.1."


def mechanism(space: str) -> KernelDensity | SobolevDensity:
    """The release of one figure."""
    grid = np.linspace(0, 1, POINTS)
    if space == "gaussian":
        return KernelDensity(BANDWIDTH, RECORDS, grid, epsilon=ALPHA, delta=BETA)
    return SobolevDensity(BANDWIDTH, GAMMA, RECORDS, grid, epsilon=ALPHA, delta=BETA)


def two_peaks(curve: Array) -> bool:
    """Whether a curve is higher about 0.3 and about 0.7 than in the middle, by a tenth."""
    ends = [curve[int(POINTS * (c - 0.1)) : int(POINTS * (c + 0.1))].max() for c in (0.3, 0.7)]
    return bool(min(ends) > 1.1 * curve[int(POINTS * 0.45) : int(POINTS * 0.55)].min())


def releases(space: str, count: int, rng: np.random.Generator) -> dict[str, Any]:
    """So many data sets, each with a release: what is left of the peaks, and how rough it is; the first is drawn."""
    release = mechanism(space)
    kept = had = 0
    squares, rough = [], []
    for _ in range(count):
        data = rng.normal(rng.choice((0.3, 0.7), RECORDS), SPREAD)
        plain, noisy = release.fit(data)(release.points), release.samples(data, 1, rng)[0]
        if two_peaks(plain):
            had, kept = had + 1, kept + two_peaks(noisy)
        squares.append(float(np.mean((noisy - plain) ** 2)))
        rough.append(float(np.abs(np.diff(noisy - plain)).sum() / np.sqrt(squares[-1])))
    share = kept / had
    return {
        "plain": plain.tolist(),
        "noisy": noisy.tolist(),
        "kept": share,
        "kept_error": sqrt(max(share * (1 - share), 1 / had) / had),
        "square": float(np.mean(squares)),
        "square_error": float(np.std(squares) / sqrt(count)),
        "variation": float(np.mean(rough)),
        "variation_error": float(np.std(rough) / sqrt(count)),
    }


def run(space: str, work: Work) -> Iterator[Cell | Graph]:
    """One figure; the error against c^2 K(x, x), the peaks, and for the second how much rougher it is."""
    count = work.effort.pick(30, 600)
    tasks = [(name, count) for name in ("gaussian", "sobolev")]
    both = dict(zip(("gaussian", "sobolev"), work.each(releases, tasks), strict=True))
    found, release = both[space], mechanism(space)
    classical = sqrt(2 * log(2 / float(release.delta))) * float(release.sensitivity / release.epsilon)
    yield Cell(
        "mean square of the noise, and c^2 K(x, x)",
        found["square"],
        found["square_error"],
        f"{release.noise_error():.7f}",
    )
    yield Cell(
        "scale c, at most that of (3.5)",
        float(release.scale),
        printed=f"{classical:.4f}",
        judged=release.scale <= classical,
    )
    printed = gaussian_delta(float(release.epsilon), float(release.sensitivity) / sqrt(classical))
    yield Cell("delta(1) of the printed covariance c K", printed, why="c is below 1, and c K too much noise")
    if space == "gaussian":
        name = "share of the releases that keep both peaks"
        yield Cell(name, found["kept"], found["kept_error"], "both peaks", judged=found["kept"] > 0.9)
    else:
        times = found["variation"] / both["gaussian"]["variation"]
        yield Cell("total variation of the noise / that of Figure 3.2", times, printed="rougher", judged=times > 2)
    x = np.linspace(0, 1, POINTS)[::4]
    series = [Series(label, tuple(x), tuple(found[key][::4])) for label, key in LABELS]
    look = "close to it and smooth" if space == "gaussian" else "around it and jagged"
    alt = f"A density with peaks at 0.3 and 0.7, and its private version, {look}."
    yield Graph("density", "A kernel density estimate and its release", alt, "x", "density", tuple(series))


LABELS = (("estimate", "plain"), ("released", "noisy"))
