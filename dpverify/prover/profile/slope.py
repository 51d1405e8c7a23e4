"""How H(t), the divergence at the shift t, changes with t, for t in a cell and any f: from where the loss exceeds eps.

With F(r) = f(r^2), L = log F and Z the integral of F over r > 0, in one dimension
  2 Z H'(t) = e^eps (int F'(r) [L(r + t) - L(r) > eps] dr  -  int F'(r) [L(|r - t|) - L(r) > eps] dr)
where F has no jump; a jump at j adds psi(F(j + t)) - psi(F(|j - t|)),
  psi(A) = (A - e^eps F(j-))_+ - (A - e^eps F(j+))_+.
Pieces on which both signs are known for every t of the cell add differences of F at their ends, exactly; others add
what F' may be at most.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Undecided, exact
from dpverify.findings import Place, Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile.generator import ORDER, RadialWeight
from dpverify.prover.profile.leaps import leaps, smooth_at
from dpverify.prover.profile.pieces import ball, middle

IN, OUT, OPEN = "f", "e", "u"
AHEAD, BACK = 1, -1
MARGIN, TINY = Fraction(1, 2**10), Fraction(1, 10**30)
FAR, MOST_PIECES, FURTHER = 4, 500, 40
BESIDE_ZEROS = Fraction(1, 2**12)
"""As a part of the finest pieces, how short they may get where nothing bounds F', as beside a zero next to which F is
patched."""
BESIDE = Fraction(1, 2**10)
"""Up to which radius heights beside the centre are those of a model."""
Box = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Cell:
    """Shifts from low to high; the pieces of radii and their letters, ahead and back, or in more than one dimension the
    rows of radii; H' on the cell, times 2 Z; where f is cut, if it is."""

    low: Fraction
    high: Fraction
    marks: tuple[Fraction, ...]
    ahead: str
    back: str
    least: arb
    most: arb
    jumps: tuple[Fraction, ...] = ()
    end: Fraction | None = None
    rows: Rows | None = None
    patches: tuple[tuple[Fraction, Fraction], ...] = ()


class Level(NamedTuple):
    """Into how many rows radii are cut; and whether none of them is longer than eps asks, where f is steep."""

    rows: int
    short: bool = False


@dataclass(frozen=True)
class Goal:
    """How closely the slopes on a cell are to be known: up to a width; or until they are shown to fall so steeply to a
    side, or to rise no more steeply than there is room for."""

    width: float
    side: int
    fall: float
    rise: float

    def met(self, cell: Cell) -> bool:
        steep = -cell.most if self.side > 0 else cell.least
        return bool(cell.most - cell.least <= self.width or steep >= self.fall or -self.rise <= steep < 0)


@dataclass(frozen=True)
class Rows:
    """Radii from 0 on, those between `start` and `end` for rho and all for |x - u|; whether log f is bounded on the
    first row."""

    radii: tuple[Fraction, ...]
    start: Fraction
    end: Fraction
    known: bool


@dataclass(frozen=True)
class Piece:
    """Radii from a to b, whether the loss exceeds eps ahead and back, and what is not known of its part of H'."""

    a: Fraction
    b: Fraction
    ahead: str
    back: str
    loose: float

    def __lt__(self, other: Piece) -> bool:
        return self.loose > other.loose


