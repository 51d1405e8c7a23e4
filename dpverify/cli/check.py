"""`dpverify check`: replay certificates in the kernel."""

from __future__ import annotations

import json

import click

from dpverify.errors import InputError


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Check certificates with the independent kernel.

    The kernel re-derives everything from the generator's text with its own arithmetic; what it
    cannot re-derive is printed as an assumption. `python dpverify/kernel.py FILE...` does the same.

    \b
    dpverify check laplace.json
    dpverify check --json certificates/*.json

    Exit status: 0 every certificate holds, 1 one does not, 2 a file cannot be read.
    """
    from dpverify.api import check as run

    worst, rows = 0, []
    for file in files:
        try:
            report = run(file)
        except InputError as error:
            worst = 2
            rows.append({"file": file, "accepted": False, "message": str(error), "assumptions": []})
            if not as_json:
                click.echo(f"dpverify: {error}", err=True)
            continue
        if not report.accepted:
            worst = max(worst, 1)
        rows.append(
            {
                "file": file,
                "accepted": report.accepted,
                "message": report.message,
                "assumptions": list(report.assumptions),
            }
        )
        if not as_json:
            word = "holds" if report.accepted else "REJECTED"
            click.echo(f"{file}: {word}: {report.message}", err=not report.accepted)
            for assumption in report.assumptions:
                click.echo(f"  assuming: {assumption}")
    if as_json:
        click.echo(json.dumps(rows))
    return worst
