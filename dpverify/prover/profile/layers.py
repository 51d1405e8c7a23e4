"""H(t) in two dimensions and more for an f that may rise, sphere by sphere around x = 0.

On |x| = rho the set S = {loss > eps} is made of layers of |x - u|, whose edges B are written down as polynomials, each
with a sign: +1 where S' lies above it, -1 where it lies below. With t1, t2 and F_d as in `spheres`, V = w(B) F_d(t2),
  P(S') = sum of +- int w(rho) F_d(t1) d rho,     Q(S') = sum of +- int V dB along the edges, and joints,
to which the lowest |x - u| = |rho - s| belongs where S' begins there: V is 0 on it up to rho = s, and w beyond.
A point on the wrong side costs a share of p: e^x - 1 where the loss falls short of eps by x, 1 - e^-x where it exceeds
eps by x. Log f falls across an edge into S' and rises out of it, so that x is at most the edge's residual there.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.findings import Part, Place, Reason
from dpverify.prover.profile.caps import share_of
from dpverify.prover.profile.cuts import Cuts
from dpverify.prover.profile.edges import FEW, Edges
from dpverify.prover.profile.even import LOOSER, Evening
from dpverify.prover.profile.extremes import extremes
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.joints import Step, sums
from dpverify.prover.profile.leaps import loud, quiet
from dpverify.prover.profile.mass import Mass
from dpverify.prover.profile.pieces import Piece, ball, divided, middle, refined, total, uncertainty
from dpverify.prover.profile.series import Jet, Taylor, capped
from dpverify.prover.profile.sketches import Sketches
from dpverify.prover.profile.spheres import Spheres
from dpverify.prover.profile.strips import Band, Edge, Strip, Strips

LOOKS, ROUNDS = 48, 12
Placed = Sequence[tuple[Edge, Band | None]]
Both = tuple[Taylor, Taylor]


@dataclass(frozen=True)
class Layer:
    """The spheres with a < rho < b (beyond a where b is None): whether S' begins at the lowest |x - u|, its edges,
    what they add, and the strips by which that was bounded."""

    a: Fraction
    b: Fraction | None
    lowest: bool
    edges: tuple[Edge, ...]
    value: arb
    cost: arb
    strips: Strips = ()
    centre: bool = False


class Layers:
    """The panels and joints of one eps and one shift; nothing is asked of f."""

    def __init__(
        self,
        radial: RadialWeight,
        epsilon: Fraction,
        order: int,
        bits: int,
        tick: Callable[[], None],
        turns: Sequence[float] | None = None,
    ) -> None:
        self.radial, self.order, self.tick = radial, order, tick
        self.s, self.d, self.level = radial.shift, radial.dimension, ball(epsilon)
        self.mass = Mass(radial, order, tick)
        self.spheres = Spheres(radial, epsilon, order, bits, tick)
        boundary = self.spheres.boundary
        self.sketches = Sketches(radial, epsilon, boundary.edges, extremes(radial) if turns is None else turns)
        self.edges = Edges(radial, boundary, self.level, order, bits)
        self.cuts = Cuts(boundary, 2, order, 1.0)
        self.most: arb | None = None

    def enclosed(self, tolerance: Fraction, fewer: bool = False) -> tuple[list[Layer], list[Step]]:
        """Panels and joints whose sum is known to a relative tolerance; or fewer of them, to some times it."""
        try:
            panels, steps = self._together(tolerance)
        except Undecided:
            panels = refined(self._first(tolerance), self.split, lambda low: low * ball(tolerance), self.tick)
            steps = self.joints(panels, abs(total(panels)[0]).lower() * ball(tolerance))
        return self._evened(panels, steps, tolerance) if fewer and len(panels) <= FEW else (panels, steps)

    def _together(self, tolerance: Fraction) -> tuple[list[Layer], list[Step]]:
        """Refined for what both add up to, as panels alone may add up to less than 0."""
        panels = self._first(tolerance)
        most = _weighty(panels) / 64
        for _ in range(ROUNDS):
            self.most = most
            panels = divided(panels, self.split, lambda _, most=most: most, self.tick)  # type: ignore[misc]
            steps = self.joints(panels, most)
            low, _ = sums(panels, steps)
            known = low * ball(tolerance)
            if low > 0 and _unknown(panels) <= known and _unknown(steps) <= known:
                return panels, steps
            most = known.lower() if low > 0 else most / 1000
        raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())

    def _evened(self, panels: list[Layer], steps: list[Step], tolerance: Fraction) -> tuple[list[Layer], list[Step]]:
        """Fewer panels where S' is of one kind, between the radii at which others begin."""
        fixed = sorted({*self._natural(), *self.radial.breaks})
        known = sums(panels, steps)[0] * ball(tolerance)

        def alike(x: Layer) -> Hashable:
            if not x.a or x.b is None or not (x.edges or x.lowest):
                return None
            edges = tuple((e.sign, e.curve[0] if len(e.curve) == 1 else None) for e in x.edges)
            return bisect_right(fixed, x.a), x.lowest, edges

        found = Evening(self.panel, alike, self.order).evened(panels, known * LOOSER)
        if len(found) == len(panels):
            return panels, steps
        after = self.joints(found, known)
        return (found, after) if _unknown(after) <= known else (panels, steps)

    def _first(self, tolerance: Fraction) -> list[Layer]:
        start = min(self.mass.start(tolerance), self.s / 4)
        marks = self.mass.marks(tolerance, start)
        while marks[-1] < 2 * self.s:
            marks.append(marks[-1] * 2)
        loud(self.radial, self.level, marks)
        cuts = {*marks, *(x for x in self._natural() if start < x < marks[-1])}
        panels = [self.panel(a, b) for a, b in pairwise(sorted(cuts))]
        if start:
            panels.insert(0, self.centre(start))
        panels.append(self.far(marks[-1]))
        return panels

    def _natural(self) -> set[Fraction]:
        """The radii s/2 and s, and those from which a break is a shift away."""
        found = {self.s / 2, self.s}
        for b in self.radial.breaks:
            found |= {abs(b - self.s), b + self.s}
        return found

    # One panel

    def panel(self, a: Fraction, b: Fraction) -> Layer:
        """The panel with whichever written set costs least."""
        self.tick()
        m, near = (a + b) / 2, (b - a) / 2**20
        first, here, last = (self.sketches.at(x) for x in (a + near, m, b - near))
        if here.like(first) and here.like(last):
            try:
                found = list(zip(first.edges, here.edges, last.edges, strict=True))
                bands = self.edges.bands(a, b, [[x for x, _, _ in ends] for ends in found])
                tops = [*(low for low, _ in bands), b + self.s][1:]
                floor, edges = self._least(a, b), list[tuple[Edge, Band | None]]()
                for ends, band, top in zip(found, bands, tops, strict=True):
                    edge = self.edges.edge(a, b, ends[1], band, (floor, top), self.most)
                    floor = band[1] if edge[1] is None else edge[1].high
                    edges.append(edge)
                return self._written(a, b, here.lowest, edges)
            except Undecided:
                pass
        if self._hopeless(a, b):
            all_of_it = (self._least(a, b), b + self.s, False)
            return Layer(a, b, False, (), arb(0), self.radial.weighed(a, b), (all_of_it,))
        constant: Placed = [(self.edges.constant(*edge), None) for edge in here.edges]
        return self._best(a, b, here.lowest, constant)

    def _hopeless(self, a: Fraction, b: Fraction) -> bool:
        """Whether constant edges would cost about more than all may: as log f changes by so much on a panel, that is by
        how much it is off at them, and on about that part of a sphere."""
        if self.most is None:
            return False
        try:
            off = self.radial.problem.on_box(a, b).du.x.abs_upper() * ball((b - a) / 2)
        except Undecided:
            return False
        weight = self.radial.weighed(a, b)
        return bool(weight.is_finite() and weight * off.min(arb(1)) ** 2 * 8 > self.most)

    def _best(self, a: Fraction, b: Fraction, lowest: bool, edges: Placed) -> Layer:
        """With all edges that stay on the spheres, if these can be integrated; else without those next to the ends."""
        places = [float(edge.curve[0]) for edge, _ in edges]
        low, high = max(abs(float(x - self.s)) for x in (a, b)), float(a + self.s)
        first, last = bisect_left(places, low), bisect_right(places, high)
        while first <= last:
            try:
                return self._written(a, b, lowest ^ bool(first % 2), edges[first:last])
            except Undecided:
                if first == last:
                    break
                nearer = places[first] - low < high - places[last - 1]
                first, last = (first + 1, last) if nearer else (first, last - 1)
        return self._nothing(a, b)

    def _nothing(self, a: Fraction, b: Fraction) -> Layer:
        return Layer(a, b, False, (), arb(0), *self._cost(a, b, False, [], self.radial.weighed(a, b)))

    def _written(self, a: Fraction, b: Fraction, lowest: bool, edges: Placed) -> Layer:
        h, growth = (b - a) / 2, self.level.exp()
        with capped(self.order):
            rho = Jet.linear((a + b) / 2, h)
            w = self.radial.weight(self.radial.jet(rho, a, b), rho)
            whole = w.taylor().integral() * ball(h)
        value = whole - growth * self._lowest(a, b) if lowest else arb(0)
        for edge, band in edges:
            p, q = self._along(a, b, w, edge.curve, band)
            value = value + edge.sign * ball(h) * (p.integral() - growth * q.integral())
        if not value.is_finite():
            raise Undecided(Reason.NOT_SMOOTH())
        return Layer(a, b, lowest, tuple(e for e, _ in edges), value, *self._cost(a, b, lowest, edges, whole.upper()))

    def _least(self, a: Fraction, b: Fraction) -> Fraction:
        """The least |x - u| on a panel."""
        return max(self.s - b, a - self.s, Fraction(0))

    def _lowest(self, a: Fraction, b: Fraction) -> arb:
        """The integral of V along |x - u| = |rho - s|."""
        if b <= self.s:
            return arb(0)
        if a > self.s:
            return self.mass.integral(a - self.s, b - self.s)
        try:
            return self.mass.integral(Fraction(0), b - self.s)
        except Undecided:
            return self.radial.inner(b - self.s)

    def _along(self, a: Fraction, b: Fraction, w: Jet, curve: Sequence[Fraction], band: Band | None) -> Both:
        """w(rho) F(t1) and V dB/d rho, for an edge that stays on the spheres."""
        h, s = (b - a) / 2, ball(self.s)
        with capped(self.order):
            rho, far = Jet.linear((a + b) / 2, h), Jet.polynomial(curve)
            for room in (rho - far + s, far - rho + s, far + rho - s):
                if not room.taylor().span() >= 0:
                    raise Undecided(Reason.LEAVES(what=Part.BOUNDARY, where=Place.SPHERE))
            p = (w * share_of(self._cosine(rho, far), self.d)).taylor()
            if band is None:
                return p, Taylor([arb(0)])
            rise = Jet.polynomial([k * c / h for k, c in enumerate(curve)][1:])
            there = self.radial.weight(self.radial.jet(far, band.low, band.high), far)
            return p, (there * share_of(-self._cosine(far, rho), self.d) * rise).taylor()

    def _cosine(self, r: Jet, opposite: Jet) -> Jet:
        """(r^2 + s^2 - opposite^2) / (2 s r)."""
        s = ball(self.s)
        return ((r * r - opposite * opposite + s * s) / (r * (2 * s))).narrow()

    # What points on the wrong side cost

    def _cost(self, a: Fraction, b: Fraction, lowest: bool, edges: Placed, weight: arb) -> tuple[arb, Strips]:
        """At most that of a panel, between its edges and about them; and the strips that show it."""
        floor = self._least(a, b)
        problem = self.radial.problem
        try:
            height = (problem.log_bounds(a, b) if a else problem.log_within(b)) - self.level
        except Undecided:
            height = arb.nan()
        strip = Strip(self.radial, self.level, a, b, weight, height)
        inside, total = lowest, arb(0)
        for edge, band in edges:
            low, high = (edge.curve[0],) * 2 if band is None else (band.low, band.high)
            if not floor <= low:
                raise Undecided(Reason.NO_BOUNDARY())
            total = total + strip.between(floor, low, inside)
            if band is not None:
                total = total + strip.about(band, edge)
            floor, inside = high, not inside
        total = (total + strip.between(floor, b + self.s, inside)).upper()
        return total, tuple(strip.found)

    def centre(self, b: Fraction) -> Layer:
        """The spheres within b, where w need not be smooth: nothing of them."""
        return Layer(Fraction(0), b, False, (), arb(0), self.radial.lost_inside(b), centre=True)

    def far(self, a: Fraction) -> Layer:
        """All spheres beyond a: nothing of them."""
        if quiet(self.radial, self.level, a):
            return Layer(a, None, False, (), arb(0), arb(0))
        try:
            cost = self.radial.outer(a).upper()
        except Undecided:
            cost = arb.pos_inf()
        return Layer(a, None, False, (), arb(0), cost)

    # Refinement

    def split(self, panel: Layer, excess: float = math.inf) -> list[Layer]:
        """A panel in parts, its uncertainty being so many times what it may be."""
        a, b = panel.a, panel.b
        if b is None:
            return [self.panel(a, a * 2), self.far(a * 2)]
        if panel.centre:
            return [self.centre(b / 16), self.panel(b / 16, b)]
        return [self.panel(x, y) for x, y in pairwise([a, *self._turn(a, b, excess), b])]

    def _turn(self, a: Fraction, b: Fraction, excess: float = math.inf) -> list[Fraction]:
        """Pairs of radii close together between which S changes its kind; else as panels of one kind are cut, finer the
        nearer to such a radius, where edges are like roots."""
        if a == 0:
            return [middle(a, b)]
        reach = self._reach(a, b)
        found, end = list[Fraction](), a + reach
        for centre in self._changes(a, b, reach):
            found += [x for x in (centre - reach, centre + reach) if end < x < b - reach]
            end = max(end, centre + 2 * reach)
        if found:
            return found
        if self.most is None or not self.most > 0:
            return [middle(a, b)]
        self.cuts.allowed = float(self.most)
        return self.cuts.finer(a, b, excess)[1:-1] or [middle(a, b)]

    def _changes(self, a: Fraction, b: Fraction, reach: Fraction) -> list[Fraction]:
        """About where S changes its kind on a panel, by floats; some may be missing."""
        near = (b - a) / 2**20
        first, last = a + near, b - near
        ends = self.sketches.at(first), self.sketches.at((a + b) / 2), self.sketches.at(last)
        if ends[0].like(ends[1]) and ends[0].like(ends[2]):
            return []
        count = min(LOOKS, max(8, math.ceil(LOOKS / 2 * (b - a) / self.s)))
        radii = [first + (last - first) * k / count for k in range(count + 1)]
        kinds = [self.sketches.at(r) for r in radii]
        found = list[Fraction]()
        for (low, kind), (high, other) in pairwise(zip(radii, kinds, strict=True)):
            if kind.like(other):
                continue
            while high - low > reach:
                m = (low + high) / 2
                low, high = (m, high) if self.sketches.at(m).like(kind) else (low, m)
            centre = Fraction(round(low / reach * 16)) * reach / 16
            self._rooted(centre, len(other.edges) - len(kind.edges))
            found.append(centre)
        return found

    def _rooted(self, centre: Fraction, more: int) -> None:
        """Note on which side edges, so many more beyond, are like roots where S changes its kind: those of a hole, and
        in even dimensions also those that begin at an end of the spheres."""
        if self.d % 2 and abs(more) < 2:
            return
        if more >= 0:
            self.cuts.poles.add(centre)
        if more <= 0:
            self.cuts.before.add(centre)

    def _reach(self, a: Fraction, b: Fraction) -> Fraction:
        """How far from where an edge begins or ends panels with it may stop: a hole that begins between two edges is
        like a root, as a cap in two dimensions is."""
        if self.most is None or not self.most > 0:
            return (b - a) / 2**12
        self.cuts.allowed = float(self.most)
        return self.cuts.closeness(float(a + b) / 2, float(b - a))

    # Joints

    def joints(self, panels: Sequence[Layer], allowed: arb) -> list[Step]:
        """The steps of the edges from one panel to the next; together known to `allowed`."""
        steps: list[Step] = []
        for left, right in pairwise(panels):
            if right.a:
                steps += self._joint(right.a, self._ends(left, 1), self._ends(right, -1))
        return self.spheres.steps.closer(steps, allowed)

    def _ends(self, panel: Layer, side: int) -> list[tuple[Fraction, int]]:
        """Where S' begins and where it ends, upward, at an end of a panel."""
        found = [(x.at(side), x.sign) for x in panel.edges]
        return [(Fraction(0), 1), *found] if panel.lowest else found

    def _joint(self, rho: Fraction, left: list[tuple[Fraction, int]], right: list[tuple[Fraction, int]]) -> list[Step]:
        """The radii |x - u| that are in S' on one side of rho alone."""
        floor, top = abs(rho - self.s), rho + self.s
        ends = sorted([*left, *((x, -sign) for x, sign in right)])
        steps, count, before = list[Step](), 0, floor
        for at, sign in [*ends, (top, 0)]:
            at = min(max(at, floor), top)
            if count and before < at:
                low, high = (before, at) if count > 0 else (at, before)
                steps.append(self.spheres.steps.bounded(rho, low, high))
            before, count = at, count + sign
        return steps


def _weighty(panels: Sequence[Layer]) -> arb:
    """About how large p is in all, or 1: what panels without edges may cost."""
    sizes = [x.cost for x in panels if x.cost.is_finite() and x.cost > 0]
    return max(sizes, key=float, default=arb(1))


def _unknown(pieces: Sequence[Piece]) -> arb:
    """The width of a sum."""
    found = arb(0)
    for piece in pieces:
        found = found + uncertainty(piece)
    return found
