"""The law of a mixing density on panels fine enough for every radius that counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import tilted
from dpverify.kernel.sections.charts import Problem
from dpverify.mixtures.charts import Charts
from dpverify.mixtures.outline import LAST, Outline, dyadic
from dpverify.prover.breaks import breaks

ORDER = 10  # half that of the panels
FINE = 1e-14  # of an integral, for each panel
NARROWEST = Fraction(1, 2**20)
MOST_PANELS = 1_000
STEEP = 26  # how far below the usual log v panels begin where E[V^-d-2] is infinite: there m counts at every radius
BELOW = 60  # how far below f, as a logarithm, windows reach: there panels are to be short enough for the radius


def law_of(charts: Charts, outline: Outline, most: Fraction, split: Fraction, tick: Callable[[], None]) -> tilted.Law:
    """The law on panels fine enough for every radius up to `most`."""
    p = charts.problem
    low = _end(charts, outline, "zero", 0.0)
    high = _end(charts, outline, "infinity", float(most))
    cuts = {low, high, split, *(x for x in breaks(charts.node, low, high))}
    fall = outline.log_f_and_mean(0.0)[0] - outline.log_f_and_mean(float(most))[0]
    step = min(1.0, math.log1p(2 * tilted.STEEPEST / (max(fall, 0.0) + BELOW)) / 2)
    x = math.log(low) + step
    while x < math.log(high) - step / 2:
        cuts.add(dyadic(x, 7))
        x += step
    if len(cuts) > MOST_PANELS:
        raise Undecided(Reason.MIXING_TOO_MANY_PANELS(most=MOST_PANELS))
    marks = sorted(c for c in cuts if low <= c <= high)
    kept, panels, stack = [low], [], list(pairwise(marks))[::-1]
    while stack:
        tick()
        a, b = stack.pop()
        panel = _fine(p, outline, a, b, float(most))
        if panel is None:
            if b - a <= a * NARROWEST:
                raise Undecided(Reason.MIXING_NO_PANELS(at=a))
            middle = dyadic((math.log(a) + math.log(b)) / 2, 7)
            middle = middle if a < middle < b else (a + b) / 2
            stack += [(middle, b), (a, middle)]
            continue
        kept.append(b)
        panels.append(panel)
        if len(kept) + len(stack) > MOST_PANELS:
            raise Undecided(Reason.MIXING_TOO_MANY_PANELS(most=MOST_PANELS))
    at = {"zero": low, "infinity": high}
    ends = [tilted.AT_END[charts.ends[side]](p, at[side], side) for side in tilted.ENDS]
    return tilted.Law(kept, panels, (ends[0], ends[1]))


def _end(charts: Charts, outline: Outline, side: str, s: float) -> Fraction:
    """Where panels may end: what lies beyond is known well enough at the radius s."""
    p, outward = charts.problem, side == "infinity"
    chart = p.r1 if outward else p.r0
    if charts.ends[side] == "nothing":
        return chart
    log_f, mean = outline.log_f_and_mean(s)
    usual = -math.log(outline.log_f_and_mean(float(charts.question.delta))[1]) / 2
    x = max(math.log(chart), -math.log(mean) / 2) if outward else math.log(chart)
    while abs(x) < LAST - 4:
        at = max(dyadic(x, 0), chart) if outward else min(dyadic(x, 0), chart)
        try:
            end, second, third = tilted.beyond(p, at, side)
        except Rejected:
            end = None
        near = outward or second.hi.is_finite() if end is not None else False
        if end is not None and (near or x < usual - STEEP):
            share = _log(end.hi - end.lo if not outward else end.hi) - log_f
            if outward:
                spread = float((end.hi - end.lo) / end.hi) if end.hi else 0.0
                share += math.log(min(1.0, spread + s * s / (2 * float(at) ** 2)) or 1e-300)
            elif third.hi.is_finite():
                share = max(share, _log(third.hi * 4) - outline.log_moment(4))
            if share < math.log(FINE):
                return at
        x += 0.7 if outward else -0.7
    raise Undecided(Reason.CHECKER_SLOW_INTEGRALS(side=side))


def _log(x: Any) -> float:
    return float(x.ln()) if x > 0 else -math.inf


def _fine(p: Problem, outline: Outline, a: Fraction, b: Fraction, most: float) -> tilted.Panel | None:
    """The panel, if its integral is known well enough at the radius at which it counts the most."""
    try:
        panel = tilted.expansion(p, 2 * ORDER, a, b)
        s = outline.radius_of(float(2 * panel.c), most)
        size = panel.integrals(interval(Fraction(s) * Fraction(s)))[0]
    except Rejected:
        return None
    return panel if _log(size.hi - size.lo) - outline.log_f_and_mean(s)[0] < math.log(FINE) else None
