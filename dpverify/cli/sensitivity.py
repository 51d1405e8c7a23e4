"""`dpverify sensitivity`: Delta from Sigma and the differences of a statistic."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from dpverify import files
from dpverify.cli.streams import OUTPUT, printed_to
from dpverify.errors import InputError

_INLINE = re.compile(r"[0-9eE+\-./,;\s]+")


@click.command()
@click.option("--covariance", metavar="MATRIX", help="Sigma, symmetric positive definite; the identity without it.")
@click.option("--differences", metavar="MATRIX", help="Differences T(D) - T(D'), one a row, or a polytope's vertices.")
@click.option("--outputs", metavar="MATRIX", help="Instead: values T(D), any two of which may be neighbours'.")
@OUTPUT
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def sensitivity(
    covariance: str | None, differences: str | None, outputs: str | None, output: Path | None, as_json: bool
) -> None:
    """Compute the sensitivity Delta from Sigma and differences.

    Delta = max sqrt(v' Sigma^-1 v) over differences v, exactly.

    A MATRIX is a text, rows parted by semicolons and numbers by commas or spaces, or a CSV file (a line a
    row, # begins a comment). Numbers are rationals or decimals, read exactly. The maximum over a
    polytope is at one of its vertices, v' Sigma^-1 v being convex.

    \b
    dpverify sensitivity --covariance "2,1;1,2" --differences "1,0;0,1;1,1"
    dpverify sensitivity --covariance sigma.csv --outputs points.csv --json
    """
    from dpverify.mahalanobis import sensitivity as compute

    if (differences is None) == (outputs is None):
        raise InputError("give either --differences or --outputs")
    sigma = None if covariance is None else matrix(covariance, "--covariance")
    if outputs is not None:
        found = compute(sigma, outputs=matrix(outputs, "--outputs"))
    else:
        found = compute(sigma, matrix(differences or "", "--differences"))
    with printed_to(output):
        if as_json:
            click.echo(json.dumps(found.to_json()))
        else:
            from dpverify.show.sheet import sheet
            from dpverify.show.terminal import show

            show(sheet(found))


def matrix(given: str, option: str) -> list[list[str]]:
    """The rows of a matrix given as text or as a CSV file; raises InputError."""
    if _INLINE.fullmatch(given) and any(c.isdigit() for c in given):
        lines = given.split(";")
    else:
        lines = _lines(Path(given), option)
    rows = [re.split(r"[,;\s]+", line.strip().strip(",;").strip()) for line in lines if line.strip(" \t\r\n,;")]
    if not rows:
        raise InputError(f"{option}: there are no numbers in it")
    return rows


def _lines(path: Path, option: str) -> list[str]:
    try:
        readable = path.is_file() or path.is_fifo() or path.is_char_device()
    except ValueError:  # a name that no file can have
        readable = False
    if not readable:
        shown = str(path)[:60]
        raise InputError(f'{option}: {shown!r} is neither a readable file nor a matrix such as "2,1;1,2"')
    try:
        text = files.read(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{option}: {path} is not text in UTF-8") from None
    return [line.partition("#")[0] for line in text.splitlines()]
