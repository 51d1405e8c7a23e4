"""`dpverify calibrate`, `curve` and `compare` as a stranger would type them."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.command import run


@pytest.mark.slow
def test_calibrate_then_check(tmp_path: Path) -> None:
    upper, lower = tmp_path / "upper.json", tmp_path / "lower.json"
    question = ["calibrate", "student_t", "--param", "nu=3", "--dimension", "2", "--epsilon", "1/2"]
    done = run(*question, "--json", "--certificate", str(upper), "--certificate-lower", str(lower))
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    for file, end in ((upper, "upper"), (lower, "lower")):
        claim = json.loads(run("check", str(file), "--json").stdout)[0]["claim"]
        assert claim["scale"] == data["scale"][end]
    assert Fraction(data["scale"]["upper"]) <= Fraction(data["scale"]["lower"]) * (1 + Fraction(1, 10**9))
    shown = run(*question)
    heading, _, scale = shown.stdout.splitlines()[0].rpartition(" ")
    assert heading == "SIGMA =" and Fraction(scale) == Fraction(data["scale"]["upper"])
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["gaussian", "--epsilon", "1"], 1),
        (["exp(-floor(r))", "--epsilon", "1/2"], 1),
        (["laplace", "--epsilon", "0"], 2),
        (["laplace", "--epsilon", "-1"], 2),
        (["laplace", "--epsilon", "one"], 2),
        (["laplace"], 2),
        (["laplace", "--epsilon", "1", "--sensitivity", "0"], 2),
        (["laplace", "--epsilon", "1", "--dimension", "0"], 2),
        (["exp(-y", "--epsilon", "1"], 2),
        (["1/(1+r)", "--epsilon", "1"], 3),
        (["gamma(r-1/2)", "--epsilon", "1"], 4),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_calibrate_refuses_in_one_line(arguments: list[str], status: int, as_json: bool) -> None:
    done = run("calibrate", *arguments, *(["--json"] if as_json else []))
    assert done.returncode == status
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("dpverify: ")
    if as_json and status != 2:
        data = json.loads(done.stdout)
        assert data["scale"] is None and data["reason"] in done.stderr
    else:
        assert done.stdout == ""


@pytest.mark.slow
def test_curve_writes_pictures_and_exact_numbers(tmp_path: Path) -> None:
    done = run("curve", "laplace", "--points", "5", "-o", "c.csv", "-o", "c.svg", "-o", "c.png", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.csv", "c.png", "c.svg"]
    with (tmp_path / "c.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [r["delta"] for r in rows][::4] == ["1/10", "10"]
    assert all(Fraction(r["lower"]) <= Fraction(r["delta"]) <= Fraction(r["upper"]) for r in rows)
    table = run("curve", "laplace", "--points", "5")
    assert len(table.stdout.splitlines()) == 6
    assert all(len(line) <= 80 for line in table.stdout.splitlines())
    points = json.loads(run("curve", "laplace", "--points", "5", "--json").stdout)["points"]
    assert [p["upper"] for p in points] == [r["upper"] for r in rows]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["gaussian"], 1),
        (["laplace", "-o", "c.pdf"], 2),
        (["laplace", "-o", "no/such/folder/c.png"], 2),
        (["laplace", "--points", "x"], 2),
        (["laplace", "--from", "1", "--to", "1/2"], 2),
        (["1/(1+r)"], 3),
    ],
)
def test_curve_refuses_in_one_line(arguments: list[str], status: int, tmp_path: Path) -> None:
    done = run("curve", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (status, "", 1)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_compare_is_a_table_a_picture_and_json(tmp_path: Path) -> None:
    families = ["laplace", "student_t:nu=3", "student_t:nu=2", "gaussian"]
    done = run("compare", *families, "--epsilon", "1", "--dimension", "2", "-o", "c.png", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    laplace, _, student_t, gaussian = done.stdout.splitlines()[1:5]
    assert laplace.split()[0] == "laplace"
    assert student_t.endswith("infinite")
    assert gaussian.split() == ["gaussian", "none"]
    assert (tmp_path / "c.png").stat().st_size > 5000
    rows = json.loads(run("compare", "gaussian", "laplace", "--epsilon", "1", "--dimension", "2", "--json").stdout)
    assert [row["name"] for row in rows] == ["laplace", "gaussian"]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["gaussian"], 4),
        (["laplace:nu=3"], 2),
        (["laplace", "--param", "nu=3"], 2),
        (["student_t:nu"], 2),
        (["laplace", "-o", "c.csv"], 2),
        ([], 2),
    ],
)
def test_compare_refuses(arguments: list[str], status: int) -> None:
    done = run("compare", *arguments, "--epsilon", "1")
    assert done.returncode == status
    assert "program failed" not in done.stderr
    assert len(done.stderr.splitlines()) == (status == 2)


@pytest.mark.slow
def test_a_shared_parameter_goes_to_the_families_that_have_it() -> None:
    shared = run("compare", "laplace", "student_t", "--epsilon", "1", "--param", "nu=3", "--json")
    own = run("compare", "laplace", "student_t:nu=3", "--epsilon", "1", "--json")
    one, other = (json.loads(done.stdout) for done in (shared, own))
    assert [row["median"] for row in one] == [row["median"] for row in other]


@pytest.mark.parametrize("command", ["calibrate", "curve", "compare", "sensitivity"])
def test_help_has_examples(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert f"dpverify {command} " in done.stdout.split("Usage:")[1]
