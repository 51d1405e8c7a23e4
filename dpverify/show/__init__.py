"""Results for people: one sheet of labelled rows, which the terminal, notebooks, HTML, Markdown and PDF write.

`sheet` makes it of a result, an audit, a calibration, ...; `examine` and `report` make it of a certificate's file, for
a reviewer; `write` puts any sheet into a file. Nothing below imports this room: results know of it through `shown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpverify.show.sheet import Part, Row, Sheet, sheet

if TYPE_CHECKING:
    from dpverify.show.document import write
    from dpverify.show.examination import Examination, examine
    from dpverify.show.reports import report

_HOMES = {"write": "document", "Examination": "examination", "examine": "examination", "report": "reports"}

__all__ = ["Examination", "Part", "Row", "Sheet", "examine", "report", "sheet", "write"]


def __getattr__(name: str) -> Any:
    """What reports need, imported when it is first used: the terminal does without."""
    if name not in _HOMES:
        raise AttributeError(f"module 'dpverify.show' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"dpverify.show.{_HOMES[name]}"), name)
