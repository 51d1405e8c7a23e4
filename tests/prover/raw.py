"""The value of a text as Python reads it: every part that is asked for is computed, nothing is rewritten.

It shares nothing with the package: exact fractions where they last, mpmath at 40 digits else, and
`Nothing` where a part has no real value.
"""

from __future__ import annotations

import ast
import operator
from fractions import Fraction
from math import ceil, floor

import mpmath

Real = Fraction | mpmath.mpf
HUGE = 2000
COMPARE = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}


class Nothing(Exception):
    """A part of the text has no real value at that radius."""


def value(text: str, r: Fraction, **names: Fraction) -> Real:
    """The value at a rational radius; raises Nothing."""
    with mpmath.workdps(40):
        return _value(ast.parse(text.strip(), mode="eval").body, {"r": r, "y": r * r, **names})


def has_value(text: str, r: Fraction, **names: Fraction) -> bool:
    try:
        value(text, r, **names)
    except Nothing:
        return False
    return True


def _real(x: Real) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def _value(node: ast.expr, names: dict[str, Fraction]) -> Real:
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.Name):
        if node.id in ("pi", "e"):
            return +getattr(mpmath, node.id)
        return names[node.id]
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, names)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow) and _no_number(node.right) and not _value(node.left, names) > 0:
            raise Nothing  # the language's u**v is exp(v log u) where v is not a number
        return _binary(node.op, _value(node.left, names), _value(node.right, names))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if node.func.id == "Piecewise":
        return _piecewise(node, names)
    return _call(node.func.id, [_value(a, names) for a in node.args])


def _no_number(node: ast.expr) -> bool:
    """Whether it is written with more than rational numbers: with the radius, pi, e, or a function."""
    return any(
        isinstance(part, ast.Call) or (isinstance(part, ast.Name) and part.id in ("r", "y", "pi", "e"))
        for part in ast.walk(node)
    )


def _piecewise(node: ast.Call, names: dict[str, Fraction]) -> Real:
    for branch in node.args:
        assert isinstance(branch, ast.Tuple)
        if _truth(branch.elts[1], names):
            return _value(branch.elts[0], names)
    raise Nothing


def _truth(node: ast.expr, names: dict[str, Fraction]) -> bool:
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.UnaryOp):
        return not _truth(node.operand, names)
    if isinstance(node, ast.BoolOp):
        parts = [_truth(part, names) for part in node.values]
        return all(parts) if isinstance(node.op, ast.And) else any(parts)
    assert isinstance(node, ast.Compare)
    sides = [_value(side, names) for side in (node.left, *node.comparators)]
    tests = zip(node.ops, sides, sides[1:], strict=False)
    return all(COMPARE[type(op)](_real(a), _real(b)) for op, a, b in tests)


def _binary(op: ast.operator, a: Real, b: Real) -> Real:
    if isinstance(op, ast.Pow):
        return _power(a, b)
    if isinstance(op, ast.Div):
        if b == 0:
            raise Nothing
        return a / b if isinstance(a, Fraction) and isinstance(b, Fraction) else _real(a) / _real(b)
    plain = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}[type(op)]
    return plain(a, b) if isinstance(a, Fraction) and isinstance(b, Fraction) else plain(_real(a), _real(b))


def _power(a: Real, b: Real) -> Real:
    whole = b == floor(b)
    if (a == 0 and b <= 0) or (a < 0 and not whole):
        raise Nothing
    if whole and isinstance(a, Fraction) and abs(b) < HUGE:
        return a ** int(b)
    return mpmath.mpf(0) if a == 0 else mpmath.power(_real(a), _real(b))


def _call(name: str, arguments: list[Real]) -> Real:
    x = arguments[0]
    if name in ("Max", "max"):
        return max(arguments, key=_real)
    if name in ("Min", "min"):
        return min(arguments, key=_real)
    if name in ("Abs", "abs"):
        return abs(x)
    if name in ("floor", "ceil", "frac"):
        return {"floor": Fraction(floor(x)), "ceil": Fraction(ceil(x)), "frac": x - floor(x)}[name]
    if name in ("log1p", "acosh", "loggamma", "lambertw"):
        least = {"log1p": -1, "acosh": 1, "loggamma": 0, "lambertw": -mpmath.exp(-1)}[name]
        if _real(x) < least or (name in ("log1p", "loggamma") and x == least):
            raise Nothing
        return mpmath.lambertw(_real(x)).real if name == "lambertw" else getattr(mpmath, name)(_real(x))
    if name in ("gammainc", "gammaincc"):
        if not arguments[1] >= 0:
            raise Nothing
        ends = (0, _real(arguments[1])) if name == "gammainc" else (_real(arguments[1]), mpmath.inf)
        return mpmath.gammainc(_real(x), *ends, regularized=True)
    if name == "sqrt":
        return _power(x, Fraction(1, 2))
    if name == "log" and not x > 0:
        raise Nothing
    if name == "gamma" and x <= 0 and x == floor(x):
        raise Nothing
    if name == "besselk" and not arguments[1] > 0:
        raise Nothing
    if name in ("exp", "expm1", "sinh", "cosh") and x > 10**6:
        return mpmath.mpf("inf")
    return getattr(mpmath, name)(*map(_real, arguments))
