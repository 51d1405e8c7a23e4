"""epsilon where phases of waves do not hang together: the loss is bounded on cells of their torus (Theorem A).

The loss is a function of the radius, of the base phases where r is (and, of chirps, ahead), and of the
shift.  A chart is an interval of radii, or all beyond one; on each the torus times the shifts is halved,
axis by axis, until the loss is below the goal, directly or by its mean value form around the middle.
Where phases come near every point of their torus the limit of the loss at the best point is a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import count, pairwise
from random import Random
from typing import Any

from flint import arb

from dpverify.asymptotics import CONSTANT, Germ, Model
from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.ball import Ball
from dpverify.enclosures.lowering import Node, waves
from dpverify.enclosures.pairs import Slope
from dpverify.enclosures.torus import Cell, Cut, Kept, Torus, log_on, loss_on
from dpverify.outcome import FreeChart, FreeWaves, Witness
from dpverify.prover.charts import ORDER, End, integral_converges
from dpverify.prover.cover import Box, octaves
from dpverify.prover.modulus import (
    Ridge,
    Start,
    cells_of_radii,
    climb_everywhere,
    climb_from,
    climbing_steps,
    frozen,
    pairs_from_centre,
)
from dpverify.prover.phases import Phases, phases_of
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.supremum import Supremum, published
from dpverify.prover.tail import Tail
from dpverify.prover.windows import Exceeded, Windows

ZERO = arb(0)
AXES = "abcdefghijklmnopqrstuvwxyz"
TINY = Fraction(1, 10**40)
RADII = tuple(Fraction(n) for n in ("9/8", "2", "4", "8", "16", "32", "64", "128", "512", "4096", "65536"))
MOST_CELLS, FEW_CELLS, NARROWEST = 30_000, 3_000, Fraction(1, 2**60)
HOPELESS = Fraction(1, 2**20)
MOST_IN_ALL = 30_000
"""Cells of one loss, on all charts and in all attempts together."""
STARTS, BEST, CLIMBS = 4000, 6, 400
GOAL, FLAT = Fraction(4, 5), arb("0.2")
OUT = Ball(arb(2) ** 60)
"""A radius so far out that the loss is about its limit."""
EVERYWHERE = Ball(arb(0, arb.pos_inf()))
"""All radii at once: for a loss that hangs on the phases and the shift alone."""
SEEN_UP_TO, SAMPLES = Fraction(64), 4096
PIECES = 4


@dataclass(frozen=True)
class FreeTail(Tail):
    """The tail where phases run free: cells of their torus, on each of which log f has a model."""

    phases: Phases | None = None
    tree: str = ""


def prefers_freedom(problem: Problem) -> bool:
    """Whether waves have exact phases, and f is seen to rise on them: cells of radii and shifts would be many."""
    if phases_of(problem.node) is None or any(part.kind == "floor" for part in waves(problem.node)):
        return False
    heights = list(map(problem.rough_log(), [nearest(SEEN_UP_TO * k / SAMPLES) for k in range(1, SAMPLES)]))
    return any(after > before + 1e-9 * (1 + abs(before)) for before, after in pairwise(heights))


def free_tail(problem: Problem, start: Fraction) -> FreeTail:
    """The tail on cells of the torus; raises Undecided."""
    phases = phases_of(problem.node)
    if phases is None:
        raise Undecided("no wave has an exact phase")
    failure: _Stuck | None = None
    for radius in [r for r in RADII if r >= start]:
        germ = Germ(radius, ORDER)
        r = Model.power_of_t(germ, 1)

        def settled(box: list[Cut], r: Model = r) -> bool:
            assert phases is not None
            cell = Cell(phases.torus, box)
            log = log_on(problem.node, cell, r)
            loss = loss_on(problem.node, cell, r)
            lead, c = loss.leading()
            return integral_converges(log, problem.dimension) and (lead <= CONSTANT or bool(c < 0))

        ends = [*phases.torus.axes(), (problem.delta, problem.delta)]
        if failure is not None and failure.hopeless() and not _is_settled(settled, failure.box):
            continue
        try:
            tree = _tree(ends, _widest(phases.torus), settled, FEW_CELLS)
            return FreeTail(germ, None, (germ,), True, False, None, phases, tree)
        except _Stuck as error:
            failure = failure or error
    raise failure or Undecided("no model was found")


def falls_for_all_phases(node: Node, torus: Torus, germ: Germ, shift: Fraction, least: arb) -> None:
    """Raise Undecided unless phi_shift >= least on [R, oo), whatever the phases are."""
    r = Model.power_of_t(germ, 1)

    def settled(box: list[Cut]) -> bool:
        return bool(loss_on(node, Cell(torus, box), r).span().low >= least)

    _tree([*torus.axes(), (shift, shift)], _widest(torus), settled, FEW_CELLS)


def bounds_for_all_phases(node: Node, torus: Torus, germ: Germ) -> tuple[arb, arb]:
    """At most r (log f)' on [R, oo) at phases that rest, and log f at R, whatever the phases are; raises Undecided.

    So f(r^2) <= e^top (r/R)^slope beyond R.
    """
    r, slopes, tops = Model.power_of_t(germ, 1), list[arb](), list[arb]()
    start = Ball(arb(exact(germ.radius)))

    def settled(box: list[Cut]) -> bool:
        slope = (log_on(node, Cell(torus, box), Slope(r, r.const(1))).du * r).span().high
        height = log_on(node, Cell(torus, box), start).x
        if not (slope.is_finite() and height.is_finite() and height.rad() < FLAT):
            return False
        slopes.append(slope)
        tops.append(height.upper())
        return True

    _tree([*torus.axes(), (Fraction(0), Fraction(0))], _widest(torus), settled, FEW_CELLS)
    return reduce(arb.max, slopes), reduce(arb.max, tops)


def lines_of(phases: Phases) -> tuple[tuple[tuple[int, int, Fraction], ...], ...]:
    """The lines' speeds as plain data."""
    return tuple(tuple(sorted((n, k, q) for (n, k), q in form.items())) for form in phases.lines)


