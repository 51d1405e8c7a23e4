"""epsilon where phases of waves do not hang together: the loss is bounded on charts of radii (Theorem A).

A chart is an interval of radii, or all beyond one; on each the loss is below the goal for all phases.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from flint import arb

from dpverify.asymptotics import Model
from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.ball import Ball
from dpverify.enclosures.torus import Torus
from dpverify.findings import Part, Place, Reason
from dpverify.outcome import FreeChart, FreeWaves, Witness
from dpverify.prover.breaks import breaks as breaks_of
from dpverify.prover.breaks import thinned
from dpverify.prover.cells import cells_of, frozen
from dpverify.prover.charts import End
from dpverify.prover.cover import Box, octaves
from dpverify.prover.lipschitz import by_slopes
from dpverify.prover.modulus import climb_from_centre, offer_beside_jumps, pairs_from_centre
from dpverify.prover.problem import Problem
from dpverify.prover.ridge import Ridge, Start, climb_everywhere, climb_from, climbing_steps
from dpverify.prover.supremum import Supremum, allowed, published
from dpverify.prover.torus.loss import Higher, Search
from dpverify.prover.torus.summit import Summit
from dpverify.prover.torus.tail import SAMPLES, SEEN_UP_TO, FreeTail, free_tail, lines_of, starts
from dpverify.prover.torus.tree import FEW_CELLS
from dpverify.prover.windows import Exceeded, Windows

MOST_CELLS = 30_000
FEW_AT_FIRST = 300
"""Cells on a tail with which one further out is tried before more of them are."""
MOST_IN_ALL = 30_000
"""Cells of one loss, on all charts and in all attempts together."""
GOAL = Fraction(4, 5)
WITHIN_A_WAVE, BEST = 16, 6
EVERYWHERE = Ball(arb(0, arb.pos_inf()))
"""All radii at once: for a loss that hangs on the phases and the shift alone."""


def modulus_on_torus(
    problem: Problem,
    zero: End,
    tail: FreeTail,
    tolerance: Fraction,
    tick: Callable[[], None],
) -> Supremum:
    """Enclose epsilon by the modulus of continuity of g; raises Undecided where a step does not close."""
    phases = tail.phases
    assert phases is not None
    cells = count(1)

    def counted() -> None:
        tick()
        if next(cells) > MOST_IN_ALL:
            raise Undecided(Reason.TOO_MANY_CELLS())

    ridge = Ridge(problem, tolerance)
    points = octaves(1 / zero.radius, max(tail.germ.radius, 2 + problem.delta))
    climb_everywhere(ridge, points, tolerance)
    climb_from_centre(ridge, zero, points, tolerance)
    offer_beside_jumps(ridge, thinned(breaks_of(problem.node, points[0], points[-1])), points)
    summit = Summit(problem, phases, tail.germ)
    if phases.dense:
        summit.search()
        _offer(ridge, summit, tolerance)
    nearby = Ridge(problem, tolerance)
    starts_nearby = [*_between_waves(problem.delta), *_last_waves(phases.torus, problem.delta)]
    climb_from(nearby, starts_nearby, climbing_steps(tolerance), BEST)
    if nearby.value.lower() > ridge.value.lower() + allowed(ridge.value, tolerance):
        ridge.value, ridge.witness = nearby.value, nearby.witness
    if (steep := _by_slopes(problem, zero, tail, ridge, summit, tolerance, counted)) is not None:
        return steep
    for _ in range(12):
        try:
            return _settled(problem, zero, tail, ridge, summit, tolerance, counted)
        except Exceeded as larger:
            before = ridge.value
            ridge.climb((larger.r, larger.shift, larger.shift / 8), climbing_steps(tolerance))
            if not ridge.value > before:
                raise Undecided(Reason.LARGEST_NOT_FOUND()) from None
        except Higher as higher:
            if not phases.dense:
                raise Undecided(Reason.NOT_DENSE()) from None
            before = summit.value
            summit.climb(summit.height(higher.point), higher.point)
            if not summit.value > before:
                raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.ALL_PHASES)) from None
            _offer(ridge, summit, tolerance)
    raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.ALL_PHASES))


def _by_slopes(
    problem: Problem,
    zero: End,
    tail: FreeTail,
    ridge: Ridge,
    summit: Summit,
    tolerance: Fraction,
    tick: Callable[[], None],
) -> Supremum | None:
    """The enclosure by slopes alone, where these give it."""
    if ridge.witness is None:
        return None
    slack = allowed(ridge.value, tolerance)
    best = by_slopes(problem, zero, tail, (), (ridge.value, ridge.witness), slack, tolerance, tick)
    if best is None or best.free is None:
        return None
    return replace(best, free=replace(best.free, peak=_peak(ridge, summit)))


def _peak(ridge: Ridge, summit: Summit) -> tuple[Fraction, ...] | None:
    """The point of the torus at which the loss is about largest, if that is the witness."""
    assert ridge.witness is not None
    return tuple(summit.point[:-1]) if ridge.witness.near == "torus" else None


def _between_waves(delta: Fraction) -> list[Start]:
    """Radii and shifts for waves that are short before they are far out; where shifts are long, on one grid."""
    step = SEEN_UP_TO / SAMPLES
    shifts = [delta * part / 4 for part in (2, 3, 4)]
    shifts = [h // step * step for h in shifts] if shifts[0] >= step else [delta]
    return [(step * k, h, step) for k in range(1, SAMPLES) for h in shifts]


def _last_waves(torus: Torus, delta: Fraction) -> list[Start]:
    """Shifts over the slowest wave before the longest shift, where a long climb takes a crest far before it."""
    slowest = min((float(abs(v).mid()) for v in torus.speeds), default=0.0)
    period = Fraction(2 * math.pi / slowest) if slowest > 0 else delta
    if 2 * period >= delta:
        return []
    step, part = SEEN_UP_TO / WITHIN_A_WAVE**2, period / WITHIN_A_WAVE
    return [(step * k, delta - part * j, step) for k in range(1, WITHIN_A_WAVE**2) for j in range(WITHIN_A_WAVE)]


def _offer(ridge: Ridge, summit: Summit, tolerance: Fraction) -> None:
    """Take the limit for the lower bound; where it is no better by a tenth of what may be missing, a box says more."""
    gain = allowed(ridge.value, tolerance / 10)
    if summit.value.lower() > ridge.value.lower() + gain:
        ridge.value, ridge.witness = summit.value, Witness("torus", None, summit.point[-1])


def _settled(
    problem: Problem,
    zero: End,
    tail: FreeTail,
    ridge: Ridge,
    summit: Summit,
    tolerance: Fraction,
    tick: Callable[[], None],
) -> Supremum:
    phases, delta = tail.phases, problem.delta
    assert phases is not None
    if ridge.witness is None:
        raise Undecided(Reason.NO_WITNESS())
    slack = arb(exact(tolerance)) * ridge.value.abs_upper().max(arb(1))
    goal = ridge.value.lower() + slack * exact(GOAL)
    germ, ahead = pairs_from_centre(problem, zero, goal, tick)
    far, start, charts = _charts(problem, tail, 1 / germ.radius, summit, goal, tick)
    boxes: Sequence[Box] = ()
    shifts: list[list[Box]] = []
    windows = None
    if start > 1 / germ.radius:

        def losses(box: Box, low: Fraction, high: Fraction) -> tuple[arb, bool]:
            return problem.losses(*box, low, high, ())

        windows = Windows(problem, octaves(1 / germ.radius, start + delta), goal)
        boxes, shifts = cells_of(losses, delta, octaves(1 / germ.radius, start), goal, tick, windows)
    lower, upper = published(ridge.value, goal, slack, tolerance)
    peak = _peak(ridge, summit)
    free = FreeWaves(
        lines_of(phases),
        phases.torus.chirps,
        far.tree,
        peak,
        tuple(charts),
    )
    found = Supremum(
        lower, upper, ridge.witness, tuple(boxes), germ, far, None, frozen(shifts), None, tuple(ahead), (), free
    )
    return replace(found, windows=tuple(windows.marks)) if windows is not None and windows.used else found


def _last_chart(
    problem: Problem, tail: FreeTail, summit: Summit, goal: arb, tick: Callable[[], None]
) -> tuple[FreeTail, FreeChart]:
    """The chart that has no end, and the tail from its radius on."""
    assert tail.phases is not None
    torus, failure = tail.phases.torus, None
    tails: dict[Fraction, FreeTail] = {tail.germ.radius: tail}
    for most in (FEW_AT_FIRST, FEW_CELLS, MOST_CELLS):
        for radius in [r for r in starts(problem.delta) if r >= tail.germ.radius]:
            try:
                if radius not in tails:
                    tails[radius] = free_tail(problem, radius)
                r = Model.power_of_t(tails[radius].germ, 1)
                return tails[radius], FreeChart(None, _tree_on(problem, torus, r, summit, goal, most, tick))
            except Undecided as error:
                failure = failure or error
    raise failure or Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))


def _charts(
    problem: Problem, tail: FreeTail, low: Fraction, summit: Summit, goal: arb, tick: Callable[[], None]
) -> tuple[FreeTail, Fraction, list[FreeChart]]:
    """Charts that reach out to infinity from as far down as the loss is below the goal for all phases."""
    assert tail.phases is not None
    torus = tail.phases.torus
    try:
        return tail, low, [FreeChart(None, _tree_on(problem, torus, EVERYWHERE, summit, goal, MOST_CELLS, tick))]
    except Undecided:
        pass
    far, last = _last_chart(problem, tail, summit, goal, tick)
    found = [last]
    end, width, waves = far.germ.radius, far.germ.radius - low, _fastest_wave(torus)
    while end > low:
        start = max(low, end - width)
        most, parts = (FEW_CELLS, 64) if end > waves else (FEW_AT_FIRST, 4)
        try:
            tree = _tree_on(problem, torus, Ball.between(start, end), summit, goal, most, tick)
        except (Undecided, Higher):
            width = (end - start) / 4
            if width < end / parts:
                break
            continue
        found.insert(0, FreeChart(end, tree))
        end, width = start, (end - start) * 2
    return far, end, found


def _fastest_wave(torus: Torus) -> float:
    """About the length of the fastest wave along a line: of radii below it, phases are known from the radius."""
    return float(torus.axes()[0][1]) / max((float(abs(v).mid()) for v in torus.speeds), default=1.0)


def _tree_on(
    problem: Problem, torus: Torus, r: Any, summit: Summit, goal: arb, most: int, tick: Callable[[], None]
) -> str:
    """The tree of halves on a chart; Undecided at once where the best point known is not below the goal there."""
    search = Search(problem, torus, r, goal, tick)
    if summit.value.is_finite() and not search.at(summit.point).most() <= goal:
        raise Undecided(Reason.ABOVE_GOAL())
    return search.tree(most)
