"""Radii at which f tends to 0 from one side, beside a jump: what f is there without its jumps, at the jump.

Precondition: on an open box that ends at c every floor is one number and every Piecewise one branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures import Evaluation, Undecided, exact
from dpverify.enclosures.nodes import Node, add, exact_value, mul, num, power
from dpverify.findings import Reason
from dpverify.prover.cover import Box
from dpverify.prover.limits import ENDLESS, ZERO, Limit, limit_of
from dpverify.prover.problem import Problem
from dpverify.prover.support import Pole, first_pole, on
from dpverify.prover.zeros import NARROW

MOST = 100
"""How many jumps are looked at, the first ones."""
JOINED: dict[str, Callable[..., Node]] = {"add": add, "mul": mul, "pow": power}
"""The kinds of nodes that are put together anew, as they are when read."""


def tending_beside(node: Node, jumps: Sequence[Fraction]) -> Box | None:
    """A small box at one of whose ends, a jump, f tends to 0 from within."""
    for box, c in _beside(jumps[:MOST]):
        at = on(box)
        try:
            low, high = _AtEnd(at, exact(c)).of(without_jumps(at, node))
        except Undecided:
            continue
        if low.is_zero() and high.is_zero():
            return box
    return None


def pole_beside(problem: Problem, points: Sequence[Fraction], jumps: Sequence[Fraction]) -> Pole | None:
    """A pole at a jump, of what f is on one side of it."""
    return first_pole(problem, points, _still_beside(problem.node, jumps), still=True)


def _still_beside(node: Node, jumps: Sequence[Fraction]) -> Iterator[tuple[Box, Node]]:
    for box, _ in _beside(jumps[:MOST]):
        try:
            yield box, without_jumps(on(box), node)
        except Undecided:
            continue


def _beside(jumps: Sequence[Fraction]) -> Iterator[tuple[Box, Fraction]]:
    for c in jumps:
        yield (c - c * NARROW, c), c
        yield (c, c + c * NARROW), c


def without_jumps(at: Evaluation, node: Node) -> Node:
    """What a node is on an open box; Undecided where a floor or a condition changes there."""
    known: dict[Node, Node] = {}

    def of(part: Node) -> Node:
        if part not in known:
            known[part] = renewed(part)
        return known[part]

    def renewed(part: Node) -> Node:
        if part.kind == "floor":
            n = at.value(part).u.x
            if not n.is_integer():
                raise Undecided(Reason.LIMIT_NOT_FINITE())
            return num(fmpq(n.unique_fmpz()))
        if part.kind == "piece":
            return of(branch_of(part))
        parts = [of(a) if isinstance(a, Node) else a for a in part.args]
        if all(a is b for a, b in zip(parts, part.args, strict=True)):
            return part
        joined = JOINED.get(part.kind)
        return joined(*parts) if joined else Node(part.kind, *parts)

    def branch_of(part: Node) -> Node:
        branches: Sequence[tuple[Node, Any]] = part.args
        for branch, condition in branches:
            truth = at.truth(condition)
            if truth:
                return branch
            if truth is not False:
                break
        raise Undecided(Reason.NO_BRANCH())

    return of(node)


class _AtEnd:
    """The limits of nodes without jumps as r tends to the end c of a box from within."""

    def __init__(self, at: Evaluation, c: fmpq) -> None:
        self.at, self.c = at, c

    def of(self, node: Node) -> Limit:
        value = exact_value(node, self.c) if node.exact else None
        if value is not None:
            return arb(value), arb(value)
        kind = node.kind
        if kind in ("atan", "lambertw") and all(end.is_zero() for end in self.of(node.args[0])):
            return ZERO
        if kind not in ("add", "mul", "pow", "max", "exp", "log"):
            found = self.at.value(node).u.x
            if not found.is_finite():
                raise Undecided(Reason.LIMIT_NOT_FINITE())
            return found.lower(), found.upper()
        parts = [self.of(a) for a in node.args if isinstance(a, Node)]
        falls = kind == "pow" and node.args[1] < 0 and all(end.is_zero() for end in parts[0])
        return ENDLESS if falls and self.at.sign(node.args[0]) == 1 else limit_of(node, parts)
