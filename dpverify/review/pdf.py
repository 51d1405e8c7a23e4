"""A page as PDF, by fpdf2, with matplotlib's fonts and its rendering of formulas."""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify.review.page import Item, Page
from dpverify.review.picture import INK

if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN, WIDTH, LABEL, LINE = 18.0, 174.0, 36.0, 4.8
FACE, CODE = "DejaVu", "DejaVuMono"
FONTS = ((FACE, "", "DejaVuSans.ttf"), (FACE, "B", "DejaVuSans-Bold.ttf"), (CODE, "", "DejaVuSansMono.ttf"))
COLOURS = {
    "good": (17, 101, 45),
    "bad": (166, 27, 36),
    "ink": (27, 31, 36),
    "soft": (81, 88, 95),
    "line": (205, 209, 214),
}
STATUS = {"proved": "good", "refuted": "bad", "undecided": "soft"}
DPI = 400


def pdf(page: Page) -> bytes:
    """The page on A4, with a title, a language, headings as an outline, and the plot described in words."""
    paper = _paper(page)
    _header(paper, page)
    if page.items:
        _heading(paper, "The claim")
        _rows(paper, page.items)
        _paragraph(paper, f"By {page.theorem}" if page.theorem else "", colour="soft")
    if page.picture is not None:
        _figure(paper, page)
    if page.hypotheses:
        _heading(paper, "Hypotheses")
        _paragraph(paper, page.charts)
        paper.ln(1.6)
        for h in page.hypotheses:
            _keep(paper, 20)
            _words(paper, f"{h.name}: ", h.status, STATUS[h.status])
            _formula(paper, h.formula)
            _paragraph(paper, h.why)
            paper.ln(1.6)
    if page.audit:
        _heading(paper, "Audit")
        _paragraph(paper, page.audit_sentence)
        _rows(paper, page.audit)
        _paragraph(paper, "The audit is taken from its file as it is; its samples were not drawn again.", colour="soft")
    accepted = page.examined.claim is not None
    if accepted:
        _heading(paper, "Assumptions")
        _paragraph(paper, "" if page.assumptions else "None: the checker derives every step from the generator's text.")
        _bullets(paper, page.assumptions)
    if page.reading is not None:
        _heading(paper, "What it rests on")
        _paragraph(paper, page.read)
        paper.ln(1.2)
        _rows(paper, [Item(rule.number, rule.title, code=rule.place) for rule in page.reading.rules])
    _heading(paper, "Checking it again")
    told = "accepted the certificate" if accepted else "refused the certificate"
    _paragraph(
        paper, f"The kernel replayed and {told} when this report was written. Do not trust the report: check the file."
    )
    again = [
        Item("File", f"{page.examined.size} bytes:", code=page.name),
        Item("SHA-256", code=page.examined.sha256),
    ]
    checker = Item("The checker's SHA-256", code=page.kernel)
    _rows(paper, [*again, *(Item(label, code=command) for label, command in page.commands), checker])
    if page.limits:
        _heading(paper, "What it does not cover")
        _bullets(paper, page.limits)
    return bytes(paper.output())


