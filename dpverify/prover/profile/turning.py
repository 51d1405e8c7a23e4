"""How H(t), the divergence at the shift t, changes with t in two dimensions and more, for t in a cell and any f.

With F(r) = f(r^2), L = log F, Z the integral of r^(d-1) F, and c the cosine at the centre on the sphere of radius rho,
  Z H'(t) = int rho^(d-1) F'(rho) K_t(rho) d rho,   K_t(rho) = mean of c over the points with L(rho) - L(b) > eps,
b^2 = rho^2 - 2 rho t c + t^2. Which pairs (rho, b) have so large a loss does not depend on t: letters on a grid of
radii say it once. Points with b between b1 and b2 have the mean M(c2) - M(c1), M(c) = c_d/(d - 1) (1 - c^2)^((d-1)/2).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from flint import arb, fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Undecided, exact
from dpverify.findings import Place, Reason
from dpverify.prover.profile.caps import density
from dpverify.prover.profile.generator import ORDER, RadialWeight
from dpverify.prover.profile.pieces import ball, middle, simple
from dpverify.prover.profile.series import UNIT
from dpverify.prover.profile.slope import IN, OPEN, OUT, TINY, Cell, Rows

COUNTS = (60, 240, 960, 3840)
"""Into how many panels radii are cut, the more the less of H' is to be left open."""
MOST_PAIRS = 2_000_000
UNIT_OF_LOG = 2**40
BEYOND = 10**40
SAMPLES, FURTHER, HALVINGS = 24, 40, 10


@dataclass(frozen=True)
class Panel:
    """Spheres with a < rho < b: the integral of rho^(d-1) F', and runs of radii |x - u| with their letters."""

    a: Fraction
    b: Fraction
    weight: arb
    runs: tuple[tuple[Fraction, Fraction, str], ...]


class Turns:
    """H' on cells of shifts up to the longest, for one eps; `marks` are radii from a start to an end."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction, marks: Sequence[Fraction]) -> None:
        self.radial, self.problem, self.marks = radial, radial.problem, list(marks)
        self.epsilon, self.d = epsilon, radial.dimension
        self.whole = density(self.d) / (self.d - 1)
        self.power = fmpq(self.d - 1, 2)
        self.ends = (self._centre(marks[0]) + self._tail()) * self.whole
        self.left_out = arb(0)
        self.levels: dict[int, tuple[Rows, list[Panel]]] = {}

    # Panels and their letters

    def panels(self, count: int) -> tuple[Rows, list[Panel]]:
        if count not in self.levels:
            radii = spread(self.radial, self.epsilon, self.marks, count)
            grid = Grid(self.radial, self.epsilon, radii)
            self.levels[count] = grid.written(), grid.panels()
        return self.levels[count]

    # What a cell adds up to

    def cell(self, low: Fraction, high: Fraction, goal: float) -> Cell:
        """2 Z H' for the shifts of a cell, from ever more panels until what is open is below the goal, or stays."""
        found = self.summed(low, high, COUNTS[0])
        for count in COUNTS[1:]:
            before = found.most - found.least
            if before <= goal or not self._affordable(count):
                break
            found = self.summed(low, high, count)
            if (found.most - found.least) * 4 > before * 3:
                break
        return found

    def _affordable(self, count: int) -> bool:
        """Whether there are not too many pairs of radii within the longest shift of each other."""
        near = 2 * self.radial.shift / (self.marks[-1] - self.marks[0])
        return count * count * min(Fraction(1), near) < MOST_PAIRS

    def summed(self, low: Fraction, high: Fraction, count: int) -> Cell:
        t = (ball(low) + ball(high)) / 2 + ball((high - low) / 2) * UNIT
        least = most = arb(0)
        rows, panels = self.panels(count)
        for panel in panels:
            mean = self._mean(panel, low, high, t)
            if mean is not None:
                part = panel.weight * mean
                least, most = least + part.lower(), most + part.upper()
        ends = (2 * (least - self.ends)).lower(), (2 * (most + self.ends)).upper()
        return Cell(low, high, (), "", "", *ends, rows=rows)

    def _mean(self, panel: Panel, low: Fraction, high: Fraction, t: arb) -> arb | None:
        """K_t on a panel, for all t of the cell; None for 0."""
        floor, top = max(panel.a - high, low - panel.b, Fraction(0)), panel.b + high
        runs = [x for x in panel.runs if x[2] != OUT and x[1] > floor and x[0] < top]
        if not runs:
            return None
        if not low or not panel.a:
            return self.whole * UNIT
        box = Box.of(panel, low, high, t)
        down, up = arb(0), arb(0)
        for first, last, letter in runs:
            near, far = box.cosine(first), box.cosine(last)
            if not (near.is_finite() and far.is_finite()):
                return self.whole * UNIT
            if letter == IN:
                value = self._moment(far) - self._moment(near)
                down, up = down + value.lower(), up + value.upper()
            else:
                ends = near.upper(), far.lower()
                ahead = self._height(ends[1].max(arb(0))) - self._height(ends[0].max(arb(0)))
                back = self._height((-ends[0]).max(arb(0))) - self._height((-ends[1]).max(arb(0)))
                up, down = up + ahead.upper().max(arb(0)), down - back.upper().max(arb(0))
        return (down.max(-self.whole)).union(up.min(self.whole))

    def _moment(self, c: arb) -> arb:
        """M on a ball, where M is 0 beyond [-1, 1]."""
        return self._height(c.abs_lower()).union(self._height(c.abs_upper()))

    def _height(self, c: arb) -> arb:
        """M at c >= 0, which falls."""
        if c >= 1:
            return arb(0)
        room = (1 - c) * (1 + c)
        if room > 0:
            return self.whole * room ** arb(self.power)
        return arb(0).union(self.whole * room.upper() ** arb(self.power))

    # Both ends

    def _centre(self, start: Fraction) -> arb:
        """At most the integral of rho^(d-1) |F'| up to the start."""
        if not start:
            return arb(0)
        germ = Germ(1 / start, ORDER)
        rate = (self.problem.near_zero(germ).du * Model.power_of_t(germ, -1)).span()
        least, steepest = rate.low + self.d - 1, (-rate.low).max(rate.high)
        if not (least > 0 and steepest.is_finite()):
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))
        return (_height(self.radial, start) * ball(start) ** (self.d - 1) * steepest / least).upper()

    def _tail(self) -> arb:
        """At most the same from the last mark on, which is put further out until that is known."""
        for _ in range(FURTHER):
            try:
                return self._beyond(self.marks[-1])
            except Undecided:
                self.marks.append(self.marks[-1] * 2)
        raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))

    def _beyond(self, end: Fraction) -> arb:
        """At most the same from the end on."""
        rate = self.problem.far(Germ(end, ORDER)).du.span()
        rest = self.radial.outer(end).upper()
        if rate.high <= 0:
            fall = _height(self.radial, end) * ball(end) ** (self.d - 1)
            return (fall + rest * (self.d - 1) / ball(end)).upper()
        steepest = (-rate.low).max(rate.high)
        if not steepest.is_finite():
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))
        return (steepest * rest).upper()


