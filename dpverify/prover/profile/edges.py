"""Edges of S' for an f that may rise, written down as polynomials in the panel's variable; each with its band."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.findings import Part, Place, Reason
from dpverify.prover.profile.boundary import Boundary, written
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball, simple
from dpverify.prover.profile.series import Jet, capped
from dpverify.prover.profile.sketches import End
from dpverify.prover.profile.spheres import NEXT
from dpverify.prover.profile.strips import Band, Edge, Strip, coarsest

FEW = 1500
"""How many panels share what all may cost."""
AT_BITS = 10
"""How many bits of an edge what it is off by may be beyond its last to be told by that."""
WIDER, NEARLY = 8, Fraction(1, 8)
"""How often the ends of a band are put nearer, and by which part of it f is monotone beyond."""

Between = tuple[Fraction, Fraction]


class Edges:
    """The edges of one eps and one shift, by series of an order, to so many bits."""

    def __init__(self, radial: RadialWeight, boundary: Boundary, level: arb, order: int, bits: int) -> None:
        self.radial, self.boundary, self.level, self.order, self.bits = radial, boundary, level, order, bits
        self.s = radial.shift

    def bands(self, a: Fraction, b: Fraction, places: list[list[float]]) -> list[Between]:
        """Radii about each edge, apart from each other, from where the edges are on three spheres."""
        floor, ends = max(self.s - b, a - self.s, Fraction(0)), list[Fraction]()
        for k, own in enumerate(places):
            reach = (max(own) - min(own)) / 4 + max(own) * 1e-6 + self._blur(a, b, own[1])
            low, high = max(min(own) - reach, min(own) / 2), max(own) + reach
            if k:
                low = max(low, (max(places[k - 1]) + min(own)) / 2)
            if k + 1 < len(places):
                high = min(high, (max(own) + min(places[k + 1])) / 2)
            ends += [max(Fraction(low), floor), min(Fraction(high), b + self.s)]
        return list(zip(ends[::2], ends[1::2], strict=True))

    def _widened(self, band: Between, room: Between, sign: int) -> Between:
        """A band as wide as there is room and log f is monotone, ending where strips of other panels do."""
        unit = coarsest(self.s)
        for _ in range(WIDER):
            low = max(room[0], min(band[0], band[0] // unit * unit))
            high = min(room[1], max(band[1], -(-band[1] // unit) * unit))
            reach = (high - low) * NEARLY
            try:
                slope = self.radial.problem.on_box(max(low - reach, low / 2), high + reach).du.x
            except Undecided:
                slope = arb.nan()
            if sign * slope < 0:
                return low, high
            unit /= 2
        return band

    def constant(self, start: float, sign: int, segment: int) -> Edge:
        """An edge at one radius: where f jumps, exactly there."""
        return Edge((self.radial.breaks[-1 - segment] if segment < 0 else simple(start, 40),), sign)

    def edge(
        self, a: Fraction, b: Fraction, place: End, about: Between, room: Between, most: arb | None
    ) -> tuple[Edge, Band | None]:
        """An edge that is written down, and about it; nothing about one at which f jumps. `most` is what all panels may
        cost, if that is known."""
        start, sign, segment = place
        if segment < 0:
            return self.constant(*place), None
        first, last = self.boundary.segment(segment)
        around = max(about[0], first), about[1] if last is None else min(about[1], last)
        if not around[0] < around[1]:
            raise Undecided(Reason.NO_BOUNDARY())
        room = max(room[0], first), room[1] if last is None else min(room[1], last)
        around = self._widened(around, room, sign)
        curve, off = self._curve(a, b, around, start, self.bits)
        lacking = self._lacking(a, b, around, curve[0], off, most)
        if lacking:
            curve, off = self._curve(a, b, around, start, self.bits + lacking)
        return Edge(tuple(curve), sign), Band(*around, off)

    def _curve(self, a: Fraction, b: Fraction, around: Between, start: float, bits: int) -> tuple[list[Fraction], arb]:
        """An edge written down to so many bits, and at most how far the loss along it is from eps."""
        raw = self.boundary.series(a, b, around, start, self.order)
        curve = self._meeting(a, b, around, written(raw, bits), bits)
        with capped(self.order):
            rho, far = Jet.linear((a + b) / 2, (b - a) / 2), Jet.polynomial(curve)
            span = far.taylor().span()
            if not ball(around[0]) <= span or not span <= ball(around[1]):
                raise Undecided(Reason.LEAVES(what=Part.BOUNDARY, where=Place.SEGMENT))
            residual = self.radial.jet(rho, a, b) - self.radial.jet(far, *around) - self.level
            return curve, residual.taylor().most()

    def _lacking(self, a: Fraction, b: Fraction, around: Between, place: Fraction, off: arb, most: arb | None) -> int:
        """How many bits more an edge is to be written down to, where it is these that tell how far off it is, and that
        costs more than one panel's part of what all may."""
        if most is None or not most > 0:
            return 0
        steep = self.radial.problem.on_box(*around).du.x.abs_upper()
        if off > steep * ball(place) * arb(2) ** (AT_BITS - self.bits):
            return 0
        weight = self.radial.weighed(a, b)
        part = Strip(self.radial, self.level, a, b, weight, weight).share(*around)
        excess = weight * part * off * FEW / most
        return min(math.ceil(float(excess.log().upper() / arb(2).log())), self.bits) if excess > 1 else 0

    def _meeting(self, a: Fraction, b: Fraction, around: Between, curve: list[Fraction], bits: int) -> list[Fraction]:
        """The curve with ends that depend on where they are alone, so that it meets those of the panels beside."""
        ends = [sum((c * side**k for k, c in enumerate(curve)), Fraction(0)) for side in (-1, 1)]
        try:
            places = zip((a, b), ends, strict=True)
            found = [self.boundary.on_sphere(x, (a, b), around, float(y), bits) for x, y in places]
        except Undecided:
            return curve
        first, last = (x - end for x, end in zip(found, ends, strict=True))
        if max(abs(first), abs(last)) > curve[0] * NEXT:
            return curve
        return [curve[0] + (first + last) / 2, curve[1] + (last - first) / 2, *curve[2:]]

    def _blur(self, a: Fraction, b: Fraction, place: float) -> float:
        """About how far from an edge there has to be a sign for a box of radii rho to have it."""
        rough, near = self.radial.rough, place * 1e-6
        steep = abs(rough(place + near) - rough(place - near)) / (2 * near)
        rad = float(self.radial.problem.log_bounds(a, b).rad())
        return min(rad / 2 / steep, place) if steep and rad < math.inf else place
