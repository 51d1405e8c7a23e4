"""delta(eps) for an f that rises somewhere: the supremum of H(t), the divergence at the shift t, over 0 < t <= s.

Floats find the local maxima of H, and H is enclosed there.  From each H' carries the bound down to the feet of its
hump, over cells of shifts: on most its sign is all that counts, so that only those about the worst shift are narrow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.deadline import OutOfShare, share
from dpverify.enclosures import Undecided, precision
from dpverify.findings import Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile.anywhere import Anywhere
from dpverify.prover.profile.divergence import Accuracy, Divergence, Profile, Tick, at_least, at_most
from dpverify.prover.profile.generator import RadialWeight, bisected
from dpverify.prover.profile.joints import Step
from dpverify.prover.profile.layers import Layer
from dpverify.prover.profile.line import Stretch
from dpverify.prover.profile.mass import Mass
from dpverify.prover.profile.pieces import ball, simple, total
from dpverify.prover.profile.slope import Cell, Goal, Slopes
from dpverify.prover.profile.turning import Turns

BITS, GRID, FINE = 120, 48, 40
LEAST_FINE, MOST_RADII = 6, 2500
BESIDE, LARGEST = 1e-13, 700
COARSE, SHARE = Fraction(1, 20), Fraction(1, 3)
"""How closely H is enclosed for a rough bound, and in which part of the time left."""
CLOSELY, FALLS, ROOM = 1 / 4, 1 / 8, 15 / 16
"""As parts of what a slope is about: how closely it is to be known, and as how steep a fall it is close enough; and the
part of the room left, per length of the way left, that a rise may take."""
HARDLY, MOST_ALIKE = 0.9, 3
"""From which part of what a slope was on a cell four times as wide on that has hardly changed, and how often in a row
that may be: then radii have to be cut into more."""
MARGIN = 1 / 16
"""By which part of what a slope is unknown it is taken to be steeper, where a checker knew slopes less well."""
LOW = 1e-3
"""As a part of the highest, how high a hump is at least that H is enclosed at: bounds carried from others suffice for
those below."""
NEAR = 1e-4
"""As a part of the longest shift, from where on floats have to know f."""
MOST_CELLS, FEW_CELLS, NARROWEST = 150, 50, Fraction(1, 2**40)
RISING = "Theorem E"


@dataclass(frozen=True)
class Hump:
    """A shift at which H has, by floats, a local maximum, between the shifts at its feet; about H there."""

    shift: Fraction
    low: Fraction
    high: Fraction
    height: float


@dataclass(frozen=True)
class Anchor:
    """A shift, the stretches, or layers and joints, that enclose H there, and Z H there between two bounds."""

    shift: Fraction
    stretches: tuple[Stretch, ...]
    least: arb
    most: arb
    layers: tuple[Layer, ...] = ()
    joints: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Worst:
    """Shifts at which H is enclosed, and the cells that carry bounds from these to all others."""

    anchors: tuple[Anchor, ...]
    cells: tuple[Cell, ...]


class Rising(Profile):
    """The profile of a generator in one dimension whose hypotheses are proved but that it does not rise.

    Where an enclosure as narrow as asked is not found, a wider one is given, `looser` times at a time."""

    theorem = RISING
    looser = 10_000

    def __init__(
        self, problem: Problem, pure: tuple[Fraction, Fraction] | None, tick: Tick = lambda step: None
    ) -> None:
        super().__init__(problem, pure, tick)
        self._best: dict[Fraction, tuple[Anchor, Accuracy]] = {}
        self._searches: dict[Fraction, tuple[Search, list[Hump]]] = {}

    def _searched(self, epsilon: Fraction) -> tuple[Search, list[Hump]]:
        """Where H is largest, by floats: for all accuracies the same."""
        if epsilon > LARGEST:
            raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
        if epsilon not in self._searches:
            search = self._search(epsilon)
            self._searches[epsilon] = search, search.humps()
        return self._searches[epsilon]

    def _at(self, epsilon: Fraction, accuracy: Accuracy) -> Divergence:
        search, humps = self._searched(epsilon)
        best = max(hump.height for hump in humps)
        if not best > 0:
            raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
        anchors = [self._anchor(epsilon, hump.shift, _enough(accuracy, best, hump.height)) for hump in humps]
        self._best[epsilon] = max(anchors, key=lambda x: float(x.least)), accuracy
        top, cells = self._covered(epsilon, search, list(zip(humps, anchors, strict=True)), accuracy.tolerance)
        with precision(accuracy.bits):
            mass = self.mass(accuracy)
            lower = max(at_least(x.least / mass[1]) for x in anchors)
            upper = at_most(top / mass[0])
        worst = Worst(tuple(anchors), tuple(cells))
        return Divergence(epsilon, lower, min(upper, Fraction(1)), accuracy=accuracy, worst=worst)

    def roughly(self, epsilon: Fraction) -> Divergence | None:
        """The same, and H at the shift at which it is largest, by floats, though no bound of it at the others."""
        found = super().roughly(epsilon)
        if found is None or found.rough is None:
            return found
        try:
            with share(SHARE):
                if epsilon not in self._best:
                    self._best[epsilon] = self._largest(epsilon, Accuracy.of(COARSE))
                anchor, accuracy = self._best[epsilon]
                with precision(accuracy.bits):
                    lower = at_least(anchor.least / self.mass(accuracy)[1])
        except (Undecided, OutOfShare):
            return found
        return replace(found, lower=lower, accuracy=accuracy, rough=replace(found.rough, anchor=anchor))

    def about(self, epsilon: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
        """H at the shift at which it is largest, by floats; no other shift is looked at."""
        anchor, accuracy = self._largest(epsilon, Accuracy.of(tolerance))
        with precision(accuracy.bits):
            mass = self.mass(accuracy)
            return at_least(anchor.least / mass[1]), at_most(anchor.most / mass[0])

    def _largest(self, epsilon: Fraction, accuracy: Accuracy) -> tuple[Anchor, Accuracy]:
        """H where it is largest, by floats."""
        best = max(self._searched(epsilon)[1], key=lambda hump: hump.height)
        if not best.height > 0:
            raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
        return self._anchor(epsilon, best.shift, accuracy), accuracy

    def _search(self, epsilon: Fraction) -> Search:
        return Search(self.radial(), epsilon)

    def slopes(self, epsilon: Fraction, marks: list[Fraction], little: Fraction) -> Slopes | Turns:
        """H' on cells of shifts, from radii from a start to an end; `little` of Z H may be left out."""
        return Slopes(self.radial(), epsilon, marks, little)

    def anchor(self, epsilon: Fraction, shift: Fraction, accuracy: Accuracy) -> Anchor:
        """H at one shift; raises Undecided where it is not shown positive."""
        return self._anchor(epsilon, shift, accuracy)

    def _anchor(self, epsilon: Fraction, shift: Fraction, accuracy: Accuracy) -> Anchor:
        with precision(accuracy.bits):
            radial = self.radial(replace(self.problem, delta=shift, _models={}))
            line = Anywhere(radial, epsilon, accuracy.order, lambda: self.tick("delta(eps)"))
            stretches = line.stretches(accuracy.tolerance / 5, fewer=accuracy.fewer)
            low, high = (x / 2 for x in total(stretches))
            if not low > 0:
                raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
            return Anchor(shift, tuple(stretches), low.lower(), high.upper())

    def _covered(
        self, epsilon: Fraction, search: Search, parts: list[tuple[Hump, Anchor]], tolerance: Fraction
    ) -> tuple[arb, list[Cell]]:
        """At most Z H(t), 0 < t <= s, and the cells that show it."""
        with precision(BITS):
            failure: Undecided | None = None
            while tolerance < 1:
                try:
                    return March(self, epsilon, search, parts, tolerance).covered()
                except Undecided as error:
                    failure, tolerance = error, tolerance * self.looser
            raise failure or Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))


