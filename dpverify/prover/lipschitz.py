"""epsilon from the slopes of g alone, where the largest loss is the steepest slope kept up over all of delta.

Precondition: f > 0, and a loss is known that none is much above.
  1. floats: is g straight where that loss is, from one end of the shift to the other?
  2. bisect [r0, R] until the slopes of g on each box, and at both ends, are no larger than that; in a tail that
     oscillates on each cell of phases, or of a torus of them
  3. g is exactly continuous where boxes meet
Postcondition: no loss exceeds delta times the largest slope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import add, mul

from flint import arb, fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Slope, Undecided, exact
from dpverify.enclosures.ends import Ends
from dpverify.enclosures.integrand import cases, specialised
from dpverify.enclosures.nodes import Node, kinds
from dpverify.enclosures.torus import RUNNING, Cell, Cut, log_on
from dpverify.findings import Part, Place, Reason
from dpverify.outcome import FreeChart, FreeWaves, Witness
from dpverify.prover.charts import End
from dpverify.prover.cover import Box, boxes_of, cover, octaves
from dpverify.prover.periods import Repeated
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.supremum import Supremum, allowed, published
from dpverify.prover.tail import Tail, cover_phases, further
from dpverify.prover.torus.tail import RADII, FreeTail, free_tail, lines_of
from dpverify.prover.torus.tree import FEW_CELLS, tree, widest

PLACES, STRAIGHT, FAR = 8, 1e-4, 256
LONGEST, MOST_BOXES, RUNGS = 1000, 2000, (0, 10, 20, 40, 80)
NEAR = Fraction(1, 10**30)
GOAL, TINY = Fraction(4, 5), arb(2) ** (-60)
CASES = {"floor", "piece"}


def by_slopes(
    problem: Problem,
    zero: End,
    tail: Tail,
    breaks: Sequence[Fraction],
    best: tuple[arb, Witness],
    slack: arb,
    tolerance: Fraction,
    tick: Callable[[], None],
) -> Supremum | None:
    """The enclosure of epsilon, given the best loss seen, and where, and how wide it may be; None where slopes do not
    give it."""
    value, witness = best
    if isinstance(tail, Repeated) or not _straight(
        problem, tail, float(value.mid()), witness, max(STRAIGHT, float(tolerance))
    ):
        return None
    steep = _Steep(problem, (value.lower() + slack * exact(GOAL)) / exact(problem.delta))
    try:
        germ = steep.near_zero(zero)
        far, cells = steep.far(tail, tick)
        r0 = 1 / germ.radius
        boxes = cover(boxes_of(octaves(r0, far.reach, breaks)), steep.holds, MOST_BOXES, tick)
        jumps = _jumps(problem, [r0, *(b for _, b in boxes)])
    except Undecided:
        return None
    if not jumps.is_zero():  # which the checker would have to see exactly
        return None
    top = steep.most * exact(problem.delta)
    if not top <= value.lower() + slack:
        return None
    kept = steep.kept_up(boxes, far.reach)
    if kept is not None and (height := kept[0] * exact(problem.delta)).lower() >= value.lower():
        value, witness = height, Witness("slopes", kept[1], problem.delta)
    lower, upper = published(value, top, slack, tolerance)
    phases, free = (None, cells) if isinstance(cells, FreeWaves) else (cells, None)
    return Supremum(lower, upper, witness, (), germ, far, phases, free=free, slopes=tuple(boxes))


def slopes_beside(
    problem: Problem,
    best: Supremum,
    zero: End,
    breaks: Sequence[Fraction],
    tolerance: Fraction,
    tick: Callable[[], None],
) -> tuple[Box, ...]:
    """Boxes on which slopes show what was found otherwise, with the same charts at both ends; none where they do not.

    Other bounds of a loss that is level are never quite exact, slopes often are."""
    if best.tail.wave is not None:
        return ()
    value = arb(exact(best.lower))
    slack = allowed(value, tolerance)
    start = replace(zero, germ=best.zero)
    steep = by_slopes(problem, start, best.tail, breaks, (value, best.witness), slack, tolerance, tick)
    same = steep is not None and (steep.zero.radius, steep.tail.reach) == (best.zero.radius, best.tail.reach)
    return steep.slopes if steep is not None and same else ()


def _straight(problem: Problem, tail: Tail, value: float, witness: Witness, within: float) -> bool:
    """Whether floats see g as straight, over a shift of delta, as the loss there is large; all is within 1."""
    if within >= 1:
        return True
    if witness.near == "torus":
        return problem.delta <= within
    if witness.near == "box" and witness.shift != problem.delta:
        return False
    start = witness.box[0] if witness.box else tail.reach * FAR if witness.near == "infinity" else Fraction(0)
    log_f, step = problem.rough_log(), problem.delta / PLACES
    places = [start + step * (k + Fraction(1, 2)) for k in range(PLACES)]
    heights = [log_f(nearest(r)) for r in places]
    rises = [abs(b - a) * PLACES for a, b in pairwise(heights)]
    return all(abs(rise - value) <= within * value for rise in rises)


def _further(problem: Problem, tail: Tail) -> Iterator[Tail]:
    """The tail at its own radius and further out."""
    if not isinstance(tail, FreeTail):
        yield from further(problem, tail)
        return
    yield tail
    for radius in RADII:
        if radius > tail.germ.radius:
            yield free_tail(problem, radius)


class _Steep:
    """The largest slope of g met so far, against the largest that may be."""

    def __init__(self, problem: Problem, target: arb) -> None:
        self.problem, self.target, self.most = problem, target, arb(0)

    def near_zero(self, zero: End) -> Germ:
        """A chart at zero on which the slopes are small enough; raises Undecided."""
        for rung in RUNGS:
            germ = Germ(zero.radius * 2**rung, zero.germ.order) if rung else zero.germ
            span = self.problem.near_zero(germ).du.span()
            if self._enough(span.high.max(-span.low)):
                return germ
        raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.FROM_CENTRE))

    def far(self, tail: Tail, tick: Callable[[], None]) -> tuple[Tail, tuple[Box, ...] | FreeWaves | None]:
        """The tail from where on the slopes are small enough, and the cells on which they are; raises Undecided."""
        failure: Undecided | None = None
        for candidate in _further(self.problem, tail):
            try:
                if isinstance(candidate, FreeTail):
                    return candidate, self._on_torus(candidate, tick)
                points = cover_phases(candidate, self._small_on, tick)
                return candidate, None if points is None else tuple(pairwise(points))
            except Undecided as error:
                failure = failure or error
        raise failure or Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))

    def _small_on(self, germ: Germ) -> bool:
        """Whether the slopes are small enough at the radii of a germ."""
        span = self.problem.far(germ).du.span()
        return self._enough(span.high.max(-span.low))

    def _on_torus(self, tail: FreeTail, tick: Callable[[], None]) -> FreeWaves:
        """A tree of cells of the torus on which the slopes are small enough; raises Undecided."""
        phases, r = tail.phases, Model.power_of_t(tail.germ, 1)
        assert phases is not None
        if phases.torus.chirps:
            raise Undecided(Reason.NO_EXACT_PHASE())

        def small(box: list[Cut]) -> bool:
            tick()
            log = log_on(self.problem.node, Cell(phases.torus, box), Slope(r, r.const(1)), RUNNING)
            span = log.du.span()
            return self._enough(span.high.max(-span.low))

        delta = self.problem.delta
        cells = tree([*phases.torus.axes(), (delta, delta)], widest(phases.torus), small, FEW_CELLS)
        return FreeWaves(lines_of(phases), 0, tail.tree, None, (FreeChart(None, cells),))

    def holds(self, box: Box) -> bool:
        """Whether the slopes on a box are small enough: as a ball, or between two ends."""
        if self._enough(self.problem.on_box(*box).du.x.abs_upper()):
            return True
        low, high = self._ends(box)
        return self._enough(high.max(-low))

    def _ends(self, box: Box) -> tuple[arb, arb]:
        slopes = Ends.of(self.problem.positive_log(Slope(Ends.between(*box), Ends(arb(1), arb(1)))).du)
        return slopes.lo, slopes.hi

    def _enough(self, steepest: arb) -> bool:
        if not steepest.upper() <= self.target:
            return False
        self.most = self.most.max(steepest.upper())
        return True

    def kept_up(self, boxes: Sequence[Box], reach: Fraction) -> tuple[arb, Box] | None:
        """The size that the slopes keep at least on some box that is no shorter than delta, and the box."""
        delta, found = self.problem.delta, None
        for a, b in [*self._runs(boxes), (reach, reach + 2 * delta)]:
            a = Fraction(0) if a == boxes[0][0] else a
            if b - a < delta:
                continue
            try:
                slopes = self.problem.on_box(a, b).du.x
            except Undecided:
                continue
            least = abs(slopes).lower()
            if least > self.most * (1 - TINY) and (found is None or least > found[0]):
                found = least, (a, b)
        return found

    def _runs(self, boxes: Sequence[Box]) -> Iterator[Box]:
        """Adjoining boxes on which the slopes have their largest size and one sign."""
        run: list[Fraction] = []
        before = 0
        for a, b in boxes:
            slopes = self.problem.on_box(a, b).du.x
            steep = abs(slopes).lower() > self.most * (1 - TINY)
            side = (1 if slopes > 0 else -1) if steep else 0
            if side != before and run:
                yield run[0], run[-1]
            run = [*(run if side == before else [a]), b] if side else []
            before = side
        if run:
            yield run[0], run[-1]


def _jumps(problem: Problem, radii: Sequence[Fraction]) -> arb:
    """At most what log f jumps by at these radii altogether; raises Undecided."""
    total = arb(0)
    if kinds(problem.node).isdisjoint(CASES):
        return total
    for x in radii:
        near = x * NEAR
        if problem.on_box(x - near, x + near).du.x.is_finite():
            continue
        left, right = (_formula(problem.node, box) for box in ((x - near, x), (x, x + near)))
        if not _meet(left, right, exact(x)):
            total = total + abs(_log_at(problem, left, x) - _log_at(problem, right, x)).upper()
    return total


def _formula(node: Node, box: Box) -> Node:
    """The formula that f is on the box; raises Undecided where it has cases there."""
    settled = cases(node, *box)
    if settled is None:
        raise Undecided(Reason.CHANGES_ON(what=Part.CASE, where=Place.PANEL))
    return specialised(node, settled)


def _meet(left: Node, right: Node, x: fmpq) -> bool:
    """Whether two formulas, or their logarithms, are one rational number at x."""
    for a, b in ((left, right), (_exponent(left), _exponent(right))):
        number = None if a is None or b is None else exactly(a, x)
        if b is not None and number is not None and number == exactly(b, x):
            return True
    return False


def _exponent(node: Node) -> Node | None:
    """u where the node is e^u."""
    if node.kind == "exp":
        return node.args[0]  # type: ignore[no-any-return]
    parts = [_exponent(a) for a in node.args] if node.kind == "mul" else [None]
    return None if None in parts else Node("add", *parts)


def _log_at(problem: Problem, formula: Node, x: Fraction) -> arb:
    return replace(problem, node=formula, series=None, far_boxes=None, _models={}).log_at(Ball(arb(exact(x))))


def exactly(node: Node, x: fmpq) -> fmpq | None:
    """The value of a node at x where it is made of rational numbers and of e^0; else None."""
    if node.kind in ("num", "r"):
        return x if node.kind == "r" else node.args[0]
    values = [exactly(a, x) for a in node.args if isinstance(a, Node)]
    known = [v for v in values if v is not None and v.height_bits() <= LONGEST]
    if len(known) < len(values):
        return None
    if node.kind == "exp":
        return fmpq(1) if known[0] == 0 else None
    if node.kind == "pow":
        p = node.args[1]
        return known[0] ** int(p) if known[0] != 0 and p.q == 1 and abs(p) <= 64 else None
    if node.kind in ("add", "mul"):
        return reduce(add if node.kind == "add" else mul, known)
    return max(known) if node.kind == "max" else None
