"""epsilon = sup |phi_h| over r >= 0 and 0 <= h <= delta, for a generator that may rise (Theorem A).

Precondition: f > 0, f falls in the tail, and both ends of the half-line have a chart.
  1. sample |phi_h| on a grid of radii and shifts, climb in each direction: the lower bound; where slopes alone show
     that none is larger (`lipschitz`), that is all
  2. bound log f on (r0, r0 + delta], which settles every pair with one radius in (0, r0]
  3. bisect radii, and shifts within each box, until |phi_h| is below lower + tolerance on each cell:
     where g is monotone along the shifts their ends decide, else the mean value form in h
  4. in the tail: where g rises the longest shift is the worst; where it oscillates, the same as 3 on
     cells of phases; else intervals of shifts for all of it
Postcondition: lower <= epsilon <= upper, with the cells that show it. If neighbours do not exist at
every distance up to the sensitivity, upper still holds.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from dpverify.asymptotics import CONSTANT, Germ
from dpverify.enclosures import Undecided, exact
from dpverify.findings import Part, Place, Reason
from dpverify.outcome import Witness
from dpverify.prover.breaks import breaks as breaks_of
from dpverify.prover.breaks import thinned, with_few
from dpverify.prover.charts import End, growth
from dpverify.prover.cover import NARROWEST, Box, boxes_of, cover, halves, octaves
from dpverify.prover.lipschitz import by_slopes
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.sides import irrational_jumps, pairs_beside
from dpverify.prover.supremum import Radius, Supremum, allowed, published, seen_by_floats, settle_tail, stationary
from dpverify.prover.tail import NARROWEST_CELL, Tail, further, hangs_on_the_phase
from dpverify.prover.windows import Exceeded, Windows

Losses = Callable[[Box, Fraction, Fraction], tuple[arb, bool]]
MOST_CELLS, MOST_TRIES, FEW_TRIES, MOST_RIDGES = 20_000, 200, 10, 12
WITNESS_BITS = 80, 140
CENTRE_BITS = 200
GOAL = Fraction(4, 5)
COARSER = 1000
THIN, HIDDEN = Fraction(1, 2**18), arb(2) ** (-26)
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


def modulus(
    problem: Problem,
    zero: End,
    tail: Tail,
    breaks: Sequence[Fraction],
    tolerance: Fraction,
    tick: Callable[[], None] = lambda: None,
) -> Supremum:
    """Enclose epsilon by the modulus of continuity of g; raises Undecided where a step does not close."""
    delta = problem.delta
    summit = problem.far_loss(tail.summit(), exact(delta))
    if growth(summit) != 0:
        raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))
    ridge = Ridge(problem, tolerance)
    looked_at = thinned(breaks)
    points = octaves(1 / zero.radius, tail.reach, looked_at)
    steps = climbing_steps(tolerance)
    climb_everywhere(ridge, points, tolerance)
    if zero.log.du.leading()[0] > CONSTANT:
        climb_from(ridge, _at_the_centre(points, delta), steps)
    if tail.wave is not None:
        climb_from(ridge, _within_a_wave(tail.germ.radius, tail.wave.reach, delta), steps, BEST)
    jumps = sorted([*looked_at, *irrational_jumps(problem.node, points)])
    for _, r, h in pairs_beside(problem, jumps, BEST) if jumps else ():
        ridge.offer(r, h)
    limit = arb(summit.limit())
    if limit.lower() > ridge.value.lower():
        ridge.value, ridge.witness = limit, Witness("infinity")
    if ridge.witness is None:
        raise Undecided(Reason.NO_WITNESS())
    slack = allowed(ridge.value, tolerance)
    steep = by_slopes(problem, zero, tail, breaks, (ridge.value, ridge.witness), slack, tolerance, tick)
    if steep is not None:
        return steep
    try:
        return _below_the_ridge(problem, zero, tail, breaks, ridge, tolerance, tick)
    except (Undecided, _Hidden):
        try:
            found = _settled(problem, zero, tail, breaks, ridge, COARSER * tolerance, tick)
        except Exceeded:
            raise Undecided(Reason.LARGEST_NOT_FOUND()) from None
        lower = published(ridge.value, ridge.value, arb(0), tolerance)[0]
        return replace(found, lower=max(found.lower, lower))


def _below_the_ridge(
    problem: Problem,
    zero: End,
    tail: Tail,
    breaks: Sequence[Fraction],
    ridge: Ridge,
    tolerance: Fraction,
    tick: Callable[[], None],
) -> Supremum:
    """Every loss is below the largest one seen, which is climbed to anew from where a larger one is met."""
    for _ in range(MOST_RIDGES):
        try:
            return _settled(problem, zero, tail, breaks, ridge, tolerance, tick, impatient=True)
        except Exceeded as larger:
            before = ridge.value
            ridge.climb((larger.r, larger.shift, larger.shift / 8), climbing_steps(tolerance))
            if not ridge.value > before:
                break
    raise Undecided(Reason.LARGEST_NOT_FOUND())


def climbing_steps(tolerance: Fraction) -> int:
    """How many steps a climb takes at most."""
    return 20 + 2 * (1 / tolerance).numerator.bit_length()


def climb_everywhere(ridge: Ridge, points: Sequence[Fraction], tolerance: Fraction) -> None:
    """Climb from the best of a grid of radii and shifts."""
    climb_from(ridge, _everywhere(points, ridge.problem.delta), climbing_steps(tolerance))


def _settled(
    problem: Problem,
    zero: End,
    tail: Tail,
    breaks: Sequence[Fraction],
    ridge: Ridge,
    tolerance: Fraction,
    tick: Callable[[], None],
    impatient: bool = False,
) -> Supremum:
    """Every loss is below the largest one seen plus the tolerance; or raises Undecided."""
    assert ridge.witness is not None
    slack = allowed(ridge.value, tolerance)
    goal = ridge.value.lower() + slack * exact(GOAL)
    beyond = _beyond(problem, tail, goal, tick, impatient)
    tail, goal = beyond.tail, beyond.goal
    germ, ahead = pairs_from_centre(problem, zero, goal, tick)

    def covered(breaks: Sequence[Fraction], most: int) -> _Covered:
        return _covered_by(problem, germ, tail, breaks, goal, tick, most)

    if breaks:
        end = tail.reach + problem.delta
        breaks = [*(b for b in breaks if b <= tail.reach), *breaks_of(problem.node, tail.reach, end)]
    found = with_few(breaks, covered, MOST_CELLS)
    lower, upper = published(ridge.value, goal, slack, tolerance)
    return Supremum(
        lower,
        upper,
        ridge.witness,
        tuple(found.boxes),
        germ,
        tail,
        beyond.cells,
        frozen(found.shifts),
        beyond.cell_shifts,
        tuple(ahead),
        tuple(found.cuts),
        phase_cuts=tuple(_jumps(tail, problem.delta)) if beyond.cell_shifts else (),
        tail_shifts=beyond.shifts,
        windows=tuple(found.windows.marks) if found.windows.used else (),
    )


@dataclass(frozen=True)
class _Covered:
    """Boxes of radii with the shifts on each, the radii beyond at which heights are cut, and the windows."""

    boxes: list[Box]
    shifts: list[list[Box]]
    cuts: list[Fraction]
    windows: Windows


def _covered_by(
    problem: Problem,
    germ: Germ,
    tail: Tail,
    breaks: Sequence[Fraction],
    goal: arb,
    tick: Callable[[], None],
    most: int,
) -> _Covered:
    """The loss below the goal from the chart at the centre to the tail, boxes ending at the given breaks."""
    end = tail.reach + problem.delta
    beyond = bisect_right(breaks, tail.reach)
    cuts = [*breaks[beyond : bisect_left(breaks, end)], end] if breaks else []
    points = octaves(1 / germ.radius, tail.reach, breaks[:beyond])
    marks = [*points, *cuts]

    def losses(box: Box, low: Fraction, high: Fraction) -> tuple[arb, bool]:
        return problem.losses(*box, low, high, marks, goal)

    windows = Windows(problem, octaves(1 / germ.radius, end, [*breaks[:beyond], *cuts]), goal)
    boxes, shifts = cells_of_radii(losses, problem.delta, points, goal, tick, windows, most)
    return _Covered(boxes, shifts, cuts, windows)


def frozen(shifts: list[list[Box]]) -> tuple[tuple[Box, ...], ...]:
    """The intervals of shifts of each box."""
    return tuple(tuple(s) for s in shifts)


@dataclass(frozen=True)
class _Beyond:
    """The tail, its cells of phases with shifts on each, or shifts on all of it; and the goal, raised to its needs."""

    tail: Tail
    goal: arb
    cells: tuple[Box, ...] | None = None
    cell_shifts: tuple[tuple[Box, ...], ...] | None = None
    shifts: tuple[Box, ...] | None = None


def _beyond(problem: Problem, tail: Tail, goal: arb, tick: Callable[[], None], impatient: bool) -> _Beyond:
    """The loss below the goal in the tail; where f is not shown to fall there, or waves, for intervals of shifts."""
    if tail.falling:
        tail, cells, top = settle_tail(problem, tail, goal, tick)
        return _Beyond(tail, goal.max(top.upper()), cells)
    if tail.wave is None:
        for candidate in further(problem, tail):
            if all_shifts := _all_of_it(problem, candidate, goal):
                return _Beyond(candidate, goal, shifts=all_shifts)
        raise Undecided(Reason.NOT_SEEN_TO_FALL(where=Place.TAIL))
    bounded = tail.wave.breaks and problem.far_losses(tail.germ, Fraction(0), problem.delta).is_finite()
    if bounded and (all_shifts := _all_of_it(problem, tail, goal)):
        return _Beyond(tail, goal, tuple(boxes_of(tail.points() or ())), shifts=all_shifts)
    failure: Undecided | None = None
    for candidate in further(problem, tail):
        wave = candidate.wave
        assert wave is not None
        jumps = _jumps(candidate, problem.delta)

        def losses(cell: Box, low: Fraction, high: Fraction, tail: Tail = candidate) -> tuple[arb, bool]:
            assert tail.wave is not None
            return problem.phased_losses(tail.germ.at(tail.wave.cell(*cell)), low, high, jumps)

        seen = _seen(losses, impatient and bool(wave.breaks), problem.delta, goal)
        try:
            found, shifts = _cells(seen, problem.delta, wave.frequency, candidate.points() or [], goal, tick)
            return _Beyond(candidate, goal, tuple(found), frozen(shifts))
        except Undecided as error:
            failure = failure or error
            if hangs_on_the_phase(problem, candidate):
                break
    raise failure or Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))


def _all_of_it(problem: Problem, tail: Tail, goal: arb) -> tuple[Box, ...] | None:
    """Intervals of shifts on each of which the loss stays below the goal at all radii of the tail, or None."""

    def losses(_: Box, low: Fraction, high: Fraction) -> tuple[arb, bool]:
        return problem.far_losses(tail.germ, low, high), False

    at_once = Fraction(0), Fraction(0)
    try:
        found = _shifts(losses, at_once, problem.delta, Fraction(1), goal)[0]
    except Undecided:
        return None
    return None if found is None else tuple(found)


def _jumps(tail: Tail, delta: Fraction) -> list[Fraction]:
    """The phases of one period, and of the longest shift from there, at which f may jump."""
    wave = tail.wave
    assert wave is not None
    return wave.jumps(wave.period + wave.frequency * delta)


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


def _at_the_centre(points: Sequence[Fraction], delta: Fraction) -> list[Start]:
    """One radius so small that g has its limit there, however steep it is."""
    r = points[0] / 2**CENTRE_BITS
    return [(r, h, r / 2) for h in [*(h for h in points if h < delta), *(delta * k / 8 for k in range(1, 9))]]


def _within_a_wave(start: Fraction, period: Fraction, delta: Fraction) -> list[Start]:
    """A period of radii, and the shifts within one, since each wave has its ridge."""
    count = min(MOST_SHIFTS, max(8, math.ceil(A_WAVE * delta / period)))
    radii = [start + period * j / A_WAVE for j in range(A_WAVE)]
    return [(r, delta * k / count, period / A_WAVE) for r in radii for k in range(1, count + 1)]


def pairs_from_centre(problem: Problem, zero: End, goal: arb, tick: Callable[[], None]) -> tuple[Germ, list[Box]]:
    """A chart at zero so small that every pair of radii with one in it stays below the goal.

    Raises Exceeded where floats see such a pair above it.
    """
    last = Fraction(0)
    for rung in (0, 10, 20, 30, 40, 60, 80):
        germ = Germ(zero.radius * 2**rung, zero.germ.order)
        try:
            near = problem.near_zero(germ).u.span().x

            def holds(box: Box, near: arb = near) -> bool:
                nonlocal last
                last = (box[0] + box[1]) / 2
                return bool((near - problem.log_bounds(*box)).abs_upper() <= goal)

            r0 = 1 / germ.radius
            return germ, cover(boxes_of(octaves(r0, r0 + problem.delta)), holds, 2000, tick)
        except Undecided:
            continue
    _look_from_the_centre(problem, 1 / zero.radius, goal, last)
    raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.FROM_CENTRE))


def _look_from_the_centre(problem: Problem, zero: Fraction, goal: arb, stuck: Fraction) -> None:
    """Raise Exceeded where floats see a loss above the goal for a shift from near the centre, to `stuck` above all."""
    steps, delta = 8 * A_WAVE, problem.delta
    starts = [(zero, h) for k in range(steps) if (h := delta * (k + 1) / steps)]
    starts += [(zero / 2**CENTRE_BITS, min(delta, stuck))] if stuck > zero else []
    losses = {(r, h): abs(problem.rough_loss(h)(nearest(r))) for r, h in starts}
    r, shift = max(losses, key=lambda start: losses[start] if math.isfinite(losses[start]) else 0.0)
    if losses[r, shift] > float(goal):
        raise Exceeded(r, shift)


def cells_of_radii(
    losses: Losses,
    delta: Fraction,
    points: Sequence[Fraction],
    goal: arb,
    tick: Callable[[], None],
    windows: Windows | None = None,
    most: int = MOST_CELLS,
) -> tuple[list[Box], list[list[Box]]]:
    """Boxes of radii, and shifts on each, with the loss below the goal."""
    return _cells(losses, delta, Fraction(1), points, goal, tick, windows, most)


def _cells(
    losses: Losses,
    delta: Fraction,
    frequency: Fraction,
    points: Sequence[Fraction],
    goal: arb,
    tick: Callable[[], None],
    windows: Windows | None = None,
    most: int = MOST_CELLS,
) -> tuple[list[Box], list[list[Box]]]:
    """Boxes of radii (or of phases, `frequency` times as wide), and shifts on each, with the loss below the goal."""
    boxes: list[Box] = []
    shifts: list[list[Box]] = []
    stack = boxes_of(points)[::-1]
    narrowest = Fraction(0) if points[0] else NARROWEST_CELL  # phases begin at 0, beside which none is narrow
    count, worst = 0, delta
    while stack:
        box = stack.pop()
        tick()
        found: list[Box] | None = None
        count += 1
        if _settled_on(losses, box, worst, worst, goal)[0]:  # the shift that the last box failed at
            found, tried, worst = _shifts(losses, box, delta, frequency, goal, windows)
            count += tried
        elif windows is not None and windows.settle(box):
            found = [(Fraction(0), delta)]
        if found is not None:
            boxes.append(box)
            shifts.append(found)
            continue
        if box[1] - box[0] < max(NARROWEST * box[1], narrowest) or count > most:
            raise Undecided(Reason.NOT_BOUNDED_AROUND(what=Part.LOSS, at=box[0]))
        stack.extend(reversed(halves(box)))
    return boxes, shifts


class _Hidden(Exception):
    """A bound of the loss exceeds the goal by no more than what a ball's radius of thirty bits may add at a jump."""


