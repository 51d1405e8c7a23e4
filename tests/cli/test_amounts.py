"""A sensitivity and a scale that are no rationals are rounded to the safe side, and it is said to which number."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpverify.algebraic import rational_above, rational_below
from dpverify.numerals import brief, stated
from tests.command import run


@pytest.mark.parametrize("text", ["sqrt(2)", "\u221a2", "2**(1/2)"])
def test_the_root_of_two_is_between_its_roundings(text: str) -> None:
    below, above = rational_below(text, "it"), rational_above(text, "it")
    assert below**2 < 2 < above**2 and above - below == Fraction(1, 10**19)


def test_it_is_told_on_the_way() -> None:
    done = run("verify", "laplace", "--sensitivity", "sqrt(2)", "--scale", "sqrt(1/2)")
    assert done.stderr.splitlines() == [
        "dpverify: Delta = 1.4142135623730950489, which is sqrt(2) rounded up",
        "dpverify: sigma = 0.7071067811865475244, which is sqrt(1/2) rounded down",
    ]
    assert "Delta = 1.4142135623730950489, sigma = 0.7071067811865475244" in done.stdout


def test_a_target_is_rounded_down() -> None:
    """log 2 = 0.693147180559945309417...; Laplace has epsilon = Delta/sigma, so sigma >= 1/log 2."""
    done = run("calibrate", "laplace", "--epsilon", "log(2)")
    assert done.stderr == "dpverify: epsilon = 0.69314718055994530941, which is log(2) rounded down\n"
    assert done.returncode == 0 and "SIGMA = 1.44269504" in done.stdout


@pytest.mark.slow
def test_a_scale_for_a_profile_takes_them_too() -> None:
    done = run("calibrate", "gaussian", "--epsilon", "log(2)", "--delta", "1e-3", "--sensitivity", "sqrt(2)")
    assert done.returncode == 0 and len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize("text", ["sqrt(4)", "1e-3", "2**3", "5/2"])
def test_a_rational_is_what_it_is(text: str) -> None:
    assert run("verify", "laplace", "--sensitivity", text).stderr == ""


@pytest.mark.parametrize("text", ["sqrt(", "sqrt(-1)", "-sqrt(2)", "y", "q", "exp(1e9)", "exp(-1e9)", "1-exp(0)"])
def test_what_is_no_number_is_told_once(text: str) -> None:
    done = run("verify", "laplace", "--sensitivity", text)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(10**30 + 1, 3), Fraction(14142135623730950489, 10**19)])
def test_a_brief_number_is_the_number(number: Fraction) -> None:
    assert Fraction(brief(number)) == number


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("1/100000", "1/100000"),
        ("1e-20", "1e-20"),
        ("1e-300", "1e-300"),
        ("8.72136022984", "8.72136022984"),
        ("0.0000001234567890125", "0.0000001234567890125"),
        ("1/3", "1/3"),
        ("100000000000001/300000000000001", "100000000000001/300000000000001"),
    ],
)
def test_a_number_is_stated_as_people_write_it_and_exactly(number: str, text: str) -> None:
    assert stated(Fraction(number)) == text and Fraction(text) == Fraction(number)
