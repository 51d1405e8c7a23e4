"""The tail where phases run free: cells of their torus, on each of which log f has a model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise

from flint import arb

from dpverify.asymptotics import CONSTANT, Germ, Model
from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.ball import Ball
from dpverify.enclosures.nodes import Node, waves
from dpverify.enclosures.pairs import Slope
from dpverify.enclosures.torus import Cell, Cut, Torus, log_on, loss_on
from dpverify.findings import Reason
from dpverify.prover.charts import ORDER, growth, integral_converges
from dpverify.prover.phases import Phases, phases_of, rational_form
from dpverify.prover.problem import Problem, nearest
from dpverify.prover.tail import Tail
from dpverify.prover.torus.tree import FEW_CELLS, Stuck, is_settled, tree, widest

RADII = tuple(Fraction(n) for n in ("9/8", "2", "4", "8", "16", "32", "64", "128", "512", "4096", "65536"))
FLAT, SHORT = arb("0.2"), arb("0.1")
SEEN_UP_TO, SAMPLES = Fraction(64), 4096
BEYOND = (1, 16, 256, 4096)
CENTRE, FAR_OUT = (Fraction(0),), (Fraction(2**12), Fraction(2**18))
"""Where a rise is looked for, and where else if shifts are long."""


def starts(delta: Fraction) -> tuple[Fraction, ...]:
    """Radii from which a tail is tried, and after them such that the longest shift is short beside them."""
    longer = Fraction(2 ** math.ceil(delta).bit_length())
    return *RADII, *(r for factor in BEYOND if (r := longer * factor) > RADII[-1])


@dataclass(frozen=True)
class FreeTail(Tail):
    """The tail where phases run free: cells of their torus, on each of which log f has a model.

    `growing` says that the loss grows without bound on every cell.
    """

    phases: Phases | None = None
    tree: str = ""
    growing: bool = False


def prefers_freedom(problem: Problem) -> bool:
    """Whether waves have exact phases, and f is seen to rise on them: cells of radii and shifts would be many.

    A shift that is short beside one wave makes them few.
    """
    phases = phases_of(problem.node)
    if phases is None or any(part.kind == "floor" for part in waves(problem.node)):
        return False
    if not phases.torus.chirps and [bool(v * exact(problem.delta) < SHORT) for v in phases.torus.speeds] == [True]:
        return False
    stretches = CENTRE + FAR_OUT if problem.delta > SEEN_UP_TO else CENTRE
    return any(_seen_to_rise(problem, start) for start in stretches)


def _seen_to_rise(problem: Problem, start: Fraction) -> bool:
    """Whether floats see f rise somewhere on a stretch of radii."""
    heights = map(problem.rough_log(), (nearest(start + SEEN_UP_TO * k / SAMPLES) for k in range(1, SAMPLES)))
    return any(after > before + 1e-9 * (1 + abs(before)) for before, after in pairwise(heights))


def has_several_lines(problem: Problem) -> bool:
    """Whether waves run at speeds that are no multiples of one, and nothing steps."""
    phases = phases_of(problem.node)
    return phases is not None and len(phases.lines) > 1 and not steps_apart(problem, phases)


def steps_apart(problem: Problem, phases: Phases) -> bool:
    """Whether something steps whose phase is not free, or that hangs together with all that oscillates."""
    floors = [part for part in waves(problem.node) if part.kind == "floor"]
    alone = len(phases.lines) == 1 and not phases.torus.chirps and rational_form(phases.lines[0]) is not None
    return bool(floors) and (alone or any(part not in phases.torus.waves for part in floors))


def free_tail(problem: Problem, start: Fraction) -> FreeTail:
    """The tail on cells of the torus; raises Undecided."""
    phases = phases_of(problem.node)
    if phases is None:
        raise Undecided(Reason.NO_EXACT_PHASE())
    failure: Stuck | None = None
    for radius in [r for r in starts(problem.delta) if r >= start]:
        germ = Germ(radius, ORDER)
        r = Model.power_of_t(germ, 1)
        ends = [*phases.torus.axes(), (problem.delta, problem.delta)]
        growing = _grows_at_a_point(problem, Cell(phases.torus, [(a, a) for a, _ in ends[:-1]] + ends[-1:]), r)

        def settled(box: list[Cut], r: Model = r, growing: bool = growing) -> bool:
            assert phases is not None
            cell = Cell(phases.torus, box)
            log = log_on(problem.node, cell, r)
            loss = loss_on(problem.node, cell, r)
            lead, c = loss.leading()
            as_is = bool(c > 0) and lead > CONSTANT if growing else lead <= CONSTANT or bool(c < 0)
            return integral_converges(log, problem.dimension) and as_is

        if failure is not None and failure.hopeless() and not is_settled(settled, failure.box):
            continue
        try:
            cells = tree(ends, widest(phases.torus), settled, FEW_CELLS)
            return FreeTail(germ, None, (germ,), True, False, None, phases, cells, growing)
        except Stuck as error:
            failure = failure or error
    raise failure or Undecided(Reason.NO_MODEL())


def _grows_at_a_point(problem: Problem, point: Cell, r: Model) -> bool:
    """Whether the loss is seen to grow without bound at a point of the torus."""
    try:
        return growth(loss_on(problem.node, point, r)) > 0
    except Undecided:
        return False


def falls_for_all_phases(node: Node, torus: Torus, germ: Germ, shift: Fraction, least: arb) -> None:
    """Raise Undecided unless phi_shift >= least on [R, oo), whatever the phases are."""
    r = Model.power_of_t(germ, 1)

    def settled(box: list[Cut]) -> bool:
        return bool(loss_on(node, Cell(torus, box), r).span().low >= least)

    tree([*torus.axes(), (shift, shift)], widest(torus), settled, FEW_CELLS)


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

    tree([*torus.axes(), (Fraction(0), Fraction(0))], widest(torus), settled, FEW_CELLS)
    return reduce(arb.max, slopes), reduce(arb.max, tops)


def lines_of(phases: Phases) -> tuple[tuple[tuple[int, int, Fraction], ...], ...]:
    """The lines' speeds as plain data."""
    return tuple(tuple(sorted((n, k, q) for (n, k), q in form.items())) for form in phases.lines)
