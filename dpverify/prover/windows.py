"""The loss over all shifts at once, by the heights of log f on the boxes that a window of radii meets.

A box of radii and all radii up to delta beyond it: where log f on the one and on the other differ by no more than the
goal, no shift needs to be looked at.  Boxes of heights are halved where that decides, so that a narrow place, at
which f is small, is looked at closely once and not for each radius that is delta away from it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf, nan, nextafter

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.prover.cover import NARROWEST, Box
from dpverify.prover.problem import Problem, nearest

MOST_HALVED, MOST_BOXES = 400, 12_000
SEEN, NOISE = 1e-9, 1e-11
"""By how much of the goal, and of heights, a loss that floats see is above it."""
CLOSE = Fraction(1, 2**8)
"""How narrow a box of radii is, beside its end, that is not halved for the sake of its own height."""


class Exceeded(Exception):
    """A radius and a shift whose loss floats see above the goal: the largest loss is another than the one known."""

    def __init__(self, r: Fraction, shift: Fraction) -> None:
        super().__init__(r, shift)
        self.r, self.shift = r, shift


class Windows:
    """Heights of log f on boxes that adjoin, and whether a box of radii is settled by them."""

    def __init__(self, problem: Problem, marks: Sequence[Fraction], goal: arb) -> None:
        self.problem, self.marks, self.rough = problem, list(marks), problem.rough_log()
        self.goal = nextafter(float(goal.lower()), -inf)
        heights = [self._height(a, b) for a, b in pairwise(self.marks)]
        self.lows, self.highs = [low for low, _ in heights], [high for _, high in heights]
        self.used, self._last = False, ((Fraction(0), Fraction(0)), (nan, nan, nan))

    def _height(self, a: Fraction, b: Fraction) -> tuple[float, float]:
        """Bounds of log f on the open box, rounded outward; infinite where there are none."""
        try:
            span = self.problem.log_bounds(a, b)
        except Undecided:
            return -inf, inf
        if not span.is_finite():
            return -inf, inf
        low, high = (float(arb(end)) for end in (span.lower(), span.upper()))
        return nextafter(nextafter(low, -inf), -inf), nextafter(nextafter(high, inf), inf)

    def settle(self, box: Box) -> bool | None:
        """Whether the loss stays below the goal for all shifts; None where it may on a narrower box.

        Raises Exceeded where floats see a loss above the goal.
        """
        here, floor, ceiling = self._around(box)
        narrow = box[1] - box[0] < CLOSE * box[1]
        if not floor <= here <= ceiling:
            return False if narrow else None
        end = box[1] + self.problem.delta
        for _ in range(MOST_HALVED):
            first, last = bisect_right(self.marks, box[0]) - 1, bisect_left(self.marks, end)
            worst = self._worst(first, last, floor, ceiling) if first >= 0 and last < len(self.marks) else -1
            if worst is None:
                self.used = True
                return True
            if worst < 0 or not self._divisible(worst, Fraction(0)):
                return False
            middle = (self.marks[worst] + self.marks[worst + 1]) / 2
            there = self.rough(nearest(middle))
            shift = middle - (box[0] + box[1]) / 2
            beyond = abs(there - here) - self.goal
            if 0 < shift <= self.problem.delta and beyond > SEEN * self.goal + NOISE * (abs(here) + abs(there) + 1):
                raise Exceeded(middle - shift, shift)
            if box[0] < middle < end and not floor <= there <= ceiling:
                return False if narrow or not abs(there - here) <= self.goal else None
            self._halve(worst, middle)
        return False

    def reach(self, box: Box, start: Fraction) -> Fraction:
        """The longest shift up to which the loss stays below the goal, from the shift `start`, for which it may not."""
        _, floor, ceiling = self._around(box)
        i = bisect_right(self.marks, box[0] + start) - 1
        while 0 <= i < len(self.lows) and self.marks[i] < box[1] + self.problem.delta:
            if floor <= self.lows[i] and self.highs[i] <= ceiling:
                i += 1
                continue
            middle = (self.marks[i] + self.marks[i + 1]) / 2
            if not (floor <= self.rough(nearest(middle)) <= ceiling and self._divisible(i, box[1] - box[0])):
                break
            self._halve(i, middle)
            i = bisect_right(self.marks, box[0] + start) - 1 if self.marks[i] <= box[0] + start else i
        found = min(self.problem.delta, self.marks[i] - box[1]) if i >= 0 else start
        self.used |= found > start
        return max(start, found)

    def _around(self, box: Box) -> tuple[float, float, float]:
        """About log f in the middle of a box, and between which bounds it may be elsewhere."""
        if self._last[0] != box:
            low, high = self._height(*box)
            floor, ceiling = nextafter(high - self.goal, inf), nextafter(low + self.goal, -inf)
            self._last = box, (self.rough(nearest((box[0] + box[1]) / 2)), floor, ceiling)
        return self._last[1]

    def _divisible(self, i: int, width: Fraction) -> bool:
        a, b = self.marks[i], self.marks[i + 1]
        return b - a > max(width, NARROWEST * b) and len(self.marks) <= MOST_BOXES

    def _worst(self, first: int, last: int, floor: float, ceiling: float) -> int | None:
        """The box of the window whose height is the furthest out of bounds; None where all are within."""
        lowest, highest = min(self.lows[first:last]), max(self.highs[first:last])
        if lowest >= floor and highest <= ceiling:
            return None
        if floor - lowest > highest - ceiling:
            return self.lows.index(lowest, first, last)
        return self.highs.index(highest, first, last)

    def _halve(self, i: int, middle: Fraction) -> None:
        a, b = self.marks[i], self.marks[i + 1]
        (low, high), (low_beyond, high_beyond) = self._height(a, middle), self._height(middle, b)
        self.marks.insert(i + 1, middle)
        self.lows[i : i + 1], self.highs[i : i + 1] = [low, low_beyond], [high, high_beyond]
