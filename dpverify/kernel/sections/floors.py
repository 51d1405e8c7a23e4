"""The largest integer that is at most a function, over any ring."""

from __future__ import annotations

from decimal import ROUND_FLOOR
from fractions import Fraction

from ..intervals import D0, D1, INF, NEG_INF, ZERO, Interval, hull, interval, meet
from .increments import Shift
from .models import CONSTANT, LINEAR, Model
from .phases import linear
from .rings import by_ring
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@by_ring
def floor(x: Any) -> Any:
    """The largest integer that is at most x, over any ring."""
    raise TypeError


@floor.register(Interval)
def floor_of_interval(x: Interval) -> Interval:
    low, high = (e.to_integral_value(ROUND_FLOOR) if e.is_finite() else e for e in (x.lo, x.hi))
    return Interval(low, high)


def whole(x: Model) -> Interval | None:
    """The integers that floor(x) can be, up to whole periods; None where nothing is known.

    A cell of phases is open, so an exact integer at its end counts for the inside; and so it does
    where what vanishes is negative, so that x stays below its value on the cell.
    """
    form, rest, phase = linear(x, turns=True, floors=True), x.vanishing(), x.germ.phase
    if form is None or phase is None:
        if any(m > CONSTANT for m in x.terms):
            return None
        form, low = (Fraction(0), x.terms.get(CONSTANT, Fraction(0))), Fraction(0)
        high = low
    else:
        low, high = sorted((form[0] * phase.low, form[0] * phase.high))
    c = form[1]
    if isinstance(c, Fraction) and not rest.terms:
        first = (low + c) // 1
        return hull(interval(first), interval(max(first, -((-high - c) // 1) - 1)))
    found = floor_of_interval(hull(interval(low), interval(high)) + c + rest.span())
    if isinstance(c, Fraction) and rest.sign() == -1:
        last = interval(-((-high - c) // 1) - 1)
        found = Interval(found.lo, max(found.lo, min(found.hi, last.hi)))
    return found


@floor.register(Model)
def floor_of_model(x: Model) -> Model:
    span, integers = floor_of_interval(x.span()), whole(x)
    if integers is None:
        return x.const(span) if span.lo == span.hi else x + Interval(-D1, D0)
    form = linear(x, turns=True, floors=True)
    if form is None or x.germ.phase is None:
        return x.const(integers)
    rise = Model(x.germ, {LINEAR: x.terms[LINEAR]})
    return rise + (integers - x.germ.phase.x() * form[0])


@floor.register(Slope)
def floor_of_slope(x: Slope) -> Slope:
    slopes = x.du.span()
    up, down = slopes.lo >= 0, slopes.hi <= 0
    steps = Interval(D0 if up else NEG_INF, D0 if down else INF)
    integers = whole(x.u) if isinstance(x.u, Model) else floor_of_interval(x.u.span())
    constant = integers is not None and integers.lo == integers.hi
    return Slope(floor(x.u), x.u.const(0 if constant else steps))


@floor.register(Shift)
def floor_of_shift(x: Shift) -> Shift:
    base, ahead = floor(x.u), x.ahead()
    inner = [getattr(side, "u", side) for side in (x.u, ahead)]
    here, there = (whole(side) if isinstance(side, Model) else None for side in inner)
    known = None if here is None or there is None else there - here
    if not isinstance(x.u, Model):
        steady = known is not None and known.lo == known.hi
        return Shift(base, base.const(known) if steady else narrowed(floor(ahead) - base, x.du))
    if known is not None:
        return Shift(base, base.const(known))
    span = x.du.span()
    if not span.finite():
        return Shift(base, x.du + Interval(-D1, D1))
    return Shift(base, base.const(steps(span)))


def steps(v: Interval) -> Interval:
    """floor(v) and one more, unless v is whole."""
    return hull(floor_of_interval(v), -floor_of_interval(-v)) if v.finite() else v


def narrowed(step: Any, v: Any) -> Any:
    """The increment of a floor, of what increases by v: over intervals, and over their slopes."""
    if isinstance(step, Interval):
        return meet(step, steps(v)) if v.finite() else step
    if not (isinstance(step, Slope) and isinstance(step.u, Interval)):
        return step
    height = narrowed(step.u, v.u)
    return Slope(height, ZERO if height.lo == height.hi else step.du)
