"""A generator over floats: quick, and proof of nothing.

Where to look is found here; what is stated comes from balls and models.  Like an `Evaluation`, a
sketch keeps the logarithms of large and small things.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, Undecided
from dpverify.enclosures.evaluation import gamma
from dpverify.enclosures.floats import QUICK, log_erfc
from dpverify.enclosures.nodes import Node
from dpverify.enclosures.special import LOGARITHMIC, special
from dpverify.enclosures.vanishing import Vanishing, about_zero, vanishing

Value = Callable[[float], float]
Log = Callable[[float], tuple[float, float]]
"""r -> the sign, 1.0 or -1.0, and log |value|."""
TERMS, SMALL = 16, 2.0**-5
"""How many coefficients of what vanishes with a part of it are known, and how small the part is beside the reach of
their series where these do."""


def sketch(node: Node) -> Value:
    """r -> log of the node's value, about; a NaN where that is negative or no number."""
    log = _log(node)

    def at(r: float) -> float:
        try:
            sign, height = log(r)
        except (ArithmeticError, ValueError):
            return math.nan
        return height if sign > 0 and height > -math.inf else math.nan

    return at


def rough(node: Node) -> Value:
    """r -> the node's value, about; a NaN where that is no number."""
    value = _value(node)

    def at(r: float) -> float:
        try:
            return value(r)
        except (ArithmeticError, ValueError):
            return math.nan

    return at


def _value(node: Node) -> Value:
    kind, args = node.kind, node.args
    if kind == "r":
        return lambda r: r
    if kind in ("num", "pi", "gamma"):
        k = _number(node)
        return lambda r: k
    if kind == "mul" and node.exponential:
        return _from_log(_log(node))
    if kind == "pow":
        return _power(_value(args[0]), args[1])
    if kind == "log":
        return sketch(args[0])
    if kind in QUICK:
        argument, quick = _value(args[0]), QUICK[kind]
        return lambda r: quick(argument(r))
    if kind in ("matern", "erfc", *LOGARITHMIC):
        return _from_log(_log(node))
    if kind == "piece":
        return _piece([(_value(value), _truth(condition)) for value, condition in args])
    if kind in ("add", "mul") and len(args) == 2:
        return _of_two(kind, *args)
    values = [_value(a) for a in args if isinstance(a, Node)]
    if kind == "add":
        return lambda r: sum([v(r) for v in values])
    if kind == "mul":
        return lambda r: math.prod([v(r) for v in values])
    if kind == "max":
        return lambda r: max([v(r) for v in values])
    inner = values[0]
    if kind == "exp":
        return lambda r: math.exp(inner(r))
    if kind == "floor":
        return lambda r: float(math.floor(inner(r)))
    if kind in ("sin", "cos"):
        wave, unit = getattr(math, kind), math.pi if args[1] else 1.0
        return lambda r: wave(inner(r) * unit)  # type: ignore[no-any-return]
    return lambda r: math.nan


def _log(node: Node) -> Log:
    found, by_form = vanishing(node), _log_by_form(node)
    return by_form if found is None else _log_by_its_part(found, by_form)


def _log_by_form(node: Node) -> Log:
    kind, args = node.kind, node.args
    if kind == "exp":
        inner = _value(args[0])
        return lambda r: (1.0, inner(r))
    if kind == "matern":
        return _by_ball(_value(args[1]), lambda x: x.log_matern(args[0]))
    if kind == "erfc":
        argument = _value(args[0])
        return lambda r: (1.0, log_erfc(argument(r)))
    if kind in LOGARITHMIC:
        return _by_ball(_value(args[-1]), special(kind, *args[:-1]).value)
    if kind == "mul":
        return _log_of_product([_log(a) for a in args])
    if kind == "pow":
        return _log_of_power(_log(args[0]), args[1])
    if kind == "add" and node.exponential:
        return _log_of_sum([_log(a) for a in args])
    if kind == "max" and node.exponential:
        return _log_of_largest([_log(a) for a in args])
    if kind == "piece":
        return _piece([(_log(value), _truth(condition)) for value, condition in args])
    value = _value(node)

    def log(r: float) -> tuple[float, float]:
        x = value(r)
        return math.copysign(1.0, x), math.log(abs(x)) if x else -math.inf

    return log


