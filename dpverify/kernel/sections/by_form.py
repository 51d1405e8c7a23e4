"""f falls by its form alone."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, never_negative, walk
from .hypotheses import FALLING_FORMS
from .shapes import FALLING, RISING

ABOVE_PI = Fraction(22, 7)


def direction(node: Node) -> int | None:
    """1 where the node never falls as r grows, -1 where it never rises, 0 where it is constant;
    None where the form does not tell."""
    kind, parts, sign = node.kind, list(node.args), 1
    if kind in ("num", "pi", "gamma", "r"):
        return int(kind == "r")
    if kind in RISING:
        return direction(parts[-1])
    if kind in FALLING or kind == "pow":
        known = kind != "pow" or not_negative(parts[0])
        inner = direction(parts[0 if kind == "pow" else -1]) if known else None
        return inner if inner is None or (kind == "pow" and parts[1] > 0) else -inner
    if kind == "mul" and parts[0].kind == "num":
        sign = 1 if parts.pop(0).args[0] > 0 else -1
    if kind not in ("add", "max", "mul"):
        return None
    if kind == "mul" and len(parts) > 1 and not all(map(not_negative, parts)):
        return None
    first, parts = swaying(parts) if kind == "add" else (0, parts)
    found = {first, *map(direction, parts)} - {0}
    return None if None in found or len(found) > 1 else sign * sum(found)  # type: ignore[arg-type]


def swaying(parts: list[Node]) -> tuple[int | None, list[Node]]:
    """The direction of a r + sum of b cos(w r + c) within a sum, and its other terms."""
    a, reach, others = Fraction(0), Fraction(0), []
    for part in parts:
        scaled = part.kind == "mul" and len(part.args) == 2 and part.args[0].kind == "num"
        b, inner = (part.args[0].args[0], part.args[1]) if scaled else (Fraction(1), part)
        w = rate(inner.args[0]) if inner.kind in ("cos", "sin") else None
        if w is not None:
            reach += abs(b * w) * (ABOVE_PI if inner.args[1] else 1)
        elif inner.kind == "r":
            a += b
        else:
            others.append(part)
    return (None if abs(a) < reach else (a > 0) - (a < 0)), others


def rate(node: Node) -> Fraction | None:
    """w where the node is w r + c, w rational and c without r; else None."""
    if node.kind == "r" or all(part.kind != "r" for part in walk(node)):
        return Fraction(node.kind == "r")
    if node.kind == "mul" and len(node.args) == 2 and node.args[0].kind == "num":
        inner = rate(node.args[1])
        return None if inner is None else inner * node.args[0].args[0]
    rates = [rate(part) for part in node.args] if node.kind == "add" else [None]
    return None if None in rates else sum(rates, Fraction(0))  # type: ignore[type-var]


def not_negative(node: Node) -> bool:
    """By K5, or as the logarithm of a sum of 1 or more and of what is never negative."""
    inner = node.args[0] if node.kind == "log" else node
    if inner is node or inner.kind != "add":
        return never_negative(node)
    numbers = [part.args[0] for part in inner.args if part.kind == "num"]
    others = [part for part in inner.args if part.kind != "num"]
    return sum(numbers) >= 1 and all(map(never_negative, others))


@rule("K21")
def falls_by_form(tree: Node) -> None:
    """f is non-increasing by its form.

    Lemma.  exp, log and floor rise with their argument; u^p rises with u >= 0 for p > 0 and falls
    for p < 0; sums and maxima of what falls fall, and products of what falls and is not negative
    (K5, or a logarithm of a sum of 1 or more and of what is not negative).  a r plus a sum of b_j
    cos(w_j r + c_j) rises where a is at least the sum of |b_j w_j|, and falls where -a is.
    """
    require(direction(tree) in (-1, 0), "the form does not show that f falls")


FALLING_FORMS["form"] = falls_by_form
