"""The prover's models, slopes and increments contain the functions that they model, at many radii."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import mpmath
import pytest
from flint import arb
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpverify import Generator
from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Evaluation, Shift, Slope, Undecided, exact, precision
from dpverify.enclosures.lowering import lower
from tests.kernel.test_models import F as LOGARITHMS

F = {
    **LOGARITHMS,
    "exp(-r)*(2+sin(r)/2)": lambda r: -r + mpmath.log(2 + mpmath.sin(r) / 2),
    "exp(-r)*(1+cos(3*r)/3)": lambda r: -r + mpmath.log(1 + mpmath.cos(3 * r) / 3),
    "exp(-r)/(1+sin(r)/7)": lambda r: -r - mpmath.log(1 + mpmath.sin(r) / 7),
}


def number(x: arb) -> mpmath.mpf:
    q = x.fmpq()
    return mpmath.mpf(int(q.p)) / int(q.q)


def inside(x: arb, truth: mpmath.mpf) -> bool:
    slack = mpmath.mpf(10) ** -25 * (1 + abs(truth))
    return not x.is_finite() or bool(number(x.lower()) - slack <= truth <= number(x.upper()) + slack)


def value_at(model: Model, t: Fraction) -> arb:
    logs = [arb(exact(t)).log()]
    while len(logs) < 4 and logs[-1] > 0:
        logs.append(logs[-1].log())
    total = arb(0)
    for m, c in model.terms.items():
        size = sum((log * exact(Fraction(x)) for log, x in zip(logs, m[1:], strict=False)), arb(0))
        for p, k in m[0].terms if m[0] else ():
            size += (logs[0] * exact(Fraction(p))).exp() * exact(Fraction(k))
        total += size.exp() * c
    return total


@cache
def log_at_an_end(text: str, power: int) -> tuple[Fraction, Model]:
    """Where the chart begins, and log f on it: one model for all the points at which it is tried."""
    radius = Fraction(64 if power == 1 else 1024)
    with precision(140):
        r = Model.power_of_t(Germ(radius, 6), power)
        return radius, Evaluation(Slope(r, r.const(1))).log(lower(Generator(text).expression))[1].u


@cache
def loss_in_the_tail(text: str, h: Fraction) -> Model:
    with precision(140):
        r = Model.power_of_t(Germ(Fraction(64), 6), 1)
        return Evaluation(Shift(r, r.const(exact(h)))).log(lower(Generator(text).expression))[1].du


@pytest.mark.slow
@pytest.mark.parametrize("text", sorted(F))
@given(st.fractions(Fraction(1), Fraction(50), max_denominator=30))
@settings(max_examples=12, deadline=None)
def test_models_contain_the_function_at_infinity_and_at_zero(text: str, stretch: Fraction) -> None:
    with mpmath.workdps(45), precision(140):
        for power in (1, -1):
            start, log = log_at_an_end(text, power)
            radius = start * stretch
            at = mpmath.mpf(radius.numerator) / radius.denominator
            where = at if power == 1 else 1 / at
            assert inside(value_at(log, radius), F[text](where)), (text, power)


@pytest.mark.slow
@pytest.mark.swept(stay=14)
@pytest.mark.parametrize("text", sorted(F))
@given(
    st.fractions(Fraction(1), Fraction(50), max_denominator=30),
    st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(7, 2)]),
)
@settings(max_examples=12, deadline=None)
def test_the_loss_in_the_tail_is_contained(text: str, stretch: Fraction, h: Fraction) -> None:
    radius, loss = 64 * stretch, loss_in_the_tail(text, h)
    with mpmath.workdps(45), precision(140):
        at, step = (mpmath.mpf(q.numerator) / q.denominator for q in (radius, h))
        truth = F[text](at + step) - F[text](at)
        assert inside(value_at(loss, radius), truth)
        assert loss.span().low <= arb(str(truth)) + arb(10) ** -20
        assert loss.span().high >= arb(str(truth)) - arb(10) ** -20


@pytest.mark.slow
@pytest.mark.swept(stay=14)
@pytest.mark.parametrize("text", sorted(F))
@given(
    st.fractions(Fraction(1, 50), Fraction(30), max_denominator=50),
    st.fractions(Fraction(1, 50), Fraction(2), max_denominator=50),
    st.fractions(0, 1, max_denominator=50),
)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_boxes_contain_values_and_increments(text: str, a: Fraction, width: Fraction, at: Fraction) -> None:
    node, h, point = lower(Generator(text).expression), Fraction(3, 4), a + at * width
    with mpmath.workdps(45), precision(140):
        r, step = (mpmath.mpf(q.numerator) / q.denominator for q in (point, h))
        box = Ball.between(a, a + width)
        shifted = Shift(Slope(box, Ball(arb(1))), Slope(Ball(arb(exact(h))), Ball(arb(0))))
        try:
            log = Evaluation(Slope(box, Ball(arb(1)))).log(node)[1].u.x
            loss = Evaluation(shifted).log(node)[1].du.u.x
        except Undecided:
            assume(False)  # a ball too wide to decide on claims nothing
        assert inside(log, F[text](r))
        assert inside(loss, F[text](r + step) - F[text](r))
