"""Audits beside their peers in one run: bounds, kept confidence, samples a second.

make bench-audit             # a few minutes, jax-privacy among the peers
python benchmarks/audit.py   # without the peers that are not installed
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from dpverify.audit import BuiltIn, Mechanism, audit, epsilon_lower_bound
from dpverify.audit.bounds import Counts, Procedure
from dpverify.audit.counting import Task
from dpverify.audit.plan import plan
from dpverify.sampling import EllipticalNoise

Array = NDArray[np.float64]
CONFIDENCE = 0.95


def shift_of(d: int) -> Array:
    return np.eye(d)[0]


def snapped(noise: EllipticalNoise) -> Callable[[Array, int, np.random.Generator], Array]:
    """A black box of the noise without floating-point leaks: outputs on a lattice of 2^-20."""
    return lambda centre, size, rng: np.round((centre + noise.draw(size, rng)) * 2**20) / 2**20


def ours(noise: EllipticalNoise, samples: int, seed: int) -> float:
    return audit(BuiltIn(samples, noise, shift_of(noise.dimension)), confidence=CONFIDENCE, seed=seed).epsilon_lower


def ours_blind(noise: EllipticalNoise, samples: int, seed: int) -> float:
    shift = shift_of(noise.dimension)
    source = Mechanism(samples, snapped(noise), (0 * shift, shift))
    return audit(source, confidence=CONFIDENCE, seed=seed).epsilon_lower


def oracle(noise: EllipticalNoise, samples: int, seed: int) -> float:
    """The best fixed event of the Laplace in one dimension, {x < 0}, with a Clopper-Pearson pair."""
    rng = np.random.default_rng(seed)
    k, j = rng.binomial(samples, 0.5), rng.binomial(samples, exp(-1) / 2)
    return epsilon_lower_bound(Counts(samples, int(k), samples, int(j)), Procedure("paired"), 1 - CONFIDENCE)


def jax_privacy(noise: EllipticalNoise, samples: int, seed: int) -> float:
    """jax-privacy's bound with its default thresholds, on the first coordinate."""
    from jax_privacy import auditing

    rng = np.random.default_rng(seed)
    p, q = noise.draw(samples, rng)[:, 0], noise.draw(samples, rng)[:, 0] + 1
    return float(auditing.CanaryScoreAuditor(q, p).epsilon_clopper_pearson(1 - CONFIDENCE))


def linear(noise: EllipticalNoise, samples: int, seed: int) -> float:
    """The best half-space of the first coordinate, chosen and tested on separate halves."""
    rng = np.random.default_rng(seed)
    p, q = noise.draw(2 * samples, rng)[:, 0], noise.draw(2 * samples, rng)[:, 0] + 1
    grid = np.quantile(p[samples:], np.geomspace(1e-4, 0.5, 50))
    alpha, bounds = 1 - CONFIDENCE, []
    for half in (slice(samples, None), slice(samples)):
        counted = [Counts(samples, int((p[half] < t).sum()), samples, int((q[half] < t).sum())) for t in grid]
        bounds.append([epsilon_lower_bound(c, Procedure("paired"), alpha) for c in counted])
    return bounds[1][int(np.argmax(bounds[0]))]


def mean(method: Callable[[EllipticalNoise, int, int], float], noise: EllipticalNoise, samples: int, runs: int) -> str:
    try:
        return f"{statistics.fmean(method(noise, samples, seed) for seed in range(runs)):8.4f}"
    except ImportError:
        return "       -"


def one_dimension() -> None:
    noise = EllipticalNoise("laplace")
    print("Laplace, d = 1, true epsilon 1, 95 %: mean bound")
    print(f"{'samples a side':>16} {'dpverify':>9} {'black box':>9} {'oracle':>8} {'jax-privacy':>12}")
    for samples, runs in ((1_000, 100), (10_000, 50), (100_000, 10), (1_000_000, 4)):
        row = [mean(method, noise, samples, runs) for method in (ours, ours_blind, oracle, jax_privacy)]
        print(f"{samples:>16} {row[0]:>9} {row[1]:>9} {row[2]:>8} {row[3]:>12}")


def t_epsilon(nu: float, d: int) -> float:
    c = (1 + sqrt(1 + 4 * nu)) / 2
    return (nu + d) / 2 * log((1 + c**2 / nu) / (1 + (c - 1) ** 2 / nu))


def several_dimensions() -> None:
    print("\n100,000 samples a side, 95 %: mean bound")
    print(f"{'':>16} {'truth':>8} {'dpverify':>9} {'target':>8} {'black box':>9} {'linear':>8} {'jax-privacy':>12}")
    targets = {
        "student_t": dict(zip((2, 5, 10, 20), (1.37, 1.80, 2.00, 2.43), strict=True)),
        "laplace": dict(zip((2, 5, 10, 20), (0.91, 0.79, 0.54, 0.38), strict=True)),
    }
    for name, wanted in targets.items():
        for d, target in wanted.items():
            noise = EllipticalNoise(name, d)
            truth = t_epsilon(5, d) if name == "student_t" else 1.0
            cells = [mean(method, noise, 100_000, 4) for method in (ours, ours_blind, linear, jax_privacy)]
            label = f"{name}, d = {d}"
            print(f"{label:>16} {truth:8.2f} {cells[0]:>9} {target:8.2f} {cells[1]:>9} {cells[2]:>8} {cells[3]:>12}")


