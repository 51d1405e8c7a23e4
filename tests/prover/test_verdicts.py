"""Verdicts with independent ground truth; the derivation stands beside each."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import mpmath
import pytest

from dpverify import verify
from dpverify.errors import InputError
from tests.corpus import ELEMENTARY, Known, tail_slope


@pytest.mark.sampled(stay=8)
@pytest.mark.parametrize(
    ("known", "delta"),
    [
        pytest.param(known, delta, id=f"{known}, delta {delta}", marks=[pytest.mark.slow] if i else [])
        for known in ELEMENTARY
        if known.verdict == "private"
        for i, delta in enumerate(known.deltas)
    ],
)
def test_private_with_the_right_epsilon(known: Known, delta: str) -> None:
    assert known.epsilon is not None
    result = verify(known.text, dimension=known.d, sensitivity=delta, replay=True, parameters=known.parameters)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    lower, upper = result.epsilon.lower, result.epsilon.upper
    with mpmath.workdps(40):
        exact = Fraction(delta)
        truth = known.epsilon(mpmath.mpf(exact.numerator) / exact.denominator)
        rounding = mpmath.mpf(10) ** -18 * max(1, truth)
        assert mpmath.mpf(lower.numerator) / lower.denominator - rounding <= truth, known.why
        assert truth <= mpmath.mpf(upper.numerator) / upper.denominator + rounding, known.why
    assert upper - lower <= Fraction(1, 10**10) * max(1, upper)
    assert result.theorem == ("Theorem A" if known.refuted else "Theorem 3")


@pytest.mark.sampled(stay=5)
@pytest.mark.parametrize("known", [k for k in ELEMENTARY if k.verdict != "private"], ids=str)
def test_refused_by_the_right_hypothesis(known: Known) -> None:
    result = verify(known.text, dimension=known.d, replay=True, parameters=known.parameters)
    assert result.verdict == known.verdict, (known.why, result.reason)
    assert known.refuted is not None
    assert dict(result.hypotheses.items())[known.refuted].status == "refuted", known.why
    assert result.epsilon is None


@pytest.mark.slow
@pytest.mark.swept(stay=6)
@pytest.mark.parametrize("known", [k for k in ELEMENTARY if k.slope and k.verdict != "invalid"], ids=str)
def test_the_limit_of_sympy_lies_in_the_proved_tail(known: Known) -> None:
    """lim g'(r) by hand, and by an independent program; the tail of the loss is delta times it."""
    assert str(tail_slope(known)) == known.slope, known.why
    result = verify(known.text, dimension=known.d, sensitivity="1/2", parameters=known.parameters)
    if known.slope == "oo":
        assert result.hypotheses.tail_ratio_bounded.status == "refuted"
    else:
        tail = result.tail_log_ratio
        assert tail is not None
        assert tail.lower <= Fraction(str(known.slope)) / 2 <= tail.upper
        assert tail.upper - tail.lower < Fraction(1, 10**15)


JUMPS = [
    ("Piecewise((3*exp(-r), r < 1), (2*exp(-r), True))", lambda: 1 + mpmath.log(1.5), "the jump lies at delta"),
    ("Piecewise((5*exp(-r), r < 2), (2*exp(-r), r < 3), (exp(-r), True))", lambda: 1 + mpmath.log(2.5), "one of two"),
    ("Piecewise((5*exp(-r), r < 2), (2*exp(-r), r < 5/2), (exp(-r), True))", lambda: 1 + mpmath.log(5), "both"),
    ("Piecewise((exp(-r), r < 1), (2*exp(-r), True))", lambda: 1, "the jump up takes less than delta gives"),
    ("Piecewise((exp(-r), r < 3), (exp(-3)*(r-2)**(-4), True))", lambda: 4 * mpmath.log(2), "a pole of a branch at 2"),
    ("Min(exp(-r),1/10)", lambda: 1, "level, then every loss is delta"),
    ("Min(exp(-r)/5,exp(-2*r),1/10)", lambda: 2, "level, then r, then 2 r"),
    (
        "Min(1/2,1/(1+y)**3)",
        lambda: 3 * mpmath.log((1 + (mpmath.phi) ** 2) / (1 + (mpmath.phi - 1) ** 2)),
        "3 log ratio at the golden mean",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "epsilon", "why"), JUMPS, ids=[case[2] for case in JUMPS])
