"""Powers, logarithms and smooth functions of models at the edge of what their lemmas allow, and just beyond it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.sections.erfc import erfc_hazard, log_erfc
from dpverify.kernel.sections.exponentials import Rate
from dpverify.kernel.sections.incomplete_gamma import Part
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.loggamma import LogGamma
from dpverify.kernel.sections.models import CONSTANT, LOG_LOG_T, LOG_T, Germ, Model, power_of_t
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.smooth import Smooth, between, points, positive
from tests.kernel.test_models import inside, value_at

Q = Fraction
E = Q("2.7182818284590452353602874713526624977572470936999595749669676277240766303535")


def part(low: str, high: str) -> Interval:
    return Interval(Decimal(low), Decimal(high))


# Series.


@pytest.mark.parametrize(
    ("rate", "powers", "radius"),
    [
        ({Q(1, 2): Q(1)}, (Q(-3, 2), 0, 0, 0), Q(4)),
        ({}, (1, -1, 0, 0), E),
        ({}, (-1, 1, 0, 0), E),
        ({}, (1, -1, 0, 0), Q(5, 2)),
    ],
)
def test_a_monomial_that_is_not_proved_monotone_has_no_size(
    rate: dict[Any, Any], powers: tuple[Any, ...], radius: Fraction
) -> None:
    """e^sqrt(t) t^(-3/2) falls up to 9, t/log t up to e: at a number beside e the sign is not seen."""
    with pytest.raises(Rejected, match="not monotone"):
        Germ(radius, 6).span((Rate.of(rate), *powers))


@pytest.mark.parametrize("grows", [1, -1])
def test_the_size_of_a_monomial_at_its_radius_is_rounded_outward(grows: int) -> None:
    """log 3, 3^(1/3), e^3 and 3 log 3 have no last digit: a bound from the wrong side is on the wrong side of them."""
    germ, q = Germ(Q(3), 6), Q(grows, 3)
    with mp.workdps(90):
        three = mp.mpf(3)
        for m, exact in (
            ((0, 0, grows, 0, 0), mp.log(3) ** grows),
            ((0, q, 0, 0, 0), three ** (mp.mpf(grows) / 3)),
            ((0, grows, grows, 0, 0), (3 * mp.log(3)) ** grows),
            ((Rate.of({Q(1): Q(grows)}), 0, 0, 0, 0), mp.exp(3 * grows)),
        ):
            size = germ.span(m)
            end = mp.mpf(str(size.lo if grows > 0 else size.hi))
            assert abs(end / exact - 1) < mp.mpf(10) ** -55
            assert (size.hi == INF and end < exact) if grows > 0 else (size.lo == 0 and end > exact)


@pytest.mark.parametrize(
    ("sign", "p", "order", "radius"), [(1, "7/2", 2, 2), (-1, "399/100", 3, 2), (1, "-1/2", 3, 2), (-1, "-3", 4, 3)]
)
def test_the_remainder_of_a_power_counts_where_it_is_largest(sign: int, p: str, order: int, radius: int) -> None:
    """(1 + 1/t)^p or (1 - 1/t)^p at the radius itself, where nothing is left over."""
    model = (Germ(Q(radius), order).radius(-1) * sign + 1).power(Q(p))
    with mp.workdps(60):
        exact = (1 + mp.mpf(sign) / radius) ** (mp.mpf(Q(p).numerator) / Q(p).denominator)
        assert inside(value_at(model, Q(radius)), exact)


@pytest.mark.parametrize(("monomial", "radius"), [(LOG_LOG_T, Q(2)), (LOG_T, E), (LOG_T, Q(5, 2))])
def test_what_has_no_logarithm_from_the_radius_on(monomial: Any, radius: Fraction) -> None:
    """log log log t where log log t is not proved positive; log log t where t may be below e."""
    with pytest.raises(Rejected, match="too small for its logarithms"):
        Model(Germ(radius, 6), {monomial: 1}).log()


# Smooth functions.


class HalfSquare(Smooth):
    """F(x) = x^2/2, and F' = x."""

    def slope_model(self, x: Model) -> Model:
        return x


