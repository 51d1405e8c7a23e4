"""Speed and memory as ratios within one run: `make bench`.

Cold start against `import sympy`, the kernel against the imports it cannot do without, and a warm
prover, without the kernel's replay, against the same supremum by mpmath (50 digits, golden section from a grid).
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "certificates"
RUNS = 7


def median_seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    work()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def command(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], capture_output=True, check=True)


def by_mpmath(nu: str, d: int) -> object:
    """sup over r of the Student t loss at delta = 1: a grid on [0, 100], then golden section to 1e-12 of epsilon."""
    import mpmath as mp

    with mp.workdps(50):
        n = mp.mpf(Fraction(nu).numerator) / Fraction(nu).denominator

        def loss(r: object) -> object:
            return (n + d) / 2 * (mp.log(1 + (r + 1) ** 2 / n) - mp.log(1 + r**2 / n))

        grid = [mp.mpf(k) / 10 for k in range(1001)]
        best = max(range(1, 1000), key=lambda i: loss(grid[i]))
        a, b = grid[best - 1], grid[best + 1]
        ratio = (mp.sqrt(5) - 1) / 2
        low, high = b - ratio * (b - a), a + ratio * (b - a)
        at_low, at_high = loss(low), loss(high)
        while b - a > mp.mpf(10) ** -7:
            if at_low > at_high:
                b, high, at_high = high, low, at_low
                low = b - ratio * (b - a)
                at_low = loss(low)
            else:
                a, low, at_low = low, high, at_high
                high = a + ratio * (b - a)
                at_high = loss(high)
        return loss((a + b) / 2)


def main() -> None:
    from dpverify import verify

    rows = []
    sympy = median_seconds(command("-c", "import sympy"))
    cold = median_seconds(command("-m", "dpverify", "verify", "student_t", "--json"))
    rows.append(("cold `dpverify verify student_t` / `import sympy`", cold, sympy, 3.0))
    largest = max(GALLERY.glob("*.json"), key=lambda p: p.stat().st_size)
    imports = median_seconds(command("-c", "import json, decimal, fractions"))
    kernel = median_seconds(command("-I", "-S", str(ROOT / "dpverify" / "kernel"), str(largest)))
    rows.append((f"cold kernel on {largest.name} / its imports", kernel, imports, 10.0))
    warm = median_seconds(
        lambda: verify("student_t", dimension=2, parameters={"nu": "5/3"}, tolerance="1e-12", replay=False), 25
    )
    peer = median_seconds(lambda: by_mpmath("5/3", 2), 25)
    rows.append(("warm prover on t, width 1e-12 / mpmath, 50 digits", warm, peer, 1.0))
    for label, ours, theirs, target in rows:
        print(
            f"{label:<60} {ours * 1000:8.1f} ms / {theirs * 1000:7.1f} ms = {ours / theirs:5.2f}  (target {target:g})"
        )
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    code = (
        f"import resource, sys; sys.path.insert(0, {str(ROOT / 'dpverify')!r}); import kernel; "
        f"kernel.main([{str(largest)!r}]); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    print(
        f"kernel's peak memory on {largest.name}: {int(done.stdout.split()[-1]) / 1024:.0f} MB (target 60); "
        f"largest child so far {before / 1024:.0f} MB"
    )


if __name__ == "__main__":
    main()
