"""`python -m benchmarks.classroom`: the static classroom in headless Chromium, from the address to an accepted replay.

Wall time of a first visit (Python is loaded and the first generator proved), of other generators in the same page and
of a return to it, and the folder's size. The machine's load is printed: a first visit keeps two cores busy.
"""

from __future__ import annotations

import functools
import http.server
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from dpverify.classroom.bundle import build, store

LONG = 240_000
# The last answer's marks, so that the next answer's are waited for.
FORGET = (
    "() => { delete document.getElementById('verdict').dataset.verdict;"
    " delete document.getElementById('replay').dataset.accepted; }"
)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def ready(page: Any, started: float) -> float:
    """Seconds since `started` until a verdict stands and the kernel in the page has accepted it."""
    page.wait_for_selector("#verdict[data-verdict=private]", timeout=LONG)
    page.wait_for_selector("#replay[data-accepted=true]", timeout=LONG)
    return time.perf_counter() - started


def visits(browser: Any, address: str) -> list[tuple[str, float]]:
    found = []
    page = browser.new_page()
    started = time.perf_counter()
    page.goto(f"{address}#f=student_t&d=2&Delta=1&sigma=1&p.nu=3")
    found.append(("first visit, t in d = 2", ready(page, started)))
    for text in ("exp(-2*sqrt(y))", "exp(-sqrt(1+y))", "1/(1+y)**4"):
        page.evaluate(FORGET)
        started = time.perf_counter()
        page.locator("#generator").fill(text)
        found.append((f"then {text}", ready(page, started)))
    page.goto("about:blank")
    started = time.perf_counter()
    page.goto(address)
    found.append(("a return", ready(page, started)))
    page.close()
    return found


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        size = build(Path(folder) / "page", store())
        handler = functools.partial(Quiet, directory=str(Path(folder) / "page"))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            print(f"{size / 2**20:.1f} MiB, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
            for what, seconds in visits(browser, f"http://127.0.0.1:{server.server_address[1]}/"):
                print(f"{what}: {seconds:.2f} s")
            browser.close()
            server.shutdown()


if __name__ == "__main__":
    main()
