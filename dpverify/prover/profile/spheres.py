"""delta(eps) in two dimensions and more, sphere by sphere around x = 0.

On |x| = rho the set S = {loss > eps} is {|x - u| > b(rho)}, a cap, since g rises (Theorem B).  Write S' for the set
|x - u| > B(rho), with B written down piecewise as polynomials, s = |u|, and with the residual
res(rho) = g(B(rho)) - g(rho) - eps.  By Fubini and Green's theorem in the plane of (rho, |x - u|)
  P(S') = int w(rho) F_d(t1) d rho,                  t1 = (rho^2 + s^2 - B^2) / (2 rho s)
  Q(S') = int w(B) F_d(t2) dB along the boundary,    t2 = (rho^2 - s^2 - B^2) / (2 B s)
where the boundary includes the vertical steps between one panel's B and the next (`joints`); on a panel
e^eps f(B) = f(rho) e^-res, so that f is not evaluated at B.  P(S') - e^eps Q(S') is at most delta(eps), and less by
at most  int over the difference of S and S' of |p - e^eps q|, where by monotony the loss lies between eps and
eps + res: a share e^|res| - 1 of p.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.prover.profile.boundary import CAP, EMPTY, FULL, JUMP
from dpverify.prover.profile.brinks import LOWER, nearer
from dpverify.prover.profile.cuts import Cuts
from dpverify.prover.profile.even import LOOSER, Evening
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.joints import Joints, Step
from dpverify.prover.profile.mass import LEAP
from dpverify.prover.profile.panels import Panel, Panels
from dpverify.prover.profile.pieces import ball, divided, middle, total, uncertainty

CLOSER, MANY = 64, 32
"""How many panels share what all may be unknown by, and into how many parts one is halved where a cap that is no
polynomial begins or ends."""
LITTLE = arb(2) ** -1000
"""What is little while it is not known what all panels may be unknown by."""
NEXT = Fraction(1, 2**30)
"""As which part of a radius ends of boundaries are next to each other."""


class Spheres:
    """The panels and joints of one eps."""

    def __init__(
        self,
        radial: RadialWeight,
        epsilon: Fraction,
        order: int,
        bits: int,
        tick: Callable[[], None],
        by_nodes: bool = False,
    ) -> None:
        self.radial, self.order, self.tick = radial, order, tick
        self.s, self.d = radial.shift, radial.dimension
        self.one = Panels(radial, epsilon, order, bits, tick, by_nodes)
        self.steps = Joints(radial, epsilon, order, tick)
        self.mass, self.boundary = self.one.mass, self.one.boundary

    def panels(self, tolerance: Fraction, fewer: bool = False, nothing: arb | None = None) -> list[Panel]:
        """Panels whose sum is known to a relative tolerance, or to be at most `nothing`, joints not counted; or fewer
        of them, to some times it."""
        start = self.mass.start(tolerance)
        self.cuts = Cuts(self.boundary, self.d, self.order, float(tolerance))
        marks = self.mass.marks(tolerance, start, self._nothing_beyond)
        cuts = {*marks, *self._natural(start, marks[-1])}
        marks = sorted(cuts)
        self._expect(marks, tolerance)
        panels = [self.one.panel(a, b) for a, b in pairwise(marks)]
        if start:
            panels.insert(0, self.one.centre(start))
        panels.append(self.one.far(marks[-1]))

        def allowed(low: arb) -> arb:
            most = low * ball(tolerance)
            if most > 0:
                self.cuts.allowed = float(most)
                self.one.error = self.mass.error = most / CLOSER
            return most

        found = divided(panels, self.split, allowed, self.tick, nothing)
        if not fewer:
            return found
        stepping = any(x.kind == JUMP for x in found)  # of which joints take off much
        most = allowed(total(found)[0]) * (1 if stepping else LOOSER)
        return self._connected(self._evened(found, most), most)

    def _evened(self, panels: list[Panel], allowed: arb) -> list[Panel]:
        """Fewer caps and steps, between the radii at which other panels begin."""
        fixed = sorted({*self._natural(Fraction(0), panels[-1].a), *self.radial.breaks})

        def alike(panel: Panel) -> tuple[int, str, int] | None:
            if panel.kind not in (CAP, JUMP) or panel.brink or not panel.a or panel.b is None:
                return None
            return bisect_right(fixed, panel.a), panel.kind, self.one.state((panel.a + panel.b) / 2).segment

        return Evening(self.one.panel, alike, self.order).evened(panels, allowed)

    def _connected(self, panels: list[Panel], allowed: arb) -> list[Panel]:
        """Caps of which neighbours meet, so that they have no joint: lowered to the lower of the two ends."""
        lower = [self._meeting(left, right) for left, right in pairwise(panels)]
        less = zip([Fraction(0), *(x[1] for x in lower)], panels, [*(x[0] for x in lower), Fraction(0)], strict=True)
        found = [self._lowered(panel, first, last) for first, panel, last in less]
        unknown = sum((uncertainty(x) for x in found), arb(0))
        return found if unknown <= allowed else panels

    def _meeting(self, left: Panel, right: Panel) -> tuple[Fraction, Fraction]:
        """By how much two neighbours are to be lowered where they meet, if their ends are next to each other."""
        if not left.kind == right.kind == CAP:
            return Fraction(0), Fraction(0)
        over = self.end(left, right.a, 1) - self.end(right, right.a, -1)
        return (max(over, Fraction(0)), max(-over, Fraction(0))) if abs(over) < NEXT * right.a else (Fraction(0),) * 2

    def _lowered(self, panel: Panel, first: Fraction, last: Fraction) -> Panel:
        """A cap of which the boundary is lowered, by less at one end than at the other."""
        if (not first and not last) or panel.b is None:
            return panel
        c, d, *rest = (*panel.boundary, Fraction(0))[: max(2, len(panel.boundary))]
        boundary = c - (first + last) / 2, d + (first - last) / 2, *rest
        try:
            return self.one.along(panel.a, panel.b, self.one.around(self.one.sampled(panel.a, panel.b)), boundary)
        except Undecided:
            return panel

    def _expect(self, marks: Sequence[Fraction], tolerance: Fraction) -> None:
        """How closely integrals by nodes are to be known, from about what they add up to."""
        about = arb(0) if self.one.nodes is None else self.one.nodes.about(marks)
        if about.is_finite() and about > 0:
            self.one.error = self.mass.error = about * ball(tolerance) / CLOSER

    def _nothing_beyond(self, radius: Fraction) -> bool:
        return bool(self.boundary.kind(float(radius)) == EMPTY and self.one.far(radius).cost == 0)

    def _natural(self, start: Fraction, end: Fraction) -> set[Fraction]:
        """The radii s/2 and s, and those from which a break is a shift away."""
        found = {self.s / 2, self.s}
        for b in self.radial.breaks:
            found |= {b - self.s, self.s - b, b + self.s}
        return {x for x in found if start < x < end}

    # Refinement

    def split(self, panel: Panel, excess: float) -> list[Panel]:
        a, b = panel.a, panel.b
        if b is None:
            return self._outward(a)
        if panel.centre:
            near = self.radial.quiet_from(b, self.one.excess)
            if near is not None:
                return [self.one.centre(near), Panel(near, b, EMPTY, (), arb(0), arb(0))]
            return [self.one.centre(b / 16), self.one.panel(b / 16, b)]
        if panel.ends:
            return [self._closer(panel, excess)]
        if panel.brink:
            (self.cuts.poles if panel.brink == LOWER else self.cuts.before).add(a if panel.brink == LOWER else b)
            m = nearer(a, b, panel.brink, excess, self.order)
            return [self.one.panel(a, m), self.one.panel(m, b)]
        cuts: Sequence[Fraction] = ()
        if panel.kind != CAP:
            first, last = (self.one.state(x) for x in (a + (b - a) / 2**20, b - (b - a) / 2**20))
            cuts = self.cuts.turn(a, b, (first, last))
        if cuts:
            marks = [a, *cuts, b]
            error = None if self.d % 2 or self.one.error is None else self.one.error / MANY
            return [self.one.panel(x, y, error) for x, y in pairwise(marks)]
        if a and self.boundary.kind(float(a + b) / 2) == CAP:
            marks = self.cuts.finer(a, b, excess)
        else:
            marks = [a, middle(a, b), b]
        return [self.one.panel(x, y) for x, y in pairwise(marks)]

    def _outward(self, a: Fraction) -> list[Panel]:
        """What lies beyond a, from twice as far on anew; far more at once where nothing is known of the tail there yet,
        and there is next to nothing between."""
        beyond = self.one.far(a * 2)
        if not beyond.cost.is_finite():
            at_once = self.one.nothing(a, a * LEAP)
            if at_once.cost < (LITTLE if self.one.error is None else self.one.error / CLOSER):
                return [at_once, self.one.far(a * LEAP)]
        return [self.one.panel(a, a * 2), beyond]

    def _closer(self, panel: Panel, excess: float) -> Panel:
        """A panel by nodes, anew: Undecided where that does not help."""
        a, b, width = panel.a, panel.b or panel.a, panel.value.rad()
        error = width / (32 * excess) if math.isfinite(excess) else width / 2**10
        again = self.one.whole(a, b, self.one.sampled(a, b), error)
        if again is None or not again.value.rad() < width / 2:
            raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
        return again

    # Joints

    def joints(self, panels: list[Panel], allowed: arb) -> list[Step]:
        """The steps of the boundary from one panel to the next; together known to `allowed`."""
        steps: list[Step] = []
        for left, right in pairwise(panels):
            x = right.a
            low, high = self.end(left, x, 1), self.end(right, x, -1)
            if low != high and x:
                steps.append(self.steps.bounded(x, low, high))
        return self.steps.closer(steps, allowed)

    def end(self, panel: Panel, rho: Fraction, side: int) -> Fraction:
        """B at an end of a panel: what lies above belongs to S'."""
        if panel.kind == EMPTY:
            return rho + self.s
        if panel.kind == FULL:
            return abs(rho - self.s)
        if panel.ends:
            return panel.ends[side > 0]
        if panel.kind == JUMP:
            return panel.boundary[-1]
        return sum((c * side**k for k, c in enumerate(panel.boundary)), Fraction(0))
