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
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb, arb_series

from dpverify.enclosures import Undecided
from dpverify.findings import Part, Place, Reason
from dpverify.prover.profile.boundary import CAP, EMPTY, FULL, JUMP, Boundary, State, written
from dpverify.prover.profile.caps import share, share_of
from dpverify.prover.profile.caps_by_nodes import CapsByNodes
from dpverify.prover.profile.cuts import Cuts
from dpverify.prover.profile.even import LOOSER, Evening
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.mass import LEAP, Mass
from dpverify.prover.profile.pieces import Piece, ball, divided, middle, refined, simple, tolerable, total, uncertainty
from dpverify.prover.profile.series import UNIT, Jet, Taylor, capped

TAYLOR, CRUDE = "t", "c"
Curve = tuple[Fraction, ...]
ROUGHLY, CLOSER, MANY = 2.0**-4, 64, 32
"""Which part of a panel's value it may be unknown by at first, how many panels share what all may be, and into how many
parts one is halved where a cap that is no polynomial begins or ends."""
NEARER = Fraction(5, 16)
"""Which part of a step is cut off at an end of the sphere."""
ROOM = 4
"""How many times as far as what a residual is unknown by a boundary is lowered: a checker may know it less well."""
LITTLE = arb(2) ** -1000
"""What is little while it is not known what all panels may be unknown by."""
NEXT = Fraction(1, 2**30)
"""As which part of a radius ends of boundaries are next to each other."""


@dataclass(frozen=True)
class Panel:
    """The spheres with a < rho < b (beyond a where b is None), what S' is on them, and what they add.

    `boundary` is B in the panel's variable: its coefficients, or for a step one constant; none for
    everything ("f"), and for nothing ("e") none or a radius beyond which S lies.  Where S' is S itself, `ends` are B at
    both ends in place of it.
    """

    a: Fraction
    b: Fraction | None
    kind: str
    boundary: tuple[Fraction, ...]
    value: arb
    cost: arb
    centre: bool = False
    ends: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True)