def test_jumps_and_branches(text: str, epsilon: Callable[[], object], why: str) -> None:
    result = verify(text, replay=True)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    with mpmath.workdps(30):
        truth = mpmath.mpf(epsilon())
        assert result.epsilon.lower <= Fraction(mpmath.nstr(truth + mpmath.mpf(10) ** -25, 28)), why
        assert result.epsilon.upper >= Fraction(mpmath.nstr(truth - mpmath.mpf(10) ** -25, 28)), why
    assert result.epsilon.upper - result.epsilon.lower < Fraction(1, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["lambertw(exp(1-r))", "lambertw(exp(-r))**2*exp(r)", "lambertw(3*exp(-r))"])
def test_lambert_s_w_of_an_exponential(text: str) -> None:
    """log W(e^x) = x - W(e^x), so that the slope of g is 1/(1 + W), or 2/(1 + W) - 1: the loss tends to 1."""
    result = verify(text, sensitivity=1)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    assert result.epsilon.lower <= 1 <= result.epsilon.upper <= 1 + Fraction(1, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["r < 3", "r <= 3"])
def test_a_jump_up_is_not_taken_for_a_fall(condition: str) -> None:
    """f jumps up by a factor of 10, so that epsilon is log 10, whatever else is found."""
    result = verify(f"Piecewise((exp(-r)/10, {condition}), (exp(-r), True))")
    assert result.hypotheses.decreasing.status != "proved"
    assert result.epsilon is None or float(result.epsilon.upper) > math.log(10)


@pytest.mark.slow
def test_a_staircase_crosses_at_most_the_next_whole_number_of_steps() -> None:
    """g = floor(r): the loss over 5/2 is 2 or 3. A ball's radius keeps 30 bits, hence the wider enclosure."""
    result = verify("exp(-floor(r))", sensitivity="5/2", replay=True)
    assert result.verdict == "private"
    assert result.epsilon is not None
    assert result.epsilon.lower <= 3 <= result.epsilon.upper <= 3 + Fraction(1, 10**8)


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    ("text", "epsilon", "why"),
    [
        ("(2+3*y)*exp(-sqrt(y))", 1, "g = r - log(2 + 3 r^2): |g'| <= 1 beyond its dip, and tends to 1"),
        ("r**2*exp(-r)+exp(-r)", 1, "g = r - log(1 + r^2), with g' = (r - 1)^2/(1 + r^2) tending to 1"),
    ],
)
def test_a_generator_that_rises_is_decided_by_the_modulus(text: str, epsilon: int, why: str) -> None:
    result = verify(text, replay=True)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    assert result.epsilon.lower <= epsilon <= result.epsilon.upper, why


@pytest.mark.slow
def test_theorem_3_is_not_claimed_where_f_rises() -> None:
    result = verify("(2+3*y)*exp(-sqrt(y))", sensitivity="1/2", replay=True)
    assert result.theorem == "Theorem A"
    assert "Theorem 3 (corrected) is not used" in result.reason
    assert dict(result.hypotheses.items())["decreasing"].status == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-r)*(2+sin(r)/2)", "exp(-2*sqrt(y)-cos(3*sqrt(y))/4)"])
