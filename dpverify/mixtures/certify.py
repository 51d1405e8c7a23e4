"""From a mixing density to a certificate that the kernel replays: panels, windows, a cover, a tail.

The steps are chosen with the kernel's own functions, and where the integrals live in floating point.
Nothing here is trusted, since the certificate is checked again by whoever receives it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.attempts import possible
from dpverify.certificate.seal import replayed, sealed
from dpverify.certificate.ways import second_ways, with_taken_ways
from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.charts import Problem
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.proof import Proof
from dpverify.kernel.reader import Need
from dpverify.kernel.sections import mixtures, tilted
from dpverify.kernel.sections.analytic import zeros_isolated
from dpverify.kernel.sections.ends import integral
from dpverify.kernel.sections.models import Model, power_of_t
from dpverify.kernel.sections.needs import MEETING, bare
from dpverify.kernel.steps import Steps
from dpverify.mixtures.outline import LAST, Outline, dyadic
from dpverify.mixtures.quadrature import Quadrature
from dpverify.prover.breaks import breaks

RUNGS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
FURTHER = 8  # rungs of 2 between the first model in the tail and the one that its bound rests on
MODELS = 6  # the order of the charts' models
ORDER = 10  # half that of the panels
FINE = 1e-14  # of an integral, for each panel
NARROWEST = Fraction(1, 2**20)
MOST_PANELS, MOST_BOXES = 1_000, 400
SAMPLES = [Fraction(n, 7) for n in (5, 9, 16, 2, 30, 1, 71, 200)]
STEEP = 26  # how far below the usual log v panels begin where E[V^-d-2] is infinite: there m counts at every radius
MOST_QUARTERS = 64  # of the cover, from its end to below the peak
BELOW = 60  # how far below f, as a logarithm, windows reach: there panels are to be short enough for the radius
TRIED = 3  # bounds of the steepness, at each radius


@dataclass(frozen=True, slots=True)
class Question:
    """What is claimed of a mixing density: as a claim has it."""

    text: str
    parameters: dict[str, str]
    dimension: int
    sensitivity: Fraction
    scale: Fraction

    @property
    def delta(self) -> Fraction:
        return self.sensitivity / self.scale

    def claim(self, verdict: str, lower: Fraction | None = None, upper: Fraction | None = None) -> dict[str, Any]:
        private = verdict == "private"
        return {
            "kind": "mixture",
            "verdict": verdict,
            "theorem": "Theorem 3" if private else None,
            "mixing": self.text,
            "parameters": self.parameters,
            "dimension": self.dimension,
            "sensitivity": str(self.sensitivity),
            "scale": str(self.scale),
            "epsilon": {"lower": str(lower), "upper": str(upper)} if private else None,
        }

    def subject(self) -> kernel.Subject:
        return mixtures.subject_of(self.claim("not_private"))


class Charts:
    """The steps that every claim about a mixing law shares: both ends, a cover between, and the needs of the text."""

    def __init__(self, question: Question, quadrature: Quadrature, further: int = 0) -> None:
        self.question, self.node = question, quadrature.node
        self.subject = question.subject()
        self.zero, self.far = self._first("zero"), self._first("infinity") + further
        low, high = 1 / Fraction(2**self.zero), Fraction(2**self.far)
        cuts = {low, high, *breaks(self.node, low, high)}
        at = low
        while at < high:
            cuts.add(at)
            at = at * 9 / 8 if at.denominator < 2**60 else dyadic(math.log(at * 9 / 8), 6)
        self.cover = sorted(cuts)
        self.steps: dict[str, Any] = {
            "zero": {"radius": str(low), "order": MODELS},
            "infinity": {"radius": str(high), "order": MODELS},
        }
        ways = second_ways(self.subject, self.steps, self.cover)
        if ways:
            self.steps["ways"] = ways
        self.steps["cover"] = [str(x) for x in self.cover]
        self.proof = Proof(self._problem(), Steps(self.steps))
        self.problem = self.proof.problem
        self.ends = {side: "nothing" if self.is_nothing(side) else "power" for side in tilted.ENDS}
        if self.subject.reader.needs:
            self.steps["defined"] = [self._need(bare(need)) for need in self.subject.reader.needs]

    def _problem(self) -> Problem:
        return kernel.problem(Steps(self.steps), self.subject)

    def _first(self, side: str) -> int:
        """The first rung on which the end has a model that says whether p is integrable."""
        for rung in RUNGS:
            at = (Fraction(1, 2**rung), MODELS)
            far = (Fraction(2**rung), MODELS)
            p = Problem(self.subject.tree, self.question.dimension, self.question.delta, at, far)
            if possible(lambda p=p: tilted.nothing(p, p.r0 if side == "zero" else p.r1, side)):  # type: ignore[misc]
                return rung
            log = p.near_zero if side == "zero" else lambda p=p: p.far(p.infinity)  # type: ignore[misc]
            power = -1 if side == "zero" else 1
            if possible(lambda p=p, log=log, power=power: integral(log().u, power)):  # type: ignore[misc]
                return rung
        raise Undecided(Reason.CHECKER_NO_MODEL(side=side))

    def _need(self, need: Need) -> dict[str, Any]:
        for word, met in MEETING.items():
            if possible(lambda met=met: met(need)):  # type: ignore[misc]
                return {"at": word}
        for radius in SAMPLES if need.kind == "nonzero" and not need.guard else ():
            if possible(lambda radius=radius: zeros_isolated(self.problem, radius, need)):  # type: ignore[misc]
                return {"at": str(radius)}
        return {"at": None}

    def is_nothing(self, side: str) -> bool:
        p = self.problem
        return possible(lambda: tilted.nothing(p, p.r1 if side == "infinity" else p.r0, side))


class Search(mixtures.Tilted):
    """The kernel's values at radii, each on the panels where the outline says that its integrals live."""

    def __init__(self, law: tilted.Law, outline: Outline, delta: Fraction, around: Fraction | None) -> None:
        super().__init__(law, {}, delta)
        self.outline, self.around = outline, around

    def named(self, s: Fraction) -> tuple[int, int]:
        if s not in self.windows:
            low, high = self.outline.span(float(s))
            logs = [math.log(v) for v in self.law.marks]
            first = max((i for i, x in enumerate(logs[:-1]) if x <= low), default=0)
            last = min((i for i, x in enumerate(logs) if x >= high and i > first), default=len(logs) - 1)
            self.windows[s] = first, last
        return self.windows[s]

    def bound(self, a: Fraction, b: Fraction, enough: Fraction) -> tuple[Fraction | None, str]:
        """The first bound of the loss on [a, b] that is enough, or the lowest, and the letter of its rule."""
        found: list[tuple[Fraction, str]] = []
        for letter, bound in mixtures.BOXES.items():
            if letter == "c" and (not a or self.delta > 4 * (b - a)):
                continue
            if letter == "t" and not a:
                continue
            try:
                value = bound(self, a, b)
            except Rejected:
                continue
            if value.is_finite():
                found.append((Fraction(value), letter))
                if found[-1][0] <= enough:
                    return found[-1]
        return min(found, default=(None, "r"))


