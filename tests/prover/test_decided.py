"""Generators that were undecided once, beside losses that are known in closed form, and certificates that the kernel
accepts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from dpverify import verify

PI = mpmath.pi


def wave(x: Any) -> Any:
    """log(2 + cos(x) e^(-x/2))."""
    return mpmath.log(2 + mpmath.cos(x) * mpmath.exp(-x / 2))


CREST = mpmath.findroot(lambda x: mpmath.diff(wave, x) - mpmath.diff(wave, x + 1), mpmath.mpf("0.41"))
"""Where the wave falls the most over a distance of 1."""


def fall(x: Any) -> Any:
    """By how much log(2 + cos) falls over 2."""
    return mpmath.log((2 + mpmath.cos(x)) / (2 + mpmath.cos(x + 2)))


FALL = mpmath.findroot(lambda x: mpmath.diff(fall, x), 0.8)
"""Where 2 + cos falls by the largest factor over 2."""
PRIVATE: dict[str, tuple[str, int, str, Any, str]] = {
    # g falls by 5/2 (2/7)^2 + 2 - 1/7 = 101/49 where the second branch begins; elsewhere it rises by less, with tanh.
    "a jump ahead of the chart at the centre": (
        "exp(-(Piecewise((5*y/2, r<(2/7)),(r/2-2, True)))-tanh(r-lambertw(r)/2))",
        50,
        "2",
        mpmath.mpf(101) / 49,
        "1/1000000000",
    ),
    # g is r - log log(1 + 1/(1+r)), of which the second part is concave: at r = 0, by the sensitivity and a ratio.
    "a long shift over a difference of logarithms": (
        "exp(-r)*(log(2+r)-log(1+r))",
        3,
        "1000000",
        1000000 + mpmath.log(mpmath.log(2) / mpmath.log1p(mpmath.mpf(1) / 1000001)),
        "1/1000000",
    ),
    # From s to t within one period g rises by less than t - s, and where t passes a jump by more, at most 1 in all.
    "steps and decay": ("exp(-r)*(1+frac(r))", 1, "1", 1, "1/100"),
    # From next to a whole number up to the next one, of which some come near every phase of the wave.
    "teeth and a wave whose phases are free": (
        "exp(-(5*r+frac(r)/3))*(2+cos(2*r))",
        7,
        "1",
        mpmath.mpf(16) / 3 + fall(FALL),
        "1/10000000000",
    ),
    # From the centre, where g is steep, to the last kink before the first jump.
    "a root at the centre beside phases that are free": (
        "exp(-r**(1/3)/2)*(1+Abs(cos(5*r)))*(2-frac(r))",
        1,
        "1",
        mpmath.log(4) - mpmath.log(2 - 3 * PI / 10) + mpmath.cbrt(3 * PI / 10) / 2,
        "1/10000000000",
    ),
    # Just before a jump f has fallen to half of it; from 0 to 1- g rises by 1 + log 2.
    "falling steps and decay": ("exp(-r)*(2-frac(r))", 1, "1", 1 + mpmath.log(2), "1/1000"),
    "rising steps and decay": ("exp(-r)*(1+floor(r))", 1, "1", 1, "1/100"),
    # g = -4 log(atan(1/r)) is concave from 0 on: at r = 0.
    "a power of a difference": ("(pi/2-atan(r))**4", 2, "1", 4 * mpmath.log(2), "1/1000000000"),
    "an inverse tangent of an inverse": ("exp(-r)*atan(1/r)", 1, "1", 1 + mpmath.log(2), "1/1000000000"),
    "a difference of its own unit": ("exp(-r)*(1-2*atan(r)/pi)", 2, "1", 1 + mpmath.log(2), "1/1000000000"),
    "a kink far out": ("exp(-r-Abs(r-20)/2)", 1, "1/2", mpmath.mpf(3) / 4, "1/1000000000"),
    "a long shift": (
        "(pi/2-atan(20*r))*exp(-r)",
        1,
        "1000",
        1000 + mpmath.log(PI / 2 / mpmath.atan(mpmath.mpf(1) / 20000)),
        "1/1000000000",
    ),
    # g is convex in r, so that the loss tends to delta times the limit slope.
    "a very long shift": ("exp(-(3/7)*sqrt(1+9*y))", 50, "1000000", mpmath.mpf(9) / 7 * 10**6, "1/100000000000"),
    "a long shift of a difference": (
        "exp(-r-r*atan(r/3))*(1-r/(1+r))**4",  # at r = 0, since the slope falls
        1,
        "1000",
        1000 + 1000 * mpmath.atan(mpmath.mpf(1000) / 3) + 4 * mpmath.log(1001),
        "1/1000000000",
    ),
    # log log(1 + e^t) is concave in t and t falls linearly: the loss tends to 20.
    "a logarithm of one and an exponential": ("log1p(exp(-20*r))", 2, "1", 20, "1/1000000000"),
    "such a one, beside an exponential": ("exp(-r)*log(1+exp(-20*r))", 3, "5", 105, "1/1000000000"),
    "a valley far out and a long shift": ("exp(-r)*(y-40*r+400+1/500)", 20, "100", 100, "1/1000000000"),
    # g falls the steepest just before the bottom, by the slope 1 + 1/sqrt(b), b = 1/200.
    "a steep valley and a tiny shift": (
        "exp(-r)*(y-4*r+4+1/200)",
        2,
        "1/1000000000",
        (1 + mpmath.sqrt(200)) / mpmath.mpf(10) ** 9,
        "1/1000000000",
    ),
    # g falls by log 2 at r = 1, and by less later; else it rises with the slope 1/4.
    "steps at squares": ("exp(-r/4)*(1+floor(sqrt(r)))", 3, "1", mpmath.log(2), "1/1000000000"),
    "falling steps at squares": ("exp(-r/100-floor(sqrt(r)))", 2, "1", mpmath.mpf("1.01"), "1/1000000"),
    # ceil jumps from 1 to 2 at r = 3, and by less relative to itself later.
    "a step at the centre": (
        "exp(-r)/(1+ceil(r/3))",
        1,
        "1/1000000",
        mpmath.log(1.5) + mpmath.mpf(10) ** -6,
        "1/100000",
    ),
    # From radii below 1, where ceil is 1, to those beyond Delta, where it is Delta + 1.
    "a million jumps": ("(1+ceil(r))**(-d-4)", 3, "1000000", 7 * mpmath.log(mpmath.mpf(1000002) / 2), "1/1000000"),
    # To 100 and its floor from r = 0, where the last factor is 5: at 100 it is 1 + (98/10001)^2.
    "a hundred jumps and a bump": (
        "(1+2*r+(7/2)*floor(r))**(-d-2)*(1+(r-2)**2/(1+y)**2)",
        3,
        "100",
        mpmath.log(5) + 5 * mpmath.log(551) - mpmath.log1p(mpmath.mpf(98) ** 2 / 10001**2),
        "1/1000000",
    ),
    # From r = 0 to just before 100, where frac is 1.
    "a saw, a long shift, and a function that ends": (
        "exp(-(5*r+frac(r)/3))*exp(-erf((7/2)*r))",
        1,
        "100",
        501 + mpmath.mpf(1) / 3,
        "1/100000000",
    ),
    # The line and its saw lead from some radius on; from a whole number to just before another.
    "a saw that leads a maximum, and a million teeth": (
        "exp(-Max((3/4)*r+frac(r)/3,expm1(log1p((3/4)*r)/2)))",
        3,
        "1000000",
        750000 + mpmath.mpf(1) / 3,
        "1/10000000",
    ),
    "a saw under a logarithm": (
        "log1p(exp(-(5*r+frac(r)/3)))",
        2,
        "1000000",
        5000000 + mpmath.mpf(1) / 3,
        "1/10000000",
    ),
    # ceil rises by 3 from near 0 to just above 1, and tanh from 0 to 1 but for 4 10^-40.
    "steps and a special function": ("exp(-(ceil(3*r))-tanh(loggamma(2+20*r)))", 3, "1", 4, "1/10000000"),
    "half a million steps under a logarithm": ("log1p(exp(-(ceil((1/2)*r))))", 20, "1000000", 500000, "1/1000000000"),
    "a hundred steps and tanh": (
        "exp(-(2*r+floor(r)/3)-tanh(expm1(log1p((3/4)*r)/2)))",
        7,
        "100",
        200 + mpmath.mpf(100) / 3 + mpmath.tanh(mpmath.sqrt(76) - 1),
        "1/10000000",
    ),
    # The line falls by 1, and so does the root's floor from below 1 to above it.
    "steps at squares beside a wave that decays": (
        "exp(-floor(sqrt(r))-r)*(2+cos(r)*exp(-(1/2)*r))",
        1,
        "1",
        2 + wave(CREST) - wave(CREST + 1),
        "1/1000000000",
    ),
    # Between squares f falls by the exponential alone.
    "squares and a longer shift": ("exp(-r)*(1+floor(sqrt(r)))", 1, "2", 2, "1/1000000000"),
}


@pytest.mark.slow
@pytest.mark.swept(stay=5)
@pytest.mark.parametrize("name", sorted(PRIVATE))
def test_what_was_undecided_is_private_with_the_epsilon_of_calculus(name: str) -> None:
    text, d, delta, truth, tolerance = PRIVATE[name]
    result = verify(text, dimension=d, sensitivity=delta, tolerance=tolerance)
    assert result.verdict == "private", result.reason
    assert result.certificate is not None and result.epsilon is not None
    low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (result.epsilon.lower, result.epsilon.upper))
    assert low - mpmath.mpf(10) ** -14 * abs(truth) <= truth <= high + mpmath.mpf(10) ** -14 * abs(truth)
    assert high - low <= 2 * Fraction(tolerance) * high


@pytest.mark.slow
def test_a_difference_of_exponentials_with_its_sign_in_front() -> None:
    """1 - e^(-x) far out, typed as -expm1(-x): f falls as e^(-y)/y, a Gaussian's tail."""
    assert verify("exp(-y)*-expm1(-2/(1+y))", dimension=3).verdict == "not_private"
    assert verify("exp(-r)*-expm1(-2/(1+y))", dimension=3, tolerance="1/100").verdict == "private"


