"""The kernel's models and pairs contain the functions that they model, at many radii."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ONE, ZERO, Interval, interval
from dpverify.kernel.sections import squares  # noqa: F401  # which brings the second way of erfc
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.exponentials import Rate
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.models import Germ, Model, coefficient, power_of_t
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.ways import Ways
from dpverify.kernel.tree import Node, walk
from tests.kernel.problems import tree as read

F = {  # texts, and log f as mpmath
    "exp(-sqrt(1+y))": lambda r: -mpmath.sqrt(1 + r * r),
    "(1+y)**(-3)*log(3+y)**2": lambda r: -3 * mpmath.log(1 + r * r) + 2 * mpmath.log(mpmath.log(3 + r * r)),
    "exp(-log(2+y)**2)": lambda r: -(mpmath.log(2 + r * r) ** 2),
    "1000*exp(-y)+(1+y)**(-2)": lambda r: mpmath.log(1000 * mpmath.exp(-r * r) + (1 + r * r) ** -2),
    "exp(-y)+exp(-sqrt(y))": lambda r: mpmath.log(mpmath.exp(-r * r) + mpmath.exp(-r)),
    "1/cosh(sqrt(y))": lambda r: -mpmath.log(mpmath.cosh(r)),
    "1-tanh(r)": lambda r: mpmath.log(2) - mpmath.log(1 + mpmath.exp(2 * r)),
    "log(1+exp(-r))": lambda r: mpmath.log(mpmath.log1p(mpmath.exp(-r))),
    "1-exp(-exp(-y))": lambda r: mpmath.log(-mpmath.expm1(-mpmath.exp(-r * r))),
    "exp(-r)+exp(-2**r)": lambda r: mpmath.log(mpmath.exp(-r) + mpmath.exp(-(mpmath.mpf(2) ** r))),
    "1/(1+y)+exp(-exp(sqrt(r)))": lambda r: mpmath.log(1 / (1 + r * r) + mpmath.exp(-mpmath.exp(mpmath.sqrt(r)))),
    "exp(-cosh(r/10)-y)": lambda r: -mpmath.cosh(r / 10) - r * r,
    "1-tanh(sqrt(log(cosh(5*r))))": lambda r: (
        mpmath.log(2) - mpmath.log1p(mpmath.exp(2 * mpmath.sqrt(mpmath.log(mpmath.cosh(5 * r)))))
    ),
    "sinh(r)/r*exp(-2*r)": lambda r: mpmath.log(mpmath.sinh(r)) - mpmath.log(r) - 2 * r,
    "exp(-2*sqrt(y)-cos(3*sqrt(y))/4)": lambda r: -2 * r - mpmath.cos(3 * r) / 4,
    "exp(-floor(3*r))": lambda r: -mpmath.floor(3 * r + mpmath.mpf(10) ** -30),  # r is rounded: step as the exact one
    "(1+y)**(1/6)*besselk(1/3, sqrt(1+y))": lambda r: (
        mpmath.log(mpmath.besselk(mpmath.mpf(1) / 3, mpmath.sqrt(1 + r * r))) + mpmath.log(1 + r * r) / 6
    ),
    "erfc(r)": lambda r: mpmath.log(mpmath.erfc(r)),
    "erfc(sqrt(r))": lambda r: mpmath.log(mpmath.erfc(mpmath.sqrt(r))),
    "exp(y)*erfc(r)*exp(-r)": lambda r: r * r - r + mpmath.log(mpmath.erfc(r)),
    "exp(y/2)*erfc(r/sqrt(2)+1)": lambda r: r * r / 2 + mpmath.log(mpmath.erfc(r / mpmath.sqrt(2) + 1)),
    "exp(3*y)*erfc(sqrt(3)*r)*exp(-r)": lambda r: 3 * r * r - r + mpmath.log(mpmath.erfc(mpmath.sqrt(3) * r)),
    "exp((1+sqrt(2))*y)*erfc(sqrt(1+sqrt(2))*r+1)": lambda r: (
        (1 + mpmath.sqrt(2)) * r * r + mpmath.log(mpmath.erfc(mpmath.sqrt(1 + mpmath.sqrt(2)) * r + 1))
    ),
    "exp((3+sqrt(2))*y)*erfc(sqrt(3+sqrt(2))*r)*exp(-r)": lambda r: (
        (3 + mpmath.sqrt(2)) * r * r - r + mpmath.log(mpmath.erfc(mpmath.sqrt(3 + mpmath.sqrt(2)) * r))
    ),
    "exp(-r)*erfc(-r)": lambda r: mpmath.log(mpmath.erfc(-r)) - r,
    "exp(-r)*(2+erf(1/(1+r)))": lambda r: mpmath.log(2 + mpmath.erf(1 / (1 + r))) - r,
    "(1+y)**(-15/4)*besselk(15/2, sqrt(1+y))": lambda r: (
        mpmath.log(mpmath.besselk(7.5, mpmath.sqrt(1 + r * r))) - mpmath.log(1 + r * r) * 15 / 4
    ),
    "besselk(0, r)": lambda r: mpmath.log(mpmath.besselk(0, r)),
    "r*besselk(1, r)": lambda r: mpmath.log(r * mpmath.besselk(1, r)),
    "r**(1/3)*besselk(1/3, r)": lambda r: mpmath.log(mpmath.besselk(mpmath.mpf(1) / 3, r)) + mpmath.log(r) / 3,
    "exp(-r*atan(r))": lambda r: -r * mpmath.atan(r),
    "exp(-atan(1-r))": lambda r: -mpmath.atan(1 - r),
    "lambertw(1+1/(1+r))": lambda r: mpmath.log(mpmath.lambertw(1 + 1 / (1 + r)).real),
    "exp(-loggamma(1+r))": lambda r: -mpmath.loggamma(1 + r),
    "exp(-r)/gamma(r)": lambda r: -r - mpmath.loggamma(r),
    "gamma(1/2+exp(-r))": lambda r: mpmath.loggamma(0.5 + mpmath.exp(-r)),
    "gammaincc(5/2, r)": lambda r: mpmath.log(mpmath.gammainc(2.5, r, regularized=True)),
    "gammaincc(1/3, y)": lambda r: mpmath.log(mpmath.gammainc(mpmath.mpf(1) / 3, r * r, regularized=True)),
    "gammainc(7/2, r)": lambda r: mpmath.log(mpmath.gammainc(3.5, 0, r, regularized=True)),
    "gammainc(3/2, y/2)/r**3": lambda r: (
        mpmath.log(mpmath.gammainc(1.5, 0, r * r / 2, regularized=True)) - 3 * mpmath.log(r)
    ),
    "exp(-r)*(1+gammainc(1/2, 1+1/(1+y)))": lambda r: (
        mpmath.log1p(mpmath.gammainc(0.5, 0, 1 + 1 / (1 + r * r), regularized=True)) - r
    ),
    "exp(-2*r)*besseli(0, r)": lambda r: -2 * r + mpmath.log(mpmath.besseli(0, r)),
    "besseli(1/3, r)/r**(1/3)": lambda r: mpmath.log(mpmath.besseli(mpmath.mpf(1) / 3, r)) - mpmath.log(r) / 3,
    "besseli(5/2, 2+r)": lambda r: mpmath.log(mpmath.besseli(2.5, 2 + r)),
    "r**2*besselk(2, r)": lambda r: mpmath.log(r * r * mpmath.besselk(2, r)),
}

small = st.sampled_from([Fraction(0), *(Fraction(k, n) for k in (-5, -2, -1, 1, 2, 5) for n in (1, 3))])
NESTED = {"log(1+exp(-r))", "1-exp(-exp(-y))", "1-tanh(sqrt(log(cosh(5*r))))"}  # refused on wide boxes


CANCELS = "1-tanh(sqrt(log(cosh(5*r))))"
"""cosh tends to 1 at zero, where its logarithm cancels unless it is asked of its value."""


ROOTED = {"exp((1+sqrt(2))*y)*erfc(sqrt(1+sqrt(2))*r+1)", "exp((3+sqrt(2))*y)*erfc(sqrt(3+sqrt(2))*r)*exp(-r)"}
"""Of these the square of the argument cancels, as the text has it alone."""


def ways(text: str, node: Node, exponent: int) -> Ways:
    if text in ROOTED and exponent > 0:
        return Ways(n.number for n in walk(node) if n.kind == "erfc")
    if text != CANCELS or exponent > 0:
        return Ways()
    return Ways(n.number for n in walk(node) if n.kind == "log")


@pytest.mark.parametrize("text", sorted(ROOTED))
def test_a_square_cancels_as_the_text_has_it(text: str) -> None:
    """log f = k r + O(log r), whose leading coefficient is known; by values the squares leave a multiple of r^2."""
    node = read(text)
    r = Model(Germ(Fraction(64), 6), {power_of_t(1): 1})
    element = Slope(r, r.const(1))
    assert Evaluation(element).log(node)[1].u.leading()[0] == power_of_t(2)
    lead, c = ways(text, node, 1)(element).log(node)[1].u.leading()
    assert lead == power_of_t(1)
    assert inside(c, -2 * mpmath.sqrt(1 + mpmath.sqrt(2)) if "r+1" in text else mpmath.mpf(-1))


def test_an_argument_that_does_not_grow_has_no_square_far_out() -> None:
    for text in ("erfc(-r)", "erfc(1/r)", "erfc(2)"):
        node = read(text)
        r = Model(Germ(Fraction(64), 6), {power_of_t(1): 1})
        with pytest.raises(Rejected, match="shown to grow"):
            Ways(n.number for n in walk(node) if n.kind == "erfc")(r).log(node)


def test_a_logarithm_that_cancels_is_known_one_way_only() -> None:
    """From the logarithm of its argument, log 1 is known to sixty digits and not as 0; nothing else is tried."""
    node, r = read(CANCELS), Model(Germ(Fraction(1024), 6), {power_of_t(-1): 1})
    for element in (r, Slope(r, r.const(1))):
        with pytest.raises(Rejected, match="leading coefficient has no proved sign"):
            Evaluation(element).log(node)
        assert ways(CANCELS, node, -1)(element).log(node)[0] == 1


@cache
def log_at_an_end(text: str, exponent: int) -> tuple[Fraction, Slope]:
    """Where the chart begins, and log f and its slopes on it: one model for all the points at which it is tried."""
    radius, node = Fraction(64 if exponent == 1 else 1024), read(text)
    r = Model(Germ(radius, 6), {power_of_t(exponent): 1})
    return radius, ways(text, node, exponent)(Slope(r, r.const(1))).log(node)[1]


@cache
def loss_in_the_tail(text: str, h: Fraction) -> Model:
    r = Model(Germ(Fraction(64), 6), {power_of_t(1): 1})
    node = read(text)
    at = ways(text, node, 1) if text in ROOTED else Evaluation
    return at(Shift(r, r.const(h))).log(node)[1].du


def mp(x: Decimal) -> mpmath.mpf:
    return mpmath.mpf(str(x))


def inside(x: Interval, truth: mpmath.mpf) -> bool:
    slack = mpmath.mpf(10) ** -35 * (1 + abs(truth))
    return bool(mp(x.lo) - slack <= truth <= mp(x.hi) + slack)


def value_at(model: Model, t: Fraction) -> Interval:
    """The model's value at one t >= R, each coefficient anywhere in its interval."""
    logs = [interval(t).log()]
    while len(logs) < 4 and logs[-1].lo > 0:
        logs.append(logs[-1].log())
    total = interval(0)
    for m, c in model.terms.items():
        size = interval(0)
        for log, x in zip(logs, m[1:], strict=False):
            size = size + log * x
        for p, k in m[0].terms if m[0] else ():
            size = size + (logs[0] * Fraction(p)).exp() * coefficient(k)
        total = total + size.exp() * c
    return total


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2)]), small, max_size=2),
    st.tuples(small, small, small, small),
    st.sampled_from([2, 3, 5, 16, 64, 300]),
    st.fractions(Fraction(1), Fraction(200), max_denominator=20),
)
@settings(max_examples=300, deadline=None)
def test_spans_contain_monomials(rate: dict[Any, Any], powers: tuple[Any, ...], radius: int, stretch: Fraction) -> None:
    """A monomial that is not refused lies in its span at every t >= R; its logarithm is a sum that mpmath knows."""
    try:
        span = Germ(Fraction(radius), 6).span((Rate.of(rate), *powers))
    except Rejected:
        return
    with mpmath.workdps(45):
        t = mpmath.mpf(radius) * stretch.numerator / stretch.denominator
        size, scale = mpmath.fsum(mpmath.mpf(k.numerator) / k.denominator * t ** float(p) for p, k in rate.items()), t
        for k in powers:
            scale = mpmath.log(scale) if scale > 0 else mpmath.mpf(0)
            size += mpmath.mpf(k.numerator) / k.denominator * scale if k else 0
        slack = mpmath.mpf(10) ** -35 * (1 + abs(size))
        assert mpmath.log(mp(span.lo)) - slack <= size if span.lo else True
        assert span.hi.is_infinite() or size <= mpmath.log(mp(span.hi)) + slack


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("coefficients", [(1, 1, 1, 1, 1), (0, 0, 0, 1), (3, 0, -1), (0,)])
def test_a_series_with_more_terms_than_the_order_is_a_model_still(order: int, coefficients: tuple[int, ...]) -> None:
    w, at = power_of_t(-1), Fraction(1, 80)
    series = Model(Germ(Fraction(64), order), {w: 1}).taylor([Fraction(c) for c in coefficients], Fraction(7))
    assert len(series.terms) <= order + 1
    truth = sum(c * at**k for k, c in enumerate((*coefficients, 7)))
    found = value_at(series, 1 / at)
    assert found.lo <= interval(truth).hi and interval(truth).lo <= found.hi


