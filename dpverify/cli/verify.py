"""`dpverify verify`: from a generator's text to a verdict and a certificate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from dpverify.errors import InputError

EXIT_STATUS = {"private": 0, "not_private": 1, "invalid": 3, "undecided": 4}
RESERVED = {"self", "text", "dimension"}  # Generator's own arguments


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("generator", required=False)
@click.option("--mixing", metavar="LAW", help="In place of GENERATOR: the law of V in X = V Z, Z Gaussian.")
@click.option("--dimension", metavar="N", default="1", show_default=True, help="Dimension d of the noise.")
@click.option("--sensitivity", metavar="Q", default="1", show_default=True, help="Sensitivity Delta.")
@click.option("--scale", metavar="Q", default="1", show_default=True, help="Scale sigma of the noise.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A parameter of the generator; repeatable.")
@click.option("--tolerance", metavar="Q", help="Width of the enclosure, relative to max(1, epsilon).")
@click.option("--certificate", metavar="FILE", type=click.Path(path_type=Path), help="Write the proof here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(
    generator: str | None,
    mixing: str | None,
    dimension: str,
    sensitivity: str,
    scale: str,
    param: tuple[str, ...],
    tolerance: str | None,
    certificate: Path | None,
    as_json: bool,
) -> int:
    """Decide whether noise with density f(x'S^-1 x) is epsilon-DP.

    GENERATOR is f as text in y = x'S^-1 x (or r = sqrt(y)), or the name of a family. Every verdict
    is replayed by the independent checker before it is printed. Q is a rational or a decimal.
    LAW is a density of V in v, or atoms "weight: value, ...".

    \b
    dpverify verify student_t --param nu=3 --dimension 2
    dpverify verify "(1+y)**(-3)*log(3+y)**2" --dimension 2 --json
    dpverify verify "exp(-y**(1/4))" --sensitivity 1/2 --certificate c.json
    dpverify verify --mixing "v**3*exp(-v)" --dimension 2

    Exit status: 0 private, 1 not private, 2 bad input, 3 no density generator, 4 undecided.
    """
    from dpverify.api import verify as run
    from dpverify.cli.progress import Progress

    chosen = _chosen(generator, mixing, _integer(dimension), _parameters(param))
    with Progress() as progress:
        result = run(
            **chosen, sensitivity=sensitivity, scale=scale, tolerance=tolerance, replay=True, progress=progress
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


def _chosen(generator: str | None, mixing: str | None, dimension: int, bound: dict[str, Any]) -> dict[str, Any]:
    """What is asked about, with its parameters bound, as arguments of the API."""
    if (generator is None) == (mixing is None):
        raise InputError("give either a GENERATOR or --mixing LAW; see `dpverify verify --help`")
    if generator is not None:
        from dpverify.generators import Generator

        return {"generator": Generator(generator, dimension, **bound)}
    from dpverify.mixtures import Mixing

    return {"mixing": Mixing(str(mixing), **bound), "dimension": dimension}


def _integer(text: str) -> int:
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
