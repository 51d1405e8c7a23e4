"""What a certificate proves, in a few lines of plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpverify.report.words import THEOREMS, exact, printable
from dpverify.results import decimal_between

LABEL, WIDTH = 11, 80


def claim_lines(claim: Mapping[str, Any], assumptions: Sequence[str]) -> list[str]:
    """The claim of an accepted certificate and what it rests on, at 80 columns."""
    bound = "".join(f", {name} = {value}" for name, value in sorted(claim["parameters"].items()))
    rows = [
        ("f(y)", claim["generator"]),
        (
            "with",
            f"d = {claim['dimension']}{bound}, Delta = {claim['sensitivity']}, sigma = {claim['scale']}",
        ),
    ]
    if claim["epsilon"] is not None:
        lower, upper = (Fraction(claim["epsilon"][end]) for end in ("lower", "upper"))
        rows += [
            ("epsilon", decimal_between(lower, upper)),
            ("at least", exact(lower)),
            ("at most", exact(upper)),
            ("by", THEOREMS.get(claim["theorem"], str(claim["theorem"]))),
        ]
    rows += [("assuming", assumption) for assumption in assumptions or ("nothing",)]
    return [line for label, text in rows for line in row(label, text)]


def row(label: str, text: str) -> list[str]:
    """One labelled paragraph of a report."""
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=f"  {label:<{LABEL}}",
        subsequent_indent=" " * (LABEL + 2),
        break_on_hyphens=False,
    )
