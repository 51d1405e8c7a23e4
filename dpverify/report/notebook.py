"""A result as HTML, for notebooks."""

from __future__ import annotations

from html import escape

from dpverify.report.words import THEOREMS
from dpverify.results import Result

COLOURS = {"private": "#1a7f37", "not_private": "#cf222e", "invalid": "#cf222e", "undecided": "#9a6700"}


def result_html(result: Result) -> str:
    """A small table; everything that came from outside is escaped."""
    bound = "".join(f", {name} = {value}" for name, value in result.generator.parameters.items())
    rows = [
        ("generator", result.generator.text),
        (
            "with",
            f"d = {result.generator.dimension}{bound}, Delta = {result.sensitivity}, sigma = {result.scale}",
        ),
        ("verdict", result.verdict),
        ("reason", result.reason),
    ]
    if result.epsilon:
        rows += [
            ("epsilon", result.epsilon.decimal),
            ("lower", str(result.epsilon.lower)),
            ("upper", str(result.epsilon.upper)),
            ("closed form", result.epsilon.closed_form or "none known"),
        ]
    rows += [(name.replace("_", " "), f"{h.status}: {h.explanation}") for name, h in result.hypotheses.items()]
    if result.theorem:
        rows.append(("by", THEOREMS.get(result.theorem, result.theorem)))
    rows.append(("assumptions", "; ".join(result.assumptions) or "none"))
    body = "".join(
        f"<tr><th style='text-align:left'>{escape(k)}</th><td style='text-align:left'>{escape(v)}</td></tr>"
        for k, v in rows
    )
    colour = COLOURS[result.verdict]
    return f"<table style='border-left:4px solid {colour}'>{body}</table>"
