"""A delta without digits is at most next to nothing, in its certificate too; one far out in the tail has its digits,
and the decimals of what is known are those that its bounds bear out."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest

import dpverify
from dpverify import prover
from dpverify.deadline import deadline
from dpverify.generators import Generator
from dpverify.numerals import exact
from dpverify.profiles import Enclosed
from dpverify.prover.profile import NOTHING, Profile, pieces

Q = Fraction


@pytest.mark.parametrize(
    ("text", "dimension", "epsilon"),
    [
        ("gaussian", 1, "1000"),
        ("gaussian", 1, "1e12"),
        ("exp(-y**(3/4))", 1, "1000"),
        ("exp(-r**(5/4))", 2, "10"),
    ],
)
def test_a_delta_without_digits(text: str, dimension: int, epsilon: str) -> None:
    found = dpverify.profile(text, dimension=dimension, epsilon=epsilon, certificate=True)
    assert found.points[0].delta == Enclosed(Q(0), NOTHING)
    assert found.certificate is not None
    report = dpverify.check(found.certificate)
    assert report.accepted and report.claim is not None
    assert report.claim["points"][0]["delta"] == {"lower": "0", "upper": str(NOTHING)}


def test_a_small_delta_has_its_digits() -> None:
    delta = dpverify.profile("gaussian", epsilon="90").points[0].delta
    assert isinstance(delta, Enclosed)
    with mp.workdps(30):
        true = mp.ncdf(mp.mpf(-179) / 2) - mp.exp(90) * mp.ncdf(mp.mpf(-181) / 2)
        low, high = (mp.mpf(x.numerator) / x.denominator for x in (delta.lower, delta.upper))
        assert low <= true <= high <= low * (1 + mp.mpf("1e-9"))


def test_far_in_the_tail_the_shifted_integral_is_known_as_well_as_its_factor_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pieces, "MOST_PIECES", 200)
    found = Profile(prover.problem_of(Generator("exp(-y**(3/4))", 1), Q(1)), None)
    found.alone = True
    delta = found.at(Q(8), Q(1, 10**6))
    assert delta.accuracy is not None and delta.accuracy.by_nodes
    with mp.workdps(30):
        start = mp.findroot(lambda r: (r + 1) ** 1.5 - r**1.5 - 8, 28)
        inside = [start, start + 1 / mp.mpf(2), start + 1, start + 3, start + 9]
        excess = mp.quad(lambda r: mp.exp(-(r**1.5)) - mp.exp(8 - (r + 1) ** 1.5), inside)
        true = excess / (2 * mp.quad(lambda r: mp.exp(-(r**1.5)), [0, 1, 4, 30]))
        assert mp.mpf(delta.lower.numerator) / delta.lower.denominator <= true
        assert true <= mp.mpf(delta.upper.numerator) / delta.upper.denominator


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        ("1.68966", "1.7141", "1.7"),
        ("0.345525", "0.346039", "0.346"),
        ("0.5432", "0.575", "0.6"),
        ("0.62947", "0.62986", "0.630"),
    ],
)
def test_digits_that_the_bounds_bear_out(low: str, high: str, shown: str) -> None:
    assert Enclosed(Q(low), Q(high)).decimal == shown
    unit = Q(10) ** -len(shown.partition(".")[2])
    assert Q(shown) - unit <= Q(low) and Q(high) <= Q(shown) + unit


@pytest.mark.parametrize("text", ["3.9089e-343", "1e-1900", "2.5e+80"])
def test_a_number_of_few_digits_is_exact_in_powers_of_ten(text: str) -> None:
    assert Q(exact(Q(text))) == Q(text) and len(exact(Q(text))) < 90


def test_a_number_of_no_few_digits_stays_a_quotient() -> None:
    assert exact(Q(1, 3)) == "1/3"
    assert exact(Q(1, 2**300)) == f"1/{2**300}"


SLOW = "exp(-7*r/5)*(2+cos(3*r))"
"""More than a hundredth of a second passes before anything is known of it."""


def test_time_that_runs_out_is_told_in_seconds_where_the_question_has_a_limit() -> None:
    with deadline(0.01):
        outer = dpverify.profile(SLOW, dimension=2, epsilon="1")
    assert outer.reason == "Undecided: the time was not enough."
    inner = dpverify.profile(SLOW, dimension=2, epsilon="1", timeout="0.01")
    assert inner.reason == "Undecided: 1/100 seconds were not enough."
