"""The exact ends of the open box that r runs through: what a node is beside them, its form may show."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flint import fmpq

from dpverify.enclosures.ball import Ball, Undecided
from dpverify.enclosures.nodes import Node, exact_value

ValueAt = Callable[[Node, fmpq], Ball]
"""A node's value at one radius; raises Undecided."""


class Edges:
    """The exact ends of the open box that r runs through, and the shift that leads ahead of it."""

    __slots__ = ("_around", "_known", "ends", "shift")

    def __init__(self, ends: tuple[fmpq, fmpq], shift: fmpq) -> None:
        self.ends, self.shift = ends, shift
        self._known: dict[tuple[Node, bool], tuple[fmpq, fmpq] | None] = {}
        self._around: dict[tuple[Node, bool], tuple[fmpq, fmpq] | None] = {}

    def values(self, node: Node, ahead: bool) -> tuple[fmpq, fmpq] | None:
        """The exact values of a node at the two ends, if its form shows them."""
        if not node.exact:
            return None
        if (node, ahead) not in self._known:
            self._known[node, ahead] = self._values(node, ahead)
        return self._known[node, ahead]

    def bounds(self, node: Node, ahead: bool, value_at: ValueAt) -> tuple[fmpq, fmpq] | None:
        """At most and at least the limits of a node at the two ends, from within: balls of a box know its ends to some
        thirty bits of its width, and a ball at an end to all bits.  Of what may jump there they are not its values."""
        values = self.values(node, ahead)
        if values is not None:
            return min(values), max(values)
        if (node, ahead) not in self._around:
            self._around[node, ahead] = self._bounds(node, fmpq(self.shift if ahead else 0), value_at)
        return self._around[node, ahead]

    def _bounds(self, node: Node, by: fmpq, value_at: ValueAt) -> tuple[fmpq, fmpq] | None:
        if not _continuous(node):
            return None
        try:
            balls = [value_at(node, end + by).x for end in self.ends]
        except Undecided:
            return None
        if not all(x.is_finite() for x in balls):
            return None
        return min(x.lower().fmpq() for x in balls), max(x.upper().fmpq() for x in balls)

    def _values(self, node: Node, ahead: bool) -> tuple[fmpq, fmpq] | None:
        by = self.shift if ahead else fmpq(0)
        low, high = (exact_value(node, end + by) for end in self.ends)
        return None if low is None or high is None else (low, high)


@lru_cache(1000)
def _continuous(node: Node) -> bool:
    """Whether a node is continuous wherever it has a value, by its form."""
    return node.kind not in ("floor", "piece") and all(_continuous(a) for a in node.args if isinstance(a, Node))
