"""What the kernel reads is what is written: values, logarithms, slopes and increments of texts, closely enclosed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ONE, ZERO, Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.besselk import rough_exp
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.exponentials import softplus
from dpverify.kernel.sections.increments import Shift, with_shift
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.waves import cos
from dpverify.kernel.sections.ways import Ways
from dpverify.kernel.tree import Node
from tests.kernel import problems

RADII, STEP = (Fraction(1, 3), Fraction(1), Fraction(5, 2)), Fraction(3, 4)


def piecewise(*branches: tuple[Any, Any]) -> Any:
    return next(value for value, holds in branches if holds)


FUNCTIONS = (
    "exp",
    "log",
    "sqrt",
    "sin",
    "cos",
    "sinh",
    "cosh",
    "tanh",
    "erf",
    "erfc",
    "asinh",
    "gamma",
    "floor",
    "besselk",
    "expm1",
    "log1p",
    "acosh",
    "ceil",
    "frac",
    "sign",
)
NAMES: dict[str, Any] = {name: getattr(mpmath, name) for name in FUNCTIONS}
NAMES |= {
    "atan": mpmath.atan,
    "loggamma": mpmath.loggamma,
    "lambertw": lambda x: mpmath.lambertw(x).real,
    "besseli": mpmath.besseli,
    "gammainc": lambda a, x: mpmath.gammainc(a, 0, x, regularized=True),
    "gammaincc": lambda a, x: mpmath.gammainc(a, x, regularized=True),
}
NAMES |= {"Abs": abs, "abs": abs, "Max": max, "Min": min, "max": max, "min": min, "Piecewise": piecewise}


def truth(text: str, r: Fraction) -> Any:
    """The text as Python reads it, with mpmath's functions."""
    x = mpmath.mpf(r.numerator) / r.denominator
    names = {**NAMES, "r": x, "y": x * x, "pi": mpmath.pi(), "e": mpmath.e(), "nu": mpmath.mpf(3) / 2}
    exact = re.sub(r"(?<![a-z])[0-9]+[.]?[0-9]*([eE]-?[0-9]+)?", lambda number: f"number('{number.group()}')", text)
    return mpmath.mpf(eval(exact, {"__builtins__": {}}, {**names, "number": mpmath.mpf}))


def mp(x: Decimal) -> Any:
    return mpmath.mpf(str(x))


def closely(x: Interval, value: Any, digits: int = 40) -> bool:
    """The value lies within, and both ends are near it."""
    slack = mpmath.mpf(10) ** -digits * (1 + abs(value))
    return bool(mp(x.lo) - slack / 1000 <= value <= mp(x.hi) + slack / 1000 and mp(x.hi) - mp(x.lo) <= slack)


def tree(text: str) -> Node:
    return problems.tree(text, nu=Fraction(3, 2))


