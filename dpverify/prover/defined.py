"""Whether every part of the text as typed has a real value at almost every radius: the hypothesis `defined`.

Each `Demand` (see `enclosures.needs` for the lemma that makes them enough) is met in one of these ways:

  by form     the node is positive, or never negative, or a product or power of such nodes
  isolated    the node is analytic or rational, and not zero throughout (see `analytic`)
  on charts   by its sign in the models at both ends and on every box between; or it is strictly
              monotone there, so that it vanishes at most once; or its guard excludes the chart

It is refuted by an open box of radii on which its guard holds and the demand fails throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.ball import between
from dpverify.enclosures.conditions import compared, exhaustive
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.needs import Demand, demands
from dpverify.enclosures.nodes import MINUS, Node, kinds, mul, num, same
from dpverify.enclosures.swept import OnBox
from dpverify.findings import Finding, Place, Reason, Why
from dpverify.language import Need
from dpverify.language.needs import shown
from dpverify.prover.algebra import never_negative
from dpverify.prover.alike import with_alike
from dpverify.prover.analytic import factors, isolated_zeros, vanishes
from dpverify.prover.breaks import breaks
from dpverify.prover.charts import ORDER, ladder
from dpverify.prover.cover import Box, boxes_of, cover, octaves
from dpverify.prover.extents import above_zero, not_negative
from dpverify.prover.monotone import nonnegative, positive
from dpverify.prover.periods import Period, parts_of
from dpverify.prover.teeth import meets
from dpverify.prover.unreached import without_unreached

THIN = Fraction(1, 2**40)
"""The width of a box on which a demand may be refuted, relative to its radius."""
NEAR = (*range(8), *range(-1, -7, -1))
FAR = (-8, 9, -12, 12, -16, 16, -24, 24, -54, 54, 120, -180, 270, 600, 900)
"""Where such boxes are looked for, as powers of two: about 1 first."""
MOST_RUNGS = 12
MOST_BOXES, NARROWEST = 6000, Fraction(1, 2**44)
FAILS = {"nonzero": Why.IS_ZERO, "nonnegative": Why.IS_NEGATIVE, "positive": Why.IS_NOT_POSITIVE}


@dataclass(frozen=True, slots=True)
class Undefined:
    """The number of a demand that fails throughout an open box, and the box."""

    need: int
    box: Box


class _Fails(Exception):
    def __init__(self, undefined: Undefined) -> None:
        self.undefined = undefined


class Definedness:
    """The demands of one text; `waiting` holds the numbers of those that only charts can settle."""

    def __init__(self, needs: Sequence[Need]) -> None:
        self.demands = [replace(demand, node=without_unreached(demand.node)) for demand in demands(needs)]
        self.waiting = [k for k, demand in enumerate(self.demands) if not _met_everywhere(demand)]
        self._factors = {k: _open_factors(self.demands[k]) for k in self.waiting}
        self._vanishing = frozenset(k for k in self.waiting if any(map(_vanishes, self._not_zero(k))))

    def _not_zero(self, k: int) -> Sequence[Node]:
        """What the k-th demand asks not to vanish."""
        alone = [self.demands[k].node] if self.demands[k].kind == "positive" else []
        return self._factors[k] or alone

    def refutation(self, tick: Callable[[], None] = lambda: None) -> Undefined | None:
        """A demand that fails on one of a list of thin boxes, if any does."""
        return self._failing(_sampled(), tick) if self.waiting else None

    def _failing(self, boxes: Iterable[Box], tick: Callable[[], None]) -> Undefined | None:
        for box in boxes:
            tick()
            evaluation = _on(box)
            for k in self.waiting:
                if self._met(k, evaluation) is False:
                    return Undefined(k, box)
        return None

    def breaks(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """Radii between the two at which what waits may jump or kink."""
        return sorted({b for k in self.waiting for b in breaks(self.demands[k].carrier(), low, high)})

    def unmet_at(self, germ: Germ, at_zero: bool) -> int | None:
        """The first of what waits that is not met on a model's chart."""
        evaluation = _along(germ, at_zero)
        return next((k for k in self.waiting if not self._met(k, evaluation)), None)

    def covered(self, boxes: Sequence[Box], tick: Callable[[], None]) -> list[Box] | Undefined:
        """The boxes, cut and bisected until all that waits is met on each; or a demand that fails on one of them.

        Raises Undecided, naming the part, where a box does not settle.
        """
        cuts = self.breaks(boxes[0][0], boxes[-1][1])
        points = sorted({boxes[0][0], *(b for _, b in boxes), *cuts})
        unmet: list[int] = []

        def holds(box: Box) -> bool:
            evaluation = _on(box)
            for k in self.waiting:
                met = self._met(k, evaluation)
                if met is False:
                    raise _Fails(Undefined(k, box))
                if met is None:
                    unmet.append(k)
                    return False
            return True

        try:
            return cover(boxes_of(points), holds, MOST_BOXES + len(points), tick, NARROWEST)
        except _Fails as failure:
            return failure.undefined
        except Undecided as error:
            at = self._failing(_inside(points), tick)
            if at is None:
                raise Undecided(Reason.DEMAND_OPEN(demand=self.question(unmet[-1]), failure=error.finding)) from None
            return at

    def chart(self, at_zero: bool, start: Fraction) -> Germ:
        """The first model's chart on which all that waits is met, else the first of all."""
        germs = [Germ(radius, ORDER) for radius in ladder(start)[:MOST_RUNGS]]
        return next((germ for germ in germs if self.unmet_at(germ, at_zero) is None), germs[0])

    def check_end(self, germ: Germ, at_zero: bool) -> None:
        """Raise Undecided, naming the part, unless all that waits is met on the chart."""
        unmet = self.unmet_at(germ, at_zero)
        if unmet is not None:
            raise Undecided(
                Reason.DEMAND_OPEN_AT(demand=self.question(unmet), where=Place.NEAR_ZERO if at_zero else Place.TAIL)
            )

    def check_period(self, period: Period) -> None:
        """Raise Undecided, naming the part, unless what waits is met a period further out wherever it is met."""
        for k in self.waiting:
            demand = self.demands[k]
            asked = parts_of((*(condition for condition, _ in demand.guard), demand.node))
            signs = demand.kind in FAILS or period.step(demand.node) == 0
            if not signs or any(period.rate(node) is None for node in asked):
                raise Undecided(Reason.DEMAND_OPEN_AT(demand=self.question(k), where=Place.TAIL))

    def settle(self, tick: Callable[[], None]) -> Undefined | None:
        """What fails somewhere, or None where everything has a value, by charts of its own; raises Undecided."""
        if not self.waiting:
            return None
        zero, far = self.chart(True, Fraction(2**10)), self.chart(False, Fraction(16))
        self.check_end(zero, True)
        self.check_end(far, False)
        boxes = self.covered(boxes_of(octaves(1 / zero.radius, far.radius)), tick)
        return boxes if isinstance(boxes, Undefined) else None

    def _met(self, k: int, evaluation: Evaluation) -> bool | None:
        """Whether the demand holds almost everywhere on the chart; False where it fails throughout."""
        demand = self.demands[k]
        truths = [_truth(evaluation, condition, wanted) for condition, wanted in demand.guard]
        if False in truths:
            return True
        met = False if k in self._vanishing else _holds(demand, self._factors[k], evaluation)
        return None if met is False and None in truths else met

    def question(self, k: int) -> str:
        """What is asked of the k-th demand, as a clause."""
        return f"whether {self.demands[k].need} has a value almost everywhere"

    def complaint(self, undefined: Undefined, variable: str = "r") -> Finding:
        """Which demand fails, and where."""
        demand = self.demands[undefined.need]
        place: dict[str, str | Fraction] = {"part": str(demand.need), "variable": variable, "at": undefined.box[0]}
        if demand.kind == "excluded":
            return Why.NO_BRANCH(**place)
        if demand.kind == "no pole":
            return Why.POLE_OF_GAMMA(**place)
        return FAILS[demand.kind](**place, inner=shown(demand.need.subject))


