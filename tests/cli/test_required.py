"""What is required of a certificate, a claimed epsilon, and certificates on streams."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dpverify.requirement import Requirement
from tests.command import run

CERTIFICATES = Path(__file__).parents[2] / "certificates"
GAUSSIAN = str(CERTIFICATES / "gaussian-d1.json")
LAPLACE = str(CERTIFICATES / "laplace-d3.json")
MIXTURE = str(CERTIFICATES / "mixtures" / "gaussian-tail.json")
STUDENT = str(CERTIFICATES / "student-t-nu3-d2.json")


def test_a_certificate_of_no_privacy_holds_but_is_refused_where_privacy_is_required() -> None:
    assert run("check", GAUSSIAN).returncode == 0
    for required in (["--private"], ["--at-most", "100"], ["--delta", "1/10"]):
        done = run("check", GAUSSIAN, *required)
        assert done.returncode == 1 and "not private" in done.stderr


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize(
    ("required", "status"),
    [
        (["--private"], 0),
        (["--at-most", "3/2"], 0),  # epsilon is 1.424...
        (["--at-most", "1.424"], 1),
        (["--at-most", "3/2", "--delta", "1e-6"], 0),
        (["--dimension", "2"], 0),
        (["--dimension", "3"], 1),
        (["--generator", "student_t", "--param", "nu=3"], 0),
        (["--generator", "student_t"], 1),  # which is nu = 5
        (["--generator", "laplace"], 1),
        (["--sensitivity", "1/2"], 0),  # a smaller Delta is covered
        (["--sensitivity", "2"], 1),
        (["--scale", "2"], 0),
        (["--scale", "1/2"], 1),
        (["--sensitivity", "10", "--scale", "10"], 0),
        (["--sensitivity", "10", "--scale", "9"], 1),
        (["--private", "--at-most", "3/2", "--dimension", "7"], 1),
    ],
)
def test_each_requirement_decides_by_itself(required: list[str], status: int) -> None:
    done = run("check", STUDENT, *required)
    assert done.returncode == status, done.stderr
    assert bool(done.stderr) == (status == 1)


@pytest.mark.parametrize(
    "required",
    [
        ["--at-most", "-1"],
        ["--at-most", "x"],
        ["--delta", "1"],
        ["--sensitivity", "0"],
        ["--scale", "-2"],
        ["--generator", "exp(-a*r)"],
        ["--param", "nu=3"],
    ],
)
def test_a_requirement_that_cannot_be_read_is_bad_input(required: list[str]) -> None:
    assert run("check", STUDENT, *required).returncode == 2


def test_the_json_says_whether_and_what_is_missing() -> None:
    (row,) = json.loads(run("check", STUDENT, "--at-most", "1", "--json").stdout)
    assert row["accepted"] and not row["met"] and "at most" in row["unmet"][0]
    (row,) = json.loads(run("check", STUDENT, "--at-most", "2", "--json").stdout)
    assert row["met"] and row["unmet"] == []


def test_nothing_is_required_of_a_plain_check() -> None:
    assert not Requirement()
    assert Requirement(private=True)


@pytest.mark.parametrize(("bound", "status"), [("3/2", 0), ("1.4", 1), ("1.42404", 1), ("1.4240453", 0), ("0", 1)])
def test_a_claimed_epsilon_is_proved_or_refuted(bound: str, status: int, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    words = ["verify", "student_t", "--param", "nu=3", "--dimension", "2", "--at-most", bound]
    done = run(*words, "--certificate", str(file))
    assert done.returncode == status, done.stderr
    assert ("PROVED" if status == 0 else "REFUTED") in done.stdout.splitlines()[0]
    assert run("check", str(file), "--at-most", bound).returncode == status


def test_a_claim_of_what_is_private_for_no_epsilon_is_refuted_and_of_no_density_invalid() -> None:
    assert run("verify", "gaussian", "--at-most", "100").returncode == 1
    assert run("verify", "1/(1+r)", "--at-most", "100").returncode == 3
    assert run("verify", "laplace", "--at-most", "-1").returncode == 2


def test_verify_json_carries_the_question_and_the_certificates_digest(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    words = ["verify", "student_t", "--param", "nu=3", "--dimension", "2", "--sensitivity", "1/3", "--scale", "2"]
    told = json.loads(run(*words, "--json", "--certificate", str(file)).stdout)
    written = json.loads(file.read_text())
    assert told["question"] == {
        "generator": "(1+y/nu)**(-(nu+d)/2)",
        "parameters": {"nu": "3"},
        "dimension": 2,
        "sensitivity": "1/3",
        "scale": "2",
    }
    assert told["digest"] == written["digest"]
    assert told["program"] == written["program"]


def piped(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dpverify", *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=False)


@pytest.mark.slow
def test_certificates_flow_through_pipes() -> None:
    proved = piped("verify", "laplace", "--certificate", "-")
    assert proved.returncode == 0 and b"PRIVATE" in proved.stderr
    assert json.loads(proved.stdout)["claim"]["verdict"] == "private"
    checked = piped("check", "-", "--private", given=proved.stdout)
    assert checked.returncode == 0, checked.stderr
    assert piped("check", "-", "--at-most", "1/2", given=proved.stdout).returncode == 1
    forged = proved.stdout.replace(b'"dimension": 1', b'"dimension": 2')
    assert piped("check", "-", given=forged).returncode == 1


def test_two_things_do_not_go_on_one_stream() -> None:
    assert run("verify", "laplace", "--certificate", "-", "--json").returncode == 2
    assert run("check", "-", "-").returncode == 2


@pytest.mark.sweep
def test_a_mixture_is_asked_for_its_dimension_and_epsilon_and_has_no_generator() -> None:
    mixture = ["check", MIXTURE, "--private"]
    assert run(*mixture, "--dimension", "1", "--at-most", "4").returncode == 0
    for wrong in (["--dimension", "3"], ["--at-most", "2"], ["--generator", "exp(-r)"], ["--sensitivity", "4"]):
        done = run(*mixture, *wrong)
        assert done.returncode == 1 and "does not say what is required" in done.stderr, wrong
