"""f falls by its form alone."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require, rule
from ..tree import Node, minus, mul, never_negative, same, walk
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
    together, parts = of_powers(parts) if kind == "add" else (set[int](), parts)
    found = {first, *together, *map(direction, parts)} - {0}
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


def of_powers(parts: list[Node]) -> tuple[set[int | None], list[Node]]:
    """The directions of sums of c v^p within a sum, v >= 1 one in each, and its other terms."""
    bases: list[tuple[Node, list[tuple[Fraction, Fraction]], list[Node]]] = []
    for part in parts:
        c, inner = as_multiple(part)
        if inner.kind not in ("exp", "pow"):
            continue
        p, u = as_multiple(inner.args[0]) if inner.kind == "exp" else (inner.args[1], inner.args[0])
        level = u if inner.kind == "exp" else Node("log", u)
        if not any(same(base, level) for base, *_ in bases):
            bases.append((level, [], []))
        _, slopes, powers = next(base for base in bases if same(base[0], level))
        slopes.append((p, c * p))
        powers.append(part)
    several = [base for base in bases if len(base[1]) > 1 and not_negative(base[0])]
    taken = {id(part) for _, _, powers in several for part in powers}
    ways = [(direction(level), leaning(slopes)) for level, slopes, _ in several]
    found = {None if way is None or sign is None else way * sign for way, sign in ways}
    return found, [part for part in parts if id(part) not in taken]


def as_multiple(node: Node) -> tuple[Fraction, Node]:
    """c and u where the node is c u, and a sum u has no negative number in front of its first."""
    scaled = node.kind == "mul" and node.args[0].kind == "num"
    c, u = (node.args[0].args[0], mul(*node.args[1:])) if scaled else (Fraction(1), node)
    first = u.args[0].args[0] if u.kind == "add" and u.args[0].kind == "mul" else u
    below = first.kind == "num" and u.kind == "add" and first.args[0] < 0
    return (-c, minus(u)) if below else (c, u)


def leaning(slopes: list[tuple[Fraction, Fraction]]) -> int | None:
    """The sign of the sum of s v^p at each v >= 1, if sums from the greatest p down all have it."""
    total, signs = Fraction(0), set()
    for _, s in sorted(slopes, reverse=True):
        total += s
        signs.add((total > 0) - (total < 0))
    signs -= {0}
    return None if len(signs) > 1 else sum(signs)


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
    """By K5, or as the logarithm of a sum of 1 or more and of what is never negative, or as a
    product of such."""
    if node.kind == "mul":
        return all(map(not_negative, node.args))
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
    (K5, a logarithm of a sum of 1 or more and of what is not negative, or a product of such).  a r
    plus a sum of b_j cos(w_j r + c_j) rises where a is at least the sum of |b_j w_j|, and falls
    where -a is.  A sum of c_j v^(p_j) rises with v >= 1 (log v is not negative) if of the sums of
    c_j p_j from the greatest p_j down none is negative, and falls with v if none is positive.
    """
    require(direction(tree) in (-1, 0), "the form does not show that f falls")


FALLING_FORMS["form"] = falls_by_form
