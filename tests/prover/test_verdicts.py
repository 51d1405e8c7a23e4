"""Verdicts with independent ground truth; the derivation stands beside each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import mpmath
import pytest

from dpverify import verify
from dpverify.errors import InputError

PRIVATE = [
    # text, d, delta, parameters, epsilon at 30 digits, derivation
    ("exp(-sqrt(y))", 5, "7/3", {}, "2.33333333333333333333333333333", "g = r: the loss is delta everywhere"),
    ("exp(-sqrt(1+y))", 1, "1", {}, "1", "g convex, g' -> 1"),
    ("exp(-sqrt(4+y))", 3, "1/2", {}, "0.5", "g convex, g' -> 1"),
    ("(1+sqrt(y))**(-7)", 2, "1", {}, "4.85203026391961716592", "g = 7 log(1 + r) concave: 7 log 2 at r = 0"),
    ("1/cosh(sqrt(y))", 1, "2", {}, "2", "g = log cosh r convex, g' = tanh r -> 1"),
    ("exp(-y**(1/4))", 1, "1/4", {}, "0.5", "g = sqrt(r) concave: sqrt(delta) at r = 0"),
    ("exp(-y**(2/5))", 1, "32", {}, "16", "g = r^(4/5) concave: 32^(4/5) = 16"),
    ("(1+2*sqrt(y))*exp(-2*sqrt(y))", 1, "1", {}, "2", "g' = 2 - 2/(1 + 2 r) increases to 2"),
    (
        "exp(-sqrt(y))+3*exp(-5*sqrt(y))",
        1,
        "1",
        {},
        "2.33280391141395675",
        "f is a mixture of exponentials, so g is concave: log 4 - log(e^-1 + 3 e^-5) at r = 0",
    ),
    ("1-tanh(r)", 1, "1", {}, "2", "g = log(1 + e^(2r)) - log 2 is convex, g' -> 2"),
    (
        "Piecewise((2*exp(-sqrt(y)), y < 4), (exp(-sqrt(y)), True))",
        1,
        "1",
        {},
        "1.69314718055994530942",
        "slope 1 and one downward jump by log 2 within reach",
    ),
    ("Piecewise((exp(-y/2), y < 1), (exp(1/2-r), True))", 3, "1", {}, "1", "Huber: g' = min(r, 1), convex"),
    ("exp(-log(2+y)**2)", 1, "1", {}, None, "searched"),
    ("(1+y)**(-3)*log(3+y)**2", 2, "1", {}, None, "searched"),
    ("1000*exp(-y)+(1+y)**(-2)", 1, "1", {}, None, "searched"),
    ("exp(-y)+exp(-sqrt(y))", 1, "1", {}, None, "searched"),
    ("exp(-sqrt(y))*(1+exp(-(sqrt(y)-300)**2)/20)", 1, "1", {}, None, "searched: a feature far out"),
]
SEARCHED = {
    "exp(-log(2+y)**2)": (lambda r: mpmath.log(2 + r * r) ** 2, 1, 8),
    "(1+y)**(-3)*log(3+y)**2": (lambda r: 3 * mpmath.log(1 + r * r) - 2 * mpmath.log(mpmath.log(3 + r * r)), 0.1, 3),
    "1000*exp(-y)+(1+y)**(-2)": (lambda r: -mpmath.log(1000 * mpmath.exp(-r * r) + (1 + r * r) ** -2), 1, 4),
    "exp(-y)+exp(-sqrt(y))": (lambda r: -mpmath.log(mpmath.exp(-r * r) + mpmath.exp(-r)), 0.1, 3),
    "exp(-sqrt(y))*(1+exp(-(sqrt(y)-300)**2)/20)": (
        lambda r: r - mpmath.log(1 + mpmath.exp(-((r - 300) ** 2)) / 20),
        299,
        303,
    ),
}


def searched(text: str, delta: str) -> mpmath.mpf:
    g, low, high = SEARCHED[text]
    step = mpmath.mpf(Fraction(delta).numerator) / Fraction(delta).denominator
    a, b = mpmath.mpf(low), mpmath.mpf(high)
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(120):
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        if g(c + step) - g(c) > g(d + step) - g(d):
            b = d
        else:
            a = c
    return g(a + step) - g(a)


@pytest.mark.parametrize(("text", "d", "delta", "bound", "epsilon", "why"), PRIVATE, ids=lambda v: str(v)[:24])
def test_private_with_the_right_epsilon(
    text: str, d: int, delta: str, bound: dict, epsilon: str | None, why: str
) -> None:
    result = verify(text, dimension=d, sensitivity=delta, replay=True, **bound)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None
    with mpmath.workdps(40):
        truth = mpmath.mpf(epsilon) if epsilon else searched(text, delta)
        low = mpmath.mpf(result.epsilon.lower.numerator) / result.epsilon.lower.denominator
        high = mpmath.mpf(result.epsilon.upper.numerator) / result.epsilon.upper.denominator
        rounding = mpmath.mpf(10) ** -15
        assert low - rounding <= truth <= high + rounding, why
    assert result.epsilon.upper - result.epsilon.lower <= Fraction(1, 10**10) * max(1, result.epsilon.upper)


def test_a_staircase_crosses_at_most_the_next_whole_number_of_steps() -> None:
    """g = floor(r): the loss over 5/2 is 2 or 3. A ball's radius keeps 30 bits, hence the wider enclosure."""
    result = verify("exp(-floor(r))", sensitivity="5/2", replay=True)
    assert result.verdict == "private"
    assert result.epsilon is not None
    assert result.epsilon.lower <= 3 <= result.epsilon.upper <= 3 + Fraction(1, 10**8)


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


