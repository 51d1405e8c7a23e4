"""Results in notebooks: a titled table, as HTML and as Markdown; everything from outside is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from dpverify.report.words import THEOREMS, TITLES, exact, printable

if TYPE_CHECKING:
    from dpverify.results import Result

COLOURS = {"good": "#1a7f37", "bad": "#cf222e", "open": "#9a6700"}
VERDICTS = {"private": "good", "not_private": "bad", "invalid": "bad", "undecided": "open"}
TONES = VERDICTS | {"consistent": "good", "violated": "bad", "no_claim": "open"}
LABEL = "text-align:left;vertical-align:top;white-space:normal;padding-right:1em"
CELL = "text-align:left;vertical-align:top;white-space:normal;overflow-wrap:anywhere"


@dataclass(frozen=True, slots=True)
class Table:
    """A title in a tone ("good", "bad" or "open"), and rows of a label and a text."""

    title: str
    tone: str
    rows: Sequence[tuple[str, str]]

    def html(self) -> str:
        body = "".join(
            f"<tr><th scope='row' style='{LABEL}'>{_shown(label)}</th><td style='{CELL}'>{_shown(text)}</td></tr>"
            for label, text in self.rows
        )
        head = f"<caption style='text-align:left;font-weight:bold'>{_shown(self.title)}</caption>"
        return f"<table style='border-left:4px solid {COLOURS[self.tone]};max-width:60em'>{head}{body}</table>"

    def markdown(self) -> str:
        lines = [f"**{_plain(self.title)}**", "", "| | |", "| --- | --- |"]
        return "\n".join([*lines, *(f"| {_plain(label)} | {_plain(text)} |" for label, text in self.rows)]) + "\n"


class Shown:
    """What a notebook shows as its table."""

    __slots__ = ()

    def table(self) -> Table:
        """The title and the rows."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return self.table().html()

    def _repr_markdown_(self) -> str:
        return self.table().markdown()


def _shown(text: str) -> str:
    return escape(printable(text))


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#!|~$&])", r"\\\1", printable(" ".join(text.split())))


def result_table(result: Result) -> Table:
    """A result of `verify`: the question, the answer, and why."""
    generator = result.generator
    bound = "".join(f", {name} = {value}" for name, value in generator.parameters.items())
    rows = [("f(y)", generator.text)]
    if result.mixing is not None:
        law = f"  ({result.mixing.law})" if result.mixing.law else ""
        rows.append(("mixing law of V", f"{result.mixing.density}{law}"))
    rows += [
        ("with", f"d = {generator.dimension}{bound}, Delta = {result.sensitivity}, sigma = {result.scale}"),
        ("reason", result.reason),
    ]
    if result.epsilon:
        rows += [
            ("epsilon", result.epsilon.decimal),
            ("at least", exact(result.epsilon.lower)),
            ("at most", exact(result.epsilon.upper)),
            ("formula", result.epsilon.closed_form or "none known"),
        ]
    rows += [(name.replace("_", " "), f"{h.status}: {h.explanation}") for name, h in result.hypotheses.items()]
    if result.mixing is not None:
        moment = {True: "finite", False: "infinite", None: "not settled"}[result.mixing.moment_finite]
        rows += [("E[V^-d]", f"{moment} for d = {generator.dimension}"), ("private for", result.mixing.private_for)]
    if result.theorem:
        rows.append(("by", THEOREMS.get(result.theorem, result.theorem)))
    if result.verdict != "undecided":
        rows.append(("assuming", "; ".join(result.assumptions) or "nothing"))
    return Table(TITLES[result.verdict], TONES[result.verdict], rows)
