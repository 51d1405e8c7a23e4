"""The kernel's decimal intervals enclose what Arb computes, operation by operation."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.besselk import COS_ONE, EULER, besselk_point, besselk_ratio
from dpverify.kernel.sections.constants import PI
from dpverify.kernel.sections.erfc import erfc_hazard, erfc_series, log_erfc_point
from dpverify.kernel.sections.exponentials import logistic, softplus, softplus_point
from dpverify.kernel.sections.floors import floor
from dpverify.kernel.sections.gamma import gamma
from dpverify.kernel.sections.waves import cos, cos_of_point, sin

many = settings(max_examples=300, deadline=None)
NUMBERS = st.fractions(Fraction(-1000), Fraction(1000), max_denominator=10**6)
POSITIVE = st.one_of(
    st.fractions(Fraction(1, 10**6), Fraction(1000), max_denominator=10**6),
    st.integers(-60, 60).map(lambda k: Fraction(10) ** k),
)


def encloses(x: Interval, truth: arb) -> bool:
    """No end of x lies strictly inside on the wrong side of the true value."""
    return not (to_arb(x.lo) > truth) and not (to_arb(x.hi) < truth)


def to_arb(x: Decimal) -> arb:
    if x.is_infinite():
        return arb.pos_inf() if x > 0 else arb.neg_inf()
    n, d = x.as_integer_ratio()
    return arb(fmpq(n, d))


def ball(q: Fraction) -> arb:
    return arb(fmpq(q.numerator, q.denominator))


@pytest.fixture(autouse=True)
def precise() -> None:
    ctx.prec = 400


@pytest.mark.slow
@many
@given(NUMBERS, NUMBERS)
def test_field_operations(a: Fraction, b: Fraction) -> None:
    x, y = interval(a), interval(b)
    assert encloses(x + y, ball(a + b))
    assert encloses(x - y, ball(a - b))
    assert encloses(x * y, ball(a * b))
    if b:
        assert encloses(x * y.inverse(), ball(a / b))


@pytest.mark.slow
@many
@given(st.integers(1, 9999), st.integers(-60, -2), st.sampled_from([1, -1]), st.booleans())
def test_softplus_keeps_its_digits(digits: int, power: int, sign: int, rises: bool) -> None:
    """log(1 + sign e^t) lies inside, and within 1e-40 of itself, however small e^t or 1 - e^t is."""
    t = Decimal(digits).scaleb(power) * (1 if rises and sign > 0 else -1)
    x = to_arb(t)
    truth = x.exp().log1p() if sign > 0 else (-x.expm1()).log()
    found = softplus_point(t, sign)
    assert encloses(found, truth)
    assert to_arb(found.hi) - to_arb(found.lo) <= abs(truth) * arb(10) ** -40


@pytest.mark.slow
@many
@given(POSITIVE)
def test_elementary_functions(a: Fraction) -> None:
    x, t = interval(a), ball(a)
    assert encloses(x.log(), t.log())
    assert encloses(x.power(Fraction(1, 2)), t.sqrt())
    assert encloses(x.power(Fraction(-7, 3)), (t.log() * fmpq(-7, 3)).exp())
    if a < 10**4:
        assert encloses(x.exp(), t.exp())
        assert encloses((-x).exp(), (-t).exp())
        assert encloses(softplus(x, 1), t.exp().log1p() if a < 100 else t + (-t).exp().log1p())
        assert encloses(softplus(-x, -1), (-(-t).exp()).log1p())
        assert encloses(logistic(x, 1), 1 / (1 + (-t).exp()))
        assert encloses(cos(x), t.cos())
        assert encloses(sin(x), t.sin())


@pytest.mark.slow
@many
@given(NUMBERS, st.fractions(Fraction(0), Fraction(8), max_denominator=1000), st.fractions(0, 1, max_denominator=97))
def test_wide_intervals_contain_every_point(a: Fraction, width: Fraction, at: Fraction) -> None:
    box = Interval(interval(a).lo, interval(a + width).hi)
    t = ball(a + at * width)
    assert encloses(cos(box), t.cos())
    assert encloses(sin(box), t.sin())
    assert encloses(box.power(Fraction(2)), t**2)
    assert encloses(box.power(Fraction(3)), t**3)
    assert encloses(box * box, t * t)
    assert encloses(floor(box), t.floor())
    assert encloses(softplus(box, 1), (t.exp() + 1).log())


@pytest.mark.slow
@given(st.fractions(Fraction(-99, 2), Fraction(200), max_denominator=20).filter(lambda q: q > 0 or q.denominator > 1))
@settings(max_examples=60, deadline=None)
def test_gamma(q: Fraction) -> None:
    value = gamma(q)
    assert encloses(value, arb.gamma_fmpq(fmpq(q.numerator, q.denominator)))
    assert to_arb(value.hi) - to_arb(value.lo) <= abs(to_arb(value.lo)) * arb(10) ** -40


@pytest.mark.slow
@given(
    st.fractions(Fraction(0), Fraction(20), max_denominator=6),
    st.one_of(st.fractions(Fraction(1, 1000), Fraction(120), max_denominator=1000)),
)
@settings(max_examples=40, deadline=None)
def test_the_trapezoidal_lemma_for_besselk(p: Fraction, x: Fraction) -> None:
    at = Decimal(x.numerator) / x.denominator
    point = ball(Fraction(at))
    for value, order in zip(besselk_point(p, at), (p, abs(p - 1)), strict=True):
        truth = point.bessel_k(ball(order))
        assert encloses(value, truth)
        assert to_arb(value.hi) - to_arb(value.lo) <= truth * arb(10) ** -25


@pytest.mark.slow
@given(
    st.fractions(Fraction(0), Fraction(20), max_denominator=6),
    st.fractions(Fraction(1, 100), Fraction(40), max_denominator=100),
    st.fractions(Fraction(1, 100), Fraction(4), max_denominator=100),
)
@settings(max_examples=40, deadline=None)
def test_the_monotone_lemma_for_ratios_of_besselk(p: Fraction, x: Fraction, step: Fraction) -> None:
    first, last = (ball(t).bessel_k(ball(p - 1)) / ball(t).bessel_k(ball(p)) for t in (x, x + step))
    if p == Fraction(1, 2):  # K_(-1/2) is K_(1/2)
        assert first.overlaps(last) and first.contains(1)
    else:
        assert first <= last if p > Fraction(1, 2) else first >= last
    both = Interval(Decimal(x.numerator) / x.denominator, Decimal((x + step).numerator) / (x + step).denominator)
    assert encloses(besselk_ratio(both, p), first.union(last) * arb(1, 1e-30))


@pytest.mark.slow
@given(st.one_of(st.fractions(-12, 12, max_denominator=1000), st.sampled_from([Fraction(n) for n in (0, 8, -8)])))
@settings(max_examples=60, deadline=None)
def test_log_erfc(x: Fraction) -> None:
    at = Decimal(x.numerator) / x.denominator
    value, point = log_erfc_point(at), ball(Fraction(at))
    assert encloses(value, point.erfc().log())
    assert to_arb(value.hi) - to_arb(value.lo) <= arb(10) ** -25
    hazard = (-point * point).exp() * 2 / (point.erfc() * arb.pi().sqrt())
    assert encloses(erfc_hazard(Interval(at, at)), hazard)


@pytest.mark.slow
@given(st.fractions(-10, 10, max_denominator=100), st.fractions(Fraction(1, 100), Fraction(3), max_denominator=100))
def test_the_monotone_lemma_for_the_hazard_of_erfc(x: Fraction, step: Fraction) -> None:
    first, last = ((-ball(t) * ball(t)).exp() / ball(t).erfc() for t in (x, x + step))
    assert first <= last


@pytest.mark.slow
@given(st.fractions(Fraction(1, 2), 30, max_denominator=100), st.integers(1, 20))
def test_the_enveloping_lemma_for_the_series_of_erfc(x: Fraction, order: int) -> None:
    at = ball(x)
    truth = at * (at * at).exp() * arb.pi().sqrt() * at.erfc()
    first, last = (to_arb(e) for e in (lambda s: (s.lo, s.hi))(erfc_series(interval(x), order, interval(0))))
    with_next = erfc_series(interval(x), order, interval(1))
    low, high = first.min(to_arb(with_next.lo)), last.max(to_arb(with_next.hi))
    assert low <= truth <= high


def test_constants() -> None:
    assert encloses(PI, arb.pi())
    assert encloses(EULER, arb.const_euler())
    assert encloses(COS_ONE, arb(1).cos())


@pytest.mark.parametrize(
    "operation",
    [
        lambda: Interval(Decimal(2), Decimal(1)),
        lambda: Interval(Decimal("nan"), Decimal(1)),
        lambda: interval(-1).log(),
        lambda: interval(0).inverse(),
        lambda: interval(-2).power(Fraction(1, 2)),
        lambda: softplus(interval(1), -1),
        lambda: Interval(Decimal(-1), Decimal(1)).inverse(),
        lambda: gamma(Fraction(-3)),
    ],
)
def test_what_is_undefined_is_refused(operation: object) -> None:
    with pytest.raises(Rejected):
        operation()  # type: ignore[operator]


@pytest.mark.parametrize("power", [10, 30, 55, 60, 80, 200])
def test_circular_functions_of_huge_arguments(power: int) -> None:
    """Beyond the digits of pi nothing is known of where the argument lies, and nothing is claimed."""
    for k in range(1, 40):
        q = Fraction(10) ** power + Fraction(k, 7)
        ctx.prec = 1200
        assert encloses(cos(interval(q)), ball(q).cos())
        assert encloses(sin(interval(q)), ball(q).sin())


ENDS = [Fraction(x) for x in ("-7/3", "-1/7", "0", "1/3", "22/7")]
BOXES = [(a, b) for a in ENDS for b in ENDS if a <= b]


@pytest.mark.parametrize("factor", BOXES)
def test_products_of_every_sign_are_rounded_outward(factor: tuple[Fraction, Fraction]) -> None:
    """To the last of sixty digits, and by no more than a few units of it."""
    x = Interval(interval(factor[0]).lo, interval(factor[1]).hi)
    for a, b in BOXES:
        y = Interval(interval(a).lo, interval(b).hi)
        corners = [Fraction(u) * Fraction(v) for u in (x.lo, x.hi) for v in (y.lo, y.hi)]
        product = x * y
        assert Fraction(product.lo) <= min(corners) <= Fraction(product.lo) + Fraction(1, 10**58)
        assert Fraction(product.hi) >= max(corners) >= Fraction(product.hi) - Fraction(1, 10**58)


@pytest.mark.parametrize("t", ["-24.1", "-25", "-40", "-1e-11", "-3e-12", "24.5"])
@pytest.mark.parametrize("sign", [1, -1])
def test_small_logarithms_are_enclosed_to_the_last_digit(t: str, sign: int) -> None:
    """Where five terms of a series leave 1e-55 of the value."""
    if sign > 0 or Decimal(t) < 0:
        x = to_arb(Decimal(t))
        assert encloses(softplus_point(Decimal(t), sign), x.exp().log1p() if sign > 0 else (-x.expm1()).log())


@pytest.mark.parametrize("x", ["0", "1e-80", "-1e-80", "1e-400", "-1e-74", "1e-75"])
def test_cosines_of_next_to_nothing(x: str) -> None:
    found = cos_of_point(Decimal(x))
    assert encloses(found, to_arb(Decimal(x)).cos()) and found.hi - found.lo < Decimal("1e-50")
