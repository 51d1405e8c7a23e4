"""Generators, sensitivities and plots in the words of other programs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy
from scipy import stats

from dpverify import Generator, InputError, verify
from dpverify.algebraic import rational_above, rational_below


def test_an_expression_of_sympy_is_its_text() -> None:
    y = sympy.Symbol("y")
    assert Generator(sympy.exp(-sympy.sqrt(y)) * sympy.E).expression == Generator("e*exp(-sqrt(y))").expression


def test_frozen_distributions_are_their_families() -> None:
    law = stats.multivariate_t(shape=[[2, 0], [0, 3]], df=2.5)
    assert Generator(law) == Generator("student_t", 2, {"nu": "5/2"})
    assert Generator(stats.multivariate_normal(np.zeros(3))) == Generator("gaussian", 3)
    with pytest.raises(InputError, match="dimension"):
        Generator(law, 3)
    with pytest.raises(InputError, match="is not read"):
        Generator(stats.dirichlet([1, 2]))


@pytest.mark.parametrize(("text", "square"), [("sqrt(2)", 2), ("\u221a2", 2), ("(1/3)^(1/2)", Fraction(1, 3))])
def test_an_irrational_number_is_rounded_to_the_safe_side(text: str, square: Fraction) -> None:
    low, high = rational_below(text, "it"), rational_above(text, "it")
    assert low**2 < square < high**2
    assert high - low < Fraction(1, 10**18)


def test_what_is_rational_stays_exact() -> None:
    assert rational_above("sqrt(4)", "it") == 2 == rational_below("2^1", "it")
    assert verify("laplace", sensitivity=sympy.sqrt(2)).sensitivity == rational_above("sqrt(2)", "it")


@pytest.mark.parametrize("text", ["y", "abc", "sqrt(-1)", "1/0", "exp(", "r-r", "", 0.5])
def test_what_is_no_number_is_refused(text: object) -> None:
    with pytest.raises(InputError):
        rational_above(text, "it")


@pytest.mark.slow
def test_a_result_draws_itself(tmp_path: Path) -> None:
    result = verify("laplace")
    assert result.plot(tmp_path / "loss.svg").read_text().startswith("<?xml")
    assert "<svg" in result.plot()._repr_svg_()
    with pytest.raises(InputError, match="must end in"):
        result.plot(tmp_path / "loss.txt")
