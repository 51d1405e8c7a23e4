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
from dpverify.findings import Part, Place, Reason
from dpverify.prover.profile.caps import density
from dpverify.prover.profile.generator import ORDER, RadialWeight
from dpverify.prover.profile.leaps import Leaps, leaps, smooth_at
from dpverify.prover.profile.pieces import ball, middle, simple
from dpverify.prover.profile.series import UNIT
from dpverify.prover.profile.slope import IN, OPEN, OUT, TINY, Cell, Goal, Level, Rows

Share = tuple[arb, arb]
SHARES: dict[str, Share] = {IN: (arb(1),) * 2, OPEN: (arb(0), arb(1)), OUT: (arb(0),) * 2}
"""Between which shares of F' count where losses exceed eps, do not, or may."""
COUNTS = (60, 120, 240, 480, 960, 1920, 3840)
"""Into how many panels radii are cut, the more the less of H' is to be left open; four times as many at a time."""
MOST_PAIRS, BUILDING = 2_000_000, 6
"""How many pairs of radii near each other there may be; and what a row costs a checker, in what it does in one cell."""
FALLS, NEGLIGIBLE = 2 / 3, 9.0
"""By how much of eps log f may change on a row, or else a sphere may have a loss above it on one and the same; and by
how much log w exceeds that at the end where it counts."""
UNIT_OF_LOG = 2**40
BEYOND = 10**40
SAMPLES, HALVINGS, FINER, MARGIN = 24, 10, 26, Fraction(1, 2**10)


@dataclass(frozen=True)
class Panel:
    """Spheres with a < rho < b: the integral of rho^(d-1) F', and runs of radii |x - u| with their letters; for a = b
    a jump, and runs with the shares of it that lie above e^eps F there."""

    a: Fraction
    b: Fraction
    weight: arb
    runs: tuple[tuple[Fraction, Fraction, Share], ...]
    sign: int = 0
    """-1 where F falls on the spheres and within the longest shift of them, so that K is not positive; 1 where it
    rises, so that it is not negative."""


