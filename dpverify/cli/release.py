"""`dpverify release`: the exact mechanism of a certificate, on one query."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.streams import OUTPUT, printed_to
from dpverify.errors import InputError, Refused

if TYPE_CHECKING:
    from dpverify.ledger import Ledger, Loss
    from dpverify.sampling.exact.certified import Certified

REFUSED = 1


@click.command()
@click.argument("certificate", metavar="CERTIFICATE", type=click.Path(path_type=Path))
@click.option("--query", metavar="VALUES", required=True, help='FILE.csv, or "VALUE, VALUE, ...": what is protected.')
@click.option("--lattice", metavar="Q", default="2**-20", show_default=True, help="Distance of the lattice's points.")
@click.option("--covariance", metavar="MATRIX", help="Sigma, of which the sensitivity speaks; the identity without it.")
@click.option("--ledger", metavar="FILE", type=click.Path(path_type=Path), help="Write the release to this ledger.")
@click.option("--budget", metavar="Q", help="With --ledger: what may be spent in all, set when it is made.")
@click.option("--budget-delta", metavar="Q", help="With --budget: the delta that may be spent in all; 0 without it.")
@click.option("--epsilon", metavar="Q", help="Which point of a profile certificate is spent, where it has several.")
@OUTPUT
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def release(
    certificate: Path,
    query: str,
    lattice: str,
    covariance: str | None,
    ledger: Path | None,
    budget: str | None,
    budget_delta: str | None,
    epsilon: str | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Release a query with the noise that a certificate proves.

    What is released is the lattice point nearest to the query plus the exact real noise, so that the
    certificate's epsilon (and delta) is that of the release. Values are read exactly: rationals or decimals. The
    lattice is fixed before the data are seen. The random bits are the operating system's.

    \b
    dpverify verify laplace --dimension 2 --certificate laplace.json
    dpverify release laplace.json --query "1.5, -2/3"
    dpverify release laplace.json --query means.csv --ledger budget.db --budget 4
    dpverify profile gaussian --epsilon 1 --certificate gaussian.json
    dpverify release gaussian.json --query 3/2

    Exit status: 0 released, 1 refused (the certificate does not hold, a query of another dimension, a
    lattice that is no constant, over the budget), 2 bad input.
    """
    try:
        book = _book(ledger, budget, budget_delta)
        with printed_to(output):
            return _release(certificate, epsilon, query, lattice, covariance, book, as_json)
    except Refused as error:
        line = " ".join(f"refused: {error}".split())
        click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace").decode(), err=True)
        return REFUSED


Book = Callable[[], "Ledger | None"]


def _book(ledger: Path | None, budget: str | None, budget_delta: str | None) -> Book:
    """What opens the ledger, once there is something to release."""
    from dpverify.language import parse_rational
    from dpverify.ledger import Ledger, Loss

    if budget is not None and ledger is None:
        raise InputError("--budget is of a ledger; give one with --ledger FILE")
    if budget_delta is not None and budget is None:
        raise InputError("--budget-delta goes with --budget Q, the epsilon")
    limit = None
    if budget is not None:
        limit = Loss(parse_rational(budget, "--budget"), parse_rational(budget_delta or 0, "--budget-delta"))
    return lambda: None if ledger is None else Ledger.open(ledger, limit)


def _release(
    certificate: Path,
    epsilon: str | None,
    query: str,
    lattice: str,
    covariance: str | None,
    opened: Book,
    as_json: bool,
) -> int:
    from dpverify.cli.sensitivity import matrix
    from dpverify.ledger import Loss
    from dpverify.sampling.exact import ExactNoise

    sigma = None if covariance is None else matrix(covariance, "--covariance")
    values = _values(matrix(query, "--query"))
    noise = ExactNoise(certificate, lattice=lattice, covariance=sigma, epsilon=epsilon)
    proved = noise.certified
    assert proved is not None
    book = opened()
    released = noise.release(values)
    spent = None
    if book is not None:
        loss = Loss(proved.upper, proved.delta)
        spent = book.spend(loss, proved.sha256, noise.lattice, released), book.budget
    if as_json:
        click.echo(json.dumps(_record(noise.lattice, proved, released)))
    else:
        for line in _lines(noise.lattice, proved, released, spent):
            click.echo(line)
    return 0


def _values(rows: list[list[str]]) -> list[str]:
    """One row or one column of numbers."""
    if len(rows) > 1 and any(len(row) > 1 for row in rows):
        raise InputError("--query: one row or one column of numbers is expected, not several of both")
    return [value for row in rows for value in row]


def _record(lattice: Fraction, proved: Certified, released: list[Fraction]) -> dict[str, object]:
    found: dict[str, object] = {
        "released": [str(x) for x in released],
        "lattice": str(lattice),
        "epsilon": {"upper": str(proved.upper), "decimal": proved.decimal},
        "certificate": proved.sha256,
    }
    if proved.delta:
        found["delta"] = {"upper": str(proved.delta), "decimal": _decimal(proved.delta, ROUND_CEILING)}
    return found


def _lines(
    lattice: Fraction, proved: Certified, released: list[Fraction], spent: tuple[Loss, Loss | None] | None
) -> list[str]:
    lines = ["RELEASED", *(f"  {_decimal(x):<24}  {x}" for x in released), ""]
    lines.append(f"  lattice      {lattice}")
    lines.append(f"  epsilon      {proved.decimal}")
    if proved.delta:
        lines.append(f"  delta        {_decimal(proved.delta, ROUND_CEILING)}")
    lines.append(f"  at most      {proved.delta or proved.upper}")
    lines += [f"  assuming     {text}" for text in proved.assumptions]
    lines.append(f"  certificate  sha256 {proved.sha256}")
    if spent is not None:
        limit = "no budget is set" if spent[1] is None else f"of a budget of {_loss(spent[1])}"
        lines.append(f"  spent        {_loss(spent[0])} in all, {limit}")
    return lines


def _loss(loss: Loss) -> str:
    return f"({_decimal(loss.epsilon)}, {_decimal(loss.delta)})" if loss.delta else _decimal(loss.epsilon)


def _decimal(x: Fraction, rounding: str | None = None) -> str:
    """About the number, to ten digits."""
    context = Context(prec=10, rounding=rounding)
    return str(context.divide(Decimal(x.numerator), Decimal(x.denominator)))