def _enough(accuracy: Accuracy, best: float, height: float) -> Accuracy:
    """How finely to enclose H at a hump, whose height is not to be taken for that of the best."""
    gap = Fraction((best - height) / best / 8)
    return accuracy if gap <= accuracy.tolerance else Accuracy.of(min(gap, Fraction(1, 100)))


class March:
    """Cells from each hump down to its feet, as wide as the bound allows that is carried along."""

    def __init__(
        self,
        profile: Rising,
        epsilon: Fraction,
        search: Search,
        parts: list[tuple[Hump, Anchor]],
        tolerance: Fraction,
    ) -> None:
        radial, self.tick, self.search, self.parts = profile.radial(), profile.tick, search, parts
        self.s = radial.shift
        best = max((x.least for _, x in parts), key=float)
        self.target = best * (1 + ball(tolerance) / 2)
        for _, x in parts:
            self.target = self.target.max(x.most + best * ball(tolerance) / 2)
        scale = float(best)
        self.loss = scale * float(tolerance) / 8
        mass = Mass(radial, 12, lambda: None)
        start = mass.start(Fraction(1, 100))
        start = min(start, self.s / 2**12) if start else start
        small = Fraction(simple(max(scale, 1e-290)) / 10**7)
        little = Fraction(simple(max(scale * float(tolerance), 1e-290))) / 16
        self.slopes = profile.slopes(epsilon, mass.marks(small, start), little)
        self.target = self.target - self.slopes.left_out
        self.margin = arb(0) if profile.fewer else MARGIN
        self.count, self.most, self.last = 0, MOST_CELLS, True

    def covered(self) -> tuple[arb, list[Cell]]:
        """At most Z H on all cells, and these in order: those that are the least work of what is tried, as more cells
        may do with fewer radii."""
        best: tuple[int, tuple[arb, list[Cell]]] | None = None
        failure: Undecided | None = None
        levels = self.slopes.levels
        for level in levels:
            if best is not None and best[0] <= self.slopes.least_work(level):
                break
            self.slopes.finest, self.count = level, 0
            self.last = level == levels[-1]
            self.most = MOST_CELLS if self.last else FEW_CELLS
            try:
                found = self._covered()
            except Undecided as error:
                failure = error
                continue
            work = self.slopes.work(found[1])
            if best is None or work < best[0]:
                best = work, found
        if best is None:
            raise failure or Undecided(Reason.SHIFTS_NOT_COVERED())
        return best[1]

    def _covered(self) -> tuple[arb, list[Cell]]:
        cells: list[Cell] = []
        top = arb(0)
        for hump, anchor in self.parts:
            for end in (hump.low, hump.high):
                found, most = self._march(anchor, end)
                cells += found
                top = top.max(most)
        top = top + self.slopes.left_out
        return top.upper(), sorted(cells, key=lambda c: c.low)

    def _march(self, anchor: Anchor, end: Fraction) -> tuple[list[Cell], arb]:
        """Cells from an anchor to one end, and at most Z H on them."""
        cells: list[Cell] = []
        here, bound, top = anchor.shift, anchor.most, anchor.most
        side = 1 if end > here else -1
        width, before, alike = abs(end - here), math.inf, 0
        while here != end:
            width = min(width, abs(end - here))
            there = here + side * width
            room = float((self.target - bound).lower()) / float(abs(end - here))
            cell = self._cell(min(here, there), max(here, there), side, room)
            rate = (cell.most if side > 0 else -cell.least) + self.margin * (cell.most - cell.least)
            after = bound + rate * ball(width) / 2
            if after.is_finite() and after <= self.target:
                cells.append(cell)
                top = top.max(after)
                here, bound, width = there, after.upper(), width * 2
                before, alike = math.inf, 0
            else:
                width, steep = _short(width / 4), float(rate)
                alike = alike + 1 if steep > before * HARDLY else 0
                before = steep
                if alike == MOST_ALIKE and not self.last:
                    raise Undecided(Reason.SHIFTS_NOT_COVERED())
                if width < self.s * NARROWEST:
                    raise Undecided(Reason.SHIFTS_NOT_COVERED())
        return cells, top.upper()

    def _cell(self, low: Fraction, high: Fraction, side: int, room: float) -> Cell:
        """The slopes on a cell: as closely as counts there, what is carried along to a side having so much room on the
        way."""
        self.tick("the shifts")
        self.count += 1
        if self.count > self.most * len(self.parts):
            raise Undecided(Reason.SHIFTS_NOT_COVERED())
        about = max(abs(self.search.slope(float(t))) for t in (low, high) if t)
        width = max(about * CLOSELY, room / 2, self.loss / float(high - low))
        return self.slopes.cell(low, high, Goal(width, side, about * FALLS, 2 * room * ROOM))