TEXTS = [
    *("r", "y", "3", "1/7", "0.25", "1.5e-3", "2E2", "pi", "e", "nu", "-r", "+r", "r-1", "1-r", "2*r-y", "r-r", "0*r"),
    *("r/3", "3/r", "r/(1+r)", "-(1+r)", "-1*(r-2)", "1*(r-2)", "2*(r-3)*(r-4)", "r*r*r", "r*y/r**2", "(2/3)**3"),
    *("r**2", "y**(1/2)", "r**(-1/3)", "(r-4)**2", "(r-4)**3", "(r-4)**(-3)", "(r-4)**(-2)", "(r-1/4)**0", "(4-r)**0"),
    *("(1+r)**(1/3)", "((1+r)**(1/2))**(2/3)", "((r-4)**2)**3", "((r-4)**2)**(1/2)", "((r-4)**3)**2", "(2*r)**(3/2)"),
    *("((1+r)*(2+r))**(-1/2)", "(r*(1+r))**2", "(1+r)**(1/2)*(1+r)**(1/3)", "(1+r)/(1+r)", "pi**2/pi", "pi*r/pi**3"),
    *("(r-4)*(r-4)", "(r-4)/(r-4)", "2**r", "r**r", "(1+r)**r", "exp(r)**2", "exp(r)**r", "e**r", "pi**r", "(2*r)**nu"),
    *("exp(-r)", "exp(r-2)*exp(3)", "log(r)", "log(1+r)*r", "sqrt(r)", "sqrt(1+y)", "exp(-y)+exp(-r)", "1-exp(-r)"),
    *("exp(-r)-exp(-2*r)", "-exp(-r)-exp(-2*r)", "exp(-2*r)-exp(-r)", "3*exp(-r)-2*exp(-2*r)-exp(-3*r)", "2-exp(-r)"),
    *("exp(-r)+2*exp(-3*r)-exp(-5*r)", "1+exp(5/r)", "exp(-9*r)+exp(r)+exp(-4*r)", "1/(exp(r)-exp(-r))"),
    *("sin(r)", "cos(r)", "sin(r)**2", "cos(r)**2", "sin(r)**3", "cos(r)**3", "sin(r)**(-2)", "cos(2*r)**4", "-cos(r)"),
    *("sin(pi*r)", "cos(pi*r)", "cos(pi*r/2+1)", "sin(3+pi*r)", "sin(pi*r)**2", "cos(pi*r)**2", "2+cos(pi*r)-r"),
    *("cos(1)", "cos(pi/4)", "sin(-20*r)", "cos(100*r)", "sin(r)*cos(r)", "floor(r)", "floor(3*r+1/9)+r", "floor(-r)"),
    *("sinh(r)", "cosh(r)", "tanh(r)", "asinh(r)", "erf(r)", "erfc(r)", "erfc(-r)", "erfc(-9*r)", "erfc(0*r)"),
    *("gamma(nu)", "gamma(7/3)*r", "gamma(-5/2)", "gamma(50)", "1/gamma(3)", "Abs(r-4)", "Abs(r)", "abs(2-r)"),
    *("Max(r,2)", "Min(r,2)", "max(r,2-r,3/2)", "min(r,2-r,1/2)", "Max(exp(-r),2*exp(-3*r))", "Max(-exp(-r),-exp(r))"),
    *("besselk(1/2,r)", "besselk(3/2,1+r)", "besselk(5/2,2*r)", "besselk(7/2,r)", "besselk(9/2,r)", "besselk(11/2,r)"),
    *("besselk(13/2,r)", "besselk(-3/2,r)", "exp(r)*besselk(15/2,r)"),
    *("Piecewise((1, r < 1/2), (2, r < 2), (3, True))", "Piecewise((r, r >= 2), (y, True))", "Piecewise((1+r, True))"),
    *("Piecewise((r, 1/2 < r < 2), (-r, True))", "Piecewise((r, (r < 1/2) or (r > 2)), (-r, True))"),
    *("Piecewise((r, (r > 1/2) and (r < 2)), (-r, True))", "Piecewise((r, not (r > 1/2)), (-exp(-r), True))"),
    *("(1+exp(r+pi))*(1+exp(r*pi))**2", "(r+y)*(r+y+1)**2", "(r+y+1)*(r+y)**2", "(1+r)*(1+y)/(1+r)**2"),
    *("Max(-exp(-r),exp(-2*r))", "Max(exp(-2*r),-exp(r))", "Min(-exp(-r),exp(r))", "Max(exp(-r),exp(-2*r),exp(r-9))"),
    *("Piecewise((r, (r > 1/2) & (r < 2)), (5, True))", "Piecewise((r, (r < 1/2) | (r > 2)), (5, True))"),
    *("Piecewise((exp(-r), False), (exp(-2*r), True))", "1/(1+exp(-r))", "exp(-exp(r))", "1-exp(-r**(-3))"),
    *("log1p(r)", "log1p(-r/4)", "expm1(r)", "2+expm1(-r)", "acosh(1+r)", "acosh(4*r)*r", "sign(r-4)", "sign(r-1/2)"),
    *("ceil(r-1/9)", "ceil(-r+1/9)", "frac(r+1/9)", "frac(1/9-r)", "3-sign(2-r)*exp(-r)"),
    *("-(1+r)*floor(r)", "-(2-r)*exp(-r)", "-(1+r)*(2+cos(r))", "-(1+r)/(2+y)"),
]  # fmt: skip
SERIES = [
    *("atan(r)", "atan(-30*r)", "atan(r-4)", "lambertw(r)", "lambertw(-r/9)", "lambertw(1000*r)", "loggamma(r)"),
    *("loggamma(50*r)", "gamma(1+r)", "1/gamma(r/9)", "gammainc(5/2, r)", "gammainc(1/3, 99*r)", "gammainc(20, 9*r)"),
    *("gammaincc(5/2, r)", "gammaincc(1/3, 30*r)", "gammaincc(20, 9*r)", "gammaincc(4, 99*r)", "gammaincc(1, r)"),
    *("gammainc(2, y)/r**4", "gammainc(7/3, 99*r)/r**2", "besseli(0, r)", "besseli(1/3, r)", "besseli(-2, r)"),
    *("besseli(3, -r)", "besseli(1/2, 300*r)", "besseli(0, 400*r)", "besseli(7, 500*r)"),
    "erfc(9*r)",
    "besselk(0,r)",
    "besselk(1,r)",
    "besselk(1/3,r)",
    "besselk(2,1+r)",
    "besselk(-4/3,r)",
]