@dataclass(frozen=True, slots=True)
class Far:
    """A radius, and the bound u <= constant + square v^2 for v > split, which bounds g' beyond the radius."""

    radius: Fraction
    split: Fraction
    constant: Fraction
    square: Fraction
    slope: float

    def step(self) -> dict[str, str]:
        return {"split": str(self.split), "constant": str(self.constant), "square": str(self.square)}


def far(charts: Charts, outline: Outline, delta: Fraction, loss: float) -> Far:
    """The nearest radius beyond which the loss stays below the peak, or the one with the lowest bound."""
    p, d = charts.problem, charts.question.dimension
    v = Model(p.infinity, {power_of_t(1): 1})
    steep = -(p.far(p.infinity).du * v)
    rate = steep * Model(p.infinity, {power_of_t(-2): 1})
    limit = rate.leading()[1] if rate.leading()[0] == power_of_t(0) else None
    v_squared = Model(p.infinity, {power_of_t(2): 1})
    below = float(((rate - Fraction(limit.hi)) * v_squared).span().hi) if limit else math.inf
    most, per_square = float(steep.span().hi), float(rate.span().hi)
    boxes = []
    for a, b in pairwise(charts.cover):
        try:
            u = float((-p.on_box(a, b).du * Interval(interval(a).lo, interval(b).hi)).hi)
        except Rejected:
            u = math.inf
        boxes.append((a, float(a), u))
    squares = [Fraction(0), *(dyadic(j * math.log(2) / 2) for j in range(-30, 12))]
    if limit is not None and limit.lo == limit.hi:
        squares.append(Fraction(limit.lo))
    unit = dyadic(-math.log(outline.log_f_and_mean(float(delta))[1]) / 2, 0)
    best: Far | None = None
    for j in range(-2, 12):
        radius = 4 * max(delta, unit) * Fraction(2) ** j
        low, _ = outline.span(float(radius), 50.0)
        split = max((a for a, x, _ in [*boxes, (p.r1, float(p.r1), 0.0)] if math.log(x) <= low), default=None)
        mean = outline.log_f_and_mean(float(radius))[1] / 2
        if split is None or 2 * float(radius) ** 2 * (1 / (2 * float(split) ** 2) - mean) < 1.5:
            continue
        beyond = [(x, u) for a, x, u in boxes if a >= split]
        choices = []
        for square in squares:
            least = max((u - float(square) * x * x for x, u in beyond), default=-math.inf)
            if not beyond and per_square <= float(square) * (1 + 1e-12):
                least = below
            elif not per_square <= float(square) * (1 + 1e-12):
                least = max(least, most)
            if math.isfinite(least):
                constant = Fraction(math.ceil(least * 256) + 1, 256)
                for fitting in {constant, max(constant, Fraction(0))}:
                    choices.append((_slope(d, fitting, square, radius), fitting, square))
        for slope, constant, square in sorted(choices)[:TRIED]:
            if best is not None and slope >= best.slope:
                break
            if possible(lambda c=constant, k=square, v=split: mixtures.steepness(charts.proof, v, c, k)):  # type: ignore[misc]
                best = Far(radius, split, constant, square, slope)
        if best is not None and float(delta) * best.slope <= loss:
            return best
    if best is None:
        raise Undecided(Reason.CHECKER_NO_SLOPE())
    return best


