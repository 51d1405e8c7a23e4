"""What the form alone shows: that f falls, and that a need of the text is met."""

from __future__ import annotations

from fractions import Fraction

from ..reader import Need
from ..rules import require, rule
from ..tree import Node, add, never_negative, num, walk
from .hypotheses import FALLING_FORMS
from .needs import MEETING
from .shapes import FALLING, RISING

ABOVE_PI, LITTLE = Fraction(22, 7), Fraction(1, 10**6)


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


def positive(node: Node) -> bool:
    """As the lemma of K481 says."""
    if node.positive or node.kind == "pow":
        return node.positive or positive(node.args[0])
    if node.kind in ("mul", "max"):
        return (all if node.kind == "mul" else any)(map(positive, node.args))
    if node.kind == "piece":
        return all(positive(value) for value, _ in node.args)
    parts = node.args if node.kind == "add" else ()
    return any(more_than_nothing(parts, i) for i in range(len(parts)))


def more_than_nothing(parts: tuple[Node, ...], i: int) -> bool:
    """Whether one part is positive, and the others, with most of a number, are never negative."""
    part, others = parts[i], parts[:i] + parts[i + 1 :]
    if part.kind == "num":
        others = (*others, num(part.args[0] * (1 - LITTLE)))
    return positive(part) and never_negative(add(*others))


@rule("K481")
def met_by_parts(need: Need) -> bool:
    """A need for a sign that the form shows positive in more ways than K5.

    Lemma.  Where it has a value, a sum is positive if one of its parts is and the others together
    are never negative (K5), or if it is a number a > 0 and what is never negative is the sum less
    a/10^6; products and powers of positive things are positive, a maximum of which one part is, and
    a Piecewise of which every branch is.
    """
    return need.kind in ("nonzero", "nonnegative", "positive") and positive(need.node)


FALLING_FORMS["form"] = falls_by_form
MEETING["form"] = met_by_parts
