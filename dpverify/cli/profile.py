"""`dpverify profile`: delta(eps) and eps(delta) of one release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.options import Several, amount, complete_family, integer, parameters, require_suffix, wrote
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.profiles import Profile

EXIT_STATUS = {"proved": 0, "refuted": 1, "invalid": 3, "undecided": 4}


@click.command(cls=Several, context_settings={"ignore_unknown_options": True})
@click.argument("generator", required=False, shell_complete=complete_family)
@click.option("--mixing", metavar="LAW", help="In place of GENERATOR: the law of V in X = V Z, Z Gaussian.")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise, or infinity.")
@click.option("--sensitivity", metavar="Q", callback=amount, default="1", show_default=True, help="Sensitivity Delta.")
@click.option("--scale", metavar="Q", callback=amount, default="1", show_default=True, help="Scale sigma of the noise.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option("--epsilon", metavar="Q", multiple=True, help="Enclose delta at this eps; several may follow.")
@click.option("--delta", metavar="Q", multiple=True, help="Enclose eps at this delta; several may follow.")
@click.option("--curve", is_flag=True, help="Enclose the whole profile, on a grid of eps, for compose.")
@click.option("--step", metavar="Q", help="With --curve: the step of the grid.")
@click.option("--until", metavar="Q", help="With --curve: the delta at which the grid ends.  [default: 1e-25]")
@click.option("--group", metavar="N", default="1", help="How many records one person holds.  [default: 1]")
@click.option(
    "--renyi", metavar="Q", multiple=True, help="The Renyi divergence of this order, or infinity; repeatable."
)
@click.option("--tradeoff", metavar="Q", multiple=True, help="The least type II error at this type I error.")
@click.option("--zcdp", is_flag=True, help="The least rho of zero-concentrated privacy.")
@click.option("--gdp", is_flag=True, help="The least mu of Gaussian privacy.")
@click.option("--tolerance", metavar="Q", help="Width of each enclosure, relative to it.  [default: 1e-9]")
@click.option("--roughly", is_flag=True, help="At once, by the pure epsilon alone.")
@click.option("--timeout", metavar="SECONDS", help="After about this long a wider enclosure, a rough one at last.")
@click.option("--certificate", metavar="FILE", type=click.Path(path_type=Path), help="Write the proof here.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="FILE.json: the proof. With --curve a .png or .svg picture, or a .csv of rationals; repeatable.",
)
@click.option(
    "--plot",
    type=click.Choice(["profile", "tradeoff", "renyi"]),
    is_flag=False,
    flag_value="profile",
    help="With --curve: what -o shows, the profile if no word follows; without -o, draw it in the terminal.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def profile(
    generator: str | None,
    mixing: str | None,
    dimension: str,
    sensitivity: str,
    scale: str,
    param: tuple[str, ...],
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    curve: bool,
    step: str | None,
    until: str | None,
    group: str,
    renyi: tuple[str, ...],
    tradeoff: tuple[str, ...],
    zcdp: bool,
    gdp: bool,
    tolerance: str | None,
    roughly: bool,
    timeout: str | None,
    certificate: Path | None,
    output: tuple[Path, ...],
    plot: str | None,
    as_json: bool,
) -> int:
    """Enclose the privacy profile of one release.

    The profile is delta(eps), or eps(delta). The mechanism is (eps, delta)-private exactly from
    delta(eps) on. Each value lies between two rationals. Q is a rational or a decimal. --dimension
    infinity is for a mixing law, and for families that are Gaussian scale mixtures.

    \b
    dpverify profile gaussian --epsilon 1
    dpverify profile student_t --param nu=3 --epsilon 1 --certificate c.json
    dpverify profile laplace --delta 1e-5 --json
    dpverify profile laplace --renyi 2 --gdp --zcdp --tradeoff 1/20
    dpverify profile gaussian --scale 10 --curve --certificate curve.json
    dpverify profile laplace --curve --step 1/20 -o laplace.svg
    dpverify profile student_t --param nu=3 --dimension infinity --epsilon 1
    dpverify profile --mixing "v*exp(-v**2)" --dimension infinity --epsilon 1

    Exit status: 0 proved, 1 what was asked for is infinite, 2 bad input, 3 no density generator,
    4 undecided.
    """
    if (generator is None) == (mixing is None):
        raise InputError("give either a GENERATOR or --mixing LAW; see `dpverify profile --help`")
    if not (epsilon or delta or curve or renyi or tradeoff or zcdp or gdp):
        raise InputError("give --epsilon Q, --delta Q, --curve or another measure; see `dpverify profile --help`")
    proofs, output = [o for o in output if o.suffix == ".json"], tuple(o for o in output if o.suffix != ".json")
    if len(proofs) + (certificate is not None) > 1:
        raise InputError("the proof is written to one file; give one -o FILE.json, or --certificate FILE")
    certificate = proofs[0] if proofs else certificate
    if (output or plot) and not curve:
        raise InputError("a picture needs the whole profile; give --curve too")
    for path in output:
        require_suffix(path, {".png", ".svg", ".csv"})
    from dpverify.cli.progress import Progress
    from dpverify.profiles import profile as run

    with Progress() as progress:
        found = run(
            generator,
            mixing=mixing,
            dimension="infinity" if dimension == "infinity" else integer(dimension),
            sensitivity=sensitivity,
            scale=scale,
            epsilon=epsilon,
            delta=delta,
            curve=curve,
            step=step,
            until=until,
            group=integer(group, "--group"),
            renyi=renyi,
            tradeoff=tradeoff,
            zcdp=zcdp,
            gdp=gdp,
            tolerance=tolerance,
            roughly=roughly,
            timeout=timeout,
            certificate=certificate is not None,
            progress=progress,
            parameters=parameters(param),
        )
    if found.verdict == "proved" and output:
        from dpverify.show.plots.profile import write

        for path in output:
            write(found, path, plot or "profile")
    status = told(found, certificate, as_json)
    if found.verdict == "proved" and not as_json:
        for path in output:
            wrote(path)
    if plot and found.verdict == "proved" and not output and not as_json:
        from dpverify.cli.plots import tell_profile

        tell_profile(found, plot)
    return status


def told(found: Profile, certificate: Path | None, as_json: bool) -> int:
    """Write the certificate, if there is one, and show what was found; returns the exit status."""
    if certificate is not None and found.certificate is None:
        line = f"dpverify: {certificate} is not written: there is no certificate of this proof"
        click.echo(line.encode("ascii", "backslashreplace"), err=True)
    elif certificate is not None:
        found.save(certificate)
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        from dpverify.show.profiles import profile_sheet
        from dpverify.show.terminal import show

        show(profile_sheet(found, certificate))
    return EXIT_STATUS[found.verdict]
