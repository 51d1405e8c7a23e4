"""A report in a real browser: on a screen, on a telephone, in the dark, on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dpverify.show import examine, write
from tests.browser import Watched, chromium
from tests.show.files import GALLERY, forged
from tests.show.test_reports import hostile_field

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def contrast(page: Any, selector: str) -> float:
    """The contrast of a text with the page, as WCAG 2 defines it."""
    colours = page.eval_on_selector(
        selector, "e => [getComputedStyle(e).color, getComputedStyle(document.body).backgroundColor]"
    )
    ink, paper = (luminance([int(x) for x in c.split("(")[1].rstrip(")").split(",")[:3]]) for c in colours)
    return (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05)


def luminance(rgb: list[int]) -> float:
    parts = [x / 255 / 12.92 if x <= 10 else ((x / 255 + 0.055) / 1.055) ** 2.4 for x in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.swept(stay=2)
@pytest.mark.parametrize("name", ("student-t-nu3-d2", "multivariate-laplace-d2", "negative-somewhere"))
def test_a_report_reads_well_everywhere(browser: Any, tmp_path: Path, name: str) -> None:
    (file,) = write(examine(GALLERY / f"{name}.json"), tmp_path / f"{name}.html")
    for scheme, width in (("light", 1280), ("dark", 390), ("light", 320)):
        watched = Watched(browser, file.as_uri(), color_scheme=scheme, viewport={"width": width, "height": 800})
        page = watched.page
        page.goto(file.as_uri())
        assert watched.fits(), (name, width)
        for selector in ("h1", ".kind", ".status", "dt", "figcaption", "code", ".lead"):
            assert contrast(page, selector) >= 4.5, (name, scheme, selector)
        levels = page.eval_on_selector_all("h1, h2, h3", "e => e.map(x => +x.tagName[1])")
        assert all(after <= before + 1 for before, after in pairwise(levels))
        heights = page.eval_on_selector_all("math", "e => e.map(x => x.getBoundingClientRect().height)")
        assert all(height > 8 for height in heights)
        fractions = page.eval_on_selector_all("mfrac", "e => e.map(x => x.getBoundingClientRect().height)")
        assert fractions == [] or min(fractions) > 10  # set as a fraction, and not as letters in a row
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        assert watched.trouble == []
        page.close()


def test_a_refused_hostile_certificate_runs_nothing(browser: Any, tmp_path: Path) -> None:
    examined = examine(forged("student-t-nu3-d2", hostile_field, tmp_path / "c.json"))
    (file,) = write(examined, tmp_path / "r.html")
    watched = Watched(browser, file.as_uri())
    watched.page.goto(file.as_uri())
    assert watched.page.locator("h1").inner_text() == "Certificate not accepted"
    assert watched.page.locator("script, img").count() == 0
    assert watched.trouble == []


@pytest.mark.sweep
def test_printed_it_takes_two_sheets(browser: Any, tmp_path: Path) -> None:
    (file,) = write(examine(GALLERY / "student-t-nu3-d2.json"), tmp_path / "r.html")
    page = browser.new_page()
    page.goto(file.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) == 2
