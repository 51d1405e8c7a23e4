"""`dpverify verify`: from a generator's text to a verdict and a certificate."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dpverify.errors import InputError

EXIT_STATUS = {"private": 0, "not_private": 1, "invalid": 3, "undecided": 4}
RESERVED = {"self", "text", "dimension"}  # Generator's own arguments


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("generator")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise.")
@click.option("--sensitivity", metavar="Q", default="1", show_default=True, help="Sensitivity Delta.")
@click.option("--scale", metavar="Q", default="1", show_default=True, help="Scale sigma of the noise.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option("--tolerance", metavar="Q", help="Width of the enclosure, relative to max(1, epsilon).")
@click.option("--timeout", metavar="SECONDS", help="Give up after this long: undecided, naming the step.")
@click.option("--certificate", metavar="FILE", type=click.Path(path_type=Path), help="Write the proof here.")
@click.option("--closed-form", is_flag=True, help="Also look for epsilon as a formula in delta = Delta/sigma.")
@click.option("--symbolic", is_flag=True, help="Leave parameters unbound; derive epsilon as a formula.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(
    generator: str,
    dimension: str,
    sensitivity: str,
    scale: str,
    param: tuple[str, ...],
    tolerance: str | None,
    timeout: str | None,
    certificate: Path | None,
    closed_form: bool,
    symbolic: bool,
    as_json: bool,
) -> int:
    """Decide whether noise with density f(x'S^-1 x) is epsilon-DP.

    GENERATOR is f as text in y = x'S^-1 x (or r = sqrt(y)), or the name of a family. Every verdict
    is replayed by the independent checker before it is printed. Q is a rational or a decimal.

    \b
    dpverify verify student_t --param nu=3 --dimension 2
    dpverify verify "(1+y)**(-3)*log(3+y)**2" --dimension 2 --json
    dpverify verify "exp(-y**(1/4))" --sensitivity 1/2 --certificate c.json
    dpverify verify "(1+y/nu)**(-(nu+d)/2)" --symbolic

    Exit status: 0 private, 1 not private, 2 bad input, 3 no density generator, 4 undecided.
    """
    if symbolic:
        from dpverify.cli.symbolic import tell_formula

        return tell_formula(click.get_current_context(), generator, _parameters(param), as_json)
    from dpverify.api import verify as run
    from dpverify.cli.progress import Progress
    from dpverify.generators import Generator

    chosen = Generator(generator, integer(dimension), **_parameters(param))
    with Progress() as progress:
        result = run(
            chosen,
            sensitivity=sensitivity,
            scale=scale,
            tolerance=tolerance,
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
        try:
            saved = result.save(certificate)
        except OSError as error:
            raise InputError(f"{certificate}: cannot be written ({error.strerror})") from None
    if as_json:
        click.echo(json.dumps(result.to_json()))
    else:
        from dpverify.report.text import print_result

        print_result(result, saved)
    return EXIT_STATUS[result.verdict]


def integer(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise InputError(f"--dimension: {text[:40]!r} is not a positive integer")
    return int(text)


def _parameters(given: tuple[str, ...]) -> dict[str, object]:
    found: dict[str, object] = {}
    for item in given:
        name, equals, value = item.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise InputError(f"--param: {item[:40]!r} is not of the form NAME=Q, such as nu=5/2")
        if name in found:
            raise InputError(f"--param: {name[:40]} is given twice")
        if name in RESERVED:
            raise InputError(f"--param: the name {name} is taken; call the parameter something else")
        found[name] = value
    return found
