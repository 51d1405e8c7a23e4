"""Logarithms of sums by their values (K563): what cancels at the centre cancels, beside mpmath, and what is left as it
was."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections.constant_sums import log_of_sum
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.models import Germ
from dpverify.kernel.sections.slopes import Slope, with_slope
from tests.kernel.plain import number, value
from tests.kernel.problems import on_charts, tree
from tests.kernel.test_ended import within

Q = Fraction
AWAY = Germ(Q(64), 6)
"""Radii r = 1/t up to 1/64."""
CENTRE = with_slope(AWAY.radius(-1))


@pytest.mark.parametrize("text", ["2-exp(-r)", "1/3-exp(-r)", "exp(-2*r)*3-exp(-r)", "3-exp(-y)+exp(r)-exp(-r)/7"])
def test_the_logarithm_is_that_of_the_value(text: str) -> None:
    found = log_of_sum(Evaluation(CENTRE), tree(text))
    assert found is not None
    sign, log = found
    with mpmath.workdps(60):
        for r in (Q(1, 64), Q(1, 200), Q(1, 10**6)):
            f = value(tree(text), number(r))
            assert sign == mpmath.sign(f)
            assert within(mpmath.log(abs(f)), log.u.span(), 1e-12)
            slope = mpmath.diff(lambda x: mpmath.log(abs(value(tree(text), x))), number(r))
            assert within(slope, log.du.span(), 1e-12)


@pytest.mark.parametrize("k", [Q(2), Q(5, 3), Q(9, 2)])
def test_a_slope_that_is_0_at_the_centre_is_known_by_its_sign(k: Fraction) -> None:
    """exp(-r) (k - exp(-a r)) with a = k - 1 has the slope -1 + a/(k - 1) = 0 there, and falls."""
    slopes = on_charts(f"exp(-r)*({k}-exp(-{k - 1}*r))").near_zero().du
    assert slopes.span().hi <= 0
    rising = on_charts(f"exp(-r)*({k}-exp(-{k - Q(99, 100)}*r))").near_zero().du
    assert rising.span().hi > 0


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2+exp(-r)", CENTRE),  # positive by its form: logarithms are as good
        ("2-r-exp(-r)", CENTRE),  # with more in it than exponentials
        ("2-r*exp(-r)", CENTRE),
        ("2-exp(1-r)", CENTRE),  # whose exponents do not vanish
        ("2-exp(-1/r)", CENTRE),
        ("2-exp(-r)-exp(1-r)/9", CENTRE),  # of which one does not
        ("1-exp(-r)", CENTRE),  # which tends to 0
        ("exp(-r)-999/1000", CENTRE),  # which is 0 at 1/1000
        ("2-exp(-r)", with_slope(AWAY.radius())),  # e^-r is no series in 1/r
    ],
)
def test_other_sums_are_as_they_were(text: str, at: Slope) -> None:
    assert log_of_sum(Evaluation(at), tree(text)) is None


def test_increments_are_as_they_were() -> None:
    r = with_shift(CENTRE, Slope(AWAY.radius(0) * Q(1), AWAY.radius(0) * Q(0)))
    assert log_of_sum(Evaluation(r), tree("2-exp(-r)")) is None


@pytest.mark.parametrize(("listed", "known"), [({"K563", "K14"}, True), ({"K14"}, False)])
def test_the_rule_is_used_where_it_is_listed(listed: set[str], known: bool) -> None:
    ledger, node = Ledger(frozenset({*listed, "K10", "K11", "K12", "K13"})), tree("2-exp(-r)")
    token = LEDGER.set(ledger)
    try:
        assert (log_of_sum(Evaluation(CENTRE), node) is not None) is known
    finally:
        LEDGER.reset(token)
    assert ("K563" in ledger.used) is known
