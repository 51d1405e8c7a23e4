"""The minimax method for a count, and releases on 10,000 records: `python -m benchmarks.counts`.

Seconds of processor time, each with its share of the goal, and the peak memory so far of this process.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dpverify.mechanisms import (
    Ball,
    Ellipsoid,
    EmpiricalMean,
    GeometricCount,
    Histogram,
    KNormCounts,
    KNormMean,
    LaplaceCount,
    Margins,
    RandomHistogram,
    RandomProportion,
    Zonotope,
)
from dpverify.mechanisms.counting.fair import ratio_below
from dpverify.mechanisms.counting.minimax import Minimax, minimax

N = 10_000


def timed(name: str, goal: float, work: Callable[[], Any]) -> Any:
    """Run it once, and print what it took."""
    started = time.process_time()
    result = work()
    seconds = time.process_time() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:<44}{seconds:8.3f} s  {seconds / goal:7.3f} of {goal:g} s  {memory:6.0f} MB", flush=True)
    return result


def main() -> None:
    """Releases first, so that their memory is their own; then programmes of growing size."""
    rng = np.random.default_rng(0)
    bits, points = rng.integers(0, 2, N), rng.normal(size=(N, 3))
    cells = rng.integers(0, 64, N)
    span = np.eye(3).tolist() + [[1, 1, 1]]
    releases: list[tuple[str, Callable[[], object]]] = [
        ("geometric count", lambda: GeometricCount(epsilon=1).release(bits)),
        ("Laplace count, with its certificate", lambda: LaplaceCount(epsilon=1).release(bits)),
        (
            "histogram, 2^16 cells, sparse",
            lambda: Histogram(range(2**16), epsilon=1, threshold="sparse").release(cells),
        ),
        ("margins of 16 attributes", lambda: Margins(16, epsilon=1).release(rng.integers(0, 2, (N, 16)))),
        ("mean in a box", lambda: KNormMean(Ball(3, "inf"), N, epsilon=1).release(points)),
        (
            "mean in an ellipsoid, with its certificate",
            lambda: KNormMean(Ellipsoid(np.eye(3)), N, epsilon=1).release(points),
        ),
        ("mean in a zonotope", lambda: KNormMean(Zonotope(span), N, epsilon=1).release(points)),
        ("margins by the hull of differences", lambda: KNormCounts(_margins(4), epsilon=1).release([N // 16] * 16)),
        ("random privacy: share", lambda: RandomProportion(N, epsilon=1, gamma="1/20").release(bits)),
        ("random privacy: histogram", lambda: RandomHistogram(range(64), N, epsilon=1, gamma="1/20").release(cells)),
        ("random privacy: mean", lambda: EmpiricalMean(N, epsilon=1, gamma="1/10", beta="1/20").release(points[:, 0])),
    ]
    for name, work in releases:
        timed(name, 2, work)
    for n, epsilon in ((70, "1/100"), (70, "1/10"), (70, "1"), (500, "1"), (500, "1/10"), (500, "1/100")):
        found = timed(f"minimax, n = {n}, epsilon = {epsilon}", 10 if n == 70 else 60, partial(best, n, epsilon))
        proved = "exactly" if found.exact else f"to {float(found.upper - found.lower):.1e}"
        print(f"    risk {float(found.upper):.9g}, proved {proved}")


def best(n: int, epsilon: str) -> Minimax:
    """The minimax method."""
    return minimax(n, ratio_below(Fraction(epsilon)))


def _margins(k: int) -> list[list[int]]:
    return [[cell >> i & 1 for cell in range(2**k)] for i in range(k)]


if __name__ == "__main__":
    main()
