"""The two data sets of Section 6.2, from a file that the user brings, and the repetitions of Tables 1 and 2."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from io import StringIO
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpverify import files
from dpverify.errors import InputError
from dpverify.mechanisms.components.bases import gaussian_kernel
from dpverify.mechanisms.components.principal_components import PrincipalSubspace
from dpverify.mechanisms.components.stiefel import Gibbs
from dpverify.mechanisms.components.subspaces import subspace_norm, variance_ratio
from dpverify.mechanisms.mechanism import Array
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.work import Work
from dpverify.theorems.awan_2019.section_6_tables import EXPLAINED, REPETITIONS, Rows

LAYOUT = "a CSV with the columns set,curve,t,value: a row for each point of each curve, set being Berkeley or DTI"
STAND_IN = Path(__file__).with_name("stand-in.csv")
BUDGETS = ("1/8", "1/4", "1/2", "1", "2")
M, COLUMNS = 5, ("set", "curve", "t", "value")
VERSIONS = ("printed", "right")
MADE_UP = "the data are a stand-in; bring the paper's by --data"
NOTES = (
    (
        "Rows without a word follow the paper so far as it says: curves centred by their mean and divided by the "
        "largest norm of the data, which is not private, and the law of the display in Section 5."
    ),
    (
        "`right` is what can be released: a public centre and a public bound, to which curves are clipped, and the law "
        "of Theorem 4.2. It is another mechanism, and has no printed number."
    ),
    (
        "C is the Gaussian kernel of which 5 eigenvalues make up 99 % of the trace, which is 1; the paper does "
        "not print its scale."
    ),
    "Curves with a missing value are left out. Where a person has several curves, a neighbour here is another curve.",
)


class Public(NamedTuple):
    """What is fixed without the data: a centre, at the ends of the grid and straight between, and a bound."""

    ends: tuple[float, float]
    bound: float


PUBLIC = {"Berkeley": Public((75.0, 175.0), 30.0), "DTI": Public((0.5, 0.5), 0.2)}
"""Heights in cm: a child of one year, an adult, and root mean square deviations from the line between that pass for the
largest; anisotropies lie in [0, 1]."""


def read(path: Path) -> dict[str, tuple[Array, Array]]:
    """set -> grid and curves, T and n x T, curves with a missing value left out.

    Raises InputError, with the line, for another layout.
    """
    rows = csv.reader(StringIO(files.read(path).decode("utf-8", "replace")))
    if tuple(next(rows, ())) != COLUMNS:
        raise InputError(f"{path}: the first line is not {','.join(COLUMNS)}")
    found: dict[str, dict[str, dict[float, float]]] = {}
    for number, row in enumerate(rows, 2):
        if not row:
            continue
        try:
            name, curve, t, value = row
            at = float(t)
            found.setdefault(name, {}).setdefault(curve, {})[at] = float("nan") if value in ("", "NA") else float(value)
        except ValueError:
            raise InputError(f"{path}: line {number} is not a set, a curve and two numbers") from None
        if name not in PUBLIC:
            raise InputError(f"{path}: line {number}: the set {name[:40]!r} is neither Berkeley nor DTI")
    return {name: _matrix(path, name, curves) for name, curves in found.items()}


def _matrix(path: Path, name: str, curves: dict[str, dict[float, float]]) -> tuple[Array, Array]:
    grid = np.array(sorted({t for curve in curves.values() for t in curve}))
    rows = np.array([[curve.get(float(t), np.nan) for t in grid] for curve in curves.values()])
    whole = rows[np.isfinite(rows).all(axis=1)]
    if len(grid) <= M or len(whole) < 2:
        raise InputError(f"{path}: {name} needs 2 whole curves on a common grid of more than {M} points")
    return grid, whole


def scores(path: str, name: str, version: str) -> tuple[Array, Array]:
    """Coefficients of the curves as records, none longer than 1, n x 5; and the eigenvalues of C."""
    state = Path(path).stat()
    return _scores(path, name, version, (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=8)
def _scores(path: str, name: str, version: str, state: tuple[int, int]) -> tuple[Array, Array]:
    """Once for each text of the file, which `state` tells apart."""
    del state
    grid, rows = read(Path(path))[name]
    basis = gaussian_kernel(grid, M)
    if version == "printed":
        found = basis.coefficients(rows - rows.mean(axis=0))
        return np.asarray(found / np.linalg.norm(found, axis=1).max()), basis.eigenvalues
    ends, bound = PUBLIC[name]
    centre = ends[0] + (ends[1] - ends[0]) * (grid - grid[0]) / (grid[-1] - grid[0])
    found = basis.coefficients(rows - centre) / bound
    return np.asarray(found / np.maximum(1.0, np.linalg.norm(found, axis=1))[:, None]), basis.eigenvalues


def repetitions(
    path: str, name: str, version: str, epsilon: str, k: int, count: int, sweeps: int, rng: np.random.Generator
) -> list[list[float]]:
    """Both measures of so many releases, each from a chain of its own."""
    records, base = scores(path, name, version)
    mechanism = PrincipalSubspace(M, k, epsilon=epsilon, base=base, sweeps=sweeps)
    if version == "printed":  # exp((eps/2) tr V'(X'X - C^-1)V)
        a = float(Fraction(epsilon)) / 2 * (records.T @ records - np.diag(1 / base))
        v = Gibbs(a, k, None, count, rng).run(sweeps)
    else:
        v = Gibbs(mechanism.matrix(records), k, mechanism.inverse, count, rng).run(sweeps)
    return [[float(x), float(y)] for x, y in zip(variance_ratio(records, v), subspace_norm(records, v), strict=True)]


def table(work: Work, measure: int, title: str, printed: dict[str, Rows]) -> Iterator[Cell | Graph]:
    """One table: the cells as printed, those of the right mechanism, and a picture of both for each set."""
    path = str(STAND_IN if work.data is None else work.data)
    why = MADE_UP if work.data is None else ""
    data = read(Path(path))
    count, sweeps = work.effort.pick(10, REPETITIONS), work.effort.pick(20, 200)
    budgets = work.effort.pick(BUDGETS[::2], BUDGETS)
    keys = list(product(data, VERSIONS, budgets, (1, 2, 3)))
    values = dict(zip(keys, work.each(repetitions, [(path, *key, count, sweeps) for key in keys]), strict=True))
    mean = {key: float(np.array(rows)[:, measure].mean()) for key, rows in values.items()}
    error = {key: float(np.array(rows)[:, measure].std(ddof=1) / count**0.5) for key, rows in values.items()}
    for name in data:
        yield from shares(path, name, why)
        for epsilon, k, version in product(budgets, (1, 2, 3), VERSIONS):
            key = (name, version, epsilon, k)
            middle, spread = printed[name][BUDGETS.index(epsilon)][k - 1]
            label = f"{name}, eps {epsilon}, k {k}"
            if version == "printed":
                yield Cell(label, mean[key], error[key], f"{middle / 1000:.3f}", f"{spread / 1000:.3f}", why=why)
            else:
                yield Cell(
                    f"{label}, right", mean[key], error[key], why=why or "no number is printed of this mechanism"
                )
        yield picture(f"{name}{', a stand-in' if why else ''}", name, title, mean, error, printed[name])


def shares(path: str, name: str, why: str) -> Iterator[Cell]:
    """The cumulative variation of the components that are not private."""
    _, rows = read(Path(path))[name]
    values = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    for k, printed in enumerate(EXPLAINED[name], 1):
        share = float(values[:k].sum() / values.sum())
        yield Cell(f"{name}, explained by {k}", share, None, f"0.{printed}", why=why)


def picture(
    called: str,
    name: str,
    title: str,
    mean: dict[tuple[str, str, str, int], float],
    error: dict[tuple[str, str, str, int], float],
    printed: Rows,
) -> Graph:
    """Printed, ours as printed, and the right mechanism, over epsilon, for one component."""
    across = tuple(float(Fraction(epsilon)) for epsilon in BUDGETS)
    drawn = [epsilon for epsilon in BUDGETS if (name, VERSIONS[0], epsilon, 1) in mean]
    ours = tuple(
        Series(
            label,
            tuple(float(Fraction(epsilon)) for epsilon in drawn),
            tuple(mean[name, version, epsilon, 1] for epsilon in drawn),
            tuple(error[name, version, epsilon, 1] for epsilon in drawn),
        )
        for version, label in (("printed", "ours, as printed"), ("right", "public bound, Theorem 4.2"))
    )
    theirs = Series(
        "printed", across, tuple(row[0][0] / 1000 for row in printed), tuple(row[0][1] / 1000 for row in printed)
    )
    return Graph(
        name,
        f"{title} of one component, {called}",
        f"{title} against epsilon: the printed means with their errors, ours of the same law, and those of the "
        "mechanism that can be released.",
        "epsilon",
        title.lower(),
        (theirs, *ours),
        "x",
    )
