"""The integral of p^L q^(1-L) on the line, by Gauss's nodes.

With x the lesser of the two distances from the centres 0 and s, the other is s + x outside of them and s - x between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import acb, arb

from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.prover.hellinger.ends import Ends
from dpverify.prover.hellinger.integrand import Logarithms, Pair, Tilt, with_octaves
from dpverify.prover.profile.by_nodes import by_gauss, centre
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball, simple

OCTAVES, MOST_MARKS, MOST_NODES = 900, 3000, 30_000
"""How many octaves outward and inward there may be, and panels."""
UNKNOWN = acb(arb.nan())
PANELS = 64
"""Among how many panels what is allowed to be unknown is shared."""


@dataclass(frozen=True)
class Ray:
    """Points at a distance x from one centre, and s + sign x from the other; from 0 if `near_p`, and else from s."""

    near_p: bool
    sign: int


RAYS = tuple(Ray(near_p, sign) for near_p in (True, False) for sign in (1, -1))


class Line:
    """Integrals over the line of f(x^2) and f((x - s)^2), f divided by e^size, in units of 2."""

    def __init__(self, radial: RadialWeight, tick: Callable[[], None]) -> None:
        self.radial, self.s, self.tick = radial, radial.shift, tick
        self.ends, self.logs = Ends(radial), Logarithms(radial)

    def integral(self, tilt: Tilt, error: arb) -> arb:
        """The integral, known to about an error; it may be wider.  Raises Undecided where nothing is known."""
        first = max(4 * simple(self.radial.peak, 2), 8 * self.s)
        end, total = self.ends.cut(tilt, error, first, lambda x: (x, x + self.s))
        near, hole = self._hole(tilt, error)
        total += hole + self.ends.beside_breaks(tilt)
        for ray in RAYS:
            for a, b in pairwise(self._marks(ray, near, end if ray.sign > 0 else self.s / 2)):
                self.tick()
                total += self._panel(tilt, ray, (a, b), error / PANELS) / 2
        return total

    def _hole(self, tilt: Tilt, error: arb) -> tuple[Fraction, arb]:
        """How far about its centre f is not known to be analytic, and what lies there, about both."""
        near = min([self.s / 4, simple(self.radial.peak, 2) / 4, *self.radial.breaks])
        if self.logs.analytic_at_centre(near):
            return Fraction(0), arb(0)
        for _ in range(OCTAVES):
            near /= 4
            try:
                found = self.ends.left_out(tilt, near)
            except Undecided:
                continue
            if found * 8 < error:
                return near, arb(0, found) if tilt.power else arb(0).union(found)
        raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())

    def _marks(self, ray: Ray, near: Fraction, end: Fraction) -> list[Fraction]:
        marks = {x for k in self.radial.breaks for x in (k, (k - self.s) * ray.sign)}
        start = near or min(simple(self.radial.peak, 2), self.s)
        return with_octaves(marks, (near, end), start, MOST_MARKS)

    def _panel(self, tilt: Tilt, ray: Ray, ends: tuple[Fraction, Fraction], error: arb) -> arb:
        sign, s = ray.sign, ball(self.s)
        a, b = sorted(self.s + sign * x for x in ends)
        if self.logs.beside_break(*ends) or self.logs.beside_break(a, b):
            return arb(0)  # counted by itself
        logs = self.logs.around(*ends), self.logs.around(a, b)
        pair = Pair(*(logs if ray.near_p else logs[::-1]), tilt)

        def height(z: acb, analytic: bool) -> acb:
            point, off = centre(z, *ends)
            if point is None:
                return UNKNOWN
            middles = point, s + point * sign
            radii, turns = (z, s + z * sign), (1, sign)
            if not ray.near_p:
                middles, radii, turns = middles[::-1], radii[::-1], turns[::-1]
            return acb(pair.at(*middles)) if off is None else pair.on(radii, middles, [(off, *turns)])

        return by_gauss(height, *ends, error, 0, MOST_NODES)
