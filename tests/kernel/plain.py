"""Random texts, and what a tree of the kernel is at one radius, by mpmath: real or complex, or no value."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath

from dpverify.kernel.tree import Node

LARGE = mpmath.mpf(10) ** 5
NUMBERS = ("1", "2", "3", "1/2", "1/3", "5/2", "7", "0")
POWERS = ("2", "3", "-1", "-2", "1/2", "-1/2", "1/3", "-3", "0", "4", "3/2", "-5/3")
SMOOTH = ("exp", "log", "sqrt", "sin", "cos", "sinh", "cosh", "tanh", "asinh", "erfc", "erf")


class NoValue(Exception):
    """The node has no value at the radius."""


def random_text(rnd: random.Random, depth: int, jumps: bool = True) -> str:
    part = lambda: random_text(rnd, depth - 1, jumps)  # noqa: E731
    if depth == 0 or rnd.random() < 0.1:
        return rnd.choice(("r", "r", "y", "pi", "pi*r", *NUMBERS))
    kind = rnd.random()
    if kind < 0.25:
        return f"({part()}{rnd.choice('+-')}{part()})"
    if kind < 0.4:
        return f"({part()}*{part()})"
    if kind < 0.5:
        return f"({part()}/{part()})"
    if kind < 0.65:
        return f"({part()})**({rnd.choice(POWERS)})"
    if kind < 0.7:
        return f"(-{part()})"
    if jumps and kind < 0.85:
        return rnd.choice((
            f"Abs({part()})", f"Max({part()},{part()})", f"Min({part()},{part()})", f"floor({part()})",
            f"Piecewise(({part()}, r < {rnd.choice(NUMBERS)}), ({part()}, {part()} >= 1), ({part()}, True))",
        ))  # fmt: skip
    if kind < 0.88:
        return f"besselk({rnd.choice(('0', '1', '1/3', '2'))},{part()})"
    return f"{rnd.choice(SMOOTH)}({part()})"


def number(q: Fraction) -> Any:
    return mpmath.mpf(q.numerator) / q.denominator


def bounded(x: Any) -> Any:
    if not mpmath.isfinite(x) or abs(x) > LARGE:
        raise NoValue("too large to be followed")
    return x


def value(node: Node, r: Any) -> Any:
    """By the definition of each kind; mpmath's complex functions where r is complex."""
    kind, args = node.kind, node.args
    if kind == "num":
        return number(args[0])
    if kind in ("pi", "r"):
        return r if kind == "r" else mpmath.mpf(mpmath.pi)
    if kind == "piece":
        for branch, condition in args:
            if holds(condition, r):
                return value(branch, r)
        raise NoValue("no branch holds")
    if kind == "matern":
        x = bounded(value(args[1], r))
        return bounded(x ** number(args[0]) * mpmath.besselk(number(args[0]), positive(x)))
    parts = [bounded(value(a, r)) for a in args if isinstance(a, Node)]
    u = parts[0]
    if kind == "add":
        return mpmath.fsum(parts)
    if kind == "mul":
        return mpmath.fprod(parts)
    if kind == "pow":
        return powered(u, args[1])
    if kind == "log":
        return mpmath.log(positive(u))
    if kind in ("sin", "cos"):
        return getattr(mpmath, kind)(u * mpmath.pi if args[1] else u)
    if kind in ("exp", "erfc", "gamma"):
        return getattr(mpmath, kind)(u)
    if isinstance(u, mpmath.mpc):
        raise TypeError(f"{kind} of a complex number")
    return max(parts) if kind == "max" else mpmath.floor(u)


def powered(u: Any, p: Fraction) -> Any:
    if u == 0 and p <= 0:
        raise NoValue("a power of 0")
    if p.denominator == 1:
        return u ** int(p)
    return mpmath.mpf(0) if u == 0 else positive(u) ** number(p)


def positive(u: Any) -> Any:
    if mpmath.re(u) <= 0:
        raise NoValue("not positive")
    return u


def holds(condition: Any, r: Any) -> bool:
    word, *parts = condition
    if word == "less":
        w = value(parts[0], r)
        return bool(w >= 0 if parts[1] else w > 0)
    if word == "not":
        return not holds(parts[0], r)
    return (all if word == "and" else any)(holds(part, r) for part in parts)
