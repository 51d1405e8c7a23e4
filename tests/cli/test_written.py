"""`-o` of commands that print: the file has what would have been printed, whole, and nothing goes astray."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.command import run

COMMANDS = [
    ["sensitivity", "--covariance", "2,1;1,2", "--differences", "1,0;0,1"],
    ["sensitivity", "--differences", "1,0", "--json"],
    ["theorems", "--list"],
    pytest.param(["recognise", "(3+y)**(-2)"], marks=pytest.mark.sweep),
    pytest.param(["verify", "exp(-a*r)", "--symbolic"], marks=pytest.mark.slow),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c[:2]))
def test_the_file_has_what_would_be_printed(command: list[str], tmp_path: Path) -> None:
    printed = run(*command)
    written = run(*command, "-o", "out.txt", cwd=tmp_path)
    assert printed.returncode == written.returncode == 0 and printed.stdout
    assert written.stdout == "" and "wrote out.txt" in written.stderr
    assert (tmp_path / "out.txt").read_text() == printed.stdout
    assert run(*command, "-o", "-", cwd=tmp_path).stdout == printed.stdout


def test_what_cannot_be_written_is_printed_after_all(tmp_path: Path) -> None:
    done = run("sensitivity", "--differences", "1,0", "--json", "-o", "none/out.txt", cwd=tmp_path)
    assert done.returncode == 2 and "cannot be written" in done.stderr
    assert json.loads(done.stdout)


@pytest.mark.slow
def test_a_release_goes_to_the_file_and_nowhere_else(tmp_path: Path) -> None:
    assert run("verify", "laplace", "-o", "c.json", cwd=tmp_path).returncode == 0
    done = run("release", "c.json", "--query", "3", "--json", "-o", "released.json", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == ""
    assert len(json.loads((tmp_path / "released.json").read_text())["released"]) == 1


@pytest.mark.slow
def test_an_irrational_sensitivity_is_rounded_to_the_safe_side(tmp_path: Path) -> None:
    """delta(eps) of the Gaussian at sqrt(2) lies between those at the decimals around it."""
    found = []
    for shift in ("1.41421356237309504", "sqrt(2)", "1.41421356237309505"):
        done = run("profile", "gaussian", "--sensitivity", shift, "--epsilon", "1", "--json")
        point = json.loads(done.stdout)["points"][0]["delta"]
        found.append(point["upper"])
    low, middle, high = map(Fraction, found)
    assert low <= middle <= high
    assert run("verify", "laplace", "--sensitivity", "sqrt(2)", "-o", "c.json", cwd=tmp_path).returncode == 0
    for asked, status in (("sqrt(2)", 0), ("1.414", 0), ("sqrt(2)+10**(-9)", 1), ("sqrt(3)", 1)):
        assert run("check", "c.json", "--private", "--sensitivity", asked, cwd=tmp_path).returncode == status, asked
    assert run("check", "c.json", "--at-most", "sqrt(2)", cwd=tmp_path).returncode == 1
    assert run("audit", "laplace", "--sensitivity", "nu", "--samples", "100", cwd=tmp_path).returncode == 2
