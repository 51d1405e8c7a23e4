"""`dpverify sensitivity`: Delta from Sigma and the differences of a statistic, or from what the statistic is of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dpverify import files
from dpverify.cli.options import integer, wrote
from dpverify.cli.streams import OUTPUT, printed_to
from dpverify.errors import InputError

_INLINE = re.compile(r"[0-9eE+\-./,;\s]+")
QUERIES = ("count", "histogram", "counts", "sum", "mean", "clipped-sum", "clipped-mean", "matrix")
NEIGHBOURS = ("add-remove", "replace")
TAKES = {
    "count": set[str](),
    "histogram": {"cells"},
    "counts": {"cells", "most"},
    "sum": {"low", "high"},
    "mean": {"low", "high", "records"},
    "clipped-sum": {"clip", "norm", "dimension"},
    "clipped-mean": {"clip", "norm", "dimension", "records"},
    "matrix": {"matrix"},
}
"""What each query is told by."""
OPTIONAL = {"norm", "dimension"}


@click.command()
@click.option("--covariance", metavar="MATRIX", help="Sigma, symmetric positive definite; the identity without it.")
@click.option("--differences", metavar="MATRIX", help="Differences T(D) - T(D'), one a row, or a polytope's vertices.")
@click.option("--outputs", metavar="MATRIX", help="Instead: values T(D), any two of which may be neighbours'.")
@click.option("--query", type=click.Choice(QUERIES), help="Instead: what is asked of the data.")
@click.option("--neighbours", type=click.Choice(NEIGHBOURS), help="Of a query: who is whose neighbour.")
@click.option("--each", metavar="M", help="Records that a person has at most.  [default: 1]")
@click.option("--low", metavar="Q,Q,...", help="sum, mean: the least value of each entry of a record.")
@click.option("--high", metavar="Q,Q,...", help="sum, mean: the largest.")
@click.option("--records", metavar="N", help="mean: how many records there are, or the least number.")
@click.option("--cells", metavar="K", help="histogram, counts: how many counts.")
@click.option("--most", metavar="M", help="counts: how many of them a record may be in.")
@click.option("--clip", metavar="Q", help="clipped: the length that each record is clipped to.")
@click.option("--norm", type=click.Choice(("l1", "l2", "linf", "mahalanobis")), help="clipped: of what length.")
@click.option("--dimension", metavar="N", help="clipped: entries of a record.  [default: 1]")
@click.option("--matrix", "workload", metavar="MATRIX", help="matrix: A of the query A x of a histogram x.")
@OUTPUT
@click.option("--evidence", metavar="FILE", type=click.Path(path_type=Path), help="Write the derivation as JSON.")
@click.option("--check", "checked", metavar="FILE", type=click.Path(path_type=Path), help="Derive such a file anew.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def sensitivity(
    covariance: str | None,
    differences: str | None,
    outputs: str | None,
    query: str | None,
    neighbours: str | None,
    each: str | None,
    low: str | None,
    high: str | None,
    records: str | None,
    cells: str | None,
    most: str | None,
    clip: str | None,
    norm: str | None,
    dimension: str | None,
    workload: str | None,
    evidence: Path | None,
    checked: Path | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Compute the sensitivity Delta, exactly.

    Delta = max sqrt(v' Sigma^-1 v) over the differences v of a statistic: listed ones, or those of a query.

    A MATRIX is a text, rows parted by semicolons and numbers by commas or spaces, or a CSV file (a line a
    row, # begins a comment). Numbers are rationals or decimals, read exactly. The maximum over a
    polytope is at one of its vertices, v' Sigma^-1 v being convex.

    A query says what each record adds and who is whose neighbour; both are public, and not read off
    private data. --evidence writes down the derivation, which --check and `dpverify bundle` derive anew.

    \b
    dpverify sensitivity --covariance "2,1;1,2" --differences "1,0;0,1;1,1"
    dpverify sensitivity --covariance sigma.csv --outputs points.csv --json
    dpverify sensitivity --query sum --low 0 --high 9 --neighbours replace
    dpverify sensitivity --query clipped-sum --clip 1 --neighbours add-remove
    dpverify sensitivity --query matrix --matrix "1,0;1,1" --neighbours replace
    dpverify sensitivity --query count --neighbours replace --evidence count.json
    dpverify sensitivity --check count.json

    Exit status: 0 computed, or the file holds, 1 it does not, 2 bad input.
    """
    from dpverify import bundle
    from dpverify.errors import Refused

    told = {"low": low, "high": high, "records": records, "cells": cells, "most": most, "clip": clip}
    told |= {"norm": norm, "dimension": dimension, "matrix": workload}
    given = {name: value for name, value in told.items() if value is not None}
    if checked is not None:
        if given or query or differences or outputs or covariance or evidence:
            raise InputError("--check derives what is in its file; leave the other options out")
        try:
            return _show(bundle.derived(checked), output, as_json)
        except Refused as error:
            click.echo(f"dpverify: {error}".encode("ascii", "backslashreplace").decode(), err=True)
            return 1
    if [differences, outputs, query].count(None) != 2:
        raise InputError("give either --differences or --outputs, or a --query")
    sigma = None if covariance is None else matrix(covariance, "--covariance")
    if query is None and (given or neighbours or each):
        raise InputError(f"--{next(iter(given), 'neighbours' if neighbours else 'each')} belongs to a --query")
    if query is None and evidence is None:
        return _listed(sigma, differences, outputs, output, as_json)
    if query is None:
        rows = matrix(differences or outputs or "", "--differences" if differences else "--outputs")
        statistic, who = ("differences" if differences else "outputs"), "given"
        contribution: dict[str, Any] = {"set": "points", "points": _texts(rows, "the list")}
    else:
        if neighbours is None:
            raise InputError("--query needs --neighbours: add-remove, or replace")
        statistic, who, contribution = ("mean" if "mean" in query else "sum"), neighbours, _contribution(query, given)
    question = {
        "statistic": statistic,
        "neighbours": who,
        "each": integer(each or "1", "--each"),
        "records": integer(records, "--records") if records is not None else None,
        "contribution": contribution,
        "covariance": None if sigma is None else _texts(sigma, "--covariance"),
    }
    document = bundle.derive(question)
    if evidence is not None:
        from dpverify.serialise import serialise

        files.write(evidence, serialise(document))
    _show(document, output, as_json)
    if evidence is not None and not as_json:
        wrote(evidence)
    return 0


