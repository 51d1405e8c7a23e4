"""The hypotheses of a density and of Theorem 3, each with its own verdict and its own steps of proof.

  defined             every part of the text as typed has a real value at almost every radius (see `defined`)
  positive            f > 0 on (0, oo)
  decreasing          f is non-increasing
  finite_at_zero      f(0+) is finite
  integrable          the integral of r^(d-1) f(r^2) is finite
  tail_ratio_bounded  limsup of f((c - delta)^2) / f(c^2) is finite
Source: Reimherr and Awan (2019), Theorem 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

from dpverify.asymptotics import Germ
from dpverify.enclosures import Undecided, exact
from dpverify.findings import Finding, Place, Reason, Why, failed
from dpverify.prover.algebra import between_roots
from dpverify.prover.breaks import breaks, last_change
from dpverify.prover.charts import (
    ORDER,
    end_at,
    find_bounded_centre,
    find_bounded_end,
    find_diverging_end,
    find_end,
    growth,
    ladder,
)
from dpverify.prover.cover import Box, boxes_of, cover, octaves
from dpverify.prover.defined import MOST_RUNGS, Definedness, Undefined
from dpverify.prover.dominated import dominated
from dpverify.prover.established import Findings
from dpverify.prover.eventually import negative_at_last
from dpverify.prover.fall import MOST_BOXES, decide_decreasing, sample_points
from dpverify.prover.far_boxes import far_boxes_of
from dpverify.prover.limits import tending_to_zero
from dpverify.prover.lowest import lowest_places
from dpverify.prover.monotone import never_below_zero
from dpverify.prover.narrowing import diverging_nearby, unbounded_nearby
from dpverify.prover.nothing import nothing
from dpverify.prover.one_side import pole_beside, tending_beside
from dpverify.prover.periods import Repeated, repeated_tail
from dpverify.prover.problem import Problem
from dpverify.prover.recurring import diverging_again
from dpverify.prover.support import integrable, pole, vanishes, where_zero
from dpverify.prover.tail import Tail, cover_phases, find_tail, further, has_a_limit
from dpverify.prover.torus import FreeTail, free_tail, has_several_lines, prefers_freedom
from dpverify.prover.vanishing import vanishing_far_out
from dpverify.prover.zeros import touching
from dpverify.results import Hypothesis

FAR_OUT = (1, 2, 4, 7, 11, 16, 24, 36, 54, 80, 120, 180, 270, 400, 600, 900)
"""Octaves beyond the boxes at which f may have turned negative at last."""
SLOW = 2**16
"""How many times as far out a slow wave, of a logarithm say, may touch zero first."""
FARTHER = 8
"""How many times as far out a tail begins for the sake of a last change of formula."""
BESIDE, BESIDE_BREAKS = range(3, 60, 3), range(38, 162, 4)
"""How near to a radius at which f has no proved sign it is looked at, as powers of two: where it changes its formula
exactly, as near as is typed."""
NARROWEST_PHASE = Fraction(1, 2**16)


def examine(problem: Problem, definedness: Definedness, tick: Callable[[], None] = lambda: None) -> Findings:
    """Decide each hypothesis as far as rigorous arithmetic carries."""
    found = Findings(vanishing=vanishing_far_out(problem))
    failures = _find_ends(problem, found)
    if definedness.waiting:
        _move_ends(problem, found, definedness, tick)
    if found.zero is not None and found.infinity is not None:
        low, high = 1 / found.zero.radius, found.infinity.reach
    else:
        low, high = Fraction(1, 2**12), Fraction(2**7)
        if found.zero is not None:
            low = min(low, 1 / found.zero.radius)
    jumps = breaks(problem.node, low, high + problem.delta)
    found.breaks = sorted({*jumps, *(b - problem.delta for b in jumps if b > problem.delta)})
    repeated = isinstance(found.infinity, Repeated)
    if found.infinity is not None and found.infinity.wave is None and not repeated:
        found.far_boxes = far_boxes_of(problem, high)
        problem = problem.with_far(found.far_boxes)
    _positive(problem, found, low, high, failures, tick)
    decide_decreasing(problem, found, low, high, failures, tick, movable=not (definedness.waiting or repeated))
    _finite_at_zero(found, failures)
    _integrable(problem, found, failures)
    _tail_ratio(problem, found, failures)
    _defined(found, definedness, tick)
    return found


def undefined(definedness: Definedness, at: Undefined) -> Findings:
    """What is known of a text of which a part has no value."""
    found = Findings()
    _refute_defined(found, definedness, at)
    return found


def _refute_defined(found: Findings, definedness: Definedness, at: Undefined) -> None:
    found.undefined = at
    found.verdicts["defined"] = Hypothesis("refuted", definedness.complaint(at))


def _move_ends(problem: Problem, found: Findings, definedness: Definedness, tick: Callable[[], None]) -> None:
    """Begin the charts at the ends where all parts of the text have values on them, if that is further out."""
    if found.zero is not None:
        for radius in ladder(found.zero.radius)[:MOST_RUNGS]:
            tick()
            germ = found.zero.germ if radius == found.zero.radius else Germ(radius, found.zero.germ.order)
            if definedness.unmet_at(germ, at_zero=True) is None:
                try:
                    found.zero = found.zero if germ is found.zero.germ else end_at(problem, germ, at_zero=True)
                    break
                except Undecided:
                    continue
    if found.infinity is not None and not isinstance(found.infinity, Repeated):
        for tail in islice(further(problem, found.infinity), MOST_RUNGS):
            try:
                found.infinity = _split(tail, definedness, tick)
                break
            except Undecided:
                continue


def _split(tail: Tail, definedness: Definedness, tick: Callable[[], None]) -> Tail:
    """The tail, its cells of phases so narrow that all parts of the text have values; raises Undecided."""

    def met(germ: Germ) -> bool:
        return definedness.unmet_at(germ, at_zero=False) is None

    points = cover_phases(tail, met, tick, NARROWEST_PHASE)
    if points is None or tail.wave is None:
        return tail
    return replace(tail, cells=tuple(tail.germ.at(tail.wave.cell(*cell)) for cell in boxes_of(points)))


def _defined(found: Findings, definedness: Definedness, tick: Callable[[], None]) -> None:
    if not definedness.waiting:
        found.verdicts["defined"] = Hypothesis("proved", Why.HAS_VALUES())
        return
    try:
        zero = found.zero.germ if found.zero is not None else definedness.chart(True, Fraction(2**10))
        far: tuple[Germ, ...]
        if found.bounded_end is not None or found.infinity is None:
            far = (found.bounded_end or definedness.chart(False, Fraction(16)),)
            high = far[0].radius
        else:
            far, high = found.infinity.cells, found.infinity.reach
        definedness.check_end(zero, at_zero=True)
        if isinstance(found.infinity, Repeated):
            definedness.check_period(found.infinity.period)
        for germ in far:
            definedness.check_end(germ, at_zero=False)
        boxes = definedness.covered(found.boxes or boxes_of(octaves(1 / zero.radius, high)), tick)
    except Undecided as error:
        found.verdicts["defined"] = Hypothesis("undecided", error.finding)
        return
    if isinstance(boxes, Undefined):
        _refute_defined(found, definedness, boxes)
        return
    found.boxes = boxes
    found.verdicts["defined"] = Hypothesis("proved", Why.HAS_VALUES())


def _find_ends(problem: Problem, found: Findings) -> list[Finding]:
    failures: list[Finding] = []
    try:
        found.zero = find_end(problem, True, _power_of_two(2**10 * max(Fraction(1), 1 / problem.delta)))
    except Undecided as error:
        failures.append(Reason.NO_MODEL_OF_F(where=Place.ZERO, failure=error.finding))
    if found.vanishing is not None:
        return [*failures, Reason.NEARS_ZERO()]
    try:
        found.infinity = _find_tail(problem, found)
    except Undecided as error:
        failures.append(Reason.NO_MODEL_OF_F(where=Place.INFINITY, failure=error.finding))
    if found.zero is not None and not (found.infinity is not None and found.infinity.falling):
        found.infinity = repeated_tail(problem, 1 / found.zero.radius) or found.infinity
    return failures


def _find_tail(problem: Problem, found: Findings) -> Tail:
    """The tail on one chart, or on cells of one phase; else, or where waves are fast, on cells of a torus of phases.

    Beside one phase f may show that there is none: that is looked for before a torus, which takes its time.
    """
    start = _power_of_two(16 * max(Fraction(1), problem.delta))
    start = _power_of_two(last_change(problem.node, start, start * FARTHER))
    if prefers_freedom(problem):
        _look_beside_phases(problem, found)
        try:
            return free_tail(problem, Fraction(1))
        except Undecided:
            return find_tail(problem, start)
    try:
        tail = find_tail(problem, start)
    except Undecided as error:
        _look_beside_phases(problem, found)
        try:
            return free_tail(problem, Fraction(1))
        except Undecided:
            raise error from None
    spread = tail.wave is None and tail.integrable and not has_a_limit(problem, tail.germ)
    several = tail.wave is not None and not tail.falling and has_several_lines(problem)
    if not (spread or several):
        return tail
    try:  # of several waves one phase shows but one, and a model without a phase none
        return free_tail(problem, Fraction(1))
    except Undecided:
        return tail


def _look_beside_phases(problem: Problem, found: Findings) -> None:
    """Raises Undecided where there is no tail to be looked for, f being seen not to be private, or no density."""
    if not has_several_lines(problem):
        found.narrowing = diverging_nearby(problem) or unbounded_nearby(problem)
    if found.narrowing is not None:
        raise Undecided(Reason.END_OPEN(where=Place.TAIL))


def _power_of_two(least: Fraction) -> Fraction:
    power = 1
    while power < least:
        power *= 2
    return Fraction(power)


def _positive(
    problem: Problem, found: Findings, low: Fraction, high: Fraction, failures: list[Finding], tick: Callable[[], None]
) -> None:
    zero_at_centre = found.zero is not None and growth(found.zero.log.u) < 0
    if zero_at_centre:
        found.sign = {"kind": "centre", "box": None, "positive": None}
        found.verdicts["positive"] = Hypothesis("refuted", Why.ZERO_AT_CENTRE())
        try:
            _boxes(problem, found, low, high, tick)
        except Undecided as error:
            failures.append(error.finding)
            step = _not_positive(problem, found, low, high, _stuck(error.finding))
            if step is not None and step["kind"] == "negative":
                _refute_positive(found, step)
        return
    stuck = None
    if found.zero is not None and found.infinity is not None:
        try:
            _boxes(problem, found, low, high, tick)
            found.verdicts["positive"] = Hypothesis("proved", Why.POSITIVE())
            return
        except Undecided as error:
            failures.append(error.finding)
            stuck = _stuck(error.finding)
    step = _not_positive(problem, found, low, high, stuck)
    if step is None and (covered := nothing(problem, found.breaks, tick)) is not None:
        found.zero_value, found.bounded_end, found.boxes = covered
        found.sign = {"kind": "nothing", "box": None, "positive": None}
        found.verdicts["positive"] = Hypothesis("refuted", Why.NOTHING())
    elif step is not None:
        _refute_positive(found, step)
        if step["kind"] == "vanishes":
            where = where_zero(problem, step["positive"][0], step["box"][0])
            found.verdicts["positive"] = Hypothesis("refuted", where)
    else:
        found.verdicts["positive"] = Hypothesis("undecided", failed(failures, Why.SIGN_OPEN))


def _refute_positive(found: Findings, step: dict[str, Any]) -> None:
    found.sign = step
    if step["kind"] == "eventually":
        found.verdicts["positive"] = Hypothesis("refuted", Why.NEGATIVE_AT_LAST())
        return
    why = {"negative": Why.NEGATIVE, "vanishes": Why.VANISHES}.get(step["kind"], Why.TOUCHES_ZERO)
    found.verdicts["positive"] = Hypothesis("refuted", why(at=step["box"][0]))


def _boxes(problem: Problem, found: Findings, low: Fraction, high: Fraction, tick: Callable[[], None]) -> None:
    def holds(box: Box) -> bool:
        return bool(problem.on_box(*box).u.x.is_finite())

    found.boxes = cover(boxes_of(octaves(low, high, found.breaks)), holds, MOST_BOXES, tick)


def _stuck(finding: Finding) -> Fraction | None:
    """The radius at which a cover went no further."""
    at = dict(finding.values).get("at")
    return at if isinstance(at, Fraction) else None


def _beside(stuck: Fraction | None, jumps: Sequence[Fraction]) -> Iterator[Box]:
    """Boxes nearer and nearer to where f has no proved sign: from zero on it is negative on one side, or vanishes."""
    for c, nearness in (*((b, BESIDE_BREAKS) for b in jumps), *((c, BESIDE) for c in (stuck,) if c)):
        for k in nearness:
            for gap in (c / 2**k, -c / 2**k):
                a, b = c + gap, c + gap + gap / 2**6
                yield (a, b) if gap > 0 else (b, a)


def _not_positive(
    problem: Problem, found: Findings, low: Fraction, high: Fraction, stuck: Fraction | None
) -> dict[str, Any] | None:
    """A small box on which f is negative, or vanishes or touches zero beside one where it is positive."""
    jumps = [b for b in found.breaks if low < b < high]
    vanishing: Box | None = None
    positive: Box | None = None
    seen: list[Box] = []
    radii = [*sample_points(low, high), *(high * 2**k for k in FAR_OUT), *between_roots(problem.node)]
    near = [b for b in jumps if stuck is None or abs(b - stuck) < stuck / 2**8]
    sampled = [(r, r + r / 2**40) for r in radii]
    for i, box in enumerate((*sampled, *_beside(stuck, near))):
        try:
            if problem.sign_on_box(*box) == -1:
                return {"kind": "negative", "box": box, "positive": None}
            value = problem.value_on_box(*box)
        except Undecided:
            if vanishes(problem, box):
                vanishing = vanishing if vanishing and positive else box
            continue
        if value < 0:
            return {"kind": "negative", "box": box, "positive": None}
        if value.is_zero():
            vanishing = vanishing if vanishing and positive else box
        elif value > 0:
            seen += [box] if i < len(sampled) else []
            positive = positive if vanishing and positive else box
    if positive and vanishing:
        return {"kind": "vanishes", "box": vanishing, "positive": positive}
    for r in lowest_places(problem, low, high):
        if problem.sign_on_box(r, r + r / 2**40) == -1:
            return {"kind": "negative", "box": (r, r + r / 2**40), "positive": None}
    points = sample_points(low, high)
    further = sample_points(high, high * SLOW)
    places = (
        ("touches", touching, points),
        ("limits", tending_to_zero, points),
        ("side", tending_beside, jumps),
        ("touches", touching, further),
    )
    for kind, place, given in places if seen else ():
        touched = place(problem.node, given)
        if touched:
            c = touched[0]
            return {"kind": kind, "box": touched, "positive": min(seen, key=lambda box: abs(box[0] - c))}
    return {"kind": "eventually", "box": None, "positive": None} if negative_at_last(problem) else None


def _finite_at_zero(found: Findings, failures: list[Finding]) -> None:
    name = "finite_at_zero"
    if found.zero is None:
        found.verdicts[name] = Hypothesis("undecided", failed(failures))
        return
    try:
        pole = growth(found.zero.log.u) > 0
    except Undecided as error:
        found.verdicts[name] = Hypothesis("undecided", error.finding)
        return
    found.verdicts[name] = (
        Hypothesis("refuted", Why.POLE_AT_CENTRE()) if pole else Hypothesis("proved", Why.FINITE_AT_CENTRE())
    )


def _integrable(problem: Problem, found: Findings, failures: list[Finding]) -> None:
    name = "integrable"
    for end, where in ((found.infinity, Why.DIVERGES_IN_TAIL), (found.zero, Why.DIVERGES_AT_CENTRE)):
        if end is not None and not end.integrable:
            found.verdicts[name] = Hypothesis("refuted", where())
            return
    if found.infinity is None and (diverging := find_diverging_end(problem, Fraction(16))):
        found.bounded_end = diverging
        found.verdicts[name] = Hypothesis("refuted", Why.DIVERGES_IN_TAIL())
        return
    if found.infinity is None and found.vanishing is None and (recurring := diverging_again(problem)):
        found.recurring = recurring
        found.verdicts[name] = Hypothesis("refuted", Why.DIVERGES_IN_TAIL())
        return
    if found.infinity is None and found.vanishing is None:
        found.narrowing = found.narrowing or diverging_nearby(problem) or unbounded_nearby(problem)
    if found.narrowing is not None and found.narrowing.shift is None:
        found.verdicts[name] = Hypothesis("refuted", Why.DIVERGES_IN_TAIL())
        return
    status = found.status("positive")
    zeros = status == "refuted" and found.sign is not None
    if status != "undecided":
        found.narrowing = None
    without_log = zeros or found.vanishing is not None or found.narrowing is not None
    if found.nothing:
        found.verdicts[name] = Hypothesis("undecided", Why.NOTHING())
    elif without_log or (status == "undecided" and _pole(problem, found)):
        _integrable_with_zeros(problem, found, failures)
    elif found.zero is None or found.infinity is None or found.boxes is None:
        found.verdicts[name] = Hypothesis("undecided", failed(failures, Why.UNBOUNDED_BETWEEN))
    else:
        found.verdicts[name] = Hypothesis("proved", Why.INTEGRABLE())


def _pole(problem: Problem, found: Findings) -> bool:
    """Whether f is infinite at a radius; found where what is not known of its sign hangs on that."""
    if found.boxes is None:
        points = sample_points(Fraction(1, 2**12), Fraction(2**7))
        found.pole = pole(problem, points, found.breaks) or pole_beside(problem, points, found.breaks)
    return found.pole is not None


def _integrable_with_zeros(problem: Problem, found: Findings, failures: list[Finding]) -> None:
    """f vanishes somewhere, or has a pole: bound its values, since log f is of no use."""
    if found.pole is not None and found.pole.diverges:
        found.verdicts["integrable"] = Hypothesis("refuted", Why.DIVERGES(at=found.pole.box[1]))
        return
    known = never_below_zero(problem.node)

    def holds(box: Box) -> bool:
        try:
            value = problem.value_on_box(*box)
            if (known or value >= 0) and value.is_finite():
                return True
        except Undecided:
            pass
        return integrable(problem, box)

    try:
        found.zero_value = found.zero.germ if found.zero is not None else find_bounded_centre(problem)
        start = found.infinity.germ if found.infinity is not None and found.infinity.wave is None else None
        germ = start or _bounded_end(problem, found.narrowing.germ.radius if found.narrowing else Fraction(16))
        boxes = cover(boxes_of(octaves(1 / found.zero_value.radius, germ.radius, found.breaks)), holds, MOST_BOXES)
    except Undecided as error:
        if found.pole is None and _pole(problem, found) and found.pole is not None:
            if found.pole.diverges:
                _integrable_with_zeros(problem, found, failures)
                return
            found.pole = None
        found.verdicts["integrable"] = Hypothesis("undecided", failed([*failures, error.finding]))
        return
    found.bounded_end, found.boxes = germ, boxes
    found.verdicts["integrable"] = Hypothesis("proved", Why.INTEGRABLE_WITH_ZEROS())


def _bounded_end(problem: Problem, start: Fraction) -> Germ:
    try:
        return find_bounded_end(problem, start)
    except Undecided:
        germs = (Germ(radius, ORDER) for radius in ladder(start)[:MOST_RUNGS])
        germ = next((germ for germ in germs if dominated(problem, germ)), None)
        if germ is None:
            raise
        return germ


def _tail_ratio(problem: Problem, found: Findings, failures: list[Finding]) -> None:
    name = "tail_ratio_bounded"
    if found.infinity is None:
        found.verdicts[name] = Hypothesis("undecided", failed(failures))
        return
    tail, delta = found.infinity, exact(problem.delta)
    if isinstance(tail, Repeated):
        positive = found.status("positive") == "proved"
        bounded_by_period = Hypothesis("proved", Why.RATIO_BOUNDED_BY_PERIODS())
        found.verdicts[name] = bounded_by_period if positive else Hypothesis("undecided", failed(failures))
        return
    if isinstance(tail, FreeTail):
        grows, bounded_for_all = Hypothesis("refuted", Why.RATIO_GROWS()), Why.RATIO_BOUNDED_FOR_ALL_PHASES()
        found.verdicts[name] = grows if tail.growing else Hypothesis("proved", bounded_for_all)
        return

    def bounded(germ: Germ) -> bool:
        return growth(problem.far_loss(germ, delta)) <= 0

    try:
        if growth(problem.far_loss(tail.summit(), delta)) > 0:
            found.verdicts[name] = Hypothesis("refuted", Why.RATIO_GROWS())
            return
        cover_phases(tail, bounded, lambda: None)
    except Undecided as error:
        found.verdicts[name] = Hypothesis("undecided", Why.RATIO_OPEN(failure=error.finding))
        return
    found.verdicts[name] = Hypothesis("proved", Why.RATIO_BOUNDED())
