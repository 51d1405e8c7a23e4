"""`dpverify equivalence`: whether two elliptical laws in infinite dimension are equivalent or orthogonal."""

from __future__ import annotations

import json

import click

from dpverify.cli.options import parameters
from dpverify.cli.streams import printing
from dpverify.errors import InputError

EXIT_STATUS = {"equivalent": 0, "orthogonal": 1, "neither": 1, "undecided": 4}


@click.command()
@click.option("--eigenvalues", metavar="TEXT", help="Those of C, a formula in n = 1, 2, ..., positive.")
@click.option("--difference", metavar="TEXT", help="Coordinates of the difference of the means, in C's eigenvectors.")
@click.option("--other", metavar="TEXT", help="Eigenvalues of the second law's C, with the same eigenvectors.")
@click.option("--mixing", metavar="LAW", help="The law of V in X = V Z, Z Gaussian; Gaussian laws without it.")
@click.option("--param", metavar="NAME=Q", multiple=True, help="A name in the formulas; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@printing
def equivalence(
    eigenvalues: str | None,
    difference: str | None,
    other: str | None,
    mixing: str | None,
    param: tuple[str, ...],
    as_json: bool,
) -> int:
    """Decide whether elliptical laws are equivalent.

    Noise hides a change of the mean only if the change lies in the Cameron-Martin space of its
    covariance C; otherwise one output tells the two laws apart for certain. Series are compared by exact
    exponents of n, log n and exponentials, and the norm is enclosed.

    \b
    dpverify equivalence --eigenvalues "n**-2" --difference "n**-3"
    dpverify equivalence --eigenvalues "exp(-n)" --difference "n**-3" --json
    dpverify equivalence --eigenvalues "n**-2" --other "n**-2 + n**-3"
    dpverify equivalence --eigenvalues "n**-2" --other "4*n**-2" --mixing "1: 1"

    Exit status: 0 equivalent, 1 orthogonal or neither, 2 bad input, 4 undecided.
    """
    if eigenvalues is None:
        raise InputError('give --eigenvalues TEXT, such as "n**-2"; see `dpverify equivalence --help`')
    from dpverify.mechanisms.spectra.equivalent import equivalence as decide

    found = decide(eigenvalues, difference, other=other, mixing=mixing, parameters=parameters(param))
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        from dpverify.show.sheet import sheet
        from dpverify.show.terminal import show

        show(sheet(found))
    return EXIT_STATUS[found.verdict]
