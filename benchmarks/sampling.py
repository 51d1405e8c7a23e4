"""The exact sampler beside its peers in one run, on one core: `make bench-sampling`.

Vectors a second of processor time, the median of several rounds, and its ratio to the goal. OpenDP's and Tumult
Core's samplers (where installed) give numbers in one dimension.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from dpverify.sampling.exact import ExactNoise

ROUNDS, SECONDS = 5, 0.4
GOALS = {1: 20_000, 3: 10_000, 10: 5_000}
OUT_OF_CATALOGUE = 3_000
FAMILIES: list[tuple[str, dict[str, object], tuple[int, ...]]] = [
    ("laplace", {}, (1, 3, 10)),
    ("student_t", {"nu": 3}, (1, 3, 10)),
    ("student_t", {"nu": "5/2"}, (1, 3, 10)),
    ("gaussian", {}, (1, 3, 10)),
    ("multivariate_laplace", {}, (1,)),
]
OTHERS = ["exp(-sqrt(y))*(3+sin(r))", "exp(-sqrt(1+y))", "exp(-floor(sqrt(y)))"]


def rate(draw: Callable[[], object]) -> float:
    """Calls a second of processor time."""
    draw()
    found = []
    for _ in range(ROUNDS):
        count, started = 0, time.process_time()
        while time.process_time() - started < SECONDS:
            for _ in range(50):
                draw()
            count += 50
        found.append(count / (time.process_time() - started))
    return statistics.median(found)


def ours(text: str, d: int, parameters: dict[str, object], goal: int) -> None:
    noise = ExactNoise(text, d, parameters=parameters)
    query = [0.5] * d
    found = rate(lambda: noise.release(query))
    name = ", ".join([text, *(f"{k} = {v}" for k, v in parameters.items())])
    print(f"  {name:<40} d = {d:<3} {found:>9,.0f}  {found / goal:5.2f} of the goal of {goal:,}", flush=True)


def opendp() -> None:
    try:
        import opendp.prelude as dp
    except ImportError:
        print("  OpenDP is not installed")
        return
    dp.enable_features("contrib")
    line = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    for make in (dp.m.make_laplace, dp.m.make_gaussian):
        measurement = make(*line, scale=1.0)
        print(f"  OpenDP's {make.__name__:<31} d = 1   {rate(lambda: measurement(0.5)):>9,.0f}", flush=True)


def tumult() -> None:
    try:
        from tmlt.core.random.laplace import laplace
        from tmlt.core.utils.exact_number import ExactNumber  # noqa: F401
    except ImportError:
        print("  Tumult Core is not installed")
        return
    print(f"  Tumult Core's laplace                    d = 1   {rate(lambda: laplace(0.5, 1.0)):>9,.0f}")


def main() -> None:
    print("vectors a second")
    for text, parameters, dimensions in FAMILIES:
        for d in dimensions:
            ours(text, d, parameters, GOALS[d])
    for text in OTHERS:
        for d in GOALS:
            ours(text, d, {}, OUT_OF_CATALOGUE)
    opendp()
    tumult()


if __name__ == "__main__":
    main()
