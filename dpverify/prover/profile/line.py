"""delta(eps) in one dimension, where a sphere is the two points x = -rho and x = rho.

S' is written down as panels of either side on which its points lie in S' or do not, and
delta(eps) = (int over S' of p - e^eps q) + at most the cost of points that are on the wrong side:
a share e^|loss - eps| - 1 of p.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.prover.profile.generator import RadialWeight, bisected
from dpverify.prover.profile.mass import CLOSELY, Mass
from dpverify.prover.profile.pieces import ball, height, middle, refined, simple, uncertainty
from dpverify.prover.profile.series import Jet, capped

OUT, IN, OPEN, FLAT = "e", "f", "u", "o"
IN_BY_VALUES, OUT_BY_VALUES = "v", "w"
LEFT, RIGHT = -1, 1
NEAREST, FARTHEST = 18, 24
CLOSER, LARGEST = 64, 700.0


@dataclass(frozen=True)
class Stretch:
    """The points x = side * rho with a < rho < b (beyond a where b is None): in S' or not, and what they add."""

    side: int
    a: Fraction
    b: Fraction | None
    kind: str
    value: arb
    cost: arb
    centre: bool = False


def _unknown(x: Stretch) -> float:
    """The logarithm of what a stretch is unknown by, which floats may not tell from 0."""
    return height(uncertainty(x))