def _widest(torus: Torus) -> Callable[[list[Cut]], int]:
    """The axis along which a box of phases is the widest."""
    return lambda box: max(range(len(box)), key=lambda k: box[k][1] - box[k][0])


class _Stuck(Undecided):
    """A tree that does not close, with the narrowest box that was halved in vain."""

    def __init__(self, box: list[Cut]) -> None:
        super().__init__("f is not shown positive for all phases")
        self.box = box

    def hopeless(self) -> bool:
        """Whether the box is so narrow that f vanishes there, most likely, and at each radius."""
        return max(b - a for a, b in self.box) < HOPELESS


def _is_settled(settled: Callable[[list[Cut]], bool], box: list[Cut]) -> bool:
    try:
        return settled(box)
    except Undecided:
        return False


def _tree(
    box: list[Cut],
    widest: Callable[[list[Cut]], int],
    settled: Callable[[list[Cut]], bool],
    most: int,
) -> str:
    """A tree of halves on each of whose leaves something is settled; raises Undecided."""
    text, stack, count = [], [box], 0
    least, stuck = None, box
    while stack:
        box = stack.pop()
        count += 1
        if _is_settled(settled, box):
            text.append(".")
            continue
        axis = widest(box)
        width = box[axis][1] - box[axis][0]
        if least is None or width < least:
            least, stuck = width, box
        if count > most or width < NARROWEST:
            raise _Stuck(stuck)
        text.append(AXES[axis])
        stack += _halves(box, axis)
    return "".join(text)


def _halves(box: list[Cut], axis: int) -> list[list[Cut]]:
    a, b = box[axis]
    middle = (a + b) / 2
    return [[*box[:axis], half, *box[axis + 1 :]] for half in ((middle, b), (a, middle))]


class _Higher(Exception):
    """A point of the torus at which the loss is higher than the best that was known."""

    def __init__(self, point: list[Fraction]) -> None:
        self.point = point


