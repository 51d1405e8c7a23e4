"""`dpverify recognise`: which family a typed generator belongs to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpverify.cli.options import OfText, integer, parameters
from dpverify.cli.streams import OUTPUT, printed_to

if TYPE_CHECKING:
    from dpverify.recognition import Recognised


@click.command(cls=OfText, context_settings={"ignore_unknown_options": True})
@click.argument("generator")
@click.option("--dimension", default="1", show_default=True, metavar="D", help="The dimension of the noise.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the text; repeatable.")
@OUTPUT
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recognise(generator: str, dimension: str, param: tuple[str, ...], output: Path | None, as_json: bool) -> None:
    """Name the families of a generator, with parameters and scale.

    Floats look for them; what is printed is proved, by rewriting both texts exactly to one normal form,
    up to a positive constant factor. That nothing is recognised proves nothing.

    \b
    dpverify recognise "(3+y)**(-2)"
    dpverify recognise "5/cosh(r/2)**2" --dimension 3
    """
    from dpverify.recognition import recognise as recognised

    found = recognised(generator, integer(dimension), parameters=parameters(param))
    with printed_to(output):
        if as_json:
            click.echo(json.dumps([_record(match) for match in found]))
        elif not found:
            click.echo("not recognised: no family of the catalogue was found that rewrites to this text")
        else:
            _show(found)


def _record(match: Recognised) -> dict[str, Any]:
    return {
        "family": match.family.name,
        "parameters": {name: str(value) for name, value in match.parameters.items()},
        "scale": match.scale,
        "scale_squared": str(match.scale_squared),
        "closed_form": match.closed_form or None,
        "private_when": match.family.private_when,
    }


def _show(found: tuple[Recognised, ...]) -> None:
    first, *others = found
    from dpverify.show.terminal import wrapped

    rows = [("family", str(first)), ("title", first.family.title), ("private", first.family.private_when)]
    if first.closed_form:
        delta = "delta = Delta/sigma" if first.scale_squared == 1 else f"delta = Delta/(sigma {first.scale})"
        rows.append(("epsilon", f"{first.closed_form}   ({delta})"))
    rows += [("also", str(match)) for match in others]
    for label, text in rows:
        head, *more = wrapped(text, 80 - 11)
        click.echo("\n".join([f"{label:<10} {head}", *(" " * 11 + line for line in more)]))
    click.echo("\nProved by exact rewriting, up to a positive constant factor.")
