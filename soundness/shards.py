"""Seeded work in numbered shards over processes, its results kept in a file so that it resumes after a kill."""

from __future__ import annotations

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NoReturn

from dpverify.log import Log

Shard = Callable[[int, int, int], dict[str, Any]]
"""From the seed, the shard's number and how many cases it has, to what it found."""


def concluded(found: list[dict[str, Any]], counted: str) -> NoReturn:
    """Print how often each case came, and what is wrong, of which a campaign ends with status 1."""
    for name, n in sum((Counter(f[counted]) for f in found), Counter[str]()).most_common():
        print(f"{n:8d}  {name}")
    wrong = [w for f in found for w in f["wrong"]]
    print(f"{len(wrong)} wrong:", *wrong[:50], sep="\n  ")
    sys.exit(bool(wrong))


def run(work: Shard, *, seed: int, count: int, size: int, jobs: int, log: Path | None) -> list[dict[str, Any]]:
    """Every shard's findings; those already in the log (of the same seed and size) are not done again."""
    plain = work.func if isinstance(work, functools.partial) else work
    options = work.keywords if isinstance(work, functools.partial) else {}
    key = {"work": Path(plain.__code__.co_filename).stem, "seed": seed, **options}
    cases = {i: min(size, count - start) for i, start in enumerate(range(0, count, size))}
    done: dict[int, dict[str, Any]] = {}
    kept = Log(log)
    for x in kept.rows():
        if x["key"] == key and x["cases"] == cases.get(x["shard"]):
            done[x["shard"]] = x["found"]
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    left, start = [i for i in range(len(cases)) if i not in done], time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        futures = {pool.submit(work, seed, i, cases[i]): i for i in left}
        for future in as_completed(futures):
            number = futures[future]
            if future.exception() is not None:  # what is not begun is not waited for
                pool.shutdown(cancel_futures=True)
            done[number] = future.result()
            kept.keep({"key": key, "shard": number, "cases": cases[number], "found": done[number]})
            spent = time.monotonic() - start
            print(f"\r{len(done)} of {len(cases)} shards, {spent:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return [done[i] for i in sorted(done)]
