"""`dpverify calibrate`: from a target epsilon to the smallest scale that meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.options import OfText, amount, complete_family, noise, refused
from dpverify.cli.streams import alone, is_stream, save, words_beside

if TYPE_CHECKING:
    from dpverify.calibration.law import Law


@click.command(cls=OfText, context_settings={"ignore_unknown_options": True})
@click.argument("generator", required=False, shell_complete=complete_family)
@click.option("--mixing", metavar="LAW", help="In place of GENERATOR: the law of V in X = V Z, Z Gaussian.")
@click.option(
    "--epsilon", metavar="Q", callback=amount, required=True, help="The target: the epsilon that may not be exceeded."
)
@click.option("--delta", metavar="Q", help="Allow (eps, delta) with this delta, instead of a pure eps.")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise.")
@click.option("--sensitivity", metavar="Q", callback=amount, default="1", show_default=True, help="Sensitivity Delta.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option(
    "-o",
    "--certificate",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the proof at sigma = upper here.",
)
@click.option(
    "--certificate-lower",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the proof that sigma = lower fails here.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def calibrate(
    generator: str | None,
    mixing: str | None,
    epsilon: str,
    delta: str | None,
    dimension: str,
    sensitivity: str,
    param: tuple[str, ...],
    certificate: Path | None,
    certificate_lower: Path | None,
    as_json: bool,
) -> int:
    """Find the smallest scale sigma at which noise is epsilon-DP.

    Two rationals, lower and upper, within a relative 1e-9: at sigma = upper the target is proved to be
    met, at sigma = lower, and so at every smaller sigma, it is proved not to be. Both proofs are
    replayed by the independent checker. Q is a rational or a decimal.

    \b
    dpverify calibrate student_t --param nu=3 --dimension 2 --epsilon 1
    dpverify calibrate "exp(-sqrt(1+y))" --epsilon 1/10 --certificate c.json
    dpverify calibrate gaussian --epsilon 1/2 --delta 1e-6
    dpverify calibrate --mixing "v**3*exp(-v)" --dimension 3 --epsilon 1/2

    Of a LAW without a formula of f every epsilon is integrated, which takes a minute in all.

    Exit status: 0 found, 1 no scale will do, 2 bad input, 3 no density generator, 4 undecided.
    """
    from dpverify.calibration import Refusal
    from dpverify.calibration import calibrate as run
    from dpverify.cli.progress import Progress

    alone(certificate, as_json)
    alone(certificate_lower, as_json)
    chosen = noise(generator, mixing, dimension, param)
    if delta is not None:
        return _by_profile(chosen, epsilon, delta, sensitivity, certificate or certificate_lower, as_json)
    try:
        with Progress() as progress:
            found = run(chosen, epsilon=epsilon, sensitivity=sensitivity, progress=progress)
    except Refusal as refusal:
        return refused(refusal, as_json)
    for result, path in ((found.meets, certificate), (found.fails, certificate_lower)):
        save(result, path)
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        from dpverify.show.calibrations import calibration_sheet
        from dpverify.show.terminal import show

        with words_beside(certificate), words_beside(certificate_lower):
            show(calibration_sheet(found, None if is_stream(certificate) else certificate))
    return 0


def _by_profile(law: Law, epsilon: str, delta: str, sensitivity: str, certificate: Path | None, as_json: bool) -> int:
    """The smallest scale for (eps, delta), from the privacy profile."""
    from dpverify.cli.progress import Progress
    from dpverify.errors import InputError
    from dpverify.profiles.scale import NoScale, smallest_scale

    generator, lemmas = law.formula(), law.lemmas
    if certificate is not None:
        raise InputError(
            "with --delta calibrate writes no certificate; `dpverify profile` does, at --scale and --epsilon"
        )
    try:
        with Progress() as progress:
            found = smallest_scale(
                generator, epsilon=epsilon, delta=delta, sensitivity=sensitivity, lemmas=lemmas, progress=progress
            )
    except NoScale as error:
        line = f"Undecided: {error}."
        if as_json:
            click.echo(json.dumps({"verdict": "undecided", "scale": None, "reason": line}))
        click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace"), err=True)
        return 4
    if as_json:
        click.echo(json.dumps(found.to_json()))
        return 0
    from dpverify.show.profiles import scale_sheet
    from dpverify.show.terminal import show

    show(scale_sheet(found, generator))
    return 0
