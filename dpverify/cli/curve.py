"""`dpverify curve`: epsilon against Delta/sigma, as a picture, a CSV file or a table."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify import files
from dpverify.cli.options import OfText, complete_family, integer, noise, refused, require_suffix, wrote

if TYPE_CHECKING:
    from dpverify.calibration import Curve

SUFFIXES = {".png", ".svg", ".csv"}


@click.command(cls=OfText, context_settings={"ignore_unknown_options": True})
@click.argument("generator", required=False, shell_complete=complete_family)
@click.option("--mixing", metavar="LAW", help="In place of GENERATOR: the law of V in X = V Z, Z Gaussian.")
@click.option("--from", "start", metavar="Q", default="1/10", show_default=True, help="The least Delta/sigma.")
@click.option("--to", "stop", metavar="Q", default="10", show_default=True, help="The greatest Delta/sigma.")
@click.option("--points", metavar="N", help="Points, evenly spaced in the logarithm.  [default: 41, or 9]")
@click.option("--delta", metavar="Q", help="Allow (eps, delta) with this delta, instead of a pure eps.")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A .png or .svg picture, or a .csv of exact rationals; repeatable.",
)
@click.option("--plot", is_flag=True, help="Also draw the curve, in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def curve(
    generator: str | None,
    mixing: str | None,
    start: str,
    stop: str,
    points: str | None,
    delta: str | None,
    dimension: str,
    param: tuple[str, ...],
    output: tuple[Path, ...],
    plot: bool,
    as_json: bool,
) -> int:
    """Draw epsilon against Delta/sigma, with proved bands.

    At each point of the grid epsilon is proved to lie between two rationals. Between points it lies
    between the lower end at the point before and the upper end at the point after, since epsilon never
    falls as Delta/sigma grows. With --delta it is the least eps for which the noise is
    (eps, delta)-private. Work that is cut short goes on from where it was. Of a LAW without a formula
    of f a point is an integral, which takes about ten seconds: 9 points unless told otherwise.

    \b
    dpverify curve student_t --param nu=3 -o curve.png -o curve.csv
    dpverify curve "exp(-y**(2/5))" --from 1e-6 --to 1e3 --points 100 -o c.svg
    dpverify curve gaussian --delta 1e-6 --points 9
    dpverify curve --mixing "v**3*exp(-v)" --dimension 3 -o mixture.svg

    Exit status: 0 drawn, 1 private for no epsilon, 2 bad input, 3 no density generator, 4 undecided.
    """
    from dpverify.calibration import Refusal
    from dpverify.calibration import curve as run
    from dpverify.cli.progress import Progress

    chosen = noise(generator, mixing, dimension, param)
    for path in output:
        require_suffix(path, SUFFIXES)
    partial = output[0].with_name(output[0].name + ".partial") if output else None
    try:
        with Progress() as progress:
            found = run(
                chosen,
                start=start,
                stop=stop,
                points=None if points is None else integer(points, "--points"),
                level=delta,
                partial=partial,
                progress=progress,
            )
    except Refusal as refusal:
        return refused(refusal, as_json)
    for path in output:
        _write(found, path)
    if as_json:
        click.echo(json.dumps(found.to_json()))
    elif output:
        for path in output:
            wrote(path)
    else:
        from dpverify.show.calibrations import curve_lines

        click.echo("\n".join(curve_lines(found)))
    if plot and not as_json:
        from dpverify.cli.plots import tell_curve

        tell_curve(found)
    return 0


def _write(found: Curve, path: Path) -> None:
    if path.suffix.lower() == ".csv":
        text = io.StringIO(newline="")
        found.write_csv(text)
        files.write(path, text.getvalue())
        return
    from dpverify.show.plots.calibration import draw_curve

    draw_curve(found, path)
