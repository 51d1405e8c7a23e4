"""Roundings and remainders: each end of an enclosure lies on its own side, however narrow the enclosure is."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.besselk import besselk_point, besselk_ratio, hankel, log_matern, rough_exp
from dpverify.kernel.sections.branches import hull_of
from dpverify.kernel.sections.constants import PI
from dpverify.kernel.sections.erfc import erfc_hazard, log_erfc
from dpverify.kernel.sections.exponentials import Rate, logistic, softplus
from dpverify.kernel.sections.floors import floor
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Germ, Model, power_of_t, quotient, raised
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.waves import cos, sin
from tests.kernel.test_arithmetic import ball, encloses, to_arb
from tests.kernel.test_models import mp, value_at

INVERSE = power_of_t(-1)


def point(rnd: random.Random) -> Decimal:
    """A decimal of fifty digits, of either sign and of very different sizes."""
    return Decimal(rnd.choice((-1, 1)) * rnd.randrange(10**49, 10**50)).scaleb(rnd.randint(-60, -40))


def outward(x: Interval, truth: Fraction) -> bool:
    """The ends lie on either side, and beside each other."""
    low, high = Fraction(x.lo), Fraction(x.hi)
    return low <= truth <= high and high - low <= abs(truth) / 10**56


def test_every_end_is_rounded_outward() -> None:
    rnd = random.Random(1)
    for _ in range(200):
        a, b = point(rnd), point(rnd).scaleb(30)
        x, y, p, q = Interval(a, a), Interval(b, b), Fraction(a), Fraction(b)
        assert outward(x + y, p + q) and outward(x - y, p - q)
        assert outward(x * y, p * q) and outward(x.inverse(), 1 / p)
        assert outward(interval(p / q), p / q) and outward(x * (q / 7), p * q / 7)
        assert outward(x.power(Fraction(2)), p**2) and outward(x.power(Fraction(-3)), 1 / p**3)


@pytest.mark.slow
def test_every_end_of_a_function_is_rounded_outward() -> None:
    rnd = random.Random(2)
    ctx.prec = 600
    for _ in range(25):
        a = abs(point(rnd)).scaleb(-5)
        x, t = Interval(a, a), ball(Fraction(a))
        for found, truth in (
            (x.exp(), t.exp()),
            ((-x).exp(), (-t).exp()),
            (x.log(), t.log()),
            (x.power(Fraction(1, 2)), t.sqrt()),
        ):
            assert to_arb(found.lo) < truth < to_arb(found.hi)
            assert to_arb(found.hi) - to_arb(found.lo) < (abs(truth) + arb(1) / 10**12) * arb(10) ** -55
        for found, truth in ((cos(x), t.cos()), (sin(x), t.sin())):
            assert encloses(found, truth) and found.hi - found.lo < Decimal("1e-40")
        b = Decimal(rnd.randrange(10**49, 10**50)).scaleb(-49)
        positive, t = Interval(b, b), ball(Fraction(b))
        for found, truth in (
            (log_erfc(positive), t.erfc().log()),
            (log_erfc(-positive), (-t).erfc().log()),
            (erfc_hazard(positive), (-t * t).exp() * 2 / (t.erfc() * arb.pi().sqrt())),
            (log_matern(positive, Fraction(3, 2)), (t.bessel_k(arb(3) / 2)).log() + t.log() * 3 / 2),
            (besselk_ratio(positive, Fraction(5, 2)), t.bessel_k(arb(3) / 2) / t.bessel_k(arb(5) / 2)),
            (softplus(positive, 1), t.exp().log1p()),
            (softplus(-positive, -1), (1 - (-t).exp()).log()),
            (logistic(positive, 1), 1 / (1 + (-t).exp())),
        ):
            assert to_arb(found.lo) <= truth <= to_arb(found.hi) and found.hi - found.lo < Decimal("1e-20")
    root = interval(Fraction(9, 4)).power(Fraction(1, 2))
    assert root.lo == root.hi == Decimal("1.5")
    assert PI.hi - PI.lo < Decimal("1e-55")


def log_third(x: Any) -> Any:
    """log x^p K_p(x) for p = 1/3."""
    p = mpmath.mpf(1) / 3
    return mpmath.log(x**p * mpmath.besselk(p, x))


@pytest.mark.parametrize("power", [56, 57, 58, 59, 60])
def test_the_cosine_of_arguments_at_the_end_of_the_digits_of_pi(power: int) -> None:
    ctx.prec = 1200
    for k in range(1, 40):
        q = k * Fraction(10) ** power / 4 + k
        assert encloses(cos(interval(q)), ball(q).cos())


def test_the_rough_exponential_encloses_all_of_a_narrow_interval() -> None:
    ctx.prec = 400
    for start in (Fraction(-64), Fraction(-1, 3), Fraction(0), Fraction(5, 7)):
        for width in (Fraction(0), Fraction(1, 10**50), Fraction(1, 10**36), Fraction(1, 10), Fraction(9, 10)):
            x = Interval(interval(start).lo, interval(start + width).hi)
            found = rough_exp(x)
            assert to_arb(found.lo) <= to_arb(x.lo).exp() and to_arb(x.hi).exp() <= to_arb(found.hi)


@pytest.mark.slow
@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(100)])
def test_bessel_functions_far_out_are_enclosed(p: Fraction) -> None:
    """Where many terms of the rule are left out, each little smaller than the one before."""
    ctx.prec = 500
    found = besselk_point(p, Decimal(10_000))[0]
    assert encloses(found, ball(Fraction(10_000)).bessel_k(ball(p)))


def test_monomials() -> None:
    germ = Germ(Fraction(10**9), 6)
    a, b = (Rate.of({2: 1}), 1, 2, Fraction(1, 2), 3), (Rate.of({2: -1, 1: 3}), Fraction(1, 3), -1, 5, -4)
    product = Model(germ, {a: 2}) * Model(germ, {b: 3})
    assert product.terms == {(Rate.of({1: 3}), Fraction(4, 3), 1, Fraction(11, 2), -1): 6}
    assert quotient((0, 1, 2, 3, 4), (0, 5, 7, 9, 13)) == (0, -4, -5, -6, -9)
    for monomial in ((0, 1, -5, 0, 0), (0, -1, 5, 0, 0)):
        with pytest.raises(Rejected, match="not monotone"):
            Germ(Fraction(90), 6).span(monomial)
        assert Germ(Fraction(150), 6).span(monomial).hi > 0
    third = Germ(Fraction(10, 3), 6)
    assert Fraction(third.span(LINEAR).lo) <= Fraction(10, 3) and Fraction(third.span(INVERSE).hi) >= Fraction(3, 10)
    assert Fraction(third.span(power_of_t(Fraction(1, 2))).lo) ** 2 <= Fraction(10, 3)
    assert Fraction(third.span(power_of_t(Fraction(-1, 2))).hi) ** 2 >= Fraction(3, 10)


def test_an_exponential_of_what_is_known_roughly() -> None:
    """e^(c log t) with c in [-3, -2], and times e^w with w in [0, 1]."""
    germ, log = Germ(Fraction(9), 6), (0, 0, 1, 0, 0)
    c, w = Interval(Decimal(-3), Decimal(-2)), Interval(Decimal(0), Decimal(1))
    for terms, most in (({log: c}, 1.0), ({log: c, CONSTANT: w}, math.e), ({log: c, INVERSE: w}, 1.0)):
        model = Model(germ, terms).exp()
        for t in (9, 20, 1000):
            found = value_at(model, Fraction(t))
            assert float(found.lo) <= float(t) ** -3 and most * float(t) ** -2 <= float(found.hi) * (1 + 1e-12)


SERIES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "square root": (lambda x: (x + 1).power(Fraction(1, 2)), lambda w: mpmath.sqrt(1 + w)),
    "inverse": (lambda x: (x + 1).inverse(), lambda w: 1 / (1 + w)),
    "power": (lambda x: (x + 1).power(Fraction(-7, 3)), lambda w: (1 + w) ** (mpmath.mpf(-7) / 3)),
    "large power": (lambda x: (x * 2 + 3).power(Fraction(19, 2)), lambda w: (3 + 2 * w) ** (mpmath.mpf(19) / 2)),
    "log": (lambda x: (x + 1).log(), lambda w: mpmath.log(1 + w)),
    "log of another leading coefficient": (lambda x: (x * 2 + 5).log(), lambda w: mpmath.log(5 + 2 * w)),
    "exp": (lambda x: x.exp(), mpmath.exp),
    "exp with a constant": (lambda x: (x * 2 + 1).exp(), lambda w: mpmath.exp(1 + 2 * w)),
    "cos": (cos, mpmath.cos),
    "sin": (sin, mpmath.sin),
    "cos with a constant": (lambda x: cos(x + 1), lambda w: mpmath.cos(1 + w)),
    "sin with a constant": (lambda x: sin(x + 1), lambda w: mpmath.sin(1 + w)),
    "cos in turns": (lambda x: cos(x, True), lambda w: mpmath.cos(mpmath.pi * w)),
    "sin in turns": (lambda x: sin(x + Fraction(1, 3), True), lambda w: mpmath.sinpi(w + mpmath.mpf(1) / 3)),
    "softplus": (lambda x: softplus(x, 1), lambda w: mpmath.log1p(mpmath.exp(w))),
    "logistic": (lambda x: logistic(x, 1), lambda w: 1 / (1 + mpmath.exp(-w))),
    "erfc": (lambda x: log_erfc(x + 1), lambda w: mpmath.log(mpmath.erfc(1 + w))),
    "matern": (lambda x: log_matern(x + 1, Fraction(1, 3)), lambda w: log_third(1 + w)),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_the_remainder_of_a_series_is_within(name: str, order: int) -> None:
    """In powers of w = a/t from t = 3/2 on, where the terms left out are large, and at 50 times that."""
    operation, known = SERIES[name]
    germ = Germ(Fraction(3, 2), order)
    with mpmath.workdps(60):
        for a in (Fraction(1, 2), Fraction(-1, 2), Fraction(1), Fraction(-4, 3)):
            model = operation(Model(germ, {INVERSE: a}))
            for t in (Fraction(3, 2), Fraction(2), Fraction(5), Fraction(75)):
                w = mpmath.mpf(a.numerator) / a.denominator / (mpmath.mpf(t.numerator) / t.denominator)
                found = value_at(model, t)
                assert mp(found.lo) - mpmath.mpf(10) ** -45 <= known(w) <= mp(found.hi) + mpmath.mpf(10) ** -45, (a, t)


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(7, 3), Fraction(4)])
def test_the_remainder_of_hankels_series_is_within(order: int, p: Fraction) -> None:
    with mpmath.workdps(60):
        for x in (Fraction(1), Fraction(3), Fraction(10)):
            series = hankel(p, interval(1 / x), order, Interval(Decimal(0), Decimal(1)))
            at = mpmath.mpf(x.numerator) / x.denominator
            truth = (
                mpmath.besselk(mpmath.mpf(p.numerator) / p.denominator, at)
                * mpmath.exp(at)
                * mpmath.sqrt(2 * at / mpmath.pi)
            )
            assert mp(series.lo) <= truth <= mp(series.hi)


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(7, 3), Fraction(61, 3)])
@pytest.mark.parametrize("x", [Fraction(1, 2), Fraction(3), Fraction(30)])
def test_the_error_of_the_trapezoidal_rule_is_within(p: Fraction, x: Fraction) -> None:
    """The rule's own sum, and 2 K_q(x cos 1)/(exp(2 pi/h) - 1) on both sides of it."""
    ctx.prec = 500
    at = Decimal(x.numerator) / x.denominator
    found, other = besselk_point(p, at)[0], abs(p - 1)
    h = Fraction(1, 12 * (1 + int(x) // 24 + int(max(p, other)) // 4))
    total, k = (-ball(x)).exp() / 2, 0
    while k * h < 8:
        k += 1
        t = ball(k * h)
        total += (-ball(x) * t.cosh()).exp() * (t * ball(p)).cosh()
    half = Fraction(1, 2)
    while half < p:
        half += 1
    error = (
        2
        * (ball(x) * arb(1).cos()).bessel_k(ball(half))
        / ((arb.pi() * 2 * fmpq(h.denominator, h.numerator)).exp() - 1)
    )
    total = total * ball(h)
    assert to_arb(found.lo) <= total - error and total + error <= to_arb(found.hi)
    assert encloses(found, ball(x).bessel_k(ball(p)))


@pytest.mark.parametrize("order", (1, 2, 3))
def test_a_shift_of_a_model_knows_the_remainder_at_both_radii(order: int) -> None:
    """Of erfc and K_p far out the series at r and at r + h have remainders of their own."""
    germ = Germ(Fraction(9), order)
    r = Model(germ, {LINEAR: 1})
    with mpmath.workdps(60):
        for h in (Fraction(1, 2), Fraction(3)):
            losses = {
                "erfc": (log_erfc(Shift(r, r.const(h))).du, lambda s: mpmath.log(mpmath.erfc(s))),
                "matern": (
                    log_matern(Shift(r, r.const(h)), Fraction(1, 3)).du,
                    log_third,
                ),
            }
            for name, (loss, log) in losses.items():
                for t in (Fraction(9), Fraction(20)):
                    at, step = (mpmath.mpf(q.numerator) / q.denominator for q in (t, h))
                    found = value_at(loss, t)
                    assert mp(found.lo) <= log(at + step) - log(at) <= mp(found.hi), (name, order, t)


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 3), Fraction(9, 10), Fraction(1), Fraction(3, 2), Fraction(4)])
@pytest.mark.parametrize("order", (3, 6))
def test_k_near_zero_and_its_slope(p: Fraction, order: int) -> None:
    """x^p K_p(x) as a model in t = 1/x, at and behind its radius."""
    x = Model(Germ(Fraction(64), order), {INVERSE: 1})
    log = log_matern(x, p)
    slopes = None if p == Fraction(9, 10) else log_matern(Slope(x, x.const(1)), p).du
    with mpmath.workdps(50):
        order_p = mpmath.mpf(p.numerator) / p.denominator
        for t in (Fraction(64), Fraction(100), Fraction(4000)):
            at = 1 / (mpmath.mpf(t.numerator) / t.denominator)
            value, k = value_at(log, t), mpmath.besselk(order_p, at)
            assert mp(value.lo) <= mpmath.log(at**order_p * k) <= mp(value.hi)
            if slopes is None:  # K_(1/10) is not near enough to its limiting form there
                continue
            slope = value_at(slopes, t)
            assert mp(slope.lo) <= -mpmath.besselk(abs(order_p - 1), at) / k <= mp(slope.hi)