def _seen(losses: Losses, jumps: bool, delta: Fraction, goal: arb) -> Losses:
    """The losses; where f jumps and radii or shifts are so few that a ball's radius alone can be in the way, say so."""

    def seen(box: Box, low: Fraction, high: Fraction) -> tuple[arb, bool]:
        bound, monotone = losses(box, low, high)
        thin = 0 < high - low < THIN * delta or box[1] - box[0] < THIN * box[1]
        if jumps and thin and bound > goal and bound <= goal + abs(goal) * HIDDEN:
            raise _Hidden
        return bound, monotone

    return seen


def _settled_on(losses: Losses, box: Box, low: Fraction, high: Fraction, goal: arb) -> tuple[bool, bool]:
    """Whether the loss stays below the goal for shifts from low to high, and whether it is monotone there."""
    try:
        bound, monotone = losses(box, low, high)
    except Undecided:
        return False, False
    return bool(bound <= goal), monotone


def _shifts(
    losses: Losses, box: Box, delta: Fraction, frequency: Fraction, goal: arb, windows: Windows | None = None
) -> tuple[list[Box] | None, int, Fraction]:
    """Intervals of shifts on each of which the loss stays below the goal, or None to ask for a smaller box.

    Each is as wide as windows of heights settle it, or tried about twice as wide as the last one, or half as
    wide where that failed.  And how many were tried, and where the last one began.
    """
    done: list[Box] = []
    low, width, growth = Fraction(0), delta, Fraction(2)
    tried, most, asked = 0, MOST_TRIES, Fraction(-1)
    while low < delta:
        high = min(delta, low + width)
        tried += 1
        settled, monotone = _settled_on(losses, box, low, high, goal)
        if settled:
            done.append((low, high))
            low, width, growth = high, width * growth, Fraction(2)
            continue
        if windows is not None and asked < low:
            if not done:
                whole = windows.settle(box)
                most = FEW_TRIES if whole is None else MOST_TRIES
                if whole:
                    return [(low, delta)], tried, delta
            reach, asked = windows.reach(box, low), low
            if reach - low > box[1] - box[0]:
                done.append((low, reach))
                low = reach
                continue
        if monotone or high - low < (box[1] - box[0]) / frequency / 2 or tried > most:
            return None, tried, high
        reached = box[0] / frequency + low
        width, growth = min(reached or delta, (high - low) / 2), Fraction(1)
    return done, tried, delta
