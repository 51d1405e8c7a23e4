"""A result in a few lines of the terminal: verdict, epsilon, each hypothesis and why."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dpverify.report.words import THEOREMS, TITLES, exact, printable
from dpverify.results import Result, equals

STYLES = {
    "private": "bold green",
    "not_private": "bold red",
    "invalid": "bold red",
    "undecided": "bold yellow",
    "proved": "green",
    "refuted": "red",
}


def print_result(result: Result, saved: Path | None, console: Console | None = None) -> None:
    """Print the result; colours only on a terminal, plain lines in a pipe."""
    console = console or Console(highlight=False, soft_wrap=False)
    with console.capture() as capture:
        _print(result, saved, console)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in capture.get().splitlines()))


def _print(result: Result, saved: Path | None, console: Console) -> None:
    console.print(Text(TITLES[result.verdict], style=STYLES[result.verdict]))
    console.print(Padding(Text(result.reason), (0, 0, 0, 2)))
    console.print(_question(result))
    console.print(_hypotheses(result))
    facts = _facts(result, saved)
    if facts.row_count:
        console.print(facts)


def _grid() -> Table:
    table = Table.grid(padding=(0, 2), pad_edge=False)
    table.add_column(no_wrap=True)
    return table


def _question(result: Result) -> Padding:
    generator = result.generator
    bound = "".join(f", {name} = {value}" for name, value in generator.parameters.items())
    table = _grid()
    table.add_row("f(y)", Text(generator.text))
    if result.mixing is not None:
        table.add_row("V", Text(result.mixing.density + (f"  ({result.mixing.law})" if result.mixing.law else "")))
    table.add_row(
        "with",
        Text(f"d = {generator.dimension}{bound}, Delta = {result.sensitivity}, sigma = {result.scale}"),
    )
    return Padding(table, (1, 0, 1, 2))


def _hypotheses(result: Result) -> Padding:
    table = _grid()
    for name, hypothesis in result.hypotheses.items():
        status = Text(hypothesis.status, style=STYLES.get(hypothesis.status, "yellow"))
        table.add_row(name.replace("_", " "), status, Text(hypothesis.explanation))
    return Padding(table, (0, 0, 1, 2))


def _facts(result: Result, saved: Path | None) -> Table:
    table = _grid()
    if result.mixing is not None:
        moment = {True: "finite", False: "infinite", None: "not settled"}[result.mixing.moment_finite]
        table.add_row("  E[V^-d]", Text(f"{moment} for d = {result.generator.dimension}"))
        table.add_row("  private for", Text(result.mixing.private_for))
    epsilon = result.epsilon
    if epsilon is not None:
        table.add_row("  epsilon", Text(epsilon.decimal, style="bold"))
        table.add_row("  at least", Text(exact(epsilon.lower)))
        table.add_row("  at most", Text(exact(epsilon.upper)))
        if epsilon.closed_form:
            table.add_row("  formula", Text(f"{epsilon.closed_form}  (delta = Delta/sigma)", overflow="fold"))
        table.add_row("  largest at", Text(epsilon.attained_at or "not known"))
    if result.theorem:
        table.add_row("  by", Text(THEOREMS.get(result.theorem, result.theorem)))
    if result.tail_log_ratio is not None:
        limit = result.tail_log_ratio
        decimal = limit.to_json()["decimal"]
        size = "1" if limit.lower == limit.upper == 0 else f"exp({decimal})"
        told = f"tends to {size}" if equals(decimal).startswith("=") else f"limsup exp(x), x {decimal}"
        table.add_row("  tail ratio", Text(told))
    if result.verdict != "undecided":
        table.add_row("  assuming", Text("; ".join(result.assumptions) or "nothing"))
    if saved is not None:
        table.add_row("  certificate", Text(printable(f"{saved}  (dpverify check {saved})")))
    return table