NEGATIVE = "exp(-2*r)-exp(-r)"
"""A sum of either sign of exponentials, the first of them the smaller: its logarithm is asked of its value."""


def ways(text: str, node: Node) -> Ways:
    return Ways([node.number] if text == NEGATIVE else [])


def check(text: str, digits: int, slopes: bool) -> None:
    node = tree(text)
    way = ways(text, node)
    for r in RADII:
        value = truth(text, r)
        at = interval(r)
        assert closely(Evaluation(at).value(node), value, digits)
        if abs(value) > 1e-30 and "floor" not in text:
            sign, log = way(at).log(node)
            assert sign == mpmath.sign(value)
            assert closely(log, mpmath.log(abs(value)), digits)
        if slopes:
            check_pairs(text, node, r, value, digits)


def check_pairs(text: str, node: Node, r: Fraction, value: Any, digits: int) -> None:
    narrow, tiny = Interval(interval(r).lo, interval(r + Fraction(1, 10**20)).hi), Fraction(1, 10**12)
    pair = Evaluation(Slope(narrow, ONE)).value(node)
    slope = (truth(text, r + tiny) - truth(text, r - tiny)) / (2 * mpmath.mpf(10) ** -12)
    assert closely(pair.u, value, 15)
    assert abs(mp(pair.du.lo) - slope) + abs(mp(pair.du.hi) - slope) < (1 + abs(slope)) * 1e-8
    moved, way = Evaluation(Shift(interval(r), interval(STEP))).value(node), ways(text, node)
    moved = moved if isinstance(moved, Shift) else Shift(moved, ZERO)
    step = truth(text, r + STEP) - value
    assert closely(moved.u, value, digits)
    assert closely(moved.du, step, digits - 5)
    waves = "sin(" in text or "cos(" in text  # whose zeros the logarithm of an increment may not rule out
    if value and step and mpmath.sign(value + step) == mpmath.sign(value) and not waves:
        sign, log = way(Shift(interval(r), interval(STEP))).log(node)
        assert sign == mpmath.sign(value)
        assert closely(log.du, mpmath.log((value + step) / value), digits - 10)
        log = way(Slope(narrow, ONE)).log(node)[1]
        assert abs(mp(log.du.lo) - slope / value) + abs(mp(log.du.hi) - slope / value) < (1 + abs(slope / value)) * 1e-6
    both = Evaluation(Shift(Slope(narrow, ONE), Slope(interval(STEP), ZERO))).value(node)
    ahead = (truth(text, r + STEP + tiny) - truth(text, r + STEP - tiny)) / (2 * mpmath.mpf(10) ** -12)
    assert closely(both.du.u, step, 15)
    assert abs(mp(both.du.du.lo) - ahead + slope) < (1 + abs(slope) + abs(ahead)) * 1e-8


@pytest.mark.sampled(stay=40)
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_its_values(text: str) -> None:
    with mpmath.workdps(70):
        smooth = not any(word in text for word in ("floor", "Piecewise", "Max", "Min", "max", "min", "Abs", "abs"))
        check(text, 40, smooth)


def test_a_sum_of_exponentials_that_is_negative_has_a_logarithm_one_way_only() -> None:
    """From the logarithms of its terms it would have to be positive; nothing else is tried."""
    node = tree(NEGATIVE)
    for r in (interval(1), Slope(interval(1), ONE), Shift(interval(1), interval(STEP))):
        with pytest.raises(Rejected, match="not proved smaller"):
            Evaluation(r).log(node)
        assert Ways([node.number])(r).log(node)[0] == -1


