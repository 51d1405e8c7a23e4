"""Mutants of the kernel itself: each a small change of one place, which the tests must notice.

python -m soundness.mutants --jobs 2 --log build/mutants.jsonl
"""

from __future__ import annotations
import __future__

import ast
import functools
import gc
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from dpverify.log import Log
from soundness.checks import (
    FILES,
    LONGEST,
    ROOT,
    TESTS,
    Check,
    Usual,
    afresh,
    certificates,
    children,
    endure,
    forget,
    install,
    tests,
    usual,
)
from soundness.killed import digest, keep, killed
from soundness.places import SORTS, Place, changed, places
from soundness.survivors import standing

FORGED_SHARE, OVERHEAD = 0.25, 0.003
"""What forgeries may take of a mutant's time, beside it, and the seconds that each check takes beside its own."""
KNOWN = ROOT / "build" / "checks.json"


OUTCOMES = ("killed", "explained", "not explained")


def outcome(found: dict[str, Any], known: dict[str, str]) -> str:
    return "killed" if not found["lived"] else "explained" if found["name"] in known else "not explained"


class Kills:
    """How often each check has noticed a mutant, of the same function and of the same file."""

    def __init__(self) -> None:
        self.count: Counter[tuple[str, str]] = Counter()

    def add(self, name: str, check: str) -> None:
        self.count.update((scope, check) for scope in self._scopes(name))

    def chance(self, name: str, check: Check, known: Usual) -> float:
        """Of a check to notice one more, roughly and up to a factor; what executes few lines is specific."""
        function, file = (self.count[scope, check.name] for scope in self._scopes(name))
        return 10 * function + file + 20 / (20 + len(known.lines))

    def _scopes(self, name: str) -> tuple[str, str]:
        function = name.split(": ")[0]
        return function, function.split(".")[0] + "."


def executing(found: Trees, place: Place) -> set[str]:
    """The lines of which a check must execute one to notice a change: the place's own, or those that name a constant,
    also one of a class; none where any check may."""
    top = place.top
    if isinstance(top, ast.ClassDef) and place.holder is top:
        top = next((x for x in top.body if x.lineno in place.lines), top)
    if isinstance(top, ast.FunctionDef | ast.ClassDef):
        return {f"{place.file}:{line}" for line in place.lines}
    targets = [top.target] if isinstance(top, ast.AnnAssign) else getattr(top, "targets", [])
    names = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return {
        f"{file}:{node.lineno}"
        for file, tree in found.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
        if (node.id if isinstance(node, ast.Name) else node.attr) in names
    }


def noticing(
    lines: set[str], place: Place, checks: list[tuple[Check, Usual]], kills: Kills, seconds: float
) -> list[tuple[Check, Usual]]:
    """The checks that execute one of some lines, or all: the likeliest to notice a mutant of the place first, each
    second of their time counted, and forgeries last where none of them has noticed anything here."""

    def rank(pair: tuple[Check, Usual]) -> tuple[bool, float]:
        check, known = pair
        chance = kills.chance(place.name, check, known)
        return check.forged and chance <= 1, -chance / (known.seconds + OVERHEAD)

    chosen = []
    left = {False: seconds, True: seconds * FORGED_SHARE}
    for check, known in sorted((x for x in checks if not lines or not lines.isdisjoint(x[1].lines)), key=rank):
        if known.seconds <= min(LONGEST, left[check.forged]):
            left[check.forged] -= known.seconds
            chosen.append((check, known))
    return chosen


Trees = dict[str, ast.Module]
FLAGS = __future__.annotations.compiler_flag


def trees() -> Trees:
    """The kernel's files, by the names of their modules."""
    return {path.stem: ast.parse(path.read_text()) for path in FILES}


def everywhere(found: Trees) -> list[Place]:
    """The places of all files, by sort."""
    whole = [place for file, tree in found.items() for place in places(tree, file)]
    return sorted(whole, key=lambda place: SORTS.index(place.sort))


def survives(
    found: Trees,
    place: Place,
    checks: list[tuple[Check, Usual]],
    kills: Kills,
    seconds: float,
    say: Callable[[Any], None],
) -> bool:
    """Whether no check notices a mutant, those that take so many seconds in all; changes the kernel of this process.

    A statement that fills a table is done once more as it is changed; where it is left out the kernel is loaded anew,
    and only certificates are tried.
    """
    say("loading")
    chosen = noticing(executing(found, place), place, checks, kills, seconds)
    statement = changed(place)
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign | ast.Expr):
        code = compile(ast.Module([statement], []), str(path_of(place)), "exec", flags=FLAGS)
        install(code, place.file)
    else:
        tree = found[place.file]
        tree.body[:] = [statement if top is place.top else top for top in tree.body]
        afresh(ast.fix_missing_locations(tree), place.file)
        chosen = [(c, u) for c, u in chosen if c.data]
    return endure(chosen, say)


def path_of(place: Place) -> Path:
    return next(path for path in FILES if path.stem == place.file)


