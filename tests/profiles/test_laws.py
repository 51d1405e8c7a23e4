"""Laws that every privacy profile obeys."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpverify
from dpverify.profiles import Enclosed

NOISES = [("gaussian", 1), ("student_t", 1), ("laplace", 3), ("student_t", 3), ("1/cosh(r)", 1)]
PARAMETERS = {"student_t": {"nu": 3}}


def profile(name: str, dimension: int, **more: object) -> dpverify.Profile:
    return dpverify.profile(name, dimension=dimension, tolerance="1e-6", parameters=PARAMETERS.get(name, {}), **more)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.sampled_from(NOISES), st.lists(st.integers(0, 60), min_size=3, max_size=3, unique=True))
def test_it_falls_and_is_convex_in_the_exponential_of_eps(noise: tuple[str, int], forties: list[int]) -> None:
    first, middle, last = sorted(Fraction(n, 40) for n in forties)
    found = profile(*noise)
    ends = [found.delta(e) for e in (first, middle, last)]
    assert ends[0].upper >= ends[1].lower and ends[1].upper >= ends[2].lower
    weight = (mp.exp(last) - mp.exp(middle)) / (mp.exp(last) - mp.exp(first))
    chord = weight * float(ends[0].upper) + (1 - weight) * float(ends[2].upper)
    assert float(ends[1].lower) <= chord * (1 + 1e-12)


@pytest.mark.sweep
def test_it_rises_with_the_dimension_for_scale_mixtures() -> None:
    """The t family is one law of V for all dimensions, and the first coordinates are post-processing of the rest."""
    deltas = [profile("student_t", d).delta("1/2") for d in (1, 2, 3, 5, 9)]
    assert all(a.upper < b.lower for a, b in pairwise(deltas))


@pytest.mark.slow
def test_group_privacy_and_scale() -> None:
    """Only Delta/sigma counts; and a longer shift is worse (Theorem B)."""
    one = dpverify.profile("student_t", dimension=3, sensitivity="3/2", scale="3", parameters={"nu": 3}).delta("1/4")
    other = dpverify.profile("student_t", dimension=3, sensitivity="1/2", parameters={"nu": 3}).delta("1/4")
    longer = dpverify.profile("student_t", dimension=3, sensitivity="3/5", parameters={"nu": 3}).delta("1/4")
    assert one.lower <= other.upper and other.lower <= one.upper and other.upper < longer.lower


@pytest.mark.slow
def test_at_eps_0_it_is_the_total_variation() -> None:
    """Of two t densities in d = 1 whose centres are 1 apart: P(|T| < 1/2), T with 3 degrees of freedom."""
    found = dpverify.profile("student_t", parameters={"nu": 3}).delta("0")
    with mp.workdps(30):
        x = mp.mpf(1) / 2
        inside = mp.quad(lambda t: (1 + t * t / 3) ** -2, [-x, x]) / mp.quad(
            lambda t: (1 + t * t / 3) ** -2, [-mp.inf, 0, mp.inf]
        )
        assert mp.mpf(found.lower.numerator) / found.lower.denominator <= inside
        assert inside <= mp.mpf(found.upper.numerator) / found.upper.denominator


def test_at_eps_0_in_space_it_is_the_total_variation_of_the_first_coordinates() -> None:
    """P(|X_1| < 1/2), X_1 with the density (1 + |x|) exp(-|x|)/4 of the first coordinate of Laplace noise in space."""
    found = dpverify.profile("laplace", dimension=3, epsilon="0").points[0].delta
    assert isinstance(found, Enclosed)
    with mp.workdps(30):
        inside = 1 - mp.mpf("1.25") * mp.exp(mp.mpf("-0.5"))
        low, high = (mp.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
        assert low <= inside <= high and high - low <= high / 10**9


@pytest.mark.slow
def test_eps_of_delta_inverts_delta_of_eps() -> None:
    found = dpverify.profile("student_t", dimension=3, parameters={"nu": 3})
    eps = found.epsilon("1/20")
    assert eps.upper - eps.lower <= eps.upper / 10**9
    assert found.delta(eps.lower).upper >= Fraction(1, 20) >= found.delta(eps.upper).lower


def test_eps_is_0_where_delta_is_at_least_the_total_variation() -> None:
    assert dpverify.profile("gaussian").epsilon("1/2").upper == 0
