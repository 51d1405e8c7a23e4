"""Proofs in a child process: the same answers as in this one, within the time, and nothing runs away."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from dpverify import check, verify
from dpverify.app import proving, views
from dpverify.app.examples import EXAMPLES
from dpverify.app.proving import prove
from dpverify.app.views import exact, examination, names_of
from dpverify.errors import InputError
from dpverify.generators import Generator


def question(generator: str, dimension: int = 1, **parameters: str) -> dict[str, Any]:
    return {
        "generator": generator,
        "dimension": dimension,
        "parameters": parameters,
        "sensitivity": "1",
        "scale": "1",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("generator", "dimension", "parameters"),
    [("(1+y/nu)**(-(nu+d)/2)", 2, {"nu": "3"}), ("exp(-y/2)", 1, {}), ("1/(1+r)", 1, {})],
)
def test_the_child_answers_as_verify_does(generator: str, dimension: int, parameters: dict[str, str]) -> None:
    answer = prove(question(generator, dimension, **parameters), Fraction(60))
    expected = verify(generator, dimension=dimension, parameters=parameters)
    assert (answer.verdict, answer.reason) == (expected.verdict, expected.reason)
    examined = examination(answer)
    assert examined is not None
    assert answer.certificate == expected.certificate
    assert answer.file is not None
    report = check(answer.file)
    assert report.accepted
    told = examined.check
    assert (told.claim, told.proof, told.rules) == (report.claim, report.proof, report.rules)
    assert (told.assumptions, told.digest) == (report.assumptions, report.digest)


@pytest.mark.slow
def test_the_time_limit_ends_a_proof_and_nothing_is_claimed() -> None:
    answer = prove(question("exp(-sqrt(y))*(3+sin(r))", 2), Fraction(1, 1000))
    assert (answer.verdict, answer.certificate) == ("undecided", None)
    assert "time limit" in answer.reason
    assert examination(answer) is None


@pytest.mark.slow
def test_a_child_that_does_not_stop_by_itself_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "GRACE", -0.999)
    answer = prove(question("exp(-r)"), Fraction(1))
    assert (answer.verdict, answer.certificate) == ("undecided", None)


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(8))
def test_a_child_that_is_ended_before_it_has_read_its_question_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, attempt: int
) -> None:
    monkeypatch.setattr(proving, "GRACE", -1 + attempt / 10_000)
    assert prove(question("exp(-r)"), Fraction(1)).verdict == "undecided"


@pytest.mark.slow
def test_a_proof_that_nobody_waits_for_any_more_is_ended() -> None:
    """Its time limit, of a day, has no part in it."""
    asked = iter([True, True])
    hard = question("exp(-sqrt(y))*(1+2/(1+exp(5*(r-1000))))*(3+sin(r))")
    assert prove(hard, Fraction(86_400), lambda: next(asked, False)).verdict == "undecided"
    assert next(asked, None) is None


@pytest.mark.slow
def test_a_child_ends_when_nobody_is_left_to_be_answered() -> None:
    long = question("exp(-sqrt(y))*(1+2/(1+exp(5*(r-1000))))*(3+sin(r))") | {"timeout": "300"}
    command = [sys.executable, "-m", "dpverify.app.proving"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        child.stdin.write(json.dumps(long) + "\n")
        child.stdin.close()
        assert child.wait(600) == 1


@pytest.mark.slow
def test_bad_questions_are_undecided_with_the_reason() -> None:
    assert "not bound" in prove(question("exp(-a*r)"), Fraction(20)).reason


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("exp(-sqrt(y)", "was never closed"),
        ("exp(-y", "column"),
        ("__import__('os')", "not in the language"),
        ("exp(-self*r)", "taken"),
        ("exp(-dimension*r)", "taken"),
        ("+".join(f"a{k}*r" for k in range(9)), "sliders for 8"),
        ("", "empty"),
        ("y" * 5000, "longer than"),
    ],
)
def test_what_is_wrong_with_a_formula_is_told(text: str, trouble: str) -> None:
    names, told = names_of(text)
    assert names == []
    assert trouble in told


def test_the_names_of_a_formula_are_its_parameters() -> None:
    assert names_of("(1+y/nu)**(-(nu+d)/a)") == (["a", "nu"], "")


@pytest.mark.parametrize("value", [0.05, 1.15, 0.1 + 0.2, 3, 9.95, -0.35])
def test_sliders_give_the_decimal_they_show(value: float) -> None:
    assert exact(value) == Fraction(f"{value:.2f}")


VERDICTS = {"gaussian": "not_private", "multivariate-laplace": "not_private", "slow-divergence": "not_private"}


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_every_worked_example_is_settled_as_its_text_says(example: Any) -> None:
    asked = question(example.generator, example.dimension, **example.parameters)
    assert prove(asked, Fraction(120)).verdict == VERDICTS.get(example.name, "private")


def test_a_family_may_be_typed_and_a_text_without_the_variable_is_told_so() -> None:
    assert views.names_of("student_t") == views.names_of("Student-T") == (["nu"], "")
    assert "did you mean student_t?" in views.names_of("studnt_t")[1]
    for text in ("exp(-x)", "1/(1+x)"):
        assert "the variable is y" in views.names_of(text)[1]


def test_what_is_typed_is_exact_and_stands_before_the_slider() -> None:
    assert views.chosen(0.35, "1/3", "x") == Fraction(1, 3)
    assert views.chosen(0.35, "0.33", "x") == Fraction(33, 100)
    assert views.chosen(0.35, " ", "x") == Fraction(7, 20)
    with pytest.raises(InputError, match="the scale"):
        views.chosen(1.0, "one", "the scale")
    assert views.positive(0.35, "1/3", "x") == Fraction(1, 3)
    for wrong in ("-1", "0"):
        with pytest.raises(InputError, match=f"the scale must be positive, not {wrong}"):
            views.positive(1.0, wrong, "the scale")


def test_a_file_is_named_by_its_question() -> None:
    names = {
        views.Question(Generator("laplace", d), Fraction(delta), Fraction(sigma)).file
        for d, delta, sigma in ((1, 1, 1), (2, 1, 1), (1, "5/4", 1), (1, 1, "5/4"), (1, 54, 1))
    }
    assert len(names) == 5 and "certificate-d1-Delta5over4-sigma1.json" in names


@pytest.mark.slow
def test_an_open_reason_is_told_once() -> None:
    why = "no model of f at infinity"
    held = {
        "positive": ("undecided", why),
        "decreasing": ("undecided", "another"),
        "integrable": ("undecided", "another"),
    }
    answer = proving.Answer("undecided", f"Undecided: positive is not settled ({why}).", held, None)
    page = views.answered(views.Question(Generator("exp(-r)"), Fraction(1), Fraction(1)), 5, answer)
    assert page.count(why) == 1 and page.count("another") == 1
