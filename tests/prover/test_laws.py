"""Laws that any epsilon obeys, and closed forms over random parameters."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify import Result, verify
from tests.strategies import rationals

pytestmark = pytest.mark.slow

few = settings(max_examples=25, deadline=None)
TEXTS = st.sampled_from(
    ["exp(-sqrt(1+y))", "(1+y)**(-2)", "exp(-y)+exp(-sqrt(y))", "exp(-log(2+y)**2)", "1/cosh(r)", "(1+r)**(-7)"]
)


@cache
def epsilon(text: str, **arguments: object) -> tuple[Fraction, Fraction]:
    result = verify(text, **arguments)  # type: ignore[arg-type]
    assert result.epsilon is not None, result.reason
    return result.epsilon.lower, result.epsilon.upper


def student_t(nu: Fraction, d: int, delta: Fraction) -> mpmath.mpf:
    """Reimherr and Awan (2019), Example 6, at its stationary point."""
    nu_, delta_ = (mpmath.mpf(q.numerator) / q.denominator for q in (nu, delta))
    c = (delta_ + mpmath.sqrt(delta_**2 + 4 * nu_)) / 2
    return (nu_ + d) / 2 * mpmath.log((1 + c**2 / nu_) / (1 + (c - delta_) ** 2 / nu_))


def contains(result: Result, value: mpmath.mpf) -> bool:
    assert result.epsilon is not None, result.reason
    low, high = (mpmath.mpf(q.numerator) / q.denominator for q in (result.epsilon.lower, result.epsilon.upper))
    return bool(low <= value <= high)


@few
@given(
    rationals("1/1000", "50", 1000),
    st.integers(1, 10_000),
    rationals("1/1000", "1000", 1000),
    rationals("1/100", "100", 100),
)
def test_student_t_lies_in_the_enclosure(nu: Fraction, d: int, sensitivity: Fraction, scale: Fraction) -> None:
    result = verify("student_t", dimension=d, parameters={"nu": nu}, sensitivity=sensitivity, scale=scale)
    assert result.verdict == "private", result.reason
    with mpmath.workdps(50):
        assert contains(result, student_t(nu, d, sensitivity / scale))
    assert result.epsilon is not None
    assert result.epsilon.closed_form is not None
    assert result.epsilon.upper - result.epsilon.lower <= Fraction(1, 10**10) * max(1, result.epsilon.upper)


@pytest.mark.parametrize("delta", ["1e-9", "1e9", "1e-3", "1e4"])
@pytest.mark.parametrize(("nu", "d"), [("1/1000", 10_000), ("1000", 1), ("5/2", 3)])
def test_student_t_at_the_extremes(nu: str, d: int, delta: str) -> None:
    result = verify("student_t", dimension=d, parameters={"nu": nu}, sensitivity=delta, replay=True)
    assert result.verdict == "private", result.reason
    with mpmath.workdps(60):
        assert contains(result, student_t(Fraction(nu), d, Fraction(delta)))


@few
@given(rationals("1/50", "40"), rationals("1/20", "20"), st.integers(1, 30))
def test_laplace_is_delta_in_every_dimension(sensitivity: Fraction, scale: Fraction, d: int) -> None:
    low, high = epsilon("exp(-sqrt(y))", dimension=d, sensitivity=sensitivity, scale=scale)
    assert low <= sensitivity / scale <= high


@pytest.mark.campaign
@few
@given(TEXTS, rationals("1/4", "4"), rationals("1/10", "10"))
def test_scale_enters_only_through_the_quotient(text: str, delta: Fraction, scale: Fraction) -> None:
    one = epsilon(text, sensitivity=delta * scale, scale=scale)
    other = epsilon(text, sensitivity=delta)
    assert one == other


@pytest.mark.sweep
@few
@given(TEXTS, rationals("1/100", "100", 100))
def test_a_constant_factor_changes_nothing(text: str, k: Fraction) -> None:
    low, high = epsilon(text)
    low_k, high_k = epsilon(f"({k})*({text})")
    assert max(low, low_k) <= min(high, high_k)


@pytest.mark.campaign
@few
@given(TEXTS, rationals("1/3", "3"), rationals("1/3", "3"))
def test_epsilon_is_monotone_and_subadditive_in_delta(text: str, a: Fraction, b: Fraction) -> None:
    """Group privacy: omega(a + b) <= omega(a) + omega(b)."""
    low_a, high_a = epsilon(text, sensitivity=a)
    _, high_b = epsilon(text, sensitivity=b)
    low_sum, high_sum = epsilon(text, sensitivity=a + b)
    assert low_sum <= high_a + high_b
    assert low_a <= high_sum


STRETCHED = {  # f(a^2 y), so that r becomes a r
    "exp(-sqrt(1+y))": "exp(-sqrt(1+a**2*y))",
    "(1+y)**(-2)": "(1+a**2*y)**(-2)",
    "exp(-y)+exp(-sqrt(y))": "exp(-a**2*y)+exp(-a*r)",
    "exp(-log(2+y)**2)": "exp(-log(2+a**2*y)**2)",
    "1/cosh(r)": "1/cosh(a*r)",
    "(1+r)**(-7)": "(1+a*r)**(-7)",
}


@pytest.mark.campaign
@few
@given(TEXTS, rationals("1/3", "3"))
def test_stretching_y_rescales_delta(text: str, a: Fraction) -> None:
    low, high = epsilon(text, sensitivity=a)
    result = verify(STRETCHED[text], parameters={"a": a}).epsilon
    assert result is not None
    low_s, high_s = result.lower, result.upper
    assert max(low, low_s) <= min(high, high_s)


POTENTIALS = {
    "exp(-sqrt(1+y))": lambda r: math.sqrt(1 + r * r),
    "(1+y)**(-2)": lambda r: 2 * math.log1p(r * r),
    "exp(-y)+exp(-sqrt(y))": lambda r: (
        r - math.log1p(math.exp(r - r * r)) if r > 1 else -math.log(math.exp(-r * r) + math.exp(-r))
    ),
    "exp(-log(2+y)**2)": lambda r: math.log(2 + r * r) ** 2,
    "1/cosh(r)": lambda r: r + math.log1p(math.exp(-2 * r)) - math.log(2),
    "(1+r)**(-7)": lambda r: 7 * math.log1p(r),
}


@pytest.mark.parametrize("text", sorted(POTENTIALS))
@pytest.mark.parametrize("delta", ["1/5", "1", "6"])
def test_floats_on_a_fine_grid_never_exceed_the_upper_bound(text: str, delta: str) -> None:
    g, step = POTENTIALS[text], float(Fraction(delta))
    _, high = epsilon(text, sensitivity=delta)
    worst = max(g(k / 500 + step) - g(k / 500) for k in range(25_000))
    assert worst <= float(high) + 1e-10


@few
@given(TEXTS, st.sampled_from([8, 12, 15]))
def test_the_enclosure_is_as_narrow_as_asked(text: str, digits: int) -> None:
    low, high = epsilon(text, tolerance=Fraction(1, 10**digits))
    assert high - low <= Fraction(1, 10**digits) * max(1, high)


def test_a_witness_with_the_longest_shift_has_exactly_that() -> None:
    """2/3 is no float, though the place of the largest loss is looked for among floats."""
    result = verify("(2+tanh(r))*(1+r**(3/2))**(-5)/(1+exp(-3*r))", dimension=3, sensitivity="2/3", replay=False)
    assert result.draft is not None
    assert result.draft["proof"]["witness"]["shift"] == "2/3"
