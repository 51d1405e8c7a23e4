"""The line of a profile's export: where p > e^eps q, how far the integrals go, and what they are about.

p x = f(x^2) and q x = p(x - s).  By radii, |x| = r, the shifted one is r + s on the left of the centre and s - r on
its right.  Numbers are found about; signs and the tail are tried out as Coq will do it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product

from flint import acb

from dpverify.export.coq.enclosure import Unknown, enclose, hull_of
from dpverify.export.coq.expression import VAR, Expr, derivative, substitute
from dpverify.export.coq.generator import NotCovered
from dpverify.export.coq.interval import interval
from dpverify.export.coq.numbers import about, integral, number
from dpverify.export.coq.plan import ORDERS, Plan, delta_of

FINE, SLIM, MEETS = 2**96, 2**20, 2.0**-60
"""Ends of pieces are whole multiples of a unit, 1/FINE or finer; thin pieces are so many units wide at each side; a
loss that is so near to eps at a mark crosses it there, as far as intervals see."""
FINEST, FARTHEST = 40, 60
STEEPEST = (Fraction(4), Fraction(2), Fraction(3, 2), Fraction(5, 4), Fraction(9, 8))
ABOVE, BELOW, THIN = "above", "below", "thin"


@dataclass(frozen=True, slots=True)
class Piece:
    """Radii from start to end, in units, on which p - e^eps q has one sign, or of which little is asked."""

    start: int
    end: int
    kind: str
    fuel: int = 0


@dataclass(frozen=True, slots=True)
class Tail:
    """Beyond 2^exponent f falls at least like r^-steepness, as a model of an order shows."""

    exponent: int
    order: int
    steepness: Fraction


class Side:
    """One side of the centre: the loss over the shift, p - e^eps q, and the pieces on which it is above 0 or below."""

    def __init__(self, plan: Plan, unit: int, right: bool, epsilon: Fraction) -> None:
        self.plan, self.unit, self.right, self.epsilon = plan, unit, right, epsilon
        shift = delta_of(plan.delta)
        self.across = Expr("Sub", (shift, VAR)) if right else Expr("Add", (VAR, shift))
        self.loss = Expr("Sub", (substitute(plan.whole.value, self.across), plan.whole.value))
        level = Expr("Rat", (epsilon.numerator, epsilon.denominator))
        self.lead = {ABOVE: Expr("Sub", (self.loss, level)), BELOW: Expr("Sub", (level, self.loss))}
        self.growth = number(Expr("Exp", (level,)), Fraction(0))
        f = plan.generator
        self.gained = Expr("Sub", (f, Expr("Mul", (Expr("Exp", (level,)), substitute(f, self.across)))))

    def above(self, n: int) -> bool:
        """Whether the loss exceeds eps, at a radius in units."""
        return bool(number(self.lead[ABOVE], Fraction(max(n, 1), self.unit)).real > 0)

    def integral(self, piece: Piece) -> Fraction:
        """About the integral of p - e^eps q over a piece."""
        ends = Fraction(piece.start, self.unit), Fraction(piece.end, self.unit)
        return integral(lambda r: number(self.gained, r), *ends)

    def size(self, marks: list[int]) -> Fraction:
        """About the integral of (p - e^eps q)+ between the marks."""
        return sum((self.integral(p) for p in self.outline(marks) if p.kind == ABOVE), Fraction(0))

    def slimmest(self, marks: list[int]) -> Fraction:
        """What the thin pieces may add: their width times f at their start."""
        starts = [Fraction(p.start, self.unit) for p in self.outline(marks) if p.kind == THIN]
        return sum((about(number(self.plan.generator, r)) for r in starts), Fraction(0)) * 2 * SLIM / self.unit

    def pieces(self, marks: list[int]) -> list[Piece]:
        """The pieces between the marks, each with the halvings that show its sign."""
        return [piece if piece.kind == THIN else replace(piece, fuel=self.fuel(piece)) for piece in self.outline(marks)]

    def outline(self, marks: list[int]) -> list[Piece]:
        """The pieces between the marks, thin ones around the crossings."""
        found, start, last = [], marks[0], marks[-1]
        thin = [(max(start, n - SLIM), min(last, n + SLIM)) for n in self.crossings(marks)]
        for low, high in [*thin, (last, last)]:
            inner = [start, *(m for m in marks if start < m < low), low]
            found += [Piece(a, b, ABOVE if self.above((a + b) // 2) else BELOW) for a, b in pairwise(inner) if a < b]
            if low < high:
                found.append(Piece(low, high, THIN))
            start = high
        return found

    def crossings(self, marks: list[int]) -> Iterator[int]:
        """About where the loss crosses eps, or meets it at the first mark."""
        start = marks[0]
        meets = abs(number(self.lead[ABOVE], Fraction(max(start, 1), self.unit)).real) < MEETS
        if meets:
            yield start
        for a, b in pairwise(marks):
            for x, y in pairwise([a + (b - a) * k // FINEST for k in range(FINEST + 1)]):
                if self.above(x) != self.above(y) and not (meets and self.crossing(x, y) <= start + 2 * SLIM):
                    yield self.crossing(x, y)

    def crossing(self, x: int, y: int) -> int:
        first = self.above(x)
        while y - x > 1:
            middle = (x + y) // 2
            x, y = (middle, y) if self.above(middle) == first else (x, middle)
        return x

    def fuel(self, piece: Piece) -> int:
        """`leads`: how often a piece is halved until p - e^eps q is seen to have its sign."""
        e = self.lead[piece.kind]
        slope = derivative(e)

        def test(a: Fraction, b: Fraction) -> bool:
            box, middle = hull_of(a, b), interval((a + b) / 2)
            for step in self.plan.whole.steps:
                enclose(step, box)
            if enclose(e, box).lo >= 0:
                return True
            return (enclose(e, middle) + enclose(slope, box) * (box - middle)).lo >= 0

        return self.plan.halve([(Fraction(piece.start, self.unit), Fraction(piece.end, self.unit))], test) + 1


class Line:
    """All radii for one f and a weight r^w, 0 on the line and 2 in space: the tail, and where integrals are cut."""

    def __init__(self, plan: Plan, weight: int = 0) -> None:
        self.plan, self.unit, self.weight = plan, FINE * plan.delta.denominator, weight

    def density(self, r: Fraction) -> Fraction:
        """About p, up to its constant factor."""
        return about(number(self.plan.generator, r))

    def integral(self, a: int, b: int) -> Fraction:
        """About the integral of r^w p, its ends in units."""

        def weighted(r: acb) -> acb:
            return r**self.weight * number(self.plan.generator, r)

        return integral(weighted, Fraction(a, self.unit), Fraction(b, self.unit))

    def tail(self, small: Fraction) -> Tail:
        """The nearest tail whose integral of p is shown to be small."""
        for exponent in range(5, FARTHEST):
            if 2**exponent < self.plan.delta:
                continue
            for order, steepness in product(ORDERS, STEEPEST):
                tail = Tail(exponent, order, self.weight + steepness)
                if self.lies(tail) <= small and self.falls(tail):
                    return tail
        raise NotCovered("no power is shown to bound f in its tail closely enough")

    def lies(self, tail: Tail) -> Fraction:
        """At most about the integral of r^w p beyond the tail's start."""
        start, power = Fraction(2) ** tail.exponent, self.weight + 1
        return start**power * self.density(start) / (tail.steepness - power)

    def falls(self, tail: Tail) -> bool:
        """`falls_like`: whether r g'(r) is at least the steepness in the whole tail."""
        end, k = self.plan.end(tail.exponent, tail.order), tail.steepness
        rate = Expr("Sub", (Expr("Mul", (VAR, self.plan.whole.slope)), Expr("Rat", (k.numerator, k.denominator))))
        try:
            return end.nonnegative(end.infinity(rate))
        except Unknown:
            return False

    def marks(self, end: Fraction) -> list[int]:
        """Where integrals are cut up to an end: at powers of two from f's own scale on, in units."""
        highest = self.density(Fraction(1, self.unit))
        scale = next(k for k in range(-60, FARTHEST) if self.density(Fraction(2) ** k) < highest / 2)
        radii = [Fraction(2) ** k for k in range(scale, FARTHEST)]
        return [0, *(int(r * self.unit) for r in radii if r < end), int(end * self.unit)]
