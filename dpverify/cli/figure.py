"""`dpverify figure`: the lessons' figures and those of any generator, for slides."""

from __future__ import annotations

from pathlib import Path

import click

from dpverify.cli.options import integer, parameters
from dpverify.errors import InputError

SUFFIXES = {".png", ".svg"}


@click.command()
@click.argument("name", required=False)
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="PNG or SVG; a folder for all.")
@click.option("--list", "listed", is_flag=True, help="List the lessons' figures.")
@click.option("--curve", type=click.Choice(["ratio", "potential"]), default="ratio", help="Of a generator.")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option("--sensitivity", metavar="Q", default="1", show_default=True, help="Delta/sigma, for the ratio.")
@click.option("--to", metavar="Q", default="12", show_default=True, help="How far out the curve is drawn.")
def figure(
    name: str | None,
    output: Path | None,
    listed: bool,
    curve: str,
    dimension: str,
    param: tuple[str, ...],
    sensitivity: str,
    to: str,
) -> None:
    """Draw a figure for slides.

    NAME is a lesson's, "all", or a generator.

    \b
    dpverify figure --list
    dpverify figure poster -o poster.png
    dpverify figure all -o slides
    dpverify figure "exp(-sqrt(1+y))" --curve potential -o potential.svg
    """
    from dpverify.show.plots.lessons import LESSONS
    from dpverify.show.words import printable

    if listed:
        for each in LESSONS:
            click.echo(each)
        return
    if name is None or output is None:
        raise InputError("give a figure's name, or a generator, and -o FILE; `dpverify figure --list` has the names")
    if name == "all":
        if output.suffix in SUFFIXES:
            raise InputError(f"{output}: all figures are written into a folder")
        try:
            output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{output}: {error.strerror}") from None
        targets = {output / f"{each}.svg": draw for each, draw in LESSONS.items()}
    elif output.suffix not in SUFFIXES:
        raise InputError(f"{output}: a figure is a .png or an .svg file")
    elif name in LESSONS:
        targets = {output: LESSONS[name]}
    else:
        from dpverify.generators import Generator
        from dpverify.language import parse_rational
        from dpverify.show.plots import draw_log_ratio, draw_potential

        drawn = {name: Generator(name, integer(dimension), parameters(param))}
        end, delta = parse_rational(to, "--to"), parse_rational(sensitivity, "the sensitivity")
        if delta <= 0 or end <= (delta if curve == "ratio" else 0):
            raise InputError("the sensitivity is positive, and curves are drawn farther out than that")
        if curve == "ratio":
            targets = {output: lambda path: draw_log_ratio(drawn, path, to=end, delta=delta)}
        else:
            targets = {output: lambda path: draw_potential(drawn, path, to=end)}
    for path, draw in targets.items():
        draw(path)
        click.echo(f"wrote {printable(str(path))}")