@dataclass(frozen=True)
class Box:
    """Spheres of a panel and shifts of a cell, for cosines by their slopes about the middle of both."""

    rho: arb
    t: arb
    middles: tuple[arb, arb]
    reach: tuple[arb, arb]

    @classmethod
    def of(cls, panel: Panel, low: Fraction, high: Fraction, t: arb) -> Box:
        m, h = ball((panel.a + panel.b) / 2), ball((panel.b - panel.a) / 2) * UNIT
        return cls(m + h, t, (m, ball((low + high) / 2)), (h, ball((high - low) / 2) * UNIT))

    def cosine(self, b: Fraction) -> arb:
        """(rho^2 + t^2 - b^2) / (2 rho t)."""
        square = ball(b) ** 2
        (m, n), (h, k) = self.middles, self.reach
        along = (self.rho * self.rho - self.t * self.t + square) / (2 * self.rho * self.rho * self.t)
        across = (self.t * self.t - self.rho * self.rho + square) / (2 * self.t * self.t * self.rho)
        return (m * m + n * n - square) / (2 * m * n) + along * h + across * k


class Grid:
    """Radii, L between each and the next, and the letters of pairs of these."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction, radii: Sequence[Fraction]) -> None:
        self.radial, self.problem, self.radii, self.count = radial, radial.problem, list(radii), len(radii) - 1
        self.more, self.less = math.ceil(epsilon * UNIT_OF_LOG), math.floor(epsilon * UNIT_OF_LOG)
        step, end = radii[-1] - radii[-2], radii[-1] + radial.shift
        rows = list(radii) if not radii[0] else [Fraction(0), *radii]
        self.first = len(rows) - len(radii)
        while rows[-1] < end:
            rows.append(min(end, rows[-1] + step))
        self.rows = rows
        self.bounds = [self._bounds(a, b) for a, b in pairwise(rows)]

    def _bounds(self, a: Fraction, b: Fraction, depth: int = HALVINGS) -> tuple[int, int]:
        """Whole numbers of 2^-40 between which log f lies on (a, b)."""
        try:
            log = self.problem.log_bounds(a, b) if a else self.problem.on_box(a, b).u.x
        except Undecided:
            if not a or not depth:
                return -BEYOND, BEYOND
            m = middle(a, b)
            lows, highs = zip(*(self._bounds(*part, depth - 1) for part in ((a, m), (m, b))), strict=True)
            return min(lows), max(highs)
        ends = (log.lower() * UNIT_OF_LOG).floor().lower(), (log.upper() * UNIT_OF_LOG).ceil().upper()
        if not all(x.is_finite() and abs(x) < BEYOND for x in ends):
            return -BEYOND, BEYOND
        low, high = (x.fmpq() for x in ends)
        return math.floor(Fraction(int(low.p), int(low.q))), math.ceil(Fraction(int(high.p), int(high.q)))

    def written(self) -> Rows:
        return Rows(tuple(self.rows), self.radii[0], self.radii[-1], self.bounds[0] != (-BEYOND, BEYOND))

    def panels(self) -> list[Panel]:
        for r in self.radii:
            if r:
                self._must_be_smooth(r)
        return [self._panel(k + self.first) for k in range(self.count)]

    def _must_be_smooth(self, r: Fraction) -> None:
        """Undecided unless F is shown continuous at r."""
        if not self.problem.on_box(r * (1 - TINY), r * (1 + TINY)).du.x.is_finite():
            raise Undecided(Reason.JUMPS_IN_SPACE())

    def _panel(self, k: int) -> Panel:
        a, b = self.rows[k], self.rows[k + 1]
        runs = list[tuple[Fraction, Fraction, str]]()
        near, far = a - self.radial.shift, b + self.radial.shift
        own = range(max(0, bisect_right(self.rows, near) - 1), bisect_left(self.rows, far))
        for letter, group in groupby(own, key=lambda j: self._letter(k, j)):
            members = list(group)
            runs.append((self.rows[members[0]], self.rows[members[-1] + 1], letter))
        return Panel(a, b, self._weight(a, b), tuple(runs))

    def _letter(self, k: int, j: int) -> str:
        (low, high), (least, most) = self.bounds[k], self.bounds[j]
        return IN if low - most > self.more else OUT if high - least <= self.less else OPEN

    def _weight(self, a: Fraction, b: Fraction, depth: int = HALVINGS) -> arb:
        """The integral of rho^(d-1) F' on a panel; where F' may have both signs, at most that of its size."""
        n = self.radial.dimension - 1
        try:
            on = self.problem.on_box(a, b)
            known = bool(on.du.x.is_finite())
        except Undecided:
            known = False
        if not known:
            if not a or not depth:
                raise Undecided(Reason.JUMPS_IN_SPACE())
            m = middle(a, b)
            self._must_be_smooth(m)
            return added(self._weight(a, m, depth - 1), self._weight(m, b, depth - 1))
        power = (ball(a) ** n).union(ball(b) ** n)
        if on.du.x >= 0 or on.du.x <= 0:
            return power * (_height(self.radial, b) - _height(self.radial, a))
        height = (on.u.x - exact(self.radial.size)).exp()
        return (power * height * on.du.x.abs_upper() * ball(b - a)).upper() * UNIT


def added(x: arb, y: arb) -> arb:
    """Two integrals of F' as one that can be multiplied by what a mean of K may be: their sum if of one sign."""
    if (x >= 0 and y >= 0) or (x <= 0 and y <= 0):
        return x + y
    return (x.abs_upper() + y.abs_upper()).upper() * UNIT


