"""`dpverify release`: the exact mechanism of a certificate, on one query."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.errors import InputError, Refused

if TYPE_CHECKING:
    from dpverify.sampling.exact import ExactNoise

REFUSED = 1


@click.command()
@click.argument("certificate", metavar="CERTIFICATE", type=click.Path(path_type=Path))
@click.option("--query", metavar="VALUES", required=True, help='FILE.csv, or "VALUE, VALUE, ...": what is protected.')
@click.option("--lattice", metavar="Q", default="2**-20", show_default=True, help="Distance of the lattice's points.")
@click.option("--covariance", metavar="MATRIX", help="Sigma, of which the sensitivity speaks; the identity without it.")
@click.option("--ledger", metavar="FILE", type=click.Path(path_type=Path), help="Write the release to this ledger.")
@click.option("--budget", metavar="Q", help="With --ledger: what may be spent in all, set when it is made.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def release(
    certificate: Path,
    query: str,
    lattice: str,
    covariance: str | None,
    ledger: Path | None,
    budget: str | None,
    as_json: bool,
) -> int:
    """Release a query with the noise that a certificate proves.

    What is released is the lattice point nearest to the query plus the exact real noise, so that the
    certificate's epsilon is that of the release. Values are read exactly: rationals or decimals. The
    lattice is fixed before the data are seen. The random bits are the operating system's.

    \b
    dpverify verify laplace --dimension 2 --certificate laplace.json
    dpverify release laplace.json --query "1.5, -2/3"
    dpverify release laplace.json --query means.csv --ledger budget.db --budget 4

    Exit status: 0 released, 1 refused (the certificate does not hold, a query of another dimension, a
    lattice that is no constant, over the budget), 2 bad input.
    """
    try:
        return _release(certificate, query, lattice, covariance, ledger, budget, as_json)
    except Refused as error:
        line = " ".join(f"refused: {error}".split())
        click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace").decode(), err=True)
        return REFUSED


def _release(
    certificate: Path,
    query: str,
    lattice: str,
    covariance: str | None,
    ledger: Path | None,
    budget: str | None,
    as_json: bool,
) -> int:
    from dpverify.cli.sensitivity import matrix
    from dpverify.language import parse_rational
    from dpverify.ledger import Ledger
    from dpverify.sampling.exact import ExactNoise

    if budget is not None and ledger is None:
        raise InputError("--budget is of a ledger; give one with --ledger FILE")
    limit = None if budget is None else parse_rational(budget, "--budget")
    sigma = None if covariance is None else matrix(covariance, "--covariance")
    values = _values(matrix(query, "--query"))
    noise = ExactNoise(certificate, lattice=lattice, covariance=sigma)
    assert noise.certified is not None
    book = None if ledger is None else Ledger.open(ledger, limit)
    released = noise.release(values)
    spent = None
    if book is not None:
        spent = book.spend(noise.certified.upper, noise.certified.sha256, noise.lattice, released), book.budget
    if as_json:
        click.echo(json.dumps(_record(noise, released)))
    else:
        for line in _lines(noise, released, spent):
            click.echo(line)
    return 0


def _values(rows: list[list[str]]) -> list[str]:
    """One row or one column of numbers."""
    if len(rows) > 1 and any(len(row) > 1 for row in rows):
        raise InputError("--query: one row or one column of numbers is expected, not several of both")
    return [value for row in rows for value in row]


def _record(noise: ExactNoise, released: list[Fraction]) -> dict[str, object]:
    assert noise.certified is not None
    return {
        "released": [str(x) for x in released],
        "lattice": str(noise.lattice),
        "epsilon": {"upper": str(noise.certified.upper), "decimal": noise.certified.decimal},
        "certificate": noise.certified.sha256,
    }


def _lines(noise: ExactNoise, released: list[Fraction], spent: tuple[Fraction, Fraction | None] | None) -> list[str]:
    proved = noise.certified
    assert proved is not None
    lines = ["RELEASED", *(f"  {_decimal(x):<24}  {x}" for x in released), ""]
    lines.append(f"  lattice      {noise.lattice}")
    lines.append(f"  epsilon      {proved.decimal}")
    lines.append(f"  at most      {proved.upper}")
    lines += [f"  assuming     {text}" for text in proved.assumptions]
    lines.append(f"  certificate  sha256 {proved.sha256}")
    if spent is not None:
        limit = "no budget is set" if spent[1] is None else f"of a budget of {_decimal(spent[1])}"
        lines.append(f"  spent        {_decimal(spent[0])} in all, {limit}")
    return lines


def _decimal(x: Fraction) -> str:
    """About the number, to ten digits."""
    from decimal import Context, Decimal

    context = Context(prec=10)
    return str(context.divide(Decimal(x.numerator), Decimal(x.denominator)))