class Turns:
    """H' on cells of shifts up to the longest, for one eps; `marks` are radii from a start to an end, and of Z H as
    `little` may be left out."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction, marks: Sequence[Fraction], little: Fraction) -> None:
        self.radial, self.problem, self.marks = radial, radial.problem, list(marks)
        self.epsilon, self.d = epsilon, radial.dimension
        self.whole = density(self.d) / (self.d - 1)
        self.power = fmpq(self.d - 1, 2)
        self.leaps, tail = leaps(radial, epsilon, self.marks, ball(little))
        self.ends = (self._centre(self.marks[0]) + tail) * self.whole
        self.left_out = self.leaps.left_out
        self.known: dict[Level, tuple[Rows, list[Panel]]] = {}
        least = [self._radii(Level(COUNTS[0], short)) for short in (False, True)]
        ways = (False, True) if least[0] != least[1] else (False,)
        self.levels = [Level(count, short) for short in ways for count in COUNTS]
        self.finest = self.levels[-1]

    # Panels and their letters

    def _radii(self, level: Level) -> list[Fraction]:
        return spread(self.radial, self.epsilon, self.marks, level)

    def panels(self, count: int) -> tuple[Rows, list[Panel]]:
        level = self.finest._replace(rows=count)
        if level not in self.known:
            grid = Grid(self.leaps, self.epsilon, sorted({*self._radii(level), *self.leaps.sides}))
            self.known[level] = grid.written(), grid.panels()
        return self.known[level]

    # What a cell adds up to

    def cell(self, low: Fraction, high: Fraction, goal: Goal) -> Cell:
        """2 Z H' for the shifts of a cell, from ever more panels until that is close enough, or as open as before."""
        last = COUNTS.index(self.finest.rows)
        first, *finer = COUNTS[last % 2 : last + 1 : 2]
        found = self.summed(low, high, first)
        for count in finer:
            before = found.most - found.least
            if goal.met(found) or not self._affordable(count):
                break
            found = self.summed(low, high, count)
            if (found.most - found.least) * 4 > before * 3:
                break
        return found

    def work(self, cells: Sequence[Cell]) -> int:
        """What cells cost a checker, in rows of one cell."""
        grids = {c.rows for c in cells if c.rows is not None}
        return sum(BUILDING * len(x.radii) for x in grids) + sum(len(c.rows.radii) for c in cells if c.rows is not None)

    def least_work(self, level: Level) -> int:
        """About what cells cost at least that need so many radii."""
        return 2 * BUILDING * level.rows

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
                low_part, high_part = _product(_signed(_ends(panel.weight), panel.sign), _signed(mean, panel.sign))
                least, most = (least + low_part).lower(), (most + high_part).upper()
        ends = (2 * (least - self.ends)).lower(), (2 * (most + self.ends)).upper()
        more = self.leaps
        return Cell(low, high, (), "", "", *ends, more.jumps, more.end, rows, more.patches)

    def _mean(self, panel: Panel, low: Fraction, high: Fraction, t: arb) -> Share | None:
        """Between what K_t lies on a panel, for all t of the cell; None for 0. Two ends, as a ball of what reaches from
        0 far to one side would reach beyond 0."""
        floor, top = max(panel.a - high, low - panel.b, Fraction(0)), panel.b + high
        runs = [x for x in panel.runs if x[1] > floor and x[0] < top]
        if not runs:
            return None
        if not low or not panel.a:
            return -self.whole, self.whole
        box = Box.of(panel, low, high, t)
        down, up = arb(0), arb(0)
        for first, last, (least, most) in runs:
            near, far = box.cosine(first), box.cosine(last)
            if not (near.is_finite() and far.is_finite()):
                return -self.whole, self.whole
            if least:
                value = (self._moment(far) - self._moment(near)) * least
                down, up = down + value.lower(), up + value.upper()
            if least is not most:
                more, ends = (most - least).upper(), (near.upper(), far.lower())
                ahead = self._height(ends[1].max(arb(0))) - self._height(ends[0].max(arb(0)))
                back = self._height((-ends[0]).max(arb(0))) - self._height((-ends[1]).max(arb(0)))
                up, down = up + ahead.upper().max(arb(0)) * more, down - back.upper().max(arb(0)) * more
        return down.max(-self.whole), up.min(self.whole)

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
        whole = _height(self.radial, start) * ball(start) ** (self.d - 1)
        if rate.low >= 0 and not rate.high.is_finite():
            return whole.upper()  # F rises there
        least, steepest = rate.low + self.d - 1, (-rate.low).max(rate.high)
        if not (least > 0 and steepest.is_finite()):
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))
        return (whole * steepest / least).upper()


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
    """Radii, log F1 between each and the next, and the letters of pairs of these."""

    def __init__(self, leaps: Leaps, epsilon: Fraction, radii: Sequence[Fraction]) -> None:
        self.leaps, self.radial, self.problem = leaps, leaps.radial, leaps.radial.problem
        self.radii, self.count, self.level = list(radii), len(radii) - 1, ball(epsilon)
        self.more, self.less = math.ceil(epsilon * UNIT_OF_LOG), math.floor(epsilon * UNIT_OF_LOG)
        step, end = radii[-1] - radii[-2], radii[-1] + self.radial.shift
        rows = list(radii) if not radii[0] else [Fraction(0), *radii]
        self.first = len(rows) - len(radii)
        while rows[-1] < end:
            rows.append(end if leaps.end is not None else min(end, rows[-1] + step))
        self.rows = rows
        self.bounds = [self._bounds(a, b) for a, b in pairwise(rows)]
        if leaps.end is not None:
            self.bounds[-1] = -BEYOND, BEYOND
        self.signs = [self._sign(k) for k in range(len(rows) - 1)]

    def _bounds(self, a: Fraction, b: Fraction, depth: int = HALVINGS) -> tuple[int, int]:
        """Whole numbers of 2^-40 between which log f lies on (a, b)."""
        touching = self._touches(a, b)
        depth = max(depth, FINER) if touching and depth == HALVINGS else depth
        try:
            if touching and depth and not self.problem.on_box(a, b).du.x.is_finite():
                raise Undecided(Reason.CHANGES_ON(what=Part.CASE, where=Place.PANEL))
            log = self.leaps.log_bounds(a, b)
        except Undecided:
            if not a or not depth:
                return -BEYOND, BEYOND
            m = middle(a, b)
            lows, highs = zip(
                *(self._bounds(*part, self._left(*part, depth)) for part in ((a, m), (m, b))), strict=True
            )
            return min(lows), max(highs)
        ends = (log.lower() * UNIT_OF_LOG).floor().lower(), (log.upper() * UNIT_OF_LOG).ceil().upper()
        if not all(x.is_finite() and abs(x) < BEYOND for x in ends):
            return -BEYOND, BEYOND
        low, high = (x.fmpq() for x in ends)
        return math.floor(Fraction(int(low.p), int(low.q))), math.ceil(Fraction(int(high.p), int(high.q)))

    def _touches(self, a: Fraction, b: Fraction) -> bool:
        """Whether a row ends at a patch: balls see it if narrow, their ends being known to some bits of their width."""
        ends = {x for patch in self.leaps.patches for x in patch}
        return (a in ends or b in ends) and not self.leaps.patched(a, b)

    def _left(self, a: Fraction, b: Fraction, depth: int) -> int:
        """How often a half of a row may be halved: beside a patch more than elsewhere."""
        return depth - 1 if self._touches(a, b) else min(depth, HALVINGS + 1) - 1

    def written(self) -> Rows:
        rows = self.rows if self.leaps.end is None else self.rows[:-1]
        return Rows(tuple(rows), self.radii[0], self.radii[-1], self.bounds[0] != (-BEYOND, BEYOND))

    def panels(self) -> list[Panel]:
        ends = {*self.leaps.sides, self.leaps.end}
        for r in self.radii:
            if r and r not in ends:
                self._must_be_smooth(r)
        places = [k + self.first for k in range(self.count)]
        spheres = [self._panel(k) for k in places if not self.leaps.patched(self.rows[k], self.rows[k + 1])]
        return [*spheres, *map(self._leap, self.leaps.jumps)]

    def _must_be_smooth(self, r: Fraction) -> None:
        """Undecided unless F is shown continuous at r."""
        if not smooth_at(self.problem, r):
            raise Undecided(Reason.JUMPS_BETWEEN())

    def _near(self, a: Fraction, b: Fraction) -> range:
        """The rows within the longest shift of the spheres between two radii."""
        near, far = a - self.radial.shift, b + self.radial.shift
        return range(max(0, bisect_right(self.rows, near) - 1), bisect_left(self.rows, far))

    def _panel(self, k: int) -> Panel:
        a, b = self.rows[k], self.rows[k + 1]
        runs = list[tuple[Fraction, Fraction, Share]]()
        for letter, group in groupby(self._near(a, b), key=lambda j: self._letter(k, j)):
            members = list(group)
            if letter != OUT:
                runs.append((self.rows[members[0]], self.rows[members[-1] + 1], SHARES[letter]))
        signs = {self.signs[j] for j in self._near(a, b)}
        return Panel(a, b, self._weight(a, b), tuple(runs), signs.pop() if len(signs) == 1 else 0)

    def _sign(self, k: int) -> int:
        """-1 where F is shown to fall on a row and a little beyond, 1 where it is shown to rise, else 0; where it is
        cut it falls to 0."""
        a, b = self.rows[k], self.rows[k + 1]
        if a == self.leaps.end:
            return -1
        if {a, b} & self.leaps.sides:
            return 0
        reach = (b - a) * MARGIN
        low = max(a - min(reach, a / 2), self.rows[max(0, k - 1)])
        high = b if b == self.leaps.end or k == len(self.rows) - 2 else min(b + reach, self.rows[k + 2])
        try:
            slope = self.problem.on_box(low, high).du.x
        except Undecided:
            return 0
        return -1 if slope <= 0 else int(bool(slope >= 0))

    def _leap(self, j: Fraction) -> Panel:
        """A jump, as spheres of no width."""
        ends = self.leaps.below(j), self.leaps.above(j)
        low, high = ends if ends[0] < ends[1] else ends[::-1]
        if not low < high:
            low = high = low.union(high)

        def share(k: int) -> Share:
            if self.bounds[k] == (-BEYOND, BEYOND):
                return SHARES[OPEN]
            least, most = (arb(exact(Fraction(x, UNIT_OF_LOG) - self.radial.size)) for x in self.bounds[k])
            there = (least.union(most) + self.level).exp()
            if there <= low or there >= high:
                return SHARES[IN if there <= low else OUT]
            part = (high - there) / (high - low)
            if not part.is_finite():
                return SHARES[OPEN]
            return part.lower().max(arb(0)), part.upper().min(arb(1))

        found = ((self.rows[k], self.rows[k + 1], share(k)) for k in self._near(j, j))
        power = ball(j) ** (self.radial.dimension - 1)
        return Panel(j, j, (ends[1] - ends[0]) * power, tuple(x for x in found if x[2] != SHARES[OUT]))

    def _letter(self, k: int, j: int) -> str:
        (low, high), (least, most) = self.bounds[k], self.bounds[j]
        return IN if low - most > self.more else OUT if high - least <= self.less else OPEN

    def _weight(self, a: Fraction, b: Fraction, depth: int = HALVINGS) -> arb:
        """The integral of rho^(d-1) F' on a panel; where F' may have both signs, at most that of its size."""
        n = self.radial.dimension - 1
        depth = max(depth, FINER) if depth == HALVINGS and self._touches(a, b) else depth
        try:
            on = self.problem.on_box(a, b)
            known = bool(on.du.x.is_finite())
        except Undecided:
            known = False
        if not known:
            if not a or not depth:
                raise Undecided(Reason.JUMPS_BETWEEN())
            m = middle(a, b)
            self._must_be_smooth(m)
            return added(*(self._weight(*part, self._left(*part, depth)) for part in ((a, m), (m, b))))
        power = (ball(a) ** n).union(ball(b) ** n)
        if on.du.x >= 0 or on.du.x <= 0:
            return power * (self._height(b, True) - self._height(a, False))
        height = (on.u.x - exact(self.radial.size)).exp()
        return (power * height * on.du.x.abs_upper() * ball(b - a)).upper() * UNIT

    def _height(self, r: Fraction, left: bool) -> arb:
        """F at a radius; where it may jump just below or just above."""
        if r and r in {*self.leaps.sides, self.leaps.end}:
            near = (r * (1 - TINY), r) if left else (r, r * (1 + TINY))
            return (self.problem.on_box(*near).u.x - exact(self.radial.size)).exp()
        return _height(self.radial, r)


