"""Sums with floors of lines, such as r - floor(r): floor(u) is u less a number of [0, 1), and lines add up to one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from flint import arb, fmpq

from dpverify.enclosures.nodes import Node


@dataclass(frozen=True)
class Saw:
    """A sum as slope r + level - sum of c theta_c + others, every theta_c in [0, 1)."""

    slope: fmpq
    level: fmpq
    teeth: tuple[fmpq, ...]
    others: tuple[Node, ...]

    def heights(self) -> arb:
        """The values of what the floors leave."""
        total = arb(0)
        for c in self.teeth:
            total = total - arb(0.5, 0.5) * c
        return total

    def steps(self) -> arb:
        """Its increments."""
        total = arb(0)
        for c in self.teeth:
            total = total + arb(0, 1) * c
        return total


@lru_cache(1024)
def saw(node: Node) -> Saw | None:
    """The sum read so; None where it is none, or has no floor of a line."""
    if node.kind != "add":
        return None
    slope, level, teeth, others = fmpq(0), fmpq(0), [], []
    for term in node.args:
        size, inner = (term.args[0].args[0], term.args[1]) if _scaled(term) else (fmpq(1), term)
        line = line_of(inner.args[0] if inner.kind == "floor" else inner)
        if line is None:
            others.append(term)
            continue
        slope, level = slope + size * line[0], level + size * line[1]
        if inner.kind == "floor":
            teeth.append(size)
    return Saw(slope, level, tuple(teeth), tuple(others)) if teeth else None


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
