"""The tolerance is relative to epsilon, however small that is, and what is told lies in its own enclosure."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx

from dpverify import verify
from dpverify.results import decimal_between, spoken

NARROW = Fraction(1, 10**11)


def student(delta: Fraction) -> arb:
    """epsilon of Student t, nu = 5, d = 1: (nu + d) asinh(delta/(2 sqrt(nu)))."""
    exact = arb(delta.numerator) / delta.denominator
    return 6 * (exact / (2 * arb(5).sqrt())).asinh()


@pytest.mark.slow
@pytest.mark.parametrize("delta", ["1/10", "1e-4", "1e-13", "1e-30", "7"])
def test_a_small_epsilon_is_enclosed_as_narrowly_as_a_large_one(delta: str) -> None:
    epsilon = verify("student_t", sensitivity=delta).epsilon
    assert epsilon is not None
    assert epsilon.upper - epsilon.lower <= NARROW * epsilon.upper
    ctx.prec = 300
    true = student(Fraction(delta))
    assert arb(epsilon.lower.numerator) / epsilon.lower.denominator <= true
    assert arb(epsilon.upper.numerator) / epsilon.upper.denominator >= true
    assert epsilon.lower <= Fraction(epsilon.decimal) <= epsilon.upper


@pytest.mark.slow
@pytest.mark.parametrize("delta", ["1/100", "1e-20"])
def test_theorem_a_too(delta: str) -> None:
    epsilon = verify("exp(-r)*(2+sin(r))", sensitivity=delta).epsilon
    assert epsilon is not None and epsilon.upper - epsilon.lower <= NARROW * epsilon.upper
    # g' = 1 - cos r/(2 + sin r) is largest where cos r/(2 + sin r) is least: 1 + 1/sqrt(3)
    assert abs(epsilon.upper / Fraction(delta) - Fraction("1.57735026919")) < Fraction(delta) + NARROW


@pytest.mark.parametrize(
    ("lower", "upper"),
    [
        ("1", "1.0000000000003"),
        ("0.99999999999999", "1.00000000000009"),
        ("3e-31", "3.00000000001e-31"),
        ("1/7", "0.14286"),
    ],
)
def test_a_number_that_is_told_lies_in_its_enclosure(lower: str, upper: str) -> None:
    low, high = Fraction(lower), Fraction(upper)
    assert low <= Fraction(decimal_between(low, high)) <= high


def test_a_vanishing_enclosure_is_not_told_as_zero() -> None:
    assert decimal_between(Fraction("1.34e-60"), Fraction("1.34e-60")) == "1.34e-60"


def test_sentences_for_people_say_delta_over_sigma() -> None:
    reason = verify("laplace").reason
    assert "Delta/sigma" in reason and "epsilon = delta" not in reason
    assert spoken("delta**(2/5)") == "(Delta/sigma)**(2/5)"
    assert spoken("c = delta (r -> 0)") == "c = Delta/sigma (r -> 0)"
    assert spoken("Delta/sigma") == "Delta/sigma"
    assert spoken("2/delta + k*delta") == "2/(Delta/sigma) + k*Delta/sigma"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("exp(-Max(r,2*r-3))", "every large c"),  # the loss is 2 from r = 3 on
        ("exp(-floor(r))", "some c of every period in the tail"),
        ("exp(-sqrt(1+y))", "the limit c -> oo"),  # never attained
    ],
)
def test_what_is_attained_is_not_called_approached(text: str, where: str) -> None:
    result = verify(text)
    assert result.epsilon is not None and where in (result.epsilon.attained_at or "")
    assert ("approached" in result.reason) == ("limit" in where)


def test_where_f_vanishes_is_told_at_the_nearest_radius() -> None:
    assert "r = 1 " in verify("Max(0,1-y)").hypotheses.positive.explanation
