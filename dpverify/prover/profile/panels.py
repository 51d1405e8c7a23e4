"""One panel of spheres |x| = rho: what S' is on it, and what it adds to P - e^eps Q, as `spheres` says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_series

from dpverify.enclosures import Undecided
from dpverify.findings import Part, Place, Reason
from dpverify.prover.profile.boundary import CAP, EMPTY, FULL, JUMP, Boundary, State, written
from dpverify.prover.profile.brinks import Brink, beside
from dpverify.prover.profile.caps import density, share, share_of
from dpverify.prover.profile.caps_by_nodes import CapsByNodes
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.mass import Mass
from dpverify.prover.profile.pieces import ball, simple, uncertainty
from dpverify.prover.profile.series import UNIT, Jet, Taylor, capped

Curve = tuple[Fraction, ...]
ROUGHLY = 2.0**-4
"""Which part of a panel's value it may be unknown by at first."""
ROOM = 4
"""How many times as far as what a residual is unknown by a boundary is lowered: a checker may know it less well."""


@dataclass(frozen=True)
class Panel:
    """The spheres with a < rho < b (beyond a where b is None), what S' is on them, and what they add.

    `boundary` is B in the panel's variable: its coefficients, or for a step one constant; none for
    everything ("f"), and for nothing ("e") none or a radius beyond which S lies.  Where S' is S itself, `ends` are B at
    both ends in place of it.  A step of f at a radius that is not known exactly has two constants about that; `brink`
    says at which end of a panel the caps of a step begin or end.
    """

    a: Fraction
    b: Fraction | None
    kind: str
    boundary: tuple[Fraction, ...]
    value: arb
    cost: arb
    centre: bool = False
    ends: tuple[Fraction, Fraction] | None = None
    brink: str = ""

    @property
    def word(self) -> str:
        """What a certificate calls it."""
        return self.brink or self.kind


class Panels:
    """Panels of one eps, by Taylor polynomials of an order, or by nodes, with boundaries of so many bits."""

    def __init__(
        self,
        radial: RadialWeight,
        epsilon: Fraction,
        order: int,
        bits: int,
        tick: Callable[[], None],
        by_nodes: bool = False,
    ) -> None:
        self.radial, self.order, self.bits, self.tick = radial, order, bits, tick
        self.s, self.d, self.level = radial.shift, radial.dimension, ball(epsilon)
        self.mass = Mass(radial, order, tick, by_nodes)
        self.boundary = Boundary(radial, epsilon, 2 * bits)
        self.nodes = CapsByNodes(radial, self.boundary, epsilon) if by_nodes else None
        self.error: arb | None = None
        self.states: dict[Fraction, State] = {}

    def panel(self, a: Fraction, b: Fraction, error: arb | None = None) -> Panel:
        """The panel with the set S' that floats suggest, or whichever of nothing and everything costs less."""
        self.tick()
        states = self.sampled(a, b)
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

    def sampled(self, a: Fraction, b: Fraction) -> list[State]:
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
            value, ends = self.nodes.caps(a, b, self.around(states), error, part)
        except Undecided:
            return None
        return Panel(a, b, CAP, (), value, arb(0), ends=ends)

    def cap(self, a: Fraction, b: Fraction, states: list[State]) -> Panel:
        around, half = self.around(states), (b - a) / 2
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

    def around(self, states: list[State]) -> tuple[Fraction, Fraction]:
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
        problem, h, s = self.radial.problem, (b - a) / 2, ball(self.s)
        edges = self.boundary.around(state.segment) if state.kind == JUMP else (simple(state.boundary, 40),)
        low, at = edges[0], edges[-1]
        target = self.level - problem.log_bounds(a, b)  # g(rho) + eps
        below, above = -problem.beside(low, True), -problem.beside(at, False)
        off = (below - target).upper().max((target - above).upper()).max(arb(0))
        if not (ball(at) <= ball(a) + s and ball(at) >= abs(ball(b) - s) and ball(at) >= abs(ball(a) - s)):
            raise Undecided(Reason.LEAVES(what=Part.STEP, where=Place.SPHERE))

        with capped(self.order):
            rho = Jet.linear((a + b) / 2, h)
            w = self.radial.weight(self.radial.jet(rho, a, b), rho)
            whole = w.taylor().integral() * ball(h)
        brink = "" if self.d % 2 else beside(a, b, at, self.s)
        if brink:
            beyond = Brink(a, b, at, self.s, self.d, brink, self.order)
            value = beyond.small(w.taylor()) if beyond.begins else whole - beyond.small(w.taylor())
        else:
            with capped(self.order):
                value = (w * share_of(self._towards(rho, at), self.d)).taylor().integral() * ball(h)
        lost = off.expm1() * whole + (self._between(a, b, edges, whole) if low < at else 0)
        return Panel(a, b, JUMP, edges, value, lost.upper(), brink=brink)

    def _towards(self, r: Jet, k: Fraction) -> Jet:
        """The cosine for one opposite radius: for the shift itself r/(2 s)."""
        return r * (1 / (2 * ball(self.s))) if k == self.s else self._cosine(r, Jet.polynomial((k,)))

    def _between(self, a: Fraction, b: Fraction, edges: Curve, whole: arb) -> arb:
        """At most all of p on a panel with |x - u| between two radii close together, as the checker bounds it."""
        low, high = edges
        length = ball((high * high - low * low) / (2 * a * self.s)) if a else arb.pos_inf()
        thin = whole * (share(length.min(arb(2)) - 1, 2) if self.d == 2 else density(self.d) * length)
        log = self.radial.problem.log_bounds(a, b) - ball(self.radial.size)
        return thin.min(log.exp() * ball((high**self.d - low**self.d) / self.d))

    def crude(self, a: Fraction, b: Fraction) -> Panel:
        """Nothing, or everything, whichever costs less."""
        best = self.nothing(a, b)
        if a:
            try:
                other = self.full(a, b)
                if uncertainty(other) < best.cost:
                    return other
            except Undecided:
                pass
        return best

    def nothing(self, a: Fraction, b: Fraction) -> Panel:
        """Nothing: at most a share 1 - e^(eps - loss) of w, on the cap beyond a radius that S does not reach below."""
        cost = self.radial.weighed(a, b)
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
        cost = self.radial.lost_inside(b, self.excess(Fraction(0), b))
        return Panel(Fraction(0), b, EMPTY, (), arb(0), cost, centre=True)

    def excess(self, a: Fraction, b: Fraction) -> arb:
        """At most what a loss exceeds eps by on spheres between two radii."""
        return (self.radial.largest_loss(a, b) - self.level).upper()

    def far(self, a: Fraction) -> Panel:
        """All spheres beyond a: nothing of them."""
        return Panel(a, None, EMPTY, (), arb(0), self.radial.lost_beyond(a, self.level))