@pytest.mark.slow
@pytest.mark.parametrize("text", SERIES)
def test_a_series_has_its_values(text: str) -> None:
    with mpmath.workdps(50):
        check(text, 22, False)


@pytest.mark.parametrize(
    "text",
    [
        "(0-1-r)**(1/2)",
        "(r-1)**(1/3)",
        "log(0-r)",
        "log(r-r)",
        "1/(r-1)",
        "1/(r-r)",
        "(r-9)**(-1/2)",
        "2+(r-3)**(1/2)*(r-3)**(1/2)",
    ],
)
@pytest.mark.parametrize("read", [Evaluation.value, Evaluation.log])
def test_what_has_no_value_has_none(text: str, read: Callable[[Evaluation, Node], Any]) -> None:
    box = Interval(interval(Fraction(1, 2)).lo, interval(2).hi)
    for r in (box, Slope(box, ONE), Shift(Slope(box, ONE), Slope(interval(STEP), ZERO))):
        with pytest.raises(Rejected):
            read(Evaluation(r), tree(text))


@pytest.mark.sampled(stay=15)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("start", ["-60", "-3", "-1/4", "1/3", "40"])
@pytest.mark.parametrize("end", ["-90", "-40", "-29/10", "-1/10", "2", "45"])
def test_increments_of_one_plus_or_minus_an_exponential(sign: int, start: str, end: str) -> None:
    """log((1 + s e^b)/(1 + s e^a)) from u = a and its increment b - a, however small the quotient is."""
    a, b = Fraction(start), Fraction(end)
    if sign < 0 and max(a, b) > 0:
        return
    with mpmath.workdps(80):
        ends = (mpmath.mpf(x.numerator) / x.denominator for x in (a, b))
        before, after = (mpmath.log1p(sign * mpmath.exp(x)) for x in ends)
        found = softplus(Shift(interval(a), interval(b - a)), sign).du
        assert closely(found, after - before, 25)


@pytest.mark.slow
def test_cosines_so_far_out_that_pi_is_not_known() -> None:
    """Sixty digits of a quotient by 2 pi leave tens of radians open."""
    rnd = random.Random(1)
    with mpmath.workdps(150):
        for _ in range(300):
            far = Decimal(rnd.randrange(10**59, 10**60)) * 10 ** rnd.randint(0, 2)
            x = Interval(far, far + rnd.randint(0, 3))
            found = cos(x)
            for k in range(9):
                value = mpmath.cos(mp(x.lo) + (mp(x.hi) - mp(x.lo)) * k / 8)
                assert mp(found.lo) - mpmath.mpf(10) ** -55 <= value <= mp(found.hi) + mpmath.mpf(10) ** -55


def test_a_rough_exponential_is_of_something_narrow() -> None:
    """e^w <= 1 + 2 w up to w = 1, and no longer at w = 2."""
    with mpmath.workdps(60):
        for low, width in (("-3", "1"), ("-0.5", "0.9"), ("-1e9", "1e-20")):
            x = Interval(Decimal(low), Decimal(low) + Decimal(width))
            found = rough_exp(x)
            assert mp(found.lo) <= mpmath.exp(mp(x.lo)) and mpmath.exp(mp(x.hi)) <= mp(found.hi)
    with pytest.raises(Rejected, match="closely"):
        rough_exp(Interval(Decimal(-2), Decimal(0)))


@pytest.mark.parametrize("text", ["Abs(cos(7*r))", "Abs(r-2)", "Max(sin(r),-sin(r))"])
def test_a_modulus_is_not_negative_on_a_box_where_its_argument_changes_its_sign(text: str) -> None:
    """So 1 + |cos| has a logarithm there; its slopes stay what they are."""
    value = Evaluation(radii(Fraction(1), Fraction(4))).value(Reader(text, {}).tree())
    assert value.u.lo == 0 and value.u.hi >= 1 - 10**-9
    assert value.du.lo < 0 < value.du.hi


def test_the_increment_of_a_modulus_may_be_negative() -> None:
    """| |r + h| - 2 | falls by h below 2."""
    r = with_shift(interval(Fraction(1)), interval(Fraction(1, 2)))
    change = Evaluation(r).value(Reader("Abs(r-2)", {}).tree()).du
    assert change.lo <= Fraction(-1, 2) <= change.hi < 0
