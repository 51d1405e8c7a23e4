"""What lowered conditions say: the nodes that are compared with 0, and where formulas meet."""

from __future__ import annotations

from flint import fmpq

from dpverify.enclosures.nodes import MINUS, Node, add, exact_value, mul, positive_by_form, same, walk


def _bared(condition: tuple) -> tuple:  # type: ignore[type-arg]
    """The condition without parts that hold at every radius, as 0 < r does, and no "and" or "or" of one part."""
    if condition[0] == "and":
        parts = [_bared(c) for c in condition[1:]]
        kept = [c for c in parts if c not in (("and",), ("true",)) and not (c[0] == "less" and positive_by_form(c[1]))]
        return kept[0] if len(kept) == 1 else ("and", *kept)
    return _bared(condition[1]) if condition[0] == "or" and len(condition) == 2 else condition


def compared(condition: tuple, truth: bool) -> list[tuple[Node, bool]]:  # type: ignore[type-arg]
    """Nodes that are not negative where a lowered condition has that truth value, and whether they are positive."""
    condition = _bared(condition)
    if condition[0] in ("true", "unknown"):
        return []
    if condition[0] == "not":
        return compared(condition[1], not truth)
    if condition[0] == "less":
        w, weak = condition[1:]
        return [(w if truth else mul(MINUS, w), bool(weak) is not truth)]
    if (condition[0] == "and") is truth or len(condition) == 2:  # all parts hold, or all of them fail
        return [pair for part in condition[1:] for pair in compared(part, truth)]
    return []


def comparison(condition: tuple) -> list[tuple[Node, bool]]:  # type: ignore[type-arg]
    """w, and whether 0 < w rather than 0 <= w, where the condition is equivalent to that; else []."""
    condition, truth = _bared(condition), True
    while len(condition) == 2:
        condition, truth = _bared(condition[1]), truth is not (condition[0] == "not")
    return compared(condition, truth) if condition[0] == "less" else []


def exhaustive(conditions: list[tuple]) -> bool:  # type: ignore[type-arg]
    """Whether one of two of the lowered conditions holds at almost every radius: 0 < w and 0 < -w, where w is a
    rational function other than 0, or either allows 0."""
    found = [pair for c in conditions for pair in comparison(c)]
    for i, (w, strict) in enumerate(found):
        for v, other in found[:i]:
            few = not (strict and other) or (w.rational and any(exact_value(w, fmpq(k, 7)) for k in (5, 9, 16)))
            if few and same(v, mul(MINUS, w)):
                return True
    return False


def in_conditions(node: Node) -> list[Node]:
    """The nodes that are compared with 0 by a tree's conditions."""
    found: list[Node] = []
    stack = [condition for part in walk(node) if part.kind == "piece" for _, condition in part.args]
    while stack:
        for part in stack.pop()[1:]:
            if isinstance(part, Node):
                found.append(part)
            elif isinstance(part, tuple):
                stack.append(part)
    return found


def break_polynomials(node: Node) -> list[Node]:
    """The nodes whose zeros (in a condition or a Max) or integer values (in a floor) are breaks."""
    found: list[Node] = []

    def conditions(condition: tuple) -> None:  # type: ignore[type-arg]
        for part in condition[1:]:
            if isinstance(part, Node):
                found.append(part)
                visit(part)
            elif isinstance(part, tuple):
                conditions(part)

    def visit(part: Node) -> None:
        if part.kind == "max":
            for i, a in enumerate(part.args):
                found.extend(add(a, mul(MINUS, b)) for b in part.args[i + 1 :])
        if part.kind == "floor":
            found.append(part)
        for a in part.args:
            if isinstance(a, Node):
                visit(a)
            elif isinstance(a, tuple):
                visit(a[0])
                conditions(a[1])

    visit(node)
    return found