class Search:
    """The loss on cells of the torus over one chart, against a goal."""

    def __init__(self, problem: Problem, torus: Torus, r: Any, goal: arb, tick: Callable[[], None]) -> None:
        self.problem, self.torus, self.r, self.goal, self.tick = problem, torus, r, goal, tick
        self.kept: Kept = {}

    def tree(self, most: int) -> str:
        """A tree of halves; on each leaf the loss is below the goal: "." directly, "*" or "-" from a point."""
        text: list[str] = []
        stack = [[*self.torus.axes(), (Fraction(0), self.problem.delta)]]
        count = 0
        while stack:
            box = stack.pop()
            self.tick()
            count += 1
            letter, axis = self.settled(box)
            if letter:
                text.append(letter)
                continue
            if count > most or box[axis][1] - box[axis][0] < NARROWEST:
                raise Undecided("the loss is not bounded for all phases")
            text.append(AXES[axis])
            stack += _halves(box, axis)
        return "".join(text)

    def settled(self, box: list[Cut]) -> tuple[str, int]:
        """The letter of a leaf, or none and the axis to halve."""
        widths, cell = [b - a for a, b in box], Cell(self.torus, box, self.kept)
        try:
            direct = self.span(cell).most()
            if direct <= self.goal:
                return ".", 0
        except Undecided:
            return "", self._widest(widths)
        slopes = [self.slopes(cell, axis) if width else ZERO for axis, width in enumerate(widths)]
        if not all(slope.is_finite() for slope in slopes):
            return "", self._widest(widths)
        letter = "*" if self.span(cell).leans_up() else "-"
        point, ways = [], []
        for (a, b), slope in zip(box, slopes, strict=True):
            uphill = slope if letter == "*" else -slope
            point.append(b if uphill >= 0 else a if uphill <= 0 else (a + b) / 2)
            ways.append(slope * exact(b - a))
        value = self.at(point)
        low, high = value.low, value.high
        if not value.most() <= self.goal:
            if value.low > self.goal or -value.high > self.goal:
                raise _Higher(point)
            raise Undecided("the loss is not below the goal at a point")
        for (a, b), slope, at in zip(box, slopes, point, strict=True):
            left, right = slope * exact(a - at), slope * exact(b - at)
            low = low + left.lower().min(right.lower())
            high = high + left.upper().max(right.upper())
        if _Ends(low.lower(), high.upper()).most() <= self.goal:
            return letter, 0
        return "", max(range(len(box)), key=lambda k: float(ways[k].abs_upper().mid()))

    def slopes(self, cell: Cell, axis: int) -> arb:
        """The slopes of the loss along an axis."""
        span: arb = loss_on(self.problem.node, cell, self.r, axis).du.span().x
        return span

    def at(self, point: Sequence[Fraction]) -> _Ends:
        """The loss at a point of the torus, for a shift."""
        return self.span(Cell(self.torus, [(x, x) for x in point], self.kept))

    def span(self, cell: Cell) -> _Ends:
        """The loss on a cell."""
        span = loss_on(self.problem.node, cell, self.r).span()
        return _Ends(span.x.lower(), span.x.upper()) if isinstance(span, Ball) else _Ends(span.low, span.high)

    def _widest(self, widths: Sequence[Fraction]) -> int:
        speeds = [arb(1)] * (len(widths) - 1)
        fastest = arb(1)
        for speed in self.torus.speeds:
            fastest = fastest.max(abs(speed))
        speeds.append(fastest)
        return max(range(len(widths)), key=lambda k: float((speeds[k] * exact(widths[k])).mid()))


@dataclass(frozen=True)
class _Ends:
    low: arb
    high: arb

    def most(self) -> arb:
        return self.high.max(-self.low)

    def leans_up(self) -> bool:
        return bool(self.high >= -self.low)


