"""The generator as the integrals see it: log f along a series, bounded at the ends, and over floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import log

from flint import arb, arb_series

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Undecided, exact
from dpverify.enclosures.integrand import branching, cases, specialised
from dpverify.enclosures.nodes import Node, walk
from dpverify.findings import Part, Place, Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile.caps import HIGH
from dpverify.prover.profile.pieces import octave, simple
from dpverify.prover.profile.series import Jet, logarithm, value

ORDER = 8
STEPS = tuple(map(Fraction, (1, 4, 16)))
LEAST_REACH = -60.0
STEPPING, BELOW = "steps", "power"
SHARES = tuple(map(Fraction, ("1", "15/16", "3/4", "1/2", "1/4", "1/8", "1/16")))
LITTLE, LARGEST = -20.0, 1e-3
WAVES = {"sin", "cos"}
NEAR, LEAST = 7, Fraction(1, 2**6400)
"""Within which power of two of the shift from the centre losses that stay below eps are passed by at once, and the
least radius that a checker reads."""
STEEP = 4
"""From this power of r on it may be taken into the exponent."""


class RadialWeight:
    """w(r) = r^(d-1) f(r^2), up to the factor e^-size that makes its largest value about 1.

    `breaks` are radii at which f may jump or kink, `brackets` pairs about those that are not known exactly; no tail is
    to begin before the radius `reach`."""

    def __init__(
        self,
        problem: Problem,
        breaks: Sequence[Fraction],
        brackets: Sequence[tuple[Fraction, Fraction]] = (),
        reach: Fraction = Fraction(0),
    ) -> None:
        self.problem, self.dimension, self.brackets = problem, problem.dimension, brackets
        self.breaks = sorted({*breaks, *(x for pair in brackets for x in pair)})
        self.shift, self.reach = problem.delta, reach
        self.branches = branching(problem.node)
        self.rough = problem.rough_log()
        self.peak, top = problem.remembered("peak", self._peak)
        self.size = Fraction(round(top * 16), 16)
        self._smooth: dict[tuple[Fraction, Fraction], Node] = {}

    def jet(self, r: Jet, a: Fraction, b: Fraction) -> Jet:
        """log f, less `size`, on a panel on which r runs through radii of the open interval (a, b)."""
        return r.of(lambda u: self.log(u, a, b)).narrow()

    @cached_property
    def waves(self) -> bool:
        """Whether f waves: then log f may be far from a polynomial where f is near one."""
        return any(node.kind in WAVES for node in walk(self.problem.node))

    def values(self, r: Jet, a: Fraction, b: Fraction) -> Jet:
        """e^-size f on such a panel."""
        return r.of(lambda u: value(self.smooth(a, b), u)) * (-arb(exact(self.size))).exp()

    def weight(self, log: Jet, r: Jet) -> Jet:
        """e^log r^(d-1): powers of r are taken into the exponent, where they cancel, if they are high or log f is bent
        like log r is."""
        n, bent = self.dimension - 1, log.middle[2]
        much = n >= STEEP and abs(bent) * r.middle[0] ** 2 * 4 > n * r.middle[1] ** 2
        if (n >= HIGH - 1 or much) and r.whole[0] > 0:
            return (log + r.log() * arb(n)).narrow().exp()
        return log.exp() * r.power(n) if n else log.exp()

    def log(self, r: arb_series, a: Fraction, b: Fraction) -> arb_series:
        """log f, less `size`, along a series that runs through radii of the open interval (a, b)."""
        return logarithm(self.smooth(a, b), r) - arb(exact(self.size))

    def smooth(self, a: Fraction, b: Fraction) -> Node:
        """The tree with the cases that hold throughout (a, b); Undecided where they change inside."""
        if not self.branches:
            return self.problem.node
        if (a, b) not in self._smooth:
            settled = cases(self.problem.node, a, b)
            if settled is None:
                raise Undecided(Reason.CHANGES_ON(what=Part.CASE, where=Place.PANEL))
            self._smooth[a, b] = specialised(self.problem.node, settled)
        return self._smooth[a, b]

    def rough_weight(self, r: float) -> float:
        """log w over floats, less `size`."""
        return self.rough(r) + (self.dimension - 1) * math.log(r) - float(self.size)

    def bound(self, a: Fraction, b: Fraction) -> arb:
        """An upper bound of w on (a, b)."""
        log = self.problem.log_bounds(a, b) if a else self.problem.log_within(b)
        return ((log - exact(self.size)).exp() * arb(exact(b)) ** (self.dimension - 1)).upper()

    def weighed(self, a: Fraction, b: Fraction) -> arb:
        """At most the integral of w over (a, b), as its bound has it: without end where w is not bounded."""
        try:
            return (self.bound(a, b) * exact(b - a)).upper()
        except Undecided:
            return arb.pos_inf()

    def _peak(self) -> tuple[float, float]:
        """About where w r is largest, and log(w r) there."""
        best = (-math.inf, 0.0)
        centre, reach = 0.0, 60.0
        for _ in range(8):
            for i in range(-60, 61):
                x = centre + reach * i / 60
                height = self.rough(math.exp(x)) + self.dimension * x
                if height > best[0]:
                    best = height, x
            centre, reach = best[1], reach / 20
        if not math.isfinite(best[0]):
            raise Undecided(Reason.NOWHERE_POSITIVE())
        return math.exp(best[1]), best[0]

    def inner(self, radius: Fraction) -> arb:
        """The integral of w over (0, r0]: r (log f)' lies in [m, M], so f lies between f(r0) (r/r0)^m and ^M."""
        germ = Germ(1 / radius, ORDER)
        slope = (self.problem.near_zero(germ).du * Model.power_of_t(germ, -1)).span()
        least, most = slope.low + self.dimension, slope.high + self.dimension
        if not least > 0:
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))
        whole = self._height(radius)
        return (whole / most.upper() if most.is_finite() else arb(0)).union(whole / least)

    def outer(self, radius: Fraction) -> arb:
        """The integral of w over [R, oo), by the same bounds of the slope where these are known."""
        known = self.tail(radius)
        if known is not None:
            way, number = known
            return self._stepping(radius) if way == STEPPING else self._below(radius, number)
        rates = self._rates(radius)
        if rates is None:
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))
        flattest, steepest = rates
        whole = self._height(radius)
        most = whole / flattest
        return (whole / steepest if steepest.is_finite() else arb(0)).union(most)

    def _rates(self, radius: Fraction) -> tuple[arb, arb] | None:
        """Between which powers w r falls beyond a radius; None where it is not shown to."""
        germ = Germ(radius, ORDER)
        try:
            slope = (self.problem.far(germ).du * Model.power_of_t(germ, 1)).span()
        except Undecided:
            return None
        falls = slope.high < -self.dimension
        return (-slope.high - self.dimension, -slope.low - self.dimension) if falls else None

    def tail(self, radius: Fraction) -> tuple[str, Fraction] | None:
        """How the tail is bounded, and the length of steps or the power; None where it is by its slopes."""
        sloping = self._rates(radius) is not None
        if not (sloping and self.losses_known) and self.power is not None:
            return BELOW, self.power
        return None if sloping else (STEPPING, self._falls(radius)[0])

    @cached_property
    def losses_known(self) -> bool:
        """Whether the losses far out are enclosed."""
        try:
            return bool(self.far_loss(self.first_end()).is_finite())
        except Undecided:
            return False

    @cached_property
    def power(self) -> Fraction | None:
        """p with r^p f bounded in the tail, and about the least bound of that; None where f falls by steps and losses
        far out are known, or no p > d is found.  One for all radii, as one is named in a certificate."""
        end = self.first_end()
        if self.losses_known and self._steps_down(end):
            return None
        height, d = self.rough(float(end)), self.dimension
        falls = {(height - self.rough(float(end) * 2**k)) / (k * log(2)) - d for k in (1, 6)}
        powers = {d + simple(x * share, 6) for x in falls if 0 < x < 2**60 for share in SHARES}
        found: list[tuple[float, Fraction]] = []
        for p in sorted(powers):
            try:
                bound = self._below(end, p)
            except Undecided:
                continue
            if bound.upper() < LARGEST:
                found.append((float(bound.upper()), p))
        return min(found)[1] if found else None

    def _steps_down(self, radius: Fraction) -> bool:
        try:
            self._falls(radius)
        except Undecided:
            return False
        return True

    def first_end(self) -> Fraction:
        """A radius beyond which there is little of w by floats, or nothing that they see."""
        r = simple(self.peak, 2)
        for _ in range(900):
            r *= 2
            if float(r) > 1e300 or not self.rough_weight(float(r)) + log(float(r)) >= LITTLE:
                break
        return r

    def _below(self, radius: Fraction, p: Fraction) -> arb:
        """At most the integral of w beyond a radius, where r^p f is bounded, p > d."""
        germ = Germ(radius, ORDER)
        r = Model.power_of_t(germ, 1)
        most = (self.problem.far(germ).u + r.log() * exact(p)).span().high
        if not most.is_finite():
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))
        margin = arb(exact(p - self.dimension))
        whole = (most - exact(self.size) - margin * arb(exact(radius)).log()).exp() / margin
        return arb(0).union(whole.upper())

    def _stepping(self, radius: Fraction) -> arb:
        """The tail where w falls by a factor on every step."""
        step, ratio = self._falls(radius)
        return arb(0).union((self.bound(radius, radius + step) / (1 - ratio)).upper())

    def _falls(self, radius: Fraction) -> tuple[Fraction, arb]:
        """A length, and by which factor below 1 w falls at least on every step of it beyond a radius."""
        for step in STEPS:
            try:
                drop = self.problem.far_loss(Germ(radius, ORDER), exact(step)).span().low
            except Undecided:
                continue
            ratio = ((self.dimension - 1) * (1 + exact(step) / arb(exact(radius))).log() - drop).exp()
            if ratio < 1:
                return step, ratio
        raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))

    def _height(self, radius: Fraction) -> arb:
        """r w(r) at a radius."""
        log = self.problem.positive_log(Ball(arb(exact(radius)))).x - exact(self.size)
        return log.exp() * arb(exact(radius)) ** self.dimension

    def far_loss(self, radius: Fraction) -> arb:
        """An upper bound of the loss g(r + s) - g(r) on [R, oo)."""
        return self.problem.far_loss(Germ(radius, ORDER), exact(self.shift)).span().high

    def largest_loss(self, a: Fraction, b: Fraction) -> arb:
        """An upper bound of the loss where a < |x| < b, for an f that does not rise: log f(a+) - log f((b + s)-)."""
        try:
            here = self.problem.beside(a, False) if a else self.problem.near_zero(Germ(1 / b, ORDER)).u.span().high
            return (here - self.problem.beside(b + self.shift, True)).upper()
        except Undecided:
            return arb.pos_inf()

    def quiet_from(self, radius: Fraction, excess: Callable[[Fraction, Fraction], arb]) -> Fraction | None:
        """A radius far nearer to the centre from which on up to this one no loss exceeds eps, by such a bound of what
        it exceeds that by; None where none is seen."""
        if not LEAST < radius < self.shift / 2**NEAR:
            return None
        nearer = (max(LEAST, octave(x)) for x in (radius * radius / self.shift, radius / 2**40))
        return next((x for x in nearer if excess(x, radius) <= 0), None)

    def lost_inside(self, radius: Fraction, loss: arb | None = None) -> arb:
        """At most what a set costs that leaves out all radii up to R: the share 1 - e^-x of them, where a loss is known
        to exceed eps by at most x; infinite where that is not known."""
        if loss is not None and loss <= 0:
            return arb(0)
        part = -((-loss).expm1()) if loss is not None and loss.is_finite() else arb(1)
        try:
            return (self.inner(radius) * part).upper()
        except Undecided:
            return arb.pos_inf()

    def lost_beyond(self, radius: Fraction, level: arb) -> arb:
        """At most what a set costs that leaves out [R, oo): the share 1 - e^(eps - loss) of p where the loss exceeds
        eps, the level; infinite where that is not known."""
        part = arb(1)
        try:
            known = self.tail(radius)
            if known is not None and known[0] == BELOW:
                return self.outer(radius).upper()
            excess = (self.far_loss(radius) - level).upper()
            if excess <= 0:
                return arb(0)
            if excess.is_finite():
                part = -((-excess).expm1())
        except Undecided:
            pass
        try:
            return (self.outer(radius) * part).upper()
        except Undecided:
            return arb.pos_inf()