@pytest.mark.slow
def test_a_wave_that_is_damped_beside_a_chirp_is_seen_where_its_loss_is_largest() -> None:
    """Far out the loss is at most 1 + log(7/5) whatever the phases are; nearby it is more."""
    from dpverify.enclosures import precision
    from dpverify.enclosures.lowering import lower
    from dpverify.generators import Generator
    from dpverify.prover.problem import Problem
    from dpverify.prover.ridge import Ridge, climb_from, climbing_steps
    from dpverify.prover.torus.modulus import BEST, _between_waves

    tolerance = Fraction(1, 1000)
    with precision(139):
        node = lower(Generator("exp(-r)*(2+sin(r)/(1+r)+cos(y)/3)", 2).expression)
        ridge = Ridge(Problem(node, 2, Fraction(1)), tolerance)
        climb_from(ridge, _between_waves(Fraction(1)), climbing_steps(tolerance), BEST)
        assert ridge.value > 1.3487 and ridge.value < 1.35


@pytest.mark.slow
def test_waves_that_die_out_slowly_are_decided_where_the_checker_needs_more_cells_of_phases() -> None:
    """f rises somewhere; the largest loss is that of the longest shift, beside a search of radii and shifts."""
    result = verify("exp(sin((7/2)*r)/(1+r))*(1+y)**(-(d+4)/2)", dimension=4, sensitivity="1/10")
    assert result.verdict == "private" and result.epsilon is not None

    def g(r: Any) -> Any:
        return 4 * np.log1p(r * r) - np.sin(3.5 * r) / (1 + r)

    r = np.linspace(0, 40, 400_001)
    seen = max(float(np.abs(g(r + h) - g(r)).max()) for h in np.linspace(0.005, 0.1, 20))
    assert seen - 1e-9 <= float(result.epsilon.upper) and float(result.epsilon.lower) <= seen + 1e-7
