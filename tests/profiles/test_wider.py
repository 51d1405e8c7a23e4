"""Enclosures that are wider than asked say so, and contain what they are to."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpverify
from dpverify import prover
from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import lower
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.profiles.result import Enclosed, Point, said_of, width_of
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile
from dpverify.prover.profile.divergence import Divergence

LAPLACE = Fraction("0.22119921692859513")


class Coarse(Profile):
    """A prover that comes to no narrower an enclosure than one part in a thousand."""

    asked: list[Fraction]

    def at(self, epsilon: Fraction, tolerance: Fraction) -> Divergence:
        self.asked.append(tolerance)
        if tolerance < Fraction(1, 1000):
            raise Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
        return super().at(epsilon, tolerance)


def test_a_wider_enclosure_is_tried_and_kept() -> None:
    found = Coarse(Problem(lower(Generator("exp(-r)", 1).expression), 1, Fraction(1)), None)
    found.asked = []
    for _ in range(2):
        delta = found.nearly(Fraction(1, 2), Fraction(1, 10**9))
        assert delta.lower <= LAPLACE <= delta.upper
    assert found.asked == [Fraction(1, 10**9), Fraction(1, 10**6), Fraction(1, 1000)]


def test_what_is_said_of_points_tells_their_width_where_it_is_more_than_asked() -> None:
    points = [Point(Fraction(1), Enclosed(Fraction(1, 10), Fraction(11, 100)))]
    assert width_of(points) == Fraction(1, 10)
    assert "known to 0.1" in said_of(points, Fraction(1, 1000))
    assert "known" not in said_of(points, Fraction(1, 10))


@pytest.mark.slow
def test_floors_of_waves_are_read_as_verify_reads_them() -> None:
    """exp(-r) (2 + floor(cos(3 r))): 1, 2 or 3 times exp(-r) never fails to be positive in that form."""
    problem = prover.problem_of(Generator("exp(-r)*(2+floor(cos(3*r)))", 1), Fraction(1))
    assert problem.log_bounds(Fraction(100), Fraction(101)).is_finite()


def test_brackets_lie_about_the_breaks() -> None:
    """Those of floor(sqrt(2) r) are at k/sqrt(2), to fourteen digits, none of them missing."""
    node = lower(Generator("exp(-r)*(1+floor(sqrt(2)*r))", 3).expression)
    found = Profile(Problem(node, 3, Fraction(1)), None).brackets
    assert len(found) > 60
    for k, (a, b) in enumerate(found, 1):
        assert 2 * a * a < k * k < 2 * b * b and b - a < a / 10**12


def test_rational_breaks_have_no_brackets() -> None:
    node = lower(Generator("exp(-r)*(1+frac(r))", 3).expression)
    assert Profile(Problem(node, 3, Fraction(1)), None).brackets == []


@pytest.mark.slow
def test_a_certificate_shows_what_the_result_says() -> None:
    found = dpverify.profile("exp(-r)", epsilon="1/2", tolerance="1e-3", certificate=True)
    assert found.certificate is not None and found.points[0].delta.lower <= LAPLACE <= found.points[0].delta.upper
