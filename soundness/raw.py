"""Whether a text has a value: an evaluator of the text as typed, which answers None where a part of it has none.

Nothing is rewritten: ast's tree is evaluated at a radius, part by part, by mpmath's 60 digits.  A sum that is nothing
but rounding counts as 0.  At a radius of many digits chosen at random what holds at isolated radii only does not show.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath

DIGITS, NOTHING = 60, mpmath.mpf(10) ** -45
AROUND = 6
Names = Mapping[str, Fraction]
Number = Any
"""An mpf, or None where there is no value."""


class TooLarge(Exception):
    """A number of too many digits; whether there is a value is not told."""


def small(x: Number) -> Number:
    if abs(x) > 10**9:
        raise TooLarge
    return x


def bounded(name: str) -> Callable[[Number], Number]:
    function = getattr(mpmath, name)
    return lambda x: function(small(x))


def exp(x: Number) -> Number:
    """Its exponent may have a hundred digits, no more."""
    if abs(x) > mpmath.mpf(10) ** 100:
        raise TooLarge
    return mpmath.exp(x)


def plus(a: Number, b: Number) -> Number:
    total = a + b
    return mpmath.mpf(0) if abs(total) < NOTHING * (abs(a) + abs(b)) else total


def power(a: Number, b: Number) -> Number:
    if a > 0:
        return a**b if abs(b) < 1000 else exp(b * mpmath.log(a))
    if a == 0:
        return mpmath.mpf(0) if b > 0 else None
    return a ** int(small(b)) if b == mpmath.floor(b) else None


def no_number(node: ast.AST) -> bool:
    """Whether it is written with more than rational numbers: with the radius, pi, e, or a function."""
    return any(
        isinstance(part, ast.Call) or (isinstance(part, ast.Name) and part.id in ("r", "y", "pi", "e"))
        for part in ast.walk(node)
    )


def gamma(x: Number) -> Number:
    return None if x <= 0 and x == int(x) else mpmath.gamma(x)


CALLS: dict[str, Callable[..., Number]] = {
    **{name: getattr(mpmath, name) for name in ("tanh", "asinh")},
    "exp": exp,
    **{name: bounded(name) for name in ("sin", "cos", "sinh", "cosh", "floor", "erf", "erfc")},
    **dict.fromkeys(("Abs", "abs"), abs),
    **dict.fromkeys(("Max", "max"), max),
    **dict.fromkeys(("Min", "min"), min),
    "log": lambda x: mpmath.log(x) if x > 0 else None,
    "sqrt": lambda x: mpmath.sqrt(x) if x >= 0 else None,
    "gamma": gamma,
    "expm1": bounded("expm1"),
    **{name: getattr(mpmath, name) for name in ("atan", "sign", "ceil", "frac")},
    "round": lambda x: mpmath.floor(x + mpmath.mpf("0.5")),
    "Heaviside": lambda x: (1 + mpmath.sign(x)) / 2,
    "sech": mpmath.sech,
    "csch": lambda x: mpmath.csch(x) if x != 0 else None,
    "coth": lambda x: mpmath.coth(x) if x != 0 else None,
    "log1p": lambda x: mpmath.log1p(x) if x > -1 else None,
    "acosh": lambda x: mpmath.acosh(x) if x >= 1 else None,
    "loggamma": lambda x: mpmath.loggamma(x) if x > 0 else None,
    "lambertw": lambda x: mpmath.lambertw(x).real if x >= -mpmath.exp(-1) else None,
    "gammainc": lambda a, x: mpmath.gammainc(a, 0, x, regularized=True) if x >= 0 else None,
    "gammaincc": lambda a, x: mpmath.gammainc(a, x, regularized=True) if x >= 0 else None,
    "besseli": lambda p, x: mpmath.besseli(p, small(x)) if x >= 0 or p == int(p) else None,
    "besselk": lambda p, x: mpmath.besselk(p, small(x)) if x > 0 else None,
}
COMPARED: dict[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
JOINED: dict[type[ast.AST], Callable[[list[bool]], bool]] = {
    **dict.fromkeys((ast.And, ast.BitAnd), all),
    **dict.fromkeys((ast.Or, ast.BitOr), any),
}


class Text:
    """f as typed; `value` is None at a radius where a part that is reached has no value."""

    def __init__(self, text: str, names: Names) -> None:
        self.text = text.strip()
        self.tree = ast.parse(self.text, mode="eval").body
        with mpmath.workdps(DIGITS):
            self.names = {k: mpmath.mpf(v.numerator) / v.denominator for k, v in names.items()}

    def value(self, r: Number) -> Number:
        with mpmath.workdps(DIGITS):
            return self._value(self.tree, mpmath.mpf(r))

    def _value(self, node: ast.AST, r: Number) -> Number:
        if isinstance(node, ast.Constant):
            return mpmath.mpf(str(ast.get_source_segment(self.text, node)))
        if isinstance(node, ast.Name):
            known = {"y": r * r, "r": r, "pi": +mpmath.pi, "e": +mpmath.e}
            return known[node.id] if node.id in known else self.names[node.id]
        if isinstance(node, ast.UnaryOp):
            inner = self._value(node.operand, r)
            return -inner if isinstance(node.op, ast.USub) and inner is not None else inner
        if isinstance(node, ast.BinOp):
            base = self._value(node.left, r)
            if isinstance(node.op, ast.Pow) and no_number(node.right) and not (base is not None and base > 0):
                return None  # u**v is exp(v log u) where v is no number
            return self._binary(node.op, base, self._value(node.right, r))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "Piecewise":
                return self._piecewise(node.args, r)
            parts = [self._value(a, r) for a in node.args]
            return None if None in parts else CALLS[node.func.id](*parts)
        raise ValueError(f"{type(node).__name__} is not in the language")

    def _binary(self, op: ast.operator, a: Number, b: Number) -> Number:
        if a is None or b is None:
            return None
        if isinstance(op, ast.Add | ast.Sub):
            return plus(a, b if isinstance(op, ast.Add) else -b)
        if isinstance(op, ast.Mult):
            return a * b
        if isinstance(op, ast.Div):
            return a / b if b else None
        if isinstance(op, ast.Pow):
            return power(a, b)
        raise ValueError(f"{type(op).__name__} is not in the language")

    def _piecewise(self, branches: list[ast.expr], r: Number) -> Number:
        for branch in branches:
            assert isinstance(branch, ast.Tuple)
            value, condition = branch.elts
            holds = self._holds(condition, r)
            if holds is None:
                return None
            if holds:
                return self._value(value, r)
        return None

    def _holds(self, node: ast.AST, r: Number) -> bool | None:
        """Whether a condition holds; None where a part of it has no value, needed or not."""
        if isinstance(node, ast.Constant):
            return bool(node.value)
        if isinstance(node, ast.Compare):
            sides = [self._value(s, r) for s in (node.left, *node.comparators)]
            if None in sides:
                return None
            gaps = [plus(a, -b) for a, b in pairwise(sides)]
            return all(COMPARED[type(op)](gap, 0) for op, gap in zip(node.ops, gaps, strict=True))
        if isinstance(node, ast.UnaryOp):
            inner = self._holds(node.operand, r)
            return None if inner is None else not inner
        parts = node.values if isinstance(node, ast.BoolOp) else [node.left, node.right]  # type: ignore[attr-defined]
        held = [self._holds(p, r) for p in parts]
        join = JOINED[type(node.op)]  # type: ignore[attr-defined]
        return None if None in held else join([bool(h) for h in held])


def generic(rnd: random.Random, low: float, high: float) -> Number:
    """A radius of many random digits between two."""
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(low) + (mpmath.mpf(high) - low) * (mpmath.mpf(rnd.getrandbits(150) | 1) / 2**150)


def radii(rnd: random.Random) -> list[Number]:
    """One in each of many small intervals: finely up to 12, coarsely from 1e-9 to 1e4."""
    fine = [generic(rnd, k / 5, (k + 1) / 5) for k in range(60)]
    return fine + [generic(rnd, 10.0**k, 10.0 ** (k + 0.5)) for k in (-9, -6, -4, -2, 1.2, 1.5, 2, 2.5, 3, 3.6)]


def without(f: Text, r: Number) -> bool:
    """Whether the text has no value there, as far as is told."""
    try:
        return f.value(r) is None
    except TooLarge:
        return False


def missing(text: str, names: Names, at: tuple[Fraction, Fraction] | None = None) -> Number:
    """A radius about which the text has no value, on the box given or anywhere; None where none is found."""
    f, rnd = Text(text, names), random.Random(text)
    if at is not None:
        a, b = (mpmath.mpf(x.numerator) / x.denominator for x in at)
        return next((r for r in (generic(rnd, a, b) for _ in range(12)) if without(f, r)), None)
    for r in radii(rnd):
        if without(f, r):
            beside = [r * (1 + generic(rnd, -1, 1) * mpmath.mpf(10) ** -12) for _ in range(AROUND)]
            if all(without(f, x) for x in beside):
                return r
    return None
