"""The poster's figure: its curves against formulas worked out by hand, its file the same each time."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from math import isclose, isnan, log, pi, sqrt
from pathlib import Path

import pytest

from dpverify import verify
from dpverify.generators import Generator
from dpverify.show.plots import draw_log_ratio, log_ratio, poster, potential
from dpverify.show.plots.certificate import picture_of
from dpverify.show.plots.poster import CURVES

GALLERY = Path(__file__).parents[2] / "certificates"
BY_HAND = {
    "student_t": lambda c: 3.5 * log((1 + c * c / 5) / (1 + (c - 1) ** 2 / 5)),
    "gaussian": lambda c: c - 0.5,
    "laplace": lambda c: 1.0,
    "multivariate_laplace": lambda c: sqrt(2) + log(c / (c - 1)),
}

# (y/2)^(1/4) K_(1/2)(sqrt(2y)) is sqrt(pi)/2 exp(-sqrt(2y)) by DLMF 10.39.2
BY_HAND_AT_0 = -log(sqrt(pi) / 2)


@pytest.mark.parametrize("generator", CURVES.values(), ids=lambda generator: generator.family.name)
@pytest.mark.parametrize("c", ["1.000001", "1.5", "2", "10", "99.5", "100"])
def test_the_curves_are_the_log_ratios(generator: Generator, c: str) -> None:
    by_hand = BY_HAND[generator.family.name](float(c))
    assert isclose(log_ratio(generator, Fraction(c)), by_hand, rel_tol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_file_each_time(tmp_path: Path, suffix: str) -> None:
    for name in ("one", "two"):
        poster(tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


@pytest.mark.parametrize("r", ["1/1000", "1", "7/2", "1000"])
def test_the_potential(r: str) -> None:
    x = float(Fraction(r))
    assert isclose(
        potential(Generator("student_t", 2, parameters={"nu": 5}), Fraction(r)), 3.5 * log(1 + x * x / 5), rel_tol=1e-9
    )
    laplace = potential(Generator("multivariate_laplace", 1), Fraction(r))
    assert isclose(laplace, BY_HAND_AT_0 + sqrt(2) * x, rel_tol=1e-9)


def test_the_loss_is_a_difference_of_potentials() -> None:
    generator = Generator("exp(-sqrt(y))*(3+sin(r))")
    for c in (Fraction(3, 2), Fraction(40)):
        step = Fraction(5, 4)
        rise = potential(generator, c) - potential(generator, c - step)
        assert isclose(log_ratio(generator, c, step), rise, rel_tol=1e-9)


@pytest.mark.slow
def test_poles_and_zeros_leave_gaps(tmp_path: Path) -> None:
    assert potential(Generator("laplace"), Fraction(0)) == 0
    assert isnan(potential(Generator("multivariate_laplace", 2), Fraction(0)))
    cut = Generator("Piecewise((exp(-r), r < 2), (0, True))")
    assert isnan(log_ratio(cut, Fraction(4)))
    assert draw_log_ratio({"cut": cut}, tmp_path / "cut.svg", to=4).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("exp(-r)", "reached at every large c"),
        ("exp(-Max(r,2*r-3))", "reached at every large c"),
        ("exp(-sqrt(1+y))", "approached as c grows"),  # the loss rises to 1, and is less everywhere
        ("1/cosh(r)", "approached as c grows"),  # so is this one's, by less than any drawing shows
        ("exp(-r-1/(1+r**30))", "approached as c grows"),
        ("exp(-floor(r))", "reached again and again as c grows"),
        ("exp(-r*(2+sin(r)/(1+r)))", "approached again and again as c grows"),
    ],
)
def test_a_supremum_that_is_attained_in_the_tail_is_told_from_one_that_is_not(text: str, told: str) -> None:
    certificate = verify(text).certificate
    assert certificate is not None
    picture = picture_of(certificate["claim"], certificate["proof"])
    assert picture is not None and picture.mark is not None and picture.mark.text == told
    assert told in picture.alt


def test_waves_without_a_common_period_are_drawn_over_periods_of_the_slowest() -> None:
    """Not over decades, where a line through a few points of many teeth tells nothing: at least 20 points a period."""
    certificate = json.loads((GALLERY / "teeth-of-an-irrational-period.json").read_text())
    picture = picture_of(certificate["claim"], certificate["proof"])
    assert picture is not None and not picture.logarithmic
    x = picture.curves[0][1].x
    assert x[-1] - x[0] > 8 / 2**0.5 and max(b - a for a, b in pairwise(x)) < 1 / (20 * 2**0.5)
