"""A sheet in a notebook: a titled table, as HTML and as Markdown; everything from outside is escaped."""

from __future__ import annotations

import re
from html import escape

from dpverify.show.sheet import Row, Sheet, sheet
from dpverify.show.words import printable

COLOURS = {"good": "#1a7f37", "bad": "#cf222e", "open": "#9a6700"}
LABEL = "text-align:left;vertical-align:top;white-space:normal;padding-right:1em"
CELL = "text-align:left;vertical-align:top;white-space:normal;overflow-wrap:anywhere"


def answer(value: object, form: str) -> str:
    """What a notebook shows of a result, as "html" or as "markdown"."""
    return {"html": html, "markdown": markdown}[form](sheet(value))


def html(sheet: Sheet) -> str:
    """The sheet as a table that carries its own style."""
    body = "".join(
        f"<tr><th scope='row' style='{LABEL}'>{escape(label)}</th><td style='{CELL}'>{escape(text)}</td></tr>"
        for label, text in _cells(sheet)
    )
    head = f"<caption style='text-align:left;font-weight:bold'>{escape(printable(sheet.title))}</caption>"
    return f"<table style='border-left:4px solid {COLOURS[sheet.tone]};max-width:60em'>{head}{body}</table>"


def markdown(sheet: Sheet) -> str:
    """The same as a table of Markdown."""
    rows = [f"| {plain(label)} | {plain(text)} |" for label, text in _cells(sheet)]
    return "\n".join([f"**{plain(sheet.title)}**", "", "| | |", "| --- | --- |", *rows]) + "\n"


def plain(text: str) -> str:
    """Text in which Markdown finds nothing to mark up."""
    return re.sub(r"([\\`*_{}\[\]<>#!|~$&])", r"\\\1", printable(" ".join(text.split())))


def _cells(sheet: Sheet) -> list[tuple[str, str]]:
    """Labels and texts, the leading sentence after the question."""
    parts = [list(part.rows) for part in sheet.parts]
    if sheet.lead:
        parts.insert(1, [Row("reason", sheet.lead)])
    rows = [row for part in parts for row in part]
    return [(printable(r.label), printable(": ".join(filter(None, (r.status, r.plain))))) for r in rows]
