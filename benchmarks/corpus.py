"""The corpus of tests/corpus.py, generator by generator: `make bench-corpus`.

A warm `verify` against SymPy's limit of the tail ratio f(r^2)/f((r + 1)^2) alone, which says whether
and never how much, and against a plain search of the supremum by mpmath at 30 digits, which proves
nothing.  Each generator has a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
LONGEST = 60


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    try:
        work()
    except (NotImplementedError, TypeError, ValueError):
        return float("nan")  # SymPy's way of saying that it does not know
    return time.perf_counter() - started


def measure(index: int) -> dict[str, object]:
    from dpverify import verify
    from tests.corpus import ELEMENTARY

    known = ELEMENTARY[index]

    def prove() -> str:
        return verify(known.text, dimension=known.d, parameters=known.parameters).verdict

    verdict = prove()
    warm = min(seconds(prove) for _ in range(3))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    import sympy

    from dpverify.generators import Generator
    from dpverify.symbolic.to_sympy import r, to_sympy

    f = to_sympy(Generator(known.text, known.d, parameters=known.parameters).expression, {})
    sympy.limit(sympy.exp(-r), r, sympy.oo)
    limit = seconds(lambda: sympy.limit(f / f.subs(r, r + 1), r, sympy.oo))

    import mpmath

    from tests.strategies import search

    potential = sympy.lambdify(r, -sympy.log(f), "mpmath")
    with mpmath.workdps(30):
        searched = seconds(lambda: search(lambda x: potential(x).real, mpmath.mpf(1)))
    return {"verdict": verdict, "verify": warm, "sympy": limit, "mpmath": searched, "memory": memory}


def main() -> None:
    from tests.corpus import ELEMENTARY

    rows = []
    print(f"{'generator':44s} {'verdict':11s} {'verify':>8s} {'SymPy':>8s} {'mpmath':>8s} {'MB':>5s}")
    for index, known in enumerate(ELEMENTARY):
        done = subprocess.run(
            [sys.executable, __file__, str(index)], capture_output=True, text=True, check=True, timeout=20 * LONGEST
        )
        row = json.loads(done.stdout)
        rows.append(row)
        print(
            f"{known.text[:44]:44s} {row['verdict']:11s} {row['verify']:7.3f}s {row['sympy']:7.3f}s "
            f"{row['mpmath']:7.3f}s {row['memory']:5.0f}",
            flush=True,
        )
    both = [row for row in rows if row["sympy"] == row["sympy"]]
    ratio = statistics.median(r["verify"] for r in both) / statistics.median(r["sympy"] for r in both)
    print(f"\n{len(rows)} generators; SymPy answers for {len(both)} of them, rightly or not")
    print(f"median verify / median limit of SymPy: {ratio:.2f} (at most 3)")
    print(f"slowest verify: {max(r['verify'] for r in rows):.2f} s (at most 20)")
    print(f"largest process: {max(r['memory'] for r in rows):.0f} MB (at most 400)")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(int(sys.argv[1]))))
    else:
        main()
