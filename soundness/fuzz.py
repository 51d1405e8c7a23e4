"""Coverage-guided fuzzing of the kernel with Atheris: no exception but the kernel's own, no hang, bounded memory.

python -m soundness.fuzz --seed 1 --seconds 300
"""

from __future__ import annotations

import importlib
import json
import os
import random
import resource
import tempfile
import time
from pathlib import Path

import atheris
import click

with atheris.instrument_imports(include=["dpverify.kernel"]):
    from dpverify import kernel

    for section in kernel.SECTIONS:
        importlib.import_module(f"dpverify.kernel.sections.{section}")

from soundness.corpus import FAST, corpus, whole
from soundness.mutate import CHANGES, bytewise, refreshed, sealed

LONGEST = 200_000


def patience(data: bytes) -> float:
    """Seconds that the kernel may take, instrumented (some four times its own time): by how many steps it is given."""
    return 4.0 + 0.4 * data.count(b'", "')


def answer(data: bytes) -> str:
    try:
        kernel.check_bytes(data)
    except kernel.Rejected as error:
        return "refused" if len(str(error).splitlines()) == 1 else "FALSE: several lines"
    except Exception as error:
        return f"FALSE: {type(error).__name__}: {error}"[:200]
    return "accepted"


def child(data: bytes, longest: int, seed: int) -> bytes:
    """A change of the bytes by libFuzzer or by us, or one of the certificate that they are, with a fresh digest."""
    rnd = random.Random(seed)
    what = rnd.random()
    if what < 0.2:
        return atheris.Mutate(data, longest)
    try:
        if what < 0.35:
            return bytewise(rnd, data or b" ")[:longest]
        certificate = json.loads(data)
        CHANGES[rnd.choice(list(CHANGES))](rnd, certificate, whole()[0])
        if rnd.random() < 0.7:
            refreshed(certificate)
        changed = sealed(certificate)
        return changed if len(changed) <= longest else data
    except Exception:  # what was changed before no longer has the shape that this change needs
        return bytewise(rnd, data or b" ")[:longest]


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the inputs.")
@click.option("--seconds", default=60, show_default=True, help="How long.")
@click.option("--megabytes", default=1000, show_default=True, help="Memory beyond which the run fails.")
def main(seed: int, seconds: int, megabytes: int) -> None:
    """Look for an exception outside the error family, for a hang, and for unbounded memory."""
    folder = Path(tempfile.mkdtemp())
    seeds = [*corpus()[:FAST], *(c for c in whole()[0] if "kind" in c["claim"] and len(json.dumps(c)) < 10_000)]
    for i, certificate in enumerate(seeds):
        (folder / f"{i}.json").write_text(json.dumps(certificate))
    end, said, slowest, bad = time.monotonic() + seconds, {"accepted": 0, "refused": 0}, 0.0, list[str]()

    def judge(data: bytes) -> None:
        nonlocal slowest
        if time.monotonic() >= end:
            finish()
        start = time.process_time()
        outcome = answer(data)
        spent = time.process_time() - start
        slowest = max(slowest, spent / patience(data))
        if outcome in said:
            said[outcome] += 1
        if outcome not in said or spent > patience(data):
            bad.append(f"{outcome}, {spent:.2f} s: {data[:3000]!r}")

    def finish() -> None:
        """libFuzzer never returns, so what was found is told from within."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        kept = len(list(folder.iterdir()))
        print(f"{sum(said.values())} inputs, {said['accepted']} accepted, {kept} kept for what they cover")
        print(f"slowest {slowest:.0%} of the time it may take, {peak} MB at most, {len(bad)} to look at")
        print(*bad, sep="\n", flush=True)
        os._exit(bool(bad) or peak > megabytes)

    options = [
        f"-seed={seed}",
        f"-max_len={LONGEST}",
        "-timeout=300",
        f"-artifact_prefix={folder}/",
        "-verbosity=0",
        "-report_slow_units=1000",
        f"-rss_limit_mb={2 * megabytes}",
    ]
    atheris.Setup(["fuzz", *options, str(folder)], judge, custom_mutator=child)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
