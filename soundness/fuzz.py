"""Coverage-guided fuzzing of the kernel: bytes that reach new lines are kept and changed further.

python -m soundness.fuzz --seed 1 --seconds 60
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from types import FrameType
from typing import Any

import click

from dpverify import kernel
from soundness.corpus import QUICK, corpus
from soundness.mutate import CHANGES, bytewise, sealed

FILE, SLOW = kernel.__file__, 1.0


def traced(data: bytes) -> tuple[str, set[int], float]:
    """What the kernel says of bytes, the lines it passed through, and the seconds it took without tracing."""
    lines: set[int] = set()

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        lines.add(frame.f_lineno)
        return local

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        return local if frame.f_code.co_filename == FILE else None

    start = time.process_time()
    said = answer(data)
    seconds = time.process_time() - start
    sys.settrace(trace)
    try:
        answer(data)
    finally:
        sys.settrace(None)
    return said, lines, seconds


def answer(data: bytes) -> str:
    try:
        kernel.check_bytes(data)
    except kernel.Rejected as error:
        return "refused" if len(str(error).splitlines()) == 1 else "FALSE: several lines"
    except Exception as error:
        return f"FALSE: {type(error).__name__}: {error}"[:200]
    return "accepted"


def child(rnd: random.Random, parent: bytes) -> bytes:
    if rnd.random() < 0.4:
        return bytewise(rnd, parent)
    try:
        certificate = json.loads(parent)
        name = rnd.choice(list(CHANGES))
        CHANGES[name](rnd, certificate, corpus())
        return sealed(certificate)
    except Exception:  # what was changed before no longer has the shape that this change needs
        return bytewise(rnd, parent)


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the inputs.")
@click.option("--seconds", default=60, show_default=True, help="How long.")
@click.option("--megabytes", default=1000, show_default=True, help="Memory beyond which the run fails.")
def main(seed: int, seconds: int, megabytes: int) -> None:
    """Look for an exception outside the error family, for a hang over a second, and for unbounded memory."""
    rnd, end = random.Random(seed), time.monotonic() + seconds
    pool = [json.dumps(c).encode() for c in corpus()[: len(QUICK)]]
    covered: set[int] = set()
    for data in pool:
        covered |= traced(data)[1]
    tried, bad, slowest = 0, [], 0.0
    while time.monotonic() < end:
        data = child(rnd, rnd.choice(pool))
        said, lines, spent = traced(data)
        tried, slowest = tried + 1, max(slowest, spent)
        if said.startswith("FALSE") or spent > SLOW:
            bad.append(f"{said}, {spent:.2f} s: {data[:3000]!r}")
        if not lines <= covered:
            covered |= lines
            pool.append(data)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{tried} inputs, {len(pool)} kept for new lines, {len(covered)} lines covered")
    print(f"slowest {slowest:.2f} s of processor time, {peak} MB at most, {len(bad)} to look at")
    print(*bad, sep="\n")
    sys.exit(bool(bad) or peak > megabytes)


if __name__ == "__main__":
    main()
