"""Typed generators are named as members of families, and only where they are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpverify import Generator, InputError, recognise
from dpverify.enclosures.lowering import lower
from dpverify.language import parse
from dpverify.recognition.normal import up_to_factor
from dpverify.sampling.density import log_density

MEMBERS = [
    ("7*exp(-3*r)", 1, "laplace at scale 1/3"),
    ("(3+y)**(-2)", 1, "student_t with nu = 3"),
    ("1/(9+y)", 1, "cauchy at scale 3"),
    ("(1+y)**(-7/2)", 2, "pearson_vii with m = 7/2"),
    ("5/cosh(r/2)**2", 3, "radial_logistic"),
    ("1/(2+exp(r)+exp(-r))", 1, "radial_logistic"),
    ("exp(-sqrt(4+y))", 2, "hyperbolic with alpha = 2 at scale 2"),
    ("exp(-y/7)", 2, "gaussian at scale sqrt(7/2)"),
    ("r*besselk(1, 2*r)", 2, "matern_nu with nu = 1 at scale 1/2"),
    ("(1+r+y/3)*exp(-r)", 1, "matern_nu with nu = 5/2"),
    ("gammainc(1, y/6)/y", 1, "slash with q = 1 at scale sqrt(3)"),
    ("exp(-floor(r+1/2))", 1, "staircase with b = 1, g = 1/2"),
    ("Piecewise((exp(-y/8), r < 2), (exp(1/2-r/2), True))", 1, "huber with k = 1 at scale 2"),
    ("1/(2+cosh(r))", 1, "champernowne with lam = 2"),
    ("(1+y)**(-1/2)*besselk(1, 3*sqrt(1+y))", 1, "nig with alpha = 3"),
    ("(1-(1+y/2)*exp(-y/2))/y**2", 1, "slash with q = 3"),
    ("exp(-3*((1+y)**(1/4)-1))", 1, "barron with a = 1/2 at scale sqrt(2/3)"),
    ("exp(-Piecewise((r-1/2, r > 1), (y/2, True)))", 1, "huber with k = 1"),
]
BOUNDED = [
    ("Max(0, 1-y)**2", 1, "pearson_ii with m = 2"),
    ("Piecewise((0, r >= 3), (5*(9-y)**(1/3), True))", 2, "pearson_ii with m = 1/3 at scale 3"),
    ("Heaviside(2-y)*(1-y/2)", 1, "pearson_ii with m = 1 at scale sqrt(2)"),
]


@pytest.mark.slow
@pytest.mark.swept(stay=8)
@pytest.mark.parametrize(("text", "dimension", "name"), MEMBERS)
def test_members_are_named_and_differ_by_a_factor_alone(text: str, dimension: int, name: str) -> None:
    found = recognise(text, dimension)
    assert name in map(str, found)
    radii = np.linspace(0.05, 9, 40)
    typed = log_density(Generator(text, dimension).expression)(radii**2)
    for match in found:
        of_family = log_density(Generator(match.family.name, dimension, match.parameters).expression)
        gaps = typed - of_family(radii**2 / float(match.scale_squared))
        assert np.ptp(gaps) < 1e-9


@pytest.mark.parametrize(("text", "dimension", "name"), BOUNDED)
def test_members_with_a_bounded_support_are_named(text: str, dimension: int, name: str) -> None:
    assert name in map(str, recognise(text, dimension))


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    "text",
    [
        "Max(0, 1-r)**2",
        "Piecewise((1-y, r < 2), (0, True))",
        "exp(-r)*(2+sin(r))",
        "1/(1+r)**3",
        "exp(-r)*(1+r/2)",
        "(1+y)**(-2)+exp(-r)/1000000",
        "Piecewise((exp(-y/8), r < 2), (exp(1/3-r/2), True))",
        "exp(-r)*(1+1/10**9*exp(-y))",
    ],
)
def test_what_is_no_member_is_not_named(text: str) -> None:
    assert recognise(text) == ()


@pytest.mark.slow
def test_the_closed_form_of_a_rescaled_member_is_that_of_the_family() -> None:
    match = next(m for m in recognise("(3+y)**(-2)") if m.family.name == "pearson_vii")
    assert (match.parameters, match.scale_squared, match.scale) == ({"m": Fraction(2)}, Fraction(3), "sqrt(3)")
    assert match.closed_form == "2*m*asinh(delta/2)"


def test_a_limit_of_a_family_is_no_member_of_it() -> None:
    """Barron's loss tends to the Gaussian's as a -> 2, where it is 0/0 itself."""
    found = [match.family.name for match in recognise("exp(-y/7)", 2)]
    assert "gaussian" in found
    assert "barron" not in found


def test_texts_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(InputError):
        recognise("exp(-a*r)")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("exp(-r)*(1+2*r+y)/(1+r)", "3*(1+r)*exp(-r)"),
        ("1/cosh(r)", "exp(-r)/(1+exp(-2*r))"),
        ("(2+2*r)**(-1/2)", "(1+r)**(-1/2)"),
        ("exp(-r+2)", "exp(-r)"),
        ("sqrt(2)*exp(-sqrt(2*y))", "exp(-r)**sqrt(2)"),
        ("exp(-3*log(1+r))", "(1+r)**(-3)"),
        ("(1-r)**2*exp(-r)", "(1-2*r+y)*exp(-r)"),
        ("Max(1, r)**(-2)", "1/Max(r, 1)**2"),
        ("(y-1)/(r-1)*exp(-r)", "(1+r)*exp(-r)"),
        ("Piecewise((exp(-y), r < 1), (exp(-r), True))", "Piecewise((exp(-r), y >= 1), (exp(-y), True))"),
        ("exp(-Min(y/2, r))", "exp(Piecewise((-r, r > 2), (-y/2, True)))"),
        ("Max(0, 1-y)**2", "Heaviside(1-r)*(1-2*y+y**2)"),
        ("Abs(1-3)*exp(-r)", "exp(-r)"),
        ("gammainc(2, y)/y**2", "(1-(1+y)*exp(-y))/y**2"),
        ("gammainc(3/2, y/2)", "erf(r/sqrt(2))-sqrt(2/pi)*r*exp(-y/2)"),
        ("gammaincc(3, r)", "(1+r+y/2)*exp(-r)"),
        ("(2*(1+r)*(4-2*r))**(1/3)+1", "(32*(1+r)*(1-r/2)*2**(-2))**(1/3)+1"),
    ],
)
def test_identities_that_the_normal_form_knows(one: str, other: str) -> None:
    assert up_to_factor(lower(parse(one))) == up_to_factor(lower(parse(other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("((1-r)**2)**(1/2)*exp(-r)", "(1-r)*exp(-r)"),
        ("((r-1)**2)**(3/2)", "(r-1)**3"),
        ("exp(-r)", "-exp(-r)"),
        ("exp(-r)", "exp(-r)+1"),
        ("exp(-2*r)", "exp(-r)"),
        ("log(r**2)", "log(y+1)"),
        ("log(2*r)", "log(r)"),
        ("Piecewise((exp(-r), r < 1), (exp(-y), True))", "Piecewise((exp(-r), r < 2), (exp(-y), True))"),
        ("Piecewise((exp(-r), r < 1), (exp(-y), True))", "Piecewise((exp(-r), r > 1), (exp(-y), True))"),
        (
            "Piecewise((1+r, sin(r)**2+cos(r)**2 < 1), (exp(-y), True))",
            "Piecewise((1+r, sin(r)**2+cos(r)**2 <= 1), (exp(-y), True))",
        ),
        ("besselk(1, r)", "besselk(2, r)"),
        ("sin(r)+2", "sin(r)+3"),
        ("floor(r)+1", "floor(2*r)+1"),
        ("Max(0, 1-y)", "Max(0, 1-r)"),
        ("((1-r)*r)**(1/2)+1", "((r-1)*r)**(1/2)+1"),
        ("((1-r)**2*(2-r))**(1/2)+1", "(1-r)*(2-r)**(1/2)+1"),
        ("Max(1, r)", "Min(1, r)"),
        ("Max(0, (1-r)*(2-r))+1", "Max(0, 1-r)*(2-r)+1"),
        ("Piecewise((1+r, (1-r)**3 < 0), (1, True))", "Piecewise((1+r, (1-r)**2 < 0), (1, True))"),
        ("gammainc(2, y)", "gammainc(5/2, y)"),
        ("gammaincc(2, r)", "(2+r)*exp(-r)"),
    ],
)
def test_different_functions_have_different_forms(one: str, other: str) -> None:
    assert up_to_factor(lower(parse(one))) != up_to_factor(lower(parse(other)))
