"""Generators bind their parameters exactly; the catalogue's closed forms stand up to a plain search."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from dpverify import Generator, InputError, families
from dpverify.prover.closed_form import confirmed
from tests.strategies import search


def test_parameters_are_bound_exactly_and_d_is_the_dimension() -> None:
    generator = Generator("(1+y/nu)**(-(nu+d)/2)", dimension=4, parameters={"nu": "0.5"})
    assert generator.parameters == {"nu": Fraction(1, 2)}
    assert generator.expression == Generator("(1+2*y)**(-9/4)").expression


def test_a_family_name_brings_its_text_and_defaults() -> None:
    generator = Generator("student_t", dimension=2)
    assert generator.family is not None
    assert generator.parameters == {"nu": Fraction(5)}


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ("exp(-y*a)", {}, "'a' is not bound"),
        ("exp(-y)", {"a": 1}, "no parameter 'a'"),
        ("exp(-y*a)", {"a": 1, "nu": 3}, "no parameter 'nu'"),
        ("student_t", {"beta": 3}, "no parameter 'beta'"),
        ("exp(-y*delta)", {"delta": 1}, "delta, which means something else"),
        ("exp(-y*Delta)", {"Delta": 1}, "Delta, which means something else"),
        ("exp(-y*sigma)", {"sigma": 1}, "sigma, which means something else"),
        ("exp(-y*epsilon)", {}, "epsilon, which means something else"),
        ("exp(-y*a)", {"a": 1, "erf": 2}, "erf, which is a function"),
        ("exp(-y*a)", {"a": "0x10"}, "parameter a"),
        ("exp(-y*a)", {"a": "1_0"}, "parameter a"),
        ("exp(-y*a)", {"a": 0.5}, "exact"),
        ("exp(-y)", {"dimension": 0}, "dimension"),
        ("exp(-y)", {"dimension": True}, "dimension"),
        ("exp(-y)", {"dimension": 10**7}, "dimension"),
        ("exp(-y*d)", {"dimension": 2, "d": 3}, "d is the dimension"),
        ("exp(-y)**a", {"a": "1e999999"}, "parameter a"),
        ("1/(a-1)*exp(-y)", {"a": 1}, "division by zero"),
    ],
)
def test_what_cannot_be_bound_is_refused(text: str, arguments: dict, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Generator(text, arguments.pop("dimension", 1), arguments)


POTENTIALS = {  # g(r) = -log f(r^2), written down independently of the catalogue's texts
    "laplace": lambda d, p: lambda r: r,
    "student_t": lambda d, p: lambda r: (p["nu"] + d) / 2 * mpmath.log(1 + r * r / p["nu"]),
    "multivariate_laplace": lambda d, p: lambda r: mpmath.sqrt(2) * r,
    "power_exponential": lambda d, p: lambda r: r ** (2 * p["beta"]),
    "cauchy": lambda d, p: lambda r: (1 + d) / mpmath.mpf(2) * mpmath.log(1 + r * r),
    "pearson_vii": lambda d, p: lambda r: p["m"] * mpmath.log(1 + r * r),
}
LIMITS = {"hyperbolic", "sech", "matern", "generalized_hyperbolic"}
CASES = [
    ("laplace", 3, {}),
    ("student_t", 1, {"nu": "1/3"}),
    ("student_t", 7, {"nu": "4"}),
    ("multivariate_laplace", 1, {}),
    ("power_exponential", 2, {"beta": "1/3"}),
    ("cauchy", 2, {}),
    ("pearson_vii", 1, {"m": "7/2"}),
]


@pytest.mark.sampled(stay=6)
@pytest.mark.parametrize(("name", "dimension", "bound"), CASES)
@pytest.mark.parametrize("delta", ["1/10", "1", "5/2"])
def test_closed_forms_are_the_supremum(name: str, dimension: int, bound: dict, delta: str) -> None:
    generator = Generator(name, dimension, bound)
    with mpmath.workdps(40):
        numbers = {k: mpmath.mpf(v.numerator) / v.denominator for k, v in generator.parameters.items()}
        g = POTENTIALS[name](dimension, numbers)
        step = mpmath.mpf(Fraction(delta).numerator) / Fraction(delta).denominator
        found = search(g, step)
        if name == "power_exponential":
            found = max(found, g(step) - g(mpmath.mpf(0)))
        margin = Fraction(1, 10**12)
        best = Fraction(int(mpmath.nint(found * 10**20)), 10**20)
    assert confirmed(generator, Fraction(delta), best - margin, best + margin) is not None
    assert confirmed(generator, Fraction(delta), best + margin, best + 2 * margin) is None


@pytest.mark.parametrize("name", sorted(families()))
def test_every_family_is_described(name: str) -> None:
    family = families()[name]
    assert family.name == name
    assert all((family.title, family.text, family.private_when, family.source, family.notes))
    defaults = {p.name: p.default or Fraction(3) for p in family.parameters}
    assert Generator(name, 1, defaults).expression is not None
