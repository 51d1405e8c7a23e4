"""A sheet as a file: HTML, Markdown and PDF, a template each."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify import files
from dpverify.errors import InputError
from dpverify.show.examination import Examination
from dpverify.show.notebook import plain
from dpverify.show.reports import report
from dpverify.show.sheet import Sheet, sheet
from dpverify.show.words import printable

if TYPE_CHECKING:
    from jinja2 import Environment

SUFFIXES = {".html", ".pdf", ".md"}
MISSING = "reports need Jinja, latex2mathml and matplotlib: pip install 'dpverify[report]'"
WITHOUT_TYPST = "PDF needs typst beside what reports need: pip install 'dpverify[pdf]'"
LITTLE = 0.3
"""Down to here a last page of paper has little on it."""
TEMPLATES = Path(__file__).with_name("templates")


def write(what: object, path: str | Path) -> list[Path]:
    """Write a report as the file's suffix says; returns what was written (Markdown has its plots beside it).

    `what` is an Examination, a Sheet, or anything that has one: a result, an audit, a calibration.
    Raises InputError for another suffix, where the file cannot be written, and where libraries are missing.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise InputError(f"{path}: the file's name must end in {', '.join(sorted(SUFFIXES))}")
    try:
        made = what if isinstance(what, Sheet) else report(what) if isinstance(what, Examination) else sheet(what)
        rendered = _rendered(made, kind, path)
    except ImportError as error:
        raise InputError(WITHOUT_TYPST if error.name == "typst" else MISSING) from None
    for file, data in rendered.items():
        files.write(file, data)
    return list(rendered)


def html(sheet: Sheet) -> str:
    """The sheet as one HTML file that asks nothing of the network."""
    return environment("dpverify.show", html=True).get_template("sheet.html").render(sheet=sheet, font=font())


def markdown(sheet: Sheet, plot: str) -> str:
    """The sheet as Markdown with LaTeX between dollars; `plot` is the name of the picture's file."""
    text = environment("dpverify.show", html=False).get_template("sheet.md").render(sheet=sheet, plot=plot)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def pdf(sheet: Sheet) -> bytes:
    """The sheet on A4 by typst, tagged, with an outline, and the same bytes each time.

    The template reads the sheet as data, so that no text of it is ever taken for markup; formulas alone are, which are
    composed here. Fonts are those in typst's wheel, and matplotlib's for letters that they lack: none of the system's.
    """
    import typst
    from matplotlib import get_data_path

    from dpverify.show.paper import data

    files = {f"plot-{k}.svg": picture.paper() for k, picture in enumerate(sheet.pictures)}
    files |= {"main.typ": (TEMPLATES / "sheet.typ").read_bytes(), "sheet.json": json.dumps(data(sheet)).encode()}
    fonts = [str(Path(get_data_path()) / "fonts" / "ttf")]
    options: dict[str, Any] = {"ignore_system_fonts": True, "font_paths": fonts}

    def end(inputs: dict[str, str]) -> dict[str, float]:
        told = typst.query(files, "<end>", "value", one=True, sys_inputs=inputs, **options)
        found: dict[str, float] = json.loads(told)
        return found

    plain, close = end({}), {"close": "yes"}
    saved = plain["page"] > 1 and plain["down"] < LITTLE and end(close)["page"] < plain["page"]
    return typst.compile(files, sys_inputs=close if saved else {}, **options)  # type: ignore[call-overload]


@cache
def font() -> Any:
    """The mathematics font as a data URL: a subset of Latin Modern Math (tools/font.py)."""
    from markupsafe import Markup

    return Markup("data:font/woff2;base64," + b64encode((TEMPLATES / "math.woff2").read_bytes()).decode())


def _rendered(made: Sheet, kind: str, path: Path) -> dict[Path, bytes]:
    if kind == ".html":
        return {path: html(made).encode()}
    if kind == ".pdf":
        return {path: pdf(made)}
    plot = path.with_name(f"{path.stem}-loss.png")
    files = {path: markdown(made, plot.name).encode()}
    for picture in made.pictures[:1]:
        files[plot] = picture.png()
    return files


@cache
def environment(package: str, *, html: bool) -> Environment:
    """A package's templates: an unknown name is an error, and in HTML everything is escaped that is not ours."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader(package)
    found = Environment(loader=loader, autoescape=html, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.filters.update(mathml=_mathml, svg=_svg, plain=plain, code=_code, printable=printable)
    return found


def _mathml(formula: str, display: bool = False) -> Any:
    from markupsafe import Markup

    from dpverify.show.formulas import mathml

    return Markup(mathml(formula, display))


def _svg(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def _code(text: str) -> str:
    """Text as code, between more backticks than it has in a row."""
    clean = printable(" ".join(text.split())) or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", clean)), default=0))
    edge = " " if clean[0] in "` " or clean[-1] in "` " else ""
    return f"{fence}{edge}{clean}{edge}{fence}"