@pytest.mark.slow
@pytest.mark.swept(stay=6)
@pytest.mark.parametrize("text", sorted(F))
@given(st.fractions(Fraction(1), Fraction(50), max_denominator=30))
@settings(max_examples=12, deadline=None)
def test_models_contain_the_function_at_infinity_and_at_zero(text: str, stretch: Fraction) -> None:
    with mpmath.workdps(45):
        for exponent in (1, -1):
            start, log = log_at_an_end(text, exponent)
            radius = start * stretch
            at = mpmath.mpf(radius.numerator) / radius.denominator
            where = at if exponent == 1 else 1 / at
            assert inside(value_at(log.u, radius), F[text](where)), (text, exponent)
            if "floor" not in text:
                step = mpmath.mpf(10) ** -15 * where
                slope = (F[text](where + step) - F[text](where - step)) / (2 * step)
                found = value_at(log.du, radius)
                slack = (1 + abs(slope)) * mpmath.mpf(10) ** -8
                assert mp(found.lo) - slack <= slope <= mp(found.hi) + slack, (text, exponent)


@pytest.mark.slow
@pytest.mark.swept(stay=6)
@pytest.mark.parametrize("text", sorted(F))
@given(
    st.fractions(Fraction(1), Fraction(50), max_denominator=30),
    st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(7, 2)]),
)
@settings(max_examples=12, deadline=None)
def test_the_loss_in_the_tail_is_contained(text: str, stretch: Fraction, h: Fraction) -> None:
    loss = loss_in_the_tail(text, h)
    with mpmath.workdps(45):
        radius = 64 * stretch
        at, step = (mpmath.mpf(q.numerator) / q.denominator for q in (radius, h))
        assert inside(value_at(loss, radius), F[text](at + step) - F[text](at))


@pytest.mark.slow
@pytest.mark.swept(stay=6)
@pytest.mark.parametrize("text", sorted(F.keys() - NESTED))
@given(
    st.fractions(Fraction(1, 50), Fraction(30), max_denominator=50),
    st.fractions(Fraction(1, 50), Fraction(3, 4), max_denominator=50),  # wider ones may be refused
    st.fractions(0, 1, max_denominator=50),
)
@settings(max_examples=12, deadline=None)
def test_boxes_contain_values_and_increments(text: str, a: Fraction, width: Fraction, at: Fraction) -> None:
    tree, h = read(text), Fraction(3, 4)
    box = Interval(interval(a).lo, interval(a + width).hi)
    point = a + at * width
    with mpmath.workdps(45):
        r, step = (mpmath.mpf(q.numerator) / q.denominator for q in (point, h))
        log = Evaluation(Slope(box, ONE)).log(tree)[1]
        assert inside(log.u, F[text](r))
        shifted = Evaluation(Shift(Slope(box, ONE), Slope(interval(h), ZERO))).log(tree)[1]
        assert inside(shifted.du.u, F[text](r + step) - F[text](r))