def test_erfc_towards_minus_infinity() -> None:
    """erfc(-u) with u = sqrt(log t) is 2 less something of the order of 1/t."""
    germ = Germ(Fraction(64), 5)
    root = Model(germ, {(0, 0, 1, 0, 0): 1}).power(Fraction(1, 2))
    found = log_erfc(Slope(-root, -root))
    with mpmath.workdps(50):
        for t in (Fraction(64), Fraction(1000), Fraction(10**6)):
            u = mpmath.sqrt(mpmath.log(mpmath.mpf(int(t))))
            value, slope = value_at(found.u, t), value_at(found.du, t)
            assert mp(value.lo) <= mpmath.log(mpmath.erfc(-u)) <= mp(value.hi)
            hazard = 2 * mpmath.exp(-u * u) / (mpmath.sqrt(mpmath.pi) * mpmath.erfc(-u))
            assert mp(slope.lo) <= hazard * u <= mp(slope.hi)
            assert value.hi - value.lo < 1 / Decimal(int(t))


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(7, 3)])
@pytest.mark.parametrize("order", (2, 5))
def test_k_far_out_and_its_slope(p: Fraction, order: int) -> None:
    x = Model(Germ(Fraction(30), order), {LINEAR: 1})
    pair = log_matern(Slope(x, x.const(1)), p)
    with mpmath.workdps(50):
        order_p = mpmath.mpf(p.numerator) / p.denominator
        for t in (30, 100):
            value, slope = value_at(pair.u, Fraction(t)), value_at(pair.du, Fraction(t))
            k = mpmath.besselk(order_p, t)
            assert mp(value.lo) <= mpmath.log(t**order_p * k) <= mp(value.hi)
            assert mp(slope.lo) <= -mpmath.besselk(abs(order_p - 1), t) / k <= mp(slope.hi)
            assert value.hi - value.lo < Decimal("0.1") and slope.hi - slope.lo < Decimal("0.1")


