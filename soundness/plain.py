"""f by plain high-precision arithmetic, from its text: an evaluator and a search that share nothing with the proofs."""

from __future__ import annotations

import ast
import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import mpmath

DIGITS = 40
Function = Callable[[Any], Any]

OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(mpmath, name) for name in ("exp", "log", "sqrt", "sin", "cos", "sinh", "cosh", "tanh", "asinh")},
    **{name: getattr(mpmath, name) for name in ("floor", "gamma", "erf", "erfc", "besselk")},
    **{name: getattr(mpmath, name) for name in ("expm1", "log1p", "acosh", "sign", "ceil", "frac", "atan", "loggamma")},
    **{name: getattr(mpmath, name) for name in ("sech", "csch", "coth")},
    "round": lambda x: mpmath.floor(x + mpmath.mpf("0.5")),
    "Heaviside": lambda x: (1 + mpmath.sign(x)) / 2,
    "lambertw": lambda x: mpmath.lambertw(x).real,
    "besseli": mpmath.besseli,
    "gammainc": lambda a, x: mpmath.gammainc(a, 0, x, regularized=True),
    "gammaincc": lambda a, x: mpmath.gammainc(a, x, regularized=True),
    **dict.fromkeys(("Abs", "abs"), abs),
    **dict.fromkeys(("Max", "max"), max),
    **dict.fromkeys(("Min", "min"), min),
}


def exact(value: Fraction) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator


def log_of_sum(u: Any, v: Any) -> Any:
    """log(u + v), also where one is 1 and the other too small to be seen beside it."""
    return mpmath.log1p(v) if u == 1 else mpmath.log1p(u) if v == 1 else mpmath.log(u + v)


