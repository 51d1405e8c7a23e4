"""`export` and `check --coq` as a stranger would type them, with no Coq on the machine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpverify.cli.app import app
from dpverify.errors import InputError
from tests.coq.generators import certificate


@pytest.fixture
def laplace(tmp_path: Path) -> Path:
    path = tmp_path / "laplace.json"
    path.write_text(json.dumps(certificate("exp(-sqrt(y))")))
    return path


def test_export_writes_the_file_or_prints_it(laplace: Path) -> None:
    out = laplace.with_suffix(".v")
    done = CliRunner().invoke(app, ["export", str(laplace), "--to", "coq", "-o", str(out)], standalone_mode=False)
    assert done.return_value == 0 and "wrote" in done.output
    printed = CliRunner().invoke(app, ["export", str(laplace), "--to", "coq"], standalone_mode=False)
    assert printed.output == out.read_text()
    assert "Theorem certificate : claim." in printed.output


@pytest.mark.parametrize("name", ["a-b.v", "1.v", "laplace.txt"])
def test_a_name_that_coq_does_not_take_is_refused(laplace: Path, name: str) -> None:
    arguments = ["export", str(laplace), "--to", "coq", "-o", str(laplace.with_name(name))]
    with pytest.raises(InputError, match="letters, digits and _"):
        CliRunner().invoke(app, arguments, standalone_mode=False, catch_exceptions=False)
    assert not laplace.with_name(name).exists()


def test_a_certificate_that_does_not_hold_is_not_exported(tmp_path: Path) -> None:
    false = {**certificate("exp(-sqrt(y))"), "digest": "0" * 64}
    path = tmp_path / "false.json"
    path.write_text(json.dumps(false))
    done = CliRunner().invoke(app, ["export", str(path), "--to", "coq"], standalone_mode=False)
    assert done.return_value == 1 and "Definition" not in done.output


def test_without_coq_the_check_says_so(laplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(laplace.parent))
    done = CliRunner().invoke(app, ["check", "--coq", str(laplace)], standalone_mode=False)
    assert done.return_value == 2
    assert "apt-get install coq" in " ".join(done.output.split())
    plain = CliRunner().invoke(app, ["check", str(laplace)], standalone_mode=False)
    assert plain.return_value == 0 and "\n  coq " not in plain.output


def test_json_carries_coqs_opinion(laplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(laplace.parent))
    done = CliRunner().invoke(app, ["check", "--coq", "--json", str(laplace)], standalone_mode=False)
    (row,) = json.loads(done.output)
    assert row["accepted"] and not row["coq"]["accepted"]


def slow_coqc(folder: Path) -> None:
    tool = folder / "coqc"
    tool.write_text("#!/bin/sh\nexec sleep 60\n")
    tool.chmod(0o755)


@pytest.mark.slow
def test_coqc_that_does_not_end_in_time_says_nothing(laplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow_coqc(laplace.parent)
    monkeypatch.setenv("PATH", f"{laplace.parent}:/usr/bin:/bin")
    arguments = ["check", "--coq", "--coq-timeout", "0.5", str(laplace)]
    done = CliRunner().invoke(app, arguments, standalone_mode=False)
    assert done.return_value == 2
    assert "coqc did not end within 0.5 s: nothing is said" in " ".join(done.output.split())


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon", "1e9"])
def test_a_time_limit_is_a_number_of_seconds(laplace: Path, seconds: str) -> None:
    with pytest.raises(InputError, match="the time limit"):
        arguments = ["check", "--coq", "--coq-timeout", seconds, str(laplace)]
        CliRunner().invoke(app, arguments, standalone_mode=False, catch_exceptions=False)


def test_the_library_may_lie_beside_the_file(laplace: Path) -> None:
    out = laplace.with_suffix(".v")
    arguments = ["export", str(laplace), "--to", "coq", "-o", str(out), "--library"]
    done = CliRunner().invoke(app, arguments, standalone_mode=False)
    assert done.return_value == 0 and "coqc -R . Dpverify Library.v" in done.output
    assert "From Dpverify Require Library." in out.read_text() and "Fixpoint ev" not in out.read_text()
    assert "Fixpoint ev" in out.with_name("Library.v").read_text()
    assert "Print Assumptions laplace.certificate." in out.with_name("laplace_axioms.v").read_text()
    assert not re.search("^Print", out.read_text(), re.MULTILINE) and "laplace_axioms.v" in done.output


def test_the_library_lies_beside_no_standard_output(laplace: Path) -> None:
    with pytest.raises(InputError, match="name that one with -o"):
        arguments = ["export", str(laplace), "--to", "coq", "--library"]
        CliRunner().invoke(app, arguments, standalone_mode=False, catch_exceptions=False)