def test_whole_numbers_of_what_grows() -> None:
    """floor((r + 1)^2) - floor(r^2) is 2 r + 1 but for less than 1 either way."""
    r = Model(Germ(Fraction(9), 6), {LINEAR: 1})
    step = floor(Shift(r, r.const(1)) * Shift(r, r.const(1))).du
    for t in (Fraction(9), Fraction(100)):
        found = value_at(step, t)
        assert 2 * t <= Fraction(found.lo) + Fraction(1, 10**40) and Fraction(found.hi) <= 2 * t + 2 + Fraction(
            1, 10**40
        )
        assert Fraction(found.hi) - Fraction(found.lo) >= 2 - Fraction(1, 10**40)


def test_k_of_order_zero_very_near_zero() -> None:
    """Where log log x is known to more digits than x^2 has."""
    t = Fraction(10**9)
    found = value_at(log_matern(Model(Germ(t, 20), {INVERSE: 1}), Fraction(0)), t)
    with mpmath.workdps(60):
        truth = mpmath.log(mpmath.besselk(0, mpmath.mpf(10) ** -9))
        assert mp(found.lo) <= truth <= mp(found.hi) and found.hi - found.lo < Decimal("1e-15")


@pytest.mark.parametrize("radius", [10**5, 10**6])
def test_k_of_order_zero_up_to_the_radius(radius: int) -> None:
    """K_0(x) - log(2/x) + gamma lies near the middle of [0, x^2 (log(1/x) + 1)/2]."""
    found = value_at(log_matern(Model(Germ(Fraction(radius), 20), {INVERSE: 1}), Fraction(0)), Fraction(radius))
    with mpmath.workdps(60):
        truth = mpmath.log(mpmath.besselk(0, mpmath.mpf(1) / radius))
        assert mp(found.lo) <= truth <= mp(found.hi) and mp(found.hi) - mp(found.lo) < mpmath.mpf(1) / radius**2


