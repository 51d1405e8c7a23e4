"""The static folder in a browser that reaches nothing but the folder's own server."""

from __future__ import annotations

import functools
import http.server
import json
import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpverify.classroom import exercise
from dpverify.classroom.bundle import LARGEST, PYODIDE, Download, build, fetched, store
from dpverify.errors import InputError
from tests.browser import Watched, chromium, has_mathematics_font

LONG = 240_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("classroom")
    try:
        size = build(made, store())
    except InputError as error:
        pytest.skip(f"the classroom cannot be built here: {error}")
    assert size <= LARGEST
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.mark.campaign
def test_from_a_generator_to_the_kernels_replay_in_the_page(address: str, tmp_path: Path) -> None:
    """One visit, since Python takes its time to load: a link, a proof, its certificate, forgeries, exercises."""
    with chromium() as browser:
        watched = Watched(browser, address, viewport={"width": 1280, "height": 900})
        page = watched.page
        page.set_default_timeout(LONG)
        page.goto(f"{address}#f=student_t&d=2&Delta=1/3&sigma=1&p.nu=3")
        settled(page, "private")
        assert page.locator("#verdict h2").inner_text().startswith(f"ε = {5 * math.asinh(1 / 6 / math.sqrt(3)):.7f}")
        assert page.locator("#verdict p > math").count() == 1  # within its sentence's line
        assert page.locator("svg").count() == 4 and all(labels(page))
        assert has_mathematics_font(page)
        accepted(page, "true")
        assert page.evaluate("classroom.strangers") == []
        beside = page.locator("#generator").bounding_box(), page.locator("#plot-loss svg").bounding_box()
        assert beside[1]["x"] > beside[0]["x"] + beside[0]["width"] and beside[1]["y"] < 900

        with page.expect_download() as download:
            page.get_by_text("Download the certificate").click()
        download.value.save_as(tmp_path / "c.json")
        claim = json.loads((tmp_path / "c.json").read_text())["claim"]
        assert (claim["sensitivity"], claim["dimension"], claim["parameters"]) == ("1/3", 2, {"nu": "3"})

        page.locator("#kernel summary").click()
        text = page.locator("#certificate").input_value()
        page.locator("#certificate").fill(text.replace(claim["epsilon"]["upper"], "12/25"))
        page.get_by_role("button", name="Let the kernel check it").click()
        accepted(page, "false")
        page.locator("#certificate").fill("{")
        page.get_by_role("button", name="Let the kernel check it").click()
        accepted(page, "false")

        page.locator("#generator").fill("exp(-y)")
        settled(page, "not_private")
        assert "f=exp" in page.url and "student" not in page.url
        page.locator("#generator").fill("exp(-<b>r")
        settled(page, "wrong")
        assert page.locator("#kernel").is_hidden() and "column" in page.locator("#trouble").inner_text()
        # a long proof that is superseded is ended, and the last question is answered
        page.locator("#generator").fill("exp(-sqrt(y))*(1+2/(1+exp(5*(r-1000))))*(3+sin(r))")
        settled(page, "waiting")
        page.locator("#generator").fill("exp(-2*sqrt(y))")
        settled(page, "private")
        assert page.locator("#verdict h2").inner_text().startswith("ε = 2/3")

        form = page.locator("#exercise-pole form")
        for text, right in (("exp(-r)", "false"), ("exp(-r)/r", "true")):
            form.get_by_label("f in y or r").fill(text)
            form.get_by_role("button", name="Check").click()
            page.wait_for_selector(f"#exercise-pole .grade[data-right={right}]")
        for key in exercise("which-is-private").right["private"].split():
            page.locator(f"#exercise-which-is-private input[value={key}]").check()
        page.locator("#exercise-which-is-private button").click()
        page.wait_for_selector("#exercise-which-is-private .grade[data-right=true]")
        page.locator("#exercise-sampler .bench").click()
        page.locator(".onbench", has_text="true answer 0").wait_for()

        page.set_viewport_size({"width": 390, "height": 800})
        assert watched.fits()
        assert watched.trouble == []

        # a later visit loads nothing, and finds Python as it was left
        born, before = page.evaluate("classroom.born"), len(Quiet.asked)
        page.goto("about:blank")
        page.goto(address)
        settled(page, "private")
        accepted(page, "true")
        assert page.evaluate("classroom.born") == born
        assert set(Quiet.asked[before:]) <= {"/service.js"}  # whether there is another version


def settled(page: Any, verdict: str) -> None:
    page.wait_for_selector(f"#verdict[data-verdict={verdict}]")


def accepted(page: Any, whether: str) -> None:
    page.wait_for_selector(f"#replay[data-accepted={whether}]")


def labels(page: Any) -> list[str]:
    found: list[str] = page.locator("svg").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    return found


def test_other_bytes_than_expected_are_refused(tmp_path: Path) -> None:
    (tmp_path / PYODIDE.file).write_bytes(b"other")
    with pytest.raises(InputError, match="not the bytes that are expected"):
        fetched(PYODIDE, tmp_path)


@pytest.mark.slow
def test_a_client_that_is_missing_or_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="npm, which is not installed"):
        fetched(PYODIDE, tmp_path)
    with pytest.raises(InputError, match="cannot be downloaded"):
        fetched(Download("x", "", (str(tmp_path / "none"),), "pip"), tmp_path)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years")
    with pytest.raises(InputError, match="something else"):
        build(tmp_path, tmp_path)
    assert (tmp_path / "thesis.tex").exists()
