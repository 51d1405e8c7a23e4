"""Z, the integral of w(r) = r^(d-1) f(r^2) over r > 0: the centre, panels, and the tail."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.prover.profile.by_nodes import ByNodes
from dpverify.prover.profile.even import LOOSER, Evening
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball, divided, graded, parts, simple, total, uncertainty
from dpverify.prover.profile.series import Jet, capped

LEVEL, STEEP = -5.0, 20.0
CLOSELY = 1e-7
"""As which part of what a panel may be at most it is known so closely by values of f that log f is not asked."""
SOONER = 0.1
LEAP = 2**16
"""How far a tail of which nothing is known yet is left behind at once."""
FINER = 2**7
"""How many panels by nodes at least would share what the whole may be unknown by, as w r is about 1 at most."""


@dataclass(frozen=True)
class Part:
    """What lies on (a, b), or beyond a where b is None."""

    a: Fraction
    b: Fraction | None
    value: arb
    cost: arb
    centre: bool = False
    values: bool = False
    """Whether it is by values of f."""


class Mass:
    """Panels of the integral, by Taylor polynomials of an even order, or by nodes."""

    def __init__(self, radial: RadialWeight, order: int, tick: Callable[[], None], by_nodes: bool = False) -> None:
        self.radial, self.order, self.tick = radial, order, tick
        self.nodes = ByNodes(radial) if by_nodes else None
        self.error: arb | None = None

    def parts(self, tolerance: Fraction, fewer: bool = False) -> list[Part]:
        """Parts whose sum is known to a relative tolerance; or fewer of them, to some times it."""
        start = self.start(tolerance)
        little = ball(tolerance) / 64
        marks = self.marks(tolerance, start, self._known_to(little))
        self.error = ball(tolerance) / max(FINER, 2 * len(marks))
        found = [self.panel(a, b) for a, b in pairwise(marks)]
        if start:
            found.insert(0, self.centre(start))
        found.append(self.tail(marks[-1]))
        found = divided(found, self.split, lambda low: low * ball(tolerance), self.tick)
        return self._evened(found, total(found)[0] * ball(tolerance) * LOOSER) if fewer else found

    def _evened(self, parts: list[Part], allowed: arb) -> list[Part]:
        """Fewer panels, between the breaks."""

        def alike(part: Part) -> int | None:
            smooth = part.a and part.b is not None and part.cost == 0
            return bisect_right(self.radial.breaks, part.a) if smooth else None

        return Evening(self.panel, alike, self.order).evened(parts, allowed)

    def _known_to(self, little: arb) -> Callable[[Fraction], bool]:
        """Whether the tail is known to so little beyond a radius; by nodes asked where it may be, by what it was known
        to before, since from one radius to the next a power of that is left."""
        log_little, seen, ahead = float(little.log()), list[tuple[float, float]](), -math.inf

        def enough(radius: Fraction) -> bool:
            nonlocal ahead
            x = math.log(radius)
            if x < ahead or not self._slow(radius):
                return False
            width = uncertainty(self.tail(radius))
            if width < little:
                return True
            seen.append((x, float(width.log()) if width.is_finite() and width > 0 else math.inf))
            if self.nodes and len(seen) > 1 and seen[-1][1] < seen[-2][1] < math.inf:
                (first, y), (last, z) = seen[-2:]
                ahead = last + (last - first) * (z - log_little) / (y - z) - SOONER
            return False

        return enough

    def _slow(self, radius: Fraction) -> bool:
        """Whether w r falls by little over the next octave, for all that floats see, so that the tail's bounds may be
        close together long before there is little of it."""
        here, there = (self.radial.rough_weight(x) + math.log(x) for x in (float(radius), 2 * float(radius)))
        return LEVEL > here > there > here - STEEP

    def start(self, tolerance: Fraction) -> Fraction:
        """0 where w is smooth there, or a radius below which there is little."""
        first = self.first()
        breaks = [b for b in self.radial.breaks if b < first]
        try:
            self.integral(Fraction(0), min([first / 64, *breaks]))
            return Fraction(0)
        except Undecided:
            return first / 64

    def first(self) -> Fraction:
        return simple(self.radial.peak, 2)

    def marks(
        self, tolerance: Fraction, start: Fraction, enough: Callable[[Fraction], bool] = lambda r: False
    ) -> list[Fraction]:
        """Radii from the start outward until little is left, or it is enough, with the breaks between."""
        first = self.first()
        points = [start, *(first / 2**k for k in (6, 4, 2, 1, 0) if first / 2**k > start)]
        little = (ball(tolerance) / 64).log()
        log_tiny = float(little.mid())
        while points[-1] < first * 2**900:
            points.append(points[-1] * 2)
            edge = float(points[-1])
            if edge < 1e300 and enough(points[-1]):
                break
            if edge > 1e300 or not self.radial.rough_weight(edge) + math.log(edge) >= log_tiny:
                break  # what floats do not see any more is split where it counts
        while points[-1] < self.radial.reach:
            points.append(points[-1] * 2)
        end = points[-1]
        return sorted({*points, *self._between(start, end)})

    def _between(self, a: Fraction, b: Fraction) -> list[Fraction]:
        """Two radii with the breaks between."""
        breaks = self.radial.breaks
        return [a, *breaks[bisect_right(breaks, a) : bisect_left(breaks, b)], b]

    def centre(self, radius: Fraction) -> Part:
        try:
            value = self.radial.inner(radius)
        except Undecided:
            value = arb(0, arb.pos_inf())
        return Part(Fraction(0), radius, value, arb(0), centre=True)

    def tail(self, radius: Fraction) -> Part:
        try:
            value = self.radial.outer(radius)
        except Undecided:
            value = arb(0, arb.pos_inf())
        return Part(radius, None, value, arb(0))

    def panel(self, a: Fraction, b: Fraction) -> Part:
        valued = self._by_values(a, b)
        if valued is not None and uncertainty(valued) < CLOSELY * valued.value:
            return valued
        try:
            found = Part(a, b, self.integral(a, b), arb(0))
            return found if valued is None else min(found, valued, key=lambda x: float(uncertainty(x)))
        except Undecided:
            pass
        try:
            return valued or Part(a, b, arb(0), self.radial.bound(a, b) * ball(b - a))
        except Undecided:
            return Part(a, b, arb(0), arb.pos_inf())

    def _by_values(self, a: Fraction, b: Fraction) -> Part | None:
        """A panel by the series of f, for an f that waves."""
        if not self.radial.waves or self.nodes is not None:
            return None
        try:
            with capped(self.order):
                r = Jet.linear((a + b) / 2, (b - a) / 2)
                w = self.radial.values(r, a, b) * r.power(self.radial.dimension - 1)
                return Part(a, b, w.taylor().integral() * ball((b - a) / 2), arb(0), values=True)
        except Undecided:
            return None

    def integral(self, a: Fraction, b: Fraction) -> arb:
        if self.nodes is not None and self.error is not None:
            try:
                return self.nodes.weight(a, b, self.error)
            except Undecided:
                pass
        h = (b - a) / 2
        with capped(self.order):
            r = Jet.linear((a + b) / 2, h)
            return self.radial.weight(self.radial.jet(r, a, b), r).taylor().integral() * ball(h)

    def _outward(self, a: Fraction) -> list[Part]:
        """What lies beyond a, from twice as far on anew; far more at once where nothing is known of the tail there yet,
        and there is next to nothing between."""
        beyond = self.tail(a * 2)
        if self.error is not None and not beyond.value.is_finite():
            try:
                cost = self.radial.bound(a, a * LEAP) * ball(a * (LEAP - 1))
            except Undecided:
                cost = arb.pos_inf()
            if cost < self.error:
                return [Part(a, a * LEAP, arb(0), cost.upper()), self.tail(a * LEAP)]
        return [*(self.panel(*ends) for ends in pairwise(self._between(a, a * 2))), beyond]

    def split(self, part: Part, excess: float) -> list[Part]:
        if part.b is None:
            return self._outward(part.a)
        if part.centre:
            return [self.centre(part.b / 16), self.panel(part.b / 16, part.b)]
        return [self.panel(a, b) for a, b in pairwise(graded(part.a, part.b, parts(excess, self.order // 2)))]