def test_rates_add_and_subtract_and_compare() -> None:
    a, b = Rate.of({1: 2}), Rate.of({2: -1, 1: 3})
    assert 0 - a == Rate.of({1: -2}) == -a and a - 0 == a and a - a == 0 == b - b
    assert a + b == Rate.of({2: -1, 1: 5}) == b + a and b - a == Rate.of({2: -1, 1: 1})
    assert b < 0 < a and b < a and not a < b and not a < 0 and not b > 0
    assert quotient((0, 1, 0, 0, 0), (a, 0, 0, 0, 0)) == (-a, 1, 0, 0, 0)
    assert raised((b, 1, 4, 0, -2), Fraction(1, 2)) == (
        Rate.of({2: Fraction(-1, 2), 1: Fraction(3, 2)}),
        Fraction(1, 2),
        2,
        0,
        -1,
    )


def test_logarithms_and_exponentials_of_exponentials() -> None:
    """log(2 e^(3 t) t) = 3 t + log t + log 2, and back."""
    germ = Germ(Fraction(9), 6)
    log = Model(germ, {(Rate.of({1: 3}), 1, 0, 0, 0): 1, (0, 0, 0, 0, 0): 0}).log()
    assert log.terms == {LINEAR: 3, (0, 0, 1, 0, 0): 1}
    assert log.exp().terms == {(Rate.of({1: 3}), 1, 0, 0, 0): 1}
    for growing in ((0, 1, 1, 0, 0), (0, 0, 2, 0, 0), (0, 1, -1, 0, 0)):  # no power of t, nor of its logarithms
        assert Model(germ, {growing: 1}).exp().log().terms == {growing: 1}
    with pytest.raises(Rejected, match="exponential"):
        Model(germ, {(0, 0, Fraction(1, 2), 0, 0): 1}).exp()