def function(text: str, names: Mapping[str, Fraction]) -> Function:
    """f as a function of the radius r (y = r^2), at the working precision."""
    tree = ast.parse(text.strip(), mode="eval").body
    bound = {name: exact(value) for name, value in names.items()}

    def value(node: ast.AST, r: Any) -> Any:
        if isinstance(node, ast.Constant):
            return (
                node.value if isinstance(node.value, bool) else mpmath.mpf(ast.get_source_segment(text.strip(), node))
            )
        if isinstance(node, ast.Name):
            known = {"y": r * r, "r": r, "pi": mpmath.pi, "e": mpmath.e}
            return known[node.id] if node.id in known else bound[node.id]
        if isinstance(node, ast.UnaryOp):
            inner = value(node.operand, r)
            return (
                not inner
                if isinstance(node.op, ast.Not | ast.Invert)
                else -inner
                if isinstance(node.op, ast.USub)
                else inner
            )
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.BitAnd | ast.BitOr):
                left, right = value(node.left, r), value(node.right, r)
                return left and right if isinstance(node.op, ast.BitAnd) else left or right
            return OPERATORS[type(node.op)](value(node.left, r), value(node.right, r))
        if isinstance(node, ast.BoolOp):
            return (all if isinstance(node.op, ast.And) else any)([value(v, r) for v in node.values])
        if isinstance(node, ast.Compare):
            sides = [value(s, r) for s in (node.left, *node.comparators)]
            return all(OPERATORS[type(op)](a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "log" and isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Add):
                return log_of_sum(value(node.args[0].left, r), value(node.args[0].right, r))
            if node.func.id != "Piecewise":
                return FUNCTIONS[node.func.id](*(value(a, r) for a in node.args))
            branches = [b.elts for b in node.args if isinstance(b, ast.Tuple)]
            return next(value(v, r) for v, condition in branches if value(condition, r))
        raise ValueError(f"{type(node).__name__} is not in the language")

    def at(r: Any) -> Any:
        for beside in (r, r * (1 + mpmath.mpf("1.2345678e-25"))):  # where r is a single radius without a value
            try:
                return value(tree, beside)
            except (ZeroDivisionError, StopIteration):
                continue
        return mpmath.nan  # too few digits

    return at


def radii(delta: Fraction) -> list[Any]:
    """Where a plain search looks: from 1e-12 to 1e5 on a logarithmic grid, densely up to 20, and beside it."""
    grid = [mpmath.mpf(10) ** (mpmath.mpf(k) / 4) for k in range(-48, 21)]
    return sorted([*grid, *(mpmath.mpf(k) / 5 + mpmath.mpf("0.0123") for k in range(100)), exact(delta) / 2])


JUMPING = {"floor": (1, 0), "ceil": (1, 0), "frac": (1, 0), "round": (1, "0.5")}
"""Functions that jump where their argument is whole, plus so much."""
FARTHEST, STEPS, MOST_JUMPS = 16, 320, 30


def jumps(text: str, names: Mapping[str, Fraction]) -> list[Any]:
    """Radii at which a floor, a sign or a case inside f changes, up to a few dozens: by bisection, to 20 digits."""
    tree = ast.parse(text.strip(), mode="eval").body
    seen: list[Callable[[Any], Any]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in JUMPING:
                inner = function(ast.unparse(node.args[0]), names)
                offset = mpmath.mpf(JUMPING[node.func.id][1])
                seen.append(functools.partial(_floor, inner, offset))
            elif node.func.id in ("sign", "Heaviside"):
                inner = function(ast.unparse(node.args[0]), names)
                seen.append(functools.partial(_positive, inner))
        elif isinstance(node, ast.Compare):
            seen.append(function(ast.unparse(node), names))
    found: list[Any] = []
    grid = [mpmath.mpf(k) * FARTHEST / STEPS + mpmath.mpf("1e-9") for k in range(STEPS + 1)]
    for step in seen:
        heights = [_or_none(step, r) for r in grid]
        for low, high, before, after in zip(grid, grid[1:], heights, heights[1:], strict=False):
            if before is None or after is None or before == after or len(found) >= MOST_JUMPS * len(seen):
                continue
            while high - low > high * mpmath.mpf(10) ** -20:
                middle = (low + high) / 2
                low, high = (middle, high) if _or_none(step, middle) == before else (low, middle)
            found.append(high)
    return sorted(found)[: MOST_JUMPS * max(1, len(seen))]


def _floor(inner: Function, offset: Any, r: Any) -> Any:
    return mpmath.floor(inner(r) + offset)


def _positive(inner: Function, r: Any) -> bool:
    return bool(inner(r) > 0)


def _or_none(step: Callable[[Any], Any], r: Any) -> Any:
    try:
        return step(r)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def beside_jumps(text: str, names: Mapping[str, Fraction], delta: Fraction) -> list[tuple[Any, Any]]:
    """Radii and shifts that lead from just before or behind a jump, or to there, or from one jump to another."""
    places, far = jumps(text, names), exact(delta)
    tiny = mpmath.mpf(10) ** -12
    beside = [j + side * tiny * (1 + j) for j in places for side in (-1, 1)]
    pairs = [(r, far) for r in beside] + [(r - far, far) for r in beside if r > far]
    for i, r in enumerate(beside):
        pairs += [(r, there - r) for there in beside[i + 1 :] if 0 < there - r <= far]
    return pairs


def largest_loss(
    f: Function,
    delta: Fraction,
    points: Iterable[Any] | None = None,
    pairs: Iterable[tuple[Any, Any]] = (),
) -> Any:
    """The largest |g(r + h) - g(r)| found for h = delta and a few below, and for the pairs of r and h; infinite where
    f > 0 meets f = 0."""
    worst = mpmath.mpf(0)
    shifts = [exact(delta) * share for share in (1, mpmath.mpf("0.4"))]
    for r, h in itertools.chain(itertools.product(points or radii(delta), shifts), pairs):
        here, there = f(r), f(r + h)
        if here <= 0 or there <= 0:
            return mpmath.inf
        worst = max(worst, abs(mpmath.log(here) - mpmath.log(there)))
    return worst