class Step:
    """A vertical step of the boundary at rho, through the radii |x - u| from low to high."""

    rho: Fraction
    low: Fraction
    high: Fraction
    value: arb
    cost: arb
    word: str


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
        self.radial, self.epsilon, self.order, self.bits, self.tick = radial, epsilon, order, bits, tick
        self.s, self.d = radial.shift, radial.dimension
        self.mass = Mass(radial, order, tick, by_nodes)
        self.boundary = Boundary(radial, epsilon, 2 * bits)
        self.nodes = CapsByNodes(radial, self.boundary, epsilon) if by_nodes else None
        self.error: arb | None = None
        self.level = ball(epsilon)
        self.states: dict[Fraction, State] = {}

    def panels(self, tolerance: Fraction, fewer: bool = False, nothing: arb | None = None) -> list[Panel]:
        """Panels whose sum is known to a relative tolerance, or to be at most `nothing`, joints not counted; or fewer
        of them, to some times it."""
        start = self.mass.start(tolerance)
        self.cuts = Cuts(self.boundary, self.d, self.order, float(tolerance))
        marks = self.mass.marks(tolerance, start, self._nothing_beyond)
        cuts = {*marks, *self._natural(start, marks[-1])}
        marks = sorted(cuts)
        self._expect(marks, tolerance)
        panels = [self.panel(a, b) for a, b in pairwise(marks)]
        if start:
            panels.insert(0, self.centre(start))
        panels.append(self.far(marks[-1]))

        def allowed(low: arb) -> arb:
            most = low * ball(tolerance)
            if most > 0:
                self.cuts.allowed = float(most)
                self.error = self.mass.error = most / CLOSER
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
            if panel.kind not in (CAP, JUMP) or not panel.a or panel.b is None:
                return None
            return bisect_right(fixed, panel.a), panel.kind, self.state((panel.a + panel.b) / 2).segment

        return Evening(self.panel, alike, self.order).evened(panels, allowed)

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
            return self.along(panel.a, panel.b, self._around(self._states(panel.a, panel.b)), boundary)
        except Undecided:
            return panel

    def _expect(self, marks: Sequence[Fraction], tolerance: Fraction) -> None:
        """How closely integrals by nodes are to be known, from about what they add up to."""
        about = arb(0) if self.nodes is None else self.nodes.about(marks)
        if about.is_finite() and about > 0:
            self.error = self.mass.error = about * ball(tolerance) / CLOSER

    def _nothing_beyond(self, radius: Fraction) -> bool:
        return bool(self.boundary.kind(float(radius)) == EMPTY and self.far(radius).cost == 0)

    def _natural(self, start: Fraction, end: Fraction) -> set[Fraction]:
        """The radii s/2 and s, and those from which a break is a shift away."""
        found = {self.s / 2, self.s}
        for b in self.radial.breaks:
            found |= {b - self.s, self.s - b, b + self.s}
        return {x for x in found if start < x < end}

    # One panel

    def panel(self, a: Fraction, b: Fraction, error: arb | None = None) -> Panel:
        """The panel with the set S' that floats suggest, or whichever of nothing and everything costs less."""
        self.tick()
        states = self._states(a, b)
        same = all((x.kind, x.segment) == (states[1].kind, states[1].segment) for x in states)
        try:
            if any(x.kind == EMPTY for x in states) and self._no_loss(a, b):
                return Panel(a, b, EMPTY, (), arb(0), arb(0))
        except Undecided:
            pass
        try:
            if same and states[1].kind == CAP:
                return self.whole(a, b, states, error) or self.cap(a, b, states)
            if same and states[1].kind == FULL:
                return self.full(a, b)
            if states[1].kind in (CAP, JUMP):
                return self.step(a, b, states[1])
        except Undecided:
            pass
        return self.crude(a, b)

    def _states(self, a: Fraction, b: Fraction) -> list[State]:
        return [self.state(x) for x in (a + (b - a) / 2**20, (a + b) / 2, b - (b - a) / 2**20)]

    def state(self, rho: Fraction) -> State:
        if rho not in self.states:
            self.states[rho] = self.boundary.state(float(rho))
        return self.states[rho]

    def _no_loss(self, a: Fraction, b: Fraction) -> bool:
        """Whether no loss exceeds eps on the spheres of a panel, as far as that is shown."""
        at_once = self.radial.largest_loss(a, b) if self.nodes else self._loss(a, b)
        if at_once <= self.level:
            return True
        return self.nodes is not None and self.nodes.no_loss(a, b, self.level)

    def _loss(self, a: Fraction, b: Fraction) -> arb:
        """An upper bound of the largest loss, g(rho + s) - g(rho), on the spheres of a panel."""
        most = self.radial.largest_loss(a, b)
        return most if most <= self.level else most.min(self.radial.problem.loss(a, b, self.s)).upper()

    def whole(self, a: Fraction, b: Fraction, states: list[State], error: arb | None = None) -> Panel | None:
        """The panel with S itself; None where that does not come off."""
        if self.nodes is None:
            return None
        error = self.error if error is None else error
        error, part = (arb(0), ROUGHLY) if error is None else (error, 0.0)
        try:
            value, ends = self.nodes.caps(a, b, self._around(states), error, part)
        except Undecided:
            return None
        return Panel(a, b, CAP, (), value, arb(0), ends=ends)

    def cap(self, a: Fraction, b: Fraction, states: list[State]) -> Panel:
        around, half = self._around(states), (b - a) / 2
        with capped(self.order):
            rho = Jet.linear((a + b) / 2, half)
            here = self.radial.jet(rho, a, b)
            raw = self.boundary.at(here.middle - self.level, around, states[1].boundary, self.order)
            coefficients = written(raw, self.bits)
            far = Jet.polynomial(coefficients)
            slope = -self.radial.log(arb_series([raw[0], 1], prec=2), *around)[1]
            margin = self._residual(here, far, around).abs_upper() * ROOM / slope + raw[0] * arb(2) ** (4 - self.bits)
            if not margin.is_finite() or not margin > 0:
                raise Undecided(Reason.NO_SLOPE())
            (lowered,) = written([raw[0] - margin.upper()], self.bits)
        return self.along(a, b, around, (lowered, *coefficients[1:]))

    def along(self, a: Fraction, b: Fraction, around: tuple[Fraction, Fraction], boundary: Curve) -> Panel:
        """A cap that a polynomial bounds."""
        half = (b - a) / 2
        with capped(self.order):
            rho, far = Jet.linear((a + b) / 2, half), Jet.polynomial(boundary)
            here = self.radial.jet(rho, a, b)
            residual = self._residual(here, far, around)
            if not residual <= 0:
                raise Undecided(Reason.NOT_HELD())
            rise = Jet.polynomial([k * ck / half for k, ck in enumerate(boundary)][1:])
            p, q = self._integrals(rho, here, far, rise)
        excess = (-residual).upper().expm1()
        whole = p.integral() * ball(half)
        # e^eps Q = int q e^-res, e^-res - 1 in [0, excess]
        loose = UNIT * (excess * 2 * ball(half) * q.most()).upper()
        value = whole - q.integral() * ball(half) + loose
        return Panel(a, b, CAP, boundary, value, (excess * whole).upper())

    def _around(self, states: list[State]) -> tuple[Fraction, Fraction]:
        """Radii between which the boundary runs on a panel, inside one segment between breaks."""
        ends = [x.boundary for x in states]
        reach = (max(ends) - min(ends)) / 4 + max(ends) * 1e-6
        low, high = Fraction(max(min(ends) - reach, min(ends) / 2)), Fraction(max(ends) + reach)
        first, last = self.boundary.segment(states[1].segment)
        return max(low, first), high if last is None else min(high, last)

    def _residual(self, here: Jet, far: Jet, around: tuple[Fraction, Fraction]) -> arb:
        """res on a panel, `here` being log f(rho)."""
        span = far.taylor().span()
        if not ball(around[0]) <= span or not span <= ball(around[1]):
            raise Undecided(Reason.LEAVES(what=Part.BOUNDARY, where=Place.SEGMENT))
        return (here - self.radial.jet(far, *around) - self.level).taylor().span()

    def _integrals(self, rho: Jet, log: Jet, far: Jet, rise: Jet) -> tuple[Taylor, Taylor]:
        """w(rho) F(t1), and f(rho) B^(d-1) B' F(t2): the integrands of P and, up to e^-res, of e^eps Q."""
        s = ball(self.s)
        for room in (rho - far + s, far - rho + s, far + rho - s):
            if not room.taylor().span() >= 0:
                raise Undecided(Reason.LEAVES(what=Part.BOUNDARY, where=Place.SPHERE))
        p = self.radial.weight(log, rho) * share_of(self._cosine(rho, far), self.d)
        q = self.radial.weight(log, far) * share_of(-self._cosine(far, rho), self.d) * rise
        return p.taylor(), q.taylor()

    def _cosine(self, r: Jet, opposite: Jet) -> Jet:
        """(r^2 + s^2 - opposite^2) / (2 s r)."""
        s = ball(self.s)
        return ((r * r - opposite * opposite + s * s) / (r * (2 * s))).narrow()

    def full(self, a: Fraction, b: Fraction) -> Panel:
        """Everything; what is below eps there, if anything, costs its residual's share."""
        m, h, s = (a + b) / 2, (b - a) / 2, self.s
        if b > s:
            raise Undecided(Reason.OTHER_BOUNDARY())
        if self.nodes is not None and self.nodes.all_across(a, b, self.level):
            return Panel(a, b, FULL, (), self.mass.integral(a, b), arb(0))

        with capped(self.order):
            here = self.radial.jet(Jet.linear(m, h), a, b)
            there = self.radial.jet(Jet.linear(s - m, -h), s - b, s - a)
            res = (here - there - self.level).taylor()
        lacking = (-res.span()).upper().max(arb(0))
        whole = self.mass.integral(a, b)
        cost = (lacking.expm1() * whole).upper()
        brim = self._brim(b) if a and cost > 0 else None
        if brim is None:
            return Panel(a, b, FULL, (), whole, cost)
        return Panel(a, b, FULL, (brim,), whole, (cost * self._within(a, b, brim)).upper())

    def _brim(self, b: Fraction) -> Fraction | None:
        """B0 with g(B0) >= g(rho) + eps on a panel up to b, so that S has all beyond it."""
        state = self.state(b)
        if state.kind != CAP:
            return None
        brim = simple(state.boundary, 50) * (1 + Fraction(1, 2**44))
        tiny = Fraction(1, 2**90)
        try:
            problem = self.radial.problem
            here, there = problem.on_box(b - b * tiny, b).u.x, problem.on_box(brim, brim * (1 + tiny)).u.x
        except Undecided:
            return None
        return brim if there <= here - self.level else None

    def _within(self, a: Fraction, b: Fraction, far: Fraction) -> arb:
        """The largest share of the caps |x - u| <= B0 of spheres with a < |x| < b, as the checker bounds it."""
        top = ball(far) ** 2 - ball(self.s) ** 2 - ball(a) ** 2
        return share((top / (2 * ball(self.s) * ball(b if top < 0 else a))).upper(), self.d).upper()

    def step(self, a: Fraction, b: Fraction, state: State) -> Panel:
        """A constant boundary: exact where g jumps there, else it costs its residual's share."""
        problem, h = self.radial.problem, (b - a) / 2
        at = self.radial.breaks[state.segment] if state.kind == JUMP else simple(state.boundary, 40)
        target = self.level - problem.log_bounds(a, b)  # g(rho) + eps
        below, above = (-problem.beside(at, left) for left in (True, False))
        off = (below - target).upper().max((target - above).upper()).max(arb(0))
        s = ball(self.s)
        if not (ball(at) <= ball(a) + s and ball(at) >= abs(ball(b) - s) and ball(at) >= abs(ball(a) - s)):
            raise Undecided(Reason.LEAVES(what=Part.STEP, where=Place.SPHERE))

        with capped(self.order):
            rho = Jet.linear((a + b) / 2, h)
            w = self.radial.weight(self.radial.jet(rho, a, b), rho)
            p = (w * share_of(self._cosine(rho, Jet.polynomial((at,))), self.d)).taylor()
            whole = w.taylor().integral() * ball(h)
        cost = (off.expm1() * whole).upper()
        return Panel(a, b, JUMP, (at,), p.integral() * ball(h), cost)

    def crude(self, a: Fraction, b: Fraction) -> Panel:
        """Nothing, or everything, whichever costs less."""
        best = self._nothing(a, b)
        if a:
            try:
                other = self.full(a, b)
                if uncertainty(other) < best.cost:
                    return other
            except Undecided:
                pass
        return best

    def _nothing(self, a: Fraction, b: Fraction) -> Panel:
        """Nothing: at most a share 1 - e^(eps - loss) of w, on the cap beyond a radius that S does not reach below."""
        try:
            cost = (self.radial.bound(a, b) * ball(b - a)).upper()
        except Undecided:
            cost = arb.pos_inf()
        try:
            excess = (self._loss(a, b) - self.level).max(arb(0))
            cost = (cost * -((-excess).expm1())).upper() if excess.is_finite() and cost.is_finite() else cost
        except Undecided:
            pass
        floor = self._floor(a, b) if a and cost > 0 and cost.is_finite() else None
        if floor is None:
            return Panel(a, b, EMPTY, (), arb(0), cost)
        return Panel(a, b, EMPTY, (floor,), arb(0), (cost * self._beyond(a, b, floor)).upper())

    def _floor(self, a: Fraction, b: Fraction) -> Fraction | None:
        """B0 with g(B0) <= g(rho) + eps on the panel, so that S lies beyond it."""
        state = self.state(a)
        if state.kind == FULL:
            return None
        floor = simple(state.boundary, 50) * (1 - Fraction(1, 2**44))
        tiny = Fraction(1, 2**90)
        try:
            problem = self.radial.problem
            here, there = problem.on_box(a, a + (b - a) * tiny).u.x, problem.on_box(floor, floor * (1 + tiny)).u.x
        except Undecided:
            return None
        return floor if floor > self.s and there >= here - self.level else None

    def _beyond(self, a: Fraction, b: Fraction, floor: Fraction) -> arb:
        """The largest share of the caps |x - u| > B0; t1 rises with rho where B0 > s."""
        rho, s = ball(b), ball(self.s)
        return share((rho * rho + s * s - ball(floor) ** 2) / (2 * rho * s), self.d).upper()

    def centre(self, b: Fraction) -> Panel:
        """The spheres within b, where w need not be smooth: nothing of them."""
        loss = self.radial.largest_loss(Fraction(0), b) - self.level
        return Panel(Fraction(0), b, EMPTY, (), arb(0), self.radial.lost_inside(b, loss), centre=True)

    def far(self, a: Fraction) -> Panel:
        """All spheres beyond a: nothing of them."""
        return Panel(a, None, EMPTY, (), arb(0), self.radial.lost_beyond(a, self.level))

    # Refinement

    def split(self, panel: Panel, excess: float) -> list[Panel]:
        a, b = panel.a, panel.b
        if b is None:
            return self._outward(a)
        if panel.centre:
            return [self.centre(b / 16), self.panel(b / 16, b)]
        if panel.ends:
            return [self._closer(panel, excess)]
        cuts: Sequence[Fraction] = ()
        if panel.kind != CAP:
            first, last = (self.state(x) for x in (a + (b - a) / 2**20, b - (b - a) / 2**20))
            cuts = self.cuts.turn(a, b, (first, last))
        if cuts:
            marks = [a, *cuts, b]
            error = None if self.d % 2 or self.error is None else self.error / MANY
            return [self.panel(x, y, error) for x, y in pairwise(marks)]
        if a and self.boundary.kind(float(a + b) / 2) == CAP:
            marks = self.cuts.finer(a, b, excess)
        else:
            marks = [a, middle(a, b), b]
        return [self.panel(x, y) for x, y in pairwise(marks)]

    def _outward(self, a: Fraction) -> list[Panel]:
        """What lies beyond a, from twice as far on anew; far more at once where nothing is known of the tail there yet,
        and there is next to nothing between."""
        beyond = self.far(a * 2)
        if not beyond.cost.is_finite():
            at_once = self._nothing(a, a * LEAP)
            if at_once.cost < (LITTLE if self.error is None else self.error / CLOSER):
                return [at_once, self.far(a * LEAP)]
        return [self.panel(a, a * 2), beyond]

    def _closer(self, panel: Panel, excess: float) -> Panel:
        """A panel by nodes, anew: Undecided where that does not help."""
        a, b, width = panel.a, panel.b or panel.a, panel.value.rad()
        error = width / (32 * excess) if math.isfinite(excess) else width / 2**10
        again = self.whole(a, b, self._states(a, b), error)
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
                steps.append(self.bounded(x, low, high))
        return self.closer(steps, allowed)

    def closer(self, steps: list[Step], allowed: arb) -> list[Step]:
        """Steps that are bounded, known to `allowed`: those that add little stay as they are."""
        little = tolerable([uncertainty(x) for x in steps], allowed / 2)
        steps = [x if uncertainty(x) <= little else self.vertical(x.rho, x.low, x.high) for x in steps]
        return refined(steps, self.split_step, lambda low: allowed, self.tick) if steps else []

    def end(self, panel: Panel, rho: Fraction, side: int) -> Fraction:
        """B at an end of a panel: what lies above belongs to S'."""
        if panel.kind == EMPTY:
            return rho + self.s
        if panel.kind == FULL:
            return abs(rho - self.s)
        if panel.ends:
            return panel.ends[side > 0]
        return sum((c * side**k for k, c in enumerate(panel.boundary)), Fraction(0))

    def vertical(self, rho: Fraction, low: Fraction, high: Fraction) -> Step:
        """-e^eps times the integral of w(r) F(t2) over r from low to high, t2 = (rho^2 - s^2 - r^2) / (2 r s)."""
        near, far = sorted((low, high))
        m, h, s = (near + far) / 2, (far - near) / 2, ball(self.s)
        try:
            with capped(self.order):
                r = Jet.linear(m, h)
                t2 = ((-(r * r) + (ball(rho) ** 2 - s * s)) / (r * (2 * s))).narrow()
                v = (self.radial.weight(self.radial.jet(r, near, far), r) * share_of(t2, self.d)).taylor()
            return self._step(rho, low, high, v.integral() * ball(h), TAYLOR)
        except Undecided:
            return self.bounded(rho, low, high)

    def bounded(self, rho: Fraction, low: Fraction, high: Fraction) -> Step:
        """The same between 0 and the length times the largest w and share: what most steps need."""
        near, far = sorted((low, high))
        s = ball(self.s)
        square = ball(rho) ** 2 - s * s
        top = square - ball(near) ** 2
        divisor = 2 * s * ball(far if top < 0 else near)
        most = share((top / divisor).upper(), self.d) if divisor > 0 else arb(1)  # as the checker bounds it
        size = arb(0).union((self._most(near, far) * most * ball(far - near)).upper())
        return self._step(rho, low, high, size, CRUDE)

    def _step(self, rho: Fraction, low: Fraction, high: Fraction, size: arb, word: str) -> Step:
        sign = 1 if low < high else -1
        return Step(rho, low, high, -sign * self.level.exp() * size, arb(0), word)

    def _most(self, a: Fraction, b: Fraction) -> arb:
        """An upper bound of w on (a, b); infinite where none is known."""
        try:
            return self.radial.bound(a, b)
        except Undecided:
            return arb.pos_inf()

    def split_step(self, step: Step) -> list[Step]:
        """Two parts of a step, cut at a break where there is one, else in the middle, or nearer to an end of the
        sphere, where a cap's share is like a root."""
        near, far = sorted((step.low, step.high))
        less = (far - near) * NEARER
        m = near + less if near == abs(step.rho - self.s) else far - less if far == step.rho + self.s else None
        breaks = self.radial.breaks
        k = bisect_right(breaks, near)
        m = breaks[k] if k < len(breaks) and breaks[k] < far else m or (near + far) / 2
        return [self.vertical(step.rho, step.low, m), self.vertical(step.rho, m, step.high)]


def sums(panels: Sequence[Piece], steps: list[Step]) -> tuple[arb, arb]:
    """The lower and the upper bound that panels and steps add up to."""
    low, high = total(panels)
    for step in steps:
        low, high = low + step.value, high + step.value
    return low, high
