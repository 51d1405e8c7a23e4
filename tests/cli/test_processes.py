"""One process of its own for each command: it writes what the same command writes within the tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dpverify.cli import app
from tests.command import run

ROOT = Path(__file__).parents[2]
LAPLACE, OLD = str(ROOT / "certificates" / "laplace-d3.json"), ROOT / "tests" / "certificate" / "version_1"
COMMANDS: dict[str, tuple[int, list[str]]] = {
    "verify": (0, ["student_t", "--param", "nu=3", "--dimension", "2"]),
    "check": (0, ["--rules", LAPLACE]),
    "upgrade": (0, ["gaussian-d1.json"]),
    "report": (0, [LAPLACE, "-o", "report.html"]),
    "explore": (0, ["--list"]),
    "export": (0, [LAPLACE, "--to", "coq"]),
    "theorems": (0, ["awan-2019:definition-2.1", "--quick"]),
    "calibrate": (1, ["gaussian", "--epsilon", "1"]),
    "curve": (0, ["laplace", "--points", "3"]),
    "compare": (0, ["laplace", "gaussian", "--epsilon", "1"]),
    "sensitivity": (0, ["--covariance", "2,1;1,2", "--differences", "1,0;0,1;1,1"]),
    "audit": (0, ["laplace", "--samples", "400", "--seed", "1"]),
    "families": (0, ["student_t"]),
    "profile": (0, ["laplace", "--epsilon", "1/2"]),
    "compose": (0, [f"{LAPLACE}:3", "--delta", "1e-6"]),
    "release": (1, [LAPLACE, "--query", "1, 2"]),
    "ledger": (2, ["none.db"]),
    "recognise": (0, ["exp(-r)"]),
    "reproduce": (0, ["--json"]),
    "classroom": (2, ["none", "--unheard"]),
    "bundle": (0, ["make", LAPLACE, "--date", "2026-11-22", "-o", "b.zip"]),
    "schema": (0, ["verify"]),
    "figure": (2, ["poster", "-o", "poster.nonsense"]),
    "equivalence": (0, ["--eigenvalues", "n**-2", "--difference", "n**-3"]),
}


def alone(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpverify", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80", "PYTHONPATH": str(ROOT)},
    )


def test_no_command_is_left_out() -> None:
    assert set(COMMANDS) == set(app.COMMANDS)


@pytest.mark.slow
@pytest.mark.swept(stay=12)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_process_says_what_the_tests_see(command: str, tmp_path: Path) -> None:
    status, arguments = COMMANDS[command]
    found = []
    for way in (alone, run):
        folder = tmp_path / way.__name__
        folder.mkdir()
        (folder / "gaussian-d1.json").write_bytes((OLD / "gaussian-d1.json").read_bytes())
        done = way(command, *arguments, cwd=folder)
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        found.append((done.returncode, done.stdout, done.stderr, files))
    assert found[0][0] == status, found[0]
    assert re.search(r"\w", found[0][1] + found[0][2])
    assert found[0] == found[1]