def campaign(
    chosen: list[Place],
    jobs: int,
    log: Path | None,
    again: bool,
    by: str = "",
    places: Sequence[str] = TESTS,
    seconds: float = 8.0,
) -> list[dict[str, Any]]:
    """Each of the chosen places: its sort, its change, whether it lived, and by what it was noticed.

    One in the log, or in killed.json, is not tried again as long as its function stays the same.
    """
    tree = trees()
    twins = {place.name: place for place in everywhere(tree)}
    kept = Log(log)
    done = {(x["name"], x["source"]): x for x in kept.rows()}
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    keys = [(place.name, place.source) for place in chosen]
    before = killed()
    for place in chosen:
        if digest(place.name, place.source) in before:
            row: dict[str, Any] = {
                "name": place.name,
                "source": place.source,
                "sort": place.sort,
                "lived": False,
                "by": "",
            }
            done.setdefault((place.name, place.source), row)
    kills = Kills()
    for (name, _), row in done.items():
        if not row["lived"]:
            kills.add(name, row["by"])
    reasons = standing(twins.values())
    left = [twins[k[0]] for k in keys if k not in done or (again and outcome(done[k], reasons) == "not explained")]

    def work(collected: list[Check]) -> None:
        checks = [
            check
            for check in certificates(1, bool(re.search(by, "forgery 0"))) + collected
            if re.search(by, check.name)
        ]
        start = time.monotonic()
        known = usual(checks, jobs, KNOWN)
        print(f"{len(checks)} checks, {time.monotonic() - start:.0f} s", file=sys.stderr)
        print(*(f"fails as it is: {c.name}" for c, u in zip(checks, known, strict=True) if not u.passes), sep="\n")
        pairs = [(c, u) for c, u in zip(checks, known, strict=True) if u.passes]
        forget()
        gc.freeze()  # so that children share what is there
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        at_first = spent.ru_utime + spent.ru_stime
        works = [functools.partial(survives, tree, place, pairs, kills, seconds) for place in left]
        for n, (number, lived, said) in enumerate(children(works, jobs), 1):
            place = left[number]
            line = {"name": place.name, "source": place.source, "sort": place.sort, "lived": lived}
            done[place.name, place.source] = line | {"by": None if lived else said}
            if not lived:
                kills.add(place.name, said)
            kept.keep(done[place.name, place.source])
            spent = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = spent.ru_utime + spent.ru_stime - at_first
            print(f"\r{n} of {len(left)}, {took:.0f} s of processor time", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)

    if left and not places:
        work([])
    elif left:
        tests(work, places)
    return [done[key] for key in keys if key in done]


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the sample.")
@click.option("--count", default=0, help="How many mutants of the kernel, a sample; without it, all of them.")
@click.option("--what", type=click.Choice(SORTS), multiple=True, help="Only changes of this sort.")
@click.option("--file", "files", multiple=True, help="Only places of this file of the kernel; repeatable, in order.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line each; resumes from it.")
@click.option("--again", is_flag=True, help="Try those once more that are not explained.")
@click.option("--keep", "kept", is_flag=True, help="Write what was noticed into soundness/killed.json.")
@click.option("--quick", is_flag=True, help="Only certificates, and none of the tests in tests/kernel.")
@click.option("--tests", "chosen_tests", multiple=True, help="Only these files or folders of tests/; repeatable.")
@click.option("--seconds", default=8.0, show_default=True, help="What the checks of a mutant may take, in all.")
@click.option("--by", default="", help="Only checks whose name matches this expression, which leaves more alive.")
def main(
    seed: int,
    count: int,
    what: tuple[str, ...],
    files: tuple[str, ...],
    jobs: int,
    log: Path | None,
    again: bool,
    kept: bool,
    quick: bool,
    chosen_tests: tuple[str, ...],
    seconds: float,
    by: str,
) -> None:
    """Change the kernel, place by place; list those that no test notices and soundness/survivors.toml leaves open."""
    unknown = set(files) - trees().keys()
    if unknown:
        raise click.BadParameter(f"the kernel has no file {', '.join(sorted(unknown))} (its name, without .py)")
    whole = [place for place in everywhere(trees()) if not files or place.file in files]
    whole.sort(key=lambda place: files.index(place.file) if files else 0)
    chosen = [place for place in whole if not what or place.sort in what]
    chosen = random.Random(seed).sample(chosen, count) if 0 < count < len(chosen) else chosen
    found = campaign(chosen, jobs, log, again, by, () if quick else chosen_tests or TESTS, seconds)
    if kept:
        rows = [(x["name"], x["source"]) for x in found if not x["lived"]]
        keep(rows, [(place.name, place.source) for place in everywhere(trees())])
    known = standing(whole)
    for sort in SORTS:
        total = sum(place.sort == sort for place in whole)
        outcomes = Counter(outcome(x, known) for x in found if x["sort"] == sort)
        told = ", ".join(f"{outcomes[x]:4} {x}" for x in OUTCOMES)
        print(f"{sort:10} {total:5} places: {told}, {total - sum(outcomes.values()):5} untried")
    open_ones = {x["name"] for x in found if outcome(x, known) == "not explained"}
    left = [place for place in whole if place.name in open_ones]
    print(*(f"- {place}" for place in left), sep="\n")
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