@cache
def _sampled() -> tuple[Box, ...]:
    """Thin boxes over many octaves, those about 1 first."""
    octaves = (*((n, (4, 0, 2, 6)) for n in NEAR), *((n, (0, 5)) for n in FAR))
    radii = ((1 + Fraction(k, 8)) * Fraction(2) ** n for n, steps in octaves for k in steps)
    return tuple((r, r + r * THIN) for r in radii)


def _inside(points: Sequence[Fraction]) -> Iterator[Box]:
    """Thin boxes between the points."""
    for a, b in pairwise(points):
        for k in range(1, 16, 2):
            r = a + (b - a) * k / 16
            yield r, min(b, r + r * THIN)


def _on(box: Box) -> Evaluation:
    low, high = map(exact, box)
    return Evaluation(OnBox.radius(between(low, high)), Edges((low, high), fmpq(0)))


def _along(germ: Germ, at_zero: bool) -> Evaluation:
    r = Model.power_of_t(germ, -1 if at_zero else 1)
    return Evaluation(Slope(r, r.const(1)))


def _truth(evaluation: Evaluation, condition: tuple[Any, ...], wanted: bool) -> bool | None:
    if condition[0] == "unknown":
        return None
    try:
        truth = evaluation.truth(condition)
    except Undecided:
        return None
    return None if truth is None else truth is wanted


