"""What a certificate proves, in a few lines of plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.report.words import THEOREMS, exact, printable
from dpverify.results import decimal_between

if TYPE_CHECKING:
    from dpverify.source import Reading

LABEL, WIDTH = 11, 80


def claim_lines(claim: Mapping[str, Any], assumptions: Sequence[str]) -> list[str]:
    """The claim of an accepted certificate and what it rests on, at 80 columns."""
    if claim.get("kind") == "composition":
        rows = [("release", f"{p['times']} times epsilon <= {p['epsilon']}") for p in claim["parts"]]
        rows += [*profile_rows(claim), *(("assuming", assumption) for assumption in assumptions or ("nothing",))]
        return [line for label, text in rows for line in row(label, text)]
    bound = "".join(f", {name} = {value}" for name, value in sorted(claim["parameters"].items()))
    rows = [
        ("f(y)", claim["generator"]),
        (
            "with",
            f"d = {claim['dimension']}{bound}, Delta = {claim['sensitivity']}, sigma = {claim['scale']}",
        ),
    ]
    if claim.get("kind") == "profile":
        rows += profile_rows(claim)
    elif claim["epsilon"] is not None:
        lower, upper = (Fraction(claim["epsilon"][end]) for end in ("lower", "upper"))
        rows += [
            ("epsilon", decimal_between(lower, upper)),
            ("at least", exact(lower)),
            ("at most", exact(upper)),
            ("by", THEOREMS.get(claim["theorem"], str(claim["theorem"]))),
        ]
    rows += [("assuming", assumption) for assumption in assumptions or ("nothing",)]
    return [line for label, text in rows for line in row(label, text)]


def profile_rows(claim: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The points of the claim of a profile or a composition."""
    rows = []
    for point in claim["points"]:
        lower, upper = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        rows += [("epsilon", point["epsilon"]), ("delta from", exact(lower)), ("to", exact(upper))]
    for quantile in claim["quantiles"]:
        lower, upper = (Fraction(quantile["epsilon"][end]) for end in ("lower", "upper"))
        rows += [("delta", quantile["delta"]), ("eps from", exact(lower)), ("to", exact(upper))]
    return [*rows, ("by", THEOREMS.get(claim["theorem"], str(claim["theorem"])))]


def rule_lines(reading: Reading) -> list[str]:
    """The rules that a certificate rests on, each with its place, and how much there is to read."""
    sections = ", ".join(f"{name} {size}" for name, size in reading.sections.items())
    lines = row("rests on", f"{len(reading.rules)} rules; to read: {reading.lines} lines of the kernel ({sections})")
    place = max((len(rule.place) for rule in reading.rules), default=0)
    for rule in reading.rules:
        head = f"    {rule.number:<4} {rule.place:<{place}}  "
        room = WIDTH - len(head)
        first, *more = textwrap.wrap(rule.title, room, break_on_hyphens=False)
        lines += [head + first, *(" " * len(head) + text for text in more)]
    return lines


def about_lines(about: Mapping[str, Any]) -> list[str]:
    """The kernel itself: what it reads, how long it is, and the digest of its packed form."""
    rows = [f"  {name:<{LABEL}}{size:>6} lines" for name, size in about["lines"].items()]
    return [
        "The kernel",
        *row("reads", f"{about['format']}, version {about['version']}"),
        *row("rules", str(about["rules"])),
        *rows,
        *row("SHA-256", about["digest"]),
    ]


def row(label: str, text: str) -> list[str]:
    """One labelled paragraph of a report."""
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=f"  {label:<{LABEL}}",
        subsequent_indent=" " * (LABEL + 2),
        break_on_hyphens=False,
    )
