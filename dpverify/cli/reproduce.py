"""`dpverify reproduce`: the papers' tables and figures, computed anew beside what is printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.options import integer, wrote
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.reproduce.work import Report

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option("--quick", is_flag=True, help="Few repetitions.")
@click.option("--data", metavar="FILE", type=FILE, help="The CSV of a study that takes one.")
@click.option("--seed", metavar="S", default="0", show_default=True, help="An integer from 0.")
@click.option("--jobs", metavar="N", help="Processes.  [default: all cores, with --quick one]")
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=FILE,
    default=Path("reproduced"),
    show_default=True,
    help="Page, pictures, numbers, and what a killed run has done.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def reproduce(
    ids: tuple[str, ...], quick: bool, data: Path | None, seed: str, jobs: str | None, output: Path, as_json: bool
) -> int:
    """Compute the papers' tables and figures anew.

    Each cell stands beside what is printed, and agrees (within four standard errors of the
    difference), differs, or cannot be compared, for a reason that is said. Without an ID the studies
    are listed. A run that is killed goes on from where it was, when it is started again with the same
    options.

    \b
    dpverify reproduce
    dpverify reproduce awan-theorem-3.2 --quick
    dpverify reproduce awan-table-1 --data growth.csv -o tables

    Exit status: 0 every study ran to an end, whatever it found, 2 bad input.
    """
    from dpverify.reproduce import all_studies, choose
    from dpverify.reproduce import reproduce as run
    from dpverify.show.reproductions import catalogue, lines, write

    if not ids:
        listed = all_studies()
        rows = [{"id": s.id, "paper": s.paper, "place": s.place, "title": s.title, "data": s.data} for s in listed]
        click.echo(json.dumps(rows, indent=1) if as_json else "\n".join(catalogue(listed)))
        return 0
    chosen = choose(ids)
    processes = 1 if quick and jobs is None else -1 if jobs is None else integer(jobs, "--jobs")
    if processes == 0:
        raise InputError("--jobs: at least 1")
    found = []
    for study in chosen:
        with _bar(study.id) as report:
            made = run(
                study,
                quick=quick,
                folder=output,
                data=data,
                jobs=processes,
                seed=integer(seed, "--seed"),
                report=report,
            )
        written = write(made, output)
        found.append(made.to_json())
        if not as_json:
            click.echo("\n".join(lines(made)))
            for path in written:
                wrote(path)
    if as_json:
        click.echo(json.dumps(found, indent=1))
    return 0


@contextmanager
def _bar(name: str) -> Iterator[Report]:
    """A bar of the units done, with the time left, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