class Summit:
    """The largest limit of the loss on the torus, and where."""

    def __init__(self, problem: Problem, phases: Phases, germ: Germ) -> None:
        self.problem, self.phases, self.r = problem, phases, Model.power_of_t(germ, 1)
        self.value, self.point = arb.neg_inf(), [Fraction(0)]

    def height(self, point: Sequence[Fraction]) -> float:
        """The limit at a point of phases and a shift, about."""
        try:
            loss = loss_on(self.problem.node, Cell(self.phases.torus, [(x, x) for x in point]), OUT)
            return abs(float(loss.x.mid()))
        except (Undecided, ValueError, OverflowError):
            return float("-inf")

    def search(self) -> None:
        """Climb from the best of many points: only a lower bound hangs on it."""
        ends, random = self.phases.torus.axes(), Random(15)
        delta = self.problem.delta
        count = min(STARTS, 60 * 6 ** len(ends))

        def point(k: int) -> list[Fraction]:
            h = delta if k % 3 == 0 else delta * random.randrange(1, 2**20) / 2**20
            return [*(b * random.randrange(2**20) / 2**20 for _, b in ends), h]

        points = sorted(((self.height(p), p) for p in map(point, range(count))), key=lambda item: -item[0])
        for height, start in points[:BEST]:
            self.climb(height, start)

    def climb(self, height: float, start: list[Fraction]) -> None:
        """Compass search in all axes, with steps along what was gained."""
        best, at, delta = height, list(start), self.problem.delta
        steps = [Fraction(1, 4)] * (len(at) - 1) + [delta / 16]
        for _ in range(CLIMBS):
            moved = False
            for axis in range(len(at)):
                for sign in (1, -1):
                    to = list(at)
                    to[axis] = to[axis] + sign * steps[axis]
                    if axis == len(at) - 1:
                        to[axis] = min(delta, max(to[axis], delta / 2**20))
                    there = self.height(to)
                    if there > best:
                        best, at, moved = there, to, True
                        steps[axis] = steps[axis] * 2
                        break
                else:
                    steps[axis] = steps[axis] / 2
            if not moved and all(step < Fraction(1, 2**48) for step in steps):
                break
        self.offer(at)

    def offer(self, point: Sequence[Fraction]) -> None:
        """Take a point, if its limit is proved higher."""
        h = point[-1]
        short = [Fraction(round(x * 2**66), 2**66) for x in point[:-1]]
        box = [*((x, x + TINY) for x in short), (h - TINY, h)]
        try:
            value = abs(arb(loss_on(self.problem.node, Cell(self.phases.torus, box), self.r).limit()))
        except Undecided:
            return
        if value.is_finite() and value.lower() > self.value.lower():
            self.value, self.point = value, [*short, h]


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
            raise Undecided("the loss needs more cells of phases than are tried")

    ridge = Ridge(problem, tolerance)
    climb_everywhere(ridge, octaves(1 / zero.radius, max(tail.germ.radius, 2 + problem.delta)), tolerance)
    summit = Summit(problem, phases, tail.germ)
    if phases.dense:
        summit.search()
        _offer(ridge, summit, tolerance)
    nearby = Ridge(problem, tolerance)
    climb_from(nearby, _between_waves(problem.delta), climbing_steps(tolerance), BEST)
    if nearby.value.lower() > ridge.value.lower() + exact(tolerance) * ridge.value.abs_upper().max(arb(1)):
        ridge.value, ridge.witness = nearby.value, nearby.witness
    for _ in range(12):
        try:
            return _settled(problem, zero, tail, ridge, summit, tolerance, counted)
        except Exceeded as larger:
            before = ridge.value
            ridge.climb((larger.r, larger.shift, larger.shift / 8), climbing_steps(tolerance))
            if not ridge.value > before:
                raise Undecided("the largest loss is not found") from None
        except _Higher as higher:
            if not phases.dense:
                raise Undecided("phases are not shown to come near every point of their torus") from None
            before = summit.value
            summit.climb(summit.height(higher.point), higher.point)
            if not summit.value > before:
                raise Undecided("the loss is not bounded for all phases") from None
            _offer(ridge, summit, tolerance)
    raise Undecided("the loss is not bounded for all phases")


def _between_waves(delta: Fraction) -> list[Start]:
    """Radii and shifts for waves that are short before they are far out."""
    step = SEEN_UP_TO / SAMPLES
    return [(step * k, delta * part / 4, step) for k in range(1, SAMPLES) for part in (2, 3, 4)]


def _offer(ridge: Ridge, summit: Summit, tolerance: Fraction) -> None:
    """Take the limit for the lower bound; where it is no better by a tenth of what may be missing, a box says more."""
    gain = exact(tolerance / 10) * ridge.value.abs_upper().max(arb(1))
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
        raise Undecided("no point witnesses the supremum")
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
        boxes, shifts = cells_of_radii(losses, delta, octaves(1 / germ.radius, start), goal, tick, windows)
    lower, upper = published(ridge.value, goal, slack, tolerance)
    peak = tuple(summit.point[:-1]) if ridge.witness.near == "torus" else None
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
    failure: Undecided | None = None
    for radius in [r for r in RADII if r >= tail.germ.radius]:
        try:
            further = tail if radius == tail.germ.radius else free_tail(problem, radius)
            r = Model.power_of_t(further.germ, 1)
            return further, FreeChart(None, _tree_on(problem, tail.phases.torus, r, summit, goal, MOST_CELLS, tick))
        except Undecided as error:
            failure = failure or error
    raise failure or Undecided("the loss is not bounded in the tail")


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
    end, width = far.germ.radius, far.germ.radius - low
    while end > low:
        start = max(low, end - width)
        try:
            tree = _tree_on(problem, torus, Ball.between(start, end), summit, goal, FEW_CELLS, tick)
        except (Undecided, _Higher):
            width = (end - start) / 4
            if width < end / 64:
                break
            continue
        found.insert(0, FreeChart(end, tree))
        end, width = start, (end - start) * 2
    return far, end, found


def _tree_on(
    problem: Problem, torus: Torus, r: Any, summit: Summit, goal: arb, most: int, tick: Callable[[], None]
) -> str:
    """The tree of halves on a chart; Undecided at once where the best point known is not below the goal there."""
    search = Search(problem, torus, r, goal, tick)
    if summit.value.is_finite() and not search.at(summit.point).most() <= goal:
        raise Undecided("the loss exceeds the goal")
    return search.tree(most)
