"""Mutants of the kernel itself: each a small change of one place, which the tests must notice.

python -m soundness.mutants --jobs 2 --log build/mutants.jsonl
"""

from __future__ import annotations
import __future__

import ast
import functools
import hashlib
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from soundness.checks import KERNEL, ROOT, Check, Usual, certificates, children, endure, install, tests, usual
from soundness.places import SORTS, Place, changed, places

LONGEST, SECONDS, FORGED_SECONDS = 1.5, 8.0, 2.0
KNOWN = ROOT / "build" / "checks.json"
"""Checks that take longer are left out; what all checks of a mutant may take with the kernel as it is."""


def noticing(place: Place, checks: list[tuple[Check, Usual]]) -> list[tuple[Check, Usual]]:
    """The checks that execute a place, the quick and specific first and forgeries last; all of them for a constant."""
    constant = not isinstance(place.top, ast.FunctionDef | ast.ClassDef)
    lines = set(place.lines)
    found = [(c, u) for c, u in checks if constant or u.lines & lines]
    chosen = []
    left = {False: SECONDS, True: FORGED_SECONDS}
    for check, known in sorted(found, key=lambda x: (x[0].forged, x[1].seconds * len(x[1].lines))):
        if known.seconds <= min(LONGEST, left[check.forged]):
            left[check.forged] -= known.seconds
            chosen.append((check, known))
    return chosen


def survives(tree: ast.Module, place: Place, checks: list[tuple[Check, Usual]], say: Callable[[Any], None]) -> bool:
    """Whether no check notices a mutant; changes the kernel of this process."""
    say("loading")
    statement = changed(place)
    alone = isinstance(statement, ast.FunctionDef | ast.ClassDef)
    flags = __future__.annotations.compiler_flag
    module = ast.Module([statement], []) if alone else tree
    install(compile(module, str(KERNEL), "exec", flags=flags), whole=not alone)
    return endure(noticing(place, checks), say)


def campaign(chosen: list[int], jobs: int, log: Path | None, again: bool, by: str = "") -> list[dict[str, Any]]:
    """Each of the chosen places: its sort, its change, whether it lived, and by what it was noticed."""
    source = KERNEL.read_text()
    tree = ast.parse(source)
    everywhere, key = places(tree), hashlib.sha256(source.encode()).hexdigest()[:16]
    done: dict[int, dict[str, Any]] = {}
    if log is not None and log.exists():
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        done = {x["place"]: x for x in lines if x["kernel"] == key}
    left = [i for i in chosen if i not in done or (again and done[i]["lived"])]

    def work(collected: list[Check]) -> None:
        checks = certificates(1) + collected
        start = time.monotonic()
        known = usual(checks, jobs, KNOWN)
        print(f"{len(checks)} checks, {time.monotonic() - start:.0f} s", file=sys.stderr)
        print(*(f"fails as it is: {c.name}" for c, u in zip(checks, known, strict=True) if not u.passes), sep="\n")
        pairs = [(c, u) for c, u in zip(checks, known, strict=True) if u.passes and re.search(by, c.name)]
        works = [functools.partial(survives, tree, everywhere[i], pairs) for i in left]
        for n, (number, lived, said) in enumerate(children(works, jobs), 1):
            place = everywhere[left[number]]
            line = {"kernel": key, "place": left[number], "sort": place.sort, "change": str(place), "lived": lived}
            done[left[number]] = line | {"by": None if lived else said}
            if log is not None:
                log.parent.mkdir(parents=True, exist_ok=True)
                with log.open("a") as file:
                    file.write(json.dumps(done[left[number]]) + "\n")
            print(f"\r{n} of {len(left)}, {time.monotonic() - start:.0f} s", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)

    if left:
        tests(work)
    return [done[i] for i in chosen if i in done]


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the sample.")
@click.option("--count", default=0, help="How many mutants of the kernel, a sample; without it, all of them.")
@click.option("--what", type=click.Choice(SORTS), multiple=True, help="Only changes of this sort.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line each; resumes from it.")
@click.option("--again", is_flag=True, help="Try those once more that lived.")
@click.option("--by", default="", help="Only checks whose name matches this expression.")
def main(seed: int, count: int, what: tuple[str, ...], jobs: int, log: Path | None, again: bool, by: str) -> None:
    """List the mutants of the kernel that its tests do not notice; soundness/SURVIVORS.md explains them."""
    everywhere = places(ast.parse(KERNEL.read_text()))
    chosen = [i for i, place in enumerate(everywhere) if not what or place.sort in what]
    chosen = sorted(random.Random(seed).sample(chosen, count)) if 0 < count < len(chosen) else chosen
    found = campaign(chosen, jobs, log, again, by)
    for sort in SORTS:
        outcomes = Counter(bool(x["lived"]) for x in found if x["sort"] == sort)
        total = sum(place.sort == sort for place in everywhere)
        print(f"{sort:12} {outcomes[False]:5} killed, {outcomes[True]:4} lived, of {total:5} places")
    print(*(f"- {x['sort']}, {x['change']}" for x in found if x["lived"]), sep="\n")


if __name__ == "__main__":
    main()
