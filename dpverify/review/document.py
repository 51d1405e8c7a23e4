"""A page as a file: HTML or Markdown by a template each, PDF by fpdf2."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify import files
from dpverify.errors import InputError
from dpverify.review.examine import Examination
from dpverify.review.page import Page, page_of
from dpverify.review.typeset import mathml

if TYPE_CHECKING:
    from jinja2 import Environment

SUFFIXES = {".html", ".pdf", ".md"}
MISSING = "reports need Jinja, latex2mathml, fpdf2 and matplotlib: pip install 'dpverify[report]'"


def write(examined: Examination, path: str | Path) -> list[Path]:
    """Write the report as the file's suffix says; returns what was written (Markdown has its plot beside it).

    Raises InputError for another suffix, where the file cannot be written, and where libraries are missing.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise InputError(f"{path}: the file's name must end in {', '.join(sorted(SUFFIXES))}")
    try:
        page = page_of(examined)
        rendered = {path: _rendered(page, kind, path)}
        if kind == ".md" and page.picture is not None:
            rendered[_plot(path)] = page.picture.png()
    except ImportError:
        raise InputError(MISSING) from None
    for file, data in rendered.items():
        files.write(file, data)
    return list(rendered)


def html(page: Page) -> str:
    """The page as one HTML file that asks nothing of the network."""
    return environment("dpverify.review", html=True).get_template("report.html").render(page=page)


def markdown(page: Page, plot: str) -> str:
    """The page as Markdown with LaTeX between dollars; `plot` is the name of the picture's file."""
    text = environment("dpverify.review", html=False).get_template("report.md").render(page=page, plot=plot)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _rendered(page: Page, kind: str, path: Path) -> bytes:
    if kind == ".html":
        return html(page).encode()
    if kind == ".md":
        return markdown(page, _plot(path).name).encode()
    from dpverify.review.pdf import pdf

    return pdf(page)


def _plot(path: Path) -> Path:
    return path.with_name(f"{path.stem}-loss.png")


@cache
def environment(package: str, *, html: bool) -> Environment:
    """A package's templates: an unknown name is an error, and in HTML everything is escaped that is not ours."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader(package)
    found = Environment(loader=loader, autoescape=html, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.filters.update(mathml=_mathml, svg=_svg, plain=_plain, code=_code)
    return found


def _mathml(formula: str, display: bool = False) -> Any:
    from markupsafe import Markup

    return Markup(mathml(formula, display))


def _svg(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing to mark up."""
    return re.sub(r"([\\`*_{}\[\]<>#!|~$&])", r"\\\1", " ".join(text.split()))


def _code(text: str) -> str:
    """Text as code, between more backticks than it has in a row."""
    clean = " ".join(text.split()) or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", clean)), default=0))
    edge = " " if clean[0] in "` " or clean[-1] in "` " else ""
    return f"{fence}{edge}{clean}{edge}{fence}"
