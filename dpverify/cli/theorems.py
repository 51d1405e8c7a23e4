"""`dpverify theorems`: the papers' claims, each with its check."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify import files
from dpverify.cli.streams import OUTPUT, printed_to
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.theorems.campaign import Report


@click.command()
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option("--source", metavar="PAPER", help="Only one paper, such as hall-2012.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option("--markdown", metavar="FILE", type=click.Path(path_type=Path), help="Write the page of the docs here.")
@OUTPUT
@click.option("--quick", is_flag=True, help="Fewer instances of each check; under a minute for all.")
@click.option("--jobs", metavar="N", default=None, help="Processes; all cores if not given.")
@click.option("--list", "only_list", is_flag=True, help="List the ids, and run nothing.")
def theorems(
    ids: tuple[str, ...],
    source: str | None,
    as_json: bool,
    markdown: Path | None,
    output: Path | None,
    quick: bool,
    jobs: str | None,
    only_list: bool,
) -> int:
    """Check the claims of the papers that dpverify stands on.

    Each claim is proved, verified on stated instances, refuted as printed (with a counterexample and
    a correction that passes the same check), or cited.

    \b
    dpverify theorems reimherr-awan-2019:theorem-3
    dpverify theorems --source hall-2012 --quick
    dpverify theorems --json > theorems.json

    Exit status: 0 every check ran to an end, whatever it found, 2 bad input.
    """
    from dpverify.theorems.campaign import run_all
    from dpverify.theorems.claim import Effort
    from dpverify.theorems.page import page
    from dpverify.theorems.registry import choose
    from dpverify.theorems.text import lines, summary

    claims = choose(ids, source)
    if only_list:
        with printed_to(output):
            click.echo(json.dumps([c.id for c in claims]) if as_json else "\n".join(c.id for c in claims))
        return 0
    if not claims:
        raise InputError(f"none of the claims asked for is of {source}")
    with _bar(len(claims)) as done:
        outcomes = run_all(claims, Effort(quick), _processes(jobs, len(claims)), done)
    with printed_to(output):
        if as_json:
            click.echo(json.dumps([outcome.to_json() for outcome in outcomes], indent=1))
        else:
            for outcome in outcomes:
                click.echo("\n".join([*lines(outcome), ""]))
            click.echo(summary(outcomes))
    if markdown is not None:
        files.write(markdown, page(outcomes))
    return 0


def _processes(text: str | None, claims: int) -> int:
    if text is None:
        # a process takes a second to start: not worth it for a few claims
        return (
            1
            if claims < 8
            else len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 256):
        raise InputError(f"--jobs: {text[:20]!r} is not a number from 1 to 256")
    return int(text)


@contextmanager
def _bar(total: int) -> Iterator[Report]:
    """A progress bar on standard error, on a terminal; what is called when a claim is done."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=total)
        yield lambda name: progress.update(task, advance=1, description=name)
