"""A sheet as plain data for the template of the PDF, its formulas in typst's notation."""

from __future__ import annotations

from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from dpverify.show.sheet import Part, Row, Sheet
from dpverify.show.typst import typst
from dpverify.show.words import printable


def data(sheet: Sheet) -> dict[str, Any]:
    """What the template reads; pictures are named plot-0.svg and so on, in the sheet's order."""
    numbers = count()
    return {
        **{name: _shown(getattr(sheet, name)) for name in ("title", "lead", "kind", "subject", "headline", "foot")},
        "tone": sheet.tone,
        "statement": sheet.statement and typst(sheet.statement),
        "notes": [_row(row) for row in sheet.notes],
        "parts": [_part(part, numbers) for part in sheet.parts],
    }


def _part(part: Part, numbers: Any) -> dict[str, Any]:
    picture = None
    if part.picture is not None:
        picture = {"file": f"plot-{next(numbers)}.svg", "alt": _shown(part.picture.alt)}
    return {
        "title": part.title,
        "notes": [_shown(note) for note in part.notes],
        "rows": [_row(row) for row in part.rows],
        "points": [_shown(point) for point in part.points],
        "picture": picture,
        "coda": _shown(part.coda),
        "dense": part.dense,
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        **{name: _shown(getattr(row, name)) for name in ("label", "text", "code")},
        "status": row.status,
        "formula": row.formula and typst(row.formula),
        "spoken": row.formula or "",
    }


def _shown(text: str) -> str:
    """The text with what the fonts have no letter for as a code point, so that nothing vanishes."""
    return "".join(c if ord(c) in _letters() else f"U+{ord(c):04X}" for c in printable(text))


@cache
def _letters() -> frozenset[int]:
    """The letters of the font that stands in for every other."""
    from matplotlib import get_data_path
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(str(Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")).get_charmap())