def _listed(sigma: Any, differences: str | None, outputs: str | None, output: Path | None, as_json: bool) -> int:
    from dpverify.mahalanobis import sensitivity as compute

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
    return 0


def _show(document: Mapping[str, Any], output: Path | None, as_json: bool) -> int:
    with printed_to(output):
        if as_json:
            click.echo(json.dumps(document))
        else:
            from dpverify.show.sensitivities import evidence_sheet
            from dpverify.show.terminal import show

            show(evidence_sheet(document))
    return 0


def _contribution(query: str, given: Mapping[str, str]) -> dict[str, Any]:
    """What each record adds, in the words of the evidence; raises InputError for options of another query."""
    for name in given:
        if name not in TAKES[query]:
            raise InputError(f"--{name} is not of the query {query}")
    for name in sorted(TAKES[query] - OPTIONAL - set(given)):
        raise InputError(f"--query {query} needs --{name}")
    if query == "count":
        return {"set": "counts", "cells": 1, "most": 1}
    if query in ("histogram", "counts"):
        most = integer(given.get("most", "1"), "--most")
        return {"set": "counts", "cells": integer(given["cells"], "--cells"), "most": most}
    if query in ("sum", "mean"):
        return {"set": "box", **{name: _texts([given[name].split(",")], f"--{name}")[0] for name in ("low", "high")}}
    if query == "matrix":
        return {"set": "columns", "matrix": _texts(matrix(given["matrix"], "--matrix"), "--matrix")}
    radius = _texts([[given["clip"]]], "--clip")[0][0]
    size = integer(given.get("dimension", "1"))
    return {"set": "ball", "norm": given.get("norm", "l2"), "radius": radius, "dimension": size}


def _texts(rows: list[list[str]], option: str) -> list[list[str]]:
    """Exact numbers as the texts of rationals."""
    from dpverify.language import parse_rational

    return [[str(parse_rational(x, option)) for x in row] for row in rows]


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
