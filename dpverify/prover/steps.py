"""The steps of a proof as plain data, from what the hypotheses' and the supremum's proofs found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpverify.asymptotics import Germ
from dpverify.outcome import (
    Box,
    Chart,
    Covering,
    FreeWaves,
    Narrowing,
    Period,
    Points,
    Pole,
    Sign,
    Steps,
    Valueless,
    Vanishing,
    Waves,
)
from dpverify.prover.charts import ORDER
from dpverify.prover.cover import points_of
from dpverify.prover.established import Findings
from dpverify.prover.narrowing import Nearby
from dpverify.prover.periods import Repeated
from dpverify.prover.supremum import Supremum
from dpverify.prover.tail import Tail
from dpverify.prover.torus import FreeTail, lines_of
from dpverify.prover.waves import TWO_PI

UNCOVERED = (Fraction(1, 2**10), Fraction(2**10))


def steps_of(found: Findings, best: Supremum | None) -> Steps | Valueless:
    """Charts, boxes and witness; of a text that has no value somewhere, the box alone."""
    if found.undefined is not None:
        return Valueless(found.undefined.box)
    zero, tail = (found.zero.germ if found.zero else found.zero_value), found.infinity
    if best is not None:
        zero, tail = best.zero, best.tail
    near = found.narrowing.germ if found.narrowing else None
    infinity = found.recurring or found.bounded_end or near or (tail and tail.germ)
    first, last = (found.boxes[0][0], found.boxes[-1][1]) if found.boxes else UNCOVERED
    free = best.free if best is not None else _free(tail)
    if found.vanishing is not None:
        phases = found.vanishing[0]
        free = FreeWaves(lines_of(phases), phases.torus.chirps, ".", None, ())
    oscillates = tail is not None and tail.wave is not None and found.bounded_end is None
    return Steps(
        zero=Chart(1 / zero.radius, zero.order) if zero else Chart(first, 1),
        infinity=Chart(infinity.radius, infinity.order) if infinity else Chart(last, _order_at_last(found)),
        phase=_waves(tail) if tail is not None and oscillates else _again(found.recurring),
        cover=_points(found.boxes),
        supremum=_covering(best) if best is not None else None,
        witness=replace(best.witness, shift=best.witness.shift or None) if best is not None else None,
        sign=Sign(**found.sign) if found.sign is not None else None,
        rise=found.rise,
        series=Chart(found.series.reach, found.series.order) if found.series else None,
        far_boxes=_far_boxes(found),
        apart=found.apart if best is not None and best.boxes else None,
        pole=Pole(found.pole.box, found.pole.bounded, found.pole.still or None) if found.pole else None,
        torus=free,
        recurring=_cell(found.recurring),
        narrowing=_narrowing(found.narrowing),
        vanishing=Vanishing(found.vanishing[1]) if found.vanishing is not None else None,
        period=Period(tail.turns, tail.length) if isinstance(tail, Repeated) else None,
    )


def _far_boxes(found: Findings) -> Chart | None:
    """The models of boxes far out, where what is proved looks at such a box: at all, or at the one on which f rises."""
    far = found.far_boxes
    if far is None:
        return None
    rises_there = found.rise is not None and Fraction(found.rise[0]) >= far.start
    return Chart(far.start, far.order) if found.status("positive") == "proved" or rises_there else None


def _free(tail: Tail | None) -> FreeWaves | None:
    """The phases of a tail without a bound of the loss."""
    if not isinstance(tail, FreeTail) or tail.phases is None:
        return None
    return FreeWaves(lines_of(tail.phases), tail.phases.torus.chirps, tail.tree, None, ())


def _waves(tail: Tail) -> Waves:
    assert tail.wave is not None
    return Waves(tail.wave.turns, tail.wave.frequency, tuple(tail.points() or ()), tail.peak)


def _again(germ: Germ | None) -> Waves | None:
    """The wave alone: of its phases nothing is said but what is said of one cell."""
    if germ is None or germ.phase is None:
        return None
    period = Fraction(2) if germ.phase.turns else TWO_PI
    return Waves(germ.phase.turns, germ.phase.frequency, (Fraction(0), period), None)


def _cell(germ: Germ | None) -> Box | None:
    return None if germ is None or germ.phase is None else (germ.phase.low, germ.phase.high)


def _order_at_last(found: Findings) -> int:
    """The order of a chart at infinity without a radius that counts."""
    return ORDER if found.sign is not None and found.sign["kind"] == "eventually" else 1


def _narrowing(near: Nearby | None) -> Narrowing | None:
    if near is None:
        return None
    phase = near.phase
    return Narrowing(phase.turns, phase.logs, phase.frequency, phase.halves, phase.low, near.width, near.shift)


def _covering(best: Supremum) -> Covering:
    return Covering(
        cover=(*(points_of(best.boxes) if best.boxes else ()), *best.cuts),
        shifts=_lists(best.shifts) if best.free is None else (best.shifts and _lists(best.shifts)) or (),
        phases=_points(best.phases),
        phase_shifts=_lists(best.phase_shifts),
        ahead=_points(best.ahead),
        phase_cuts=best.phase_cuts or None,
        tail_shifts=_points(best.tail_shifts),
        windows=best.windows or None,
        slopes=_points(best.slopes),
    )


def _points(boxes: Sequence[Box] | None) -> Points | None:
    return tuple(points_of(boxes)) if boxes else None


def _lists(shifts: Sequence[Sequence[Box]] | None) -> tuple[Points, ...] | None:
    return tuple(tuple(points_of(boxes)) for boxes in shifts) if shifts else None
