"""Noise of bounded support whose density rises (K410): delta against quadrature, and forged cuts refused."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.generators import Generator
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.cuts_that_rise import at_every_shift
from dpverify.kernel.sections.supports import Cut
from dpverify.profiles.scale import smallest_scale
from tests.profiles.test_must_fail import read as certificate
from tests.profiles.test_must_fail import refusal

RISING = "Piecewise((1 + r, r < 1), (0, True))"


def on_a_ball(d: int, epsilon: float, shift: float) -> mp.mpf:
    """The integral of (p - e^eps q)_+ for f = 1 + r on the unit ball, sphere by sphere."""
    with mp.workdps(20):
        growth, s = mp.exp(epsilon), mp.mpf(shift)
        whole = (mp.mpf(1) / d + mp.mpf(1) / (d + 1)) * (2 if d == 1 else 1)

        def gain(r: mp.mpf, there: mp.mpf) -> mp.mpf:
            return max(mp.mpf(0), 1 + r - (growth * (1 + there) if there < 1 else 0))

        def sphere(r: mp.mpf) -> mp.mpf:
            edge = (1 + r) / growth - 1
            marks = [abs(r - s), r + s, *(x for x in (edge, mp.mpf(1)) if abs(r - s) < x < r + s)]
            if d == 1:
                return gain(r, r + s) + gain(r, abs(r - s))
            angle = lambda b: mp.acos(max(-1, min(1, (r * r + s * s - b * b) / (2 * r * s))))  # noqa: E731
            ends = sorted(map(angle, marks))
            of = lambda t: gain(r, mp.sqrt(r * r + s * s - 2 * r * s * mp.cos(t))) * mp.sin(t) ** (d - 2)  # noqa: E731
            share = mp.quad(of, ends) / mp.quad(lambda t: mp.sin(t) ** (d - 2), [0, mp.pi])
            return r ** (d - 1) * share

        cuts = sorted({0, 1, *(x for x in (s / 2, 1 - s, s - 0.3, growth - 1, 0.25, 0.5, 0.75) if 0 < x < 1)})
        return mp.quad(sphere, cuts) / whole


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("d", "shift"), [(1, "1"), (1, "1/3"), (2, "1/2"), pytest.param(3, "1", marks=pytest.mark.campaign)]
)
def test_a_density_that_rises_on_a_ball(d: int, shift: str) -> None:
    found = dpverify.profile(RISING, dimension=d, sensitivity=shift, epsilon="1/2").points[0].delta
    exact = on_a_ball(d, 0.5, float(Fraction(shift)))
    assert found.upper - found.lower <= found.lower / 10**9
    assert float(found.lower) == pytest.approx(float(exact), rel=1e-5 if d > 1 else 1e-4)


def test_bounds_are_moved_apart_by_what_the_cut_leaves_out() -> None:
    cut = Cut(Fraction(1), Fraction(1), interval(Fraction(3, 100)))
    low, high = at_every_shift((Decimal("0.4"), Decimal("0.5")), cut, interval(Fraction(6)), interval(Fraction(0)))
    off = 2 * 2 * 0.03 / 6  # 2 (1 + e^0) D/Z
    assert float(low) == pytest.approx(0.4 - off, rel=1e-12)
    assert float(high) == pytest.approx(0.5 + off, rel=1e-12)
    low, _ = at_every_shift((Decimal("0.01"), Decimal("0.5")), cut, interval(Fraction(6)), Interval(*[Decimal(0)] * 2))
    assert low == 0


def read() -> dict[str, Any]:
    return certificate("rising-on-a-ball")


@pytest.mark.slow
def test_forged_cuts() -> None:
    assert "K410" in read()["rules"]["cuts_that_rise"]
    for name, value in (("radius", "1/2"), ("height", "1"), ("end", "1/2"), ("end", "3"), ("height", "0")):
        forged = read()
        forged["proof"]["cut"][name] = value
        assert refusal(forged), (name, value)
    forged = read()
    del forged["proof"]["cut"]
    assert refusal(forged)


@pytest.mark.slow
def test_the_theorem_and_the_rule_have_to_be_those_of_an_f_that_rises() -> None:
    forged = read()
    forged["claim"]["theorem"] = "Theorem B"
    assert refusal(forged)
    forged = read()
    del forged["rules"]["cuts_that_rise"]
    assert refusal(forged) == "rules"


@pytest.mark.slow
def test_no_pair_is_claimed_of_a_cut() -> None:
    """H at a shift that the panels enclose is that of h, not of f."""
    forged = read()
    lower = forged["claim"]["points"][0]["delta"]["lower"]
    forged["claim"]["pair"] = {"shift": "1", "lower": [lower]}
    assert refusal(forged) == "steps"


@pytest.mark.slow
def test_a_delta_that_is_too_small_or_too_large() -> None:
    for ends in (("0", "1/2"), ("51/100", "1")):
        forged = read()
        forged["claim"]["points"][0]["delta"] = dict(zip(("lower", "upper"), ends, strict=True))
        assert refusal(forged) == "K161"


@pytest.mark.campaign
def test_the_smallest_scale_has_a_closed_form() -> None:
    """On the line what leaves the other support is all of delta(1/2), (2 s - s^2/2)/3 at the shift s."""
    found = smallest_scale(Generator(RISING, 1), epsilon="1/2", delta="1/3")
    assert found.theorem == "Theorem E"
    assert float(found.lower) <= 1 / (2 - math.sqrt(2)) <= float(found.upper)
    assert found.upper - found.lower <= found.lower / 10**9