class Slopes:
    """H' on cells of shifts, for one eps; `marks` are radii from a start to an end, with all jumps among them."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction, marks: Sequence[Fraction], little: Fraction) -> None:
        self.radial = radial
        self.problem: Problem = radial.problem
        self.level, self.growth = ball(epsilon), ball(epsilon).exp()
        self.marks = list(marks)
        self.leaps, tail = leaps(radial, epsilon, self.marks, ball(little))
        self.end, self.left_out, self.jumps = self.leaps.end, self.leaps.left_out, set(self.leaps.jumps)
        self.sides = {*self.leaps.sides, self.end}
        if radial.waves:  # a checker sees nothing of a wave along nearly a whole turn, as there is between two zeros
            sides = sorted(x for x in self.leaps.sides if x in self.marks)
            self.marks = sorted({*self.marks, *(middle(a, b) for a, b in pairwise(sides))})
        if marks[0] and not smooth_at(self.problem, marks[0]):
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))
        self.ends = self._centre(marks[0]) + tail
        self.kept: dict[object, arb] = {}
        self.levels: Sequence[Level] = (Level(0),)
        self.finest = self.levels[0]

    def work(self, cells: Sequence[Cell]) -> int:
        """What cells cost a checker, where there is one way to cut radii."""
        return len(cells)

    def least_work(self, level: Level) -> int:
        return level.rows

    def _centre(self, start: Fraction) -> arb:
        """At most the variation of F on (0, start]."""
        if not start:
            return arb(0)
        germ = Germ(1 / start, ORDER)
        log = self.problem.near_zero(germ)
        rate, heights = (log.du * Model.power_of_t(germ, -1)).span(), log.u.span()
        if not (rate.low >= 0 or (rate.high <= 0 and heights.high.is_finite())):
            raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))
        least, largest = ((x - exact(self.radial.size)).exp() for x in (heights.low, heights.high))
        most = self.height(start) if rate.low >= 0 else largest
        return (most - least if heights.low.is_finite() else most).upper().max(arb(0))

    def height(self, r: Fraction, side: int = 0) -> arb:
        """F at a radius, or just beside one."""
        if not side and r:
            return self._height(r)
        if r in self.leaps.sides:
            return self.leaps.above(r) if side > 0 and r in self.jumps else self.leaps.below(r)
        near = (r or self.marks[1]) * TINY
        log = (self.problem.on_box(r, r + near) if side >= 0 else self.problem.on_box(r - near, r)).u.x
        return (log - exact(self.radial.size)).exp()

    def _height(self, r: Fraction) -> arb:
        return (self.problem.positive_log(Ball(arb(exact(r)))).x - exact(self.radial.size)).exp()

    def log(self, r: Fraction) -> arb:
        if r not in self.kept:
            self.kept[r] = self.problem.positive_log(Ball(arb(exact(r)))).x
        return self.kept[r]

    def box(self, a: Fraction, b: Fraction) -> Box:
        """A little more than (a, b), unless F may jump there."""
        reach, sides = (b - a) * MARGIN, [j for j in self.sides if j is not None]
        near = max((j for j in sides if j < a), default=Fraction(0))
        far = min((j for j in sides if j > b), default=b + 2 * reach)
        low = a if a in self.sides else max(a - reach, (a + near) / 2)
        return low, b if b in self.sides else min(b + reach, (b + far) / 2)

    # Where the loss exceeds eps

    def letter(self, side: int, a: Fraction, b: Fraction, shifts: Box) -> str:
        """Whether the loss from r to |r + side t| exceeds eps for every r of the piece and t of the cell."""
        try:
            over = self.gain(side, a, b, shifts) - self.level
        except Undecided:
            return OPEN
        return IN if over > 0 else OUT if over <= 0 else OPEN

    def gain(self, side: int, a: Fraction, b: Fraction, shifts: Box) -> arb:
        """L(|r + side t|) - L(r): of each by itself, by its slopes about the middle, and far out by those between."""
        (low, high), p = shifts, self.leaps
        mirrored = side == BACK and b <= low
        if side == BACK and not mirrored and a < high:
            around = Fraction(0), max(b - low, high - a)
            return p.on_box(*around).u.x - p.on_box(a, b).u.x
        around = (a + low, b + high) if side == AHEAD else (low - b, high - a) if mirrored else (a - high, b - low)
        here, there = p.on_box(a, b), p.on_box(*around)
        direct = there.u.x - here.u.x
        if a >= FAR * high:
            between = p.on_box(min(a, around[0]), max(b, around[1])).du.x
            shift = ball((low + high) / 2) + ball((high - low) / 2) * arb(0, 1)
            other = between * shift * side
        else:
            m, t = (a + b) / 2, (low + high) / 2
            opposite = abs(m + side * t)
            sign = -1 if mirrored else 1
            along = (there.du.x * sign - here.du.x) * ball((b - a) / 2) * arb(0, 1)
            across = there.du.x * ball((high - low) / 2) * arb(0, 1)
            other = self.log(opposite) - self.log(m) + along + across
        if not other.is_finite():
            return direct
        return other if not direct.is_finite() or other.rad() < direct.rad() else direct

    # What a cell adds up to

    def cell(self, low: Fraction, high: Fraction, goal: Goal) -> Cell:
        """H' for the shifts of a cell; pieces are cut until what is not known of them is below the goal's width, or
        they are as narrow as what the cell's width leaves open."""
        shifts, finest = (low, high), (high - low) / 8
        shortest = finest * BESIDE_ZEROS
        pieces = [self.piece(a, b, shifts) for a, b in pairwise(self.marks)]
        heapq.heapify(pieces)
        settled: list[Piece] = []
        while pieces and pieces[0].loose * len(pieces) > goal.width and len(pieces) + len(settled) < MOST_PIECES:
            worst = heapq.heappop(pieces)
            if worst.b - worst.a <= (finest if math.isfinite(worst.loose) else shortest):
                settled.append(worst)
                continue
            m = middle(worst.a, worst.b)
            for ends in ((worst.a, m), (m, worst.b)):
                heapq.heappush(pieces, self.piece(*ends, shifts))
        return self.summed(shifts, sorted([*settled, *pieces], key=lambda x: x.a))

    def piece(self, a: Fraction, b: Fraction, shifts: Box) -> Piece:
        ahead, back = (self.letter(side, a, b, shifts) for side in (AHEAD, BACK))
        if ahead == IN and self.end is not None and b + shifts[1] > self.end:
            ahead = OPEN
        count = (ahead == OPEN) + (back == OPEN)
        if not count and ahead == back:
            return Piece(a, b, ahead, back, 0.0)
        steep = self.steepest(a, b)
        if not steep.is_finite():
            return Piece(a, b, OPEN, OPEN, math.inf)
        return Piece(a, b, ahead, back, float((steep * ball(b - a)).upper()) * count)

    def steepest(self, a: Fraction, b: Fraction) -> arb:
        """At most |F'| on a piece."""
        return self.change(a, b).abs_upper()

    def change(self, a: Fraction, b: Fraction) -> arb:
        """F' on a piece, and a little beyond it unless F may jump there; not finite where no bound is known."""
        if self.leaps.patched(a, b):
            return arb(0)
        try:
            on = self.leaps.on_box(*self.box(a, b))
        except Undecided:
            return arb.pos_inf()
        return on.du.x * (on.u.x - exact(self.radial.size)).exp()

    def summed(self, shifts: Box, pieces: list[Piece]) -> Cell:
        low = high = arb(0)
        for (ahead, back), run in groupby(pieces, key=lambda x: (x.ahead, x.back)):
            members = list(run)
            if OPEN in (ahead, back):
                for x in members:
                    down, up = self.open(x)
                    low, high = low + down, high + up
            elif ahead != back:
                rise = self.rise(members) * (1 if ahead == IN else -1)
                low, high = low + rise, high + rise
        off = self.growth * self.ends
        low, high = low * self.growth - off, high * self.growth + off
        for j in self.jumps:
            jump = self.jump(j, shifts)
            low, high = low + jump, high + jump
        letters = ["".join(x) for x in zip(*((x.ahead, x.back) for x in pieces), strict=True)]
        marks = (pieces[0].a, *(x.b for x in pieces))
        more = self.leaps
        ends = low.lower(), high.upper()
        return Cell(*shifts, marks, letters[0], letters[1], *ends, more.jumps, more.end, None, more.patches)

    def open(self, x: Piece) -> tuple[arb, arb]:
        """Between what a piece adds where a letter is open: at most |F'| each way, of one sign where F' has one."""
        (a, b), counts = (x.a, x.b), [0, 0]
        for letter, side in ((x.ahead, AHEAD), (x.back, BACK)):
            counts[0] += min(0, side) if letter == OPEN else side * (letter == IN)
            counts[1] += max(0, side) if letter == OPEN else side * (letter == IN)
        slope = self.change(a, b) * ball(b - a)
        if not slope.is_finite():
            return arb.neg_inf(), arb.pos_inf()
        ends = [slope.lower() * c for c in counts] + [slope.upper() * c for c in counts]
        low, high = ends[0], ends[0]
        for end in ends[1:]:
            low, high = low.min(end), high.max(end)
        return low, high

    def rise(self, run: list[Piece]) -> arb:
        """F at the end of a run less F at its start, jumps inside apart."""
        total = arb(0)
        start = run[0].a
        for x in run:
            if x.b in self.jumps or x is run[-1]:
                first = self.height(start, 1 if start in self.jumps else 0)
                beside = x.b in self.jumps or x.b == self.end
                total = total + self.height(x.b, -1 if beside else 0) - first
                start = x.b
        return total

    def heights(self, a: Fraction, b: Fraction) -> tuple[arb, arb]:
        """Between what F1 lies on an open box; beside the centre by its model there, as it may tend to 0 or to oo."""
        if not a:
            start = min(b, BESIDE, *self.radial.breaks) / 2
            log = self.problem.near_zero(Germ(1 / start, ORDER)).u.span()
            low, high = ((x - exact(self.radial.size)).exp() for x in (log.low, log.high))
            least, most = self.heights(start, b)
            return least.min(low.lower()), most.max(high.upper())
        try:
            found = (self.leaps.log_bounds(a, b) - exact(self.radial.size)).exp()
        except Undecided:
            return arb(0), self.leaps.most(a, b)
        return found.lower(), found.upper()

    def jump(self, j: Fraction, shifts: Box) -> arb:
        """psi(F(j + t)) - psi(F(|j - t|)) for every t of the cell."""
        before, after = (self.height(j, side) * self.growth for side in (-1, 1))
        total = arb(0)
        for side in (AHEAD, BACK):
            low, high = sorted(abs(j + side * t) for t in shifts)
            low = Fraction(0) if side == BACK and shifts[0] < j < shifts[1] else low
            spans = [(arb(0), arb(0))] if self.end is not None and high > self.end else []
            high = high if self.end is None else min(high, self.end)
            marks = [low, *sorted(x for x in self.leaps.sides if low < x < high), high]
            spans += [self.heights(a, b) for a, b in pairwise(marks)] if low < high else []
            lowest, highest = spans[0]
            for least, largest in spans[1:]:
                lowest, highest = lowest.min(least), highest.max(largest)
            most = before.upper().max(after.upper())  # from which on psi, which is monotone, is constant
            ends = [(x - before).max(arb(0)) - (x - after).max(arb(0)) for x in (lowest.min(most), highest.min(most))]
            total = total + side * ends[0].union(ends[1])
        return total
