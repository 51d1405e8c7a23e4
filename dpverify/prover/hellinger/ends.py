"""What p^L q^(1-L) leaves beyond a radius, and about the centre, where f does not rise."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Slope, Undecided, exact
from dpverify.findings import Place, Reason
from dpverify.prover.charts import integral_converges
from dpverify.prover.hellinger.integrand import Tilt
from dpverify.prover.problem import Problem
from dpverify.prover.profile.generator import ORDER, RadialWeight
from dpverify.prover.profile.pieces import ball

OCTAVES, FARTHEST, MOST_FAILURES = 900, 300, 12
SLOW = 4.0
"""By how much a logarithm falls over an octave where bounds of tails are not yet close."""
SLIGHTLY = tuple(map(Fraction, ("1", "1/4", "1/16")))
CONES = tuple(map(Fraction, ("15/16", "255/256", "65535/65536")))
RADII = tuple(Fraction(2**k) for k in (2, 4, 6, 8, 10, 14, 18, 24))


class Ends:
    """Bounds of integrals of |x|^(d-1) p^L q^(1-L), f divided by e^size."""

    def __init__(self, radial: RadialWeight) -> None:
        self.radial, self.problem = radial, radial.problem
        self.d, self.s = radial.dimension, radial.shift

    def cut(
        self, tilt: Tilt, error: arb, first: Fraction, sides: Callable[[Fraction], tuple[Fraction, Fraction]]
    ) -> tuple[Fraction, arb]:
        """How far out what is left is known to a part of an error, or as well as it is, and what is left there; `sides`
        are the radii between which a set ends."""
        size, best, failures = first, None, 0
        log_error = float(error.log().mid())
        while not self._nearly_nothing(tilt, size, log_error) and size < 2**FARTHEST:
            size *= 2
        for _ in range(OCTAVES):
            try:
                tail = self.beyond(tilt, *sides(size))
            except Undecided:
                failures += 1
                if failures > MOST_FAILURES:
                    break
                size *= 2
                continue
            if tail.is_finite() and (best is None or tail.rad() < best[1].rad()):
                best = size, tail
            if best and best[1].rad() * 8 < error:
                return best
            size *= 2
        if best is None:
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))
        return best

    def _nearly_nothing(self, tilt: Tilt, radius: Fraction, log_error: float) -> bool:
        """Whether there is little of it by floats, or less than a power of a long radius, which is bounded well."""
        r, s, rough = float(radius), float(self.s), self.radial.rough
        order = float(tilt.order)
        here, there = (order * rough(a) + (1 - order) * rough(b) for a, b in ((r / 2, r / 2 + s), (r, r + s)))
        grown = self.d * math.log(r) - float(self.radial.size)
        return not here + grown > log_error or not here > there + SLOW

    def beyond(self, tilt: Tilt, inner: Fraction, outer: Fraction) -> arb:
        """Of a set of x with |x|, |x - u| > inner, in which all x with |x| > outer lie."""
        most = self.radial.outer(inner).upper()
        whole = self.radial.outer(outer).lower().union(most)
        found = arb.nan()
        losses = self._losses(inner)
        if losses.is_finite():
            loss = arb(0, losses)
            found = whole * (ball(tilt.order - 1) * loss).exp() * tilt.factor(loss)
        if tilt.power == 0:
            return _narrower(found, arb(0).union(self._steep(tilt.order, inner, most)))
        return found if found.is_finite() else self._moment(tilt, inner, most)

    def _steep(self, order: Fraction, radius: Fraction, most: arb) -> arb:
        """At least what p^L q^(1-L) leaves: for L <= 1 by Young's inequality, else by the longest shift outward."""
        if order <= 1:
            return most
        try:
            germ = Germ(radius, ORDER)
            far, r = self.problem.far(germ), Model.power_of_t(germ, 1)
            ahead = self.problem.positive_log(Slope(r + r.const(exact(self.s)), r.const(1)))
            slope = ((far.du * exact(order) + ahead.du * exact(1 - order)) * r).span()
            falls = -slope.high - self.d
            if not falls > 0:
                return arb.pos_inf()
            here, there = (self.logarithm(x) for x in (radius, radius + self.s))
            height = (here * ball(order) + there * ball(1 - order)).exp()
            return (height * ball(radius) ** self.d / falls).upper()
        except Undecided:
            return arb.pos_inf()

    def logarithm(self, radius: Fraction) -> arb:
        return self.problem.positive_log(Ball(arb(exact(radius)))).x - exact(self.radial.size)

    def _moment(self, tilt: Tilt, radius: Fraction, most: arb) -> arb:
        """The same of p^L q^(1-L) |l - c|^j."""
        for k in SLIGHTLY:
            if tilt.order >= k:
                both = self._steep(tilt.order + k, radius, most) + self._steep(tilt.order - k, radius, most)
                if both.is_finite():
                    return arb(0, (both * tilt.spread(k)).upper())
        raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))

    def _losses(self, radius: Fraction) -> arb:
        """At least |l| where |x|, |x - u| > radius."""
        if not radius > self.s:
            return arb.pos_inf()
        try:
            return self.problem.far_losses(Germ(radius, ORDER), Fraction(0), self.s).upper()
        except Undecided:
            return arb.pos_inf()

    def left_out(self, tilt: Tilt, near: Fraction) -> arb:
        """At most, in size, the integral over |x| < near and over |x - u| < near, where near < s."""
        if not tilt.power:
            return self._about_both(tilt.order, near)
        for k in SLIGHTLY:
            try:
                both = self._about_both(tilt.order + k, near) + self._about_both(tilt.order - k, near)
            except Undecided:
                continue
            return (both * tilt.spread(k)).upper()
        raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))

    def _about_both(self, order: Fraction, near: Fraction) -> arb:
        least, most = (self.logarithm(self.s + x) for x in (near, -near))
        found = arb(0)
        for power, other in ((order, 1 - order), (1 - order, order)):
            height = (least * ball(other)).exp().max((most * ball(other)).exp())
            found += self.about_centre(power, near) * height
        return found.upper()

    def beside_breaks(self, tilt: Tilt) -> arb:
        """What lies where |x| or |x - u| is between two radii beside a break that is not known exactly."""
        found = arb(0)
        for a, b in self.radial.brackets:
            u, v = self._values(a, b), self._values(a - self.s, b + self.s)
            first, second = tilt.weights
            shell = ball(b) ** (self.d - 1) * ball(b - a)
            for x, y in ((u, v), (v, u)):
                most = (x * first + y * second).exp() * tilt.factor(x - y) * shell
                found += arb(0, most.abs_upper()) if tilt.power else arb(0).union(most.upper())
        if not found.is_finite():
            raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
        return found

    def _values(self, a: Fraction, b: Fraction) -> arb:
        """log f on (a, b), which does not rise."""
        if a > 0:
            return self.logarithm(b).union(self.logarithm(a))
        germ = Germ(1 / min(b, self.s) * 4, ORDER)
        top = self.problem.near_zero(germ).u.span().high - exact(self.radial.size)
        return self.logarithm(b).union(top)

    def about_centre(self, power: Fraction, radius: Fraction) -> arb:
        """At least the integral of r^(d-1) f^power over r < radius, for any power."""
        germ = Germ(1 / radius, ORDER)
        slope = (self.problem.near_zero(germ).du * Model.power_of_t(germ, -1)).span()
        flattest = (slope.low if power > 0 else slope.high) * ball(power) + self.d
        if not flattest > 0:
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))
        return ((self.logarithm(radius) * ball(power)).exp() * ball(radius) ** self.d / flattest).upper()


