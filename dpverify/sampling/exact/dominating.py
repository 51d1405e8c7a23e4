"""An envelope of a generator, proved by enclosures: bounds on panels, by the models at zero and at infinity.

Near zero f is bounded by its model; on panels log h is bounded by its mean value form; beyond R,
-r (log f)' >= m by the model at infinity, so that f(r^2) <= f(R^2) (r/R)^-m, or, where f jumps or oscillates
for ever, its loss over a step is bounded from below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import fsum, inf, log

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Undecided, exact, fraction_below, precision
from dpverify.enclosures.nodes import Node
from dpverify.errors import InputError
from dpverify.findings import Part, Place, Reason
from dpverify.prover.breaks import breaks
from dpverify.prover.cover import octaves
from dpverify.prover.phases import phases_of
from dpverify.prover.problem import Problem
from dpverify.prover.torus import bounds_for_all_phases, falls_for_all_phases
from dpverify.sampling.exact.envelope import Envelope, PowerTail, StepTail

BITS = 128
ORDER = 8
INNER = (8, 14, 20, 40, 80, 160, 320)
OUTER = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 26, 34, 48, 70, 100, 160, 256, 400, 800)
WASTE = 0.03
"""What of the mass under the steps may lie above h."""
AT_ENDS = 0.004
MOST_WASTE = 20.0
"""Beyond this much under the tail, against about the mass, draws would take too long."""
MOST_PANELS = 6000
LENGTHS, PIECES, FALL = (Fraction(1), Fraction(4), Fraction(16)), 64, arb("0.7")
"""Lengths of a tail's steps, into how many pieces the first is cut, and what log h falls by over one of waves."""
NARROWEST = Fraction(1, 2**60)
FINE = 20
"""Steps are rounded up to units of about 2^-FINE of the mass, spread over (0, R)."""
TailOf = Callable[[Fraction], PowerTail | StepTail]
"""A tail as a function of the height at R, in units."""


@dataclass(frozen=True, slots=True)
class Panel:
    """log h between two bounds on (a, b); None where they are not known."""

    a: Fraction
    b: Fraction
    low: arb | None
    high: arb | None


def envelope(node: Node, dimension: int) -> Envelope:
    """The envelope of a lowered generator; raises InputError where f is not proved to be a density."""
    with precision(BITS):
        try:
            return _Builder(node, dimension).build()
        except Undecided as error:
            raise InputError(f"the generator has no exact sampler: {error}") from None


