"""`dpverify check`: replay certificates in the kernel, and say what there is to read of it."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from dpverify.cli.options import integer, parameters
from dpverify.cli.streams import STREAM, contents, printing
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.api import CheckReport
    from dpverify.export.beside import Beside
    from dpverify.requirement import Requirement

LABEL = 9  # the claims of several files line up


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option("--rules", is_flag=True, help="List the rules that each certificate rests on, and where they stand.")
@click.option("--private", is_flag=True, help="Require that the certificate is of privacy.")
@click.option("--at-most", metavar="Q", help="Require that epsilon is proved to be at most Q.")
@click.option("--delta", metavar="Q", help="Require (epsilon, Q)-privacy; a proof of epsilon alone is one for all Q.")
@click.option("--generator", metavar="TEXT", help="Require that it is about this generator, or this family.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of that generator; repeatable.")
@click.option("--dimension", metavar="N", help="Require this dimension.")
@click.option("--sensitivity", metavar="Q", help="Require that it covers this Delta.")
@click.option("--scale", metavar="Q", help="Require that it covers this sigma.")
@click.option("--about", is_flag=True, help="Print the kernel's size and digest; FILE may be left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option("--coq", is_flag=True, help="Have coqc check each certificate's export too.")
@click.option("--coq-timeout", metavar="SECONDS", help="Give up on coqc after this long.")
@click.option(
    "--beside", metavar="EVENT", help="Say where the delta of a DpEvent of dp_accounting lies, point by point."
)
@printing
def check(
    files: tuple[str, ...],
    private: bool,
    at_most: str | None,
    delta: str | None,
    generator: str | None,
    param: tuple[str, ...],
    dimension: str | None,
    sensitivity: str | None,
    scale: str | None,
    rules: bool,
    about: bool,
    as_json: bool,
    coq: bool,
    coq_timeout: str | None,
    beside: str | None,
) -> int:
    """Check certificates with the independent kernel.

    The kernel re-derives everything from the generator's text with its own arithmetic; what it
    cannot re-derive is printed as an assumption. `python -I -S dpverify/kernel FILE...` does the same.
    A certificate of no privacy holds too: say with --private and the like what must be proved. What is
    proved for some Delta/sigma covers every smaller one. FILE may be - for standard input.

    \b
    dpverify check laplace.json
    dpverify check --json certificates/*.json
    dpverify check laplace.json --private --at-most 1 --dimension 3
    dpverify check --rules laplace.json
    dpverify check --about
    dpverify check --coq laplace.json
    dpverify check gaussian.json --beside "GaussianDpEvent(2.0)"

    Exit status: 0 every certificate holds and says what is required, 1 one does not, or the delta of the event lies
    below what is proved, 2 a file cannot be read, or has no export to Coq, or none that coqc ends in time, where one is
    asked for.
    """
    from dpverify.api import check as run
    from dpverify.api import time_limit
    from dpverify.cli.coq import second_opinion
    from dpverify.show.sheet import Row
    from dpverify.show.terminal import show
    from dpverify.show.verdicts import about_sheet, claim_sheet
    from dpverify.show.words import printable

    if not files and not about:
        raise click.UsageError("Missing argument 'FILE...'.")
    required = _required(private, at_most, delta, generator, param, dimension, sensitivity, scale)
    if files.count(STREAM) > 1:
        raise InputError("standard input holds one certificate; give - once")
    worst, rows, limit = 0, [], time_limit(coq_timeout)
    event = _event(beside)
    if about and not as_json:
        show(about_sheet(_about()), LABEL)
    for file in files:
        try:
            report = run(contents(file))
            unmet = required.unmet(report.claim) if report.claim is not None else []
        except InputError as error:
            worst = 2
            rows.append(_record(file, str(error)))
            if not as_json:
                click.echo(printable(f"dpverify: {error}"), err=True)
            continue
        rows.append(_record(file, report.message, report))
        if required:
            rows[-1]["met"], rows[-1]["unmet"] = report.accepted and not unmet, unmet
        if not report.accepted or unmet:
            worst = max(worst, 1)
        second = second_opinion(report, limit) if coq and report.accepted else None
        if second is not None:
            worst = max(worst, second.status)
            rows[-1]["coq"] = second.to_json()
        reading = _reading(report) if rules and report.accepted else None
        if reading is not None:
            rows[-1]["reading"] = reading.to_json()
        lying = _placed(report, event)
        if lying is not None:
            worst = max(worst, int(any(x.place == "below" for x in lying)))
            rows[-1]["beside"] = [x.to_json() for x in lying]
        if as_json:
            continue
        if report.claim is None:
            click.echo(printable(f"{file}: REJECTED: {report.refusal()}"), err=True)
        else:
            more = (*(second.rows() if second else ()), *(Row("beside", str(x)) for x in lying or ()))
            show(claim_sheet(file, report, reading, more), LABEL)
        for reason in unmet:
            click.echo(printable(f"dpverify: {file}: does not say what is required: {reason}"), err=True)
    if as_json:
        click.echo(json.dumps({"kernel": _about(), "certificates": rows} if about else rows))
    return worst


def _required(
    private: bool,
    at_most: str | None,
    delta: str | None,
    generator: str | None,
    param: tuple[str, ...],
    dimension: str | None,
    sensitivity: str | None,
    scale: str | None,
) -> Requirement:
    from dpverify.algebraic import rational_above, rational_below
    from dpverify.requirement import Requirement

    def number(text: str | None, option: str) -> Fraction | None:
        # an irrational number is rounded to where it asks for more
        read = rational_above if option == "--sensitivity" else rational_below
        return None if text is None else read(text, option)

    return Requirement(
        private=private,
        at_most=number(at_most, "--at-most"),
        delta=number(delta, "--delta"),
        generator=generator,
        parameters=parameters(param),
        dimension=None if dimension is None else integer(dimension),
        sensitivity=number(sensitivity, "--sensitivity"),
        scale=number(scale, "--scale"),
    )


def _event(text: str | None) -> Any:
    if text is None:
        return None
    from dpverify.export.beside import event_of

    return event_of(text)


def _placed(report: CheckReport, event: Any) -> list[Beside] | None:
    """Where an event's delta lies beside the points of a certificate that holds."""
    if event is None or not report.accepted or report.claim is None:
        return None
    from dpverify.export.beside import placed

    return placed(report.claim, event)


def _about() -> dict[str, Any]:
    """The kernel's format, digest and size."""
    from dpverify import source
    from dpverify.kernel import FORMAT, VERSION

    sizes, code = source.sizes(), source.sizes(source.code_lines)
    return {
        "format": FORMAT,
        "version": VERSION,
        "digest": source.digest(),
        "lines": {**sizes, "in all": sum(sizes.values())},
        "code": {**code, "in all": sum(code.values())},
        "rules": len(source.rules()),
    }


def _reading(report: CheckReport) -> Any:
    from dpverify import source

    return source.reading(report.rules)


def _record(file: str, message: str, report: CheckReport | None = None) -> dict[str, Any]:
    """One file's row: `report` is None where the file cannot be read."""
    return {
        "file": file,
        "accepted": report is not None and report.accepted,
        "message": message,
        "code": report.code if report is not None else "unreadable",
        "claim": report.claim if report is not None else None,
        "assumptions": list(report.assumptions) if report is not None else [],
        "rules": list(report.rules) if report is not None else [],
        "digest": report.digest if report is not None else "",
    }