def test_theorem_3_is_not_claimed_where_f_rises() -> None:
    result = verify("(2+3*y)*exp(-sqrt(y))", sensitivity="1/2", replay=True)
    assert result.theorem == "Theorem A"
    assert "Theorem 3 does not apply" in result.reason
    assert dict(result.hypotheses.items())["decreasing"].status == "refuted"


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


NOT_PRIVATE = [
    ("exp(-y/2)", 1, "tail_ratio_bounded", "Gaussian: the loss is delta r + delta^2/2"),
    ("exp(-y**(3/4))", 1, "tail_ratio_bounded", "g = r^(3/2), convex with unbounded slope"),
    ("exp(-y**(3/5))", 2, "tail_ratio_bounded", "g = r^(6/5)"),
    ("exp(-sqrt(y)*log(1+log(1+y)))", 1, "tail_ratio_bounded", "g' ~ log log r"),
    ("exp(-sqrt(y)*sqrt(log(4+y)))", 1, "tail_ratio_bounded", "g' ~ sqrt(2 log r)"),
    ("y**(-1/100)*exp(-sqrt(y))", 1, "finite_at_zero", "a slow pole"),
    ("sqrt(log(2+1/y))*exp(-sqrt(y))", 1, "finite_at_zero", "a pole of sqrt(log)"),
    ("multivariate_laplace", 2, "finite_at_zero", "K_0 has a logarithmic pole"),
    ("multivariate_laplace", 3, "finite_at_zero", "exp(-sqrt(2) r)/r"),
    ("multivariate_laplace", 6, "finite_at_zero", "K_2(x)/x^2"),
    ("r*exp(-r)", 2, "positive", "f(0) = 0"),
]


@pytest.mark.parametrize(("text", "d", "hypothesis", "why"), NOT_PRIVATE, ids=lambda v: str(v)[:24])
def test_not_private_by_the_right_hypothesis(text: str, d: int, hypothesis: str, why: str) -> None:
    result = verify(text, dimension=d, replay=True)
    assert result.verdict == "not_private", (why, result.reason)
    assert dict(result.hypotheses.items())[hypothesis].status == "refuted", why
    assert result.epsilon is None


INVALID = [
    ("1/(1+r)", 1, "integrable", "integral of 1/r"),
    ("(1+y)**(-3/2)", 3, "integrable", "r^2 r^-3 = 1/r"),
    ("1/((1+r)*log(2+r))", 1, "integrable", "integral of 1/(r log r), borderline"),
    ("exp(r)", 1, "integrable", "grows"),
    ("1/r**3*exp(-r)", 2, "integrable", "too strong a pole"),
    ("exp(-r)*(1-2*r)", 1, "positive", "negative beyond 1/2"),
    ("-exp(-r)", 1, "positive", "negative"),
]


@pytest.mark.parametrize(("text", "d", "hypothesis", "why"), INVALID, ids=lambda v: str(v)[:24])
def test_no_density_generator_and_why(text: str, d: int, hypothesis: str, why: str) -> None:
    result = verify(text, dimension=d, replay=True)
    assert result.verdict == "invalid", (why, result.reason)
    assert dict(result.hypotheses.items())[hypothesis].status == "refuted", why


def test_borderline_logarithms_are_told_apart() -> None:
    assert verify("1/((1+r)*log(2+r)**2)", replay=True).verdict == "private"
    assert verify("1/((1+r)*log(2+r)**(101/100))", replay=True).verdict == "private"
    assert verify("1/((1+r)*log(2+r))", replay=True).verdict == "invalid"


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_the_tail_ratio_of_the_multivariate_laplace_is_reported(dimension: int) -> None:
    tail = verify("multivariate_laplace", dimension=dimension, sensitivity="3/2").tail_log_ratio
    assert tail is not None
    assert tail.lower**2 <= Fraction(9, 2) <= tail.upper**2  # (sqrt(2) * 3/2)^2
    assert tail.upper - tail.lower < Fraction(1, 10**15)


@pytest.mark.parametrize("text", ["besselk(r, y)", "exp(-r)*sin(1/r)**2"])
def test_what_is_not_settled_is_undecided_and_says_which_step(text: str) -> None:
    result = verify(text)
    assert result.verdict == "undecided"
    assert result.certificate is None
    assert len(result.reason) > 20


@pytest.mark.parametrize(
    ("text", "d"), [("Max(0,1-y)", 1), ("Max(0,1-y)**2", 4), ("exp(-r)*sin(r)**2", 1), ("Max(0,1-r)*exp(-r)", 2)]
)
def test_zeros_and_compact_support_are_not_private(text: str, d: int) -> None:
    result = verify(text, dimension=d, replay=True)
    assert result.verdict == "not_private", result.reason
    assert dict(result.hypotheses.items())["positive"].status == "refuted"


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
        result = pool.submit(verify, "(1+y)**(1/6)*besselk(1/3, sqrt(1+y))", timeout="1/5").result()
    assert result.verdict == "undecided"
    assert "ran out in the step: " in result.reason


@pytest.mark.parametrize("limit", [0, -1, "never", 10**9])
def test_a_time_limit_that_is_none_is_refused(limit: object) -> None:
    with pytest.raises(InputError):
        verify("exp(-r)", timeout=limit)
