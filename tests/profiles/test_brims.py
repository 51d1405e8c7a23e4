"""What S may leave out of spheres of which S' is everything (K430), beside exact shares of Laplace noise in space, and
certificates that say too much of it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.brims import brim
from dpverify.kernel.sections.panels import Spheres
from tests.profiles.panel import integral, noise, number, refused
from tests.profiles.test_must_fail import read, refusal

HALF, START = Fraction(1, 2), Fraction(1, 4)
"""eps, and the radius from which on spheres are not all in S, |x - u| > rho + 1/2, for the shift 1."""


def left_out(rho: mp.mpf, d: int) -> mp.mpf:
    """The share of the cap |x - u| <= rho + 1/2 of a sphere, for g(r) = r."""
    cosine = (rho**2 + 1 - (rho + number(HALF)) ** 2) / (2 * rho)
    angle = mp.acos(max(mp.mpf(-1), min(mp.mpf(1), cosine)))
    power = mp.quad(lambda x: mp.sin(x) ** (d - 2), [0, angle])
    return power / mp.quad(lambda x: mp.sin(x) ** (d - 2), [0, mp.pi])


@pytest.mark.parametrize("d", [2, 3, 10])
@pytest.mark.parametrize("width", [Fraction(1, 16), Fraction(1, 1000)])
def test_it_is_at_least_what_any_sphere_leaves_out_and_little_more(d: int, width: Fraction) -> None:
    a, b = START - width, START + width
    found = brim(noise(d=d), a, b, [b + HALF + Fraction(1, 10**20)])
    with mp.workdps(30):
        shares = [left_out(number(a + (b - a) * k / 16), d) for k in range(17)]
        assert found.lo == 0 and max(shares) <= number(found.hi)
        assert number(found.hi) <= 40 ** (d / 2) * max(shares)


@pytest.mark.parametrize("d", [2, 3, 10])
def test_it_is_little_more_than_what_a_thin_shell_leaves_out(d: int) -> None:
    """The cap's radius is named as tightly as it may be: g(B0) is g(b) + eps."""
    a, b = HALF, HALF + Fraction(1, 10**6)
    with mp.workdps(30):
        found = number(brim(noise(d=d), a, b, [b + HALF]).hi)
        assert left_out(number(a), d) <= found <= left_out(number(a), d) * (1 + mp.mpf(10) ** -4)


@pytest.mark.parametrize(
    ("far", "beyond", "inside"),
    [("1", (-1, 0), (0, 1)), ("1", (-3, -1), (-1, 1)), ("0", (-9, -9), (0, 0)), ("-1", (-9, -9), (0, 0))],
)
def test_heights_that_do_not_show_it_or_no_radius(far: str, beyond: tuple[int, int], inside: tuple[int, int]) -> None:
    ends = {False: inside, True: beyond}
    heights: Any = SimpleNamespace(
        s=Fraction(1), d=3, epsilon=interval(HALF), height=lambda _, above: Interval(*map(Decimal, ends[above]))
    )
    refused(lambda: brim(heights, HALF, Fraction(1), [Fraction(far)]), "beyond the radius named")


def test_what_everything_costs_is_at_least_what_is_lost_there() -> None:
    a, b = START - Fraction(1, 64), START + Fraction(1, 64)
    far = b + HALF + Fraction(1, 10**20)
    named = Spheres(noise())
    value, whole = named.everything(a, b, [])
    same, cost = named.everything(a, b, [far])
    with mp.workdps(20):

        def lost(rho: mp.mpf) -> mp.mpf:
            """e^eps q - p over the part of a sphere with |x - u| <= rho + 1/2, by |x - u|."""
            inner = mp.quad(lambda r: r * mp.expm1(rho - r + number(HALF)), [1 - rho, max(1 - rho, rho + number(HALF))])
            return mp.exp(-rho) * rho * inner / 2

        truth = integral(lost, a, b)
        assert 0 < truth <= number(cost.hi) <= number(whole.hi) / 8
    assert (value.lo, value.hi) == (same.lo, same.hi)


def test_a_radius_beyond_which_s_does_not_have_all() -> None:
    a, b = START - Fraction(1, 64), START + Fraction(1, 64)
    named = Spheres(noise())
    refused(lambda: named.everything(a, b, [b + HALF - Fraction(1, 10**6)]), "beyond the radius named")
    refused(lambda: named.everything(Fraction(0), b, [b + HALF + 1]), "beyond no radius")
    refused(lambda: named.everything(a, b, [b + HALF + 1, b + HALF + 1]), "beyond no radius")


@pytest.mark.slow
def test_a_certificate_that_names_too_small_a_radius_or_does_not_list_the_rule() -> None:
    certificate = read("laplace-d2")
    point = certificate["proof"]["profile"]["points"][0]
    words = zip(point["sets"], point["boundaries"], strict=True)
    place = next(k for k, (word, far) in enumerate(words) if word == "f" and far)
    point["boundaries"][place] = [str(Fraction(x) * Fraction(999, 1000)) for x in point["boundaries"][place]]
    assert refusal(certificate) == "K430"
    unlisted = read("laplace-d2")
    del unlisted["rules"]["brims"]
    assert refusal(unlisted) == "rules"