def _narrower(one: arb, other: arb) -> arb:
    """What both enclose."""
    if not one.is_finite():
        return other
    if not other.is_finite():
        return one
    low = one.lower().max(other.lower())
    return low.union(one.upper().min(other.upper()))


def infinite(problem: Problem, order: Fraction) -> bool:
    """Whether the integral of p^L q^(1-L) is shown to be infinite, L > 1, f not rising: about the centre, where q is
    about f(s^2), or far out, where in a cone |x - u| >= |x| + k s, k < 1 (k = 1 on the line)."""
    return _at_centre(problem, order) or _far_out(problem, order)


def _at_centre(problem: Problem, order: Fraction) -> bool:
    return _diverges(lambda germ: problem.near_zero(germ).u * exact(order), -problem.dimension)


def _far_out(problem: Problem, order: Fraction) -> bool:
    def height(germ: Germ, part: Fraction) -> Model:
        return problem.far(germ).u + problem.far_loss(germ, exact(problem.delta * part)) * exact(order - 1)

    parts = CONES if problem.dimension > 1 else (Fraction(1),)
    return any(_diverges(lambda germ, part=part: height(germ, part), problem.dimension) for part in parts)  # type: ignore[misc]


def _diverges(log: Callable[[Germ], Model], dimension: int) -> bool:
    """Whether r^(d-1) times what has that logarithm is shown not to be integrable at an end."""
    for radius in RADII:
        try:
            return not integral_converges(log(Germ(radius, ORDER)), dimension)
        except Undecided:
            continue
    return False