class Line:
    """The stretches of one eps."""

    def __init__(
        self, radial: RadialWeight, epsilon: Fraction, order: int, tick: Callable[[], None], by_nodes: bool = False
    ) -> None:
        self.radial, self.epsilon, self.order, self.tick = radial, epsilon, order, tick
        self.s, self.level = radial.shift, ball(epsilon)
        self.mass = Mass(radial, order, tick, by_nodes)
        self.nodes, self.error = self.mass.nodes, arb(0)
        self.at_roots = False

    def stretches(self, tolerance: Fraction, nothing: arb | None = None) -> list[Stretch]:
        """Stretches whose sum is known to a relative tolerance, or to be at most `nothing`."""
        start, half = min(self.mass.start(tolerance), self.s / 4), self.s / 2
        marks = self.mass.marks(tolerance, start)
        edge = self._edge(marks)
        marks = sorted({*marks, *edge, *(x for x in self._breaks(start, LEFT) if x < marks[-1])})
        inner = [x for x in {*marks, *self._breaks(start, RIGHT)} if start < x < half]
        sides = [(LEFT, *x) for x in pairwise(marks)], [(RIGHT, *x) for x in pairwise([start, *sorted(inner), half])]
        self.error = arb(self._about([*sides[0], *sides[1]])) * ball(tolerance) / CLOSER
        found = [self.stretch(*x) for x in sides[0]] + [self.far(marks[-1])] + [self.stretch(*x) for x in sides[1]]
        if start:
            found.append(self.centre(start))
        return refined(found, self.split, lambda low: low * ball(tolerance), self.tick, nothing)

    def _about(self, parts: Sequence[tuple[int, Fraction, Fraction]]) -> float:
        """About what stretches add up to, by floats."""
        total = 0.0
        for side, a, b in parts if self.nodes else ():
            r = float(a + b) / 2
            loss, weight = self._rough_loss(side, r), self.radial.rough_weight(r)
            if loss > 0 and weight < LARGEST:
                total += float(b - a) * math.exp(weight) * -math.expm1(-loss)
        return total

    def _edge(self, marks: list[Fraction]) -> list[Fraction]:
        """Radii around the last place on the left beyond which the loss exceeds eps, for all that is known, and beyond
        it some as far apart as f falls by e; none where there is no such place.

        Where the losses have no bound almost all of delta may lie just there, far beyond almost all of the mass."""
        radii = [*(float(r) for r in marks if r), *(float(marks[-1]) * 2**k for k in range(1, FARTHEST))]
        signs = [self._rough_loss(LEFT, r) > 0 for r in radii]
        if not signs[-1] or all(signs):
            return []
        last = max(k for k, sign in enumerate(signs) if not sign)
        root = bisected(radii[last], radii[last + 1], lambda r: self._rough_loss(LEFT, r) > 0)
        log, near = self.radial.rough, root * (1 + 1e-3)
        length = (near - root) / max(log(root) - log(near), 1e-3)
        beside = [root - length * 2.0**k for k in range(-NEAREST, 3, 3)]
        beyond = [root + length * x for x in (2.0**-NEAREST, 1, 3, 6, 10, 16, 24, 36, 54)]
        found = [simple(x, 2 * NEAREST) for x in (*beside, *beyond)]
        return [x for x in found if x > marks[0]]

    def _breaks(self, start: Fraction, side: int) -> set[Fraction]:
        """Radii at which f may jump where the other point is."""
        found = {b - self.s if side == LEFT else abs(self.s - b) for b in self.radial.breaks}
        return {x for x in found if x > start}

    def stretch(self, side: int, a: Fraction, b: Fraction) -> Stretch:
        self.tick()
        if self.nodes is not None and self._rough_loss(side, float(a + b) / 2) > 0:
            known = self._by_nodes(side, a, b)
            if known is not None:
                return known
        out = self.out(side, a, b)
        if out.cost == 0:
            return out
        best = min([out, *self._valued(side, a, b)], key=_unknown)
        if _unknown(best) < math.log(CLOSELY) + _unknown(out):
            return best
        with suppress(Undecided):
            best = min(best, self.within(side, a, b), key=_unknown)
        return best

    def _valued(self, side: int, a: Fraction, b: Fraction) -> list[Stretch]:
        """In S' and not by the series of f here and there, for an f that waves."""
        if not self.radial.waves or self.nodes is not None:
            return []
        h, (opposite, around) = (b - a) / 2, self._across(side, a, b)
        try:
            with capped(self.order):
                here = self.radial.values(Jet.linear((a + b) / 2, h), a, b)
                there = self.radial.values(Jet.linear(*opposite), *around)
                gain = (here - there * self.level.exp()).taylor()
        except Undecided:
            return []
        lacking, exceeding = (x.upper().max(arb(0)) * 2 * ball(h) for x in (-gain.extent()[0], gain.extent()[1]))
        return [
            Stretch(side, a, b, IN_BY_VALUES, gain.integral() * ball(h), lacking.upper()),
            Stretch(side, a, b, OUT_BY_VALUES, arb(0), exceeding.upper()),
        ]

    def _rough_loss(self, side: int, rho: float) -> float:
        log, s = self.radial.rough, float(self.s)
        return log(rho) - log(rho + s if side == LEFT else abs(s - rho)) - float(self.epsilon)

    def _across(
        self, side: int, a: Fraction, b: Fraction
    ) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """|x - u| as a polynomial in the panel's variable, and the radii that it runs through."""
        m, h, s = (a + b) / 2, (b - a) / 2, self.s
        if side == LEFT:
            return (m + s, h), (a + s, b + s)
        return (s - m, -h), (s - b, s - a)

    def within(self, side: int, a: Fraction, b: Fraction) -> Stretch:
        m, h = (a + b) / 2, (b - a) / 2
        opposite, around = self._across(side, a, b)

        with capped(self.order):
            here = self.radial.jet(Jet.linear(m, h), a, b)
            there = self.radial.jet(Jet.linear(*opposite), *around)
            f = here.exp()
            gain, residual = (f - (there + self.level).exp()).taylor(), (here - there - self.level).taylor()
            most = f.taylor().most()
        lacking = (-residual.extent()[0]).upper().max(arb(0))
        cost = (lacking.expm1() * most * 2 * ball(h)).upper() if lacking > 0 else arb(0)
        return Stretch(side, a, b, IN, gain.integral() * ball(h), cost)

    def _by_nodes(self, side: int, a: Fraction, b: Fraction) -> Stretch | None:
        """The same from two integrals of f, where all losses are seen to exceed eps; None where they are not."""
        if self.nodes is None or not self.error > 0:
            return None
        growth = self.level.exp()
        lost = self.nodes.all_loss if side == LEFT else self.nodes.all_across
        try:
            if not lost(a, b, self.level):
                return None
            here = self.nodes.weight(a, b, self.error)
            there = self.nodes.weight(*self._across(side, a, b)[1], self.error / growth)
        except Undecided:
            return None
        return Stretch(side, a, b, IN, here - growth * there, arb(0))

    def out(self, side: int, a: Fraction, b: Fraction) -> Stretch:
        weight = self.radial.weighed(a, b)
        part, kind = arb(1), OUT
        try:
            excess = self._loss(side, a, b).max(arb(0))
            part = -((-excess).expm1()) if excess.is_finite() else arb(1)
        except Undecided:
            kind = OPEN
        cost = arb(0) if part == 0 else (weight * part).upper() if weight.is_finite() else weight
        return Stretch(side, a, b, kind, arb(0), cost)

    def _loss(self, side: int, a: Fraction, b: Fraction) -> arb:
        """An upper bound of the loss, less eps."""
        if side == LEFT:
            most = self._largest(a, b)
            if self.nodes is not None and not most <= 0 and self.nodes.no_loss(a, b, self.level):
                return arb(0)
            return most if most <= 0 else most.min(self.radial.problem.loss(a, b, self.s) - self.level).upper()
        return self._excess(side, a, b)

    def _excess(self, side: int, a: Fraction, b: Fraction) -> arb:
        """The same from the series of both points."""
        m, h = (a + b) / 2, (b - a) / 2
        opposite, around = self._across(side, a, b)

        with capped(self.order):
            here, there = self.radial.jet(Jet.linear(m, h), a, b), self.radial.jet(Jet.linear(*opposite), *around)
            return (here - there - self.level).taylor().extent()[1].upper()

    def _largest(self, a: Fraction, b: Fraction) -> arb:
        """The same by the fall of f alone."""
        return (self.radial.largest_loss(a, b) - self.level).upper()

    def centre(self, b: Fraction) -> Stretch:
        """The points within b on both sides, where f need not be smooth: nothing of them."""
        cost = (2 * self.radial.lost_inside(b, self._largest(Fraction(0), b))).upper()
        return Stretch(LEFT, Fraction(0), b, OUT, arb(0), cost, centre=True)

    def far(self, a: Fraction) -> Stretch:
        return Stretch(LEFT, a, None, OUT, arb(0), self.radial.lost_beyond(a, self.level))

    def split(self, x: Stretch) -> list[Stretch]:
        a, b = x.a, x.b
        if b is None:
            return [self.stretch(LEFT, a, a * 2), self.far(a * 2)]
        if x.centre:
            near = self.radial.quiet_from(b, self._largest)
            if near is not None:
                quiet = [Stretch(side, near, b, out, arb(0), arb(0)) for side, out in ((LEFT, OUT), (RIGHT, FLAT))]
                return [self.centre(near), *quiet]
            return [self.centre(b / 16), *(self.stretch(side, b / 16, b) for side in (LEFT, RIGHT))]
        low, high = (a + (b - a) / 2**20, b - (b - a) / 2**20)
        signs = [self._rough_loss(x.side, float(r)) > 0 for r in (low, high)]
        cuts = [a, middle(a, b), b]
        if signs[0] != signs[1]:
            root = bisected(float(low), float(high), lambda r: (self._rough_loss(x.side, r) > 0) == signs[1])
            reach = (b - a) / 2**12
            centre = Fraction(round(Fraction(root) / reach * 16)) * reach / 16
            if a < centre - reach and centre + reach < b:
                near = Fraction(round(Fraction(root) / reach * 2**32)) * reach / 2**32
                cuts = [a, near, b] if self.at_roots else [a, centre - reach, centre + reach, b]
        return [self.stretch(x.side, p, q) for p, q in pairwise(cuts)]
