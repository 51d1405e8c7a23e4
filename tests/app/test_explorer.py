"""The explorer in a real browser, as a reader uses it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Watched, chromium, has_mathematics_font

pytestmark = pytest.mark.slow

SETTLED = "[data-verdict]:not([data-verdict=waiting])"
LONG = 90_000
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The explorer, served on a port of its own choice until the tests end."""
    command = [sys.executable, "-m", "dpverify", "explore", "--no-browser", "--example", "k-norm"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/\S*", server.stdout.readline())
        assert found
        yield found.group(0)
        server.send_signal(signal.SIGINT)
        assert server.wait(300) == 0
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(host_of(found.group(0)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def host_of(address: str) -> tuple[str, int]:
    host, port = address.split("/")[2].split(":")
    return host, int(port)


def open_page(browser: Any, address: str, width: int = 1280) -> Watched:
    watched = Watched(browser, address.split("?")[0], viewport={"width": width, "height": 900})
    watched.page.goto(address)
    watched.page.wait_for_selector(SETTLED, timeout=LONG)
    return watched


def type_generator(page: Any, text: str) -> None:
    page.get_by_role("textbox", name="Generator f").fill(text)


def names_of_controls(page: Any) -> list[str]:
    """What a screen reader calls each control."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    roles = {"slider", "textbox", "combobox", "button"}
    found = [n["name"]["value"] for n in tree if n.get("role", {}).get("value") in roles]
    assert len(found) >= 8
    return found


def epsilon(page: Any) -> str:
    return str(page.locator(".dpv-verdict").inner_text())


@pytest.mark.sweep
def test_from_a_generator_to_a_checked_certificate(browser: Any, address: str, tmp_path: Path) -> None:
    watched = open_page(browser, address)
    page = watched.page
    assert page.locator(SETTLED).get_attribute("data-verdict") == "private"
    assert page.locator(".dpv-plots svg").count() == 4
    assert all(alt for alt in page.locator(".dpv-plots [role=img]").evaluate_all("e => e.map(x => x.ariaLabel)"))
    assert "supremum" in str(page.locator(".dpv-plots [role=img]").first.get_attribute("aria-label"))
    assert page.locator(".dpv-verdict h2").inner_text() == "ε = 1"
    assert not page.locator(".dpv-verdict code").first.is_visible()
    assert all(name and "<" not in name for name in names_of_controls(page))
    assert has_mathematics_font(page)
    below = page.locator(".dpv-plots svg").first.bounding_box()
    field = page.get_by_role("textbox", name="Generator f").bounding_box()
    assert below["x"] > field["x"] + field["width"] and below["y"] + below["height"] < 900

    type_generator(page, "exp(-y)")
    page.wait_for_selector("[data-verdict=not_private]", timeout=LONG)
    assert "Private for no" in epsilon(page)

    type_generator(page, "exp(-a*sqrt(1+y))")
    page.wait_for_selector("[data-verdict=private]", timeout=LONG)
    assert "ε = 1," in epsilon(page)
    assert "step by step" in page.locator(".dpv-proof").inner_text()
    slider = page.get_by_role("slider").first
    slider.focus()
    at = [float(slider.get_attribute("aria-valuenow") or 0)]
    for _ in range(200):  # some presses fall into a redrawing
        slider.press("ArrowRight")
        at.append(float(slider.get_attribute("aria-valuenow") or 0))
        step = next((x - at[0] for x in at if x > at[0]), 0)
        if step and at[-1] > at[0] + 19.5 * step:
            break
    page.get_by_text("ε = 2,").wait_for(timeout=LONG)

    with page.expect_download(timeout=LONG) as download:
        page.get_by_text("Download the certificate").click()
    certificate = tmp_path / "c.json"
    download.value.save_as(certificate)
    claim = json.loads(certificate.read_bytes())["claim"]
    assert (claim["generator"], claim["sensitivity"], claim["parameters"]) == ("exp(-a*sqrt(1+y))", "2", {"a": "1"})
    done = subprocess.run(
        [sys.executable, "-m", "dpverify", "check", str(certificate)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with page.expect_download(timeout=LONG) as download:
        page.get_by_text("Download the report").click()
    report = tmp_path / "report.html"
    download.value.save_as(report)
    assert "<h1>Private</h1>" in report.read_text()
    assert watched.trouble == []


@pytest.mark.sweep
def test_a_link_carries_the_question(browser: Any, address: str) -> None:
    watched = open_page(browser, f"{address.split('?')[0]}?f=exp(-a*r)&d=3&Delta=1/3&sigma=2&p.a=3/2", width=1100)
    page = watched.page
    assert re.match(r"ε = 0\.(25|24999)", page.locator(".dpv-verdict h2").inner_text())
    page.get_by_text("The command, the Python and a link").click()
    assert "--param a=3/2 --sensitivity 1/3 --scale 2" in page.locator(".dpv-elsewhere pre").first.inner_text()
    assert "p.a=3%2F2" in str(page.get_by_text("A link to this question").get_attribute("href"))
    assert watched.fits()
    page.goto(f"{address.split('?')[0]}?f={HOSTILE.replace('&', '')}&d=-1&Delta=x&p.q=1")
    page.get_by_role("alert").filter(has_text="column").wait_for(timeout=LONG)
    assert watched.trouble == []


@pytest.mark.sweep
def test_wrong_and_hostile_formulas_give_a_message_beside_the_field(browser: Any, address: str) -> None:
    watched = open_page(browser, address, width=390)
    page = watched.page
    assert watched.fits()
    field, verdict, slider = (
        page.get_by_role("textbox", name="Generator f").bounding_box(),
        page.locator(".dpv-verdict").bounding_box(),
        page.get_by_role("slider").first.bounding_box(),
    )
    assert field["y"] < verdict["y"] < min(slider["y"], 900)
    for text, told in [("exp(-sqrt(y)", "never closed"), (HOSTILE, "column 1"), ("exec('1')", "not in the language")]:
        type_generator(page, text)
        page.get_by_role("alert").filter(has_text=told).wait_for(timeout=LONG)
        page.wait_for_selector(SETTLED, state="detached", timeout=LONG)
        assert page.get_by_text("Download the certificate").count() == 0
    field, alert = page.get_by_role("textbox", name="Generator f"), page.get_by_role("alert")
    assert 0 < alert.bounding_box()["y"] - field.bounding_box()["y"] < 120
    type_generator(page, "exp(-sqrt(y))")
    page.wait_for_selector("[data-verdict=private]", timeout=LONG)
    assert watched.fits()
    assert watched.trouble == []


def test_it_answers_only_to_its_own_name_on_this_machine(address: str) -> None:
    connection = http.client.HTTPConnection(*host_of(address), timeout=300)
    connection.request("GET", "/", headers={"Host": "rebound.example"})
    assert connection.getresponse().status == 400
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as other:
        other.bind(("127.0.0.2", host_of(address)[1]))  # free, since the explorer holds 127.0.0.1 alone
