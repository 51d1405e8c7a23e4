"""One pass of a recipe in ball arithmetic: the numbers that a recipe sees are enclosures of what the bits stand for.

A recipe (gamma, direction, laws, envelope) is a function of independent uniform numbers, written once. It runs
here in Arb; `decimals` runs the same recipe in the standard library's arithmetic, to confirm a replay.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from flint import arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Undecided
from dpverify.enclosures.lowering import Node
from dpverify.sampling.exact.bits import Ambiguous, Strings

Real = Any
"""An enclosure with +, -, *, /, log(), exp(), sqrt() and sin_cos_pi(), of either arithmetic."""


class Draw(Protocol):
    """What a recipe may ask for. Whatever is not decided by the bits at hand raises Ambiguous."""

    def uniform(self) -> Real:
        """The next number, uniform on (0, 1)."""

    def sign(self) -> int:
        """1 or -1, each with probability 1/2."""

    def below(self, a: Real, b: Real) -> bool:
        """Whether a < b."""

    def number(self, value: Fraction) -> Real: ...

    def power(self, x: Real, p: Fraction) -> Real:
        """x^p for x > 0."""

    def located(self, edges: Sequence[int]) -> tuple[int, Real]:
        """The cell i of a number T uniform on (0, edges[-1]), edges[i] < T < edges[i + 1], and T - edges[i]."""

    def generator(self, r: Real) -> Real:
        """f(r^2)."""


HALF = arb(0.5, 0.5)


class ArbDraw:
    """A draw whose strings are read to `bits` bits each; the precision is `bits` and some more."""

    __slots__ = ("bits", "next", "node", "scale", "strings")

    def __init__(self, strings: Strings, bits: int, node: Node) -> None:
        self.strings, self.bits, self.node = strings, bits, node
        self.next = 0
        self.scale = arb(2) ** -bits

    def _integer(self) -> int:
        i = self.next
        self.next = i + 1
        return self.strings.at(i, self.bits)

    def uniform(self) -> arb:
        return (arb(self._integer()) + HALF) * self.scale

    def sign(self) -> int:
        i = self.next
        self.next = i + 1
        return 1 if self.strings.at(i, 1) else -1

    def below(self, a: arb, b: arb) -> bool:
        if a < b:
            return True
        if a >= b:
            return False
        raise Ambiguous

    def number(self, value: Fraction) -> arb:
        return arb(fmpq(value.numerator, value.denominator))

    def power(self, x: arb, p: Fraction) -> arb:
        return x.sqrt() if p == Fraction(1, 2) else x ** self.number(p)

    def located(self, edges: Sequence[int]) -> tuple[int, arb]:
        j = self._integer()
        cell = located_cell(j, self.bits, edges)
        return cell, (arb(j) + HALF) * self.scale * edges[-1] - edges[cell]

    def generator(self, r: arb) -> arb:
        try:
            return Evaluation(Ball(r)).value(self.node).x
        except Undecided:
            raise Ambiguous from None


def located_cell(j: int, bits: int, edges: Sequence[int]) -> int:
    """The cell in which [j, j + 1] / 2^bits times edges[-1] lies as a whole, in integers."""
    low = j * edges[-1]
    cell = bisect_right(edges, low >> bits) - 1
    if low + edges[-1] > edges[cell + 1] << bits:
        raise Ambiguous
    return cell