def _short(x: Fraction) -> Fraction:
    return simple(float(x), 8)


class Search:
    """Over floats: about where H is largest."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction) -> None:
        self.rough, self.level, self.s = radial.rough, float(epsilon), float(radial.shift)
        self.size, self.shift = float(radial.size), radial.shift
        marks = [float(x) for x in Mass(radial, 12, lambda: None).marks(Fraction(1, 10**18), Fraction(0))]
        near = {k * self.s / FINE for k in range(1, 4 * FINE)}
        seconds = {b for _, b in radial.brackets}
        firsts = [j for b in radial.breaks if b not in seconds and (j := float(b)) < marks[-1]]
        self.jumps = [(j * (1 - BESIDE), j * (1 + BESIDE)) for j in firsts]
        beside = {x for pair in self.jumps for x in pair}
        parts = max(LEAST_FINE, min(FINE, MOST_RADII // len(marks)))
        apart = [(a, b) for a, b in pairwise(marks) if b - a > 4 * BESIDE * b]
        fine = {a + (b - a) * k / parts for a, b in apart for k in range(parts)}
        self.radii = sorted({*near, *fine, *beside} - {0.0, *map(float, radial.breaks)})
        self.heights = [self.log(r) for r in self.radii]

    def log(self, r: float) -> float:
        """log f; so near the centre that floats do not tell, that at the next radius at which they do."""
        found = self.rough(r)
        while math.isnan(found) and r < self.s * NEAR:
            r *= 16
            found = self.rough(r)
        return found

    def humps(self) -> list[Hump]:
        """Where H is largest, and where it has other local maxima."""
        grid = [self.shift * k / GRID for k in range(GRID + 1)]
        slopes = [0.0, *(self.slope(float(t)) for t in grid[1:])]
        heights = [0.0]
        for a, b in pairwise(slopes):
            heights.append(heights[-1] + (a + b) / 2 * self.s / GRID)
        tops = [k for k in range(1, GRID + 1) if _top(heights, k)] or [GRID]
        least = max(heights[k] for k in tops) * LOW
        tops = [k for k in tops if heights[k] >= least] or [GRID]
        feet = [0, *(min(range(a, b + 1), key=lambda i: heights[i]) for a, b in pairwise(tops)), GRID]
        return [
            Hump(self._refined(grid, slopes, k), grid[a], grid[b], heights[k])
            for k, (a, b) in zip(tops, pairwise(feet), strict=True)
        ]

    def _refined(self, grid: list[Fraction], slopes: list[float], k: int) -> Fraction:
        """The top near a place of the grid, in few digits."""
        if k == GRID and slopes[k] >= 0:
            return self.shift
        ends = float(grid[k - 1]), float(grid[min(k + 1, GRID)])
        root = bisected(*ends, lambda t: t > 0 and self.slope(t) <= 0)
        return self.shift * Fraction(round(Fraction(root) / self.shift * 2**44), 2**44)

    def slope(self, t: float) -> float:
        """About 2 Z H'(t)."""
        growth = math.exp(self.level)
        smooth = growth * (self._part(lambda r: r + t) - self._part(lambda r: abs(r - t)))
        return smooth + sum(self._jump(j, k, t) for j, k in self.jumps)

    def _part(self, there: Callable[[float], float]) -> float:
        """The integral of F' over the radii from which the loss exceeds eps, jumps apart."""

        def over(r: float, height: float) -> bool:
            return self.log(max(there(r), 1e-300)) - height > self.level

        def height(r: float) -> float:
            return math.exp(self.log(r) - self.size)

        apart = set(self.jumps)
        flags = [over(r, h) for r, h in zip(self.radii, self.heights, strict=True)]
        total = -height(1e-12) if flags[0] else 0.0
        for k, (a, b) in enumerate(pairwise(self.radii)):
            before, flag = flags[k], flags[k + 1]
            if (a, b) in apart:
                total += before * height(a) - flag * height(b)
            elif flag != before:
                edge = bisected(a, b, lambda r, to=flag: over(r, self.log(r)) == to)  # type: ignore[misc]
                total += (-1 if flag else 1) * height(edge)
        return total

    def _jump(self, before: float, after: float, t: float) -> float:
        """psi(F(j + t)) - psi(F(|j - t|)) at a jump j."""
        low, high = (math.exp(self.level + self.log(x) - self.size) for x in (before, after))
        total = 0.0
        for side in (1, -1):
            there = math.exp(self.log(max(abs(before + side * t), 1e-300)) - self.size)
            total += side * (max(0.0, there - low) - max(0.0, there - high))
        return total


def _top(heights: list[float], k: int) -> bool:
    """Whether a height is larger than those before it, and no smaller than the next."""
    return heights[k] > heights[k - 1] and (k == len(heights) - 1 or heights[k] >= heights[k + 1])
