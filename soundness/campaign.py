"""Mutated certificates against the kernel: no false claim accepted, no other exception, no hang.

python -m soundness.campaign --seed 1 --count 100000 --jobs 2
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click

from dpverify import kernel
from soundness import shards
from soundness.corpus import corpus
from soundness.mutate import mutant
from soundness.truth import explain

SLOW = 1.0


def judged(kind: str, claim: Any, data: bytes) -> dict[str, Any]:
    """What the kernel says of a mutant, and whether an accepted claim is true."""
    start = time.process_time()
    try:
        accepted = kernel.check_bytes(data)
        outcome = "accepted"
    except kernel.Unreadable:
        outcome = "unreadable"
    except kernel.Rejected as error:
        outcome = "rejected" if len(str(error).splitlines()) == 1 else "FALSE: a message of several lines"
    except Exception as error:
        outcome = f"FALSE: {type(error).__name__}: {error}"[:200]
    seconds = time.process_time() - start
    if outcome == "accepted":
        outcome = f"accepted: {explain(accepted, claim)}"
    return {"kind": kind, "outcome": outcome, "seconds": seconds}


def shard(seed: int, number: int, count: int) -> dict[str, Any]:
    rnd = random.Random(f"{seed}/{number}")
    outcomes: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    kept, slowest = [], 0.0
    for _ in range(count):
        kind, original, data = mutant(rnd, corpus())
        found = judged(kind, original["claim"], data)
        slowest = max(slowest, found["seconds"])
        outcomes[found["outcome"].split(" (")[0]] += 1
        kinds[kind] += 1
        verdicts[original["claim"]["verdict"]] += 1
        bad = any(word in found["outcome"] for word in ("FALSE", "UNKNOWN", "leaves it open"))
        if bad or found["seconds"] > SLOW:
            kept.append({**found, "data": data.decode("latin-1")})
    return {"outcomes": outcomes, "kinds": kinds, "verdicts": verdicts, "slowest": slowest, "kept": kept}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the mutations.")
@click.option("--count", default=100_000, show_default=True, help="How many mutants.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, log: Path | None) -> None:
    """Mutate certificates of every verdict and re-decide each claim that the kernel accepts."""
    corpus()
    found = shards.run(shard, seed=seed, count=count, size=500, jobs=jobs, log=log)
    for title in ("verdicts", "kinds", "outcomes"):
        print(f"{title}:")
        total = sum((Counter(f[title]) for f in found), Counter[str]())
        for name, n in total.most_common():
            print(f"  {n:7d}  {name}")
    print(f"slowest: {max(f['slowest'] for f in found):.2f} s of processor time")
    kept = [k for f in found for k in f["kept"]]
    for k in kept:  # once more, as truth.py stands now
        k.update(judged(k["kind"], {}, k["data"].encode("latin-1")))
        print(f"look at: {k['outcome']}, {k['seconds']:.2f} s, {k['kind']}: {k['data'][:3000]}")
    sys.exit(any("FALSE" in k["outcome"] or "UNKNOWN" in k["outcome"] for k in kept))


if __name__ == "__main__":
    main()