def _paper(page: Page) -> FPDF:
    from fpdf import FPDF
    from fpdf.enums import XPos, YPos

    class Paper(FPDF):
        def footer(self) -> None:
            self.set_y(-12)
            self.set_font(FACE, size=7.5)
            self.set_text_color(*COLOURS["soft"])
            text = f"SHA-256 {page.examined.sha256[:16]}…   page {self.page_no()} of {{nb}}"
            self.cell(0, 4, text, align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    paper = Paper(format="A4")
    folder = _fonts()
    for family, style, file in FONTS:
        paper.add_font(family, style, folder / file)
    paper.set_margins(MARGIN, 16, MARGIN)
    paper.c_margin = 0
    paper.set_auto_page_break(True, 18)
    paper.set_lang("en")
    paper.set_title(f"{page.title}: {page.name}")
    paper.set_creator("dpverify")
    paper.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    paper.add_page()
    return paper


@cache
def _fonts() -> Path:
    from matplotlib import get_data_path

    return Path(get_data_path()) / "fonts" / "ttf"


def _header(paper: FPDF, page: Page) -> None:
    _paragraph(paper, "Report on a privacy certificate", colour="soft")
    paper.start_section(page.title)
    _paragraph(paper, page.title, size=18, style="B", colour=page.tone)
    paper.ln(1)
    _paragraph(paper, page.sentence, size=10.5)
    if page.statement:
        paper.ln(1)
        _formula(paper, page.statement, size=12)
        paper.ln(1)
    _paragraph(paper, page.because)
    _paragraph(paper, page.message, family=CODE, size=8)


def _heading(paper: FPDF, text: str) -> None:
    _keep(paper, 24)
    paper.ln(4)
    paper.start_section(text, level=1)
    _paragraph(paper, text, size=12, style="B")
    paper.set_draw_color(*COLOURS["line"])
    paper.line(MARGIN, paper.get_y() + 0.4, MARGIN + WIDTH, paper.get_y() + 0.4)
    paper.ln(1.8)


def _paragraph(
    paper: FPDF,
    text: str,
    *,
    size: float = 9,
    style: str = "",
    colour: str = "ink",
    family: str = FACE,
    left: float = 0,
) -> None:
    if not text:
        return
    paper.set_font(family, style=style, size=size)
    paper.set_text_color(*COLOURS[colour])
    paper.set_x(MARGIN + left)
    paper.multi_cell(WIDTH - left, size * 0.52, _shown(text), align="L", new_x="LMARGIN", new_y="NEXT")


def _words(paper: FPDF, bold: str, text: str, colour: str) -> None:
    for words, style, tone in ((bold, "B", "ink"), (text, "B", colour)):
        paper.set_font(FACE, style=style, size=9)
        paper.set_text_color(*COLOURS[tone])
        paper.write(LINE, _shown(words))
    paper.ln(LINE + 0.4)


def _bullets(paper: FPDF, texts: Iterable[str]) -> None:
    for text in texts:
        y = paper.get_y()
        paper.set_font(FACE, size=9)
        paper.set_text_color(*COLOURS["ink"])
        _keep(paper, 10)
        y = paper.get_y()
        paper.cell(4, LINE, "•")
        paper.set_y(y)
        _paragraph(paper, text, left=4)
        paper.ln(0.6)


def _rows(paper: FPDF, items: Iterable[Item]) -> None:
    """Labels at the left, and beside each its formula, words and code below one another."""
    for item in items:
        _keep(paper, 14)
        top = paper.get_y()
        paper.set_font(FACE, style="B", size=9)
        paper.set_text_color(*COLOURS["ink"])
        paper.multi_cell(LABEL - 2, LINE, item.label, align="L", new_x="LMARGIN", new_y="NEXT")
        below, page = paper.get_y(), paper.page
        paper.set_y(top)
        if item.formula:
            _formula(paper, item.formula, size=9, left=LABEL)
        _paragraph(paper, item.text, colour="soft", left=LABEL)
        if item.code:
            _paragraph(paper, item.code, family=CODE, size=8, left=LABEL)
        if paper.page == page:
            paper.set_y(max(below, paper.get_y()))
        paper.ln(0.8)


def _figure(paper: FPDF, page: Page) -> None:
    assert page.picture is not None
    _keep(paper, 76)
    _heading(paper, page.picture.title)
    wide = 100.0
    paper.image(io.BytesIO(page.picture.png()), x=MARGIN + (WIDTH - wide) / 2, w=wide, alt_text=page.picture.alt)
    paper.ln(1)
    _paragraph(
        paper, f"{page.picture.caption} Curves are drawn for the eye; the proof does not rest on them.", colour="soft"
    )


def _formula(paper: FPDF, formula: str, size: float = 10, left: float = 0) -> None:
    """A formula as a picture, or as its LaTeX where it has cases."""
    drawn = _mathtext(formula, size)
    if drawn is None:
        _paragraph(paper, formula, family=CODE, size=8, left=left)
        return
    image, width, height = drawn
    shrunk = min(1.0, (WIDTH - left) / width)
    _keep(paper, height * shrunk)
    paper.image(io.BytesIO(image), x=MARGIN + left, w=width * shrunk, h=height * shrunk, alt_text=formula)
    paper.ln(0.8)


@cache
def _mathtext(formula: str, size: float) -> tuple[bytes, float, float] | None:
    """A PNG with its width and height in mm."""
    from matplotlib import mathtext, rc_context
    from matplotlib.font_manager import FontProperties

    file = io.BytesIO()
    try:
        with rc_context({"mathtext.fontset": "dejavusans"}):
            mathtext.math_to_image(
                f"${formula}$", file, dpi=DPI, format="png", color=INK, prop=FontProperties(size=size)
            )
    except ValueError:
        return None
    width, height = _size(file.getvalue())
    return file.getvalue(), width / DPI * 25.4, height / DPI * 25.4


def _size(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _keep(paper: Any, height: float) -> None:
    """Begin a page where less than that height is left."""
    if paper.will_page_break(height):
        paper.add_page()


def _shown(text: str) -> str:
    """The text with what the font has no letter for as a code point, so that nothing vanishes."""
    return "".join(c if ord(c) in _letters() else f"U+{ord(c):04X}" for c in text)


@cache
def _letters() -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(str(_fonts() / FONTS[0][2])).get_charmap())
