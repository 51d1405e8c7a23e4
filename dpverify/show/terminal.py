"""A sheet in the terminal, at its width or at 80 columns, in colour where colours are seen."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence

import click

from dpverify.show.sheet import Part, Row, Sheet
from dpverify.show.words import TONES, printable

WIDTH, NARROWEST, INDENT, GAP = 80, 40, "  ", "  "
INK = {"good": 32, "bad": 31, "open": 33}  # green, red and yellow of a terminal
# Where a long formula may be broken: before an operator, after a comma; never inside a name or a number.
PIECES = re.compile(r"\*\*|[(\[]+|[A-Za-z_][\w.]*\(*|\d[\w.]*|.[)\],]*")


def show(sheet: Sheet, least: int = 0) -> None:
    """Print the sheet; `least` is the least width of the labels."""
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for line in lines(sheet, width(), least, coloured):
        click.echo(line, color=coloured)


def width() -> int:
    """The terminal's width, and 80 where there is no terminal."""
    return max(NARROWEST, shutil.get_terminal_size((WIDTH, 24)).columns)


def lines(sheet: Sheet, width: int = WIDTH, least: int = 0, coloured: bool = False) -> list[str]:
    """The title and the leading sentence; then the parts, an empty line between them."""
    found = [_ink(printable(sheet.title), sheet.tone, coloured, bold=True)]
    found += [INDENT + line for line in wrapped(sheet.lead, width - len(INDENT))] if sheet.lead else []
    for row in sheet.notes:
        found += [INDENT + line for line in wrapped(row.plain, width - len(INDENT))]
    for place, part in enumerate(sheet.parts):
        found += [""] if place or sheet.lead else []
        found += _part(part, width, least, coloured)
    return found


def _part(part: Part, width: int, least: int, coloured: bool) -> list[str]:
    found = [INDENT + part.title] if part.title else []
    for note in part.notes:
        found += [INDENT + line for line in wrapped(note, width - len(INDENT))]
    found += rows(part.rows, width, least, coloured)
    for point in part.points:
        first, *more = wrapped(point, width - 4)
        found += [f"{INDENT}- {first}", *(f"{INDENT}  {line}" for line in more)]
    found += [INDENT + line for line in wrapped(part.coda, width - len(INDENT))] if part.coda else []
    return found


def rows(given: Sequence[Row], width: int = WIDTH, least: int = 0, coloured: bool = False) -> list[str]:
    """Labels in a column of their own; statuses too, and places of rules, which every row of its part has."""
    placed = bool(given) and all(row.text and row.code for row in given)
    label = max([0 if placed else least, *(len(printable(row.label)) for row in given)])
    sides = [printable(row.code if placed else row.status) for row in given]
    side = max([0, *map(len, sides)])
    found = []
    for row, told in zip(given, sides, strict=True):
        head = f"{INDENT}{printable(row.label):<{label}}{GAP if label else ''}"
        margin = " " * (len(head) + (side + len(GAP) if side else 0))
        shown = f"{_ink(told, TONES.get(row.status, 'open'), coloured and bool(row.status))}{' ' * (side - len(told))}"
        first, *more = wrapped(row.text if placed else row.plain, max(width - len(margin), NARROWEST // 2)) or [""]
        found.append((head + (shown + GAP if side else "") + first).rstrip())
        found += [margin + line for line in more]
    return found


def wrapped(text: str, room: int) -> list[str]:
    """The text in lines of at most so many characters, broken at spaces; a long formula before an operator."""
    found, line = [], ""
    for word in re.findall(r" *[^ ]+", printable(text)):
        if len(line) + len(word) <= room:
            line += word
            continue
        if line:
            found.append(line)
        line = word.lstrip()
        if len(line) > room:
            *whole, line = _broken(line, room)
            found += whole
    return [*found, line] if line else found


def _broken(word: str, room: int) -> list[str]:
    found, line = [], ""
    for piece in PIECES.findall(word):
        while len(piece) > room:  # a digest, say
            found += [line] if line else []
            line, piece = "", piece
            found.append(piece[:room])
            piece = piece[room:]
        if len(line) + len(piece) > room:
            found.append(line)
            line = ""
        line += piece
    return [*found, line]


def _ink(text: str, tone: str, coloured: bool, bold: bool = False) -> str:
    return f"\x1b[{'1;' if bold else ''}{INK[tone]}m{text}\x1b[0m" if coloured and text else text
