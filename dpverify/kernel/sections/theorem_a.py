"""Theorem A: the bound for an f that is not shown to fall.

Theorem A: if f is positive, finite at 0+ and integrable, noise with sensitivity delta is private
with every epsilon >= sup |phi_h(r)| over r >= 0 and 0 <= h <= delta.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from ..intervals import ZERO, Interval, hull, interval
from ..rules import brought, require, rule
from ..steps import record
from .charts import Problem, cover
from .epsilon import THEOREMS
from .fields import MAX_BOXES, points
from .hypotheses import Proof
from .increments import mean_value
from .messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Box

WORDS = {"r": "rising", "m": "mean value", "h": "heights"}
ON_BOXES: dict[str, Callable[..., Interval]] = {}
ON_CELLS: dict[str, Callable[..., Interval]] = {}
"""Further letters, and the rules that they name on boxes and on cells of phases."""
BY_HEIGHTS = {"h"}
"""Letters of the rules that look at each box ahead."""
IN_TAIL: dict[str, Callable[..., Interval]] = {}
"""By letters as well, the rules for all of the tail."""
WINDOWED: dict[str, Callable[[Problem, Any], None]] = {}
"""What takes heights that many boxes have in common, for the letter w."""


@rule("K70")
def rising(slopes: Interval, loss: Callable[[Fraction], Interval], low: Fraction,
           high: Fraction) -> Interval:
    """phi_h for every low <= h <= high where it is monotone in h.

    Lemma.  d phi_h / dh = g'(r + h); where the slopes of g ahead keep one sign, phi_h lies between
    its values at both ends of the interval of shifts; phi_0 = 0.
    """
    require(slopes.lo >= 0 or slopes.hi <= 0, "the loss is not shown monotone in the shift")
    return hull(loss(low) if low else ZERO, loss(high))


@rule("K71")
def mean_in_shift(slopes: Interval, loss: Callable[[Fraction], Interval], low: Fraction,
                  high: Fraction) -> Interval:
    """phi_h for every low <= h <= high from the middle shift.

    Lemma.  If the slopes of g ahead lie in D, then phi_h - phi_m lies in D [-1, 1] (high - low)/2,
    m = (low + high)/2 (as K18, with h in the place of the radius).
    """
    reach = slopes * ((high - low) / 2)
    require(reach.finite(), "the slopes of the loss are not shown finite")
    return loss((low + high) / 2) + hull(reach, -reach)


@rule("K72")
def by_heights(p: Problem, a: Fraction, b: Fraction, low: Fraction, high: Fraction,
               cuts: Sequence[Fraction]) -> Interval:
    """phi_h for every low <= h <= high from the heights of g here and ahead.

    Lemma.  phi_h(r) = log f(r^2) - log f((r + h)^2), and r + h runs through boxes cut at the given
    radii, at which f may jump.
    """
    inside = cuts[bisect_right(cuts, a + low) : bisect_left(cuts, b + high)]
    marks = [a + low, *inside, b + high]
    heights = [p.on_box(*ends).u for ends in pairwise(marks)]
    ahead = Interval(min(x.lo for x in heights), max(x.hi for x in heights))
    return p.on_box(a, b).u - ahead


def bounds_of_log(p: Problem, a: Fraction, b: Fraction) -> Interval:
    """log f on the open box (a, b)."""
    return mean_value(p.on_box(a, b), a, b, p.at_radius)


def on_box(p: Problem, word: str, box: Box, shifts: Box, cuts: Sequence[Fraction]) -> Interval:
    (a, b), (low, high) = box, shifts
    if word in ON_BOXES:
        return ON_BOXES[word](p, a, b, low, high, cuts)
    if word == "h":
        return by_heights(p, a, b, low, high, cuts)
    slopes = -p.on_box(a + low, b + high).du
    form = rising if word == "r" else mean_in_shift
    return form(slopes, lambda h: p.lately((a, b, h), lambda: p.loss(a, b, h)), low, high)


def on_cell(proof: Proof, word: str, germ: Any, low: Fraction, high: Fraction,
            cuts: Sequence[Fraction] = ()) -> Interval:
    p, tail = proof.problem, proof.tail
    if word in ON_CELLS:
        return ON_CELLS[word](proof, germ, low, high, cuts)
    if word == "h":
        return all_shifts(p, germ, hull(interval(low), interval(high)))
    slopes = -p.far(tail.swept(germ, low, high)).du.span()  # type: ignore[attr-defined]
    form = rising if word == "r" else mean_in_shift
    return form(slopes, lambda h: tail.loss(germ, h), low, high)  # type: ignore[attr-defined]


@rule("K73")
def all_shifts(p: Problem, germ: Any, h: Interval) -> Interval:
    """phi_h on a cell of phases for every h of an interval.

    Lemma.  The model of phi_h (K17) with the interval of shifts for h contains every phi_h.
    """
    return p.far_shift(germ, h).span()


@rule("K224")
def in_all_of_the_tail(p: Problem, low: Fraction, high: Fraction) -> Interval:
    """phi_h on all of [R, oo) for every low <= h <= high.

    Lemma.  As K73, with the model of the whole end in the place of one on a cell of phases.
    """
    return p.far_shift(p.infinity, hull(interval(low), interval(high))).span()


def in_tail(proof: Proof, step: dict[str, Any]) -> list[Interval]:
    """phi_h in all of the tail, for each interval of shifts by the rule of its letter, K224 where
    there are no letters."""
    p = proof.problem
    intervals = cover(step["tail_shifts"], "supremum.tail_shifts", Fraction(0), p.delta)
    require(intervals[0][0] == 0, "supremum.tail_shifts has a negative shift", "steps")
    letters = step.get("tail_rules", "m" * len(intervals))
    spelt = isinstance(letters, str) and len(letters) == len(intervals) and set(letters) <= {
        *IN_TAIL}
    needed = ("tail_rules" in step) == (spelt and set(letters) != {"m"})
    require(spelt and needed, "supremum.tail_rules does not match its shifts", "steps")
    return [IN_TAIL[letter](p, low, high)
            for (low, high), letter in zip(intervals, letters, strict=True)]


def shifted(proof: Proof, name: str, lists: Any, words: Any, count: int,
            more: Iterable[str]) -> list[Any]:
    """For each item its intervals of shifts, which reach from 0 to delta, each with its word."""
    known = {*WORDS, *more}
    matches = isinstance(lists, list) and len(lists) == count
    require(matches, f"{name} does not match its cover", "steps")
    spelt = isinstance(words, list) and len(words) == count and all(
        isinstance(w, str) for w in words)
    require(spelt, f"the rules of {name} do not match its cover", "steps")
    result = []
    for hs, word in zip(lists, words, strict=True):
        intervals = cover(hs, name, Fraction(0), proof.problem.delta)
        require(intervals[0][0] == 0, f"{name} has a negative shift", "steps")
        fits = len(word) == len(intervals) and set(word) <= known
        require(fits, f"the rules of {name} do not match its cover", "steps")
        result.append(list(zip(intervals, word, strict=True)))
    return result


FIELDS = {"cover", "cuts", "shifts", "rules", "ahead"}
PHASED = {"phases", "phase_shifts", "phase_rules"}


def bounds_before(proof: Proof, step: dict[str, Any], boxes: list[Box]) -> list[Interval]:
    """phi_h for radii in (0, r0] and on the boxes, for each interval of shifts."""
    p = proof.problem
    cuts = points(step["cuts"], "supremum.cuts")
    marks = [*(b for b, _ in boxes[:1]), *(b for _, b in boxes), *cuts]
    rising_marks = all(a < b for a, b in pairwise(marks))
    require(rising_marks, "supremum.cuts is not increasing", "steps")
    near = p.near_zero().u.span()
    bounds = [near - near]
    bounds += [near - bounds_of_log(p, a, b)
               for a, b in cover(step["ahead"], "supremum.ahead", p.r0, p.r0 + p.delta)]
    given = shifted(proof, "supremum.shifts", step["shifts"], step["rules"], len(boxes), ON_BOXES)
    heights = sum(
        bisect_left(marks, b + high) - bisect_right(marks, a + low) + 1
        for (a, b), intervals in zip(boxes, given, strict=True)
        for (low, high), word in intervals if word in BY_HEIGHTS)
    require(heights <= MAX_BOXES, "the heights ahead are of too many boxes", "limits")
    windows = any(word == "w" for intervals in given for _, word in intervals)
    require(windows == ("windows" in step), "windows are given without need, or missing", "steps")
    if windows:
        WINDOWED["windows"](p, step["windows"])
    for box, intervals in zip(boxes, given, strict=True):
        bounds += [on_box(p, word, box, hs, marks) for hs, word in intervals]
    return bounds


@rule("K74")
def at_most(proof: Proof, bound: Fraction) -> None:
    """epsilon <= bound.

    Lemma (Theorem A).  |phi_h| is bounded for every r and 0 <= h <= delta: for r and r + h in
    (0, r0] by the span of log f there, for r in (0, r0] and r + h beyond by the heights of both; on
    each box of a cover for each interval of shifts; and in the tail, where g rises so that the
    longest shift is the worst (Theorem 3's bound), or on each cell of phases, or on all of it, for
    each interval.  Or it is bounded by the slopes of g (K340).
    """
    p, most = proof.problem, interval(bound).lo
    step = proof.steps.take("supremum")
    require(isinstance(step, dict), "supremum is not an object", "format")
    if "slopes" in step:
        brought("a bound by slopes")(proof, step, bound)
        return
    phased = "phase_shifts" in step
    whole_tail = "tail_shifts" in step and not phased
    more = PHASED | {"phase_cuts"} & set(step) if phased else {"phases", "phase_drops"} & set(step)
    more = {"tail_shifts"} | {"tail_rules"} & set(step) if whole_tail else more
    record(step, "supremum", FIELDS | more | {"windows"} & set(step))
    boxes = cover(step["cover"], "supremum.cover", p.r0, proof.tail.reach)
    bounds = bounds_before(proof, step, boxes)
    if phased:
        cells = proof.tail.cover("supremum.phases", step["phases"])
        lists = step["phase_shifts"], step["phase_rules"]
        given = shifted(proof, "phase_shifts", *lists, len(cells), ON_CELLS)
        words = {word for intervals in given for _, word in intervals}
        needed = ("phase_cuts" in step) == bool(words & set(ON_CELLS))
        require(needed, "phase_cuts are given without need, or missing", "steps")
        phase_cuts = points(step.get("phase_cuts", []), "supremum.phase_cuts")
        increasing = all(a < b for a, b in pairwise(phase_cuts))
        require(increasing, "supremum.phase_cuts is not increasing", "steps")
        for germ, intervals in zip(cells, given, strict=True):
            bounds += [on_cell(proof, word, germ, low, high, phase_cuts)
                       for (low, high), word in intervals]
    elif whole_tail:
        bounds += in_tail(proof, step)
    else:
        proof.tail.at_most(step, most)
        proof.tail.falls(step.get("phase_drops"))
    within = all(most.copy_negate() <= x.lo and x.hi <= most for x in bounds)
    require(within, f"the loss is not shown below {shown(bound)} for every shift")


IN_TAIL["m"] = in_all_of_the_tail
THEOREMS["Theorem A"] = (at_most, set())
