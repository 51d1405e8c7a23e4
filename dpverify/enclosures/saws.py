"""Sums with floors, such as r - floor(r): floor(u) is u less a number of [0, 1), and what cancels is left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.nodes import ONE, Node, same


@dataclass(frozen=True)
class Saw:
    """A sum as slope r + level - sum of c theta_c + others, every theta_c in [0, 1)."""

    slope: fmpq
    level: fmpq
    teeth: tuple[tuple[fmpq, Node], ...]
    others: tuple[tuple[fmpq, Node], ...]

    def heights(self) -> arb:
        """The values of what the floors leave."""
        total = arb(0)
        for c, _ in self.teeth:
            total = total - arb(0.5, 0.5) * c
        return total

    def steps(self) -> arb:
        """Its increments."""
        total = arb(0)
        for c, _ in self.teeth:
            total = total + arb(0, 1) * c
        return total


@lru_cache(4096)
def saw(node: Node) -> Saw | None:
    """The sum read so; None where it is none, or has no floor that leaves but a number of [0, 1).

    The floor of a line does; that of anything else where nothing but lines is left of what it is of.
    """
    if node.kind != "add":
        return None
    teeth: list[tuple[fmpq, Node]] = []
    terms: list[tuple[fmpq, Node]] = []
    floors: list[tuple[fmpq, Node]] = []
    for size, inner in _leaves(fmpq(1), node):
        if inner.kind != "floor":
            terms.append((size, inner))
        elif line_of(inner.args[0]) is not None:
            teeth.append((size, inner))
            terms.append((size, inner.args[0]))
        else:
            floors.append((size, inner))
    while True:
        parts = _Parts([*terms, *((size, inner.args[0]) for size, inner in floors)])
        left = [x for x in floors if parts.left_of(x[1].args[0])]
        if not left:
            break
        floors = [x for x in floors if x not in left]
        terms += left
    teeth += floors
    return Saw(parts.slope, parts.level, tuple(teeth), parts.others()) if teeth else None


def _leaves(q: fmpq, node: Node) -> list[tuple[fmpq, Node]]:
    """Numbers and nodes whose products add up to a multiple of a node; a term stays as it is where nothing in it is to
    be added or left out."""
    if _scaled(node) and node.args[1].kind in ("add", "floor", "r"):
        return _leaves(q * node.args[0].args[0], node.args[1])
    return [x for a in node.args for x in _leaves(q, a)] if node.kind == "add" else [(q, node)]


class _Parts:
    """Multiples of nodes, put together where they are multiples of one and the same function."""

    def __init__(self, terms: list[tuple[fmpq, Node]]) -> None:
        self.slope = self.level = fmpq(0)
        self._kept: list[tuple[tuple[Node, ...], list[Any]]] = []
        for size, term in terms:
            for q, node in _leaves(size, term):
                self._put(q, node)

    def left_of(self, node: Node) -> bool:
        """Whether anything but lines is left of what the node is made of."""
        mine = [key for key, _ in _Parts([(fmpq(1), node)])._kept]
        return any(found[0] != 0 and any(same(key, k) for k in mine) for key, found in self._kept)

    def _put(self, q: fmpq, node: Node) -> None:
        if node.kind == "num":
            self.level += q * node.args[0]
        elif node.kind == "r":
            self.slope += q
        else:
            c, *factors = node.args if node.kind == "mul" else (ONE, node)
            if c.kind != "num":
                c, factors = ONE, [c, *factors]
            known = next((found for key, found in self._kept if same(key, tuple(factors))), None)
            if known is None:
                self._kept.append((tuple(factors), [q, node, c.args[0]]))
            else:
                known[0] += q * c.args[0] / known[2]

    def others(self) -> tuple[tuple[fmpq, Node], ...]:
        return tuple((q, node) for _, (q, node, _) in self._kept if q)


def line_of(node: Node) -> tuple[fmpq, fmpq] | None:
    """(a, b) where the node is a r + b; else None."""
    if node.kind == "num":
        return fmpq(0), node.args[0]
    if node.kind == "r":
        return fmpq(1), fmpq(0)
    if _scaled(node):
        inner, size = line_of(node.args[1]), node.args[0].args[0]
        return None if inner is None else (size * inner[0], size * inner[1])
    if node.kind != "add":
        return None
    slope, level = fmpq(0), fmpq(0)
    for term in node.args:
        line = line_of(term)
        if line is None:
            return None
        slope, level = slope + line[0], level + line[1]
    return slope, level


def _scaled(node: Node) -> bool:
    """Whether a node is a number times one other."""
    return node.kind == "mul" and len(node.args) == 2 and node.args[0].kind == "num"


@lru_cache(4096)
def never_below_zero(node: Node) -> bool:
    """Whether a sum is b - sum c theta, every theta in [0, 1), and so at least b less the positive c, which is 0."""
    teeth = saw(node) if any(part.kind in ("floor", "mul") for part in node.args) else None
    if teeth is None or teeth.slope != 0 or teeth.others:
        return False
    return bool(teeth.level == sum((c for c, _ in teeth.teeth if c > 0), fmpq(0)))
