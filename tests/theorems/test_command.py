"""`dpverify theorems` as a stranger would type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpverify.cli.app import app
from dpverify.errors import InputError


def output(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["theorems", *arguments], standalone_mode=False)
    if done.exception:
        raise done.exception
    return done.stdout


def test_a_refuted_claim_reads_well() -> None:
    text = output("reimherr-awan-2019:theorem-3", "--quick")
    assert text.startswith("reimherr-awan-2019:theorem-3: ERROR\n")
    for word in ("printed", "breaks at", "corrected", "privacy", "1 claim: 1 error"):
        assert word in text
    assert max(map(len, text.splitlines())) <= 80


def test_claims_come_in_the_order_asked_for_and_once() -> None:
    names = ["hall-2012:proposition-5.1.2", "awan-2019:definition-2.1"]
    records = json.loads(output(*names, names[0], "--json", "--quick"))
    assert [r["id"] for r in records] == names


def test_one_paper_alone() -> None:
    names = output("--source", "awan-2019", "--list").split()
    assert len(names) > 10
    assert all(name.startswith("awan-2019:") for name in names)


@pytest.mark.slow
def test_two_processes_say_what_one_says() -> None:
    names = ["hall-2012:proposition-1.2.2", "hall-2012:section-1.3.5-range", "hall-2012:proposition-5.1.2"]
    assert output(*names, "--quick", "--jobs", "2", "--json") == output(*names, "--quick", "--jobs", "1", "--json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("reimherr-awan-2019:theorem-9",),
            "no claim 'reimherr-awan-2019:theorem-9'; near it: reimherr-awan-2019:theorem",
        ),
        (("nonsense",), "no claim 'nonsense'"),
        (("--source", "hall"), "known: reimherr-awan-2019, awan-2019, hall-2012"),
        (("awan-2019:definition-2.1", "--source", "hall-2012"), "none of the claims asked for is of hall-2012"),
        (("awan-2019:definition-2.1", "--jobs", "0"), "--jobs: '0' is not a number from 1 to 256"),
        (("awan-2019:definition-2.1", "--jobs", "two"), "--jobs"),
        (("awan-2019:definition-2.1", "--markdown", "/nowhere/at/all.md"), "/nowhere/at/all.md: cannot be written"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError) as error:
        output(*arguments)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpverify.theorems.campaign.NEEDED", ("numpy", "no_such_library"))
    with pytest.raises(InputError, match="no_such_library: pip install"):
        output("awan-2019:definition-2.1")


def test_the_page_of_a_few_claims(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    output("hall-2012:section-1.3.5-range", "--markdown", str(page))
    text = page.read_text()
    assert "| [section-1.3.5-range](#hall-2012section-135-range) |" in text
    assert "### hall-2012:section-1.3.5-range" in text