def test_a_slope_that_one_of_two_models_lacks_is_0_there() -> None:
    """3 times what lies between t and t + 3: t, and between 0 and 3."""
    t = Germ(Q(64), 6).radius()
    for here, ahead, step in ((t, t + 3, 3), (t + 3, t, -3)):
        found = between(HalfSquare(), here, ahead, t.const(step)).terms[CONSTANT]
        assert isinstance(found, Interval)
        assert sorted((found.lo, found.hi)) == sorted((0, 3 * step))


def test_slopes_of_an_increment_of_models() -> None:
    """Of log Gamma from 2t to 2t + 5, where the first moves by 2 and the second by 3."""
    t = Germ(Q(64), 8).radius()
    x = Shift(Slope(t * 2, t.const(2)), Slope(t.const(5), t.const(1)))
    found = LogGamma().of(x).du
    with mp.workdps(60):
        for model, exact in (
            (found.u, mp.loggamma(133) - mp.loggamma(128)),
            (found.du, 3 * mp.digamma(133) - 2 * mp.digamma(128)),
        ):
            value = value_at(model, Q(64))
            assert inside(value, exact) and value.hi - value.lo < Q(1, 1000)


def test_what_has_no_proved_sign_far_out() -> None:
    """Where t is multiplied by a number that may be 0 or less, or more."""
    germ = Germ(Q(64), 6)
    for low, high in (("-1", "1"), ("0", "1"), ("-1", "0")):
        x = Model(germ, {power_of_t(1): part(low, high)})
        with pytest.raises(Rejected, match="tends to minus infinity"):
            LogGamma().of(x)
        for f in (log_erfc, erfc_hazard):
            with pytest.raises(Rejected, match=r"no proved sign|not proved positive"):
                f(x)
    for low, high in (("-1", "1"), ("-0.5", "0.5")):
        with pytest.raises(Rejected, match="the argument of erfc has no proved sign"):
            log_erfc(Model(germ, {power_of_t(1): part(low, high)}))


def test_which_numbers_are_positive_and_moderate() -> None:
    """Closed at 0 where that is allowed, however 0 is written; from 1e-999 to below 1e1000."""
    for low, high in (("1e-999", "9e999"), ("1", "1")):
        positive(part(low, high))
    for zero in ("0", "0e-2000"):
        positive(part(zero, "1"), closed=True)
        with pytest.raises(Rejected, match="not proved positive"):
            positive(part(zero, "1"))
    for low, high in (("1", "1e1000"), ("1", "Infinity"), ("1e-1000", "1"), ("1e-2000", "1")):
        for closed in (True, False):
            with pytest.raises(Rejected, match="too far out, or too near zero"):
                positive(part(low, high), closed)


def test_what_is_unbounded_has_no_ends() -> None:
    for low, high in (("1", "Infinity"), ("-Infinity", "1"), ("Infinity", "Infinity")):
        with pytest.raises(Rejected, match="unbounded"):
            points(part(low, high))
    for f, low in ((LogGamma(), "Infinity"), (LogGamma(), "1"), (Part(Q(2), True), "5")):
        with pytest.raises(Rejected, match="something unbounded"):
            f.without_end(Interval(Decimal(low), INF))
    with mp.workdps(90):
        log = LogGamma().of(Interval(Decimal(5), INF))
        assert log.hi == INF and mp.mpf(str(log.lo)) < mp.log(24) < mp.mpf(str(log.lo)) + mp.mpf(10) ** -55


def test_slopes_of_slopes_are_not_known() -> None:
    with pytest.raises(Rejected, match="no slopes of slopes"):
        LogGamma().slopes(Slope(interval(2), interval(1)))
