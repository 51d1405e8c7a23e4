"""`dpverify compare`: families at equal privacy, by the size of their noise; or at equal size, by their privacy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.options import OfText, amount, complete_family, integer, noise, parameters, require_suffix, wrote
from dpverify.cli.suggestions import PICTURES
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.calibration.law import Law
    from dpverify.generators import Generator


@click.command(cls=OfText, context_settings={"ignore_unknown_options": True})
@click.argument("families", nargs=-1, metavar="FAMILY...", shell_complete=complete_family)
@click.option("--mixing", metavar="LAW", multiple=True, help="A law of V in X = V Z, Z Gaussian; repeatable.")
@click.option("--epsilon", metavar="Q", help="The epsilon that every family is calibrated to.")
@click.option("--delta", metavar="Q", help="Allow (eps, delta) with this delta, instead of a pure eps.")
@click.option("--median", metavar="Q", help="Scale every family to this median of ||sigma X|| instead.")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise.")
@click.option("--sensitivity", metavar="Q", callback=amount, default="1", show_default=True, help="Sensitivity Delta.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter, for every family that has it.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="A .png or .svg picture.")
@click.option("--plot", is_flag=True, help="Also draw the sizes, in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(
    families: tuple[str, ...],
    mixing: tuple[str, ...],
    epsilon: str | None,
    delta: str | None,
    median: str | None,
    dimension: str,
    sensitivity: str,
    param: tuple[str, ...],
    output: Path | None,
    plot: bool,
    as_json: bool,
) -> int:
    """Compare families at equal privacy by the size of their noise.

    FAMILY is a generator or the name of a family, with its own parameters after a colon. Each is
    calibrated to the target; then E ||sigma X||^2 and the median of ||sigma X|| are enclosed by rigorous
    integration (acb.integral of Arb), to the digits shown. The smallest median comes first.
    With --median the noise of every family has that size, and delta at --epsilon, or epsilon at --delta,
    is enclosed instead; the most private comes first.

    \b
    dpverify compare laplace student_t:nu=3 --epsilon 1 --dimension 2
    dpverify compare laplace "exp(-sqrt(1+y))" --epsilon 1/2 -o noise.png
    dpverify compare laplace gaussian --epsilon 1 --delta 1e-6
    dpverify compare laplace gaussian --median 3 --delta 1e-6

    Exit status: 0 if some family could be calibrated, 2 bad input, 4 if none could.
    """
    from dpverify.calibration import compare as run
    from dpverify.cli.progress import Progress
    from dpverify.show.words import printable

    if output is not None:
        require_suffix(output, {".png", ".svg"})
    if not families and not mixing:
        raise click.UsageError("Missing argument 'FAMILY...'.")
    if file := next((family for family in families if family.lower().endswith(PICTURES)), ""):
        raise click.UsageError(f"{file} is a file and no family")
    if epsilon is None and (delta is None or median is None):
        raise InputError("give --epsilon Q; or --median Q with --delta Q")
    drawn = plot or output is not None
    if median is not None and ((epsilon is not None and delta is not None) or drawn):
        raise InputError("--median goes with one of --epsilon and --delta, and draws no picture")
    chosen: list[tuple[str, Generator | Law]] = [*_chosen(families, integer(dimension), parameters(param))]
    chosen += [(law, noise(None, law, dimension, ())) for law in mixing]
    if median is not None:
        return _of_size(chosen, median, epsilon, delta, sensitivity, as_json)
    with Progress() as progress:
        rows = run(chosen, epsilon=epsilon, delta=delta, sensitivity=sensitivity, progress=progress)
    if output is not None and not any(row.median for row in rows):
        click.echo(f"dpverify: {printable(str(output))} is not drawn: there is no noise to show", err=True)
        output = None
    if output is not None:
        from dpverify.show.plots.calibration import draw_comparison

        target = f"ε = {epsilon}" + (f", δ = {delta}" if delta else "")
        draw_comparison(rows, f"Noise at {target}, d = {dimension}, Δ = {sensitivity}", output)
    if as_json:
        click.echo(json.dumps([row.to_json() for row in rows]))
    else:
        from dpverify.show.calibrations import comparison_lines

        click.echo("\n".join(comparison_lines(rows)))
        if plot:
            from dpverify.cli.plots import tell_comparison

            tell_comparison(rows)
        if output is not None:
            wrote(output)
    return 0 if any(row.calibration for row in rows) else 4


def _of_size(
    chosen: list[tuple[str, Generator | Law]],
    median: str,
    epsilon: str | None,
    delta: str | None,
    sensitivity: str,
    as_json: bool,
) -> int:
    from dpverify.calibration import of_size
    from dpverify.cli.progress import Progress

    with Progress() as progress:
        rows = of_size(chosen, median=median, epsilon=epsilon, delta=delta, sensitivity=sensitivity, progress=progress)
    if as_json:
        click.echo(json.dumps([row.to_json() for row in rows]))
    else:
        from dpverify.show.calibrations import sized_lines

        click.echo("\n".join(sized_lines(rows, "delta" if delta is None else "epsilon")))
    return 0 if any(row.value for row in rows) else 4


def _chosen(families: Sequence[str], dimension: int, shared: dict[str, object]) -> list[tuple[str, Generator]]:
    from dpverify.generators import Generator, family_of
    from dpverify.language import parameters as names_in
    from dpverify.language import parse

    found: list[tuple[str, Generator]] = []
    used: set[str] = set()
    for given in families:
        text, _, bound = given.partition(":")
        own = parameters(tuple(part for part in bound.split(",") if part.strip()))
        family = family_of(text)
        names = names_in(parse(family.text if family else text))
        used |= names & set(shared)
        bound_here = {**{k: v for k, v in shared.items() if k in names}, **own}
        found.append((given, Generator(text, dimension, bound_here)))
    unused = sorted(set(shared) - used)
    if unused:
        raise InputError(f"--param: no family has the parameter {unused[0]!r}")
    return found