def _height(radial: RadialWeight, r: Fraction) -> arb:
    """F at a radius, or just beside the centre."""
    if r:
        return (radial.problem.log_bounds(r * (1 - TINY), r * (1 + TINY)) - exact(radial.size)).exp()
    return (radial.problem.on_box(r, TINY).u.x - exact(radial.size)).exp()


def spread(radial: RadialWeight, epsilon: Fraction, marks: Sequence[Fraction], count: int) -> list[Fraction]:
    """About so many radii from the first mark to the last, with breaks among them: denser where there is more of f,
    the less so the larger eps, since losses above it lie further out."""
    fine = [float(a + (b - a) * k / SAMPLES) for a, b in pairwise(marks) for k in range(SAMPLES)]
    fine = [x for x in fine if x] + [float(marks[-1])]
    heights = [radial.rough_weight(x) for x in fine]
    top, flat = max(heights), 4 * (1 + float(epsilon))
    sizes = [math.exp((h - top) / flat) * (b - a) for h, (a, b) in zip(heights[1:], pairwise(fine), strict=True)]
    share = sum(sizes) / len(sizes) / 20
    sizes = [x + share for x in sizes]
    step, filled, found = sum(sizes) / count, 0.0, set[Fraction]()
    for size, (a, b) in zip(sizes, pairwise(fine), strict=True):
        for k in range(math.ceil(filled / step), math.ceil((filled + size) / step)):
            found.add(simple(a + (b - a) * (k * step - filled) / size, 16))
        filled += size
    inner = {x for x in (*found, *radial.breaks) if marks[0] < x < marks[-1]}
    return [marks[0], *sorted(inner), marks[-1]]
