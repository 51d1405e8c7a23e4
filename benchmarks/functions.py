"""Functions, functionals and Fourier coefficients on 10,000 records, as ratios to their goals in one run.

OPENBLAS_NUM_THREADS=1 python benchmarks/functions.py   # seconds of processor time, the building included
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dpverify.mechanisms import (
    EllipticalMean,
    ExponentialKernel,
    Functionals,
    GaussianKernel,
    KernelDensity,
    LaplaceFourier,
    MeanFunction,
    OrbitopeFourier,
    SobolevDensity,
    SupportVectorMachine,
)

N, RELEASE, ONLINE = 10_000, 2.0, 5.0
LEVEL = {"epsilon": 1, "delta": "1e-6"}


def measured(name: str, goal: float, once: Callable[[], object]) -> None:
    """Seconds of one run beside its goal."""
    started = time.process_time()
    once()
    took = time.process_time() - started
    print(f"  {name:<52} {took:6.2f} s  {goal / took:5.1f} times the goal", flush=True)


def main() -> None:
    """All of it."""
    rng = np.random.default_rng(1)
    line, grid = rng.random(N), np.linspace(0, 1, 1000)
    plane, curves = rng.random((N, 2)), rng.normal(size=(N, 30)).cumsum(axis=1)
    label = np.where(plane.sum(axis=1) > 1, 1.0, -1.0)
    side = np.linspace(0, 1, 10)
    marks = np.array([(x, y) for x in side for y in side])
    spectrum = [f"1/{k**2}" for k in range(1, 31)]

    def ask() -> None:
        online = KernelDensity("1/10", N, grid, **LEVEL).online(line, random_state=1)
        for x in grid:
            online([x])

    runs: dict[str, Callable[[], object]] = {
        "density, 1,000 points": lambda: KernelDensity("1/10", N, grid, **LEVEL).release(line),
        "density in H^1, 1,000 points": lambda: SobolevDensity("1/10", 10, N, grid, **LEVEL).release(line),
        "mean of curves at 30 points": lambda: MeanFunction(
            ExponentialKernel(5), np.linspace(0, 1, 30), 1, N, **LEVEL
        ).release(curves),
        "support vector machine, 100 landmarks": lambda: SupportVectorMachine(
            GaussianKernel("1/5"), "1/1000", N, marks, **LEVEL
        ).release(np.column_stack([plane, label])),
        "mean in the plane, exact, certified": lambda: EllipticalMean("laplace", [1, 4], 1, N, epsilon=1).release(
            plane
        ),
        "30 functionals of a path": lambda: Functionals(np.eye(30, dtype=int), spectrum, 1, N, **LEVEL).release(curves),
        "Fourier, Laplace, 30 frequencies": lambda: LaplaceFourier("1/50", 30, N, epsilon=1).release(line),
        "Fourier, orbitope, 30 frequencies": lambda: OrbitopeFourier("1/50", 30, N, epsilon=1, body="orbitope").release(
            line
        ),
        "Fourier, symmetrised, 8 frequencies": lambda: OrbitopeFourier("1/50", 8, N, epsilon=1).release(line),
        "Fourier, symmetrised, 20 frequencies, hit and run": lambda: OrbitopeFourier("1/50", 20, N, epsilon=1).release(
            line
        ),
    }
    for name, once in runs.items():
        measured(name, RELEASE, once)
    measured("density online, 1,000 points one at a time", ONLINE, ask)


if __name__ == "__main__":
    main()
