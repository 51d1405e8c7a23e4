"""Formulas keep their structure, and whatever the text, only a fixed set of commands comes out."""

from __future__ import annotations

import re
import xml.dom.minidom

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.mathtext import MathTextParser

from dpverify.generators.catalogue import families
from dpverify.language.parser import FUNCTIONS
from dpverify.show.formulas import latex, mathml
from dpverify.show.typst import typst

COMMANDS = re.compile(r"\\([A-Za-z]+)")
OURS = (
    "dfrac frac left right cdot sqrt exp log sin cos sinh cosh tanh max min mathrm Gamma lfloor rfloor leq geq "
    "begin end alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "arctan lceil rceil Delta Theta Lambda Xi Sigma Phi Psi Omega"
)
KNOWN = set(OURS.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-(nu+d)/2", r"-\dfrac{\nu + d}{2}"),
        ("a-(-b)/c", r"a - \left(-\dfrac{b}{c}\right)"),
        ("((-a)/b)**2", r"{\left(-\dfrac{a}{b}\right)}^{2}"),
        ("a-(b-c)", r"a - \left(b - c\right)"),
        ("a-b-c", r"a - b - c"),
        ("a*(b+c)", r"a\,\left(b + c\right)"),
        ("(-2)**2", r"{\left(-2\right)}^{2}"),
        ("-2**2", r"-{2}^{2}"),
        ("(a**b)**c", r"{\left({a}^{b}\right)}^{c}"),
        ("a**b**c", r"{a}^{{b}^{c}}"),
        ("y**(1/4)", r"{y}^{\frac{1}{4}}"),
        ("(a/b)**2", r"{\left(\dfrac{a}{b}\right)}^{2}"),
        ("2*3", r"2 \cdot 3"),
        ("-a*b*c", r"-a\,b\,c"),
        ("a*(-b)*c", r"a\,\left(-b\right)\,c"),
        ("a-(-b*c)", r"a - \left(-b\,c\right)"),
        ("(a-b)*c", r"\left(a - b\right)\,c"),
        ("(-a*b)**2", r"{\left(-a\,b\right)}^{2}"),
        ("a*(b/c)", r"a\,\dfrac{b}{c}"),
        ("a/(b*c)/e1", r"\dfrac{\dfrac{a}{b\,c}}{e_{\mathrm{1}}}"),
        ("sqrt(2*y)", r"\sqrt{2\,y}"),
        ("1e-9", r"1 \cdot 10^{-9}"),
        ("besselk(p/2, r)", r"K_{\frac{p}{2}}\left(r\right)"),
        ("floor(r)", r"\left\lfloor r \right\rfloor"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert latex(text) == expected


@pytest.mark.sampled(stay=8)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_of_the_language_is_typeset_for_pages_and_for_paper(name: str) -> None:
    formula = latex(f"{name}({', '.join(['1/2', 'r'][-FUNCTIONS[name][0] :])})")
    assert formula is not None
    MathTextParser("path").parse(f"${formula}$")
    assert xml.dom.minidom.parseString(mathml(formula)).documentElement.tagName == "math"
    assert typst(formula)


@pytest.mark.sampled(stay=7)
@pytest.mark.parametrize("name", families())
def test_every_family_is_typeset_for_pages_and_for_paper(name: str) -> None:
    formula = latex(families()[name].text)
    assert formula is not None
    xml.dom.minidom.parseString(mathml(formula, True))
    if "cases" not in formula:
        MathTextParser("path").parse(f"${formula}$")


@pytest.mark.slow
@given(st.text(alphabet="ry01.+-*/(), _<>=nuexplogsqrtPiecwTdTrueé\\${}&\n", max_size=60))
def test_nothing_but_known_commands_comes_out(text: str) -> None:
    formula = latex(text)
    if formula is not None:
        assert set(COMMANDS.findall(formula)) <= KNOWN
        assert "$" not in formula
        assert "<script" not in mathml(formula)


@pytest.mark.parametrize("text", ["__import__('os')", "x.y", "f'{x}'", "lambda: 1", "y" * 400, "<b>", "'a'", "\\input"])
def test_other_text_is_not_typeset(text: str) -> None:
    assert latex(text) is None
