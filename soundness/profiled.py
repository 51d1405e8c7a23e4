"""What has no profile yet: random generators that `verify` decides, each asked for delta(eps), by the cause.

python -m soundness.profiled --seed 1 --count 60
"""

from __future__ import annotations

import functools
import json
import random
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from dpverify.deadline import OutOfTime, deadline
from soundness import differential, released, shards, unseen

DIMENSIONS = (1, 2, 3, 5, 10, 50)
SENSITIVITIES = ("1", "1", "1", "1/2", "2", "1/10")
DECIDED = 10.0
"""Seconds of processor time of the verdict."""
ROUGHLY = 1.2
"""How far a plain sum may be off, as a factor: it sees narrow jumps through a table."""


def cases(seed: int, number: int, count: int) -> list[tuple[str, int, str]]:
    rnd = random.Random(f"profiled {seed}/{number}")
    makes = (unseen.generator, differential.generator, functools.partial(differential.generator, newer=True))
    return [(rnd.choice(makes)(rnd), rnd.choice(DIMENSIONS), rnd.choice(SENSITIVITIES)) for _ in range(count)]


def shard(seed: int, number: int, count: int, limit: float = 45.0) -> dict[str, Any]:
    return {"rows": [row(*case, limit) for case in cases(seed, number, count)]}


def row(text: str, d: int, sensitivity: str, limit: float) -> dict[str, Any]:
    """What became of delta(eps), at half the pure eps where there is one, and of its certificate."""
    from dpverify import InputError, profile, verify

    found: dict[str, Any] = {"text": text, "d": d, "sensitivity": sensitivity, "wrong": None, "reason": ""}
    try:
        with deadline(DECIDED, of_work=True):
            known = verify(text, dimension=d, sensitivity=sensitivity)
    except (InputError, OutOfTime):
        return {**found, "verdict": "not decided"}
    if known.verdict not in ("private", "not_private"):
        return {**found, "verdict": "not decided"}
    epsilon = Fraction(1) if known.epsilon is None else Fraction(f"{float(known.epsilon.lower / 2):.2g}")
    found["epsilon"], started = str(epsilon), time.process_time()
    try:
        with deadline(limit, of_work=True):
            result = profile(text, dimension=d, sensitivity=sensitivity, epsilon=epsilon, certificate=True)
    except OutOfTime:
        return {**found, "verdict": "undecided", "reason": "time", "seconds": limit}
    except Exception as error:  # a finding, which is not to end the campaign
        return {**found, "verdict": "undecided", "wrong": f"it broke: {error!r}", "seconds": limit}
    found |= {"verdict": result.verdict, "seconds": round(time.process_time() - started, 1)}
    if result.verdict != "proved":
        return {**found, "reason": result.reason}
    delta = result.points[0].delta
    assert not isinstance(delta, Fraction)
    found["delta"] = [float(delta.lower), float(delta.upper)]
    found["wrong"] = confronted(text, d, sensitivity, epsilon, delta)
    if result.certificate is None:
        _, _, why = result.reason.partition("There is no certificate: ")
        found |= {"verdict": "no certificate", "reason": why}
    return found


def confronted(text: str, d: int, sensitivity: str, epsilon: Fraction, delta: Any) -> str | None:
    """How a plain sum contradicts the enclosure, if it does."""
    problem = {"generator": text, "parameters": {}, "dimension": d, "sensitivity": sensitivity, "scale": "1"}
    try:
        with deadline(30, of_work=True):
            bounds = released.about(json.dumps(problem, sort_keys=True), epsilon)
    except OutOfTime:
        return None
    if isinstance(bounds, str):
        return None
    low, high = map(float, bounds)
    outside = float(delta.lower) > ROUGHLY * high or float(delta.upper) * ROUGHLY < low
    return f"a plain sum lies from {low:.6g} to {high:.6g}" if outside else None


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the generators.")
@click.option("--count", default=60, show_default=True, help="How many generators.")
@click.option("--jobs", default=1, show_default=True, help="Processes.")
@click.option("--limit", default=45.0, show_default=True, help="Seconds of processor time of a profile.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, limit: float, log: Path | None) -> None:
    """Enclose delta(eps) of random generators, confront it with a plain sum, and count what fails by its cause."""
    work = functools.partial(shard, limit=limit)
    rows = [x for f in shards.run(work, seed=seed, count=count, size=1, jobs=jobs, log=log) for x in f["rows"]]
    for verdict, n in Counter(x["verdict"] for x in rows).most_common():
        print(f"{n:6d}  {verdict}")
    failed = [x for x in rows if x["verdict"] in ("undecided", "no certificate")]
    print("without a profile or without its certificate, by cause:")
    for reason, n in Counter(unseen.cause(x["reason"]) for x in failed).most_common():
        print(f"{n:6d}  {reason}")
    wrong = [x for x in rows if x["wrong"]]
    for title, some in (("failed", failed), ("wrong", wrong)):
        print(f"{title}:")
        for x in some:
            print(f"  {x['text']}, d = {x['d']}, Delta = {x['sensitivity']}: {x['wrong'] or x['reason']}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
