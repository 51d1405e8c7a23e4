"""One small instance of every mechanism, with data that suit it: for tests of what all of them promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dpverify import mechanisms as m
from dpverify.mechanisms.strongly_convex import logistic, mean

N = 20
GRID = np.linspace(0, 1, 5)
SQUARE = np.array([(x, y) for x in GRID[::2] for y in GRID[::2]])
LEVEL: dict[str, Any] = {"epsilon": 1, "delta": "1/100"}
SPECTRUM = ["1", "1/4", "1/9"]
ROWS = [[1, 0, 0], [1, 1, 1]]
CELLS = ["a", "b", "c", "d"]
Draw = Callable[[np.random.Generator], Any]


@dataclass(frozen=True)
class Instance:
    """A mechanism, data for it, and a record; `own` where the data are no table of records."""

    make: Callable[[], Any]
    record: Draw
    records: int = N
    neighbours: Callable[[np.random.Generator], tuple[Any, Any]] | None = None
    dear: bool = False

    def pair(self, rng: np.random.Generator) -> tuple[Any, Any]:
        """Two data sets that differ in one record, which may be far out."""
        if self.neighbours is not None:
            return self.neighbours(rng)
        one = np.array([self.record(rng) for _ in range(self.records)])
        two = one.copy()
        two[int(rng.integers(self.records))] = self.record(rng)
        return one, two


def real(width: int) -> Draw:
    """A record of numbers, some of them huge."""
    return lambda rng: rng.normal(size=width) * 10.0 ** rng.choice((-3, 0, 3))


def bit(rng: np.random.Generator) -> int:
    """0 or 1."""
    return int(rng.integers(2))


def bits(width: int) -> Draw:
    """Binary attributes."""
    return lambda rng: rng.integers(0, 2, width)


def cell(rng: np.random.Generator) -> str:
    """A label."""
    return str(rng.choice(CELLS))


def labelled(width: int) -> Draw:
    """Covariates, and -1 or 1."""
    return lambda rng: np.append(rng.random(width), rng.choice((-1.0, 1.0)))


def theta(rng: np.random.Generator) -> tuple[Any, Any]:
    """What KNorm is given: numbers, and others within its sensitivity."""
    one = rng.integers(0, 9, 2).astype(float)
    return one, one + [0.25, 0.25]


def moved(rng: np.random.Generator) -> tuple[Any, Any]:
    """A histogram, and one record in another cell."""
    one = rng.integers(1, 9, 4)
    return one, one + [-1, 0, 1, 0]


MARGINS = [[0, 1, 0, 1], [0, 0, 1, 1]]
EVERY: dict[str, Instance] = {
    "EllipticalMean": Instance(lambda: m.EllipticalMean("laplace", [1, 4], 1, N, epsilon=1), real(2)),
    "EllipticalMean, Gaussian": Instance(lambda: m.EllipticalMean("gaussian", [1, 4], 1, N, **LEVEL), real(2)),
    "EmpiricalMean": Instance(
        lambda: m.EmpiricalMean(400, epsilon=1, gamma="1/2", beta="1/20"), lambda rng: rng.random(), 400
    ),
    "Functionals": Instance(
        lambda: m.Functionals(ROWS, SPECTRUM, 1, N, mixing="v**(-6)*exp(-5/(2*v**2))", epsilon=1), real(3)
    ),
    "Functionals, path": Instance(lambda: m.Functionals(ROWS, SPECTRUM, 1, N, **LEVEL), real(3)),
    "Functionals, mixed path": Instance(
        lambda: m.Functionals(ROWS, SPECTRUM, 1, N, mixing="1/2: 1, 1/2: 2", **LEVEL), real(3), dear=True
    ),
    "GeometricCount": Instance(lambda: m.GeometricCount(epsilon=1, records=N), bit),
    "Histogram": Instance(lambda: m.Histogram(CELLS, epsilon=1), cell),
    "Histogram, sparse": Instance(lambda: m.Histogram(CELLS, epsilon=1, noise="laplace", threshold="sparse"), cell),
    "KNorm": Instance(
        lambda: m.KNorm(m.Zonotope([(1, 0), (0, 1), (1, 1)]), epsilon=1, sensitivity="1/2"),
        real(2),
        neighbours=theta,
    ),
    "KNormCounts": Instance(lambda: m.KNormCounts(MARGINS, epsilon=1), real(2), neighbours=moved),
    "KNormMean": Instance(lambda: m.KNormMean(m.Ball(2, 1), N, epsilon=1), real(2)),
    "KNormMean, ellipsoid": Instance(lambda: m.KNormMean(m.Ellipsoid([[1, 0], [0, 4]]), N, epsilon=1), real(2)),
    "KernelDensity": Instance(lambda: m.KernelDensity("1/10", N, [0, 1], **LEVEL), real(1)),
    "LaplaceCount": Instance(lambda: m.LaplaceCount(epsilon=1), bit),
    "LaplaceFourier": Instance(lambda: m.LaplaceFourier("1/10", 2, N, epsilon=1), real(1)),
    "LaplaceFourier, plane": Instance(lambda: m.LaplaceFourier("1/10", 1, N, 2, epsilon=1), real(2)),
    "Margins": Instance(lambda: m.Margins(2, epsilon=1), bits(2)),
    "Margins, minimax": Instance(lambda: m.Margins(2, N, epsilon=1, noise="minimax"), bits(2)),
    "Margins, cube": Instance(lambda: m.Margins(2, epsilon=1, noise="cube"), bits(2)),
    "MeanFunction": Instance(lambda: m.MeanFunction(m.ExponentialKernel(3), [0, 0.5, 1], 2, N, **LEVEL), real(3)),
    "MinimaxCount": Instance(lambda: m.MinimaxCount(N, epsilon=1), bit),
    "OrbitopeFourier": Instance(lambda: m.OrbitopeFourier("1/10", 3, N, epsilon=1), real(1)),
    "OrbitopeFourier, orbitope": Instance(lambda: m.OrbitopeFourier("1/10", 3, N, epsilon=1, body="orbitope"), real(1)),
    "OrbitopeFourier, plane": Instance(lambda: m.OrbitopeFourier("1/10", 1, N, 2, epsilon=1), real(2), dear=True),
    "PrincipalSubspace": Instance(lambda: m.PrincipalSubspace(3, 1, epsilon=1), real(3)),
    "PrincipalSubspace, base": Instance(
        lambda: m.PrincipalSubspace(3, 2, epsilon=1, base=[1, 1 / 2, 1 / 3], sweeps=20), real(3), dear=True
    ),
    "PrivateFunction": Instance(
        lambda: m.PrivateFunction(m.GaussianKernel(1), _first, GRID[:2], sensitivity="1/10", **LEVEL), real(1)
    ),
    "RandomHistogram": Instance(lambda: m.RandomHistogram(CELLS, 200, epsilon=1, gamma="1/10"), cell, 200),
    "RandomProportion": Instance(lambda: m.RandomProportion(200, epsilon=1, gamma="1/10"), bit, 200),
    "RegularisedRisk": Instance(
        lambda: m.RegularisedRisk("logistic", m.GaussianKernel("1/4"), "1/10", N, SQUARE, SQUARE[:1], **LEVEL),
        labelled(2),
    ),
    "SobolevDensity": Instance(lambda: m.SobolevDensity("1/10", 8, N, GRID, **LEVEL), real(1)),
    "StronglyConvexRisk": Instance(lambda: m.StronglyConvexRisk(mean(2), epsilon=1), real(2)),
    "StronglyConvexRisk, logistic": Instance(
        lambda: m.StronglyConvexRisk(logistic(2), epsilon=1), labelled(2), dear=True
    ),
    "SupportVectorMachine": Instance(
        lambda: m.SupportVectorMachine(m.GaussianKernel("1/4"), "1/10", N, SQUARE, points=SQUARE[:1], **LEVEL),
        labelled(2),
    ),
}


def _first(data: Any) -> Callable[[np.ndarray], np.ndarray]:
    height = float(np.tanh(np.mean(data))) / 20
    return lambda x: height * np.exp(-((x[:, 0] - 0.5) ** 2) / 2)


@cache
def instance(name: str) -> Any:
    """The mechanism, made once: it keeps nothing of the data that it is given."""
    return EVERY[name].make()
