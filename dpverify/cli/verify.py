"""`dpverify verify`: from a generator's text to a verdict and a certificate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpverify.cli.options import OfText, amount, complete_family, integer, parameters
from dpverify.cli.streams import alone, save, words_beside
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.results import Result

WITHIN = {"proved": 0, "refuted": 1, "undecided": 4}
EXIT_STATUS = {"private": 0, "not_private": 1, "invalid": 3, "undecided": 4}


@click.command(cls=OfText, context_settings={"ignore_unknown_options": True})
@click.argument("generator", required=False, shell_complete=complete_family)
@click.option("--mixing", metavar="LAW", help="In place of GENERATOR: the law of V in X = V Z, Z Gaussian.")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise.")
@click.option("--sensitivity", metavar="Q", callback=amount, default="1", show_default=True, help="Sensitivity Delta.")
@click.option("--scale", metavar="Q", callback=amount, default="1", show_default=True, help="Scale sigma of the noise.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option("--tolerance", metavar="Q", help="Width of the enclosure, relative to epsilon.")
@click.option("--at-most", metavar="Q", help="Prove or refute that epsilon is at most Q; exit status 0 or 1.")
@click.option("--timeout", metavar="SECONDS", help="Give up after this long: undecided, naming the step.")
@click.option(
    "-o",
    "--certificate",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the proof here, with --symbolic the formula; - for stdout.",
)
@click.option("--closed-form", is_flag=True, help="Also look for epsilon as a formula in delta = Delta/sigma.")
@click.option("--symbolic", is_flag=True, help="Leave parameters unbound; derive epsilon as a formula.")
@click.option("--plot", is_flag=True, help="Also draw the privacy loss, in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(
    generator: str | None,
    mixing: str | None,
    dimension: str,
    sensitivity: str,
    scale: str,
    param: tuple[str, ...],
    tolerance: str | None,
    at_most: str | None,
    timeout: str | None,
    certificate: Path | None,
    closed_form: bool,
    symbolic: bool,
    plot: bool,
    as_json: bool,
) -> int:
    """Decide whether elliptical noise is epsilon-DP.

    Its density is proportional to f(x' Sigma^-1 x).

    GENERATOR is f as text in y = x' Sigma^-1 x (or r = sqrt(y)), or the name of a family. Every verdict
    is replayed by the independent checker before it is printed. Q is a rational or a decimal.
    LAW is a density of V in v, or atoms "weight: value, ...".

    \b
    dpverify verify student_t --param nu=3 --dimension 2
    dpverify verify "(1+y)**(-3)*log(3+y)**2" --dimension 2 --json
    dpverify verify "exp(-y**(1/4))" --sensitivity 1/2 --certificate c.json
    dpverify verify "(1+y/nu)**(-(nu+d)/2)" --symbolic
    dpverify verify student_t --param nu=3 --at-most 3/2
    dpverify verify --mixing "v**3*exp(-v)" --dimension 2

    Exit status: 0 private, 1 not private, 2 bad input, 3 no density generator, 4 undecided; with
    --at-most 0 epsilon is at most Q, 1 it is larger.
    """
    if (generator is None) == (mixing is None):
        raise InputError("give either a GENERATOR or --mixing LAW; see `dpverify verify --help`")
    if symbolic:
        from dpverify.cli.symbolic import tell_formula

        return tell_formula(click.get_current_context(), generator, parameters(param), as_json)
    from dpverify.api import verify as run
    from dpverify.cli.progress import Progress

    alone(certificate, as_json)
    chosen = _chosen(generator, mixing, integer(dimension), parameters(param))
    with Progress() as progress:
        result = run(
            **chosen,
            sensitivity=sensitivity,
            scale=scale,
            tolerance=tolerance,
            at_most=at_most,
            timeout=timeout,
            replay=True,
            closed_form=closed_form,
            progress=progress,
        )
    saved = None
    if certificate is not None and result.certificate is None:
        click.echo(
            f"dpverify: {certificate} is not written: there is nothing proved to write".encode(
                "ascii", "backslashreplace"
            ),
            err=True,
        )
    elif certificate is not None:
        saved = save(result, certificate)
    if as_json:
        click.echo(json.dumps(result.to_json()))
    else:
        from dpverify.show.terminal import show
        from dpverify.show.verdicts import result_sheet

        with words_beside(certificate):
            show(result_sheet(result, saved))
            if plot:
                from dpverify.cli.plots import tell_loss

                tell_loss(result)
    return _status(result)


def _status(result: Result) -> int:
    if result.within is None or result.verdict == "invalid":
        return EXIT_STATUS[result.verdict]
    return WITHIN[result.within]


def _chosen(generator: str | None, mixing: str | None, dimension: int, bound: dict[str, Any]) -> dict[str, Any]:
    """What is asked about, with its parameters bound, as arguments of the API."""
    if generator is not None:
        from dpverify.generators import Generator

        return {"generator": Generator(generator, dimension, bound)}
    from dpverify.mixtures import Mixing

    return {"mixing": Mixing(str(mixing), bound), "dimension": dimension}
