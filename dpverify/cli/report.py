"""`dpverify report`: a certificate as one page for a reviewer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from dpverify.cli.options import date_of, require_suffix, wrote
from dpverify.errors import InputError

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("certificate", type=FILE)
@click.option("--audit", metavar="FILE", type=FILE, help="The JSON of an audit of the same claim.")
@click.option("--mechanism", metavar="TEXT", default="", help="What the mechanism is called.")
@click.option("--reviewer", metavar="TEXT", default="", help="Who reviews it.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="The report's date.  [default: today]")
@click.option("-o", "--output", metavar="FILE", type=FILE, multiple=True, help="A .html, .pdf or .md file; repeatable.")
def report(
    certificate: Path, audit: Path | None, mechanism: str, reviewer: str, day: str | None, output: tuple[Path, ...]
) -> int:
    """Write a page about a certificate for a reviewer.

    The kernel replays the certificate first. The page holds the claim in words and formulas, epsilon
    with its enclosure, why each hypothesis holds, the plot of the privacy loss, the assumptions, how to
    check it again, where it comes from, and what it does not cover. Profiles, compositions and mixtures
    have reports too. A certificate that the kernel refuses gets a page that
    says so, and no claim.

    \b
    dpverify report laplace.json -o laplace.html
    dpverify report laplace.json -o laplace.pdf -o laplace.md
    dpverify report laplace.json --reviewer "A. N." -o laplace.pdf
    dpverify audit --certificate laplace.json
    dpverify report laplace.json --audit laplace.audit.json -o report.html

    Exit status: 0 written, 1 the certificate does not hold, or the audit shows a
    violation or another law, 2 bad input.
    """
    from dpverify.cli.progress import Progress
    from dpverify.show import examine, write
    from dpverify.show.document import SUFFIXES
    from dpverify.show.provenance import Provenance
    from dpverify.show.words import printable

    if not output:
        raise InputError("say where to write the report: -o report.html (or .pdf, .md)")
    for path in output:
        require_suffix(path, SUFFIXES)
    with Progress() as progress:
        progress("the checker replays the proof", 0)
        said = Provenance(mechanism=mechanism, reviewer=reviewer)
        examined = examine(certificate, audit, said if day is None else replace(said, day=date_of(day)))
        progress("the report is written", 0)
        files = [file for path in output for file in write(examined, path)]
    for file in files:
        wrote(file)
    if not examined.check.accepted:
        refusal = printable(f"{certificate}: REJECTED: {examined.check.refusal()}")
        click.echo(f"dpverify: {refusal}", err=True)
        return 1
    if examined.audited is not None and examined.audited.verdict == "violated":
        click.echo("dpverify: the audit shows a larger epsilon than is proved: VIOLATED", err=True)
        return 1
    if examined.audited is not None and examined.audited.another_law:
        click.echo("dpverify: the audited sampler draws another law than the certificate is about", err=True)
        return 1
    return 0
