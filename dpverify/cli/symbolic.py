"""`dpverify verify --symbolic`: epsilon as a formula, with its derivation."""

from __future__ import annotations

import json

import click
from click.core import ParameterSource

from dpverify.cli.streams import printed_to
from dpverify.errors import InputError

EXIT_STATUS = {"private": 0, "not_private": 1, "invalid": 3, "undecided": 4}
FREE = {"sensitivity": "Delta", "scale": "sigma"}
WITHOUT = ("sensitivity", "scale", "tolerance", "timeout", "closed_form", "mixing")


def tell_formula(context: click.Context, generator: str | None, bound: dict[str, object], as_json: bool) -> int:
    """Print the formula; the exit status is that of its main case. Raises InputError for options that do not fit."""
    from dpverify.api import formula
    from dpverify.cli.options import integer
    from dpverify.cli.progress import Progress

    given = {n for n in context.params if context.get_parameter_source(n) == ParameterSource.COMMANDLINE}
    for name in WITHOUT:
        if name in given:
            why = f"{FREE[name]} stays free" if name in FREE else "a formula is not one proof"
            raise InputError(f"--{name.replace('_', '-')} does not go with --symbolic: {why}")
    if generator is None:
        raise InputError("--symbolic derives the formula of a GENERATOR")
    dimension = integer(context.params["dimension"]) if "dimension" in given else None
    with Progress() as progress:
        found = formula(generator, dimension=dimension, progress=progress, parameters=bound)
    with printed_to(context.params["certificate"]):
        if as_json:
            click.echo(json.dumps(found.to_json()))
        else:
            from dpverify.show.sheet import sheet
            from dpverify.show.terminal import show

            show(sheet(found))
    return EXIT_STATUS[found.verdict]
