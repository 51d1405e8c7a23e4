"""Figure 3.1: a function of H(K), cut off after 5, 10 and 15 eigenfunctions of the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpverify.mechanisms.functions.kernels import GaussianKernel
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work

TERMS, BANDWIDTH, SECTIONS, GRID = (5, 10, 15), "1/20", 12, 200


def cut(rng: np.random.Generator) -> dict[str, Any]:
    """One function, sum of a_i K(x_i, .), its truncations, their errors, and the norms of Proposition 3.2.1."""
    x = (np.arange(GRID) + 0.5) / GRID
    kernel = GaussianKernel(BANDWIDTH)
    values, vectors = np.linalg.eigh(kernel(x[:, None], x[:, None]) / GRID)
    order = np.argsort(-values)[: max(TERMS) + 25]
    eigenvalues, functions = values[order], vectors[:, order] * GRID**0.5
    places, weights = rng.random(SECTIONS), rng.standard_normal(SECTIONS)
    f = kernel(x[:, None], places[:, None]) @ weights
    norm2 = weights @ kernel(places[:, None], places[:, None]) @ weights
    theta = functions.T @ f / GRID
    cuts = [functions[:, :m] @ theta[:m] for m in TERMS]
    return {
        "x": x.tolist(),
        "f": f.tolist(),
        "cuts": [c.tolist() for c in cuts],
        "errors": [float(np.mean((f - c) ** 2) ** 0.5) for c in cuts],
        "shares": [float((theta[:m] ** 2 / eigenvalues[:m]).sum() / norm2) for m in TERMS],
    }


def run(work: Work) -> Iterator[Cell | Graph]:
    """The errors, which fall, and the Mahalanobis norms, which stay below that of H(K)."""
    found = work.each(cut, [()])[0]
    for before, m, one, two in zip(TERMS, TERMS[1:], found["errors"], found["errors"][1:], strict=False):
        yield Cell(f"root mean square error, {m} terms, not {before}", two, printed="smaller", judged=two < one)
    for m, share in zip(TERMS, found["shares"], strict=True):
        name = f"squared Mahalanobis norm of {m} coefficients / squared norm"
        yield Cell(name, share, printed="at most 1", judged=share <= 1)
    lines = [Series("f", tuple(found["x"]), tuple(found["f"]))]
    cuts = zip(TERMS, found["cuts"], strict=True)
    lines += [Series(f"{m} terms", tuple(found["x"]), tuple(values)) for m, values in cuts]
    yield Graph(
        "truncation",
        "A function of the Gaussian kernel's space, and its truncations",
        "A smooth function with several humps; five terms miss the humps, ten come near them, fifteen nearly cover it.",
        "x",
        "f(x)",
        tuple(lines),
    )


STUDY = Study(
    "hall-figure-3.1",
    "hall-2012",
    "Figure 3.1",
    "a function of an RKHS, cut off after 5, 10 and 15 terms",
    run,
    notes=(
        "The thesis does not name the function or the bandwidth: a sum of twelve random sections, h = 1/20.",
        "Eigenfunctions are those of the kernel on 200 points.",
    ),
)