def _charts(question: Question, quadrature: Quadrature, outline: Outline, loss: float) -> tuple[Charts, Far]:
    """The charts with the tail that serves: models that hold far out are narrower, those that hold early say more.

    Beyond a long shift V is large, and only a tail that begins about there keeps the panels of its split short.
    """
    found = []
    failure: Undecided | Rejected | None = None
    start = int(outline.span(4 * float(question.delta), 50.0)[0] / math.log(2))
    for reach in (start, 0, FURTHER) if start > FURTHER else (0, FURTHER):
        try:
            charts = Charts(question, quadrature, reach)
            tail = far(charts, outline, question.delta, loss)
        except (Undecided, Rejected) as error:
            failure = error
            continue
        if float(question.delta) * tail.slope <= loss:
            return charts, tail
        found.append((tail.slope, charts, tail))
    if not found:
        assert failure is not None
        raise failure
    _, charts, tail = min(found, key=lambda choice: choice[0])
    return charts, tail


def _slope(d: int, constant: Fraction, square: Fraction, radius: Fraction) -> float:
    """The bound of g' beyond the radius, but for small v."""
    e, r = (d + 1 + float(constant)) / 2, float(radius)
    return (e + math.sqrt(e * e + float(square) * r * r)) / r if e >= 0 else math.sqrt(square)


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


def private(
    question: Question,
    quadrature: Quadrature,
    radius: Fraction | None,
    loss: Fraction,
    tolerance: Fraction,
    tick: Callable[[], None],
) -> dict[str, Any]:
    """The certificate of an epsilon; `radius` is where the loss is largest, None in the limit, and `loss` about that.

    Raises Undecided or Rejected where none is found.
    """
    outline, delta = Outline(quadrature), question.delta
    charts, tail = _charts(question, quadrature, outline, float(loss))
    law = law_of(charts, outline, tail.radius + delta, tail.split, tick)
    search = Search(law, outline, delta, radius)
    if radius is not None and radius < tail.radius:
        witness = {"radius": str(radius), "rate": None}
        least = Fraction(search.loss(radius).lo)
    else:
        rate = _rate(charts)
        witness = {"radius": None, "rate": str(rate)}
        least = Fraction(mixtures.far_out(charts.proof, rate).lo)
    slope = mixtures.tail(charts.proof, search, tail.radius, tail.step())
    outside = Fraction((Interval(slope, slope) * delta).hi)
    target = max(least + tolerance * Fraction(4, 5) * max(Fraction(1), least), outside)
    boxes, top = _cover(search, tail.radius, radius, target, tick)
    lower, upper = published(least, max(top, outside, least), tolerance)
    steps = {
        **charts.steps,
        "law": {"order": ORDER, "marks": [str(v) for v in law.marks], "ends": charts.ends},
        "supremum": {
            "cover": ["0", *(str(b) for _, b, _ in boxes)],
            "rules": "".join(letter for _, _, letter in boxes),
            "tail": tail.step(),
        },
        "witness": witness,
    }
    needed = _radii(boxes, delta, witness, tail.radius)
    steps["windows"] = {str(s): list(search.named(s)) for s in sorted(needed)}
    return certificate(question.claim("private", lower, upper), steps)


