"""epsilon = sup phi_delta over r >= 0, for a non-increasing generator (Theorem 3).

Precondition: f > 0 and non-increasing, and both ends of the half-line have a chart.
  1. sample phi on a grid and at both limits; climb to the best point: the lower bound, its witness
  2. move the charts out until phi near zero and in the tail is below lower + tolerance
  3. bisect [r0, R] until the mean value form bounds phi by lower + tolerance on every box;
     a box whose middle beats the lower bound raises it
Postcondition: lower <= epsilon <= upper, with the boxes that show it.
Source: Reimherr and Awan (2019), Theorem 3, read through the radial potential.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb, fmpq

from dpverify.asymptotics import Germ
from dpverify.enclosures import Undecided, exact, fraction_above, fraction_below
from dpverify.enclosures.ball import upper_end
from dpverify.findings import Part, Place, Reason
from dpverify.outcome import FreeWaves, Witness
from dpverify.prover.breaks import thinned, with_few
from dpverify.prover.charts import End, growth, ladder
from dpverify.prover.cover import NARROWEST, Box, octaves
from dpverify.prover.curvature import around, widest_bounded
from dpverify.prover.march import AIM, FULL, March
from dpverify.prover.periods import Repeated
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.tail import Tail, further, lowest

MOST_BOXES = 20_000
GOAL = fmpq(7, 10)
SAMPLES, WIDER, SECANTS = 8, 40, 4
NOISE = 2.0**-44
BY_SLOPES = Fraction(1, 16)
"""Half the width, beside the peak, of a box around it that slopes have to bound for curvature not to be asked."""
ROUGH = Fraction(1, 2**43)
"""A wider tolerance than this is met by a peak that floats found, for a shift that floats see beside a radius."""


Radius = float | Fraction


@dataclass(frozen=True)
class Supremum:
    """lower <= epsilon <= upper; the boxes of [r0, R] that show it; the charts at both ends.

    `phases` are the cells on which an oscillating tail is bounded; `shifts` and `phase_shifts` are
    the intervals of shifts on each box and each cell, `ahead` the boxes ahead of the centre, `cuts` the
    radii beyond the last box at which f may jump (Theorem A), `phase_cuts` phases at which it may; `free`
    the charts on which phases run free, `tail_shifts` intervals of shifts on all of the tail, `windows` ends of boxes
    whose heights bound the loss for all shifts at once; `slopes` are boxes on which the slopes of g bound it, beside
    the others or in their place.
    """

    lower: Fraction
    upper: Fraction
    witness: Witness
    boxes: tuple[Box, ...]
    zero: Germ
    tail: Tail
    phases: tuple[Box, ...] | None = None
    shifts: tuple[tuple[Box, ...], ...] | None = None
    phase_shifts: tuple[tuple[Box, ...], ...] | None = None
    ahead: tuple[Box, ...] | None = None
    cuts: tuple[Fraction, ...] = ()
    free: FreeWaves | None = None
    phase_cuts: tuple[Fraction, ...] = ()
    tail_shifts: tuple[Box, ...] | None = None
    windows: tuple[Fraction, ...] = ()
    slopes: tuple[Box, ...] = ()


class Peak:
    """The best loss seen so far, and where."""

    def __init__(self, problem: Problem, tolerance: Fraction) -> None:
        self.problem = problem
        self.steps = 24 + (1 / tolerance).numerator.bit_length() * 3 // 4
        self.sketch, self.rough = problem.rough_loss(problem.delta), seen_by_floats(problem, tolerance)
        self.log_f = problem.rough_log()
        self.value = arb(0)
        self.witness: Witness | None = None

    def offer(self, value: arb, witness: Witness) -> bool:
        """Raise the lower bound to a value that is proved larger; whether it was."""
        if value.is_finite() and (self.witness is None or value.lower() > self.value.lower()):
            self.value, self.witness = value, witness
            return True
        return False

    def loss(self, r: Radius) -> float | arb:
        """phi_delta at r, about: to compare, not to state."""
        if isinstance(r, float):
            loss = self.sketch(r)
            return loss if math.isfinite(loss) else -math.inf
        try:
            return self.problem.loss_at(r, self.problem.delta).mid()
        except Undecided:
            return arb.neg_inf()

    def noise(self, r: Radius) -> float:
        """How far off phi_delta is where floats subtract two values of g."""
        off = abs(self.log_f(r)) * NOISE if isinstance(r, float) else 0.0
        return off if math.isfinite(off) else 0.0

    def climb(self, left: Radius, right: Radius) -> None:
        """Golden section on [left, right], then offer the loss on a small box around the top."""
        ratio = type(left)(0.618034)
        a, b = left, right
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        at_c, at_d = self.loss(c), self.loss(d)
        for _ in range(self.steps):
            if at_c >= at_d:
                b, d, at_d = d, c, at_c
                c = _short(b - ratio * (b - a), b - a)
                at_c = self.loss(c)
            else:
                a, c, at_c = c, d, at_d
                d = _short(a + ratio * (b - a), b - a)
                at_d = self.loss(d)
        top = _short((a + b) / 2, b - a)
        self.offer_box(top)
        if isinstance(top, float) and math.isfinite(top):
            self.offer_box(stationary(self.problem, top))

    def ascend(self, box: Box) -> None:
        """Climb in a neighbourhood of the box that is widened as long as the loss rises towards its ends."""
        self.offer_box((box[0] + box[1]) / 2)
        (left, right), middle = map(self.number, box), self.number((box[0] + box[1]) / 2)
        reach, here = right - left, self.loss(middle)
        for _ in range(WIDER):
            if self.loss(left) > here and left > reach:
                left, reach = left - reach, 2 * reach
            elif self.loss(right) > here:
                right, reach = right + reach, 2 * reach
            else:
                break
        self.climb(left, right)

    def number(self, r: Fraction) -> Radius:
        """A radius in the numbers that are quick enough for the tolerance."""
        return nearest(r) if self.rough else r

    def radius(self) -> Fraction | None:
        """Where the loss is largest, if that is not a limit."""
        return self.witness.box[0] if self.witness is not None and self.witness.box is not None else None

    def offer_box(self, r: Radius) -> None:
        """Offer the loss on a small box at r."""
        if not (0 < r < math.inf):
            return
        r = Fraction(r)
        box = (r, r + r / 2**80)
        try:
            value = self.problem.loss(*box, self.problem.delta)
        except Undecided:
            return
        self.offer(value, Witness("box", box, self.problem.delta))


def stationary(problem: Problem, r: float) -> Fraction:
    """Where the slope of phi_delta vanishes near r, by secants: of a flat top floats see but half the digits."""
    before, now = Fraction(r), Fraction(r * (1 + 2**-20))
    try:
        slope_before, slope = (problem.loss_slope_at(x, problem.delta) for x in (before, now))
        for _ in range(SECANTS):
            step = slope * float(now - before) / (slope - slope_before)
            before, slope_before, now = now, slope, now - Fraction(step)
            slope = problem.loss_slope_at(now, problem.delta)
    except (ArithmeticError, ValueError):
        pass
    return now


def _short(r: Radius, width: Radius) -> Radius:
    """A dyadic near r, to a thousandth of the width."""
    if isinstance(r, float) or isinstance(width, float):
        return r
    bits = max(0, (width.denominator // max(1, width.numerator)).bit_length() + 12)
    return Fraction(round(r * 2**bits), 2**bits) or r


def sample(peak: Peak, points: Sequence[Fraction]) -> None:
    """Offer the best of a grid, refined."""
    ends = [peak.number(r) for r in points]
    grid = [a + (b - a) * k / SAMPLES for a, b in pairwise(ends) for k in range(SAMPLES)]
    values = [peak.loss(r) - peak.noise(r) for r in grid]
    best = 0
    for i, value in enumerate(values):
        if value > values[best]:
            best = i
    peak.offer_box(grid[best])
    peak.climb(grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)])


def _higher_further_out(peak: Peak, start: Fraction, end: Fraction) -> bool:
    """Whether a larger loss is seen between the radii, where only the end of the tail had been looked at."""
    before = peak.value
    sample(peak, octaves(start, end, ()))
    return bool(peak.value > before)


def _settle(bound: Callable[[Germ], arb], start: Germ, target: arb) -> tuple[Germ, arb]:
    """The first germ from `start` outwards whose bound is below the target, or the best one."""
    best: tuple[Germ, arb] | None = None
    for radius in ladder(start.radius):
        germ = start if radius == start.radius else Germ(radius, start.order)
        try:
            value = bound(germ)
        except Undecided:
            continue
        if value <= target:
            return germ, value
        if best is None or value.upper() < best[1].upper():
            best = germ, value
    if best is None:
        raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.END))
    return best


def settle_tail(
    problem: Problem, tail: Tail, target: arb, tick: Callable[[], None]
) -> tuple[Tail, tuple[Box, ...] | None, arb]:
    """The tail so far out that its loss is below the target, its cells of phases, and its bound; or the best one."""
    if isinstance(tail, Repeated):
        return tail, None, arb(0)
    candidates: list[Tail] = []
    for candidate in further(problem, tail):
        candidates.append(candidate)
        try:
            return candidate, *lowest(problem, candidate, target, tick, patient=False)
        except Undecided:
            continue
    best: tuple[Tail, tuple[Box, ...] | None, arb] | None = None
    for candidate in candidates[2:3] if tail.wave else candidates:
        try:
            cells, top = lowest(problem, candidate, target, tick, patient=True)
        except Undecided:
            continue
        if best is None or top.upper() < best[2].upper():
            best = candidate, cells, top
    if best is None:
        raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))
    return best


def supremum(
    problem: Problem,
    zero: End,
    tail: Tail,
    breaks: Sequence[Fraction],
    tolerance: Fraction,
    tick: Callable[[], None] = lambda: None,
) -> Supremum:
    """Enclose epsilon; the width may exceed the tolerance where boxes run out, and then says so itself.

    Raises Undecided where the loss is not bounded at an end.
    """
    delta = problem.delta
    peak = Peak(problem, tolerance)
    if not isinstance(tail, Repeated):
        summit = problem.far_loss(tail.summit(), exact(delta))
        if growth(summit) != 0:
            raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))
        peak.offer(arb(summit.limit()), Witness("infinity"))
    peak.offer(problem.limit_at_zero(zero.germ), Witness("zero"))
    sample(peak, octaves(1 / zero.radius, tail.reach, thinned(breaks)))
    for b in thinned(breaks):  # where a kink comes within reach, or is passed, floats do not see to the last digit
        peak.offer_box(b - delta)
        peak.offer_box(b)
    slack = allowed(peak.value, tolerance)
    goal = peak.value.lower() + slack * GOAL
    settled = settle_tail(problem, tail, goal, tick)
    if settled[0].reach > tail.reach and _higher_further_out(peak, tail.reach, settled[0].reach):
        slack = allowed(peak.value, tolerance)
        goal = peak.value.lower() + slack * GOAL
        settled = settle_tail(problem, tail, goal, tick)
    tail, phases, at_infinity = settled
    zero_germ, at_zero = _settle(problem.loss_near_zero, zero.germ, goal)
    top = upper_end(at_zero).max(upper_end(at_infinity))
    between = [b for b in breaks if 1 / zero_germ.radius < b < tail.reach]

    def laid(breaks: Sequence[Fraction], most: int) -> tuple[list[Box], arb]:
        bounds = Bounds(problem, peak, slack, top, tick, most)
        march = March(peak.radius, bounds.fit, bounds.accept, bounds.around)
        boxes = march.lay([1 / zero_germ.radius, *breaks, tail.reach])
        return boxes, bounds.top.max(peak.value.upper())

    boxes, top = with_few(between, laid, MOST_BOXES)
    lower, upper = published(peak.value, top, slack, tolerance)
    if peak.witness is None:
        raise Undecided(Reason.NO_WITNESS())
    return Supremum(lower, upper, peak.witness, tuple(boxes), zero_germ, tail, phases)


class Bounds:
    """Bounds of the loss on at most so many boxes, against a goal that rises with the best loss seen."""

    def __init__(self, problem: Problem, peak: Peak, slack: arb, top: arb, tick: Callable[[], None], most: int) -> None:
        self.problem, self.peak, self.slack, self.top, self.tick = problem, peak, slack, top, tick
        self.most = most
        self.count, self.bound, self.goal = 0, arb.pos_inf(), arb(0)
        self._raise_goal()

    def _raise_goal(self) -> None:
        self.goal = (self.peak.value.lower() + self.slack * GOAL).max(self.top)

    def fit(self, box: Box) -> float:
        """How much of the room between the loss at a radius of the box and the goal its bound takes up."""
        self.tick()
        self.count += 1
        try:
            self.bound, value = self.problem.loss_from_above(*box, self.problem.delta)
        except Undecided:
            self.bound, value = arb.pos_inf(), None
        below = self.bound <= self.goal
        if not below and value is not None and value.mid() > self.peak.value + self.slack / 100:
            self.peak.ascend(box)
            self._raise_goal()
            below = self.bound <= self.goal
        if value is None:
            used = AIM if below else math.inf
        else:
            room, reach = float((self.goal - value).mid()), float((self.bound - value).mid())
            used = (reach / room if below else max(1.0, reach / room)) if room > 0 else math.inf
        if below and used <= FULL:
            self.top = self.top.max(self.bound)
        return used

    def around(self, within: Box, peak: Fraction) -> Box | None:
        """A box around the peak on which curvature bounds the loss, where slopes do on much narrower ones alone."""
        if self.fit(around(within, peak, BY_SLOPES)) <= FULL:
            return None
        return widest_bounded(self.problem, within, peak, self._enough)

    def _enough(self, bound: arb) -> bool:
        if not bound <= self.goal:
            return False
        self.top = self.top.max(bound)
        return True

    def accept(self, box: Box) -> bool:
        """Take a box's bound for what it is, where boxes run out; Undecided where there is none."""
        if self.count <= self.most and box[1] - box[0] >= NARROWEST * box[1]:
            return False
        if self.most < MOST_BOXES or not self.bound.is_finite():
            raise Undecided(Reason.NOT_BOUNDED_AROUND(what=Part.LOSS, at=box[0]))
        self.top = self.top.max(self.bound)
        return True


