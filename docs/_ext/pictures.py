"""The pages' pictures are drawn by their own code blocks: without them no site is built, and it is said how."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ConfigError

PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+\.(?:svg|png))\)")
DRAW = "DPVERIFY_FIGURES=docs/figures python -m pytest tests/docs"


def missing(folder: Path) -> list[Path]:
    """The pictures that pages show and that are not there."""
    shown = {
        (page.parent / name).resolve() for page in folder.rglob("*.md") for name in PICTURE.findall(page.read_text())
    }
    return sorted(path for path in shown if not path.exists())


def require_pictures(app: Sphinx) -> None:
    """Refuse to build a site with broken pictures."""
    left = missing(Path(app.srcdir))
    if left:
        raise ConfigError(f"{len(left)} pictures are not drawn yet, such as {left[0].name}: `make docs`, or {DRAW}")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", require_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
