"""Texts become the right tree, or one line of refusal within a second, with no side effect."""

from __future__ import annotations

import os
import re
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpverify.errors import InputError
from dpverify.language import parse, parse_rational, text_of
from dpverify.language.expression import Call, Number, Power, Product, Radius

HOSTILE = [
    "",
    "   ",
    "(",
    "exp(-y",
    "y = 3",
    "y; y",
    "import os",
    "lambda: 1",
    "(z := 3)",
    "[y for y in (1, 2)]",
    "{1: 2}",
    "y[0]",
    "y.real",
    "().__class__.__bases__",
    "__import__('os').system('touch /tmp/dpverify-was-here')",
    "exp.__globals__",
    "open('/tmp/dpverify-was-here', 'w')",
    "eval('1')",
    "exec('1')",
    "print(y)",
    "9**9**9**9",
    "10**(10**10)",
    "2**100000",
    "1e999999999",
    "1e99999",
    "9" * 5000,
    "0." + "1" * 5000,
    "(" * 100_000,
    "exp(" * 120 + "y" + ")" * 120,
    "-" * 3000 + "y",
    "+".join(["y"] * 5000),
    "1j",
    "'y'",
    "b'y'",
    "f'{y}'",
    "None",
    "...",
    "exp(y, y)",
    "exp()",
    "exp(x=y)",
    "exp(*y)",
    "Max(y)",
    "frobnicate(y)",
    "y if y else 1",
    "y < 4",
    "y @ y",
    "y // 2",
    "y % 2",
    "~y",
    "not y",
    "1/0",
    "y/(1-1)",
    "Piecewise()",
    "Piecewise(y)",
    "Piecewise((y, 1))",
    "Piecewise((y, y == 4), (1, True))",
    "exp",
    "y\0",
    "y\n+1",
    "\ud800",
    "e\u03c7p(y)",
    "\U0001f600",
    "r**r**r**r**(9**9**9)",
    "_secret",
    "y**(10**12)",
]


@pytest.mark.sampled(stay=16)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: repr(t[:30]))
def test_hostile_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text)
    assert len(str(error.value).splitlines()) == 1
    assert not os.path.exists("/tmp/dpverify-was-here")


@pytest.mark.parametrize("sign", ["\r", "\n", "\x0b", "\x85", "\u2028", ""])
def test_a_backslash_before_a_sign_of_layout_is_refused_on_one_line(sign: str) -> None:
    with pytest.raises(InputError, match=r"column 1: the command \\ is not in the language") as error:
        parse("\\" + sign)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.slow
@given(st.text(max_size=60))
def test_any_text_gives_a_tree_or_an_input_error(text: str) -> None:
    try:
        parse(text)
    except InputError as error:
        assert len(str(error).splitlines()) <= 1


@pytest.mark.slow
@given(st.text(alphabet="yrepi0123456789.+-*/() ,<>=", max_size=40))
def test_any_text_of_the_languages_letters_gives_a_tree_or_an_input_error(text: str) -> None:
    try:
        parse(text)
    except InputError as error:
        assert len(str(error).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.3", Fraction(3, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("2/3", Fraction(2, 3)),
        (".5", Fraction(1, 2)),
        ("-7", Fraction(-7)),
        ("2**-2", Fraction(1, 4)),
        ("0.1+0.2", Fraction(3, 10)),
    ],
)
def test_numbers_are_exact(text: str, value: Fraction) -> None:
    assert parse(text) == Number(value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("exp(-y) # + 1/y", "character #"),
        ("exp(-y)*0x10", "not plain"),
        ("exp(-y)*1_0.5", "not plain"),
        ("exp(-y)*1_0", "not plain"),
        ("exp(-y)*0b1", "not plain"),
        ("exp(-y)*1j", "no number"),
        ("0**0*exp(-y)", "0**0"),
        ("Piecewise((1, y < 1 & r < 2), (2, True))", "and"),
        ("   exp(-y)@2", "column 4"),
    ],
)
def test_text_that_would_be_read_in_two_ways_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        parse(text)


def test_y_is_the_square_of_the_radius_and_roots_of_y_are_exact() -> None:
    assert parse("sqrt(y)") == Radius() == parse("r")
    assert parse("y**(1/4)") == Power(Radius(), Number(Fraction(1, 2)))
    assert parse("y*r") == Power(Radius(), Number(Fraction(3)))
    assert parse("log(exp(-y))") == parse("-y")
    assert parse("e**y") == Call("exp", (parse("y"),))
    assert isinstance(parse("2*exp(-y)"), Product)


@pytest.mark.parametrize(
    "text",
    [
        "exp(-sqrt(y))",
        "(1+y/nu)**(-(nu+d)/2)",
        "Piecewise((2*exp(-y), 1 < y <= 4), (exp(-y), True))",
        "Piecewise((1, y < 1 and r > 1/2), (2, not y < 3 or y > 9), (3, True))",
        "besselk(1/3, sqrt(1+y))",
        "Max(0, 1-y)**2",
        "floor(3*r)/2",
        "1-tanh(r)",
        "asinh(r)*sin(2*r)-cos(r)",
        "gamma(1/3)*erfc(r)",
        "pi*e**(-r)",
        "abs(1-r)",
        "min(r, y, 3)",
    ],
)
def test_printing_and_reading_back_is_the_identity(text: str) -> None:
    tree = parse(text)
    assert parse(text_of(tree)) == tree


LEAVES = st.sampled_from(["y", "r", "2", "1/3", "0.25", "pi"])
TEXTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(lambda t: f"({t[0]}{t[1]}(1+{t[2]}**2))"),
        inner.map(lambda t: f"exp(-abs({t}))"),
        inner.map(lambda t: f"sqrt(1+({t})**2)"),
        inner.map(lambda t: f"({t})**2"),
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(TEXTS, st.sampled_from(["1/7", "1", "3/2", "12"]))
def test_simplification_does_not_change_values(text: str, at: str) -> None:
    with mpmath.workdps(50):
        r = mpmath.mpf(Fraction(at).numerator) / Fraction(at).denominator
        names = {"r": r, "y": r**2, "pi": mpmath.pi, "exp": mpmath.exp, "sqrt": mpmath.sqrt, "abs": abs, "Abs": abs}
        plain = _value(text, names)
        simplified = _value(text_of(parse(text)), names)
        assert mpmath.almosteq(plain, simplified, rel_eps=mpmath.mpf(10) ** -30, abs_eps=mpmath.mpf(10) ** -30)


def _value(text: str, names: dict) -> mpmath.mpf:
    """Python's own reading of the text (texts made by this file only), with mpf numbers."""
    wrapped = re.sub(r"(?<![\w.])(\d+\.?\d*)", r"mpf('\1')", text)
    return eval(wrapped, {"__builtins__": {}, "mpf": mpmath.mpf}, names)


@pytest.mark.parametrize("value", [1.5, True, None, "x", "1/0", "1e99999", "", "1 2", "0x10", "nan", "inf", "9" * 5000])
def test_what_is_no_exact_rational_is_refused(value: object) -> None:
    with pytest.raises(InputError):
        parse_rational(value, "the scale")


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ("5/2", Fraction(5, 2)),
        ("0.3", Fraction(3, 10)),
        (" 1e-9 ", Fraction(1, 10**9)),
        (7, Fraction(7)),
        ("-2", Fraction(-2)),
        ("+.5", Fraction(1, 2)),
    ],
)
def test_rationals_are_read_exactly(value: object, exact: Fraction) -> None:
    assert parse_rational(value, "x") == exact
