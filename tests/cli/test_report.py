"""`dpverify report` and `dpverify explore` as a stranger would type them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import Done, run
from tests.show.files import GALLERY, forged

LAPLACE = str(GALLERY / "laplace-d3.json")


def refused(done: Done | subprocess.CompletedProcess[str], status: int = 2) -> str:
    assert done.returncode == status, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("dpverify: ")
    return done.stderr


@pytest.mark.slow
def test_a_report_in_each_format(tmp_path: Path) -> None:
    outputs = [tmp_path / f"report{suffix}" for suffix in (".html", ".pdf", ".md")]
    done = run("report", LAPLACE, *(word for path in outputs for word in ("-o", str(path))))
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split("/")[-1] for line in done.stdout.splitlines()] == [
        *("report.html", "report.pdf", "report.md", "report-loss.png"),
    ]
    assert outputs[0].read_text().startswith("<!doctype html>")
    assert outputs[1].read_bytes().startswith(b"%PDF")
    assert "# Private" in outputs[2].read_text()
    assert (tmp_path / "report-loss.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_refused_certificate_gets_a_report_that_says_so_and_status_1(tmp_path: Path) -> None:
    def lower(data: dict[str, object]) -> None:
        data["claim"]["epsilon"]["upper"] = "1"  # type: ignore[index]
        data["claim"]["epsilon"]["lower"] = "1/2"  # type: ignore[index]
        data["claim"]["closed_form"] = None  # type: ignore[index]

    path = forged("student-t-nu3-d2", lower, tmp_path / "forged.json")
    done = run("report", str(path), "-o", str(tmp_path / "r.md"))
    assert "REJECTED" in refused(done, 1)
    text = (tmp_path / "r.md").read_text()
    assert text.startswith("# Certificate not accepted")
    assert "Private" not in text


@pytest.mark.slow
def test_an_audit_that_shows_more_than_is_proved_ends_with_status_1(tmp_path: Path) -> None:
    certificate = tmp_path / "c.json"
    certificate.write_bytes(Path(LAPLACE).read_bytes())
    assert run("audit", "--certificate", str(certificate), "--samples", "4000", "--seed", "1").returncode == 0
    audit = tmp_path / "c.audit.json"
    done = run("report", str(certificate), "--audit", str(audit), "-o", str(tmp_path / "r.html"))
    assert (done.returncode, done.stderr) == (0, "")
    seen = json.loads(audit.read_bytes())
    fit = {"rejected": True, "worst": "P: its radius", "distance": 0.1, "chance": 1e-9}
    audit.write_text(json.dumps({**seen, "fit": fit}))
    done = run("report", str(certificate), "--audit", str(audit), "-o", str(tmp_path / "r.html"))
    assert "another law" in refused(done, 1)
    audit.write_text(json.dumps({**seen, "epsilon_lower": 1.5}))
    done = run("report", str(certificate), "--audit", str(audit), "-o", str(tmp_path / "r.html"))
    assert "VIOLATED" in refused(done, 1)
    other = run("report", str(GALLERY / "laplace-d1.json"), "--audit", str(audit), "-o", str(tmp_path / "r.html"))
    assert "another certificate" in refused(other)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["report", LAPLACE], "-o report.html"),
        (["report", LAPLACE, "-o", "report.txt"], "must end in"),
        (["report", LAPLACE, "-o", "/nowhere/report.html"], "no folder"),
        (["report", "missing.json", "-o", "report.html"], "missing.json"),
        (["report", LAPLACE, "--audit", "missing.json", "-o", "report.html"], "missing.json"),
        (["report", LAPLACE, "--audit", LAPLACE, "-o", "report.html"], "not the JSON of an audit"),
        (["explore", "--example", "<b>"], "--list"),
        (["explore", "--port", "70000"], "--port"),
        (["explore", "--port", "-1"], "--port"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], told: str) -> None:
    assert told in refused(run(*arguments))


def test_the_worked_examples_are_listed() -> None:
    done = run("explore", "--list")
    assert done.returncode == 0
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert {"k-norm", "student-t", "gaussian", "multivariate-laplace", "slow-divergence", "far-out"} < set(names)
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    ("missing", "arguments", "extra"),
    [
        ("marimo", ["explore", "--no-browser"], "dpverify[app]"),
        ("jinja2", ["explore", "--no-browser"], "dpverify[app]"),
        ("jinja2", ["report", LAPLACE, "-o", "r.html"], "dpverify[report]"),
        ("typst", ["report", LAPLACE, "-o", "r.pdf"], "dpverify[pdf]"),
        ("matplotlib", ["report", LAPLACE, "-o", "r.md"], "dpverify[report]"),
    ],
)
def test_a_missing_extra_is_named(missing: str, arguments: list[str], extra: str, tmp_path: Path) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None\nfrom dpverify.cli.app import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert f"pip install '{extra}'" in refused(done)
    assert list(tmp_path.iterdir()) == []
