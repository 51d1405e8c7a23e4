"""The kernel's replay against the proof, generator by generator of tests/corpus.py: `python -m benchmarks.replay`.

Processor time, each the median of several repetitions in one warm process: the kernel on the certificate's bytes, and
`verify(replay=False)`, which writes no certificate. The last column has `verify` with all that comes after the proof.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
RUNS, LONG, FEW = 5, 1.0, 2
"""Repetitions; seconds from which on a proof is repeated less often, and how often then."""


def processor_seconds(work: Callable[[], object], runs: int) -> float:
    work()
    found = []
    for _ in range(runs):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return statistics.median(found)


def main() -> None:
    from dpverify import kernel, verify
    from tests.corpus import ELEMENTARY

    ratios, totals = [], [0.0, 0.0, 0.0]
    print(f"{'generator':40s} {'verdict':11s} {'replay':>8s} {'proof':>8s} {'ratio':>6s} {'verify':>8s}   in ms")
    for known in ELEMENTARY:

        def prove(replay: bool, known=known) -> object:  # type: ignore[no-untyped-def]
            return verify(known.text, dimension=known.d, parameters=known.parameters, replay=replay)

        result = verify(known.text, dimension=known.d, parameters=known.parameters)
        data = json.dumps(result.certificate).encode()
        start = time.process_time()
        prove(False)
        runs = RUNS if time.process_time() - start < LONG else FEW
        times = [
            processor_seconds(lambda: kernel.check_bytes(data), runs),
            processor_seconds(lambda: prove(False), runs),
            processor_seconds(lambda: prove(True), runs),
        ]
        ratios.append(times[0] / times[1])
        totals = [a + b for a, b in zip(totals, times, strict=True)]
        replay, proof, whole = (1000 * t for t in times)
        print(
            f"{known.text[:40]:40s} {result.verdict:11s} {replay:8.1f} {proof:8.1f} {ratios[-1]:6.2f} {whole:8.1f}",
            flush=True,
        )
    replay, proof, whole = (1000 * t for t in totals)
    print(f"\nsums: replay {replay:.0f} ms, proof {proof:.0f} ms, verify {whole:.0f} ms")
    print(f"median ratio {statistics.median(ratios):.2f}, largest {max(ratios):.2f} (at most 1)")
    print(f"{sum(x > 1 for x in ratios)} of {len(ratios)} above 1")


if __name__ == "__main__":
    main()
