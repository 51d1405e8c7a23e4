"""Whether f is non-increasing: by its form, on the boxes of a cover and across its breaks; or where it rises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics import Germ
from dpverify.enclosures import Slope, Undecided, exact
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.ends import Ends
from dpverify.enclosures.nodes import kinds
from dpverify.findings import Finding, Reason, Why, failed
from dpverify.prover.algebra import falls_flat
from dpverify.prover.charts import End, end_at
from dpverify.prover.cover import Box, boxes_of, cover, octaves
from dpverify.prover.established import Findings
from dpverify.prover.monotone import direction
from dpverify.prover.periods import Repeated
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.torus import FreeTail
from dpverify.results import Hypothesis

MOST_BOXES, NOUGHT = 20_000, fmpq(0)
SEEN = 1e-9
HIDDEN = arb(2) ** (-8)
SEVERAL_WAVES = Fraction(32)
FEW_BOXES, WIDE_CHARTS = 1_000, (4, 8, 16, 32, 64, 128, 256)
"""Boxes that are tried before a wider chart at the centre is, and 1/r0 of those."""


def sample_points(low: Fraction, high: Fraction) -> list[Fraction]:
    """Eight radii of each octave from low to high."""
    return [a + (b - a) * k / 8 for a, b in boxes_of(octaves(low, high)) for k in range(8)]


def decide_decreasing(
    problem: Problem,
    found: Findings,
    low: Fraction,
    high: Fraction,
    failures: list[Finding],
    tick: Callable[[], None],
    movable: bool,
) -> None:
    """Give the verdict, and where f rises the radii that show it; `movable` says that the chart at the centre may be
    a wider one."""
    if found.nothing:
        found.verdicts["decreasing"] = Hypothesis("undecided", Why.NOTHING())
        return
    by_form = found.boxes is not None and direction(problem.node) in (-1, 0)
    if by_form and "floor" in kinds(problem.node):
        found.verdicts["decreasing"] = Hypothesis("proved", Why.FALLS_BY_STEPS())
        return
    try:
        if found.zero is None or found.infinity is None or found.boxes is None:
            raise Undecided(failed(failures, Reason.POSITIVITY_OPEN))
        far = max(high, SEVERAL_WAVES) if isinstance(found.infinity, FreeTail) else high
        found.rise = _seen_to_rise(problem, low, far)
        if found.rise is None and found.infinity.wave is None and falls_flat(problem.node):
            found.verdicts["decreasing"] = Hypothesis("proved", Why.FALLS_BY_ROOTS())
        elif found.rise is None:
            _falls_everywhere(problem, found, low, high, tick, movable, by_form)
            found.verdicts["decreasing"] = Hypothesis("proved", Why.FALLS_ON_BOXES())
    except Undecided as error:
        if by_form:
            found.verdicts["decreasing"] = Hypothesis("proved", Why.FALLS_BY_PARTS())
            return
        found.rise = _rise(problem, sample_points(low, high))
        if found.rise is None:
            found.verdicts["decreasing"] = Hypothesis("undecided", Why.FALL_OPEN(failure=error.finding))
    if found.rise is not None:
        found.verdicts["decreasing"] = Hypothesis("refuted", Why.RISES(a=found.rise[0], b=found.rise[1]))


def _falls_everywhere(
    problem: Problem,
    found: Findings,
    low: Fraction,
    high: Fraction,
    tick: Callable[[], None],
    movable: bool,
    by_form: bool,
) -> None:
    """Raise Undecided unless f falls at both ends and on every box; where its form shows it anyway, of few boxes."""

    def holds(box: Box) -> bool:
        log = problem.on_box(*box)
        return bool(log.u.x.is_finite()) and (bool(log.du.x <= 0) or _falls_by_ends(problem, box, log.du.x))

    if found.zero is None or found.infinity is None or not (found.zero.falling and found.infinity.falling):
        raise Undecided(Reason.SLOPE_OPEN_AT_END())

    def covered(low: Fraction, most: int) -> list[Box]:
        return cover(boxes_of(octaves(low, high, found.breaks)), holds, most, tick)

    try:
        found.boxes = covered(low, FEW_BOXES)
    except Undecided:
        if by_form:
            raise
        _with_wide_chart(problem, found, low, covered, movable)
    hidden = {b for _, b in (found.boxes or [])[:-1]} if "piece" in kinds(problem.node) else set()
    for b in sorted({*found.breaks, *hidden}):
        _falls_across(problem, b)


def _falls_by_ends(problem: Problem, box: Box, slopes: arb) -> bool:
    """Whether f falls on a box by bounds that are kept apart, where those in a ball differ so much in size that its
    radius of thirty bits hides the sign, or the one is infinite as branches of f meet there."""
    jumps = not slopes.is_finite() and "piece" in kinds(problem.node)
    if not jumps and not slopes.upper() <= -slopes.lower() * HIDDEN:
        return False
    edges = Edges((exact(box[0]), exact(box[1])), NOUGHT)
    return bool(Ends.of(problem.positive_log(Slope(Ends.between(*box), Ends(arb(1), arb(1))), edges).du).hi <= 0)


def _with_wide_chart(
    problem: Problem, found: Findings, low: Fraction, covered: Callable[[Fraction, int], list[Box]], movable: bool
) -> None:
    """The same where few boxes do not do: on many, or beside a chart at the centre that reaches further, if movable."""
    assert found.zero is not None
    wide = _wide_chart(problem, found.zero) if movable else None
    if wide is not None:
        try:
            found.boxes, found.zero = covered(1 / wide.radius, MOST_BOXES), wide
            return
        except Undecided:
            pass
    found.boxes = covered(low, FEW_BOXES if isinstance(found.infinity, Repeated) else MOST_BOXES)


def _wide_chart(problem: Problem, zero: End) -> End | None:
    """A chart at the centre that reaches far, on which f is shown to fall.

    Where slopes cancel there, as those of -y - 2 log(1 + e^-y) do, models know it, and boxes have to be tiny.
    """
    for radius in WIDE_CHARTS if problem.series is None else ():
        try:
            end = end_at(problem, Germ(Fraction(radius), zero.germ.order), at_zero=True)
        except Undecided:
            continue
        if end.falling and radius < zero.radius:
            return end
    return None


def _falls_across(problem: Problem, b: Fraction) -> None:
    """Raise Undecided unless f falls across b, where two formulas may meet: with its slopes, or by a jump down."""
    near = b / 10**30
    if not problem.on_box(b - near, b + near).du.x <= 0:
        before, after = problem.beside(b, left=True), problem.beside(b, left=False)
        if not before >= after:
            raise Undecided(Reason.NOT_SEEN_TO_FALL_ACROSS(at=b))


def _seen_to_rise(problem: Problem, low: Fraction, high: Fraction) -> Box | None:
    """A rise where floats show one, proved: it saves the cover that would fail."""
    ends = [nearest(r) for r in octaves(low, high)]
    grid = [a + (b - a) * k / 8 for a, b in pairwise(ends) for k in range(8)]
    heights = map(problem.rough_log(), grid)
    for k, (before, after) in enumerate(pairwise(heights)):
        if after - before > SEEN * (1 + abs(before)) and isfinite(grid[k] + grid[k + 1]):
            a, b = Fraction(grid[k]), Fraction(grid[k + 1])
            return _rise(problem, [a, b]) or _rise(problem, [a - min(a, b - a) / 8, b])  # f may jump at a itself
    return None


def _rise(problem: Problem, points: Sequence[Fraction]) -> Box | None:
    """Two radii a < b with f(a^2) < f(b^2) proved."""
    previous: tuple[Fraction, Any] | None = None
    for r in points:
        try:
            log = problem.on_box(r, r + r / 2**60).u.x
        except Undecided:
            previous = None
            continue
        if previous is not None and previous[1] < log:
            return previous[0], r + r / 2**60
        previous = (r, log)
    return None