def _met_everywhere(demand: Demand) -> bool:
    """Whether no chart is needed: by form, or since zeros are isolated; or the guard excludes every radius by form."""
    if any(condition == (("true",) if not wanted else ("not", ("true",))) for condition, wanted in demand.guard):
        return True
    node, kind = demand.node, demand.kind
    if kind in FAILS and _met_by_guard(demand):
        return True
    if kind == "no pole":
        if node.kind != "num":
            return positive(node) or _constant_sign(node) == 1
        return not (node.args[0].q == 1 and node.args[0] <= 0)
    if kind == "excluded":
        return exhaustive([condition for condition, truth in demand.guard if not truth])
    if kind == "unknown":
        return False
    if above_zero(node) or meets(kind, node) or (kind == "nonnegative" and not_negative(node)):
        return True
    if kind in ("nonnegative", "positive") and never_negative(node):
        return True
    if kind == "nonnegative":
        return nonnegative(node, logs=False) or _constant_sign(node) in (0, 1)
    if kind == "positive":
        return (nonnegative(node, logs=False) and _almost_nonzero(node)) or _constant_sign(node) == 1
    return _almost_nonzero(node)


def _met_by_guard(demand: Demand) -> bool:
    """Whether a condition of the guard compares the node itself."""
    known = [pair for condition, truth in demand.guard for pair in compared(condition, truth)]
    isolated = demand.node.rational and isolated_zeros(demand.node)
    if any(same(w, demand.node) and (strict or isolated or demand.kind == "nonnegative") for w, strict in known):
        return True
    return demand.kind == "nonzero" and any(strict and same(w, mul(MINUS, demand.node)) for w, strict in known)


def _almost_nonzero(node: Node) -> bool:
    return not _doubtful(node)


def _doubtful(node: Node) -> list[Node]:
    """The factors of a node that are not known, without charts, to vanish almost nowhere."""
    return [f for f in factors(node) if not (above_zero(f) or _constant_sign(f) in (1, -1) or isolated_zeros(f))]


def _open_factors(demand: Demand) -> list[Node] | None:
    """What has to be shown not to vanish, where that is what is demanded; None where a sign is."""
    if demand.kind == "nonzero" or (demand.kind == "positive" and nonnegative(demand.node, logs=False)):
        return _doubtful(demand.node)
    return None


def _constant_sign(node: Node) -> int | None:
    """The sign of a node in which r does not occur."""
    return None if "r" in kinds(node) else _sign(Evaluation(Slope(Ball(arb(1)), Ball(arb(0)))), node)


def _sign(evaluation: Evaluation, node: Node) -> int | None:
    try:
        sign = evaluation.sign(node)
        if sign is not None:
            return sign
    except Undecided:
        pass
    try:
        return evaluation.log(node)[0] if node.exponential else None
    except Undecided:
        return None


def _holds(demand: Demand, doubtful: list[Node] | None, evaluation: Evaluation) -> bool | None:
    if demand.kind == "excluded":
        return False
    if demand.kind == "no pole":
        if demand.node.kind == "num":
            return False
        return True if _sign(evaluation, demand.node) == 1 else None
    if demand.kind == "unknown":
        return None
    if doubtful is not None:
        return _nonzero(doubtful, evaluation)
    sign = _sign(evaluation, demand.node)
    if demand.kind == "nonnegative":
        return None if sign is None else sign >= 0
    return None if sign is None else sign > 0


def _nonzero(nodes: list[Node], evaluation: Evaluation) -> bool | None:
    """Whether the nodes vanish almost nowhere on the chart; False where one of them vanishes throughout."""
    answer: bool | None = True
    for node in nodes:
        sign = _sign(evaluation, node)
        if sign == 0:
            return False
        if sign is None and not _strictly_monotone(evaluation, node):
            answer = None
    return answer


def _vanishes(node: Node) -> bool:
    """Whether a node is 0 wherever it has a value: by algebra, or since the multiples of each part add up to 0."""
    return vanishes(node) or same(with_alike(node), num(0))


def _strictly_monotone(evaluation: Evaluation, node: Node) -> bool:
    try:
        span = evaluation.value(node).du.span()
    except Undecided:
        return False
    if isinstance(span, Ball):
        return span.sign() in (1, -1)
    return bool(span.low > 0) or bool(span.high < 0)