def test_iterated_logarithms_have_a_place_each() -> None:
    """log(t^2) = 2 log t, log log t and log log log t, and back."""
    germ = Germ(Fraction(10**9), 6)
    steps = [(0, 1, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 1)]
    for below, above in pairwise(steps):
        squared = raised(below, Fraction(2))
        assert Model(germ, {squared: 1}).log().terms == {above: 2}
        assert Model(germ, {above: 2}).exp().terms == {squared: 1}


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_an_exponential_of_few_terms(order: int) -> None:
    """e^(c/t) at t = 3, where the terms left out are large."""
    germ = Germ(Fraction(3), order)
    for c in (Fraction(1), Fraction(-1), Fraction(2)):
        found = value_at(Model(germ, {INVERSE: c}).exp(), Fraction(3))
        with mpmath.workdps(60):
            truth = mpmath.exp(mpmath.mpf(c.numerator) / c.denominator / 3)
            assert mp(found.lo) <= truth <= mp(found.hi) and mp(found.hi) - mp(found.lo) < 1


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_logarithms_and_powers_of_few_terms(order: int) -> None:
    """log(1 + c/t) and (1 + c/t)^p at t = 3."""
    germ = Germ(Fraction(3), order)
    for c in (Fraction(1), Fraction(-1), Fraction(2)):
        u = Model(germ, {CONSTANT: 1, INVERSE: c})
        with mpmath.workdps(60):
            truth = 1 + mpmath.mpf(c.numerator) / c.denominator / 3
            found = value_at(u.log(), Fraction(3))
            assert mp(found.lo) <= mpmath.log(truth) <= mp(found.hi)
            for p in (Fraction(-1), Fraction(1, 2), Fraction(-7, 3), Fraction(10)):
                found = value_at(u.power(p), Fraction(3))
                exact = truth ** (mpmath.mpf(p.numerator) / p.denominator)
                assert mp(found.lo) <= exact <= mp(found.hi)


def test_a_hull_of_models_holds_each() -> None:
    """Also a monomial that only one of them has."""
    germ = Germ(Fraction(3), 6)
    one, other = Model(germ, {LINEAR: 2, CONSTANT: -1}), Model(germ, {INVERSE: 5, CONSTANT: 4})
    for jumps in (True, False):
        both = hull_of([one, other], jumps)
        for model in (one, other):
            assert {*both.terms} == {LINEAR, CONSTANT, INVERSE}
            for m, c in both.terms.items():
                assert Fraction(c.lo) <= model.terms.get(m, 0) <= Fraction(c.hi)


@pytest.mark.parametrize("order", ["9/8", "17/16", "3/2", "7/3"])
def test_k_near_zero_where_its_order_is_near_one_or_not(order: str) -> None:
    p, t = Fraction(order), Fraction(1000)
    found = value_at(log_matern(Model(Germ(t, 6), {INVERSE: 1}), p), t)
    with mpmath.workdps(60):
        q, x = mpmath.mpf(p.numerator) / p.denominator, mpmath.mpf(1) / 1000
        assert mp(found.lo) <= mpmath.log(x**q * mpmath.besselk(q, x)) <= mp(found.hi)
