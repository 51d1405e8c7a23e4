"""Functions that are others in short: what each stands for, and what it needs in order to have a value."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpverify.language.expression import Call, Comparison, Expression, Number, Piecewise, Truth
from dpverify.language.simplify import MINUS_ONE, ONE, make_call, make_power, make_sum, negative

ZERO, HALF, TWO = Number(Fraction(0)), Number(Fraction(1, 2)), Number(Fraction(2))


def acosh(u: Expression) -> Expression:
    """log(u + sqrt(u^2 - 1)), for u >= 1."""
    root = make_call("sqrt", make_sum(make_power(u, TWO), MINUS_ONE))
    return make_call("log", make_sum(u, root))


def sign(u: Expression) -> Expression:
    """-1, 0 or 1."""
    below, zero = Comparison("<", u, ZERO), Comparison("<=", u, ZERO)
    return Piecewise(((MINUS_ONE, below), (ZERO, zero), (ONE, Truth(True))))


def heaviside(u: Expression) -> Expression:
    """0, 1/2 or 1, as SymPy has it."""
    below, zero = Comparison("<", u, ZERO), Comparison("<=", u, ZERO)
    return Piecewise(((ZERO, below), (HALF, zero), (ONE, Truth(True))))


def rounded(u: Expression) -> Expression:
    """The nearest whole number, halves upward: floor(u + 1/2)."""
    return Call("floor", (make_sum(u, HALF),))


def reciprocal(function: str) -> Callable[[Expression], Expression]:
    """1/function(u)."""
    return lambda u: make_power(make_call(function, u), MINUS_ONE)


def ceil(u: Expression) -> Expression:
    """The least whole number that is not below u: -floor(-u)."""
    return negative(Call("floor", (negative(u),)))


SUGAR: dict[str, Callable[[Expression], Expression]] = {
    "log1p": lambda u: make_call("log", make_sum(ONE, u)),
    "expm1": lambda u: make_sum(make_call("exp", u), MINUS_ONE),
    "acosh": acosh,
    "sign": sign,
    "ceil": ceil,
    "frac": lambda u: make_sum(u, negative(Call("floor", (u,)))),
    "round": rounded,
    "Heaviside": heaviside,
    "sech": reciprocal("cosh"),
    "csch": reciprocal("sinh"),
    "coth": reciprocal("tanh"),
}
"""What each stands for, wherever its argument is one that it has a value for."""

NEEDS: dict[str, tuple[str, Callable[[Expression], Expression], str]] = {
    "log1p": ("log", lambda u: make_sum(ONE, u), "1+{}"),
    "acosh": ("sqrt", lambda u: make_sum(u, MINUS_ONE), "{}-1"),
    "loggamma": ("log", lambda u: u, "{}"),
    "lambertw": ("sqrt", lambda u: make_sum(u, make_call("exp", MINUS_ONE)), "1/e+{}"),
    "gammainc": ("sqrt", lambda u: u, "{}"),
    "gammaincc": ("sqrt", lambda u: u, "{}"),
    "csch": ("divisor", lambda u: u, "{}"),
    "coth": ("divisor", lambda u: u, "{}"),
}
"""The operation that a function shares its need with, of what in its last argument, and that as text."""
