"""f falls by its form alone."""

from __future__ import annotations

from ..rules import require, rule
from ..tree import Node, never_negative
from .hypotheses import FALLING_FORMS
from .shapes import FALLING, RISING


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
    found = {direction(part) for part in parts} - {0}
    return None if None in found or len(found) > 1 else sign * sum(found)  # type: ignore[arg-type]


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
    (K5, or a logarithm of a sum of 1 or more and of what is not negative).
    """
    require(direction(tree) in (-1, 0), "the form does not show that f falls")


FALLING_FORMS["form"] = falls_by_form
