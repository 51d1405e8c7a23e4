"""The charts of a mixing law that every claim about it shares, and where its tail begins.

Chosen with the kernel's own functions, and in floats; nothing here is trusted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.certificate.ways import second_ways
from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import Node
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.reader import Need
from dpverify.kernel.sections import mixtures, tilted
from dpverify.kernel.sections.analytic import zeros_isolated
from dpverify.kernel.sections.charts import Problem, Subject, charted
from dpverify.kernel.sections.ends import integral
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.laws import subject_of
from dpverify.kernel.sections.models import Model, power_of_t
from dpverify.kernel.sections.needs import MEETING, bare
from dpverify.kernel.steps import Steps
from dpverify.mixtures.outline import Outline, dyadic
from dpverify.mixtures.quadrature import Quadrature
from dpverify.prover.breaks import breaks

RUNGS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
FURTHER = 8  # rungs of 2 between the first model in the tail and the one that its bound rests on
MODELS = 6  # the order of the charts' models
SAMPLES = [Fraction(n, 7) for n in (5, 9, 16, 2, 30, 1, 71, 200)]
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

    def subject(self) -> Subject:
        return subject_of(self.claim("not_private"), self.dimension)


class Charts:
    """The steps that every claim about a mixing law shares: both ends, a cover between, and the needs of the text."""

    def __init__(self, question: Question, node: Node, further: int = 0) -> None:
        self.question, self.node = question, node
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
        ways = second_ways(self.subject, self.steps, list(pairwise(self.cover)))
        if ways:
            self.steps["ways"] = ways
        self.steps["cover"] = [str(x) for x in self.cover]
        self.proof = Proof(self._problem(), Steps(self.steps))
        self.problem = self.proof.problem
        self.ends = {side: "nothing" if self.is_nothing(side) else "power" for side in tilted.ENDS}
        if self.subject.reader.needs:
            self.steps["defined"] = [self._need(bare(need)) for need in self.subject.reader.needs]

    def _problem(self) -> Problem:
        return charted(Steps(self.steps), self.subject)

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
        for radius in SAMPLES if need.kind in ("nonzero", "positive") else ():
            if possible(lambda radius=radius: zeros_isolated(self.problem, radius, need)):  # type: ignore[misc]
                return {"at": str(radius)}
        return {"at": None}

    def is_nothing(self, side: str) -> bool:
        p = self.problem
        return possible(lambda: tilted.nothing(p, p.r1 if side == "infinity" else p.r0, side))


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


def charts_of(question: Question, quadrature: Quadrature, outline: Outline, loss: float) -> tuple[Charts, Far]:
    """The charts with the tail that serves: models that hold far out are narrower, those that hold early say more.

    Beyond a long shift V is large, and only a tail that begins about there keeps the panels of its split short.
    """
    found = []
    failure: Undecided | Rejected | None = None
    start = int(outline.span(4 * float(question.delta), 50.0)[0] / math.log(2))
    for reach in (start, 0, FURTHER) if start > FURTHER else (0, FURTHER):
        try:
            charts = Charts(question, quadrature.node, reach)
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
