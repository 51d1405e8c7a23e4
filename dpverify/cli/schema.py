"""`dpverify schema`: the JSON Schemas of what commands print and write."""

from __future__ import annotations

import json

import click

from dpverify.cli.streams import printing


@click.command()
@click.argument("name", required=False)
@printing
def schema(name: str | None) -> None:
    """Print the JSON Schema of a command's --json, or of a file.

    Without NAME, the names that there are: commands, and the files certificate, certificate-kinds,
    sensitivity-evidence, bundle-manifest, audit-file.

    \b
    dpverify schema verify
    dpverify schema certificate
    """
    from dpverify import schemas

    click.echo("\n".join(schemas.names()) if name is None else json.dumps(schemas.schema(name), indent=1))
