"""`dpverify figure`: the pictures of the documentation, made by a command."""

from __future__ import annotations

from pathlib import Path

import click

from dpverify.errors import InputError


@click.command()
@click.argument("name", type=click.Choice(["poster"]))
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), required=True, help="PNG or SVG.")
def figure(name: str, output: Path) -> None:
    """Draw the ratio plot of Reimherr and Awan's poster.

    \b
    dpverify figure poster -o poster.png
    """
    from dpverify.show.plots import poster
    from dpverify.show.words import printable

    if output.suffix not in {".png", ".svg"}:
        raise InputError(f"{output}: a figure is a .png or an .svg file")
    poster(output)
    click.echo(f"wrote {printable(str(output))}")
