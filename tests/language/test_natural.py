"""Formulas as they are typed and pasted: read where they mean one thing, refused where they mean two."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import scipy.special
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from dpverify.enclosures import Ball, Evaluation
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.language import read


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("exp(-2y)", "exp(-2*y)"),
        ("exp(-2.5 r)", "exp(-2.5*r)"),
        ("2e3y", "2000*y"),
        ("3exp(-y)", "3*exp(-y)"),
        ("(1+y)(2+y)", "(1+y)*(2+y)"),
        ("exp(-y)exp(-r)", "exp(-y)*exp(-r)"),
        ("2(1+y)", "2*(1+y)"),
        ("exp(-r^2/2)", "exp(-r**2/2)"),
        ("-r^2", "-(r**2)"),
        ("2^-3", "2**-3"),
        ("ln(2+y)", "log(2+y)"),
        ("exp(\u2212\u221ay)", "exp(-sqrt(y))"),
        ("\u221a(1+y)", "sqrt(1+y)"),
        ("1/(1+2\u00b7y)\u00b2", "1/(1+2*y)**2"),
        ("\u0393(1+1/(1+r))", "gamma(1+1/(1+r))"),
        ("\\Gamma(1+1/(1+r))", "gamma(1+1/(1+r))"),
        ("exp(-|r|^3)", "exp(-abs(r)**3)"),
        (r"e^{-\sqrt{y}}", "exp(-sqrt(y))"),
        ("exp(-2|x|)", "exp(-2*r)"),
        ("exp(-||x||/2)", "exp(-r/2)"),
        ("exp(-\u2016x\u2016\u00b2)", "exp(-y)"),
        ("exp(-||x|-1|)", "exp(-abs(r-1))"),
        (r"e^{-\|x\|}", "exp(-r)"),
        (r"e^{-\left\lVert x \right\rVert^2}", "exp(-y)"),
        (r"e^{-\left| x \right|}", "exp(-r)"),
        (r"\frac{1}{(1+y)^2}", "1/(1+y)**2"),
        (r"\frac{1}{1+\frac{y}{2}}", "1/(1+y/2)"),
        (r"\left(1+\frac{y}{\nu}\right)^{-\frac{\nu+d}{2}}", "(1+y/nu)**(-(nu+d)/2)"),
        (r"\exp\left(-\left|r\right|\right)", "exp(-abs(r))"),
        (r"2 \cdot \pi \cdot y", "2*pi*y"),
        ("Piecewise((2r,r<=1),(1,True))", "Piecewise((2*r,r<=1),(1,True))"),
        ("exp(-\u03c0 r)", "exp(-pi*r)"),
        ("y exp(-nu r)", "y*exp(-nu*r)"),
        ("exp(-r\u00f72)", "exp(-r/2)"),
        (r"e^{-\sqrt y}", "exp(-sqrt(y))"),
        ("exp(-\u221a y)", "exp(-sqrt(y))"),
    ],
)
def test_what_means_one_thing_is_read_as_that(typed: str, meant: str) -> None:
    assert read(typed).expression == read(meant).expression
    assert read(typed).text.isascii()
    assert read(read(typed).text).expression == read(meant).expression, "a certificate's text is the language's own"


@pytest.mark.parametrize(
    ("typed", "column"),
    [
        ("1/2y", 4),
        ("exp(-1/2y)", 9),
        ("1/(1+y)(2+y)", 8),
        ("2^3y", 4),
        ("2^-3y", 5),
        ("r^2(1+y)", 4),
        ("1/exp(y)(2+y)", 9),
        ("\u221ay^2", 1),
        ("exp(-|x||x|)", 5),
        ("exp(-sqrt|x|)", 5),
        ("\u221a2y", 1),
        ("1.2.3*y", 4),
        ("2 3*y", 3),
        ("1/nu y", 6),
        ("r^nu y", 6),
    ],
)
def test_what_means_two_things_is_refused_at_its_column(typed: str, column: int) -> None:
    with pytest.raises(InputError) as refusal:
        read(typed)
    assert str(refusal.value).startswith(f"column {column}: ")


@pytest.mark.parametrize(
    "typed",
    [
        "0x10",
        "1_000",
        "1j",
        "exp(-y) if y<1 else 0",
        "lambda y: y",
        "y<1",
        "exp[-y]",
        r"\foo{y}",
        "y//2",
        "(y,)",
        "y.real",
    ],
)
def test_what_is_no_formula_is_refused_without_a_word_of_python(typed: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(typed)
    said = str(refusal.value)
    assert "\n" not in said
    for word in ("BitXor", "IfExp", "Lambda", "Compare", "Subscript", "Attribute", "Tuple", "FloorDiv", "literal"):
        assert word not in said


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("f(y) = exp(-r)", "column 6: write the formula alone, without f(y) ="),
        ("f := exp(-r)", "column 4: write the formula alone, without f :="),
        ("sec(r)", "write 1/cos(...)"),
        ("lgamma(1+r)", "write loggamma(...)"),
        ("np.exp(-r)", "only the functions of the language can be called; write exp(...) alone"),
        ("scipy.special.kv(0, r)", "can be called; write besselk(p, ...)"),
        ("W(r)", "write lambertw(...), or for a product W*(...)"),
        ("where(r<1,1,0)", "write Piecewise((value, condition), (other, True))"),
        ("besselj(0, r)", "the function 'besselj' is not in the language; the functions are Abs"),
        ("exp(-\u03bb*r)", "call the parameter lam"),
        ("exp(-lambda*r)", "no parameter may be called lambda; call it lam"),
        ("K_0(sqrt(1+y))", "for the Bessel function K_p write besselk(p, ...)"),
        ("exq(-r)", "did you mean exp?"),
        ("nu(1+y)", "for a product write nu*(...)"),
        ("exp(-sqrt y)", "sqrt is a function; write sqrt(...)"),
        ("exp(-r\u00bd)", "write a fraction such as 1/2"),
    ],
)
def test_what_is_refused_is_told_as_it_would_be_written(typed: str, told: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(typed)
    assert told in str(refusal.value)


FORMULAS: dict[str, Callable[[float], float]] = {
    "tan": math.tan,
    "sec": lambda u: 1 / math.cos(u),
    "csc": lambda u: 1 / math.sin(u),
    "cot": lambda u: 1 / math.tan(u),
    "sinc": lambda u: math.sin(u) / u,
    "arctan": math.atan,
    "arcsinh": math.asinh,
    "arctanh": math.atanh,
    "log2": math.log2,
    "log10": math.log10,
    "exp2": lambda u: 2**u,
    "cbrt": lambda u: float(np.cbrt(u)),
    "fabs": abs,
    "sgn": lambda u: math.copysign(1, u),
    "lgamma": math.lgamma,
    "LambertW": lambda u: float(scipy.special.lambertw(u).real),
    "erfcx": lambda u: float(scipy.special.erfcx(u)),
    "Phi": lambda u: float(scipy.special.ndtr(u)),
    "sigmoid": lambda u: float(scipy.special.expit(u)),
    "softplus": lambda u: math.log1p(math.exp(u)),
    "relu": lambda u: max(u, 0.0),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_what_is_to_be_written_is_that_function(name: str) -> None:
    """At u = 3/7: the formula that the refusal of NAME(r) names, with r for the dots."""
    with pytest.raises(InputError) as refusal:
        read(f"{name}(r)")
    formula = str(refusal.value).partition("write ")[2].replace("...", "r")
    expression = lower(read(formula).expression)
    found = Evaluation(Ball(arb(3) / 7)).value(expression).x
    assert abs(float(found.mid()) - FORMULAS[name](3 / 7)) < 1e-12


@pytest.mark.slow
@given(st.text("yr12+-*/^(){}\\ .√²|e", max_size=20))
def test_any_text_is_read_or_refused_in_one_line(typed: str) -> None:
    try:
        again = read(typed)
    except InputError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert read(again.text).expression == again.expression