class _Builder:
    def __init__(self, node: Node, dimension: int) -> None:
        self.node, self.power = node, dimension - 1
        self.problem = Problem(node, dimension, Fraction(1))
        self.log_size = self._log_size()
        """About the largest log of r h(r), an order of magnitude of the mass that only choices hang on."""

    def build(self) -> Envelope:
        first = self._near_zero()
        radius, tail = self._beyond()
        points = octaves(first.b, radius, breaks(self.node, first.b, radius))
        panels = [first, *self._refined(points)]
        exponent = int(float(self.log_size) / log(2)) - radius.numerator.bit_length() - FINE
        unit = exponent * arb(2).log()
        heights = [max(1, _above((p.high - unit).exp())) for p in panels if p.high is not None]
        floors = [0 if p.low is None else _below((p.low - unit).exp()) for p in panels]
        scaled = tail(Fraction(_above((self._log_h_beyond(radius) - unit).exp() * 1024), 1024))
        edges = (Fraction(0), *(p.b for p in panels))
        return Envelope(self.power + 1, exponent, edges, tuple(heights), tuple(floors), scaled)

    def _near_zero(self) -> Panel:
        """(0, r0], where h <= r0^(d-1) times the largest f."""
        best: Panel | None = None
        for j in INNER:
            r0 = Fraction(1, 2**j)
            try:
                high = self.problem.near_zero(Germ(1 / r0, ORDER)).u.span().high + self.power * _log(r0)
            except Undecided:
                continue
            if high.is_finite():
                best = Panel(r0 * 0, r0, None, high)
                if float((high + _log(r0) - self.log_size).exp()) < AT_ENDS:
                    break
        if best is None:
            raise Undecided(Reason.NOT_BOUNDED(what=Part.F, where=Place.ZERO))
        return best

    def _beyond(self) -> tuple[Fraction, TailOf]:
        """R, and the tail there as a function of the height at R."""
        best: tuple[Fraction, TailOf, float] | None = None
        kinds = (self._power_tail, self._step_tail, self._power_tail_of_waves)
        for j in OUTER:
            radius = Fraction(2**j)
            found = next(filter(None, (self._tried(kind, radius) for kind in kinds)), None)
            if found is None:
                continue
            tail, waste = found
            if best is None or waste < best[2]:
                best = radius, tail, waste
            if waste < AT_ENDS:
                break
        if best is None or best[2] > MOST_WASTE:
            raise Undecided(Reason.NOT_BOUNDED_INTEGRABLY(what=Part.ITS_TAIL))
        return best[0], best[1]

    @staticmethod
    def _tried(kind: Callable[[Fraction], tuple[TailOf, float]], radius: Fraction) -> tuple[TailOf, float] | None:
        try:
            return kind(radius)
        except Undecided:
            return None

    def _power_tail_of_waves(self, radius: Fraction) -> tuple[TailOf, float]:
        phases = phases_of(self.node)
        if phases is None:
            raise Undecided(Reason.NO_EXACT_PHASE())
        slope, top = bounds_for_all_phases(self.node, phases.torus, Germ(radius, ORDER))
        flattest = -slope - (self.power + 1)
        fall = _fall(flattest)
        log_top = top + self.power * _log(radius)
        above = Fraction(_above((log_top - self._log_h_beyond(radius)).exp() * 1024), 1024)
        mass = (log_top + _log(radius) - self.log_size).exp() / flattest
        return (lambda height: PowerTail(height * above, fall)), float(mass.upper()) * WASTE

    def _power_tail(self, radius: Fraction) -> tuple[TailOf, float]:
        germ = Germ(radius, ORDER)
        slope = (self.problem.far(germ).du * Model.power_of_t(germ, 1)).span()
        flattest, steepest = -slope.high - (self.power + 1), -slope.low - (self.power + 1)
        fall = _fall(flattest)
        mass = (self._log_h_beyond(radius) + _log(radius) - self.log_size).exp() / flattest
        share = 1 - flattest / steepest if steepest.is_finite() else arb(1)
        return (lambda height: PowerTail(height, fall)), float((mass * share).upper())

    def _step_tail(self, radius: Fraction) -> tuple[TailOf, float]:
        length, ratio = self._falling(radius)
        pieces = [radius + length * Fraction(k, PIECES) for k in range(PIECES + 1)]
        highs = [high for a, b in pairwise(pieces) if (high := self._bounds(a, b).high) is not None]
        if len(highs) < PIECES:
            raise Undecided(Reason.UNBOUNDED(what=Part.ITS_TAIL))
        first = reduce(arb.max, highs)
        most = (first - self._log_h_beyond(radius)).exp()
        above = Fraction(_above(most * 1024), 1024)
        rational = Fraction(_above(ratio * 2**20), 2**20)
        waste = (exact(length) * (first - self.log_size).exp() / (1 - ratio)).upper()
        return (lambda height: StepTail(height * above, rational, length)), float(waste) * WASTE

    def _falling(self, radius: Fraction) -> tuple[Fraction, arb]:
        """A length over which h falls by a ratio below 1 from wherever it starts beyond R, and the ratio."""
        for length in LENGTHS:
            grown = self.power * (1 + exact(length) / arb(exact(radius))).log()
            try:
                ratio = (grown - self._drop(radius, length, grown + FALL)).exp()
            except Undecided:
                continue
            if ratio < arb("0.999"):
                return length, ratio
        raise Undecided(Reason.FALLS_TOO_SLOWLY(what=Part.ITS_TAIL))

    def _drop(self, radius: Fraction, length: Fraction, wanted: arb) -> arb:
        """A lower bound of the loss over a length beyond R; over waves with free phases, whether it is as large."""
        germ = Germ(radius, ORDER)
        try:
            low: arb = self.problem.far_loss(germ, exact(length)).span().low
            return low
        except Undecided:
            phases = phases_of(self.node)
            if phases is None:
                raise
            falls_for_all_phases(self.node, phases.torus, germ, length, wanted)
            return wanted

    def _refined(self, points: Sequence[Fraction]) -> list[Panel]:
        """Panels that are halved, those that waste more than most, until little is wasted."""
        panels = [self._bounds(a, b) for a, b in pairwise(points)]
        while True:
            areas = [self._areas(panel) for panel in panels]
            wasted, kept = fsum(waste for waste, _ in areas), fsum(keep for _, keep in areas)
            if wasted <= WASTE * kept or (wasted < inf and len(panels) > MOST_PANELS):
                return panels
            if len(panels) > 2 * MOST_PANELS:
                raise Undecided(Reason.NOT_BOUNDED(what=Part.STRETCH, where=Place.STRETCH))
            fair = max(WASTE * kept, wasted / 2 if wasted < inf else 0) / len(panels)
            finer: list[Panel] = []
            for panel, (waste, _) in zip(panels, areas, strict=True):
                middle = (panel.a + panel.b) / 2
                halves = [(panel.a, middle), (middle, panel.b)]
                finer += [self._bounds(a, b) for a, b in halves] if waste > fair else [panel]
            panels = finer

    def _areas(self, panel: Panel) -> tuple[float, float]:
        if panel.high is None:
            return inf, 0.0
        width = _log(panel.b - panel.a) - self.log_size
        high = float((panel.high + width).exp().upper())
        low = 0.0 if panel.low is None else float((panel.low + width).exp().lower())
        return high - low, low

    def _bounds(self, a: Fraction, b: Fraction) -> Panel:
        try:
            return self._mean_value(a, b)
        except Undecided:
            pass
        if b - a > NARROWEST * b:
            return Panel(a, b, None, None)
        value = self.problem.value_on_box(a, b).upper()
        if not value > 0:
            raise Undecided(Reason.NOT_POSITIVE_AROUND(at=a))
        return Panel(a, b, None, value.log() + self.power * _log(b))

    def _mean_value(self, a: Fraction, b: Fraction) -> Panel:
        whole = self.problem.on_box(a, b)
        direct = whole.u.x
        low, high = direct.lower() + self.power * _log(a), direct.upper() + self.power * _log(b)
        slope = whole.du.x + self.power / Ball.between(a, b).x
        if slope.is_finite():
            middle = self._log_h_at((a + b) / 2)
            reach = slope.abs_upper() * exact((b - a) / 2)
            low, high = _larger(low, middle - reach), -_larger(-high, -(middle + reach))
        if not high.is_finite():
            raise Undecided(Reason.UNBOUNDED(what=Part.PANEL))
        return Panel(a, b, low.lower() if low.is_finite() else None, high.upper())

    def _log_h_at(self, r: Fraction) -> arb:
        return self.problem.positive_log(Ball(arb(exact(r)))).x + self.power * _log(r)

    def _log_h_beyond(self, radius: Fraction) -> arb:
        """The limit of log h at R from the right: f may jump there."""
        return self.problem.beside(radius, left=False) + self.power * _log(radius)

    def _log_size(self) -> arb:
        def height(x: float) -> float:
            try:
                found = self.problem.positive_log(Ball(arb(x).exp())).x.mid() + (self.power + 1) * arb(x)
            except Undecided:
                return -inf
            return float(found) if found.is_finite() else -inf

        centre, reach = 0.0, 1024.0
        for _ in range(14):
            centre = max((centre + reach * i / 20 for i in range(-20, 21)), key=height)
            reach /= 4
        found = height(centre)
        if not abs(found) < inf:
            raise Undecided(Reason.NOT_PROVED_POSITIVE())
        return arb(found)


def _fall(flattest: arb) -> Fraction:
    """How fast a tail falls at least, as a number of few digits."""
    if not flattest > arb(2) ** -16:
        raise Undecided(Reason.NOT_INTEGRABLE())
    fall = fraction_below(flattest.lower())
    return Fraction(fall.numerator // fall.denominator) if fall >= 8 else Fraction(int(fall * 2**20), 2**20)


def _larger(a: arb, b: arb) -> arb:
    """The larger of two lower bounds, of which either may be worthless."""
    if not a.is_finite():
        return b
    return a.max(b) if b.is_finite() else a


def _log(r: Fraction) -> arb:
    return arb(exact(r)).log()


def _above(x: arb) -> int:
    value = x.upper().ceil().unique_fmpz()
    if value is None:
        raise Undecided(Reason.TOO_LARGE())
    return int(value)


def _below(x: arb) -> int:
    value = x.lower().floor().unique_fmpz()
    return 0 if value is None else max(0, int(value))
