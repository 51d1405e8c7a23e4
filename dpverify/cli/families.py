"""`dpverify families`: the catalogue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from dpverify.cli.options import complete_family
from dpverify.cli.streams import printing
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.generators import Family


@click.command()
@click.argument("words", nargs=-1, shell_complete=complete_family)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@printing
def families(words: tuple[str, ...], as_json: bool) -> None:
    """List the named families, show one, or search for words.

    \b
    dpverify families
    dpverify families student_t
    dpverify families robust loss
    """
    from dpverify.generators import families as catalogue
    from dpverify.generators import family_of

    known, asked = catalogue(), " ".join(words)
    try:
        family, hint = family_of(asked), ""
    except InputError as error:
        family, hint = None, str(error)
    if family is not None:
        if as_json:
            click.echo(json.dumps(_record(family)))
            return
        from dpverify.show.sheet import sheet
        from dpverify.show.terminal import show

        show(sheet(family))
        return
    chosen, missing = _found(asked, hint) if asked else (list(known.values()), {})
    if as_json:
        click.echo(json.dumps([_record(f) for f in chosen]))
        return
    width = max((len(f.name) for f in chosen), default=0)
    for f in chosen:
        click.echo(f"{f.name:<{width}}  {f.title if asked else f.text}")
    for name, said in missing.items():
        click.echo(click.wrap_text(f"{name}: {said}", 80, "", "  "))
    click.echo("\n`dpverify families NAME` shows one; `dpverify verify NAME` proves it.")


def _found(words: str, hint: str) -> tuple[list[Family], dict[str, str]]:
    from dpverify.generators.catalogue.search import absent, found

    chosen, missing = found(words), absent(words)
    if not chosen and not missing:
        raise InputError(
            hint or f"there is no family {words[:40]!r}, by name or keyword; `dpverify families` lists all"
        )
    return chosen, missing


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
        "mass": family.mass or None,
        "mixing": family.mixing,
        "keywords": list(family.keywords),
        "private_when": family.private_when,
        "source": family.source,
        "notes": family.notes,
    }
