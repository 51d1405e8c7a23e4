"""`dpverify profile` as a stranger types it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpverify.cli.app import main


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["dpverify", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    told = capsys.readouterr()
    return int(end.value.code or 0), told.out, told.err


@pytest.fixture
def dpverify(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


@pytest.mark.slow
def test_json_has_the_points_in_order(dpverify: Any) -> None:
    status, out, _ = dpverify("profile", "gaussian", "--epsilon", "1", "--epsilon", "2", "--delta", "1e-5", "--json")
    data = json.loads(out)
    assert status == 0 and data["verdict"] == "proved" and data["theorem"] == "Theorem B" and data["assumptions"] == []
    assert set(data) == {"verdict", "points", "reason", "theorem", "assumptions"}
    assert [p["epsilon"] for p in data["points"][:2]] == ["1", "2"]
    delta = data["points"][0]["delta"]
    assert set(delta) == {"lower", "upper", "decimal"}
    low, high = Fraction(delta["lower"]), Fraction(delta["upper"])
    assert low <= Fraction("0.12693673750664394580") <= high and high - low <= high / 10**9
    last = data["points"][2]
    assert last["delta"] == "1/100000"
    assert Fraction(last["epsilon"]["lower"]) <= Fraction("4.37717809568") + Fraction(1, 10**10)


ZEROS_BETWEEN = "exp(-r)*(1+cos(20*r))"


@pytest.mark.slow
def test_no_density_is_invalid_and_many_zeros_between_undecided(dpverify: Any) -> None:
    status, out, _ = dpverify("profile", "exp(y)", "--epsilon", "1", "--json")
    assert status == 3 and json.loads(out)["verdict"] == "invalid" and json.loads(out)["points"] == []
    status, out, _ = dpverify("profile", ZEROS_BETWEEN, "--dimension", "3", "--epsilon", "1/2", "--json")
    assert status == 4 and json.loads(out)["verdict"] == "undecided" and "positive" in json.loads(out)["reason"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("gaussian",),
        ("gaussian", "--epsilon", "-1"),
        ("gaussian", "--delta", "0"),
        ("gaussian", "--delta", "1"),
        ("gaussian", "--epsilon", "one"),
        ("gaussian", "--epsilon", "1", "--tolerance", "0"),
        ("gaussian", "--epsilon", "1", "--tolerance", "1e-99"),
        ("gaussian", "--epsilon", "1", "--scale", "0"),
        ("laplace", "--epsilon", "1", "--dimension", "infinity"),
        ("gaussian", "--epsilon", "1", "--dimension", "many"),
        ("--epsilon", "1"),
    ],
)
def test_bad_input_is_one_line(dpverify: Any, arguments: tuple[str, ...]) -> None:
    status, out, err = dpverify("profile", *arguments)
    assert status == 2 and not out and len(err.splitlines()) == 1 and err.startswith("dpverify: ")


@pytest.mark.slow
def test_a_certificate_is_written_and_holds(dpverify: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "c.json")
    status, out, _ = dpverify("profile", "student_t", "--param", "nu=3", "--epsilon", "1/2", "--certificate", file)
    assert status == 0 and "dpverify check" in out
    status, out, _ = dpverify("check", file)
    assert status == 0 and "holds: PROFILE" in out and "Theorem B" in out
    status, out, _ = dpverify("check", "--json", file)
    (row,) = json.loads(out)
    assert row["accepted"] and row["claim"]["kind"] == "profile"
    status, out, _ = dpverify("export", file, "--to", "coq")
    assert status == 0 and "divergence_within epsilon_0" in out
    assert dpverify("report", file, "-o", str(tmp_path / "r.html"))[0] == 0
    delta = float(Fraction(row["claim"]["points"][0]["delta"]["upper"]))
    assert f"{delta:.6f}"[:7] in (tmp_path / "r.html").read_text()


@pytest.mark.slow
def test_a_picture_without_a_word_after_plot_is_the_profiles_and_the_file_is_named(
    dpverify: Any, tmp_path: Path
) -> None:
    asked, file = ("profile", "gaussian", "--curve", "--step", "1", "--until", "1/10", "--plot"), tmp_path / "p.csv"
    status, out, _ = dpverify(*asked)
    assert status == 0 and "delta(eps)" in out.splitlines()
    status, out, _ = dpverify(*asked, "-o", str(file))
    assert status == 0 and f"wrote {file}" in out.replace("\n", "")
    assert file.read_text().splitlines()[1].startswith("0,")
    assert "wrote" not in dpverify(*asked, "-o", str(file), "--json")[1]
