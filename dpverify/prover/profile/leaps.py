"""F1 in the place of F where the shifts are covered: F but for F(a-) on each patch (a, j], j a jump, and 0 from where
it is cut.

A jump that is not rational lies inside a patch; H and the same of F1 differ by little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpverify.asymptotics import Germ
from dpverify.enclosures import Ball, Slope, Undecided, exact
from dpverify.findings import Place, Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile.generator import ORDER, RadialWeight
from dpverify.prover.profile.pieces import ball

TINY = Fraction(1, 10**30)
FURTHER, QUIETER = 40, 0.9


@dataclass(frozen=True)
class Leaps:
    """The jumps j, each with the a at which its patch begins, j itself where there is none; where F is cut, if it is;
    and at most what that, and all patches, change Z H beside the same of F1 from one shift to another."""

    radial: RadialWeight
    starts: Mapping[Fraction, Fraction]
    end: Fraction | None
    left_out: arb

    @property
    def jumps(self) -> tuple[Fraction, ...]:
        return tuple(sorted(self.starts))

    @property
    def patches(self) -> tuple[tuple[Fraction, Fraction], ...]:
        return tuple((a, j) for j, a in sorted(self.starts.items()) if a < j)

    @property
    def sides(self) -> set[Fraction]:
        """Radii at which F1 may have two limits, or has no slope."""
        return {*self.starts, *self.starts.values()}

    def below(self, j: Fraction) -> arb:
        """F1 just below a jump."""
        a = self.starts.get(j, j)
        return self._height(a * (1 - TINY), a)

    def above(self, j: Fraction) -> arb:
        return self._height(j, j * (1 + TINY))

    def _height(self, a: Fraction, b: Fraction) -> arb:
        return (self.radial.problem.on_box(a, b).u.x - exact(self.radial.size)).exp()

    def patched(self, a: Fraction, b: Fraction) -> bool:
        """Whether radii lie in a patch."""
        return any(low <= a and b <= high for low, high in self.patches)

    def reached(self, a: Fraction, b: Fraction) -> Fraction | None:
        """Where the first patch begins that reaches into a box."""
        return next((low for low, high in self.patches if low < b and a < high), None)

    def log_bounds(self, a: Fraction, b: Fraction) -> arb:
        """log F1 on the open box (a, b)."""
        if self.reached(a, b) is not None:
            return self.on_box(a, b).u.x
        return self.radial.problem.log_bounds(a, b) if a else self.radial.problem.log_within(b)

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log F1 and its slopes on the open box (a, b): none where a patch reaches into it."""
        first = self.reached(a, b)
        if first is not None:
            return Slope(self.radial.problem.on_box(min(a, first * (1 - TINY)), b).u, Ball(arb(0, arb.pos_inf())))
        return self.radial.problem.on_box(a, b)

    def most(self, a: Fraction, b: Fraction) -> arb:
        """At most F1 on the open box (a, b), by its values: where F is nearly 0 a ball of these may reach below, and
        has no logarithm."""
        if self.reached(a, b) is not None:
            return arb.pos_inf()
        return (self.radial.problem.value_on_box(a, b) * (-arb(exact(self.radial.size))).exp()).upper()


def smooth_at(problem: Problem, r: Fraction, reach: Fraction = TINY) -> bool:
    """Whether F is shown continuous at a radius."""
    try:
        return bool(problem.on_box(r * (1 - reach), r * (1 + reach)).du.x.is_finite())
    except Undecided:
        return False


def leaps(radial: RadialWeight, epsilon: Fraction, marks: list[Fraction], little: arb) -> tuple[Leaps, arb]:
    """Where F is not continuous between the first mark and the last, and at most the variation of r^(d-1) F beyond; the
    marks, and breaks among them, are put in order, in place, and further out.

    Raises Undecided where F may have infinite variation, and cannot be cut where there is as little of it."""
    growth = ball(epsilon).exp()
    tail, end, cut = _tail(radial, marks, little, growth)
    inner = {x for x in (*marks, *radial.breaks) if marks[0] <= x <= marks[-1]}
    marks[:] = sorted(inner)
    brackets = {b: a for a, b in radial.brackets}
    starts = dict[Fraction, Fraction]()
    for r in marks[1:-1]:
        a = brackets.get(r)
        if a is not None and a > marks[0]:
            width = (r - a) / r
            if not smooth_at(radial.problem, (a + r) / 2, width):
                starts[r] = a
        elif not smooth_at(radial.problem, r):
            starts[r] = r
    found = Leaps(radial, starts, end, cut)
    out = cut
    for a, j in found.patches:
        height = (found.log_bounds(a, j) - exact(radial.size)).exp() * ball(j) ** (radial.dimension - 1)
        out = out + height * ball(j - a) * (growth + 1) * 2
    return Leaps(radial, starts, end, out.upper()), tail


def _tail(radial: RadialWeight, marks: list[Fraction], little: arb, growth: arb) -> tuple[arb, Fraction | None, arb]:
    """At most the variation of r^(d-1) F beyond the last mark, as far as it counts: that is put to where no loss
    exceeds eps any more, or further out until the variation is known; else f is cut where there is little of it, no
    nearer than the longest shift: where, and at most what that leaves out."""
    if loud(radial, growth.log(), marks):
        return arb(0), None, arb(0)
    for _ in range(FURTHER):
        try:
            return variation(radial, marks[-1]), None, arb(0)
        except Undecided:
            marks.append(marks[-1] * 2)
    for end in (x for x in marks[1:] if x >= radial.shift):
        left_out = (growth + 1) * _beyond(radial, end)
        if left_out <= little:
            marks[:] = [x for x in marks if x <= end]
            log = radial.problem.on_box(end * (1 - TINY), end).u.x - exact(radial.size)
            return (log.exp() * ball(end) ** (radial.dimension - 1)).upper(), end, left_out
    raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))


def loud(radial: RadialWeight, level: arb, marks: list[Fraction]) -> bool:
    """Leave out, in place, marks beyond the first from which on no loss exceeds eps, the level: whether there is
    such."""
    last = next((k for k, x in enumerate(marks) if k > 1 and quiet(radial, level, x)), len(marks))
    del marks[last + 1 :]
    return last < len(marks)


def quiet(radial: RadialWeight, level: arb, end: Fraction) -> bool:
    """Whether slopes show, with some room, that no loss from beyond a radius exceeds eps, the level."""
    near = end - radial.shift
    if near <= 1:
        return False
    try:
        rate = radial.problem.far(Germ(near, ORDER)).du.span()
    except Undecided:
        return False
    return bool((-rate.low).max(rate.high) * ball(radial.shift) <= level * QUIETER)


def _beyond(radial: RadialWeight, end: Fraction) -> arb:
    """At most the integral of w from the end on; infinite where that is not known."""
    try:
        return radial.outer(end).upper()
    except Undecided:
        return arb.pos_inf()


def variation(radial: RadialWeight, end: Fraction) -> arb:
    """At most the integral of r^(d-1) |F'| from the end on."""
    d, problem = radial.dimension, radial.problem
    rate = problem.far(Germ(end, ORDER)).du.span()
    if not smooth_at(problem, end):
        raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))
    if rate.high <= 0:
        rest = radial.outer(end).upper() * (d - 1) / ball(end) if d > 1 else arb(0)
        height = (problem.log_bounds(end * (1 - TINY), end * (1 + TINY)) - exact(radial.size)).exp()
        return (height * ball(end) ** (d - 1) + rest).upper()
    steepest = (-rate.low).max(rate.high)
    if not steepest.is_finite():
        raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))
    return (steepest * radial.outer(end).upper()).upper()
