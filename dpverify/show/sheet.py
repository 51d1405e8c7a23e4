"""The sheet: what there is to say of a result, in order, whatever it is written as.

A result, an audit or a certificate becomes one sheet, and the terminal, notebooks, HTML, Markdown and PDF are five
ways to write any sheet. Text from outside is only data here: each writer escapes it in its own way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpverify.show.plots.picture import Picture

# Where the results of a room become sheets; loaded for a value of that room, so that none loads the others.
HOMES = {
    "results": "verdicts",
    "api": "verdicts",
    "calibration": "calibrations",
    "mahalanobis": "sensitivities",
    "mechanisms": "equivalences",
    "audit": "audits",
    "symbolic": "derivation",
    "generators": "catalogue",
    "profiles": "profiles",
    "composition": "profiles",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A label and what it says: words, a formula (LaTeX composed here), and code, which is text from outside or digits.

    `status` is "proved", "refuted" or "undecided" for a hypothesis.
    """

    label: str
    text: str = ""
    formula: str | None = None
    code: str = ""
    status: str = ""

    @property
    def plain(self) -> str:
        """The row without formulas, for the terminal and for notebooks."""
        return " ".join(filter(None, (self.text, self.code))) or self.formula or ""


@dataclass(frozen=True, slots=True)
class Part:
    """A section: a title ("" for none), paragraphs, rows, points of a list, a picture, and what is said at its end.

    `dense` rows are many and short, such as a list of rules.
    """

    title: str = ""
    notes: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    points: tuple[str, ...] = ()
    picture: Picture | None = None
    coda: str = ""
    dense: bool = False

    @property
    def name(self) -> str:
        """The title as an anchor."""
        return self.title.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A title in a tone ("good", "bad" or "open"), a leading sentence, a formula that states it, and the parts.

    `kind` says what the sheet is, `subject` what it is about (a file's name), `headline` what it is called among
    many, `foot` what a page of paper ends with.
    """

    title: str
    tone: str
    lead: str = ""
    statement: str | None = None
    notes: tuple[Row, ...] = ()
    parts: tuple[Part, ...] = ()
    kind: str = ""
    subject: str = ""
    headline: str = ""
    foot: str = ""

    @property
    def rows(self) -> list[Row]:
        """The rows of all parts."""
        return [row for part in self.parts for row in part.rows]

    @property
    def pictures(self) -> list[Picture]:
        """The pictures of all parts."""
        return [part.picture for part in self.parts if part.picture is not None]

    def part(self, title: str) -> Part:
        """The part of that title; raises KeyError where there is none."""
        found = next((part for part in self.parts if part.title == title), None)
        if found is None:
            raise KeyError(title)
        return found


@singledispatch
def sheet(value: object) -> Sheet:
    """A result, calibration, curve, audit, formula, sensitivity, family or certificate's check as its sheet.

    Raises TypeError for anything else.
    """
    package, _, room = type(value).__module__.partition(".")
    home = HOMES.get(room.partition(".")[0]) if package == "dpverify" else None
    if home is not None:
        import_module(f"dpverify.show.{home}")  # registers its types
    found = sheet.dispatch(type(value))
    if found is sheet.dispatch(object):
        raise TypeError(f"there is no sheet of a {type(value).__name__}")
    return found(value)