def _ends(x: arb) -> Share:
    return x.lower(), x.upper()


def _signed(x: Share, sign: int) -> Share:
    """What lies between two ends, and is not of the other sign."""
    low, high = x
    return (low.max(arb(0)), high) if sign > 0 else (low, high.min(arb(0))) if sign < 0 else x


def _product(x: Share, y: Share) -> Share:
    """Between what a product lies, from what its factors lie between."""
    first, *rest = (a * b for a in x for b in y)
    low, high = first.lower(), first.upper()
    for part in rest:
        low, high = low.min(part.lower()), high.max(part.upper())
    return low, high


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


def _fall(radial: RadialWeight, a: float, b: float) -> float:
    """By how much log f changes between two radii, by floats; 0 where that is not known."""
    found = abs(radial.rough(b) - radial.rough(a))
    return found if found < math.inf else 0.0


def spread(radial: RadialWeight, epsilon: Fraction, marks: Sequence[Fraction], level: Level) -> list[Fraction]:
    """About so many radii from the first mark to the last, with breaks among them: denser where there is more of f,
    the less so the larger eps, since losses above it lie further out; and where asked, where f is steep."""
    count = level.rows
    fine = [float(a + (b - a) * k / SAMPLES) for a, b in pairwise(marks) for k in range(SAMPLES)]
    fine = [x for x in fine if x] + [float(marks[-1])]
    heights = [radial.rough_weight(x) for x in fine]
    top, flat = max(heights), 4 * (1 + float(epsilon))
    sizes = [math.exp((h - top) / flat) * (b - a) for h, (a, b) in zip(heights[1:], pairwise(fine), strict=True)]
    share = sum(sizes) / len(sizes) / 20
    counts = [level.short and h > heights[-1] + NEGLIGIBLE for h in heights[:-1]]
    falls = [_fall(radial, *ends) if much else 0.0 for much, ends in zip(counts, pairwise(fine), strict=True)]
    steep = sum(sizes) * min(1 / (FALLS * float(epsilon) * count), 0.5 / sum(falls)) if any(falls) and epsilon else 0.0
    sizes = [x + share + steep * y for x, y in zip(sizes, falls, strict=True)]
    step, filled, found = sum(sizes) / count, 0.0, set[Fraction]()
    for size, (a, b) in zip(sizes, pairwise(fine), strict=True):
        for k in range(math.ceil(filled / step), math.ceil((filled + size) / step)):
            found.add(simple(a + (b - a) * (k * step - filled) / size, 16))
        filled += size
    inner = {x for x in (*found, *radial.breaks) if marks[0] < x < marks[-1]}
    return [marks[0], *sorted(inner), marks[-1]]
