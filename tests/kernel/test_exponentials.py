"""Exponentials of models that vanish, and logarithms of sums of exponentials, where they are and where they are not."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.sections.exponentials import softplus_point, sum_of_exponentials, vanishing_exp
from dpverify.kernel.sections.models import LINEAR, LOG_T, Model, germ

GERM = germ(Fraction(16), 3)


@pytest.mark.parametrize("c", [Fraction(1), Fraction(3, 7), Fraction(5, 2), Fraction(1, 10_000)])
def test_what_vanishes_is_bounded_where_the_models_begin(c: Fraction) -> None:
    """The bound b t^-n of e^u, u between -2 c t and -c t, is that of e^(-c t) at t = 16, and rounded up."""
    ((m, bound),) = vanishing_exp(Model(GERM, {LINEAR: hull(interval(-2 * c), interval(-c))})).terms.items()
    assert isinstance(bound, Interval)
    assert bound.lo == 0
    with mp.workdps(100):
        n = mp.mpf(m[1].numerator) / m[1].denominator
        truth = mp.exp(-16 * mp.mpf(c.numerator) / c.denominator) * mp.mpf(16) ** -n
        assert truth <= mp.mpf(str(bound.hi)) < truth * (1 + mp.mpf(10) ** -50)


def test_a_power_of_t_is_bounded_by_itself() -> None:
    ((m, _),) = vanishing_exp(Model(GERM, {LOG_T: interval(-2)})).terms.items()
    assert m == (0, -2, 0, 0, 0)


@pytest.mark.parametrize("ends", [("-1", "0.5"), ("-1", "0"), ("0.5", "1")])
def test_what_may_not_vanish(ends: tuple[str, str]) -> None:
    with pytest.raises(Rejected, match=r"grows|too slowly"):
        vanishing_exp(Model(GERM, {LINEAR: Interval(*map(Decimal, ends))}))


@pytest.mark.parametrize("t", ["1", "1e-40", "30"])
def test_no_logarithm_of_what_is_negative(t: str) -> None:
    with pytest.raises(Rejected):
        softplus_point(Decimal(t), -1)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_sum_of_one_exponential(sign: int) -> None:
    found, log = sum_of_exponentials([(sign, interval(3))])
    assert found == sign
    assert log.lo == log.hi == 3
