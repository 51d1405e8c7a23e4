"""One pass of a recipe in Arb's balls: the numbers that it sees are enclosures of what the bits stand for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Undecided
from dpverify.enclosures.nodes import Node
from dpverify.sampling.exact.bits import Ambiguous, Strings
from dpverify.sampling.exact.draw import located_cell

HALF = arb(0.5, 0.5)
HALF_POWER = Fraction(1, 2)


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

    def below(self, a: arb, b: arb | int) -> bool:
        if a < b:
            return True
        if a >= b:
            return False
        raise Ambiguous

    def number(self, value: Fraction) -> arb:
        return arb(fmpq(value.numerator, value.denominator))

    def power(self, x: arb, p: Fraction) -> arb:
        if p.denominator == 1:
            return x ** int(p)
        return x.sqrt() if p == HALF_POWER else x ** self.number(p)

    def located(self, edges: Sequence[int]) -> tuple[int, arb]:
        j = self._integer()
        cell = located_cell(j, self.bits, edges)
        return cell, (arb(j) + HALF) * self.scale * edges[-1] - edges[cell]

    def generator(self, r: arb) -> arb:
        try:
            return Evaluation(Ball(r)).value(self.node).x
        except Undecided:
            raise Ambiguous from None
