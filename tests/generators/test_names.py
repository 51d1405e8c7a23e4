"""Families by name, and texts that name nothing: what people type, and what they are told."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from dpverify.errors import InputError
from dpverify.generators import Generator, families, family_of
from tests.command import run


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Laplace", "laplace"),
        ("student-t", "student_t"),
        ("STUDENT_T", "student_t"),
        (" multivariate laplace ", "multivariate_laplace"),
    ],
)
def test_case_and_hyphens_do_not_change_a_family(typed: str, name: str) -> None:
    assert family_of(typed) is families()[name]
    assert Generator(typed, 1).text == families()[name].text


@pytest.mark.parametrize(
    ("typed", "meant"), [("studnt_t", "student_t"), ("gausian", "gaussian"), ("laplce", "laplace")]
)
@pytest.mark.parametrize("command", [["verify"], ["calibrate", "--epsilon", "1"], ["curve"], ["families"], ["audit"]])
def test_a_misspelt_family_is_answered_by_the_nearest_in_every_command(
    typed: str, meant: str, command: list[str]
) -> None:
    done = run(command[0], typed, *command[1:])
    assert done.returncode == 2 and f"did you mean {meant}?" in done.stderr


@pytest.mark.parametrize("text", ["exp(-x)", "1/(1+x**2)", "exp(-Radius)"])
def test_a_text_without_the_variable_is_told_which_it_is(text: str) -> None:
    with pytest.raises(InputError, match="the variable is y"):
        Generator(text, 1, {"x": 1} if "x" in text.replace("exp", "") else {})


@pytest.mark.parametrize("text", ["exp(-y)", "exp(-r)", "1/(1+y)**2", "exp(-r**2/s)"])
def test_a_text_with_the_variable_is_read(text: str) -> None:
    assert Generator(text, 1, {"s": 2} if "s" in text else {}).dimension == 1


@pytest.mark.parametrize("nu", [0, -1, "-1/2"])
def test_a_familys_own_condition_is_what_is_told(nu: object) -> None:
    with pytest.raises(InputError, match="needs nu > 0"):
        Generator("student_t", 1, {"nu": nu})
    assert Generator("student_t", 1, {"nu": "1/100"}).parameters["nu"] == Fraction(1, 100)


def test_a_value_that_nobody_gave_is_called_the_default() -> None:
    assert Generator("student_t", 1).defaults == {"nu"}
    assert "nu = 5 (default)" in run("verify", "student_t").stdout
    assert "(default)" not in run("verify", "student_t", "--param", "nu=5").stdout


def test_a_dimension_may_be_an_integer_of_numpy_or_sympy() -> None:
    np = pytest.importorskip("numpy")
    assert Generator("laplace", np.int64(2)).dimension == 2
    assert type(Generator("laplace", np.int64(2)).dimension) is int
    assert Generator("laplace", sympy.Integer(3)).dimension == 3
    for wrong in (True, 2.0, np.float64(2), "2", np.bool_(True)):
        with pytest.raises(InputError, match="dimension"):
            Generator("laplace", wrong)  # type: ignore[arg-type]


def test_bad_input_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="dimension"):
        Generator("laplace", 0)
