"""The docs of several versions side by side, as a reader finds them on any static host."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Watched, chromium
from tools import site

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<link rel="icon" href="data:,"><title>{text}</title></head>
<body><a class="sidebar-brand" href="#">dpverify</a><article><h1>{text}</h1></article></body></html>"""


class Silent(SimpleHTTPRequestHandler):
    """A static host that says nothing."""

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    """Three versions; the page of a topic is in two of them."""
    for version, pages in (
        ("0.9.0", ["index", "how-to/old", "how-to/topic"]),
        ("0.10.0", ["index", "how-to/topic"]),
        ("0.2.0", ["index"]),
    ):
        built = tmp_path / f"built-{version}"
        for name in pages:
            path = built / f"{name}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PAGE.format(text=f"{name} of {version}"))
        (built / "beside.html").write_text("<body>no page of the docs</body>")
        site.add(built, tmp_path / "site", version)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(tmp_path / "site"))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_a_reader_of_an_old_version_is_told_and_finds_the_same_page_of_another(host: str, tmp_path: Path) -> None:
    with chromium() as browser:
        watched = Watched(browser, host)
        page = watched.page
        page.goto(f"{host}/0.9.0/how-to/topic.html")
        choice = page.get_by_label("Version")
        assert choice.locator("option").all_inner_texts() == ["0.10.0", "0.9.0", "0.2.0"]
        assert choice.input_value() == "0.9.0"
        assert page.get_by_role("note").inner_text() == "This page is about version 0.9.0. The newest is 0.10.0."
        page.get_by_role("link", name="0.10.0").click()
        page.wait_for_url(f"{host}/0.10.0/how-to/topic.html")
        page.get_by_role("heading", name="how-to/topic of 0.10.0").wait_for()
        assert page.get_by_role("note").count() == 0
        assert watched.trouble == []
        page.get_by_label("Version").select_option("0.2.0")  # which has no such page
        page.wait_for_url(f"{host}/0.2.0/index.html")
    assert (tmp_path / "site/0.9.0/beside.html").read_text() == "<body>no page of the docs</body>"