def _cover(
    search: Search, reach: Fraction, radius: Fraction | None, target: Fraction, tick: Callable[[], None]
) -> tuple[list[tuple[Fraction, Fraction, str]], Fraction]:
    """Boxes of [0, reach], each with its rule, and a bound of the loss on all of them."""
    points = {Fraction(0), reach}
    least = search.delta if not radius else min(search.delta, radius)
    points |= {reach / 4**j for j in range(1, MOST_QUARTERS) if reach / 4**j >= least / 2**4}
    if radius is not None and 0 < radius < reach:
        points = {x for x in points if not radius / 2 < x < 2 * radius} | {radius / 2, min(2 * radius, reach)}
    heap: list[tuple[float, Fraction, Fraction, Fraction | None, str]] = []

    def push(a: Fraction, b: Fraction) -> None:
        tick()
        bound, letter = search.bound(a, b, target)
        heapq.heappush(heap, (-math.inf if bound is None else -float(bound), a, b, bound, letter))

    for a, b in pairwise(sorted(points)):
        push(a, b)
    done: list[tuple[Fraction, Fraction, Fraction, str]] = []
    while heap:
        _, a, b, bound, letter = heapq.heappop(heap)
        enough = bound is not None and (bound <= target or len(heap) + len(done) >= MOST_BOXES)
        if enough:
            assert bound is not None
            done.append((a, b, bound, letter))
            continue
        if b - a < NARROWEST * min(reach / 2**20, b) or len(heap) > 2 * MOST_BOXES:
            raise Undecided(Reason.CHECKER_NO_BOUND(at=a))
        if radius is not None and a < radius < b:  # the peak stays in the middle of its box
            cuts = [a, (a + radius) / 2, (radius + b) / 2, b]
        else:
            cuts = [a, (a + b) / 2, b]
        for left, right in pairwise(cuts):
            push(left, right)
    done.sort()
    return [(a, b, letter) for a, b, _, letter in done], max(bound for _, _, bound, _ in done)


def _radii(
    boxes: list[tuple[Fraction, Fraction, str]], delta: Fraction, witness: dict[str, Any], reach: Fraction
) -> set[Fraction]:
    """The radii at which the proof takes values."""
    found = {reach}
    if witness["radius"] is not None:
        r = Fraction(witness["radius"])
        found |= {r, r + delta}
    for a, b, letter in boxes:
        found |= {a, b + delta} if letter == "r" else {a, b, a + delta, b + delta}
        found |= {(a + b) / 2, (a + b) / 2 + delta} if letter == "t" else set()
    return found


def _rate(charts: Charts) -> Fraction:
    """K of exp(-K v^2) in the tail."""
    lead, c = charts.problem.far(charts.problem.infinity).u.leading()
    if lead != power_of_t(2) or not c.hi < 0:
        raise Undecided(Reason.CHECKER_NO_LIMIT())
    return -Fraction(c.hi)


def published(least: Fraction, most: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
    """Short decimals below and above."""
    scale = 10
    while Fraction(1, scale) * 50 > tolerance:
        scale *= 10
    return Fraction(math.floor(least * scale), scale), Fraction(math.ceil(most * scale), scale)


def refuted(question: Question, quadrature: Quadrature) -> dict[str, Any]:
    """The certificate that no epsilon will do; raises Undecided or Rejected where none is found."""
    charts = Charts(question, quadrature)
    holds = charts.problem.value_on_box
    boxes = pairwise(charts.cover)
    positive = next((box for box in boxes if possible(lambda box=box: holds(*box).lo > 0)), None)  # type: ignore[misc]
    if positive is None:
        raise Undecided(Reason.CHECKER_NOWHERE_POSITIVE())
    failure: Rejected | None = None
    for by in ("bound", "tail", "pole"):
        step = {
            "by": by,
            "zero": "nothing" if charts.ends["zero"] == "nothing" else "logs",
            "positive": [str(x) for x in positive],
        }
        try:
            return certificate(question.claim("not_private"), {**charts.steps, "refutation": step})
        except Rejected as refusal:
            failure = refusal
    assert failure is not None
    raise failure


def certificate(claim: dict[str, Any], steps: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a claim, once the kernel has replayed it; raises Rejected."""
    steps = _without_idle(claim, steps) if "ways" in steps else steps
    return sealed(claim, steps, replayed(claim, steps))


def _without_idle(claim: dict[str, Any], steps: dict[str, Any]) -> dict[str, Any]:
    """The steps that the replay takes, and the second ways."""
    trial = Steps(steps)
    proof = mixtures.proved(claim, mixtures.subject_of(claim), trial)
    return with_taken_ways({name: step for name, step in steps.items() if name in trial.taken}, proof.problem)
