"""Mutated certificates against the kernel: no false claim accepted, no other exception, no hang.

python -m soundness.campaign --seed 1 --count 100000 --jobs 2
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click

from dpverify import kernel
from soundness import shards
from soundness.corpus import whole
from soundness.mutate import mutant
from soundness.truth import explain

SLOW, ENDLESS = 1.0, 60.0
"""Seconds of processor time of a check that is told, and of one that is broken off."""


class Endless(BaseException):
    """The kernel takes longer than ENDLESS."""


def broken_off(*_: object) -> None:
    raise Endless


def judged(kind: str, claim: Any, data: bytes) -> dict[str, Any]:
    """What the kernel says of a mutant, and whether an accepted claim is true."""
    start = time.process_time()
    signal.signal(signal.SIGPROF, broken_off)
    signal.setitimer(signal.ITIMER_PROF, ENDLESS)
    try:
        accepted = kernel.check_bytes(data)
        outcome = "accepted"
    except kernel.Unreadable:
        outcome = "unreadable"
    except kernel.Rejected as error:
        outcome = "rejected" if len(str(error).splitlines()) == 1 else "FALSE: a message of several lines"
    except (Exception, Endless) as error:
        outcome = f"FALSE: {type(error).__name__}: {error}"[:200]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - start
    if outcome == "accepted":
        outcome = f"accepted: {explain(accepted.claim, claim, accepted.proof)}"
    return {"kind": kind, "outcome": outcome, "seconds": seconds}


def shard(seed: int, number: int, count: int) -> dict[str, Any]:
    rnd = random.Random(f"{seed}/{number}")
    outcomes: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    kept: list[dict[str, Any]] = []
    slow: dict[str, Any] = {"seconds": 0.0}
    for _ in range(count):
        kind, original, data = mutant(rnd, *whole())
        found = judged(kind, original["claim"], data)
        outcomes[found["outcome"].split(" (")[0]] += 1
        kinds[kind] += 1
        verdicts[original["claim"]["verdict"]] += 1
        if found["seconds"] > slow["seconds"]:
            slow = {**found, "data": data.decode("latin-1")[:20_000]}
        bad = any(word in found["outcome"] for word in ("FALSE", "UNKNOWN", "leaves it open"))
        if bad or found["seconds"] > SLOW:
            kept.append({**found, "data": data.decode("latin-1")})
    return {"outcomes": outcomes, "kinds": kinds, "verdicts": verdicts, "slowest": slow, "kept": kept}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the mutations.")
@click.option("--count", default=100_000, show_default=True, help="How many mutants.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, log: Path | None) -> None:
    """Mutate certificates of every verdict and re-decide each claim that the kernel accepts."""
    whole()
    found = shards.run(shard, seed=seed, count=count, size=500, jobs=jobs, log=log)
    for title in ("verdicts", "kinds", "outcomes"):
        print(f"{title}:")
        total = sum((Counter(f[title]) for f in found), Counter[str]())
        for name, n in total.most_common():
            print(f"  {n:7d}  {name}")
    slow = max((f["slowest"] for f in found), key=lambda x: x["seconds"])
    print(f"slowest: {slow['seconds']:.2f} s of processor time, {slow['kind']}, {slow['outcome']}")
    print(f"  {slow['data'][:3000]}")
    kept = [k for f in found for k in f["kept"]]
    for k in kept:  # once more, as truth.py stands now
        k.update(judged(k["kind"], {}, k["data"].encode("latin-1")))
        print(f"look at: {k['outcome']}, {k['seconds']:.2f} s, {k['kind']}: {k['data'][:3000]}")
    sys.exit(any("FALSE" in k["outcome"] or "UNKNOWN" in k["outcome"] for k in kept))


if __name__ == "__main__":
    main()