def crossing(low: float, high: float, value: Callable[[float], float]) -> float:
    """Where a value that is at most 0 at `low` and positive at `high` changes its sign, over floats: by inverse
    quadratic interpolation where that is to be trusted, else by halving (Chandrupatla 1997)."""
    a, b = high, low
    at_a, at_b = value(a), value(b)
    t = 0.5
    for _ in range(200):
        x = a + t * (b - a)
        found = value(x)
        (c, at_c), (b, at_b) = ((a, at_a), (b, at_b)) if (found > 0) == (at_a > 0) else ((b, at_b), (a, at_a))
        a, at_a = x, found
        least = 2e-16 * abs(a if abs(at_a) < abs(at_b) else b) / abs(b - a)
        if least > 0.25 or found == 0:
            break
        t = min(max(_interpolated((a, at_a), (b, at_b), (c, at_c)), least), 1 - least)
    return a if at_a >= 0 else b


def _interpolated(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """The part of the way from a to b at which a curve through three points, each with its value, is 0; a half where
    that would not be inside, or is not to be trusted."""
    (x, p), (y, q), (z, r) = a, b, c
    if not all(map(math.isfinite, (p, q, r))) or r in (p, q) or z == y:
        return 0.5
    xi, phi = (x - y) / (z - y), (p - q) / (r - q)
    if not (phi * phi < xi and (1 - phi) ** 2 < 1 - xi):
        return 0.5
    return p / (q - p) * r / (q - r) + (z - x) / (y - x) * p / (r - p) * q / (r - q)


def bisected(low: float, high: float, holds: Callable[[float], bool]) -> float:
    """Where `holds`, false at low and true at high, changes, over floats."""
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
