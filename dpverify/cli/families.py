"""`dpverify families`: the catalogue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from dpverify.cli.options import complete_family
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.generators import Family


@click.command()
@click.argument("name", required=False, shell_complete=complete_family)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def families(name: str | None, as_json: bool) -> None:
    """List the named families, or show one.

    \b
    dpverify families
    dpverify families student_t
    """
    from dpverify.generators import families as catalogue
    from dpverify.generators import family_of

    known = catalogue()
    family = None if name is None else family_of(name)
    if name is not None and family is None:
        raise InputError(f"there is no family {name[:40]!r}; known: {', '.join(sorted(known))}")
    chosen = [family] if family is not None else list(known.values())
    if as_json:
        rows = [_record(f) for f in chosen]
        click.echo(json.dumps(rows[0] if name is not None else rows))
    elif name is not None:
        from dpverify.show.sheet import sheet
        from dpverify.show.terminal import show

        show(sheet(chosen[0]))
    else:
        width = max(len(f.name) for f in chosen)
        for f in chosen:
            click.echo(f"{f.name:<{width}}  {f.text}")
        click.echo("\n`dpverify families NAME` shows one; `dpverify verify NAME` proves it.")


def _record(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "title": family.title,
        "generator": family.text,
        "parameters": [
            {
                "name": p.name,
                "default": str(p.default) if p.default is not None else None,
                "condition": p.condition,
                "meaning": p.meaning,
            }
            for p in family.parameters
        ],
        "private_when": family.private_when,
        "source": family.source,
        "notes": family.notes,
    }
