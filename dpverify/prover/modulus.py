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
from dpverify.prover.cells import MOST_CELLS, Hidden, cells_of, frozen, seen_by_balls, shifts_on
from dpverify.prover.charts import End, growth
from dpverify.prover.cover import Box, boxes_of, cover, octaves
from dpverify.prover.lipschitz import by_slopes
from dpverify.prover.periods import Repeated
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.ridge import (
    A_WAVE,
    BEST,
    CENTRE_BITS,
    Ridge,
    at_the_centre,
    climb_everywhere,
    climb_from,
    climbing_steps,
    within_a_wave,
)
from dpverify.prover.sides import irrational_jumps, pairs_beside, peaks_beside
from dpverify.prover.supremum import Supremum, allowed, published, settle_tail
from dpverify.prover.tail import Tail, further, hangs_on_the_phase
from dpverify.prover.windows import Exceeded, Windows

MOST_RIDGES = 12
GOAL = Fraction(4, 5)
COARSER, FAR_OUT = 1000, 2**10
"""A tolerance with which a second way is content; up to how many times the tail's radius jumps are looked at."""
FEW_CELLS, NEARBY = 200, 3
"""Cells of phases, and shifts on them, in a first try of so many tails, since nearer ones may take more of them."""


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
    limit = arb(0) if isinstance(tail, Repeated) else _limit_far_out(problem, tail)
    ridge = Ridge(problem, tolerance)
    looked_at = thinned(breaks)
    points = octaves(1 / zero.radius, tail.reach, looked_at)
    climb_everywhere(ridge, points, tolerance)
    climb_from_centre(ridge, zero, points, tolerance)
    if tail.wave is not None:
        climb_from(ridge, within_a_wave(tail.germ.radius, tail.wave.reach, delta), climbing_steps(tolerance), BEST)
    offer_beside_jumps(ridge, [*looked_at, *_in_the_tail(problem, tail)], points)
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
    except (Undecided, Hidden):
        try:
            found = _settled(problem, zero, tail, breaks, ridge, COARSER * tolerance, tick)
        except Exceeded:
            raise Undecided(Reason.LARGEST_NOT_FOUND()) from None
        lower = published(ridge.value, ridge.value, arb(0), tolerance)[0]
        return replace(found, lower=max(found.lower, lower))


def _limit_far_out(problem: Problem, tail: Tail) -> arb:
    """The limit of the loss where it is about largest in the tail; raises Undecided where it is not bounded."""
    summit = problem.far_loss(tail.summit(), exact(problem.delta))
    if growth(summit) != 0:
        raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))
    return arb(summit.limit())


def climb_from_centre(ridge: Ridge, zero: End, points: Sequence[Fraction], tolerance: Fraction) -> None:
    """Climb from radii next to nothing, where the slopes of g are so large that no other radius is near enough."""
    if zero.log.du.leading()[0] > CONSTANT:
        climb_from(ridge, at_the_centre(points, ridge.problem.delta), climbing_steps(tolerance))


def _in_the_tail(problem: Problem, tail: Tail) -> list[Fraction]:
    """Jumps far out, where no wave says what recurs: the loss beside them may rise towards its limit."""
    if tail.falling or tail.wave is not None or isinstance(tail, Repeated):
        return []
    return thinned(breaks_of(problem.node, tail.reach, tail.reach * FAR_OUT + problem.delta))


def offer_beside_jumps(ridge: Ridge, breaks: Sequence[Fraction], points: Sequence[Fraction]) -> None:
    """Offer the best pairs of radii beside jumps."""
    jumps = sorted([*breaks, *irrational_jumps(ridge.problem, points)])
    beside = (pairs_beside, peaks_beside) if jumps else ()
    for _, r, h in (pair for find in beside for pair in find(ridge.problem, jumps, BEST)):
        ridge.offer(r, h)


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
    boxes, shifts = cells_of(losses, problem.delta, points, goal, tick, windows, most)
    return _Covered(boxes, shifts, cuts, windows)


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
    if isinstance(tail, Repeated):
        return _Beyond(tail, goal)
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
    candidates = list(further(problem, tail))
    failure: Undecided | None = None
    for most, near in ((FEW_CELLS, candidates[:NEARBY]), (MOST_CELLS, candidates)):
        for candidate in near:
            try:
                return _beyond_by_cells(problem, candidate, goal, tick, impatient, most)
            except Undecided as error:
                failure = failure or error
                if hangs_on_the_phase(problem, candidate):
                    break
    raise failure or Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))


def _beyond_by_cells(
    problem: Problem, tail: Tail, goal: arb, tick: Callable[[], None], impatient: bool, most: int
) -> _Beyond:
    """The loss below the goal in a tail that waves, for intervals of shifts on each of at most so many cells."""
    wave = tail.wave
    assert wave is not None
    jumps = _jumps(tail, problem.delta)

    def losses(cell: Box, low: Fraction, high: Fraction) -> tuple[arb, bool]:
        return problem.phased_losses(tail.germ.at(wave.cell(*cell)), low, high, jumps)

    seen = seen_by_balls(losses, impatient and bool(wave.breaks), problem.delta, goal)
    points = tail.points() or []
    cells, shifts = cells_of(
        seen, problem.delta, points, goal, tick, most=most, frequency=wave.frequency, single=not jumps
    )
    return _Beyond(tail, goal, tuple(cells), frozen(shifts))


def _all_of_it(problem: Problem, tail: Tail, goal: arb) -> tuple[Box, ...] | None:
    """Intervals of shifts on each of which the loss stays below the goal at all radii of the tail, or None."""

    def losses(_: Box, low: Fraction, high: Fraction) -> tuple[arb, bool]:
        return problem.far_losses(tail.germ, low, high), False

    at_once = Fraction(0), Fraction(0)
    try:
        found = shifts_on(losses, at_once, problem.delta, Fraction(1), goal)[0]
    except Undecided:
        return None
    return None if found is None else tuple(found)


def _jumps(tail: Tail, delta: Fraction) -> list[Fraction]:
    """The phases of one period, and of the longest shift from there, at which f may jump."""
    wave = tail.wave
    assert wave is not None
    return wave.jumps(wave.period + wave.frequency * delta)


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
