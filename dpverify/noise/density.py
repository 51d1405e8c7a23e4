"""From the language's tree to NumPy: log f(r^2) on arrays of radii, without underflow or overflow.

Every node has two readings: its value, and its sign with the logarithm of its size. A generator's
density is far below the smallest float in the tail long before the tail stops to matter, so products,
powers and exponentials are read by their logarithms. These are floats: good to sample with, no proof.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpverify.language import expression as tree

Array = NDArray[np.float64]
Value = Callable[[Array], Array]
Signed = Callable[[Array], tuple[Array, Array]]

LOG_2 = log(2)
EXPONENTIAL = ("exp", "cosh", "sinh", "besselk", "erfc", "gamma")


def log_density(expression: tree.Expression) -> Value:
    """r -> log f(r^2) for radii of any shape: -inf where f vanishes, nan where f is negative.

    The tree's parameters must be bound.
    """
    signed = _signed(expression)

    def evaluate(r: Array) -> Array:
        radii = np.asarray(r, dtype=np.float64)
        with np.errstate(all="ignore"):
            sign, size = signed(radii)
            return np.broadcast_to(_where_negative(sign, size), radii.shape)

    return evaluate


def _where_negative(sign: Array, size: Array) -> Array:
    return size if np.ndim(sign) == 0 and sign > 0 else np.where((sign < 0) & (size > -inf), np.nan, size)


def _exponential(node: tree.Expression) -> bool:
    """Whether the node is better known by its logarithm than as a float."""
    match node:
        case tree.Call(function=function, arguments=arguments):
            return function in EXPONENTIAL or (function in ("Max", "Min", "Abs") and any(map(_exponential, arguments)))
        case tree.Sum(terms=parts) | tree.Product(factors=parts):
            return any(map(_exponential, parts))
        case tree.Power(exponent=tree.Number(value=p)):
            return abs(p) > 4 or _exponential(node.base)
        case tree.Power():
            return True
        case tree.Piecewise(branches=branches):
            return any(_exponential(value) for value, _ in branches)
    return False


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _value(node: tree.Expression) -> Value:
    if isinstance(node, (tree.Sum, tree.Product, tree.Power, tree.Piecewise)) and _exponential(node):
        signed = _signed(node)
        return lambda r: _exponentiate(*signed(r))
    match node:
        case tree.Number(value=value):
            constant = np.float64(_float(value))
            return lambda r: constant
        case tree.Constant(name=name):
            number = np.float64(pi if name == "pi" else np.e)
            return lambda r: number
        case tree.Radius():
            return lambda r: r
        case tree.Sum(terms=terms):
            return _folded([_value(t) for t in terms], np.add)
        case tree.Product(factors=factors):
            return _folded([_value(f) for f in factors], np.multiply)
        case tree.Power(base=base, exponent=tree.Number(value=p)):
            inner, power = _value(base), _float(p)
            return (lambda r: np.square(inner(r))) if p == 2 else (lambda r: inner(r) ** power)
        case tree.Call(function=function, arguments=arguments):
            return _call_value(node, function, [_value(a) for a in arguments])
        case tree.Piecewise(branches=branches):
            values = [_value(v) for v, _ in branches]
            conditions = [_condition(c) for _, c in branches]
            return lambda r: _select(r, conditions, [value(r) for value in values])
    raise TypeError(f"{type(node).__name__} cannot be evaluated")


def _exponentiate(sign: Array, size: Array) -> Array:
    return sign * np.exp(size)


def _folded(parts: list[Value], operation: Any) -> Value:
    first, *rest = parts

    def fold(r: Array) -> Array:
        total = first(r)
        for part in rest:
            total = operation(total, part(r))
        return total

    return fold


UNARY: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "cosh": np.cosh,
    "sinh": np.sinh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "sin": np.sin,
    "cos": np.cos,
    "Abs": np.abs,
    "floor": np.floor,
    "gamma": special.gamma,
    "erf": special.erf,
    "erfc": special.erfc,
}


def _call_value(node: tree.Call, function: str, arguments: list[Value]) -> Value:
    if function == "log":
        signed = _signed(node.arguments[0])
        return lambda r: _where_negative(*signed(r))
    if function == "besselk":
        order, inner = arguments
        return lambda r: np.exp(log_besselk(order(r), inner(r)))
    if function in ("Max", "Min"):
        return _folded(arguments, np.maximum if function == "Max" else np.minimum)
    apply, inner = UNARY[function], arguments[0]
    return lambda r: apply(inner(r))


def _signed(node: tree.Expression) -> Signed:
    one = np.float64(1)
    match node:
        case tree.Radius():
            return lambda r: (one, np.log(r))
        case tree.Product(factors=factors):
            return _signed_product([_signed(f) for f in factors])
        case tree.Power(base=base, exponent=exponent):
            return _signed_power(base, exponent)
        case tree.Sum(terms=terms) if _exponential(node):
            return _signed_sum([_signed(t) for t in terms])
        case tree.Piecewise(branches=branches) if _exponential(node):
            parts = [_signed(v) for v, _ in branches]
            conditions = [_condition(c) for _, c in branches]

            def choose(r: Array) -> tuple[Array, Array]:
                found = [part(r) for part in parts]
                return (_select(r, conditions, [s for s, _ in found]), _select(r, conditions, [v for _, v in found]))

            return choose
        case tree.Call(function=function, arguments=arguments) if _exponential(node):
            return _signed_call(function, arguments)
    value = _value(node)

    def plain(r: Array) -> tuple[Array, Array]:
        number = value(r)
        return np.sign(number), np.log(np.abs(number))

    return plain


def _signed_product(parts: list[Signed]) -> Signed:
    def product(r: Array) -> tuple[Array, Array]:
        sign, size = parts[0](r)
        for part in parts[1:]:
            s, v = part(r)
            sign, size = sign * s, size + v
        return sign, size

    return product


def _signed_power(base: tree.Expression, exponent: tree.Expression) -> Signed:
    inner, power = _signed(base), _value(exponent)
    p = exponent.value if isinstance(exponent, tree.Number) else None

    def raised(r: Array) -> tuple[Array, Array]:
        sign, size = inner(r)
        if p is not None and p.denominator == 1:
            return (sign if p % 2 else np.abs(sign)), float(p) * size
        return np.where(sign < 0, np.nan, sign), power(r) * size

    return raised


def _signed_sum(parts: list[Signed]) -> Signed:
    def total(r: Array) -> tuple[Array, Array]:
        found = [part(r) for part in parts]
        top = np.max(np.broadcast_arrays(*(size for _, size in found)), axis=0)
        top = np.where(np.isfinite(top), top, 0.0)
        scaled = sum(sign * np.exp(size - top) for sign, size in found)
        return np.sign(scaled), np.log(np.abs(scaled)) + top

    return total


def _signed_call(function: str, arguments: tuple[tree.Expression, ...]) -> Signed:
    one = np.float64(1)
    if function == "besselk":
        order, argument = _value(arguments[0]), _value(arguments[1])
        return lambda r: (one, log_besselk(order(r), argument(r)))
    if function in ("Max", "Min"):
        return _signed_extreme([_signed(a) for a in arguments], 1.0 if function == "Max" else -1.0)
    if function == "Abs":
        inner = _signed(arguments[0])
        return lambda r: (np.abs(inner(r)[0]), inner(r)[1])
    u = _value(arguments[0])
    if function == "exp":
        return lambda r: (one, u(r))
    if function == "cosh":
        return lambda r: (one, np.logaddexp(u(r), -u(r)) - LOG_2)
    if function == "erfc":
        return lambda r: (one, special.log_ndtr(-np.sqrt(2.0) * u(r)) + LOG_2)
    if function == "gamma":
        return lambda r: (special.gammasgn(u(r)), special.gammaln(u(r)))

    def sinh(r: Array) -> tuple[Array, Array]:
        x = np.abs(u(r))
        return np.sign(u(r)), x + np.log(-np.expm1(-2 * x)) - LOG_2

    return sinh


def _signed_extreme(parts: list[Signed], direction: float) -> Signed:
    def extreme(r: Array) -> tuple[Array, Array]:
        sign, size = np.broadcast_arrays(*parts[0](r))
        for part in parts[1:]:
            s, v = np.broadcast_arrays(*part(r))
            beats = (direction * s > direction * sign) | ((s == sign) & (direction * s * v > direction * sign * size))
            sign, size = np.where(beats, s, sign), np.where(beats, v, size)
        return sign, size

    return extreme


def _condition(condition: tree.Condition) -> Callable[[Array], Any]:
    match condition:
        case tree.Truth(value=value):
            return lambda r: np.full(r.shape, value)
        case tree.Not(part=part):
            inner = _condition(part)
            return lambda r: ~inner(r)
        case tree.And(parts=parts):
            every = [_condition(p) for p in parts]
            return lambda r: np.all(np.broadcast_arrays(*(p(r) for p in every)), axis=0)
        case tree.Or(parts=parts):
            some = [_condition(p) for p in parts]
            return lambda r: np.any(np.broadcast_arrays(*(p(r) for p in some)), axis=0)
        case tree.Comparison(operator=operator, left=left, right=right):
            low, high = _value(left), _value(right)
            compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[operator]
            return lambda r: np.broadcast_to(compare(low(r), high(r)), r.shape)
    raise TypeError(f"{type(condition).__name__} cannot be evaluated")


def _select(r: Array, conditions: list[Callable[[Array], Any]], values: list[Array]) -> Array:
    return np.select([c(r) for c in conditions], [np.broadcast_to(v, r.shape) for v in values], np.nan)


def log_besselk(order: Array, x: Array) -> Array:
    """log K_p(x) for x > 0, also where K_p(x) is beyond the largest float.

    There, K_p(x) ~ Gamma(p)/2 (2/x)^p for small x (DLMF 10.30.2), and else the uniform expansion in
    large order (DLMF 10.41.4), to three terms.
    """
    p, x = np.broadcast_arrays(np.abs(order), x)
    result = np.log(special.kve(p, x)) - x
    beyond = ~np.isfinite(result) & (x > 0) & np.isfinite(x)
    if np.any(beyond):
        result = np.where(beyond, _log_besselk_beyond(np.where(beyond, p, 1.0), np.where(beyond, x, 1.0)), result)
    return np.where(x == 0, inf, result)


def _log_besselk_beyond(p: Array, x: Array) -> Array:
    small = special.gammaln(p) + p * np.log(2 / x) - LOG_2
    z = x / p
    root = np.sqrt(1 + z * z)
    eta = root + np.log(z / (1 + root))
    t = 1 / root
    u1 = (3 * t - 5 * t**3) / 24
    u2 = (81 * t**2 - 462 * t**4 + 385 * t**6) / 1152
    uniform = 0.5 * np.log(pi / (2 * p)) - p * eta - 0.5 * np.log(root) + np.log1p(-u1 / p + u2 / p**2)
    return np.where((x * x < 1e-9 * p) & (p > 1), small, uniform)
