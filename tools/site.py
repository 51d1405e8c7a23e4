"""The site of every version side by side: build/site/VERSION, and at its top a page that lists them.

`make site` builds the docs and adds them to what build/site has; the owner keeps that folder, or a branch with it,
where it is served. The page at the top leads to the newest version. Every page asks the script at the top for the
versions that there are, so that a reader of an old one finds the newest, and no old page has to be built again.
"""

from __future__ import annotations

import json
import re
import shutil
from html import escape
from pathlib import Path

from dpverify.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>dpverify: versions of the documentation</title></head>
<body style="font: 1.1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem">
<h1>dpverify</h1>
<p>The documentation of the newest version is <a href="{newest}/index.html">{newest}</a>.</p>
<ul>{items}</ul></body></html>
"""

SWITCH = Path(__file__).with_name("versions.js")
SIDEBAR = 'class="sidebar-brand"'
TAG = '<script src="{up}versions.js" data-version="{version}" defer></script>'


def versions(folder: Path) -> list[str]:
    """The versions that a site has, the newest first."""
    found = [path.name for path in folder.iterdir() if re.fullmatch(r"[0-9]+(\.[0-9]+)*", path.name)]
    return sorted(found, key=lambda name: tuple(map(int, name.split("."))), reverse=True)


def add(built: Path, site: Path, version: str) -> Path:
    """Put a built site into its version's folder, and write the page that lists all; returns that page."""
    site.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(site / version, ignore_errors=True)
    shutil.copytree(built, site / version)
    for path in (site / version).rglob("*.html"):
        _ask_for_versions(path, site, version)
    found = versions(site)
    switch = SWITCH.read_text(encoding="utf-8").replace("VERSIONS", json.dumps(found))
    (site / SWITCH.name).write_text(switch, encoding="utf-8")
    items = "".join(f'<li><a href="{name}/index.html">{escape(name)}</a></li>' for name in found)
    page = site / "index.html"
    page.write_text(PAGE.format(newest=found[0], items=items), encoding="utf-8")
    return page


def _ask_for_versions(path: Path, site: Path, version: str) -> None:
    """Only pages of the docs have a place for a switch; what is copied beside them stays as it is."""
    text = path.read_text(encoding="utf-8")
    if SIDEBAR in text:
        tag = TAG.format(up="../" * (len(path.relative_to(site).parts) - 1), version=version)
        path.write_text(text.replace("</body>", f"{tag}</body>"), encoding="utf-8")


if __name__ == "__main__":
    print(add(ROOT / "build" / "docs", ROOT / "build" / "site", __version__))
