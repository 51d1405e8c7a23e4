"""Rational functions of r in exact arithmetic, as lists of coefficients, lowest powers first."""

from __future__ import annotations

from fractions import Fraction

from ..tree import Node, length

MAX_DEGREE, MAX_COEFFICIENT = 64, 2_000


def polynomial(node: Node) -> tuple[list[Fraction], list[Fraction]] | None:
    """Numerator and denominator of a rational node in r, lowest powers first; the zero function is
    ([], [1]). None where the node is not rational, divides by zero, or is too large."""
    kind, args = node.kind, node.args
    if kind in ("num", "r"):
        zero = kind == "num" and args[0] == 0
        top = [args[0]] if kind == "num" else [Fraction(0), Fraction(1)]
        return ([] if zero else top), [Fraction(1)]
    if kind not in ("add", "mul", "pow") or (kind == "pow" and args[1].denominator > 1):
        return None
    parts = [polynomial(a) for a in args if isinstance(a, Node)]
    if kind == "pow":
        if parts[0] is None or abs(args[1]) * max(map(len, parts[0])) > MAX_DEGREE:
            return None
        factors = [parts[0] if args[1] > 0 else parts[0][::-1]] * int(abs(args[1]))
        parts, kind = [([Fraction(1)], [Fraction(1)]), *factors], "mul"
    top, below = ([Fraction(1)], [Fraction(1)]) if kind == "mul" else ([], [Fraction(1)])
    for part in parts:
        if part is None or not part[1]:
            return None
        if kind == "mul":
            top = times(top, part[0])
        else:
            top = plus(times(top, part[1]), times(part[0], below))
        below = times(below, part[1])
        long = any(length(c) > MAX_COEFFICIENT for c in (*top, *below))
        if long or max(len(top), len(below)) > MAX_DEGREE:
            return None
    return (top, below) if top else ([], [Fraction(1)])


def times(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    result = [Fraction(0)] * (len(a) + len(b) - 1 if a and b else 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return trimmed(result)


def plus(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    size = max(len(a), len(b))
    pairs = zip(a + [Fraction(0)] * (size - len(a)), b + [Fraction(0)] * (size - len(b)))
    return trimmed([x + y for x, y in pairs])


def trimmed(a: list[Fraction]) -> list[Fraction]:
    while a and not a[-1]:
        a.pop()
    return a
