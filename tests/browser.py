"""Headless Chromium for the tests that look at pages as a reader does; they skip where it is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser of Playwright's, by the system's Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page of the browser, with all that a reader must never meet: errors, dialogs, requests elsewhere."""

    def __init__(self, browser: Any, allowed: str, **options: Any) -> None:
        self.page = browser.new_page(**options)
        self.trouble: list[str] = []
        self.page.on("console", lambda m: self.trouble.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.trouble.append(f"dialog {dialog.message}"), dialog.dismiss()))
        inside = (allowed, allowed.replace("http", "ws", 1), "data:", "blob:")
        self.page.on("request", lambda r: None if r.url.startswith(inside) else self.trouble.append(r.url))

    def fits(self) -> bool:
        """Whether nothing sticks out at the right."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def has_mathematics_font(page: Any) -> bool:
    """Whether the page's formulas are set with the font that it brings."""
    fonts = "[...document.fonts].filter((font) => font.family.includes('dpverify Math'))"
    return bool(page.evaluate(f"{fonts}.some((font) => font.status === 'loaded')"))
