"""delta(eps) for an f that rises somewhere: the supremum of H(t), the divergence at the shift t, over 0 < t <= s.

H is enclosed at one shift, about the worst, which floats find.  From there H' carries bounds over cells of shifts in
both directions, and from H(0) = 0 upward: on most cells its sign is all that counts, so that only the cell about the
worst shift has to be narrow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.findings import Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile.anywhere import Anywhere
from dpverify.prover.profile.divergence import Accuracy, Divergence, Profile, Tick
from dpverify.prover.profile.generator import Radial, bisected
from dpverify.prover.profile.line import Stretch
from dpverify.prover.profile.mass import Mass
from dpverify.prover.profile.pieces import ball, simple, total
from dpverify.prover.profile.slope import Cell, Slopes

BITS, GRID, FINE = 120, 48, 40
MOST_CELLS, NARROWEST = 150, Fraction(1, 2**40)
LOOSER = 10_000
RISING = "Theorem E"


@dataclass(frozen=True)
class Worst:
    """A shift with the stretches that enclose H there, and the cells that show it the worst, or nearly."""

    shift: Fraction
    stretches: tuple[Stretch, ...]
    cells: tuple[Cell, ...]


class Rising(Profile):
    """The profile of a generator in one dimension whose hypotheses are proved but that it does not rise.

    Where an enclosure as narrow as asked is not found, a wider one is given."""

    theorem = RISING

    def __init__(self, problem: Problem, pure: tuple[Fraction, Fraction] | None, tick: Tick = lambda step: None) -> None:
        super().__init__(problem, pure, tick)
        if problem.dimension != 1:
            raise Undecided(Reason.RISES_IN_SPACE())

    def _at(self, epsilon: Fraction, accuracy: Accuracy) -> Divergence:
        shift, rough = Search(self.radial(), epsilon).worst()
        if not rough > 0:
            raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
        with precision(accuracy.bits):
            mass = self.mass(accuracy)
            radial = Radial(replace(self.problem, delta=shift, _models={}), self.breaks)
            line = Anywhere(radial, epsilon, accuracy.order, lambda: self.tick("delta(eps)"))
            stretches = line.stretches(accuracy.tolerance / 5)
            low, high = (x / 2 for x in total(stretches))
            if not low > 0:
                raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
        top, cells = self._covered(epsilon, shift, (low, high), accuracy.tolerance)
        with precision(accuracy.bits):
            lower, upper = fraction_below((low / mass[1]).lower()), fraction_above((top / mass[0]).upper())
        found = Worst(shift, tuple(stretches), tuple(cells))
        return Divergence(epsilon, lower, min(upper, Fraction(1)), accuracy=accuracy, worst=found)

    def _covered(
        self, epsilon: Fraction, shift: Fraction, anchor: tuple[arb, arb], tolerance: Fraction
    ) -> tuple[arb, list[Cell]]:
        """At most Z H(t), t <= s, and the cells that show it; Z H at the shift named lies between two."""
        with precision(BITS):
            failure: Undecided | None = None
            while tolerance < 1:
                for strict in (False, True):
                    try:
                        return March(self, epsilon, shift, anchor, tolerance, strict).covered()
                    except Undecided as error:
                        failure = error
                tolerance *= LOOSER
            raise failure or Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))


class March:
    """Cells from the worst shift to both ends, as wide as the bound allows that is carried along; narrower ones where
    `strict`, so that something is left for a second hump."""

    def __init__(
        self,
        profile: Rising,
        epsilon: Fraction,
        shift: Fraction,
        anchor: tuple[arb, arb],
        tolerance: Fraction,
        strict: bool,
    ) -> None:
        self.strict = strict
        self.radial, self.tick, self.shift = profile.radial(), profile.tick, shift
        self.s = self.radial.shift
        self.most = anchor[1]
        self.target = anchor[1] + anchor[0] * ball(tolerance) / 2
        scale = float(anchor[0].mid())
        self.search, self.loss = Search(self.radial, epsilon), scale * float(tolerance) / 8
        mass = Mass(self.radial, 12, lambda: None)
        start = mass.start(Fraction(1, 100))
        start = min(start, self.s / 2**12) if start else start
        small = Fraction(simple(max(scale, 1e-290)) / 10**7)
        self.slopes = Slopes(self.radial, epsilon, mass.marks(small, start))
        self.count = 0

    def covered(self) -> tuple[arb, list[Cell]]:
        left, low = self._march(-1)
        right, high = self._march(1)
        return low.max(high), [*reversed(left), *right]

    def _march(self, side: int) -> tuple[list[Cell], arb]:
        """Cells from the worst shift to one end, and at most Z H on them."""
        cells: list[Cell] = []
        here, bound, top = self.shift, self.most, self.most
        end = self.s if side > 0 else Fraction(0)
        width = abs(end - here)
        while here != end:
            width = min(width, abs(end - here))
            there = here + side * width
            cell = self._cell(min(here, there), max(here, there))
            rate = cell.most if side > 0 else -cell.least
            after = bound + rate * ball(width) / 2
            if after.is_finite() and after <= self.target and self._close(cell, bound, width / abs(end - here)):
                cells.append(cell)
                top = top.max(after)
                here, bound, width = there, after.upper(), width * 2
            else:
                width = _short(width / 4)
                if width < self.s * NARROWEST:
                    raise Undecided(Reason.SHIFTS_NOT_COVERED())
        return cells, top.upper()

    def _close(self, cell: Cell, bound: arb, share: Fraction) -> bool:
        """Whether a cell is narrow enough for what is to come: it loses little of a fall, or of what is left to lose,
        its share of the way."""
        if not self.strict:
            return True
        loss = (cell.most - cell.least) * ball(cell.high - cell.low) / 4
        change = abs(cell.most + cell.least) * ball(cell.high - cell.low) / 4
        return bool(loss <= change / 8 or loss <= (self.target - bound) * ball(share) / 4)

    def _cell(self, low: Fraction, high: Fraction) -> Cell:
        self.tick("the shifts")
        self.count += 1
        if self.count > MOST_CELLS:
            raise Undecided(Reason.SHIFTS_NOT_COVERED())
        about = max(abs(self.search.slope(float(t))) for t in (low, high) if t)
        return self.slopes.cell(low, high, max(about / 50, self.loss / float(high - low)))


def _short(x: Fraction) -> Fraction:
    return simple(float(x), 8)


class Search:
    """Over floats: about where H is largest."""

    def __init__(self, radial: Radial, epsilon: Fraction) -> None:
        self.log, self.level, self.s = radial.rough, float(epsilon), float(radial.shift)
        self.size, self.shift = float(radial.size), radial.shift
        marks = [float(x) for x in Mass(radial, 12, lambda: None).marks(Fraction(1, 10**18), Fraction(0))]
        near = {k * self.s / FINE for k in range(1, 4 * FINE)}
        self.radii = sorted({*near, *(a + (b - a) * k / FINE for a, b in _pairs(marks) for k in range(FINE))} - {0.0})
        self.heights = [self.log(r) for r in self.radii]

    def worst(self) -> tuple[Fraction, float]:
        """A shift, and about 2 Z H there."""
        shifts = [self.s * k / GRID for k in range(GRID + 1)]
        slopes = [0.0, *(self.slope(t) for t in shifts[1:])]
        sums = [0.0]
        for a, b in _pairs(slopes):
            sums.append(sums[-1] + (a + b) / 2 * self.s / GRID)
        k = max(range(GRID + 1), key=lambda i: sums[i])
        if k == GRID and slopes[k] >= 0:
            return self.shift, max(sums)
        low, high = shifts[max(k - 1, 0)], shifts[min(k + 1, GRID)]
        root = bisected(low, high, lambda t: t > 0 and self.slope(t) <= 0)
        part = Fraction(root) / self.shift
        return self.shift * Fraction(round(part * 2**44), 2**44), max(sums)

    def slope(self, t: float) -> float:
        """About 2 Z H'(t)."""
        return math.exp(self.level) * (self._part(lambda r: r + t, t) - self._part(lambda r: abs(r - t), t))

    def _part(self, there: Callable[[float], float], t: float) -> float:
        def over(r: float, height: float) -> bool:
            return self.log(max(there(r), 1e-300)) - height > self.level

        total, before = 0.0, None
        radii = self.radii
        flags = [over(r, h) for r, h in zip(radii, self.heights, strict=True)]
        for k, flag in enumerate(flags):
            if before is not None and flag != before:
                edge = bisected(radii[k - 1], radii[k], lambda r, to=flag: over(r, self.log(r)) == to)  # type: ignore[misc]
                total += (-1 if flag else 1) * math.exp(self.log(edge) - self.size)
            elif before is None and flag:
                total -= math.exp(self.log(1e-12) - self.size)
            before = flag
        return total


def _pairs(xs: Sequence[float]) -> list[tuple[float, float]]:
    return list(zip(xs, xs[1:], strict=False))
