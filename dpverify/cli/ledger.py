"""`dpverify ledger`: what a budget ledger holds."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with everything that was released.")
def ledger(file: Path, as_json: bool) -> None:
    """Show what was released, and what it cost.

    What a release has paid for can be read here again, at no cost: it is public.

    \b
    dpverify ledger budget.db
    """
    from dpverify.ledger import Ledger

    book = Ledger(file)
    entries, budget = book.entries(), book.budget
    spent = sum((entry.epsilon for entry in entries), start=entries[0].epsilon * 0) if entries else 0
    if as_json:
        limit = None if budget is None else str(budget)
        click.echo(json.dumps({"budget": limit, "spent": str(spent), "releases": [e.to_json() for e in entries]}))
        return
    click.echo(f"  budget    {'none was set' if budget is None else budget}")
    click.echo(f"  spent     {spent}, in {len(entries)} release(s)")
    if budget is not None:
        click.echo(f"  left      {budget - spent}")
    for entry in entries:
        click.echo(f"  {entry.number:<8}  {entry.at}  certificate {entry.certificate[:12]}  epsilon {entry.epsilon}")
