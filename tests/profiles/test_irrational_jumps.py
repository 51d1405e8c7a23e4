"""Profiles of an f that falls, and jumps down at a radius that is not rational, beside quadratures over spheres."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import pytest

from dpverify import check, profile

Q = Fraction
FALLS = "Piecewise((exp(-r),y<2),(exp(-2*r),True))"


def f(r: mp.mpf) -> mp.mpf:
    return mp.exp(-r if r * r < 2 else -2 * r)


def divergence(d: int, level: mp.mpf, radius: mp.mpf) -> mp.mpf:
    """The integral of (p - e^eps q)+ over one sphere, in r^(d-1) f, d = 2 or 3, the shift being 1: over the angle,
    or over |x - u|, whose square runs evenly in three dimensions."""
    root = mp.sqrt(2)
    low, high = abs(radius - 1), radius + 1
    target = radius + level if radius < root else 2 * radius + level
    edge = target if target < root else max(target / 2, root)
    ends = sorted({max(low, min(edge, high)), max(low, min(root, high)), high})
    ends = [x for x in ends if x >= min(edge, high)]
    excess = lambda k: f(radius) - mp.exp(level) * f(k)  # noqa: E731
    if d == 3:
        return radius / 2 * sum(mp.quad(lambda k: excess(k) * k, [a, b]) for a, b in pairwise(ends))
    angle = lambda k: mp.acos(max(-1, min(1, (radius**2 + 1 - k * k) / (2 * radius))))  # noqa: E731
    along = lambda t: excess(mp.sqrt(radius**2 + 1 - 2 * radius * mp.cos(t)))  # noqa: E731
    found = sum(mp.quad(along, [angle(a), angle(b)]) for a, b in pairwise(ends))
    return radius / mp.pi * found


def truth(d: int, level: mp.mpf) -> mp.mpf:
    root = mp.sqrt(2)
    half = (1 - level) / 2
    marks = [0, half, root - 1, root - level, 1, (root + 1 - level) / 2, root, root + 1, 4, 8, 30]
    whole = mp.quad(lambda r: r ** (d - 1) * f(r), [0, root, 10, 60])
    return sum(mp.quad(lambda r: divergence(d, level, r), [a, b]) for a, b in pairwise(marks)) / whole


@pytest.mark.parametrize("d", [2, 3])
def test_it_is_the_integral_over_spheres(d: int) -> None:
    found = profile(FALLS, epsilon="1/2", dimension=d, certificate=True)
    assert found.certificate is not None and check(found.certificate)
    point = found.certificate["claim"]["points"][0]["delta"]
    low, high = Q(point["lower"]), Q(point["upper"])
    assert high - low < low / 10**9
    with mp.workdps(12):
        value = float(truth(d, mp.mpf(1) / 2))
    assert float(low) * (1 - 1e-8) < value < float(high) * (1 + 1e-8)


@pytest.mark.parametrize(("d", "epsilon"), [(1, "1/2"), (10, "3"), (50, "1/2")])
def test_certificates_are_narrow_in_many_dimensions(d: int, epsilon: str) -> None:
    found = profile(FALLS, epsilon=epsilon, dimension=d, certificate=True)
    assert found.certificate is not None and "K565" in found.certificate["rules"]["branches"]
    point = found.certificate["claim"]["points"][0]["delta"]
    assert 0 < Q(point["upper"]) - Q(point["lower"]) < Q(point["lower"]) / 10**9
