"""Rational functions in the kernel: Sturm's count and products beside SymPy, and forgeries of each rule."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy

from dpverify import verify
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections import algebra
from dpverify.kernel.sections.needs import bare
from tests.kernel.problems import proven, tree

S = sympy.Symbol("s", positive=True)


def random_polynomial(rnd: random.Random) -> Any:
    """A product of powers of linear and quadratic factors, some without real roots."""
    p = sympy.Integer(rnd.choice((1, -2, 3)))
    for _ in range(rnd.randint(1, 4)):
        a, b = (
            sympy.Rational(rnd.randint(-6, 6), rnd.randint(1, 4)),
            sympy.Rational(rnd.randint(-5, 9), rnd.randint(1, 3)),
        )
        p *= rnd.choice((S - a, S**2 - b, S**2 + a * S + b, S)) ** rnd.randint(1, 3)
    return sympy.Poly(sympy.expand(p), S)


def coefficients(p: Any) -> list[Fraction]:
    return [Fraction(int(c.p), int(c.q)) for c in reversed(p.all_coeffs())]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_sturm_counts_the_positive_roots(seed: int) -> None:
    p = random_polynomial(random.Random(seed))
    distinct = {r for r in sympy.real_roots(p) if r > 0}
    assert algebra.positive_roots(coefficients(p)) == len(distinct)
    odd = {r for r in distinct if sympy.real_roots(p).count(r) % 2}
    assert algebra.positive_roots(algebra.odd_part(coefficients(p))) == len(odd)


@pytest.mark.parametrize("p", [[], [0, 0, 0][:0]])
def test_the_zero_polynomial_has_no_number_of_roots(p: list[Fraction]) -> None:
    with pytest.raises(Rejected):
        algebra.positive_roots(p)


def factor(*coefficients: object, power: int = 1) -> dict[str, Any]:
    return {"polynomial": [str(c) for c in coefficients], "power": power}


def product(text: str, constant: object, *factors: dict[str, Any]) -> Any:
    return algebra.as_product(tree(text), {"node": 1, "constant": str(constant), "factors": list(factors)})


@pytest.mark.parametrize(
    ("text", "constant", "factors"),
    [
        ("1-2*r+y", 1, [factor(-1, 1, power=2)]),
        ("exp(-r)*(1-2*r+y)*(1+r)", 1, [factor(-1, 1, power=2), factor(1, 1)]),
        ("1/(y**2-2*y+1)", 1, [factor(-1, 1, power=-2), factor(1, 1, power=-2)]),
        ("1-2*sqrt(r)+r", 1, [factor(-1, 1, power=2)]),
        ("(1-r)/(1-y)", 1, [factor(1, 1, power=-1)]),
        ("2/(r-1)-4/(y-1)", 2, [factor(1, 1, power=-1)]),
        ("r**(1/3)-r**(2/3)", -1, [factor(0, 1), factor(-1, 1)]),
    ],
)
def test_products_are_what_they_replace(text: str, constant: int, factors: list[dict[str, Any]]) -> None:
    old, new = tree(text), product(text, constant, *factors)
    for x in (Fraction(3, 7), Fraction(5), Fraction(17, 3)):
        assert abs(at(old, x) - at(new, x)) < mpmath.mpf(10) ** -12


def at(node: Any, x: Fraction) -> Any:
    """The node by mpmath."""
    if node.kind == "r":
        return mpmath.mpf(x.numerator) / x.denominator
    if node.kind == "num":
        return mpmath.mpf(node.args[0].numerator) / node.args[0].denominator
    parts = [at(a, x) for a in node.args if hasattr(a, "kind")]
    if node.kind == "pow":
        return parts[0] ** (mpmath.mpf(node.args[1].numerator) / node.args[1].denominator)
    if node.kind == "exp":
        return mpmath.exp(parts[0])
    return mpmath.fsum(parts) if node.kind == "add" else mpmath.fprod(parts)


@pytest.mark.parametrize(
    ("text", "constant", "factors"),
    [
        ("1001/1000-2*r+y", 1, [factor(-1, 1, power=2)]),
        ("1-2*r+y", 2, [factor(-1, 1, power=2)]),
        ("1-2*r+y", 0, [factor(-1, 1, power=2)]),
        ("r-r", 1, [factor(-1, 1)]),
        ("1-2*r+y", 1, [factor(-1, 1, power=2), factor(1)]),
        ("1-2*r+y", 1, [factor(-1, 1, power=2), factor(0, 0)]),
        ("1-2*r+y", 1, [factor(-1, 1, power=3), factor(-1, 1, power=1)]),
        ("1-2*r+y", 1, [factor(-1, 1, power=0)]),
        ("1-2*sqrt(r)+r", 1, [factor(-1, 1, power=1)]),
        ("exp(-r)", 1, [factor(-1, 1)]),
        ("exp(-r)*(1+r)", 1, [factor(-1, 1)]),
        ("(1-r)/(1-y)", 1, [factor(1, 1)]),
        ("1+sqrt(2)*r", 1, [factor(1, 1)]),
        ("1/(r-r)", 1, [factor(1, 1)]),
    ],
)
def test_other_products_are_refused(text: str, constant: int, factors: list[dict[str, Any]]) -> None:
    with pytest.raises(Rejected):
        product(text, constant, *factors)


@pytest.mark.parametrize(
    "text",
    ["exp(-r)*(1+y)", "exp(-r)", "exp(-r**3/3+y-r)", "(1+y)**(-3/2)", "2*exp(-2*r)*(1+r)", "exp(-sqrt(r))/(1+r)",
     "(1+y)/(1+2*y)*exp(-r)", "1/(1+r)", "sqrt(1+1/(1+r))", "3"],
)  # fmt: skip
def test_what_falls_by_algebra(text: str) -> None:
    algebra.falls_by_algebra(tree(text))


@pytest.mark.parametrize(
    "text",
    ["exp(-r)*(1+y+r**3/100)", "exp(r)", "exp(-r)*(2+y)**3", "-1/(1+r)", "(-1-r)**(-1)", "-exp(r)", "1/(1-r)",
     "1/(r-2)**2", "exp(1/(1-r))", "exp(-r)*Abs(1-r)", "r*exp(-r)", "exp(-r)*(1-r)", "exp(-r)*cos(r)", "exp(-floor(r))",
     "(r-1)**2*exp(-r)",
     "exp(-1/r)", "exp(-r)*(1+101/100*y)", "0*r", "(1-1/(1+r))*exp(-r)", "(-2-r)**3"],
)  # fmt: skip
def test_what_rises_somewhere_or_jumps_does_not(text: str) -> None:
    with pytest.raises(Rejected):
        algebra.falls_by_algebra(tree(text))


@pytest.mark.parametrize(
    ("text", "met"),
    [("sqrt(1-2*r+y)", True), ("log(1-2*r+y)", True), ("log(y**2-2*y+1)", True),
     ("sqrt(1-2*sqrt(r)+r)", True), ("sqrt(1/(1-2*r+y))", True), ("sqrt(999/1000-2*r+y)", False), ("log(r-1)", False),
     ("sqrt(-1+2*r-y)", False), ("log(r-r)", False), ("sqrt((r-1)**3*(r-2))", False), ("log(r-cos(r))", False),
     ("log(-(1-r)**2)", False)],
)  # fmt: skip
def test_needs_that_algebra_meets(text: str, met: bool) -> None:
    reader = Reader(text, {})
    reader.tree()
    need = bare(reader.needs[-1])
    try:
        found = algebra.met_by_algebra(need)
    except Rejected:
        found = False
    assert found is met or need.kind == "nonzero"


def refused(c: dict[str, Any]) -> bool:
    try:
        check_bytes(proven(c))
    except Rejected:
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "others"),
    [
        (
            "sqrt(1-2*r+y)*exp(-r)",
            ["sqrt(1001/1000-2*r+y)*exp(-r)", "sqrt(1-3*r+y)*exp(-r)", "(1-2*r+y)**(-1/2)*exp(-r)"],
        ),
        ("exp(-r)/(1-2*r+y)", ["exp(-r)/(1001/1000-2*r+y)", "exp(-r)*(1-2*r+y)", "exp(-r)/(4-4*r+y)"]),
        ("exp(-r)*(1+y)", ["exp(-r)*(1+101/100*y)", "exp(-r/2)*(1+y)", "exp(-r)*(1-y)"]),
    ],
)
def test_other_texts_under_the_same_proof_are_refused(text: str, others: list[str]) -> None:
    c = dict(verify(text).certificate or {})
    assert not refused(copy.deepcopy(c))
    for other in others:
        forged = copy.deepcopy(c)
        forged["claim"]["generator"] = other
        assert refused(forged), other