def seen_by_floats(problem: Problem, tolerance: Fraction) -> bool:
    """Whether floats find the largest loss well enough: of a tiny shift they see nothing but rounding."""
    return tolerance > ROUGH and problem.delta > ROUGH


def allowed(value: arb, tolerance: Fraction) -> arb:
    """The width that the enclosure of a loss of about this value may have."""
    return arb(exact(tolerance)) * (value.abs_upper() if value > 0 else arb(1))


def published(value: arb, top: arb, slack: arb, tolerance: Fraction) -> tuple[Fraction, Fraction]:
    """Short decimals below the best loss and, by a fiftieth of the slack, above every bound."""
    digits = _digits(tolerance * min(Fraction(1), fraction_below(value)) if value > 0 else tolerance)
    lower = _round(fraction_below(value), digits, up=False)
    return lower, _round(fraction_above(top + slack * exact(Fraction(1, 50))), digits, up=True)


def _digits(tolerance: Fraction) -> int:
    digits = 2
    while 50 * tolerance.denominator > tolerance.numerator * 10**digits:
        digits += 1
    return digits


def _round(value: Fraction, digits: int, up: bool) -> Fraction:
    scaled = value * 10**digits
    whole = -((-scaled.numerator) // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return Fraction(whole, 10**digits)
