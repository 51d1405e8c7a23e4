"""From the language's tree to NumPy: log f(y) on arrays of y = r^2, without underflow or overflow.

Every node has two readings: its value, and its sign with the logarithm of its size. A generator's
density is far below the smallest float in the tail long before the tail stops to matter, so products,
powers and exponentials are read by their logarithms. These are floats: good to sample with, no proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpverify.language import expression as tree

Array = NDArray[np.float64]
Value = Callable[[Array], Any]  # an array, or one number where it is the same everywhere
Named = Mapping[str, float]
Signed = Callable[[Array], tuple[Any, Any]]

LOG_2 = log(2)
EXPONENTIAL = ("exp", "cosh", "sinh", "besselk", "besseli", "erfc", "gamma", "gammaincc")


def log_density(expression: tree.Expression, named: Named | None = None) -> Callable[[Array], Array]:
    """y -> log f(y) for arrays of any shape: -inf where f vanishes, nan where f is negative.

    The tree's parameters must be bound, or have numbers in `named`, which may be others at each call.
    """
    signed = _signed(expression, {} if named is None else named)

    def evaluate(y: Array) -> Array:
        squares = np.asarray(y, dtype=np.float64)
        with np.errstate(all="ignore"):
            sign, size = signed(squares)
            return np.broadcast_to(_where_negative(sign, size), squares.shape)

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


def _positive(node: tree.Expression) -> bool:
    """Whether the node is seen to be positive for y > 0 from its form alone."""
    match node:
        case tree.Number(value=value):
            return value > 0
        case tree.Radius() | tree.Constant():
            return True
        case tree.Sum(terms=parts) | tree.Product(factors=parts):
            return all(map(_positive, parts))
        case tree.Power(base=base):
            return _positive(base)
        case tree.Call(function=function):
            return function in ("exp", "cosh", "besselk", "erfc", "gammaincc")
    return False


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _value(node: tree.Expression, named: Named) -> Value:
    if isinstance(node, (tree.Sum, tree.Product, tree.Power, tree.Piecewise)) and _exponential(node):
        signed = _signed(node, named)
        return lambda y: _exponentiate(*signed(y))
    match node:
        case tree.Number(value=value):
            constant = np.float64(_float(value))
            return lambda y: constant
        case tree.Constant(name=name):
            number = np.float64(pi if name == "pi" else np.e)
            return lambda y: number
        case tree.Parameter(name=name):
            return lambda y: np.float64(named[name])
        case tree.Radius():
            return lambda y: np.sqrt(y)
        case tree.Sum(terms=terms):
            return _folded([_value(t, named) for t in terms], np.add)
        case tree.Product(factors=factors):
            return _folded([_value(f, named) for f in factors], np.multiply)
        case tree.Power(base=tree.Radius(), exponent=tree.Number(value=p)):
            half = _float(p / 2)
            return (lambda y: y) if half == 1 else lambda y: y**half
        case tree.Power(base=base, exponent=tree.Number(value=p)):
            inner, power = _value(base, named), _float(p)
            return (lambda y: np.square(inner(y))) if p == 2 else (lambda y: inner(y) ** power)
        case tree.Call(function=function, arguments=arguments):
            return _call_value(node, function, [_value(a, named) for a in arguments], named)
        case tree.Piecewise(branches=branches):
            values = [_value(v, named) for v, _ in branches]
            conditions = [_condition(c, named) for _, c in branches]
            return lambda y: _select(y, conditions, [value(y) for value in values])
    raise TypeError(f"{type(node).__name__} cannot be evaluated")


def _exponentiate(sign: Array, size: Array) -> Array:
    return sign * np.exp(size)


def _folded(parts: list[Value], operation: Any) -> Value:
    first, *rest = parts

    def fold(y: Array) -> Array:
        total = first(y)
        for part in rest:
            total = operation(total, part(y))
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
    "atan": np.arctan,
    "loggamma": special.gammaln,
    "lambertw": lambda x: np.real(special.lambertw(x)),
}
BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "gammainc": special.gammainc,
    "gammaincc": special.gammaincc,
    "besseli": special.iv,
}


def _call_value(node: tree.Call, function: str, arguments: list[Value], named: Named) -> Value:
    if function == "log":
        signed = _signed(node.arguments[0], named)
        return lambda y: _where_negative(*signed(y))
    if function == "besselk":
        order, inner = arguments
        return lambda y: np.exp(log_besselk(order(y), inner(y)))
    if function in ("Max", "Min"):
        return _folded(arguments, np.maximum if function == "Max" else np.minimum)
    if function in BINARY:
        two, (order, inner) = BINARY[function], arguments
        return lambda y: two(order(y), inner(y))
    apply, inner = UNARY[function], arguments[0]
    return lambda y: apply(inner(y))


def _signed(node: tree.Expression, named: Named) -> Signed:
    one = np.float64(1)
    match node:
        case tree.Radius():
            return lambda y: (one, 0.5 * np.log(y))
        case tree.Product(factors=factors):
            return _signed_product([_signed(f, named) for f in factors])
        case tree.Power(base=base, exponent=exponent):
            return _signed_power(base, exponent, named)
        case tree.Sum(terms=terms) if _exponential(node):
            return _signed_sum([_signed(t, named) for t in terms])
        case tree.Piecewise(branches=branches) if _exponential(node):
            parts = [_signed(v, named) for v, _ in branches]
            conditions = [_condition(c, named) for _, c in branches]

            def choose(y: Array) -> tuple[Array, Array]:
                found = [part(y) for part in parts]
                return (_select(y, conditions, [s for s, _ in found]), _select(y, conditions, [v for _, v in found]))

            return choose
        case tree.Call(function=function, arguments=arguments) if _exponential(node):
            return _signed_call(function, arguments, named)
    value = _value(node, named)

    if _positive(node):
        return lambda y: (one, np.log(value(y)))

    def plain(y: Array) -> tuple[Array, Array]:
        number = value(y)
        return np.sign(number), np.log(np.abs(number))

    return plain


def _signed_product(parts: list[Signed]) -> Signed:
    def product(y: Array) -> tuple[Array, Array]:
        sign, size = parts[0](y)
        for part in parts[1:]:
            s, v = part(y)
            sign, size = sign * s, size + v
        return sign, size

    return product


def _signed_power(base: tree.Expression, exponent: tree.Expression, named: Named) -> Signed:
    inner, power = _signed(base, named), _value(exponent, named)
    p = exponent.value if isinstance(exponent, tree.Number) else None

    def raised(y: Array) -> tuple[Array, Array]:
        sign, size = inner(y)
        if np.ndim(sign) == 0 and sign > 0:
            return sign, power(y) * size
        if p is not None and p.denominator == 1:
            return (sign if p % 2 else np.abs(sign)), float(p) * size
        return np.where(sign < 0, np.nan, sign), power(y) * size

    return raised


def _signed_sum(parts: list[Signed]) -> Signed:
    def total(y: Array) -> tuple[Array, Array]:
        found = [part(y) for part in parts]
        top = np.max(np.broadcast_arrays(*(size for _, size in found)), axis=0)
        top = np.where(np.isfinite(top), top, 0.0)
        scaled = sum(sign * np.exp(size - top) for sign, size in found)
        return np.sign(scaled), np.log(np.abs(scaled)) + top

    return total


def _signed_call(function: str, arguments: tuple[tree.Expression, ...], named: Named) -> Signed:
    one = np.float64(1)
    if function == "besselk":
        order, argument = _value(arguments[0], named), _value(arguments[1], named)
        return lambda y: (one, log_besselk(order(y), argument(y)))
    if function == "besseli":
        order, argument = _value(arguments[0], named), _value(arguments[1], named)
        return lambda y: _log_besseli(order(y), argument(y))
    if function == "gammaincc":
        order, argument = _value(arguments[0], named), _value(arguments[1], named)
        return lambda y: (one, _log_gammaincc(order(y), argument(y)))
    if function in ("Max", "Min"):
        return _signed_extreme([_signed(a, named) for a in arguments], 1.0 if function == "Max" else -1.0)
    if function == "Abs":
        inner = _signed(arguments[0], named)
        return lambda y: (np.abs(inner(y)[0]), inner(y)[1])
    u = _value(arguments[0], named)
    if function == "exp":
        return lambda y: (one, u(y))
    if function == "cosh":
        return lambda y: (one, np.logaddexp(u(y), -u(y)) - LOG_2)
    if function == "erfc":
        return lambda y: (one, special.log_ndtr(-np.sqrt(2.0) * u(y)) + LOG_2)
    if function == "gamma":
        return lambda y: (special.gammasgn(u(y)), special.gammaln(u(y)))

    def sinh(y: Array) -> tuple[Array, Array]:
        x = np.abs(u(y))
        return np.sign(u(y)), x + np.log(-np.expm1(-2 * x)) - LOG_2

    return sinh


def _signed_extreme(parts: list[Signed], direction: float) -> Signed:
    def extreme(y: Array) -> tuple[Array, Array]:
        sign, size = np.broadcast_arrays(*parts[0](y))
        for part in parts[1:]:
            s, v = np.broadcast_arrays(*part(y))
            beats = (direction * s > direction * sign) | ((s == sign) & (direction * s * v > direction * sign * size))
            sign, size = np.where(beats, s, sign), np.where(beats, v, size)
        return sign, size

    return extreme


def _condition(condition: tree.Condition, named: Named) -> Callable[[Array], Any]:
    match condition:
        case tree.Truth(value=value):
            return lambda y: np.full(y.shape, value)
        case tree.Not(part=part):
            inner = _condition(part, named)
            return lambda y: ~inner(y)
        case tree.And(parts=parts):
            every = [_condition(p, named) for p in parts]
            return lambda y: np.all(np.broadcast_arrays(*(p(y) for p in every)), axis=0)
        case tree.Or(parts=parts):
            some = [_condition(p, named) for p in parts]
            return lambda y: np.any(np.broadcast_arrays(*(p(y) for p in some)), axis=0)
        case tree.Comparison(operator=operator, left=left, right=right):
            low, high = _value(left, named), _value(right, named)
            compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[operator]
            return lambda y: np.broadcast_to(compare(low(y), high(y)), y.shape)
    raise TypeError(f"{type(condition).__name__} cannot be evaluated")


def _select(y: Array, conditions: list[Callable[[Array], Any]], values: list[Array]) -> Array:
    return np.select([c(y) for c in conditions], [np.broadcast_to(v, y.shape) for v in values], np.nan)


def _log_besseli(order: Array, x: Array) -> tuple[Array, Array]:
    scaled = special.ive(order, x)
    return np.sign(scaled), np.log(np.abs(scaled)) + np.abs(x)


def _log_gammaincc(order: Array, x: Array) -> Array:
    """log Q(a, x), also where Q(a, x) is no float: there by the leading terms of its series far out."""
    value = special.gammaincc(order, x)
    with np.errstate(all="ignore"):
        far = (order - 1) * np.log(x) - x - special.gammaln(order) + np.log1p((order - 1) / x)
        return np.where(value > 0, np.log(value), far)


def log_besselk(order: Array, x: Array) -> Array:
    """log K_p(x) for x > 0, also where the library's K_p(x) is no float."""
    p, x = np.broadcast_arrays(np.abs(order), x)
    result = np.log(special.kve(p, x)) - x
    beyond = ~np.isfinite(result) & (x > 0) & np.isfinite(x)
    if np.any(beyond):
        with np.errstate(all="ignore"):
            result = np.where(beyond, _log_besselk_beyond(p, x), result)
    return np.where(x == 0, inf, result)


def _log_besselk_beyond(p: Array, x: Array) -> Array:
    """Gamma(p)/2 (2/x)^p for small x (DLMF 10.30.2), sqrt(pi/2x) exp(-x) (1 + (4p^2 - 1)/8x) for huge x (10.40.2).

    Between them the order is large: the uniform expansion (DLMF 10.41.4), to three terms.
    """
    small = special.gammaln(p) + p * np.log(2 / x) - LOG_2
    huge = 0.5 * np.log(pi / (2 * x)) - x + np.log1p((4 * p * p - 1) / (8 * x))
    z = x / p
    root = np.sqrt(1 + z * z)
    eta = root + np.log(z / (1 + root))
    t = 1 / root
    u1 = (3 * t - 5 * t**3) / 24
    u2 = (81 * t**2 - 462 * t**4 + 385 * t**6) / 1152
    uniform = 0.5 * np.log(pi / (2 * p)) - p * eta - 0.5 * np.log(root) + np.log1p(-u1 / p + u2 / p**2)
    return np.where((x * x < 1e-9 * p) & (p > 1), small, np.where(x > 1e6 * (1 + p * p), huge, uniform))