def test_oscillating_tails_are_enclosed_if_widely(text: str) -> None:
    """The log ratio along a fine grid of floats never leaves the enclosure."""
    import math

    result = verify(text, replay=True)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    g = {
        "exp(-r)*(2+sin(r)/2)": lambda r: r - math.log(2 + math.sin(r) / 2),
        "exp(-2*sqrt(y)-cos(3*sqrt(y))/4)": lambda r: 2 * r + math.cos(3 * r) / 4,
    }[text]
    worst = max(g(k / 200 + 1) - g(k / 200) for k in range(40_000))
    assert worst <= float(result.epsilon.upper) + 1e-9
    assert float(result.epsilon.lower) <= worst + 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_multivariate_laplace_has_a_pole_from_two_dimensions_on(d: int) -> None:
    """K_0 has a logarithmic pole; exp(-sqrt(2) r)/r; K_2(x)/x^2."""
    result = verify("multivariate_laplace", dimension=d, replay=True)
    assert result.verdict == "not_private", result.reason
    assert result.hypotheses.finite_at_zero.status == "refuted"


@pytest.mark.slow
def test_borderline_logarithms_are_told_apart() -> None:
    assert verify("1/((1+r)*log(2+r)**2)", replay=True).verdict == "private"
    assert verify("1/((1+r)*log(2+r)**(101/100))", replay=True).verdict == "private"
    assert verify("1/((1+r)*log(2+r))", replay=True).verdict == "invalid"


@pytest.mark.slow
def test_an_integral_that_three_logarithms_do_not_decide_is_not_called_infinite() -> None:
    """With x = log log log r it is the integral of e^(-sqrt x), which is finite."""
    text = "exp(-sqrt(log(log(log(20+r)))))/((20+r)*log(20+r)*log(log(20+r)))"
    assert verify(text).verdict == "undecided"


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_the_tail_ratio_of_the_multivariate_laplace_is_reported(dimension: int) -> None:
    tail = verify("multivariate_laplace", dimension=dimension, sensitivity="3/2").tail_log_ratio
    assert tail is not None
    assert tail.lower**2 <= Fraction(9, 2) <= tail.upper**2  # (sqrt(2) * 3/2)^2
    assert tail.upper - tail.lower < Fraction(1, 10**15)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["besselk(r, y)", "exp(-r)*sin(1/r)**2"])
def test_what_is_not_settled_is_undecided_and_says_which_step(text: str) -> None:
    result = verify(text)
    assert result.verdict == "undecided"
    assert result.certificate is None
    assert len(result.reason) > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "d"), [("Max(0,1-y)", 1), ("Max(0,1-y)**2", 4), ("exp(-r)*sin(r)**2", 1), ("Max(0,1-r)*exp(-r)", 2)]
)
def test_zeros_and_compact_support_are_not_private(text: str, d: int) -> None:
    result = verify(text, dimension=d, replay=True)
    assert result.verdict == "not_private", result.reason
    assert dict(result.hypotheses.items())["positive"].status == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "epsilon", "why"),
    [
        ("exp(-Abs(r-2))", "1", "g = |r - 2| has slopes of size 1"),
        ("Max(exp(-r), 3*exp(-2*r))", "2", "g = min(r, 2 r - log 3) is concave: 2 delta at r = 0, for 1 < log 3"),
        ("Min(1, 1/y**2)", "2.77258872223978123767", "g = max(0, 4 log r): 4 log 2 from r = 1"),
    ],
)
def test_kinks(text: str, epsilon: str, why: str) -> None:
    result = verify(text, replay=True)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    assert result.epsilon.lower - Fraction(1, 10**15) <= Fraction(epsilon) <= result.epsilon.upper, why


def test_a_time_limit_holds_in_a_thread_too() -> None:
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(verify, "(1+y)**(1/6)*besselk(1/3, sqrt(1+y))", timeout="1/100").result()
    assert result.verdict == "undecided"
    assert "ran out in the step: " in result.reason


@pytest.mark.parametrize("limit", [0, -1, "never", 10**9])
def test_a_time_limit_that_is_none_is_refused(limit: object) -> None:
    with pytest.raises(InputError):
        verify("exp(-r)", timeout=limit)
