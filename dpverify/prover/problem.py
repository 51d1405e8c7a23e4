"""The question the prover answers, and log f and the privacy loss on the three charts of [0, oo).

r = sqrt(y), g(r) = -log f(r^2), delta = Delta / sigma, and the loss phi_h(r) = g(r + h) - g(r).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.asymptotics.germ import Phase, Span
from dpverify.asymptotics.phased import Phased, germ_of
from dpverify.enclosures import Ball, Evaluation, Shift, Slope, Undecided, exact
from dpverify.enclosures.at_once import AtOnce, AtOnceEvaluation
from dpverify.enclosures.ball import between, hull, lower_end, meet, upper_end
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.ends import Ends
from dpverify.enclosures.nodes import Node
from dpverify.enclosures.sketch import sketch
from dpverify.enclosures.swept import ZERO, AtRadius, OnBox, Swept
from dpverify.findings import Reason
from dpverify.prover.beside_poles import log_beside_poles, poles_within
from dpverify.prover.centre import Series
from dpverify.prover.far_boxes import FarBoxes
from dpverify.prover.mean_value import MeanValueForm, around_middle, from_above, mean_value

WIDEST = Fraction(1, 2)
"""The widest cell, and shifts, in phases, across a jump; the checker has the same limit."""
NOUGHT = fmpq(0)
MOST_SEEN = 2**16
"""How many radii log f is kept at over floats."""
APART = 8
"""How many times as far as r a shift leads for g(r) and g(r + h) to be bounded each by itself: nothing then cancels."""


@dataclass(frozen=True)
class Problem:
    """A lowered generator in dimension d, and delta = Delta / sigma > 0.

    On boxes up to the radius `apart` losses are differences of g ahead and g here, each enclosed by itself; boxes far
    out are evaluated by models where there are `far` ones.
    """

    node: Node
    dimension: int
    delta: Fraction
    series: Series | None = None
    apart: Fraction | None = None
    far_boxes: FarBoxes | None = None
    _models: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    def with_far(self, far_boxes: FarBoxes | None) -> Problem:
        """The same problem, boxes far out evaluated by these models."""
        return self if far_boxes is self.far_boxes else replace(self, far_boxes=far_boxes, _models={})

    def positive_log(self, r: Any, edges: Edges | None = None) -> Any:
        """log f at a ring element; Undecided unless f > 0 there is proved."""
        germ = germ_of(r)
        if germ is None or not isinstance(germ.phase, Phase):
            evaluation = Evaluation(r, edges)
        else:
            evaluation = self.remembered("phased", lambda: Phased(self.node)).evaluation(r, germ)
        sign, log = evaluation.log(self.node)
        if sign != 1:
            raise Undecided(Reason.F_NEGATIVE())
        return log

    def near_zero(self, germ: Germ) -> Slope:
        """log f and its slopes on (0, r0], as models in t = 1/r."""
        return self.remembered(("near zero", germ), lambda: self._slopes(Model.power_of_t(germ, -1)))

    def far(self, germ: Germ) -> Slope:
        """log f and its slopes on [R, oo)."""
        return self.remembered(("far", germ), lambda: self._slopes(Model.power_of_t(germ, 1)))

    def far_loss(self, germ: Germ, h: fmpq) -> Model:
        """phi_h on [R, oo)."""
        return self.remembered(("far loss", germ, h), lambda: self._far_loss(germ, h))

    def _far_loss(self, germ: Germ, h: fmpq | arb) -> Model:
        r = Model.power_of_t(germ, 1)
        return -self.positive_log(Shift(r, r.const(h))).du

    def far_losses(self, germ: Germ, low: Fraction, high: Fraction) -> arb:
        """A bound of |phi_h| on [R, oo) for every low <= h <= high, by the model of all of it or as of one box."""
        here, there = (Ends(arb(exact(x)), arb.pos_inf()) for x in (germ.radius, germ.radius + low))
        most = self._at_once(here, there, low, high)
        try:
            return most.min(self._far_losses(germ, low, high))
        except Undecided:
            return most

    def _far_losses(self, germ: Germ, low: Fraction, high: Fraction) -> arb:
        r, shifts = Model.power_of_t(germ, 1), (exact(low), exact(high))
        sign, log = AtOnceEvaluation(Shift(r, r.const(Ball.between(low, high).x)), shifts).log(self.node)
        return log.du.span().most() if sign == 1 else arb.pos_inf()

    def phased_loss(self, germ: Germ, h: fmpq | arb) -> Span:
        """phi_h at the radii of the germ's cell of phases, by its mean value form in the radius."""
        phase, r = germ.phase, Model.power_of_t(germ, 1)
        assert phase is not None
        whole = -self.positive_log(Shift(Slope(r, r.const(1)), Slope(r.const(h), r.const(0)))).du
        direct, slopes = whole.u.span(), whole.du.span().x
        if not slopes.is_finite():
            return direct
        reach = (slopes.abs_upper() * exact((phase.high - phase.low) / 2 / phase.frequency)).upper()
        point = self.point_loss(germ, h)
        return Span(direct.low.max((point.low - reach).lower()), direct.high.min((point.high + reach).upper()))

    def point_loss(self, germ: Germ, h: fmpq | arb) -> Span:
        """phi_h at the radii of the middle phase of the germ's cell."""
        phase = germ.phase
        assert phase is not None
        middle = (phase.low + phase.high) / 2
        return self._far_loss(germ.at(replace(phase, low=middle, high=middle)), h).span()

    def _slopes(self, r: Model) -> Slope:
        return self.positive_log(Slope(r, r.const(1)))

    def remembered(self, key: object, compute: Callable[[], Any]) -> Any:
        """What has been computed under a key, or is now."""
        known = self._models.get(key)
        if known is None:
            known = self._models[key] = compute()
        return known

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on the open box (a, b)."""
        return self.remembered((a, b), lambda: self._on_box(a, b))  # type: ignore[no-any-return]

    def _near_series(self, a: Fraction) -> bool:
        """Whether a series at the centre is to be used from there on."""
        return self.series is not None and a < self.series.reach

    def _on_box(self, a: Fraction, b: Fraction) -> Slope:
        if self.series is None or a >= self.series.reach:
            return self._beyond_series(a, b)
        near = self.series.on_box(a, min(b, self.series.reach))
        if b <= self.series.reach:
            return near
        beyond = self._beyond_series(self.series.reach, b)
        return Slope(near.u.hull(beyond.u), near.du.hull(beyond.du))

    def _beyond_series(self, a: Fraction, b: Fraction) -> Slope:
        if self.far_boxes is not None and a >= self.far_boxes.start:
            return self.far_boxes.on_box(a, b)
        low, high = exact(a), exact(b)
        try:
            return self.positive_log(OnBox.radius(between(low, high)), Edges((low, high), NOUGHT))  # type: ignore[no-any-return]
        except Undecided:
            if not self.remembered("poles within", lambda: list(poles_within(self.node))):
                raise
            return log_beside_poles(self.node, a, b)

    def beside(self, b: Fraction, left: bool) -> arb:
        """The limit of log f at b from one side, by the formula that holds on that side."""
        near = b / 10**30
        edges = Edges((exact(b - near), exact(b)) if left else (exact(b), exact(b + near)), fmpq(0))
        return self.positive_log(OnBox.radius(arb(exact(b))), edges).u.x

    def sign_on_box(self, a: Fraction, b: Fraction) -> int | None:
        """The sign of f on the open box (a, b), where its factors tell, however small f is."""
        try:
            return self._evaluation(a, b).log(self.node)[0]
        except Undecided:
            return None

    def value_on_box(self, a: Fraction, b: Fraction) -> arb:
        """f on the open box (a, b), where its sign need not be known."""
        return self._evaluation(a, b).value(self.node).u.x

    def _evaluation(self, a: Fraction, b: Fraction) -> Evaluation:
        low, high = exact(a), exact(b)
        return Evaluation(OnBox.radius(between(low, high)), Edges((low, high), NOUGHT))

    def far_value(self, germ: Germ) -> Model:
        """f on [R, oo), where its sign need not be known."""
        return Evaluation(Model.power_of_t(germ, 1)).value(self.node)

    def log_bounds(self, a: Fraction, b: Fraction) -> arb:
        """log f on the open box (a, b), by its mean value form."""
        key = ("log", a, b)
        return self.remembered(key, lambda: mean_value(self.on_box(a, b), a, b, self.log_at))  # type: ignore[no-any-return]

    def log_within(self, b: Fraction) -> arb:
        """log f on the open box (0, b), where fractional powers may have no slopes."""
        try:
            return self.on_box(Fraction(0), b).u.x
        except Undecided:
            r = Slope(Ball(between(exact(Fraction(0)), exact(b))).not_negative(), Ball(arb(1)))
            return self.positive_log(r, Edges((exact(Fraction(0)), exact(b)), NOUGHT)).u.x  # type: ignore[no-any-return]

    def loss(self, a: Fraction, b: Fraction, h: Fraction) -> arb:
        """phi_h on the open box (a, b), by its mean value form."""
        return self._loss(a, b, h, around_middle)[0]

    def loss_from_above(self, a: Fraction, b: Fraction, h: Fraction) -> tuple[arb, arb | None]:
        """An upper bound of phi_h on the open box (a, b), and phi_h at a radius in it, where that was of use."""
        bound, value = self._loss(a, b, h, from_above)
        return upper_end(bound), value

    def _loss(self, a: Fraction, b: Fraction, h: Fraction, form: MeanValueForm) -> tuple[arb, arb | None]:
        shift = exact(h)
        taken_apart = self._taken_apart(a, b, h)
        if self._near_series(a) or taken_apart:
            here, ahead = self.on_box(a, b), self.on_box(a + h, b + h)
            apart = Slope(here.u - ahead.u, here.du - ahead.du)
            if taken_apart and (apart.du.x >= 0 or apart.du.x <= 0):
                return self._monotone(apart, a, b, h)
            return form(apart, a, b, lambda m: self._loss_of(m, h))
        low, high = exact(a), exact(b)
        r = Swept(OnBox.radius(between(low, high)), arb(shift), ZERO)
        whole = -self.positive_log(r, Edges((low, high), shift)).du
        return form(whole, a, b, lambda m: self._loss_of(m, h))

    def _taken_apart(self, a: Fraction, b: Fraction, h: Fraction) -> bool:
        """Whether phi_h on (a, b) is the difference of g ahead and g here."""
        if self.apart is not None and b <= self.apart:
            return True
        return self.far_boxes is not None and self.far_boxes.takes_apart(a, b, h)

    def _monotone(self, whole: Slope, a: Fraction, b: Fraction, shift: Fraction) -> tuple[arb, arb | None]:
        """phi_h on (a, b), where it is monotone, and its value beside the higher end."""
        steepest, near = whole.du.x.abs_upper(), (b - a) / 2**40
        at = self._loss_of(Ball(arb(exact(b - near if whole.du.x >= 0 else a + near))), shift)
        low, high = at - steepest * exact(b - a), at + steepest * exact(near)
        return meet(whole.u.x, hull(low.lower(), high.upper())), at

    def log_at(self, r: Ball) -> arb:
        """log f at one radius."""
        if self.series is not None and r.x <= exact(self.series.reach):
            return self.series.at(r.x)
        log: arb = self.positive_log(r).x
        return log

    def rough_log(self) -> Callable[[float], float]:
        """r -> log f over floats: to compare, not to state; a NaN where it is not known.  What it was is kept: attempt
        after attempt looks at the same radii."""
        return self.remembered("sketch", lambda: lru_cache(MOST_SEEN)(self._sketch()))  # type: ignore[no-any-return]

    def heights_seen(self) -> dict[tuple[Fraction, ...], float]:
        """What a search for the largest loss has seen at points of a torus, for later searches."""
        return self.remembered("heights", dict)  # type: ignore[no-any-return]

    def _sketch(self) -> Callable[[float], float]:
        whole = sketch(self.node)
        if self.series is None:
            return whole
        near, reach = self.series.rough(), nearest(self.series.reach)
        return lambda r: near(r) if r < reach else whole(r)

    def rough_loss(self, h: Fraction) -> Callable[[float], float]:
        """r -> phi_h over floats."""
        log_f, shift = self.rough_log(), nearest(h)
        return lambda r: log_f(r) - log_f(r + shift)

    def losses(
        self,
        a: Fraction,
        b: Fraction,
        low: Fraction,
        high: Fraction,
        jumps: Sequence[Fraction] = (),
        enough: arb | None = None,
    ) -> tuple[arb, bool]:
        """A bound of |phi_h| on the open box (a, b) for every low <= h <= high; whether phi_h is monotone in h.

        `jumps` are increasing radii at which f may jump; none of them lies inside the box.  A bound that is at most
        `enough` need not be closer.
        """
        bound, monotone = self._losses_by_slopes(a, b, low, high)
        if bound.is_finite() and low < APART * b:
            return bound, monotone
        if enough is not None and (most := self._losses_at_once(a, b, low, high)) <= enough:
            return most, False
        near, far = a + low, b + high
        cuts = [near, *jumps[bisect_right(jumps, near) : bisect_left(jumps, far)], far]
        here, most = self.log_bounds(a, b), arb(0)
        for p, q in pairwise(cuts):
            most = most.max((here - self.log_bounds(p, q)).abs_upper())  # which a NaN outlasts
        return (most.min(bound) if bound.is_finite() else most), False

    def _losses_at_once(self, a: Fraction, b: Fraction, low: Fraction, high: Fraction) -> arb:
        """The same bound by increments over all these shifts, whatever f jumps; infinite where there is none."""
        return self._at_once(Ends.between(a, b), Ends.between(a + low, b + high), low, high)

    def _at_once(self, here: Ends, there: Ends, low: Fraction, high: Fraction) -> arb:
        r = AtOnce(here, there, Ends.between(low, high))
        try:
            sign, log = AtOnceEvaluation(r).log(self.node)
        except Undecided:
            return arb.pos_inf()
        steps = Ends.of(log.du)
        most = (-steps.lo).max(steps.hi)
        return most if sign == 1 and most.is_finite() else arb.pos_inf()

    def _losses_by_slopes(self, a: Fraction, b: Fraction, low: Fraction, high: Fraction) -> tuple[arb, bool]:
        """The same, infinite where g may jump."""
        slopes = -self.on_box(a + low, b + high).du.x
        if slopes >= 0 or slopes <= 0:
            return self._largest_of(a, b, low).max(self._largest_of(a, b, high)), True
        if not slopes.is_finite():
            return arb.pos_inf(), False
        reach = slopes.abs_upper() * exact((high - low) / 2)
        return (self.loss(a, b, (low + high) / 2).abs_upper() + reach).upper(), False

    def _largest_of(self, a: Fraction, b: Fraction, h: Fraction) -> arb:
        """A bound of |phi_h| on (a, b); the last one is kept, since intervals of shifts share their ends."""
        if not h:
            return arb(0)
        known, value = self._models.get("largest", (None, None))
        if known != (a, b, h):
            value = self.loss(a, b, h).abs_upper()
            self._models["largest"] = (a, b, h), value
        return value

    def phased_losses(
        self, germ: Germ, low: Fraction, high: Fraction, jumps: Sequence[Fraction] = ()
    ) -> tuple[arb, bool]:
        """A bound of |phi_h| on a cell of phases for every low <= h <= high; whether phi_h is monotone in h.

        `jumps` are phases, those of the cell and all ahead of it, at which f may jump.
        """
        cell = germ.phase
        assert cell is not None
        swept = replace(cell, low=cell.low + cell.frequency * low, high=cell.high + cell.frequency * high)
        span = self._slopes(Model.power_of_t(germ.at(swept), 1)).du.span()
        slopes = span.x
        if span.low >= 0 or span.high <= 0:  # of a ball that ends at 0 no sign would be known
            first = self.phased_loss(germ, exact(low)).most() if low else arb(0)
            return first.max(self.phased_loss(germ, exact(high)).most()), True
        if slopes.is_finite():
            reach = slopes.abs_upper() * exact((high - low) / 2)
            return (self.phased_loss(germ, exact((low + high) / 2)).most() + reach).upper(), False
        cuts = [swept.low, *(c for c in jumps if swept.low < c < swept.high), swept.high]
        bounds = [self._across(germ, low, high, shift, cuts) for shift in (low, high)]
        try:
            bounds.append(self._far_loss(germ, Ball.between(low, high).x).span().most())
        except Undecided:
            if not any(bound.is_finite() for bound in bounds):
                raise
        least = bounds[0]
        for bound in bounds[1:]:
            least = least.min(bound)
        return least, False

    def _across(self, germ: Germ, low: Fraction, high: Fraction, shift: Fraction, cuts: Sequence[Fraction]) -> arb:
        """The same across jumps, by phi_h(r) = phi_k(t - k) + g(t - k) - g(r), t = r + h, for one shift k."""
        cell = germ.phase
        assert cell is not None
        if len(cuts) < 3 or cell.high - cell.low > WIDEST or (high - low) * cell.frequency > WIDEST:
            return arb.pos_inf()
        most, before, beyond = arb(0), exact(low - shift), exact(high - shift)
        for a, b in pairwise(cut - cell.frequency * shift for cut in cuts):
            both = germ.at(replace(cell, low=min(a, cell.low), high=max(b, cell.high)))
            try:
                slopes = self._slopes(Model.power_of_t(both, 1)).du.span()
                loss = self.phased_loss(germ.at(replace(cell, low=a, high=b)), exact(shift))
            except Undecided:
                return arb.pos_inf()
            rises = [-slopes.low * before, -slopes.low * beyond, -slopes.high * before, -slopes.high * beyond]
            top, bottom = arb(0), arb(0)
            for rise in rises:
                top, bottom = top.max(rise), bottom.min(rise)
            most = most.max(loss.high + top).max(-(loss.low + bottom))
        return most.upper() if most.is_finite() else arb.pos_inf()

    def loss_at(self, r: Fraction, h: Fraction) -> arb:
        """phi_h at one radius."""
        return self._loss_of(Ball(arb(exact(r))), h)

    def loss_slope_at(self, r: Fraction, h: Fraction) -> float:
        """About the slope of phi_h at one radius."""
        point = Swept(OnBox.radius(arb(exact(r))), arb(exact(h)), ZERO)
        return float(-self.positive_log(point).du.du.x.mid())

    def _loss_of(self, r: Ball, h: Fraction) -> arb:
        near, shift = self.series is not None and r.x < exact(self.series.reach), exact(h)
        if near or (self.apart is not None and r.x <= exact(self.apart)):
            return self.log_at(r) - self.log_at(r + shift)
        return -self.positive_log(AtRadius(r.x, arb(shift))).du.x

    def loss_near_zero(self, germ: Germ) -> arb:
        """An upper bound of phi_delta on (0, r0]: directly, or from its limit at zero and its slopes."""
        r0 = 1 / germ.radius
        near, ahead = self.near_zero(germ), self.on_box(self.delta, self.delta + r0)
        span = near.u.span()
        direct = (span.high - lower_end(ahead.u.x)).upper()
        steepest = near.du.span().high - lower_end(ahead.du.x)
        rise = arb(0) if steepest <= 0 else steepest * exact(r0)
        return direct.min((self.limit_at_zero(germ) + rise).upper())

    def limit_at_zero(self, germ: Germ) -> arb:
        """phi_delta(0+) = g(delta+) - g(0+)."""
        tiny = self.delta / 10**40
        at_zero = arb(self.near_zero(germ).u.limit())
        return at_zero - self.on_box(self.delta, self.delta + tiny).u.x


def nearest(value: Fraction) -> float:
    """The nearest float, infinite where there is none."""
    try:
        return float(value)
    except OverflowError:
        return inf
