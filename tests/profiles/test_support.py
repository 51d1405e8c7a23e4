"""Noise of bounded support: (eps, delta)-private with a delta that has a floor, and forged cuts are refused."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.profiles import Enclosed
from tests.profiles.test_must_fail import GALLERY, refusal

UNIFORM = "Piecewise((1, r < 1), (0, True))"
NAME = "uniform-on-a-ball"


def holds(value: Enclosed, exact: mp.mpf, width: float = 1e-9) -> bool:
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (value.lower, value.upper))
    slack = exact * mp.mpf("1e-20")
    return bool(low - slack <= exact <= high + slack and high - low <= high * width)


@pytest.mark.slow
@pytest.mark.parametrize("shift", ["1/3", "3/2", "2"])
def test_two_intervals_overlap(shift: str) -> None:
    """Uniform on [-1, 1]: whatever lies outside of the other interval, at every eps."""
    found = dpverify.profile(UNIFORM, sensitivity=shift)
    for epsilon in ("0", "5", "30"):
        assert holds(found.delta(epsilon), mp.mpf(Fraction(shift).numerator) / Fraction(shift).denominator / 2)


@pytest.mark.slow
def test_two_discs_overlap_to_twenty_digits() -> None:
    with mp.workdps(40):
        s = mp.mpf(1) / 2
        lens = 2 * mp.acos(s / 2) - s * mp.sqrt(1 - s * s / 4)
        found = dpverify.profile(UNIFORM, dimension=2, sensitivity="1/2", tolerance="1e-20")
        assert holds(found.delta("1"), 1 - lens / mp.pi, 1e-20)


@pytest.mark.slow
@pytest.mark.parametrize("end", [4, 16, 100])
def test_tents_that_end_where_a_chart_may_begin(end: int) -> None:
    """v from the left end on, p = v and q = v - 1 from 1 on: p > h q = e^(1/2) q up to v = h/(h - 1), so that delta is
    the integral of (p - h q)/end^2 up to there, and q = 0 for v < 1."""
    found = dpverify.profile(f"Max(0, {end} - r)", epsilon="1/2", certificate=True)
    with mp.workdps(40):
        h = mp.exp(mp.mpf(1) / 2)
        a = 1 / (h - 1)
        area = mp.mpf(end) ** 2
        assert a + 1 <= end
        assert holds(found.delta("1/2"), ((1 + a) ** 2 - h * a**2) / 2 / area)
        assert found.infinite is not None and holds(found.infinite, 1 / (2 * area))
    assert found.certificate is not None and dpverify.check(found.certificate)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["1/10", "1"])
def test_a_truncated_laplace_and_a_fading_density_on_the_line(epsilon: str) -> None:
    """mpmath's quadrature of (p - e^eps q)_+ between its zeros, in 15 digits whatever other tests work with."""
    with mp.workdps(15):
        confronted(epsilon)


def confronted(epsilon: str) -> None:
    e, s = mp.mpf(epsilon.split("/")[0]) / mp.mpf((epsilon + "/1").split("/")[1]), mp.mpf(1) / 2
    for text, f, end in (
        ("Piecewise((exp(-r), r < 2), (0, True))", lambda r: mp.exp(-r), 2),
        ("Piecewise((1 - y, y < 1), (0, True))", lambda r: 1 - r * r, 1),
    ):

        def density(x: mp.mpf, f: Any = f, end: int = end) -> mp.mpf:
            return f(abs(x)) if abs(x) < end else mp.mpf(0)

        def gain(x: mp.mpf, density: Any = density) -> mp.mpf:
            return density(x) - mp.exp(e) * density(x - s)

        first, last = -end + s + mp.mpf("1e-15"), s / 2
        cuts = [mp.findroot(gain, (first, last), solver="ridder")] if gain(first) > 0 > gain(last) else []
        inside = [-end + s, mp.mpf(0), last]
        places = sorted({mp.mpf(-end), *inside, *cuts})
        exact = sum(max(mp.mpf(0), mp.quad(gain, [a, b])) for a, b in pairwise(places))
        exact /= 2 * mp.quad(f, [0, end])
        assert holds(dpverify.profile(text, sensitivity="1/2").delta(epsilon), exact)


@pytest.mark.slow
def test_no_divergence_of_order_one_and_no_pure_epsilon() -> None:
    found = dpverify.profile(UNIFORM, epsilon="1", zcdp=True, renyi="2")
    assert found.verdict == "proved" and {m.verdict for m in found.measures} == {"refuted"}
    assert found.delta("39").lower > Fraction(49, 100)


@pytest.mark.slow
def test_a_delta_below_what_lies_outside_has_no_epsilon() -> None:
    found = dpverify.profile(UNIFORM, delta="1/3")
    assert found.verdict == "refuted" and not found.points and "infinite with probability" in found.reason


def read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / f"{NAME}.json").read_text())
    return found


@pytest.mark.slow
def test_forged_cuts() -> None:
    """Further from the end, with a higher tail, an end within the support, or none at all."""
    assert not refusal(read())
    for name, value in (
        ("radius", "1/2"),
        ("radius", str(1 - Fraction(1, 10**6))),
        ("height", "1"),
        ("height", str(Fraction(1, 10**6))),
        ("end", str(1 - Fraction(1, 2**95))),
        ("end", "1/2"),
        ("end", "3"),
        ("height", "0"),
        ("height", "-1"),
    ):
        forged = copy.deepcopy(read())
        forged["proof"]["cut"][name] = value
        assert refusal(forged), (name, value)
    forged = read()
    del forged["proof"]["cut"]
    assert refusal(forged)


def test_a_delta_that_is_too_small_or_another_support() -> None:
    certificate = read()
    delta = certificate["claim"]["points"][0]["delta"]
    lower = Fraction(delta["lower"])
    delta["lower"], delta["upper"] = str(lower * (1 - Fraction(2, 10**9))), str(lower * (1 - Fraction(1, 10**9)))
    assert refusal(certificate) == "K161"
    certificate = read()
    certificate["claim"]["generator"] = "Piecewise((1, r < 2), (0, True))"
    assert refusal(certificate) == "K228"
    certificate["claim"]["generator"] = "Piecewise((1, r < 1), (-1/10**30, True))"
    assert refusal(certificate) == "K228"