def gaussian(centre: Array, size: int, rng: np.random.Generator) -> Array:
    return np.round((centre + rng.standard_normal((size, 1))) * 2**20) / 2**20


def subsampled_gaussian(centre: Array, size: int, rng: np.random.Generator) -> Array:
    """Of the records a quarter is looked at."""
    kept = rng.random((size, 1)) < 0.25
    return np.round((centre * kept + rng.normal(0, 0.7, (size, 1))) * 2**20) / 2**20


DELTA = 1e-5


def with_delta() -> None:
    print(f"\nBlack boxes at delta = {DELTA:g}, 95 %: mean bound, and how far it is above jax-privacy's")
    print(f"{'':>20} {'samples a side':>16} {'dpverify':>9} {'jax-privacy':>12} {'above':>8}")
    for name, function in (("Gaussian", gaussian), ("subsampled Gaussian", subsampled_gaussian)):
        source = Mechanism(1, function, (np.zeros(1), np.ones(1)))
        for samples, runs in ((1_000, 60), (10_000, 30), (100_000, 8), (1_000_000, 3)):
            own = replace(source, samples=samples)
            bounds = (audit(own, confidence=CONFIDENCE, delta=DELTA, seed=s).epsilon_lower for s in range(runs))
            own_mean = statistics.fmean(bounds)
            try:
                peer = statistics.fmean(jax_with_delta(function, samples, s) for s in range(runs))
                beside = f"{peer:12.4f} {own_mean / peer - 1:8.1%}"
            except ImportError:
                beside = "           -"
            print(f"{name:>20} {samples:>16} {own_mean:9.4f} {beside}", flush=True)


def jax_with_delta(function: Callable[[Array, int, np.random.Generator], Array], samples: int, seed: int) -> float:
    from jax_privacy import auditing

    rng = np.random.default_rng(seed)
    p, q = (function(np.full(1, centre), samples, rng)[:, 0] for centre in (0.0, 1.0))
    return float(auditing.CanaryScoreAuditor(q, p).epsilon_clopper_pearson(1 - CONFIDENCE, DELTA))


def kept_confidence() -> None:
    print("\nShare of 2,000 audits of 1,000 samples whose bound exceeds the truth (stated: at most 0.05)")
    for name, d, truth in (("laplace", 1, 1.0), ("laplace", 5, 1.0), ("student_t", 2, t_epsilon(5, 2))):
        source = BuiltIn(1000, EllipticalNoise(name, d), shift_of(d))
        test = plan(source, 0, {"law": 1 - CONFIDENCE}, 0.0).tests["law"][0]
        tasks = (Task(source, (test,), seed) for seed in range(2000))
        bounds = [epsilon_lower_bound(task.count(0)[0], test.procedure, 1 - CONFIDENCE) for task in tasks]
        print(f"{name + f', d = {d}':>16} {np.mean(np.array(bounds) > truth):8.4f}")
    for label, centre, truth in (("black box", 1.0, 1.0), ("P = Q", 0.0, 0.0)):
        black_box = snapped(EllipticalNoise("laplace"))
        source = Mechanism(1000, black_box, (np.zeros(1), np.array([centre])))
        large = sum(audit(source, confidence=CONFIDENCE, seed=s).epsilon_lower > truth for s in range(2000))
        limit = stats.binom.isf(1e-3, 2000, 1 - CONFIDENCE) / 2000
        print(f"{label:>16} {large / 2000:8.4f}   (by chance at most {limit:.4f})")


BARE: dict[str, Callable[[np.random.Generator, int], object]] = {
    "gaussian": lambda rng, n: None,
    "laplace": lambda rng, n: rng.standard_gamma(2, n),
    "student_t": lambda rng, n: rng.chisquare(5, n),
}


def throughput() -> None:
    print("\nSamples audited a second, end to end, over NumPy's bare draws of the same numbers (target 0.40)")
    for name in BARE:
        for d, samples in ((2, 3_000_000), (20, 500_000)):
            rng = np.random.default_rng(0)
            source = BuiltIn(samples, EllipticalNoise(name, d), shift_of(d))

            def draw() -> None:
                for _ in range(2 * samples // 50_000):
                    rng.standard_normal((50_000, d))
                    BARE[name](rng, 50_000)

            bare, whole = seconds(draw), seconds(lambda: audit(source, seed=1))
            rate = 2 * samples / whole / 1e6
            print(f"{name + f', d = {d}':>16} {rate:8.1f} million/s   ratio {bare / whole:5.2f}")


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """Processor time, so that other programs on the machine count less."""
    times = []
    for _ in range(runs):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return statistics.median(times)


if __name__ == "__main__":
    one_dimension()
    several_dimensions()
    with_delta()
    kept_confidence()
    throughput()
