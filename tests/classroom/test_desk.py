"""The page's desk, without a browser: what it answers, and what it refuses."""

from __future__ import annotations

import json
import math
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpverify import check
from dpverify.app import asking
from dpverify.app.views import Question
from dpverify.classroom.desk import answer
from dpverify.generators import Generator
from tests.command import run

ASKED: dict[str, Any] = {
    "generator": "(1+y/nu)**(-(nu+d)/2)",
    "dimension": "2",
    "parameters": {"nu": "3"},
    "sensitivity": "1/3",
    "scale": "2",
    "reach": "20",
    "limit": "60",
}


def ask(kind: str, **given: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(json.dumps({"kind": kind, **ASKED, **given})))
    return found


def test_a_proof_that_nobody_waits_for_is_given_up() -> None:
    question = json.dumps({"kind": "prove", **ASKED, "generator": "exp(-sqrt(1+y))*(3+sin(r))", "parameters": {}})
    assert json.loads(answer(question, lambda: False)) == {"error": "given up"}


@pytest.mark.slow
def test_a_proof_comes_with_its_certificate_and_curves() -> None:
    found = ask("prove")
    assert found["verdict"] == "private"
    epsilon = 5 * math.asinh(1 / 6 / (2 * math.sqrt(3)))
    assert math.isclose(float(found["epsilon"]["decimal"]), epsilon, rel_tol=1e-9)
    report = check(json.loads(found["certificate"]))
    assert report.accepted and report.claim is not None and report.claim["sensitivity"] == "1/3"
    loss = next(p for p in found["pictures"] if p["title"] == "The privacy loss")
    assert max(loss["curves"][0]["y"]) <= loss["bound"]["at"]
    assert "$" not in json.dumps(found["pictures"]) and "\\\\" not in json.dumps(found["pictures"])


@pytest.mark.slow
def test_the_command_and_the_python_ask_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ask("prove")
    line = found["command"]
    assert run(*shlex.split(line)[1:], cwd=tmp_path).returncode == 0
    claim = json.loads((tmp_path / found["file"]).read_text())
    assert claim == json.loads(found["certificate"])
    (tmp_path / found["file"]).unlink()
    monkeypatch.chdir(tmp_path)
    exec(found["python"], {})
    assert json.loads((tmp_path / found["file"]).read_text()) == claim


def test_a_link_carries_the_question() -> None:
    question = Question(Generator("exp(-a*r)+0*y", 3, {"a": "2/3"}), Fraction(1), Fraction(2))
    found = asking.carried(asking.link(question))
    assert found == {"f": "exp(-a*r)+0*y", "d": "3", "Delta": "1", "sigma": "2", "p.a": "2/3"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"generator": "exp(-r"}, "closed"),
        ({"generator": "exp(-a*r)", "parameters": {}}, "not bound"),
        ({"dimension": "1/2"}, "integer"),
        ({"sensitivity": "0"}, "positive"),
        ({"scale": "-1"}, "positive"),
        ({"scale": "one"}, "scale"),
        ({"reach": "0"}, "drawn up to"),
    ],
)
def test_bad_questions_are_told_in_a_line(given: dict[str, Any], told: str) -> None:
    error = ask("prove", **given)["error"]
    assert told in error and "\n" not in error


@pytest.mark.slow
def test_a_proof_within_no_time_is_undecided() -> None:
    found = ask("prove", generator="exp(-sqrt(y))*(3+sin(r))", parameters={}, limit="0.001")
    assert (found["verdict"], found["certificate"]) == ("undecided", None)


def test_what_is_typed_is_read() -> None:
    assert ask("read")["names"] == ["nu"]
    assert "<math" in ask("read")["formula"]
    family = ask("read", generator="student_t")
    assert family["defaults"] == {"nu": "5"}
    assert "<" not in ask("read", generator="<script>")["trouble"].replace("'<", "")
