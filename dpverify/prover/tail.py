"""The end at infinity, on one chart or, where f oscillates there, on one chart for each cell of phases.

A statement about the tail is one about every cell.  With a wave the mean value form in the radius
goes back by at most half a cell, so the boxes reach one period further out than the models' radius.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from dpverify.asymptotics import CONSTANT, Germ
from dpverify.enclosures import Undecided, exact, fraction_below
from dpverify.enclosures.nodes import walk
from dpverify.findings import Finding, Part, Place, Reason
from dpverify.prover.charts import ORDER, End, end_at, find_end, growth, integral_converges, ladder
from dpverify.prover.cover import Box, boxes_of, cover, halves, points_of
from dpverify.prover.problem import Problem
from dpverify.prover.waves import Wave, wave_of

PIECES = 16
TINY = Fraction(1, 10**40)
NARROW = Fraction(1, 2**12)
SAMPLES = 64
FLAT = arb(2) ** (-100)
SETTLED = arb(2) ** (-60)
RUNGS_OF_A_WAVE, NEARER = 7, 8
"""How many radii a tail that oscillates is tried at; and how much nearer a tail begins that fades exponentially, or one
that oscillates where shifts are long, since boxes that reach further out have all waves up to there in them."""
MOST_CELLS, NARROWEST_CELL, RAISE = 3000, Fraction(1, 2**48), arb(2) ** (-16)


@dataclass(frozen=True)
class Tail:
    """Models of log f on [R, oo): R and order in `germ`, one germ for each cell of phases in `cells`.

    `peak` is a phase at which the loss is about largest in the limit.
    """

    germ: Germ
    wave: Wave | None
    cells: tuple[Germ, ...]
    integrable: bool
    falling: bool
    peak: Fraction | None = None

    @property
    def reach(self) -> Fraction:
        """How far out the boxes have to go."""
        return self.germ.radius + (self.wave.reach if self.wave else 0)

    def points(self) -> list[Fraction] | None:
        """The ends of the cells of phases."""
        phases = [cell.phase for cell in self.cells if cell.phase is not None]
        return [phases[0].low, *(phase.high for phase in phases)] if phases else None

    def summit(self) -> Germ:
        """The germ on which the limit of the loss is about largest: an open cell, since one phase has no weight."""
        if self.wave is None or self.peak is None:
            return self.germ
        return self.germ.at(self.wave.cell(self.peak, self.peak + TINY))


def find_tail(problem: Problem, start: Fraction) -> Tail:
    """The tail on one chart where that settles it, else on cells of phases; raises Undecided."""
    wave = wave_of(problem.node, problem.delta)
    failure = None
    try:
        end = _chart(problem, start)
        plain = Tail(end.germ, None, (end.germ,), end.integrable, end.falling)
        if wave is None or not end.integrable or (end.falling and has_a_limit(problem, end.germ)):
            return plain
    except Undecided as error:
        if wave is None:
            raise
        failure, plain = error, None
    radii = ladder(start / NEARER)[: RUNGS_OF_A_WAVE + 1] if problem.delta > 1 else ladder(start)[:RUNGS_OF_A_WAVE]
    for radius in radii:
        try:
            return _nearer(problem, _phased(problem, Germ(radius, ORDER), wave), wave)
        except _Stuck as error:
            failure = failure or error
            if not _modelled(problem, Germ(radii[-1], ORDER), wave, error.cell):
                break
        except Undecided as error:
            failure = failure or error
    if plain is not None:
        return plain
    raise failure or Undecided(Reason.NO_MODEL())


def _chart(problem: Problem, start: Fraction) -> End:
    """The first end that is settled, or one nearer by where what vanishes does so exponentially.

    Too small for boxes, it is known to a model.
    """
    steep = any(n.kind == "softplus" or (n.kind == "add" and n.exponential) for n in walk(problem.node))
    nearest = _fading(problem, start / NEARER, ORDER) if steep else None
    if nearest is not None and nearest.falling and nearest.integrable and nearest.settled:
        return nearest
    end = find_end(problem, at_zero=False, start=start)
    if not _fades(end):
        return end
    for closer in (NEARER, NEARER // 2, NEARER // 4):
        known = steep and (end.radius / closer, end.germ.order) == (start / NEARER, ORDER)
        nearer = nearest if known else _fading(problem, end.radius / closer, end.germ.order)
        if nearer is not None and (nearer.falling, nearer.integrable, nearer.settled) == (
            end.falling,
            end.integrable,
            end.settled,
        ):
            return nearer
    return end


def _fading(problem: Problem, radius: Fraction, order: int) -> End | None:
    """An end beyond a radius where something vanishes exponentially; None where there is none."""
    try:
        end = end_at(problem, Germ(radius, order), at_zero=False)
    except Undecided:
        return None
    return end if _fades(end) else None


def _fades(end: End) -> bool:
    return any(m[0] != 0 for m in end.log.u.terms)


def _nearer(problem: Problem, tail: Tail, wave: Wave) -> Tail:
    """A tail nearer by where the loss hangs on the phase alone, so that the boxes cover fewer periods of it."""
    if not hangs_on_the_phase(problem, tail):
        return tail
    for radius in (tail.germ.radius / 8, tail.germ.radius / 4, tail.germ.radius / 2):
        try:
            nearer = _phased(problem, Germ(radius, tail.germ.order), wave, tail.peak)
            alone = hangs_on_the_phase(problem, nearer)
        except Undecided:
            continue
        if alone and (nearer.falling, nearer.integrable) == (tail.falling, tail.integrable):
            return nearer
    return tail


def hangs_on_the_phase(problem: Problem, tail: Tail) -> bool:
    """Whether the loss is a function of the phase alone, so that it is the same further out."""
    losses = [problem.far_loss(cell, exact(problem.delta)) for cell in tail.cells]
    return all(m == CONSTANT for loss in losses for m in loss.terms)


def has_a_limit(problem: Problem, germ: Germ) -> bool:
    """Whether the model of the loss tells its limit, or that it grows or falls without bound."""
    loss = problem.far_loss(germ, exact(problem.delta))
    return growth(loss) != 0 or arb(loss.limit()).rad() < SETTLED


class _Stuck(Undecided):
    """No model of log f, or of its loss, on a cell of phases however narrow, as where f is 0."""

    def __init__(self, finding: Finding, cell: Box) -> None:
        super().__init__(finding)
        self.cell = cell


def _modelled(problem: Problem, germ: Germ, wave: Wave, cell: Box) -> bool:
    """Whether log f and its loss have models there."""
    try:
        problem.far_loss(germ.at(wave.cell(*cell)), exact(problem.delta))
        problem.far(germ.at(wave.cell(*cell)))
    except Undecided:
        return False
    return True


def _phased(problem: Problem, germ: Germ, wave: Wave, peak: Fraction | None = None) -> Tail:
    """log f and its integral on every cell of phases, as coarse as they can be; the peak is looked for if not known."""
    integrable: list[bool] = []
    falling, latest = True, boxes_of(wave.points(PIECES))[0]

    def decided(cell: Box) -> bool:
        nonlocal falling, latest
        latest = cell
        here = germ.at(wave.cell(*cell))
        problem.far_loss(here, exact(problem.delta))  # Undecided where the cell is too wide, or the radius too small
        log = problem.far(here)
        integrable.append(integral_converges(log.u, problem.dimension))
        if falling and not log.du.span().high <= 0:
            if cell[1] - cell[0] > NARROW * wave.period:
                return False
            falling = False
        return True

    try:
        cells = cover(boxes_of(wave.points(PIECES)), decided, 4000, least=wave.period * NARROW / 16)
    except Undecided as error:
        raise _Stuck(error.finding, latest) from None
    if any(integrable) and not all(integrable):
        raise Undecided(Reason.CONVERGENCE_BY_PHASE())
    germs = tuple(germ.at(wave.cell(*cell)) for cell in cells)
    falling = falling and all(_falls_across(problem, germ, wave, low) for low, _ in cells)
    tail = Tail(germ, wave, germs, all(integrable), falling)
    return replace(tail, peak=_peak(problem, tail) if peak is None else peak)


def _falls_across(problem: Problem, germ: Germ, wave: Wave, x: Fraction) -> bool:
    """Whether f falls across the phase x, where two cells meet: with its slopes, or by a jump that is not upwards.

    g(r + h) - g(r) from just before x to just after is then no less than what g can rise on the way.
    """
    try:
        if problem.far(germ.at(wave.cell(x - TINY, x + TINY))).du.span().high <= 0:
            return True
        before, after = germ.at(wave.cell(x - TINY, x)), germ.at(wave.cell(x, x + TINY))
        steepest = (-problem.far(before).du.span().low).max(-problem.far(after).du.span().low)
        h = exact(TINY / wave.frequency)
        return bool(problem.phased_loss(before, h).low >= steepest * h)
    except Undecided:
        return False


def _peak(problem: Problem, tail: Tail) -> Fraction | None:
    """A phase at which the loss grows without bound, or at which its limit is about largest."""
    assert tail.wave is not None
    best, where = arb.neg_inf(), None
    step = tail.wave.period / SAMPLES
    ahead = tail.wave.frequency * problem.delta / 2  # a shift leads across a break from the phases just before it
    beside = {x for b in tail.wave.breaks for x in (_inside(tail, b), (b - ahead) % tail.wave.period)}
    grid = sorted({step * k + step / 2 for k in range(SAMPLES)} | beside)
    for x in grid:
        try:
            loss = problem.far_loss(tail.germ.at(tail.wave.cell(x, x)), exact(problem.delta))
            if growth(loss) > 0:
                return x
            if arb(loss.limit()).mid() > best:
                best, where = arb(loss.limit()).mid(), x
        except Undecided:
            continue
    return None if where is None else _climbed(problem, tail, where, step)


def _inside(tail: Tail, x: Fraction) -> Fraction:
    assert tail.wave is not None
    return x + tail.wave.period / 10**6


def _climbed(problem: Problem, tail: Tail, x: Fraction, step: Fraction) -> Fraction:
    """Uphill by steps, and to the vertex of a parabola where no step leads up: only a lower bound hangs on it."""

    def height(at: Fraction) -> arb:
        assert tail.wave is not None
        try:
            model = problem.far_loss(tail.germ.at(tail.wave.cell(at, at)), exact(problem.delta))
            return arb(model.limit()).mid()
        except Undecided:
            return arb.neg_inf()

    best = height(x)
    for _ in range(60):
        left, right = height(x - step), height(x + step)
        if left > best or right > best:
            best, x = (left, x - step) if left > right else (right, x + step)
            continue
        bend, step = 2 * best - left - right, step / 2
        if bend <= abs(best) * FLAT:
            break
        if bend.is_finite():
            vertex = _short(x + step * fraction_below(((right - left) / bend).mid()))
            at_vertex = height(vertex)
            if at_vertex > best:
                best, x, step = at_vertex, vertex, step / 4
    return _short(x)


def _short(x: Fraction) -> Fraction:
    return Fraction(round(x * 2**66), 2**66)


def cover_phases(
    tail: Tail, holds: Callable[[Germ], bool], tick: Callable[[], None], narrowest: Fraction = Fraction(1, 2**40)
) -> list[Fraction] | None:
    """Points between which `holds` on every cell of phases; None for a tail without a wave, if it holds there.

    Raises Undecided where it does not.
    """
    if tail.wave is None:
        if not holds(tail.germ):
            raise Undecided(Reason.END_OPEN(where=Place.TAIL))
        return None
    wave = tail.wave
    cells = cover(
        boxes_of(tail.points() or []), lambda c: holds(tail.germ.at(wave.cell(*c))), 4000, tick, narrowest=narrowest
    )
    return points_of(cells)


def lowest(
    problem: Problem, tail: Tail, target: arb, tick: Callable[[], None], patient: bool
) -> tuple[tuple[Box, ...] | None, arb]:
    """Cells of phases on which the loss is at most the target, and its highest bound there.

    Where no narrower cell could reach the target at this radius, a patient search raises the
    target, and the other raises Undecided.
    """
    delta = exact(problem.delta)
    if tail.wave is None:
        top = problem.far_loss(tail.germ, delta).span().high
        if not patient and not top <= target:
            raise Undecided(Reason.ABOVE_TARGET())
        return None, top
    done: list[Box] = []
    stack = boxes_of(tail.points() or [])[::-1]
    top = arb.neg_inf()
    while stack:
        cell = stack.pop()
        tick()
        germ = tail.germ.at(tail.wave.cell(*cell))
        value = problem.phased_loss(germ, delta).high
        if value <= target:
            done.append(cell)
            top = top.max(value)
            continue
        least = problem.point_loss(germ, delta).high
        if not least <= target:
            if not patient:
                raise Undecided(Reason.ABOVE_TARGET())
            target = least + abs(least) * RAISE
        if len(done) + len(stack) > MOST_CELLS or cell[1] - cell[0] < NARROWEST_CELL or not target.is_finite():
            raise Undecided(Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL))
        stack.extend(reversed(halves(cell)))
    return tuple(done), top


def further(problem: Problem, tail: Tail) -> Iterator[Tail]:
    """The tail at its own radius and further out."""
    yield tail
    phases = [cell.phase for cell in tail.cells]
    for radius in ladder(tail.germ.radius)[1 : RUNGS_OF_A_WAVE if tail.wave else None]:
        germ = Germ(radius, tail.germ.order)
        yield replace(tail, germ=germ, cells=tuple(germ if phase is None else germ.at(phase) for phase in phases))