def _of_two(kind: str, a: Node, b: Node) -> Value:
    """A sum or a product of two, one of which is a number more often than not."""
    if b.kind == "num":
        a, b = b, a
    second = _value(b)
    if a.kind == "num":
        k = _number(a)
        return (lambda r: second(r) + k) if kind == "add" else (lambda r: second(r) * k)
    first = _value(a)
    return (lambda r: first(r) + second(r)) if kind == "add" else (lambda r: first(r) * second(r))


def _number(node: Node) -> float:
    try:
        number = arb.pi() if node.kind == "pi" else gamma(node.args[0]) if node.kind == "gamma" else arb(node.args[0])
        return float(number.mid())
    except Undecided:
        return math.nan


def _from_log(log: Log) -> Value:
    def value(r: float) -> float:
        sign, height = log(r)
        return sign * math.exp(height)

    return value


def _power(base: Value, p: fmpq) -> Value:
    if p.q == 1 and abs(p) < 2**30:
        n = int(p)
        return lambda r: base(r) ** n
    q = int(p.p) / int(p.q)
    return lambda r: math.pow(base(r), q)


def _log_of_product(logs: list[Log]) -> Log:
    def log(r: float) -> tuple[float, float]:
        sign, total = 1.0, 0.0
        for part in logs:
            s, height = part(r)
            sign *= s
            total += height
        return sign, total

    return log


def _log_of_power(base: Log, p: fmpq) -> Log:
    q, whole, odd = int(p.p) / int(p.q), p.q == 1, int(p.p) % 2 == 1

    def log(r: float) -> tuple[float, float]:
        sign, height = base(r)
        if sign < 0 and not whole:
            return 1.0, math.nan
        if q < 0 and height == -math.inf:
            raise ZeroDivisionError
        return (sign if odd else 1.0), height * q

    return log


def _log_of_sum(logs: list[Log]) -> Log:
    def log(r: float) -> tuple[float, float]:
        parts = [part(r) for part in logs]
        most = max([height for _, height in parts])
        if len(parts) == 2 and parts[0][0] != parts[1][0]:  # near a zero 1 - e^x keeps no digit of x
            sign = max(parts, key=lambda part: part[1])[0]
            return sign, most + math.log(-math.expm1(min(parts[0][1], parts[1][1]) - most))
        total = sum([sign * math.exp(height - most) for sign, height in parts])
        return math.copysign(1.0, total), most + math.log(abs(total))

    return log


def _log_by_its_part(found: Vanishing, by_form: Log) -> Log:
    """log F(w) by F's first coefficients about 0 where w is small, as what cancels in its form leaves few digits."""
    known = about_zero(found.function, TERMS)
    first = next((k for k, c in enumerate(known) if not c.contains(0)), TERMS - 1)
    lead, *rest = [float(c.mid()) for c in known[first:]]
    if not rest:
        return by_form
    over = [c / lead for c in reversed(rest)]
    largest = max(1.0, *(abs(c) ** (1 / k) for k, c in enumerate(reversed(over), 1)))
    most = math.log(SMALL / largest)
    height, sign, part = math.log(abs(lead)), math.copysign(1.0, lead), _log(found.part)

    def log(r: float) -> tuple[float, float]:
        _, small = part(r)
        if not small < most:
            return by_form(r)
        w, total = math.exp(small), 0.0
        for c in over:
            total = (total + c) * w
        return sign, first * small + height + math.log1p(total)

    return log


def _log_of_largest(logs: list[Log]) -> Log:
    return lambda r: max([part(r) for part in logs], key=lambda item: (item[0], item[0] * item[1]))


def _by_ball(inner: Value, log: Callable[[Ball], Ball]) -> Log:
    def at(r: float) -> tuple[float, float]:
        return 1.0, float(log(Ball(arb(inner(r)))).x.mid())

    return at


def _piece(branches: list[tuple[Callable[[float], Any], Callable[[float], bool]]]) -> Callable[[float], Any]:
    def at(r: float) -> Any:
        for value, holds in branches:
            if holds(r):
                return value(r)
        raise ValueError("no branch holds")

    return at


def _truth(condition: tuple) -> Callable[[float], bool]:  # type: ignore[type-arg]
    if condition[0] == "true":
        return lambda r: True
    if condition[0] == "less":
        gap, weak = _value(condition[1]), condition[2]
        return lambda r: gap(r) > 0 or bool(weak and gap(r) == 0)
    parts = [_truth(part) for part in condition[1:]]
    if condition[0] == "not":
        return lambda r: not parts[0](r)
    combine = all if condition[0] == "and" else any
    return lambda r: combine([part(r) for part in parts])
