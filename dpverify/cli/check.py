"""`dpverify check`: replay certificates in the kernel."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from dpverify.errors import InputError


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option("--coq", is_flag=True, help="Have coqc check each certificate's export too.")
@click.option("--coq-timeout", metavar="SECONDS", help="Give up on coqc after this long.")
def check(files: tuple[str, ...], as_json: bool, coq: bool, coq_timeout: str | None) -> int:
    """Check certificates with the independent kernel.

    The kernel re-derives everything from the generator's text with its own arithmetic; what it
    cannot re-derive is printed as an assumption. `python dpverify/kernel.py FILE...` does the same.

    \b
    dpverify check laplace.json
    dpverify check --json certificates/*.json
    dpverify check --coq laplace.json

    Exit status: 0 every certificate holds, 1 one does not, 2 a file cannot be read, or has no
    export to Coq, or none that coqc ends in time, where one is asked for.
    """
    from dpverify.api import check as run
    from dpverify.api import time_limit
    from dpverify.cli.coq import second_opinion
    from dpverify.report.claim import claim_lines
    from dpverify.report.words import TITLES, printable

    worst, rows, limit = 0, [], time_limit(coq_timeout)
    for file in files:
        try:
            report = run(file)
        except InputError as error:
            worst = 2
            rows.append(_record(file, False, str(error)))
            if not as_json:
                click.echo(printable(f"dpverify: {error}"), err=True)
            continue
        rows.append(_record(file, report.accepted, report.message, report.claim, report.assumptions))
        name = printable(file)
        if not report.accepted:
            worst = max(worst, 1)
        second = second_opinion(file, limit) if coq and report.accepted else None
        if second is not None:
            worst = max(worst, second.status)
            rows[-1]["coq"] = second.to_json()
        if as_json:
            continue
        if report.claim is None:
            click.echo(f"{name}: REJECTED: {printable(report.message)}", err=True)
        else:
            click.echo(f"{name}: holds: {TITLES[report.claim['verdict']]}")
            for line in claim_lines(report.claim, report.assumptions):
                click.echo(line)
            for line in second.lines() if second else ():
                click.echo(line)
    if as_json:
        click.echo(json.dumps(rows))
    return worst


def _record(
    file: str,
    accepted: bool,
    message: str,
    claim: Mapping[str, Any] | None = None,
    assumptions: Sequence[str] = (),
) -> dict[str, Any]:
    return {
        "file": file,
        "accepted": accepted,
        "message": message,
        "claim": claim,
        "assumptions": list(assumptions),
    }
