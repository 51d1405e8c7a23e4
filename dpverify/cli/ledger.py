"""`dpverify ledger`: what a budget ledger holds."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dpverify.cli.streams import printing


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with everything that was released.")
@printing
def ledger(file: Path, as_json: bool) -> None:
    """Show what was released, and what it cost.

    What a release has paid for can be read here again, at no cost: it is public.

    \b
    dpverify ledger budget.db
    """
    from dpverify.ledger import Ledger

    book = Ledger(file)
    entries, budget, spent = book.entries(), book.budget, book.spent()
    if as_json:
        told = {
            "budget": None if budget is None else str(budget.epsilon),
            "spent": str(spent.epsilon),
            "budget_delta": None if budget is None else str(budget.delta),
            "spent_delta": str(spent.delta),
            "releases": [entry.to_json() for entry in entries],
        }
        click.echo(json.dumps(told))
        return
    click.echo(f"  budget    {'none was set' if budget is None else budget}")
    click.echo(f"  spent     {spent}, in {len(entries)} release{'' if len(entries) == 1 else 's'}")
    if budget is not None:
        click.echo(f"  left      {budget - spent}")
    for entry in entries:
        loss = f"epsilon {entry.loss.epsilon}" + (f", delta {entry.loss.delta}" if entry.loss.delta else "")
        click.echo(f"  {entry.number:<8}  {entry.at}  certificate {entry.certificate[:12]}  {loss}")
