"""Old links to pages that were divided."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_ext"


@pytest.mark.slow
def test_an_old_anchor_leads_to_the_page_that_has_it_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(EXTENSIONS), *sys.path])
    application = pytest.importorskip("sphinx.application")
    pages = tmp_path / "docs"
    (pages / "reference" / "cli").mkdir(parents=True)
    (pages / "index.md").write_text("# Top\n\n```{toctree}\nreference/cli\n```\n")
    (pages / "reference" / "cli.md").write_text("# Commands\n\n```{toctree}\ncli/verify\n```\n")
    (pages / "reference" / "cli" / "verify.md").write_text("# verify\n\n(dpverify-verify)=\n\n## Options\n")
    sphinx = application.Sphinx(
        *(pages, None, tmp_path / "built", tmp_path / "trees", "html"),
        confoverrides={"extensions": ["myst_parser", "moved"]},
        status=None,
    )
    sphinx.build()
    assert '"dpverify-verify": "cli/verify.html"' in (tmp_path / "built/reference/cli.html").read_text()
    assert "const moved" not in (tmp_path / "built/reference/cli/verify.html").read_text()
