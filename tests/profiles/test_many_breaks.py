"""Jumps at many radii: where the boundary is, what the whole is, and what slopes of H are."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp

import pytest
from flint import arb

import dpverify
from dpverify.enclosures import precision
from dpverify.prover.profile import Profile
from dpverify.prover.profile.boundary import CAP, EMPTY, FULL, JUMP, Boundary
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.mass import Mass
from dpverify.prover.profile.pieces import ball, total
from dpverify.prover.profile.slope import Level
from dpverify.prover.profile.turning import spread
from tests.profiles.test_by_nodes import problem


def radial(text: str, d: int, shift: str) -> RadialWeight:
    return RadialWeight(problem(text, d, Fraction(shift)), [Fraction(k, 5) for k in range(1, 600)])


def test_a_boundary_at_one_of_many_jumps_and_between_them() -> None:
    """log f falls by 1 at every fifth part, so by more than 3/2 at the second ahead; or by 1/5, and with r."""
    stairs = Boundary(radial("exp(-ceil(5*r))", 3, "1/2"), Fraction(3, 2), 40)
    for k in (1, 17, 400):
        rho = (k + 0.75) / 5
        assert stairs.state(rho).kind == JUMP
        assert stairs.state(rho).boundary == pytest.approx((k + 2) / 5, rel=1e-12)
        assert stairs.edges[stairs.state(rho).segment] == stairs.state(rho).boundary
    assert stairs.state(0.05).kind == FULL
    slanted = Boundary(radial("exp(-r - ceil(5*r)/5)", 3, "1/2"), Fraction(1, 2), 40)
    between, beside = slanted.state(3.05), slanted.state(3.15)
    assert (between.kind, between.segment) == (CAP, 16)  # 1/5 by the jump at 3.2, and 3/10 by the slope
    assert between.boundary == pytest.approx(3.35, rel=1e-12)
    assert (beside.kind, beside.segment) == (JUMP, 16)  # 9/20 before the second jump, and 13/20 behind it
    assert Boundary(radial("exp(-ceil(5*r))", 3, "1/100"), Fraction(3, 2), 40).state(3.1).kind == EMPTY


def test_the_whole_of_stairs_with_more_steps_than_parts_are_expected() -> None:
    """The integral of r^(d-1) f is the sum of e^-n (r_n^d - r_(n-1)^d)/d, r_n = n/5."""
    weight, d = radial("exp(-ceil(5*r))", 50, "1/2"), 50
    with precision(200):
        parts = Mass(weight, 12, lambda: None, True).parts(Fraction(1, 10**11))
        low, high = total(parts)
        exact = sum(arb(-n).exp() * (arb(n) ** d - arb(n - 1) ** d) for n in range(1, 800)) / d / arb(5) ** d
        exact = exact * (-arb(weight.size.numerator) / weight.size.denominator).exp()
        assert low.lower() <= exact <= high.upper()
        assert high.upper() - low.lower() < exact / 10**10
    assert len(parts) < 200


def test_no_row_is_as_long_as_a_loss_above_eps_while_f_counts() -> None:
    """In fifty dimensions e^-r has about e^-11 of its largest weight at 95: there too rows are short."""
    marks = [Fraction(x) for x in (4, 16, 32, 64, 128)]
    radii = spread(radial("exp(-r)", 50, "2"), Fraction(1), marks, Level(480, short=True))
    assert max(float(b - a) for a, b in pairwise(radii) if a > 18 and b < 95) < 3 / 4


@pytest.mark.campaign
def test_a_rise_that_next_to_nothing_lies_below() -> None:
    """f is 6 e^-r from 3/4 on, below which lies a part of about 10^-60; so delta is that of e^-r."""
    asked = {"dimension": 50, "sensitivity": 2, "epsilon": "1", "tolerance": "1e-9"}
    rising = dpverify.profile("exp(-r)*(2+(3+sign(r-3/4)))", **asked).points[0].delta
    falling = dpverify.profile("exp(-r)", **asked).points[0].delta
    assert rising.upper - rising.lower <= rising.lower / 10**9
    assert max(rising.lower, falling.lower) <= min(rising.upper, falling.upper)
    assert exp(-13) < float(rising.lower) < exp(-11)


@pytest.mark.campaign
def test_short_panels_on_the_line_are_of_half_the_order() -> None:
    """f has an eighth of a step at every eighth part; its integral is a geometric series."""
    width = Fraction(1, 10**9)
    many, few = (Profile(problem(text, 1), None) for text in ("exp(-(r+ceil(8*r)/8)/2)", "exp(-r)"))
    accuracy = many.usual(width)
    assert accuracy.order * 2 == few.usual(width).order == 12
    with precision(200):
        low, high = many.mass(accuracy)
        step = (-arb(1) / 8).exp()
        exact = 2 * ((arb(1) / 16).exp() - 1) * step / (1 - step) * (-ball(many.radial().size)).exp()
        assert low.lower() <= exact <= high.upper()
        assert high.upper() - low.lower() <= exact * ball(width)
