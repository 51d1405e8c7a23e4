"""The largest loss |phi_h| that a search over radii and shifts sees: a lower bound of epsilon, and its witness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.outcome import Witness
from dpverify.prover.cover import boxes_of
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.supremum import Radius, seen_by_floats, stationary

WITNESS_BITS = 80, 140
CENTRE_BITS = 200
A_WAVE, MOST_SHIFTS, BEST = 16, 128, 4

Start = tuple[Fraction, Fraction, Fraction]
"""A radius, a shift, and how far the first step of a climb from there goes."""


class Ridge:
    """The largest |phi_h| seen so far, and where."""

    def __init__(self, problem: Problem, tolerance: Fraction) -> None:
        self.problem, self.rough = problem, seen_by_floats(problem, tolerance)
        self.log_f = problem.rough_log()
        self.value = arb(0)
        self.witness: Witness | None = None

    def height(self, r: Radius, h: Radius) -> float | arb:
        """|phi_h(r)|, about: to compare, not to state."""
        if isinstance(r, float):
            height = abs(self.log_f(r) - self.log_f(r + h))
            return height if math.isfinite(height) else -math.inf
        try:
            loss = abs(self.problem.loss_at(r, Fraction(h))).mid()
        except Undecided:
            return arb.neg_inf()
        return loss if loss.is_finite() else arb.neg_inf()

    def number(self, r: Fraction) -> Radius:
        """A radius or a shift in the numbers that are quick enough for the tolerance."""
        return nearest(r) if self.rough else r

    def offer(self, r: Fraction, h: Fraction) -> None:
        """Raise the lower bound by the loss on a small box at r, where that is proved larger."""
        for bits in WITNESS_BITS:  # beside a jump only a narrower box lies on one side of it
            box = (r, r + r / 2**bits)
            try:
                value = abs(self.problem.loss(*box, h))
            except Undecided:
                continue
            if value.is_finite() and (self.witness is None or value.lower() > self.value.lower()):
                self.value, self.witness = value, Witness("box", box, h)

    def climb(self, start: Start, steps: int) -> None:
        """Compass search in (r, h): cheap, and only a lower bound hangs on it."""
        delta = self.number(self.problem.delta)
        r, h, step_r = map(self.number, start)
        step_h = delta / 8
        best = self.height(r, h)
        for _ in range(steps):
            moves = [(r + step_r, h), (r - step_r, h), (r, h + step_h), (r, h - step_h)]
            moves += [(r + s, h - s) for s in (step_r, -step_r, step_h, -step_h)]  # where r + h stays at a jump
            old_r, old_h = r, h
            for s, k in moves:
                k = min(k, delta)
                if s > 0 and k > 0:
                    height = self.height(s, k)
                    if height > best:
                        best, r, h = height, s, k
            if max(r, old_r) - min(r, old_r) < step_r / 2:  # steps of a tiny shift alone lead nowhere
                step_r = step_r / 2
            if (r, h) == (old_r, old_h):
                step_h = step_h / 2
        if math.isfinite(r):
            self.offer(Fraction(r), self.problem.delta if h >= delta else Fraction(h))
            if 2 * h > delta and isinstance(r, float) and (top := stationary(self.problem, r)) > 0:
                self.offer(top, self.problem.delta)


def climbing_steps(tolerance: Fraction) -> int:
    """How many steps a climb takes at most."""
    return 20 + 2 * (1 / tolerance).numerator.bit_length()


def climb_everywhere(ridge: Ridge, points: Sequence[Fraction], tolerance: Fraction) -> None:
    """Climb from the best of a grid of radii and shifts."""
    climb_from(ridge, _everywhere(points, ridge.problem.delta), climbing_steps(tolerance))


def climb_from(ridge: Ridge, grid: Sequence[Start], steps: int, best: int = 1) -> None:
    """Climb from the best few of a grid."""
    heights = [ridge.height(ridge.number(r), ridge.number(h)) for r, h, _ in grid]
    for i in sorted(range(len(grid)), key=heights.__getitem__, reverse=True)[:best]:
        r, h, _ = grid[i]
        ridge.offer(r, h)
        ridge.climb(grid[i], steps)


def _everywhere(points: Sequence[Fraction], delta: Fraction) -> list[Start]:
    radii = [(a + (b - a) * k / 4, (b - a) / 4) for a, b in boxes_of(points) for k in range(4)]
    return [(r, delta * k / 8, reach) for r, reach in radii for k in range(1, 9)]


def at_the_centre(points: Sequence[Fraction], delta: Fraction) -> list[Start]:
    """One radius so small that g has its limit there, however steep it is."""
    r = points[0] / 2**CENTRE_BITS
    return [(r, h, r / 2) for h in [*(h for h in points if h < delta), *(delta * k / 8 for k in range(1, 9))]]


def within_a_wave(start: Fraction, period: Fraction, delta: Fraction) -> list[Start]:
    """A period of radii, and the shifts within one, since each wave has its ridge."""
    count = min(MOST_SHIFTS, max(8, math.ceil(A_WAVE * delta / period)))
    radii = [start + period * j / A_WAVE for j in range(A_WAVE)]
    return [(r, delta * k / count, period / A_WAVE) for r in radii for k in range(1, count + 1)]
