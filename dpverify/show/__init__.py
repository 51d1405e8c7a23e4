"""Results for people: one sheet of labelled rows, which the terminal, notebooks, HTML, Markdown and PDF write.

`sheet` makes it of a result, an audit, a calibration, ...; `examine` and `report` make it of a certificate's file, for
a reviewer; `write` puts any sheet into a file. Nothing below imports this room: results know of it through `shown`.
"""

from dpverify.show.document import SUFFIXES, write
from dpverify.show.examine import Examination, examine
from dpverify.show.report import report
from dpverify.show.sheet import Part, Row, Sheet, sheet

__all__ = ["SUFFIXES", "Examination", "Part", "Row", "Sheet", "examine", "report", "sheet", "write"]
