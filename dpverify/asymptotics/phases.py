"""Models of what oscillates or steps: sines, cosines and floors, where the phase of the radius is known."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING

from flint import arb, fmpq

from dpverify.asymptotics.germ import CONSTANT, LINEAR
from dpverify.enclosures.ball import Ball, exact, hull, sine_and_cosine

if TYPE_CHECKING:
    from dpverify.asymptotics.model import Model
    from dpverify.asymptotics.terms import Coefficient


def _linear(model: Model, turns: bool, floors: bool) -> tuple[fmpq, Coefficient] | None:
    """(n, c) where the model is n x + c, x the phase, up to what vanishes and what does not matter.

    That is whole periods of the cosine, or integers for a floor: x = 2 in turns brings integers
    where 2 n is whole, and x = 2 pi does not.
    """
    growing = {m: c for m, c in model.terms.items() if m > CONSTANT}
    phase = model.germ.phase
    if phase is None or phase.turns is not turns or len(growing) != 1:
        return None
    steep = growing.get(phase.scale)
    if not isinstance(steep, fmpq):
        return None
    n = phase.multiple(steep, 2 if floors else 1)
    return None if n is None else (n, model.terms.get(CONSTANT, fmpq(0)))


def circular(model: Model, quarter_turns: int, turns: bool) -> Model:
    """cos(u - quarter_turns * pi/2), or of pi * u where it is given in (half) turns."""
    w, centre, turned = model.vanishing(), model.terms.get(CONSTANT), turns
    if model.grows():
        phase, linear = model.germ.phase, _linear(model, turns, floors=False)
        if linear is None or phase is None:
            return model.const(arb(0, 1))
        centre, turned = phase.angle(*linear, turns)
    if turns:
        w = w * arb.pi()
    n = model.germ.order
    wave: tuple[Coefficient, Coefficient] = (fmpq(1), fmpq(0))
    if centre is not None:
        sine, cosine = sine_and_cosine(arb(centre), turned)
        wave = cosine, -sine
    series: list[Coefficient] = []
    for k in range(n + 1):  # the k-th derivative of cos(x) is cos(x + k pi/2)
        turn = (k - quarter_turns) % 4
        series.append(wave[turn % 2] * fmpq(1 if turn < 2 else -1, factorial(k)))
    return w.taylor(series, arb(0, 1) / factorial(n + 1))


def whole(model: Model) -> tuple[fmpq, fmpq] | None:
    """The least and the greatest integer that floor(u) can be, whole periods apart.

    The model must be the phase times a half-integer plus something bounded, or bounded itself;
    at the ends of the phase's cell, which is open, an exact integer counts for the inside.
    """
    rest = model.vanishing().span()
    if not model.grows():
        n, low, high = fmpq(0), fmpq(0), fmpq(0)
        constant = model.terms.get(CONSTANT, fmpq(0))
    else:
        linear = _linear(model, turns=True, floors=True)
        if linear is None or model.germ.phase is None:
            return None
        (n, constant), phase = linear, model.germ.phase
        low, high = sorted((n * exact(phase.low), n * exact(phase.high)))
    if isinstance(constant, fmpq) and not model.vanishing().terms:
        first, last = (low + constant).floor(), (high + constant).ceil() - 1
        return fmpq(first), fmpq(max(first, last))
    ends = rest.low + low + constant, rest.high + high + constant
    integers = [end.floor().unique_fmpz() if end.is_finite() else None for end in ends]
    if integers[0] is None or integers[1] is None:
        return None
    least, most = fmpq(integers[0]), fmpq(integers[1])
    if isinstance(constant, fmpq) and model.vanishing().sign() == -1:  # just below an integer counts for the inside
        inside = fmpq((high + constant).ceil()) - 1
        most = inside if least <= inside < most else most
    return least, most


def floor(model: Model) -> Model:
    """The greatest integer not above the function."""
    span, integers = model.span(), whole(model)
    if integers is None:
        low, high = span.low.floor(), span.high.floor()
        if low == high and low.is_finite():
            return model.const(low)
        return model + (arb(-0.5) + arb(0, 0.5))
    value = hull(arb(integers[0]), arb(integers[1]))
    linear, phase = _linear(model, turns=True, floors=True), model.germ.phase
    if linear is None or phase is None:
        return model.const(integers[0] if integers[0] == integers[1] else value)
    remainder = value - Ball.between(phase.low, phase.high).x * linear[0]
    return model.power_of_t(model.germ, 1) * model.terms[LINEAR] + remainder
